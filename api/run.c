/* One test under one model, as a record: what every face calls. Kernels get the sizes of their
 * arrays first. */
#include "api/api.h"
#include "enumerator/search/evidence.h"
#include "explain/explain.h"
#include "parser/litmus/litmus.h"
#include "parser/translation.h"
#include "report/record.h"
#include "report/report.h"

#include <string.h>

/* ---- Kernel --------------------------------------------------------------------------------- */

enum {
  MAX_READINGS = 64, /* of one kernel, with larger and larger arrays */
  /* Elements of an array whose index depends on what is read, each of which is a path, if some
   * execution needs more. */
  MAX_READ = 4096
};

/* ---- Sizes ---- */
static void free_facts (gpointer data) {
  RspObjectFacts *facts = data;
  g_free (facts->name);
  g_free (facts);
}

GPtrArray *rsp_kernel_facts_new (void) { return g_ptr_array_new_with_free_func (free_facts); }

/* Those of an object: of the name of its first location. */
static RspObjectFacts *facts_of (GPtrArray *all, const RspLocation *object) {
  for (guint i = 0; i < all->len; i++)
    if (strcmp (((RspObjectFacts *) all->pdata[i])->name, object->name) == 0)
      return all->pdata[i];
  RspObjectFacts *facts = g_new0 (RspObjectFacts, 1);
  facts->name = g_strdup (object->name);
  g_ptr_array_add (all, facts);
  return facts;
}

/* The accesses to a location. */
typedef struct Use {
  gboolean read, written, atomic, shared, observed, opaque;
  guint thread; /* + 1; 0: none */
} Use;

typedef struct Explorer {
  RspKernel *kernel;
  GPtrArray *facts;
  const RspCheckOptions *check;
  RspDiagnostics *diagnostics;
  Use *uses;     /* per location */
  guint most;    /* elements to which arrays grow */
  guint guessed; /* the same for paths that no known execution takes; 0: one does */
  gboolean grown, stunted, failed;
} Explorer;

/* A path accesses this element, or one after the last if the object has it: its array may have to
 * grow. */
static void grow (Explorer *e, const RspKernel *kernel, gint64 address) {
  const RspProgram *program = kernel->program;
  if (!rsp_is_address (address) || rsp_address_object (address) >= program->n_locations)
    return;
  guint number = rsp_address_object (address);
  const RspLocation *object = &program->locations[number];
  gint32 element = rsp_address_element (address);
  if (!object->grows || element < 0 || (object->declared && (guint) element >= object->declared))
    return;
  gboolean known = (guint) element >= object->n_elements;
  guint n = MAX (known ? (guint) element + 1 : 0, 2 * object->n_elements);
  n = MIN (n, known ? MAX ((guint) element + 1, RSP_KERNEL_MAX_GROWN) : MAX_READ);
  RspObjectFacts *own = facts_of (e->facts, object);
  const guint most = known ? RSP_KERNEL_MAX_GROWN : e->guessed ? e->guessed : MAX_READ;
  if (n <= own->n_elements || n > most)
    return;
  e->stunted |= n > e->most;
  if (n > e->most)
    return;
  own->n_elements = n;
  e->grown = TRUE;
}

gboolean rsp_kernel_is_cut (const RspKernel *kernel, const RspOutcome *outcome,
                            RspDiagnostics *diagnostics) {
  for (guint i = 0; i < outcome->n_failures; i++) {
    const RspFailure *failure = &outcome->failures[i];
    const guint number = rsp_address_object (failure->address);
    const gint32 element = rsp_address_element (failure->address);
    if (!rsp_is_address (failure->address) || number >= kernel->program->n_locations
        || !kernel->program->locations[number].grows)
      continue;
    const RspLocation *object = &kernel->program->locations[number];
    gboolean is_first = element == 0; /* stands for the elements after the last one */
    if ((element < RSP_KERNEL_MAX_GROWN && !is_first)
        || (object->declared && (guint) element >= object->declared))
      continue;
    const int length = (int) strcspn (object->name, "[@");
    g_autofree char *hint = g_strdup_printf (
        "`-arg %.*s[N]=0` gives it N elements: then this is a finding", length, object->name);
    rsp_error (diagnostics, failure->span, object->declared ? "-D can make it smaller" : hint,
               "an access %s value %d of `%.*s`, an array %s, which grows to %d values at most",
               is_first ? "after" : "to", is_first ? (int) object->n_elements - 1 : element, length,
               object->name,
               object->declared ? "too large to be followed as a whole" : "without a declared size",
               is_first ? MAX_READ : RSP_KERNEL_MAX_GROWN);
    return TRUE;
  }
  return FALSE;
}

