/* Loops: rounds that only wait, and what a thread looks like that never leaves one. */
#include "enumerator/execution.h"
#include "enumerator/paths/internal.h"
#include "enumerator/paths/paths.h"
#include "enumerator/terms/terms.h"

#include <string.h>

/* ---- Rotate --------------------------------------------------------------------------------- */

/* Rounds a b c, which may repeat for ever, are also: a, and then b c a for ever. The second a reads
 * the values that the first one read, so that it writes the same, and the thread is then where it
 * was after the first. */

/* The event of the path that event e of the rotated path repeats, or e. */
static guint original (const RspPath *path, guint e) {
  return e < path->n_events ? e : e - path->n_events + path->wait_begin;
}

/* Dependences of repeated events are those of the events that they repeat, on events of the same
 * part. */
static RspMatrix *rotate_relation (const RspPath *path, const RspMatrix *relation, guint n,
                                   RspArena *arena) {
  RspMatrix *rotated = rsp_relation_new (arena, n);
  guint again = n - path->n_events;
  for (guint y = 0; y < n; y++)
    for (guint x = 0; x < path->n_events; x++)
      if (rsp_matrix_get (relation, x, original (path, y))) {
        gboolean is_repeated
            = y >= path->n_events && x >= path->wait_begin && x < path->wait_begin + again;
        rsp_matrix_add (rotated, is_repeated ? x - path->wait_begin + path->n_events : x, y);
      }
  return rotated;
}

/* The path with the first `again` events of its rounds a second time. */
static RspPath *rotate (const RspPath *path, guint again, RspTerms *terms, RspArena *arena) {
  RspPath *rotated = rsp_arena_copy (arena, path, sizeof *path);
  guint n = rotated->n_events = path->n_events + again;
  rotated->rotated = again;
  rotated->wait_begin = path->wait_begin + again;
  rotated->wait_end = n;
  rotated->events = rsp_arena_new0 (arena, RspEvent, n + 1);
  rotated->constraints = rsp_arena_new0 (arena, RspConstraint, path->n_constraints + again + 1);
  for (guint i = 0; i < path->n_constraints; i++)
    rotated->constraints[i] = path->constraints[i];
  for (guint e = 0; e < path->n_events; e++)
    rotated->events[e] = path->events[e];
  for (guint e = path->n_events; e < n; e++) {
    RspEvent *event = &rotated->events[e];
    *event = path->events[original (path, e)];
    if (!rsp_event_is_read (event))
      continue;
    const RspTerm *read = event->read;
    event->read = rsp_term_read (terms, e, read->bits, read->is_signed);
    rotated->constraints[rotated->n_constraints++]
        = (RspConstraint){ rsp_term_binary (terms, RSP_OP_EQ, read, event->read), event->span };
  }
  rotated->po = rotate_relation (path, path->po, n, arena);
  rotated->addr = rotate_relation (path, path->addr, n, arena);
  rotated->data = rotate_relation (path, path->data, n, arena);
  rotated->ctrl = rotate_relation (path, path->ctrl, n, arena);
  /* Repeated events come after all others, and depend on all reads that the path tests. */
  g_autoptr (GArray) tested = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < path->n_constraints; i++)
    rsp_term_add_reads (path->constraints[i].term, tested);
  for (guint y = path->n_events; y < rotated->n_events; y++) {
    for (guint x = 0; x < path->n_events; x++)
      rsp_matrix_add (rotated->po, x, y);
    for (guint i = 0; i < tested->len; i++)
      rsp_matrix_add (rotated->ctrl, g_array_index (tested, guint, i), y);
  }
  return rotated;
}

gboolean rsp_paths_meet (const GPtrArray *paths) {
  gboolean meet = FALSE;
  for (guint i = 0; i < paths->len; i++) {
    const RspPath *path = paths->pdata[i];
    for (guint e = 0; e < path->n_events; e++)
      meet |= path->events[e].barrier != NULL;
  }
  return meet;
}

