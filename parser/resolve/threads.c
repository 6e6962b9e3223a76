/* Threads, their registers, and registers that are read before they are set. */
#include "base/base.h"
#include "parser/c/c.h"
#include "parser/resolve/internal.h"
#include "parser/resolve/resolve.h"

#include <string.h>

/* ---- Use of registers ----------------------------------------------------------------------- */

/* Registers that receive what is read of memory, and those that are read before they are assigned;
 * in columns, that nothing in the thread assigns. One pass goes through the statements in the order
 * of the text, and an assignment counts from there on. So a register that only one branch of an
 * `if` assigns is not reported: its value may be used on that branch alone. */

typedef struct Walk {
  LitmusResolver *resolver;
  const RspThread *thread;
  gboolean *assigned; /* per register: may it have been assigned, or is it reported? */
  guint n_reads;      /* reads of memory so far */
} Walk;

static void walk_expr (Walk *walk, const RspExpr *expr);

static void read_register (Walk *walk, guint reg, RspSpan span) {
  const char *name = walk->thread->registers[reg].name, *thread = walk->thread->name;
  if (walk->assigned[reg])
    return;
  walk->assigned[reg] = TRUE;
  if (!walk->resolver->program->language->tagged) {
    litmus_warning (walk->resolver, span, "in C its value is undetermined: initialise it",
                    "`%s` is read before it is assigned, and starts at 0", name);
    return;
  }
  g_autofree char *hint = g_strdup_printf (
      "a value is given to a register in the initial state: `%s:%s=1`", thread, name);
  litmus_warning (walk->resolver, span, hint, "nothing in %s sets `%s`, which is 0", thread, name);
}

/* A place that is written, or whose address is taken. */
static void walk_place (Walk *walk, const RspExpr *expr, gboolean reads) {
  if (expr->kind != RSP_EXPR_REGISTER)
    walk_expr (walk, expr->kind == RSP_EXPR_DEREF ? expr->u.node.a : expr);
  else if (reads)
    read_register (walk, expr->u.reg, expr->span);
}

static void assign_place (Walk *walk, const RspExpr *expr) {
  if (expr->kind == RSP_EXPR_REGISTER)
    walk->assigned[expr->u.reg] = TRUE;
}

/* Something has been read since there were so many reads: the place receives it. */
static void receive (const Walk *walk, const RspExpr *place, guint n_before) {
  if (place->kind == RSP_EXPR_REGISTER)
    walk->thread->registers[place->u.reg].receives |= walk->n_reads > n_before;
}

static void walk_call (Walk *walk, const RspCall *call) {
  guint n_before = walk->n_reads, accesses = rsp_call_place (call->kind);
  walk->n_reads += accesses != RSP_WORD_WRITE && accesses != RSP_WORD_FENCE;
  const RspExpr *const operands[] = { call->object, call->value };
  for (guint i = 0; i < G_N_ELEMENTS (operands); i++)
    if (operands[i])
      walk_expr (walk, operands[i]);
  if (!call->expected)
    return;
  if (call->expected->kind == RSP_EXPR_ADDRESS) { /* the expected value is read */
    walk_place (walk, call->expected->u.node.a, TRUE);
    receive (walk, call->expected->u.node.a, n_before);
  }
  walk_expr (walk, call->expected);
}

