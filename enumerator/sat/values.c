/* Values of events, and final states, as literals. */
#include "enumerator/execution.h"
#include "enumerator/sat/internal.h"
#include "enumerator/search/search.h"
#include "enumerator/terms/terms.h"
#include "enumerator/values/values.h"

#include <string.h>

/* A term of a thread on some of its paths. */
typedef struct SatTerm {
  const RspTerm *term;
  guint n_reads;
  guint *reads;     /* events of the fold */
  guint *numbers;   /* their numbers on the path */
  RspMatrix *paths; /* on which it is this */
} SatTerm;

/* Called for each combination of values of a term's reads, with the literals of these values and of
 * the term's paths, and the term's value; defined: FALSE if it has none (a division by zero). */
typedef void (*SatVisit) (gpointer data, const Lit *conditions, guint n, gboolean defined,
                          gint64 value);

/* ---- Terms ---------------------------------------------------------------------------------- */

/* Terms of threads, and their values on all combinations of values of their reads. */

enum {
  MOST_COMBINATIONS = 1 << 14 /* of values of the reads of one term */
};

/* Adds a term of a path to the terms (of SatTerm); equal ones of several paths are one. */
static void sat_terms_add (const SatFold *fold, guint thread, guint path, const RspTerm *term,
                           GArray *terms) {
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  rsp_term_add_reads (term, numbers);
  guint n = numbers->len;
  guint *reads = rsp_arena_new0 (fold->arena, guint, n + 1);
  for (guint i = 0; i < n; i++)
    reads[i] = sat_fold_event (fold, thread, path, g_array_index (numbers, guint, i));
  for (guint i = 0; i < terms->len; i++) {
    const SatTerm *known = &g_array_index (terms, SatTerm, i);
    if (known->term == term && known->n_reads == n
        && memcmp (known->reads, reads, n * sizeof *reads) == 0) {
      rsp_set_add (known->paths, path);
      return;
    }
  }
  SatTerm new_term = { .term = term, .n_reads = n, .reads = reads };
  new_term.numbers = rsp_arena_copy (fold->arena, numbers->data, n * sizeof (guint));
  new_term.paths = rsp_set_new (fold->arena, fold->threads[thread].n_paths);
  rsp_set_add (new_term.paths, path);
  g_array_append_val (terms, new_term);
}

typedef struct Visiting {
  SatValuation *valuation;
  const SatTerm *term;
  RspValue *reads; /* by number on the path */
  Lit *conditions;
  SatVisit visit;
  gpointer data;
} Visiting;

/* Visits all values of the reads from number i on. */
static void visit_from (const Visiting *v, guint i) {
  const SatTerm *term = v->term;
  if (i == term->n_reads) {
    RspValue value = { 0 };
    gboolean defined = rsp_term_evaluate (term->term, v->reads, &value, NULL);
    v->visit (v->data, v->conditions, i + 1, defined, value.bits);
    return;
  }
  const SatValues *values = &v->valuation->read[term->reads[i]];
  for (guint j = 0; j < values->n; j++) {
    v->reads[term->numbers[i]] = (RspValue){ .bits = values->values[j] };
    v->conditions[i] = values->lits ? values->lits[j] : LIT_TRUE;
    visit_from (v, i + 1);
  }
}

/* Visits all combinations of values. on_path: a path with the term is taken. FALSE, with a refusal,
 * if there are too many. */
static gboolean sat_terms_each (SatValuation *valuation, const SatTerm *term, Lit on_path,
                                SatVisit visit, gpointer data) {
  gsize n = 1;
  guint most = 0;
  for (guint i = 0; i < term->n_reads; i++) {
    n *= valuation->read[term->reads[i]].n;
    most = MAX (most, term->numbers[i]);
    if (n > MOST_COMBINATIONS) {
      valuation->refusal = "a value depends on reads that may have too many values";
      return FALSE;
    }
  }
  g_autofree RspValue *reads = g_new0 (RspValue, most + 1);
  g_autofree Lit *conditions = g_new0 (Lit, term->n_reads + 2);
  conditions[term->n_reads] = on_path;
  Visiting v = { valuation, term, reads, conditions, visit, data };
  visit_from (&v, 0);
  return TRUE;
}

/* ---- Value sets ----------------------------------------------------------------------------- */

enum {
  MOST_VALUES = 256 /* of one event */
};

