/* The state of a thread during its symbolic execution, and the path that it becomes. */
#include "enumerator/paths/internal.h"
#include "enumerator/paths/paths.h"
#include "enumerator/terms/terms.h"

#include <string.h>

/* ---- State ---------------------------------------------------------------------------------- */

/* States of the symbolic execution: shared sets and events, forks, constraints. */

/* ---- Sets of events ---- */
static guint hash_set (gconstpointer data) {
  const RspEventSet *set = data;
  guint64 hash = set->words;
  for (guint i = 0; i < set->words; i++)
    hash = (hash ^ set->word[i]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return (guint) (hash >> 32);
}

static gboolean equal_sets (gconstpointer x, gconstpointer y) {
  const RspEventSet *a = x, *b = y;
  return a->words == b->words && memcmp (a->word, b->word, a->words * sizeof (guint64)) == 0;
}

/* A set large enough for every event of a path, on the caller's stack. */
typedef union Draft {
  RspEventSet set;
  guint64 room[sizeof (RspEventSet) / sizeof (guint64) + (RSP_MAX_EVENTS + 64) / 64];
} Draft;

static const RspEventSet *intern_set (RspExecutor *x, Draft *draft) {
  RspEventSet *key = &draft->set;
  while (key->words && !key->word[key->words - 1])
    key->words--;
  if (!key->words)
    return NULL;
  RspEventSet *found = g_hash_table_lookup (x->sets, key);
  if (!found) {
    found = rsp_arena_copy (x->scratch, key, sizeof (RspEventSet) + key->words * sizeof (guint64));
    g_hash_table_add (x->sets, found);
  }
  return found;
}

static void start_draft (Draft *draft, const RspEventSet *a, guint words) {
  guint copied = a ? a->words : 0;
  draft->set.words = MAX (words, copied);
  if (copied)
    memcpy (draft->set.word, a->word, copied * sizeof (guint64));
  for (guint i = copied; i < words; i++)
    draft->set.word[i] = 0;
}

const RspEventSet *event_set_union (RspExecutor *x, const RspEventSet *a, const RspEventSet *b) {
  if (a == b || !b)
    return a;
  if (!a)
    return b;
  Draft draft;
  start_draft (&draft, a, b->words);
  for (guint i = 0; i < b->words; i++)
    draft.set.word[i] |= b->word[i];
  return intern_set (x, &draft);
}

static const RspEventSet *set_intersection (RspExecutor *x, const RspEventSet *a,
                                            const RspEventSet *b) {
  if (!a || !b || a == b)
    return a && b ? a : NULL;
  Draft draft;
  start_draft (&draft, a, 0);
  draft.set.words = MIN (a->words, b->words);
  for (guint i = 0; i < draft.set.words; i++)
    draft.set.word[i] &= b->word[i];
  return intern_set (x, &draft);
}

const RspEventSet *event_set_without (RspExecutor *x, const RspEventSet *a, const RspEventSet *b) {
  if (!a || !b)
    return a;
  Draft draft;
  start_draft (&draft, a, 0);
  for (guint i = 0; i < MIN (a->words, b->words); i++)
    draft.set.word[i] &= ~b->word[i];
  return intern_set (x, &draft);
}

const RspEventSet *event_set_with (RspExecutor *x, const RspEventSet *a, guint event) {
  return event_set_with_range (x, a, event, event + 1);
}

const RspEventSet *event_set_with_range (RspExecutor *x, const RspEventSet *a, guint begin,
                                         guint end) {
  if (begin >= end)
    return a;
  Draft draft;
  start_draft (&draft, a, (end + 63) / 64);
  for (guint event = begin, next; event < end; event = next) {
    next = MIN (event / 64 * 64 + 64, end);
    draft.set.word[event / 64] |= G_MAXUINT64 >> (64 - (next - event)) << (event % 64);
  }
  return intern_set (x, &draft);
}

const RspEventSet *event_set_below (RspExecutor *x, const RspEventSet *a, guint end) {
  if (!a || a->words * 64 <= end)
    return a;
  Draft draft;
  start_draft (&draft, a, 0);
  draft.set.words = end / 64 + 1;
  draft.set.word[end / 64] &= (G_GUINT64_CONSTANT (1) << (end % 64)) - 1;
  return intern_set (x, &draft);
}

/* ---- Giving up ---- */
enum {
  STEPS_PER_LOOK = 16 /* at the clock */
};

void executor_give_up (RspExecutor *x, RspSpan span, const char *format, ...) {
  if (x->gave_up)
    return;
  x->gave_up = TRUE;
  x->overran = x->tries;
  if (x->tries)
    return;
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  rsp_error (x->diagnostics, span, NULL, "%s%s: %s", x->thread->title ? "" : "thread ",
             x->thread->title ? x->thread->title : x->thread->name, message);
}

gboolean executor_is_exhausted (RspExecutor *x) {
  rsp_budget_limit_part (x->options->budget, rsp_arena_size (x->scratch));
  if (rsp_budget_is_exhausted (x->options->budget))
    x->gave_up = TRUE;
  return x->gave_up;
}

gboolean executor_enter (RspExecutor *x, RspSpan span) {
  x->depth++;
  if (x->n_steps % STEPS_PER_LOOK == 0)
    executor_is_exhausted (x);
  if (x->depth > RSP_MAX_DEPTH)
    executor_give_up (x, span, "the program is nested more than %d levels deep", RSP_MAX_DEPTH);
  if (++x->n_steps > RSP_MAX_STEPS)
    executor_give_up (x, span, "its paths take more than %d steps: lower -unroll", RSP_MAX_STEPS);
  if (rsp_arena_size (x->scratch) > RSP_DEFAULT_MEMORY)
    executor_give_up (x, span, "its paths take more than %u MiB: lower -unroll",
                      (guint) (RSP_DEFAULT_MEMORY >> 20));
  return !x->gave_up;
}

void executor_leave (RspExecutor *x) { x->depth--; }

/* ---- States ---- */
static gsize state_size (const RspExecutor *x) {
  return sizeof (RspState) + x->thread->n_registers * sizeof (RspRegisterValue);
}

static RspState *allocate_state (RspExecutor *x) {
  RspState *state = x->pool;
  if (state)
    x->pool = state->next;
  else
    state = rsp_arena_alloc (x->scratch, state_size (x));
  const guint most = x->paths && !x->options->single ? RSP_MAX_PATHS : RSP_MAX_PHASE_PATHS;
  if (++x->n_states > most)
    executor_give_up (x, x->thread->span, "it has more than %u paths: lower -unroll", most);
  return state;
}

RspState *state_fork (RspExecutor *x, const RspState *state) {
  RspState *copy = allocate_state (x);
  memcpy (copy, state, state_size (x));
  copy->next = NULL;
  return copy;
}

void state_drop (RspExecutor *x, RspState *state) {
  state->next = x->pool;
  x->pool = state;
  x->n_states--;
}

void states_append (RspStates *states, RspState *state) {
  state->next = NULL;
  if (states->last)
    states->last->next = state;
  else
    states->first = state;
  states->last = state;
}

RspState *states_take (RspStates *states) {
  RspState *state = states->first;
  if (!state)
    return NULL;
  states->first = state->next;
  if (!states->first)
    states->last = NULL;
  state->next = NULL;
  return state;
}

void states_move (RspStates *to, RspStates *from) {
  if (!from->first)
    return;
  if (to->last)
    to->last->next = from->first;
  else
    to->first = from->first;
  to->last = from->last;
  *from = (RspStates){ 0 };
}

void state_fail (RspState *state, RspSpan span, const char *message) {
  state->status = RSP_STATE_FAILED;
  state->end_span = span;
  state->end_message = message;
}

const char *executor_name (const RspExecutor *x, const char *name, gboolean indexed) {
  const int length = (int) strcspn (name, indexed ? "" : "[");
  return length ? rsp_arena_printf (x->arena, "'%.*s'", length, name) : "an object without a name";
}

void state_fail_unset (RspExecutor *x, RspState *state, guint reg, RspSpan span) {
  state_fail (state, span,
              rsp_arena_printf (x->arena, "%s is read before it has a value",
                                executor_name (x, x->thread->registers[reg].name, TRUE)));
}

/* ---- Constraints ---- */
gboolean constraint_fixes (const RspTerm *condition) {
  return is_binary (condition, RSP_OP_AND) || is_binary (condition, RSP_OP_EQ);
}

/* Notes each read that a condition fixes: r == c, and both sides of a conjunction. */
static void note_known (RspExecutor *x, const RspTerm *condition, gboolean known) {
  if (condition->kind != RSP_TERM_BINARY || condition->is_free)
    return;
  if (condition->op == RSP_OP_AND) {
    note_known (x, condition->a, known);
    note_known (x, condition->b, known);
  } else if (condition->op == RSP_OP_EQ && condition->a->kind == RSP_TERM_READ
             && condition->b->kind == RSP_TERM_CONSTANT) {
    guint event = condition->a->event;
    x->known[event] = known;
    x->known_values[event] = (RspValue){ .bits = condition->b->constant };
  }
}

/* The first event that the term reads. */
static guint first_read (const RspTerm *term) {
  if (term->kind == RSP_TERM_READ)
    return term->event;
  return MIN (term->a && term->a->has_reads ? first_read (term->a) : G_MAXUINT,
              term->b && term->b->has_reads ? first_read (term->b) : G_MAXUINT);
}

/* Of the reads from the event `first` on. */
static void note_all_known (RspExecutor *x, const RspState *state, guint first, gboolean guesses,
                            gboolean known) {
  for (const RspConstraintNode *node = state->constraints; node && node->n_fixing;
       node = node->previous)
    note_known (x, node->constraint.term, known);
  for (const RspEventNode *node = x->program->phases ? state->last : NULL;
       node && node->number >= first; node = node->previous)
    if (node->is_known || (guesses && node->is_guess)) {
      x->known[node->number] = known;
      x->known_values[node->number] = (RspValue){ .bits = node->value };
    }
}

gboolean state_evaluate (RspExecutor *x, const RspState *state, const RspTerm *term,
                         gboolean guesses, gint64 *value) {
  RspValue result;
  if (term->is_free)
    return FALSE;
  if (x->n_known <= state->n_events) {
    x->n_known = 2 * state->n_events + 16;
    g_free (x->known); /* all FALSE */
    x->known = g_new0 (gboolean, x->n_known);
    x->known_values = g_renew (RspValue, x->known_values, x->n_known);
  }
  const guint first = first_read (term);
  note_all_known (x, state, first, guesses, TRUE);
  const gboolean known = rsp_term_evaluate_partial (term, x->known_values, x->known, &result);
  note_all_known (x, state, first, guesses, FALSE);
  *value = known ? result.bits : 0;
  return known;
}

/* The truth of a condition given the fixed reads: 0, 1, or -1 if open. */
static int decide (RspExecutor *x, const RspState *state, const RspTerm *condition) {
  const RspTerm *negation = rsp_term_negate_condition (x->terms, condition);
  for (const RspConstraintNode *node = state->constraints; node; node = node->previous)
    if (node->constraint.term == condition || node->constraint.term == negation)
      return node->constraint.term == condition;
  gint64 value;
  return state_evaluate (x, state, condition, FALSE, &value) ? value != 0 : -1;
}

/* An unknown value that the condition finds equal to a number: `__requires (n == 64)`. Registers
 * with it have that number. FALSE if it makes an earlier condition on the value false: n < 6 after
 * n == 8. */
static gboolean settle (RspExecutor *x, RspState *state, const RspTerm *condition) {
  if (is_binary (condition, RSP_OP_AND))
    return settle (x, state, condition->a) && settle (x, state, condition->b);
  if (!is_binary (condition, RSP_OP_EQ) || !condition->a->is_free
      || condition->b->kind != RSP_TERM_CONSTANT)
    return TRUE;
  for (guint i = 0; i < x->thread->n_registers; i++)
    if (state->registers[i].term == condition->a)
      state->registers[i].term = condition->b;
  const RspBoundTerm equal = { .term = condition->a, .value = { .bits = condition->b->constant } };
  g_autoptr (GArray) bound = g_array_new (FALSE, FALSE, sizeof equal);
  g_array_append_val (bound, equal);
  const RspEvaluation evaluation = { .bound = bound };
  for (const RspConstraintNode *node = state->constraints; node; node = node->previous) {
    const RspTerm *term = node->constraint.term;
    RspValue value;
    if (!term->has_reads && !rsp_term_is_free_without (term, condition->a)
        && rsp_term_evaluate_outcome (term, &evaluation, &value) == RSP_TERM_DETERMINED
        && !value.bits && !value.unknown)
      return FALSE;
  }
  return TRUE;
}

RspState *state_assume (RspExecutor *x, RspState *state, const RspTerm *condition, RspSpan span) {
  int decided = condition->kind == RSP_TERM_CONSTANT ? condition->constant != 0
                                                     : decide (x, state, condition);
  if (!decided
      || (decided < 0
          && (!phases_guess (x, state, condition) || phases_cut (x, state, condition)))) {
    state_drop (x, state);
    return NULL;
  }
  if (decided > 0)
    return state;
  const RspConstraintNode *before = state->constraints;
  RspConstraintNode *node = rsp_arena_new0 (x->scratch, RspConstraintNode, 1);
  *node = (RspConstraintNode){ .previous = before,
                               .length = before ? before->length + 1 : 1,
                               .n_fixing
                               = (before ? before->n_fixing : 0) + constraint_fixes (condition),
                               .constraint = { .term = condition, .span = span } };
  state->constraints = node;
  if (settle (x, state, condition))
    return state;
  state_drop (x, state);
  return NULL;
}

void state_split (RspExecutor *x, RspState *state, const RspTerm *condition, RspSpan span,
                  RspState **yes, RspState **no) {
  *yes = *no = NULL;
  if (condition->kind == RSP_TERM_CONSTANT) {
    *(condition->constant ? yes : no) = state;
    return;
  }
  RspState *other = state_fork (x, state);
  *yes = state_assume (x, state, condition, span);
  *no = state_assume (x, other, rsp_term_negate_condition (x->terms, condition), span);
}

void state_branch (RspExecutor *x, RspState *state, RspPathValue value, RspSpan span,
                   RspState **yes, RspState **no) {
  const RspTerm *condition = rsp_term_condition (x->terms, value.term);
  state->ctrl = event_set_union (x, state->ctrl, value.sources);
  state_split (x, state, condition, span, yes, no);
}

void state_sequence_point (RspExecutor *x, RspState *state) {
  state->before
      = event_set_without (x, event_set_with_range (x, NULL, 0, state->n_events), state->copying);
}

/* ---- Events ---- */
static guint hash_event (gconstpointer data) {
  const RspEventNode *node = data;
  const RspEvent *event = &node->event;
  guint hash = g_direct_hash (node->previous) * 31 + (guint) event->kind;
  hash = hash * 31 + event->location;
  hash = hash * 31 + (guint) event->order * 8 + (guint) event->scope;
  hash = hash * 31 + (event->written ? event->written->id : 0);
  hash = hash * 31 + g_direct_hash (node->before);
  hash = hash * 31 + g_direct_hash (node->data);
  return hash;
}

static gboolean equal_event (gconstpointer left, gconstpointer right) {
  const RspEventNode *m = left, *n = right;
  const RspEvent *a = &m->event, *b = &n->event;
  return m->previous == n->previous && m->before == n->before && m->addr == n->addr
         && m->data == n->data && m->ctrl == n->ctrl && a->written == b->written
         && a->read == b->read && a->spurious == b->spurious && m->place == n->place
         && rsp_event_is_alike (a, b);
}

guint state_emit (RspExecutor *x, RspState *state, const RspEvent *event, const RspEventSet *addr,
                  const RspEventSet *data) {
  if (state->n_events >= RSP_MAX_EVENTS) {
    executor_give_up (x, event->span, "a path has more than %d events: lower -unroll",
                      RSP_MAX_EVENTS);
    return state->n_events - 1;
  }
  RspEventNode key = { .previous = state->last,
                       .number = state->n_events,
                       .event = *event,
                       .place = x->thread->title ? event->span.begin : 0,
                       .before = state->before,
                       .addr = set_intersection (x, addr, state->before),
                       .data = set_intersection (x, data, state->before),
                       .ctrl = set_intersection (x, state->ctrl, state->before) };
  key.event.thread = x->thread_index;
  if (state->last)
    memcpy (key.phase, state->last->phase, sizeof key.phase);
  if (event->kind == RSP_EVENT_EXIT && event->meeting <= RSP_LEVEL_WORK_GROUP) {
    const gboolean orders = rsp_scopes[event->scope].level <= RSP_LEVEL_WORK_GROUP;
    key.phase[RSP_PHASE_LOCAL] += orders && (event->flags & RSP_FENCE_LOCAL);
    key.phase[RSP_PHASE_GLOBAL] += orders && (event->flags & RSP_FENCE_GLOBAL);
    key.phase[RSP_PHASE_ANY]++;
  }
  RspEventNode *node = g_hash_table_lookup (x->events, &key);
  if (!node) {
    node = rsp_arena_copy (x->scratch, &key, sizeof key);
    phases_know (x, state, node);
    g_hash_table_add (x->events, node);
  }
  state->last = node;
  return state->n_events++;
}

/* ---- Path ----------------------------------------------------------------------------------- */

/* All paths of a thread: runs its body symbolically and turns the final states into paths. */

/* ---- From states to paths ---- */
/* The events of a path that are kept: the number that each of the state's has there. */
typedef struct Kept {
  const guint8 *needed; /* which ones are; NULL: all */
  guint *numbers, n;
} Kept;

/* Adds to the events that are needed the reads whose values these write. */
static void add_needed_reads (const RspState *state, guint8 *needed) {
  g_autoptr (GArray) reads = g_array_new (FALSE, FALSE, sizeof (guint));
  for (const RspEventNode *node = state->last; node; node = node->previous) {
    if (!needed[node->number] || !node->event.written)
      continue;
    g_array_set_size (reads, 0);
    rsp_term_add_reads (node->event.written, reads);
    for (guint i = 0; i < reads->len; i++)
      needed[g_array_index (reads, guint, i)] = TRUE;
  }
}

/* The term over the reads with other numbers. */
static const RspTerm *rename_reads (RspTerms *terms, const RspTerm *term, const guint *numbers) {
  if (!term || !term->has_reads)
    return term;
  RspTerm key = *term;
  if (term->kind == RSP_TERM_READ)
    key.event = numbers[term->event];
  key.a = rename_reads (terms, term->a, numbers);
  key.b = rename_reads (terms, term->b, numbers);
  return rsp_term_intern (terms, &key);
}

static void add_predecessors (RspMatrix *relation, const RspEventSet *set, guint event,
                              const Kept *kept) {
  if (set)
    for (all_bits (e, set->word, set->words))
      if (!kept->needed || kept->needed[e])
        rsp_matrix_add (relation, kept->numbers[e], event);
}

static void lay_out_events (RspExecutor *x, const RspState *state, RspPath *path) {
  g_autofree guint8 *needed = NULL;
  if (x->thread->kept && state->n_events == x->thread->n_kept) {
    needed = g_memdup2 (x->thread->kept, state->n_events + 1);
    add_needed_reads (state, needed);
  }
  g_autofree guint *numbers = g_new (guint, state->n_events + 1);
  Kept kept = { .needed = needed, .numbers = numbers };
  for (guint e = 0; e < state->n_events; e++) {
    numbers[e] = kept.n;
    kept.n += !needed || needed[e];
  }
  path->n_events = kept.n;
  path->events = rsp_arena_new0 (x->arena, RspEvent, kept.n + 1);
  if (x->options->single)
    kept.n = 0; /* nobody asks for what is ordered */
  path->po = rsp_relation_new (x->arena, kept.n);
  path->addr = rsp_relation_new (x->arena, kept.n);
  path->data = rsp_relation_new (x->arena, kept.n);
  path->ctrl = rsp_relation_new (x->arena, kept.n);
  for (const RspEventNode *node = state->last; node; node = node->previous) {
    const guint number = numbers[node->number];
    if (needed && !needed[node->number])
      continue;
    RspEvent *event = &path->events[number];
    *event = node->event;
    if (needed) {
      event->written = rename_reads (x->terms, event->written, numbers);
      event->read = rename_reads (x->terms, event->read, numbers);
      event->no_source = rename_reads (x->terms, event->no_source, numbers);
    }
    if (x->options->single)
      continue;
    add_predecessors (path->po, node->before, number, &kept);
    add_predecessors (path->addr, node->addr, number, &kept);
    add_predecessors (path->data, node->data, number, &kept);
    add_predecessors (path->ctrl, node->ctrl, number, &kept);
  }
}

gboolean rsp_paths_agree (const RspPath *a, const RspPath *b) {
  for (guint i = 0; i < a->n_free; i++)
    for (guint k = 0; k < b->n_free; k++)
      if (a->free[i].term == b->free[k].negation || a->free[i].negation == b->free[k].term)
        return FALSE;
  return TRUE;
}

/* A condition on what an implementation chooses. */
static gboolean is_choice (const RspTerm *term) {
  if (!term || !term->is_free)
    return TRUE;
  if (term->kind == RSP_TERM_BINARY && term->op == RSP_OP_APPLY)
    return is_constant (term->a, RSP_FUNCTION_CHOICE);
  return is_choice (term->a) && is_choice (term->b);
}

gboolean rsp_path_is_guessed (const RspPath *path) {
  for (guint i = 0; i < path->n_free; i++)
    if (!is_choice (path->free[i].term))
      return TRUE;
  return path->n_mixed > 0;
}

void rsp_path_add_used (const RspProgram *program, guint thread, const RspPath *path,
                        GArray *reads) {
  for (guint i = 0; i < path->n_constraints; i++)
    rsp_term_add_reads (path->constraints[i].term, reads);
  for (guint e = 0; e < path->n_events; e++)
    if (path->events[e].written)
      rsp_term_add_reads (path->events[e].written, reads);
  for (guint i = 0; i < program->threads[thread].n_registers; i++)
    if (path->finals[i])
      rsp_term_add_reads (path->finals[i], reads);
}

static RspPath *lay_out (RspExecutor *x, const RspState *state) {
  RspPath *path = rsp_arena_new0 (x->arena, RspPath, 1);
  path->end_span = state->end_span;
  path->end_message = state->end_message;
  path->end_address = state->end_address;
  path->end_any = state->end_any;
  path->n_waits = state->n_waits;
  path->wait_begin = state->wait_begin;
  path->wait_end = state->wait_end;
  if (state->status == RSP_STATE_TRUNCATED)
    path->end = RSP_PATH_TRUNCATED;
  else if (state->status == RSP_STATE_STUCK)
    path->end = RSP_PATH_STUCK;
  else
    path->end = state->status == RSP_STATE_FAILED ? RSP_PATH_FAILED : RSP_PATH_COMPLETE;
  lay_out_events (x, state, path);
  /* Those on uninterpreted functions are kept apart: some function satisfies them. */
  guint n = 0, n_free = 0;
  for (const RspConstraintNode *node = state->constraints; node; node = node->previous)
    node->constraint.term->is_free ? n_free++ : n++;
  path->n_constraints = n;
  path->constraints = rsp_arena_new0 (x->arena, RspConstraint, n + 1);
  path->free = rsp_arena_new0 (x->arena, RspFreeCondition, n_free + 1);
  path->mixed = rsp_arena_new0 (x->arena, const RspTerm *, n_free + 1);
  for (const RspConstraintNode *node = state->constraints; node; node = node->previous)
    if (node->constraint.term->is_free) {
      g_autoptr (GArray) reads = g_array_new (FALSE, FALSE, sizeof (guint));
      rsp_term_add_reads (node->constraint.term, reads);
      if (reads->len)
        path->mixed[path->n_mixed++] = node->constraint.term;
      else
        path->free[path->n_free++]
            = (RspFreeCondition){ node->constraint.term,
                                  rsp_term_negate_condition (x->terms, node->constraint.term) };
    } else
      path->constraints[--n] = node->constraint;
  /* The values of registers at the end. */
  path->finals = rsp_arena_new0 (x->arena, const RspTerm *, x->thread->n_registers + 1);
  for (guint i = 0; i < x->thread->n_registers; i++) {
    if (!x->observed[i])
      continue;
    path->finals[i] = state->registers[i].term;
    if (path->finals[i]->is_free)
      executor_give_up (x, x->thread->registers[i].span,
                        "this depends on an unknown value, such as that of an image's element or "
                        "of `-arg x=any`");
  }
  return path;
}

/* ---- Running ---- */
/* All states at the end of the body, including those that returned. */
static void run_body (RspExecutor *x, RspStates *ends) {
  RspStates results = { 0 };
  RspState *state = allocate_state (x);
  memset (state, 0, state_size (x));
  for (guint i = 0; i < x->thread->n_registers; i++) {
    const RspRegister *reg = &x->thread->registers[i];
    state->registers[i].term
        = reg->unset ? x->unset
                     : rsp_term_constant (x->terms, reg->initial, rsp_type_bits (&reg->type),
                                          rsp_type_is_signed (&reg->type));
  }
  if (x->thread->body->kind == RSP_STATEMENT_CODE)
    code_run (x, x->thread->body, state, &results);
  else
    statement_run (x, x->thread->body, state, &results);
  while ((state = states_take (&results))) {
    if (state->status != RSP_STATE_TRUNCATED && state->status != RSP_STATE_STUCK
        && state->status != RSP_STATE_FAILED)
      state->status = RSP_STATE_RUNNING;
    states_append (ends, state);
  }
  states_merge (x, ends, NULL);
}

gboolean rsp_paths_enumerate (const RspProgram *program, guint thread,
                              const RspPathOptions *options, RspTerms *terms, RspArena *arena,
                              GPtrArray *paths, RspDiagnostics *diagnostics) {
  RspExecutor x = { .program = program,
                    .thread = &program->threads[thread],
                    .thread_index = thread,
                    .options = options,
                    .terms = terms,
                    .arena = arena,
                    .diagnostics = diagnostics,
                    .paths = paths };
  RspStates ends = { 0 };
  gsize before = rsp_arena_size (arena);
  x.scratch = rsp_arena_new_within (x.options->budget);
  x.sets = g_hash_table_new (hash_set, equal_sets);
  x.events = g_hash_table_new (hash_event, equal_event);
  x.live = g_hash_table_new (NULL, NULL);
  const RspTerm unset = { .kind = RSP_TERM_CONSTANT };
  x.unset = rsp_term_intern (x.terms, &unset);
  executor_find_live (&x);
  run_body (&x, &ends);
  for (RspState *state = ends.first; state && !x.gave_up; state = state->next) {
    if (!phases_note_end (&x, state))
      g_ptr_array_add (paths, lay_out (&x, state));
    executor_is_exhausted (&x);
    if (rsp_arena_size (arena) - before > RSP_DEFAULT_MEMORY)
      executor_give_up (&x, x.thread->span, "its paths take more than %u MiB: lower -unroll",
                        (guint) (RSP_DEFAULT_MEMORY >> 20));
  }
  g_hash_table_unref (x.sets);
  g_hash_table_unref (x.events);
  g_hash_table_unref (x.live);
  g_free (x.known);
  g_free (x.known_values);
  rsp_arena_free (x.scratch);
  return !x.gave_up;
}
