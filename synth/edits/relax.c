/* Relax: what a test uses but does not need.
 *
 * The search assumes that if a set of weakenings changes nothing, neither does any subset (which
 * holds for monotone models: see -monotone). So a version changes nothing if a weaker one does not,
 * and changes something if a stronger one does. The search looks for an undecided version. If it
 * changes nothing, it is weakened until it is maximal; if it changes something, it is strengthened
 * until it is minimal. That decides more versions, until all are decided. (Gunopulos and others,
 * "Discovering all most specific sentences", 2003; Liffiton and others, "Fast, flexible MUS
 * enumeration", 2016.) */
#include "synth/edits/relax.h"
#include "synth/edits/sites.h"
#include "synth/edits/version.h"

#include <string.h>

typedef struct Relax {
  SynthTask *task;
  SynthAnswer own;
  gboolean ended; /* the time is up */
  /* Of levels (guint8 *): maximal versions that change nothing, and minimal ones that change
   * something; of the latter also others. */
  GPtrArray *good, *different;
} Relax;

/* A removed fence has no order, scope or form left to weaken, a weak access no scope. */
static gboolean is_gone (const SynthTask *task, const guint8 *levels, guint site) {
  const SynthSite *own = task->sites->pdata[site];
  for (guint i = 0; i < site; i++) {
    const SynthSite *other = task->sites->pdata[i];
    if (other->line == own->line && other->column == own->column
        && other->levels[levels[i]].removes >> own->kind & 1)
      return TRUE;
  }
  return FALSE;
}

/* Is version a weaker than b, or as weak, everywhere? */
static gboolean is_within (const SynthTask *task, const guint8 *a, const guint8 *b) {
  for (guint i = 0; i < task->sites->len; i++)
    if (!is_gone (task, a, i) && !synth_level_within (task->sites->pdata[i], a[i], b[i]))
      return FALSE;
  return TRUE;
}

static gboolean is_known_to_differ (const Relax *relax, const guint8 *levels) {
  for (guint i = 0; i < relax->different->len; i++)
    if (is_within (relax->task, levels, relax->different->pdata[i]))
      return TRUE;
  return FALSE;
}

static void keep (const Relax *relax, GPtrArray *list, const guint8 *levels) {
  g_ptr_array_add (list, g_memdup2 (levels, relax->task->sites->len + 1));
}

/* Does the version have the states of the test, and is it defined if the test is? FALSE with *ended
 * set when the work must end. */
static gboolean is_as_good (Relax *relax, const guint8 *levels) {
  SynthAnswer answer;
  if (relax->ended || is_known_to_differ (relax, levels))
    return FALSE;
  if (!synth_task_check (relax->task, levels, &answer)) {
    relax->ended = TRUE;
    return FALSE;
  }
  gboolean good = answer.good && answer.undefined == relax->own.undefined
                  && g_strcmp0 (answer.states, relax->own.states) == 0;
  g_free (answer.states);
  if (!good)
    keep (relax, relax->different, levels);
  return good;
}

/* ---- From one version to others ---- */

static gboolean is_weaker (const SynthSite *site, guint a, guint b) {
  return a != b && synth_level_within (site, a, b);
}

/* Weakens as long as nothing changes. */
static void weaken (Relax *relax, guint8 *levels) {
  for (guint i = 0; i < relax->task->sites->len; i++) {
    const SynthSite *site = relax->task->sites->pdata[i];
    guint8 before = levels[i];
    for (guint8 level = 0; level < site->n_levels && levels[i] == before; level++) {
      if (!is_weaker (site, level, before) || is_gone (relax->task, levels, i))
        continue;
      levels[i] = level;
      if (!is_as_good (relax, levels))
        levels[i] = before;
    }
  }
}

