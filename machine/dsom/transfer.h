/* Transfers: bytes from one copy to another, all by way of the host. */
#pragma once

#include "machine/dsom/state.h"

/* WB: bytes first … first + size - 1 of one buffer go from a device to the host. */
void dsom_write_back (DsomMachine *m, DsomState *s, guint device, guint first, guint size);
/* UP: from the host to a device. */
void dsom_upload (DsomMachine *m, DsomState *s, guint device, guint first, guint size);
/* Performs the next transfer that makes bytes, which `needs` marks with a bit of `bits`, valid on
 * the device, or on the host for -1. FALSE if they all are. */
gboolean dsom_fetch (DsomMachine *m, DsomState *s, const guint8 *needs, guint bits, int device);
