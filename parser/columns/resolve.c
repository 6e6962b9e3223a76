/* Tests in columns become programs. */
#include "base/base.h"
#include "parser/columns/columns.h"
#include "parser/columns/internal.h"
#include "parser/resolve/resolve.h"

#include <string.h>

/* ---- Initial -------------------------------------------------------------------------------- */

/* The initial state: locations, arrays, aliases, registers. */

/* ---- Aliases ---- */
static const RspTag proxies[] = { RSP_TAG_GEN, RSP_TAG_TEX, RSP_TAG_SUR, RSP_TAG_CON };

static const char *const proxy_words[] = { "generic", "texture", "surface", "constant", NULL };

static RspTag alias_proxy (ColumnsResolver *r, const ColumnsAlias *alias) {
  gboolean has_proxies = (rsp_tags[RSP_TAG_GEN].languages >> r->columns->language->id & 1) != 0;
  if (has_proxies != (alias->proxy != NULL))
    ERROR (r, alias->span, NULL,
           has_proxies ? "this alias has no proxy: `y @ generic aliases x`"
                       : "only aliases of PTX have a proxy: `y aliases x`");
  for (guint i = 0; alias->proxy && proxy_words[i]; i++)
    if (strcmp (alias->proxy, proxy_words[i]) == 0)
      return proxies[i];
  if (alias->proxy && has_proxies) {
    g_autofree char *hint = rsp_did_you_mean (alias->proxy, proxy_words);
    ERROR (r, alias->proxy_span, hint,
           "found `%s`, expected a proxy: `generic`, `texture`, `surface` or `constant`",
           alias->proxy);
  }
  return RSP_TAG_GEN;
}

static void declare_aliases (ColumnsResolver *r) {
  for (guint i = 0; i < r->columns->aliases.n; i++) {
    const ColumnsAlias *alias = r->columns->aliases.items[i];
    if (g_hash_table_contains (r->base.object_names, alias->name)) {
      ERROR (r, alias->span, NULL, "`%s` is declared twice", alias->name);
      continue;
    }
    gboolean early = FALSE; /* the target is an alias that comes later */
    for (guint k = i + 1; k < r->columns->aliases.n; k++) {
      const ColumnsAlias *later = r->columns->aliases.items[k];
      early |= strcmp (alias->target, later->name) == 0;
    }
    if (early && !g_hash_table_contains (r->base.object_names, alias->target)) {
      ERROR (r, alias->target_span, "an alias comes after what it is an alias of",
             "found `%s`, which is declared later", alias->target);
      return;
    }
    if (strcmp (alias->name, alias->target) == 0)
      ERROR (r, alias->target_span, NULL, "`%s` cannot be an alias of itself", alias->name);
    guint target = columns_location (r, alias->target, alias->target_span);
    const LitmusObject *object = g_hash_table_lookup (r->base.object_names, alias->target);
    guint first = object->is_array
                      ? columns_add_object (r, alias->name, object->n_elements, TRUE, alias->span)
                      : columns_location (r, alias->name, alias->span);
    RspTag proxy = alias_proxy (r, alias);
    RspLocation *locations = (RspLocation *) r->locations->data;
    for (guint k = 0; k < object->n_elements; k++) {
      const RspLocation *of = &locations[target + k];
      locations[first + k].physical = of->physical;
      locations[first + k].proxy = proxy;
      if (proxy != RSP_TAG_GEN)
        locations[first + k].handle_of = of->handle_of ? of->handle_of : target + k + 1;
    }
  }
}

/* ---- Values ---- */
/* FALSE, with an error, for a register without its thread. */
static gboolean is_location (ColumnsResolver *r, const LitmusPlace *place) {
  if (!columns_is_register_name (place->name))
    return TRUE;
  ERROR (r, place->span, "the register of a thread is written `P0:r0`",
         "found the register `%s`, expected a location", place->name);
  return FALSE;
}

/* The value of an initialisation: a number or an address. */
static gint64 initial_value (ColumnsResolver *r, const LitmusPlace *value) {
  if (value->kind == LITMUS_NUMBER)
    return value->number;
  return is_location (r, value) ? columns_address (r, value) : 0;
}

/* TRUE if the entry gives a value to an array's element rather than to a whole object. */
static gboolean is_of_element (const LitmusInit *init) {
  return init->place->element != LITMUS_NONE && !init->braces;
}

static gboolean is_of_object (const LitmusInit *init, const char *name) {
  return init->place->kind != LITMUS_REGISTER && strcmp (init->place->name, name) == 0;
}

