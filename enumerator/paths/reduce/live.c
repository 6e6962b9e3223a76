/* Live registers: those that may still be read after a statement, so that states that differ only
 * in others can be merged. The analysis goes backwards over straight-line code; a loop is taken as
 * a whole: registers read anywhere in it, or after it, are live everywhere in it. */
#include "enumerator/paths/reduce/live.h"
#include "enumerator/paths/expression.h"
#include "enumerator/paths/state.h"

#include <string.h>

typedef guint8 Registers; /* one per register of the thread */

static Registers *copy_registers (RspExecutor *x, const Registers *from) {
  return rsp_arena_copy (x->scratch, from, x->thread->n_registers + 1);
}

/* ---- Reads ---- */

static void add_reads (RspExecutor *x, const RspExpr *expr, Registers *reads);
static void add_statement_reads (RspExecutor *x, const RspStatement *statement, Registers *reads,
                                 Registers *live);

/* A register whose address serves only as the place of an access does not escape. */
static void add_place_reads (RspExecutor *x, const RspExpr *place, Registers *reads) {
  gboolean is_register
      = place && place->kind == RSP_EXPR_ADDRESS && place->u.node.a->kind == RSP_EXPR_REGISTER;
  add_reads (x, is_register ? place->u.node.a : place, reads);
}

static void add_call_reads (RspExecutor *x, const RspCall *call, Registers *reads) {
  add_place_reads (x, call->object, reads);
  add_place_reads (x, call->expected, reads);
  add_reads (x, call->value, reads);
}

/* The address of a register leads to all of its array. */
static void add_escape (RspExecutor *x, guint reg) {
  const RspRegister *own = &x->thread->registers[reg];
  for (guint i = 0; i < MAX (own->n_elements, 1); i++)
    x->escapes[reg - own->element + i] = TRUE;
}

static gboolean assigns_register (const RspExpr *expr) {
  return expr->kind == RSP_EXPR_ASSIGN && expr->u.node.op == RSP_OP_NONE
         && expr->u.node.a->kind == RSP_EXPR_REGISTER;
}

/* Adds the registers that an expression may read. Registers whose address it takes escape. */
static void add_reads (RspExecutor *x, const RspExpr *expr, Registers *reads) {
  if (!expr || !executor_enter (x, expr->span)) {
    if (expr)
      executor_leave (x);
    return;
  }
  switch (expr->kind) {
  case RSP_EXPR_CONSTANT:
  case RSP_EXPR_LOCATION:
    break;
  case RSP_EXPR_REGISTER:
    reads[expr->u.reg] = TRUE;
    break;
  case RSP_EXPR_CALL:
    add_call_reads (x, expr->u.call, reads);
    break;
  case RSP_EXPR_BLOCK:
    add_statement_reads (x, expr->u.block.body, reads, x->all_registers);
    add_reads (x, expr->u.block.value, reads);
    break;
  default:
    if (expr->kind == RSP_EXPR_ADDRESS && expr->u.node.a->kind == RSP_EXPR_REGISTER)
      add_escape (x, expr->u.node.a->u.reg);
    if (!assigns_register (expr))
      add_reads (x, expr->u.node.a, reads);
    add_reads (x, expr->u.node.b, reads);
    add_reads (x, expr->u.node.c, reads);
  }
  executor_leave (x);
}

/* Adds the registers that a statement reads itself, without the statements in it. */
static void add_own_reads (RspExecutor *x, const RspStatement *statement, Registers *reads) {
  add_reads (x, statement->expr, reads);
  if (statement->barrier) {
    add_reads (x, statement->barrier->name, reads);
    add_reads (x, statement->barrier->quorum, reads);
  }
}

/* Adds all registers read in a statement, and gives every statement in it the set `live` (unless
 * that is NULL). */
static void add_statement_reads (RspExecutor *x, const RspStatement *statement, Registers *reads,
                                 Registers *live) {
  if (!statement)
    return;
  if (executor_enter (x, statement->span)) {
    if (live)
      g_hash_table_insert (x->live, (gpointer) statement, live);
    add_own_reads (x, statement, reads);
    add_reads (x, statement->step, reads);
    add_statement_reads (x, statement->init, reads, live);
    add_statement_reads (x, statement->body, reads, live);
    add_statement_reads (x, statement->otherwise, reads, live);
    for (const RspStatement *s = statement->first; s; s = s->next)
      add_statement_reads (x, s, reads, live);
  }
  executor_leave (x);
}

/* ---- Liveness ---- */

/* The register that a statement overwrites, whatever else it does; G_MAXUINT: none. */
static guint overwritten (const RspStatement *s) {
  if (s->kind == RSP_STATEMENT_DECLARATION && s->expr)
    return s->reg;
  return s->kind == RSP_STATEMENT_EXPRESSION && s->expr && assigns_register (s->expr)
             ? s->expr->u.node.a->u.reg
             : G_MAXUINT;
}

