#pragma once

#include "base/base.h"
#include "base/json.h"
#include "lexer/c.h"
#include "model/model.h"
#include "parser/kernel/kernel.h"
#include "report/record.h"

/* ---- Connection ----------------------------------------------------------------------------- */

/* Messages of JSON-RPC, each after a header with its length, on two file descriptors. */

typedef struct LspConnection {
  int in, out;
  GString *received; /* not yet taken */
  gboolean ended;    /* is there nothing more to read, or has something other than messages come? */
} LspConnection;

void lsp_connection_init (LspConnection *connection, int in, int out);
void lsp_connection_clear (LspConnection *connection);

/* Waits until something arrives, and reads it. */
void lsp_connection_read (LspConnection *connection);

/* The next whole message, or NULL. One that is not JSON is null. */
RspJson *lsp_connection_take (LspConnection *connection);

/* Writes all of the text; FALSE after an error. */
gboolean lsp_write (int file, const GString *text);

/* Takes the message. */
void lsp_connection_send (LspConnection *connection, RspJson *message);

/* ---- Document ------------------------------------------------------------------------------- */

/* A text that the editor has opened, and positions in texts. */

/* What a position's `character` counts: bytes, UTF-16 code units, or characters. */
typedef enum LspEncoding { LSP_UTF_8, LSP_UTF_16, LSP_UTF_32 } LspEncoding;

typedef enum LspKind {
  LSP_TEST,
  LSP_MODEL,
  LSP_MAPPING,
  LSP_KERNEL,
  LSP_MODULE, /* a kernel in another language than OpenCL C */
  LSP_OTHER
} LspKind;

typedef struct LspDocument {
  char *uri, *path; /* path: absolute, without links */
  LspKind kind;
  gint64 version;
  RspSource *source; /* named by path */
  RspSource *before; /* before the last edit: what comes between two saves is one */
  gboolean saved;    /* since the last change */
  gboolean changed;  /* since its diagnostics were published */
  RspJson
      *flagged; /* a test's: what its verdicts so far add to them, each with its model as data */
} LspDocument;

LspDocument *lsp_document_new (const char *uri, gint64 version, const char *text);
void lsp_document_free (LspDocument *document);

/* Applies `contentChanges` in order. */
void lsp_document_change (LspDocument *document, RspJson *changes, LspEncoding encoding);

/* The byte at a position. A position after the end of its line or of the text means that end. */
guint lsp_offset (const RspSource *source, RspJson *position, LspEncoding encoding);

/* {start, end} of the bytes begin … end - 1. */
RspJson *lsp_range (const RspSource *source, guint begin, guint end, LspEncoding encoding);

/* ---- Server --------------------------------------------------------------------------------- */

/* The server's state, private to extra/lsp/. Requests are answered from the texts alone, so that
 * answers do not depend on how they were edited. */

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
  LSP_REQUEST_FAILED = -32803,
  LSP_CANCELLED = -32800,
  LSP_CONTENT_MODIFIED = -32801
};

/* Reads the model at a path as the editor has it, with the errors so far; NULL if there is none. */
RspModel *lsp_read_model (LspServer *server, const char *path, RspDiagnostics *diagnostics);

/* The same for checks: NULL after an error. test: the path of the test, whose folder is searched.
 */
RspModel *lsp_load_model (LspServer *server, const char *name, const char *test,
                          RspDiagnostics *diagnostics);

/* The names of the models that tests are checked under: those of -model, or the usual one; NULL
 * after the last. */
const char *lsp_model_name (const LspServer *server, guint number, const char *usual);

/* Offers the words of the models that tests are checked under; places 0: all words, else those that
 * are expected there, as scopes. */
void lsp_offer_model_words (LspServer *server, const LspDocument *document,
                            const RspLanguage *language, guint places, RspJson *items,
                            GHashTable *offered);

/* {uri, range} of a place in a text; NULL if that is not in a file. */
RspJson *lsp_location (const LspServer *server, RspSpan span);

/* The same for the beginning of a file. */
RspJson *lsp_file (const LspServer *server, const char *path);
RspJson *lsp_range_of (const LspServer *server, RspSpan span);

/* The word (a name of a model, or in C if is_c) around a byte; an empty span if there is none. */
RspSpan lsp_word (RspSource *source, guint offset, gboolean is_c);