static void walk_expr (Walk *walk, const RspExpr *expr) {
  guint n_before = walk->n_reads;
  const RspExpr *a = expr->u.node.a, *b = expr->u.node.b, *c = expr->u.node.c;
  switch (expr->kind) {
  case RSP_EXPR_CONSTANT:
  case RSP_EXPR_LOCATION:
  case RSP_EXPR_BLOCK: /* not in tests */
    break;
  case RSP_EXPR_REGISTER:
    read_register (walk, expr->u.reg, expr->span);
    break;
  case RSP_EXPR_UNARY:
  case RSP_EXPR_CAST:
  case RSP_EXPR_DEREF:
    walk->n_reads += expr->kind == RSP_EXPR_DEREF;
    walk_expr (walk, a);
    break;
  case RSP_EXPR_BINARY:
  case RSP_EXPR_INDEX:
    walk->n_reads += expr->kind == RSP_EXPR_INDEX;
    walk_expr (walk, a);
    walk_expr (walk, b);
    break;
  case RSP_EXPR_CONDITIONAL:
    walk_expr (walk, a);
    walk_expr (walk, b);
    walk_expr (walk, c);
    break;
  case RSP_EXPR_ASSIGN:
    walk_expr (walk, b);
    walk_place (walk, a, expr->u.node.op != RSP_OP_NONE);
    assign_place (walk, a);
    receive (walk, a, n_before);
    break;
  case RSP_EXPR_STEP:
    walk_place (walk, a, TRUE);
    break;
  case RSP_EXPR_ADDRESS:
    walk_place (walk, a, FALSE);
    assign_place (walk, a);
    break;
  case RSP_EXPR_CALL:
    walk_call (walk, expr->u.call);
    break;
  }
}

static void walk_list (Walk *walk, const RspStatement *first) {
  for (const RspStatement *statement = first; statement; statement = statement->next) {
    gboolean body_first = statement->kind == RSP_STATEMENT_DO;
    guint n_before = walk->n_reads;
    if (statement->init)
      walk_list (walk, statement->init);
    if (body_first)
      walk_list (walk, statement->body);
    if (statement->expr)
      walk_expr (walk, statement->expr);
    if (statement->barrier && statement->barrier->name)
      walk_expr (walk, statement->barrier->name);
    if (statement->barrier && statement->barrier->quorum)
      walk_expr (walk, statement->barrier->quorum);
    if (statement->kind == RSP_STATEMENT_DECLARATION && statement->expr) {
      walk->assigned[statement->reg] = TRUE;
      walk->thread->registers[statement->reg].receives |= walk->n_reads > n_before;
    }
    if (!body_first)
      walk_list (walk, statement->body);
    walk_list (walk, statement->otherwise);
    if (statement->step)
      walk_expr (walk, statement->step);
    walk_list (walk, statement->first);
  }
}

void rsp_litmus_look_at_registers (LitmusResolver *resolver, const RspThread *thread) {
  g_autofree gboolean *assigned = g_new0 (gboolean, thread->n_registers + 1);
  Walk walk = { resolver, thread, assigned, 0 };
  for (guint i = 0; i < thread->n_registers; i++)
    assigned[i] = thread->registers[i].initialised;
  walk_list (&walk, thread->body);
}

/* ---- Thread --------------------------------------------------------------------------------- */

/* Threads: names to registers and parameters by C's block scoping; statements. */

/* ---- Registers ---- */
/* Adds a register to the thread being resolved; its index. */
static guint add_register (LitmusResolver *resolver, const char *name, RspType type,
                           gboolean implicit, RspSpan span) {
  RspRegister reg
      = { .name = name, .type = type, .implicit = implicit, .initialised = implicit, .span = span };
  if (g_hash_table_add (resolver->named, (gpointer) name)) {
    LitmusRegisterInit *entry = litmus_find_register_init (resolver, resolver->thread_index, name);
    if (entry) {
      entry->used = TRUE;
      if (implicit || (entry->type.pointers && !type.pointers))
        reg.type = entry->type;
      reg.initial = litmus_convert (entry->value, reg.type);
      reg.implicit = FALSE;
      reg.initialised = TRUE;
    }
  }
  g_array_append_val (resolver->registers, reg);
  return resolver->registers->len - 1;
}

/* ---- Names ---- */
/* The binding of a name, or NULL. */
static const LitmusBinding *find_binding (const LitmusResolver *resolver, const char *name) {
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (resolver->names, name));
  return found ? &g_array_index (resolver->bindings, LitmusBinding, found - 1) : NULL;
}

