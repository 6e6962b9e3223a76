/* Fewer paths: states that no later access can tell apart are merged. */
#include "enumerator/paths/internal.h"
#include "enumerator/paths/paths.h"
#include "enumerator/terms/terms.h"

#include <string.h>

/* ---- Names ---------------------------------------------------------------------------------- */

/* Names of events that paths share: an access of the source, and the number of later events of the
 * same access on the path. */

typedef struct Name {
  guint thread; /* the first that runs the same code */
  guint begin;  /* of the access, from that of the thread's body */
  guint kind, location, order;
  guint flags; /* is_atomic, failed_rmw, barrier_passes */
  guint after; /* number of later ones on the path */
} Name;

static guint hash_name (gconstpointer key) {
  const Name *name = key;
  guint hash = name->thread;
  hash = hash * 31 + name->begin;
  hash = hash * 31 + name->kind;
  hash = hash * 31 + name->location;
  hash = hash * 31 + name->flags;
  return hash * 31 + name->after;
}

static gboolean equal_names (gconstpointer a, gconstpointer b) {
  return memcmp (a, b, sizeof (Name)) == 0;
}

/* Names the events of a path; `numbers` is shared by all threads that run the same code. */
static void name_path (const RspProgram *program, guint thread, guint like, RspPath *path,
                       GHashTable *numbers, RspArena *arena) {
  g_autoptr (GHashTable) seen = g_hash_table_new (hash_name, equal_names);
  path->names = rsp_arena_new0 (arena, guint, path->n_events + 1);
  for (guint e = path->n_events; e-- > 0;) {
    Name *name = rsp_arena_new0 (arena, Name, 2);

    name[0] = name[1] = (Name){
      .thread = like,
      .begin = path->events[e].span.begin - program->threads[thread].body->span.begin,
      .kind = path->events[e].kind,
      .location = path->events[e].location,
      .order = path->events[e].order,
      .flags = (path->events[e].is_atomic ? 1u : 0) | (path->events[e].failed_rmw ? 2u : 0)
               | (path->events[e].no_result ? 4u : 0) | (path->events[e].barrier_passes ? 8u : 0)
               | (rsp_event_reads_any (&path->events[e]) ? 16u : 0)
               | (path->events[e].tags & RSP_TAG_BIT (USED) ? 32u : 0)
    };
    name[1].after = GPOINTER_TO_UINT (g_hash_table_lookup (seen, &name[0]));
    g_hash_table_insert (seen, &name[0], GUINT_TO_POINTER (name[1].after + 1));
    gpointer number = g_hash_table_lookup (numbers, &name[1]);
    if (!number) {
      number = GUINT_TO_POINTER (g_hash_table_size (numbers) + 1);
      g_hash_table_insert (numbers, &name[1], number);
    }
    path->names[e] = GPOINTER_TO_UINT (number) - 1;
  }
}

RspNames *rsp_paths_name_events (const RspProgram *program, const guint *like,
                                 GPtrArray *const *paths, RspArena *arena) {
  guint n = program->n_threads;
  RspNames *names = rsp_arena_new0 (arena, RspNames, 1);
  GHashTable **numbers = g_new0 (GHashTable *, n + 1);
  names->n_threads = n;
  names->like = rsp_arena_copy (arena, like, sizeof (guint) * n);
  names->first = rsp_arena_new0 (arena, guint, n + 1);
  names->n = program->n_locations;
  for (guint t = 0; t < n; t++) {
    if (like[t] == t)
      numbers[t] = g_hash_table_new (hash_name, equal_names);
    for (guint i = 0; i < paths[t]->len; i++)
      name_path (program, t, like[t], paths[t]->pdata[i], numbers[like[t]], arena);
  }
  for (guint t = 0; t < n; t++) {
    names->first[t] = names->n;
    names->n += g_hash_table_size (numbers[like[t]]);
  }
  for (guint t = 0; t < n; t++)
    g_clear_pointer (&numbers[t], g_hash_table_unref);
  g_free (numbers);
  return names;
}

/* ---- Escape --------------------------------------------------------------------------------- */

/* Finds the objects whose addresses may be values of pointers in registers or memory: those that
 * are used other than as the place of an access, and those in the initial state. A pointer that was
 * read can denote no other object. And those that atomic operations may access. */