/* The first place from a byte on of a word of C; an empty span if there is none. */
RspSpan lsp_next_word (RspSource *source, const char *word, guint from);

/* The quoted text after the word at the beginning of the byte's line; an empty span if the line
 * does not begin with it. */
RspSpan lsp_quoted_after (RspSource *source, guint offset, const char *word);
gboolean lsp_is_c_name (const char *name);

/* The end of the name before the parenthesis that is open before the offset, and how many commas
 * follow it; FALSE if there is none. */
gboolean lsp_call_at (const RspSource *source, guint offset, guint *end, int *commas);

/* Answers: a hover with this text (Markdown) about a place; the signature "f (a, b)" with the
 * number, from 0, of the parameter being written; an edit that puts the name in all places ({uri,
 * range}). */
RspJson *lsp_hover (const LspServer *server, RspSpan place, const char *text);
RspJson *lsp_signature (const char *head, int parameter);
RspJson *lsp_replace_all (RspJson *places, const char *name);

/* The byte at the position that a request is about. */
guint lsp_offset_of (const LspServer *server, const LspDocument *document, RspJson *params);

/* Kinds of symbols in the protocol. */
enum { LSP_SYMBOL_FUNCTION = 12, LSP_SYMBOL_VARIABLE = 13, LSP_SYMBOL_EVENT = 24 };

/* Adds a symbol: all that belongs to it, and its own name. */
void lsp_add_symbol (const LspServer *server, RspJson *array, const char *name, int kind,
                     RspSpan all, RspSpan own);

/* Adds the lines of the span as what can be folded, if it has several. */
void lsp_add_fold (RspJson *array, RspSpan span);

/* Kinds of completions in the protocol. */
typedef enum LspCompletionKind {
  LSP_COMPLETE_FUNCTION = 3,
  LSP_COMPLETE_VARIABLE = 6,
  LSP_COMPLETE_KEYWORD = 14,
  LSP_COMPLETE_CONSTANT = 21,
  LSP_COMPLETE_TYPE = 25
} LspCompletionKind;

/* Adds a completion, unless it is there already. detail may be NULL. */
void lsp_offer (RspJson *items, GHashTable *offered, const char *label, LspCompletionKind kind,
                const char *detail);

/* ---- Changes -------------------------------------------------------------------------------- */

/* Appends how many tests of the workspace, and which, have other verdicts, states or flags since
 * the last edit of the model at the path: under the models of the settings that include it, or else
 * under itself. Stops after so many seconds. Changes texts: for a process of its own. */
void lsp_changes_find (LspServer *server, const char *path, guint seconds, GString *out);

/* ---- Cat ------------------------------------------------------------------------------------ */

/* Requests about models. Each function answers the request of its name; NULL: with null. */

RspJson *lsp_cat_hover (LspServer *server, const LspDocument *document, RspJson *params);
RspJson *lsp_cat_definition (LspServer *server, const LspDocument *document, RspJson *params);
RspJson *lsp_cat_references (LspServer *server, const LspDocument *document, RspJson *params);

/* Refuses, with a reason in *error, a name that cannot be one, or that is already used. */
RspJson *lsp_cat_rename (LspServer *server, const LspDocument *document, RspJson *params,
                         char **error);
RspJson *lsp_cat_completion (LspServer *server, const LspDocument *document, RspJson *params);
RspJson *lsp_cat_signature (LspServer *server, const LspDocument *document, RspJson *params);

/* The lens above an edited model: how many tests of the workspace the edit changes. */
RspJson *lsp_cat_lenses (LspServer *server, const LspDocument *document, RspJson *params);
RspJson *lsp_cat_symbols (LspServer *server, const LspDocument *document, RspJson *params);
RspJson *lsp_cat_folding (LspServer *server, const LspDocument *document, RspJson *params);

/* ---- Kernel --------------------------------------------------------------------------------- */

/* Requests about kernels. */

RspJson *lsp_kernel_hover (LspServer *server, const LspDocument *document, RspJson *params);

/* May also be a file that is included or that declares the name. */
RspJson *lsp_kernel_definition (LspServer *server, const LspDocument *document, RspJson *params);

/* In the document itself. */
RspJson *lsp_kernel_references (LspServer *server, const LspDocument *document, RspJson *params);