gboolean rsp_kernel_grow (const RspKernel *kernel, const RspOutcome *outcome, GPtrArray *facts) {
  Explorer e = { .facts = facts, .most = G_MAXUINT };
  for (guint i = 0; i < outcome->n_failures; i++)
    if (outcome->failures[i].address)
      grow (&e, kernel, outcome->failures[i].address);
  return e.grown;
}

/* ---- Exploration ---- */
static void note_path (Explorer *e, const RspPath *path, guint thread) {
  e->kernel->guessed |= rsp_path_is_guessed (path);
  if (path->end == RSP_PATH_FAILED && path->end_address)
    grow (e, e->kernel, path->end_address);
  for (guint i = 0; i < path->n_events; i++) {
    const RspEvent *event = &path->events[i];
    if (event->location == RSP_NO_LOCATION)
      continue;
    Use *use = &e->uses[event->location];
    use->shared |= use->thread && use->thread != thread + 1;
    use->thread = thread + 1;
    use->read |= event->read != NULL;
    use->written |= event->written != NULL;
    if (event->written && e->kernel->program->locations[event->location].fixed) {
      if (!e->failed)
        rsp_error (e->diagnostics, event->span, NULL, "found a write to `%s`, which is constant",
                   e->kernel->program->locations[event->location].name);
      e->failed = TRUE;
    }
    use->opaque |= event->written && event->written->is_free;
    use->atomic |= event->is_atomic;
  }
}

gboolean rsp_kernel_paths (const RspKernel *kernel, guint thread, const RspCheckOptions *check,
                           RspTerms *terms, RspArena *arena, RspBudget *budget, GPtrArray *paths,
                           RspDiagnostics *diagnostics) {
  gboolean waits = check->spin == RSPCHECK_SPIN_LAST;
  RspPathOptions options = { .unroll = check->unroll,
                             .unroll_all = check->unroll_all,
                             .spin_last = waits,
                             .cas_writeback = TRUE,
                             .budget = budget };
  if (!rsp_paths_enumerate (kernel->program, thread, &options, terms, arena, paths, diagnostics))
    return FALSE;
  options.spin_last = FALSE;
  options.cycles = TRUE;
  return !waits
         || rsp_paths_enumerate (kernel->program, thread, &options, terms, arena, paths,
                                 diagnostics);
}

/* Marks the locations to which values of uninterpreted functions are written: what is read
 * there, and computed from it, is unknown too. TRUE if there are new ones. What is read of such a
 * location is not told to be its value, so that nothing can be asked of both. */
static gboolean mark_opaque (Explorer *e) {
  const RspProgram *program = e->kernel->program;
  gboolean more = FALSE;
  for (guint i = 0; i < program->n_locations; i++) {
    RspLocation *location = &program->locations[i];
    more |= e->uses[i].opaque && !location->opaque;
    location->opaque |= e->uses[i].opaque;
    if (location->opaque && e->uses[i].observed && (e->uses[i].read || !e->kernel->has_question)) {
      rsp_error (e->diagnostics, program->condition->span, NULL,
                 "the assertion depends on `%s`, whose value is unknown: it comes from an image, "
                 "or is copied from memory without a value",
                 location->name);
      e->failed = TRUE;
    }
  }
  return more && !e->failed;
}

static void explore (Explorer *e) {
  do {
    const RspProgram *program = e->kernel->program;
    memset (e->uses, 0, program->n_locations * sizeof (Use));
    for (guint i = 0; i < program->n_observables; i++)
      if (!program->observables[i].is_register)
        e->uses[program->observables[i].location].observed = TRUE;
    for (guint i = 0; i < program->n_threads && !e->failed; i++) {
      const RspCheckOptions *check = e->check;
      RspBudget budget
          = { .deadline = rsp_deadline_in (check->timeout), .max_memory = RSP_DEFAULT_MEMORY };
      g_autoptr (RspArena) arena = rsp_arena_new ();
      RspTerms *terms = rsp_terms_new (arena);
      g_autoptr (GPtrArray) paths = g_ptr_array_new ();
      gboolean good
          = rsp_kernel_paths (e->kernel, i, check, terms, arena, &budget, paths, e->diagnostics);
      if (!good && rsp_budget_is_exhausted (&budget))
        rsp_error (e->diagnostics, e->kernel->program->threads[i].span, NULL,
                   "its paths are not explored within the limits of time and memory");
      e->failed |= !good;
      for (guint k = 0; k < paths->len; k++)
        note_path (e, paths->pdata[k], i);
      rsp_terms_free (terms);
    }
  } while (mark_opaque (e));
}

