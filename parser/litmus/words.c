/* Words and types of tests in OpenCL and C. */
#include "base/base.h"
#include "parser/litmus/litmus.h"

#include <string.h>

/* ---- Words ---------------------------------------------------------------------------------- */

static const LitmusTypeWord type_words[] = {
#define TYPE(word, kind, value, flag, spelling) { word, LITMUS_TYPE_##kind, value, flag, spelling },
#include "parser/litmus/words.def"
};

/* A word and the value of an enumeration that it denotes. */
typedef struct Word {
  const char *word;
  guint value;
} Word;

static const Word orders[] = {
#define ORDER(word, value) { word, value },
#include "parser/litmus/words.def"
  { NULL, 0 }
};

static const Word scopes[] = {
#define SCOPE(word, value) { word, value },
#include "parser/litmus/words.def"
  { NULL, 0 }
};

static const Word flags[] = {
#define FLAG(word, value) { word, value },
#include "parser/litmus/words.def"
  { NULL, 0 }
};

static const Word levels[] = {
#define LEVEL(word, value) { word, value },
#include "parser/litmus/words.def"
  { NULL, 0 }
};

typedef struct Call {
  const char *name, *short_name;
  RspCallKind kind;
  RspOperator op;
  gboolean weak;
  const char *plain, *with_order;
} Call;

static const Call calls[] = {
#define CALL(name, short_name, kind, op, weak, plain, with_order)                                  \
  { name, short_name, RSP_CALL_##kind, RSP_OP_##op, weak, plain, with_order },
#include "parser/litmus/words.def"
};

static gpointer index_type_words (gpointer unused) {
  (void) unused;
  RspWordIndex *index = rsp_word_index_new (G_N_ELEMENTS (type_words));
  for (gsize i = 0; i < G_N_ELEMENTS (type_words); i++)
    rsp_word_index_add (index, type_words[i].word, &type_words[i]);
  return index;
}

const LitmusTypeWord *rsp_litmus_type_word (const char *word) {
  static GOnce once = G_ONCE_INIT;
  return rsp_word_index_find (g_once (&once, index_type_words, NULL), word);
}

static gboolean find_word (const Word *table, const char *word, guint *value) {
  for (; table->word; table++)
    if (word[0] == table->word[0] && strcmp (table->word, word) == 0) {
      *value = table->value;
      return TRUE;
    }
  return FALSE;
}

static const char *canonical_word (const Word *table, guint value) {
  for (; table->word; table++)
    if (table->value == value)
      return table->word;
  return NULL;
}

/* The prefixes that the long and the short words of a table share. */
static const struct {
  const char *full, *brief;
} prefixes[] = { { "memory_order_", "mo_" }, { "memory_scope_", "s_" } };

static char *hint_from_table (const Word *table, const char *word) {
  gsize prefix = 0; /* only the rest counts when words are compared */
  for (gsize i = 0; i < G_N_ELEMENTS (prefixes) && !prefix; i++) {
    if (!g_str_has_prefix (word, prefixes[i].full))
      continue;
    prefix = strlen (prefixes[i].full);
    /* A mixture of the long form and the short one: `memory_order_rel`. */
    g_autofree char *brief = g_strconcat (prefixes[i].brief, word + prefix, NULL);
    guint value;
    if (find_word (table, brief, &value))
      return g_strdup_printf ("did you mean `%s`?", canonical_word (table, value));
  }
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (; table->word; table++)
    if (strncmp (table->word, word, prefix) == 0)
      g_ptr_array_add (names, (gpointer) (table->word + prefix));
  g_ptr_array_add (names, NULL);
  const char *nearest = rsp_nearest (word + prefix, (const char *const *) names->pdata);
  return nearest ? g_strdup_printf ("did you mean `%.*s%s`?", (int) prefix, word, nearest) : NULL;
}

gboolean rsp_litmus_order_word (const char *word, RspOrder *order) {
  guint value;
  if (!find_word (orders, word, &value))
    return FALSE;
  *order = (RspOrder) value;
  return TRUE;
}

gboolean rsp_litmus_scope_word (const char *word, RspScope *scope) {
  guint value;
  if (!find_word (scopes, word, &value))
    return FALSE;
  *scope = (RspScope) value;
  return TRUE;
}

gboolean rsp_litmus_flag_word (const char *word, guint *flag) {
  return find_word (flags, word, flag);
}

gboolean rsp_litmus_level_word (const char *word, RspLevel *level) {
  guint value;
  if (!find_word (levels, word, &value))
    return FALSE;
  *level = (RspLevel) value;
  return TRUE;
}

/* Removes suffix from the end of name (length *length). */
static gboolean strip_suffix (const char *name, gsize *length, const char *suffix) {
  gsize n = strlen (suffix);
  if (*length <= n || strncmp (name + *length - n, suffix, n) != 0)
    return FALSE;
  *length -= n;
  return TRUE;
}

static gboolean equals (const char *name, gsize length, const char *word) {
  return strlen (word) == length && strncmp (name, word, length) == 0;
}

static gboolean find_call (const char *name, gsize length, LitmusCallForm *form) {
  gboolean with_order
      = strip_suffix (name, &length, "_explicit") || strip_suffix (name, &length, "_exp");
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++) {
    const Call *call = &calls[i];
    const char *arguments = with_order ? call->with_order : call->plain;
    if (!arguments
        || (!equals (name, length, call->name) && !equals (name, length, call->short_name)))
      continue;
    *form = (LitmusCallForm){
      .kind = call->kind, .op = call->op, .weak = call->weak, .arguments = arguments
    };
    return TRUE;
  }
  return FALSE;
}

