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
  char *reason;            /* the first reason; NULL if there is none yet */
} Fit;

/* Adds a reason, "line 5: …"; only the first is kept. at may be NULL. */
void fit_refuse (Fit *fit, const RspSpan *at, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* Why the test cannot run on the target and what to do, in one line; NULL if it can. Newly
 * allocated. Positions are those of the test's text. */
char *rsp_hardware_refusal (const RspProgram *program, const RspEmitOptions *options);

/* Turns the program's remote operations into ordinary ones of the same scope. Returns their
 * number. */
guint rsp_hardware_make_ordinary (RspProgram *program);

#endif
