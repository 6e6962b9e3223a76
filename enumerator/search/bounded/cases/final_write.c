/* Each way in which a write could be the last one while another follows its source, and each in
 * which its value could come back to its own read, is decided and propagated, until propagation
 * refutes it: atomicity of read-modify-writes and coherence do. */
#include "enumerator/search/bounded/cases/final_write.h"
#include "enumerator/values/final_state.h"
#include "enumerator/event.h"
#include "enumerator/search/bounded/decide.h"
#include "enumerator/search/bounded/propagate.h"
#include "enumerator/search/bounded/share/common.h"

typedef struct Removed {
  guint first, end;
} Removed;

static gboolean is_removed (const Removed *removed, guint event) {
  return event >= removed->first && event < removed->end;
}

static gboolean decide_last (Searcher *s, guint write, const RspMatrix *writes) {
  for (all_bits (other, writes->bits, s->words))
    if (other != write && !exclude_order (s, RSP_LEAF_CO, write, other))
      return FALSE;
  return TRUE;
}

/* May the write be the last one, read from `source`, and the other one come after the source? */
static gboolean may_follow (Searcher *s, guint write, guint read, guint source, guint other,
                            const RspMatrix *writes) {
  guint values = searcher_push (s);
  gboolean may = decide_source (s, source, read) && decide_last (s, write, writes)
                 && decide_order (s, RSP_LEAF_CO, source, other) && propagate (s);
  searcher_pop (s, values);
  return may;
}

/* A source that is removed has a source of its own, which is not looked for. */
static gboolean source_is_last (Searcher *s, guint write, guint read, guint source,
                                const Removed *removed) {
  const RspMatrix *writes = s->writes[s->pre->events[write]->location];
  if (is_removed (removed, source))
    return FALSE;
  for (all_bits (other, writes->bits, s->words))
    if (other != source && !is_removed (removed, other)
        && may_follow (s, write, read, source, other, writes))
      return FALSE;
  return TRUE;
}

/* May the value that is written reach the source of the write's own read, by way of an access of
 * another thread or of a later one? Such values justify each other, which is lost with the write.
 */
static gboolean may_come_back (Searcher *s, guint write, guint read, guint source) {
  const RspEvent *last = s->pre->events[source];
  gboolean may = FALSE;
  for (guint e = s->pre->first[last->thread]; e <= source && !may; e++)
    if (e != read && rsp_event_is_read (s->pre->events[e])
        && rsp_row_has (rsp_bounded_candidates (s, e), write)) {
      guint values = searcher_push (s);
      may = decide_source (s, source, read) && decide_source (s, write, e) && propagate (s);
      searcher_pop (s, values);
    }
  return may;
}

static gboolean bears_source (Searcher *s, guint write, guint read, guint source,
                              const Removed *removed) {
  const RspEvent *from = s->pre->events[source];
  if (!rsp_event_is_initial (from) && may_come_back (s, write, read, source))
    return FALSE;
  return !rsp_location_is_shown (s->pre->program, s->pre->events[write]->location)
         || source_is_last (s, write, read, source, removed);
}

static gboolean has_source (Searcher *s, guint write, const Removed *removed) {
  const RspEvent *event = s->pre->events[write];
  if (event->kind == RSP_EVENT_WRITE && !event->rmw_half)
    return !rsp_location_is_shown (s->pre->program, event->location);
  guint read = event->rmw_half ? write - 1 : write;
  guint64 sources[s->words];
  for (guint w = 0; w < s->words; w++)
    sources[w] = rsp_bounded_candidates (s, read)[w];
  for (all_bits (source, sources, s->words))
    if (!bears_source (s, write, read, source, removed))
      return FALSE;
  return TRUE;
}

static gboolean all_have_sources (Searcher *s, const Removed *removed) {
  for (guint e = removed->first; e < removed->end; e++)
    if (rsp_event_is_write (s->pre->events[e]) && !has_source (s, e, removed))
      return FALSE;
  return TRUE;
}

static gboolean writes_any (const RspPreExecution *pre, const Removed *removed) {
  for (guint e = removed->first; e < removed->end; e++)
    if (rsp_event_is_write (pre->events[e]))
      return TRUE;
  return FALSE;
}

gboolean final_writes_have_sources (RspSearch *search, const RspStagedModel *model, guint first,
                                    guint end) {
  Shared shared = { 0 };
  Removed removed = { first, end };
  Searcher s = { .search = search, .pre = search->pre, .model = model, .shared = &shared };
  if (!writes_any (search->pre, &removed))
    return TRUE;
  if (!searcher_open (&s))
    return FALSE;
  gboolean have = !propagate_begin (&s) || all_have_sources (&s, &removed);
  searcher_close (&s);
  return have && rsp_budget_stop (search->budget) == RSPCHECK_STOP_COMPLETE;
}
