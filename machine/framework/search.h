/* The search of a transition system: visits every reachable state once. */
#pragma once

#include "base/budget.h"
#include "machine/framework/store.h"

typedef struct RspSearchOptions {
  gboolean breadth_first; /* if set, the path to a state is a shortest one; otherwise depth first */
  guint64 max_states;     /* 0: no limit */
  RspBudget *budget;      /* time and memory; NULL: no limits */
} RspSearchOptions;

/* Called for each state without a successor. FALSE ends the search. */
typedef gboolean (*RspSearchEnded) (gpointer user, guint32 number, RspBytes state, RspEnd end);

typedef struct RspSearch {
  RspStore *store;
  guint64 steps;        /* transitions */
  gboolean limited;     /* did max_states or the budget end it, so that there may be more states? */
  const char *violated; /* an invariant that does not hold, which ended the search; else NULL */
  guint32 where;        /* the state that violates it */
} RspSearch;

/* Explores all states. ended may be NULL. Never NULL. */
RspSearch *rsp_search_run (const RspSystem *system, const RspSearchOptions *options,
                           RspSearchEnded ended, gpointer user);
void rsp_search_free (RspSearch *search);

/* Appends the steps from the initial state to a state of the search, as the system describes them.
 */
void rsp_search_describe (const RspSystem *system, const RspSearch *search, guint32 number,
                          GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspSearch, rsp_search_free)
