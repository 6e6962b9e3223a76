/* Relax: what a test pays for and does not need. */
#include "synth/edits/relax.h"
#include "synth/edits/sites.h"

#include <string.h>

typedef struct Relax
{
  SynthTask *task;
  SynthAnswer own;
  GHashTable *known; /* levels as bytes → GINT: are they as good? */
} Relax;

/* A fence that is gone has no order, scope or form left to weaken. */
static gboolean
is_gone (const SynthTask *task, const guint8 *levels, guint site)
{
  const SynthSite *own = task->sites->pdata[site];
  for (guint i = 0; i < site; i++)
    {
      const SynthSite *other = task->sites->pdata[i];
      if (other->kind == SYNTH_EDIT_FENCE && other->line == own->line
          && other->column == own->column)
        return levels[i] != other->own;
    }
  return FALSE;
}

/* Is version a weaker than b, or as weak, everywhere? */
static gboolean
is_within (const SynthTask *task, const guint8 *a, const guint8 *b)
{
  for (guint i = 0; i < task->sites->len; i++)
    if (!is_gone (task, a, i) && !synth_level_within (task->sites->pdata[i], a[i], b[i]))
      return FALSE;
  return TRUE;
}

/* -1 when the work must end. */
static int
is_as_good (Relax *relax, const guint8 *levels)
{
  SynthAnswer answer;
  SynthTask *task = relax->task;
  g_autoptr (GBytes) key = g_bytes_new (levels, task->sites->len);
  gpointer known;
  if (g_hash_table_lookup_extended (relax->known, key, NULL, &known))
    return GPOINTER_TO_INT (known);
  if (!synth_task_check (task, levels, &answer))
    return -1;
  int good = answer.good && answer.undefined == relax->own.undefined
             && g_strcmp0 (answer.states, relax->own.states) == 0;
  g_free (answer.states);
  g_hash_table_insert (relax->known, g_bytes_ref (key), GINT_TO_POINTER (good));
  return good;
}

static void
add_version (SynthTask *task, const guint8 *levels)
{
  for (guint i = 0; task->found && i < task->found->len; i++)
    if (is_within (task, ((const SynthVersion *) task->found->pdata[i])->levels, levels))
      return;
  for (guint i = 0; task->found && i < task->found->len;)
    if (is_within (task, levels, ((const SynthVersion *) task->found->pdata[i])->levels))
      g_ptr_array_remove_index (task->found, i);
    else
      i++;
  synth_task_add (task, levels);
}

/* As weak as can be from a site on. */
static guint8 *
weaken_rest (const SynthTask *task, const guint8 *levels, guint from)
{
  guint8 *weak = g_memdup2 (levels, task->sites->len + 1);
  for (guint i = from; i < task->sites->len; i++)
    weak[i] = is_gone (task, weak, i) ? levels[i] : 0;
  return weak;
}

/* All versions with these levels before site `from`; the others are as they were. Where all the rest
 * can be as weak as possible, that is the only maximal one. FALSE when the work must end. */
static gboolean
choose (Relax *relax, guint8 *levels, guint from)
{
  SynthTask *task = relax->task;
  guint8 *weak = weaken_rest (task, levels, from);
  int good = is_as_good (relax, weak);
  if (good > 0)
    add_version (task, weak);
  g_free (weak);
  if (good != 0 || from == task->sites->len)
    return good >= 0;
  const SynthSite *site = task->sites->pdata[from];
  for (guint level = 0; level < site->n_levels && good >= 0; level++)
    {
      levels[from] = (guint8) level;
      if (level != site->own && is_gone (task, levels, from))
        continue;
      good = level == site->own ? 1 : is_as_good (relax, levels);
      if (good > 0 && !choose (relax, levels, from + 1))
        good = -1;
    }
  levels[from] = (guint8) site->own;
  return good >= 0;
}

gboolean
rsp_synth_relax (SynthTask *task, RspDiagnostics *diagnostics)
{
  Relax relax = { .task = task,
                  .known = g_hash_table_new_full (g_bytes_hash, g_bytes_equal,
                                                  (GDestroyNotify) g_bytes_unref, NULL) };
  task->sites = rsp_synth_sites_find (task->program, SYNTH_WEAKER);
  task->complete = TRUE;
  task->own = &relax.own;
  guint8 *levels = synth_task_own (task);
  gboolean going_on = synth_task_check (task, levels, &relax.own);
  if (going_on && !relax.own.good)
    {
      rsp_error (diagnostics, task->program->threads[0].span, NULL,
                 "test %s: it cannot be checked as it stands", task->program->name);
      task->complete = going_on = FALSE;
    }
  if (going_on)
    choose (&relax, levels, 0);
  /* The test as it stands is as good as itself: no weakening. */
  for (guint i = 0; task->found && i < task->found->len;)
    if (memcmp (((const SynthVersion *) task->found->pdata[i])->levels, levels, task->sites->len)
        == 0)
      g_ptr_array_remove_index (task->found, i);
    else
      i++;
  g_free (levels);
  g_free (relax.own.states);
  g_hash_table_unref (relax.known);
  synth_task_sort (task, FALSE);
  return task->complete;
}
