/* What is wrong with a kernel under a model: readings of its text, and the findings in them. */
#include "api/api.h"
#include "enumerator/paths/paths.h"
#include "enumerator/search/evidence.h"
#include "enumerator/search/hang.h"
#include "enumerator/search/search.h"
#include "enumerator/values/values.h"
#include "explain/explain.h"
#include "extra/kernel/internal.h"
#include "report/report.h"

#include <string.h>

KernelOptions *kernel_own_options (const CliOptions *options) {
  return cli_extra_options (options, &kernel_extra);
}

/* Readings of the kernel with their outcomes: with failures that end paths, lenient, and with
 * assertions as failures. */
typedef struct Readings {
  RspCheckOptions check; /* for all readings */
  KernelPairs pairs;
  RspKernel *kernel, *lenient;     /* lenient NULL: nothing failed */
  RspOutcome *outcome, *leniently; /* leniently: the outcome itself, if nothing failed */
  GPtrArray *evidence;             /* of leniently, from two work-items at a time; or NULL */
  RspKernel *asserting;            /* NULL: nothing failed, or nothing is asserted in the text */
  RspOutcome *asserted;
  RspSpan obstacle; /* what kept the last one from two work-items at a time, if known */
} Readings;

static void clear_readings (Readings *readings);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Readings, clear_readings)

/* ---- Readings ------------------------------------------------------------------------------- */

/* What is read, and where errors go. */
typedef struct Text {
  const char *path;
  RspKernelOptions *options;
  const RspModel *model;
  KernelPairs pairs;
  RspSpan *obstacle; /* for Readings.obstacle */
  RspDiagnostics *diagnostics;
} Text;

static void clear_readings (Readings *readings) {
  g_clear_pointer (&readings->evidence, g_ptr_array_unref);
  if (readings->asserting)
    rsp_outcome_free (readings->asserted);
  rsp_kernel_free (readings->asserting);
  if (readings->lenient)
    rsp_outcome_free (readings->leniently);
  rsp_kernel_free (readings->lenient);
  if (readings->outcome)
    rsp_outcome_free (readings->outcome);
  rsp_kernel_free (readings->kernel);
}

/* The reading whose flags count. */
static const RspKernel *flagged_kernel (const Readings *readings) {
  return readings->lenient ? readings->lenient : readings->kernel;
}

/* Was the search cut off behind a race? */
static gboolean is_cut (const Readings *readings) {
  return rsp_phases_are_cut (readings->kernel->program)
         || rsp_phases_are_cut (flagged_kernel (readings)->program);
}

static gboolean is_finished (const RspOutcome *outcome) {
  return outcome->stop == RSPCHECK_STOP_COMPLETE || outcome->stop == RSPCHECK_STOP_FOUND;
}

/* Does the lenient reading answer the questions about final memory, as what fails has any value in
 * it? */
static gboolean answers_in_spite (const Readings *readings) {
  return readings->kernel->has_question && readings->lenient && readings->outcome->n_failures
         && is_finished (readings->leniently);
}

static gboolean is_raised (const RspOutcome *outcome, const char *flag) {
  for (guint i = 0; i < outcome->n_flags; i++)
    if (outcome->flags[i].raised && strcmp (outcome->flags[i].name, flag) == 0)
      return TRUE;
  return FALSE;
}

/* Was the search cut off although no race is found? Atomic operations may order the accesses. */
static gboolean is_cut_in_vain (const RspKernel *kernel, const RspOutcome *outcome) {
  gboolean found = !is_finished (outcome) || outcome->n_failures;
  for (guint i = 0; i < outcome->n_flags; i++)
    found |= outcome->flags[i].raised && strcmp (outcome->flags[i].name, RSP_SPIN_FLAG) != 0;
  return !found && rsp_phases_are_cut (kernel->program);
}

/* If no execution ends, chooses how to find their common beginning; FALSE: it is known, or some
 * execution ends. Under `-spin last`, waiting loops have no rounds, and one that no value can end
 * (of a plain variable, for instance) has no executions at all. */
static gboolean choose_beginnings (RspCheckOptions *check, const RspOutcome *outcome) {
  if (check->prefixes || !is_finished (outcome) || outcome->n_states || outcome->n_failures
      || is_raised (outcome, RSP_SPIN_FLAG))
    return FALSE;
  if (check->spin == RSPCHECK_SPIN_LAST) {
    check->spin = RSPCHECK_SPIN_ALL;
    return TRUE;
  }
  check->prefixes = outcome->loop;
  return check->prefixes;
}

/* Checks the kernel with arrays as large as all executions need, or their common beginning if no
 * execution ends. FALSE after an error, or without a race at which the search must end. */
static gboolean check_once (const Text *text, RspCheckOptions *check, RspKernel **kernel,
                            RspOutcome **outcome, GPtrArray **evidence) {
  g_autoptr (GPtrArray) facts = rsp_kernel_facts_new ();
  for (;;) {
    g_autoptr (RspDiagnostics) own = rsp_diagnostics_new ();
    *kernel = rsp_kernel_explore (text->path, text->options, facts, check, text->diagnostics);
    if (!*kernel)
      return FALSE;
    RspProgram bound = *(*kernel)->program; /* the model may not be for it, or for its words */
    if (!rsp_model_fits (text->model, bound.language, text->diagnostics)
        || !rsp_words_bind (&bound, text->model, text->diagnostics)
        || (text->options->ends == RSP_PHASES_END_ALWAYS
            && !rsp_phases_are_cut ((*kernel)->program))) {
      g_clear_pointer (kernel, rsp_kernel_free);
      return FALSE;
    }
    g_clear_pointer (evidence, g_ptr_array_unref);
    g_atomic_int_inc (&kernel_progress.searches);
    *outcome = kernel_check_pairs (*kernel, text->model, check, text->pairs, evidence,
                                   text->obstacle, own);
    if (!*outcome)
      *outcome = rsp_check ((*kernel)->program, text->model, check, own);
    const gboolean grown = is_finished (*outcome) && rsp_kernel_grow (*kernel, *outcome, facts),
                   vain = !grown && is_cut_in_vain (*kernel, *outcome);
    if (vain)
      text->options->ends = RSP_PHASES_END_NEVER;
    else if (!grown && !choose_beginnings (check, *outcome)) {
      if ((*outcome)->n_failures) /* they are findings */
        rsp_diagnostics_drop (own, RSP_ERROR);
      rsp_diagnostics_move (text->diagnostics, own);
      return TRUE;
    }
    g_clear_pointer (outcome, rsp_outcome_free);
    g_clear_pointer (kernel, rsp_kernel_free);
  }
}

