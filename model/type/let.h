#pragma once

#include "model/type/type.h"

const TypeEnv *type_let (TypeChecker *checker, const RspCatBinding *bindings, gboolean recursive,
                         const TypeEnv *env);
