/* Explanations of an answer: a witness, violations, the events of flags. */
#include "enumerator/values/values.h"
#include "explain/explain.h"
#include "explain/internal.h"
#include "model/matrix.h"
#include "model/stage/stage.h"
#include "parser/program.h"

#include <string.h>

/* ---- Orders --------------------------------------------------------------------------------- */

/* The edges of the model's own orders between the threads of an execution. */

typedef struct Finding {
  GHashTable *seen;   /* terms */
  GPtrArray *found;   /* of RspTraceTerm: orders */
  RspMatrix *scratch; /* n × n */
  const RspMatrix *po;
} Finding;

static gboolean is_in_field (const RspMatrix *relation, guint event) {
  for (guint e = 0; e < relation->n; e++)
    if (rsp_matrix_get (relation, e, event) || rsp_matrix_get (relation, event, e))
      return TRUE;
  return FALSE;
}

/* Does the relation contain program order on its events? Coherence, for example, does not. */
static gboolean has_program_order (const Finding *finding, const RspMatrix *relation) {
  gboolean any = FALSE;
  for (guint a = 0; a < relation->n; a++)
    for (all_bits (b, rsp_matrix_row (finding->po, a), finding->po->words))
      if (is_in_field (relation, a) && is_in_field (relation, b)) {
        any = TRUE;
        if (!rsp_matrix_get (relation, a, b))
          return FALSE;
      }
  return any;
}

/* Collects the orders that the model names, among a term and its operands. */
static void find_orders (Finding *finding, const RspTraceTerm *term) {
  if (!g_hash_table_add (finding->seen, (gpointer) term))
    return;
  gboolean defined = term->name && !term->is_set && term->op != RSP_TRACE_BASE
                     && term->op != RSP_TRACE_CHOSEN && term->op != RSP_TRACE_VALUE;
  if (defined) {
    rsp_relation_compose (finding->scratch, term->value, term->value);
    gboolean strict = rsp_matrix_count (term->value) > 0
                      && rsp_relation_is_irreflexive (term->value)
                      && rsp_matrix_subset (finding->scratch, term->value);
    if (strict && has_program_order (finding, term->value))
      g_ptr_array_add (finding->found, (gpointer) term);
  }
  for (guint i = 0; i < rsp_trace_op_arity (term->op); i++)
    find_orders (finding, term->operands[i]);
}

/* Is the order within another one, or the same as one before it? */
static gboolean is_within_another (const GPtrArray *found, guint i) {
  const RspTraceTerm *term = found->pdata[i];
  for (guint k = 0; k < found->len; k++) {
    const RspTraceTerm *other = found->pdata[k];
    gboolean same = rsp_matrix_equal (term->value, other->value);
    if (k != i && rsp_matrix_subset (term->value, other->value) && (!same || k < i))
      return TRUE;
  }
  return FALSE;
}

static void orders_derive (Scene *scene, GPtrArray *steps) {
  const RspPreExecution *pre = scene->execution->pre;
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  RspMatrix *twice = rsp_relation_new (scene->arena, pre->n);
  Finding finding = { seen, found, twice, pre->base->relations[RSP_BASE_RELATION_PO] };
  for (guint i = 0; i < scene->trace->n_axioms; i++)
    if (scene->trace->axioms[i].role == RSPCHECK_ROLE_AXIOM)
      find_orders (&finding, scene->trace->axioms[i].term);
  for (guint i = 0; i < found->len; i++) {
    const RspTraceTerm *order = found->pdata[i];
    rsp_relation_compose (twice, order->value, order->value);
    for (guint a = 0; a < pre->n && !is_within_another (found, i); a++)
      for (all_bits (b, rsp_matrix_row (order->value, a), order->value->words)) {
        guint from = pre->events[a]->thread, to = pre->events[b]->thread;
        if (from != to && from != RSP_NO_THREAD && to != RSP_NO_THREAD
            && !rsp_matrix_get (twice, a, b))
          g_ptr_array_add (steps, (gpointer) steps_derive (scene->steps, order, a, b));
      }
  }
}

/* ---- Scene ---------------------------------------------------------------------------------- */

Explaining explaining_open (RspQuery *query, const RspModel *model, const RspCheckOptions *options,
                            RspArena *arena, RspDiagnostics *diagnostics) {
  return (Explaining){ .model = model,
                       .options = options,
                       .query = query,
                       .arena = arena,
                       .scratch = rsp_arena_new (),
                       .diagnostics = diagnostics };
}

void explaining_close (Explaining *explaining) {
  rsp_query_free (explaining->query);
  rsp_arena_free (explaining->scratch);
}