static void bind (LitmusResolver *resolver, const char *name, gboolean is_register, guint index,
                  RspSpan span) {
  const LitmusBinding *before = find_binding (resolver, name);
  if (before && before->block == resolver->block)
    litmus_error (resolver, span, NULL, "found a second declaration of `%s` in one block", name);
  LitmusBinding binding = {
    .name = name, .is_register = is_register, .index = index, .block = resolver->block, .span = span
  };
  binding.hides = GPOINTER_TO_UINT (g_hash_table_lookup (resolver->names, name));
  g_array_append_val (resolver->bindings, binding);
  g_hash_table_insert (resolver->names, (gpointer) name,
                       GUINT_TO_POINTER (resolver->bindings->len));
}

/* A hint at what an undeclared name was meant to be: newly allocated, or NULL. Short names are too
 * similar to each other for a guess. */
char *litmus_name_hint (const LitmusResolver *resolver, const char *name) {
  static const char *const words[] = { "return", "break", "continue" };
  if (litmus_find_object (resolver, name)) {
    /* For a location that is not a parameter: the parameter that was probably meant to name it.
     * Such a parameter names a location that the initial state lacks, and is the most similar one
     * or the only one. */
    const RspThread *thread = resolver->thread;
    g_autoptr (GPtrArray) strange = g_ptr_array_new ();
    for (guint i = 0; i < thread->n_parameters; i++) {
      const LitmusObject *object = litmus_find_object (resolver, thread->parameters[i].name);
      if (object && !object->in_initial)
        g_ptr_array_add (strange, (gpointer) object->name);
    }
    g_ptr_array_add (strange, NULL);
    const char *meant = rsp_nearest (name, (const char *const *) strange->pdata);
    if (!meant && strange->len == 2)
      meant = strange->pdata[0];
    return meant ? g_strdup_printf ("is the parameter `%s` of %s meant to be `%s`?", meant,
                                    thread->name, name)
                 : g_strdup_printf ("`%s` is a location: is it missing among the parameters of %s?",
                                    name, thread->name);
  }
  if (strlen (name) < 4)
    return NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < resolver->bindings->len; i++)
    g_ptr_array_add (names, (gpointer) g_array_index (resolver->bindings, LitmusBinding, i).name);
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    g_ptr_array_add (names, (gpointer) words[i]);
  return rsp_did_you_mean_in (name, names);
}

static guint implicit_register (LitmusResolver *resolver, const CExpr *expr, RspType like) {
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (resolver->implicit, expr->name));
  if (known)
    return known - 1;
  guint reg = add_register (resolver, expr->name, like, TRUE, expr->span);
  g_hash_table_insert (resolver->implicit, (gpointer) expr->name, GUINT_TO_POINTER (reg + 1));
  RspOrder order;
  RspScope scope;
  guint flag;
  if (rsp_litmus_order_word (expr->name, &order) || rsp_litmus_scope_word (expr->name, &scope)
      || rsp_litmus_flag_word (expr->name, &flag)) /* a word of another kind */
    litmus_error (resolver, expr->span, NULL, "found `%s`, expected a value", expr->name);
  else if (g_array_index (resolver->registers, RspRegister, reg).implicit) {
    g_autofree char *hint = litmus_name_hint (resolver, expr->name);
    litmus_warning (
        resolver, expr->span, hint,
        "`%s` is neither declared nor a parameter of %s: it is a register that starts at 0",
        expr->name, resolver->thread->name);
  }
  return reg;
}

gboolean litmus_is_declared (const LitmusResolver *resolver, const char *name) {
  return find_binding (resolver, name) || g_hash_table_contains (resolver->implicit, name)
         || litmus_find_register_init (resolver, resolver->thread_index, name);
}

RspExpr *litmus_resolve_name (LitmusResolver *resolver, const CExpr *name, RspType like) {
  const LitmusBinding *binding = find_binding (resolver, name->name);
  RspExpr *expr = rsp_arena_new0 (resolver->arena, RspExpr, 1);
  expr->span = name->span;
  expr->name = name->name;
  if (binding && !binding->is_register) {
    guint object = resolver->thread->parameters[binding->index].object;
    expr->kind = RSP_EXPR_LOCATION;
    expr->u.object = object;
    expr->type = resolver->program->locations[object].type;
    expr->type.pointers++;
    if (expr->type.pointers == 1)
      expr->type.is_atomic = resolver->program->locations[object].atomic;
    return expr;
  }
  expr->kind = RSP_EXPR_REGISTER;
  expr->u.reg = binding ? binding->index : implicit_register (resolver, name, like);
  expr->type = g_array_index (resolver->registers, RspRegister, expr->u.reg).type;
  return expr;
}

