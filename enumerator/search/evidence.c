/* The events that show why a flag is raised. */
#include "enumerator/query/query.h"
#include "enumerator/search/evidence.h"
#include "model/matrix.h"

/* ---- Places --------------------------------------------------------------------------------- */

/* Where the events of evidence are in the test's text. */

/* The event with its thread and place, without its texts. */
static RspEvidenceEvent evidence_place (const RspProgram *program, const RspEvent *event) {
  RspEvidenceEvent own = { .initial = event->thread == RSP_NO_THREAD };
  if (!own.initial)
    own.thread = program->threads[event->thread].number;
  own.reads = rsp_event_is_read (event);
  own.writes = rsp_event_is_write (event);
  own.atomic = event->is_atomic;
  if (event->span.source) {
    rsp_source_position (event->span.source, event->span.begin, &own.line, &own.column);
    own.file = rsp_source_origin (event->span.source, event->span.begin);
  }
  return own;
}

static gboolean same_line (const RspEvidenceEvent *a, const RspEvidenceEvent *b) {
  return a->initial == b->initial && a->line == b->line && a->file == b->file;
}

gboolean rsp_evidence_is_same_value (const RspEvent *a, const RspEvent *b) {
  return a->kind == RSP_EVENT_WRITE && b->kind == RSP_EVENT_WRITE && !a->is_atomic && !b->is_atomic
         && a->written && a->written == b->written && !a->written->has_reads;
}

/* ---- Evidence ------------------------------------------------------------------------------- */

/* The bounded engine answers each question: is there an execution that the model allows and in
 * which the relation has one of these pairs? The question is one more plain axiom of the staged
 * model. Bisection finds the least pair. */

#define ANY_ROW G_MAXUINT

/* What the solver is asked for: a flag on lines for which there is no evidence yet. */
typedef struct Lines {
  const struct Finder *finder;
  const char *flag;
  gboolean same_value;
} Lines;

typedef struct Finder {
  RspQuery *query;
  GPtrArray *all; /* of RspEvidence; events is NULL until it is found */
  guint missing;
  gboolean every_line; /* is evidence searched for on every line of the text? */
  const Lines *sought; /* which the solver finds in the part: one of these will do; else NULL */
} Finder;

/* One staged model, and the requirements so far. */
typedef struct Question {
  Finder *finder;
  RspQueryPart *part;
  const RspPreExecution *pre; /* the part's */
  const RspStagedModel *model;
  GArray *axioms; /* of RspStagedAxiom: all plain ones */
} Question;

/* ---- Questions ---- */
/* Is there an execution that passes all axioms? */
static gboolean is_possible (Question *q) {
  return rsp_query_is_possible (q->finder->query, q->part, q->model, q->axioms);
}

static gboolean is_exhausted (const Question *q) {
  return rsp_query_stop (q->finder->query) != RSPCHECK_STOP_COMPLETE;
}

/* Requires that a node is not empty. */
static void require_some (Question *q, RspNodeId node) {
  RspStagedAxiom axiom = { .role = RSPCHECK_ROLE_AXIOM,
                           .kind = RSPCHECK_AXIOM_EMPTY,
                           .negated = TRUE,
                           .node = node,
                           .root = node,
                           .name = "evidence" };
  g_array_append_val (q->axioms, axiom);
}

static gboolean may_have (Question *q, RspNodeId node) {
  require_some (q, node);
  gboolean possible = is_possible (q);
  g_array_set_size (q->axioms, q->axioms->len - 1);
  return possible;
}

/* The part of a node that lies in the rows (for a set: the elements) from first to last - 1 and,
 * for a relation, in the columns from begin to end - 1. */
static RspNodeId restrict_to (const Question *q, RspNodeId node, guint first, guint last,
                              guint begin, guint end) {
  RspDag *dag = q->model->dag;
  gboolean is_set = rsp_dag_node (dag, node)->is_set;
  RspMatrix *mask
      = is_set ? rsp_set_new (dag->arena, dag->n) : rsp_relation_new (dag->arena, dag->n);
  for (guint a = first; a < last; a++)
    if (is_set)
      rsp_set_add (mask, a);
    else
      for (guint b = begin; b < end; b++)
        rsp_matrix_add (mask, a, b);
  return rsp_dag_inter (dag, node, rsp_dag_constant (dag, is_set, mask));
}

/* The least row of a node that is not empty in some execution or, with a row, the least column of
 * that, given that there is one. G_MAXUINT if the budget is exhausted. */