gboolean scene_open (Scene *scene, Explaining *explaining, const RspExecution *execution) {
  RspBase base = *execution->pre->base;
  base.rf = execution->rf;
  base.co = execution->co;
  base.orders = execution->orders;
  base.n_orders = execution->n_orders;
  RspStageOptions options = { .skipped_checks = explaining->options->skipped_checks,
                              .budget = rsp_query_budget (explaining->query) };
  *scene = (Scene){ .arena = rsp_arena_new (), .execution = execution };
  scene->trace = rsp_model_trace (explaining->model, &base, execution->script, execution->n_script,
                                  &options, scene->arena, explaining->diagnostics);
  if (scene->trace)
    scene->steps = steps_new (execution->pre, explaining->arena);
  else
    rsp_arena_free (scene->arena);
  return scene->trace != NULL;
}

const RspExecutionView *scene_close (Scene *scene, Explaining *explaining) {
  const RspExecutionView *view
      = view_new (scene->execution, scene->trace, scene->steps->mentioned, explaining->arena);
  steps_free (scene->steps);
  rsp_arena_free (scene->arena);
  return view;
}

/* ---- Violations ---- */
/* The edges of a shortest cycle. */
static void derive_cycle (Scene *scene, const RspTraceTerm *relation, GPtrArray *steps) {
  Costs *sizes = scene->steps->sizes;
  guint n = relation->value->n, first = 0, least = COST_INFINITE;
  const guint *paths = costs_of_paths (sizes, relation);
  for (guint x = 0; x < n; x++)
    if (paths[x * n + x] < least) {
      least = paths[x * n + x];
      first = x;
    }
  if (least == COST_INFINITE)
    return;
  guint at = first;
  do {
    guint next = costs_next (sizes, relation, at, first);
    g_ptr_array_add (steps, (gpointer) steps_derive (scene->steps, relation, at, next));
    at = next;
  } while (at != first);
}

/* The pair with a shortest derivation in a term, or of an event and itself; FALSE if it has none.
 */
static gboolean least_pair (Scene *scene, const RspTraceTerm *term, gboolean reflexive, guint *a,
                            guint *b) {
  guint n = scene->execution->pre->n, least = COST_INFINITE;
  reflexive |= term->is_set;
  for (guint x = 0; x < n; x++)
    for (guint y = reflexive ? x : 0; y < (reflexive ? x + 1 : n); y++) {
      if (!term_has (term, x, y) || cost_of (scene->steps->sizes, term, x, y) >= least)
        continue;
      least = cost_of (scene->steps->sizes, term, x, y);
      *a = x;
      *b = y;
    }
  return least < COST_INFINITE;
}

RspViolation scene_violation (Scene *scene, Explaining *explaining, const RspTracedAxiom *axiom) {
  RspArena *arena = explaining->arena;
  g_autoptr (GPtrArray) steps = g_ptr_array_new ();
  g_autoptr (GString) relation = g_string_new (NULL);
  g_autofree char *file
      = axiom->span.source ? g_path_get_basename (axiom->span.source->name) : g_strdup ("?");
  rsp_trace_term_format (axiom->term, relation);
  if (!axiom->negated) {
    /* Derives what the axiom forbids, in the fewest steps: a cycle, an edge from an event to
     * itself, any pair. */
    const RspAxiomForm *form = rsp_axiom_form (axiom->kind);
    guint a, b;
    if (form->closed)
      derive_cycle (scene, axiom->term, steps);
    else if (least_pair (scene, axiom->term, form->reflexive, &a, &b))
      g_ptr_array_add (steps, (gpointer) steps_derive (scene->steps, axiom->term, a, b));
  }
  return (RspViolation){ .axiom = rsp_arena_strdup (arena, axiom->id),
                         .kind = axiom->kind,
                         .negated = axiom->negated,
                         .line = axiom->span.source ? rsp_span_line (axiom->span) : 0,
                         .file = rsp_arena_strdup (arena, file),
                         .relation = rsp_arena_strdup (arena, relation->str),
                         .steps
                         = rsp_arena_copy (arena, steps->pdata, steps->len * sizeof (gpointer)),
                         .n_steps = steps->len };
}

/* ---- Flags ---------------------------------------------------------------------------------- */

enum {
  MAX_STEPS = 4000,  /* of the search for them */
  MAX_SURVEYED = 200 /* executions from which the one to show is chosen */
};

/* ---- The execution ---- */
/* The pair of events that raises a flag. */
typedef struct Place {
  const RspTracedAxiom *axiom;
  guint from, to; /* G_MAXUINT: the axiom is not about a pair */
  guint before;   /* events in program order before either */
} Place;

