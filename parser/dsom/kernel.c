/* Kernels: the names in a body, and the accesses that the runtime knows before the launch. */
#include "parser/dsom/kernel.h"

#include "base/suggest.h"

enum {
  MOST_WORK = 1 << 18,   /* statements that a kernel runs, counting each round of a loop */
  MOST_FACTOR = 1 << 26, /* of coefficients and bounds: sums of products fit into 64 bits */
  MOST_CONSTRAINTS = 64
};

typedef struct Scope {
  DsomResolver *resolver;
  RspDsomKernel *kernel;
  const RspDsomVariable *variables[RSP_AFFINE_VARIABLES]; /* variables in scope, outermost first */
  guint n;
  gint64 rounds; /* product over the loops in scope */
  gint64 work;   /* statements that the kernel runs at most */
  RspDsomAccess *derived, **last;
} Scope;

/* ---- Linear functions ---- */

static gboolean is_small (const RspLinear *linear) {
  gboolean small = ABS (linear->constant) <= G_MAXINT32;
  for (guint i = 0; i < RSP_AFFINE_VARIABLES; i++)
    small &= ABS (linear->coefficients[i]) <= MOST_FACTOR;
  return small;
}

/* *a += factor * b. Both are small. */
static gboolean add_scaled (RspLinear *a, const RspLinear *b, gint64 factor) {
  if (ABS (factor) > G_MAXINT32)
    return FALSE;
  a->constant += factor * b->constant;
  for (guint i = 0; i < RSP_AFFINE_VARIABLES; i++)
    a->coefficients[i] += factor * b->coefficients[i];
  return is_small (a);
}

static gboolean is_constant (const RspLinear *linear) {
  for (guint i = 0; i < RSP_AFFINE_VARIABLES; i++)
    if (linear->coefficients[i])
      return FALSE;
  return TRUE;
}

static gboolean read_linear (const RspDsomExpr *expr, RspLinear *linear);

static gboolean linear_operation (const RspDsomExpr *expr, RspLinear *linear) {
  RspLinear a, b = { 0 };
  *linear = (RspLinear){ 0 };
  if (!read_linear (expr->a, &a) || (expr->b && !read_linear (expr->b, &b)))
    return FALSE;
  switch (expr->op) {
  case RSP_OP_NEGATE:
    return add_scaled (linear, &a, -1);
  case RSP_OP_ADD:
    return add_scaled (linear, &a, 1) && add_scaled (linear, &b, 1);
  case RSP_OP_SUB:
    return add_scaled (linear, &a, 1) && add_scaled (linear, &b, -1);
  case RSP_OP_MUL:
    if (is_constant (&a))
      return add_scaled (linear, &b, a.constant);
    return is_constant (&b) && add_scaled (linear, &a, b.constant);
  default:
    return FALSE;
  }
}

/* expr as a linear function of variables; FALSE if it is not one. */
static gboolean read_linear (const RspDsomExpr *expr, RspLinear *linear) {
  *linear = (RspLinear){ 0 };
  switch (expr->kind) {
  case RSP_DSOM_CONSTANT:
    linear->constant = expr->constant;
    return is_small (linear);
  case RSP_DSOM_VARIABLE:
    linear->coefficients[expr->index] = 1;
    return TRUE;
  case RSP_DSOM_OPERATION:
    return linear_operation (expr, linear);
  default:
    return FALSE;
  }
}

/* ---- Names ---- */

static void report_name (const Scope *scope, const RspDsomExpr *expr) {
  DsomResolver *resolver = scope->resolver;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < scope->n; i++)
    g_ptr_array_add (names, (gpointer) scope->variables[i]->name);
  for (guint i = 0; i < resolver->register_list->len; i++)
    g_ptr_array_add (names,
                     (gpointer) ((RspDsomRegister *) resolver->register_list->pdata[i])->name);
  g_ptr_array_add (names, NULL);
  g_autofree char *hint = rsp_did_you_mean (expr->name, (const char *const *) names->pdata);
  if (g_hash_table_contains (resolver->buffers, expr->name))
    rsp_error (resolver->diagnostics, expr->span, "an element is `b[0]`", "`%s` is a buffer",
               expr->name);
  else
    rsp_error (resolver->diagnostics, expr->span, hint,
               "`%s` is neither a register nor a variable: nothing is ever assigned to it",
               expr->name);
}

static void resolve_name (Scope *scope, RspDsomExpr *expr) {
  for (guint i = scope->n; i-- > 0;)
    if (g_str_equal (scope->variables[i]->name, expr->name)) {
      expr->kind = RSP_DSOM_VARIABLE;
      expr->index = i;
      return;
    }
  gpointer found = g_hash_table_lookup (scope->resolver->registers, expr->name);
  if (!found || g_hash_table_contains (scope->resolver->buffers, expr->name)) {
    report_name (scope, expr);
    return;
  }
  expr->kind = RSP_DSOM_REGISTER;
  expr->index = GPOINTER_TO_UINT (found) - 1;
}

/* ---- Accesses of a body ---- */

