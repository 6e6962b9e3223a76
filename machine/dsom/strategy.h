/* What an update strategy transfers at once when a kernel or a host's write has ended. */
#pragma once

#include "machine/dsom/state.h"

/* Command c has ended, having written the bytes with a set mark: what the strategy transfers at
 * once is left in its entries. */
void dsom_plan_updates (DsomMachine *m, DsomState *s, guint c, const guint8 *written);
/* The next transfer of them. FALSE if none is left. */
gboolean dsom_update (DsomMachine *m, DsomState *s, guint c);
/* Drops updates that have become useless, and ends commands that have none left. */
void dsom_settle (DsomMachine *m, DsomState *s);
