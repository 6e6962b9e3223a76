/* -serve: the workbench's server, and checks in processes of their own. */
#include "api/api.h"
#include "base/base.h"
#include "base/json.h"
#include "cli/gio.h"
#include "cli/lazy.h"
#include "extra/serve/command.h"

#include <glib-unix.h>
#include <glib/gstdio.h>
#include <libsoup/soup.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/* Checks that the page asks for. Each is a process of its own in a folder of its own, confined
 * (-confined), with limits of time and memory. As many run at a time as there are cores; the others
 * wait. */

typedef struct ServeChecks ServeChecks;

/* What a check tells its client: "waiting", how many wait before it; "running"; "watched", the last
 * line of a file that it appends to; and in the end "answer", { status, out, error, wanted }, or
 * null if it was stopped. Takes `what`; NULL only asks. FALSE: the client has not read the event
 * before, so that this is for later; whatever it returns for the answer. */
typedef gboolean (*ServeTell) (gpointer data, const char *event, RspJson *what);

typedef struct ServeSite {
  char *token, *host; /* host: "127.0.0.1:8080" */
  char *policy;       /* Content-Security-Policy */
  const char *page;
  char *texts; /* JSON, see serve_texts */
  ServeChecks *checks;
  gboolean may_write;
  SoupServer *server;
  GSocket *listening;
  GQueue clients; /* of ServeClient, the oldest first, but for those that end; not owned */
  gsize held;     /* bytes in memory for all clients */
} ServeSite;

/* ---- libsoup -------------------------------------------------------------------------------- */

/* The functions that are called; loaded when a server starts. */
#define FUNCTIONS(USE)                                                                             \
  USE (message_body_append)                                                                        \
  USE (message_body_complete)                                                                      \
  USE (message_body_flatten)                                                                       \
  USE (message_body_set_accumulate)                                                                \
  USE (message_headers_append)                                                                     \
  USE (message_headers_get_content_length)                                                         \
  USE (message_headers_get_one)                                                                    \
  USE (message_headers_set_content_type)                                                           \
  USE (message_headers_set_encoding)                                                               \
  USE (server_accept_iostream)                                                                     \
  USE (server_add_early_handler)                                                                   \
  USE (server_add_handler)                                                                         \
  USE (server_disconnect)                                                                          \
  USE (server_get_type)                                                                            \
  USE (server_message_get_method)                                                                  \
  USE (server_message_get_remote_address)                                                          \
  USE (server_message_get_request_body)                                                            \
  USE (server_message_get_request_headers)                                                         \
  USE (server_message_get_response_body)                                                           \
  USE (server_message_get_response_headers)                                                        \
  USE (server_message_set_response)                                                                \
  USE (server_message_set_status)                                                                  \
  USE (server_message_unpause)

static struct {
#define POINTER(name) __typeof__ (soup_##name) *name;
  FUNCTIONS (POINTER)
#undef POINTER
} soup;

