/* The language server: messages, and checks in processes of their own. */
#include "api/api.h"
#include "cli/extra.h"
#include "extra/lsp/internal.h"
#include "extra/lsp/lsp.h"
#include "model/model.h"
#include "model/type/type.h"
#include "model/warn/warn.h"
#include "parser/cat/cat.h"
#include "parser/kernel/kernel.h"
#include "parser/layout.h"
#include "parser/litmus/litmus.h"
#include "parser/map/machine.h"
#include "parser/map/map.h"
#include "report/report.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef enum LspTask {
  LSP_VERDICT, /* of a lens, which it completes */
  LSP_EXPLAIN, /* the explanation as text, also shown to the user */
  LSP_CHANGES, /* of a model's lens: which tests its last edit changes */
  LSP_EVENTS,  /* hover: the events of a line of the test */
  LSP_FLAGS,   /* nobody asked: what the test's diagnostics lack, as JSON */
  LSP_REPAIR   /* quick fixes, as JSON */
} LspTask;

/* ---- Server --------------------------------------------------------------------------------- */

/* ---- Messages ---- */
static RspJson *id_node (const char *id) { return rsp_json_parse (id, strlen (id), NULL); }

/* id: of the request, as JSON. */
static void lsp_reply (LspServer *server, const char *id, RspJson *result) {
  lsp_connection_send (&server->connection, rsp_json_object ("jsonrpc", rsp_json_text ("2.0"), "id",
                                                             id_node (id), "result", result, NULL));
}

static void lsp_reply_error (LspServer *server, const char *id, int code, const char *message) {
  RspJson *error
      = rsp_json_object ("code", rsp_json_number (code), "message", rsp_json_text (message), NULL);
  lsp_connection_send (&server->connection, rsp_json_object ("jsonrpc", rsp_json_text ("2.0"), "id",
                                                             id_node (id), "error", error, NULL));
}

static void report_timeout (LspServer *server, const char *id, int seconds) {
  g_autofree char *message = g_strdup_printf ("this took more than %d seconds, or failed", seconds);
  lsp_reply_error (server, id, LSP_REQUEST_FAILED, message);
}

static void lsp_notify (LspServer *server, const char *method, RspJson *params) {
  lsp_connection_send (&server->connection,
                       rsp_json_object ("jsonrpc", rsp_json_text ("2.0"), "method",
                                        rsp_json_text (method), "params", params, NULL));
}

static LspDocument *document_of (const LspServer *server, RspJson *params) {
  const char *uri = rsp_json_as_text (rsp_json_get (params, "textDocument", "uri", NULL));
  return uri ? g_hash_table_lookup (server->documents, uri) : NULL;
}

/* ---- Job ------------------------------------------------------------------------------------ */

/* Answers that take a search: each is found by a process of its own, which an edit or the editor
 * can end. */

enum {
  MOST_RUNNING = 2,
  SECONDS = 10, /* of a search (more is for the command line), and of every other answer */
  LONGEST = 20, /* seconds of the process of a search, which also reads */
  EXECUTIONS_LOOKED_AT = 8 /* for a line's events */
};

typedef struct LspJob {
  LspTask task;
  char *id, *path, *model; /* id: NULL of FLAGS */
  guint line;              /* EVENTS: from 1 */
  RspJson *params;
  pid_t process; /* 0: not begun */
  int pipe;
  gint64 end; /* monotonic time at which it has taken too long */
  GString *output;
} LspJob;

/* ---- In the process ---- */
static void append_answer (LspServer *server, const LspJob *job, GString *out) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspSource *source = g_hash_table_lookup (server->texts, job->path);
  RspProgram *program = rsp_litmus_parse (source, FALSE, diagnostics);
  const char *name = job->model ? job->model : program ? rsp_program_default_model (program) : "";
  RspModel *model = program ? lsp_load_model (server, name, job->path, diagnostics) : NULL;
  if (!model) {
    g_string_append (out, "the test or the model has errors");
    return;
  }
  RspRunOptions options
      = { .explain = job->task == LSP_EXPLAIN, .most_shown = EXECUTIONS_LOOKED_AT };
  options.show = job->task == LSP_EVENTS ? RSPCHECK_SHOW_ALL : RSPCHECK_SHOW_NONE;
  rsp_check_options_init (&options.check);
  options.evidence = job->task != LSP_EVENTS;
  options.check.timeout = SECONDS;
  if (job->task == LSP_REPAIR) {
    g_autoptr (RspJson) found = cli_test_repair () (program, model, &options.check, diagnostics);
    rsp_json_append (found, out);
    return;
  }
  g_autoptr (RspRecord) record = rsp_run_begin (program, job->path, name, "");
  rsp_run (program, model, &options, record, diagnostics);
  if (job->task == LSP_FLAGS)
    lsp_litmus_append_flags (server, source, record, name, out);
  g_autofree char *sentence = rsp_record_sentence (record);
  if (job->task == LSP_VERDICT || job->task == LSP_EXPLAIN)
    g_string_append (out, sentence);
  if (job->task == LSP_EXPLAIN && record->explanations) {
    g_string_append (out, "\n\n");
    rsp_explanations_format (record->explanations, FALSE, out);
  }
  for (guint i = 0; i < record->shown->len && !out->len; i++) {
    const RspExecutionView *view = record->shown->pdata[i];
    for (guint k = 0; k < view->n; k++)
      if (view->events[k].line == job->line) {
        g_autofree char *sets = g_strjoinv (" ", (char **) view->events[k].sets);
        g_string_append_printf (out, "`%s` is in %s\n\n", view->events[k].text, sets);
      }
  }
}

/* ---- Running ---- */
static void start_more (LspServer *server) {
  guint running = 0;
  for (guint i = 0; i < server->jobs->len; i++)
    running += ((LspJob *) server->jobs->pdata[i])->process != 0;
  for (guint i = 0; i < server->jobs->len && running < MOST_RUNNING; i++) {
    LspJob *job = server->jobs->pdata[i];
    if (job->process || (job->task == LSP_FLAGS && running))
      continue; /* what somebody asked comes first */
    int ends[2];
    if (pipe (ends) == 0) {
      job->process = fork ();
      if (job->process == 0) {
        g_autoptr (GString) out = g_string_new (NULL);
        close (ends[0]);
        if (job->task == LSP_CHANGES)
          lsp_changes_find (server, job->path, SECONDS, out);
        else
          append_answer (server, job, out);
        lsp_write (ends[1], out);
        _exit (0);
      }
      close (ends[1]);
      job->pipe = ends[0];
      job->end = g_get_monotonic_time () + LONGEST * G_TIME_SPAN_SECOND;
      if (job->process < 0) {
        close (ends[0]);
        job->process = 0;
      }
    }
    running++;
  }
}