/* ---- Sets ---- */
/* TRUE if it is new. */
static gboolean add_value (SatValuation *v, SatValues *values, gint64 value) {
  guint at = 0;
  while (at < values->n && values->values[at] < value)
    at++;
  if (at < values->n && values->values[at] == value)
    return FALSE;
  if (values->n == MOST_VALUES) {
    v->refusal = "a read may have too many values";
    return FALSE;
  }
  if (!values->values)
    values->values = rsp_arena_new0 (v->fold->arena, gint64, MOST_VALUES);
  memmove (&values->values[at + 1], &values->values[at], (values->n - at) * sizeof (gint64));
  values->values[at] = value;
  values->n++;
  return TRUE;
}

/* All values of another set. */
static gboolean add_values (SatValuation *v, SatValues *to, const SatValues *from) {
  gint64 all[2 * MOST_VALUES];
  guint n = 0;
  for (guint i = 0, j = 0; i < to->n || j < from->n; n++) {
    const gboolean own = j == from->n || (i < to->n && to->values[i] <= from->values[j]);
    all[n] = own ? to->values[i] : from->values[j];
    i += own;
    j += j < from->n && from->values[j] == all[n];
  }
  if (n == to->n)
    return FALSE;
  if (n > MOST_VALUES) {
    v->refusal = "a read may have too many values";
    return FALSE;
  }
  if (!to->values)
    to->values = rsp_arena_new0 (v->fold->arena, gint64, MOST_VALUES);
  memcpy (to->values, all, n * sizeof *all);
  to->n = n;
  return TRUE;
}

typedef struct Adding {
  SatValuation *valuation;
  SatValues *values;
  gboolean grew;
} Adding;

static void add_written (gpointer data, G_GNUC_UNUSED const Lit *conditions, G_GNUC_UNUSED guint n,
                         gboolean defined, gint64 value) {
  Adding *adding = data;
  if (defined)
    adding->grew |= add_value (adding->valuation, adding->values, value);
}

/* While sets are sought, reads have no literals. */
static gboolean grow_write (SatValuation *v, guint write, const GArray *terms) {
  Adding adding = { v, &v->written[write], FALSE };
  const RspEvent *event = v->fold->pre->events[write];
  if (rsp_event_is_initial (event))
    return add_value (v, adding.values, event->written->constant);
  for (guint i = 0; i < terms->len && !v->refusal; i++)
    sat_terms_each (v, &g_array_index (terms, SatTerm, i), LIT_TRUE, add_written, &adding);
  return adding.grew;
}

static gboolean grow_read (SatValuation *v, guint read) {
  const RspMatrix *candidates = v->fold->pre->candidates;
  gboolean grew = FALSE;
  if (rsp_event_reads_any (v->fold->pre->events[read]))
    return FALSE;
  for (all_bits (write, rsp_matrix_row (candidates, read), candidates->words))
    if (sat_choices_rf (v->choices, write, read) != LIT_FALSE)
      grew |= add_values (v, &v->read[read], &v->written[write]);
  return grew;
}

/* ---- All events ---- */
/* Finds the values that each event may read and write. terms: per event, of SatTerm; NULL: it
 * writes nothing. FALSE, with a refusal, if there are too many values. */
static gboolean value_sets_find (SatValuation *v, GArray *const *terms) {
  const SatFold *fold = v->fold;
  guint n = fold->pre->n;
  v->read = rsp_arena_new0 (fold->arena, SatValues, n + 1);
  v->written = rsp_arena_new0 (fold->arena, SatValues, n + 1);
  g_autofree gboolean *passed_on = g_new0 (gboolean, n + 1);
  /* The reads that terms depend on. */
  for (guint w = 0; w < fold->pre->n; w++)
    for (guint i = 0; terms[w] && i < terms[w]->len; i++) {
      const SatTerm *term = &g_array_index (terms[w], SatTerm, i);
      for (guint j = 0; j < term->n_reads; j++)
        passed_on[term->reads[j]] = TRUE;
    }
  /* The most reads of an execution that pass values on. */
  guint k = 0;
  for (guint t = 0; t < fold->program->n_threads; t++) {
    guint most = 0;
    for (guint p = 0; p < fold->threads[t].n_paths; p++) {
      guint here = 0;
      for (guint e = 0; e < fold->threads[t].paths[p]->n_events; e++)
        here += passed_on[sat_fold_event (fold, t, p, e)];
      most = MAX (most, here);
    }
    k += most;
  }
  gboolean grows = TRUE;
  for (guint i = 0; i <= k + 1 && grows && !v->refusal; i++) {
    grows = FALSE;
    for (guint w = 0; w < n && !v->refusal && !rsp_arena_is_exhausted (fold->arena); w++)
      if (terms[w])
        grows |= grow_write (v, w, terms[w]);
    for (guint j = 0; j < fold->pre->n_reads && !v->refusal; j++)
      grows |= grow_read (v, fold->pre->reads[j]);
  }
  return !v->refusal;
}

