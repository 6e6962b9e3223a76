#pragma once

#include "base/base.h"
#include "enumerator/paths/paths.h"
#include "enumerator/search/search.h"
#include "enumerator/terms/terms.h"
#include "model/model.h"

/* ---- Paths ---------------------------------------------------------------------------------- */

/* The parts of check_start and check_end that are about paths and what they consist of. */
void check_start_paths (Check *check);
void check_end_paths (Check *check);

/* Finds check->paths, if an earlier check of the program has not. With -spin last, paths without
 * rounds that wait; with all of them if the model may tell how often a loop has waited. Paths that
 * are truncated or stuck are removed, and each loop that has some of the former is reported once;
 * with the option `prefixes`, they may stay, as if they ended. FALSE after an error. */
gboolean check_obtain_paths (Check *check);

/* Do some paths have conditions? Without any, values rule out no path and no combination. */
gboolean check_has_conditions (const Check *check);

/* ---- Interleave ----------------------------------------------------------------------------- */

/* Interleavings: is there an order of the accesses of a combination to one location that respects
 * each path's order, in which every read returns the last value written and no condition fails?
 * Coherence demands exactly that at each location (search.h: where a model demands coherence). */

typedef struct Access {
  guint event; /* of the path */
  gboolean reads;
  gboolean simple;            /* does nothing depend on what it reads except conditions on it
                               * alone? */
  const RspTerm *written;     /* NULL unless it writes */
  const RspTerm **conditions; /* of the path, that mention it */
  guint n_conditions;
} Access;

/* The accesses of one path to one location, in program order. */
typedef struct Projection {
  Access *accesses;
  guint n;
} Projection;

void projection_init (Projection *projection, const RspPath *path, guint location, RspArena *arena);

typedef struct Interleaver Interleaver;

/* max_events: of any path. Lives in arena. */
Interleaver *interleaver_new (guint n_threads, guint max_events, RspArena *arena);
void interleaver_free (Interleaver *x);

/* Is there such an order? FALSE is certain. One projection per thread. */
gboolean interleaver_finds (Interleaver *x, const Projection *const *threads, RspValue initial);

/* ---- Proof ---------------------------------------------------------------------------------- */

/* Proof that a model demands coherence of a program's accesses to one location.
 *
 * Give every access a place at its location: a write its number in co, a read that of the write it
 * reads from, after it. If the later of two accesses of a thread never has the earlier place, and
 * every read-modify-write comes right after the write that it reads, then there is one order of the
 * accesses that respects each thread's order and in which every read returns the last value
 * written: an Interleaver searches for such an order. So these must be forbidden, for accesses a, b
 * of one path (a before b in program order) and writes v, w of any path:
 *
 *   a, b writes                    co (b, a)
 *   a read, b write                rf (b, a);   rf (w, a) and co (b, w)
 *   a write, b read                rf (w, b) and co (w, a)
 *   a, b reads                     rf (v, a), rf (w, b) and co (w, v)
 *   a read-modify-write            rf (w, a) and co (a, w);   rf (w, a), co (w, v) and co (v, a)
 *
 * (a read-modify-write is a write in the first four). Each of them is a part of an execution with
 * up to four events and the initial write, and is forbidden if a plain axiom fails in every
 * execution that contains it (rsp_between_new_part). Parts that look the same to a model are
 * examined once. */

typedef struct Proof Proof;

Proof *proof_new (const RspProgram *program, const RspModel *model, const RspStageOptions *options,
                  GPtrArray *const *paths, RspBudget *budget);
void proof_free (Proof *proof);

/* TRUE: every execution of these paths is coherent at the location. */
gboolean proof_of_coherence (Proof *proof, guint location);

/* TRUE: in every execution of these paths, each read-modify-write of the location is in co the next
 * after the write that it reads (the last line above). */
gboolean proof_of_adjacency (Proof *proof, guint location);

/* ---- Sort ----------------------------------------------------------------------------------- */

/* The order of states in the log: by their values, column by column (see rsp_value_compare). */

/* States as rows of numbers of values. */
typedef struct StateRows {
  const guint32 *numbers; /* n × stride, of which the first `width` of each row count */
  guint n, width, stride;
  const RspValue *values; /* by number */
  guint n_values;
} StateRows;

/* Sorts order[0 … n-1], indices of rows, in ascending order; equal ones keep their order. FALSE if
 * the budget is exhausted first. */
gboolean states_sort (const StateRows *rows, RspBudget *budget, guint *order);
