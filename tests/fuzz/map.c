/* A mapping: read, and a test run with it on each machine that comes with the program; or a
 * machine, on which mappings are run. Whatever they are, the machine must end or reach a limit. A
 * mapping to another language is decoded. */
#include "extra/machine/caches.h"
#include "extra/machine/explore.h"
#include "parser/map/map.h"
#include "parser/translation.h"
#include "tests/fuzz/common.h"

#include <string.h>
#include <unistd.h>

static const char test[]
    = "OpenCL MP\n{ [x]=0; [y]=0; }\n"
      "P0 (global atomic_int* x, global atomic_int* y) {\n"
      "  atomic_store_explicit (x, 1, memory_order_relaxed, memory_scope_work_group);\n"
      "  atomic_work_item_fence (CLK_GLOBAL_MEM_FENCE, memory_order_release, "
      "memory_scope_device);\n"
      "  atomic_fetch_add_explicit (y, 1, memory_order_seq_cst, memory_scope_work_group); }\n"
      "P1 (global atomic_int* x, global atomic_int* y) {\n"
      "  int r0 = atomic_load_explicit_remote (y, memory_order_acquire, memory_scope_device);\n"
      "  int r1 = atomic_load_explicit (x, memory_order_relaxed, memory_scope_device); }\n"
      "scopeTree (device (work_group P0) (work_group P1))\nexists (1:r0=1 /\\ 1:r1=0)\n";

static const RspProgram *fixed_test (void) {
  static RspProgram *program;
  if (!program) {
    RspSource *source = fuzz_source ((const uint8_t *) test, strlen (test));
    program = fuzz_program (source);
    rsp_source_unref (source);
  }
  return program;
}

static void explore (const RspMachine *machine, const RspMap *map) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspExploreOptions options = { .machine = machine, .map = map, .max_states = 2000, .unroll = 2 };
  options.max_memory = 64 << 20;
  g_autoptr (RspExploration) run = rsp_exploration_new (fixed_test (), &options, diagnostics);
  fuzz_require_reason (run->outcome->stop != RSPCHECK_STOP_ERROR, diagnostics);
}

static const char *const machines[]
    = { "sc", "rsp", "hrf0", "hrf0-split", "relaxed", "amd", "amd-split" };
static const char *const mappings[] = { "sc", "revised", "orr", "hrf0", "gfx942" };

/* The path of a file that comes with the program. */
static char *shipped (const char *name, const char *suffix) {
  g_auto (GStrv) folders = rsp_directories ("machine", NULL, NULL);
  return rsp_find_file (name, NULL, (const char *const *) folders, suffix);
}

static void run_machine (const RspMachine *machine) {
  for (guint i = 0; i < G_N_ELEMENTS (mappings); i++) {
    g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
    g_autofree char *path = shipped (mappings[i], ".map");
    g_autoptr (RspMap) map = path ? rsp_map_load (path, NULL, unread) : NULL;
    if (map)
      explore (machine, map);
  }
}

static void run_mapping (const RspMap *map) {
  for (guint i = 0; i < G_N_ELEMENTS (machines); i++) {
    g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
    g_autofree char *path = shipped (machines[i], ".machine");
    g_autoptr (RspMachine) machine = path ? rsp_machine_load (path, NULL, unread) : NULL;
    if (machine)
      explore (machine, map);
  }
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  int file;
  g_autofree char *path = fuzz_file_open (data, size, &file);
  g_autoptr (RspMachine) machine = rsp_machine_load (path, NULL, unread);
  g_autoptr (RspMap) map = machine ? NULL : rsp_map_load (path, NULL, diagnostics);
  close (file);
  if (machine)
    run_machine (machine);
  else
    fuzz_require_reason (map != NULL, diagnostics);
  if (map && map->target) {
    g_autoptr (RspTranslation) translation = rsp_translation_new (map, diagnostics);
    fuzz_require_reason (translation != NULL, diagnostics);
  } else if (map)
    run_mapping (map);
  return 0;
}
