/* Floating-point functions of kernels, calculated as IEEE 754 has it, rounded to nearest. */
#include "parser/program.h"

#include <math.h>
#include <string.h>

/* A function's number:
 *
 *    40 39 …     16 15       8 7        0
 *   ┌──┬─────────┬──────────┬──────────┐
 *   │ 1│ row     │ result   │ operands │   types as in code_of; a row's integer operand is an int
 *   └──┴─────────┴──────────┴──────────┘                                                       */
enum { FLAG = 40, ROW = 16, RESULT = 8, IS_FLOAT = 0x80, IS_SIGNED = 0x40, BITS = 0x3f };

/* ---- Numbers -------------------------------------------------------------------------------- */

/* 64 bits are written as 0. */
static guint code_of (RspNumberType type) {
  return (type.is_float ? IS_FLOAT : 0) | (type.is_signed ? IS_SIGNED : 0) | (type.bits & BITS);
}

static guint8 bits_of (guint code) { return code & BITS ? code & BITS : 64; }

/* The nearest number of 16 bits; the tie goes to the even one. */
static guint64 to_half (double value) {
  const guint64 sign = signbit (value) ? 0x8000 : 0;
  const double size = fabs (value);
  int exponent;
  if (isnan (value))
    return 0x7e00;
  if (size >= 65520)
    return sign | 0x7c00;
  if (size < 0x1p-14)
    return sign | (guint64) nearbyint (size * 0x1p24);
  const double digits = nearbyint (frexp (size, &exponent) * 2048); /* 1024 to 2048 */
  return sign | (((guint64) (exponent + 14) << 10) + (guint64) digits - 1024);
}

static double from_half (guint64 bits) {
  const int exponent = (int) (bits >> 10 & 31);
  const double digits = (double) (bits & 1023);
  const double size = exponent == 31 ? (digits > 0 ? (double) NAN : (double) INFINITY)
                      : exponent     ? ldexp (digits + 1024, exponent - 25)
                                     : ldexp (digits, -24);
  return bits & 0x8000 ? -size : size;
}

/* Holds all numbers of 64 bits. */
typedef long double Wide;

static Wide decode (gint64 bits, guint code) {
  const guint8 size = bits_of (code);
  double wide;
  float narrow;
  const gint64 own = rsp_wrap (bits, size, code & IS_SIGNED);
  const guint32 low = (guint32) own;
  if (!(code & IS_FLOAT))
    return code & IS_SIGNED ? (Wide) own : (Wide) (guint64) own;
  if (size == 16)
    return from_half ((guint64) own);
  memcpy (&wide, &own, sizeof wide);
  memcpy (&narrow, &low, sizeof narrow);
  return size == 64 ? wide : narrow;
}

/* An integer is rounded towards 0, and what it cannot hold becomes its nearest value; NaN is 0. */
static gint64 encode (Wide value, guint code) {
  const guint8 size = bits_of (code);
  const double wide = (double) value;
  const float narrow = (float) value;
  gint64 bits;
  guint32 low;
  if (!(code & IS_FLOAT)) {
    const RspWide least = rsp_type_low (size, code & IS_SIGNED),
                  most = rsp_type_high (size, code & IS_SIGNED);
    if (size == 1)
      return value != 0;
    return isnan (value)           ? 0
           : value <= (Wide) least ? (gint64) least
           : value >= (Wide) most  ? (gint64) most
           : code & IS_SIGNED      ? (gint64) value
                                   : (gint64) (guint64) value;
  }
  if (size == 16)
    return (gint64) to_half (wide);
  memcpy (&bits, &wide, sizeof bits);
  memcpy (&low, &narrow, sizeof low);
  return size == 64 ? bits : (gint64) low;
}

/* ---- Functions ------------------------------------------------------------------------------ */

/* A function's operands: numbers, or in the place of b an int. */
typedef struct Operands {
  double a, b, c;
  int n;              /* b, if it is an int */
  gboolean is_single; /* not double */
} Operands;

/* fma of floats is rounded once. */
static double multiply_add (const Operands *o) {
  return o->is_single ? (double) fmaf ((float) o->a, (float) o->b, (float) o->c)
                      : fma (o->a, o->b, o->c);
}

static double fraction (const Operands *o) {
  return fmin (o->a - floor (o->a), o->is_single ? 0x1.fffffep-1 : 0x1.fffffffffffffp-1);
}

static double smooth (const Operands *o) {
  const double t = fmin (fmax ((o->c - o->a) / (o->b - o->a), 0), 1);
  return t * t * (3 - 2 * t);
}

static double mantissa (const Operands *o) {
  int exponent;
  return frexp (o->a, &exponent);
}

static double exponent (const Operands *o) {
  int exponent;
  frexp (o->a, &exponent);
  return exponent;
}

#define PI 3.14159265358979323846

typedef enum Row {
#define FUNCTION(id, name, n, host, value) ROW_##id,
#include "parser/floats.def"
} Row;

static const struct {
  const char *name;
  guint n_operands;
  gboolean is_host;
} rows[] = {
#define FUNCTION(id, name, n, host, value) { name, n, host },
#include "parser/floats.def"
};

static double calculate (Row row, const Operands *o) {
  switch (row) {
#define FUNCTION(id, name, n, host, value)                                                         \
  case ROW_##id:                                                                                   \
    return value;
#include "parser/floats.def"
  }
  return 0;
}

/* ---- The whole ---- */
static Row row_of (gint64 function) { return (Row) (function >> ROW & 0xffff); }

gint64 rsp_float_function (const char *name, RspNumberType result, const RspNumberType *operands,
                           guint n) {
  const char *own = g_str_has_prefix (name, "native_") ? name + 7
                    : g_str_has_prefix (name, "half_") ? name + 5
                                                       : name;
  const gboolean counts
      = n == 2 && g_strv_contains ((const char *const[]){ "ldexp", "pown", "rootn", NULL }, own);
  for (guint i = 0; i < n; i++)
    if (i ? operands[i].bits != (counts ? 32 : operands[0].bits) || operands[i].is_float == counts
          : !operands[0].is_float && strcmp (own, "convert") != 0)
      return 0;
  for (guint row = 0; row < G_N_ELEMENTS (rows); row++)
    if (strcmp (rows[row].name, own) == 0 && rows[row].n_operands == n)
      return (G_GINT64_CONSTANT (1) << FLAG) | (gint64) row << ROW
             | (gint64) code_of (result) << RESULT | code_of (operands[0]);
  return 0;
}

guint rsp_float_operands (gint64 function) {
  return function >> FLAG == 1 ? rows[row_of (function)].n_operands : 0;
}

const char *rsp_float_host_name (gint64 function) {
  return rows[row_of (function)].is_host ? rows[row_of (function)].name : NULL;
}

gint64 rsp_float_calculate (gint64 function, const gint64 *operands) {
  const Row row = row_of (function);
  const guint from = function & 0xff, to = function >> RESULT & 0xff, n = rows[row].n_operands;
  const Operands o = { .a = (double) decode (operands[0], from),
                       .b = n > 1 ? (double) decode (operands[1], from) : 0,
                       .c = n > 2 ? (double) decode (operands[2], from) : 0,
                       .n = n > 1 ? (gint32) operands[1] : 0,
                       .is_single = bits_of (from) <= 32 };
  return encode (row == ROW_CONVERT ? decode (operands[0], from) : calculate (row, &o), to);
}
