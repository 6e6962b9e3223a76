#include "enumerator/search/sat/proofs/hangs.h"
#include "enumerator/barriers.h"
#include "enumerator/search/progress/barriers.h"
#include "enumerator/search/sat/barriers.h"
#include "enumerator/search/sat/proofs/problem.h"
#include "parser/scopes.h"

/* ---- Sets of paths ---- */

typedef gboolean (*Chooses) (const RspPath *path, guint place, gconstpointer data);

/* The thread takes a path that is chosen; at the event's place, which is there, or without one at
 * G_MAXUINT. */
static Lit takes (const SatFold *fold, guint thread, guint event, Chooses chooses,
                  gconstpointer data) {
  const SatThread *t = &fold->threads[thread];
  RspMatrix *paths = rsp_set_new (fold->arena, t->n_paths);
  for (guint p = 0; p < t->n_paths; p++) {
    guint place = event == G_MAXUINT ? G_MAXUINT : sat_fold_place (fold, event, p);
    if ((event == G_MAXUINT || place != G_MAXUINT) && chooses (t->paths[p], place, data))
      rsp_set_add (paths, p);
  }
  return sat_fold_takes (fold, thread, paths);
}

/* ---- Rounds that repeat for ever ---- */

static gboolean repeats (const RspPath *path, guint place, gconstpointer data) {
  (void) data;
  return path->end == RSP_PATH_STUCK && rsp_event_is_access (&path->events[place])
         && place >= path->wait_begin && place < path->wait_end;
}

/* a exists and is not before b, if a repeats and b does not, in reads-from, coherence or
 * from-reads. */
static void order_pair (const SatProblem *problem, const Lit *repeated, guint a, guint b) {
  const SatFold *fold = problem->fold;
  const SatChoices *choices = problem->choices;
  Lit conditions[] = { repeated[a], lit_not (repeated[b]), LIT_TRUE };
  circuit_imply_from (fold->circuit, conditions, 2,
                      lit_not (sat_choices_ordered (choices, &choices->co, a, b)));
  circuit_imply_from (fold->circuit, conditions, 2, lit_not (sat_choices_rf (choices, a, b)));
  for (guint w = 0; w < fold->pre->n && rsp_event_is_read (fold->pre->events[a]); w++) {
    conditions[2] = sat_choices_rf (choices, w, a);
    if (conditions[2] != LIT_FALSE)
      circuit_imply_from (fold->circuit, conditions, 3,
                          lit_not (sat_choices_ordered (choices, &choices->co, w, b)));
  }
}

/* What repeats comes after all else. */
static void order_rounds (const SatProblem *problem, const Lit *repeated) {
  const SatFold *fold = problem->fold;
  for (guint a = fold->pre->first[0]; a < fold->pre->n; a++)
    for (guint b = 0; b < fold->pre->n && repeated[a] != LIT_FALSE; b++)
      if (a != b)
        order_pair (problem, repeated, a, b);
}

/* ---- Barriers ---- */

typedef struct Awaited {
  const BarrierThreads *threads;
  guint thread;
  const RspEvent *barrier;
} Awaited;

static gboolean lets_go (const RspPath *path, guint place, gconstpointer data) {
  const Awaited *awaited = data;
  (void) place;
  return !rsp_barrier_is_held (awaited->threads, awaited->thread, path, awaited->barrier);
}

/* Enough threads come to it (or meet there). */
static Lit is_complete (const SatFold *fold, const BarrierThreads *threads, const RspEvent *barrier,
                        gboolean meet) {
  const RspThread *all = fold->program->threads;
  Lit complete = sat_barrier_has_enough (fold, barrier, meet);
  for (guint t = 0; t < fold->program->n_threads && !barrier->barrier_quorum; t++) {
    const Awaited awaited = { threads, t, barrier };
    if (rsp_threads_share (&all[t], &all[barrier->thread], barrier->meeting))
      complete
          = circuit_and (fold->circuit, complete, takes (fold, t, G_MAXUINT, lets_go, &awaited));
  }
  return complete;
}

/* A thread waits at a barrier for ever if others do not come to it, and only then. */
static void await_others (const SatFold *fold, const BarrierThreads *threads, guint thread,
                          guint number) {
  const RspPath *path = fold->threads[thread].paths[number];
  for (guint e = 0; e < path->n_events; e++) {
    gboolean is_last = barrier_ends_path (path, e);
    if (!barrier_needs_quorum (&path->events[e]) || (path->end == RSP_PATH_STOPPED && is_last))
      continue;
    Lit complete = is_complete (fold, threads, &path->events[e], !is_last);
    circuit_imply (fold->circuit, fold->threads[thread].taken[number],
                   is_last ? lit_not (complete) : complete);
  }
}

