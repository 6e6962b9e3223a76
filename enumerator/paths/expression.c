/* Expressions of a thread: operators, and the accesses in them. */
#include "enumerator/paths/internal.h"
#include "enumerator/terms/terms.h"

#include <string.h>

/* ---- Operator ------------------------------------------------------------------------------- */

/* C's types and operators on the values of a symbolic execution. */

const RspTerm *term_to_type (RspExecutor *x, const RspTerm *term, const RspType *type) {
  return term == x->unset
             ? term
             : rsp_term_cast (x->terms, term, rsp_type_bits (type), rsp_type_is_signed (type));
}

/* C11 6.3.1.1: an int holds every value of the smaller types. */
static const RspTerm *promote (RspExecutor *x, const RspTerm *term) {
  return term->bits < 32 ? rsp_term_cast (x->terms, term, 32, TRUE) : term;
}

void executor_check_term (RspExecutor *x, const RspTerm *term, RspSpan span) {
  if (term->size > RSP_MAX_TERM)
    executor_give_up (x, span, "a value takes more than %d operations: lower -unroll",
                      RSP_MAX_TERM);
}

/* ---- Operations that may fail ---- */
/* If `guard` may be false, adds a failed state to `failed`. Returns the state that continues,
 * or NULL. */
static RspState *guard_state (RspExecutor *x, RspState *state, const RspTerm *guard, RspSpan span,
                              const char *message, RspStates *failed) {
  RspState *other;
  state_split (x, state, rsp_term_condition (x->terms, guard), span, &state, &other);
  if (other) {
    state_fail (other, span, message);
    states_append (failed, other);
  }
  return state;
}

/* Does the binary expression compare or subtract pointers, which must point into one object? (C11
 * 6.5.6, 6.5.8) */
static gboolean operator_needs_one_object (const RspExpr *expr) {
  RspOperator op = expr->u.node.op;
  return expr->u.node.a->type.pointers && expr->u.node.b->type.pointers
         && (op == RSP_OP_SUB || op == RSP_OP_LT || op == RSP_OP_LE || op == RSP_OP_GT
             || op == RSP_OP_GE);
}

/* The object of an address (see parser/program.h). A negative element borrows from it. */
static const RspTerm *object_of (RspExecutor *x, const RspTerm *address) {
  const RspTerm *half = rsp_term_constant (x->terms, G_GINT64_CONSTANT (1) << 31, 64, FALSE);
  const RspTerm *bits = rsp_term_constant (x->terms, 32, 64, FALSE);
  const RspTerm *whole = rsp_term_cast (x->terms, address, 64, FALSE);
  return rsp_term_binary (x->terms, RSP_OP_SHR, rsp_term_binary (x->terms, RSP_OP_ADD, whole, half),
                          bits);
}

const RspTerm *operator_stay_in_object (RspExecutor *x, const RspTerm *address,
                                        const RspTerm *stepped) {
  if (address->kind != RSP_TERM_CONSTANT || stepped->kind != RSP_TERM_CONSTANT
      || !rsp_is_address (address->constant))
    return stepped;
  guint object = rsp_address_object (address->constant);
  if (rsp_is_address (stepped->constant) && rsp_address_object (stepped->constant) == object)
    return stepped;
  return rsp_term_constant (x->terms, rsp_address (object, RSP_FAR_ELEMENT), stepped->bits,
                            stepped->is_signed);
}

/* ---- Operators ---- */
RspState *operate (RspExecutor *x, RspState *state, RspOperator op, RspPathValue a, RspPathValue b,
                   RspSpan span, RspStates *failed) {
  const RspTerm *left = promote (x, a.term), *right = promote (x, b.term);
  if (op == RSP_OP_DIV || op == RSP_OP_MOD)
    state = guard_state (x, state, right, span, "division by zero", failed);
  else if (rsp_operator_is_shift (op)) {
    const RspTerm *amount = rsp_term_cast (x->terms, right, right->bits, FALSE);
    const RspTerm *most = rsp_term_constant (x->terms, left->bits - 1, right->bits, FALSE);
    state = guard_state (x, state, rsp_term_binary (x->terms, RSP_OP_LE, amount, most), span,
                         "shift by a negative amount, or by as many bits as the value has", failed);
  }
  if (!state)
    return NULL;
  state->value = (RspPathValue){ .term = rsp_term_binary (x->terms, op, left, right),
                                 .sources = event_set_union (x, a.sources, b.sources),
                                 .after = event_set_union (x, a.after, b.after) };
  executor_check_term (x, state->value.term, span);
  return state;
}

