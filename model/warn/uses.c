/* The text is walked in the order of evaluation, with the definitions in scope on a stack. */
#include "model/warn/uses.h"

#include <string.h>

static void walk_expr (RspUses *uses, const RspCatExpr *expr);
static void walk_statements (RspUses *uses, const RspCatStatement *statement);

static gboolean is_letter (char c) { return g_ascii_isalnum (c) || (c && strchr ("_.-'", c)); }

/* The first place of the name in a span. */
static RspSpan find_word (RspSpan span, const char *name) {
  gsize length = strlen (name);
  const char *text = span.source->text;
  for (guint i = span.begin; i + length <= span.end; i++)
    if (strncmp (text + i, name, length) == 0 && !is_letter (text[i + length])
        && (i == span.begin || !is_letter (text[i - 1])))
      return (RspSpan){ span.source, i, i + (guint) length };
  return span;
}

/* A name uses the innermost definition and, if that one is in a branch, also the next. */
static void mark (const RspUses *uses, const char *name) {
  RspDefinition *definition = g_hash_table_lookup (uses->innermost, name);
  for (; definition; definition = definition->outer) {
    definition->used |= !definition->hidden;
    if (!definition->maybe)
      return;
  }
}

static void use (RspUses *uses, const char *name, RspSpan span) {
  const RspUse found = { span, name, g_hash_table_lookup (uses->innermost, name) };
  g_array_append_val (uses->uses, found);
  mark (uses, name);
}

static RspDefinition *define (RspUses *uses, const char *name, RspSpan span) {
  RspDefinition *definition = rsp_arena_new0 (uses->arena, RspDefinition, 1);
  *definition = (RspDefinition){ .name = name, .span = span, .maybe = uses->branches > 0 };
  definition->outer = g_hash_table_lookup (uses->innermost, name);
  g_hash_table_insert (uses->innermost, (gpointer) name, definition);
  g_ptr_array_add (uses->scope, definition);
  g_ptr_array_add (uses->definitions, definition);
  return definition;
}

/* Removes the innermost definitions from scope, so that `length` are left. */
static void leave (RspUses *uses, guint length) {
  for (guint i = uses->scope->len; i-- > length;) {
    RspDefinition *definition = uses->scope->pdata[i];
    g_hash_table_insert (uses->innermost, (gpointer) definition->name, definition->outer);
  }
  g_ptr_array_set_size (uses->scope, (gint) length);
}

static void define_pattern (RspUses *uses, const RspCatPattern *pattern, gboolean is_global) {
  if (!pattern)
    return;
  if (!pattern->is_tuple && pattern->name) {
    RspDefinition *definition = define (uses, pattern->name, pattern->span);
    definition->is_global = is_global;
    definition->pattern = pattern;
  }
  for (guint i = 0; i < pattern->n_items; i++)
    define_pattern (uses, pattern->items[i], is_global);
}

/* Sets whether definitions first … end - 1 are hidden. */
static void hide (RspUses *uses, guint first, guint end, gboolean hidden) {
  for (guint i = first; i < end; i++)
    ((RspDefinition *) uses->scope->pdata[i])->hidden = hidden;
}

static void walk_recursive (RspUses *uses, const RspCatBinding *bindings, gboolean is_global) {
  g_autoptr (GArray) begins
      = g_array_new (FALSE, FALSE, sizeof (guint)); /* of each binding's names */
  for (const RspCatBinding *binding = bindings; binding; binding = binding->next) {
    g_array_append_val (begins, uses->scope->len);
    define_pattern (uses, binding->pattern, is_global);
  }
  g_array_append_val (begins, uses->scope->len);
  guint i = 0;
  for (const RspCatBinding *binding = bindings; binding; binding = binding->next, i++) {
    guint begin = g_array_index (begins, guint, i), end = g_array_index (begins, guint, i + 1);
    hide (uses, begin, end, TRUE);
    walk_expr (uses, binding->value);
    hide (uses, begin, end, FALSE);
  }
}

/* Values see the definitions before them and, with `rec`, each other. */
static void walk_bindings (RspUses *uses, const RspCatBinding *bindings, gboolean recursive,
                           gboolean is_global) {
  if (recursive) {
    walk_recursive (uses, bindings, is_global);
    return;
  }
  for (const RspCatBinding *binding = bindings; binding; binding = binding->next)
    walk_expr (uses, binding->value);
  for (const RspCatBinding *binding = bindings; binding; binding = binding->next)
    define_pattern (uses, binding->pattern, is_global);
}

