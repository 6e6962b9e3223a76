/* A kernel becomes a program: threads on their grid, inputs, assertions. */
#include "base/base.h"
#include "parser/kernel/internal.h"
#include "parser/kernel/kernel.h"
#include "parser/program.h"

#include <stdlib.h>
#include <string.h>

/* ---- Objects that are never written --------------------------------------------------------- */

/* Objects whose addresses are only used to read them. What is read there is known before any path
 * is explored. */

/* What happens to an object. */
typedef enum Usage { IS_READ = 1, IS_WRITTEN = 2, ESCAPES = 4 } Usage;

typedef struct Scan {
  RspProgram *program;
  guint8 *used; /* per location that begins an object: bits of Usage */
} Scan;

static void scan_statements (Scan *scan, const RspStatement *statement);

static void scan_value (Scan *scan, const RspExpr *expr);

/* Scans the address of an access: a pointer, and what is added to it. */
static void scan_address (Scan *scan, const RspExpr *expr, guint usage) {
  switch (expr->kind) {
  case RSP_EXPR_LOCATION:
    scan->used[expr->u.object] |= (guint8) usage;
    return;
  case RSP_EXPR_BINARY:
    if (expr->u.node.a->type.pointers)
      scan_address (scan, expr->u.node.a, usage);
    else
      scan_value (scan, expr->u.node.a);
    scan_value (scan, expr->u.node.b);
    return;
  case RSP_EXPR_CAST:
    scan_address (scan, expr->u.node.a, usage);
    return;
  case RSP_EXPR_CONDITIONAL:
    scan_value (scan, expr->u.node.a);
    scan_address (scan, expr->u.node.b, usage);
    scan_address (scan, expr->u.node.c, usage);
    return;
  default:
    scan_value (scan, expr);
    return;
  }
}

static void scan_call (Scan *scan, const RspCall *call) {
  if (call->plain) {
    scan_address (scan, call->object, call->value ? IS_WRITTEN : IS_READ);
    if (call->value)
      scan_value (scan, call->value);
    return;
  }
  const RspExpr *const operands[] = { call->object, call->value, call->expected };
  for (gsize i = 0; i < G_N_ELEMENTS (operands); i++)
    if (operands[i])
      scan_value (scan, operands[i]);
}

static void scan_value (Scan *scan, const RspExpr *expr) {
  switch (expr->kind) {
  case RSP_EXPR_CONSTANT:
  case RSP_EXPR_REGISTER:
    return;
  case RSP_EXPR_LOCATION:
    scan->used[expr->u.object] |= ESCAPES;
    return;
  case RSP_EXPR_DEREF:
    scan_address (scan, expr->u.node.a, IS_READ);
    return;
  case RSP_EXPR_ASSIGN:
  case RSP_EXPR_STEP:
    if (expr->u.node.a->kind == RSP_EXPR_DEREF)
      scan_address (scan, expr->u.node.a->u.node.a,
                    expr->u.node.op == RSP_OP_NONE ? IS_WRITTEN : IS_READ | IS_WRITTEN);
    else
      scan_value (scan, expr->u.node.a);
    if (expr->u.node.b)
      scan_value (scan, expr->u.node.b);
    return;
  case RSP_EXPR_CALL:
    scan_call (scan, expr->u.call);
    return;
  case RSP_EXPR_BLOCK:
    scan_statements (scan, expr->u.block.body);
    scan_value (scan, expr->u.block.value);
    return;
  default: {
    const RspExpr *const operands[] = { expr->u.node.a, expr->u.node.b, expr->u.node.c };
    for (gsize i = 0; i < G_N_ELEMENTS (operands); i++)
      if (operands[i])
        scan_value (scan, operands[i]);
    return;
  }
  }
}

static void scan_statements (Scan *scan, const RspStatement *statement) {
  for (; statement; statement = statement->next) {
    if (statement->expr)
      scan_value (scan, statement->expr);
    if (statement->step)
      scan_value (scan, statement->step);
    scan_statements (scan, statement->init);
    scan_statements (scan, statement->body);
    scan_statements (scan, statement->otherwise);
    scan_statements (scan, statement->first);
  }
}

/* Marks the locations that the program's text never writes as fixed. */
static void mark_unwritten (KernelLowerer *l) {
  RspProgram *program = l->program;
  g_autofree guint8 *used = g_new0 (guint8, program->n_locations + 1);
  Scan scan = { program, used };
  for (guint i = 0; i < program->n_threads; i++)
    scan_statements (&scan, program->threads[i].body);
  for (guint i = 0; i < program->n_locations; i++)
    if (program->locations[i].type.pointers && rsp_is_address (program->locations[i].initial))
      used[rsp_address_object (program->locations[i].initial)] |= ESCAPES;
  for (guint i = 0; i < program->n_locations; i++) {
    RspLocation *location = &program->locations[i];
    location->fixed |= !(used[location->object] & (IS_WRITTEN | ESCAPES));
  }
  /* Are arrays of the kernel read that have been given values, and others? */
  for (guint i = 0; i < l->entry->parameters.n; i++) {
    const CVariable *parameter = l->entry->parameters.items[i];
    const guint object
        = parameter->name ? GPOINTER_TO_UINT (g_hash_table_lookup (l->local, parameter->name)) : 0;
    if (!object || !(used[object - 1] & (IS_READ | ESCAPES)))
      continue;
    *(rsp_kernel_is_given (l, parameter) ? &l->kernel->given_inputs : &l->kernel->zero_inputs)
        = TRUE;
  }
}

