#ifndef RSP_HARDWARE_FIT_EXPRESSIONS_H
#define RSP_HARDWARE_FIT_EXPRESSIONS_H

#include "hardware/fit/reason.h"

/* Operations, expressions, memory; barriers. */
void fit_expressions (Fit *fit);

#endif
