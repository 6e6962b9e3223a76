/* Each term over the unknown n is, in a piece,
 *
 *   (slope × n + offset + p (n)) / scale,    p periodic, 0 ≤ p ≤ spread
 *
 * Comparisons, divisions and conversions divide a piece where they change. */
#include "api/run/pieces.h"

enum {
  MANY_WRAPS = 64,     /* in one piece: then a conversion counts as periodic, if it can */
  MAX_SIZE = 1 << 10,  /* of a condition */
  MAX_FACTOR_BITS = 24 /* of slopes and scales, so that RspWide has room */
};

typedef struct Shape {
  RspWide slope, scale, offset, spread;
  guint64 period;
} Shape;

/* What is found in a piece that is divided does not count. */
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

/* Is it less than the limit in all of the piece, or in none? If not, the piece is divided there,
 * unless the answer is periodic. */
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

/* Plus a number between low and high, which is periodic in the value with this period. */
static Shape add_periodic (Piece *piece, Shape a, RspWide low, RspWide high, RspWide period) {
  if (a.slope)
    a.period = common_period (piece, a.period, a.scale * period);
  a.offset += low * a.scale;
  a.spread += (high - low) * a.scale;
  return a;
}

/* The value modulo a number, whatever its sign is. */
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

/* Divided by a number > 0, towards 0. */
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

/* The number that has one more bit than the mask. */
static RspWide above (RspWide mask) {
  RspWide size = 1;
  while (size <= mask)
    size *= 2;
  return size;
}

/* Bits are set, cleared and changed by adding what is periodic; a mask clears what it does not
 * have. */
static Shape mask_shape (Piece *piece, const RspTerm *term, Shape a, RspWide mask) {
  const RspWide whole = (RspWide) 1 << term->bits;
  mask = mask < 0 ? mask + whole : mask;
  const RspWide cleared = whole - 1 - mask;
  const RspWide bits = term->op == RSP_OP_AND && cleared < mask ? cleared : mask;
  if (above (bits) > PIECE_MAX_PERIOD)
    return fail (piece);
  if (term->op == RSP_OP_AND)
    return bits == mask ? remainder_shape (piece, a, 0, mask, above (mask))
                        : add_periodic (piece, a, -cleared, 0, above (cleared));
  return add_periodic (piece, a, term->op == RSP_OP_OR ? 0 : -mask, mask, above (mask));
}

/* An operator one of whose operands, the right one if they cannot be exchanged, is a constant. */
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
  case RSP_OP_XOR:
    return mask_shape (piece, term, a, b);
  default:
    return fail (piece);
  }
}

/* The lesser or the greater one. */
static Shape extreme_shape (Piece *piece, const RspTerm *term, Shape a, Shape b) {
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

/* 0 or 1: constant, unless the difference is periodic. */
static Shape comparison_shape (Piece *piece, Shape a, Shape b) {
  Shape difference = subtract_shapes (piece, a, b);
  gboolean constant = is_decided (piece, difference, 0) && is_decided (piece, difference, 1);
  return periodic_shape (0, 1, constant ? 1 : difference.period);
}

static Shape shape_of (Piece *piece, const RspTerm *term);

static Shape shape_of_binary (Piece *piece, const RspTerm *term) {
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
  if (term->op == RSP_OP_MIN || term->op == RSP_OP_MAX)
    return extreme_shape (piece, term, a, b);
  if (right->kind == RSP_TERM_CONSTANT)
    return wrap_shape (piece, shape_with_constant (piece, term, a, right), term);
  if (!a.slope && !b.slope)
    return periodic_shape (low_of (term), high_of (term),
                           common_period (piece, a.period, (RspWide) b.period));
  return fail (piece);
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
  case RSP_TERM_BINARY:
    return shape_of_binary (piece, term);
  default:
    return fail (piece);
  }
}

guint64 piece_period (Piece *piece, const GPtrArray *conditions) {
  guint64 period = 1;
  for (guint i = 0; i < conditions->len && !piece->failed && !piece->divided; i++) {
    const RspTerm *condition = conditions->pdata[i];
    give_up (piece, condition->size > MAX_SIZE);
    Shape shape = piece->failed
                      ? constant_shape (0)
                      : comparison_shape (piece, shape_of (piece, condition), constant_shape (0));
    period = common_period (piece, period, (RspWide) shape.period);
  }
  return period;
}
