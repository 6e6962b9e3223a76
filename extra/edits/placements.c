/* -placements: what a model says of a test at each placement of its threads in the scope tree. */
#include "api/api.h"
#include "base/json.h"
#include "cli/extra.h"
#include "cli/workers.h"
#include "model/model.h"
#include "extra/edits/command.h"
#include "extra/edits/edits.h"

#include <string.h>

enum { MOST_WAITING = 64 << 20 /* bytes of answers that wait for an earlier one */ };

typedef struct Run {
  const CliOptions *options;
  RspDiagnostics *diagnostics;
  const char *levels; /* -levels, or NULL */
} Run;

/* A test under a model. */
typedef struct Task {
  const Run *run;
  const RspProgram *program;
  const char *path;
  const RspModel *model;
  const CliColumn *column;
  const RspPlacements *placements;
  RspRecord **records; /* per placement; NULL: another one has its answer */
} Task;

static const RspPlacement *placement_at (const Task *task, guint i) {
  return &g_array_index (task->placements->all, RspPlacement, i);
}

static const RspRecord *record_at (const Task *task, guint i) {
  return task->records[placement_at (task, placement_at (task, i)->first)->same];
}

/* ---- Answers -------------------------------------------------------------------------------- */

static gboolean is_checked (const Task *task, guint i) {
  const RspPlacement *placement = placement_at (task, i);
  return placement->first == i && placement->same == i;
}

/* The first answer has the warnings, which are the same of all. */
static gpointer make (gpointer data, guint i) {
  const Task *task = data;
  EditsAnswer *answer = edits_answer_new ();
  if (is_checked (task, i))
    answer->record = edits_answer (placement_at (task, i)->program, task->path, task->model,
                                   task->column, FALSE, answer->diagnostics);
  if (i)
    rsp_diagnostics_drop (answer->diagnostics, RSP_WARNING);
  return answer;
}

static gpointer fail (gpointer data, guint i) {
  const Task *task = data;
  (void) i;
  return edits_answer_failed (task->program, task->path, task->column);
}

static gboolean take (gpointer data, guint i, gpointer result) {
  Task *task = data;
  EditsAnswer *answer = result;
  task->records[i] = g_steal_pointer (&answer->record);
  rsp_diagnostics_move (task->run->diagnostics, answer->diagnostics);
  edits_answer_free (answer);
  return TRUE;
}

static gsize size (gconstpointer result) {
  const EditsAnswer *answer = result;
  return answer->record ? rsp_record_size (answer->record) : 0;
}

static gboolean tick (gpointer data, const CliWorkView *view) {
  const Task *task = data;
  if (task->run->options->watch)
    cli_watch_search (task->run->options->watch, "%u of %u placements", view->done, view->n);
  return TRUE;
}

/* ---- The sentence --------------------------------------------------------------------------- */

static RspTruth no_flag (const RspRecord *record) {
  return !rsp_record_is_ok (record) ? RSP_OPEN : rsp_truth (!record->flags->len);
}

/* The condition's outcome, where the program is defined. */
static RspTruth is_allowed (const RspRecord *record) {
  return !rsp_record_is_ok (record) || rsp_record_is_undefined (record)
             ? RSP_OPEN
             : rsp_truth (record->observation != RSPCHECK_NEVER);
}

static RspTruth is_required (const RspRecord *record) {
  return is_allowed (record) == RSP_OPEN ? RSP_OPEN : rsp_truth (record->answer);
}

static char *describe (const Task *task, RspTruth (*truth_of) (const RspRecord *record),
                       const char *yes, const char *no) {
  const guint n = task->placements->all->len;
  g_autofree RspTruth *truth = g_new (RspTruth, n + 1);
  gboolean any = FALSE;
  for (guint i = 0; i < n; i++) {
    truth[i] = truth_of (record_at (task, i));
    any |= truth[i] != RSP_OPEN;
  }
  return any ? rsp_placements_describe (task->placements, truth, yes, no) : NULL;
}

/* The names of all flags that are raised somewhere: "data_race, undef"; races: are they all races?
 */
static char *list_flags (const Task *task, gboolean *races) {
  GString *text = g_string_new (NULL);
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  *races = TRUE;
  for (guint i = 0; i < task->placements->all->len; i++) {
    const GPtrArray *flags = record_at (task, i)->flags;
    for (guint k = 0; k < flags->len; k++)
      if (g_hash_table_add (known, flags->pdata[k])) {
        *races &= strstr (flags->pdata[k], "rac") != NULL;
        g_string_append_printf (text, "%s%s", text->len ? ", " : "", (char *) flags->pdata[k]);
      }
  }
  return g_string_free (text, FALSE);
}

/* "race-free wherever P0 and P1 share a work-group; racy otherwise. Its outcome is …". Newly
 * allocated. */