/* ---- Circles -------------------------------------------------------------------------------- */

/* Which reads may be on a circle of values, or take theirs from one, or from a read that returns
 * any value.
 *
 * Values that only grow on their way (read-modify-writes of a counter) justify each other on no
 * circle: once around, they would be greater than themselves. So of reads that depend on each other
 * by increments alone, all in one direction and too few to wrap, only copies can be on a circle.
 *
 * Nor do those of one location, if its accesses are in an order in which each read returns the last
 * value: a write comes after the reads of its thread that it depends on. */

typedef enum Direction {
  RISES = 1,
  FALLS = 2,
  MIXED = RISES | FALLS /* or neither is known */
} Direction;

/* from: the reads that a read may take its value from, by way of writes and other reads.
 * directions: of the first of the reads that are on circles with each other, those of the steps
 * between them. */
typedef struct Steps {
  const SatValuation *valuation;
  GArray *const *terms;
  RspMatrix *from;
  RspMatrix *copies; /* the steps that may form circles */
  guint8 *directions;
} Steps;

/* Called for each term from which `read` may take its value, and each read of it. */
typedef void (*StepVisit) (Steps *steps, guint read, const SatTerm *term, guint other);

static void steps_each (Steps *steps, StepVisit visit) {
  const SatValuation *v = steps->valuation;
  const RspPreExecution *pre = v->fold->pre;
  for (guint i = 0; i < pre->n_reads; i++)
    for (all_bits (w, rsp_matrix_row (pre->candidates, pre->reads[i]), pre->candidates->words))
      if (!rsp_event_reads_any (pre->events[pre->reads[i]])
          && sat_choices_rf (v->choices, w, pre->reads[i]) != LIT_FALSE) {
        for (guint k = 0; k < steps->terms[w]->len; k++) {
          const SatTerm *term = &g_array_index (steps->terms[w], SatTerm, k);
          for (guint j = 0; j < term->n_reads; j++)
            visit (steps, pre->reads[i], term, term->reads[j]);
        }
      }
}

static void add_step (Steps *steps, guint read, G_GNUC_UNUSED const SatTerm *term, guint other) {
  rsp_matrix_add (steps->from, read, other);
}

/* ---- Increments ---- */
/* The first of the reads that are on circles with this one. */
static guint first_around (const Steps *steps, guint read) {
  for (all_bits (other, rsp_matrix_row (steps->from, read), steps->from->words))
    if (rsp_matrix_get (steps->from, other, read))
      return other;
  return read;
}

/* 0: a copy. MIXED: other than an increment of one type, or one that may wrap. */
static Direction step_direction (const Steps *steps, guint read, const RspTerm *term) {
  guint8 bits = steps->valuation->fold->pre->events[read]->read->bits;
  /* The most that all reads can add to a value without wrapping it. */
  gint64 by,
      most = (G_GINT64_CONSTANT (1) << (MIN (bits, 62) - 1)) / steps->valuation->fold->pre->n_reads;
  const RspTerm *base = rsp_term_split (term, &by);
  by = rsp_wrap (by, bits, TRUE);
  if (!base || base->kind != RSP_TERM_READ || base->bits != bits || by < -most || by > most)
    return MIXED;
  if (!by)
    return 0;
  return by > 0 ? RISES : FALLS;
}

static void note_direction (Steps *steps, guint read, const SatTerm *term, guint other) {
  if (rsp_matrix_get (steps->from, other, read))
    steps->directions[first_around (steps, read)] |= step_direction (steps, read, term->term);
}

static void add_copy (Steps *steps, guint read, const SatTerm *term, guint other) {
  if (rsp_matrix_get (steps->from, other, read)
      && (steps->directions[first_around (steps, read)] == MIXED
          || step_direction (steps, read, term->term) == 0))
    rsp_matrix_add (steps->copies, read, other);
}

