/* The journal of a search (-v -v): the decision of each node, the pairs that axioms force, and why
 * branches end, in the manner of Kissat's LOG. Events are e0, e1, …; a line begins with the number
 * of decisions above it. Written by searcher 0 alone, and only if it is requested:
 *
 *   JOURNAL (s, pruned, why)     journal_pruned (s, why), if there is a journal */
#pragma once

#include "enumerator/search/bounded/branch.h"

#define JOURNAL(s, entry, ...)                                                                     \
  do                                                                                               \
    if (G_UNLIKELY ((s)->journal))                                                                 \
      journal_##entry ((s), __VA_ARGS__);                                                          \
  while (0)

/* The search of one staged model of a combination begins: lists its events. */
void journal_begin (Searcher *s, guint n_events);
/* One alternative of a choice is taken. */
void journal_decision (Searcher *s, const Choice *choice, guint alternative);
/* The pairs (RspForced) that an axiom forces. */
void journal_forced (Searcher *s, guint axiom, const GArray *pairs);
/* why: an axiom's index, or the number of axioms plus PRUNED_BY_…. */
void journal_pruned (Searcher *s, guint why);
/* A node with its results: found in the memo (known), or counted. */
void journal_results (Searcher *s, gboolean known, const RspResults *results);
