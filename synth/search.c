#include "synth/search.h"

#include "enumerator/shapes/judge_pool.h"
#include "synth/kept.h"
#include "synth/programs/count.h"

/* One thread's part of a size. Blocks are distributed over the shares, and those of a share over
 * its threads, so that the contents of a share do not depend on the number of threads. */
typedef struct Worker {
  SynthSearch *search;
  guint events, number; /* number: among the threads, from 0 */
  guint sought;
  SynthKept *kept;
  GPtrArray *blocks; /* shared: per block, GPtrArray of SynthFinding; by number; NULL: not there */
  GMutex *lock;
  RspDiagnostics *diagnostics;
  guint64 index; /* of the shape that comes next */
  SynthWork work;
  double programs;
  gboolean counts; /* adds up programs: one part does */
  gint64 reported; /* when progress was last reported */
  gint64 start;
  double total;    /* shapes of the size, where they are known */
  gint *elsewhere; /* NULL; of a scout: kinds that other shares have, as bits, shared by its threads
                    */
} Worker;

/* ---- Limits ---- */

static gsize bytes_of (const GPtrArray *found) {
  return found->len * (sizeof (SynthFinding) + sizeof (gpointer));
}

static gboolean is_exhausted (Worker *part) {
  SynthSearch *search = part->search;
  if (!rsp_budget_affords (&search->budget, bytes_of (part->work.found))
      || rsp_budget_is_exhausted (&search->budget))
    g_atomic_int_set (search->stop, 1);
  return g_atomic_int_get (search->stop) != 0;
}

/* ---- One part ---- */

static void report_progress (Worker *part) {
  gint64 now = g_get_monotonic_time ();
  SynthSearch *search = part->search;
  if (!search->progress || part->number != 0 || now - part->reported < 200000)
    return;
  part->reported = now;
  search->progress (search->data, part->events,
                    part->total ? (double) part->index / part->total : 0,
                    (double) (now - part->start) / 1e6);
}

static gboolean is_own (const Worker *part, guint64 block) {
  const SynthSearch *search = part->search;
  if (part->elsewhere)
    return block % search->shares != search->share && block % search->jobs == part->number;
  return block % search->shares == search->share
         && block / search->shares % search->jobs == part->number;
}

/* A scout's findings are not saved, since they are not all of the block's. */
static void note_kinds (Worker *part) {
  GPtrArray *found = part->work.found;
  for (guint i = 0; i < found->len; i++)
    g_atomic_int_or (part->elsewhere, ((const SynthFinding *) found->pdata[i])->kinds);
  g_ptr_array_set_size (found, 0);
}

static void keep_block (Worker *part, guint64 block) {
  GPtrArray *found = part->work.found;
  part->work.found = g_ptr_array_new_with_free_func ((GDestroyNotify) synth_finding_free);
  g_mutex_lock (part->lock);
  if (part->blocks->len <= block)
    g_ptr_array_set_size (part->blocks, (gint) block + 1);
  if (part->kept)
    synth_kept_add (part->kept, part->events, part->sought, block, found);
  part->blocks->pdata[block] = found;
  rsp_budget_charge (&part->search->budget, (gssize) bytes_of (found));
  g_mutex_unlock (part->lock);
}

static gboolean is_done (Worker *part, guint64 block) {
  g_mutex_lock (part->lock);
  gboolean done = block < part->blocks->len && part->blocks->pdata[block];
  g_mutex_unlock (part->lock);
  return done;
}

static void end_block (Worker *part, guint64 block) {
  if (!part->elsewhere && is_own (part, block) && !is_done (part, block))
    keep_block (part, block);
}

static gboolean visit_shape (gpointer data, const RspShape *shape, const SynthSymmetry *symmetries,
                             guint n_symmetries) {
  Worker *part = data;
  guint64 index = part->index++, block = index / SYNTH_BLOCK;
  if (index % SYNTH_BLOCK == 0 && index)
    end_block (part, block - 1);
  if (part->counts)
    part->programs += synth_shape_programs (part->search->space, shape, symmetries, n_symmetries);
  report_progress (part);
  if (is_exhausted (part))
    return FALSE;
  if (!is_own (part, block) || is_done (part, block))
    return TRUE;
  if (part->elsewhere)
    part->work.sought = part->sought & ~(guint) g_atomic_int_get (part->elsewhere);
  if (!part->work.sought)
    return FALSE;
  gboolean done = part->search->question->search (&part->work, shape, symmetries, n_symmetries);
  if (part->work.failed)
    g_atomic_int_set (part->search->stop, 1);
  if (part->elsewhere)
    note_kinds (part);
  return done && !synth_target_is_enough (&part->work);
}

/* Do combinations of events come back? Without dependencies each shape is judged once. */
static gboolean judges_again (const SynthSearch *search) {
  return search->space->dependencies || search->question->n_models == 1;
}

static gpointer run_part (gpointer data) {
  Worker *part = data;
  SynthSearch *search = part->search;
  part->work = (SynthWork){ .space = search->space,
                            .models = search->models,
                            .n_models = search->n_models,
                            .stage = search->stage,
                            .target = search->target,
                            .diagnostics = part->diagnostics,
                            .pool = judges_again (search) ? rsp_judge_pool_new () : NULL,
                            .stop = search->stop,
                            .sought = part->sought };
  part->work.found = g_ptr_array_new_with_free_func ((GDestroyNotify) synth_finding_free);
  gboolean done = synth_shapes_each (search->space, part->events, visit_shape, part);
  if ((done || synth_target_is_enough (&part->work)) && part->index)
    end_block (part, (part->index - 1) / SYNTH_BLOCK);
  g_ptr_array_unref (part->work.found);
  rsp_judge_pool_free (part->work.pool);
  return NULL;
}

