#include "machine/check/explore.h"

#include "enumerator/options.h"
#include "enumerator/search/states/tally.h"
#include "machine/cost/cost.h"
#include "machine/framework/search.h"

#include <string.h>

enum { DEFAULT_MEMORY = 1 << 30 };

static RspBudget make_budget (const RspExploreOptions *options) {
  return (RspBudget){ .deadline = rsp_deadline_in (options->timeout),
                      .max_memory = options->max_memory ? options->max_memory : DEFAULT_MEMORY };
}

/* The input from which a machine is made. */
typedef enum Purpose { STATES, TRACE, COST } Purpose;

static RspCaches *make_caches (const RspProgram *program, const RspExploreOptions *options,
                               Purpose purpose, RspBudget *budget, RspDiagnostics *diagnostics) {
  RspCachesOptions caches_options
      = { .machine = options->machine,
          .map = options->map,
          .readings = options->readings,
          .tracing = purpose == TRACE,
          .counting = purpose == COST,
          .threads
          = { options->unroll,
              rsp_cas_writes_back (options->cas_writeback, program->language->cas_writeback),
              options->wide_barriers, budget } };
  return rsp_caches_new (program, &caches_options, diagnostics);
}

/* ---- All final states ---- */

typedef struct Collection {
  RspCaches *caches;
  RspExploration *run;
  RspTally *seen; /* counts the number of times */
} Collection;

static void add_final (gpointer user, const RspValue *values) {
  Collection *collection = user;
  rsp_tally_add (collection->seen, values, NULL, 1, 0);
}

static gboolean take_end (gpointer user, guint32 number, RspBytes state, RspEnd end) {
  Collection *collection = user;
  (void) number;
  collection->run->deadlock |= end == RSP_END_STUCK;
  if (end == RSP_END_FINAL)
    rsp_caches_finals (collection->caches, state, add_final, collection);
  return TRUE;
}

/* Counts each state once, whatever the number of interleavings that end in it. */
static void count_once (RspOutcome *outcome) {
  outcome->positive = outcome->negative = 0;
  for (guint i = 0; i < outcome->n_states; i++) {
    outcome->states[i].executions = 1;
    if (outcome->states[i].satisfies)
      outcome->positive++;
    else
      outcome->negative++;
  }
}

static RspcheckStop find_stop (const RspSearch *search, RspBudget *budget,
                               const RspCaches *caches) {
  RspcheckStop stop = rsp_budget_stop (budget);
  if (stop != RSPCHECK_STOP_COMPLETE)
    return stop;
  return search->limited || rsp_caches_too_many_values (caches) ? RSPCHECK_STOP_EXECUTIONS
                                                                : RSPCHECK_STOP_COMPLETE;
}

static void explore (RspExploration *run, RspCaches *caches, const RspExploreOptions *options,
                     RspBudget *budget, RspDiagnostics *diagnostics) {
  RspOutcome *outcome = run->outcome;
  RspSearchOptions search_options = { .max_states = options->max_states, .budget = budget };
  RspTally *tally = rsp_tally_new (outcome->program);
  Collection collection = { caches, run, tally };
  g_autoptr (RspSearch) search
      = rsp_search_run (rsp_caches_system (caches), &search_options, take_end, &collection);
  run->states = outcome->statistics.nodes = rsp_store_count (search->store);
  run->steps = search->steps;
  run->bytes = rsp_store_size (search->store);
  outcome->stop = find_stop (search, budget, caches);
  outcome->loop = rsp_caches_is_truncated (caches);
  rsp_tally_finish (tally, budget, outcome);
  rsp_tally_free (tally);
  count_once (outcome);
  if (search->violated)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "test %s: the machine breaks its invariant: %s",
               outcome->program->name, search->violated);
  const char *failure;
  if (!rsp_caches_report (caches, &failure, diagnostics) || search->violated)
    outcome->stop = RSPCHECK_STOP_ERROR;
  outcome->failure = failure ? rsp_arena_strdup (outcome->arena, failure) : NULL;
}

