/* Hash: 128 bits over words, for keys that are compared by nothing else. */
#ifndef RSP_HASH_H
#define RSP_HASH_H

#include <glib.h>

typedef struct RspHash
{
  guint64 a, b;
} RspHash;

/* Two lanes of multiply-and-fold mixing. */
static inline RspHash
rsp_hash_words (const guint64 *words, guint n)
{
  guint64 a = G_GUINT64_CONSTANT (0x9e3779b97f4a7c15), b = G_GUINT64_CONSTANT (0xd1b54a32d192ed03);
  for (guint i = 0; i < n; i++)
    {
      unsigned __int128 x
          = (unsigned __int128) (a ^ words[i]) * G_GUINT64_CONSTANT (0xa0761d6478bd642f);
      unsigned __int128 y
          = (unsigned __int128) (b + words[i]) * G_GUINT64_CONSTANT (0xe7037ed1a0b428db);
      a = (guint64) (x >> 64) ^ (guint64) x ^ i;
      b = (guint64) (y >> 64) + (guint64) y + (words[i] << 1 | words[i] >> 63);
    }
  return (RspHash){ .a = a, .b = b };
}

/* Adds one to a sum: the hash of a set of entries, in whatever order they come. */
static inline void
rsp_hash_add (RspHash *sum, RspHash entry)
{
  sum->a += entry.a;
  sum->b += entry.b;
}

#endif
