#include "cli/whatif/vary.h"

#include "cli/columns/each.h"
#include "cli/run/watch.h"
#include "cli/run/workers.h"
#include "cli/base/stream.h"
#include "cli/whatif/answer.h"
#include "base/json.h"
#include "parser/litmus/parse.h"
#include "synth/edits/sites.h"
#include "synth/edits/version.h"

#include <string.h>

enum {
  N_CELLS = 7,            /* of a row of the table */
  MOST_WAITING = 64 << 20 /* bytes of answers that wait for an earlier one */
};

/* A test with one operation changed; site is NULL for the original test. */
typedef struct Version {
  const SynthSite *site;
  guint number, level; /* of the site, and of what it becomes */
  RspRecord *record;
} Version;

typedef struct Run {
  CliOptions *options;
  RspDiagnostics *diagnostics;
} Run;

/* A test under a model. */
typedef struct Task {
  const Run *run;
  const RspProgram *program;
  const char *path;
  const RspModel *model;
  const CliColumn *column;
  GPtrArray *sites;
  GArray *versions; /* of Version: the original test, then the others in the order of the text */
} Task;

/* ---- Versions ---- */

static void list_versions (Task *task) {
  Version own = { NULL, 0, 0, NULL };
  g_array_append_val (task->versions, own);
  for (guint i = 0; i < task->sites->len; i++) {
    const SynthSite *site = task->sites->pdata[i];
    for (guint level = 0; level < site->n_levels; level++)
      if (level != site->own) {
        Version version = { site, i, level, NULL };
        g_array_append_val (task->versions, version);
      }
  }
}

static char *version_text (const Task *task, const Version *version) {
  g_autofree guint8 *levels = rsp_synth_own_levels (task->sites);
  if (version->site)
    levels[version->number] = (guint8) version->level;
  return rsp_synth_version_text (task->program, task->sites, levels);
}

/* ---- Answers: the workers ---- */

typedef struct Answer {
  RspRecord *record;
  RspDiagnostics *diagnostics;
} Answer;

/* Only errors of versions are kept, since the original test has the same warnings. */
static gpointer make (gpointer data, guint i) {
  const Task *task = data;
  const Version *version = &g_array_index (task->versions, Version, i);
  Answer *answer = g_new0 (Answer, 1);
  answer->diagnostics = rsp_diagnostics_new ();
  g_autofree char *text = version_text (task, version);
  gsize length = strlen (text);
  g_autoptr (RspSource) source = rsp_source_new (task->path, g_steal_pointer (&text), length);
  g_autoptr (RspProgram) program = rsp_litmus_parse (source, FALSE, answer->diagnostics);
  if (version->site)
    rsp_diagnostics_drop (answer->diagnostics, RSP_WARNING);
  answer->record = program ? cli_answer (program, task->path, task->model, task->column, FALSE,
                                         answer->diagnostics)
                           : rsp_record_new (task->program->name, task->path, task->column->label,
                                             "the changed test cannot be read");
  return answer;
}

static gpointer fail (gpointer data, guint i) {
  const Task *task = data;
  Answer *answer = g_new0 (Answer, 1);
  (void) i;
  answer->diagnostics = rsp_diagnostics_new ();
  answer->record
      = rsp_record_new (task->program->name, task->path, task->column->label, "internal error");
  return answer;
}

static void drop (gpointer result) {
  Answer *answer = result;
  rsp_record_free (answer->record);
  rsp_diagnostics_free (answer->diagnostics);
  g_free (answer);
}

/* FALSE, which ends the work, if the original test has no answer: there is nothing to compare with.
 */
static gboolean take (gpointer data, guint i, gpointer result) {
  Task *task = data;
  Answer *answer = result;
  Version *version = &g_array_index (task->versions, Version, i);
  version->record = g_steal_pointer (&answer->record);
  if (version->site) {
    rsp_diagnostics_drop (answer->diagnostics, RSP_WARNING);
    rsp_diagnostics_drop (answer->diagnostics, RSP_TRUNCATED);
  }
  rsp_diagnostics_move (task->run->diagnostics, answer->diagnostics);
  drop (answer);
  if (version->site || rsp_record_is_ok (version->record))
    return TRUE;
  rsp_error (task->run->diagnostics, task->program->threads[0].span, NULL,
             "test %s: the unmodified test cannot be checked", task->program->name);
  return FALSE;
}

