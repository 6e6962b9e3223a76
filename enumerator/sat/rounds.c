/* Proofs about loops: may waiting rounds be left out, and does anything hang? */
#include "enumerator/execution.h"
#include "enumerator/paths/paths.h"
#include "enumerator/sat/internal.h"
#include "enumerator/sat/sat.h"
#include "enumerator/search/search.h"
#include "enumerator/values/values.h"
#include "parser/program.h"

/* ---- Rounds --------------------------------------------------------------------------------- */

/* One thread waits, and its last round is removed; any other may wait once. Of exchangeable
 * threads, it suffices that one is the one that waits. The whole is required to be accepted; the
 * solver is asked whether something is wrong with the part.
 *
 * Which thread's round is removed first may be chosen: one whose last round only reads, if there is
 * any. Otherwise the last rounds of all that wait write, and of those that write to one location it
 * is the last one in coherence. So if the removed round writes, those of the others write too, and
 * before it. */

typedef struct Rounds {
  const RspSpin *spin;
  guint thread;      /* whose round is removed */
  gboolean writes;   /* does that write? */
  GPtrArray **paths; /* per thread */
  SatProblem problem;
  SatPart *part;
  SatLemmas *lemmas;
} Rounds;

/* ---- Paths ---- */
/* The writes of the last waiting round. */
static guint count_writes (const RspPath *path) {
  guint n = 0;
  for (guint e = path->wait_begin; e < path->wait_end; e++)
    n += rsp_event_is_write (&path->events[e]);
  return n;
}

/* Finds the paths of each thread. FALSE if some thread has none. */
static gboolean find_paths (Rounds *rounds) {
  const RspSpin *spin = rounds->spin;
  guint n = spin->program->n_threads;
  for (guint t = 0; t < n; t++) {
    const GPtrArray *from = spin->waited[t];
    gboolean removed = t == rounds->thread;
    for (guint i = 0; i < from->len; i++) {
      const RspPath *path = from->pdata[i];
      gboolean writes = count_writes (path) > 0;
      if (removed ? writes == rounds->writes : path->n_waits == 1 && (writes || !rounds->writes))
        g_ptr_array_add (rounds->paths[t], (gpointer) path);
    }
    if (t != rounds->thread)
      g_ptr_array_extend (rounds->paths[t], spin->ended[t], NULL, NULL);
  }
  rsp_paths_prune (spin->program, rounds->paths, spin->budget);
  for (guint t = 0; t < n; t++)
    if (!rounds->paths[t]->len)
      return FALSE;
  return TRUE;
}

/* ---- The whole and the part ---- */
typedef gboolean (*Chooses) (const RspPath *path, guint place, gconstpointer data);

/* The thread takes a path that `chooses` selects, for the event's number on it; event G_MAXUINT:
 * for no event. */
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

/* Is the event in the last waiting round? */
static gboolean is_in_round (const RspPath *path, guint place, G_GNUC_UNUSED gconstpointer data) {
  return place >= path->wait_begin && place < path->wait_end;
}

/* The write of the removed round comes last in coherence of those of waiting rounds. */
static void require_last (const Rounds *rounds, const Lit *in) {
  const SatProblem *problem = &rounds->problem;
  const RspPreExecution *pre = problem->fold->pre;
  for (guint last = pre->first[rounds->thread]; last < pre->first[rounds->thread + 1]; last++)
    for (guint w = pre->first[0]; w < pre->n && rsp_event_is_write (pre->events[last]); w++)
      if (pre->events[w]->thread != rounds->thread && rsp_event_is_write (pre->events[w])
          && pre->events[w]->location == pre->events[last]->location)
        circuit_imply_from (problem->circuit, (Lit[]){ in[last], in[w] }, 2,
                            sat_choices_ordered (problem->choices, &problem->choices->co, w, last));
}

