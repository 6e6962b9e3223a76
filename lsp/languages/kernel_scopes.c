#include "lsp/languages/kernel_scopes.h"

enum { EVERYWHERE = G_MAXUINT };

gboolean lsp_kernel_name_is_visible (const LspKernelName *name, guint offset) {
  return name->begin <= offset && offset <= name->end;
}

LspKernelName *lsp_kernel_nth (const LspKernelNames *names, guint i) {
  return &g_array_index (names->names, LspKernelName, i);
}

LspKernelName *lsp_kernel_look_up (const LspKernelNames *names, const char *word,
                                   gboolean is_member, gboolean is_tag, guint offset) {
  LspKernelName *found = NULL;
  for (guint i = 0; i < names->names->len; i++) {
    LspKernelName *name = lsp_kernel_nth (names, i);
    if (g_str_equal (name->name, word) && lsp_kernel_name_is_visible (name, offset)
        && (name->kind == LSP_KERNEL_MEMBER) == is_member
        && (name->kind == LSP_KERNEL_TAG) == is_tag && (!found || name->begin > found->begin))
      found = name;
  }
  return found;
}

guint lsp_kernel_declare (LspKernelNames *names, RspSource *source, const LspKernelToken *token,
                          LspKernelKind kind, gboolean is_outer) {
  gboolean is_member = kind == LSP_KERNEL_MEMBER,
           is_anywhere
           = is_member || kind == LSP_KERNEL_MACRO || source != names->sources->pdata[0];
  LspKernelName *old
      = lsp_kernel_look_up (names, token->word, is_member, kind == LSP_KERNEL_TAG, EVERYWHERE);
  is_outer = (is_outer && kind != LSP_KERNEL_PARAMETER) || is_member;
  if (old && is_outer && old->is_outer)
    return (guint) (old - lsp_kernel_nth (names, 0));
  const LspKernelName name = { .name = g_strdup (token->word),
                               .kind = kind,
                               .is_outer = is_outer,
                               .span = { source, token->begin, token->end },
                               .whole_end = token->end,
                               .begin = is_anywhere ? 0 : token->begin,
                               .end = EVERYWHERE };
  g_array_append_val (names->names, name);
  return names->names->len - 1;
}

void lsp_kernel_end_scope (LspKernelNames *names, guint first, guint end) {
  for (guint i = first; i < names->names->len; i++) {
    LspKernelName *name = lsp_kernel_nth (names, i);
    if (!name->is_outer)
      name->end = MIN (name->end, end);
  }
}
