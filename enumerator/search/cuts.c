#include "enumerator/search/cuts.h"
#include "model/names.h"

#include <string.h>

static void
clear_cut (gpointer data)
{
  g_free ((char *) ((RspCut *) data)->name);
}

GArray *
rsp_cuts_new (void)
{
  GArray *cuts = g_array_new (FALSE, FALSE, sizeof (RspCut));
  g_array_set_clear_func (cuts, clear_cut);
  return cuts;
}

void
rsp_cuts_add (GArray *cuts, const char *name, guint64 n)
{
  for (guint i = 0; i < cuts->len; i++)
    {
      RspCut *cut = &g_array_index (cuts, RspCut, i);
      if (strcmp (cut->name, name) == 0)
        {
          cut->n += n;
          return;
        }
    }
  RspCut cut = { .name = g_strdup (name), .n = n };
  g_array_append_val (cuts, cut);
}

void
rsp_cuts_merge (GArray *to, const GArray *from)
{
  for (guint i = 0; i < from->len; i++)
    {
      const RspCut *cut = &g_array_index (from, RspCut, i);
      rsp_cuts_add (to, cut->name, cut->n);
    }
}

static int
compare_cuts (gconstpointer x, gconstpointer y)
{
  const RspCut *a = x, *b = y;
  return a->n != b->n ? (a->n < b->n) - (a->n > b->n) : strcmp (a->name, b->name);
}

void
rsp_cuts_sort (GArray *cuts)
{
  g_array_sort (cuts, compare_cuts);
}

char *
rsp_cuts_name (const RspStagedCheck *check)
{
  return check->id ? g_strdup (check->id) : rsp_model_place (check->span);
}
