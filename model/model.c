/* Models: finding and loading them, their axioms and names. */
#include "base/base.h"
#include "model/library.h"
#include "model/matrix.h"
#include "model/model.h"
#include "model/stage/stage.h"
#include "model/trace_op.h"
#include "model/type/type.h"
#include "parser/cat/cat.h"

#include <stdlib.h>
#include <string.h>

/* ---- Axiom kind ----------------------------------------------------------------------------- */

const RspAxiomForm *rsp_axiom_form (RspcheckAxiomKind kind) {
#define RSP_AXIOM_KIND(id, word, closed, reflexive, sets)                                          \
  static const RspAxiomForm form_##id = { word, closed, reflexive, sets };
#include "public/axiom_kinds.def"

  switch (kind) {
#define RSP_AXIOM_KIND(id, word, closed, reflexive, sets)                                          \
  case RSPCHECK_AXIOM_##id:                                                                        \
    return &form_##id;
#include "public/axiom_kinds.def"
  }
  g_assert_not_reached ();
}

gboolean rsp_axiom_form_holds (const RspAxiomForm *form, const RspMatrix *value) {
  if (form->closed)
    return rsp_relation_is_acyclic (value);
  return form->reflexive ? rsp_relation_is_irreflexive (value) : rsp_matrix_is_empty (value);
}

/* ---- Axioms --------------------------------------------------------------------------------- */

char *model_text_of (RspSpan span) {
  GString *text = g_string_new (NULL);
  rsp_span_append (span, text);
  return g_strchomp (g_string_free (text, FALSE));
}

typedef struct Collecting {
  const RspModel *model;
  GArray *axioms;
} Collecting;

static gboolean collect_axiom (gpointer data, const RspCatStatement *statement) {
  if (statement->kind == RSP_CAT_STMT_AXIOM) {
    GArray *axioms = ((const Collecting *) data)->axioms;
    RspModelAxiom axiom = {
      .id = statement->name ? g_strdup (statement->name) : rsp_model_place (statement->span),
      .flag = statement->role == RSPCHECK_ROLE_FLAG               ? statement->name
              : statement->role != RSPCHECK_ROLE_UNDEFINED_UNLESS ? NULL
              : statement->name                                   ? statement->name
                                                                  : RSP_UNNAMED_UNDEFINED,
      .kind = statement->axiom,
      .role = statement->role,
      .negated = statement->negated,
      .expression = model_text_of (statement->expr->span),
      .file = g_strdup (statement->span.source->name),
      .line = rsp_span_line (statement->span),
    };
    g_array_append_val (axioms, axiom);
  }
  return TRUE;
}

/* FALSE for a branch that is known to be skipped. */
static gboolean may_be_taken (gpointer data, const RspCatStatement *statement, guint number) {
  if (statement->kind != RSP_CAT_STMT_IF)
    return TRUE;
  RspTruth truth
      = model_condition (((const Collecting *) data)->model, statement->condition, NULL, NULL);
  return truth != (number == 0 ? RSP_FAILS : RSP_HOLDS);
}

static void clear (gpointer data) {
  RspModelAxiom *axiom = data;
  g_free (axiom->id);
  g_free (axiom->expression);
  g_free (axiom->file);
}

GArray *rsp_model_axioms (const RspModel *model) {
  GArray *axioms = g_array_new (FALSE, FALSE, sizeof (RspModelAxiom));
  g_array_set_clear_func (axioms, clear);
  Collecting collecting = { model, axioms };
  rsp_cat_visit (&(RspCatVisitor){ .statement = collect_axiom, .enter_branch = may_be_taken },
                 &collecting, model->statements);
  return axioms;
}

static gboolean take_flag_as_undefined (gpointer data, const RspCatStatement *statement) {
  RspCatStatement *own = (RspCatStatement *) statement;
  (void) data;
  if (own->kind == RSP_CAT_STMT_AXIOM && own->role == RSPCHECK_ROLE_FLAG) {
    own->role = RSPCHECK_ROLE_UNDEFINED_UNLESS;
    own->negated = !own->negated; /* a flag is raised by what passes the axiom */
  }
  return TRUE;
}

void rsp_model_take_flags_as_undefined (RspModel *model) {
  rsp_cat_visit (&(RspCatVisitor){ .statement = take_flag_as_undefined }, NULL, model->statements);
}

/* ---- Condition ------------------------------------------------------------------------------ */

gboolean rsp_model_has_variant (const RspModel *model, const char *variant) {
  return g_strv_contains ((const char *const *) model->variants, variant);
}

RspTruth model_condition (const RspModel *model, const RspCatCondition *condition,
                          ModelCompare *compare, gpointer data) {
  RspTruth c;
  switch (condition->kind) {
  case RSP_CAT_COND_VARIANT:
    return rsp_truth (rsp_model_has_variant (model, condition->variant));
  case RSP_CAT_COND_NOT:
    return rsp_truth_not (model_condition (model, condition->c, compare, data));
  case RSP_CAT_COND_AND:
    c = model_condition (model, condition->c, compare, data);
    return c == RSP_FAILS ? c
                          : rsp_truth_and (c, model_condition (model, condition->d, compare, data));
  case RSP_CAT_COND_OR:
    c = model_condition (model, condition->c, compare, data);
    return c == RSP_HOLDS ? c
                          : rsp_truth_or (c, model_condition (model, condition->d, compare, data));
  default:
    return compare ? compare (condition, data) : RSP_OPEN;
  }
}

