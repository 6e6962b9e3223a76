/* From the syntax of a test to a program: scope tree, condition, everything. */
#include "parser/litmus/litmus.h"
#include "parser/program.h"
#include "parser/resolve/internal.h"
#include "parser/resolve/resolve.h"

#include <string.h>

/* ---- Scope ---------------------------------------------------------------------------------- */

/* The scope tree: both ways of writing it give each thread a place. */

enum { UNPLACED = 0 };

/* Numbers of the nodes around a thread, by level, while the tree is walked. They begin at 1 and are
 * unique over all levels; UNPLACED at levels that nothing names. */
typedef struct Position {
  guint node[RSP_N_LEVELS + 1];
} Position;

typedef struct Walk {
  LitmusResolver *resolver;
  Position *positions; /* per thread; the thread's own node shows that it has been named */
  guint n_nodes;
} Walk;

static const char *level_name (const LitmusResolver *resolver, RspLevel level) {
  if (level == RSP_LEVEL_THREAD)
    return "thread";
  const char *own = rsp_words_level (&resolver->program->words, level);
  return own ? own : rsp_levels[level].word;
}

/* A model's word for a level from `from` to before `to`; FALSE, with an error, if it is not one. */
static gboolean own_level (LitmusResolver *resolver, const char *word, RspSpan span, guint from,
                           guint to, RspLevel *level) {
  return rsp_words_say_level (&resolver->program->words, resolver->arena, word, from, to, span,
                              level, resolver->diagnostics)
         != 0;
}

/* ---- scopeTree ---- */
/* Adds nodes for the levels from … to that were left out. A shared node has the number of the node
 * around it, so that everything inside that node shares it. */
static Position fill_levels (Walk *walk, Position position, RspLevel from, RspLevel to) {
  for (guint level = from; level < to; level++)
    position.node[level]
        = rsp_levels[level].shared_in_tree ? position.node[level - 1] : ++walk->n_nodes;
  return position;
}

static void place_thread (Walk *walk, const LitmusTree *leaf, Position position) {
  LitmusResolver *resolver = walk->resolver;
  gint64 number = rsp_litmus_thread_number (leaf->word);
  if (number < 0 || number >= resolver->program->n_threads) {
    g_autofree char *hint = number == LITMUS_NONE ? rsp_litmus_level_hint (leaf->word)
                                                  : rsp_litmus_threads_hint (resolver);
    litmus_error (resolver, leaf->span, hint, "found `%s`, expected a thread of this test",
                  leaf->word);
    return;
  }
  if (walk->positions[number].node[RSP_LEVEL_THREAD] != UNPLACED) {
    litmus_error (resolver, leaf->span, NULL, "found `%s` a second time in the scope tree",
                  leaf->word);
    return;
  }
  position.node[RSP_LEVEL_THREAD] = ++walk->n_nodes;
  walk->positions[number] = position;
}

/* The outermost level of the language that the children of a node name. */
static guint outermost_below (const LitmusTree *tree) {
  guint outermost = RSP_N_LEVELS;
  for (guint i = 0; !tree->is_leaf && i < tree->children.n; i++) {
    const LitmusTree *child = tree->children.items[i];
    RspLevel level;
    guint own = !child->is_leaf && rsp_litmus_level_word (child->word, &level)
                    ? level
                    : outermost_below (child);
    outermost = MIN (outermost, own);
  }
  return outermost;
}

