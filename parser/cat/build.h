/* Building the syntax tree of cat: what the grammar's actions call. Private to the cat front
 * end. */
#pragma once

#include "lexer/cat.h"
#include "parser/cat/tree.h"

enum {
  /* The depth of expressions is limited, so that trees can be walked recursively. */
  CAT_MAX_DEPTH = 1000
};

typedef struct CatParser {
  CatScan scan;
  RspArena *arena;
  RspDiagnostics *diagnostics;
  RspCatFile *file;
  gboolean too_deep; /* reported already */
} CatParser;

/* A list of pointers under construction, in the arena. */
typedef struct CatLink CatLink;
typedef struct CatList {
  CatLink *first, *last;
  guint n;
} CatList;

typedef struct CatBindings {
  RspCatBinding *first, *last;
} CatBindings;

typedef struct CatClauses {
  RspCatClause *first, *last;
} CatClauses;

typedef struct CatStatements {
  RspCatStatement *first, *last;
} CatStatements;

CatList cat_append (CatParser *parser, CatList list, gconstpointer item);
CatList cat_concatenate (CatList a, CatList b);
/* The items as an array in the arena, with a NULL after the last. */
gpointer *cat_array (CatParser *parser, CatList list);

/* ---- Expressions ---- */
RspCatExpr *cat_expr (CatParser *parser, TokenRange range, RspCatExprKind kind, RspCatExpr *a,
                      RspCatExpr *b);
RspCatExpr *cat_word (CatParser *parser, TokenRange range, RspCatExprKind kind, const char *name);
/* A set or a tuple. A tuple of one item is that item; a set without items is RSP_CAT_EMPTY. */
RspCatExpr *cat_items (CatParser *parser, TokenRange range, RspCatExprKind kind, CatList items);
RspCatExpr *cat_let (CatParser *parser, TokenRange range, gboolean recursive,
                     RspCatBinding *bindings, RspCatExpr *body);
RspCatExpr *cat_fun (CatParser *parser, TokenRange range, CatList patterns, RspCatExpr *body);
RspCatExpr *cat_if (CatParser *parser, TokenRange range, RspCatCondition *condition,
                    RspCatExpr *yes, RspCatExpr *no);
RspCatExpr *cat_match (CatParser *parser, TokenRange range, RspCatExpr *subject,
                       RspCatClause *clauses);

/* ---- Patterns, bindings, clauses, conditions ---- */
RspCatPattern *cat_pattern (CatParser *parser, TokenRange range, const char *name);
/* A tuple. A tuple of one pattern is that pattern. */
RspCatPattern *cat_tuple_pattern (CatParser *parser, TokenRange range, CatList items);
/* There may be no parameters. */
CatBindings cat_binding (CatParser *parser, TokenRange range, RspCatPattern *pattern,
                         CatList parameters, TokenRange function, RspCatExpr *value);
RspCatClause *cat_clause (CatParser *parser, TokenRange range, RspCatClauseKind kind,
                          const char *first, const char *second, const char *third);
RspCatCondition *cat_compare (CatParser *parser, TokenRange range, RspCatConditionKind kind,
                              RspCatExpr *a, RspCatExpr *b);
RspCatCondition *cat_connect (CatParser *parser, TokenRange range, RspCatConditionKind kind,
                              RspCatCondition *c, RspCatCondition *d);
RspCatCondition *cat_variant (CatParser *parser, TokenRange range, const char *variant);

/* ---- Statements ---- */
RspCatStatement *cat_statement (CatParser *parser, TokenRange range, RspCatStatementKind kind);
CatStatements cat_join (CatStatements a, CatStatements b);
/* What `show` lists. Items are statements of one name or one expression each; the names become one
 * statement, and each expression another. */
CatStatements cat_show (CatParser *parser, TokenRange range, CatList items);
void cat_add_option (CatParser *parser, const char *option);

/* ---- errors.c ---- */