/* ---- Access --------------------------------------------------------------------------------- */

/* The places that addresses denote, and plain accesses to them. */

/* Registers are objects after all locations, numbered through all threads. */
static guint first_register_object (const RspExecutor *x) {
  guint object = x->program->n_locations;
  for (guint i = 0; i < x->thread_index; i++)
    object += x->program->threads[i].n_registers;
  return object;
}

gint64 register_address (const RspExecutor *x, guint reg) {
  guint element = x->thread->registers[reg].element;
  return rsp_address (first_register_object (x) + reg - element, (gint32) element);
}

const RspType *place_type (const RspExecutor *x, RspPlace place) {
  return place.is_register ? &x->thread->registers[place.index].type
                           : &x->program->locations[place.index].type;
}

/* The place of a constant address; FALSE if it is in no object that this thread can access. */
static gboolean find_place (const RspExecutor *x, gint64 address, RspPlace *place) {
  if (!rsp_is_address (address))
    return FALSE;
  guint object = rsp_address_object (address), n = x->program->n_locations;
  gint32 element = rsp_address_element (address);
  if (object < n) {
    const RspLocation *location = &x->program->locations[object];
    *place = (RspPlace){ .index = object + (guint) element };
    return location->object == object && element >= 0 && (guint) element < location->n_elements;
  }
  guint first = first_register_object (x), reg = object - first;
  if (object < first || reg >= x->thread->n_registers)
    return FALSE;
  *place = (RspPlace){ .is_register = TRUE, .index = reg + (guint) element };
  return element >= 0 && (guint) element < MAX (x->thread->registers[reg].n_elements, 1);
}

static const char *explain_element (const RspExecutor *x, gint32 element, const char *name,
                                    guint n) {
  const char *own = executor_name (x, name, FALSE);
  if (element == RSP_FAR_ELEMENT)
    return rsp_arena_printf (x->arena, "access to an element far outside of %s, which has %u", own,
                             n);
  if (element < RSP_NO_ELEMENT / 2)
    return rsp_arena_printf (x->arena, "access to part of an element of %s", own);
  return rsp_arena_printf (x->arena, "access to element %d of %s, which has %u", element, own, n);
}

/* Why a constant address denotes no place. */
static const char *explain (const RspExecutor *x, gint64 address) {
  if (address == 0)
    return "access through a null pointer";
  guint object = rsp_address_object (address);
  if (!rsp_is_address (address))
    return rsp_arena_printf (
        x->arena, "access through %" G_GINT64_FORMAT ", which is not an address", address);
  if (object >= x->program->n_locations) {
    guint reg = object - first_register_object (x);
    if (reg >= x->thread->n_registers)
      return "access to a register of another thread";
    return explain_element (x, rsp_address_element (address), x->thread->registers[reg].name,
                            MAX (x->thread->registers[reg].n_elements, 1));
  }
  const RspLocation *location = &x->program->locations[object];
  return explain_element (x, rsp_address_element (address), location->name,
                          MAX (location->n_elements, location->declared));
}

/* Is the address computed from that of the object? */
static gboolean mentions_object (const RspTerm *address, guint object) {
  if (address->kind == RSP_TERM_CONSTANT)
    return rsp_is_address (address->constant) && rsp_address_object (address->constant) == object;
  return (address->a && mentions_object (address->a, object))
         || (address->b && mentions_object (address->b, object));
}

/* A location that only this thread accesses is a register of it. */
static void append_at (RspExecutor *x, RspState *state, RspPlace place, RspStates *out) {
  const RspLocation *location = place.is_register ? NULL : &x->program->locations[place.index];
  if (state->status == RSP_STATE_RUNNING && location && location->reg) {
    place = (RspPlace){ .is_register = TRUE, .index = location->reg - 1 };
    if (place.index >= x->thread->n_registers
        || x->thread->registers[place.index].name != location->name) {
      executor_give_up (x, x->thread->span, "`%s` was taken for a value of another work-item",
                        location->name);
      place.index = 0;
    }
  }
  state->place = place;
  states_append (out, state);
}