static gboolean load_soup (GError **error) {
#define LOAD(name)                                                                                 \
  if (!(soup.name = cli_lazy_find (CLI_LIBRARY_SOUP, "soup_" #name, error)))                       \
    return FALSE;
  FUNCTIONS (LOAD)
#undef LOAD
  return cli_load_gio (error);
}

/* ---- Save ----------------------------------------------------------------------------------- */

/* Saving what is in the editor (-write). */

/* Is the path's folder the current one or below it, with links resolved? */
static gboolean is_below (const char *path) {
  g_autofree char *folder = g_path_get_dirname (path);
  char *here = realpath (".", NULL), *there = realpath (folder, NULL);
  gsize length = here ? strlen (here) : 0;
  gboolean found = here && there && strncmp (there, here, length) == 0
                   && (there[length] == '\0' || there[length] == '/' || length == 1);
  free (here);
  free (there);
  return found;
}

/* Writes { name, text } below the current folder. Returns why it cannot, newly allocated, or NULL.
 */
static char *serve_save (RspJson *request) {
  static const char *const suffixes[] = { ".litmus", ".cat", ".map", ".machine", ".cl" };
  const char *name = rsp_json_as_text (rsp_json_get (request, "name", NULL)),
             *text = rsp_json_as_text (rsp_json_get (request, "text", NULL));
  gboolean is_ours = FALSE;
  for (gsize i = 0; name && i < G_N_ELEMENTS (suffixes); i++)
    is_ours |= g_str_has_suffix (name, suffixes[i]);
  if (!is_ours || !text)
    return g_strdup ("only tests, models, mappings, machines and kernels are saved");
  if (g_path_is_absolute (name) || !is_below (name) || g_file_test (name, G_FILE_TEST_IS_SYMLINK))
    return g_strdup ("that is outside the folder of the server");
  g_autoptr (GError) error = NULL;
  g_file_set_contents (name, text, -1, &error);
  return error ? g_strdup (error->message) : NULL;
}

/* ---- Texts ---------------------------------------------------------------------------------- */

/* The page's initial data, as JSON: installed models, mappings and tests, and the tests given. */

/* Adds the text at a path, if it can be read. */
static gboolean add_text (RspJson *texts, const char *name, const char *path,
                          RspDiagnostics *diagnostics) {
  g_autoptr (GError) error = NULL;
  RspSource *source = rsp_source_read (path, &error);
  if (source && g_utf8_validate (source->text, (gssize) source->length, NULL))
    rsp_json_set_text (texts, name, source->text);
  else
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s",
               error ? error->message : "a test is not UTF-8");
  rsp_source_unref (source);
  return rsp_json_get (texts, name, NULL) != NULL;
}

/* Adds the files of a folder with this suffix, under `name` and a slash, unless they are there. */
static void add_folder (RspJson *texts, const char *name, const char *folder, const char *suffix,
                        RspDiagnostics *unread) {
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  for (const char *file; files && (file = g_dir_read_name (files));) {
    g_autofree char *path = g_build_filename (folder, file, NULL),
                    *key = g_strconcat (name, "/", file, NULL);
    if (g_str_has_suffix (file, suffix) && !rsp_json_get (texts, key, NULL))
      add_text (texts, key, path, unread);
  }
}

static void add_installed (RspJson *texts, const char *name, const char *suffix,
                           RspDiagnostics *unread) {
  g_auto (GStrv) folders = rsp_directories (name, NULL, NULL);
  for (guint i = 0; folders[i]; i++)
    add_folder (texts, name, folders[i], suffix, unread);
}

/* The path of a user's model: as given, or in a folder of -I. Newly allocated; NULL if it is in
 * neither. */
static char *find_model (const CliOptions *options, const char *given) {
  const char *options_of = strstr (given, " -"); /* `-model "M.cat -variant V"` */
  g_autofree char *file
      = g_strndup (given, options_of ? (gsize) (options_of - given) : strlen (given));
  char *path = g_strdup (file);
  for (guint i = 0; path && !g_file_test (path, G_FILE_TEST_EXISTS); i++) {
    g_free (path);
    path = i < options->directories->len
               ? g_build_filename (options->directories->pdata[i], file, NULL)
               : NULL;
  }
  return path;
}

static char *with_suffix (const char *name, const char *suffix) {
  return g_strconcat (name, g_str_has_suffix (name, suffix) ? "" : suffix, NULL);
}

/* The files of the machine and the mappings that the options name (of char *); some may be those
 * that come with the program. */
static GPtrArray *given_machines (const CliOptions *options) {
  const CliOption *mapping = cli_option_find ("mapping");
  const char *machine = cli_option_text (options, "machine");
  const GPtrArray *maps
      = mapping ? *(GPtrArray *const *) cli_option_field (options, mapping) : NULL;
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);
  if (machine)
    g_ptr_array_add (files, with_suffix (machine, ".machine"));
  for (guint i = 0; maps && i < maps->len; i++)
    g_ptr_array_add (files, with_suffix (maps->pdata[i], ".map"));
  return files;
}

/* { installed: { "cat/M.cat": text }, tests: { path: text }, given: [path], models: [name],
 * options: text, write: boolean }. What cannot be read is in diagnostics. */
static RspJson *serve_texts (const CliOptions *options, RspDiagnostics *diagnostics) {
  RspJson *installed = rsp_json_empty (), *tests = rsp_json_empty (), *expected = rsp_json_empty ();
  RspJson *given = rsp_json_list (), *models = rsp_json_list ();
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  add_installed (installed, "cat", ".cat", unread);
  add_installed (installed, "machine", ".map", unread);
  add_installed (installed, "machine", ".machine", unread);
  /* Adds the tests and kernels that come with the program, with their expectations. */
  g_autofree char *folder = cli_shipped_tests ();
  if (folder) {
    g_autoptr (GPtrArray) inputs = g_ptr_array_new ();
    g_ptr_array_add (inputs, folder);
    g_autoptr (GPtrArray) paths = cli_inputs_expand (inputs, unread);
    for (guint i = 0; i < paths->len; i++)
      add_text (tests, (const char *) paths->pdata[i] + strlen (folder) + 1, paths->pdata[i],
                unread);
    g_autofree char *kernels = g_build_filename (folder, "kernels", NULL);
    add_folder (tests, "kernels", kernels, ".cl", unread);
    g_autoptr (GDir) suites = g_dir_open (folder, 0, NULL);
    for (const char *suite; suites && (suite = g_dir_read_name (suites));) {
      g_autofree char *path = g_build_filename (folder, suite, "expected.tsv", NULL),
                      *key = g_strconcat (suite, "/expected.tsv", NULL);
      if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        add_text (expected, key, path, unread);
    }
  }
  g_autoptr (GPtrArray) paths = cli_inputs_expand (options->inputs, diagnostics);
  for (guint i = 0; i < paths->len; i++)
    if (add_text (tests, paths->pdata[i], paths->pdata[i], diagnostics))
      rsp_json_add (given, rsp_json_text (paths->pdata[i]));
  for (guint i = 0; i < options->models->len; i++) {
    g_autofree char *name = g_path_get_basename (options->models->pdata[i]),
                    *path = find_model (options, options->models->pdata[i]),
                    *file = path ? g_path_get_basename (path) : NULL,
                    *key = g_strconcat ("cat/", file, NULL);
    if (path)
      add_text (installed, key, path, diagnostics);
    rsp_json_add (models, rsp_json_text (name));
  }
  g_autoptr (GString) words = g_string_new (NULL); /* of the page's options */
  g_autoptr (GPtrArray) machines = given_machines (options);
  for (guint i = 0; i < machines->len; i++) {
    g_autofree char *path = find_model (options, machines->pdata[i]),
                    *name = g_path_get_basename (machines->pdata[i]),
                    *key = g_strconcat ("machine/", name, NULL);
    if (path)
      add_text (installed, key, path, diagnostics);
    g_string_append_printf (words, "%s-%s %s", words->len ? " " : "",
                            g_str_has_suffix (name, ".map") ? "mapping" : "machine", name);
  }
  return rsp_json_object ("installed", installed, "tests", tests, "expected", expected, "given",
                          given, "models", models, "options", rsp_json_text (words->str), "write",
                          rsp_json_boolean (options->may_write), NULL);
}

/* ---- Checks --------------------------------------------------------------------------------- */

enum {
  MOST_WAITING = 256,
  MOST_FILES = 100,
  MOST_WORDS = 200,
  MOST_EARLY = 64, /* stops that came before their checks */
  LONGEST_ID = 100,
  SECONDS = 600, /* of a check */
  LOOK = 100     /* milliseconds until what it has written is looked at again */
};

static const rlim_t MOST_OUTPUT = 16 << 20; /* bytes of a file */

struct ServeChecks {
  RspJson *installed; /* "cat/M.cat" → text, an object; owned */
  GPtrArray *own;     /* of char *: what stands before -confined; owned */
  GPtrArray *all;     /* of ServedCheck: those that run, and behind them those that wait */
  guint n_running;
  GQueue early; /* the last ids whose stop came before their check; owned */
};

typedef struct ServedCheck {
  ServeChecks *checks;
  RspJson *request;
  char *id, *folder;
  GSubprocess *process; /* NULL: it waits */
  guint timer, look;    /* sources */
  gsize watched;        /* bytes of the watched file that the client knows */
  gboolean stopped;
  ServeTell tell;
  gpointer data;
} ServedCheck;

/* ---- Folders ---- */
static void remove_folder (const char *path) {
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  for (const char *name; folder && (name = g_dir_read_name (folder));) {
    g_autofree char *inner = g_build_filename (path, name, NULL);
    if (g_file_test (inner, G_FILE_TEST_IS_DIR) && !g_file_test (inner, G_FILE_TEST_IS_SYMLINK))
      remove_folder (inner);
    else
      g_unlink (inner);
  }
  g_rmdir (path);
}

static gboolean write_text (const char *folder, const char *name, const char *text) {
  g_autofree char *path = g_build_filename (folder, name, NULL);
  return g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL);
}

