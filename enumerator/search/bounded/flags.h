#pragma once

#include "enumerator/search/bounded/searcher.h"

/* Flags are bits: those of the model by number, and two more. */
enum { FLAG_THIN_AIR = 31, FLAG_ASSERTION = 30, MAX_FLAGS = 30 };

/* At the beginning: takes over the flags that the check has raised already. */
void flags_open (Searcher *s);

/* The flags that every completion of this node raises. */
guint32 flags_known (const Searcher *s);
/* Is every completion of this node undefined? */
gboolean flags_are_undefined (const Searcher *s);

/* Stops following axioms whose truth would change nothing: those of a flag that is already raised,
 * and requirements if the execution violates another one whose flag is raised. */
void flags_drop_idle_axioms (Searcher *s, gboolean undefined);

/* Raises the flags of executions that have been found. */
void flags_raise (Searcher *s, guint32 flags);
