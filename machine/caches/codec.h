/* States as byte strings. */
#ifndef RSP_MACHINE_CACHES_CODEC_H
#define RSP_MACHINE_CACHES_CODEC_H

#include "machine/caches/state.h"

void caches_encode (Caches *m, State *s, GByteArray *out);
void caches_decode (Caches *m, RspBytes bytes, State *s);

#endif
