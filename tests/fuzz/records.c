/* Files of earlier runs. The first byte selects how the rest is read: as a log of this or another
 * simulator, or as records of -json, which must be the same after they are written and read
 * again. */
#include "report/report.h"
#include "tests/fuzz/common.h"

#include <stdlib.h>

static void write_records (RspSource *source, GString *out) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (GArray) lines = fuzz_json_lines_new ();
  rsp_json_read (source, lines, NULL, diagnostics);
  for (guint i = 0; i < lines->len; i++)
    rsp_json_format (g_array_index (lines, RspJsonLine, i).record, out);
}

static void read_records (RspSource *source) {
  g_autoptr (GString) first = g_string_new (NULL);
  g_autoptr (GString) second = g_string_new (NULL);
  write_records (source, first);
  RspSource *written = rsp_source_new ("written", g_strndup (first->str, first->len), first->len);
  write_records (written, second);
  rsp_source_unref (written);
  if (!g_string_equal (first, second))
    abort ();
}

/* By its lines alone the test is the same. */
static void read_again (RspSource *source, const RspLogEntry *entry) {
  g_autoptr (GString) first = g_string_new (NULL), second = g_string_new (NULL);
  RspLogEntry *again = rsp_log_read_again (source, entry->first, entry->end, "log");
  rsp_log_format (entry->record, TRUE, first);
  rsp_json_format (entry->record, first);
  rsp_log_format (again->record, TRUE, second);
  rsp_json_format (again->record, second);
  rsp_log_entry_free (again);
  if (!g_string_equal (first, second))
    abort ();
}

static void read_log (RspSource *source) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (GPtrArray) entries = rsp_log_read (source, "log", diagnostics);
  for (guint i = 0; i < entries->len; i++)
    read_again (source, entries->pdata[i]);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  RspSource *source = size ? fuzz_source (data + 1, size - 1) : NULL;
  if (!source)
    return -1;
  if (*data % 2)
    read_records (source);
  else
    read_log (source);
  rsp_source_unref (source);
  return 0;
}