/* ---- Words ---------------------------------------------------------------------------------- */

gboolean rsp_base_defines (const char *name) {
  static const char *const names[] = {
#define RSP_BASE_SET(id, name, meaning)                 name,
#define RSP_BASE_RELATION(id, name, meaning)            name,
#define RSP_BASE_DERIVED(id, kind, name, meaning)       name,
#define RSP_BASE_ALIAS(name, other)                     name,
#define RSP_BASE_LITERAL(id, name, meaning)             name,
#define RSP_BASE_FOREIGN(name)                          name,
#define RSP_BASE_FUNCTION(id, name, signature, meaning) name,
#include "model/base_names.def"
    NULL
  };
  return g_strv_contains (names, name);
}

guint rsp_model_word (const RspModel *model, const char *name) {
  guint i = 0;
  while (i < model->words->len
         && strcmp (g_array_index (model->words, RspModelWord, i).name, name) != 0)
    i++;
  return i;
}

/* The name of a word, or of an enum, which stands for its words. */
static void add_words (RspModel *model, const RspCatStatement *first, const char *name,
                       guint places) {
  GArray *words = model->words;
  for (const RspCatStatement *at = first; at; at = at->next) {
    gboolean is_kind = at->kind == RSP_CAT_STMT_ENUM && strcmp (at->name, name) == 0;
    for (guint i = 0; at->kind == RSP_CAT_STMT_ENUM && at->names[i]; i++) {
      if (!is_kind && strcmp (at->names[i], name) != 0)
        continue;
      guint number = rsp_model_word (model, at->names[i]);
      if (rsp_base_defines (at->names[i]) || number == RSP_MAX_WORDS)
        continue;
      if (number == words->len)
        g_array_append_vals (words, &(RspModelWord){ .name = at->names[i] }, 1);
      RspModelWord *word = &g_array_index (words, RspModelWord, number);
      word->kind = at->name;
      word->places |= places;
      word->own |= first != model->prelude;
    }
    add_words (model, at->included, name, places);
  }
}

static guint places_of (const char *instructions) {
  static const struct {
    const char *name;
    guint places;
  } all[] = { { "R", RSP_WORD_READ },
              { "W", RSP_WORD_WRITE },
              { "RMW", RSP_WORD_RMW },
              { "M", RSP_WORD_READ | RSP_WORD_WRITE | RSP_WORD_RMW },
              { "F", RSP_WORD_FENCE } };
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (strcmp (all[i].name, instructions) == 0)
      return all[i].places;
  return 0;
}

static void read_instructions (RspModel *model, const RspCatStatement *first,
                               const RspCatStatement *statements) {
  for (const RspCatStatement *at = statements; at; at = at->next) {
    guint places = at->kind == RSP_CAT_STMT_INSTRUCTIONS ? places_of (at->name) : 0;
    for (guint i = 0; places && at->names[i]; i++)
      add_words (model, first, at->names[i], places);
    read_instructions (model, first, at->included);
  }
}

/* ---- Levels ---- */
/* herd's bell: what `enum scopes` declares beside the language's own scopes is a level, whose place
 * `narrower` and `wider` say. */
typedef struct Levels {
  const RspCatStatement *first, *scopes; /* the model's; the enum */
} Levels;

/* The level of a tag of a language, which may be RSP_LEVEL_THREAD or …SYSTEM; FALSE: of none.
 * Clusters, which not all languages have, are what the model makes of them. */
static gboolean level_of_tag (const char *tag, guint *level) {
  static const char *const tags[][2] = {
#define TAG(tag, events, scope) { tag, scope },
#include "model/tags.def"
  };
  gsize i = 0;
  while (i < G_N_ELEMENTS (tags) && (!tags[i][1] || strcmp (tags[i][0], tag) != 0))
    i++;
  guint k = 0;
  while (i == G_N_ELEMENTS (tags) && k < RSP_N_LANGUAGE_LEVELS
         && strcmp (rsp_language_levels[k].word, tag) != 0)
    k++;
  if (k == RSP_N_LANGUAGE_LEVELS || strcmp (tag, "cluster") == 0)
    return FALSE;
  if (i == G_N_ELEMENTS (tags)) {
    *level = rsp_language_levels[k].level;
    return TRUE;
  }
  *level = strcmp (tags[i][1], "unv") == 0 ? RSP_LEVEL_SYSTEM : 0;
  while (*level < RSP_N_LEVELS && strcmp (rsp_levels[*level].short_word, tags[i][1]) != 0)
    ++*level;
  return TRUE;
}

