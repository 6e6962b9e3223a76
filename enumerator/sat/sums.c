/* What read-modify-writes that add numbers find: sums.
 *
 * Where each read-modify-write of a location follows the write that it reads, it finds what the
 * last write of another kind wrote, and what was added since. That follows from coherence, values
 * and sources, but only by way of every order in which the numbers may have been added: a proof
 * that the readers of a lock have left, as their number is 0, takes the solver a step for each set
 * of readers. So sums are added up, write by write, in an order of the text. */
#include "enumerator/execution.h"
#include "enumerator/sat/internal.h"
#include "enumerator/search/search.h"
#include "enumerator/terms/terms.h"

enum {
  FEWEST = 3,          /* such read-modify-writes of a location that are worth it */
  MOST_SUMS = 64,      /* different ones, of some of the numbers */
  MOST_STEPS = 1 << 16 /* in which they are added up, of all that may find them */
};

/* A number, and what a read of the path returns (G_MAXUINT: nothing), modulo 2^bits. */
typedef struct Linear {
  guint read;
  gint64 number;
} Linear;

typedef struct Sums {
  const SatProblem *problem;
  guint location;
  GArray *updates;     /* of guint: events that add a number */
  GArray *others;      /* the same: all other writes */
  guint64 *numbers;    /* per event: what it adds */
  const RspTerm *type; /* a term of the type in which they are added */
} Sums;

/* The sums of the first few numbers that may be, each with a literal. */
typedef struct Level {
  guint n;
  gint64 sums[MOST_SUMS];
  Lit lits[MOST_SUMS];
} Level;

/* ---- What is added -------------------------------------------------------------------------- */

static gboolean as_linear (const RspTerm *term, Linear *linear) {
  gint64 number;
  const RspTerm *read = rsp_term_split (term, &number);
  *linear = (Linear){ read ? read->event : G_MAXUINT, number };
  return !read || (read->kind == RSP_TERM_READ && read->bits == term->bits);
}

/* Does the read-modify-write add a number to what it reads? As the conditions of its path say, so
 * does one that compares. */
static gboolean find_number (const RspPath *path, guint event, guint64 *number) {
  const RspTerm *term = path->events[event].written;
  Linear written, sides[2];
  if (path->events[event].kind != RSP_EVENT_RMW || !term || !as_linear (term, &written))
    return FALSE;
  *number = (guint64) written.number;
  if (written.read == event)
    return TRUE;
  for (guint i = 0; i < path->n_constraints; i++) {
    const RspTerm *equal = path->constraints[i].term;
    if (equal->kind != RSP_TERM_BINARY || equal->op != RSP_OP_EQ || equal->a->bits != term->bits
        || !as_linear (equal->a, &sides[0]) || !as_linear (equal->b, &sides[1]))
      continue;
    const guint own = sides[1].read == event;
    if (sides[own].read == event && sides[!own].read == written.read) {
      *number += (guint64) sides[own].number - (guint64) sides[!own].number;
      return TRUE;
    }
  }
  return FALSE;
}

/* Does the event add the same number on all paths? */
static gboolean is_update (Sums *s, guint event) {
  const SatFold *fold = s->problem->fold;
  const RspEvent *own = fold->pre->events[event];
  gboolean known = FALSE;
  for (guint p = 0; own->kind == RSP_EVENT_RMW && p < fold->threads[own->thread].n_paths; p++) {
    const RspPath *path = fold->threads[own->thread].paths[p];
    const guint place = sat_fold_place (fold, event, p);
    guint64 number;
    if (place == G_MAXUINT)
      continue;
    if (!find_number (path, place, &number) || (known && number != s->numbers[event]))
      return FALSE;
    const RspTerm *type = path->events[place].written;
    s->type = s->type ? s->type : type;
    if (type->bits != s->type->bits || type->is_signed != s->type->is_signed)
      return FALSE;
    s->numbers[event] = number;
    known = TRUE;
  }
  return known;
}

/* Finds the location's writes. FALSE: it is not worth it, or something is not known of them. */
static gboolean find_writes (Sums *s) {
  const SatValuation *values = s->problem->values;
  const RspPreExecution *pre = s->problem->fold->pre;
  g_array_set_size (s->updates, 0);
  g_array_set_size (s->others, 0);
  s->type = NULL;
  for (guint e = 0; e < pre->n; e++) {
    if (pre->events[e]->location != s->location || !rsp_event_is_write (pre->events[e]))
      continue;
    if (values->written_unknown[e] != LIT_FALSE || values->unknown[e] != LIT_FALSE)
      return FALSE;
    g_array_append_val (is_update (s, e) ? s->updates : s->others, e);
  }
  const guint64 n = s->updates->len;
  return n >= FEWEST && n * n * s->others->len * MIN (n, MOST_SUMS) <= MOST_STEPS;
}

/* ---- Sums ----------------------------------------------------------------------------------- */