/* Places everything below a node; `inside` is the outermost level that a child may have. */
static void walk_tree (Walk *walk, const LitmusTree *tree, RspLevel inside, Position position) {
  LitmusResolver *resolver = walk->resolver;
  if (tree->is_leaf) {
    place_thread (walk, tree, fill_levels (walk, position, inside, RSP_LEVEL_THREAD));
    return;
  }
  RspLevel level;
  if (!rsp_litmus_level_word (tree->word, &level)) {
    g_autofree char *hint = rsp_litmus_level_hint (tree->word);
    if (hint) {
      g_autoptr (GString) names = g_string_new (NULL);
      for (guint i = 0; i < RSP_N_LEVELS; i++)
        if (!rsp_levels[i].own)
          g_string_append_printf (names, "%s`%s`", i ? ", " : "", rsp_levels[i].word);
      litmus_error (resolver, tree->span, hint, "found `%s`, expected %s or `thread`", tree->word,
                    names->str);
    }
    if (hint
        || !own_level (resolver, tree->word, tree->span, inside, outermost_below (tree), &level))
      return;
  }
  if (level < inside) {
    litmus_error (resolver, tree->span, NULL, "found a `%s` inside a `%s`",
                  level_name (resolver, level), level_name (resolver, inside - 1));
    return;
  }
  if (level == RSP_LEVEL_THREAD && tree->children.n != 1)
    litmus_error (resolver, tree->span, NULL, "found %u names, expected one in a `thread`",
                  tree->children.n);
  position = fill_levels (walk, position, inside, level);
  if (level != RSP_LEVEL_THREAD)
    position.node[level] = ++walk->n_nodes;
  for (guint i = 0; i < tree->children.n; i++)
    walk_tree (walk, tree->children.items[i], MIN (level + 1, RSP_LEVEL_THREAD), position);
}

static void read_tree (Walk *walk) {
  LitmusResolver *resolver = walk->resolver;
  const LitmusTest *test = resolver->test;
  guint errors = rsp_diagnostics_count_errors (resolver->diagnostics);
  for (guint i = 0; i < test->trees.n; i++)
    walk_tree (walk, test->trees.items[i], 0, (Position){ { 0 } });
  if (rsp_diagnostics_count_errors (resolver->diagnostics) > errors)
    return; /* which may be why a thread is missing */
  for (guint i = 0; i < resolver->program->n_threads; i++)
    if (walk->positions[i].node[RSP_LEVEL_THREAD] == UNPLACED)
      litmus_error (resolver, test->scope_tree_span, NULL,
                    "the scope tree leaves out the thread `%s`",
                    resolver->program->threads[i].name);
}

/* ---- Thread heads ---- */
/* `dev 0, wg 1, sg 2`: numbers at the levels that a head names. */
typedef struct Head {
  gboolean given[RSP_N_LEVELS + 1];
  gint64 number[RSP_N_LEVELS + 1];
} Head;

/* The language's level that a word at a head names; FALSE: none. */
static gboolean level_of_position (const LitmusResolver *resolver, const char *word,
                                   RspLevel *level) {
  const RspLanguage *language = resolver->program->language;
  for (guint i = 0; language->tagged && i < RSP_N_LANGUAGE_LEVELS; i++)
    if (rsp_language_levels[i].language == language->id
        && strcmp (rsp_language_levels[i].place, word) == 0) {
      *level = (RspLevel) rsp_language_levels[i].level;
      return TRUE;
    }
  return !language->tagged && rsp_litmus_level_word (word, level);
}

gboolean rsp_litmus_position_level (LitmusResolver *resolver, const LitmusList *positions, guint i,
                                    RspLevel *level) {
  const LitmusPosition *own = positions->items[i];
  guint from = 0, to = RSP_N_LEVELS;
  gboolean inwards = FALSE; /* heads name the levels from inside out, or the other way round */
  RspLevel last = RSP_LEVEL_THREAD, other;
  if (level_of_position (resolver, own->word, level))
    return TRUE;
  for (guint k = 0; k < positions->n; k++) {
    const LitmusPosition *position = positions->items[k];
    if (!level_of_position (resolver, position->word, &other))
      continue;
    inwards |= last < other;
    last = other;
  }
  for (guint k = 0; k < positions->n; k++) {
    const LitmusPosition *position = positions->items[k];
    if (k == i || !level_of_position (resolver, position->word, &other))
      continue;
    if ((k < i) == inwards)
      from = MIN (MAX (from, other + 1u), RSP_N_LEVELS);
    else
      to = MIN (to, (guint) other);
  }
  return own_level (resolver, own->word, own->span, from, to, level);
}