void rsp_paths_rotate (GPtrArray *paths, RspTerms *terms, RspArena *arena) {
  for (guint i = 0, n = paths->len; i < n; i++) {
    const RspPath *path = paths->pdata[i];
    gboolean meets = FALSE;
    for (guint e = path->wait_begin; path->end == RSP_PATH_STUCK && e < path->wait_end; e++)
      meets |= path->events[e].barrier != NULL;
    if (path->end != RSP_PATH_STUCK || meets)
      continue;
    for (guint again = 1; again < path->wait_end - path->wait_begin; again++) {
      const RspEvent *next = &path->events[path->wait_begin + again];
      if (!(next->rmw_half && next->kind == RSP_EVENT_WRITE))
        g_ptr_array_add (paths, rotate (path, again, terms, arena));
    }
  }
}

/* ---- Counted -------------------------------------------------------------------------------- */

/* Loops that count: the registers of the condition are assigned once in a round at most by
 * statements that every round executes, and from such registers alone. Where a `break` ends the
 * loop, its condition need only be calculated from registers alone. */

typedef struct Counting {
  RspExecutor *x;
  guint8 *needed; /* per register: the condition depends on it */
  gboolean good, changed;
  gboolean loose;    /* may rounds leave out assignments? */
  gboolean assigned; /* is a register assigned on which the condition depends? */
  gboolean meets;    /* is there a barrier? */
} Counting;

static void visit (Counting *c, const RspStatement *statement, gboolean always);

/* The operands decide: nothing but registers and constants may be among them. */
static void need (Counting *c, const RspExpr *expr) {
  switch (expr->kind) {
  case RSP_EXPR_CONSTANT:
    return;
  case RSP_EXPR_REGISTER:
    c->good &= !c->x->escapes[expr->u.reg];
    c->changed |= !c->needed[expr->u.reg];
    c->needed[expr->u.reg] = TRUE;
    return;
  case RSP_EXPR_UNARY:
  case RSP_EXPR_CAST:
  case RSP_EXPR_STEP:
    need (c, expr->u.node.a);
    return;
  case RSP_EXPR_ASSIGN:
  case RSP_EXPR_BINARY:
    need (c, expr->u.node.a);
    need (c, expr->u.node.b);
    return;
  default:
    c->good = FALSE;
  }
}

/* always: does every round evaluate it? */
static void visit_expr (Counting *c, const RspExpr *expr, gboolean always) {
  if (!expr || !c->good || expr->kind == RSP_EXPR_CONSTANT || expr->kind == RSP_EXPR_LOCATION
      || expr->kind == RSP_EXPR_REGISTER || expr->kind == RSP_EXPR_CALL)
    return; /* a call changes only what escapes */
  if (expr->kind == RSP_EXPR_BLOCK) {
    visit (c, expr->u.block.body, always);
    visit_expr (c, expr->u.block.value, always);
    return;
  }
  const RspExpr *a = expr->u.node.a;
  if ((expr->kind == RSP_EXPR_ASSIGN || expr->kind == RSP_EXPR_STEP) && a->kind == RSP_EXPR_REGISTER
      && c->needed[a->u.reg]) {
    c->good &= always || c->loose;
    c->assigned = TRUE;
    if (expr->kind == RSP_EXPR_ASSIGN)
      need (c, expr->u.node.b);
  }
  visit_expr (c, a, FALSE);
  visit_expr (c, expr->u.node.b, FALSE);
  visit_expr (c, expr->u.node.c, FALSE);
}

static void visit (Counting *c, const RspStatement *statement, gboolean always) {
  if (!statement || !c->good)
    return;
  gboolean list = statement->kind == RSP_STATEMENT_BLOCK;
  c->meets |= statement->kind == RSP_STATEMENT_BARRIER;
  if (statement->kind == RSP_STATEMENT_DECLARATION && c->needed[statement->reg]) {
    c->good &= (always || c->loose) && statement->expr;
    c->assigned = TRUE;
    if (statement->expr)
      need (c, statement->expr);
  }
  visit_expr (c, statement->expr, always && statement->kind == RSP_STATEMENT_EXPRESSION);
  visit_expr (c, statement->step, FALSE);
  visit (c, statement->init, FALSE);
  visit (c, statement->body, FALSE);
  visit (c, statement->otherwise, FALSE);
  for (const RspStatement *s = statement->first; s; s = s->next)
    visit (c, s, always && list);
}

