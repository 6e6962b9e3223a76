/* Dynamic programming: the account of a state sums up all paths to it. States are expanded in the
 * order of their progress, so an account is complete when its state is expanded, and both are
 * dropped afterwards. */
#include "machine/cost/cost.h"

#include <math.h>
#include <string.h>

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

static Layer *layer_new (void) {
  Layer *layer = g_new0 (Layer, 1);
  layer->store = rsp_store_new ();
  layer->accounts = g_array_new (FALSE, TRUE, sizeof (Account));
  return layer;
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

static Layer *find_layer (Pass *pass, guint64 progress) {
  Layer *layer = g_tree_lookup (pass->layers, &progress);
  if (layer)
    return layer;
  layer = layer_new ();
  pass->held += layer_size (layer);
  g_tree_insert (pass->layers, g_memdup2 (&progress, sizeof progress), layer);
  return layer;
}

/* ---- Accounts ---- */

/* Adds the paths of one state, each with one more step. */
static void add_ways (Account *to, const Account *from, const RspBill *bill) {
  for (guint i = 0; i < RSP_N_BILL_ITEMS; i++) {
    guint32 least = from->least[i] + bill->n[i], most = from->most[i] + bill->n[i];
    to->least[i] = to->ways > 0 ? MIN (to->least[i], least) : least;
    to->most[i] = MAX (to->most[i], most);
    to->sum[i] += from->sum[i] + bill->n[i] * from->ways;
  }
  to->ways += from->ways;
}

static void reach (Pass *pass, RspBytes state, guint64 progress, const Account *from,
                   const RspBill *bill) {
  Layer *layer = find_layer (pass, progress);
  gsize before = layer_size (layer);
  gboolean is_new;
  guint32 number = rsp_store_add (layer->store, state, RSP_NO_STATE, &is_new);
  if (is_new) {
    g_array_set_size (layer->accounts, number + 1);
    pass->states++;
    pass->failed |= pass->system->violated && pass->system->violated (pass->system->data, state);
  }
  add_ways (&g_array_index (layer->accounts, Account, number), from, bill);
  pass->held += layer_size (layer) - before;
}

/* ---- The pass ---- */

static void expand (Pass *pass, RspBytes state, guint64 progress, const Account *account) {
  const RspSystem *system = pass->system;
  rsp_successors_reset (&pass->successors);
  RspEnd end = system->expand (system->data, state, &pass->successors);
  if (end == RSP_END_FINAL && (!pass->counts || pass->counts (pass->user, state)))
    add_ways (&pass->all, account, &(RspBill){ { 0 } });
  for (guint i = 0; i < rsp_successors_count (&pass->successors); i++) {
    RspBytes next = rsp_successors_get (&pass->successors, i);
    guint64 further = system->progress (system->data, next);
    g_assert (further > progress);
    reach (pass, next, further, account, rsp_successors_bill (&pass->successors, i));
  }
}

static gboolean goes_on (Pass *pass, guint64 expanded) {
  guint64 limit = pass->options->max_states;
  pass->failed |= limit && pass->states > limit;
  if (expanded % LOOK_AT_CLOCK == 0) {
    rsp_budget_limit_part (pass->options->budget, pass->held);
    pass->failed |= rsp_budget_is_exhausted (pass->options->budget);
  }
  return !pass->failed;
}

static void run (Pass *pass) {
  guint64 expanded = 0;
  for (GTreeNode *first; (first = g_tree_node_first (pass->layers)) && !pass->failed;) {
    guint64 progress = *(guint64 *) g_tree_node_key (first);
    Layer *layer = g_tree_node_value (first);
    for (guint32 i = 0; i < layer->accounts->len && goes_on (pass, expanded++); i++)
      expand (pass, rsp_store_get (layer->store, i), progress,
              &g_array_index (layer->accounts, Account, i));
    pass->held -= layer_size (layer);
    g_tree_remove (pass->layers, &progress);
  }
}

static void summarise (const Account *all, RspCost *cost) {
  memset (cost, 0, sizeof *cost);
  cost->executions = all->ways;
  memcpy (cost->least, all->least, sizeof cost->least);
  memcpy (cost->most, all->most, sizeof cost->most);
  for (guint i = 0; i < RSP_N_BILL_ITEMS && all->ways > 0; i++)
    cost->mean[i] = all->sum[i] / all->ways;
}

gboolean rsp_cost_measure (const RspSystem *system, const RspSearchOptions *options,
                           RspCostCounts counts, gpointer user, RspCost *cost) {
  g_autoptr (GByteArray) state = g_byte_array_sized_new (1);
  RspBill bill = { { 0 } };
  Pass pass = { .system = system, .options = options, .counts = counts, .user = user };
  pass.layers = g_tree_new_full (compare_progress, NULL, g_free, layer_free);
  rsp_successors_init (&pass.successors);
  system->start (system->data, state, &bill);
  RspBytes start = { state->data, state->len };
  reach (&pass, start, system->progress (system->data, start), &(Account){ .ways = 1 }, &bill);
  run (&pass);
  gboolean ok = !pass.failed && isfinite (pass.all.ways);
  for (guint i = 0; i < RSP_N_BILL_ITEMS; i++)
    ok &= isfinite (pass.all.sum[i]);
  if (ok)
    summarise (&pass.all, cost);
  rsp_successors_clear (&pass.successors);
  g_tree_unref (pass.layers);
  return ok;
}

void rsp_cost_format (const RspCost *cost, RspBillItem first, RspBillItem end, GString *out) {
  for (guint i = first; i < end; i++)
    g_string_append_printf (out, "%s %u %.2f %u\n", rsp_bill_words[i].name, cost->least[i],
                            cost->mean[i], cost->most[i]);
}