/* ---- The question --------------------------------------------------------------------------- */

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

/* ---- Propositions ---- */
static RspOperand number_operand (Finals *f, gint64 value) {
  return (RspOperand){ .constant = value,
                       .text = rsp_arena_printf (f->l->arena, "%" G_GINT64_FORMAT, value) };
}

/* part: the number of the cell, of those that the value has in memory, *n of them. */
static gboolean read_operand (Finals *f, const CExpr *expr, guint part, RspOperand *operand,
                              guint *n) {
  KernelLowerer *l = f->l;
  gint64 value;
  *n = 1;
  if (rsp_kernel_evaluate (l, expr, &value) || rsp_kernel_constant_value (l, expr, &value)) {
    *operand = number_operand (f, value);
    return TRUE;
  }
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
  *n = rsp_kernel_n_parts (l, place, 0);
  if (cell < 0 || cell + *n > location->n_elements) {
    kernel_error (l, expr->span, NULL, "the object has %u values", location->n_elements / *n);
    return FALSE;
  }
  cell += part;
  const char *name = location[cell].name;
  guint number = observe (f, (RspObservable){ .location = object + (guint) cell, .name = name });
  *operand = (RspOperand){ .is_observable = TRUE, .observable = number, .text = name };
  return TRUE;
}

static RspProp *known (Finals *f, RspSpan span, gboolean truth) {
  return rsp_prop_new (f->l->arena, truth ? RSP_PROP_TRUE : RSP_PROP_FALSE, span, NULL, NULL);
}

/* One side of a comparison of bits: a value in memory, or a number. */
typedef struct Side {
  const CExpr *memory; /* or NULL */
  gint64 number;
} Side;

/* Both propositions, or one of them, where some are known. */
static RspProp *joined (Finals *f, RspPropKind kind, RspProp *a, RspProp *b) {
  const RspPropKind decisive = kind == RSP_PROP_AND ? RSP_PROP_FALSE : RSP_PROP_TRUE,
                    idle = kind == RSP_PROP_AND ? RSP_PROP_TRUE : RSP_PROP_FALSE;
  return a->kind == decisive || b->kind == idle   ? a
         : b->kind == decisive || a->kind == idle ? b
                                                  : rsp_prop_new (f->l->arena, kind, b->span, a, b);
}

/* Are the bits of values of one type equal (RSP_OP_EQ), or, read as signed numbers, those of a the
 * smaller ones (RSP_OP_LT)? A value that has several cells in memory is compared cell by cell. */
static RspProp *related (Finals *f, RspSpan span, RspOperator op, Side a, Side b,
                         const CType *type) {
  const Side *const sides[] = { &a, &b };
  const CType *cell = type;
  RspProp *all = NULL;
  guint n = 1;
  if (!a.memory && !b.memory)
    return known (f, span,
                  rsp_compare (op, rsp_wrap (a.number, type->bits, TRUE),
                               rsp_wrap (b.number, type->bits, TRUE)));
  for (guint k = 0; k < n; k++) {
    RspProp *own = rsp_prop_new (f->l->arena, RSP_PROP_ATOM, span, NULL, NULL);
    for (guint side = 0; side < 2; side++)
      if (sides[side]->memory
          && !read_operand (f, sides[side]->memory, k, side ? &own->right : &own->left, &n))
        return own;
    if (n > 1)
      cell = rsp_kernel_unit_type (f->l);
    for (guint side = 0; side < 2; side++)
      if (!sides[side]->memory)
        *(side ? &own->right : &own->left)
            = number_operand (f, rsp_wrap (sides[side]->number >> (k * cell->bits), cell->bits,
                                           rsp_kernel_cell_type (cell).is_signed));
    own->op = RSP_OP_EQ;
    if (op == RSP_OP_EQ) {
      all = all ? joined (f, RSP_PROP_AND, all, own) : own;
      continue;
    }
    RspProp *less = rsp_prop_new (f->l->arena, RSP_PROP_ATOM, span, NULL, NULL);
    *less = *own;
    less->op = RSP_OP_LT;
    less->compared
        = (RspType){ .bits = cell->bits,
                     .is_signed = k + 1 == n && (type->kind == C_FLOAT || type->is_signed) };
    all = all ? joined (f, RSP_PROP_OR, less, joined (f, RSP_PROP_AND, own, all)) : less;
  }
  return all;
}

