/* The bill: events that hardware pays for. */
#pragma once

#include <glib.h>

typedef enum RspBillItem {
#define RSP_BILL_ITEM(item, name, meaning) RSP_BILL_##item,
#include "machine/framework/bill.def"
#undef RSP_BILL_ITEM
  RSP_N_BILL_ITEMS
} RspBillItem;

typedef struct RspBill {
  guint16 n[RSP_N_BILL_ITEMS];
} RspBill;

typedef struct RspBillWord {
  const char *name, *meaning;
} RspBillWord;

extern const RspBillWord rsp_bill_words[RSP_N_BILL_ITEMS];
