/* The bounded engine's state, private to the files that name it:
 * propagate.c, branch.c, count.c, memo.c, wanted.c, twins.c and bounded.c.
 *
 * The search's decisions live in the bounds of the base relations (model/bounds/bounds.h): the
 * candidates of a read are its column of rf's upper bound, a read with one candidate is decided; co
 * is decided where its lower bound is, which is kept transitive, and upper and lower bound exclude
 * each other's inverse. Values are known as far as they follow. */
#ifndef RSP_BOUNDED_H
#define RSP_BOUNDED_H

#include "enumerator/search/results.h"
#include "enumerator/search/search.h"
#include "model/bounds/bounds.h"

/* A path constraint with the reads it mentions (events of the pre-execution). */
typedef struct Constraint
{
  const RspTerm *term;
  guint thread;
  guint n_reads;
  guint *reads;
} Constraint;

typedef struct Memo Memo;
typedef struct Values Values;
typedef struct Crew Crew;

/* What the searchers of one search share: see crew.c. */
typedef struct Shared
{
  Memo *memo;     /* NULL when there is none */
  Values *values; /* those of observables, as small numbers */
  gint done;      /* atomic: one of them has all there is */
} Shared;

typedef struct Bounded
{
  RspSearch *search;
  const RspPreExecution *pre;
  const RspStagedModel *model;
  RspBounds *bounds;
  RspArena *arena;
  guint n, words;
  guint disabled;
  gboolean late; /* the model's checks are only those known without an execution: see late.c */

  /* Values; a change is on value_trail as event * 2 + (1 for written). */
  RspValue *values, *written;
  gboolean *value_known, *written_known;
  GArray *value_trail; /* of guint */
  Constraint *constraints;
  guint n_constraints;
  guint n_undetermined; /* known values that are out of thin air */
  RspValue *registers;  /* per observable that is a register: its value while there are such */
  guint *source;        /* scratch: per event, when all reads are decided */

  /* Per location: its writes (a set), initial write first in every co. */
  RspMatrix **writes;

  GArray *forced; /* of RspForced: scratch */
  GArray *key;    /* of guint64: scratch */
  guint32 raised; /* flags that some execution is known to raise; stays 0 under a filter */
  guint32 all_flags;

  Shared *shared;
  guint number; /* among the searchers: 0 for the one whose thread the search belongs to */
  Crew *crew;   /* of searcher 0; NULL when nobody can help */

  /* What this one has seen of shared->values: values are those there. */
  GHashTable *value_ids;      /* RspValue → number + 1 */
  GPtrArray *value_table;     /* of RspValue, by number; NULL where not seen */
  Memo *memo;                 /* shared->memo */
  gboolean *written_constant; /* per event: what it writes was known at the root */
  guint64 *cuts;     /* per check, then CUT_VALUES and CUT_FORCED: branches that it ended */
  gboolean answered; /* an execution was found, and no other is looked for: back to the root */
} Bounded;

/* Reasons to end a branch beside the checks. */
enum
{
  CUT_VALUES,
  CUT_FORCED,
  N_CUTS
};

/* What is known of the observables at a node. */
typedef struct Observed
{
  guint32 *value; /* per observable: its value's number, or RSP_UNSEEN */
  guint *open;    /* the observables that are not known, ascending */
  guint n_open;
} Observed;

#define RSP_UNSEEN G_MAXUINT32

/* propagate.c. At the root: initial values, constants, constraints on single reads. FALSE: no
 * completion. */
gboolean rsp_bounded_start (Bounded *s);
/* Draws every conclusion from what was decided, to a fixpoint. FALSE: no completion. */
gboolean rsp_bounded_propagate (Bounded *s);
gboolean rsp_bounded_order (Bounded *s, guint leaf, guint a,
                            guint b); /* a before b in co or an order */
gboolean rsp_bounded_read_from (Bounded *s, guint write, guint read);
gboolean rsp_bounded_solve_circles (Bounded *s); /* all reads decided: values left are in circles */
void rsp_bounded_undo_values (Bounded *s, guint to);

static inline guint
rsp_row_count (const guint64 *row, guint words)
{
  guint n = 0;
  for (guint w = 0; w < words; w++)
    n += (guint) __builtin_popcountll (row[w]);
  return n;
}

static inline gboolean
rsp_row_has (const guint64 *row, guint bit)
{
  return (row[bit / 64] >> (bit % 64)) & 1;
}

/* The candidates of a read. */
static inline const guint64 *
rsp_bounded_candidates (const Bounded *s, guint read)
{
  return rsp_bounds_inverse_hi (s->bounds, RSP_LEAF_RF, read);
}

/* branch.c: what to try next; the choices are disjoint and together all there is. */
typedef enum ChoiceKind
{
  CHOICE_NONE,  /* everything is decided */
  CHOICE_READ,  /* event reads from each of the set in turn */
  CHOICE_SPLIT, /* event reads from the first of the set, or from none of it */
  CHOICE_NEXT   /* each of the set in turn comes before all others of `rest` in a leaf's order */
} ChoiceKind;