static guint least (Question *q, RspNodeId node, guint row) {
  guint n = q->pre->n, low = 0, high = n; /* it is in low … high - 1 */
  while (high - low > 1) {
    guint middle = low + (high - low) / 2;
    if (may_have (q, row == ANY_ROW ? restrict_to (q, node, low, middle, 0, n)
                                    : restrict_to (q, node, row, row + 1, low, middle)))
      high = middle;
    else
      low = middle;
  }
  return is_exhausted (q) ? G_MAXUINT : low;
}

/* ---- Events ---- */
static void add_event (const Question *q, GArray *events, guint number) {
  const RspEvent *event = q->pre->events[number];
  RspEvidenceEvent own = evidence_place (q->pre->program, event);
  if (event->location != RSP_NO_LOCATION)
    own.location = q->pre->program->locations[event->location].name;
  GString *text = g_string_new (NULL);
  rsp_span_append (event->span, text);
  own.text = g_strchomp (g_string_free (text, FALSE));
  g_array_append_val (events, own);
}

static void clear_event (gpointer data) { g_free (((RspEvidenceEvent *) data)->text); }

/* ---- Kinds of axioms ---- */
/* The least pair of a relation, or element of a set (twice): of an execution that the solver found,
 * or that any has. */
static gboolean find_member (Question *q, RspNodeId node, guint *row, guint *column) {
  const gboolean is_set = rsp_dag_node (q->model->dag, node)->is_set;
  if (!q->finder->sought) {
    *row = least (q, node, ANY_ROW);
    *column = *row == G_MAXUINT || is_set ? *row : least (q, node, *row);
    return *column != G_MAXUINT;
  }
  g_autoptr (RspArena) arena = rsp_arena_new ();
  const RspMatrix *all = rsp_query_see (q->finder->query, q->part, node, arena);
  *column = G_MAXUINT;
  for (*row = 0; *row < (is_set ? 1 : q->pre->n) && *column == G_MAXUINT; (*row)++)
    *column = rsp_next_bit (rsp_matrix_row (all, *row), all->words, 0);
  *row = is_set ? *column : *row - 1;
  return *column != G_MAXUINT;
}

static void show_member (const Question *q, guint row, guint column, RspEvidence *evidence) {
  const gboolean is_pair = column != row;
  for (guint i = 0; i < (is_pair ? 2 : 1); i++) {
    add_event (q, evidence->events, i ? column : row);
    if (q->finder->every_line) {
      /* The earlier events of its thread, as further events. */
      guint number = i ? column : row;
      const RspEvent *last = q->pre->events[number];
      for (guint e = last->thread == RSP_NO_THREAD ? number + 1 : q->pre->first[last->thread];
           e <= number; e++)
        add_event (q, evidence->steps, e);
    }
  }
}

static RspNodeId diagonal (const Question *q, RspNodeId node) {
  RspDag *dag = q->model->dag;
  return rsp_dag_inter (dag, node, dag->identity);
}

/* Extends the cycle from its last event; FALSE if it is closed or the budget is exhausted. The
 * edges so far remain required, so that all of them are in one execution. */
static gboolean extend_cycle (Question *q, RspNodeId relation, GArray *cycle) {
  RspDag *dag = q->model->dag;
  guint first = g_array_index (cycle, guint, 0);
  guint last = g_array_index (cycle, guint, cycle->len - 1);
  if (may_have (q, restrict_to (q, relation, last, last + 1, first, first + 1)))
    return FALSE;
  /* The relation without the events that are already on the cycle, except for edges back to the
   * first one. */
  RspMatrix *mask = rsp_relation_new (dag->arena, dag->n);
  rsp_matrix_fill (mask);
  for (guint i = 0; i < cycle->len; i++)
    for (guint e = 0; e < dag->n; e++) {
      guint event = g_array_index (cycle, guint, i);
      rsp_matrix_remove (mask, event, e);
      if (i > 0)
        rsp_matrix_remove (mask, e, event);
    }
  RspNodeId back
      = rsp_dag_plus (dag, rsp_dag_inter (dag, relation, rsp_dag_constant (dag, FALSE, mask)));
  /* Row x: x can be next, and there is a path from it to the first event. */
  RspNodeId from_last
      = rsp_dag_inverse (dag, restrict_to (q, relation, last, last + 1, 0, q->pre->n));
  RspNodeId next
      = rsp_dag_inter (dag, rsp_dag_domain (dag, from_last),
                       rsp_dag_domain (dag, restrict_to (q, back, 0, q->pre->n, first, first + 1)));
  guint event = least (q, next, ANY_ROW);
  if (event == G_MAXUINT || cycle->len >= q->pre->n)
    return FALSE;
  require_some (q, restrict_to (q, relation, last, last + 1, event, event + 1));
  g_array_append_val (cycle, event);
  return TRUE;
}

