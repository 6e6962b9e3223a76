/* Modules of SPIR-V as they are written: instructions, names, decorations. */
#pragma once

#include "base/base.h"

#include <spirv/unified1/spirv.h>

/* ---- Module --------------------------------------------------------------------------------- */

typedef struct SpirvInstruction {
  guint16 opcode, n;    /* n: words */
  const guint32 *words; /* all of them, and then some zeros: the first one has the opcode */
  guint32 type, result; /* ids; 0: none */
  RspSpan span;
} SpirvInstruction;

typedef struct SpirvModule {
  RspSource *source; /* the assembly; of a binary what it is disassembled to */
  gboolean is_binary;
  guint32 *words;
  SpirvInstruction *instructions;
  guint n, bound;                   /* bound: ids are smaller */
  guint n_outside;                  /* instructions before the first function */
  const SpirvInstruction *unfolded; /* these before spirv_fold_constants; NULL: they are so still */
  guint folded_for[3];  /* the sizes of work-groups with which they are folded; 0: of the module */
  guint *definitions;   /* per id: its instruction's number + 1; 0: none */
  const char *compiled; /* the file whose names are the source's; NULL: its own */
  guint8 *used;         /* per id: in a function, by more than copies of memory? */
  const char **written; /* per id: its name in the assembly, "%12" */
  const char **names;   /* per id: by OpName, or as it is written */
  GArray **decorations; /* per id, NULL: none: numbers of the instructions (guint) */
  RspArena *arena;      /* has all of it but the source */
} SpirvModule;

/* Reads assembly, or a binary (which begins with SPIR-V's magic number). What the validator finds
 * is a warning, as compilers emit much that it refuses: nothing may be taken for granted. text: as
 * that of RspKernelOptions. NULL after an error. */
SpirvModule *spirv_read (const char *path, const char *text, RspDiagnostics *diagnostics);

/* The same of a shader in GLSL, which glslangValidator compiles; preprocessing: as that of
 * RspKernelOptions. */
SpirvModule *spirv_compile (const char *path, const char *text, const char *const *preprocessing,
                            RspDiagnostics *diagnostics);
void spirv_free (SpirvModule *module);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SpirvModule, spirv_free)

/* The instruction that defines the id; that of an unknown id is an OpNop. What an instruction
 * outside functions names has been defined before it, so that types and constants have no cycles.
 */
const SpirvInstruction *spirv_definition (const SpirvModule *module, guint32 id);

/* "OpLoad"; newly allocated. */
char *spirv_opcode_name (guint16 opcode);

/* The string that begins at this word of the instruction. */
const char *spirv_string (const SpirvInstruction *instruction, guint word);

/* The decoration's instruction, of the id or (member ≥ 0) of a member of a structure; NULL: it has
 * none. */
const SpirvInstruction *spirv_decoration (const SpirvModule *module, guint32 id, int member,
                                          SpvDecoration decoration);

/* Is the entry point a compute shader or a kernel? */
gboolean spirv_is_compute (const SpirvInstruction *entry);

/* The number of the instruction of clspv's reflection; 0: it is none. */
guint32 spirv_reflection (const SpirvModule *module, const SpirvInstruction *at);

/* Does it end a block? */
gboolean spirv_ends_block (guint16 opcode);

/* The bits of an integer constant; FALSE: it is none. */
gboolean spirv_literal (const SpirvModule *module, guint32 id, gint64 *value);

/* Gives a specialization constant the value; FALSE: the id is none that has one. */
gboolean spirv_specialise (SpirvModule *module, guint32 id, gint64 value);

/* Makes a constant of an integer or boolean type, which is calculated, that number. */
void spirv_make_number (SpirvModule *module, guint32 id, gint64 value);
