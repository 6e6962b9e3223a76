/* The question of a kernel: its assertions. */
#include "parser/kernel/program/finals.h"
#include "parser/format.h"
#include "parser/kernel/program/globals.h"
#include "parser/kernel/program/objects.h"
#include "parser/kernel/lower/expr.h"
#include "parser/kernel/lower/fold.h"
#include "parser/kernel/lower/place.h"
#include "parser/kernel/lower/type.h"
#include "parser/kernel/lower/value.h"
#include "parser/proposition.h"

#include <stdlib.h>
#include <string.h>

typedef struct Finals {
  KernelLowerer *l;
  GArray *observables; /* of RspObservable */
} Finals;

/* ---- Observables ---- */

static guint observe (Finals *f, RspObservable observable) {
  for (guint i = 0; i < f->observables->len; i++)
    if (strcmp (g_array_index (f->observables, RspObservable, i).name, observable.name) == 0)
      return i;
  g_array_append_val (f->observables, observable);
  return f->observables->len - 1;
}

static int compare_observables (gconstpointer x, gconstpointer y) {
  const RspObservable *a = x, *b = y;
  if (a->is_register != b->is_register)
    return a->is_register ? -1 : 1;
  if (a->is_register && a->thread != b->thread)
    return a->thread < b->thread ? -1 : 1;
  return strcmp (a->name, b->name);
}

/* Sorts the observables, as programs have them, and renumbers the proposition's. */
static void renumber_operand (const RspProgram *program, RspOperand *operand,
                              const guint *numbers) {
  if (!operand->is_observable)
    return;
  operand->observable = numbers[operand->observable];
  operand->type = *rsp_observable_type (program, &program->observables[operand->observable]);
}

static void renumber (const RspProgram *program, RspProp *prop, const guint *numbers) {
  if (!prop)
    return;
  renumber_operand (program, &prop->left, numbers);
  renumber_operand (program, &prop->right, numbers);
  renumber (program, prop->a, numbers);
  renumber (program, prop->b, numbers);
}

static void sort_observables (Finals *f, RspProp *prop) {
  guint n = f->observables->len;
  RspProgram *program = f->l->program;
  g_autofree guint *numbers = g_new0 (guint, n + 1);
  RspObservable *sorted
      = rsp_arena_copy (f->l->arena, f->observables->data, n * sizeof (RspObservable));
  qsort (sorted, n, sizeof *sorted, compare_observables);
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < n; k++)
      if (strcmp (g_array_index (f->observables, RspObservable, i).name, sorted[k].name) == 0)
        numbers[i] = k;
  program->observables = sorted;
  program->n_observables = n;
  renumber (program, prop, numbers);
  program->filter_only = rsp_arena_new0 (f->l->arena, guint8, n + 1);
}

/* ---- Propositions ---- */

static RspOperand number_operand (Finals *f, gint64 value) {
  return (RspOperand){ .constant = value,
                       .text = rsp_arena_printf (f->l->arena, "%" G_GINT64_FORMAT, value) };
}

static gboolean memory_operand (Finals *f, const KernelExpr *expr, RspOperand *operand) {
  KernelLowerer *l = f->l;
  KernelPlace place;
  guint object = G_MAXUINT;
  gint64 cell = 0;
  if (!rsp_kernel_place (l, expr, &place))
    return FALSE;
  if (place.in_registers || !rsp_kernel_is_scalar (place.type)
      || !kernel_fixed_address (place.address, &object, &cell) || object == G_MAXUINT) {
    kernel_error (l, expr->span, "`x[0]`, `s[1].next`",
                  "found an operand that is not a value in global memory");
    return FALSE;
  }
  const RspLocation *location = &l->program->locations[object];
  if (cell < 0 || cell >= location->n_elements) {
    kernel_error (l, expr->span, NULL, "the object has %u values", location->n_elements);
    return FALSE;
  }
  const char *name = location[cell].name;
  guint number = observe (f, (RspObservable){ .location = object + (guint) cell, .name = name });
  *operand = (RspOperand){ .is_observable = TRUE, .observable = number, .text = name };
  return TRUE;
}

