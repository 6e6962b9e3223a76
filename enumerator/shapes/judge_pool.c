#include "enumerator/shapes/judge_pool.h"
#include "enumerator/shapes/part.h"
#include "enumerator/shapes/probe.h"

#include <string.h>

enum {
  MAX_KEPT = 512 /* limit of parts, some 50 kB each; shapes that share parts come close together */
};

/* Everything that the model may see of a combination. */
typedef struct Key {
  const RspModel *model;
  RspShape shape;
  guint8 ctrl[RSP_SHAPE_EVENTS];
} Key;

typedef struct Kept {
  Key key;
  Part *part;
} Kept;

typedef struct Sight {
  const RspModel *model;
  RspSeen seen;
} Sight;

struct RspJudgePool {
  GQueue *kept;     /* of Kept; used last first */
  GArray *sights;   /* of Sight */
  GHashTable *keys; /* parts in use: from Part to its Key */
};

static void free_kept (gpointer data) {
  Kept *kept = data;
  part_free (kept->part);
  g_free (kept);
}

RspJudgePool *rsp_judge_pool_new (void) {
  RspJudgePool *pool = g_new0 (RspJudgePool, 1);
  pool->kept = g_queue_new ();
  pool->sights = g_array_new (FALSE, FALSE, sizeof (Sight));
  pool->keys = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return pool;
}

void rsp_judge_pool_free (RspJudgePool *pool) {
  if (!pool)
    return;
  g_queue_free_full (pool->kept, free_kept);
  g_array_unref (pool->sights);
  g_hash_table_unref (pool->keys);
  g_free (pool);
}

/* ---- Keys ---- */

/* NULL after an error of the model, which staging it reports. */
static const RspSeen *see (RspJudgePool *pool, const RspModel *model, RspLanguageId language,
                           const RspStageOptions *options) {
  for (guint i = 0; i < pool->sights->len; i++)
    if (g_array_index (pool->sights, Sight, i).model == model)
      return &g_array_index (pool->sights, Sight, i).seen;
  Sight sight = { .model = model };
  g_autoptr (RspDiagnostics) ignored = rsp_diagnostics_new ();
  if (!rsp_probe (model, language, options, &sight.seen, ignored))
    return NULL;
  g_array_append_val (pool->sights, sight);
  return &g_array_index (pool->sights, Sight, pool->sights->len - 1).seen;
}

static void fill_key (Key *key, const RspSeen *seen, const RspModel *model,
                      const RspShapeCombination *c) {
  memset (key, 0, sizeof *key); /* keys are compared as bytes */
  key->model = model;
  key->shape.language = c->shape.language;
  key->shape.n_threads = c->shape.n_threads;
  key->shape.n_locations = c->shape.n_locations;
  key->shape.n_events = c->shape.n_events;
  memcpy (key->shape.places, c->shape.places, c->shape.n_threads * sizeof c->shape.places[0]);
  memcpy (key->shape.local, c->shape.local, c->shape.n_locations);
  for (guint e = 0; e < c->shape.n_events; e++) {
    const RspShapeEvent *from = &c->shape.events[e];
    RspShapeEvent *to = &key->shape.events[e];
    to->kind = from->kind;
    to->thread = from->thread;
    to->location = from->location;
    to->half = from->half;
    to->flags = from->flags;
    to->addr = seen->addr ? from->addr : 0;
    to->data = seen->data ? from->data : 0;
    key->ctrl[e] = seen->ctrl ? c->ctrl[e] : 0;
  }
}

/* ---- Parts ---- */

static Part *find (RspJudgePool *pool, const Key *key) {
  for (GList *l = pool->kept->head; l; l = l->next) {
    Kept *kept = l->data;
    /* Keys are cleared before they are filled; if their padding differed, a part would merely be
     * staged once more. NOLINTNEXTLINE */
    if (memcmp (&kept->key, key, sizeof *key) != 0)
      continue;
    Part *part = kept->part;
    g_queue_delete_link (pool->kept, l);
    g_free (kept);
    return part;
  }
  return NULL;
}

Part *judge_pool_take (RspJudgePool *pool, const RspModel *model,
                       const RspShapeCombination *combination, const RspStageOptions *options,
                       RspDiagnostics *diagnostics) {
  const RspSeen *seen = pool ? see (pool, model, combination->shape.language, options) : NULL;
  if (!seen)
    return part_new (model, combination, options, diagnostics);
  Key *key = g_new (Key, 1);
  fill_key (key, seen, model, combination);
  Part *part = find (pool, key);
  if (part)
    part->combination = *combination;
  else
    part = part_new (model, combination, options, diagnostics);
  g_hash_table_insert (pool->keys, part, key);
  return part;
}

void judge_pool_put (RspJudgePool *pool, Part *part) {
  const Key *key = pool ? g_hash_table_lookup (pool->keys, part) : NULL;
  if (!key || part->failed) {
    if (key)
      g_hash_table_remove (pool->keys, part);
    part_free (part);
    return;
  }
  Kept *kept = g_new (Kept, 1);
  *kept = (Kept){ *key, part };
  g_hash_table_remove (pool->keys, part);
  g_queue_push_head (pool->kept, kept);
  if (g_queue_get_length (pool->kept) > MAX_KEPT)
    free_kept (g_queue_pop_tail (pool->kept));
}