/* ---- Floating-point numbers ---- */

/* They are compared as IEEE 754 has it, by their bits as signed numbers: of two that are positive,
 * the greater bits are the greater number; of two that are negative, the smaller number. */

typedef struct Reals {
  Finals *f;
  RspSpan span;
  const CType *type; /* of both sides */
} Reals;

static RspProp *opposite (const Reals *r, RspProp *prop) {
  return prop->kind == RSP_PROP_TRUE || prop->kind == RSP_PROP_FALSE
             ? known (r->f, r->span, prop->kind == RSP_PROP_FALSE)
             : rsp_prop_new (r->f->l->arena, RSP_PROP_NOT, r->span, prop, NULL);
}

static RspProp *bits_are (const Reals *r, RspOperator op, Side a, Side b) {
  return related (r->f, r->span, op, a, b, r->type);
}

/* -0 */
static Side lowest (const Reals *r) {
  return (Side){ .number = G_MININT64 >> (64 - r->type->bits) };
}

static RspProp *is_negative (const Reals *r, Side a) {
  return bits_are (r, RSP_OP_LT, a, (Side){ 0 });
}

static RspProp *is_zero (const Reals *r, Side a) {
  return joined (r->f, RSP_PROP_OR, bits_are (r, RSP_OP_EQ, a, (Side){ 0 }),
                 bits_are (r, RSP_OP_EQ, a, lowest (r)));
}

/* Is it no NaN? Those are beyond the infinities. */
static RspProp *is_number (const Reals *r, Side a) {
  const guint digits = r->type->bits == 16 ? 10 : r->type->bits == 32 ? 23 : 52;
  const gint64 infinity = -(lowest (r).number >> digits) - 1;
  const Side most = { .number = infinity << digits },
             least = { .number = lowest (r).number + most.number };
  RspProp *negative
      = joined (r->f, RSP_PROP_AND, bits_are (r, RSP_OP_LT, least, a), is_negative (r, a));
  return opposite (r, joined (r->f, RSP_PROP_OR, bits_are (r, RSP_OP_LT, most, a), negative));
}

static RspProp *reals_are_equal (const Reals *r, Side a, Side b) {
  return joined (
      r->f, RSP_PROP_OR,
      joined (r->f, RSP_PROP_AND, bits_are (r, RSP_OP_EQ, a, b), is_number (r, a.memory ? b : a)),
      joined (r->f, RSP_PROP_AND, is_zero (r, a), is_zero (r, b)));
}

static RspProp *real_is_less (const Reals *r, Side a, Side b) {
  Finals *f = r->f;
  RspProp *below
      = joined (f, RSP_PROP_OR, opposite (r, is_negative (r, b)), bits_are (r, RSP_OP_LT, b, a)),
      *above
      = joined (f, RSP_PROP_AND, opposite (r, is_negative (r, a)), bits_are (r, RSP_OP_LT, a, b)),
      *less = joined (f, RSP_PROP_OR, joined (f, RSP_PROP_AND, is_negative (r, a), below), above),
      *zeros = joined (f, RSP_PROP_AND, is_zero (r, a), is_zero (r, b)),
      *numbers = joined (f, RSP_PROP_AND, is_number (r, a), is_number (r, b));
  return joined (f, RSP_PROP_AND, joined (f, RSP_PROP_AND, numbers, opposite (r, zeros)), less);
}

/* FALSE, with an error: such values are not compared. */
static gboolean may_be_compared (const Reals *r, const Side *sides, const CExpr *const *exprs,
                                 const CType *const *types) {
  KernelLowerer *l = r->f->l;
  for (guint i = 0; i < 2; i++)
    if (sides[i].memory && types[i]->kind != C_FLOAT) {
      kernel_error (l, sides[!i].memory ? r->span : exprs[!i]->span, "write an integer",
                    "found a floating-point number that is compared with an integer in memory");
      return FALSE;
    }
  if (sides[0].memory && sides[1].memory && types[0]->bits != types[1]->bits)
    rsp_kernel_refuse (l, r->span, "compare each with a number",
                       "a comparison of floating-point numbers of different types in an assertion");
  return !l->gave_up;
}

/* exprs[0] == exprs[1] (op: RSP_OP_EQ), < (RSP_OP_LT) or <= (RSP_OP_LE). A number of another type
 * than the value in memory is compared in the wider one, as in C: by its nearest number in the type
 * of what is in memory, if that is not the number (0.1, where memory has a float). */
