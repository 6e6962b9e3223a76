/* Atomic functions, fences and barriers of OpenCL C, and those on integers. */
#include "parser/kernel/internal.h"

#include <string.h>

/* ---- Integer functions ---------------------------------------------------------------------- */

/* Those of 6.13.3, lane by lane. Most are written in OpenCL C and inlined. */

/* ---- Functions in OpenCL C ---- */
#define BITS "(int) (8 * sizeof (T))"

/* The upper half of the product of two numbers of 64 bits, from the products of their halves. */
#define HIGH                                                                                       \
  "U m = 0xffffffff, x = ((U) a >> 32) * (b & m) + ((a & m) * (b & m) >> 32), "                    \
  "y = (a & m) * ((U) b >> 32) + (x & m), "                                                        \
  "h = ((U) a >> 32) * ((U) b >> 32) + (x >> 32) + (y >> 32) - (a < 0 ? b : 0) - (b < 0 ? a : "    \
  "0); "

#define MOST "T most = (U) ~(U) 0 >> ((T) -1 < 0), least = ~most; "

/* Of a signed number, or of an unsigned one. */
#define EXTRACT                                                                                    \
  "T f (T a, int o, int n) { return n ? (T) (a << (" BITS " - n - o)) >> (" BITS " - n) : 0; }"

/* T is the type of the first argument, U the unsigned one of its width, W one of T's sign and twice
 * its width. The first row that a type can use is taken. */
static const struct {
  const char *name, *text;
  gboolean wide; /* does it use W, which does not exist for 64 bits? */
} functions[] = {
  { "abs", "U f (T a) { return a < 0 ? -(U) a : (U) a; }", FALSE },
  { "abs_diff", "U f (T a, T b) { return a > b ? (U) a - (U) b : (U) b - (U) a; }", FALSE },
  { "mul24", "T f (T a, T b) { return a * b; }", FALSE },
  { "mad24", "T f (T a, T b, T c) { return a * b + c; }", FALSE },
  { "bitselect", "T f (T a, T b, T c) { return a & ~c | b & c; }", FALSE },
  { "hadd", "T f (T a, T b) { return (a >> 1) + (b >> 1) + (a & b & 1); }", FALSE },
  { "rhadd", "T f (T a, T b) { return (a >> 1) + (b >> 1) + ((a | b) & 1); }", FALSE },
  { "rotate",
    "T f (T a, T i) { U n = i & (" BITS " - 1); return (U) a << n | (U) a >> (" BITS " - n); }",
    FALSE },
  { "popcount",
    "T f (T a) { T n = 0; for (int i = 0; i < " BITS "; i++) n += (U) a >> i & 1; return n; }",
    FALSE },
  { "clz",
    "T f (T a) { T n = " BITS "; for (int i = 0; i < " BITS
    "; i++) n -= (U) a >> i != 0; return n; }",
    FALSE },
  { "ctz",
    "T f (T a) { T n = " BITS "; for (int i = 0; i < " BITS
    "; i++) n -= (U) ((U) a << i) != 0; return n; }",
    FALSE },
  { "add_sat",
    "T f (T a, T b) { " MOST
    "return b > 0 ? a > (T) (most - b) ? most : a + b : a < (T) (least - b) ? least : a + b; }",
    FALSE },
  { "sub_sat",
    "T f (T a, T b) { " MOST
    "return b > 0 ? a < (T) (least + b) ? least : a - b : a > (T) (most + b) ? most : a - b; }",
    FALSE },
  { "bit_reverse",
    "T f (T a) { T n = 0; for (int i = 0; i < " BITS
    "; i++) n = n << 1 | (a >> i & 1); return n; }",
    FALSE },
  { "bitfield_insert",
    "T f (T a, T b, int o, int n) { T m = n < " BITS " ? ((T) 1 << n) - 1 : ~(T) 0; "
    "return (a & ~(T) (m << o)) | (T) ((b & m) << o); }",
    FALSE },
  { "bitfield_extract_signed", EXTRACT, FALSE },
  { "bitfield_extract_unsigned", EXTRACT, FALSE },
  /* SPIR-V's, which OpenCL C lacks. */
  { "__spirv_SMod", "T f (T a, T b) { T r = a % b; return r && (r ^ b) < 0 ? r + b : r; }", FALSE },
  { "__spirv_carry", "T f (T a, T b) { return (T) (a + b) < a; }", FALSE },
  { "__spirv_borrow", "T f (T a, T b) { return a < b; }", FALSE },
  { "__spirv_SSign", "T f (T a) { return a < 0 ? -1 : a > 0; }", FALSE },
  { "__spirv_FindILsb", "int f (T a) { return a ? (int) ctz (a) : -1; }", FALSE },
  { "__spirv_FindMsb", "int f (T a) { return " BITS " - 1 - (int) clz ((T) (a < 0 ? ~a : a)); }",
    FALSE },
  { "upsample", "W f (T a, U b) { return (W) a << " BITS " | b; }", TRUE },
  { "mul_hi", "T f (T a, T b) { return (W) a * b >> " BITS "; }", TRUE },
  { "mad_hi", "T f (T a, T b, T c) { return ((W) a * b >> " BITS ") + c; }", TRUE },
  { "mul_hi", "T f (T a, T b) { " HIGH "return h; }", FALSE },
  { "mad_hi", "T f (T a, T b, T c) { " HIGH "return h + c; }", FALSE },
  { "mad_sat",
    "T f (T a, T b, T c) { " MOST
    "W s = (W) a * b + c; return s > most ? most : s < least ? least : (T) s; }",
    TRUE },
  { "mad_sat",
    "T f (T a, T b, T c) { " MOST HIGH
    "U l = (U) a * b, s = l + (U) c; T top = h - (c < 0) + (s < l); "
    "return (T) -1 > 0 ? top ? most : s : top == ((T) s < 0 ? -1 : 0) ? s : top < 0 ? least : "
    "most; }",
    FALSE }
};

