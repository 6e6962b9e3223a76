/* Symbolic against concrete execution, on random bodies: whatever the reads return, exactly one
 * path has its constraints met, and it is what running the body with these values does. */
#include "enumerator/terms/terms.h"
#include "tests/unit/paths_of.h"
#include "tests/unit/random_body.h"

#include <check.h>

Suite *path_random_suite (void);

/* ---- Concrete execution ---- */

enum { MAX_EVENTS = 400 };

typedef enum Status { RUNNING, BREAKING, CONTINUING, RETURNED, TRUNCATED, FAILED, TOO_LONG } Status;

typedef struct Happened {
  RspEventKind kind;
  guint location;
  gint64 written;
} Happened;

typedef struct Machine {
  const RspProgram *program;
  const RspThread *thread;
  const RspPathOptions *options;
  const RspValue *reads; /* what the read that is event number i returns */
  gint64 registers[16];
  Happened events[MAX_EVENTS];
  guint n_events;
  Status status;
} Machine;

static gint64 value_of (Machine *m, const RspExpr *expr);

static gint64 to_type (gint64 value, const RspType *type) {
  return rsp_wrap (value, rsp_type_bits (type), rsp_type_is_signed (type));
}

static void happen (Machine *m, RspEventKind kind, guint location, gint64 written) {
  if (m->n_events == MAX_EVENTS)
    m->status = TOO_LONG;
  else
    m->events[m->n_events++] = (Happened){ kind, location, written };
}

/* The location of an address; or -1 - register; or fails. */
static gint64 place_of (Machine *m, gint64 address) {
  guint object = rsp_address_object (address);
  gint32 element = rsp_address_element (address);
  if (rsp_is_address (address) && object >= m->program->n_locations
      && object - m->program->n_locations < m->thread->n_registers && element == 0)
    return -1 - (gint64) (object - m->program->n_locations);
  if (rsp_is_address (address) && object < m->program->n_locations
      && m->program->locations[object].object == object && element >= 0
      && (guint) element < m->program->locations[object].n_elements)
    return object + element;
  m->status = FAILED;
  return 0;
}

static gint64 address_of (Machine *m, const RspExpr *expr) {
  if (expr->kind == RSP_EXPR_REGISTER)
    return rsp_address (m->program->n_locations + expr->u.reg, 0);
  if (expr->kind == RSP_EXPR_DEREF)
    return value_of (m, expr->u.node.a);
  gint64 base = value_of (m, expr->u.node.a);
  return base + (m->status == RUNNING ? value_of (m, expr->u.node.b) : 0);
}

static gint64 read_place (Machine *m, gint64 place, RspEventKind kind) {
  if (m->status != RUNNING)
    return 0;
  if (place < 0)
    return m->registers[-1 - place];
  gint64 value = m->n_events < MAX_EVENTS ? m->reads[m->n_events].bits : 0;
  happen (m, kind, (guint) place, 0);
  return to_type (value, &m->program->locations[place].type);
}

static void write_place (Machine *m, gint64 place, gint64 value) {
  if (m->status != RUNNING)
    return;
  if (place < 0)
    m->registers[-1 - place] = to_type (value, &m->thread->registers[-1 - place].type);
  else
    happen (m, RSP_EVENT_WRITE, (guint) place, to_type (value, &m->program->locations[place].type));
}

static gint64 operate (Machine *m, RspOperator op, gint64 a, gint64 b) {
  gint64 result = 0;
  if (m->status == RUNNING && !rsp_fold_binary (op, a, b, 32, TRUE, &result))
    m->status = FAILED;
  return result;
}

static gint64 call (Machine *m, const RspCall *c) {
  gint64 object = value_of (m, c->object);
  gint64 expected = m->status == RUNNING && c->expected ? value_of (m, c->expected) : 0;
  gint64 operand = m->status == RUNNING && c->value ? value_of (m, c->value) : 0;
  if (m->status != RUNNING)
    return 0;
  if (c->kind == RSP_CALL_CAS) {
    gint64 compared = read_place (m, place_of (m, expected), RSP_EVENT_READ);
    gint64 place = place_of (m, object);
    gint64 found = read_place (m, place, RSP_EVENT_READ);
    if (m->status == RUNNING && found == compared)
      m->events[m->n_events - 1] = (Happened){ RSP_EVENT_RMW, (guint) place, operand };
    return found == compared;
  }
  gint64 place = place_of (m, object);
  if (c->kind == RSP_CALL_LOAD)
    return read_place (m, place, RSP_EVENT_READ);
  if (c->kind == RSP_CALL_STORE) {
    write_place (m, place, operand);
    return 0;
  }
  gint64 old = read_place (m, place, RSP_EVENT_RMW);
  if (m->status == RUNNING)
    m->events[m->n_events - 1].written = operate (m, c->op, old, operand);
  return old;
}

