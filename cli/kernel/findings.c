#include "cli/kernel/findings.h"

#include "base/contract.h"
#include "enumerator/paths/path.h"
#include "enumerator/search/evidence/evidence.h"
#include "enumerator/search/spin.h"
#include "enumerator/values/final_state.h"

#include <string.h>

static void free_finding (gpointer data) {
  CliFinding *finding = data;
  g_free (finding->kind);
  g_free (finding->message);
  g_free (finding);
}

static CliFinding *add (CliFindings *findings, const char *kind, RspSpan span, char *message) {
  CliFinding *finding = g_new0 (CliFinding, 1);
  finding->kind = g_strdup (kind);
  finding->message = message;
  if (span.source)
    rsp_source_position (span.source, span.begin, &finding->line, &finding->column);
  g_ptr_array_add (findings->all, finding);
  return finding;
}

/* "work-item (1,0)": its work-group, and its place there. */
static char *work_item (const CliFindings *findings, guint thread) {
  const RspGrid *grid = &findings->options->grid;
  guint size = grid->sub_groups * grid->items;
  return g_strdup_printf ("work-item (%u,%u)", thread / size, thread % size);
}

static gboolean is_same (gconstpointer x, gconstpointer y) {
  const CliFinding *a = x, *b = y;
  return a->line == b->line && a->column == b->column && a->other_line == b->other_line
         && a->other_column == b->other_column && strcmp (a->kind, b->kind) == 0;
}

/* ---- Flags ---- */

static char *words_of (const char *flag) { return g_strdelimit (g_strdup (flag), "_-", ' '); }

static void add_one_event (CliFindings *findings, const RspEvidence *evidence,
                           const RspEvidenceEvent *event) {
  g_autofree char *words = words_of (evidence->flag), *item = work_item (findings, event->thread);
  const char *detail = strcmp (evidence->flag, "barrier_divergence") == 0
                           ? ": not all work-items of its group come to this barrier"
                           : "";
  CliFinding *finding = add (findings, evidence->flag, RSP_NOWHERE,
                             g_strdup_printf ("%s: %s%s", words, item, detail));
  finding->line = event->line;
  finding->column = event->column;
}

static void add_two_events (CliFindings *findings, const RspEvidence *evidence,
                            const RspEvidenceEvent *a, const RspEvidenceEvent *b) {
  g_autofree char *words = words_of (evidence->flag), *one = work_item (findings, a->thread),
                  *two = work_item (findings, b->thread);
  CliFinding *finding
      = add (findings, evidence->flag, RSP_NOWHERE,
             g_strdup_printf ("%s on %s between %s and line %u of %s", words,
                              a->location ? a->location : "memory", one, b->line, two));
  finding->line = a->line;
  finding->column = a->column;
  finding->other_line = b->line;
  finding->other_column = b->column;
}

static void add_evidence (CliFindings *findings, const RspEvidence *evidence) {
  const RspEvidenceEvent *a = &g_array_index (evidence->events, RspEvidenceEvent, 0);
  const RspEvidenceEvent *b
      = evidence->events->len > 1 ? &g_array_index (evidence->events, RspEvidenceEvent, 1) : NULL;
  if (a->initial && b) {
    a = b;
    b = NULL;
  }
  if (b && !b->initial)
    add_two_events (findings, evidence, a, b);
  else
    add_one_event (findings, evidence, a);
}

/* "work-item (1,0) is in this loop for ever"; newly allocated. */
static char *for_ever (const CliFindings *findings, guint thread, gboolean at_barrier) {
  g_autofree char *item = work_item (findings, thread);
  return g_strdup_printf ("%s %s for ever", item,
                          at_barrier ? "waits at this barrier" : "is in this loop");
}

/* A flag for which there are no events. */
static void add_flag_alone (CliFindings *findings, const RspFlag *flag) {
  g_autofree char *words = words_of (flag->name),
                  *where = for_ever (findings, flag->thread, flag->at_barrier);
  if (flag->span.source)
    add (findings, flag->name, flag->span, g_strdup_printf ("%s: %s", words, where));
  else
    add (findings, flag->name, findings->kernel->program->threads[0].span, g_strdup (words));
}