/* ---- Memory ---- */

/* Of the writes of a location, one that no other follows, among all or among those before the
 * rounds. */
static Lit choose_last (const SatProblem *problem, const Lit *repeated, guint w, gboolean before) {
  const SatFold *fold = problem->fold;
  Lit last = circuit_input (fold->circuit);
  circuit_imply (fold->circuit, last, fold->exists[w]);
  if (before)
    circuit_imply (fold->circuit, last, lit_not (repeated[w]));
  for (guint e = 0; e < fold->pre->n; e++) {
    Lit follows = sat_choices_ordered (problem->choices, &problem->choices->co, w, e);
    Lit counts = before ? lit_not (repeated[e]) : LIT_TRUE;
    circuit_imply (fold->circuit, last, lit_not (circuit_and (fold->circuit, follows, counts)));
  }
  return last;
}

typedef struct Lasts {
  GArray *values, *lits;  /* of gint64 and Lit: what the location holds */
  GArray *before, *after; /* of Lit: which write is the last one */
} Lasts;

static Lit holds (const SatFold *fold, Lasts *lasts, gint64 value) {
  for (guint i = 0; i < lasts->values->len; i++)
    if (g_array_index (lasts->values, gint64, i) == value)
      return g_array_index (lasts->lits, Lit, i);
  Lit lit = circuit_input (fold->circuit);
  g_array_append_val (lasts->values, value);
  g_array_append_val (lasts->lits, lit);
  return lit;
}

/* Values of a circle are not compared. */
static void add_last (const SatProblem *problem, const Lit *repeated, Lasts *lasts, guint w,
                      gboolean before) {
  Lit last = choose_last (problem, repeated, w, before);
  const SatValues *written = &problem->values->written[w];
  for (guint i = 0; i < written->n; i++)
    circuit_imply_from (problem->circuit, (Lit[]){ last, written->lits[i] }, 2,
                        holds (problem->fold, lasts, written->values[i]));
  g_array_append_val (before ? lasts->before : lasts->after, last);
}

/* The location has one value, after what happens once and after the rounds. */
static void restore (const SatProblem *problem, const Lit *repeated, guint location) {
  const SatFold *fold = problem->fold;
  guint initial = fold->pre->initial[location];
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) lits = g_array_new (FALSE, FALSE, sizeof (Lit));
  g_autoptr (GArray) before = g_array_new (FALSE, FALSE, sizeof (Lit));
  g_autoptr (GArray) after = g_array_new (FALSE, FALSE, sizeof (Lit));
  Lasts lasts = { values, lits, before, after };
  Lit not_accessed = initial == G_MAXUINT ? LIT_TRUE : lit_not (fold->exists[initial]);
  for (guint w = 0; w < fold->pre->n; w++)
    if (rsp_event_is_write (fold->pre->events[w]) && fold->pre->events[w]->location == location) {
      add_last (problem, repeated, &lasts, w, TRUE);
      add_last (problem, repeated, &lasts, w, FALSE);
    }
  g_array_append_val (before, not_accessed);
  g_array_append_val (after, not_accessed);
  circuit_clause (fold->circuit, (Lit *) (gpointer) before->data, before->len);
  circuit_clause (fold->circuit, (Lit *) (gpointer) after->data, after->len);
  circuit_at_most_one (fold->circuit, (Lit *) (gpointer) lits->data, lits->len);
}

/* Locations that no round writes stay as they are. */
static void restore_memory (const SatProblem *problem, const Lit *repeated) {
  const RspPreExecution *pre = problem->fold->pre;
  g_autofree gboolean *written = g_new0 (gboolean, pre->program->n_locations + 1);
  for (guint e = pre->first[0]; e < pre->n; e++)
    if (rsp_event_is_write (pre->events[e]) && repeated[e] != LIT_FALSE)
      written[pre->events[e]->location] = TRUE;
  for (guint l = 0; l < pre->program->n_locations; l++)
    if (written[l])
      restore (problem, repeated, l);
}

/* ---- Promises ---- */

enum {
  MOST_THREADS = 6 /* whose fates are looked at one by one */
};

static gboolean has_fate (const RspPath *path, guint place, gconstpointer fate) {
  (void) place;
  return rsp_progress_fate (path) == *(const RspFate *) fate;
}

static gboolean goes_on (const RspPath *path, guint place, gconstpointer data) {
  (void) place, (void) data;
  return path->end != RSP_PATH_COMPLETE;
}

/* Some thread does not end. */
static Lit never_ends (const SatFold *fold) {
  Lit any = LIT_FALSE;
  for (guint t = 0; t < fold->program->n_threads; t++)
    any = circuit_or (fold->circuit, any, takes (fold, t, G_MAXUINT, goes_on, NULL));
  return any;
}

