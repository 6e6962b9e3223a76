/* Crews: several threads on one search.
 *
 * Every searcher searches the whole tree. Each tries the alternatives of a node in a different
 * order, and all share one memo of residual problems, where the others find what one has finished:
 * two that go through the children of a node from both ends meet in the middle, and again in the
 * child where they meet. No work is assigned in advance, so none can be assigned badly, and no
 * problem that the memo would have saved is solved twice because two tasks do not know about each
 * other. Results are tables of counts, which do not depend on the order in which threads fill them.
 * The first searcher with the root's results ends the others.
 *
 * A helper is a task of the check's pool. It runs once a thread is free, perhaps never: the caller
 * waits only for helpers that have begun. */
#include "enumerator/search/bounded/share/crew.h"
#include "enumerator/search/bounded/report/account.h"
#include "enumerator/search/bounded/share/common.h"
#include "enumerator/search/bounded/share/key.h"
#include "enumerator/search/bounded/share/naming.h"
#include "enumerator/search/bounded/values/relevance.h"

enum {
  HELP_AFTER = 64 /* nodes, by default: a shorter search is not worth a thread */
};

typedef struct Helper {
  RspTask task;
  Crew *crew;
  Searcher s;
  RspSearch search;
  RspStatistics statistics;
} Helper;

struct Crew {
  gint references; /* atomic: one for the caller, one for each helper in the pool */
  Searcher *caller;
  CrewSearch explore;
  Helper *helpers;
  guint n_helpers;

  GMutex lock; /* guards what follows */
  GCond ended; /* a helper has ended */
  guint running;
  gboolean closed;
  RspResults *results; /* complete results from a helper, or NULL */
};

Crew *crew_new (Searcher *s, CrewSearch explore) {
  if (!s->search->pool || s->search->options->jobs < 2 || !s->shared->memo)
    return NULL;
  Crew *crew = g_new0 (Crew, 1);
  crew->references = 1;
  crew->caller = s;
  crew->explore = explore;
  g_mutex_init (&crew->lock);
  g_cond_init (&crew->ended);
  return crew;
}

static void unref (Crew *crew) {
  if (!g_atomic_int_dec_and_test (&crew->references))
    return;
  g_mutex_clear (&crew->lock);
  g_cond_clear (&crew->ended);
  g_free (crew->helpers);
  g_free (crew);
}

/* ---- A helper ---- */

/* If the first execution answers the question, a helper can only report that there is none. */
static gboolean is_whole (const Searcher *s, const RspResults *results) {
  return rsp_budget_stop (s->search->budget) == RSPCHECK_STOP_COMPLETE
         && (!results->n || !rsp_bounded_ends_at_first (s));
}

static void search (Helper *helper) {
  Searcher *s = &helper->s;
  Observed observed;
  g_autoptr (RspResults) results = helper->crew->explore (s, &observed);
  /* If another searcher is done already, this one's results are not the complete ones. */
  if (results && is_whole (s, results)
      && g_atomic_int_compare_and_exchange (&s->shared->done, FALSE, TRUE))
    helper->crew->results = g_steal_pointer (&results);
}

static void run (RspTask *task) {
  Helper *helper = (Helper *) task;
  Crew *crew = helper->crew;
  g_mutex_lock (&crew->lock);
  gboolean open = !crew->closed;
  crew->running += open;
  g_mutex_unlock (&crew->lock);
  if (open) {
    search (helper);
    g_mutex_lock (&crew->lock);
    crew->running--;
    g_cond_broadcast (&crew->ended);
    g_mutex_unlock (&crew->lock);
  }
  unref (crew);
}

/* ---- The caller ---- */

/* FALSE if the budget is exhausted. */
static gboolean prepare (Crew *crew, guint i) {
  Helper *helper = &crew->helpers[i];
  const Searcher *caller = crew->caller;
  helper->task.run = run;
  helper->crew = crew;
  helper->search = *caller->search;
  helper->search.statistics = &helper->statistics;
  helper->s = (Searcher){ .search = &helper->search,
                          .pre = caller->pre,
                          .model = caller->model,
                          .shared = caller->shared,
                          .number = i + 1 };
  if (!searcher_open (&helper->s))
    return FALSE;
  key_open (&helper->s);
  return !caller->naming || naming_open (&helper->s, caller->naming->names);
}

static void call (Crew *crew) {
  const RspSearch *own = crew->caller->search;
  guint n_wanted = own->options->jobs - 1;
  crew->helpers = g_new0 (Helper, n_wanted);
  while (crew->n_helpers < n_wanted && prepare (crew, crew->n_helpers))
    crew->n_helpers++;
  own->statistics->helpers += crew->n_helpers;
  for (guint i = 0; i < crew->n_helpers; i++) {
    g_atomic_int_inc (&crew->references);
    rsp_pool_push (own->pool, &crew->helpers[i].task);
  }
}

void crew_call (Crew *crew) {
  const RspSearch *own = crew->caller->search;
  guint64 nodes = own->statistics->nodes;
  guint after = own->options->help_after ? own->options->help_after : HELP_AFTER;
  gboolean look = nodes >= after && (nodes & (nodes - 1)) == 0; /* a power of two */
  if (look && !crew->helpers && rsp_pool_waiting (own->pool) == 0)
    call (crew);
}

static void add_work (Searcher *to, const Searcher *from) {
  rsp_statistics_add (to->search->statistics, from->search->statistics);
  rsp_account_add (to, from);
}

RspResults *crew_end (Crew *crew, RspResults *results) {
  gboolean own = g_atomic_int_compare_and_exchange (&crew->caller->shared->done, FALSE, TRUE);
  g_mutex_lock (&crew->lock);
  crew->closed = TRUE;
  while (crew->running)
    g_cond_wait (&crew->ended, &crew->lock);
  g_mutex_unlock (&crew->lock);
  if (own)
    return results;
  rsp_results_unref (results);
  return g_steal_pointer (&crew->results);
}

void crew_free (Crew *crew) {
  if (!crew)
    return;
  for (guint i = 0; i < crew->n_helpers; i++) {
    add_work (crew->caller, &crew->helpers[i].s);
    searcher_close (&crew->helpers[i].s);
  }
  rsp_results_unref (crew->results);
  unref (crew);
}
