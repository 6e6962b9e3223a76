/* Options of a check, its outcome, and what schedulers promise. */
#include "enumerator/execution.h"
#include "enumerator/outcome.h"
#include "parser/program.h"

#include <string.h>

/* ---- Options -------------------------------------------------------------------------------- */

enum { DEFAULT_UNROLL = 2 };

/* Words by value, ending with NULL. -Wswitch reports a value that has no word. */
#define WORD(value, word) [RSPCHECK_##value] = word,

#define CASE(value, word) case RSPCHECK_##value:
#define WORDS(type, names, LIST)                                                                   \
  const char *const names[] = { LIST (WORD) NULL };                                                \
  G_GNUC_UNUSED static void names##_are_complete (type value) {                                    \
    switch (value) { LIST (CASE) break; }                                                          \
  }
#define ENGINES(X)                                                                                 \
  X (ENGINE_BOUNDED, "bounded")                                                                    \
  X (ENGINE_NAIVE, "naive") X (ENGINE_SAT, "sat") X (ENGINE_AUTO, "auto")
#define THROUGHS(X) X (THROUGH_NONE, "none") X (THROUGH_INVALID, "invalid") X (THROUGH_ALL, "all")
#define SPEEDS(X)   X (SPEED_EXACT, "false") X (SPEED_TRUE, "true") X (SPEED_FAST, "fast")
#define SPINS(X)    X (SPIN_ALL, "all") X (SPIN_LAST, "last")
#define SHOWS(X)                                                                                   \
  X (SHOW_NONE, "none")                                                                            \
  X (SHOW_ALL, "all")                                                                              \
  X (SHOW_PROP, "prop")                                                                            \
  X (SHOW_NEG, "neg") X (SHOW_WIT, "wit") X (SHOW_COND, "cond") X (SHOW_FLAG, "flag")

WORDS (RspcheckEngine, rsp_engine_names, ENGINES)

WORDS (RspcheckThrough, rsp_through_names, THROUGHS)

WORDS (RspcheckSpeed, rsp_speed_names, SPEEDS)

WORDS (RspcheckSpin, rsp_spin_names, SPINS)

WORDS (RspcheckShow, rsp_show_names, SHOWS)

void rsp_check_options_init (RspCheckOptions *options) {
  *options = (RspCheckOptions){ .unroll = DEFAULT_UNROLL, .jobs = 1 };
}

gboolean rsp_cas_writes_back (RspcheckCasWriteback choice, gboolean by_default) {
  return choice == RSPCHECK_CAS_WRITEBACK_DEFAULT ? by_default
                                                  : choice == RSPCHECK_CAS_WRITEBACK_ALWAYS;
}

RspCheckOptions rsp_check_options_rest (const RspCheckOptions *options, double spent) {
  RspCheckOptions rest = *options;
  if (rest.timeout > 0)
    rest.timeout = MAX (rest.timeout - spent, 1e-6); /* 0 would mean no limit */
  return rest;
}

/* ---- Outcome -------------------------------------------------------------------------------- */

void rsp_outcome_free (RspOutcome *outcome) {
  if (!outcome)
    return;
  g_free (outcome->numbers);
  rsp_arena_free (outcome->arena);
  g_free (outcome);
}

void rsp_outcome_format_value (const RspOutcome *outcome, const RspStateCount *state, guint i,
                               GString *out) {
  const RspProgram *program = outcome->program;
  const RspObservable *observable = &program->observables[outcome->printed[i]];
  rsp_value_format (program, rsp_observable_type (program, observable),
                    rsp_outcome_value (outcome, state, i), out);
}

void rsp_statistics_add (RspStatistics *to, const RspStatistics *from) {
#define COUNT(name)    to->name += from->name;
#define INTERNAL(name) to->name += from->name;
#define SECONDS(name)  to->name += from->name;
#include "enumerator/statistics.def"
}

/* ---- Progress ------------------------------------------------------------------------------- */

static const char *const promise_words[RSP_N_PROMISES] = {
#define RSP_PROGRESS(id, word, runs, whom) [RSP_PROMISE_##id] = word,
#include "enumerator/progress.def"
};

const char *const rsp_promise_texts[RSP_N_PROMISES] = {
#define RSP_PROGRESS(id, word, runs, whom) [RSP_PROMISE_##id] = whom,
#include "enumerator/progress.def"
};

/* Threads, or nodes of a level, that are run again and again. */
enum {
  RUNS_STARTED = 1,       /* those that have made a step */
  RUNS_LOWEST = 2,        /* of those that have not ended, the one with the lowest id */
  RUNS_BELOW_STARTED = 4, /* those with a lower id than one that has made a step */
  RUNS_ALL = 8
};

