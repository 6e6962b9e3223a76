/* Pre-executions: the events of a combination of paths, and the base sets and relations on them. */
#include "base/base.h"
#include "enumerator/execution.h"
#include "enumerator/values/values.h"
#include "model/model.h"
#include "parser/program.h"

#include <string.h>

/* ---- Barriers ------------------------------------------------------------------------------- */

guint rsp_barriers_rules (const RspModel *model) {
  return (rsp_model_has_variant (model, "all-threads") ? RSP_BARRIERS_ALL_THREADS : 0)
         | (rsp_model_has_variant (model, "phases") ? RSP_BARRIERS_PHASES : 0)
         | (model->wide_barriers ? RSP_BARRIERS_WIDE : 0);
}

static gboolean is_waiting (const RspEvent *event) {
  return event->kind == RSP_EVENT_BARRIER && !event->barrier_arrives;
}

gboolean barrier_is_joined (const RspProgram *program, const RspEvent *barrier,
                            const RspEvent *event) {
  const RspThread *threads = program->threads;
  return rsp_event_is_arrival (event) && rsp_event_is_same_barrier (event, barrier)
         && rsp_threads_share (&threads[event->thread], &threads[barrier->thread],
                               barrier->meeting);
}

BarrierArrivals barrier_count_arrivals (const RspProgram *program, const RspPath *const *paths,
                                        const guint *reached, const RspEvent *barrier) {
  BarrierArrivals n = { 0, 0 };
  for (guint t = 0; t < program->n_threads; t++)
    for (guint e = 0; e < paths[t]->n_events && (!reached || e < reached[t]); e++) {
      gboolean joins = barrier_is_joined (program, barrier, &paths[t]->events[e]);
      n.all += joins;
      n.meeting += joins && !paths[t]->events[e].barrier_passes;
    }
  return n;
}

RspEvent barrier_at_phase (const RspEvent *barrier, guint phase) {
  RspEvent earlier = *barrier;
  earlier.barrier_count = phase;
  return earlier;
}

gboolean barrier_phases_fit (const RspProgram *program, const RspPath *const *paths,
                             const guint *reached, const RspEvent *barrier) {
  for (guint phase = 0; barrier->barrier_phase && phase < barrier->barrier_count; phase++) {
    const RspEvent earlier = barrier_at_phase (barrier, phase);
    if (barrier_count_arrivals (program, paths, reached, &earlier).all != barrier->barrier_quorum)
      return FALSE;
  }
  return !barrier->barrier_phase
         || barrier_count_arrivals (program, paths, NULL, barrier).all <= barrier->barrier_quorum;
}

gboolean barrier_ends_path (const RspPath *path, guint event) {
  return (path->end == RSP_PATH_BLOCKED || path->end == RSP_PATH_STOPPED)
         && event + 1 == path->n_events;
}

/* All that meet at a barrier must have come to it, and they must be enough. */
static gboolean is_passed (const RspPreExecution *pre, const RspEvent *event,
                           const guint *reached) {
  if (event->kind != RSP_EVENT_BARRIER
      || !barrier_phases_fit (pre->program, pre->paths, reached, event))
    return event->kind != RSP_EVENT_BARRIER;
  if (!barrier_needs_quorum (event))
    return TRUE;
  BarrierArrivals all = barrier_count_arrivals (pre->program, pre->paths, NULL, event),
                  here = barrier_count_arrivals (pre->program, pre->paths, reached, event);
  if (all.meeting < barrier_quorum (event, all)
      || (is_waiting (event) && here.meeting != all.meeting))
    return FALSE;
  /* Each thread that it waits for by RSP_BARRIERS_ALL_THREADS has come or ended. */
  const RspThread *threads = pre->program->threads;
  for (guint t = 0; t < pre->program->n_threads && event->barrier_all; t++) {
    const RspPath *path = pre->paths[t];
    gboolean ready = path->end == RSP_PATH_COMPLETE && reached[t] > path->n_events;
    for (guint e = 0; e < path->n_events && e < reached[t]; e++)
      ready |= barrier_is_joined (pre->program, event, &path->events[e]);
    if (!ready && rsp_threads_share (&threads[t], &threads[event->thread], event->meeting))
      return FALSE;
  }
  return TRUE;
}

/* Does a thread's path go past a barrier at which it waits for ever, as too few threads meet there,
 * or as threads wait for each other at different barriers? The events must be numbered. */
static gboolean barriers_block (const RspPreExecution *pre) {
  guint n_threads = pre->program->n_threads;
  g_autofree guint *reached = g_new (guint, n_threads + 1);
  for (guint t = 0; t < n_threads; t++)
    reached[t] = 1;
  for (gboolean moved = TRUE; moved;) {
    moved = FALSE;
    /* Each goes on as far as it can: it has reached one event more than it has gone past. */
    for (guint t = 0; t < n_threads; t++)
      for (; reached[t] <= pre->paths[t]->n_events
             && is_passed (pre, &pre->paths[t]->events[reached[t] - 1], reached);
           reached[t]++)
        moved = TRUE;
  }
  for (guint t = 0; t < n_threads; t++)
    if (reached[t] <= pre->paths[t]->n_events && !barrier_ends_path (pre->paths[t], reached[t] - 1))
      return TRUE;
  return FALSE;
}

