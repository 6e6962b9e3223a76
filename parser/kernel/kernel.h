#pragma once

#include "base/base.h"
#include "parser/program.h"

/* ---- Kernel --------------------------------------------------------------------------------- */

/* Kernels: OpenCL C as people write it, on a grid of work-items, as a program. Each work-item is a
 * thread with a body of its own: functions are inlined, structures and vectors are spread into
 * cells of one scalar each, and what work-items ask about themselves is constant. Unsupported
 * constructs are reported; docs/kernels.md lists them. */

enum {
  RSP_GRID_DIMENSIONS = 3,
  RSP_KERNEL_MAX_CELLS = 1048576, /* of one object */
  RSP_KERNEL_MAX_GROWN = 262144,  /* of one that grows: with no declared size, or a larger one */
  RSP_KERNEL_MAX_GUESSED = 8,     /* of such a one, before some execution needs more */
  RSP_KERNEL_MAX_UNKNOWN = 8,     /* parameters */
  RSP_KERNEL_MAX_DECIDING = 64    /* values of an unknown array that may decide branches */
};

/* `-grid 2x1x2`: work-groups, sub-groups of each, work-items of each of those. `-grid 2,2x4,4` has
 * two dimensions; work-groups and work-items are numbered along the first one first. */
typedef struct RspGrid {
  guint groups, sub_groups, items;
  guint dimensions;
  guint group_sizes[RSP_GRID_DIMENSIONS], item_sizes[RSP_GRID_DIMENSIONS]; /* items: of a group */
  guint devices;  /* among which the work-groups are divided */
  guint clusters; /* of each device: nodes of the model's level inside it, among which its
                   * work-groups are divided; 0: each work-group is one */
  guint offsets[RSP_GRID_DIMENSIONS]; /* of global ids */
} RspGrid;

/* What an earlier exploration of the kernel found out about one of its objects. */
typedef struct RspObjectFacts {
  char *name;       /* of its first location */
  guint n_elements; /* cells that it needs */
} RspObjectFacts;

struct CUnit;
struct CExpr;
struct KernelLowerer;

/* Reads kernels in another language than OpenCL C (extra/spirv). Its declarations are in terms of
 * OpenCL C (parser/c/c.h), and so are its values and objects (parser/kernel/internal.h); only the
 * bodies of work-items are its own. */
typedef struct RspKernelFront {
  RspSource *source; /* of all spans */
  gboolean listed;   /* is it a listing of a binary file? */
  const RspLanguage *language;
  const char *default_model; /* "vulkan.cat" */
  GPtrArray *entries;        /* as rsp_kernel_entries has them, but without parameters */
  const GPtrArray *facts;    /* those of RspKernelOptions, for declare */
  const RspGrid *grid;       /* the same; NULL: not known yet */
  RspQuantifier quantifier;  /* of the assertions about memory at the end */
  /* In a language with tags, those of the parts of functions of groups: atomic reads and writes at
   * the level, which pass values on and order nothing else; a barrier; and what this one also has
   * if not all of a sub-group come, to order the values passed on. */
  guint64 group_reads, group_writes, group_meets, group_orders;
  RspLevel group_reach;
  /* What the file gives the entry's parameters, like -arg, whose values come after them. The
   * front's, until the next call. */
  const GPtrArray *(*arguments) (struct RspKernelFront *front, const char *entry);
  /* Adds the entries with their parameters, and the assertions, to the unit, in the arena; FALSE
   * after an error. filter: executions that do not satisfy it are left out; NULL: none. */
  gboolean (*declare) (struct RspKernelFront *front, struct CUnit *unit,
                       const struct CExpr **filter, RspArena *arena, RspDiagnostics *diagnostics);
  /* The body of the thread that the lowerer describes. */
  RspStatement *(*body) (struct RspKernelFront *front, struct KernelLowerer *l);
} RspKernelFront;

/* A file, and its text after the preprocessor. */
typedef struct RspKernelFile {
  RspSource *source, *text;
} RspKernelFile;

typedef struct RspKernelOptions {
  RspKernelFront *front;     /* NULL: OpenCL C */
  const RspKernelFile *file; /* what the path names, if that is read already; or NULL */
  RspGrid grid;
  const char *entry;            /* the kernel's name; NULL: the first */
  const char *const *arguments; /* "x[8]=0", NULL-terminated; or NULL */
  const char *const
      *preprocessing;     /* "-DN=4", "-Iinclude": as a preprocessor takes them; or NULL */
  const GPtrArray *facts; /* of RspObjectFacts; or NULL */
  const char *text;       /* the changed text of the file; NULL: unchanged */
  gboolean asserts_fail;  /* does a path fail where an assertion does? */
  gboolean unmet;         /* do functions of a group go on if not all work-items come? */
  gboolean phased;        /* may the results of plain reads be known? See rsp_model_is_phased */
  RspPhasesEnd ends;      /* if they are */
  gboolean lenient; /* finds what else goes wrong: what has no value is 0, and every array grows */
  const char *const
      *unknown;        /* parameters with unknown values, NULL-terminated; or NULL. Value i of
                          an array is number `parameter + (i + 1) × RSP_KERNEL_MAX_UNKNOWN` */
  guint most;          /* elements to which arrays grow; 0: RSP_KERNEL_MAX_GROWN */
  guint guessed;       /* the same before some execution is known to need them; at least
                          RSP_KERNEL_MAX_GUESSED */
  GHashTable *unequal; /* of rsp_kernel_lines: with two writes to one location whose values may be
                          equal only with some arguments; or NULL */
} RspKernelOptions;

