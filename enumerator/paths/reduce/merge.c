/* Merges states that behave alike from here on and differ only in a condition and its negation: the
 * condition then does not matter. The values read satisfy exactly one of the two, so no execution
 * is lost or counted twice. */
#include "enumerator/paths/reduce/merge.h"
#include "enumerator/paths/state.h"
#include "enumerator/terms/condition.h"

enum {
  WINDOW = 64 /* states to look back at: similar ones are near each other */
};

/* What matters about the states at the point where they meet. */
typedef struct Meeting {
  RspExecutor *x;
  const guint8 *live;
  gboolean at_end;
  GPtrArray *states; /* NULL for states that were merged into others */
  GArray *hashes;
} Meeting;

static gboolean is_ended (const RspState *state) {
  return state->status == RSP_STATE_TRUNCATED || state->status == RSP_STATE_STUCK
         || state->status == RSP_STATE_FAILED;
}

static guint hash_state (const Meeting *meeting, const RspState *state) {
  guint hash = g_direct_hash (state->last) * 31 + (guint) state->status;
  if (is_ended (state))
    return hash * 31 + state->end_span.begin;
  for (guint i = 0; i < meeting->x->thread->n_registers; i++)
    if (meeting->live[i])
      hash = hash * 31 + state->registers[i].term->id;
  return hash;
}

static gboolean are_alike (const Meeting *meeting, const RspState *a, const RspState *b) {
  if (a->last != b->last || a->status != b->status || a->round != b->round
      || a->n_waits != b->n_waits || a->wait_begin != b->wait_begin || a->wait_end != b->wait_end)
    return FALSE;
  if (is_ended (a))
    return a->end_span.begin == b->end_span.begin && a->end_span.end == b->end_span.end
           && g_strcmp0 (a->end_message, b->end_message) == 0;
  if (!meeting->at_end && a->ctrl != b->ctrl)
    return FALSE;
  for (guint i = 0; i < meeting->x->thread->n_registers; i++)
    if (meeting->live[i]
        && (a->registers[i].term != b->registers[i].term
            || (!meeting->at_end && a->registers[i].sources != b->registers[i].sources)))
      return FALSE;
  return TRUE;
}

static gboolean implies_all (const RspConstraintNode *a, const RspConstraintNode *b) {
  for (; b; b = b->previous) {
    const RspConstraintNode *node = a;
    while (node && node->constraint.term != b->constraint.term)
      node = node->previous;
    if (!node)
      return FALSE;
  }
  return TRUE;
}

/* The nodes of `from` down to, but excluding, `end`, on top of `base`. */
static const RspConstraintNode *restack (RspExecutor *x, const RspConstraintNode *from,
                                         const RspConstraintNode *end,
                                         const RspConstraintNode *base) {
  if (from == end)
    return base;
  RspConstraintNode *first = NULL, *last = NULL;
  guint length = (base ? base->length : 0) + from->length - end->length;
  for (; from != end; from = from->previous) {
    RspConstraintNode *node = rsp_arena_copy (x->scratch, from, sizeof *from);
    node->length = length--;
    if (last)
      last->previous = node;
    else
      first = node;
    last = node;
  }
  last->previous = base;
  return first;
}

/* Merges the constraints of two states into *joined. FALSE if they do not differ in the right
 * way. */
static gboolean join_constraints (RspExecutor *x, const RspConstraintNode *a,
                                  const RspConstraintNode *b, const RspConstraintNode **joined) {
  guint length_a = a ? a->length : 0, length_b = b ? b->length : 0;
  if (length_a != length_b) {
    *joined = length_a < length_b ? a : b;
    return length_a < length_b ? implies_all (b, a) : implies_all (a, b);
  }
  const RspConstraintNode *top = a, *differs = NULL;
  for (; a != b; a = a->previous, b = b->previous) {
    const RspTerm *m = a->constraint.term, *n = b->constraint.term;
    if (m == n)
      continue;
    if (differs || rsp_term_negate_condition (x->terms, m) != n)
      return FALSE;
    differs = a;
  }
  *joined = differs ? restack (x, top, differs, differs->previous) : top;
  return TRUE;
}

/* Merges state j into state i if possible. */
static gboolean join (Meeting *meeting, guint i, guint j) {
  RspState *a = meeting->states->pdata[i], *b = meeting->states->pdata[j];
  const RspConstraintNode *joined;
  if (!a || !b
      || g_array_index (meeting->hashes, guint, i) != g_array_index (meeting->hashes, guint, j)
      || !are_alike (meeting, a, b)
      || !join_constraints (meeting->x, a->constraints, b->constraints, &joined))
    return FALSE;
  a->constraints = joined;
  state_drop (meeting->x, b);
  meeting->states->pdata[j] = NULL;
  return TRUE;
}

/* Merges state i with one near it. Returns the number of the merged state, or G_MAXUINT. */
static guint join_near (Meeting *meeting, guint i) {
  guint begin = i > WINDOW ? i - WINDOW : 0;
  guint end = MIN (i + WINDOW, meeting->states->len);
  for (guint j = i; j-- > begin;)
    if (join (meeting, j, i))
      return j;
  for (guint j = i + 1; j < end; j++)
    if (join (meeting, i, j))
      return i;
  return G_MAXUINT;
}

void states_merge (RspExecutor *x, RspStates *states, const guint8 *live) {
  if (states->first == states->last || x->gave_up)
    return;
  Meeting meeting = { .x = x,
                      .live = live ? live : x->observed,
                      .at_end = !live,
                      .states = g_ptr_array_new (),
                      .hashes = g_array_new (FALSE, FALSE, sizeof (guint)) };
  RspState *state;
  while ((state = states_take (states))) {
    guint hash = hash_state (&meeting, state);
    g_ptr_array_add (meeting.states, state);
    g_array_append_val (meeting.hashes, hash);
  }
  for (guint i = 1; i < meeting.states->len && !executor_is_exhausted (x); i++)
    for (guint joined = i; joined != G_MAXUINT && meeting.states->pdata[joined];)
      joined = join_near (&meeting, joined);
  for (guint i = 0; i < meeting.states->len; i++)
    if (meeting.states->pdata[i])
      states_append (states, meeting.states->pdata[i]);
  g_ptr_array_unref (meeting.states);
  g_array_unref (meeting.hashes);
}
