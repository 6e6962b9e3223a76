/* One thread waits, and its last round is removed; any other may wait once. Of exchangeable
 * threads, one need be the one that waits. The whole is required to be accepted; that something is
 * wrong with the part is asked.
 *
 * Which thread's round is removed first may be chosen: one whose last round only reads, if there is
 * any. Otherwise the last rounds of all that wait write, and of those that write to one location it
 * is the last one in coherence. So where the round that is removed writes, those of the others
 * write too, and before it. */
#include "enumerator/search/sat/proofs/rounds.h"
#include "enumerator/event.h"
#include "enumerator/paths/feasible/feasible.h"
#include "enumerator/search/places.h"
#include "enumerator/search/sat/relations/axioms.h"
#include "enumerator/search/sat/proofs/lemmas.h"
#include "enumerator/search/sat/proofs/problem.h"
#include "enumerator/search/sat/relations/recursive.h"
#include "enumerator/search/symmetry.h"
#include "enumerator/values/final_state.h"

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

/* Writes of the last round that waits. */
static guint count_writes (const RspPath *path) {
  guint n = 0;
  for (guint e = path->wait_begin; e < path->wait_end; e++)
    n += rsp_event_is_write (&path->events[e]);
  return n;
}

static void add_waiting (const Rounds *rounds, guint thread) {
  const GPtrArray *from = rounds->spin->waited[thread];
  gboolean removed = thread == rounds->thread;
  for (guint i = 0; i < from->len; i++) {
    const RspPath *path = from->pdata[i];
    gboolean writes = count_writes (path) > 0;
    if (removed ? writes == rounds->writes : path->n_waits == 1 && (writes || !rounds->writes))
      g_ptr_array_add (rounds->paths[thread], (gpointer) path);
  }
}

