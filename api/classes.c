/* Values that conditions on unknown numbers cannot tell apart: which few stand for all. */
#include "api/internal.h"

#include <string.h>

enum { PIECE_MAX_PERIOD = 1 << 16 };

typedef struct Piece {
  const RspTerm *unknown;
  RspWide low, high; /* its numbers */
  gboolean failed;   /* is a condition too complex? */
  gboolean divided;  /* must the piece be divided */
  RspWide from, to;  /* around these numbers? */
} Piece;

/* ---- Pieces --------------------------------------------------------------------------------- */

/* Pieces of a type's numbers, in which conditions on an unknown one are periodic. */

/* Each term over the unknown n is, in a piece,
 *
 *   (slope × n + offset + p (n)) / scale,    p periodic, 0 ≤ p ≤ spread
 *
 * Comparisons, divisions and conversions divide a piece where they change. */

enum {
  MANY_WRAPS = 64,     /* in one piece: then a conversion counts as periodic, if it can */
  MAX_SIZE = 1 << 10,  /* of a condition */
  MAX_FACTOR_BITS = 24 /* of slopes and scales, so that RspWide has room */
};

typedef struct Shape {
  RspWide slope, scale, offset, spread;
  guint64 period;
} Shape;

/* A piece that must be divided does not fail: its parts are tried. */
static void give_up (Piece *piece, gboolean reason) { piece->failed |= reason && !piece->divided; }

/* ---- Numbers ---- */
static RspWide floor_divide (RspWide a, RspWide b) {
  RspWide q = a / b;
  return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
}

static guint64 common_period (Piece *piece, guint64 a, RspWide b) {
  give_up (piece, b > PIECE_MAX_PERIOD);
  if (b > PIECE_MAX_PERIOD)
    return a;
  guint64 x = a, y = (guint64) b;
  while (y) {
    guint64 rest = x % y;
    x = y;
    y = rest;
  }
  guint64 period = a / x * (guint64) b;
  give_up (piece, period > PIECE_MAX_PERIOD);
  return MIN (period, PIECE_MAX_PERIOD);
}

static RspWide low_of (const RspTerm *type) { return rsp_type_low (type->bits, type->is_signed); }

static RspWide high_of (const RspTerm *type) { return rsp_type_high (type->bits, type->is_signed); }

/* ---- Shapes ---- */
static Shape constant_shape (RspWide value) {
  return (Shape){ .scale = 1, .offset = value, .period = 1 };
}

static Shape periodic_shape (RspWide low, RspWide high, guint64 period) {
  return (Shape){ .scale = 1, .offset = low, .spread = high - low, .period = period };
}

static Shape fail (Piece *piece) {
  give_up (piece, TRUE);
  return constant_shape (0);
}

static Shape bounded (Piece *piece, Shape shape) {
  const RspWide most = (RspWide) 1 << MAX_FACTOR_BITS;
  return shape.slope > most || shape.slope < -most || shape.scale > most ? fail (piece) : shape;
}

static void find_bounds (const Piece *piece, Shape shape, RspWide *low, RspWide *high) {
  RspWide a = shape.slope * piece->low, b = shape.slope * piece->high;
  *low = floor_divide (MIN (a, b) + shape.offset, shape.scale);
  *high = floor_divide (MAX (a, b) + shape.offset + shape.spread, shape.scale);
}

/* Is the shape below the limit in all of the piece, or in none of it? If not, the piece is
 * divided there, unless the answer is periodic. */
static gboolean is_decided (Piece *piece, Shape shape, RspWide limit) {
  RspWide low, high;
  find_bounds (piece, shape, &low, &high);
  if (low >= limit || high < limit)
    return TRUE;
  if (!shape.slope || piece->divided)
    return FALSE;
  RspWide a = floor_divide (limit * shape.scale - shape.offset - shape.spread, shape.slope),
          b = floor_divide (limit * shape.scale - shape.offset, shape.slope);
  piece->divided = TRUE;
  piece->from = CLAMP (MIN (a, b) - 1, piece->low, piece->high);
  piece->to = CLAMP (MAX (a, b) + 1, piece->low, piece->high);
  return FALSE;
}