const CFunction *rsp_kernel_parse_function (KernelLowerer *l, const char *text,
                                            const RspSpan *place) {
  g_autofree char *key = g_strdup_printf ("%u %s", place ? place->begin : 0, text);
  const CFunction *known = g_hash_table_lookup (l->built_in, key);
  if (known)
    return known;
  CUnit unit = { .typedefs = g_hash_table_new (g_str_hash, g_str_equal) };
  RspSource *source = rsp_source_new ("built-in functions", g_strdup (text), strlen (text));
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  CParser parser
      = { .base = { .arena = l->arena, .diagnostics = unread, .place = place }, .unit = &unit };
  gboolean good = c_parse (&parser, C_UNIT, (RspSpan){ source, 0, (guint) strlen (text) });
  g_hash_table_unref (unit.typedefs);
  g_ptr_array_add (l->kernel->built_in, source);
  if (!good || unit.functions.n != 1) { /* the name of an argument's type means nothing here */
    rsp_kernel_refuse (l, place ? *place : RSP_NOWHERE, NULL, "an argument of this type");
    return rsp_kernel_parse_function (l, "int f () { return 0; }", place);
  }
  g_hash_table_insert (l->built_in, g_steal_pointer (&key), unit.functions.items[0]);
  return unit.functions.items[0];
}

static const CType *lane_type (const CType *type) {
  return type->kind == C_VECTOR ? type->to : type;
}

/* The function of the text, whose T is the type. wide: does it use W? */
static const CFunction *function_of (KernelLowerer *l, const char *text, const CType *type,
                                     gboolean wide, const RspSpan *place) {
  const CType own
      = { .kind = C_INTEGER, .bits = type->bits },
      twice
      = { .kind = C_INTEGER, .bits = (guint8) (2 * type->bits), .is_signed = type->is_signed };
  g_autofree char *t = rsp_kernel_type_name (type), *u = rsp_kernel_type_name (&own),
                  *w = wide ? rsp_kernel_type_name (&twice) : g_strdup (t);
  g_autofree char *all
      = g_strdup_printf ("typedef %s T; typedef %s U; typedef %s W; %s", t, u, w, text);
  return rsp_kernel_parse_function (l, all, place);
}

KernelValue rsp_kernel_inline_text (KernelLowerer *l, RspSpan span, const char *text,
                                    const KernelValue *arguments) {
  const CExpr call = { .kind = C_CALL, .span = span };
  return rsp_kernel_inline (
      l, &call, function_of (l, text, lane_type (arguments[0].type), FALSE, &span), arguments);
}

