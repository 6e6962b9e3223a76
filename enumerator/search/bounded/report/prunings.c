#include "enumerator/search/bounded/report/prunings.h"
#include "model/names.h"

#include <string.h>

enum
{
  USUAL_PRUNINGS = 16 /* at most, for most models */
};

static void
clear_pruning (gpointer data)
{
  g_free ((char *) ((RspPruning *) data)->name);
}

GArray *
rsp_prunings_new (void)
{
  GArray *prunings = g_array_sized_new (FALSE, FALSE, sizeof (RspPruning), USUAL_PRUNINGS);
  g_array_set_clear_func (prunings, clear_pruning);
  return prunings;
}

void
rsp_prunings_add (GArray *prunings, const char *name, guint64 n, guint64 forced)
{
  for (guint i = 0; i < prunings->len; i++)
    {
      RspPruning *pruning = &g_array_index (prunings, RspPruning, i);
      if (strcmp (pruning->name, name) == 0)
        {
          pruning->n += n;
          pruning->forced += forced;
          return;
        }
    }
  RspPruning pruning = { .name = g_strdup (name), .n = n, .forced = forced };
  g_array_append_val (prunings, pruning);
}

gboolean
rsp_prunings_has (const GArray *prunings, const char *name)
{
  for (guint i = 0; i < prunings->len; i++)
    {
      const RspPruning *pruning = &g_array_index (prunings, RspPruning, i);
      if (strcmp (pruning->name, name) == 0)
        return pruning->n > 0 || pruning->forced > 0;
    }
  return FALSE;
}

void
rsp_prunings_add_all (GArray *to, const GArray *from)
{
  for (guint i = 0; i < from->len; i++)
    {
      const RspPruning *pruning = &g_array_index (from, RspPruning, i);
      rsp_prunings_add (to, pruning->name, pruning->n, pruning->forced);
    }
}

void
rsp_prunings_add_model (GArray *prunings, const RspModel *model, const char *const *skipped)
{
  const GPtrArray *names = model->plain_axioms;
  for (guint i = 0; names && i < names->len; i++)
    if (!skipped || !g_strv_contains (skipped, names->pdata[i]))
      rsp_prunings_add (prunings, names->pdata[i], 0, 0);
}

static int
compare_prunings (gconstpointer x, gconstpointer y)
{
  const RspPruning *a = x, *b = y;
  if (a->n != b->n)
    return a->n < b->n ? 1 : -1;
  if (a->forced != b->forced)
    return a->forced < b->forced ? 1 : -1;
  return strcmp (a->name, b->name);
}

void
rsp_prunings_sort (GArray *prunings)
{
  g_array_sort (prunings, compare_prunings);
}

char *
rsp_axiom_label (const RspStagedAxiom *axiom)
{
  const char *name = axiom->id ? axiom->id : axiom->name;
  return name ? g_strdup (name) : rsp_model_place (axiom->span);
}
