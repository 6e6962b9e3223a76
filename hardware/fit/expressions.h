#ifndef RSP_HARDWARE_FIT_EXPRESSIONS_H
#define RSP_HARDWARE_FIT_EXPRESSIONS_H

#include "hardware/fit/fit.h"

/* Operations, expressions, memory; barriers. */
void fit_expressions (Fit *fit);

#endif
