#include "enumerator/search/bounded/report/prunings.h"
#include "model/names.h"

#include <stdlib.h>
#include <string.h>

enum {
  USUAL_PRUNINGS = 16 /* at most, for most models */
};

static void clear_pruning (gpointer data) { g_free ((char *) ((RspPruning *) data)->name); }

GArray *rsp_prunings_new (void) {
  GArray *prunings = g_array_sized_new (FALSE, FALSE, sizeof (RspPruning), USUAL_PRUNINGS);
  g_array_set_clear_func (prunings, clear_pruning);
  return prunings;
}

void rsp_prunings_add (GArray *prunings, const char *name, guint64 n, guint64 forced) {
  for (guint i = 0; i < prunings->len; i++) {
    RspPruning *pruning = &g_array_index (prunings, RspPruning, i);
    if (strcmp (pruning->name, name) == 0) {
      pruning->n += n;
      pruning->forced += forced;
      return;
    }
  }
  RspPruning pruning = { .name = g_strdup (name), .n = n, .forced = forced };
  g_array_append_val (prunings, pruning);
}

gboolean rsp_prunings_has (const GArray *prunings, const char *name) {
  for (guint i = 0; i < prunings->len; i++) {
    const RspPruning *pruning = &g_array_index (prunings, RspPruning, i);
    if (strcmp (pruning->name, name) == 0)
      return pruning->n > 0 || pruning->forced > 0;
  }
  return FALSE;
}

void rsp_prunings_add_all (GArray *to, const GArray *from) {
  for (guint i = 0; i < from->len; i++) {
    const RspPruning *pruning = &g_array_index (from, RspPruning, i);
    rsp_prunings_add (to, pruning->name, pruning->n, pruning->forced);
  }
}

static int compare_prunings (gconstpointer x, gconstpointer y) {
  const RspPruning *a = x, *b = y;
  if (a->n != b->n)
    return a->n < b->n ? 1 : -1;
  if (a->forced != b->forced)
    return a->forced < b->forced ? 1 : -1;
  return strcmp (a->name, b->name);
}

static gboolean is_listed (const RspPruning *prunings, guint n, const char *name) {
  while (n && strcmp (prunings[n - 1].name, name) != 0)
    n--;
  return n > 0;
}

RspPruning *rsp_prunings_finish (const GArray *prunings, const RspModel *model,
                                 const char *const *skipped, RspArena *arena, guint *n) {
  const GPtrArray *axioms = model->plain_axioms;
  guint n_found = prunings->len, n_axioms = axioms ? axioms->len : 0;
  RspPruning *all = rsp_arena_new0 (arena, RspPruning, n_found + n_axioms + 1);
  *n = n_found;
  for (guint i = 0; i < n_found; i++)
    all[i] = g_array_index (prunings, RspPruning, i);
  for (guint i = 0; i < n_axioms; i++)
    if (!is_listed (all, n_found, axioms->pdata[i])
        && (!skipped || !g_strv_contains (skipped, axioms->pdata[i])))
      all[(*n)++].name = axioms->pdata[i];
  qsort (all, *n, sizeof *all, compare_prunings);
  for (guint i = 0; i < *n; i++)
    all[i].name = rsp_arena_strdup (arena, all[i].name);
  return all;
}

char *rsp_axiom_label (const RspStagedAxiom *axiom) {
  const char *name = axiom->id ? axiom->id : axiom->name;
  return name ? g_strdup (name) : rsp_model_place (axiom->span);
}
