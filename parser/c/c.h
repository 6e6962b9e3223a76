#pragma once

#include "lexer/c.h"
#include "parser/errors.h"
#include "parser/kernel/kernel.h"
#include "parser/litmus/litmus.h"
#include "parser/program.h"

/* ---- Syntax --------------------------------------------------------------------------------- */

/* OpenCL C and C as the grammar builds them, of kernels and of tests. Everything lives in the
 * program's arena. */

typedef struct CType CType;

typedef struct CExpr CExpr;

typedef struct CStatement CStatement;

typedef struct CSpecs CSpecs;

typedef struct CDeclarator CDeclarator;

/* ---- Types ---- */
typedef enum CTypeKind {
  C_VOID,
  C_INTEGER,
  C_FLOAT, /* also half and double; values are bits */
  C_POINTER,
  C_ARRAY,
  C_VECTOR,
  C_STRUCT,
  C_FUNCTION, /* to: what it returns */
  C_OPAQUE    /* images, samplers, events: a value that only built-in functions use */
} CTypeKind;

/* What attributes of a structure or a member say of its alignment. */
typedef struct CAlignment {
  gboolean packed; /* members have no gaps before them */
  RspSpan least;   /* an expression: bytes; empty: 16; without a source: nothing is said */
} CAlignment;

/* A member of a structure, or a parameter or variable: a name with a type. */
typedef struct CVariable {
  const char *name; /* NULL: a parameter without one */
  CType *type;
  RspSpan span;
  CExpr *initial; /* NULL: none */
  gboolean is_typedef;
  gboolean is_enumerator;       /* initial: its value */
  const CSpecs *specs;          /* as written, for tests */
  LitmusList parameters;        /* of CVariable: of a function */
  guint64 offset;               /* of a member: its byte + 1; 0: where C puts it */
  CAlignment alignment;         /* of a member */
  gboolean is_optional;         /* of a parameter: may it have no value? */
  const struct CVariable *same; /* of a kernel: the variable that has its memory; NULL: none */
} CVariable;

typedef struct CStruct {
  const char *name;
  LitmusList members;          /* of CVariable */
  gboolean complete, is_union; /* union: members share bytes, from 0 on or from their offsets on */
  gboolean mixed; /* of kernels: a union of scalars of several sizes, or with offsets */
  CAlignment aligned;
  guint depth;                /* of structures, arrays and pointers within each other */
  guint n_cells;              /* set when first asked for, + 1; as the two below */
  guint64 n_bytes, alignment; /* 0: not asked for yet */
} CStruct;

struct CType {
  CTypeKind kind;
  guint8 bits; /* INTEGER, FLOAT */
  gboolean is_signed, is_atomic, is_const;
  RspSpace space;                   /* where objects of the type lie */
  const LitmusTypeWord *space_word; /* which says so; NULL: none does */
  CType *to;                        /* POINTER, ARRAY, VECTOR, FUNCTION: of what */
  guint depth;                      /* of types within each other */
  guint lanes;                      /* VECTOR */
  CExpr *size;                      /* ARRAY; NULL: as its initialiser */
  CStruct *record;
  const char *name; /* OPAQUE */
};

/* Declaration specifiers, collected word by word. */
struct CSpecs {
  LitmusSpecs words; /* those of parser/litmus/litmus.h */
  CType *type;       /* structure, enumeration, vector or typedef name; NULL: the words give it */
  gboolean is_typedef, is_kernel;
  CAlignment alignment; /* of members */
};

/* A declarator, from the name outwards. */
struct CDeclarator {
  CTypeKind kind; /* POINTER, ARRAY, FUNCTION; VOID: the name */
  CDeclarator *inner;
  const char *name;
  TokenRange range;
  guint stars;           /* POINTER: with those before it */
  CSpecs *qualifiers;    /* POINTER: of the pointer itself; NULL: none */
  CExpr *size;           /* ARRAY */
  LitmusList parameters; /* FUNCTION: of CVariable */
};

