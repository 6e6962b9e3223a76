#include "machine/framework/store.h"

#include <string.h>

enum {
  LEAST_CHUNK = 1 << 12, /* bytes; chunks grow with the store */
  MOST_CHUNK = 1 << 18,
  FIRST_SLOTS = 1 << 6 /* a power of two */
};

typedef struct Entry {
  const guint8 *data;
  guint32 size, hash, parent;
} Entry;

struct RspStore {
  GPtrArray *chunks;
  gsize chunk_size, chunk_used, memory;
  GArray *entries; /* of Entry */
  guint32 *slots;  /* number + 1; 0 where empty */
  guint32 n_slots;
};

RspStore *rsp_store_new (void) {
  RspStore *store = g_new0 (RspStore, 1);
  store->chunks = g_ptr_array_new_with_free_func (g_free);
  store->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  store->n_slots = FIRST_SLOTS;
  store->slots = g_new0 (guint32, store->n_slots);
  return store;
}

void rsp_store_free (RspStore *store) {
  if (!store)
    return;
  g_ptr_array_unref (store->chunks);
  g_array_unref (store->entries);
  g_free (store->slots);
  g_free (store);
}

static const Entry *entry_at (const RspStore *store, guint32 number) {
  return &g_array_index (store->entries, Entry, number);
}

/* FNV-1a over 64 bits, folded. */
static guint32 hash_bytes (RspBytes state) {
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325);
  for (gsize i = 0; i < state.size; i++)
    hash = (hash ^ state.data[i]) * G_GUINT64_CONSTANT (0x100000001b3);
  return (guint32) (hash ^ (hash >> 32));
}

/* The slot of the state, or the empty one where it would go. */
static guint32 find_slot (const RspStore *store, RspBytes state, guint32 hash) {
  guint32 slot = hash & (store->n_slots - 1);
  for (; store->slots[slot]; slot = (slot + 1) & (store->n_slots - 1)) {
    const Entry *entry = entry_at (store, store->slots[slot] - 1);
    if (entry->hash == hash && entry->size == state.size
        && memcmp (entry->data, state.data, state.size) == 0)
      break;
  }
  return slot;
}

static void grow (RspStore *store) {
  g_free (store->slots);
  store->n_slots *= 2;
  store->slots = g_new0 (guint32, store->n_slots);
  for (guint32 i = 0; i < store->entries->len; i++) {
    guint32 slot = entry_at (store, i)->hash & (store->n_slots - 1);
    while (store->slots[slot])
      slot = (slot + 1) & (store->n_slots - 1);
    store->slots[slot] = i + 1;
  }
}

static const guint8 *keep (RspStore *store, RspBytes state) {
  if (!store->chunks->len || store->chunk_used + state.size > store->chunk_size) {
    store->chunk_size = MAX (CLAMP (store->memory, LEAST_CHUNK, MOST_CHUNK), state.size);
    store->chunk_used = 0;
    store->memory += store->chunk_size;
    g_ptr_array_add (store->chunks, g_malloc (store->chunk_size));
  }
  guint8 *data = (guint8 *) store->chunks->pdata[store->chunks->len - 1] + store->chunk_used;
  memcpy (data, state.data, state.size);
  store->chunk_used += state.size;
  return data;
}

guint32 rsp_store_add (RspStore *store, RspBytes state, guint32 parent, gboolean *is_new) {
  guint32 hash = hash_bytes (state);
  guint32 slot = find_slot (store, state, hash);
  *is_new = !store->slots[slot];
  if (!*is_new)
    return store->slots[slot] - 1;
  Entry entry = { keep (store, state), (guint32) state.size, hash, parent };
  g_array_append_val (store->entries, entry);
  guint32 number = store->entries->len - 1;
  store->slots[slot] = number + 1;
  if (store->entries->len > store->n_slots / 2)
    grow (store);
  return number;
}

RspBytes rsp_store_get (const RspStore *store, guint32 number) {
  const Entry *entry = entry_at (store, number);
  return (RspBytes){ entry->data, entry->size };
}

guint32 rsp_store_parent (const RspStore *store, guint32 number) {
  return entry_at (store, number)->parent;
}

guint32 rsp_store_count (const RspStore *store) { return store->entries->len; }

gsize rsp_store_size (const RspStore *store) {
  return store->memory + sizeof (Entry) * store->entries->len + 4 * (gsize) store->n_slots;
}