static char *sentence (const Task *task) {
  gboolean races, is_forall = task->program->quantifier == RSP_FORALL;
  g_autofree char *names = list_flags (task, &races);
  g_autofree char *raised = g_strdup_printf ("flagged (%s)", names);
  g_autofree char *flags = !*names
                               ? NULL
                               : describe (task, no_flag, races ? "race-free" : "without a flag",
                                           races ? "racy" : raised);
  g_autofree char *outcome = is_forall ? describe (task, is_required, "required", "not required")
                                       : describe (task, is_allowed, "allowed", "forbidden");
  GString *text = g_string_new (flags);
  guint unknown = 0, undefined = 0;
  for (guint i = 0; i < task->placements->all->len; i++) {
    unknown += placement_at (task, i)->first == i && !rsp_record_is_ok (record_at (task, i));
    undefined += rsp_record_is_undefined (record_at (task, i));
  }
  if (outcome && undefined && g_str_has_suffix (outcome, " in every placement"))
    *g_strrstr (outcome, " in every") = '\0';
  if (outcome)
    g_string_append_printf (text, "%s outcome is %s",
                            undefined   ? "; where it is defined, the"
                            : text->len ? "; the"
                                        : "the",
                            outcome);
  if (unknown)
    g_string_append_printf (text, "%s%u placement%s without an answer", text->len ? "; " : "",
                            unknown, unknown == 1 ? "" : "s");
  return g_string_free (text, FALSE);
}

/* ---- Groups --------------------------------------------------------------------------------- */

/* Do both have the same verdict, flags and, if they are defined, states? */
static gboolean is_same (const RspRecord *a, const RspRecord *b) {
  g_auto (RspChange) change = { 0 };
  rsp_change_init (&change, a, b);
  return a == b || rsp_change_is_none (&change)
         || (!rsp_record_is_ok (a) && g_strcmp0 (a->reason, b->reason) == 0);
}

/* The placements of one verdict, up to symmetry: lists of guint, in the order of their first. */
static GPtrArray *group (const Task *task) {
  GPtrArray *groups = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  for (guint i = 0; i < task->placements->all->len; i++) {
    guint g = 0;
    if (placement_at (task, i)->first != i)
      continue;
    while (g < groups->len
           && !is_same (record_at (task, g_array_index ((GArray *) groups->pdata[g], guint, 0)),
                        record_at (task, i)))
      g++;
    if (g == groups->len)
      g_ptr_array_add (groups, g_array_new (FALSE, FALSE, sizeof (guint)));
    g_array_append_val ((GArray *) groups->pdata[g], i);
  }
  return groups;
}

/* Is it the test's own placement, or that but for the names of exchangeable threads? */
static gboolean is_given (const Task *task, guint i) {
  for (guint k = i; k < task->placements->all->len; k++)
    if (placement_at (task, k)->is_own && placement_at (task, k)->first == i)
      return !task->program->all_placements;
  return FALSE;
}

static char *join_flags (const RspRecord *record) {
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < record->flags->len; i++)
    g_string_append_printf (text, "%s%s", i ? " " : "", (const char *) record->flags->pdata[i]);
  return g_string_free (text, FALSE);
}

/* ---- Reports -------------------------------------------------------------------------------- */

static gboolean report_text (const Task *task) {
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GPtrArray) groups = group (task);
  g_autofree char *words = sentence (task);
  const guint n = task->placements->n_first;
  g_string_append_printf (out, "Test %s, %s, %u placement%s: %s\n", task->program->name,
                          task->column->label, n, n == 1 ? "" : "s", words);
  for (guint g = 0; g < groups->len; g++) {
    const GArray *list = groups->pdata[g];
    const RspRecord *record = record_at (task, g_array_index (list, guint, 0));
    gboolean defined = rsp_record_is_ok (record) && !rsp_record_is_undefined (record);
    g_autofree char *flags = join_flags (record);
    g_string_append_printf (out, "  %s", rsp_change_observation (record));
    if (defined)
      g_string_append_printf (out, ", %u state%s", record->states->len,
                              record->states->len == 1 ? "" : "s");
    g_string_append_printf (out, "%s%s\n", *flags ? ", " : "", flags);
    for (guint i = 0; i < list->len; i++) {
      guint at = g_array_index (list, guint, i);
      g_autofree char *tree = rsp_program_format_scopes (placement_at (task, at)->program);
      g_string_append_printf (out, "    %s%s\n", tree, is_given (task, at) ? "  as given" : "");
    }
    for (guint i = 0; defined && groups->len > 1 && i < record->states->len; i++)
      g_string_append_printf (out, "      %s\n", rsp_record_state (record, i)->text);
  }
  g_string_append_c (out, '\n');
  return cli_write (out);
}

