/* Operations, fences and barriers of a thread, and their events. */
#include "enumerator/paths/internal.h"
#include "enumerator/terms/terms.h"
#include "parser/program.h"

/* ---- Numbers -------------------------------------------------------------------------------- */

/* The numbers that the values of a program in columns may be. */

enum { MAX_NUMBERS = 128, VALUE_BITS = 64 };

/* NULL: any number, as in a register or memory. */
typedef struct Operation {
  RspOperator op;
  const RspExpr *a, *b;
} Operation;

typedef struct Numbers {
  GArray *values;     /* of gint64 */
  GArray *operations; /* of Operation */
} Numbers;

static void add_number (GArray *values, gint64 value) {
  for (guint i = 0; i < values->len; i++)
    if (g_array_index (values, gint64, i) == value)
      return;
  g_array_append_val (values, value);
}

/* ---- The program's ---- */
static void add_operation (Numbers *numbers, RspOperator op, const RspExpr *a, const RspExpr *b) {
  Operation operation = { op, a, b };
  g_array_append_val (numbers->operations, operation);
}

/* A program in columns only has constants, registers, locations, assignments, calls and binary
 * operations; a comparison is a jump's, and nobody's value. */
static void add_expr (Numbers *numbers, const RspExpr *expr) {
  if (!expr)
    return;
  switch (expr->kind) {
  case RSP_EXPR_CONSTANT:
    add_number (numbers->values, expr->u.constant);
    return;
  case RSP_EXPR_LOCATION:
    add_number (numbers->values, rsp_address (expr->u.object, 0));
    return;
  case RSP_EXPR_CALL:
    if (expr->u.call->kind == RSP_CALL_FETCH && expr->u.call->op != RSP_OP_EXCHANGE)
      add_operation (numbers, expr->u.call->op, NULL, expr->u.call->value);
    add_expr (numbers, expr->u.call->value);
    return;
  case RSP_EXPR_BINARY:
  case RSP_EXPR_ASSIGN:
    if (expr->kind == RSP_EXPR_BINARY && !rsp_operator_is_comparison (expr->u.node.op))
      add_operation (numbers, expr->u.node.op, expr->u.node.a, expr->u.node.b);
    add_expr (numbers, expr->u.node.a);
    add_expr (numbers, expr->u.node.b);
    return;
  default:
    return;
  }
}

/* The longest sequence of operations, if each jump back repeats the whole thread. */
static guint add_thread (Numbers *numbers, const RspThread *thread, guint unroll) {
  guint before = numbers->operations->len, rounds = 1;
  for (guint i = 0; i < thread->n_registers; i++)
    add_number (numbers->values, thread->registers[i].initial);
  for (const RspStatement *s = thread->body->first; s; s = s->next) {
    add_expr (numbers, s->expr);
    if (s->kind == RSP_STATEMENT_JUMP && s->target->index <= s->index)
      rounds = MIN (rounds * (unroll + 1), MAX_NUMBERS);
  }
  return MIN ((numbers->operations->len - before) * rounds, MAX_NUMBERS);
}

/* ---- What operations make of them ---- */
static gboolean is_operand (const RspExpr *operand, gint64 value) {
  if (operand && operand->kind == RSP_EXPR_CONSTANT)
    return value == operand->u.constant;
  if (operand && operand->kind == RSP_EXPR_LOCATION)
    return value == rsp_address (operand->u.object, 0);
  return TRUE;
}

/* The numbers in the program and those that its operations make of them, where each round of a loop
 * counts (of gint64; free with g_array_unref). *complete: are these all? There may be too many.
 * Values that justify each other in a cycle may be others. */
static GArray *program_numbers (const RspProgram *program, guint unroll, gboolean *complete) {
  Numbers numbers = { .values = g_array_new (FALSE, FALSE, sizeof (gint64)),
                      .operations = g_array_new (FALSE, FALSE, sizeof (Operation)) };
  guint longest = 0, before = 0;
  for (guint i = 0; i < program->n_locations; i++)
    add_number (numbers.values, program->locations[i].initial);
  for (guint t = 0; t < program->n_threads; t++)
    longest += add_thread (&numbers, &program->threads[t], unroll);
  *complete = TRUE;
  for (guint i = 0; i < longest && *complete && numbers.values->len > before; i++) {
    before = numbers.values->len;
    GArray *values = numbers.values;
    guint n = values->len;
    for (guint k = 0; k < numbers.operations->len; k++) {
      const Operation *operation = &g_array_index (numbers.operations, Operation, k);
      for (guint j = 0; j < n * n && values->len <= MAX_NUMBERS; j++) {
        gint64 a = g_array_index (values, gint64, j / n), b = g_array_index (values, gint64, j % n);
        gint64 result;
        if (is_operand (operation->a, a) && is_operand (operation->b, b)
            && rsp_fold_binary (operation->op, a, b, VALUE_BITS, TRUE, &result))
          add_number (values, result);
      }
    }
    *complete = values->len <= MAX_NUMBERS;
  }
  g_array_unref (numbers.operations);
  return numbers.values;
}

/* ---- Translated ----------------------------------------------------------------------------- */

const RspSequence *translated_find (RspExecutor *x, RspMapped mapped, RspSpan span) {
  const RspTranslation *translation = x->program->translation;
  if (!translation)
    return NULL;
  mapped.all = &x->program->words;
  if (!x->program->written_in->scoped && mapped.order != RSP_ORDER_NA)
    mapped.scope = RSP_SCOPE_ALL;
  const RspSequence *sequence = rsp_translation_find (translation, &mapped);
  if (sequence)
    return sequence;
  g_autofree char *what = rsp_mapped_describe (translation, &mapped);
  executor_give_up (x, span, "the mapping has no row for %s", what);
  return NULL;
}

void translated_set (RspEvent *event, const RspTranslated *instruction, guint64 tags) {
  event->tags = tags;
  event->reach = instruction->reach;
  event->order = RSP_ORDER_NA;
  event->scope = RSP_SCOPE_WORK_ITEM;
  event->flags = 0;
  event->words = 0;
}

static void append_fences (RspExecutor *x, RspState *state, const RspSequence *sequence,
                           guint begin, guint end, RspSpan span) {
  for (guint i = begin; i < end; i++) {
    const RspTranslated *instruction = &sequence->instructions[i];
    RspEvent event = { .kind = RSP_EVENT_FENCE,
                       .location = RSP_NO_LOCATION,
                       .virtual_location = RSP_NO_LOCATION,
                       .span = span };
    translated_set (&event, instruction, instruction->tags);
    guint number = state_emit (x, state, &event, NULL, NULL);
    state->before = event_set_with (x, state->before, number);
  }
}

