/* The places at which a test can be edited. */
#include "parser/columns/columns.h"
#include "parser/litmus/litmus.h"
#include "parser/program.h"
#include "extra/edits/internal.h"

#include <string.h>

/* ---- Kernel sites --------------------------------------------------------------------------- */

/* The sites of a kernel. They are found in the preprocessor's output, which has the lines of the
 * kernel's own text, and once per work-item. */

static guint begin_of_line (const RspSource *source, guint line) {
  return line < source->n_lines ? source->lines[line] : (guint) source->length;
}

/* Skips blanks and comments on one line; the preprocessor turns comments into blanks. */
static const char *skip_blanks (const char *at, const char *end) {
  while (at < end && *at != '\n' && (g_ascii_isspace (*at) || g_str_has_prefix (at, "/*"))) {
    const char *closing = *at == '/' ? strstr (at, "*/") : NULL;
    at = closing ? closing + 2 : at + 1;
  }
  return at;
}

/* Turns an offset in the preprocessor's output into one in the kernel's text, after the same
 * characters of the line except blanks. FALSE if the lines differ before it. */
static gboolean find_in_file (const RspSource *output, const RspSource *file, guint *offset) {
  guint line, column;
  rsp_source_position (output, *offset, &line, &column);
  const char *a = output->text + begin_of_line (output, line - 1), *end = output->text + *offset;
  const char *b = file->text + begin_of_line (file, line - 1),
             *last = file->text + begin_of_line (file, line);
  for (;; a++, b++) {
    a = skip_blanks (a, end);
    b = skip_blanks (b, last);
    if (a == end)
      break;
    if (b >= last || *a != *b)
      return FALSE;
  }
  *offset = (guint) (b - file->text);
  return TRUE;
}

/* Moves the site's pieces to the kernel's text. FALSE if a piece replaces something else there. */
static gboolean move_site (const RspKernel *kernel, SynthSite *site) {
  const RspSource *output = kernel->program->source, *file = kernel->file;
  for (guint i = 0; i < site->n_levels; i++) {
    GArray *pieces = site->levels[i].pieces;
    for (guint k = 0; pieces && k < pieces->len; k++) {
      SynthPiece *piece = &g_array_index (pieces, SynthPiece, k);
      guint length = piece->end - piece->begin, begin = piece->begin;
      if (!find_in_file (output, file, &begin) || begin + length > file->length
          || strncmp (output->text + piece->begin, file->text + begin, length) != 0)
        return FALSE;
      piece->begin = begin;
      piece->end = begin + length;
    }
  }
  return TRUE;
}

static int by_place (gconstpointer a, gconstpointer b) {
  const SynthSite *x = *(SynthSite *const *) a, *y = *(SynthSite *const *) b;
  if (x->line != y->line)
    return x->line < y->line ? -1 : 1;
  if (x->column != y->column)
    return x->column < y->column ? -1 : 1;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  return strcmp (x->what, y->what);
}

GPtrArray *rsp_synth_kernel_sites_find (const RspKernel *kernel, const RspModel *model) {
  GPtrArray *sites = rsp_synth_sites_find (kernel->program, model, SYNTH_STRONGER);
  g_ptr_array_sort (sites, by_place);
  for (guint i = sites->len; i-- > 0;) {
    gboolean again = i && by_place (&sites->pdata[i], &sites->pdata[i - 1]) == 0;
    if (again || !move_site (kernel, sites->pdata[i]))
      g_ptr_array_remove_index (sites, i);
  }
  return sites;
}

/* Is an edit that makes the test stronger, weaker or neither wanted? */
static gboolean may_edit (const Finding *f, gboolean stronger, gboolean weaker) {
  return f->direction == SYNTH_ANY || (f->direction == SYNTH_STRONGER ? stronger : weaker);
}

/* The last of the texts that are inserted at one place. */
enum { AFTER_SUFFIXES = 999 };

/* ---- Words of the model --------------------------------------------------------------------- */

/* A place for words of the model: an operation, at the end of its name, or an attribute. */
typedef struct Named {
  const char *name;
  guint begin, end;           /* in the text */
  guint places;               /* RspWordPlaces of it */
  guint32 words;              /* RspProgram.words */
  const char *before, *after; /* around a word: `_`, `.`, or `[[` and `]]` */
  gboolean full;              /* it says a word, and may say no other one */
} Named;

/* Is the word of that enum, and allowed there? C and columns have only those that the model itself
 * declares. */
static gboolean is_of_kind (const Finding *f, const RspModelWord *word, const char *kind,
                            const Named *named) {
  return (word->places & named->places) && strcmp (word->kind, kind) == 0
         && (f->opencl || word->own)
         && !(f->columns && rsp_columns_takes (f->columns, named->name, word->name));
}

/* The word with its mark within the name, or NULL. */
static const char *place_in_name (const Named *named, const char *word) {
  g_autofree char *text = g_strconcat (named->before, word, named->after, NULL);
  const char *at = named->name;
  gsize n = strlen (text);
  while ((at = strstr (at, text)) && at[n] && at[n] != '.')
    at++;
  return at;
}

/* The words of one enum that the model allows there: each is stronger than none, and none of them
 * than another. An operation keeps what an attribute says of it. */
