#include "hardware/run.h"
#include "base/names.h"
#include "hardware/target.h"

#include <gio/gio.h>
#include <signal.h>
#include <string.h>

/* ---- Commands ---- */

/* Adds the words of a variable of the environment, as a shell reads them but without one, or of
 * otherwise. */
static gboolean add_words (GPtrArray *words, const char *variable, const char *otherwise,
                           GError **error) {
  const char *text = variable ? g_getenv (variable) : NULL;
  g_auto (GStrv) found = NULL;
  text = text && *text ? text : otherwise;
  if (!*text)
    return TRUE;
  if (!g_shell_parse_argv (text, NULL, &found, error)) {
    g_prefix_error (error, "%s: ", variable);
    return FALSE;
  }
  for (guint i = 0; found[i]; i++)
    g_ptr_array_add (words, g_strdup (found[i]));
  return TRUE;
}

/* Compiler and flags; NULL after an error. */
static GPtrArray *compiler_words (const Build *build, GError **error) {
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  if (!add_words (words, build->variable, build->compiler, error)
      || !add_words (words, NULL, build->always, error)
      || !add_words (words, build->flags_variable, build->flags, error))
    return NULL;
  return g_steal_pointer (&words);
}

static GSubprocess *start (const char *folder, GPtrArray *words, GSubprocessFlags flags,
                           GError **error) {
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (flags);
  g_subprocess_launcher_set_cwd (launcher, folder);
  g_ptr_array_add (words, NULL);
  return g_subprocess_launcher_spawnv (launcher, (const char *const *) words->pdata, error);
}

/* Ends a process that is no longer needed, in a way that leaves no files. */
static void stop (GSubprocess *process) {
  g_subprocess_send_signal (process, SIGTERM); /* not SIGKILL: compilers have files to remove */
  g_subprocess_wait (process, NULL, NULL);
}

/* The first line that reports an error, or else the first. */
static char *telling_line (const char *text) {
  g_auto (GStrv) lines = g_strsplit (text ? text : "", "\n", -1);
  for (guint i = 0; lines[i]; i++)
    if (strstr (lines[i], "error") || strstr (lines[i], "undefined reference"))
      return g_strdup (lines[i]);
  return g_strdup (lines[0] ? lines[0] : "");
}

/* ---- Compiling ---- */

static GSubprocess *start_compiler (const Build *build, const char *folder, GPtrArray *words,
                                    GError **error) {
  g_autofree char *name = g_strdup (words->pdata[0]);
  GSubprocess *process = start (
      folder, words, G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE, error);
  if (!process) {
    g_clear_error (error);
    g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT, "cannot run the compiler `%s`: %s",
                 name, build->missing);
  }
  return process;
}

static gboolean await_compiler (GSubprocess *process, const char *what, GCancellable *cancellable,
                                GError **error) {
  g_autofree char *errors = NULL;
  if (!g_subprocess_communicate_utf8 (process, NULL, cancellable, NULL, &errors, error))
    return FALSE;
  if (g_subprocess_get_successful (process))
    return TRUE;
  g_autofree char *line = telling_line (errors);
  g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
               "the compiler failed on %s: %s (`-sources DIR` keeps the sources)", what, line);
  return FALSE;
}

static GSubprocess *compile_file (const Target *target, const char *folder, const char *file,
                                  GError **error) {
  g_autoptr (GPtrArray) words = compiler_words (&target->build, error);
  if (!words)
    return NULL;
  gsize stem = strlen (file) - strlen (target->extension);
  const char *const rest[] = { "-c", "-o", NULL, file };
  for (guint i = 0; i < G_N_ELEMENTS (rest); i++)
    g_ptr_array_add (words,
                     rest[i] ? g_strdup (rest[i]) : g_strdup_printf ("%.*so", (int) stem, file));
  return start_compiler (&target->build, folder, words, error);
}

/* Up to `jobs` at a time; the oldest is waited for. */
static gboolean compile_all (const Target *target, const char *folder, const GPtrArray *files,
                             guint jobs, GCancellable *cancellable, GError **error) {
  g_autoptr (GPtrArray) running = g_ptr_array_new_with_free_func (g_object_unref);
  gboolean good = TRUE;
  for (guint i = 0, done = 0; good && done < files->len;)
    if (i < files->len && i - done < MAX (jobs, 1)) {
      GSubprocess *process = compile_file (target, folder, files->pdata[i++], error);
      good = process != NULL;
      if (process)
        g_ptr_array_add (running, process);
    } else {
      good = await_compiler (running->pdata[done], files->pdata[done], cancellable, error);
      done++;
    }
  for (guint i = 0; !good && i < running->len; i++)
    stop (running->pdata[i]);
  return good;
}