/* A text in the check's folder; empty if there is none. */
static char *read_text (const ServedCheck *check, const char *name) {
  char *text = NULL;
  g_autofree char *path = g_build_filename (check->folder, name, NULL);
  return g_file_get_contents (path, &text, NULL, NULL) ? text : g_strdup ("");
}

/* The last whole line after the first *from bytes of a file, or NULL; *from becomes its end. */
static char *read_line (const ServedCheck *check, const char *name, gsize *from) {
  g_autofree char *path = g_build_filename (check->folder, "run", name, NULL);
  GStatBuf status;
  gboolean grows = g_stat (path, &status) == 0 && (gsize) status.st_size > *from;
  FILE *file = grows ? fopen (path, "re") : NULL;
  if (!file)
    return NULL;
  gsize most = (gsize) status.st_size - *from;
  g_autofree char *text = g_malloc (most + 1);
  gsize n = fseek (file, (long) *from, SEEK_SET) == 0 ? fread (text, 1, most, file) : 0;
  fclose (file);
  const char *end = g_strrstr_len (text, (gssize) n, "\n"),
             *begin = end ? g_strrstr_len (text, end - text, "\n") : NULL;
  if (!end)
    return NULL;
  *from += (gsize) (end + 1 - text);
  begin = begin ? begin + 1 : text;
  return g_utf8_make_valid (begin, end - begin);
}

/* May the page use it as a file's name, without a folder? */
static gboolean is_name (const char *name) {
  return name && *name && *name != '.' && *name != '-' && strlen (name) <= 100
         && !strpbrk (name, "/\\\n") && g_utf8_validate (name, -1, NULL);
}

/* ---- What a check gets ---- */
/* Writes the texts of an object whose names begin with the prefix into the folder run, under the
 * rest of their names. FALSE if a name or a text is not valid. */
static gboolean write_texts (const ServedCheck *check, RspJson *texts, const char *prefix) {
  g_autofree char *folder = g_build_filename (check->folder, "run", NULL);
  if (rsp_json_length (texts) > MOST_FILES)
    return FALSE;
  for (guint i = 0; i < rsp_json_length (texts); i++) {
    const char *name = rsp_json_name (texts, i),
               *text = rsp_json_as_text (rsp_json_item (texts, i));
    if (!g_str_has_prefix (name, prefix))
      continue;
    name += strlen (prefix);
    if (!is_name (name) || !text || !write_text (folder, name, text))
      return FALSE;
  }
  return TRUE;
}

/* Does a file replace an installed model, which others may include? Then all models must lie beside
 * it. */
static gboolean changes_models (const ServedCheck *check, RspJson *files) {
  for (guint i = 0; i < rsp_json_length (files); i++) {
    g_autofree char *path = g_strconcat ("cat/", rsp_json_name (files, i), NULL);
    const char *own = rsp_json_as_text (rsp_json_item (files, i)),
               *installed = rsp_json_as_text (rsp_json_get (check->checks->installed, path, NULL));
    if (installed && g_strcmp0 (own, installed) != 0)
      return TRUE;
  }
  return FALSE;
}

/* Adds the folder of a file that was given: models, machines and mappings are found there. */
static void add_folder_of (const CliOptions *options, const char *given, GPtrArray *words) {
  g_autofree char *path = find_model (options, given),
                  *folder = path ? g_path_get_dirname (path) : NULL;
  if (folder) {
    g_ptr_array_add (words, g_strdup ("-I"));
    g_ptr_array_add (words, g_canonicalize_filename (folder, NULL));
  }
}

/* The options of a check that its request cannot change: -max-memory, and, for models, machines and
 * mappings of one's own, the folders of -I and those where given files lie. */
static GPtrArray *own_options (const CliOptions *options) {
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);
  if (options->check.max_memory) {
    g_ptr_array_add (words, g_strdup ("-max-memory"));
    g_ptr_array_add (words, g_strdup_printf ("%" G_GSIZE_FORMAT, options->check.max_memory));
  }
  for (guint i = 0; i < options->directories->len; i++) {
    g_ptr_array_add (words, g_strdup ("-I"));
    g_ptr_array_add (words, g_canonicalize_filename (options->directories->pdata[i], NULL));
  }
  for (guint i = 0; i < options->models->len; i++)
    add_folder_of (options, options->models->pdata[i], words);
  g_autoptr (GPtrArray) machines = given_machines (options);
  for (guint i = 0; i < machines->len; i++)
    add_folder_of (options, machines->pdata[i], words);
  return words;
}

/* The command line, or NULL if the request has none. */
static GPtrArray *words_of (const ServedCheck *check) {
  RspJson *args = rsp_json_as_list (rsp_json_get (check->request, "args", NULL));
  if (!args || rsp_json_length (args) > MOST_WORDS)
    return NULL;
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_ptr_array_add (words, (gpointer) "/proc/self/exe");
  g_ptr_array_extend (words, check->checks->own, NULL, NULL);
  g_ptr_array_add (words, (gpointer) "-confined");
  for (guint i = 0; i < rsp_json_length (args); i++) {
    const char *word = rsp_json_as_text (rsp_json_item (args, i));
    if (!word)
      return NULL;
    g_ptr_array_add (words, (gpointer) word);
  }
  g_ptr_array_add (words, NULL);
  return g_steal_pointer (&words);
}

/* The file that the request calls wanted or watched; NULL if there is none. */
static const char *name_of (const ServedCheck *check, const char *member) {
  return rsp_json_as_text (rsp_json_get (check->request, member, NULL));
}

static gboolean prepare (ServedCheck *check) {
  RspJson *files = rsp_json_get (check->request, "files", NULL);
  const char *input = rsp_json_as_text (rsp_json_get (check->request, "input", NULL));
  check->folder = g_dir_make_tmp ("rspcheck-XXXXXX", NULL);
  g_autofree char *run = check->folder ? g_build_filename (check->folder, "run", NULL) : NULL;
  return run && g_mkdir (run, 0700) == 0
         && (!changes_models (check, files)
             || write_texts (check, check->checks->installed, "cat/"))
         && write_texts (check, files, "") && write_text (check->folder, "in", input ? input : "");
}