/* Is the tag the expression, or one of its set? */
static gboolean names_tag (const RspCatExpr *expr, const char *tag) {
  gboolean found = expr->kind == RSP_CAT_TAG && strcmp (expr->name, tag) == 0;
  for (guint i = 0; expr->kind == RSP_CAT_SET && i < expr->n_items; i++)
    found |= names_tag (expr->items[i], tag);
  return found;
}

/* Does the function of this name take tag a to tag b? */
static gboolean takes (const RspCatStatement *at, const char *name, const char *a, const char *b) {
  gboolean found = FALSE;
  for (; at; at = at->next) {
    for (const RspCatBinding *f = at->bindings; f && at->kind == RSP_CAT_STMT_LET; f = f->next) {
      const RspCatExpr *body = g_strcmp0 (f->pattern->name, name) == 0 ? f->value : NULL;
      body = body && body->kind == RSP_CAT_FUN ? body->a : body;
      const RspCatClause *clause = body && body->kind == RSP_CAT_MATCH ? body->clauses : NULL;
      for (; clause; clause = clause->next)
        found |= clause->kind == RSP_CAT_CLAUSE_TAG && strcmp (clause->names[0], a) == 0
                 && names_tag (clause->body, b);
    }
    found |= takes (at->included, name, a, b);
  }
  return found;
}

static gboolean is_narrower (const Levels *levels, const char *a, const char *b) {
  return takes (levels->first, "narrower", b, a) || takes (levels->first, "wider", a, b);
}

/* The outermost own level inside what is wider than the tag; its end, *to: what is narrower. FALSE:
 * the model says neither. depth: of tags that stand for each other. */
static gboolean find_place (const Levels *levels, const char *tag, guint depth, guint *level,
                            guint *to) {
  const char **all = levels->scopes->names;
  gboolean placed = FALSE;
  *level = 0;
  *to = RSP_N_LEVELS;
  for (guint i = 0; all[i] && depth < g_strv_length ((char **) all); i++) {
    gboolean wider = is_narrower (levels, tag, all[i]);
    guint other, end;
    if ((!wider && !is_narrower (levels, all[i], tag))
        || (!level_of_tag (all[i], &other)
            && !find_place (levels, all[i], depth + 1, &other, &end)))
      continue;
    placed = TRUE;
    if (!wider)
      *to = MIN (*to, other == RSP_LEVEL_SYSTEM ? 0 : other);
    else if (other != RSP_LEVEL_SYSTEM)
      *level = MAX (*level, other + 1);
  }
  while (*level < RSP_N_LEVELS && !rsp_levels[*level].own)
    ++*level;
  return placed;
}

static void read_levels (RspModel *model, const RspCatStatement *first, const RspCatStatement *at,
                         RspDiagnostics *diagnostics) {
  for (; at; at = at->next) {
    Levels levels = { first, at };
    gboolean is_scopes = at->kind == RSP_CAT_STMT_ENUM && strcmp (at->name, "scopes") == 0;
    for (guint i = 0, level, to; is_scopes && at->names[i]; i++) {
      const char *name = at->names[i];
      if (level_of_tag (name, &level) || !find_place (&levels, name, 0, &level, &to))
        continue;
      guint places = level < to && level < RSP_N_LEVELS ? rsp_levels[level].own : 0, k = 0;
      guint number = rsp_model_word (model, name);
      while (k < model->words->len
             && (k == number || g_array_index (model->words, RspModelWord, k).places != places))
        k++;
      if (!places || k < model->words->len || number == RSP_MAX_WORDS) {
        rsp_error (diagnostics, at->span,
                   "each level of a model is within the device, and one between two of the others",
                   "there is no room for the level '%s in the scope tree", name);
        continue;
      }
      if (number == model->words->len)
        g_array_set_size (model->words, number + 1);
      g_array_index (model->words, RspModelWord, number)
          = (RspModelWord){ .name = name,
                            .kind = at->name,
                            .places = places,
                            .scope = rsp_arena_printf (model->arena, RSP_OWN_SCOPE "%s", name) };
    }
    read_levels (model, first, at->included, diagnostics);
  }
}

guint rsp_model_level (const RspModel *model, guint word) {
  guint level = 0, places = word < model->words->len
                                ? g_array_index (model->words, RspModelWord, word).places
                                : 0;
  while (level < RSP_N_LEVELS && !(rsp_levels[level].own & places))
    level++;
  return level;
}

const RspModelWord *rsp_model_word_of_level (const RspModel *model, guint level) {
  for (guint i = 0; i < model->words->len; i++)
    if (rsp_model_level (model, i) == level)
      return &g_array_index (model->words, RspModelWord, i);
  return NULL;
}

