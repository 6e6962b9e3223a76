/* What the files behind rsp_values_solve share. */
#ifndef RSP_ENUMERATOR_VALUES_VALUES_PRIVATE_H
#define RSP_ENUMERATOR_VALUES_VALUES_PRIVATE_H

#include "enumerator/pre_execution.h"
#include "enumerator/terms/compound.h"

/* A solution under way. Arrays are per event of the pre-execution. */
typedef struct RspSolver
{
  const RspPreExecution *pre;
  const guint *source; /* per read */
  RspValue *values;    /* per read, where known */
  gboolean *known;
  RspCompounds compounds; /* numbers all undetermined values */
  RspValue *bound; /* per write: what it writes when that was found by solving a circle; else 0 */
  guint *stack;
  guint8 *on_stack;
} RspSolver;

#endif
