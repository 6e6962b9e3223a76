/* Memory that is freed as a whole. */
#include "base/base.h"

#include <stdio.h>
#include <string.h>

/* Memory is taken from the system in chunks, each twice as large as the one before up to a limit,
 * and handed out from one end. Large objects have a chunk of their own.
 *
 *   arena->chunk ─► [ previous | size | objects …  ->next      end<- ]
 *                       │
 *                       ▼
 *                   older chunks
 *
 * A thread keeps some chunks of arenas that it has freed for its next ones, since a check makes and
 * frees a dozen arenas of one or two chunks each.
 *
 * Under the address sanitizer, memory that is not handed out is poisoned, and so is a gap after
 * each object, so that overruns are found as they are for memory from malloc. */

#if defined(__SANITIZE_ADDRESS__)
#define POISONS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONS 1
#endif
#endif
#ifdef POISONS
#include <sanitizer/asan_interface.h>
#define poison(memory, size)   __asan_poison_memory_region ((memory), (size))
#define unpoison(memory, size) __asan_unpoison_memory_region ((memory), (size))
#else
#define POISONS                0
#define poison(memory, size)   ((void) (memory), (void) (size))
#define unpoison(memory, size) ((void) (memory), (void) (size))
#endif

enum {
  ALIGNMENT = 16,
  GAP = POISONS ? ALIGNMENT : 0,
  FIRST_CHUNK = 4096 - 64,
  FIRST_CHUNK_OF_CHECK = 4 * FIRST_CHUNK, /* of arenas that a check makes and soon frees */
  LAST_CHUNK = (1 << 20) - 64,            /* whole pages, together with what malloc adds */
  SPARE_SIZES = 5, /* FIRST_CHUNK and the next sizes, of which chunks are kept */
  MOST_SPARE = 8   /* of each size */
};

typedef struct Chunk {
  struct Chunk *previous;
  gsize size; /* in all */
} Chunk;

/* It lies at the beginning of its first chunk. */
struct RspArena {
  RspBudget *budget;
  Chunk *chunk;
  guint8 *next, *end; /* free part of the newest chunk */
  gsize next_size;    /* of the next chunk */
  gsize size;
};

/* ---- Spare chunks ---- */
typedef struct Spare {
  Chunk *chunk[SPARE_SIZES];
  guint n[SPARE_SIZES];
} Spare;

static void free_spare (gpointer data) {
  Spare *spare = data;
  for (guint i = 0; i < SPARE_SIZES; i++) {
    Chunk *chunk = spare->chunk[i];
    while (chunk) {
      Chunk *previous = chunk->previous;
      g_free (chunk);
      chunk = previous;
    }
  }
  g_free (spare);
}

static GPrivate spare_chunks = G_PRIVATE_INIT (free_spare);

/* SPARE_SIZES: chunks of that size are not kept. */
static guint spare_size (gsize whole) {
  guint i = 0;
  while (i < SPARE_SIZES && whole != sizeof (Chunk) + ((gsize) FIRST_CHUNK << i))
    i++;
  return i;
}

static void release_chunk (Chunk *chunk) {
  Spare *spare = g_private_get (&spare_chunks);
  guint i = spare_size (chunk->size);
  if (POISONS || i == SPARE_SIZES || (spare ? spare->n[i] : 0) >= MOST_SPARE) {
    g_free (chunk);
    return;
  }
  if (!spare)
    g_private_set (&spare_chunks, spare = g_new0 (Spare, 1));
  chunk->previous = spare->chunk[i];
  spare->chunk[i] = chunk;
  spare->n[i]++;
}

/* ---- Arenas ---- */
/* Memory for a chunk with room for `size` bytes. */
static Chunk *new_chunk (gsize size, gboolean zeroed) {
  gsize whole = sizeof (Chunk) + size;
  Spare *spare = zeroed ? NULL : g_private_get (&spare_chunks);
  guint i = spare_size (whole);
  Chunk *chunk;
  if (spare && i < SPARE_SIZES && spare->n[i]) {
    chunk = spare->chunk[i];
    spare->chunk[i] = chunk->previous;
    spare->n[i]--;
  } else
    chunk = zeroed ? g_malloc0 (whole) : g_malloc (whole);
  chunk->size = whole;
  return chunk;
}

static inline gsize padded (gsize size) {
  return (size + GAP + ALIGNMENT - 1) & ~((gsize) ALIGNMENT - 1);
}

