/* How instructions are written, as mappings from a language with tags look at it. */
#pragma once

#include "parser/columns/instruction.h"

/* "ld.acquire.gpu"; suffixes are in the order of the language's list. Newly allocated. */
char *rsp_columns_spell (const ColumnsAlphabet *alphabet, RspSpelling spelling);

/* The bits of all suffixes of the kind. */
guint64 rsp_columns_kind_bits (const ColumnsAlphabet *alphabet, ColumnsKind kind);
/* The values of the kind's suffixes among these, as bits; of the kinds SCOPE, CLASS and SEMANTICS.
 */
guint rsp_columns_values (const ColumnsAlphabet *alphabet, guint64 suffixes, ColumnsKind kind);

/* Do instructions say which storage classes they are about? */
static inline gboolean rsp_columns_has_classes (const ColumnsAlphabet *alphabet) {
  return alphabet->kinds[COLUMNS_SEMANTICS] != NULL;
}