/* Refuses, with a reason in *error, a name that is already used, one that another file declares, or
 * one with which the kernel has other errors. */
RspJson *lsp_kernel_rename (LspServer *server, const LspDocument *document, RspJson *params,
                            char **error);
RspJson *lsp_kernel_completion (LspServer *server, const LspDocument *document, RspJson *params);
RspJson *lsp_kernel_symbols (LspServer *server, const LspDocument *document, RspJson *params);

/* ---- Kernel scopes -------------------------------------------------------------------------- */

/* The names of a kernel: what declares one, and where it is visible. */

typedef struct LspKernelName {
  char *name;
  RspKernelNameKind kind;
  gboolean is_outer; /* is it declared outside of functions? */
  RspSpan span;      /* where it is declared; of a function, where its body is */
  guint whole_end;   /* the end of that body, or of the span */
  guint begin, end;  /* the bytes of the text from and to which it is visible */
} LspKernelName;

typedef struct LspKernelNames {
  GArray *names;      /* of LspKernelName, in the order of the text */
  GArray *tokens;     /* of LspKernelToken: words of the text */
  RspArena *arena;    /* of their texts */
  GPtrArray *sources; /* of RspSource: the text, and files that it includes */
} LspKernelNames;

/* ---- For those who find them ---- */
typedef struct LspKernelToken {
  int kind; /* the scanner's */
  guint begin, end;
  const char *word;           /* of a name; else NULL */
  gboolean is_member, is_tag; /* is it that of a member; does it stand behind `struct`? */
  gboolean in_assertion;      /* `//@ assert`: may it be a kernel's parameter? */
} LspKernelToken;

/* ---- Litmus --------------------------------------------------------------------------------- */

/* Requests about tests. */

RspJson *lsp_litmus_definition (LspServer *server, const LspDocument *document, RspJson *params);
RspJson *lsp_litmus_references (LspServer *server, const LspDocument *document, RspJson *params);

/* Gives a thread, location or register another name everywhere. Refuses, with a reason in *error, a
 * name that is already used or that breaks the test. */
RspJson *lsp_litmus_rename (LspServer *server, const LspDocument *document, RspJson *params,
                            char **error);
RspJson *lsp_litmus_symbols (LspServer *server, const LspDocument *document, RspJson *params);
RspJson *lsp_litmus_folding (LspServer *server, const LspDocument *document, RspJson *params);

/* A lens above the condition for each model; its verdict is found when it is resolved. */
RspJson *lsp_litmus_lenses (LspServer *server, const LspDocument *document, RspJson *params);

/* Appends diagnostics, as JSON: one for each event that shows why a flag is raised under the model,
 * whose name is their data. */
void lsp_litmus_append_flags (const LspServer *server, const RspSource *source,
                              const RspRecord *record, const char *model, GString *out);

/* ---- Map ------------------------------------------------------------------------------------ */

/* Requests about mappings. */

RspJson *lsp_map_completion (LspServer *server, const LspDocument *document, RspJson *params);
RspJson *lsp_map_hover (LspServer *server, const LspDocument *document, RspJson *params);

/* The file that the line includes. */
RspJson *lsp_map_definition (LspServer *server, const LspDocument *document, RspJson *params);

/* Gives the mapping itself another name. */
RspJson *lsp_map_rename (LspServer *server, const LspDocument *document, RspJson *params,
                         char **error);
RspJson *lsp_map_symbols (LspServer *server, const LspDocument *document, RspJson *params);

/* ---- Words ---------------------------------------------------------------------------------- */

/* Words of tests and kernels: which may stand at a place, and what they mean. */

RspJson *lsp_litmus_completion (LspServer *server, const LspDocument *document, RspJson *params);

/* The parameters of the atomic operation that is being called, in tests and kernels. */
RspJson *lsp_call_signature (LspServer *server, const LspDocument *document, RspJson *params);

/* What an operation of a kernel takes, or what another word of the language is. */
RspJson *lsp_kernel_word_hover (LspServer *server, const LspDocument *document, RspJson *params);

/* Offers what may stand at a byte of a kernel; TRUE if that is an order or a scope. */
gboolean lsp_offer_kernel_words (LspServer *server, const LspDocument *document, guint offset,
                                 RspJson *items, GHashTable *offered);