/* ---- What costs no event ---- */
/* A location that nothing writes has a known value, or none; one that a single thread accesses
 * becomes a register, unless its initial value is unknown. On a schedule, which numbers the events,
 * each access remains one. TRUE if some location has no value. */
static gboolean apply_uses (Explorer *e, gboolean scheduled) {
  gboolean valueless = FALSE;
  RspProgram *program = e->kernel->program;
  for (guint i = 0; i < program->n_locations; i++) {
    RspLocation *location = &program->locations[i];
    const Use *use = &e->uses[i];
    location->open &= !use->read;
    if (use->atomic)
      for (guint k = 0; k < location->n_elements; k++)
        program->locations[location->object + k].atomic = TRUE;
    if (scheduled)
      continue;
    if (!use->written && !use->atomic) {
      location->fixed = TRUE;
      valueless |= location->unset && use->thread;
    } else if (!use->shared && !use->observed && !location->any && use->thread
               && use->opaque >= location->opaque) {
      /* the location becomes a register of the thread */
      RspThread *thread = &program->threads[use->thread - 1];
      RspRegister *grown = rsp_arena_new0 (program->arena, RspRegister, thread->n_registers + 1);
      memcpy (grown, thread->registers, thread->n_registers * sizeof *grown);
      grown[thread->n_registers] = (RspRegister){ .name = location->name,
                                                  .type = location->type,
                                                  .initial = location->initial,
                                                  .initialised = TRUE,
                                                  .unset = location->unset,
                                                  .n_elements = 1,
                                                  .span = location->span };
      thread->registers = grown;
      location->reg = ++thread->n_registers;
    }
  }
  return valueless;
}

/* ---- Appends ---- */
/* Elements of an array that are only written, and each at what one increment of a counter returned
 * (`out[atomic_inc (n)] = v`), are written by one work-item each, since no two increments return
 * the same. So they are left out, and which work-item gets which number matters only where the
 * kernel asks. */
enum { MAX_STEP = 16, MAX_START = 1 << 20, NO_COUNTER = 0, NOT_ONE = G_MAXUINT };

typedef struct Appends {
  RspProgram *program;
  const RspThread *thread; /* that is walked */
  guint *holds;            /* per register of it: the counter whose results it has, + 1, NOT_ONE, or
                              NO_COUNTER: not known yet */
  guint *uses;             /* per object: how often it is named */
  guint *increments;       /* of these as a counter */
  guint *resets; /* of these before the first barrier, which all increments follow; NOT_ONE: not all
                    do */
  guint *appends;  /* of these as an array that is appended to */
  guint *counters; /* per array: as `holds` */
  gboolean changed;
} Appends;

/* Does it add a small number to an object that it names? A program has too few events for an
 * overflow. */
static gboolean increments (const RspExpr *expr) {
  const RspCall *call = expr->kind == RSP_EXPR_CALL ? expr->u.call : NULL;
  return call && call->kind == RSP_CALL_FETCH && call->op == RSP_OP_ADD && !call->function
         && !call->words && call->scope >= RSP_SCOPE_DEVICE
         && call->object->kind == RSP_EXPR_LOCATION && call->value->kind == RSP_EXPR_CONSTANT
         && call->value->u.constant > 0 && call->value->u.constant <= MAX_STEP;
}

static void count_use (gpointer data, const RspExpr *expr) {
  Appends *a = data;
  if (expr->kind == RSP_EXPR_LOCATION)
    a->uses[a->program->locations[expr->u.object].object]++;
  else if (increments (expr))
    a->increments[expr->u.call->object->u.object]++;
}

/* ---- Counters that are set first ---- */
/* `if (i == 0) *n = 0; barrier (CLK_LOCAL_MEM_FENCE);` before anything else is done with n, a local
 * variable. */

static void count_early (gpointer data, const RspExpr *expr) {
  Appends *a = data;
  if (increments (expr))
    a->resets[expr->u.call->object->u.object] = NOT_ONE;
}

static void count_reset (gpointer data, const RspStatement *statement) {
  Appends *a = data;
  const RspExpr *expr = statement->kind == RSP_STATEMENT_EXPRESSION ? statement->expr : NULL;
  if (!expr || expr->kind != RSP_EXPR_ASSIGN || expr->u.node.op != RSP_OP_NONE
      || expr->u.node.b->kind != RSP_EXPR_CONSTANT || expr->u.node.b->u.constant < 0
      || expr->u.node.b->u.constant > MAX_START)
    return;
  const RspExpr *to
      = expr->u.node.a->kind == RSP_EXPR_DEREF ? expr->u.node.a->u.node.a : expr->u.node.a;
  if (to->kind == RSP_EXPR_LOCATION
      && a->program->locations[to->u.object].type.space == RSP_SPACE_LOCAL
      && a->resets[to->u.object] != NOT_ONE)
    a->resets[to->u.object]++;
}