/* TRUE if a name of a call continues like this, or probably should. */
static gboolean is_of_a_call (const char *word) {
  static const char *const parts[]
      = { "explicit", "exp",    "add", "sub",  "or",      "xor",     "and",     "min",     "max",
          "exchange", "strong", "set", "weak", "acquire", "release", "relaxed", "seq_cst", NULL };
  /* The shipped models' own word needs no search. */
  return strcmp (word, "remote") != 0
         && (rsp_nearest (word, parts) || rsp_nearest (word, rsp_litmus_other_operations));
}

gboolean rsp_litmus_call_form (const char *name, LitmusCallForm *form) {
  gsize length = strlen (name);
  if (find_call (name, length, form))
    return TRUE;
  /* The longest name of a call, and a word behind it. */
  while (length-- > 1)
    if (name[length] == '_' && find_call (name, length, form)) {
      form->word = name + length + 1;
      form->is_doubtful = is_of_a_call (form->word);
      return g_ascii_isalpha (*form->word);
    }
  return FALSE;
}

char *rsp_litmus_order_hint (const char *word) {
  char *hint = hint_from_table (orders, word);
  if (hint || !g_str_has_prefix (word, prefixes[0].full))
    return hint;
  GString *all = g_string_new ("the orders are");
  for (const Word *order = orders; order->word; order++)
    if (g_str_has_prefix (order->word, prefixes[0].full))
      g_string_append_printf (all, "%s `%s`", all->str[all->len - 1] == '`' ? "," : "",
                              order->word);
  return g_string_free (all, FALSE);
}

char *rsp_litmus_scope_hint (const char *word) { return hint_from_table (scopes, word); }

const char *rsp_litmus_own_word (const char *name, gboolean is_scope) {
  const char *const both[] = { prefixes[is_scope].full, prefixes[is_scope].brief };
  g_autofree char *hint = hint_from_table (is_scope ? scopes : orders, name);
  for (gsize i = 0; !hint && i < G_N_ELEMENTS (both); i++)
    if (g_str_has_prefix (name, both[i]) && g_ascii_isalpha (name[strlen (both[i])]))
      return name + strlen (both[i]);
  return NULL;
}

char *rsp_litmus_flag_hint (const char *word) { return hint_from_table (flags, word); }

char *rsp_litmus_level_hint (const char *word) { return hint_from_table (levels, word); }

static void add_forms (GPtrArray *names, const char *name, gboolean has_explicit) {
  g_ptr_array_add (names, g_strdup (name));
  if (has_explicit)
    g_ptr_array_add (names, g_strconcat (name, "_explicit", NULL));
}

void rsp_litmus_add_calls (GPtrArray *names, gboolean brief) {
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++) {
    add_forms (names, calls[i].name, calls[i].with_order != NULL);
    if (brief)
      add_forms (names, calls[i].short_name, calls[i].with_order != NULL);
  }
}

