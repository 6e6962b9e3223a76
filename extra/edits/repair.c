/* -repair and -relax: questions whose answers are versions of given tests, or of a kernel. */
#include "api/api.h"
#include "base/json.h"
#include "cli/extra.h"
#include "extra/edits/command.h"
#include "extra/edits/edits.h"
#include "parser/litmus/litmus.h"

#include <string.h>

static EditOptions *own_options (const CliOptions *options) {
  return cli_extra_options (options, &edits_extra);
}

/* ---- Repair --------------------------------------------------------------------------------- */

enum { DEFAULT_EDITS = 3 };

/* Kinds of edits in order, then the old name of edits of words. */
static const char *const cost_words[SYNTH_EDIT_KINDS + 1]
    = { "order", "scope", "word", "atomic", "fence", "semantics", "remote" };

static const guint default_costs[SYNTH_EDIT_KINDS] = { 1, 1, 2, 1, 4, 1 };

typedef struct RepairRun {
  const CliOptions *options;
  RspDiagnostics *diagnostics;
  gboolean relax, forbid;
  gboolean kernel; /* the text is a kernel's */
  guint costs[SYNTH_EDIT_KINDS];
} RepairRun;

/* ---- Costs: "order=1,fence=4" ---- */
static gboolean read_cost (guint *costs, const char *item, RspDiagnostics *diagnostics) {
  const char *value = strchr (item, '=');
  guint64 cost;
  for (guint i = 0; i < G_N_ELEMENTS (cost_words) && value; i++)
    if (strlen (cost_words[i]) == (gsize) (value - item)
        && strncmp (cost_words[i], item, (gsize) (value - item)) == 0
        && g_ascii_string_to_unsigned (value + 1, 10, 0, 1000000, &cost, NULL)) {
      costs[i < SYNTH_EDIT_KINDS ? i : SYNTH_EDIT_WORD] = (guint) cost;
      return TRUE;
    }
  rsp_error (diagnostics, RSP_NOWHERE, "for instance `-edit-cost order=1,scope=1,word=2,fence=4`",
             "-edit-cost: `%s` is not a kind of edit (order, scope, word, atomic, fence, "
             "semantics) and its cost",
             item);
  return FALSE;
}

static gboolean read_costs (const CliOptions *options, guint *costs, RspDiagnostics *diagnostics) {
  memcpy (costs, default_costs, sizeof default_costs);
  const char *given = own_options (options)->costs;
  if (!given)
    return TRUE;
  g_auto (GStrv) items = g_strsplit (given, ",", -1);
  for (guint i = 0; items[i]; i++)
    if (!read_cost (costs, items[i], diagnostics))
      return FALSE;
  return TRUE;
}

/* ---- One version ---- */
/* Is a repair, whose text this is, one at all placements of several? */
static gboolean is_for_all (const RepairRun *run, const SynthTask *task, const char *text) {
  if (run->relax || run->kernel || !task->named)
    return FALSE;
  guint n = 0;
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  g_autoptr (RspSource) source
      = rsp_source_new (task->program->source->name, g_strdup (text), strlen (text));
  g_autoptr (RspProgram) version = rsp_litmus_parse (source, FALSE, unheard);
  return version && rsp_synth_holds_everywhere (task, version, &n) && n > 1;
}

/* "line 7: …; line 9: …". Newly allocated. */
static char *describe (const SynthTask *task, const SynthVersion *version) {
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < task->sites->len; i++) {
    const SynthSite *site = task->sites->pdata[i];
    if (version->levels[i] == site->own)
      continue;
    g_autofree char *edit = rsp_synth_site_describe (site, version->levels[i]);
    g_string_append_printf (text, "%s%s", text->len ? "; " : "", edit);
  }
  return g_string_free (text, FALSE);
}

/* ---- What comes out of one test and model ---- */
static const char *summary (const RepairRun *run, const SynthTask *task) {
  if (task->already && task->everywhere)
    return run->forbid ? "its outcome is forbidden at all placements already"
                       : "it is defined at all placements already";
  if (task->already)
    return run->forbid ? "its outcome is forbidden already" : "it is defined already";
  if (task->found->len)
    return NULL;
  if (!task->complete)
    return "not known: the search did not finish";
  g_autofree char *none
      = g_strdup_printf ("no set of at most %u edit%s is enough (-edits allows more)", task->most,
                         task->most == 1 ? "" : "s");
  return run->relax ? "nothing can be weakened" : g_intern_string (none);
}

