/* Prunings: how often each of a model's axioms, or something else, pruned a branch of the search, and
 * how many pairs of rf, co and chosen orders each axiom forced, so that no branch was needed. */
#ifndef RSP_ENUMERATOR_SEARCH_PRUNINGS_H
#define RSP_ENUMERATOR_SEARCH_PRUNINGS_H

#include "enumerator/search/check.h"

/* A GArray of RspPruning whose names are owned, one of each name. */
GArray *rsp_prunings_new (void);
/* Adds n prunings and so many forced pairs to those of a name; 0 of both has it in the list. */
void rsp_prunings_add (GArray *prunings, const char *name, guint64 n, guint64 forced);
void rsp_prunings_add_all (GArray *to, const GArray *from);
/* Did what goes by the name prune a branch or force a pair? */
gboolean rsp_prunings_has (const GArray *prunings, const char *name);
/* Adds every plain axiom of a model that is not there and not skipped. */
void rsp_prunings_add_model (GArray *prunings, const RspModel *model, const char *const *skipped);
/* Puts what did most first: the most prunings, then the most forced pairs. */
void rsp_prunings_sort (GArray *prunings);

/* How an axiom is called: its name, else "line N of FILE". Newly allocated. */
char *rsp_axiom_label (const RspStagedAxiom *axiom);

/* What prunes apart from axioms: values, if a read has no candidate left or a path condition fails;
 * and forced pairs, if no axiom fails but together the pairs contradict what is decided or leave a
 * read without a candidate. */
#define RSP_PRUNED_BY_VALUES "(values)"
#define RSP_PRUNED_BY_FORCED "(forced pairs)"

#endif
