/* Arena on glibc's obstack. */
#include "base/arena.h"

#include <obstack.h>
#include <string.h>

#define obstack_chunk_alloc g_malloc
#define obstack_chunk_free  g_free

enum
{
  LARGE_CHUNK = (1 << 20) - 64, /* with what malloc adds, whole pages */
  LARGE_FROM = 1 << 18          /* bytes in the arena from which chunks are large */
};

struct RspArena
{
  struct obstack obstack;
  gsize size;
};

RspArena *
rsp_arena_new (void)
{
  RspArena *arena = g_new0 (RspArena, 1);
  obstack_init (&arena->obstack);
  return arena;
}

void
rsp_arena_free (RspArena *arena)
{
  if (!arena)
    return;
  obstack_free (&arena->obstack, NULL);
  g_free (arena);
}

static gpointer
take (RspArena *arena, gsize size)
{
  arena->size += size;
  if (arena->size > LARGE_FROM)
    obstack_chunk_size (&arena->obstack) = LARGE_CHUNK;
  return obstack_alloc (&arena->obstack, size);
}

gpointer
rsp_arena_alloc (RspArena *arena, gsize size)
{
  return memset (take (arena, size), 0, size);
}

gpointer
rsp_arena_copy (RspArena *arena, gconstpointer data, gsize size)
{
  gpointer memory = take (arena, size);
  if (size)
    memcpy (memory, data, size);
  return memory;
}

char *
rsp_arena_strndup (RspArena *arena, const char *text, gsize length)
{
  char *copy = rsp_arena_alloc (arena, length + 1);
  memcpy (copy, text, length);
  return copy;
}

char *
rsp_arena_strdup (RspArena *arena, const char *text)
{
  return rsp_arena_strndup (arena, text, strlen (text));
}

char *
rsp_arena_printf (RspArena *arena, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return rsp_arena_strdup (arena, text);
}

gsize
rsp_arena_size (const RspArena *arena)
{
  return arena->size;
}