/* Appends the fences before the sequence's access or barrier, or those after it. NULL: there are
 * none. */
static void translated_before (RspExecutor *x, RspState *state, const RspSequence *sequence,
                               RspSpan span) {
  if (sequence)
    append_fences (x, state, sequence, 0, sequence->main, span);
}

static void translated_after (RspExecutor *x, RspState *state, const RspSequence *sequence,
                              RspSpan span) {
  if (sequence)
    append_fences (x, state, sequence, sequence->main + 1, sequence->n, span);
}

/* ---- Events --------------------------------------------------------------------------------- */

static RspEvent call_event (const Call *c, RspEventKind kind, RspOrder order,
                            const RspState *state) {
  gboolean fence = kind == RSP_EVENT_FENCE;
  guint place = state->place.index;
  RspEvent event = { .kind = kind,
                     .location = fence ? RSP_NO_LOCATION : c->x->program->locations[place].physical,
                     .virtual_location = fence ? RSP_NO_LOCATION : place,
                     .tags = c->call->tags,
                     .reach = c->call->reach,
                     .order = order,
                     .scope = c->call->scope,
                     .flags = fence ? c->call->flags : 0,
                     .is_atomic = !fence,
                     .words = c->call->words,
                     .no_result = c->call->kind == RSP_CALL_REDUCE,
                     .span = c->expr->span };
  const RspTranslated *main = c->sequence ? &c->sequence->instructions[c->sequence->main] : NULL;
  if (main)
    translated_set (&event, main, main->tags);
  return event;
}

/* The tags of the half of a read-modify-write that writes. */
static guint64 write_tags (const Call *c) {
  return c->sequence ? c->sequence->instructions[c->sequence->main].write_tags
                     : c->call->write_tags;
}

/* The translation of the operation at the state's place, if the program is translated. */
static const RspSequence *call_sequence (const Call *c, const RspState *state) {
  static const RspMapOperation operations[]
      = { [RSP_CALL_LOAD] = RSP_MAP_LOAD,        [RSP_CALL_STORE] = RSP_MAP_STORE,
          [RSP_CALL_FETCH] = RSP_MAP_RMW,        [RSP_CALL_CAS] = RSP_MAP_RMW,
          [RSP_CALL_FENCE] = RSP_MAP_FENCE,      [RSP_CALL_FLAG_TEST_AND_SET] = RSP_MAP_RMW,
          [RSP_CALL_FLAG_CLEAR] = RSP_MAP_STORE, [RSP_CALL_INIT] = RSP_MAP_STORE,
          [RSP_CALL_SWAP] = RSP_MAP_RMW,         [RSP_CALL_REDUCE] = RSP_MAP_RMW,
          [RSP_CALL_PHASE] = RSP_MAP_RMW,        [RSP_CALL_TEST] = RSP_MAP_LOAD,
          [RSP_CALL_UNLESS] = RSP_MAP_RMW,       [RSP_CALL_FETCH_UNLESS] = RSP_MAP_RMW };
  const RspCall *call = c->call;
  gboolean is_fence = call->kind == RSP_CALL_FENCE;
  if (c->x->program->translation && (call->kind == RSP_CALL_COPY || call->kind == RSP_CALL_WAIT)) {
    executor_give_up (c->x, c->expr->span, "mappings do not support asynchronous copies");
    return NULL;
  }
  if (!c->x->program->translation || call->kind == RSP_CALL_INIT
      || (!is_fence && state->place.is_register))
    return NULL;
  const RspMapped mapped
      = { .operation = operations[call->kind],
          .order = call->order,
          .scope = call->scope,
          .words = rsp_words_allowed (
              &c->x->program->words, call->words, rsp_call_place (call->kind),
              rsp_level_reached (c->x->program->written_in, call->reach, call->scope)),
          .spelling = c->x->program->written_in->tagged ? &call->spelling : NULL,
          .reach = call->reach,
          .flags = is_fence ? call->flags
                            : rsp_mapped_flags (&c->x->program->locations[state->place.index]) };
  return translated_find (c->x, mapped, c->expr->span);
}

/* Appends an event of the call; the call's later events come after it. */
static void call_emit (const Call *c, RspState *state, const RspEvent *event,
                       const RspEventSet *data) {
  guint number = state_emit (c->x, state, event, c->object.sources, data);
  state->before = event_set_with (c->x, state->before, number);
}

/* Ends the call; its value depends on `sources`. */
static void call_finish (const Call *c, RspState *state, const RspTerm *term,
                         const RspEventSet *sources) {
  translated_after (c->x, state, c->sequence, c->expr->span);
  state->value = (RspPathValue){ .term = term_to_type (c->x, term, &c->expr->type),
                                 .sources = sources,
                                 .after = state->before };
  state->before = c->before;
  states_append (c->out, state);
}

static void call_finish_constant (const Call *c, RspState *state, gint64 value,
                                  const RspEventSet *sources) {
  call_finish (c, state, rsp_term_constant (c->x->terms, value, 32, TRUE), sources);
}

/* The value that the next event, at the state's place, returns. */
static const RspTerm *call_next_read (const Call *c, const RspState *state) {
  const RspType *type = place_type (c->x, state->place);
  return rsp_term_read (c->x->terms, state->n_events, rsp_type_bits (type),
                        rsp_type_is_signed (type));
}

static const RspTerm *call_to_place (const Call *c, const RspState *state, const RspTerm *term) {
  return term_to_type (c->x, term, place_type (c->x, state->place));
}

/* The two events of a read-modify-write: what is written depends on the reads of `sources`. */
static void call_emit_halves (const Call *c, RspState *state, const RspTerm *old,
                              const RspTerm *written, const RspEventSet *sources) {
  RspEvent read = call_event (c, RSP_EVENT_READ, c->call->order, state);
  read.read = old;
  read.rmw_half = TRUE;
  call_emit (c, state, &read, NULL);
  RspEvent write = call_event (c, RSP_EVENT_WRITE, c->call->order, state);
  write.written = written;
  write.tags = write_tags (c);
  write.rmw_half = TRUE;
  call_emit (c, state, &write, sources);
}

/* The path failed before reaching the operation. */
static void call_abandon (const Call *c, RspState *state) {
  state->before = c->before;
  states_append (c->out, state);
}

/* ---- Compare -------------------------------------------------------------------------------- */

