/* Sites of tests in columns: suffixes of instructions (strength, scope, semantics), fences that are
 * there, and rows where one can be. */
#include "synth/edits/columns.h"

#include "parser/columns/instruction.h"
#include "parser/scopes.h"

#include <string.h>

enum { MOST_PARTS = 16 };

/* A suffix of an instruction, with its dot. */
typedef struct Part {
  const ColumnsSuffix *suffix;
  guint begin, end;
} Part;

typedef struct Instruction {
  const ColumnsForm *form;
  const ColumnsStrength *strength; /* NULL: none of the list */
  guint begin, end;                /* of its word in the text */
  char *word;
  Part parts[MOST_PARTS];
  guint n_parts;
} Instruction;

/* What the test as a whole gives its edits. */
typedef struct Columns {
  Finding *f;
  const ColumnsAlphabet *alphabet;
  const ColumnsSuffix *widest; /* scope that the test has any use for */
  guint64 tags;                /* of its accesses and aliases */
  guint classes;               /* storage classes, 1 << value */
} Columns;

static gboolean is_strength (ColumnsKind kind) {
  return kind == COLUMNS_ORDER || kind == COLUMNS_MARK || kind == COLUMNS_AV || kind == COLUMNS_VIS;
}

static gboolean is_semantics (ColumnsKind kind) {
  return kind == COLUMNS_SEMANTICS || kind == COLUMNS_SEMAV || kind == COLUMNS_SEMVIS;
}

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

/* Are the instruction's orders, marks and accesses those of the row? */
static gboolean has_strength (const Columns *c, const Instruction *instruction,
                              const ColumnsStrength *row) {
  g_auto (GStrv) words = g_strsplit (row->words, ".", -1);
  guint n = 0;
  for (guint i = 0; i < instruction->n_parts; i++)
    n += is_strength (instruction->parts[i].suffix->kind);
  for (guint i = 0; words[i]; i++)
    if (!find_part (instruction, rsp_columns_suffix (c->alphabet, words[i])))
      return FALSE;
  return n == g_strv_length (words);
}

static const ColumnsStrength *find_strength (const Columns *c, const Instruction *instruction) {
  for (const ColumnsStrength *row = c->alphabet->strengths; row->words; row++)
    if (row->action == instruction->form->action && has_strength (c, instruction, row))
      return row;
  return NULL;
}

static gboolean touches_memory (const RspStatement *s) {
  const RspExpr *e = s->expr && s->expr->kind == RSP_EXPR_ASSIGN ? s->expr->u.node.b : s->expr;
  return s->kind == RSP_STATEMENT_BARRIER || (e && e->kind == RSP_EXPR_CALL);
}

/* FALSE for instructions on registers and jumps. */
static gboolean read_instruction (const Columns *c, const RspStatement *s, Instruction *out) {
  const char *text = c->f->text + s->span.begin;
  gsize n = 0;
  if (!touches_memory (s))
    return FALSE;
  while (g_ascii_isalnum (text[n]) || text[n] == '.' || text[n] == '_')
    n++;
  *out = (Instruction){ .begin = s->span.begin,
                        .end = s->span.begin + (guint) n,
                        .word = g_strndup (text, n) };
  g_auto (GStrv) words = g_strsplit (out->word, ".", -1);
  guint at = out->begin + (guint) strlen (words[0]);
  out->form = rsp_columns_form (c->alphabet, words[0]);
  for (guint i = 1; i <= MOST_PARTS && words[i]; i++) {
    Part *part = &out->parts[out->n_parts++];
    *part = (Part){ rsp_columns_suffix (c->alphabet, words[i]), at,
                    at + 1 + (guint) strlen (words[i]) };
    at = part->end;
  }
  out->strength = find_strength (c, out);
  return TRUE;
}

/* ---- The test as a whole ---- */

static gboolean covers_all (const RspProgram *program, guint level) {
  for (guint t = 1; t < program->n_threads && level < RSP_N_LEVELS; t++)
    if (!rsp_threads_share (&program->threads[0], &program->threads[t], (RspLevel) level))
      return FALSE;
  return TRUE;
}

static void find_widest (Columns *c) {
  for (const ColumnsSuffix *suffix = c->alphabet->suffixes; suffix->word; suffix++)
    if (suffix->kind == COLUMNS_SCOPE) {
      c->widest = suffix;
      if (covers_all (c->f->program, suffix->value))
        return;
    }
}

