/* Resolution: the order of the steps; threads and their places, ssw, the question. */
#include "parser/columns/resolve.h"
#include "base/suggest.h"
#include "parser/columns/doubts.h"
#include "parser/columns/names.h"
#include "parser/resolve/condition.h"
#include "parser/resolve/uninitialised.h"

#include <string.h>

enum { MAX_THREADS = 1024 };

/* ---- Threads and their places ---- */

static const RspLanguageLevel *find_level (const RspLanguage *language, const char *word) {
  for (guint i = 0; i < RSP_N_LANGUAGE_LEVELS; i++)
    if (rsp_language_levels[i].language == language->id
        && strcmp (rsp_language_levels[i].word, word) == 0)
      return &rsp_language_levels[i];
  return NULL;
}

/* "`cta 0, gpu 0`": the levels at a thread's place. */
static const char *place_hint (const RspLanguage *language) {
  return language->id == RSP_LANGUAGE_PTX ? "a place is written `P0@cta 0, gpu 0`"
                                          : "a place is written `P0@sg 0, wg 0, qf 0`";
}

/* The numbers at a thread's place, per RspLevel; G_MAXUINT where none is given. */
static void read_positions (ColumnsResolver *r, const ColumnsHead *head, guint *numbers) {
  const RspLanguage *language = r->parser->language;
  const char *hint = place_hint (language);
  for (guint i = 0; i < RSP_N_LEVELS; i++)
    numbers[i] = G_MAXUINT;
  for (guint i = 0; i < head->positions.n; i++) {
    const LitmusPosition *position = head->positions.items[i];
    const RspLanguageLevel *level = find_level (language, position->word);
    if (!level || !rsp_language_level_is_written (level))
      ERROR (r, position->span, hint, "found `%s`, which is not part of a thread's place in %s",
             position->word, language->word);
    else if (numbers[level->level] != G_MAXUINT)
      ERROR (r, position->span, NULL, "found a second `%s` of this thread", position->word);
    else if (position->number > G_MAXINT32)
      ERROR (r, position->span, NULL, "this number is too large");
    else
      numbers[level->level] = (guint) position->number;
  }
  for (guint i = 0; i < RSP_N_LANGUAGE_LEVELS; i++) {
    const RspLanguageLevel *level = &rsp_language_levels[i];
    if (level->language == language->id && rsp_language_level_is_written (level)
        && numbers[level->level] == G_MAXUINT)
      ERROR (r, head->span, hint, "the place of %s has no `%s`", head->name, level->word);
  }
}

/* Numbers the nodes of each level through the program: threads share one if they share the node
 * around it and have the same number. Levels without numbers have one node, or from the sub-groups
 * on one for each thread. */
static void number_nodes (RspProgram *program, guint (*numbers)[RSP_N_LEVELS]) {
  for (guint level = 0; level < RSP_N_LEVELS; level++) {
    guint n_nodes = 0;
    for (guint t = 0; t < program->n_threads; t++) {
      gboolean apart = level == RSP_LEVEL_SUB_GROUP && numbers[t][level] == G_MAXUINT;
      guint s = apart ? t : 0;
      while (
          s < t
          && (numbers[s][level] != numbers[t][level]
              || (level
                  && program->threads[s].place[level - 1] != program->threads[t].place[level - 1])))
        s++;
      program->threads[t].place[level] = s < t ? program->threads[s].place[level] : n_nodes++;
    }
  }
}

static void name_threads (ColumnsResolver *r) {
  RspProgram *program = r->base.program;
  const LitmusList heads = r->parser->heads;
  program->n_threads = MIN (heads.n, MAX_THREADS);
  program->threads = rsp_arena_new0 (r->base.arena, RspThread, program->n_threads);
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
  }
  number_nodes (program, numbers);
  g_free (numbers);
}

