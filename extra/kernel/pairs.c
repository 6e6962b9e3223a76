/* Two work-items at a time, where the others cannot matter.
 *
 * If each work-item has one path that depends on nothing that is read, its events (accesses with
 * their places, orders and scopes, and barriers) are the same in all executions; only values
 * differ. Then what a model says about two of them follows from these two and from barriers:
 *
 *   Let A and B be accesses that program order and barriers do not order. Run, one event after
 *   the other, what must come before A or B, then A, then B, then the rest, each read returning the
 *   last value written. Nothing leads from A to B or back, so they race if they may. Conversely,
 *   what barriers order is ordered in every execution.
 *
 * Barriers join all work-items of a group, so that one between two of them is on the paths of both,
 * and the order within a pair is the same whoever else runs. So each pair is checked as a program
 * of its own, and of pairs that look alike only the first: the same events, at the same levels of
 * the scope tree, with the same accesses to common elements. Pairs without common elements are
 * alike but for barriers.
 *
 * Where nothing but barriers orders accesses, of a pair only some events are searched: those
 * accesses to common elements of which none before looks alike, one of each other look, and of the
 * barriers between two of these one of each kind. What orders two accesses is then there, and a
 * kernel with thousands of barriers costs as much as one with some. */
#include "enumerator/execution.h"
#include "enumerator/search/evidence.h"
#include "extra/kernel/internal.h"

#include <string.h>

enum {
  FEW_EVENTS = 1024,  /* of a program that is searched as a whole */
  MOST_BARRIERS = 64, /* of the text: bits of a set */
  NO_SHAPE = 0
};

const char *const kernel_pairs_words[] = { "auto", "always", "never", NULL };

/* An access of a thread, for lists by location. */
typedef struct Access {
  guint thread, event;
  gboolean writes;
} Access;

typedef struct Pairs {
  const RspKernel *kernel;
  const RspProgram *program;
  const RspModel *model;
  RspCheckOptions check;
  KernelPairs when;
  RspDiagnostics *diagnostics;
  RspBudget budget;
  RspArena *arena;
  RspTerms *terms;
  const RspPath **paths; /* per thread: its only one */
  guint *shapes;         /* per thread: a number for its events without their locations */
  guint *meetings;       /* the same, of its barriers */
  guint **looks;         /* per thread and event: the same of the event alone */
  guint **epochs;        /* the same: how many barriers came before */
  GArray **barriers;     /* per thread: of guint8, which ones it comes to */
  guint8 **firsts;       /* per thread and event: is it the first access of its look? */
  guint8 **kept;         /* the same: does a search of the pair need the access? */
  GHashTable *kinds;     /* look of a barrier -> its kind + 1 */
  gboolean is_ordered;   /* may anything besides barriers order accesses? */
  GHashTable *numbers;   /* RspHash -> shape */
  GArray **accesses;     /* per location: of Access, by thread */
  GHashTable *searched;  /* RspHash of what searched pairs had */
  guint8 *covered;       /* per shape: was it part of a searched pair? */
  RspOutcome *outcome;
  GPtrArray *evidence; /* of RspEvidence */
} Pairs;

/* ---- Proof ---------------------------------------------------------------------------------- */
/* The thread's only path; NULL: it has several, or it depends on what is read (at *why, if known).
 */
static const RspPath *only_path (Pairs *p, guint thread, RspSpan *why) {
  const RspPathOptions options = { .unroll = p->check.unroll,
                                   .cas_writeback = TRUE,
                                   .single = TRUE,
                                   .barriers = rsp_barriers_rules (p->model),
                                   .budget = &p->budget };
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  if (!rsp_paths_enumerate (p->program, thread, &options, p->terms, p->arena, paths, unheard)
      || !paths->len)
    return NULL;
  const RspPath *path = paths->pdata[0];
  /* The read that decides whether the path is taken. */
  g_autoptr (GArray) reads = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < path->n_constraints; i++)
    rsp_term_add_reads (path->constraints[i].term, reads);
  *why = reads->len ? path->events[g_array_index (reads, guint, 0)].span : RSP_NOWHERE;
  if (paths->len > 1 || path->n_constraints || path->n_free || path->n_mixed
      || (path->end != RSP_PATH_COMPLETE && path->end != RSP_PATH_FAILED))
    return NULL;
  for (guint i = 0; i < p->kernel->n_asserts && path->end == RSP_PATH_COMPLETE; i++) {
    const RspKernelAssert *own = &p->kernel->asserts[i];
    if (own->thread == thread && path->finals[own->reg]->kind != RSP_TERM_CONSTANT) {
      *why = own->span;
      return NULL;
    }
  }
  return path;
}