static void find_words_of (Finding *f, const Named *named, const char *kind) {
  const char *own = "";
  guint begin = named->end, end = begin; /* where a word is, or would be */
  g_autoptr (GString) without = g_string_new ("without");
  for (guint i = 0; i < f->model->words->len; i++) {
    const RspModelWord *word = &g_array_index (f->model->words, RspModelWord, i);
    if (!is_of_kind (f, word, kind, named))
      continue;
    g_string_append_printf (without, "%s %s%s%s", without->str[7] ? "," : "", named->before,
                            word->name, named->after);
    if (named->words & rsp_words_bit (&f->program->words, word->name))
      own = word->name;
  }
  const char *at = *own ? place_in_name (named, own) : NULL;
  if (!without->str[7] || (*own ? !at : named->full))
    return;
  if (at) {
    begin = named->begin + (guint) (at - named->name);
    end = begin + (guint) (strlen (named->before) + strlen (own) + strlen (named->after));
  }
  SynthSite *site = new_site (f, SYNTH_EDIT_WORD, named->begin, named->name);
  site->sets = TRUE;
  SynthLevel *none = add_level (site, 0, without->str);
  if (*own && f->direction != SYNTH_STRONGER)
    add_piece (none, begin, end + (*named->after ? (guint) strspn (f->text + end, " ") : 0),
               AFTER_SUFFIXES, g_strdup (""));
  for (guint i = 0; i < f->model->words->len && site->n_levels < SYNTH_LEVELS; i++) {
    const RspModelWord *word = &g_array_index (f->model->words, RspModelWord, i);
    gboolean is_own = strcmp (own, word->name) == 0;
    if (!is_of_kind (f, word, kind, named) || !(is_own || may_edit (f, !*own, FALSE)))
      continue;
    g_autofree char *text = g_strconcat ("with ", named->before, word->name, named->after, NULL);
    SynthLevel *level = add_level (site, 1u << i, text);
    if (is_own)
      site->own = site->n_levels - 1;
    else
      add_piece (level, begin, end, AFTER_SUFFIXES,
                 g_strconcat (named->before, word->name, named->after, NULL));
  }
  keep_site (f, site);
}

/* One site per enum of words. */
static void find_words (Finding *f, const Named *named) {
  const GArray *words = f->model->words;
  for (guint i = 0; i < words->len; i++) {
    const char *kind = g_array_index (words, RspModelWord, i).kind;
    guint first = 0;
    while (strcmp (g_array_index (words, RspModelWord, first).kind, kind) != 0)
      first++;
    if (first == i)
      find_words_of (f, named, kind);
  }
}

/* ---- Columns -------------------------------------------------------------------------------- */

/* Sites of tests in columns: suffixes of instructions (strength, scope, semantics), existing
 * fences, and gaps between rows. */

enum { MOST_PARTS = 16 };

/* A suffix of an instruction, with its dot. */
typedef struct Part {
  const ColumnsSuffix *suffix;
  guint begin, end;
} Part;

typedef struct Instruction {
  const ColumnsForm *form;
  const ColumnsStrength *strength; /* NULL: not in the list */
  guint begin, end;                /* of its word in the text */
  char *word;
  Part parts[MOST_PARTS];
  guint n_parts;
} Instruction;

/* Facts about the whole test that edits need. */
typedef struct Columns {
  Finding *f;
  const ColumnsAlphabet *alphabet;
  ColumnsSuffix scopes[RSP_N_LEVELS + 5]; /* narrowest first; a NULL word ends them */
  const ColumnsSuffix *widest;            /* the widest useful scope */
  guint64 tags;                           /* of its accesses and aliases */
  guint classes;                          /* storage classes, 1 << value */
  gboolean newer;                         /* may words of newer versions be added? */
} Columns;

/* Kinds of suffixes, 1 << kind. */
enum {
  STRENGTH = 1u << COLUMNS_ORDER | 1u << COLUMNS_MARK | 1u << COLUMNS_AV | 1u << COLUMNS_VIS
             | 1u << COLUMNS_NOAV | 1u << COLUMNS_MMIO,
  SEMANTICS = 1u << COLUMNS_SEMANTICS | 1u << COLUMNS_SEMAV | 1u << COLUMNS_SEMVIS,
  OPERATION = 1u << COLUMNS_ACCESS | 1u << COLUMNS_PHASE | 1u << COLUMNS_TX | 1u << COLUMNS_PARITY
};

/* ---- Reading an instruction ---- */
static const Part *find_part (const Instruction *instruction, const ColumnsSuffix *suffix) {
  for (guint i = 0; i < instruction->n_parts; i++)
    if (instruction->parts[i].suffix == suffix)
      return &instruction->parts[i];
  return NULL;
}

static const Part *find_kind (const Instruction *instruction, ColumnsKind kind) {
  for (guint i = 0; i < instruction->n_parts; i++)
    if (instruction->parts[i].suffix->kind == kind)
      return &instruction->parts[i];
  return NULL;
}

/* The number of the suffixes in "cluster.wait"; G_MAXUINT if the instruction lacks one of them. */
static guint count_parts (const Columns *c, const Instruction *instruction, const char *suffixes) {
  g_auto (GStrv) words = g_strsplit (suffixes, ".", -1);
  for (guint i = 0; words[i]; i++)
    if (!find_part (instruction, rsp_columns_suffix (c->alphabet, words[i])))
      return G_MAXUINT;
  return g_strv_length (words);
}

/* Are the instruction's orders, marks and accesses those of the row? */
static gboolean has_strength (const Columns *c, const Instruction *instruction,
                              const ColumnsStrength *row) {
  if ((row->form && !g_str_equal (row->form, instruction->form->word))
      || (row->of && count_parts (c, instruction, row->of) == G_MAXUINT))
    return FALSE;
  guint n = 0;
  for (guint i = 0; i < instruction->n_parts; i++)
    n += STRENGTH >> instruction->parts[i].suffix->kind & 1;
  return (!n && row->implied) || n == count_parts (c, instruction, row->words);
}