/* May it end the thread, or wait? */
static gboolean stops (const RspStatement *statement) {
  switch (statement ? statement->kind : RSP_STATEMENT_EMPTY) {
  case RSP_STATEMENT_EMPTY:
  case RSP_STATEMENT_EXPRESSION:
  case RSP_STATEMENT_DECLARATION:
  case RSP_STATEMENT_ASSUME:
  case RSP_STATEMENT_ASSERT:
    return FALSE;
  case RSP_STATEMENT_BLOCK:
    for (const RspStatement *s = statement->first; s; s = s->next)
      if (stops (s))
        return TRUE;
    return FALSE;
  case RSP_STATEMENT_IF:
    return stops (statement->body) || stops (statement->otherwise);
  default:
    return TRUE;
  }
}

/* Returns the first barrier of the thread that is walked, if all work-items come to it and it is
 * for local memory. */
static const RspStatement *count_resets (Appends *a) {
  const RspWalk early = { count_reset, count_early, a };
  RspStatement *s = a->thread->body;
  while (s && s->kind == RSP_STATEMENT_BLOCK && !s->next)
    s = s->first;
  for (; s && !stops (s); s = s->next)
    rsp_walk_statement (&early, s);
  const gboolean orders = s && s->kind == RSP_STATEMENT_BARRIER && !s->sub_group && !s->words
                          && s->scope >= RSP_SCOPE_WORK_GROUP && s->flags & RSP_FENCE_LOCAL;
  return orders ? s : NULL;
}

static void find_resets (Appends *a) {
  const RspStatement *barrier = NULL;
  gboolean alike = TRUE;
  for (guint i = 0; i < a->program->n_threads; i++) {
    a->thread = &a->program->threads[i];
    const RspStatement *own = count_resets (a);
    alike = alike && own && (!barrier || barrier->span.begin == own->span.begin);
    barrier = own;
  }
  for (guint i = 0; i < a->program->n_locations; i++)
    if (!alike || a->resets[i] == NOT_ONE)
      a->resets[i] = 0;
}

static void count_address (Appends *a, gint64 value) {
  if (rsp_is_address (value) && rsp_address_object (value) < a->program->n_locations)
    a->uses[rsp_address_object (value)]++;
}

/* ---- Their numbers ---- */
static void join (Appends *a, guint *to, guint counter) {
  const guint both = *to == NO_COUNTER || *to == counter ? counter : NOT_ONE;
  a->changed |= counter != NO_COUNTER && both != *to;
  if (counter != NO_COUNTER)
    *to = both;
}

/* The counter of which the value is a result, as in `holds`. */
static guint counter_of (const Appends *a, const RspExpr *value) {
  while (value->kind == RSP_EXPR_CAST && !value->type.is_float && value->type.bits >= 32)
    value = value->u.node.a;
  if (value->kind == RSP_EXPR_REGISTER && value->type.bits >= 32)
    return a->holds[value->u.reg];
  if (!increments (value) || value->type.bits < 32)
    return NOT_ONE;
  const guint object = value->u.call->object->u.object;
  const RspLocation *location = &a->program->locations[object];
  return a->uses[object] == a->increments[object] + a->resets[object] && !location->any
                 && !location->argument && location->initial >= 0 && location->initial <= MAX_START
             ? object + 1
             : NOT_ONE;
}

static void note_register (gpointer data, const RspExpr *expr) {
  Appends *a = data;
  const RspExpr *to = expr->kind == RSP_EXPR_ASSIGN || expr->kind == RSP_EXPR_STEP
                              || expr->kind == RSP_EXPR_ADDRESS
                          ? expr->u.node.a
                          : NULL;
  if (to && to->kind == RSP_EXPR_REGISTER)
    join (a, &a->holds[to->u.reg],
          expr->kind == RSP_EXPR_ASSIGN && expr->u.node.op == RSP_OP_NONE
              ? counter_of (a, expr->u.node.b)
              : NOT_ONE);
}

/* The place in a, if the statement is `a[i] = e`; else NULL. */
static RspExpr *appended (const RspStatement *statement) {
  const RspExpr *expr = statement->kind == RSP_STATEMENT_EXPRESSION ? statement->expr : NULL;
  RspExpr *place = expr && expr->kind == RSP_EXPR_ASSIGN && expr->u.node.op == RSP_OP_NONE
                           && expr->u.node.a->kind == RSP_EXPR_DEREF
                       ? expr->u.node.a->u.node.a
                       : NULL;
  return place && place->kind == RSP_EXPR_BINARY && place->u.node.op == RSP_OP_ADD
                 && place->u.node.a->kind == RSP_EXPR_LOCATION
             ? place
             : NULL;
}

