#include "enumerator/search/bounded/share/common.h"

RspCommon *rsp_common_new (const RspNames *names, gsize max_size) {
  RspCommon *common = g_new0 (RspCommon, 1);
  common->numbers = numbers_new ();
  common->names = names;
  if (max_size)
    common->memo = memo_new (max_size);
  return common;
}

void rsp_common_free (RspCommon *common) {
  if (!common)
    return;
  memo_free (common->memo);
  numbers_free (common->numbers);
  g_free (common);
}
