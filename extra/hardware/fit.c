/* Can a target run the test? If not, why? */
#include "extra/hardware/hardware.h"
#include "extra/hardware/internal.h"
#include "parser/program.h"

#include <string.h>

/* ---- Reason --------------------------------------------------------------------------------- */

/* Adds a reason, "line 5: …"; only the first is kept. at may be NULL. */
static void fit_refuse (Fit *fit, const RspSpan *at, const char *format, ...) {
  va_list arguments;
  if (fit->reason)
    return;
  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  guint line = at && at->source ? rsp_span_line (*at) : 0;
  fit->reason = line ? g_strdup_printf ("line %u: %s", line, text) : g_steal_pointer (&text);
}

/* ---- Barriers ------------------------------------------------------------------------------- */

/* Barriers: the instances of a block also wait for each other, so every work-item of a work-group
 * must reach the same barriers, whatever it reads. Each thread's barriers become text, with the
 * loops around them, and the texts of a work-group must be equal. */

static void find_barrier (gpointer data, const RspStatement *s) {
  gboolean *found = data;
  *found |= s->kind == RSP_STATEMENT_BARRIER;
}

static gboolean has_barrier (const RspStatement *s) {
  gboolean found = FALSE;
  RspWalk walk = { .statement = find_barrier, .data = &found };
  rsp_walk_statement (&walk, s);
  return found;
}

/* ---- Registers that depend on memory ---- */
typedef struct Taint {
  guint8 *registers; /* per register: can its value come from memory? */
  gboolean changed, found;
} Taint;

static void find_memory (gpointer data, const RspExpr *e) {
  Taint *taint = data;
  taint->found |= e->kind == RSP_EXPR_CALL || e->kind == RSP_EXPR_DEREF || e->kind == RSP_EXPR_INDEX
                  || e->kind == RSP_EXPR_ADDRESS
                  || (e->kind == RSP_EXPR_REGISTER && taint->registers[e->u.reg]);
}

static gboolean is_tainted (Taint *taint, const RspExpr *e) {
  RspWalk walk = { .expression = find_memory, .data = taint };
  taint->found = FALSE;
  rsp_walk_expr (&walk, e);
  return taint->found;
}

static void taint_register (Taint *taint, guint reg, const RspExpr *value) {
  if (taint->registers[reg] || !is_tainted (taint, value))
    return;
  taint->registers[reg] = TRUE;
  taint->changed = TRUE;
}

static void taint_expression (gpointer data, const RspExpr *e) {
  gboolean assigns = e->kind == RSP_EXPR_ASSIGN && e->u.node.a->kind == RSP_EXPR_REGISTER;
  if (assigns)
    taint_register (data, e->u.node.a->u.reg, e->u.node.b);
  if (e->kind == RSP_EXPR_ADDRESS && e->u.node.a->kind == RSP_EXPR_REGISTER)
    taint_register (data, e->u.node.a->u.reg, e);
}

static void taint_statement (gpointer data, const RspStatement *s) {
  if (s->kind == RSP_STATEMENT_DECLARATION && s->expr)
    taint_register (data, s->reg, s->expr);
}

/* ---- Texts ---- */
typedef struct Barriers {
  Fit *fit;
  Taint taint;
  GString *text;
} Barriers;

static void append_source (const RspExpr *e, GString *out) {
  if (e)
    g_string_append_len (out, e->span.source->text + e->span.begin, e->span.end - e->span.begin);
  g_string_append_c (out, ';');
}

static void find_jump (gpointer data, const RspStatement *s) {
  gboolean *found = data;
  *found |= s->kind == RSP_STATEMENT_BREAK || s->kind == RSP_STATEMENT_CONTINUE
            || s->kind == RSP_STATEMENT_RETURN;
}

