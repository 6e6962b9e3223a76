#include "enumerator/search/symmetry.h"
#include "parser/scopes.h"

#include <string.h>

/* ---- Which threads are exchangeable ---- */

static gboolean same_code (const RspThread *a, const RspThread *b) {
  if (strcmp (a->raw, b->raw) != 0 || a->n_parameters != b->n_parameters
      || a->n_registers != b->n_registers)
    return FALSE;
  for (guint i = 0; i < a->n_parameters; i++)
    if (strcmp (a->parameters[i].name, b->parameters[i].name) != 0
        || strcmp (a->parameters[i].normalised, b->parameters[i].normalised) != 0)
      return FALSE;
  for (guint i = 0; i < a->n_registers; i++)
    if (strcmp (a->registers[i].name, b->registers[i].name) != 0
        || a->registers[i].initial != b->registers[i].initial)
      return FALSE;
  return TRUE;
}

void symmetry_same_code (const RspProgram *program, guint *like) {
  for (guint i = 0; i < program->n_threads; i++) {
    like[i] = i;
    for (guint j = 0; j < i && like[i] == i; j++)
      if (like[j] == j && same_code (&program->threads[i], &program->threads[j]))
        like[i] = j;
  }
}

/* Is the scope tree the same with two threads swapped? It is if every other thread shares a node
 * with both or with neither, at every level. */
static gboolean swap_keeps_tree (const RspProgram *program, guint a, guint b) {
  const RspThread *threads = program->threads;
  for (guint level = 0; level < RSP_N_LEVELS; level++)
    for (guint i = 0; i < program->n_threads; i++)
      if (i != a && i != b
          && rsp_threads_share (&threads[i], &threads[a], level)
                 != rsp_threads_share (&threads[i], &threads[b], level))
        return FALSE;
  return TRUE;
}

/* Is neither thread in a pair of ssw, which would have to be swapped too? */
static gboolean swap_keeps_ssw (const RspProgram *program, guint a, guint b) {
  for (guint i = 0; i < program->n_ssw; i++) {
    const RspThreadPair *pair = &program->ssw[i];
    if (pair->from == a || pair->from == b || pair->to == a || pair->to == b)
      return FALSE;
  }
  return TRUE;
}

/* The observable of the same register of another thread, or G_MAXUINT. */
static guint counterpart (const RspProgram *program, const RspObservable *observable,
                          guint thread) {
  for (guint i = 0; i < program->n_observables; i++) {
    const RspObservable *other = &program->observables[i];
    if (other->is_register && other->thread == thread && other->reg == observable->reg)
      return i;
  }
  return G_MAXUINT;
}

static gboolean same_observables (const RspProgram *program, guint a, guint b) {
  for (guint i = 0; i < program->n_observables; i++) {
    const RspObservable *observable = &program->observables[i];
    if (!observable->is_register || (observable->thread != a && observable->thread != b))
      continue;
    guint other = observable->thread == a ? b : a;
    if (counterpart (program, observable, other) == G_MAXUINT)
      return FALSE;
  }
  return TRUE;
}

gboolean symmetry_allows (const RspProgram *program, guint a, guint b) {
  return swap_keeps_ssw (program, a, b) && same_observables (program, a, b);
}

gboolean symmetry_find (const RspProgram *program, guint *class) {
  gboolean any = FALSE;
  for (guint i = 0; i < program->n_threads; i++) {
    class[i] = i;
    for (guint j = 0; j < i && class[i] == i; j++)
      if (class[j] == j && same_code (&program->threads[i], &program->threads[j])
          && swap_keeps_tree (program, i, j) && symmetry_allows (program, i, j))
        class[i] = j;
    any |= class[i] != i;
  }
  return any;
}

/* ---- Which classes are ---- */

static guint next_member (const RspProgram *program, const guint *class, guint leader,
                          guint after) {
  for (guint t = after + 1; t < program->n_threads; t++)
    if (class[t] == leader)
      return t;
  return G_MAXUINT;
}

/* exchanged[t]: the thread that t is exchanged with, perhaps itself. FALSE if the classes are of
 * different sizes. */
