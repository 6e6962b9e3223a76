#include "machine/framework/system.h"

void rsp_successors_init (RspSuccessors *successors) {
  successors->bytes = g_byte_array_sized_new (1); /* not NULL, even if a state has no bytes */
  successors->ends = g_array_new (FALSE, FALSE, sizeof (gsize));
  successors->bills = g_array_new (FALSE, FALSE, sizeof (RspBill));
}

void rsp_successors_clear (RspSuccessors *successors) {
  g_byte_array_unref (successors->bytes);
  g_array_unref (successors->ends);
  g_array_unref (successors->bills);
}

void rsp_successors_reset (RspSuccessors *successors) {
  g_byte_array_set_size (successors->bytes, 0);
  g_array_set_size (successors->ends, 0);
  g_array_set_size (successors->bills, 0);
}

void rsp_successors_add (RspSuccessors *successors, const RspBill *bill) {
  gsize end = successors->bytes->len;
  RspBill none = { { 0 } };
  g_array_append_val (successors->ends, end);
  g_array_append_vals (successors->bills, bill ? bill : &none, 1);
}

const RspBill *rsp_successors_bill (const RspSuccessors *successors, guint i) {
  return &g_array_index (successors->bills, RspBill, i);
}

guint rsp_successors_count (const RspSuccessors *successors) { return successors->ends->len; }

RspBytes rsp_successors_get (const RspSuccessors *successors, guint i) {
  gsize begin = i ? g_array_index (successors->ends, gsize, i - 1) : 0;
  gsize end = g_array_index (successors->ends, gsize, i);
  return (RspBytes){ successors->bytes->data + begin, end - begin };
}
