#ifndef RSP_ENUMERATOR_SEARCH_BOUNDED_FLAGS_H
#define RSP_ENUMERATOR_SEARCH_BOUNDED_FLAGS_H

#include "enumerator/search/bounded/searcher.h"

/* Flags are bits: those of the model by number, and two more. */
enum
{
  FLAG_THIN_AIR = 31,
  FLAG_ASSERTION = 30,
  MAX_FLAGS = 30
};

/* At the beginning: those that the check has raised already. */
void flags_open (Searcher *s);

/* Flags that every completion of this node raises. */
guint32 flags_known (const Searcher *s);
/* Is every completion of this node undefined? */
gboolean flags_are_undefined (const Searcher *s);

/* Axioms whose truth would change nothing are followed no longer: of a flag that is raised already, and a
 * requirement when the execution breaks another and its flag is raised. */
void flags_drop_idle_axioms (Searcher *s, gboolean undefined);

/* Raises flags of executions that were found. */
void flags_raise (Searcher *s, guint32 flags);

#endif
