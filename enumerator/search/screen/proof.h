/* Proof that a model demands coherence of a program's accesses to one location.
 *
 * Give every access a place at its location: a write its number in co, a read that of the write it reads
 * from, after it. If of two accesses of a thread the later never has the earlier place, and a
 * read-modify-write comes right after what it reads, then the accesses can be put in one order that each
 * thread's are in and in which every read returns what was written last: that is what interleave.h looks
 * for. So these must be forbidden, for accesses a, b of one path (a before b in program order) and writes
 * v, w of any:
 *
 *   a, b writes                    co (b, a)
 *   a read, b write                rf (b, a);   rf (w, a) and co (b, w)
 *   a write, b read                rf (w, b) and co (w, a)
 *   a, b reads                     rf (v, a), rf (w, b) and co (w, v)
 *   a read-modify-write            rf (w, a) and co (a, w);   rf (w, a), co (w, v) and co (v, a)
 *
 * (a read-modify-write is a write in the first four). Each of them is a part of an execution with up to
 * four events and the initial write, and forbidden if a plain check certainly fails on it
 * (certain.h). Parts that look the same to a model are asked about once. */
#ifndef RSP_ENUMERATOR_SEARCH_SCREEN_PROOF_H
#define RSP_ENUMERATOR_SEARCH_SCREEN_PROOF_H

#include "enumerator/paths/path.h"
#include "model/model.h"

typedef struct Proof Proof;

Proof *proof_new (const RspProgram *program, const RspModel *model, const RspStageOptions *options,
                  GPtrArray *const *paths, RspBudget *budget);
void proof_free (Proof *proof);

/* TRUE: every execution of any of the paths is coherent at the location. */
gboolean proof_of_coherence (Proof *proof, guint location);

#endif