static gboolean report_text (const RepairRun *run, const SynthTask *task, const char *path,
                             const char *label) {
  g_autoptr (GString) out = g_string_new (NULL);
  const char *why = summary (run, task);
  g_autofree char *name = rsp_visible_name (path);
  g_string_append_printf (out, "%s %s, %s: ", run->kernel ? "Kernel" : "Test", task->program->name,
                          label);
  if (why)
    g_string_append_printf (out, "%s\n", why);
  else
    g_string_append_printf (out, "%u %s set%s of %s\n", task->found->len,
                            run->relax ? "maximal" : "minimal", task->found->len == 1 ? "" : "s",
                            run->relax ? "weakenings" : "edits");
  for (guint i = 0; i < task->found->len; i++) {
    const SynthVersion *version = task->found->pdata[i];
    g_autofree char *edits = describe (task, version);
    g_autofree char *text = rsp_synth_version_text (task->program, task->sites, version->levels);
    g_autofree char *diff = rsp_synth_text_diff (path, path, task->program->source->text, text);
    g_string_append_printf (
        out, "%u (%s %u%s): %s: %s\n%s", i + 1, run->relax ? "saves" : "cost", version->cost,
        is_for_all (run, task, text) ? ", at all placements" : "", name, edits, diff);
  }
  g_string_append_c (out, '\n');
  return cli_write (out);
}

static RspJson *version_node (const RepairRun *run, const SynthTask *task,
                              const SynthVersion *version, const char *path) {
  g_autofree char *what = describe (task, version), *edits = g_strdup_printf ("%s: %s", path, what);
  g_autofree char *text = rsp_synth_version_text (task->program, task->sites, version->levels);
  g_autofree char *diff = rsp_synth_text_diff (path, path, task->program->source->text, text);
  return rsp_json_object ("cost", rsp_json_number (version->cost), "all_placements",
                          rsp_json_boolean (is_for_all (run, task, text)), "edits",
                          rsp_json_text (edits), "patch", rsp_json_text (diff), "source",
                          rsp_json_text (text), NULL);
}

static gboolean report_json (const RepairRun *run, const SynthTask *task, const char *path,
                             const char *label) {
  const char *question = run->relax ? "relax" : run->forbid ? "repair forbid" : "repair";
  g_autoptr (GString) out = g_string_new (NULL);
  RspJson *versions = rsp_json_list ();
  for (guint i = 0; i < task->found->len; i++)
    rsp_json_add (versions, version_node (run, task, task->found->pdata[i], path));
  g_autoptr (RspJson) object
      = rsp_json_object ("question", rsp_json_text (question), "test",
                         rsp_json_text (task->program->name), "path", rsp_json_text (path), "model",
                         rsp_json_text (label), "summary", rsp_json_text (summary (run, task)),
                         "complete", rsp_json_boolean (task->complete), "versions", versions, NULL);
  rsp_json_append_line (object, out);
  return cli_write (out);
}

static gboolean repair_report (const RepairRun *run, const SynthTask *task, const char *path,
                               const char *label) {
  for (guint i = 0; run->options->logs && i < task->found->len; i++) {
    const SynthVersion *version = task->found->pdata[i];
    g_autofree char *source = rsp_synth_version_text (task->program, task->sites, version->levels);
    g_autoptr (GString) text = g_string_new (source);
    char *name
        = g_strdup_printf ("%s.%u.%s", task->program->name, i + 1, run->kernel ? "cl" : "litmus");
    g_autofree char *file = cli_path_in (run->options->logs, name);
    if (!cli_write_file (file, text))
      return FALSE;
  }
  return run->options->json ? report_json (run, task, path, label)
                            : report_text (run, task, path, label);
}