/* TRUE if b lets its thread go past only after a has come. Phases come one after the other. */
static gboolean is_awaited (const RspPreExecution *pre, const RspEvent *a, const RspEvent *b) {
  if (a->thread == b->thread || b->kind != RSP_EVENT_BARRIER)
    return FALSE;
  const RspEvent same = barrier_at_phase (b, a->barrier_count);
  if (b->barrier_phase)
    return a->barrier_count + b->barrier_arrives <= b->barrier_count
           && barrier_is_joined (pre->program, &same, a);
  return is_waiting (b) && !a->barrier_passes && barrier_is_joined (pre->program, b, a);
}

/* Without phases, a barrier that does not wait holds nothing up. By RSP_BARRIERS_ALL_THREADS, one
 * may wait for all that another thread does. */
gboolean barriers_may_block (const RspPreExecution *pre) {
  g_autoptr (RspArena) arena = rsp_arena_new ();
  RspMatrix *awaited = rsp_relation_new (arena, pre->n), *before = rsp_relation_new (arena, pre->n);
  gboolean any_all = FALSE;
  for (guint a = pre->first[0]; a < pre->n; a++)
    for (guint b = pre->first[0]; b < pre->n; b++)
      if (is_awaited (pre, pre->events[a], pre->events[b]))
        rsp_matrix_add (awaited, a, b);
  rsp_relation_compose (before, pre->base->relations[RSP_BASE_RELATION_PO], awaited);
  for (guint e = 0; e < pre->n; e++) {
    any_all |= pre->events[e]->barrier_all;
    for (guint other = 0; other < pre->n; other++)
      if (!is_waiting (pre->events[e]) && !pre->events[e]->barrier_phase)
        rsp_matrix_remove (before, e, other);
  }
  return any_all || !rsp_relation_is_acyclic (before);
}

/* ---- Base sets ------------------------------------------------------------------------------ */

/* The base sets of a pre-execution. */

/* ---- Memory and barriers ---- */
static gboolean is_in_space (const RspPreExecution *pre, const RspEvent *event, gboolean local) {
  if (!rsp_event_is_access (event))
    return (event->flags & (local ? RSP_FENCE_LOCAL : RSP_FENCE_GLOBAL)) != 0;
  RspSpace space = pre->program->locations[event->location].type.space;
  return local ? space == RSP_SPACE_LOCAL
               : space == RSP_SPACE_GLOBAL || space == RSP_SPACE_CONSTANT;
}

/* TRUE if some thread that should meet at the barrier never reaches it. */
static gboolean is_divergent (const RspPreExecution *pre, const RspEvent *entry) {
  const RspThread *threads = pre->program->threads;
  for (guint t = 0; t < pre->program->n_threads; t++) {
    gboolean reaches = !rsp_threads_share (&threads[t], &threads[entry->thread], entry->meeting);
    for (guint e = pre->first[t]; e < pre->first[t + 1] && !reaches; e++)
      reaches = rsp_event_is_same_barrier (pre->events[e], entry);
    if (!reaches)
      return TRUE;
  }
  return FALSE;
}

/* ---- Waiting for ever ---- */
/* TRUE for events of the rounds that a thread repeats for ever. */
static gboolean is_repeated (const RspPreExecution *pre, const RspEvent *e) {
  const RspPath *path = rsp_event_is_initial (e) ? NULL : pre->paths[e->thread];
  return path && path->end == RSP_PATH_STUCK && e >= path->events + path->wait_begin
         && e < path->events + path->wait_end;
}

/* ---- Words ---- */
/* The word's row in the model; NULL: it has none. */
static const RspModelWord *word_of_model (const RspWords *words, guint word,
                                          const RspModel *model) {
  return words->bound[word] ? &g_array_index (model->words, RspModelWord, words->bound[word] - 1u)
                            : NULL;
}

/* FALSE, with an error, if an operation has another word of its enum too. */
static gboolean is_alone (const RspWords *words, const RspWordUse *use, const RspModel *model,
                          RspDiagnostics *diagnostics) {
  const RspModelWord *own = word_of_model (words, use->word, model);
  guint places = words->places[use->word] & use->places;
  for (guint i = 0; own && i < words->n; i++) {
    const RspModelWord *other = word_of_model (words, i, model);
    if (i == use->word || !other || !(use->with >> i & 1) || !(words->places[i] & places)
        || !g_str_equal (other->kind, own->kind))
      continue;
    if (diagnostics)
      rsp_error (diagnostics, use->span, NULL,
                 "the operation has `%s` already, and may have only one word of the enum `%s`",
                 other->name, own->kind);
    return FALSE;
  }
  return TRUE;
}

