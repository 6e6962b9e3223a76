/* All paths of a program as one pre-execution, whose events exist under conditions. */
#include "enumerator/execution.h"
#include "enumerator/paths/paths.h"
#include "enumerator/sat/internal.h"
#include "enumerator/terms/terms.h"
#include "parser/program.h"

#include <string.h>

/* ---- Events ---- */
/* An event of the fold, and what distinguishes it from others of its thread. */
typedef struct Folded {
  RspEvent event; /* `read` is its own, `no_source` that of an event of the fold; `written` is NULL
                     if it depends on the path */
  guint name;
} Folded;

/* The fold's event for one of a path, which is added if it is missing. */
static guint fold_event (SatThread *thread, guint path, guint number, GArray *folded,
                         RspTerms *terms) {
  const RspPath *p = thread->paths[path];
  Folded new_event = { .event = p->events[number], .name = p->names[number] };
  RspEvent *event = &new_event.event;
  for (guint e = 0; e < number && p->events[number].no_source; e++)
    if (p->events[e].read == p->events[number].no_source)
      event->no_source = g_array_index (folded, Folded, thread->events[path][e]).event.read;
  for (guint i = 0; i < folded->len; i++) {
    Folded *own = &g_array_index (folded, Folded, i);
    const RspEvent *x = &own->event;
    if (own->name != new_event.name || !rsp_event_is_alike (x, event)
        || x->no_source != event->no_source || !x->read != !event->read
        || x->span.begin != event->span.begin)
      continue;
    if (own->event.written != event->written)
      own->event.written = NULL;
    return i;
  }
  if (event->read)
    event->read = rsp_term_read (terms, folded->len, event->read->bits, event->read->is_signed);
  g_array_append_val (folded, new_event);
  return folded->len - 1;
}

/* A path with the events and pairs of all paths. */
static const RspPath *fold_paths (SatThread *thread, RspTerms *terms, RspArena *arena) {
  g_autoptr (GArray) folded = g_array_new (FALSE, FALSE, sizeof (Folded));
  thread->events = rsp_arena_new0 (arena, guint *, thread->n_paths);
  thread->places = rsp_arena_new0 (arena, guint *, thread->n_paths);
  for (guint p = 0; p < thread->n_paths; p++) {
    thread->events[p] = rsp_arena_new0 (arena, guint, thread->paths[p]->n_events + 1);
    for (guint e = 0; e < thread->paths[p]->n_events; e++)
      thread->events[p][e] = fold_event (thread, p, e, folded, terms);
  }
  guint n = thread->n_events = folded->len;
  RspPath *all = rsp_arena_new0 (arena, RspPath, 1);
  all->n_events = n;
  all->events = rsp_arena_new0 (arena, RspEvent, n + 1);
  for (guint e = 0; e < n; e++)
    all->events[e] = g_array_index (folded, Folded, e).event;
  all->po = rsp_relation_new (arena, n);
  all->addr = rsp_relation_new (arena, n);
  all->data = rsp_relation_new (arena, n);
  all->ctrl = rsp_relation_new (arena, n);
  for (guint p = 0; p < thread->n_paths; p++) {
    const RspPath *path = thread->paths[p];
    thread->places[p] = rsp_arena_new0 (arena, guint, n + 1);
    memset (thread->places[p], 0xff, sizeof (guint) * (n + 1));
    for (guint e = 0; e < path->n_events; e++)
      thread->places[p][thread->events[p][e]] = e;
    rsp_relation_add_renamed (all->po, path->po, thread->events[p]);
    rsp_relation_add_renamed (all->addr, path->addr, thread->events[p]);
    rsp_relation_add_renamed (all->data, path->data, thread->events[p]);
    rsp_relation_add_renamed (all->ctrl, path->ctrl, thread->events[p]);
  }
  return all;
}

/* ---- Which paths ---- */
Lit sat_fold_takes (const SatFold *fold, guint thread, const RspMatrix *paths) {
  const SatThread *t = &fold->threads[thread];
  guint n = rsp_matrix_count (paths), n_lits = 0;
  if (n == t->n_paths)
    return LIT_TRUE;
  gboolean others = 2 * n > t->n_paths; /* exactly one path is taken: name the fewer ones */
  g_autofree Lit *lits = g_new (Lit, t->n_paths);
  for (guint p = 0; p < t->n_paths; p++)
    if (rsp_set_has (paths, p) != others)
      lits[n_lits++] = t->taken[p];
  Lit any = circuit_or_all (fold->circuit, lits, n_lits);
  return others ? lit_not (any) : any;
}

guint sat_fold_place (const SatFold *fold, guint event, guint path) {
  guint thread = fold->pre->events[event]->thread;
  return fold->threads[thread].places[path][event - fold->pre->first[thread]];
}

guint sat_fold_event (const SatFold *fold, guint thread, guint path, guint number) {
  return fold->pre->first[thread] + fold->threads[thread].events[path][number];
}

#define HALVES G_MAXSIZE

