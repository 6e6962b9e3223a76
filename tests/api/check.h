/* Counting what holds, for programs that have nothing but rspcheck.h and GLib. */
#ifndef TESTS_API_CHECK_H
#define TESTS_API_CHECK_H

#include <stdio.h>

#define CHECK(condition)                                                                           \
  do                                                                                               \
    {                                                                                              \
      if (!(condition))                                                                            \
        {                                                                                          \
          printf ("FAIL %s:%d: %s\n", __FILE__, __LINE__, #condition);                             \
          failed++;                                                                                \
        }                                                                                          \
      else                                                                                         \
        passed++;                                                                                  \
    }                                                                                              \
  while (0)

static int passed, failed;

#endif
