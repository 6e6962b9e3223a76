#include "enumerator/search/prepare/prepared.h"

#define MOST_BYTES                                                                                 \
  ((gsize) 1 << 20) /* limit of kept paths, which count towards no check's memory */

struct RspPrepared
{
  Prepared kept; /* empty while program is NULL */
};

RspPrepared *
rsp_prepared_new (void)
{
  return g_new0 (RspPrepared, 1);
}

void
rsp_prepared_free (RspPrepared *prepared)
{
  if (!prepared)
    return;
  Prepared *kept = &prepared->kept;
  if (kept->program)
    {
      for (guint i = 0; i < kept->program->n_threads; i++)
        g_ptr_array_unref (kept->paths[i]);
      rsp_terms_free (kept->terms);
      rsp_arena_free (kept->arena);
    }
  g_free (prepared);
}

const Prepared *
prepared_find (const RspPrepared *prepared, const RspProgram *program,
               const RspPathOptions *options)
{
  const Prepared *kept = prepared ? &prepared->kept : NULL;
  if (!kept || kept->program != program || kept->options.unroll != options->unroll
      || kept->options.cas_writeback != options->cas_writeback
      || kept->options.spin_last != options->spin_last)
    return NULL;
  return kept;
}

gboolean
prepared_keep (RspPrepared *prepared, const Prepared *found)
{
  if (!prepared || prepared->kept.program || rsp_arena_size (found->arena) > MOST_BYTES)
    return FALSE;
  Prepared *kept = &prepared->kept;
  *kept = *found;
  kept->options.budget = NULL;
  rsp_arena_leave_budget (kept->arena);
  kept->paths = rsp_arena_new0 (kept->arena, GPtrArray *, found->program->n_threads);
  for (guint i = 0; i < found->program->n_threads; i++)
    kept->paths[i] = g_ptr_array_copy (found->paths[i], NULL, NULL);
  return TRUE;
}