/* TRUE if an earlier entry gives the same location a value. */
static gboolean is_given (const ColumnsResolver *r, const LitmusInit *init) {
  const LitmusList initial = r->base.test->initial;
  for (guint i = 0; initial.items[i] != init; i++) {
    const LitmusInit *other = initial.items[i];
    if (is_of_object (other, init->place->name)
        && (!is_of_element (init) || !is_of_element (other)
            || init->place->element == other->place->element))
      return TRUE;
  }
  return FALSE;
}

/* The elements of an array: `x[2] = {0, 5}` says how many; `x[1] = 5` requires that there are as
 * many. */
static gint64 count_elements (const ColumnsResolver *r, const LitmusInit *init) {
  const LitmusList initial = r->base.test->initial;
  gint64 n = 0;
  if (init->braces)
    return init->place->element == LITMUS_NONE ? init->values.n : init->place->element;
  for (guint i = 0; i < initial.n; i++)
    if (is_of_object (initial.items[i], init->place->name))
      n = MAX (n, ((const LitmusInit *) initial.items[i])->place->element + 1);
  return n;
}

static void declare_location (ColumnsResolver *r, const LitmusInit *init) {
  if (!is_location (r, init->place))
    return;
  if (is_given (r, init))
    ERROR (r, init->span, NULL, "`%s` is initialised twice", init->place->name);
  else if (init->braces || is_of_element (init)) {
    gint64 n = count_elements (r, init);
    if (n < 1 || n > LITMUS_MAX_ELEMENTS)
      ERROR (r, init->place->span, NULL, "an array may have 1 to %d elements", LITMUS_MAX_ELEMENTS);
    else if (init->values.n > n)
      ERROR (r, init->span, NULL, "found %u values, expected at most %" G_GINT64_FORMAT " for `%s`",
             init->values.n, n, init->place->name);
    else if (r->locations->len + n > LITMUS_MAX_LOCATIONS)
      ERROR (r, init->place->span, NULL, "a test may have at most %d locations",
             LITMUS_MAX_LOCATIONS);
    else if (!g_hash_table_contains (r->base.object_names, init->place->name))
      columns_add_object (r, init->place->name, (guint) n, TRUE, init->span);
  } else
    columns_location (r, init->place->name, init->span);
}

/* `m @ mbarrier count 2` */
static gboolean declare_mbarrier (ColumnsResolver *r, const LitmusInit *init, guint first) {
  guint n = g_array_index (r->locations, RspLocation, first).n_elements;
  if (!r->columns->alphabet->has_mbarriers || strcmp (init->space, "mbarrier") != 0
      || strcmp (init->owner->word, "count") != 0)
    return FALSE;
  gboolean fits = init->owner->number >= 1 && init->owner->number <= RSP_MBARRIER_MOST_ARRIVALS;
  if (!fits)
    ERROR (r, init->owner->span, NULL, "an mbarrier expects 1 to %d arrivals",
           RSP_MBARRIER_MOST_ARRIVALS);
  for (guint i = first; i < first + n && fits; i++)
    g_array_index (r->locations, RspLocation, i).initial
        = init->owner->number * (RSP_MBARRIER_EXPECTED + 1) + RSP_MBARRIER_COMPLETE;
  g_hash_table_add (r->initialised, GUINT_TO_POINTER (first + 1));
  columns_check_mbarrier (r, init->place, first, TRUE);
  return TRUE;
}

/* `x = 0 @ local wg 0` */
static void put_in_space (ColumnsResolver *r, const LitmusInit *init, guint first) {
  if (declare_mbarrier (r, init, first))
    return;
  if (!r->columns->alphabet->has_local || strcmp (init->space, "local") != 0
      || strcmp (init->owner->word, "wg") != 0) {
    ERROR (r, init->span,
           r->columns->alphabet->has_local       ? "local memory is written `x = 0 @ local wg 0`"
           : r->columns->alphabet->has_mbarriers ? "an mbarrier is written `m @ mbarrier count 1`"
                                                 : NULL,
           "found `@ %s %s`, but %s has no such memory", init->space, init->owner->word,
           r->columns->language->word);
    return;
  }
  guint n = g_array_index (r->locations, RspLocation, first).n_elements;
  for (guint i = first; i < first + n; i++)
    g_array_index (r->locations, RspLocation, i).type.space = RSP_SPACE_LOCAL;
  g_hash_table_insert (r->owners, GUINT_TO_POINTER (first + 1), (gpointer) init->owner);
}

static void initialise_location (ColumnsResolver *r, const LitmusInit *init) {
  guint first = columns_location (r, init->place->name, init->span);
  if (init->space)
    put_in_space (r, init, first);
  if (is_of_element (init))
    first += (guint) init->place->element;
  for (guint i = 0; i < init->values.n && first + i < r->locations->len; i++) {
    gint64 value = initial_value (r, init->values.items[i]);
    g_array_index (r->locations, RspLocation, first + i).initial = value;
  }
}