/* FALSE for instructions on registers and jumps. */
static gboolean read_instruction (const Columns *c, const RspStatement *s, Instruction *out) {
  const char *text = c->f->text + s->span.begin;
  const RspExpr *e = s->expr && s->expr->kind == RSP_EXPR_ASSIGN ? s->expr->u.node.b : s->expr;
  gsize n = 0;
  if (s->kind != RSP_STATEMENT_BARRIER && !(e && e->kind == RSP_EXPR_CALL))
    return FALSE;
  while (g_ascii_isalnum (text[n]) || text[n] == '.' || text[n] == '_' || text[n] == ':')
    n++;
  *out = (Instruction){ .begin = s->span.begin,
                        .end = s->span.begin + (guint) n,
                        .word = g_strndup (text, n) };
  out->form = rsp_columns_form (c->alphabet, out->word);
  guint at = out->begin + (guint) strlen (out->form->word);
  const char *rest = out->word + strlen (out->form->word);
  g_auto (GStrv) words = g_strsplit (rest + (*rest == '.'), ".", -1);
  for (guint i = 0; i < MOST_PARTS && words[i]; i++) {
    Part part
        = { rsp_columns_suffix (c->alphabet, words[i]), at, at + 1 + (guint) strlen (words[i]) };
    at = part.end;
    gboolean taken = rsp_columns_takes (c->alphabet, out->word, words[i]); /* no model's word */
    for (const ColumnsSuffix *scope = c->scopes; scope->word && !taken; scope++)
      if ((taken = rsp_columns_is_own_scope (scope) && strcmp (scope->word, words[i]) == 0))
        part.suffix = scope;
    if (taken)
      out->parts[out->n_parts++] = part;
  }
  for (const ColumnsStrength *row = c->alphabet->strengths; row->words && !out->strength; row++)
    if (row->action == out->form->action && has_strength (c, out, row))
      out->strength = row;
  return TRUE;
}

/* ---- The test as a whole ---- */
/* ".semsc0.semsc1" */
static char *semantics_of_classes (const Columns *c) {
  GString *text = g_string_new (NULL);
  for (const ColumnsSuffix *suffix = c->alphabet->suffixes; suffix->word; suffix++)
    if (suffix->kind == COLUMNS_SEMANTICS && c->classes >> suffix->value & 1)
      g_string_append_printf (text, ".%s", suffix->word);
  return g_string_free (text, FALSE);
}

/* ---- Strength ---- */
/* Deletes the suffixes of these kinds. */
static void delete_parts (SynthLevel *level, const Instruction *instruction, guint kinds) {
  for (guint i = 0; i < instruction->n_parts; i++)
    if (kinds >> instruction->parts[i].suffix->kind & 1)
      add_piece (level, instruction->parts[i].begin, instruction->parts[i].end, 0, g_strdup (""));
}

/* Where its orders and marks are, or would be. */
static guint strength_at (const Instruction *instruction) {
  guint at = instruction->begin + (guint) strlen (instruction->form->word);
  for (guint i = 0; i < instruction->n_parts; i++) {
    const Part *part = &instruction->parts[i];
    if (STRENGTH >> part->suffix->kind & 1)
      return part->begin;
    if (OPERATION >> part->suffix->kind & 1)
      at = part->end;
  }
  return at;
}

/* Replaces the word of an older instruction, and the scope that only the older one has. With an
 * order and a scope, the order's word is the first. */
static void put_newer (const Columns *c, SynthLevel *level, const Instruction *instruction,
                       const char *newer, guint rank) {
  const guint end = instruction->begin + (guint) strlen (instruction->form->word);
  const Part *old_scope = find_kind (instruction, COLUMNS_GL);
  add_piece (level, instruction->begin, end, rank, g_strdup (newer));
  for (const ColumnsSuffix *scope = c->scopes; old_scope && scope->word; scope++)
    if (scope->kind == COLUMNS_SCOPE && scope->value == old_scope->suffix->value)
      add_piece (level, old_scope->begin, old_scope->end, 2, g_strconcat (".", scope->word, NULL));
}

/* Gives the instruction the words of another row. It gains a scope and semantics, or loses them, as
 * the row requires. */
static void put_strength (const Columns *c, SynthLevel *level, const Instruction *instruction,
                          const ColumnsStrength *row) {
  const ColumnsStrength *own = instruction->strength;
  const guint at = strength_at (instruction);
  GString *text = g_string_new (NULL);
  g_autofree char *classes = semantics_of_classes (c);
  if (*row->words)
    g_string_append_printf (text, ".%s", row->words);
  if (row->scoped && !own->scoped)
    g_string_append_printf (text, ".%s", c->widest->word);
  if (row->semantic && !own->semantic)
    g_string_append (text, classes);
  add_piece (level, at, at, 0, g_string_free (text, FALSE));
  delete_parts (level, instruction, STRENGTH);
  if (own->scoped && !row->scoped) {
    delete_parts (level, instruction, 1u << COLUMNS_SCOPE);
    level->removes |= 1u << SYNTH_EDIT_SCOPE;
  }
  if (own->semantic && !row->semantic) {
    delete_parts (level, instruction, SEMANTICS);
    level->removes |= 1u << SYNTH_EDIT_SEMANTICS;
  }
}

static void find_strengths (const Columns *c, const Instruction *instruction) {
  const ColumnsStrength *own = instruction->strength;
  SynthSite *site = new_site (c->f, SYNTH_EDIT_ORDER, instruction->begin, instruction->word);
  site->sets = TRUE;
  for (const ColumnsStrength *row = c->alphabet->strengths; row->words; row++) {
    const gboolean is_newer = own->means && row->form && g_str_has_prefix (own->means, row->form)
                              && row->set != own->set;
    if (row->action != own->action || (g_strcmp0 (row->form, own->form) != 0 && !is_newer)
        || g_strcmp0 (row->of, own->of) != 0 || (row->newer && row != own && !c->newer)
        || (row != own && !may_edit (c->f, !(own->set & ~row->set), !(row->set & ~own->set))))
      continue;
    const char *text = row->means    ? strchr (row->means, '.') + 1 /* "sc" */
                       : *row->words ? row->words
                       : row->scoped ? "no order"
                                     : c->alphabet->plain;
    SynthLevel *level = add_level (site, row->set, text);
    if (row == own)
      site->own = site->n_levels - 1;
    else if (is_newer) {
      g_autofree char *newer = g_strconcat (row->form, ".", row->words, NULL);
      put_newer (c, level, instruction, newer, 0);
    } else
      put_strength (c, level, instruction, row);
  }
  keep_site (c->f, site);
}

