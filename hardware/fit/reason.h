/* Why a test does not run on a target: the first reason that is found. */
#pragma once

#include "hardware/target.h"
#include "hardware/hardware.h"

typedef struct Fit {
  const RspProgram *program;
  const RspEmitOptions *options;
  const RspThread *thread; /* that is being looked at */
  char *reason;            /* the first reason; NULL if there is none yet */
} Fit;

/* Adds a reason, "line 5: …"; only the first is kept. at may be NULL. */
void fit_refuse (Fit *fit, const RspSpan *at, const char *format, ...) G_GNUC_PRINTF (3, 4);
