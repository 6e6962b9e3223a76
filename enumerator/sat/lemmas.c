/* Problems for the solver, and lemmas that compare an execution with a part of it. */
#include "enumerator/execution.h"
#include "enumerator/sat/internal.h"
#include "enumerator/search/search.h"
#include "model/stage/stage.h"

#include <string.h>

/* ---- Problem -------------------------------------------------------------------------------- */

enum { FEW_CONFLICTS = 1 << 12 };

/* Encodes all but values. FALSE if something cannot be encoded. */
static gboolean encode_relations (SatProblem *problem, const RspProgram *program,
                                  const RspModel *model, const RspCheckOptions *options,
                                  GPtrArray *const *paths, RspTerms *terms, RspBudget *budget) {
  problem->arena = rsp_arena_new_within (budget);
  problem->solver = sat_solver_new (budget);
  problem->refusal
      = problem->solver
            ? NULL
            : "rspcheck was built without the SAT solver CaDiCaL (Debian: libcadical-dev)";
  if (problem->refusal)
    return FALSE;
  problem->circuit = circuit_new (problem->solver, budget);
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  RspStageOptions staging = { .skipped_checks = options->skipped_checks, .budget = budget };
  problem->model = rsp_model_stage_open (model, program->language, &staging, problem->arena,
                                         problem->diagnostics ? problem->diagnostics : unheard);
  if (!problem->model)
    problem->refusal = "the model looks into values that only a complete execution has, or chooses "
                       "among them";
  else if ((problem->fold
            = sat_fold_new (program, paths, terms, problem->circuit, problem->arena))) {
    sat_barriers_require (problem->fold);
    problem->refusal = problem->fold->refusal;
  }
  if (problem->refusal || !problem->fold)
    return FALSE;
  problem->choices = sat_choices_new (problem->fold, problem->model);
  problem->relations = rsp_sat_relations_new (problem->fold, problem->choices, problem->model);
  problem->refusal = problem->relations->refusal;
  return !problem->refusal && !rsp_budget_is_exhausted (budget);
}

gboolean sat_problem_encode (SatProblem *problem, const RspProgram *program, const RspModel *model,
                             const RspCheckOptions *options, GPtrArray *const *paths,
                             RspTerms *terms, RspBudget *budget) {
  if (!encode_relations (problem, program, model, options, paths, terms, budget))
    return FALSE;
  problem->like = rsp_arena_new0 (problem->arena, guint, program->n_threads + 1);
  rsp_symmetry_find_like (program, paths, problem->like);
  problem->class = rsp_arena_new0 (problem->arena, guint, program->n_threads + 1);
  places_find_classes (program, model, paths, budget, problem->class);
  problem->values
      = rsp_sat_values_new (problem->fold, problem->choices, problem->takes_any, problem->screen);
  problem->refusal = problem->values->refusal;
  return !problem->refusal && !rsp_budget_is_exhausted (budget);
}

gboolean sat_problem_rules_out (const SatProblem *problem, Lit lit) {
  return circuit_solve (problem->circuit, &lit, 1) == SAT_NO;
}

gboolean sat_rules_out_flags (const RspProgram *program, const RspModel *model,
                              const RspCheckOptions *options, GPtrArray *const *paths,
                              RspTerms *terms, const GArray *raised, const RspQuestion *question,
                              RspBudget *budget) {
  SatProblem problem = { 0 };
  gboolean silent = encode_relations (&problem, program, model, options, paths, terms, budget)
                    && problem.fold->fewest_events >= 2;
  for (guint i = 0; silent && i < problem.model->n_axioms; i++) {
    const RspStagedAxiom *axiom = &problem.model->axioms[i];
    const gboolean is_flag
        = axiom->role == RSPCHECK_ROLE_FLAG || axiom->role == RSPCHECK_ROLE_UNDEFINED_UNLESS;
    if (axiom->role == RSPCHECK_ROLE_AXIOM
        || (question && g_strcmp0 (axiom->id, question->raised) != 0)
        || (raised && is_flag && search_flags_has (raised, problem.model->flags[axiom->flag])))
      continue;
    sat_solver_limit (problem.solver, FEW_CONFLICTS);
    Lit lit = LIT_TRUE;
    if (is_flag)
      lit = question ? sat_axioms_counting (problem.relations, axiom, question, &silent)
                     : sat_axioms_raised (problem.relations, axiom);
    silent &= is_flag && sat_problem_rules_out (&problem, lit);
  }
  silent = silent && !rsp_budget_is_exhausted (budget);
  sat_problem_clear (&problem);
  return silent;
}

