#pragma once

#include "hardware/fit/reason.h"

void fit_barriers (Fit *fit);
