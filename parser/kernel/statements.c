/* Statements of kernels, and calls, which are inlined. */
#include "parser/kernel/internal.h"

#include <string.h>

static void lower (KernelLowerer *l, const CStatement *statement);

/* ---- Declarations ---- */
static gboolean is_declared (const KernelLowerer *l, const char *name) {
  for (guint i = l->scope; i < l->bindings->len; i++)
    if (strcmp (g_array_index (l->bindings, KernelBinding, i).name, name) == 0)
      return TRUE;
  return FALSE;
}

/* Binds a `const` integer with a constant value to it, so that sizes of arrays may depend on it,
 * unless its address is taken. */
static gboolean declare_constant (KernelLowerer *l, const CVariable *variable) {
  gint64 value;
  const CType *type = variable->type;
  if (!type->is_const || type->kind != C_INTEGER || type->is_atomic || !variable->initial
      || kernel_assigns (l->frame->function->body, variable->name)
      || kernel_mentions (variable->initial, variable->name)
      || !rsp_kernel_evaluate (l, variable->initial, &value))
    return FALSE;
  RspExpr *constant = rsp_kernel_constant (l, variable->span, rsp_kernel_wrap (value, type), type);
  rsp_kernel_bind (l, variable->name, (KernelPlace){ .type = type, .address = constant }, TRUE);
  return TRUE;
}

static void declare (KernelLowerer *l, const CVariable *variable) {
  if (variable->is_typedef || !variable->name || variable->type->kind == C_FUNCTION)
    return;
  if (is_declared (l, variable->name))
    kernel_error (l, variable->span, NULL, "`%s` is declared twice in this block", variable->name);
  if (variable->is_enumerator) {
    rsp_kernel_bind_enumerator (l, variable);
    return;
  }
  if (variable->type->space == RSP_SPACE_LOCAL) {
    if (variable->initial)
      rsp_kernel_refuse (l, variable->span, "assign to it, and add a barrier",
                         "an initialised variable in local memory");
    const KernelPlace object = rsp_kernel_local_object (l, variable);
    rsp_kernel_bind (l, variable->name, object, FALSE);
    kernel_log_begins (l, object, variable->span);
    return;
  }
  if (declare_constant (l, variable))
    return;
  const CType *type = rsp_kernel_completed (l, variable);
  guint first = rsp_kernel_add_variable (
      l, variable->name, type, !l->options->lenient,
      kernel_addresses (l->frame->function->body, variable->name), variable->span);
  KernelPlace place = rsp_kernel_registers (type, first);
  gboolean own = kernel_mentions (variable->initial, variable->name);
  if (own) /* then the name means the variable itself, which has no value yet */
    rsp_kernel_bind (l, variable->name, place, FALSE);
  if ((own || !variable->initial) && !l->options->lenient)
    for (guint i = first; i < l->registers->len; i++)
      rsp_kernel_emit (l, RSP_STATEMENT_DECLARATION, variable->span)->reg = i;
  if (variable->initial)
    rsp_kernel_initialise (l, place, variable->initial);
  if (!own)
    rsp_kernel_bind (l, variable->name, place, FALSE);
}

/* ---- Blocks ---- */
static RspStatement *lower_body (KernelLowerer *l, const CStatement *statement) {
  KernelCode code;
  guint n = l->bindings->len;
  KernelCode *outer = rsp_kernel_begin (l, &code);
  if (statement)
    lower (l, statement);
  g_array_set_size (l->bindings, n);
  return rsp_kernel_end (l, &code, outer, statement ? statement->span : RSP_NOWHERE);
}

static void lower_if (KernelLowerer *l, const CStatement *statement) {
  const CType *type;
  RspExpr *condition = rsp_kernel_scalar_value (l, statement->expr, &type);
  RspStatement *own = rsp_kernel_emit (l, RSP_STATEMENT_IF, statement->span);
  own->expr = condition;
  own->body = lower_body (l, statement->body);
  if (statement->otherwise)
    own->otherwise = lower_body (l, statement->otherwise);
}