/* Locations are declared before any is initialised, so that they are numbered in the order of the
 * text. */
static void each_location (ColumnsResolver *r,
                           void (*visit) (ColumnsResolver *r, const LitmusInit *init)) {
  const LitmusList initial = r->base.test->initial;
  for (guint i = 0; i < initial.n; i++)
    if (((const LitmusInit *) initial.items[i])->place->kind != LITMUS_REGISTER)
      visit (r, initial.items[i]);
}

/* ---- All ---- */
/* Declares the locations of the initial state and their aliases, and sets their values. */
static void columns_initialise_memory (ColumnsResolver *r) {
  each_location (r, declare_location);
  declare_aliases (r);
  const LitmusList initial = r->base.test->initial;
  for (guint i = 0; i < initial.n; i++) {
    const LitmusInit *init = initial.items[i];
    if (init->place->kind != LITMUS_REGISTER
        || (init->place->thread >= 0 && init->place->thread < r->base.program->n_threads))
      continue;
    g_autofree char *hint = rsp_litmus_threads_hint (&r->base);
    ERROR (r, init->span, hint, "found thread %" G_GINT64_FORMAT ", which this test does not have",
           init->place->thread);
  }
  each_location (r, initialise_location);
  RspProgram *program = r->base.program;
  const LitmusList aliases = r->columns->aliases;
  rsp_litmus_keep_initial (&r->base, aliases.n);
  for (guint i = 0; i < aliases.n; i++) {
    const ColumnsAlias *alias = aliases.items[i];
    program->initial[program->n_initial++]
        = (RspInitialText){ alias->name,
                            rsp_arena_printf (r->base.arena, "%s=@%s %s", alias->name,
                                              alias->proxy ? alias->proxy : "", alias->target) };
  }
}

/* ---- Doubts --------------------------------------------------------------------------------- */

/* Doubtful constructs of tests that could nevertheless run. */

/* ---- Instructions that must agree ---- */
typedef struct First {
  guint64 tags;
  RspSpan span;
} First;

/* The line of a first word that has other tags than these; 0: it has the same, or these are the
 * first. Takes the key. */
static guint line_of_other (ColumnsResolver *r, char *key, guint64 tags, RspSpan span) {
  const First *first = g_hash_table_lookup (r->first_words, key);
  guint line, column;
  if (!first) {
    First *own = g_new (First, 1);
    *own = (First){ tags, span };
    g_hash_table_insert (r->first_words, key, own);
    return 0;
  }
  g_free (key);
  rsp_source_position (first->span.source, first->span.begin, &line, &column);
  return first->tags == tags ? 0 : line;
}

/* A barrier's operand as written. */
static char *operand_text (const ColumnsCell *cell, guint i) {
  if (i >= cell->operands.n)
    return g_strdup ("0");
  const LitmusPlace *operand = cell->operands.items[i];
  return operand->kind == LITMUS_NUMBER ? g_strdup_printf ("%" G_GINT64_FORMAT, operand->number)
                                        : g_strdup (operand->name);
}

/* Threads meet at a barrier each the n-th time that it comes to it. One instruction has one ID,
 * also where the threads are in several work-groups. */
void columns_check_barrier (ColumnsResolver *r, const ColumnsCell *cell, guint64 tags) {
  if (!r->columns->alphabet->alike)
    return;
  g_autofree char *id = operand_text (cell, 0), *name = operand_text (cell, 1);
  g_autofree char *barrier = g_strdup_printf ("%u barrier %s %s", r->thread, id, name);
  guint nth = GPOINTER_TO_UINT (g_hash_table_lookup (r->met, barrier)) + 1;
  g_hash_table_insert (r->met, g_steal_pointer (&barrier), GUINT_TO_POINTER (nth));
  char *key = g_strdup_printf ("barrier %s %s, %u", id, name, nth);
  guint line = line_of_other (r, key, tags & r->columns->alphabet->alike, cell->word_span);
  if (line)
    COLUMNS_DOUBT (
        r->columns, cell->word_span, "give both the same: threads meet at one instruction",
        "the barrier %s has another scope, order or storage classes on line %u", id, line);
}

/* The number of a work-group at a thread's place. */
static gint64 group_of (const ColumnsResolver *r, guint thread) {
  const ColumnsHead *head = r->columns->heads.items[thread];
  for (guint i = 0; i < head->positions.n; i++)
    if (strcmp (((const LitmusPosition *) head->positions.items[i])->word, "wg") == 0)
      return ((const LitmusPosition *) head->positions.items[i])->number;
  return 0;
}