typedef struct Choice
{
  ChoiceKind kind;
  guint read;    /* CHOICE_READ, CHOICE_SPLIT */
  guint leaf;    /* CHOICE_NEXT */
  guint64 *set;  /* the alternatives */
  guint64 *rest; /* CHOICE_NEXT: the elements still to be ordered, alternatives included */
} Choice;

/* set and rest are the caller's, of s->words words each. For CHOICE_SPLIT, set has the write and,
 * for "not from it", the read itself. */
void rsp_bounded_choose (Bounded *s, Choice *choice);
gboolean rsp_bounded_take (Bounded *s, const Choice *choice, guint alternative);

/* wanted.c: can completions of this node still be of interest? */
gboolean rsp_bounded_is_wanted (Bounded *s, const Observed *observed);
/* Does the first execution that is wanted answer the question? */
gboolean rsp_bounded_ends_at_first (const Bounded *s);
/* The rows that are wanted, in place of results. */
RspResults *rsp_bounded_keep_wanted (Bounded *s, const Observed *observed, RspResults *results);
/* Appends to key (of guint64) all that is_wanted can still tell apart below this node. */
void rsp_bounded_put_wanted (Bounded *s, const Observed *observed, GArray *key);

/* twins.c: alternatives that differ only in the names of exchangeable threads. Is the alternative
 * the image of one already explored? Then its results are those found there, with registers
 * exchanged. */
gboolean rsp_bounded_are_twins (const Bounded *s, const Choice *choice, guint explored,
                                guint alternative);
void rsp_bounded_add_twin (Bounded *s, const Observed *observed, guint explored, guint alternative,
                           const RspResults *found, RspResults *results);

/* count.c: all checks are settled and all reads decided: adds the completions of co and the chosen
 * orders to results. FALSE, with nothing added, when an order has too many undecided elements. */
gboolean rsp_bounded_count (Bounded *s, const Observed *observed, gboolean bad,
                            RspResults *results);

/* searcher.c. open: search, pre, model and shared are set. FALSE, and nothing to close, when the
 * model is beyond the bounds. */
gboolean rsp_bounded_open (Bounded *s);
void rsp_bounded_close (Bounded *s);
void rsp_shared_open (Shared *shared, const RspSearch *search);
void rsp_shared_close (Shared *shared);
guint32 rsp_bounded_value_id (Bounded *s, RspValue value);
const RspValue *rsp_bounded_value (Bounded *s, guint32 id);

/* bounded.c: the whole search, with what is known at its root. NULL: no completions. Not all of
 * them if the search was over before. */
RspResults *rsp_bounded_explore_root (Bounded *s, Observed *observed);
gboolean rsp_bounded_is_asked (const Bounded *s); /* Is some check open and followed? */

/* crew.c: threads that help searcher 0. NULL when there can be none. */
Crew *rsp_crew_new (Bounded *s);
void rsp_crew_free (Crew *crew);
/* At each node: calls them when the search has grown large. */
void rsp_crew_call (Crew *crew);
/* Ends their work. The results (taken) of searcher 0 if they are whole, else those of the one who
 * has them whole. */
RspResults *rsp_crew_end (Crew *crew, RspResults *results);

/* memo.c: residual problems that were solved before. */
Memo *rsp_memo_new (gsize max_size);
void rsp_memo_free (Memo *memo);
/* The key of the state; then its results, of which the caller owns a reference, or NULL. Any thread
 * may ask and store. */
typedef struct MemoKey
{
  guint64 a, b; /* 128 bits of hash */
} MemoKey;
MemoKey rsp_memo_key (Bounded *s, const Observed *observed, gboolean bad);
RspResults *rsp_memo_find (Memo *memo, MemoKey key);
void rsp_memo_store (Memo *memo, MemoKey key, RspResults *results);

/* bounded.c: may a row (numbered from 0) be added to results? FALSE when the search is over; looks
 * at the clock every so often. */
gboolean rsp_bounded_may_add (Bounded *s, guint row);

/* bounded.c: the value of observable i. FALSE while it is not known. */
gboolean rsp_bounded_observe_one (const Bounded *s, guint i, RspValue *value);

/* bounded.c: is no other of a location's writes decided to be after this one in co? */
gboolean rsp_bounded_may_be_last (const Bounded *s, const RspMatrix *writes, guint write);

/* late.c: all is decided; the execution is judged by the whole model, or given to the search's leaf.
 */
void rsp_bounded_judge (Bounded *s);

/* bounded.c: searches under one staged model. FALSE when it is beyond the bounds, and there is a
 * budget left for another engine. */
gboolean rsp_bounded_search_model (RspSearch *search, const RspStagedModel *model, gboolean late);

#endif
