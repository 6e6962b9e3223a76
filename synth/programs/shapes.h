/* Orderly generation of shapes: one of each class of shapes that differ only by the names of
 * threads and locations. (Read, "Every one a winner", 1978; McKay, "Isomorph-free exhaustive
 * generation", 1998.)
 *
 * The canonical form is the least: threads longest first; events in program order, thread after
 * thread, compared by kind and location; locations numbered in the order of their first events;
 * then dependencies, event by event; then the scope tree, compared thread by thread. A shape that
 * some renaming of threads makes smaller is not generated: no shape is made only to be dropped as a
 * duplicate. */
#pragma once

#include "synth/programs/space.h"
#include "synth/programs/symmetry.h"

/* Receives a shape with its symmetries, except the identity. FALSE ends the generation. */
typedef gboolean (*SynthVisitShape) (gpointer data, const RspShape *shape,
                                     const SynthSymmetry *symmetries, guint n_symmetries);

/* Visits every canonical shape of exactly n events, in a fixed order. FALSE if visit returned
 * FALSE. */
gboolean synth_shapes_each (const SynthSpace *space, guint n, SynthVisitShape visit, gpointer data);