/* Do the registers of the condition, and nothing else, decide it? */
static gboolean counts (Counting *c, const RspStatement *loop, const RspExpr *condition) {
  c->good = TRUE;
  c->needed = rsp_arena_new0 (c->x->scratch, guint8, c->x->thread->n_registers + 1);
  need (c, condition);
  do {
    c->changed = FALSE;
    visit (c, loop->body, TRUE);
    visit_expr (c, loop->step, TRUE);
  } while (c->changed && c->good);
  return c->good;
}

gboolean loop_is_counted (RspExecutor *x, const RspStatement *loop) {
  if (!rsp_statement_language (x->program)->counts_loops || !loop->expr
      || loop->expr->kind == RSP_EXPR_CONSTANT)
    return FALSE;
  Counting c = { .x = x };
  return counts (&c, loop, loop->expr);
}

/* TRUE if the statement breaks the loop around it. */
static gboolean breaks (const RspStatement *statement) {
  if (!statement || statement->kind != RSP_STATEMENT_BLOCK)
    return statement && statement->kind == RSP_STATEMENT_BREAK;
  gboolean found = FALSE;
  for (const RspStatement *s = statement->first; s && !found; s = s->next)
    found = breaks (s);
  return found;
}

static gboolean has_counted_break (RspExecutor *x, const RspStatement *loop,
                                   const RspStatement *statement) {
  gboolean found = FALSE;
  for (const RspStatement *s = statement->first;
       statement->kind == RSP_STATEMENT_BLOCK && s && !found; s = s->next)
    found = has_counted_break (x, loop, s);
  if (statement->kind != RSP_STATEMENT_IF
      || !(breaks (statement->body) || breaks (statement->otherwise)))
    return found;
  Counting c = { .x = x, .loose = TRUE };
  return counts (&c, loop, statement->expr) && c.assigned;
}

gboolean loop_counts_to_break (RspExecutor *x, const RspStatement *loop) {
  return rsp_statement_language (x->program)->counts_loops
         && has_counted_break (x, loop, loop->body);
}

gboolean statement_meets (RspExecutor *x, const RspStatement *statement) {
  g_autofree guint8 *needed = g_new0 (guint8, x->thread->n_registers + 1);
  Counting c = { .x = x, .needed = needed, .good = TRUE };
  visit (&c, statement, FALSE);
  return c.meets;
}

/* ---- Cut ------------------------------------------------------------------------------------ */

/* ---- Without some events ---- */
static RspMatrix *relation_without (const RspMatrix *relation, guint begin, guint end,
                                    RspArena *arena) {
  RspMatrix *rest = rsp_relation_new (arena, relation->n - (end - begin));
  for (guint x = 0; x < rest->n; x++)
    for (guint y = 0; y < rest->n; y++)
      if (rsp_matrix_get (relation, x < begin ? x : x + end - begin,
                          y < begin ? y : y + end - begin))
        rsp_matrix_add (rest, x, y);
  return rest;
}

RspPath *rsp_path_without (const RspPath *path, guint begin, guint end, RspArena *arena) {
  RspPath *rest = rsp_arena_copy (arena, path, sizeof *path);
  rest->n_events = path->n_events - (end - begin);
  rest->events = rsp_arena_new0 (arena, RspEvent, rest->n_events + 1);
  for (guint e = 0; e < rest->n_events; e++)
    rest->events[e] = path->events[e < begin ? e : e + end - begin];
  rest->po = relation_without (path->po, begin, end, arena);
  rest->addr = relation_without (path->addr, begin, end, arena);
  rest->data = relation_without (path->data, begin, end, arena);
  rest->ctrl = relation_without (path->ctrl, begin, end, arena);
  rest->wait_begin = rest->wait_end = 0;
  return rest;
}

/* ---- Up to an event ---- */
static gboolean reads_before (const RspTerm *term, guint n) {
  g_autoptr (GArray) reads = g_array_new (FALSE, FALSE, sizeof (guint));
  rsp_term_add_reads (term, reads);
  for (guint i = 0; i < reads->len; i++)
    if (g_array_index (reads, guint, i) >= n)
      return FALSE;
  return TRUE;
}

static gboolean is_same_event (const RspEvent *a, const RspEvent *b) {
  return a->span.begin == b->span.begin && a->kind == b->kind && a->location == b->location
         && a->written == b->written && a->read == b->read && a->order == b->order
         && a->barrier_name == b->barrier_name && a->barrier_count == b->barrier_count
         && a->barrier_quorum == b->barrier_quorum && a->barrier_passes == b->barrier_passes
         && g_strcmp0 (a->barrier, b->barrier) == 0;
}