static void count_append (gpointer data, const RspStatement *statement) {
  Appends *a = data;
  const RspExpr *place = appended (statement);
  if (!place)
    return;
  const guint array = place->u.node.a->u.object;
  a->appends[array]++;
  join (a, &a->counters[array], counter_of (a, place->u.node.b));
}

static void find_appends (Appends *a) {
  const RspWalk registers = { .expression = note_register, .data = a },
                appends = { .statement = count_append, .data = a };
  for (guint i = 0; i < a->program->n_threads; i++) {
    a->thread = &a->program->threads[i];
    a->holds = g_new0 (guint, a->thread->n_registers + 1);
    for (guint r = 0; r < a->thread->n_registers; r++)
      if (!a->thread->registers[r].unset || a->thread->registers[r].n_elements > 1)
        a->holds[r] = NOT_ONE;
    do {
      a->changed = FALSE;
      rsp_walk_statement (&registers, a->thread->body);
    } while (a->changed);
    rsp_walk_statement (&appends, a->thread->body);
    g_clear_pointer (&a->holds, g_free);
  }
}

static gboolean is_left_out (const Appends *a, guint array) {
  const RspLocation *location = &a->program->locations[array];
  return location->grows && !location->declared && !location->atomic && !location->fixed
         && a->counters[array] != NO_COUNTER && a->counters[array] != NOT_ONE
         && a->uses[array] == a->appends[array];
}

/* What the index and the value are is still evaluated. */
static void leave_out_append (gpointer data, const RspStatement *statement) {
  RspExpr *place = appended (statement), *expr = statement->expr;
  if (!place || !is_left_out (data, place->u.node.a->u.object))
    return;
  RspExpr *value = expr->u.node.b;
  expr->kind = RSP_EXPR_BINARY;
  expr->type = value->type;
  expr->u.node.op = RSP_OP_COMMA;
  expr->u.node.a = place->u.node.b;
  expr->u.node.b = value;
}

static void leave_out_appends (RspProgram *program) {
  const guint n = program->n_locations;
  g_autofree guint *counts = g_new0 (guint, 5 * (gsize) n + 1);
  Appends a = { .program = program,
                .uses = counts,
                .increments = counts + n,
                .appends = counts + 2 * (gsize) n,
                .counters = counts + 3 * (gsize) n,
                .resets = counts + 4 * (gsize) n };
  for (guint i = 0; i < n; i++)
    count_address (&a, program->locations[i].initial);
  for (guint t = 0; t < program->n_threads; t++)
    for (guint r = 0; r < program->threads[t].n_registers; r++)
      count_address (&a, program->threads[t].registers[r].initial);
  const RspWalk uses = { .expression = count_use, .data = &a },
                leave_out = { .statement = leave_out_append, .data = &a };
  for (guint t = 0; t < program->n_threads; t++)
    rsp_walk_statement (&uses, program->threads[t].body);
  find_resets (&a);
  find_appends (&a);
  for (guint i = 0; i < program->n_observables; i++)
    if (!program->observables[i].is_register)
      a.uses[program->locations[program->observables[i].location].object]++;
  for (guint t = 0; t < program->n_threads; t++)
    rsp_walk_statement (&leave_out, program->threads[t].body);
}

