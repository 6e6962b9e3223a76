/* The names with which users switch parts of a model on or off: its axioms, and the variants that
 * it tests for. */
#include "model/names.h"

typedef struct Names {
  GPtrArray *axioms, *variants; /* of const char *; NULL: not collected */
  gboolean plain;               /* collect only axioms that forbid executions */
  RspArena *arena;              /* of places; NULL: unnamed axioms are not collected */
  gboolean undefined;           /* has there been an undefined_unless or requires? */
} Names;

static void collect_expr (Names *names, const RspCatExpr *expr);
static void collect_statements (Names *names, const RspCatStatement *statement);

static void add (GPtrArray *names, const char *name) {
  if (name && names && !g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
    g_ptr_array_add (names, (gpointer) name);
}

static void collect_condition (Names *names, const RspCatCondition *condition) {
  if (!condition)
    return;
  if (condition->kind == RSP_CAT_COND_VARIANT)
    add (names->variants, condition->variant);
  collect_expr (names, condition->a);
  collect_expr (names, condition->b);
  collect_condition (names, condition->c);
  collect_condition (names, condition->d);
}

static void collect_bindings (Names *names, const RspCatBinding *binding) {
  for (; binding; binding = binding->next)
    collect_expr (names, binding->value);
}

static void collect_expr (Names *names, const RspCatExpr *expr) {
  if (!expr)
    return;
  collect_expr (names, expr->a);
  collect_expr (names, expr->b);
  for (guint i = 0; i < expr->n_items; i++)
    collect_expr (names, expr->items[i]);
  collect_bindings (names, expr->bindings);
  for (const RspCatClause *clause = expr->clauses; clause; clause = clause->next)
    collect_expr (names, clause->body);
  collect_condition (names, expr->condition);
}

char *rsp_model_place (RspSpan span) {
  g_autofree char *file = span.source ? g_path_get_basename (span.source->name) : NULL;
  return g_strdup_printf ("line %u of %s", rsp_span_line (span), file ? file : "?");
}

static void add_axiom (Names *names, const RspCatStatement *statement) {
  g_autofree char *place = rsp_model_place (statement->span);
  if (names->plain && statement->role != RSPCHECK_ROLE_AXIOM)
    return;
  if (statement->name)
    add (names->axioms, statement->name);
  else if (names->arena)
    add (names->axioms, rsp_arena_strdup (names->arena, place));
}

/* An include in a branch that is not taken has no statements, since it is not read. */
static void collect_statements (Names *names, const RspCatStatement *statement) {
  for (; statement; statement = statement->next) {
    if (statement->kind == RSP_CAT_STMT_AXIOM) {
      add_axiom (names, statement);
      names->undefined |= statement->role == RSPCHECK_ROLE_UNDEFINED_UNLESS;
    }
    if (statement->kind == RSP_CAT_STMT_CALL && statement->names)
      add (names->axioms, statement->names[0]);
    collect_bindings (names, statement->bindings);
    collect_expr (names, statement->expr);
    collect_condition (names, statement->condition);
    collect_statements (names, statement->included);
    collect_statements (names, statement->body);
    collect_statements (names, statement->otherwise);
    for (const RspCatClause *clause = statement->clauses; clause; clause = clause->next)
      collect_statements (names, clause->statements);
  }
}

void rsp_model_collect_names (const RspModel *model, GPtrArray *axioms, GPtrArray *variants) {
  Names names = { .axioms = axioms, .variants = variants, .arena = model->arena };
  collect_statements (&names, model->statements);
}

void rsp_model_collect_plain_axioms (const RspModel *model, GPtrArray *axioms) {
  Names names = { .axioms = axioms, .plain = TRUE, .arena = model->arena };
  collect_statements (&names, model->statements);
}

gboolean rsp_model_has_undefined (const RspModel *model) {
  g_autoptr (GPtrArray) axioms = g_ptr_array_new ();
  g_autoptr (GPtrArray) variants = g_ptr_array_new ();
  Names names = { .axioms = axioms, .variants = variants };
  collect_statements (&names, model->statements);
  return names.undefined;
}
