/* FLU and INV: instructions that move and drop lines. */
#pragma once

#include "machine/caches/state.h"

/* Calls the function for each node that the instruction affects, until a call returns FALSE. */
typedef gboolean (*NodeVisit) (Caches *m, State *s, guint node, guint thread);
gboolean move_each (Caches *m, State *s, guint thread, const RspInstruction *instruction,
                    NodeVisit visit);
void move_flush (Caches *m, State *s, guint thread, const RspInstruction *instruction);
void move_invalidate (Caches *m, State *s, guint thread, const RspInstruction *instruction);
gboolean move_invalidate_matters (Caches *m, State *s, guint thread,
                                  const RspInstruction *instruction);
