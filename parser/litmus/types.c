/* Types as declarations spell them. */
#include "parser/litmus/types.h"
#include "parser/litmus/build.h"

#include <string.h>

LitmusSpecs *rsp_litmus_specs_new (LitmusParser *parser, TokenRange range) {
  LitmusSpecs *specs = rsp_arena_new0 (parser->arena, LitmusSpecs, 1);
  specs->range = range;
  return specs;
}

/* Reports two words that do not make a type together. */
static void report_clash (LitmusParser *parser, TokenRange range, const char *before,
                          const char *word) {
  rsp_error (parser->diagnostics, rsp_litmus_span (parser, range), NULL,
             "found `%s` after `%s`, which do not make a type together", word, before);
}

static void add_spelling (LitmusParser *parser, LitmusSpecs *specs, const char *spelling) {
  specs->spelling = specs->spelling
                        ? rsp_arena_printf (parser->arena, "%s %s", specs->spelling, spelling)
                        : spelling;
}

static gboolean is_whole (const LitmusTypeWord *base) {
  return base && (base->kind != LITMUS_TYPE_PLAIN || base->value < 8);
}

/* Sizes and signs combine with char and int only, and sizes not with char. Only `long` may be
 * repeated. */
static gboolean combines (const LitmusSpecs *specs, const LitmusTypeWord *word) {
  const LitmusTypeWord *base = specs->base;
  switch (word->kind) {
  case LITMUS_TYPE_SIZE:
    if (is_whole (base) || (base && base->value == 8))
      return FALSE;
    return !specs->size || (word->value == 64 && specs->size == word && specs->n_long < 2);
  case LITMUS_TYPE_SIGN:
    return !is_whole (base) && !specs->sign;
  case LITMUS_TYPE_PLAIN:
    return !base && !(word->value < 8 && (specs->size || specs->sign))
           && !(word->value == 8 && specs->size);
  default:
    return !base && !specs->size && !specs->sign;
  }
}

static void add_type_word (LitmusParser *parser, LitmusSpecs *specs, const LitmusTypeWord *word,
                           TokenRange range) {
  if (!combines (specs, word)) {
    report_clash (parser, range, specs->spelling, word->word);
    return;
  }
  if (word->kind == LITMUS_TYPE_SIZE) {
    specs->size = word;
    specs->n_long += word->value == 64;
  } else if (word->kind == LITMUS_TYPE_SIGN)
    specs->sign = word;
  else
    specs->base = word;
  if (strstr (word->word, "int128"))
    rsp_warning (parser->diagnostics, rsp_litmus_span (parser, range), NULL,
                 "`%s` is treated as an integer of 64 bits: larger values are truncated",
                 word->word);
  if (word->kind == LITMUS_TYPE_ATOMIC)
    specs->qualifiers |= LITMUS_ATOMIC;
  add_spelling (parser, specs, word->spelling);
}

void rsp_litmus_specs_add (LitmusParser *parser, LitmusSpecs *specs, const LitmusTypeWord *word,
                           TokenRange range) {
  specs->range.end = range.end;
  switch (word->kind) {
  case LITMUS_TYPE_FOREIGN:
    rsp_error (parser->diagnostics, rsp_litmus_span (parser, range),
               word->flag ? LITMUS_LOCK_HINT : NULL,
               "found `%s`, expected an integer type: %s not modelled", word->word,
               word->flag ? "mutexes are" : "floating point is");
    break;
  case LITMUS_TYPE_QUALIFIER:
    specs->qualifiers |= word->value;
    break;
  case LITMUS_TYPE_SPACE:
    if (specs->space && strcmp (specs->space->spelling, word->spelling) != 0)
      report_clash (parser, range, specs->space->word, word->word);
    specs->space = word;
    break;
  default:
    add_type_word (parser, specs, word, range);
  }
}

void rsp_litmus_specs_atomic (LitmusSpecs *specs, TokenRange range) {
  specs->qualifiers |= LITMUS_ATOMIC;
  specs->range.end = range.end;
}

void rsp_litmus_specs_merge (LitmusParser *parser, LitmusSpecs *specs, const LitmusSpecs *inner,
                             TokenRange range) {
  const LitmusTypeWord *words[] = { inner->space, inner->sign, inner->size,
                                    inner->n_long > 1 ? inner->size : NULL, inner->base };
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    if (words[i])
      rsp_litmus_specs_add (parser, specs, words[i], inner->range);
  specs->qualifiers |= inner->qualifiers;
  specs->pointers += inner->pointers;
  rsp_litmus_specs_atomic (specs, range);
}

