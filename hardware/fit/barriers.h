#ifndef RSP_HARDWARE_FIT_BARRIERS_H
#define RSP_HARDWARE_FIT_BARRIERS_H

#include "hardware/fit/reason.h"

void fit_barriers (Fit *fit);

#endif
