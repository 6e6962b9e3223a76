/* Shared by the files behind rsp_values_solve. */
#ifndef RSP_ENUMERATOR_VALUES_VALUES_PRIVATE_H
#define RSP_ENUMERATOR_VALUES_VALUES_PRIVATE_H

#include "enumerator/pre_execution.h"
#include "enumerator/terms/compound.h"

/* A solution in progress. Arrays are per event of the pre-execution. */
typedef struct RspSolver
{
  const RspPreExecution *pre;
  const guint *source; /* per read */
  RspValue *values;    /* per read, if known */
  gboolean *known;
  RspCompounds compounds; /* numbers all undetermined values */
  GArray *bound; /* of RspBoundTerm: the terms that cycles write; NULL while there are none */
  guint *stack;
  guint8 *on_stack;
} RspSolver;

#endif