LitmusStars rsp_litmus_star (LitmusParser *parser, LitmusStars stars, const LitmusSpecs *qualifiers,
                             TokenRange range) {
  if (stars.n == LITMUS_MAX_POINTERS)
    rsp_error (parser->diagnostics, rsp_litmus_span (parser, range), NULL,
               "a type may have at most %d stars", LITMUS_MAX_POINTERS);
  if (qualifiers && (qualifiers->base || qualifiers->size || qualifiers->sign))
    rsp_error (parser->diagnostics, rsp_litmus_span (parser, range), NULL,
               "found the type `%s` after `*`, expected a qualifier or a name",
               qualifiers->spelling);
  return (LitmusStars){ .n = MIN (stars.n + 1, LITMUS_MAX_POINTERS),
                        .before = stars.last,
                        .before_space = stars.last_space,
                        .last = qualifiers ? qualifiers->qualifiers : 0,
                        .last_space = qualifiers ? qualifiers->space : NULL };
}

void rsp_litmus_check_void (LitmusParser *parser, TokenRange range, const LitmusTypeWord *word) {
  if (strcmp (word->word, "void") != 0)
    rsp_error (parser->diagnostics, rsp_litmus_span (parser, range), NULL,
               "found `%s`, expected a thread (`P0 (…) { … }`): threads return no value",
               word->word);
}

void rsp_litmus_check_no_parameters (LitmusParser *parser, const LitmusSpecs *specs) {
  if (!specs->base || specs->base->value != 0)
    rsp_error (parser->diagnostics, rsp_litmus_span (parser, specs->range), NULL,
               "found a type, expected a parameter: its name is missing");
}

LitmusDeclarator *rsp_litmus_declarator (LitmusParser *parser, LitmusStars stars, const char *name,
                                         TokenRange range) {
  LitmusDeclarator *declarator = rsp_arena_new0 (parser->arena, LitmusDeclarator, 1);
  declarator->range = range;
  declarator->name = name;
  declarator->stars = stars;
  return declarator;
}

RspType rsp_litmus_int_type (void) {
  return (RspType){ .bits = 32, .is_signed = TRUE, .space = RSP_SPACE_PRIVATE };
}

RspType rsp_litmus_number_type (LitmusNumber number) {
  return (
      RspType){ .bits = number.bits, .is_signed = number.is_signed, .space = RSP_SPACE_PRIVATE };
}

RspType rsp_litmus_null_type (void) {
  return (RspType){ .pointers = 1, .is_signed = TRUE, .space = RSP_SPACE_PRIVATE };
}

RspType rsp_litmus_type (const LitmusSpecs *specs, guint pointers) {
  pointers = MIN (pointers + specs->pointers, LITMUS_MAX_POINTERS);
  RspType type = rsp_litmus_int_type ();
  if (specs->base) {
    type.bits = (guint8) specs->base->value;
    type.is_signed = specs->base->flag;
  }
  if (specs->size)
    type.bits = (guint8) specs->size->value;
  if (specs->sign)
    type.is_signed = specs->sign->flag;
  type.pointers = (guint8) pointers;
  type.is_atomic = (specs->qualifiers & LITMUS_ATOMIC) != 0;
  type.is_volatile = (specs->qualifiers & LITMUS_VOLATILE) != 0;
  if (specs->space) {
    type.space = (RspSpace) specs->space->value;
    type.fine_grained = specs->space->flag;
  }
  return type;
}

const char *rsp_litmus_type_spelling (RspArena *arena, const LitmusSpecs *specs, guint pointers,
                                      gboolean is_c) {
  char stars[LITMUS_MAX_POINTERS + 1] = "";
  memset (stars, '*', MIN (pointers + specs->pointers, LITMUS_MAX_POINTERS));
  gboolean linux_type = specs->base && g_str_equal (specs->base->word, "atomic_t");
  gboolean is_atomic = (specs->qualifiers & LITMUS_ATOMIC) && !linux_type;
  gboolean is_volatile = (specs->qualifiers & LITMUS_VOLATILE) != 0;
  gboolean is_const = (specs->qualifiers & LITMUS_CONST) != 0;
  gboolean after = is_c && is_atomic; /* `volatile` */
  g_autofree char *spelling = g_strconcat (
      specs->space ? specs->space->spelling : "", specs->space ? " " : "",
      is_volatile && !after ? "volatile " : "", is_const && !is_c ? "const " : "",
      is_atomic ? "_Atomic " : "", specs->spelling ? specs->spelling : "int",
      is_volatile && after ? " volatile" : "", is_const && is_c ? " const" : "", stars, NULL);
  return rsp_arena_strdup (arena, spelling);
}

char *rsp_litmus_type_name (RspType type) {
  static const char *const names[][2] = { { "unsigned char", "char" },
                                          { "unsigned short", "short" },
                                          { "unsigned int", "int" },
                                          { "unsigned long", "long" } };
  char stars[G_MAXUINT8 + 1] = "";
  memset (stars, '*', type.pointers);
  const char *base = type.bits == 0   ? "void"
                     : type.bits == 1 ? "bool"
                                      : names[g_bit_storage (type.bits) - 4][type.is_signed];
  return g_strconcat (type.is_atomic && type.pointers ? "atomic " : "", base, stars, NULL);
}
