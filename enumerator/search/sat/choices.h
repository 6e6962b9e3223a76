/* What an execution chooses, as literals: reads-from, coherence, and the orders of the model. */
#pragma once

#include "enumerator/search/sat/fold.h"
#include "model/model.h"

/* A strict order on some events, total or partial. Literals speak of all of them, whether they
 * exist or not. */
typedef struct SatOrder {
  RspMatrix *pairs; /* what may be ordered, both ways */
  Lit *before;      /* n × n; meaningful where pairs has them */
} SatOrder;

typedef struct SatChoices {
  const SatFold *fold;
  Lit *rf; /* n × n: [write * n + read]; LIT_FALSE where it may not be */
  SatOrder co;
  SatOrder *orders; /* of the staged model */
} SatChoices;

SatChoices *sat_choices_new (const SatFold *fold, const RspStagedModel *model);

static inline Lit sat_choices_rf (const SatChoices *choices, guint write, guint read) {
  return choices->rf[write * choices->fold->pre->n + read];
}

/* Both exist, and a comes before b. */
Lit sat_choices_ordered (const SatChoices *choices, const SatOrder *order, guint a, guint b);