/* A question about a document: begins to answer the request `id`. model: NULL for the first of
 * those that lenses show. params: of the request. */
static void lsp_job_begin (LspServer *server, LspTask task, const char *id,
                           const LspDocument *document, const char *model, RspJson *params) {
  LspJob *job = g_new0 (LspJob, 1);
  guint column, at = task == LSP_EVENTS ? lsp_offset_of (server, document, params) : 0;
  const char *first = server->models->len ? server->models->pdata[0] : NULL;
  *job = (LspJob){ .task = task,
                   .id = g_strdup (id),
                   .path = g_strdup (document->path),
                   .model = g_strdup (model ? model : first),
                   .params = rsp_json_ref (params),
                   .output = g_string_new (NULL) };
  rsp_source_position (document->source, at, &job->line, &column);
  g_ptr_array_add (server->jobs, job);
  start_more (server);
}

/* Ends the process, if it runs. */
static void lsp_jobs_free (gpointer data) {
  LspJob *job = data;
  if (job->process) {
    kill (job->process, SIGKILL);
    waitpid (job->process, NULL, 0);
    close (job->pipe);
  }
  g_free (job->id);
  g_free (job->path);
  g_free (job->model);
  rsp_json_unref (job->params);
  g_string_free (job->output, TRUE);
  g_free (job);
}

/* Ends the request's job, or all of them if id is NULL, with this error. FALSE if there is none.
 * What nobody asked is begun again. */
static gboolean lsp_job_cancel (LspServer *server, const char *id, int code, const char *message) {
  gboolean any = FALSE;
  for (guint i = server->jobs->len; i-- > 0;) {
    LspJob *job = server->jobs->pdata[i];
    LspDocument *document = document_of (server, job->params);
    if (id && g_strcmp0 (job->id, id))
      continue;
    if (job->id)
      lsp_reply_error (server, job->id, code, message);
    else if (document)
      document->changed = TRUE;
    g_ptr_array_remove_index (server->jobs, i);
    any = TRUE;
  }
  start_more (server);
  return any;
}

/* ---- At once ---- */
/* Answers a question about a document; NULL stands for null. */
typedef RspJson *(*Answer) (LspServer *, const LspDocument *, RspJson *);

/* The answer, found by a process of its own: whatever the text does to it, the server lives on.
 * NULL if there is none after SECONDS. */
static RspJson *answer_in_time (LspServer *server, Answer answer, const LspDocument *document,
                                RspJson *params) {
  int ends[2] = { -1, -1 };
  pid_t process = pipe (ends) == 0 ? fork () : -1;
  g_autoptr (GString) text = g_string_new (NULL);
  if (process <= 0) { /* the process, or there can be none */
    RspJson *found = answer (server, document, params);
    found = found ? found : rsp_json_null ();
    if (process < 0) {
      close (ends[0]);
      close (ends[1]);
      return found;
    }
    rsp_json_append_line (rsp_json_object ("answer", found, NULL), text);
    lsp_write (ends[1], text);
    _exit (0);
  }
  close (ends[1]);
  gint64 end = g_get_monotonic_time () + SECONDS * G_TIME_SPAN_SECOND;
  char buffer[65536];
  gssize n = 1;
  for (gint64 now; n > 0 && (now = g_get_monotonic_time ()) < end;) {
    struct pollfd ready = { .fd = ends[0], .events = POLLIN };
    if (poll (&ready, 1, (int) ((end - now) / 1000) + 1) <= 0)
      continue;
    n = read (ends[0], buffer, sizeof buffer);
    g_string_append_len (text, buffer, MAX (n, 0));
  }
  gboolean in_time = n == 0;
  close (ends[0]);
  waitpid (process, NULL, kill (process, SIGKILL) == 0 ? 0 : WNOHANG);
  g_autoptr (RspJson) all = in_time ? rsp_json_parse (text->str, text->len, NULL) : NULL;
  return all ? rsp_json_ref (rsp_json_get (all, "answer", NULL)) : NULL;
}

/* Replies with the answer; { error } is an error. */
static void reply_in_time (LspServer *server, const char *id, Answer answer,
                           const LspDocument *document, RspJson *params) {
  RspJson *found = answer_in_time (server, answer, document, params);
  const char *error = rsp_json_as_text (rsp_json_get (found, "error", NULL));
  if (!found)
    report_timeout (server, id, SECONDS);
  else if (!error) {
    lsp_reply (server, id, found);
    return;
  } else
    lsp_reply_error (server, id, LSP_INVALID_PARAMS, error);
  rsp_json_unref (found);
}

/* ---- Check ---------------------------------------------------------------------------------- */

/* Errors and warnings of a document, as a fresh run reports them. */

/* ---- Where ---- */
static gboolean includes (const RspCatStatement *statement, const RspSource *source) {
  for (; statement; statement = statement->next)
    if (statement->span.source == source || includes (statement->included, source)
        || includes (statement->body, source) || includes (statement->otherwise, source))
      return TRUE;
  return FALSE;
}

/* The include statement of the document by which the model has another text: the one whose
 * statements are from there, or else the last one that was followed. */
static RspSpan include_of (const RspModel *model, const RspSource *source) {
  RspSpan last = RSP_NOWHERE;
  for (const RspCatStatement *statement = model->statements; statement; statement = statement->next)
    if (statement->kind == RSP_CAT_STMT_INCLUDE) {
      if (includes (statement->included, source))
        return statement->name_span;
      if (!statement->included)
        last = last.source ? last : statement->name_span;
    }
  return last;
}

