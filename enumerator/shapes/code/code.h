/* Code: a staged model on at most eight events as instructions on words (grid.h), with bounds.
 *
 * Each value has a lower and an upper bound, as in model/bounds.h: for open sets, and for what is
 * computed from them, the two differ. If all sets are known, they are equal, and the code computes
 * the model's value. What depends neither on rf nor on co is computed once per labelling, the rest
 * once per candidate. Private to enumerator/shapes/. */
#pragma once

#include "base/truth.h"
#include "enumerator/shapes/code/grid.h"
#include "enumerator/shapes/label.h"
#include "model/model.h"

typedef struct Code Code;

/* model must outlive the code. NULL if there are more than eight events. */
Code *code_new (const RspStagedModel *model);
void code_free (Code *code);

/* Computes everything that depends on labels alone. */
void code_set_labels (Code *code, const RspLabelling *labelling);
/* Begins a candidate, without computing anything. orders: a relation per chosen order of the
 * model. */
void code_set_execution (Code *code, Grid rf, Grid co, const Grid *orders);
/* The truth of an axiom on the candidate; computes whatever it needs that is missing. Axioms must
 * be evaluated in ascending order, from 0, without gaps. */
RspTruth code_axiom (Code *code, guint axiom);
/* Does an axiom's relation depend on rf, co or an order? */
gboolean code_is_dynamic (const Code *code, guint axiom);
/* For one that does not: its value, where the labels set decide it. */
gboolean code_value (const Code *code, guint axiom, Grid *value);
/* Has a recursive definition failed to converge? */
gboolean code_diverged (const Code *code);
