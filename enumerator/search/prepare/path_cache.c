#include "enumerator/search/prepare/path_cache.h"
#include "enumerator/barriers.h"

struct RspPathCache {
  const RspProgram *program;
  RspArena *arena; /* of the rest; NULL: there is none yet */
  RspTerms *terms;
  GPtrArray **paths;
  RspPreExecution **pre_executions;
  const RspNames *names;
  RspFeasibility *feasibility;
  /* The options that they depend on. */
  guint unroll;
  RspcheckCasWriteback cas_writeback;
  guint barriers;
};

RspPathCache *rsp_path_cache_new (const RspProgram *program) {
  RspPathCache *cache = g_new0 (RspPathCache, 1);
  cache->program = program;
  return cache;
}

static void clear (RspPathCache *cache) {
  if (!cache->arena)
    return;
  for (guint i = 0; i < cache->program->n_threads; i++)
    g_ptr_array_unref (cache->paths[i]);
  g_free (cache->paths);
  g_clear_pointer (&cache->feasibility, rsp_feasibility_free);
  rsp_terms_free (cache->terms);
  g_clear_pointer (&cache->arena, rsp_arena_free);
}

void rsp_path_cache_free (RspPathCache *cache) {
  if (!cache)
    return;
  clear (cache);
  g_free (cache);
}

gboolean path_cache_take (RspPathCache *cache, Check *check) {
  const RspCheckOptions *options = check->options;
  if (!cache || !cache->arena || cache->program != check->program
      || cache->unroll != options->unroll || cache->cas_writeback != options->cas_writeback
      || cache->barriers != barriers_rules (check->model) || options->spin != RSPCHECK_SPIN_ALL
      || options->prefixes)
    return FALSE;
  check->arena = g_steal_pointer (&cache->arena);
  check->terms = cache->terms;
  check->paths = cache->paths;
  check->pre_executions = cache->pre_executions;
  check->names_found = cache->names;
  check->feasibility = g_steal_pointer (&cache->feasibility);
  rsp_arena_set_budget (check->arena, &check->budget);
  rsp_feasibility_set_budget (check->feasibility, &check->budget);
  return TRUE;
}

gboolean path_cache_give (RspPathCache *cache, Check *check) {
  const RspCheckOptions *options = check->options;
  if (!cache || !check->has_paths || cache->program != check->program
      || options->spin != RSPCHECK_SPIN_ALL || options->prefixes)
    return FALSE;
  clear (cache);
  if (rsp_budget_stop (&check->budget) != RSPCHECK_STOP_COMPLETE)
    g_clear_pointer (&check->feasibility, rsp_feasibility_free);
  rsp_feasibility_set_budget (check->feasibility, NULL);
  rsp_arena_set_budget (check->arena, NULL);
  cache->feasibility = check->feasibility;
  cache->arena = check->arena;
  cache->terms = check->terms;
  cache->paths = check->paths;
  cache->pre_executions = check->pre_executions;
  cache->names = check->names_found;
  cache->unroll = options->unroll;
  cache->cas_writeback = options->cas_writeback;
  cache->barriers = barriers_rules (check->model);
  return TRUE;
}