/* The span in the document's own text: that of a kernel has been through the preprocessor. */
static RspSpan span_in (const LspDocument *document, RspSpan span) {
  const RspSource *text = document->source;
  guint offsets[2] = { span.begin, span.end };
  if ((document->kind != LSP_KERNEL && document->kind != LSP_MODULE) || !span.source)
    return span;
  for (guint i = 0; i < 2; i++) {
    guint line, column, end;
    rsp_source_position (span.source, offsets[i], &line, &column);
    line = MIN (line, text->n_lines);
    end = text->lines[line - 1] + (guint) strcspn (text->text + text->lines[line - 1], "\r\n");
    offsets[i] = MIN (text->lines[line - 1] + column - 1, end);
  }
  return (RspSpan){ document->source, offsets[0], offsets[1] };
}

/* ---- As JSON ---- */
static RspJson *related (const LspServer *server, RspSpan span, const char *message) {
  RspJson *location = lsp_location (server, span);
  if (!location)
    return NULL;
  RspJson *array = rsp_json_list ();
  rsp_json_add (array,
                rsp_json_object ("location", location, "message", rsp_json_text (message), NULL));
  return array;
}

static RspJson *diagnostic_node (const LspServer *server, const LspDocument *document,
                                 const RspModel *model, const RspDiagnostic *diagnostic) {
  static const int severities[] = { [RSP_NOTE] = 3, [RSP_WARNING] = 2, [RSP_ERROR] = 1 };
  RspSpan span = span_in (document, diagnostic->span);
  gboolean is_own = !span.source || g_str_equal (span.source->name, document->path);
  RspSpan here = is_own ? span : model ? include_of (model, span.source) : RSP_NOWHERE;
  guint line, column;
  g_autofree char *text = g_strdup (diagnostic->message);
  if (!is_own) {
    rsp_source_position (span.source, span.begin, &line, &column);
    g_free (text);
    text = g_strdup_printf ("%s:%u:%u: %s", span.source->name, line, column, diagnostic->message);
  }
  g_autofree char *message = diagnostic->hint
                                 ? g_strdup_printf ("%s\nhint: %s", text, diagnostic->hint)
                                 : g_strdup (text);
  return rsp_json_object (
      "range", lsp_range (document->source, here.begin, here.end, server->encoding), "severity",
      rsp_json_number (severities[diagnostic->severity]), "source", rsp_json_text ("rspcheck"),
      "message", rsp_json_text (message), "relatedInformation",
      is_own ? NULL : related (server, span, diagnostic->message), NULL);
}

static void add_diagnostic (const LspServer *server, const LspDocument *document,
                            const RspModel *model, const RspDiagnostic *diagnostic,
                            RspJson *array) {
  rsp_json_add (array, diagnostic_node (server, document, model, diagnostic));
}

/* Reports what is wrong in the text, whichever entry is started. */
static void check_module (const LspDocument *document, RspDiagnostics *diagnostics) {
  const CliKernels *language = cli_kernels_of (document->path);
  RspKernelFront *front
      = language->open (NULL, document->path, document->source->text, NULL, diagnostics);
  for (guint i = 0; front && i < front->entries->len && !rsp_diagnostics_count_errors (diagnostics);
       i++) {
    const char *entry = ((char **) front->entries->pdata[i])[0];
    g_autofree char *grid = language->grid (front, entry);
    g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
    g_ptr_array_extend (arguments, (GPtrArray *) front->arguments (front, entry), NULL, NULL);
    g_ptr_array_add (arguments, NULL);
    RspKernelOptions options = { .front = front,
                                 .entry = entry,
                                 .arguments = (const char *const *) arguments->pdata,
                                 .lenient = TRUE };
    rsp_grid_parse (grid, &options.grid);
    rsp_kernel_free (rsp_kernel_read (document->path, &options, diagnostics));
  }
  if (front)
    language->close (front);
}

/* Reads a test; whether its words are those of the model is known once that is loaded. */
static void read_test (LspServer *server, const LspDocument *document,
                       RspDiagnostics *diagnostics) {
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  g_autoptr (RspProgram) program = rsp_litmus_parse (document->source, FALSE, diagnostics);
  const char *name,
      *usual = program && program->words.n ? rsp_program_default_model (program) : NULL;
  for (guint i = 0; usual && (name = lsp_model_name (server, i, usual)); i++) {
    g_autoptr (RspModel) model = lsp_load_model (server, name, document->path, unread);
    if (model)
      rsp_words_bind (program, model, diagnostics);
  }
}

/* Checks the document; `each` adds what it makes of a diagnostic to the list. */
static RspJson *collect (LspServer *server, const LspDocument *document,
                         void (*each) (const LspServer *, const LspDocument *, const RspModel *,
                                       const RspDiagnostic *, RspJson *)) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspModel) model = NULL;
  RspJson *array = rsp_json_list ();
  if (document->kind == LSP_TEST) {
    const CliTests *tests = cli_tests_of (document->source);
    if (tests)
      g_free (tests->read (document->source, diagnostics));
    else
      read_test (server, document, diagnostics);
  } else if (document->kind == LSP_MODEL) {
    model = lsp_read_model (server, document->path, diagnostics);
    /* The model may be NULL, or have errors. */
    if (model && !rsp_diagnostics_count_errors (diagnostics)
        && rsp_model_check_types (model, diagnostics))
      rsp_model_warn (model, 0, NULL, diagnostics);
  } else if (document->kind == LSP_MAPPING) {
    g_auto (GStrv) folders = rsp_directories ("machine", NULL, document->source->name);
    const char *const *path = (const char *const *) folders;
    if (g_str_has_suffix (document->source->name, ".machine"))
      rsp_machine_free (rsp_machine_parse (document->source, path, server->texts, diagnostics));
    else
      rsp_map_free (rsp_map_parse (document->source, path, server->texts, diagnostics));
  } else if (document->kind == LSP_KERNEL)
    rsp_kernel_check (document->path, document->source->text, diagnostics);
  else if (document->kind == LSP_MODULE)
    check_module (document, diagnostics);
  for (guint i = 0; i < rsp_diagnostics_count (diagnostics); i++)
    each (server, document, model, rsp_diagnostics_get (diagnostics, i), array);
  return array;
}

static RspJson *all_diagnostics (LspServer *server, const LspDocument *document, RspJson *params) {
  (void) params;
  return collect (server, document, add_diagnostic);
}

