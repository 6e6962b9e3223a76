#include "synth/programs/count.h"

/* Labellings that a symmetry leaves as they are: one label per cycle. */
static double fixed_labellings (const SynthSpace *space, const RspShape *shape,
                                const guint8 *moves) {
  double n = 1;
  guint seen = 0;
  for (guint e = 0; e < shape->n_events; e++) {
    if (seen >> e & 1)
      continue;
    for (guint at = e; !(seen >> at & 1); at = moves[at])
      seen |= 1u << at;
    const RspShapeEvent *event = &shape->events[e];
    n *= rsp_shape_is_second (event) ? 1 : space->n_labels[synth_kind (event)];
  }
  return n;
}

double synth_shape_programs (const SynthSpace *space, const RspShape *shape,
                             const SynthSymmetry *symmetries, guint n_symmetries) {
  SynthSymmetry identity;
  for (guint e = 0; e < RSP_SHAPE_EVENTS; e++)
    identity.moves[e] = (guint8) e;
  double sum = fixed_labellings (space, shape, identity.moves);
  for (guint i = 0; i < n_symmetries; i++)
    sum += fixed_labellings (space, shape, symmetries[i].moves);
  return sum / (n_symmetries + 1);
}
