#include "cli/serve/checks.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

enum {
  MOST_WAITING = 256,
  MOST_FILES = 100,
  MOST_WORDS = 200,
  MOST_EARLY = 64, /* stops that came before their checks */
  LONGEST_ID = 100,
  SECONDS = 600, /* of a check */
  LOOK = 100     /* milliseconds until what it has written is looked at again */
};

static const rlim_t MOST_MEMORY = (rlim_t) 16
                                  << 30, /* addresses; what a check may use is for -max-memory */
    MOST_OUTPUT = 256 << 20;             /* bytes of a file */

struct ServeChecks {
  JsonNode *installed;
  GPtrArray *all; /* of Check: those that run, and behind them those that wait */
  guint n_running;
  GQueue early; /* the last ids that were to be stopped when there was no such check; owned */
};

typedef struct Check {
  ServeChecks *checks;
  JsonNode *request;
  char *id, *folder;
  GSubprocess *process; /* NULL: it waits */
  guint timer, look;    /* sources */
  gsize watched;        /* bytes of the watched file that the client knows */
  gboolean stopped;
  ServeTell tell;
  gpointer data;
} Check;

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
static char *read_text (const Check *check, const char *name) {
  char *text = NULL;
  g_autofree char *path = g_build_filename (check->folder, name, NULL);
  if (!g_file_get_contents (path, &text, NULL, NULL))
    return g_strdup ("");
  char *valid = g_utf8_make_valid (text, -1);
  g_free (text);
  return valid;
}

/* The last whole line behind the first *from bytes of a file, which then begin behind it; NULL if
 * there is none. */
