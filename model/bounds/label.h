#pragma once

#include "model/bounds/state.h"
#include "model/bounds/bounds.h"

/* A label of an axiom: of its kind and its node. Call after rsp_bounds_name. */
guint64 bounds_axiom_label (const RspBounds *b, guint axiom);

/* Makes keys comparable with those of bounds of other pre-executions: events are identified by
 * names (names[e] < n_names, distinct), nodes by what they compute, and constants by the bits that
 * matter, in no order. names must outlive the bounds, and may change between keys. FALSE, with keys
 * unchanged, if the model has a recursive definition that depends on what is decided. */
gboolean rsp_bounds_name (RspBounds *bounds, const guint *names, guint n_names);
