/* Tables are tried by cost. A program that breaks one is a test for those after it; a table that
 * passes these is searched for programs that break it, smaller ones first. */
#include "cli/synth/cheapest.h"
#include "base/json.h"
#include "cli/base/status.h"
#include "cli/base/stream.h"
#include "synth/tables.h"

typedef struct Cheapest {
  Run *run;
  const RspStageOptions *stage;
  SynthTables *tables;
  GPtrArray *tests; /* of char *: texts, with an outcome that the source forbids */
  guint64 tried, least;
  guint n_right;
} Cheapest;

/* ---- Output ---- */

static void append_row (gpointer user, const char *head, const char *instructions) {
  g_string_append_printf (user, "  %s : %s\n", head, instructions);
}

static void add_row (gpointer user, const char *head, const char *instructions) {
  rsp_json_set_text (user, head, instructions);
}

static void report_table (const Cheapest *cheapest, GString *out) {
  guint64 cost = rsp_synth_tables_cost (cheapest->tables);
  if (!cheapest->run->options->json) {
    g_string_append_printf (out, "Cost %" G_GUINT64_FORMAT "\n", cost);
    rsp_synth_tables_each_row (cheapest->tables, append_row, out);
    return;
  }
  JsonObject *object = json_object_new (), *rows = json_object_new ();
  rsp_synth_tables_each_row (cheapest->tables, add_row, rows);
  rsp_json_set_text (object, "question", "cheapest");
  json_object_set_int_member (object, "cost", (gint64) cost);
  json_object_set_object_member (object, "rows", rows);
  rsp_json_append_object (object, out);
}

static void report_proof (const Cheapest *cheapest, GString *out) {
  g_autofree char *space = rsp_synth_space_describe (&cheapest->run->space);
  if (!cheapest->n_right)
    g_string_append (out, "No table is right\n");
  g_string_append_printf (
      out, "%" G_GUINT64_FORMAT " of %.0f tables tried, %u program%s refuted the others\n",
      cheapest->tried, rsp_synth_tables_count (cheapest->tables), cheapest->tests->len,
      cheapest->tests->len == 1 ? "" : "s");
  if (cheapest->n_right)
    g_string_append_printf (out, "No program breaks %s: %s\n",
                            cheapest->n_right == 1 ? "this one" : "these", space);
}

/* ---- One table ---- */

/* Does a program that broke another table break this one? */
static gboolean is_refuted (const Cheapest *cheapest) {
  Run *run = cheapest->run;
  gboolean breaks = FALSE;
  for (guint i = 0; i < cheapest->tests->len && !breaks; i++)
    if (!rsp_synth_target_allows (&run->target, cheapest->tests->pdata[i], RSPCHECK_ENGINE_BOUNDED,
                                  &breaks, run->diagnostics))
      return TRUE;
  return breaks;
}

/* Keeps the program that was found. */
static gboolean take_test (Cheapest *cheapest) {
  Run *run = cheapest->run;
  g_autoptr (SynthResult) result = rsp_synth_result_new (
      run->question, run->search.found->pdata[0], run->space.opencl, run->models, run->labels,
      run->n_models, cheapest->stage, &run->target, run->diagnostics);
  if (!result)
    return FALSE;
  g_ptr_array_add (cheapest->tests, g_strdup (result->text));
  return !run->options->logs || synth_run_write (run, result->name, result->text);
}

/* *right: is there no program that breaks the current table? FALSE if that is not known. */
static gboolean judge (Cheapest *cheapest, gboolean *right) {
  Run *run = cheapest->run;
  run->target.map = rsp_synth_tables_map (cheapest->tables);
  g_autoptr (RspTranslation) translation
      = run->target.machine ? NULL : rsp_translation_new (run->target.map, run->diagnostics);
  run->target.translation = translation;
  *right = FALSE;
  cheapest->tried++;
  if (is_refuted (cheapest))
    return rsp_diagnostics_count_errors (run->diagnostics) == 0;
  gboolean good = synth_run_search (run, cheapest->stage) && run->search.complete;
  *right = good && !run->search.found->len;
  good = good && (*right || take_test (cheapest));
  synth_run_report_incomplete (run);
  rsp_synth_search_clear (&run->search);
  run->search.found = NULL;
  run->search.sizes = NULL;
  return good;
}

static gboolean try_all (Cheapest *cheapest) {
  while (rsp_synth_tables_next (cheapest->tables)
         && (!cheapest->n_right || rsp_synth_tables_cost (cheapest->tables) == cheapest->least)) {
    g_autoptr (GString) out = g_string_new (NULL);
    gboolean right;
    if (!judge (cheapest, &right))
      return FALSE;
    if (!right)
      continue;
    cheapest->n_right++;
    cheapest->least = rsp_synth_tables_cost (cheapest->tables);
    report_table (cheapest, out);
    if (!cli_write (out))
      return FALSE;
  }
  return TRUE;
}

int cli_cheapest_run (Run *run, const RspStageOptions *stage) {
  g_autoptr (SynthTables) tables
      = rsp_synth_tables_new (run->mapping->maps->pdata[0], run->target.machine, run->diagnostics);
  if (!tables)
    return CLI_STATUS_USAGE;
  if (!cli_make_folder (run->options->logs))
    return CLI_STATUS_UNFINISHED;
  Cheapest cheapest = { .run = run, .stage = stage, .tables = tables };
  g_autoptr (GPtrArray) tests = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) out = g_string_new (NULL);
  cheapest.tests = tests;
  run->target.first = TRUE;
  gboolean good = try_all (&cheapest);
  run->target.translation = NULL;
  if (good && !run->options->json)
    report_proof (&cheapest, out);
  return cli_write (out) && good ? CLI_STATUS_OK : CLI_STATUS_UNFINISHED;
}