static Head read_head (LitmusResolver *resolver, const LitmusThread *thread) {
  Head head = { { FALSE }, { 0 } };
  for (guint i = 0; i < thread->positions.n; i++) {
    const LitmusPosition *position = thread->positions.items[i];
    RspLevel level;
    if (!rsp_litmus_level_word (position->word, &level) || level == RSP_LEVEL_THREAD) {
      g_autofree char *hint = rsp_litmus_level_hint (position->word);
      if (hint || rsp_litmus_level_word (position->word, &level)) {
        g_autoptr (GString) names = g_string_new (NULL); /* "`sg`, `wg` or `dev`" */
        for (guint k = RSP_N_LEVELS; k-- > 0;)
          if (!rsp_levels[k].own && !g_str_equal (rsp_levels[k].short_word, rsp_levels[k].word))
            g_string_append_printf (names, "%s`%s`",
                                    !names->len ? ""
                                    : k         ? ", "
                                                : " or ",
                                    rsp_levels[k].short_word);
        litmus_error (resolver, position->span, hint, "found `%s`, expected %s", position->word,
                      names->str);
        continue;
      }
      if (!rsp_litmus_position_level (resolver, &thread->positions, i, &level))
        continue;
    }
    if (head.given[level])
      litmus_error (resolver, position->span, NULL, "found a second `%s`", position->word);
    head.given[level] = TRUE;
    head.number[level] = position->number;
  }
  return head;
}

/* Two threads share the node of a level if both name it with the same number and share the node
 * around it. By default, all threads share the device and the kernel, and each thread has a
 * work-group and a sub-group of its own. */
static void join_earlier (Walk *walk, const Head *heads, guint thread, RspLevel level) {
  Position *position = &walk->positions[thread];
  for (guint i = 0; i < thread; i++) {
    const Position *other = &walk->positions[i];
    gboolean inside = level == 0 || other->node[level - 1] == position->node[level - 1];
    gboolean given = heads[i].given[level] && heads[thread].given[level];
    gboolean passes
        = rsp_levels[level].own && !rsp_words_level (&walk->resolver->program->words, level);
    if (inside
        && (passes
            || (heads[i].number[level] == heads[thread].number[level]
                && (given || rsp_levels[level].shared_elsewhere)))) {
      position->node[level] = other->node[level];
      return;
    }
  }
  position->node[level] = ++walk->n_nodes;
}

/* ---- Neither ---- */
static void place_apart (Walk *walk) {
  RspProgram *program = walk->resolver->program;
  guint shared = ++walk->n_nodes;
  for (guint i = 0; i < program->n_threads; i++)
    for (guint level = 0; level < RSP_N_LEVELS; level++)
      walk->positions[i].node[level]
          = rsp_levels[level].shared_elsewhere ? shared : ++walk->n_nodes;
  if (program->language->scoped && program->n_threads > 1 && !walk->resolver->test->all_placements)
    litmus_warning (walk->resolver, walk->resolver->test->head, NULL,
                    "this test has no scope tree: every thread is a work-group of its own, all on "
                    "one device");
}

/* ---- Both ---- */
static void litmus_resolve_scopes (LitmusResolver *resolver) {
  guint n = resolver->program->n_threads;
  g_autofree Position *positions = g_new0 (Position, n);
  Walk walk = { .resolver = resolver, .positions = positions };
  gboolean heads = FALSE;
  for (guint i = 0; i < n; i++)
    heads |= ((LitmusThread *) resolver->test->threads.items[i])->positions.n > 0;
  if (heads && resolver->test->scope_tree)
    litmus_error (resolver, resolver->test->scope_tree_span, NULL,
                  "found a scope tree, but the threads' heads already give their places");
  else if (resolver->test->trees.n)
    read_tree (&walk);
  else if (heads) {
    const LitmusList threads = resolver->test->threads;
    g_autofree Head *given = g_new0 (Head, threads.n);
    for (guint i = 0; i < threads.n; i++) {
      const LitmusThread *thread = threads.items[i];
      given[i] = read_head (resolver, thread);
      if (thread->positions.n == 0)
        litmus_error (resolver, thread->span, NULL,
                      "found no place for `%s`, expected one like `%s@wg 0, dev 0`: other threads "
                      "have theirs",
                      thread->name, thread->name);
      for (guint level = 0; level < RSP_LEVEL_THREAD; level++)
        join_earlier (&walk, given, i, level);
    }
  } else
    place_apart (&walk);
  /* Nodes are numbered from 0 in the order of their first threads, so that equal trees get equal
   * numbers. */
  RspThread *threads = resolver->program->threads;
  for (guint level = 0; level < RSP_N_LEVELS; level++) {
    guint next = 0;
    for (guint i = 0; i < n; i++) {
      guint k = 0;
      while (positions[k].node[level] != positions[i].node[level])
        k++;
      threads[i].place[level] = k < i ? threads[k].place[level] : next++;
    }
  }
  rsp_program_fill_levels (resolver->program);
}

