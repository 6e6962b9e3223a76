#pragma once

#include "model/stage/stage.h"

gboolean stage_statements (Stage *stage, const RspCatStatement *statement, const StageEnv **env);
void stage_add_axiom (Stage *stage, const RspStagedAxiom *axiom);
/* Does a plain axiom hold whatever the search decides? value: the value of its node, or NULL if
 * that is open. */
gboolean stage_is_settled (const RspStagedAxiom *axiom, const RspMatrix *value);
gboolean stage_has_open_sets (const RspBase *base);
