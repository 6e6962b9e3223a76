/* What work-items ask about themselves and the grid: their positions, which are constants, and
 * sizes. */
#include "parser/kernel/functions/identity.h"
#include "parser/kernel/lower/expr.h"
#include "parser/kernel/lower/fold.h"
#include "parser/kernel/lower/type.h"
#include "parser/kernel/lower/value.h"

#include <string.h>

/* The answers to one question, for each dimension. */
typedef struct Answer {
  guint values[RSP_GRID_DIMENSIONS];
  gboolean has_dimension, own; /* does it take a dimension? do work-items differ in it? */
  gboolean small;              /* is it a uint? */
} Answer;

static void split (guint number, const guint *sizes, guint *positions) {
  for (guint d = 0; d < RSP_GRID_DIMENSIONS; d++) {
    positions[d] = number % sizes[d];
    number /= sizes[d];
  }
}

static gboolean find_answer (const KernelLowerer *l, const char *name, Answer *answer) {
  enum { ONE = RSP_GRID_DIMENSIONS };
  const RspGrid *grid = &l->options->grid;
  const guint *groups = grid->group_sizes, *items = grid->item_sizes;
  guint group[ONE], item[ONE], id[ONE], size[ONE], zero[ONE] = { 0 }, linear = 0;
  split (l->group, groups, group);
  split (l->item, items, item);
  for (guint d = ONE; d-- > 0;) {
    id[d] = group[d] * items[d] + item[d];
    size[d] = groups[d] * items[d];
    linear = linear * size[d] + id[d];
  }
  const guint sub_group = l->item / grid->items, sub_item = l->item % grid->items;
  const struct {
    const char *name;
    const guint *values;
    guint n;
    gboolean own, small;
  } answers[] = { { "get_global_id", id, ONE, TRUE, FALSE },
                  { "get_local_id", item, ONE, TRUE, FALSE },
                  { "get_group_id", group, ONE, TRUE, FALSE },
                  { "get_global_size", size, ONE, FALSE, FALSE },
                  { "get_local_size", items, ONE, FALSE, FALSE },
                  { "get_enqueued_local_size", items, ONE, FALSE, FALSE },
                  { "get_num_groups", groups, ONE, FALSE, FALSE },
                  { "get_global_offset", zero, ONE, FALSE, FALSE },
                  { "get_global_linear_id", &linear, 1, TRUE, FALSE },
                  { "get_local_linear_id", &l->item, 1, TRUE, FALSE },
                  { "get_work_dim", &grid->dimensions, 1, FALSE, TRUE },
                  { "get_sub_group_id", &sub_group, 1, TRUE, TRUE },
                  { "get_sub_group_local_id", &sub_item, 1, TRUE, TRUE },
                  { "get_sub_group_size", &grid->items, 1, FALSE, TRUE },
                  { "get_max_sub_group_size", &grid->items, 1, FALSE, TRUE },
                  { "get_num_sub_groups", &grid->sub_groups, 1, FALSE, TRUE },
                  { "get_enqueued_num_sub_groups", &grid->sub_groups, 1, FALSE, TRUE } };
  for (gsize i = 0; i < G_N_ELEMENTS (answers); i++)
    if (strcmp (name, answers[i].name) == 0) {
      *answer = (Answer){ .has_dimension = answers[i].n > 1,
                          .own = answers[i].own,
                          .small = answers[i].small };
      memcpy (answer->values, answers[i].values, answers[i].n * sizeof (guint));
      return TRUE;
    }
  return FALSE;
}

/* For a dimension that does not exist: position 0, of size 1. */
static guint value_for (const Answer *answer, const char *name, gint64 dimension) {
  if (dimension >= 0 && dimension < RSP_GRID_DIMENSIONS)
    return answer->values[dimension];
  return answer->own || strcmp (name, "get_global_offset") == 0 ? 0 : 1;
}

/* The dimension that the call names; FALSE: it is no constant. */
static gboolean find_dimension (KernelLowerer *l, const KernelExpr *call, const Answer *answer,
                                gint64 *dimension) {
  *dimension = 0;
  return !answer->has_dimension
         || (call->args.n == 1 && rsp_kernel_evaluate (l, call->args.items[0], dimension));
}

gboolean rsp_kernel_grid_size (KernelLowerer *l, const KernelExpr *call, gint64 *value) {
  Answer answer;
  gint64 dimension;
  if (call->a->kind != KERNEL_NAME || !find_answer (l, call->a->name, &answer) || answer.own
      || !find_dimension (l, call, &answer, &dimension))
    return FALSE;
  *value = value_for (&answer, call->a->name, dimension);
  return TRUE;
}

/* Whichever the dimension is. */
static RspExpr *choose_dimension (KernelLowerer *l, const KernelExpr *call, const Answer *answer,
                                  const KernelType *type) {
  RspSpan span = call->span;
  const KernelType *own;
  RspExpr *dimension = rsp_kernel_reusable (
      l, rsp_kernel_scalar_value (l, call->args.items[0], &own), &kernel_long);
  RspExpr *result
      = rsp_kernel_constant (l, span, value_for (answer, call->a->name, RSP_GRID_DIMENSIONS), type);
  for (guint d = 0; d < RSP_GRID_DIMENSIONS; d++) {
    RspExpr *is_this = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_EQ, &kernel_int, dimension,
                                        rsp_kernel_constant (l, span, d, &kernel_long));
    RspExpr *choice = rsp_kernel_node (l, span, RSP_EXPR_CONDITIONAL, RSP_OP_NONE, type, is_this,
                                       rsp_kernel_constant (l, span, answer->values[d], type));
    choice->u.node.c = result;
    result = choice;
  }
  return result;
}

KernelValue kernel_identity (KernelLowerer *l, const KernelExpr *call) {
  const char *name = call->a->name;
  gint64 dimension;
  Answer answer = { .own = FALSE };
  find_answer (l, name, &answer);
  const KernelType *type = answer.small ? &kernel_uint : &kernel_size;
  if (call->args.n != (guint) answer.has_dimension) {
    kernel_error (l, call->span, NULL, "found %u arguments of `%s`, expected %d", call->args.n,
                  name, answer.has_dimension);
    return rsp_kernel_dummy (l, call->span, type);
  }
  if (answer.own && l->at_end)
    rsp_kernel_refuse (l, call->span,
                       "it is about no work-item: name elements (`x[0] == 1 && x[1] == 1`), or "
                       "write `assert (…)` in the kernel",
                       "`%s` in an assertion about memory at the end", name);
  gboolean constant = find_dimension (l, call, &answer, &dimension);
  for (guint d = 0; answer.own && d < RSP_GRID_DIMENSIONS; d++)
    if (!constant || dimension == d)
      g_string_append_printf (l->identity, "%s %u %u;", name, d, answer.values[d]);
  return rsp_kernel_scalar (
      l,
      constant ? rsp_kernel_constant (l, call->span, value_for (&answer, name, dimension), type)
               : choose_dimension (l, call, &answer, type),
      type);
}
