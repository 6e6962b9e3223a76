/* Final states of an execution, and propositions about them. */
#include "enumerator/values/values.h"
#include "parser/program.h"

enum { FIRST_ANY = 1 << 24 /* undetermined values beyond those of a search */ };

RspValue rsp_final_value (const RspPreExecution *pre, guint location, guint event,
                          const RspValue *written) {
  const RspLocation *own = &pre->program->locations[location];
  const gboolean is_initial = event == G_MAXUINT || rsp_event_is_initial (pre->events[event]);
  RspValue value = { .bits = own->initial };
  if (!is_initial)
    value = written[event];
  if (is_initial && own->open)
    value = (RspValue){ .unknown = FIRST_ANY + location };
  else if (!is_initial && own->opaque && pre->events[event]->written->is_free && !value.unknown)
    value = (RspValue){ .unknown = 2 * FIRST_ANY + (guint) (value.bits & (FIRST_ANY - 1)) };
  return value;
}

void rsp_final_state (const RspPreExecution *pre, const RspValue *written, const guint *last,
                      RspValue *state) {
  for (guint i = 0; i < pre->program->n_observables; i++) {
    const RspObservable *observable = &pre->program->observables[i];
    if (!observable->is_register)
      state[i] = rsp_final_value (pre, observable->location, last[observable->location], written);
  }
}

typedef struct FinalWrites {
  const RspPreExecution *pre;
  const RspMatrix *co;
  const guint8 *is_written; /* per location */
  guint *last;
  void (*visit) (gpointer data);
  gpointer data;
} FinalWrites;

gboolean rsp_location_is_shown (const RspProgram *program, guint location) {
  for (guint i = 0; i < program->n_observables; i++)
    if (!program->observables[i].is_register && program->observables[i].location == location)
      return TRUE;
  return FALSE;
}

static void choose_final (const FinalWrites *f, guint location) {
  for (; location < f->pre->program->n_locations && !f->is_written[location]; location++)
    f->last[location] = G_MAXUINT;
  if (location == f->pre->program->n_locations) {
    f->visit (f->data);
    return;
  }
  f->last[location] = G_MAXUINT;
  gboolean shown = rsp_location_is_shown (f->pre->program, location);
  for (guint event = 0; event < f->pre->n; event++)
    if ((f->pre->events[event]->location == location
         && rsp_set_has (f->pre->base->sets[RSP_BASE_SET_W], event)
         && rsp_next_bit (rsp_matrix_row (f->co, event), f->co->words, 0) == G_MAXUINT)
        && (shown || f->last[location] == G_MAXUINT)) {
      f->last[location] = event;
      choose_final (f, location + 1);
    }
  if (f->last[location] == G_MAXUINT)
    choose_final (f, location + 1);
}

void rsp_final_writes_each (const RspPreExecution *pre, const RspMatrix *co, guint *last,
                            void (*visit) (gpointer data), gpointer data) {
  g_autofree guint8 *is_written = g_new0 (guint8, pre->program->n_locations + 1);
  FinalWrites f = {
    .pre = pre, .co = co, .is_written = is_written, .last = last, .visit = visit, .data = data
  };
  for (guint event = 0; event < pre->n; event++)
    if (rsp_set_has (pre->base->sets[RSP_BASE_SET_W], event))
      is_written[pre->events[event]->location] = TRUE;
  choose_final (&f, 0);
}

/* ---- Propositions ---- */
static RspWide converted (RspValue value, const RspType *type) {
  const gint64 bits = (gint64) value.bits;
  return type->bits
             ? rsp_widen (rsp_wrap (bits, type->bits, type->is_signed), type->bits, type->is_signed)
             : bits;
}

/* The numbers that a side of an atom may be. */
typedef struct Range {
  RspWide low, high;
} Range;

