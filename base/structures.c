/* Exact counts of any size; bindings of names; components of graphs; indexes of words. */
#include "base/base.h"

#include <string.h>

/* ---- Count ---------------------------------------------------------------------------------- */

/* Exact counts of executions: saturating arithmetic and decimal digits. */

RspCount rsp_count_add (RspCount a, RspCount b) {
  RspCount sum;
  return __builtin_add_overflow (a, b, &sum) ? RSP_COUNT_MAX : sum;
}

RspCount rsp_count_multiply (RspCount a, RspCount b) {
  RspCount product;
  return __builtin_mul_overflow (a, b, &product) ? RSP_COUNT_MAX : product;
}

void rsp_count_format (RspCount count, GString *out) {
  if (count == RSP_COUNT_MAX) {
    g_string_append (out, "more than 3e38");
    return;
  }
  char digits[40];
  guint n = 0;
  do
    digits[n++] = (char) ('0' + (int) (count % 10));
  while (count /= 10);
  while (n)
    g_string_append_c (out, digits[--n]);
}

/* ---- Bindings ------------------------------------------------------------------------------- */

/* Bindings: persistent maps from small numbers, as trees whose paths are copied. */

enum { ARITY = 4 };

/* Numbered like a heap: the root is 0, the children of n are ARITY * n + 1 and so on. */
struct RspBindings {
  gconstpointer value;
  const RspBindings *children[ARITY];
};

const char *rsp_symbol (GHashTable *symbols, RspArena *arena, const char *name, guint *number) {
  gpointer symbol, known;
  if (!g_hash_table_lookup_extended (symbols, name, &symbol, &known)) {
    symbol = arena ? rsp_arena_strdup (arena, name) : (gpointer) name;
    known = GUINT_TO_POINTER (g_hash_table_size (symbols));
    g_hash_table_insert (symbols, symbol, known);
  }
  if (number)
    *number = GPOINTER_TO_UINT (known);
  return symbol;
}

const RspBindings *rsp_bindings_add (RspArena *arena, const RspBindings *bindings, guint number,
                                     gconstpointer value) {
  const RspBindings *root = NULL, **link = &root;
  for (;; number = (number - 1) / ARITY) {
    RspBindings *copy = rsp_arena_new0 (arena, RspBindings, 1);
    if (bindings)
      *copy = *bindings;
    *link = copy;
    if (number == 0) {
      copy->value = value;
      return root;
    }
    link = &copy->children[(number - 1) % ARITY];
    bindings = *link;
  }
}

gconstpointer rsp_bindings_look_up (const RspBindings *bindings, guint number) {
  for (; bindings && number; number = (number - 1) / ARITY)
    bindings = bindings->children[(number - 1) % ARITY];
  return bindings ? bindings->value : NULL;
}

/* ---- Components ----------------------------------------------------------------------------- */

typedef struct Tarjan {
  const RspEdge *edges; /* by their origin */
  guint *first;         /* per node: its first edge; n + 1 entries */
  guint *next;          /* per node: the edge to follow next */
  guint *index, *low;   /* index 0: not visited */
  guint *stack, *path;  /* open nodes; the nodes on the path to the current one */
  guint n_stack, n_path, n_visited;
  guint *component; /* G_MAXUINT: none yet */
  guint n_components;
} Tarjan;

static int compare_edges (gconstpointer a, gconstpointer b) {
  const RspEdge *x = a, *y = b;
  return (x->from > y->from) - (x->from < y->from);
}

static void enter (Tarjan *t, guint node) {
  t->index[node] = t->low[node] = ++t->n_visited;
  t->stack[t->n_stack++] = t->path[t->n_path++] = node;
}

/* Everything reachable from the last node of the path has been visited: its component may be
 * complete. */
static void leave (Tarjan *t) {
  guint node = t->path[--t->n_path], last;
  if (t->n_path)
    t->low[t->path[t->n_path - 1]] = MIN (t->low[t->path[t->n_path - 1]], t->low[node]);
  if (t->low[node] != t->index[node])
    return;
  do {
    last = t->stack[--t->n_stack];
    t->component[last] = t->n_components;
  } while (last != node);
  t->n_components++;
}

static void visit (Tarjan *t, guint root) {
  enter (t, root);
  while (t->n_path) {
    guint node = t->path[t->n_path - 1];
    if (t->next[node] == t->first[node + 1]) {
      leave (t);
      continue;
    }
    guint to = t->edges[t->next[node]++].to;
    if (!t->index[to])
      enter (t, to);
    else if (t->component[to] == G_MAXUINT)
      t->low[node] = MIN (t->low[node], t->index[to]);
  }
}

guint rsp_components_find (guint n, GArray *edges, guint *component) {
  g_autofree guint *block = g_new0 (guint, 6 * ((gsize) n + 1));
  Tarjan t = { .first = block, .component = component };
  t.next = t.first + n + 1;
  t.index = t.next + n + 1;
  t.low = t.index + n + 1;
  t.stack = t.low + n + 1;
  t.path = t.stack + n + 1;
  g_array_sort (edges, compare_edges);
  t.edges = (const RspEdge *) (gpointer) edges->data;
  for (guint i = 0; i < edges->len; i++)
    t.first[g_array_index (edges, RspEdge, i).from + 1]++;
  for (guint node = 0; node < n; node++) {
    t.first[node + 1] += t.first[node];
    t.next[node] = t.first[node];
  }
  for (guint node = 0; node < n; node++)
    component[node] = G_MAXUINT;
  for (guint node = 0; node < n; node++)
    if (!t.index[node])
      visit (&t, node);
  /* A component is complete if all that it leads to are. */
  for (guint node = 0; node < n; node++)
    component[node] = t.n_components - 1 - component[node];
  return t.n_components;
}

/* ---- Word index ----------------------------------------------------------------------------- */

/* A hash table with open addressing. Words of a list differ in their lengths and ends, so these are
 * their hash: most words that are not in the list meet an empty slot. */

typedef struct Slot {
  const char *word; /* NULL: empty */
  gconstpointer value;
} Slot;

struct RspWordIndex {
  gsize n_slots; /* a power of two, four times the number of words or more */
  Slot slots[];
};

RspWordIndex *rsp_word_index_new (gsize n) {
  gsize n_slots = 4;
  while (n_slots < 4 * n)
    n_slots *= 2;
  RspWordIndex *index = g_malloc0 (sizeof *index + n_slots * sizeof (Slot));
  index->n_slots = n_slots;
  return index;
}

static gsize hash (const char *word) {
  gsize length = strlen (word);
  if (length == 0)
    return 0;
  gsize first = (guchar) word[0], middle = (guchar) word[length / 2];
  gsize last = (guchar) word[length - 1];
  return length * 37 + first * 5 + last * 11 + middle * 3;
}

/* The slot of the word, or the empty one where it belongs. */
static gsize slot_of (const RspWordIndex *index, const char *word) {
  gsize at = hash (word) & (index->n_slots - 1);
  while (index->slots[at].word && strcmp (index->slots[at].word, word) != 0)
    at = (at + 1) & (index->n_slots - 1);
  return at;
}

gboolean rsp_word_index_add (RspWordIndex *index, const char *word, gconstpointer value) {
  Slot *slot = &index->slots[slot_of (index, word)];
  if (slot->word)
    return FALSE;
  *slot = (Slot){ word, value };
  return TRUE;
}

gconstpointer rsp_word_index_find (const RspWordIndex *index, const char *word) {
  return index->slots[slot_of (index, word)].value;
}