static void lower_loop (KernelLowerer *l, const CStatement *statement) {
  static const RspStatementKind kinds[]
      = { [C_WHILE] = RSP_STATEMENT_WHILE, [C_DO] = RSP_STATEMENT_DO, [C_FOR] = RSP_STATEMENT_FOR };
  guint n = l->bindings->len, scope = l->scope;
  l->scope = n;
  if (statement->init)
    lower (l, statement->init);
  RspStatement *own = rsp_kernel_emit (l, kinds[statement->kind], statement->span);
  l->at_head = TRUE;
  own->expr = statement->expr ? rsp_kernel_condition (l, statement->expr) : NULL;
  l->n_loops++;
  l->n_leavable++;
  own->body = lower_body (l, statement->body);
  l->n_loops--;
  l->n_leavable--;
  l->at_head = FALSE;
  own->step = kernel_effect_expr (l, statement->step);
  g_array_set_size (l->bindings, n);
  l->scope = scope;
}

/* The values of a label: `case 1:` or, an extension that compilers have, `case 1 ... 3:`. Of an
 * unsigned type, they are kept with the sign bit flipped, in which order they are compared as
 * signed ones. */
typedef struct Range {
  gint64 first, last;
} Range;

static RspExpr *label_bound (KernelLowerer *l, const CExpr *expr, const CType *type,
                             gint64 *value) {
  if (!rsp_kernel_evaluate (l, expr, value))
    rsp_kernel_refuse (l, expr->span, NULL, "a `case` that is not a constant");
  *value = rsp_kernel_wrap (*value, type);
  RspExpr *constant = rsp_kernel_constant (l, expr->span, *value, type);
  if (!type->is_signed)
    *value ^= G_MININT64;
  return constant;
}

/* type: of the value that is compared. */
static void lower_case (KernelLowerer *l, const CStatement *statement, const CType *type,
                        GArray *ranges, gboolean *has_default) {
  Range range = { 0, 0 };
  RspStatement *own = rsp_kernel_emit (l, RSP_STATEMENT_CASE, statement->span);
  if (!statement->expr) {
    if (*has_default)
      kernel_error (l, statement->span, NULL, "this `switch` has a `default` already");
    *has_default = TRUE;
    return;
  }
  own->expr = label_bound (l, statement->expr, type, &range.first);
  range.last = range.first;
  if (statement->step)
    own->step = label_bound (l, statement->step, type, &range.last);
  for (guint i = 0; i < ranges->len; i++) {
    const Range *other = &g_array_index (ranges, Range, i);
    if (range.first <= other->last && other->first <= range.last)
      kernel_error (l, statement->span, NULL, "this `switch` has a `case` of this value already");
  }
  if (range.first > range.last)
    kernel_error (l, statement->span, "write the smaller number first", "this range is empty");
  g_array_append_val (ranges, range);
}

static void lower_switch (KernelLowerer *l, const CStatement *statement) {
  const CType *type;
  RspExpr *value = rsp_kernel_scalar_value (l, statement->expr, &type);
  RspStatement *own = rsp_kernel_emit (l, RSP_STATEMENT_SWITCH, statement->span);
  KernelCode code;
  guint n = l->bindings->len, scope = l->scope;
  own->expr = rsp_kernel_convert (l, value, type, rsp_kernel_promoted (type));
  type = rsp_kernel_promoted (type);
  KernelCode *outer = rsp_kernel_begin (l, &code);
  l->scope = n;
  l->n_leavable++;
  if (statement->body->kind == C_BLOCK) {
    /* The labels of a `switch` are statements of its block. */
    gboolean has_default = FALSE;
    g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (Range));
    for (guint i = 0; i < statement->body->list.n && !l->gave_up; i++) {
      const CStatement *inner = statement->body->list.items[i];
      if (inner->kind == C_CASE)
        lower_case (l, inner, type, ranges, &has_default);
      else
        lower (l, inner);
    }
  } else
    lower (l, statement->body);
  l->n_leavable--;
  l->scope = scope;
  g_array_set_size (l->bindings, n);
  own->body = rsp_kernel_end (l, &code, outer, statement->span);
}

