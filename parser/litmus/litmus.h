#pragma once

#include "lexer/c.h"
#include "parser/errors.h"
#include "parser/program.h"

/* ---- Words ---------------------------------------------------------------------------------- */

/* The litmus language's words: look-up in the tables of words.def. */

typedef enum LitmusTypeKind {
  LITMUS_TYPE_PLAIN,
  LITMUS_TYPE_SIZE,
  LITMUS_TYPE_SIGN,
  LITMUS_TYPE_NAMED,
  LITMUS_TYPE_ATOMIC,
  LITMUS_TYPE_QUALIFIER,
  LITMUS_TYPE_SPACE,
  LITMUS_TYPE_FOREIGN
} LitmusTypeKind;

/* Bits of a set of qualifiers. */
typedef enum LitmusQualifier {
  LITMUS_VOLATILE = 1,
  LITMUS_CONST = 2,
  LITMUS_RESTRICT = 4,
  LITMUS_ATOMIC = 8
} LitmusQualifier;

typedef struct LitmusTypeWord {
  const char *word;
  LitmusTypeKind kind;
  guint value;
  gboolean flag;
  const char *spelling;
} LitmusTypeWord;

/* One form of a call: which arguments it takes, in the letters of words.def. */
typedef struct LitmusCallForm {
  RspCallKind kind;
  RspOperator op;
  gboolean weak;
  const char *word;     /* of a name that ends in a model's word, `…_lazy`; else NULL */
  gboolean is_doubtful; /* or perhaps in part of another call's name, `…_explict` */
  const char *arguments;
} LitmusCallForm;

/* NULL if the word is unknown. */
const LitmusTypeWord *rsp_litmus_type_word (const char *word);

/* Each returns FALSE if the word is unknown. */
gboolean rsp_litmus_order_word (const char *word, RspOrder *order);
gboolean rsp_litmus_scope_word (const char *word, RspScope *scope);
gboolean rsp_litmus_flag_word (const char *word, guint *flag);
gboolean rsp_litmus_level_word (const char *word, RspLevel *level);
gboolean rsp_litmus_call_form (const char *name, LitmusCallForm *form);

/* "cluster" of `memory_scope_cluster`, and "demoting" of `memory_order_demoting`: what may be a
 * model's; NULL if it is none, or resembles one of the language. */
const char *rsp_litmus_own_word (const char *name, gboolean is_scope);

/* "did you mean `…`?" among the words of one table, newly allocated, or NULL. */
char *rsp_litmus_order_hint (const char *word);
char *rsp_litmus_scope_hint (const char *word);
char *rsp_litmus_flag_hint (const char *word);
char *rsp_litmus_level_hint (const char *word);
char *rsp_litmus_call_hint (const char *name);

/* Words of operations that are not in the language, for rsp_did_you_mean_words. */
extern const char *const rsp_litmus_other_operations[];

/* Adds the names of all calls, newly allocated; brief: also herd's short ones. */
void rsp_litmus_add_calls (GPtrArray *names, gboolean brief);

/* The hint for a test that uses locks. */
#define LITMUS_LOCK_HINT                                                                           \
  "a lock is written with atomic operations: see litmus/steal/SPIN-dev.litmus"

/* Names of orders, scopes and spaces as OpenCL C spells them ("memory_order_acquire", …). */
const char *rsp_order_name (RspOrder order);
const char *rsp_scope_name (const RspWords *words, RspScope scope);

/* ---- Syntax --------------------------------------------------------------------------------- */

/* The frame of a test as the grammar builds it, with unresolved names. Threads are C
 * (parser/c/c.h). Everything lives in the program's arena. */