/* The function for a type T; NULL: there is none. */
static const CFunction *find_function (KernelLowerer *l, const char *name, const CType *type) {
  gsize i = 0;
  while (i < G_N_ELEMENTS (functions)
         && (strcmp (name, functions[i].name) != 0 || (functions[i].wide && type->bits == 64)))
    i++;
  return i < G_N_ELEMENTS (functions)
             ? function_of (l, functions[i].text, type, functions[i].wide, NULL)
             : NULL;
}

/* ---- Lanes ---- */
enum { MAX_ARGUMENTS = 4 };

/* first: the type of the first argument. A scalar beside a vector has the type of its lanes. */
static KernelValue lane_of (KernelLowerer *l, KernelValue value, guint lane, const CType *first) {
  if (value.type->kind == C_VECTOR)
    return rsp_kernel_scalar (l, value.cells[lane], lane_type (value.type));
  const CType *type = first->kind == C_VECTOR ? first->to : value.type;
  return rsp_kernel_scalar (l, rsp_kernel_convert (l, value.cells[0], value.type, type), type);
}

const CType *kernel_result_type (const CType *a, const CType *b) {
  gboolean alike = a->bits == b->bits && (a->bits >= 32 || a->is_signed == b->is_signed);
  return alike ? a : rsp_kernel_common (a, b);
}

static KernelValue extreme (KernelLowerer *l, RspSpan span, RspOperator op, KernelValue a,
                            KernelValue b) {
  const CType *type = kernel_result_type (a.type, b.type);
  return rsp_kernel_scalar (l,
                            rsp_kernel_node (l, span, RSP_EXPR_BINARY, op, type,
                                             rsp_kernel_convert (l, a.cells[0], a.type, type),
                                             rsp_kernel_convert (l, b.cells[0], b.type, type)),
                            type);
}

/* The function of one lane of each argument; without a value if there is none. */
static KernelValue apply_to_lane (KernelLowerer *l, const CExpr *call, const KernelValue *v,
                                  guint n) {
  const char *name = call->a->name;
  if (n == 2 && strcmp (name, "min") == 0)
    return extreme (l, call->span, RSP_OP_MIN, v[0], v[1]);
  if (n == 2 && strcmp (name, "max") == 0)
    return extreme (l, call->span, RSP_OP_MAX, v[0], v[1]);
  if (n == 3 && strcmp (name, "clamp") == 0)
    return extreme (l, call->span, RSP_OP_MIN, extreme (l, call->span, RSP_OP_MAX, v[0], v[1]),
                    v[2]);
  const CFunction *function = find_function (l, name, v[0].type);
  return function && function->parameters.n == n ? rsp_kernel_inline (l, call, function, v)
                                                 : rsp_kernel_no_value ();
}

gboolean kernel_integer_function (KernelLowerer *l, const CExpr *call, const KernelValue *arguments,
                                  guint n, KernelValue *value) {
  KernelValue lanes[MAX_ARGUMENTS];
  if (!n || n > MAX_ARGUMENTS)
    return FALSE;
  const CType *type = arguments[0].type;
  guint n_lanes = type->kind == C_VECTOR ? type->lanes : 1;
  for (guint i = 0; i < n; i++)
    if (lane_type (arguments[i].type)->kind != C_INTEGER
        || (arguments[i].type->kind == C_VECTOR && arguments[i].type->lanes != n_lanes))
      return FALSE;
  for (guint k = 0; k < n_lanes; k++) {
    for (guint i = 0; i < n; i++)
      lanes[i] = lane_of (l, arguments[i], k, type);
    KernelValue own = apply_to_lane (l, call, lanes, n);
    if (!own.n)
      return FALSE;
    if (k == 0)
      *value = rsp_kernel_dummy (
          l, call->span,
          type->kind == C_VECTOR ? rsp_kernel_vector_of (l, own.type, n_lanes) : own.type);
    value->cells[k] = own.cells[0];
  }
  return TRUE;
}

gboolean kernel_is_integral (const CType *type) { return lane_type (type)->kind == C_INTEGER; }