/* ---- One location ---- */
static gboolean is_on_circle (const Steps *steps, guint read, RspScreen *screen) {
  const RspEvent *const *events = steps->valuation->fold->pre->events;
  const RspMatrix *copies = steps->copies;
  if (!rsp_matrix_get (copies, read, read))
    return FALSE;
  for (all_bits (other, rsp_matrix_row (copies, read), copies->words))
    if (rsp_matrix_get (copies, other, read) && events[other]->location != events[read]->location)
      return TRUE;
  return !screen || !rsp_screen_is_coherent (screen, events[read]->location);
}

/* A set: the reads that may be on circles. */
static RspMatrix *find_circles (Steps *steps, RspScreen *screen) {
  const RspPreExecution *pre = steps->valuation->fold->pre;
  RspMatrix *circles = rsp_set_new (steps->valuation->fold->arena, pre->n);
  steps_each (steps, add_step);
  rsp_relation_close (steps->from);
  steps_each (steps, note_direction);
  steps_each (steps, add_copy);
  rsp_relation_close (steps->copies);
  for (guint i = 0; i < pre->n_reads; i++)
    if (is_on_circle (steps, pre->reads[i], screen))
      rsp_set_add (circles, pre->reads[i]);
  return circles;
}

/* ---- Values --------------------------------------------------------------------------------- */

/* Holds if the value is this one. */
static Lit sat_values_is (const SatValues *values, gint64 value) {
  for (guint i = 0; i < values->n; i++)
    if (values->values[i] == value)
      return values->lits[i];
  return LIT_FALSE;
}

Lit rsp_sat_values_circle (const SatValuation *v) {
  g_autoptr (GArray) circles = g_array_new (FALSE, FALSE, sizeof (Lit));
  for (guint e = 0; e < v->fold->pre->n; e++)
    if (v->circle[e] != LIT_FALSE) {
      Lit here = circuit_and (v->fold->circuit, v->circle[e], v->fold->exists[e]);
      g_array_append_val (circles, here);
    }
  return circuit_or_all (v->fold->circuit, (Lit *) (gpointer) circles->data, circles->len);
}

/* ---- Literals ---- */
typedef struct Writing {
  SatValuation *valuation;
  const SatValues *values;
} Writing;

static void write_value (gpointer data, const Lit *conditions, guint n, gboolean defined,
                         gint64 value) {
  const Writing *w = data;
  circuit_imply_from (w->valuation->fold->circuit, conditions, n,
                      defined ? sat_values_is (w->values, value) : LIT_FALSE);
}

static void give_lits (const SatFold *fold, SatValues *values) {
  values->lits = rsp_arena_new0 (fold->arena, Lit, values->n + 1);
  for (guint i = 0; i < values->n; i++)
    values->lits[i] = circuit_input (fold->circuit);
}

/* A read that exists has its source's value: a number, or one of a circle, or (perhaps also) an
 * unknown one. */
static void encode_read (SatValuation *v, guint read, const Lit *circles) {
  Circuit *circuit = v->fold->circuit;
  const RspPreExecution *pre = v->fold->pre;
  const SatValues *values = &v->read[read];
  g_autofree Lit *one = g_new (Lit, values->n + 3);
  for (guint i = 0; i < values->n; i++)
    one[i] = values->lits[i];
  one[values->n] = v->unknown[read];
  if (v->unknown[read] != LIT_FALSE)
    circuit_at_most_one (circuit, one, values->n + 1);
  one[values->n] = v->circle[read];
  circuit_at_most_one (circuit, one, values->n + (v->circle[read] != LIT_FALSE));
  one[values->n + 1] = v->unknown[read];
  one[values->n + 2] = lit_not (v->fold->exists[read]);
  circuit_clause (circuit, one, values->n + 3);
  for (all_bits (write, rsp_matrix_row (pre->candidates, read), pre->candidates->words)) {
    Lit from = sat_choices_rf (v->choices, write, read);
    const SatValues *written = &v->written[write];
    for (guint i = 0; from != LIT_FALSE && i < written->n; i++)
      circuit_imply_from (circuit, (Lit[]){ from, written->lits[i] }, 2,
                          sat_values_is (values, written->values[i]));
    circuit_imply_from (circuit, (Lit[]){ from, circles[write] }, 2, v->circle[read]);
    circuit_imply_from (circuit, (Lit[]){ from, v->circle[read] }, 2, circles[write]);
    circuit_imply_from (circuit, (Lit[]){ from, v->written_unknown[write] }, 2, v->unknown[read]);
    circuit_imply_from (circuit, (Lit[]){ from, v->unknown[read] }, 2, v->written_unknown[write]);
  }
}