gboolean rsp_words_bind (RspProgram *program, const RspModel *model, RspDiagnostics *diagnostics) {
  RspWords *words = &program->words;
  gboolean fits = TRUE;
  guint32 reported = 0; /* words that an error has been about */
  if (program->translation) {
    memset (words->bound, 0, sizeof words->bound);
    return TRUE;
  }
  for (guint i = 0; i < words->n; i++) {
    guint number = rsp_model_word (model, words->names[i]);
    gboolean known = number < model->words->len;
    words->bound[i] = known ? (guint8) (number + 1) : 0;
    words->places[i]
        = known ? (guint8) g_array_index (model->words, RspModelWord, number).places : 0;
  }
  for (guint i = 0; i < words->n_uses; i++) {
    const RspWordUse *use = &words->uses[i];
    guint places = words->places[use->word];
    if (places & use->places) {
      fits &= is_alone (words, use, model, diagnostics);
      continue;
    }
    fits = FALSE;
    if (!diagnostics)
      break;
    const char *word = words->names[use->word];
    /* Of doubtful suffixes in a row, the first is the error. */
    gboolean follows = use->wrong && i && use[-1].wrong && !words->places[use[-1].word]
                       && use[-1].span.end + 1 == use->span.begin;
    if (follows || ((!places || places > RSP_WORD_ANYWHERE) && reported >> use->word & 1))
      continue;
    reported |= 1u << use->word;
    g_autofree char *hint = rsp_model_word_hint (model, word, use->places),
                    *file = g_path_get_basename (model->path);
    g_autofree char *found = rsp_word_places_format (use->places),
                    *allowed = rsp_word_places_format (places);
    if (use->wrong && rsp_base_defines (word))
      rsp_error (diagnostics, use->span, use->hint, "%s", use->wrong);
    else if (use->wrong && !places)
      rsp_error (diagnostics, use->span,
                 use->hint && !(hint && *hint == '`') ? use->hint : hint, /* a model has it */
                 "%s, nor does the model %s declare `%s`", use->wrong, file, word);
    else if (places)
      rsp_error (diagnostics, use->span, hint, "`%s` is a word for %s in %s, not for %s", word,
                 allowed, file, found);
    else
      rsp_error (diagnostics, use->span, hint, "found `%s`, which is not a word of the model %s",
                 word, file);
  }
  return fits;
}

gboolean rsp_words_check_map (const RspMap *map, const RspModel *model,
                              RspDiagnostics *diagnostics) {
  gboolean fits = TRUE;
  for (guint i = 0; i < map->n_words; i++) {
    if (rsp_model_word (model, map->words[i]) < model->words->len)
      continue;
    g_autofree char *hint = rsp_model_word_hint (model, map->words[i], RSP_WORD_ANYWHERE),
                    *file = g_path_get_basename (model->path);
    rsp_error (diagnostics, map->word_spans[i], hint,
               "found `%s`, expected an order, a scope, or a word of the model %s", map->words[i],
               file);
    fits = FALSE;
  }
  return fits;
}

RspLevel rsp_event_level (const RspProgram *program, const RspEvent *event) {
  return rsp_level_reached (program->language, event->reach, event->scope);
}

guint32 rsp_event_words (const RspProgram *program, const RspEvent *event) {
  guint place = !rsp_event_is_access (event) ? RSP_WORD_FENCE
                : event->kind == RSP_EVENT_RMW || event->rmw_half || event->failed_rmw
                    ? RSP_WORD_RMW
                : rsp_event_is_read (event) ? RSP_WORD_READ
                                            : RSP_WORD_WRITE;
  return rsp_words_allowed (&program->words, event->words, place, rsp_event_level (program, event));
}

/* ---- Sets ---- */
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

/* bound: as in RspWords */
static gboolean has_word (const RspProgram *program, const RspEvent *event, guint bound) {
  guint32 words = event->words ? rsp_event_words (program, event) : 0;
  for (guint i = 0; words >> i; i++)
    if ((words >> i & 1) && program->words.bound[i] == bound)
      return TRUE;
  return FALSE;
}

