/* Modules of SPIR-V as written: instructions, names, decorations. */
#pragma once

#include "base/base.h"
#include "parser/kernel/kernel.h"
#include "parser/litmus/litmus.h"

#include <spirv/unified1/spirv.h>

typedef struct SpirvInst {
  guint16 opcode, n;    /* n: words */
  const guint32 *words; /* all of them, the opcode in the first one, and then some zeros */
  guint32 type, result; /* ids; 0: none */
  RspSpan span;
} SpirvInst;

typedef struct SpirvModule {
  RspSource *source; /* the assembly; of a binary, its disassembly */
  gboolean is_binary;
  guint32 *words;
  SpirvInst *instructions;
  guint n, bound;            /* bound: ids are smaller */
  guint n_outside;           /* instructions before the first function */
  const SpirvInst *unfolded; /* these before spirv_fold_constants; NULL: they are so still */
  RspGrid folded_for;        /* the grid with which they are folded; 0: of the module */
  guint *definitions;        /* per id: its instruction's number + 1; 0: none */
  const char *compiled;      /* the file given to the compiler, which the source's name replaces in
                                messages; NULL: none */
  guint8 *used;              /* per id: does a function use it, other than to copy memory? */
  const char **written;      /* per id: its name in the assembly, "%12" */
  const char **names;        /* per id: by OpName, or as it is written */
  LitmusList *decorations;   /* per id: of SpirvInst */
  LitmusList reflection;     /* of SpirvInst: the instructions of NonSemantic.ClspvReflection */
  RspArena *arena;           /* has all of it but the source */
} SpirvModule;

/* Reads assembly, or a binary (which begins with SPIR-V's magic number). What the validator finds
 * is a warning, as compilers emit much that it refuses: modules may be invalid in any way. text: as
 * that of RspKernelOptions. NULL after an error. */
SpirvModule *spirv_read (const char *path, const char *text, RspDiagnostics *diagnostics);

/* The same of a shader in GLSL, which glslangValidator compiles; preprocessing: as that of
 * RspKernelOptions. */
SpirvModule *spirv_compile (const char *path, const char *text, const char *const *preprocessing,
                            RspDiagnostics *diagnostics);
void spirv_free (SpirvModule *module);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SpirvModule, spirv_free)

/* `for (all_instructions (at, module))`, or only those before the first function. */
#define all_instructions(at, module) spirv_first_of (at, module, (module)->n)
#define all_declarations(at, module) spirv_first_of (at, module, (module)->n_outside)
#define spirv_first_of(at, module, number)                                                         \
  const SpirvInst *at = (module)->instructions;                                                    \
  at < (module)->instructions + (number);                                                          \
  at++

/* The instruction that defines the id; OpNop for an unknown id. Instructions outside functions only
 * name what is defined before them, so types and constants have no cycles. */
const SpirvInst *spirv_definition (const SpirvModule *module, guint32 id);

/* "OpLoad"; newly allocated. */
char *spirv_opcode_name (guint16 opcode);

/* The string that begins at this word of the instruction. */
const char *spirv_string (const SpirvInst *instruction, guint word);

/* The instructions that decorate the id, or its members, or name these. */
LitmusList spirv_decorations (const SpirvModule *module, guint32 id);

/* The instruction that decorates the id or (member ≥ 0) a member of a structure; NULL: there is
 * none. */
const SpirvInst *spirv_decoration (const SpirvModule *module, guint32 id, int member,
                                   SpvDecoration decoration);

/* Is the entry point a compute shader or a kernel? */
gboolean spirv_is_compute (const SpirvInst *entry);

/* The compute entry point of the function (0: any) and name (NULL: any); NULL: there is none. */
const SpirvInst *spirv_entry (const SpirvModule *module, guint32 function, const char *name);

/* Does it end a block? */
gboolean spirv_ends_block (guint16 opcode);

/* The bits of a constant; FALSE: it is not one with a number. */
gboolean spirv_literal (const SpirvModule *module, guint32 id, gint64 *value);

/* Gives a specialization constant the value; FALSE: the id is not a specialization constant. */
gboolean spirv_specialise (SpirvModule *module, guint32 id, gint64 value);

/* Replaces a calculated constant of an integer or boolean type by the number. */
void spirv_make_number (SpirvModule *module, guint32 id, gint64 value);