gboolean sat_problem_open (SatProblem *problem, const RspProgram *program, const RspModel *model,
                           const RspCheckOptions *options, GPtrArray *const *paths, RspTerms *terms,
                           RspBudget *budget) {
  problem->screen = screen_new (program, model, options, 1, paths, budget);
  if (!sat_problem_encode (problem, program, model, options, paths, terms, budget))
    return FALSE;
  rsp_sat_axioms_require (problem->relations, problem->model);
  sat_sums_require (problem);
  return !rsp_budget_is_exhausted (budget);
}

void sat_problem_clear (SatProblem *problem) {
  screen_free (problem->screen);
  if (problem->model)
    rsp_dag_free (problem->model->dag);
  circuit_free (problem->circuit);
  sat_solver_free (problem->solver);
  rsp_arena_free (problem->arena);
}

Lit sat_problem_in_order (const SatProblem *problem, SatFixed fixed, guint except) {
  const RspProgram *program = problem->fold->program;
  g_autofree guint *class = g_memdup2 (problem->class, sizeof (guint) * program->n_threads);
  g_autofree guint *block = g_new0 (guint, program->n_threads + 1);
  if (fixed == SAT_FIXED_BY_PLACE)
    symmetry_find (program, problem->like, class);
  symmetry_find_blocks (program, problem->like, class, block);
  if (except < program->n_threads) {
    guint none = program->n_threads + 1; /* numbers of no other class */
    block[class[except]] = none + class[except];
    block[except] = class[except] = none + except;
  }
  return sat_symmetry_break (problem->choices, class, block, fixed == SAT_FIXED_SHOWN);
}

/* ---- Part ----------------------------------------------------------------------------------- */

/* ---- Choices ---- */
static gboolean is_removable_write (const SatPart *part, guint event) {
  return rsp_set_has (part->removable, event)
         && rsp_event_is_write (part->whole->pre->events[event]);
}

/* n × n: what events read from, also by way of removed read-modify-writes. */
static Lit *find_sources (const SatPart *part) {
  guint n = part->whole->pre->n, n_removable = 0;
  gsize size = sizeof (Lit) * n * n;
  Lit *sources = rsp_arena_copy (part->whole->arena, part->whole_choices->rf, size);
  for (guint e = 0; e < n; e++)
    n_removable += is_removable_write (part, e);
  for (guint i = 0; i < n_removable && rsp_arena_affords (part->whole->arena, size); i++) {
    Lit *longer = rsp_arena_copy (part->whole->arena, part->whole_choices->rf, size);
    for (guint x = 0; x < n; x++) {
      /* Pairs that end in x by way of one removed read-modify-write more than `sources` has. */
      Circuit *circuit = part->whole->circuit;
      for (guint by = 0; by < n; by++) {
        Lit step = sat_choices_rf (part->whole_choices, by, x);
        if (step == LIT_FALSE || !is_removable_write (part, by))
          continue;
        step = circuit_and (circuit, step, lit_not (part->kept[by]));
        for (guint w = 0; w < n; w++)
          if (w != x && sources[w * n + by] != LIT_FALSE)
            longer[w * n + x] = circuit_or (circuit, longer[w * n + x],
                                            circuit_and (circuit, sources[w * n + by], step));
      }
    }
    sources = longer;
  }
  return sources;
}

SatPart *sat_part_new (const SatRelations *whole, const RspStagedModel *model, const Lit *kept) {
  SatPart *part = rsp_arena_new0 (whole->fold->arena, SatPart, 1);
  *part = (SatPart){ .whole = whole->fold, .whole_choices = whole->choices, .kept = kept };
  part->removable = rsp_set_new (whole->fold->arena, whole->n);
  for (guint e = 0; e < whole->n; e++)
    if (kept[e] != LIT_TRUE)
      rsp_set_add (part->removable, e);
  part->fold = sat_fold_part (whole->fold, kept);
  /* co and the model's orders are the same on what remains. */
  guint n = part->whole->pre->n;
  part->choices
      = rsp_arena_copy (part->whole->arena, part->whole_choices, sizeof *part->whole_choices);
  part->choices->fold = part->fold;
  part->choices->rf = find_sources (part);
  for (guint w = 0; w < n; w++)
    for (guint r = 0; r < n; r++) {
      Lit *rf = &part->choices->rf[w * n + r];
      if (*rf != LIT_FALSE)
        *rf = circuit_and_all (part->whole->circuit, (Lit[]){ *rf, part->kept[w], part->kept[r] },
                               3);
    }
  part->relations = rsp_sat_relations_new (part->fold, part->choices, model);
  return part;
}