/* FALSE if no event can be in the set: a tag's in a language without tags, an unused word's. */
static gboolean is_possible (const RspPreExecution *pre, RspBaseSet set) {
  guint word = (guint) set - RSP_BASE_SET_WORD_0;
  return (pre->program->language->tagged || !is_tag_alone[set])
         && (word >= RSP_MAX_WORDS
             || memchr (pre->program->words.bound, (int) word + 1, pre->program->words.n));
}

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
      IS (M, rsp_event_is_access (e) && !e->is_ghost)
      IS (F, !rsp_event_is_access (e) && rsp_event_is_fence_of (e->kind, e->tags))
      IS (I, rsp_event_is_initial (e))
      IS (RMW, e->kind == RSP_EVENT_RMW || e->rmw_half)
      IS (X, e->kind == RSP_EVENT_RMW && pre->program->language->rmw == RSP_RMW_LONE_EVENT)
      IS (NA_FENCE, !rsp_event_is_access (e) && pre->program->language->rmw == RSP_RMW_LONE_EVENT)
      IS (BRMW, FALSE)
      IS (FAILED_RMW, e->failed_rmw)
      IS (NO_RESULT, e->no_result)
#define RSP_BASE_WORD(number) IS (WORD_##number, has_word (pre->program, e, number + 1))
      IS (A, e->is_atomic)
      IS (NA, e->order == RSP_ORDER_NA)
      IS (ENTRY_FENCE, e->kind == RSP_EVENT_ENTRY)
      IS (EXIT_FENCE, e->kind == RSP_EVENT_EXIT)
      IS (DIVERGENT_FENCE, rsp_event_may_diverge (e) && is_divergent (pre, e))
      IS (G, is_in_space (pre, e, FALSE))
      IS (L, is_in_space (pre, e, TRUE))
      IS (FGA, at && at->type.fine_grained)
      IS (ATOMICLOC, at && at->atomic)
      IS (NONATOMICLOC, at && !at->atomic)
      IS (ORDINARY_READ, at && at->atomic && at->is_kernel && rsp_event_is_read (e) && !e->is_atomic)
      IS (OBSERVED, rsp_event_is_write (e) && rsp_location_is_shown (pre->program, e->location))
      IS (REPEATED, rsp_event_is_access (e) && is_repeated (pre, e))
      IS (RLX, e->order == RSP_ORDER_RELAXED)
      IS (CON, e->order == RSP_ORDER_CONSUME)
      IS (ACQ, e->order == RSP_ORDER_ACQUIRE)
      IS (REL, e->order == RSP_ORDER_RELEASE)
      IS (ACQ_REL, e->order == RSP_ORDER_ACQ_REL)
      IS (SC, e->order == RSP_ORDER_SEQ_CST)
#include "model/base_names.def"
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

/* All base sets, and the events' places. */
static void build_sets (const RspPreExecution *pre) {
  gboolean tagged = pre->program->language->tagged;
  RspBaseSet possible[RSP_N_BASE_SETS];
  guint n_possible = 0;
  for (guint set = 0; set < RSP_N_BASE_SETS; set++) {
    pre->base->sets[set] = rsp_set_new (pre->arena, pre->n);
    if (is_possible (pre, (RspBaseSet) set))
      possible[n_possible++] = (RspBaseSet) set;
  }
  for (guint event = 0; event < pre->n; event++) {
    const RspEvent *e = pre->events[event];
    const RspLocation *at = rsp_event_is_access (e) ? &pre->program->locations[e->location] : NULL;
    pre->base->places[event] = at ? at->name : NULL;
    for (guint i = 0; i < n_possible; i++)
      if (tags[possible[i]] && tagged ? (e->tags & tags[possible[i]]) != 0
                                      : is_member (pre, e, at, possible[i]))
        rsp_set_add (pre->base->sets[possible[i]], event);
  }
}

/* ---- Base relations ------------------------------------------------------------------------- */

/* The base relations of a pre-execution. */

/* ---- Rows ---- */
static void add_range (RspMatrix *relation, guint row, guint begin, guint end) {
  for (guint e = begin; e < end; e++)
    rsp_matrix_add (relation, row, e);
}

static void copy_row (RspMatrix *relation, guint row, guint from) {
  memcpy (rsp_matrix_row (relation, row), rsp_matrix_row (relation, from),
          relation->words * sizeof (guint64));
}

/* ---- The scope tree ---- */
/* The events of one node of a level of the scope tree (node: offset of its number in RspThread);
 * reflexive on initial writes, which are otherwise unrelated. */
static void build_within (const RspPreExecution *pre, RspMatrix *within, gsize node) {
#define NODE(t) G_STRUCT_MEMBER (guint, &pre->program->threads[t], node)
  guint n_threads = pre->program->n_threads;
  for (guint e = 0; e < pre->n && rsp_event_is_initial (pre->events[e]); e++)
    rsp_matrix_add (within, e, e);
  for (guint s = 0; s < n_threads; s++) {
    guint first = pre->first[s];
    if (first == pre->first[s + 1])
      continue;
    for (guint t = 0; t < n_threads; t++)
      if (NODE (s) == NODE (t))
        add_range (within, first, pre->first[t], pre->first[t + 1]);
    for (guint e = first; e < pre->first[s + 1]; e++)
      copy_row (within, e, first);
  }
#undef NODE
}

