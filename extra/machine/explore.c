/* The search of a machine's states, and the costs of its executions. */
#include "enumerator/outcome.h"
#include "enumerator/search/search.h"
#include "extra/machine/explore.h"
#include "extra/machine/internal.h"
#include "extra/machine/machine.h"

#include <math.h>
#include <string.h>

/* ---- Costs ---------------------------------------------------------------------------------- */

/* Dynamic programming: the account of a state sums up all paths to it. States are expanded in the
 * order of their progress, so an account is complete when its state is expanded, and both are
 * dropped afterwards. */

enum {
  LOOK_AT_CLOCK = 1 << 10 /* states */
};

/* The account of a state: over all paths from the start to it. */
typedef struct Account {
  double ways;
  double sum[RSP_N_BILL_ITEMS];
  guint32 least[RSP_N_BILL_ITEMS], most[RSP_N_BILL_ITEMS];
} Account;

/* The known states of equal progress. */
typedef struct Layer {
  RspStore *store;
  GArray *accounts; /* of Account, by the state's number */
} Layer;

typedef struct Pass {
  const RspSystem *system;
  const RspSearchOptions *options;
  RspCostCounts counts;
  gpointer user;
  GTree *layers; /* progress → Layer */
  guint64 states;
  guint n_clocks; /* each work-item's cycles so far stand behind a state's bytes in its layer */
  GByteArray *timed;
  gsize held; /* bytes in layers */
  gboolean failed;
  Account all; /* of the ends that are measured */
  RspSuccessors successors;
} Pass;

/* ---- Layers ---- */
static gint compare_progress (gconstpointer x, gconstpointer y, gpointer user) {
  guint64 a = *(const guint64 *) x, b = *(const guint64 *) y;
  (void) user;
  return a < b ? -1 : a > b;
}

static void layer_free (gpointer user) {
  Layer *layer = user;
  rsp_store_free (layer->store);
  g_array_unref (layer->accounts);
  g_free (layer);
}

static gsize layer_size (const Layer *layer) {
  return rsp_store_size (layer->store) + layer->accounts->len * sizeof (Account);
}

/* ---- Accounts ---- */
/* Adds a state's paths, each with one more step. */
static void add_ways (Account *to, const Account *from, const RspBill *bill) {
  for (guint i = 0; i < RSP_N_BILL_ITEMS; i++) {
    guint32 least = from->least[i] + bill->n[i], most = from->most[i] + bill->n[i];
    to->least[i] = to->ways > 0 ? MIN (to->least[i], least) : least;
    to->most[i] = MAX (to->most[i], most);
    to->sum[i] += from->sum[i] + bill->n[i] * from->ways;
  }
  to->ways += from->ways;
}

/* The state with its clocks behind it: the old ones (NULL: 0), advanced by the bill. Valid until
 * the next call. */
static RspBytes with_clocks (Pass *pass, RspBytes state, const guint8 *clocks,
                             const RspBill *bill) {
  guint32 cycles[RSP_MOST_TIMED] = { 0 };
  if (clocks)
    memcpy (cycles, clocks, pass->n_clocks * sizeof *cycles);
  for (guint t = 0; t < pass->n_clocks; t++)
    cycles[t] += bill->cycles[t];
  g_byte_array_set_size (pass->timed, 0);
  g_byte_array_append (pass->timed, state.data, (guint) state.size);
  g_byte_array_append (pass->timed, (const guint8 *) cycles,
                       (guint) (pass->n_clocks * sizeof *cycles));
  return (RspBytes){ pass->timed->data, pass->timed->len };
}

