#include "lsp/job.h"
#include "api/run/run.h"
#include "lsp/changes.h"
#include "parser/litmus/parse.h"
#include "report/explain/text.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  MOST_RUNNING = 2,
  SECONDS = 10,            /* of a search; more is for the command line */
  EXECUTIONS_LOOKED_AT = 8 /* for a line's events */
};

typedef struct LspJob {
  LspTask task;
  char *id, *path, *model;
  guint line; /* EVENTS: from 1 */
  JsonNode *params;
  pid_t process; /* 0: not begun */
  int pipe;
  GString *output;
} LspJob;

/* ---- In the process ---- */

static void append_verdict (const RspRecord *record, GString *out) {
  if (!rsp_record_is_ok (record)) {
    g_string_append (out, record->reason);
    return;
  }
  g_string_append_printf (out, "%s %s, %u state%s", record->answer ? "Ok:" : "No:",
                          rsp_observation_names[record->observation], record->states->len,
                          record->states->len == 1 ? "" : "s");
  for (guint i = 0; i < record->flags->len; i++)
    g_string_append_printf (out, ", %s", (const char *) record->flags->pdata[i]);
}

static void append_events (const RspExecutionView *view, guint line, GString *out) {
  for (guint i = 0; i < view->n; i++)
    if (view->events[i].line == line) {
      g_autofree char *sets = g_strjoinv (" ", (char **) view->events[i].sets);
      g_string_append_printf (out, "`%s` is in %s\n\n", view->events[i].text, sets);
    }
}

static void answer (LspServer *server, const LspJob *job, GString *out) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspSource *source = g_hash_table_lookup (server->texts, job->path);
  RspProgram *program = rsp_litmus_parse (source, FALSE, diagnostics);
  const char *name = job->model ? job->model : program ? program->language->default_model : "";
  RspModel *model = program ? lsp_load_model (server, name, job->path, diagnostics) : NULL;
  if (!model) {
    g_string_append (out, "the test or the model has errors");
    return;
  }
  RspRunOptions options
      = { .explain = job->task == LSP_EXPLAIN, .most_shown = EXECUTIONS_LOOKED_AT };
  options.show = job->task == LSP_EVENTS ? RSPCHECK_SHOW_ALL : RSPCHECK_SHOW_NONE;
  rsp_check_options_init (&options.check);
  options.check.timeout = SECONDS;
  g_autoptr (RspRecord) record = rsp_run_begin (program, job->path, name, "");
  rsp_run (program, model, &options, record, diagnostics);
  if (job->task == LSP_VERDICT)
    append_verdict (record, out);
  if (job->task == LSP_EXPLAIN && record->explanations)
    rsp_explanations_format (record->explanations, FALSE, out);
  for (guint i = 0; i < record->shown->len && !out->len; i++)
    append_events (record->shown->pdata[i], job->line, out);
}

static void write_all (int file, const GString *text) {
  for (gsize sent = 0; sent < text->len;) {
    gssize n = write (file, text->str + sent, text->len - sent);
    if (n < 0 && errno != EINTR)
      return;
    sent += n > 0 ? (gsize) n : 0;
  }
}

/* ---- Running ---- */

static void start (LspServer *server, LspJob *job) {
  int ends[2];
  if (pipe (ends) != 0)
    return;
  job->process = fork ();
  if (job->process == 0) {
    g_autoptr (GString) out = g_string_new (NULL);
    close (ends[0]);
    if (job->task == LSP_CHANGES)
      lsp_changes_find (server, job->path, SECONDS, out);
    else
      answer (server, job, out);
    write_all (ends[1], out);
    _exit (0);
  }
  close (ends[1]);
  job->pipe = ends[0];
  if (job->process < 0) {
    close (ends[0]);
    job->process = 0;
  }
}

static void start_more (LspServer *server) {
  guint running = 0;
  for (guint i = 0; i < server->jobs->len; i++)
    running += ((LspJob *) server->jobs->pdata[i])->process != 0;
  for (guint i = 0; i < server->jobs->len && running < MOST_RUNNING; i++) {
    LspJob *job = server->jobs->pdata[i];
    if (job->process)
      continue;
    start (server, job);
    running++;
  }
}