/* `break` or `continue`; n: how many statements around it it could leave. */
static void lower_leave (KernelLowerer *l, const CStatement *statement, RspStatementKind kind,
                         guint n) {
  if (!n)
    kernel_error (l, statement->span, NULL, "there is no loop around this `%s`",
                  kind == RSP_STATEMENT_BREAK ? "break" : "continue");
  rsp_kernel_emit (l, kind, statement->span);
}

/* ---- Jumps ---- */
/* The statements of a list that a `goto` to a label in it leaves: those before the label, or those
 * from it on, as a loop whose next round it begins. */
typedef struct KernelRegion {
  guint begin, end; /* in the list */
  const char *label;
  gboolean is_loop;
  RspStatement *statement;
  const struct KernelRegion *outer;
} KernelRegion;

static void add_region (GArray *regions, LitmusList list, guint label, gboolean is_loop) {
  KernelRegion own = { .begin = label,
                       .end = label,
                       .label = ((const CStatement *) list.items[label])->label,
                       .is_loop = is_loop };
  for (guint i = is_loop ? label : 0; i < (is_loop ? list.n : label); i++)
    if (kernel_jumps (list.items[i], own.label)) {
      own.begin = MIN (own.begin, i);
      own.end = MAX (own.end, i + is_loop);
    }
  if (own.begin < own.end)
    g_array_append_val (regions, own);
}

/* Widens the regions until any two are nested or disjoint. FALSE: a `goto` leads into a loop. */
static gboolean nest_regions (GArray *regions) {
  gboolean changed;
  do {
    changed = FALSE;
    for (guint i = 0; i < regions->len; i++)
      for (guint k = 0; k < regions->len; k++) {
        KernelRegion *a = &g_array_index (regions, KernelRegion, i),
                     *b = &g_array_index (regions, KernelRegion, k);
        if (a->begin >= b->begin || b->begin >= a->end || a->end >= b->end)
          continue;
        if (b->is_loop && !a->is_loop)
          return FALSE;
        if (b->is_loop)
          a->end = b->end;
        else
          b->begin = a->begin;
        changed = TRUE;
      }
  } while (changed);
  return TRUE;
}

/* Outer ones first. */
static int compare_regions (gconstpointer x, gconstpointer y) {
  const KernelRegion *a = x, *b = y;
  return a->begin != b->begin ? (int) a->begin - (int) b->begin : (int) b->end - (int) a->end;
}

/* Lowers the statements up to `end`; *next is the first region that has not begun. */
static guint lower_span (KernelLowerer *l, LitmusList list, guint i, guint end, GArray *regions,
                         guint *next) {
  while (i < end && !l->gave_up) {
    KernelRegion *own = *next < regions->len ? &g_array_index (regions, KernelRegion, *next) : NULL;
    if (!own || own->begin != i) {
      lower (l, list.items[i++]);
      continue;
    }
    const RspSpan span = ((const CStatement *) list.items[i])->span;
    KernelCode code;
    ++*next;
    own->statement
        = rsp_kernel_emit (l, own->is_loop ? RSP_STATEMENT_FOR : RSP_STATEMENT_FRAME, span);
    own->statement->label = own->label;
    own->outer = l->regions;
    l->regions = own;
    KernelCode *outer = rsp_kernel_begin (l, &code);
    i = lower_span (l, list, i, own->end, regions, next);
    own->statement->body = rsp_kernel_end (l, &code, outer, span);
    l->regions = own->outer;
  }
  return i;
}

