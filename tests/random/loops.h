/* Random tests with branches and spin loops, of up to four threads of which several often run the
 * same code: locks, waits and retries as people write them, and near misses. What they are for is
 * what combinations of paths share, and -spin. */
#pragma once

#include <glib.h>

/* The text of test number `seed`, small enough for the naive engine when loops are unrolled so
 * often. Newly allocated. */
char *rsp_generate_loops (guint32 seed, guint unroll);