static void find_uses (Columns *c) {
  const RspProgram *program = c->f->program;
  for (guint i = 0; i < program->n_locations; i++)
    if (program->locations[i].physical != i)
      c->tags |= RSP_TAG_BIT (ALIAS) | G_GUINT64_CONSTANT (1) << program->locations[i].proxy;
  for (guint t = 0; t < program->n_threads; t++)
    for (const RspStatement *s = program->threads[t].body->first; s; s = s->next) {
      Instruction instruction;
      if (!read_instruction (c, s, &instruction))
        continue;
      const Part *class = find_kind (&instruction, COLUMNS_CLASS);
      if (instruction.form->action != COLUMNS_FENCE) {
        c->tags |= instruction.form->tags;
        c->classes |= class ? 1u << class->suffix->value : 0;
      }
      g_free (instruction.word);
    }
}

/* ".semsc0.semsc1" */
static char *semantics_of_classes (const Columns *c) {
  GString *text = g_string_new (NULL);
  for (const ColumnsSuffix *suffix = c->alphabet->suffixes; suffix->word; suffix++)
    if (suffix->kind == COLUMNS_SEMANTICS && c->classes >> suffix->value & 1)
      g_string_append_printf (text, ".%s", suffix->word);
  return g_string_free (text, FALSE);
}

/* ---- Strength ---- */

static gboolean may_become (const Columns *c, guint own, guint other) {
  return c->f->direction == SYNTH_ANY
         || (c->f->direction == SYNTH_STRONGER ? !(own & ~other) : !(other & ~own));
}

static const char *strength_text (const ColumnsStrength *row) {
  return *row->words ? row->words : row->scoped ? "no order" : "private";
}

/* Deletes the suffixes of a kind. */
static void delete_parts (SynthLevel *level, const Instruction *instruction,
                          gboolean (*of) (ColumnsKind kind)) {
  for (guint i = 0; i < instruction->n_parts; i++)
    if (of (instruction->parts[i].suffix->kind))
      add_piece (level, instruction->parts[i].begin, instruction->parts[i].end, 0, g_strdup (""));
}

static gboolean is_scope (ColumnsKind kind) { return kind == COLUMNS_SCOPE; }

/* Gives the instruction the words of another row, with a scope and semantics where it had none, and
 * without what that row does not have. */
static void put_strength (const Columns *c, SynthLevel *level, const Instruction *instruction,
                          const ColumnsStrength *row) {
  const ColumnsStrength *own = instruction->strength;
  guint at = instruction->begin + (guint) strlen (instruction->form->word);
  GString *text = g_string_new (NULL);
  g_autofree char *classes = semantics_of_classes (c);
  if (*row->words)
    g_string_append_printf (text, ".%s", row->words);
  if (row->scoped && !own->scoped)
    g_string_append_printf (text, ".%s", c->widest->word);
  if (row->semantic && !own->semantic)
    g_string_append (text, classes);
  add_piece (level, at, at, 0, g_string_free (text, FALSE));
  delete_parts (level, instruction, is_strength);
  if (own->scoped && !row->scoped) {
    delete_parts (level, instruction, is_scope);
    level->removes |= 1u << SYNTH_EDIT_SCOPE;
  }
  if (own->semantic && !row->semantic) {
    delete_parts (level, instruction, is_semantics);
    level->removes |= 1u << SYNTH_EDIT_SEMANTICS;
  }
}

static void find_strengths (const Columns *c, const Instruction *instruction) {
  const ColumnsStrength *own = instruction->strength;
  SynthSite *site = new_site (c->f, SYNTH_EDIT_ORDER, instruction->begin, instruction->word);
  site->sets = TRUE;
  for (const ColumnsStrength *row = c->alphabet->strengths; row->words; row++) {
    if (row->action != own->action || (row != own && !may_become (c, own->set, row->set)))
      continue;
    SynthLevel *level = add_level (site, row->set, strength_text (row));
    if (row == own)
      site->own = site->n_levels - 1;
    else
      put_strength (c, level, instruction, row);
  }
  keep_site (c->f, site);
}

/* ---- Scopes ---- */

static gboolean may_reach (const Columns *c, const ColumnsSuffix *own, const ColumnsSuffix *other) {
  return c->f->direction == SYNTH_ANY
         || (c->f->direction == SYNTH_STRONGER ? other > own && other <= c->widest : other < own);
}

/* The list has scopes from inside out. */
static void find_scopes (const Columns *c, const Instruction *instruction) {
  const Part *own = find_kind (instruction, COLUMNS_SCOPE);
  if (!own)
    return;
  SynthSite *site = new_site (c->f, SYNTH_EDIT_SCOPE, instruction->begin, instruction->word);
  for (const ColumnsSuffix *suffix = c->alphabet->suffixes; suffix->word; suffix++) {
    if (suffix->kind != COLUMNS_SCOPE
        || (suffix != own->suffix && !may_reach (c, own->suffix, suffix)))
      continue;
    SynthLevel *level = add_level (site, (guint) (suffix - c->alphabet->suffixes), suffix->word);
    if (suffix == own->suffix)
      site->own = site->n_levels - 1;
    else
      add_piece (level, own->begin, own->end, 1, g_strconcat (".", suffix->word, NULL));
  }
  keep_site (c->f, site);
}