/* ---- What is alike -------------------------------------------------------------------------- */

static guint number_of (Pairs *p, RspHash hash) {
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (p->numbers, &hash));
  if (number == NO_SHAPE) {
    number = g_hash_table_size (p->numbers) + 1;
    g_hash_table_insert (p->numbers, g_memdup2 (&hash, sizeof hash), GUINT_TO_POINTER (number));
  }
  return number;
}

/* Hashes the event without its location; counted: with which barrier it is, and for which time. */
static void add_event (const RspProgram *program, const RspEvent *event, gboolean counted,
                       RspHash *hash) {
  const RspLocation *location
      = event->location == RSP_NO_LOCATION ? NULL : &program->locations[event->location];
  const guint64 words[] = { event->span.begin,
                            event->kind | (guint64) event->order << 8 | (guint64) event->scope << 16
                                | (guint64) event->meeting << 24 | (guint64) event->flags << 32,
                            event->is_atomic | (guint64) event->words << 32 | event->failed_rmw << 2
                                | event->no_result << 3 | event->rmw_half << 4,
                            counted && event->barrier ? g_str_hash (event->barrier) : 0,
                            counted ? event->barrier_count : 0,
                            location ? location->type.space | location->atomic << 8 : G_MAXUINT };
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    rsp_hash_word (hash, words[i]);
}

static void find_shapes (Pairs *p, guint thread) {
  const RspPath *path = p->paths[thread];
  RspHash all = RSP_HASH_BEGIN, meetings = RSP_HASH_BEGIN;
  p->looks[thread] = rsp_arena_new0 (p->arena, guint, path->n_events + 1);
  p->epochs[thread] = rsp_arena_new0 (p->arena, guint, path->n_events + 1);
  p->barriers[thread] = g_array_new (FALSE, FALSE, sizeof (guint8));
  p->firsts[thread] = rsp_arena_new0 (p->arena, guint8, path->n_events + 1);
  p->kept[thread] = rsp_arena_new0 (p->arena, guint8, path->n_events + 1);
  g_autoptr (GHashTable) looks = g_hash_table_new (NULL, NULL);
  for (guint e = 0; e < path->n_events; e++) {
    const RspEvent *event = &path->events[e];
    RspHash own = RSP_HASH_BEGIN;
    add_event (p->program, event, FALSE, &own);
    add_event (p->program, event, TRUE, &all);
    p->looks[thread][e] = number_of (p, own);
    p->epochs[thread][e] = p->barriers[thread]->len;
    p->firsts[thread][e] = event->location != RSP_NO_LOCATION
                           && g_hash_table_add (looks, GUINT_TO_POINTER (p->looks[thread][e]));
    if (event->location != RSP_NO_LOCATION) {
      const Access access = { thread, e, rsp_event_is_write (event) };
      GArray **list = &p->accesses[event->location];
      if (!*list)
        *list = g_array_new (FALSE, FALSE, sizeof access);
      g_array_append_val (*list, access);
    }
    p->is_ordered |= event->kind == RSP_EVENT_FENCE
                     || (event->is_atomic && event->order != RSP_ORDER_RELAXED);
    if (!rsp_event_is_arrival (event))
      continue;
    add_event (p->program, event, TRUE, &meetings);
    gpointer kind = g_hash_table_lookup (p->kinds, GUINT_TO_POINTER (p->looks[thread][e]));
    if (!kind) {
      kind = GUINT_TO_POINTER (g_hash_table_size (p->kinds) + 1);
      g_hash_table_insert (p->kinds, GUINT_TO_POINTER (p->looks[thread][e]), kind);
    }
    const guint8 bit = (guint8) (GPOINTER_TO_UINT (kind) % MOST_BARRIERS);
    p->is_ordered |= GPOINTER_TO_UINT (kind) >= MOST_BARRIERS;
    g_array_append_val (p->barriers[thread], bit);
  }
  p->shapes[thread] = number_of (p, all);
  p->meetings[thread] = number_of (p, meetings);
}