/* LIT_FALSE: it is none of them, or there are too many. */
static Lit sum_is (Circuit *circuit, Level *level, gint64 sum, gboolean may) {
  for (guint i = 0; i < level->n; i++)
    if (level->sums[i] == sum)
      return level->lits[i];
  if (!may || level->n == MOST_SUMS)
    return LIT_FALSE;
  level->sums[level->n] = sum;
  return level->lits[level->n++] = circuit_input (circuit);
}

/* Each sum of one level is one of the other, with the number or without. further: with sums that
 * are new there. FALSE: there are too many. */
static gboolean relate (Circuit *circuit, const Level *from, Level *to, const RspTerm *type,
                        guint64 number, Lit adds, gboolean further) {
  for (guint i = 0; i < from->n; i++) {
    const gint64 sum
        = rsp_wrap ((gint64) ((guint64) from->sums[i] + number), type->bits, type->is_signed);
    const Lit without = sum_is (circuit, to, from->sums[i], further),
              with = sum_is (circuit, to, sum, further);
    if (further && (without == LIT_FALSE || with == LIT_FALSE))
      return FALSE;
    circuit_imply_from (circuit, (Lit[]){ from->lits[i], lit_not (adds) }, 2, without);
    circuit_imply_from (circuit, (Lit[]){ from->lits[i], adds }, 2, with);
    circuit_clause (circuit, (Lit[]){ lit_not (from->lits[i]), without, with }, 3);
  }
  return TRUE;
}

/* The event comes after the write, and no other that adds nothing is between them. */
static Lit follows (const Sums *s, guint write, guint event) {
  const SatProblem *problem = s->problem;
  const SatChoices *choices = problem->choices;
  Lit all
      = circuit_and (problem->circuit, sat_choices_ordered (choices, &choices->co, write, event),
                     lit_not (rsp_sat_values_circle (problem->values)));
  for (guint i = 0; i < s->others->len; i++) {
    const guint other = g_array_index (s->others, guint, i);
    if (other != write && other != event)
      all = circuit_and (
          problem->circuit, all,
          lit_not (circuit_and (problem->circuit,
                                sat_choices_ordered (choices, &choices->co, write, other),
                                sat_choices_ordered (choices, &choices->co, other, event))));
  }
  return all;
}

/* If the event comes after the write, with nothing but updates between them, it reads what the
 * write writes and these add. */
static void require_sum (const Sums *s, guint write, guint event) {
  const SatProblem *problem = s->problem;
  Circuit *circuit = problem->circuit;
  const SatChoices *choices = problem->choices;
  const SatValues *written = &problem->values->written[write],
                  *read = &problem->values->read[event];
  const Lit after = follows (s, write, event);
  Level levels[2] = { 0 };
  guint k = 0;
  for (guint i = 0; i < written->n; i++)
    if (i == MOST_SUMS
        || rsp_wrap (written->values[i], s->type->bits, s->type->is_signed) != written->values[i])
      return;
  for (guint i = 0; i < written->n; i++)
    circuit_imply_from (circuit, (Lit[]){ after, written->lits[i] }, 2,
                        sum_is (circuit, &levels[0], written->values[i], TRUE));
  for (guint i = 0; i < s->updates->len; i++) {
    const guint update = g_array_index (s->updates, guint, i);
    const guint64 number = s->numbers[update];
    const Lit adds
        = update == event
              ? LIT_FALSE
              : circuit_and (circuit, sat_choices_ordered (choices, &choices->co, write, update),
                             sat_choices_ordered (choices, &choices->co, update, event));
    if (adds == LIT_FALSE)
      continue;
    levels[!k].n = 0;
    if (!relate (circuit, &levels[k], &levels[!k], s->type, number, adds, TRUE))
      return;
    relate (circuit, &levels[!k], &levels[k], s->type, -number, adds, FALSE);
    k = !k;
  }
  circuit_at_most_one (circuit, levels[k].lits, levels[k].n);
  for (guint i = 0; i < levels[k].n; i++) {
    Lit is_read = LIT_FALSE;
    for (guint j = 0; j < read->n; j++)
      if (read->values[j] == levels[k].sums[i])
        is_read = read->lits[j];
    circuit_imply (circuit, levels[k].lits[i], is_read);
    circuit_imply_from (circuit, (Lit[]){ after, is_read }, 2, levels[k].lits[i]);
  }
}

static void require_sums (const Sums *s) {
  const RspPreExecution *pre = s->problem->fold->pre;
  for (guint e = pre->first[0]; e < pre->n; e++)
    if (pre->events[e]->location == s->location && pre->events[e]->kind == RSP_EVENT_RMW)
      for (guint i = 0; i < s->others->len; i++) {
        const guint write = g_array_index (s->others, guint, i);
        if (write != e)
          require_sum (s, write, e);
      }
}

void sat_sums_require (const SatProblem *problem) {
  g_autoptr (GArray) updates = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (guint));
  Sums s = { .problem = problem,
             .updates = updates,
             .others = others,
             .numbers = rsp_arena_new0 (problem->arena, guint64, problem->fold->pre->n + 1) };
  for (; s.location < problem->fold->program->n_locations; s.location++)
    if (find_writes (&s) && rsp_screen_updates_follow (problem->screen, s.location))
      require_sums (&s);
}
