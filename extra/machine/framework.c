/* What all machines share: states, a store of them, a search, a bill. */
#include "extra/machine/machine.h"

#include <string.h>

/* ---- Bill ----------------------------------------------------------------------------------- */

const RspBillWord rsp_bill_words[RSP_N_BILL_ITEMS] = {
#define RSP_BILL_ITEM(item, name, meaning) { name, meaning },
#include "extra/machine/bill.def"
#undef RSP_BILL_ITEM
};

/* ---- System --------------------------------------------------------------------------------- */

void rsp_successors_init (RspSuccessors *successors) {
  successors->bytes = g_byte_array_sized_new (1); /* not NULL, even if a state has no bytes */
  successors->ends = g_array_new (FALSE, FALSE, sizeof (gsize));
  successors->bills = g_array_new (FALSE, FALSE, sizeof (RspBill));
}

void rsp_successors_clear (RspSuccessors *successors) {
  g_byte_array_unref (successors->bytes);
  g_array_unref (successors->ends);
  g_array_unref (successors->bills);
}

void rsp_successors_reset (RspSuccessors *successors) {
  g_byte_array_set_size (successors->bytes, 0);
  g_array_set_size (successors->ends, 0);
  g_array_set_size (successors->bills, 0);
}

void rsp_successors_add (RspSuccessors *successors, const RspBill *bill) {
  gsize end = successors->bytes->len;
  RspBill none = { { 0 }, { 0 } };
  g_array_append_val (successors->ends, end);
  g_array_append_vals (successors->bills, bill ? bill : &none, 1);
}

const RspBill *rsp_successors_bill (const RspSuccessors *successors, guint i) {
  return &g_array_index (successors->bills, RspBill, i);
}

guint rsp_successors_count (const RspSuccessors *successors) { return successors->ends->len; }

RspBytes rsp_successors_get (const RspSuccessors *successors, guint i) {
  gsize begin = i ? g_array_index (successors->ends, gsize, i - 1) : 0;
  gsize end = g_array_index (successors->ends, gsize, i);
  return (RspBytes){ successors->bytes->data + begin, end - begin };
}

/* ---- Store ---------------------------------------------------------------------------------- */

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

static const guint8 *keep_bytes (RspStore *store, RspBytes state) {
  if (!store->chunks->len || store->chunk_used + state.size > store->chunk_size) {
    store->chunk_size = MAX (CLAMP (store->memory, LEAST_CHUNK, MOST_CHUNK), state.size);
    store->chunk_used = 0;
    store->memory += store->chunk_size;
    g_ptr_array_add (store->chunks, g_malloc (store->chunk_size));
  }
  guint8 *data = (guint8 *) store->chunks->pdata[store->chunks->len - 1] + store->chunk_used;
  if (state.size)
    memcpy (data, state.data, state.size);
  store->chunk_used += state.size;
  return data;
}

guint32 rsp_store_add (RspStore *store, RspBytes state, guint32 parent, gboolean *is_new) {
  guint64 wide = G_GUINT64_CONSTANT (0xcbf29ce484222325); /* FNV-1a over 64 bits, folded */
  for (gsize i = 0; i < state.size; i++)
    wide = (wide ^ state.data[i]) * G_GUINT64_CONSTANT (0x100000001b3);
  guint32 hash = (guint32) (wide ^ (wide >> 32));
  /* The slot of the state, or the empty one where it would go. */
  guint32 slot = hash & (store->n_slots - 1);
  for (; store->slots[slot]; slot = (slot + 1) & (store->n_slots - 1)) {
    const Entry *entry = entry_at (store, store->slots[slot] - 1);
    if (entry->hash == hash && entry->size == state.size
        && memcmp (entry->data, state.data, state.size) == 0)
      break;
  }
  *is_new = !store->slots[slot];
  if (!*is_new)
    return store->slots[slot] - 1;
  Entry entry = { keep_bytes (store, state), (guint32) state.size, hash, parent };
  g_array_append_val (store->entries, entry);
  guint32 number = store->entries->len - 1;
  store->slots[slot] = number + 1;
  if (store->entries->len <= store->n_slots / 2)
    return number;
  g_free (store->slots);
  store->n_slots *= 2;
  store->slots = g_new0 (guint32, store->n_slots);
  for (guint32 i = 0; i < store->entries->len; i++) {
    slot = entry_at (store, i)->hash & (store->n_slots - 1);
    while (store->slots[slot])
      slot = (slot + 1) & (store->n_slots - 1);
    store->slots[slot] = i + 1;
  }
  return number;
}

