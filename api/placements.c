/* The placements of a test's threads: which scope trees there are, what a check says of all of
 * them, and which the threads have in common where it says the same. */
#include "api/api.h"
#include "enumerator/query/query.h"
#include "enumerator/search/search.h"

#include <string.h>

enum {
  MOST_TREES = 4096,  /* of one test, before symmetry */
  MOST_ORDERS = 5040, /* of exchangeable threads */
  FEW_EVENTS = 12     /* of all paths: to check costs less than to compare trees */
};

/* ---- Levels --------------------------------------------------------------------------------- */

/* Can threads be apart at the level, in tests of the language? */
static gboolean has_level (const RspProgram *program, guint level) {
  const RspLanguage *language = program->language;
  for (guint i = 0; language->tagged && i < RSP_N_LANGUAGE_LEVELS; i++)
    if (rsp_language_levels[i].language == language->id && rsp_language_levels[i].level == level)
      return rsp_language_level_has_place (&rsp_language_levels[i]);
  return language->scoped && level < RSP_N_LEVELS && rsp_level_text (program, level);
}

/* The level of a word in a thread's place ("cta", "wg") or a tree ("work_group"); else
 * RSP_N_LEVELS. */
static guint level_of_word (const RspProgram *program, const char *word) {
  const RspLanguage *language = program->language;
  for (guint i = 0; language->tagged && i < RSP_N_LANGUAGE_LEVELS; i++)
    if (rsp_language_levels[i].language == language->id
        && (strcmp (rsp_language_levels[i].place, word) == 0
            || strcmp (rsp_language_levels[i].word, word) == 0))
      return rsp_language_levels[i].level;
  guint level = 0;
  while (level < RSP_N_LEVELS && g_strcmp0 (rsp_words_level (&program->words, level), word) != 0
         && (language->tagged
             || (strcmp (rsp_levels[level].short_word, word) != 0
                 && strcmp (rsp_levels[level].word, word) != 0)))
    level++;
  return level;
}

static gboolean read_levels (const RspProgram *program, const char *words, guint *levels,
                             RspDiagnostics *diagnostics) {
  g_auto (GStrv) list = g_strsplit (words, ",", -1);
  for (guint i = 0; list[i]; i++) {
    guint level = level_of_word (program, g_strstrip (list[i]));
    if (level >= RSP_N_LEVELS || !has_level (program, level)) {
      g_autoptr (GString) known = g_string_new (NULL);
      for (guint l = RSP_N_LEVELS; l-- > 0;)
        if (has_level (program, l))
          g_string_append_printf (known, "%s`%s`", known->len ? ", " : "",
                                  program->language->tagged || rsp_levels[l].own
                                      ? rsp_level_text (program, l)
                                      : rsp_levels[l].short_word);
      g_autofree char *hint = known->len ? g_strdup_printf ("its levels are %s", known->str) : NULL;
      rsp_error (diagnostics, program->threads[0].span, hint,
                 "-levels: found `%s`, which is not a level of %s", list[i],
                 program->language->word);
      return FALSE;
    }
    *levels |= 1u << level;
  }
  return TRUE;
}

/* ---- Which threads may be exchanged --------------------------------------------------------- */

/* A proposition with two threads exchanged, such that equal texts mean the same: the parts of a
 * conjunction or disjunction are sorted. */
static char *swapped_text (const RspProgram *program, const RspProp *prop, guint a, guint b);

static void list_parts (const RspProgram *program, const RspProp *prop, RspPropKind kind, guint a,
                        guint b, GPtrArray *parts) {
  if (prop->kind != kind) {
    g_ptr_array_add (parts, swapped_text (program, prop, a, b));
    return;
  }
  list_parts (program, prop->a, kind, a, b, parts);
  list_parts (program, prop->b, kind, a, b, parts);
}

static void append_operand (const RspProgram *program, const RspOperand *operand, guint a, guint b,
                            GString *out) {
  const RspObservable *seen
      = operand->is_observable ? &program->observables[operand->observable] : NULL;
  if (seen && seen->is_register)
    g_string_append_printf (out, "%u:%u",
                            seen->thread == a   ? b
                            : seen->thread == b ? a
                                                : seen->thread,
                            seen->reg);
  else
    g_string_append (out, operand->text);
}

