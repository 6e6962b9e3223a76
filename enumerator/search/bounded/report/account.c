/* Counts, per axiom, the pruned branches and forced pairs (-v, -json). */
#include "enumerator/search/bounded/report/account.h"
#include "enumerator/search/bounded/report/journal.h"
#include "enumerator/search/bounded/report/prunings.h"

struct Account {
  guint64 *prunings;  /* per axiom, then per PRUNED_BY_…: branches that it ended */
  guint64 *forced_by; /* per axiom: pairs that it forced; NULL if they are not attributed */
};

void account_open (Searcher *s) {
  const RspCheckOptions *options = s->search->options;
  s->account = rsp_arena_new0 (s->arena, Account, 1);
  s->account->prunings = rsp_arena_new0 (s->arena, guint64, s->model->n_axioms + N_PRUNED_BY);
  if (options->attribute || options->journal || s->search->notes_used)
    s->account->forced_by = rsp_arena_new0 (s->arena, guint64, s->model->n_axioms);
}

void account_pruned (Searcher *s, guint why) {
  s->account->prunings[why]++;
  s->search->statistics->prunings++;
  JOURNAL (s, pruned, why);
}

/* Is it enough to know that the axiom had an effect before? */
static gboolean is_noted (const Searcher *s, guint axiom) {
  const RspCheckOptions *options = s->search->options;
  return !options->attribute && !options->journal
         && (s->account->prunings[axiom] || s->account->forced_by[axiom]);
}

/* Forces each axiom on its own, to attribute the pairs. */
void account_forced (Searcher *s) {
  Account *account = s->account;
  if (!account->forced_by)
    return;
  g_autoptr (GArray) forced = g_array_new (FALSE, FALSE, sizeof (RspForced));
  for (guint i = 0; i < s->model->n_axioms; i++) {
    if (is_noted (s, i))
      continue;
    g_array_set_size (forced, 0);
    rsp_bounds_force_by (s->bounds, i, forced);
    account->forced_by[i] += forced->len;
    JOURNAL (s, forced, i, forced);
  }
}

void rsp_account_add (Searcher *to, const Searcher *from) {
  for (guint i = 0; i < to->model->n_axioms + N_PRUNED_BY; i++)
    to->account->prunings[i] += from->account->prunings[i];
  for (guint i = 0; to->account->forced_by && i < to->model->n_axioms; i++)
    to->account->forced_by[i] += from->account->forced_by[i];
}

/* Axioms without effect are not counted here: the check lists them at its end. */
void account_report (const Searcher *s) {
  const Account *account = s->account;
  guint n = s->model->n_axioms;
  GArray *prunings = s->search->prunings;
  if (!prunings)
    return;
  for (guint i = 0; i < n; i++) {
    guint64 forced = account->forced_by ? account->forced_by[i] : 0;
    if (s->model->axioms[i].role != RSPCHECK_ROLE_AXIOM || !(account->prunings[i] || forced))
      continue;
    g_autofree char *name = rsp_axiom_label (&s->model->axioms[i]);
    rsp_prunings_add (prunings, name, account->prunings[i], forced);
  }
  rsp_prunings_add (prunings, RSP_PRUNED_BY_VALUES, account->prunings[n + PRUNED_BY_VALUES], 0);
  rsp_prunings_add (prunings, RSP_PRUNED_BY_FORCED, account->prunings[n + PRUNED_BY_FORCED], 0);
}
