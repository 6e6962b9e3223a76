#include "enumerator/search/screen/screen.h"
#include "base/truth.h"
#include "enumerator/search/screen/interleave.h"
#include "enumerator/search/screen/proof.h"

enum {
  MAX_PATHS = 4096, /* limits of paths of all threads and of the size of their terms: larger
                     * programs are not screened */
  MAX_TERM = 1000,
  QUESTIONS = 4 /* about updates that take about as long as the search of a combination */
};

struct RspScreen {
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
  gint after;       /* questions about updates before they are answered */
  gint n_questions; /* atomic: such questions */
  gint *follows;    /* atomic, per location: RspTruth of the answer; RSP_OPEN: not tried */
  GMutex lock;      /* of the proof */
  Proof *proof;     /* NULL: not begun */
};

RspScreen *screen_new (const RspProgram *program, const RspModel *model,
                       const RspCheckOptions *options, guint after, GPtrArray *const *paths,
                       RspBudget *budget) {
  RspScreen *screen = g_new0 (RspScreen, 1);
  *screen = (RspScreen){ .program = program,
                         .model = model,
                         .options = options,
                         .paths = paths,
                         .budget = budget,
                         .arena = rsp_arena_new_within (budget),
                         .after = (gint) (after - 1) * QUESTIONS,
                         .wait = (gint) after };
  screen->follows = rsp_arena_new0 (screen->arena, gint, program->n_locations + 1);
  g_mutex_init (&screen->lock);
  return screen;
}

void screen_free (RspScreen *screen) {
  if (!screen)
    return;
  if (screen->interleaver)
    interleaver_free (screen->interleaver);
  if (screen->proof)
    proof_free (screen->proof);
  g_mutex_clear (&screen->lock);
  rsp_arena_free (screen->arena);
  g_free (screen);
}

static void project (RspScreen *screen) {
  guint n = screen->program->n_threads, max_events = 0;
  screen->projections = rsp_arena_new0 (screen->arena, Projection *, screen->n_locations * n + 1);
  for (guint l = 0; l < screen->n_locations; l++)
    for (guint t = 0; t < n; t++) {
      Projection *own = rsp_arena_new0 (screen->arena, Projection, screen->paths[t]->len + 1);
      screen->projections[l * n + t] = own;
      for (guint i = 0; i < screen->paths[t]->len; i++) {
        const RspPath *path = screen->paths[t]->pdata[i];
        if (rsp_budget_is_exhausted (screen->budget))
          break;
        max_events = MAX (max_events, path->n_events);
        projection_init (&own[i], path, screen->locations[l], screen->arena);
      }
    }
  screen->interleaver = interleaver_new (n, max_events, screen->arena);
}

static gboolean is_small (const RspPath *path) {
  for (guint i = 0; i < path->n_constraints; i++)
    if (path->constraints[i].term->size > MAX_TERM)
      return FALSE;
  for (guint e = 0; e < path->n_events; e++)
    if (path->events[e].written && path->events[e].written->size > MAX_TERM)
      return FALSE;
  return TRUE;
}

static gboolean are_small (const RspScreen *screen) {
  guint n = 0;
  for (guint t = 0; t < screen->program->n_threads; t++)
    for (guint i = 0; i < screen->paths[t]->len; i++)
      if (++n > MAX_PATHS || !is_small (screen->paths[t]->pdata[i]))
        return FALSE;
  return TRUE;
}

typedef gboolean (*ProofOf) (Proof *proof, guint location);

static gboolean is_proved (RspScreen *screen, ProofOf proof_of, guint location) {
  if (screen->program->language->partial_co || !are_small (screen))
    return FALSE; /* proofs are about total orders of writes */
  g_mutex_lock (&screen->lock);
  RspStageOptions options = { .skipped_checks = screen->options->skipped_checks };
  if (!screen->proof)
    screen->proof
        = proof_new (screen->program, screen->model, &options, screen->paths, screen->budget);
  gboolean proved = proof_of (screen->proof, location);
  g_mutex_unlock (&screen->lock);
  return proved;
}

static void prepare (RspScreen *screen) {
  screen->ready = TRUE;
  screen->locations = rsp_arena_new0 (screen->arena, guint, screen->program->n_locations + 1);
  for (guint l = 0; l < screen->program->n_locations; l++)
    if (is_proved (screen, proof_of_coherence, l))
      screen->locations[screen->n_locations++] = l;
  project (screen);
}

gboolean rsp_screen_updates_follow (RspScreen *screen, guint location) {
  RspTruth answer = (RspTruth) g_atomic_int_get (&screen->follows[location]);
  if (answer == RSP_OPEN && g_atomic_int_add (&screen->n_questions, 1) >= screen->after) {
    answer = rsp_truth (is_proved (screen, proof_of_adjacency, location));
    g_atomic_int_set (&screen->follows[location], (gint) answer);
  }
  return answer == RSP_HOLDS;
}

void screen_note_empty (RspScreen *screen) { g_atomic_int_add (&screen->wait, -1); }

gboolean screen_admits (RspScreen *screen, const guint *numbers) {
  if (g_atomic_int_get (&screen->wait) > 0)
    return TRUE;
  if (!screen->ready)
    prepare (screen);
  guint n = screen->program->n_threads;
  const Projection *threads[n + 1];
  for (guint l = 0; l < screen->n_locations; l++) {
    for (guint t = 0; t < n; t++)
      threads[t] = &screen->projections[l * n + t][numbers[t]];
    RspValue initial = { .bits = screen->program->locations[screen->locations[l]].initial };
    if (!interleaver_finds (screen->interleaver, threads, initial))
      return FALSE;
  }
  return TRUE;
}
