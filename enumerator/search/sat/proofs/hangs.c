#include "enumerator/search/sat/proofs/hangs.h"
#include "enumerator/event.h"
#include "enumerator/search/sat/proofs/problem.h"
#include "parser/scopes.h"

/* ---- Sets of paths ---- */

typedef gboolean (*Chooses) (const RspPath *path, guint place, gconstpointer data);

/* The thread takes a path that is chosen; at the event's place, which is there, or without one at G_MAXUINT. */
static Lit
takes (const SatFold *fold, guint thread, guint event, Chooses chooses, gconstpointer data)
{
  const SatThread *t = &fold->threads[thread];
  RspMatrix *paths = rsp_set_new (fold->arena, t->n_paths);
  for (guint p = 0; p < t->n_paths; p++)
    {
      guint place = event == G_MAXUINT ? G_MAXUINT : sat_fold_place (fold, event, p);
      if ((event == G_MAXUINT || place != G_MAXUINT) && chooses (t->paths[p], place, data))
        rsp_set_add (paths, p);
    }
  return sat_fold_takes (fold, thread, paths);
}

/* ---- Rounds that repeat for ever ---- */

static gboolean
repeats (const RspPath *path, guint place, gconstpointer data)
{
  (void) data;
  return path->end == RSP_PATH_STUCK && rsp_event_is_access (&path->events[place])
         && place >= path->wait_begin && place < path->wait_end;
}

/* a exists and is not before b, if a repeats and b does not, in reads-from, coherence or from-reads. */
static void
order_pair (const SatProblem *problem, const Lit *repeated, guint a, guint b)
{
  const SatFold *fold = problem->fold;
  const SatChoices *choices = problem->choices;
  Lit conditions[] = { repeated[a], lit_not (repeated[b]), LIT_TRUE };
  circuit_imply_from (fold->circuit, conditions, 2,
                      lit_not (sat_choices_ordered (choices, &choices->co, a, b)));
  circuit_imply_from (fold->circuit, conditions, 2, lit_not (sat_choices_rf (choices, a, b)));
  for (guint w = 0; w < fold->pre->n && rsp_event_is_read (fold->pre->events[a]); w++)
    {
      conditions[2] = sat_choices_rf (choices, w, a);
      if (conditions[2] != LIT_FALSE)
        circuit_imply_from (fold->circuit, conditions, 3,
                            lit_not (sat_choices_ordered (choices, &choices->co, w, b)));
    }
}

/* What repeats comes after all else. */
static void
order_rounds (const SatProblem *problem)
{
  const SatFold *fold = problem->fold;
  g_autofree Lit *repeated = g_new0 (Lit, fold->pre->n + 1);
  for (guint e = fold->pre->first[0]; e < fold->pre->n; e++)
    repeated[e] = takes (fold, fold->pre->events[e]->thread, e, repeats, NULL);
  for (guint a = fold->pre->first[0]; a < fold->pre->n; a++)
    for (guint b = 0; b < fold->pre->n && repeated[a] != LIT_FALSE; b++)
      if (a != b)
        order_pair (problem, repeated, a, b);
}

/* ---- Barriers ---- */

static gboolean
is_arrival (const RspEvent *event)
{
  return event->kind == RSP_EVENT_ENTRY || event->kind == RSP_EVENT_BARRIER;
}

static gboolean
arrives (const RspPath *path, guint place, gconstpointer barrier)
{
  (void) place;
  for (guint e = 0; e < path->n_events; e++)
    if (is_arrival (&path->events[e]) && rsp_event_is_same_barrier (&path->events[e], barrier)
        && path->events[e].barrier_name == ((const RspEvent *) barrier)->barrier_name)
      return TRUE;
  return FALSE;
}

static Lit
all_arrive (const SatFold *fold, const RspEvent *barrier)
{
  const RspThread *threads = fold->program->threads;
  Lit all = LIT_TRUE;
  for (guint t = 0; t < fold->program->n_threads; t++)
    if (rsp_threads_share (&threads[t], &threads[barrier->thread], RSP_LEVEL_WORK_GROUP))
      all = circuit_and (fold->circuit, all, takes (fold, t, G_MAXUINT, arrives, barrier));
  return all;
}

/* A thread waits at a barrier for ever if others do not come to it, and only then. */
static void
await_others (const SatFold *fold, guint thread, guint number)
{
  const RspPath *path = fold->threads[thread].paths[number];
  for (guint e = 0; e < path->n_events; e++)
    {
      const RspEvent *event = &path->events[e];
      gboolean is_last = e + 1 == path->n_events;
      if (!is_arrival (event) || event->barrier_arrives
          || (path->end == RSP_PATH_STOPPED && is_last))
        continue;
      Lit all = all_arrive (fold, event);
      circuit_imply (fold->circuit, fold->threads[thread].taken[number],
                     path->end == RSP_PATH_BLOCKED && is_last ? lit_not (all) : all);
    }
}

/* ---- The question ---- */

static gboolean
goes_on (const RspPath *path, guint place, gconstpointer data)
{
  (void) place, (void) data;
  return path->end != RSP_PATH_COMPLETE;
}

/* Some thread does not end. Which ones a scheduler may leave so, and whether rounds restore memory, is not asked. */
static Lit
never_ends (const SatFold *fold)
{
  Lit any = LIT_FALSE;
  for (guint t = 0; t < fold->program->n_threads; t++)
    any = circuit_or (fold->circuit, any, takes (fold, t, G_MAXUINT, goes_on, NULL));
  return any;
}

static gboolean
ask (const SatProblem *problem)
{
  const SatFold *fold = problem->fold;
  order_rounds (problem);
  for (guint t = 0; t < fold->program->n_threads; t++)
    for (guint p = 0; p < fold->threads[t].n_paths; p++)
      await_others (fold, t, p);
  sat_problem_break_symmetry (problem, G_MAXUINT);
  return sat_problem_rules_out (problem, never_ends (fold));
}

gboolean
rsp_sat_hangs_ruled_out (const RspProgram *program, const RspModel *model,
                         const RspCheckOptions *options, GPtrArray *const *paths, RspTerms *terms,
                         RspBudget *budget)
{
  SatProblem problem;
  gboolean none = options->through == RSPCHECK_THROUGH_NONE
                  && sat_problem_open (&problem, program, model, options, paths, terms, budget)
                  && ask (&problem);
  if (options->through == RSPCHECK_THROUGH_NONE)
    sat_problem_clear (&problem);
  return none;
}
