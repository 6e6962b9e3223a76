#pragma once

#include "model/type/type.h"

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
/* Notes once, if it is the case, that a name that the model does not define is always empty
 * here. */
void type_note_predefined (TypeChecker *checker, const TypeEnv *env, const char *name,
                           RspSpan span);
void type_report_unbound (TypeChecker *checker, const TypeEnv *env, const char *name, RspSpan span,
                          RspSeverity severity);
void type_define_predefined (TypeChecker *checker);
void type_collect_definitions (TypeChecker *checker, const RspCatStatement *statement);