/* One more possibility for an address: a state in which it is `candidate` goes to out, and *state
 * is the state in which it is not, or NULL if none is left. `known` is what was assumed before the
 * first. */
static void try_candidate (RspExecutor *x, RspState **state, const RspConstraintNode *known,
                           const RspTerm *address, gint64 candidate, RspPlace place, RspSpan span,
                           RspStates *out) {
  const RspTerm *equal = rsp_term_binary (x->terms, RSP_OP_EQ, address,
                                          rsp_term_constant (x->terms, candidate, 64, FALSE));
  if (!*state || (equal->kind == RSP_TERM_CONSTANT && !equal->constant))
    return;
  RspState *here = state_fork (x, *state);
  here->constraints = known; /* the address differs from all the others */
  here = state_assume (x, here, equal, span);
  if (here)
    append_at (x, here, place, out);
  *state = state_assume (x, *state, rsp_term_negate_condition (x->terms, equal), span);
}

/* The address may be that of an element after the last one of the object. That failure is separate,
 * because a larger object would avoid it. *state is then the state in which the address is none of
 * these, or NULL if none is left. */
static void fail_beyond (RspExecutor *x, RspState **state, const RspTerm *address, guint object,
                         RspSpan span, RspStates *out) {
  const RspLocation *first = &x->program->locations[object];
  const RspTerm *end
      = rsp_term_constant (x->terms, rsp_address (object, (gint32) first->n_elements), 64, FALSE);
  const RspTerm *last = rsp_term_constant (x->terms, rsp_address (object, G_MAXINT32), 64, FALSE);
  const RspTerm *beyond = rsp_term_condition (
      x->terms,
      rsp_term_binary (x->terms, RSP_OP_AND, rsp_term_binary (x->terms, RSP_OP_LE, end, address),
                       rsp_term_binary (x->terms, RSP_OP_LE, address, last)));
  RspState *failed;
  state_split (x, *state, beyond, span, &failed, state);
  if (failed) {
    state_fail (failed, span,
                rsp_arena_printf (x->arena,
                                  "access to an element after the last of '%.*s', which has %u",
                                  (int) strcspn (first->name, "["), first->name,
                                  MAX (first->n_elements, first->declared)));
    failed->end_address = rsp_address (object, 0);
    failed->end_any = address->has_arguments;
    states_append (out, failed);
  }
}

/* Is it an unknown element of a known object? The result of a function of addresses is not. */
static gboolean is_in_object (const RspTerm *address) {
  if (address->kind == RSP_TERM_CONSTANT)
    return rsp_is_address (address->constant);
  return address->op != RSP_OP_APPLY
         && ((address->a && is_in_object (address->a))
             || (address->b && is_in_object (address->b)));
}

/* The assumed value of an address that depends on an unknown value: an element of what the path
 * found its pointer equal to, or else null. NULL: the path found that it is not null. */
static const RspTerm *known_address (RspExecutor *x, RspState *state, const RspTerm *address,
                                     RspSpan span) {
  const RspTerm *null = rsp_term_constant (x->terms, 0, 64, FALSE), *pointer = address,
                *steps = null;
  for (; pointer->kind == RSP_TERM_BINARY && pointer->op == RSP_OP_ADD && pointer->a->is_free;
       pointer = pointer->a)
    steps = rsp_term_binary (x->terms, RSP_OP_ADD, steps, pointer->b);
  for (const RspConstraintNode *node = state->constraints; node; node = node->previous) {
    const RspTerm *equal = node->constraint.term;
    if (equal->kind == RSP_TERM_BINARY && equal->op == RSP_OP_EQ && equal->a == pointer
        && equal->b->kind == RSP_TERM_CONSTANT)
      return rsp_term_binary (x->terms, RSP_OP_ADD, equal->b, steps);
  }
  if (is_in_object (address))
    executor_give_up (x, span,
                      "an address depends on an unknown value, such as that of an image's element "
                      "or of `-arg x=any`");
  else if (!x->thread->spare
           && !state_assume (x, state, rsp_term_binary (x->terms, RSP_OP_EQ, pointer, null), span))
    return NULL;
  return null;
}

