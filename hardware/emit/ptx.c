/* PTX's instructions as inline assembly (PTX ISA, chapter 9, "Instruction Set"), so that the
 * compiler keeps each of them, in their order. Registers are variables of 64 bits. */
#include "hardware/emit/assembly.h"
#include "hardware/emit/expression.h"
#include "hardware/emit/text.h"
#include "hardware/named_barriers.h"

#define HAS(tags, id) (((tags) &RSP_TAG_BIT (id)) != 0)

/* ---- Words ---- */

/* What `atom` and `red` do to a value; NULL: neither does. Subtraction adds the negated value. */
static const char *operation_word (const RspCall *call) {
  if (call->kind == RSP_CALL_SWAP)
    return "cas.b64";
  switch (call->op) {
  case RSP_OP_ADD:
  case RSP_OP_SUB:
    return "add.u64";
  case RSP_OP_AND:
    return "and.b64";
  case RSP_OP_OR:
    return "or.b64";
  case RSP_OP_XOR:
    return "xor.b64";
  case RSP_OP_EXCHANGE:
    return "exch.b64";
  default:
    return NULL;
  }
}

static const char *order_word (const RspCall *call) {
  gboolean acquires = HAS (call->tags, ACQ);
  gboolean releases = HAS (call->tags | call->write_tags, REL);
  if (call->kind == RSP_CALL_FENCE)
    return HAS (call->tags, SC) ? "sc" : "acq_rel";
  if (HAS (call->tags, WEAK))
    return "weak";
  return acquires && releases ? "acq_rel" : acquires ? "acquire" : releases ? "release" : "relaxed";
}

/* ".gpu", or "" without a scope. */
static char *scope_suffix (const RspCall *call) {
  for (guint i = 0; i < RSP_N_LANGUAGE_LEVELS; i++)
    if (rsp_language_levels[i].language == RSP_LANGUAGE_PTX
        && call->tags >> rsp_language_levels[i].tag & 1)
      return g_strconcat (".", rsp_language_levels[i].word, NULL);
  return g_strdup ("");
}

/* ---- What a device does not have ---- */

/* `x = call` or `call`; NULL for other statements. */
static const RspCall *call_of (const RspStatement *s) {
  const RspExpr *e = s->expr && s->expr->kind == RSP_EXPR_ASSIGN ? s->expr->u.node.b : s->expr;
  return e && e->kind == RSP_EXPR_CALL ? e->u.call : NULL;
}

static gboolean is_read_modify_write (const RspCall *call) {
  return call->kind == RSP_CALL_FETCH || call->kind == RSP_CALL_SWAP;
}

/* Without a register: `red`. */
static gboolean is_reduction (const RspStatement *s, const RspCall *call) {
  return is_read_modify_write (call) && s->expr->kind == RSP_EXPR_CALL;
}

/* NULL if PTX has the read-modify-write. */
static char *refuse_operation (const RspStatement *s, const RspCall *call) {
  gboolean reduces = is_reduction (s, call);
  gboolean swaps = call->kind == RSP_CALL_SWAP || call->op == RSP_OP_EXCHANGE;
  if (!operation_word (call))
    return g_strdup ("PTX's `atom` and `red` neither multiply nor divide");
  if (reduces && swaps)
    return g_strdup ("PTX has no `red.exch` and no `red.cas`");
  if (reduces && HAS (call->tags, ACQ))
    return g_strdup ("PTX's `red` does not acquire");
  return NULL;
}

static char *refusal (const RspStatement *s) {
  const RspCall *call = call_of (s);
  if (!call)
    return NULL;
  gboolean other = (call->tags & (RSP_TAG_BIT (TEX) | RSP_TAG_BIT (SUR) | RSP_TAG_BIT (CON))) != 0;
  if (call->kind == RSP_CALL_FENCE && (other || HAS (call->tags, GEN))
      && !HAS (call->tags, ACQ_REL))
    return g_strdup_printf ("PTX has no `%s`: its only proxy fence of this kind is that of `alias`",
                            call->name);
  if (other)
    return g_strdup_printf ("`%s` needs a texture, a surface or constant memory, which a test's "
                            "memory on a device is not",
                            call->name);
  return is_read_modify_write (call) ? refuse_operation (s, call) : NULL;
}