static void set_domain (const Scope *scope, RspAffine *affine) {
  affine->n = scope->n;
  for (guint i = 0; i < scope->n; i++) {
    affine->low[i] = scope->variables[i]->low;
    affine->high[i] = scope->variables[i]->high;
  }
}

static void derive (Scope *scope, const RspDsomExpr *element, gboolean is_write) {
  RspDsomAccess *access = rsp_arena_new0 (scope->resolver->program->arena, RspDsomAccess, 1);
  access->is_write = is_write;
  access->derived = TRUE;
  access->buffer = element->index;
  access->span = element->span;
  access->kind
      = read_linear (element->a, &access->affine.value) ? RSP_DSOM_AFFINE : RSP_DSOM_INDIRECT;
  set_domain (scope, &access->affine);
  *scope->last = access;
  scope->last = &access->next;
}

static void resolve_expr (Scope *scope, RspDsomExpr *expr, gboolean is_target) {
  if (expr->kind == RSP_DSOM_NAME)
    resolve_name (scope, expr);
  if (expr->a)
    resolve_expr (scope, expr->a, FALSE);
  if (expr->b)
    resolve_expr (scope, expr->b, FALSE);
  if (expr->kind != RSP_DSOM_ELEMENT)
    return;
  int buffer = dsom_find_buffer (scope->resolver, expr->span, expr->name);
  expr->index = (guint) MAX (buffer, 0);
  if (buffer >= 0)
    derive (scope, expr, is_target);
}

/* ---- Statements ---- */

/* FALSE after an error. Multiplies scope->rounds. */
static gboolean enter_variable (Scope *scope, const RspDsomVariable *variable) {
  RspDiagnostics *diagnostics = scope->resolver->diagnostics;
  if (scope->n == RSP_AFFINE_VARIABLES) {
    rsp_error (diagnostics, variable->span, NULL, "more than %d nested loops",
               RSP_AFFINE_VARIABLES);
    return FALSE;
  }
  if (ABS (variable->low) > MOST_FACTOR || ABS (variable->high) > MOST_FACTOR) {
    rsp_error (diagnostics, variable->span, NULL, "the bounds of a loop are at most %d",
               MOST_FACTOR);
    return FALSE;
  }
  scope->variables[scope->n++] = variable;
  scope->rounds *= MAX (variable->high - variable->low + 1, 0);
  scope->rounds = MIN (scope->rounds, (gint64) 1 << 32);
  scope->kernel->depth = MAX (scope->kernel->depth, scope->n);
  return TRUE;
}

static void resolve_statements (Scope *scope, RspDsomStatement *first);

static void resolve_loop (Scope *scope, RspDsomStatement *loop) {
  guint n = scope->n;
  gint64 rounds = scope->rounds;
  gboolean good = TRUE;
  loop->depth = n;
  for (const RspDsomVariable *v = loop->variables; v && good; v = v->next)
    good = enter_variable (scope, v);
  scope->work += good ? scope->rounds : 0;
  if (good && scope->work <= MOST_WORK)
    resolve_statements (scope, loop->body);
  scope->n = n;
  scope->rounds = rounds;
}

static void resolve_target (Scope *scope, RspDsomExpr *target) {
  resolve_expr (scope, target, TRUE);
  if (target->kind == RSP_DSOM_VARIABLE)
    rsp_error (scope->resolver->diagnostics, target->span, NULL,
               "`%s` is the variable of a loop and cannot be assigned to", target->name);
}

static void resolve_statement (Scope *scope, RspDsomStatement *statement) {
  scope->work += scope->rounds;
  if (statement->target)
    resolve_target (scope, statement->target);
  if (statement->value)
    resolve_expr (scope, statement->value, FALSE);
  if (statement->kind == RSP_DSOM_FOR) {
    resolve_loop (scope, statement);
    return;
  }
  resolve_statements (scope, statement->body);
  resolve_statements (scope, statement->otherwise);
}

static void resolve_statements (Scope *scope, RspDsomStatement *first) {
  for (RspDsomStatement *statement = first; statement; statement = statement->next)
    resolve_statement (scope, statement);
}

/* ---- Clauses ---- */

static void take_ranges (Scope *scope, const DsomClause *clause, RspDsomAccess *access) {
  const RspDsomBuffer *buffer = &scope->resolver->program->buffers[access->buffer];
  gint64 bytes = (gint64) buffer->n * buffer->element;
  guint n = 0;
  for (const DsomNumber *number = clause->numbers; number; number = number->next)
    n++;
  access->ranges = rsp_arena_new0 (scope->resolver->program->arena, RspDsomRange, n / 2);
  for (const DsomNumber *offset = clause->numbers; offset; offset = offset->next->next) {
    const DsomNumber *size = offset->next;
    if (offset->value < 0 || size->value < 0 || size->value > bytes
        || offset->value > bytes - size->value) {
      rsp_error (scope->resolver->diagnostics, rsp_span_join (offset->span, size->span), NULL,
                 "the range (%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ") is not within `%s`, "
                 "which has %" G_GINT64_FORMAT " bytes",
                 offset->value, size->value, buffer->name, bytes);
      return;
    }
    access->ranges[access->n_ranges++] = (RspDsomRange){ offset->value, size->value };
  }
}