void access_resolve (RspExecutor *x, RspState *state, const RspTerm *address, RspSpan span,
                     RspStates *out) {
  RspPlace place;
  gint64 known_value;
  address = rsp_term_cast (x->terms, address, 64, FALSE);
  if (x->program->phases && address->has_reads
      && state_evaluate (x, state, address, FALSE, &known_value))
    address = rsp_term_constant (x->terms, known_value, 64, FALSE);
  if (address->is_free && !address->has_arguments)
    address = known_address (x, state, address, span);
  if (!address) {
    state_fail (state, span, "access through an unknown pointer");
    states_append (out, state);
    return;
  }
  if (address->kind == RSP_TERM_CONSTANT) {
    gboolean found = find_place (x, address->constant, &place);
    /* Is it the address of an element that the object would have if it were larger? */
    if (!found && x->thread->spare
        && !(rsp_is_address (address->constant)
             && rsp_address_object (address->constant) < x->program->n_locations
             && rsp_address_element (address->constant) >= 0))
      place = (RspPlace){ .is_register = TRUE, .index = x->thread->spare - 1 };
    else if (!found) {
      state_fail (state, span, explain (x, address->constant));
      state->end_address = address->constant;
    }
    append_at (x, state, place, out);
    return;
  }
  const RspConstraintNode *known = state->constraints;
  const guint8 *objects = executor_find_objects (x);
  gboolean possible = FALSE;
  for (guint i = 0; i < x->program->n_locations && !x->gave_up; i++) {
    guint object = x->program->locations[i].object;
    if (object == i)
      possible = (objects[object] & RSP_OBJECT_ESCAPES) || mentions_object (address, object);
    if (!possible)
      continue;
    place = (RspPlace){ .index = i };
    try_candidate (x, &state, known, address, rsp_address (object, (gint32) (i - object)), place,
                   span, out);
  }
  for (guint i = 0; i < x->thread->n_registers && !x->gave_up; i++)
    if (x->escapes[i] == TRUE) {
      place = (RspPlace){ .is_register = TRUE, .index = i };
      try_candidate (x, &state, known, address, register_address (x, i), place, span, out);
    }
  for (guint i = 0; i < x->program->n_locations && state; i++)
    if (x->program->locations[i].object == i && x->program->locations[i].grows
        && mentions_object (address, i))
      fail_beyond (x, &state, address, i, span, out);
  if (!state)
    return;
  state_fail (state, span, "access through an address outside all objects");
  states_append (out, state);
}

/* ---- Plain accesses ---- */
/* At state->place. */
static RspEvent plain_event (RspExecutor *x, const RspState *state, RspEventKind kind,
                             RspSpan span) {
  const RspLocation *location = &x->program->locations[state->place.index];
  RspEvent event = { .kind = kind,
                     .location = location->physical,
                     .virtual_location = state->place.index,
                     .tags = state->place.tags,
                     .reach = state->place.tags ? state->place.reach : RSP_LEVEL_THREAD,
                     .order = RSP_ORDER_NA,
                     .scope = RSP_SCOPE_WORK_ITEM,
                     .is_ghost = state->place.is_ghost,
                     .span = span };
  const RspMapped mapped = { .operation = kind == RSP_EVENT_READ ? RSP_MAP_LOAD : RSP_MAP_STORE,
                             .flags = rsp_mapped_flags (location) };
  const RspSequence *sequence = translated_find (x, mapped, span);
  if (sequence)
    translated_set (&event, sequence->instructions, sequence->instructions->tags);
  return event;
}

const RspTerm *access_value (RspExecutor *x, RspPlace place, const RspTerm *read) {
  const guint argument = place.is_register ? 0 : x->program->locations[place.index].argument;
  if (place.is_register || (!argument && !x->program->locations[place.index].opaque))
    return read;
  const RspTerm *function = rsp_term_constant (
      x->terms, argument ? RSP_FUNCTION_ARGUMENT : RSP_FUNCTION_READ, 64, FALSE);
  if (argument)
    return rsp_term_cast (x->terms,
                          rsp_term_binary (x->terms, RSP_OP_APPLY, function,
                                           rsp_term_constant (x->terms, argument - 1, 32, TRUE)),
                          read->bits, read->is_signed);
  return rsp_term_cast (x->terms, rsp_term_binary (x->terms, RSP_OP_APPLY, function, read),
                        read->bits, read->is_signed);
}