static void write_barriers (Barriers *b, const RspStatement *s) {
  gboolean jumps = FALSE;
  RspWalk walk = { .statement = find_jump, .data = &jumps };
  if (!s || !has_barrier (s))
    return;
  switch (s->kind) {
  case RSP_STATEMENT_BARRIER:
    if (s->wide)
      fit_refuse (b->fit, &s->span, "a barrier of several work-groups");
    g_string_append_printf (b->text, "%s:%u,%d;", s->label ? s->label : "", s->flags, s->scope);
    return;
  case RSP_STATEMENT_BLOCK:
    for (const RspStatement *inner = s->first; inner; inner = inner->next)
      write_barriers (b, inner);
    return;
  case RSP_STATEMENT_IF:
    fit_refuse (b->fit, &s->span,
                "a barrier under a condition, where the instances of a block would not meet");
    return;
  default: /* a loop */
    rsp_walk_statement (&walk, s->body);
    if (jumps || !s->expr || is_tainted (&b->taint, s->expr) || is_tainted (&b->taint, s->step))
      fit_refuse (b->fit, &s->span,
                  "a barrier in a loop whose rounds depend on memory, where the instances of a "
                  "block would not meet");
    if (s->init && s->init->expr)
      append_source (s->init->expr, b->text);
    append_source (s->expr, b->text);
    append_source (s->step, b->text);
    g_string_append_c (b->text, '{');
    write_barriers (b, s->body);
    g_string_append_c (b->text, '}');
  }
}

/* Registers assigned in a branch do not depend on its condition here: barriers may not be in a
 * branch, and registers of loops around them are assigned only by the loop. */
static char *barriers_of (Fit *fit, const RspThread *thread) {
  g_autofree guint8 *registers = g_new0 (guint8, thread->n_registers + 1);
  gboolean jumps = FALSE;
  Barriers b = { .fit = fit, .taint.registers = registers, .text = g_string_new (NULL) };
  RspWalk find = { .statement = find_jump, .data = &jumps };
  rsp_walk_statement (&find, thread->body);
  if (has_barrier (thread->body) && jumps)
    fit_refuse (fit, &thread->span, "a jump in a thread with barriers");
  RspWalk taint
      = { .statement = taint_statement, .expression = taint_expression, .data = &b.taint };
  do {
    b.taint.changed = FALSE;
    rsp_walk_statement (&taint, thread->body);
  } while (b.taint.changed);
  write_barriers (&b, thread->body);
  return g_string_free (b.text, FALSE);
}

/* OpenCL C requires all work-items of a work-group to reach the same barrier in the text, but each
 * thread of a test is a function of its own. */
static void fit_barriers (Fit *fit) {
  const RspProgram *program = fit->program;
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < program->n_threads; i++) {
    const RspThread *b = &program->threads[i];
    g_ptr_array_add (texts, barriers_of (fit, b));
    for (guint k = 0; k < i; k++) {
      const RspThread *a = &program->threads[k];
      if (!rsp_threads_share (a, b, RSP_LEVEL_WORK_GROUP))
        continue;
      if (fit->options->target == RSP_TARGET_OPENCL
          && (has_barrier (a->body) || has_barrier (b->body)))
        fit_refuse (fit, &b->span,
                    "barriers of %s and %s, which OpenCL C requires to be one in the text", a->name,
                    b->name);
      if (!g_str_equal (texts->pdata[i], texts->pdata[k]))
        fit_refuse (fit, &b->span, "%s and %s are in one work-group and reach different barriers",
                    a->name, b->name);
    }
  }
}

/* ---- Expressions ---------------------------------------------------------------------------- */

/* Expressions that cannot run on a device: they are undefined where a path fails in the model, or
 * the target lacks the operation. */

static gboolean is_constant (const RspExpr *e) { return e->kind == RSP_EXPR_CONSTANT; }

/* Division by zero and shifts that are too large are errors in the model, and undefined on a
 * device. */