gboolean rsp_path_may_become (const RspPath *path, const RspPath *other, RspTerms *terms) {
  guint n = path->end == RSP_PATH_STUCK ? path->wait_begin : path->n_events;
  if (other->n_events < n)
    return FALSE;
  for (guint e = 0; e < n; e++)
    if (!is_same_event (&path->events[e], &other->events[e]))
      return FALSE;
  for (guint i = 0; i < other->n_constraints; i++)
    for (guint k = 0; k < path->n_constraints && reads_before (other->constraints[i].term, n); k++)
      if (path->constraints[k].term
          == rsp_term_negate_condition (terms, other->constraints[i].term))
        return FALSE;
  return TRUE;
}

static guint hash_path (gconstpointer key) {
  const RspPath *path = key;
  guint hash = path->n_events * 31 + (guint) path->end;
  for (guint e = 0; e < path->n_events; e++)
    hash = hash * 31 + path->events[e].span.begin;
  for (guint i = 0; i < path->n_constraints; i++)
    hash = hash * 31 + path->constraints[i].term->id;
  return hash;
}

static gboolean equal_paths (gconstpointer x, gconstpointer y) {
  const RspPath *a = x, *b = y;
  if (a->end != b->end || a->n_events != b->n_events || a->n_constraints != b->n_constraints)
    return FALSE;
  for (guint e = 0; e < a->n_events; e++)
    if (!is_same_event (&a->events[e], &b->events[e]))
      return FALSE;
  for (guint i = 0; i < a->n_constraints; i++)
    if (a->constraints[i].term != b->constraints[i].term)
      return FALSE;
  return TRUE;
}

/* The prefixes so far, of all paths. */
typedef struct Cut {
  RspArena *arena;
  GHashTable *seen; /* of RspPath */
  GPtrArray *cut;
} Cut;

static void add_prefix (const Cut *c, const RspPath *path, guint n, RspPathEnd end) {
  /* The first n events, and what is known about their values; relations are still those of the
   * whole. */
  RspPath *prefix = rsp_arena_copy (c->arena, path, sizeof *path);
  prefix->end = end;
  prefix->n_events = n;
  prefix->n_constraints = 0;
  prefix->constraints = rsp_arena_new0 (c->arena, RspConstraint, path->n_constraints + 1);
  for (guint i = 0; i < path->n_constraints; i++)
    if (reads_before (path->constraints[i].term, n))
      prefix->constraints[prefix->n_constraints++] = path->constraints[i];
  if (g_hash_table_add (c->seen, prefix)) {
    RspPath *rest = rsp_path_without (path, prefix->n_events, path->n_events, c->arena);
    rest->end = prefix->end;
    rest->constraints = prefix->constraints;
    rest->n_constraints = prefix->n_constraints;
    g_ptr_array_add (c->cut, rest);
  }
}

void rsp_paths_cut (const GPtrArray *paths, gboolean may_not_start, gboolean may_stop,
                    RspArena *arena, GPtrArray *cut) {
  g_autoptr (GHashTable) seen = g_hash_table_new (hash_path, equal_paths);
  Cut c = { arena, seen, cut };
  for (guint i = 0, n = paths->len; i < n; i++) {
    const RspPath *path = paths->pdata[i];
    if (may_not_start)
      add_prefix (&c, path, 0, RSP_PATH_STOPPED);
    for (guint e = 0; e < path->n_events; e++) {
      const RspEvent *event = &path->events[e];
      if (event->barrier_passes) /* before others have met, it is one that may */
        continue;
      if (rsp_event_is_at_barrier (event) && !event->barrier_arrives)
        add_prefix (&c, path, e + 1, RSP_PATH_BLOCKED);
      if (may_stop && (rsp_event_is_write (event) || rsp_event_is_arrival (event)))
        add_prefix (&c, path, e + 1, RSP_PATH_STOPPED);
    }
  }
}

/* ---- Wait ----------------------------------------------------------------------------------- */

/* n_waits: rounds of the loop so far that waited; since: the first event of those that come right
 * before. */