/* ---- Semantics: each is there or not ---- */

static void find_semantics_of (const Columns *c, const Instruction *instruction,
                               const ColumnsSuffix *suffix) {
  const Part *own = find_part (instruction, suffix);
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
  if (c->f->direction != SYNTH_ANY && (own != NULL) != (c->f->direction == SYNTH_WEAKER))
    site->n_levels = 1;
  keep_site (c->f, site);
}

static void find_semantics (const Columns *c, const Instruction *instruction) {
  for (const ColumnsSuffix *suffix = c->alphabet->suffixes; suffix->word; suffix++)
    if (is_semantics (suffix->kind) && instruction->form->allowed >> suffix->kind & 1
        && (suffix->kind != COLUMNS_SEMANTICS || c->classes >> suffix->value & 1))
      find_semantics_of (c, instruction, suffix);
}

/* ---- Fences ---- */

static void find_removal (const Columns *c, const RspStatement *s, const Instruction *instruction) {
  if (c->f->direction != SYNTH_WEAKER || instruction->form->action != COLUMNS_FENCE)
    return;
  SynthSite *site = new_site (c->f, SYNTH_EDIT_FENCE, instruction->begin, instruction->word);
  SynthLevel *none = add_level (site, 0, "no fence");
  add_piece (none, s->span.begin, s->span.end, 0, g_strdup (""));
  none->removes = ~0u;
  add_level (site, 1, "the fence");
  site->own = 1;
  keep_site (c->f, site);
}

/* "fence.sc.$S" with the widest scope, and the semantics of all storage classes. */
static char *fence_text (const Columns *c, const ColumnsFence *fence) {
  g_autofree char *classes = semantics_of_classes (c);
  g_auto (GStrv) scoped = g_strsplit (fence->words, "$S", -1);
  g_autofree char *text = g_strjoinv (c->widest->word, scoped);
  g_auto (GStrv) classed = g_strsplit (text, "$C", -1);
  return g_strjoinv (classes, classed);
}

/* Where the row of a statement begins; G_MAXUINT if there is a comment after the row before it. */
static guint begin_of_row (const Finding *f, guint at) {
  guint end = at;
  while (end && f->text[end - 1] != ';')
    end--;
  g_autofree char *between = g_strndup (f->text + end, at - end);
  guint row = end + (guint) strspn (f->text + end, " \t\r\n");
  return strstr (between, "//") || strstr (between, "(*") ? G_MAXUINT : row;
}

/* A row with an instruction in one column, and nothing in the others. */
static char *row_with (const RspProgram *program, guint column, const char *instruction) {
  GString *row = g_string_new (NULL);
  for (guint t = 0; t < program->n_threads; t++)
    g_string_append_printf (row, "%s%s%s", t ? " |" : "", t && t == column ? " " : "",
                            t == column ? instruction : "");
  return g_string_free (g_string_append (row, " ;\n "), FALSE);
}

static void find_gap (const Columns *c, const RspStatement *s, guint column) {
  guint row = begin_of_row (c->f, s->span.begin);
  if (c->f->direction != SYNTH_STRONGER || row == G_MAXUINT)
    return;
  SynthSite *site = new_site (c->f, SYNTH_EDIT_FENCE, s->span.begin, "here");
  site->sets = TRUE;
  add_level (site, 0, "no fence");
  for (const ColumnsFence *fence = c->alphabet->fences; fence->words; fence++)
    if (!fence->tags || fence->tags & c->tags) {
      g_autofree char *text = fence_text (c, fence);
      add_piece (add_level (site, fence->set, text), row, row, column,
                 row_with (c->f->program, column, text));
    }
  keep_site (c->f, site);
}

/* ---- The walk ---- */

static void find_in_instruction (const Columns *c, const RspStatement *s) {
  Instruction instruction;
  if (!read_instruction (c, s, &instruction))
    return;
  find_removal (c, s, &instruction);
  if (instruction.strength) {
    find_strengths (c, &instruction);
    find_scopes (c, &instruction);
    if (instruction.strength->semantic)
      find_semantics (c, &instruction);
  }
  g_free (instruction.word);
}

void find_in_columns (Finding *f) {
  Columns c = { .f = f, .alphabet = rsp_columns_alphabet (f->program->language) };
  find_widest (&c);
  find_uses (&c);
  for (guint t = 0; t < f->program->n_threads; t++) {
    const RspStatement *first = f->program->threads[t].body->first;
    for (const RspStatement *s = first; s; s = s->next) {
      if (s != first)
        find_gap (&c, s, t);
      find_in_instruction (&c, s);
    }
  }
}