/* ---- Running ---- */
static void begin_waiting (ServeChecks *checks);

/* Limits the new process, which dies with the server: data is that one's id. */
static void limit_child (gpointer data) {
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != GPOINTER_TO_INT (data)) /* it has died already */
    _exit (EXIT_FAILURE);
  setrlimit (RLIMIT_FSIZE, &(struct rlimit){ MOST_OUTPUT, MOST_OUTPUT });
}

static GSubprocess *spawn (const ServedCheck *check, GError **error) {
  g_autoptr (GPtrArray) words = words_of (check);
  g_autofree char *in = g_build_filename (check->folder, "in", NULL),
                  *out = g_build_filename (check->folder, "out", NULL),
                  *err = g_build_filename (check->folder, "error", NULL),
                  *run = g_build_filename (check->folder, "run", NULL);
  g_autoptr (GSubprocessLauncher) launcher
      = cli_gio.subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  cli_gio.subprocess_launcher_set_cwd (launcher, run);
  cli_gio.subprocess_launcher_set_stdin_file_path (launcher, in);
  cli_gio.subprocess_launcher_set_stdout_file_path (launcher, out);
  cli_gio.subprocess_launcher_set_stderr_file_path (launcher, err);
  cli_gio.subprocess_launcher_set_child_setup (launcher, limit_child, GINT_TO_POINTER (getpid ()),
                                               NULL);
  return cli_gio.subprocess_launcher_spawnv (launcher, (const char *const *) words->pdata, error);
}

/* The answer of a check that has none of its own. */
static RspJson *failure (const char *why) {
  g_autofree char *line = g_strdup_printf ("error: %s\n", why);
  return rsp_json_object ("status", rsp_json_number (-1), "out", rsp_json_text (""), "error",
                          rsp_json_text (line), "wanted", rsp_json_text (""), NULL);
}

static RspJson *answer_of (const ServedCheck *check) {
  const char *name = name_of (check, "wanted");
  g_autofree char *path = name ? g_build_filename ("run", name, NULL) : NULL;
  g_autofree char *file = path ? read_text (check, path) : g_strdup ("");
  g_autofree char *out = read_text (check, "out"), *error = read_text (check, "error");
  gboolean exited = cli_gio.subprocess_get_if_exited (check->process);
  g_autofree char *all
      = exited ? g_strdup (error)
               : g_strconcat (error, "error: the check ended: too much memory or time\n", NULL);
  return rsp_json_object (
      "status", rsp_json_number (exited ? cli_gio.subprocess_get_exit_status (check->process) : -1),
      "out", rsp_json_text (out), "error", rsp_json_text (all), "wanted", rsp_json_text (file),
      NULL);
}

static void free_check (ServedCheck *check) {
  if (check->timer)
    g_source_remove (check->timer);
  if (check->look)
    g_source_remove (check->look);
  if (check->folder)
    remove_folder (check->folder);
  if (check->process)
    g_object_unref (check->process);
  rsp_json_unref (check->request);
  g_free (check->folder);
  g_free (check->id);
  g_free (check);
}

/* Takes the answer and the check. */
static void finish (ServedCheck *check, RspJson *answer) {
  ServeChecks *checks = check->checks;
  g_ptr_array_remove (checks->all, check);
  checks->n_running -= check->process != NULL;
  check->tell (check->data, "answer", answer);
  free_check (check);
  begin_waiting (checks);
}

static void ended (GObject *process, GAsyncResult *result, gpointer data) {
  ServedCheck *check = data;
  cli_gio.subprocess_wait_finish ((GSubprocess *) process, result, NULL);
  finish (check, check->stopped ? rsp_json_null () : answer_of (check));
}

/* Tells the client what is new. */
static gboolean look (gpointer data) {
  ServedCheck *check = data;
  const char *name = name_of (check, "watched");
  if (!name || !check->tell (check->data, "watched", NULL))
    return G_SOURCE_CONTINUE;
  g_autofree char *line = read_line (check, name, &check->watched);
  if (line)
    check->tell (check->data, "watched", rsp_json_text (line));
  return G_SOURCE_CONTINUE;
}

static gboolean is_too_long (gpointer data) {
  ServedCheck *check = data;
  check->timer = 0;
  cli_gio.subprocess_force_exit (check->process);
  return G_SOURCE_REMOVE;
}

static void begin (ServedCheck *check) {
  g_autoptr (GError) error = NULL;
  check->process = prepare (check) ? spawn (check, &error) : NULL;
  check->checks->n_running += check->process != NULL;
  if (!check->process) {
    g_autofree char *why
        = g_strconcat ("the check could not be started: ",
                       error ? error->message : "its files could not be written", NULL);
    finish (check, failure (why));
    return;
  }
  check->timer = g_timeout_add_seconds (SECONDS, is_too_long, check);
  check->look = g_timeout_add (LOOK, look, check);
  check->tell (check->data, "running", rsp_json_null ());
  cli_gio.subprocess_wait_async (check->process, NULL, ended, check);
}

static void begin_waiting (ServeChecks *checks) {
  while (checks->n_running < g_get_num_processors () && checks->n_running < checks->all->len) {
    guint i = 0;
    while (((ServedCheck *) checks->all->pdata[i])->process)
      i++;
    begin (checks->all->pdata[i]);
  }
}

/* ---- All ---- */
/* Begins { id, args: [word], files: { name: text }, wanted, watched: name, input: text }, as
 * extra/web/engine.js has it. A message for the client if the request cannot be accepted; NULL
 * otherwise.
 */