enum {
  LITMUS_NONE = -1,
  LITMUS_MAX_ELEMENTS = 4096,   /* of one array */
  LITMUS_MAX_LOCATIONS = 65536, /* of a test */
  LITMUS_MAX_POINTERS = 4,      /* stars of one type */
  LITMUS_MAX_DEPTH = 1000       /* of expressions and of conditions, which recursion walks */
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
  const struct CVariable *declared; /* its type; NULL: untyped */
  LitmusPlace *place;
  gboolean is_array; /* `a[4]` of a typed item, or braces */
  gint64 size;       /* 0: as many as values */
  gboolean braces;
  LitmusList values;                  /* of LitmusPlace; empty: 0 */
  const char *space;                  /* `@ local wg 0` of tests in columns; NULL: none given */
  const struct LitmusPosition *owner; /* NULL: none given */
} LitmusInit;

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
  LitmusList parameters; /* of CVariable */
  struct CStatement *body;
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
  guint depth; /* of propositions within each other; a chain of one operator counts once */
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
  LitmusList trees;   /* of LitmusTree; scope_tree: was there a scopeTree? */
  gboolean scope_tree;
  RspSpan scope_tree_span;
  gboolean all_placements; /* `scopeTree *`, or `forall placements` before the condition */
  gboolean has_locations;
  LitmusList locations; /* of LitmusPlace */
  LitmusProp *filter;
  RspQuantifier quantifier;
  LitmusProp *condition;
} LitmusTest;

struct ColumnsTest;

typedef struct LitmusParser {
  LitmusScan scan;
  RspArena *arena;
  RspSource *source;
  RspDiagnostics *diagnostics;
  LitmusTest *test;
  struct ColumnsTest *columns; /* the threads, if they are columns; else NULL */
  gboolean begun;              /* has the grammar been told where to start? */
  gboolean too_deep;           /* has an error about an expression's depth been reported? */
  const RspSpan *place;        /* everything is there; NULL: where it is in the source */
} LitmusParser;

/* ---- Build ---------------------------------------------------------------------------------- */

RspSpan rsp_litmus_span (const LitmusParser *parser, TokenRange range);
LitmusList rsp_litmus_append (LitmusParser *parser, LitmusList list, gpointer item);
LitmusList rsp_litmus_concat (LitmusParser *parser, LitmusList list, LitmusList more);
LitmusInit *rsp_litmus_init (LitmusParser *parser, TokenRange range,
                             const struct CVariable *declared, LitmusPlace *place);
LitmusNumber rsp_litmus_negate (LitmusParser *parser, TokenRange range, LitmusNumber number);

/* An index; an error and 0 if it is negative. */
gint64 rsp_litmus_index (LitmusParser *parser, TokenRange range, LitmusNumber index);
LitmusPlace *rsp_litmus_place (LitmusParser *parser, TokenRange range, LitmusPlaceKind kind,
                               const char *name, gint64 element);
LitmusPlace *rsp_litmus_number (LitmusParser *parser, TokenRange range, LitmusNumber number);

/* A section that begins with this word and a colon: `regions`, which has no effect. */
void rsp_litmus_regions (LitmusParser *parser, TokenRange range, const char *word);
LitmusPlace *rsp_litmus_small_number (LitmusParser *parser, TokenRange range, int number);
LitmusPlace *rsp_litmus_register (LitmusParser *parser, TokenRange range, gint64 thread,
                                  const char *name);

/* `P0:r1`; anything but a thread's name before the colon is an error. */
LitmusPlace *rsp_litmus_named_register (LitmusParser *parser, TokenRange range, const char *thread,
                                        TokenRange thread_range, const char *name);

/* The number in a thread's name ("P12" is 12), or LITMUS_NONE. */
gint64 rsp_litmus_thread_number (const char *name);
LitmusPosition *rsp_litmus_position (LitmusParser *parser, TokenRange range, const char *word,
                                     gint64 number);
LitmusThread *rsp_litmus_thread (LitmusParser *parser, TokenRange range, const char *name,
                                 LitmusList positions, LitmusList parameters,
                                 struct CStatement *body, TokenRange body_range);