/* ---- The whole ---- */
gboolean rsp_model_is_phased (const RspModel *model, const RspCheckOptions *check) {
  const char text[] = "OpenCL phases\n{ [x]=0; [y]=0; [a]=0; [b]=0; [n]=0; }\n"
                      "P0 (global int* x, global int* y, global int* a, local int* b,\n"
                      "    global atomic_int* n) {\n"
                      "  int r3 = atomic_fetch_add_explicit(n, 1, memory_order_relaxed);\n"
                      "  int r0 = *x;\n  if (r0 == 1) { *y = 1; }\n  *a = 1;\n  *b = 1;\n"
                      "  A: barrier(CLK_GLOBAL_MEM_FENCE);\n  B: barrier(CLK_LOCAL_MEM_FENCE);\n}\n"
                      "P1 (global int* x, global int* y, global int* a, local int* b,\n"
                      "    global atomic_int* n) {\n"
                      "  int r3 = atomic_fetch_add_explicit(n, 1, memory_order_relaxed);\n"
                      "  int r0 = *y;\n  if (r0 == 1) { *x = 1; }\n"
                      "  A: barrier(CLK_GLOBAL_MEM_FENCE);\n  int r1 = *a;\n"
                      "  B: barrier(CLK_LOCAL_MEM_FENCE);\n  int r2 = *b;\n}\n"
                      "P2 (global atomic_int* n) {\n"
                      "  int r3 = atomic_fetch_add_explicit(n, 1, memory_order_relaxed);\n}\n"
                      "P3 (global atomic_int* n) {\n"
                      "  int r3 = atomic_fetch_add_explicit(n, 1, memory_order_relaxed);\n}\n"
                      "scopeTree (device (work_group P0 P1) (work_group P2))\n"
                      "          (device (work_group P3))\n"
                      "exists (0:r0=1 \\/ 1:r1=0 \\/ 1:r2=0\n"
                      "        \\/ (0:r3=0 /\\ (1:r3=0 \\/ 2:r3=0 \\/ 3:r3=0)))\n";
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  g_autoptr (RspSource) source = rsp_source_new ("phases", g_strdup (text), strlen (text));
  g_autoptr (RspProgram) program = rsp_litmus_parse (source, FALSE, unheard);
  g_autoptr (RspOutcome) outcome = program ? rsp_check (program, model, check, unheard) : NULL;
  return outcome && outcome->stop == RSPCHECK_STOP_COMPLETE && outcome->negative
         && !rsp_outcome_may_hold (outcome);
}

static RspKernel *read_once (Explorer *e, const char *path, RspKernelOptions *options) {
  g_autoptr (RspDiagnostics) own = rsp_diagnostics_new ();
  options->facts = e->facts;
  e->grown = FALSE;
  e->kernel = rsp_kernel_read (path, options, own);
  options->facts = NULL;                      /* the caller may let go of them */
  rsp_diagnostics_move (e->diagnostics, own); /* warnings once */
  if (!e->kernel)
    return NULL;
  e->uses = g_new0 (Use, e->kernel->program->n_locations + 1);
  const gboolean scheduled = options->ends >= RSP_PHASES_SCHEDULED,
                 phased = options->phased && !e->kernel->program->language->tagged;
  if (phased)
    leave_out_appends (e->kernel->program);
  if (scheduled || phased) {
    RspBudget budget
        = { .deadline = rsp_deadline_in (e->check->timeout), .max_memory = RSP_DEFAULT_MEMORY };
    const RspPathOptions paths = { .unroll = e->check->unroll,
                                   .unroll_all = e->check->unroll_all,
                                   .cas_writeback = TRUE,
                                   .budget = &budget };
    rsp_phases_find (e->kernel->program, &paths, options->ends);
  }
  explore (e);
  if (!e->failed && !e->grown && apply_uses (e, scheduled))
    explore (e); /* copies of unknown values are unknown too */
  g_free (e->uses);
  return e->kernel;
}

RspKernel *rsp_kernel_explore (const char *path, RspKernelOptions *options, GPtrArray *facts,
                               const RspCheckOptions *check, RspDiagnostics *diagnostics) {
  Explorer e = { .facts = facts,
                 .check = check,
                 .diagnostics = diagnostics,
                 .most = options->most ? options->most : G_MAXUINT,
                 .guessed = MAX (options->guessed, RSP_KERNEL_MAX_GUESSED) };
  for (guint i = 0; i < MAX_READINGS; i++) {
    RspKernel *kernel = read_once (&e, path, options);
    if (kernel)
      kernel->stunted = e.stunted;
    if (kernel && !e.failed && !e.grown)
      return kernel;
    rsp_kernel_free (kernel);
    if (!kernel || e.failed)
      return NULL;
  }
  rsp_error (diagnostics, RSP_NOWHERE, "`-arg x[8]=0` gives an array its size",
             "the kernel's arrays grow without end");
  return NULL;
}

/* ---- Run ------------------------------------------------------------------------------------ */

char *rsp_run_options_format (const RspRunOptions *options, const char *const *variants) {
  g_autofree char *check = rsp_options_format (&options->check, variants);
  GString *text = g_string_new (check);
  if (options->explain)
    g_string_append (text, " explain=true");
  if (options->explain && options->candidates)
    g_string_append_printf (text, " candidates=%u", options->candidates);
  for (guint i = 0; options->outcomes && options->outcomes[i]; i++)
    g_string_append_printf (text, " outcome=%s", options->outcomes[i]);
  for (guint i = 0; i < options->n_progress; i++) {
    g_autofree char *model = rsp_progress_format (&options->progress[i]);
    g_string_append_printf (text, " progress=%s", model);
  }
  return g_string_free (text, FALSE);
}

