/* PTX's instructions as inline assembly (PTX ISA, chapter 9, "Instruction Set"), so the compiler
 * keeps all of them, in order. Registers are variables of 64 bits. */
#include "extra/hardware/internal.h"
#include "parser/program.h"

#include <string.h>

#define HAS(tags, id) (((tags) &RSP_TAG_BIT (id)) != 0)

/* ---- Words ---- */
/* The operation of `atom` and `red`; NULL: they have none. Subtraction adds the negated value. */
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
    return HAS (call->tags, SC) ? "sc" : acquires ? "acquire" : releases ? "release" : "acq_rel";
  if (HAS (call->tags, WEAK))
    return "weak";
  if (strstr (call->name, ".volatile"))
    return "volatile";
  if (strstr (call->name, ".mmio"))
    return "mmio.relaxed";
  return acquires && releases ? "acq_rel" : acquires ? "acquire" : releases ? "release" : "relaxed";
}

/* ".gpu", or "" without a scope: that of a volatile access is not written. */
static char *scope_suffix (const RspCall *call) {
  for (guint i = 0; i < RSP_N_LANGUAGE_LEVELS && !strstr (call->name, ".volatile"); i++)
    if (rsp_language_levels[i].language == RSP_LANGUAGE_PTX
        && call->tags >> rsp_language_levels[i].tag & 1)
      return g_strconcat (".", rsp_language_levels[i].word, NULL);
  return g_strdup ("");
}

/* ---- What a device does not have ---- */
static gboolean is_read_modify_write (const RspCall *call) {
  return call->kind == RSP_CALL_FETCH || call->kind == RSP_CALL_SWAP;
}

/* NULL if PTX has the read-modify-write. One without a register for the result is `red`. */
static char *refuse_operation (const RspStatement *s, const RspCall *call) {
  gboolean reduces = s->expr->kind == RSP_EXPR_CALL;
  gboolean swaps = call->kind == RSP_CALL_SWAP || call->op == RSP_OP_EXCHANGE;
  if (!operation_word (call))
    return g_strdup ("PTX's `atom` and `red` neither multiply nor divide");
  if (reduces && swaps)
    return g_strdup ("PTX has no `red.exch` and no `red.cas`");
  if (reduces && HAS (call->tags, ACQ))
    return g_strdup ("PTX's `red` does not acquire");
  return NULL;
}

/* An operation on an mbarrier, an asynchronous copy, or what waits for one or orders one. */
static gboolean is_newer (const RspCall *call) {
  return call->kind == RSP_CALL_WAIT || call->kind == RSP_CALL_COPY || call->kind == RSP_CALL_PHASE
         || call->kind == RSP_CALL_TEST
         || (call->tags
             & (RSP_TAG_BIT (GROUP) | RSP_TAG_BIT (ASYNC) | RSP_TAG_BIT (TENSORMAP)
                | RSP_TAG_BIT (MBAR) | RSP_TAG_BIT (MBINIT)));
}

/* Fences that devices have, as PTX orders their suffixes. */
static const char *const newer_fences[]
    = { "fence.proxy.async",
        "fence.proxy.async.global",
        "fence.proxy.async.shared::cta",
        "fence.proxy.async.shared::cluster",
        "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster",
        "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster",
        "fence.mbarrier_init.release.cluster",
        "cp.async.commit_group",
        "cp.async.bulk.commit_group",
        NULL };

static gboolean is_named_place (const RspExpr *e) { return !e || e->kind == RSP_EXPR_LOCATION; }

/* The bytes of an arrival that expects them, of an expectation or a completion; NULL: an arrival
 * that is counted. It is the factor of what is added to the state. */
static const RspExpr *bytes_of (const RspCall *phase) {
  return phase->value->u.node.op == RSP_OP_ADD ? phase->value->u.node.b->u.node.a : NULL;
}

/* NULL if the device has it. */
static char *refuse_newer (const RspCall *call) {
  gboolean copies = call->kind == RSP_CALL_COPY;
  if (HAS (call->tags, TENSORMAP)
      || (call->kind == RSP_CALL_FENCE && !g_strv_contains (newer_fences, call->name)))
    return g_strdup_printf ("`%s` is not run on devices", call->name);
  if (call->kind != RSP_CALL_FENCE && call->kind != RSP_CALL_WAIT
      && !(is_named_place (call->object) && (!copies || is_named_place (call->expected))))
    return g_strdup_printf ("`%s` at an address in a register or in an array", call->name);
  const RspExpr *bytes = copies && call->completion ? bytes_of (call->completion->u.call) : NULL;
  if (copies && call->op != RSP_OP_NONE && !operation_word (call))
    return g_strdup_printf ("`%s` is not run on devices", call->name);
  if (bytes
      && (bytes->kind != RSP_EXPR_CONSTANT || bytes->u.constant != COPIED_BYTES
          || !is_named_place (call->completion->u.call->object)))
    return g_strdup_printf ("`%s` of other than %d bytes: a location of a test on a device has as "
                            "many",
                            call->name, COPIED_BYTES);
  return NULL;
}