/* ---- Axioms ---- */
/* The node that the axiom keeps acyclic; G_MAXUINT: the axiom is of another kind. */
static RspNodeId acyclic_node (const Rounds *rounds, const RspStagedAxiom *axiom) {
  const RspNode *node = rsp_dag_node (rounds->problem.model->dag, axiom->node);
  if (axiom->kind == RSPCHECK_AXIOM_EMPTY || axiom->negated)
    return G_MAXUINT;
  if (node->op == RSP_NODE_PLUS)
    return node->a;
  return axiom->kind == RSPCHECK_AXIOM_ACYCLIC ? axiom->node : G_MAXUINT;
}

/* Is nothing that the axiom forbids in the part? */
static gboolean is_never_broken (const Rounds *rounds, const RspStagedAxiom *axiom) {
  SatRelations *part = rounds->part->relations;
  RspNodeId node = acyclic_node (rounds, axiom);
  return sat_problem_rules_out (&rounds->problem, node == G_MAXUINT
                                                      ? rsp_sat_axioms_broken (part, axiom)
                                                      : rsp_recursive_circle (part, node));
}

/* Lemmas with those events of the waiting thread set aside that the axiom does not concern: a read
 * that found the lock taken need not happen after an earlier release. */
static SatLemmas *lemmas_for (Rounds *rounds, const RspStagedAxiom *axiom) {
  const RspPreExecution *pre = rounds->problem.fold->pre;
  RspMatrix *aside = rsp_set_new (rounds->problem.arena, pre->n);
  for (guint e = pre->first[rounds->thread]; e < pre->first[rounds->thread + 1]; e++)
    if (!sat_part_may_concern (rounds->part, axiom->node, e))
      rsp_set_add (aside, e);
  return sat_lemmas_without (rounds->lemmas, aside);
}

/* Does the part pass if the whole does? Easiest to prove event by event, if the axiom forbids
 * single events, else as a lemma. */
static gboolean axiom_holds (Rounds *rounds, const RspStagedAxiom *axiom) {
  if (axiom->negated)
    return sat_problem_rules_out (&rounds->problem,
                                  lit_not (rsp_sat_axioms_broken (rounds->part->relations, axiom)));
  if (sat_lemmas_know (rounds->lemmas, axiom->node, LEMMA_WITHIN))
    return TRUE;
  gboolean events
      = axiom->kind == RSPCHECK_AXIOM_IRREFLEXIVE && acyclic_node (rounds, axiom) == G_MAXUINT;
  return (events && is_never_broken (rounds, axiom))
         || sat_lemmas_hold (rounds->lemmas, axiom->node, LEMMA_WITHIN, FALSE)
         || sat_lemmas_hold (lemmas_for (rounds, axiom), axiom->node, LEMMA_WITHIN, FALSE)
         || sat_lemmas_hold (rounds->lemmas, axiom->node, LEMMA_WITHIN, TRUE)
         || (!events && is_never_broken (rounds, axiom));
}

static gboolean axioms_hold (Rounds *rounds, gboolean against_circles) {
  for (guint i = 0; i < rounds->problem.model->n_axioms; i++) {
    const RspStagedAxiom *axiom = &rounds->problem.model->axioms[i];
    if (axiom->role != RSPCHECK_ROLE_AXIOM
        || (acyclic_node (rounds, axiom) != G_MAXUINT) != against_circles)
      continue;
    if (!axiom_holds (rounds, axiom))
      return FALSE;
    rsp_sat_relations_trust (rounds->part->relations, axiom);
  }
  return TRUE;
}

