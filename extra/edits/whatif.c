/* -vary and -diff: the answer of a changed test beside that of the original. */
#include "api/api.h"
#include "base/json.h"
#include "cli/extra.h"
#include "cli/workers.h"
#include "model/model.h"
#include "parser/litmus/litmus.h"
#include "report/record.h"
#include "report/report.h"
#include "extra/edits/command.h"
#include "extra/edits/edits.h"

#include <string.h>

/* ---- Answer --------------------------------------------------------------------------------- */

/* What if: the answer of a changed test compared with that of the original; for -vary and -diff. */

RspRecord *edits_answer (const RspProgram *program, const char *path, const RspModel *model,
                         const CliColumn *column, gboolean evidence, RspDiagnostics *diagnostics) {
  RspRecord *record = rsp_run_begin (program, path, column->label, "it was not checked");
  RspRunOptions options = { .check = column->check, .evidence = evidence };
  options.check.skipped_checks = (const char *const *) column->skipped->pdata;
  options.check.jobs = 1;
  options.check.speedcheck
      = RSPCHECK_SPEED_EXACT; /* answers are compared by all states and flags */
  rsp_run (program, model, &options, record, diagnostics);
  return record;
}

/* A worker's answer for a version. */
typedef struct Answer {
  RspRecord *record; /* or NULL */
  RspDiagnostics *diagnostics;
} Answer;

enum { MOST_WAITING = 64 << 20 /* bytes of answers that wait for an earlier one */ };

static void free_answer (gpointer data) {
  Answer *answer = data;
  rsp_record_free (answer->record);
  rsp_diagnostics_free (answer->diagnostics);
  g_free (answer);
}

/* The first answer has the test's warnings, which are those of all. */
static gpointer make (gpointer data, guint i) {
  const EditsTask *task = data;
  Answer *answer = g_new (Answer, 1);
  answer->diagnostics = rsp_diagnostics_new ();
  answer->record = task->answer (task, i, answer->diagnostics);
  if (i)
    rsp_diagnostics_drop (answer->diagnostics, RSP_WARNING);
  return answer;
}

static gpointer fail (gpointer data, guint i) {
  const EditsTask *task = data;
  Answer *answer = g_new (Answer, 1);
  (void) i;
  answer->diagnostics = rsp_diagnostics_new ();
  answer->record
      = rsp_record_new (task->program->name, task->path, task->column->label, "internal error");
  return answer;
}

static gboolean take (gpointer data, guint i, gpointer result) {
  EditsTask *task = data;
  Answer *answer = result;
  task->records[i] = g_steal_pointer (&answer->record);
  rsp_diagnostics_move (task->diagnostics, answer->diagnostics);
  free_answer (answer);
  if (i || !task->compares || rsp_record_is_ok (task->records[0]))
    return TRUE;
  rsp_error (task->diagnostics, task->program->threads[0].span, NULL,
             "test %s: the unmodified test cannot be checked", task->program->name);
  return FALSE;
}

static gsize size (gconstpointer result) {
  const Answer *answer = result;
  return answer->record ? rsp_record_size (answer->record) : 0;
}

static gboolean tick (gpointer data, const CliWorkView *view) {
  const EditsTask *task = data;
  if (task->options->watch)
    cli_watch_search (task->options->watch, "%u of %u %s", view->done, view->n, task->what);
  return TRUE;
}

gboolean edits_answer_all (EditsTask *task, const RspProgram *program, const char *path,
                           const CliColumn *column, const RspModel *model) {
  const CliOptions *options = task->options;
  task->program = program;
  task->path = path;
  task->column = column;
  task->model = model;
  const CliWork work = { .make = make,
                         .fail = fail,
                         .take = take,
                         .drop = free_answer,
                         .size = size,
                         .most_waiting = MOST_WAITING,
                         .tick = tick,
                         .data = task };
  guint jobs = options->jobs ? options->jobs : g_get_num_processors ();
  task->records = g_new0 (RspRecord *, task->n + 1);
  gboolean good = cli_workers_run (&work, jobs, task->n) == CLI_WORK_DONE
                  && (options->json  ? task->json
                      : options->tsv ? task->tsv
                                     : task->text) (task);
  for (guint i = 0; i < task->n; i++) {
    good = good && (!task->records[i] || rsp_record_is_ok (task->records[i]));
    rsp_record_free (task->records[i]);
  }
  g_free (task->records);
  return good;
}

