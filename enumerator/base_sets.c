/* The base sets of a pre-execution. */
#include "enumerator/base_sets.h"
#include "parser/scopes.h"
#include "enumerator/event.h"

/* ---- Memory and barriers ---- */

static gboolean is_in_space (const RspPreExecution *pre, const RspEvent *event, gboolean local) {
  if (!rsp_event_is_access (event))
    return (event->flags & (local ? RSP_FENCE_LOCAL : RSP_FENCE_GLOBAL)) != 0;
  RspSpace space = pre->program->locations[event->location].type.space;
  return local ? space == RSP_SPACE_LOCAL
               : space == RSP_SPACE_GLOBAL || space == RSP_SPACE_CONSTANT;
}

static gboolean thread_reaches (const RspPreExecution *pre, guint thread, const RspEvent *entry) {
  for (guint e = pre->first[thread]; e < pre->first[thread + 1]; e++)
    if (rsp_event_is_same_barrier (pre->events[e], entry))
      return TRUE;
  return FALSE;
}

/* Is there a thread of those that meet at the entry fence's barrier that never reaches it? */
static gboolean is_divergent (const RspPreExecution *pre, const RspEvent *entry) {
  const RspThread *threads = pre->program->threads;
  for (guint t = 0; t < pre->program->n_threads; t++)
    if (rsp_threads_share (&threads[t], &threads[entry->thread], entry->meeting)
        && !thread_reaches (pre, t, entry))
      return TRUE;
  return FALSE;
}

/* ---- Final writes ---- */

/* Is the final value of the location observed? */
static gboolean is_observed (const RspPreExecution *pre, guint location) {
  const RspProgram *program = pre->program;
  for (guint i = 0; i < program->n_observables; i++)
    if (!program->observables[i].is_register && program->observables[i].location == location)
      return TRUE;
  return FALSE;
}

/* ---- Waiting for ever ---- */

/* Is it of the rounds that its thread repeats for ever? */
static gboolean is_repeated (const RspPreExecution *pre, const RspEvent *e) {
  const RspPath *path = rsp_event_is_initial (e) ? NULL : pre->paths[e->thread];
  return path && path->end == RSP_PATH_STUCK && e >= path->events + path->wait_begin
         && e < path->events + path->wait_end;
}

/* ---- Sets ---- */

static gboolean is_rmw (const RspEvent *e) { return e->kind == RSP_EVENT_RMW || e->rmw_half; }

/* Per set: the bit of the tag that is the set in languages with tags; 0: none. */
static const guint64 tags[RSP_N_BASE_SETS] = {
#define RSP_TAG(id, languages, text)             [RSP_BASE_SET_##id##_TAG] = RSP_TAG_BIT (id),
#define RSP_SHARED_TAG(id, languages, text, set) [RSP_BASE_SET_##set] = RSP_TAG_BIT (id),
#include "parser/languages.def"
};

/* Sets that are a tag's alone: without tags, nothing is in them. */
static const gboolean is_tag_alone[RSP_N_BASE_SETS] = {
#define RSP_TAG(id, languages, text) [RSP_BASE_SET_##id##_TAG] = TRUE,
#define RSP_SHARED_TAG(id, languages, text, set)
#include "parser/languages.def"
};

/* One row per set of base_names.def; a set without a row does not compile. at: the location of an
 * access. */
static inline gboolean is_member (const RspPreExecution *pre, const RspEvent *e,
                                  const RspLocation *at, RspBaseSet set) {
  switch (set) {
#define IS(id, condition)                                                                          \
  case RSP_BASE_SET_##id:                                                                          \
    return condition;
    /* clang-format off */
      IS (R, rsp_event_is_read (e))
      IS (W, rsp_event_is_write (e))
      IS (M, rsp_event_is_access (e))
      IS (F, !rsp_event_is_access (e) && rsp_event_is_fence_of (e->kind, e->tags))
      IS (I, rsp_event_is_initial (e))
      IS (RMW, is_rmw (e))
      IS (X, e->kind == RSP_EVENT_RMW && pre->program->language->rmw == RSP_RMW_LONE_EVENT)
      IS (NA_FENCE, !rsp_event_is_access (e) && pre->program->language->rmw == RSP_RMW_LONE_EVENT)
      IS (BRMW, FALSE)
      IS (FAILED_RMW, e->failed_rmw)
      IS (NO_RESULT, e->no_result)
      IS (REMOTE, e->remote)
      IS (A, e->is_atomic)
      IS (NA, e->order == RSP_ORDER_NA)
      IS (ENTRY_FENCE, e->kind == RSP_EVENT_ENTRY)
      IS (EXIT_FENCE, e->kind == RSP_EVENT_EXIT)
      IS (DIVERGENT_FENCE, e->kind == RSP_EVENT_ENTRY && is_divergent (pre, e))
      IS (G, is_in_space (pre, e, FALSE))
      IS (L, is_in_space (pre, e, TRUE))
      IS (FGA, at && at->type.fine_grained)
      IS (ATOMICLOC, at && at->atomic)
      IS (NONATOMICLOC, at && !at->atomic)
      IS (ORDINARY_READ, at && at->atomic && at->is_kernel && rsp_event_is_read (e) && !e->is_atomic)
      IS (OBSERVED, rsp_event_is_write (e) && is_observed (pre, e->location))
      IS (REPEATED, rsp_event_is_access (e) && is_repeated (pre, e))
      IS (RLX, e->order == RSP_ORDER_RELAXED)
      IS (CON, e->order == RSP_ORDER_CONSUME)
      IS (ACQ, e->order == RSP_ORDER_ACQUIRE)
      IS (REL, e->order == RSP_ORDER_RELEASE)
      IS (ACQ_REL, e->order == RSP_ORDER_ACQ_REL)
      IS (SC, e->order == RSP_ORDER_SEQ_CST)
#define RSP_SCOPE(id, level, word, text, short_word, set, relation)                                \
      IS (id##_SCOPE, e->scope == RSP_SCOPE_##id)
#include "parser/scopes.def"
#define RSP_TAG(id, languages, text)              IS (id##_TAG, FALSE)
#define RSP_SHARED_TAG(id, languages, text, set)
#include "parser/languages.def"
    /* clang-format on */
#undef IS
  case RSP_N_BASE_SETS:
    break;
  }
  g_assert_not_reached ();
}

static void add_event (RspPreExecution *pre, guint event) {
  const RspEvent *e = pre->events[event];
  gboolean tagged = pre->program->language->tagged;
  const RspLocation *at = rsp_event_is_access (e) ? &pre->program->locations[e->location] : NULL;
  for (guint set = 0; set < RSP_N_BASE_SETS; set++)
    if (tags[set] && tagged ? (e->tags & tags[set]) != 0
                            : !is_tag_alone[set] && is_member (pre, e, at, (RspBaseSet) set))
      rsp_set_add (pre->base->sets[set], event);
}

void build_base_sets (RspPreExecution *pre) {
  for (guint set = 0; set < RSP_N_BASE_SETS; set++)
    pre->base->sets[set] = rsp_set_new (pre->arena, pre->n);
  for (guint event = 0; event < pre->n; event++)
    add_event (pre, event);
}
