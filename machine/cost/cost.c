#include "machine/cost/cost.h"

#include <string.h>

/* Of one state: over all ways from it to an end that counts. */
typedef struct Ahead
{
  double ways;
  double sum[RSP_N_BILL_ITEMS];
  guint32 least[RSP_N_BILL_ITEMS], most[RSP_N_BILL_ITEMS];
} Ahead;

typedef enum Colour
{
  NEW,
  OPEN, /* its successors are being measured */
  DONE
} Colour;

typedef struct Pass
{
  const RspSystem *system;
  const RspSearch *search;
  RspCostCounts counts;
  gpointer user;
  Ahead *ahead;    /* per state */
  guint8 *colours; /* per state */
  GArray *stack;   /* of guint32: states */
  RspSuccessors successors;
} Pass;

static void
add_way (Ahead *to, const Ahead *from, const RspBill *bill)
{
  for (guint i = 0; i < RSP_N_BILL_ITEMS; i++)
    {
      guint32 least = from->least[i] + bill->n[i], most = from->most[i] + bill->n[i];
      to->least[i] = to->ways > 0 ? MIN (to->least[i], least) : least;
      to->most[i] = MAX (to->most[i], most);
      to->sum[i] += from->sum[i] + bill->n[i] * from->ways;
    }
  to->ways += from->ways;
}

static guint32
successor (const Pass *pass, guint i)
{
  return rsp_store_find (pass->search->store, rsp_successors_get (&pass->successors, i));
}

/* Opens a new state: its successors come first. */
static void
open_state (Pass *pass, guint32 state)
{
  pass->colours[state] = OPEN;
  for (guint i = 0; i < rsp_successors_count (&pass->successors); i++)
    {
      guint32 next = successor (pass, i);
      if (next != RSP_NO_STATE && pass->colours[next] == NEW)
        g_array_append_val (pass->stack, next);
    }
}

static void
close_state (Pass *pass, guint32 state, RspEnd end)
{
  Ahead *ahead = &pass->ahead[state];
  pass->colours[state] = DONE;
  if (end == RSP_END_FINAL
      && (!pass->counts || pass->counts (pass->user, rsp_store_get (pass->search->store, state))))
    ahead->ways = 1;
  for (guint i = 0; i < rsp_successors_count (&pass->successors); i++)
    {
      guint32 next = successor (pass, i);
      if (next != RSP_NO_STATE && pass->ahead[next].ways > 0)
        add_way (ahead, &pass->ahead[next], rsp_successors_bill (&pass->successors, i));
    }
}

static void
visit_top (Pass *pass)
{
  guint32 state = g_array_index (pass->stack, guint32, pass->stack->len - 1);
  if (pass->colours[state] != DONE)
    {
      rsp_successors_reset (&pass->successors);
      RspEnd end = pass->system->expand (
          pass->system->data, rsp_store_get (pass->search->store, state), &pass->successors);
      if (pass->colours[state] == NEW)
        {
          open_state (pass, state);
          return;
        }
      close_state (pass, state, end);
    }
  g_array_set_size (pass->stack, pass->stack->len - 1);
}

static void
summarise (const Pass *pass, RspCost *cost)
{
  RspBill first = { { 0 } };
  g_autoptr (GByteArray) state = g_byte_array_new ();
  Ahead all = { 0 };
  pass->system->start (pass->system->data, state, &first);
  if (pass->ahead[0].ways > 0)
    add_way (&all, &pass->ahead[0], &first);
  memset (cost, 0, sizeof *cost);
  cost->executions = all.ways;
  for (guint i = 0; i < RSP_N_BILL_ITEMS && all.ways > 0; i++)
    {
      cost->least[i] = all.least[i];
      cost->most[i] = all.most[i];
      cost->mean[i] = all.sum[i] / all.ways;
    }
}

void
rsp_cost_measure (const RspSystem *system, const RspSearch *search, RspCostCounts counts,
                  gpointer user, RspCost *cost)
{
  guint32 n = rsp_store_count (search->store), start = 0;
  Pass pass = { .system = system, .search = search, .counts = counts, .user = user };
  pass.ahead = g_new0 (Ahead, n);
  pass.colours = g_new0 (guint8, n);
  pass.stack = g_array_new (FALSE, FALSE, sizeof (guint32));
  rsp_successors_init (&pass.successors);
  g_array_append_val (pass.stack, start);
  while (pass.stack->len)
    visit_top (&pass);
  summarise (&pass, cost);
  rsp_successors_clear (&pass.successors);
  g_array_unref (pass.stack);
  g_free (pass.colours);
  g_free (pass.ahead);
}

void
rsp_cost_format (const RspCost *cost, RspBillItem first, RspBillItem end, GString *out)
{
  for (guint i = first; i < end; i++)
    g_string_append_printf (out, "%s %u %.2f %u\n", rsp_bill_words[i].name, cost->least[i],
                            cost->mean[i], cost->most[i]);
}
