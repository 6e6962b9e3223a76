/* Shared by searches: the numbers of values, and the memo of residual problems. */
#pragma once

#include "enumerator/search/bounded/share/memo.h"
#include "enumerator/search/bounded/share/numbers.h"

/* The searches of one check. */
struct RspCommon {
  const RspNames *names;
  Memo *memo; /* NULL if there is none */
  Numbers *numbers;
};

/* The searchers of one search (crew.c). */
struct Shared {
  Memo *memo; /* NULL if there is none */
  Numbers *numbers;
  RspCommon *own; /* to be freed with it; NULL if they belong to the check */
  gint done;      /* atomic: does one of them have the complete results? */
};

/* names: of the events of all paths, which must outlive it; NULL if there is only one
 * pre-execution. max_size: size of the memo in bytes; 0: no memo. */
RspCommon *rsp_common_new (const RspNames *names, gsize max_size);
void rsp_common_free (RspCommon *common);