/* The same, but the value may be x->unset, which access_read reports. */
static void access_copy (RspExecutor *x, RspState *state, const RspEventSet *addr, RspSpan span) {
  if (state->place.is_register) {
    const RspRegisterValue *reg = &state->registers[state->place.index];
    state->value = (RspPathValue){ .term = reg->term,
                                   .sources = event_set_union (x, reg->sources, addr),
                                   .after = state->before };
    return;
  }
  const RspLocation *location = &x->program->locations[state->place.index];
  const RspType *type = place_type (x, state->place);
  if (location->fixed) {
    const RspTerm *initial = rsp_term_constant (x->terms, location->initial, rsp_type_bits (type),
                                                rsp_type_is_signed (type));
    state->value
        = (RspPathValue){ .term
                          = location->unset ? x->unset : access_value (x, state->place, initial),
                          .sources = addr,
                          .after = state->before };
    return;
  }
  RspEvent event = plain_event (x, state, RSP_EVENT_READ, span);
  event.read
      = rsp_term_read (x->terms, state->n_events, rsp_type_bits (type), rsp_type_is_signed (type));
  guint number = state_emit (x, state, &event, addr, NULL);
  state->value = (RspPathValue){ .term = access_value (x, state->place, event.read),
                                 .sources = event_set_with (x, NULL, number),
                                 .after = event_set_with (x, state->before, number) };
}

void access_fail_unset (RspExecutor *x, RspState *state, RspSpan span) {
  if (state->place.is_register)
    state_fail_unset (x, state, state->place.index, span);
  else
    state_fail (state, span,
                rsp_arena_printf (x->arena, "'%s' is read and never written",
                                  x->program->locations[state->place.index].name));
}

void access_read (RspExecutor *x, RspState *state, const RspEventSet *addr, RspSpan span) {
  access_copy (x, state, addr, span);
  if (state->value.term == x->unset)
    access_fail_unset (x, state, span);
}

guint access_write (RspExecutor *x, RspState *state, const RspEventSet *addr, RspPathValue value,
                    RspSpan span) {
  return access_write_back (x, state, addr, value, NULL, span);
}

guint access_write_back (RspExecutor *x, RspState *state, const RspEventSet *addr,
                         RspPathValue value, const RspTerm *read, RspSpan span) {
  const RspType *type = place_type (x, state->place);
  const RspTerm *term = term_to_type (x, value.term, type);
  if (state->place.is_register) {
    state->registers[state->place.index]
        = (RspRegisterValue){ .term = term, .sources = event_set_union (x, value.sources, addr) };
    return G_MAXUINT;
  }
  RspEvent event = plain_event (x, state, RSP_EVENT_WRITE, span);
  if (term == x->unset) {
    /* What memory has after a part without a value is copied to it: nothing is known of that. */
    const RspTerm *nothing = rsp_term_constant (x->terms, RSP_FUNCTION_NOTHING, 64, FALSE);
    term = term_to_type (x, rsp_term_binary (x->terms, RSP_OP_APPLY, nothing, nothing), type);
  }
  event.written = term;
  event.no_source = read;
  return state_emit (x, state, &event, addr, value.sources);
}

/* ---- Expression ----------------------------------------------------------------------------- */

/* Symbolic execution of expressions, sequenced as in C11 (6.5): operands are unsequenced against
 * each other; &&, ||, ?: and the comma have a sequence point after their first operand. */

void expression_operands (RspExecutor *x, const RspExpr *expr, RspEvaluate evaluate_a,
                          const RspExpr *a, const RspExpr *b, RspState *state, RspCombine combine,
                          RspStates *out) {
  RspStates left = { 0 }, right = { 0 };
  evaluate_a (x, a, state, &left);
  while ((state = states_take (&left))) {
    RspPathValue value = state->value;
    if (state->status == RSP_STATE_RUNNING && b)
      expression_evaluate (x, b, state, &right);
    else
      states_append (&right, state);
    while ((state = states_take_running (&right, out)))
      combine (x, expr, value, state, out);
  }
}