static const guint8 runs[RSP_N_PROMISES] = {
#define RSP_PROGRESS(id, word, runs, whom) [RSP_PROMISE_##id] = runs,
#include "enumerator/progress.def"
};

#define THREAD_WORD "wi"

/* ---- Text ---- */
/* "wg" and the like, or "wi"; RSP_LEVEL_SYSTEM if it is none. */
static RspLevel parse_level (const char *word) {
  if (strcmp (word, THREAD_WORD) == 0)
    return RSP_LEVEL_THREAD;
  for (guint i = 0; i < RSP_N_LEVELS; i++)
    if (!rsp_levels[i].own && strcmp (rsp_levels[i].short_word, word) == 0)
      return (RspLevel) i;
  return RSP_LEVEL_SYSTEM;
}

gboolean rsp_progress_parse (const char *text, RspProgress *progress) {
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  *progress = (RspProgress){ { 0 } };
  for (guint i = 0; parts[i]; i++) {
    const char *equals = strchr (parts[i], '=');
    g_autofree char *word
        = equals ? g_strndup (parts[i], (gsize) (equals - parts[i])) : g_strdup (THREAD_WORD);
    RspLevel level = parse_level (word);
    guint promise = RSP_PROMISE_NONE + 1;
    while (promise < RSP_N_PROMISES
           && strcmp (promise_words[promise], equals ? equals + 1 : parts[i]) != 0)
      promise++;
    if (level == RSP_LEVEL_SYSTEM || progress->promise[level] || promise == RSP_N_PROMISES)
      return FALSE;
    progress->promise[level] = (RspPromise) promise;
  }
  if (!progress->promise[RSP_LEVEL_THREAD])
    progress->promise[RSP_LEVEL_THREAD] = RSP_PROMISE_FAIR;
  return parts[0] != NULL;
}

char *rsp_progress_hint (void) {
  GString *text = g_string_new ("models are ");
  for (guint i = RSP_PROMISE_NONE + 1; i < RSP_N_PROMISES; i++)
    g_string_append_printf (text, "%s, ", promise_words[i]);
  g_string_append (text, "and all; levels ");
  for (guint i = 0; i < RSP_N_LEVELS; i++)
    if (parse_level (rsp_levels[i].short_word) < RSP_LEVEL_THREAD)
      g_string_append_printf (text, "%s, ", rsp_levels[i].short_word);
  g_string_append (text, "and " THREAD_WORD ", each once");
  return g_string_free (text, FALSE);
}

void rsp_progress_append (GArray *models, const RspProgress *progress) {
  for (guint i = 0; i < models->len; i++)
    if (memcmp (&g_array_index (models, RspProgress, i), progress, sizeof *progress) == 0)
      return;
  g_array_append_val (models, *progress);
}

void rsp_progress_append_all (GArray *models) {
  RspProgress progress = { { 0 } };
  for (guint i = RSP_PROMISE_NONE + 1; i < RSP_N_PROMISES; i++) {
    progress.promise[RSP_LEVEL_THREAD] = (RspPromise) i;
    rsp_progress_append (models, &progress);
  }
}

char *rsp_progress_format (const RspProgress *progress) {
  GString *text = g_string_new (NULL);
  for (guint level = 0; level < RSP_N_LEVELS; level++)
    if (progress->promise[level])
      g_string_append_printf (text, "%s=%s,", rsp_levels[level].short_word,
                              promise_words[progress->promise[level]]);
  if (text->len)
    g_string_append (text, THREAD_WORD "=");
  g_string_append (text, promise_words[progress->promise[RSP_LEVEL_THREAD]]);
  return g_string_free (text, FALSE);
}

/* ---- What it permits ---- */
gboolean rsp_progress_is_stronger (const RspProgress *progress, const RspProgress *other) {
  gboolean more = FALSE;
  for (guint level = 0; level <= RSP_LEVEL_THREAD; level++) {
    RspPromise a = progress->promise[level], b = other->promise[level];
    if (!a != !b || (runs[b] & ~runs[a]))
      return FALSE;
    more |= a != b;
  }
  return more;
}

gboolean rsp_progress_is_symmetric (const RspProgress *progress) {
  for (guint level = 0; level <= RSP_LEVEL_THREAD; level++)
    if (!(runs[progress->promise[level]] & RUNS_ALL)
        && (runs[progress->promise[level]] & (RUNS_LOWEST | RUNS_BELOW_STARTED)))
      return FALSE;
  return TRUE;
}

gboolean rsp_progress_has_levels (const RspProgress *progress) {
  for (guint level = 0; level < RSP_LEVEL_THREAD; level++)
    if (progress->promise[level])
      return TRUE;
  return FALSE;
}

