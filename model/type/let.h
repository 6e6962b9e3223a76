#ifndef RSP_MODEL_TYPE_LET_H
#define RSP_MODEL_TYPE_LET_H

#include "model/type/type.h"

const TypeEnv *type_let (TypeChecker *checker, const RspCatBinding *bindings, gboolean recursive,
                         const TypeEnv *env);

#endif