static gboolean is_raised (const RspTracedAxiom *axiom, const char *flag) {
  gboolean is_flag
      = axiom->role == RSPCHECK_ROLE_FLAG || axiom->role == RSPCHECK_ROLE_UNDEFINED_UNLESS;
  return is_flag && strcmp (axiom->id, flag) == 0
         && axiom->holds == (axiom->role == RSPCHECK_ROLE_FLAG);
}

/* Is the flag raised by pairs that exist, rather than by their absence? */
static gboolean is_by_something (const RspTracedAxiom *axiom) {
  return axiom->negated == (axiom->role == RSPCHECK_ROLE_FLAG);
}

/* Prefers the pair with fewer events before it, then the one with the shorter derivation. */
static void consider (Scene *scene, const RspTracedAxiom *axiom, guint a, guint b, guint *least,
                      Place *place) {
  const RspMatrix *po = scene->execution->pre->base->relations[RSP_BASE_RELATION_PO];
  guint before = 0;
  for (guint e = 0; e < scene->execution->pre->n; e++)
    before += rsp_matrix_get (po, e, a) || rsp_matrix_get (po, e, b);
  guint size = cost_of (scene->steps->sizes, axiom->term, a, b);
  if (before > place->before || (before == place->before && size >= *least))
    return;
  *least = size;
  *place = (Place){ axiom, a, b, before };
}

typedef struct Choosing {
  Explaining *explaining;
  guint n, before;
  const RspExecution *best;
} Choosing;

/* Prefers the execution with fewer events, then the one with fewer derived edges. */
static gboolean choose_execution (gpointer data, const RspExecution *execution) {
  Choosing *choosing = data;
  guint events = execution->pre->n - execution->pre->first[0];
  gboolean better
      = !choosing->best || events < choosing->before
        || (events == choosing->before && execution->n_derived < choosing->best->n_derived);
  if (better) {
    choosing->best = rsp_execution_copy (execution, choosing->explaining->scratch);
    choosing->before = events;
  }
  return ++choosing->n < MAX_SURVEYED;
}

/* ---- Reasons ---- */
/* Splits a step into what holds and what does not, through all levels of "a \ b" and "a & b". */
static void part (const RspStep *step, GPtrArray *holds, GPtrArray *absent) {
  if (step->absent)
    g_ptr_array_add (absent, (gpointer) step);
  else if (step->as == RSP_TRACE_DIFFERENCE || step->as == RSP_TRACE_INTERSECTION
           || step->as == RSP_TRACE_ALIAS)
    for (guint i = 0; i < step->n_steps; i++)
      part (step->steps[i], holds, absent);
  else
    g_ptr_array_add (holds, (gpointer) step);
}

gboolean reason_of_flag (Scene *scene, Explaining *explaining, const char *flag,
                         RspFlagReason *reason) {
  Place place = { .from = G_MAXUINT, .to = G_MAXUINT, .before = G_MAXUINT };
  for (guint i = 0; i < scene->trace->n_axioms; i++) {
    const RspTracedAxiom *axiom = &scene->trace->axioms[i];
    if (!is_raised (axiom, flag))
      continue;
    if (!place.axiom)
      place.axiom = axiom;
    if (is_by_something (axiom) && !rsp_axiom_form (axiom->kind)->closed) {
      guint n = scene->execution->pre->n, least = COST_INFINITE;
      for (guint a = 0; a < n; a++)
        for (guint b = 0; b < n; b++) {
          gboolean out = (axiom->term->is_set || rsp_axiom_form (axiom->kind)->reflexive) && a != b;
          if (!out && term_has (axiom->term, a, b))
            consider (scene, axiom, a, b, &least, &place);
        }
    }
  }
  *reason = (RspFlagReason){ .flag = rsp_arena_strdup (explaining->arena, flag) };
  if (place.axiom) {
    g_autoptr (GPtrArray) holds = g_ptr_array_new (), absent = g_ptr_array_new ();
    RspArena *arena = explaining->arena;
    reason->undefined = place.axiom->role == RSPCHECK_ROLE_UNDEFINED_UNLESS;
    reason->from = place.from;
    reason->to = place.to;
    if (place.from != G_MAXUINT)
      part (steps_derive (scene->steps, place.axiom->term, place.from, place.to), holds, absent);
    else if (is_by_something (place.axiom)) {
      RspViolation violation = scene_violation (scene, explaining, place.axiom);
      for (guint i = 0; i < violation.n_steps; i++)
        g_ptr_array_add (holds, (gpointer) violation.steps[i]);
    }
    reason->steps = rsp_arena_copy (arena, holds->pdata, holds->len * sizeof (gpointer));
    reason->n_steps = holds->len;
    reason->absent = rsp_arena_copy (arena, absent->pdata, absent->len * sizeof (gpointer));
    reason->n_absent = absent->len;
  }
  return place.axiom != NULL;
}