/* ---- Expressions ---- */
typedef enum CExprKind {
  C_NAME,
  C_NUMBER,
  C_REAL,
  C_STRING,
  C_CALL,   /* a (args) */
  C_INDEX,  /* a[b] */
  C_MEMBER, /* a.name */
  C_DEREF,
  C_ADDRESS,
  C_UNARY,
  C_BINARY, /* also && || and the comma */
  C_ASSIGN, /* with op != RSP_OP_NONE, a op= b */
  C_STEP,
  C_CONDITIONAL, /* a ? b : c; b NULL: the value of a */
  C_CAST,        /* (type) a; a vector of (a, b, …) if the type is one */
  C_SIZEOF,      /* of type, or of a; also vec_step */
  C_BRACES,      /* { args }: an initialiser */
  C_DESIGNATED,  /* .name = b or [a] = b, in braces */
  C_COMPOUND     /* (type) b, where b is braces */
} CExprKind;

struct CExpr {
  CExprKind kind;
  RspSpan span;
  RspOperator op;
  gboolean post, in_parentheses;
  guint depth; /* of expressions within each other; the parser refuses more than LITMUS_MAX_DEPTH */
  CExpr *a, *b, *c;
  const char *name;
  LitmusNumber number;
  CType *type;
  LitmusList args;
};

/* ---- Statements ---- */
typedef enum CStatementKind {
  C_EXPRESSION, /* expr NULL: empty */
  C_DECLARATION,
  C_BLOCK,
  C_IF,
  C_WHILE,
  C_DO,
  C_FOR,
  C_SWITCH,
  C_CASE, /* expr NULL: default; step: the last value of `case 1 ... 3:` */
  C_BREAK,
  C_CONTINUE,
  C_GOTO, /* expr: the label, a NAME */
  C_RETURN
} CStatementKind;

struct CStatement {
  CStatementKind kind;
  RspSpan span;
  CExpr *expr, *step;
  CStatement *init, *body, *otherwise;
  LitmusList list;   /* BLOCK: of CStatement; DECLARATION: of CVariable */
  const char *label; /* NULL: none */
  guint end;         /* EXPRESSION: offset behind its `;` */
  LitmusList words;  /* of LitmusPlace (names): attributes in front of it */
};

typedef struct CFunction {
  const char *name;
  RspSpan span;
  CType *result;
  LitmusList parameters; /* of CVariable */
  CStatement *body;
  gboolean is_kernel;
} CFunction;

typedef struct CUnit {
  LitmusList functions; /* of CFunction, with a body */
  LitmusList declared;  /* of CVariable: functions as they are declared, also those with a body */
  LitmusList globals;   /* of CVariable, also enumerators */
  LitmusList axioms;    /* of CExpr: CALL of name, `__axiom` or `_Static_assert`, about a */
  LitmusList asserts;   /* of CExpr: `//@ assert` */
  GHashTable *typedefs; /* name -> CType */
  GHashTable *hidden;   /* name -> by how many variables of open blocks its type is hidden */
  GHashTable *structs;  /* tag -> CStruct */
} CUnit;

/* A variable that hides the type of its name, up to the end of its block. */
typedef struct CHidden {
  const char *name;
  guint depth; /* of braces */
  struct CHidden *next;
} CHidden;

typedef struct CParser {
  LitmusParser base;
  CUnit *unit;
  LitmusList enumerators; /* of CVariable: those that no declaration has taken yet */
  CExpr *last_value; /* of the enumeration being parsed: the last value that is given; NULL: none */
  gint64 after_value;      /* how far the last enumerator comes after it */
  gboolean any_enumerator; /* has the enumeration one? */
  CHidden *hidden;         /* the innermost first */
  guint depth;             /* of braces */
  gboolean after_type;     /* is the next name never a type's? */
  gboolean before_tag;     /* is it a structure's? */
  int previous;            /* the last token */
  GArray *names;           /* of RspKernelName: those declared so far; NULL: not collected */
  GHashTable *macros;      /* of the names that macros have, then */
  gboolean in_function;    /* are names local? */
  CStart start;
  CExpr *expression;
} CParser;