gboolean sat_part_may_concern (const SatPart *part, RspNodeId node, guint event) {
  const RspMatrix *may = part->relations->may[node];
  if (rsp_dag_node (part->relations->dag, node)->is_set)
    return rsp_set_has (may, event);
  for (guint other = 0; other < part->whole->pre->n; other++)
    if (rsp_matrix_get (may, event, other) || rsp_matrix_get (may, other, event))
      return TRUE;
  return FALSE;
}

/* ---- Does it end like the whole? ---- */
/* A remaining event follows the write in coherence. */
static Lit is_followed (const SatPart *part, guint write) {
  Circuit *circuit = part->whole->circuit;
  Lit followed = LIT_FALSE;
  for (guint e = 0; e < part->whole->pre->n; e++)
    followed = circuit_or (circuit, followed,
                           circuit_and (circuit, part->fold->exists[e],
                                        sat_choices_ordered (part->whole_choices,
                                                             &part->whole_choices->co, write, e)));
  return followed;
}

Lit sat_part_is_cut (const SatPart *part) {
  const RspPreExecution *pre = part->whole->pre;
  Circuit *circuit = part->whole->circuit;
  const Lit *sources = NULL;
  Lit cut = LIT_FALSE;
  for (guint e = 0; e < pre->first[0]; e++)
    cut = circuit_or (
        circuit, cut,
        circuit_and (circuit, part->whole->exists[e], lit_not (part->fold->exists[e])));
  for (guint e = 0; e < pre->n; e++)
    if (is_removable_write (part, e)) {
      sources = sources ? sources : find_sources (part);
      /* A removed write is the last one, and its source does not remain, or not as the last one. */
      guint n = part->whole->pre->n;
      Lit last = circuit_and (circuit, part->whole->exists[e], lit_not (part->kept[e]));
      for (guint w = 0; w < n; w++)
        last = circuit_and (
            circuit, last,
            lit_not (sat_choices_ordered (part->whole_choices, &part->whole_choices->co, e, w)));
      Lit left = LIT_FALSE, followed = LIT_FALSE;
      for (guint w = 0; w < n; w++) {
        Lit source = circuit_and (circuit, sources[w * n + e], part->fold->exists[w]);
        left = circuit_or (circuit, left, source);
        if (source != LIT_FALSE)
          followed = circuit_or (circuit, followed,
                                 circuit_and (circuit, source, is_followed (part, w)));
      }
      cut = circuit_or (
          circuit, cut,
          circuit_and (circuit, last, circuit_or (circuit, lit_not (left), followed)));
    }
  for (guint i = 0; i < pre->n_reads && sources; i++) {
    Lit without = part->fold->exists[pre->reads[i]];
    for (guint w = 0; w < pre->n; w++)
      without = circuit_and (circuit, without,
                             lit_not (sat_choices_rf (part->choices, w, pre->reads[i])));
    cut = circuit_or (circuit, cut, without);
  }
  return cut;
}

/* ---- Lemmas --------------------------------------------------------------------------------- */

struct SatLemmas {
  const SatPart *part;
  SatRelations *whole;
  const RspMatrix *aside; /* a set */
  RspMatrix *unseen;      /* a set: events that may be removed, or are set aside */
  Lit *seen;              /* per event: it remains, and is not set aside */
  guint8 *proven;         /* per node: the lemmas (of SatLemma) that the solver has shown */
  guint8 *known;          /* per node: the same, and those that follow */
  guint8 *tried[2];       /* per node: the lemmas that have been tried; [TRUE]: pair by pair too */
  gboolean keeps_rf;      /* does no remaining read read from a removed write? */
};

/* ---- What may be lost with unseen events ---- */
/* A pair (u, v) that a composition or closure has by way of unseen events x to z. */
typedef struct Bridge {
  RspNodeId id, into, from;
  guint u, x, z, v;
} Bridge;

typedef gboolean (*VisitBridge) (SatLemmas *lemmas, const Bridge *bridge, gpointer data);

static gboolean may_be_seen (const SatLemmas *l, guint event) {
  return l->seen[event] != LIT_FALSE && l->part->fold->exists[event] != LIT_FALSE;
}

