/* Calculations: on integers, booleans, floating-point numbers, vectors and composites. */
#include "extra/spirv/internal.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <stdio.h>
#include <string.h>

/* ---- Operators ------------------------------------------------------------------------------ */

/* Of one or two operands, lane by lane. */
#define DO(id, operator, sign)                                                                     \
  { SpvOp##id, RSP_OP_##operator, SPIRV_##sign }

static const struct {
  SpvOp opcode;
  RspOperator op;
  SpirvSign sign;
} operators[] = {
  /* clang-format off */
    DO (SNegate, NEGATE, SIGNED), DO (Not, COMPLEMENT, EITHER),
    DO (LogicalNot, LOGICAL_NOT, EITHER), DO (IAdd, ADD, EITHER), DO (ISub, SUB, EITHER),
    DO (IMul, MUL, EITHER), DO (UDiv, DIV, UNSIGNED), DO (SDiv, DIV, SIGNED),
    DO (UMod, MOD, UNSIGNED), DO (SRem, MOD, SIGNED), DO (ShiftRightLogical, SHR, UNSIGNED),
    DO (ShiftRightArithmetic, SHR, SIGNED), DO (ShiftLeftLogical, SHL, UNSIGNED),
    DO (BitwiseOr, OR, EITHER), DO (BitwiseXor, XOR, EITHER), DO (BitwiseAnd, AND, EITHER),
    DO (LogicalEqual, EQ, EITHER), DO (LogicalNotEqual, NE, EITHER), DO (LogicalOr, OR, EITHER),
    DO (LogicalAnd, AND, EITHER), DO (IEqual, EQ, EITHER), DO (INotEqual, NE, EITHER),
    DO (UGreaterThan, GT, UNSIGNED), DO (SGreaterThan, GT, SIGNED),
    DO (UGreaterThanEqual, GE, UNSIGNED), DO (SGreaterThanEqual, GE, SIGNED),
    DO (ULessThan, LT, UNSIGNED), DO (SLessThan, LT, SIGNED), DO (ULessThanEqual, LE, UNSIGNED),
    DO (SLessThanEqual, LE, SIGNED), DO (PtrEqual, EQ, EITHER), DO (PtrNotEqual, NE, EITHER),
    DO (PtrDiff, SUB, EITHER), DO (FNegate, NEGATE, EITHER), DO (FAdd, ADD, EITHER),
    DO (FSub, SUB, EITHER), DO (FMul, MUL, EITHER), DO (VectorTimesScalar, MUL, EITHER),
    DO (FDiv, DIV, EITHER), DO (FOrdEqual, EQ, EITHER), DO (FUnordNotEqual, NE, EITHER),
    DO (FOrdLessThan, LT, EITHER), DO (FOrdGreaterThan, GT, EITHER),
    DO (FOrdLessThanEqual, LE, EITHER), DO (FOrdGreaterThanEqual, GE, EITHER),
  /* clang-format on */
};

KernelValue spirv_with_sign (SpirvLowerer *s, KernelValue value, SpirvSign sign, RspSpan span) {
  const CType *own = value.type->kind == C_VECTOR ? value.type->to : value.type;
  if (own->kind != C_INTEGER || own->bits == 1 || (sign != SPIRV_SIGNED && sign != SPIRV_UNSIGNED)
      || own->is_signed == (sign == SPIRV_SIGNED))
    return value;
  CType *type = rsp_arena_copy (s->l->arena, own, sizeof *type);
  type->is_signed = sign == SPIRV_SIGNED;
  return rsp_kernel_to_type (
      s->l, value, own == value.type ? type : rsp_kernel_vector_of (s->l, type, value.type->lanes),
      span);
}

/* A cell of a value, the last one for those behind it, or its only one. */
static KernelValue lane (SpirvLowerer *s, KernelValue value, guint i) {
  const guint own = value.n > 1 ? MIN (i, value.n - 1) : 0;
  return rsp_kernel_scalar (s->l, value.cells[own], rsp_kernel_leaf (s->l, value.type, own));
}

static KernelValue unary (SpirvLowerer *s, RspSpan span, RspOperator op, KernelValue a) {
  KernelLowerer *l = s->l;
  if (a.type->kind == C_FLOAT)
    return rsp_kernel_scalar (l, rsp_kernel_apply (l, span, "-", a.type, &a.cells[0], 1), a.type);
  const CType *type = op == RSP_OP_LOGICAL_NOT ? &kernel_int : rsp_kernel_promoted (a.type);
  return rsp_kernel_scalar (
      l, rsp_kernel_node (l, span, RSP_EXPR_UNARY, op, type, a.cells[0], NULL), type);
}

/* condition ? a : b, of scalars. */
static RspExpr *choose (SpirvLowerer *s, RspSpan span, RspExpr *condition, RspExpr *a, RspExpr *b,
                        const CType *type) {
  if (condition->kind == RSP_EXPR_CONSTANT)
    return condition->u.constant ? a : b;
  return rsp_kernel_conditional (s->l, span, type, condition, a, b);
}

static RspExpr *is_index (SpirvLowerer *s, RspSpan span, RspExpr *index, guint i) {
  return rsp_kernel_node (s->l, span, RSP_EXPR_BINARY, RSP_OP_EQ, &kernel_int, index,
                          rsp_kernel_constant (s->l, span, i, &kernel_int));
}

RspExpr *spirv_choose_at (SpirvLowerer *s, RspSpan span, RspExpr *index, KernelValue value,
                          guint first, guint step, RspExpr *otherwise) {
  for (guint i = 0; first + i * step < value.n; i++)
    otherwise = choose (s, span, is_index (s, span, index, i), value.cells[first + i * step],
                        otherwise, rsp_kernel_leaf (s->l, value.type, first));
  return otherwise;
}

static void operate (SpirvLowerer *s, const SpirvInst *at, gsize row) {
  KernelLowerer *l = s->l;
  const gboolean two = at->n > 4;
  const RspOperator op = operators[row].op;
  KernelValue a = spirv_value (s, at, 3), b = two ? spirv_value (s, at, 4) : a,
              result = spirv_result (s, at);
  for (guint i = 0; i < result.n && a.n && b.n; i++) {
    if (rsp_kernel_pads (l, result.type, i))
      continue;
    const KernelValue x = spirv_with_sign (s, lane (s, a, i), operators[row].sign, at->span),
                      y = spirv_with_sign (s, lane (s, b, i), operators[row].sign, at->span);
    KernelValue own = two ? rsp_kernel_binary (l, at->span, op, x, y) : unary (s, at->span, op, x);
    if (op == RSP_OP_SHL || op == RSP_OP_SHR) { /* not as in C */
      const KernelValue by = spirv_with_sign (s, y, SPIRV_UNSIGNED, at->span),
                        bits = rsp_kernel_number (l, at->span, x.type->bits, by.type),
                        fits = rsp_kernel_binary (l, at->span, RSP_OP_LT, by, bits);
      RspExpr *operands[] = { x.cells[0], by.cells[0] };
      own.cells[0]
          = choose (s, at->span, fits.cells[0], own.cells[0],
                    rsp_kernel_apply (l, at->span, "shift by too many bits", own.type, operands, 2),
                    own.type);
    }
    result.cells[i]
        = rsp_kernel_to_type (l, own, rsp_kernel_leaf (l, result.type, i), at->span).cells[0];
  }
  spirv_set (s, at, result);
}

/* The number in a constant that literals name; one decorated as WorkgroupSize has the grid's. */
static gboolean extract_number (const SpirvModule *module, const RspGrid *grid, const SpirvInst *at,
                                gint64 *result) {
  guint32 id = at->words[4];
  for (guint i = 5; i < at->n; i++) {
    const SpirvInst *own = spirv_definition (module, id),
                    *built_in = spirv_decoration (module, id, -1, SpvDecorationBuiltIn);
    if (own->opcode == SpvOpConstantNull)
      break;
    if ((own->opcode != SpvOpConstantComposite && own->opcode != SpvOpSpecConstantComposite)
        || at->words[i] >= own->n - 3u)
      return FALSE;
    id = own->words[3 + at->words[i]];
    if (grid && built_in && built_in->words[3] == SpvBuiltInWorkgroupSize) {
      *result = grid->item_sizes[MIN (at->words[i], RSP_GRID_DIMENSIONS - 1)];
      return TRUE;
    }
  }
  return spirv_literal (module, id, result);
}

/* What an OpSpecConstantOp on numbers is. */
static gboolean fold (const SpirvModule *module, const RspGrid *grid, const SpirvInst *at,
                      gint64 *result) {
  const SpirvInst *from = spirv_definition (module, spirv_definition (module, at->words[4])->type);
  gint64 a, b = 0;
  if (at->words[3] == SpvOpCompositeExtract)
    return extract_number (module, grid, at, result);
  if (at->words[3] == SpvOpSelect)
    return spirv_literal (module, at->words[4], &a)
           && spirv_literal (module, at->words[a ? 5 : 6], result);
  SPIRV_FIND (row, operators, operators[row].opcode == (SpvOp) at->words[3]);
  const gboolean converts = at->words[3] == SpvOpUConvert || at->words[3] == SpvOpSConvert,
                 is_int = from->opcode == SpvOpTypeInt;
  if ((row == G_N_ELEMENTS (operators) && !converts) || (!is_int && from->opcode != SpvOpTypeBool)
      || !spirv_literal (module, at->words[4], &a)
      || (at->n > 5 && !spirv_literal (module, at->words[5], &b)))
    return FALSE;
  const RspOperator op = converts ? RSP_OP_NONE : operators[row].op;
  const SpirvSign sign = converts ? SPIRV_EITHER : operators[row].sign;
  const gboolean is_signed = at->words[3] == SpvOpSConvert || sign == SPIRV_SIGNED
                             || (sign == SPIRV_EITHER && !converts && from->words[3]);
  const guint8 bits = is_int ? (guint8) from->words[2] : 32;
  *result = a = rsp_wrap (a, bits, is_signed);
  if (op != RSP_OP_SHL && op != RSP_OP_SHR)
    b = rsp_wrap (b, bits, is_signed);
  if (op == RSP_OP_LOGICAL_NOT)
    *result = !a;
  else if (at->n == 5 && !converts)
    *result = rsp_fold_unary (op, a, bits, is_signed);
  return at->n == 5 || rsp_fold_binary (op, a, b, bits, is_signed, result);
}

void spirv_fold_constants (SpirvModule *module, const RspGrid *grid) {
  const gsize size = module->n_outside * sizeof *module->instructions;
  if (grid && memcmp (&module->folded_for, grid, sizeof *grid) == 0)
    return;
  if (grid)
    module->folded_for = *grid;
  if (module->unfolded)
    memcpy (module->instructions, module->unfolded, size);
  else
    module->unfolded = rsp_arena_copy (module->arena, module->instructions, size);
  if (grid)
    spirv_reflect_grid (module, grid);
  for (all_declarations (at, module)) {
    const guint16 to = spirv_definition (module, at->type)->opcode;
    gint64 result;
    if (at->opcode == SpvOpSpecConstantOp && (to == SpvOpTypeInt || to == SpvOpTypeBool)
        && fold (module, grid, at, &result))
      spirv_make_number (module, at->result, result);
  }
}

/* ---- Functions ------------------------------------------------------------------------------ */

/* ---- Functions of OpenCL C ---- */
/* Of the core, or (set 1) of GLSL.std.450; `!`: the result is the opposite. */
#define CORE_AS(id, sign, name)                                                                    \
  { 0, SpvOp##id, SPIRV_##sign, #name }
#define CORE(id, name) CORE_AS (id, EITHER, name)
#define GLSL(id, sign, name)                                                                       \
  { 1, GLSLstd450##id, SPIRV_##sign, "__spirv_" #name }

static const struct {
  guint8 set;
  guint16 number;
  SpirvSign sign;
  const char *name;
} named[] = {
  /* clang-format off */
    CORE (IsNan, isnan), CORE (IsInf, isinf), CORE (IsFinite, isfinite), CORE (IsNormal, isnormal),
    CORE (SignBitSet, signbit), CORE (Ordered, isordered), CORE (Unordered, isunordered),
    CORE (LessOrGreater, islessgreater), CORE (FOrdNotEqual, islessgreater),
    CORE (FUnordEqual, !islessgreater), CORE (FUnordLessThan, !isgreaterequal),
    CORE (FUnordLessThanEqual, !isgreater), CORE (FUnordGreaterThan, !islessequal),
    CORE (FUnordGreaterThanEqual, !isless), CORE_AS (BitCount, UNSIGNED, popcount),
    CORE_AS (SMod, SIGNED, __spirv_SMod), CORE_AS (BitReverse, UNSIGNED, bit_reverse),
    CORE_AS (BitFieldInsert, UNSIGNED, bitfield_insert),
    CORE_AS (BitFieldUExtract, UNSIGNED, bitfield_extract_unsigned),
    CORE_AS (BitFieldSExtract, SIGNED, bitfield_extract_signed), GLSL (SSign, SIGNED, SSign),
    GLSL (FindILsb, UNSIGNED, FindILsb), GLSL (FindUMsb, UNSIGNED, FindMsb),
    GLSL (FindSMsb, SIGNED, FindMsb),
  /* clang-format on */
};

static const char *const roundings[] = { "_rte", "_rtz", "_rtp", "_rtn" }; /* SpvFPRoundingMode */

/* name: with `%u` for the lanes of the result, or else of the first operand. FALSE: OpenCL C does
 * not have it. */
static gboolean call_named (SpirvLowerer *s, const SpirvInst *at, const char *name, SpirvSign sign,
                            guint first) {
  enum { MOST = 4 };
  KernelValue operands[MOST] = { { 0 } }, value;
  const gboolean negated = *name == '!', reads = g_str_has_prefix (name, "vload");
  const CType *type = spirv_type (s->front, at->type);
  const guint n = MIN (at->n - first, reads ? 2 : *name == 'v' ? 3 : MOST);
  for (guint i = 0; i < n; i++) {
    const SpirvValue own = spirv_known (s, at, first + i);
    if (own.kind == SPIRV_PLACE && spirv_is_tagged (s, &own))
      return FALSE;
    if (own.kind == SPIRV_PLACE && *name != 'p') { /* printf, prefetch */
      spirv_assert_within (s, &own, at->span);
      spirv_check_barred (s, at, &own, reads, !reads);
    }
    operands[i] = spirv_with_sign (s, spirv_value (s, at, first + i), sign, at->span);
  }
  const guint lanes = type->kind == C_VECTOR ? type->lanes : n ? operands[0].type->lanes : 0;
  const char *whole = rsp_arena_printf (s->l->arena, name + negated, lanes);
  if (!rsp_kernel_call (s->l, at->span, whole, operands, n, &value))
    return FALSE;
  if (type->kind == C_VOID)
    return TRUE;
  value = rsp_kernel_to_type (s->l, value, type, at->span);
  for (guint i = 0; i < value.n && negated; i++)
    value.cells[i] = unary (s, at->span, RSP_OP_LOGICAL_NOT, lane (s, value, i)).cells[0];
  spirv_set (s, at, value);
  return TRUE;
}

/* FALSE: `named` does not have it. */
static gboolean call_known (SpirvLowerer *s, const SpirvInst *at, guint set, guint32 number,
                            guint first) {
  SPIRV_FIND (i, named, named[i].set == set && named[i].number == number);
  return i < G_N_ELEMENTS (named) && call_named (s, at, named[i].name, named[i].sign, first);
}

/* A structure of two results: of an operator, and of a function that says what is beyond it. */
static gboolean call_twice (SpirvLowerer *s, const SpirvInst *at) {
  static const struct {
    SpvOp opcode, low;
    SpirvSign sign;
    const char *high;
  } rows[] = { { SpvOpIAddCarry, SpvOpIAdd, SPIRV_UNSIGNED, "__spirv_carry" },
               { SpvOpISubBorrow, SpvOpISub, SPIRV_UNSIGNED, "__spirv_borrow" },
               { SpvOpUMulExtended, SpvOpIMul, SPIRV_UNSIGNED, "mul_hi" },
               { SpvOpSMulExtended, SpvOpIMul, SPIRV_SIGNED, "mul_hi" } };
  SPIRV_FIND (row, rows, rows[row].opcode == (SpvOp) at->opcode);
  if (row == G_N_ELEMENTS (rows))
    return FALSE;
  KernelValue result = spirv_result (s, at);
  SpirvInst part = *at;
  guint n = 0;
  part.type = spirv_definition (s->module, at->type)->words[2];
  for (guint high = 0; high < 2; high++) {
    SPIRV_FIND (low, operators, operators[low].opcode == rows[row].low);
    if (high && !call_named (s, &part, rows[row].high, rows[row].sign, 3))
      return FALSE;
    if (!high)
      operate (s, &part, low);
    const KernelValue own = s->values[at->result].value;
    for (guint i = 0; i < own.n && n < result.n; i++)
      result.cells[n++] = own.cells[i];
  }
  spirv_set_held (s, at, result);
  return TRUE;
}

/* An extended instruction by its name in the assembly, which is OpenCL C's but for a sign before it
 * (`s_mad_hi`, `UMax`), and after it lanes (`vloadn`) and a rounding, the fourth operand
 * (`vstore_half_r`). */
static gboolean call_extended (SpirvLowerer *s, const SpirvInst *at, gboolean is_glsl) {
  enum { FIRST = 5, MOST_LETTERS = 32 };
  char own[MOST_LETTERS + 1] = "";
  sscanf (at->span.source->text + at->span.end, " %*s %*s %32[A-Za-z0-9_]", own);
  const gboolean has_sign = is_glsl ? strchr ("SU", *own) && g_ascii_isupper (own[1])
                                    : g_str_has_prefix (own, "s_") || g_str_has_prefix (own, "u_");
  g_autofree char *name = g_ascii_strdown (own + (has_sign ? is_glsl ? 1 : 2 : 0), -1);
  const SpirvSign sign = has_sign ? strchr ("Ss", *own) ? SPIRV_SIGNED : SPIRV_UNSIGNED
                         : g_str_equal (name, "select") ? SPIRV_SIGNED
                                                        : SPIRV_EITHER;
  char *rounds = g_str_has_prefix (name, "vstore") ? strstr (name, "_r") : NULL;
  if (rounds)
    *rounds = '\0';
  char *lanes = g_str_has_prefix (name, "vload") || g_str_has_prefix (name, "vstore")
                    ? name + MAX (1, strlen (name)) - 1
                    : NULL;
  const gboolean has_lanes = rounds || (lanes && *lanes == 'n');
  if (has_lanes && *lanes == 'n')
    *lanes = '\0';
  if (!*name || (is_glsl && g_str_equal (name, "fract"))) /* OpenCL C's has a pointer, too */
    return FALSE;
  return call_named (s, at,
                     rsp_arena_printf (s->l->arena, "%s%s%s", name, has_lanes ? "%u" : "",
                                       rounds ? roundings[at->words[FIRST + 3] % 4] : ""),
                     sign, FIRST);
}

/* Results that are not calculated: a lane of them is equal for equal operands, all lanes of which
 * may count (a dot product). literal: the word that is one; 0: none */
static gboolean leave_unknown (SpirvLowerer *s, const SpirvInst *at, const char *name, guint first,
                               guint literal) {
  KernelLowerer *l = s->l;
  KernelValue result = spirv_result (s, at);
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  for (guint k = first; k < at->n; k++) {
    const KernelValue operand = k == literal
                                    ? rsp_kernel_number (l, at->span, at->words[k], &kernel_uint)
                                    : spirv_value (s, at, k);
    if (operand.n && operand.type->kind == C_POINTER) {
      spirv_refuse (s, at, "of memory");
      return TRUE;
    }
    for (guint i = 0; i < operand.n; i++)
      if (!rsp_kernel_pads (l, operand.type, i))
        g_ptr_array_add (all, operand.cells[i]);
  }
  g_ptr_array_add (all, NULL);
  for (guint i = 0; i < result.n; i++) {
    all->pdata[all->len - 1] = rsp_kernel_constant (l, at->span, i, &kernel_uint);
    if (!rsp_kernel_pads (l, result.type, i))
      result.cells[i] = rsp_kernel_apply (l, at->span, name, rsp_kernel_leaf (l, result.type, i),
                                          (RspExpr *const *) all->pdata, all->len);
  }
  spirv_set (s, at, result);
  return TRUE;
}

/* GLSL.std.450 and OpenCL.std calculate; debug information and clspv's reflection only inform. */
static void extended (SpirvLowerer *s, const SpirvInst *at) {
  const char *name = spirv_string (spirv_definition (s->module, at->words[3]), 2);
  static const char *const sets[] = { "", "GLSL.std.450", "OpenCL.std" };
  guint set = G_N_ELEMENTS (sets) - 1;
  while (set && strcmp (name, sets[set]) != 0)
    set--;
  if (g_str_has_prefix (name, "NonSemantic.") || strstr (name, "DebugInfo"))
    return;
  if (set && (call_known (s, at, set, at->words[4], 5) || call_extended (s, at, set == 1)))
    return;
  g_autofree char *own = g_strdup_printf ("%s %u", name, at->words[4]);
  const gboolean packs = set == 1 && at->words[4] >= GLSLstd450PackSnorm4x8
                         && at->words[4] <= GLSLstd450UnpackDouble2x32;
  if (set && (packs || rsp_kernel_leaf (s->l, spirv_type (s->front, at->type), 0)->kind == C_FLOAT))
    leave_unknown (s, at, rsp_arena_strdup (s->l->arena, own), 5, 0);
  else {
    g_autofree char *what = g_strdup_printf ("of `%s`, number %u", name, at->words[4]);
    spirv_refuse (s, at, what);
  }
}

/* ---- Conversions ---------------------------------------------------------------------------- */

#define CONVERT(id, from, to)                                                                      \
  { SpvOp##id, SPIRV_##from, SPIRV_##to }

/* Signs of what is converted, and of the result. */
static const struct {
  SpvOp opcode;
  SpirvSign from, to;
} conversions[] = {
  CONVERT (UConvert, UNSIGNED, UNSIGNED),     CONVERT (SConvert, SIGNED, SIGNED),
  CONVERT (FConvert, EITHER, EITHER),         CONVERT (ConvertFToU, EITHER, UNSIGNED),
  CONVERT (ConvertFToS, EITHER, SIGNED),      CONVERT (ConvertSToF, SIGNED, EITHER),
  CONVERT (ConvertUToF, UNSIGNED, EITHER),    CONVERT (ConvertPtrToU, EITHER, EITHER),
  CONVERT (ConvertUToPtr, UNSIGNED, EITHER),  CONVERT (SatConvertSToU, SIGNED, UNSIGNED),
  CONVERT (SatConvertUToS, UNSIGNED, SIGNED),
};

static gboolean convert (SpirvLowerer *s, const SpirvInst *at) {
  KernelLowerer *l = s->l;
  SPIRV_FIND (row, conversions, conversions[row].opcode == (SpvOp) at->opcode);
  if (row == G_N_ELEMENTS (conversions))
    return FALSE;
  const gboolean saturates
      = at->opcode == SpvOpSatConvertSToU || at->opcode == SpvOpSatConvertUToS
        || spirv_decoration (s->module, at->result, -1, SpvDecorationSaturatedConversion);
  const gboolean to_integer = conversions[row].to != SPIRV_EITHER;
  const SpirvInst *at_way
      = spirv_decoration (s->module, at->result, -1, SpvDecorationFPRoundingMode);
  const char *way = at_way ? roundings[at_way->words[3] % 4] : NULL;
  if (way && way != roundings[0] && !to_integer)
    return leave_unknown (s, at, way, 3, 0);
  const CType *type = spirv_type (s->front, at->type);
  CType *lane_type = rsp_arena_copy (l->arena, rsp_kernel_leaf (l, type, 0), sizeof *lane_type);
  KernelValue own = spirv_with_sign (s, spirv_value (s, at, 3), conversions[row].from, at->span);
  lane_type->is_signed = conversions[row].to == SPIRV_SIGNED;
  const CType *to
      = type->kind == C_VECTOR ? rsp_kernel_vector_of (l, lane_type, type->lanes) : lane_type;
  if (way && to_integer)
    own = rsp_kernel_rounded (l, at->span, rsp_kernel_held (l, own, at->span), way);
  if (saturates && rsp_kernel_leaf (l, own.type, 0)->kind == C_INTEGER)
    own = rsp_kernel_saturate (l, at->span, own, to);
  own = rsp_kernel_cast_value (l, at->span, own, to);
  spirv_set (s, at, rsp_kernel_to_type (l, own, type, at->span));
  return TRUE;
}

static void reinterpret (SpirvLowerer *s, const SpirvInst *at) {
  const CType *type = spirv_type (s->front, at->type);
  KernelValue value;
  if (rsp_kernel_reinterpret (s->l, at->span, spirv_value (s, at, 3), type, &value))
    spirv_set (s, at, value);
  else
    spirv_refuse (s, at, "between these types");
}

/* ---- Composites ----------------------------------------------------------------------------- */

/* The first cell of the part that the literals from `word` on name. */
static guint find_part (SpirvLowerer *s, guint32 type, const SpirvInst *at, guint word) {
  guint first = 0;
  for (guint i = word; i < at->n && !s->l->gave_up; i++) {
    const SpirvInst *own = spirv_definition (s->module, type);
    guint cells;
    if (at->words[i] >= spirv_n_parts (s->module, type)) {
      spirv_refuse (s, at, "with an index that its type does not have");
      return 0;
    }
    type = spirv_part_at (s, own, at->words[i], TRUE, &cells);
    first += cells;
  }
  return first;
}

static void construct (SpirvLowerer *s, const SpirvInst *at) {
  KernelValue result = spirv_result (s, at);
  const gboolean lanes = result.type->kind == C_VECTOR;
  guint n = 0;
  for (guint i = 3; i < at->n; i++) {
    const KernelValue part = spirv_value (s, at, i);
    for (guint k = 0; k < part.n && n < result.n; k++)
      if (!lanes || !rsp_kernel_pads (s->l, part.type, k))
        result.cells[n++] = part.cells[k];
  }
  spirv_set (s, at, result);
}

static void extract (SpirvLowerer *s, const SpirvInst *at) {
  const guint first = find_part (s, spirv_definition (s->module, at->words[3])->type, at, 4);
  const KernelValue whole = spirv_value (s, at, 3);
  KernelValue part = spirv_result (s, at);
  for (guint i = 0; i < part.n && first + i < whole.n; i++)
    part.cells[i] = whole.cells[first + i];
  spirv_set (s, at, part);
}

static void insert (SpirvLowerer *s, const SpirvInst *at) {
  const guint first = find_part (s, at->type, at, 5);
  const KernelValue part = spirv_value (s, at, 3), whole = spirv_value (s, at, 4);
  KernelValue result = rsp_kernel_dummy (s->l, at->span, whole.type);
  for (guint i = 0; i < whole.n; i++)
    result.cells[i] = i >= first && i < first + part.n ? part.cells[i - first] : whole.cells[i];
  spirv_set (s, at, result);
}

static void shuffle (SpirvLowerer *s, const SpirvInst *at) {
  const KernelValue a = spirv_value (s, at, 3), b = spirv_value (s, at, 4);
  KernelValue result = spirv_result (s, at);
  for (guint i = 5; i < at->n && i - 5 < result.n; i++) {
    const guint32 from = at->words[i], lanes = a.type->lanes;
    if (from < lanes && from < a.n)
      result.cells[i - 5] = a.cells[from];
    else if (from >= lanes && from - lanes < b.type->lanes)
      result.cells[i - 5] = b.cells[from - lanes];
    else if (from == G_MAXUINT32)
      result.cells[i - 5]
          = spirv_undefined (s, at, rsp_kernel_leaf (s->l, result.type, i - 5)).cells[0];
    else
      spirv_refuse (s, at, "with an index that its type does not have");
  }
  spirv_set (s, at, result);
}

static void select_value (SpirvLowerer *s, const SpirvInst *at) {
  const KernelValue condition = spirv_value (s, at, 3), a = spirv_qualified_at (s, at, 4),
                    b = spirv_qualified_at (s, at, 5);
  KernelValue result = rsp_kernel_cells_value (s->l, a.type, MIN (a.n, b.n));
  for (guint i = 0; i < result.n && condition.n; i++)
    result.cells[i] = choose (s, at->span, lane (s, condition, i).cells[0], a.cells[i], b.cells[i],
                              rsp_kernel_leaf (s->l, result.type, i));
  if (condition.n && result.n == spirv_qualified_result (s, at).n)
    spirv_set (s, at, result);
  else
    spirv_refuse (s, at, "of other types than that of its result");
}

/* Of a vector, at an index that is not constant. What is extracted from beyond is any number:
 * llvm-spirv does so, and then does not use it. */
static void extract_dynamic (SpirvLowerer *s, const SpirvInst *at) {
  const KernelValue whole = spirv_value (s, at, 3);
  KernelValue result = spirv_undefined (s, at, spirv_type (s->front, at->type));
  result.cells[0]
      = spirv_choose_at (s, at->span, spirv_scalar (s, at, 4), whole, 0, 1, result.cells[0]);
  spirv_set (s, at, result);
}

static void insert_dynamic (SpirvLowerer *s, const SpirvInst *at) {
  const KernelValue whole = spirv_value (s, at, 3);
  RspExpr *object = spirv_scalar (s, at, 4), *index = spirv_scalar (s, at, 5);
  KernelValue result = spirv_result (s, at);
  SpirvValue own = { 0 };
  spirv_stay_within (s, &own, index, whole.type->lanes, at->span);
  spirv_assert_within (s, &own, at->span);
  for (guint i = 0; i < whole.n; i++)
    result.cells[i] = choose (s, at->span, is_index (s, at->span, index, i), object, whole.cells[i],
                              rsp_kernel_leaf (s->l, whole.type, i));
  spirv_set (s, at, result);
}

static void copy (SpirvLowerer *s, const SpirvInst *at) {
  s->values[at->result] = spirv_known (s, at, 3);
}

/* OpAny, OpAll */
static void quantify (SpirvLowerer *s, const SpirvInst *at) {
  const RspOperator op = at->opcode == SpvOpAny ? RSP_OP_OR : RSP_OP_AND;
  const KernelValue value = spirv_value (s, at, 3);
  KernelValue all = lane (s, value, 0);
  for (guint i = 1; i < value.n; i++)
    if (!rsp_kernel_pads (s->l, value.type, i))
      all = rsp_kernel_binary (s->l, at->span, op, all, lane (s, value, i));
  spirv_set (s, at, rsp_kernel_to_type (s->l, all, &kernel_bool, at->span));
}

static void transpose (SpirvLowerer *s, const SpirvInst *at) {
  const KernelValue from = spirv_value (s, at, 3);
  KernelValue result = spirv_result (s, at);
  const SpirvInst *type = spirv_definition (s->module, at->type);
  const guint columns = type->words[3], rows = spirv_n_parts (s->module, type->words[2]);
  for (guint i = 0; i < columns * rows; i++) {
    const guint to = result.n / columns * (i / rows) + i % rows,
                own = from.n / MAX (1, rows) * (i % rows) + i / rows;
    if (to < result.n && own < from.n)
      result.cells[to] = from.cells[own];
  }
  spirv_set (s, at, result);
}

static gboolean compose (SpirvLowerer *s, const SpirvInst *at) {
  static const SpirvRow rows[] = { { SpvOpCompositeConstruct, construct },
                                   { SpvOpCopyLogical, construct },
                                   { SpvOpCompositeExtract, extract },
                                   { SpvOpCompositeInsert, insert },
                                   { SpvOpVectorShuffle, shuffle },
                                   { SpvOpTranspose, transpose },
                                   { SpvOpVectorExtractDynamic, extract_dynamic },
                                   { SpvOpVectorInsertDynamic, insert_dynamic },
                                   { SpvOpSelect, select_value },
                                   { SpvOpAny, quantify },
                                   { SpvOpAll, quantify },
                                   { SpvOpCopyObject, copy },
                                   { SpvOpExpectKHR, copy },
                                   { SpvOpBitcast, reinterpret },
                                   { SpvOpExtInst, extended } };
  return spirv_lower_by (rows, G_N_ELEMENTS (rows), s, at);
}

gboolean spirv_calculate (SpirvLowerer *s, const SpirvInst *at) {
  if (compose (s, at) || convert (s, at) || call_twice (s, at)
      || call_known (s, at, 0, at->opcode, 3))
    return TRUE;
  SPIRV_FIND (row, operators, operators[row].opcode == (SpvOp) at->opcode);
  if (row < G_N_ELEMENTS (operators)) {
    operate (s, at, row);
    return TRUE;
  }
  /* Other arithmetic on floating-point numbers, and questions to images, which nothing writes. */
  if (!at->result || !at->type)
    return FALSE;
  const CType *leaf = rsp_kernel_leaf (s->l, spirv_type (s->front, at->type), 0);
  const gboolean asks = at->opcode >= SpvOpSampledImage && at->opcode <= SpvOpImageQuerySamples
                        && at->opcode != SpvOpImageWrite;
  if (leaf->kind != C_FLOAT && !asks)
    return FALSE;
  g_autofree char *name = spirv_opcode_name (at->opcode);
  const gboolean two = strstr (name, "Dref") || strstr (name, "Gather"),
                 has_operands
                 = at->opcode >= SpvOpImageSampleImplicitLod && at->opcode <= SpvOpImageRead;
  return leave_unknown (s, at, name, 3, !has_operands ? 0 : two ? 6 : 5);
}
