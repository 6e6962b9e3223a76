/* A hash table with open addressing. Words of a list differ in their lengths and ends, so these are
 * their hash: most words that are not in the list meet an empty slot. */
#include "base/structures/word_index.h"

#include <string.h>

typedef struct Slot {
  const char *word; /* NULL: empty */
  gconstpointer value;
} Slot;

struct RspWordIndex {
  gsize n_slots; /* a power of two, four times the number of words or more */
  Slot slots[];
};

RspWordIndex *rsp_word_index_new (gsize n) {
  gsize n_slots = 4;
  while (n_slots < 4 * n)
    n_slots *= 2;
  RspWordIndex *index = g_malloc0 (sizeof *index + n_slots * sizeof (Slot));
  index->n_slots = n_slots;
  return index;
}

static gsize hash (const char *word) {
  gsize length = strlen (word);
  if (length == 0)
    return 0;
  gsize first = (guchar) word[0], middle = (guchar) word[length / 2];
  gsize last = (guchar) word[length - 1];
  return length * 37 + first * 5 + last * 11 + middle * 3;
}

/* The slot of the word, or the empty one where it belongs. */
static gsize slot_of (const RspWordIndex *index, const char *word) {
  gsize at = hash (word) & (index->n_slots - 1);
  while (index->slots[at].word && strcmp (index->slots[at].word, word) != 0)
    at = (at + 1) & (index->n_slots - 1);
  return at;
}

gboolean rsp_word_index_add (RspWordIndex *index, const char *word, gconstpointer value) {
  Slot *slot = &index->slots[slot_of (index, word)];
  if (slot->word)
    return FALSE;
  *slot = (Slot){ word, value };
  return TRUE;
}

gconstpointer rsp_word_index_find (const RspWordIndex *index, const char *word) {
  return index->slots[slot_of (index, word)].value;
}