/* Does the literal show that the part has the pair whenever both events exist? */
static gboolean is_certain (const SatLemmas *l, RspNodeId id, guint a, guint b) {
  SatRelations *part = l->part->relations;
  const RspNode *node = rsp_dag_node (part->dag, id);
  if (node->op == RSP_NODE_PLUS)
    return is_certain (l, node->a, a, b);
  if (node->op == RSP_NODE_UNION)
    return is_certain (l, node->a, a, b) || is_certain (l, node->b, a, b);
  return !part->depends[id]
         && rsp_sat_relations_get (part, id, a, b) == sat_fold_both (part->fold, a, b);
}

/* The part may lack the pair. */
static gboolean is_open (const SatLemmas *l, RspNodeId id, guint a, guint b) {
  return may_be_seen (l, a) && may_be_seen (l, b) && !is_certain (l, id, a, b);
}

/* Visits the bridges of a SEQ or PLUS until visit returns FALSE. */
static gboolean each_bridge (SatLemmas *l, RspNodeId id, VisitBridge visit, gpointer data) {
  const RspNode *node = rsp_dag_node (l->whole->dag, id);
  const RspMatrix *unseen = l->unseen;
  gboolean closes = node->op == RSP_NODE_PLUS;
  Bridge b = { .id = id, .into = node->a, .from = closes ? node->a : node->b };
  for (all_bits (x, unseen->bits, unseen->words))
    for (all_bits (z, unseen->bits, unseen->words))
      if (x == z || (closes && rsp_matrix_get (l->whole->may[id], x, z))) {
        b.x = x;
        b.z = z;
        const RspMatrix *into = l->whole->may[b.into], *from = l->whole->may[b.from];
        for (b.u = 0; b.u < l->whole->n; b.u++)
          for (b.v = 0; b.v < l->whole->n && rsp_matrix_get (into, b.u, b.x); b.v++)
            if (rsp_matrix_get (from, b.z, b.v) && is_open (l, b.id, b.u, b.v)
                && !visit (l, &b, data))
              return FALSE;
      }
  return TRUE;
}

static gboolean stop (G_GNUC_UNUSED SatLemmas *l, G_GNUC_UNUSED const Bridge *b,
                      G_GNUC_UNUSED gpointer data) {
  return FALSE;
}

static gboolean loses_nothing (SatLemmas *l, RspNodeId id) {
  const RspNode *node = rsp_dag_node (l->whole->dag, id);
  if (!rsp_node_forms[node->op].by_others)
    return TRUE;
  if (!node->is_set)
    return each_bridge (l, id, stop, NULL);
  for (all_bits (x, l->unseen->bits, l->unseen->words))
    for (guint u = 0; u < l->whole->n; u++)
      if (rsp_matrix_get (l->whole->may[node->a], u, x))
        return FALSE;
  return TRUE;
}

/* ---- What follows from how a node is made ---- */
/* May the operator remove pairs of events that are set aside? */
static gboolean may_take_aside (const SatLemmas *l, RspNodeId id) {
  const gboolean *falls = rsp_node_forms[rsp_dag_node (l->whole->dag, id)->op].falls;
  if (falls[0] || falls[1])
    for (all_bits (e, l->aside->bits, l->aside->words))
      if (sat_part_may_concern (l->part, id, e))
        return TRUE;
  return FALSE;
}

/* Drops lemmas that neither follow nor are proven. FALSE if nothing changes. */
static gboolean restrict_known (SatLemmas *l, RspNodeId id, guint follows) {
  guint8 before = l->known[id];
  if (l->whole->may[id])
    l->known[id] &= (guint8) (follows | l->proven[id]);
  return l->known[id] != before;
}

/* Open nodes, co and orders are the same in both; rf only if no remaining read loses its source. */
static void compare_base (gpointer data, RspNodeId id) {
  SatLemmas *l = data;
  if (rsp_dag_node (l->whole->dag, id)->op == RSP_NODE_RF && !l->keeps_rf)
    restrict_known (l, id, LEMMA_COVERS);
}

static void compare_operator (gpointer data, RspNodeId id) {
  SatLemmas *l = data;
  const RspNode *node = rsp_dag_node (l->whole->dag, id);
  if (!l->whole->may[id])
    return;
  guint a = l->known[node->a], b = rsp_node_arity (node->op) == 2 ? l->known[node->b] : a;
  guint found = rsp_part_follows (node->op, a, b, loses_nothing (l, id));
  restrict_known (l, id, may_take_aside (l, id) ? found & LEMMA_COVERS : found);
}

