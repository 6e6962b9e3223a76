/* Names and patterns. */
#include "model/stage/env.h"
#include "model/stage/predefined/names.h"
#include "model/stage/value.h"

/* Names belong to the model's tree or are literals, and so outlive the staging. */
static const char *symbol_of (Stage *stage, const char *name, guint *number) {
  return rsp_symbol (stage->symbols, NULL, name, number);
}

enum {
  MAX_WALK = 32, /* environments that a look-up may walk through before names are indexed */
  MIN_WALK = 16
};

/* Indexes the names of an environment that is fewer than MAX_WALK steps from an indexed one. */
static void index_names (Stage *stage, StageEnv *env) {
  const StageEnv *added[MAX_WALK], *rest = env;
  guint n = 0;
  for (; rest && !rest->names && n < MAX_WALK; rest = rest->next)
    added[n++] = rest;
  const RspBindings *names = rest ? rest->names : NULL;
  while (n--)
    names = rsp_bindings_add (stage->arena, names, added[n]->number, added[n]);
  env->names = names;
}

/* Keeps the walk short. The innermost environments, those of function calls, are left as they are:
 * an index does not pay for them, whereas the environment in which a function was made is indexed
 * once. */
static void limit_walk (Stage *stage, StageEnv *env) {
  const StageEnv *outer = env;
  for (env->walk = 0; env->walk < MIN_WALK && !outer->names; env->walk++)
    outer = outer->next;
  if (!outer->names)
    index_names (stage, (StageEnv *) outer);
}

const StageEnv *stage_bind (Stage *stage, const StageEnv *env, const char *name,
                            const StageValue *value) {
  StageEnv *inner = rsp_arena_new0 (stage->arena, StageEnv, 1);
  inner->symbol = symbol_of (stage, name, &inner->number);
  inner->value = value;
  inner->next = env;
  inner->walk = env ? env->walk + 1 : 1;
  if (inner->walk == MAX_WALK)
    limit_walk (stage, inner);
  return inner;
}

/* The parts of a tuple or of a pair. FALSE if the value does not have exactly n parts. */
static gboolean parts (Stage *stage, const StageValue *value, guint n, StageItems *items) {
  if (value->kind == STAGE_PAIR && n == 2) {
    const StageValue **both = rsp_arena_new0 (stage->arena, const StageValue *, 2);
    both[0] = stage_event (stage, value->u.events[0]);
    both[1] = stage_event (stage, value->u.events[1]);
    *items = both;
    return TRUE;
  }
  if (value->kind != STAGE_TUPLE || value->u.list.n != n)
    return FALSE;
  *items = value->u.list.items;
  return TRUE;
}

gboolean stage_bind_pattern (Stage *stage, const StageEnv **env, const RspCatPattern *pattern,
                             const StageValue *value) {
  if (!pattern->is_tuple) {
    if (pattern->name)
      *env = stage_bind (stage, *env, pattern->name, value);
    return TRUE;
  }
  StageItems items;
  if (!parts (stage, value, pattern->n_items, &items))
    return stage_refuse (stage, pattern->span, "this takes %u values, but is given %s",
                         pattern->n_items, stage_describe (stage, value));
  for (guint i = 0; i < pattern->n_items; i++)
    if (!stage_bind_pattern (stage, env, pattern->items[i], items[i]))
      return FALSE;
  return TRUE;
}

void stage_bind_unknown (Stage *stage, const StageEnv **env, const RspCatPattern *pattern) {
  if (pattern->name)
    *env = stage_bind (stage, *env, pattern->name, &stage_unknown);
  for (guint i = 0; i < pattern->n_items; i++)
    stage_bind_unknown (stage, env, pattern->items[i]);
}

static const StageValue *look_up_predefined (Stage *stage, const char *symbol) {
  const StageValue *value = g_hash_table_lookup (stage->predefined, symbol);
  if (!value && (value = rsp_stage_predefined (stage, symbol)))
    g_hash_table_insert (stage->predefined, (gpointer) symbol, (gpointer) value);
  return value;
}

const StageValue *stage_look_up (Stage *stage, const StageEnv *env, const char *name,
                                 gboolean *own) {
  guint number;
  const char *symbol = symbol_of (stage, name, &number);
  while (env && env->symbol != symbol)
    env = env->names ? rsp_bindings_look_up (env->names, number) : env->next;
  *own = env != NULL;
  return env ? env->value : look_up_predefined (stage, symbol);
}