static void fit_operator (Fit *fit, const RspExpr *e) {
  RspOperator op = e->u.node.op;
  const RspExpr *b = e->u.node.b;
  gint64 limit = MAX (e->type.bits, 32);
  if ((op == RSP_OP_DIV || op == RSP_OP_MOD) && !(is_constant (b) && b->u.constant > 0))
    fit_refuse (fit, &e->span, "a division by a value that may be zero");
  if ((op == RSP_OP_SHL || op == RSP_OP_SHR)
      && !(is_constant (b) && b->u.constant >= 0 && b->u.constant < limit))
    fit_refuse (fit, &e->span, "a shift by an amount that may be too large");
}

static void fit_pointers (Fit *fit, const RspExpr *e) {
  gboolean adds = e->u.node.op == RSP_OP_ADD || e->u.node.op == RSP_OP_SUB;
  if (e->type.pointers && (e->kind == RSP_EXPR_BINARY ? adds : e->u.node.op != RSP_OP_NONE))
    fit_refuse (fit, &e->span, "arithmetic on pointers, which could leave the test's memory");
}

static void find_effects (gpointer data, const RspExpr *e) {
  gboolean *found = data;
  *found |= e->kind == RSP_EXPR_CALL || e->kind == RSP_EXPR_ASSIGN || e->kind == RSP_EXPR_STEP
            || e->kind == RSP_EXPR_DEREF || e->kind == RSP_EXPR_INDEX;
}

/* `op=`, ++ and -- compute the place twice. */
static void fit_place (Fit *fit, const RspExpr *place) {
  gboolean found = FALSE;
  RspWalk walk = { .expression = find_effects, .data = &found };
  if (place->kind == RSP_EXPR_REGISTER)
    return;
  rsp_walk_expr (&walk, place->u.node.a);
  rsp_walk_expr (&walk, place->kind == RSP_EXPR_INDEX ? place->u.node.b : NULL);
  if (found)
    fit_refuse (fit, &place->span, "memory accesses in the address of an assignment `op=`");
}

static void fit_words (Fit *fit, guint32 words, const RspSpan *span) {
  if (words)
    fit_refuse (fit, span,
                "no device has %s operations; `-remote ordinary` runs them as "
                "ordinary ones of the same scope",
                fit->program->words.names[__builtin_ctz (words)]);
}

static void fit_statement (gpointer data, const RspStatement *s) {
  fit_words (data, s->barrier ? s->barrier->words : s->words, &s->span);
}

static void fit_expression (gpointer data, const RspExpr *e) {
  Fit *fit = data;
  switch (e->kind) {
  case RSP_EXPR_CALL: {
    const RspCall *call = e->u.call;
    fit_words (fit, call->words, &e->span);
    if (!call->object || call->kind == RSP_CALL_INIT)
      return;
    if (rsp_call_is_unless (call->kind))
      fit_refuse (fit, &e->span, "no target has `%s`", call->name);
    const RspType *type = &call->object->type;
    guint bits = type->pointers > 1 ? 64 : type->bits;
    if (bits < target_get (fit->options->target)->least_bits)
      fit_refuse (fit, &e->span, "%s has no atomic objects of %u bits",
                  rsp_target_names[fit->options->target], bits);
    return;
  }
  case RSP_EXPR_CAST:
    if (!e->type.pointers != !e->u.node.a->type.pointers && e->type.bits
        && !is_constant (e->u.node.a))
      fit_refuse (fit, &e->span, "a cast between a pointer and a number");
    return;
  case RSP_EXPR_BINARY:
    fit_operator (fit, e);
    fit_pointers (fit, e);
    return;
  case RSP_EXPR_ASSIGN:
    fit_pointers (fit, e);
    if (e->u.node.op != RSP_OP_NONE) {
      fit_operator (fit, e);
      fit_place (fit, e->u.node.a);
    }
    return;
  case RSP_EXPR_STEP:
    fit_pointers (fit, e);
    fit_place (fit, e->u.node.a);
    return;
  default:
    return;
  }
}