/* ---- Scopes ---- */
/* The number of a suffix among those of scopes. PTX's `gl` is the scope `gpu`. */
static guint width_of (const Columns *c, const ColumnsSuffix *scope) {
  guint width = 0;
  while (c->scopes[width].value != scope->value)
    width++;
  return width;
}

/* What the language has against the instruction with that scope, and without words of a model; of a
 * model's level, with the next wider scope. */
static guint count_objections (const Columns *c, const Instruction *instruction,
                               const ColumnsSuffix *scope) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  const char *newer = instruction->strength->means;
  g_autoptr (GString) word = g_string_new (newer ? newer : instruction->form->word);
  ColumnsInstruction ignored;
  for (guint i = 0; i < instruction->n_parts; i++)
    if (instruction->parts[i].suffix->kind != COLUMNS_SCOPE
        && instruction->parts[i].suffix->kind != COLUMNS_GL)
      g_string_append_printf (word, ".%s", instruction->parts[i].suffix->word);
  while (rsp_columns_is_own_scope (scope))
    scope++;
  g_string_append_printf (word, ".%s", scope->word);
  rsp_columns_instruction (c->f->program->language, word->str, &ignored, diagnostics);
  return rsp_diagnostics_count (diagnostics);
}

static void find_scopes (const Columns *c, const Instruction *instruction) {
  const Part *given = find_kind (instruction, COLUMNS_SCOPE);
  given = given ? given : find_kind (instruction, COLUMNS_GL);
  if (!instruction->strength->scoped || (!given && !instruction->strength->narrowest))
    return;
  const Part *order = find_kind (instruction, COLUMNS_ORDER);
  const guint at = order ? order->end : strength_at (instruction);
  const Part own = given ? *given : (Part){ c->scopes, at, at };
  const guint own_width = width_of (c, own.suffix), useful = width_of (c, c->widest);
  const guint objections = count_objections (c, instruction, own.suffix);
  SynthSite *site = new_site (c->f, SYNTH_EDIT_SCOPE, instruction->begin, instruction->word);
  for (const ColumnsSuffix *suffix = c->scopes; suffix->word; suffix++) {
    const guint width = width_of (c, suffix);
    const gboolean is_own = strcmp (suffix->word, own.suffix->word) == 0;
    if (count_objections (c, instruction, suffix) > objections
        || (!is_own
            && (width == own_width
                || (c->f->program->language->optional_levels >> suffix->value & 1
                    && !rsp_program_joins (c->f->program, suffix->value))
                || !may_edit (c->f, width > own_width && width <= useful, width < own_width))))
      continue;
    SynthLevel *level = add_level (site, width, suffix->word);
    if (is_own)
      site->own = site->n_levels - 1;
    else {
      if (instruction->strength->means)
        put_newer (c, level, instruction, instruction->strength->means, 1);
      add_piece (level, own.begin, own.end, 1, g_strconcat (".", suffix->word, NULL));
    }
  }
  keep_site (c->f, site);
}

/* ---- Semantics: each is present or not ---- */
static void find_semantics (const Columns *c, const Instruction *instruction) {
  for (const ColumnsSuffix *suffix = c->alphabet->suffixes; suffix->word; suffix++) {
    if (!(SEMANTICS >> suffix->kind & 1) || !(instruction->form->allowed >> suffix->kind & 1)
        || (suffix->kind == COLUMNS_SEMANTICS && !(c->classes >> suffix->value & 1)))
      continue;
    const Part *own = find_part (instruction, suffix);
    if (!may_edit (c->f, !own, own != NULL))
      continue;
    SynthSite *site = new_site (c->f, SYNTH_EDIT_SEMANTICS, instruction->begin, instruction->word);
    g_autofree char *without = g_strconcat ("without .", suffix->word, NULL);
    g_autofree char *with = g_strconcat ("with .", suffix->word, NULL);
    SynthLevel *level = add_level (site, 0, without);
    guint rank = 2 + (guint) (suffix - c->alphabet->suffixes);
    if (own)
      add_piece (level, own->begin, own->end, 1, g_strdup (""));
    level = add_level (site, 1, with);
    if (!own)
      add_piece (level, instruction->end, instruction->end, rank,
                 g_strconcat (".", suffix->word, NULL));
    site->own = own != NULL;
    keep_site (c->f, site);
  }
}

/* ---- Fences ---- */
/* The removal of a fence. value: of the level that has it. */
static void find_removal (Finding *f, RspSpan span, const char *what, guint value) {
  SynthSite *site = new_site (f, SYNTH_EDIT_FENCE, span.begin, what);
  SynthLevel *none = add_level (site, 0, "no fence");
  add_piece (none, span.begin, span.end, 0, g_strdup (""));
  none->removes = ~0u;
  add_level (site, value, "the fence");
  site->own = 1;
  keep_site (f, site);
}

/* A fence between two rows, with the widest scope and the semantics of all storage classes; not if
 * there is a comment between them. */