/* The path has a term that depends on one of the reads for which `reads` holds. */
static Lit some_reads (const SatValuation *v, guint thread, const GArray *terms, const Lit *reads) {
  Circuit *circuit = v->fold->circuit;
  Lit any = LIT_FALSE;
  for (guint i = 0; i < terms->len; i++) {
    const SatTerm *term = &g_array_index (terms, SatTerm, i);
    Lit from = LIT_FALSE;
    for (guint j = 0; j < term->n_reads; j++)
      from = circuit_or (circuit, from, reads[term->reads[j]]);
    any = circuit_or (circuit, any,
                      circuit_and (circuit, from, sat_fold_takes (v->fold, thread, term->paths)));
  }
  return any;
}

static void encode (SatValuation *v, GArray *const *terms) {
  const RspPreExecution *pre = v->fold->pre;
  Lit *circles = rsp_arena_new0 (v->fold->arena, Lit, pre->n + 1);
  for (guint i = 0; i < pre->n_reads; i++)
    give_lits (v->fold, &v->read[pre->reads[i]]);
  for (guint w = 0; w < pre->n && !v->refusal; w++)
    if (terms[w]) {
      guint thread = pre->events[w]->thread;
      circles[w] = some_reads (v, thread, terms[w], v->circle);
      v->written_unknown[w] = some_reads (v, thread, terms[w], v->unknown);
      /* A write's value follows from the path and its reads. */
      SatValues *values = &v->written[w];
      give_lits (v->fold, values);
      if (values->n == 1 && circles[w] == LIT_FALSE && v->written_unknown[w] == LIT_FALSE)
        values->lits[0] = LIT_TRUE;
      for (guint i = 0; i < terms[w]->len && !v->refusal; i++) {
        const SatTerm *term = &g_array_index (terms[w], SatTerm, i);
        sat_terms_each (v, term, sat_fold_takes (v->fold, thread, term->paths), write_value,
                        &(Writing){ v, values });
      }
    }
  for (guint i = 0; i < pre->n_reads && !v->refusal; i++)
    if (!rsp_event_reads_any (pre->events[pre->reads[i]]))
      encode_read (v, pre->reads[i], circles);
}

/* ---- Constraints ---- */
static void forbid_zero (gpointer circuit, const Lit *conditions, guint n, gboolean defined,
                         gint64 value) {
  if (!defined || !value)
    circuit_imply_from (circuit, conditions, n - 1, lit_not (conditions[n - 1]));
}

static void encode_constraints (SatValuation *v, guint thread) {
  const SatThread *t = &v->fold->threads[thread];
  g_autoptr (GArray) terms = g_array_new (FALSE, FALSE, sizeof (SatTerm));
  for (guint p = 0; p < t->n_paths; p++)
    for (guint i = 0; i < t->paths[p]->n_constraints; i++)
      sat_terms_add (v->fold, thread, p, t->paths[p]->constraints[i].term, terms);
  for (guint i = 0; i < terms->len && !v->refusal; i++) {
    const SatTerm *term = &g_array_index (terms, SatTerm, i);
    sat_terms_each (v, term, sat_fold_takes (v->fold, thread, term->paths), forbid_zero,
                    v->fold->circuit);
  }
}

/* ---- All values ---- */
/* Why some values have no numbers, as they depend on what the language leaves open; NULL: all have.
 */
static const char *why_without_numbers (const SatFold *fold, gboolean takes_any) {
  for (guint i = 0; i < fold->program->n_locations; i++)
    if (!takes_any && fold->program->locations[i].open)
      return "the program has values that nothing determines";
  for (guint t = 0; t < fold->program->n_threads; t++)
    for (guint p = 0; p < fold->threads[t].n_paths; p++) {
      const RspPath *path = fold->threads[t].paths[p];
      gboolean is_free = path->n_free > 0;
      for (guint e = 0; e < path->n_events; e++)
        if (!takes_any && rsp_event_reads_any (&path->events[e]))
          return "reads may return any value";
      for (guint e = 0; e < path->n_events; e++)
        is_free |= path->events[e].written && path->events[e].written->is_free;
      for (guint i = 0; i < path->n_constraints; i++)
        is_free |= path->constraints[i].term->is_free;
      for (guint i = 0; i < fold->program->threads[t].n_registers; i++)
        is_free |= path->finals[i] && path->finals[i]->is_free;
      if (is_free)
        return "the program has values that depend on unknown functions";
    }
  return NULL;
}

