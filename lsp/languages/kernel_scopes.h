/* The names of a kernel: what declares one, and where it is visible. */
#pragma once

#include "lexer/kernel.h"
#include "lsp/server.h"

typedef enum LspKernelKind {
  LSP_KERNEL_FUNCTION,
  LSP_KERNEL_PARAMETER,
  LSP_KERNEL_VARIABLE,
  LSP_KERNEL_TYPE,
  LSP_KERNEL_TAG, /* of a structure, union or enumeration */
  LSP_KERNEL_MEMBER,
  LSP_KERNEL_ENUMERATOR,
  LSP_KERNEL_MACRO
} LspKernelKind;

typedef struct LspKernelName {
  char *name;
  LspKernelKind kind;
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

gboolean lsp_kernel_name_is_visible (const LspKernelName *name, guint offset);
/* Declares a word from there on, unless that has been done outside of functions: by a prototype, in
 * another branch of #if, in another structure. Its number. */
guint lsp_kernel_declare (LspKernelNames *names, RspSource *source, const LspKernelToken *token,
                          LspKernelKind kind, gboolean is_outer);
/* What functions have declared from this number on is visible up to the byte. */
void lsp_kernel_end_scope (LspKernelNames *names, guint first, guint end);
LspKernelName *lsp_kernel_nth (const LspKernelNames *names, guint i);
/* The innermost name that a word means at a byte; NULL if there is none. Members and tags are apart
 * from others. */
LspKernelName *lsp_kernel_look_up (const LspKernelNames *names, const char *word,
                                   gboolean is_member, gboolean is_tag, guint offset);
