#pragma once

#include "enumerator/search/bounded/searcher.h"

/* Reasons to prune a branch besides the axioms: numbered after these. */
enum { PRUNED_BY_VALUES, PRUNED_BY_FORCED, N_PRUNED_BY };

void account_open (Searcher *s);

/* Counts a pruned branch. why: an axiom's index, or the number of axioms plus PRUNED_BY_…. */
void account_pruned (Searcher *s, guint why);
/* Counts forced pairs for the axioms that forced them, if that is requested. */
void account_forced (Searcher *s);
/* Adds the counts of another searcher. */
void rsp_account_add (Searcher *to, const Searcher *from);
/* At the end: adds all to the search's prunings. */
void account_report (const Searcher *s);
