/* The question: what is observed, and the propositions about it. */
#include "parser/resolve/condition.h"
#include "parser/format.h"
#include "parser/proposition.h"
#include "parser/contradiction.h"
#include "parser/resolve/initial.h"
#include "parser/resolve/objects.h"
#include "parser/resolve/observed.h"

#include <string.h>

enum {
  MAX_DEPTH = 1000 /* limit of a proposition's depth, after chains of one operator are balanced */
};

/* ---- Operands ---- */

static RspType observable_type (const Question *q, guint id) {
  return *rsp_observable_type (q->program, &((Seen *) q->seen->pdata[id])->observable);
}

static const char *value_text (Question *q, RspType type, gint64 value) {
  g_autoptr (GString) text = g_string_new (NULL);
  rsp_program_format_value (q->program, &type, value, text);
  return rsp_arena_strdup (q->resolver->arena, text->str);
}

static RspOperand constant_operand (Question *q, RspType type, gint64 value) {
  return (RspOperand){ .constant = value, .text = value_text (q, type, value) };
}

static gboolean observed_operand (Question *q, const LitmusPlace *place, RspOperand *operand) {
  guint id;
  if (!question_observe_place (q, place, &id))
    return FALSE;
  *operand = (RspOperand){ .is_observable = TRUE,
                           .observable = id,
                           .text = ((Seen *) q->seen->pdata[id])->observable.name };
  return TRUE;
}

/* A number converted to the observable's type, so that -1 and 0xffffffff are the same value of an
 * int. Numbers that do not fit at all equal nothing; they are unchanged, but for those from 2^63
 * on. */
static gint64 observed_number (const LitmusPlace *place, RspType type) {
  const gint64 number = place->number;
  RspType other = type;
  if (litmus_is_beyond (place, type))
    return G_MAXINT64;
  other.is_signed = !type.is_signed;
  gboolean fits
      = litmus_convert (number, type) == number || litmus_convert (number, other) == number;
  return fits && type.bits != 1 ? litmus_convert (number, type) : number;
}

/* In herd, a bare name on the right is always an address. */
static void warn_of_value (Question *q, const LitmusPlace *place) {
  g_autofree char *hint = g_strdup_printf ("write `[%s]` for the value, `&%s` for the address",
                                           place->name, place->name);
  litmus_warning (q->resolver, place->span, hint,
                  "`%s` is taken as the value of this location, whereas in herd it is its address",
                  place->name);
}

/* The right side of an equation whose left side has the type. A bare name is an address if the left
 * side holds addresses, and otherwise a value. */
static gboolean right_operand (Question *q, const LitmusPlace *place, RspType type,
                               RspOperand *operand) {
  gint64 value;
  LitmusObject *object;
  gboolean address = place->kind == LITMUS_ADDRESS || (place->kind == LITMUS_NAME && type.pointers);
  if (place->kind == LITMUS_NUMBER) {
    value = observed_number (place, type);
    if (type.pointers)
      litmus_check_pointer_number (q->resolver, place->span, value);
  } else if (!address) {
    if (!observed_operand (q, place, operand))
      return FALSE;
    if (place->kind == LITMUS_NAME && place->element == LITMUS_NONE
        && !q->program->language->tagged)
      warn_of_value (q, place);
    return TRUE;
  } else if (question_report_bare_register (q, place)
             || !rsp_litmus_resolve_address (q->resolver, place, &value, &object))
    return FALSE;
  *operand = constant_operand (q, type, value);
  if (place->kind == LITMUS_NUMBER && litmus_is_beyond (place, type))
    operand->text
        = rsp_arena_printf (q->resolver->arena, "%" G_GUINT64_FORMAT, (guint64) place->number);
  return TRUE;
}

/* ---- Propositions ---- */

/* `0==0` */
static gboolean numbers_agree (const LitmusProp *syntax) {
  const LitmusPlace *a = syntax->left, *b = syntax->right;
  if (syntax->op == RSP_OP_LT)
    return a->is_huge == b->is_huge ? a->number < b->number : b->is_huge;
  return (a->number == b->number && a->is_huge == b->is_huge) == (syntax->op == RSP_OP_EQ);
}

static RspProp *resolve_atom (Question *q, const LitmusProp *syntax) {
  const LitmusPlace *left = syntax->left, *right = syntax->right;
  RspProp *prop = rsp_prop_new (q->resolver->arena, RSP_PROP_ATOM, syntax->span, NULL, NULL);
  prop->op = syntax->op;
  gboolean swapped = left->kind == LITMUS_NUMBER;
  if (swapped) {
    left = right;
    right = syntax->left;
  }
  if (q->program->language->tagged && left->kind == LITMUS_NUMBER)
    prop->kind = numbers_agree (syntax) ? RSP_PROP_TRUE : RSP_PROP_FALSE;
  else if (left->kind == LITMUS_NUMBER || left->kind == LITMUS_ADDRESS)
    litmus_error (q->resolver, syntax->span, NULL,
                  "found constants on both sides, expected a register or a location on one");
  else if (observed_operand (q, left, &prop->left))
    right_operand (q, right, observable_type (q, prop->left.observable), &prop->right);
  if (swapped && prop->op == RSP_OP_LT) {
    RspOperand number = prop->right;
    prop->right = prop->left;
    prop->left = number;
  }
  return prop;
}