static void show_cycle (Question *q, RspNodeId relation, GArray *events) {
  RspNodeId closed = rsp_dag_plus (q->model->dag, relation);
  guint first = least (q, diagonal (q, closed), ANY_ROW), plain = q->axioms->len;
  if (first == G_MAXUINT)
    return;
  g_autoptr (GArray) cycle = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (cycle, first);
  while (extend_cycle (q, relation, cycle))
    ;
  g_array_set_size (q->axioms, plain);
  if (is_exhausted (q))
    return;
  for (guint i = 0; i < cycle->len; i++)
    add_event (q, events, g_array_index (cycle, guint, i));
}

/* TRUE if the axiom raises its flag because of a member or cycle of its relation or set. */
static gboolean raised_by_something (const RspStagedAxiom *axiom) {
  return axiom->negated == (axiom->role == RSPCHECK_ROLE_FLAG);
}

/* The node of which a member raises the axiom's flag. */
static RspNodeId raising_node (const Question *q, const RspStagedAxiom *axiom) {
  return rsp_axiom_form (axiom->kind)->reflexive ? diagonal (q, axiom->node) : axiom->node;
}

/* ---- Flags ---- */
/* TRUE if a thread branches on an unknown value. */
static gboolean is_guessed (const RspPreExecution *pre) {
  for (guint t = 0; t < pre->program->n_threads; t++)
    if (rsp_path_is_guessed (pre->paths[t]))
      return TRUE;
  return FALSE;
}

static void begin_events (const Question *q, RspEvidence *evidence) {
  evidence->guessed = is_guessed (q->pre);
  evidence->events = g_array_new (FALSE, FALSE, sizeof (RspEvidenceEvent));
  evidence->steps = g_array_new (FALSE, FALSE, sizeof (RspEvidenceEvent));
  g_array_set_clear_func (evidence->events, clear_event);
  g_array_set_clear_func (evidence->steps, clear_event);
}

static RspEvidence *add_evidence (Finder *finder, const char *flag) {
  RspEvidence *evidence = g_new0 (RspEvidence, 1);
  evidence->flag = g_strdup (flag);
  g_ptr_array_add (finder->all, evidence);
  return evidence;
}

static RspEvidence *find_missing (const Finder *finder, const char *flag) {
  for (guint i = 0; i < finder->all->len; i++) {
    RspEvidence *evidence = finder->all->pdata[i];
    if (!evidence->events && g_str_equal (evidence->flag, flag))
      return evidence;
  }
  return NULL;
}

static const RspEvidenceEvent *first_event (const RspEvidence *evidence) {
  return &g_array_index (evidence->events, RspEvidenceEvent, 0);
}

static const RspEvidenceEvent *last_event (const RspEvidence *evidence) {
  return first_event (evidence) + evidence->events->len - 1;
}

gboolean rsp_evidence_is_on (const RspEvidence *evidence, const char *flag,
                             const RspEvidenceEvent *a, const RspEvidenceEvent *b) {
  if (!g_str_equal (evidence->flag, flag))
    return FALSE;
  const RspEvidenceEvent *first = first_event (evidence), *last = last_event (evidence);
  return (same_line (a, first) && same_line (b, last))
         || (same_line (b, first) && same_line (a, last));
}

/* Is there evidence of the flag on the lines of both? That two writes have the same value says
 * nothing of pairs that do not. */
static gboolean has_lines (const Finder *finder, const char *flag, const RspEvidenceEvent *a,
                           const RspEvidenceEvent *b, gboolean same_value) {
  for (guint i = 0; i < finder->all->len; i++) {
    const RspEvidence *evidence = finder->all->pdata[i];
    if (evidence->events && evidence->events->len && evidence->same_value <= same_value
        && rsp_evidence_is_on (evidence, flag, a, b))
      return TRUE;
  }
  return FALSE;
}

/* Searches for evidence on lines for which there is none yet: of pairs that write the same value,
 * or of others. */