static RspProp *compare_reals (Finals *f, RspSpan span, RspOperator op, const CExpr *const *exprs,
                               const gboolean *varies) {
  KernelLowerer *l = f->l;
  const CType *const types[]
      = { rsp_kernel_type_of (l, exprs[0]), rsp_kernel_type_of (l, exprs[1]) };
  const CType *common = rsp_kernel_common (types[0], types[1]);
  const Reals wide = { f, span, common }, own = { f, span,
                                                  varies[0]   ? types[0]
                                                  : varies[1] ? types[1]
                                                              : common };
  Side sides[]
      = { { .memory = varies[0] ? exprs[0] : NULL }, { .memory = varies[1] ? exprs[1] : NULL } };
  gboolean or_equal = op != RSP_OP_LT;
  if (!may_be_compared (&own, sides, exprs, types))
    return known (f, span, FALSE);
  for (guint i = 0; i < 2; i++) {
    if (varies[i])
      continue;
    const KernelValue value = rsp_kernel_value (l, exprs[i]);
    RspExpr *number = rsp_kernel_convert (l, value.cells[0], value.type, common),
            *nearest = rsp_kernel_convert (l, number, common, own.type),
            *back = rsp_kernel_convert (l, nearest, own.type, common);
    if (number->kind != RSP_EXPR_CONSTANT)
      rsp_kernel_refuse (l, exprs[i]->span, "write the value as a number",
                         "a floating-point operation in an assertion");
    const Side exact = { .number = number->u.constant }, rounded = { .number = back->u.constant };
    const gboolean is_below = real_is_less (&wide, rounded, exact)->kind == RSP_PROP_TRUE,
                   is_above = real_is_less (&wide, exact, rounded)->kind == RSP_PROP_TRUE;
    sides[i].number = nearest->u.constant;
    if (is_below || is_above)
      or_equal = op != RSP_OP_EQ && (i ? is_below : is_above);
  }
  RspProp *less
      = op == RSP_OP_EQ ? known (f, span, FALSE) : real_is_less (&own, sides[0], sides[1]);
  return or_equal ? joined (f, RSP_PROP_OR, less, reals_are_equal (&own, sides[0], sides[1]))
                  : less;
}

/* ---- Integers and pointers ---- */

/* Can a value of the type equal the number, where both are converted to the other type? */
static gboolean has_value (const CType *type, gint64 number, const RspType *compared) {
  return rsp_wrap (rsp_kernel_wrap (number, type), compared->bits, compared->is_signed)
         == rsp_wrap (number, compared->bits, compared->is_signed);
}

/* Is a value that has several cells in memory equal to the other side, or less? */
static RspProp *by_parts (Finals *f, const RspProp *whole, const CExpr *left, const CExpr *right) {
  const CType *a = rsp_kernel_type_of (f->l, left), *b = rsp_kernel_type_of (f->l, right);
  const Side sides[] = { { whole->left.is_observable ? left : NULL, whole->left.constant },
                         { whole->right.is_observable ? right : NULL, whole->right.constant } };
  const gboolean both = sides[0].memory && sides[1].memory;
  const CType *type = sides[0].memory ? a : b;
  const RspType *compared = &whole->compared;
  const gboolean orders = whole->op == RSP_OP_LT,
                 has = both || has_value (type, sides[sides[0].memory ? 1 : 0].number, compared),
                 same = compared->bits > type->bits
                        || (compared->bits == type->bits && compared->is_signed == type->is_signed);
  RspProp *equal = NULL;
  if ((orders && !(has && same)) || (both && (a->bits != b->bits || a->is_signed != b->is_signed)))
    rsp_kernel_refuse (f->l, whole->span, "compare with a number by `==`, or write `assert (…)`",
                       "such a comparison of a value of which parts are accessed");
  else if (has)
    equal = related (f, whole->span, orders ? RSP_OP_LT : RSP_OP_EQ, sides[0], sides[1], type);
  equal = equal ? equal : known (f, whole->span, FALSE);
  return whole->op == RSP_OP_NE ? rsp_prop_new (f->l->arena, RSP_PROP_NOT, whole->span, equal, NULL)
                                : equal;
}

