/* Counted references to results, and to what they hold: explanations, executions, their parts. All
 * of these are alike: the value lives in the result's record, and the handle keeps the result. */
#pragma once

#include "api/private.h"

typedef struct ApiHandle {
  gatomicrefcount references;
  RspcheckResult *result;
  gconstpointer value;
} ApiHandle;

/* NULL if value is NULL. */
gpointer api_handle_new (const RspcheckResult *result, gconstpointer value);
void api_handle_unref (gpointer handle);

/* The function name_ref of a type that counts its references. */
#define API_REF(Type, name)                                                                        \
  Type *name##_ref (Type *self) {                                                                  \
    g_return_val_if_fail (self != NULL, NULL);                                                     \
    g_atomic_ref_count_inc (&self->references);                                                    \
    return self;                                                                                   \
  }

/* The public type `Type`, a handle of `const Inner *`: its boxed type and the functions name_ref
 * and name_unref. */
#define API_HANDLE(Type, name, Inner)                                                              \
  struct Type {                                                                                    \
    gatomicrefcount references;                                                                    \
    RspcheckResult *result;                                                                        \
    const Inner *value;                                                                            \
  };                                                                                               \
  G_STATIC_ASSERT (sizeof (struct Type) == sizeof (ApiHandle));                                    \
  G_DEFINE_BOXED_TYPE (Type, name, name##_ref, name##_unref)                                       \
  API_REF (Type, name)                                                                             \
  void name##_unref (Type *self) {                                                                 \
    if (self)                                                                                      \
      api_handle_unref (self);                                                                     \
  }

/* Functions of such a type. FIELD: what a field of the value says; LIST: a copy of a list of
 * strings; PARTS: the number of parts, and part i as a handle of its own. */
#define API_FIELD(Type, name, what, Result, otherwise, expression)                                 \
  Result name##_##what (const Type *self) {                                                        \
    g_return_val_if_fail (self != NULL, otherwise);                                                \
    return expression;                                                                             \
  }
#define API_LIST(Type, name, what, field)                                                          \
  char **name##_##what (const Type *self) {                                                        \
    g_return_val_if_fail (self != NULL, NULL);                                                     \
    return api_copy_list (self->value->field);                                                     \
  }
#define API_PARTS_OF(Type, name, n_what, n, what, Part, result, part)                              \
  API_FIELD (Type, name, n_what, guint, 0, n)                                                      \
  Part *name##_##what (const Type *self, guint i) {                                                \
    g_return_val_if_fail (self != NULL && i < (n), NULL);                                          \
    return api_handle_new (result, part);                                                          \
  }
#define API_PARTS(Type, name, n_what, n, what, Part, part)                                         \
  API_PARTS_OF (Type, name, n_what, n, what, Part, self->result, part)

/* A copy of a NULL-terminated list, which may be NULL for an empty one. */
char **api_copy_list (const char *const *list);

/* Appends the diagnostics to messages, unless that is NULL. */
void api_append_messages (RspDiagnostics *diagnostics, GString *messages);
