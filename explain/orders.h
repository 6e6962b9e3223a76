/* Orders: the edges, in relations that the model defines, that order events of two threads of an
 * execution. */
#pragma once

#include "explain/scene.h"

/* Appends the steps (const RspStep *) of such edges. Orders are relations that the model names,
 * that its axioms use, that are strict orders in this execution, and that contain program order:
 * happens-before, whatever its name. If one order is within another, only the larger is used, and
 * only those of its edges that do not follow from others. */
void orders_derive (Scene *scene, GPtrArray *steps);