/* ---- All kinds ---- */
/* Propositions only have =, != and <, and those of floating-point numbers a text of that kind. */
static RspProp *comparison (Finals *f, const CExpr *expr, RspOperator op, const CExpr *a,
                            const CExpr *b) {
  gboolean swapped = op == RSP_OP_GT || op == RSP_OP_LE,
           negated = op == RSP_OP_LE || op == RSP_OP_GE;
  const CExpr *left = swapped ? b : a, *right = swapped ? a : b;
  const CType *types[] = { rsp_kernel_type_of (f->l, left), rsp_kernel_type_of (f->l, right) };
  const gboolean real = types[0]->kind == C_FLOAT || types[1]->kind == C_FLOAT;
  RspProp *prop = rsp_prop_new (f->l->arena, RSP_PROP_ATOM, expr->span, NULL, NULL);
  prop->op = op == RSP_OP_EQ || (op == RSP_OP_NE && !real) ? op
             : op == RSP_OP_NE                             ? RSP_OP_EQ
                                                           : RSP_OP_LT;
  guint n, n_right;
  if (!read_operand (f, left, 0, &prop->left, &n)
      || !read_operand (f, right, 0, &prop->right, &n_right))
    return prop;
  if (real) {
    g_autoptr (GString) text = g_string_new (NULL);
    rsp_prop_format (prop, text);
    const CExpr *const exprs[] = { negated ? right : left, negated ? left : right };
    const gboolean varies[] = { (negated ? prop->right : prop->left).is_observable,
                                (negated ? prop->left : prop->right).is_observable };
    prop = compare_reals (f, expr->span, negated ? RSP_OP_LE : prop->op, exprs, varies);
    if (negated)
      prop = rsp_prop_new (f->l->arena, RSP_PROP_NOT, expr->span, prop, NULL);
    prop->text = rsp_arena_strdup (f->l->arena, text->str);
    negated |= op == RSP_OP_NE;
  } else if (!rsp_kernel_is_pointer (types[0]) && !rsp_kernel_is_pointer (types[1]))
    prop->compared = rsp_kernel_cell_type (rsp_kernel_common (types[0], types[1]));
  if (!real && MAX (n, n_right) > 1)
    prop = by_parts (f, prop, left, right);
  return negated ? rsp_prop_new (f->l->arena, RSP_PROP_NOT, expr->span, prop, NULL) : prop;
}

static RspProp *proposition (Finals *f, const CExpr *expr) {
  static const CExpr zero = { .kind = C_NUMBER, .number = { .bits = 32, .is_signed = TRUE } };
  gint64 value;
  if (rsp_kernel_evaluate (f->l, expr, &value))
    return known (f, expr->span, value != 0);
  if (expr->kind == C_UNARY && expr->op == RSP_OP_LOGICAL_NOT)
    return rsp_prop_new (f->l->arena, RSP_PROP_NOT, expr->span, proposition (f, expr->a), NULL);
  if (expr->kind == C_BINARY && (expr->op == RSP_OP_LOGICAL_AND || expr->op == RSP_OP_LOGICAL_OR))
    return rsp_prop_new (f->l->arena, expr->op == RSP_OP_LOGICAL_AND ? RSP_PROP_AND : RSP_PROP_OR,
                         expr->span, proposition (f, expr->a), proposition (f, expr->b));
  if (expr->kind == C_BINARY && expr->op >= RSP_OP_EQ && expr->op <= RSP_OP_GE)
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

/* The program's question: no assertion has failed, and those over final memory hold. */
static void kernel_resolve_asserts (KernelLowerer *l, const CExpr *filter) {
  Finals f = { .l = l, .observables = g_array_new (FALSE, TRUE, sizeof (RspObservable)) };
  RspProp *all = known (&f, l->entry->span, TRUE);
  const LitmusList asserts = l->unit->asserts;
  const KernelFrame frame = { .function = l->entry, .place = "" };
  KernelCode code;
  KernelCode *outer = rsp_kernel_begin (l, &code);
  l->frame = &frame;
  l->at_end = TRUE;
  for (guint i = 0; i < l->entry->parameters.n; i++) {
    KernelPlace place;
    const CVariable *parameter = l->entry->parameters.items[i];
    if (parameter->name && kernel_parameter_object (l, parameter, &place))
      rsp_kernel_bind (l, parameter->name,
                       (KernelPlace){ .type = place.type, .address = place.address }, TRUE);
  }
  for (guint i = 0; i < l->kernel->n_asserts; i++)
    all = conjunction (&f, all, assert_holds (&f, &l->kernel->asserts[i]));
  l->kernel->finals = rsp_arena_new0 (l->arena, RspProp *, asserts.n + 1);
  l->kernel->n_finals = 0; /* this may be done again, in other units */
  for (guint i = 0; i < asserts.n; i++) {
    RspProp *prop = proposition (&f, asserts.items[i]);
    l->kernel->finals[l->kernel->n_finals++] = prop;
    all = conjunction (&f, all, prop);
  }
  if (filter)
    l->program->filter = proposition (&f, filter);
  rsp_kernel_end (l, &code, outer, l->entry->span);
  l->frame = NULL;
  if (code.first)
    rsp_kernel_refuse (l, code.first->span, "compare elements with numbers",
                       "an operation with an effect in an assertion");
  l->program->quantifier = l->options->front ? l->options->front->quantifier : RSP_FORALL;
  l->program->condition = all;
  guint n = f.observables->len;
  RspProgram *program = l->program;
  g_autofree guint *numbers = g_new0 (guint, n + 1);
  RspObservable *sorted
      = rsp_arena_copy (l->arena, f.observables->data, n * sizeof (RspObservable));
  qsort (sorted, n, sizeof *sorted, rsp_observables_compare);
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < n; k++)
      if (strcmp (g_array_index (f.observables, RspObservable, i).name, sorted[k].name) == 0)
        numbers[i] = k;
  program->observables = sorted;
  program->n_observables = n;
  rsp_prop_renumber (program, all, numbers);
  rsp_prop_renumber (program, program->filter, numbers);
  program->filter_only = rsp_arena_new0 (l->arena, guint8, n + 1);
  g_array_unref (f.observables);
}

