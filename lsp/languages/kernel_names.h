/* The names of a kernel's file: where each is declared, and where it is visible. They are found
 * token by token in the text before the preprocessor: so macros are among them, and a text with
 * errors has names. */
#pragma once

#include "lsp/languages/kernel_scopes.h"

/* Also those of files that it includes with quotes: as the editor has them, or from disk. */
LspKernelNames *lsp_kernel_names_new (const LspServer *server, const LspDocument *document);
void lsp_kernel_names_free (LspKernelNames *names);

/* What the word around a byte means, and its place; NULL if no such name is declared. */
const LspKernelName *lsp_kernel_name_at (const LspKernelNames *names, guint offset, RspSpan *place);
/* The places (of RspSpan) of the text, in order, at which the word means the same as at `place`.
 * Newly allocated. */
GArray *lsp_kernel_name_uses (const LspKernelNames *names, RspSpan place);
/* The absolute path that `#include "name"` means in the file `from`. Newly allocated. */
char *lsp_kernel_included_path (const char *from, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LspKernelNames, lsp_kernel_names_free)