/* Compare-exchange, and compare-and-swap of two events. */

/* A compare-exchange whose expected value has been read, at `expected_place`. */
typedef struct Comparison {
  const Call *c;
  RspPathValue expected;
  RspPlace expected_place;
} Comparison;

static void succeed (const Comparison *comparison, RspState *state) {
  const Call *c = comparison->c;
  const RspEventSet *sources = comparison->expected.sources;
  if (state->place.is_register) {
    access_write (c->x, state, c->object.sources, c->operand, c->expr->span);
    call_finish_constant (c, state, 1, sources);
    return;
  }
  const RspTerm *old = call_next_read (c, state),
                *written = call_to_place (c, state, c->operand.term);
  const RspEventSet *data = event_set_union (c->x, c->operand.sources, sources);
  const RspEventSet *result = event_set_with (c->x, sources, state->n_events);
  if (c->x->program->language->rmw == RSP_RMW_TWO_EVENTS)
    call_emit_halves (c, state, old, written, event_set_union (c->x, data, result));
  else {
    RspEvent event = call_event (c, RSP_EVENT_RMW, c->call->order, state);
    event.read = old;
    event.written = written;
    call_emit (c, state, &event, data);
  }
  call_finish_constant (c, state, 1, result);
}

/* Where a read-modify-write is two events, a failing one writes back what it read, as a swap. */
static void emit_failure (const Call *c, RspState *state, RspPathValue found, gboolean spurious) {
  const RspLanguage *language = c->x->program->language;
  if (language->rmw == RSP_RMW_TWO_EVENTS && !language->failing_reads) {
    call_emit_halves (c, state, found.term, found.term, found.sources);
    return;
  }
  RspEvent event = call_event (c, RSP_EVENT_READ, c->call->failure, state);
  event.read = found.term;
  event.failed_rmw = TRUE;
  event.spurious = spurious && c->x->options->cycles;
  call_emit (c, state, &event, NULL);
}

static void fail (const Comparison *comparison, RspState *state, gboolean spurious) {
  const Call *c = comparison->c;
  RspPathValue found = { 0 };
  if (state->place.is_register) {
    access_read (c->x, state, c->object.sources, c->expr->span);
    found = state->value;
  } else {
    found = (RspPathValue){ .term = call_next_read (c, state),
                            .sources = event_set_with (c->x, NULL, state->n_events) };
    emit_failure (c, state, found, spurious);
    found.term = access_value (c->x, state->place, found.term);
  }
  /* The value found goes to *expected, as in C11 (7.17.7.4), unlike in the published OpenCL tests.
   */
  if (c->x->options->cas_writeback) {
    RspPlace object = state->place;
    state->place = comparison->expected_place;
    guint number = access_write_back (c->x, state, c->expected.sources, found,
                                      comparison->expected.term, c->expr->span);
    if (number != G_MAXUINT)
      state->before = event_set_with (c->x, state->before, number);
    state->place = object;
  }
  call_finish_constant (c, state, 0,
                        event_set_union (c->x, found.sources, comparison->expected.sources));
}

/* The possible outcomes: success, failure, and for a weak one also failure although the values
 * agree. */
static void compare (const Comparison *comparison, RspState *state) {
  const Call *c = comparison->c;
  RspExecutor *x = c->x;
  RspSpan span = c->expr->span;
  translated_before (x, state, c->sequence, span);
  const RspTerm *old = state->place.is_register
                           ? state->registers[state->place.index].term
                           : access_value (x, state->place, call_next_read (c, state));
  const RspTerm *equal = rsp_term_binary (x->terms, RSP_OP_EQ, old,
                                          call_to_place (c, state, comparison->expected.term));
  const gboolean may_fail = c->call->weak && !c->sequence && !phases_are_scheduled (x);
  RspState *yes, *no, *spurious = may_fail ? state_fork (x, state) : NULL;
  state_split (x, state, equal, span, &yes, &no);
  if (yes)
    succeed (comparison, yes);
  if (no)
    fail (comparison, no, FALSE);
  if (spurious && (spurious = state_assume (x, spurious, equal, span)))
    fail (comparison, spurious, TRUE);
}

/* ---- Compare-and-swap of two events ---- */
/* One outcome: what is written depends on the comparison either way. */
static void swap_to (const Call *c, RspState *state, RspPathValue old, const RspTerm *written) {
  const RspEventSet *sources = event_set_union (
      c->x, event_set_union (c->x, c->operand.sources, c->expected.sources), old.sources);
  if (state->place.is_register)
    access_write (c->x, state, c->object.sources,
                  (RspPathValue){ .term = written, .sources = sources }, c->expr->span);
  else
    call_emit_halves (c, state, old.term, written, sources);
  call_finish (c, state, old.term, old.sources);
}

/* One that returns the old value; its state's place is the object's. A failing one writes back what
 * it read, unless the language's only read. */
static void call_compare_and_swap (const Call *c, RspState *state) {
  RspSpan span = c->expr->span;
  RspPathValue old = { 0 };
  if (state->place.is_register) {
    access_read (c->x, state, c->object.sources, span);
    old = state->value;
  } else
    old = (RspPathValue){ .term = call_next_read (c, state),
                          .sources = event_set_with (c->x, NULL, state->n_events) };
  const RspTerm *equal = rsp_term_binary (c->x->terms, RSP_OP_EQ, old.term,
                                          call_to_place (c, state, c->expected.term));
  RspState *yes, *no;
  state_split (c->x, state, equal, span, &yes, &no);
  if (yes)
    swap_to (c, yes, old, call_to_place (c, yes, c->operand.term));
  if (no && c->x->program->language->failing_reads && !no->place.is_register) {
    /* One that failed and only reads. */
    RspEvent event = call_event (c, RSP_EVENT_READ, c->call->failure, no);
    event.read = old.term;
    event.failed_rmw = TRUE;
    event.tags = c->sequence ? event.tags : c->call->failing_tags;
    call_emit (c, no, &event, NULL);
    call_finish (c, no, old.term, old.sources);
  } else if (no)
    swap_to (c, no, old, old.term);
}

/* ---- Mbarrier ------------------------------------------------------------------------------- */

/* Operations on mbarriers: which phase they find, and whether they complete it, is a condition on
 * the state that they read, and tags of their events. */

static const RspTerm *of_state (const Call *c, RspOperator op, const RspTerm *a, gint64 b) {
  return rsp_term_binary (c->x->terms, op, a, rsp_term_constant (c->x->terms, b, 64, TRUE));
}