static gsize size (gconstpointer result) {
  (void) result;
  return 1;
}

/* ---- Reports ---- */

static const RspRecord *own_record (const Task *task) {
  return g_array_index (task->versions, Version, 0).record;
}

/* The cells of a version's row, newly allocated. */
static char **row_of (const Version *version, const RspChange *change) {
  const SynthSite *site = version->site;
  gboolean same = rsp_change_is_none (change);
  char **cells = g_new0 (char *, N_CELLS + 1);
  GString *states = g_string_new (NULL);
  if (change->gained->len)
    g_string_append_printf (states, "+%u", change->gained->len);
  if (change->lost->len)
    g_string_append_printf (states, "%s-%u", states->len ? " " : "", change->lost->len);
  cells[0] = g_strdup_printf ("%u:%u", site->line, site->column);
  cells[1] = g_strdup (site->what);
  cells[2] = g_strdup (site->levels[site->own].text);
  cells[3] = g_strdup (site->levels[version->level].text);
  cells[4] = same ? g_strdup ("same") : rsp_change_format_verdict (change);
  cells[5] = g_string_free (states, FALSE);
  cells[6] = rsp_change_format_flags (change);
  return cells;
}

static void append_row (char *const *cells, const guint *widths, GString *out) {
  gsize begin = out->len;
  for (guint i = 0; i < N_CELLS; i++)
    g_string_append_printf (out, "  %-*s", (int) widths[i], cells[i]);
  while (out->len > begin && out->str[out->len - 1] == ' ')
    g_string_truncate (out, out->len - 1);
  g_string_append_c (out, '\n');
}

static void widen (char *const *cells, guint *widths) {
  for (guint i = 0; i < N_CELLS; i++)
    widths[i] = MAX (widths[i], (guint) strlen (cells[i]));
}

/* "Test MP, opencl_rem: Never, 3 states; 5 of 14 changes change it" */
static void append_head (const Task *task, guint n_changed, guint n_unknown, GString *out) {
  const RspRecord *own = own_record (task);
  g_string_append_printf (out, "Test %s, %s: %s, %u state%s", own->test, task->column->label,
                          rsp_change_observation (own), own->states->len,
                          own->states->len == 1 ? "" : "s");
  for (guint i = 0; i < own->flags->len; i++)
    g_string_append_printf (out, " %s", (const char *) own->flags->pdata[i]);
  g_string_append_printf (out, "; %u of %u changes matter", n_changed, task->versions->len - 1);
  if (n_unknown)
    g_string_append_printf (out, ", %u without an answer", n_unknown);
  g_string_append_c (out, '\n');
}

static gboolean report_text (const Task *task) {
  static char *const head[N_CELLS]
      = { "at", "operation", "as it is", "instead", "verdict", "states", "flags" };
  guint widths[N_CELLS] = { 0 }, n = task->versions->len, n_changed = 0, n_unknown = 0;
  g_autofree char ***rows = g_new0 (char **, n);
  g_autofree RspChange *changes = g_new0 (RspChange, n);
  g_autoptr (GString) out = g_string_new (NULL);
  widen (head, widths);
  for (guint i = 1; i < n; i++) {
    const Version *version = &g_array_index (task->versions, Version, i);
    rsp_change_init (&changes[i], own_record (task), version->record);
    rows[i] = row_of (version, &changes[i]);
    widen (rows[i], widths);
    n_unknown += !rsp_change_is_known (&changes[i]);
    n_changed += rsp_change_is_known (&changes[i]) && !rsp_change_is_none (&changes[i]);
  }
  append_head (task, n_changed, n_unknown, out);
  if (n > 1)
    append_row (head, widths, out);
  for (guint i = 1; i < n; i++) {
    append_row (rows[i], widths, out);
    rsp_change_format_states (&changes[i], 6, out);
    g_strfreev (rows[i]);
    rsp_change_clear (&changes[i]);
  }
  g_string_append_c (out, '\n');
  return cli_write (out);
}

static char *join (const GPtrArray *texts) {
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < texts->len; i++)
    g_string_append_printf (out, "%s%s", i ? " | " : "", (const char *) texts->pdata[i]);
  g_string_append (out, texts->len ? "" : "-");
  return g_string_free (out, FALSE);
}

