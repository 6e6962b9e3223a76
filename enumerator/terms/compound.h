/* Compounds: the results of operations on undetermined values. All that is known about them is that
 * the same operation on the same values gives the same result (congruence). So each is an
 * undetermined value with a number of its own, the same whenever the operation and its operands
 * recur. */
#pragma once

#include "enumerator/terms/term.h"

/* The values that an undetermined value may have. */
typedef struct RspRange {
  guint unknown;
  gint64 low, high;
} RspRange;

struct RspCompounds {
  GArray *entries;  /* NULL while there are none */
  GArray *ranges;   /* of RspRange; NULL while there are none */
  guint n_unknowns; /* undetermined values so far, of any kind; they are 1 … n_unknowns */
};

void rsp_compounds_clear (RspCompounds *compounds);
guint rsp_compounds_new_unknown (RspCompounds *compounds);

/* The result of the operation of `term` (RSP_TERM_UNARY, _BINARY or _CAST) on values a and b (b is
 * zero if there is one operand). */
RspValue rsp_compounds_obtain (RspCompounds *compounds, const RspTerm *term, RspValue a,
                               RspValue b);

/* From now on, undetermined value number `unknown` is `value` for every operation that resulted in
 * it. */
void rsp_compounds_bind (RspCompounds *compounds, guint unknown, RspValue value);

/* Every value that undetermined value number `unknown` may have is from low to high. */
void rsp_compounds_limit (RspCompounds *compounds, guint unknown, gint64 low, gint64 high);
/* FALSE if nothing is known about its values. */
gboolean rsp_compounds_range (const RspCompounds *compounds, guint unknown, gint64 *low,
                              gint64 *high);

/* The newest of the undetermined values from which this one is computed, through any number of
 * operations; itself if it is not the result of an operation. */
guint rsp_compounds_newest (const RspCompounds *compounds, guint unknown);
