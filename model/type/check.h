#pragma once

#include "model/type/type.h"

void rsp_type_error (TypeChecker *checker, RspSpan span, const char *hint, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
guint rsp_type_count_errors (const TypeChecker *checker);

/* Types a model whose files have been read; sets rmw_is_relation. FALSE after errors, reported in
 * diagnostics. */
gboolean rsp_model_check_types (RspModel *model, RspDiagnostics *diagnostics);

/* What each name is that a `let` defines: RspCatPattern → "a relation". The model must have been
 * read, but may have errors. For the caller to unref. */
GHashTable *rsp_model_describe_types (const RspModel *model);