void columns_check_owner (ColumnsResolver *r, const LitmusPlace *operand, guint location) {
  const RspLocation *at = &g_array_index (r->locations, RspLocation, location);
  const LitmusPosition *owner = g_hash_table_lookup (
      r->owners,
      GUINT_TO_POINTER (g_array_index (r->locations, RspLocation, at->physical).object + 1));
  if (owner && owner->number != group_of (r, r->thread))
    ERROR (r, operand->span, NULL,
           "`%s` is local memory of wg %" G_GINT64_FORMAT ", but P%u is in wg %" G_GINT64_FORMAT,
           operand->name, owner->number, r->thread, group_of (r, r->thread));
  /* Numbers count within the node outside: one may name several work-groups. */
  const RspThread *threads = r->base.program->threads, *own = &threads[r->thread];
  for (guint t = 0; owner && t < r->thread; t++)
    if (owner->number == group_of (r, t) && owner->number == group_of (r, r->thread)
        && !rsp_threads_share (&threads[t], own, RSP_LEVEL_WORK_GROUP)) {
      ERROR (r, operand->span, "number these work-groups differently: `wg 0` and `wg 1`",
             "`%s` is local memory of wg %" G_GINT64_FORMAT
             ", but P%u and P%u are in different work-groups of that number",
             operand->name, owner->number, t, r->thread);
      return;
    }
}

void columns_check_mbarrier (ColumnsResolver *r, const LitmusPlace *operand, guint location,
                             gboolean is_mbarrier) {
  RspLocation *locations = (RspLocation *) r->locations->data;
  guint physical = locations[location].physical, first = locations[physical].object;
  guint line = line_of_other (r, g_strdup_printf ("mbarrier %u", first),
                              is_mbarrier ? RSP_TAG_BIT (MBAR) : 0, operand->span);
  for (guint i = first; i < first + locations[first].n_elements; i++)
    locations[i].type.is_mbarrier = is_mbarrier;
  if (line)
    ERROR (r, operand->span, "only `mbarrier` instructions may access an mbarrier",
           is_mbarrier ? "`%s` is an mbarrier here, but is read or written on line %u"
                       : "`%s` is an mbarrier on line %u",
           operand->name, line);
}

void columns_check_class (ColumnsResolver *r, const LitmusPlace *operand, guint location,
                          guint64 tags) {
  guint64 classes = tags & r->columns->alphabet->classes;
  guint physical = g_array_index (r->locations, RspLocation, location).physical;
  if (!classes)
    return;
  guint line = line_of_other (r, g_strdup_printf ("location %u", physical), classes, operand->span);
  if (line)
    COLUMNS_DOUBT (r->columns, operand->span, NULL, "`%s` is in another %s on line %u",
                   operand->name, r->columns->alphabet->class_noun, line);
}

/* ---- Names ---- */
enum {
  NOT_A_THREAD = -1,
  IN_QUESTION = -2,
  SHORT = 3 /* a shorter name resembles any other */
};

/* Where a location is named, beside its declaration. */
typedef struct Mentions {
  RspSpan span; /* the first */
  guint n;
  gint thread;          /* the first */
  gboolean elsewhere;   /* also in another thread, or outside threads */
  gboolean in_question; /* also in the question */
} Mentions;

static void mention (GHashTable *all, const char *name, RspSpan span, gint thread) {
  Mentions *mentions = g_hash_table_lookup (all, name);
  if (!mentions) {
    mentions = g_new (Mentions, 1);
    *mentions = (Mentions){ .span = span, .thread = thread };
    g_hash_table_insert (all, (gpointer) name, mentions);
  }
  mentions->n++;
  mentions->elsewhere |= thread < 0 || thread != mentions->thread;
  mentions->in_question |= thread == IN_QUESTION;
}

static void mention_place (GHashTable *all, const LitmusPlace *place, gint thread) {
  if (place && place->kind != LITMUS_NUMBER && place->kind != LITMUS_REGISTER)
    mention (all, place->name, place->span, thread);
}

static void mention_condition (GHashTable *all, const LitmusProp *prop) {
  for (; prop; prop = prop->a) {
    mention_place (all, prop->left, IN_QUESTION);
    mention_place (all, prop->right, IN_QUESTION);
    mention_condition (all, prop->b);
  }
}

static gboolean is_declared (const ColumnsResolver *r, const char *name) {
  const LitmusList initial = r->base.test->initial, aliases = r->columns->aliases;
  for (guint i = 0; i < initial.n; i++)
    if (is_of_object (initial.items[i], name))
      return TRUE;
  for (guint i = 0; i < aliases.n; i++)
    if (strcmp (((const ColumnsAlias *) aliases.items[i])->name, name) == 0)
      return TRUE;
  return FALSE;
}