static gboolean report_tsv (const Task *task) {
  g_autoptr (GString) out = g_string_new (NULL);
  for (guint i = 1; i < task->versions->len; i++) {
    const Version *version = &g_array_index (task->versions, Version, i);
    const SynthSite *site = version->site;
    g_auto (RspChange) change = { 0 };
    rsp_change_init (&change, own_record (task), version->record);
    g_autofree char *gained = join (change.gained), *lost = join (change.lost),
                    *flags = rsp_change_format_flags (&change);
    g_string_append_printf (
        out, "%s\t%s\t%u\t%u\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", task->column->label,
        task->program->name, site->line, site->column, site->what, site->levels[site->own].text,
        site->levels[version->level].text, rsp_change_observation (change.before),
        rsp_change_observation (change.after), gained, lost, *flags ? flags : "-");
  }
  return cli_write (out);
}

static gboolean report_json_version (const Task *task, const Version *version) {
  const SynthSite *site = version->site;
  JsonObject *object = json_object_new ();
  g_autofree char *text = version_text (task, version);
  g_auto (RspChange) change = { 0 };
  rsp_change_init (&change, own_record (task), version->record);
  rsp_json_set_text (object, "question", "vary");
  rsp_json_set_text (object, "test", task->program->name);
  rsp_json_set_text (object, "path", task->path);
  rsp_json_set_text (object, "model", task->column->label);
  json_object_set_int_member (object, "line", site->line);
  json_object_set_int_member (object, "column", site->column);
  rsp_json_set_text (object, "operation", site->what);
  rsp_json_set_text (object, "as_it_is", site->levels[site->own].text);
  rsp_json_set_text (object, "instead", site->levels[version->level].text);
  cli_answer_set_change (object, &change);
  rsp_json_set_text (object, "source", text);
  return cli_answer_write_json (object);
}

static gboolean report_json (const Task *task) {
  for (guint i = 1; i < task->versions->len; i++)
    if (!report_json_version (task, &g_array_index (task->versions, Version, i)))
      return FALSE;
  return TRUE;
}

static gboolean report (const Task *task) {
  return task->run->options->json  ? report_json (task)
         : task->run->options->tsv ? report_tsv (task)
                                   : report_text (task);
}

/* ---- The run ---- */

static gboolean tick (gpointer data, const CliWorkView *view) {
  const Task *task = data;
  if (task->run->options->watch)
    cli_watch_search (task->run->options->watch, "%u of %u changes", view->done, view->n);
  return TRUE;
}

static gboolean all_answered (const Task *task) {
  for (guint i = 0; i < task->versions->len; i++)
    if (!rsp_record_is_ok (g_array_index (task->versions, Version, i).record))
      return FALSE;
  return TRUE;
}

static gboolean answer (gpointer data, const RspProgram *program, const char *path,
                        const CliColumn *column, const RspModel *model) {
  const Run *run = data;
  Task task = { .run = run,
                .program = program,
                .path = path,
                .model = model,
                .column = column,
                .sites = rsp_synth_sites_find (program, SYNTH_ANY),
                .versions = g_array_new (FALSE, TRUE, sizeof (Version)) };
  list_versions (&task);
  CliWork work = { .make = make,
                   .fail = fail,
                   .take = take,
                   .drop = drop,
                   .size = size,
                   .most_waiting = MOST_WAITING,
                   .tick = tick,
                   .data = &task };
  guint jobs = run->options->jobs ? run->options->jobs : g_get_num_processors ();
  gboolean good = cli_workers_run (&work, jobs, task.versions->len) == CLI_WORK_DONE
                  && report (&task) && all_answered (&task);
  for (guint i = 0; i < task.versions->len; i++)
    rsp_record_free (g_array_index (task.versions, Version, i).record);
  g_array_unref (task.versions);
  g_ptr_array_unref (task.sites);
  return good;
}

static gboolean begin (gpointer data) {
  const CliOptions *options = ((const Run *) data)->options;
  g_autoptr (GString) out
      = g_string_new ("model\ttest\tline\tcolumn\toperation\tas_it_is\tinstead\tbefore\tafter\t"
                      "gained\tlost\tflags\n");
  return !options->tsv || options->json || cli_write (out);
}

int cli_vary_run (CliOptions *options, RspDiagnostics *diagnostics) {
  Run run = { .options = options, .diagnostics = diagnostics };
  const CliQuestion question = {
    .option = "vary", .tells_warnings = TRUE, .begin = begin, .answer = answer, .data = &run
  };
  return cli_ask_each (options, &question, diagnostics);
}
