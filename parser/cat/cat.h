#pragma once

#include "base/base.h"
#include "lexer/cat.h"
#include "parser/errors.h"
#include "public/rspcheck-enums.h"

/* ---- Tree ----------------------------------------------------------------------------------- */

/* The cat syntax tree: a model file before types and values.
 *
 * Language: docs/cat.md. Sources: Alglave, Cousot, Maranget, "Syntax and semantics of the weak
 * consistency model specification language cat" (2016), and the 2015 OpenCL dialect. */

typedef enum RspCatExprKind {
  RSP_CAT_NAME,       /* name */
  RSP_CAT_TAG,        /* 'name */
  RSP_CAT_EMPTY,      /* 0, {} : the empty set, relation, or set of anything */
  RSP_CAT_UNIVERSE,   /* _ : all events */
  RSP_CAT_UNION,      /* a | b */
  RSP_CAT_INTER,      /* a & b */
  RSP_CAT_DIFF,       /* a \ b */
  RSP_CAT_SEQ,        /* a ; b */
  RSP_CAT_PRODUCT,    /* a * b */
  RSP_CAT_ADD,        /* a ++ b : element a, set b */
  RSP_CAT_COMPLEMENT, /* ~a, !a */
  RSP_CAT_INVERSE,    /* a^-1 */
  RSP_CAT_SQUARE,     /* a^2, a ^ 2 : a * a */
  RSP_CAT_PLUS,       /* a+ */
  RSP_CAT_STAR,       /* a* */
  RSP_CAT_OPTION,     /* a? */
  RSP_CAT_IDENTITY,   /* [a] */
  RSP_CAT_SET,        /* {a, b, …} : items */
  RSP_CAT_TUPLE,      /* (a, b, …) : items; () has none */
  RSP_CAT_APPLY,      /* a b : function a, argument b (a tuple for several) */
  RSP_CAT_FUN,        /* fun pattern -> a */
  RSP_CAT_LET,        /* let bindings in a */
  RSP_CAT_IF,         /* if condition then a else b */
  RSP_CAT_MATCH,      /* match a with clauses */
  RSP_CAT_TRY         /* try a with b */
} RspCatExprKind;

typedef struct RspCatExpr RspCatExpr;

typedef struct RspCatStatement RspCatStatement;

/* A binding pattern: a name, `_` (name is NULL), or a tuple of patterns. */
typedef struct RspCatPattern {
  RspSpan span;
  gboolean is_tuple;
  const char *name;
  struct RspCatPattern **items; /* NULL-terminated; () is the empty tuple */
  guint n_items;
} RspCatPattern;

typedef struct RspCatBinding {
  RspSpan span;
  RspCatPattern *pattern;
  RspCatExpr *value; /* `let f a b = e` is `let f = fun a -> fun b -> e` */
  struct RspCatBinding *next;
} RspCatBinding;

typedef enum RspCatClauseKind {
  RSP_CAT_CLAUSE_TAG,   /* 'name -> */
  RSP_CAT_CLAUSE_ANY,   /* _ -> */
  RSP_CAT_CLAUSE_EMPTY, /* {} -> */
  RSP_CAT_CLAUSE_CONS,  /* x ++ xs -> */
  RSP_CAT_CLAUSE_SPLIT  /* xs U x U ys -> (set matching with three parts) */
} RspCatClauseKind;

typedef struct RspCatClause {
  RspCatClauseKind kind;
  RspSpan span;
  const char *names[3];        /* tag; or x, xs; or xs, x, ys. NULL for `_` */
  RspCatExpr *body;            /* of an expression's clause */
  RspCatStatement *statements; /* of a statement's clause */
  struct RspCatClause *next;
} RspCatClause;

typedef enum RspCatConditionKind {
  RSP_CAT_COND_EQUAL,   /* a = b */
  RSP_CAT_COND_NEQUAL,  /* a != b, a <> b */
  RSP_CAT_COND_SUBSET,  /* a subset b */
  RSP_CAT_COND_IN,      /* a in b : element of a set of sets or relations */
  RSP_CAT_COND_VARIANT, /* "name" or variant "name" */
  RSP_CAT_COND_NOT,     /* not c, ~c */
  RSP_CAT_COND_AND,     /* c && d */
  RSP_CAT_COND_OR       /* c || d */
} RspCatConditionKind;

typedef struct RspCatCondition {
  RspCatConditionKind kind;
  RspSpan span;
  RspCatExpr *a, *b;
  struct RspCatCondition *c, *d;
  const char *variant;
} RspCatCondition;