gboolean rsp_models_share_words (RspModel *const *models, guint n, RspDiagnostics *diagnostics) {
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (RspModelWord));
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < models[i]->words->len; k++) {
      const RspModelWord *word = &g_array_index (models[i]->words, RspModelWord, k);
      guint at = 0, level = rsp_model_level (models[i], k);
      while (at < all->len && strcmp (g_array_index (all, RspModelWord, at).name, word->name) != 0)
        at++;
      if (at == all->len)
        g_array_append_vals (all, word, 1);
      RspModelWord *shared = &g_array_index (all, RspModelWord, at);
      if (!shared->scope != !word->scope || (word->scope && shared->places != word->places)) {
        rsp_error (diagnostics, RSP_NOWHERE, NULL,
                   "`%s` is not the same in both models: a level of the scope tree has one place",
                   word->name);
        return FALSE;
      }
      shared->places |= word->places;
      for (guint other = 0; level < RSP_N_LEVELS && other < at; other++)
        if (g_array_index (all, RspModelWord, other).places == word->places) {
          rsp_error (diagnostics, RSP_NOWHERE, NULL,
                     "a model has the level %s where another has the level %s", word->name,
                     g_array_index (all, RspModelWord, other).name);
          return FALSE;
        }
    }
  if (all->len > RSP_MAX_WORDS) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "the models have %u words together: at most %d",
               all->len, RSP_MAX_WORDS);
    return FALSE;
  }
  for (guint i = 0; i < n; i++) {
    g_array_set_size (models[i]->words, 0);
    g_array_append_vals (models[i]->words, all->data, all->len);
  }
  return TRUE;
}

char *rsp_word_places_format (guint places) {
  static const char *const names[] = { "loads",
                                       "stores",
                                       "read-modify-writes",
                                       "fences",
                                       "levels in kernels",
                                       "levels in work-groups",
                                       "levels in sub-groups" };
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (places >> i & 1)
      g_string_append_printf (text, "%s%s",
                              !text->len          ? ""
                              : places >> (i + 1) ? ", "
                                                  : " and ",
                              names[i]);
  return g_string_free (text, FALSE);
}

/* The names of the models in the folder, sorted. */
static GPtrArray *list_models (const char *path) {
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);
  for (const char *file; folder && (file = g_dir_read_name (folder));)
    if (g_str_has_suffix (file, ".cat"))
      g_ptr_array_add (files, g_strdup (file));
  g_ptr_array_sort (files, rsp_compare_names);
  return files;
}

char *rsp_model_word_hint (const RspModel *model, const char *word, guint places) {
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < model->words->len; i++)
    g_ptr_array_add (names, (gpointer) g_array_index (model->words, RspModelWord, i).name);
  g_ptr_array_add (names, NULL);
  char *hint = rsp_model_word (model, word) == model->words->len
                   ? rsp_did_you_mean (word, (const char *const *) names->pdata)
                   : NULL;
  g_autofree char *own = g_path_get_dirname (model->path);
  g_autoptr (GPtrArray) folders = g_ptr_array_new ();
  g_ptr_array_add (folders, own);
  for (guint i = 0; model->directories && model->directories[i]; i++)
    g_ptr_array_add (folders, model->directories[i]);
  for (guint i = 0; i < folders->len && !hint && !rsp_source_is_confined (); i++) {
    g_autoptr (GPtrArray) files = list_models (folders->pdata[i]);
    for (guint k = 0; k < files->len && !hint; k++) {
      g_autofree char *path = g_build_filename (folders->pdata[i], files->pdata[k], NULL);
      g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
      g_autoptr (RspModel) other
          = rsp_model_read (path, (const char *const *) model->directories, NULL, NULL, unheard);
      guint number = other ? rsp_model_word (other, word) : 0;
      if (other && number < other->words->len
          && (g_array_index (other->words, RspModelWord, number).places & places))
        hint = g_strdup_printf ("`%s` has it", (const char *) files->pdata[k]);
    }
  }
  return hint;
}

/* Of files in one folder. */
static gboolean includes (const RspModel *model, const RspModel *part) {
  g_autofree char *name = g_path_get_basename (part->path);
  gboolean found = FALSE;
  for (guint i = 1; model && i < model->sources->len; i++) {
    g_autofree char *own
        = g_path_get_basename (((const RspSource *) model->sources->pdata[i])->name);
    found |= g_str_equal (own, name);
  }
  return found;
}

char *rsp_model_whole_hint (const RspModel *part) {
  enum { MOST_NAMED = 4 };
  g_autofree char *folder = g_path_get_dirname (part->path);
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  g_autoptr (GPtrArray) files
      = rsp_source_is_confined () ? g_ptr_array_new () : list_models (folder),
      models = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_model_free);
  for (guint i = 0; i < files->len; i++) {
    g_autofree char *path = g_build_filename (folder, files->pdata[i], NULL);
    RspModel *model
        = rsp_model_read (path, (const char *const *) part->directories, NULL, NULL, unheard);
    if (includes (model, part))
      g_ptr_array_add (models, model);
    else
      rsp_model_free (model);
  }
  guint n = 0;
  GString *hint = g_string_new (NULL);
  for (guint i = 0; i < models->len; i++) {
    gboolean is_part = FALSE;
    for (guint k = 0; k < models->len; k++)
      is_part |= includes (models->pdata[k], models->pdata[i]);
    g_autofree char *name = g_path_get_basename (((const RspModel *) models->pdata[i])->path);
    if (!is_part && n++ < MOST_NAMED)
      g_string_append_printf (hint, "%s`%s`", n > 1 ? ", " : "this file is a part of ", name);
  }
  g_string_append (hint, n > MOST_NAMED ? ", …" : "");
  return g_string_free (hint, n == 0);
}

