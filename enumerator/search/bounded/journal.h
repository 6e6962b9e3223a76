/* The journal of a search (-v -v): what each node decides, what that forces and by which axiom, and why
 * branches end, in the manner of Kissat's LOG. Events are e0, e1, …; a line begins with the number of
 * decisions above it. Written by searcher 0 alone, and only where somebody reads it:
 *
 *   JOURNAL (s, pruned, why)     journal_pruned (s, why), if there is a journal */
#ifndef RSP_ENUMERATOR_SEARCH_BOUNDED_JOURNAL_H
#define RSP_ENUMERATOR_SEARCH_BOUNDED_JOURNAL_H

#include "enumerator/search/bounded/branch.h"

#define JOURNAL(s, entry, ...)                                                                     \
  do                                                                                               \
    if (G_UNLIKELY ((s)->journal))                                                                 \
      journal_##entry ((s), __VA_ARGS__);                                                          \
  while (0)

/* The search of one staged model of a combination begins: its events. */
void journal_begin (Bounded *s, guint n_events);
/* One alternative of a choice is taken. */
void journal_decision (Bounded *s, const Choice *choice, guint alternative);
/* The pairs that an axiom forces, in s->forced_by_one. */
void journal_forced (Bounded *s, guint axiom);
/* why: an axiom's index, or the number of axioms plus PRUNED_BY_…. */
void journal_pruned (Bounded *s, guint why);
/* A node: it has been solved before (known), or its completions were counted; with its results. */
void journal_results (Bounded *s, gboolean known, const RspResults *results);

#endif