/* Takes the state unless it is NULL: returns that which satisfies the condition, if it may; *state
 * is then that which does not. */
static RspState *split_off (const Call *c, RspState **state, const RspTerm *condition) {
  RspState *yes = NULL;
  if (*state)
    state_split (c->x, *state, condition, c->expr->span, &yes, state);
  return yes;
}

static void phase_becomes (const Call *c, RspState *state, const RspTerm *old,
                           const RspTerm *written, guint64 tags) {
  const RspEventSet *read = event_set_with (c->x, NULL, state->n_events);
  Call here = *c;
  RspCall call = *c->call;
  call.tags |= tags & RSP_TAG_BIT (UNDEF);
  call.write_tags |= tags;
  here.call = &call;
  call_emit_halves (&here, state, old, written, event_set_union (c->x, c->operand.sources, read));
  call_finish (c, state, old, read);
}

/* The state after the end of the phase: the next one expects as many arrivals. */
static const RspTerm *phase_ended (const Call *c, const RspTerm *added) {
  const RspTerm *expected
      = of_state (c, RSP_OP_AND, of_state (c, RSP_OP_SHR, added, RSP_MBARRIER_EXPECTED_SHIFT),
                  RSP_MBARRIER_MOST_ARRIVALS);
  const RspTerm *next
      = of_state (c, RSP_OP_ADD, of_state (c, RSP_OP_AND, added, -RSP_MBARRIER_EXPECTED),
                  RSP_MBARRIER_PHASE + RSP_MBARRIER_COMPLETE);
  return rsp_term_binary (c->x->terms, RSP_OP_ADD, next, expected);
}

/* In a register there is no mbarrier. FALSE if the state has failed. */
static gboolean phase_has_place (const Call *c, RspState *state) {
  if (!state->place.is_register)
    return TRUE;
  state_fail (state, c->expr->span, "an mbarrier in a register");
  states_append (c->out, state);
  return FALSE;
}

static void call_phase (const Call *c, RspState *state) {
  if (!phase_has_place (c, state))
    return;
  const RspTerm *old = call_next_read (c, state), *counted = c->expected.term;
  const RspTerm *pending = of_state (c, RSP_OP_AND, old, RSP_MBARRIER_MOST_ARRIVALS);
  gboolean counts = counted->kind != RSP_TERM_CONSTANT || counted->constant != 0;
  const RspTerm *undefined = counts ? rsp_term_binary (c->x->terms, RSP_OP_LT, pending, counted)
                                    : of_state (c, RSP_OP_EQ, old, 0);
  RspState *yes = split_off (c, &state, undefined);
  if (yes)
    phase_becomes (c, yes, old, old, RSP_TAG_BIT (UNDEF));
  const RspTerm *added = rsp_term_binary (c->x->terms, RSP_OP_ADD, old, c->operand.term);
  const RspTerm *left = of_state (c, RSP_OP_AND, added, RSP_MBARRIER_EXPECTED - 1);
  yes = split_off (c, &state, of_state (c, RSP_OP_EQ, left, RSP_MBARRIER_COMPLETE));
  if (yes)
    phase_becomes (c, yes, old, phase_ended (c, added), RSP_TAG_BIT (COMPLETES));
  if (state)
    phase_becomes (c, state, old, added, 0);
}

/* ---- Tests ---- */
static void test_finds (const Call *c, RspState *state, const RspTerm *old, guint64 tags,
                        gint64 result) {
  RspEvent event = call_event (c, RSP_EVENT_READ, c->call->order, state);
  event.read = old;
  event.tags = tags;
  const RspEventSet *read = event_set_with (c->x, NULL, state->n_events);
  call_emit (c, state, &event, NULL);
  call_finish_constant (c, state, result, event_set_union (c->x, read, c->operand.sources));
}

static void call_test (const Call *c, RspState *state) {
  if (!phase_has_place (c, state))
    return;
  const RspTerm *old = call_next_read (c, state);
  RspState *yes = split_off (c, &state, of_state (c, RSP_OP_EQ, old, 0));
  if (yes)
    test_finds (c, yes, old, c->call->tags | RSP_TAG_BIT (UNDEF), 1);
  const RspTerm *phase
      = rsp_term_binary (c->x->terms, RSP_OP_AND,
                         of_state (c, RSP_OP_SHR, old, RSP_MBARRIER_PHASE_SHIFT), c->expected.term);
  yes = split_off (c, &state, rsp_term_binary (c->x->terms, RSP_OP_NE, phase, c->operand.term));
  if (yes)
    test_finds (c, yes, old, c->call->tags | RSP_TAG_BIT (PASSES), 1);
  if (state)
    test_finds (c, state, old, c->call->failing_tags, 0);
}

/* ---- Copies --------------------------------------------------------------------------------- */

/* Asynchronous copies. Their events come after what their thread has done before, but before
 * nothing that it does later, until it waits for them. */

/* From what has been read to the state's place. */
static void copy_to_place (const Call *c, RspState *state, const RspTerm *value, guint first) {
  const RspEventSet *sources = event_set_with (c->x, NULL, first);
  if (c->call->op == RSP_OP_NONE) {
    RspEvent write = call_event (c, RSP_EVENT_WRITE, c->call->order, state);
    write.tags = write_tags (c);
    write.written = call_to_place (c, state, value);
    call_emit (c, state, &write, sources);
  } else {
    Call reduction = *c;
    RspCall call = *c->call;
    call.tags = call.write_tags;
    reduction.call = &call;
    const RspTerm *old = call_next_read (c, state);
    const RspTerm *sum
        = rsp_term_binary (c->x->terms, call.op, old, call_to_place (c, state, value));
    executor_check_term (c->x, sum, c->expr->span);
    call_emit_halves (&reduction, state, old, sum, event_set_with (c->x, sources, state->n_events));
  }
  RspStates done = { 0 };
  if (c->call->completion)
    call_evaluate (c->x, c->call->completion, state, &done);
  else
    states_append (&done, state);
  while ((state = states_take (&done))) {
    state->copying = event_set_with_range (c->x, state->copying, first, state->n_events);
    call_finish_constant (c, state, 0, NULL);
  }
}

