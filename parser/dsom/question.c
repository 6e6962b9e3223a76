/* The question: what a final state shows, and the condition on it. */
#include "parser/dsom/question.h"

#include "base/suggest.h"

#include <string.h>

typedef struct Question {
  DsomResolver *resolver;
  GArray *observables; /* of RspDsomObservable */
  GHashTable *numbers; /* name -> number + 1 */
} Question;

/* "moved", "r", "b[0]"; FALSE after an error. */
static gboolean find_place (Question *question, const DsomPlace *place,
                            RspDsomObservable *observable) {
  DsomResolver *resolver = question->resolver;
  gpointer reg = g_hash_table_lookup (resolver->registers, place->name);
  *observable = (RspDsomObservable){ .name = place->name };
  if (place->has_index) {
    int buffer = dsom_find_buffer (resolver, place->span, place->name);
    observable->kind = RSP_DSOM_OBSERVE_ELEMENT;
    observable->index = (guint) MAX (buffer, 0);
    observable->element = (guint) place->index;
    observable->name = rsp_arena_printf (resolver->program->arena, "%s[%" G_GINT64_FORMAT "]",
                                         place->name, place->index);
    if (buffer >= 0 && place->index >= resolver->program->buffers[buffer].n)
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
  g_ptr_array_add (names, NULL);
  g_autofree char *hint = rsp_did_you_mean (place->name, (const char *const *) names->pdata);
  rsp_error (resolver->diagnostics, place->span, hint, "there is no register `%s`", place->name);
  return FALSE;
}

static guint observe (Question *question, const DsomPlace *place) {
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

static RspOperand make_operand (Question *question, const DsomPlace *place, gint64 constant) {
  RspOperand operand = { .is_observable = place != NULL, .constant = constant };
  if (place)
    operand.observable = observe (question, place);
  else
    operand.text
        = rsp_arena_printf (question->resolver->program->arena, "%" G_GINT64_FORMAT, constant);
  return operand;
}

static RspProp *make_prop (Question *question, const DsomProp *syntax) {
  RspProp *prop = rsp_arena_new0 (question->resolver->program->arena, RspProp, 1);
  prop->kind = syntax->kind;
  prop->op = syntax->op;
  prop->a = syntax->a ? make_prop (question, syntax->a) : NULL;
  prop->b = syntax->b ? make_prop (question, syntax->b) : NULL;
  if (syntax->kind == RSP_PROP_ATOM) {
    prop->left = make_operand (question, syntax->left, syntax->left_constant);
    prop->right = make_operand (question, syntax->right, syntax->right_constant);
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

static void sort (Question *question, RspDsomProgram *program) {
  guint n = question->observables->len;
  g_autofree guint *order = g_new (guint, n + 1), *places = g_new0 (guint, n + 1);
  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, (gint) n, sizeof *order, compare, question->observables);
  program->n_observables = n;
  program->observables = rsp_arena_new0 (program->arena, RspDsomObservable, n + 1);
  for (guint i = 0; i < n; i++) {
    program->observables[i] = g_array_index (question->observables, RspDsomObservable, order[i]);
    places[order[i]] = i;
  }
  renumber (program, program->condition, places);
}

void dsom_resolve_question (DsomResolver *resolver) {
  Question question = { .resolver = resolver,
                        .observables = g_array_new (FALSE, FALSE, sizeof (RspDsomObservable)),
                        .numbers = g_hash_table_new (g_str_hash, g_str_equal) };
  const DsomParser *parser = resolver->parser;
  resolver->program->quantifier = parser->quantifier;
  resolver->program->condition = make_prop (&question, parser->condition);
  for (const DsomPlace *place = parser->locations; place; place = place->next)
    observe (&question, place);
  sort (&question, resolver->program);
  g_array_unref (question.observables);
  g_hash_table_unref (question.numbers);
}
