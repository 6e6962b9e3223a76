/* Litmus syntax before resolution: what the grammar builds, names still unresolved.
 *
 * Statements and expressions are RspStatement and RspExpr from the start; resolution completes them
 * in place. Until then a name is an RSP_EXPR_REGISTER with reg G_MAXUINT, a call holds its name and
 * arguments as written, and a declaration's `reg` is an index into LitmusTest.locals. Everything
 * lives in the program's arena. */
#ifndef RSP_LITMUS_SYNTAX_H
#define RSP_LITMUS_SYNTAX_H

#include "lexer/litmus_scan.h"
#include "parser/litmus/words.h"

enum
{
  LITMUS_NONE = -1,
  LITMUS_MAX_ELEMENTS = 4096, /* of one array */
  LITMUS_MAX_POINTERS = 4     /* stars of one type */
};

/* A list that grows in the arena. */
typedef struct LitmusList
{
  gpointer *items;
  guint n;
} LitmusList;

/* Declaration specifiers, collected word by word. */
typedef struct LitmusSpecs
{
  LitmusRange range;
  const LitmusTypeWord *base; /* PLAIN, NAMED or ATOMIC; NULL: int is meant */
  const LitmusTypeWord *sign, *size, *space;
  guint n_long;
  guint qualifiers;     /* LitmusQualifier bits */
  const char *spelling; /* base, sign and size words as written: "unsigned int"; NULL: none */
} LitmusSpecs;

/* The stars after the specifiers, with the qualifiers of the last one and of the one before it
 * (they qualify the cell that a parameter `T * q * p` points to). */
typedef struct LitmusStars
{
  guint n;
  guint last, before; /* LitmusQualifier bits */
  const LitmusTypeWord *last_space, *before_space;
} LitmusStars;

/* `* const x[4]`: what follows the specifiers. */
typedef struct LitmusDeclarator
{
  LitmusRange range; /* of the name */
  const char *name;  /* NULL in a cast */
  LitmusStars stars;
  gboolean is_array;
  gint64 size;          /* 0 for `[]` */
  RspExpr *initialiser; /* NULL: none */
} LitmusDeclarator;

/* A declared register, before its place in RspThread.registers is known. */
typedef struct LitmusLocal
{
  const char *name;
  RspType type;
  RspSpan span;
} LitmusLocal;

/* `0:r1`, `x`, `[x]`, `*x`, `&x`, `a[1]`, or a number: an operand of a condition, the target or the
 * value of an initialisation. */
typedef enum LitmusPlaceKind
{
  LITMUS_NUMBER,
  LITMUS_REGISTER, /* thread : name */
  LITMUS_NAME,     /* bare; element when indexed */
  LITMUS_CONTENT,  /* [x], *x */
  LITMUS_ADDRESS   /* &x */
} LitmusPlaceKind;

typedef struct LitmusPlace
{
  LitmusPlaceKind kind;
  RspSpan span;
  gint64 number;
  gboolean is_unsigned; /* LITMUS_NUMBER: above the largest signed value */
  gint64 thread;
  const char *name;
  gint64 element; /* LITMUS_NONE: not indexed */
} LitmusPlace;

typedef struct LitmusInit
{
  RspSpan span;
  LitmusSpecs *specs; /* NULL: untyped */
  LitmusStars stars;
  LitmusPlace *place;
  gboolean is_array; /* `a[4]` of a typed item, or braces */
  gint64 size;       /* 0: as many as values */
  gboolean braces;
  LitmusList values; /* of LitmusPlace; empty: 0 */
} LitmusInit;

typedef struct LitmusParameter
{
  LitmusSpecs *specs;
  LitmusDeclarator *declarator;
} LitmusParameter;

/* `wg 0` of a thread's head. */
typedef struct LitmusPosition
{
  RspSpan span;
  const char *word;
  gint64 number;
} LitmusPosition;

typedef struct LitmusThread
{
  RspSpan span; /* of the name */
  const char *name;
  LitmusList positions;  /* of LitmusPosition */
  LitmusList parameters; /* of LitmusParameter */
  RspStatement *body;
  LitmusRange raw; /* between the body's braces */
} LitmusThread;

