/* -kernel: findings about a kernel, as text, JSON or SARIF, and patches. */
#include "api/api.h"
#include "base/base.h"
#include "base/json.h"
#include "cli/extra.h"
#include "enumerator/paths/paths.h"
#include "enumerator/search/evidence.h"
#include "enumerator/search/hang.h"
#include "enumerator/search/search.h"
#include "enumerator/values/values.h"
#include "explain/explain.h"
#include "parser/kernel/kernel.h"
#include "report/report.h"

#include <string.h>

typedef struct KernelOptions {
  char *kernel, *grid, *offset, *entry;     /* of -kernel, -grid, -offset, -entry, or NULL */
  char *chosen;                             /* of -findings, or NULL */
  GPtrArray *arguments, *macros, *includes; /* of -arg, -D, -include */
  guint devices;
  int sarif, benign;
} KernelOptions;

static KernelOptions *own_options (const CliOptions *options) {
  return cli_extra_options (options, &kernel_extra);
}

typedef struct Finding {
  char *kind; /* "data_race": a flag of the model, or "assertion", "out_of_bounds", … */
  char *message;
  guint line, column;
  guint other_line, other_column; /* of a second place; 0: none */
  char *access, *other_access;    /* "atomic write", of a race; or NULL */
  gboolean possible;              /* does it depend on values that are not known? */
  gboolean same_value;            /* is it a race of writes of one value? */
  gboolean unplaced;              /* is it a flag of which no events were found? */
} Finding;

typedef struct Findings {
  const char *path;
  GPtrArray *all; /* of Finding, by line */
  const RspKernel *kernel;
  char *entry; /* its name */
  const RspKernelOptions *options;
  char *grid;                         /* "2x1x2" */
  char *executions;                   /* "1,204" */
  gboolean zero_inputs, given_inputs; /* as RspKernel's */
  char *host_functions;               /* "cos, exp", or NULL */
  gboolean loop;                      /* did -unroll truncate a loop? */
  gboolean sampled;                   /* are there values of `any` that were not tried? */
  gboolean unending;                  /* so that no execution ends? */
  guint unroll;
  const char *chosen; /* of -findings, or NULL */
  const char *stop;   /* what ended the search early: "time"; NULL: nothing */
  guint n_benign;     /* races that -benign left out */
} Findings;

/* The outcomes of readings of the kernel: with failures as the end of a path, lenient, and with
 * assertions as failures. */
typedef struct Readings {
  RspCheckOptions check;           /* with which they are made */
  RspKernel *kernel, *lenient;     /* lenient NULL: nothing failed */
  RspOutcome *outcome, *leniently; /* leniently: the outcome itself, if nothing failed */
  RspKernel *asserting;            /* NULL: nothing failed, or nothing is asserted in the text */
  RspOutcome *asserted;
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
  RspDiagnostics *diagnostics;
} Text;

