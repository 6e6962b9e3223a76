/* A searcher of the bounded engine: one thread's state at a node of the search.
 *
 * The search's decisions are the bounds of the base relations (model/bounds/bounds.h): the
 * candidates of a read are its column of rf's upper bound, and a read with one candidate is
 * decided; co is decided for the pairs of its lower bound, which is kept transitive, and the
 * inverse of either bound is disjoint from the other. In a partial order a pair may also be
 * excluded both ways; then the lower bound is itself a completion, the least one. The rest of a
 * node's state is in parts, each of which belongs to the file that works with it. */
#pragma once

#include "enumerator/search/states/results.h"
#include "enumerator/search/search.h"
#include "model/bounds/bounds.h"

typedef struct Shared Shared;           /* share/common.h: what the searchers of one search share */
typedef struct SeenNumbers SeenNumbers; /* share/numbers.c: values as small numbers */
typedef struct Key Key;                 /* share/key.c: keys of the memo */
typedef struct Naming Naming;           /* share/naming.h: the names that keys use */
typedef struct Crew Crew;               /* share/crew.c: threads that help */
typedef struct Known Known;             /* values/known.h: values that follow from decisions */
typedef struct Constraints Constraints; /* values/constraints.h: of the paths, on values */
typedef struct Demanded Demanded;       /* values/demand.h: values that can still matter */
typedef struct Account Account;         /* account.c: what pruned branches and forced pairs */

typedef struct Searcher {
  /* The problem: a combination of paths under a staged model. */
  RspSearch *search;
  const RspPreExecution *pre;
  const RspStagedModel *model;
  gboolean judges_leaves; /* does the model have only the axioms known without an execution? See
                           * leaf.c */
  Shared *shared;
  guint number; /* among the searchers: 0 for the one whose thread the search belongs to */

  /* The node: what is decided. */
  guint n, words; /* events; words of a row of them */
  RspBounds *bounds;
  const guint64 *candidates; /* a row per event: of a read, the writes it may read from */
  RspMatrix **writes;        /* per location: its writes (a set) */
  const RspMatrix **related; /* per base relation: of a partial order, the pairs that must be
                              * related; NULL: a total order (and of rf) */
  guint32 raised;    /* flags that some execution certainly raises; stays 0 under a filter */
  guint depth;       /* number of decisions above */
  gboolean answered; /* has an execution been found that is enough? Then back to the root */

  /* Its parts. */
  RspArena *arena;
  Known *known;
  Constraints *constraints;
  Demanded *demand; /* NULL: all values matter */
  GArray *forced;   /* of RspForced: scratch of propagate.c */
  SeenNumbers *numbers;
  Key *key;
  Naming *naming; /* NULL if no other pre-execution shares the memo */
  Crew *crew;     /* of searcher 0; NULL if no thread can help */
  Account *account;
  GString *journal; /* see journal.h; NULL if it is not requested */
} Searcher;

/* Adds neighbouring bits, pairs, nibbles: without an instruction for it, GCC calls a function. */
static inline guint rsp_row_count (const guint64 *row, guint words) {
  guint n = 0;
  for (guint w = 0; w < words; w++) {
    guint64 x = row[w] - (row[w] >> 1 & G_GUINT64_CONSTANT (0x5555555555555555));
    x = (x & G_GUINT64_CONSTANT (0x3333333333333333))
        + (x >> 2 & G_GUINT64_CONSTANT (0x3333333333333333));
    x = (x + (x >> 4)) & G_GUINT64_CONSTANT (0x0f0f0f0f0f0f0f0f);
    n += (guint) (x * G_GUINT64_CONSTANT (0x0101010101010101) >> 56);
  }
  return n;
}

/* The candidates of a read. */
static inline const guint64 *rsp_bounded_candidates (const Searcher *s, guint read) {
  return s->candidates + (gsize) read * s->words;
}

/* Has the read several candidates? */
static inline gboolean is_open_read (const Searcher *s, guint read) {
  return rsp_row_has_several (rsp_bounded_candidates (s, read), s->words);
}

/* Is a feature of the engine (features.def) switched off? */
static inline gboolean is_disabled (const Searcher *s, guint feature) {
  return (s->search->options->disabled & feature) != 0;
}

/* Opens a searcher whose search, pre, model, judges_leaves, shared and number are set. FALSE, with
 * nothing to close, if bounds cannot handle the model. */
gboolean searcher_open (Searcher *s);
void searcher_close (Searcher *s);

/* A node further down, and back: pop takes what push gave. */
guint searcher_push (Searcher *s);
void searcher_pop (Searcher *s, guint values);

/* Is some axiom open and followed? */
gboolean has_open_axiom (const Searcher *s);

/* May a row (numbered from 0) be added to results? FALSE if the search is over. Checks the clock
 * from time to time. */
gboolean may_add (Searcher *s, guint row);

/* May a row (numbered from 0) that a node below has found be added to results? Also if the time is
 * over meanwhile, for some rows: they are what is known so far. */
gboolean may_pass_on (Searcher *s, guint row);

/* Is no other write to the location decided to be after this one in co? */
gboolean may_be_last (const Searcher *s, const RspMatrix *writes, guint write);

/* The events that a base relation other than rf orders together with `event`. */
const RspMatrix *searcher_ordered_with (const Searcher *s, guint leaf, guint event);

/* Does every read have one candidate? */
gboolean reads_are_decided (const Searcher *s);

/* Has the search's answer been found, by this searcher or another, or the budget been exhausted? */
gboolean is_finished (const Searcher *s);
