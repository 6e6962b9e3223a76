#include "enumerator/search/screen/screen.h"
#include "enumerator/search/screen/interleave.h"
#include "enumerator/search/screen/proof.h"

enum
{
  MAX_PATHS
  = 4096, /* limits of paths of all threads and of the size of their terms: larger programs are not
           * screened */
  MAX_TERM = 1000
};

struct RspScreen
{
  const RspProgram *program;
  const RspModel *model;
  const RspCheckOptions *options;
  GPtrArray *const *paths;
  RspBudget *budget;
  RspArena *arena;
  gint wait; /* atomic: number of combinations without an execution still needed */
  gboolean ready;
  guint n_locations; /* number of coherent locations */
  guint *locations;
  Projection **projections; /* per coherent location and thread: per path */
  Interleaver *interleaver;
};

RspScreen *
screen_new (const RspProgram *program, const RspModel *model, const RspCheckOptions *options,
            guint after, GPtrArray *const *paths, RspBudget *budget)
{
  RspScreen *screen = g_new0 (RspScreen, 1);
  *screen = (RspScreen){ .program = program,
                         .model = model,
                         .options = options,
                         .paths = paths,
                         .budget = budget,
                         .arena = rsp_arena_new_within (budget),
                         .wait = (gint) after };
  return screen;
}

void
screen_free (RspScreen *screen)
{
  if (!screen)
    return;
  if (screen->interleaver)
    interleaver_free (screen->interleaver);
  rsp_arena_free (screen->arena);
  g_free (screen);
}

static void
project (RspScreen *screen)
{
  guint n = screen->program->n_threads, max_events = 0;
  screen->projections = rsp_arena_new0 (screen->arena, Projection *, screen->n_locations * n + 1);
  for (guint l = 0; l < screen->n_locations; l++)
    for (guint t = 0; t < n; t++)
      {
        Projection *own = rsp_arena_new0 (screen->arena, Projection, screen->paths[t]->len + 1);
        screen->projections[l * n + t] = own;
        for (guint i = 0; i < screen->paths[t]->len; i++)
          {
            const RspPath *path = screen->paths[t]->pdata[i];
            if (rsp_budget_is_exhausted (screen->budget))
              break;
            max_events = MAX (max_events, path->n_events);
            projection_init (&own[i], path, screen->locations[l], screen->arena);
          }
      }
  screen->interleaver = interleaver_new (n, max_events, screen->arena);
}

static gboolean
is_small (const RspPath *path)
{
  for (guint i = 0; i < path->n_constraints; i++)
    if (path->constraints[i].term->size > MAX_TERM)
      return FALSE;
  for (guint e = 0; e < path->n_events; e++)
    if (path->events[e].written && path->events[e].written->size > MAX_TERM)
      return FALSE;
  return TRUE;
}

static gboolean
are_small (const RspScreen *screen)
{
  guint n = 0;
  for (guint t = 0; t < screen->program->n_threads; t++)
    for (guint i = 0; i < screen->paths[t]->len; i++)
      if (++n > MAX_PATHS || !is_small (screen->paths[t]->pdata[i]))
        return FALSE;
  return TRUE;
}

static void
prepare (RspScreen *screen)
{
  screen->ready = TRUE;
  if (screen->program->language->partial_co || !are_small (screen))
    return; /* the proof is about total orders of writes */
  RspStageOptions options = { .skipped_checks = screen->options->skipped_checks };
  Proof *proof
      = proof_new (screen->program, screen->model, &options, screen->paths, screen->budget);
  screen->locations = rsp_arena_new0 (screen->arena, guint, screen->program->n_locations + 1);
  for (guint l = 0; l < screen->program->n_locations; l++)
    if (proof_of_coherence (proof, l))
      screen->locations[screen->n_locations++] = l;
  proof_free (proof);
  project (screen);
}

void
screen_note_empty (RspScreen *screen)
{
  g_atomic_int_add (&screen->wait, -1);
}

gboolean
screen_admits (RspScreen *screen, const guint *numbers)
{
  if (g_atomic_int_get (&screen->wait) > 0)
    return TRUE;
  if (!screen->ready)
    prepare (screen);
  guint n = screen->program->n_threads;
  const Projection *threads[n + 1];
  for (guint l = 0; l < screen->n_locations; l++)
    {
      for (guint t = 0; t < n; t++)
        threads[t] = &screen->projections[l * n + t][numbers[t]];
      RspValue initial = { .bits = screen->program->locations[screen->locations[l]].initial };
      if (!interleaver_finds (screen->interleaver, threads, initial))
        return FALSE;
    }
  return TRUE;
}