/* Another location with a name like this one's; NULL: there is none. Newly allocated. */
static char *similar_hint (const ColumnsResolver *r, const char *name) {
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < r->base.objects->len; i++) {
    const LitmusObject *object = r->base.objects->pdata[i];
    if (strcmp (object->name, name) != 0)
      g_ptr_array_add (names, (gpointer) object->name);
  }
  g_ptr_array_add (names, NULL);
  return strlen (name) < SHORT ? NULL : rsp_did_you_mean (name, (const char *const *) names->pdata);
}

/* Warns about names that are most likely misspelt: locations that the initial state does not
 * declare and that are named once, or in one thread while there is a similar name; and those that
 * it declares, nothing uses, and resemble others. */
static void columns_warn_of_names (ColumnsResolver *r) {
  const LitmusTest *test = r->base.test;
  g_autoptr (GHashTable) all = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  for (guint i = 0; i < r->columns->rows.n; i++) {
    const ColumnsRow *row = r->columns->rows.items[i];
    for (guint t = 0; t < row->cells.n; t++) {
      const ColumnsCell *cell = row->cells.items[t];
      for (guint k = 0; k < cell->operands.n; k++)
        mention_place (all, cell->operands.items[k], (gint) t);
    }
  }
  for (guint i = 0; i < test->initial.n; i++) {
    const LitmusInit *init = test->initial.items[i];
    for (guint k = 0; k < init->values.n; k++)
      mention_place (all, init->values.items[k], NOT_A_THREAD);
  }
  for (guint i = 0; i < r->columns->aliases.n; i++) {
    const ColumnsAlias *alias = r->columns->aliases.items[i];
    mention (all, alias->target, alias->target_span, NOT_A_THREAD);
  }
  for (guint i = 0; i < test->locations.n; i++)
    mention_place (all, test->locations.items[i], IN_QUESTION);
  mention_condition (all, test->condition);
  mention_condition (all, test->filter);
  for (guint i = 0; i < r->base.objects->len; i++) {
    const LitmusObject *object = r->base.objects->pdata[i];
    const Mentions *mentions = g_hash_table_lookup (all, object->name);
    RspDiagnostics *diagnostics = r->base.diagnostics;
    g_autofree char *hint = similar_hint (r, object->name);
    if (is_declared (r, object->name)) {
      if (!mentions && hint)
        rsp_warning (diagnostics, object->span, hint, "nothing uses `%s`", object->name);
    } else if (mentions && mentions->n == 1 && !mentions->in_question)
      rsp_warning (diagnostics, mentions->span, hint,
                   "nothing else in this test names `%s`, which starts at 0", object->name);
    else if (mentions && !mentions->elsewhere && hint)
      rsp_warning (diagnostics, mentions->span, hint,
                   "nothing but P%d names `%s`, which starts at 0", mentions->thread, object->name);
  }
}

/* ---- Resolve -------------------------------------------------------------------------------- */

/* Resolution: the order of the steps; threads and their places, ssw, the question. */

enum { MAX_THREADS = 1024 };

/* ---- Threads and their places ---- */
/* Can the word be part of a place? A model's level is called like none of any language, nor almost
 * like one of this one. */
static gboolean is_place_word (const RspLanguage *language, const char *word) {
  g_autoptr (GPtrArray) own = g_ptr_array_new ();
  for (guint i = 0; i < RSP_N_LANGUAGE_LEVELS; i++) {
    const RspLanguageLevel *known = &rsp_language_levels[i];
    if (known->language == language->id && strcmp (known->place, word) == 0)
      return rsp_language_level_has_place (known);
    if (known->language == language->id)
      g_ptr_array_add (own, (gpointer) known->place);
  }
  g_ptr_array_add (own, NULL);
  for (guint i = 0; i < RSP_N_LANGUAGE_LEVELS; i++)
    if (strcmp (rsp_language_levels[i].place, word) == 0
        || strcmp (rsp_language_levels[i].word, word) == 0)
      return FALSE;
  return !rsp_nearest (word, (const char *const *) own->pdata);
}

/* The numbers at a thread's place, per RspLevel; G_MAXUINT where none is given. */
static void read_positions (ColumnsResolver *r, const ColumnsHead *head, guint *numbers) {
  const RspLanguage *language = r->columns->language;
  const char *hint = r->columns->alphabet->place_hint;
  for (guint i = 0; i < RSP_N_LEVELS; i++)
    numbers[i] = G_MAXUINT;
  for (guint i = 0; i < head->positions.n; i++) {
    const LitmusPosition *position = head->positions.items[i];
    RspLevel level;
    if (language->place_from_0 && strcmp (position->word, "st") == 0)
      continue; /* a thread is its own singlethread instance */
    if (!is_place_word (language, position->word))
      ERROR (r, position->span, hint, "found `%s`, which is not part of a thread's place in %s",
             position->word, language->word);
    else if (!rsp_litmus_position_level (&r->base, &head->positions, i, &level))
      continue;
    else if (numbers[level] != G_MAXUINT)
      ERROR (r, position->span, NULL, "found a second `%s` of this thread", position->word);
    else if (position->number > G_MAXINT32)
      ERROR (r, position->span, NULL, "this number is too large");
    else {
      numbers[level] = (guint) position->number;
      r->base.program->newer |= language->optional_levels >> level & 1;
    }
  }
  for (guint i = 0; i < RSP_N_LANGUAGE_LEVELS; i++) {
    const RspLanguageLevel *level = &rsp_language_levels[i];
    if (level->language == language->id && rsp_language_level_is_written (level)
        && numbers[level->level] == G_MAXUINT) {
      numbers[level->level] = 0;
      if (!language->place_from_0)
        ERROR (r, head->span, hint, "the place of %s has no `%s`", head->name, level->place);
    }
  }
}

