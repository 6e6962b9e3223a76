/* A fuzz target without libFuzzer, for the ordinary build with sanitizers: runs it on stored
 * inputs, and on changed ones made from these with a seed, 1 by default.
 *
 *     replay-TARGET NUMBER CURRENT FOLDER [SEED]
 *
 * NUMBER inputs in all, at least those of FOLDER; CURRENT names the file that holds the input which
 * is being run, so that it is what a failure leaves behind. An input may take ten
 * minutes, as the machine may be busy with others. */
#include "tests/fuzz/common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  LONGEST = 8192, /* bytes of a changed input */
  SECONDS = 600
};

size_t LLVMFuzzerMutate (uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t most, unsigned int seed);

static GRand *random_bytes;
static const char *current;

/* What tests/fuzz/mutate.c asks for where it changes nothing itself: another byte in one place. */
size_t LLVMFuzzerMutate (uint8_t *data, size_t size, G_GNUC_UNUSED size_t most) {
  if (size > 0)
    data[g_rand_int_range (random_bytes, 0, (gint32) size)] = (uint8_t) g_rand_int (random_bytes);
  return size;
}

static void run (const uint8_t *data, gsize size) {
  unlink (current); /* or the end of a longer input would stay */
  if (!g_file_set_contents_full (current, (const char *) data, (gssize) size,
                                 G_FILE_SET_CONTENTS_NONE, 0600, NULL))
    abort ();
  alarm (SECONDS);
  LLVMFuzzerTestOneInput (data, size);
}

/* One to four changes of a stored input. */
static void run_changed (const GBytes *input) {
  uint8_t data[LONGEST];
  gsize size;
  const uint8_t *stored = g_bytes_get_data ((GBytes *) input, &size);
  size = MIN (size, sizeof data);
  memcpy (data, stored, size);
  for (gint32 changes = g_rand_int_range (random_bytes, 1, 5); changes > 0; changes--)
    size = LLVMFuzzerCustomMutator (data, size, sizeof data, g_rand_int (random_bytes));
  run (data, size);
}

static gint compare_names (gconstpointer a, gconstpointer b) {
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* The folder's files in the order of their names, as GBytes. */
static GPtrArray *read_inputs (const char *folder) {
  GPtrArray *inputs = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  for (const char *name; dir && (name = g_dir_read_name (dir));)
    g_ptr_array_add (names, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++) {
    char *data;
    gsize size;
    if (!g_file_get_contents (names->pdata[i], &data, &size, NULL))
      abort ();
    g_ptr_array_add (inputs, g_bytes_new_take (data, size));
  }
  return inputs;
}

int main (int n, char **arguments) {
  if (n < 4 || n > 5)
    return 2;
  current = arguments[2];
  random_bytes = g_rand_new_with_seed (n > 4 ? (guint32) strtoul (arguments[4], NULL, 10) : 1);
  g_autoptr (GPtrArray) inputs = read_inputs (arguments[3]);
  if (inputs->len == 0)
    return 2;
  for (guint i = 0; i < inputs->len; i++) {
    gsize size;
    const uint8_t *data = g_bytes_get_data (inputs->pdata[i], &size);
    run (data, size);
  }
  guint number = (guint) strtoul (arguments[1], NULL, 10);
  for (guint i = inputs->len; i < number; i++)
    run_changed (inputs->pdata[i % inputs->len]);
  printf ("%u executions\n", MAX (number, inputs->len));
  unlink (current);
  g_rand_free (random_bytes);
  return 0;
}
