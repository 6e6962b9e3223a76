/* Places in the scope tree that make no difference: a lock whose operations all have the scope of
 * the device treats its threads alike, in whatever work-groups they are. Then any two threads of
 * the same code may be exchanged, not only those that the tree treats alike (symmetry.h).
 *
 * Let two threads exchange their places, and nothing else. If no axiom and no flag of the model can
 * have another value on any execution, the threads may be exchanged: an execution with the two
 * threads' roles exchanged is, but for their names, the first one in the changed tree. The model's
 * expressions are evaluated with all choices of an execution open, on the accesses of all paths:
 * which pairs may they contain, and of which may the two trees make a difference? What is not in an
 * execution only makes both smaller. */
#pragma once

#include "enumerator/paths/path.h"
#include "model/model.h"
#include "parser/program.h"

/* class[t]: the first thread that t is exchangeable with, perhaps itself, because of the tree
 * (symmetry_find), or under the model in executions of these paths (per thread: of RspPath). FALSE
 * if there are none. */
gboolean places_find_classes (const RspProgram *program, const RspModel *model,
                              GPtrArray *const *paths, RspBudget *budget, guint *class);
