/* OpenCL C as the grammar builds it. Everything lives in the program's arena. */
#pragma once

#include "parser/litmus/build.h"

typedef struct KernelType KernelType;
typedef struct KernelExpr KernelExpr;
typedef struct KernelStatement KernelStatement;

/* ---- Types ---- */

typedef enum KernelTypeKind {
  KERNEL_VOID,
  KERNEL_INTEGER,
  KERNEL_FLOAT, /* also half and double; values are bits */
  KERNEL_POINTER,
  KERNEL_ARRAY,
  KERNEL_VECTOR,
  KERNEL_STRUCT,
  KERNEL_FUNCTION, /* to: what it returns */
  KERNEL_OPAQUE    /* images, samplers, events: a value that only built-in functions use */
} KernelTypeKind;

/* A member of a structure, or a parameter or variable: a name with a type. */
typedef struct KernelVariable {
  const char *name; /* NULL: a parameter without one */
  KernelType *type;
  RspSpan span;
  KernelExpr *initial; /* NULL: none */
  gboolean is_typedef;
  gboolean is_enumerator; /* initial: its value */
  LitmusList parameters;  /* of KernelVariable: of a function */
} KernelVariable;

typedef struct KernelStruct {
  const char *name;
  LitmusList members; /* of KernelVariable */
  gboolean complete, is_union;
  guint depth;                /* of structures, arrays and pointers within each other */
  guint n_cells;              /* set when first asked for, + 1; as the two below */
  guint64 n_bytes, alignment; /* 0: not asked for yet */
} KernelStruct;

struct KernelType {
  KernelTypeKind kind;
  guint8 bits; /* INTEGER, FLOAT */
  gboolean is_signed, is_atomic, is_const;
  RspSpace space; /* where objects of the type lie */
  gboolean space_given;
  KernelType *to;   /* POINTER, ARRAY, VECTOR, FUNCTION: of what */
  guint depth;      /* of types within each other */
  guint lanes;      /* VECTOR */
  KernelExpr *size; /* ARRAY; NULL: as its initialiser */
  KernelStruct *record;
  const char *name; /* OPAQUE */
};

/* Declaration specifiers, collected word by word. */
typedef struct KernelSpecs {
  LitmusSpecs words; /* those of parser/litmus/types.h */
  KernelType *type;  /* structure, enumeration, vector or typedef name; NULL: the words give it */
  gboolean is_typedef, is_kernel;
  TokenRange range;
} KernelSpecs;

/* A declarator, from the name outwards. */
typedef struct KernelDeclarator {
  KernelTypeKind kind; /* POINTER, ARRAY, FUNCTION; VOID: the name */
  struct KernelDeclarator *inner;
  const char *name;
  TokenRange range;
  KernelSpecs *qualifiers; /* POINTER: of the pointer itself; NULL: none */
  KernelExpr *size;        /* ARRAY */
  LitmusList parameters;   /* FUNCTION: of KernelVariable */
} KernelDeclarator;

/* ---- Expressions ---- */

typedef enum KernelExprKind {
  KERNEL_NAME,
  KERNEL_NUMBER,
  KERNEL_REAL,
  KERNEL_STRING,
  KERNEL_CALL,   /* a (args) */
  KERNEL_INDEX,  /* a[b] */
  KERNEL_MEMBER, /* a.name */
  KERNEL_DEREF,
  KERNEL_ADDRESS,
  KERNEL_UNARY,
  KERNEL_BINARY, /* also && || and the comma */
  KERNEL_ASSIGN, /* with op != RSP_OP_NONE, a op= b */
  KERNEL_STEP,
  KERNEL_CONDITIONAL, /* a ? b : c; b NULL: the value of a */
  KERNEL_CAST,        /* (type) a; a vector of (a, b, …) if the type is one */
  KERNEL_SIZEOF,      /* of type, or of a; also vec_step */
  KERNEL_BRACES,      /* { args }: an initialiser */
  KERNEL_DESIGNATED,  /* .name = b or [a] = b, in braces */
  KERNEL_COMPOUND     /* (type) b, where b is braces */
} KernelExprKind;

struct KernelExpr {
  KernelExprKind kind;
  RspSpan span;
  RspOperator op;
  gboolean post, in_parentheses;
  KernelExpr *a, *b, *c;
  const char *name;
  LitmusNumber number;
  KernelType *type;
  LitmusList args;
};

/* ---- Statements ---- */

typedef enum KernelStatementKind {
  KERNEL_EXPRESSION, /* expr NULL: empty */
  KERNEL_DECLARATION,
  KERNEL_BLOCK,
  KERNEL_IF,
  KERNEL_WHILE,
  KERNEL_DO,
  KERNEL_FOR,
  KERNEL_SWITCH,
  KERNEL_CASE, /* expr NULL: default; step: the last value of `case 1 ... 3:` */
  KERNEL_BREAK,
  KERNEL_CONTINUE,
  KERNEL_RETURN
} KernelStatementKind;

struct KernelStatement {
  KernelStatementKind kind;
  RspSpan span;
  KernelExpr *expr, *step;
  KernelStatement *init, *body, *otherwise;
  LitmusList list; /* BLOCK: of KernelStatement; DECLARATION: of KernelVariable */
};

typedef struct KernelFunction {
  const char *name;
  RspSpan span;
  KernelType *result;
  LitmusList parameters; /* of KernelVariable */
  KernelStatement *body;
  gboolean is_kernel;
} KernelFunction;

typedef struct KernelUnit {
  LitmusList functions; /* of KernelFunction, with a body */
  LitmusList globals;   /* of KernelVariable, also enumerators */
  LitmusList axioms;    /* of KernelExpr: CALL of name, `__axiom` or `_Static_assert`, about a */
  LitmusList asserts;   /* of KernelExpr: `//@ assert` */
  GHashTable *typedefs; /* name -> KernelType */
  GHashTable *hidden;   /* name -> by how many variables of open blocks its type is hidden */
  GHashTable *structs;  /* tag -> KernelStruct */
} KernelUnit;

/* A variable that hides the type of its name, up to the end of its block. */
typedef struct KernelHidden {
  const char *name;
  guint depth; /* of braces */
  struct KernelHidden *next;
} KernelHidden;

typedef struct KernelParser {
  LitmusParser base;
  KernelUnit *unit;
  LitmusList enumerators; /* of KernelVariable: those that no declaration has taken yet */
  KernelExpr
      *last_value; /* of the enumeration being parsed: the last value that is given; NULL: none */
  gint64 after_value;              /* how far the last enumerator comes after it */
  gboolean any_enumerator;         /* has the enumeration one? */
  KernelHidden *hidden;            /* the innermost first */
  guint depth;                     /* of braces */
  gboolean after_type;             /* is a name that comes now no type's? */
  gboolean before_tag;             /* is it a structure's? */
  gboolean only_expression, begun; /* parses an assertion on its own; it has been announced */
  KernelExpr *expression;
} KernelParser;

/* Zero on success; otherwise an error was reported. Generated from grammar.y. */
int rsp_kernel_yyparse (KernelParser *parser);
