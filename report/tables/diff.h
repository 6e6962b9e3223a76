/* Where the models of a comparison differ on one test. */
#pragma once

#include "report/suite.h"

/* Appends the states that some models allow and others forbid, each once under the models that
 * agree about it, and the flags that some raise and others do not. Devices are compared with each
 * model. */
void diff_format (const RspSuite *suite, const RspSuiteRow *row, GString *out);