static void find_gap_in_columns (const Columns *c, const RspStatement *s, guint column) {
  guint end = s->span.begin; /* of the row before */
  while (end && c->f->text[end - 1] != ';')
    end--;
  g_autofree char *between = g_strndup (c->f->text + end, s->span.begin - end);
  guint row = end + (guint) strspn (c->f->text + end, " \t\r\n");
  if (c->f->direction != SYNTH_STRONGER || strstr (between, "//") || strstr (between, "(*"))
    return;
  SynthSite *site = new_site (c->f, SYNTH_EDIT_FENCE, s->span.begin, "here");
  site->sets = TRUE;
  add_level (site, 0, "no fence");
  for (const ColumnsFence *fence = c->alphabet->fences; fence->words; fence++) {
    if ((fence->tags && !(fence->tags & c->tags)) || (fence->newer && !c->newer))
      continue;
    g_autofree char *classes = semantics_of_classes (c);
    g_autoptr (GString) text = g_string_new (fence->words); /* "fence.sc.$S" */
    g_string_replace (text, "$S", c->widest->word, 0);
    g_string_replace (text, "$C", classes, 0);
    GString *inserted = g_string_new (NULL); /* a row with the fence in one column */
    for (guint t = 0; t < c->f->program->n_threads; t++)
      g_string_append_printf (inserted, "%s%s%s", t ? " |" : "", t && t == column ? " " : "",
                              t == column ? text->str : "");
    g_string_append (inserted, " ;\n ");
    add_piece (add_level (site, fence->set, text->str), row, row, column,
               g_string_free (inserted, FALSE));
  }
  keep_site (c->f, site);
}

/* Lists the scopes, and finds the widest useful one. */
static void list_scopes (Columns *c) {
  const RspThread *threads = c->f->program->threads;
  gboolean covers_all = FALSE;       /* do all threads share a node of the scope's level? */
  guint n = 0, level = RSP_N_LEVELS; /* those of models that are wider than all scopes so far */
  for (const ColumnsSuffix *suffix = c->alphabet->suffixes; suffix->word; suffix++) {
    if (suffix->kind != COLUMNS_SCOPE && suffix->kind != COLUMNS_GL)
      continue;
    while (level > (suffix->value == RSP_LEVEL_SYSTEM ? 0 : suffix->value))
      if (rsp_words_level (&c->f->program->words, --level))
        c->scopes[n++] = rsp_columns_own_scope (&c->f->program->words, level);
    c->scopes[n++] = *suffix;
  }
  for (const ColumnsSuffix *suffix = c->scopes; suffix->word && !covers_all; suffix++) {
    c->widest = suffix;
    covers_all = suffix->value != RSP_LEVEL_THREAD || c->f->program->n_threads == 1;
    for (guint t = 1; t < c->f->program->n_threads && suffix->value < RSP_N_LEVELS; t++)
      covers_all &= rsp_threads_share (&threads[0], &threads[t], (RspLevel) suffix->value);
  }
}

/* The sites of a test whose threads are columns: instructions that have stronger and weaker forms
 * in the language's alphabet (parser/columns/columns.h). */
static void find_in_columns (Finding *f) {
  const char *newer = f->program->language->newer_model;
  Columns c = { .f = f,
                .alphabet = f->columns,
                .newer = f->program->newer || (newer && g_str_has_prefix (newer, f->model->name)) };
  list_scopes (&c);
  /* Finds the tags and storage classes in use. */
  const RspProgram *program = c.f->program;
  for (guint i = 0; i < program->n_locations; i++)
    if (program->locations[i].physical != i)
      c.tags |= RSP_TAG_BIT (ALIAS) | G_GUINT64_CONSTANT (1) << program->locations[i].proxy;
  for (guint t = 0; t < program->n_threads; t++)
    for (const RspStatement *s = program->threads[t].body->first; s; s = s->next) {
      Instruction instruction;
      if (!read_instruction (&c, s, &instruction))
        continue;
      const Part *class = find_kind (&instruction, COLUMNS_CLASS);
      if (instruction.form->action != COLUMNS_FENCE) {
        c.tags |= instruction.form->tags;
        c.classes |= class ? 1u << class->suffix->value : 0;
      }
      g_free (instruction.word);
    }
  for (guint t = 0; t < f->program->n_threads; t++) {
    const RspStatement *first = f->program->threads[t].body->first;
    for (const RspStatement *s = first; s; s = s->next) {
      Instruction instruction;
      if (s != first)
        find_gap_in_columns (&c, s, t);
      if (!read_instruction (&c, s, &instruction))
        continue;
      if (f->direction == SYNTH_WEAKER && instruction.form->action == COLUMNS_FENCE)
        find_removal (f, s->span, instruction.word, 1);
      if (instruction.strength) {
        find_strengths (&c, &instruction);
        find_scopes (&c, &instruction);
        if (instruction.strength->semantic)
          find_semantics (&c, &instruction);
      }
      const RspExpr *e = s->expr && s->expr->kind == RSP_EXPR_ASSIGN ? s->expr->u.node.b : s->expr;
      gboolean barrier = s->kind == RSP_STATEMENT_BARRIER;
      find_words (f, &(Named){ instruction.word, instruction.begin, instruction.end,
                               rsp_columns_place (instruction.form->action),
                               barrier ? s->words : e->u.call->words, ".", "", FALSE });
      g_free (instruction.word);
    }
  }
}

/* ---- Sites ---------------------------------------------------------------------------------- */

/* Sites: the places of a test where something can be strengthened or weakened. */

/* ---- Calls ---- */
/* The number of the order among the arguments; the scope follows it (in a CAS, the failure order).
 */
static guint order_place (const Finding *f, const RspCall *call) {
  switch (call->kind) {
  case RSP_CALL_LOAD:
  case RSP_CALL_FLAG_TEST_AND_SET:
  case RSP_CALL_FLAG_CLEAR:
    return 1;
  case RSP_CALL_CAS:
    return 3;
  case RSP_CALL_FENCE:
    return f->opencl;
  case RSP_CALL_STORE:
  case RSP_CALL_FETCH:
  case RSP_CALL_REDUCE:
  case RSP_CALL_UNLESS:
  case RSP_CALL_FETCH_UNLESS:
  case RSP_CALL_SWAP:
  case RSP_CALL_PHASE:
  case RSP_CALL_TEST:
  case RSP_CALL_INIT:
  case RSP_CALL_COPY:
  case RSP_CALL_WAIT:
    break;
  }
  return 2;
}