static const char *serve_checks_begin (ServeChecks *checks, RspJson *request, ServeTell tell,
                                       gpointer data) {
  const char *id = rsp_json_as_text (rsp_json_get (request, "id", NULL));
  if (checks->all->len >= MOST_WAITING)
    return "too many checks wait already";
  ServedCheck *check = g_new0 (ServedCheck, 1);
  *check = (ServedCheck){ .checks = checks,
                          .request = rsp_json_ref (request),
                          .id = g_strdup (id),
                          .tell = tell,
                          .data = data };
  RspJson *files = rsp_json_get (check->request, "files", NULL);
  const char *file = name_of (check, "wanted"), *watched = name_of (check, "watched");
  g_autoptr (GPtrArray) words = words_of (check);
  if (!words || !rsp_json_as_object (files) || (file && !is_name (file))
      || (watched && !is_name (watched))) {
    free_check (check);
    return "this is not a check";
  }
  GList *early = id ? g_queue_find_custom (&checks->early, id, (GCompareFunc) g_strcmp0) : NULL;
  if (early) { /* its stop has overtaken the check */
    g_free (early->data);
    g_queue_delete_link (&checks->early, early);
    tell (data, "answer", rsp_json_null ());
    free_check (check);
    return NULL;
  }
  if (checks->n_running >= g_get_num_processors ())
    tell (data, "waiting", rsp_json_number (checks->all->len - checks->n_running));
  g_ptr_array_add (checks->all, check);
  begin_waiting (checks);
  return NULL;
}

/* A check that waits is over at once. */
static void stop (ServedCheck *check) {
  check->stopped = TRUE;
  if (check->process)
    cli_gio.subprocess_force_exit (check->process);
  else
    finish (check, rsp_json_null ());
}

/* Ends that check, or the next one of that id if there is none yet: requests may overtake each
 * other. Ids are used once. */
static void serve_checks_stop (ServeChecks *checks, const char *id) {
  for (guint i = 0; i < checks->all->len; i++) {
    ServedCheck *check = checks->all->pdata[i];
    if (id && !g_strcmp0 (check->id, id) && !check->stopped) {
      stop (check);
      return;
    }
  }
  if (!id || strlen (id) > LONGEST_ID)
    return;
  g_queue_push_tail (&checks->early, g_strdup (id));
  if (g_queue_get_length (&checks->early) > MOST_EARLY)
    g_free (g_queue_pop_head (&checks->early));
}

/* ---- Clients -------------------------------------------------------------------------------- */

/* libsoup 3.2 listens no more once a descriptor is missing, keeps connections that their clients
 * have closed, and waits for ever. So connections are accepted here, each for one request: there
 * are only so many, each phase of a request has a limit of time, and bodies are counted. */

enum {
  MOST_CLIENTS = 500,
  HEAD_SECONDS = 5,  /* until a request's head is there, with the token */
  BODY_SECONDS = 60, /* from then until its body is there, and its answer read, but for a check's */
  ANSWER_SECONDS = 600, /* from a check's end until its answer is read */
  LATER = 10,           /* milliseconds until a descriptor may be there */
  LARGEST = 16 << 20,   /* bytes of a request */
  MOST_HELD = 128 << 20 /* bytes of requests, and of answers of checks, that are in memory */
};

typedef struct ServeClient {
  ServeSite *site;
  GSocket *socket;
  guint timer;      /* a source; 0: its check may take its time */
  gboolean may_ask; /* its request has the token */
  goffset received; /* bytes of its body */
  gsize held;       /* of its body, and then of its check's answer */
} ServeClient;

static void limit_client (ServeClient *client, guint seconds);

/* Resets the client's connection; whatever it waits for fails. */
static void end_client (ServeClient *client) {
  const struct linger none = { 1, 0 };
  limit_client (client, 0);
  g_queue_remove (&client->site->clients, client);
  setsockopt (cli_gio.socket_get_fd (client->socket), SOL_SOCKET, SO_LINGER, &none, sizeof none);
  cli_gio.socket_shutdown (client->socket, TRUE, TRUE, NULL);
}

static gboolean is_too_slow (gpointer data) {
  ServeClient *client = data;
  client->timer = 0;
  end_client (client);
  return G_SOURCE_REMOVE;
}

/* FALSE: there is no room. */
static gboolean hold (ServeClient *client, gsize size) {
  const gsize others = client->site->held - client->held;
  if (size > MOST_HELD - MIN (others, MOST_HELD))
    return FALSE;
  client->site->held = others + size;
  client->held = size;
  return TRUE;
}

/* 0: no limit. */
static void limit_client (ServeClient *client, guint seconds) {
  if (client->timer)
    g_source_remove (client->timer);
  client->timer = seconds ? g_timeout_add_seconds (seconds, is_too_slow, client) : 0;
}

static void free_client (gpointer data, GObject *connection) {
  ServeClient *client = data;
  (void) connection;
  limit_client (client, 0);
  hold (client, 0);
  g_queue_remove (&client->site->clients, client);
  g_object_unref (client->socket);
  g_free (client);
}

#define CLIENT "rspcheck-client"

static ServeClient *client_of (SoupServerMessage *message) {
  return g_object_get_data ((GObject *) soup.server_message_get_remote_address (message), CLIENT);
}

/* Ends the oldest client that has not asked with the token. FALSE: there is none. */
static gboolean end_oldest (ServeSite *site) {
  for (GList *at = site->clients.head; at; at = at->next) {
    ServeClient *client = at->data;
    if (client->may_ask)
      continue;
    end_client (client);
    return TRUE;
  }
  return FALSE;
}

static gboolean is_full (const ServeSite *site) {
  struct rlimit files = { (rlim_t) MOST_CLIENTS * 2, 0 };
  getrlimit (RLIMIT_NOFILE, &files);
  return site->clients.length >= MIN (MOST_CLIENTS, files.rlim_cur / 2);
}

static void listen_for_clients (ServeSite *site);

static gboolean listen_again (gpointer site) {
  listen_for_clients (site);
  return G_SOURCE_REMOVE;
}

static gboolean accept_client (GSocket *listening, GIOCondition condition, gpointer data) {
  ServeSite *site = data;
  g_autoptr (GSocket) socket = cli_gio.socket_accept (listening, NULL, NULL);
  (void) condition;
  if (!socket) { /* there is no descriptor, or the client has gone */
    end_oldest (site);
    g_timeout_add (LATER, listen_again, site);
    return G_SOURCE_REMOVE;
  }
  g_autoptr (GSocketAddress) own = cli_gio.socket_get_local_address (socket, NULL),
                             other = cli_gio.socket_get_remote_address (socket, NULL);
  if (!own || !other || (is_full (site) && !end_oldest (site)))
    return G_SOURCE_CONTINUE;
  g_autoptr (GSocketConnection) connection
      = cli_gio.socket_connection_factory_create_connection (socket);
  ServeClient *client = g_new0 (ServeClient, 1);
  *client = (ServeClient){ .site = site, .socket = g_object_ref (socket) };
  g_queue_push_tail (&site->clients, client);
  g_object_weak_ref ((GObject *) connection, free_client, client);
  g_object_set_data ((GObject *) other, CLIENT, client);
  cli_gio.socket_set_option (socket, IPPROTO_TCP, TCP_NODELAY, TRUE, NULL);
  limit_client (client, HEAD_SECONDS);
  soup.server_accept_iostream (site->server, (GIOStream *) connection, own, other, NULL);
  return G_SOURCE_CONTINUE;
}