/* ---- Statements ---- */
/* Where the next statement of a list goes. */
typedef RspStatement **End;

static void resolve_statement (LitmusResolver *resolver, const CStatement *syntax, End *end);

static RspStatement *add_statement (LitmusResolver *resolver, RspStatementKind kind, RspSpan span,
                                    End *end) {
  RspStatement *statement = rsp_arena_new0 (resolver->arena, RspStatement, 1);
  statement->kind = kind;
  statement->span = span;
  **end = statement;
  *end = &statement->next;
  return statement;
}

static void resolve_list (LitmusResolver *resolver, LitmusList list, End end) {
  for (guint i = 0; i < list.n; i++)
    resolve_statement (resolver, list.items[i], &end);
}

/* The statement itself if it is one of the program, otherwise a block of those that it is. */
static RspStatement *resolve_single (LitmusResolver *resolver, const CStatement *syntax) {
  RspStatement *first = NULL, *block = NULL;
  End end = &first, block_end = &block;
  resolve_statement (resolver, syntax, &end);
  if (first && !first->next)
    return first;
  add_statement (resolver, RSP_STATEMENT_BLOCK, syntax->span, &block_end)->first = first;
  return block;
}

/* Opens a block; the result is for close_block. */
typedef struct OpenBlock {
  guint n_bindings, outer;
} OpenBlock;

static OpenBlock open_block (LitmusResolver *resolver) {
  OpenBlock open = { resolver->bindings->len, resolver->block };
  resolver->block++;
  return open;
}

static void close_block (LitmusResolver *resolver, OpenBlock open) {
  for (guint i = resolver->bindings->len; i-- > open.n_bindings;) {
    const LitmusBinding *binding = &g_array_index (resolver->bindings, LitmusBinding, i);
    g_hash_table_insert (resolver->names, (gpointer) binding->name,
                         GUINT_TO_POINTER (binding->hides));
  }
  g_array_set_size (resolver->bindings, open.n_bindings);
  resolver->block = open.outer;
}

static RspStatement *resolve_body (LitmusResolver *resolver, const CStatement *body,
                                   gboolean loop) {
  OpenBlock open = open_block (resolver);
  resolver->loops += loop;
  RspStatement *statement = resolve_single (resolver, body);
  resolver->loops -= loop;
  close_block (resolver, open);
  return statement;
}

static void resolve_declaration (LitmusResolver *resolver, const CVariable *variable, End *end) {
  RspSpan span = variable->span;
  /* The type of a register, which nothing else accesses. */
  const CType *declared = variable->type;
  gboolean is_pointer = declared->kind == C_POINTER;
  if (declared->kind == C_ARRAY)
    litmus_error (resolver, variable->span,
                  "arrays are declared in the initial state and passed as parameters",
                  "found the array `%s` inside a thread, expected a register", variable->name);
  else if (!is_pointer && declared->space != RSP_SPACE_PRIVATE)
    litmus_error (resolver, variable->span, "shared memory is passed as a parameter",
                  "found `%s` in %s memory, expected a register", variable->name,
                  declared->space_word->word);
  else if (declared->kind == C_VOID)
    litmus_error (resolver, variable->span, NULL, "`%s` cannot be of type void", variable->name);
  else
    litmus_check_type (resolver, declared, variable->span);
  RspType type = litmus_type_of (declared);
  if (!is_pointer)
    type.is_atomic = FALSE;
  guint index = add_register (resolver, variable->name, type, FALSE, span);
  bind (resolver, variable->name, TRUE, index, span);
  if (variable->initial)
    span.end = variable->initial->span.end;
  RspStatement *statement = add_statement (resolver, RSP_STATEMENT_DECLARATION, span, end);
  statement->reg = index;
  if (!variable->initial)
    return;
  statement->expr = litmus_resolve_value (resolver, variable->initial);
  /* An integer register that is initialised with an address is a pointer. */
  RspRegister *reg = &g_array_index (resolver->registers, RspRegister, index);
  RspType from = statement->expr->type;
  if (from.pointers && !reg->type.pointers && reg->type.bits < 64 && from.bits) {
    g_autofree char *name = rsp_litmus_type_name (from);
    g_autofree char *hint = litmus_content_hint (statement->expr);
    litmus_warning (resolver, statement->span, hint,
                    "`%s` is initialised with an address, so its type is taken to be `%s`",
                    reg->name, name);
    reg->type = from;
  }
  if (litmus_may_store (statement->expr, reg->type))
    return;
  g_autofree char *where = g_strdup_printf ("`%s` is", reg->name);
  litmus_check_conversion (resolver, statement->expr, reg->type, where);
}

