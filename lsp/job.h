/* Answers that take a search: each is found by a process of its own, which an edit or the editor
 * can end. */
#pragma once

#include "lsp/server.h"

#include <poll.h>

typedef enum LspTask {
  LSP_VERDICT, /* of a lens, which it completes */
  LSP_EXPLAIN, /* the explanation as text, also shown to the user */
  LSP_CHANGES, /* of a model's lens: which tests its last edit changes */
  LSP_EVENTS   /* hover: the events of a line of the test */
} LspTask;

/* A question about a document: begins to answer the request `id`. model: NULL for the first of
 * those that lenses show. params: of the request. */
void lsp_job_begin (LspServer *server, LspTask task, const char *id, const LspDocument *document,
                    const char *model, JsonNode *params);
/* Ends the request's job, or all of them if id is NULL, with this error. FALSE if there is none. */
gboolean lsp_job_cancel (LspServer *server, const char *id, int code, const char *message);
/* Adds to polled (of struct pollfd) what the jobs wait for. */
void lsp_jobs_poll (const LspServer *server, GArray *polled);
/* Reads what jobs have written, answers those that are complete, and begins those that wait. */
void lsp_jobs_read (LspServer *server);
void lsp_jobs_free (gpointer job);