RspExploration *rsp_exploration_new (const RspProgram *program, const RspExploreOptions *options,
                                     RspDiagnostics *diagnostics) {
  RspExploration *run = g_new0 (RspExploration, 1);
  run->outcome = g_new0 (RspOutcome, 1);
  run->outcome->program = program;
  run->outcome->stop = RSPCHECK_STOP_ERROR;
  RspBudget budget = make_budget (options);
  g_autoptr (RspCaches) caches = make_caches (program, options, STATES, &budget, diagnostics);
  if (caches)
    explore (run, caches, options, &budget, diagnostics);
  else
    run->outcome->arena = rsp_arena_new ();
  if (run->outcome->loop)
    rsp_warning (diagnostics, RSP_NOWHERE, "-unroll N allows more rounds",
                 "test %s: some loop needs more than %u rounds; executions that do are left out",
                 program->name, options->unroll);
  return run;
}

void rsp_exploration_free (RspExploration *run) {
  if (!run)
    return;
  rsp_outcome_free (run->outcome);
  g_free (run);
}

/* Do the values show the outcome's state? */
static gboolean show (const RspValue *values, const RspOutcome *outcome,
                      const RspStateCount *state) {
  for (guint k = 0; k < outcome->n_printed; k++)
    if (!rsp_value_equal (values[outcome->printed[k]], rsp_outcome_value (outcome, state, k)))
      return FALSE;
  return TRUE;
}

/* ---- A trace ---- */

typedef struct Chase {
  RspCaches *caches;
  const RspOutcome *outcome;
  const RspStateCount *sought; /* NULL: a deadlock */
  gboolean is_it;
  guint32 found;
} Chase;

static void compare_final (gpointer user, const RspValue *values) {
  Chase *chase = user;
  chase->is_it |= show (values, chase->outcome, chase->sought);
}

static gboolean look_at_end (gpointer user, guint32 number, RspBytes state, RspEnd end) {
  Chase *chase = user;
  if (!chase->sought)
    chase->is_it = end == RSP_END_STUCK;
  else if (end == RSP_END_FINAL)
    rsp_caches_finals (chase->caches, state, compare_final, chase);
  chase->found = number;
  return !chase->is_it;
}

gboolean rsp_exploration_trace (const RspProgram *program, const RspExploreOptions *options,
                                const RspExploration *run, guint state, GString *out) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspBudget budget = make_budget (options);
  g_autoptr (RspCaches) caches = make_caches (program, options, TRACE, &budget, diagnostics);
  RspSearchOptions search_options
      = { .breadth_first = TRUE, .max_states = options->max_states, .budget = &budget };
  Chase chase = { .caches = caches,
                  .outcome = run->outcome,
                  .sought = state == G_MAXUINT ? NULL : &run->outcome->states[state] };
  if (!caches)
    return FALSE;
  g_autoptr (RspSearch) search
      = rsp_search_run (rsp_caches_system (caches), &search_options, look_at_end, &chase);
  if (chase.is_it)
    rsp_search_describe (rsp_caches_system (caches), search, chase.found, out);
  return chase.is_it;
}

/* ---- The bill ---- */

typedef struct Sieve {
  RspCaches *caches;
  const RspOutcome *outcome;
  const gboolean *allowed;
  gboolean passes;
} Sieve;

static void sift_final (gpointer user, const RspValue *values) {
  Sieve *sieve = user;
  const RspOutcome *outcome = sieve->outcome;
  for (guint i = 0; i < outcome->n_states; i++)
    sieve->passes |= sieve->allowed[i] && show (values, outcome, &outcome->states[i]);
}

static gboolean counts (gpointer user, RspBytes state) {
  Sieve *sieve = user;
  sieve->passes = FALSE;
  rsp_caches_finals (sieve->caches, state, sift_final, sieve);
  return sieve->passes;
}

gboolean rsp_exploration_cost (const RspProgram *program, const RspExploreOptions *options,
                               const RspExploration *exploration, const gboolean *allowed,
                               GString *out) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspBudget budget = make_budget (options);
  RspExploreOptions own = *options;
  own.readings.fetch = FETCH_DEMAND;
  g_autoptr (RspCaches) caches = make_caches (program, &own, COST, &budget, diagnostics);
  if (!caches)
    return FALSE;
  RspSearchOptions search_options = { .max_states = options->max_states, .budget = &budget };
  Sieve sieve = { caches, exploration->outcome, allowed, FALSE };
  RspCost cost;
  if (!rsp_cost_measure (rsp_caches_system (caches), &search_options, counts, &sieve, &cost))
    return FALSE;
  if (cost.executions > 0)
    rsp_cost_format (&cost, 0, RSP_BILL_WRITE_BACK, out);
  return TRUE;
}