static void check_rows (ColumnsResolver *r) {
  guint n = r->parser->heads.n;
  for (guint i = 0; i < r->parser->rows.n; i++) {
    const ColumnsRow *row = r->parser->rows.items[i];
    if (row->cells.n != n)
      ERROR (r, row->span, "an empty cell is no instruction: `| |`",
             "this row has %u column%s, but the test has %u thread%s", row->cells.n,
             row->cells.n == 1 ? "" : "s", n, n == 1 ? "" : "s");
  }
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
  const LitmusList pairs = r->parser->pairs;
  RspProgram *program = r->base.program;
  program->ssw = rsp_arena_new0 (r->base.arena, RspThreadPair, pairs.n + 1);
  for (guint i = 0; i < pairs.n; i++) {
    const ColumnsPair *pair = pairs.items[i];
    if (strcmp (pair->word, "ssw") != 0)
      ERROR (r, pair->span, NULL, "found `%s`, expected `ssw` and two threads: `ssw 0 1`",
             pair->word);
    else if (program->language->id != RSP_LANGUAGE_VULKAN)
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
  columns_initialise_registers (r, index);
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

/* Is it a register's name, in the test or by its form? */
static gboolean names_register (const ColumnsResolver *r, const char *name) {
  const RspProgram *program = r->base.program;
  for (guint t = 0; t < program->n_threads; t++)
    for (guint i = 0; i < program->threads[t].n_registers; i++)
      if (strcmp (program->threads[t].registers[i].name, name) == 0)
        return TRUE;
  return columns_is_register_name (name);
}

/* A location that only the question names is 0, and most likely another one is meant. */
static void warn_of_unused (const ColumnsResolver *r, const LitmusPlace *place) {
  g_autofree gpointer *names = g_hash_table_get_keys_as_array (r->base.object_names, NULL);
  g_autofree char *hint = rsp_did_you_mean (place->name, (const char *const *) names);
  rsp_warning (r->base.diagnostics, place->span, hint,
               "no thread and no initial state names `%s`, which is always 0", place->name);
}

/* Locations of the question. A register without its thread stays unknown. */
static void add_named (ColumnsResolver *r, const LitmusPlace *place) {
  if (place->kind == LITMUS_NUMBER || place->kind == LITMUS_REGISTER
      || names_register (r, place->name))
    return;
  if (!r->has_errors && !g_hash_table_contains (r->base.object_names, place->name))
    warn_of_unused (r, place);
  columns_location (r, place->name, place->span);
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
    add_operand (r, prop->left);
    add_operand (r, prop->right);
    add_named_in (r, prop->b);
  }
}

static void resolve_question (ColumnsResolver *r) {
  const LitmusTest *test = r->base.test;
  for (guint i = 0; i < test->locations.n; i++)
    add_named (r, test->locations.items[i]);
  add_named_in (r, test->condition);
  add_named_in (r, test->filter);
}

static void resolve_program (ColumnsResolver *r) {
  RspProgram *program = r->base.program;
  guint errors = rsp_diagnostics_count_errors (r->base.diagnostics);
  name_threads (r);
  check_rows (r);
  if (rsp_diagnostics_count_errors (r->base.diagnostics) > errors)
    return;
  columns_initialise_memory (r);
  resolve_pairs (r);
  for (guint i = 0; i < program->n_threads; i++)
    resolve_thread (r, i);
  r->has_errors = rsp_diagnostics_count_errors (r->base.diagnostics) > errors;
  resolve_question (r);
  program->n_locations = r->locations->len;
  program->locations = rsp_arena_copy (r->base.arena, r->locations->data,
                                       r->locations->len * sizeof (RspLocation));
  if (rsp_diagnostics_count_errors (r->base.diagnostics) > errors)
    return;
  columns_warn_of_names (r);
  for (guint i = 0; i < program->n_threads; i++)
    rsp_litmus_warn_of_uninitialised (&r->base, &program->threads[i]);
  rsp_litmus_resolve_condition (&r->base);
}

void columns_resolve (RspProgram *program, ColumnsParser *parser, RspDiagnostics *diagnostics) {
  LitmusTest *test = parser->base.test;
  ColumnsResolver r = { .parser = parser };
  r.base = (LitmusResolver){
    .program = program, .test = test, .arena = program->arena, .diagnostics = diagnostics
  };
  r.first_words = columns_first_words_new ();
  r.met = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  program->language = parser->language;
  program->name = test->name;
  program->doc = test->doc;
  r.base.objects = g_ptr_array_new ();
  r.base.object_names = g_hash_table_new (g_str_hash, g_str_equal);
  r.base.register_inits = g_ptr_array_new ();
  r.locations = g_array_new (FALSE, TRUE, sizeof (RspLocation));
  resolve_program (&r);
  g_ptr_array_unref (r.base.objects);
  g_hash_table_unref (r.base.object_names);
  g_ptr_array_unref (r.base.register_inits);
  g_array_unref (r.locations);
  g_hash_table_unref (r.first_words);
  g_hash_table_unref (r.met);
}
