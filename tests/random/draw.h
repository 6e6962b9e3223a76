/* Drawing at random: what all generators of tests do it with. */
#pragma once

#include <glib.h>

/* A number from 0 to n - 1. */
static inline guint below (GRand *random, guint n) {
  return (guint) g_rand_int_range (random, 0, (gint32) n);
}

static inline gboolean one_in (GRand *random, guint n) { return below (random, n) == 0; }

/* One of the words that follow. */
#define PICK(random, ...)                                                                          \
  (((const char *const[]){                                                                         \
      __VA_ARGS__ })[below ((random), G_N_ELEMENTS (((const char *const[]){ __VA_ARGS__ })))])
