#pragma once

#include "model/model.h"

/* The staging that evaluating the text on the base would give, from a model that was staged with
 * nothing known. roots: per node, is it an axiom's, or a recursive definition? NULL, perhaps with a
 * diagnostic, if the values must be known, a definition does not converge, or the budget is
 * exhausted. */
RspStaging *template_fill (const RspStagedModel *from, const guint8 *roots, const RspBase *base,
                           const RspStageOptions *options, RspArena *arena,
                           RspDiagnostics *diagnostics);
