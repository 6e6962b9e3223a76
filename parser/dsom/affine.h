/* Affine functions of loop variables: c + A1·X1 + … + AN·XN, each Xi from its low to its high, with
 * linear constraints (the DSOM paper, section 4.3). */
#pragma once

#include "parser/program.h"

enum { RSP_AFFINE_VARIABLES = 8 };

typedef struct RspLinear {
  gint64 constant;
  gint64 coefficients[RSP_AFFINE_VARIABLES];
} RspLinear;

/* `linear op 0`: op is RSP_OP_EQ, NE, LT, LE, GT or GE. */
typedef struct RspLinearConstraint {
  RspLinear linear;
  RspOperator op;
} RspLinearConstraint;

typedef struct RspAffine {
  RspLinear value;
  guint n; /* variables */
  gint64 low[RSP_AFFINE_VARIABLES], high[RSP_AFFINE_VARIABLES];
  RspLinearConstraint *constraints;
  guint n_constraints;
} RspAffine;

/* The value at a point: x has one value per variable. */
gint64 rsp_linear_at (const RspLinear *linear, guint n, const gint64 *x);
/* All constraints hold at x. */
gboolean rsp_affine_allows (const RspAffine *affine, const gint64 *x);