/* What only kernels have: a unit, its typedefs and all of C. */
static inline gboolean c_is_kernel (const CParser *parser) { return parser->start >= C_UNIT; }

/* Zero on success; otherwise an error was reported. Generated from grammar.y. */
int rsp_c_yyparse (CParser *parser);

/* Scans and parses the span, which is what `start` says; FALSE after an error. */
gboolean c_parse (CParser *parser, CStart start, RspSpan span);

/* ---- Build ---------------------------------------------------------------------------------- */

/* ---- Types ---- */
/* Can no other word change the type, as in `uint`? */
gboolean c_is_whole_type (const char *word);
CSpecs *c_specs (CParser *parser);
void c_add_word (CParser *parser, CSpecs *specs, TokenRange range, const char *word);
void c_add_type (CParser *parser, CSpecs *specs, TokenRange range, CType *type);

/* Adds `_Atomic (specs declarator)`. */
void c_add_atomic (CParser *parser, CSpecs *specs, TokenRange range, CSpecs *inner,
                   CDeclarator *declarator);

/* The structure with the tag (NULL: none), complete if it has members. */
CType *c_struct (CParser *parser, TokenRange range, const char *tag, gboolean is_union,
                 LitmusList *members);

/* What `specs;` declares in a structure: a structure without a tag, whose members count as the
 * outer one's; or nothing. */
LitmusList c_members_of (CParser *parser, CSpecs *specs, TokenRange range);

/* ---- Declarations ---- */
CDeclarator *c_declarator (CParser *parser, TokenRange range, CTypeKind kind, CDeclarator *inner);

/* One more `*`, with its qualifiers (NULL: none), after others (NULL: none). */
CDeclarator *c_pointer (CParser *parser, TokenRange range, CDeclarator *before, CSpecs *qualifiers);

/* Puts a pointer (outermost of several) around what it points from. */
CDeclarator *c_point (CDeclarator *pointers, CDeclarator *inner);

/* declarator NULL: a type alone. */
CVariable *c_variable (CParser *parser, CSpecs *specs, CDeclarator *declarator, TokenRange range);

/* The variable hides a type of its name: up to the end of so many blocks more than those that are
 * open. */
void c_hide (CParser *parser, const CVariable *variable, guint inner);
gboolean c_is_hidden (const CParser *parser, const char *name);

/* Forgets what blocks within the depth hid. */
void c_end_scopes (CParser *parser, guint depth);
void c_add_globals (CParser *parser, LitmusList variables);

/* `__axiom (e);` between functions. */
void c_add_axiom (CParser *parser, TokenRange range, const char *name, LitmusList arguments);
void c_add_function (CParser *parser, CSpecs *specs, CDeclarator *declarator, CStatement *body,
                     TokenRange range);

/* ---- Names that are declared ---- */
/* While names are collected: one is declared; what the range declares ends with it; a function's
 * body begins. */
void c_note (CParser *parser, RspKernelNameKind kind, const char *name, TokenRange range);
void c_end_names (CParser *parser, TokenRange range);
void c_begin_function (CParser *parser, const CDeclarator *declarator);
CVariable *c_add_member (CParser *parser, CSpecs *specs, CDeclarator *declarator, TokenRange range);

/* Is it the name of a variable, function or constant that is visible here? */
gboolean c_declares (const CParser *parser, const char *name);

/* ---- Expressions and statements ---- */
CExpr *c_expr (CParser *parser, TokenRange range, CExprKind kind, RspOperator op, CExpr *a,
               CExpr *b);

CExpr *c_named (CExpr *expr, const char *name);

/* The expression with arguments (of CExpr); with a third part. */
CExpr *c_with_args (CParser *parser, CExpr *expr, LitmusList args);
CExpr *c_with_third (CParser *parser, CExpr *expr, CExpr *third);

