#ifndef RSP_HARDWARE_FIT_MEMORY_H
#define RSP_HARDWARE_FIT_MEMORY_H

#include "hardware/fit/fit.h"

void fit_memory (Fit *fit);

#endif