KernelValue rsp_kernel_saturate (KernelLowerer *l, RspSpan span, KernelValue value,
                                 const CType *type) {
  const CType *from = lane_type (value.type), *to = lane_type (type);
  guint digits = MIN (from->bits - (guint) from->is_signed, to->bits - (guint) to->is_signed);
  gint64 most = (gint64) (G_MAXUINT64 >> (64 - digits));
  const gint64 least = from->is_signed && to->is_signed ? -most - 1 : 0;
  KernelValue low = rsp_kernel_number (l, span, least, from),
              high = rsp_kernel_number (l, span, most, from),
              result = rsp_kernel_cells_value (l, value.type, value.n);
  for (guint i = 0; i < value.n; i++)
    result.cells[i]
        = extreme (l, span, RSP_OP_MIN,
                   extreme (l, span, RSP_OP_MAX, lane_of (l, value, i, value.type), low), high)
              .cells[0];
  return result;
}

/* ---- Choices ---- */
KernelValue rsp_kernel_choose (KernelLowerer *l, RspSpan span, KernelValue condition,
                               KernelValue yes, KernelValue no) {
  KernelValue result = rsp_kernel_cells_value (l, yes.type, MIN (yes.n, no.n));
  for (guint i = 0; i < result.n; i++) {
    RspExpr *test = condition.cells[condition.n > i ? i : 0];
    if (condition.type->kind == C_VECTOR)
      test = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_LT, &kernel_int, test,
                              rsp_kernel_constant (l, span, 0, &kernel_long));
    result.cells[i] = rsp_kernel_conditional (l, span, rsp_kernel_leaf (l, yes.type, i), test,
                                              yes.cells[i], no.cells[i]);
  }
  return rsp_kernel_held (l, result, span);
}

KernelValue kernel_any (KernelLowerer *l, const CExpr *call, KernelValue value) {
  RspOperator op = strcmp (call->a->name, "all") == 0 ? RSP_OP_AND : RSP_OP_OR;
  RspExpr *result = NULL;
  guint n = value.type->kind == C_VECTOR ? value.type->lanes : value.n;
  for (guint i = 0; i < n; i++) {
    RspExpr *negative
        = rsp_kernel_node (l, call->span, RSP_EXPR_BINARY, RSP_OP_LT, &kernel_int, value.cells[i],
                           rsp_kernel_constant (l, call->span, 0, &kernel_long));
    result = result ? rsp_kernel_node (l, call->span, RSP_EXPR_BINARY, op, &kernel_int, result,
                                       negative)
                    : negative;
  }
  return result ? rsp_kernel_scalar (l, result, &kernel_int)
                : rsp_kernel_dummy (l, call->span, &kernel_int);
}

/* shuffle (v, mask), shuffle2 (v, w, mask): each lane of the mask chooses one of v and w. */
KernelValue kernel_shuffle (KernelLowerer *l, RspSpan span, const KernelValue *arguments, guint n) {
  const KernelValue mask = arguments[n - 1];
  guint each = arguments[0].type->lanes, n_sources = each * (n - 1);
  KernelValue result = rsp_kernel_dummy (
      l, span, rsp_kernel_vector_of (l, arguments[0].type->to, mask.type->lanes));
  for (guint i = 0; i < mask.type->lanes; i++) {
    RspExpr *last
        = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_AND, &kernel_long, mask.cells[i],
                           rsp_kernel_constant (l, span, n_sources - 1, &kernel_long));
    result.cells[i] = arguments[0].cells[0];
    for (guint k = 1; k < n_sources; k++) {
      RspExpr *is_this = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_EQ, &kernel_int, last,
                                          rsp_kernel_constant (l, span, k, &kernel_long));
      result.cells[i]
          = rsp_kernel_conditional (l, span, arguments[0].type->to, is_this,
                                    arguments[k / each].cells[k % each], result.cells[i]);
    }
  }
  return rsp_kernel_held (l, result, span);
}

/* ---- Atomic operations and barriers --------------------------------------------------------- */

/* Those of OpenCL C 2.0 (6.13.11), and those of 1.x, which are relaxed and of device scope. */

typedef struct Atomic {
  CCall base;
  KernelLowerer *l;
  const CType *content; /* of the object */
} Atomic;