/* A node `(word trees)` of the scope tree, or a thread's name. */
typedef struct LitmusTree
{
  RspSpan span;
  const char *word;
  gboolean is_leaf;
  LitmusList children; /* of LitmusTree */
} LitmusTree;

typedef struct LitmusProp LitmusProp;

struct LitmusProp
{
  RspPropKind kind;
  RspSpan span;
  LitmusProp *a, *b;
  RspOperator op;
  LitmusPlace *left, *right;
};

typedef struct LitmusTest
{
  RspDialect dialect;
  const char *name;
  const char *doc;
  RspSpan head;
  LitmusList initial; /* of LitmusInit */
  LitmusList threads; /* of LitmusThread */
  LitmusList locals;  /* of LitmusLocal */
  LitmusList trees;   /* of LitmusTree; scope_tree tells whether there was a scopeTree */
  gboolean scope_tree;
  RspSpan scope_tree_span;
  gboolean has_locations;
  LitmusList locations; /* of LitmusPlace */
  LitmusProp *filter;
  RspQuantifier quantifier;
  LitmusProp *condition;
} LitmusTest;

typedef struct LitmusParser
{
  LitmusScan scan;
  RspArena *arena;
  RspSource *source;
  RspDiagnostics *diagnostics;
  LitmusTest *test;
  gboolean only_question; /* a question that stands alone; begun: it has been announced */
  gboolean begun;
} LitmusParser;

/* ---- Parsing ----------------------------------------------------------------------------------
 */

/* Runs the grammar over parser->scan. Zero on success; otherwise an error was reported. Generated
 * from grammar.y. */
int rsp_litmus_yyparse (LitmusParser *parser);

/* Reports a syntax error at range: what was found there, and which of the expected tokens (by their
 * names in the grammar) were expected. */
void litmus_syntax_error (LitmusParser *parser, LitmusRange range, gboolean at_end,
                          const char *const *expected, guint n_expected);
void litmus_too_deep (LitmusParser *parser, LitmusRange range);

/* ---- Building: lists, sections (build.c) ------------------------------------------------
 */

RspSpan litmus_span (const LitmusParser *parser, LitmusRange range);
LitmusList litmus_append (LitmusParser *parser, LitmusList list, gpointer item);
LitmusList litmus_concat (LitmusParser *parser, LitmusList list, LitmusList more);

LitmusInit *litmus_init (LitmusParser *parser, LitmusRange range, LitmusSpecs *specs,
                         LitmusStars stars, LitmusPlace *place);
LitmusNumber litmus_negate (LitmusNumber number);
/* An index; an error and 0 where it is negative. */
gint64 litmus_index (LitmusParser *parser, LitmusRange range, LitmusNumber index);
gint64 litmus_array_size (LitmusParser *parser, LitmusRange range, LitmusNumber size);

LitmusPlace *litmus_place (LitmusParser *parser, LitmusRange range, LitmusPlaceKind kind,
                           const char *name, gint64 element);
LitmusPlace *litmus_number (LitmusParser *parser, LitmusRange range, LitmusNumber number);
LitmusPlace *litmus_small_number (LitmusParser *parser, LitmusRange range, int number);
LitmusPlace *litmus_register (LitmusParser *parser, LitmusRange range, gint64 thread,
                              const char *name);
/* `P0:r1`; anything but a thread's name before the colon is an error. */
LitmusPlace *litmus_named_register (LitmusParser *parser, LitmusRange range, const char *thread,
                                    LitmusRange thread_range, const char *name);
/* The number in a thread's name ("P12" is 12), or LITMUS_NONE. */
gint64 litmus_thread_number (const char *name);

LitmusParameter *litmus_parameter (LitmusParser *parser, LitmusSpecs *specs,
                                   LitmusDeclarator *declarator);
LitmusPosition *litmus_position (LitmusParser *parser, LitmusRange range, const char *word,
                                 gint64 number);
LitmusThread *litmus_thread (LitmusParser *parser, LitmusRange range, const char *name,
                             LitmusList positions, LitmusList parameters, RspStatement *body,
                             LitmusRange body_range);
/* children NULL: a leaf. */
LitmusTree *litmus_tree (LitmusParser *parser, LitmusRange range, const char *word,
                         const LitmusList *children);
