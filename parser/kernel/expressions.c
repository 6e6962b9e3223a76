/* Expressions of kernels (OpenCL C 2.0, 6.3): constants are folded, the others become expressions
 * of a program. */
#include "parser/kernel/internal.h"
#include "parser/program.h"

#include <string.h>

/* ---- Uses of names -------------------------------------------------------------------------- */

static gboolean is_name (const CExpr *expr, const char *name) {
  return expr && expr->kind == C_NAME && strcmp (expr->name, name) == 0;
}

static gboolean is_assignment (const CExpr *expr, const char *name) {
  return (expr->kind == C_ASSIGN || expr->kind == C_STEP || expr->kind == C_ADDRESS)
         && is_name (expr->a, name);
}

static gboolean is_addressed (const CExpr *expr, const char *name) {
  return expr->kind == C_ADDRESS && is_name (expr->a, name);
}

gboolean kernel_mentions (const CExpr *expr, const char *name) {
  return c_find (expr, is_name, name) != NULL;
}

typedef gboolean (*Use) (const CExpr *, const char *);

static gboolean has_use (const CStatement *statement, Use is_use, const char *name) {
  if (!statement)
    return FALSE;
  if (c_find (statement->expr, is_use, name) || c_find (statement->step, is_use, name)
      || has_use (statement->init, is_use, name) || has_use (statement->body, is_use, name)
      || has_use (statement->otherwise, is_use, name))
    return TRUE;
  for (guint i = 0; i < statement->list.n; i++) {
    gconstpointer item = statement->list.items[i];
    if (statement->kind == C_BLOCK
            ? has_use (item, is_use, name)
            : c_find (((const CVariable *) item)->initial, is_use, name) != NULL)
      return TRUE;
  }
  return FALSE;
}

gboolean kernel_assigns (const CStatement *statement, const char *name) {
  return has_use (statement, is_assignment, name);
}

gboolean kernel_jumps (const CStatement *statement, const char *label) {
  return has_use (statement, is_name, label);
}

gboolean kernel_addresses (const CStatement *statement, const char *name) {
  return has_use (statement, is_addressed, name);
}

/* ---- Constants ------------------------------------------------------------------------------ */

/* A number of a type. */
typedef struct Number {
  gint64 value;
  CType type; /* an integer's */
} Number;

gint64 rsp_kernel_wrap (gint64 value, const CType *type) {
  return type->bits == 1 ? value != 0 : rsp_wrap (value, type->bits, type->is_signed);
}

static Number number_of (gint64 value, const CType *type) {
  return (Number){ rsp_kernel_wrap (value, type), *type };
}

/* ---- Operators ---- */
static Number fold_unary (RspOperator op, Number a) {
  if (op == RSP_OP_LOGICAL_NOT)
    return number_of (!a.value, &kernel_int);
  a = number_of (a.value, rsp_kernel_promoted (&a.type));
  if (op != RSP_OP_PLUS)
    a.value = rsp_fold_unary (op, a.value, a.type.bits, a.type.is_signed);
  return a;
}

/* A shift has the type of its first operand; both operands of the others are converted to one type.
 */
static gboolean fold_binary (RspOperator op, Number a, Number b, Number *result) {
  if (op == RSP_OP_LOGICAL_AND || op == RSP_OP_LOGICAL_OR) {
    *result = number_of (op == RSP_OP_LOGICAL_AND ? a.value && b.value : a.value || b.value,
                         &kernel_int);
    return TRUE;
  }
  if (op == RSP_OP_COMMA || op == RSP_OP_APPLY)
    return FALSE;
  const CType type = rsp_operator_is_shift (op) ? *rsp_kernel_promoted (&a.type)
                                                : *rsp_kernel_common (&a.type, &b.type);
  a = number_of (a.value, &type);
  if (rsp_operator_is_shift (op))
    b.value &= type.bits - 1; /* 6.3.j */
  else
    b = number_of (b.value, &type);
  *result = number_of (0, rsp_operator_is_comparison (op) ? &kernel_int : &type);
  return rsp_fold_binary (op, a.value, b.value, type.bits, type.is_signed, &result->value);
}

static gboolean is_number (const RspExpr *expr, Number *number) {
  const RspType *type = &expr->type;
  *number = (Number){ expr->u.constant,
                      { .kind = C_INTEGER, .bits = type->bits, .is_signed = type->is_signed } };
  return expr->kind == RSP_EXPR_CONSTANT && !type->pointers && !type->is_float && type->bits;
}

RspExpr *kernel_folded (KernelLowerer *l, RspSpan span, RspOperator op, const RspExpr *a,
                        const RspExpr *b) {
  Number left, right, result;
  if (!is_number (a, &left) || (b && !is_number (b, &right)))
    return NULL;
  if (!b)
    result = fold_unary (op, left);
  else if (!fold_binary (op, left, right, &result))
    return NULL;
  return rsp_kernel_constant (l, span, result.value, &result.type);
}

/* ---- Constant expressions ---- */
/* What sizeof or vec_step gives. */
static gint64 kernel_measured (KernelLowerer *l, const CExpr *expr) {
  const CType *type = expr->type ? expr->type : rsp_kernel_type_of (l, expr->a);
  if (strcmp (expr->name, "vec_step") != 0)
    return (gint64) rsp_kernel_size_of (l, type, expr->span);
  return type->kind == C_VECTOR ? rsp_kernel_cells (l, type, expr->span) : 1;
}

static gboolean evaluate (KernelLowerer *l, const CExpr *expr, Number *number);

