#pragma once

#include "hardware/fit/reason.h"

/* Operations, expressions, memory; barriers. */
void fit_expressions (Fit *fit);