static void lower_list (KernelLowerer *l, LitmusList list) {
  g_autoptr (GArray) regions = g_array_new (FALSE, FALSE, sizeof (KernelRegion));
  guint next = 0;
  for (guint i = 0; i < list.n; i++)
    if (((const CStatement *) list.items[i])->label) {
      add_region (regions, list, i, FALSE);
      add_region (regions, list, i, TRUE);
    }
  if (!nest_regions (regions))
    rsp_kernel_refuse (l, ((const CStatement *) list.items[0])->span, "write a loop",
                       "a `goto` into the loop that another one makes");
  g_array_sort (regions, compare_regions);
  lower_span (l, list, 0, list.n, regions, &next);
}

static void lower_goto (KernelLowerer *l, const CStatement *statement) {
  const KernelRegion *region = l->regions;
  while (region && strcmp (region->label, statement->expr->name) != 0)
    region = region->outer;
  if (region)
    rsp_kernel_emit (l, RSP_STATEMENT_LEAVE, statement->span)->target = region->statement;
  else
    kernel_error (l, statement->span, "a `goto` leads to a label in a block around it",
                  "the blocks around this `goto` have no label `%s`", statement->expr->name);
}

static void lower_return (KernelLowerer *l, const CStatement *statement) {
  const CType *type = l->frame->function->result;
  if (statement->expr && type->kind != C_VOID) {
    KernelValue value = rsp_kernel_to_type (l, rsp_kernel_value (l, statement->expr), type,
                                            statement->expr->span);
    rsp_kernel_store (l, rsp_kernel_registers (type, l->frame->result), value, statement->span);
  } else if (statement->expr)
    rsp_kernel_effect (l, statement->expr);
  rsp_kernel_emit (l, RSP_STATEMENT_RETURN, statement->span);
}

/* Is it a declaration, a block or an annotation? */
static gboolean is_no_code (const CStatement *statement) {
  const CExpr *expr = statement->expr;
  return statement->kind == C_DECLARATION || statement->kind == C_BLOCK
         || (expr && expr->kind == C_CALL && expr->a->kind == C_NAME
             && g_str_has_prefix (expr->a->name, "__"));
}

static void lower_unmarked (KernelLowerer *l, const CStatement *statement) {
  if (l->depth >= KERNEL_MAX_DEPTH)
    rsp_kernel_refuse (l, statement->span, NULL, "statements nested more than %d deep",
                       KERNEL_MAX_DEPTH);
  if (l->gave_up)
    return;
  l->depth++;
  guint n = l->bindings->len, scope = l->scope;
  l->at_head = statement->label || (l->at_head && is_no_code (statement));
  switch (statement->kind) {
  case C_EXPRESSION:
    if (statement->expr)
      rsp_kernel_effect (l, statement->expr);
    break;
  case C_DECLARATION:
    for (guint i = 0; i < statement->list.n; i++)
      declare (l, statement->list.items[i]);
    break;
  case C_BLOCK:
    l->scope = n;
    lower_list (l, statement->list);
    g_array_set_size (l->bindings, n);
    l->scope = scope;
    break;
  case C_IF:
    lower_if (l, statement);
    break;
  case C_WHILE:
  case C_DO:
  case C_FOR:
    lower_loop (l, statement);
    break;
  case C_SWITCH:
    lower_switch (l, statement);
    break;
  case C_CASE:
    rsp_kernel_refuse (l, statement->span, "end the inner block before it",
                       "a `case` that is not directly in its `switch`");
    break;
  case C_BREAK:
    lower_leave (l, statement, RSP_STATEMENT_BREAK, l->n_leavable);
    break;
  case C_CONTINUE:
    lower_leave (l, statement, RSP_STATEMENT_CONTINUE, l->n_loops);
    break;
  case C_GOTO:
    lower_goto (l, statement);
    break;
  case C_RETURN:
    lower_return (l, statement);
    break;
  }
  l->depth--;
}

