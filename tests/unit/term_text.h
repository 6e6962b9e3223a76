/* Terms as text, for messages of tests. */
#pragma once

#include "enumerator/terms/terms.h"

/* Appends `(r0 + 1)`, where r0 is the read of event 0. */
void term_format (const RspTerm *term, GString *out);