static void listen_for_clients (ServeSite *site) {
  g_autoptr (GSource) source = cli_gio.socket_create_source (site->listening, G_IO_IN, NULL);
  g_source_set_callback (source, G_SOURCE_FUNC (accept_client), site, NULL);
  g_source_attach (source, NULL);
}

/* ---- Requests ------------------------------------------------------------------------------- */

/* Requests of the page: HTTP, on the loopback address, below a random token. */

/* ---- Answers ---- */
/* The text must outlive the server. */
static void answer (SoupServerMessage *message, const char *type, const char *text) {
  soup.server_message_set_status (message, SOUP_STATUS_OK, NULL);
  soup.server_message_set_response (message, type, SOUP_MEMORY_STATIC, text, strlen (text));
}

static void refuse (SoupServerMessage *message, guint status, const char *why) {
  char *line = g_strconcat (why, "\n", NULL);
  soup.server_message_set_status (message, status, NULL);
  soup.server_message_set_response (message, "text/plain; charset=utf-8", SOUP_MEMORY_TAKE, line,
                                    strlen (line));
}

/* ---- Who may ask ---- */
/* Takes the same time wherever they differ. */
static gboolean is_same (const char *a, const char *b) {
  guchar difference = 0;
  gsize n = strlen (b);
  if (strlen (a) != n)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    difference |= (guchar) (a[i] ^ b[i]);
  return difference == 0;
}

/* The part of a path after the token; NULL if the path does not begin with it. */
static const char *behind_token (const ServeSite *site, const char *path) {
  const char *slash = *path == '/' ? strchr (path + 1, '/') : NULL;
  if (!slash)
    return NULL;
  g_autofree char *first = g_strndup (path + 1, (gsize) (slash - path - 1));
  return is_same (first, site->token) ? slash + 1 : NULL;
}

/* Scripts of other pages reach this address too: Origin shows the page, and Host a name that was
 * rebound to it. */
static gboolean is_from_here (const ServeSite *site, SoupServerMessage *message) {
  SoupMessageHeaders *headers = soup.server_message_get_request_headers (message);
  const char *host = soup.message_headers_get_one (headers, "Host"),
             *origin = soup.message_headers_get_one (headers, "Origin");
  g_autofree char *own = g_strconcat ("http://", site->host, NULL);
  return !g_strcmp0 (host, site->host) && (!origin || g_str_equal (origin, own));
}

static void count_body (SoupServerMessage *message, GBytes *chunk, gpointer data) {
  ServeClient *client = data;
  (void) message;
  client->received += (goffset) g_bytes_get_size (chunk);
  if (client->received > (gint64) 2 * LARGEST /* a refusal can only be read after what was sent */
      || (client->may_ask && !hold (client, (gsize) client->received)))
    end_client (client);
}

/* Refuses requests before their body is read: a status that is set here is the answer. */
static void look_at_head (SoupServer *server, SoupServerMessage *message, const char *path,
                          GHashTable *query, gpointer data) {
  const ServeSite *site = data;
  SoupMessageHeaders *headers = soup.server_message_get_request_headers (message),
                     *sent = soup.server_message_get_response_headers (message);
  const char *method = soup.server_message_get_method (message);
  const char *type = soup.message_headers_get_one (headers, "Content-Type");
  gboolean posts = g_str_equal (method, "POST");
  goffset length = soup.message_headers_get_content_length (headers); /* may have overflowed */
  ServeClient *client = client_of (message);
  (void) server, (void) query;
  g_signal_connect (message, "got-chunk", (GCallback) count_body, client);
  soup.message_headers_append (sent, "Connection", "close");
  soup.message_headers_append (sent, "Content-Security-Policy", site->policy);
  soup.message_headers_append (sent, "X-Content-Type-Options", "nosniff");
  soup.message_headers_append (sent, "Referrer-Policy", "no-referrer");
  soup.message_headers_append (sent, "Cross-Origin-Resource-Policy", "same-origin");
  soup.message_headers_append (sent, "Cross-Origin-Opener-Policy", "same-origin");
  soup.message_headers_append (sent, "Cache-Control", "no-store");
  if (!is_from_here (site, message))
    refuse (message, SOUP_STATUS_FORBIDDEN, "only this page may ask");
  else if (!behind_token (site, path))
    refuse (message, SOUP_STATUS_NOT_FOUND, "there is nothing here");
  else if (!posts && !g_str_equal (method, "GET"))
    refuse (message, SOUP_STATUS_METHOD_NOT_ALLOWED, "only GET and POST");
  else if (posts && g_strcmp0 (type, "application/json") != 0)
    refuse (message, SOUP_STATUS_UNSUPPORTED_MEDIA_TYPE, "only JSON");
  else if (posts
           && (!soup.message_headers_get_one (headers, "Content-Length")
               || soup.message_headers_get_one (headers, "Transfer-Encoding")))
    refuse (message, SOUP_STATUS_LENGTH_REQUIRED, "the length is needed");
  else if (length < 0 || length > LARGEST)
    refuse (message, SOUP_STATUS_REQUEST_ENTITY_TOO_LARGE, "too large");
  else {
    client->may_ask = TRUE;
    limit_client (client, BODY_SECONDS);
    if (posts)
      return;
  }
  soup.message_body_set_accumulate (soup.server_message_get_request_body (message), FALSE);
}

/* ---- Checks ---- */
/* A client that waits for a check: its message, whose answer is a stream of events, and what
 * notices that the client has gone. */
typedef struct Waiting {
  ServeSite *site;
  SoupServerMessage *message;
  guint watch;             /* a source; 0: it has ended */
  gulong on_chunk, on_end; /* handlers of the message's signals */
  gboolean writing;        /* the client has not read the event before */
  gboolean ended;          /* by libsoup: nothing can be written any more */
} Waiting;

