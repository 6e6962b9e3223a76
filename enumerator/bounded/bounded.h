#pragma once

#include "base/base.h"
#include "enumerator/search/search.h"
#include "model/bounds/bounds.h"

/* ---- Searcher ------------------------------------------------------------------------------- */

/* A searcher of the bounded engine: one thread's state at a node of the search.
 *
 * The search's decisions are the bounds of the base relations (model/bounds/bounds.h): the
 * candidates of a read are its column of rf's upper bound, and a read with one candidate is
 * decided; co is decided for the pairs of its lower bound, which is kept transitive, and the
 * inverse of either bound is disjoint from the other. In a partial order a pair may also be
 * excluded both ways; then the lower bound is itself a completion, the least one. The rest of a
 * node's state is in parts, each of which belongs to the file that works with it. */

typedef struct Shared Shared; /* below: what the searchers of one search share */

typedef struct SeenNumbers SeenNumbers; /* memo.c: values as small numbers */

typedef struct Key Key; /* memo.c: keys of the memo */

typedef struct Naming Naming; /* internal.h: the names that keys use */

typedef struct Crew Crew; /* memo.c: threads that help */

typedef struct Known Known; /* internal.h: values that follow from decisions */

typedef struct Constraints Constraints; /* internal.h: constraints of the paths on values */

typedef struct Demanded Demanded; /* internal.h: values that can still matter */

typedef struct Account Account; /* report.c: which axioms pruned branches and forced pairs */

typedef struct Searcher {
  /* The problem: a combination of paths under a staged model. */
  RspSearch *search;
  const RspPreExecution *pre;
  const RspStagedModel *model;
  gboolean judges_leaves; /* does the model have only the axioms known without an execution? Then
                           * each leaf is judged */
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
  guint combined;    /* endings that were put together so far */
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
  GString *journal; /* see internal.h; NULL if it is not requested */
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

/* May a row (numbered from 0) be added to results? FALSE if the search is over. Checks the clock
 * from time to time. */
gboolean may_add (Searcher *s, guint row);

/* May a row (numbered from 0) that a node below has found be added to results? A few rows even
 * after a timeout: they are what is known so far. */
gboolean may_pass_on (Searcher *s, guint row);

/* TRUE if no other write to the location is decided to come after this one in co. */
gboolean may_be_last (const Searcher *s, const RspMatrix *writes, guint write);

/* ---- Observe -------------------------------------------------------------------------------- */

/* The values of the observables known at a node. */
typedef struct Observed {
  guint32 *value; /* per observable: its value's number, or RSP_UNSEEN */
  guint *open;    /* the observables that are not known, ascending */
  guint n_open;
} Observed;

#define RSP_UNSEEN G_MAXUINT32

/* Fills observed, whose value and open have room for all observables. */
void observe (Searcher *s, Observed *observed);

/* The value of observable i. FALSE while it is not known. */
gboolean observe_one (const Searcher *s, guint i, RspValue *value);

/* ---- Bounded -------------------------------------------------------------------------------- */

/* The bounded engine: depth-first search that prunes with the model's bounds. */

/* Adds to the search's tally, flags, thin_air and statistics, and stores in budget->stop why it
 * ended. staging is that of the pre-execution. Models that bounds cannot handle are searched by the
 * naive engine. */
void rsp_search_bounded (RspSearch *search, const RspStaging *staging);

/* ---- Cases ---------------------------------------------------------------------------------- */

/* Cases: does something hold of all executions of a pre-execution that a model allows?
 *
 * That is asked with nothing decided. Where the answer is not certain, one more read, or pair of co
 * or of a chosen order, is decided in each way, and it is asked again. Cases that propagation
 * refutes have no execution. Exchangeable threads (search->class) may be exchanged in the question.
 */

typedef struct RspCases {
  const guint *reads; /* events that matter: what they read from is decided early, then the order of
                         these writes */
  guint n_reads;
  guint *left; /* cases that may still be tried */
  /* TRUE only if it holds in every completion of the bounds. */
  gboolean (*holds) (const RspBounds *bounds, gpointer data);
  gpointer data;
} RspCases;

/* FALSE is not certain. search: its model, pre, options, budget, statistics and flags are set. */
gboolean cases_try (RspSearch *search, const RspStagedModel *model, const RspCases *cases);

/* ---- Final write ---------------------------------------------------------------------------- */

/* Does an execution end in the same values without some of its writes? */

/* Of every execution that the model allows: if a write of the events from `first` on, before `end`,
 * is the last one of a location whose final value is shown, then its read-modify-write reads from
 * the last of the other writes; and no such value justifies itself. (These writes write back what
 * was read.) FALSE is not certain. search: as for cases_try. */
gboolean final_writes_have_sources (RspSearch *search, const RspStagedModel *model, guint first,
                                    guint end);

/* ---- Prunings ------------------------------------------------------------------------------- */

/* Prunings: how often each axiom of a model, or another reason, pruned a branch of the search, and
 * how many pairs of rf, co and chosen orders each axiom forced without branching. */

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

/* ---- Memo ----------------------------------------------------------------------------------- */

/* The memo: results of residual problems by their keys. */
typedef struct Memo Memo;

/* TRUE if there is no room for another combination. */
gboolean memo_is_full (Memo *memo);

/* Looks up the results of a node in the memo that the searcher shares: the caller owns a reference;
 * NULL if there are none. Any thread may look up and store. */
RspResults *memo_find (Searcher *s, const Observed *observed, RspHash key);
void memo_store (Searcher *s, const Observed *observed, RspHash key, RspResults *results);

/* ---- Numbers -------------------------------------------------------------------------------- */

/* Values as small numbers, in the order in which searchers meet them. Any thread may call. */

/* A searcher's copy of the part of shared->common->values that it has seen. */
void numbers_open (Searcher *s);
void numbers_close (Searcher *s);
guint32 rsp_number_of (Searcher *s, RspValue value);

/* The number of numbers: all are less. */
guint32 rsp_count_numbers (Searcher *s);
const RspValue *rsp_numbered_value (Searcher *s, guint32 number);

/* ---- Common --------------------------------------------------------------------------------- */

/* Shared by searches: the numbers of values, and the memo of residual problems. */

/* The searches of one check. */
struct RspCommon {
  const RspNames *names;
  Memo *memo;  /* NULL if there is none */
  GMutex lock; /* of what follows */
  RspArena *arena;
  RspValueTable values; /* by number */
};

/* The searchers of one search. */
struct Shared {
  RspCommon *common;
  gboolean is_own; /* not the check's */
  gint done;       /* atomic: does one of them have the complete results? */
};

/* names: of the events of all paths, which must outlive it; NULL if there is only one
 * pre-execution. max_size: size of the memo in bytes; 0: no memo. */
RspCommon *rsp_common_new (const RspNames *names, gsize max_size);
void rsp_common_free (RspCommon *common);