/* Takes a state whose place is that of the source. */
static void copy (const Call *c, RspState *state) {
  RspStates places = { 0 };
  guint first = state->n_events;
  call_sequence (c, state);
  if (state->place.is_register) {
    state_fail (state, c->expr->span, "a copy of a register");
    call_abandon (c, state);
    return;
  }
  RspEvent read = call_event (c, RSP_EVENT_READ, c->call->order, state);
  read.read = call_next_read (c, state);
  read.reach = RSP_LEVEL_THREAD;
  const RspTerm *value = access_value (c->x, state->place, read.read);
  state_emit (c->x, state, &read, c->expected.sources, NULL);
  state->before = event_set_with (c->x, state->before, first);
  access_resolve (c->x, state, c->object.term, c->call->object->span, &places);
  while ((state = states_take (&places)))
    if (state->status == RSP_STATE_RUNNING)
      copy_to_place (c, state, value, first);
    else
      call_abandon (c, state);
}

static gboolean is_group_copy (const RspEvent *event) {
  return !(~event->tags & (RSP_TAG_BIT (COPY) | RSP_TAG_BIT (GROUP)));
}

static void await_copies (const Call *c, RspState *state) {
  const RspCall *call = c->call;
  const RspEventSet *done = NULL;
  gint64 most = call->value ? c->operand.term->constant : -1;
  guint n = 0; /* groups that have been closed since */
  call_sequence (c, state);
  for (const RspEventNode *node = state->last; node; node = node->previous) {
    const RspEvent *event = &node->event;
    gboolean same_proxy = !((event->tags ^ call->tags) & RSP_TAG_BIT (ASYNC));
    if (is_group_copy (event) && same_proxy && (most < 0 || n > most)
        && (!call->reads || (event->kind == RSP_EVENT_READ && !event->rmw_half)))
      done = event_set_with (c->x, done, node->number);
    else
      n += (event->tags & RSP_TAG_BIT (GROUP)) && !(event->tags & RSP_TAG_BIT (COPY)) && same_proxy;
  }
  state->copying = event_set_without (c->x, state->copying, done);
  state->before = event_set_union (c->x, state->before, done);
  const RspEvent event = call_event (c, RSP_EVENT_FENCE, call->order, state);
  call_emit (c, state, &event, NULL);
  call_finish_constant (c, state, 0, NULL);
}

/* An operation on an mbarrier, by copies or followed by one of these. */
static void phase_of_copies (const Call *c, RspState *state) {
  RspStates done = { 0 };
  Call here = *c;
  guint first = state->n_events;
  here.out = &done;
  for (const RspEventNode *node = state->last; node && c->call->copies; node = node->previous)
    if (is_group_copy (&node->event) && !(node->event.tags & RSP_TAG_BIT (ASYNC)))
      state->before = event_set_with (c->x, state->before, node->number);
  call_phase (&here, state);
  while ((state = states_take (&done)))
    if (c->call->copies) {
      state->copying = event_set_with_range (c->x, state->copying, first, state->n_events);
      states_append (c->out, state);
    } else {
      state_sequence_point (c->x, state);
      call_evaluate (c->x, c->call->completion, state, c->out);
    }
}

/* ---- Barrier -------------------------------------------------------------------------------- */

/* Symbolic execution of barriers. */

/* The number of earlier barriers with that label and name on the path; waits: of those that only
 * wait. The label names the round, so none is before it. */
static guint count_barriers (const RspExecutor *x, const RspState *state, const char *label,
                             gint64 name, gboolean waits) {
  const guint first = x->rounds ? x->rounds->first : 0;
  for (const RspEventNode *node = state->last; node && node->number >= first; node = node->previous)
    if ((node->event.kind == RSP_EVENT_EXIT || node->event.kind == RSP_EVENT_BARRIER)
        && node->event.barrier_waits == waits && node->event.barrier_name == name
        && g_str_equal (node->event.barrier, label))
      return node->event.barrier_count + 1;
  return 0;
}

/* A barrier's label, of which the rounds of the loops around it are part: work-items meet only in
 * the same ones. (OpenCL C 2.0, 6.13.8) */
static const char *with_rounds (const RspExecutor *x, const char *label) {
  for (const RspLoopRound *round = x->rounds; round; round = round->around)
    label = rsp_arena_printf (x->arena, "%s in round %u", label, round->number);
  return label;
}

/* A barrier is two fences with its scope and on the memory of its flags: a release before it waits,
 * and an acquire after it. (OpenCL C 2.0, 6.13.8) */
static void run_two_fences (RspExecutor *x, const RspStatement *statement, RspState *state,
                            RspStates *out) {
  static const struct {
    RspEventKind kind;
    RspOrder order;
  } halves[] = { { RSP_EVENT_ENTRY, RSP_ORDER_RELEASE }, { RSP_EVENT_EXIT, RSP_ORDER_ACQUIRE } };
  const char *label = with_rounds (x, statement->label ? statement->label : "");
  if (statement->expr && state->value.term->kind == RSP_TERM_CONSTANT) /* work-items share it */
    label = rsp_arena_printf (x->arena, "%s with %" G_GINT64_FORMAT, label,
                              state->value.term->constant);
  RspLevel meeting = statement->sub_group ? RSP_LEVEL_SUB_GROUP
                     : statement->wide && x->options->barriers & RSP_BARRIERS_WIDE
                         ? rsp_scopes[statement->scope].level
                         : RSP_LEVEL_WORK_GROUP;
  RspEvent event = { .location = RSP_NO_LOCATION,
                     .scope = statement->scope,
                     .flags = statement->flags,
                     .words = statement->words,
                     .barrier = label,
                     .barrier_count = count_barriers (x, state, label, 0, FALSE),
                     .meeting = meeting,
                     .span = statement->span };
  for (guint i = 0; i < G_N_ELEMENTS (halves); i++) {
    event.kind = halves[i].kind;
    event.order = halves[i].order;
    state_emit (x, state, &event, NULL, NULL);
    state_sequence_point (x, state);
  }
  if (phases_end (x, state))
    state->status = RSP_STATE_CUT;
  states_append (out, state);
}

/* ---- Barriers of one event ---- */
/* Takes a state in which the operand's value depends on what is read, and appends one for each
 * number that it may be. */
static void fork_by_number (RspExecutor *x, const RspExpr *operand, RspState *state,
                            RspStates *out) {
  const RspTerm *term = state->value.term;
  const RspType *type = &operand->type;
  gboolean complete;
  g_autoptr (GArray) numbers = program_numbers (x->program, x->options->unroll, &complete);
  for (guint i = 0; state && i < numbers->len; i++) {
    const RspTerm *number = rsp_term_constant (x->terms, g_array_index (numbers, gint64, i),
                                               rsp_type_bits (type), rsp_type_is_signed (type));
    const RspTerm *equal = rsp_term_binary (x->terms, RSP_OP_EQ, term, number);
    RspState *here;
    state_split (x, state, equal, operand->span, &here, &state);
    if (!here)
      continue;
    here->value.term = number;
    states_append (out, here);
  }
  if (state && !complete)
    executor_give_up (
        x, operand->span,
        "the barrier's name or quorum depends on reads that may have too many values: "
        "this is not supported");
  if (state)
    state_drop (x, state);
}