/* ---- Find ----------------------------------------------------------------------------------- */

/* Finds the files of models. */

/* A hint for a missing file: "did you mean `…`?", or where it was searched for. Free with
 * g_free. */
static char *load_hint (const char *path, const char *folder, const char *const *directories) {
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *parent = g_path_get_dirname (path);
  g_autofree char *directory = folder && !g_path_is_absolute (path)
                                   ? g_build_filename (folder, parent, NULL)
                                   : g_strdup (parent);
  g_autoptr (GPtrArray) folders = g_ptr_array_new ();
  g_ptr_array_add (folders, directory);
  for (guint i = 0; directories && directories[i]; i++)
    g_ptr_array_add (folders, (gpointer) directories[i]);
  g_ptr_array_add (folders, NULL);
  char *near = rsp_near_file_hint (name, (const char *const *) folders->pdata, ".cat");
  if (near || g_path_is_absolute (path))
    return near;
  GString *hint = g_string_new ("looked in ");
  g_string_append (hint, folder ? folder : ".");
  for (guint i = 0; directories && directories[i]; i++)
    g_string_append_printf (hint, ", %s", directories[i]);
  return g_string_free (hint, FALSE);
}

/* The text of a file that is built into the program; else NULL. */
static const char *load_builtin (const char *path) {
  for (const LibraryFile *file = library_files; file->name; file++)
    if (strcmp (path, file->name) == 0)
      return file->text;
  return NULL;
}

/* ---- Language ------------------------------------------------------------------------------- */

/* The names that a language has. */

enum {
#define RSP_LANGUAGE(id, ...) id = 1u << RSP_LANGUAGE_##id,
#include "parser/languages.def"
};

static const struct {
  const char *name;
  guint languages;
} only[] = {
#define RSP_BASE_ONLY(name, languages) { name, languages },
#include "model/base_names.def"
};

const char *rsp_base_name (const char *name) {
  static const char *const aliases[][2] = {
#define RSP_BASE_ALIAS(name, other) { name, other },
#include "model/base_names.def"
  };
  for (gsize i = 0; i < G_N_ELEMENTS (aliases); i++)
    if (strcmp (aliases[i][0], name) == 0)
      return aliases[i][1];
  return name;
}

guint model_languages_of (const char *name) {
  for (gsize i = 0; i < G_N_ELEMENTS (only); i++)
    if (strcmp (only[i].name, name) == 0)
      return only[i].languages;
  const char *own = rsp_base_name (name);
  return own == name ? G_MAXUINT : model_languages_of (own);
}

/* "a name of PTX and Vulkan tests"; newly allocated. */
static char *hint (guint languages) {
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  for (guint i = 0; i < RSP_N_LANGUAGES; i++)
    if (languages >> i & 1)
      g_ptr_array_add (words, (gpointer) rsp_languages[i].word);
  g_ptr_array_add (words, NULL);
  g_autofree char *list = g_strjoinv (" and ", (char **) words->pdata);
  return g_strdup_printf ("it is a name of %s tests", list);
}

/* The span of RspModel.processor: the first word of the head, as herd7 takes it: all of a string,
 * or the first of several words. */
static RspSpan model_processor (const RspCatFile *file) {
  static const char *const processors[] = { "AArch64", "ARM", "ASL",   "BPF", "JAVA",   "LISA",
                                            "MIPS",    "PPC", "RISCV", "X86", "X86_64", NULL };
  if (!file->name)
    return RSP_NOWHERE;
  RspSpan span = file->name_span;
  gboolean is_string = file->source->text[span.begin] == '"';
  g_autofree char *word
      = g_strndup (file->name, is_string ? strlen (file->name) : strcspn (file->name, " \t"));
  span.begin += is_string;
  span.end = span.begin + (guint) strlen (word);
  return g_strv_contains (processors, word) ? span : RSP_NOWHERE;
}

gboolean rsp_model_fits (const RspModel *model, const RspLanguage *language,
                         RspDiagnostics *diagnostics) {
  RspSpan word = model->processor;
  gboolean fits = !language || !word.source;
  if (!fits) /* as herd7 says it */
    rsp_error (diagnostics, word,
               "a model of its own that includes this one runs, with the processor's fences empty",
               "architecture mismatch between test and model (%s vs. %.*s)", language->word,
               (int) (word.end - word.begin), word.source->text + word.begin);
  const RspModelUse *first = NULL;
  guint n = 0;
  for (guint i = 0; language && i < model->uses->len; i++) {
    const RspModelUse *use = &g_array_index (model->uses, RspModelUse, i);
    if (use->languages >> language->id & 1)
      continue;
    first = first ? first : use;
    n++;
  }
  if (!first)
    return fits;
  g_autofree char *where = hint (first->languages);
  g_autofree char *others
      = n == 1 ? g_strdup ("") : g_strdup_printf (", the first of %u such names", n);
  rsp_error (diagnostics, first->span, where, "`%s` is not defined for %s tests%s", first->name,
             language->word, others);
  return FALSE;
}