static void add_reached (Pass *pass, RspBytes state, guint64 progress, const Account *from,
                         const RspBill *bill) {
  Layer *layer = g_tree_lookup (pass->layers, &progress);
  if (!layer) {
    layer = g_new0 (Layer, 1);
    layer->store = rsp_store_new ();
    layer->accounts = g_array_new (FALSE, TRUE, sizeof (Account));
    pass->held += layer_size (layer);
    g_tree_insert (pass->layers, g_memdup2 (&progress, sizeof progress), layer);
  }
  gsize before = layer_size (layer);
  gboolean is_new;
  guint32 number = rsp_store_add (layer->store, state, RSP_NO_STATE, &is_new);
  if (is_new) {
    g_array_set_size (layer->accounts, number + 1);
    pass->states++;
  }
  add_ways (&g_array_index (layer->accounts, Account, number), from, bill);
  pass->held += layer_size (layer) - before;
}

/* ---- The pass ---- */
static void expand (Pass *pass, RspBytes timed, guint64 progress, const Account *account) {
  const RspSystem *system = pass->system;
  RspBytes state = { timed.data, timed.size - pass->n_clocks * sizeof (guint32) };
  const guint8 *clocks = timed.data + state.size;
  rsp_successors_reset (&pass->successors);
  RspEnd end = system->expand (system->data, state, &pass->successors);
  if (end == RSP_END_FINAL && (!pass->counts || pass->counts (pass->user, state))) {
    Account last = *account;
    /* The largest of a state's clocks. */
    guint32 longest = 0;
    for (guint t = 0; t < pass->n_clocks; t++) {
      guint32 cycles;
      memcpy (&cycles, clocks + t * sizeof cycles, sizeof cycles);
      longest = MAX (longest, cycles);
    }
    last.least[RSP_BILL_CRITICAL] = last.most[RSP_BILL_CRITICAL] = longest;
    last.sum[RSP_BILL_CRITICAL] = account->ways * last.most[RSP_BILL_CRITICAL];
    add_ways (&pass->all, &last, &(RspBill){ { 0 }, { 0 } });
  }
  for (guint i = 0; i < rsp_successors_count (&pass->successors); i++) {
    RspBytes next = rsp_successors_get (&pass->successors, i);
    guint64 further = system->progress (system->data, next);
    g_assert (further > progress);
    const RspBill *bill = rsp_successors_bill (&pass->successors, i);
    add_reached (pass, with_clocks (pass, next, clocks, bill), further, account, bill);
  }
}

static gboolean is_within_limits (Pass *pass, guint64 expanded) {
  guint64 limit = pass->options->max_states;
  pass->failed |= limit && pass->states > limit;
  if (expanded % LOOK_AT_CLOCK == 0) {
    rsp_budget_limit_part (pass->options->budget, pass->held);
    pass->failed |= rsp_budget_is_exhausted (pass->options->budget);
  }
  return !pass->failed;
}

gboolean rsp_cost_measure (const RspSystem *system, const RspSearchOptions *options, guint n_clocks,
                           RspCostCounts counts, gpointer user, RspCost *cost) {
  g_autoptr (GByteArray) state = g_byte_array_sized_new (1);
  g_autoptr (GByteArray) timed = g_byte_array_new ();
  RspBill bill = { { 0 }, { 0 } };
  Pass pass = { .system = system,
                .options = options,
                .n_clocks = n_clocks,
                .timed = timed,
                .counts = counts,
                .user = user };
  pass.layers = g_tree_new_full (compare_progress, NULL, g_free, layer_free);
  rsp_successors_init (&pass.successors);
  system->start (system->data, state, &bill);
  RspBytes start = { state->data, state->len };
  add_reached (&pass, with_clocks (&pass, start, NULL, &bill),
               system->progress (system->data, start), &(Account){ .ways = 1 }, &bill);
  guint64 expanded = 0;
  for (GTreeNode *first; (first = g_tree_node_first (pass.layers)) && !pass.failed;) {
    guint64 progress = *(guint64 *) g_tree_node_key (first);
    Layer *layer = g_tree_node_value (first);
    for (guint32 i = 0; i < layer->accounts->len && is_within_limits (&pass, expanded++); i++)
      expand (&pass, rsp_store_get (layer->store, i), progress,
              &g_array_index (layer->accounts, Account, i));
    pass.held -= layer_size (layer);
    g_tree_remove (pass.layers, &progress);
  }
  gboolean ok = !pass.failed && isfinite (pass.all.ways);
  for (guint i = 0; i < RSP_N_BILL_ITEMS; i++)
    ok &= isfinite (pass.all.sum[i]);
  if (ok) {
    memset (cost, 0, sizeof *cost);
    cost->executions = pass.all.ways;
    memcpy (cost->least, pass.all.least, sizeof cost->least);
    memcpy (cost->most, pass.all.most, sizeof cost->most);
    for (guint i = 0; i < RSP_N_BILL_ITEMS && pass.all.ways > 0; i++)
      cost->mean[i] = pass.all.sum[i] / pass.all.ways;
  }
  rsp_successors_clear (&pass.successors);
  g_tree_unref (pass.layers);
  return ok;
}