static void clear_readings (Readings *readings) {
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
                            RspOutcome **outcome) {
  g_autoptr (GPtrArray) facts = rsp_kernel_facts_new ();
  for (;;) {
    g_autoptr (RspDiagnostics) own = rsp_diagnostics_new ();
    *kernel = rsp_kernel_explore (text->path, text->options, facts, check, text->diagnostics);
    if (!*kernel)
      return FALSE;
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
  const Text text = { path, options, model, diagnostics };
  if (!check_once (&text, &readings->check, &readings->kernel, &readings->outcome)
      || rsp_kernel_is_cut (readings->kernel, readings->outcome, diagnostics))
    return FALSE;
  readings->leniently = readings->outcome;
  const gboolean failed = readings->outcome->n_failures > 0;
  if (!is_finished (readings->outcome)
      || (!failed && (readings->outcome->n_states || !readings->kernel->meets)))
    return TRUE;
  options->lenient = failed;
  options->unmet = !failed;
  gboolean good = check_once (&text, &readings->check, &readings->lenient, &readings->leniently);
  options->lenient = options->unmet = FALSE;
  if (!good || !readings->kernel->n_asserts || !is_finished (readings->leniently))
    return good;
  options->asserts_fail = TRUE;
  good = check_once (&text, &readings->check, &readings->asserting, &readings->asserted);
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
    findings->entry = g_strdup (others->entry);
    findings->grid = g_strdup (others->grid);
    findings->host_functions = g_strdup (others->host_functions);
    findings->executions = NULL;
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

/* ---- Report --------------------------------------------------------------------------------- */

/* How findings are written: for people, and for programs. */

static const Finding *finding (const Findings *findings, guint i) {
  return findings->all->pdata[i];
}

/* What the kernel is given where -arg says nothing; NULL: it says all that is read. */
static const char *inputs_of (const Findings *findings) {
  if (!findings->zero_inputs)
    return NULL;
  return findings->given_inputs ? "other inputs: zero" : "inputs: all zero";
}

/* ---- As compilers print them ---- */
static void format_as_text (const Findings *findings, GString *out) {
  guint n = findings->all->len;
  g_autofree char *rounds
      = findings->loop ? g_strdup_printf (" within %u rounds of each loop", findings->unroll)
                       : g_strdup ("");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (out, "%s:%u:%u: %s\n", findings->path, finding (findings, i)->line,
                            finding (findings, i)->column, finding (findings, i)->message);
  if (n)
    g_string_append_printf (out, "%s: %u finding%s", findings->path, n, n == 1 ? "" : "s");
  else
    g_string_append_printf (out, "%s: no findings%s%s", findings->path,
                            findings->sampled ? " with the numbers tried" : "", rounds);
  g_string_append_printf (out, " (grid %s", findings->grid);
  if (findings->executions)
    g_string_append_printf (out, ", %s execution%s", findings->executions,
                            strcmp (findings->executions, "1") == 0 ? "" : "s");
  if (inputs_of (findings))
    g_string_append_printf (out, ", %s", inputs_of (findings));
  if (findings->host_functions)
    g_string_append_printf (out, ", %s as on this machine", findings->host_functions);
  if (findings->stop)
    g_string_append_printf (out, ", not finished: %s", findings->stop);
  if (findings->chosen)
    g_string_append_printf (out, ", -findings %s", findings->chosen);
  if (findings->n_benign)
    g_string_append_printf (out, ", %u benign race%s left out", findings->n_benign,
                            findings->n_benign == 1 ? "" : "s");
  g_string_append (out, ")\n");
}

/* ---- JSON ---- */
static RspJson *finding_node (const Finding *own) {
  return rsp_json_object (
      "kind", rsp_json_text (own->kind), "message", rsp_json_text (own->message), "line",
      rsp_json_number (own->line), "column", rsp_json_number (own->column), "other_line",
      own->other_line ? rsp_json_number (own->other_line) : NULL, "other_column",
      own->other_line ? rsp_json_number (own->other_column) : NULL, "access",
      own->access ? rsp_json_text (own->access) : NULL, "other_access",
      own->access ? rsp_json_text (own->other_access) : NULL, "possible",
      own->possible ? rsp_json_boolean (TRUE) : NULL, "same_value",
      own->same_value ? rsp_json_boolean (TRUE) : NULL, NULL);
}

static void format_as_json (const Findings *findings, GString *out) {
  RspJson *all = rsp_json_list ();
  for (guint i = 0; i < findings->all->len; i++)
    rsp_json_add (all, finding_node (finding (findings, i)));
  g_autoptr (RspJson) object = rsp_json_object (
      "path", rsp_json_text (findings->path), "kernel", rsp_json_text (findings->entry), "grid",
      rsp_json_text (findings->grid), "executions", rsp_json_text (findings->executions), "loop",
      rsp_json_boolean (findings->loop), "sampled",
      findings->sampled ? rsp_json_boolean (TRUE) : NULL, "inputs",
      inputs_of (findings) ? rsp_json_text (inputs_of (findings)) : NULL, "chosen",
      findings->chosen ? rsp_json_text (findings->chosen) : NULL, "not_finished",
      findings->stop ? rsp_json_text (findings->stop) : NULL, "benign",
      findings->n_benign ? rsp_json_number (findings->n_benign) : NULL, "findings", all, NULL);
  rsp_json_append_line (object, out);
}

/* ---- SARIF ---- */
static RspJson *list_of_one (RspJson *node) {
  RspJson *array = rsp_json_list ();
  rsp_json_add (array, node);
  return array;
}

static RspJson *locations_node (const char *path, guint line, guint column) {
  RspJson *artifact = rsp_json_object ("uri", rsp_json_text (path), NULL);
  RspJson *region = rsp_json_object ("startLine", rsp_json_number (MAX (line, 1)), "startColumn",
                                     rsp_json_number (MAX (column, 1)), NULL);
  RspJson *place = rsp_json_object ("artifactLocation", artifact, "region", region, NULL);
  return list_of_one (rsp_json_object ("physicalLocation", place, NULL));
}

static RspJson *result_node (const Findings *findings, const Finding *own) {
  return rsp_json_object (
      "ruleId", rsp_json_text (own->kind), "level", rsp_json_text ("error"), "message",
      rsp_json_object ("text", rsp_json_text (own->message), NULL), "locations",
      locations_node (findings->path, own->line, own->column), "relatedLocations",
      own->other_line ? locations_node (findings->path, own->other_line, own->other_column) : NULL,
      "properties",
      own->same_value ? rsp_json_object ("same_value", rsp_json_boolean (TRUE), NULL) : NULL, NULL);
}

static void format_as_sarif (const Findings *findings, GString *out) {
  RspJson *driver = rsp_json_object ("name", rsp_json_text ("rspcheck"), "version",
                                     rsp_json_text (RSP_VERSION), NULL);
  RspJson *results = rsp_json_list ();
  for (guint i = 0; i < findings->all->len; i++)
    rsp_json_add (results, result_node (findings, finding (findings, i)));
  RspJson *run = rsp_json_object ("tool", rsp_json_object ("driver", driver, NULL), "results",
                                  results, NULL);
  g_autoptr (RspJson) object
      = rsp_json_object ("$schema", rsp_json_text ("https://json.schemastore.org/sarif-2.1.0.json"),
                         "version", rsp_json_text ("2.1.0"), "runs", list_of_one (run), NULL);
  rsp_json_append_line (object, out);
}

/* ---- Kernel --------------------------------------------------------------------------------- */

typedef struct Run {
  const CliOptions *options;
  RspDiagnostics *diagnostics;
  const CliColumn *column;
  RspCheckOptions check;
  RspKernelOptions kernel;
  GPtrArray *preprocessing; /* the words; owned */
  char *
      *any[RSP_KERNEL_MAX_UNKNOWN]; /* the arguments that may have any value, in kernel.arguments */
  guint n_any;
  const char *note;  /* their values in this check: "n=1, m=2" */
  gboolean executed; /* is there an execution with some of them? */
  gboolean endless;  /* does none end with some? */
  gboolean large;    /* do arrays grow beyond the limit with some? */
  const char *stop;  /* what ended the last check early, or NULL */
  Findings findings; /* with all of their values */
  GString *summary;  /* of -placements: what is found, in place of a report; else NULL */
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

/* Is argument i given again, so that it does not count? */
static gboolean is_overridden (const GPtrArray *all, guint i) {
  const char *own = all->pdata[i];
  const gsize length = strcspn (own, "[=");
  for (guint k = i + 1; all->pdata[k]; k++)
    if (strcspn (all->pdata[k], "[=") == length && strncmp (all->pdata[k], own, length) == 0)
      return TRUE;
  return FALSE;
}

static gboolean read_options (Run *run) {
  const CliOptions *options = run->options;
  const KernelOptions *own = own_options (options);
  if (!own->grid)
    rsp_error (run->diagnostics, RSP_NOWHERE, "`-grid 2x2`: two work-groups of two work-items",
               "`-kernel` needs a grid");
  else if (!rsp_grid_parse (own->grid, &run->kernel.grid))
    rsp_error (
        run->diagnostics, RSP_NOWHERE,
        "`-grid 2x2`, or `-grid 2x1x2`: work-groups, sub-groups of each, work-items of each; "
        "`-grid 2,2x4,4`: two dimensions",
        "-grid: found `%s`, expected two or three numbers with `x` between them", own->grid);
  else if (own->offset && !rsp_grid_parse_offset (own->offset, &run->kernel.grid))
    rsp_error (run->diagnostics, RSP_NOWHERE, "`-offset 16`; `-offset 16,8`: of two dimensions",
               "-offset: found `%s`, expected numbers", own->offset);
  else if (cli_option_is_set (options, "repair") && own->sarif)
    rsp_error (run->diagnostics, RSP_NOWHERE, "`-json` prints both as JSON",
               "`-repair` prints patches, which `-sarif` has no place for");
  else if (!check_chosen (own->chosen, run->diagnostics))
    return FALSE;
  else if (cli_option_is_set (options, "placements")
           && (run->kernel.grid.dimensions > 1 || own->sarif || options->explain || options->tsv
               || cli_option_is_set (options, "repair")))
    rsp_error (run->diagnostics, RSP_NOWHERE, "`-grid 2x2`; `-json` prints it as JSON",
               "`-kernel` with `-placements` lists the divisions of a grid of one dimension: it "
               "cannot be combined with -sarif, -tsv, -explain or -repair");
  else if (options->inputs->len)
    rsp_error (run->diagnostics, RSP_NOWHERE, NULL, "`-kernel` takes no tests, but `%s` is given",
               (const char *) options->inputs->pdata[0]);
  else {
    add_words (run->preprocessing, "-D", own->macros);
    add_words (run->preprocessing, "-I", options->directories);
    add_words (run->preprocessing, "-include", own->includes);
    g_ptr_array_add (run->preprocessing, NULL);
    run->kernel.grid.devices = own->devices;
    run->kernel.entry = own->entry;
    run->kernel.preprocessing = (const char *const *) run->preprocessing->pdata;
    run->kernel.arguments = (const char *const *) own->arguments->pdata;
    GPtrArray *all = own->arguments;
    for (guint i = 0; all->pdata[i]; i++) {
      if ((!g_str_has_suffix (all->pdata[i], "=any") && !range_of (all->pdata[i], NULL, NULL))
          || is_overridden (all, i))
        continue;
      if (run->n_any < RSP_KERNEL_MAX_UNKNOWN)
        run->any[run->n_any++] = (char **) &all->pdata[i];
      else
        rsp_error (run->diagnostics, RSP_NOWHERE, "give numbers for some",
                   "-arg %s: only %u arguments may have any value", (char *) all->pdata[i],
                   RSP_KERNEL_MAX_UNKNOWN);
    }
    if (run->n_any && (options->explain || cli_option_is_set (options, "repair")))
      rsp_error (run->diagnostics, RSP_NOWHERE, "give it a value with which there is a finding",
                 "-arg %s: `-explain` and `-repair` are about one value", *run->any[0]);
    return rsp_diagnostics_count_errors (run->diagnostics) == 0;
  }
  return FALSE;
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
               "%s: the search for hangs did not finish", own_options (run->options)->kernel);
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
  const char *path = own_options (run->options)->kernel;
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

/* "data_race line 3, out_of_bounds line 5": each kind at each line once. */
static void summarise (const Findings *findings, GString *out) {
  for (guint i = 0; i < findings->all->len; i++) {
    const Finding *own = findings->all->pdata[i];
    g_autofree char *text = g_strdup_printf ("%s line %u", own->kind, own->line);
    if (!strstr (out->str, text))
      g_string_append_printf (out, "%s%s", out->len ? ", " : "", text);
  }
}

static void format_findings (const Run *run, const Findings *findings, GString *out) {
  const CliOptions *options = run->options;
  if (run->summary) {
    summarise (findings, run->summary);
    return;
  }
  if (own_options (options)->sarif)
    format_as_sarif (findings, out);
  else if (options->json)
    format_as_json (findings, out);
  else
    format_as_text (findings, out);
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
  g_autoptr (GPtrArray) evidence = rsp_evidence_find_every_line (model, &rest, readings->leniently);
  *findings = (Findings){ .path = own_options (run->options)->kernel,
                          .kernel = readings->kernel,
                          .options = &run->kernel,
                          .grid = g_strdup (own_options (run->options)->grid),
                          .unroll = run->check.unroll,
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
  if (!make_readings (&beginnings, own_options (run->options)->kernel, &run->kernel, model, unheard)
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
                   const RspModel *model, const RspHangs *hangs, const Findings *findings,
                   GString *out) {
  format_findings (run, findings, out);
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
    merge_findings (&run->findings, &findings, run->note);
  else if (!vacuous) {
    leave_out (&findings, own_options (options));
    found = findings.all->len > 0;
    print (run, readings, endless, model, hangs, &findings, out);
  }
  gboolean whole = !vacuous && (!hangs || hangs->stop == RSPCHECK_STOP_COMPLETE);
  int status = found ? CLI_STATUS_DIFFERENT : CLI_STATUS_OK;
  clear_findings (&findings);
  rsp_hangs_free (hangs);
  whole = cli_write (out) && whole;
  if (whole && found && cli_option_is_set (options, "repair"))
    whole = cli_kernel_repair () (options, own_options (options)->kernel, readings->kernel,
                                  &run->kernel, model, &rest, run->column->label, run->diagnostics);
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
    rsp_error (run->diagnostics, RSP_NOWHERE, "a smaller grid, -timeout or -max-memory may help",
               "%s: the search did not finish (%s)", own_options (run->options)->kernel, stop);
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
    merge_findings (&run->findings, &findings, run->note);
  else {
    format_findings (run, &findings, out);
    clear_findings (&findings);
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
  g_auto (Readings) readings = { .check = run->check }, endless = { .check = run->check };
  const char *path = own_options (run->options)->kernel;
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
    unknown = rsp_kernel_representatives (own_options (run->options)->kernel, &run->kernel,
                                          &run->check, loop, sampled, run->diagnostics);
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
  if (run->findings.all && (status != CLI_STATUS_UNFINISHED || run->findings.all->len)) {
    run->findings.loop |= loop;
    run->findings.sampled = sampled || run->large;
    run->findings.stop = run->stop;
    leave_out (&run->findings, own_options (run->options));
    if (status == CLI_STATUS_DIFFERENT && !run->findings.all->len)
      status = CLI_STATUS_OK;
    format_findings (run, &run->findings, out);
    if (run->findings.all->len)
      status = CLI_STATUS_DIFFERENT;
    status = cli_write (out) ? status : CLI_STATUS_UNFINISHED;
  }
  clear_findings (&run->findings);
  return status;
}

/* ---- Every division ---- */

/* -placements: the same number of work-items, divided into groups, sub-groups and devices in other
 * ways. */
typedef struct Division {
  guint groups, sub_groups, items, devices;
  int status;
  char *found; /* see summarise; "": nothing; NULL: there is no answer */
} Division;

static void free_division (gpointer data) { g_free (((Division *) data)->found); }

/* All ways, the fewest groups, sub-groups and devices first. */
static GArray *list_divisions (guint n) {
  GArray *all = g_array_new (FALSE, TRUE, sizeof (Division));
  g_array_set_clear_func (all, free_division);
  for (guint groups = 1; groups <= n; groups++)
    for (guint devices = 1; n % groups == 0 && devices <= groups; devices++)
      for (guint sub_groups = 1; groups % devices == 0 && sub_groups <= n / groups; sub_groups++)
        if (n / groups % sub_groups == 0) {
          Division division = { groups, sub_groups, n / groups / sub_groups, devices, 0, NULL };
          g_array_append_val (all, division);
        }
  return all;
}

static char *name_division (const Division *d) {
  return d->devices > 1 ? g_strdup_printf ("%ux%ux%u on %u devices", d->groups, d->sub_groups,
                                           d->items, d->devices)
                        : g_strdup_printf ("%ux%ux%u", d->groups, d->sub_groups, d->items);
}

/* What all work-items of a division do, from the weakest on; NULL ends them. */
static const char *shares (const Division *d, guint i, gboolean *holds) {
  static const char *const texts[]
      = { "all work-items share a device",        "all work-items share a work-group",
          "all work-items share a sub-group",     "no two work-items share a sub-group",
          "no two work-items share a work-group", NULL };
  const gboolean truths[] = { d->devices == 1,
                              d->groups == 1,
                              d->groups == 1 && d->sub_groups == 1,
                              d->items == 1,
                              d->sub_groups * d->items == 1,
                              FALSE };
  *holds = truths[i];
  return texts[i];
}

/* "race-free wherever all work-items share a work-group; racy otherwise"; if none of these
 * describes the divisions, how many they are. Newly allocated. */
static char *describe_divisions (const GArray *all) {
  guint good = 0, known = 0;
  gboolean races = TRUE, holds;
  for (guint i = 0; i < all->len; i++) {
    const Division *d = &g_array_index (all, Division, i);
    known += d->found != NULL;
    good += d->found && !*d->found;
    races &= !d->found || !*d->found || g_str_has_prefix (d->found, "data_race");
  }
  const char *yes = races ? "race-free" : "no findings", *no = races ? "racy" : "findings";
  if (!known)
    return g_strdup ("there is no answer");
  if (good == known || !good)
    return g_strdup_printf ("%s in every division", good ? "no findings" : no);
  for (guint k = 0; shares (&g_array_index (all, Division, 0), k, &holds); k++) {
    guint agree = 0;
    for (guint i = 0; i < all->len; i++) {
      const Division *d = &g_array_index (all, Division, i);
      const char *text = shares (d, k, &holds);
      agree += text && d->found && (*d->found == 0) == holds;
    }
    const char *text = shares (&g_array_index (all, Division, 0), k, &holds);
    if (agree == known || agree == 0)
      return g_strdup_printf ("%s wherever %s; %s otherwise", agree ? yes : no, text,
                              agree ? no : yes);
  }
  return g_strdup_printf ("%s in %u of %u divisions; %s in the others", yes, good, known, no);
}

static gboolean print_divisions (const Run *run, const GArray *all) {
  const char *path = own_options (run->options)->kernel;
  g_autofree char *sentence = describe_divisions (all);
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GHashTable) listed = g_hash_table_new (g_str_hash, g_str_equal);
  RspJson *groups = rsp_json_list ();
  g_string_append_printf (out, "Kernel %s, %s, %u divisions: %s\n", path, run->column->label,
                          all->len, sentence);
  for (guint i = 0; i < all->len; i++) {
    const char *found = g_array_index (all, Division, i).found;
    if (!g_hash_table_add (listed, (gpointer) (found ? found : "no answer")))
      continue;
    RspJson *names = rsp_json_list ();
    g_string_append_printf (out, "  %s\n", !found ? "no answer" : *found ? found : "no findings");
    for (guint k = i; k < all->len; k++) {
      const Division *d = &g_array_index (all, Division, k);
      g_autofree char *name = name_division (d);
      if (g_strcmp0 (d->found, found) != 0)
        continue;
      g_string_append_printf (out, "    %s\n", name);
      rsp_json_add (names, rsp_json_text (name));
    }
    rsp_json_add (groups,
                  rsp_json_object ("findings", rsp_json_text (found), "grids", names, NULL));
  }
  g_autoptr (RspJson) object
      = rsp_json_object ("question", rsp_json_text ("placements"), "path", rsp_json_text (path),
                         "model", rsp_json_text (run->column->label), "sentence",
                         rsp_json_text (sentence), "groups", groups, NULL);
  if (run->options->json) {
    g_string_truncate (out, 0);
    rsp_json_append_line (object, out);
  }
  return cli_write (out);
}

static int check_divisions (Run *run, const RspModel *model) {
  const RspGrid given = run->kernel.grid;
  g_autoptr (GArray) all = list_divisions (given.groups * given.sub_groups * given.items);
  int status = CLI_STATUS_OK;
  for (guint i = 0; i < all->len; i++) {
    Division *d = &g_array_index (all, Division, i);
    RspGrid *grid = &run->kernel.grid;
    g_autofree char *text = g_strdup_printf ("%ux%ux%u", d->groups, d->sub_groups, d->items);
    rsp_grid_parse (text, grid);
    memcpy (grid->offsets, given.offsets, sizeof given.offsets);
    grid->devices = d->devices;
    run->summary = g_string_new (NULL);
    d->status = run->n_any ? check_values (run, model) : check (run, model);
    gboolean known = d->status == CLI_STATUS_OK || d->status == CLI_STATUS_DIFFERENT;
    d->found = g_string_free (g_steal_pointer (&run->summary), !known);
    status = known && status != CLI_STATUS_UNFINISHED ? MAX (status, d->status)
                                                      : CLI_STATUS_UNFINISHED;
  }
  run->kernel.grid = given;
  return print_divisions (run, all) ? status : CLI_STATUS_UNFINISHED;
}

static int run_kernel (CliOptions *options, RspDiagnostics *diagnostics) {
  Run run = { .options = options, .diagnostics = diagnostics };
  int status = CLI_STATUS_USAGE;
  run.preprocessing = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (own_options (options)->arguments, NULL);
  g_autoptr (CliModels) models = cli_models_new (options);
  g_autoptr (CliColumns) columns = cli_columns_new (options, diagnostics);
  if (columns && read_options (&run)) {
    const GPtrArray *list = cli_columns_for (columns, RSP_LANGUAGE_OPENCL, FALSE);
    status = CLI_STATUS_OK;
    for (guint i = 0; i < list->len; i++) {
      run.column = list->pdata[i];
      run.check = run.column->check;
      run.check.skipped_checks = (const char *const *) run.column->skipped->pdata;
      run.check.cas_writeback = RSPCHECK_CAS_WRITEBACK_ALWAYS;
      run.check.counts_optional = run.check.engine != RSPCHECK_ENGINE_NAIVE;
      run.check.speedcheck = RSPCHECK_SPEED_EXACT; /* any execution may have a finding */
      run.check.jobs = MAX (1, options->jobs);
      CliModel *found = cli_models_get (models, run.column, own_options (options)->kernel);
      cli_models_report (models, found, diagnostics);
      int own = !found->model                               ? CLI_STATUS_UNFINISHED
                : cli_option_is_set (options, "placements") ? check_divisions (&run, found->model)
                : run.n_any                                 ? check_values (&run, found->model)
                                                            : check (&run, found->model);
      status = MAX (status, own);
    }
  }
  cli_print_diagnostics (diagnostics, options->quiet);
  g_ptr_array_unref (run.preprocessing);
  return status;
}

/* ---- The row -------------------------------------------------------------------------------- */

static gboolean is_requested (const CliOptions *options) {
  return own_options (options)->kernel != NULL;
}

/* -repair edits the kernel that has findings. */
static gboolean check_options (const CliOptions *options, RspDiagnostics *diagnostics) {
  static const char *const fits[] = { "kernel", "repair", "placements", NULL };
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
      "compilers print them; with -json an object. The exit status is 3 if there are findings."),
  VALUE ("grid", CLI_KERNELS, CLI_TEXT, grid, "GxL",
         "The kernel's work-items: G work-groups of L work-items, or with GxSxL of S sub-groups of "
         "L work-items. `2,2x4,4` has two dimensions."),
  VALUE ("offset", CLI_KERNELS, CLI_TEXT, offset, "N",
         "What is added to the work-items' global ids (`16,8`: of two dimensions). Default: 0."),
  NUMBER ("devices", CLI_KERNELS, devices, "N", 1, 64,
          "Divide the work-groups among this number of devices. Default: 1."),
  VALUE ("entry", CLI_KERNELS, CLI_TEXT, entry, "F",
         "The kernel to check, if the file has several."),
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
          "Print the kernel's findings as SARIF 2.1.0, which editors and code-review sites show."),
};

static const CliCommand commands[] = {
  { .option = "kernel", .is_requested = is_requested, .takes_progress = TRUE, .run = run_kernel },
  { .option = NULL }
};

const CliExtra kernel_extra
    = { .options = options_table,
        .n_options = G_N_ELEMENTS (options_table),
        .size = sizeof (KernelOptions),
        .inside = (const char *const[]){ "kernel", "grid", "devices", "entry", "arg", "offset", "D",
                                         "sarif", "findings", "benign", NULL },
        .check = check_options,
        .commands = commands };