/* The level inside another, of those that the test may name. */
static guint level_inside (const RspProgram *program, guint level) {
  do
    level++;
  while (level < RSP_N_LEVELS && rsp_levels[level].own
         && !rsp_words_level (&program->words, level));
  return level;
}

/* Numbers the nodes of each level through the program: threads share one if they share the node
 * around it and have the same number. Levels without numbers have one node, or from the sub-groups
 * on one for each thread; and if they are optional, one around each node inside them. */
static void number_nodes (RspProgram *program, guint (*numbers)[RSP_N_LEVELS]) {
  guint optional = program->language->optional_levels;
  for (guint level = 0; level < RSP_N_LEVELS; level++) {
    guint n_nodes = 0;
    for (guint t = 0; t < program->n_threads; t++) {
      gboolean apart = level == RSP_LEVEL_SUB_GROUP && numbers[t][level] == G_MAXUINT;
      guint s = apart ? t : 0;
      while (
          s < t
          && (numbers[s][level] != numbers[t][level]
              || (optional >> level & 1 && numbers[t][level] == G_MAXUINT
                  && numbers[s][level_inside (program, level)]
                         != numbers[t][level_inside (program, level)])
              || (level
                  && program->threads[s].place[level - 1] != program->threads[t].place[level - 1])))
        s++;
      program->threads[t].place[level] = s < t ? program->threads[s].place[level] : n_nodes++;
    }
  }
}

/* Another thread's place that differs from this one's only in an optional level, which one of them
 * leaves out: is it the same or not? */
static void check_optional (ColumnsResolver *r, guint (*numbers)[RSP_N_LEVELS], guint t) {
  guint optional = r->columns->language->optional_levels;
  for (guint s = 0, level; s < t; s++) {
    for (level = 0; level < RSP_N_LEVELS && numbers[s][level] == numbers[t][level]; level++)
      ;
    const guint inside = level_inside (r->base.program, level);
    if (inside >= RSP_N_LEVELS || !(optional >> level & 1)
        || numbers[s][inside] != numbers[t][inside]
        || (numbers[s][level] != G_MAXUINT && numbers[t][level] != G_MAXUINT))
      continue;
    const ColumnsHead *without = r->columns->heads.items[numbers[t][level] == G_MAXUINT ? t : s];
    ERROR (r, without->span, r->columns->alphabet->place_hint,
           "the places of P%u and P%u differ only in that %s is in no numbered cluster", s, t,
           without->name);
    return;
  }
}

static void name_threads (ColumnsResolver *r) {
  RspProgram *program = r->base.program;
  const LitmusList heads = r->columns->heads;
  program->n_threads = MIN (heads.n, MAX_THREADS);
  program->threads = rsp_arena_new0 (r->base.arena, RspThread, program->n_threads);
  guint errors = rsp_diagnostics_count_errors (r->base.diagnostics);
  guint (*numbers)[RSP_N_LEVELS] = g_malloc0_n (program->n_threads + 1, sizeof *numbers);
  for (guint i = 0; i < heads.n; i++) {
    const ColumnsHead *head = heads.items[i];
    if (i >= MAX_THREADS || rsp_litmus_thread_number (head->name) != i) {
      ERROR (r, head->span, NULL, "found `%s`, expected the thread `P%u`", head->name, i);
      break;
    }
    RspThread *thread = &program->threads[i];
    thread->name = head->name;
    thread->number = i;
    thread->span = head->span;
    read_positions (r, head, numbers[i]);
    check_optional (r, numbers, i);
  }
  /* A level of a model that one place names must be in all of them, but where 0 may be left out. */
  for (guint level = 0; level < RSP_N_LEVELS; level++)
    for (guint t = 0; t < program->n_threads && rsp_words_level (&program->words, level); t++)
      if (numbers[t][level] == G_MAXUINT) {
        numbers[t][level] = 0;
        if (!program->language->place_from_0
            && rsp_diagnostics_count_errors (r->base.diagnostics) == errors)
          ERROR (r, program->threads[t].span, NULL, "the place of %s has no `%s`",
                 program->threads[t].name, rsp_words_level (&program->words, level));
      }
  number_nodes (program, numbers);
  rsp_program_fill_levels (program);
  g_free (numbers);
}