/* FALSE if no execution raises the flag, or the budget is exhausted. */
static gboolean explain_flag (Explaining *explaining, const char *flag, RspFlagReason *reason) {
  Choosing choosing = { .explaining = explaining };
  RspQuestion question = { .raised = flag, .max_steps = MAX_STEPS };
  Scene scene;
  rsp_query_each (explaining->query, &question, choose_execution, &choosing);
  question.max_steps = 0;
  if (!choosing.best)
    choosing.best = rsp_query_find (explaining->query, &question, explaining->scratch, NULL);
  if (!choosing.best || !scene_open (&scene, explaining, choosing.best))
    return FALSE;
  gboolean found = reason_of_flag (&scene, explaining, flag, reason);
  reason->execution = scene_close (&scene, explaining);
  return found;
}

/* ---- Explain -------------------------------------------------------------------------------- */

enum {
  MAX_WITNESSES = 200, /* allowed executions from which the one to show is chosen */
  MAX_CANDIDATES = 400 /* candidates that are examined one by one */
};

/* ---- Allowed ---- */
/* found: an execution, which is shown if the survey finds none in its budget. */
static void view_witness (Explaining *explaining, const RspProp *outcome, const RspExecution *found,
                          RspExplanation *explanation) {
  RspQuestion question = { .outcome = outcome };
  Survey *survey = survey_new (explaining, &question, MAX_WITNESSES);
  if (survey->groups->len)
    found = ((const SurveyGroup *) survey->groups->pdata[0])->least;
  g_autoptr (GPtrArray) steps = g_ptr_array_new ();
  Scene scene;
  if (scene_open (&scene, explaining, found)) {
    orders_derive (&scene, steps);
    explanation->witness = scene_close (&scene, explaining);
  }
  explanation->steps
      = rsp_arena_copy (explaining->arena, steps->pdata, steps->len * sizeof (gpointer));
  explanation->n_steps = steps->len;
  survey_free (survey);
}

/* ---- Forbidden ---- */
static gboolean explain_blame (Explaining *explaining, const BlameSet *set, RspBlame *blame) {
  Scene scene;
  if (!scene_open (&scene, explaining, set->execution))
    return FALSE;
  RspViolation *violations = rsp_arena_new0 (explaining->arena, RspViolation, set->n);
  for (guint i = 0; i < set->n; i++)
    for (guint k = 0; k < scene.trace->n_axioms; k++) {
      const RspTracedAxiom *axiom = &scene.trace->axioms[k];
      if (axiom->role == RSPCHECK_ROLE_AXIOM && !axiom->holds
          && g_str_equal (axiom->id, set->axioms[i])) {
        violations[blame->n_violations++] = scene_violation (&scene, explaining, axiom);
        break;
      }
    }
  blame->axioms = rsp_names_copy ((const char *const *) set->axioms, explaining->arena);
  blame->candidates = set->candidates;
  blame->violations = violations;
  blame->execution = scene_close (&scene, explaining);
  return TRUE;
}

/* ---- Outcomes ---- */
static const char *stop_reason (RspcheckStop stop) {
  switch (stop) {
  case RSPCHECK_STOP_TIMEOUT:
    return "the time ran out";
  case RSPCHECK_STOP_MEMORY:
    return "the memory ran out";
  case RSPCHECK_STOP_COMPLETE:
  case RSPCHECK_STOP_FOUND:
  case RSPCHECK_STOP_EXECUTIONS:
  case RSPCHECK_STOP_ERROR:
    break;
  }
  return "the model failed on this test";
}

static void explain_not_allowed (Explaining *explaining, const RspProp *outcome,
                                 RspExplanation *explanation) {
  RspQuestion question = { .outcome = outcome, .any_others = TRUE };
  Survey *survey = survey_new (explaining, &question, MAX_CANDIDATES);
  gboolean any = survey->groups->len
                 || (!survey->complete
                     && rsp_query_find (explaining->query, &question, explaining->scratch, NULL));
  explanation->answer = any ? RSPCHECK_ANSWER_FORBIDDEN : RSPCHECK_ANSWER_UNREACHABLE;
  if (any) {
    g_autoptr (GPtrArray) sets
        = blame_find (explaining, outcome, survey, &explanation->more_blames);
    RspBlame *blames = rsp_arena_new0 (explaining->arena, RspBlame, sets->len);
    for (guint i = 0; i < sets->len; i++)
      if (explain_blame (explaining, sets->pdata[i], &blames[explanation->n_blames]))
        explanation->n_blames++;
      else
        explanation->more_blames = TRUE;
    explanation->blames = blames;
  } else if (rsp_query_stop (explaining->query) == RSPCHECK_STOP_COMPLETE)
    explanation->reasons = unreachable_reasons (explaining, outcome);
  survey_free (survey);
}