static const guint8 loads[] = { RSP_ORDER_RELAXED, RSP_ORDER_ACQUIRE, RSP_ORDER_SEQ_CST };

/* Orders that C11 allows for the call, weakest first. */
static const guint8 *orders_of (const RspCall *call, guint *n) {
  static const guint8 stores[] = { RSP_ORDER_RELAXED, RSP_ORDER_RELEASE, RSP_ORDER_SEQ_CST };
  static const guint8 both[] = { RSP_ORDER_RELAXED, RSP_ORDER_ACQUIRE, RSP_ORDER_RELEASE,
                                 RSP_ORDER_ACQ_REL, RSP_ORDER_SEQ_CST };
  switch (call->kind) {
  case RSP_CALL_LOAD:
    *n = G_N_ELEMENTS (loads);
    return loads;
  case RSP_CALL_STORE:
  case RSP_CALL_REDUCE:
  case RSP_CALL_FLAG_CLEAR:
    *n = G_N_ELEMENTS (stores);
    return stores;
  case RSP_CALL_FETCH:
  case RSP_CALL_UNLESS:
  case RSP_CALL_FETCH_UNLESS:
  case RSP_CALL_SWAP:
  case RSP_CALL_CAS:
  case RSP_CALL_FENCE:
  case RSP_CALL_FLAG_TEST_AND_SET:
  case RSP_CALL_PHASE:
  case RSP_CALL_TEST:
  case RSP_CALL_INIT:
  case RSP_CALL_COPY:
  case RSP_CALL_WAIT:
    break;
  }
  *n = G_N_ELEMENTS (both);
  return both;
}

static gboolean order_within (guint a, guint b) {
  if (a == b || a <= RSP_ORDER_RELAXED || b == RSP_ORDER_SEQ_CST)
    return a <= b;
  return b == RSP_ORDER_ACQ_REL && a < b;
}

gboolean synth_level_within (const SynthSite *site, guint a, guint b) {
  guint x = site->levels[a].value, y = site->levels[b].value;
  if (site->sets)
    return !(x & ~y);
  gboolean orders = site->kind == SYNTH_EDIT_ORDER || site->kind == SYNTH_EDIT_FENCE;
  return orders ? order_within (x, y) : x <= y;
}

/* The word of a model that ends the name of the call; "": none. */
static const char *suffix_of (const RspCall *call) {
  LitmusCallForm form;
  return rsp_litmus_call_form (call->name, &form) && form.word ? form.word : "";
}

/* Replaces an argument by a word, or appends it and the arguments that must precede it. */
static void put_argument (const Finding *f, SynthLevel *level, const RspExpr *expr, guint place,
                          const char *word) {
  const RspCall *call = expr->u.call;
  guint order = order_place (f, call);
  if (place < call->n_arguments) {
    RspSpan span = call->arguments[place];
    add_piece (level, span.begin, span.end, 0, g_strdup (word));
    return;
  }
  guint end = expr->span.end - 1; /* the parenthesis */
  if (call->n_arguments <= order) {
    guint name = expr->span.begin + (guint) strlen (call->name);
    guint suffix = (guint) strlen (suffix_of (call));
    name -= suffix ? suffix + 1 : 0;
    add_piece (level, name, name, 0, g_strdup ("_explicit"));
    if (place != order)
      add_piece (level, end, end, 0, g_strdup (", memory_order_seq_cst"));
  }
  add_piece (level, end, end, 1, g_strconcat (", ", word, NULL));
}

/* Adds the wanted ones of the orders, and the call's own, for the argument at this place. */
static void add_orders (const Finding *f, SynthSite *site, const RspExpr *expr, guint own,
                        const guint8 *orders, guint n, guint place) {
  const RspCall *call = expr->u.call;
  RspSpan span = place < call->n_arguments ? call->arguments[place] : RSP_NOWHERE;
  g_autofree char *given = g_strndup (f->text + span.begin, span.end - span.begin);
  gboolean is_word = rsp_litmus_own_word (given, FALSE) != NULL; /* a model's */
  if (is_word) {
    add_level (site, own, rsp_arena_strdup (f->program->arena, given));
    site->own = 0;
  }
  for (guint i = 0; i < n; i++) {
    gboolean is_own = orders[i] == own && !is_word;
    if (!is_own && !may_edit (f, order_within (own, orders[i]), order_within (orders[i], own)))
      continue;
    SynthLevel *level = add_level (site, orders[i], rsp_order_name ((RspOrder) orders[i]));
    if (is_own)
      site->own = site->n_levels - 1;
    else
      put_argument (f, level, expr, place, level->text);
  }
}

/* FALSE for an order that the call may not have (a release load): it is not in the list. */
static gboolean has_own_order (const SynthSite *site, guint own) {
  return site->n_levels && !site->levels[site->own].pieces && site->levels[site->own].value == own;
}

/* The order of a failing CAS, which is a load: no stronger than on success (C11, 7.17.7.4). */
static void find_failure_order (Finding *f, const RspExpr *expr) {
  const RspCall *call = expr->u.call;
  guint place = order_place (f, call) + 1, n = 0;
  if (call->kind != RSP_CALL_CAS || call->n_arguments <= place)
    return;
  while (n < G_N_ELEMENTS (loads) && order_within (loads[n], call->order))
    n++;
  SynthSite *site
      = new_site (f, SYNTH_EDIT_ORDER, call->arguments[place].begin, "order on failure");
  add_orders (f, site, expr, call->failure, loads, n, place);
  if (has_own_order (site, call->failure))
    keep_site (f, site);
  else
    free_site (site);
}