static void add_flags (CliFindings *findings, const RspOutcome *outcome, const GPtrArray *all) {
  for (guint i = 0; i < outcome->n_flags; i++) {
    gboolean shown = !outcome->flags[i].raised;
    for (guint k = 0; k < all->len && outcome->flags[i].raised; k++) {
      const RspEvidence *evidence = all->pdata[k];
      if (strcmp (evidence->flag, outcome->flags[i].name) != 0)
        continue;
      add_evidence (findings, evidence);
      shown = TRUE;
    }
    if (!shown)
      add_flag_alone (findings, &outcome->flags[i]);
  }
}

/* ---- Failures and assertions ---- */

static const char *kind_of (const char *message) {
  static const char *const kinds[][2] = { { "access to ", "out_of_bounds" },
                                          { "access through", "out_of_bounds" },
                                          { "'", "uninitialised_read" },
                                          { "division", "division_by_zero" } };
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_has_prefix (message, kinds[i][0]))
      return kinds[i][1];
  return "undefined_operation";
}

static void add_failures (CliFindings *findings, const RspOutcome *outcome) {
  for (guint i = 0; i < outcome->n_failures; i++) {
    const RspFailure *failure = &outcome->failures[i];
    const char *kind = kind_of (failure->message);
    g_autofree char *item = work_item (findings, failure->thread), *words = words_of (kind);
    add (findings, kind, failure->span,
         strcmp (words, failure->message) == 0
             ? g_strdup_printf ("%s by %s", words, item)
             : g_strdup_printf ("%s: %s by %s", words, failure->message, item));
  }
}

typedef struct View {
  const RspOutcome *outcome;
  const RspStateCount *state;
} View;

/* All observables of a kernel are printed. */
static RspValue value_of (gconstpointer data, guint observable) {
  const View *view = data;
  guint column = 0;
  while (view->outcome->printed[column] != observable) {
    column++;
    RSP_CONTRACT (column < view->outcome->n_printed);
  }
  return rsp_outcome_value (view->outcome, view->state, column);
}

/* A final state in which it has that truth; NULL: none. */
static const RspStateCount *find_state (const RspOutcome *outcome, const RspProp *prop,
                                        RspTruth truth) {
  for (guint i = 0; i < outcome->n_states; i++)
    if (rsp_state_truth_in (outcome->program, prop, value_of,
                            &(View){ outcome, &outcome->states[i] })
        == truth)
      return &outcome->states[i];
  return NULL;
}

static void add_final (CliFindings *findings, const RspOutcome *outcome, const RspProp *prop) {
  const RspStateCount *certain = find_state (outcome, prop, RSP_FAILS);
  const RspStateCount *state = certain ? certain : find_state (outcome, prop, RSP_OPEN);
  g_autoptr (GString) text = g_string_new (NULL);
  if (!state)
    return;
  for (guint i = 0; i < outcome->n_printed; i++) {
    const RspObservable *observable = &outcome->program->observables[outcome->printed[i]];
    if (observable->is_register)
      continue;
    g_string_append_printf (text, "%s%s=", text->len ? ", " : "", observable->name);
    rsp_outcome_format_value (outcome, state, i, text);
  }
  add (findings, "assertion", prop->span,
       g_strdup_printf ("the assertion %s with %s", certain ? "fails" : "may fail", text->str));
}

/* An assertion in the text is reported once, for the first work-item. */
static void add_assertion (CliFindings *findings, RspSpan span, guint thread, const char *what) {
  g_autofree char *item = work_item (findings, thread);
  CliFinding *own = add (findings, "assertion", span, g_strdup_printf ("%s in %s", what, item));
  guint first;
  if (g_ptr_array_find_with_equal_func (findings->all, own, is_same, &first)
      && first + 1 < findings->all->len)
    g_ptr_array_remove_index (findings->all, findings->all->len - 1);
}

static void add_assertions (CliFindings *findings, const RspOutcome *outcome) {
  const RspKernel *kernel = findings->kernel;
  for (guint i = 0; i < kernel->n_asserts; i++) {
    const RspKernelAssert *own = &kernel->asserts[i];
    for (guint k = 0; k < outcome->n_printed; k++) {
      const RspObservable *observable = &outcome->program->observables[outcome->printed[k]];
      gboolean fails = FALSE, may_fail = FALSE;
      if (!observable->is_register || observable->thread != own->thread
          || observable->reg != own->reg)
        continue;
      for (guint s = 0; s < outcome->n_states; s++) {
        RspValue value = rsp_outcome_value (outcome, &outcome->states[s], k);
        fails |= !value.unknown && value.bits;
        may_fail |= value.unknown != 0;
      }
      if (fails || may_fail)
        add_assertion (findings, own->span, own->thread,
                       fails ? RSP_ASSERTION_FAILS : "the assertion may fail");
    }
  }
  for (guint i = 0; i < kernel->n_finals && !findings->unending; i++)
    add_final (findings, outcome, kernel->finals[i]);
}

