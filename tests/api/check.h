/* Counting what holds, for programs that have nothing but rspcheck.h and GLib. */
#pragma once

#include <stdio.h>

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      printf ("FAIL %s:%d: %s\n", __FILE__, __LINE__, #condition);                                 \
      failed++;                                                                                    \
    } else                                                                                         \
      passed++;                                                                                    \
  } while (0)

static int passed, failed;
