/* What the searches of one check share, if they do: values as small numbers, and the memo of
 * residual problems. */
#ifndef RSP_ENUMERATOR_SEARCH_BOUNDED_SHARE_COMMON_H
#define RSP_ENUMERATOR_SEARCH_BOUNDED_SHARE_COMMON_H

#include "enumerator/search/bounded/searcher.h"

struct Values
{
  GMutex lock;
  RspArena *arena;
  GHashTable *ids;  /* RspValue → its number + 1 */
  GPtrArray *table; /* of RspValue, by number */
};

struct RspCommon
{
  const RspNames *names;
  Memo *memo; /* NULL when there is none */
  Values *values;
};

/* names: of the events of all paths; must outlive it; NULL where there is one pre-execution only.
 * max_size: bytes of the memo; 0: none. */
RspCommon *rsp_common_new (const RspNames *names, gsize max_size);
void rsp_common_free (RspCommon *common);

/* An empty table from values (RspValue, not owned) to numbers. */
GHashTable *values_table_new (void);

#endif