/* Makes the readings with readings->check, which afterwards also says how the common beginning is
 * found if no execution ends. FALSE after an error; an outcome may be unfinished. A failure ends
 * all executions with its path, so other races are found in a lenient reading, and assertions that
 * fail before it in one in which they are failures. */
static gboolean make_readings (Readings *readings, const char *path, RspKernelOptions *options,
                               const RspModel *model, RspDiagnostics *diagnostics) {
  const Text text = { path, options, model, readings->pairs, &readings->obstacle, diagnostics };
  g_autoptr (GPtrArray) unused = NULL;
  if (!check_once (&text, &readings->check, &readings->kernel, &readings->outcome,
                   &readings->evidence)
      || rsp_kernel_is_cut (readings->kernel, readings->outcome, diagnostics))
    return FALSE;
  readings->leniently = readings->outcome;
  gboolean failed = readings->outcome->n_failures > 0, good, again;
  if (!is_finished (readings->outcome)
      || (!failed
          && (readings->outcome->n_states || !readings->kernel->meets
              || options->ends >= RSP_PHASES_SCHEDULED)))
    return TRUE;
  do {
    g_autoptr (RspDiagnostics) own = rsp_diagnostics_new ();
    Text reading = text;
    reading.diagnostics = own;
    options->lenient = failed;
    options->unmet = !failed;
    good = check_once (&reading, &readings->check, &readings->lenient, &readings->leniently,
                       &readings->evidence);
    options->lenient = options->unmet = FALSE;
    if (!good && readings->kernel->has_question) { /* it depends on an undetermined value */
      readings->leniently = readings->outcome;
      return TRUE;
    }
    rsp_diagnostics_move (diagnostics, own);
    again = good && !failed && readings->leniently->n_failures;
    if (again) { /* others waited for a work-item that fails */
      rsp_outcome_free (readings->outcome);
      rsp_kernel_free (readings->kernel);
      readings->kernel = readings->lenient;
      readings->outcome = readings->leniently;
      readings->lenient = NULL;
      failed = TRUE;
    }
  } while (again);
  if (!good || !readings->kernel->n_asserts || !is_finished (readings->leniently))
    return good;
  options->asserts_fail = TRUE;
  good = check_once (&text, &readings->check, &readings->asserting, &readings->asserted, &unused);
  options->asserts_fail = FALSE;
  return good;
}

/* ---- Findings ------------------------------------------------------------------------------- */

static void free_finding (gpointer data) {
  Finding *finding = data;
  g_free (finding->kind);
  g_free (finding->message);
  g_free (finding->access);
  g_free (finding->other_access);
  g_clear_pointer (&finding->steps, g_array_unref);
  g_free (finding);
}

/* `tile@1[2]` is `tile[2] of work-group 1`. Takes the message. */
static char *plain (char *message) {
  g_autoptr (GRegex) name = g_regex_new ("@(\\d+)([\\w.\\[\\]+]*'?)", 0, 0, NULL);
  g_autofree char *own = message;
  return own ? g_regex_replace (name, own, -1, 0, "\\2 of work-group \\1", 0, NULL) : NULL;
}

static Finding *add (Findings *findings, const char *kind, RspSpan span, char *message) {
  Finding *finding = g_new0 (Finding, 1);
  finding->kind = g_strdup (kind);
  finding->message = plain (message);
  if (span.source) {
    rsp_source_position (span.source, span.begin, &finding->line, &finding->column);
    finding->file = rsp_source_origin (span.source, span.begin);
  }
  g_ptr_array_add (findings->all, finding);
  return finding;
}

/* "work-item (1,0)": its work-group, and its place there. */
static char *work_item (const Findings *findings, guint thread) {
  const RspGrid *grid = &findings->options->grid;
  guint size = grid->sub_groups * grid->items;
  return g_strdup_printf ("work-item (%u,%u)", thread / size, thread % size);
}

static gboolean is_same (gconstpointer x, gconstpointer y) {
  const Finding *a = x, *b = y;
  return a->line == b->line && a->column == b->column && a->other_line == b->other_line
         && a->other_column == b->other_column && a->file == b->file
         && a->other_file == b->other_file && strcmp (a->kind, b->kind) == 0;
}

/* ---- Flags ---- */
/* "data race", or "possible data race"; so is a race whose flag is not named as one, such as
 * `racy`. */
static char *words_of (const char *flag, gboolean possible) {
  if (rsp_flag_is_race (flag) && !strstr (flag, "race") && !strstr (flag, "Race"))
    flag = "data race";
  return g_strdelimit (g_strdup_printf ("%s%s", possible ? "possible " : "", flag), "_-", ' ');
}

/* "reads", "atomically writes"; newly allocated. */
static char *access_of (const RspEvidenceEvent *event) {
  return g_strdup_printf ("%s%s%s%s", event->atomic ? "atomically " : "",
                          event->reads ? "reads" : "", event->reads && event->writes ? " and " : "",
                          event->writes ? "writes" : "");
}

/* "work-item (1,0) is in this loop for ever"; newly allocated. */
static char *for_ever (const Findings *findings, guint thread, gboolean at_barrier) {
  g_autofree char *item = work_item (findings, thread);
  return g_strdup_printf ("%s %s for ever", item,
                          at_barrier ? "waits at this barrier" : "is in this loop");
}

static void clear_step (gpointer data) { g_free (((FindingStep *) data)->text); }

/* What the work-items do up to the events; NULL: unknown. */
static GArray *steps_of (const Findings *findings, const RspEvidence *evidence) {
  if (!evidence->steps->len)
    return NULL;
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (FindingStep));
  g_array_set_clear_func (steps, clear_step);
  for (guint i = 0; i < evidence->steps->len; i++) {
    const RspEvidenceEvent *event = &g_array_index (evidence->steps, RspEvidenceEvent, i);
    g_autofree char *item = work_item (findings, event->thread), *access = access_of (event);
    const FindingStep step
        = { event->thread, event->line, event->column, event->file,
            event->location ? g_strdup_printf ("%s %s %s", item, access, event->location)
                            : g_strdup_printf ("%s: %s", item, event->text) };
    g_array_append_val (steps, step);
  }
  return steps;
}