RspFate rsp_progress_fate (const RspPath *path) {
  switch (path->end) {
  case RSP_PATH_STUCK:
    return RSP_FATE_UNENDING;
  case RSP_PATH_BLOCKED:
    return RSP_FATE_WAITING;
  case RSP_PATH_STOPPED:
    return path->n_events ? RSP_FATE_STOPPED : RSP_FATE_UNSTARTED;
  default:
    return RSP_FATE_ENDED;
  }
}

gboolean rsp_progress_may_not_start (const RspProgress *progress) {
  for (guint level = 0; level <= RSP_LEVEL_THREAD; level++)
    if (progress->promise[level] && !(runs[progress->promise[level]] & RUNS_ALL))
      return TRUE;
  return FALSE;
}

gboolean rsp_progress_may_stop (const RspProgress *progress) {
  for (guint level = 0; level <= RSP_LEVEL_THREAD; level++)
    if (progress->promise[level] && !(runs[progress->promise[level]] & RUNS_STARTED))
      return TRUE;
  return FALSE;
}

typedef struct Question {
  const RspProgress *progress;
  const RspProgram *program;
  const RspFate *fates;
} Question;

/* A node of the tree: the threads that share it with `thread`, its first. */
typedef struct Node {
  RspLevel level;
  guint thread;
} Node;

static gboolean is_inside (const Question *q, Node node, guint thread) {
  if (node.level == RSP_LEVEL_SYSTEM)
    return TRUE;
  if (node.level == RSP_LEVEL_THREAD)
    return thread == node.thread;
  return rsp_threads_share (&q->program->threads[thread], &q->program->threads[node.thread],
                            node.level);
}

/* May a thread make a step, has one made one, does one run for ever? */
typedef struct Summary {
  gboolean steps, started, runs;
} Summary;

static Summary summarize (const Question *q, Node node) {
  Summary summary = { 0 };
  for (guint t = 0; t < q->program->n_threads; t++)
    if (is_inside (q, node, t)) {
      summary.steps |= q->fates[t] != RSP_FATE_ENDED && q->fates[t] != RSP_FATE_WAITING;
      summary.started |= q->fates[t] != RSP_FATE_UNSTARTED;
      summary.runs |= q->fates[t] == RSP_FATE_UNENDING;
    }
  return summary;
}

static gboolean is_obliged (const Question *q, Node parent, Node node, Summary summary,
                            gboolean is_lowest) {
  guint whom = runs[q->progress->promise[node.level]];
  /* Siblings with higher ids that have made a step; ids are those of the nodes' first threads. */
  gboolean below = FALSE;
  for (guint t = node.thread + 1; t < q->program->n_threads; t++)
    below |= is_inside (q, parent, t) && q->fates[t] != RSP_FATE_UNSTARTED;
  return (whom & RUNS_ALL) || ((whom & RUNS_LOWEST) && is_lowest)
         || ((whom & RUNS_STARTED) && summary.started) || ((whom & RUNS_BELOW_STARTED) && below);
}

/* In a node that is run for ever, are all that must be? */
static gboolean keeps_promises (const Question *q, Node parent) {
  if (parent.level == RSP_LEVEL_THREAD)
    return TRUE;
  /* The level of the nodes that are scheduled within a node. */
  guint below = parent.level == RSP_LEVEL_SYSTEM ? 0 : parent.level + 1;
  while (!q->progress->promise[below])
    below++;
  RspLevel level = (RspLevel) below;
  gboolean lowest = TRUE; /* has none come yet that may make a step? */
  for (guint t = 0; t < q->program->n_threads; t++) {
    Node node = { level, t };
    guint first = level == RSP_LEVEL_THREAD ? t : 0; /* of the node's threads */
    while (first < t && !is_inside (q, node, first))
      first++;
    if (!is_inside (q, parent, t) || first != t)
      continue;
    Summary summary = summarize (q, node);
    if (!summary.steps)
      continue;
    if (!summary.runs && is_obliged (q, parent, node, summary, lowest))
      return FALSE;
    lowest = FALSE;
    if (summary.runs && !keeps_promises (q, node))
      return FALSE;
  }
  return TRUE;
}

gboolean rsp_progress_permits (const RspProgress *progress, const RspProgram *program,
                               const RspFate *fates) {
  Question q = { progress, program, fates };
  Node all = { RSP_LEVEL_SYSTEM, 0 };
  Summary summary = summarize (&q, all);
  gboolean waits = FALSE;
  for (guint t = 0; t < program->n_threads; t++)
    waits |= fates[t] == RSP_FATE_WAITING;
  return (summary.steps ? summary.runs : waits) && keeps_promises (&q, all);
}
