/* What searches share: the numbers of values, and the memo of residual problems. */
#ifndef RSP_ENUMERATOR_SEARCH_BOUNDED_SHARE_COMMON_H
#define RSP_ENUMERATOR_SEARCH_BOUNDED_SHARE_COMMON_H

#include "enumerator/search/bounded/share/memo.h"
#include "enumerator/search/bounded/share/numbers.h"

/* The searches of one check. */
struct RspCommon
{
  const RspNames *names;
  Memo *memo; /* NULL when there is none */
  Numbers *numbers;
};

/* The searchers of one search (crew.c). */
struct Shared
{
  Memo *memo; /* NULL when there is none */
  Numbers *numbers;
  RspCommon *own; /* to be freed with it; NULL where they are the check's */
  gint done;      /* atomic: one of them has all there is */
};

/* names: of the events of all paths; must outlive it; NULL where there is one pre-execution only.
 * max_size: bytes of the memo; 0: none. */
RspCommon *rsp_common_new (const RspNames *names, gsize max_size);
void rsp_common_free (RspCommon *common);

#endif