/* Adds a finding of a pair of accesses, or of one event. */
static void add_evidence (Findings *findings, const RspEvidence *evidence) {
  const RspEvidenceEvent *a = &g_array_index (evidence->events, RspEvidenceEvent, 0);
  const RspEvidenceEvent *b
      = evidence->events->len > 1 ? &g_array_index (evidence->events, RspEvidenceEvent, 1) : NULL;
  g_autofree char *words = words_of (evidence->flag, evidence->guessed);
  GHashTable *unequal = findings->options->unequal;
  if (a->initial && b) {
    a = b;
    b = NULL;
  }
  g_autofree char *one = work_item (findings, a->thread);
  Finding *finding = add (findings, evidence->flag, RSP_NOWHERE, NULL);
  finding->line = a->line;
  finding->column = a->column;
  finding->file = a->file;
  finding->possible = evidence->guessed;
  finding->steps = steps_of (findings, evidence);
  if (b && !b->initial) {
    g_autofree char *two = work_item (findings, b->thread);
    g_autofree char *lines = rsp_kernel_lines (a->line, b->line);
    finding->same_value
        = evidence->same_value && !(unequal && g_hash_table_contains (unequal, lines));
    finding->access = access_of (a);
    finding->other_access = access_of (b);
    finding->other_line = b->line;
    finding->other_column = b->column;
    finding->other_file = b->file;
    g_autofree char *elsewhere
        = b->file == a->file ? NULL
                             : rsp_visible_name (b->file ? b->file->name : findings->file->name);
    finding->message = plain (g_strdup_printf (
        "%s on %s between %s, which %s, and line %u, column %u of %s%s%s, which %s%s", words,
        a->location ? a->location : "memory", one, finding->access, b->line, b->column,
        elsewhere ? elsewhere : "", elsewhere ? ", " : "", two, finding->other_access,
        finding->same_value ? " (both write the same value)" : ""));
    return;
  }
  static const char *const meetings[][2] = { { "async_", "copy with the same arguments" },
                                             { "wait_", "wait with the same events" },
                                             { "", "barrier" } };
  const gboolean diverges = strcmp (evidence->flag, "barrier_divergence") == 0;
  guint k = 0;
  while (diverges && !g_str_has_prefix (a->text, meetings[k][0]))
    k++;
  finding->message = g_strdup_printf (
      "%s: %s%s%s", words, one, diverges ? ": not all work-items of its group come to this " : "",
      diverges ? meetings[k][1] : "");
}

static void add_flags (Findings *findings, const RspOutcome *outcome, const GPtrArray *all) {
  for (guint i = 0; i < outcome->n_flags; i++) {
    const RspFlag *flag = &outcome->flags[i];
    gboolean shown = FALSE;
    if (!flag->raised)
      continue;
    for (guint k = 0; k < all->len; k++) {
      const RspEvidence *evidence = all->pdata[k];
      if (strcmp (evidence->flag, flag->name) != 0)
        continue;
      add_evidence (findings, evidence);
      shown = TRUE;
    }
    g_autofree char *words = words_of (flag->name, FALSE),
                    *where = for_ever (findings, flag->thread, flag->at_barrier);
    if (!shown && flag->span.source)
      add (findings, flag->name, flag->span, g_strdup_printf ("%s: %s", words, where));
    else if (!shown)
      add (findings, flag->name, findings->kernel->program->threads[0].span, g_strdup (words))
          ->unplaced
          = TRUE;
  }
}

/* ---- Failures and assertions ---- */
/* Adds what ended paths; its kind follows from the message's beginning. */
static void add_failures (Findings *findings, const RspOutcome *outcome) {
  static const char *const kinds[][2]
      = { { "access to ", "out_of_bounds" },  { "access through", "out_of_bounds" },
          { "'", "uninitialised_read" },      { "an object", "uninitialised_read" },
          { "division", "division_by_zero" }, { "", "undefined_operation" } };
  for (guint i = 0; i < outcome->n_failures; i++) {
    const RspFailure *failure = &outcome->failures[i];
    guint k = 0;
    while (!g_str_has_prefix (failure->message, kinds[k][0]))
      k++;
    g_autofree char *item = work_item (findings, failure->thread),
                    *words = words_of (kinds[k][1], failure->guessed);
    add (findings, kinds[k][1], failure->span,
         g_str_has_suffix (words, failure->message)
             ? g_strdup_printf ("%s by %s", words, item)
             : g_strdup_printf ("%s: %s by %s", words, failure->message, item))
        ->possible
        = failure->guessed;
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

/* A final state in which the proposition has that truth, or NULL. */
static const RspStateCount *find_state (const RspOutcome *outcome, const RspProp *prop,
                                        RspTruth truth) {
  for (guint i = 0; i < outcome->n_states; i++)
    if (rsp_state_truth_in (outcome->program, prop, value_of,
                            &(View){ outcome, &outcome->states[i] })
        == truth)
      return &outcome->states[i];
  return NULL;
}

/* Adds a failing assertion in the text, unless another work-item's is there. */
static void add_assertion (Findings *findings, RspSpan span, guint thread, const char *what) {
  g_autofree char *item = work_item (findings, thread);
  Finding *own = add (findings, "assertion", span, g_strdup_printf ("%s in %s", what, item));
  guint first;
  if (g_ptr_array_find_with_equal_func (findings->all, own, is_same, &first)
      && first + 1 < findings->all->len)
    g_ptr_array_remove_index (findings->all, findings->all->len - 1);
}

/* Adds assertions in the text. certain: is there no failure before them? */
static void add_text_assertions (Findings *findings, const RspKernel *kernel,
                                 const RspOutcome *outcome, gboolean certain) {
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
                       fails && certain && !kernel->guessed ? RSP_ASSERTION_FAILS
                                                            : "the assertion may fail");
    }
  }
}

static gboolean mentions (const RspProp *prop, guint observable) {
  if (prop->kind != RSP_PROP_ATOM)
    return (prop->a && mentions (prop->a, observable))
           || (prop->b && mentions (prop->b, observable));
  return (prop->left.is_observable && prop->left.observable == observable)
         || (prop->right.is_observable && prop->right.observable == observable);
}

/* Appends the shortest text that is read as this number. */
static void format_real (guint8 bits, gint64 number, GString *text) {
  const RspNumberType own = { bits, TRUE, TRUE }, wide = { 64, TRUE, TRUE };
  const gint64 widen = rsp_float_function ("convert", wide, &own, 1),
               narrow = rsp_float_function ("convert", own, &wide, 1),
               value = rsp_float_calculate (widen, &number);
  char digits[G_ASCII_DTOSTR_BUF_SIZE], format[] = "%.17g";
  double real, again;
  memcpy (&real, &value, sizeof real);
  for (guint n = 1; n <= 17; n++) {
    g_snprintf (format, sizeof format, "%%.%ug", n);
    again = g_ascii_strtod (g_ascii_formatd (digits, sizeof digits, format, real), NULL);
    gint64 read;
    memcpy (&read, &again, sizeof read);
    if (read == value || rsp_float_calculate (narrow, &read) == number)
      break;
  }
  g_string_append (text, digits);
}