static gboolean evaluate_conditional (KernelLowerer *l, const CExpr *expr, Number *number) {
  Number condition, other;
  const CExpr *yes = expr->b ? expr->b : expr->a;
  if (!evaluate (l, expr->a, &condition) || !evaluate (l, condition.value ? yes : expr->c, number))
    return FALSE;
  if (evaluate (l, condition.value ? expr->c : yes, &other))
    *number = number_of (number->value, rsp_kernel_common (&number->type, &other.type));
  return TRUE;
}

/* A variable whose value the text alone determines. */
static gboolean evaluate_variable (KernelLowerer *l, const KernelBinding *binding, Number *number) {
  const CType *type = binding->place.type;
  const RspExpr *address = binding->place.address;
  if (binding->place.in_registers || type->kind != C_INTEGER)
    return FALSE;
  if (binding->by_value && address->kind == RSP_EXPR_CONSTANT) {
    *number = number_of (address->u.constant, type);
    return TRUE;
  }
  if (binding->by_value || address->kind != RSP_EXPR_LOCATION)
    return FALSE;
  const RspLocation *location = &g_array_index (l->locations, RspLocation, address->u.object);
  *number = number_of (location->initial, type);
  return location->fixed && !location->opaque;
}

static gboolean evaluate (KernelLowerer *l, const CExpr *expr, Number *number) {
  gint64 value;
  switch (expr->kind) {
  case C_NUMBER:
    *number = (Number){
      expr->number.value,
      { .kind = C_INTEGER, .bits = expr->number.bits, .is_signed = expr->number.is_signed }
    };
    return TRUE;
  case C_NAME: {
    const KernelBinding *binding = rsp_kernel_find_name (l, expr->name);
    return binding && evaluate_variable (l, binding, number);
  }
  case C_UNARY:
    if (!evaluate (l, expr->a, number))
      return FALSE;
    *number = fold_unary (expr->op, *number);
    return TRUE;
  case C_BINARY: {
    Number a, b;
    return evaluate (l, expr->a, &a) && evaluate (l, expr->b, &b)
           && fold_binary (expr->op, a, b, number);
  }
  case C_CONDITIONAL:
    return evaluate_conditional (l, expr, number);
  case C_CAST:
    if (expr->type->kind != C_INTEGER || !evaluate (l, expr->a, number))
      return FALSE;
    *number = number_of (number->value, expr->type);
    return TRUE;
  case C_CALL:
    if (!rsp_kernel_grid_size (l, expr, &value))
      return FALSE;
    *number = number_of (value, &kernel_size);
    return TRUE;
  case C_SIZEOF:
    *number = number_of (kernel_measured (l, expr), &kernel_size);
    return TRUE;
  default:
    return FALSE;
  }
}

gboolean rsp_kernel_evaluate (KernelLowerer *l, const CExpr *expr, gint64 *value) {
  Number number;
  if (!evaluate (l, expr, &number))
    return FALSE;
  *value = number.value;
  return TRUE;
}

gboolean rsp_kernel_constant_value (KernelLowerer *l, const CExpr *expr, gint64 *value) {
  KernelCode code;
  KernelCode *outer = rsp_kernel_begin (l, &code);
  const KernelValue found = rsp_kernel_value (l, expr);
  rsp_kernel_end (l, &code, outer, expr->span);
  if (code.first || found.n != 1 || found.cells[0]->kind != RSP_EXPR_CONSTANT)
    return FALSE;
  *value = found.cells[0]->u.constant;
  return TRUE;
}

void rsp_kernel_static_assert (KernelLowerer *l, const CExpr *expr, RspSpan span) {
  gint64 value;
  if (!rsp_kernel_evaluate (l, expr, &value))
    rsp_kernel_refuse (l, expr->span, "write `assert (…)`", "a static assertion about a variable");
  else if (!value)
    kernel_error (l, span, NULL, "the static assertion does not hold");
}

void rsp_kernel_bind_enumerator (KernelLowerer *l, const CVariable *enumerator) {
  gint64 value = 0;
  if (!rsp_kernel_evaluate (l, enumerator->initial, &value))
    rsp_kernel_refuse (l, enumerator->span, "write it as a number",
                       "an enumerator whose value is not a constant");
  const CType *type = rsp_wrap (value, 32, TRUE) == value ? &kernel_int : &kernel_long;
  RspExpr *constant = rsp_kernel_constant (l, enumerator->span, value, type);
  rsp_kernel_bind (l, enumerator->name, (KernelPlace){ .type = type, .address = constant }, TRUE);
}

/* ---- Operators ------------------------------------------------------------------------------ */

static gboolean compares (RspOperator op) { return op >= RSP_OP_EQ && op <= RSP_OP_GE; }

/* ---- Sequence ---- */
/* Is it a call, other than a question of a work-item about itself, which is constant? */
static gboolean is_call (const CExpr *expr, const char *unused) {
  (void) unused;
  return expr->kind == C_CALL
         && !(expr->a->kind == C_NAME && g_str_has_prefix (expr->a->name, "get_"));
}

static gboolean is_access (const CExpr *expr, const char *unused) {
  return expr->kind == C_INDEX || expr->kind == C_DEREF || is_call (expr, unused);
}

/* Is one of the operands a function call, and does the other one access memory too? Calls are
 * sequenced with everything else in an expression, in one order or the other (C11, 6.5.2.2). */
static gboolean kernel_must_be_sequenced (const CExpr *a, const CExpr *b) {
  return (c_find (a, is_call, NULL) && c_find (b, is_access, NULL))
         || (c_find (a, is_access, NULL) && c_find (b, is_call, NULL));
}

