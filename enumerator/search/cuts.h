/* Cuts: how often each of a model's checks, or what else, ended a branch of the search. */
#ifndef RSP_ENUMERATOR_SEARCH_CUTS_H
#define RSP_ENUMERATOR_SEARCH_CUTS_H

#include "enumerator/search/check.h"

/* A GArray of RspCut whose names are owned, one of each name. */
GArray *rsp_cuts_new (void);
/* Adds n cuts to those of a name; n may be 0, to have it in the list. */
void rsp_cuts_add (GArray *cuts, const char *name, guint64 n);
void rsp_cuts_merge (GArray *to, const GArray *from);
/* Puts the most frequent first. */
void rsp_cuts_sort (GArray *cuts);

/* What a check is called: its name, else "line N of FILE". Newly allocated. */
char *rsp_cuts_name (const RspStagedCheck *check);

/* What cuts besides checks: values, when a read has no candidate left or a path condition fails;
 * and pairs that open checks forced, where none of them fails but together they contradict what is
 * decided or leave a read without a candidate. */
#define RSP_CUTS_VALUES "(values)"
#define RSP_CUTS_FORCED "(forced pairs)"

#endif
