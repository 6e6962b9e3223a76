/* A text that the editor has opened, and positions in texts. */
#pragma once

#include "base/source.h"
#include "base/json.h"

/* What a position's `character` counts: bytes, units of UTF-16, or characters. */
typedef enum LspEncoding { LSP_UTF_8, LSP_UTF_16, LSP_UTF_32 } LspEncoding;

typedef enum LspKind { LSP_TEST, LSP_MODEL, LSP_MAPPING, LSP_KERNEL, LSP_OTHER } LspKind;

typedef struct LspDocument {
  char *uri, *path; /* path: absolute, without links */
  LspKind kind;
  gint64 version;
  RspSource *source; /* named by path */
  RspSource *before; /* before the last edit: what comes between two saves is one */
  gboolean saved;    /* since the last change */
  gboolean changed;  /* since its diagnostics were published */
} LspDocument;

LspDocument *lsp_document_new (const char *uri, gint64 version, const char *text);
void lsp_document_free (LspDocument *document);
/* Applies `contentChanges` in order. */
void lsp_document_change (LspDocument *document, JsonArray *changes, LspEncoding encoding);

/* The byte at a position; a position behind the end of its line, or of the text, is that end. */
guint lsp_offset (const RspSource *source, JsonNode *position, LspEncoding encoding);
/* {start, end} of the bytes begin … end - 1. */
JsonNode *lsp_range (const RspSource *source, guint begin, guint end, LspEncoding encoding);