/* ---- Pointers ---- */
static RspExpr *scaled (KernelLowerer *l, RspSpan span, RspExpr *index, gint64 cells) {
  if (index->kind == RSP_EXPR_CONSTANT)
    return rsp_kernel_constant (l, span, (gint64) ((guint64) index->u.constant * (guint64) cells),
                                &kernel_long);
  index = rsp_kernel_node (l, span, RSP_EXPR_CAST, RSP_OP_NONE, &kernel_long, index, NULL);
  return cells == 1 ? index
                    : rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_MUL, &kernel_long, index,
                                       rsp_kernel_constant (l, span, cells, &kernel_long));
}

/* The units of so many elements of the type. An index to a part of a unit leads to no element. */
static RspExpr *distance (KernelLowerer *l, RspSpan span, const CType *type, RspExpr *index) {
  const guint unit = l->kernel->unit;
  if (!unit || rsp_kernel_size_of (l, type, span) % unit == 0)
    return scaled (l, span, index, rsp_kernel_units (l, type, span));
  RspExpr *bytes
      = rsp_kernel_reusable (
          l, scaled (l, span, index, (gint64) rsp_kernel_size_of (l, type, span)), &kernel_long),
      *size = rsp_kernel_constant (l, span, unit, &kernel_long), *rest;
  rest = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_MOD, &kernel_long, bytes, size);
  rest = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_NE, &kernel_int, rest,
                          rsp_kernel_constant (l, span, 0, &kernel_long));
  return rsp_kernel_node (
      l, span, RSP_EXPR_BINARY, RSP_OP_ADD, &kernel_long,
      rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_DIV, &kernel_long, bytes, size),
      scaled (l, span, rest, RSP_NO_ELEMENT));
}

KernelValue rsp_kernel_offset (KernelLowerer *l, RspSpan span, KernelValue pointer,
                               KernelValue index, RspOperator op) {
  if (index.type->kind != C_INTEGER) {
    g_autofree char *name = rsp_kernel_type_name (index.type);
    if (!l->gave_up)
      kernel_error (l, span, NULL, "found an index of type `%s`, expected an integer", name);
    return pointer;
  }
  RspExpr *sum = rsp_kernel_node (l, span, RSP_EXPR_BINARY, op, &kernel_long, pointer.cells[0],
                                  distance (l, span, pointer.type->to, index.cells[0]));
  sum->type = pointer.cells[0]->type;
  return rsp_kernel_scalar (l, sum, pointer.type);
}

static KernelValue binary_pointers (KernelLowerer *l, RspSpan span, RspOperator op, KernelValue a,
                                    KernelValue b) {
  gboolean left = a.type->kind == C_POINTER, right = b.type->kind == C_POINTER;
  if (compares (op))
    return rsp_kernel_scalar (
        l, rsp_kernel_node (l, span, RSP_EXPR_BINARY, op, &kernel_int, a.cells[0], b.cells[0]),
        &kernel_int);
  if (op == RSP_OP_SUB && left && right) {
    const guint unit = l->kernel->unit;
    const gint64 size = unit ? (gint64) rsp_kernel_size_of (l, a.type->to, span)
                             : rsp_kernel_cells (l, a.type->to, span);
    RspExpr *result = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_SUB, &kernel_long,
                                       a.cells[0], b.cells[0]);
    if (unit > 1)
      result = scaled (l, span, result, unit);
    if (size > 1)
      result = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_DIV, &kernel_long, result,
                                rsp_kernel_constant (l, span, size, &kernel_long));
    return rsp_kernel_scalar (l, result, &kernel_long);
  }
  if (op == RSP_OP_ADD && left != right)
    return left ? rsp_kernel_offset (l, span, a, b, op) : rsp_kernel_offset (l, span, b, a, op);
  if (op == RSP_OP_SUB && left)
    return rsp_kernel_offset (l, span, a, b, op);
  kernel_error (l, span, NULL, "this operator does not take a pointer");
  return rsp_kernel_dummy (l, span, &kernel_int);
}

/* ---- Scalars ---- */
static const char *const float_operators[] = {
  [RSP_OP_ADD] = "+", [RSP_OP_SUB] = "-", [RSP_OP_MUL] = "*", [RSP_OP_DIV] = "/", [RSP_OP_LT] = "<",
  [RSP_OP_LE] = "<=", [RSP_OP_GT] = ">",  [RSP_OP_GE] = ">=", [RSP_OP_EQ] = "==", [RSP_OP_NE] = "!="
};

/* Is it a constant that compares equal exactly to its own bits: neither a zero nor a NaN? */
static gboolean is_its_bits (const RspExpr *expr, const CType *type) {
  gint64 value = expr->u.constant;
  if (expr->kind != RSP_EXPR_CONSTANT)
    return FALSE;
  const RspNumberType own = { type->bits, TRUE, FALSE }, truth = { .bits = 1 };
  const gint64 is_nan = rsp_float_function ("isnan", truth, &own, 1);
  return (guint64) value << (65 - type->bits) && !rsp_float_calculate (is_nan, &value);
}