/* ---- JSON ---- */
static RspJson *answer_node (const RspRecord *record) {
  gboolean ok = rsp_record_is_ok (record);
  return rsp_json_object (
      "observation", rsp_json_text (ok ? rsp_observation_names[record->observation] : NULL),
      "reason", rsp_json_text (ok ? NULL : record->reason), "loop", rsp_json_boolean (record->loop),
      "undefined", rsp_json_boolean (rsp_record_is_undefined (record)), "states",
      rsp_json_number (record->states->len), "flags", rsp_json_texts (record->flags), NULL);
}

/* Sets the members `before`, `after` (answers), `gained`, `lost` (states). */
static void cli_answer_set_change (RspJson *object, const RspChange *change) {
  rsp_json_set (object, "before", answer_node (change->before));
  rsp_json_set (object, "after", answer_node (change->after));
  rsp_json_set (object, "gained", rsp_json_texts (change->gained));
  rsp_json_set (object, "lost", rsp_json_texts (change->lost));
}

gboolean edits_write_json (RspJson *object) {
  g_autoptr (GString) out = g_string_new (NULL);
  rsp_json_append_line (object, out);
  rsp_json_unref (object);
  return cli_write (out);
}

/* ---- Tests ---------------------------------------------------------------------------------- */

static GPtrArray *expand (const CliOptions *options) {
  g_autoptr (RspDiagnostics) ignored = rsp_diagnostics_new ();
  return cli_inputs_expand (options->inputs, ignored);
}

gboolean edits_compares_tests (const CliOptions *options) {
  gboolean other = options->merge || options->expect || options->compared->len || options->html
                   || options->latex || cli_option_is_set (options, "machine") || options->resume
                   || options->shard.of;
  if (!options->diff || options->models->len > 1 || other)
    return FALSE;
  g_autoptr (GPtrArray) paths = expand (options);
  return paths->len == 2;
}

/* ---- The report ---- */
static void append_flag_lines (const RspRecord *record, const GPtrArray *flags, char sign,
                               GString *out) {
  for (guint i = 0; i < flags->len; i++) {
    g_string_append_printf (out, "    %c %s", sign, (const char *) flags->pdata[i]);
    rsp_record_format_evidence (record, flags->pdata[i], out);
    g_string_append_c (out, '\n');
  }
}

static gboolean tests_report_text (const RspChange *change, const char *label, const char *diff) {
  g_autoptr (GString) out = g_string_new (*diff ? diff : "The programs are the same.\n");
  g_autofree char *verdict = rsp_change_format_verdict (change);
  g_string_append_printf (out, "Test %s", change->before->test);
  if (strcmp (change->before->test, change->after->test) != 0)
    g_string_append_printf (out, " -> %s", change->after->test);
  g_string_append_printf (out, ", %s:\n", label);
  g_string_append_printf (out, "  verdict: %s\n", verdict);
  if (rsp_change_is_known (change) && !rsp_change_compares_states (change))
    g_string_append (out,
                     "  states: not compared, as anything may happen where a test is undefined\n");
  else if (change->gained->len || change->lost->len)
    g_string_append_printf (out, "  states: %u -> %u\n", change->before->states->len,
                            change->after->states->len);
  else
    g_string_append_printf (out, "  states: %u, the same\n", change->before->states->len);
  rsp_change_format_states (change, 4, out);
  g_string_append_printf (out, "  flags:%s\n",
                          change->flags_gained->len || change->flags_lost->len ? "" : " the same");
  append_flag_lines (change->after, change->flags_gained, '+', out);
  append_flag_lines (change->before, change->flags_lost, '-', out);
  return cli_write (out);
}