static gint64 modify (Machine *m, const RspExpr *expr) {
  gboolean step = expr->kind == RSP_EXPR_STEP, plain = !step && expr->u.node.op == RSP_OP_NONE;
  gint64 address = address_of (m, expr->u.node.a);
  gint64 b = 1;
  if (!step && m->status == RUNNING)
    b = value_of (m, expr->u.node.b);
  if (m->status != RUNNING)
    return 0;
  gint64 place = place_of (m, address);
  gint64 old = plain ? 0 : read_place (m, place, RSP_EVENT_READ);
  gint64 result = plain ? b : operate (m, expr->u.node.op, old, b);
  write_place (m, place, result);
  return step && expr->u.node.post ? old : result;
}

static gint64 binary (Machine *m, const RspExpr *expr) {
  RspOperator op = expr->u.node.op;
  gint64 a = value_of (m, expr->u.node.a);
  if (m->status != RUNNING)
    return 0;
  if (op == RSP_OP_LOGICAL_AND || op == RSP_OP_LOGICAL_OR) {
    if ((a != 0) == (op == RSP_OP_LOGICAL_OR))
      return a != 0;
    return value_of (m, expr->u.node.b) != 0;
  }
  gint64 b = value_of (m, expr->u.node.b);
  return operate (m, op, a, b);
}

static gint64 value_of (Machine *m, const RspExpr *expr) {
  const RspExpr *a = expr->u.node.a;
  if (m->status != RUNNING)
    return 0;
  switch (expr->kind) {
  case RSP_EXPR_CONSTANT:
    return expr->u.constant;
  case RSP_EXPR_LOCATION:
    return rsp_address (expr->u.object, 0);
  case RSP_EXPR_REGISTER:
    return m->registers[expr->u.reg];
  case RSP_EXPR_UNARY:
    return value_of (m, a) == 0; /* only ! is made */
  case RSP_EXPR_BINARY:
    return binary (m, expr);
  case RSP_EXPR_CAST:
    return to_type (value_of (m, a), &expr->type);
  case RSP_EXPR_DEREF:
  case RSP_EXPR_INDEX: {
    gint64 address = address_of (m, expr);
    return m->status == RUNNING ? read_place (m, place_of (m, address), RSP_EVENT_READ) : 0;
  }
  case RSP_EXPR_ADDRESS:
    return address_of (m, a);
  case RSP_EXPR_CONDITIONAL: {
    gint64 first = value_of (m, a);
    return value_of (m, first ? expr->u.node.b : expr->u.node.c);
  }
  case RSP_EXPR_ASSIGN:
  case RSP_EXPR_STEP:
    return modify (m, expr);
  default:
    return call (m, expr->u.call);
  }
}

static void run (Machine *m, const RspStatement *s);

static void run_loop (Machine *m, const RspStatement *s) {
  gboolean first = s->kind == RSP_STATEMENT_DO;
  if (s->init)
    run (m, s->init);
  for (guint round = 0; m->status == RUNNING; round++) {
    if (!first && s->expr && !value_of (m, s->expr))
      return;
    first = FALSE;
    if (m->status != RUNNING)
      return;
    if (round == m->options->unroll) {
      m->status = TRUNCATED;
      return;
    }
    run (m, s->body);
    if (m->status == CONTINUING)
      m->status = RUNNING;
    if (m->status == RUNNING && s->step)
      value_of (m, s->step);
  }
  if (m->status == BREAKING)
    m->status = RUNNING;
}

static void run (Machine *m, const RspStatement *s) {
  if (m->status != RUNNING)
    return;
  switch (s->kind) {
  case RSP_STATEMENT_EXPRESSION:
    value_of (m, s->expr);
    return;
  case RSP_STATEMENT_DECLARATION:
    if (s->expr) {
      gint64 value = value_of (m, s->expr);
      m->registers[s->reg] = to_type (value, &m->thread->registers[s->reg].type);
    }
    return;
  case RSP_STATEMENT_BLOCK:
    for (const RspStatement *child = s->first; child; child = child->next)
      run (m, child);
    return;
  case RSP_STATEMENT_IF:
    if (value_of (m, s->expr))
      run (m, s->body);
    else if (s->otherwise)
      run (m, s->otherwise);
    return;
  case RSP_STATEMENT_BREAK:
    m->status = BREAKING;
    return;
  case RSP_STATEMENT_CONTINUE:
    m->status = CONTINUING;
    return;
  case RSP_STATEMENT_RETURN:
    m->status = RETURNED;
    return;
  case RSP_STATEMENT_BARRIER:
    happen (m, RSP_EVENT_ENTRY, RSP_NO_LOCATION, 0);
    happen (m, RSP_EVENT_EXIT, RSP_NO_LOCATION, 0);
    return;
  case RSP_STATEMENT_EMPTY:
    return;
  default:
    run_loop (m, s);
  }
}