/* ---- Instructions --------------------------------------------------------------------------- */

/* Tests of languages with tags: one address per location, instructions that the device has, and
 * barriers at which the instances of a block meet. */

/* How often the thread comes to barriers of its cluster, or to others. */
static guint count_barriers (const RspThread *thread, gboolean of_cluster) {
  guint n = 0;
  for (const RspStatement *s = thread->body->first; s; s = s->next)
    n += s->barrier && (s->barrier->meeting == RSP_LEVEL_KERNEL) == of_cluster;
  return n;
}

static void fit_barrier (Fit *fit, const RspThread *thread, const RspStatement *s) {
  const RspBarrier *barrier = s->barrier;
  if (barrier->meeting == RSP_LEVEL_KERNEL) {
    /* The device waits for all threads of the cluster that have not ended. */
    const RspThread *threads = fit->program->threads;
    if (barrier->waits && barrier->tags & RSP_TAG_BIT (RLX))
      fit_refuse (fit, &s->span, "PTX has no `barrier.cluster.wait.relaxed`");
    for (guint i = 0; i < fit->program->n_threads; i++) {
      if (count_barriers (&threads[i], FALSE))
        fit_refuse (fit, &s->span, "barriers of ctas and of clusters in one test");
      if (rsp_threads_share (thread, &threads[i], RSP_LEVEL_KERNEL)
          && count_barriers (thread, TRUE) != count_barriers (&threads[i], TRUE))
        fit_refuse (fit, &s->span, "%s and %s are in one cluster and come to different barriers",
                    thread->name, threads[i].name);
    }
    return;
  }
  if ((barrier->name && barrier->name->kind != RSP_EXPR_CONSTANT)
      || (barrier->quorum && barrier->quorum->kind != RSP_EXPR_CONSTANT)) {
    fit_refuse (fit, &s->span, "a barrier whose name or quorum is in a register");
    return;
  }
  guint n = named_barrier_arrivals (fit->program, thread, s);
  gint64 quorum = barrier->quorum ? barrier->quorum->u.constant : 0;
  if (quorum && quorum != n)
    fit_refuse (fit, &s->span,
                "a barrier with a quorum of %" G_GINT64_FORMAT
                " that %u of the work-group's threads reach: "
                "the instances of a block would not meet",
                quorum, n);
  if (named_barrier_number (fit->program, thread, s) > MAX_NAMED_BARRIERS)
    fit_refuse (fit, &s->span, "more than %d barriers", MAX_NAMED_BARRIERS);
}

/* The first statement from s on at which the thread waits for its cta, or NULL. */
static const RspStatement *next_wait (const RspStatement *s) {
  while (s
         && (s->kind != RSP_STATEMENT_BARRIER || s->barrier->arrives
             || s->barrier->meeting == RSP_LEVEL_KERNEL))
    s = s->next;
  return s;
}

/* Has thread b, which has come as far as `reached` (NULL: its end), arrived where a waits? TRUE
 * also for a thread that never comes there. */
static gboolean has_arrived (const RspProgram *program, const RspThread *a,
                             const RspStatement *wait, const RspThread *b,
                             const RspStatement *reached) {
  guint number = named_barrier_number (program, a, wait);
  gboolean passed = TRUE;
  for (const RspStatement *s = b->body->first; s; s = s->next) {
    if (s->kind == RSP_STATEMENT_BARRIER && named_barrier_number (program, b, s) == number)
      return passed;
    passed &= s != reached;
  }
  return TRUE;
}

/* Refuses barriers that wait for each other: lets threads run to their next waits as long as one
 * can.
 */