RspRecord *rsp_run_begin (const RspProgram *program, const char *path, const char *label,
                          const char *reason) {
  RspRecord *record = rsp_record_new (program->name, path, label, reason);
  rsp_record_set_program (record, program);
  return record;
}

static void explain (const RspProgram *program, const RspModel *model, const RspRunOptions *options,
                     const RspOutcome *outcome, RspRecord *record, RspDiagnostics *diagnostics) {
  RspExplanations *all = rsp_explanations_new ();
  RspCheckOptions rest = rsp_check_options_rest (&options->check, record->seconds);
  for (guint i = 0; options->outcomes && options->outcomes[i]; i++) {
    /* The proposition that the text of a state denotes. */
    g_auto (GStrv) atoms = g_strsplit (options->outcomes[i], ";", -1);
    g_autoptr (GString) joined = g_string_new (NULL);
    for (guint k = 0; atoms[k]; k++)
      if (*g_strstrip (atoms[k]))
        g_string_append_printf (joined, "%s%s", joined->len ? " /\\ " : "", atoms[k]);
    char *text = g_strdup_printf ("exists (%s)", joined->len ? joined->str : "true");
    g_autoptr (RspSource) source = rsp_source_new ("-outcome", text, strlen (text));
    RspSpan question = { source, 0, (guint) source->length };
    g_autoptr (RspDiagnostics) own = rsp_diagnostics_new ();
    g_autoptr (RspProgram) questioned
        = rsp_litmus_parse_with_question (program->source, question, FALSE, own);
    if (!questioned)
      rsp_diagnostics_move (diagnostics, own);
    else {
      RspProgram translated = program->translation
                                  ? rsp_translation_apply (program->translation, questioned)
                                  : *questioned;
      rsp_explain (all, &translated, model, &rest, NULL, diagnostics);
    }
  }
  if (options->outcomes && options->outcomes[0])
    rsp_explain_flags (all, program, model, &rest, outcome, diagnostics);
  else
    rsp_explain (all, program, model, &rest, outcome, diagnostics);
  rsp_record_set_explanations (record, all);
}

static RspcheckStop run_one (const RspProgram *program, const RspModel *model,
                             const RspRunOptions *options, RspRecord *record,
                             RspDiagnostics *diagnostics) {
  gint64 start = g_get_monotonic_time ();
  g_autoptr (RspArena) arena = rsp_arena_new ();
  if (options->check.outcome_reads)
    program = rsp_program_show_reads (program, arena);
  /* Hangs are searched for first, in at most half of the time, so that the answer does not depend
   * on whether the search for states, which may take much longer, ends. */
  RspCheckOptions half = options->check;
  half.timeout /= 2;
  g_autoptr (RspDiagnostics) about_hangs = rsp_diagnostics_new ();
  RspHangs *hangs = options->n_progress ? rsp_hangs_find (program, model, &half, options->progress,
                                                          options->n_progress, NULL, about_hangs)
                                        : NULL;
  double spent = (double) (g_get_monotonic_time () - start) / 1e6;
  RspCheckOptions check = rsp_check_options_rest (&options->check, spent);
  g_autoptr (RspOutcome) outcome = rsp_check (program, model, &check, diagnostics);
  rsp_record_set_outcome (record, outcome, &options->check);
  record->seconds = (double) (g_get_monotonic_time () - start) / 1e6;
  /* A test with an error has no answer to this question either. */
  if (hangs && record->status != RSP_STATUS_ERROR) {
    rsp_diagnostics_move (diagnostics, about_hangs);
    rsp_record_set_hangs (record, hangs, &half, options->explain);
  }
  rsp_hangs_free (hangs);
  if (options->evidence && rsp_record_is_ok (record)) {
    RspCheckOptions rest = rsp_check_options_rest (&options->check, record->seconds);
    RspcheckStop stop;
    g_autoptr (GPtrArray) evidence = rsp_evidence_find (model, &rest, outcome, &stop);
    if (stop != RSPCHECK_STOP_COMPLETE)
      rsp_warning (diagnostics, RSP_NOWHERE, "-timeout or -max-memory may help",
                   "test %s: model %s: the search for what raises its flags did not finish",
                   program->name, model->name);
    rsp_record_set_evidence (record, evidence);
  }
  if (options->explain && rsp_record_is_ok (record))
    explain (program, model, options, outcome, record, diagnostics);
  if (options->explain && options->candidates && rsp_record_is_ok (record)) {
    RspCheckOptions rest = rsp_check_options_rest (&options->check, record->seconds);
    const RspCandidateViews *found
        = rsp_candidates_find (program, model, &rest, options->candidates, arena, diagnostics);
    if (found)
      rsp_record_set_candidates (record, found);
  }
  if (options->show != RSPCHECK_SHOW_NONE && rsp_record_is_ok (record)) {
    RspCheckOptions rest = rsp_check_options_rest (&options->check, record->seconds);
    record->shown_arena = rsp_arena_new ();
    rsp_show (program, model, &rest, options->show, options->most_shown, record->shown_arena,
              record->shown, diagnostics);
  }
  return outcome->stop;
}

