/* A searcher of the bounded engine: one thread's state at a node of the search.
 *
 * The search's decisions live in the bounds of the base relations (model/bounds/bounds.h): the
 * candidates of a read are its column of rf's upper bound, a read with one candidate is decided; co is
 * decided where its lower bound is, which is kept transitive, and upper and lower bound exclude each
 * other's inverse. Values are known as far as they follow. */
#ifndef RSP_ENUMERATOR_SEARCH_BOUNDED_SEARCHER_H
#define RSP_ENUMERATOR_SEARCH_BOUNDED_SEARCHER_H

#include "enumerator/search/states/results.h"
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
typedef struct Naming Naming;

/* What the searchers of one search share: see crew.c. */
typedef struct Shared
{
  Memo *memo;     /* NULL when there is none */
  Values *values; /* those of observables, as small numbers */
  RspCommon *own; /* to be freed with it; NULL where they are the check's */
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
  gboolean
      judges_leaves; /* the model states only the axioms known without an execution: see leaf.c */

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

  GArray *forced;        /* of RspForced: scratch */
  GArray *forced_by_one; /* the same, of one axiom */
  GArray *key;           /* of guint64: scratch */
  guint32 raised;        /* flags that some execution is known to raise; stays 0 under a filter */
  guint32 all_flags;

  Shared *shared;
  guint number; /* among the searchers: 0 for the one whose thread the search belongs to */
  Crew *crew;   /* of searcher 0; NULL when nobody can help */

  /* What this one has seen of shared->values: values are those there. */
  GHashTable *value_ids;      /* RspValue → number + 1 */
  GPtrArray *value_table;     /* of RspValue, by number; NULL where not seen */
  Memo *memo;                 /* shared->memo */
  Naming *naming;             /* NULL when no other pre-execution shares the memo */
  gboolean *written_constant; /* per event: what it writes was known at the root */
  guint8 *demand;             /* see demand.c: two per event, read and written; NULL: all matter */
  guint8 *visited;            /* scratch: per event */
  gboolean all_in_demand;     /* here */
  guint64
      *prunings; /* per axiom, then PRUNED_BY_VALUES and PRUNED_BY_FORCED: branches that it ended */
  guint64 *forced_by; /* per axiom: pairs that it forced; NULL when they are not attributed */
  GString *journal;   /* see journal.h; NULL where nobody reads it */
  guint depth;        /* decisions above this node */
  gboolean answered;  /* an execution was found, and no other is looked for: back to the root */
} Bounded;

/* Reasons to prune a branch besides the axioms. */
enum
{
  PRUNED_BY_VALUES,
  PRUNED_BY_FORCED,
  N_PRUNED_BY
};

/* What is known of the observables at a node. */
typedef struct Observed
{
  guint32 *value; /* per observable: its value's number, or RSP_UNSEEN */
  guint *open;    /* the observables that are not known, ascending */
  guint n_open;
} Observed;

#define RSP_UNSEEN G_MAXUINT32

/* Adds neighbouring bits, pairs, nibbles: without an instruction for it, GCC calls a function. */
static inline guint
rsp_row_count (const guint64 *row, guint words)
{
  guint n = 0;
  for (guint w = 0; w < words; w++)
    {
      guint64 x = row[w] - (row[w] >> 1 & G_GUINT64_CONSTANT (0x5555555555555555));
      x = (x & G_GUINT64_CONSTANT (0x3333333333333333))
          + (x >> 2 & G_GUINT64_CONSTANT (0x3333333333333333));
      x = (x + (x >> 4)) & G_GUINT64_CONSTANT (0x0f0f0f0f0f0f0f0f);
      n += (guint) (x * G_GUINT64_CONSTANT (0x0101010101010101) >> 56);
    }
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

/* Open: search, pre, model and shared are set. FALSE, and nothing to close, when the
 * model is beyond the bounds. */
gboolean bounded_open (Bounded *s);
void bounded_close (Bounded *s);
/* After bounded_open of searcher 0, which may be given names. */
void shared_open (Bounded *s);
void shared_close (Shared *shared);
guint32 bounded_value_id (Bounded *s, RspValue value);
const RspValue *bounded_value (Bounded *s, guint32 id);

/* Is some axiom open and followed? */
gboolean bounded_has_open_axiom (const Bounded *s);

/* May a row (numbered from 0) be added to results? FALSE when the search is over; looks at the clock
 * every so often. */
gboolean bounded_may_add (Bounded *s, guint row);

/* Is no other of a location's writes decided to be after this one in co? */
gboolean bounded_may_be_last (const Bounded *s, const RspMatrix *writes, guint write);

#endif
