/* A kernel: its first line has options of the command line, the rest is its text. It is checked on
 * a tiny grid by both engines, which may not find different things. */
#include "tests/fuzz/common.h"

#include <string.h>
#include <unistd.h>

enum { ALL_FOUND, FOUND_SOMETHING = 3 }; /* exit statuses of checks that came to an end */

static int check (const char *options, const char *path, const char *grid, const char *engine) {
  g_auto (GStrv) words = g_strsplit (options, " ", -1);
  const char *const own[] = { "-kernel", path, "-grid", grid, "-engine", engine, NULL };
  return fuzz_run (words, own);
}

static gboolean is_whole (int status) { return status == ALL_FOUND || status == FOUND_SOMETHING; }

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  static const char *const grids[] = { "1x2", "2x1", "1x1x2", "1x1" };
  const uint8_t *text = size ? memchr (data, '\n', size) : NULL;
  if (!text || memchr (data, '\0', size))
    return -1;
  int file;
  g_autofree char *options = g_strndup ((const char *) data, (gsize) (text - data));
  g_autofree char *path = fuzz_file_open (text, size - (size_t) (text - data), &file);
  const char *grid = grids[size % G_N_ELEMENTS (grids)];
  int bounded = check (options, path, grid, "bounded");
  int naive = is_whole (bounded) ? check (options, path, grid, "naive") : bounded;
  close (file);
  if (is_whole (naive) && naive != bounded)
    g_error ("the engines differ on %s: %d, %d", grid, bounded, naive);
  return 0;
}