/* Takes a state and appends those in which the operand (NULL: 0) has a known number, which is the
 * state's value. */
static void evaluate_number (RspExecutor *x, const RspExpr *operand, RspState *state,
                             RspStates *out) {
  RspStates results = { 0 };
  if (!operand) {
    state->value = (RspPathValue){ .term = rsp_term_constant (x->terms, 0, 64, TRUE) };
    states_append (out, state);
    return;
  }
  expression_evaluate_full (x, operand, state, &results);
  while ((state = states_take (&results)))
    if (state->value.term->kind == RSP_TERM_CONSTANT)
      states_append (out, state);
    else
      fork_by_number (x, operand, state, out);
}

static void emit_barrier (RspExecutor *x, RspState *state, const RspEvent *event,
                          const RspSequence *sequence) {
  translated_before (x, state, sequence, event->span);
  state_emit (x, state, event, NULL, NULL);
  state_sequence_point (x, state);
  translated_after (x, state, sequence, event->span);
  state_sequence_point (x, state);
}

/* Appends a state in which the thread is one of those that meet and, if others may meet without it,
 * one in which it is not. */
static void meet_or_pass (RspExecutor *x, const RspSequence *sequence, RspEvent event,
                          RspState *state, RspStates *out) {
  if (event.barrier_quorum > 0 && (x->options->barriers & RSP_BARRIERS_PHASES)) {
    /* A state for each phase in which the thread may come to the barrier; all: no more threads
     * come to it. */
    guint64 all = 0;
    for (guint t = 0; t < x->program->n_threads; t++) {
      guint64 n = 0, jumps = 0; /* statements that are the barrier, and jumps back */
      for (const RspStatement *s = x->program->threads[t].body->first; s; s = s->next) {
        n += s->barrier && g_str_equal (s->barrier->id, event.barrier);
        jumps += s->kind == RSP_STATEMENT_JUMP && s->target && s->target->index <= s->index;
      }
      for (guint64 i = 0; i < MIN (jumps, 2); i++)
        n *= x->options->unroll + 1;
      all += n;
    }
    guint64 last = all / (guint64) event.barrier_quorum;
    event.barrier_phase = TRUE;
    for (; event.barrier_count < last; event.barrier_count++) {
      RspState *here = state_fork (x, state);
      emit_barrier (x, here, &event, sequence);
      states_append (out, here);
    }
    emit_barrier (x, state, &event, sequence);
    states_append (out, state);
    return;
  }
  /* May so many others come to the barrier that they meet without this thread? */
  const RspThread *threads = x->program->threads;
  gint64 others = 0;
  for (guint t = 0; t < x->program->n_threads; t++)
    others
        += t != x->thread_index && rsp_threads_share (&threads[t], x->thread, RSP_LEVEL_WORK_GROUP);
  RspState *other
      = (event.barrier_quorum > 0 && others >= event.barrier_quorum) ? state_fork (x, state) : NULL;
  event.barrier_all = !event.barrier_quorum && (x->options->barriers & RSP_BARRIERS_ALL_THREADS);
  emit_barrier (x, state, &event, sequence);
  states_append (out, state);
  event.barrier_passes = TRUE;
  if (other) {
    emit_barrier (x, other, &event, sequence);
    states_append (out, other);
  }
}

/* Arriving and waiting, where they are two instructions, take turns; the path fails otherwise. */
static gboolean check_halves (const RspExecutor *x, const RspEvent *event, RspState *state) {
  guint arrived = count_barriers (x, state, event->barrier, event->barrier_name, FALSE),
        waited = count_barriers (x, state, event->barrier, event->barrier_name, TRUE);
  if (event->meeting != RSP_LEVEL_KERNEL || arrived == waited + event->barrier_waits)
    return TRUE;
  state_fail (state, event->span,
              event->barrier_waits ? "a wait at the cluster's barrier without an arrival"
                                   : "a second arrival at the cluster's barrier before the wait");
  return FALSE;
}

/* sequence: what the barrier is translated to; else NULL. */
static void run_single_barrier (RspExecutor *x, const RspBarrier *barrier,
                                const RspSequence *sequence, const RspStatement *statement,
                                RspState *state, RspStates *out) {
  const char *id = with_rounds (x, barrier->id);
  RspStates named = { 0 };
  evaluate_number (x, barrier->name, state, &named);
  while ((state = states_take (&named))) {
    gint64 name = state->value.term->constant;
    RspStates counted = { 0 };
    evaluate_number (x, barrier->quorum, state, &counted);
    while ((state = states_take (&counted))) {
      const RspEvent event = { .kind = RSP_EVENT_BARRIER,
                               .location = RSP_NO_LOCATION,
                               .virtual_location = RSP_NO_LOCATION,
                               .tags = barrier->tags,
                               .reach = barrier->reach,
                               .barrier = id,
                               .barrier_count = count_barriers (x, state, id, name, barrier->waits),
                               .barrier_name = name,
                               .barrier_quorum = state->value.term->constant,
                               .barrier_arrives = barrier->arrives,
                               .barrier_waits = barrier->waits,
                               .barrier_whole = barrier->whole,
                               .words = barrier->words,
                               .meeting = barrier->meeting,
                               .span = statement->span };
      if (check_halves (x, &event, state))
        meet_or_pass (x, sequence, event, state, out);
      else
        states_append (out, state);
    }
  }
}

/* ---- Barriers that are translated ---- */
static void run_translated (RspExecutor *x, const RspStatement *statement, RspState *state,
                            RspStates *out) {
  const RspBarrier *own = statement->barrier;
  RspMapped mapped = { .operation = RSP_MAP_BARRIER,
                       .order = RSP_ORDER_ACQ_REL,
                       .scope = statement->scope,
                       .words = rsp_words_allowed (
                           &x->program->words, own ? own->words : statement->words, RSP_WORD_FENCE,
                           own ? own->reach : rsp_scopes[statement->scope].level),
                       .flags = statement->flags };
  RspBarrier barrier
      = { .id = statement->label ? statement->label : "", .meeting = RSP_LEVEL_WORK_GROUP };
  if (own) {
    barrier = *own;
    mapped.spelling = &own->spelling;
    mapped.reach = own->reach;
  }
  const RspSequence *sequence = translated_find (x, mapped, statement->span);
  if (!sequence) {
    states_append (out, state);
    return;
  }
  const RspTranslated *main = &sequence->instructions[sequence->main];
  barrier.tags = main->tags;
  barrier.reach = main->reach;
  barrier.arrives = main->arrives;
  run_single_barrier (x, &barrier, sequence, statement, state, out);
}