/* ---- Operands ---- */

/* The value of a number or register, or an address, as 64 bits. */
static char *value_text (Emitter *e, const RspExpr *value) {
  g_autofree char *text = emit_expression (e, value);
  return g_strdup_printf ("(int64_t) %s", text);
}

/* The address of an access. One from a register must be one of the instance's: otherwise the
 * instance ends here, as the access would end the program. */
static char *address_text (Emitter *e, const RspExpr *object) {
  char *text = emit_expression (e, object);
  if (object->kind != RSP_EXPR_REGISTER)
    return text;
  emit_line (e, "if (test%u_value (c, %s) == %s)", e->number, text, text);
  emit_end_early (e);
  return text;
}

/* ---- Memory ---- */

static void emit_access (Emitter *e, const RspCall *call, const char *target) {
  gboolean loads = call->kind == RSP_CALL_LOAD;
  g_autofree char *scope = scope_suffix (call), *address = address_text (e, call->object);
  g_autofree char *value = loads ? NULL : value_text (e, call->value);
  if (loads)
    emit_line (
        e, "asm volatile (\"ld.%s%s.b64 %%0, [%%1];\" : \"=l\" (%s) : \"l\" (%s) : \"memory\");",
        order_word (call), scope, target, address);
  else
    emit_line (e,
               "asm volatile (\"st.%s%s.b64 [%%0], %%1;\" :: \"l\" (%s), \"l\" (%s) : \"memory\");",
               order_word (call), scope, address, value);
}

/* target: NULL for `red` */
static void emit_read_modify_write (Emitter *e, const RspCall *call, const char *target) {
  const char *sign = call->kind == RSP_CALL_FETCH && call->op == RSP_OP_SUB ? "-" : "";
  g_autofree char *scope = scope_suffix (call), *address = address_text (e, call->object);
  g_autofree char *value = value_text (e, call->value);
  g_autofree char *word = g_strdup_printf ("%s.%s%s.%s", target ? "atom" : "red", order_word (call),
                                           scope, operation_word (call));
  g_autofree char *operands = g_strdup_printf ("\"l\" (%s), \"l\" (%s%s)", address, sign, value);
  g_autofree char *expected = call->expected ? value_text (e, call->expected) : NULL;
  if (expected)
    emit_line (e,
               "asm volatile (\"%s %%0, [%%1], %%2, %%3;\" : \"=l\" (%s) : \"l\" (%s), \"l\" (%s), "
               "\"l\" (%s) : \"memory\");",
               word, target, address, expected, value);
  else if (target)
    emit_line (e, "asm volatile (\"%s %%0, [%%1], %%2;\" : \"=l\" (%s) : %s : \"memory\");", word,
               target, operands);
  else
    emit_line (e, "asm volatile (\"%s [%%0], %%1;\" :: %s : \"memory\");", word, operands);
}

static void emit_fence (Emitter *e, const RspCall *call) {
  g_autofree char *scope = scope_suffix (call);
  if (HAS (call->tags, ALIAS))
    emit_line (e, "asm volatile (\"fence.proxy.alias;\" ::: \"memory\");");
  else
    emit_line (e, "asm volatile (\"fence.%s%s;\" ::: \"memory\");", order_word (call), scope);
}

/* target: the register that receives the result, or NULL */
static void emit_call_statement (Emitter *e, const RspCall *call, const char *target) {
  if (call->kind == RSP_CALL_FENCE)
    emit_fence (e, call);
  else if (is_read_modify_write (call))
    emit_read_modify_write (e, call, target);
  else
    emit_access (e, call, target);
}

/* ---- Registers ---- */

static const char *arithmetic_word (RspOperator op) {
  static const char *const words[]
      = { [RSP_OP_ADD] = "add.s64", [RSP_OP_SUB] = "sub.s64", [RSP_OP_MUL] = "mul.lo.s64",
          [RSP_OP_DIV] = "div.s64", [RSP_OP_AND] = "and.b64", [RSP_OP_OR] = "or.b64",
          [RSP_OP_XOR] = "xor.b64" };
  return words[op];
}

