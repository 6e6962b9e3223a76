/* The preprocessor of kernels in a page, which starts no other program: where the kernel's parser
 * starts `cpp`, MCPP is called, and its output is made to look like that of `cpp`. */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <mcpp_lib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int last_status; /* of the preprocessor, as an exit status */

GQuark g_spawn_error_quark (void) { return g_quark_from_static_string ("g-exec-error-quark"); }

static char *replaced (const char *text, const char *old, const char *by) {
  g_auto (GStrv) parts = g_strsplit (text, old, -1);
  return g_strjoinv (by, parts);
}

/* MCPP's words for the words of `cpp`; only the array is owned. */
static GPtrArray *translated (char **words) {
  GPtrArray *own = g_ptr_array_new ();
  g_ptr_array_add (own, words[0]);
  for (const char *const *word = (const char *const[]){ "-N", "-W0", "-k", "-V199901L", NULL };
       *word; word++)
    g_ptr_array_add (own, (gpointer) *word);
  for (char **word = words + 1; *word; word++)
    if (strcmp (*word, "-x") == 0)
      word++;
    else if (strcmp (*word, "-iquote") == 0)
      g_ptr_array_add (own, (gpointer) "-I");
    else if (strcmp (*word, "-undef") != 0 && strcmp (*word, "-w") != 0
             && !g_str_has_prefix (*word, "-f"))
      g_ptr_array_add (own, *word);
  return own;
}

/* An open file with MCPP's output: `# 3 "k.cl"` where that has `#line 3 "/run/k.cl"`. */
static int open_output (OUTDEST kind, const char *file, const char *given) {
  static const char name[] = "/tmp/preprocessed";
  const char *text = mcpp_get_mem_buffer (kind);
  g_autofree char *path = realpath (file, NULL),
                  *begun = g_strconcat ("\n", text ? text : "", NULL);
  g_autofree char *marked = replaced (begun, "\n#line ", "\n# "),
                  *named = replaced (marked, path ? path : file, given);
  int output = open (name, O_RDWR | O_CREAT | O_TRUNC, 0600);
  unlink (name);
  if (write (output, named + 1, strlen (named + 1)) < 0)
    last_status = EXIT_FAILURE;
  lseek (output, 0, SEEK_SET);
  return output;
}

/* The name of a file that is open without a folder is not one here: a copy that has one, or the
 * same name. */
static const char *with_folder (const char *file) {
  static const char copy[] = "/tmp/copied.cl";
  const char *number = strrchr (file, '/');
  if (!g_str_has_prefix (file, "/proc/self/fd/"))
    return file;
  const int open_file = atoi (number + 1);
  const off_t length = lseek (open_file, 0, SEEK_END);
  g_autofree char *text = g_malloc0 ((gsize) length + 1);
  lseek (open_file, 0, SEEK_SET);
  if (read (open_file, text, (gsize) length) == length)
    g_file_set_contents (copy, text, length, NULL);
  return copy;
}

/* Returns once it is over. */
gboolean g_spawn_async_with_pipes (const char *folder, char **words, char **environment,
                                   GSpawnFlags flags, GSpawnChildSetupFunc setup, gpointer data,
                                   GPid *child, int *in, int *out, int *err, GError **error) {
  (void) folder, (void) environment, (void) flags, (void) setup, (void) data, (void) in,
      (void) error;
  g_autoptr (GPtrArray) own = translated (words);
  const char *given = g_ptr_array_index (own, own->len - 1), *file = with_folder (given);
  g_ptr_array_index (own, own->len - 1) = (gpointer) file;
  g_setenv ("LC_ALL", "C", TRUE);
  mcpp_use_mem_buffers (1);
  last_status = mcpp_lib_main ((int) own->len, (char **) own->pdata) ? EXIT_FAILURE : EXIT_SUCCESS;
  *child = 1;
  *out = open_output (OUT, file, given);
  *err = open_output (ERR, file, given);
  return TRUE;
}

pid_t waitpid (pid_t child, int *status, int options) {
  (void) options;
  *status = last_status << 8;
  return child;
}