static Shape add_shapes (Piece *piece, Shape a, Shape b) {
  return bounded (piece, (Shape){ .slope = a.slope * b.scale + b.slope * a.scale,
                                  .scale = a.scale * b.scale,
                                  .offset = a.offset * b.scale + b.offset * a.scale,
                                  .spread = a.spread * b.scale + b.spread * a.scale,
                                  .period = common_period (piece, a.period, (RspWide) b.period) });
}

static Shape scale_shape (Piece *piece, Shape a, RspWide factor) {
  const RspWide size = factor < 0 ? -factor : factor;
  if (size > (RspWide) 1 << MAX_FACTOR_BITS)
    return fail (piece);
  return bounded (piece, (Shape){ .slope = a.slope * factor,
                                  .scale = a.scale,
                                  .offset = a.offset * factor - (factor < 0 ? a.spread * size : 0),
                                  .spread = a.spread * size,
                                  .period = a.period });
}

static Shape subtract_shapes (Piece *piece, Shape a, Shape b) {
  return add_shapes (piece, a, scale_shape (piece, b, -1));
}

/* The shape plus a number between low and high that is periodic in the unknown value. */
static Shape add_periodic (Piece *piece, Shape a, RspWide low, RspWide high, RspWide period) {
  if (a.slope)
    a.period = common_period (piece, a.period, a.scale * period);
  a.offset += low * a.scale;
  a.spread += (high - low) * a.scale;
  return a;
}

/* The value modulo a number, with any sign. */
static Shape remainder_shape (Piece *piece, Shape a, RspWide low, RspWide high, RspWide period) {
  return periodic_shape (low, high,
                         a.slope ? common_period (piece, a.period, a.scale * period) : a.period);
}

/* Converted to a type. */
static Shape wrap_shape (Piece *piece, Shape a, const RspTerm *type) {
  RspWide low, high, size = (RspWide) 1 << type->bits;
  find_bounds (piece, a, &low, &high);
  RspWide first = floor_divide (low - low_of (type), size),
          last = floor_divide (high - low_of (type), size);
  if (first == last) {
    a.offset -= first * size * a.scale;
    return a;
  }
  if (!a.slope || (last - first > MANY_WRAPS && a.scale * size <= PIECE_MAX_PERIOD))
    return remainder_shape (piece, a, low_of (type), high_of (type), size);
  is_decided (piece, a, low_of (type) + (first + (last - first + 1) / 2) * size);
  return a;
}

/* ---- Operators ---- */
/* Division by a number > 0, rounded towards 0. */
static Shape divide_shape (Piece *piece, Shape a, RspWide by) {
  RspWide low, high;
  find_bounds (piece, a, &low, &high);
  if (!a.slope)
    return periodic_shape (MIN (low, 0), MAX (high, 0), a.period);
  if (!is_decided (piece, a, 0))
    return a;
  if (by > PIECE_MAX_PERIOD)
    return fail (piece);
  Shape whole
      = high < 0 ? add_periodic (piece, a, 0, by - 1, by) : add_periodic (piece, a, 1 - by, 0, by);
  whole.scale *= by;
  return bounded (piece, whole);
}

/* The remainder of a division by a number > 0 has the sign of the value. */
static Shape modulo_shape (Piece *piece, Shape a, RspWide by) {
  if (a.slope && !is_decided (piece, a, 0))
    return a;
  return remainder_shape (piece, a, 1 - by, by - 1, by);
}

/* Rounded down. */
static Shape shift_right_shape (Piece *piece, Shape a, RspWide by) {
  if (by > PIECE_MAX_PERIOD)
    return fail (piece);
  Shape whole = add_periodic (piece, a, 1 - by, 0, by);
  whole.scale *= by;
  return bounded (piece, whole);
}

/* The lowest power of 2 above the mask. */
static RspWide above (RspWide mask) {
  RspWide size = 1;
  while (size <= mask)
    size *= 2;
  return size;
}

