/* Why a test does not run on a target: the first reason that is found. */
#ifndef RSP_HARDWARE_FIT_REASON_H
#define RSP_HARDWARE_FIT_REASON_H

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

#endif