/* The first subexpression for which is_it holds, or NULL. The expression may be NULL. */
const CExpr *c_find (const CExpr *expr, gboolean (*is_it) (const CExpr *, const char *),
                     const char *name);

/* `(type) operand`. A vector's literal comes first: in `(int2)(1, 2).yx`, the member is that of the
 * vector. */
CExpr *c_cast_expr (CParser *parser, TokenRange range, CType *type, CExpr *operand);
CStatement *c_statement (CParser *parser, TokenRange range, CStatementKind kind, CExpr *expr,
                         CStatement *body);

/* A declaration as the body of an `if` or a loop, which only tests allow. */
CStatement *c_inner_declaration (CParser *parser, TokenRange range, CStatement *declaration);

/* Strings that stand side by side are one. */
const char *c_joined (CParser *parser, LitmusList strings);

/* Reports a construct of C that kernels, or tests, cannot use here. */
void c_unsupported (CParser *parser, TokenRange range, const char *construct, const char *instead);

/* ---- Enumeration ---------------------------------------------------------------------------- */

/* The type of all enumerations. */
CType *c_enum (CParser *parser);
void c_begin_enumeration (CParser *parser);

/* value NULL: one more than the enumerator before it. */
void c_add_enumerator (CParser *parser, TokenRange range, const char *name, CExpr *value);

/* The enumerators since the last call, which the declaration that ends now declares. */
LitmusList c_take_enumerators (CParser *parser);

/* ---- Calls ---------------------------------------------------------------------------------- */

typedef struct CCall CCall;

/* An atomic operation, fence or barrier whose arguments are being read, and how its language reads
 * them. */
struct CCall {
  const CExpr *syntax;
  RspCall *call;
  guint next; /* index of the next argument */
  RspDiagnostics *diagnostics;
  RspWords *words; /* of the program */
  RspArena *arena;
  gboolean is_c; /* a C test's, which may use memory_order_consume */
  RspExpr *(*pointer) (CCall *c, const CExpr *argument, gboolean is_object);
  RspExpr *(*value) (CCall *c, const CExpr *argument); /* of the object's type */

  /* May it be a constant instead of a word? FALSE: it is not one. NULL: words only. */
  gboolean (*constant) (CCall *c, const CExpr *argument, gint64 *number);
};

/* What was around a statement with attributes: for c_end_words. */
typedef struct CAround {
  guint32 words;
  guint places;
} CAround;

/* The statement's attributes are words of the operations that are read from here to c_end_words. */
CAround c_begin_words (RspProgram *program, const CStatement *statement,
                       RspDiagnostics *diagnostics);
void c_end_words (RspProgram *program, const CStatement *statement, CAround around,
                  RspDiagnostics *diagnostics);

/* What an operation returns. */
typedef enum CResult { C_RESULT_NONE, C_RESULT_BOOL, C_RESULT_CONTENT } CResult;

/* call->words: those of the statements around it. */
void c_begin_call (CCall *c, RspArena *arena, const CExpr *syntax, RspCallKind kind);

/* The same for an operation of words.def; FALSE: the name is not that of one. */
gboolean c_begin_operation (CCall *c, RspArena *arena, const CExpr *syntax, const char **form);

/* FALSE, with an error, if the arguments do not fit the form. */
gboolean c_take_arguments (CCall *c, const char *form);
CResult c_call_result (RspCallKind kind);

/* Reports orders that C11 forbids for the operation. */
void c_check_orders (const CCall *c, RspSeverity severity);

/* The number that an order, a scope or a flag is in OpenCL C; FALSE: the word is not one of these.
 */
gboolean c_number_of_word (const char *word, gint64 *number);

/* ---- Errors --------------------------------------------------------------------------------- */

/* The rows for messages about what is being parsed, and what such a text is called ("file"). */
const SyntaxLanguage *c_syntax (const CParser *parser);
extern const char *const c_wholes[];
extern const SyntaxLanguage kernel_syntax;