/* Events of threads in different nodes; initial: or related to initial writes. */
static void build_apart (const RspPreExecution *pre, RspMatrix *apart, const RspMatrix *within,
                         gboolean initial) {
  RspMatrix *all = rsp_set_new (pre->arena, pre->n);
  rsp_matrix_fill (all);
  if (!initial)
    rsp_matrix_difference (all, all, pre->base->sets[RSP_BASE_SET_I]);
  for (guint e = 0; e < pre->n; e++)
    if (initial || !rsp_event_is_initial (pre->events[e])) {
      /* All events that are not in the row of `within`. */
      guint64 *out = rsp_matrix_row (apart, e);
      const guint64 *these = rsp_matrix_row (within, e);
      for (guint i = 0; i < apart->words; i++)
        out[i] |= all->bits[i] & ~these[i];
    }
}

/* From initial writes to all other events. */
static void build_initial (const RspPreExecution *pre, RspMatrix *asw) {
  for (guint a = 0; a < pre->n; a++)
    for (guint b = 0; b < pre->n && rsp_event_is_initial (pre->events[a]); b++)
      if (!rsp_event_is_initial (pre->events[b]))
        rsp_matrix_add (asw, a, b);
}

/* ---- Locations and barriers ---- */
/* Every accessed location has an initial write, which comes first. */
static guint initial_of (const RspPreExecution *pre, guint access) {
  return pre->initial[pre->events[access]->location];
}

static void build_location (const RspPreExecution *pre, RspMatrix *loc) {
  for (guint e = 0; e < pre->n; e++)
    if (rsp_event_is_access (pre->events[e]))
      rsp_matrix_add (loc, initial_of (pre, e), e);
  for (guint e = 0; e < pre->n; e++)
    if (rsp_event_is_access (pre->events[e]) && !rsp_event_is_initial (pre->events[e]))
      copy_row (loc, e, initial_of (pre, e));
}

static void build_co_initial (const RspPreExecution *pre, RspMatrix *co) {
  for (guint e = 0; e < pre->n; e++)
    if (rsp_event_is_write (pre->events[e]) && e != initial_of (pre, e))
      rsp_matrix_add (co, initial_of (pre, e), e);
}

static void build_co_final (const RspPreExecution *pre, RspMatrix *co) {
  const RspMatrix *observed = pre->base->sets[RSP_BASE_SET_OBSERVED];
  for (all_bits (final, observed->bits, observed->words)) {
    gboolean alone = TRUE; /* of the writes to its location, besides the initial one */
    for (guint e = 0; e < pre->n; e++)
      alone &= e == final || !rsp_event_is_write (pre->events[e])
               || rsp_event_is_initial (pre->events[e])
               || pre->events[e]->location != pre->events[final]->location;
    if (rsp_event_is_initial (pre->events[final]) || alone)
      continue;
    for (all_bits (e, observed->bits, observed->words))
      if (e != final && pre->events[e]->location == pre->events[final]->location)
        rsp_matrix_add (co, e, final);
  }
}

/* Event a of one thread must be reached before event b of another returns. */
static void build_barriers (const RspPreExecution *pre, RspMatrix *same) {
  const RspThread *threads = pre->program->threads;
  for (guint a = 0; a < pre->n && !rsp_arena_is_exhausted (pre->arena); a++)
    for (guint b = 0; b < pre->n && pre->events[a]->barrier; b++) {
      const RspEvent *x = pre->events[a], *y = pre->events[b];
      gboolean waits = y->kind != RSP_EVENT_BARRIER
                       || (x->thread != y->thread && !y->barrier_arrives && !x->barrier_waits
                           && !x->barrier_passes);
      if (rsp_event_is_same_barrier (x, y) && waits
          && rsp_threads_share (&threads[x->thread], &threads[y->thread], x->meeting)
          && rsp_threads_share (&threads[x->thread], &threads[y->thread], y->meeting))
        rsp_matrix_add (same, a, b);
    }
}

/* The location or alias of the access's virtual address: proxies are ways to one address. */
static guint virtual_address (const RspPreExecution *pre, const RspEvent *event) {
  guint handle_of = pre->program->locations[event->virtual_location].handle_of;
  return handle_of ? handle_of - 1 : event->virtual_location;
}

/* Accesses, and fences with an address. */
static gboolean has_address (const RspEvent *event) {
  return rsp_event_is_access (event)
         || (event->kind == RSP_EVENT_FENCE && event->virtual_location != RSP_NO_LOCATION);
}

/* Accesses, and fences with an address, by one virtual address; initial writes are accesses by all
 * addresses of their location. */
static void build_virtual_location (const RspPreExecution *pre, RspMatrix *vloc) {
  const RspLocation *locations = pre->program->locations;
  for (guint a = 0; a < pre->n; a++)
    for (guint b = 0; b < pre->n && has_address (pre->events[a]); b++) {
      const RspEvent *x = pre->events[a], *y = pre->events[b];
      if (has_address (y)
          && locations[x->virtual_location].physical == locations[y->virtual_location].physical
          && (rsp_event_is_initial (x) || rsp_event_is_initial (y)
              || virtual_address (pre, x) == virtual_address (pre, y)))
        rsp_matrix_add (vloc, a, b);
    }
}