static gboolean compare_recursion (gpointer data, RspNodeId to, RspNodeId from) {
  SatLemmas *l = data;
  return restrict_known (l, to, l->known[from]);
}

/* Recursive definitions are iterated from empty on both sides: by induction, what follows for the
 * bodies from that of the variables holds. */
static void compare_all (SatLemmas *l) {
  static const RspDomain comparison = { compare_base, compare_operator, compare_recursion };
  memset (l->known, RSP_PART_SAME, l->whole->dag->nodes->len);
  rsp_dag_walk (l->whole->dag, &comparison, l);
}

/* ---- Asking the solver ---- */
static gboolean is_impossible (const SatRelations *whole, GArray *lits) {
  Circuit *circuit = whole->fold->circuit;
  Lit any = circuit_or_all (circuit, (Lit *) (gpointer) lits->data, lits->len);
  return circuit_solve (circuit, &any, 1) == SAT_NO;
}

static gboolean keeps_rf (const SatPart *part, SatRelations *whole) {
  const SatFold *fold = whole->fold;
  const RspMatrix *removable = part->removable;
  g_autoptr (GArray) lits = g_array_new (FALSE, FALSE, sizeof (Lit));
  for (all_bits (w, removable->bits, removable->words))
    for (guint r = 0; r < whole->n && rsp_event_is_write (fold->pre->events[w]); r++) {
      Lit read = sat_choices_rf (whole->choices, w, r);
      Lit lost = circuit_and_all (fold->circuit,
                                  (Lit[]){ read, lit_not (part->kept[w]), part->kept[r] }, 3);
      g_array_append_val (lits, lost);
    }
  return is_impossible (whole, lits);
}

/* The whole has the pair, and the part does not. */
static gboolean add_lost (SatLemmas *l, const Bridge *b, gpointer lits) {
  SatRelations *whole = l->whole, *part = l->part->relations;
  Lit all[] = { rsp_sat_relations_get (whole, b->into, b->u, b->x),
                b->x == b->z ? LIT_TRUE : rsp_sat_relations_get (whole, b->id, b->x, b->z),
                rsp_sat_relations_get (whole, b->from, b->z, b->v),
                lit_not (l->seen[b->x]),
                lit_not (l->seen[b->z]),
                l->seen[b->u],
                l->seen[b->v],
                lit_not (rsp_sat_relations_get (part, b->id, b->u, b->v)) };
  Lit lost = circuit_and_all (whole->fold->circuit, all, G_N_ELEMENTS (all));
  g_array_append_val ((GArray *) lits, lost);
  return TRUE;
}

static gboolean bridges_remain (SatLemmas *l, RspNodeId id) {
  g_autoptr (GArray) lits = g_array_new (FALSE, FALSE, sizeof (Lit));
  each_bridge (l, id, add_lost, lits);
  return is_impossible (l->whole, lits);
}

/* Is each step of the closure's operand in the whole also in the part's closure? */
static gboolean steps_remain (SatLemmas *l, RspNodeId closure) {
  g_autoptr (GArray) lits = g_array_new (FALSE, FALSE, sizeof (Lit));
  RspNodeId step = rsp_dag_node (l->whole->dag, closure)->a;
  const RspMatrix *may = l->whole->may[step];
  for (guint a = 0; a < l->whole->n; a++)
    for (all_bits (b, rsp_matrix_row (may, a), may->words))
      if (is_open (l, closure, a, b)) {
        Lit all[] = { rsp_sat_relations_get (l->whole, step, a, b), l->seen[a], l->seen[b],
                      lit_not (rsp_sat_relations_get (l->part->relations, closure, a, b)) };
        Lit lit = circuit_and_all (l->whole->fold->circuit, all, G_N_ELEMENTS (all));
        g_array_append_val (lits, lit);
      }
  return is_impossible (l->whole, lits);
}

static void add_difference (SatLemmas *l, RspNodeId id, SatLemma lemma, guint a, guint b,
                            GArray *lits) {
  Lit whole = rsp_sat_relations_get (l->whole, id, a, b),
      part = rsp_sat_relations_get (l->part->relations, id, a, b);
  if (rsp_dag_node (l->whole->dag, id)->is_set)
    b = a;
  const Lit *of = lemma == LEMMA_WITHIN ? l->part->kept : l->seen;
  Lit all[] = { lemma == LEMMA_WITHIN ? lit_not (whole) : whole,
                lemma == LEMMA_WITHIN ? part : lit_not (part), of[a], of[b] };
  Lit lit = circuit_and_all (l->whole->fold->circuit, all, G_N_ELEMENTS (all));
  g_array_append_val (lits, lit);
}