/* Strengthens as long as something changes: each site in turn to what the test has. */
static void strengthen (Relax *relax, guint8 *levels) {
  for (guint i = 0; i < relax->task->sites->len; i++) {
    guint8 before = levels[i],
           own = (guint8) ((const SynthSite *) relax->task->sites->pdata[i])->own;
    if (before == own)
      continue;
    levels[i] = own;
    if (is_as_good (relax, levels) || relax->ended)
      levels[i] = before;
  }
}

/* ---- The search ---- */

/* Weakens levels until no maximal version from `from` on is as weak; FALSE if every choice is known
 * to change something. Stronger levels come first, since they are least often known to change
 * something. */
static gboolean find_undecided (const Relax *relax, guint8 *levels, guint from) {
  const SynthTask *task = relax->task;
  while (from < relax->good->len && !is_within (task, relax->good->pdata[from], levels))
    from++;
  if (is_known_to_differ (relax, levels))
    return FALSE;
  if (from == relax->good->len)
    return TRUE;
  const guint8 *good = relax->good->pdata[from];
  for (guint i = 0; i < task->sites->len; i++) {
    const SynthSite *site = task->sites->pdata[i];
    guint8 before = levels[i];
    if (is_gone (task, levels, i) || is_gone (task, good, i))
      continue;
    for (guint8 level = (guint8) site->n_levels; level-- > 0;) {
      levels[i] = level;
      if (is_weaker (site, level, before) && !synth_level_within (site, good[i], level)
          && find_undecided (relax, levels, from + 1))
        return TRUE;
    }
    levels[i] = before;
  }
  return FALSE;
}

/* Properties of what is removed do not count. */
static void tidy (const SynthTask *task, guint8 *levels) {
  for (guint i = 0; i < task->sites->len; i++)
    if (is_gone (task, levels, i))
      levels[i] = (guint8) ((const SynthSite *) task->sites->pdata[i])->own;
}

static void decide (Relax *relax, guint8 *levels) {
  tidy (relax->task, levels);
  if (relax->good->len && !is_as_good (relax, levels)) {
    strengthen (relax, levels);
    keep (relax, relax->different, levels);
    return;
  }
  weaken (relax, levels);
  tidy (relax->task, levels);
  keep (relax, relax->good, levels);
}

/* All maximal versions. The first version that is undecided is the test itself, which is as good as
 * itself. */
static void search (Relax *relax) {
  guint8 *own = rsp_synth_own_levels (relax->task->sites),
         *levels = rsp_synth_own_levels (relax->task->sites);
  gsize n = relax->task->sites->len;
  while (!relax->ended && find_undecided (relax, levels, 0)) {
    decide (relax, levels);
    memcpy (levels, own, n);
  }
  for (guint i = 0; i < relax->good->len; i++)
    if (memcmp (relax->good->pdata[i], own, n) != 0)
      synth_task_add (relax->task, relax->good->pdata[i]);
  g_free (levels);
  g_free (own);
}

gboolean rsp_synth_relax (SynthTask *task, RspDiagnostics *diagnostics) {
  Relax relax = { .task = task,
                  .good = g_ptr_array_new_with_free_func (g_free),
                  .different = g_ptr_array_new_with_free_func (g_free) };
  task->sites = rsp_synth_sites_find (task->program, SYNTH_WEAKER);
  task->complete = TRUE;
  task->own = &relax.own;
  guint8 *levels = rsp_synth_own_levels (task->sites);
  gboolean going_on = synth_task_check (task, levels, &relax.own);
  if (going_on && !relax.own.good) {
    rsp_error (diagnostics, task->program->threads[0].span, NULL,
               "test %s: the unmodified test cannot be checked", task->program->name);
    task->complete = going_on = FALSE;
  }
  task->all_flags = !relax.own.flagged; /* a weaker version raises none either */
  if (going_on)
    search (&relax);
  g_free (levels);
  g_free (relax.own.states);
  g_ptr_array_unref (relax.good);
  g_ptr_array_unref (relax.different);
  task->own = NULL;
  synth_task_sort (task, FALSE);
  return task->complete;
}
