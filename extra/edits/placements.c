/* -placements: what a model says of a test at each placement of its threads in the scope tree. */
#include "api/api.h"
#include "base/json.h"
#include "cli/extra.h"
#include "model/model.h"
#include "extra/edits/command.h"
#include "extra/edits/edits.h"

#include <string.h>

typedef struct Task {
  EditsTask base;     /* whose versions are the placements */
  const char *levels; /* -levels, or NULL */
  const RspPlacements *placements;
} Task;

static const RspPlacement *placement_at (const Task *task, guint i) {
  return &g_array_index (task->placements->all, RspPlacement, i);
}

static const RspRecord *record_at (const Task *task, guint i) {
  return task->base.records[placement_at (task, placement_at (task, i)->first)->same];
}

/* ---- Answers -------------------------------------------------------------------------------- */

static RspRecord *answer_placement (const EditsTask *base, guint i, RspDiagnostics *diagnostics) {
  const RspPlacement *placement = placement_at ((const Task *) base, i);
  return placement->first == i && placement->same == i ? edits_answer (
             placement->program, base->path, base->model, base->column, FALSE, diagnostics)
                                                       : NULL;
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
        *races &= rsp_flag_is_race (flags->pdata[k]);
        g_string_append_printf (text, "%s%s", text->len ? ", " : "", (char *) flags->pdata[k]);
      }
  }
  return g_string_free (text, FALSE);
}

/* "race-free wherever P0 and P1 share a work-group; racy otherwise. Its outcome is …". Newly
 * allocated. */
static char *sentence (const Task *task) {
  gboolean races, is_forall = task->base.program->quantifier == RSP_FORALL;
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
      return !task->base.program->all_placements;
  return FALSE;
}

static char *join_flags (const RspRecord *record) {
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < record->flags->len; i++)
    g_string_append_printf (text, "%s%s", i ? " " : "", (const char *) record->flags->pdata[i]);
  return g_string_free (text, FALSE);
}

/* ---- Reports -------------------------------------------------------------------------------- */

static gboolean report_text (const EditsTask *base) {
  const Task *task = (const Task *) base;
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GPtrArray) groups = group (task);
  g_autofree char *words = sentence (task);
  const guint n = task->placements->n_first;
  g_string_append_printf (out, "Test %s, %s, %u placement%s: %s\n", task->base.program->name,
                          task->base.column->label, n, n == 1 ? "" : "s", words);
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

static gboolean report_tsv (const EditsTask *base) {
  const Task *task = (const Task *) base;
  g_autoptr (GString) out = g_string_new (NULL);
  for (guint i = 0; i < task->placements->all->len; i++) {
    const RspRecord *record = record_at (task, i);
    if (placement_at (task, i)->first != i)
      continue;
    g_autofree char *flags = join_flags (record);
    g_autofree char *tree = rsp_program_format_scopes (placement_at (task, i)->program);
    g_string_append_printf (out, "%s\t%s\t%s\t%s\t%s\t%u\t%s\n", task->base.column->label,
                            task->base.program->name, tree, is_given (task, i) ? "given" : "-",
                            rsp_change_observation (record), record->states->len,
                            *flags ? flags : "-");
  }
  return cli_write (out);
}

/* Without verdict and states if the test is undefined there. */
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

static gboolean report_json (const EditsTask *base) {
  const Task *task = (const Task *) base;
  g_autoptr (GPtrArray) groups = group (task);
  g_autofree char *words = sentence (task);
  RspJson *list = rsp_json_list (), *levels = rsp_json_list ();
  for (guint level = RSP_N_LEVELS; level-- > 0;)
    if (task->placements->levels >> level & 1)
      rsp_json_add (levels, rsp_json_text (rsp_level_text (task->base.program, level)));
  for (guint g = 0; g < groups->len; g++)
    rsp_json_add (list, group_node (task, groups->pdata[g]));
  return edits_write_json (rsp_json_object (
      "question", rsp_json_text ("placements"), "test", rsp_json_text (task->base.program->name),
      "path", rsp_json_text (task->base.path), "model", rsp_json_text (task->base.column->label),
      "levels", levels, "sentence", rsp_json_text (words), "groups", list, NULL));
}

/* ---- The run -------------------------------------------------------------------------------- */

static gboolean answer_test (gpointer data, const RspProgram *program, const char *path,
                             const CliColumn *column, const RspModel *model) {
  Task task = *(const Task *) data;
  g_autoptr (RspPlacements) placements
      = rsp_placements_new (program, model, &column->check, task.levels, 0, task.base.diagnostics);
  if (!placements)
    return FALSE;
  task.placements = placements;
  task.base.n = placements->all->len;
  return edits_answer_all (&task.base, program, path, column, model);
}

int edits_placements (CliOptions *options, RspDiagnostics *diagnostics, const char *levels) {
  Task task = { .base = { .options = options,
                          .diagnostics = diagnostics,
                          .what = "placements",
                          .answer = answer_placement,
                          .text = report_text,
                          .tsv = report_tsv,
                          .json = report_json },
                .levels = levels };
  const CliQuestion question
      = { .option = "placements",
          .tells_warnings = TRUE,
          .tsv_head = "model\ttest\tplacement\tgiven\tverdict\tstates\tflags\n",
          .answer = answer_test,
          .data = &task };
  return cli_ask_each (options, &question, diagnostics);
}
