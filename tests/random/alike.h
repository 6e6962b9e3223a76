/* Random tests with many accesses that are alike: threads that run the same code, reads of one
 * location by one thread, writes of one value, and filters and conditions that tie several of them
 * together. Searches of such tests come upon the same residual problems again and again, and on
 * problems that are nearly the same, so they are what shows a wrong memo or a wrong symmetry; the
 * tests of generate.h have too much variety for that. */
#pragma once

#include <glib.h>

/* The text of test number `seed`. Newly allocated. */
char *rsp_generate_alike (guint32 seed);