/* The threads from this one on have fates with which those of the others are permitted. */
static Lit is_permitted (const SatFold *fold, const RspProgress *progress, RspFate *fates,
                         guint thread) {
  if (thread == fold->program->n_threads)
    return rsp_progress_permits (progress, fold->program, fates) ? LIT_TRUE : LIT_FALSE;
  Lit any = LIT_FALSE;
  for (guint i = 0; i < RSP_N_FATES; i++) {
    RspFate fate = fates[thread] = (RspFate) i;
    Lit has = takes (fold, thread, G_MAXUINT, has_fate, &fate);
    if (has != LIT_FALSE)
      any = circuit_or (
          fold->circuit, any,
          circuit_and (fold->circuit, has, is_permitted (fold, progress, fates, thread + 1)));
  }
  return any;
}

/* ---- The question ---- */

struct RspSatHangs {
  SatProblem problem;
  gboolean is_open;
  Lit in_order[2]; /* by whether only the tree counts: of executions that differ by exchanging
                      threads, one */
};

/* Of a thread that never ends: with an initial write. */
static gboolean has_two_events (const RspPath *path) {
  for (guint e = 0; e < path->n_events; e++)
    if (rsp_event_is_access (&path->events[e]))
      return TRUE;
  return path->n_events > 1;
}

/* A hang has a thread that never ends. */
static gboolean have_two_events (const SatFold *fold) {
  for (guint t = 0; t < fold->program->n_threads; t++)
    for (guint p = 0; p < fold->threads[t].n_paths; p++)
      if (rsp_progress_fate (fold->threads[t].paths[p]) == RSP_FATE_UNENDING
          && !has_two_events (fold->threads[t].paths[p]))
        return FALSE;
  return TRUE;
}

static void describe_hangs (RspSatHangs *hangs, const BarrierThreads *threads) {
  const SatFold *fold = hangs->problem.fold;
  g_autofree Lit *repeated = g_new0 (Lit, fold->pre->n + 1);
  for (guint e = fold->pre->first[0]; e < fold->pre->n; e++)
    repeated[e] = takes (fold, fold->pre->events[e]->thread, e, repeats, NULL);
  order_rounds (&hangs->problem, repeated);
  restore_memory (&hangs->problem, repeated);
  for (guint t = 0; t < fold->program->n_threads; t++)
    for (guint p = 0; p < fold->threads[t].n_paths; p++)
      await_others (fold, threads, t, p);
  hangs->in_order[FALSE] = hangs->in_order[TRUE] = LIT_NONE;
}

RspSatHangs *rsp_sat_hangs_new (const RspProgram *program, const RspModel *model,
                                const RspCheckOptions *options, GPtrArray *const *paths,
                                RspTerms *terms, RspBudget *budget) {
  RspSatHangs *hangs = g_new0 (RspSatHangs, 1);
  hangs->is_open = sat_problem_open (&hangs->problem, program, model, options, paths, terms, budget)
                   && have_two_events (hangs->problem.fold)
                   && options->through == RSPCHECK_THROUGH_NONE;
  if (hangs->is_open)
    describe_hangs (hangs, &(BarrierThreads){ program, paths, terms });
  return hangs;
}

void rsp_sat_hangs_free (RspSatHangs *hangs) {
  sat_problem_clear (&hangs->problem);
  g_free (hangs);
}

static Lit in_order (RspSatHangs *hangs, gboolean by_tree) {
  if (hangs->in_order[by_tree] == LIT_NONE)
    hangs->in_order[by_tree] = sat_problem_in_order (
        &hangs->problem, by_tree ? SAT_FIXED_BY_PLACE : SAT_FIXED_NONE, G_MAXUINT);
  return hangs->in_order[by_tree];
}

gboolean rsp_sat_hangs_ruled_out (RspSatHangs *hangs, const RspProgress *progress) {
  const SatFold *fold = hangs->problem.fold;
  if (!hangs->is_open)
    return FALSE;
  RspFate fates[MOST_THREADS];
  Lit hang = fold->program->n_threads <= MOST_THREADS ? is_permitted (fold, progress, fates, 0)
                                                      : never_ends (fold);
  if (fold->program->n_threads > MOST_THREADS)
    hang = circuit_and (fold->circuit, hang, in_order (hangs, FALSE));
  else if (rsp_progress_is_symmetric (progress))
    hang = circuit_and (fold->circuit, hang, in_order (hangs, rsp_progress_has_levels (progress)));
  return sat_problem_rules_out (&hangs->problem, hang);
}