static RspExpr *binary_scalars (KernelLowerer *l, RspSpan span, RspOperator op, const CType *a_type,
                                RspExpr *a, const CType *b_type, RspExpr *b, const CType **type) {
  const CType *common = rsp_kernel_common (a_type, b_type);
  if (op == RSP_OP_SHL || op == RSP_OP_SHR) {
    /* 6.3.j: the amount is taken modulo the width. */
    *type = rsp_kernel_promoted (a_type);
    RspExpr *mask = rsp_kernel_constant (l, span, (*type)->bits - 1, rsp_kernel_promoted (b_type));
    if (b->kind == RSP_EXPR_CONSTANT)
      b = rsp_kernel_constant (l, span, b->u.constant & ((*type)->bits - 1), &kernel_int);
    else
      b = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_AND, rsp_kernel_promoted (b_type), b,
                           mask);
    return rsp_kernel_node (l, span, RSP_EXPR_BINARY, op, *type,
                            rsp_kernel_convert (l, a, a_type, *type), b);
  }
  *type = compares (op) ? &kernel_int : common;
  a = rsp_kernel_convert (l, a, a_type, common);
  b = rsp_kernel_convert (l, b, b_type, common);
  if (common->kind == C_FLOAT) {
    if ((op == RSP_OP_EQ || op == RSP_OP_NE)
        && (is_its_bits (a, common) || is_its_bits (b, common)))
      return rsp_kernel_node (l, span, RSP_EXPR_BINARY, op, &kernel_int, a, b);
    const char *name = op < G_N_ELEMENTS (float_operators) ? float_operators[op] : NULL;
    if (!name) {
      kernel_error (l, span, NULL, "this operator does not take a floating-point number");
      return a;
    }
    RspExpr *arguments[] = { a, b };
    return rsp_kernel_apply (l, span, name, compares (op) ? &kernel_bool : common, arguments, 2);
  }
  if (l->options->lenient && (op == RSP_OP_DIV || op == RSP_OP_MOD)) {
    /* In lenient mode, divides by 1 instead of 0, to find later errors too. */
    b = rsp_kernel_reusable (l, b, common);
    b = rsp_kernel_conditional (l, span, common, b, b, rsp_kernel_constant (l, span, 1, common));
  }
  return rsp_kernel_node (l, span, RSP_EXPR_BINARY, op, *type, a, b);
}

/* ---- Vectors ---- */
static const CType *truth_lane (const CType *lane) {
  static const CType lanes[] = { { .kind = C_INTEGER, .bits = 8, .is_signed = TRUE },
                                 { .kind = C_INTEGER, .bits = 16, .is_signed = TRUE },
                                 { .kind = C_INTEGER, .bits = 32, .is_signed = TRUE },
                                 { .kind = C_INTEGER, .bits = 64, .is_signed = TRUE } };
  return &lanes[MIN (g_bit_storage (lane->bits) - 4, 3)];
}

/* Lane by lane; comparisons give 0 or -1. */
static KernelValue binary_vectors (KernelLowerer *l, RspSpan span, RspOperator op, KernelValue a,
                                   KernelValue b) {
  const CType *type = a.type->kind == C_VECTOR ? a.type : b.type;
  gboolean truth = compares (op) || op == RSP_OP_LOGICAL_AND || op == RSP_OP_LOGICAL_OR;
  const CType *lane = truth ? truth_lane (type->to) : type->to, *own;
  a = rsp_kernel_to_type (l, a, type, span);
  b = rsp_kernel_to_type (l, b, type, span);
  gboolean shifts = op == RSP_OP_SHL || op == RSP_OP_SHR;
  /* The amount of a shift is taken modulo the lane's width, not the promoted one (6.3.j). */
  for (guint i = 0; shifts && i < b.n; i++)
    b.cells[i] = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_AND,
                                  rsp_kernel_promoted (type->to), b.cells[i],
                                  rsp_kernel_constant (l, span, type->to->bits - 1, &kernel_int));
  KernelValue result
      = rsp_kernel_dummy (l, span, truth ? rsp_kernel_vector_of (l, lane, type->lanes) : type);
  for (guint i = 0; i < type->lanes && !l->gave_up; i++) {
    RspExpr *cell
        = op == RSP_OP_LOGICAL_AND || op == RSP_OP_LOGICAL_OR
              ? rsp_kernel_node (l, span, RSP_EXPR_BINARY, op, &kernel_int, a.cells[i], b.cells[i])
              : binary_scalars (l, span, op, type->to, a.cells[i], type->to, b.cells[i], &own);
    if (truth)
      cell = rsp_kernel_node (l, span, RSP_EXPR_UNARY, RSP_OP_NEGATE, &kernel_int, cell, NULL);
    result.cells[i] = truth || type->to->kind == C_INTEGER
                          ? rsp_kernel_node (l, span, RSP_EXPR_CAST, RSP_OP_NONE, lane, cell, NULL)
                          : cell;
  }
  return result;
}

KernelValue rsp_kernel_binary (KernelLowerer *l, RspSpan span, RspOperator op, KernelValue a,
                               KernelValue b) {
  const CType *type;
  if (!a.n || !b.n || a.type->kind == C_STRUCT || b.type->kind == C_STRUCT
      || a.type->kind == C_OPAQUE || b.type->kind == C_OPAQUE) {
    g_autofree char *left = rsp_kernel_type_name (a.type), *right = rsp_kernel_type_name (b.type);
    if (!l->gave_up)
      kernel_error (l, span, NULL, "this operator does not take a `%s` and a `%s`", left, right);
    return rsp_kernel_dummy (l, span, &kernel_int);
  }
  if (a.type->kind == C_VECTOR || b.type->kind == C_VECTOR)
    return binary_vectors (l, span, op, a, b);
  if (a.type->kind == C_POINTER || b.type->kind == C_POINTER)
    return binary_pointers (l, span, op, a, b);
  RspExpr *cell = binary_scalars (l, span, op, a.type, a.cells[0], b.type, b.cells[0], &type);
  return rsp_kernel_scalar (l, cell, type);
}

/* ---- Unary operators ---- */
static RspExpr *unary_scalar (KernelLowerer *l, RspSpan span, RspOperator op, const CType *type,
                              RspExpr *a) {
  if (type->kind == C_FLOAT && op == RSP_OP_NEGATE) {
    if (a->kind == RSP_EXPR_CONSTANT)
      return rsp_kernel_constant (
          l, span, a->u.constant ^ (gint64) (G_GUINT64_CONSTANT (1) << (type->bits - 1)), type);
    return rsp_kernel_apply (l, span, "negate", type, &a, 1);
  }
  return op == RSP_OP_PLUS ? a : rsp_kernel_node (l, span, RSP_EXPR_UNARY, op, type, a, NULL);
}

