/* Warnings about `a ; [S] & r`: `&` binds tighter than `;`, so r is met with the identity on S
 * alone, where most likely the pairs of `a ; [S]` were meant. Parentheses around `[S] & r` say that
 * it is meant. */
#include "model/warn/private.h"

#include <string.h>

typedef struct Walk {
  const RspModel *model;
  RspDiagnostics *diagnostics;
} Walk;

static void look (const Walk *walk, const RspCatExpr *expr);
static void look_in_statements (const Walk *walk, const RspCatStatement *statement);

/* ---- The slip ---- */

static gboolean is_identity (const RspCatExpr *expr) {
  return expr->kind == RSP_CAT_IDENTITY
         || (expr->kind == RSP_CAT_NAME && strcmp (expr->name, "id") == 0);
}

/* The operand of the intersection that is nearest to the `;`: before it, or after it. */
static const RspCatExpr *nearest (const RspCatExpr *meet, gboolean before) {
  if (before)
    return meet->b;
  while (meet->kind == RSP_CAT_INTER)
    meet = meet->a;
  return meet;
}

static gboolean is_all_identity (const RspCatExpr *meet) {
  return meet->kind == RSP_CAT_INTER ? is_all_identity (meet->a) && is_all_identity (meet->b)
                                     : is_identity (meet);
}

static gboolean is_in_parentheses (RspSpan span) {
  const char *text = span.source->text;
  guint begin = span.begin, end = span.end;
  while (begin > 0 && g_ascii_isspace (text[begin - 1]))
    begin--;
  while (g_ascii_isspace (text[end]))
    end++;
  return begin > 0 && text[begin - 1] == '(' && text[end] == ')';
}

static char *text_between (const RspSource *source, guint begin, guint end) {
  g_autofree char *text = g_strndup (source->text + begin, end - begin);
  g_auto (GStrv) words = g_strsplit_set (text, " \t\r\n", -1);
  GString *all = g_string_new (NULL);
  for (guint i = 0; words[i]; i++)
    if (*words[i])
      g_string_append_printf (all, "%s%s", all->len ? " " : "", words[i]);
  return g_string_free (all, FALSE);
}

static void warn (const Walk *walk, RspSpan sequence, RspSpan meet, RspSpan identity,
                  gboolean before) {
  const RspSource *source = meet.source;
  guint begin = before ? meet.begin : sequence.begin, end = before ? sequence.end : meet.end,
        split = before ? identity.begin : identity.end;
  g_autofree char *here = text_between (source, meet.begin, meet.end);
  g_autofree char *left = text_between (source, begin, split);
  g_autofree char *right = text_between (source, split, end);
  g_autofree char *hint = g_strdup_printf (
      before ? "`;` binds looser than `&`; the other reading is `%s (%s)`, and parentheses around "
               "`%s` keep this one"
             : "`;` binds looser than `&`; the other reading is `(%s) %s`, and parentheses around "
               "`%s` keep this one",
      left, right, here);
  rsp_warning (walk->diagnostics, meet, hint, "`%s` relates events to themselves only [-W%s]", here,
               rsp_model_warning_names[RSP_WARN_PRECEDENCE]);
}

static void look_at_operand (const Walk *walk, const RspCatExpr *sequence, const RspCatExpr *meet,
                             gboolean before) {
  if (meet->kind != RSP_CAT_INTER || is_in_parentheses (meet->span))
    return;
  const RspCatExpr *identity = nearest (meet, before);
  if (identity->kind == RSP_CAT_IDENTITY && !is_all_identity (meet))
    warn (walk, sequence->span, meet->span, identity->span, before);
}

/* ---- Everything ---- */

static void look_in_bindings (const Walk *walk, const RspCatBinding *binding) {
  for (; binding; binding = binding->next)
    look (walk, binding->value);
}

static void look_in_condition (const Walk *walk, const RspCatCondition *condition) {
  if (!condition)
    return;
  look (walk, condition->a);
  look (walk, condition->b);
  look_in_condition (walk, condition->c);
  look_in_condition (walk, condition->d);
}

static void look (const Walk *walk, const RspCatExpr *expr) {
  if (!expr)
    return;
  if (expr->kind == RSP_CAT_SEQ) {
    look_at_operand (walk, expr, expr->a, TRUE);
    look_at_operand (walk, expr, expr->b, FALSE);
  }
  look (walk, expr->a);
  look (walk, expr->b);
  for (guint i = 0; i < expr->n_items; i++)
    look (walk, expr->items[i]);
  look_in_bindings (walk, expr->bindings);
  for (const RspCatClause *clause = expr->clauses; clause; clause = clause->next)
    look (walk, clause->body);
  look_in_condition (walk, expr->condition);
}

static void look_in_statements (const Walk *walk, const RspCatStatement *statement) {
  for (; statement; statement = statement->next) {
    if (!warn_is_own (walk->model, statement->span))
      continue;
    look_in_bindings (walk, statement->bindings);
    look (walk, statement->expr);
    look_in_condition (walk, statement->condition);
    look_in_statements (walk, statement->body);
    look_in_statements (walk, statement->otherwise);
    for (const RspCatClause *clause = statement->clauses; clause; clause = clause->next)
      look_in_statements (walk, clause->statements);
  }
}

void warn_of_precedence (const RspModel *model, RspDiagnostics *diagnostics) {
  const Walk walk = { model, diagnostics };
  look_in_statements (&walk, model->statements);
}
