#include "enumerator/search/query/cores.h"
#include "enumerator/search/bounded/report/prunings.h"

#include <string.h>

struct Cores {
  GPtrArray
      *of; /* per combination: GPtrArray of GArray of RspStagedAxiom, or NULL if none is known */
  GStringChunk *words; /* the axioms' ids and names */
};

static void free_sets (gpointer data) {
  if (data)
    g_ptr_array_unref (data);
}

Cores *cores_new (guint n_combinations) {
  Cores *cores = g_new0 (Cores, 1);
  cores->of = g_ptr_array_new_with_free_func (free_sets);
  cores->words = g_string_chunk_new (256);
  g_ptr_array_set_size (cores->of, (gint) n_combinations);
  return cores;
}

void cores_free (Cores *cores) {
  g_ptr_array_unref (cores->of);
  g_string_chunk_free (cores->words);
  g_free (cores);
}

void cores_clear (Cores *cores) {
  guint n = cores->of->len;
  g_ptr_array_set_size (cores->of, 0);
  g_ptr_array_set_size (cores->of, (gint) n);
}

GArray *rsp_core_new (void) { return g_array_new (FALSE, FALSE, sizeof (RspStagedAxiom)); }

void rsp_core_add (GArray *core, const RspStagedAxiom *axiom) {
  for (guint i = 0; i < core->len; i++)
    if (strcmp (g_array_index (core, RspStagedAxiom, i).id, axiom->id) == 0)
      return;
  g_array_append_val (core, *axiom);
}

void core_add_used (GArray *core, const RspStaging *staging, const GArray *prunings) {
  for (guint i = 0; i < staging->n_models + (staging->known != NULL); i++) {
    const RspStagedModel *model = i < staging->n_models ? staging->models[i] : staging->known;
    for (guint k = 0; k < model->n_axioms; k++)
      if (model->axioms[k].id && rsp_prunings_has (prunings, model->axioms[k].id))
        rsp_core_add (core, &model->axioms[k]);
  }
}

void cores_add (Cores *cores, guint combination, const GArray *core) {
  GArray *own = rsp_core_new ();
  for (guint i = 0; i < core->len; i++) {
    RspStagedAxiom axiom = g_array_index (core, RspStagedAxiom, i);
    axiom.id = g_string_chunk_insert_const (cores->words, axiom.id);
    axiom.name = axiom.name ? g_string_chunk_insert_const (cores->words, axiom.name) : NULL;
    g_array_append_val (own, axiom);
  }
  if (!cores->of->pdata[combination])
    cores->of->pdata[combination] = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_ptr_array_add (cores->of->pdata[combination], own);
}

static gboolean demands_all (const RspQuestion *question, RspcheckThrough through,
                             const GArray *core) {
  for (guint i = 0; i < core->len; i++)
    if (rsp_question_demand (question, through, &g_array_index (core, RspStagedAxiom, i))
        != DEMAND_HOLDS)
      return FALSE;
  return TRUE;
}

gboolean cores_refute (const Cores *cores, guint combination, const RspQuestion *question,
                       RspcheckThrough through) {
  const GPtrArray *known = cores->of->pdata[combination];
  for (guint i = 0; known && i < known->len; i++)
    if (demands_all (question, through, known->pdata[i]))
      return TRUE;
  return FALSE;
}
