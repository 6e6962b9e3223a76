#ifndef RSP_ENUMERATOR_SEARCH_BOUNDED_TWINS_H
#define RSP_ENUMERATOR_SEARCH_BOUNDED_TWINS_H

#include "enumerator/search/bounded/branch.h"

/* Alternatives that differ only in the names of exchangeable threads. Is the alternative
 * the image of one already explored? Then its results are those found there, with registers
 * exchanged. */
gboolean bounded_are_twins (const Bounded *s, const Choice *choice, guint explored,
                            guint alternative);
void bounded_add_twin (Bounded *s, const Observed *observed, guint explored, guint alternative,
                       const RspResults *found, RspResults *results);

#endif