/* ---- Condition ------------------------------------------------------------------------------ */

/* The question: what is observed, and the propositions about it. */

/* ---- Operands ---- */
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
        && !q->program->language->tagged) {
      /* In herd, a bare name on the right is always an address. */
      g_autofree char *hint = g_strdup_printf ("write `[%s]` for the value, `&%s` for the address",
                                               place->name, place->name);
      litmus_warning (
          q->resolver, place->span, hint,
          "`%s` is taken as the value of this location, whereas in herd it is its address",
          place->name);
    }
    return TRUE;
  } else if (question_report_bare_register (q, place)
             || !rsp_litmus_resolve_address (q->resolver, place, &value, &object))
    return FALSE;
  g_autoptr (GString) text = g_string_new (NULL);
  rsp_program_format_value (q->program, &type, value, text);
  *operand
      = (RspOperand){ .constant = value, .text = rsp_arena_strdup (q->resolver->arena, text->str) };
  if (place->kind == LITMUS_NUMBER && litmus_is_beyond (place, type))
    operand->text
        = rsp_arena_printf (q->resolver->arena, "%" G_GUINT64_FORMAT, (guint64) place->number);
  return TRUE;
}

/* ---- Propositions ---- */
static RspProp *resolve_atom (Question *q, const LitmusProp *syntax) {
  const LitmusPlace *left = syntax->left, *right = syntax->right;
  RspProp *prop = rsp_prop_new (q->resolver->arena, RSP_PROP_ATOM, syntax->span, NULL, NULL);
  prop->op = syntax->op;
  gboolean swapped = left->kind == LITMUS_NUMBER;
  if (swapped) {
    left = right;
    right = syntax->left;
  }
  if (q->program->language->tagged && left->kind == LITMUS_NUMBER) { /* `0==0` */
    const LitmusPlace *a = syntax->left, *b = syntax->right;
    gboolean less = a->is_huge == b->is_huge ? a->number < b->number : b->is_huge;
    gboolean equal = a->number == b->number && a->is_huge == b->is_huge;
    gboolean holds = syntax->op == RSP_OP_LT ? less : equal == (syntax->op == RSP_OP_EQ);
    prop->kind = holds ? RSP_PROP_TRUE : RSP_PROP_FALSE;
  } else if (left->kind == LITMUS_NUMBER || left->kind == LITMUS_ADDRESS)
    litmus_error (q->resolver, syntax->span, NULL,
                  "found constants on both sides, expected a register or a location on one");
  else if (observed_operand (q, left, &prop->left))
    right_operand (q, right,
                   *rsp_observable_type (
                       q->program, &((Seen *) q->seen->pdata[prop->left.observable])->observable),
                   &prop->right);
  if (swapped && prop->op == RSP_OP_LT) {
    RspOperand number = prop->right;
    prop->right = prop->left;
    prop->left = number;
  }
  return prop;
}

static RspProp *resolve_prop (Question *q, const LitmusProp *syntax);

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

/* `v={1,2}` as `v[0]=1 /\ v[1]=2`: the members first … last - 1, as a balanced tree. */
static RspProp *spread (Question *q, const LitmusProp *syntax, const LitmusPlace *array,
                        guint first, guint last) {
  if (last - first > 1) {
    guint middle = first + (last - first + 1) / 2;
    RspProp *a = spread (q, syntax, array, first, middle);
    return rsp_prop_new (q->resolver->arena, RSP_PROP_AND, syntax->span, a,
                         spread (q, syntax, array, middle, last));
  }
  LitmusPlace *element = rsp_arena_new0 (q->resolver->arena, LitmusPlace, 1);
  *element = *array;
  element->element = first;
  const LitmusProp atom = { .kind = RSP_PROP_ATOM,
                            .span = syntax->span,
                            .op = RSP_OP_EQ,
                            .left = element,
                            .right = syntax->values->items[first] };
  return resolve_prop (q, &atom);
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
    prop = spread (q, syntax, place, 0, syntax->values->n);
    g_autoptr (GString) text = g_string_new (object->name);
    g_string_append (text, "={");
    append_values (prop, text);
    prop->text = rsp_arena_strdup (arena, g_string_append_c (text, '}')->str);
  }
  return syntax->op == RSP_OP_NE ? rsp_prop_new (arena, RSP_PROP_NOT, syntax->span, prop, NULL)
                                 : prop;
}