/* ---- Plain operators ---- */
static void combine_binary (RspExecutor *x, const RspExpr *expr, RspPathValue a, RspState *state,
                            RspStates *out) {
  const RspTerm *b = state->value.term;
  RspStates failed = { 0 };
  RspPathValue right = state->value;
  if (operator_needs_one_object (expr)) {
    const RspTerm *same
        = rsp_term_binary (x->terms, RSP_OP_EQ, object_of (x, a.term), object_of (x, b));
    state
        = guard_state (x, state, same, expr->span,
                       expr->u.node.op == RSP_OP_SUB ? "difference of pointers to different objects"
                                                     : "order of pointers to different objects",
                       &failed);
  }
  if (state)
    state = operate (x, state, expr->u.node.op, a, right, expr->span, &failed);
  if (state) {
    const RspTerm *pointer = expr->u.node.a->type.pointers ? a.term : b;
    state->value.term = term_to_type (x, state->value.term, &expr->type);
    if (expr->type.pointers)
      state->value.term = operator_stay_in_object (x, pointer, state->value.term);
    states_append (out, state);
  }
  states_move (out, &failed);
}

static void combine_unary (RspExecutor *x, const RspExpr *expr, RspPathValue a, RspState *state,
                           RspStates *out) {
  state->value = a;
  if (expr->kind == RSP_EXPR_UNARY) {
    state->value.term = rsp_term_unary (x->terms, expr->u.node.op, promote (x, a.term));
    executor_check_term (x, state->value.term, expr->span);
  }
  state->value.term = term_to_type (x, state->value.term, &expr->type);
  states_append (out, state);
}

/* Reads the contents of the address a. */
static void combine_read (RspExecutor *x, const RspExpr *expr, RspPathValue a, RspState *state,
                          RspStates *out) {
  const RspEventSet *before = state->before;
  RspStates places = { 0 };
  state->before = event_set_union (x, before, a.after);
  access_resolve (x, state, a.term, expr->span, &places);
  while ((state = states_take (&places))) {
    if (state->status == RSP_STATE_RUNNING) {
      state->place.is_ghost = expr->is_ghost;
      expr->is_copied ? access_copy (x, state, a.sources, expr->span)
                      : access_read (x, state, a.sources, expr->span);
      state->value.term = term_to_type (x, state->value.term, &expr->type);
    }
    state->before = before;
    states_append (out, state);
  }
}

/* ---- Sequence points ---- */
gboolean expression_is_pure (const RspExpr *expr) {
  RspOperator op = expr->u.node.op;
  switch (expr->kind) {
  case RSP_EXPR_CONSTANT:
  case RSP_EXPR_LOCATION:
  case RSP_EXPR_REGISTER:
    return TRUE;
  case RSP_EXPR_UNARY:
  case RSP_EXPR_CAST:
    return expression_is_pure (expr->u.node.a);
  case RSP_EXPR_BINARY:
    return op != RSP_OP_DIV && op != RSP_OP_MOD && !rsp_operator_is_shift (op)
           && !operator_needs_one_object (expr) && expression_is_pure (expr->u.node.a)
           && expression_is_pure (expr->u.node.b);
  default:
    return FALSE;
  }
}

/* An expression's first operand, followed by a sequence point: its value, and the number of the
 * first event of the whole expression. */
typedef struct First {
  RspPathValue value;
  guint event;
} First;

/* Evaluates b after all of the first operand, on which the choice to evaluate b may have depended.
 * type NULL: the value is that of the condition. */
static void evaluate_second (RspExecutor *x, const RspExpr *b, const RspType *type,
                             const First *first, RspState *state, RspStates *out) {
  const RspEventSet *before = state->before;
  const RspEventSet *point = event_set_with_range (x, before, first->event, state->n_events);
  RspStates results = { 0 };
  state->before = point;
  expression_evaluate (x, b, state, &results);
  while ((state = states_take (&results))) {
    RspPathValue *value = &state->value;
    if (state->status == RSP_STATE_RUNNING) {
      value->after = event_set_union (x, point, value->after);
      value->sources = event_set_union (x, value->sources, first->value.sources);
      value->term
          = type ? term_to_type (x, value->term, type) : rsp_term_condition (x->terms, value->term);
    }
    state->before = before;
    states_append (out, state);
  }
}

