/* What is left of an execution without some of its reads, and read-modify-writes that write what
 * they read: its choices and the model's relations, as literals beside those of the whole. What
 * read from one of these read-modify-writes reads from its source then. */
#pragma once

#include "enumerator/search/sat/relations/relations.h"

typedef struct SatPart {
  const SatFold *whole;
  const SatChoices *whole_choices;
  const Lit *kept;      /* per event */
  RspMatrix *removable; /* a set: what is not always kept */
  SatFold *fold;
  SatChoices *choices;
  SatRelations *relations; /* no axiom is trusted */
} SatPart;

/* kept: per event of the whole, TRUE of initial writes. */
SatPart *sat_part_new (const SatRelations *whole, const RspStagedModel *model, const Lit *kept);

/* Holds if the part is no execution that ends like the whole: a read is left without a source, the
 * last write of a location is another one than the source of the last of the whole, or an initial
 * write is gone. */
Lit sat_part_is_cut (const SatPart *part);

/* May the part have it of the event: the event itself of a set, a pair with it of a relation? */
gboolean sat_part_may_concern (const SatPart *part, RspNodeId node, guint event);