/* never: has a check shown that no execution has the outcome? */
static RspExplanation explain_outcome (Explaining *explaining, const RspProp *outcome,
                                       gboolean never, const char *text) {
  static const char *const none[] = { NULL };
  RspExplanation explanation
      = { .question = rsp_arena_strdup (explaining->arena, text), .reasons = (const char **) none };
  RspQuestion question = { .outcome = outcome };
  const RspExecution *found
      = never ? NULL : rsp_query_find (explaining->query, &question, explaining->scratch, NULL);
  static const char *const depends[] = {
    "Whether it does depends on what its undetermined values (`S1`) are: some give this outcome.",
    NULL
  };
  if (found
      && rsp_state_truth (rsp_query_program (explaining->query), outcome, found->state) == RSP_OPEN)
    explanation.reasons = (const char **) depends;
  if (found)
    view_witness (explaining, outcome, found, &explanation);
  else if (rsp_query_stop (explaining->query) == RSPCHECK_STOP_COMPLETE)
    explain_not_allowed (explaining, outcome, &explanation);
  if (rsp_query_stop (explaining->query) != RSPCHECK_STOP_COMPLETE) {
    const char **reasons = rsp_arena_new0 (explaining->arena, const char *, 2);
    reasons[0] = stop_reason (rsp_query_stop (explaining->query));
    explanation.answer = RSPCHECK_ANSWER_UNKNOWN;
    explanation.reasons = reasons;
  }
  return explanation;
}

static void explain_prop (Explaining *explaining, const RspProp *outcome, gboolean never,
                          RspExplanations *all) {
  g_autoptr (GString) text = g_string_new (NULL);
  RspExplanation *more = rsp_arena_new0 (all->arena, RspExplanation, all->n_outcomes + 1);
  rsp_prop_format (outcome, text);
  for (guint i = 0; i < all->n_outcomes; i++)
    more[i] = all->outcomes[i];
  more[all->n_outcomes++] = explain_outcome (explaining, outcome, never, text->str);
  all->outcomes = more;
}

static void explain_flags (Explaining *explaining, const RspOutcome *checked,
                           RspExplanations *all) {
  RspFlagReason *more
      = rsp_arena_new0 (all->arena, RspFlagReason, all->n_flags + checked->n_flags + 1);
  for (guint i = 0; i < all->n_flags; i++)
    more[i] = all->flags[i];
  all->flags = more;
  for (guint i = 0; i < checked->n_flags; i++)
    if (checked->flags[i].raised && rsp_query_stop (explaining->query) == RSPCHECK_STOP_COMPLETE
        && explain_flag (explaining, checked->flags[i].name, &more[all->n_flags]))
      all->n_flags++;
}

void rsp_explain (RspExplanations *all, const RspProgram *program, const RspModel *model,
                  const RspCheckOptions *options, const RspOutcome *checked,
                  RspDiagnostics *diagnostics) {
  Explaining explaining = explaining_open (rsp_query_new_consulting (program, model, options),
                                           model, options, all->arena, diagnostics);
  RspProp negation = { .kind = RSP_PROP_NOT, .a = program->condition };
  gboolean exact = checked && checked->stop == RSPCHECK_STOP_COMPLETE
                   && explaining.options->speedcheck == RSPCHECK_SPEED_EXACT;
  explain_prop (&explaining, program->condition, exact && !rsp_outcome_may_hold (checked), all);
  if (program->quantifier == RSP_FORALL)
    explain_prop (&explaining, &negation, exact && !rsp_outcome_may_fail (checked), all);
  if (checked)
    explain_flags (&explaining, checked, all);
  explaining_close (&explaining);
}

void rsp_explain_flags (RspExplanations *all, const RspProgram *program, const RspModel *model,
                        const RspCheckOptions *options, const RspOutcome *checked,
                        RspDiagnostics *diagnostics) {
  Explaining explaining = explaining_open (rsp_query_new_consulting (program, model, options),
                                           model, options, all->arena, diagnostics);
  explain_flags (&explaining, checked, all);
  explaining_close (&explaining);
}