void barrier_run (RspExecutor *x, const RspStatement *statement, RspState *state, RspStates *out) {
  if (x->program->translation)
    run_translated (x, statement, state, out);
  else if (statement->barrier)
    run_single_barrier (x, statement->barrier, NULL, statement, state, out);
  else {
    RspStates valued = { 0 };
    if (statement->expr)
      expression_evaluate_full (x, statement->expr, state, &valued);
    else
      states_append (&valued, state);
    while ((state = states_take (&valued)))
      run_two_fences (x, statement, state, out);
  }
}

/* ---- Call ----------------------------------------------------------------------------------- */

/* Symbolic execution of atomic operations and fences. Arguments are unsequenced against each other
 * and all sequenced before the operation (C11 6.5.2.2); inside it, events follow one another. */

/* ---- Operations; each takes a state whose place is the object's ---- */
static void load (const Call *c, RspState *state) {
  if (state->place.is_register || c->call->plain) {
    /* Of a register, or with the tags that the call has. */
    guint number = state->n_events;
    state->place.tags = c->call->tags;
    state->place.reach = c->call->reach;
    access_read (c->x, state, c->object.sources, c->expr->span);
    if (state->n_events > number)
      state->before = event_set_with (c->x, state->before, number);
    call_finish (c, state, state->value.term, state->value.sources);
    return;
  }
  RspEvent event = call_event (c, RSP_EVENT_READ, c->call->order, state);
  event.read = call_next_read (c, state);
  guint number = state->n_events;
  call_emit (c, state, &event, NULL);
  call_finish (c, state, access_value (c->x, state->place, event.read),
               event_set_with (c->x, NULL, number));
}

/* atomic_init is a plain write. */
static void store (const Call *c, RspState *state) {
  if (state->place.is_register || c->call->plain || c->call->kind == RSP_CALL_INIT) {
    state->place.tags = c->call->tags;
    state->place.reach = c->call->reach;
    guint number = access_write (c->x, state, c->object.sources, c->operand, c->expr->span);
    if (number != G_MAXUINT)
      state->before = event_set_with (c->x, state->before, number);
  } else {
    RspEvent event = call_event (c, RSP_EVENT_WRITE, c->call->order, state);
    event.written = call_to_place (c, state, c->operand.term);
    call_emit (c, state, &event, c->operand.sources);
  }
  call_finish_constant (c, state, 0, NULL);
}

/* The value that an RMW writes over `old`. */
static const RspTerm *new_value (const Call *c, const RspState *state, const RspTerm *old) {
  const RspTerm *operand = call_to_place (c, state, c->operand.term);
  if (c->call->kind == RSP_CALL_FLAG_TEST_AND_SET)
    return operand;
  if (c->call->other_sign) {
    old = rsp_term_cast (c->x->terms, old, old->bits, !old->is_signed);
    operand = rsp_term_cast (c->x->terms, operand, old->bits, old->is_signed);
  }
  RspTerms *terms = c->x->terms;
  const RspTerm *function
      = rsp_term_constant (terms, c->call->function, 64, FALSE),
      *term = c->call->function
                  ? rsp_term_binary (terms, RSP_OP_APPLY,
                                     rsp_term_binary (terms, RSP_OP_APPLY, function, old), operand)
                  : rsp_term_binary (terms, c->call->op, old, operand);
  executor_check_term (c->x, term, c->expr->span);
  return call_to_place (c, state, term);
}

static void finish_fetch (const Call *c, RspState *state, const RspTerm *old,
                          const RspEventSet *sources) {
  if (c->call->kind == RSP_CALL_FLAG_TEST_AND_SET)
    old = rsp_term_condition (c->x->terms, old);
  call_finish (c, state, old, sources);
}

static void fetch (const Call *c, RspState *state) {
  if (c->x->program->language->rmw == RSP_RMW_TWO_EVENTS && !state->place.is_register) {
    const RspTerm *old = call_next_read (c, state);
    const RspEventSet *read = event_set_with (c->x, NULL, state->n_events);
    gboolean uses_old = c->call->kind == RSP_CALL_FETCH && c->call->op != RSP_OP_EXCHANGE;
    call_emit_halves (c, state, old, new_value (c, state, old),
                      event_set_union (c->x, c->operand.sources, uses_old ? read : NULL));
    finish_fetch (c, state, old, read);
    return;
  }
  if (state->place.is_register) {
    access_read (c->x, state, c->object.sources, c->expr->span);
    RspPathValue old = state->value, value = c->operand;
    value.term = new_value (c, state, old.term);
    value.sources = event_set_union (c->x, value.sources, old.sources);
    access_write (c->x, state, c->object.sources, value, c->expr->span);
    finish_fetch (c, state, old.term, old.sources);
    return;
  }
  RspEvent event = call_event (c, RSP_EVENT_RMW, c->call->order, state);
  event.read = call_next_read (c, state);
  const RspTerm *old = access_value (c->x, state->place, event.read);
  event.written = new_value (c, state, old);
  guint number = state->n_events;
  call_emit (c, state, &event, c->operand.sources);
  finish_fetch (c, state, old, event_set_with (c->x, NULL, number));
}

static void emit_full_fence (const Call *c, RspState *state) {
  RspEvent event = call_event (c, RSP_EVENT_FENCE, RSP_ORDER_SEQ_CST, state);
  event.flags = RSP_FENCE_GLOBAL | RSP_FENCE_LOCAL;
  call_emit (c, state, &event, NULL);
}

