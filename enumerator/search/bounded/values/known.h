#pragma once

#include "enumerator/search/bounded/searcher.h"

/* The values known at a node: what events read and what they write. */
struct Known {
  RspValue *values, *written;        /* per event: what it reads, what it writes */
  gboolean *has_value, *has_written; /* per event: is it known? */
  gboolean *is_constant;             /* per event: was what it writes known at the root? */
  gboolean *has_learnt; /* per thread, within known_follow: has a read a value since what
                         * it writes was evaluated? */
  guint thin_air; /* 1 + the trail's length when values were found to justify each other; 0: they do
                     not */
  RspValue *registers; /* per observable that is a register, if there are any */
  guint *trail; /* event * 2 + (1 for written) of each value, in the order in which they became
                   known */
  guint n_trail;
  guint *source; /* scratch: per event, used when all reads are decided */
};

void known_open (Searcher *s);

/* At the root: initial values and constants. */
void known_begin (Searcher *s);
/* Call when everything that follows from the root alone is known. */
void known_mark_constants (Searcher *s);

/* Computes all values that follow from decided reads. FALSE if none is new. */
gboolean known_follow (Searcher *s);
/* Call when all reads are decided: solves the remaining values, which are in cycles. FALSE if they
 * have no solution. */
gboolean known_solve_circles (Searcher *s);
/* Is the value of every read known? */
gboolean known_is_whole (const Searcher *s);

/* The trail's length, and undoing back to it. */
guint known_mark (const Searcher *s);
void known_undo (Searcher *s, guint mark);

/* The value of a term of a thread's path. FALSE if its reads are not sufficiently known. */
gboolean known_evaluate (const Searcher *s, guint thread, const RspTerm *term, RspValue *value);
/* The same if an unknown read returned `assumed`. */
gboolean known_evaluate_if (Searcher *s, guint read, RspValue assumed, guint thread,
                            const RspTerm *term, RspValue *value);

static inline gboolean known_has_value (const Searcher *s, guint event) {
  return s->known->has_value[event];
}

static inline gboolean known_has_written (const Searcher *s, guint event) {
  return s->known->has_written[event];
}

static inline RspValue known_value (const Searcher *s, guint event) {
  return s->known->values[event];
}

static inline RspValue known_written (const Searcher *s, guint event) {
  return s->known->written[event];
}
