#pragma once

#include "base/base.h"
#include "model/type/type.h"

/* ---- Apply ---------------------------------------------------------------------------------- */

guint type_hash_application (gconstpointer application);
gboolean type_equal_applications (gconstpointer a, gconstpointer b);

/* Checks a function by itself, with an unknown argument. Returns UNKNOWN instead of the function
 * after an error, so that nothing more about it is reported. */
const Type *type_check_alone (TypeChecker *checker, RspSpan span, const Type *function);
void type_call (TypeChecker *checker, RspSpan span, const char *name, const Type *procedure,
                const Type *argument);

/* ---- Env ------------------------------------------------------------------------------------ */

const char *type_symbol (TypeChecker *checker, const char *name);
const TypeEnv *type_bind (TypeChecker *checker, const TypeEnv *env, const char *name,
                          const Type *type);

/* Binds a pattern. NULL if the type does not fit; then *problem describes how, in the arena. */
const TypeEnv *type_bind_pattern (TypeChecker *checker, const TypeEnv *env,
                                  const RspCatPattern *pattern, const Type *type,
                                  const char **problem);
const TypeEnv *type_bind_unknown (TypeChecker *checker, const TypeEnv *env,
                                  const RspCatPattern *pattern);

/* Reports names that occur twice in the patterns of bindings or of a function. */
void type_check_distinct (TypeChecker *checker, const RspCatBinding *bindings,
                          const RspCatPattern *pattern);

/* The innermost env, from this one outwards, that binds the name; NULL if the model does not bind
 * it. */
const TypeEnv *type_binding (TypeChecker *checker, const TypeEnv *env, const char *name);

/* NULL if the name is unbound. */
const Type *type_look_up (TypeChecker *checker, const TypeEnv *env, const char *name);

/* Notes the use of a name that the model does not define; reports once if it is always empty here.
 */
void type_note_predefined (TypeChecker *checker, const TypeEnv *env, const char *name,
                           RspSpan span);
void type_report_unbound (TypeChecker *checker, const TypeEnv *env, const char *name, RspSpan span,
                          RspSeverity severity);
void type_define_predefined (TypeChecker *checker);
void type_collect_definitions (TypeChecker *checker, const RspCatStatement *statement);

/* ---- Expr ----------------------------------------------------------------------------------- */

const Type *type_expr (TypeChecker *checker, const RspCatExpr *expr, const TypeEnv *env);

/* The env in a clause's body, or NULL if the value's type does not fit the clause, which is
 * reported. */
const TypeEnv *type_clause (TypeChecker *checker, const RspCatClause *clause,
                            const RspCatExpr *subject, const Type *type, const TypeEnv *env);

/* Conditions that variants determine are decided here, and the branches that they leave out are not
 * checked. */
RspTruth type_condition (TypeChecker *checker, const RspCatCondition *condition,
                         const TypeEnv *env);

/* ---- Let ------------------------------------------------------------------------------------ */

const TypeEnv *type_let (TypeChecker *checker, const RspCatBinding *bindings, gboolean recursive,
                         const TypeEnv *env);

/* ---- Statement ------------------------------------------------------------------------------ */

const TypeEnv *type_statements (TypeChecker *checker, const RspCatStatement *statement,
                                const TypeEnv *env);
