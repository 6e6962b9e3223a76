#include "machine/cost/bill.h"

const RspBillWord rsp_bill_words[RSP_N_BILL_ITEMS] = {
#define RSP_BILL_ITEM(item, name, meaning) { name, meaning },
#include "machine/cost/bill.def"
#undef RSP_BILL_ITEM
};
