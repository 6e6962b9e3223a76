/* Prunings: how often each axiom of a model, or another reason, pruned a branch of the search, and
 * how many pairs of rf, co and chosen orders each axiom forced without branching. */
#pragma once

#include "enumerator/search/check.h"

/* A GArray of RspPruning whose names are owned, one of each name. */
GArray *rsp_prunings_new (void);
/* Adds numbers of prunings and forced pairs to those of a name; with both 0, the name is just
 * listed. */
void rsp_prunings_add (GArray *prunings, const char *name, guint64 n, guint64 forced);
void rsp_prunings_add_all (GArray *to, const GArray *from);
/* Did the axiom or reason of this name prune a branch or force a pair? */
gboolean rsp_prunings_has (const GArray *prunings, const char *name);
/* All of them and, without any, the model's other plain axioms that are not skipped: by the number
 * of prunings, then of forced pairs, largest first. In the arena. */
RspPruning *rsp_prunings_finish (const GArray *prunings, const RspModel *model,
                                 const char *const *skipped, RspArena *arena, guint *n);

/* The identifier of an axiom: its name, else "line N of FILE". Newly allocated. */
char *rsp_axiom_label (const RspStagedAxiom *axiom);

/* Reasons for pruning other than axioms. Values: a read has no candidate left, or a path condition
 * fails. Forced pairs: no axiom fails, but the pairs together contradict decisions or leave a read
 * without a candidate. */
#define RSP_PRUNED_BY_VALUES "(values)"
#define RSP_PRUNED_BY_FORCED "(forced pairs)"