/* ---- Flags ---- */
/* Does an event or pair that raises the flag in the whole raise it in the part, too? */
static gboolean flag_remains (Rounds *rounds, const RspStagedAxiom *axiom) {
  const RspMatrix *may = rounds->problem.relations->may[axiom->node];
  g_autoptr (GArray) whole = rsp_sat_axioms_forbidden (rounds->problem.relations, axiom, may);
  g_autoptr (GArray) part = rsp_sat_axioms_forbidden (rounds->part->relations, axiom, may);
  const RspMatrix *removable = rounds->part->removable;
  gboolean covers = axiom->kind != RSPCHECK_AXIOM_ACYCLIC
                    && sat_lemmas_hold (rounds->lemmas, axiom->node, LEMMA_COVERS, TRUE);
  Lit lost = LIT_FALSE;
  for (guint i = 0; i < whole->len; i++) {
    const SatForbidden *one = &g_array_index (whole, SatForbidden, i);
    Lit remains = g_array_index (part, SatForbidden, i).lit;
    if (!covers || rsp_set_has (removable, one->a) || rsp_set_has (removable, one->b))
      lost = circuit_or (rounds->problem.circuit, lost,
                         circuit_and (rounds->problem.circuit, one->lit, lit_not (remains)));
  }
  return sat_problem_rules_out (&rounds->problem, lost);
}

/* ---- The whole question ---- */
/* A value justifies itself by way of a removed write: the flag for that would go with it. */
static Lit removed_circle (const Rounds *rounds) {
  const SatProblem *problem = &rounds->problem;
  const SatPart *part = rounds->part;
  Lit some = LIT_FALSE;
  for (all_bits (e, part->removable->bits, part->removable->words))
    if (rsp_event_is_write (problem->fold->pre->events[e]))
      some = circuit_or (
          problem->circuit, some,
          circuit_and (problem->circuit, problem->values->circle[e], lit_not (part->kept[e])));
  return some;
}

/* Are flags raised by what is present, and are there neither assertions nor warnings? */
static gboolean has_plain_roles (const RspStagedModel *model) {
  for (guint i = 0; i < model->n_axioms; i++) {
    const RspStagedAxiom *axiom = &model->axioms[i];
    if (axiom->role == RSPCHECK_ROLE_ASSERT || axiom->role == RSPCHECK_ROLE_WARN_UNLESS
        || (axiom->role == RSPCHECK_ROLE_FLAG && !axiom->negated)
        || (axiom->role == RSPCHECK_ROLE_UNDEFINED_UNLESS && axiom->negated))
      return FALSE;
  }
  return TRUE;
}

static gboolean nothing_is_wrong (Rounds *rounds) {
  if (!sat_problem_rules_out (&rounds->problem, sat_part_is_cut (rounds->part))
      || !sat_problem_rules_out (&rounds->problem, removed_circle (rounds)))
    return FALSE;
  rounds->lemmas = sat_lemmas_new (rounds->part, rounds->problem.relations);
  if (!axioms_hold (rounds, TRUE) || !axioms_hold (rounds, FALSE))
    return FALSE;
  for (guint i = 0; i < rounds->problem.model->n_axioms; i++) {
    const RspStagedAxiom *axiom = &rounds->problem.model->axioms[i];
    if ((axiom->role == RSPCHECK_ROLE_FLAG || axiom->role == RSPCHECK_ROLE_UNDEFINED_UNLESS)
        && !flag_remains (rounds, axiom))
      return FALSE;
  }
  return TRUE;
}

/* Proves that no values justify each other, excludes them, and asks again. */
static gboolean nothing_is_wrong_without_circles (Rounds *rounds) {
  const SatProblem *problem = &rounds->problem;
  Lit circle = rsp_sat_values_circle (problem->values);
  if (circle == LIT_FALSE || !sat_problem_rules_out (problem, circle))
    return FALSE;
  circuit_require (problem->circuit, lit_not (circle));
  return nothing_is_wrong (rounds);
}