static void lower (KernelLowerer *l, const CStatement *statement) {
  CAround around = c_begin_words (l->program, statement, l->diagnostics);
  lower_unmarked (l, statement);
  c_end_words (l->program, statement, around, l->diagnostics);
}

/* ---- Annotations ---- */
void rsp_kernel_annotate (KernelLowerer *l, const CExpr *call, gboolean asserts) {
  const CType *type;
  RspExpr *condition = rsp_kernel_scalar_value (l, call->args.items[0], &type);
  if (!asserts) {
    rsp_kernel_emit (l, RSP_STATEMENT_ASSUME, call->span)->expr = condition;
    return;
  }
  RspKernelAssert own = { .thread = l->thread, .span = call->span };
  const char *name = rsp_arena_printf (l->arena, "assert%06u", l->asserts->len);
  own.reg = rsp_kernel_add_registers (l, name, &kernel_bool, FALSE, call->span);
  g_array_append_val (l->asserts, own);
  RspExpr *failed = rsp_kernel_node (l, call->span, RSP_EXPR_UNARY, RSP_OP_LOGICAL_NOT, &kernel_int,
                                     condition, NULL);
  RspExpr *reg = rsp_kernel_register (l, call->span, own.reg);
  if (kernel_has_any (l) || l->calls
      || l->is_open) { /* then e may be unknown, and either branch is taken */
    KernelCode code, *outer;
    RspStatement *branch = rsp_kernel_emit (l, RSP_STATEMENT_IF, call->span);
    branch->expr = failed;
    outer = rsp_kernel_begin (l, &code);
    failed = rsp_kernel_constant (l, call->span, 1, &kernel_bool);
    rsp_kernel_emit_expr (l, rsp_kernel_node (l, call->span, RSP_EXPR_ASSIGN, RSP_OP_NONE,
                                              &kernel_bool, reg, failed));
    branch->body = rsp_kernel_end (l, &code, outer, call->span);
  } else
    rsp_kernel_emit_expr (
        l, rsp_kernel_node (l, call->span, RSP_EXPR_ASSIGN, RSP_OP_OR, &kernel_bool, reg, failed));
  if (l->options->asserts_fail)
    rsp_kernel_emit (l, RSP_STATEMENT_ASSERT, call->span)->expr
        = rsp_kernel_node (l, call->span, RSP_EXPR_UNARY, RSP_OP_LOGICAL_NOT, &kernel_int,
                           rsp_kernel_register (l, call->span, own.reg), NULL);
}

/* ---- Calls ---- */
/* Frame 0, of initialisers and of assertions about memory at the end, is not a call. */
static gboolean is_recursive (const KernelLowerer *l, const CFunction *function) {
  for (const KernelFrame *frame = l->frame; frame && frame->number; frame = frame->caller)
    if (frame->function == function)
      return TRUE;
  return FALSE;
}

/* Does the address stay what it is during the call? */
static gboolean is_fixed (const RspExpr *expr) {
  switch (expr->kind) {
  case RSP_EXPR_CONSTANT:
  case RSP_EXPR_LOCATION:
    return TRUE;
  case RSP_EXPR_ADDRESS:
    return expr->u.node.a->kind == RSP_EXPR_REGISTER;
  case RSP_EXPR_BINARY:
    return is_fixed (expr->u.node.a) && is_fixed (expr->u.node.b);
  default:
    return FALSE;
  }
}

/* Binds a parameter to its argument: directly to an address or constant, if nothing assigns to the
 * parameter. */
