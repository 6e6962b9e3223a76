/* A command line, one argument per line: read, and run on a test or a kernel if that can do no
 * harm.
 */
#include "cli/options.h"
#include "tests/fuzz/common.h"

#include <string.h>
#include <unistd.h>

static const char test[] = "OpenCL MP\n{ [x]=0; [y]=0; }\n"
                           "P0 (global int* x, global atomic_int* y) { *x = 1;\n"
                           "  atomic_store_explicit (y, 1, memory_order_release); }\n"
                           "P1 (global int* x, global atomic_int* y) {\n"
                           "  int r0 = atomic_load_explicit (y, memory_order_relaxed);\n"
                           "  int r1 = *x; }\nexists (1:r0=1 /\\ 1:r1=0)\n";
static const char kernel[] = "kernel void k (global int *x, local int *y) {\n"
                             "  int i = get_local_id (0); y[i] = x[0]; x[i] = 1;\n"
                             "  barrier (CLK_LOCAL_MEM_FENCE); if (y[1 - i] > i) x[2] = i; }\n";

static void run (char **arguments) {
  int files[2];
  g_autofree char *first = fuzz_file_open ((const uint8_t *) test, strlen (test), &files[0]),
                  *second = fuzz_file_open ((const uint8_t *) kernel, strlen (kernel), &files[1]);
  fuzz_run (arguments, (const char *const[]){ first, NULL });
  fuzz_run (arguments, (const char *const[]){ "-kernel", second, "-grid", "1x2", NULL });
  close (files[0]);
  close (files[1]);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  RspSource *source = fuzz_source (data, size);
  if (!source)
    return -1;
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (CliOptions) options = cli_options_new ();
  g_auto (GStrv) arguments = g_strsplit (source->text, "\n", -1);
  gboolean accepted
      = cli_options_parse (options, (int) g_strv_length (arguments), arguments, diagnostics);
  fuzz_require_reason (accepted, diagnostics);
  if (accepted)
    run (arguments);
  rsp_source_unref (source);
  return 0;
}