static Registers *live_before (RspExecutor *x, const RspStatement *statement, Registers *after);

/* Removes what a simple statement certainly overwrites, and adds what it reads. */
static void step_over (RspExecutor *x, const RspStatement *statement, Registers *live) {
  guint killed = overwritten (statement);
  if (killed != G_MAXUINT && !x->observed[killed] && !x->escapes[killed])
    live[killed] = FALSE;
  add_own_reads (x, statement, live);
}

/* Does each state that comes in leave as one state, so that none are ever merged after the
 * statement? */
static gboolean is_straight (const RspExecutor *x, const RspStatement *statement) {
  const RspExpr *expr = statement->expr;
  if (x->gave_up)
    return FALSE;
  if (statement->kind == RSP_STATEMENT_DECLARATION)
    return !expr || expression_is_pure (expr);
  return statement->kind == RSP_STATEMENT_EXPRESSION && expr && assigns_register (expr)
         && expression_is_pure (expr->u.node.b);
}

/* Statements without branches share one set of live registers, which is never used, to save
 * memory. */
static Registers *before_block (RspExecutor *x, const RspStatement *block, Registers *after) {
  GPtrArray *statements = g_ptr_array_new ();
  gboolean own = FALSE; /* is `after` its own, not shared? */
  for (const RspStatement *s = block->first; s; s = s->next)
    g_ptr_array_add (statements, (gpointer) s);
  for (guint i = statements->len; i-- > 0;) {
    const RspStatement *statement = statements->pdata[i];
    if (is_straight (x, statement)) {
      after = own ? after : copy_registers (x, after);
      own = TRUE;
      step_over (x, statement, after);
    } else {
      after = live_before (x, statement, after);
      own = FALSE;
    }
  }
  g_ptr_array_unref (statements);
  return after;
}

static Registers *before_if (RspExecutor *x, const RspStatement *statement, Registers *after) {
  Registers *body = live_before (x, statement->body, after);
  Registers *other = statement->otherwise ? live_before (x, statement->otherwise, after) : after;
  Registers *live = copy_registers (x, body);
  for (guint i = 0; i < x->thread->n_registers; i++)
    live[i] |= other[i];
  add_reads (x, statement->expr, live);
  return live;
}

static gboolean add_registers (const RspExecutor *x, Registers *to, const Registers *from) {
  gboolean changed = FALSE;
  for (guint i = 0; i < x->thread->n_registers; i++)
    if (from[i] && !to[i])
      to[i] = changed = TRUE;
  return changed;
}

/* The registers live before a statement of code, whose live registers after it are recorded. */
static Registers *before_recorded (RspExecutor *x, const RspStatement *statement,
                                   Registers *scratch) {
  memcpy (scratch, g_hash_table_lookup (x->live, statement), x->thread->n_registers + 1);
  step_over (x, statement, scratch);
  return scratch;
}

/* Adds to the live registers after a statement of code those before the statements that may follow.
 */
static gboolean add_followers (RspExecutor *x, const RspStatement *s, const Registers *after,
                               Registers *scratch) {
  Registers *live = g_hash_table_lookup (x->live, s);
  gboolean jumps = s->kind == RSP_STATEMENT_JUMP, changed = FALSE;
  if (jumps)
    changed = add_registers (x, live, before_recorded (x, s->target, scratch));
  if (!jumps || s->expr)
    changed |= add_registers (x, live, s->next ? before_recorded (x, s->next, scratch) : after);
  return changed;
}

/* Code with jumps: repeated until nothing changes, which takes a pass for each jump at most. */
static Registers *before_code (RspExecutor *x, const RspStatement *code, Registers *after) {
  Registers *scratch = copy_registers (x, after);
  for (const RspStatement *s = code->first; s; s = s->next)
    g_hash_table_insert (x->live, (gpointer) s,
                         rsp_arena_new0 (x->scratch, Registers, x->thread->n_registers + 1));
  for (gboolean changed = TRUE; changed && !x->gave_up;) {
    changed = FALSE;
    for (const RspStatement *s = code->first; s; s = s->next)
      changed |= add_followers (x, s, after, scratch);
  }
  return code->first ? before_recorded (x, code->first, scratch) : after;
}

/* The registers live before a statement, given those live after it, which are recorded. */
static Registers *live_before (RspExecutor *x, const RspStatement *statement, Registers *after) {
  Registers *live = after;
  if (executor_enter (x, statement->span)) {
    g_hash_table_insert (x->live, (gpointer) statement, after);
    switch (statement->kind) {
    case RSP_STATEMENT_BLOCK:
      live = before_block (x, statement, after);
      break;
    case RSP_STATEMENT_CODE:
      live = before_code (x, statement, after);
      break;
    case RSP_STATEMENT_IF:
      live = before_if (x, statement, after);
      break;
    case RSP_STATEMENT_WHILE:
    case RSP_STATEMENT_DO:
    case RSP_STATEMENT_FOR:
    case RSP_STATEMENT_SWITCH:
    case RSP_STATEMENT_FRAME:
      live = copy_registers (x, after);
      add_statement_reads (x, statement, live, live);
      g_hash_table_insert (x->live, (gpointer) statement, after);
      break;
    default:
      live = copy_registers (x, after);
      step_over (x, statement, live);
    }
  }
  executor_leave (x);
  return live;
}

