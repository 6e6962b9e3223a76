#pragma once

#include "enumerator/search/bounded/branch.h"

/* Twins are alternatives that differ only in the names of exchangeable threads. Finds, for each
 * alternative, its first twin in the choice's set, or itself if it has no earlier one. The result
 * is the same for every searcher, whatever its order. twin: per event. */
void twins_find (const Searcher *s, const Choice *choice, guint *twin);

/* Adds the results of an alternative: those of its twin, with registers exchanged. */
void twins_add (Searcher *s, const Observed *observed, guint explored, guint alternative,
                const RspResults *found, RspResults *results);
