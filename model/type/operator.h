#ifndef RSP_MODEL_TYPE_OPERATOR_H
#define RSP_MODEL_TYPE_OPERATOR_H

#include "model/type/type.h"

/* The operators between sets and between relations, and those on one of them. */
const Type *type_operator (TypeChecker *checker, const RspCatExpr *expr, const Type *a,
                           const Type *b);

#endif
