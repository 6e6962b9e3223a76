/* Arena: memory with one owner, freed whole.
 *
 * Syntax trees, paths, events and staged models each live in the arena of the
 * program, model or check that owns them. Nothing in an arena is freed singly. */
#ifndef RSP_BASE_ARENA_H
#define RSP_BASE_ARENA_H

#include <glib.h>

typedef struct RspArena RspArena;

RspArena *rsp_arena_new (void);
void rsp_arena_free (RspArena *arena);

/* Zeroed memory, aligned for any type. */
gpointer rsp_arena_alloc (RspArena *arena, gsize size);
gpointer rsp_arena_copy (RspArena *arena, gconstpointer data, gsize size);
char *rsp_arena_strndup (RspArena *arena, const char *text, gsize length);
char *rsp_arena_strdup (RspArena *arena, const char *text);
char *rsp_arena_printf (RspArena *arena, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Bytes handed out so far. */
gsize rsp_arena_size (const RspArena *arena);

#define rsp_arena_new0(arena, Type, count)                                                         \
  ((Type *) rsp_arena_alloc ((arena), sizeof (Type) * (gsize) (count)))

#endif