static gboolean tests_report_json (const RspChange *change, const char *label, const char *diff) {
  RspJson *object = rsp_json_empty ();
  rsp_json_set_text (object, "question", "diff");
  rsp_json_set_text (object, "test", change->before->test);
  rsp_json_set_text (object, "path", change->before->path);
  rsp_json_set_text (object, "other_test", change->after->test);
  rsp_json_set_text (object, "other_path", change->after->path);
  rsp_json_set_text (object, "model", label);
  rsp_json_set_text (object, "patch", diff);
  cli_answer_set_change (object, change);
  return edits_write_json (object);
}

/* ---- The run ---- */
typedef struct Pair {
  RspProgram *programs[2];
  const char *paths[2];
  RspRecord *records[2];
} Pair;

/* Answers for both tests under the model for the first test's language, and reports the change. */
static gboolean compare_tests (const CliOptions *options, Pair *pair, const CliColumn *column,
                               CliModels *models, RspDiagnostics *diagnostics) {
  for (guint i = 0; i < 2; i++) {
    CliModel *found = cli_models_get (models, column, pair->paths[i]);
    cli_models_report (models, found, diagnostics);
    if (!found->model)
      return FALSE;
    pair->records[i]
        = edits_answer (pair->programs[i], pair->paths[i], found->model, column, TRUE, diagnostics);
  }
  const RspProgram *a = pair->programs[0], *b = pair->programs[1];
  gboolean print_the_same = a->n_observables == b->n_observables;
  for (guint i = 0; print_the_same && i < a->n_observables; i++)
    print_the_same = strcmp (a->observables[i].name, b->observables[i].name) == 0;
  if (!print_the_same)
    rsp_warning (
        diagnostics, RSP_NOWHERE, "give both the same `locations` and condition",
        "the two tests print different registers or locations: their states differ by that");
  g_autofree char *diff
      = rsp_synth_text_diff (pair->paths[0], pair->paths[1], a->source->text, b->source->text);
  g_auto (RspChange) change = { 0 };
  rsp_change_init (&change, pair->records[0], pair->records[1]);
  return (options->json ? tests_report_json : tests_report_text) (&change, column->label, diff)
         && rsp_record_is_ok (pair->records[0]) && rsp_record_is_ok (pair->records[1]);
}

int edits_compare_tests (CliOptions *options, RspDiagnostics *diagnostics) {
  g_autoptr (GPtrArray) paths = expand (options);
  g_autoptr (CliModels) models = cli_models_new (options);
  g_autoptr (CliColumns) columns = cli_columns_new (options, diagnostics);
  Pair pair = { 0 };
  gboolean good = columns != NULL;
  for (guint i = 0; i < 2 && columns; i++) {
    pair.paths[i] = paths->pdata[i];
    pair.programs[i] = cli_inputs_read (paths->pdata[i], options->strict > 0, diagnostics);
    good &= pair.programs[i] != NULL;
  }
  if (good)
    good = compare_tests (
        options, &pair,
        cli_columns_for (columns, pair.programs[0]->language->id, pair.programs[0]->newer)
            ->pdata[0],
        models, diagnostics);
  cli_print_diagnostics (diagnostics, options->quiet);
  for (guint i = 0; i < 2; i++) {
    rsp_record_free (pair.records[i]);
    rsp_program_free (pair.programs[i]);
  }
  return !columns ? CLI_STATUS_USAGE : good ? CLI_STATUS_OK : CLI_STATUS_UNFINISHED;
}

/* ---- Vary ----------------------------------------------------------------------------------- */

enum { N_CELLS = 7 /* of a row of the table */ };

/* A test with one operation changed; site is NULL for the original test. */
typedef struct Version {
  const SynthSite *site;
  guint number, level; /* of the site, and of what it becomes */
} Version;

