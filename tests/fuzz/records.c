/* What is read besides tests and models: the first byte says as what the rest is read, a log of
 * another simulator or a record of -json. */
#include "report/json/json_read.h"
#include "report/log/read_log.h"
#include "tests/fuzz/common.h"

static void
free_record (gpointer data)
{
  rsp_record_free (((RspJsonLine *) data)->record);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  RspSource *source = size ? fuzz_source (data + 1, size - 1) : NULL;
  if (!source)
    return -1;
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  if (*data % 2)
    {
      g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (RspJsonLine));
      g_array_set_clear_func (lines, free_record);
      rsp_json_read (source, lines, NULL, diagnostics);
    }
  else
    g_ptr_array_unref (rsp_log_read (source, "log", diagnostics));
  rsp_source_unref (source);
  return 0;
}
