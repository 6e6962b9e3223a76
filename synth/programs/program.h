/* Programs: a shape and its labels; their codes, names and texts. */
#pragma once

#include "enumerator/shapes/candidates.h"
#include "enumerator/shapes/label.h"

typedef struct SynthProgram {
  RspShape shape;
  RspLabel labels[RSP_SHAPE_EVENTS]; /* per event */
} SynthProgram;

/* A code is a word that identifies the program: equal codes, equal programs. Newly allocated. */
char *rsp_synth_program_code (const SynthProgram *program);
/* FALSE if the text is not a code. */
gboolean rsp_synth_program_decode (const char *code, SynthProgram *program);

/* A register or location as conditions name it, and the value of a write, from 1 in each location.
 */
guint synth_register_number (const SynthProgram *program, guint event);
const char *synth_location_name (guint location);
guint synth_write_value (const SynthProgram *program, guint write);

/* The outcome as a proposition: registers, then the locations written to twice and more. Newly
 * allocated. */
char *rsp_synth_outcome_format (const SynthProgram *program, const RspShapeOutcome *outcome);

/* Is the location declared atomic: is some access to it? */
gboolean synth_location_is_atomic (const SynthProgram *program, guint location);