static void fit_order (Fit *fit) {
  const RspProgram *program = fit->program;
  g_autofree const RspStatement **at = g_new0 (const RspStatement *, program->n_threads + 1);
  gboolean moved = TRUE;
  guint waiting = G_MAXUINT;
  for (guint i = 0; i < program->n_threads; i++)
    at[i] = next_wait (program->threads[i].body->first);
  while (moved) {
    moved = FALSE;
    waiting = G_MAXUINT;
    for (guint i = 0; i < program->n_threads; i++) {
      const RspThread *thread = &program->threads[i];
      gboolean met = at[i] != NULL;
      for (guint k = 0; met && k < program->n_threads; k++)
        if (rsp_threads_share (thread, &program->threads[k], RSP_LEVEL_WORK_GROUP))
          met = has_arrived (program, thread, at[i], &program->threads[k], at[k]);
      if (met)
        at[i] = next_wait (at[i]->next);
      else if (at[i])
        waiting = i;
      moved |= met;
    }
  }
  if (waiting != G_MAXUINT)
    fit_refuse (fit, &at[waiting]->span, "its barriers wait for each other");
}

/* Is an access to an address in a register among the expressions? */
static void find_indirection (gpointer data, const RspExpr *e) {
  gboolean *found = data;
  *found |= e->kind == RSP_EXPR_CALL && e->u.call->object
            && e->u.call->object->kind == RSP_EXPR_REGISTER;
}

static void fit_thread (Fit *fit, const RspThread *thread) {
  gboolean found = FALSE;
  RspWalk walk = { .expression = find_indirection, .data = &found };
  rsp_walk_statement (&walk, thread->body);
  /* An instance with an invalid address ends, and the others would wait for it at the barrier. */
  if (found && has_named_barriers (thread))
    fit_refuse (fit, &thread->span, "an address in a register, in a thread with barriers");
  if (has_named_barriers (thread) && thread->body->kind == RSP_STATEMENT_CODE)
    fit_refuse (fit, &thread->span, "a jump in a thread with barriers");
  for (const RspStatement *s = thread->body->first; s && !fit->reason; s = s->next)
    if (s->kind == RSP_STATEMENT_BARRIER)
      fit_barrier (fit, thread, s);
    else {
      g_autofree char *reason
          = rsp_assembly_find (fit->options->target, fit->program->language->id)->refusal (s);
      if (reason)
        fit_refuse (fit, &s->span, "%s", reason);
    }
}

/* ---- Fit ------------------------------------------------------------------------------------ */

enum {
  MAX_GROUPS = 16, /* as in templates/suite.h */
  MAX_CLUSTER = 8, /* that any device with clusters has */
  MAX_MEMBERS = 32,
  MAX_STATE = 32
};

/* ---- Memory: on every device, each work-group has its own local memory ---- */
typedef struct Naming {
  guint object;
  gboolean found;
} Naming;

static void find_object (gpointer data, const RspExpr *e) {
  Naming *naming = data;
  naming->found |= e->kind == RSP_EXPR_LOCATION && e->u.object == naming->object;
}

/* Where the object is a parameter, NULL: nowhere. */
static const RspSpan *span_of (const RspThread *thread, guint object) {
  for (guint k = 0; k < thread->n_parameters; k++)
    if (thread->parameters[k].object == object)
      return &thread->parameters[k].span;
  return NULL;
}

/* Does the thread name the object, as a parameter or in its code? */
static gboolean names_object (const RspThread *thread, guint object) {
  Naming naming = { object, span_of (thread, object) != NULL };
  RspWalk walk = { .expression = find_object, .data = &naming };
  rsp_walk_statement (&walk, thread->body);
  return naming.found;
}

/* The object at which the call's event is, or those of a copy. */
static gboolean is_at (const RspCall *call, guint object) {
  const RspExpr *const places[]
      = { call->object, call->kind == RSP_CALL_COPY ? call->expected : NULL,
          call->completion ? call->completion->u.call->object : NULL };
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    if (places[i] && places[i]->kind == RSP_EXPR_LOCATION && places[i]->u.object == object)
      return TRUE;
  return FALSE;
}