/* The thread takes a path with both events; member not 0: on which the path's relation at that
 * offset relates them; HALVES: on which the half that writes follows the half that reads. */
static Lit take_both (const SatFold *fold, guint a, guint b, gsize member) {
  guint thread = fold->pre->events[a]->thread;
  const SatThread *t = &fold->threads[thread];
  g_autofree guint64 *bits = g_new0 (guint64, rsp_words_for (t->n_paths));
  RspMatrix paths
      = { .n = t->n_paths, .rows = 1, .words = rsp_words_for (t->n_paths), .bits = bits };
  for (guint p = 0; p < t->n_paths; p++) {
    guint x = sat_fold_place (fold, a, p), y = sat_fold_place (fold, b, p);
    if (x != G_MAXUINT && y != G_MAXUINT
        && (!member
            || (member == HALVES
                    ? y == x + 1
                    : rsp_matrix_get (G_STRUCT_MEMBER (RspMatrix *, t->paths[p], member), x, y))))
      rsp_set_add (&paths, p);
  }
  return sat_fold_takes (fold, thread, &paths);
}

static gboolean are_of_one_thread (const SatFold *fold, guint a, guint b) {
  guint thread = fold->pre->events[a]->thread;
  return thread != RSP_NO_THREAD && thread == fold->pre->events[b]->thread;
}

/* The literal; in a part, only if both events are kept. */
static Lit if_kept (const SatFold *fold, guint a, guint b, Lit lit) {
  if (!fold->kept)
    return lit;
  Lit lits[] = { fold->kept[a], fold->kept[b], lit };
  return circuit_and_all (fold->circuit, lits, G_N_ELEMENTS (lits));
}

Lit sat_fold_both (const SatFold *fold, guint a, guint b) {
  if (a == b)
    return fold->exists[a];
  if (are_of_one_thread (fold, a, b))
    return if_kept (fold, a, b, take_both (fold, a, b, 0));
  return circuit_and (fold->circuit, fold->exists[a], fold->exists[b]);
}

/* ---- Sets and relations ---- */
/* Both exist, and the path's relation at this offset relates them. */
static Lit are_related (const SatFold *fold, guint a, guint b, gsize member) {
  return if_kept (fold, a, b, take_both (fold, a, b, member));
}

Lit sat_fold_base_pair (const SatFold *fold, RspBaseRelation relation, guint a, guint b) {
  if (!rsp_matrix_get (fold->pre->base->relations[relation], a, b)
      || !rsp_matrix_get (fold->together, a, b))
    return LIT_FALSE;
  switch (relation) {
  case RSP_BASE_RELATION_PO:
  case RSP_BASE_RELATION_PO_LOC:
    return are_related (fold, a, b, G_STRUCT_OFFSET (RspPath, po));
  case RSP_BASE_RELATION_ADDR:
    return are_related (fold, a, b, G_STRUCT_OFFSET (RspPath, addr));
  case RSP_BASE_RELATION_DATA:
    return are_related (fold, a, b, G_STRUCT_OFFSET (RspPath, data));
  case RSP_BASE_RELATION_CTRL:
    return are_related (fold, a, b, G_STRUCT_OFFSET (RspPath, ctrl));
  case RSP_BASE_RELATION_ATOM:
    return a == b ? fold->exists[a] : are_related (fold, a, b, HALVES);
  default:
    return sat_fold_both (fold, a, b);
  }
}

/* The thread reaches the barrier. */
static Lit reaches (const SatFold *fold, guint thread, const RspEvent *entry) {
  const RspPreExecution *pre = fold->pre;
  g_autoptr (GArray) lits = g_array_new (FALSE, FALSE, sizeof (Lit));
  for (guint e = pre->first[thread]; e < pre->first[thread + 1]; e++)
    if (rsp_event_is_same_barrier (pre->events[e], entry))
      g_array_append_val (lits, fold->exists[e]);
  return circuit_or_all (fold->circuit, (Lit *) (gpointer) lits->data, lits->len);
}

Lit sat_fold_base_member (const SatFold *fold, RspBaseSet set, guint event) {
  if (set == RSP_BASE_SET_DIVERGENT_FENCE && rsp_event_may_diverge (fold->pre->events[event])) {
    /* A thread that should meet at its barrier never reaches it. */
    const RspThread *threads = fold->program->threads;
    const RspEvent *entry = fold->pre->events[event];
    Lit all = LIT_TRUE;
    for (guint t = 0; t < fold->program->n_threads; t++)
      if (rsp_threads_share (&threads[t], &threads[entry->thread], entry->meeting))
        all = circuit_and (fold->circuit, all, reaches (fold, t, entry));
    return circuit_and (fold->circuit, fold->exists[event], lit_not (all));
  }
  return rsp_set_has (fold->pre->base->sets[set], event) ? fold->exists[event] : LIT_FALSE;
}