static RspProp *resolve_prop (Question *q, const LitmusProp *syntax);

/* The members of a chain of one operator, in order. */
static void collect_chain (const LitmusProp *syntax, RspPropKind kind, GPtrArray *members) {
  for (; syntax->kind == kind; syntax = syntax->a)
    g_ptr_array_add (members, syntax->b);
  g_ptr_array_add (members, (gpointer) syntax);
}

/* Members first … last - 1, counted from the end of the list, as a balanced tree: conditions of
 * some thousand members are common, and the code that walks them is recursive. */
static RspProp *balance (Question *q, RspPropKind kind, GPtrArray *members, guint first,
                         guint last) {
  if (last - first == 1)
    return resolve_prop (q, members->pdata[members->len - 1 - first]);
  guint middle = first + (last - first + 1) / 2;
  RspProp *a = balance (q, kind, members, first, middle);
  RspProp *b = balance (q, kind, members, middle, last);
  return rsp_prop_new (q->resolver->arena, kind, rsp_span_join (a->span, b->span), a, b);
}

static RspProp *resolve_chain (Question *q, const LitmusProp *syntax) {
  g_autoptr (GPtrArray) members = g_ptr_array_new ();
  collect_chain (syntax, syntax->kind, members);
  return balance (q, syntax->kind, members, 0, members->len);
}

/* ---- Whole arrays ---- */

static void append_values (const RspProp *prop, GString *text) {
  if (prop->kind == RSP_PROP_AND) {
    append_values (prop->a, text);
    append_values (prop->b, text);
    return;
  }
  g_string_append_printf (text, "%s%s", text->str[text->len - 1] == '{' ? "" : ",",
                          prop->right.text);
}

/* `v={1,2}` as `v[0]=1 /\ v[1]=2`, in syntax. */
static const LitmusProp *spread (Question *q, const LitmusProp *syntax, const LitmusPlace *array) {
  LitmusProp *all = NULL;
  for (guint i = 0; i < syntax->values->n; i++) {
    LitmusPlace *element = rsp_arena_new0 (q->resolver->arena, LitmusPlace, 1);
    LitmusProp *props = rsp_arena_new0 (q->resolver->arena, LitmusProp, 2);
    *element = *array;
    element->element = i;
    props[0] = (LitmusProp){ .kind = RSP_PROP_ATOM,
                             .span = syntax->span,
                             .op = RSP_OP_EQ,
                             .left = element,
                             .right = syntax->values->items[i] };
    props[1] = (LitmusProp){ .kind = RSP_PROP_AND, .span = syntax->span, .a = all, .b = &props[0] };
    all = all ? &props[1] : &props[0];
  }
  return all;
}

static RspProp *resolve_array (Question *q, const LitmusProp *syntax) {
  const LitmusPlace *place = question_follow_parameter (q, syntax->left);
  gboolean whole = (place->kind == LITMUS_NAME || place->kind == LITMUS_CONTENT)
                   && place->element == LITMUS_NONE;
  const LitmusObject *object = whole ? litmus_find_object (q->resolver, place->name) : NULL;
  RspArena *arena = q->resolver->arena;
  RspProp *prop = rsp_prop_new (arena, RSP_PROP_FALSE, syntax->span, NULL, NULL);
  if (!object || !object->is_array)
    litmus_error (q->resolver, place->span, NULL,
                  "found a list of values, expected an array before it");
  else if (object->n_elements != syntax->values->n)
    litmus_error (q->resolver, syntax->span, NULL,
                  "found %u value%s, expected %u, one for each element of `%s`", syntax->values->n,
                  syntax->values->n == 1 ? "" : "s", object->n_elements, object->name);
  else {
    question_observe_array (q, object);
    prop = resolve_prop (q, spread (q, syntax, place));
    g_autoptr (GString) text = g_string_new (object->name);
    g_string_append (text, "={");
    append_values (prop, text);
    prop->text = rsp_arena_strdup (arena, g_string_append_c (text, '}')->str);
  }
  return syntax->op == RSP_OP_NE ? rsp_prop_new (arena, RSP_PROP_NOT, syntax->span, prop, NULL)
                                 : prop;
}

static RspProp *resolve_kind (Question *q, const LitmusProp *syntax) {
  switch (syntax->kind) {
  case RSP_PROP_ATOM:
    return syntax->values ? resolve_array (q, syntax) : resolve_atom (q, syntax);
  case RSP_PROP_AND:
  case RSP_PROP_OR:
    return resolve_chain (q, syntax);
  case RSP_PROP_NOT:
    return rsp_prop_new (q->resolver->arena, RSP_PROP_NOT, syntax->span,
                         resolve_prop (q, syntax->a), NULL);
  case RSP_PROP_IMPLIES: {
    RspProp *a = resolve_prop (q, syntax->a);
    return rsp_prop_new (q->resolver->arena, RSP_PROP_IMPLIES, syntax->span, a,
                         resolve_prop (q, syntax->b));
  }
  default:
    return rsp_prop_new (q->resolver->arena, syntax->kind, syntax->span, NULL, NULL);
  }
}