static void resolve_for (LitmusResolver *resolver, const CStatement *syntax,
                         RspStatement *statement) {
  OpenBlock open = open_block (resolver);
  if (syntax->init->kind != C_EXPRESSION || syntax->init->expr)
    statement->init = resolve_single (resolver, syntax->init);
  if (syntax->expr)
    statement->expr = litmus_resolve_test (resolver, syntax->expr);
  if (syntax->step)
    statement->step = litmus_resolve_expr (resolver, syntax->step);
  statement->body = resolve_body (resolver, syntax->body, TRUE);
  close_block (resolver, open);
}

/* `return e;` is `{ e; return; }`. */
static void resolve_return (LitmusResolver *resolver, const CStatement *syntax, End *end) {
  RspSpan span = syntax->span;
  if (syntax->expr) {
    End inner = &add_statement (resolver, RSP_STATEMENT_BLOCK, span, end)->first;
    add_statement (resolver, RSP_STATEMENT_EXPRESSION, syntax->expr->span, &inner)->expr
        = litmus_resolve_expr (resolver, syntax->expr);
    add_statement (resolver, RSP_STATEMENT_RETURN, span, &inner);
  } else
    add_statement (resolver, RSP_STATEMENT_RETURN, span, end);
}

static void check_in_loop (LitmusResolver *resolver, const CStatement *statement,
                           const char *word) {
  if (!resolver->loops)
    litmus_error (resolver, statement->span, NULL, "found `%s` outside every loop", word);
}

static void resolve_effect (LitmusResolver *resolver, const CStatement *syntax, End *end) {
  if (litmus_is_barrier (syntax->expr)) {
    RspStatement *statement = add_statement (resolver, RSP_STATEMENT_BARRIER, syntax->span, end);
    statement->span.end = syntax->end;
    statement->label = syntax->label;
    litmus_resolve_barrier (resolver, syntax->expr, statement);
  } else if (syntax->expr)
    add_statement (resolver, RSP_STATEMENT_EXPRESSION, syntax->span, end)->expr
        = litmus_resolve_expr (resolver, syntax->expr);
  else
    add_statement (resolver, RSP_STATEMENT_EMPTY, syntax->span, end);
}

