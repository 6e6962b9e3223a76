/* Searchers: a Bounded with all it needs, and what several of one search share. */
#include "enumerator/search/bounded/searcher.h"
#include "enumerator/search/bounded/share/common.h"
#include "enumerator/search/bounded/share/memo.h"
#include "enumerator/search/bounded/share/naming.h"

#include <string.h>

enum
{
  ROWS_PER_LOOK = 1024 /* rows of results between two looks at the clock */
};

/* ---- Values as small numbers ---- */

static void
remember (Bounded *s, guint32 id, RspValue *value)
{
  if (id >= s->value_table->len)
    g_ptr_array_set_size (s->value_table, (gint) id + 1);
  s->value_table->pdata[id] = value;
  g_hash_table_insert (s->value_ids, value, GUINT_TO_POINTER (id + 1));
}

guint32
bounded_value_id (Bounded *s, RspValue value)
{
  gpointer found = g_hash_table_lookup (s->value_ids, &value);
  if (found)
    return GPOINTER_TO_UINT (found) - 1;
  Values *values = s->shared->values;
  g_mutex_lock (&values->lock);
  found = g_hash_table_lookup (values->ids, &value);
  if (!found)
    {
      RspValue *own = rsp_arena_copy (values->arena, &value, sizeof value);
      g_ptr_array_add (values->table, own);
      found = GUINT_TO_POINTER (values->table->len);
      g_hash_table_insert (values->ids, own, found);
    }
  guint32 id = GPOINTER_TO_UINT (found) - 1;
  RspValue *shared = values->table->pdata[id];
  g_mutex_unlock (&values->lock);
  remember (s, id, shared);
  return id;
}

const RspValue *
bounded_value (Bounded *s, guint32 id)
{
  if (id < s->value_table->len && s->value_table->pdata[id])
    return s->value_table->pdata[id];
  Values *values = s->shared->values;
  g_mutex_lock (&values->lock);
  RspValue *shared = values->table->pdata[id];
  g_mutex_unlock (&values->lock);
  remember (s, id, shared);
  return shared;
}

/* ---- What searchers share ---- */

void
shared_open (Bounded *s)
{
  const RspSearch *search = s->search;
  RspCommon *common = search->common;
  gboolean remembers = !(search->options->disabled & RSP_FEATURE_MEMO);
  if (remembers && common && memo_pays (common->memo) && naming_open (s, common->names))
    {
      *s->shared = (Shared){ .memo = common->memo, .values = common->values };
    }
  else
    {
      gsize size = search->budget->max_memory / (common ? 4 : 2);
      RspCommon *own = rsp_common_new (NULL, remembers ? size : 0);
      *s->shared = (Shared){ .memo = own->memo, .values = own->values, .own = own };
    }
  s->memo = s->shared->memo;
}

void
shared_close (Shared *shared)
{
  rsp_common_free (shared->own);
}

/* ---- Making one ---- */

/* co before any decision: the initial write first. */
static RspMatrix *
possible_co (Bounded *s)
{
  RspMatrix *co = rsp_relation_new (s->arena, s->n);
  for (guint i = 0; i < s->pre->program->n_locations; i++)
    for (all_bits (x, s->writes[i]->bits, s->words))
      for (all_bits (y, s->writes[i]->bits, s->words))
        if (x != y)
          rsp_matrix_add (co, x, y);
  return co;
}

static void
find_writes (Bounded *s)
{
  const RspPreExecution *pre = s->pre;
  s->writes = rsp_arena_new0 (s->arena, RspMatrix *, pre->program->n_locations);
  for (guint i = 0; i < pre->program->n_locations; i++)
    s->writes[i] = rsp_set_new (s->arena, s->n);
  for (all_bits (e, pre->base->sets[RSP_BASE_SET_W]->bits, s->words))
    rsp_set_add (s->writes[pre->events[e]->location], e);
}

static guint32
flags_raised_before (const RspSearch *search, const RspStagedModel *model)
{
  guint32 raised = 0;
  for (guint i = 0; i < search->flags->len; i++)
    {
      const RspFlag *flag = &g_array_index (search->flags, RspFlag, i);
      for (guint j = 0; flag->raised && j < model->n_flags; j++)
        if (strcmp (model->flags[j], flag->name) == 0)
          raised |= 1u << j;
    }
  return raised;
}

static void
allocate (Bounded *s)
{
  RspArena *arena = s->arena;
  s->n = s->pre->n;
  s->words = s->pre->candidates->words;
  s->disabled = s->search->options->disabled;
  s->values = rsp_arena_new0 (arena, RspValue, s->n);
  s->written = rsp_arena_new0 (arena, RspValue, s->n);
  s->registers = rsp_arena_new0 (arena, RspValue, s->pre->program->n_observables);
  s->value_known = rsp_arena_new0 (arena, gboolean, s->n);
  s->written_known = rsp_arena_new0 (arena, gboolean, s->n);
  s->written_constant = rsp_arena_new0 (arena, gboolean, s->n);
  s->source = rsp_arena_new0 (arena, guint, s->n);
  s->prunings = rsp_arena_new0 (arena, guint64, s->model->n_axioms + N_PRUNED_BY);
  if (s->search->options->attribute || s->search->options->journal)
    s->forced_by = rsp_arena_new0 (arena, guint64, s->model->n_axioms);
  s->raised = flags_raised_before (s->search, s->model);
  s->value_trail = g_array_new (FALSE, FALSE, sizeof (guint));
  s->forced = g_array_new (FALSE, FALSE, sizeof (RspForced));
  s->forced_by_one = g_array_new (FALSE, FALSE, sizeof (RspForced));
  s->key = g_array_new (FALSE, FALSE, sizeof (guint64));
  s->value_ids = values_table_new ();
  s->value_table = g_ptr_array_new ();
}

gboolean
bounded_open (Bounded *s)
{
  s->arena = rsp_arena_new_within (s->search->budget);
  allocate (s);
  find_writes (s);
  RspMatrix *rf = rsp_relation_new (s->arena, s->n);
  rsp_relation_inverse (rf, s->pre->candidates);
  s->bounds = rsp_bounds_new (s->model, rf, possible_co (s), s->arena);
  if (!s->bounds)
    bounded_close (s);
  return s->bounds != NULL;
}

void
bounded_close (Bounded *s)
{
  g_ptr_array_unref (s->value_table);
  g_hash_table_unref (s->value_ids);
  g_array_unref (s->key);
  g_array_unref (s->forced_by_one);
  g_array_unref (s->forced);
  g_array_unref (s->value_trail);
  rsp_bounds_free (s->bounds);
  rsp_arena_free (s->arena);
}

gboolean
bounded_has_open_axiom (const Bounded *s)
{
  for (guint i = 0; i < s->model->n_axioms; i++)
    if (rsp_bounds_is_followed (s->bounds, i))
      return TRUE;
  return FALSE;
}

gboolean
bounded_may_add (Bounded *s, guint row)
{
  if (row % ROWS_PER_LOOK == 0)
    rsp_budget_is_exhausted (s->search->budget);
  return rsp_budget_stop (s->search->budget) == RSPCHECK_STOP_COMPLETE && !s->search->found;
}

gboolean
bounded_may_be_last (const Bounded *s, const RspMatrix *writes, guint write)
{
  const guint64 *after = rsp_bounds_lo (s->bounds, RSP_LEAF_CO, write);
  for (guint w = 0; w < s->words; w++)
    if (after[w] & writes->bits[w])
      return FALSE;
  return TRUE;
}
