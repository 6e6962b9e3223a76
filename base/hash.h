/* Hash: 128 bits over words, for keys of which only the hashes are compared. */
#pragma once

#include <glib.h>

typedef struct RspHash {
  guint64 a, b;
} RspHash;

/* The hash of no words. */
#define RSP_HASH_BEGIN                                                                             \
  { G_GUINT64_CONSTANT (0x9e3779b97f4a7c15), G_GUINT64_CONSTANT (0xd1b54a32d192ed03) }

/* Adds one word: two lanes of multiply-and-fold mixing. */
static inline void rsp_hash_word (RspHash *hash, guint64 word) {
  unsigned __int128 x
      = (unsigned __int128) (hash->a ^ word) * G_GUINT64_CONSTANT (0xa0761d6478bd642f);
  unsigned __int128 y
      = (unsigned __int128) (hash->b + word) * G_GUINT64_CONSTANT (0xe7037ed1a0b428db);
  hash->a = ((guint64) (x >> 64) ^ (guint64) x) + 1;
  hash->b = (guint64) (y >> 64) + (guint64) y + (word << 1 | word >> 63);
}

static inline RspHash rsp_hash_words (const guint64 *words, guint n) {
  RspHash hash = RSP_HASH_BEGIN;
  for (guint i = 0; i < n; i++)
    rsp_hash_word (&hash, words[i]);
  return hash;
}

/* For hash tables of them. */
static inline guint rsp_hash_key (gconstpointer key) {
  const RspHash *hash = key;
  return (guint) (hash->a ^ hash->a >> 32);
}

static inline gboolean rsp_hash_equal (gconstpointer x, gconstpointer y) {
  const RspHash *a = x, *b = y;
  return a->a == b->a && a->b == b->b;
}

/* Adds one to a sum: the hash of a set of entries, in whatever order they come. */
static inline void rsp_hash_add (RspHash *sum, RspHash entry) {
  sum->a += entry.a;
  sum->b += entry.b;
}
