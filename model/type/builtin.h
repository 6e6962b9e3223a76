#ifndef RSP_MODEL_TYPE_BUILTIN_H
#define RSP_MODEL_TYPE_BUILTIN_H

#include "model/type/type.h"

const Type *type_apply_builtin (TypeChecker *checker, RspSpan span, const Type *function,
                                const Type *argument);

#endif