SatValuation *rsp_sat_values_new (const SatFold *fold, const SatChoices *choices,
                                  gboolean takes_any, RspScreen *screen) {
  SatValuation *v = rsp_arena_new0 (fold->arena, SatValuation, 1);
  *v = (SatValuation){ .fold = fold,
                       .choices = choices,
                       .refusal = why_without_numbers (fold, takes_any) };
  if (v->refusal)
    return v;
  /* Per event: the terms that it writes on its paths; NULL: it writes nothing. */
  const RspPreExecution *pre = fold->pre;
  GArray **terms = rsp_arena_new0 (fold->arena, GArray *, pre->n + 1);
  for (guint w = 0; w < pre->n; w++) {
    guint thread = pre->events[w]->thread;
    if (!rsp_event_is_write (pre->events[w]))
      continue;
    terms[w] = g_array_new (FALSE, FALSE, sizeof (SatTerm));
    for (guint p = 0; thread != RSP_NO_THREAD && p < fold->threads[thread].n_paths; p++)
      if (sat_fold_place (fold, w, p) != G_MAXUINT)
        sat_terms_add (fold, thread, p,
                       fold->threads[thread].paths[p]->events[sat_fold_place (fold, w, p)].written,
                       terms[w]);
  }
  if (value_sets_find (v, terms)) {
    /* Reads that may have a value of a circle, or an unknown one, get literals for that. */
    Steps steps = { .valuation = v,
                    .terms = terms,
                    .from = rsp_relation_new (fold->arena, pre->n),
                    .copies = rsp_relation_new (fold->arena, pre->n),
                    .directions = rsp_arena_new0 (fold->arena, guint8, pre->n + 1) };
    v->circle = rsp_arena_new0 (fold->arena, Lit, pre->n + 1);
    v->unknown = rsp_arena_new0 (fold->arena, Lit, pre->n + 1);
    v->written_unknown = rsp_arena_new0 (fold->arena, Lit, pre->n + 1);
    const RspMatrix *circles = find_circles (&steps, screen);
    for (guint i = 0; i < pre->n_reads; i++) {
      const guint read = pre->reads[i];
      gboolean of_circle = FALSE, of_any = FALSE;
      for (all_bits (other, rsp_matrix_row (steps.from, read), steps.from->words)) {
        of_circle |= rsp_set_has (circles, other);
        of_any |= rsp_event_reads_any (pre->events[other]);
      }
      v->circle[read] = of_circle ? circuit_input (fold->circuit) : LIT_FALSE;
      if (rsp_event_reads_any (pre->events[read]))
        v->unknown[read] = fold->exists[read];
      else if (of_any)
        v->unknown[read] = circuit_input (fold->circuit);
    }
    encode (v, terms);
    for (guint t = 0; t < fold->program->n_threads && !v->refusal; t++)
      encode_constraints (v, t);
  }
  for (guint e = 0; e < fold->pre->n; e++)
    if (terms[e])
      g_array_unref (terms[e]);
  return v;
}

/* ---- States --------------------------------------------------------------------------------- */

/* ---- Values ---- */
Lit sat_value_obtain (Circuit *circuit, GArray *values, GArray *lits, gint64 value) {
  for (guint i = 0; i < values->len; i++)
    if (g_array_index (values, gint64, i) == value)
      return g_array_index (lits, Lit, i);
  Lit lit = circuit_input (circuit);
  g_array_append_val (values, value);
  g_array_append_val (lits, lit);
  return lit;
}

typedef struct Observing {
  Circuit *circuit;
  GArray *values, *lits;
  Lit unknown; /* the value is unknown */
  Lit open;    /* as it is the initial one, which is open */
  Lit *finals; /* of a location, per event: it is the last write; LIT_FALSE: it cannot be */
} Observing;

static void observe_value (gpointer data, const Lit *conditions, guint n, gboolean defined,
                           gint64 value) {
  const Observing *o = data;
  circuit_imply_from (o->circuit, conditions, n,
                      sat_value_obtain (o->circuit, o->values, o->lits, defined ? value : 0));
}

