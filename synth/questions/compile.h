/* Programs that a mapping breaks, to another language (-compile F.map -distinguish) or to a machine
 * (-machine M -distinguish). */
#pragma once

#include "machine/check/explore.h"
#include "parser/translation.h"
#include "synth/programs/space.h"

/* What programs are translated to: a language with a model, or a machine. */
typedef struct SynthTarget {
  const RspMap *map;
  const RspTranslation *translation; /* to a language */
  const RspModel *model;
  const RspExploreOptions *machine; /* with any map; NULL: a language */
  const char *label;                /* for reports */
  gboolean first;                   /* does the search end with the first program? */
} SynthTarget;

/* Leaves out the labels that the mapping has no row for. FALSE, with an error, if the mapping is
 * for another language. */
gboolean rsp_synth_target_restrict (const RspMap *map, SynthSpace *space,
                                    RspDiagnostics *diagnostics);

/* Does the target allow the condition of this test, translated? On a machine the naive engine is
 * the search without reduction. FALSE after an error, which is reported in diagnostics, or if a
 * limit ended the search. */
gboolean rsp_synth_target_allows (const SynthTarget *target, const char *test,
                                  RspcheckEngine engine, gboolean *allows,
                                  RspDiagnostics *diagnostics);