/* For an undetermined value: all values of its type, if that is known. */
static Range range_of (const RspOperand *operand, RspValue value, const RspType *compared) {
  const RspType *type = value.unknown && operand->type.bits ? &operand->type : NULL;
  RspWide number = converted (value, compared);
  if (!value.unknown)
    return (Range){ number, number };
  if (!type || compared->bits)
    return (Range){ -((RspWide) 1 << 64), (RspWide) 1 << 64 };
  guint8 bits = rsp_type_bits (type);
  gboolean is_signed = rsp_type_is_signed (type);
  return (Range){ rsp_type_low (bits, is_signed), rsp_type_high (bits, is_signed) };
}

static guint find_number (const gint64 *numbers, guint n, gint64 number) {
  guint i = 0;
  while (i < n && numbers[i] != number)
    i++;
  return i;
}

static void list_number (gint64 number, gint64 *numbers, guint *n) {
  if (*n < RSP_MAX_COMPARED && find_number (numbers, *n, number) == *n)
    numbers[(*n)++] = number;
}

/* Where two observables are compared, one of them may have an initial value. */
static void list_numbers (const RspProgram *program, const RspProp *prop, gint64 *numbers,
                          guint *n) {
  if (!prop)
    return;
  list_numbers (program, prop->a, numbers, n);
  list_numbers (program, prop->b, numbers, n);
  if (prop->kind != RSP_PROP_ATOM || prop->compared.bits)
    return;
  if (!prop->left.is_observable || !prop->right.is_observable)
    list_number (prop->left.is_observable ? prop->right.constant : prop->left.constant, numbers, n);
  else
    for (guint i = 0; i < program->n_locations; i++)
      list_number (program->locations[i].initial, numbers, n);
}

guint rsp_compared_numbers (const RspProgram *program, gint64 numbers[RSP_MAX_COMPARED]) {
  guint n = 0;
  list_numbers (program, program->condition, numbers, &n);
  list_numbers (program, program->filter, numbers, &n);
  return n;
}

/* TRUE for an undetermined value and a number that it cannot be. */
static gboolean is_excluded (const RspProgram *program, const RspProp *atom, RspValue left,
                             RspValue right) {
  gint64 numbers[RSP_MAX_COMPARED];
  RspValue value = left.unknown ? left : right, number = left.unknown ? right : left;
  if (number.unknown || !value.excluded || atom->compared.bits)
    return FALSE;
  guint n = rsp_compared_numbers (program, numbers), i = find_number (numbers, n, number.bits);
  return i < n && (value.excluded >> i & 1);
}

RspTruth rsp_atom_truth (const RspProgram *program, const RspProp *atom, RspValue left,
                         RspValue right) {
  if (!left.unknown && !right.unknown)
    return rsp_truth (rsp_compare (atom->op, converted (left, &atom->compared),
                                   converted (right, &atom->compared)));
  if (rsp_value_equal (left, right))
    return rsp_truth (atom->op == RSP_OP_EQ);
  if (atom->op != RSP_OP_LT
      && (left.unknown == right.unknown || is_excluded (program, atom, left, right)))
    return rsp_truth (atom->op == RSP_OP_NE);
  /* Holds or fails if all possible values of both sides decide it alike. */
  Range a = range_of (&atom->left, left, &atom->compared),
        b = range_of (&atom->right, right, &atom->compared);
  gboolean less = a.high < b.low, apart = less || b.high < a.low;
  if (atom->op == RSP_OP_LT)
    return less ? RSP_HOLDS : a.low >= b.high ? RSP_FAILS : RSP_OPEN;
  return apart ? rsp_truth (atom->op == RSP_OP_NE) : RSP_OPEN;
}

/* ---- States ---- */
enum {
  MAX_CASES = 8 /* assumptions at once about undetermined values */
};

/* An undetermined value without its offset: is it that number, or not? */
typedef struct Case {
  guint unknown;
  gint64 number;
  gboolean is;
} Case;

/* A state in any form, and what is assumed of its undetermined values. */
typedef struct View {
  const RspProgram *program;
  RspValue (*value_of) (gconstpointer state, guint observable);
  gconstpointer state;
  Case cases[MAX_CASES];
  guint n_cases;
  /* An atom that compares an undetermined value with a number, of unknown truth; or NULL. */
  const RspProp *open;
} View;

