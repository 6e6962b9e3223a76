/* Random bodies of threads. */
#pragma once

#include <glib.h>

/* Appends a statement on the registers r0 to r2 and the pointer q. */
void random_body_add (GRand *random, GString *out);