/* Calls in other dialects, which tests from elsewhere may contain. */
static const struct {
  const char *name, *hint;
} foreign_calls[] = {
  { "lock", LITMUS_LOCK_HINT },
  { "unlock", LITMUS_LOCK_HINT },
  { "trylock", LITMUS_LOCK_HINT },
  { "mtx_lock", LITMUS_LOCK_HINT },
  { "mtx_unlock", LITMUS_LOCK_HINT },
  { "pthread_mutex_lock", LITMUS_LOCK_HINT },
  { "pthread_mutex_unlock", LITMUS_LOCK_HINT },
  { "spin_lock", LITMUS_LOCK_HINT },
  { "spin_unlock", LITMUS_LOCK_HINT },
  { "READ_ONCE", "in C11: `atomic_load_explicit (&x, memory_order_relaxed)`" },
  { "WRITE_ONCE", "in C11: `atomic_store_explicit (&x, v, memory_order_relaxed)`" },
  { "smp_load_acquire", "in C11: `atomic_load_explicit (p, memory_order_acquire)`" },
  { "smp_store_release", "in C11: `atomic_store_explicit (p, v, memory_order_release)`" },
  { "smp_mb", "in C11: `atomic_thread_fence (memory_order_seq_cst)`" },
  { "smp_rmb", "in C11: `atomic_thread_fence (memory_order_acquire)`" },
  { "smp_wmb", "in C11: `atomic_thread_fence (memory_order_release)`" },
  { "atomic_compare_exchange", "there are `atomic_compare_exchange_strong` and `…_weak`" },
  { "xchg", "in C11: `atomic_exchange (p, v)`" },
};

const char *const rsp_litmus_other_operations[]
    = { "nand", "nor", "not", "neg", "inc", "dec", "mul", "div", "mod", "wait", "test", NULL };

char *rsp_litmus_call_hint (const char *name) {
  for (gsize i = 0; i < G_N_ELEMENTS (foreign_calls); i++)
    if (strcmp (foreign_calls[i].name, name) == 0)
      return g_strdup (foreign_calls[i].hint);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  rsp_litmus_add_calls (names, TRUE);
  g_ptr_array_add (names, g_strdup ("barrier"));
  g_ptr_array_add (names, g_strdup ("work_group_barrier"));
  g_ptr_array_add (names, NULL);
  return rsp_did_you_mean_words (name, (const char *const *) names->pdata,
                                 rsp_litmus_other_operations);
}

const char *rsp_order_name (RspOrder order) {
  if (order == RSP_ORDER_NA)
    return "na";
  return canonical_word (orders, order);
}

const char *rsp_scope_name (const RspWords *words, RspScope scope) {
  const char *known = canonical_word (scopes, scope);
  return known ? known : words->scopes[rsp_scopes[scope].level];
}

/* ---- Types ---------------------------------------------------------------------------------- */

/* Types as declarations spell them. */

/* Reports two words that do not make a type together. */
static void report_clash (LitmusParser *parser, TokenRange range, const char *before,
                          const char *word) {
  rsp_error (parser->diagnostics, rsp_litmus_span (parser, range), NULL,
             "found `%s` after `%s`, which do not make a type together", word, before);
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
  specs->spelling = specs->spelling
                        ? rsp_arena_printf (parser->arena, "%s %s", specs->spelling, word->spelling)
                        : word->spelling;
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

void rsp_litmus_specs_merge (LitmusParser *parser, LitmusSpecs *specs, const LitmusSpecs *inner,
                             TokenRange range) {
  const LitmusTypeWord *words[] = { inner->space, inner->sign, inner->size,
                                    inner->n_long > 1 ? inner->size : NULL, inner->base };
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    if (words[i])
      rsp_litmus_specs_add (parser, specs, words[i], inner->range);
  specs->qualifiers |= inner->qualifiers;
  specs->pointers += inner->pointers;
  specs->range.end = range.end;
}

void rsp_litmus_check_void (LitmusParser *parser, TokenRange range, const char *word) {
  if (strcmp (word, "void") != 0)
    rsp_error (parser->diagnostics, rsp_litmus_span (parser, range), NULL,
               "found `%s`, expected a thread (`P0 (…) { … }`): threads return no value", word);
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