/* ---- The grid and its threads --------------------------------------------------------------- */

enum {
  MANY = 1 << 20 /* more work-items than can be checked: sizes are capped here */
};

/* "4", or "2,2,1" with up to so many dimensions: the product; 0: neither. */
static guint parse_sizes (const char **text, guint *sizes, guint *n) {
  guint64 product = 1;
  for (*n = 0; *n < RSP_GRID_DIMENSIONS; ++*text) {
    char *end = (char *) *text;
    guint64 size = g_ascii_isdigit (**text) ? g_ascii_strtoull (*text, &end, 10) : 0;
    if (!size)
      return 0;
    size = MIN (size, MANY);
    product = MIN (product * size, MANY);
    sizes[(*n)++] = (guint) size;
    *text = end;
    if (*end != ',')
      return (guint) product;
  }
  return 0;
}

gboolean rsp_grid_parse (const char *text, RspGrid *grid) {
  /* `2x1x1/4x1x1` is `2,1,1x4,1,1`. */
  g_autofree char *plain = strchr (text, '/')
                               ? g_strdelimit (g_strdelimit (g_strdup (text), "x", ','), "/", 'x')
                               : NULL;
  text = plain ? plain : text;
  guint products[3] = { 0 }, sizes[3][RSP_GRID_DIMENSIONS], lengths[3] = { 0 }, n = 0;
  for (gboolean more = TRUE; more && n < 3; n++, text++) {
    for (guint d = 0; d < RSP_GRID_DIMENSIONS; d++)
      sizes[n][d] = 1;
    products[n] = parse_sizes (&text, sizes[n], &lengths[n]);
    more = *text == 'x';
    if (!products[n] || (*text && !more))
      return FALSE;
  }
  grid->groups = products[0];
  grid->sub_groups = n == 3 ? products[1] : 1;
  grid->items = products[n - 1];
  grid->dimensions = MAX (lengths[0], lengths[n - 1]);
  memcpy (grid->group_sizes, sizes[0], sizeof sizes[0]);
  memcpy (grid->item_sizes, sizes[n - 1], sizeof sizes[0]);
  grid->item_sizes[0] *= grid->sub_groups;
  return n >= 2 && !text[-1] && (n == 2 || (lengths[1] == 1 && lengths[2] == 1));
}

gboolean rsp_grid_parse_offset (const char *text, RspGrid *grid) {
  for (guint d = 0; d < RSP_GRID_DIMENSIONS && g_ascii_isdigit (*text); d++) {
    char *end;
    const guint64 offset = g_ascii_strtoull (text, &end, 10);
    grid->offsets[d] = (guint) MIN (offset, G_MAXINT);
    if (*end != ',')
      return !*end;
    text = end + 1;
  }
  return FALSE;
}

/* ---- The entry ---- */
static const CFunction *find_entry (KernelLowerer *l) {
  const LitmusList functions = l->unit->functions;
  const CFunction *found = NULL;
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = 0;
  for (guint i = 0; i < functions.n; i++) {
    const CFunction *function = functions.items[i];
    if (!function->is_kernel || !function->name)
      continue;
    g_string_append_printf (names, "%s`-entry %s`", n++ ? ", " : "", function->name);
    if (!l->options->entry || strcmp (l->options->entry, function->name) == 0)
      found = found && !l->options->entry ? found : function;
  }
  RspSpan span = { l->program->source, 0, 0 };
  if (!found && n)
    kernel_error (l, span, names->str, "the file has no kernel `%s`", l->options->entry);
  else if (!found && l->options->front)
    kernel_error (l, span, NULL, "the module has no entry point");
  else if (!found) {
    const RspSource *file = l->kernel->file;
    const char *left_out = strstr (file->text, "kernel void");
    guint line, column;
    rsp_source_position (file, left_out ? (guint) (left_out - file->text) : 0, &line, &column);
    kernel_error (l, span,
                  left_out ? "define with -D what its `#if` tests"
                           : "`__kernel void f (__global int *x) { … }`",
                  left_out ? "the file has no kernel after preprocessing: line %u is left out"
                           : "the file has no kernel",
                  line);
  }
  return found;
}