/* A scalar as a condition: a floating-point number as whether it is not 0; *type becomes that of
 * the result. */
static RspExpr *truth_of (KernelLowerer *l, RspExpr *cell, const CType **type) {
  const CType *own = *type;
  if (own->kind != C_FLOAT)
    return cell;
  *type = &kernel_bool;
  return rsp_kernel_convert (l, cell, own, &kernel_bool);
}

static KernelValue kernel_unary (KernelLowerer *l, RspSpan span, RspOperator op, KernelValue a) {
  const CType *type = a.type;
  if (op == RSP_OP_LOGICAL_NOT && rsp_kernel_is_scalar (type))
    return rsp_kernel_scalar (l,
                              rsp_kernel_node (l, span, RSP_EXPR_UNARY, op, &kernel_int,
                                               truth_of (l, a.cells[0], &type), NULL),
                              &kernel_int);
  if (op == RSP_OP_LOGICAL_NOT && type->kind == C_VECTOR)
    return rsp_kernel_binary (l, span, RSP_OP_EQ, a, rsp_kernel_dummy (l, span, type));
  if (rsp_kernel_is_scalar (type) && type->kind != C_POINTER) {
    const CType *promoted = rsp_kernel_promoted (type);
    return rsp_kernel_scalar (
        l, unary_scalar (l, span, op, promoted, rsp_kernel_convert (l, a.cells[0], type, promoted)),
        promoted);
  }
  if (type->kind != C_VECTOR) {
    g_autofree char *name = rsp_kernel_type_name (type);
    if (!l->gave_up)
      kernel_error (l, span, NULL, "this operator does not take a `%s`", name);
    return rsp_kernel_dummy (l, span, &kernel_int);
  }
  const CType *promoted = rsp_kernel_promoted (type->to); /* the program's operators promote */
  KernelValue result = rsp_kernel_cells_value (l, type, a.n);
  for (guint i = 0; i < a.n; i++)
    result.cells[i] = rsp_kernel_convert (l, unary_scalar (l, span, op, promoted, a.cells[i]),
                                          promoted, type->to);
  return result;
}

/* ---- Assignments ---------------------------------------------------------------------------- */

/* The value on the right, and the place on the left; FALSE after an error. */
static gboolean find_operands (KernelLowerer *l, const CExpr *expr, KernelPlace *place,
                               KernelValue *value) {
  *value = rsp_kernel_value (l, expr->b);
  if (kernel_must_be_sequenced (expr->a, expr->b))
    *value = rsp_kernel_held (l, *value, expr->b->span);
  return rsp_kernel_place (l, expr->a, place);
}

static KernelValue assign (KernelLowerer *l, const CExpr *expr) {
  KernelPlace place;
  KernelValue value;
  if (!find_operands (l, expr, &place, &value))
    return rsp_kernel_dummy (l, expr->span, value.type);
  value = rsp_kernel_to_type (l, value, place.type, expr->b->span);
  if (value.n == 1 && rsp_kernel_n_parts (l, place, 0) == 1) {
    place = kernel_logged (l, place, TRUE, expr->span);
    return rsp_kernel_scalar (
        l,
        kernel_assignment (l, expr->span, place.type, rsp_kernel_leaf (l, place.type, 0),
                           kernel_cell (l, place, 0, expr->a->span), value.cells[0]),
        place.type);
  }
  value = rsp_kernel_held (l, value, expr->span);
  rsp_kernel_store (l, place, value, expr->span);
  return value;
}

static KernelValue modify (KernelLowerer *l, const CExpr *expr) {
  KernelPlace place;
  KernelValue b;
  if (!find_operands (l, expr, &place, &b))
    return rsp_kernel_dummy (l, expr->span, b.type);
  gboolean lenient = l->options->lenient && (expr->op == RSP_OP_DIV || expr->op == RSP_OP_MOD);
  if (kernel_is_plain (l, place) && b.type->kind == C_INTEGER && !lenient) {
    /* `a op= b` of integers: the program has it. */
    RspExpr *operand = b.cells[0];
    if (expr->op == RSP_OP_SHL || expr->op == RSP_OP_SHR)
      operand = rsp_kernel_node (
          l, expr->span, RSP_EXPR_BINARY, RSP_OP_AND, rsp_kernel_promoted (b.type), operand,
          rsp_kernel_constant (l, expr->span, rsp_kernel_promoted (place.type)->bits - 1,
                               &kernel_int));
    return rsp_kernel_scalar (l,
                              rsp_kernel_node (l, expr->span, RSP_EXPR_ASSIGN, expr->op, place.type,
                                               kernel_cell (l, place, 0, expr->a->span), operand),
                              place.type);
  }
  place = rsp_kernel_reuse (l, place);
  KernelValue value
      = rsp_kernel_binary (l, expr->span, expr->op, rsp_kernel_load (l, place, expr->a->span), b);
  value = rsp_kernel_held (l, rsp_kernel_to_type (l, value, place.type, expr->span), expr->span);
  rsp_kernel_store (l, place, value, expr->span);
  return value;
}

