#pragma once

#include "base/truth.h"
#include "model/type/type.h"

const Type *type_expr (TypeChecker *checker, const RspCatExpr *expr, const TypeEnv *env);
/* The env in a clause's body, or NULL if the value's type does not fit the clause, which is
 * reported. */
const TypeEnv *type_clause (TypeChecker *checker, const RspCatClause *clause,
                            const RspCatExpr *subject, const Type *type, const TypeEnv *env);

/* Conditions that variants determine are decided here, and the branches that they leave out are not
 * checked. */
RspTruth type_condition (TypeChecker *checker, const RspCatCondition *condition,
                         const TypeEnv *env);
