#ifndef RSP_MODEL_DAG_FIX_H
#define RSP_MODEL_DAG_FIX_H

#include "model/dag/dag.h"

/* A recursive group: begin creates n variables (kinds[i]: is it a set?); end closes the group over
 * the bodies and stores the fix nodes in fixes. Static groups are computed at once and become
 * constants; FALSE if such a group does not converge or the budget is exhausted. */
guint rsp_dag_fix_begin (RspDag *dag, guint n, const gboolean *is_set, RspNodeId *variables);
gboolean rsp_dag_fix_end (RspDag *dag, guint group, const RspNodeId *bodies, RspNodeId *fixes);

/* The recursive definition that did not converge in an evaluation of the DAG, by any engine and
 * thread, or NULL. The model is at fault: its values and bounds mean nothing, and the budget is
 * exhausted. */
const RspFix *rsp_dag_diverged (const RspDag *dag);
void rsp_dag_diverge (const RspDag *dag, const RspFix *fix);

#endif