/* An operator with a constant operand: the right one, or either if they can be exchanged. */
static Shape shape_with_constant (Piece *piece, const RspTerm *term, Shape a,
                                  const RspTerm *constant) {
  const RspWide b = rsp_widen (constant->constant, constant->bits, constant->is_signed),
                size = b < 0 ? -b : b;
  switch (term->op) {
  case RSP_OP_MUL:
    return scale_shape (piece, a, b);
  case RSP_OP_DIV:
    return b ? scale_shape (piece, divide_shape (piece, a, size), b < 0 ? -1 : 1) : fail (piece);
  case RSP_OP_MOD:
    return b ? modulo_shape (piece, a, size) : fail (piece);
  case RSP_OP_SHL:
    return b >= 0 && b < MAX_FACTOR_BITS ? scale_shape (piece, a, (RspWide) 1 << b) : fail (piece);
  case RSP_OP_SHR:
    return b >= 0 && b < MAX_FACTOR_BITS ? shift_right_shape (piece, a, (RspWide) 1 << b)
                                         : fail (piece);
  case RSP_OP_AND:
  case RSP_OP_OR:
  case RSP_OP_XOR: {
    /* Bits are set, cleared and changed by adding a periodic number; a mask clears the bits that it
     * lacks. */
    const RspWide whole = (RspWide) 1 << term->bits, mask = b < 0 ? b + whole : b;
    const RspWide cleared = whole - 1 - mask;
    const RspWide bits = term->op == RSP_OP_AND && cleared < mask ? cleared : mask;
    if (above (bits) > PIECE_MAX_PERIOD)
      return fail (piece);
    if (term->op == RSP_OP_AND)
      return bits == mask ? remainder_shape (piece, a, 0, mask, above (mask))
                          : add_periodic (piece, a, -cleared, 0, above (cleared));
    return add_periodic (piece, a, term->op == RSP_OP_OR ? 0 : -mask, mask, above (mask));
  }
  default:
    return fail (piece);
  }
}

/* 0 or 1: constant, unless the difference is periodic. */
static Shape comparison_shape (Piece *piece, Shape a, Shape b) {
  Shape difference = subtract_shapes (piece, a, b);
  gboolean constant = is_decided (piece, difference, 0) && is_decided (piece, difference, 1);
  return periodic_shape (0, 1, constant ? 1 : difference.period);
}

static Shape shape_of (Piece *piece, const RspTerm *term) {
  if (term == piece->unknown)
    return wrap_shape (piece, (Shape){ .slope = 1, .scale = 1, .period = 1 }, term);
  switch (term->kind) {
  case RSP_TERM_CONSTANT:
    return constant_shape (rsp_widen (term->constant, term->bits, term->is_signed));
  case RSP_TERM_CAST:
    return term->bits == 1 ? comparison_shape (piece, shape_of (piece, term->a), constant_shape (0))
                           : wrap_shape (piece, shape_of (piece, term->a), term);
  case RSP_TERM_UNARY:
    return wrap_shape (piece,
                       subtract_shapes (piece, constant_shape (term->op == RSP_OP_NEGATE ? 0 : -1),
                                        shape_of (piece, term->a)),
                       term);
  case RSP_TERM_BINARY: {
    gboolean turned = term->a->kind == RSP_TERM_CONSTANT && rsp_operator_is_commutative (term->op);
    const RspTerm *right = turned ? term->a : term->b;
    Shape a = shape_of (piece, turned ? term->b : term->a), b = shape_of (piece, right);
    if (piece->failed || piece->divided)
      return a;
    if (rsp_operator_is_comparison (term->op))
      return comparison_shape (piece, a, b);
    if (term->op == RSP_OP_ADD)
      return wrap_shape (piece, add_shapes (piece, a, b), term);
    if (term->op == RSP_OP_SUB)
      return wrap_shape (piece, subtract_shapes (piece, a, b), term);
    if (term->op == RSP_OP_MIN || term->op == RSP_OP_MAX) {
      /* The minimum or the maximum. */
      RspWide low, high;
      Shape difference = subtract_shapes (piece, a, b);
      find_bounds (piece, difference, &low, &high);
      if (low >= 0 || high <= 0)
        return (low >= 0) == (term->op == RSP_OP_MAX) ? a : b;
      if (!a.slope && !b.slope)
        return periodic_shape (low_of (term), high_of (term), difference.period);
      is_decided (piece, difference, 0);
      return piece->divided ? a : fail (piece);
    }
    if (right->kind == RSP_TERM_CONSTANT)
      return wrap_shape (piece, shape_with_constant (piece, term, a, right), term);
    if (!a.slope && !b.slope)
      return periodic_shape (low_of (term), high_of (term),
                             common_period (piece, a.period, (RspWide) b.period));
    return fail (piece);
  }
  default:
    return fail (piece);
  }
}

