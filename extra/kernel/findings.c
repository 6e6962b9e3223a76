/* -kernel: findings about kernels, and patches. */
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

static KernelOptions *own_options (const CliOptions *options) {
  return cli_extra_options (options, &kernel_extra);
}

/* The outcomes of readings of the kernel: with failures as the end of a path, lenient, and with
 * assertions as failures. */
typedef struct Readings {
  RspCheckOptions check; /* with which they are made */
  KernelPairs pairs;
  RspKernel *kernel, *lenient;     /* lenient NULL: nothing failed */
  RspOutcome *outcome, *leniently; /* leniently: the outcome itself, if nothing failed */
  GPtrArray *evidence;             /* of leniently, from two work-items at a time; or NULL */
  RspKernel *asserting;            /* NULL: nothing failed, or nothing is asserted in the text */
  RspOutcome *asserted;
  RspSpan obstacle; /* why the last one was not made two work-items at a time, if that is known */
} Readings;

static void clear_readings (Readings *readings);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Readings, clear_readings)

/* ---- Readings ------------------------------------------------------------------------------- */

/* What a check of a kernel is made of: readings of its text, each with an outcome. */

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

static gboolean is_finished (const RspOutcome *outcome) {
  return outcome->stop == RSPCHECK_STOP_COMPLETE || outcome->stop == RSPCHECK_STOP_FOUND;
}

static gboolean is_raised (const RspOutcome *outcome, const char *flag) {
  for (guint i = 0; i < outcome->n_flags; i++)
    if (outcome->flags[i].raised && strcmp (outcome->flags[i].name, flag) == 0)
      return TRUE;
  return FALSE;
}

/* If no execution ends, chooses how their common beginning is found; FALSE: it is known, or some
 * execution ends. Under `-spin last`, loops that wait have no rounds, and one that no value can end
 * (of a plain variable, for instance) nothing at all. */
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

/* Checks the kernel with arrays as large as all executions need; if no execution ends, checks their
 * common beginning. FALSE after an error. */
static gboolean check_once (const Text *text, RspCheckOptions *check, RspKernel **kernel,
                            RspOutcome **outcome, GPtrArray **evidence) {
  g_autoptr (GPtrArray) facts = rsp_kernel_facts_new ();
  for (;;) {
    g_autoptr (RspDiagnostics) own = rsp_diagnostics_new ();
    *kernel = rsp_kernel_explore (text->path, text->options, facts, check, text->diagnostics);
    if (!*kernel)
      return FALSE;
    g_clear_pointer (evidence, g_ptr_array_unref);
    *outcome = kernel_check_pairs (*kernel, text->model, check, text->pairs, evidence,
                                   text->obstacle, own);
    if (!*outcome)
      *outcome = rsp_check ((*kernel)->program, text->model, check, own);
    gboolean grown = is_finished (*outcome) && rsp_kernel_grow (*kernel, *outcome, facts);
    if (!grown && !choose_beginnings (check, *outcome)) {
      if ((*outcome)->n_failures) /* they are findings */
        rsp_diagnostics_drop (own, RSP_ERROR);
      rsp_diagnostics_move (text->diagnostics, own);
      return TRUE;
    }
    g_clear_pointer (outcome, rsp_outcome_free);
    g_clear_pointer (kernel, rsp_kernel_free);
  }
}

/* Makes the readings with readings->check, which then also says how the common beginning of all
 * executions is found if none ends. FALSE after an error; an outcome may be unfinished. A failure
 * ends its path, and all executions with that path: so other races are found in a lenient reading,
 * and assertions that fail before the failure in one in which they are failures too. */
static gboolean make_readings (Readings *readings, const char *path, RspKernelOptions *options,
                               const RspModel *model, RspDiagnostics *diagnostics) {
  const Text text = { path, options, model, readings->pairs, &readings->obstacle, diagnostics };
  g_autoptr (GPtrArray) unused = NULL;
  if (!check_once (&text, &readings->check, &readings->kernel, &readings->outcome,
                   &readings->evidence)
      || rsp_kernel_is_cut (readings->kernel, readings->outcome, diagnostics))
    return FALSE;
  readings->leniently = readings->outcome;
  const gboolean failed = readings->outcome->n_failures > 0;
  if (!is_finished (readings->outcome)
      || (!failed && (readings->outcome->n_states || !readings->kernel->meets)))
    return TRUE;
  options->lenient = failed;
  options->unmet = !failed;
  gboolean good = check_once (&text, &readings->check, &readings->lenient, &readings->leniently,
                              &readings->evidence);
  options->lenient = options->unmet = FALSE;
  if (!good || !readings->kernel->n_asserts || !is_finished (readings->leniently))
    return good;
  options->asserts_fail = TRUE;
  good = check_once (&text, &readings->check, &readings->asserting, &readings->asserted, &unused);
  options->asserts_fail = FALSE;
  return good;
}

/* ---- Findings ------------------------------------------------------------------------------- */

/* Findings of a kernel's check: what is wrong, and where. */

static void free_finding (gpointer data) {
  Finding *finding = data;
  g_free (finding->kind);
  g_free (finding->message);
  g_free (finding->access);
  g_free (finding->other_access);
  g_clear_pointer (&finding->steps, g_array_unref);
  g_free (finding);
}

static Finding *add (Findings *findings, const char *kind, RspSpan span, char *message) {
  Finding *finding = g_new0 (Finding, 1);
  finding->kind = g_strdup (kind);
  finding->message = message;
  if (span.source)
    rsp_source_position (span.source, span.begin, &finding->line, &finding->column);
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
         && a->other_column == b->other_column && strcmp (a->kind, b->kind) == 0;
}