static char *read_line (const Check *check, const char *name, gsize *from) {
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

/* Is it a file's name, without a folder, that the page may use? */
static gboolean is_name (const char *name) {
  return name && *name && *name != '.' && *name != '-' && strlen (name) <= 100
         && !strpbrk (name, "/\\\n") && g_utf8_validate (name, -1, NULL);
}

/* ---- What a check gets ---- */

/* Writes the members of an object of texts, under what follows a / in their names, into the folder
 * run; those with the prefix only. FALSE if something is not a file's name or a text. */
static gboolean write_texts (const Check *check, JsonNode *texts, const char *prefix) {
  JsonObject *object = json_node_get_object (texts);
  g_autoptr (GList) names = json_object_get_members (object);
  g_autofree char *folder = g_build_filename (check->folder, "run", NULL);
  if (g_list_length (names) > MOST_FILES)
    return FALSE;
  for (const GList *member = names; member; member = member->next) {
    const char *name = member->data,
               *text = rsp_json_as_text (json_object_get_member (object, name));
    if (!g_str_has_prefix (name, prefix))
      continue;
    name += strlen (prefix);
    if (!is_name (name) || !text || !write_text (folder, name, text))
      return FALSE;
  }
  return TRUE;
}

/* Is a file another version of an installed model, which others may include? Then all models must
 * lie beside it. */
static gboolean changes_models (const Check *check, JsonNode *files) {
  g_autoptr (GList) names = json_object_get_members (json_node_get_object (files));
  for (const GList *member = names; member; member = member->next) {
    g_autofree char *path = g_strconcat ("cat/", member->data, NULL);
    const char *own = rsp_json_as_text (rsp_json_get (files, member->data, NULL)),
               *installed = rsp_json_as_text (rsp_json_get (check->checks->installed, path, NULL));
    if (installed && g_strcmp0 (own, installed) != 0)
      return TRUE;
  }
  return FALSE;
}

/* The command line, or NULL if the request has none. */
static GPtrArray *words_of (const Check *check) {
  JsonArray *args = rsp_json_as_list (rsp_json_get (check->request, "args", NULL));
  if (!args || json_array_get_length (args) > MOST_WORDS)
    return NULL;
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_ptr_array_add (words, (gpointer) "/proc/self/exe");
  g_ptr_array_add (words, (gpointer) "-confined");
  for (guint i = 0; i < json_array_get_length (args); i++) {
    const char *word = rsp_json_as_text (json_array_get_element (args, i));
    if (!word)
      return NULL;
    g_ptr_array_add (words, (gpointer) word);
  }
  g_ptr_array_add (words, NULL);
  return g_steal_pointer (&words);
}

/* The file that the request calls wanted or watched; NULL if there is none. */
static const char *name_of (const Check *check, const char *member) {
  return rsp_json_as_text (rsp_json_get (check->request, member, NULL));
}

static gboolean is_well_formed (const Check *check) {
  JsonNode *files = rsp_json_get (check->request, "files", NULL);
  const char *file = name_of (check, "wanted"), *watched = name_of (check, "watched");
  g_autoptr (GPtrArray) words = words_of (check);
  return words && files && json_node_get_node_type (files) == JSON_NODE_OBJECT
         && (!file || is_name (file)) && (!watched || is_name (watched));
}

static gboolean prepare (Check *check) {
  JsonNode *files = rsp_json_get (check->request, "files", NULL);
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

/* In the new process. It dies with the server. */
static void limit_child (gpointer data) {
  const struct rlimit memory = { MOST_MEMORY, MOST_MEMORY }, output = { MOST_OUTPUT, MOST_OUTPUT },
                      core = { 0, 0 };
  (void) data;
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  setrlimit (RLIMIT_AS, &memory);
  setrlimit (RLIMIT_FSIZE, &output);
  setrlimit (RLIMIT_CORE, &core);
}

static GSubprocess *spawn (const Check *check, GError **error) {
  g_autoptr (GPtrArray) words = words_of (check);
  g_autofree char *in = g_build_filename (check->folder, "in", NULL),
                  *out = g_build_filename (check->folder, "out", NULL),
                  *err = g_build_filename (check->folder, "error", NULL),
                  *run = g_build_filename (check->folder, "run", NULL);
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_subprocess_launcher_set_cwd (launcher, run);
  g_subprocess_launcher_set_stdin_file_path (launcher, in);
  g_subprocess_launcher_set_stdout_file_path (launcher, out);
  g_subprocess_launcher_set_stderr_file_path (launcher, err);
  g_subprocess_launcher_set_child_setup (launcher, limit_child, NULL, NULL);
  return g_subprocess_launcher_spawnv (launcher, (const char *const *) words->pdata, error);
}

static JsonNode *answer_of (const Check *check) {
  const char *name = name_of (check, "wanted");
  g_autofree char *path = name ? g_build_filename ("run", name, NULL) : NULL;
  g_autofree char *file = path ? read_text (check, path) : g_strdup ("");
  g_autofree char *out = read_text (check, "out"), *error = read_text (check, "error");
  gboolean exited = g_subprocess_get_if_exited (check->process);
  g_autofree char *all
      = exited ? g_strdup (error)
               : g_strconcat (error, "error: the check ended: too much memory or time\n", NULL);
  return rsp_json_object (
      "status", rsp_json_number (exited ? g_subprocess_get_exit_status (check->process) : -1),
      "out", rsp_json_text (out), "error", rsp_json_text (all), "wanted", rsp_json_text (file),
      NULL);
}

static void free_check (Check *check) {
  if (check->timer)
    g_source_remove (check->timer);
  if (check->look)
    g_source_remove (check->look);
  if (check->folder)
    remove_folder (check->folder);
  if (check->process)
    g_object_unref (check->process);
  json_node_unref (check->request);
  g_free (check->folder);
  g_free (check->id);
  g_free (check);
}

/* Takes the answer and the check. */
static void finish (Check *check, JsonNode *answer) {
  ServeChecks *checks = check->checks;
  g_ptr_array_remove (checks->all, check);
  checks->n_running -= check->process != NULL;
  check->tell (check->data, "answer", answer);
  free_check (check);
  begin_waiting (checks);
}

static void ended (GObject *process, GAsyncResult *result, gpointer data) {
  Check *check = data;
  g_subprocess_wait_finish ((GSubprocess *) process, result, NULL);
  finish (check, check->stopped ? rsp_json_null () : answer_of (check));
}

/* Tells the client what is new. */
static gboolean look (gpointer data) {
  Check *check = data;
  const char *name = name_of (check, "watched");
  gsize watched = check->watched;
  g_autofree char *line = name ? read_line (check, name, &watched) : NULL;
  if (line && check->tell (check->data, "watched", rsp_json_text (line)))
    check->watched = watched;
  return G_SOURCE_CONTINUE;
}

static gboolean is_too_long (gpointer data) {
  Check *check = data;
  check->timer = 0;
  g_subprocess_force_exit (check->process);
  return G_SOURCE_REMOVE;
}

static void begin (Check *check) {
  g_autoptr (GError) error = NULL;
  check->process = prepare (check) ? spawn (check, &error) : NULL;
  check->checks->n_running += check->process != NULL;
  if (!check->process) {
    g_autofree char *words
        = g_strdup_printf ("error: the check could not be started: %s\n",
                           error ? error->message : "its files could not be written");
    finish (check,
            rsp_json_object ("status", rsp_json_number (-1), "out", rsp_json_text (""), "error",
                             rsp_json_text (words), "wanted", rsp_json_text (""), NULL));
    return;
  }
  check->timer = g_timeout_add_seconds (SECONDS, is_too_long, check);
  check->look = g_timeout_add (LOOK, look, check);
  check->tell (check->data, "running", rsp_json_null ());
  g_subprocess_wait_async (check->process, NULL, ended, check);
}

static void begin_waiting (ServeChecks *checks) {
  while (checks->n_running < g_get_num_processors () && checks->n_running < checks->all->len) {
    guint i = 0;
    while (((Check *) checks->all->pdata[i])->process)
      i++;
    begin (checks->all->pdata[i]);
  }
}

/* ---- All ---- */

ServeChecks *serve_checks_new (JsonNode *installed) {
  ServeChecks *checks = g_new0 (ServeChecks, 1);
  *checks = (ServeChecks){ installed, g_ptr_array_new (), 0, G_QUEUE_INIT };
  return checks;
}

/* Has its stop overtaken the check? */
static gboolean was_stopped (ServeChecks *checks, const char *id) {
  GList *early = id ? g_queue_find_custom (&checks->early, id, (GCompareFunc) g_strcmp0) : NULL;
  if (!early)
    return FALSE;
  g_free (early->data);
  g_queue_delete_link (&checks->early, early);
  return TRUE;
}

const char *serve_checks_begin (ServeChecks *checks, JsonNode *request, ServeTell tell,
                                gpointer data) {
  const char *id = rsp_json_as_text (rsp_json_get (request, "id", NULL));
  if (checks->all->len >= MOST_WAITING)
    return "too many checks wait already";
  Check *check = g_new0 (Check, 1);
  *check = (Check){ .checks = checks,
                    .request = json_node_ref (request),
                    .id = g_strdup (id),
                    .tell = tell,
                    .data = data };
  if (!is_well_formed (check)) {
    free_check (check);
    return "this is not a check";
  }
  if (was_stopped (checks, id)) {
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
static void stop (Check *check) {
  check->stopped = TRUE;
  if (check->process)
    g_subprocess_force_exit (check->process);
  else
    finish (check, rsp_json_null ());
}

void serve_checks_stop (ServeChecks *checks, const char *id) {
  for (guint i = 0; i < checks->all->len; i++) {
    Check *check = checks->all->pdata[i];
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

void serve_checks_leave (ServeChecks *checks, gconstpointer data) {
  for (guint i = 0; i < checks->all->len; i++) {
    Check *check = checks->all->pdata[i];
    if (check->data == data && !check->stopped) {
      stop (check);
      return;
    }
  }
}

void serve_checks_free (ServeChecks *checks) {
  for (guint i = 0; i < checks->all->len; i++) {
    Check *check = checks->all->pdata[i];
    if (check->process) {
      g_subprocess_force_exit (check->process);
      g_subprocess_wait (check->process, NULL, NULL);
    }
    free_check (check);
  }
  g_queue_clear_full (&checks->early, g_free);
  g_ptr_array_unref (checks->all);
  g_free (checks);
}
