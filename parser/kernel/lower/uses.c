#include "parser/kernel/lower/uses.h"

#include <string.h>

typedef gboolean (*IsUse) (const KernelExpr *expr, const char *name);

static gboolean is_name (const KernelExpr *expr, const char *name) {
  return expr && expr->kind == KERNEL_NAME && strcmp (expr->name, name) == 0;
}

static gboolean is_assignment (const KernelExpr *expr, const char *name) {
  return (expr->kind == KERNEL_ASSIGN || expr->kind == KERNEL_STEP || expr->kind == KERNEL_ADDRESS)
         && is_name (expr->a, name);
}

static gboolean has_use (const KernelExpr *expr, const char *name, IsUse is_use) {
  if (!expr)
    return FALSE;
  if (is_use (expr, name) || has_use (expr->a, name, is_use) || has_use (expr->b, name, is_use)
      || has_use (expr->c, name, is_use))
    return TRUE;
  for (guint i = 0; i < expr->args.n; i++)
    if (has_use (expr->args.items[i], name, is_use))
      return TRUE;
  return FALSE;
}

gboolean kernel_mentions (const KernelExpr *expr, const char *name) {
  return has_use (expr, name, is_name);
}

gboolean kernel_assigns (const KernelStatement *statement, const char *name) {
  if (!statement)
    return FALSE;
  if (has_use (statement->expr, name, is_assignment)
      || has_use (statement->step, name, is_assignment) || kernel_assigns (statement->init, name)
      || kernel_assigns (statement->body, name) || kernel_assigns (statement->otherwise, name))
    return TRUE;
  for (guint i = 0; i < statement->list.n; i++)
    if (statement->kind == KERNEL_BLOCK
            ? kernel_assigns (statement->list.items[i], name)
            : has_use (((const KernelVariable *) statement->list.items[i])->initial, name,
                       is_assignment))
      return TRUE;
  return FALSE;
}