/* ---- Flags ---- */
/* "data race", or "possible data race" */
static char *words_of (const char *flag, gboolean possible) {
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

/* What the work-items do up to the events; NULL: nothing is known. */
static GArray *steps_of (const Findings *findings, const RspEvidence *evidence) {
  if (!evidence->steps->len)
    return NULL;
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (FindingStep));
  g_array_set_clear_func (steps, clear_step);
  for (guint i = 0; i < evidence->steps->len; i++) {
    const RspEvidenceEvent *event = &g_array_index (evidence->steps, RspEvidenceEvent, i);
    g_autofree char *item = work_item (findings, event->thread), *access = access_of (event);
    const FindingStep step
        = { event->thread, event->line, event->column,
            event->location ? g_strdup_printf ("%s %s %s", item, access, event->location)
                            : g_strdup_printf ("%s: %s", item, event->text) };
    g_array_append_val (steps, step);
  }
  return steps;
}

/* A pair of accesses, or one event. */
static void add_evidence (Findings *findings, const RspEvidence *evidence) {
  const RspEvidenceEvent *a = &g_array_index (evidence->events, RspEvidenceEvent, 0);
  const RspEvidenceEvent *b
      = evidence->events->len > 1 ? &g_array_index (evidence->events, RspEvidenceEvent, 1) : NULL;
  g_autofree char *words = words_of (evidence->flag, evidence->guessed);
  if (a->initial && b) {
    a = b;
    b = NULL;
  }
  g_autofree char *one = work_item (findings, a->thread);
  Finding *finding = add (findings, evidence->flag, RSP_NOWHERE, NULL);
  finding->line = a->line;
  finding->column = a->column;
  finding->possible = evidence->guessed;
  finding->steps = steps_of (findings, evidence);
  if (b && !b->initial) {
    g_autofree char *two = work_item (findings, b->thread);
    finding->access = access_of (a);
    finding->other_access = access_of (b);
    finding->other_line = b->line;
    finding->other_column = b->column;
    finding->message = g_strdup_printf (
        "%s on %s between %s, which %s, and line %u, column %u of %s, which %s%s", words,
        a->location ? a->location : "memory", one, finding->access, b->line, b->column, two,
        finding->other_access, evidence->same_value ? " (both write the same value)" : "");
    finding->same_value = evidence->same_value;
  } else
    finding->message
        = g_strdup_printf ("%s: %s%s", words, one,
                           strcmp (evidence->flag, "barrier_divergence") == 0
                               ? ": not all work-items of its group come to this barrier"
                               : "");
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
  static const char *const kinds[][2] = { { "access to ", "out_of_bounds" },
                                          { "access through", "out_of_bounds" },
                                          { "'", "uninitialised_read" },
                                          { "division", "division_by_zero" },
                                          { "", "undefined_operation" } };
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

/* An assertion in the text is reported once, for the first work-item. */
static void add_assertion (Findings *findings, RspSpan span, guint thread, const char *what) {
  g_autofree char *item = work_item (findings, thread);
  Finding *own = add (findings, "assertion", span, g_strdup_printf ("%s in %s", what, item));
  guint first;
  if (g_ptr_array_find_with_equal_func (findings->all, own, is_same, &first)
      && first + 1 < findings->all->len)
    g_ptr_array_remove_index (findings->all, findings->all->len - 1);
}

static void add_assertions (Findings *findings, const RspOutcome *outcome) {
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
                       fails && !kernel->guessed ? RSP_ASSERTION_FAILS : "the assertion may fail");
    }
  }
  for (guint i = 0; i < kernel->n_finals && !findings->unending; i++) {
    const RspProp *prop = kernel->finals[i];
    const RspStateCount *certain = find_state (outcome, prop, RSP_FAILS);
    const RspStateCount *state = certain ? certain : find_state (outcome, prop, RSP_OPEN);
    if (!state)
      continue;
    g_autoptr (GString) text = g_string_new (NULL);
    for (guint k = 0; k < outcome->n_printed; k++) {
      const RspObservable *observable = &outcome->program->observables[outcome->printed[k]];
      if (observable->is_register)
        continue;
      g_string_append_printf (text, "%s%s=", text->len ? ", " : "", observable->name);
      rsp_outcome_format_value (outcome, state, k, text);
    }
    add (findings, "assertion", prop->span,
         g_strdup_printf ("the assertion %s with %s",
                          certain && !kernel->guessed ? "fails" : "may fail", text->str));
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
  if (a->line != b->line)
    return a->line < b->line ? -1 : 1;
  if (a->column != b->column)
    return a->column < b->column ? -1 : 1;
  return strcmp (a->message, b->message);
}

static void clear_findings (Findings *findings) {
  g_clear_pointer (&findings->all, g_ptr_array_unref);
  g_clear_pointer (&findings->executions, g_free);
  g_clear_pointer (&findings->host_functions, g_free);
  g_clear_pointer (&findings->grid, g_free);
  g_clear_pointer (&findings->entry, g_free);
  g_clear_pointer (&findings->path, g_free);
  g_clear_pointer (&findings->model, g_free);
  g_clear_pointer (&findings->file, rsp_source_unref);
}

/* ---- Which count ---- */
/* The words of -findings, and what the kinds that each means have in their names. */
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