/* The parameters of textDocument/publishDiagnostics. */
static RspJson *lsp_diagnostics (LspServer *server, const LspDocument *document) {
  RspJson *all = answer_in_time (server, all_diagnostics, document, NULL);
  if (!all) {
    g_autofree char *message
        = g_strdup_printf ("checking this text took more than %d seconds, or failed", SECONDS);
    all = rsp_json_list ();
    rsp_json_add (all, rsp_json_object ("range", lsp_range (document->source, 0, 0, LSP_UTF_8),
                                        "severity", rsp_json_number (1), "source",
                                        rsp_json_text ("rspcheck"), "message",
                                        rsp_json_text (message), NULL));
  }
  for (guint i = 0; document->flagged && i < rsp_json_length (document->flagged); i++)
    rsp_json_add (all, rsp_json_ref (rsp_json_item (document->flagged, i)));
  return rsp_json_object ("uri", rsp_json_text (document->uri), "version",
                          rsp_json_number (document->version), "diagnostics", all, NULL);
}

/* ---- Quick fixes ---- */
/* The replacement text: X from "did you mean `X`?", or `_x` for an unused x. NULL if there is none.
 */
static char *replacement (const RspDiagnostic *diagnostic) {
  static const char mean[] = "did you mean `", unused[] = "nothing uses `";
  const char *hint = diagnostic->hint;
  if (hint && g_str_has_prefix (hint, mean) && g_str_has_suffix (hint, "`?")) {
    gboolean is_string = diagnostic->span.source->text[diagnostic->span.begin] == '"';
    g_autofree char *name = g_strndup (hint + strlen (mean), strlen (hint) - strlen (mean) - 2);
    return g_strdup_printf (is_string ? "\"%s\"" : "%s", name);
  }
  if (!g_str_has_prefix (diagnostic->message, unused))
    return NULL;
  RspSpan span = diagnostic->span;
  return g_strdup_printf ("_%.*s", (int) (span.end - span.begin), span.source->text + span.begin);
}

/* Takes diagnostic and range: an action that puts the text there, and so mends what it says. */
static void add_action (const LspDocument *document, RspJson *diagnostic, const char *title,
                        RspJson *range, const char *text, RspJson *array) {
  RspJson *edits = rsp_json_list (), *mended = rsp_json_list ();
  rsp_json_add (edits, rsp_json_object ("range", range, "newText", rsp_json_text (text), NULL));
  rsp_json_add (mended, diagnostic);
  rsp_json_add (array,
                rsp_json_object (
                    "title", rsp_json_text (title), "kind", rsp_json_text ("quickfix"),
                    "diagnostics", mended, "edit",
                    rsp_json_object ("changes", rsp_json_object (document->uri, edits, NULL), NULL),
                    NULL));
}

/* Does the model's own text define the name for those that include it? */
static gboolean defines (RspSource *source, const char *name) {
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  RspArena *arena = rsp_arena_new ();
  const RspCatFile *file
      = strstr (source->text, name) ? rsp_cat_parse (source, arena, unread) : NULL;
  gboolean found = FALSE;
  for (const RspCatStatement *s = file ? file->statements : NULL; s && !found; s = s->next)
    for (const RspCatBinding *binding = s->bindings; binding; binding = binding->next)
      found |= !g_strcmp0 (binding->pattern->name, name);
  rsp_arena_free (arena);
  return found;
}

/* A model in the folder that defines the name, and does not include the document; newly allocated,
 * or NULL. */
static char *definer_in (const LspServer *server, const LspDocument *document, const char *folder,
                         const char *name) {
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  g_autofree char *own = g_path_get_basename (document->path), *found = NULL;
  for (const char *file; files && (file = g_dir_read_name (files));) {
    g_autofree char *path = g_build_filename (folder, file, NULL);
    RspSource *open = g_hash_table_lookup (server->texts, path),
              *source = open ? rsp_source_ref (open) : rsp_source_read (path, NULL);
    gboolean is_earlier = !found || strcmp (file, found) < 0;
    if (source && is_earlier && g_str_has_suffix (file, ".cat") && !g_str_equal (file, own)
        && !strstr (source->text, own) && defines (source, name)) {
      g_free (found);
      found = g_strdup (file);
    }
    if (source)
      rsp_source_unref (source);
  }
  return g_steal_pointer (&found);
}

/* `include` of a model that defines the name, before the first statement. */
static void add_include (const LspServer *server, const LspDocument *document,
                         const RspModel *model, const RspDiagnostic *diagnostic, RspJson *array) {
  RspSpan span = diagnostic->span, top = RSP_NOWHERE;
  g_autofree char *name = rsp_span_text (span), *file = NULL;
  g_auto (GStrv) folders = rsp_directories ("cat", NULL, document->path);
  for (guint i = 0; folders[i] && !file; i++)
    file = definer_in (server, document, folders[i], name);
  for (const RspCatStatement *s = model ? model->statements : NULL; s && !top.source; s = s->next)
    if (g_str_equal (s->span.source->name, document->path))
      top = (RspSpan){ document->source, s->span.begin, s->span.begin };
  if (!file || !top.source)
    return;
  g_autofree char *text = g_strdup_printf ("include \"%s\"\n", file);
  g_autofree char *title = g_strdup_printf ("Include `%s`, which defines `%s`", file, name);
  add_action (document, diagnostic_node (server, document, model, diagnostic), title,
              lsp_range_of (server, top), text, array);
}

static void add_actions (const LspServer *server, const LspDocument *document,
                         const RspModel *model, const RspDiagnostic *diagnostic, RspJson *array) {
  RspSpan span = diagnostic->span;
  if (document->kind == LSP_KERNEL || document->kind == LSP_MODULE || !span.source
      || !g_str_equal (span.source->name, document->path) || span.begin == span.end)
    return;
  g_autofree char *text = replacement (diagnostic);
  g_autofree char *title = text ? g_strdup_printf ("Replace by `%s`", text) : NULL;
  if (text)
    add_action (document, diagnostic_node (server, document, model, diagnostic), title,
                lsp_range_of (server, span), text, array);
  if (document->kind == LSP_MODEL && g_str_has_suffix (diagnostic->message, "` is not defined"))
    add_include (server, document, model, diagnostic, array);
}

/* Does the diagnostic overlap the range? */
static gboolean overlaps (const LspServer *server, const LspDocument *document, RspJson *diagnostic,
                          RspJson *range) {
  const RspSource *source = document->source;
  LspEncoding encoding = server->encoding;
  return lsp_offset (source, rsp_json_get (diagnostic, "range", "start", NULL), encoding)
             <= lsp_offset (source, rsp_json_get (range, "end", NULL), encoding)
         && lsp_offset (source, rsp_json_get (range, "start", NULL), encoding)
                <= lsp_offset (source, rsp_json_get (diagnostic, "range", "end", NULL), encoding);
}