/* ---- Threads ---- */
static void lower_thread (KernelLowerer *l, guint number) {
  const RspGrid *grid = &l->options->grid;
  guint size = grid->sub_groups * grid->items;
  RspThread *thread = &l->program->threads[number];
  l->thread = number;
  l->group = number / size;
  l->item = number % size;
  l->n_frames = l->depth = l->n_statements = l->n_loops = l->n_leavable = 0;
  l->calls = l->group_calls[FALSE] = l->group_calls[TRUE] = 0;
  g_array_set_size (l->registers, 0);
  if (l->logs)
    g_array_set_size (l->logs, 0);
  g_ptr_array_set_size (l->copies, 0);
  g_ptr_array_set_size (l->stops, 0);
  g_string_truncate (l->identity, 0);
  thread->name = rsp_arena_printf (l->arena, "P%u", number);
  thread->title = rsp_arena_printf (l->arena, "work-item (%u,%u)", l->group, l->item);
  thread->number = number;
  thread->span = l->entry->span;
  thread->body = l->options->front ? l->options->front->body (l->options->front, l)
                                   : rsp_kernel_thread_body (l);
  thread->body = kernel_make_copies (l, thread->body);
  thread->n_registers = l->registers->len;
  thread->registers
      = rsp_arena_copy (l->arena, l->registers->data, l->registers->len * sizeof (RspRegister));
  thread->raw = rsp_arena_printf (l->arena, "%s %s", l->entry->name, l->identity->str);
}

static gboolean check_grid (KernelLowerer *l) {
  const RspGrid *grid = &l->options->grid;
  guint64 n = (guint64) grid->groups * grid->sub_groups * grid->items;
  if (n > KERNEL_MAX_THREADS)
    kernel_error (l, l->entry->span, "races and barriers mostly show with 2 work-groups of 2",
                  "the grid has more than %d work-items, which are too many to check",
                  KERNEL_MAX_THREADS);
  l->program->n_threads = (guint) MIN (n, KERNEL_MAX_THREADS);
  return n <= KERNEL_MAX_THREADS;
}

/* The work-group sizes that an attribute before the kernel's name or behind its parameters demands;
 * FALSE: none does. */
static gboolean required_sizes (KernelLowerer *l, gint64 *sizes) {
  static const char word[] = "reqd_work_group_size";
  const char *text = l->program->source->text, *name = text + l->entry->span.begin, *from = name;
  while (from > text && !strchr (";}", from[-1]))
    from--;
  const char *at = from, *body = strchr (name, '{');
  while ((at = g_strstr_len (at, body - at, word)) && kernel_is_comment (text, at))
    at++;
  const char *begin = at ? strchr (at, '(') : NULL, *end = begin;
  for (guint depth = 0; end && *end; end++) {
    depth += *end == '(';
    if (*end == ')' && !--depth)
      break;
  }
  if (!end || !*end)
    return FALSE;
  const RspSpan span = { l->program->source, (guint) (begin + 1 - text), (guint) (end - text) };
  CParser parser
      = { .base = { .arena = l->arena, .diagnostics = l->diagnostics }, .unit = l->unit };
  if (!c_parse (&parser, C_ASSERTION, span))
    return FALSE;
  const CExpr *list = parser.expression;
  for (guint d = RSP_GRID_DIMENSIONS; d-- > 0; list = list->a) {
    const gboolean more = list->kind == C_BINARY && list->op == RSP_OP_COMMA;
    if (more != (d > 0) || !rsp_kernel_evaluate (l, more ? list->b : list, &sizes[d]))
      return FALSE;
  }
  return TRUE;
}

/* A kernel may demand a size of its work-groups (OpenCL C 2.0, 6.7.2). */
static void check_group (KernelLowerer *l) {
  const guint *own = l->options->grid.item_sizes;
  gint64 sizes[RSP_GRID_DIMENSIONS];
  if (l->options->lenient || l->options->front || !required_sizes (l, sizes)
      || (sizes[0] == own[0] && sizes[1] == own[1] && sizes[2] == own[2]))
    return;
  g_autoptr (GString) all = g_string_new (NULL);
  for (guint d = 0; d < l->options->grid.dimensions || (d < RSP_GRID_DIMENSIONS && sizes[d] > 1);
       d++)
    g_string_append_printf (all, "%s%" G_GINT64_FORMAT, d ? "," : "", sizes[d]);
  g_autofree char *hint = g_strdup_printf ("-grid 1x%s", all->str);
  kernel_error (l, l->entry->span, hint,
                "the kernel `%s` has reqd_work_group_size: its work-groups must be of size %s",
                l->entry->name, all->str);
}