/* ---- Scopes and threads ---- */
/* Does the scope of an event include a thread? */
static gboolean reaches (const RspPreExecution *pre, const RspEvent *event, guint thread) {
  const RspThread *threads = pre->program->threads;
  return event->reach == RSP_LEVEL_SYSTEM
         || (event->reach != RSP_LEVEL_THREAD
             && rsp_threads_share (&threads[event->thread], &threads[thread], event->reach));
}

static void build_scopes (const RspPreExecution *pre, RspMatrix *sr) {
  for (guint a = 0; a < pre->n && pre->program->language->tagged; a++)
    for (guint b = 0; b < pre->n; b++) {
      const RspEvent *x = pre->events[a], *y = pre->events[b];
      if (!rsp_event_is_initial (x) && !rsp_event_is_initial (y) && reaches (pre, x, y->thread)
          && reaches (pre, y, x->thread))
        rsp_matrix_add (sr, a, b);
    }
}

static void build_system_synchronizes (const RspPreExecution *pre, RspMatrix *ssw) {
  for (guint i = 0; i < pre->program->n_ssw; i++) {
    const RspThreadPair *pair = &pre->program->ssw[i];
    for (guint e = pre->first[pair->from]; e < pre->first[pair->from + 1]; e++)
      add_range (ssw, e, pre->first[pair->to], pre->first[pair->to + 1]);
  }
}

static void build_rmw (const RspPreExecution *pre, RspMatrix *rmw) {
  for (guint e = 0; e < pre->n; e++)
    if (pre->events[e]->kind == RSP_EVENT_RMW)
      rsp_matrix_add (rmw, e, e);
    else if (pre->events[e]->rmw_half && rsp_event_is_read (pre->events[e]) && e + 1 < pre->n)
      rsp_matrix_add (rmw, e, e + 1); /* sat/fold.c finds the halves of paths in one */
}

/* ---- Paths ---- */
/* Copies a relation on each path's events (member: its offset in RspPath) to the events' rows. */
static void build_of_paths (const RspPreExecution *pre, RspMatrix *out, gsize member) {
  for (guint t = 0; t < pre->program->n_threads; t++) {
    const RspPath *path = pre->paths[t];
    const RspMatrix *relation = G_STRUCT_MEMBER (RspMatrix *, path, member);
    for (guint a = 0; a < path->n_events; a++)
      for (all_bits (b, rsp_matrix_row (relation, a), relation->words))
        rsp_matrix_add (out, pre->first[t] + a, pre->first[t] + b);
  }
}

/* ---- All ---- */
/* One row per relation of base_names.def; a relation without a row does not compile. A relation may
 * use the ones before it in the list. */