static void walk_condition (RspUses *uses, const RspCatCondition *condition) {
  if (!condition)
    return;
  walk_expr (uses, condition->a);
  walk_expr (uses, condition->b);
  walk_condition (uses, condition->c);
  walk_condition (uses, condition->d);
}

static void define_clause (RspUses *uses, const RspCatClause *clause) {
  for (guint i = 0; clause->kind != RSP_CAT_CLAUSE_TAG && i < G_N_ELEMENTS (clause->names); i++)
    if (clause->names[i])
      define (uses, clause->names[i], find_word (clause->span, clause->names[i]));
}

static void walk_expr (RspUses *uses, const RspCatExpr *expr) {
  if (!expr)
    return;
  guint scope = uses->scope->len;
  if (expr->kind == RSP_CAT_NAME)
    use (uses, expr->name, expr->span);
  walk_condition (uses, expr->condition);
  for (guint i = 0; i < expr->n_items; i++)
    walk_expr (uses, expr->items[i]);
  walk_bindings (uses, expr->bindings, expr->recursive, FALSE);
  if (expr->kind == RSP_CAT_FUN)
    define_pattern (uses, expr->pattern, FALSE);
  walk_expr (uses, expr->a);
  walk_expr (uses, expr->b);
  for (const RspCatClause *clause = expr->clauses; clause; clause = clause->next) {
    guint inner = uses->scope->len;
    define_clause (uses, clause);
    walk_expr (uses, clause->body);
    leave (uses, inner);
  }
  leave (uses, scope);
}

static void walk_branch (RspUses *uses, const RspCatStatement *body) {
  uses->branches++;
  walk_statements (uses, body);
  uses->branches--;
}

static void walk_procedure (RspUses *uses, const RspCatStatement *statement) {
  guint scope = uses->scope->len;
  define_pattern (uses, statement->pattern, FALSE);
  walk_statements (uses, statement->body);
  leave (uses, scope);
}

static void walk_inside (RspUses *uses, const RspCatStatement *statement) {
  if (statement->kind == RSP_CAT_STMT_PROCEDURE || statement->kind == RSP_CAT_STMT_FORALL) {
    walk_procedure (uses, statement);
    return;
  }
  if (statement->kind == RSP_CAT_STMT_WITH)
    define_pattern (uses, statement->pattern, FALSE);
  walk_branch (uses, statement->body);
  walk_branch (uses, statement->otherwise);
  for (const RspCatClause *clause = statement->clauses; clause; clause = clause->next) {
    define_clause (uses, clause);
    walk_branch (uses, clause->statements);
  }
}

/* Names that a statement itself has. */
static void walk_names (RspUses *uses, const RspCatStatement *statement) {
  switch (statement->kind) {
  case RSP_CAT_STMT_SHOW:
  case RSP_CAT_STMT_UNSHOW:
    for (guint i = 0; statement->names && statement->names[i]; i++)
      use (uses, statement->names[i], find_word (statement->span, statement->names[i]));
    return;
  case RSP_CAT_STMT_CALL:
    use (uses, statement->name, statement->name_span);
    return;
  case RSP_CAT_STMT_PROCEDURE:
  case RSP_CAT_STMT_ENUM:
    define (uses, statement->name, statement->name_span);
    return;
  default:
    return;
  }
}

static void walk_statements (RspUses *uses, const RspCatStatement *statement) {
  for (; statement; statement = statement->next) {
    uses->unread |= statement->kind == RSP_CAT_STMT_INCLUDE && !statement->included;
    walk_names (uses, statement);
    walk_condition (uses, statement->condition);
    walk_expr (uses, statement->expr);
    walk_bindings (uses, statement->bindings, statement->recursive, TRUE);
    walk_inside (uses, statement);
    walk_statements (uses, statement->included);
  }
}

RspUses *rsp_uses_find (const RspModel *model, const char *const *shown) {
  RspUses *uses = g_new0 (RspUses, 1);
  uses->arena = rsp_arena_new ();
  uses->definitions = g_ptr_array_new ();
  uses->uses = g_array_new (FALSE, FALSE, sizeof (RspUse));
  uses->scope = g_ptr_array_new ();
  uses->innermost = g_hash_table_new (g_str_hash, g_str_equal);
  walk_statements (uses, model->statements);
  for (guint i = 0; shown && shown[i]; i++)
    mark (uses, shown[i]);
  return uses;
}

void rsp_uses_free (RspUses *uses) {
  g_ptr_array_unref (uses->definitions);
  g_array_unref (uses->uses);
  g_ptr_array_unref (uses->scope);
  g_hash_table_unref (uses->innermost);
  rsp_arena_free (uses->arena);
  g_free (uses);
}