/* Does the thread need it in its own work-group? From elsewhere in the cluster, it can be read and
 * written, and threads can arrive at it without a token. */
static gboolean needs_here (const RspThread *thread, guint object) {
  for (const RspStatement *s = thread->body->first; s; s = s->next) {
    const RspCall *call = rsp_statement_call (s);
    gboolean arrives = call && call->kind == RSP_CALL_PHASE
                       && g_str_has_prefix (call->name, "mbarrier.")
                       && s->expr->kind == RSP_EXPR_CALL;
    if (call && is_at (call, object) && !arrives
        && (call->kind == RSP_CALL_COPY || call->kind == RSP_CALL_PHASE
            || rsp_call_is_on_mbarrier (call)))
      return TRUE;
  }
  return FALSE;
}

guint fit_owner (const RspProgram *program, guint object) {
  const RspThread *owner = NULL;
  for (guint i = 0; i < program->n_threads; i++) {
    const RspThread *thread = &program->threads[i];
    if (!owner ? names_object (thread, object)
               : needs_here (thread, object) && !needs_here (owner, object))
      owner = thread;
  }
  return owner ? layout_group (program, owner) : G_MAXUINT;
}

/* All threads that name it are in its work-group, or reach it through the cluster. */
static void fit_local (Fit *fit, guint object) {
  const RspProgram *program = fit->program;
  const RspThread *own = NULL;
  for (guint i = program->n_threads; i-- > 0;)
    if (layout_group (program, &program->threads[i]) == fit_owner (program, object))
      own = &program->threads[i];
  for (guint i = 0; own && i < program->n_threads; i++) {
    const RspThread *thread = &program->threads[i];
    gboolean here = rsp_threads_share (own, thread, RSP_LEVEL_WORK_GROUP);
    gboolean reaches = program->language->tagged
                       && rsp_threads_share (own, thread, RSP_LEVEL_KERNEL)
                       && !needs_here (thread, object);
    if (names_object (thread, object) && !here && !reaches)
      fit_refuse (fit,
                  program->language->tagged ? &program->locations[object].span
                                            : span_of (thread, object),
                  "`%s` is local memory of two work-groups, %s's and %s's, and each work-group "
                  "of a device has its own",
                  program->locations[object].name, own->name, thread->name);
  }
}

/* What is copied is all of an object. */
static void fit_copy (gpointer data, const RspExpr *e) {
  Fit *fit = data;
  const RspCall *call = e->kind == RSP_EXPR_CALL ? e->u.call : NULL;
  if (!call || call->kind != RSP_CALL_COPY)
    return;
  const RspExpr *const places[] = { call->object, call->expected };
  const guint64 tags[] = { call->write_tags, call->tags };
  for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
    if (places[i]->kind != RSP_EXPR_LOCATION)
      continue;
    const RspLocation *location = &fit->program->locations[places[i]->u.object];
    if (location->n_elements > 1)
      fit_refuse (fit, &e->span, "a copy of an array's element");
    if ((location->type.space == RSP_SPACE_LOCAL) == !(tags[i] & RSP_TAG_BIT (SHAREDMEM)))
      fit_refuse (fit, &e->span, "`%s` is shared memory here and global memory there",
                  location->name);
  }
}

/* The register of an arrival's token: how often it is named, and in tests of the phase. */
typedef struct Tokens {
  guint reg, uses, tests;
} Tokens;

static void count_token (gpointer data, const RspExpr *e) {
  Tokens *tokens = data;
  tokens->uses += e->kind == RSP_EXPR_REGISTER && e->u.reg == tokens->reg;
  tokens->tests += e->kind == RSP_EXPR_CALL && e->u.call->kind == RSP_CALL_TEST
                   && e->u.call->value->kind == RSP_EXPR_BINARY
                   && e->u.call->value->u.node.a->kind == RSP_EXPR_REGISTER
                   && e->u.call->value->u.node.a->u.reg == tokens->reg;
}

