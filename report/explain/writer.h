/* The output of an explanation, and its colours. */
#ifndef RSP_REPORT_EXPLAIN_WRITER_H
#define RSP_REPORT_EXPLAIN_WRITER_H

#include "explain/explanation.h"

typedef struct Writer
{
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

#endif
