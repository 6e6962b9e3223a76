/* Does a test run on a target? If not, the reasons, with their places. */
#pragma once

#include "hardware/hardware.h"

/* Why the test cannot run on the target and what to do, in one line; NULL if it can. Newly
 * allocated. Positions are those of the test's text. */
char *rsp_hardware_refusal (const RspProgram *program, const RspEmitOptions *options);

/* Turns the program's remote operations into ordinary ones of the same scope. Returns their
 * number. */
guint rsp_hardware_make_ordinary (RspProgram *program);