static void add_places (const Pairs *p, guint a, guint b, RspHash *hash) {
  for (guint level = 0; level < RSP_N_LEVELS; level++)
    rsp_hash_word (hash,
                   p->program->threads[a].place[level] == p->program->threads[b].place[level]);
}

static gboolean note (GHashTable *set, RspHash hash) {
  return g_hash_table_add (set, g_memdup2 (&hash, sizeof hash));
}

/* The barriers of a thread between two of its epochs, as a set of bits. */
static guint64 barriers_between (const Pairs *p, guint thread, guint from, guint to) {
  guint64 all = 0;
  for (guint i = from; i < to; i++)
    all |= G_GUINT64_CONSTANT (1) << g_array_index (p->barriers[thread], guint8, i);
  return all;
}

static gboolean same_value (const Pairs *p, guint a, guint e, guint b, guint k) {
  return rsp_evidence_is_same_value (&p->paths[a]->events[e], &p->paths[b]->events[k]);
}

/* Notes all that a model can distinguish of two accesses to a common element; TRUE: none before
 * were like them. joined: do both threads come to the same barriers? */
static gboolean note_common (Pairs *p, guint a, guint e, guint b, guint k, gboolean joined) {
  const guint i = p->epochs[a][e], j = p->epochs[b][k];
  RspHash hash = RSP_HASH_BEGIN;
  rsp_hash_word (&hash, p->looks[a][e]);
  rsp_hash_word (&hash, p->looks[b][k]);
  rsp_hash_word (&hash, same_value (p, a, e, b, k));
  add_places (p, a, b, &hash);
  if (joined) {
    rsp_hash_word (&hash, i < j ? 1 : i > j ? 2 : 3);
    rsp_hash_word (&hash, barriers_between (p, a, MIN (i, j), MAX (i, j)));
  }
  const gboolean is_new = note (p->searched, hash);
  p->kept[a][e] |= is_new;
  p->kept[b][k] |= is_new;
  return is_new;
}

static gboolean are_near (const Pairs *p, guint a, guint b) {
  return p->program->threads[a].place[RSP_LEVEL_WORK_GROUP]
         == p->program->threads[b].place[RSP_LEVEL_WORK_GROUP];
}

/* May anything but barriers to which both come order their accesses? */
static gboolean is_whole (const Pairs *p, guint a, guint b) {
  return p->is_ordered || (are_near (p, a, b) && p->meetings[a] != p->meetings[b]);
}

/* The same of all accesses of two threads. */
static gboolean note_pair (Pairs *p, guint a, guint b) {
  const gboolean near = are_near (p, a, b), whole = is_whole (p, a, b);
  gboolean any = FALSE;
  RspHash hash = RSP_HASH_BEGIN;
  rsp_hash_word (&hash, p->shapes[a]);
  rsp_hash_word (&hash, p->shapes[b]);
  add_places (p, a, b, &hash);
  for (guint e = 0; e < p->paths[a]->n_events; e++) {
    const RspEvent *event = &p->paths[a]->events[e];
    const GArray *list = event->location == RSP_NO_LOCATION ? NULL : p->accesses[event->location];
    for (guint i = 0; list && i < list->len; i++) {
      const Access *with = &g_array_index (list, Access, i);
      const guint k = with->event;
      if (with->thread != b || (!rsp_event_is_write (event) && !with->writes))
        continue;
      if (whole)
        rsp_hash_word (&hash, (guint64) e << 32 | k << 1 | same_value (p, a, e, b, k));
      else
        any |= note_common (p, a, e, b, k, near);
    }
  }
  return whole ? note (p->searched, hash) : any;
}

/* ---- One pair ------------------------------------------------------------------------------- */

/* Which of the thread's accesses and barriers are searched; newly allocated. marks: the epochs in
 * which either thread has such accesses. */
