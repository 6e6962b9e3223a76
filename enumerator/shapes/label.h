/* Labels, which make a shape a program, and the base sets that follow from them. */
#pragma once

#include "enumerator/shapes/combination.h"

typedef struct RspLabel {
  guint8 order; /* RspOrder; NA: a plain access, whose scope is work_item. Ignored for barriers,
                 * whose entry is a release and whose exit is an acquire */
  guint8 scope; /* RspScope */
  guint8
      remote; /* boolean; in languages with tags, by which proxy: 0, the generic one, or another */
  guint64 tags;       /* in languages with tags: the event's; they determine its sets */
  guint64 write_tags; /* of the second half of a read-modify-write */
} RspLabel;

/* Tags follow from the rest. */
static inline gboolean rsp_label_equal (const RspLabel *a, const RspLabel *b) {
  return a->order == b->order && a->scope == b->scope && a->remote == b->remote;
}

/* The base sets that labels determine: events certainly in them (lo), and events possibly in them
 * (hi). Indexed by RspBaseSet; for other sets they mean nothing. */
typedef struct RspLabelling {
  guint8 lo[RSP_N_BASE_SETS], hi[RSP_N_BASE_SETS];
  gboolean exact; /* one label each: lo and hi are equal */
} RspLabelling;

/* Do labels of the shape's events determine this set? */
gboolean rsp_label_decides (const RspShape *shape, RspBaseSet set);

/* The labelling for a choice of labels per event: labels[e] points to n[e] of them, at least one. A
 * location is declared atomic if some access to it is; initial writes are plain. */
void rsp_labelling_set (RspLabelling *labelling, const RspShape *shape,
                        const RspLabel *const *labels, const guint *n);

/* The same for the events of a combination, whose locations are declared as in the whole shape. */
void rsp_labelling_restrict (RspLabelling *part, const RspLabelling *whole, const RspShape *shape,
                             const RspShapeCombination *combination);
