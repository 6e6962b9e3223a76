#pragma once

#include "enumerator/search/bounded/values/observe.h"

/* How keys refer to events if other pre-executions share the memo. */
struct Naming {
  const RspNames *names;
  guint words;      /* of a row of names */
  guint64 family;   /* common to combinations that share entries */
  gboolean renames; /* may threads that run the same code take each other's names? */
  guint *block;     /* per thread: the thread whose names its events have at this node */
  guint *event;     /* per event: its name at this node */
  guint64 *rank;    /* scratch: per thread */
};

/* Call after searcher_open. FALSE if the model does not allow names. */
gboolean naming_open (Searcher *s, const RspNames *names);

/* Names the events of this node. Threads that run the same code get names by what they have left to
 * do, whatever their order. */
void naming_choose (Searcher *s);

/* The number of an observable, and the open observables in its order: order[i] is the place in
 * observed->open of the i-th. FALSE if that is their own order. */
guint naming_observable (const Searcher *s, guint observable);
gboolean naming_order (const Searcher *s, const Observed *observed, guint *order);
