/* What pruned and forced, and the journal of -v -v. */
#include "enumerator/bounded/bounded.h"
#include "enumerator/bounded/internal.h"
#include "enumerator/execution.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

static void journal_forced (Searcher *s, guint axiom, const GArray *pairs);
static void journal_pruned (Searcher *s, guint why);

/* ---- Account -------------------------------------------------------------------------------- */

/* Counts, per axiom, the pruned branches and forced pairs (-v, -json). */

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

/* Forces each axiom on its own, to attribute the pairs. */
void account_forced (Searcher *s) {
  Account *account = s->account;
  if (!account->forced_by)
    return;
  g_autoptr (GArray) forced = g_array_new (FALSE, FALSE, sizeof (RspForced));
  for (guint i = 0; i < s->model->n_axioms; i++) {
    /* Sometimes it is enough to know that the axiom had an effect before. */
    const RspCheckOptions *options = s->search->options;
    if (!options->attribute && !options->journal
        && (s->account->prunings[i] || s->account->forced_by[i]))
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

/* ---- Journal -------------------------------------------------------------------------------- */

enum {
  MOST_BYTES = 4 << 20 /* limit of a journal */
};

static void line (Searcher *s, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Writes one line; the last one states that the journal is full. */
static void line (Searcher *s, const char *format, ...) {
  if (s->journal->len > MOST_BYTES)
    return;
  va_list arguments;
  va_start (arguments, format);
  g_string_append_printf (s->journal, "[%u] ", s->depth);
  g_string_append_vprintf (s->journal, format, arguments);
  g_string_append_c (s->journal, '\n');
  va_end (arguments);
  if (s->journal->len > MOST_BYTES)
    g_string_append (s->journal, "the journal ends here: it is full\n");
}

/* ---- Events ---- */
/* "e3: P1 R x, line 9: `r0 = *x`", or "e0: W x, initial". */
static void describe_event (Searcher *s, guint e) {
  const RspProgram *program = s->pre->program;
  const RspEvent *event = s->pre->events[e];
  const char *at = rsp_event_is_access (event) ? program->locations[event->location].name : "";
  if (rsp_event_is_initial (event)) {
    line (s, "e%u: W %s, initial", e, at);
    return;
  }
  g_autoptr (GString) text = g_string_new (NULL);
  rsp_span_append (event->span, text);
  line (s, "e%u: %s %s%s%s, line %u: `%s`", e, program->threads[event->thread].name,
        !rsp_event_is_access (event)   ? "F"
        : event->kind == RSP_EVENT_RMW ? "RMW"
        : rsp_event_is_read (event)    ? "R"
                                       : "W",
        *at ? " " : "", at, event->span.source ? rsp_span_line (event->span) : 0, text->str);
}

void journal_begin (Searcher *s, guint n_events) {
  GString *paths = g_string_new (NULL);
  for (guint t = 0; t < s->pre->program->n_threads; t++)
    g_string_append_printf (paths, "%s%s path %u", t ? ", " : "", s->pre->program->threads[t].name,
                            s->search->numbers ? s->search->numbers[t] : 0);
  line (s, "combination: %s", paths->str);
  g_string_free (paths, TRUE);
  for (guint e = 0; e < n_events; e++)
    describe_event (s, e);
}

/* ---- Decisions ---- */
/* "rf", "co", or the place of a chosen order among the model's. */
static const char *leaf_name (guint leaf, char *number, gsize size) {
  if (leaf == RSP_LEAF_RF)
    return "rf";
  if (leaf == RSP_LEAF_CO)
    return "co";
  g_snprintf (number, size, "order %u", leaf - RSP_LEAF_ORDER + 1);
  return number;
}

void journal_decision (Searcher *s, const Choice *choice, guint alternative) {
  char number[32];
  gboolean next = choice->kind == CHOICE_NEXT;
  gboolean pair = choice->kind == CHOICE_PAIR;
  /* "e1 e2 e5": the set without the event that is decided. */
  const guint64 *set = next ? choice->rest : choice->set;
  guint but = pair ? choice->read : alternative;
  GString *text = g_string_new (NULL);
  for (all_bits (e, set, s->words))
    if (e != but)
      g_string_append_printf (text, " e%u", e);
  g_autofree char *rest = g_string_free (text, FALSE);
  if (next)
    line (s, "decide %s: e%u is before%s", leaf_name (choice->leaf, number, sizeof number),
          alternative, rest);
  else if (pair)
    line (s, "decide %s: e%u is%s before%s", leaf_name (choice->leaf, number, sizeof number),
          choice->read, alternative == choice->read ? "" : " not", rest);
  else if (choice->kind == CHOICE_SPLIT && alternative == choice->read)
    line (s, "decide rf: e%u does not read from%s", choice->read, rest);
  else if (choice->kind == CHOICE_SPLIT)
    line (s, "decide rf: e%u reads from e%u", choice->read, alternative);
  else
    line (s, "decide rf: e%u reads from e%u, not from%s", choice->read, alternative, rest);
}

/* ---- What follows ---- */
/* The pairs (RspForced) that an axiom forces. */
static void journal_forced (Searcher *s, guint axiom, const GArray *pairs) {
  g_autofree char *label = rsp_axiom_label (&s->model->axioms[axiom]);
  for (guint i = 0; i < pairs->len; i++) {
    const RspForced *pair = &g_array_index (pairs, RspForced, i);
    char number[32];
    line (s, "%s (e%u, e%u) is forced %s by %s", leaf_name (pair->leaf, number, sizeof number),
          pair->a, pair->b, pair->required ? "true" : "false", label);
  }
}

/* why: an axiom's index, or the number of axioms plus PRUNED_BY_…. */
static void journal_pruned (Searcher *s, guint why) {
  guint n = s->model->n_axioms;
  g_autofree char *label = why < n ? rsp_axiom_label (&s->model->axioms[why]) : NULL;
  line (s, "pruned by %s",
        label                         ? label
        : why == n + PRUNED_BY_VALUES ? RSP_PRUNED_BY_VALUES
                                      : RSP_PRUNED_BY_FORCED);
}

void journal_results (Searcher *s, gboolean known, const RspResults *results) {
  line (s, "%s: %u result%s", known ? "found in the memo" : "leaf", results->n,
        results->n == 1 ? "" : "s");
}

/* ---- Prunings ------------------------------------------------------------------------------- */

enum {
  USUAL_PRUNINGS = 16 /* at most, for most models */
};

static void clear_pruning (gpointer data) { g_free ((char *) ((RspPruning *) data)->name); }

GArray *rsp_prunings_new (void) {
  GArray *prunings = g_array_sized_new (FALSE, FALSE, sizeof (RspPruning), USUAL_PRUNINGS);
  g_array_set_clear_func (prunings, clear_pruning);
  return prunings;
}

static RspPruning *find_pruning (const GArray *prunings, const char *name) {
  for (guint i = 0; i < prunings->len; i++)
    if (strcmp (g_array_index (prunings, RspPruning, i).name, name) == 0)
      return &g_array_index (prunings, RspPruning, i);
  return NULL;
}

void rsp_prunings_add (GArray *prunings, const char *name, guint64 n, guint64 forced) {
  RspPruning *known = find_pruning (prunings, name);
  if (known) {
    known->n += n;
    known->forced += forced;
    return;
  }
  RspPruning pruning = { .name = g_strdup (name), .n = n, .forced = forced };
  g_array_append_val (prunings, pruning);
}

gboolean rsp_prunings_has (const GArray *prunings, const char *name) {
  const RspPruning *pruning = find_pruning (prunings, name);
  return pruning && (pruning->n > 0 || pruning->forced > 0);
}

void rsp_prunings_add_all (GArray *to, const GArray *from) {
  for (guint i = 0; i < from->len; i++) {
    const RspPruning *pruning = &g_array_index (from, RspPruning, i);
    rsp_prunings_add (to, pruning->name, pruning->n, pruning->forced);
  }
}

static int compare_prunings (gconstpointer x, gconstpointer y) {
  const RspPruning *a = x, *b = y;
  if (a->n != b->n)
    return a->n < b->n ? 1 : -1;
  if (a->forced != b->forced)
    return a->forced < b->forced ? 1 : -1;
  return strcmp (a->name, b->name);
}

RspPruning *rsp_prunings_finish (const GArray *prunings, const RspModel *model,
                                 const char *const *skipped, RspArena *arena, guint *n) {
  const GPtrArray *axioms = model->plain_axioms;
  guint n_found = prunings->len, n_axioms = axioms ? axioms->len : 0;
  RspPruning *all = rsp_arena_new0 (arena, RspPruning, n_found + n_axioms + 1);
  *n = n_found;
  for (guint i = 0; i < n_found; i++)
    all[i] = g_array_index (prunings, RspPruning, i);
  for (guint i = 0; i < n_axioms; i++)
    if (!find_pruning (prunings, axioms->pdata[i])
        && (!skipped || !g_strv_contains (skipped, axioms->pdata[i])))
      all[(*n)++].name = axioms->pdata[i];
  qsort (all, *n, sizeof *all, compare_prunings);
  for (guint i = 0; i < *n; i++)
    all[i].name = rsp_arena_strdup (arena, all[i].name);
  return all;
}

char *rsp_axiom_label (const RspStagedAxiom *axiom) {
  const char *name = axiom->id ? axiom->id : axiom->name;
  return name ? g_strdup (name) : rsp_model_place (axiom->span);
}
