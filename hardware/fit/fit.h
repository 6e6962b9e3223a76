/* Does a test run on a target? If not, the reasons, with their places. */
#ifndef FIT_H
#define FIT_H

#include "hardware/target.h"
#include "hardware/hardware.h"

typedef struct Fit
{
  const RspProgram *program;
  const RspEmitOptions *options;
  const RspThread *thread; /* that is being looked at */
  char *reason;            /* the first; NULL as long as there is none */
} Fit;

/* "line 5: …": the first reason stays. at may be NULL. */
void fit_refuse (Fit *fit, const RspSpan *at, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* Why the test does not run on the target, in one line that says what to do; NULL when it does.
 * Newly allocated. Positions are those of the test's text. */
char *rsp_hardware_refusal (const RspProgram *program, const RspEmitOptions *options);

/* Makes the program's remote operations ordinary ones of the same scope. How many there were. */
guint rsp_hardware_make_ordinary (RspProgram *program);

#endif