/* ---- Arguments ---- */
/* The value of a constant argument: a parameter of an inlined function may be one. */
static gboolean constant_argument (CCall *c, const CExpr *argument, gint64 *number) {
  KernelLowerer *l = ((Atomic *) c)->l;
  const char *word = argument->kind == C_NAME ? argument->name : "";
  gint64 named;
  gboolean known = !*word || rsp_kernel_find_name (l, word) || c_number_of_word (word, &named);
  return rsp_kernel_evaluate (l, argument, number)
         || (known && rsp_kernel_constant_value (l, argument, number));
}

static RspExpr *read_pointer (CCall *c, const CExpr *argument, gboolean is_object) {
  Atomic *a = (Atomic *) c;
  KernelValue pointer = rsp_kernel_value (a->l, argument);
  const CType *content = &kernel_int;
  if (pointer.type->kind == C_POINTER && rsp_kernel_is_scalar (pointer.type->to))
    content = pointer.type->to;
  else if (!a->l->gave_up)
    kernel_error (a->l, argument->span, "did you forget a `&`?",
                  "found an argument of `%s` that is not the address of a scalar", c->call->name);
  if (is_object)
    a->content = content;
  if (a->l->kernel->unit && !content->is_atomic
      && rsp_kernel_size_of (a->l, content, argument->span) > a->l->kernel->unit)
    rsp_kernel_refuse (a->l, argument->span, "give the object an atomic type",
                       "an atomic operation where the kernel accesses smaller parts of memory");
  return pointer.n ? pointer.cells[0] : rsp_kernel_constant (a->l, argument->span, 0, &kernel_size);
}

static RspExpr *read_value (CCall *c, const CExpr *argument) {
  const Atomic *a = (const Atomic *) c;
  return rsp_kernel_to_type (a->l, rsp_kernel_value (a->l, argument), a->content, argument->span)
      .cells[0];
}

/* ---- Calls ---- */
static Atomic new_atomic (KernelLowerer *l) {
  return (Atomic){ .base = { .diagnostics = l->diagnostics,
                             .words = &l->program->words,
                             .pointer = read_pointer,
                             .value = read_value,
                             .constant = constant_argument },
                   .l = l,
                   .content = &kernel_int };
}

static Atomic begin_call (KernelLowerer *l, const CExpr *expr, RspCallKind kind, RspOrder order) {
  Atomic a = new_atomic (l);
  c_begin_call (&a.base, l->arena, expr, kind);
  a.base.call->order = a.base.call->failure = order;
  return a;
}

static const CType *result_type (const Atomic *a) {
  const CType *const types[] = {
    [C_RESULT_NONE] = &kernel_void, [C_RESULT_BOOL] = &kernel_bool, [C_RESULT_CONTENT] = a->content
  };
  return types[c_call_result (a->base.call->kind)];
}

RspExpr *rsp_kernel_call_expr (KernelLowerer *l, RspSpan span, const RspCall *call,
                               const CType *type) {
  RspExpr *expr = rsp_arena_new0 (l->arena, RspExpr, 1);
  expr->kind = RSP_EXPR_CALL;
  expr->span = span;
  expr->type = rsp_kernel_cell_type (type);
  expr->u.call = rsp_arena_copy (l->arena, call, sizeof *call);
  return expr;
}

static RspExpr *call_expr (const Atomic *a, const CType *type) {
  RspExpr *expr = rsp_kernel_call_expr (a->l, a->base.syntax->span, a->base.call, type);
  expr->u.call = a->base.call;
  expr->name = a->base.call->name;
  if (a->l->options->front) {
    const RspKernelFront *front = a->l->options->front;
    const gboolean writes = a->base.call->kind == RSP_CALL_STORE;
    a->base.call->tags = writes ? front->group_writes : front->group_reads;
    a->base.call->reach = front->group_reach;
  }
  return expr;
}

gboolean rsp_kernel_takes_fetch (RspCall *call, const CType *type) {
  if (type->kind != C_FLOAT || call->kind != RSP_CALL_FETCH || call->op == RSP_OP_EXCHANGE)
    return TRUE;
  const RspNumberType own = { .bits = type->bits, .is_float = TRUE }, both[] = { own, own };
  static const char *const names[]
      = { [RSP_OP_ADD] = "+", [RSP_OP_SUB] = "-", [RSP_OP_MIN] = "fmin", [RSP_OP_MAX] = "fmax" };
  const char *name = call->op < G_N_ELEMENTS (names) ? names[call->op] : NULL;
  call->function = rsp_float_function (name ? name : "", own, both, G_N_ELEMENTS (both));
  return call->function != 0;
}

