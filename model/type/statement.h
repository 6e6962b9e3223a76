#ifndef RSP_MODEL_TYPE_STATEMENT_H
#define RSP_MODEL_TYPE_STATEMENT_H

#include "model/type/type.h"

const TypeEnv *type_statements (TypeChecker *checker, const RspCatStatement *statement,
                                const TypeEnv *env);

#endif
