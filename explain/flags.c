#include "explain/flags.h"
#include "model/axiom_kind.h"

#include <string.h>

enum {
  MAX_STEPS = 4000,  /* of the search for them */
  MAX_SURVEYED = 200 /* executions from which the one to show is chosen */
};

/* ---- The execution ---- */

/* The pair of events that raise a flag, and the number of events before them. */
typedef struct Place {
  const RspTracedAxiom *axiom;
  guint from, to; /* G_MAXUINT if it is not about a pair */
  guint before;   /* events in program order before either */
} Place;

static gboolean is_raised (const RspTracedAxiom *axiom, const char *flag) {
  gboolean is_flag
      = axiom->role == RSPCHECK_ROLE_FLAG || axiom->role == RSPCHECK_ROLE_UNDEFINED_UNLESS;
  return is_flag && strcmp (axiom->id, flag) == 0
         && axiom->holds == (axiom->role == RSPCHECK_ROLE_FLAG);
}

/* Is the flag raised because a relation is not empty, rather than empty? */
static gboolean is_by_something (const RspTracedAxiom *axiom) {
  return axiom->negated == (axiom->role == RSPCHECK_ROLE_FLAG);
}

static guint events_before (const RspPreExecution *pre, guint a, guint b) {
  const RspMatrix *po = pre->base->relations[RSP_BASE_RELATION_PO];
  guint n = 0;
  for (guint e = 0; e < pre->n; e++)
    n += rsp_matrix_get (po, e, a) || rsp_matrix_get (po, e, b);
  return n;
}

static void consider (Scene *scene, const RspTracedAxiom *axiom, guint a, guint b, guint *least,
                      Place *place) {
  guint before = events_before (scene->execution->pre, a, b);
  guint size = cost_of (scene->steps->sizes, axiom->term, a, b);
  if (before > place->before || (before == place->before && size >= *least))
    return;
  *least = size;
  *place = (Place){ axiom, a, b, before };
}

/* The pair of one axiom with the fewest events before it, and of those the one easiest to show. */
static void look_at_axiom (Scene *scene, const RspTracedAxiom *axiom, Place *place) {
  guint n = scene->execution->pre->n, least = COST_INFINITE;
  for (guint a = 0; a < n; a++)
    for (guint b = 0; b < n; b++) {
      gboolean out = (axiom->term->is_set || rsp_axiom_form (axiom->kind)->reflexive) && a != b;
      if (!out && term_has (axiom->term, a, b))
        consider (scene, axiom, a, b, &least, place);
    }
}

static Place find_place (Scene *scene, const char *flag) {
  Place place = { .from = G_MAXUINT, .to = G_MAXUINT, .before = G_MAXUINT };
  for (guint i = 0; i < scene->trace->n_axioms; i++) {
    const RspTracedAxiom *axiom = &scene->trace->axioms[i];
    if (!is_raised (axiom, flag))
      continue;
    if (!place.axiom)
      place.axiom = axiom;
    if (is_by_something (axiom) && !rsp_axiom_form (axiom->kind)->closed)
      look_at_axiom (scene, axiom, &place);
  }
  return place;
}

typedef struct Choosing {
  Explaining *explaining;
  const char *flag;
  guint n, before;
  const RspExecution *best;
} Choosing;

/* Compares first the number of events before the pair, then the number of derived edges. */
static gboolean choose (gpointer data, const RspExecution *execution) {
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

static void explain_place (Scene *scene, Explaining *explaining, const Place *place,
                           RspFlagReason *reason) {
  g_autoptr (GPtrArray) holds = g_ptr_array_new (), absent = g_ptr_array_new ();
  RspArena *arena = explaining->arena;
  reason->undefined = place->axiom->role == RSPCHECK_ROLE_UNDEFINED_UNLESS;
  reason->from = place->from;
  reason->to = place->to;
  if (place->from != G_MAXUINT)
    part (steps_derive (scene->steps, place->axiom->term, place->from, place->to), holds, absent);
  else if (is_by_something (place->axiom)) {
    RspViolation violation = scene_violation (scene, explaining, place->axiom);
    for (guint i = 0; i < violation.n_steps; i++)
      g_ptr_array_add (holds, (gpointer) violation.steps[i]);
  }
  reason->steps = rsp_arena_copy (arena, holds->pdata, holds->len * sizeof (gpointer));
  reason->n_steps = holds->len;
  reason->absent = rsp_arena_copy (arena, absent->pdata, absent->len * sizeof (gpointer));
  reason->n_absent = absent->len;
}

gboolean reason_of_flag (Scene *scene, Explaining *explaining, const char *flag,
                         RspFlagReason *reason) {
  Place place = find_place (scene, flag);
  *reason = (RspFlagReason){ .flag = rsp_arena_strdup (explaining->arena, flag) };
  if (place.axiom)
    explain_place (scene, explaining, &place, reason);
  return place.axiom != NULL;
}

gboolean flag_explain (Explaining *explaining, const char *flag, RspFlagReason *reason) {
  Choosing choosing = { .explaining = explaining, .flag = flag };
  RspQuestion question = { .raised = flag, .max_steps = MAX_STEPS };
  Scene scene;
  rsp_query_each (explaining->query, &question, choose, &choosing);
  question.max_steps = 0;
  if (!choosing.best)
    choosing.best = rsp_query_find (explaining->query, &question, explaining->scratch, NULL);
  if (!choosing.best || !scene_open (&scene, explaining, choosing.best))
    return FALSE;
  gboolean found = reason_of_flag (&scene, explaining, flag, reason);
  reason->execution = scene_close (&scene, explaining);
  return found;
}
