/* Litmus syntax as the grammar builds it, with unresolved names.
 *
 * Statements and expressions are RspStatement and RspExpr from the start; resolution completes them
 * in place. Until then a name is an RSP_EXPR_REGISTER with reg G_MAXUINT, a call holds its name and
 * arguments as written, and a declaration's `reg` is an index into LitmusTest.locals. Everything
 * lives in the program's arena. */
#pragma once

#include "lexer/litmus.h"
#include "parser/litmus/words.h"

enum {
  LITMUS_NONE = -1,
  LITMUS_MAX_ELEMENTS = 4096,   /* of one array */
  LITMUS_MAX_LOCATIONS = 65536, /* of a test */
  LITMUS_MAX_POINTERS = 4       /* stars of one type */
};

/* A list that grows in the arena. */
typedef struct LitmusList {
  gpointer *items;
  guint n;
} LitmusList;

/* Declaration specifiers, collected word by word. */
typedef struct LitmusSpecs {
  TokenRange range;
  const LitmusTypeWord *base; /* PLAIN, NAMED or ATOMIC; NULL: int is implied */
  const LitmusTypeWord *sign, *size, *space;
  guint n_long;
  guint pointers;       /* stars inside `_Atomic (int *)` */
  guint qualifiers;     /* LitmusQualifier bits */
  const char *spelling; /* base, sign and size words as written, such as "unsigned int", or NULL */
} LitmusSpecs;

/* The stars after the specifiers, with the qualifiers of the last one and of the one before it
 * (they qualify the cell that a parameter `T * q * p` points to). */
typedef struct LitmusStars {
  guint n;
  guint last, before; /* LitmusQualifier bits */
  const LitmusTypeWord *last_space, *before_space;
} LitmusStars;

/* `* const x[4]`: what follows the specifiers. */
typedef struct LitmusDeclarator {
  TokenRange range; /* of the name */
  const char *name; /* NULL in a cast */
  LitmusStars stars;
  gboolean is_array;
  gint64 size;          /* 0 for `[]` */
  RspExpr *initialiser; /* NULL: none */
} LitmusDeclarator;

/* A declared register, before its index in RspThread.registers is known. */
typedef struct LitmusLocal {
  const char *name;
  RspType type;
  RspSpan span;
} LitmusLocal;

/* `0:r1`, `x`, `[x]`, `*x`, `&x`, `a[1]`, or a number: an operand of a condition, the target or the
 * value of an initialisation. */
typedef enum LitmusPlaceKind {
  LITMUS_NUMBER,
  LITMUS_REGISTER, /* thread : name */
  LITMUS_NAME,     /* a name alone; `element` if indexed */
  LITMUS_CONTENT,  /* [x], *x */
  LITMUS_ADDRESS   /* &x */
} LitmusPlaceKind;

typedef struct LitmusPlace {
  LitmusPlaceKind kind;
  RspSpan span;
  gint64 number;
  gboolean is_huge; /* is the number 2^63 or more, and `number` 2^64 less? */
  gint64 thread;
  const char *name;
  gint64 element; /* LITMUS_NONE: not indexed */
} LitmusPlace;

typedef struct LitmusInit {
  RspSpan span;
  LitmusSpecs *specs; /* NULL: untyped */
  LitmusStars stars;
  LitmusPlace *place;
  gboolean is_array; /* `a[4]` of a typed item, or braces */
  gint64 size;       /* 0: as many as values */
  gboolean braces;
  LitmusList values; /* of LitmusPlace; empty: 0 */
} LitmusInit;

typedef struct LitmusParameter {
  LitmusSpecs *specs;
  LitmusDeclarator *declarator;
} LitmusParameter;

/* `wg 0` of a thread's head. */
typedef struct LitmusPosition {
  RspSpan span;
  const char *word;
  gint64 number;
} LitmusPosition;

typedef struct LitmusThread {
  RspSpan span; /* of the name */
  const char *name;
  LitmusList positions;  /* of LitmusPosition */
  LitmusList parameters; /* of LitmusParameter */
  RspStatement *body;
  TokenRange raw; /* between the body's braces */
} LitmusThread;

/* A node `(word trees)` of the scope tree, or a thread's name. */
typedef struct LitmusTree {
  RspSpan span;
  const char *word;
  gboolean is_leaf;
  LitmusList children; /* of LitmusTree */
} LitmusTree;

typedef struct LitmusProp LitmusProp;

struct LitmusProp {
  RspPropKind kind;
  RspSpan span;
  LitmusProp *a, *b;
  RspOperator op;
  LitmusPlace *left, *right;
  const LitmusList *values; /* `v={1,2}`: of LitmusPlace; there is no `right` */
};

typedef struct LitmusTest {
  RspLanguageId language;
  const char *name;
  const char *doc;
  const char *hash; /* of a line `Hash=…`; NULL: none */
  RspSpan head;
  LitmusList initial; /* of LitmusInit */
  LitmusList threads; /* of LitmusThread */
  LitmusList locals;  /* of LitmusLocal */
  LitmusList trees;   /* of LitmusTree; scope_tree: was there a scopeTree? */
  gboolean scope_tree;
  RspSpan scope_tree_span;
  gboolean has_locations;
  LitmusList locations; /* of LitmusPlace */
  LitmusProp *filter;
  RspQuantifier quantifier;
  LitmusProp *condition;
} LitmusTest;

typedef struct LitmusParser {
  LitmusScan scan;
  RspArena *arena;
  RspSource *source;
  RspDiagnostics *diagnostics;
  LitmusTest *test;
  gboolean only_question; /* parses a condition on its own; begun: it has been announced */
  gboolean begun;
} LitmusParser;

/* ---- Parsing ---- */

/* Runs the grammar over parser->scan. Zero on success; otherwise an error was reported. Generated
 * from grammar.y. */
int rsp_litmus_yyparse (LitmusParser *parser);

/* ---- Building: lists, sections (build.c) ---- */

/* ---- Building: types (types.c) ---- */

/* ---- Building: code (build_code.c) ---- */

/* ---- Resolution ---- */