/* ---- Classes -------------------------------------------------------------------------------- */

/* The numbers of a type are divided into pieces. If all conditions are periodic on a piece, the
 * numbers of one period stand for all. Small pieces are searched number by number. */

enum {
  SMALL_PIECE = 1 << 16,
  MAX_PIECES = 1 << 12,
  MAX_TESTS = 1 << 24, /* numbers times conditions */
  MAX_CLASSES = 256
};

/* A piece from `low` on, whose numbers have the same classes as `count` from `first` on; 0: they
 * are excluded. */
typedef struct Tested {
  RspWide low, first, count;
} Tested;

typedef struct Classes {
  const GPtrArray *conditions;
  GHashTable *required; /* as in RspUnknownNumber */
  GArray *bound;        /* the unknown and its value, as a RspBoundTerm */
  GHashTable *found;    /* from the truth of all conditions, as a text, to a gint64 */
  GArray *edges;        /* of RspWide: the numbers at which truths may change; NULL: not wanted */
  gboolean failed;
  GArray *tested; /* of Tested */
  guint n_pieces;
  guint64 n_tests;
} Classes;

char rsp_condition_truth (const RspTerm *condition, const RspEvaluation *evaluation) {
  RspValue result;
  if (rsp_term_evaluate_outcome (condition, evaluation, &result) != RSP_TERM_DETERMINED)
    return '?';
  return result.bits ? '1' : '0';
}

/* Sorts by the distance from 0, the positive number first: 0, 1, -1, 2, … */
static guint64 rank (gint64 value) {
  if (value == G_MININT64)
    return G_MAXUINT64;
  return value > 0 ? 2 * (guint64) value - 1 : 2 * (guint64) -value;
}

static gboolean is_required (GHashTable *required, const RspTerm *condition) {
  return required && g_hash_table_contains (required, condition);
}

/* The truths of all conditions with the bound values, as a text; FALSE: a required one is false. */
static gboolean find_truths (const GPtrArray *conditions, const GArray *bound, GHashTable *required,
                             char *truths) {
  for (guint i = 0; i < conditions->len; i++) {
    truths[i] = rsp_condition_truth (conditions->pdata[i], &(RspEvaluation){ .bound = bound });
    if (truths[i] == '0' && is_required (required, conditions->pdata[i]))
      return FALSE;
  }
  return TRUE;
}

/* Does the condition, or a part of it, exclude all of a piece? If not, it may divide it. */
static gboolean excludes (Classes *c, Piece *piece, const RspTerm *condition) {
  const RspTerm *part = condition;
  while ((part->kind == RSP_TERM_CAST || (is_binary (part, RSP_OP_NE) && is_constant (part->b, 0)))
         && part->a->is_boolean)
    part = part->a;
  if (is_binary (part, RSP_OP_AND) && part->a->is_boolean && part->b->is_boolean)
    return excludes (c, piece, part->a) || (!piece->divided && excludes (c, piece, part->b));
  Piece own = *piece;
  if (part->size > MAX_SIZE)
    return FALSE;
  const Shape shape = comparison_shape (&own, shape_of (&own, part), constant_shape (0));
  if (own.failed)
    return FALSE;
  *piece = own;
  g_array_index (c->bound, RspBoundTerm, 0).value.bits = (gint64) piece->low;
  return !piece->divided && shape.period == 1
         && rsp_condition_truth (part, &(RspEvaluation){ .bound = c->bound }) == '0';
}

