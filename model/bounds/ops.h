/* One width's table of row operations: included with RSP_WORDS and RSP_BOUNDS_OPS defined. */
#include "model/bounds/rows.h"

#include "model/bounds/forward.h"

#include "model/bounds/force.h"

#include "model/bounds/key.h"

const RspBoundsOps RSP_BOUNDS_OPS = { .evaluate = evaluate,
                                      .refresh = refresh,
                                      .set = set_bit,
                                      .forget = forget,
                                      .undo = undo,
                                      .truth = truth,
                                      .force = force,
                                      .key = key };