static gboolean report_tsv (const Task *task) {
  g_autoptr (GString) out = g_string_new (NULL);
  for (guint i = 0; i < task->placements->all->len; i++) {
    const RspRecord *record = record_at (task, i);
    if (placement_at (task, i)->first != i)
      continue;
    g_autofree char *flags = join_flags (record);
    g_autofree char *tree = rsp_program_format_scopes (placement_at (task, i)->program);
    g_string_append_printf (out, "%s\t%s\t%s\t%s\t%s\t%u\t%s\n", task->column->label,
                            task->program->name, tree, is_given (task, i) ? "given" : "-",
                            rsp_change_observation (record), record->states->len,
                            *flags ? flags : "-");
  }
  return cli_write (out);
}

/* Of a test that is undefined there, neither verdict nor states. */
static RspJson *group_node (const Task *task, const GArray *list) {
  const RspRecord *record = record_at (task, g_array_index (list, guint, 0));
  gboolean ok = rsp_record_is_ok (record), defined = ok && !rsp_record_is_undefined (record);
  RspJson *states = rsp_json_list (), *trees = rsp_json_list ();
  for (guint i = 0; defined && i < record->states->len; i++)
    rsp_json_add (states, rsp_json_text (rsp_record_state (record, i)->text));
  for (guint i = 0; i < list->len; i++) {
    g_autofree char *tree
        = rsp_program_format_scopes (placement_at (task, g_array_index (list, guint, i))->program);
    rsp_json_add (trees, rsp_json_text (tree));
  }
  return rsp_json_object (
      "observation", rsp_json_text (defined ? rsp_observation_names[record->observation] : NULL),
      "reason", rsp_json_text (ok ? NULL : record->reason), "loop", rsp_json_boolean (record->loop),
      "undefined", rsp_json_boolean (ok && !defined), "flags", rsp_json_texts (record->flags),
      "states", states, "placements", trees, NULL);
}

static gboolean report_json (const Task *task) {
  g_autoptr (GPtrArray) groups = group (task);
  g_autofree char *words = sentence (task);
  RspJson *list = rsp_json_list (), *levels = rsp_json_list ();
  for (guint level = RSP_N_LEVELS; level-- > 0;)
    if (task->placements->levels >> level & 1)
      rsp_json_add (levels, rsp_json_text (rsp_level_text (task->program, level)));
  for (guint g = 0; g < groups->len; g++)
    rsp_json_add (list, group_node (task, groups->pdata[g]));
  return edits_write_json (rsp_json_object (
      "question", rsp_json_text ("placements"), "test", rsp_json_text (task->program->name), "path",
      rsp_json_text (task->path), "model", rsp_json_text (task->column->label), "levels", levels,
      "sentence", rsp_json_text (words), "groups", list, NULL));
}

/* ---- The run -------------------------------------------------------------------------------- */

static gboolean answer_test (gpointer data, const RspProgram *program, const char *path,
                             const CliColumn *column, const RspModel *model) {
  const Run *run = data;
  g_autoptr (RspPlacements) placements
      = rsp_placements_new (program, model, &column->check, run->levels, 0, run->diagnostics);
  if (!placements)
    return FALSE;
  const guint n = placements->all->len;
  Task task = { .run = run,
                .program = program,
                .path = path,
                .model = model,
                .column = column,
                .placements = placements,
                .records = g_new0 (RspRecord *, n + 1) };
  const CliWork work = { .make = make,
                         .fail = fail,
                         .take = take,
                         .drop = edits_answer_free,
                         .size = size,
                         .most_waiting = MOST_WAITING,
                         .tick = tick,
                         .data = &task };
  guint jobs = run->options->jobs ? run->options->jobs : g_get_num_processors ();
  gboolean good = cli_workers_run (&work, jobs, n) == CLI_WORK_DONE
                  && (run->options->json  ? report_json (&task)
                      : run->options->tsv ? report_tsv (&task)
                                          : report_text (&task));
  for (guint i = 0; i < n; i++) {
    good = good && (!task.records[i] || rsp_record_is_ok (task.records[i]));
    rsp_record_free (task.records[i]);
  }
  g_free (task.records);
  return good;
}

static gboolean begin (gpointer data) {
  const CliOptions *options = ((const Run *) data)->options;
  g_autoptr (GString) out
      = g_string_new ("model\ttest\tplacement\tgiven\tverdict\tstates\tflags\n");
  return !options->tsv || options->json || cli_write (out);
}

int edits_placements (CliOptions *options, RspDiagnostics *diagnostics, const char *levels) {
  Run run = { .options = options, .diagnostics = diagnostics, .levels = levels };
  const CliQuestion question = { .option = "placements",
                                 .tells_warnings = TRUE,
                                 .begin = begin,
                                 .answer = answer_test,
                                 .data = &run };
  return cli_ask_each (options, &question, diagnostics);
}
