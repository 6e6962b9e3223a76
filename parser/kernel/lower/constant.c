/* Names that are constants of OpenCL C. */
#include "parser/kernel/lower/expr.h"
#include "parser/kernel/lower/fold.h"
#include "parser/kernel/lower/type.h"
#include "parser/kernel/lower/value.h"

#include "parser/litmus/words.h"

#include <string.h>

/* ---- Memory orders, scopes and flags ---- */

static const RspScope scopes[] = { RSP_SCOPE_WORK_ITEM, RSP_SCOPE_WORK_GROUP, RSP_SCOPE_DEVICE,
                                   RSP_SCOPE_ALL, RSP_SCOPE_SUB_GROUP };

/* What each bit of flags stands for. */
static const guint memories[] = { RSP_FENCE_LOCAL, RSP_FENCE_GLOBAL, RSP_FENCE_IMAGE };

gboolean rsp_kernel_order_of (gint64 number, RspOrder *order) {
  if (number < 0 || number > RSP_ORDER_SEQ_CST - RSP_ORDER_RELAXED)
    return FALSE;
  *order = (RspOrder) (RSP_ORDER_RELAXED + number);
  return TRUE;
}

gboolean rsp_kernel_scope_of (gint64 number, RspScope *scope) {
  if (number < 0 || number >= (gint64) G_N_ELEMENTS (scopes))
    return FALSE;
  *scope = scopes[number];
  return TRUE;
}

guint rsp_kernel_flags_of (gint64 number) {
  guint flags = 0;
  for (guint i = 0; i < G_N_ELEMENTS (memories); i++)
    if (number & (1 << i))
      flags |= memories[i];
  return flags;
}

static gboolean number_of_word (const char *word, gint64 *number) {
  RspOrder order;
  RspScope scope;
  if (rsp_litmus_order_word (word, &order)) {
    *number = (gint64) order - RSP_ORDER_RELAXED;
    return TRUE;
  }
  guint flag;
  if (rsp_litmus_flag_word (word, &flag)) {
    for (guint i = 0; i < G_N_ELEMENTS (memories); i++)
      if (memories[i] == flag)
        *number = 1 << i;
    return TRUE;
  }
  if (!rsp_litmus_scope_word (word, &scope))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (scopes); i++)
    if (scopes[i] == scope)
      *number = (gint64) i;
  return TRUE;
}

/* ---- All ---- */

/* Integers of OpenCL C. */
static const struct {
  const char *name;
  guint64 value;
  const KernelType *type;
} integers[] = {
  { "true", 1, &kernel_int },
  { "false", 0, &kernel_int },
  { "NULL", 0, &kernel_int },
  { "CHAR_BIT", 8, &kernel_int },
  { "CHAR_MAX", G_MAXINT8, &kernel_int },
  { "CHAR_MIN", (guint64) G_MININT8, &kernel_int },
  { "UCHAR_MAX", G_MAXUINT8, &kernel_int },
  { "SHRT_MAX", G_MAXINT16, &kernel_int },
  { "SHRT_MIN", (guint64) G_MININT16, &kernel_int },
  { "USHRT_MAX", G_MAXUINT16, &kernel_int },
  { "INT_MAX", G_MAXINT32, &kernel_int },
  { "INT_MIN", (guint64) G_MININT32, &kernel_int },
  { "SCHAR_MAX", G_MAXINT8, &kernel_int },
  { "SCHAR_MIN", (guint64) G_MININT8, &kernel_int },
  { "FLT_RADIX", 2, &kernel_int },
  { "FLT_DIG", 6, &kernel_int },
  { "FLT_MANT_DIG", 24, &kernel_int },
  { "FLT_MAX_EXP", 128, &kernel_int },
  { "FLT_MIN_EXP", (guint64) -125, &kernel_int },
  { "FLT_MAX_10_EXP", 38, &kernel_int },
  { "FLT_MIN_10_EXP", (guint64) -37, &kernel_int },
  { "DBL_DIG", 15, &kernel_int },
  { "DBL_MANT_DIG", 53, &kernel_int },
  { "UINT_MAX", G_MAXUINT32, &kernel_uint },
  { "LONG_MAX", G_MAXINT64, &kernel_long },
  { "LONG_MIN", (guint64) G_MININT64, &kernel_long },
  { "ULONG_MAX", G_MAXUINT64, &kernel_size },
};

/* Does the word name a floating-point number of OpenCL C? (`M_PI` also stands for `M_PI_F`.) */
static gboolean is_real (const char *word) {
  static const char *const words[]
      = { "INFINITY",    "NAN",     "MAXFLOAT",  "HUGE_VALF",   "HUGE_VAL", "FLT_MAX", "FLT_MIN",
          "FLT_EPSILON", "DBL_MAX", "DBL_MIN",   "DBL_EPSILON", "M_E",      "M_LOG2E", "M_LOG10E",
          "M_LN2",       "M_LN10",  "M_PI",      "M_PI_2",      "M_PI_4",   "M_1_PI",  "M_2_PI",
          "M_2_SQRTPI",  "M_SQRT2", "M_SQRT1_2", NULL };
  gboolean is_single = g_str_has_prefix (word, "M_") && g_str_has_suffix (word, "_F");
  g_autofree char *own = g_strndup (word, strlen (word) - (is_single ? 2 : 0));
  return g_strv_contains (words, own);
}

gboolean kernel_named_constant (KernelLowerer *l, const KernelExpr *expr, KernelValue *value) {
  gint64 number;
  if (number_of_word (expr->name, &number))
    *value = rsp_kernel_scalar (l, rsp_kernel_constant (l, expr->span, number, &kernel_int),
                                &kernel_int);
  for (gsize i = 0; i < G_N_ELEMENTS (integers) && !value->n; i++)
    if (strcmp (expr->name, integers[i].name) == 0)
      *value = rsp_kernel_scalar (
          l, rsp_kernel_constant (l, expr->span, (gint64) integers[i].value, integers[i].type),
          integers[i].type);
  if (!value->n && (is_real (expr->name) || g_str_has_prefix (expr->name, "CLK_"))) {
    static const KernelType real = { .kind = KERNEL_FLOAT, .bits = 32 };
    const KernelType *type = g_str_has_prefix (expr->name, "CLK_") ? &kernel_uint : &real;
    *value
        = rsp_kernel_scalar (l, rsp_kernel_apply (l, expr->span, expr->name, type, NULL, 0), type);
  }
  return value->n > 0;
}
