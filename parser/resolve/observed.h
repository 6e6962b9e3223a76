/* What a question observes: registers and locations, by the names in it. */
#pragma once

#include "parser/resolve/resolve.h"

/* An observable during collection; its index in the sorted table is set last. */
typedef struct Seen {
  RspObservable observable;
  gboolean printed; /* named by the condition or `locations`, not just the filter */
  guint id;         /* index in order of appearance */
  guint index;      /* index in the sorted table */
} Seen;

typedef struct Question {
  LitmusResolver *resolver;
  RspProgram *program;
  GPtrArray *seen; /* of Seen, in the arena */
  GHashTable *by_name;
  gboolean printed; /* is what is named now printed? */
  guint depth;
} Question;

/* The register or location that the place names; FALSE with an error. *id: its index in q->seen. */
gboolean question_observe_place (Question *q, const LitmusPlace *place, guint *id);
/* All elements of an array. */
void question_observe_array (Question *q, const LitmusObject *array);
/* `0:x` is the location that the parameter x of P0 points to, unless P0 also has a register x; the
 * place as a location then, with a warning, or the place itself. */
const LitmusPlace *question_follow_parameter (const Question *q, const LitmusPlace *place);
/* If the name is not a location but a thread's register: TRUE with an error, whose hint shows how
 * to write that. */
gboolean question_report_bare_register (Question *q, const LitmusPlace *place);