static void end_waiting (Waiting *waiting) {
  if (waiting->watch)
    g_source_remove (waiting->watch);
  g_signal_handler_disconnect (waiting->message, waiting->on_chunk);
  g_signal_handler_disconnect (waiting->message, waiting->on_end);
  g_object_unref (waiting->message);
  g_free (waiting);
}

static GString *event_of (const char *event, const RspJson *what) {
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "event: %s\ndata: ", event);
  rsp_json_append_line (what, text);
  return g_string_append_c (text, '\n');
}

/* A ServeTell: one event at a time is in memory, and then the answer. */
static gboolean tell (gpointer data, const char *event, RspJson *what) {
  Waiting *waiting = data;
  SoupMessageBody *body = soup.server_message_get_response_body (waiting->message);
  gboolean is_last = g_str_equal (event, "answer"), goes = is_last || !waiting->writing;
  if (goes && what && !waiting->ended) {
    GString *text = event_of (event, what);
    if (is_last && !hold (client_of (waiting->message), text->len)) {
      g_autoptr (RspJson) other = failure ("the answer is too long, or others have not been read");
      g_string_free (text, TRUE);
      text = event_of (event, other);
    }
    const gsize length = text->len;
    soup.message_body_append (body, SOUP_MEMORY_TAKE, g_string_free (text, FALSE), length);
    waiting->writing = TRUE;
    soup.server_message_unpause (waiting->message);
  }
  rsp_json_unref (what);
  if (is_last) {
    soup.message_body_complete (body);
    if (!waiting->ended)
      limit_client (client_of (waiting->message), ANSWER_SECONDS);
    end_waiting (waiting);
  }
  return goes;
}

static void written (SoupServerMessage *message, gpointer data) {
  Waiting *waiting = data;
  (void) message;
  waiting->writing = FALSE;
}

/* Nobody waits for the check any more. */
static void leave (Waiting *waiting) {
  const GPtrArray *all = waiting->site->checks->all;
  for (guint i = 0; i < all->len; i++) {
    ServedCheck *check = all->pdata[i];
    if (check->data == waiting && !check->stopped) {
      stop (check);
      return;
    }
  }
}

static void end_message (SoupServerMessage *message, gpointer data) {
  Waiting *waiting = data;
  (void) message;
  waiting->ended = TRUE;
  leave (waiting);
}

/* The client has closed the connection, as when its window is closed. */
static gboolean look_for_end (int socket, GIOCondition condition, gpointer data) {
  Waiting *waiting = data;
  (void) socket, (void) condition;
  waiting->watch = 0;
  leave (waiting);
  return G_SOURCE_REMOVE;
}

static void run (ServeSite *site, SoupServerMessage *message, RspJson *request) {
  Waiting *waiting = g_new0 (Waiting, 1);
  SoupMessageHeaders *headers = soup.server_message_get_response_headers (message);
  ServeClient *client = client_of (message);
  int socket = cli_gio.socket_get_fd (client->socket);
  limit_client (client, 0);
  *waiting = (Waiting){
    .site = site,
    .message = g_object_ref (message),
    .watch = g_unix_fd_add (socket, (GIOCondition) POLLRDHUP, look_for_end, waiting),
    .on_chunk = g_signal_connect (message, "wrote-chunk", (GCallback) written, waiting),
    .on_end = g_signal_connect (message, "finished", (GCallback) end_message, waiting)
  };
  soup.server_message_set_status (message, SOUP_STATUS_OK, NULL);
  soup.message_headers_set_content_type (headers, "text/event-stream", NULL);
  soup.message_headers_set_encoding (headers, SOUP_ENCODING_CHUNKED);
  soup.message_body_set_accumulate (soup.server_message_get_response_body (message), FALSE);
  const char *error = serve_checks_begin (site->checks, request, tell, waiting);
  if (!error)
    return;
  limit_client (client, ANSWER_SECONDS);
  end_waiting (waiting);
  soup.message_headers_set_encoding (headers, SOUP_ENCODING_CONTENT_LENGTH);
  refuse (message, SOUP_STATUS_SERVICE_UNAVAILABLE, error);
}

/* ---- Requests ---- */
static void take_request (SoupServer *server, SoupServerMessage *message, const char *path,
                          GHashTable *query, gpointer data) {
  ServeSite *site = data;
  const char *what = behind_token (site, path);
  (void) server, (void) query;
  if (g_str_equal (soup.server_message_get_method (message), "POST")) {
    g_autoptr (GBytes) bytes
        = soup.message_body_flatten (soup.server_message_get_request_body (message));
    gsize length;
    const char *text = g_bytes_get_data (bytes, &length);
    g_autoptr (RspJson) request = rsp_json_parse (text, length, NULL);
    if (!rsp_json_as_object (request))
      refuse (message, 400, "this is not an object in JSON");
    else if (g_str_equal (what, "run"))
      run (site, message, request);
    else if (g_str_equal (what, "stop")) {
      serve_checks_stop (site->checks, rsp_json_as_text (rsp_json_get (request, "id", NULL)));
      answer (message, "application/json", "null\n");
    } else if (g_str_equal (what, "save") && site->may_write) {
      g_autofree char *error = serve_save (request);
      if (error)
        refuse (message, SOUP_STATUS_FORBIDDEN, error);
      else
        answer (message, "application/json", "null\n");
    } else
      refuse (message, SOUP_STATUS_NOT_FOUND, "there is nothing here");
  } else if (g_str_equal (what, ""))
    answer (message, "text/html; charset=utf-8", site->page);
  else if (g_str_equal (what, "texts"))
    answer (message, "application/json", site->texts);
  else
    refuse (message, SOUP_STATUS_NOT_FOUND, "there is nothing here");
}

/* ---- Serve ---------------------------------------------------------------------------------- */

/* The page, which the Makefile joins. */
extern const char serve_page[];

static void clear_site (ServeSite *site) {
  g_clear_object (&site->listening);
  g_free (site->token);
  g_free (site->host);
  g_free (site->policy);
  g_free (site->texts);
  ServeChecks *checks = site->checks;
  for (guint i = 0; i < checks->all->len; i++) {
    ServedCheck *check = checks->all->pdata[i];
    if (check->process) {
      cli_gio.subprocess_force_exit (check->process);
      cli_gio.subprocess_wait (check->process, NULL, NULL);
    }
    free_check (check);
  }
  g_queue_clear_full (&checks->early, g_free);
  rsp_json_unref (checks->installed);
  g_ptr_array_unref (checks->all);
  g_ptr_array_unref (checks->own);
  g_free (checks);
}