/* An assertion in the kernel's text, in one thread: a register says whether it failed. */
typedef struct RspKernelAssert {
  guint thread, reg;
  RspSpan span;
} RspKernelAssert;

typedef struct RspKernel {
  RspProgram *program;
  RspSource *file; /* before the preprocessor; the program has what comes after it */
  RspKernelAssert *asserts;
  guint n_asserts;
  RspProp **finals; /* the assertions over final memory */
  guint n_finals;
  gboolean has_question; /* are they the question of a module in another language? */
  gboolean meets;        /* does it call functions of a group? */
  guint unit;            /* bytes that memory is laid out in; 0: scalars */
  GPtrArray *built_in;   /* of RspSource: functions that are inlined */
  RspType unknown[RSP_KERNEL_MAX_UNKNOWN]; /* the types of those parameters; of arrays no bits */
  gboolean zero_inputs, given_inputs;      /* are arrays read that are all zero, and others? */
  gboolean guessed;                        /* do branches depend on unknown values? */
  gboolean stunted;           /* does an array need more elements than RspKernelOptions.most? */
  GHashTable *host_functions; /* names of functions that the host calculates: rsp_float_host_name */
} RspKernel;

/* "2x2", "2x1x2", or "2,2x4,4", which is also "2x2/4x4"; devices is not set. FALSE: the text is not
 * a grid. */
gboolean rsp_grid_parse (const char *text, RspGrid *grid);

/* "16" or "16,8": the offsets of global ids. FALSE: the text is not that. */
gboolean rsp_grid_parse_offset (const char *text, RspGrid *grid);

/* Reads a kernel's file and resolves it. NULL after an error. */
RspKernel *rsp_kernel_read (const char *path, const RspKernelOptions *options,
                            RspDiagnostics *diagnostics);
void rsp_kernel_free (RspKernel *kernel);

/* Reads a file and preprocesses it. NULL after an error. */
RspKernelFile *rsp_kernel_open (const char *path, const RspKernelOptions *options,
                                RspDiagnostics *diagnostics);
void rsp_kernel_close (RspKernelFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspKernelFile, rsp_kernel_close)

/* The kernels of a file: of each a GStrv of its name and its parameters' names. Owned; none if its
 * text has an error. */
GPtrArray *rsp_kernel_entries (const RspKernelFile *file);

/* Reports errors in the text of a file, for any of its kernels and any arguments. Places are those
 * in the preprocessed text: same lines; same columns outside macros. */
void rsp_kernel_check (const char *path, const char *text, RspDiagnostics *diagnostics);

/* Is it a word of OpenCL C that types are made of (`unsigned`, `float4`, `const`)? */
gboolean rsp_kernel_is_type_word (const char *word);

/* Does it name a type, or part of one's name, rather than qualify it? */
gboolean rsp_kernel_is_specifier (const char *word);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspKernel, rsp_kernel_free)

/* ---- Names ---------------------------------------------------------------------------------- */

typedef enum RspKernelNameKind {
  RSP_KERNEL_FUNCTION,
  RSP_KERNEL_PARAMETER,
  RSP_KERNEL_VARIABLE,
  RSP_KERNEL_TYPE,
  RSP_KERNEL_TAG, /* of a structure, union or enumeration */
  RSP_KERNEL_MEMBER,
  RSP_KERNEL_ENUMERATOR,
  RSP_KERNEL_MACRO
} RspKernelNameKind;

/* A declaration. */
typedef struct RspKernelName {
  const char *name;
  RspKernelNameKind kind;
  gboolean is_outer; /* is it outside of functions? */
  guint begin, end;  /* the bytes of the name */
  guint scope_end;   /* where its block ends */
  guint body_end;    /* of a function, where its body ends; 0: it has none */
} RspKernelName;

/* The declarations of a text (of RspKernelName), in order, as far as it can be read: errors are
 * ignored. The text has neither directives nor expanded macros; types, macros: names known to be
 * such. Newly allocated; strings are in the arena. */
GArray *rsp_kernel_names (RspSource *text, GHashTable *types, GHashTable *macros, RspArena *arena);

/* ---- The preprocessor, and other tools ------------------------------------------------------ */

/* Begins the line of an annotation: a comment of C that the preprocessor keeps, with its macros
 * expanded. A `\` at the end of the line continues it. */
#define KERNEL_ANNOTATION "//@"

/* What follows `//@ assert`, an assertion about final memory, at the beginning of a text; NULL: it
 * does not begin so. */
const char *rsp_kernel_assertion (const char *text);

/* The words of CPP, or `cpp`; newly allocated. */
char **rsp_kernel_preprocessor (void);

/* Runs the function in a process of its own with limited time, memory and output, or in this one if
 * there can be no other; appends what it writes to `out`. FALSE, with errno: there are no pipes for
 * it. */
gboolean rsp_kernel_run_apart (void (*run) (gpointer data, int out), gpointer data, GString *text,
                               int *status);

/* Runs glslangValidator on a shader in GLSL, a file; text: as that of RspKernelOptions. Appends the
 * module of SPIR-V. Returns the shader's name in the module, newly allocated; NULL: an error. */
char *rsp_kernel_compile (const char *path, const char *text, const char *const *arguments,
                          GString *module, RspDiagnostics *diagnostics);

/* Runs the system's preprocessor if the text needs it. The result has the file's lines with macros
 * expanded; included text is on the line that includes it. NULL after an error. changed: the text
 * differs from the file's. */
RspSource *kernel_preprocess (const RspSource *source, gboolean changed,
                              const char *const *arguments, RspDiagnostics *diagnostics);