RspArena *rsp_arena_new_within (RspBudget *budget) {
  gsize size = budget ? FIRST_CHUNK_OF_CHECK : FIRST_CHUNK;
  Chunk *chunk = new_chunk (size, FALSE);
  guint8 *memory = (guint8 *) (chunk + 1);
  RspArena *arena = (RspArena *) memory;
  chunk->previous = NULL;
  *arena = (RspArena){ .budget = budget,
                       .chunk = chunk,
                       .next = memory + padded (sizeof *arena),
                       .end = memory + size,
                       .next_size = 2 * size,
                       .size = chunk->size };
  if (budget)
    rsp_budget_charge (budget, (gssize) arena->size);
  poison (memory + sizeof *arena, size - sizeof *arena);
  return arena;
}

RspArena *rsp_arena_new (void) { return rsp_arena_new_within (NULL); }

void rsp_arena_free (RspArena *arena) {
  if (!arena)
    return;
  if (arena->budget)
    rsp_budget_charge (arena->budget, -(gssize) arena->size);
  for (Chunk *chunk = arena->chunk; chunk;) {
    Chunk *previous = chunk->previous;
    unpoison (chunk, chunk->size);
    release_chunk (chunk);
    chunk = previous;
  }
}

/* Adds a chunk with room for `size` bytes and returns that room. */
static guint8 *add_chunk (RspArena *arena, gsize size, gboolean zeroed) {
  Chunk *chunk = new_chunk (size, zeroed);
  chunk->previous = arena->chunk;
  arena->chunk = chunk;
  arena->size += chunk->size;
  if (arena->budget)
    rsp_budget_charge (arena->budget, (gssize) chunk->size);
  poison (chunk + 1, size);
  return (guint8 *) (chunk + 1);
}

/* Memory for an object that does not fit into the newest chunk. */
G_NO_INLINE static gpointer take_elsewhere (RspArena *arena, gsize size, gboolean zeroed) {
  if (size > G_MAXSSIZE - (gssize) 4 * ALIGNMENT)
    g_error ("arena: %" G_GSIZE_FORMAT " bytes", size);
  gsize taken = padded (size);
  guint8 *memory;
  if (taken > arena->next_size / 4) {
    memory = add_chunk (arena, taken, zeroed);
    unpoison (memory, size);
    return memory;
  }
  memory = add_chunk (arena, arena->next_size, FALSE);
  arena->next = memory + taken;
  arena->end = memory + arena->next_size;
  arena->next_size = MIN (2 * arena->next_size, LAST_CHUNK);
  unpoison (memory, size);
  return zeroed ? memset (memory, 0, size) : memory;
}

/* A chunk that small objects share is zeroed piece by piece, as it is handed out: most chunks are
 * never used up. */
static inline gpointer take (RspArena *arena, gsize size, gboolean zeroed) {
  guint8 *memory = arena->next;
  gsize room = (gsize) (arena->end - memory);
  if (G_UNLIKELY (size > room || padded (size) > room))
    return take_elsewhere (arena, size, zeroed);
  arena->next += padded (size);
  unpoison (memory, size);
  return zeroed ? memset (memory, 0, size) : memory;
}

gpointer rsp_arena_alloc (RspArena *arena, gsize size) { return take (arena, size, TRUE); }

gpointer rsp_arena_alloc_n (RspArena *arena, gsize size, gsize count) {
  gsize whole;
  if (!g_size_checked_mul (&whole, size, count))
    g_error ("arena: %" G_GSIZE_FORMAT " times %" G_GSIZE_FORMAT " bytes", count, size);
  return take (arena, whole, TRUE);
}

gpointer rsp_arena_room (RspArena *arena, gsize size) { return take (arena, size, FALSE); }

gpointer rsp_arena_copy (RspArena *arena, gconstpointer data, gsize size) {
  gpointer memory = take (arena, size, FALSE);
  if (size)
    memcpy (memory, data, size);
  return memory;
}

char *rsp_arena_strndup (RspArena *arena, const char *text, gsize length) {
  char *copy = take (arena, length + 1, FALSE);
  memcpy (copy, text, length);
  copy[length] = '\0';
  return copy;
}

char *rsp_arena_strdup (RspArena *arena, const char *text) {
  return rsp_arena_strndup (arena, text, strlen (text));
}

char *rsp_arena_printf (RspArena *arena, const char *format, ...) {
  char few[256]; /* most texts are short: they are formatted once */
  va_list arguments, again;
  va_start (arguments, format);
  va_copy (again, arguments);
  gsize length = (gsize) vsnprintf (few, sizeof few, format, arguments);
  char *text = take (arena, length + 1, FALSE);
  if (length < sizeof few)
    memcpy (text, few, length + 1);
  else
    vsnprintf (text, length + 1, format, again);
  va_end (again);
  va_end (arguments);
  return text;
}

gsize rsp_arena_size (const RspArena *arena) { return arena->size; }

gboolean rsp_arena_affords (RspArena *arena, gsize size) {
  return rsp_budget_affords (arena->budget, size);
}

gboolean rsp_arena_is_exhausted (RspArena *arena) {
  return rsp_budget_is_exhausted (arena->budget);
}