/* ---- The run ---- */
static gboolean repair_answer (gpointer data, const RspProgram *program, const char *path,
                               const CliColumn *column, const RspModel *model) {
  const RepairRun *run = data;
  const CliOptions *options = run->options;
  RspCheckOptions check = column->check;
  check.skipped_checks = (const char *const *) column->skipped->pdata;
  check.jobs = 1;
  SynthTask task
      = { .program = program,
          .model = model,
          .check = &check,
          .forbid = run->forbid,
          .everywhere = !run->relax && (options->everywhere || program->all_placements),
          .levels = own_options (options)->levels,
          .all = cli_option_is_set (options, "all"),
          .most = own_options (options)->edits ? own_options (options)->edits : DEFAULT_EDITS,
          .deadline = rsp_deadline_in (check.timeout) };
  memcpy (task.costs, run->costs, sizeof run->costs);
  gboolean good = run->relax ? rsp_synth_relax (&task, run->diagnostics)
                             : rsp_synth_repair (&task, run->diagnostics);
  if (!good && rsp_diagnostics_count_errors (run->diagnostics) == 0)
    rsp_error (run->diagnostics, RSP_NOWHERE, NULL,
               "test %s: the search did not finish: there may be more than is shown",
               program->name);
  if (task.sites) /* else it has not begun */
    good = repair_report (run, &task, path, column->label) && good;
  rsp_synth_task_clear (&task);
  return good;
}

static int run_repair (CliOptions *options, RspDiagnostics *diagnostics) {
  RepairRun run = { .options = options,
                    .diagnostics = diagnostics,
                    .relax = own_options (options)->relax > 0 };
  const CliQuestion question = {
    .option = run.relax ? "relax" : "repair", .writes = TRUE, .answer = repair_answer, .data = &run
  };
  /* `-repair forbid TEST`: the word before the tests. */
  GPtrArray *inputs = run.options->inputs;
  run.forbid = !run.relax && inputs->len > 0 && strcmp (inputs->pdata[0], "forbid") == 0
               && !g_file_test ("forbid", G_FILE_TEST_EXISTS);
  if (run.forbid)
    g_ptr_array_remove_index (inputs, 0);
  if (read_costs (options, run.costs, diagnostics))
    return cli_ask_each (options, &question, diagnostics);
  cli_print_diagnostics (diagnostics, options->quiet);
  return CLI_STATUS_USAGE;
}

/* ---- For others ---- */
static RspJson *repair_test (const RspProgram *program, const RspModel *model,
                             const RspCheckOptions *check, RspDiagnostics *diagnostics) {
  SynthTask task = { .program = program,
                     .model = model,
                     .check = check,
                     .most = DEFAULT_EDITS,
                     .deadline = rsp_deadline_in (check->timeout) };
  memcpy (task.costs, default_costs, sizeof default_costs);
  rsp_synth_repair (&task, diagnostics);
  RspJson *found = rsp_json_list ();
  for (guint i = 0; task.found && i < task.found->len; i++) {
    const SynthVersion *version = task.found->pdata[i];
    g_autofree char *edits = describe (&task, version);
    g_autofree char *text = rsp_synth_version_text (program, task.sites, version->levels);
    rsp_json_add (found, rsp_json_object ("edits", rsp_json_text (edits), "source",
                                          rsp_json_text (text), NULL));
  }
  rsp_synth_task_clear (&task);
  return found;
}

/* ---- Kernels -------------------------------------------------------------------------------- */

/* Patches of a kernel's own text after which nothing is found. */

enum { DEFAULT_KERNEL_EDITS = 2 };

typedef struct KernelRepair {
  const char *path;
  RspKernelOptions kernel;
} KernelRepair;

static void check_text (SynthTask *task, const char *text, SynthAnswer *out) {
  const KernelRepair *repair = task->data;
  RspKernelOptions options = repair->kernel;
  RspCheckOptions check = rsp_synth_task_options (task);
  g_autoptr (GPtrArray) facts = rsp_kernel_facts_new ();
  options.text = text;
  for (gboolean grown = TRUE; grown;) {
    g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
    g_autoptr (RspKernel) kernel
        = rsp_kernel_explore (repair->path, &options, facts, &check, unheard);
    if (!kernel)
      return;
    g_autoptr (RspOutcome) outcome = rsp_check (kernel->program, task->model, &check, unheard);
    grown = rsp_kernel_grow (kernel, outcome, facts);
    if (outcome->stop != RSPCHECK_STOP_COMPLETE)
      task->complete = FALSE;
    /* Nothing may be found, and there must be an execution. */
    out->good = outcome->stop == RSPCHECK_STOP_COMPLETE;
    out->undefined = outcome->n_failures || rsp_outcome_may_fail (outcome) || !outcome->positive;
    for (guint i = 0; i < outcome->n_flags; i++)
      out->undefined |= outcome->flags[i].raised;
  }
}

