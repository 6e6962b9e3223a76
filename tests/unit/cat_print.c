#include "tests/unit/cat_print.h"

static void print_pattern (const RspCatPattern *pattern, GString *out) {
  if (!pattern->is_tuple) {
    g_string_append (out, pattern->name ? pattern->name : "_");
    return;
  }
  g_string_append_c (out, '(');
  for (guint i = 0; i < pattern->n_items; i++) {
    g_string_append (out, i ? "," : "");
    print_pattern (pattern->items[i], out);
  }
  g_string_append_c (out, ')');
}

static void print_bindings (const RspCatBinding *binding, gboolean recursive, GString *out) {
  g_string_append (out, recursive ? "let rec " : "let ");
  for (; binding; binding = binding->next) {
    print_pattern (binding->pattern, out);
    g_string_append (out, " = ");
    cat_print_expr (binding->value, out);
    g_string_append (out, binding->next ? " and " : "");
  }
}

static void print_condition (const RspCatCondition *condition, GString *out) {
  static const char *const signs[] = { "=", "!=", "subset", "in", "", "", "&&", "||" };
  g_string_append_c (out, '<');
  if (condition->kind == RSP_CAT_COND_VARIANT)
    g_string_append_printf (out, "\"%s\"", condition->variant);
  else if (condition->kind == RSP_CAT_COND_NOT) {
    g_string_append (out, "not ");
    print_condition (condition->c, out);
  } else if (condition->a) {
    cat_print_expr (condition->a, out);
    g_string_append_printf (out, " %s ", signs[condition->kind]);
    cat_print_expr (condition->b, out);
  } else {
    print_condition (condition->c, out);
    g_string_append_printf (out, " %s ", signs[condition->kind]);
    print_condition (condition->d, out);
  }
  g_string_append_c (out, '>');
}

#define NAME(i) (clause->names[i] ? clause->names[i] : "_")

static void print_clauses (const RspCatClause *clause, GString *out) {
  for (; clause; clause = clause->next) {
    switch (clause->kind) {
    case RSP_CAT_CLAUSE_TAG:
      g_string_append_printf (out, " || '%s", NAME (0));
      break;
    case RSP_CAT_CLAUSE_ANY:
      g_string_append (out, " || _");
      break;
    case RSP_CAT_CLAUSE_EMPTY:
      g_string_append (out, " || {}");
      break;
    case RSP_CAT_CLAUSE_CONS:
      g_string_append_printf (out, " || %s ++ %s", NAME (0), NAME (1));
      break;
    case RSP_CAT_CLAUSE_SPLIT:
      g_string_append_printf (out, " || %s U %s U %s", NAME (0), NAME (1), NAME (2));
      break;
    }
    g_string_append (out, " -> ");
    if (clause->body)
      cat_print_expr (clause->body, out);
    cat_print_statements (clause->statements, out);
  }
}

static void print_items (const RspCatExpr *expr, const char *open, const char *close,
                         GString *out) {
  g_string_append (out, open);
  for (guint i = 0; i < expr->n_items; i++) {
    g_string_append (out, i ? "," : "");
    cat_print_expr (expr->items[i], out);
  }
  g_string_append (out, close);
}

static void print_unary (const RspCatExpr *expr, const char *before, const char *after,
                         GString *out) {
  g_string_append (out, before);
  cat_print_expr (expr->a, out);
  g_string_append (out, after);
}

static void print_compound (const RspCatExpr *expr, GString *out) {
  g_string_append_c (out, '(');
  if (expr->kind == RSP_CAT_FUN) {
    g_string_append (out, "fun ");
    print_pattern (expr->pattern, out);
    print_unary (expr, " -> ", "", out);
  } else if (expr->kind == RSP_CAT_LET) {
    print_bindings (expr->bindings, expr->recursive, out);
    print_unary (expr, " in ", "", out);
  } else if (expr->kind == RSP_CAT_IF) {
    g_string_append (out, "if ");
    print_condition (expr->condition, out);
    print_unary (expr, " then ", " else ", out);
    cat_print_expr (expr->b, out);
  } else {
    print_unary (expr, "match ", " with", out);
    print_clauses (expr->clauses, out);
  }
  g_string_append_c (out, ')');
}

/* What is written before, between and after the operands of an operator. */
typedef struct Signs {
  const char *before, *between, *after;
} Signs;

static const Signs signs[] = {
  [RSP_CAT_UNION] = { "(", "|", ")" },      [RSP_CAT_INTER] = { "(", "&", ")" },
  [RSP_CAT_DIFF] = { "(", "\\", ")" },      [RSP_CAT_SEQ] = { "(", ";", ")" },
  [RSP_CAT_PRODUCT] = { "(", " x ", ")" },  [RSP_CAT_ADD] = { "(", "++", ")" },
  [RSP_CAT_APPLY] = { "(", " @ ", ")" },    [RSP_CAT_TRY] = { "(try ", " with ", ")" },
  [RSP_CAT_COMPLEMENT] = { "~", NULL, "" }, [RSP_CAT_INVERSE] = { "", NULL, "^-1" },
  [RSP_CAT_SQUARE] = { "", NULL, "^2" },    [RSP_CAT_PLUS] = { "", NULL, "^+" },
  [RSP_CAT_STAR] = { "", NULL, "^*" },      [RSP_CAT_OPTION] = { "", NULL, "^?" },
  [RSP_CAT_IDENTITY] = { "[", NULL, "]" },
};