void lsp_job_begin (LspServer *server, LspTask task, const char *id, const LspDocument *document,
                    const char *model, JsonNode *params) {
  LspJob *job = g_new0 (LspJob, 1);
  guint column, at = task == LSP_EVENTS
                         ? lsp_offset (document->source, rsp_json_get (params, "position", NULL),
                                       server->encoding)
                         : 0;
  const char *first = server->models->len ? server->models->pdata[0] : NULL;
  *job = (LspJob){ .task = task,
                   .id = g_strdup (id),
                   .path = g_strdup (document->path),
                   .model = g_strdup (model ? model : first),
                   .params = json_node_ref (params),
                   .output = g_string_new (NULL) };
  rsp_source_position (document->source, at, &job->line, &column);
  g_ptr_array_add (server->jobs, job);
  start_more (server);
}

/* Ends the process, if it runs. */
void lsp_jobs_free (gpointer data) {
  LspJob *job = data;
  if (job->process) {
    kill (job->process, SIGKILL);
    waitpid (job->process, NULL, 0);
    close (job->pipe);
  }
  g_free (job->id);
  g_free (job->path);
  g_free (job->model);
  json_node_unref (job->params);
  g_string_free (job->output, TRUE);
  g_free (job);
}

gboolean lsp_job_cancel (LspServer *server, const char *id, int code, const char *message) {
  gboolean any = FALSE;
  for (guint i = server->jobs->len; i-- > 0;) {
    LspJob *job = server->jobs->pdata[i];
    if (id && !g_str_equal (job->id, id))
      continue;
    lsp_reply_error (server, job->id, code, message);
    g_ptr_array_remove_index (server->jobs, i);
    any = TRUE;
  }
  start_more (server);
  return any;
}

void lsp_jobs_poll (const LspServer *server, GArray *polled) {
  for (guint i = 0; i < server->jobs->len; i++) {
    const LspJob *job = server->jobs->pdata[i];
    const struct pollfd one = { .fd = job->pipe, .events = POLLIN };
    if (job->process)
      g_array_append_val (polled, one);
  }
}

/* ---- Answers ---- */

/* The command of a test's lens explains the verdict; that of a model's does nothing. */
static JsonNode *lens (const LspJob *job) {
  gboolean explains = job->task == LSP_VERDICT;
  g_autofree char *title
      = explains ? g_strdup_printf ("%s: %s", job->model, job->output->str) : NULL;
  JsonArray *arguments = json_array_new ();
  if (explains) {
    rsp_json_add (arguments, json_node_ref (rsp_json_get (job->params, "data", "uri", NULL)));
    rsp_json_add (arguments, rsp_json_text (job->model));
  }
  return rsp_json_object (
      "range", json_node_ref (rsp_json_get (job->params, "range", NULL)), "command",
      rsp_json_object ("title", rsp_json_text (title ? title : job->output->str), "command",
                       rsp_json_text (explains ? "rspcheck.explain" : ""), "arguments",
                       rsp_json_list (arguments), NULL),
      NULL);
}

static void finish (LspServer *server, const LspJob *job) {
  const char *text = job->output->str;
  if (job->task == LSP_VERDICT || job->task == LSP_CHANGES)
    lsp_reply (server, job->id, lens (job));
  else if (!*text)
    lsp_reply (server, job->id, rsp_json_null ());
  else if (job->task == LSP_EVENTS)
    lsp_reply (server, job->id,
               rsp_json_object ("contents",
                                rsp_json_object ("kind", rsp_json_text ("markdown"), "value",
                                                 rsp_json_text (text), NULL),
                                NULL));
  else {
    lsp_notify (
        server, "window/showMessage",
        rsp_json_object ("type", rsp_json_number (3), "message", rsp_json_text (text), NULL));
    lsp_reply (server, job->id, rsp_json_text (text));
  }
}

/* FALSE when the process has written everything. */
static gboolean read_more (LspJob *job) {
  char buffer[65536];
  struct pollfd ready = { .fd = job->pipe, .events = POLLIN };
  if (poll (&ready, 1, 0) <= 0)
    return TRUE;
  gssize n = read (job->pipe, buffer, sizeof buffer);
  if (n > 0)
    g_string_append_len (job->output, buffer, n);
  return n > 0 || (n < 0 && errno == EINTR);
}

void lsp_jobs_read (LspServer *server) {
  for (guint i = server->jobs->len; i-- > 0;) {
    LspJob *job = server->jobs->pdata[i];
    if (!job->process || read_more (job))
      continue;
    finish (server, job);
    g_ptr_array_remove_index (server->jobs, i);
  }
  start_more (server);
}