/* ---- ssw ---- */
static guint pair_thread (ColumnsResolver *r, const LitmusPlace *place) {
  gint64 number
      = place->kind == LITMUS_NUMBER ? place->number : rsp_litmus_thread_number (place->name);
  if (number >= 0 && number < r->base.program->n_threads)
    return (guint) number;
  g_autofree char *hint = rsp_litmus_threads_hint (&r->base);
  ERROR (r, place->span, hint, "expected a thread of this test, such as `0` or `P0`");
  return 0;
}

static void resolve_pairs (ColumnsResolver *r) {
  const LitmusList pairs = r->columns->pairs;
  RspProgram *program = r->base.program;
  program->ssw = rsp_arena_new0 (r->base.arena, RspThreadPair, pairs.n + 1);
  for (guint i = 0; i < pairs.n; i++) {
    const ColumnsPair *pair = pairs.items[i];
    if (strcmp (pair->word, "ssw") != 0)
      ERROR (r, pair->span, NULL, "found `%s`, expected `ssw` and two threads: `ssw 0 1`",
             pair->word);
    else if (!r->columns->alphabet->has_ssw)
      ERROR (r, pair->span, NULL, "found `ssw`, which only Vulkan tests have");
    else
      program->ssw[program->n_ssw++]
          = (RspThreadPair){ pair_thread (r, pair->from), pair_thread (r, pair->to) };
  }
}

/* ---- Threads' code ---- */
static void resolve_thread (ColumnsResolver *r, guint index) {
  RspThread *thread = &r->base.program->threads[index];
  r->thread = index;
  r->registers = g_array_new (FALSE, TRUE, sizeof (RspRegister));
  r->labels = g_hash_table_new (g_str_hash, g_str_equal);
  r->jumps = g_ptr_array_new ();
  r->raw = g_string_new (NULL);
  const LitmusList initial = r->base.test->initial;
  for (guint i = 0; i < initial.n; i++) {
    const LitmusInit *init = initial.items[i];
    if (init->place->kind != LITMUS_REGISTER || init->place->thread != index)
      continue;
    if (columns_find_register (r, init->place->name) != G_MAXUINT)
      ERROR (r, init->span, NULL, "the register `%s` of P%u is initialised twice",
             init->place->name, index);
    if (init->braces)
      ERROR (r, init->span, NULL, "found several values, expected one for `%s`", init->place->name);
    guint reg = columns_register (r, init->place->name, init->span);
    g_array_index (r->registers, RspRegister, reg).initialised = TRUE;
    if (init->values.n)
      g_array_index (r->registers, RspRegister, reg).initial
          = initial_value (r, init->values.items[0]);
  }
  thread->body = columns_code (r, index);
  thread->raw = rsp_arena_strdup (r->base.arena, r->raw->str);
  thread->n_registers = r->registers->len;
  thread->registers = rsp_arena_copy (r->base.arena, r->registers->data,
                                      r->registers->len * sizeof (RspRegister));
  g_array_unref (r->registers);
  g_hash_table_unref (r->labels);
  g_ptr_array_unref (r->jumps);
  g_string_free (r->raw, TRUE);
}

/* ---- The question ---- */
/* Locations of the question. A register without its thread stays unknown. */
static void add_named (ColumnsResolver *r, const LitmusPlace *place) {
  if (place->kind == LITMUS_NUMBER || place->kind == LITMUS_REGISTER
      || columns_is_register_name (place->name))
    return;
  for (guint t = 0; t < r->base.program->n_threads; t++)
    for (guint i = 0; i < r->base.program->threads[t].n_registers; i++)
      if (strcmp (r->base.program->threads[t].registers[i].name, place->name) == 0)
        return;
  if (!r->has_errors && !g_hash_table_contains (r->base.object_names, place->name)) {
    /* A location that only the question names is 0, and most likely another one is meant. */
    g_autofree gpointer *names = g_hash_table_get_keys_as_array (r->base.object_names, NULL);
    g_autofree char *hint = rsp_did_you_mean (place->name, (const char *const *) names);
    rsp_warning (r->base.diagnostics, place->span, hint,
                 "neither a thread nor the initial state names `%s`: it is always 0", place->name);
  }
  guint location = columns_location (r, place->name, place->span);
  if (g_array_index (r->locations, RspLocation, location).type.is_mbarrier)
    ERROR (r, place->span, "ask for the result of a test: `mbarrier.test_wait r0, m, r1`",
           "`%s` is an mbarrier, whose state is not a number", place->name);
}

