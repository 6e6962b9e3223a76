/* States as byte strings. */
#pragma once

#include "machine/caches/state.h"

void caches_encode (Caches *m, State *s, GByteArray *out);
void caches_decode (Caches *m, RspBytes bytes, State *s);