static void begin_round (RspExecutor *x, RspState *state, const RspRound *previous, guint n_waits,
                         guint since) {
  gsize registers = sizeof (RspRegisterValue) * x->thread->n_registers;
  RspRound *round = rsp_arena_alloc (x->scratch, sizeof *round + registers);
  round->previous = previous;
  round->n_events = state->n_events;
  round->n_waits = n_waits;
  round->waits_since = since;
  memcpy (round->registers, state->registers, registers);
  state->round = round;
}

static gboolean looks_at_rounds (const RspExecutor *x) {
  return x->options->spin_last || x->options->cycles;
}

static gboolean may_leave_out (const RspExecutor *x) { return !x->rounds || !x->rounds->meets; }

void wait_begin_rounds (RspExecutor *x, const RspStates *states) {
  if (looks_at_rounds (x))
    for (RspState *state = states->first; state; state = state->next)
      begin_round (x, state, NULL, 0, state->n_events);
}

/* Are the registers what they were when the round began? What a register depends on may change, but
 * only by reads since then and of waiting rounds right before it: without the first of them, the
 * register depends on the others as it would have anyway. */
static gboolean leaves_nothing (RspExecutor *x, const RspState *state, const RspRound *round,
                                const guint8 *live) {
  for (guint i = 0; i < x->thread->n_registers; i++) {
    const RspRegisterValue *before = &round->registers[i], *now = &state->registers[i];
    if (live[i]
        && (before->term != now->term
            || event_set_below (x, before->sources, round->waits_since)
                   != event_set_below (x, now->sources, round->waits_since)))
      return FALSE;
  }
  return TRUE;
}

/* ---- Rounds that may repeat for ever ---- */
/* Assumes that each register that may still be read is what it was at the beginning of a round.
 * Takes the state; NULL if it is not. */
static RspState *assume_same (RspExecutor *x, RspState *state, const RspRound *since,
                              const guint8 *live, RspSpan span) {
  for (guint i = 0; i < x->thread->n_registers && state; i++) {
    const RspTerm *before = since->registers[i].term, *now = state->registers[i].term;
    if (live[i] && before != now)
      state = state_assume (x, state, rsp_term_binary (x->terms, RSP_OP_EQ, before, now), span);
  }
  return state;
}

/* Since the event: a weak compare-exchange may fail without a reason, but not for ever. */
static gboolean fails_spuriously (const RspState *state, guint since) {
  for (const RspEventNode *node = state->last; node && node->number >= since; node = node->previous)
    if (node->event.spurious)
      return TRUE;
  return FALSE;
}

/* ---- Rounds that write back what they read ---- */
/* Per read-modify-write since the round began: does it write what it read? FALSE if there are other
 * events than those and reads. */
static gboolean find_write_backs (RspExecutor *x, const RspState *state, const RspRound *round,
                                  GPtrArray *conditions) {
  for (const RspEventNode *node = state->last; node && node->number >= round->n_events;
       node = node->previous) {
    const RspEvent *e = &node->event;
    const RspTerm *read
        = e->kind == RSP_EVENT_WRITE && e->rmw_half ? node->previous->event.read : e->read;
    if (e->kind == RSP_EVENT_READ)
      continue;
    if (e->kind != RSP_EVENT_RMW && !e->rmw_half)
      return FALSE;
    g_ptr_array_add (conditions,
                     (gpointer) rsp_term_binary (x->terms, RSP_OP_EQ, read, e->written));
  }
  return TRUE;
}

/* Of the states that rounds leave behind, those in which it has changed something go to out: for
 * each read-modify-write, those in which that is the first to have written another value than it
 * read. Takes the state; returns it with the assumption that nothing was changed, or NULL. */
static RspState *split_changed (RspExecutor *x, RspState *state, const GPtrArray *conditions,
                                RspSpan span, RspStates *out) {
  for (guint i = 0; state && i < conditions->len; i++) {
    const RspTerm *same = conditions->pdata[i];
    RspState *changed;
    state_split (x, state, same, span, &state, &changed);
    if (changed)
      states_append (out, changed);
  }
  return state;
}

/* ---- Rounds ---- */
/* A state that has made a round, of which rounds that may repeat for ever are already noted: what
 * remains of it if the last rounds are left out where they have no effect, be it only together.
 * Takes the state. */