/* Divides a piece until the numbers of each part have the same classes as a few. */
static void divide_piece (Classes *c, const RspTerm *unknown, RspWide low, RspWide high) {
  Piece piece = { .unknown = unknown, .low = low, .high = high };
  Tested tested = { .low = low };
  c->failed |= c->n_pieces++ > MAX_PIECES;
  if (c->failed || low > high)
    return;
  guint64 period = SMALL_PIECE;
  for (guint i = 0; i < c->conditions->len && !piece.divided && high - low >= SMALL_PIECE; i++)
    if (is_required (c->required, c->conditions->pdata[i])
        && excludes (c, &piece, c->conditions->pdata[i])) {
      g_array_append_val (c->tested, tested);
      return;
    }
  if (high - low >= SMALL_PIECE) {
    /* The truths of all conditions repeat, unless the piece fails or must be divided. */
    period = 1;
    for (guint i = 0; i < c->conditions->len && !piece.failed && !piece.divided; i++) {
      const RspTerm *condition = c->conditions->pdata[i];
      give_up (&piece, condition->size > MAX_SIZE);
      Shape shape = piece.failed ? constant_shape (0)
                                 : comparison_shape (&piece, shape_of (&piece, condition),
                                                     constant_shape (0));
      period = common_period (&piece, period, (RspWide) shape.period);
    }
  }
  c->failed |= piece.failed;
  if (piece.divided) {
    c->failed |= piece.from <= low && piece.to >= high; /* it cannot get smaller */
    divide_piece (c, unknown, low, piece.from - 1);
    divide_piece (c, unknown, piece.from, piece.to);
    divide_piece (c, unknown, piece.to + 1, high);
    return;
  }
  /* One period of the piece, near 0. */
  tested.count = MIN (high - low + 1, (RspWide) period);
  tested.first = CLAMP (0, low, high - tested.count + 1);
  c->failed |= c->edges && period > 1 && tested.count < high - low + 1;
  c->n_tests += (guint64) tested.count * c->conditions->len;
  c->failed |= c->n_tests > MAX_TESTS;
  g_array_append_val (c->tested, tested);
}

static void test_piece (Classes *c, const Tested *piece) {
  g_autofree char *last = NULL;
  if (c->edges && !piece->count)
    g_array_append_val (c->edges, piece->low);
  for (RspWide i = 0; i < piece->count && !c->failed; i++) {
    gint64 value = (gint64) (piece->first + i);
    const RspWide edge = i ? piece->first + i : piece->low;
    g_autofree char *key = g_malloc0 (c->conditions->len + 1);
    g_array_index (c->bound, RspBoundTerm, 0).value.bits = value;
    const gboolean excluded = !find_truths (c->conditions, c->bound, c->required, key);
    if (excluded)
      strcpy (key, "-");
    if (c->edges && g_strcmp0 (key, last) != 0) {
      g_array_append_val (c->edges, edge);
      g_free (last);
      last = g_strdup (key);
      c->failed |= c->edges->len > MAX_CLASSES;
    }
    gint64 *known = g_hash_table_lookup (c->found, key);
    if (!known && !excluded)
      g_hash_table_insert (c->found, g_steal_pointer (&key), g_memdup2 (&value, sizeof value));
    else if (known && rank (value) < rank (*known))
      *known = value;
  }
  c->failed |= g_hash_table_size (c->found) > MAX_CLASSES;
}

static int compare_ranks (gconstpointer a, gconstpointer b) {
  guint64 x = rank (*(const gint64 *) a), y = rank (*(const gint64 *) b);
  return x < y ? -1 : x > y;
}

/* FALSE if the classes are not known. */
static gboolean find_classes (const RspUnknownNumber *own, GArray *values, GArray *edges) {
  const GPtrArray *conditions = own->conditions;
  const gint64 zero = 0;
  const RspBoundTerm known = { .term = own->term };
  g_autoptr (GArray) bound = g_array_new (FALSE, FALSE, sizeof known);
  g_array_append_val (bound, known);
  g_autoptr (GArray) tested = g_array_new (FALSE, FALSE, sizeof (Tested));
  Classes c = { .conditions = conditions,
                .required = own->required,
                .bound = bound,
                .edges = edges,
                .tested = tested,
                .found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free) };
  GHashTableIter iter;
  gpointer value;
  for (guint i = 0; i < conditions->len; i++)
    c.failed |= rsp_term_is_free_without (conditions->pdata[i], own->term);
  divide_piece (&c, own->term, rsp_type_low (own->bits, own->is_signed),
                rsp_type_high (own->bits, own->is_signed));
  for (guint i = 0; i < tested->len && !c.failed; i++)
    test_piece (&c, &g_array_index (tested, Tested, i));
  g_hash_table_iter_init (&iter, c.found);
  if (values && !g_hash_table_size (c.found))
    g_array_append_val (values, zero);
  while (!c.failed && values && g_hash_table_iter_next (&iter, NULL, &value))
    g_array_append_vals (values, value, 1);
  g_hash_table_unref (c.found);
  return !c.failed;
}