/* && or ||, if the first operand decides it. */
static void finish_decided (RspExecutor *x, gboolean result, const First *first, RspState *state,
                            RspStates *out) {
  state->value = first->value;
  state->value.term = rsp_term_constant (x->terms, result, 32, TRUE);
  state->value.after = event_set_with_range (x, state->before, first->event, state->n_events);
  states_append (out, state);
}

static void finish_logic (RspExecutor *x, const RspExpr *expr, const First *first, RspState *state,
                          RspStates *out) {
  gboolean is_and = expr->u.node.op == RSP_OP_LOGICAL_AND;
  RspState *yes, *no;
  if (first->value.term->kind != RSP_TERM_CONSTANT && expression_is_pure (expr->u.node.b)) {
    /* && or || with a second operand that can always be evaluated, so that no branch is needed. */
    RspOperator op = expr->u.node.op == RSP_OP_LOGICAL_AND ? RSP_OP_AND : RSP_OP_OR;
    const RspTerm *a = rsp_term_condition (x->terms, first->value.term);
    RspStates results = { 0 };
    evaluate_second (x, expr->u.node.b, NULL, first, state, &results);
    while ((state = states_take (&results))) {
      if (state->status == RSP_STATE_RUNNING)
        state->value.term = rsp_term_binary (x->terms, op, a, state->value.term);
      states_append (out, state);
    }
    return;
  }
  state_branch (x, state, first->value, expr->u.node.a->span, &yes, &no);
  if (yes && is_and)
    evaluate_second (x, expr->u.node.b, NULL, first, yes, out);
  else if (yes)
    finish_decided (x, TRUE, first, yes, out);
  if (no && is_and)
    finish_decided (x, FALSE, first, no, out);
  else if (no)
    evaluate_second (x, expr->u.node.b, NULL, first, no, out);
}

/* The value of a register or number, maybe converted; NULL: it is another expression. */
static const RspTerm *value_at_hand (RspExecutor *x, const RspExpr *expr, const First *first,
                                     const RspState *state) {
  const RspTerm *term = NULL;
  if (expr->kind == RSP_EXPR_CONSTANT)
    term = rsp_term_constant (x->terms, expr->u.constant, rsp_type_bits (&expr->type),
                              rsp_type_is_signed (&expr->type));
  else if (expr->kind == RSP_EXPR_CAST)
    term = value_at_hand (x, expr->u.node.a, first, state);
  else if (expr->kind == RSP_EXPR_REGISTER) {
    const RspRegisterValue *reg = &state->registers[expr->u.reg];
    if (event_set_union (x, first->value.sources, reg->sources) == first->value.sources)
      term = reg->term;
  }
  return term ? term_to_type (x, term, &expr->type) : NULL;
}

/* The lesser or greater of two integers, as `a < b ? a : b`, which needs no branch: it depends on
 * the same reads as the comparison does. */
static gboolean finish_extreme (RspExecutor *x, const RspExpr *expr, const First *first,
                                RspState *state, RspStates *out) {
  const RspTerm *condition = rsp_term_condition (x->terms, first->value.term);
  if (condition->is_free || expr->type.pointers || condition->kind != RSP_TERM_BINARY
      || (condition->op != RSP_OP_LT && condition->op != RSP_OP_LE))
    return FALSE;
  const RspTerm *b = value_at_hand (x, expr->u.node.b, first, state),
                *c = value_at_hand (x, expr->u.node.c, first, state);
  const gboolean is_least = b == condition->a && c == condition->b;
  if (!is_least && (b != condition->b || c != condition->a))
    return FALSE;
  state->ctrl = event_set_union (x, state->ctrl, first->value.sources);
  state->value.term = term_to_type (
      x, rsp_term_binary (x->terms, is_least ? RSP_OP_MIN : RSP_OP_MAX, b, c), &expr->type);
  state->value.after = event_set_with_range (x, state->before, first->event, state->n_events);
  states_append (out, state);
  return TRUE;
}

