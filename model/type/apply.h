#pragma once

#include "model/type/type.h"

guint type_hash_application (gconstpointer application);
gboolean type_equal_applications (gconstpointer a, gconstpointer b);

/* name: what is applied, for messages; or NULL. */
const Type *type_apply (TypeChecker *checker, RspSpan span, const char *name, const Type *function,
                        const Type *argument);
/* Checks a function by itself, with an unknown argument. Returns UNKNOWN instead of the function
 * after an error, so that nothing more about it is reported. */
const Type *type_check_alone (TypeChecker *checker, RspSpan span, const Type *function);
void type_call (TypeChecker *checker, RspSpan span, const char *name, const Type *procedure,
                const Type *argument);