/* Reads the arguments as the form says. Returns the call's value. */
static KernelValue finish_call (Atomic *a, const char *form) {
  const RspCall *call = a->base.call;
  RspSpan span = a->base.syntax->span;
  if (!c_take_arguments (&a->base, form))
    return rsp_kernel_dummy (a->l, span, result_type (a));
  if (!call->value && call->kind == RSP_CALL_FETCH) /* inc and dec */
    a->base.call->value = rsp_kernel_constant (a->l, span, 1, a->content);
  const CType *type = result_type (a);
  c_check_orders (&a->base, RSP_ERROR);
  if (!rsp_kernel_takes_fetch (a->base.call, a->content))
    rsp_kernel_refuse (a->l, span, "use an integer", "`%s` on a floating-point number", call->name);
  if (type->kind != C_VOID)
    return rsp_kernel_scalar (a->l, call_expr (a, type), type);
  rsp_kernel_emit_expr (a->l, call_expr (a, &kernel_void));
  return rsp_kernel_no_value ();
}

/* Work-items wait for each other at the same barrier of the text, in the same calls. */
RspStatement *kernel_emit_barrier (KernelLowerer *l, RspSpan span, guint flags, RspScope scope,
                                   gboolean sub_group) {
  if (flags && !sub_group)
    rsp_kernel_stop (l, span);
  if (!sub_group)
    kernel_log_ends (l, flags, span);
  RspStatement *statement = rsp_kernel_emit (l, RSP_STATEMENT_BARRIER, span);
  statement->flags = flags;
  statement->scope = scope;
  statement->sub_group = sub_group;
  statement->words = l->program->words.around;
  statement->label = kernel_call_path (l, span);
  if (l->options->front && l->options->front->group_meets) {
    statement->barrier = rsp_arena_new0 (l->arena, RspBarrier, 1);
    *statement->barrier
        = (RspBarrier){ .id = statement->label,
                        .tags = l->options->front->group_meets,
                        .whole = !l->site,
                        .name = l->round,
                        .meeting = sub_group ? RSP_LEVEL_SUB_GROUP : RSP_LEVEL_WORK_GROUP };
    if (l->site) { /* orders the values passed on, so that they show who did not come */
      statement->barrier->id = l->site;
      statement->barrier->reach = statement->barrier->meeting;
      statement->barrier->tags |= l->options->front->group_orders;
    }
  }
  return statement;
}

/* The flags of a barrier if they are not constant, else NULL. */
static RspExpr *unknown_flags (Atomic *a) {
  const CExpr *flags = a->base.syntax->args.n ? a->base.syntax->args.items[0] : NULL;
  const CType *type;
  gint64 number;
  const gboolean word = flags && flags->kind == C_NAME && !rsp_kernel_find_name (a->l, flags->name);
  if (!flags || word || flags->kind == C_NUMBER || a->base.syntax->args.n > 1
      || constant_argument (&a->base, flags, &number))
    return NULL;
  RspExpr *value = rsp_kernel_scalar_value (a->l, flags, &type);
  return rsp_kernel_reusable (a->l, value, type);
}

/* Branches to one barrier for each value of the flags' bits from this one on; flags: those before.
 */
static void barrier_by_flags (KernelLowerer *l, RspSpan span, RspExpr *value, guint bit,
                              guint flags, const RspCall *call) {
  static const struct {
    const char *word;
    guint flag;
  } bits[] = { { "CLK_LOCAL_MEM_FENCE", RSP_FENCE_LOCAL },
               { "CLK_GLOBAL_MEM_FENCE", RSP_FENCE_GLOBAL } };
  KernelCode code, *outer;
  gint64 mask = 0;
  if (bit == G_N_ELEMENTS (bits)) {
    kernel_emit_barrier (l, span, flags, call->scope, call->scope == RSP_SCOPE_SUB_GROUP);
    return;
  }
  c_number_of_word (bits[bit].word, &mask);
  RspStatement *choice = rsp_kernel_emit (l, RSP_STATEMENT_IF, span);
  choice->expr = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_AND, &kernel_long, value,
                                  rsp_kernel_constant (l, span, mask, &kernel_long));
  outer = rsp_kernel_begin (l, &code);
  barrier_by_flags (l, span, value, bit + 1, flags | bits[bit].flag, call);
  choice->body = rsp_kernel_end (l, &code, outer, span);
  rsp_kernel_begin (l, &code);
  barrier_by_flags (l, span, value, bit + 1, flags, call);
  choice->otherwise = rsp_kernel_end (l, &code, outer, span);
}