static guint8 *keep (Pairs *p, guint thread, const guint8 *marks) {
  const RspPath *path = p->paths[thread];
  guint8 *kept = g_memdup2 (p->kept[thread], path->n_events + 1);
  guint64 known = 0; /* kinds of barriers since the last mark */
  gboolean keeps = FALSE;
  for (guint e = 0; e < path->n_events; e++) {
    if (path->events[e].location != RSP_NO_LOCATION)
      continue; /* without fences, all others are parts of barriers */
    if (rsp_event_is_arrival (&path->events[e])) {
      const guint epoch = p->epochs[thread][e];
      const guint64 kind = barriers_between (p, thread, epoch, epoch + 1);
      known = marks[epoch] ? 0 : known;
      keeps = !(known & kind);
      known |= kind;
    }
    kept[e] = keeps;
  }
  memset (p->kept[thread], 0, path->n_events + 1);
  return kept;
}

/* Makes a search of both threads leave out what it does not need. */
static void reduce (Pairs *p, guint a, guint b, RspThread *threads) {
  const guint both[] = { a, b };
  g_autofree guint8 *marks = g_new0 (guint8, MAX (p->barriers[a]->len, p->barriers[b]->len) + 1);
  for (guint i = 0; i < 2; i++)
    for (guint e = 0; e < p->paths[both[i]]->n_events; e++) {
      p->kept[both[i]][e] |= p->firsts[both[i]][e];
      marks[p->epochs[both[i]][e]] |= p->kept[both[i]][e];
    }
  for (guint i = 0; i < 2; i++) {
    threads[i].kept = keep (p, both[i], marks);
    threads[i].n_kept = p->paths[both[i]]->n_events;
  }
}

/* The number of known evidence of the same flag on the same lines; G_MAXUINT: none. */
static guint find_known (const Pairs *p, const RspEvidence *own) {
  const RspEvidenceEvent *first = &g_array_index (own->events, RspEvidenceEvent, 0),
                         *last = first + own->events->len - 1;
  for (guint i = 0; i < p->evidence->len; i++)
    if (rsp_evidence_is_on (p->evidence->pdata[i], own->flag, first, last))
      return i;
  return G_MAXUINT;
}

/* Moves new evidence. That of writes of different values replaces that of writes of one value. */
static void add_evidence (Pairs *p, GPtrArray *evidence) {
  for (guint i = evidence->len; i-- > 0;) {
    const RspEvidence *own = evidence->pdata[i];
    const guint known = find_known (p, own);
    if (known == G_MAXUINT)
      continue;
    if (((const RspEvidence *) p->evidence->pdata[known])->same_value > own->same_value)
      g_ptr_array_remove_index (p->evidence, known);
    else
      g_ptr_array_remove_index (evidence, i);
  }
  if (!p->evidence->len) { /* both have the same free function */
    g_ptr_array_unref (p->evidence);
    p->evidence = evidence;
  } else
    g_ptr_array_extend_and_steal (p->evidence, evidence);
}

static gboolean search_pair (Pairs *p, guint a, guint b) {
  p->covered[p->shapes[a]] = p->covered[p->shapes[b]] = TRUE;
  RspProp any = { .kind = RSP_PROP_TRUE };
  RspThread threads[] = { p->program->threads[a], p->program->threads[b] };
  RspProgram program = *p->program;
  program.threads = threads;
  program.n_threads = 2;
  if (!is_whole (p, a, b))
    reduce (p, a, b, threads);
  program.observables = NULL;
  program.n_observables = 0;
  program.condition = &any;
  RspCheckOptions rest = p->check;
  if (p->budget.deadline)
    rest.timeout = MAX (1e-3, (double) (p->budget.deadline - g_get_monotonic_time ()) / 1e6);
  g_atomic_int_inc (&kernel_progress.searches);
  RspOutcome *own = rsp_check (&program, p->model, &rest, p->diagnostics);
  RspcheckStop stop;
  /* Adds the flags that are not yet raised. */
  RspOutcome *all = p->outcome;
  RspFlag *flags = rsp_arena_new0 (all->arena, RspFlag, all->n_flags + own->n_flags);
  if (all->n_flags)
    memcpy (flags, all->flags, sizeof (RspFlag) * all->n_flags);
  all->flags = flags;
  for (guint i = 0; i < own->n_flags; i++) {
    guint k = 0;
    while (k < all->n_flags && strcmp (flags[k].name, own->flags[i].name) != 0)
      k++;
    if (k < all->n_flags && (flags[k].raised || !own->flags[i].raised))
      continue;
    flags[k] = own->flags[i];
    flags[k].name = rsp_arena_strdup (all->arena, own->flags[i].name);
    flags[k].thread = own->program->threads[own->flags[i].thread].number;
    all->n_flags = MAX (all->n_flags, k + 1);
  }
  add_evidence (p, rsp_evidence_find_every_line (p->model, &rest, own, &stop));
  p->outcome->stop = own->stop != RSPCHECK_STOP_COMPLETE ? own->stop : stop;
  rsp_outcome_free (own);
  for (guint i = 0; i < 2; i++)
    g_free (threads[i].kept);
  return p->outcome->stop == RSPCHECK_STOP_COMPLETE;
}