static void try_every_line (Question *q, const char *flag, RspNodeId whole, gboolean same_value) {
  Finder *finder = q->finder;
  g_autofree RspEvidenceEvent *places = g_new (RspEvidenceEvent, q->pre->n + 1);
  for (guint a = 0; a < q->pre->n; a++)
    places[a] = evidence_place (q->pre->program, q->pre->events[a]);
  for (gboolean found = TRUE; found && !is_exhausted (q);) {
    RspDag *dag = q->model->dag;
    gboolean is_set = rsp_dag_node (dag, whole)->is_set;
    /* All pairs (for a set: elements) but those on lines for which there is evidence of the flag.
     */
    RspMatrix *others
        = is_set ? rsp_set_new (dag->arena, q->pre->n) : rsp_relation_new (dag->arena, q->pre->n);
    for (guint a = 0; a < q->pre->n; a++)
      for (guint b = is_set ? a : 0; b < (is_set ? a + 1 : q->pre->n); b++) {
        if (rsp_evidence_is_same_value (q->pre->events[a], q->pre->events[b]) != same_value
            || has_lines (finder, flag, &places[a], &places[b], same_value))
          continue;
        if (is_set)
          rsp_set_add (others, a);
        else
          rsp_matrix_add (others, a, b);
      }
    RspNodeId node = rsp_dag_inter (dag, whole, rsp_dag_constant (dag, is_set, others));
    guint row, column;
    require_some (q, node);
    found = (finder->sought || is_possible (q)) && find_member (q, node, &row, &column);
    if (found) {
      RspEvidence *evidence = find_missing (finder, flag);
      finder->missing -= evidence != NULL;
      if (!evidence)
        evidence = add_evidence (finder, flag);
      begin_events (q, evidence);
      evidence->same_value = same_value;
      show_member (q, row, column, evidence);
      found = !finder->sought;
    }
    g_array_set_size (q->axioms, q->axioms->len - 1);
  }
}

/* Searches for executions that raise the axiom's flag. */
static void try_axiom (Question *q, const RspStagedAxiom *axiom) {
  Finder *finder = q->finder;
  gboolean is_flag
      = axiom->role == RSPCHECK_ROLE_FLAG || axiom->role == RSPCHECK_ROLE_UNDEFINED_UNLESS;
  if (is_flag && finder->sought
      && !g_str_equal (finder->sought->flag, q->model->flags[axiom->flag]))
    return;
  if (is_flag && finder->every_line && raised_by_something (axiom)
      && !rsp_axiom_form (axiom->kind)->closed) {
    for (gboolean same_value = FALSE; same_value <= TRUE; same_value++)
      if (!finder->sought || finder->sought->same_value == same_value)
        try_every_line (q, q->model->flags[axiom->flag], raising_node (q, axiom), same_value);
    return;
  }
  RspEvidence *evidence = is_flag ? find_missing (finder, q->model->flags[axiom->flag]) : NULL;
  if (!evidence)
    return;
  RspStagedAxiom raised = *axiom;
  raised.role = RSPCHECK_ROLE_AXIOM;
  raised.negated = axiom->negated != (axiom->role == RSPCHECK_ROLE_UNDEFINED_UNLESS);
  g_array_append_val (q->axioms, raised);
  guint row, column;
  if (is_possible (q)) {
    begin_events (q, evidence);
    if (raised_by_something (axiom)) {
      if (rsp_axiom_form (axiom->kind)->closed)
        show_cycle (q, axiom->node, evidence->events);
      else if (find_member (q, raising_node (q, axiom), &row, &column))
        show_member (q, row, column, evidence);
    }
    finder->missing--;
  }
  g_array_set_size (q->axioms, q->axioms->len - 1);
}

static void try_part (Finder *finder, RspQueryPart *part) {
  for (guint k = 0; k < part->staging->n_models; k++) {
    const RspStagedModel *model = part->staging->models[k];
    /* Every execution must pass the plain axioms. */
    g_autoptr (GArray) axioms = g_array_new (FALSE, FALSE, sizeof (RspStagedAxiom));
    for (guint i = 0; i < model->n_axioms; i++)
      if (model->axioms[i].role == RSPCHECK_ROLE_AXIOM
          && !rsp_query_goes_through (finder->query, &model->axioms[i]))
        g_array_append_val (axioms, model->axioms[i]);
    Question q
        = { .finder = finder, .part = part, .pre = part->pre, .model = model, .axioms = axioms };
    for (guint j = 0; j < model->n_axioms && !is_exhausted (&q); j++)
      try_axiom (&q, &model->axioms[j]);
  }
}

