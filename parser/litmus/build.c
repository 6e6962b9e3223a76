/* Building the syntax tree: lists, the initial state, threads, the scope tree, propositions. */
#include "parser/litmus/build.h"

#include <string.h>

RspSpan rsp_litmus_span (const LitmusParser *parser, TokenRange range) {
  return (RspSpan){ .source = parser->source, .begin = range.begin, .end = range.end };
}

/* Capacities are powers of two: a list is full if its length is a power of two. */
LitmusList rsp_litmus_append (LitmusParser *parser, LitmusList list, gpointer item) {
  if ((list.n & (list.n - 1)) == 0) {
    gpointer *items = rsp_arena_new0 (parser->arena, gpointer, MAX (1, 2 * list.n));
    if (list.n)
      memcpy (items, list.items, list.n * sizeof *items);
    list.items = items;
  }
  list.items[list.n++] = item;
  return list;
}

LitmusList rsp_litmus_concat (LitmusParser *parser, LitmusList list, LitmusList more) {
  for (guint i = 0; i < more.n; i++)
    list = rsp_litmus_append (parser, list, more.items[i]);
  return list;
}

LitmusInit *rsp_litmus_init (LitmusParser *parser, TokenRange range, LitmusSpecs *specs,
                             LitmusStars stars, LitmusPlace *place) {
  LitmusInit *init = rsp_arena_new0 (parser->arena, LitmusInit, 1);
  init->span = rsp_litmus_span (parser, range);
  init->specs = specs;
  init->stars = stars;
  init->place = place;
  return init;
}

static gboolean is_huge (LitmusNumber number) { return number.value < 0 && !number.is_signed; }

LitmusNumber rsp_litmus_negate (LitmusParser *parser, TokenRange range, LitmusNumber number) {
  if (is_huge (number) && number.value != G_MININT64)
    rsp_error (parser->diagnostics, rsp_litmus_span (parser, range), NULL,
               "the number `-%" G_GUINT64_FORMAT "` does not fit in 64 bits",
               (guint64) number.value);
  number.value = (gint64) (0 - (guint64) number.value);
  number.is_signed = TRUE;
  return number;
}

gint64 rsp_litmus_index (LitmusParser *parser, TokenRange range, LitmusNumber index) {
  if (index.value >= 0 && index.value <= G_MAXINT32)
    return index.value;
  rsp_error (parser->diagnostics, rsp_litmus_span (parser, range), NULL,
             index.value < 0 ? "an index may not be negative" : "this index is too large");
  return 0;
}

gint64 rsp_litmus_array_size (LitmusParser *parser, TokenRange range, LitmusNumber size) {
  if (size.value >= 1 && size.value <= LITMUS_MAX_ELEMENTS)
    return size.value;
  rsp_error (parser->diagnostics, rsp_litmus_span (parser, range), NULL,
             "an array may have 1 to %d elements", LITMUS_MAX_ELEMENTS);
  return 1;
}

LitmusPlace *rsp_litmus_place (LitmusParser *parser, TokenRange range, LitmusPlaceKind kind,
                               const char *name, gint64 element) {
  LitmusPlace *place = rsp_arena_new0 (parser->arena, LitmusPlace, 1);
  place->kind = kind;
  place->span = rsp_litmus_span (parser, range);
  place->name = name;
  place->element = element;
  return place;
}

LitmusPlace *rsp_litmus_number (LitmusParser *parser, TokenRange range, LitmusNumber number) {
  LitmusPlace *place = rsp_litmus_place (parser, range, LITMUS_NUMBER, NULL, LITMUS_NONE);
  place->number = number.value;
  place->is_huge = is_huge (number);
  return place;
}

void rsp_litmus_regions (LitmusParser *parser, TokenRange range, const char *word) {
  if (strcmp (word, "regions") == 0)
    rsp_warning (parser->diagnostics, rsp_litmus_span (parser, range),
                 "a location's memory is in the type of the parameter: `local atomic_int* x`",
                 "`regions` has no effect: it is for Bell models");
  else
    rsp_error (parser->diagnostics, rsp_litmus_span (parser, range), NULL,
               "found `%s:`, expected a thread or `regions:`", word);
}

LitmusPlace *rsp_litmus_small_number (LitmusParser *parser, TokenRange range, int number) {
  return rsp_litmus_number (parser, range, (LitmusNumber){ .value = number, .is_signed = TRUE });
}

LitmusPlace *rsp_litmus_register (LitmusParser *parser, TokenRange range, gint64 thread,
                                  const char *name) {
  LitmusPlace *place = rsp_litmus_place (parser, range, LITMUS_REGISTER, name, LITMUS_NONE);
  place->thread = thread;
  return place;
}

gint64 rsp_litmus_thread_number (const char *name) {
  gsize length = strlen (name);
  if (name[0] != 'P' || length < 2 || length > 8 || (name[1] == '0' && length > 2))
    return LITMUS_NONE;
  for (gsize i = 1; i < length; i++)
    if (!g_ascii_isdigit (name[i]))
      return LITMUS_NONE;
  return g_ascii_strtoll (name + 1, NULL, 10);
}