void litmus_set_trees (LitmusParser *parser, LitmusRange range, LitmusList trees);
void litmus_set_locations (LitmusParser *parser, LitmusRange range, LitmusList places);
void litmus_set_filter (LitmusParser *parser, LitmusRange range, LitmusProp *prop);

LitmusProp *litmus_prop (LitmusParser *parser, LitmusRange range, RspPropKind kind, LitmusProp *a,
                         LitmusProp *b);
LitmusProp *litmus_atom (LitmusParser *parser, LitmusRange range, RspOperator op, LitmusPlace *left,
                         LitmusPlace *right);

/* ---- Building: types (types.c) ---------------------------------------------------------
 */

LitmusSpecs *litmus_specs_new (LitmusParser *parser, LitmusRange range);
void litmus_specs_add (LitmusParser *parser, LitmusSpecs *specs, const LitmusTypeWord *word,
                       LitmusRange range);
/* Adds `_Atomic`. */
void litmus_specs_atomic (LitmusSpecs *specs, LitmusRange range);
/* Adds `_Atomic (inner)`. */
void litmus_specs_merge (LitmusParser *parser, LitmusSpecs *specs, const LitmusSpecs *inner,
                         LitmusRange range);
/* One more star, with its qualifiers (NULL: none). */
LitmusStars litmus_star (LitmusParser *parser, LitmusStars stars, const LitmusSpecs *qualifiers,
                         LitmusRange range);
void litmus_check_void (LitmusParser *parser, LitmusRange range, const LitmusTypeWord *word);
void litmus_check_no_parameters (LitmusParser *parser, const LitmusSpecs *specs);
LitmusDeclarator *litmus_declarator (LitmusParser *parser, LitmusStars stars, const char *name,
                                     LitmusRange range);

RspType litmus_int_type (void);
RspType litmus_null_type (void);
/* The type that specifiers and that many stars spell. */
RspType litmus_type (const LitmusSpecs *specs, guint pointers);
/* As the hash spells it: "__global _Atomic int*". */
const char *litmus_type_spelling (RspArena *arena, const LitmusSpecs *specs, guint pointers);
/* For messages: "int", "unsigned long*". Newly allocated. */
char *litmus_type_name (RspType type);

/* ---- Building: code (build_code.c) -----------------------------------------------------
 */

RspExpr *litmus_constant (LitmusParser *parser, LitmusRange range, gint64 value, RspType type);
RspExpr *litmus_name (LitmusParser *parser, LitmusRange range, const char *name);
RspExpr *litmus_node (LitmusParser *parser, LitmusRange range, RspExprKind kind, RspOperator op,
                      RspExpr *a, RspExpr *b, RspExpr *c);
RspExpr *litmus_step (LitmusParser *parser, LitmusRange range, RspOperator op, gboolean post,
                      RspExpr *a);
RspExpr *litmus_cast (LitmusParser *parser, LitmusRange range, RspType type, RspExpr *a);
RspExpr *litmus_call (LitmusParser *parser, LitmusRange range, const char *name,
                      LitmusList arguments);

RspStatement *litmus_statement (LitmusParser *parser, LitmusRange range, RspStatementKind kind,
                                RspExpr *expr, RspStatement *body);
/* One declaration statement per declarator. */
LitmusList litmus_declarations (LitmusParser *parser, LitmusSpecs *specs, LitmusList declarators);
RspStatement *litmus_block (LitmusParser *parser, LitmusRange range, LitmusList statements);
/* The statement itself when there is but one, else a block of them. */
RspStatement *litmus_single (LitmusParser *parser, LitmusRange range, LitmusList statements);
/* `return e;` is `{ e; return; }`. */
RspStatement *litmus_return (LitmusParser *parser, LitmusRange range, RspExpr *expr);
RspStatement *litmus_barrier (LitmusParser *parser, LitmusRange range, LitmusList arguments);

/* ---- Resolution -------------------------------------------------------------------------------
 */

/* Completes program (its arena, source and dialect set) from the syntax. Errors go to diagnostics.
 */
void litmus_resolve (RspProgram *program, LitmusTest *test, gboolean strict,
                     RspDiagnostics *diagnostics);

#endif
