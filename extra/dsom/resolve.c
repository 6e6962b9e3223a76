/* Programs of commands: names, linear functions, the order of commands. */
#include "base/base.h"
#include "extra/dsom/internal.h"

#include <string.h>

/* ---- Host ----------------------------------------------------------------------------------- */

/* The host's commands, resolved. */

/* The host's commands as a list, each with the commands that must be complete before it. */

/* The last commands of a part, which the next part waits for. */
typedef GArray Frontier; /* of guint */

typedef struct Walk {
  DsomResolver *resolver;
  GArray *commands; /* of RspDsomCommand */
  gboolean failed;
} Walk;

static Frontier *frontier_new (void) { return g_array_new (FALSE, FALSE, sizeof (guint)); }

/* ---- One command ---- */
static void fail (Walk *walk, RspSpan span, const char *hint, char *message) {
  rsp_error (walk->resolver->diagnostics, span, hint, "%s", message);
  g_free (message);
  walk->failed = TRUE;
}

static void find_kernel (Walk *walk, const DsomCommand *syntax, RspDsomCommand *command) {
  RspDsomProgram *program = walk->resolver->program;
  gpointer found = g_hash_table_lookup (walk->resolver->kernels, syntax->kernel);
  command->kernel = GPOINTER_TO_UINT (found) - 1;
  if (found)
    return;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < program->n_kernels; i++)
    g_ptr_array_add (names, (gpointer) program->kernels[i].name);
  g_autofree char *hint = rsp_did_you_mean_in (syntax->kernel, names);
  fail (walk, syntax->name_span, hint, g_strdup_printf ("there is no kernel `%s`", syntax->kernel));
}

/* Without `devices`, the number is that of the devices that commands name. */
static void find_device (Walk *walk, const DsomCommand *syntax, RspDsomCommand *command) {
  RspDsomProgram *program = walk->resolver->program;
  gboolean declared = walk->resolver->parser->devices != NULL;
  gint64 most = declared ? program->n_devices : RSP_DSOM_MOST_DEVICES;
  if (syntax->number->value < 0 || syntax->number->value >= most) {
    fail (walk, syntax->number->span, NULL,
          g_strdup_printf ("devices are numbered from 0 to %" G_GINT64_FORMAT, most - 1));
    return;
  }
  command->device = (guint) syntax->number->value;
  program->n_devices = MAX (program->n_devices, command->device + 1);
}

static gboolean find_element (Walk *walk, const DsomPlace *place, gint64 index, RspDsomItem *item) {
  int buffer = dsom_find_buffer (walk->resolver, place->span, place->name);
  walk->failed |= buffer < 0;
  if (buffer < 0)
    return FALSE;
  item->buffer = (guint) buffer;
  item->element = (guint) index;
  const RspDsomBuffer *b = &walk->resolver->program->buffers[buffer];
  if (index >= 0 && index < b->n)
    return TRUE;
  fail (walk, place->span, NULL,
        g_strdup_printf ("`%s` has no element %" G_GINT64_FORMAT ": it has %u", b->name, index,
                         b->n));
  return FALSE;
}

static char *find_label (Walk *walk, const DsomCommand *syntax, const RspDsomCommand *command) {
  RspArena *arena = walk->resolver->program->arena;
  if (syntax->kind == DSOM_COMMAND_RUN)
    return rsp_arena_printf (arena, "%s on %u", syntax->kernel, command->device);
  const DsomPlace *place = syntax->places;
  if (syntax->kind == DSOM_COMMAND_WRITE)
    return rsp_arena_printf (arena, "write %s[%" G_GINT64_FORMAT "]", place->name, place->index);
  return rsp_arena_printf (arena, "read %s", place->reg);
}

