#pragma once

#include "model/dag/dag.h"

/* A recursive group: begin creates n variables (kinds[i]: is it a set?); end closes the group over
 * the bodies and stores the fix nodes in fixes. Static groups are computed at once and become
 * constants; FALSE if such a group does not converge or the budget is exhausted. */
guint rsp_dag_fix_begin (RspDag *dag, guint n, const gboolean *is_set, RspNodeId *variables);
gboolean rsp_dag_fix_end (RspDag *dag, guint group, const RspNodeId *bodies, RspNodeId *fixes);