gboolean rsp_model_is_for (const RspModel *model, const RspLanguage *language) {
  return !model->processor.source && (rsp_model_languages (model) >> language->id & 1);
}

guint rsp_model_languages (const RspModel *model) {
  guint languages = (1u << RSP_N_LANGUAGES) - 1;
  for (guint i = 0; i < model->uses->len; i++)
    languages &= g_array_index (model->uses, RspModelUse, i).languages;
  return languages;
}

gboolean rsp_model_names (const RspModel *model, const char *name) {
  for (guint i = 0; i < model->uses->len; i++)
    if (g_str_equal (g_array_index (model->uses, RspModelUse, i).name, name))
      return TRUE;
  return FALSE;
}

gboolean model_uses_tags (const RspModel *model) {
  for (guint i = 0; i < model->uses->len; i++)
    if (!(g_array_index (model->uses, RspModelUse, i).languages & (OPENCL | C)))
      return TRUE;
  return FALSE;
}

/* ---- Names ---------------------------------------------------------------------------------- */

/* The names with which users switch parts of a model on or off: its axioms, and the variants that
 * it tests for. */

typedef struct Names {
  GPtrArray *axioms, *variants; /* of const char *; NULL: not collected */
  GHashTable *known[2];         /* the same as sets */
  gboolean plain;               /* collect only axioms that forbid executions */
  RspArena *arena;              /* of places; NULL: unnamed axioms are not collected */
  gboolean undefined, flags;    /* has there been an undefined_unless or requires? a flag? */
} Names;

static void names_add (const Names *names, GPtrArray *list, const char *name) {
  if (name && list && g_hash_table_add (names->known[list == names->variants], (gpointer) name))
    g_ptr_array_add (list, (gpointer) name);
}

static void add_variant (gpointer data, const RspCatCondition *condition) {
  if (condition->kind == RSP_CAT_COND_VARIANT)
    names_add (data, ((const Names *) data)->variants, condition->variant);
}

char *rsp_model_place (RspSpan span) {
  g_autofree char *file = span.source ? g_path_get_basename (span.source->name) : NULL;
  return g_strdup_printf ("line %u of %s", rsp_span_line (span), file ? file : "?");
}

/* An include in a branch that is not taken has no statements, since it is not read. */
static gboolean add_names (gpointer data, const RspCatStatement *statement) {
  Names *names = data;
  if (statement->kind == RSP_CAT_STMT_CALL && statement->names)
    names_add (names, names->axioms, statement->names[0]);
  if (statement->kind != RSP_CAT_STMT_AXIOM)
    return TRUE;
  names->undefined |= statement->role == RSPCHECK_ROLE_UNDEFINED_UNLESS;
  names->flags |= statement->role == RSPCHECK_ROLE_FLAG;
  g_autofree char *place = rsp_model_place (statement->span);
  if (names->plain && statement->role != RSPCHECK_ROLE_AXIOM)
    return TRUE;
  if (statement->name)
    names_add (names, names->axioms, statement->name);
  else if (names->arena)
    names_add (names, names->axioms, rsp_arena_strdup (names->arena, place));
  return TRUE;
}

static void collect_names (const RspModel *model, Names *names) {
  const GPtrArray *lists[] = { names->axioms, names->variants };
  for (guint i = 0; i < 2; i++) {
    names->known[i] = g_hash_table_new (g_str_hash, g_str_equal);
    for (guint k = 0; lists[i] && k < lists[i]->len; k++)
      g_hash_table_add (names->known[i], lists[i]->pdata[k]);
  }
  rsp_cat_visit (&(RspCatVisitor){ .statement = add_names, .condition = add_variant }, names,
                 model->statements);
  g_hash_table_unref (names->known[0]);
  g_hash_table_unref (names->known[1]);
}

void rsp_model_collect_names (const RspModel *model, GPtrArray *axioms, GPtrArray *variants) {
  Names names = { .axioms = axioms, .variants = variants, .arena = model->arena };
  collect_names (model, &names);
}

void rsp_model_collect_plain_axioms (const RspModel *model, GPtrArray *axioms) {
  Names names = { .axioms = axioms, .plain = TRUE, .arena = model->arena };
  collect_names (model, &names);
}

gboolean rsp_model_has_undefined (const RspModel *model, gboolean flags) {
  g_autoptr (GPtrArray) axioms = g_ptr_array_new ();
  g_autoptr (GPtrArray) variants = g_ptr_array_new ();
  Names names = { .axioms = axioms, .variants = variants };
  collect_names (model, &names);
  return names.undefined || (flags && names.flags);
}