/* The answer to textDocument/codeAction: what the hints suggest. */
static RspJson *lsp_actions (LspServer *server, const LspDocument *document, RspJson *params) {
  g_autoptr (RspJson) all = collect (server, document, add_actions);
  RspJson *actions = rsp_json_as_list (all), *found = rsp_json_list ();
  for (guint i = 0; i < rsp_json_length (actions); i++) {
    RspJson *action = rsp_json_item (actions, i);
    RspJson *mended = rsp_json_as_list (rsp_json_get (action, "diagnostics", NULL));
    if (overlaps (server, document, rsp_json_item (mended, 0),
                  rsp_json_get (params, "range", NULL)))
      rsp_json_add (found, rsp_json_ref (action));
  }
  return found;
}

/* ---- Repairs ---- */
/* The first of the test's flags in the range; NULL if there is none. */
static RspJson *flag_at (const LspServer *server, const LspDocument *document, RspJson *range) {
  for (guint i = 0; document->flagged && i < rsp_json_length (document->flagged); i++) {
    RspJson *flag = rsp_json_item (document->flagged, i);
    if (overlaps (server, document, flag, range))
      return flag;
  }
  return NULL;
}

/* ---- Answers of jobs ---- */
/* The command of a test's lens explains the verdict; that of a model's does nothing. */
static RspJson *lens (const LspJob *job) {
  gboolean explains = job->task == LSP_VERDICT;
  g_autofree char *title
      = explains ? g_strdup_printf ("%s: %s", job->model, job->output->str) : NULL;
  RspJson *arguments = rsp_json_list ();
  if (explains) {
    rsp_json_add (arguments, rsp_json_ref (rsp_json_get (job->params, "data", "uri", NULL)));
    rsp_json_add (arguments, rsp_json_text (job->model));
  }
  return rsp_json_object (
      "range", rsp_json_ref (rsp_json_get (job->params, "range", NULL)), "command",
      rsp_json_object ("title", rsp_json_text (title ? title : job->output->str), "command",
                       rsp_json_text (explains ? "rspcheck.explain" : ""), "arguments", arguments,
                       NULL),
      NULL);
}

/* The quick fixes of hints, and repairs. */
static RspJson *fixes (LspServer *server, const LspJob *job) {
  const LspDocument *document = document_of (server, job->params);
  RspJson *actions = answer_in_time (server, lsp_actions, document, job->params);
  actions = actions ? actions : rsp_json_list ();
  g_autoptr (RspJson) found = rsp_json_parse (job->output->str, job->output->len, NULL);
  RspJson *all = rsp_json_as_list (found),
          *flag = flag_at (server, document, rsp_json_get (job->params, "range", NULL));
  for (guint i = 0; all && i < rsp_json_length (all); i++) {
    RspJson *repair = rsp_json_item (all, i);
    /* repair: one of CliTestRepair. Its edit is what differs from the document. */
    const RspSource *source = document->source;
    const char *text = rsp_json_as_text (rsp_json_get (repair, "source", NULL));
    gsize length = strlen (text), begin = 0, same = 0;
    while (source->text[begin] && source->text[begin] == text[begin])
      begin++;
    while (same < MIN (source->length, length) - begin
           && source->text[source->length - same - 1] == text[length - same - 1])
      same++;
    g_autofree char *title
        = g_strdup_printf ("Repair: %s", rsp_json_as_text (rsp_json_get (repair, "edits", NULL)));
    g_autofree char *instead = g_strndup (text + begin, length - same - begin);
    add_action (
        document, rsp_json_ref (flag), title,
        lsp_range (source, (guint) begin, (guint) (source->length - same), server->encoding),
        instead, actions);
  }
  return actions;
}

