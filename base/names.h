/* Arrays of names. */
#pragma once

#include <glib.h>
#include <string.h>

/* The order of two names in an array: for g_ptr_array_sort and qsort. */
static inline int rsp_compare_names (gconstpointer a, gconstpointer b) {
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}
