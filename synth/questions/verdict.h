/* What a model says about one program and outcome. */
#pragma once

#include "enumerator/shapes/judge.h"
#include "synth/programs/program.h"

typedef struct SynthView {
  gboolean undefined, allowed;
  char *blame; /* see SynthVerdict.blame; owned by the caller */
} SynthView;

/* outcome: an outcome of the program's candidates, or more loosely a part of one (synth_matches).
 * by_outcome: undefined is what has the outcome, not the program. FALSE after an error of the
 * model, reported in diagnostics. */
gboolean synth_view (const RspModel *model, const SynthProgram *program,
                     const RspShapeOutcome *outcome, gboolean by_outcome,
                     const RspStageOptions *stage, SynthView *view, RspDiagnostics *diagnostics);

/* In a partial outcome, a source or last write that may be anything. */
#define SYNTH_ANY 0xff
gboolean synth_matches (const RspShape *shape, const RspShapeOutcome *outcome,
                        const RspShapeOutcome *part);

/* The naive engine on the printed test (condition: the outcome) agrees with the view; if the
 * program is undefined, its blame are the flags. FALSE, reported in diagnostics, when it does not.
 */
gboolean synth_confirm (const RspModel *model, const char *text, SynthView *view,
                        const RspStageOptions *stage, RspDiagnostics *diagnostics);