static void finish (LspServer *server, const LspJob *job) {
  const char *text = job->output->str;
  if (job->task == LSP_FLAGS) {
    LspDocument *document = document_of (server, job->params);
    g_autoptr (RspJson) found = rsp_json_parse (job->output->str, job->output->len, NULL);
    RspJson *all = rsp_json_as_list (found);
    for (guint i = 0; all && i < rsp_json_length (all); i++)
      rsp_json_add (document->flagged, rsp_json_ref (rsp_json_item (all, i)));
    if (all && rsp_json_length (all))
      lsp_notify (server, "textDocument/publishDiagnostics", lsp_diagnostics (server, document));
    return;
  }
  if (job->task == LSP_VERDICT || job->task == LSP_CHANGES)
    lsp_reply (server, job->id, lens (job));
  else if (job->task == LSP_REPAIR)
    lsp_reply (server, job->id, fixes (server, job));
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

/* ---- Lsp ------------------------------------------------------------------------------------ */

/* The server's loop: messages in the order in which they come, except that a request is not begun
 * that has been cancelled, and that diagnostics wait until no edit is left to apply. */

/* ---- Documents ---- */
static void look_again (LspServer *server, LspKind kind) {
  GHashTableIter iter;
  gpointer other;
  g_hash_table_iter_init (&iter, server->documents);
  while (g_hash_table_iter_next (&iter, NULL, &other))
    ((LspDocument *) other)->changed |= ((LspDocument *) other)->kind == kind;
}

/* A document's text is a new one. What depends on it must be looked at again. */
static void text_changed (LspServer *server, LspDocument *document) {
  g_hash_table_insert (server->texts, g_strdup (document->path), rsp_source_ref (document->source));
  if (document->kind == LSP_MODEL || document->kind == LSP_MAPPING)
    look_again (server, document->kind);
  if (document->kind == LSP_MODEL)
    look_again (server, LSP_TEST);
  lsp_job_cancel (server, NULL, LSP_CONTENT_MODIFIED, "a text has changed");
}

/* ---- Initialization ---- */
static void set_models (LspServer *server, RspJson *settings) {
  RspJson *models = rsp_json_as_list (rsp_json_get (settings, "models", NULL));
  if (!models)
    return;
  g_ptr_array_set_size (server->models, 0);
  for (guint i = 0; i < rsp_json_length (models); i++) {
    const char *name = rsp_json_as_text (rsp_json_item (models, i));
    if (name)
      g_ptr_array_add (server->models, g_strdup (name));
  }
}

static const char *const encodings[] = { "utf-8", "utf-16", "utf-32" };

/* The first of the client's encodings that is one of ours; UTF-16 if it names none. */
static LspEncoding choose_encoding (RspJson *params) {
  RspJson *offered = rsp_json_as_list (
      rsp_json_get (params, "capabilities", "general", "positionEncodings", NULL));
  for (guint i = 0; offered && i < rsp_json_length (offered); i++)
    for (guint k = 0; k < G_N_ELEMENTS (encodings); k++)
      if (!g_strcmp0 (rsp_json_as_text (rsp_json_item (offered, i)), encodings[k]))
        return (LspEncoding) k;
  return LSP_UTF_16;
}

static RspJson *initialize (LspServer *server, RspJson *params) {
  server->initialized = TRUE;
  server->encoding = choose_encoding (params);
  g_free (server->folder);
  RspJson *folders = rsp_json_as_list (rsp_json_get (params, "workspaceFolders", NULL));
  RspJson *first = folders && rsp_json_length (folders) ? rsp_json_item (folders, 0) : NULL;
  const char *uri = rsp_json_as_text (first ? rsp_json_get (first, "uri", NULL)
                                            : rsp_json_get (params, "rootUri", NULL));
  server->folder = uri ? g_filename_from_uri (uri, NULL, NULL) : NULL;
  set_models (server, rsp_json_get (params, "initializationOptions", NULL));
  RspJson *commands = rsp_json_list (), *triggers = rsp_json_list ();
  rsp_json_add (commands, rsp_json_text ("rspcheck.explain"));
  rsp_json_add (triggers, rsp_json_text ("("));
  rsp_json_add (triggers, rsp_json_text (","));
  RspJson *sync = rsp_json_object ("openClose", rsp_json_boolean (TRUE), "change",
                                   rsp_json_number (2), "save", rsp_json_boolean (TRUE), NULL);
  RspJson *capabilities = rsp_json_object (
      "positionEncoding", rsp_json_text (encodings[server->encoding]), "textDocumentSync", sync,
      "hoverProvider", rsp_json_boolean (TRUE), "definitionProvider", rsp_json_boolean (TRUE),
      "referencesProvider", rsp_json_boolean (TRUE), "renameProvider", rsp_json_boolean (TRUE),
      "completionProvider", rsp_json_empty (), "signatureHelpProvider",
      rsp_json_object ("triggerCharacters", triggers, NULL), "documentFormattingProvider",
      rsp_json_boolean (TRUE), "documentSymbolProvider", rsp_json_boolean (TRUE),
      "foldingRangeProvider", rsp_json_boolean (TRUE), "codeActionProvider",
      rsp_json_boolean (TRUE), "codeLensProvider",
      rsp_json_object ("resolveProvider", rsp_json_boolean (TRUE), NULL), "executeCommandProvider",
      rsp_json_object ("commands", commands, NULL), NULL);
  return rsp_json_object ("capabilities", capabilities, "serverInfo",
                          rsp_json_object ("name", rsp_json_text ("rspcheck"), "version",
                                           rsp_json_text (RSP_VERSION), NULL),
                          NULL);
}

/* ---- Requests about a document ---- */
/* The edits that lay the text out; none for one whose tokens are not. */
static RspJson *format (LspServer *server, const LspDocument *document, RspJson *params) {
  (void) params;
  RspSource *source = document->source;
  RspJson *edits = rsp_json_list ();
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  g_autofree char *text = cli_lay_out (source, unread);
  if (text && strcmp (text, source->text) != 0)
    rsp_json_add (edits,
                  rsp_json_object ("range",
                                   lsp_range (source, 0, (guint) source->length, server->encoding),
                                   "newText", rsp_json_text (text), NULL));
  return edits;
}

/* An edit, or { error }. */
static RspJson *rename_name (LspServer *server, const LspDocument *document, RspJson *params) {
  g_autofree char *error = NULL;
  static RspJson *(*const renames[LSP_OTHER + 1]) (LspServer *, const LspDocument *, RspJson *,
                                                   char **)
      = { [LSP_TEST] = lsp_litmus_rename,
          [LSP_MODEL] = lsp_cat_rename,
          [LSP_MAPPING] = lsp_map_rename,
          [LSP_KERNEL] = lsp_kernel_rename };
  RspJson *edit = renames[document->kind](server, document, params, &error);
  return error ? rsp_json_object ("error", rsp_json_text (error), NULL) : edit;
}

static const struct Method {
  const char *name;
  Answer answers[LSP_OTHER + 1]; /* by the document's kind; NULL: null */
} methods[] = {
  { "textDocument/hover",
    { [LSP_MODEL] = lsp_cat_hover,
      [LSP_MAPPING] = lsp_map_hover,
      [LSP_KERNEL] = lsp_kernel_hover } },
  { "textDocument/definition",
    { [LSP_MODEL] = lsp_cat_definition,
      [LSP_TEST] = lsp_litmus_definition,
      [LSP_MAPPING] = lsp_map_definition,
      [LSP_KERNEL] = lsp_kernel_definition } },
  { "textDocument/references",
    { [LSP_MODEL] = lsp_cat_references,
      [LSP_TEST] = lsp_litmus_references,
      [LSP_KERNEL] = lsp_kernel_references } },
  { "textDocument/completion",
    { [LSP_MODEL] = lsp_cat_completion,
      [LSP_TEST] = lsp_litmus_completion,
      [LSP_MAPPING] = lsp_map_completion,
      [LSP_KERNEL] = lsp_kernel_completion } },
  { "textDocument/signatureHelp",
    { [LSP_MODEL] = lsp_cat_signature,
      [LSP_TEST] = lsp_call_signature,
      [LSP_KERNEL] = lsp_call_signature } },
  { "textDocument/rename",
    { [LSP_MODEL] = rename_name,
      [LSP_TEST] = rename_name,
      [LSP_MAPPING] = rename_name,
      [LSP_KERNEL] = rename_name } },
  { "textDocument/formatting",
    { [LSP_MODEL] = format, [LSP_TEST] = format, [LSP_MAPPING] = format } },
  { "textDocument/documentSymbol",
    { [LSP_MODEL] = lsp_cat_symbols,
      [LSP_TEST] = lsp_litmus_symbols,
      [LSP_MAPPING] = lsp_map_symbols,
      [LSP_KERNEL] = lsp_kernel_symbols } },
  { "textDocument/foldingRange",
    { [LSP_MODEL] = lsp_cat_folding,
      [LSP_TEST] = lsp_litmus_folding,
      [LSP_MAPPING] = lsp_litmus_folding,
      [LSP_KERNEL] = lsp_litmus_folding } },
  { "textDocument/codeLens", { [LSP_MODEL] = lsp_cat_lenses, [LSP_TEST] = lsp_litmus_lenses } },
};

/* FALSE if the method is not one of these. */
static gboolean answer_method (LspServer *server, const char *method, const char *id,
                               const LspDocument *document, RspJson *params) {
  for (gsize i = 0; i < G_N_ELEMENTS (methods); i++)
    if (g_str_equal (methods[i].name, method)) {
      Answer answer = document ? methods[i].answers[document->kind] : NULL;
      if (answer)
        reply_in_time (server, id, answer, document, params);
      else
        lsp_reply (server, id, rsp_json_null ());
      return TRUE;
    }
  return FALSE;
}

/* ---- Requests ---- */
/* Begins a search about the document at `uri`. */
static void begin_job (LspServer *server, LspTask task, const char *id, RspJson *uri,
                       RspJson *model, RspJson *params) {
  const char *name = rsp_json_as_text (uri);
  const LspDocument *document = name ? g_hash_table_lookup (server->documents, name) : NULL;
  if (document && document->kind == LSP_TEST)
    lsp_job_begin (server, task, id, document, rsp_json_as_text (model), params);
  else if (document && document->kind == LSP_MODEL && task == LSP_VERDICT)
    lsp_job_begin (server, LSP_CHANGES, id, document, NULL, params);
  else
    lsp_reply_error (server, id, LSP_INVALID_PARAMS, "this is not an open test");
}

static void execute (LspServer *server, const char *id, RspJson *params) {
  RspJson *arguments = rsp_json_as_list (rsp_json_get (params, "arguments", NULL));
  if (g_strcmp0 (rsp_json_as_text (rsp_json_get (params, "command", NULL)), "rspcheck.explain")
      || !arguments || rsp_json_length (arguments) < 1) {
    lsp_reply_error (server, id, LSP_INVALID_PARAMS,
                     "the command is `rspcheck.explain`, with a URI and a model");
    return;
  }
  RspJson *model = rsp_json_length (arguments) > 1 ? rsp_json_item (arguments, 1) : NULL;
  begin_job (server, LSP_EXPLAIN, id, rsp_json_item (arguments, 0), model, params);
}

static void answer_request (LspServer *server, const char *method, const char *id,
                            RspJson *params) {
  const LspDocument *document = document_of (server, params);
  if (g_str_equal (method, "initialize"))
    lsp_reply (server, id, initialize (server, params));
  else if (!server->initialized)
    lsp_reply_error (server, id, LSP_NOT_INITIALIZED, "`initialize` comes first");
  else if (server->shutdown)
    lsp_reply_error (server, id, LSP_INVALID_REQUEST, "the server has been shut down");
  else if (g_str_equal (method, "shutdown")) {
    server->shutdown = TRUE;
    lsp_reply (server, id, rsp_json_null ());
  } else if (g_str_equal (method, "textDocument/hover") && document && document->kind == LSP_TEST)
    lsp_job_begin (server, LSP_EVENTS, id, document, NULL, params);
  else if (g_str_equal (method, "codeLens/resolve"))
    begin_job (server, LSP_VERDICT, id, rsp_json_get (params, "data", "uri", NULL),
               rsp_json_get (params, "data", "model", NULL), params);
  else if (g_str_equal (method, "workspace/executeCommand"))
    execute (server, id, params);
  else if (g_str_equal (method, "textDocument/codeAction") && document) {
    /* With repairs, which take a search, if there is a flag and quick fixes are wanted. */
    RspJson *flag = flag_at (server, document, rsp_json_get (params, "range", NULL)),
            *only = rsp_json_as_list (rsp_json_get (params, "context", "only", NULL));
    gboolean takes_fixes = !only;
    for (guint i = 0; only && i < rsp_json_length (only); i++)
      takes_fixes |= !g_strcmp0 (rsp_json_as_text (rsp_json_item (only, i)), "quickfix");
    if (flag && takes_fixes && cli_test_repair ())
      lsp_job_begin (server, LSP_REPAIR, id, document,
                     rsp_json_as_text (rsp_json_get (flag, "data", NULL)), params);
    else
      reply_in_time (server, id, lsp_actions, document, params);
  } else if (!answer_method (server, method, id, document, params))
    lsp_reply_error (server, id, LSP_UNKNOWN_METHOD, method);
}

static void take_notification (LspServer *server, const char *method, RspJson *params) {
  if (g_str_equal (method, "exit"))
    server->ended = TRUE;
  else if (g_str_equal (method, "textDocument/didOpen")) {
    RspJson *item = rsp_json_get (params, "textDocument", NULL);
    const char *uri = rsp_json_as_text (rsp_json_get (item, "uri", NULL)),
               *text = rsp_json_as_text (rsp_json_get (item, "text", NULL));
    if (uri && text) {
      LspDocument *document = lsp_document_new (
          uri, rsp_json_as_integer (rsp_json_get (item, "version", NULL), 0), text);
      g_hash_table_insert (server->documents, g_strdup (uri), document);
      text_changed (server, document);
    }
  } else if (g_str_equal (method, "textDocument/didChange")) {
    LspDocument *document = document_of (server, params);
    if (document) {
      document->version
          = rsp_json_as_integer (rsp_json_get (params, "textDocument", "version", NULL), 0);
      lsp_document_change (document,
                           rsp_json_as_list (rsp_json_get (params, "contentChanges", NULL)),
                           server->encoding);
      text_changed (server, document);
    }
  } else if (g_str_equal (method, "textDocument/didSave")) {
    LspDocument *document = document_of (server, params);
    if (document)
      document->saved = TRUE;
  } else if (g_str_equal (method, "textDocument/didClose")) {
    LspDocument *document = document_of (server, params);
    if (document) {
      lsp_notify (server, "textDocument/publishDiagnostics",
                  rsp_json_object ("uri", rsp_json_text (document->uri), "diagnostics",
                                   rsp_json_list (), NULL));
      text_changed (server, document);
      g_hash_table_remove (server->texts, document->path);
      g_hash_table_remove (server->documents, document->uri);
    }
  } else if (g_str_equal (method, "workspace/didChangeConfiguration")) {
    set_models (server, rsp_json_get (params, "settings", "rspcheck", NULL));
    look_again (server, LSP_TEST);
  } else if (g_str_equal (method, "$/cancelRequest") && rsp_json_get (params, "id", NULL)) {
    g_autofree char *id = rsp_json_to_string (rsp_json_get (params, "id", NULL));
    lsp_job_cancel (server, id, LSP_CANCELLED, "cancelled");
  }
}

/* ---- The loop ---- */
/* Is a request of the queue cancelled by a later message of it? */
static gboolean is_cancelled (const GPtrArray *queue, guint i, const char *id) {
  while (++i < queue->len)
    if (!g_strcmp0 (rsp_json_as_text (rsp_json_get (queue->pdata[i], "method", NULL)),
                    "$/cancelRequest")
        && rsp_json_get (queue->pdata[i], "params", "id", NULL)) {
      g_autofree char *other
          = rsp_json_to_string (rsp_json_get (queue->pdata[i], "params", "id", NULL));
      if (g_str_equal (other, id))
        return TRUE;
    }
  return FALSE;
}

static void take_message (LspServer *server, const GPtrArray *queue, guint i) {
  RspJson *message = queue->pdata[i], *id_node = rsp_json_get (message, "id", NULL);
  const char *method = rsp_json_as_text (rsp_json_get (message, "method", NULL));
  g_autofree char *id = id_node ? rsp_json_to_string (id_node) : NULL;
  RspJson *params = rsp_json_get (message, "params", NULL);
  g_autoptr (RspJson) none = params ? rsp_json_ref (params) : rsp_json_empty ();
  if (!rsp_json_as_object (message))
    lsp_reply_error (server, "null", LSP_PARSE_ERROR, "this is not a message in JSON");
  else if (method && !id)
    take_notification (server, method, none);
  else if (method && is_cancelled (queue, i, id))
    lsp_reply_error (server, id, LSP_CANCELLED, "cancelled");
  else if (method)
    answer_request (server, method, id, none);
}

/* Waits for messages and for what jobs write. */
static void wait_for_more (LspServer *server) {
  g_autoptr (GArray) polled = g_array_new (FALSE, FALSE, sizeof (struct pollfd));
  const struct pollfd in = { .fd = server->connection.in, .events = POLLIN };
  g_array_append_val (polled, in);
  /* Adds to polled (of struct pollfd) what the jobs wait for. */
  for (guint i = 0; i < server->jobs->len; i++) {
    const LspJob *job = server->jobs->pdata[i];
    const struct pollfd one = { .fd = job->pipe, .events = POLLIN };
    if (job->process)
      g_array_append_val (polled, one);
  }
  poll ((struct pollfd *) (gpointer) polled->data, polled->len, server->jobs->len ? 1000 : -1);
  if (g_array_index (polled, struct pollfd, 0).revents)
    lsp_connection_read (&server->connection);
  /* Reads what jobs have written, answers those that are complete, and begins those that wait. */
  for (guint i = server->jobs->len; i-- > 0;) {
    LspJob *job = server->jobs->pdata[i];
    gboolean is_over_time = job->process && g_get_monotonic_time () > job->end;
    if (!job->process || (read_more (job) && !is_over_time))
      continue;
    if (!is_over_time)
      finish (server, job);
    else if (job->id)
      report_timeout (server, job->id, LONGEST);
    g_ptr_array_remove_index (server->jobs, i);
  }
  start_more (server);
}

/* Publishes what is wrong with the text, and begins to find what a test's verdicts add. */
static void diagnose (LspServer *server, LspDocument *document) {
  g_clear_pointer (&document->flagged, rsp_json_unref);
  lsp_notify (server, "textDocument/publishDiagnostics", lsp_diagnostics (server, document));
  document->changed = FALSE;
  if (document->kind != LSP_TEST)
    return;
  document->flagged = rsp_json_list ();
  g_autoptr (RspJson) params = rsp_json_object (
      "textDocument", rsp_json_object ("uri", rsp_json_text (document->uri), NULL), NULL);
  for (guint i = 0; i < MAX (server->models->len, 1); i++)
    lsp_job_begin (server, LSP_FLAGS, NULL, document,
                   server->models->len ? server->models->pdata[i] : NULL, params);
}

gboolean rsp_lsp_run (int in, int out, const GPtrArray *models) {
  LspServer server = {
    .documents
    = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) lsp_document_free),
    .texts
    = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) rsp_source_unref),
    .models = g_ptr_array_new_with_free_func (g_free),
    .jobs = g_ptr_array_new_with_free_func (lsp_jobs_free),
  };
  signal (SIGPIPE, SIG_IGN);
  /* messages under another number: a model that includes /dev/stdin does not read them */
  int own = dup (in), none = open ("/dev/null", O_RDONLY);
  if (own >= 0 && none >= 0)
    dup2 (none, in);
  lsp_connection_init (&server.connection, own >= 0 ? own : in, out);
  for (guint i = 0; i < models->len; i++)
    g_ptr_array_add (server.models, g_strdup (models->pdata[i]));
  while (!server.ended && !server.connection.ended) {
    wait_for_more (&server);
    g_autoptr (GPtrArray) queue = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_json_unref);
    RspJson *message;
    while ((message = lsp_connection_take (&server.connection)))
      g_ptr_array_add (queue, message);
    for (guint i = 0; i < queue->len && !server.ended; i++)
      take_message (&server, queue, i);
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init (&iter, server.documents);
    while (g_hash_table_iter_next (&iter, NULL, &value)) {
      if (((LspDocument *) value)->changed)
        diagnose (&server, value);
    }
  }
  g_free (server.folder);
  g_ptr_array_unref (server.jobs);
  g_ptr_array_unref (server.models);
  g_hash_table_unref (server.texts);
  g_hash_table_unref (server.documents);
  lsp_connection_clear (&server.connection);
  close (own);
  close (none);
  return server.ended && server.shutdown;
}