/* ---- Hangs ---- */

static void add_hang (CliFindings *findings, const RspHang *hang) {
  g_autofree char *model = rsp_progress_format (&hang->progress);
  for (guint t = 0; t < findings->kernel->program->n_threads; t++) {
    const RspHangThread *own = &hang->threads[t];
    if (own->fate != RSP_FATE_UNENDING)
      continue;
    g_autofree char *where = for_ever (findings, t, own->at_barrier);
    add (findings, "hang", own->span, g_strdup_printf ("hang under %s: %s", model, where));
    return;
  }
}

/* ---- The whole ---- */

static int compare_findings (gconstpointer x, gconstpointer y) {
  const CliFinding *a = *(CliFinding *const *) x, *b = *(CliFinding *const *) y;
  if (a->line != b->line)
    return a->line < b->line ? -1 : 1;
  if (a->column != b->column)
    return a->column < b->column ? -1 : 1;
  return strcmp (a->message, b->message);
}

/* "1,204" */
static char *with_commas (RspCount count) {
  GString *text = g_string_new (NULL);
  rsp_count_format (count, text);
  for (gsize n = text->len; n > 3 && count != RSP_COUNT_MAX; n -= 3)
    g_string_insert_c (text, (gssize) n - 3, ',');
  return g_string_free (text, FALSE);
}

void cli_findings_collect (CliFindings *findings, const RspOutcome *outcome,
                           const RspOutcome *flags, const GPtrArray *evidence,
                           const RspHangs *hangs) {
  findings->all = g_ptr_array_new_with_free_func (free_finding);
  findings->entry = g_strdup (findings->kernel->program->name);
  if (!flags->uncounted)
    findings->executions = with_commas (
        findings->unending ? 0 : flags->positive + flags->negative + flags->undetermined);
  findings->loop = outcome->loop || flags->loop;
  add_flags (findings, flags, evidence);
  add_failures (findings, outcome);
  add_assertions (findings, outcome);
  for (guint i = 0; hangs && i < hangs->n; i++)
    if (hangs->items[i].hangs)
      add_hang (findings, &hangs->items[i]);
  g_ptr_array_sort (findings->all, compare_findings);
}

void cli_findings_add_asserted (CliFindings *findings, const RspOutcome *outcome) {
  for (guint i = 0; i < outcome->n_failures; i++)
    if (strcmp (outcome->failures[i].message, RSP_ASSERTION_FAILS) == 0)
      add_assertion (findings, outcome->failures[i].span, outcome->failures[i].thread,
                     RSP_ASSERTION_FAILS);
  g_ptr_array_sort (findings->all, compare_findings);
}

void cli_findings_clear (CliFindings *findings) {
  g_clear_pointer (&findings->all, g_ptr_array_unref);
  g_clear_pointer (&findings->executions, g_free);
  g_clear_pointer (&findings->grid, g_free);
  g_clear_pointer (&findings->entry, g_free);
}

void cli_findings_merge (CliFindings *findings, CliFindings *others, const char *note) {
  if (!findings->all) {
    *findings = *others;
    findings->all = g_ptr_array_new_with_free_func (free_finding);
    findings->entry = g_strdup (others->entry);
    findings->grid = g_strdup (others->grid);
    findings->executions = NULL;
  }
  while (others->all->len) {
    CliFinding *own = g_ptr_array_steal_index (others->all, 0);
    char *message
        = g_strdup_printf ("%s%s%s", own->message, note ? ", with " : "", note ? note : "");
    g_free (own->message);
    own->message = message;
    if (g_ptr_array_find_with_equal_func (findings->all, own, is_same, NULL))
      free_finding (own);
    else
      g_ptr_array_add (findings->all, own);
  }
  findings->loop |= others->loop;
  g_ptr_array_sort (findings->all, compare_findings);
  cli_findings_clear (others);
}
