/* Proof that a model demands coherence of a program's accesses to one location.
 *
 * Give every access a place at its location: a write its number in co, a read that of the write it
 * reads from, after it. If the later of two accesses of a thread never has the earlier place, and
 * every read-modify-write comes right after the write that it reads, then there is one order of the
 * accesses that respects each thread's order and in which every read returns the last value
 * written: interleave.h searches for such an order. So these must be forbidden, for accesses a, b
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
#pragma once

#include "enumerator/paths/path.h"
#include "model/model.h"

typedef struct Proof Proof;

Proof *proof_new (const RspProgram *program, const RspModel *model, const RspStageOptions *options,
                  GPtrArray *const *paths, RspBudget *budget);
void proof_free (Proof *proof);

/* TRUE: every execution of these paths is coherent at the location. */
gboolean proof_of_coherence (Proof *proof, guint location);

/* TRUE: in every execution of these paths, each read-modify-write of the location is in co the next
 * after the write that it reads (the last line above). */
gboolean proof_of_adjacency (Proof *proof, guint location);
