/* Arena: memory with one owner, freed whole.
 *
 * Syntax trees, paths, events and staged models each live in the arena of the
 * program, model or check that owns them. Nothing in an arena is freed singly. */
#pragma once

#include "base/budget.h"

typedef struct RspArena RspArena;

RspArena *rsp_arena_new (void);
/* An arena whose memory counts towards a check's budget until it is freed. The budget must outlive
 * it. */
RspArena *rsp_arena_new_within (RspBudget *budget);
void rsp_arena_free (RspArena *arena);

/* Zeroed memory, aligned for any type. Callers compare sizes that depend on input with the budget
 * first (rsp_budget_affords). */
gpointer rsp_arena_alloc (RspArena *arena, gsize size);
gpointer rsp_arena_alloc_n (RspArena *arena, gsize size, gsize count);
/* Memory with arbitrary content. */
gpointer rsp_arena_room (RspArena *arena, gsize size);
gpointer rsp_arena_copy (RspArena *arena, gconstpointer data, gsize size);
char *rsp_arena_strndup (RspArena *arena, const char *text, gsize length);
char *rsp_arena_strdup (RspArena *arena, const char *text);
char *rsp_arena_printf (RspArena *arena, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* The number of bytes that it holds. */
gsize rsp_arena_size (const RspArena *arena);
/* From now on, its memory counts towards this budget (NULL: none) instead. */
void rsp_arena_set_budget (RspArena *arena, RspBudget *budget);

/* As rsp_budget_affords and rsp_budget_is_exhausted for its budget. An arena without a budget
 * affords everything. */
gboolean rsp_arena_affords (RspArena *arena, gsize size);
gboolean rsp_arena_is_exhausted (RspArena *arena);

#define rsp_arena_new0(arena, Type, count)                                                         \
  ((Type *) rsp_arena_alloc_n ((arena), sizeof (Type), (gsize) (count)))

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspArena, rsp_arena_free)