/* What the value of an expression is for: anything, or the address of an access alone. */
typedef enum Use { USE_ANY, USE_ACCESS, USE_ATOMIC } Use;

static void walk (RspExecutor *x, const RspExpr *expr, Use use);

static void visit_statement (RspExecutor *x, const RspStatement *statement);

static void walk_children (RspExecutor *x, const RspExpr *expr, Use use_a, Use use_b) {
  walk (x, expr->u.node.a, use_a);
  walk (x, expr->u.node.b, use_b);
  walk (x, expr->u.node.c, use_b);
}

static void walk_kind (RspExecutor *x, const RspExpr *expr, Use use) {
  const RspExpr *a = expr->u.node.a;
  const gboolean is_sum = expr->kind == RSP_EXPR_CAST || expr->kind == RSP_EXPR_BINARY;
  x->atomic_pointers |= use == USE_ATOMIC && !is_sum && expr->kind != RSP_EXPR_LOCATION
                        && expr->kind != RSP_EXPR_ADDRESS && expr->kind != RSP_EXPR_BLOCK
                        && expr->type.pointers > 0;
  switch (expr->kind) {
  case RSP_EXPR_CONSTANT:
  case RSP_EXPR_REGISTER:
    return;
  case RSP_EXPR_LOCATION:
    if (use != USE_ACCESS)
      x->objects[expr->u.object] |= use == USE_ANY ? RSP_OBJECT_ESCAPES : RSP_OBJECT_ATOMIC;
    return;
  case RSP_EXPR_CALL:
    walk (x, expr->u.call->object, USE_ATOMIC);
    walk (x, expr->u.call->expected, USE_ACCESS);
    walk (x, expr->u.call->value, USE_ANY);
    walk (x, expr->u.call->completion, USE_ANY);
    return;
  case RSP_EXPR_BLOCK:
    visit_statement (x, expr->u.block.body);
    walk (x, expr->u.block.value, use);
    return;
  case RSP_EXPR_DEREF:
  case RSP_EXPR_INDEX:
    walk_children (x, expr, USE_ACCESS, USE_ANY);
    return;
  case RSP_EXPR_ADDRESS:
    if (a->kind == RSP_EXPR_DEREF || a->kind == RSP_EXPR_INDEX)
      walk_children (x, a, use, USE_ANY);
    else
      walk (x, a, use);
    return;
  default:
    use = is_sum ? use : USE_ANY;
    walk_children (x, expr, use, use);
  }
}

static void walk (RspExecutor *x, const RspExpr *expr, Use use) {
  if (!expr)
    return;
  if (executor_enter (x, expr->span))
    walk_kind (x, expr, use);
  executor_leave (x);
}

static void visit_statement (RspExecutor *x, const RspStatement *statement) {
  if (!statement)
    return;
  if (executor_enter (x, statement->span)) {
    walk (x, statement->expr, USE_ANY);
    walk (x, statement->step, USE_ANY);
    visit_statement (x, statement->init);
    visit_statement (x, statement->body);
    visit_statement (x, statement->otherwise);
    for (const RspStatement *s = statement->first; s; s = s->next)
      visit_statement (x, s);
  }
  executor_leave (x);
}

static void note_initial (RspExecutor *x, gint64 value) {
  if (rsp_is_address (value) && rsp_address_object (value) < x->program->n_locations)
    x->objects[rsp_address_object (value)] |= RSP_OBJECT_ESCAPES;
}

/* The statements around the one that asks do not count as levels of those that are visited. */
const guint8 *executor_find_objects (RspExecutor *x) {
  guint depth = x->depth;
  x->depth = 0;
  if (!x->objects) {
    const RspProgram *program = x->program;
    x->objects = rsp_arena_new0 (x->scratch, guint8, program->n_locations + 1);
    for (guint i = 0; i < program->n_locations; i++)
      note_initial (x, program->locations[i].initial);
    for (guint t = 0; t < program->n_threads; t++) {
      const RspThread *thread = &program->threads[t];
      for (guint i = 0; i < thread->n_registers; i++)
        note_initial (x, thread->registers[i].initial);
      visit_statement (x, thread->body);
    }
    for (guint i = 0; i < program->n_locations; i++)
      if (x->atomic_pointers && (x->objects[i] & RSP_OBJECT_ESCAPES))
        x->objects[i] |= RSP_OBJECT_ATOMIC;
  }
  x->depth = depth;
  if (x->gave_up)
    x->objects = NULL;
  return x->objects;
}

