#pragma once

#include "model/bounds/state.h"

/* The groups of the DAG, without nodes yet. marks: per node of the DAG, do the axioms need it? */
void bounds_make_groups (RspBounds *b, const guint8 *marks);

/* Finds what is inside each group and what it uses from outside. Call when all nodes are there. */
void bounds_connect_groups (RspBounds *b, const guint8 *marks);
