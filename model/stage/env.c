/* Names and patterns. */
#include "model/stage/env.h"
#include "model/stage/predefined/names.h"
#include "model/stage/value.h"

static const char *
symbol_of (Stage *stage, const char *name)
{
  const char *symbol = g_hash_table_lookup (stage->symbols, name);
  if (!symbol)
    {
      symbol = name; /* names live in the model's tree or are literals: longer than the staging */
      g_hash_table_insert (stage->symbols, (gpointer) name, (gpointer) name);
    }
  return symbol;
}

const StageEnv *
stage_bind (Stage *stage, const StageEnv *env, const char *name, const StageValue *value)
{
  StageEnv *inner = rsp_arena_new0 (stage->arena, StageEnv, 1);
  inner->symbol = symbol_of (stage, name);
  inner->value = value;
  inner->next = env;
  return inner;
}

/* The parts of a tuple or of a pair; FALSE when the value has not just n parts. */
static gboolean
parts (Stage *stage, const StageValue *value, guint n, StageItems *items)
{
  if (value->kind == STAGE_PAIR && n == 2)
    {
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

gboolean
stage_bind_pattern (Stage *stage, const StageEnv **env, const RspCatPattern *pattern,
                    const StageValue *value)
{
  if (!pattern->is_tuple)
    {
      if (pattern->name)
        *env = stage_bind (stage, *env, pattern->name, value);
      return TRUE;
    }
  StageItems items;
  if (!parts (stage, value, pattern->n_items, &items))
    return stage_refuse (stage, pattern->span, "this takes %u values, and is given %s",
                         pattern->n_items, stage_describe (stage, value));
  for (guint i = 0; i < pattern->n_items; i++)
    if (!stage_bind_pattern (stage, env, pattern->items[i], items[i]))
      return FALSE;
  return TRUE;
}

void
stage_bind_unknown (Stage *stage, const StageEnv **env, const RspCatPattern *pattern)
{
  if (pattern->name)
    *env = stage_bind (stage, *env, pattern->name, &stage_unknown);
  for (guint i = 0; i < pattern->n_items; i++)
    stage_bind_unknown (stage, env, pattern->items[i]);
}

static const StageValue *
look_up_predefined (Stage *stage, const char *symbol)
{
  const StageValue *value = g_hash_table_lookup (stage->predefined, symbol);
  if (!value && (value = stage_predefined (stage, symbol)))
    g_hash_table_insert (stage->predefined, (gpointer) symbol, (gpointer) value);
  return value;
}

const StageValue *
stage_look_up (Stage *stage, const StageEnv *env, const char *name, gboolean *own)
{
  const char *symbol = symbol_of (stage, name);
  *own = TRUE;
  for (; env; env = env->next)
    if (env->symbol == symbol)
      return env->value;
  *own = FALSE;
  return look_up_predefined (stage, symbol);
}