static gboolean repair_kernel (const CliOptions *options, const char *path, const RspKernel *kernel,
                               const RspKernelOptions *how, const RspModel *model,
                               const RspCheckOptions *check, const char *label,
                               RspDiagnostics *diagnostics) {
  const EditOptions *own = own_options (options);
  const RepairRun run = { .options = options, .diagnostics = diagnostics, .kernel = TRUE };
  KernelRepair repair = { path, *how };
  RspProgram shown = *kernel->program; /* with the kernel's own text */
  shown.source = kernel->file;
  SynthTask task = { .program = &shown,
                     .model = model,
                     .check = check,
                     .all = cli_option_is_set (options, "all"),
                     .most = own->edits ? own->edits : DEFAULT_KERNEL_EDITS,
                     .deadline = rsp_deadline_in (check->timeout),
                     .check_text = check_text,
                     .data = &repair,
                     .sites = rsp_synth_kernel_sites_find (kernel, model) };
  gboolean good
      = read_costs (options, task.costs, diagnostics) && rsp_synth_repair (&task, diagnostics);
  good = cli_make_folder (options->logs) && repair_report (&run, &task, path, label) && good;
  rsp_synth_task_clear (&task);
  return good;
}

/* ---- The row -------------------------------------------------------------------------------- */

static int run_placements (CliOptions *options, RspDiagnostics *diagnostics) {
  return edits_placements (options, diagnostics, own_options (options)->levels);
}

#define OPTIONS EditOptions
#include "cli/option_rows.h"

static const CliOption options_table[] = {
  AFTER ("rewrites", CLI_PROGRAMS),
  SWITCH ("repair", CLI_PROGRAMS, repair,
          "Find the smallest sets of edits that make each test defined, or, if it is, that leave "
          "no flag: an "
          "order strengthened, a scope widened, a remote form, a plain access made atomic, a fence "
          "added. With `-repair "
          "forbid`, that also forbid the condition's outcome. Printed as patches; with -o DIR "
          "also as DIR/NAME.K.litmus. With -kernel, edits of the kernel's text (orders, scopes, "
          "barriers "
          "added) after which nothing is found; default of -edits then: 2."),
  SWITCH ("relax", CLI_PROGRAMS, relax,
          "Find all maximal sets of weakenings of each test (orders, scopes, remote forms, fences "
          "removed) that change neither its final states nor whether it is defined, and raise no "
          "flag if the test raises none. The search takes it that the parts of such a set change "
          "nothing either, as under monotone models (-monotone)."),
  SWITCH ("vary", CLI_PROGRAMS, vary,
          "Check each test with one operation changed: each in turn to every order and "
          "scope, and to remote or not. A table has one row per change: the verdict, the "
          "states gained and lost, the flags. Also with -tsv and -json."),
  SWITCH (
      "placements", CLI_PROGRAMS, placements,
      "Check each test at every placement of its threads in the scope tree, up to symmetry: in a "
      "sentence what the placements with one answer have in common, then a table of the trees, "
      "grouped by verdict. Also with -tsv and -json. With -kernel, on every division of the grid's "
      "work-items into groups, sub-groups and devices."),
  VALUE ("levels", CLI_PROGRAMS, CLI_TEXT, levels, "LIST",
         "With -placements, the levels at which threads may be apart: `wg,dev`, in PTX "
         "`cta,cluster,gpu`. Default: those that the test's operations name."),
  NUMBER ("edits", CLI_PROGRAMS, edits, "N", 1, 6,
          "Repair with at most N edits. Default: 3. Without -all, only the fewest that suffice."),
  VALUE ("edit-cost", CLI_PROGRAMS, CLI_TEXT, costs, "LIST",
         "The costs of edits, by which repairs are sorted: order, scope and atomic per step, words "
         "of the model (such as remote), fence, Vulkan's semantics. Default: "
         "order=1,scope=1,word=2,atomic=1,fence=4,semantics=1."),
};

static const CliCommand commands[]
    = { { .option = "repair", .run = run_repair },
        { .option = "relax", .run = run_repair },
        { .option = "vary", .run = edits_vary },
        { .option = "placements", .run = run_placements },
        { .option = "diff", .is_requested = edits_compares_tests, .run = edits_compare_tests },
        { .option = NULL } };

const CliExtra edits_extra
    = { .options = options_table,
        .n_options = G_N_ELEMENTS (options_table),
        .size = sizeof (EditOptions),
        .inside = (const char *const[]){ "repair", "relax", "vary", "placements", "levels", "edits",
                                         "edit-cost", NULL },
        .commands = commands,
        .repair_kernel = repair_kernel,
        .repair_test = repair_test };