static void lower_threads (KernelLowerer *l) {
  RspProgram *program = l->program;
  const RspGrid *grid = &l->options->grid;
  guint devices = MIN (MAX (grid->devices, 1), grid->groups);
  program->threads = rsp_arena_new0 (l->arena, RspThread, program->n_threads);
  for (guint i = 0; i < program->n_threads; i++) {
    /* Work-items are numbered group by group; so are the nodes of each level. */
    guint group = i / (grid->sub_groups * grid->items), device = group * devices / grid->groups;
    guint *place = program->threads[i].place;
    place[RSP_LEVEL_DEVICE] = place[RSP_LEVEL_KERNEL] = device;
    place[RSP_LEVEL_WORK_GROUP] = group;
    place[RSP_LEVEL_SUB_GROUP] = i / grid->items;
  }
  rsp_program_fill_levels (program);
  for (guint i = 0; grid->clusters && i < program->n_threads; i++) {
    guint *place = program->threads[i].place, device = place[RSP_LEVEL_DEVICE];
    guint first = (device * grid->groups + devices - 1) / devices; /* group of the device */
    guint n = ((device + 1) * grid->groups + devices - 1) / devices - first;
    guint inside = (place[RSP_LEVEL_WORK_GROUP] - first) * MIN (grid->clusters, n) / n;
    place[RSP_LEVEL_IN_KERNEL] = device * grid->clusters + inside;
  }
  guint n_globals = l->bindings->len, errors = rsp_diagnostics_count_errors (l->diagnostics);
  if (g_regex_match_simple ("\\b__(read|write)(_offset\\w*)?\\b", l->entry->span.source->text, 0,
                            0))
    l->logs = g_array_new (FALSE, TRUE, sizeof (KernelLog));
  for (guint i = 0; i < program->n_threads && !l->resized
                    && rsp_diagnostics_count_errors (l->diagnostics) == errors;
       i++) {
    lower_thread (l, i);
    g_array_set_size (l->bindings, n_globals);
  }
  g_clear_pointer (&l->logs, g_array_unref);
}

/* ---- The whole ---- */
static void keep_tables (KernelLowerer *l) {
  RspKernel *kernel = l->kernel;
  RspProgram *program = l->program;
  program->n_locations = l->locations->len;
  program->locations
      = rsp_arena_copy (l->arena, l->locations->data, l->locations->len * sizeof (RspLocation));
  kernel->n_asserts = l->asserts->len;
  kernel->asserts
      = rsp_arena_copy (l->arena, l->asserts->data, l->asserts->len * sizeof (RspKernelAssert));
}

void kernel_resolve (RspKernel *kernel, CUnit *unit, const CExpr *filter,
                     const RspKernelOptions *options, RspDiagnostics *diagnostics) {
  KernelLowerer l = { .kernel = kernel,
                      .program = kernel->program,
                      .unit = unit,
                      .arena = kernel->program->arena,
                      .diagnostics = diagnostics,
                      .options = options };
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  kernel->has_question = options->front && unit->asserts.n;
  l.locations = g_array_new (FALSE, TRUE, sizeof (RspLocation));
  l.asserts = g_array_new (FALSE, TRUE, sizeof (RspKernelAssert));
  l.bindings = g_array_new (FALSE, TRUE, sizeof (KernelBinding));
  l.registers = g_array_new (FALSE, TRUE, sizeof (RspRegister));
  l.copies = g_ptr_array_new ();
  l.stops = g_ptr_array_new ();
  l.local = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  l.old = g_hash_table_new (NULL, NULL);
  l.built_in = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  l.identity = g_string_new (NULL);
  l.program->language = options->front ? options->front->language : &rsp_kernel_language;
  l.entry = find_entry (&l);
  if (l.entry && check_grid (&l)) {
    l.program->name = l.entry->name;
    /* Sizes of types may depend on enumerators. */
    for (guint i = 0; i < unit->globals.n; i++) {
      const CVariable *variable = unit->globals.items[i];
      if (variable->is_enumerator)
        rsp_kernel_bind_enumerator (&l, variable);
    }
    /* What the file's axioms say about the grid, and its assertions about constants. */
    for (guint i = 0; i < unit->axioms.n; i++) {
      const CExpr *axiom = unit->axioms.items[i];
      gint64 value;
      if (strcmp (axiom->name, "_Static_assert") == 0)
        rsp_kernel_static_assert (&l, axiom->a, axiom->span);
      else if (rsp_kernel_evaluate (&l, axiom->a, &value) && !value)
        rsp_warning (l.diagnostics, axiom->a->span, NULL, "this axiom does not hold on the grid");
    }
    kernel_check_arguments (&l);
    check_group (&l);
    kernel_lay_out_objects (&l);
  }
  if (rsp_diagnostics_count_errors (diagnostics) == errors)
    lower_threads (&l);
  if (rsp_diagnostics_count_errors (diagnostics) == errors && !l.resized) {
    keep_tables (&l);
    mark_unwritten (&l);
    kernel_resolve_asserts (&l, filter);
  }
  kernel->unit = l.resized ? l.resized : kernel->unit;
  g_array_unref (l.locations);
  g_array_unref (l.asserts);
  g_array_unref (l.bindings);
  g_array_unref (l.registers);
  g_ptr_array_unref (l.copies);
  g_ptr_array_unref (l.stops);
  g_hash_table_unref (l.local);
  g_hash_table_unref (l.old);
  g_hash_table_unref (l.built_in);
  g_string_free (l.identity, TRUE);
}
