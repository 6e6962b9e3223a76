/* Exact counts of executions: saturating arithmetic and decimal digits. */
#include "base/count.h"

RspCount rsp_count_add (RspCount a, RspCount b) {
  RspCount sum;
  return __builtin_add_overflow (a, b, &sum) ? RSP_COUNT_MAX : sum;
}

RspCount rsp_count_multiply (RspCount a, RspCount b) {
  RspCount product;
  return __builtin_mul_overflow (a, b, &product) ? RSP_COUNT_MAX : product;
}

void rsp_count_format (RspCount count, GString *out) {
  if (count == RSP_COUNT_MAX) {
    g_string_append (out, "more than 3e38");
    return;
  }
  char digits[40];
  guint n = 0;
  do
    digits[n++] = (char) ('0' + (int) (count % 10));
  while (count /= 10);
  while (n)
    g_string_append_c (out, digits[--n]);
}