/* ---- One size ---- */

static gboolean count_shape (gpointer data, const RspShape *shape, const SynthSymmetry *symmetries,
                             guint n) {
  (void) shape;
  (void) symmetries;
  (void) n;
  ++*(double *) data;
  return TRUE;
}

static void free_block (gpointer block) {
  if (block)
    g_ptr_array_unref (block);
}

/* The findings of a block, which then has none. */
static void take_findings (SynthSearch *search, GPtrArray *found, SynthSize *size) {
  for (guint i = 0; i < found->len; i++) {
    SynthFinding *finding = found->pdata[i];
    size->found++;
    size->kinds |= finding->kinds;
    g_ptr_array_add (search->found, finding);
  }
  g_ptr_array_set_free_func (found, NULL);
  g_ptr_array_set_size (found, 0);
}

static void add_up (SynthSearch *search, const Worker *first, GPtrArray *blocks, SynthSize *size) {
  size->programs = first->programs;
  for (guint b = 0; b < blocks->len; b++)
    if (blocks->pdata[b])
      take_findings (search, blocks->pdata[b], size);
}

/* Runs a thread for each part but the first, and the first in this one. */
static void run_parts (SynthSearch *search, Worker *parts) {
  guint n = search->jobs;
  g_autofree GThread **threads = g_new0 (GThread *, n);
  for (guint i = 0; i < n; i++) {
    parts[i].diagnostics = rsp_diagnostics_new ();
    threads[i] = i ? g_thread_try_new ("synth", run_part, &parts[i], NULL) : NULL;
  }
  for (guint i = 0; i < n; i++) {
    if (threads[i])
      g_thread_join (threads[i]);
    else
      run_part (&parts[i]);
    search->complete &= !parts[i].work.failed;
    rsp_diagnostics_move (search->diagnostics, parts[i].diagnostics);
    rsp_diagnostics_free (parts[i].diagnostics);
  }
}

/* The kinds among those sought that the shares of others have at this size: the search of their
 * blocks ends as soon as there is one program of each. done: blocks whose findings are known. */
static guint kinds_elsewhere (SynthSearch *search, const Worker *done, guint sought) {
  gint found = 0;
  g_autofree Worker *scouts = g_new0 (Worker, search->jobs);
  for (guint i = 0; i < search->jobs; i++)
    scouts[i] = (Worker){ .search = search,
                          .events = done->events,
                          .number = i,
                          .sought = sought,
                          .blocks = done->blocks,
                          .lock = done->lock,
                          .elsewhere = &found };
  run_parts (search, scouts);
  return (guint) found;
}

/* If a search ends with the smallest programs, each share must know what the others find. */
static gboolean needs_elsewhere (const SynthSearch *search, guint events) {
  return search->shares > 1 && !search->all && !search->question->all_sizes
         && events < search->space->events;
}

static gboolean search_size (SynthSearch *search, SynthKept *kept, guint events, guint sought) {
  GMutex lock;
  double total = 0;
  gint64 start = g_get_monotonic_time ();
  SynthSize size = { .events = events };
  g_autofree Worker *parts = g_new0 (Worker, search->jobs);
  g_autoptr (GPtrArray) blocks = g_ptr_array_new_with_free_func (free_block);
  g_mutex_init (&lock);
  if (search->progress)
    synth_shapes_each (search->space, events, count_shape, &total);
  if (kept)
    synth_kept_take (kept, events, sought, blocks);
  for (guint i = 0; i < blocks->len; i++)
    if (blocks->pdata[i])
      rsp_budget_charge (&search->budget, (gssize) bytes_of (blocks->pdata[i]));
  for (guint i = 0; i < search->jobs; i++)
    parts[i] = (Worker){ .search = search,
                         .events = events,
                         .number = i,
                         .sought = sought,
                         .kept = kept,
                         .blocks = blocks,
                         .lock = &lock,
                         .counts = i == 0,
                         .start = start,
                         .total = total };
  run_parts (search, parts);
  add_up (search, &parts[0], blocks, &size);
  if (needs_elsewhere (search, events) && (sought & ~size.kinds))
    size.kinds |= kinds_elsewhere (search, &parts[0], sought & ~size.kinds);
  g_array_append_val (search->sizes, size);
  g_mutex_clear (&lock);
  return !g_atomic_int_get (search->stop);
}

/* ---- All sizes ---- */

/* Kinds that a smaller program shows are no longer searched for, unless all programs are requested.
 */
gboolean rsp_synth_search_run (SynthSearch *search) {
  guint sought = (1u << search->question->n_kinds) - 1;
  SynthKept *kept = NULL;
  search->found = g_ptr_array_new_with_free_func ((GDestroyNotify) synth_finding_free);
  search->sizes = g_array_new (FALSE, FALSE, sizeof (SynthSize));
  search->complete = TRUE;
  if (search->kept && !(kept = synth_kept_open (search->kept, search->key, search->diagnostics)))
    return FALSE;
  for (guint n = 1; n <= search->space->events && sought && search->complete; n++) {
    if (!search_size (search, kept, n, sought))
      search->complete = FALSE;
    if (!search->all && !search->question->all_sizes)
      sought &= ~g_array_index (search->sizes, SynthSize, search->sizes->len - 1).kinds;
  }
  gboolean good = synth_kept_close (kept, search->diagnostics);
  return good && rsp_diagnostics_count_errors (search->diagnostics) == 0;
}

void rsp_synth_search_clear (SynthSearch *search) {
  if (search->found)
    g_ptr_array_unref (search->found);
  if (search->sizes)
    g_array_unref (search->sizes);
}
