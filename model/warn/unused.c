/* Warnings about definitions in the model's own file that nothing uses.
 *
 * The text is walked in the order of evaluation, with the definitions in scope on a stack: a name
 * uses the innermost one and, if that one is in a branch of an if or match, also the next. There
 * are no warnings if an include was not read, because it may use anything. */
#include "model/warn/private.h"

typedef struct Definition Definition;

struct Definition
{
  const char *name;
  RspSpan span;
  Definition *outer; /* the next of the same name in scope, or NULL */
  gboolean reported; /* to be used if the definition is not */
  gboolean maybe;    /* is it in a branch? */
  gboolean hidden;   /* is its own value being walked? That does not use it */
  gboolean used;
};

typedef struct Uses
{
  const RspModel *model;
  RspArena *arena;
  GPtrArray *all;        /* of Definition: those to report */
  GPtrArray *scope;      /* of Definition: innermost last */
  GHashTable *innermost; /* name → the innermost Definition of it in scope */
  guint branches;        /* number of surrounding branches */
  gboolean unread;
} Uses;

static void walk_expr (Uses *uses, const RspCatExpr *expr);
static void walk_statements (Uses *uses, const RspCatStatement *statement);

static void
use (Uses *uses, const char *name)
{
  Definition *definition = g_hash_table_lookup (uses->innermost, name);
  for (; definition; definition = definition->outer)
    {
      definition->used |= !definition->hidden;
      if (!definition->maybe)
        return;
    }
}

static void
define (Uses *uses, const char *name, RspSpan span, gboolean reported)
{
  if (!name)
    return;
  Definition *definition = rsp_arena_new0 (uses->arena, Definition, 1);
  *definition = (Definition){ .name = name, .span = span, .maybe = uses->branches > 0 };
  definition->reported = reported && name[0] != '_' && warn_is_own (uses->model, span);
  definition->outer = g_hash_table_lookup (uses->innermost, name);
  g_hash_table_insert (uses->innermost, (gpointer) name, definition);
  g_ptr_array_add (uses->scope, definition);
  if (definition->reported)
    g_ptr_array_add (uses->all, definition);
}

/* Removes the innermost definitions from scope, so that `length` are left. */
static void
leave (Uses *uses, guint length)
{
  for (guint i = uses->scope->len; i-- > length;)
    {
      Definition *definition = uses->scope->pdata[i];
      g_hash_table_insert (uses->innermost, (gpointer) definition->name, definition->outer);
    }
  g_ptr_array_set_size (uses->scope, (gint) length);
}

static void
define_pattern (Uses *uses, const RspCatPattern *pattern, gboolean reported)
{
  if (!pattern)
    return;
  if (!pattern->is_tuple)
    define (uses, pattern->name, pattern->span, reported);
  for (guint i = 0; i < pattern->n_items; i++)
    define_pattern (uses, pattern->items[i], reported);
}

/* Sets whether definitions first … end - 1 are hidden. */
static void
hide (Uses *uses, guint first, guint end, gboolean hidden)
{
  for (guint i = first; i < end; i++)
    ((Definition *) uses->scope->pdata[i])->hidden = hidden;
}

static void
walk_recursive (Uses *uses, const RspCatBinding *bindings, gboolean reported)
{
  g_autoptr (GArray) begins
      = g_array_new (FALSE, FALSE, sizeof (guint)); /* of each binding's names */
  for (const RspCatBinding *binding = bindings; binding; binding = binding->next)
    {
      g_array_append_val (begins, uses->scope->len);
      define_pattern (uses, binding->pattern, reported);
    }
  g_array_append_val (begins, uses->scope->len);
  guint i = 0;
  for (const RspCatBinding *binding = bindings; binding; binding = binding->next, i++)
    {
      guint begin = g_array_index (begins, guint, i), end = g_array_index (begins, guint, i + 1);
      hide (uses, begin, end, TRUE);
      walk_expr (uses, binding->value);
      hide (uses, begin, end, FALSE);
    }
}

/* Values see the definitions before them and, with `rec`, each other. */
static void
walk_bindings (Uses *uses, const RspCatBinding *bindings, gboolean recursive, gboolean reported)
{
  if (recursive)
    {
      walk_recursive (uses, bindings, reported);
      return;
    }
  for (const RspCatBinding *binding = bindings; binding; binding = binding->next)
    walk_expr (uses, binding->value);
  for (const RspCatBinding *binding = bindings; binding; binding = binding->next)
    define_pattern (uses, binding->pattern, reported);
}