/* ---- All placements ------------------------------------------------------------------------- */

/* The records of a test at all placements, up to symmetry, and one for all. */
typedef struct Everywhere {
  const RspPlacements *placements;
  RspRecord **records; /* per placement; NULL: another one has its answer */
  guint shown;         /* the placement that explains the answer */
} Everywhere;

static const RspPlacement *placement_at (const Everywhere *all, guint i) {
  return &g_array_index (all->placements->all, RspPlacement, i);
}

/* The first without an answer, else the first with the answer No, with a flag, or of all. */
static guint choose_shown (const Everywhere *all) {
  for (guint what = 0; what < 3; what++)
    for (guint i = 0; i < all->placements->all->len; i++) {
      const RspRecord *record = all->records[i];
      if (record
          && (what == 0   ? !rsp_record_is_ok (record)
              : what == 1 ? !record->answer
                          : record->flags->len > 0))
        return i;
    }
  return 0;
}

/* The answer to a question about all placements: Ok if it is at each of them; states and flags are
 * those of any. Explanations and pictures are of one placement, whose tree the record names. */
static RspcheckStop run_everywhere (const RspProgram *program, const RspModel *model,
                                    const RspRunOptions *options, RspRecord *record,
                                    RspDiagnostics *diagnostics) {
  g_autoptr (RspPlacements) placements
      = rsp_placements_new (program, model, &options->check, NULL, 0, diagnostics);
  if (!placements)
    return RSPCHECK_STOP_ERROR;
  const guint n = placements->all->len;
  Everywhere all = { placements, g_new0 (RspRecord *, n + 1), 0 };
  RspRunOptions only_check = { .check = options->check };
  for (guint i = 0; i < n; i++) {
    const RspPlacement *placement = placement_at (&all, i);
    if (placement->first != i || placement->same != i)
      continue;
    all.records[i] = rsp_run_begin (placement->program, record->path, record->model, "");
    g_autoptr (RspDiagnostics) own = rsp_diagnostics_new ();
    run_one (placement->program, model, &only_check, all.records[i], own);
    if (!rsp_record_is_ok (all.records[i]))
      rsp_diagnostics_move (diagnostics, own);
  }
  all.shown = choose_shown (&all);
  RspcheckStop stop
      = run_one (placement_at (&all, all.shown)->program, model, options, record, diagnostics);
  g_autofree RspTruth *truth = g_new (RspTruth, n + 1);
  for (guint i = 0; i < n; i++) {
    const guint first = placement_at (&all, i)->first;
    const RspRecord *same = all.records[placement_at (&all, first)->same];
    truth[i] = rsp_record_is_ok (same) ? rsp_truth (same->answer) : RSP_OPEN;
  }
  g_free (record->scopes);
  record->scopes = rsp_program_format_scopes (placement_at (&all, all.shown)->program);
  record->placements = rsp_placements_describe (placements, truth, "Ok", "No");
  for (guint i = 0; i < n; i++)
    if (all.records[i] && i != all.shown && rsp_record_is_ok (record)) {
      const RspRecord *other = all.records[i];
      /* Adds what another placement says. */
      record->positive += other->positive;
      record->negative += other->negative;
      record->undetermined += other->undetermined;
      record->n_undefined += other->n_undefined;
      record->has_undefined |= other->has_undefined;
      record->loop |= other->loop;
      record->answer &= other->answer;
      if (record->observation != other->observation)
        record->observation = RSPCHECK_SOMETIMES;
      for (guint k = 0; k < other->flags->len; k++)
        if (!rsp_record_has_flag (record, other->flags->pdata[k]))
          rsp_record_add_flag (record, other->flags->pdata[k]);
      rsp_record_join_states (record, other);
    }
  for (guint i = 0; i < n; i++)
    rsp_record_free (all.records[i]);
  g_free (all.records);
  return stop;
}

RspcheckStop rsp_run (const RspProgram *program, const RspModel *model,
                      const RspRunOptions *options, RspRecord *record,
                      RspDiagnostics *diagnostics) {
  return (program->all_placements ? run_everywhere : run_one) (program, model, options, record,
                                                               diagnostics);
}
