/* What is doubtful in a test though it could be run. */
#include "parser/columns/doubts.h"
#include "parser/columns/instruction.h"
#include "parser/columns/names.h"

#include "base/suggest.h"

#include <string.h>

/* ---- Instructions that must agree ---- */

typedef struct First {
  guint64 tags;
  RspSpan span;
} First;

GHashTable *columns_first_words_new (void) {
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

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

/* What a barrier's operand says as far as the text shows it. */
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
  if (!r->parser->alphabet->alike)
    return;
  g_autofree char *id = operand_text (cell, 0), *name = operand_text (cell, 1);
  g_autofree char *barrier = g_strdup_printf ("%u barrier %s %s", r->thread, id, name);
  guint nth = GPOINTER_TO_UINT (g_hash_table_lookup (r->met, barrier)) + 1;
  g_hash_table_insert (r->met, g_steal_pointer (&barrier), GUINT_TO_POINTER (nth));
  char *key = g_strdup_printf ("barrier %s %s, %u", id, name, nth);
  guint line = line_of_other (r, key, tags & r->parser->alphabet->alike, cell->word_span);
  if (line)
    COLUMNS_DOUBT (r->parser, cell->word_span, "threads meet at one instruction",
                   "the barrier %s has another scope, order or storage classes on line %u", id,
                   line);
}

void columns_check_class (ColumnsResolver *r, const LitmusPlace *operand, guint location,
                          guint64 tags) {
  guint64 classes = tags & r->parser->alphabet->classes;
  guint physical = g_array_index (r->locations, RspLocation, location).physical;
  if (!classes)
    return;
  guint line = line_of_other (r, g_strdup_printf ("location %u", physical), classes, operand->span);
  if (line)
    COLUMNS_DOUBT (r->parser, operand->span, "a location is in one storage class",
                   "`%s` is in another storage class on line %u", operand->name, line);
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

static void mention_operands (const ColumnsResolver *r, GHashTable *all) {
  for (guint i = 0; i < r->parser->rows.n; i++) {
    const ColumnsRow *row = r->parser->rows.items[i];
    for (guint t = 0; t < row->cells.n; t++) {
      const ColumnsCell *cell = row->cells.items[t];
      for (guint k = 0; k < cell->operands.n; k++)
        mention_place (all, cell->operands.items[k], (gint) t);
    }
  }
}

static void mention_initial (const ColumnsResolver *r, GHashTable *all) {
  const LitmusTest *test = r->base.test;
  for (guint i = 0; i < test->initial.n; i++) {
    const LitmusInit *init = test->initial.items[i];
    for (guint k = 0; k < init->values.n; k++)
      mention_place (all, init->values.items[k], NOT_A_THREAD);
  }
  for (guint i = 0; i < r->parser->aliases.n; i++) {
    const ColumnsAlias *alias = r->parser->aliases.items[i];
    mention (all, alias->target, alias->target_span, NOT_A_THREAD);
  }
}

static gboolean is_declared (const ColumnsResolver *r, const char *name) {
  const LitmusList initial = r->base.test->initial, aliases = r->parser->aliases;
  for (guint i = 0; i < initial.n; i++) {
    const LitmusPlace *place = ((const LitmusInit *) initial.items[i])->place;
    if (place->kind != LITMUS_REGISTER && strcmp (place->name, name) == 0)
      return TRUE;
  }
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

static void warn_of_name (const ColumnsResolver *r, const LitmusObject *object,
                          const Mentions *mentions) {
  RspDiagnostics *diagnostics = r->base.diagnostics;
  g_autofree char *hint = similar_hint (r, object->name);
  if (is_declared (r, object->name)) {
    if (!mentions && hint)
      rsp_warning (diagnostics, object->span, hint, "nothing uses `%s`", object->name);
  } else if (mentions && mentions->n == 1 && !mentions->in_question)
    rsp_warning (diagnostics, mentions->span, hint,
                 "nothing else in this test names `%s`, which starts at 0", object->name);
  else if (mentions && !mentions->elsewhere && hint)
    rsp_warning (diagnostics, mentions->span, hint, "nothing but P%d names `%s`, which starts at 0",
                 mentions->thread, object->name);
}

void columns_warn_of_names (ColumnsResolver *r) {
  const LitmusTest *test = r->base.test;
  g_autoptr (GHashTable) all = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  mention_operands (r, all);
  mention_initial (r, all);
  for (guint i = 0; i < test->locations.n; i++)
    mention_place (all, test->locations.items[i], IN_QUESTION);
  mention_condition (all, test->condition);
  mention_condition (all, test->filter);
  for (guint i = 0; i < r->base.objects->len; i++) {
    const LitmusObject *object = r->base.objects->pdata[i];
    warn_of_name (r, object, g_hash_table_lookup (all, object->name));
  }
}