/* Tokens, and states of mbarriers, are the device's own: only a test of the phase means the same.
 */
static void fit_tokens (Fit *fit, const RspThread *thread) {
  const RspProgram *program = fit->program;
  for (const RspStatement *s = thread->body->first; s; s = s->next) {
    const RspCall *call = rsp_statement_call (s);
    if (!call || call->kind != RSP_CALL_PHASE || s->expr->kind != RSP_EXPR_ASSIGN)
      continue;
    Tokens tokens = { .reg = s->expr->u.node.a->u.reg };
    RspWalk walk = { .expression = count_token, .data = &tokens };
    rsp_walk_statement (&walk, thread->body);
    guint assigned = 0;
    for (const RspStatement *other = thread->body->first; other; other = other->next)
      assigned += other->expr && other->expr->kind == RSP_EXPR_ASSIGN
                  && other->expr->u.node.a->u.reg == tokens.reg;
    gboolean shown = FALSE;
    for (guint i = 0; i < program->n_observables; i++)
      shown |= program->observables[i].is_register && program->observables[i].reg == tokens.reg
               && &program->threads[program->observables[i].thread] == thread;
    if (shown || tokens.uses != tokens.tests + assigned)
      fit_refuse (fit, &s->span, "`%s` is a token, whose value is the device's own",
                  thread->registers[tokens.reg].name);
  }
}

static void place (RspProgram *program, const RspExpr *e) {
  guint object = e->kind == RSP_EXPR_LOCATION ? e->u.object : program->n_locations;
  for (guint i = object; i < program->n_locations && program->locations[i].object == object; i++)
    program->locations[i].type.space = RSP_SPACE_LOCAL;
}

static void place_shared (gpointer data, const RspExpr *e) {
  const RspCall *call = e->kind == RSP_EXPR_CALL ? e->u.call : NULL;
  if (!call || !call->object)
    return;
  gboolean copies = call->kind == RSP_CALL_COPY;
  if (copies ? (call->write_tags & RSP_TAG_BIT (SHAREDMEM)) != 0
             : rsp_call_is_on_mbarrier (call) || strstr (call->name, ".shared"))
    place (data, call->object);
  if (copies && call->tags & RSP_TAG_BIT (SHAREDMEM))
    place (data, call->expected);
}

void rsp_hardware_place_memory (RspProgram *program) {
  RspWalk walk = { .expression = place_shared, .data = program };
  for (guint i = 0; i < program->n_threads && program->language->tagged; i++)
    rsp_walk_statement (&walk, program->threads[i].body);
}

static void fit_memory (Fit *fit) {
  const RspProgram *program = fit->program;
  for (guint i = 0; i < program->n_threads; i++)
    for (guint k = 0; k < program->threads[i].n_parameters; k++) {
      const RspParameter *parameter = &program->threads[i].parameters[k];
      if (parameter->object == G_MAXUINT)
        continue;
      RspSpace space = layout_space (program, parameter->object);
      if ((parameter->type.space == RSP_SPACE_LOCAL) != (space == RSP_SPACE_LOCAL))
        fit_refuse (fit, &parameter->span, "%s has `%s` in another kind of memory than others",
                    program->threads[i].name, parameter->name);
    }
  for (guint i = 0; i < program->n_locations; i++) {
    const RspLocation *location = &program->locations[i];
    /* A pointer to local memory is meaningless in another work-group. */
    if (location->type.pointers && rsp_is_address (location->initial)
        && layout_space (program, rsp_address_object (location->initial)) == RSP_SPACE_LOCAL)
      fit_refuse (fit, &location->span, "a pointer to local memory in memory");
    if (location->object == i && layout_space (program, i) == RSP_SPACE_LOCAL)
      fit_local (fit, i);
  }
}