gboolean rsp_classes_find (const RspUnknownNumber *number, GArray *values) {
  const gboolean found = find_classes (number, values, NULL);
  g_array_sort (values, compare_ranks);
  return found;
}

/* ---- Rows ----------------------------------------------------------------------------------- */

/* Conditions on several numbers, which compare their differences with constants: with number 0
 * before them, which is always 0, their truths follow from where the differences of two lie between
 * thresholds. Each way in which all of them can lie is a cell. Cells are found by adding one
 * threshold after the other to a matrix of bounds of differences, which is closed under sums. */

enum { MAX_ROWED = 16, MAX_FORMS = 16, MAX_CELLS = 1 << 16 };

/* The value of number `plus` − that of number `minus` + offset. */
typedef struct Form {
  guint plus, minus;
  RspWide offset;
} Form;

/* The difference of numbers a and b is at least `at`, or is not. */
typedef struct Threshold {
  guint a, b;
  RspWide at;
} Threshold;

typedef struct Rows {
  const GPtrArray *conditions;
  const RspUnknownNumber *numbers; /* number 1 is the first */
  gsize n;                         /* with number 0 */
  GArray *thresholds, *bound, *rows;
  GHashTable *found; /* from the truths of all conditions, as a text, to a row + 1 */
  guint n_cells;
  gboolean failed;
} Rows;

static RspWide least (const Rows *r, guint number) {
  return number ? rsp_type_low (r->numbers[number - 1].bits, r->numbers[number - 1].is_signed) : 0;
}

static RspWide greatest (const Rows *r, guint number) {
  return number ? rsp_type_high (r->numbers[number - 1].bits, r->numbers[number - 1].is_signed) : 0;
}

/* ---- Forms ---- */
static void add_threshold (Rows *r, Form form, RspWide at) {
  Threshold own = { form.plus, form.minus, at - form.offset };
  if (own.a < own.b) /* a − b ≥ t: not b − a ≥ 1 − t */
    own = (Threshold){ own.b, own.a, 1 - own.at };
  gboolean known = own.a == own.b;
  for (guint i = 0; i < r->thresholds->len && !known; i++) {
    const Threshold *other = &g_array_index (r->thresholds, Threshold, i);
    known = other->a == own.a && other->b == own.b && other->at == own.at;
  }
  if (!known)
    g_array_append_val (r->thresholds, own);
  r->failed |= r->thresholds->len > MAX_CELLS;
}

static void add_form (Rows *r, GArray *forms, Form form) {
  for (guint i = 0; i < forms->len; i++) {
    const Form *own = &g_array_index (forms, Form, i);
    if (own->plus == form.plus && own->minus == form.minus && own->offset == form.offset)
      return;
  }
  g_array_append_val (forms, form);
  r->failed |= forms->len > MAX_FORMS;
}

static Form sum_of (Rows *r, Form a, Form b) {
  if (a.plus == b.minus)
    a.plus = b.minus = 0;
  if (a.minus == b.plus)
    a.minus = b.plus = 0;
  r->failed |= (a.plus && b.plus) || (a.minus && b.minus);
  return (Form){ MAX (a.plus, b.plus), MAX (a.minus, b.minus), a.offset + b.offset };
}

static Form negated (Form form) { return (Form){ form.minus, form.plus, -form.offset }; }

/* Converted to a type: by a threshold at each number where it wraps. */
static void add_wrapped (Rows *r, GArray *forms, Form form, const RspTerm *type) {
  const RspWide size = (RspWide) 1 << type->bits,
                low = least (r, form.plus) - greatest (r, form.minus) + form.offset,
                high = greatest (r, form.plus) - least (r, form.minus) + form.offset;
  const RspWide first = floor_divide (low - low_of (type), size),
                last = floor_divide (high - low_of (type), size);
  r->failed |= last - first > MAX_FORMS;
  for (RspWide i = first; i <= last && !r->failed; i++) {
    if (i > first)
      add_threshold (r, form, low_of (type) + i * size);
    add_form (r, forms, (Form){ form.plus, form.minus, form.offset - i * size });
  }
}

