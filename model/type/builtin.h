#pragma once

#include "model/type/type.h"

const Type *type_apply_builtin (TypeChecker *checker, RspSpan span, const Type *function,
                                const Type *argument);
