/* Orders: which edges of the model's own making order events of two threads of an execution. */
#ifndef EXPLAIN_ORDERS_H
#define EXPLAIN_ORDERS_H

#include "explain/scene.h"

/* Appends the steps (const RspStep *) of such edges. Orders are relations that the model names,
 * that its axioms use, that are strict orders in this execution, and that contain program order:
 * happens-before, whatever its name. Of an order within another the larger counts, and of that the
 * edges that do not follow from others. */
void orders_derive (Scene *scene, GPtrArray *steps);

#endif