static void print_operator (const RspCatExpr *expr, GString *out) {
  const Signs *own = &signs[expr->kind];
  g_string_append (out, own->before);
  cat_print_expr (expr->a, out);
  if (own->between) {
    g_string_append (out, own->between);
    cat_print_expr (expr->b, out);
  }
  g_string_append (out, own->after);
}

void cat_print_expr (const RspCatExpr *expr, GString *out) {
  switch (expr->kind) {
  case RSP_CAT_NAME:
    g_string_append (out, expr->name);
    break;
  case RSP_CAT_TAG:
    g_string_append_printf (out, "'%s", expr->name);
    break;
  case RSP_CAT_EMPTY:
    g_string_append_c (out, '0');
    break;
  case RSP_CAT_UNIVERSE:
    g_string_append_c (out, '_');
    break;
  case RSP_CAT_SET:
    print_items (expr, "{", "}", out);
    break;
  case RSP_CAT_TUPLE:
    print_items (expr, "(", ")", out);
    break;
  case RSP_CAT_FUN:
  case RSP_CAT_LET:
  case RSP_CAT_IF:
  case RSP_CAT_MATCH:
    print_compound (expr, out);
    break;
  default:
    print_operator (expr, out);
  }
}

static void print_axiom (const RspCatStatement *statement, GString *out) {
  static const char *const roles[] = { "", "undefined_unless ", "flag ", "assert " };
  static const char *const kinds[] = {
#define RSP_AXIOM_KIND(id, word, closed, reflexive, sets) word,
#include "public/axiom_kinds.def"
  };
  g_string_append (out, roles[statement->role]);
  g_string_append (out, statement->negated ? "~" : "");
  g_string_append_printf (out, "%s ", kinds[statement->axiom]);
  cat_print_expr (statement->expr, out);
  if (statement->name)
    g_string_append_printf (out, " as %s", statement->name);
}

static void print_names (const RspCatStatement *statement, const char *word, GString *out) {
  g_string_append (out, word);
  for (guint i = 0; statement->names && statement->names[i]; i++)
    g_string_append_printf (out, " %s", statement->names[i]);
  if (statement->expr) {
    g_string_append_c (out, ' ');
    cat_print_expr (statement->expr, out);
    g_string_append_printf (out, " as %s", statement->name);
  }
}

static void print_block (const RspCatStatement *statement, GString *out) {
  g_string_append (out, " { ");
  cat_print_statements (statement, out);
  g_string_append (out, " }");
}

static void print_procedure (const RspCatStatement *s, GString *out) {
  g_string_append_printf (out, "procedure%s %s ", s->recursive ? " rec" : "", s->name);
  print_pattern (s->pattern, out);
  print_block (s->body, out);
}

static void print_call (const RspCatStatement *s, GString *out) {
  g_string_append_printf (out, "call %s ", s->name);
  cat_print_expr (s->expr, out);
  if (s->names[0])
    g_string_append_printf (out, " as %s", s->names[0]);
}

static void print_choice (const RspCatStatement *s, GString *out) {
  g_string_append (out, s->kind == RSP_CAT_STMT_WITH ? "with " : "forall ");
  print_pattern (s->pattern, out);
  g_string_append (out, " in ");
  cat_print_expr (s->expr, out);
  if (s->kind == RSP_CAT_STMT_FORALL)
    print_block (s->body, out);
}

static void print_if (const RspCatStatement *s, GString *out) {
  g_string_append (out, "if ");
  print_condition (s->condition, out);
  print_block (s->body, out);
  print_block (s->otherwise, out);
}

static void print_statement (const RspCatStatement *s, GString *out) {
  switch (s->kind) {
  case RSP_CAT_STMT_LET:
    print_bindings (s->bindings, s->recursive, out);
    break;
  case RSP_CAT_STMT_AXIOM:
    print_axiom (s, out);
    break;
  case RSP_CAT_STMT_SHOW:
  case RSP_CAT_STMT_UNSHOW:
    print_names (s, s->kind == RSP_CAT_STMT_SHOW ? "show" : "unshow", out);
    break;
  case RSP_CAT_STMT_INCLUDE:
    g_string_append_printf (out, "include <%s>", s->path);
    break;
  case RSP_CAT_STMT_PROCEDURE:
    print_procedure (s, out);
    break;
  case RSP_CAT_STMT_CALL:
    print_call (s, out);
    break;
  case RSP_CAT_STMT_ENUM:
  case RSP_CAT_STMT_INSTRUCTIONS:
    g_string_append_printf (out, "%s:", s->name);
    print_names (s, s->kind == RSP_CAT_STMT_ENUM ? "enum" : "instructions", out);
    break;
  case RSP_CAT_STMT_FORALL:
  case RSP_CAT_STMT_WITH:
    print_choice (s, out);
    break;
  case RSP_CAT_STMT_IF:
    print_if (s, out);
    break;
  case RSP_CAT_STMT_MATCH:
    g_string_append (out, "match ");
    cat_print_expr (s->expr, out);
    print_clauses (s->clauses, out);
    break;
  }
}

void cat_print_statements (const RspCatStatement *statement, GString *out) {
  for (; statement; statement = statement->next) {
    print_statement (statement, out);
    g_string_append (out, statement->next ? "; " : "");
  }
}