static void bind_parameter (KernelLowerer *l, const CFunction *function, const CVariable *parameter,
                            KernelValue value) {
  if (!parameter->name)
    return;
  const CType *type = kernel_decayed (l, parameter->type);
  gboolean integer = type->kind == C_INTEGER && value.type->kind == C_INTEGER;
  if (integer)
    value = rsp_kernel_to_type (l, value, type, parameter->span);
  if (value.n == 1
      && ((type->kind == C_POINTER && is_fixed (value.cells[0]))
          || ((integer || type->kind == C_OPAQUE) && value.cells[0]->kind == RSP_EXPR_CONSTANT))
      && !kernel_assigns (function->body, parameter->name)) {
    rsp_kernel_bind (l, parameter->name, (KernelPlace){ .type = type, .address = value.cells[0] },
                     TRUE);
    if (type->kind == C_POINTER && !l->frame->caller)
      kernel_log_begins (l, (KernelPlace){ .type = type->to, .address = value.cells[0] },
                         parameter->span);
    return;
  }
  KernelPlace place = rsp_kernel_registers (
      type, rsp_kernel_add_variable (l, parameter->name, type, FALSE,
                                     kernel_addresses (function->body, parameter->name),
                                     parameter->span));
  rsp_kernel_store (l, place, rsp_kernel_to_type (l, value, type, parameter->span),
                    parameter->span);
  rsp_kernel_bind (l, parameter->name, place, FALSE);
}

const char *kernel_call_path (KernelLowerer *l, RspSpan span) {
  guint line, column;
  rsp_source_position (span.source, span.begin, &line, &column);
  return rsp_arena_printf (l->arena, "%u:%u%s", line, column, l->frame->place);
}

KernelValue rsp_kernel_inline (KernelLowerer *l, const CExpr *expr, const CFunction *function,
                               const KernelValue *arguments) {
  gboolean has_result = function->result->kind != C_VOID;
  g_autoptr (GPtrArray) ensures = g_ptr_array_new ();
  KernelFrame frame
      = { .function = function,
          .number = ++l->n_frames,
          .caller = l->frame,
          .ensures = ensures,
          .place = rsp_arena_printf (l->arena, " in %s", kernel_call_path (l, expr->span)) };
  guint n = l->bindings->len, n_loops = l->n_loops, n_leavable = l->n_leavable;
  const KernelRegion *regions = l->regions;
  if (has_result)
    frame.result = rsp_kernel_add_registers (l, function->name, function->result,
                                             !l->options->lenient, expr->span);
  l->frame = &frame;
  for (guint i = 0; i < function->parameters.n; i++)
    bind_parameter (l, function, function->parameters.items[i], arguments[i]);
  RspStatement *own = rsp_kernel_emit (l, RSP_STATEMENT_FRAME, expr->span);
  l->n_loops = l->n_leavable = 0;
  l->regions = NULL;
  own->body = lower_body (l, function->body);
  l->regions = regions;
  l->n_loops = n_loops;
  l->n_leavable = n_leavable;
  kernel_check_ensures (l);
  l->frame = frame.caller;
  g_array_set_size (l->bindings, n);
  return has_result ? rsp_kernel_load (l, rsp_kernel_registers (function->result, frame.result),
                                       expr->span)
                    : rsp_kernel_no_value ();
}

KernelValue kernel_call (KernelLowerer *l, const CExpr *expr, const CFunction *function) {
  const LitmusList parameters = function->parameters;
  KernelValue *arguments = rsp_arena_new0 (l->arena, KernelValue, parameters.n);
  if (is_recursive (l, function))
    rsp_kernel_refuse (l, expr->span, "write a loop", "recursion: `%s` calls itself",
                       function->name);
  else if (parameters.n != expr->args.n)
    kernel_error (l, expr->span, NULL, "found %u argument%s of `%s`, expected %u", expr->args.n,
                  expr->args.n == 1 ? "" : "s", function->name, parameters.n);
  if (l->gave_up || parameters.n != expr->args.n)
    return rsp_kernel_dummy (l, expr->span, function->result);
  for (guint i = 0; i < parameters.n; i++) {
    arguments[i] = rsp_kernel_value (l, expr->args.items[i]);
    if (arguments[i].n != 1 || !is_fixed (arguments[i].cells[0]))
      arguments[i] = rsp_kernel_held (l, arguments[i], expr->span);
  }
  return rsp_kernel_inline (l, expr, function, arguments);
}