static gboolean ask (Rounds *rounds) {
  const RspSpin *spin = rounds->spin;
  SatProblem *problem = &rounds->problem;
  gboolean may = sat_problem_open (problem, spin->program, spin->model, spin->options,
                                   rounds->paths, spin->terms, spin->budget)
                 && problem->fold->fewest_events >= 2 && has_plain_roles (problem->model);
  if (may) {
    circuit_require (problem->circuit,
                     sat_problem_in_order (problem, SAT_FIXED_NONE, rounds->thread));
    /* Per event: it is in its thread's last waiting round. */
    const RspPreExecution *pre = problem->fold->pre;
    Lit *in = rsp_arena_new0 (problem->arena, Lit, pre->n + 1);
    for (guint e = 0; e < pre->n; e++)
      in[e] = rsp_event_is_initial (pre->events[e])
                  ? LIT_FALSE
                  : takes (problem->fold, pre->events[e]->thread, e, is_in_round, NULL);
    if (rounds->writes)
      require_last (rounds, in);
    /* Per event: it is not in the removed round. */
    Lit *kept = rsp_arena_new0 (problem->arena, Lit, pre->n + 1);
    for (guint e = 0; e < pre->n; e++)
      kept[e] = pre->events[e]->thread == rounds->thread ? lit_not (in[e]) : LIT_TRUE;
    rounds->part = sat_part_new (problem->relations, problem->model, kept);
    /* Executions of fewer than two events may be treated differently by models. */
    may = !rsp_budget_is_exhausted (spin->budget)
          && (rounds->problem.fold->fewest_events >= 2 + rsp_matrix_count (rounds->part->removable))
          && (nothing_is_wrong (rounds) || nothing_is_wrong_without_circles (rounds));
  }
  sat_problem_clear (problem);
  return may;
}

static gboolean may_go_of (const RspSpin *spin, guint thread, gboolean writes) {
  guint n = spin->program->n_threads;
  g_autofree GPtrArray **paths = g_new0 (GPtrArray *, n + 1);
  Rounds rounds = { .spin = spin, .thread = thread, .writes = writes, .paths = paths };
  for (guint t = 0; t < n; t++)
    paths[t] = g_ptr_array_new ();
  gboolean may = !find_paths (&rounds) || ask (&rounds);
  for (guint t = 0; t < n; t++)
    g_ptr_array_unref (paths[t]);
  return may && rsp_budget_stop (spin->budget) == RSPCHECK_STOP_COMPLETE;
}

/* Are there no read-modify-writes of two events, which are not encoded, and no rounds with several
 * writes, of which none need be the last in coherence? */
static gboolean have_simple_rounds (const GPtrArray *waited) {
  for (guint i = 0; i < waited->len; i++) {
    const RspPath *path = waited->pdata[i];
    for (guint e = path->wait_begin; e < path->wait_end; e++)
      if (path->events[e].rmw_half)
        return FALSE;
    if (count_writes (path) > 1)
      return FALSE;
  }
  return TRUE;
}

gboolean sat_rounds_may_go (const RspSpin *spin) {
  guint n = spin->program->n_threads;
  RspProgram program = *spin->program;
  RspSpin blind = *spin;
  g_autofree guint *class = g_new0 (guint, n + 1), *block = g_new0 (guint, n + 1),
                   *like = g_new0 (guint, n + 1);
  rsp_program_hide_registers (&program); /* they are left as they are */
  blind.program = &program;
  /* Exchangeable threads, and exchangeable classes of them. */
  g_autofree GPtrArray **paths = g_new0 (GPtrArray *, n + 1);
  for (guint t = 0; t < n; t++) {
    paths[t] = g_ptr_array_new ();
    g_ptr_array_extend (paths[t], blind.waited[t], NULL, NULL);
    g_ptr_array_extend (paths[t], blind.ended[t], NULL, NULL);
  }
  places_find_classes (blind.program, blind.model, paths, blind.budget, class);
  rsp_symmetry_find_like (blind.program, paths, like);
  symmetry_find_blocks (blind.program, like, class, block);
  for (guint t = 0; t < n; t++)
    g_ptr_array_unref (paths[t]);
  for (guint t = 0; t < n; t++)
    if (!have_simple_rounds (spin->waited[t]))
      return FALSE;
  for (guint t = 0; t < n; t++)
    if (block[t] == t && !(may_go_of (&blind, t, FALSE) && may_go_of (&blind, t, TRUE)))
      return FALSE;
  return TRUE;
}