static KernelValue kernel_step_value (KernelLowerer *l, const CExpr *expr) {
  KernelPlace place;
  if (!rsp_kernel_place (l, expr->a, &place))
    return rsp_kernel_dummy (l, expr->span, &kernel_int);
  if (kernel_is_plain (l, place)) {
    RspExpr *node = rsp_kernel_node (l, expr->span, RSP_EXPR_STEP, expr->op, place.type,
                                     kernel_cell (l, place, 0, expr->a->span), NULL);
    node->u.node.post = expr->post;
    return rsp_kernel_scalar (l, node, place.type);
  }
  place = rsp_kernel_reuse (l, place);
  KernelValue old = rsp_kernel_held (l, rsp_kernel_load (l, place, expr->a->span), expr->span);
  const KernelValue one = rsp_kernel_number (l, expr->span, 1, &kernel_int);
  KernelValue value = rsp_kernel_to_type (l, rsp_kernel_binary (l, expr->span, expr->op, old, one),
                                          place.type, expr->span);
  value = rsp_kernel_held (l, value, expr->span);
  rsp_kernel_store (l, place, value, expr->span);
  return expr->post ? old : value;
}

/* ---- Expressions ---------------------------------------------------------------------------- */

/* ---- Parts that are not always evaluated ---- */
/* The value, with the statements before it. */
static RspExpr *with_code (KernelLowerer *l, KernelCode *code, KernelCode *outer, RspExpr *value) {
  RspStatement *block = rsp_kernel_end (l, code, outer, value->span);
  if (!block->first)
    return value;
  RspExpr *expr = rsp_arena_new0 (l->arena, RspExpr, 1);
  expr->kind = RSP_EXPR_BLOCK;
  expr->span = value->span;
  expr->type = value->type;
  expr->u.block.body = block;
  expr->u.block.value = value;
  return expr;
}

RspExpr *rsp_kernel_condition (KernelLowerer *l, const CExpr *expr) {
  KernelCode code;
  const CType *type;
  KernelCode *outer = rsp_kernel_begin (l, &code);
  RspExpr *value = rsp_kernel_scalar_value (l, expr, &type);
  return with_code (l, &code, outer, value);
}

RspExpr *kernel_effect_expr (KernelLowerer *l, const CExpr *expr) {
  KernelCode code;
  if (!expr)
    return NULL;
  KernelCode *outer = rsp_kernel_begin (l, &code);
  rsp_kernel_effect (l, expr);
  if (!code.first) {
    rsp_kernel_end (l, &code, outer, expr->span);
    return NULL;
  }
  if (code.first == code.last && code.first->kind == RSP_STATEMENT_EXPRESSION) {
    rsp_kernel_end (l, &code, outer, expr->span);
    return code.first->expr;
  }
  return with_code (l, &code, outer, rsp_kernel_constant (l, expr->span, 0, &kernel_int));
}

/* The truth of a scalar value; after an error, 0. */
static RspExpr *scalar_of (KernelLowerer *l, KernelValue value, RspSpan span, const CType **type) {
  *type = value.type;
  if (value.n && rsp_kernel_is_scalar (value.type))
    return truth_of (l, value.cells[0], type);
  g_autofree char *found = rsp_kernel_type_name (value.type);
  if (!l->gave_up)
    kernel_error (l, span, NULL, "found a value of type `%s`, expected a scalar", found);
  *type = &kernel_int;
  return rsp_kernel_constant (l, span, 0, &kernel_int);
}

/* ---- Logic ---- */
static KernelValue logic (KernelLowerer *l, const CExpr *expr) {
  const CType *type;
  KernelValue left = rsp_kernel_value (l, expr->a);
  if (left.type->kind == C_VECTOR)
    return rsp_kernel_binary (l, expr->span, expr->op, left, rsp_kernel_value (l, expr->b));
  RspExpr *a = scalar_of (l, left, expr->a->span, &type);
  RspExpr *b = rsp_kernel_condition (l, expr->b);
  return rsp_kernel_scalar (
      l, rsp_kernel_node (l, expr->span, RSP_EXPR_BINARY, expr->op, &kernel_int, a, b),
      &kernel_int);
}

static const CType *conditional_type (KernelValue b, KernelValue c) {
  if (b.type->kind == C_VECTOR || b.type->kind == C_STRUCT || !c.n)
    return b.type;
  if (c.type->kind == C_VECTOR || c.type->kind == C_POINTER)
    return c.type;
  return b.type->kind == C_POINTER || !b.n ? b.type : rsp_kernel_common (b.type, c.type);
}

/* The value of one branch. */
static KernelValue branch_value (KernelLowerer *l, const CExpr *expr, KernelCode *code) {
  KernelCode *outer = rsp_kernel_begin (l, code);
  KernelValue value = rsp_kernel_value (l, expr);
  l->code = outer;
  return value;
}

/* Stores a branch's value, or executes it for its effects. */
static RspStatement *finish_branch (KernelLowerer *l, KernelCode *code, KernelValue value,
                                    KernelPlace result, RspSpan span) {
  KernelCode *outer = l->code;
  l->code = code;
  if (result.type->kind != C_VOID)
    rsp_kernel_store (l, result, rsp_kernel_to_type (l, value, result.type, span), span);
  return rsp_kernel_end (l, code, outer, span);
}

