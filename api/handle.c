#include "api/handle.h"

gpointer
api_handle_new (const RspcheckResult *result, gconstpointer value)
{
  if (!value)
    return NULL;
  ApiHandle *handle = g_new (ApiHandle, 1);
  g_atomic_ref_count_init (&handle->references);
  handle->result = rspcheck_result_ref ((RspcheckResult *) result);
  handle->value = value;
  return handle;
}

gpointer
api_handle_ref (gpointer handle)
{
  g_atomic_ref_count_inc (&((ApiHandle *) handle)->references);
  return handle;
}

void
api_handle_unref (gpointer handle)
{
  ApiHandle *self = handle;
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  rspcheck_result_unref (self->result);
  g_free (self);
}

char **
api_copy_list (const char *const *list)
{
  static const char *const none[] = { NULL };
  return g_strdupv ((char **) (list ? list : none));
}
