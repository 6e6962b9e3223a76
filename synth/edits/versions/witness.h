/* Witnesses: executions that rule versions of a test out, each with the edits that do not help
 * against it. Most versions are ruled out by a witness of another one, without being checked. */
#pragma once

#include "enumerator/execution.h"
#include "enumerator/options.h"
#include "model/model.h"
#include "parser/program.h"

typedef struct SynthWitnesses SynthWitnesses;

/* sites: of SynthSite. All must outlive them; options' time is that of all the work. */
SynthWitnesses *synth_witnesses_new (const RspProgram *program, const GPtrArray *sites,
                                     const RspModel *model, const RspCheckOptions *options);
void synth_witnesses_free (SynthWitnesses *witnesses); /* or NULL */

/* An accepted execution of the version with these levels, which rules it out by its flag, or,
 * without one, by its outcome. It is forgotten if the test itself has none like it, or what edits
 * do cannot be followed. */
void synth_witnesses_add (SynthWitnesses *witnesses, const guint8 *levels,
                          const RspExecution *execution, const char *flag);
/* Does a witness rule the version out? TRUE is certain. */
gboolean synth_witnesses_refute (SynthWitnesses *witnesses, const guint8 *levels);