/* ---- All pairs ------------------------------------------------------------------------------ */

/* Searches pairs with a common element that one of them writes. FALSE: it did not finish. */
static gboolean search_common (Pairs *p) {
  const guint n = p->program->n_threads;
  g_autofree guint *partner = g_new0 (guint, n);
  for (guint a = 0; a < n; a++) {
    if (rsp_budget_is_exhausted (&p->budget))
      return FALSE;
    for (guint e = 0; e < p->paths[a]->n_events; e++) {
      const RspEvent *event = &p->paths[a]->events[e];
      const GArray *list = event->location == RSP_NO_LOCATION ? NULL : p->accesses[event->location];
      for (guint i = 0; list && i < list->len; i++) {
        const Access *other = &g_array_index (list, Access, i);
        if (other->thread > a && (other->writes || rsp_event_is_write (event)))
          partner[other->thread] = a + 1;
      }
    }
    for (guint b = a + 1; b < n; b++)
      if (partner[b] == a + 1 && note_pair (p, a, b) && !search_pair (p, a, b))
        return FALSE;
  }
  return TRUE;
}

/* Searches one pair of each kind that is of one group and comes to different barriers, and one with
 * each kind of work-item that was in no pair. */
static gboolean search_others (Pairs *p) {
  const guint n = p->program->n_threads;
  g_autoptr (GArray) first = g_array_new (FALSE, FALSE, sizeof (guint)); /* of each kind */
  for (guint t = 0; t < n; t++) {
    const RspThread *own = &p->program->threads[t];
    gboolean known = FALSE;
    if (t && own->place[RSP_LEVEL_WORK_GROUP] != own[-1].place[RSP_LEVEL_WORK_GROUP])
      g_array_set_size (first, 0);
    for (guint i = 0; i < first->len; i++) {
      const guint other = g_array_index (first, guint, i);
      const gboolean same_sub_group = p->program->threads[other].place[RSP_LEVEL_SUB_GROUP]
                                      == own->place[RSP_LEVEL_SUB_GROUP];
      if (p->meetings[other] == p->meetings[t])
        known |= same_sub_group;
      else if (note_pair (p, other, t) && !search_pair (p, other, t))
        return FALSE;
    }
    if (!known)
      g_array_append_val (first, t);
  }
  for (guint t = 0; t < n; t++)
    if (!p->covered[p->shapes[t]] && !search_pair (p, 0, t ? t : n - 1))
      return FALSE;
  return TRUE;
}