/* 0 or 1: of the comparison of a number with 0. */
static void compare_form (Rows *r, GArray *forms, RspOperator op, Form form) {
  if (op != RSP_OP_LE && op != RSP_OP_GT)
    add_threshold (r, form, 0);
  if (op != RSP_OP_LT && op != RSP_OP_GE)
    add_threshold (r, form, 1);
  add_form (r, forms, (Form){ .offset = 0 });
  add_form (r, forms, (Form){ .offset = 1 });
}

static GArray *forms_of (Rows *r, const RspTerm *term);

static void join_forms (Rows *r, GArray *forms, const RspTerm *term) {
  g_autoptr (GArray) left = forms_of (r, term->a), right = forms_of (r, term->b);
  for (guint i = 0; i < left->len && !r->failed; i++)
    for (guint k = 0; k < right->len && !r->failed; k++) {
      const Form a = g_array_index (left, Form, i), b = g_array_index (right, Form, k),
                 difference = sum_of (r, a, negated (b));
      if (rsp_operator_is_comparison (term->op))
        compare_form (r, forms, term->op, difference);
      else if (term->op == RSP_OP_ADD || term->op == RSP_OP_SUB)
        add_wrapped (r, forms, term->op == RSP_OP_SUB ? difference : sum_of (r, a, b), term);
      else if (term->op == RSP_OP_MIN || term->op == RSP_OP_MAX) {
        add_threshold (r, difference, 0);
        add_form (r, forms, a);
        add_form (r, forms, b);
      } else if (term->is_boolean && term->a->is_boolean && term->b->is_boolean) {
        add_form (r, forms, (Form){ .offset = 0 });
        add_form (r, forms, (Form){ .offset = 1 });
      } else
        r->failed = TRUE;
    }
}

/* Those that the term has in some cell; the thresholds say in which. */
static GArray *forms_of (Rows *r, const RspTerm *term) {
  GArray *forms = g_array_new (FALSE, FALSE, sizeof (Form));
  guint number = 1;
  while (number < r->n && r->numbers[number - 1].term != term)
    number++;
  if (number < r->n)
    add_wrapped (r, forms, (Form){ .plus = number }, term);
  else if (term->kind == RSP_TERM_CONSTANT)
    add_form (r, forms,
              (Form){ .offset = rsp_widen (term->constant, term->bits, term->is_signed) });
  else if (term->kind == RSP_TERM_BINARY && term->op != RSP_OP_APPLY)
    join_forms (r, forms, term);
  else if (term->kind == RSP_TERM_CAST || term->kind == RSP_TERM_UNARY) {
    g_autoptr (GArray) own = forms_of (r, term->a);
    for (guint i = 0; i < own->len && !r->failed; i++) {
      Form form = g_array_index (own, Form, i);
      if (term->kind == RSP_TERM_CAST && term->bits == 1)
        compare_form (r, forms, RSP_OP_NE, form);
      else {
        if (term->kind == RSP_TERM_UNARY)
          form = negated (form);
        form.offset -= term->kind == RSP_TERM_UNARY && term->op == RSP_OP_COMPLEMENT;
        add_wrapped (r, forms, form, term);
      }
    }
  } else
    r->failed = TRUE;
  return forms;
}

/* ---- Cells ---- */
/* No more than so much is number a − number b. FALSE if that cannot be. */
static gboolean limit_difference (const Rows *r, RspWide *most, guint a, guint b, RspWide limit) {
  const gsize n = r->n;
  if (most[b * n + a] + limit < 0)
    return FALSE;
  if (limit < most[a * n + b])
    for (guint i = 0; i < n; i++)
      for (guint k = 0; k < n; k++)
        most[i * n + k] = MIN (most[i * n + k], most[i * n + a] + limit + most[b * n + k]);
  return TRUE;
}

static guint64 total_rank (const Rows *r, const gint64 *row) {
  guint64 total = 0;
  for (guint i = 0; i + 1 < r->n; i++)
    total += MIN (rank (row[i]), G_MAXUINT32);
  return total;
}