static gboolean exchange_members (const RspProgram *program, const guint *class, guint a, guint b,
                                  guint *exchanged) {
  guint x = a, y = b;
  for (guint t = 0; t < program->n_threads; t++)
    exchanged[t] = t;
  while (x != G_MAXUINT && y != G_MAXUINT) {
    exchanged[x] = y;
    exchanged[y] = x;
    x = next_member (program, class, a, x);
    y = next_member (program, class, b, y);
  }
  return x == y;
}

static gboolean exchange_keeps_tree (const RspProgram *program, const guint *exchanged) {
  const RspThread *threads = program->threads;
  for (guint level = 0; level < RSP_N_LEVELS; level++)
    for (guint s = 0; s < program->n_threads; s++)
      for (guint t = 0; t < s; t++)
        if (rsp_threads_share (&threads[s], &threads[t], level)
            != rsp_threads_share (&threads[exchanged[s]], &threads[exchanged[t]], level))
          return FALSE;
  return TRUE;
}

static gboolean are_exchangeable (const RspProgram *program, const guint *class, guint a, guint b) {
  g_autofree guint *exchanged = g_new (guint, program->n_threads + 1);
  if (!same_code (&program->threads[a], &program->threads[b])
      || !exchange_members (program, class, a, b, exchanged)
      || !exchange_keeps_tree (program, exchanged))
    return FALSE;
  for (guint t = 0; t < program->n_threads; t++)
    if (exchanged[t] > t
        && (!swap_keeps_ssw (program, t, exchanged[t])
            || !same_observables (program, t, exchanged[t])))
      return FALSE;
  return TRUE;
}

void symmetry_find_blocks (const RspProgram *program, const guint *class, guint *block) {
  for (guint t = 0; t < program->n_threads; t++) {
    block[t] = class[t] == t ? t : program->n_threads + 1 + t;
    for (guint s = 0; s < t && block[t] == t; s++)
      if (block[s] == s && are_exchangeable (program, class, s, t))
        block[t] = s;
  }
}

guint symmetry_previous (const guint *class, guint thread) {
  for (guint i = thread; i-- > 0;)
    if (class[i] == class[thread])
      return i;
  return G_MAXUINT;
}

/* ---- Distributing states to all arrangements ---- */

typedef struct Spread {
  const RspProgram *program;
  const guint *class;
  const guint *chosen; /* the combination that was searched */
  guint *source;       /* per thread: the searched thread whose role it takes */
  gboolean *taken;     /* per searched thread */
  RspBudget *budget;
  const RspTally *from;
  RspTally *to;
} Spread;

/* Adds the states with each thread in the role of its source. */
static void add_renamed (const Spread *spread) {
  const RspProgram *program = spread->program;
  g_autofree guint *where = g_new (guint, program->n_observables + 1);
  for (guint i = 0; i < program->n_observables; i++) {
    const RspObservable *observable = &program->observables[i];
    where[i] = observable->is_register
                   ? counterpart (program, observable, spread->source[observable->thread])
                   : i;
  }
  tally_add_renamed (spread->to, spread->from, where);
}

/* Assigns paths to the threads from `thread` on. Among searched threads of a class with the same
 * path only the first one not taken is tried, so that every arrangement occurs once. */
static void deal (Spread *spread, guint thread) {
  rsp_budget_limit_part (spread->budget, tally_size (spread->to));
  if (rsp_budget_is_exhausted (spread->budget))
    return;
  if (thread == spread->program->n_threads) {
    add_renamed (spread);
    return;
  }
  guint last_path = G_MAXUINT;
  for (guint i = 0; i < spread->program->n_threads; i++) {
    if (spread->class[i] != spread->class[thread] || spread->taken[i]
        || spread->chosen[i] == last_path)
      continue;
    last_path = spread->chosen[i];
    spread->taken[i] = TRUE;
    spread->source[thread] = i;
    deal (spread, thread + 1);
    spread->taken[i] = FALSE;
  }
}

void symmetry_spread (const RspProgram *program, const guint *class, const guint *chosen,
                      RspBudget *budget, const RspTally *from, RspTally *to) {
  g_autofree guint *source = g_new0 (guint, program->n_threads);
  g_autofree gboolean *taken = g_new0 (gboolean, program->n_threads);
  Spread spread = { .program = program,
                    .class = class,
                    .chosen = chosen,
                    .source = source,
                    .taken = taken,
                    .budget = budget,
                    .from = from,
                    .to = to };
  deal (&spread, 0);
}
