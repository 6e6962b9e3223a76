/* Which reads may be on a circle of values, or take theirs from one.
 *
 * Values that only grow on their way (read-modify-writes of a counter) justify each other on no
 * circle: once around, they would be greater than themselves. So of reads that depend on each other
 * by increments alone, all in one direction and too few to wrap, only the steps that leave values
 * as they are can be on a circle. */
#include "enumerator/search/sat/values/circles.h"
#include "enumerator/event.h"
#include "enumerator/search/sat/values/terms.h"
#include "enumerator/terms/make.h"

typedef enum Direction {
  RISES = 1,
  FALLS = 2,
  MIXED = RISES | FALLS /* or neither is known */
} Direction;

/* from: the reads that a read may take its value from, by way of writes and other reads. Of reads
 * that are all on circles with each other, the first has the directions of the steps between them.
 */
typedef struct Steps {
  const SatValuation *valuation;
  GArray *const *terms;
  RspMatrix *from;
  RspMatrix *copies; /* the steps of which circles may consist */
  guint8 *directions;
} Steps;

/* Called for each term from which `read` may take its value, and each read of it. */
typedef void (*StepVisit) (Steps *steps, guint read, const SatTerm *term, guint other);

static void visit_terms (Steps *steps, guint read, const GArray *terms, StepVisit visit) {
  for (guint k = 0; k < terms->len; k++) {
    const SatTerm *term = &g_array_index (terms, SatTerm, k);
    for (guint j = 0; j < term->n_reads; j++)
      visit (steps, read, term, term->reads[j]);
  }
}

static void steps_each (Steps *steps, StepVisit visit) {
  const SatValuation *v = steps->valuation;
  const RspPreExecution *pre = v->fold->pre;
  for (guint i = 0; i < pre->n_reads; i++)
    for (all_bits (w, rsp_matrix_row (pre->candidates, pre->reads[i]), pre->candidates->words))
      if (sat_choices_rf (v->choices, w, pre->reads[i]) != LIT_FALSE)
        visit_terms (steps, pre->reads[i], steps->terms[w], visit);
}

static void add_step (Steps *steps, guint read, const SatTerm *term, guint other) {
  (void) term;
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

/* The most that all reads can add to a value without wrapping it. */
static gint64 most_increment (const Steps *steps, guint8 bits) {
  return (G_GINT64_CONSTANT (1) << (MIN (bits, 62) - 1)) / steps->valuation->fold->pre->n_reads;
}

/* 0: a copy. MIXED: other than an increment of one type, or one that may wrap. */
static Direction step_direction (const Steps *steps, guint read, const RspTerm *term) {
  guint8 bits = steps->valuation->fold->pre->events[read]->read->bits;
  gint64 by, most = most_increment (steps, bits);
  const RspTerm *base = rsp_term_split (term, &by);
  by = rsp_wrap (by, bits, TRUE);
  if (!base || base->kind != RSP_TERM_READ || base->bits != bits || by < -most || by > most)
    return MIXED;
  return by > 0 ? RISES : by < 0 ? FALLS : 0;
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

/* ---- The whole ---- */

void sat_circles_find (SatValuation *valuation, GArray *const *terms) {
  const SatFold *fold = valuation->fold;
  const RspPreExecution *pre = fold->pre;
  Steps steps = { .valuation = valuation,
                  .terms = terms,
                  .from = rsp_relation_new (fold->arena, pre->n),
                  .copies = rsp_relation_new (fold->arena, pre->n),
                  .directions = rsp_arena_new0 (fold->arena, guint8, pre->n + 1) };
  valuation->circle = rsp_arena_new0 (fold->arena, Lit, pre->n + 1);
  steps_each (&steps, add_step);
  rsp_relation_close (steps.from);
  steps_each (&steps, note_direction);
  steps_each (&steps, add_copy);
  rsp_relation_close (steps.copies);
  for (guint i = 0; i < pre->n_reads; i++) {
    gboolean may = FALSE;
    for (all_bits (other, rsp_matrix_row (steps.from, pre->reads[i]), steps.from->words))
      may |= rsp_matrix_get (steps.copies, other, other);
    valuation->circle[pre->reads[i]] = may ? circuit_input (fold->circuit) : LIT_FALSE;
  }
}
