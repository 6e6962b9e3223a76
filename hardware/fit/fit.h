/* Does a test run on a target? What stands against it, with its place. */
#ifndef FIT_H
#define FIT_H

#include "hardware/target.h"

typedef struct Fit
{
  const RspProgram *program;
  const RspEmitOptions *options;
  const RspThread *thread; /* that is being looked at */
  char *reason;            /* the first; NULL as long as there is none */
} Fit;

/* "line 5: …": the first reason stays. at may be NULL. */
void fit_refuse (Fit *fit, const RspSpan *at, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* Operations, expressions, memory; barriers. */
void fit_expressions (Fit *fit);
void fit_memory (Fit *fit);
void fit_barriers (Fit *fit);

#endif
