/* Random tests of messages: one thread waits for a flag and reads data behind it, others write data
 * and the flag, now and then only when they have had a message themselves. What they are for is
 * -spin last where a waiting round acquires. */
#pragma once

#include <glib.h>

/* The text of test number `seed`: small enough for the bounded engine to need a millisecond with
 * -unroll 2. Newly allocated. */
char *rsp_generate_messages (guint32 seed);
