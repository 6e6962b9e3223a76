/* Models that look into values which only a complete execution has. What they ask beside that, and
 * before, cuts the search as ever; every execution that is left is judged by the naive engine's
 * means. So nothing can be counted, remembered, or shared between threads. */
#include "enumerator/search/bounded/bounded.h"

static RspMatrix *
decided (const Bounded *s, guint leaf, RspArena *arena)
{
  RspMatrix *relation = rsp_relation_new (arena, s->n);
  for (guint x = 0; x < s->n; x++)
    for (all_bits (y, rsp_bounds_lo (s->bounds, leaf, x), s->words))
      rsp_matrix_add (relation, x, y);
  return relation;
}

/* The write of a location that all others are before, or G_MAXUINT when it has none. */
static guint
last_write (const Bounded *s, const RspMatrix *co, guint location)
{
  for (all_bits (x, s->writes[location]->bits, s->words))
    if (rsp_next_bit (rsp_matrix_row (co, x), s->words, 0) == G_MAXUINT)
      return x;
  return G_MAXUINT;
}

void
rsp_bounded_judge (Bounded *s)
{
  RspArena *arena = rsp_arena_new ();
  guint n_locations = s->pre->program->n_locations;
  RspExecution execution = { .rf = decided (s, RSP_LEAF_RF, arena),
                             .co = decided (s, RSP_LEAF_CO, arena),
                             .values = s->values,
                             .written = s->written,
                             .last = rsp_arena_new0 (arena, guint, n_locations + 1),
                             .thin_air = s->n_undetermined > 0 };
  for (guint i = 0; i < n_locations; i++)
    execution.last[i] = last_write (s, execution.co, i);
  rsp_search_judge (s->search, &execution);
  rsp_arena_free (arena);
}

/* FALSE when nothing is known without an execution. */
static gboolean
search_late (RspSearch *search, const RspStaging *staging)
{
  RspCheckOptions options = *search->options;
  options.disabled |= RSP_FEATURE_MEMO | RSP_FEATURE_COUNT;
  RspSearch late = *search;
  late.options = &options;
  late.pool = NULL;
  late.class = NULL;
  if (!staging->known || !rsp_bounded_search_model (&late, staging->known, TRUE))
    return FALSE;
  search->thin_air |= late.thin_air;
  search->found |= late.found;
  return TRUE;
}

void
rsp_search_bounded (RspSearch *search, const RspStaging *staging)
{
  if (staging->needs_execution)
    {
      if (!search_late (search, staging))
        rsp_search_naive (search, staging);
      return;
    }
  for (guint i = 0; i < staging->n_models; i++)
    if (!rsp_bounded_search_model (search, staging->models[i], FALSE))
      {
        RspStaging one = { .models = &staging->models[i], .n_models = 1 };
        rsp_search_naive (search, &one);
      }
}