static gboolean read_operand (Finals *f, const KernelExpr *expr, RspOperand *operand) {
  gint64 value;
  if (!rsp_kernel_evaluate (f->l, expr, &value) && !rsp_kernel_constant_value (f->l, expr, &value))
    return memory_operand (f, expr, operand);
  *operand = number_operand (f, value);
  return TRUE;
}

/* The bits of a constant as a floating-point number; only they are compared. */
static void convert_to_float (Finals *f, const KernelExpr *expr, const KernelType *real,
                              RspOperand *constant) {
  const KernelType *from;
  RspExpr *value = rsp_kernel_scalar_value (f->l, expr, &from);
  value = rsp_kernel_convert (f->l, value, from, real);
  if (value->kind != RSP_EXPR_CONSTANT)
    rsp_kernel_refuse (f->l, expr->span, "write the value as a number",
                       "a floating-point operation in an assertion");
  else
    constant->constant = value->u.constant;
}

/* One side, at least, is a floating-point number. */
static void compare_floats (Finals *f, RspProp *prop, const KernelExpr *left,
                            const KernelExpr *right, const KernelType *a, const KernelType *b) {
  const gboolean a_varies = prop->left.is_observable, b_varies = prop->right.is_observable;
  if ((a_varies && a->kind != KERNEL_FLOAT) || (b_varies && b->kind != KERNEL_FLOAT))
    kernel_error (f->l,
                  a_varies && b_varies ? prop->span
                  : a_varies           ? right->span
                                       : left->span,
                  "write an integer",
                  "found a floating-point number that is compared with an integer in memory");
  else if (prop->op == RSP_OP_LT)
    rsp_kernel_refuse (f->l, prop->span, "compare with `==`",
                       "an order of floating-point numbers in an assertion");
  else if (!b_varies)
    convert_to_float (f, right, a, &prop->right);
  else if (!a_varies)
    convert_to_float (f, left, b, &prop->left);
  else if (a->bits != b->bits)
    rsp_kernel_refuse (f->l, prop->span, "compare each with a number",
                       "a comparison of floating-point numbers of different types in an assertion");
}

/* Both sides are compared as what C converts them to. */
static void convert_operands (Finals *f, RspProp *prop, const KernelExpr *left,
                              const KernelExpr *right) {
  const KernelType *a = rsp_kernel_type_of (f->l, left), *b = rsp_kernel_type_of (f->l, right);
  if (rsp_kernel_is_pointer (a) || rsp_kernel_is_pointer (b))
    return;
  if (a->kind == KERNEL_FLOAT || b->kind == KERNEL_FLOAT)
    compare_floats (f, prop, left, right, a, b);
  else
    prop->compared = rsp_kernel_cell_type (rsp_kernel_common (a, b));
}

/* Propositions have =, != and < only. */
static RspProp *comparison (Finals *f, const KernelExpr *expr, RspOperator op, const KernelExpr *a,
                            const KernelExpr *b) {
  gboolean swapped = op == RSP_OP_GT || op == RSP_OP_LE,
           negated = op == RSP_OP_LE || op == RSP_OP_GE;
  const KernelExpr *left = swapped ? b : a, *right = swapped ? a : b;
  RspProp *prop = rsp_prop_new (f->l->arena, RSP_PROP_ATOM, expr->span, NULL, NULL);
  prop->op = op == RSP_OP_EQ || op == RSP_OP_NE ? op : RSP_OP_LT;
  if (!read_operand (f, left, &prop->left) || !read_operand (f, right, &prop->right))
    return prop;
  convert_operands (f, prop, left, right);
  return negated ? rsp_prop_new (f->l->arena, RSP_PROP_NOT, expr->span, prop, NULL) : prop;
}