/* FALSE if some thread has none. */
static gboolean find_paths (Rounds *rounds) {
  const RspSpin *spin = rounds->spin;
  guint n = spin->program->n_threads;
  for (guint t = 0; t < n; t++) {
    add_waiting (rounds, t);
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

/* The event is one of its thread's last round that waits. */
static Lit in_round (const Rounds *rounds, guint event) {
  const SatFold *fold = rounds->problem.fold;
  guint number = fold->pre->events[event]->thread;
  if (number == RSP_NO_THREAD)
    return LIT_FALSE;
  const SatThread *thread = &fold->threads[number];
  RspMatrix *paths = rsp_set_new (rounds->problem.arena, thread->n_paths);
  for (guint p = 0; p < thread->n_paths; p++) {
    guint place = sat_fold_place (fold, event, p);
    if (place != G_MAXUINT && place >= thread->paths[p]->wait_begin
        && place < thread->paths[p]->wait_end)
      rsp_set_add (paths, p);
  }
  return sat_fold_takes (fold, number, paths);
}

/* Per event. */
static Lit *find_in_round (const Rounds *rounds) {
  Lit *in = rsp_arena_new0 (rounds->problem.arena, Lit, rounds->problem.fold->pre->n + 1);
  for (guint e = 0; e < rounds->problem.fold->pre->n; e++)
    in[e] = in_round (rounds, e);
  return in;
}

/* Per event: it is not one of the round that is removed. */
static Lit *find_kept (const Rounds *rounds, const Lit *in) {
  const RspPreExecution *pre = rounds->problem.fold->pre;
  Lit *kept = rsp_arena_new0 (rounds->problem.arena, Lit, pre->n + 1);
  for (guint e = 0; e < pre->n; e++)
    kept[e] = pre->events[e]->thread == rounds->thread ? lit_not (in[e]) : LIT_TRUE;
  return kept;
}

/* The write of the round that is removed comes last in coherence, of those of rounds that wait. */
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

/* At least two events, of which a model may say more than of others, are left. */
static gboolean leaves_enough (const Rounds *rounds) {
  return rounds->problem.fold->fewest_events >= 2 + rsp_matrix_count (rounds->part->removable);
}

/* ---- Axioms ---- */

/* The node that the axiom keeps without circles; G_MAXUINT: it is of another kind. */
static RspNodeId acyclic_node (const Rounds *rounds, const RspStagedAxiom *axiom) {
  const RspNode *node = rsp_dag_node (rounds->problem.model->dag, axiom->node);
  if (axiom->kind == RSPCHECK_AXIOM_EMPTY || axiom->negated)
    return G_MAXUINT;
  if (node->op == RSP_NODE_PLUS)
    return node->a;
  return axiom->kind == RSPCHECK_AXIOM_ACYCLIC ? axiom->node : G_MAXUINT;
}

/* Nothing that the axiom forbids is in the part. */
static gboolean is_never_broken (const Rounds *rounds, const RspStagedAxiom *axiom) {
  SatRelations *part = rounds->part->relations;
  RspNodeId node = acyclic_node (rounds, axiom);
  return sat_problem_rules_out (&rounds->problem, node == G_MAXUINT
                                                      ? rsp_sat_axioms_broken (part, axiom)
                                                      : rsp_recursive_circle (part, node));
}

/* Lemmas without the events of the waiting thread of which the axiom says nothing: a read that
 * found the lock taken need not happen after what was released before. */
static SatLemmas *lemmas_for (Rounds *rounds, const RspStagedAxiom *axiom) {
  const RspPreExecution *pre = rounds->problem.fold->pre;
  RspMatrix *aside = rsp_set_new (rounds->problem.arena, pre->n);
  for (guint e = pre->first[rounds->thread]; e < pre->first[rounds->thread + 1]; e++)
    if (!sat_part_may_concern (rounds->part, axiom->node, e))
      rsp_set_add (aside, e);
  return sat_lemmas_without (rounds->lemmas, aside);
}

/* The part passes if the whole does: most easily seen of single events, if these alone are
 * forbidden, else as a lemma. */
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

/* What raises the flag in the whole raises it in the part. */
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

static gboolean flags_remain (Rounds *rounds) {
  for (guint i = 0; i < rounds->problem.model->n_axioms; i++) {
    const RspStagedAxiom *axiom = &rounds->problem.model->axioms[i];
    if ((axiom->role == RSPCHECK_ROLE_FLAG || axiom->role == RSPCHECK_ROLE_UNDEFINED_UNLESS)
        && !flag_remains (rounds, axiom))
      return FALSE;
  }
  return TRUE;
}

/* ---- The whole question ---- */

/* A value that justifies itself by way of a write that is removed: the flag for that would go with
 * it. */
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

/* Flags are raised by what is there, and nothing else is said of executions. */
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
  return axioms_hold (rounds, TRUE) && axioms_hold (rounds, FALSE) && flags_remain (rounds);
}

/* Executions with values that justify each other are none, but to rule them out takes a proof of
 * its own. */
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
    const Lit *in = find_in_round (rounds);
    if (rounds->writes)
      require_last (rounds, in);
    rounds->part = sat_part_new (problem->relations, problem->model, find_kept (rounds, in));
    may = !rsp_budget_is_exhausted (spin->budget) && leaves_enough (rounds)
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

/* Read-modify-writes of two events are not encoded, and of several writes of a round none need be
 * the last one. */
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

/* Which threads may be exchanged, and which classes of them. */
static void find_classes (const RspSpin *spin, guint *class, guint *block) {
  guint n = spin->program->n_threads;
  g_autofree GPtrArray **paths = g_new0 (GPtrArray *, n + 1);
  for (guint t = 0; t < n; t++) {
    paths[t] = g_ptr_array_new ();
    g_ptr_array_extend (paths[t], spin->waited[t], NULL, NULL);
    g_ptr_array_extend (paths[t], spin->ended[t], NULL, NULL);
  }
  places_find_classes (spin->program, spin->model, paths, spin->budget, class);
  symmetry_find_blocks (spin->program, class, block);
  for (guint t = 0; t < n; t++)
    g_ptr_array_unref (paths[t]);
}

gboolean sat_rounds_may_go (const RspSpin *spin) {
  guint n = spin->program->n_threads;
  RspProgram program = *spin->program;
  RspSpin blind = *spin;
  g_autofree guint *class = g_new0 (guint, n + 1), *block = g_new0 (guint, n + 1);
  rsp_program_hide_registers (&program); /* they are left as they are */
  blind.program = &program;
  find_classes (&blind, class, block);
  for (guint t = 0; t < n; t++)
    if (!have_simple_rounds (spin->waited[t]))
      return FALSE;
  for (guint t = 0; t < n; t++)
    if (block[t] == t && !(may_go_of (&blind, t, FALSE) && may_go_of (&blind, t, TRUE)))
      return FALSE;
  return TRUE;
}
