#include "cli/select/share.h"
#include "parser/dsom/parse.h"
#include "parser/litmus/parse.h"

static gboolean is_selected (const char *path, const CliOptions *options, CliSelection *selection) {
  if (g_str_equal (path, "-")) /* can be read only once, so its name is not known before */
    return TRUE;
  g_autoptr (RspSource) source = rsp_source_read (path, NULL);
  if (!source)
    return TRUE;
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  gboolean is_dsom = rsp_dsom_recognises (source);
  g_autoptr (RspDsomProgram) commands = is_dsom ? rsp_dsom_parse (source, unheard) : NULL;
  g_autoptr (RspProgram) program
      = is_dsom ? NULL : rsp_litmus_parse (source, options->strict > 0, unheard);
  const char *name = commands ? commands->name : program ? program->name : NULL;
  return !name || cli_selection_includes (selection, name);
}

void cli_share_filter (GPtrArray *paths, const CliOptions *options, CliSelection *selection) {
  if (options->names->len == 0)
    return;
  for (guint i = paths->len; i-- > 0;)
    if (!is_selected (paths->pdata[i], options, selection))
      g_ptr_array_remove_index (paths, i);
}

/* An arbitrary number for a row, the same everywhere (a step of the splitmix64 generator). */
static guint64 mix (guint64 row) {
  row = (row + 1) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  row = (row ^ (row >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  row = (row ^ (row >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return row ^ (row >> 31);
}

/* Each share gets one of every N consecutive tests, so that tests of one family, which are
 * neighbours and take about the same time, are spread over all shares. Each group of N begins with
 * another share; otherwise a family in which every N-th member is slow would end up in a single
 * share. */
guint cli_share_of (guint index, guint of) {
  return (guint) ((index % of + mix (index / of) % of) % of) + 1;
}

GArray *cli_share_take (CliShard shard, guint n) {
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < n; i++)
    if (!shard.of || cli_share_of (i, shard.of) == shard.number)
      g_array_append_val (numbers, i);
  return numbers;
}