static void build (const RspPreExecution *pre, RspBaseRelation id, RspMatrix *out) {
  RspMatrix *const *built = pre->base->relations;
  switch (id) {
#define IS(id, call)                                                                               \
  case RSP_BASE_RELATION_##id:                                                                     \
    call;                                                                                          \
    return;
#define OF_PATHS(id, member) IS (id, build_of_paths (pre, out, G_STRUCT_OFFSET (RspPath, member)))
#define WITHIN(id, node)     IS (id, build_within (pre, out, G_STRUCT_OFFSET (RspThread, node)))
#define APART(id)            IS (EXT_##id, build_apart (pre, out, built[RSP_BASE_RELATION_##id], FALSE))
    /* clang-format off */
      IS (ID, for (guint e = 0; e < pre->n; e++) rsp_matrix_add (out, e, e))
      OF_PATHS (PO, po)
      IS (LOC, build_location (pre, out))
      IS (PO_LOC, rsp_matrix_intersect (out, built[RSP_BASE_RELATION_PO], built[RSP_BASE_RELATION_LOC]))
      OF_PATHS (ADDR, addr)
      OF_PATHS (DATA, data)
      OF_PATHS (CTRL, ctrl)
      IS (ASW, build_initial (pre, out))
      IS (CO_INITIAL, build_co_initial (pre, out))
      IS (CO_FINAL, build_co_final (pre, out))
      IS (SAME_B, build_barriers (pre, out))
      IS (ATOM, build_rmw (pre, out))
      IS (VLOC, build_virtual_location (pre, out))
      IS (SSW, build_system_synchronizes (pre, out))
      WITHIN (INT, number)
      IS (EXT, build_apart (pre, out, built[RSP_BASE_RELATION_INT], TRUE))
      WITHIN (WI, number)
      IS (SR, build_scopes (pre, out))
      APART (WI)
#define RSP_LEVEL(id, relation, word, text, short_word, in_tree, elsewhere, printed)               \
      WITHIN (relation, place[RSP_LEVEL_##id])                                                     \
      APART (relation)
#define RSP_OWN_LEVEL(id) WITHIN (id, place[RSP_LEVEL_##id])
#include "parser/scopes.def"
    /* clang-format on */
#undef IS
#undef OF_PATHS
#undef WITHIN
#undef APART
  case RSP_N_BASE_RELATIONS:
    break;
  }
  g_assert_not_reached ();
}

/* ---- Pre execution -------------------------------------------------------------------------- */

/* Pre-executions: the numbering of events, and what each read may read from. */

/* ---- Events ---- */
static const RspEvent *initial_write (const RspPreExecution *pre, guint location) {
  const RspLocation *where = &pre->program->locations[location];
  RspEvent *event = rsp_arena_new0 (pre->arena, RspEvent, 1);
  RspTerm *value = rsp_arena_new0 (pre->arena, RspTerm, 1);
  guint8 bits = rsp_type_bits (&where->type);
  gboolean is_signed = rsp_type_is_signed (&where->type);
  RSP_CONTRACT (where->initial == rsp_wrap (where->initial, bits, is_signed));
  *value = (RspTerm){ .kind = RSP_TERM_CONSTANT,
                      .bits = bits,
                      .is_signed = is_signed,
                      .constant = where->initial,
                      .size = 1 };
  *event = (RspEvent){ .kind = RSP_EVENT_WRITE,
                       .thread = RSP_NO_THREAD,
                       .location = location,
                       .virtual_location = location,
                       .reach = RSP_LEVEL_THREAD,
                       .order = RSP_ORDER_NA,
                       .scope = RSP_SCOPE_WORK_ITEM,
                       .written = value,
                       .span = where->span };
  return event;
}

static void number_events (RspPreExecution *pre) {
  guint n_threads = pre->program->n_threads;
  g_autoptr (GPtrArray) events = g_ptr_array_new ();
  /* Initial writes come first. */
  const RspProgram *program = pre->program;
  g_autofree guint8 *written = g_new0 (guint8, program->n_locations + 1);
  for (guint i = 0; i < program->n_locations; i++)
    written[i] = rsp_location_is_always_written (program, i);
  for (guint t = 0; t < program->n_threads; t++)
    for (guint i = 0; i < pre->paths[t]->n_events; i++)
      if (pre->paths[t]->events[i].location != RSP_NO_LOCATION)
        written[pre->paths[t]->events[i].location] = TRUE;
  pre->initial = rsp_arena_new0 (pre->arena, guint, program->n_locations + 1);
  for (guint i = 0; i < program->n_locations; i++) {
    pre->initial[i] = written[i] ? events->len : G_MAXUINT;
    if (written[i])
      g_ptr_array_add (events, (gpointer) initial_write (pre, i));
  }
  pre->first = rsp_arena_new0 (pre->arena, guint, n_threads + 1);
  for (guint t = 0; t < n_threads; t++) {
    pre->first[t] = events->len;
    for (guint i = 0; i < pre->paths[t]->n_events; i++)
      g_ptr_array_add (events, &pre->paths[t]->events[i]);
  }
  pre->first[n_threads] = events->len;
  pre->n = events->len;
  pre->events = rsp_arena_copy (pre->arena, events->pdata, sizeof (gpointer) * events->len);
}

/* ---- Reads ---- */
static RspExtent extent_of_co (const RspPreExecution *pre) {
  RspMatrix *least = rsp_relation_new (pre->arena, pre->n),
            *most = rsp_relation_new (pre->arena, pre->n);
  const RspMatrix *writes = pre->base->sets[RSP_BASE_SET_W];
  for (all_bits (x, writes->bits, writes->words))
    for (all_bits (y, writes->bits, writes->words))
      if (x != y && !rsp_event_is_initial (pre->events[y])
          && pre->events[x]->location == pre->events[y]->location) {
        rsp_matrix_add (most, x, y);
        if (rsp_event_is_initial (pre->events[x]))
          rsp_matrix_add (least, x, y);
      }
  return (RspExtent){ least, most };
}

enum {
  OWN_RELATIONS = 5 /* candidates, and what rf and co have at least and at most */
};

RspPreExecution *rsp_pre_execution_new (const RspProgram *program, const RspPath *const *paths,
                                        RspArena *arena) {
  RspPreExecution *pre = rsp_arena_new0 (arena, RspPreExecution, 1);
  pre->program = program;
  pre->arena = arena;
  pre->paths = rsp_arena_copy (arena, paths, sizeof (RspPath *) * program->n_threads);
  number_events (pre);
  /* All sets and relations. */
  gsize rows = RSP_N_BASE_SETS + (gsize) pre->n * (RSP_N_BASE_RELATIONS + OWN_RELATIONS);
  if (!rsp_arena_affords (arena, rows * rsp_words_for (pre->n) * sizeof (guint64)))
    return NULL;
  pre->base = rsp_arena_new0 (arena, RspBase, 1);
  pre->base->n = pre->n;
  pre->base->language = program->language;
  pre->base->places = rsp_arena_new0 (arena, const char *, pre->n);
  pre->base->blocked = barriers_block (pre);
  if (program->language->partial_co)
    pre->related_writes = rsp_relation_new (arena, pre->n);
  build_sets (pre);
  for (guint r = 0; r < RSP_N_BASE_RELATIONS && !rsp_arena_is_exhausted (pre->arena); r++) {
    pre->base->relations[r] = rsp_relation_new (pre->arena, pre->n);
    build (pre, (RspBaseRelation) r, pre->base->relations[r]);
  }
  pre->reads = rsp_arena_new0 (pre->arena, guint, pre->n + 1);
  pre->candidates = rsp_relation_new (pre->arena, pre->n);
  for (guint r = 0; r < pre->n && !rsp_arena_is_exhausted (pre->arena); r++) {
    if (!rsp_event_is_read (pre->events[r]))
      continue;
    pre->reads[pre->n_reads++] = r;
    for (guint w = 0; w < pre->n; w++) {
      const RspEvent *read = pre->events[r], *write = pre->events[w];
      gboolean other = write->thread != read->thread || write->no_source != read->read;
      /* No operation reads what it writes itself. */
      if (rsp_event_is_write (write) && r != w && (!write->no_source || other)
          && write->location == read->location)
        rsp_matrix_add (pre->candidates, r, w);
    }
  }
  RspMatrix *least = rsp_relation_new (pre->arena, pre->n),
            *most = rsp_relation_new (pre->arena, pre->n);
  rsp_relation_inverse (most, pre->candidates);
  for (guint i = 0; i < pre->n_reads; i++) {
    const guint64 *row = rsp_matrix_row (pre->candidates, pre->reads[i]);
    guint write = rsp_next_bit (row, most->words, 0);
    if (write != G_MAXUINT && rsp_next_bit (row, most->words, write + 1) == G_MAXUINT)
      rsp_matrix_add (least, write, pre->reads[i]);
  }
  pre->rf = (RspExtent){ least, most };
  pre->co = extent_of_co (pre);
  return rsp_arena_is_exhausted (arena) ? NULL : pre;
}

RspMatrix **rsp_pre_execution_writes (const RspPreExecution *pre, RspArena *arena) {
  const RspMatrix *all = pre->base->sets[RSP_BASE_SET_W];
  RspMatrix **writes = rsp_arena_new0 (arena, RspMatrix *, pre->program->n_locations);
  for (guint i = 0; i < pre->program->n_locations; i++)
    writes[i] = rsp_set_new (arena, pre->n);
  for (all_bits (e, all->bits, all->words))
    rsp_set_add (writes[pre->events[e]->location], e);
  return writes;
}

/* ---- Execution ------------------------------------------------------------------------------ */

const char **rsp_names_copy (const char *const *names, RspArena *arena) {
  guint n = names ? g_strv_length ((char **) names) : 0;
  const char **own = rsp_arena_new0 (arena, const char *, n + 1);
  for (guint i = 0; i < n; i++)
    own[i] = rsp_arena_strdup (arena, names[i]);
  return own;
}

RspExecution *rsp_execution_copy (const RspExecution *execution, RspArena *arena) {
  const RspPreExecution *pre = execution->pre;
  RspExecution *own = rsp_arena_copy (arena, execution, sizeof *execution);
  own->rf = rsp_matrix_copy (arena, execution->rf);
  own->co = rsp_matrix_copy (arena, execution->co);
  own->orders = rsp_arena_new0 (arena, RspMatrix *, execution->n_orders + 1);
  for (guint i = 0; i < execution->n_orders; i++)
    own->orders[i] = rsp_matrix_copy (arena, execution->orders[i]);
  own->script = rsp_arena_copy (arena, execution->script, sizeof (guint) * execution->n_script);
  own->values = rsp_arena_copy (arena, execution->values, sizeof (RspValue) * pre->n);
  own->written = rsp_arena_copy (arena, execution->written, sizeof (RspValue) * pre->n);
  own->last = rsp_arena_copy (arena, execution->last, sizeof (guint) * pre->program->n_locations);
  own->state
      = rsp_arena_copy (arena, execution->state, sizeof (RspValue) * pre->program->n_observables);
  own->failed = rsp_names_copy (execution->failed, arena);
  own->raised = rsp_names_copy (execution->raised, arena);
  return own;
}

gboolean rsp_execution_fails (const RspExecution *execution, const char *id) {
  return execution->failed && g_strv_contains (execution->failed, id);
}

gboolean rsp_execution_raises (const RspExecution *execution, const char *flag) {
  return execution->raised && g_strv_contains (execution->raised, flag);
}