/* What the assertion reads at the end: "x[0]=1, f[2]=0.5". */
static void format_values (const RspOutcome *outcome, const RspProp *prop,
                           const RspStateCount *state, GString *text) {
  for (guint k = 0; k < outcome->n_printed; k++) {
    const RspObservable *observable = &outcome->program->observables[outcome->printed[k]];
    if (observable->is_register || !mentions (prop, outcome->printed[k]))
      continue;
    const RspType *type = rsp_observable_type (outcome->program, observable);
    const RspValue value = rsp_outcome_value (outcome, state, k);
    g_string_append_printf (text, "%s%s=", text->len ? ", " : " with ", observable->name);
    if (type->is_float && !value.unknown)
      format_real (rsp_type_bits (type), value.bits, text);
    else
      rsp_outcome_format_value (outcome, state, k, text);
  }
}

static void add_assertions (Findings *findings, const RspKernel *kernel,
                            const RspOutcome *outcome) {
  add_text_assertions (findings, kernel, outcome, TRUE);
  for (guint i = 0; i < kernel->n_finals && !findings->unending && !findings->is_cut; i++) {
    const RspProp *prop = kernel->finals[i];
    const RspQuantifier quantifier = kernel->program->quantifier;
    if (quantifier == RSP_EXISTS) {
      if (is_finished (outcome) && !find_state (outcome, prop, RSP_HOLDS)
          && !find_state (outcome, prop, RSP_OPEN))
        add (findings, "assertion", prop->span, g_strdup ("no execution ends with this"));
      continue;
    }
    const RspStateCount *certain
        = find_state (outcome, prop, quantifier == RSP_NOT_EXISTS ? RSP_HOLDS : RSP_FAILS);
    const RspStateCount *state = certain ? certain : find_state (outcome, prop, RSP_OPEN);
    if (!state)
      continue;
    g_autoptr (GString) text = g_string_new (NULL);
    format_values (outcome, prop, state, text);
    add (findings, "assertion", prop->span,
         g_strdup_printf ("the assertion %s%s", certain && !kernel->guessed ? "fails" : "may fail",
                          text->str));
  }
}

/* ---- Hangs ---- */
/* Adds the hang at the first thread that never ends. */
static void add_hang (Findings *findings, const RspHang *hang) {
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
  const Finding *a = *(Finding *const *) x, *b = *(Finding *const *) y;
  const int files = g_strcmp0 (a->file ? a->file->name : NULL, b->file ? b->file->name : NULL);
  if (files)
    return files;
  if (a->line != b->line)
    return a->line < b->line ? -1 : 1;
  if (a->column != b->column)
    return a->column < b->column ? -1 : 1;
  return strcmp (a->message, b->message);
}

void kernel_clear_findings (Findings *findings) {
  g_clear_pointer (&findings->all, g_ptr_array_unref);
  g_clear_pointer (&findings->host_functions, g_free);
  g_clear_pointer (&findings->grid, g_free);
  g_clear_pointer (&findings->entry, g_free);
  g_clear_pointer (&findings->path, g_free);
  g_clear_pointer (&findings->model, g_free);
  g_clear_pointer (&findings->file, rsp_source_unref);
  g_clear_pointer (&findings->record, rsp_record_free);
}

/* ---- Which count ---- */
/* The words of -findings, and what the kinds that each means have in their names; those of the
 * first are data races. */
static const struct {
  const char *word, *part;
} chosen_kinds[] = { { "race", "race" },
                     { "divergence", "divergence" },
                     { "bounds", "out_of_bounds" },
                     { "uninitialised", "uninitialised" },
                     { "division", "division" },
                     { "assertion", "assertion" },
                     { "hang", "hang" },
                     { "hang", RSP_SPIN_FLAG },
                     { "undefined", "" } };

/* Does the list, such as "race,bounds" or "-race", select the kind? */
static gboolean is_chosen (const char *list, const char *kind) {
  guint row = !rsp_flag_is_race (kind);
  while (row && !strstr (kind, chosen_kinds[row].part))
    row++;
  gboolean chosen = !list || *list == '-';
  g_auto (GStrv) words = g_strsplit (list ? list : "", ",", -1);
  for (guint i = 0; words[i]; i++) {
    const char *word = words[i] + (words[i][0] == '-');
    if (strcmp (word, chosen_kinds[row].word) == 0 || strcmp (word, "all") == 0)
      chosen = word == words[i];
  }
  return chosen;
}

gboolean kernel_check_chosen (const char *list, RspDiagnostics *diagnostics) {
  g_autoptr (GPtrArray) known = g_ptr_array_new ();
  g_auto (GStrv) words = g_strsplit (list ? list : "all", ",", -1);
  for (gsize i = 0; i < G_N_ELEMENTS (chosen_kinds); i++)
    g_ptr_array_add (known, (gpointer) chosen_kinds[i].word);
  g_ptr_array_add (known, (gpointer) "all");
  g_ptr_array_add (known, NULL);
  const char *const *all = (const char *const *) known->pdata;
  for (guint i = 0; words[i]; i++) {
    const char *word = words[i] + (words[i][0] == '-');
    g_autofree char *hint = rsp_did_you_mean (word, all);
    if (g_strv_contains (all, word))
      continue;
    rsp_error (diagnostics, RSP_NOWHERE,
               hint ? hint
                    : "`-findings race,divergence`; others are bounds, uninitialised, division, "
                      "undefined, assertion, hang, all; `-findings -race`: all others",
               "-findings: found `%s`, expected kinds of findings", word);
    return FALSE;
  }
  return TRUE;
}

/* Removes what -findings and -benign leave out. */
static void leave_out (Findings *findings, const KernelOptions *options) {
  findings->chosen = options->chosen;
  for (guint i = findings->all->len; i-- > 0;) {
    const Finding *own = findings->all->pdata[i];
    const gboolean chosen = is_chosen (options->chosen, own->kind),
                   benign = options->benign && own->same_value;
    findings->n_benign += chosen && benign;
    if (!chosen || benign)
      g_ptr_array_remove_index (findings->all, i);
  }
}

/* Moves new findings to the first, with a note such as "n=4" (or NULL) at the end of their
 * messages; clears the second. */