static int by_text (gconstpointer a, gconstpointer b) {
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static char *swapped_text (const RspProgram *program, const RspProp *prop, guint a, guint b) {
  GString *text = g_string_new (NULL);
  if (prop->kind == RSP_PROP_AND || prop->kind == RSP_PROP_OR) {
    g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
    list_parts (program, prop, prop->kind, a, b, parts);
    g_ptr_array_sort (parts, by_text);
    for (guint i = 0; i < parts->len; i++)
      g_string_append_printf (text, "%d(%s)", (int) prop->kind, (const char *) parts->pdata[i]);
  } else if (prop->kind == RSP_PROP_ATOM) {
    append_operand (program, &prop->left, a, b, text);
    g_string_append_printf (text, " %d ", (int) prop->op);
    append_operand (program, &prop->right, a, b, text);
  } else {
    g_string_append_printf (text, "%d", (int) prop->kind);
    for (guint i = 0; i < 2; i++) {
      const RspProp *part = i ? prop->b : prop->a;
      g_autofree char *own = part ? swapped_text (program, part, a, b) : NULL;
      g_string_append_printf (text, "(%s)", own ? own : "");
    }
  }
  return g_string_free (text, FALSE);
}

static gboolean keeps_proposition (const RspProgram *program, const RspProp *prop, guint a,
                                   guint b) {
  g_autofree char *own = prop ? swapped_text (program, prop, a, a) : NULL,
                  *swapped = prop ? swapped_text (program, prop, a, b) : NULL;
  return g_strcmp0 (own, swapped) == 0;
}

/* class[t]: the first thread that t may be exchanged with, in any tree, without changing the
 * answer. */
static void find_exchangeable (const RspProgram *program, GPtrArray *const *paths, guint *class) {
  rsp_symmetry_find_like (program, paths, class);
  for (guint t = 0; t < program->n_threads; t++) {
    guint like = class[t];
    if (like != t
        && !(class[like] == like && rsp_symmetry_allows (program, like, t)
             && keeps_proposition (program, program->condition, like, t)
             && keeps_proposition (program, program->filter, like, t)))
      class[t] = t;
  }
}

/* ---- All trees ------------------------------------------------------------------------------ */

typedef struct Listing {
  RspPlacements *placements;
  guint tied;        /* threads (bits) that share local memory, and so a work-group */
  gboolean as_given; /* work-groups: their threads meet in PTX's warps, or reduce */
  gboolean too_many;
} Listing;

static guint count_nodes (const RspPlacements *placements, const RspNodes *nodes) {
  guint n = 0;
  for (guint level = 0; level < RSP_N_LEVELS; level++)
    if (placements->levels >> level & 1) {
      guint most = 0;
      for (guint t = 0; t < placements->program->n_threads; t++)
        most = MAX (most, nodes[t][level] + 1u);
      n += most;
    }
  return n;
}

static gboolean add_tree (gpointer data, const RspNodes *nodes) {
  Listing *listing = data;
  RspPlacements *placements = listing->placements;
  const guint n = placements->program->n_threads;
  guint first = listing->tied ? (guint) __builtin_ctz (listing->tied) : 0;
  for (guint t = 0; t < n; t++)
    if ((listing->tied >> t & 1)
        && nodes[t][RSP_LEVEL_WORK_GROUP] != nodes[first][RSP_LEVEL_WORK_GROUP])
      return TRUE;
  const RspThread *threads = placements->program->threads;
  for (guint a = 0; listing->as_given && a < n; a++)
    for (guint b = 0; b < a; b++)
      if (rsp_threads_share (&threads[a], &threads[b], RSP_LEVEL_WORK_GROUP)
          != (nodes[a][RSP_LEVEL_WORK_GROUP] == nodes[b][RSP_LEVEL_WORK_GROUP]))
        return TRUE;
  listing->too_many = placements->all->len == MOST_TREES;
  RspPlacement placement = { .nodes = rsp_arena_copy (placements->arena, nodes, n * sizeof *nodes),
                             .n_nodes = count_nodes (placements, nodes),
                             .number = placements->all->len };
  if (!listing->too_many)
    g_array_append_val (placements->all, placement);
  return !listing->too_many;
}

static int by_size (gconstpointer a, gconstpointer b) {
  const RspPlacement *x = a, *y = b;
  if (x->n_nodes != y->n_nodes)
    return x->n_nodes < y->n_nodes ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* The first code of all orders of exchangeable threads: those from `thread` on are still to be
 * chosen. */
static void find_least_code (const RspPlacements *placements, const RspNodes *nodes,
                             const guint *class, guint *order, guint thread, guint8 *least) {
  const guint n = placements->program->n_threads, size = n * RSP_N_LEVELS;
  if (thread == n) {
    guint8 code[RSP_TREE_THREADS * RSP_N_LEVELS] = { 0 };
    /* The tree's nodes at the levels that vary, in the order of their first threads, with thread
     * order[t] in the place of t. */
    for (guint level = 0, at = 0; level < RSP_N_LEVELS; level++)
      for (guint t = 0; (placements->levels >> level & 1) && t < n; t++, at++) {
        guint8 next = 0;
        guint s = 0;
        while (nodes[order[s]][level] != nodes[order[t]][level])
          s++;
        for (guint k = 0; k < t; k++)
          next = MAX (next, (guint8) (code[at - t + k] + 1));
        code[at] = s < t ? code[at - t + s] : next;
      }
    if (memcmp (code, least, size) < 0)
      memcpy (least, code, size);
    return;
  }
  for (guint t = 0; t < n; t++) {
    guint k = 0;
    while (k < thread && order[k] != t)
      k++;
    if (k < thread || class[t] != class[thread])
      continue;
    order[thread] = t;
    find_least_code (placements, nodes, class, order, thread + 1, least);
  }
}

/* Finds which trees are others but for the names of exchangeable threads. */
static void find_symmetric (RspPlacements *placements, guint *class) {
  const guint n = placements->program->n_threads;
  guint orders = 1, sizes[RSP_TREE_THREADS] = { 0 };
  for (guint t = 0; t < n && orders <= MOST_ORDERS; t++)
    orders *= ++sizes[class[t]];
  for (guint t = 0; t < n && orders > MOST_ORDERS; t++)
    class[t] = t;
  g_autoptr (GHashTable) known
      = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  for (guint i = 0; i < placements->all->len; i++) {
    RspPlacement *placement = &g_array_index (placements->all, RspPlacement, i);
    guint order[RSP_TREE_THREADS];
    guint8 least[RSP_TREE_THREADS * RSP_N_LEVELS];
    memset (least, 0xff, sizeof least);
    find_least_code (placements, placement->nodes, class, order, 0, least);
    GBytes *code = g_bytes_new (least, (gsize) n * RSP_N_LEVELS);
    gpointer first;
    placement->first = i;
    if (g_hash_table_lookup_extended (known, code, NULL, &first))
      placement->first = GPOINTER_TO_UINT (first);
    g_hash_table_replace (known, code, GUINT_TO_POINTER (placement->first));
  }
}

static void place_threads (RspPlacements *placements, RspPlacement *placement) {
  const RspProgram *program = placements->program;
  placement->program = rsp_arena_copy (placements->arena, program, sizeof *program);
  placement->program->all_placements = FALSE;
  placement->program->threads = rsp_arena_copy (placements->arena, program->threads,
                                                program->n_threads * sizeof (RspThread));
  for (guint t = 0; t < program->n_threads; t++)
    for (guint level = 0; level < RSP_N_LEVELS; level++)
      placement->program->threads[t].place[level] = placement->nodes[t][level];
}

/* Does the test's own tree group the threads in the same way, at the levels that vary? */
static gboolean is_own (const RspPlacements *placements, const RspPlacement *placement) {
  const RspProgram *program = placements->program;
  for (guint level = 0; level < RSP_N_LEVELS; level++)
    for (guint a = 0; (placements->levels >> level & 1) && a < program->n_threads; a++)
      for (guint b = 0; b < a; b++)
        if (rsp_threads_share (&program->threads[a], &program->threads[b], (RspLevel) level)
            != (placement->nodes[a][level] == placement->nodes[b][level]))
          return FALSE;
  return TRUE;
}

/* ---- What the paths say --------------------------------------------------------------------- */

typedef struct Accesses {
  guint levels, n_events;
  guint local[64]; /* per location in local memory, of the first 64: threads, as bits */
  gboolean fixed;  /* do threads meet in warps, or reduce at barriers? */
} Accesses;

static Accesses look_at_paths (const RspProgram *program, GPtrArray *const *paths) {
  Accesses seen = { 0 };
  for (guint t = 0; t < program->n_threads; t++) {
    for (const RspStatement *s = program->threads[t].body->first; s; s = s->next)
      seen.fixed |= s->barrier && s->barrier->reduces;
    for (guint p = 0; p < paths[t]->len; p++) {
      const RspPath *path = paths[t]->pdata[p];
      seen.n_events += path->n_events;
      for (guint e = 0; e < path->n_events; e++) {
        guint location = path->events[e].location;
        const RspEvent *event = &path->events[e];
        seen.levels |= 1u << rsp_event_level (program, event)
                       | (rsp_event_is_arrival (event) ? 1u << event->meeting : 0);
        seen.fixed |= g_strcmp0 (path->events[e].barrier, RSP_WARP_BARRIER) == 0;
        if (location < G_N_ELEMENTS (seen.local)
            && program->locations[location].type.space == RSP_SPACE_LOCAL)
          seen.local[location] |= 1u << t;
      }
    }
  }
  for (guint level = 0; level <= RSP_LEVEL_SYSTEM; level++)
    if (level >= RSP_N_LEVELS || !has_level (program, level))
      seen.levels &= ~(1u << level);
  return seen;
}

/* The threads that share a location in local memory, if they are in one work-group of the test's
 * own tree: tests may also take one location for the memory of several. */
static guint find_tied (const RspProgram *program, const Accesses *seen) {
  guint tied = 0;
  for (guint i = 0; i < G_N_ELEMENTS (seen->local); i++)
    tied |= seen->local[i] & (seen->local[i] - 1) ? seen->local[i] : 0;
  for (guint t = 0; t < program->n_threads; t++)
    if ((tied >> t & 1)
        && !rsp_threads_share (&program->threads[t], &program->threads[__builtin_ctz (tied)],
                               RSP_LEVEL_WORK_GROUP))
      return 0;
  return tied;
}

/* Finds trees that the model cannot tell apart. */
static void find_indifferent (RspPlacements *placements, const RspModel *model,
                              GPtrArray *const *paths) {
  RspBudget budget = { .max_memory = RSP_DEFAULT_MEMORY };
  for (guint i = 0; i < placements->all->len; i++) {
    RspPlacement *placement = &g_array_index (placements->all, RspPlacement, i);
    for (guint k = 0; placement->first == i && placement->same == i && k < i; k++) {
      const RspPlacement *other = &g_array_index (placements->all, RspPlacement, k);
      if (other->first == k && other->same == k
          && rsp_places_agree (other->program, placement->program, model, paths, &budget))
        placement->same = k;
    }
  }
}

static gboolean find_levels (const RspProgram *program, const Accesses *seen, const char *words,
                             guint exactly, guint *levels, RspDiagnostics *diagnostics) {
  *levels = words ? 0 : exactly ? exactly : seen->levels;
  if (words && !read_levels (program, words, levels, diagnostics))
    return FALSE;
  if (seen->fixed || find_tied (program, seen))
    *levels |= 1u << RSP_LEVEL_WORK_GROUP;
  return TRUE;
}

gboolean rsp_placements_levels (const RspProgram *program, const RspModel *model,
                                const RspCheckOptions *options, const char *words, guint *levels,
                                RspDiagnostics *diagnostics) {
  *levels = 0;
  if (program->n_threads > RSP_TREE_THREADS)
    return TRUE;
  RspCheckOptions of_paths = *options;
  of_paths.journal = NULL;
  RspCombinations *combinations = rsp_combinations_open (program, model, &of_paths);
  Accesses seen = look_at_paths (program, rsp_combinations_all_paths (combinations));
  rsp_combinations_free (combinations);
  return find_levels (program, &seen, words, 0, levels, diagnostics);
}

RspPlacements *rsp_placements_new (const RspProgram *program, const RspModel *model,
                                   const RspCheckOptions *options, const char *levels,
                                   guint exactly, RspDiagnostics *diagnostics) {
  if (program->n_threads > RSP_TREE_THREADS) {
    rsp_error (diagnostics, program->threads[0].span, NULL, "placements have at most %d threads",
               RSP_TREE_THREADS);
    return NULL;
  }
  RspPlacements *placements = g_new0 (RspPlacements, 1);
  *placements = (RspPlacements){ .program = program,
                                 .arena = rsp_arena_new (),
                                 .all = g_array_new (FALSE, FALSE, sizeof (RspPlacement)) };
  RspCheckOptions of_paths = *options;
  of_paths.journal = NULL;
  RspCombinations *combinations = rsp_combinations_open (program, model, &of_paths);
  GPtrArray *const *paths = rsp_combinations_all_paths (combinations);
  Accesses seen = look_at_paths (program, paths);
  Listing listing
      = { .placements = placements, .tied = find_tied (program, &seen), .as_given = seen.fixed };
  gboolean good = find_levels (program, &seen, levels, exactly, &placements->levels, diagnostics);
  if (good)
    rsp_trees_each (program->language, program->n_threads, placements->levels, add_tree, &listing);
  if (listing.too_many)
    rsp_error (diagnostics, program->threads[0].span,
               "`-levels wg` leaves other levels as they are",
               "test %s has more than %d placements", program->name, MOST_TREES);
  good &= !listing.too_many;
  if (good) {
    guint class[RSP_TREE_THREADS];
    g_array_sort (placements->all, by_size);
    find_exchangeable (program, paths, class);
    find_symmetric (placements, class);
  }
  for (guint i = 0; good && i < placements->all->len; i++) {
    RspPlacement *placement = &g_array_index (placements->all, RspPlacement, i);
    placement->same = i;
    placement->is_own = is_own (placements, placement);
    if (placement->first == i) {
      placements->n_first++;
      place_threads (placements, placement);
      rsp_words_bind (placement->program, model, NULL); /* trees are compared with its words */
    }
  }
  if (good && seen.n_events > FEW_EVENTS)
    find_indifferent (placements, model, paths);
  rsp_combinations_free (combinations);
  if (!good)
    g_clear_pointer (&placements, rsp_placements_free);
  return placements;
}

void rsp_placements_free (RspPlacements *placements) {
  if (!placements)
    return;
  g_array_unref (placements->all);
  rsp_arena_free (placements->arena);
  g_free (placements);
}

/* ---- What they have in common --------------------------------------------------------------- */

enum {
  MOST_LITERALS = 4, /* of a description */
  MOST_TERMS = 120,  /* that are tried together */
  MANY_THREADS = 7   /* of more, a description has pairs of threads, or all */
};

/* "P0 and P1 share a work-group": of a level, and threads; or that no two of all threads do. */
typedef struct Literal {
  guint level, threads;
  gboolean no_two, negated;
} Literal;

/* One or two literals that imply what is to be described. */
typedef struct Term {
  Literal literals[2];
  guint n, cost;
  guint64 *holds; /* a bit per placement */
} Term;

typedef struct Describing {
  const RspPlacements *placements;
  guint words;              /* of a set of placements */
  guint64 *sought, *others; /* those that are to be described, and those that must not be */
  GArray *literals, *terms; /* of Term */
  const Term *best[3];      /* one of these holds: NULL where there are fewer */
  guint best_n, best_cost;
  RspArena *arena;
} Describing;

static gboolean literal_holds (const RspPlacements *placements, const Literal *literal,
                               const RspNodes *nodes) {
  gboolean all = TRUE, none = TRUE;
  for (guint a = 0; a < placements->program->n_threads; a++)
    for (guint b = 0; b < a; b++)
      if ((literal->threads >> a & 1) && (literal->threads >> b & 1)) {
        gboolean share = nodes[a][literal->level] == nodes[b][literal->level];
        all &= share;
        none &= !share;
      }
  return (literal->no_two ? none : all) != literal->negated;
}

static gboolean meets (const Describing *d, const guint64 *a, const guint64 *b) {
  for (guint w = 0; w < d->words; w++)
    if (a[w] & b[w])
      return TRUE;
  return FALSE;
}

static void keep_term (Describing *d, const Term *term) {
  if (!meets (d, term->holds, d->others) && meets (d, term->holds, d->sought))
    g_array_append_val (d->terms, *term);
}

static void add_literal (Describing *d, Literal literal) {
  const guint n = (guint) __builtin_popcount (literal.threads);
  Term term = { .literals = { literal }, .n = 1 };
  term.cost = 100 + (literal.no_two ? 2 : n) + literal.negated;
  term.holds = rsp_arena_new0 (d->arena, guint64, d->words);
  for (guint i = 0; i < d->placements->all->len; i++)
    if (literal_holds (d->placements, &literal,
                       g_array_index (d->placements->all, RspPlacement, i).nodes))
      term.holds[i / 64] |= G_GUINT64_CONSTANT (1) << (i % 64);
  g_array_append_val (d->literals, term);
  keep_term (d, &term);
}

static gboolean is_term (const Describing *d, const Term *term) {
  return !meets (d, term->holds, d->others);
}

static int by_cost (gconstpointer a, gconstpointer b) {
  const Term *x = a, *y = b;
  return x->cost < y->cost ? -1 : x->cost > y->cost;
}

/* Adds terms after `from` to the n chosen ones until one of them holds wherever it is sought. */
static void cover (Describing *d, const Term **chosen, guint n, guint literals, guint cost,
                   guint from) {
  gboolean covers = n > 0;
  for (guint w = 0; w < d->words && covers; w++) {
    guint64 left = d->sought[w];
    for (guint i = 0; i < n; i++)
      left &= ~chosen[i]->holds[w];
    covers = !left;
  }
  if (covers && cost < d->best_cost) {
    d->best_cost = cost;
    d->best_n = n;
    memcpy (d->best, chosen, n * sizeof *chosen);
  }
  for (guint i = from; !covers && n < G_N_ELEMENTS (d->best) && i < MIN (d->terms->len, MOST_TERMS);
       i++) {
    const Term *term = &g_array_index (d->terms, Term, i);
    chosen[n] = term;
    if (literals + term->n <= MOST_LITERALS && cost + term->cost < d->best_cost)
      cover (d, chosen, n + 1, literals + term->n, cost + term->cost, i + 1);
  }
}

/* Looks for a description of the placements with this truth, which is not true of those with the
 * other. */
static void describe (Describing *d, const RspTruth *truth, RspTruth sought) {
  const Term *chosen[G_N_ELEMENTS (d->best)];
  memset (d->sought, 0, d->words * sizeof *d->sought);
  memset (d->others, 0, d->words * sizeof *d->others);
  for (guint i = 0; i < d->placements->all->len; i++)
    if (truth[i] != RSP_OPEN)
      (truth[i] == sought ? d->sought : d->others)[i / 64] |= G_GUINT64_CONSTANT (1) << (i % 64);
  g_array_set_size (d->literals, 0);
  g_array_set_size (d->terms, 0);
  const guint n = d->placements->program->n_threads, all = (1u << n) - 1;
  for (guint level = 0; level < RSP_N_LEVELS; level++)
    for (guint threads = 0; (d->placements->levels >> level & 1) && threads <= all; threads++)
      for (guint negated = 0; negated < 2 && (threads & (threads - 1)); negated++) {
        if (n > MANY_THREADS && threads != all && __builtin_popcount (threads) > 2)
          continue;
        add_literal (d, (Literal){ level, threads, FALSE, negated });
        if (threads == all && n > 2)
          add_literal (d, (Literal){ level, threads, TRUE, negated });
      }
  /* Literals that imply it together, and neither alone. */
  for (guint i = 0; i < d->literals->len; i++)
    for (guint k = 0; k < i; k++) {
      const Term *a = &g_array_index (d->literals, Term, i),
                 *b = &g_array_index (d->literals, Term, k);
      if (is_term (d, a) || is_term (d, b))
        continue;
      Term both = { .literals = { b->literals[0], a->literals[0] },
                    .n = 2,
                    .cost = a->cost + b->cost,
                    .holds = rsp_arena_new0 (d->arena, guint64, d->words) };
      for (guint w = 0; w < d->words; w++)
        both.holds[w] = a->holds[w] & b->holds[w];
      keep_term (d, &both);
    }
  g_array_sort (d->terms, by_cost);
  cover (d, chosen, 0, 0, 0, 0);
}

/* ---- In words ---- */
/* Describes where the truth is `truth`. Alternatives that are all negated are the negation of
 * literals that hold together. */
static char *format_description (const Describing *d, gboolean truth, const char *yes,
                                 const char *no) {
  gboolean turned = TRUE;
  for (guint i = 0; i < d->best_n; i++)
    turned &= d->best[i]->n == 1 && d->best[i]->literals[0].negated;
  GString *text = g_string_new (truth != turned ? yes : no);
  for (guint i = 0; i < d->best_n; i++)
    for (guint k = 0; k < d->best[i]->n; k++) {
      Literal literal = d->best[i]->literals[k];
      literal.negated ^= turned;
      g_string_append (text, !i && !k ? " wherever " : k || turned ? " and " : ", or ");
      const RspProgram *program = d->placements->program;
      const guint all = (1u << program->n_threads) - 1;
      gboolean pair = __builtin_popcount (literal.threads) == 2;
      const char *level = rsp_level_text (program, literal.level);
      if (literal.no_two)
        g_string_append (text, literal.negated ? "some threads share" : "no two threads share");
      else if (literal.threads == all && !pair)
        g_string_append (text, literal.negated ? "not all threads share" : "all threads share");
      else {
        for (guint t = 0, left = literal.threads; t < program->n_threads; t++)
          if (literal.threads >> t & 1) {
            left &= left - 1;
            g_string_append_printf (text, "%s%s", program->threads[t].name,
                                    !left                ? ""
                                    : left & (left - 1u) ? ", "
                                                         : " and ");
          }
        g_string_append (text, !literal.negated ? " share"
                               : pair           ? " do not share"
                                                : " do not all share");
      }
      g_string_append_printf (text, " %s %s", strchr ("aeiou", level[0]) ? "an" : "a", level);
    }
  g_string_append_printf (text, "; %s otherwise", truth != turned ? no : yes);
  return g_string_free (text, FALSE);
}

/* Counts placements up to symmetry. */
static guint count (const RspPlacements *placements, const RspTruth *truth, RspTruth counted) {
  guint n = 0;
  for (guint i = 0; i < placements->all->len; i++)
    n += truth[i] == counted && g_array_index (placements->all, RspPlacement, i).first == i;
  return n;
}

char *rsp_placements_describe (const RspPlacements *placements, const RspTruth *truth,
                               const char *yes, const char *no) {
  guint holds = count (placements, truth, RSP_HOLDS), fails = count (placements, truth, RSP_FAILS);
  if (!holds || !fails)
    return holds + fails == 1 ? g_strdup (holds ? yes : no)
                              : g_strdup_printf ("%s in every placement", holds ? yes : no);
  g_autoptr (RspArena) arena = rsp_arena_new ();
  Describing d = { .placements = placements,
                   .words = (placements->all->len + 63) / 64,
                   .best_cost = G_MAXUINT,
                   .arena = arena };
  d.sought = rsp_arena_new0 (arena, guint64, d.words);
  d.others = rsp_arena_new0 (arena, guint64, d.words);
  d.literals = g_array_new (FALSE, FALSE, sizeof (Term));
  d.terms = g_array_new (FALSE, FALSE, sizeof (Term));
  describe (&d, truth, RSP_HOLDS);
  char *text = d.best_n ? format_description (&d, TRUE, yes, no) : NULL;
  guint cost = d.best_cost;
  describe (&d, truth, RSP_FAILS);
  if (d.best_cost < cost) {
    g_free (text);
    text = format_description (&d, FALSE, yes, no);
  }
  g_array_unref (d.literals);
  g_array_unref (d.terms);
  return text ? text
              : g_strdup_printf ("%s in %u of %u placements; %s in the others", yes, holds,
                                 holds + fails, no);
}