static void drop_idle_rounds (RspExecutor *x, const RspStatement *loop, const guint8 *live,
                              RspState *state, RspStates *out) {
  g_autoptr (GPtrArray) conditions = g_ptr_array_new ();
  const RspRound *since = state->round;
  while (since && !leaves_nothing (x, state, since, live))
    since = since->previous;
  if (!since || !may_leave_out (x) || !find_write_backs (x, state, since, conditions)) {
    states_append (out, state);
    return;
  }
  state = split_changed (x, state, conditions, loop->span, out);
  if (state)
    state_drop (x, state);
}

/* A state that has made a round goes on with the next one, unless it has waited once too often.
 * Takes the state. */
static void end_wait (RspExecutor *x, RspState *state, gboolean waits, RspStates *kept) {
  const RspRound *round = state->status == RSP_STATE_RUNNING ? state->round : NULL;
  if (waits && state->n_waits == RSP_MAX_WAITS) {
    state_drop (x, state);
    return;
  }
  if (waits) {
    /* The first of several waiting rounds is the one that may be left out. */
    if (state->round->waits_since == state->round->n_events) {
      state->wait_begin = state->round->n_events;
      state->wait_end = state->n_events;
    }
    state->n_waits++;
  }
  begin_round (x, state, round, round ? round->n_waits + (waits ? 1 : 0) : 0,
               waits ? round->waits_since : state->n_events);
  states_append (kept, state);
}

/* With -spin last. Takes the state. */
static void end_waiting_round (RspExecutor *x, const RspStatement *loop, const guint8 *live,
                               RspState *state, RspStates *kept) {
  g_autoptr (GPtrArray) conditions = g_ptr_array_new ();
  const RspRound *round = state->round;
  /* Rounds that wait have events. */
  if (state->status != RSP_STATE_RUNNING || !round || state->n_events <= round->n_events
      || !may_leave_out (x) || !leaves_nothing (x, state, round, live)
      || !find_write_backs (x, state, round, conditions)) {
    end_wait (x, state, FALSE, kept);
    return;
  }
  RspStates changed = { 0 };
  RspState *other, *same = split_changed (x, state, conditions, loop->span, &changed);
  if (same)
    end_wait (x, same, TRUE, kept);
  while ((other = states_take (&changed)))
    end_wait (x, other, FALSE, kept);
}

void wait_end_rounds (RspExecutor *x, const RspStatement *loop, const guint8 *live,
                      RspStates *states, RspStates *out) {
  if (!looks_at_rounds (x))
    return;
  RspStates kept = { 0 };
  RspState *state;
  while ((state = states_take (states))) {
    const RspRound *round = state->status == RSP_STATE_RUNNING ? state->round : NULL;
    if (x->options->cycles && round) {
      RspStates rest = { 0 };
      /* The last round may repeat for ever, or the last two, and so on. */
      for (const RspRound *since = state->round;
           since && !fails_spuriously (state, since->n_events); since = since->previous) {
        RspState *stuck = assume_same (x, state_fork (x, state), since, live, loop->span);
        if (!stuck)
          continue;
        stuck->status = RSP_STATE_STUCK;
        stuck->end_span = loop->span;
        stuck->wait_begin = since->n_events;
        stuck->wait_end = state->n_events;
        states_append (out, stuck);
      }
      drop_idle_rounds (x, loop, live, state, &rest);
      for (RspState *next = rest.first; next; next = next->next)
        begin_round (x, next, round, 0, next->n_events);
      states_move (&kept, &rest);
      continue;
    }
    end_waiting_round (x, loop, live, state, &kept);
  }
  *states = kept;
}

void wait_leave (const RspStates *states, const RspRound *outer) {
  for (RspState *state = states->first; state; state = state->next)
    state->round = outer;
}

void wait_truncate_rounds (const RspStatement *statement, guint extra_rounds, RspStates *states,
                           RspStates *out) {
  RspStates kept = { 0 };
  RspState *state;
  while ((state = states_take (states))) {
    if (state->round && state->round->n_waits > extra_rounds) {
      states_append (&kept, state);
      continue;
    }
    state->status = RSP_STATE_TRUNCATED;
    state->end_span = statement->span;
    states_append (out, state);
  }
  *states = kept;
}
