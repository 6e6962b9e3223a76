/* Findings that differ only in their labels, and the weakest of them.
 *
 * A class has the findings of one shape that are of one kind, with the same edit, and, if the
 * question is about outcomes, with the same outcome; all of that up to the symmetries of the shape.
 * A finding of two kinds is in two classes. It is weakest if no other of its class has weaker or
 * equal labels in all places. */
#pragma once

#include "synth/questions/question.h"

typedef struct SynthClass {
  const SynthFinding *weakest; /* the first of the weakest in the order of the search */
  guint labellings;            /* findings of the class */
  guint n_weakest;
} SynthClass;

/* The classes (of SynthClass) of findings (of SynthFinding), in the order of their shapes. */
GArray *rsp_synth_classes_new (const SynthQuestion *question, const GPtrArray *found);