/* ---- Parts by the solver ---- */
static gboolean has_new_lines (gconstpointer data, const RspEvent *a, const RspEvent *b) {
  const Lines *lines = data;
  const RspProgram *program = rsp_query_program (lines->finder->query);
  RspEvidenceEvent one = evidence_place (program, a), other = evidence_place (program, b);
  return rsp_evidence_is_same_value (a, b) == lines->same_value
         && !has_lines (lines->finder, lines->flag, &one, &other, lines->same_value);
}

/* Where there are many combinations, looks at the execution in which threads run one after the
 * other, and then at those in which the solver finds a flag on new lines. TRUE: in no others is
 * there anything new. */
static gboolean try_solved_parts (Finder *finder) {
  gboolean known = TRUE;
  RspQueryPart *serial = rsp_query_serial_part (finder->query);
  for (guint i = 0, n = finder->all->len; i < 2 * n && known; i++) {
    const char *flag = ((const RspEvidence *) finder->all->pdata[i / 2])->flag;
    const Lines lines = { finder, flag, i % 2 };
    const RspQuestion question = { .raised = flag, .counts = has_new_lines, .data = &lines };
    gboolean runs = serial && !is_guessed (serial->pre);
    RspQueryPart *part;
    while (known
           && (part = runs ? serial : rsp_query_ask_part (finder->query, &question, &known))) {
      if (is_guessed (part->pre)) /* what does not depend on such values comes first */
        return FALSE;
      guint before = finder->all->len, missing = finder->missing;
      finder->sought = &lines;
      try_part (finder, part);
      finder->sought = NULL;
      const gboolean found = finder->all->len > before || finder->missing < missing;
      known = found || runs;
      runs &= found;
    }
  }
  return known;
}

/* Those that depend on values that are not known come last. */
static void try_parts (Finder *finder) {
  if (finder->every_line && try_solved_parts (finder))
    return;
  rsp_query_list (finder->query);
  const guint n = rsp_query_n_parts (finder->query);
  g_autofree guint8 *later = g_new0 (guint8, n + 1);
  for (guint i = 0; i < 2 * n && (finder->missing || finder->every_line); i++) {
    if (i >= n && !later[i - n])
      continue;
    RspQueryPart *part = rsp_query_part (finder->query, i % n);
    if (!part)
      return;
    if (i < n && is_guessed (part->pre))
      later[i] = TRUE;
    else
      try_part (finder, part);
    rsp_query_release_part (finder->query, i % n);
  }
}

/* ---- The whole ---- */
static void free_evidence (gpointer data) {
  RspEvidence *evidence = data;
  g_free (evidence->flag);
  g_clear_pointer (&evidence->events, g_array_unref);
  g_clear_pointer (&evidence->steps, g_array_unref);
  g_free (evidence);
}

static GPtrArray *find_evidence (const RspModel *model, const RspCheckOptions *options,
                                 const RspOutcome *outcome, gboolean every_line,
                                 RspcheckStop *stop) {
  RspCheckOptions own = *options;
  own.rounds = outcome->rounds;
  Finder finder
      = { .all = g_ptr_array_new_with_free_func (free_evidence), .every_line = every_line };
  for (guint i = 0; i < outcome->n_flags; i++)
    if (outcome->flags[i].raised) {
      add_evidence (&finder, outcome->flags[i].name);
      finder.missing++;
    }
  *stop = RSPCHECK_STOP_COMPLETE;
  if (finder.missing) {
    finder.query = every_line ? rsp_query_new_solving (outcome->program, model, &own)
                              : rsp_query_new (outcome->program, model, &own);
    try_parts (&finder);
    *stop = rsp_query_stop (finder.query);
    rsp_query_free (finder.query);
  }
  /* Evidence without events is useless, and so is that of equal values where others are written. */
  for (guint i = finder.all->len; i-- > 0;) {
    const RspEvidence *evidence = finder.all->pdata[i];
    if (!evidence->events || evidence->events->len == 0
        || (evidence->same_value
            && has_lines (&finder, evidence->flag, first_event (evidence), last_event (evidence),
                          FALSE)))
      g_ptr_array_remove_index (finder.all, i);
  }
  return finder.all;
}

GPtrArray *rsp_evidence_find (const RspModel *model, const RspCheckOptions *options,
                              const RspOutcome *outcome, RspcheckStop *stop) {
  return find_evidence (model, options, outcome, FALSE, stop);
}

GPtrArray *rsp_evidence_find_every_line (const RspModel *model, const RspCheckOptions *options,
                                         const RspOutcome *outcome, RspcheckStop *stop) {
  return find_evidence (model, options, outcome, TRUE, stop);
}