static void evaluate_sequenced (RspExecutor *x, const RspExpr *expr, RspState *state,
                                RspStates *out) {
  First first = { .event = state->n_events };
  RspStates left = { 0 };
  expression_evaluate (x, expr->u.node.a, state, &left);
  while ((state = states_take_running (&left, out))) {
    first.value = state->value;
    if (expr->kind == RSP_EXPR_CONDITIONAL) {
      RspState *yes, *no;
      if (finish_extreme (x, expr, &first, state, out))
        continue;
      state_branch (x, state, first.value, expr->u.node.a->span, &yes, &no);
      if (yes)
        evaluate_second (x, expr->u.node.b, &expr->type, &first, yes, out);
      if (no)
        evaluate_second (x, expr->u.node.c, &expr->type, &first, no, out);
    } else if (expr->u.node.op == RSP_OP_COMMA) {
      first.value.sources = NULL; /* the first value is discarded */
      evaluate_second (x, expr->u.node.b, &expr->type, &first, state, out);
    } else
      finish_logic (x, expr, &first, state, out);
  }
}

/* ---- Statements in expressions ---- */
static void evaluate_block (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out) {
  const RspEventSet *before = state->before;
  RspStates after = { 0 }, results = { 0 };
  statement_run (x, expr->u.block.body, state, &after);
  while ((state = states_take (&after)))
    if (state->status == RSP_STATE_RUNNING)
      expression_evaluate (x, expr->u.block.value, state, &results);
    else
      states_append (&results, state);
  while ((state = states_take (&results))) {
    state->value.after = event_set_with_range (x, NULL, 0, state->n_events);
    state->before = before;
    states_append (out, state);
  }
}

/* ---- All kinds ---- */
static void set_constant (RspExecutor *x, RspState *state, gint64 value, const RspType *type) {
  state->value = (RspPathValue){ .term = rsp_term_constant (x->terms, value, rsp_type_bits (type),
                                                            rsp_type_is_signed (type)) };
}

static void evaluate_leaf (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out) {
  if (expr->kind == RSP_EXPR_REGISTER) {
    const RspRegisterValue *reg = &state->registers[expr->u.reg];
    state->value = (RspPathValue){ .term = reg->term, .sources = reg->sources };
    if (reg->term == x->unset && !expr->is_copied)
      state_fail_unset (x, state, expr->u.reg, expr->span);
  } else if (expr->kind == RSP_EXPR_LOCATION) {
    const RspType address = { .bits = 64, .pointers = 1 };
    set_constant (x, state, rsp_address (expr->u.object, 0), &address);
  } else
    set_constant (x, state, expr->u.constant, &expr->type);
  states_append (out, state);
}

static void evaluate_node (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out) {
  const RspExpr *a = expr->u.node.a, *b = expr->u.node.b;
  RspOperator op = expr->u.node.op;
  switch (expr->kind) {
  case RSP_EXPR_UNARY:
  case RSP_EXPR_CAST:
    expression_operands (x, expr, expression_evaluate, a, NULL, state, combine_unary, out);
    return;
  case RSP_EXPR_DEREF:
  case RSP_EXPR_INDEX:
    expression_operands (x, expr, expression_address, expr, NULL, state, combine_read, out);
    return;
  case RSP_EXPR_ADDRESS:
    expression_address (x, a, state, out);
    return;
  case RSP_EXPR_BINARY:
    if (op == RSP_OP_LOGICAL_AND || op == RSP_OP_LOGICAL_OR || op == RSP_OP_COMMA)
      evaluate_sequenced (x, expr, state, out);
    else
      expression_operands (x, expr, expression_evaluate, a, b, state, combine_binary, out);
    return;
  case RSP_EXPR_CONDITIONAL:
    evaluate_sequenced (x, expr, state, out);
    return;
  case RSP_EXPR_ASSIGN:
  case RSP_EXPR_STEP:
    expression_assign (x, expr, state, out);
    return;
  case RSP_EXPR_CALL:
    call_evaluate (x, expr, state, out);
    return;
  case RSP_EXPR_BLOCK:
    evaluate_block (x, expr, state, out);
    return;
  default:
    evaluate_leaf (x, expr, state, out);
    return;
  }
}

void expression_evaluate (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out) {
  if (executor_enter (x, expr->span))
    evaluate_node (x, expr, state, out);
  else
    state_drop (x, state);
  executor_leave (x);
}

void expression_evaluate_full (RspExecutor *x, const RspExpr *expr, RspState *state,
                               RspStates *out) {
  RspStates results = { 0 };
  expression_evaluate (x, expr, state, &results);
  while ((state = states_take (&results))) {
    state_sequence_point (x, state);
    states_append (out, state);
  }
}
