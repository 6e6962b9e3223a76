/* Names that are constants of OpenCL C, or enumerators. */
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

gboolean
rsp_kernel_order_of (gint64 number, RspOrder *order)
{
  if (number < 0 || number > RSP_ORDER_SEQ_CST - RSP_ORDER_RELAXED)
    return FALSE;
  *order = (RspOrder) (RSP_ORDER_RELAXED + number);
  return TRUE;
}

gboolean
rsp_kernel_scope_of (gint64 number, RspScope *scope)
{
  if (number < 0 || number >= (gint64) G_N_ELEMENTS (scopes))
    return FALSE;
  *scope = scopes[number];
  return TRUE;
}

guint
rsp_kernel_flags_of (gint64 number)
{
  guint flags = 0;
  for (guint i = 0; i < G_N_ELEMENTS (memories); i++)
    if (number & (1 << i))
      flags |= memories[i];
  return flags;
}

static gboolean
number_of_word (const char *word, gint64 *number)
{
  RspOrder order;
  RspScope scope;
  if (rsp_litmus_order_word (word, &order))
    {
      *number = (gint64) order - RSP_ORDER_RELAXED;
      return TRUE;
    }
  guint flag;
  if (rsp_litmus_flag_word (word, &flag))
    {
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

gboolean
kernel_named_constant (KernelLowerer *l, const KernelExpr *expr, KernelValue *value)
{
  static const struct
  {
    const char *name;
    gint64 value;
  } constants[] = {
    { "true", 1 },
    { "false", 0 },
    { "NULL", 0 },
    { "CHAR_BIT", 8 },
    { "CHAR_MAX", G_MAXINT8 },
    { "CHAR_MIN", G_MININT8 },
    { "UCHAR_MAX", G_MAXUINT8 },
    { "SHRT_MAX", G_MAXINT16 },
    { "SHRT_MIN", G_MININT16 },
    { "USHRT_MAX", G_MAXUINT16 },
    { "INT_MAX", G_MAXINT32 },
    { "INT_MIN", G_MININT32 },
  };
  static const struct
  {
    const char *name;
    guint64 value;
    const KernelType *type;
  } wide[] = { { "UINT_MAX", G_MAXUINT32, &kernel_uint },
               { "LONG_MAX", G_MAXINT64, &kernel_long },
               { "LONG_MIN", (guint64) G_MININT64, &kernel_long },
               { "ULONG_MAX", G_MAXUINT64, &kernel_size } };
  static const char *const floats[]
      = { "INFINITY",  "NAN",    "FLT_MAX", "FLT_MIN", "FLT_EPSILON", "MAXFLOAT",
          "HUGE_VALF", "M_PI_F", "M_PI",    "M_E_F",   "DBL_MAX",     NULL };
  gint64 number;
  if (rsp_kernel_evaluate (l, expr, &number) || number_of_word (expr->name, &number))
    *value = rsp_kernel_scalar (l, rsp_kernel_constant (l, expr->span, number, &kernel_int),
                                &kernel_int);
  for (gsize i = 0; i < G_N_ELEMENTS (constants) && !value->n; i++)
    if (strcmp (expr->name, constants[i].name) == 0)
      *value = rsp_kernel_scalar (
          l, rsp_kernel_constant (l, expr->span, constants[i].value, &kernel_int), &kernel_int);
  for (gsize i = 0; i < G_N_ELEMENTS (wide) && !value->n; i++)
    if (strcmp (expr->name, wide[i].name) == 0)
      *value = rsp_kernel_scalar (
          l, rsp_kernel_constant (l, expr->span, (gint64) wide[i].value, wide[i].type),
          wide[i].type);
  if (!value->n && (g_strv_contains (floats, expr->name) || g_str_has_prefix (expr->name, "CLK_")))
    {
      static const KernelType real = { .kind = KERNEL_FLOAT, .bits = 32 };
      const KernelType *type = g_str_has_prefix (expr->name, "CLK_") ? &kernel_uint : &real;
      *value = rsp_kernel_scalar (l, rsp_kernel_apply (l, expr->span, expr->name, type, NULL, 0),
                                  type);
    }
  return value->n > 0;
}