/* The numbers of the cell that are nearest to 0, first those of the first number. */
static void add_row (Rows *r, RspWide *most) {
  const gsize n = r->n;
  gint64 row[MAX_ROWED];
  for (guint i = 1; i < n; i++) {
    const RspWide value = CLAMP (0, -most[i], most[i * n]);
    limit_difference (r, most, i, 0, value);
    limit_difference (r, most, 0, i, -value);
    row[i - 1] = (gint64) value;
    g_array_index (r->bound, RspBoundTerm, i - 1).value.bits = row[i - 1];
  }
  g_autofree char *key = g_malloc0 (r->conditions->len + 1);
  if (!find_truths (r->conditions, r->bound, r->numbers->required, key))
    return;
  const guint known = GPOINTER_TO_UINT (g_hash_table_lookup (r->found, key));
  gint64 *other = known ? (gint64 *) r->rows->data + (known - 1) * (n - 1) : NULL;
  if (!known) {
    g_array_append_vals (r->rows, row, n - 1);
    g_hash_table_insert (r->found, g_steal_pointer (&key),
                         GUINT_TO_POINTER (r->rows->len / (n - 1)));
  } else if (total_rank (r, row) < total_rank (r, other))
    memcpy (other, row, (n - 1) * sizeof *row);
}

static void add_cells (Rows *r, const RspWide *most, guint i) {
  const gsize size = r->n * r->n * sizeof *most;
  g_autofree RspWide *own = g_memdup2 (most, size);
  if (r->failed)
    return;
  if (i == r->thresholds->len) {
    r->failed |= ++r->n_cells > MAX_CELLS;
    add_row (r, own);
    return;
  }
  const Threshold *threshold = &g_array_index (r->thresholds, Threshold, i);
  if (limit_difference (r, own, threshold->a, threshold->b, threshold->at - 1))
    add_cells (r, own, i + 1);
  memcpy (own, most, size);
  if (limit_difference (r, own, threshold->b, threshold->a, -threshold->at))
    add_cells (r, own, i + 1);
}

/* Thresholds where the truths of conditions on a number alone change. */
static void add_edges (Rows *r, guint number) {
  const RspUnknownNumber *own = &r->numbers[number - 1];
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (RspWide));
  r->failed |= !find_classes (own, NULL, edges);
  for (guint i = 0; i < edges->len && !r->failed; i++)
    add_threshold (r, (Form){ .plus = number }, g_array_index (edges, RspWide, i));
}

gboolean rsp_classes_find_rows (const GPtrArray *conditions, const RspUnknownNumber *numbers,
                                guint n, GArray *rows) {
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  g_autoptr (GArray) thresholds = g_array_new (FALSE, FALSE, sizeof (Threshold)),
                     bound = g_array_new (FALSE, TRUE, sizeof (RspBoundTerm));
  g_autoptr (GHashTable) found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Rows r = { .conditions = all,
             .numbers = numbers,
             .n = n + 1,
             .thresholds = thresholds,
             .bound = bound,
             .rows = rows,
             .found = found,
             .failed = n > MAX_ROWED };
  for (guint i = 0; i < n; i++)
    r.failed |= !numbers[i].bits;
  g_autofree RspWide *most = g_new0 (RspWide, r.n * r.n);
  for (guint i = 0; i < conditions->len && !r.failed; i++) {
    g_array_unref (forms_of (&r, conditions->pdata[i]));
    g_ptr_array_add (all, conditions->pdata[i]);
  }
  for (guint i = 1; i < r.n && !r.failed; i++) {
    const RspBoundTerm own = { .term = numbers[i - 1].term };
    g_array_append_val (bound, own);
    add_edges (&r, i);
    for (guint k = 0; k < numbers[i - 1].conditions->len; k++)
      g_ptr_array_add (all, numbers[i - 1].conditions->pdata[k]);
  }
  for (guint i = 0; i < r.n * r.n; i++)
    most[i] = i / r.n == i % r.n ? 0 : greatest (&r, i / r.n) - least (&r, i % r.n);
  add_cells (&r, most, 0);
  if (!rows->len)
    g_array_set_size (rows, n);
  return !r.failed;
}
