#include "machine/dsom/plan/evaluate.h"
#include "parser/arithmetic.h"

typedef struct Run {
  DsomMemory *memory;
  gint64 variables[RSP_AFFINE_VARIABLES];
} Run;

/* ---- Elements ---- */

DsomValue dsom_element_load (const RspDsomBuffer *buffer, guint element, const DsomByte *bytes) {
  DsomValue value = { 0, FALSE };
  guint64 bits = 0;
  const DsomByte *first = bytes + buffer->first + (gsize) element * buffer->element;
  for (guint i = 0; i < buffer->element; i++) {
    value.garbage |= first[i] == DSOM_GARBAGE;
    bits |= (guint64) (first[i] & 0xff) << (8 * i);
  }
  guint unused = 64 - 8 * buffer->element;
  if (!value.garbage)
    value.value = buffer->element == 1 ? (gint64) bits : (gint64) (bits << unused) >> unused;
  return value;
}

void dsom_element_store (const RspDsomBuffer *buffer, guint element, DsomByte *bytes,
                         DsomValue value) {
  DsomByte *first = bytes + buffer->first + (gsize) element * buffer->element;
  for (guint i = 0; i < buffer->element; i++)
    first[i] = value.garbage ? DSOM_GARBAGE : (DsomByte) ((guint64) value.value >> (8 * i) & 0xff);
}

/* Records the access to the element's bytes. */
static void use_element (Run *run, const RspDsomExpr *expr, const RspDsomBuffer *buffer,
                         guint element, guint use) {
  DsomMemory *memory = run->memory;
  guint first = buffer->first + (gsize) element * buffer->element;
  for (guint byte = first; byte < first + buffer->element; byte++) {
    if (use == DSOM_READ && memory->byte_uses[byte] & DSOM_WRITTEN)
      continue;
    memory->byte_uses[byte] |= use;
    if (!memory->allowed || memory->undeclared || memory->allowed[byte] & use)
      continue;
    memory->undeclared = TRUE;
    memory->undeclared_use = use;
    memory->undeclared_at = expr->span;
  }
}

static void fail (Run *run, DsomFault fault, RspSpan where) {
  if (run->memory->fault != DSOM_FINE)
    return;
  run->memory->fault = fault;
  run->memory->where = where;
}

/* ---- Expressions ---- */

static DsomValue evaluate (Run *run, const RspDsomExpr *expr);

/* The buffer of an element and the element's number; FALSE after a fault. */
static gboolean find_element (Run *run, const RspDsomExpr *expr, guint *element) {
  const RspDsomBuffer *buffer = &run->memory->program->buffers[expr->index];
  DsomValue index = evaluate (run, expr->a);
  if (run->memory->fault != DSOM_FINE)
    return FALSE;
  *element = (guint) index.value;
  if (!index.garbage && index.value >= 0 && index.value < buffer->n)
    return TRUE;
  fail (run, index.garbage ? DSOM_WILD : DSOM_OUTSIDE, expr->span);
  return FALSE;
}

static DsomValue load_element (Run *run, const RspDsomExpr *expr) {
  guint element;
  const RspDsomBuffer *buffer = &run->memory->program->buffers[expr->index];
  if (!find_element (run, expr, &element))
    return (DsomValue){ 0, TRUE };
  use_element (run, expr, buffer, element, DSOM_READ);
  return dsom_element_load (buffer, element, run->memory->bytes);
}

/* On the 64 bits that all values have. The divisor is not 0. */
static gint64 apply (RspOperator op, gint64 a, gint64 b) {
  gint64 result = 0;
  switch (op) {
  case RSP_OP_NEGATE:
  case RSP_OP_COMPLEMENT:
    return rsp_fold_unary (op, a, 64, TRUE);
  case RSP_OP_LOGICAL_NOT:
    return !a;
  default:
    rsp_fold_binary (op, a, b, 64, TRUE, &result);
    return result;
  }
}

