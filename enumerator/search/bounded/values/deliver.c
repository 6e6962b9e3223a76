/* The results of the root become states. Searchers and the tally number values differently. */
#include "enumerator/search/bounded/values/deliver.h"
#include "enumerator/search/bounded/flags.h"
#include "enumerator/search/bounded/share/numbers.h"

typedef struct Delivery {
  Searcher *s;
  guint32 *numbers; /* the tally's number + 1 of a value, by the searchers'; 0: not known yet */
  guint32 *state;   /* the tally's numbers, per observable */
  RspValue *values;
} Delivery;

static inline guint32 number_in_tally (Delivery *delivery, guint32 number) {
  guint32 *known = &delivery->numbers[number];
  if (!*known)
    *known = 1
             + rsp_tally_number (delivery->s->search->tally,
                                 *rsp_numbered_value (delivery->s, number));
  return *known - 1;
}

/* Can it be that only some states are relevant? */
static gboolean is_narrowed (const Searcher *s) {
  return s->pre->program->filter || s->search->options->speedcheck != RSPCHECK_SPEED_EXACT;
}

static gboolean accepts (Delivery *delivery, const Observed *observed, const guint32 *row) {
  Searcher *s = delivery->s;
  for (guint i = 0; i < s->pre->program->n_observables; i++)
    if (observed->value[i] != RSP_UNSEEN)
      delivery->values[i] = *rsp_numbered_value (s, observed->value[i]);
  for (guint i = 0; i < observed->n_open; i++)
    delivery->values[observed->open[i]] = *rsp_numbered_value (s, row[i]);
  return search_accepts (s->search, delivery->values);
}

static void fill_state (Delivery *delivery, const Observed *observed, const guint32 *row) {
  const guint *open = observed->open;
  const guint32 *numbers = delivery->numbers;
  guint32 *state = delivery->state;
  for (guint i = 0; i < observed->n_open; i++)
    state[open[i]] = numbers[row[i]] ? numbers[row[i]] - 1 : number_in_tally (delivery, row[i]);
}

static void deliver_all (Delivery *delivery, const Observed *observed, const RspResults *results,
                         gboolean undefined, guint32 flags) {
  Searcher *s = delivery->s;
  gboolean differ = rsp_tally_takes_all (s->search->tally), narrowed = is_narrowed (s);
  guint32 raised = 0;
  for (guint i = 0; i < s->pre->program->n_observables; i++)
    if (observed->value[i] != RSP_UNSEEN)
      delivery->state[i] = number_in_tally (delivery, observed->value[i]);
  for (guint row = 0; row < results->n && may_pass_on (s, row); row++) {
    const guint32 *values = results->width ? results->values + (gsize) row * results->width : NULL;
    if (narrowed && !accepts (delivery, observed, values))
      continue;
    fill_state (delivery, observed, values);
    RspCount executions = results->executions[row];
    search_record_numbered (s->search, delivery->state, executions,
                            undefined ? executions : rsp_results_n_undefined (results, row),
                            differ);
    guint32 own = results->flags[row] | flags;
    if (own & ~raised)
      flags_raise (s, own);
    raised |= own;
  }
}

void deliver (Searcher *s, const Observed *observed, const RspResults *results, gboolean undefined,
              guint32 flags) {
  if (s->search->exists_only) {
    s->search->found |= results->n && may_pass_on (s, 0);
    return;
  }
  g_autofree guint32 *numbers = g_new0 (guint32, rsp_count_numbers (s) + 1);
  guint32 state[s->pre->program->n_observables + 1];
  RspValue values[s->pre->program->n_observables + 1];
  Delivery delivery = { .s = s, .numbers = numbers, .state = state, .values = values };
  deliver_all (&delivery, observed, results, undefined, flags);
}