static void merge_findings (Findings *findings, Findings *others, const char *note) {
  if (!findings->all) {
    *findings = *others;
    findings->all = g_ptr_array_new_with_free_func (free_finding);
    others->entry = others->grid = others->host_functions = others->path = others->model = NULL;
    others->file = NULL;
    others->record = NULL;
    findings->counted = FALSE;
  }
  while (others->all->len) {
    Finding *own = g_ptr_array_steal_index (others->all, 0);
    char *message = g_strdup_printf ("%s%s%s", own->message, note && *note ? ", with " : "",
                                     note ? note : "");
    g_free (own->message);
    own->message = message;
    guint known;
    if (!g_ptr_array_find_with_equal_func (findings->all, own, is_same, &known))
      g_ptr_array_add (findings->all, own);
    else if (((const Finding *) findings->all->pdata[known])->same_value > own->same_value) {
      g_ptr_array_remove_index (findings->all, known);
      g_ptr_array_add (findings->all, own);
    } else
      free_finding (own);
  }
  findings->loop |= others->loop;
  findings->is_cut |= others->is_cut;
  findings->stop = findings->stop ? findings->stop : others->stop;
  g_ptr_array_sort (findings->all, compare_findings);
  kernel_clear_findings (others);
}

/* ---- One check ------------------------------------------------------------------------------ */
#define FEWER "a smaller grid, -timeout or -max-memory may help"

/* The hangs that -progress asks for, or NULL; an error if they are not all found. */
static RspHangs *find_hangs (KernelRun *run, const RspKernel *kernel, const RspModel *model) {
  const GArray *models = run->column->progress;
  if (!models->len)
    return NULL;
  RspCheckOptions rest = rsp_check_options_rest (&run->check, 0);
  RspHangs *hangs
      = rsp_hangs_find (kernel->program, model, &rest, (const RspProgress *) models->data,
                        models->len, NULL, run->diagnostics);
  if (hangs->stop != RSPCHECK_STOP_COMPLETE)
    rsp_error (run->diagnostics, RSP_NOWHERE, FEWER, "%s: the search for hangs did not finish",
               run->path);
  return hangs;
}

/* Explains why the assertions fail, if there are any, and each flag, with an execution. */
static void explain (KernelRun *run, const Readings *readings, const RspModel *model,
                     RspExplanations *all) {
  const RspKernel *kernel = readings->kernel;
  RspCheckOptions rest = rsp_check_options_rest (&readings->check, 0);
  if (kernel->n_asserts + kernel->n_finals)
    rsp_explain (all, flagged_kernel (readings)->program, model, &rest, readings->leniently,
                 run->diagnostics);
  else
    rsp_explain_flags (all, flagged_kernel (readings)->program, model, &rest, readings->leniently,
                       run->diagnostics);
}

/* Reports that nothing was found as no execution ended, or none began. */
static void report_vacuous (KernelRun *run, gboolean sampled) {
  const char *path = run->path;
  if (run->large)
    rsp_error (run->diagnostics, RSP_NOWHERE, "`-arg x[N]=0` gives an array N elements",
               "%s: no values of the arguments are left to check", path);
  else if (run->endless)
    rsp_error (run->diagnostics, RSP_NOWHERE,
               "-unroll N allows more rounds; `-progress fair` asks whether it runs for ever",
               "%s: no execution ends within %u rounds of each loop", path, run->check.unroll);
  else
    rsp_error (run->diagnostics, RSP_NOWHERE,
               "`-arg` gives arguments with which `__requires` and `__assume` hold",
               "%s: the kernel's assumptions exclude all executions%s", path,
               sampled ? " with the numbers tried" : "");
}

/* Was nothing found only because no execution ended? With values for `any`, that is decided after
 * the last one. */
static gboolean is_vacuous (KernelRun *run, const Readings *readings) {
  const gboolean executed = readings->leniently->n_states > 0;
  run->executed |= executed && !readings->check.prefixes;
  run->endless |= readings->check.prefixes;
  if (run->n_any || (executed && !readings->check.prefixes))
    return FALSE;
  report_vacuous (run, FALSE);
  return TRUE;
}

/* Quotes the lines of a listing in messages, as the user does not see it. */
static void quote_lines (Findings *findings) {
  for (guint i = 0; i < findings->all->len; i++) {
    Finding *own = findings->all->pdata[i];
    const gboolean second = own->other_line && !own->other_file && own->other_line != own->line;
    if (own->file || !own->line)
      continue;
    g_autofree char *message = own->message, *line = kernel_line_of (findings->file, own->line),
                    *other = kernel_line_of (findings->file, own->other_line);
    own->message
        = g_strdup_printf ("%s: `%s`%s%s%s", message, g_strstrip (line), second ? ", `" : "",
                           second ? g_strstrip (other) : "", second ? "`" : "");
  }
}

/* "cos, exp", newly allocated, or NULL. */
static char *host_functions_of (const RspKernel *kernel) {
  GList *names
      = g_list_sort (g_hash_table_get_keys (kernel->host_functions), (GCompareFunc) strcmp);
  GString *all = g_string_new (NULL);
  for (const GList *name = names; name; name = name->next)
    g_string_append_printf (all, "%s%s", all->len ? ", " : "", (const char *) name->data);
  g_list_free (names);
  return g_string_free (all, all->len == 0);
}

/* Why a search ended early. */
static const char *word_of (RspcheckStop stop) {
  if (stop == RSPCHECK_STOP_TIMEOUT)
    return "time";
  return stop == RSPCHECK_STOP_MEMORY ? "memory" : "a limit";
}

/* Collects the findings of all readings; flags are those of a lenient reading if there is one.
 * hangs: of -progress, or NULL. */