static void find_scope (Finding *f, const RspExpr *expr) {
  const RspCall *call = expr->u.call;
  guint place = order_place (f, call) + 1 + (call->kind == RSP_CALL_CAS);
  SynthSite *site = new_site (f, SYNTH_EDIT_SCOPE, expr->span.begin, call->name);
  for (guint scope = RSP_SCOPE_WORK_ITEM; scope < RSP_N_ALL_SCOPES; scope++) {
    const char *name = rsp_scope_name (&f->program->words, (RspScope) scope);
    gboolean own = scope == call->scope;
    if (!name
        || (!own
            && !may_edit (f,
                          rsp_scope_is_wider (scope, call->scope)
                              && !rsp_scope_is_wider (scope, f->widest),
                          rsp_scope_is_wider (call->scope, scope))))
      continue;
    SynthLevel *level = add_level (site, scope, name);
    if (own)
      site->own = site->n_levels - 1;
    else
      put_argument (f, level, expr, place, level->text);
  }
  if (call->kind == RSP_CALL_CAS && call->n_arguments < place)
    free_site (site);
  else
    keep_site (f, site);
}

/* ---- Gaps, where a fence can be inserted ---- */
/* Only gaps between two statements: a fence before the first of a thread, or after the last, orders
 * nothing. A barrier before the first statement of a loop does. */
static void find_gap (Finding *f, guint at) {
  static const guint8 orders[]
      = { RSP_ORDER_ACQUIRE, RSP_ORDER_RELEASE, RSP_ORDER_ACQ_REL, RSP_ORDER_SEQ_CST };
  guint line = at;
  while (line && f->text[line - 1] != '\n')
    line--;
  g_autofree char *indent = g_strndup (f->text + line, strspn (f->text + line, " \t"));
  SynthSite *site = new_site (f, SYNTH_EDIT_FENCE, at, "here");
  add_level (site, 0, f->only_barriers ? "no barrier" : "no fence");
  if (f->only_barriers)
    add_piece (
        add_level (site, 1, "a barrier"), at, at, 0,
        g_strconcat ("barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n", indent, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (orders) && !f->only_barriers; i++) {
    const char *order = rsp_order_name ((RspOrder) orders[i]);
    g_autofree char *scope
        = f->opencl ? g_strconcat (", ", rsp_scope_name (&f->program->words, f->widest), NULL)
                    : g_strdup ("");
    char *fence
        = g_strdup_printf (f->opencl ? "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, %s%s);\n%s"
                                     : "atomic_thread_fence(%s%s);\n%s",
                           order, scope, indent);
    g_autofree char *text = g_strconcat ("a fence of ", order, NULL);
    add_piece (add_level (site, orders[i], text), at, at, 0, fence);
  }
  keep_site (f, site);
}

/* Where a statement begins in the text: a declaration's span begins at its name, so the words
 * before it are included. G_MAXUINT if there is more than words before it, such as a comma or a
 * comment. */
static guint begin_of_statement (const Finding *f, const RspStatement *statement) {
  guint begin = statement->span.begin;
  guint at = begin;
  while (at && !strchr (";{}", f->text[at - 1])) {
    char c = f->text[--at];
    if (!g_ascii_isalnum (c) && !g_ascii_isspace (c) && c != '_' && c != '*')
      return G_MAXUINT;
    if (!g_ascii_isspace (c))
      begin = at;
  }
  return begin;
}

/* ---- Plain accesses ---- */
/* Finds the word for the type before the parameter's name; FALSE if it has no atomic form. */
static gboolean find_type_word (const Finding *f, const RspParameter *parameter, guint *begin) {
  static const char *const words[] = { "int", "uint", "long", "ulong" };
  guint at = parameter->span.begin;
  while (at && f->text[at - 1] != '(' && f->text[at - 1] != ',')
    at--;
  for (; at < parameter->span.begin; at++)
    for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
      gsize n = strlen (words[i]);
      gboolean starts = at == 0 || !(g_ascii_isalnum (f->text[at - 1]) || f->text[at - 1] == '_');
      if (starts && strncmp (f->text + at, words[i], n) == 0 && !g_ascii_isalnum (f->text[at + n])
          && f->text[at + n] != '_') {
        *begin = at;
        return TRUE;
      }
    }
  return FALSE;
}

/* Declares the location atomic in all threads. FALSE if that is impossible. */
static gboolean declare_atomic (const Finding *f, guint object, SynthLevel *level) {
  gboolean done = FALSE;
  if (f->program->locations[object].atomic)
    return TRUE;
  for (guint t = 0; t < f->program->n_threads; t++)
    for (guint i = 0; i < f->program->threads[t].n_parameters; i++) {
      const RspParameter *parameter = &f->program->threads[t].parameters[i];
      guint begin;
      if (parameter->object != object)
        continue;
      if (!find_type_word (f, parameter, &begin))
        return FALSE;
      add_piece (level, begin, begin, 3, g_strdup ("atomic_"));
      done = TRUE;
    }
  return done;
}

/* `*x` of a parameter x: the only form of plain access that is edited. */
static gboolean is_plain (const Finding *f, const RspExpr *expr) {
  if (expr->kind != RSP_EXPR_DEREF || expr->u.node.a->kind != RSP_EXPR_LOCATION)
    return FALSE;
  const RspLocation *location = &f->program->locations[expr->u.node.a->u.object];
  return location->n_elements == 1 && location->type.pointers == 0;
}