static void add_leaf (Walk *walk, const DsomCommand *syntax, Frontier *frontier) {
  static const RspDsomCommandKind kinds[] = { [DSOM_COMMAND_RUN] = RSP_DSOM_RUN,
                                              [DSOM_COMMAND_WRITE] = RSP_DSOM_HOST_WRITE,
                                              [DSOM_COMMAND_READ] = RSP_DSOM_HOST_READ };
  RspDsomCommand command
      = { .kind = kinds[syntax->kind], .blocking = syntax->blocking, .span = syntax->span };
  if (walk->commands->len == RSP_DSOM_MOST_COMMANDS) {
    fail (walk, syntax->span, NULL,
          g_strdup_printf ("more than %d commands, counting repetitions", RSP_DSOM_MOST_COMMANDS));
    return;
  }
  if (syntax->kind == DSOM_COMMAND_RUN) {
    find_kernel (walk, syntax, &command);
    find_device (walk, syntax, &command);
  } else {
    g_autoptr (GArray) items = g_array_new (FALSE, TRUE, sizeof (RspDsomItem));
    gboolean good = TRUE;
    if (syntax->kind == DSOM_COMMAND_WRITE)
      for (const DsomNumber *n = syntax->numbers; n && good; n = n->next) {
        RspDsomItem item = { .value = n->value };
        good = find_element (walk, syntax->places, syntax->places->index + items->len, &item);
        g_array_append_val (items, item);
      }
    else
      for (const DsomPlace *place = syntax->places; place && good; place = place->next) {
        RspDsomItem item = { .reg = dsom_declare_register (walk->resolver, place->reg) };
        good = find_element (walk, place, place->index, &item);
        if (g_hash_table_contains (walk->resolver->buffers, place->reg))
          fail (
              walk, place->reg_span, NULL,
              g_strdup_printf ("`%s` is a buffer, and the host reads into a register", place->reg));
        g_array_append_val (items, item);
      }
    command.n_items = items->len;
    command.items = rsp_arena_copy (walk->resolver->program->arena, items->data,
                                    items->len * sizeof (RspDsomItem));
  }
  command.label = find_label (walk, syntax, &command);
  command.n_after = frontier->len;
  command.after = rsp_arena_copy (walk->resolver->program->arena, frontier->data,
                                  frontier->len * sizeof (guint));
  guint number = walk->commands->len;
  g_array_append_val (walk->commands, command);
  g_array_set_size (frontier, 0);
  g_array_append_val (frontier, number);
}

/* ---- Order ---- */
static void walk_command (Walk *walk, const DsomCommand *syntax, Frontier *frontier);

static void walk_repeat (Walk *walk, const DsomCommand *syntax, Frontier *frontier) {
  if (syntax->number->value < 0)
    fail (walk, syntax->number->span, NULL, g_strdup ("this number is negative"));
  for (gint64 i = 0; i < syntax->number->value && !walk->failed; i++) {
    guint before = walk->commands->len;
    walk_command (walk, syntax->first, frontier);
    if (walk->commands->len == before)
      return;
  }
}

static void walk_command (Walk *walk, const DsomCommand *syntax, Frontier *frontier) {
  if (walk->failed)
    return;
  if (syntax->kind == DSOM_COMMAND_PARALLEL) {
    Frontier *ends = frontier_new ();
    for (const DsomCommand *branch = syntax->first; branch && !walk->failed;
         branch = branch->next) {
      Frontier *own = frontier_new ();
      if (frontier->len)
        g_array_append_vals (own, frontier->data, frontier->len);
      walk_command (walk, branch, own);
      for (guint i = 0; i < own->len; i++) {
        guint number = g_array_index (own, guint, i);
        gboolean has = FALSE;
        for (guint k = 0; k < ends->len; k++)
          has |= g_array_index (ends, guint, k) == number;
        if (!has)
          g_array_append_val (ends, number);
      }
      g_array_unref (own);
    }
    g_array_set_size (frontier, 0);
    if (ends->len)
      g_array_append_vals (frontier, ends->data, ends->len);
    g_array_unref (ends);
  } else if (syntax->kind == DSOM_COMMAND_REPEAT)
    walk_repeat (walk, syntax, frontier);
  else if (syntax->kind != DSOM_COMMAND_SEQUENCE)
    add_leaf (walk, syntax, frontier);
  else
    for (const DsomCommand *command = syntax->first; command; command = command->next)
      walk_command (walk, command, frontier);
}

/* ---- Kernel --------------------------------------------------------------------------------- */

/* Kernels: their bodies and accesses, resolved. */

/* Kernels: the names in a body, and the accesses that the runtime knows before the launch. */

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
  case RSP_DSOM_OPERATION: {
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
  default:
    return FALSE;
  }
}