static void collect (KernelRun *run, const Readings *readings, const RspModel *model,
                     const RspHangs *hangs, Findings *findings) {
  const gboolean in_spite = answers_in_spite (readings);
  const RspKernel *subject = in_spite ? readings->lenient : readings->kernel;
  const RspOutcome *answer = in_spite ? readings->leniently : readings->outcome;
  RspcheckStop stop = RSPCHECK_STOP_COMPLETE;
  const RspCheckOptions rest = rsp_check_options_rest (&readings->check, 0);
  g_autoptr (GPtrArray) evidence
      = readings->evidence
            ? g_ptr_array_ref (readings->evidence)
            : rsp_evidence_find_every_line (model, &rest, readings->leniently, &stop);
  *findings = (Findings){ .path = g_strdup (run->path),
                          .model = g_strdup (run->column->label),
                          .file = rsp_source_ref (readings->kernel->file),
                          .kernel = readings->kernel,
                          .options = &run->kernel,
                          .grid = g_strdup (run->grid),
                          .unroll = run->check.unroll,
                          .pairs = readings->evidence != NULL,
                          .unending = readings->check.prefixes,
                          .is_cut = is_cut (readings),
                          .stop = stop == RSPCHECK_STOP_COMPLETE ? NULL : word_of (stop) };
  findings->all = g_ptr_array_new_with_free_func (free_finding);
  findings->entry = g_strdup (findings->kernel->program->name);
  findings->zero_inputs = readings->kernel->zero_inputs;
  findings->given_inputs = readings->kernel->given_inputs;
  findings->host_functions = host_functions_of (readings->kernel);
  findings->counted = !readings->leniently->uncounted && !findings->is_cut;
  if (findings->counted && !findings->unending)
    findings->executions = readings->leniently->positive + readings->leniently->negative
                           + readings->leniently->undetermined;
  if (readings->kernel->has_question && !run->n_any && !findings->unending && !findings->is_cut) {
    findings->record = rsp_record_new (findings->entry, findings->path, findings->model, NULL);
    rsp_record_set_program (findings->record, subject->program);
    rsp_record_set_outcome (findings->record, answer, &readings->check);
    findings->record->model_digest = g_strdup (model->digest);
    findings->record->seconds = (double) (g_get_monotonic_time () - run->start) / 1e6;
  }
  findings->some_states = findings->record && answer->some_states;
  findings->loop = readings->outcome->loop || readings->leniently->loop;
  add_flags (findings, readings->leniently, evidence);
  add_failures (findings, readings->outcome);
  add_assertions (findings, subject, answer);
  if (run->kernel.front && run->kernel.front->listed)
    quote_lines (findings);
  for (guint i = 0; hangs && i < hangs->n; i++)
    if (hangs->items[i].hangs)
      add_hang (findings, &hangs->items[i]);
  g_ptr_array_sort (findings->all, compare_findings);
  for (guint i = 0; readings->asserting && i < readings->asserted->n_failures; i++) {
    const RspFailure *failure = &readings->asserted->failures[i];
    if (strcmp (failure->message, RSP_ASSERTION_FAILS) == 0)
      add_assertion (findings, failure->span, failure->thread, RSP_ASSERTION_FAILS);
  }
  if (readings->outcome->n_failures && readings->lenient && !in_spite)
    add_text_assertions (findings, readings->lenient, readings->leniently, FALSE);
  g_ptr_array_sort (findings->all, compare_findings);
}

/* Formats the answer for one kernel; SARIF, and JSON of several, come at the end. */
static void format_answer (const KernelRun *run, GString *out) {
  const GPtrArray *all = run->answer->findings.all;
  if (run->summary) {
    /* "data_race line 3, out_of_bounds line 5": each kind at each line once. */
    for (guint i = 0; i < all->len; i++) {
      const Finding *own = all->pdata[i];
      g_autofree char *text = g_strdup_printf ("%s line %u", own->kind, own->line);
      if (!strstr (run->summary->str, text))
        g_string_append_printf (run->summary, "%s%s", run->summary->len ? ", " : "", text);
    }
    return;
  }
  if (kernel_own_options (run->options)->sarif)
    return;
  if (!run->options->json)
    kernel_format_text (&run->answer->findings, run->named, out);
  else if (!run->named) {
    g_autoptr (GPtrArray) one = g_ptr_array_new ();
    g_ptr_array_add (one, run->answer);
    kernel_format_json (one, out);
  }
}

enum { MORE_SECONDS = 5 /* after a search that did not finish */ };

static double more_time (const KernelRun *run) {
  return run->check.timeout > 0 ? MIN (run->check.timeout, MORE_SECONDS) : MORE_SECONDS;
}

/* Adds the findings of such a check; FALSE: it does not finish. */
static gboolean add_readings (KernelRun *run, const RspCheckOptions *check, KernelPairs pairs,
                              const RspModel *model, Findings *findings) {
  g_auto (Readings) readings = { .check = *check, .pairs = pairs };
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  Findings others;
  if (!make_readings (&readings, run->path, &run->kernel, model, unheard)
      || !is_finished (readings.leniently))
    return FALSE;
  collect (run, &readings, model, NULL, &others);
  merge_findings (findings, &others, NULL);
  return TRUE;
}

/* May the search be cut off behind a race? Only if races are asked about. */
static gboolean may_end (const KernelRun *run) {
  const KernelOptions *own = kernel_own_options (run->options);
  return !run->column->progress->len && !own->benign && is_chosen (own->chosen, "data_race");
}

/* If that is quick, adds what is found up to the first barrier behind a race, or else in the common
 * beginning of all executions, with a few rounds of each loop. */
static void add_beginnings (KernelRun *run, const RspModel *model, Findings *findings) {
  RspCheckOptions check = run->check;
  check.timeout = more_time (run);
  run->kernel.ends = RSP_PHASES_END_ALWAYS;
  const gboolean raced
      = may_end (run) && add_readings (run, &check, KERNEL_PAIRS_AUTO, model, findings);
  run->kernel.ends = RSP_PHASES_END_NEVER;
  check.unroll_all = check.prefixes = TRUE;
  check.spin = RSPCHECK_SPIN_ALL;
  if (!raced)
    add_readings (run, &check, KERNEL_PAIRS_AUTO, model, findings);
}

/* Adds what is found on the paths of a few schedules, within a short time. */
static void add_schedules (KernelRun *run, const RspModel *model, Findings *findings) {
  enum { MANY_ROUNDS = 64 };
  const gint64 end = g_get_monotonic_time () + (gint64) (more_time (run) * 1e6);
  RspCheckOptions check = run->check;
  check.unroll = MANY_ROUNDS;
  check.spin = RSPCHECK_SPIN_ALL;
  for (guint i = 0; i < RSP_N_SCHEDULES; i++) {
    check.timeout = (double) (end - g_get_monotonic_time ()) / 1e6;
    run->kernel.ends = (RspPhasesEnd) (RSP_PHASES_SCHEDULED + i);
    if (check.timeout > 0)
      add_readings (run, &check, KERNEL_PAIRS_NEVER, model, findings);
  }
  run->kernel.ends = RSP_PHASES_END_NEVER;
}

static gboolean is_same_flag (gconstpointer x, gconstpointer y) {
  const Finding *own = x, *unplaced = y;
  return !own->unplaced && strcmp (own->kind, unplaced->kind) == 0;
}

/* Removes flags without a place if others of their kind have one. */
static void drop_unplaced (Findings *findings) {
  for (guint i = findings->all->len; i-- > 0;) {
    const Finding *own = findings->all->pdata[i];
    if (own->unplaced && g_ptr_array_find_with_equal_func (findings->all, own, is_same_flag, NULL))
      g_ptr_array_remove_index (findings->all, i);
  }
}

