#include "cli/run/notes.h"
#include "report/evidence.h"

static void report_prunings (CliCell *cell) {
  g_autoptr (GString) text = g_string_new ("pruned by:");
  const GArray *prunings = cell->record->prunings;
  for (guint i = 0; i < prunings->len; i++) {
    const RspPruning *pruning = &g_array_index (prunings, RspPruning, i);
    g_string_append_printf (text, "%s %s %" G_GUINT64_FORMAT, i ? "," : "", pruning->name,
                            pruning->n);
    if (pruning->forced)
      g_string_append_printf (text, " (forced %" G_GUINT64_FORMAT ")", pruning->forced);
  }
  if (prunings->len)
    rsp_note (cell->diagnostics, RSP_NOWHERE, "%s", text->str);
}

static void note_statistics (CliCell *cell, const RspModel *model) {
  const RspStatistics *s = &cell->record->statistics;
  rsp_note (cell->diagnostics, RSP_NOWHERE, "test %s, model %s (%s, sha256 %s)", cell->record->test,
            model->name, model->path, model->digest);
  rsp_note (cell->diagnostics, RSP_NOWHERE,
            "%" G_GUINT64_FORMAT " paths, %" G_GUINT64_FORMAT " pre-executions, %" G_GUINT64_FORMAT
            " nodes, %" G_GUINT64_FORMAT " pruned branches, %" G_GUINT64_FORMAT
            " leaves, %" G_GUINT64_FORMAT " found in the memo, %" G_GUINT64_FORMAT
            " forced pairs; paths %.3f s, staging %.3f s, search %.3f s",
            s->paths, s->pre_executions, s->nodes, s->prunings, s->leaves, s->memo_hits, s->forced,
            s->seconds_paths, s->seconds_stage, s->seconds_search);
  report_prunings (cell);
}

static void note_evidence (CliCell *cell) {
  const RspRecord *record = cell->record;
  for (guint i = 0; i < record->flags->len; i++) {
    g_autoptr (GString) text = g_string_new (NULL);
    rsp_record_format_evidence (record, record->flags->pdata[i], text);
    if (text->len)
      rsp_note (cell->diagnostics, RSP_NOWHERE, "test %s, model %s: %s%s", record->test,
                record->model, (const char *) record->flags->pdata[i], text->str);
  }
}

static void note_journal (CliCell *cell, const GString *journal) {
  g_auto (GStrv) lines = g_strsplit (journal->str, "\n", -1);
  for (guint i = 0; lines[i] && *lines[i]; i++)
    rsp_note (cell->diagnostics, RSP_NOWHERE, "%s", lines[i]);
}

void cli_note_search (CliCell *cell, const RspModel *model, const GString *journal) {
  if (journal)
    note_journal (cell, journal);
  note_statistics (cell, model);
  note_evidence (cell);
}
