/* Programs: a shape and its labels; their codes, names and texts. */
#ifndef RSP_SYNTH_PROGRAM_H
#define RSP_SYNTH_PROGRAM_H

#include "enumerator/shapes/label.h"

typedef struct SynthProgram
{
  RspShape shape;
  RspLabel labels[RSP_SHAPE_EVENTS]; /* per event */
} SynthProgram;

/* A code is a word that stands for the program: equal codes, equal programs. Newly allocated. */
char *synth_program_code (const SynthProgram *program);
/* FALSE where the text is not a code. */
gboolean synth_program_decode (const char *code, SynthProgram *program);

/* The name in the manner of the diy tools: a well-known name for the accesses or else the accesses
 * themselves, who shares what in the scope tree, and per thread the labels: "MP-dev+rel.wg+acq.dev".
 * Programs of one space with one name are equal. Newly allocated. */
char *synth_program_name (const SynthProgram *program, gboolean opencl);

/* A register or location as conditions name it, and the value of a write, from 1 in each location. */
guint synth_register_number (const SynthProgram *program, guint event);
const char *synth_location_name (guint location);
guint synth_write_value (const SynthProgram *program, guint write);

/* The outcome as a proposition: registers, then the locations written to twice and more. Newly
 * allocated. */
char *synth_outcome_format (const SynthProgram *program, const RspShapeOutcome *outcome);

/* The whole test. comment has lines (or is NULL); condition is a proposition. Newly allocated. */
char *synth_program_print (const SynthProgram *program, gboolean opencl, const char *comment,
                           const char *condition);
/* One line: "P0: W(rel,wg) x=1; … || P1: …". Newly allocated. */
char *synth_program_summary (const SynthProgram *program, gboolean opencl);

/* Is the location declared atomic: is some access to it? */
gboolean synth_location_is_atomic (const SynthProgram *program, guint location);

#endif