RspBytes rsp_store_get (const RspStore *store, guint32 number) {
  const Entry *entry = entry_at (store, number);
  return (RspBytes){ entry->data, entry->size };
}

guint32 rsp_store_count (const RspStore *store) { return store->entries->len; }

gsize rsp_store_size (const RspStore *store) {
  return store->memory + sizeof (Entry) * store->entries->len + 4 * (gsize) store->n_slots;
}

/* ---- Search --------------------------------------------------------------------------------- */

enum {
  LOOK_AT_CLOCK = 256 /* states between checks of the clock */
};

typedef struct Run {
  const RspSystem *system;
  const RspSearchOptions *options;
  RspStateSearch *search;
  GArray *open; /* of guint32: states still to expand, taken from `first` or from the end */
  guint first;
  RspSuccessors successors;
} Run;

static void add_met (Run *run, RspBytes state, guint32 parent) {
  gboolean is_new;
  guint32 number = rsp_store_add (run->search->store, state, parent, &is_new);
  if (is_new)
    g_array_append_val (run->open, number);
  if (!is_new || run->search->violated || !run->system->violated)
    return;
  run->search->violated = run->system->violated (run->system->data, state);
  run->search->where = number;
}

static gboolean is_finished (Run *run, guint64 expanded) {
  const RspStore *store = run->search->store;
  guint64 limit = run->options->max_states;
  run->search->limited |= limit && rsp_store_count (store) > limit;
  if (expanded % LOOK_AT_CLOCK == 0) {
    rsp_budget_limit_part (run->options->budget, rsp_store_size (store));
    run->search->limited |= rsp_budget_is_exhausted (run->options->budget);
  }
  return run->search->limited || (run->options->to_violation && run->search->violated);
}

static RspEnd expand (Run *run, guint32 number) {
  rsp_successors_reset (&run->successors);
  RspEnd end = run->system->expand (run->system->data, rsp_store_get (run->search->store, number),
                                    &run->successors);
  guint n = rsp_successors_count (&run->successors);
  run->search->steps += n;
  for (guint i = 0; i < n; i++)
    add_met (run, rsp_successors_get (&run->successors, i), number);
  return end;
}

RspStateSearch *rsp_search_run (const RspSystem *system, const RspSearchOptions *options,
                                RspSearchEnded ended, gpointer user) {
  Run run = { .system = system, .options = options, .search = g_new0 (RspStateSearch, 1) };
  run.search->store = rsp_store_new ();
  run.open = g_array_new (FALSE, FALSE, sizeof (guint32));
  rsp_successors_init (&run.successors);
  g_autoptr (GByteArray) initial = g_byte_array_sized_new (1); /* not NULL, even if it is empty */
  system->start (system->data, initial, NULL);
  add_met (&run, (RspBytes){ initial->data, initial->len }, RSP_NO_STATE);
  gboolean goes_on = TRUE;
  for (guint64 expanded = 0; goes_on && run.first < run.open->len && !is_finished (&run, expanded);
       expanded++) {
    guint next = options->breadth_first ? run.first++ : run.open->len - 1;
    guint32 number = g_array_index (run.open, guint32, next);
    if (!options->breadth_first)
      g_array_set_size (run.open, next);
    RspEnd end = expand (&run, number);
    if (end != RSP_END_NONE && ended)
      goes_on = ended (user, number, rsp_store_get (run.search->store, number), end);
  }
  g_array_unref (run.open);
  rsp_successors_clear (&run.successors);
  return run.search;
}

void rsp_search_free (RspStateSearch *search) {
  if (!search)
    return;
  rsp_store_free (search->store);
  g_free (search);
}

void rsp_search_describe (const RspSystem *system, const RspStateSearch *search, guint32 number,
                          GString *out) {
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 at = number; at != RSP_NO_STATE; at = entry_at (search->store, at)->parent)
    g_array_append_val (path, at);
  RspSuccessors successors;
  rsp_successors_init (&successors);
  system->describe (system->data, (RspBytes){ NULL, 0 }, 0, out);
  for (guint i = path->len; i-- > 1;) {
    RspBytes from = rsp_store_get (search->store, g_array_index (path, guint32, i));
    RspBytes to = rsp_store_get (search->store, g_array_index (path, guint32, i - 1));
    rsp_successors_reset (&successors);
    system->expand (system->data, from, &successors);
    guint step = 0, n = rsp_successors_count (&successors);
    for (; step < n; step++) {
      RspBytes bytes = rsp_successors_get (&successors, step);
      if (bytes.size == to.size && memcmp (bytes.data, to.data, to.size) == 0)
        break;
    }
    if (step < n)
      system->describe (system->data, from, step, out);
  }
  rsp_successors_clear (&successors);
}