static RspProp *resolve_prop (Question *q, const LitmusProp *syntax) {
  /* Only =, != and < remain: a > b is b < a, and a <= b is the negation of b < a. */
  if (syntax->kind == RSP_PROP_ATOM && syntax->op >= RSP_OP_LE && syntax->op <= RSP_OP_GE) {
    gboolean swapped = syntax->op != RSP_OP_GE;
    LitmusProp *props = rsp_arena_new0 (q->resolver->arena, LitmusProp, 2);
    props[0] = *syntax;
    props[0].op = RSP_OP_LT;
    props[0].left = swapped ? syntax->right : syntax->left;
    props[0].right = swapped ? syntax->left : syntax->right;
    props[1] = (LitmusProp){ .kind = RSP_PROP_NOT, .span = syntax->span, .a = &props[0] };
    syntax = syntax->op == RSP_OP_GT ? &props[0] : &props[1];
  }
  if (syntax->kind == RSP_PROP_ATOM)
    return syntax->values ? resolve_array (q, syntax) : resolve_atom (q, syntax);
  RspProp *a = syntax->a ? resolve_prop (q, syntax->a) : NULL;
  RspProp *b = syntax->b ? resolve_prop (q, syntax->b) : NULL;
  return rsp_prop_new (q->resolver->arena, syntax->kind, syntax->span, a, b);
}

/* ---- The table ---- */
static gint compare_seen (gconstpointer a, gconstpointer b) {
  return rsp_observables_compare (&(*(Seen *const *) a)->observable,
                                  &(*(Seen *const *) b)->observable);
}

/* A test without a condition asks `forall (true)`, as in herd. */
static void resolve_question (Question *q) {
  const LitmusTest *test = q->resolver->test;
  q->program->all_placements = test->all_placements;
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
  const LitmusList places = test->locations;
  for (guint i = 0; i < places.n; i++) {
    const LitmusPlace *place = question_follow_parameter (&q, places.items[i]);
    const LitmusObject *object
        = place->kind == LITMUS_REGISTER ? NULL : litmus_find_object (resolver, place->name);
    guint id;
    if (object && object->n_elements > 1 && place->element == LITMUS_NONE)
      question_observe_array (&q, object);
    else
      question_observe_place (&q, place, &id);
  }
  q.printed = FALSE;
  if (test->filter)
    q.program->filter = resolve_prop (&q, test->filter);
  RspProgram *program = q.program;
  guint n = q.seen->len;
  program->n_observables = n;
  program->observables = rsp_arena_new0 (program->arena, RspObservable, n);
  program->filter_only = rsp_arena_new0 (program->arena, guint8, n);
  g_autoptr (GPtrArray) sorted = g_ptr_array_copy (q.seen, NULL, NULL);
  g_ptr_array_sort (sorted, compare_seen);
  for (guint i = 0; i < n; i++) {
    Seen *seen = sorted->pdata[i];
    seen->index = i;
    program->observables[i] = seen->observable;
    program->filter_only[i] = !seen->printed;
  }
  g_autofree guint *numbers = g_new (guint, n + 1); /* by the order of appearance */
  for (guint i = 0; i < n; i++)
    numbers[i] = ((const Seen *) q.seen->pdata[i])->index;
  rsp_prop_renumber (program, program->condition, numbers);
  rsp_prop_renumber (program, program->filter, numbers);
  if (test->filter && rsp_diagnostics_count_errors (resolver->diagnostics) == errors
      && rsp_prop_is_contradiction (q.program, q.program->filter))
    litmus_error (resolver, test->filter->span, NULL,
                  "this filter contradicts itself: no state satisfies it");
  g_ptr_array_unref (q.seen);
  g_hash_table_unref (q.by_name);
}