/* ---- Names ---- */
static void resolve_name (Scope *scope, RspDsomExpr *expr) {
  for (guint i = scope->n; i-- > 0;)
    if (g_str_equal (scope->variables[i]->name, expr->name)) {
      expr->kind = RSP_DSOM_VARIABLE;
      expr->index = i;
      return;
    }
  gpointer found = g_hash_table_lookup (scope->resolver->registers, expr->name);
  if (!found || g_hash_table_contains (scope->resolver->buffers, expr->name)) {
    DsomResolver *resolver = scope->resolver;
    g_autoptr (GPtrArray) names = g_ptr_array_new ();
    for (guint i = 0; i < scope->n; i++)
      g_ptr_array_add (names, (gpointer) scope->variables[i]->name);
    for (guint i = 0; i < resolver->register_list->len; i++)
      g_ptr_array_add (names,
                       (gpointer) ((RspDsomRegister *) resolver->register_list->pdata[i])->name);
    g_autofree char *hint = rsp_did_you_mean_in (expr->name, names);
    if (g_hash_table_contains (resolver->buffers, expr->name))
      rsp_error (resolver->diagnostics, expr->span, "an element is `b[0]`", "`%s` is a buffer",
                 expr->name);
    else
      rsp_error (resolver->diagnostics, expr->span, hint,
                 "`%s` is neither a register nor a variable: nothing is ever assigned to it",
                 expr->name);
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
  if (buffer >= 0) {
    RspDsomAccess *access = rsp_arena_new0 (scope->resolver->program->arena, RspDsomAccess, 1);
    access->is_write = is_target;
    access->derived = TRUE;
    access->buffer = expr->index;
    access->span = expr->span;
    access->kind
        = read_linear (expr->a, &access->affine.value) ? RSP_DSOM_AFFINE : RSP_DSOM_INDIRECT;
    set_domain (scope, &access->affine);
    *scope->last = access;
    scope->last = &access->next;
  }
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

static void resolve_statements (Scope *scope, RspDsomStatement *first) {
  for (RspDsomStatement *statement = first; statement; statement = statement->next) {
    scope->work += scope->rounds;
    if (statement->target) {
      resolve_expr (scope, statement->target, TRUE);
      if (statement->target->kind == RSP_DSOM_VARIABLE)
        rsp_error (scope->resolver->diagnostics, statement->target->span, NULL,
                   "`%s` is the variable of a loop and cannot be assigned to",
                   statement->target->name);
    }
    if (statement->value)
      resolve_expr (scope, statement->value, FALSE);
    if (statement->kind == RSP_DSOM_FOR) {
      guint n = scope->n;
      gint64 rounds = scope->rounds;
      gboolean good = TRUE;
      statement->depth = n;
      for (const RspDsomVariable *v = statement->variables; v && good; v = v->next)
        good = enter_variable (scope, v);
      scope->work += good ? scope->rounds : 0;
      if (good && scope->work <= MOST_WORK)
        resolve_statements (scope, statement->body);
      scope->n = n;
      scope->rounds = rounds;
      continue;
    }
    resolve_statements (scope, statement->body);
    resolve_statements (scope, statement->otherwise);
  }
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
  if (clause->constraints) {
    g_autoptr (GArray) constraints = g_array_new (FALSE, FALSE, sizeof (RspLinearConstraint));
    resolve_expr (scope, clause->constraints, FALSE);
    if (!take_constraint (scope, clause->constraints, constraints))
      return;
    access->affine.n_constraints = constraints->len;
    access->affine.constraints = rsp_arena_copy (scope->resolver->program->arena, constraints->data,
                                                 constraints->len * sizeof (RspLinearConstraint));
  }
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

/* ---- Question ------------------------------------------------------------------------------- */

/* The question of a program of commands, resolved. */

/* The question: what a final state shows, and the condition on it. */

typedef struct Question {
  DsomResolver *resolver;
  GArray *observables; /* of RspDsomObservable */
  GHashTable *numbers; /* name -> number + 1 */
} Question;

/* "moved", "r", "b[0]"; FALSE after an error. */
static gboolean find_place (Question *question, const LitmusPlace *place,
                            RspDsomObservable *observable) {
  DsomResolver *resolver = question->resolver;
  if (place->kind != LITMUS_NAME) {
    rsp_error (resolver->diagnostics, place->span, NULL,
               "expected a register (`r`), an element (`b[0]`) or `moved`");
    return FALSE;
  }
  gpointer reg = g_hash_table_lookup (resolver->registers, place->name);
  *observable = (RspDsomObservable){ .name = place->name };
  if (place->element != LITMUS_NONE) {
    int buffer = dsom_find_buffer (resolver, place->span, place->name);
    observable->kind = RSP_DSOM_OBSERVE_ELEMENT;
    observable->index = (guint) MAX (buffer, 0);
    observable->element = (guint) place->element;
    observable->name = rsp_arena_printf (resolver->program->arena, "%s[%" G_GINT64_FORMAT "]",
                                         place->name, place->element);
    if (buffer >= 0 && place->element >= resolver->program->buffers[buffer].n)
      rsp_error (resolver->diagnostics, place->span, NULL, "`%s` has %u elements", place->name,
                 resolver->program->buffers[buffer].n);
    return buffer >= 0;
  }
  if (g_str_equal (place->name, "moved")) {
    observable->kind = RSP_DSOM_OBSERVE_MOVED;
    return TRUE;
  }
  observable->index = GPOINTER_TO_UINT (reg) - 1;
  if (reg)
    return TRUE;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < resolver->register_list->len; i++)
    g_ptr_array_add (names,
                     (gpointer) ((RspDsomRegister *) resolver->register_list->pdata[i])->name);
  g_ptr_array_add (names, (gpointer) "moved");
  g_autofree char *hint = rsp_did_you_mean_in (place->name, names);
  rsp_error (resolver->diagnostics, place->span, hint, "there is no register `%s`", place->name);
  return FALSE;
}

static guint observe (Question *question, const LitmusPlace *place) {
  RspDsomObservable observable;
  if (!find_place (question, place, &observable))
    return 0;
  gpointer number = g_hash_table_lookup (question->numbers, observable.name);
  if (number)
    return GPOINTER_TO_UINT (number) - 1;
  g_array_append_val (question->observables, observable);
  g_hash_table_insert (question->numbers, (gpointer) observable.name,
                       GUINT_TO_POINTER (question->observables->len));
  return question->observables->len - 1;
}

static RspOperand make_operand (Question *question, const LitmusPlace *place) {
  if (place->kind != LITMUS_NUMBER)
    return (RspOperand){ .is_observable = TRUE, .observable = observe (question, place) };
  RspArena *arena = question->resolver->program->arena;
  if (place->is_huge)
    rsp_error (question->resolver->diagnostics, place->span, NULL,
               "this number is too large: the largest is 9223372036854775807");
  return (RspOperand){ .constant = place->number,
                       .text = rsp_arena_printf (arena, "%" G_GINT64_FORMAT, place->number) };
}

static gboolean check_atom (Question *question, const LitmusProp *syntax) {
  RspDiagnostics *diagnostics = question->resolver->diagnostics;
  gboolean are_numbers = !syntax->values && syntax->left->kind == LITMUS_NUMBER
                         && syntax->right->kind == LITMUS_NUMBER;
  if (syntax->values)
    rsp_error (diagnostics, syntax->span, "write an equation for each element, as in `b[0]=1`",
               "found a list of values");
  else if (are_numbers)
    rsp_error (diagnostics, syntax->span, NULL,
               "found numbers on both sides, expected a register or an element on one");
  else
    return TRUE;
  return FALSE;
}

static RspProp *make_prop (Question *question, const LitmusProp *syntax, guint depth) {
  RspProp *prop = rsp_arena_new0 (question->resolver->program->arena, RspProp, 1);
  prop->kind = syntax->kind;
  prop->op = syntax->op;
  if (depth == DSOM_MOST_HEIGHT) {
    rsp_error (question->resolver->diagnostics, syntax->span, NULL,
               "this has more than %d nested operators", DSOM_MOST_HEIGHT);
    return prop;
  }
  prop->a = syntax->a ? make_prop (question, syntax->a, depth + 1) : NULL;
  prop->b = syntax->b ? make_prop (question, syntax->b, depth + 1) : NULL;
  if (syntax->kind == RSP_PROP_ATOM && check_atom (question, syntax)) {
    prop->left = make_operand (question, syntax->left);
    prop->right = make_operand (question, syntax->right);
  }
  return prop;
}

/* ---- Order ---- */
static int compare (gconstpointer a, gconstpointer b, gpointer data) {
  const GArray *observables = data;
  const RspDsomObservable *x = &g_array_index (observables, RspDsomObservable, *(const guint *) a);
  const RspDsomObservable *y = &g_array_index (observables, RspDsomObservable, *(const guint *) b);
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  if (x->kind == RSP_DSOM_OBSERVE_ELEMENT && x->index == y->index)
    return x->element < y->element ? -1 : x->element > y->element;
  return strcmp (x->name, y->name);
}

static void renumber_operand (const RspDsomProgram *program, RspOperand *operand,
                              const guint *places) {
  if (!operand->is_observable)
    return;
  operand->observable = places[operand->observable];
  operand->text = program->observables[operand->observable].name;
}

static void renumber (const RspDsomProgram *program, RspProp *prop, const guint *places) {
  if (!prop)
    return;
  renumber (program, prop->a, places);
  renumber (program, prop->b, places);
  renumber_operand (program, &prop->left, places);
  renumber_operand (program, &prop->right, places);
}

/* Fills the program's observables, quantifier and condition. */
static void dsom_resolve_question (DsomResolver *resolver) {
  Question question = { .resolver = resolver,
                        .observables = g_array_new (FALSE, FALSE, sizeof (RspDsomObservable)),
                        .numbers = g_hash_table_new (g_str_hash, g_str_equal) };
  const LitmusTest *test = resolver->question;
  if (test->filter)
    rsp_error (resolver->diagnostics, test->filter->span, NULL,
               "found a filter, which programs of commands do not have");
  resolver->program->quantifier = test->quantifier;
  resolver->program->condition = make_prop (&question, test->condition, 0);
  for (guint i = 0; i < test->locations.n; i++)
    observe (&question, test->locations.items[i]);
  guint n = question.observables->len;
  g_autofree guint *order = g_new (guint, n + 1), *places = g_new0 (guint, n + 1);
  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, (gint) n, sizeof *order, compare, question.observables);
  resolver->program->n_observables = n;
  resolver->program->observables
      = rsp_arena_new0 (resolver->program->arena, RspDsomObservable, n + 1);
  for (guint i = 0; i < n; i++) {
    resolver->program->observables[i]
        = g_array_index (question.observables, RspDsomObservable, order[i]);
    places[order[i]] = i;
  }
  renumber (resolver->program, resolver->program->condition, places);
  g_array_unref (question.observables);
  g_hash_table_unref (question.numbers);
}

/* ---- Resolve -------------------------------------------------------------------------------- */

/* ---- Buffers ---- */
static gint64 wrap (gint64 value, guint bytes) {
  guint bits = 8 * bytes;
  if (bits == 64)
    return value;
  return bits == 8 ? value & 0xff : (gint64) ((guint64) value << (64 - bits)) >> (64 - bits);
}

static void fill_initial (DsomResolver *resolver, const DsomBuffer *syntax, RspDsomBuffer *buffer) {
  buffer->initial = rsp_arena_new0 (resolver->program->arena, gint64, buffer->n);
  guint i = 0;
  for (const DsomNumber *number = syntax->initial; number; number = number->next, i++)
    if (i < buffer->n)
      buffer->initial[i] = wrap (number->value, buffer->element);
    else {
      rsp_error (resolver->diagnostics, number->span, NULL,
                 "more initial values than `%s` has elements, which is %u", buffer->name,
                 buffer->n);
      return;
    }
}

static void resolve_buffers (DsomResolver *resolver) {
  RspDsomProgram *program = resolver->program;
  for (const DsomBuffer *syntax = resolver->parser->buffers; syntax; syntax = syntax->next)
    program->n_buffers++;
  program->buffers = rsp_arena_new0 (program->arena, RspDsomBuffer, program->n_buffers);
  RspDsomBuffer *buffer = program->buffers;
  guint i = 0;
  for (const DsomBuffer *syntax = resolver->parser->buffers; syntax; syntax = syntax->next) {
    gint64 n = CLAMP (syntax->size->value, 0, RSP_DSOM_MOST_BYTES + 1);
    gint64 bytes = n * syntax->element;
    if (bytes < 1 || bytes + program->n_bytes > RSP_DSOM_MOST_BYTES) {
      rsp_error (resolver->diagnostics, syntax->size->span, NULL,
                 "a buffer has at least one element, and all buffers have at most %d bytes",
                 RSP_DSOM_MOST_BYTES);
      return;
    }
    *buffer = (RspDsomBuffer){ .name = syntax->name,
                               .element = syntax->element,
                               .n = (guint) n,
                               .first = program->n_bytes,
                               .span = syntax->span };
    program->n_bytes += (guint) bytes;
    fill_initial (resolver, syntax, buffer++);
    g_hash_table_insert (resolver->buffers, (gpointer) syntax->name, GUINT_TO_POINTER (++i));
  }
}

/* ---- All ---- */
static void resolve_kernels (DsomResolver *resolver) {
  RspDsomProgram *program = resolver->program;
  for (const DsomKernel *syntax = resolver->parser->kernels; syntax; syntax = syntax->next)
    program->n_kernels++;
  program->kernels = rsp_arena_new0 (program->arena, RspDsomKernel, program->n_kernels);
  guint i = 0;
  for (const DsomKernel *syntax = resolver->parser->kernels; syntax; syntax = syntax->next) {
    /* Names written and read in a body, resolved, and the kernel's accesses. */
    RspDsomKernel *kernel = &program->kernels[i++];
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
    /* Clauses that declare reads replace all reads derived from the body; likewise writes. */
    gboolean declared[2] = { FALSE, FALSE };
    for (const DsomClause *clause = syntax->clauses; clause; clause = clause->next)
      declared[clause->is_write] = TRUE;
    for (RspDsomAccess *access = scope.derived, *next; access; access = next) {
      next = access->next;
      access->next = NULL;
      if (declared[access->is_write])
        continue;
      *last = access;
      last = &access->next;
    }
    g_hash_table_insert (resolver->kernels, (gpointer) syntax->name, GUINT_TO_POINTER (i));
  }
}

static void resolve_all (DsomResolver *resolver) {
  RspDsomProgram *program = resolver->program;
  guint errors = rsp_diagnostics_count_errors (resolver->diagnostics);
  resolve_buffers (resolver);
  if (rsp_diagnostics_count_errors (resolver->diagnostics) != errors)
    return;
  for (const DsomRegister *syntax = resolver->parser->registers; syntax; syntax = syntax->next) {
    guint number = dsom_declare_register (resolver, syntax->name);
    RspDsomRegister *reg = resolver->register_list->pdata[number];
    reg->initial = syntax->initial ? syntax->initial->value : 0;
  }
  const GPtrArray *assigned = resolver->parser->assigned;
  for (guint i = 0; i < assigned->len; i++)
    dsom_declare_register (resolver, assigned->pdata[i]);
  program->n_devices = resolver->parser->devices ? (guint) resolver->parser->devices->value : 0;
  resolve_kernels (resolver);
  Walk walk
      = { .resolver = resolver, .commands = g_array_new (FALSE, TRUE, sizeof (RspDsomCommand)) };
  Frontier *frontier = frontier_new ();
  walk_command (&walk, resolver->parser->host, frontier);
  program->n_commands = walk.commands->len;
  program->commands = rsp_arena_copy (program->arena, walk.commands->data,
                                      walk.commands->len * sizeof (RspDsomCommand));
  /* The second "K0 on 0" is called "K0 on 0 #2". */
  g_autoptr (GHashTable) counts = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < program->n_commands; i++) {
    const char *label = program->commands[i].label;
    guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, label)) + 1;
    g_hash_table_insert (counts, (gpointer) label, GUINT_TO_POINTER (n));
    if (n > 1)
      program->commands[i].label = rsp_arena_printf (program->arena, "%s #%u", label, n);
  }
  g_array_unref (frontier);
  g_array_unref (walk.commands);
  program->n_devices = MAX (program->n_devices, 1);
  dsom_resolve_question (resolver);
  program->n_registers = resolver->register_list->len;
  program->registers = rsp_arena_new0 (program->arena, RspDsomRegister, program->n_registers);
  for (guint i = 0; i < program->n_registers; i++)
    program->registers[i] = *(RspDsomRegister *) resolver->register_list->pdata[i];
}

void dsom_resolve (RspDsomProgram *program, DsomParser *parser, const LitmusTest *question) {
  DsomResolver resolver = { .parser = parser,
                            .question = question,
                            .program = program,
                            .diagnostics = parser->diagnostics,
                            .buffers = g_hash_table_new (g_str_hash, g_str_equal),
                            .registers = g_hash_table_new (g_str_hash, g_str_equal),
                            .kernels = g_hash_table_new (g_str_hash, g_str_equal),
                            .register_list = g_ptr_array_new () };
  program->name = parser->name;
  program->doc = parser->doc;
  resolve_all (&resolver);
  g_hash_table_unref (resolver.buffers);
  g_hash_table_unref (resolver.registers);
  g_hash_table_unref (resolver.kernels);
  g_ptr_array_unref (resolver.register_list);
}