/* Each call has a value of its own, so the work-item and a count of its calls are arguments. */
KernelValue kernel_unknown_call (KernelLowerer *l, const CExpr *expr, const CVariable *function) {
  const CType *type = function->type->to;
  if (g_str_has_prefix (function->name, "__uninterpreted_function_"))
    return kernel_uninterpreted (l, expr, function->name, type);
  if (!g_hash_table_contains (l->built_in, function->name)) {
    g_hash_table_insert (l->built_in, g_strdup (function->name), NULL);
    rsp_warning (l->diagnostics, expr->span, "write its definition into the file",
                 "`%s` has no body here: its calls have no effect%s", function->name,
                 type->kind == C_VOID ? "" : ", and they return any value");
  }
  for (guint i = 0; i < expr->args.n; i++)
    rsp_kernel_effect (l, expr->args.items[i]);
  KernelValue value = rsp_kernel_dummy (l, expr->span, type);
  if (!value.n)
    return value;
  if (!l->calls)
    l->calls = 1 + rsp_kernel_add_registers (l, "", &kernel_int, FALSE, expr->span);
  g_string_append_printf (l->identity, "calls of %u;", l->thread);
  RspExpr *count = rsp_kernel_register (l, expr->span, l->calls - 1);
  rsp_kernel_emit_expr (
      l, rsp_kernel_node (l, expr->span, RSP_EXPR_STEP, RSP_OP_ADD, &kernel_int, count, NULL));
  for (guint i = 0; i < value.n; i++) {
    RspExpr *arguments[] = { rsp_kernel_constant (l, expr->span, l->thread, &kernel_int), count,
                             rsp_kernel_constant (l, expr->span, i, &kernel_int) };
    value.cells[i] = rsp_kernel_apply (l, expr->span, function->name, rsp_kernel_leaf (l, type, i),
                                       arguments, 3);
  }
  return rsp_kernel_held (l, value, expr->span);
}

/* Assumes what the file's axioms say of functions without a body. */
static void assume_axioms (KernelLowerer *l) {
  const CType *type;
  gint64 value;
  for (guint i = 0; i < l->unit->axioms.n && !l->gave_up; i++) {
    const CExpr *axiom = l->unit->axioms.items[i];
    if (strcmp (axiom->name, "_Static_assert") != 0 && !rsp_kernel_evaluate (l, axiom->a, &value)) {
      RspExpr *condition = rsp_kernel_scalar_value (l, axiom->a, &type);
      rsp_kernel_emit (l, RSP_STATEMENT_ASSUME, axiom->span)->expr = condition;
    }
  }
}

RspStatement *rsp_kernel_thread_body (KernelLowerer *l) {
  g_autoptr (GPtrArray) ensures = g_ptr_array_new ();
  KernelFrame frame
      = { .function = l->entry, .number = ++l->n_frames, .place = "", .ensures = ensures };
  const LitmusList parameters = l->entry->parameters;
  KernelCode code;
  l->frame = &frame;
  KernelCode *outer = rsp_kernel_begin (l, &code);
  if (l->options->lenient)
    l->program->threads[l->thread].spare
        = rsp_kernel_add_registers (l, "", &kernel_long, FALSE, l->entry->span) + 1;
  assume_axioms (l);
  for (guint i = 0; i < parameters.n && !l->gave_up; i++)
    bind_parameter (l, l->entry, parameters.items[i], rsp_kernel_argument (l, parameters.items[i]));
  lower (l, l->entry->body);
  RspStatement *body = rsp_kernel_end (l, &code, outer, l->entry->span);
  if (ensures->len) { /* after each `return` */
    outer = rsp_kernel_begin (l, &code);
    rsp_kernel_emit (l, RSP_STATEMENT_FRAME, l->entry->span)->body = body;
    kernel_check_ensures (l);
    body = rsp_kernel_end (l, &code, outer, l->entry->span);
  }
  l->frame = NULL;
  return body;
}