static void resolve_unmarked (LitmusResolver *resolver, const CStatement *syntax, End *end) {
  RspStatement *statement;
  OpenBlock open;
  if (syntax->label && !litmus_is_barrier (syntax->expr))
    litmus_error (resolver, syntax->span, NULL, "found the label `%s`, which only a barrier has",
                  syntax->label);
  switch (syntax->kind) {
  case C_EXPRESSION:
    resolve_effect (resolver, syntax, end);
    break;
  case C_DECLARATION:
    for (guint i = 0; i < syntax->list.n; i++)
      resolve_declaration (resolver, syntax->list.items[i], end);
    if (!syntax->list.n)
      litmus_error (resolver, syntax->span, NULL, "this declares nothing: a name is missing");
    break;
  case C_BLOCK:
    open = open_block (resolver);
    statement = add_statement (resolver, RSP_STATEMENT_BLOCK, syntax->span, end);
    resolve_list (resolver, syntax->list, &statement->first);
    close_block (resolver, open);
    break;
  case C_IF:
    statement = add_statement (resolver, RSP_STATEMENT_IF, syntax->span, end);
    statement->expr = litmus_resolve_test (resolver, syntax->expr);
    statement->body = resolve_body (resolver, syntax->body, FALSE);
    if (syntax->otherwise)
      statement->otherwise = resolve_body (resolver, syntax->otherwise, FALSE);
    break;
  case C_WHILE:
    statement = add_statement (resolver, RSP_STATEMENT_WHILE, syntax->span, end);
    statement->expr = litmus_resolve_test (resolver, syntax->expr);
    statement->body = resolve_body (resolver, syntax->body, TRUE);
    break;
  case C_DO:
    statement = add_statement (resolver, RSP_STATEMENT_DO, syntax->span, end);
    statement->body = resolve_body (resolver, syntax->body, TRUE);
    statement->expr = litmus_resolve_test (resolver, syntax->expr);
    break;
  case C_FOR:
    resolve_for (resolver, syntax, add_statement (resolver, RSP_STATEMENT_FOR, syntax->span, end));
    break;
  case C_BREAK:
    check_in_loop (resolver, syntax, "break");
    add_statement (resolver, RSP_STATEMENT_BREAK, syntax->span, end);
    break;
  case C_CONTINUE:
    check_in_loop (resolver, syntax, "continue");
    add_statement (resolver, RSP_STATEMENT_CONTINUE, syntax->span, end);
    break;
  case C_RETURN:
    resolve_return (resolver, syntax, end);
    break;
  case C_GOTO: /* words that tests do not have */
  case C_SWITCH:
  case C_CASE:
    break;
  }
}

static void resolve_statement (LitmusResolver *resolver, const CStatement *syntax, End *end) {
  CAround around = c_begin_words (resolver->program, syntax, resolver->diagnostics);
  resolve_unmarked (resolver, syntax, end);
  c_end_words (resolver->program, syntax, around, resolver->diagnostics);
}

/* ---- Threads ---- */
void litmus_resolve_thread (LitmusResolver *resolver, guint index) {
  RspThread *thread = &resolver->program->threads[index];
  const CStatement *body = ((const LitmusThread *) resolver->test->threads.items[index])->body;
  guint errors = rsp_diagnostics_count_errors (resolver->diagnostics);
  resolver->thread = thread;
  resolver->thread_index = index;
  g_array_set_size (resolver->registers, 0);
  g_array_set_size (resolver->bindings, 0);
  g_hash_table_remove_all (resolver->implicit);
  g_hash_table_remove_all (resolver->names);
  g_hash_table_remove_all (resolver->named);
  resolver->block = 1;
  for (guint i = 0; i < resolver->thread->n_parameters; i++) {
    const RspParameter *parameter = &resolver->thread->parameters[i];
    gboolean by_value = parameter->object == G_MAXUINT;
    guint at = i;
    if (by_value) {
      at = add_register (resolver, parameter->name, parameter->type, FALSE, parameter->span);
      g_array_index (resolver->registers, RspRegister, at).initialised = TRUE;
    }
    bind (resolver, parameter->name, by_value, at, parameter->span);
  }
  /* In C, the parameters and the body's outermost block are one block. */
  End end = &thread->body;
  resolve_list (resolver, body->list,
                &add_statement (resolver, RSP_STATEMENT_BLOCK, body->span, &end)->first);
  /* Registers that only the initial state names. */
  for (guint i = 0; i < resolver->register_inits->len; i++) {
    const LitmusRegisterInit *entry = resolver->register_inits->pdata[i];
    if (entry->thread == resolver->thread_index && !entry->used)
      add_register (resolver, entry->name, entry->type, TRUE, entry->init->span);
  }
  thread->n_registers = resolver->registers->len;
  thread->registers = rsp_arena_copy (resolver->arena, resolver->registers->data,
                                      resolver->registers->len * sizeof (RspRegister));
  if (rsp_diagnostics_count_errors (resolver->diagnostics) == errors)
    rsp_litmus_look_at_registers (resolver, thread);
}