/* Also in assembly, so that dependencies stay. */
static void emit_arithmetic (Emitter *e, const RspExpr *value, const char *target) {
  gboolean binary = value->kind == RSP_EXPR_BINARY;
  g_autofree char *a = value_text (e, binary ? value->u.node.a : value);
  g_autofree char *b = binary ? value_text (e, value->u.node.b) : NULL;
  if (binary)
    emit_line (e, "asm volatile (\"%s %%0, %%1, %%2;\" : \"=l\" (%s) : \"l\" (%s), \"l\" (%s));",
               arithmetic_word (value->u.node.op), target, a, b);
  else
    emit_line (e, "asm volatile (\"mov.b64 %%0, %%1;\" : \"=l\" (%s) : \"l\" (%s));", target, a);
}

/* ---- Barriers ---- */

static void emit_named_barrier (Emitter *e, const RspStatement *s) {
  guint arrivals = named_barrier_arrivals (e->program, e->thread, s);
  emit_line (e,
             "asm volatile (\"barrier.cta.%s %u, %%0;\" :: \"r\" (%u * c.per_block) : \"memory\");",
             s->barrier->arrives ? "arrive" : "sync",
             named_barrier_number (e->program, e->thread, s), arrivals);
}

/* ---- Jumps ---- */

static gboolean is_target (const RspStatement *code, const RspStatement *target, gboolean back) {
  for (const RspStatement *s = code->first; s; s = s->next)
    if (s->target == target && (!back || target->index <= s->index))
      return TRUE;
  return FALSE;
}

/* The number of loops whose heads are before the statement. */
static guint loops_before (const RspStatement *code, guint index) {
  guint n = 0;
  for (const RspStatement *s = code->first; s && s->index < index; s = s->next)
    n += is_target (code, s, TRUE);
  return n;
}

/* A jump back begins a round of the loop, and afresh the loops further down. */
static void emit_round (Emitter *e, const RspStatement *code, const RspStatement *jump) {
  guint loop = loops_before (code, jump->target->index);
  emit_line (e, "if (++n%u == %u)", loop, e->options->unroll);
  emit_end_early (e);
  for (guint inner = loop + 1; inner < e->n_loops; inner++)
    emit_line (e, "n%u = 0;", inner);
}

static void emit_jump (Emitter *e, const RspStatement *code, const RspStatement *jump) {
  g_autofree char *condition = jump->expr ? emit_expression (e, jump->expr) : g_strdup ("1");
  emit_line (e, "if (%s)", condition);
  emit_line (e, "{");
  e->indent++;
  if (jump->target->index <= jump->index)
    emit_round (e, code, jump);
  emit_line (e, "goto L%u;", jump->target->index);
  e->indent--;
  emit_line (e, "}");
}

/* ---- Threads ---- */

static void emit_instruction (Emitter *e, const RspStatement *s) {
  const RspCall *call = call_of (s);
  g_autofree char *target = s->expr && s->expr->kind == RSP_EXPR_ASSIGN
                                ? emit_register_name (e, s->expr->u.node.a->u.reg)
                                : NULL;
  if (s->kind == RSP_STATEMENT_BARRIER)
    emit_named_barrier (e, s);
  else if (call)
    emit_call_statement (e, call, target);
  else if (target)
    emit_arithmetic (e, s->expr->u.node.b, target);
}

static void body (Emitter *e) {
  const RspStatement *code = e->thread->body;
  e->n_loops = loops_before (code, G_MAXUINT);
  for (guint i = 0; i < e->n_loops; i++)
    emit_line (e, "n%u = 0;", i);
  for (const RspStatement *s = code->first; s; s = s->next) {
    if (is_target (code, s, FALSE))
      g_string_append_printf (e->out, "L%u:;\n", s->index);
    if (s->kind == RSP_STATEMENT_JUMP)
      emit_jump (e, code, s);
    else
      emit_instruction (e, s);
  }
}

const Assembly ptx_assembly = { refusal, body };