static KernelValue conditional (KernelLowerer *l, const CExpr *expr) {
  const CType *type;
  KernelCode then = { NULL, NULL }, other;
  KernelValue chooser = rsp_kernel_value (l, expr->a);
  if (chooser.type->kind == C_VECTOR || !expr->b)
    chooser = rsp_kernel_held (l, chooser, expr->a->span);
  if (chooser.type->kind == C_VECTOR) {
    /* A vector as the condition chooses lane by lane: where it is negative, the first (6.3.i). */
    KernelValue b = expr->b ? rsp_kernel_value (l, expr->b) : chooser,
                c = rsp_kernel_value (l, expr->c);
    type = conditional_type (b, c);
    b = rsp_kernel_held (l, rsp_kernel_to_type (l, b, type, expr->span), expr->span);
    c = rsp_kernel_held (l, rsp_kernel_to_type (l, c, type, expr->c->span), expr->span);
    if (b.n != chooser.n || c.n != chooser.n) {
      if (!l->gave_up)
        kernel_error (l, expr->span, NULL,
                      "the condition and the values of `?:` are not vectors of one length");
      return b;
    }
    return rsp_kernel_choose (l, expr->span, chooser, b, c);
  }
  RspExpr *condition = scalar_of (l, chooser, expr->a->span, &type);
  KernelValue b = expr->b ? branch_value (l, expr->b, &then) : chooser,
              c = branch_value (l, expr->c, &other);
  const CType *common = conditional_type (b, c);
  if (!then.first && !other.first && rsp_kernel_is_scalar (common) && b.n && c.n) {
    b = rsp_kernel_to_type (l, b, common, expr->span);
    c = rsp_kernel_to_type (l, c, common, expr->c->span);
    if (condition->kind == RSP_EXPR_CONSTANT)
      return condition->u.constant ? b : c;
    return rsp_kernel_scalar (
        l, rsp_kernel_conditional (l, expr->span, common, condition, b.cells[0], c.cells[0]),
        common);
  }
  KernelPlace result = rsp_kernel_registers (
      common,
      common->kind == C_VOID ? 0 : rsp_kernel_add_registers (l, "", common, FALSE, expr->span));
  RspStatement *choice = rsp_kernel_emit (l, RSP_STATEMENT_IF, expr->span);
  choice->expr = condition;
  choice->body = finish_branch (l, &then, b, result, expr->span);
  choice->otherwise = finish_branch (l, &other, c, result, expr->c->span);
  return common->kind == C_VOID ? rsp_kernel_no_value () : rsp_kernel_load (l, result, expr->span);
}

/* ---- Names and calls ---- */
static const CType *compound_type (KernelLowerer *l, const CExpr *expr) {
  const CVariable own = { .type = expr->type, .initial = expr->b };
  return rsp_kernel_completed (l, &own);
}

static KernelValue compound (KernelLowerer *l, const CExpr *expr) {
  const CType *type = compound_type (l, expr);
  KernelPlace place
      = rsp_kernel_registers (type, rsp_kernel_add_registers (l, "", type, FALSE, expr->span));
  rsp_kernel_initialise (l, place, expr->b);
  return rsp_kernel_load (l, place, expr->span);
}

static KernelValue name (KernelLowerer *l, const CExpr *expr) {
  const KernelBinding *binding = rsp_kernel_find_name (l, expr->name);
  KernelValue value = rsp_kernel_no_value ();
  KernelPlace place;
  if (binding && binding->by_value)
    return rsp_kernel_scalar (l, binding->place.address, binding->place.type);
  if (!binding && kernel_named_constant (l, expr, &value))
    return value;
  if (!rsp_kernel_place (l, expr, &place))
    return rsp_kernel_dummy (l, expr->span, &kernel_int);
  return rsp_kernel_load (l, place, expr->span);
}

static KernelValue call (KernelLowerer *l, const CExpr *expr) {
  KernelValue value = rsp_kernel_no_value ();
  const char *callee = expr->a->kind == C_NAME ? expr->a->name : NULL;
  if (!callee) {
    rsp_kernel_refuse (l, expr->span, "call the function by its name", "a call through a pointer");
    return value;
  }
  for (guint i = 0; i < l->unit->functions.n; i++) {
    const CFunction *function = l->unit->functions.items[i];
    if (strcmp (function->name, callee) == 0)
      return kernel_call (l, expr, function);
  }
  if (rsp_kernel_builtin (l, expr, &value))
    return value;
  for (guint i = 0; i < l->unit->declared.n; i++) {
    const CVariable *function = l->unit->declared.items[i];
    if (strcmp (function->name, callee) == 0)
      return kernel_unknown_call (l, expr, function);
  }
  g_autofree char *hint = rsp_kernel_function_hint (l, callee);
  if (!l->gave_up)
    kernel_error (l, expr->span,
                  hint ? hint : "write its definition into the file, or remove the call",
                  "the function `%s` is neither defined here nor built into OpenCL C", callee);
  l->gave_up = TRUE;
  return rsp_kernel_dummy (l, expr->span, &kernel_int);
}

/* A component of a vector, or a member of a structure, that is not an object. */
static KernelValue member_of_value (KernelLowerer *l, const CExpr *expr) {
  KernelValue whole = rsp_kernel_value (l, expr->a);
  guint8 lanes[16];
  guint first = 0;
  if (whole.type->kind == C_VECTOR) {
    guint n = kernel_lanes (whole.type, expr->name, lanes);
    KernelValue result = rsp_kernel_dummy (
        l, expr->span, n < 2 ? whole.type->to : rsp_kernel_vector_of (l, whole.type->to, n));
    for (guint i = 0; i < n; i++)
      result.cells[i] = whole.cells[lanes[i]];
    if (n)
      return result;
  }
  guint64 offset;
  const CType *type = whole.type->kind == C_STRUCT
                          ? rsp_kernel_member (l, whole.type->record, expr->name, &first, &offset)
                          : NULL;
  if (type && whole.type->record->mixed) {
    KernelPlace place = rsp_kernel_stored (l, whole, expr->span);
    place.type = type;
    place.base += (guint) (offset / l->kernel->unit);
    return rsp_kernel_load (l, place, expr->span);
  }
  if (!type) {
    if (!l->gave_up)
      kernel_error (l, expr->span, NULL, "this value has no member `%s`", expr->name);
    return rsp_kernel_dummy (l, expr->span, &kernel_int);
  }
  KernelValue value = { type, whole.cells + first, rsp_kernel_cells (l, type, expr->span) };
  return type->kind == C_ARRAY
             ? rsp_kernel_load (l, rsp_kernel_stored (l, value, expr->span), expr->span)
             : value;
}