/* Prints the answer and its explanations. endless: NULL if the kernel always ends. */
static void print (KernelRun *run, const Readings *readings, const Readings *endless,
                   const RspModel *model, const RspHangs *hangs, GString *out) {
  format_answer (run, out);
  if (!run->options->explain)
    return;
  g_autofree char *ways = hangs ? rsp_hangs_explain (hangs) : NULL;
  g_autoptr (RspExplanations) all = rsp_explanations_new ();
  /* Only executions that end have a final memory. */
  const Readings *main = endless && !readings->kernel->n_finals ? endless : readings;
  explain (run, main, model, all);
  if (endless && main != endless) { /* flags that only executions that never end raise */
    RspOutcome others = *endless->leniently;
    RspCheckOptions rest = rsp_check_options_rest (&endless->check, 0);
    others.flags = rsp_arena_copy (others.arena, others.flags, sizeof (RspFlag) * others.n_flags);
    for (guint i = 0; i < others.n_flags; i++)
      others.flags[i].raised &= !is_raised (readings->leniently, others.flags[i].name);
    rsp_explain_flags (all, flagged_kernel (endless)->program, model, &rest, &others,
                       run->diagnostics);
  }
  g_string_append_c (out, '\n');
  rsp_explanations_format (all, FALSE, out);
  g_string_append (out, ways ? ways : "");
}

static int report (KernelRun *run, const RspModel *model, const Readings *readings,
                   const Readings *endless) {
  const CliOptions *options = run->options;
  RspCheckOptions rest = rsp_check_options_rest (&readings->check, 0);
  g_autoptr (GString) out = g_string_new (NULL);
  RspHangs *hangs = find_hangs (run, readings->kernel, model);
  Findings findings, others;
  collect (run, readings, model, hangs, &findings);
  if (endless) {
    collect (run, endless, model, NULL, &others);
    merge_findings (&findings, &others, NULL);
  }
  /* Searches for the places of flags without events in what all executions begin with. */
  gboolean placed = TRUE;
  for (guint i = 0; i < findings.all->len; i++)
    placed &= !((const Finding *) findings.all->pdata[i])->unplaced;
  if (!placed)
    add_beginnings (run, model, &findings);
  drop_unplaced (&findings);
  const char *stop = findings.stop;
  if (stop)
    rsp_error (run->diagnostics, RSP_NOWHERE, FEWER,
               "%s: the search for the places of races and other findings did not finish (%s)",
               run->path, stop);
  gboolean found = findings.all->len > 0, vacuous = !found && is_vacuous (run, readings);
  if (run->n_any)
    merge_findings (&run->answer->findings, &findings, run->note);
  else if (!vacuous) {
    leave_out (&findings, kernel_own_options (options));
    found = findings.all->len > 0;
    run->answer->findings = findings;
    print (run, readings, endless, model, hangs, out);
  } else
    kernel_clear_findings (&findings);
  gboolean whole
      = !vacuous && (!hangs || hangs->stop == RSPCHECK_STOP_COMPLETE) && (found || !stop);
  int status = found ? CLI_STATUS_DIFFERENT : CLI_STATUS_OK;
  rsp_hangs_free (hangs);
  whole = cli_write (out) && whole;
  if (whole && found && cli_option_is_set (options, "repair") && !run->kernel.front)
    whole = cli_kernel_repair () (options, run->path, readings->kernel, &run->kernel, model, &rest,
                                  run->column->label, run->diagnostics);
  return whole ? status : CLI_STATUS_UNFINISHED;
}

/* Reports the findings so far of a check that ended early: outcome says why; NULL: an error did. */
static int report_unfinished (KernelRun *run, const RspModel *model, Readings *readings,
                              const RspOutcome *outcome) {
  const char *stop = outcome ? word_of (outcome->stop) : "a limit";
  g_autoptr (GString) out = g_string_new (NULL);
  Findings findings = { .all = NULL };
  if (rsp_diagnostics_count_errors (run->diagnostics) == 0)
    rsp_error (run->diagnostics, readings->obstacle, FEWER, "%s%sthe search did not finish (%s)%s",
               readings->obstacle.source ? "" : run->path, readings->obstacle.source ? "" : ": ",
               stop,
               readings->obstacle.source
                   ? ": what a work-item does depends on this read of what others write, so all "
                     "work-items are searched at once, not two at a time"
                   : "");
  readings->check.timeout = more_time (run);
  if (readings->leniently)
    collect (run, readings, model, NULL, &findings);
  add_beginnings (run, model, &findings);
  add_schedules (run, model, &findings);
  run->stop = stop;
  if (!findings.all)
    return CLI_STATUS_UNFINISHED;
  findings.counted = FALSE;
  findings.stop = stop;
  findings.is_cut &= findings.all->len > 0;
  drop_unplaced (&findings);
  leave_out (&findings, kernel_own_options (run->options));
  const gboolean found = findings.all->len > 0;
  if (run->n_any)
    merge_findings (&run->answer->findings, &findings, run->note);
  else {
    run->answer->findings = findings;
    format_answer (run, out);
  }
  return cli_write (out) && found && !run->n_any ? CLI_STATUS_DIFFERENT : CLI_STATUS_UNFINISHED;
}

/* Is this value of an argument left out, as an array would grow beyond the limit with it? */
static gboolean is_left_out (KernelRun *run, const Readings *readings) {
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  if (!run->n_any || !readings->outcome || readings->leniently
      || !rsp_kernel_is_cut (readings->kernel, readings->outcome, unheard))
    return FALSE;
  if (!run->large)
    rsp_warning (run->diagnostics, RSP_NOWHERE, "`-arg x[N]=0` gives an array N elements",
                 "with %s, an array without a declared size needs more than %d values: "
                 "such values are left out",
                 run->note, RSP_KERNEL_MAX_GROWN);
  return run->large = TRUE;
}

static int check (KernelRun *run, const RspModel *model) {
  /* Searches for hangs, explanations and edits are about all work-items. */
  const KernelPairs pairs = run->column->progress->len || run->options->explain
                                    || cli_option_is_set (run->options, "repair")
                                ? KERNEL_PAIRS_NEVER
                                : (KernelPairs) kernel_own_options (run->options)->pairs;
  g_auto (Readings) readings = { .check = run->check, .pairs = pairs },
                    endless = { .check = run->check };
  const char *path = run->path;
  g_autoptr (RspDiagnostics) own = rsp_diagnostics_new ();
  if (may_end (run))
    run->kernel.ends = RSP_PHASES_END_IF_MANY;
  const gboolean made = make_readings (&readings, path, &run->kernel, model, own);
  run->kernel.ends = RSP_PHASES_END_NEVER;
  if (made && is_cut (&readings))
    rsp_warning (
        own, RSP_NOWHERE, "fix the race first",
        "%s: the kernel is not searched beyond the race, which leaves too many values open", path);
  if (!made && is_left_out (run, &readings))
    return CLI_STATUS_OK;
  rsp_diagnostics_move (run->diagnostics, own);
  if (!made)
    return report_unfinished (run, model, &(Readings){ .check = run->check }, NULL);
  if (!is_finished (readings.leniently))
    return report_unfinished (run, model, &readings, readings.leniently);
  if (readings.asserting && !is_finished (readings.asserted))
    return report_unfinished (run, model, &readings, readings.asserted);
  if (!is_raised (readings.leniently, RSP_SPIN_FLAG))
    return report (run, model, &readings, NULL);
  /* The kernel may run for ever: searches what happens before that. */
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  endless.check.prefixes = TRUE;
  gboolean whole = make_readings (&endless, path, &run->kernel, model, unheard)
                   && is_finished (endless.leniently);
  if (!whole)
    rsp_warning (run->diagnostics, RSP_NOWHERE, FEWER,
                 "%s: executions that never end were not searched for further findings within the "
                 "limits of time and memory",
                 path);
  return report (run, model, &readings, whole ? &endless : NULL);
}

