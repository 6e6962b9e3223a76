#pragma once

#include "parser/kernel/lower/lower.h"

/* The result of a function of two integers: arguments of one type have a result of that type, which
 * is not promoted (6.13.3). */
const KernelType *kernel_result_type (const KernelType *a, const KernelType *b);

/* A function of integers, or of vectors of them; FALSE: there is none for the arguments. */
gboolean kernel_integer_function (KernelLowerer *l, const KernelExpr *call,
                                  const KernelValue *arguments, guint n, KernelValue *value);
/* An integer, or a vector of integers? */
gboolean kernel_is_integral (const KernelType *type);
/* The nearest value of the integral type; it keeps its own type. */
KernelValue kernel_saturate (KernelLowerer *l, RspSpan span, KernelValue value,
                             const KernelType *type);
/* `condition ? yes : no` of values of one type. Where a lane of a vector as the condition is
 * negative, yes. */
KernelValue rsp_kernel_choose (KernelLowerer *l, RspSpan span, KernelValue condition,
                               KernelValue yes, KernelValue no);
/* any (v), all (v) */
KernelValue kernel_any (KernelLowerer *l, const KernelExpr *call, KernelValue value);
/* shuffle (v, mask), shuffle2 (v, w, mask), of vectors */
KernelValue kernel_shuffle (KernelLowerer *l, RspSpan span, const KernelValue *arguments, guint n);