/* ---- Live ----------------------------------------------------------------------------------- */

/* Live registers: those that may still be read after a statement, so that states that differ only
 * in others can be merged. The analysis goes backwards over straight-line code; a loop is taken as
 * a whole: registers read anywhere in it, or after it, are live everywhere in it. */

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

static gboolean assigns_register (const RspExpr *expr) {
  return expr->kind == RSP_EXPR_ASSIGN && expr->u.node.op == RSP_OP_NONE
         && expr->u.node.a->kind == RSP_EXPR_REGISTER;
}

/* Adds the registers that an expression may read. Registers whose address it takes escape. */
static void add_reads (RspExecutor *x, const RspExpr *expr, Registers *reads) {
  if (!expr)
    return;
  switch (executor_enter (x, expr->span) ? expr->kind : RSP_EXPR_CONSTANT) {
  case RSP_EXPR_CONSTANT:
  case RSP_EXPR_LOCATION:
    break;
  case RSP_EXPR_REGISTER:
    reads[expr->u.reg] = TRUE;
    break;
  case RSP_EXPR_CALL:
    add_place_reads (x, expr->u.call->object, reads);
    add_place_reads (x, expr->u.call->expected, reads);
    add_reads (x, expr->u.call->value, reads);
    add_reads (x, expr->u.call->completion, reads);
    break;
  case RSP_EXPR_BLOCK:
    add_statement_reads (x, expr->u.block.body, reads, x->all_registers);
    add_reads (x, expr->u.block.value, reads);
    break;
  default:
    if (expr->kind == RSP_EXPR_ADDRESS && expr->u.node.a->kind == RSP_EXPR_REGISTER) {
      /* The address of a register leads to all of its array. */
      const RspRegister *own = &x->thread->registers[expr->u.node.a->u.reg];
      for (guint i = 0; i < MAX (own->n_elements, 1); i++)
        x->escapes[expr->u.node.a->u.reg - own->element + i] = TRUE;
    }
    if (!assigns_register (expr))
      add_reads (x, expr->u.node.a, reads);
    add_reads (x, expr->u.node.b, reads);
    add_reads (x, expr->u.node.c, reads);
  }
  executor_leave (x);
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
    /* Adds the registers that a statement reads itself, without the statements in it. */
    add_reads (x, statement->expr, reads);
    if (statement->barrier) {
      add_reads (x, statement->barrier->name, reads);
      add_reads (x, statement->barrier->quorum, reads);
    }
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

/* Removes what a statement certainly overwrites, and adds what it reads. */
static void step_over (RspExecutor *x, const RspStatement *statement, Registers *live) {
  guint killed = overwritten (statement);
  if (killed != G_MAXUINT && !x->observed[killed] && !x->escapes[killed])
    live[killed] = FALSE;
  add_statement_reads (x, statement, live, NULL);
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
    const RspExpr *expr = statement->expr;
    /* A straight statement turns each state into one state, so that no states are merged after
     * it. */
    gboolean straight = statement->kind == RSP_STATEMENT_DECLARATION
                            ? !expr || expression_is_pure (expr)
                            : statement->kind == RSP_STATEMENT_EXPRESSION && expr
                                  && assigns_register (expr) && expression_is_pure (expr->u.node.b);
    if (straight && !x->gave_up) {
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

/* Code with jumps: repeated from its end until nothing changes, which takes a pass for each jump at
 * most. Then the statements within its statements. */
static Registers *before_code (RspExecutor *x, const RspStatement *code, Registers *after) {
  Registers *scratch = copy_registers (x, after);
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  for (const RspStatement *s = code->first; s; s = s->next) {
    g_ptr_array_add (all, (gpointer) s);
    g_hash_table_insert (x->live, (gpointer) s,
                         rsp_arena_new0 (x->scratch, Registers, x->thread->n_registers + 1));
  }
  for (gboolean changed = TRUE; changed && !x->gave_up;) {
    changed = FALSE;
    /* Adds to the live registers after a statement those before the statements that may follow. */
    for (guint i = all->len; i-- > 0;) {
      const RspStatement *s = all->pdata[i];
      Registers *live = g_hash_table_lookup (x->live, s);
      gboolean jumps = s->kind == RSP_STATEMENT_JUMP;
      if (jumps)
        changed |= add_registers (x, live, before_recorded (x, s->target, scratch));
      if (!jumps || s->expr)
        changed |= add_registers (x, live, s->next ? before_recorded (x, s->next, scratch) : after);
    }
  }
  for (const RspStatement *s = code->first; s; s = s->next)
    if (s->first || s->body)
      live_before (x, s, g_hash_table_lookup (x->live, s));
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
    case RSP_STATEMENT_IF: {
      const Registers *body = live_before (x, statement->body, after),
                      *other
                      = statement->otherwise ? live_before (x, statement->otherwise, after) : after;
      live = copy_registers (x, body);
      for (guint i = 0; i < x->thread->n_registers; i++)
        live[i] |= other[i];
      add_reads (x, statement->expr, live);
      break;
    }
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
  /* A register that stands for a location is read through its address. */
  for (guint i = 0; i < x->program->n_locations; i++) {
    const RspLocation *location = &x->program->locations[i];
    if (location->reg && location->reg < n
        && x->thread->registers[location->reg - 1].name == location->name)
      x->escapes[location->reg - 1] = RSP_STANDS;
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
    add_statement_reads (x, s, read, NULL);
    guint reg = overwritten (s);
    if (reg != G_MAXUINT && !read[reg])
      live[reg] = FALSE;
  }
  for (guint i = 0; i + 1 < n; i++)
    live[i] |= x->escapes[i];
  return live;
}

/* ---- Merge ---------------------------------------------------------------------------------- */

/* Merges states that behave alike from here on and differ only in a condition and its negation: the
 * condition then does not matter. The values read satisfy exactly one of the two, so no execution
 * is lost or counted twice. */

enum {
  WINDOW = 64 /* states to look back at: similar ones are near each other */
};

/* The parts of the states that matter where they meet. */
typedef struct Meeting {
  RspExecutor *x;
  const guint8 *live;
  gboolean at_end;
  GPtrArray *states; /* NULL for states that were merged into others */
  GArray *hashes;
} Meeting;

static gboolean is_ended (const RspState *state) {
  return state->status == RSP_STATE_TRUNCATED || state->status == RSP_STATE_STUCK
         || state->status == RSP_STATE_FAILED;
}

static guint hash_state (const Meeting *meeting, const RspState *state) {
  guint hash = g_direct_hash (state->last) * 31 + (guint) state->status;
  if (is_ended (state))
    return hash * 31 + state->end_span.begin;
  for (guint i = 0; i < meeting->x->thread->n_registers; i++)
    if (meeting->live[i])
      hash = hash * 31 + state->registers[i].term->id;
  return hash;
}

static gboolean are_alike (const Meeting *meeting, const RspState *a, const RspState *b) {
  if (a->last != b->last || a->status != b->status || a->target != b->target || a->round != b->round
      || a->n_waits != b->n_waits || a->wait_begin != b->wait_begin || a->wait_end != b->wait_end)
    return FALSE;
  if (is_ended (a))
    return a->end_span.begin == b->end_span.begin && a->end_span.end == b->end_span.end
           && g_strcmp0 (a->end_message, b->end_message) == 0;
  if (!meeting->at_end && a->ctrl != b->ctrl)
    return FALSE;
  for (guint i = 0; i < meeting->x->thread->n_registers; i++)
    if (meeting->live[i]
        && (a->registers[i].term != b->registers[i].term
            || (!meeting->at_end && a->registers[i].sources != b->registers[i].sources)))
      return FALSE;
  return TRUE;
}

static gboolean implies_all (const RspConstraintNode *a, const RspConstraintNode *b) {
  for (; b; b = b->previous) {
    const RspConstraintNode *node = a;
    while (node && node->constraint.term != b->constraint.term)
      node = node->previous;
    if (!node)
      return FALSE;
  }
  return TRUE;
}

/* The nodes of `from` down to, but excluding, `end`, on top of `base`. */
static const RspConstraintNode *restack (RspExecutor *x, const RspConstraintNode *from,
                                         const RspConstraintNode *end,
                                         const RspConstraintNode *base) {
  if (from == end)
    return base;
  RspConstraintNode *first = NULL, *last = NULL;
  guint length = (base ? base->length : 0) + from->length - end->length;
  guint n_fixing = (base ? base->n_fixing : 0) + from->n_fixing - end->n_fixing;
  for (; from != end; from = from->previous) {
    RspConstraintNode *node = rsp_arena_copy (x->scratch, from, sizeof *from);
    node->length = length--;
    node->n_fixing = n_fixing;
    n_fixing -= constraint_fixes (from->constraint.term);
    if (last)
      last->previous = node;
    else
      first = node;
    last = node;
  }
  last->previous = base;
  return first;
}

/* Merges the constraints of two states into *joined. FALSE if they do not differ in the right
 * way. */
static gboolean join_constraints (RspExecutor *x, const RspConstraintNode *a,
                                  const RspConstraintNode *b, const RspConstraintNode **joined) {
  guint length_a = a ? a->length : 0, length_b = b ? b->length : 0;
  if (length_a != length_b) {
    *joined = length_a < length_b ? a : b;
    return length_a < length_b ? implies_all (b, a) : implies_all (a, b);
  }
  const RspConstraintNode *top = a, *differs = NULL;
  for (; a != b; a = a->previous, b = b->previous) {
    const RspTerm *m = a->constraint.term, *n = b->constraint.term;
    if (m == n)
      continue;
    if (differs || rsp_term_negate_condition (x->terms, m) != n)
      return FALSE;
    differs = a;
  }
  *joined = differs ? restack (x, top, differs, differs->previous) : top;
  return TRUE;
}

/* Merges state j into state i if possible. */
static gboolean join (Meeting *meeting, guint i, guint j) {
  RspState *a = meeting->states->pdata[i], *b = meeting->states->pdata[j];
  const RspConstraintNode *joined;
  if (!a || !b
      || g_array_index (meeting->hashes, guint, i) != g_array_index (meeting->hashes, guint, j)
      || !are_alike (meeting, a, b)
      || !join_constraints (meeting->x, a->constraints, b->constraints, &joined))
    return FALSE;
  a->constraints = joined;
  a->end_any |= b->end_any;
  state_drop (meeting->x, b);
  meeting->states->pdata[j] = NULL;
  return TRUE;
}

/* Merges state i with one near it. Returns the number of the merged state, or G_MAXUINT. */
static guint join_near (Meeting *meeting, guint i) {
  guint begin = i > WINDOW ? i - WINDOW : 0;
  guint end = MIN (i + WINDOW, meeting->states->len);
  for (guint j = i; j-- > begin;)
    if (join (meeting, j, i))
      return j;
  for (guint j = i + 1; j < end; j++)
    if (join (meeting, i, j))
      return i;
  return G_MAXUINT;
}

void states_merge (RspExecutor *x, RspStates *states, const guint8 *live) {
  if (states->first == states->last || x->gave_up)
    return;
  Meeting meeting = { .x = x,
                      .live = live ? live : x->observed,
                      .at_end = !live,
                      .states = g_ptr_array_new (),
                      .hashes = g_array_new (FALSE, FALSE, sizeof (guint)) };
  RspState *state;
  while ((state = states_take (states))) {
    guint hash = hash_state (&meeting, state);
    g_ptr_array_add (meeting.states, state);
    g_array_append_val (meeting.hashes, hash);
  }
  for (guint i = 1; i < meeting.states->len && !executor_is_exhausted (x); i++)
    for (guint joined = i; joined != G_MAXUINT && meeting.states->pdata[joined];)
      joined = join_near (&meeting, joined);
  for (guint i = 0; i < meeting.states->len; i++)
    if (meeting.states->pdata[i])
      states_append (states, meeting.states->pdata[i]);
  g_ptr_array_unref (meeting.states);
  g_array_unref (meeting.hashes);
}