/* The same in a condition, where an array's name alone is its first element. */
static void add_operand (ColumnsResolver *r, LitmusPlace *place) {
  if (!place)
    return;
  add_named (r, place);
  if (place->element != LITMUS_NONE
      || (place->kind != LITMUS_NAME && place->kind != LITMUS_CONTENT))
    return;
  const LitmusObject *object = g_hash_table_lookup (r->base.object_names, place->name);
  if (object && object->is_array)
    place->element = 0;
}

static void add_named_in (ColumnsResolver *r, const LitmusProp *prop) {
  for (; prop; prop = prop->a) {
    if (prop->values)
      add_named (r, prop->left);
    else
      add_operand (r, prop->left);
    add_operand (r, prop->right);
    add_named_in (r, prop->b);
  }
}

static void resolve_program (ColumnsResolver *r) {
  RspProgram *program = r->base.program;
  guint errors = rsp_diagnostics_count_errors (r->base.diagnostics);
  name_threads (r);
  guint n = r->columns->heads.n;
  for (guint i = 0; i < r->columns->rows.n; i++) {
    const ColumnsRow *row = r->columns->rows.items[i];
    if (row->cells.n != n)
      ERROR (r, row->span, "leave the cell empty if there is no instruction: `| |`",
             "this row has %u column%s, but the test has %u thread%s", row->cells.n,
             row->cells.n == 1 ? "" : "s", n, n == 1 ? "" : "s");
  }
  if (rsp_diagnostics_count_errors (r->base.diagnostics) > errors)
    return;
  columns_initialise_memory (r);
  resolve_pairs (r);
  for (guint i = 0; i < program->n_threads; i++)
    resolve_thread (r, i);
  /* Errors about mbarriers that nothing initialises. */
  GHashTableIter iter;
  gpointer location, operand;
  g_hash_table_iter_init (&iter, r->uses);
  while (g_hash_table_iter_next (&iter, &location, &operand)
         && !g_hash_table_contains (r->initialised, NULL))
    if (!g_hash_table_contains (r->initialised, location)) {
      const LitmusPlace *place = operand;
      g_autofree char *hint = g_strdup_printf (
          "`mbarrier.init %s, 1` or, in the initial state, `%s @ mbarrier count 1`", place->name,
          place->name);
      ERROR (r, place->span, hint, "nothing initialises the mbarrier `%s`", place->name);
    }
  r->has_errors = rsp_diagnostics_count_errors (r->base.diagnostics) > errors;
  const LitmusTest *test = r->base.test;
  for (guint i = 0; i < test->locations.n; i++)
    add_named (r, test->locations.items[i]);
  add_named_in (r, test->condition);
  add_named_in (r, test->filter);
  program->n_locations = r->locations->len;
  program->locations = rsp_arena_copy (r->base.arena, r->locations->data,
                                       r->locations->len * sizeof (RspLocation));
  if (rsp_diagnostics_count_errors (r->base.diagnostics) > errors)
    return;
  columns_warn_of_names (r);
  for (guint i = 0; i < program->n_threads; i++)
    rsp_litmus_look_at_registers (&r->base, &program->threads[i]);
  rsp_litmus_resolve_condition (&r->base);
}

void rsp_columns_resolve (RspProgram *program, LitmusTest *test, const ColumnsTest *columns,
                          RspDiagnostics *diagnostics) {
  ColumnsResolver r = { .columns = columns };
  r.base = (LitmusResolver){
    .program = program, .test = test, .arena = program->arena, .diagnostics = diagnostics
  };
  r.first_words = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  r.met = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  r.owners = g_hash_table_new (NULL, NULL);
  r.uses = g_hash_table_new (NULL, NULL);
  r.initialised = g_hash_table_new (NULL, NULL);
  program->language = columns->language;
  program->name = test->name;
  program->doc = test->doc;
  r.base.objects = g_ptr_array_new ();
  r.base.object_names = g_hash_table_new (g_str_hash, g_str_equal);
  r.base.register_inits = g_ptr_array_new ();
  r.base.inits_of = g_hash_table_new (g_str_hash, g_str_equal);
  r.locations = g_array_new (FALSE, TRUE, sizeof (RspLocation));
  resolve_program (&r);
  g_ptr_array_unref (r.base.objects);
  g_hash_table_unref (r.base.object_names);
  g_ptr_array_unref (r.base.register_inits);
  g_hash_table_unref (r.base.inits_of);
  g_array_unref (r.locations);
  g_hash_table_unref (r.first_words);
  g_hash_table_unref (r.met);
  g_hash_table_unref (r.owners);
  g_hash_table_unref (r.uses);
  g_hash_table_unref (r.initialised);
}
