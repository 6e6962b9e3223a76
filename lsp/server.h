/* What the server knows, private to lsp/. A request is answered from the texts alone, so that an
 * answer does not depend on how they came about. */
#pragma once

#include "base/diagnostic.h"
#include "lsp/connection.h"
#include "lsp/document.h"
#include "model/load.h"

typedef struct LspServer {
  LspConnection connection;
  LspEncoding encoding;
  GHashTable *documents; /* URI → LspDocument */
  GHashTable *texts;     /* path → its RspSource, of these documents */
  GPtrArray *models; /* of char *: for the verdicts over tests; empty: each language's default */
  GPtrArray *jobs;   /* of LspJob */
  char *folder;      /* the workspace's; NULL: the client has none */
  gboolean initialized, shutdown, ended;
} LspServer;

/* Codes of errors. */
enum {
  LSP_INVALID_REQUEST = -32600,
  LSP_UNKNOWN_METHOD = -32601,
  LSP_INVALID_PARAMS = -32602,
  LSP_PARSE_ERROR = -32700,
  LSP_NOT_INITIALIZED = -32002,
  LSP_CANCELLED = -32800,
  LSP_CONTENT_MODIFIED = -32801
};

/* id: of the request, as JSON. */
void lsp_reply (LspServer *server, const char *id, JsonNode *result);
void lsp_reply_error (LspServer *server, const char *id, int code, const char *message);
void lsp_notify (LspServer *server, const char *method, JsonNode *params);

/* Reads the model at a path as the editor has it, with the errors so far; NULL if there is none. */
RspModel *lsp_read_model (LspServer *server, const char *path, RspDiagnostics *diagnostics);
/* The same for checks: NULL after an error. test: the path of the test, whose folder is searched.
 */
RspModel *lsp_load_model (LspServer *server, const char *name, const char *test,
                          RspDiagnostics *diagnostics);

/* {uri, range} of a place in a text; NULL if that is not in a file. */
JsonNode *lsp_location (const LspServer *server, RspSpan span);
/* The same of the beginning of a file. */
JsonNode *lsp_file (const LspServer *server, const char *path);
JsonNode *lsp_range_of (const LspServer *server, RspSpan span);

/* The word (a name of a model, or in C if is_c) around a byte; an empty span if there is none. */
RspSpan lsp_word (RspSource *source, guint offset, gboolean is_c);
/* The first place from a byte on of a word of C; an empty span if there is none. */
RspSpan lsp_next_word (RspSource *source, const char *word, guint from);
/* What is in quotes behind the word, with which the line of the byte begins; an empty span if it
 * does not. */
RspSpan lsp_quoted_after (RspSource *source, guint offset, const char *word);
gboolean lsp_is_c_name (const char *name);
/* The end of the name before the parenthesis that is open before the offset, and how many commas
 * follow it; FALSE if there is none. */
gboolean lsp_call_at (const RspSource *source, guint offset, guint *end, int *commas);

/* Answers: a hover with this text (Markdown) about a place; the signature "f (a, b)" with a
 * parameter, from 0, that is being written; an edit that puts the name in all places, of {uri,
 * range}. */
JsonNode *lsp_hover (const LspServer *server, RspSpan place, const char *text);
JsonNode *lsp_signature (const char *head, int parameter);
JsonNode *lsp_replace_all (JsonNode *places, const char *name);

/* Kinds of completions in the protocol. */
typedef enum LspCompletionKind {
  LSP_COMPLETE_FUNCTION = 3,
  LSP_COMPLETE_VARIABLE = 6,
  LSP_COMPLETE_KEYWORD = 14,
  LSP_COMPLETE_CONSTANT = 21,
  LSP_COMPLETE_TYPE = 25
} LspCompletionKind;

/* Adds a completion, unless it is there already. detail: NULL if there is none. */
void lsp_offer (JsonArray *items, GHashTable *offered, const char *label, LspCompletionKind kind,
                const char *detail);