void executor_find_live (RspExecutor *x) {
  guint n = x->thread->n_registers + 1;
  x->escapes = rsp_arena_new0 (x->scratch, guint8, n);
  x->observed = rsp_arena_new0 (x->scratch, guint8, n);
  x->all_registers = rsp_arena_alloc (x->scratch, n);
  memset (x->all_registers, TRUE, n);
  for (guint i = 0; i < x->program->n_observables; i++) {
    const RspObservable *observable = &x->program->observables[i];
    if (observable->is_register && observable->thread == x->thread_index)
      x->observed[observable->reg] = TRUE;
  }
  /* Starts with the registers that escape, which may be read anywhere, and the observed ones, which
   * are read at the end. */
  Registers *reads = rsp_arena_new0 (x->scratch, guint8, n);
  add_statement_reads (x, x->thread->body, reads, NULL);
  Registers *last = rsp_arena_new0 (x->scratch, guint8, n);
  for (guint i = 0; i + 1 < n; i++)
    last[i] = x->observed[i] || x->escapes[i];
  live_before (x, x->thread->body, last);
}

/* ---- Loop heads ---- */

gboolean executor_begins_with_body (const RspStatement *loop) {
  return loop->kind == RSP_STATEMENT_DO || !loop->expr || expression_is_pure (loop->expr);
}

/* A declaration with a value is before every use in its round; not before those after the loop. */
static void kill_declared (const RspStatement *statement, const Registers *after, Registers *live) {
  if (!statement)
    return;
  if (statement->kind == RSP_STATEMENT_DECLARATION && statement->expr && !after[statement->reg])
    live[statement->reg] = FALSE;
  kill_declared (statement->init, after, live);
  kill_declared (statement->body, after, live);
  kill_declared (statement->otherwise, after, live);
  for (const RspStatement *s = statement->first; s; s = s->next)
    kill_declared (s, after, live);
}

/* Registers that a round overwrites first of all, before anything reads them; after: those that may
 * be read after the loop, which the round has not overwritten if its condition ends the loop at
 * once. */
static void kill_overwritten (RspExecutor *x, const RspStatement *loop, const Registers *after,
                              Registers *live) {
  Registers *read = rsp_arena_new0 (x->scratch, guint8, x->thread->n_registers + 1);
  const RspStatement *body = loop->body;
  gboolean begins_with_body = executor_begins_with_body (loop);
  if (!begins_with_body)
    add_reads (x, loop->expr, read);
  const RspStatement *s = body && body->kind == RSP_STATEMENT_BLOCK ? body->first : body;
  for (; s; s = s == body ? NULL : s->next) {
    if (s->kind != RSP_STATEMENT_EXPRESSION && s->kind != RSP_STATEMENT_DECLARATION)
      return;
    add_reads (x, s->expr, read);
    guint reg = overwritten (s);
    if (reg != G_MAXUINT && !read[reg] && (begins_with_body || !after[reg]))
      live[reg] = FALSE;
  }
}

const guint8 *executor_live_at_head (RspExecutor *x, const RspStatement *loop) {
  const Registers *in = g_hash_table_lookup (x->live, loop->body ? loop->body : loop);
  const Registers *after = g_hash_table_lookup (x->live, loop);
  Registers *live = copy_registers (x, in);
  kill_overwritten (x, loop, after, live);
  kill_declared (loop->body, after, live);
  for (guint i = 0; i < x->thread->n_registers; i++)
    live[i] |= x->escapes[i];
  return live;
}

/* Registers that are overwritten before the first jump, and not read before that, are not live,
 * although their values may be observed at the end. */
const guint8 *executor_live_before (RspExecutor *x, const RspStatement *statement) {
  guint n = x->thread->n_registers + 1;
  Registers *live = before_recorded (x, statement, rsp_arena_new0 (x->scratch, Registers, n));
  Registers *read = rsp_arena_new0 (x->scratch, Registers, n);
  for (const RspStatement *s = statement; s && s->kind != RSP_STATEMENT_JUMP; s = s->next) {
    add_own_reads (x, s, read);
    guint reg = overwritten (s);
    if (reg != G_MAXUINT && !read[reg])
      live[reg] = FALSE;
  }
  for (guint i = 0; i + 1 < n; i++)
    live[i] |= x->escapes[i];
  return live;
}
