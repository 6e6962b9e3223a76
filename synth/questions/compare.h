/* Questions about a program and one derived from it: monotone and rewrites. */
#pragma once

#include "synth/questions/question.h"

/* A program and one edit of it, for all labels of the program's events. */
typedef struct SynthEdit {
  const RspShape *before, *after;
  /* Per event of `after`: the event of `before` whose labels it takes. */
  guint8 from[RSP_SHAPE_EVENTS];
  /* Per event of `before`: G_MAXUINT8, or the event whose label it must have too. */
  guint8 same_label[RSP_SHAPE_EVENTS];
  /* Labels of one event: its own before and after, n of them; or NULL and those of the space. */
  const RspLabel *labels_before, *labels_after;
  guint event, n_labels;
  /* Maps outcomes of `after` to outcomes of `before`: a removed load reads what the load copies[e]
   * reads or, if that is a write, that write; else G_MAXUINT8. */
  guint8 copies[RSP_SHAPE_EVENTS];
  /* The edit is reversed: the search looks for an outcome that `before` allows and `after` forbids,
   * and findings have `after` as their program. */
  gboolean backwards;
  guint kind_outcome, kind_undefined; /* the bits for a new outcome and for undefined; 0: none */
  const char *text;                   /* what is done */
} SynthEdit;

/* All fields that may be empty, empty. */
void synth_edit_init (SynthEdit *edit, const RspShape *before, const RspShape *after);

/* Adds a finding for each labelling under which `after` allows an outcome that `before` forbids, or
 * is undefined where `before` is not. Symmetries are those of `before`; those that move no event
 * that the edit touches (a set of bits) count. FALSE if it did not finish. */
gboolean synth_compare (SynthWork *work, const SynthEdit *edit, const SynthSymmetry *symmetries,
                        guint n_symmetries, guint touched);

/* Is the set of events the least of those that the symmetries map it to? Else the edit is made on
 * another one. */
gboolean synth_is_least_set (const RspShape *shape, const SynthSymmetry *symmetries,
                             guint n_symmetries, guint set);