/* ---- Hangs ---------------------------------------------------------------------------------- */

/* ---- Rounds that repeat for ever ---- */
static gboolean repeats (const RspPath *path, guint place, gconstpointer data) {
  return path->end == RSP_PATH_STUCK && rsp_event_is_access (&path->events[place])
         && is_in_round (path, place, data);
}

/* ---- Barriers ---- */
typedef struct Awaited {
  const BarrierThreads *threads;
  guint thread;
  const RspEvent *barrier;
} Awaited;

static gboolean lets_go (const RspPath *path, G_GNUC_UNUSED guint place, gconstpointer data) {
  const Awaited *awaited = data;
  return !rsp_barrier_is_held (awaited->threads, awaited->thread, path, awaited->barrier);
}

/* A thread waits at a barrier for ever if and only if others do not come to it. */
static void await_others (const SatFold *fold, const BarrierThreads *threads, guint thread,
                          guint number) {
  const RspPath *path = fold->threads[thread].paths[number];
  for (guint e = 0; e < path->n_events; e++) {
    gboolean is_last = barrier_ends_path (path, e);
    if (!barrier_needs_quorum (&path->events[e]) || (path->end == RSP_PATH_STOPPED && is_last))
      continue;
    const RspThread *all = fold->program->threads;
    Lit complete = sat_barrier_has_enough (fold, &path->events[e], !is_last);
    for (guint t = 0; t < fold->program->n_threads && !path->events[e].barrier_quorum; t++) {
      const Awaited awaited = { threads, t, &path->events[e] };
      if (rsp_threads_share (&all[t], &all[path->events[e].thread], path->events[e].meeting))
        complete
            = circuit_and (fold->circuit, complete, takes (fold, t, G_MAXUINT, lets_go, &awaited));
    }
    circuit_imply (fold->circuit, fold->threads[thread].taken[number],
                   is_last ? lit_not (complete) : complete);
  }
}

/* ---- Memory ---- */
typedef struct Lasts {
  GArray *values, *lits;  /* of gint64 and Lit: what the location holds */
  GArray *before, *after; /* of Lit: which write is the last one */
} Lasts;

/* Adds a literal for the write being the last of its location: among all writes, or among those
 * before the rounds that repeat. Values of a circle are not compared. */
static void add_last (const SatProblem *problem, const Lit *repeated, Lasts *lasts, guint w,
                      gboolean before) {
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
  const SatValues *written = &problem->values->written[w];
  for (guint i = 0; i < written->n; i++)
    circuit_imply_from (
        problem->circuit, (Lit[]){ last, written->lits[i] }, 2,
        sat_value_obtain (problem->circuit, lasts->values, lasts->lits, written->values[i]));
  g_array_append_val (before ? lasts->before : lasts->after, last);
}

/* The location has the same value before and after the rounds that repeat. */
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

/* ---- Promises ---- */
enum {
  MOST_THREADS = 6 /* whose fates are looked at one by one */
};

static gboolean has_fate (const RspPath *path, G_GNUC_UNUSED guint place, gconstpointer fate) {
  return rsp_progress_fate (path) == *(const RspFate *) fate;
}

static gboolean goes_on (const RspPath *path, G_GNUC_UNUSED guint place,
                         G_GNUC_UNUSED gconstpointer data) {
  return path->end != RSP_PATH_COMPLETE;
}

/* The threads from this one on have fates that are permitted with the fates given of those before.
 */
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
  Lit in_order[2]; /* [by_tree]: keeps one of the executions that differ by exchanging threads */
};

/* A hang has a thread that never ends: has each such path two events, counting an initial write? */
static gboolean have_two_events (const SatFold *fold) {
  for (guint t = 0; t < fold->program->n_threads; t++)
    for (guint p = 0; p < fold->threads[t].n_paths; p++) {
      const RspPath *path = fold->threads[t].paths[p];
      if ((path->end == RSP_PATH_STUCK || path->end == RSP_PATH_BLOCKED) && path->n_events < 2
          && !(path->n_events && rsp_event_is_access (&path->events[0])))
        return FALSE;
    }
  return TRUE;
}