static gboolean link_all (const Target *target, const char *folder, const GPtrArray *files,
                          GCancellable *cancellable, GError **error) {
  g_autoptr (GPtrArray) words = compiler_words (&target->build, error);
  if (!words)
    return FALSE;
  g_ptr_array_add (words, g_strdup ("-o"));
  g_ptr_array_add (words, g_strdup ("suite"));
  for (guint i = 0; i < files->len; i++) {
    const char *file = files->pdata[i];
    gsize stem = strlen (file) - strlen (target->extension);
    g_ptr_array_add (words, g_strdup_printf ("%.*so", (int) stem, file));
  }
  if (!add_words (words, NULL, target->build.libraries, error))
    return FALSE;
  g_autoptr (GSubprocess) process = start_compiler (&target->build, folder, words, error);
  if (process && await_compiler (process, "the program (linking)", cancellable, error))
    return TRUE;
  if (process)
    stop (process);
  return FALSE;
}

/* The names of the sources in a folder, sorted. */
static GPtrArray *find_sources (const Target *target, const char *folder, GError **error) {
  g_autoptr (GDir) directory = g_dir_open (folder, 0, error);
  g_autofree char *suffix = g_strconcat (".", target->extension, NULL);
  if (!directory)
    return NULL;
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);
  for (const char *name; (name = g_dir_read_name (directory));)
    if (g_str_has_suffix (name, suffix))
      g_ptr_array_add (files, g_strdup (name));
  g_ptr_array_sort (files, rsp_compare_names);
  return files;
}

gboolean rsp_hardware_build (RspTarget target, const char *folder, guint jobs,
                             GCancellable *cancellable, GError **error) {
  const Target *t = target_get (target);
  g_autoptr (GPtrArray) files = find_sources (t, folder, error);
  return files && compile_all (t, folder, files, jobs, cancellable, error)
         && link_all (t, folder, files, cancellable, error);
}

/* ---- Running ---- */

static GPtrArray *program_words (const char *folder, const RspDeviceRun *how) {
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);
  char seconds[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *absolute = g_canonicalize_filename (folder, NULL);
  g_ptr_array_add (words, g_build_filename (absolute, "suite", NULL));
  g_ptr_array_add (words, g_strdup ("--runs"));
  g_ptr_array_add (words, g_strdup_printf ("%" G_GUINT64_FORMAT, how->runs));
  g_ptr_array_add (words, g_strdup ("--seconds"));
  g_ptr_array_add (words, g_strdup (g_ascii_dtostr (seconds, sizeof seconds, how->seconds)));
  g_ptr_array_add (words, g_strdup ("--seed"));
  g_ptr_array_add (words, g_strdup_printf ("%" G_GUINT64_FORMAT, how->seed));
  return words;
}

static void set_failure (GSubprocess *process, const char *errors, GError **error) {
  g_autofree char *line = telling_line (errors);
  if (g_subprocess_get_if_signaled (process))
    g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
                 "the tests' program was ended by signal %d (%s)",
                 g_subprocess_get_term_sig (process),
                 g_strsignal (g_subprocess_get_term_sig (process)));
  else
    g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED, "%s",
                 *line ? line : "the tests' program failed");
}

char *rsp_hardware_run (const char *folder, const RspDeviceRun *how, GCancellable *cancellable,
                        GError **error) {
  g_autoptr (GPtrArray) words = program_words (folder, how);
  GSubprocessFlags flags = G_SUBPROCESS_FLAGS_STDOUT_PIPE;
  if (!how->progress)
    flags |= G_SUBPROCESS_FLAGS_STDERR_PIPE;
  g_autoptr (GSubprocess) process = start (folder, words, flags, error);
  g_autofree char *log = NULL, *errors = NULL;
  if (process && !g_subprocess_communicate_utf8 (process, NULL, cancellable, &log, &errors, error))
    stop (process);
  else if (process && !g_subprocess_get_successful (process))
    set_failure (process, errors, error);
  return log ? g_steal_pointer (&log) : g_strdup ("");
}