/* ---- The comparison ---- */

static gboolean is_met (const RspPath *path, const RspValue *reads) {
  for (guint i = 0; i < path->n_constraints; i++) {
    RspValue value;
    if (!rsp_term_evaluate (path->constraints[i].term, reads, &value, NULL) || !value.bits)
      return FALSE;
  }
  return TRUE;
}

static RspPathEnd end_of (Status status) {
  return status == TRUNCATED ? RSP_PATH_TRUNCATED
         : status == FAILED  ? RSP_PATH_FAILED
                             : RSP_PATH_COMPLETE;
}

static gboolean is_the_same (const RspPath *path, const Machine *m, const PathsOf *p) {
  if (path->end != end_of (m->status) || path->n_events != m->n_events)
    return FALSE;
  for (guint i = 0; i < path->n_events; i++) {
    const RspEvent *event = &path->events[i];
    RspValue value = { 0 };
    if (event->kind != m->events[i].kind || event->location != m->events[i].location)
      return FALSE;
    if (event->written
        && (!rsp_term_evaluate (event->written, m->reads, &value, NULL)
            || value.bits != m->events[i].written))
      return FALSE;
  }
  for (guint i = 0; i < p->program->n_observables && path->end == RSP_PATH_COMPLETE; i++) {
    const RspObservable *observable = &p->program->observables[i];
    RspValue value;
    if (observable->is_register
        && (!rsp_term_evaluate (path->finals[observable->reg], m->reads, &value, NULL)
            || value.bits != m->registers[observable->reg]))
      return FALSE;
  }
  return TRUE;
}

/* How many paths the values may take; the test fails if the last of them is another execution. */
static guint count_met (PathsOf *p, const Machine *m, const char *body) {
  guint met = 0;
  for (guint i = 0; i < p->paths[0]->len; i++)
    if (is_met (path_number (p, 0, i), m->reads)) {
      met++;
      ck_assert_msg (is_the_same (path_number (p, 0, i), m, p), "%s\ntakes path %s", body,
                     describe_path (p, 0, i));
    }
  return met;
}

static void check_body (GRand *random, const char *body, const char *observed) {
  g_autoptr (PathsOf) p = paths_of_body (body, observed);
  if (!p->complete)
    return; /* too many paths */
  for (guint sample = 0; sample < 20; sample++) {
    g_autofree RspValue *reads = g_new0 (RspValue, MAX_EVENTS + 1);
    for (guint i = 0; i < MAX_EVENTS; i++)
      reads[i].bits = g_rand_int_range (random, -1, 4);
    Machine m = { .program = p->program,
                  .thread = &p->program->threads[0],
                  .options = &p->options,
                  .reads = reads };
    ck_assert_uint_le (m.thread->n_registers, G_N_ELEMENTS (m.registers));
    for (guint i = 0; i < m.thread->n_registers; i++)
      m.registers[i] = m.thread->registers[i].initial;
    run (&m, m.thread->body);
    if (m.status != TOO_LONG)
      ck_assert_msg (count_met (p, &m, body) == 1, "%s\n%u paths", body, count_met (p, &m, body));
  }
}

START_TEST (test_random_bodies) {
  static const char *const observed[] = { "x=0", "0:r0=0", "0:r1=0 /\\ 0:r0=1", "0:r2=0" };
  const char *seed = g_getenv ("RSP_PATH_SEED"), *rounds = g_getenv ("RSP_PATH_ROUNDS");
  GRand *random = g_rand_new_with_seed (seed ? (guint32) g_ascii_strtoull (seed, NULL, 10) : 7);
  guint n = rounds ? (guint) g_ascii_strtoull (rounds, NULL, 10) : 2000;
  for (guint round = 0; round < n; round++) {
    g_autoptr (GString) body = g_string_new ("int r0 = 0; int r1 = 1; int r2 = 2; int *q = &r0;\n");
    guint n_statements = 1 + round % 6;
    for (guint i = 0; i < n_statements; i++)
      random_body_add (random, body);
    check_body (random, body->str, observed[round % G_N_ELEMENTS (observed)]);
  }
  g_rand_free (random);
}
END_TEST

Suite *path_random_suite (void) {
  Suite *suite = suite_create ("path-random");
  TCase *tests = tcase_create ("path-random");
  tcase_set_timeout (tests, 200);
  tcase_add_test (tests, test_random_bodies);
  suite_add_tcase (suite, tests);
  return suite;
}