static void
walk_condition (Uses *uses, const RspCatCondition *condition)
{
  if (!condition)
    return;
  walk_expr (uses, condition->a);
  walk_expr (uses, condition->b);
  walk_condition (uses, condition->c);
  walk_condition (uses, condition->d);
}

static void
define_clause (Uses *uses, const RspCatClause *clause)
{
  for (guint i = 0; clause->kind != RSP_CAT_CLAUSE_TAG && i < G_N_ELEMENTS (clause->names); i++)
    define (uses, clause->names[i], clause->span, FALSE);
}

static void
walk_expr (Uses *uses, const RspCatExpr *expr)
{
  if (!expr)
    return;
  guint scope = uses->scope->len;
  if (expr->kind == RSP_CAT_NAME)
    use (uses, expr->name);
  walk_condition (uses, expr->condition);
  for (guint i = 0; i < expr->n_items; i++)
    walk_expr (uses, expr->items[i]);
  walk_bindings (uses, expr->bindings, expr->recursive, FALSE);
  if (expr->kind == RSP_CAT_FUN)
    define_pattern (uses, expr->pattern, FALSE);
  walk_expr (uses, expr->a);
  walk_expr (uses, expr->b);
  for (const RspCatClause *clause = expr->clauses; clause; clause = clause->next)
    {
      guint inner = uses->scope->len;
      define_clause (uses, clause);
      walk_expr (uses, clause->body);
      leave (uses, inner);
    }
  leave (uses, scope);
}

static void
walk_branch (Uses *uses, const RspCatStatement *body)
{
  uses->branches++;
  walk_statements (uses, body);
  uses->branches--;
}

static void
walk_procedure (Uses *uses, const RspCatStatement *statement)
{
  guint scope = uses->scope->len;
  define_pattern (uses, statement->pattern, FALSE);
  walk_statements (uses, statement->body);
  leave (uses, scope);
}

static void
walk_inside (Uses *uses, const RspCatStatement *statement)
{
  if (statement->kind == RSP_CAT_STMT_PROCEDURE || statement->kind == RSP_CAT_STMT_FORALL)
    {
      walk_procedure (uses, statement);
      return;
    }
  if (statement->kind == RSP_CAT_STMT_WITH)
    define_pattern (uses, statement->pattern, FALSE);
  walk_branch (uses, statement->body);
  walk_branch (uses, statement->otherwise);
  for (const RspCatClause *clause = statement->clauses; clause; clause = clause->next)
    {
      define_clause (uses, clause);
      walk_branch (uses, clause->statements);
    }
}

static void
walk_statements (Uses *uses, const RspCatStatement *statement)
{
  for (; statement; statement = statement->next)
    {
      gboolean shows
          = statement->kind == RSP_CAT_STMT_SHOW || statement->kind == RSP_CAT_STMT_UNSHOW;
      for (guint i = 0; shows && statement->names && statement->names[i]; i++)
        use (uses, statement->names[i]);
      uses->unread |= statement->kind == RSP_CAT_STMT_INCLUDE && !statement->included;
      walk_condition (uses, statement->condition);
      walk_expr (uses, statement->expr);
      walk_bindings (uses, statement->bindings, statement->recursive, TRUE);
      walk_inside (uses, statement);
      walk_statements (uses, statement->included);
    }
}

void
warn_of_unused (const RspModel *model, const char *const *shown, RspDiagnostics *diagnostics)
{
  Uses uses = { .model = model,
                .arena = rsp_arena_new (),
                .all = g_ptr_array_new (),
                .scope = g_ptr_array_new (),
                .innermost = g_hash_table_new (g_str_hash, g_str_equal) };
  walk_statements (&uses, model->statements);
  for (guint i = 0; shown && shown[i]; i++)
    use (&uses, shown[i]);
  for (guint i = 0; i < uses.all->len && !uses.unread; i++)
    {
      const Definition *definition = uses.all->pdata[i];
      if (!definition->used)
        rsp_warning (diagnostics, definition->span, NULL, "nothing uses `%s` [-W%s]",
                     definition->name, rsp_model_warning_names[RSP_WARN_UNUSED]);
    }
  g_ptr_array_unref (uses.all);
  g_ptr_array_unref (uses.scope);
  g_hash_table_unref (uses.innermost);
  rsp_arena_free (uses.arena);
}
