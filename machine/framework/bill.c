#include "machine/framework/bill.h"

const RspBillWord rsp_bill_words[RSP_N_BILL_ITEMS] = {
#define RSP_BILL_ITEM(item, name, meaning) { name, meaning },
#include "machine/framework/bill.def"
#undef RSP_BILL_ITEM
};