/* One outcome of a fetch_op unless the old value is `expected`. It takes the state. */
static void fetch_or_read (const Call *c, RspState *state, gboolean fetches) {
  RspExecutor *x = c->x;
  if (fetches)
    emit_full_fence (c, state);
  RspEvent event = call_event (c, fetches ? RSP_EVENT_RMW : RSP_EVENT_READ, c->call->order, state);
  event.read = call_next_read (c, state);
  event.failed_rmw = !fetches;
  event.is_unless = fetches;
  const RspTerm *old = access_value (x, state->place, event.read),
                *holds = rsp_term_binary (x->terms, fetches ? RSP_OP_NE : RSP_OP_EQ, old,
                                          call_to_place (c, state, c->expected.term));
  if (!(state = state_assume (x, state, holds, c->expr->span)))
    return;
  const RspEventSet *read = event_set_with (x, NULL, state->n_events);
  if (fetches)
    event.written = new_value (c, state, old);
  call_emit (c, state, &event, fetches ? c->operand.sources : NULL);
  if (fetches)
    emit_full_fence (c, state);
  if (c->call->kind == RSP_CALL_UNLESS)
    call_finish_constant (c, state, fetches, event_set_union (x, read, c->expected.sources));
  else
    call_finish (c, state, old, read);
}

static void fetch_unless (const Call *c, RspState *state) {
  if (state->place.is_register) {
    state_fail (state, c->expr->span, "a read-modify-write of a register");
    states_append (c->out, state);
    return;
  }
  RspState *other = state_fork (c->x, state);
  fetch_or_read (c, state, TRUE);
  fetch_or_read (c, other, FALSE);
}

static void fence (const Call *call, RspState *state) {
  Call here = *call;
  const Call *c = &here;
  here.sequence = call_sequence (c, state);
  translated_before (c->x, state, c->sequence, c->expr->span);
  if (c->sequence) {
    call_finish_constant (c, state, 0, NULL);
    return;
  }
  RspEvent event = call_event (c, RSP_EVENT_FENCE, c->call->order, state);
  if (c->call->object)
    event.virtual_location = state->place.index;
  call_emit (c, state, &event, NULL);
  call_finish_constant (c, state, 0, NULL);
}

/* ---- The call ---- */
static void refuse_translation (const Call *c) {
  const RspCallKind kind = c->call->kind;
  if (c->sequence && (kind == RSP_CALL_PHASE || kind == RSP_CALL_TEST))
    executor_give_up (c->x, c->expr->span, "mappings do not support mbarriers");
  if (c->sequence && rsp_call_is_unless (kind))
    executor_give_up (c->x, c->expr->span, "mappings do not support this operation");
}

/* A compare-exchange of a state whose place is that of the expected value. */
static void compare_exchange (const Call *call, RspState *state) {
  Call here = *call;
  const Call *c = &here;
  Comparison comparison = { .c = c, .expected_place = state->place };
  RspStates objects = { 0 };
  access_read (c->x, state, c->expected.sources, c->expr->span);
  comparison.expected = state->value;
  state->before = comparison.expected.after;
  access_resolve (c->x, state, c->object.term, c->call->object->span, &objects);
  while ((state = states_take (&objects)))
    if (state->status == RSP_STATE_RUNNING) {
      here.sequence = call_sequence (c, state);
      compare (&comparison, state);
    } else
      call_abandon (c, state);
}

static void access_object (const Call *call, RspState *state) {
  Call here = *call;
  const Call *c = &here;
  if (c->call->kind == RSP_CALL_COPY) {
    copy (c, state);
    return;
  }
  if (c->call->kind == RSP_CALL_CAS) {
    compare_exchange (c, state);
    return;
  }
  here.sequence = call_sequence (c, state);
  refuse_translation (c);
  translated_before (c->x, state, c->sequence, c->expr->span);
  switch (c->call->kind) {
  case RSP_CALL_LOAD:
    load (c, state);
    return;
  case RSP_CALL_FETCH:
  case RSP_CALL_REDUCE:
  case RSP_CALL_FLAG_TEST_AND_SET:
    fetch (c, state);
    return;
  case RSP_CALL_UNLESS:
  case RSP_CALL_FETCH_UNLESS:
    fetch_unless (c, state);
    return;
  case RSP_CALL_STORE:
  case RSP_CALL_FLAG_CLEAR:
  case RSP_CALL_INIT:
    store (c, state);
    return;
  case RSP_CALL_SWAP:
    call_compare_and_swap (c, state);
    return;
  case RSP_CALL_PHASE:
    (c->call->completion || c->call->copies ? phase_of_copies : call_phase) (c, state);
    return;
  case RSP_CALL_TEST:
    call_test (c, state);
    return;
  case RSP_CALL_FENCE:
    fence (c, state);
    return;
  case RSP_CALL_CAS:
  case RSP_CALL_COPY:
  case RSP_CALL_WAIT:
    break; /* handled elsewhere */
  }
  g_assert_not_reached ();
}

/* All arguments have been evaluated. */
static void perform (const Call *c, RspState *state) {
  const RspCall *call = c->call;
  state->before = event_set_with_range (c->x, c->before, c->first, state->n_events);
  if (!call->object) {
    (call->kind == RSP_CALL_WAIT ? await_copies : fence) (c, state);
    return;
  }
  gboolean compares = call->kind == RSP_CALL_CAS || call->kind == RSP_CALL_COPY;
  RspStates places = { 0 };
  access_resolve (c->x, state, compares ? c->expected.term : c->object.term,
                  compares ? call->expected->span : call->object->span, &places);
  while ((state = states_take (&places)))
    if (state->status == RSP_STATE_RUNNING)
      access_object (c, state);
    else
      call_abandon (c, state);
}

/* Evaluates argument number `index` of object, expected and operand, then the rest, then
 * performs. */
static void evaluate_arguments (const Call *c, guint index, RspState *state) {
  const RspExpr *const arguments[] = { c->call->object, c->call->expected, c->call->value };
  while (index < G_N_ELEMENTS (arguments) && !arguments[index])
    index++;
  if (index == G_N_ELEMENTS (arguments)) {
    perform (c, state);
    return;
  }
  RspStates results = { 0 };
  expression_evaluate (c->x, arguments[index], state, &results);
  while ((state = states_take (&results))) {
    Call next = *c;
    RspPathValue *const values[] = { &next.object, &next.expected, &next.operand };
    *values[index] = state->value;
    if (state->status == RSP_STATE_RUNNING)
      evaluate_arguments (&next, index + 1, state);
    else
      call_abandon (c, state);
  }
}

void call_evaluate (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out) {
  Call c = { .x = x,
             .expr = expr,
             .call = expr->u.call,
             .out = out,
             .first = state->n_events,
             .before = state->before };
  RspCallKind kind = c.call->kind;
  if (kind == RSP_CALL_FLAG_TEST_AND_SET || kind == RSP_CALL_FLAG_CLEAR)
    c.operand.term = rsp_term_constant (x->terms, kind == RSP_CALL_FLAG_TEST_AND_SET, 32, TRUE);
  evaluate_arguments (&c, 0, state);
}
