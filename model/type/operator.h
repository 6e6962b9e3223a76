#ifndef RSP_MODEL_TYPE_OPERATOR_H
#define RSP_MODEL_TYPE_OPERATOR_H

#include "model/type/type.h"

/* Binary and unary operators on sets and relations. */
const Type *type_operator (TypeChecker *checker, const RspCatExpr *expr, const Type *a,
                           const Type *b);

#endif