void rsp_cost_format (const RspCost *cost, RspBillItem first, RspBillItem end, GString *out) {
  for (guint i = first; i < end; i++)
    g_string_append_printf (out, "%s %u %.2f %u\n", rsp_bill_words[i].name, cost->least[i],
                            cost->mean[i], cost->most[i]);
}

/* ---- Exploration ---------------------------------------------------------------------------- */

enum { DEFAULT_MEMORY = 1 << 30 };

static RspBudget make_budget (const RspExploreOptions *options) {
  return (RspBudget){ .deadline = rsp_deadline_in (options->timeout),
                      .max_memory = options->max_memory ? options->max_memory : DEFAULT_MEMORY };
}

/* The purpose of a machine. */
typedef enum Purpose { STATES, TRACE, COST } Purpose;

static RspCaches *make_caches (const RspProgram *program, const RspExploreOptions *options,
                               Purpose purpose, RspBudget *budget, RspDiagnostics *diagnostics) {
  RspCachesOptions caches_options
      = { .machine = options->machine,
          .map = options->map,
          .tracing = purpose == TRACE,
          .counting = purpose == COST,
          .latencies = purpose == COST ? options->latencies : NULL,
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
  RspTally *seen; /* final states with their counts */
} Collection;

static void add_final (gpointer user, const RspValue *values) {
  Collection *collection = user;
  rsp_tally_add (collection->seen, values, 1, 0);
}

static gboolean collect_end (gpointer user, guint32 number, RspBytes state, RspEnd end) {
  Collection *collection = user;
  (void) number;
  collection->run->deadlock |= end == RSP_END_STUCK;
  if (end == RSP_END_FINAL)
    rsp_caches_finals (collection->caches, state, add_final, collection);
  return TRUE;
}

RspExploration *rsp_exploration_new (const RspProgram *program, const RspExploreOptions *options,
                                     RspDiagnostics *diagnostics) {
  RspExploration *run = g_new0 (RspExploration, 1);
  run->outcome = g_new0 (RspOutcome, 1);
  run->outcome->program = program;
  run->outcome->stop = RSPCHECK_STOP_ERROR;
  RspBudget budget = make_budget (options);
  g_autoptr (RspCaches) caches = make_caches (program, options, STATES, &budget, diagnostics);
  if (caches) {
    RspOutcome *outcome = run->outcome;
    RspSearchOptions search_options = { .max_states = options->max_states, .budget = &budget };
    RspTally *tally = rsp_tally_new (outcome->program);
    Collection collection = { caches, run, tally };
    g_autoptr (RspStateSearch) search
        = rsp_search_run (rsp_caches_system (caches), &search_options, collect_end, &collection);
    run->states = outcome->statistics.nodes = rsp_store_count (search->store);
    run->steps = search->steps;
    run->bytes = rsp_store_size (search->store);
    outcome->stop = rsp_budget_stop (&budget);
    if (outcome->stop == RSPCHECK_STOP_COMPLETE
        && (search->limited || rsp_caches_too_many_values (caches)))
      outcome->stop = RSPCHECK_STOP_EXECUTIONS;
    outcome->loop = rsp_caches_is_truncated (caches);
    rsp_tally_finish (tally, &budget, outcome);
    rsp_tally_free (tally);
    /* Each state counts once, whatever the number of interleavings that end in it. */
    outcome->positive = outcome->negative = 0;
    for (guint i = 0; i < outcome->n_states; i++) {
      outcome->states[i].executions = 1;
      if (outcome->states[i].satisfies)
        outcome->positive++;
      else
        outcome->negative++;
    }
    run->violated = search->violated;
    const char *failure;
    if (!rsp_caches_report (caches, &failure, diagnostics))
      outcome->stop = RSPCHECK_STOP_ERROR;
    outcome->failure = failure ? rsp_arena_strdup (outcome->arena, failure) : NULL;
  } else
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

/* Are the values those of the outcome's state? */
static gboolean values_match (const RspValue *values, const RspOutcome *outcome,
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
  const RspStateCount *sought; /* NULL: a deadlock, or none */
  gboolean deadlock;
  gboolean is_it;
  guint32 found;
} Chase;

static void compare_final (gpointer user, const RspValue *values) {
  Chase *chase = user;
  chase->is_it |= values_match (values, chase->outcome, chase->sought);
}

static gboolean compare_end (gpointer user, guint32 number, RspBytes state, RspEnd end) {
  Chase *chase = user;
  if (!chase->sought)
    chase->is_it = chase->deadlock && end == RSP_END_STUCK;
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
  RspSearchOptions search_options = { .breadth_first = TRUE,
                                      .to_violation = state == RSP_TRACE_VIOLATION,
                                      .max_states = options->max_states,
                                      .budget = &budget };
  Chase chase = { .caches = caches,
                  .outcome = run->outcome,
                  .deadlock = state == RSP_TRACE_DEADLOCK,
                  .sought = state < run->outcome->n_states ? &run->outcome->states[state] : NULL };
  if (!caches)
    return FALSE;
  g_autoptr (RspStateSearch) search
      = rsp_search_run (rsp_caches_system (caches), &search_options, compare_end, &chase);
  if (search_options.to_violation && search->violated) {
    chase.is_it = TRUE;
    chase.found = search->where;
  }
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

static void find_allowed (gpointer user, const RspValue *values) {
  Sieve *sieve = user;
  const RspOutcome *outcome = sieve->outcome;
  for (guint i = 0; i < outcome->n_states; i++)
    sieve->passes |= sieve->allowed[i] && values_match (values, outcome, &outcome->states[i]);
}

static gboolean ends_allowed (gpointer user, RspBytes state) {
  Sieve *sieve = user;
  sieve->passes = FALSE;
  rsp_caches_finals (sieve->caches, state, find_allowed, sieve);
  return sieve->passes;
}

gboolean rsp_exploration_cost (const RspProgram *program, const RspExploreOptions *options,
                               const RspExploration *exploration, const gboolean *allowed,
                               GString *out) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspBudget budget = make_budget (options);
  RspMachine demanding = *options->machine;
  RspExploreOptions own = *options;
  g_autofree char *message = NULL;
  rsp_machine_read (&demanding, "fetch=demand", &message);
  own.machine = &demanding;
  g_autoptr (RspCaches) caches = make_caches (program, &own, COST, &budget, diagnostics);
  if (!caches)
    return FALSE;
  RspSearchOptions search_options = { .max_states = options->max_states, .budget = &budget };
  Sieve sieve = { caches, exploration->outcome, allowed, FALSE };
  RspCost cost;
  guint n_clocks
      = options->latencies && program->n_threads <= RSP_MOST_TIMED ? program->n_threads : 0;
  if (!rsp_cost_measure (rsp_caches_system (caches), &search_options, n_clocks, ends_allowed,
                         &sieve, &cost))
    return FALSE;
  if (cost.executions > 0)
    rsp_cost_format (&cost, 0, n_clocks ? RSP_BILL_WRITE_BACK : RSP_BILL_CRITICAL, out);
  return TRUE;
}