/* Asks about every pair. */
static gboolean ask (SatLemmas *l, RspNodeId id, SatLemma lemma) {
  g_autoptr (GArray) lits = g_array_new (FALSE, FALSE, sizeof (Lit));
  const SatRelations *has = lemma == LEMMA_WITHIN ? l->part->relations : l->whole;
  const RspMatrix *may = has->may[id];
  gboolean is_set = rsp_dag_node (l->whole->dag, id)->is_set;
  for (guint a = 0; a < l->whole->n && is_set; a++)
    if (rsp_set_has (may, a))
      add_difference (l, id, lemma, a, 0, lits);
  for (guint a = 0; a < l->whole->n && !is_set; a++)
    for (all_bits (b, rsp_matrix_row (may, a), may->words))
      add_difference (l, id, lemma, a, b, lits);
  return is_impossible (l->whole, lits);
}

/* ---- Lemmas ---- */
SatLemmas *sat_lemmas_without (const SatLemmas *from, const RspMatrix *aside) {
  RspArena *arena = from->whole->fold->arena;
  guint n = from->whole->dag->nodes->len;
  SatLemmas *l = rsp_arena_copy (arena, from, sizeof *from);
  l->aside = aside;
  l->unseen = rsp_matrix_copy (arena, l->part->removable);
  rsp_matrix_union (l->unseen, l->unseen, aside);
  l->seen = rsp_arena_copy (arena, l->part->kept, sizeof (Lit) * l->whole->n);
  for (all_bits (e, aside->bits, aside->words))
    l->seen[e] = LIT_FALSE;
  l->proven = rsp_arena_copy (arena, from->known, n);
  l->known = rsp_arena_new0 (arena, guint8, n + 1);
  l->tried[FALSE] = rsp_arena_new0 (arena, guint8, n + 1);
  l->tried[TRUE] = rsp_arena_new0 (arena, guint8, n + 1);
  if (!rsp_arena_is_exhausted (arena))
    compare_all (l);
  return l;
}

SatLemmas *sat_lemmas_new (const SatPart *part, SatRelations *whole) {
  RspArena *arena = whole->fold->arena;
  const SatLemmas nothing = { .part = part,
                              .whole = whole,
                              .known = rsp_arena_new0 (arena, guint8, whole->dag->nodes->len + 1),
                              .keeps_rf = keeps_rf (part, whole) };
  return sat_lemmas_without (&nothing, rsp_set_new (arena, whole->n));
}

static gboolean prove (SatLemmas *l, RspNodeId id, SatLemma lemma, gboolean pairs) {
  const RspNode *node = rsp_dag_node (l->whole->dag, id);
  gboolean within = lemma == LEMMA_WITHIN;
  if (l->whole->depends[id] || rsp_node_is_leaf (node->op))
    return FALSE;
  if (node->op == RSP_NODE_PLUS && !within && !pairs)
    return bridges_remain (l, id) && steps_remain (l, id);
  const RspNodeForm *form = &rsp_node_forms[node->op];
  SatLemma swapped = (SatLemma) rsp_part_swapped (lemma);
  gboolean operands_hold = form->arity > 0;
  for (guint i = 0; operands_hold && i < form->arity; i++)
    operands_hold
        = sat_lemmas_hold (l, i ? node->b : node->a, form->falls[i] ? swapped : lemma, pairs);
  if (!operands_hold || (within && may_take_aside (l, id)))
    return pairs && ask (l, id, lemma);
  if (within || loses_nothing (l, id))
    return TRUE;
  return node->is_set ? ask (l, id, lemma) : bridges_remain (l, id);
}

gboolean sat_lemmas_know (const SatLemmas *l, RspNodeId id, SatLemma lemma) {
  return (l->known[id] & lemma) != 0;
}

gboolean sat_lemmas_hold (SatLemmas *l, RspNodeId id, SatLemma lemma, gboolean pairs) {
  if ((l->known[id] & lemma) || (l->tried[pairs][id] & lemma))
    return (l->known[id] & lemma) != 0;
  l->tried[pairs][id] |= (guint8) lemma;
  if (prove (l, id, lemma, pairs)) {
    l->proven[id] |= (guint8) lemma;
    compare_all (l);
  }
  return (l->known[id] & lemma) != 0;
}