struct RspCatExpr {
  RspCatExprKind kind;
  RspSpan span;
  guint depth;      /* of the tree below it, 1 for a leaf; the parser refuses more than 1000 */
  const char *name; /* RSP_CAT_NAME, RSP_CAT_TAG (without the quote) */
  RspCatExpr *a, *b;
  RspCatExpr **items; /* RSP_CAT_SET, RSP_CAT_TUPLE */
  guint n_items;
  RspCatPattern *pattern;     /* RSP_CAT_FUN */
  RspCatBinding *bindings;    /* RSP_CAT_LET */
  gboolean recursive;         /* RSP_CAT_LET */
  RspCatClause *clauses;      /* RSP_CAT_MATCH */
  RspCatCondition *condition; /* RSP_CAT_IF */
};

typedef enum RspCatStatementKind {
  RSP_CAT_STMT_LET,       /* bindings, recursive */
  RSP_CAT_STMT_AXIOM,     /* role, axiom, negated, expr, name */
  RSP_CAT_STMT_SHOW,      /* names (show a, b), or expr with name (show e as n) */
  RSP_CAT_STMT_UNSHOW,    /* names */
  RSP_CAT_STMT_INCLUDE,   /* path; once loaded, included holds the file's statements */
  RSP_CAT_STMT_PROCEDURE, /* name, pattern, body, recursive */
  RSP_CAT_STMT_CALL,      /* name (of the procedure), expr, and names[0]: the `as` alias, or NULL */
  RSP_CAT_STMT_ENUM,      /* name, tags */
  RSP_CAT_STMT_FORALL,    /* pattern, expr, body */
  RSP_CAT_STMT_WITH,      /* pattern from expr */
  RSP_CAT_STMT_IF,        /* condition, body, otherwise */
  RSP_CAT_STMT_MATCH,     /* expr, clauses (with statements) */
  RSP_CAT_STMT_INSTRUCTIONS /* bell: instructions R[{'a,'b}]; name and tags, accepted */
} RspCatStatementKind;

struct RspCatStatement {
  RspCatStatementKind kind;
  RspSpan span;
  RspCatStatement *next;
  gboolean recursive;
  RspCatBinding *bindings;
  RspcheckAxiomRole role;
  RspcheckAxiomKind axiom;
  gboolean negated;
  RspCatExpr *expr;
  const char *name;   /* what `as` names, or NULL; what is defined or called */
  RspSpan name_span;  /* of name, or of path */
  const char **names; /* NULL-terminated */
  const char *path;
  RspCatStatement *included;
  RspCatPattern *pattern;
  RspCatStatement *body, *otherwise;
  RspCatCondition *condition;
  RspCatClause *clauses;
};

typedef struct RspCatFile {
  RspArena *arena; /* owns the tree, shared by included files */
  RspSource *source;
  const char *name; /* the model's own name (first line), or NULL */
  RspSpan name_span;
  const char **options; /* "withsc", …: NULL-terminated, in order */
  RspCatStatement *statements;
} RspCatFile;

/* ---- Build ---------------------------------------------------------------------------------- */

/* Building the syntax tree of cat: what the grammar's actions call. Private to the cat front
 * end. */

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

/* ---- Errors --------------------------------------------------------------------------------- */

extern const SyntaxLanguage cat_syntax;
void rsp_cat_too_deep (CatParser *parser, TokenRange range);

/* A hint for an undefined name that is, or resembles, a word that begins a statement. Newly
 * allocated, or NULL. */
char *rsp_cat_word_hint (const char *name);

/* ---- Visit ---------------------------------------------------------------------------------- */

/* Functions called for the parts of a tree, in the order of evaluation; members may be NULL. */
typedef struct RspCatVisitor {
  gboolean (*statement) (gpointer data,
                         const RspCatStatement *statement); /* FALSE: not its parts */
  void (*expr) (gpointer data, const RspCatExpr *expr);     /* before its parts */
  void (*condition) (gpointer data, const RspCatCondition *condition);
  /* A branch of an `if` (0, 1) or `match` (2, …). FALSE: it is not visited. */
  gboolean (*enter_branch) (gpointer data, const RspCatStatement *statement, guint number);
  void (*leave_branch) (gpointer data);
  /* Names are defined until the innermost scope that has been entered is left. A procedure or
   * `forall` is a scope, and so is an expression (NULL). */
  void (*enter_scope) (gpointer data, const RspCatStatement *statement);
  void (*leave_scope) (gpointer data, const RspCatStatement *statement);
  void (*define) (gpointer data, const RspCatPattern *pattern, gboolean is_global);
  void (*define_clause) (gpointer data, const RspCatClause *clause);
  /* Around the value of a recursive definition. */
  void (*recursion) (gpointer data, const RspCatPattern *pattern, gboolean begins);
} RspCatVisitor;

void rsp_cat_visit (const RspCatVisitor *visitor, gpointer data, const RspCatStatement *statement);

/* ---- Parse ---------------------------------------------------------------------------------- */

/* Parses one file into a tree; does not follow includes. NULL after an error, which is reported in
 * diagnostics. The tree lives in arena and points into source, to which the caller keeps a
 * reference. */
RspCatFile *rsp_cat_parse (RspSource *source, RspArena *arena, RspDiagnostics *diagnostics);
