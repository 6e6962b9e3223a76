/* Random bodies of threads. */
#ifndef RSP_RANDOM_BODY_H
#define RSP_RANDOM_BODY_H

#include <glib.h>

/* Appends a statement on the registers r0 to r2 and the pointer q. */
void random_body_add (GRand *random, GString *out);

#endif