/* ---- Resolve -------------------------------------------------------------------------------- */

/* Resolution: its order, and the threads' names. */

enum { MAX_THREADS = 1024 };

/* Threads are P0, P1, … in this order. */
static void name_threads (LitmusResolver *resolver) {
  RspProgram *program = resolver->program;
  const LitmusList list = resolver->test->threads;
  program->n_threads = MIN (list.n, MAX_THREADS);
  program->threads = rsp_arena_new0 (resolver->arena, RspThread, program->n_threads);
  for (guint i = 0; i < list.n; i++) {
    const LitmusThread *syntax = list.items[i];
    gint64 number = rsp_litmus_thread_number (syntax->name);
    if (i == MAX_THREADS) {
      litmus_error (resolver, syntax->span, NULL, "a test may have at most %d threads",
                    MAX_THREADS);
      return;
    }
    if (number != i) {
      litmus_error (resolver, syntax->span, NULL,
                    number == LITMUS_NONE ? "found `%s`, expected the thread `P%u`"
                    : number < i
                        ? "found a second thread `%s`, expected `P%u`"
                        : "found the thread `%s`, expected `P%u`: threads are numbered in order",
                    syntax->name, i);
      return;
    }
    RspThread *thread = &program->threads[i];
    thread->name = syntax->name;
    thread->number = i;
    thread->span = syntax->span;
    thread->raw = rsp_arena_strndup (resolver->arena, program->source->text + syntax->raw.begin,
                                     syntax->raw.end - syntax->raw.begin);
  }
}

char *rsp_litmus_threads_hint (const LitmusResolver *resolver) {
  guint n = resolver->program->n_threads;
  return n == 1 ? g_strdup ("the test has one thread, P0")
                : g_strdup_printf ("the test has the threads P0 to P%u", n - 1);
}

static void resolve_program (LitmusResolver *resolver) {
  guint errors = rsp_diagnostics_count_errors (resolver->diagnostics);
  name_threads (resolver);
  if (rsp_diagnostics_count_errors (resolver->diagnostics) > errors)
    return;
  litmus_resolve_scopes (resolver);
  litmus_resolve_objects (resolver);
  litmus_resolve_initial (resolver);
  if (rsp_diagnostics_count_errors (resolver->diagnostics) > errors)
    return;
  for (guint i = 0; i < resolver->program->n_threads; i++)
    litmus_resolve_thread (resolver, i);
  rsp_litmus_resolve_condition (resolver);
}

void rsp_litmus_resolve (RspProgram *program, LitmusTest *test, gboolean strict,
                         RspDiagnostics *diagnostics) {
  LitmusResolver resolver = { .program = program,
                              .test = test,
                              .arena = program->arena,
                              .diagnostics = diagnostics,
                              .strict = strict };
  program->language = &rsp_languages[test->language];
  program->name = test->name;
  program->doc = test->doc;
  program->hash = test->hash;
  resolver.objects = g_ptr_array_new ();
  resolver.object_names = g_hash_table_new (g_str_hash, g_str_equal);
  resolver.register_inits = g_ptr_array_new ();
  resolver.inits_of = g_hash_table_new (g_str_hash, g_str_equal);
  resolver.registers = g_array_new (FALSE, TRUE, sizeof (RspRegister));
  resolver.bindings = g_array_new (FALSE, TRUE, sizeof (LitmusBinding));
  resolver.implicit = g_hash_table_new (g_str_hash, g_str_equal);
  resolver.names = g_hash_table_new (g_str_hash, g_str_equal);
  resolver.named = g_hash_table_new (g_str_hash, g_str_equal);
  resolve_program (&resolver);
  g_ptr_array_unref (resolver.objects);
  g_hash_table_unref (resolver.object_names);
  g_ptr_array_unref (resolver.register_inits);
  g_hash_table_unref (resolver.inits_of);
  g_array_unref (resolver.registers);
  g_array_unref (resolver.bindings);
  g_hash_table_unref (resolver.implicit);
  g_hash_table_unref (resolver.names);
  g_hash_table_unref (resolver.named);
}