typedef struct Vary {
  EditsTask
      task; /* whose versions are the original test, then the others in the order of the text */
  GPtrArray *sites;
  GArray *versions; /* of Version */
} Vary;

static const Version *version_at (const EditsTask *task, guint i) {
  return &g_array_index (((const Vary *) task)->versions, Version, i);
}

/* The text of a version; newly allocated. */
static char *version_text (const EditsTask *task, const Version *version) {
  const GPtrArray *sites = ((const Vary *) task)->sites;
  g_autofree guint8 *levels = rsp_synth_own_levels (sites);
  if (version->site)
    levels[version->number] = (guint8) version->level;
  return rsp_synth_version_text (task->program, sites, levels);
}

static RspRecord *answer_version (const EditsTask *task, guint i, RspDiagnostics *diagnostics) {
  g_autofree char *text = version_text (task, version_at (task, i));
  gsize length = strlen (text);
  g_autoptr (RspSource) source = rsp_source_new (task->path, g_steal_pointer (&text), length);
  g_autoptr (RspProgram) program = rsp_litmus_parse (source, FALSE, diagnostics);
  return program ? edits_answer (program, task->path, task->model, task->column, FALSE, diagnostics)
                 : rsp_record_new (task->program->name, task->path, task->column->label,
                                   "the changed test cannot be read");
}

/* ---- Reports ---- */
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

/* The cells of a version's row; NULL-terminated, newly allocated. */
static char **vary_cells (const Version *version, const RspChange *change) {
  const SynthSite *site = version->site;
  char **cells = g_new0 (char *, N_CELLS + 1);
  g_autoptr (GString) states = g_string_new (NULL);
  if (change->gained->len)
    g_string_append_printf (states, "+%u", change->gained->len);
  if (change->lost->len)
    g_string_append_printf (states, "%s-%u", states->len ? " " : "", change->lost->len);
  cells[0] = g_strdup_printf ("%u:%u", site->line, site->column);
  cells[1] = g_strdup (site->what);
  cells[2] = g_strdup (site->levels[site->own].text);
  cells[3] = g_strdup (site->levels[version->level].text);
  cells[4] = rsp_change_format_verdict (change);
  cells[5] = g_strdup (states->str);
  cells[6] = rsp_change_format_flags (change);
  return cells;
}