/* The value of a last write, if anything accesses the location, else the initial one. */
static void observe_location (SatValuation *v, guint location, Observing *observing) {
  const SatFold *fold = v->fold;
  const RspPreExecution *pre = fold->pre;
  gint64 first = fold->program->locations[location].initial;
  guint initial = pre->initial[location];
  Lit accessed = initial == G_MAXUINT ? LIT_FALSE : fold->exists[initial];
  const gboolean is_open = fold->program->locations[location].open;
  if (!is_open && accessed != LIT_TRUE)
    circuit_imply (fold->circuit, lit_not (accessed),
                   sat_value_obtain (fold->circuit, observing->values, observing->lits, first));
  g_autoptr (GArray) finals = g_array_new (FALSE, FALSE, sizeof (Lit));
  for (guint w = 0; w < pre->n; w++) {
    if (!rsp_event_is_write (pre->events[w]) || pre->events[w]->location != location)
      continue;
    Lit final = observing->finals[w] = circuit_input (fold->circuit);
    g_array_append_val (finals, final);
    observing->unknown = circuit_or (fold->circuit, observing->unknown,
                                     circuit_and (fold->circuit, final, v->written_unknown[w]));
    circuit_imply (fold->circuit, final, fold->exists[w]);
    for (guint other = 0; other < pre->n; other++)
      circuit_imply (fold->circuit, final,
                     lit_not (sat_choices_ordered (v->choices, &v->choices->co, w, other)));
    for (guint i = 0; i < v->written[w].n && !(is_open && w == initial); i++)
      circuit_imply_from (fold->circuit, (Lit[]){ final, v->written[w].lits[i] }, 2,
                          sat_value_obtain (fold->circuit, observing->values, observing->lits,
                                            v->written[w].values[i]));
  }
  Lit not_accessed = lit_not (accessed);
  if (is_open) {
    const Lit keeps[]
        = { not_accessed, initial == G_MAXUINT ? LIT_FALSE : observing->finals[initial],
            lit_not (observing->open = circuit_input (fold->circuit)) };
    for (guint i = 0; i < 2; i++)
      circuit_imply (fold->circuit, keeps[i], observing->open);
    circuit_clause (fold->circuit, keeps, G_N_ELEMENTS (keeps));
    observing->unknown = circuit_or (fold->circuit, observing->unknown, observing->open);
  }
  g_array_append_val (finals, not_accessed);
  circuit_clause (fold->circuit, (Lit *) (gpointer) finals->data, finals->len);
}

/* A value that depends on a circle has no number, but is one value. */
static void observe (SatStates *states, guint i) {
  SatValuation *v = states->valuation;
  const RspObservable *observable = &v->fold->program->observables[i];
  Observing observing = { .circuit = v->fold->circuit,
                          .values = g_array_new (FALSE, FALSE, sizeof (gint64)),
                          .lits = g_array_new (FALSE, FALSE, sizeof (Lit)),
                          .finals = rsp_arena_new0 (v->fold->arena, Lit, v->fold->pre->n + 1) };
  if (observable->is_register) {
    const SatFold *fold = v->fold;
    const SatThread *thread = &fold->threads[observable->thread];
    g_autoptr (GArray) terms = g_array_new (FALSE, FALSE, sizeof (SatTerm));
    for (guint p = 0; p < thread->n_paths; p++)
      if (thread->paths[p]->end == RSP_PATH_COMPLETE)
        sat_terms_add (fold, observable->thread, p, thread->paths[p]->finals[observable->reg],
                       terms);
    for (guint j = 0; j < terms->len && !v->refusal; j++) {
      const SatTerm *term = &g_array_index (terms, SatTerm, j);
      sat_terms_each (v, term, sat_fold_takes (fold, observable->thread, term->paths),
                      observe_value, &observing);
    }
    if (!v->refusal)
      observing.unknown = some_reads (v, observable->thread, terms, v->unknown);
  } else
    observe_location (v, observable->location, &observing);
  SatValues *values = &states->observed[i];
  values->n = observing.values->len;
  values->values
      = rsp_arena_copy (v->fold->arena, observing.values->data, values->n * sizeof (gint64));
  values->lits = rsp_arena_copy (v->fold->arena, observing.lits->data, values->n * sizeof (Lit));
  g_array_append_val (observing.lits, observing.unknown);
  circuit_at_most_one (v->fold->circuit, (Lit *) (gpointer) observing.lits->data,
                       values->n + (observing.unknown != LIT_FALSE));
  states->unknown[i] = observing.unknown;
  states->open[i] = observing.open;
  states->finals[i] = observing.finals;
  g_array_unref (observing.values);
  g_array_unref (observing.lits);
}