/* ---- The fold ---- */
/* An initial write exists if something accesses its location, or always. */
static void find_initial_existence (SatFold *fold) {
  const RspPreExecution *pre = fold->pre;
  g_autoptr (GArray) lits = g_array_new (FALSE, FALSE, sizeof (Lit));
  for (guint initial = 0; initial < pre->first[0]; initial++) {
    guint location = pre->events[initial]->location;
    Lit always = rsp_location_is_always_written (fold->program, location) ? LIT_TRUE : LIT_FALSE;
    g_array_set_size (lits, 0);
    g_array_append_val (lits, always);
    for (guint e = pre->first[0]; e < pre->n; e++)
      if (pre->events[e]->location == location)
        g_array_append_val (lits, fold->exists[e]);
    fold->exists[initial]
        = circuit_or_all (fold->circuit, (Lit *) (gpointer) lits->data, lits->len);
  }
}

/* Initial writes count too: at most all of them, and at least one if there is an access. */
static void bound_events (SatFold *fold) {
  guint accesses = 0, always = 0;
  fold->most_events = fold->pre->first[0];
  for (guint initial = 0; initial < fold->pre->first[0]; initial++)
    always += fold->exists[initial] == LIT_TRUE;
  for (guint t = 0; t < fold->program->n_threads; t++) {
    guint most = 0, fewest = G_MAXUINT;
    gboolean every_path = TRUE;
    for (guint p = 0; p < fold->threads[t].n_paths; p++) {
      const RspPath *path = fold->threads[t].paths[p];
      guint e = 0;
      while (e < path->n_events && !rsp_event_is_access (&path->events[e]))
        e++;
      most = MAX (most, path->n_events);
      fewest = MIN (fewest, path->n_events);
      every_path &= e < path->n_events;
    }
    fold->most_events += most;
    fold->fewest_events += fewest;
    accesses |= every_path;
  }
  fold->fewest_events += MAX (accesses, always);
}

SatFold *sat_fold_new (const RspProgram *program, GPtrArray *const *paths, RspTerms *terms,
                       Circuit *circuit, RspArena *arena) {
  SatFold *fold = rsp_arena_new0 (arena, SatFold, 1);
  g_autofree guint *like = g_new (guint, program->n_threads + 1);
  g_autofree const RspPath **folded = g_new0 (const RspPath *, program->n_threads + 1);
  for (guint t = 0; t < program->n_threads; t++)
    like[t] = t;
  rsp_paths_name_events (program, like, paths, arena);
  *fold = (SatFold){ .program = program, .arena = arena, .circuit = circuit };
  fold->threads = rsp_arena_new0 (arena, SatThread, program->n_threads);
  for (guint t = 0; t < program->n_threads; t++) {
    SatThread *thread = &fold->threads[t];
    thread->n_paths = paths[t]->len;
    thread->paths = (const RspPath *const *) paths[t]->pdata;
    folded[t] = fold_paths (thread, terms, arena);
    /* Each thread takes one path. */
    thread->taken = rsp_arena_new0 (arena, Lit, thread->n_paths);
    for (guint p = 0; p < thread->n_paths; p++)
      thread->taken[p] = thread->n_paths == 1 ? LIT_TRUE : circuit_input (circuit);
    circuit_clause (circuit, thread->taken, thread->n_paths);
    circuit_at_most_one (circuit, thread->taken, thread->n_paths);
  }
  fold->pre = rsp_pre_execution_new (program, folded, arena);
  if (!fold->pre)
    return NULL;
  fold->exists = rsp_arena_new0 (arena, Lit, fold->pre->n + 1);
  for (guint e = fold->pre->first[0]; e < fold->pre->n; e++)
    fold->exists[e] = take_both (fold, e, e, 0);
  find_initial_existence (fold);
  guint n = fold->pre->n;
  RspMatrix *halves = fold->pre->base->relations[RSP_BASE_RELATION_ATOM];
  fold->together = rsp_relation_new (fold->arena, n);
  for (guint a = 0; a < n; a++) {
    for (guint b = 0; b < n; b++)
      if (!are_of_one_thread (fold, a, b) || take_both (fold, a, b, 0) != LIT_FALSE)
        rsp_matrix_add (fold->together, a, b);
    for (guint b = 0; b < n && fold->pre->events[a]->rmw_half; b++) {
      rsp_matrix_remove (halves, a, b);
      if (are_of_one_thread (fold, a, b) && rsp_event_is_read (fold->pre->events[a])
          && take_both (fold, a, b, HALVES) != LIT_FALSE)
        rsp_matrix_add (halves, a, b);
    }
  }
  bound_events (fold);
  return fold;
}

SatFold *sat_fold_part (const SatFold *fold, const Lit *kept) {
  SatFold *part = rsp_arena_copy (fold->arena, fold, sizeof *fold);
  part->kept = kept;
  part->exists = rsp_arena_new0 (fold->arena, Lit, fold->pre->n + 1);
  for (guint e = fold->pre->first[0]; e < fold->pre->n; e++)
    part->exists[e] = circuit_and (fold->circuit, fold->exists[e], kept[e]);
  find_initial_existence (part);
  return part;
}