/* A leaf if children is NULL. */
LitmusTree *rsp_litmus_tree (LitmusParser *parser, TokenRange range, const char *word,
                             const LitmusList *children);
void rsp_litmus_set_trees (LitmusParser *parser, TokenRange range, LitmusList trees);
void rsp_litmus_set_locations (LitmusParser *parser, TokenRange range, LitmusList places);
void rsp_litmus_set_filter (LitmusParser *parser, TokenRange range, LitmusProp *prop);
LitmusProp *rsp_litmus_prop (LitmusParser *parser, TokenRange range, RspPropKind kind,
                             LitmusProp *a, LitmusProp *b);

/* The proposition (or NULL) with each chain of one operator as a balanced tree: conditions of some
 * thousand members are common, and the code that walks them is recursive. Reports one that is
 * nested too deeply. */
LitmusProp *rsp_litmus_balance (LitmusParser *parser, LitmusProp *prop);

/* `v={1,2}` */
LitmusProp *rsp_litmus_array_prop (LitmusParser *parser, TokenRange range, RspOperator op,
                                   LitmusPlace *array, LitmusList values);

/* For `ATOMIC_INIT (1)`; another name is an error. */
void rsp_litmus_check_initialiser (LitmusParser *parser, TokenRange range, const char *name);
LitmusProp *rsp_litmus_atom (LitmusParser *parser, TokenRange range, RspOperator op,
                             LitmusPlace *left, LitmusPlace *right);

/* ---- Errors --------------------------------------------------------------------------------- */

/* Where a question begins as Dartagnan's may. */
#define LITMUS_FINAL_HINT                                                                             \
  "`final` is Dartagnan's: write `exists (…)` for what may happen, `forall (…)` for what always " \
  "does"

extern const SyntaxLanguage litmus_syntax, columns_syntax; /* columns: of tests in columns */

/* ---- Parse ---------------------------------------------------------------------------------- */

/* Parses, resolves and checks one test. Errors and warnings go to diagnostics; NULL if there was an
 * error. If `strict`, memory orders that C11 forbids for an operation are errors instead of
 * warnings. The program holds a reference to source. */
RspProgram *rsp_litmus_parse (RspSource *source, gboolean strict, RspDiagnostics *diagnostics);

/* The same with another question (`exists (x=1)`), at the span `question` of any source, which must
 * outlive the program. */
RspProgram *rsp_litmus_parse_with_question (RspSource *source, RspSpan question, gboolean strict,
                                            RspDiagnostics *diagnostics);

/* The syntax of the end of a test, from its sections on: only these and the question are set. NULL
 * after an error. */
LitmusTest *rsp_litmus_parse_end (RspSpan span, RspArena *arena, RspDiagnostics *diagnostics);
void rsp_program_free (RspProgram *program);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspProgram, rsp_program_free)

/* ---- Types ---------------------------------------------------------------------------------- */

void rsp_litmus_specs_add (LitmusParser *parser, LitmusSpecs *specs, const LitmusTypeWord *word,
                           TokenRange range);

/* Adds `_Atomic (inner)`. */
void rsp_litmus_specs_merge (LitmusParser *parser, LitmusSpecs *specs, const LitmusSpecs *inner,
                             TokenRange range);

void rsp_litmus_check_void (LitmusParser *parser, TokenRange range, const char *word);
RspType rsp_litmus_int_type (void);

/* The type that C gives a literal. */
RspType rsp_litmus_number_type (LitmusNumber number);
RspType rsp_litmus_null_type (void);

/* As the hash spells it: "__global _Atomic int*"; in C tests as herd7 does: "uint8_t const*". */
const char *rsp_litmus_type_spelling (RspArena *arena, const LitmusSpecs *specs, guint pointers,
                                      gboolean is_c);

/* For messages: "int", "unsigned long*". Newly allocated. */
char *rsp_litmus_type_name (RspType type);
