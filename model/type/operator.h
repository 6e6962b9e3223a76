#pragma once

#include "model/type/type.h"

/* Binary and unary operators on sets and relations. */
const Type *type_operator (TypeChecker *checker, const RspCatExpr *expr, const Type *a,
                           const Type *b);