/* ---- The outcome ---------------------------------------------------------------------------- */
/* Proves that pairs suffice, and makes the outcome; without a proof, there is none. */
static void search (Pairs *p, RspSpan *why) {
  const RspProgram *program = p->program;
  gsize n_events = 0;
  for (guint t = 0; t < program->n_threads; t++) {
    p->paths[t] = only_path (p, t, why);
    if (!p->paths[t])
      return;
    n_events += p->paths[t]->n_events;
    find_shapes (p, t);
  }
  if (p->when == KERNEL_PAIRS_AUTO && n_events <= FEW_EVENTS)
    return;
  p->outcome = g_new0 (RspOutcome, 1);
  p->outcome->arena = rsp_arena_new ();
  p->outcome->program = program;
  p->outcome->uncounted = TRUE;
  /* Failing paths fail in every execution. */
  RspOutcome *outcome = p->outcome;
  outcome->failures = rsp_arena_new0 (outcome->arena, RspFailure, p->program->n_threads);
  for (guint t = 0; t < p->program->n_threads; t++) {
    const RspPath *path = p->paths[t];
    gboolean known = path->end != RSP_PATH_FAILED;
    for (guint i = 0; i < outcome->n_failures; i++)
      known |= outcome->failures[i].span.begin == path->end_span.begin;
    if (!known)
      outcome->failures[outcome->n_failures++]
          = (RspFailure){ .span = path->end_span,
                          .message = rsp_arena_strdup (outcome->arena, path->end_message),
                          .address = path->end_address,
                          .thread = t };
  }
  if (p->outcome->n_failures)
    return;
  /* One state, with the registers that say which assertions failed. */
  const guint n = p->program->n_observables;
  outcome->printed = rsp_arena_new0 (outcome->arena, guint, n + 1);
  outcome->numbers = g_new0 (guint32, n + 1);
  outcome->width = outcome->n_printed = n;
  outcome->values = rsp_arena_new0 (outcome->arena, RspValue, 2); /* no, yes */
  outcome->values[1].bits = 1;
  outcome->states = rsp_arena_new0 (outcome->arena, RspStateCount, 1);
  outcome->n_states = 1;
  for (guint i = 0; i < n; i++) {
    const RspObservable *own = &p->program->observables[i];
    outcome->printed[i] = i;
    outcome->numbers[i] = p->paths[own->thread]->finals[own->reg]->constant != 0;
  }
  p->covered = g_new0 (guint8, g_hash_table_size (p->numbers) + 1);
  if ((!search_common (p) || !search_others (p)) && p->outcome->stop == RSPCHECK_STOP_COMPLETE)
    p->outcome->stop = rsp_budget_stop (&p->budget);
}

static void clear (Pairs *p) {
  for (guint i = 0; i < p->program->n_locations; i++)
    g_clear_pointer (&p->accesses[i], g_array_unref);
  for (guint t = 0; t < p->program->n_threads; t++)
    g_clear_pointer (&p->barriers[t], g_array_unref);
  g_free (p->accesses);
  g_free (p->looks);
  g_free (p->epochs);
  g_free (p->barriers);
  g_free (p->firsts);
  g_free (p->kept);
  g_hash_table_unref (p->kinds);
  g_free (p->paths);
  g_free (p->shapes);
  g_free (p->meetings);
  g_free (p->covered);
  g_hash_table_unref (p->numbers);
  g_hash_table_unref (p->searched);
  rsp_terms_free (p->terms);
  rsp_arena_free (p->arena);
}

RspOutcome *kernel_check_pairs (const RspKernel *kernel, const RspModel *model,
                                const RspCheckOptions *check, KernelPairs when,
                                GPtrArray **evidence, RspSpan *why, RspDiagnostics *diagnostics) {
  const RspProgram *program = kernel->program;
  const guint n = program->n_threads;
  *why = RSP_NOWHERE;
  if (when == KERNEL_PAIRS_NEVER || n < 2
      || (when == KERNEL_PAIRS_AUTO && check->engine == RSPCHECK_ENGINE_NAIVE) || check->prefixes
      || kernel->n_finals || kernel->guessed || kernel->meets)
    return NULL;
  Pairs p
      = { .kernel = kernel,
          .program = program,
          .model = model,
          .check = *check,
          .when = when,
          .diagnostics = diagnostics,
          .budget = { .deadline = rsp_deadline_in (check->timeout),
                      .max_memory = check->max_memory ? check->max_memory : RSP_DEFAULT_MEMORY },
          .evidence = g_ptr_array_new () };
  p.arena = rsp_arena_new_within (&p.budget);
  p.terms = rsp_terms_new (p.arena);
  p.paths = g_new0 (const RspPath *, n);
  p.shapes = g_new0 (guint, n);
  p.meetings = g_new0 (guint, n);
  p.looks = g_new0 (guint *, n);
  p.epochs = g_new0 (guint *, n);
  p.barriers = g_new0 (GArray *, n);
  p.firsts = g_new0 (guint8 *, n);
  p.kept = g_new0 (guint8 *, n);
  p.kinds = g_hash_table_new (NULL, NULL);
  p.accesses = g_new0 (GArray *, program->n_locations + 1);
  p.numbers = g_hash_table_new_full (rsp_hash_key, rsp_hash_equal, g_free, NULL);
  p.searched = g_hash_table_new_full (rsp_hash_key, rsp_hash_equal, g_free, NULL);
  search (&p, why);
  clear (&p);
  if (p.outcome)
    *evidence = p.evidence;
  else
    g_ptr_array_unref (p.evidence);
  return p.outcome;
}