/* ---- Load ----------------------------------------------------------------------------------- */

/* Loading a model: the file, what it includes, its types. */

enum {
  MAX_FILES = 1000 /* files per model: nested includes grow fast */
};

static RspCatStatement *load_file (Loader *loader, const char *path, RspSpan from);

/* The file that precedes every model; a user's file of that name is a different one. */
#define PRELUDE "library.cat"

/* ---- Includes ---- */
char *rsp_model_resolve (const char *path) {
  char *resolved = realpath (path, NULL);
  char *copy = g_strdup (resolved ? resolved : path);
  free (resolved);
  return copy;
}

/* The statements of a file that is built into the program, which includes no others. */
static RspCatStatement *load_builtin_file (Loader *loader, const char *name, const char *text) {
  RspSource *source = rsp_source_new (name, g_strdup (text), strlen (text));
  g_ptr_array_add (loader->model->sources, source);
  RspCatFile *file = rsp_cat_parse (source, loader->model->arena, loader->diagnostics);
  return file ? file->statements : NULL;
}

static gboolean follow_include (Loader *loader, RspCatStatement *include) {
  const char *text = load_builtin (include->path);
  const gboolean is_built_in = text && strcmp (include->path, PRELUDE) != 0;
  g_autofree char *folder = g_path_get_dirname (include->span.source->name);
  g_autofree char *path
      = rsp_find_file (include->path, folder, is_built_in ? NULL : loader->directories, ".cat");
  g_autofree char *resolved = path ? rsp_model_resolve (path) : NULL;
  const guint n = loader->open->len;
  if (text && (!path || strcmp (loader->open->pdata[n - 1], resolved) == 0)) {
    g_checksum_update (loader->digest, (const guchar *) text, -1);
    include->included = load_builtin_file (loader, include->path, text);
    return TRUE;
  }
  if (!path) {
    g_autofree char *hint = load_hint (include->path, folder, loader->directories);
    rsp_error (loader->diagnostics, include->name_span, hint, "cannot find the file `%s`",
               include->path);
    return FALSE;
  }
  for (guint i = 0; i < n; i++)
    if (strcmp (loader->open->pdata[i], resolved) == 0) {
      if (strcmp (loader->open->pdata[n - 1], resolved) == 0)
        rsp_error (loader->diagnostics, include->name_span, NULL, "`%s` includes itself",
                   include->path);
      else
        rsp_error (loader->diagnostics, include->name_span, NULL,
                   "`%s` includes itself by way of this file", include->path);
      return FALSE;
    }
  guint errors = rsp_diagnostics_count_errors (loader->diagnostics);
  include->included = load_file (loader, path, include->name_span);
  return rsp_diagnostics_count_errors (loader->diagnostics) == errors;
}

/* Follows the includes in a list of statements and in those nested in them, except what variants
 * leave out. Stops at the first error. */
static gboolean follow_includes (Loader *loader, RspCatStatement *statement) {
  for (; statement; statement = statement->next) {
    RspTruth truth = statement->kind == RSP_CAT_STMT_IF
                         ? model_condition (loader->model, statement->condition, NULL, NULL)
                         : RSP_OPEN;
    if (statement->kind == RSP_CAT_STMT_INCLUDE && !follow_include (loader, statement))
      return FALSE;
    if (truth != RSP_FAILS && !follow_includes (loader, statement->body))
      return FALSE;
    if (truth != RSP_HOLDS && !follow_includes (loader, statement->otherwise))
      return FALSE;
    for (RspCatClause *clause = statement->clauses; clause; clause = clause->next)
      if (!follow_includes (loader, clause->statements))
        return FALSE;
  }
  return TRUE;
}

/* ---- Files ---- */
/* Reads and parses a file and all it includes. from: the span of the include statement, for errors
 * in reading; it has no source for the model itself. NULL for an empty file too, so check
 * diagnostics for errors. */
static RspCatStatement *load_file (Loader *loader, const char *path, RspSpan from) {
  RspModel *model = loader->model;
  if (++loader->n_files > MAX_FILES) {
    rsp_error (loader->diagnostics, from, NULL, "the model includes more than %d files", MAX_FILES);
    return NULL;
  }
  g_autofree char *resolved = rsp_model_resolve (path);
  RspSource *text = loader->texts ? g_hash_table_lookup (loader->texts, resolved) : NULL;
  RspSource *source
      = text ? rsp_source_ref (text) : rsp_source_load (path, from, loader->diagnostics);
  if (!source)
    return NULL;
  g_ptr_array_add (model->sources, source);
  g_checksum_update (loader->digest, (const guchar *) source->text, (gssize) source->length);
  RspCatFile *file = rsp_cat_parse (source, model->arena, loader->diagnostics);
  if (!file)
    return NULL;
  for (guint i = 0; file->options[i]; i++)
    if (strcmp (file->options[i], "withsc") == 0)
      model->with_sc = TRUE;
    else if (strcmp (file->options[i], "withco") == 0)
      model->sees_co = TRUE;
    else if (strcmp (file->options[i], "withwidebarriers") == 0)
      model->wide_barriers = TRUE;
  if (loader->open->len == 0) {
    model->name = g_strdup (file->name);
    model->processor = model_processor (file);
  }
  g_ptr_array_add (loader->open, g_steal_pointer (&resolved));
  follow_includes (loader, file->statements);
  g_ptr_array_set_size (loader->open, (int) loader->open->len - 1);
  return file->statements;
}