/* The values to check with, "n=4" or NULL for what is given, of each argument in run->any. */
typedef struct Values {
  GPtrArray *of[RSP_KERNEL_MAX_UNKNOWN];
  guint groups[RSP_KERNEL_MAX_UNKNOWN]; /* see rsp_kernel_representatives */
  guint places[RSP_KERNEL_MAX_UNKNOWN]; /* those checked now */
} Values;

/* Checks with each representative value of the arguments from this one on. note: the values of
 * those before. */
static int check_each (KernelRun *run, const RspModel *model, Values *values, guint argument,
                       const char *note) {
  int status = CLI_STATUS_OK;
  if (argument == run->n_any) {
    run->note = note;
    g_atomic_int_inc (&kernel_progress.value);
    return check (run, model);
  }
  const GPtrArray *own = values->of[argument];
  const guint group = values->groups[argument];
  for (guint i = 0; i < own->len && status != CLI_STATUS_UNFINISHED; i++) {
    if (group != argument && i != values->places[group])
      continue;
    values->places[argument] = i;
    if (own->pdata[i])
      *run->any[argument] = own->pdata[i];
    g_autofree char *all = own->pdata[i] ? g_strdup_printf ("%s%s%s", note, *note ? ", " : "",
                                                            (char *) own->pdata[i])
                                         : g_strdup (note);
    int one = check_each (run, model, values, argument + 1, all);
    status = one == CLI_STATUS_UNFINISHED ? one : MAX (status, one);
  }
  return status;
}

enum { MAX_RANGE = 256 /* numbers of `-arg n=1..16` */ };

gboolean kernel_range_of (const char *argument, gint64 *first, gint64 *last) {
  const char *text = strchr (argument, '=');
  char *end = NULL;
  const gint64 low = text ? g_ascii_strtoll (text + 1, &end, 0) : 0;
  if (!text || end == text + 1 || !g_str_has_prefix (end, "..") || !end[2] || end[2] == '.')
    return FALSE;
  const gint64 high = g_ascii_strtoll (end + 2, &end, 0);
  if (first)
    *first = low;
  if (last)
    *last = high;
  return !*end && low <= high && high - low < MAX_RANGE;
}

static void values_clear (Values *values) {
  for (guint i = 0; i < RSP_KERNEL_MAX_UNKNOWN; i++)
    g_clear_pointer (&values->of[i], g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Values, values_clear)

/* FALSE after an error. */
static gboolean find_values (KernelRun *run, Values *values, gboolean *loop, gboolean *sampled) {
  g_auto (GStrv) names = g_new0 (char *, RSP_KERNEL_MAX_UNKNOWN + 1);
  g_autoptr (GPtrArray) unknown = NULL;
  gint64 first, last;
  guint n_ranges = 0;
  for (guint i = 0; i < run->n_any; i++) {
    GPtrArray *own = values->of[i] = g_ptr_array_new_with_free_func (g_free);
    names[i] = g_strndup (*run->any[i], strcspn (*run->any[i], "[="));
    values->groups[i] = i;
    if (!kernel_range_of (*run->any[i], &first, &last))
      continue;
    n_ranges++;
    for (gint64 value = first; value <= last; value++)
      g_ptr_array_add (own, g_strdup_printf ("%s=%" G_GINT64_FORMAT, names[i], value));
  }
  *loop = *sampled = FALSE;
  run->kernel.unknown = (const char *const *) names;
  if (n_ranges < run->n_any)
    unknown = rsp_kernel_representatives (run->path, &run->kernel, &run->check, loop, sampled,
                                          values->groups, run->diagnostics);
  run->kernel.unknown = NULL;
  for (guint i = 0; unknown && i < run->n_any; i++)
    if (!kernel_range_of (*run->any[i], NULL, NULL)) {
      g_ptr_array_unref (values->of[i]);
      values->of[i] = g_ptr_array_ref (unknown->pdata[i]);
    }
  return unknown || n_ranges == run->n_any;
}

/* Checks with values that stand for all those of `-arg n=any`. */
static int check_values (KernelRun *run, const RspModel *model) {
  gboolean loop, sampled;
  char *given[RSP_KERNEL_MAX_UNKNOWN];
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GHashTable) unequal = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  run->kernel.unequal = unequal;
  g_auto (Values) values = { 0 };
  if (!find_values (run, &values, &loop, &sampled))
    return CLI_STATUS_UNFINISHED;
  guint64 n = 1;
  for (guint i = 0; i < run->n_any; i++) {
    given[i] = *run->any[i];
    if (values.groups[i] == i)
      n = MIN (n * values.of[i]->len, G_MAXINT);
  }
  g_atomic_int_set (&kernel_progress.n_values, (gint) n);
  int status = check_each (run, model, &values, 0, "");
  for (guint i = 0; i < run->n_any; i++)
    *run->any[i] = given[i];
  if (status == CLI_STATUS_OK && !run->executed) {
    report_vacuous (run, sampled);
    status = CLI_STATUS_UNFINISHED;
  }
  Findings *all = &run->answer->findings;
  if (all->all && (status != CLI_STATUS_UNFINISHED || all->all->len)) {
    all->loop |= loop;
    all->sampled = sampled || run->large;
    all->stop = run->stop;
    leave_out (all, kernel_own_options (run->options));
    if (status == CLI_STATUS_DIFFERENT && !all->all->len)
      status = CLI_STATUS_OK;
    format_answer (run, out);
    if (all->all->len)
      status = CLI_STATUS_DIFFERENT;
    status = cli_write (out) ? status : CLI_STATUS_UNFINISHED;
  }
  return status;
}

int kernel_check (KernelRun *run, const RspModel *model) {
  run->kernel.phased
      = run->check.engine != RSPCHECK_ENGINE_NAIVE && rsp_model_is_phased (model, &run->check);
  return run->n_any ? check_values (run, model) : check (run, model);
}