SatStates *sat_states_new (SatValuation *valuation) {
  const SatFold *fold = valuation->fold;
  SatStates *states = rsp_arena_new0 (fold->arena, SatStates, 1);
  states->valuation = valuation;
  states->observed = rsp_arena_new0 (fold->arena, SatValues, fold->program->n_observables + 1);
  states->unknown = rsp_arena_new0 (fold->arena, Lit, fold->program->n_observables + 1);
  states->open = rsp_arena_new0 (fold->arena, Lit, fold->program->n_observables + 1);
  states->finals = rsp_arena_new0 (fold->arena, Lit *, fold->program->n_observables + 1);
  for (guint i = 0; i < fold->program->n_observables && !valuation->refusal; i++)
    observe (states, i);
  return states;
}

/* ---- Propositions ---- */
/* An operand's value number i, and its literal. FALSE after the last one. */
static gboolean operand_value (const SatStates *states, const RspOperand *operand, guint i,
                               RspValue *value, Lit *lit) {
  if (!operand->is_observable) {
    *value = (RspValue){ .bits = operand->constant };
    *lit = LIT_TRUE;
    return i == 0;
  }
  const SatValues *values = &states->observed[operand->observable];
  if (i >= values->n)
    return FALSE;
  *value = (RspValue){ .bits = values->values[i] };
  *lit = values->lits[i];
  return TRUE;
}

static Lit is_unknown (const SatStates *states, const RspOperand *operand) {
  return operand->is_observable ? states->unknown[operand->observable] : LIT_FALSE;
}

Lit sat_states_may_be (const SatStates *states, const RspProp *prop, gboolean truth) {
  Circuit *circuit = states->valuation->fold->circuit;
  switch (prop->kind) {
  case RSP_PROP_TRUE:
  case RSP_PROP_FALSE:
    return truth == (prop->kind == RSP_PROP_TRUE) ? LIT_TRUE : LIT_FALSE;
  case RSP_PROP_ATOM: {
    RspValue left, right;
    Lit is_left, is_right, any = LIT_FALSE; /* of values that are known */
    for (guint i = 0; operand_value (states, &prop->left, i, &left, &is_left); i++)
      for (guint j = 0; operand_value (states, &prop->right, j, &right, &is_right); j++)
        if (rsp_atom_truth (states->valuation->fold->program, prop, left, right) == RSP_HOLDS)
          any = circuit_or (circuit, any, circuit_and (circuit, is_left, is_right));
    return truth ? circuit_or (circuit, any,
                               circuit_or (circuit, is_unknown (states, &prop->left),
                                           is_unknown (states, &prop->right)))
                 : lit_not (any);
  }
  case RSP_PROP_NOT:
    return sat_states_may_be (states, prop->a, !truth);
  case RSP_PROP_AND:
  case RSP_PROP_OR:
  case RSP_PROP_IMPLIES: {
    Lit a = sat_states_may_be (states, prop->a, truth ^ (prop->kind == RSP_PROP_IMPLIES));
    Lit b = sat_states_may_be (states, prop->b, truth);
    return truth == (prop->kind == RSP_PROP_AND) ? circuit_and (circuit, a, b)
                                                 : circuit_or (circuit, a, b);
  }
  }
  g_assert_not_reached ();
}

/* ---- States ---- */
gboolean sat_states_read (const SatStates *states, RspValue *state) {
  const SatFold *fold = states->valuation->fold;
  gboolean are_known = TRUE;
  for (guint i = 0; i < fold->program->n_observables; i++) {
    const SatValues *values = &states->observed[i];
    state[i] = (RspValue){ 0 };
    for (guint j = 0; j < values->n; j++)
      if (circuit_value (fold->circuit, values->lits[j]))
        state[i].bits = values->values[j];
    if (states->open[i] == LIT_FALSE || !circuit_value (fold->circuit, states->open[i]))
      continue;
    state[i] = rsp_final_value (fold->pre, fold->program->observables[i].location, G_MAXUINT, NULL);
    are_known = FALSE;
  }
  return are_known;
}

void sat_states_describe (const SatStates *states, const RspValue *state, GArray *lits) {
  const RspProgram *program = states->valuation->fold->program;
  for (guint i = 0; i < program->n_observables; i++) {
    Lit lit
        = state[i].unknown ? states->open[i] : sat_values_is (&states->observed[i], state[i].bits);
    if (!program->filter_only || !program->filter_only[i])
      g_array_append_val (lits, lit);
  }
}