static gboolean take_constraint (Scope *scope, RspDsomExpr *expr, GArray *constraints) {
  RspLinear a, b;
  gboolean compares
      = expr->kind == RSP_DSOM_OPERATION && expr->op >= RSP_OP_EQ && expr->op <= RSP_OP_GE;
  if (expr->kind == RSP_DSOM_OPERATION && expr->op == RSP_OP_LOGICAL_AND)
    return take_constraint (scope, expr->a, constraints)
           && take_constraint (scope, expr->b, constraints);
  if (!compares || !read_linear (expr->a, &a) || !read_linear (expr->b, &b)
      || !add_scaled (&a, &b, -1) || constraints->len == MOST_CONSTRAINTS) {
    rsp_error (scope->resolver->diagnostics, expr->span, "as in `where i <= j, i + j < 4`",
               "a constraint compares two linear functions of the variables");
    return FALSE;
  }
  RspLinearConstraint constraint = { a, expr->op };
  g_array_append_val (constraints, constraint);
  return TRUE;
}

static void take_constraints (Scope *scope, RspDsomExpr *expr, RspAffine *affine) {
  g_autoptr (GArray) constraints = g_array_new (FALSE, FALSE, sizeof (RspLinearConstraint));
  resolve_expr (scope, expr, FALSE);
  if (!take_constraint (scope, expr, constraints))
    return;
  affine->n_constraints = constraints->len;
  affine->constraints = rsp_arena_copy (scope->resolver->program->arena, constraints->data,
                                        constraints->len * sizeof (RspLinearConstraint));
}

static void take_affine (Scope *scope, const DsomClause *clause, RspDsomAccess *access) {
  for (const RspDsomVariable *v = clause->variables; v; v = v->next)
    if (!enter_variable (scope, v))
      return;
  resolve_expr (scope, clause->index, FALSE);
  if (!read_linear (clause->index, &access->affine.value))
    rsp_error (scope->resolver->diagnostics, clause->index->span,
               "`[*]` is the whole buffer, for references that are not known before the launch",
               "this is not a linear function of the variables after `for`");
  set_domain (scope, &access->affine);
  if (clause->constraints)
    take_constraints (scope, clause->constraints, &access->affine);
}

static void take_clause (Scope *scope, const DsomClause *clause, RspDsomAccess ***last) {
  if (clause->is_none)
    return;
  int buffer = dsom_find_buffer (scope->resolver, clause->span, clause->buffer);
  if (buffer < 0)
    return;
  RspDsomAccess *access = rsp_arena_new0 (scope->resolver->program->arena, RspDsomAccess, 1);
  *access = (RspDsomAccess){ .kind = clause->kind,
                             .is_write = clause->is_write,
                             .buffer = (guint) buffer,
                             .span = clause->span };
  guint depth = scope->kernel->depth;
  if (clause->kind == RSP_DSOM_RANGES)
    take_ranges (scope, clause, access);
  else if (clause->kind == RSP_DSOM_AFFINE)
    take_affine (scope, clause, access);
  scope->n = 0;
  scope->rounds = 1;
  scope->kernel->depth = depth;
  **last = access;
  *last = &access->next;
}

/* Clauses that declare reads replace all reads derived from the body; likewise writes. */
static void join_accesses (const DsomKernel *syntax, const Scope *scope, RspDsomAccess **last) {
  gboolean declared[2] = { FALSE, FALSE };
  for (const DsomClause *clause = syntax->clauses; clause; clause = clause->next)
    declared[clause->is_write] = TRUE;
  for (RspDsomAccess *access = scope->derived, *next; access; access = next) {
    next = access->next;
    access->next = NULL;
    if (declared[access->is_write])
      continue;
    *last = access;
    last = &access->next;
  }
}

void dsom_resolve_kernel (DsomResolver *resolver, const DsomKernel *syntax, RspDsomKernel *kernel) {
  *kernel = (RspDsomKernel){ .name = syntax->name, .span = syntax->span, .body = syntax->body };
  Scope scope = { .resolver = resolver, .kernel = kernel, .rounds = 1 };
  scope.last = &scope.derived;
  resolve_statements (&scope, syntax->body);
  if (scope.work > MOST_WORK)
    rsp_error (resolver->diagnostics, syntax->span, NULL,
               "kernel `%s` runs more than %d statements, counting the rounds of loops",
               syntax->name, MOST_WORK);
  RspDsomAccess *of_body = scope.derived, *unused = NULL;
  RspDsomAccess **last = &kernel->accesses;
  scope.last = &unused; /* an element in a clause's index is not an access */
  for (const DsomClause *clause = syntax->clauses; clause; clause = clause->next)
    take_clause (&scope, clause, &last);
  scope.derived = of_body;
  join_accesses (syntax, &scope, last);
}
