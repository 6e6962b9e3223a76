/* Values that conditions cannot tell apart. */
#pragma once

#include "enumerator/terms/term.h"

/* Adds to `values` (of gint64) the value nearest to 0 of each class: with two values of the type
 * that are in one class, all conditions (of RspTerm) on the unknown have the same truth, or none.
 * FALSE if that is not known: a condition calculates too much with it, or there are too many
 * classes. */
gboolean rsp_classes_find (const GPtrArray *conditions, const RspTerm *unknown, guint8 bits,
                           gboolean is_signed, GArray *values);
