/* Derivations as text. */
#pragma once

#include "explain/explanation.h"

/* The output of an explanation, and its colours. */
typedef struct Writer {
  const RspExecutionView *view;
  gboolean colour;
  GString *out;
} Writer;

#define BOLD  "\033[1m"
#define RED   "\033[1;31m"
#define GREEN "\033[1;32m"
#define CYAN  "\033[36m"
#define PLAIN "\033[0m"

void put_coloured (const Writer *w, const char *colour, const char *text);
const char *event_id (const Writer *w, guint event); /* of the execution: "a" */

/* Appends steps of an execution, one per line, each indented by two more blanks than what it
 * explains; without colour. */
void steps_format (const RspExecutionView *view, const RspStep *const *steps, guint n,
                   GString *out);

/* The same for the writer's execution, starting at this depth. */
void put_steps (const Writer *w, const RspStep *const *steps, guint n, guint depth);