/* Does the list, such as "race,bounds" or "-race", name the kind? */
static gboolean is_chosen (const char *list, const char *kind) {
  guint row = 0;
  while (!strstr (kind, chosen_kinds[row].part))
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

static gboolean check_chosen (const char *list, RspDiagnostics *diagnostics) {
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

/* Moves to the first what it does not have yet, with a note such as "n=4" (or NULL) at the end of
 * the messages; clears the second. */
static void merge_findings (Findings *findings, Findings *others, const char *note) {
  if (!findings->all) {
    *findings = *others;
    findings->all = g_ptr_array_new_with_free_func (free_finding);
    others->entry = others->grid = others->host_functions = others->path = others->model = NULL;
    others->file = NULL;
    g_clear_pointer (&findings->executions, g_free);
    others->executions = NULL;
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
  g_ptr_array_sort (findings->all, compare_findings);
  clear_findings (others);
}

/* ---- Kernel --------------------------------------------------------------------------------- */

typedef struct Run {
  const CliOptions *options;
  RspDiagnostics *diagnostics;
  const CliColumn *column;
  RspCheckOptions check;
  RspKernelOptions kernel;
  char *
      *any[RSP_KERNEL_MAX_UNKNOWN]; /* the arguments that may have any value, in kernel.arguments */
  guint n_any;
  const char *stop;     /* what ended the last check early, or NULL */
  const char *note;     /* their values in this check: "n=1, m=2" */
  gboolean executed;    /* is there an execution with some of them? */
  gboolean endless;     /* does none end with some? */
  gboolean large;       /* do arrays grow beyond the limit with some? */
  const char *path;     /* the kernel's */
  gboolean named;       /* is it one of several kernels and models? */
  KernelAnswer *answer; /* what is found: with all of their values */
} Run;

/* ---- Options ---- */
enum { MAX_RANGE = 256 /* numbers of `-arg n=1..16` */ };

static void add_words (GPtrArray *words, const char *option, const GPtrArray *values) {
  for (guint i = 0; i < values->len; i++)
    if (strlen (option) == 2)
      g_ptr_array_add (words, g_strdup_printf ("%s%s", option, (const char *) values->pdata[i]));
    else {
      g_ptr_array_add (words, g_strdup (option));
      g_ptr_array_add (words, g_strdup (values->pdata[i]));
    }
}

/* Is it a range of numbers, "n=1..16"? */
static gboolean range_of (const char *argument, gint64 *first, gint64 *last) {
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

/* May argument i, unless it is given again, have any value, or each of a range? */
static gboolean is_any (const GPtrArray *all, guint i) {
  const char *own = all->pdata[i];
  const gsize length = strcspn (own, "[=");
  for (guint k = i + 1; k < all->len && all->pdata[k]; k++)
    if (strcspn (all->pdata[k], "[=") == length && strncmp (all->pdata[k], own, length) == 0)
      return FALSE;
  return g_str_has_suffix (own, "=any") || range_of (own, NULL, NULL);
}

/* What is the same for all kernels of a run. FALSE after an error. */
static gboolean read_options (const CliOptions *options, RspKernelOptions *kernel,
                              GPtrArray *preprocessing, RspDiagnostics *diagnostics) {
  const KernelOptions *own = own_options (options);
  const GPtrArray *all = own->arguments;
  if (!own->grid)
    rsp_error (diagnostics, RSP_NOWHERE, "`-grid 2x2`: two work-groups of two work-items",
               "`-kernel` needs a grid");
  else if (!rsp_grid_parse (own->grid, &kernel->grid))
    rsp_error (
        diagnostics, RSP_NOWHERE,
        "`-grid 2x2`, or `-grid 2x1x2`: work-groups, sub-groups of each, work-items of each; "
        "`-grid 2,2x4,4`: two dimensions",
        "-grid: found `%s`, expected two or three numbers with `x` between them", own->grid);
  else if (own->offset && !rsp_grid_parse_offset (own->offset, &kernel->grid))
    rsp_error (diagnostics, RSP_NOWHERE, "`-offset 16`; `-offset 16,8`: of two dimensions",
               "-offset: found `%s`, expected numbers", own->offset);
  else if (cli_option_is_set (options, "repair") && own->sarif)
    rsp_error (diagnostics, RSP_NOWHERE, "`-json` prints both as JSON",
               "`-repair` prints patches, which `-sarif` has no place for");
  else if (!check_chosen (own->chosen, diagnostics))
    return FALSE;
  guint n_any = 0;
  for (guint i = 0; i < options->inputs->len; i++)
    if (g_str_has_suffix (options->inputs->pdata[i], ".litmus"))
      rsp_error (diagnostics, RSP_NOWHERE, NULL, "`-kernel` takes no tests, but `%s` is given",
                 (const char *) options->inputs->pdata[i]);
  for (guint i = 0; i < all->len; i++) {
    if (!is_any (all, i) || ++n_any > RSP_KERNEL_MAX_UNKNOWN + 1)
      continue;
    if (n_any > RSP_KERNEL_MAX_UNKNOWN)
      rsp_error (diagnostics, RSP_NOWHERE, "give numbers for some",
                 "-arg %s: only %u arguments may have any value", (char *) all->pdata[i],
                 RSP_KERNEL_MAX_UNKNOWN);
    else if (n_any == 1 && (options->explain || cli_option_is_set (options, "repair")))
      rsp_error (diagnostics, RSP_NOWHERE, "give it a value with which there is a finding",
                 "-arg %s: `-explain` and `-repair` are about one value", (char *) all->pdata[i]);
  }
  add_words (preprocessing, "-D", own->macros);
  add_words (preprocessing, "-I", options->directories);
  add_words (preprocessing, "-include", own->includes);
  g_ptr_array_add (preprocessing, NULL);
  kernel->grid.devices = own->devices;
  kernel->preprocessing = (const char *const *) preprocessing->pdata;
  return rsp_diagnostics_count_errors (diagnostics) == 0;
}

/* ---- One check ---- */
/* The hangs that -progress asks for, or NULL; an error if they are not all found. */
static RspHangs *find_hangs (Run *run, const RspKernel *kernel, const RspModel *model) {
  const GArray *models = run->column->progress;
  if (!models->len)
    return NULL;
  RspCheckOptions rest = rsp_check_options_rest (&run->check, 0);
  RspHangs *hangs
      = rsp_hangs_find (kernel->program, model, &rest, (const RspProgress *) models->data,
                        models->len, NULL, run->diagnostics);
  if (hangs->stop != RSPCHECK_STOP_COMPLETE)
    rsp_error (run->diagnostics, RSP_NOWHERE, "a smaller grid, -timeout or -max-memory may help",
               "%s: the search for hangs did not finish", run->path);
  return hangs;
}

/* Explains why the assertions fail, if there are any, and each flag, with an execution. */
static void explain (Run *run, const Readings *readings, const RspModel *model,
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

/* Nothing was found, since no execution ended, or none begins. */
static void report_vacuous (Run *run) {
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
               "%s: the kernel's assumptions exclude all executions", path);
}

/* Nothing was found: is that since no execution ended? With values for `any`, the last one says. */
static gboolean is_vacuous (Run *run, const Readings *readings) {
  const gboolean executed = readings->leniently->n_states > 0;
  run->executed |= executed && !readings->check.prefixes;
  run->endless |= readings->check.prefixes;
  if (run->n_any || (executed && !readings->check.prefixes))
    return FALSE;
  report_vacuous (run);
  return TRUE;
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

/* Collects all that the readings say; the flags are those of a lenient reading if there is one
 * (parser/kernel/kernel.h). hangs: of -progress, or NULL. */
static void collect (Run *run, const Readings *readings, const RspModel *model,
                     const RspHangs *hangs, Findings *findings) {
  RspCheckOptions rest = rsp_check_options_rest (&readings->check, 0);
  g_autoptr (GPtrArray) evidence
      = readings->evidence ? g_ptr_array_ref (readings->evidence)
                           : rsp_evidence_find_every_line (model, &rest, readings->leniently);
  *findings = (Findings){ .path = g_strdup (run->path),
                          .model = g_strdup (run->column->label),
                          .file = rsp_source_ref (readings->kernel->file),
                          .kernel = readings->kernel,
                          .options = &run->kernel,
                          .grid = g_strdup (own_options (run->options)->grid),
                          .unroll = run->check.unroll,
                          .pairs = readings->evidence != NULL,
                          .unending = readings->check.prefixes };
  findings->all = g_ptr_array_new_with_free_func (free_finding);
  findings->entry = g_strdup (findings->kernel->program->name);
  findings->zero_inputs = readings->kernel->zero_inputs;
  findings->given_inputs = readings->kernel->given_inputs;
  findings->host_functions = host_functions_of (readings->kernel);
  if (!readings->leniently->uncounted) { /* "1,204" */
    RspCount count = findings->unending
                         ? 0
                         : readings->leniently->positive + readings->leniently->negative
                               + readings->leniently->undetermined;
    GString *text = g_string_new (count == RSP_COUNT_MAX ? ">3e38" : NULL);
    if (count != RSP_COUNT_MAX)
      rsp_count_format (count, text);
    for (gsize n = text->len; n > 3 && count != RSP_COUNT_MAX; n -= 3)
      g_string_insert_c (text, (gssize) n - 3, ',');
    findings->executions = g_string_free (text, FALSE);
  }
  findings->loop = readings->outcome->loop || readings->leniently->loop;
  add_flags (findings, readings->leniently, evidence);
  add_failures (findings, readings->outcome);
  add_assertions (findings, readings->outcome);
  for (guint i = 0; hangs && i < hangs->n; i++)
    if (hangs->items[i].hangs)
      add_hang (findings, &hangs->items[i]);
  g_ptr_array_sort (findings->all, compare_findings);
  for (guint i = 0; readings->asserting && i < readings->asserted->n_failures; i++) {
    const RspFailure *failure = &readings->asserted->failures[i];
    if (strcmp (failure->message, RSP_ASSERTION_FAILS) == 0)
      add_assertion (findings, failure->span, failure->thread, RSP_ASSERTION_FAILS);
  }
  g_ptr_array_sort (findings->all, compare_findings);
}

/* What is printed about one kernel: SARIF, and JSON about several, come at the end. */
static void format_answer (const Run *run, GString *out) {
  if (own_options (run->options)->sarif)
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

static double more_time (const Run *run) {
  return run->check.timeout > 0 ? MIN (run->check.timeout, MORE_SECONDS) : MORE_SECONDS;
}

/* Adds what is found in what all executions begin with, a few rounds of each loop, where that is
 * quick. */
static void add_beginnings (Run *run, const RspModel *model, Findings *findings) {
  g_auto (Readings) beginnings = { .check = run->check };
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  Findings others;
  beginnings.check.timeout = more_time (run);
  beginnings.check.unroll_all = beginnings.check.prefixes = TRUE;
  beginnings.check.spin = RSPCHECK_SPIN_ALL;
  if (!make_readings (&beginnings, run->path, &run->kernel, model, unheard)
      || !is_finished (beginnings.leniently))
    return;
  collect (run, &beginnings, model, NULL, &others);
  merge_findings (findings, &others, NULL);
}

static gboolean is_same_flag (gconstpointer x, gconstpointer y) {
  const Finding *own = x, *unplaced = y;
  return !own->unplaced && strcmp (own->kind, unplaced->kind) == 0;
}

/* Searches for the places of flags without events in what all executions begin with. */
static void place_flags (Run *run, const RspModel *model, Findings *findings) {
  gboolean placed = TRUE;
  for (guint i = 0; i < findings->all->len; i++)
    placed &= !((const Finding *) findings->all->pdata[i])->unplaced;
  if (!placed)
    add_beginnings (run, model, findings);
  for (guint i = findings->all->len; i-- > 0 && !placed;) {
    const Finding *own = findings->all->pdata[i];
    if (own->unplaced && g_ptr_array_find_with_equal_func (findings->all, own, is_same_flag, NULL))
      g_ptr_array_remove_index (findings->all, i);
  }
}

/* Prints all of one check. endless: NULL if it always ends. */
static void print (Run *run, const Readings *readings, const Readings *endless,
                   const RspModel *model, const RspHangs *hangs, GString *out) {
  format_answer (run, out);
  if (!run->options->explain)
    return;
  g_autofree char *ways = hangs ? rsp_hangs_explain (hangs) : NULL;
  g_autoptr (RspExplanations) all = rsp_explanations_new ();
  /* What memory holds at the end is only known where there is one. */
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

static int report (Run *run, const RspModel *model, const Readings *readings,
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
  place_flags (run, model, &findings);
  gboolean found = findings.all->len > 0, vacuous = !found && is_vacuous (run, readings);
  if (run->n_any)
    merge_findings (&run->answer->findings, &findings, run->note);
  else if (!vacuous) {
    leave_out (&findings, own_options (options));
    found = findings.all->len > 0;
    run->answer->findings = findings;
    print (run, readings, endless, model, hangs, out);
  } else
    clear_findings (&findings);
  gboolean whole = !vacuous && (!hangs || hangs->stop == RSPCHECK_STOP_COMPLETE);
  int status = found ? CLI_STATUS_DIFFERENT : CLI_STATUS_OK;
  rsp_hangs_free (hangs);
  whole = cli_write (out) && whole;
  if (whole && found && cli_option_is_set (options, "repair"))
    whole = cli_kernel_repair () (options, run->path, readings->kernel, &run->kernel, model, &rest,
                                  run->column->label, run->diagnostics);
  return whole ? status : CLI_STATUS_UNFINISHED;
}

/* For a check that ended early, whose findings are not all: outcome says why, or, if it is NULL, an
 * error. */
static int report_unfinished (Run *run, const RspModel *model, Readings *readings,
                              const RspOutcome *outcome) {
  const char *stop = !outcome                                 ? "a limit"
                     : outcome->stop == RSPCHECK_STOP_TIMEOUT ? "time"
                     : outcome->stop == RSPCHECK_STOP_MEMORY  ? "memory"
                                                              : "a limit";
  g_autoptr (GString) out = g_string_new (NULL);
  Findings findings = { .all = NULL };
  if (rsp_diagnostics_count_errors (run->diagnostics) == 0)
    rsp_error (
        run->diagnostics, readings->obstacle, "a smaller grid, -timeout or -max-memory may help",
        "%s%sthe search did not finish (%s)%s", readings->obstacle.source ? "" : run->path,
        readings->obstacle.source ? "" : ": ", stop,
        readings->obstacle.source
            ? ": what is read here, and others write, decides what a work-item does, so that "
              "all are searched at once, not two at a time"
            : "");
  readings->check.timeout = more_time (run);
  if (readings->leniently)
    collect (run, readings, model, NULL, &findings);
  add_beginnings (run, model, &findings);
  run->stop = stop;
  if (!findings.all)
    return CLI_STATUS_UNFINISHED;
  g_clear_pointer (&findings.executions, g_free);
  findings.stop = stop;
  leave_out (&findings, own_options (run->options));
  const gboolean found = findings.all->len > 0;
  if (run->n_any)
    merge_findings (&run->answer->findings, &findings, run->note);
  else {
    run->answer->findings = findings;
    format_answer (run, out);
  }
  return cli_write (out) && found && !run->n_any ? CLI_STATUS_DIFFERENT : CLI_STATUS_UNFINISHED;
}

/* Is a value of an argument left out, with which an array would have to grow beyond the limit? */
static gboolean is_left_out (Run *run, const Readings *readings) {
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  if (!run->n_any || !readings->outcome || readings->leniently
      || !rsp_kernel_is_cut (readings->kernel, readings->outcome, unheard))
    return FALSE;
  if (!run->large)
    rsp_warning (run->diagnostics, RSP_NOWHERE, "`-arg x[N]=0` gives an array N elements",
                 "with %s, an array without a declared size needs more than %d values: "
                 "such values are left out",
                 run->note, RSP_KERNEL_MAX_CELLS);
  return run->large = TRUE;
}

static int check (Run *run, const RspModel *model) {
  /* A search for hangs is about all work-items, and so are an explanation and edits. */
  const KernelPairs pairs = run->column->progress->len || run->options->explain
                                    || cli_option_is_set (run->options, "repair")
                                ? KERNEL_PAIRS_NEVER
                                : (KernelPairs) own_options (run->options)->pairs;
  g_auto (Readings) readings = { .check = run->check, .pairs = pairs },
                    endless = { .check = run->check };
  const char *path = run->path;
  g_autoptr (RspDiagnostics) own = rsp_diagnostics_new ();
  const gboolean made = make_readings (&readings, path, &run->kernel, model, own);
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
  /* The kernel may run for ever: what does it do before? */
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  endless.check.prefixes = TRUE;
  gboolean whole = make_readings (&endless, path, &run->kernel, model, unheard)
                   && is_finished (endless.leniently);
  if (!whole)
    rsp_warning (run->diagnostics, RSP_NOWHERE, "a smaller grid, -timeout or -max-memory may help",
                 "%s: what is wrong only in executions that never end is not looked for within the "
                 "limits of time and memory",
                 path);
  return report (run, model, &readings, whole ? &endless : NULL);
}

/* Checks with each of the values that stand for all, of the arguments from this one on. note: the
 * values of those before. */
static int check_each (Run *run, const RspModel *model, const GPtrArray *values, guint argument,
                       const char *note) {
  int status = CLI_STATUS_OK;
  if (argument == run->n_any) {
    run->note = note;
    return check (run, model);
  }
  const GPtrArray *own = values->pdata[argument];
  for (guint i = 0; i < own->len && status != CLI_STATUS_UNFINISHED; i++) {
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

/* The values of each argument in run->any, as "n=4", or NULL for what is given; NULL after an
 * error. */
static GPtrArray *values_of_arguments (Run *run, gboolean *loop, gboolean *sampled) {
  GPtrArray *values = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_auto (GStrv) names = g_new0 (char *, RSP_KERNEL_MAX_UNKNOWN + 1);
  g_autoptr (GPtrArray) unknown = NULL;
  gint64 first, last;
  guint n_ranges = 0;
  for (guint i = 0; i < run->n_any; i++) {
    GPtrArray *own = g_ptr_array_new_with_free_func (g_free);
    names[i] = g_strndup (*run->any[i], strcspn (*run->any[i], "[="));
    g_ptr_array_add (values, own);
    if (!range_of (*run->any[i], &first, &last))
      continue;
    n_ranges++;
    for (gint64 value = first; value <= last; value++)
      g_ptr_array_add (own, g_strdup_printf ("%s=%" G_GINT64_FORMAT, names[i], value));
  }
  *loop = *sampled = FALSE;
  run->kernel.unknown = (const char *const *) names;
  if (n_ranges < run->n_any)
    unknown = rsp_kernel_representatives (run->path, &run->kernel, &run->check, loop, sampled,
                                          run->diagnostics);
  run->kernel.unknown = NULL;
  for (guint i = 0; unknown && i < run->n_any; i++)
    if (!range_of (*run->any[i], NULL, NULL)) {
      g_ptr_array_unref (values->pdata[i]);
      values->pdata[i] = g_ptr_array_ref (unknown->pdata[i]);
    }
  if (n_ranges < run->n_any && !unknown)
    g_clear_pointer (&values, g_ptr_array_unref);
  return values;
}

/* Checks with values that stand for all those of `-arg n=any`. */
static int check_values (Run *run, const RspModel *model) {
  gboolean loop, sampled;
  char *given[RSP_KERNEL_MAX_UNKNOWN];
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GPtrArray) values = values_of_arguments (run, &loop, &sampled);
  if (!values)
    return CLI_STATUS_UNFINISHED;
  for (guint i = 0; i < run->n_any; i++)
    given[i] = *run->any[i];
  int status = check_each (run, model, values, 0, "");
  for (guint i = 0; i < run->n_any; i++)
    *run->any[i] = given[i];
  if (status == CLI_STATUS_OK && !run->executed) {
    report_vacuous (run);
    status = CLI_STATUS_UNFINISHED;
  }
  Findings *all = &run->answer->findings;
  if (all->all && (status != CLI_STATUS_UNFINISHED || all->all->len)) {
    all->loop |= loop;
    all->sampled = sampled || run->large;
    all->stop = run->stop;
    leave_out (all, own_options (run->options));
    if (status == CLI_STATUS_DIFFERENT && !all->all->len)
      status = CLI_STATUS_OK;
    format_answer (run, out);
    if (all->all->len)
      status = CLI_STATUS_DIFFERENT;
    status = cli_write (out) ? status : CLI_STATUS_UNFINISHED;
  }
  return status;
}

/* ---- Several ---- */
/* All kernels of a run. */
typedef struct Batch {
  const CliOptions *options;
  RspDiagnostics *diagnostics;
  RspKernelOptions kernel; /* without what differs */
  CliModels *models;
  const GPtrArray *columns;
  GPtrArray *paths;   /* of the files */
  GPtrArray *kernels; /* per file, of GStrv: the name of a kernel to check, and its parameters; a
                         name NULL: whatever it has */
  GPtrArray *answers; /* of KernelAnswer */
  gboolean named;     /* are there several answers? */
  GHashTable *seen;   /* texts of diagnostics */
  RspJson *notes;     /* for -sarif: what was printed on standard error */
  int status;
} Batch;

static void free_answer (gpointer data) {
  KernelAnswer *answer = data;
  clear_findings (&answer->findings);
  g_free (answer);
}

static int worst (int a, int b) {
  static const guint8 ranks[]
      = { [CLI_STATUS_DIFFERENT] = 1, [CLI_STATUS_UNFINISHED] = 2, [CLI_STATUS_USAGE] = 3 };
  return ranks[a] > ranks[b] ? a : b;
}

/* The same is wrong with a kernel under each model. */
static gboolean is_new (const RspDiagnostic *diagnostic, gpointer seen) {
  GString *text = g_string_new (NULL);
  rsp_diagnostic_format (diagnostic, FALSE, text);
  return g_hash_table_add (seen, g_string_free (text, FALSE));
}

static void print_diagnostics (Batch *batch) {
  rsp_diagnostics_filter (batch->diagnostics, is_new, batch->seen);
  for (guint i = 0; i < rsp_diagnostics_count (batch->diagnostics); i++)
    rsp_json_add (batch->notes, kernel_notification (rsp_diagnostics_get (batch->diagnostics, i)));
  cli_print_diagnostics (batch->diagnostics, batch->options->quiet);
}

/* The files: -kernel's, and the arguments'; folders stand for their files. */
static GPtrArray *find_files (Batch *batch) {
  GPtrArray *inputs = g_ptr_array_new ();
  char *first = own_options (batch->options)->kernel;
  const gboolean is_folder = g_file_test (first, G_FILE_TEST_IS_DIR);
  if (is_folder)
    g_ptr_array_add (inputs, first);
  g_ptr_array_extend (inputs, batch->options->inputs, NULL, NULL);
  GPtrArray *paths = cli_inputs_expand_to (inputs, ".cl", batch->diagnostics);
  if (!is_folder) /* whatever its name begins with */
    g_ptr_array_insert (paths, 0, g_strdup (first));
  g_ptr_array_unref (inputs);
  return paths;
}

/* The file's kernels that -entry names, or all. */
static GPtrArray *select_kernels (const Batch *batch, const char *path) {
  const char *entry = own_options (batch->options)->entry;
  g_auto (GStrv) names = entry ? g_strsplit (entry, ",", -1) : NULL;
  GPtrArray *all = rsp_kernel_entries (path, batch->kernel.preprocessing),
            *own = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  for (guint i = 0; i < all->len; i++) {
    char **kernel = all->pdata[i];
    if (!names || g_strv_contains ((const char *const *) names, kernel[0]))
      g_ptr_array_add (own, g_strdupv (kernel));
  }
  /* What cannot be read, or is named in vain, is reported when it is checked. */
  for (guint k = 0; names && names[k] && batch->paths->len == 1; k++) {
    gboolean known = FALSE;
    for (guint i = 0; i < own->len; i++)
      known |= g_str_equal (((char **) own->pdata[i])[0], names[k]);
    if (!known)
      g_ptr_array_add (own, g_strsplit (names[k], ",", 1));
  }
  if (!all->len && !own->len)
    g_ptr_array_add (own, g_new0 (char *, 1));
  g_ptr_array_unref (all);
  return own;
}

/* Does one of the kernels have the argument's parameter? */
static gboolean is_parameter (const Batch *batch, const char *argument) {
  g_autofree char *name = g_strndup (argument, strcspn (argument, "[="));
  for (guint f = 0; f < batch->kernels->len; f++) {
    const GPtrArray *list = batch->kernels->pdata[f];
    for (guint k = 0; k < list->len; k++) {
      const char *const *kernel = list->pdata[k];
      if (!kernel[0] || g_strv_contains (kernel + 1, name))
        return TRUE;
    }
  }
  return FALSE;
}

/* The arguments that are for the kernel: of several, those of parameters that it has. Newly
 * allocated, ended by NULL. */
static GPtrArray *arguments_of (const Batch *batch, const char *const *kernel) {
  GPtrArray *own = g_ptr_array_new_with_free_func (g_free);
  const GPtrArray *all = own_options (batch->options)->arguments;
  for (guint i = 0; i < all->len; i++) {
    g_autofree char *name = g_strndup (all->pdata[i], strcspn (all->pdata[i], "[="));
    if (!batch->named || !kernel[0] || g_strv_contains (kernel + 1, name))
      g_ptr_array_add (own, g_strdup (all->pdata[i]));
  }
  g_ptr_array_add (own, NULL);
  return own;
}

static void check_kernel (Batch *batch, const char *path, const char *const *kernel,
                          const CliColumn *column) {
  KernelAnswer *answer = g_new0 (KernelAnswer, 1);
  Run run = { .options = batch->options,
              .diagnostics = batch->diagnostics,
              .column = column,
              .check = column->check,
              .kernel = batch->kernel,
              .path = path,
              .named = batch->named,
              .answer = answer };
  const gint64 start = g_get_monotonic_time ();
  g_autoptr (GPtrArray) arguments = arguments_of (batch, kernel);
  *answer = (KernelAnswer){ .path = path, .entry = kernel[0], .model = column->label };
  for (guint i = 0; arguments->pdata[i]; i++)
    if (is_any (arguments, i))
      run.any[run.n_any++] = (char **) &arguments->pdata[i];
  run.kernel.entry = kernel[0];
  run.kernel.arguments = (const char *const *) arguments->pdata;
  run.check.skipped_checks = (const char *const *) column->skipped->pdata;
  run.check.cas_writeback = RSPCHECK_CAS_WRITEBACK_ALWAYS;
  run.check.counts_optional = run.check.engine != RSPCHECK_ENGINE_NAIVE;
  run.check.speedcheck = RSPCHECK_SPEED_EXACT; /* any execution may have a finding */
  run.check.jobs = MAX (1, batch->options->jobs);
  CliModel *found = cli_models_get (batch->models, column, path);
  cli_models_report (batch->models, found, batch->diagnostics);
  answer->status = !found->model ? CLI_STATUS_UNFINISHED
                   : run.n_any   ? check_values (&run, found->model)
                                 : check (&run, found->model);
  answer->seconds = (double) (g_get_monotonic_time () - start) / 1e6;
  batch->status = worst (batch->status, answer->status);
  g_ptr_array_add (batch->answers, answer);
  print_diagnostics (batch);
}

/* Checks all kernels; each has as many answers as there are models. */
static void check_kernels (Batch *batch) {
  batch->paths = find_files (batch);
  batch->status
      = rsp_diagnostics_count_errors (batch->diagnostics) ? CLI_STATUS_UNFINISHED : CLI_STATUS_OK;
  guint n = 0;
  for (guint f = 0; f < batch->paths->len; f++) {
    g_ptr_array_add (batch->kernels, select_kernels (batch, batch->paths->pdata[f]));
    n += ((const GPtrArray *) batch->kernels->pdata[f])->len;
  }
  if (!n && batch->paths->len) {
    rsp_error (batch->diagnostics, RSP_NOWHERE, NULL, "no file has a kernel `%s`",
               own_options (batch->options)->entry);
    batch->status = CLI_STATUS_UNFINISHED;
  }
  batch->named = n * batch->columns->len > 1;
  const GPtrArray *arguments = own_options (batch->options)->arguments;
  for (guint i = 0; batch->named && i < arguments->len; i++)
    if (!is_parameter (batch, arguments->pdata[i])) {
      rsp_error (batch->diagnostics, RSP_NOWHERE, NULL, "-arg %s: no kernel has this parameter",
                 (const char *) arguments->pdata[i]);
      batch->status = CLI_STATUS_UNFINISHED;
    }
  for (guint f = 0; f < batch->paths->len; f++) {
    const GPtrArray *list = batch->kernels->pdata[f];
    for (guint k = 0; k < list->len; k++)
      for (guint m = 0; m < batch->columns->len; m++)
        check_kernel (batch, batch->paths->pdata[f], list->pdata[k], batch->columns->pdata[m]);
  }
}

/* Prints what is about all kernels. */
static void print_whole (Batch *batch) {
  g_autoptr (GString) out = g_string_new (NULL);
  const GPtrArray *answers = batch->answers;
  if (own_options (batch->options)->sarif)
    kernel_format_sarif (answers, batch->notes, batch->status, out);
  else if (batch->options->json && batch->named)
    kernel_format_json (answers, out);
  else if (!batch->options->json && answers->len > 1)
    kernel_format_table (answers, out);
  if (!cli_write (out))
    batch->status = CLI_STATUS_UNFINISHED;
}

static int run_kernel (CliOptions *options, RspDiagnostics *diagnostics) {
  Batch batch = { .options = options,
                  .diagnostics = diagnostics,
                  .status = CLI_STATUS_USAGE,
                  .seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                  .notes = rsp_json_list () };
  g_autoptr (GPtrArray) preprocessing = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (CliModels) models = cli_models_new (options);
  g_autoptr (CliColumns) columns = cli_columns_new (options, diagnostics);
  batch.models = models;
  batch.answers = g_ptr_array_new_with_free_func (free_answer);
  batch.kernels = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  if (columns && read_options (options, &batch.kernel, preprocessing, diagnostics)) {
    batch.columns = cli_columns_for (columns, RSP_LANGUAGE_OPENCL, FALSE);
    check_kernels (&batch);
  }
  print_diagnostics (&batch);
  print_whole (&batch);
  g_ptr_array_unref (batch.answers);
  g_ptr_array_unref (batch.kernels);
  g_clear_pointer (&batch.paths, g_ptr_array_unref);
  g_hash_table_unref (batch.seen);
  rsp_json_unref (batch.notes);
  return batch.status;
}

/* ---- The row -------------------------------------------------------------------------------- */

static gboolean is_requested (const CliOptions *options) {
  return own_options (options)->kernel != NULL;
}

/* -repair edits the kernel that has findings. */
static gboolean check_options (const CliOptions *options, RspDiagnostics *diagnostics) {
  static const char *const fits[] = { "kernel", "repair", NULL };
  if (!is_requested (options) || !cli_requested_besides (options, CLI_COMMAND_CHECKED, fits))
    return TRUE;
  rsp_error (diagnostics, RSP_NOWHERE, NULL,
             "`-kernel` asks what is wrong with a kernel: it cannot be combined with questions "
             "about mappings, devices, edits or all programs");
  return FALSE;
}

#define OPTIONS KernelOptions
#include "cli/option_rows.h"

static const CliOption options_table[] = {
  VALUE (
      "kernel", CLI_KERNELS, CLI_TEXT, kernel, "K.cl",
      "Check a kernel of OpenCL C on the grid of -grid: data races, barrier divergence, accesses "
      "outside arrays, reads of what has no value, failed assertions. One line per finding, as "
      "compilers print them; with -json an object. The exit status is 3 if there are findings. "
      "Further files and folders (`-kernel a.cl b.cl src`) are checked too, with a table at the "
      "end."),
  VALUE ("grid", CLI_KERNELS, CLI_TEXT, grid, "GxL",
         "The kernel's work-items: G work-groups of L work-items, or with GxSxL of S sub-groups of "
         "L work-items. `2,2x4,4` has two dimensions."),
  VALUE ("offset", CLI_KERNELS, CLI_TEXT, offset, "N",
         "What is added to the work-items' global ids (`16,8`: of two dimensions). Default: 0."),
  WORD ("pairs", CLI_KERNELS, pairs, kernel_pairs_words, "auto|always|never",
        "Check two work-items at a time: on large grids (auto), or on all, where what each does "
        "does not depend on what others write, and nothing is asserted about memory at the end."),
  NUMBER ("devices", CLI_KERNELS, devices, "N", 1, 64,
          "Divide the work-groups among this number of devices. Default: 1."),
  VALUE ("entry", CLI_KERNELS, CLI_TEXT, entry, "F",
         "The kernel to check, or several (`f,g`). Default: all of the files."),
  VALUE (
      "arg", CLI_KERNELS, CLI_LIST, arguments, "P=V",
      "An argument of the kernel: `n=4`, `x[8]=0` (an array of 8 elements), `x=1,2,3`, `x=zero`, "
      "`x=@FILE`, `y=x+2` (into another array), `p=null`, `n=1..16`, `x=any`, "
      "`n=any` (each value of its type; what is found names one). Default: each pointer is an "
      "array of its own, all zero, as large as its accesses need. May "
      "be repeated."),
  VALUE ("D", CLI_KERNELS, CLI_LIST, macros, "NAME=V",
         "Define a macro for the kernel's preprocessor. May be repeated."),
  VALUE ("include", CLI_KERNELS, CLI_LIST, includes, "FILE",
         "Include this file before the kernel. May be repeated."),
  VALUE ("findings", CLI_KERNELS, CLI_TEXT, chosen, "KINDS",
         "Report only these kinds of findings, with commas between them: race, divergence, bounds, "
         "uninitialised, division, undefined, assertion, hang, all. `-race`: all others."),
  SWITCH ("benign", CLI_KERNELS, benign,
          "Leave out data races in which two plain writes write the same value, whatever is read. "
          "The last line says how many."),
  SWITCH ("sarif", CLI_KERNELS, sarif,
          "Print the findings as one log of SARIF 2.1.0, which editors and code-review sites show; "
          "also after errors, which are in it."),
};

static const CliCommand commands[] = {
  { .option = "kernel", .is_requested = is_requested, .takes_progress = TRUE, .run = run_kernel },
  { .option = NULL }
};

const CliExtra kernel_extra
    = { .options = options_table,
        .n_options = G_N_ELEMENTS (options_table),
        .size = sizeof (KernelOptions),
        .inside = (const char *const[]){ "kernel", "grid", "devices", "entry", "arg", "offset",
                                         "pairs", "D", "sarif", "findings", "benign", NULL },
        .check = check_options,
        .commands = commands };