RspSatHangs *rsp_sat_hangs_new (const RspProgram *program, const RspModel *model,
                                const RspCheckOptions *options, GPtrArray *const *paths,
                                RspTerms *terms, RspBudget *budget) {
  RspSatHangs *hangs = g_new0 (RspSatHangs, 1);
  hangs->is_open = sat_problem_open (&hangs->problem, program, model, options, paths, terms, budget)
                   && have_two_events (hangs->problem.fold)
                   && options->through == RSPCHECK_THROUGH_NONE;
  if (hangs->is_open) {
    const BarrierThreads *threads = &(BarrierThreads){ program, paths, terms };
    const SatFold *fold = hangs->problem.fold;
    const RspPreExecution *pre = fold->pre;
    g_autofree Lit *repeated = g_new0 (Lit, pre->n + 1);
    for (guint e = pre->first[0]; e < pre->n; e++)
      repeated[e] = takes (fold, pre->events[e]->thread, e, repeats, NULL);
    /* Repeated events come after all others. */
    for (guint a = pre->first[0]; a < pre->n; a++)
      for (guint b = 0; b < pre->n && repeated[a] != LIT_FALSE; b++)
        if (a != b) {
          /* If a repeats and b does not, a is not before b in reads-from, coherence or from-reads.
           */
          const SatChoices *choices = hangs->problem.choices;
          Lit conditions[] = { repeated[a], lit_not (repeated[b]), LIT_TRUE };
          circuit_imply_from (fold->circuit, conditions, 2,
                              lit_not (sat_choices_ordered (choices, &choices->co, a, b)));
          circuit_imply_from (fold->circuit, conditions, 2,
                              lit_not (sat_choices_rf (choices, a, b)));
          for (guint w = 0; w < pre->n && rsp_event_is_read (pre->events[a]); w++) {
            conditions[2] = sat_choices_rf (choices, w, a);
            if (conditions[2] != LIT_FALSE)
              circuit_imply_from (fold->circuit, conditions, 3,
                                  lit_not (sat_choices_ordered (choices, &choices->co, w, b)));
          }
        }
    /* Locations that no round writes stay as they are. */
    g_autofree gboolean *written = g_new0 (gboolean, pre->program->n_locations + 1);
    for (guint e = pre->first[0]; e < pre->n; e++)
      if (rsp_event_is_write (pre->events[e]) && repeated[e] != LIT_FALSE)
        written[pre->events[e]->location] = TRUE;
    for (guint l = 0; l < pre->program->n_locations; l++)
      if (written[l])
        restore (&hangs->problem, repeated, l);
    for (guint t = 0; t < fold->program->n_threads; t++)
      for (guint p = 0; p < fold->threads[t].n_paths; p++)
        await_others (fold, threads, t, p);
    hangs->in_order[FALSE] = hangs->in_order[TRUE] = LIT_NONE;
  }
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
  const gboolean few = fold->program->n_threads <= MOST_THREADS;
  Lit hang = few ? is_permitted (fold, progress, fates, 0) : LIT_FALSE;
  for (guint t = 0; t < fold->program->n_threads && !few; t++) /* some thread does not end */
    hang = circuit_or (fold->circuit, hang, takes (fold, t, G_MAXUINT, goes_on, NULL));
  Lit order = LIT_TRUE, circle = rsp_sat_values_circle (hangs->problem.values);
  if (!few || rsp_progress_is_symmetric (progress))
    order = in_order (hangs, few && rsp_progress_has_levels (progress));
  hang = circuit_and (fold->circuit, hang, order);
  /* Sums are known where no values justify each other. */
  if (sat_problem_rules_out (&hangs->problem, circuit_and (fold->circuit, circle, order)))
    hang = circuit_and (fold->circuit, hang, lit_not (circle));
  return sat_problem_rules_out (&hangs->problem, hang);
}