static RspValue operand_value (const RspOperand *operand, const View *view) {
  if (!operand->is_observable)
    return (RspValue){ .bits = operand->constant };
  RspValue value = view->value_of (view->state, operand->observable);
  for (guint i = 0; value.unknown && i < view->n_cases; i++)
    if (view->cases[i].unknown == value.unknown && view->cases[i].is) {
      guint64 bits = (guint64) view->cases[i].number + (guint64) value.bits;
      return (RspValue){ .bits = rsp_wrap ((gint64) bits, rsp_type_bits (&operand->type),
                                           rsp_type_is_signed (&operand->type)) };
    }
  return value;
}

/* The undetermined side of an atom whose other side is a number, as a case. FALSE: it has none. */
static gboolean find_case (const View *view, const RspProp *atom, Case *found) {
  RspValue left = operand_value (&atom->left, view), right = operand_value (&atom->right, view);
  RspValue undetermined = left.unknown ? left : right, number = left.unknown ? right : left;
  if (number.unknown || atom->compared.bits || atom->op == RSP_OP_LT)
    return FALSE;
  *found = (Case){ undetermined.unknown,
                   (gint64) ((guint64) number.bits - (guint64) undetermined.bits), FALSE };
  return TRUE;
}

static RspTruth atom_truth (const RspProp *atom, gpointer data) {
  View *view = data;
  Case own;
  RspTruth truth = rsp_atom_truth (view->program, atom, operand_value (&atom->left, view),
                                   operand_value (&atom->right, view));
  if (truth != RSP_OPEN || !find_case (view, atom, &own))
    return truth;
  for (guint i = 0; i < view->n_cases; i++)
    if (view->cases[i].unknown == own.unknown && view->cases[i].number == own.number)
      return rsp_truth (atom->op == RSP_OP_NE);
  view->open = atom;
  return RSP_OPEN;
}

/* If it is open, the cases are tried that some undetermined value is a number that it is compared
 * with, and is not. */
static RspTruth truth_of (View *view, const RspProp *prop) {
  view->open = NULL;
  RspTruth truth = rsp_prop_truth (prop, atom_truth, view);
  Case own;
  if (truth != RSP_OPEN || !view->open || view->n_cases == MAX_CASES
      || !find_case (view, view->open, &own))
    return truth;
  Case *assumed = &view->cases[view->n_cases++];
  *assumed = own;
  RspTruth other = truth_of (view, prop);
  assumed->is = TRUE;
  truth = other == RSP_OPEN ? RSP_OPEN : truth_of (view, prop);
  view->n_cases--;
  return truth == other ? truth : RSP_OPEN;
}

RspTruth rsp_state_truth_in (const RspProgram *program, const RspProp *prop,
                             RspValue (*value_of) (gconstpointer state, guint observable),
                             gconstpointer state) {
  View view = { .program = program, .value_of = value_of, .state = state };
  RspTruth truth = truth_of (&view, prop);
  if (truth != RSP_OPEN || !program->filter || prop == program->filter)
    return truth;
  RspProp negation = { .kind = RSP_PROP_NOT, .a = (RspProp *) prop };
  RspProp both = { .kind = RSP_PROP_AND, .a = program->filter, .b = (RspProp *) prop };
  if (truth_of (&view, &both) == RSP_FAILS)
    return RSP_FAILS;
  both.b = &negation;
  return truth_of (&view, &both) == RSP_FAILS ? RSP_HOLDS : RSP_OPEN;
}

static RspValue value_at (gconstpointer state, guint observable) {
  return ((const RspValue *) state)[observable];
}

RspTruth rsp_state_truth (const RspProgram *program, const RspProp *prop, const RspValue *state) {
  return rsp_state_truth_in (program, prop, value_at, state);
}

void rsp_program_hide_registers (RspProgram *program) {
  while (program->n_observables && program->observables->is_register) {
    program->observables++;
    program->n_observables--;
  }
  program->condition = program->filter = NULL;
  program->filter_only = NULL;
}