/* && and ||: b is evaluated only if a does not decide. */
static DsomValue evaluate_logical (Run *run, const RspDsomExpr *expr) {
  gboolean is_and = expr->op == RSP_OP_LOGICAL_AND;
  DsomValue a = evaluate (run, expr->a);
  if (a.garbage)
    fail (run, DSOM_WILD, expr->a->span);
  if (a.garbage || (a.value == 0) == is_and)
    return (DsomValue){ !is_and, a.garbage };
  DsomValue b = evaluate (run, expr->b);
  return (DsomValue){ b.value != 0, b.garbage };
}

static DsomValue evaluate_operation (Run *run, const RspDsomExpr *expr) {
  if (expr->op == RSP_OP_LOGICAL_AND || expr->op == RSP_OP_LOGICAL_OR)
    return evaluate_logical (run, expr);
  DsomValue a = evaluate (run, expr->a), b = { 0, FALSE };
  if (expr->b)
    b = evaluate (run, expr->b);
  gboolean divides = expr->op == RSP_OP_DIV || expr->op == RSP_OP_MOD;
  if (divides && (b.garbage || b.value == 0))
    fail (run, b.garbage ? DSOM_WILD : DSOM_DIVISION, expr->span);
  if (a.garbage || b.garbage || run->memory->fault != DSOM_FINE)
    return (DsomValue){ 0, TRUE };
  return (DsomValue){ apply (expr->op, a.value, b.value), FALSE };
}

static DsomValue load_register (Run *run, guint reg) {
  guint8 *uses = &run->memory->register_uses[reg];
  if (!(*uses & DSOM_WRITTEN))
    *uses |= DSOM_READ;
  return run->memory->registers[reg];
}

static DsomValue evaluate (Run *run, const RspDsomExpr *expr) {
  switch (expr->kind) {
  case RSP_DSOM_CONSTANT:
    return (DsomValue){ expr->constant, FALSE };
  case RSP_DSOM_REGISTER:
    return load_register (run, expr->index);
  case RSP_DSOM_VARIABLE:
    return (DsomValue){ run->variables[expr->index], FALSE };
  case RSP_DSOM_ELEMENT:
    return load_element (run, expr);
  default:
    return evaluate_operation (run, expr);
  }
}

/* ---- Statements ---- */

static void execute (Run *run, const RspDsomStatement *first);

static void assign (Run *run, const RspDsomStatement *statement) {
  DsomMemory *memory = run->memory;
  const RspDsomExpr *target = statement->target;
  DsomValue value = evaluate (run, statement->value);
  guint element;
  if (memory->fault != DSOM_FINE)
    return;
  if (target->kind == RSP_DSOM_REGISTER) {
    memory->register_uses[target->index] |= DSOM_WRITTEN;
    memory->registers[target->index] = value;
  } else if (find_element (run, target, &element)) {
    const RspDsomBuffer *buffer = &memory->program->buffers[target->index];
    use_element (run, target, buffer, element, DSOM_WRITTEN);
    dsom_element_store (buffer, element, memory->bytes, value);
  }
}

static void branch (Run *run, const RspDsomStatement *statement) {
  DsomValue condition = evaluate (run, statement->value);
  if (condition.garbage)
    fail (run, DSOM_WILD, statement->value->span);
  else
    execute (run, condition.value ? statement->body : statement->otherwise);
}

static void loop (Run *run, const RspDsomStatement *statement, const RspDsomVariable *variable,
                  guint depth) {
  if (!variable) {
    execute (run, statement->body);
    return;
  }
  for (gint64 i = variable->low; i <= variable->high && run->memory->fault == DSOM_FINE; i++) {
    run->variables[depth] = i;
    loop (run, statement, variable->next, depth + 1);
  }
}

static void execute (Run *run, const RspDsomStatement *first) {
  for (const RspDsomStatement *s = first; s && run->memory->fault == DSOM_FINE; s = s->next)
    if (s->kind == RSP_DSOM_ASSIGN)
      assign (run, s);
    else if (s->kind == RSP_DSOM_IF)
      branch (run, s);
    else if (s->kind == RSP_DSOM_FOR)
      loop (run, s, s->variables, s->depth);
    else
      execute (run, s->body);
}

void dsom_evaluate (const RspDsomKernel *kernel, DsomMemory *memory) {
  Run run = { .memory = memory };
  execute (&run, kernel->body);
}