static RspProp *resolve_prop (Question *q, const LitmusProp *syntax) {
  RspProp *prop;
  q->depth++;
  if (q->depth <= MAX_DEPTH)
    prop = resolve_kind (q, syntax);
  else {
    litmus_error (q->resolver, syntax->span, NULL, "this is nested too deeply for a condition");
    prop = rsp_prop_new (q->resolver->arena, RSP_PROP_TRUE, syntax->span, NULL, NULL);
  }
  q->depth--;
  return prop;
}

/* ---- The table ---- */

static void observe_shown (Question *q) {
  const LitmusList places = q->resolver->test->locations;
  for (guint i = 0; i < places.n; i++) {
    const LitmusPlace *place = question_follow_parameter (q, places.items[i]);
    const LitmusObject *object
        = place->kind == LITMUS_REGISTER ? NULL : litmus_find_object (q->resolver, place->name);
    guint id;
    if (object && object->n_elements > 1 && place->element == LITMUS_NONE)
      question_observe_array (q, object);
    else
      question_observe_place (q, place, &id);
  }
}

static gint compare_seen (gconstpointer a, gconstpointer b) {
  const RspObservable *x = &(*(Seen *const *) a)->observable;
  const RspObservable *y = &(*(Seen *const *) b)->observable;
  if (x->is_register != y->is_register)
    return x->is_register ? -1 : 1;
  if (x->is_register && x->thread != y->thread)
    return x->thread < y->thread ? -1 : 1;
  return strcmp (x->name, y->name);
}

static void renumber_operand (const RspProgram *program, RspOperand *operand, Seen *const *seen) {
  if (!operand->is_observable)
    return;
  operand->observable = seen[operand->observable]->index;
  operand->type = *rsp_observable_type (program, &program->observables[operand->observable]);
}

/* Replaces indices in order of appearance by indices in the table. */
static void renumber (const RspProgram *program, RspProp *prop, Seen *const *seen) {
  if (!prop)
    return;
  renumber (program, prop->a, seen);
  renumber (program, prop->b, seen);
  if (prop->kind == RSP_PROP_ATOM) {
    renumber_operand (program, &prop->left, seen);
    renumber_operand (program, &prop->right, seen);
  }
}

static void fill_table (Question *q) {
  RspProgram *program = q->program;
  guint n = q->seen->len;
  program->n_observables = n;
  program->observables = rsp_arena_new0 (program->arena, RspObservable, n);
  program->filter_only = rsp_arena_new0 (program->arena, guint8, n);
  g_autoptr (GPtrArray) sorted = g_ptr_array_copy (q->seen, NULL, NULL);
  g_ptr_array_sort (sorted, compare_seen);
  for (guint i = 0; i < n; i++) {
    Seen *seen = sorted->pdata[i];
    seen->index = i;
    program->observables[i] = seen->observable;
    program->filter_only[i] = !seen->printed;
  }
  renumber (program, program->condition, (Seen *const *) q->seen->pdata);
  renumber (program, program->filter, (Seen *const *) q->seen->pdata);
}

/* A test without a condition asks `forall (true)`, as in herd. */
static void resolve_question (Question *q) {
  const LitmusTest *test = q->resolver->test;
  if (test->condition) {
    q->program->quantifier = test->quantifier;
    q->program->condition = resolve_prop (q, test->condition);
    return;
  }
  if (test->locations.n == 0)
    litmus_warning (q->resolver, test->head, NULL,
                    "the test has neither a condition nor `locations`: `forall (true)` is assumed");
  q->program->quantifier = RSP_FORALL;
  q->program->condition = rsp_prop_new (q->resolver->arena, RSP_PROP_TRUE, test->head, NULL, NULL);
}

void rsp_litmus_resolve_condition (LitmusResolver *resolver) {
  const LitmusTest *test = resolver->test;
  Question q = { .resolver = resolver, .program = resolver->program };
  q.seen = g_ptr_array_new ();
  q.by_name = g_hash_table_new (g_str_hash, g_str_equal);
  q.printed = TRUE;
  guint errors = rsp_diagnostics_count_errors (resolver->diagnostics);
  resolve_question (&q);
  observe_shown (&q);
  q.printed = FALSE;
  if (test->filter)
    q.program->filter = resolve_prop (&q, test->filter);
  fill_table (&q);
  if (test->filter && rsp_diagnostics_count_errors (resolver->diagnostics) == errors
      && prop_is_contradiction (q.program, q.program->filter))
    litmus_error (resolver, test->filter->span, NULL,
                  "this filter contradicts itself: no state satisfies it");
  g_ptr_array_unref (q.seen);
  g_hash_table_unref (q.by_name);
}
