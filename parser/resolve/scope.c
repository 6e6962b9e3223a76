/* The scope tree: both ways of writing it give each thread a place. */
#include "parser/resolve/scope.h"
#include "parser/litmus/build.h"
#include "parser/scopes.h"

#include <string.h>

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

static const char *level_name (RspLevel level) {
  return level == RSP_LEVEL_THREAD ? "thread" : rsp_levels[level].word;
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

/* "`device`, `kernel`, …": the words of a scopeTree. Newly allocated. */
static char *list_levels (void) {
  GString *text = g_string_new (NULL);
  for (guint level = 0; level < RSP_N_LEVELS; level++)
    g_string_append_printf (text, "%s`%s`", level ? ", " : "", rsp_levels[level].word);
  return g_string_free (text, FALSE);
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
    g_autofree char *names = list_levels ();
    litmus_error (resolver, tree->span, hint, "found `%s`, expected %s or `thread`", tree->word,
                  names);
    return;
  }
  if (level < inside) {
    litmus_error (resolver, tree->span, NULL, "found a `%s` inside a `%s`", level_name (level),
                  level_name (inside - 1));
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

/* "`sg`, `wg` or `dev`": the levels that have a short word. Newly allocated. */
static char *list_short_levels (void) {
  GString *text = g_string_new (NULL);
  for (guint level = RSP_N_LEVELS; level-- > 0;)
    if (!g_str_equal (rsp_levels[level].short_word, rsp_levels[level].word))
      g_string_append_printf (text, "%s`%s`",
                              !text->len ? ""
                              : level    ? ", "
                                         : " or ",
                              rsp_levels[level].short_word);
  return g_string_free (text, FALSE);
}

static Head read_head (LitmusResolver *resolver, const LitmusThread *thread) {
  Head head = { { FALSE }, { 0 } };
  for (guint i = 0; i < thread->positions.n; i++) {
    const LitmusPosition *position = thread->positions.items[i];
    RspLevel level;
    if (!rsp_litmus_level_word (position->word, &level) || level == RSP_LEVEL_THREAD) {
      g_autofree char *hint = rsp_litmus_level_hint (position->word);
      g_autofree char *names = list_short_levels ();
      litmus_error (resolver, position->span, hint, "found `%s`, expected %s", position->word,
                    names);
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
static gboolean same_node (const Head *a, const Head *b, RspLevel level) {
  if (a->given[level] && b->given[level])
    return a->number[level] == b->number[level];
  return rsp_levels[level].shared_elsewhere && a->number[level] == b->number[level];
}

static void join_earlier (Walk *walk, const Head *heads, guint thread, RspLevel level) {
  Position *position = &walk->positions[thread];
  for (guint i = 0; i < thread; i++) {
    const Position *other = &walk->positions[i];
    gboolean inside = level == 0 || other->node[level - 1] == position->node[level - 1];
    if (inside && same_node (&heads[i], &heads[thread], level)) {
      position->node[level] = other->node[level];
      return;
    }
  }
  position->node[level] = ++walk->n_nodes;
}

static void read_heads (Walk *walk) {
  LitmusResolver *resolver = walk->resolver;
  const LitmusList threads = resolver->test->threads;
  g_autofree Head *heads = g_new0 (Head, threads.n);
  for (guint i = 0; i < threads.n; i++) {
    const LitmusThread *thread = threads.items[i];
    heads[i] = read_head (resolver, thread);
    if (thread->positions.n == 0)
      litmus_error (resolver, thread->span, NULL,
                    "found no place for `%s`, expected one like `%s@wg 0, dev 0`: other threads "
                    "have theirs",
                    thread->name, thread->name);
    for (guint level = 0; level < RSP_LEVEL_THREAD; level++)
      join_earlier (walk, heads, i, level);
  }
}

/* ---- Neither ---- */

static void place_apart (Walk *walk) {
  RspProgram *program = walk->resolver->program;
  guint shared = ++walk->n_nodes;
  for (guint i = 0; i < program->n_threads; i++)
    for (guint level = 0; level < RSP_N_LEVELS; level++)
      walk->positions[i].node[level]
          = rsp_levels[level].shared_elsewhere ? shared : ++walk->n_nodes;
  if (program->language->scoped && program->n_threads > 1)
    litmus_warning (walk->resolver, walk->resolver->test->head, NULL,
                    "this test has no scope tree: every thread is a work-group of its own, all on "
                    "one device");
}

/* ---- Both ---- */

/* Numbers the nodes of a level from 0 in the order of their first threads, so that equal trees get
 * equal numbers. */
static void number_level (Walk *walk, RspLevel level) {
  RspThread *threads = walk->resolver->program->threads;
  guint next = 0;
  for (guint i = 0; i < walk->resolver->program->n_threads; i++) {
    guint k = 0;
    while (walk->positions[k].node[level] != walk->positions[i].node[level])
      k++;
    threads[i].place[level] = k < i ? threads[k].place[level] : next++;
  }
}

static void number_nodes (Walk *walk) {
  for (guint level = 0; level < RSP_N_LEVELS; level++)
    number_level (walk, level);
}

void litmus_resolve_scopes (LitmusResolver *resolver) {
  guint n = resolver->program->n_threads;
  g_autofree Position *positions = g_new0 (Position, n);
  Walk walk = { .resolver = resolver, .positions = positions };
  gboolean heads = FALSE;
  for (guint i = 0; i < n; i++)
    heads |= ((LitmusThread *) resolver->test->threads.items[i])->positions.n > 0;
  if (heads && resolver->test->scope_tree)
    litmus_error (resolver, resolver->test->scope_tree_span, NULL,
                  "found a scope tree, but the threads' heads already give their places");
  else if (resolver->test->scope_tree)
    read_tree (&walk);
  else if (heads)
    read_heads (&walk);
  else
    place_apart (&walk);
  number_nodes (&walk);
}
