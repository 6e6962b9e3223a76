#pragma once

#include "hardware/fit/reason.h"

/* A test of a language with tags: its memory, instructions and barriers. */
void fit_instructions (Fit *fit);
