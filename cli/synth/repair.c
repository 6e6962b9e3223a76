#include "cli/synth/repair.h"
#include "base/json.h"
#include "synth/edits/relax.h"
#include "synth/edits/repair.h"
#include "synth/edits/version.h"

#include "cli/columns/each.h"
#include "cli/base/status.h"
#include "cli/base/stream.h"
#include "synth/edits/task.h"

#include <string.h>

enum { DEFAULT_EDITS = 3 };

static const char *const cost_words[SYNTH_EDIT_KINDS]
    = { "order", "scope", "remote", "atomic", "fence", "semantics" };

typedef struct Run {
  const CliOptions *options;
  RspDiagnostics *diagnostics;
  gboolean relax, forbid;
  guint costs[SYNTH_EDIT_KINDS];
} Run;

gboolean cli_repair_is_requested (const CliOptions *options) {
  return options->repair || options->relax;
}

/* ---- Costs: "order=1,fence=4" ---- */

static gboolean read_cost (guint *costs, const char *item, RspDiagnostics *diagnostics) {
  const char *value = strchr (item, '=');
  guint64 cost;
  for (guint i = 0; i < SYNTH_EDIT_KINDS && value; i++)
    if (strlen (cost_words[i]) == (gsize) (value - item)
        && strncmp (cost_words[i], item, (gsize) (value - item)) == 0
        && g_ascii_string_to_unsigned (value + 1, 10, 0, 1000000, &cost, NULL)) {
      costs[i] = (guint) cost;
      return TRUE;
    }
  rsp_error (diagnostics, RSP_NOWHERE, "for instance `-edit-cost order=1,scope=1,remote=2,fence=4`",
             "-edit-cost: `%s` is not a kind of edit (order, scope, remote, atomic, fence, "
             "semantics) and its cost",
             item);
  return FALSE;
}

gboolean cli_repair_costs (const CliOptions *options, guint *costs, RspDiagnostics *diagnostics) {
  static const guint defaults[SYNTH_EDIT_KINDS] = { 1, 1, 2, 1, 4, 1 };
  memcpy (costs, defaults, sizeof defaults);
  if (!options->costs)
    return TRUE;
  g_auto (GStrv) items = g_strsplit (options->costs, ",", -1);
  for (guint i = 0; items[i]; i++)
    if (!read_cost (costs, items[i], diagnostics))
      return FALSE;
  return TRUE;
}

/* ---- One version ---- */

static char *describe (const SynthTask *task, const SynthVersion *version, const char *path) {
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < task->sites->len; i++) {
    const SynthSite *site = task->sites->pdata[i];
    if (version->levels[i] == site->own)
      continue;
    g_autofree char *edit = rsp_synth_site_describe (site, version->levels[i]);
    g_string_append_printf (text, "%s%s", text->len ? "; " : "", edit);
  }
  g_string_prepend (text, ": ");
  g_string_prepend (text, path);
  return g_string_free (text, FALSE);
}

static gboolean write_version (const Run *run, const RspProgram *program, guint number,
                               const char *source) {
  g_autoptr (GString) text = g_string_new (source);
  g_autofree char *file
      = g_strdup_printf ("%s.%u.%s", program->name, number, run->options->kernel ? "cl" : "litmus");
  g_autofree char *path = g_build_filename (run->options->logs, file, NULL);
  return cli_write_file (path, text);
}

/* ---- What comes out of one test and model ---- */

static const char *summary (const Run *run, const SynthTask *task) {
  if (task->already)
    return run->forbid ? "its outcome is forbidden already" : "it is defined already";
  if (task->found->len)
    return NULL;
  if (!task->complete)
    return "not known: the search did not finish";
  return run->relax ? "nothing can be weakened" : "no set of so few edits is enough";
}

static gboolean report_text (const Run *run, const SynthTask *task, const char *path,
                             const char *label) {
  g_autoptr (GString) out = g_string_new (NULL);
  const char *why = summary (run, task);
  g_string_append_printf (out, "%s %s, %s: ", run->options->kernel ? "Kernel" : "Test",
                          task->program->name, label);
  if (why)
    g_string_append_printf (out, "%s\n", why);
  else
    g_string_append_printf (out, "%u %s set%s of %s\n", task->found->len,
                            run->relax ? "maximal" : "minimal", task->found->len == 1 ? "" : "s",
                            run->relax ? "weakenings" : "edits");
  for (guint i = 0; i < task->found->len; i++) {
    const SynthVersion *version = task->found->pdata[i];
    g_autofree char *edits = describe (task, version, path);
    g_autofree char *text = rsp_synth_version_text (task->program, task->sites, version->levels);
    g_autofree char *diff = rsp_synth_text_diff (path, path, task->program->source->text, text);
    g_string_append_printf (out, "%u (%s %u): %s\n%s", i + 1, run->relax ? "saves" : "cost",
                            version->cost, edits, diff);
  }
  g_string_append_c (out, '\n');
  return cli_write (out);
}