/* A row per change that matters, then per change without an answer; the others are counted. */
static gboolean report_vary_text (const EditsTask *task) {
  static char *const head[N_CELLS]
      = { "at", "operation", "as it is", "instead", "verdict", "states", "flags" };
  guint widths[N_CELLS] = { 0 }, n = task->n, counts[2] = { 0 };
  g_autofree char ***rows = g_new0 (char **, n);
  g_autofree RspChange *changes = g_new0 (RspChange, n);
  g_autoptr (GString) out = g_string_new (NULL);
  widen (head, widths);
  for (guint i = 1; i < n; i++) {
    rsp_change_init (&changes[i], task->records[0], task->records[i]);
    if (rsp_change_is_none (&changes[i]))
      continue;
    rows[i] = vary_cells (version_at (task, i), &changes[i]);
    widen (rows[i], widths);
    counts[!rsp_change_is_known (&changes[i])]++;
  }
  const RspRecord *own = task->records[0];
  g_string_append_printf (out, "Test %s, %s: %s", own->test, task->column->label,
                          rsp_change_observation (own));
  if (!rsp_record_is_undefined (own))
    g_string_append_printf (out, ", %u state%s", own->states->len,
                            own->states->len == 1 ? "" : "s");
  for (guint i = 0; i < own->flags->len; i++)
    g_string_append_printf (out, " %s", (const char *) own->flags->pdata[i]);
  g_string_append_printf (out, "; %u of %u changes matter", counts[0], n - 1);
  if (counts[1])
    g_string_append_printf (out, ", %u without an answer", counts[1]);
  g_string_append_c (out, '\n');
  if (counts[0] + counts[1])
    append_row (head, widths, out);
  for (guint unknown = 0; unknown < 2; unknown++)
    for (guint i = 1; i < n; i++)
      if (rows[i] && rsp_change_is_known (&changes[i]) == !unknown) {
        append_row (rows[i], widths, out);
        rsp_change_format_states (&changes[i], 6, out);
      }
  guint same = n - 1 - counts[0] - counts[1];
  if (same && same < n - 1)
    g_string_append_printf (out, "  %u other%s nothing.\n", same,
                            same == 1 ? " changes" : "s change");
  for (guint i = 1; i < n; i++) {
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

static gboolean report_vary_tsv (const EditsTask *task) {
  g_autoptr (GString) out = g_string_new (NULL);
  for (guint i = 1; i < task->n; i++) {
    const Version *version = version_at (task, i);
    const SynthSite *site = version->site;
    g_auto (RspChange) change = { 0 };
    rsp_change_init (&change, task->records[0], task->records[i]);
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

static gboolean report_vary_json (const EditsTask *task) {
  gboolean good = TRUE;
  for (guint i = 1; i < task->n && good; i++) {
    const Version *version = version_at (task, i);
    const SynthSite *site = version->site;
    RspJson *object = rsp_json_empty ();
    g_autofree char *text = version_text (task, version);
    g_auto (RspChange) change = { 0 };
    rsp_change_init (&change, task->records[0], task->records[i]);
    rsp_json_set_text (object, "question", "vary");
    rsp_json_set_text (object, "test", task->program->name);
    rsp_json_set_text (object, "path", task->path);
    rsp_json_set_text (object, "model", task->column->label);
    rsp_json_set (object, "line", rsp_json_number (site->line));
    rsp_json_set (object, "column", rsp_json_number (site->column));
    rsp_json_set_text (object, "operation", site->what);
    rsp_json_set_text (object, "as_it_is", site->levels[site->own].text);
    rsp_json_set_text (object, "instead", site->levels[version->level].text);
    cli_answer_set_change (object, &change);
    rsp_json_set_text (object, "source", text);
    good = edits_write_json (object);
  }
  return good;
}

/* ---- The run ---- */
static gboolean vary_test (gpointer data, const RspProgram *program, const char *path,
                           const CliColumn *column, const RspModel *model) {
  Vary vary = { .task = *(const EditsTask *) data,
                .sites = rsp_synth_sites_find (program, model, SYNTH_ANY),
                .versions = g_array_new (FALSE, TRUE, sizeof (Version)) };
  Version own = { NULL, 0, 0 };
  g_array_append_val (vary.versions, own);
  for (guint i = 0; i < vary.sites->len; i++) {
    const SynthSite *site = vary.sites->pdata[i];
    for (guint level = 0; level < site->n_levels; level++)
      if (level != site->own) {
        Version version = { site, i, level };
        g_array_append_val (vary.versions, version);
      }
  }
  vary.task.n = vary.versions->len;
  gboolean good = edits_answer_all (&vary.task, program, path, column, model);
  g_array_unref (vary.versions);
  g_ptr_array_unref (vary.sites);
  return good;
}

int edits_vary (CliOptions *options, RspDiagnostics *diagnostics) {
  EditsTask task = { .options = options,
                     .diagnostics = diagnostics,
                     .what = "changes",
                     .compares = TRUE,
                     .answer = answer_version,
                     .text = report_vary_text,
                     .tsv = report_vary_tsv,
                     .json = report_vary_json };
  const CliQuestion question
      = { .option = "vary",
          .tells_warnings = TRUE,
          .tsv_head = "model\ttest\tline\tcolumn\toperation\tas_it_is\tinstead\t"
                      "before\tafter\tgained\tlost\tflags\n",
          .answer = vary_test,
          .data = &task };
  return cli_ask_each (options, &question, diagnostics);
}
