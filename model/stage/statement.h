#ifndef RSP_MODEL_STAGE_STATEMENT_H
#define RSP_MODEL_STAGE_STATEMENT_H

#include "model/stage/stage.h"

gboolean stage_statements (Stage *stage, const RspCatStatement *statement, const StageEnv **env);
void stage_add_axiom (Stage *stage, const RspStagedAxiom *axiom);

#endif
