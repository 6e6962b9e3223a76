/* The names of a model, where they are defined and used. */
#pragma once

#include "lsp/server.h"
#include "model/warn/uses.h"

typedef struct LspNames {
  RspModel *model;
  RspUses *uses;
} LspNames;

/* A predefined name. */
typedef struct LspBaseName {
  const char *name, *kind,
      *meaning; /* kind: "set of events"; of an alias: the name that it stands for */
  gboolean is_alias;
} LspBaseName;

/* Ends with a NULL name. */
extern const LspBaseName lsp_base_names[];

/* Of a model as far as it can be read: up to the line of a syntax error in its own text. NULL if
 * there is nothing. */
LspNames *lsp_names_new (LspServer *server, const LspDocument *document);
void lsp_names_free (LspNames *names);

/* The definition to which the name at a byte of the document refers, or that is there; and the
 * name's place. NULL if the model does not define it. */
const RspDefinition *lsp_names_at (const LspNames *names, const LspDocument *document, guint offset,
                                   RspSpan *place);
/* The `let`, or other statement, of which the span is a part; NULL if there is none. */
const RspCatStatement *lsp_statement_of (const RspCatStatement *statements, RspSpan span);
/* NULL if no predefined name is called so. */
const LspBaseName *lsp_base_name (const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LspNames, lsp_names_free)