LitmusPlace *rsp_litmus_named_register (LitmusParser *parser, TokenRange range, const char *thread,
                                        TokenRange thread_range, const char *name) {
  gint64 number = rsp_litmus_thread_number (thread);
  if (number == LITMUS_NONE)
    rsp_error (parser->diagnostics, rsp_litmus_span (parser, thread_range), NULL,
               "found `%s`, expected a thread: a register is written `0:%s`", thread, name);
  return rsp_litmus_register (parser, range, number, name);
}

LitmusParameter *rsp_litmus_parameter (LitmusParser *parser, LitmusSpecs *specs,
                                       LitmusDeclarator *declarator) {
  LitmusParameter *parameter = rsp_arena_new0 (parser->arena, LitmusParameter, 1);
  parameter->specs = specs;
  parameter->declarator = declarator;
  return parameter;
}

LitmusPosition *rsp_litmus_position (LitmusParser *parser, TokenRange range, const char *word,
                                     gint64 number) {
  LitmusPosition *position = rsp_arena_new0 (parser->arena, LitmusPosition, 1);
  position->span = rsp_litmus_span (parser, range);
  position->word = word;
  position->number = number;
  return position;
}

LitmusThread *rsp_litmus_thread (LitmusParser *parser, TokenRange range, const char *name,
                                 LitmusList positions, LitmusList parameters, RspStatement *body,
                                 TokenRange body_range) {
  LitmusThread *thread = rsp_arena_new0 (parser->arena, LitmusThread, 1);
  thread->span = rsp_litmus_span (parser, range);
  thread->name = name;
  thread->positions = positions;
  thread->parameters = parameters;
  thread->body = body;
  thread->raw = (TokenRange){ body_range.begin + 1, body_range.end - 1 };
  return thread;
}

LitmusTree *rsp_litmus_tree (LitmusParser *parser, TokenRange range, const char *word,
                             const LitmusList *children) {
  LitmusTree *tree = rsp_arena_new0 (parser->arena, LitmusTree, 1);
  tree->span = rsp_litmus_span (parser, range);
  tree->word = word;
  tree->is_leaf = !children;
  if (children)
    tree->children = *children;
  return tree;
}

static void check_once (LitmusParser *parser, TokenRange range, gboolean before,
                        const char *section) {
  if (before)
    rsp_error (parser->diagnostics, rsp_litmus_span (parser, range), NULL,
               "found a second `%s`, expected one", section);
}

void rsp_litmus_set_trees (LitmusParser *parser, TokenRange range, LitmusList trees) {
  check_once (parser, range, parser->test->scope_tree, "scopeTree");
  parser->test->scope_tree = TRUE;
  parser->test->scope_tree_span = rsp_litmus_span (parser, range);
  parser->test->trees = trees;
}

void rsp_litmus_set_locations (LitmusParser *parser, TokenRange range, LitmusList places) {
  check_once (parser, range, parser->test->has_locations, "locations");
  parser->test->has_locations = TRUE;
  parser->test->locations = places;
}

void rsp_litmus_set_filter (LitmusParser *parser, TokenRange range, LitmusProp *prop) {
  check_once (parser, range, parser->test->filter != NULL, "filter");
  parser->test->filter = prop;
}

LitmusProp *rsp_litmus_prop (LitmusParser *parser, TokenRange range, RspPropKind kind,
                             LitmusProp *a, LitmusProp *b) {
  LitmusProp *prop = rsp_arena_new0 (parser->arena, LitmusProp, 1);
  prop->kind = kind;
  prop->span = rsp_litmus_span (parser, range);
  prop->a = a;
  prop->b = b;
  return prop;
}

LitmusProp *rsp_litmus_array_prop (LitmusParser *parser, TokenRange range, RspOperator op,
                                   LitmusPlace *array, LitmusList values) {
  LitmusProp *prop = rsp_litmus_atom (parser, range, op, array, NULL);
  LitmusList *own = rsp_arena_new0 (parser->arena, LitmusList, 1);
  *own = values;
  prop->values = own;
  return prop;
}

void rsp_litmus_check_initialiser (LitmusParser *parser, TokenRange range, const char *name) {
  if (strcmp (name, "ATOMIC_INIT") != 0 && strcmp (name, "ATOMIC_VAR_INIT") != 0)
    rsp_error (parser->diagnostics, rsp_litmus_span (parser, range), NULL,
               "found `%s`, expected a value or `ATOMIC_INIT (…)`", name);
}

LitmusProp *rsp_litmus_atom (LitmusParser *parser, TokenRange range, RspOperator op,
                             LitmusPlace *left, LitmusPlace *right) {
  LitmusProp *prop = rsp_litmus_prop (parser, range, RSP_PROP_ATOM, NULL, NULL);
  prop->op = op;
  prop->left = left;
  prop->right = right;
  return prop;
}