/* value: the stored value; NULL for a load. */
static void find_plain (Finding *f, const RspExpr *whole, const RspExpr *access,
                        const RspExpr *value) {
  const RspExpr *x = access->u.node.a;
  if (f->direction != SYNTH_STRONGER)
    return;
  SynthSite *site = new_site (f, SYNTH_EDIT_ATOMIC, whole->span.begin, x->name);
  add_level (site, 0, "plain");
  SynthLevel *level = add_level (site, 1, "a relaxed atomic operation");
  g_autofree char *scope
      = f->opencl ? g_strconcat (", ", rsp_scope_name (&f->program->words, f->widest), NULL)
                  : g_strdup ("");
  char *head
      = g_strdup_printf (value ? "atomic_store_explicit(%s, " : "atomic_load_explicit(%s", x->name);
  char *tail = g_strdup_printf (", memory_order_relaxed%s)", scope);
  guint end = value ? value->span.begin : whole->span.end;
  add_piece (level, whole->span.begin, end, 0, head);
  add_piece (level, whole->span.end, whole->span.end, 0, tail);
  if (declare_atomic (f, x->u.object, level))
    keep_site (f, site);
  else
    free_site (site);
}

/* ---- The walk ---- */
static void walk_statement (Finding *f, const RspStatement *statement);

static void walk_expr (Finding *f, const RspExpr *expr) {
  if (!expr)
    return;
  switch (expr->kind) {
  case RSP_EXPR_CALL:
    walk_expr (f, expr->u.call->value);
    if (expr->u.call->kind == RSP_CALL_INIT || rsp_call_is_unless (expr->u.call->kind))
      return;
    /* A CAS without explicit orders would need two: left out. */
    const RspCall *call = expr->u.call;
    guint n, place = order_place (f, call);
    const guint8 *orders = orders_of (call, &n);
    gboolean no_relaxed = call->kind == RSP_CALL_FENCE && call->order != RSP_ORDER_RELAXED;
    SynthSite *site = new_site (f, SYNTH_EDIT_ORDER, expr->span.begin, call->name);
    add_orders (f, site, expr, call->order, orders + no_relaxed, n - no_relaxed, place);
    if (!has_own_order (site, call->order)
        || (call->n_arguments <= place && call->kind == RSP_CALL_CAS))
      free_site (site);
    else
      keep_site (f, site);
    find_failure_order (f, expr);
    if (f->opencl)
      find_scope (f, expr);
    find_words (
        f, &(Named){ call->name, expr->span.begin, expr->span.begin + (guint) strlen (call->name),
                     rsp_call_place (call->kind), call->words, "_", "", *suffix_of (call) != 0 });
    return;
  case RSP_EXPR_CONSTANT:
  case RSP_EXPR_LOCATION:
  case RSP_EXPR_REGISTER:
  case RSP_EXPR_ADDRESS:
    return;
  case RSP_EXPR_BLOCK:
    walk_statement (f, expr->u.block.body);
    walk_expr (f, expr->u.block.value);
    return;
  case RSP_EXPR_ASSIGN:
    walk_expr (f, expr->u.node.b);
    if (expr->u.node.op == RSP_OP_NONE && is_plain (f, expr->u.node.a))
      find_plain (f, expr, expr->u.node.a, expr->u.node.b);
    return;
  case RSP_EXPR_DEREF:
    if (is_plain (f, expr))
      find_plain (f, expr, expr, NULL);
    return;
  default:
    walk_expr (f, expr->u.node.a);
    walk_expr (f, expr->u.node.b);
    walk_expr (f, expr->u.node.c);
  }
}

static void walk_statement (Finding *f, const RspStatement *statement) {
  if (!statement)
    return;
  const RspExpr *expr = statement->expr;
  if (f->direction == SYNTH_WEAKER && statement->kind == RSP_STATEMENT_EXPRESSION && expr
      && expr->kind == RSP_EXPR_CALL && expr->u.call->kind == RSP_CALL_FENCE)
    find_removal (f, expr->span, expr->u.call->name, expr->u.call->order);
  walk_statement (f, statement->init);
  walk_expr (f, statement->expr);
  walk_expr (f, statement->step);
  for (const RspStatement *s = statement->first; s; s = s->next) {
    guint begin = begin_of_statement (f, s);
    if (f->direction == SYNTH_STRONGER && (f->only_barriers || s != statement->first)
        && begin != G_MAXUINT)
      find_gap (f, begin);
    walk_statement (f, s);
  }
  walk_statement (f, statement->body);
  walk_statement (f, statement->otherwise);
}

GPtrArray *rsp_synth_sites_find (const RspProgram *program, const RspModel *model,
                                 SynthDirection direction) {
  Finding f
      = { .program = program,
          .model = model,
          .text = program->source->text,
          .direction = direction,
          .sites = g_ptr_array_new_with_free_func (free_site),
          .opencl = program->language->scoped && !program->language->tagged,
          .only_barriers = program->language->only_barriers,
          .columns = program->language->tagged ? rsp_columns_alphabet (program->language) : NULL,
          .widest = RSP_SCOPE_DEVICE };
  for (guint t = 1; t < program->n_threads; t++)
    if (program->threads[t].place[RSP_LEVEL_DEVICE] != program->threads[0].place[RSP_LEVEL_DEVICE])
      f.widest = RSP_SCOPE_ALL;
  if (program->language->tagged)
    find_in_columns (&f);
  for (guint t = 0; t < program->n_threads && !program->language->tagged; t++)
    walk_statement (&f, program->threads[t].body);
  if (f.direction != SYNTH_STRONGER && !program->language->tagged) {
    /* Attributes of one word, which may be left out or be another one. */
    const RspWords *words = &f.program->words;
    for (guint i = 0; i < words->n_uses; i++) {
      const RspWordUse *use = &words->uses[i];
      g_autofree char *name = g_strconcat ("[[", words->names[use->word], "]]", NULL);
      guint begin = use->span.begin - 2, end = begin + (guint) strlen (name);
      if (use->places && use->span.begin >= 2 && g_str_has_prefix (f.text + begin, name))
        find_words (&f,
                    &(Named){ name, begin, end, use->places, 1u << use->word, "[[", "]]", TRUE });
    }
  }
  return f.sites;
}