/* 128 random bits from the system, in hexadecimal digits; NULL if it has none. */
static char *random_token (void) {
  g_autoptr (GString) token = g_string_new (NULL);
  FILE *source = fopen ("/dev/urandom", "r");
  for (int i = 0, byte; source && i < 16 && (byte = getc (source)) != EOF; i++)
    g_string_append_printf (token, "%02x", byte);
  if (source)
    fclose (source);
  return token->len == 32 ? g_strdup (token->str) : NULL;
}

static gboolean end_loop (gpointer loop) {
  g_main_loop_quit (loop);
  return G_SOURCE_CONTINUE;
}

/* Listens on the loopback address; port 0: a free one. */
static gboolean open_socket (ServeSite *site, guint port, GError **error) {
  g_autoptr (GInetAddress) loopback = cli_gio.inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) address = cli_gio.inet_socket_address_new (loopback, (guint16) port);
  site->listening = cli_gio.socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM,
                                        G_SOCKET_PROTOCOL_TCP, error);
  if (!site->listening)
    return FALSE;
  cli_gio.socket_set_blocking (site->listening, FALSE);
  cli_gio.socket_set_listen_backlog (site->listening, MOST_CLIENTS);
  if (!cli_gio.socket_bind (site->listening, address, TRUE, error)
      || !cli_gio.socket_listen (site->listening, error))
    return FALSE;
  g_autoptr (GSocketAddress) own = cli_gio.socket_get_local_address (site->listening, error);
  if (own)
    site->host = g_strdup_printf ("127.0.0.1:%d", cli_gio.inet_socket_address_get_port (
                                                      (GInetSocketAddress *) (gpointer) own));
  return own != NULL;
}

/* Opens the address in a browser, by way of a page that only its owner may read: other users see
 * the arguments of processes, and the address has the token. The page's name, newly allocated; NULL
 * if it could not be written. */
static char *open_browser (const char *address) {
  g_autofree char *page
      = g_strdup_printf ("<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>rspcheck</title>\n"
                         "<meta http-equiv=\"refresh\" content=\"0; url=%s\">\n",
                         address),
      *path = NULL;
  int file = g_file_open_tmp ("rspcheck-XXXXXX.html", &path, NULL); /* mode 0600 */
  gboolean written = file >= 0 && write (file, page, strlen (page)) == (gssize) strlen (page);
  if (file >= 0)
    close (file);
  g_autoptr (GSubprocessLauncher) launcher = cli_gio.subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  const char *const words[] = { "xdg-open", path, NULL };
  GSubprocess *process
      = written ? cli_gio.subprocess_launcher_spawnv (launcher, words, NULL) : NULL;
  if (process)
    g_object_unref (process);
  return g_steal_pointer (&path);
}

/* For what libsoup has GLib say of lengths that overflow: such requests are refused. */
static void drop_warning (const char *domain, GLogLevelFlags level, const char *text,
                          gpointer data) {
  (void) domain, (void) level, (void) text, (void) data;
}

static gboolean serve (const CliOptions *options, ServeSite *site, GError **error) {
  const ServeOptions *own = cli_extra_options (options, &serve_extra);
  g_autoptr (SoupServer) server
      = (SoupServer *) g_object_new_with_properties (soup.server_get_type (), 0, NULL, NULL);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  soup.server_add_early_handler (server, NULL, look_at_head, site, NULL);
  soup.server_add_handler (server, NULL, take_request, site, NULL);
  if (!open_socket (site, own->port, error))
    return FALSE;
  site->server = server;
  listen_for_clients (site);
  g_log_set_handler ("GLib-GObject", G_LOG_LEVEL_WARNING, drop_warning, NULL);
  g_autofree char *address = g_strdup_printf ("http://%s/%s/", site->host, site->token);
  g_unix_signal_add (SIGINT, end_loop, loop);
  g_unix_signal_add (SIGTERM, end_loop, loop);
  g_unix_signal_add (SIGHUP, end_loop, loop);
  printf ("%s\n", address);
  fflush (stdout);
  g_autofree char *page = own->no_open ? NULL : open_browser (address);
  g_main_loop_run (loop);
  if (page)
    g_unlink (page);
  soup.server_disconnect (server);
  return TRUE;
}

int serve_run (CliOptions *options, RspDiagnostics *diagnostics) {
  g_autoptr (GError) error = NULL;
  ServeSite site
      = { .token = random_token (), .page = serve_page, .may_write = options->may_write };
  static const char opening[] = "<script>"; /* no script but the page's own may run */
  const char *script = g_strrstr (site.page, opening) + strlen (opening),
             *end = strstr (script, "</script>");
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  guint8 digest[32];
  gsize length = sizeof digest;
  g_checksum_update (checksum, (const guchar *) script, end - script);
  g_checksum_get_digest (checksum, digest, &length);
  g_autofree char *hash = g_base64_encode (digest, length);
  site.policy = g_strdup_printf (
      "default-src 'none'; script-src 'sha256-%s'; style-src 'unsafe-inline'; img-src data:; "
      "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      hash);
  g_autoptr (RspJson) texts = serve_texts (options, diagnostics);
  g_autoptr (GString) line = g_string_new (NULL);
  rsp_json_append_line (texts, line);
  site.texts = g_string_free (g_steal_pointer (&line), FALSE);
  ServeChecks *checks = g_new0 (ServeChecks, 1);
  *checks = (ServeChecks){ .installed = rsp_json_ref (rsp_json_get (texts, "installed", NULL)),
                           .own = own_options (options),
                           .all = g_ptr_array_new (),
                           .early = G_QUEUE_INIT };
  site.checks = checks;
  if (!site.token)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "cannot read /dev/urandom");
  else if (!load_soup (&error))
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s", error->message);
  else if (!rsp_diagnostics_count_errors (diagnostics) && !serve (options, &site, &error))
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "cannot listen: %s", error->message);
  clear_site (&site);
  return cli_print_diagnostics (diagnostics, options->quiet) ? CLI_STATUS_UNFINISHED
                                                             : CLI_STATUS_OK;
}
