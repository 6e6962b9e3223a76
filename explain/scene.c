#include "explain/scene.h"
#include "model/axiom_kind.h"
#include "model/stage/stage.h"

#include "explain/view.h"

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

static void derive_reflexive (Scene *scene, const RspTraceTerm *relation, GPtrArray *steps) {
  guint n = relation->value->n, best = 0, least = COST_INFINITE;
  for (guint x = 0; x < n; x++) {
    guint cost = cost_of (scene->steps->sizes, relation, x, x);
    if (term_has (relation, x, x) && cost < least) {
      least = cost;
      best = x;
    }
  }
  if (least < COST_INFINITE)
    g_ptr_array_add (steps, (gpointer) steps_derive (scene->steps, relation, best, best));
}

/* The pair with a shortest derivation in a term; FALSE if it is empty. */
static gboolean least_pair (Scene *scene, const RspTraceTerm *term, guint *a, guint *b) {
  guint n = scene->execution->pre->n, least = COST_INFINITE;
  for (guint x = 0; x < n; x++)
    for (guint y = 0; y < (term->is_set ? 1 : n); y++) {
      guint to = term->is_set ? x : y;
      if (!term_has (term, x, to) || cost_of (scene->steps->sizes, term, x, to) >= least)
        continue;
      least = cost_of (scene->steps->sizes, term, x, to);
      *a = x;
      *b = to;
    }
  return least < COST_INFINITE;
}

static void derive_pair (Scene *scene, const RspTraceTerm *term, GPtrArray *steps) {
  guint a, b;
  if (least_pair (scene, term, &a, &b))
    g_ptr_array_add (steps, (gpointer) steps_derive (scene->steps, term, a, b));
}

static void derive_forbidden (Scene *scene, const RspTracedAxiom *axiom, GPtrArray *steps) {
  const RspAxiomForm *form = rsp_axiom_form (axiom->kind);
  if (form->closed)
    derive_cycle (scene, axiom->term, steps);
  else if (form->reflexive)
    derive_reflexive (scene, axiom->term, steps);
  else
    derive_pair (scene, axiom->term, steps);
}

static const char *file_name (RspArena *arena, RspSpan span) {
  g_autofree char *name = span.source ? g_path_get_basename (span.source->name) : NULL;
  return rsp_arena_strdup (arena, name ? name : "?");
}

RspViolation scene_violation (Scene *scene, Explaining *explaining, const RspTracedAxiom *axiom) {
  RspArena *arena = explaining->arena;
  g_autoptr (GPtrArray) steps = g_ptr_array_new ();
  g_autoptr (GString) relation = g_string_new (NULL);
  rsp_trace_term_format (axiom->term, relation);
  if (!axiom->negated)
    derive_forbidden (scene, axiom, steps);
  return (RspViolation){ .axiom = rsp_arena_strdup (arena, axiom->id),
                         .kind = axiom->kind,
                         .negated = axiom->negated,
                         .line = axiom->span.source ? rsp_span_line (axiom->span) : 0,
                         .file = file_name (arena, axiom->span),
                         .relation = rsp_arena_strdup (arena, relation->str),
                         .steps
                         = rsp_arena_copy (arena, steps->pdata, steps->len * sizeof (gpointer)),
                         .n_steps = steps->len };
}