static void barrier (KernelLowerer *l, const CExpr *expr, gboolean sub_group) {
  Atomic a = begin_call (l, expr, RSP_CALL_FENCE, RSP_ORDER_SEQ_CST);
  a.base.call->scope = sub_group ? RSP_SCOPE_SUB_GROUP : RSP_SCOPE_WORK_GROUP;
  RspExpr *flags = unknown_flags (&a);
  if (flags)
    barrier_by_flags (l, expr->span, flags, 0, 0, a.base.call);
  else if (c_take_arguments (&a.base, "m[s]"))
    kernel_emit_barrier (l, expr->span, a.base.call->flags, a.base.call->scope, sub_group);
}

/* ---- By name ---- */
typedef enum OldKind { FETCH, COMPARE, FENCE, BARRIER, SUB_GROUP_BARRIER } OldKind;

/* Those of OpenCL C 1.x, and barriers. */
static const struct {
  const char *name;
  OldKind kind;
  RspOperator op;
  RspOrder order;
  const char *form;
} old_calls[] = {
#define OLD_CALL(name, kind, op, order, form) { name, kind, RSP_OP_##op, RSP_ORDER_##order, form },
#include "parser/litmus/words.def"
};

static KernelValue old_call (KernelLowerer *l, const CExpr *expr, gsize row) {
  Atomic a;
  switch (old_calls[row].kind) {
  case FETCH:
    a = begin_call (l, expr, RSP_CALL_FETCH, old_calls[row].order);
    a.base.call->op = old_calls[row].op;
    return finish_call (&a, old_calls[row].form);
  case COMPARE: {
    /* atomic_cmpxchg (p, expected, desired): the old value, which is what a compare-exchange leaves
     * in *expected either way. */
    a = begin_call (l, expr, RSP_CALL_CAS, RSP_ORDER_RELAXED);
    if (!c_take_arguments (&a.base, "pcv"))
      return rsp_kernel_dummy (l, expr->span, &kernel_int);
    const KernelPlace place = rsp_kernel_stored (
        l, rsp_kernel_scalar (l, a.base.call->expected, a.content), expr->span);
    a.base.call->expected = rsp_kernel_address (l, place, expr->span);
    rsp_kernel_emit_expr (l, call_expr (&a, &kernel_bool));
    return rsp_kernel_load (l, place, expr->span);
  }
  case FENCE:
    a = begin_call (l, expr, RSP_CALL_FENCE, old_calls[row].order);
    a.base.call->scope = RSP_SCOPE_WORK_GROUP;
    return finish_call (&a, old_calls[row].form);
  case BARRIER:
  case SUB_GROUP_BARRIER:
    barrier (l, expr, old_calls[row].kind == SUB_GROUP_BARRIER);
  }
  return rsp_kernel_no_value ();
}

gboolean kernel_atomic (KernelLowerer *l, const CExpr *expr, KernelValue *value) {
  const char *name = expr->a->name, *form;
  g_autofree char *full = g_str_has_prefix (name, "atom_") ? g_strconcat ("atomic_", name + 5, NULL)
                                                           : g_strdup (name);
  Atomic a = new_atomic (l);
  for (gsize i = 0; i < G_N_ELEMENTS (old_calls); i++)
    if (strcmp (full, old_calls[i].name) == 0) {
      *value = old_call (l, expr, i);
      return TRUE;
    }
  if (!g_str_has_prefix (name, "atomic_") || !c_begin_operation (&a.base, l->arena, expr, &form)
      || a.base.call->kind == RSP_CALL_REDUCE || a.base.call->kind == RSP_CALL_UNLESS)
    return FALSE;
  *value = finish_call (&a, form);
  return TRUE;
}
