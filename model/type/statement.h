#pragma once

#include "model/type/type.h"

const TypeEnv *type_statements (TypeChecker *checker, const RspCatStatement *statement,
                                const TypeEnv *env);