/* ---- Models ---- */
void rsp_model_free (RspModel *model) {
  if (!model)
    return;
  rsp_arena_free (model->arena);
  g_ptr_array_unref (model->sources);
  g_strfreev (model->variants);
  g_free (model->path);
  g_free (model->name);
  g_free (model->digest);
  if (model->uses)
    g_array_unref (model->uses);
  if (model->words)
    g_array_unref (model->words);
  g_strfreev (model->directories);
  if (model->plain_axioms)
    g_ptr_array_unref (model->plain_axioms);
  template_slot_free (model->template);
  g_free (model);
}

static char *find_model (const char *path, const char *const *directories,
                         RspDiagnostics *diagnostics) {
  if (strcmp (path, "-") == 0)
    return g_strdup (path);
  char *found = rsp_find_file (path, NULL, directories, ".cat");
  if (found)
    return found;
  g_autofree char *hint = load_hint (path, NULL, directories);
  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s: is a directory, not a model", path);
  else
    rsp_error (diagnostics, RSP_NOWHERE, hint, "cannot find the model `%s`", path);
  return NULL;
}

RspModel *rsp_model_read (const char *path, const char *const *directories, GHashTable *texts,
                          const char *const *variants, RspDiagnostics *diagnostics) {
  gboolean is_text = texts && g_hash_table_contains (texts, path);
  char *found = is_text ? g_strdup (path) : find_model (path, directories, diagnostics);
  if (!found)
    return NULL;
  static const char *const no_variants[] = { NULL };
  RspModel *model = g_new0 (RspModel, 1);
  model->arena = rsp_arena_new ();
  model->template = template_slot_new ();
  model->path = found;
  model->sources = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_source_unref);
  model->variants = g_strdupv ((char **) (variants ? variants : no_variants));
  Loader loader = { .model = model,
                    .directories = directories,
                    .texts = texts,
                    .diagnostics = diagnostics,
                    .digest = g_checksum_new (G_CHECKSUM_SHA256),
                    .open = g_ptr_array_new_with_free_func (g_free) };
  model->statements = load_file (&loader, found, (RspSpan){ NULL, 0, 0 });
  model->directories = g_strdupv ((char **) directories);
  model->digest = g_strdup (g_checksum_get_string (loader.digest));
  model->prelude = load_builtin_file (&loader, PRELUDE, load_builtin (PRELUDE));
  model->words = g_array_new (FALSE, FALSE, sizeof (RspModelWord));
  read_instructions (model, model->statements, model->statements);
  read_levels (model, model->statements, model->statements, diagnostics);
  guint n = model->words->len;
  read_instructions (model, model->prelude, model->prelude);
  for (guint i = 0; i < n; i++) /* the model's declaration counts */
    g_array_index (model->words, RspModelWord, i).own = TRUE;
  g_checksum_free (loader.digest);
  g_ptr_array_unref (loader.open);
  if (!model->name) {
    g_autofree char *file = g_path_get_basename (found);
    model->name = rsp_name_stem (file, ".cat");
  }
  return model;
}

RspModel *rsp_model_load_with (const char *path, const char *const *directories, GHashTable *texts,
                               const char *const *variants, RspDiagnostics *diagnostics) {
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  RspModel *model = rsp_model_read (path, directories, texts, variants, diagnostics);
  if (model && rsp_diagnostics_count_errors (diagnostics) == errors
      && rsp_model_check_types (model, diagnostics)) {
    model->plain_axioms = g_ptr_array_new ();
    rsp_model_collect_plain_axioms (model, model->plain_axioms);
    return model;
  }
  g_autofree char *whole = model ? rsp_model_whole_hint (model) : NULL;
  if (whole)
    rsp_note (diagnostics, RSP_NOWHERE, "%s: %s", model->path, whole);
  rsp_model_free (model);
  return NULL;
}

RspModel *rsp_model_load (const char *path, const char *const *directories,
                          const char *const *variants, RspDiagnostics *diagnostics) {
  return rsp_model_load_with (path, directories, NULL, variants, diagnostics);
}

/* ---- Trace op ------------------------------------------------------------------------------- */

const RspTraceSpelling rsp_trace_spellings[RSP_N_TRACE_OPS] = {
#define RSP_TRACE_OP(id, as, arity, binding, before, between, after, meaning)                      \
  { as, before, between, after, arity, binding },
#include "model/trace_ops.def"
};

const char *rsp_trace_op_name (RspTraceOp op) { return rsp_trace_spellings[op].name; }

guint rsp_trace_op_arity (RspTraceOp op) { return rsp_trace_spellings[op].arity; }