static RspProp *proposition (Finals *f, const KernelExpr *expr) {
  static const KernelExpr zero
      = { .kind = KERNEL_NUMBER, .number = { .bits = 32, .is_signed = TRUE } };
  gint64 value;
  if (rsp_kernel_evaluate (f->l, expr, &value))
    return rsp_prop_new (f->l->arena, value ? RSP_PROP_TRUE : RSP_PROP_FALSE, expr->span, NULL,
                         NULL);
  if (expr->kind == KERNEL_UNARY && expr->op == RSP_OP_LOGICAL_NOT)
    return rsp_prop_new (f->l->arena, RSP_PROP_NOT, expr->span, proposition (f, expr->a), NULL);
  if (expr->kind == KERNEL_BINARY
      && (expr->op == RSP_OP_LOGICAL_AND || expr->op == RSP_OP_LOGICAL_OR))
    return rsp_prop_new (f->l->arena, expr->op == RSP_OP_LOGICAL_AND ? RSP_PROP_AND : RSP_PROP_OR,
                         expr->span, proposition (f, expr->a), proposition (f, expr->b));
  if (expr->kind == KERNEL_BINARY && expr->op >= RSP_OP_EQ && expr->op <= RSP_OP_GE)
    return comparison (f, expr, expr->op, expr->a, expr->b);
  return comparison (f, expr, RSP_OP_NE, expr, &zero);
}

/* ---- The whole ---- */

static RspProp *conjunction (Finals *f, RspProp *all, RspProp *prop) {
  return all->kind == RSP_PROP_TRUE
             ? prop
             : rsp_prop_new (f->l->arena, RSP_PROP_AND, prop->span, all, prop);
}

/* The assertion's register is 0 at the end. */
static RspProp *assert_holds (Finals *f, const RspKernelAssert *own) {
  const RspThread *thread = &f->l->program->threads[own->thread];
  RspProp *prop = rsp_prop_new (f->l->arena, RSP_PROP_ATOM, own->span, NULL, NULL);
  const char *name
      = rsp_arena_printf (f->l->arena, "%u:%s", own->thread, thread->registers[own->reg].name);
  guint number = observe (
      f,
      (RspObservable){ .is_register = TRUE, .thread = own->thread, .reg = own->reg, .name = name });
  prop->op = RSP_OP_EQ;
  prop->left = (RspOperand){ .is_observable = TRUE, .observable = number, .text = name };
  prop->right = number_operand (f, 0);
  return prop;
}

void kernel_resolve_asserts (KernelLowerer *l) {
  Finals f = { .l = l, .observables = g_array_new (FALSE, TRUE, sizeof (RspObservable)) };
  RspProp *all = rsp_prop_new (l->arena, RSP_PROP_TRUE, l->entry->span, NULL, NULL);
  const LitmusList asserts = l->unit->asserts;
  const KernelFrame frame = { .function = l->entry, .place = "" };
  KernelCode code;
  KernelCode *outer = rsp_kernel_begin (l, &code);
  l->frame = &frame;
  l->at_end = TRUE;
  for (guint i = 0; i < l->entry->parameters.n; i++) {
    KernelPlace place;
    const KernelVariable *parameter = l->entry->parameters.items[i];
    if (parameter->name && kernel_parameter_object (l, parameter, &place))
      rsp_kernel_bind (l, parameter->name,
                       (KernelPlace){ .type = place.type, .address = place.address }, TRUE);
  }
  for (guint i = 0; i < l->kernel->n_asserts; i++)
    all = conjunction (&f, all, assert_holds (&f, &l->kernel->asserts[i]));
  l->kernel->finals = rsp_arena_new0 (l->arena, RspProp *, asserts.n + 1);
  for (guint i = 0; i < asserts.n; i++) {
    RspProp *prop = proposition (&f, asserts.items[i]);
    l->kernel->finals[l->kernel->n_finals++] = prop;
    all = conjunction (&f, all, prop);
  }
  rsp_kernel_end (l, &code, outer, l->entry->span);
  l->frame = NULL;
  if (code.first)
    rsp_kernel_refuse (l, code.first->span, "compare elements with numbers",
                       "an operation with an effect in an assertion");
  l->program->quantifier = RSP_FORALL;
  l->program->condition = all;
  sort_observables (&f, all);
  g_array_unref (f.observables);
}
