#include "api/handle.h"

G_DEFINE_BOXED_TYPE (RspcheckResult, rspcheck_result, rspcheck_result_ref, rspcheck_result_unref)

API_REF (RspcheckResult, rspcheck_result)

void rspcheck_result_unref (RspcheckResult *result) {
  if (!result || !g_atomic_ref_count_dec (&result->references))
    return;
  g_array_unref (result->flag_events);
  g_ptr_array_unref (result->flags);
  rsp_record_free (result->record);
  g_free (result);
}

gpointer api_handle_new (const RspcheckResult *result, gconstpointer value) {
  if (!value)
    return NULL;
  ApiHandle *handle = g_new (ApiHandle, 1);
  g_atomic_ref_count_init (&handle->references);
  handle->result = rspcheck_result_ref ((RspcheckResult *) result);
  handle->value = value;
  return handle;
}

void api_handle_unref (gpointer handle) {
  ApiHandle *self = handle;
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  rspcheck_result_unref (self->result);
  g_free (self);
}

char **api_copy_list (const char *const *list) {
  static const char *const none[] = { NULL };
  return g_strdupv ((char **) (list ? list : none));
}

void api_append_messages (RspDiagnostics *diagnostics, GString *messages) {
  for (guint i = 0; messages && i < rsp_diagnostics_count (diagnostics); i++)
    rsp_diagnostic_format (rsp_diagnostics_get (diagnostics, i), FALSE, messages);
}
