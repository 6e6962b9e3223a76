/* Warnings about models that are well-typed but hardly what their author means. */
#pragma once

#include "model/model.h"

typedef enum RspModelWarning {
  RSP_WARN_UNCHECKED,  /* no axiom at all */
  RSP_WARN_SAME_NAME,  /* two axioms with the same name */
  RSP_WARN_UNUSED,     /* a `let` that nothing uses */
  RSP_WARN_EMPTY,      /* a definition that is empty on every event type */
  RSP_WARN_PRECEDENCE, /* `a ; [S] & r` */
  RSP_N_MODEL_WARNINGS
} RspModelWarning;

/* "unchecked", …: as in -Wno-unchecked; NULL-terminated. */
extern const char *const rsp_model_warning_names[RSP_N_MODEL_WARNINGS + 1];

/* Warns about what is in the model's own file; about axioms, also in the files that it includes.
 * off: bits (1 << RspModelWarning) of warnings to suppress. shown: names that are used because
 * pictures show them, NULL-terminated, or NULL. */
void rsp_model_warn (const RspModel *model, guint off, const char *const *shown,
                     RspDiagnostics *diagnostics);
