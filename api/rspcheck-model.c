#include "rspcheck-model.h"
#include "api/directories.h"
#include "api/handle.h"
#include "model/axioms.h"
#include "model/load.h"
#include "model/warn/warn.h"

struct RspcheckAxiom {
  gatomicrefcount references;
  RspcheckModel *model;
  const RspModelAxiom *axiom; /* the model's */
};

G_DEFINE_BOXED_TYPE (RspcheckModel, rspcheck_model, rspcheck_model_ref, rspcheck_model_unref)
G_DEFINE_BOXED_TYPE (RspcheckAxiom, rspcheck_axiom, rspcheck_axiom_ref, rspcheck_axiom_unref)

/* ---- Finding and reading them ---- */

const char *rspcheck_model_directory (void) { return rsp_model_directory (); }

char **rspcheck_model_directories (const char *const *first, const char *test) {
  return rsp_directories ("cat", first, test);
}

RspcheckModel *rspcheck_model_load (const char *path, const char *const *directories,
                                    const char *const *variants, GString *messages) {
  static const char *const none[] = { NULL };
  g_return_val_if_fail (path != NULL, NULL);
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_auto (GStrv) usual = directories ? NULL : rsp_directories ("cat", NULL, NULL);
  RspModel *inner = rsp_model_load (path, directories ? directories : (const char *const *) usual,
                                    variants ? variants : none, diagnostics);
  api_append_messages (diagnostics, messages);
  if (!inner)
    return NULL;
  RspcheckModel *model = g_new0 (RspcheckModel, 1);
  g_atomic_ref_count_init (&model->references);
  model->model = inner;
  model->axioms = rsp_model_axioms (inner);
  return model;
}

API_REF (RspcheckModel, rspcheck_model)

void rspcheck_model_unref (RspcheckModel *model) {
  if (!model || !g_atomic_ref_count_dec (&model->references))
    return;
  g_array_unref (model->axioms);
  rsp_model_free (model->model);
  g_free (model);
}

/* ---- What they say ---- */

API_FIELD (RspcheckModel, rspcheck_model, name, const char *, NULL, self->model->name)
API_FIELD (RspcheckModel, rspcheck_model, path, const char *, NULL, self->model->path)
API_FIELD (RspcheckModel, rspcheck_model, digest, const char *, NULL, self->model->digest)
API_FIELD (RspcheckModel, rspcheck_model, n_axioms, guint, 0, self->axioms->len)

RspcheckAxiom *rspcheck_model_axiom (const RspcheckModel *model, guint i) {
  g_return_val_if_fail (model != NULL && i < model->axioms->len, NULL);
  RspcheckAxiom *axiom = g_new (RspcheckAxiom, 1);
  g_atomic_ref_count_init (&axiom->references);
  axiom->model = rspcheck_model_ref ((RspcheckModel *) model);
  axiom->axiom = &g_array_index (model->axioms, RspModelAxiom, i);
  return axiom;
}

char **rspcheck_model_flags (const RspcheckModel *model) {
  g_return_val_if_fail (model != NULL, NULL);
  GPtrArray *flags = g_ptr_array_new ();
  for (guint i = 0; i < model->axioms->len; i++) {
    const char *flag = g_array_index (model->axioms, RspModelAxiom, i).flag;
    if (flag && !g_ptr_array_find_with_equal_func (flags, flag, g_str_equal, NULL))
      g_ptr_array_add (flags, g_strdup (flag));
  }
  g_ptr_array_add (flags, NULL);
  return (char **) g_ptr_array_free (flags, FALSE);
}

guint rspcheck_model_warn (const RspcheckModel *model, GString *messages) {
  g_return_val_if_fail (model != NULL, 0);
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  rsp_model_warn (model->model, 0, NULL, diagnostics);
  guint n = rsp_diagnostics_count (diagnostics);
  api_append_messages (diagnostics, messages);
  return n;
}

/* ---- Axioms ---- */

API_REF (RspcheckAxiom, rspcheck_axiom)

void rspcheck_axiom_unref (RspcheckAxiom *axiom) {
  if (!axiom || !g_atomic_ref_count_dec (&axiom->references))
    return;
  rspcheck_model_unref (axiom->model);
  g_free (axiom);
}

#define AXIOM_FIELD(what, Result, otherwise, field)                                                \
  API_FIELD (RspcheckAxiom, rspcheck_axiom, what, Result, otherwise, self->axiom->field)

AXIOM_FIELD (name, const char *, NULL, id)
AXIOM_FIELD (flag, const char *, NULL, flag)
AXIOM_FIELD (kind, RspcheckAxiomKind, RSPCHECK_AXIOM_ACYCLIC, kind)
AXIOM_FIELD (role, RspcheckAxiomRole, RSPCHECK_ROLE_AXIOM, role)
AXIOM_FIELD (is_negated, gboolean, FALSE, negated)
AXIOM_FIELD (expression, const char *, NULL, expression)
AXIOM_FIELD (file, const char *, NULL, file)
AXIOM_FIELD (line, guint, 0, line)