static JsonNode *version_node (const SynthTask *task, const SynthVersion *version,
                               const char *path) {
  g_autofree char *edits = describe (task, version, path);
  g_autofree char *text = rsp_synth_version_text (task->program, task->sites, version->levels);
  g_autofree char *diff = rsp_synth_text_diff (path, path, task->program->source->text, text);
  JsonObject *object = json_object_new ();
  json_object_set_int_member (object, "cost", version->cost);
  rsp_json_set_text (object, "edits", edits);
  rsp_json_set_text (object, "patch", diff);
  rsp_json_set_text (object, "source", text);
  return rsp_json_members (object);
}

static gboolean report_json (const Run *run, const SynthTask *task, const char *path,
                             const char *label) {
  const char *question = run->relax ? "relax" : run->forbid ? "repair forbid" : "repair";
  g_autoptr (GString) out = g_string_new (NULL);
  JsonObject *object = json_object_new ();
  JsonArray *versions = json_array_new ();
  for (guint i = 0; i < task->found->len; i++)
    rsp_json_add (versions, version_node (task, task->found->pdata[i], path));
  rsp_json_set_text (object, "question", question);
  rsp_json_set_text (object, "test", task->program->name);
  rsp_json_set_text (object, "path", path);
  rsp_json_set_text (object, "model", label);
  rsp_json_set_text (object, "summary", summary (run, task));
  json_object_set_boolean_member (object, "complete", task->complete);
  json_object_set_array_member (object, "versions", versions);
  rsp_json_append_object (object, out);
  return cli_write (out);
}

static gboolean report (const Run *run, const SynthTask *task, const char *path,
                        const char *label) {
  for (guint i = 0; run->options->logs && i < task->found->len; i++) {
    const SynthVersion *version = task->found->pdata[i];
    g_autofree char *text = rsp_synth_version_text (task->program, task->sites, version->levels);
    if (!write_version (run, task->program, i + 1, text))
      return FALSE;
  }
  return run->options->json ? report_json (run, task, path, label)
                            : report_text (run, task, path, label);
}

gboolean cli_repair_report (const CliOptions *options, const SynthTask *task, const char *path,
                            const char *label) {
  const Run run = { .options = options };
  return cli_make_folder (options->logs) && report (&run, task, path, label);
}

/* ---- The run ---- */

static gboolean begin (gpointer data) {
  return cli_make_folder (((const Run *) data)->options->logs);
}

static gboolean answer (gpointer data, const RspProgram *program, const char *path,
                        const CliColumn *column, const RspModel *model) {
  const Run *run = data;
  const CliOptions *options = run->options;
  RspCheckOptions check = column->check;
  check.skipped_checks = (const char *const *) column->skipped->pdata;
  check.jobs = 1;
  SynthTask task = { .program = program,
                     .model = model,
                     .check = &check,
                     .forbid = run->forbid,
                     .all = options->all_findings > 0,
                     .most = options->edits ? options->edits : DEFAULT_EDITS,
                     .deadline = rsp_deadline_in (check.timeout) };
  memcpy (task.costs, run->costs, sizeof run->costs);
  gboolean good = run->relax ? rsp_synth_relax (&task, run->diagnostics)
                             : rsp_synth_repair (&task, run->diagnostics);
  if (!good && rsp_diagnostics_count_errors (run->diagnostics) == 0)
    rsp_error (run->diagnostics, RSP_NOWHERE, NULL,
               "test %s: the search did not finish: there may be more than is shown",
               program->name);
  good = report (run, &task, path, column->label) && good;
  rsp_synth_task_clear (&task);
  return good;
}

/* `-repair forbid TEST`: the word before the tests. */
static void take_forbid (Run *run) {
  GPtrArray *inputs = run->options->inputs;
  run->forbid = !run->relax && inputs->len > 0 && strcmp (inputs->pdata[0], "forbid") == 0
                && !g_file_test ("forbid", G_FILE_TEST_EXISTS);
  if (run->forbid)
    g_ptr_array_remove_index (inputs, 0);
}

int cli_repair_run (CliOptions *options, RspDiagnostics *diagnostics) {
  Run run = { .options = options, .diagnostics = diagnostics, .relax = options->relax > 0 };
  const CliQuestion question = {
    .option = run.relax ? "relax" : "repair", .begin = begin, .answer = answer, .data = &run
  };
  take_forbid (&run);
  if (cli_repair_costs (options, run.costs, diagnostics))
    return cli_ask_each (options, &question, diagnostics);
  cli_print_diagnostics (diagnostics, options->quiet);
  return CLI_STATUS_USAGE;
}
