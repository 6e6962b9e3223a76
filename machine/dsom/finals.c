#include "machine/dsom/finals.h"
#include "parser/arithmetic.h"
#include "parser/proposition.h"

DsomFinals *dsom_finals_new (const RspDsomProgram *program) {
  DsomFinals *finals = g_new0 (DsomFinals, 1);
  finals->program = program;
  finals->list = g_ptr_array_new_with_free_func (g_free);
  finals->keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  finals->texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return finals;
}

void dsom_finals_free (DsomFinals *finals) {
  if (!finals)
    return;
  g_ptr_array_unref (finals->list);
  g_hash_table_unref (finals->keys);
  g_hash_table_unref (finals->texts);
  g_free (finals);
}

void dsom_finals_add (DsomFinals *finals, const DsomValue *values) {
  const RspDsomProgram *program = finals->program;
  if (!g_hash_table_add (finals->texts, dsom_values_format (program, values, TRUE)))
    return;
  g_hash_table_add (finals->keys, dsom_values_format (program, values, FALSE));
  g_ptr_array_add (finals->list, g_memdup2 (values, (program->n_observables + 1) * sizeof *values));
}

gboolean dsom_finals_has (const DsomFinals *finals, const DsomValue *values) {
  g_autofree char *key = dsom_values_format (finals->program, values, FALSE);
  return g_hash_table_contains (finals->keys, key);
}

/* Garbage comes after all values. */
static int compare_finals (gconstpointer a, gconstpointer b, gpointer data) {
  const DsomValue *x = *(const DsomValue *const *) a, *y = *(const DsomValue *const *) b;
  const RspDsomProgram *program = data;
  for (guint i = 0; i < program->n_observables; i++) {
    const DsomValue *v = &x[i], *w = &y[i];
    if (!v->garbage != !w->garbage)
      return v->garbage ? 1 : -1;
    if (v->value != w->value)
      return v->value < w->value ? -1 : 1;
  }
  return 0;
}

void dsom_finals_sort (DsomFinals *finals) {
  g_ptr_array_sort_with_data (finals->list, compare_finals, (gpointer) finals->program);
}

/* ---- One state ---- */

char *dsom_values_format (const RspDsomProgram *program, const DsomValue *values, gboolean moved) {
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < program->n_observables; i++) {
    const RspDsomObservable *observable = &program->observables[i];
    if (!moved && observable->kind == RSP_DSOM_OBSERVE_MOVED)
      continue;
    g_string_append_printf (text, "%s%s=", text->len ? " " : "", observable->name);
    if (values[i].garbage)
      g_string_append (text, "?;");
    else
      g_string_append_printf (text, "%" G_GINT64_FORMAT ";", values[i].value);
  }
  return g_string_free (text, FALSE);
}

static DsomValue value_of (const RspOperand *operand, const DsomValue *values) {
  return operand->is_observable ? values[operand->observable]
                                : (DsomValue){ operand->constant, FALSE };
}

/* Garbage equals nothing, and is neither less nor greater. */
static RspTruth atom_truth (const RspProp *prop, gpointer values) {
  DsomValue a = value_of (&prop->left, values), b = value_of (&prop->right, values);
  gint64 holds = 0;
  if (a.garbage || b.garbage)
    return rsp_truth (prop->op == RSP_OP_NE);
  rsp_fold_binary (prop->op, a.value, b.value, 64, TRUE, &holds);
  return rsp_truth (holds != 0);
}

gboolean dsom_values_satisfy (const RspDsomProgram *program, const DsomValue *values) {
  return rsp_prop_truth (program->condition, atom_truth, (gpointer) values) == RSP_HOLDS;
}