static char *refusal (const RspStatement *s) {
  const RspCall *call = rsp_statement_call (s);
  if (!call)
    return NULL;
  gboolean other = (call->tags & (RSP_TAG_BIT (TEX) | RSP_TAG_BIT (SUR) | RSP_TAG_BIT (CON))) != 0;
  if (is_newer (call))
    return refuse_newer (call);
  if (call->kind == RSP_CALL_FENCE && (other || HAS (call->tags, GEN))
      && !(call->tags & (RSP_TAG_BIT (ACQ_REL) | RSP_TAG_BIT (ACQ) | RSP_TAG_BIT (REL))))
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

/* The address of an access. An address in a register must be one of the instance's: otherwise the
 * instance ends here, since the access would end the program. */
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

/* target: NULL for `red`. */
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

/* ---- Mbarriers and copies ---- */
/* shared_address (x): that of x in shared memory. */

/* "mbarrier.arrive.expect_tx.relaxed.cta.shared::cta.b64": with what the test leaves out. */
static char *mbarrier_word (const RspCall *call) {
  static const char *const operations[]
      = { "init",        "inval",     "arrive",   "arrive_drop", "expect_tx",
          "complete_tx", "test_wait", "try_wait", "parity" };
  g_auto (GStrv) parts = g_strsplit (call->name, ".", -1);
  const char *const *names = (const char *const *) parts;
  GString *word = g_string_new ("mbarrier");
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    if (g_strv_contains (names, operations[i]))
      g_string_append_printf (word, ".%s", operations[i]);
  if (call->kind != RSP_CALL_STORE)
    g_string_append_printf (word, ".%s.%s", order_word (call),
                            call->reach == RSP_LEVEL_KERNEL ? "cluster" : "cta");
  return g_string_free (g_string_append (word, ".shared::cta.b64"), FALSE);
}

static char *shared_text (Emitter *e, const RspExpr *object) {
  g_autofree char *text = emit_expression (e, object);
  return g_strdup_printf ("shared_address (%s)", text);
}

/* At an mbarrier of another cta of the cluster, which gives no token. */
static void emit_remote_phase (Emitter *e, const RspCall *call, const char *count) {
  guint object = call->object->u.object;
  g_autofree char *word = mbarrier_word (call), *own = emit_object (e, object);
  GString *remote = g_string_new (word);
  g_string_replace (remote, "shared::cta", "shared::cluster", 0);
  emit_line (e,
             "asm volatile (\"%s %s[%%0], %%1;\" :: \"r\" (remote_address (%s, %u)), \"r\" "
             "((uint32_t) (%s)) : \"memory\");",
             remote->str, strstr (call->name, ".arrive") ? "_, " : "", own, emit_rank (e, object),
             count);
  g_string_free (remote, TRUE);
}

/* target: NULL for `_`. */
static void emit_phase (Emitter *e, const RspCall *call, const char *target) {
  g_autofree char *at = shared_text (e, call->object);
  if (g_str_has_prefix (call->name, "cp.async")) {
    emit_line (e,
               "asm volatile (\"cp.async.mbarrier.arrive%s.shared.b64 [%%0];\" :: \"r\" (%s) : "
               "\"memory\");",
               call->copies ? ".noinc" : "", at);
    return;
  }
  const RspExpr *bytes = bytes_of (call);
  g_autofree char *word = mbarrier_word (call);
  g_autofree char *number = value_text (e, bytes ? bytes : call->expected);
  if (emit_is_remote (e, call->object->u.object))
    emit_remote_phase (e, call, number);
  else if (strstr (call->name, ".arrive"))
    emit_line (e,
               "asm volatile (\"%s %%0, [%%1], %%2;\" : \"=l\" (%s) : \"r\" (%s), \"r\" "
               "((uint32_t) (%s)) : \"memory\");",
               word, target ? target : "token", at, number);
  else
    emit_line (e,
               "asm volatile (\"%s [%%0], %%1;\" :: \"r\" (%s), \"r\" ((uint32_t) (%s)) : "
               "\"memory\");",
               word, at, number);
}

/* By a parity, or by a token, which the value shifts. */
static void emit_test (Emitter *e, const RspCall *call, const char *target) {
  gboolean by_parity = strstr (call->name, ".parity") != NULL;
  g_autofree char *word = mbarrier_word (call), *at = shared_text (e, call->object);
  g_autofree char *which = value_text (e, by_parity ? call->value : call->value->u.node.a);
  emit_line (e,
             "asm volatile (\"{ .reg .pred done; %s done, [%%1], %%2; selp.b64 %%0, 1, 0, done; }\""
             " : \"=l\" (%s) : \"r\" (%s), \"%s\" (%s%s) : \"memory\");",
             word, target ? target : "token", at, by_parity ? "r" : "l",
             by_parity ? "(uint32_t) " : "", which);
}

/* An initialisation, which adds its count, or an end of an mbarrier. */
static void emit_init (Emitter *e, const RspCall *call) {
  g_autofree char *word = mbarrier_word (call), *at = shared_text (e, call->object);
  gboolean counts = call->value->kind == RSP_EXPR_BINARY;
  g_autofree char *count
      = counts ? value_text (e, call->value->u.node.a->u.node.a) : g_strdup ("0");
  emit_line (
      e,
      counts
          ? "asm volatile (\"%s [%%0], %%1;\" :: \"r\" (%s), \"r\" ((uint32_t) (%s)) : \"memory\");"
          : "asm volatile (\"%s [%%0];\" :: \"r\" (%s) : \"memory\");",
      word, at, count);
}

static void emit_copy (Emitter *e, const RspCall *call) {
  gboolean to_shared = HAS (call->write_tags, SHAREDMEM), from_shared = HAS (call->tags, SHAREDMEM);
  g_autofree char *to = emit_expression (e, call->object),
                  *from = emit_expression (e, call->expected);
  if (!HAS (call->tags, ASYNC)) {
    gboolean global = strstr (call->name, ".cg.") != NULL;
    emit_line (e,
               "asm volatile (\"cp.async.%s.shared.global [%%0], [%%1], %d;\" :: \"r\" "
               "(shared_address (%s)), \"l\" (%s) : \"memory\");",
               global ? "cg" : "ca", global ? COPIED_BYTES : 8, to, from);
    return;
  }
  const RspCall *phase = call->completion ? call->completion->u.call : NULL;
  g_autofree char *at = phase ? shared_text (e, phase->object) : NULL;
  g_autofree char *third = at ? g_strdup_printf (", \"r\" (%s)", at) : g_strdup ("");
  gboolean reduces = call->op != RSP_OP_NONE;
  emit_line (e,
             "asm volatile (\"cp.%sasync.bulk.%s.%s.%s%s%s [%%0], [%%1], %d%s;\" :: \"%c\" "
             "(%s%s%s), \"%c\" (%s%s%s)%s : \"memory\");",
             reduces ? "reduce." : "", to_shared ? "shared::cluster" : "global",
             from_shared ? "shared::cta" : "global",
             phase ? "mbarrier::complete_tx::bytes" : "bulk_group", reduces ? "." : "",
             reduces ? operation_word (call) : "", COPIED_BYTES, phase ? ", [%2]" : "",
             to_shared ? 'r' : 'l', to_shared ? "shared_address (" : "", to, to_shared ? ")" : "",
             from_shared ? 'r' : 'l', from_shared ? "shared_address (" : "", from,
             from_shared ? ")" : "", third);
}

static void emit_newer (Emitter *e, const RspCall *call, const char *target) {
  switch (call->kind) {
  case RSP_CALL_PHASE:
    emit_phase (e, call, target);
    return;
  case RSP_CALL_TEST:
    emit_test (e, call, target);
    return;
  case RSP_CALL_COPY:
    emit_copy (e, call);
    return;
  case RSP_CALL_WAIT:
    emit_line (e,
               call->value ? "asm volatile (\"%s %d;\" ::: \"memory\");"
                           : "asm volatile (\"%s;\" ::: \"memory\");",
               call->name, call->value ? (int) call->value->u.constant : 0);
    return;
  case RSP_CALL_FENCE:
    emit_line (e, "asm volatile (\"%s;\" ::: \"memory\");", call->name);
    return;
  default:
    emit_init (e, call);
  }
}

/* A block's memory stays until the copies from and to it have been done. */
static void emit_end (Emitter *e) {
  gboolean small = FALSE, grouped = FALSE, bulk = FALSE;
  for (const RspStatement *s = e->thread->body->first; s; s = s->next) {
    const RspCall *call = rsp_statement_call (s);
    gboolean copies = call && call->kind == RSP_CALL_COPY;
    small |= copies && !HAS (call->tags, ASYNC);
    grouped |= copies && HAS (call->tags, ASYNC) && !call->completion;
    bulk |= copies && call->completion;
  }
  if (small)
    emit_line (e, "asm volatile (\"cp.async.wait_all;\" ::: \"memory\");");
  if (grouped)
    emit_line (e, "asm volatile (\"cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\" ::: "
                  "\"memory\");");
  if (bulk)
    emit_line (e, "wait_for_copies ();");
}

/* ---- Registers ---- */
/* Also in assembly, to keep dependencies. */
static void emit_arithmetic (Emitter *e, const RspExpr *value, const char *target) {
  static const char *const words[]
      = { [RSP_OP_ADD] = "add.s64", [RSP_OP_SUB] = "sub.s64", [RSP_OP_MUL] = "mul.lo.s64",
          [RSP_OP_DIV] = "div.s64", [RSP_OP_AND] = "and.b64", [RSP_OP_OR] = "or.b64",
          [RSP_OP_XOR] = "xor.b64" };
  gboolean binary = value->kind == RSP_EXPR_BINARY;
  g_autofree char *a = value_text (e, binary ? value->u.node.a : value);
  g_autofree char *b = binary ? value_text (e, value->u.node.b) : NULL;
  if (binary)
    emit_line (e, "asm volatile (\"%s %%0, %%1, %%2;\" : \"=l\" (%s) : \"l\" (%s), \"l\" (%s));",
               words[value->u.node.op], target, a, b);
  else
    emit_line (e, "asm volatile (\"mov.b64 %%0, %%1;\" : \"=l\" (%s) : \"l\" (%s));", target, a);
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

/* ---- Threads ---- */
static gboolean has_tokens (const RspStatement *code) {
  for (const RspStatement *s = code->first; s; s = s->next) {
    const RspCall *call = rsp_statement_call (s);
    if (call && (call->kind == RSP_CALL_PHASE || call->kind == RSP_CALL_TEST))
      return TRUE;
  }
  return FALSE;
}

static void emit_body (Emitter *e) {
  const RspStatement *code = e->thread->body;
  e->n_loops = loops_before (code, G_MAXUINT);
  if (has_tokens (code))
    emit_line (e, "int64_t token; /* that no register has */");
  for (guint i = 0; i < e->n_loops; i++)
    emit_line (e, "n%u = 0;", i);
  for (const RspStatement *s = code->first; s; s = s->next) {
    if (is_target (code, s, FALSE))
      g_string_append_printf (e->out, "L%u:;\n", s->index);
    if (s->kind == RSP_STATEMENT_JUMP) {
      /* A jump back begins a round of its loop, and restarts the loops further down. */
      g_autofree char *condition = s->expr ? emit_expression (e, s->expr) : g_strdup ("1");
      emit_line (e, "if (%s)", condition);
      emit_line (e, "{");
      e->indent++;
      if (s->target->index <= s->index) {
        guint loop = loops_before (code, s->target->index);
        emit_line (e, "if (++n%u == %u)", loop, e->options->unroll);
        emit_end_early (e);
        for (guint inner = loop + 1; inner < e->n_loops; inner++)
          emit_line (e, "n%u = 0;", inner);
      }
      emit_line (e, "goto L%u;", s->target->index);
      e->indent--;
      emit_line (e, "}");
    } else {
      const RspCall *call = rsp_statement_call (s);
      g_autofree char *target = s->expr && s->expr->kind == RSP_EXPR_ASSIGN
                                    ? emit_register_name (e, s->expr->u.node.a->u.reg)
                                    : NULL;
      if (s->kind == RSP_STATEMENT_BARRIER && s->barrier->meeting == RSP_LEVEL_KERNEL)
        emit_line (e, "asm volatile (\"barrier.cluster.%s%s;\" ::: \"memory\");",
                   s->barrier->waits ? "wait" : "arrive",
                   HAS (s->barrier->tags, RLX) ? ".relaxed"
                   : s->barrier->waits         ? ".acquire"
                                               : ".release");
      else if (s->kind == RSP_STATEMENT_BARRIER)
        emit_line (
            e,
            "asm volatile (\"barrier.cta.%s %u, %%0;\" :: \"r\" (%u * c.per_block) : \"memory\");",
            s->barrier->arrives ? "arrive" : "sync",
            named_barrier_number (e->program, e->thread, s),
            named_barrier_arrivals (e->program, e->thread, s));
      else if (call && is_newer (call))
        emit_newer (e, call, target);
      else if (call && call->kind == RSP_CALL_FENCE) {
        g_autofree char *scope = scope_suffix (call);
        if (HAS (call->tags, ALIAS))
          emit_line (e, "asm volatile (\"fence.proxy.alias;\" ::: \"memory\");");
        else
          emit_line (e, "asm volatile (\"fence.%s%s;\" ::: \"memory\");", order_word (call), scope);
      } else if (call && is_read_modify_write (call))
        emit_read_modify_write (e, call, target);
      else if (call)
        emit_access (e, call, target);
      else if (target)
        emit_arithmetic (e, s->expr->u.node.b, target);
    }
  }
}

const Assembly ptx_assembly = { refusal, emit_body, emit_end };