static KernelValue address (KernelLowerer *l, const CExpr *expr) {
  KernelPlace place;
  l->takes_address = expr->a->kind == C_INDEX;
  if (!rsp_kernel_place (l, expr->a, &place))
    return rsp_kernel_dummy (l, expr->span, rsp_kernel_pointer_to (l, &kernel_int));
  if (place.lanes)
    rsp_kernel_refuse (l, expr->span, NULL, "the address of several components");
  return rsp_kernel_scalar (l, rsp_kernel_address (l, place, expr->span),
                            rsp_kernel_pointer_to (l, place.type));
}

const CType *rsp_kernel_type_of (KernelLowerer *l, const CExpr *expr) {
  KernelCode code;
  KernelPlace place;
  if (expr->kind == C_CAST)
    return expr->type;
  if (expr->kind == C_COMPOUND)
    return compound_type (l, expr);
  const gboolean in_sizeof = l->in_sizeof;
  l->in_sizeof = TRUE;
  KernelCode *outer = rsp_kernel_begin (l, &code);
  const CType *type = kernel_denotes_object (l, expr) && rsp_kernel_place (l, expr, &place)
                          ? place.type
                          : rsp_kernel_value (l, expr).type;
  rsp_kernel_end (l, &code, outer, expr->span);
  l->in_sizeof = in_sizeof;
  return type;
}

/* ---- All kinds ---- */
static KernelValue literal (KernelLowerer *l, const CExpr *expr) {
  CType *type = rsp_arena_new0 (l->arena, CType, 1);
  *type = (CType){ .kind = expr->kind == C_REAL ? C_FLOAT : C_INTEGER,
                   .bits = expr->number.bits,
                   .is_signed = expr->number.is_signed,
                   .space = RSP_SPACE_PRIVATE };
  return rsp_kernel_number (l, expr->span, expr->number.value, type);
}

static KernelValue value_of_kind (KernelLowerer *l, const CExpr *expr) {
  KernelPlace place;
  switch (expr->kind) {
  case C_NAME:
    return name (l, expr);
  case C_NUMBER:
  case C_REAL:
    return literal (l, expr);
  case C_CALL:
    return call (l, expr);
  case C_MEMBER:
    if (!kernel_denotes_object (l, expr->a))
      return member_of_value (l, expr);
    break;
  case C_ADDRESS:
    return address (l, expr);
  case C_UNARY:
    return kernel_unary (l, expr->span, expr->op, rsp_kernel_value (l, expr->a));
  case C_BINARY:
    if (expr->op == RSP_OP_COMMA) {
      rsp_kernel_effect (l, expr->a);
      return rsp_kernel_value (l, expr->b);
    }
    if (expr->op == RSP_OP_LOGICAL_AND || expr->op == RSP_OP_LOGICAL_OR)
      return logic (l, expr);
    {
      KernelValue a = rsp_kernel_value (l, expr->a);
      if (kernel_must_be_sequenced (expr->a, expr->b))
        a = rsp_kernel_held (l, a, expr->a->span);
      return rsp_kernel_binary (l, expr->span, expr->op, a, rsp_kernel_value (l, expr->b));
    }
  case C_ASSIGN:
    return expr->op == RSP_OP_NONE ? assign (l, expr) : modify (l, expr);
  case C_STEP:
    return kernel_step_value (l, expr);
  case C_CONDITIONAL:
    return conditional (l, expr);
  case C_CAST:
    return kernel_cast (l, expr);
  case C_SIZEOF:
    return rsp_kernel_number (l, expr->span, kernel_measured (l, expr), &kernel_size);
  case C_COMPOUND:
    return compound (l, expr);
  case C_INDEX:
  case C_DEREF:
  case C_STRING:
    break;
  case C_BRACES:
  case C_DESIGNATED:
    kernel_error (l, expr->span, NULL, "found braces, expected a value");
    return rsp_kernel_dummy (l, expr->span, &kernel_int);
  }
  if (!rsp_kernel_place (l, expr, &place))
    return rsp_kernel_dummy (l, expr->span, &kernel_int);
  return rsp_kernel_load (l, place, expr->span);
}

KernelValue rsp_kernel_value (KernelLowerer *l, const CExpr *expr) {
  if (l->depth >= KERNEL_MAX_DEPTH || l->gave_up) {
    rsp_kernel_refuse (l, expr->span, NULL, "an expression nested more than %d deep",
                       KERNEL_MAX_DEPTH);
    return rsp_kernel_dummy (l, expr->span, &kernel_int);
  }
  l->depth++;
  KernelValue value = value_of_kind (l, expr);
  l->depth--;
  return value;
}

RspExpr *rsp_kernel_scalar_value (KernelLowerer *l, const CExpr *expr, const CType **type) {
  return scalar_of (l, rsp_kernel_value (l, expr), expr->span, type);
}

void rsp_kernel_effect (KernelLowerer *l, const CExpr *expr) {
  KernelValue value = rsp_kernel_value (l, expr);
  RspExprKind kind = value.n == 1 ? value.cells[0]->kind : RSP_EXPR_CONSTANT;
  if (kind != RSP_EXPR_CONSTANT && kind != RSP_EXPR_REGISTER && kind != RSP_EXPR_LOCATION)
    rsp_kernel_emit_expr (l, value.cells[0]);
}