/* A level of a model, as a scope or in the tree: threads would be placed as if it weren't there. */
static void fit_levels (Fit *fit) {
  const RspWords *words = &fit->program->words;
  for (guint i = 0; i < words->n_uses; i++)
    if (rsp_words_scope (words, words->uses[i].word))
      fit_refuse (fit, &words->uses[i].span, "no device has the level %s of a model",
                  words->names[words->uses[i].word]);
}

char *rsp_hardware_refusal (const RspProgram *program, const RspEmitOptions *options) {
  Fit fit = { .program = program, .options = options };
  gboolean tagged = program->language->tagged;
  if (tagged && !rsp_assembly_find (options->target, program->language->id)) {
    fit_refuse (&fit, NULL, "%s has no form for %s tests", rsp_target_names[options->target],
                program->language->word);
    return fit.reason;
  }
  for (guint i = 0; i < program->words.n_uses; i++)
    if (program->words.uses[i].wrong)
      fit_refuse (&fit, &program->words.uses[i].span, "%s", program->words.uses[i].wrong);
  for (guint i = 0; i < program->n_threads; i++)
    if (layout_member (program, &program->threads[i]) >= MAX_MEMBERS)
      fit_refuse (&fit, NULL, "a work-group has more than %d threads", MAX_MEMBERS);
  if (layout_n_groups (program) > MAX_GROUPS)
    fit_refuse (&fit, NULL, "more than %d work-groups", MAX_GROUPS);
  for (guint g = 0; g < layout_n_groups (program) && !fit.reason; g++)
    if (layout_cluster (program) > MAX_CLUSTER || layout_slot (program, g) >= MAX_GROUPS)
      fit_refuse (
          &fit, NULL,
          "more than %d ctas of a cluster, or more than %d if all clusters were as large as "
          "the largest",
          MAX_CLUSTER, MAX_GROUPS);
  fit_levels (&fit);
  if (program->n_observables > MAX_STATE)
    fit_refuse (&fit, NULL, "its states have more than %d values", MAX_STATE);
  if (!fit.reason)
    fit_memory (&fit);
  RspWalk walk = { .statement = fit_statement, .expression = fit_expression, .data = &fit };
  for (guint i = 0; i < program->n_threads; i++)
    rsp_walk_statement (&walk, program->threads[i].body);
  if (!tagged) {
    fit_barriers (&fit);
    return fit.reason;
  }
  for (guint i = 0; i < program->n_locations; i++)
    if (program->locations[i].physical != i)
      fit_refuse (
          &fit, &program->locations[i].span,
          "`%s` is another address of `%s`, and a test's memory on a device has one address",
          program->locations[i].name, program->locations[program->locations[i].physical].name);
  walk = (RspWalk){ .expression = fit_copy, .data = &fit };
  for (guint i = 0; i < program->n_threads; i++) {
    fit_thread (&fit, &program->threads[i]);
    fit_tokens (&fit, &program->threads[i]);
    rsp_walk_statement (&walk, program->threads[i].body);
  }
  if (!fit.reason)
    fit_order (&fit);
  return fit.reason;
}

/* ---- Remote operations ---- */
static void make_ordinary (gpointer data, const RspExpr *e) {
  guint *n = data;
  if (e->kind != RSP_EXPR_CALL || !e->u.call->words)
    return;
  e->u.call->words = 0;
  (*n)++;
}

static void make_barrier_ordinary (gpointer data, const RspStatement *s) {
  guint *n = data;
  guint32 *words = s->barrier ? &s->barrier->words : &((RspStatement *) s)->words;
  *n += *words != 0;
  *words = 0;
}

guint rsp_hardware_make_ordinary (RspProgram *program) {
  guint n = 0;
  RspWalk walk = { .statement = make_barrier_ordinary, .expression = make_ordinary, .data = &n };
  for (guint i = 0; i < program->n_threads; i++)
    rsp_walk_statement (&walk, program->threads[i].body);
  return n;
}
