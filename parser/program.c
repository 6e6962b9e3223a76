/* Resolved programs: languages, scopes, propositions, text, hash; and C's arithmetic. */
#include "base/base.h"
#include "parser/language.h"
#include "parser/program.h"

#include <string.h>

/* ---- Language ------------------------------------------------------------------------------- */

enum {
#define RSP_LANGUAGE(id, ...) id = 1u << RSP_LANGUAGE_##id,
#include "parser/languages.def"
};

const RspLanguage rsp_languages[RSP_N_LANGUAGES] = {
#define RSP_LANGUAGE(id, ...) { RSP_LANGUAGE_##id, __VA_ARGS__ },
#include "parser/languages.def"
};

const RspLanguage rsp_kernel_language
    = { RSP_LANGUAGE_OPENCL,    .word = "OpenCL",         .default_model = "opencl_rem.cat",
        .scoped = TRUE,         .rmw = RSP_RMW_ONE_EVENT, .counts_loops = TRUE,
        .round_barriers = TRUE, .only_barriers = TRUE };

const RspLanguage rsp_shader_language
    = { RSP_LANGUAGE_VULKAN,     .word = "Vulkan",          .default_model = "vulkan.cat",
        .scoped = TRUE,          .rmw = RSP_RMW_TWO_EVENTS, .tagged = TRUE,
        .undefined_flags = TRUE, .failing_reads = TRUE,     .counts_loops = TRUE,
        .round_barriers = TRUE };

const RspTagWords rsp_tags[RSP_N_TAGS] = {
#define RSP_TAG(id, languages, text) { #id, text, languages },
#include "parser/languages.def"
};

const RspLanguageLevel rsp_language_levels[RSP_N_LANGUAGE_LEVELS] = {
#define RSP_LANGUAGE_LEVEL(language, level, word, place, tag)                                      \
  { RSP_LANGUAGE_##language, RSP_LEVEL_##level, word, place, RSP_TAG_##tag },
#include "parser/languages.def"
};

const char *rsp_program_default_model (const RspProgram *program) {
  const RspLanguage *language = program->language;
  return program->newer ? language->newer_model : language->default_model;
}

/* ---- Scopes --------------------------------------------------------------------------------- */

const RspScopeWords rsp_scopes[RSP_N_ALL_SCOPES] = {
#define RSP_SCOPE(id, level, word, text, short_word, set, relation)                                \
  [RSP_SCOPE_##id] = { word, text, short_word, RSP_LEVEL_##level },
#define RSP_OWN_LEVEL(id) [RSP_SCOPE_##id] = { "", "", "", RSP_LEVEL_##id },
#include "parser/scopes.def"
};

enum { APART, SHARED };

enum { ALWAYS, IF_NEEDED };

const RspLevelWords rsp_levels[RSP_N_LEVELS] = {
#define RSP_LEVEL(id, relation, word, text, short_word, in_tree, elsewhere, printed)               \
  [RSP_LEVEL_##id] = { word, text, short_word, in_tree, elsewhere, printed, 0 },
#define RSP_OWN_LEVEL(id) [RSP_LEVEL_##id] = { "", "", "", APART, APART, ALWAYS, RSP_WORD_##id },
#include "parser/scopes.def"
};

gboolean rsp_scope_is_wider (RspScope a, RspScope b) {
  RspLevel x = rsp_scopes[a].level, y = rsp_scopes[b].level;
  return x != y && y != RSP_LEVEL_SYSTEM && (x == RSP_LEVEL_SYSTEM || x < y);
}

guint rsp_scope_node (const RspProgram *program, guint thread, RspScope scope) {
  RspLevel level = rsp_scopes[scope].level;
  if (level == RSP_LEVEL_THREAD)
    return thread;
  return level == RSP_LEVEL_SYSTEM ? 0 : program->threads[thread].place[level];
}

void rsp_program_fill_levels (RspProgram *program) {
  for (guint level = RSP_N_LEVELS; level-- > 0;)
    for (guint t = 0; t < program->n_threads; t++)
      if (rsp_levels[level].own && !program->words.scopes[level]) {
        RspThread *thread = &program->threads[t];
        thread->place[level] = level + 1 < RSP_N_LEVELS ? thread->place[level + 1] : t;
      }
}

/* ---- All trees ---- */
typedef struct Trees {
  guint n, common; /* levels (bits) of which two threads may have their innermost common node */
  gboolean apart;  /* may they have none? */
  RspNodes nodes[RSP_TREE_THREADS];
  gboolean (*visit) (gpointer data, const RspNodes *nodes);
  gpointer data;
} Trees;

/* The first thread in thread t's node of a level. */
static guint first_there (const Trees *trees, guint t, guint level) {
  guint first = 0;
  while (trees->nodes[first][level] != trees->nodes[t][level])
    first++;
  return first;
}

static gboolean put_thread (Trees *trees, guint thread);

/* Puts a thread into the nodes of thread `near` at the levels outside `apart`, and into new ones
 * from there on. */
static gboolean put_near (Trees *trees, guint thread, guint near, guint apart) {
  memcpy (trees->nodes[thread], trees->nodes[near], sizeof (RspNodes));
  for (guint level = apart; level < RSP_N_LEVELS; level++) {
    guint8 used = 0; /* nodes of the level that earlier threads are in */
    for (guint t = 0; t < thread; t++)
      used += first_there (trees, t, level) == t;
    trees->nodes[thread][level] = used;
  }
  return put_thread (trees, thread + 1);
}

/* Puts a thread next to the earlier ones, the innermost common node first; then apart from all. */
static gboolean put_thread (Trees *trees, guint thread) {
  if (thread == trees->n)
    return trees->visit (trees->data, trees->nodes);
  for (guint level = RSP_N_LEVELS; level-- > 0;)
    for (guint t = 0; (trees->common >> level & 1) && t < thread; t++)
      if (first_there (trees, t, level) == t && !put_near (trees, thread, t, level + 1))
        return FALSE;
  return (thread && !trees->apart) || put_near (trees, thread, thread, 0);
}

/* Do all threads in a node of the level outside share the level's, unless trees differ there? */
static gboolean is_shared (const RspLanguage *language, guint level) {
  return level < RSP_N_LEVELS && rsp_levels[level].shared_elsewhere
         && !(language->optional_levels >> level & 1);
}

gboolean rsp_trees_each (const RspLanguage *language, guint n, guint levels,
                         gboolean (*visit) (gpointer data, const RspNodes *nodes), gpointer data) {
  g_return_val_if_fail (n <= RSP_TREE_THREADS, TRUE);
  Trees trees = { .n = n, .apart = levels & 1, .visit = visit, .data = data };
  for (guint level = 0; level < RSP_N_LEVELS; level++)
    if ((levels >> level & 1 || is_shared (language, level))
        && (levels >> (level + 1) & 1 || !is_shared (language, level + 1)))
      trees.common |= 1u << level;
  return put_thread (&trees, 0);
}

/* ---- The tree as text ---- */
/* NULL: a language with tags has no such level, or the language has none. */
static const RspLanguageLevel *language_level (const RspLanguage *language, guint level) {
  for (guint i = 0; language->tagged && i < RSP_N_LANGUAGE_LEVELS; i++)
    if (rsp_language_levels[i].language == language->id && rsp_language_levels[i].level == level)
      return &rsp_language_levels[i];
  return NULL;
}

/* The word for a level in the test; NULL: it has no such level. */
static const char *level_word (const RspProgram *program, guint level) {
  const RspLanguageLevel *own = language_level (program->language, level);
  return own                         ? own->place
         : rsp_levels[level].own     ? rsp_words_level (&program->words, level)
         : program->language->tagged ? NULL
                                     : rsp_levels[level].word;
}

const char *rsp_level_text (const RspProgram *program, guint level) {
  const RspLanguageLevel *own = language_level (program->language, level);
  return own                                                  ? own->word
         : program->language->tagged || rsp_levels[level].own ? level_word (program, level)
                                                              : rsp_levels[level].text;
}

gboolean rsp_program_joins (const RspProgram *program, guint level) {
  const RspThread *threads = program->threads;
  for (guint t = 0; t < program->n_threads; t++)
    for (guint s = 0; s < t; s++)
      if (threads[s].place[level] == threads[t].place[level]
          && threads[s].place[level + 1] != threads[t].place[level + 1])
        return TRUE;
  return FALSE;
}

/* Would a reader fill in the thread's node of a level? Yes for a shared one that is the only one in
 * the node around it, for one around a single thread, and for an optional one that joins nothing.
 */
static gboolean is_filled_in (const RspProgram *program, const RspThread *thread, guint level) {
  if (program->language->tagged || !rsp_levels[level].if_needed)
    return !level_word (program, level)
           || (program->language->optional_levels >> level & 1
               && !rsp_program_joins (program, level));
  for (guint i = 0; i < program->n_threads; i++) {
    const RspThread *other = &program->threads[i];
    gboolean together = other->place[level] == thread->place[level];
    if (rsp_levels[level].shared_in_tree
            ? !together && other->place[level - 1] == thread->place[level - 1]
            : together && other != thread)
      return FALSE;
  }
  return TRUE;
}

/* Is the thread the first one of its node of the level, in its node of the level outside? */
static gboolean is_first (const RspProgram *program, const RspThread *thread, guint level) {
  const RspThread *other = program->threads;
  while (other->place[level] != thread->place[level]
         || (level && other->place[level - 1] != thread->place[level - 1]))
    other++;
  return other == thread;
}

/* Appends the nodes of a level that lie in the same node as `around` at the level outside it. A
 * node is placed by its first thread. */
static void format_level (const RspProgram *program, const RspThread *around, guint level,
                          GString *out) {
  for (guint i = 0; i < program->n_threads; i++) {
    const RspThread *thread = &program->threads[i];
    if (around && thread->place[level - 1] != around->place[level - 1])
      continue;
    if (level == RSP_LEVEL_THREAD) {
      g_string_append_c (out, ' ');
      g_string_append (out, thread->name);
      continue;
    }
    if (!is_first (program, thread, level))
      continue;
    gboolean filled_in = is_filled_in (program, thread, level);
    if (!filled_in)
      g_string_append_printf (out, "%s(%s", out->len ? " " : "", level_word (program, level));
    format_level (program, thread, level + 1, out);
    if (!filled_in)
      g_string_append_c (out, ')');
  }
}

char *rsp_program_format_scopes (const RspProgram *program) {
  GString *text = g_string_new (NULL);
  format_level (program, NULL, 0, text);
  return g_string_free (text, FALSE);
}

/* ---- Proposition ---------------------------------------------------------------------------- */

RspProp *rsp_prop_new (RspArena *arena, RspPropKind kind, RspSpan span, RspProp *a, RspProp *b) {
  RspProp *prop = rsp_arena_new0 (arena, RspProp, 1);
  prop->kind = kind;
  prop->span = span;
  prop->a = a;
  prop->b = b;
  return prop;
}

/* ---- Truth ---- */
RspTruth rsp_prop_truth (const RspProp *prop, RspAtomTruth atom, gpointer data) {
  switch (prop->kind) {
  case RSP_PROP_TRUE:
    return RSP_HOLDS;
  case RSP_PROP_FALSE:
    return RSP_FAILS;
  case RSP_PROP_ATOM:
    return atom (prop, data);
  case RSP_PROP_NOT:
    return rsp_truth_not (rsp_prop_truth (prop->a, atom, data));
  default:
    break;
  }
  RspTruth decisive = prop->kind == RSP_PROP_AND ? RSP_FAILS : RSP_HOLDS;
  RspTruth a = rsp_prop_truth (prop->a, atom, data);
  if (prop->kind == RSP_PROP_IMPLIES)
    a = rsp_truth_not (a);
  if (a == decisive)
    return decisive;
  RspTruth b = rsp_prop_truth (prop->b, atom, data);
  return b == decisive || a != RSP_OPEN ? b : RSP_OPEN;
}

/* ---- Numbers ---- */
void rsp_prop_renumber (const RspProgram *program, RspProp *prop, const guint *numbers) {
  if (!prop)
    return;
  RspOperand *const operands[] = { &prop->left, &prop->right };
  for (guint i = 0; i < G_N_ELEMENTS (operands); i++)
    if (operands[i]->is_observable) {
      guint number = operands[i]->observable = numbers[operands[i]->observable];
      operands[i]->type = *rsp_observable_type (program, &program->observables[number]);
    }
  rsp_prop_renumber (program, prop->a, numbers);
  rsp_prop_renumber (program, prop->b, numbers);
}

/* ---- More observables ---- */
gint rsp_observables_compare (gconstpointer a, gconstpointer b) {
  const RspObservable *x = a, *y = b;
  if (x->is_register != y->is_register)
    return x->is_register ? -1 : 1;
  if (x->is_register && x->thread != y->thread)
    return x->thread < y->thread ? -1 : 1;
  return strcmp (x->name, y->name);
}

/* The number of the observable of a name; their number if there is none. */
static guint find_observable (const RspProgram *program, const char *name) {
  guint i = 0;
  while (i < program->n_observables && strcmp (program->observables[i].name, name) != 0)
    i++;
  return i;
}

static RspProp *copy_prop (RspArena *arena, const RspProp *prop) {
  if (!prop)
    return NULL;
  RspProp *copy = rsp_arena_copy (arena, prop, sizeof *prop);
  copy->a = copy_prop (arena, prop->a);
  copy->b = copy_prop (arena, prop->b);
  return copy;
}

const RspProgram *rsp_program_show_reads (const RspProgram *program, RspArena *arena) {
  RspProgram *more = rsp_arena_copy (arena, program, sizeof *program);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (RspObservable));
  g_array_append_vals (all, program->observables, program->n_observables);
  for (guint t = 0; t < program->n_threads; t++)
    for (guint r = 0; r < program->threads[t].n_registers; r++) {
      const RspRegister *reg = &program->threads[t].registers[r];
      g_autofree char *name = g_strdup_printf ("%u:%s", program->threads[t].number, reg->name);
      more->n_observables = all->len;
      more->observables = (RspObservable *) (gpointer) all->data;
      if (!reg->receives || find_observable (more, name) < all->len)
        continue;
      RspObservable own = { TRUE, .thread = t, .reg = r, .name = rsp_arena_strdup (arena, name) };
      g_array_append_val (all, own);
    }
  qsort (all->data, all->len, sizeof (RspObservable), rsp_observables_compare);
  more->n_observables = all->len;
  more->observables = rsp_arena_copy (arena, all->data, all->len * sizeof (RspObservable));
  more->filter_only = rsp_arena_new0 (arena, guint8, all->len + 1);
  g_autofree guint *numbers = g_new (guint, program->n_observables + 1);
  for (guint i = 0; i < program->n_observables; i++) {
    numbers[i] = find_observable (more, program->observables[i].name);
    const RspObservable *own = &program->observables[i];
    gboolean receives
        = own->is_register && program->threads[own->thread].registers[own->reg].receives;
    more->filter_only[numbers[i]] = program->filter_only[i] && !receives;
  }
  more->condition = copy_prop (arena, program->condition);
  more->filter = copy_prop (arena, program->filter);
  rsp_prop_renumber (more, more->condition, numbers);
  rsp_prop_renumber (more, more->filter, numbers);
  return more;
}

/* ---- Contradiction ---- */
/* Propositions that contradict themselves. What is observed may have any value: one that the
 * proposition names, or one that is new; more are not needed to make equations true or false. */

enum { MOST_STEPS = 20000 };

typedef struct Value {
  gboolean is_new; /* unlike all that the proposition names */
  gint64 value;    /* or its number, if it is new */
} Value;

typedef struct Search {
  const RspProgram *program;
  const RspProp *prop;
  GArray *named;  /* of gint64 */
  Value *values;  /* of the first observables */
  guint n_values; /* how many of them have one */
  guint steps;
} Search;

static void add_named (const RspProp *prop, GArray *named) {
  if (!prop)
    return;
  if (prop->kind == RSP_PROP_ATOM && !prop->right.is_observable)
    g_array_append_val (named, prop->right.constant);
  add_named (prop->a, named);
  add_named (prop->b, named);
}

static gboolean are_one_type (const RspProgram *program, const RspOperand *a, const RspOperand *b) {
  const RspType *x = rsp_observable_type (program, &program->observables[a->observable]);
  const RspType *y = rsp_observable_type (program, &program->observables[b->observable]);
  return x->bits == y->bits && x->is_signed == y->is_signed && !x->pointers == !y->pointers;
}

/* Only equations of equal types are decided. */
static RspTruth atom_truth (const RspProp *atom, gpointer data) {
  const Search *search = data;
  const RspOperand *left = &atom->left, *right = &atom->right;
  if (!left->is_observable || (atom->op != RSP_OP_EQ && atom->op != RSP_OP_NE)
      || left->observable >= search->n_values)
    return RSP_OPEN;
  const Value *a = &search->values[left->observable];
  Value b = { FALSE, right->constant };
  if (right->is_observable) {
    if (right->observable >= search->n_values || !are_one_type (search->program, left, right))
      return RSP_OPEN;
    b = search->values[right->observable];
  }
  gboolean equal = a->is_new == b.is_new && a->value == b.value;
  return rsp_truth (equal == (atom->op == RSP_OP_EQ));
}

static gboolean is_value_of (const Search *search, guint observable, gint64 value) {
  const RspProgram *program = search->program;
  const RspType *type = rsp_observable_type (program, &program->observables[observable]);
  return rsp_is_address (value)
         || rsp_wrap (value, rsp_type_bits (type), rsp_type_is_signed (type)) == value;
}

static gboolean can_hold (Search *search);

/* With this value for the next observable. */
static gboolean can_hold_with (Search *search, Value value) {
  search->values[search->n_values++] = value;
  gboolean holds = can_hold (search);
  search->n_values--;
  return holds;
}

static gboolean can_hold (Search *search) {
  RspTruth truth = rsp_prop_truth (search->prop, atom_truth, search);
  guint next = search->n_values;
  if (truth != RSP_OPEN || next == search->program->n_observables || search->steps++ >= MOST_STEPS)
    return truth != RSP_FAILS;
  for (guint i = 0; i <= next; i++)
    if (can_hold_with (search, (Value){ TRUE, i }))
      return TRUE;
  for (guint i = 0; i < search->named->len; i++) {
    gint64 value = g_array_index (search->named, gint64, i);
    if (is_value_of (search, next, value) && can_hold_with (search, (Value){ FALSE, value }))
      return TRUE;
  }
  return FALSE;
}

gboolean rsp_prop_is_contradiction (const RspProgram *program, const RspProp *prop) {
  g_autoptr (GArray) named = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autofree Value *values = g_new0 (Value, program->n_observables + 1);
  add_named (prop, named);
  Search search = { .program = program, .prop = prop, .named = named, .values = values };
  return !can_hold (&search);
}

/* ---- Text ---- */
/* How tightly a proposition binds. */
static guint strength (const RspProp *prop) {
  switch (prop->text ? RSP_PROP_ATOM : prop->kind) {
  case RSP_PROP_OR:
    return 0;
  case RSP_PROP_AND:
    return 1;
  case RSP_PROP_IMPLIES:
    return 2;
  default:
    return 3;
  }
}

/* Formats with a word before a negation's parenthesis. */
static void format_with (const RspProp *prop, const char *negation, GString *out);

/* An operand of `outer`, in parentheses if it binds less tightly than `least`. Also, as in herd's
 * logs, if it is an implication inside of another connective, where readers forget that `=>` binds
 * tighter. */
static void format_member (const RspProp *prop, const RspProp *outer, guint least,
                           const char *negation, GString *out) {
  gboolean parentheses = strength (prop) < least
                         || (prop->kind == RSP_PROP_IMPLIES && outer->kind != RSP_PROP_IMPLIES);
  if (parentheses)
    g_string_append_c (out, '(');
  format_with (prop, negation, out);
  if (parentheses)
    g_string_append_c (out, ')');
}

static void format_with (const RspProp *prop, const char *negation, GString *out) {
  static const char *const joints[]
      = { [RSP_PROP_AND] = " /\\ ", [RSP_PROP_OR] = " \\/ ", [RSP_PROP_IMPLIES] = " => " };
  if (prop->text) {
    g_string_append (out, prop->text);
    return;
  }
  switch (prop->kind) {
  case RSP_PROP_TRUE:
  case RSP_PROP_FALSE:
    g_string_append (out, prop->kind == RSP_PROP_TRUE ? "true" : "false");
    break;
  case RSP_PROP_ATOM: { /* herd's log readers do not know `!=`. */
    static const char *const operators[]
        = { [RSP_OP_EQ] = "=",  [RSP_OP_NE] = "=", [RSP_OP_LT] = "<",
            [RSP_OP_LE] = "<=", [RSP_OP_GT] = ">", [RSP_OP_GE] = ">=" };
    gboolean unequal = prop->op == RSP_OP_NE;
    if (unequal)
      g_string_append_printf (out, "%s(", negation);
    g_string_append (out, prop->left.text);
    g_string_append (out, operators[prop->op]);
    g_string_append (out, prop->right.text);
    if (unequal)
      g_string_append_c (out, ')');
    break;
  }
  case RSP_PROP_NOT:
    g_string_append_printf (out, "%s(", negation);
    format_with (prop->a, negation, out);
    g_string_append_c (out, ')');
    break;
  default:
    format_member (prop->a, prop, strength (prop) + (prop->kind == RSP_PROP_IMPLIES), negation,
                   out);
    g_string_append (out, joints[prop->kind]);
    format_member (prop->b, prop, strength (prop), negation, out);
  }
}

void rsp_prop_format (const RspProp *prop, GString *out) {
  format_with (prop, "not ", out); /* herd's word */
}

char *rsp_condition_format (RspQuantifier quantifier, const RspProp *prop, const char *negation) {
  static const char *const words[] = { "exists", "~exists", "forall" };
  GString *out = g_string_new (words[quantifier]);
  g_string_append (out, " (");
  format_with (prop, negation, out);
  g_string_append_c (out, ')');
  return g_string_free (out, FALSE);
}

/* ---- Format --------------------------------------------------------------------------------- */

/* Values and conditions as the log prints them. */

/* Registers whose addresses are taken are objects numbered after all locations, thread by
 * thread. */
static void format_register (const RspProgram *program, guint object, GString *out) {
  guint reg = object - program->n_locations;
  for (guint i = 0; i < program->n_threads; i++) {
    const RspThread *thread = &program->threads[i];
    if (reg < thread->n_registers) {
      g_string_append_printf (out, "&%u:%s", thread->number, thread->registers[reg].name);
      return;
    }
    reg -= thread->n_registers;
  }
  g_string_append (out, "&?");
}

/* There are many states, and most values are short: this takes a tenth of printf's time. */
static void append_decimal (guint64 magnitude, gboolean negative, GString *out) {
  char digits[21];
  guint at = sizeof digits;
  do
    digits[--at] = (char) ('0' + magnitude % 10);
  while (magnitude /= 10);
  if (negative)
    digits[--at] = '-';
  for (; at < sizeof digits; at++)
    g_string_append_c (out, digits[at]);
}

void rsp_number_format (gint64 number, GString *out) {
  append_decimal (number < 0 ? -(guint64) number : (guint64) number, number < 0, out);
}

void rsp_program_format_value (const RspProgram *program, const RspType *type, gint64 value,
                               GString *out) {
  gboolean is_unsigned = type->bits == 64 && !type->is_signed && !type->pointers;
  if (type->is_mbarrier && value) {
    /* "phase 1, 2 pending, tx -16" */
    gint64 tx
        = ((value & (RSP_MBARRIER_EXPECTED - 1)) - RSP_MBARRIER_COMPLETE) >> RSP_MBARRIER_TX_SHIFT;
    g_string_append_printf (out, "phase %d, %d pending", (int) (value >> RSP_MBARRIER_PHASE_SHIFT),
                            (int) (value & RSP_MBARRIER_MOST_ARRIVALS));
    if (tx)
      g_string_append_printf (out, ", tx %d", (int) tx);
  } else if (rsp_is_address (value) && (type->pointers || program->language->tagged)) {
    guint object = rsp_address_object (value);
    gint32 element = rsp_address_element (value);
    if (object >= program->n_locations) {
      format_register (program, object, out);
      if (element)
        g_string_append_printf (out, "%+d", element);
    } else if (element >= 0 && (guint) element < program->locations[object].n_elements)
      g_string_append (out, program->locations[object + (guint) element].name);
    else
      g_string_append_printf (out, "%s%+d", program->locations[object].name, element);
  } else if (is_unsigned)
    append_decimal ((guint64) value, FALSE, out);
  else
    rsp_number_format (value, out);
}

const RspType *rsp_observable_type (const RspProgram *program, const RspObservable *observable) {
  if (observable->is_register)
    return &program->threads[observable->thread].registers[observable->reg].type;
  return &program->locations[observable->location].type;
}

char *rsp_program_format_condition (const RspProgram *program) {
  return rsp_condition_format (program->quantifier, program->condition, "not ");
}

/* ---- Walk ----------------------------------------------------------------------------------- */

void rsp_walk_expr (const RspWalk *walk, const RspExpr *expr) {
  if (!expr)
    return;
  if (walk->expression)
    walk->expression (walk->data, expr);
  switch (expr->kind) {
  case RSP_EXPR_CONSTANT:
  case RSP_EXPR_LOCATION:
  case RSP_EXPR_REGISTER:
    return;
  case RSP_EXPR_CALL:
    rsp_walk_expr (walk, expr->u.call->object);
    rsp_walk_expr (walk, expr->u.call->expected);
    rsp_walk_expr (walk, expr->u.call->value);
    rsp_walk_expr (walk, expr->u.call->completion);
    return;
  case RSP_EXPR_BLOCK:
    rsp_walk_statement (walk, expr->u.block.body);
    rsp_walk_expr (walk, expr->u.block.value);
    return;
  default:
    rsp_walk_expr (walk, expr->u.node.a);
    rsp_walk_expr (walk, expr->u.node.b);
    rsp_walk_expr (walk, expr->u.node.c);
  }
}

void rsp_walk_statement (const RspWalk *walk, const RspStatement *statement) {
  if (!statement)
    return;
  if (walk->statement)
    walk->statement (walk->data, statement);
  rsp_walk_expr (walk, statement->expr);
  if (statement->barrier) {
    rsp_walk_expr (walk, statement->barrier->name);
    rsp_walk_expr (walk, statement->barrier->quorum);
  }
  rsp_walk_expr (walk, statement->step);
  rsp_walk_statement (walk, statement->init);
  rsp_walk_statement (walk, statement->body);
  rsp_walk_statement (walk, statement->otherwise);
  for (const RspStatement *inner = statement->first; inner; inner = inner->next)
    rsp_walk_statement (walk, inner);
}

/* ---- Arithmetic ----------------------------------------------------------------------------- */

guint8 rsp_type_bits (const RspType *type) {
  if (type->pointers)
    return 64;
  return type->bits ? type->bits : 32;
}

gboolean rsp_type_is_signed (const RspType *type) {
  if (type->pointers || type->bits == 1)
    return FALSE;
  return type->bits ? type->is_signed : TRUE;
}

gint64 rsp_wrap (gint64 value, guint8 bits, gboolean is_signed) {
  if (bits == 1)
    return value != 0;
  if (bits >= 64)
    return value;
  guint64 mask = (G_GUINT64_CONSTANT (1) << bits) - 1;
  guint64 low = (guint64) value & mask;
  if (is_signed && (low >> (bits - 1)))
    low |= ~mask;
  return (gint64) low;
}

RspWide rsp_widen (gint64 value, guint8 bits, gboolean is_signed) {
  return bits >= 64 && !is_signed ? (RspWide) (guint64) value : (RspWide) value;
}

RspWide rsp_type_low (guint8 bits, gboolean is_signed) {
  return is_signed ? -((RspWide) 1 << (bits - 1)) : 0;
}

RspWide rsp_type_high (guint8 bits, gboolean is_signed) {
  return ((RspWide) 1 << (is_signed ? bits - 1 : bits)) - 1;
}

gint64 rsp_fold_unary (RspOperator op, gint64 a, guint8 bits, gboolean is_signed) {
  guint64 value = (guint64) a;
  return rsp_wrap ((gint64) (op == RSP_OP_NEGATE ? -value : ~value), bits, is_signed);
}

gboolean rsp_compare (RspOperator op, RspWide a, RspWide b) {
  switch (op) {
  case RSP_OP_EQ:
    return a == b;
  case RSP_OP_NE:
    return a != b;
  case RSP_OP_LT:
    return a < b;
  case RSP_OP_LE:
    return a <= b;
  case RSP_OP_GT:
    return a > b;
  default:
    return a >= b;
  }
}

/* Division and shifts, which are undefined for some operands. */
static gboolean fold_partial (RspOperator op, gint64 a, gint64 b, guint8 bits, gboolean is_signed,
                              gint64 *result) {
  if (rsp_operator_is_shift (op)) {
    if (b < 0 || b >= bits)
      return FALSE;
    if (op == RSP_OP_SHL)
      *result = (gint64) ((guint64) a << b);
    else
      *result = is_signed ? a >> b : (gint64) ((guint64) a >> b);
    return TRUE;
  }
  if (b == 0)
    return FALSE;
  /* Wide values: the least value divided by -1 does not trap but wraps to itself. */
  RspWide wide = rsp_widen (a, bits, is_signed), by = rsp_widen (b, bits, is_signed);
  *result = (gint64) (guint64) (op == RSP_OP_DIV ? wide / by : wide % by);
  return TRUE;
}

/* The value of an uninterpreted function: one that no calculation gives by chance. */
static guint64 mix (guint64 x, guint64 y) {
  guint64 z = x * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) + y + 1;
  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

gboolean rsp_fold_binary (RspOperator op, gint64 a, gint64 b, guint8 bits, gboolean is_signed,
                          gint64 *result) {
  RspWide wide_a = rsp_widen (a, bits, is_signed), wide_b = rsp_widen (b, bits, is_signed);
  guint64 x = (guint64) a, y = (guint64) b, value = 0;
  gint64 partial = 0;
  switch (op) {
  case RSP_OP_ADD:
    value = x + y;
    break;
  case RSP_OP_SUB:
    value = x - y;
    break;
  case RSP_OP_MUL:
    value = x * y;
    break;
  case RSP_OP_AND:
    value = x & y;
    break;
  case RSP_OP_OR:
    value = x | y;
    break;
  case RSP_OP_XOR:
    value = x ^ y;
    break;
  case RSP_OP_MIN:
    value = wide_a <= wide_b ? x : y;
    break;
  case RSP_OP_MAX:
    value = wide_a >= wide_b ? x : y;
    break;
  case RSP_OP_EXCHANGE:
    value = y;
    break;
  case RSP_OP_APPLY:
    value = mix (x, y);
    break;
  case RSP_OP_DIV:
  case RSP_OP_MOD:
  case RSP_OP_SHL:
  case RSP_OP_SHR:
    if (!fold_partial (op, a, b, bits, is_signed, &partial))
      return FALSE;
    value = (guint64) partial;
    break;
  RSP_CASES_OF_COMPARISONS:
    *result = rsp_compare (op, wide_a, wide_b);
    return TRUE;
  RSP_CASES_WITHOUT_FOLDING:
    g_return_val_if_reached (FALSE);
  }
  *result = rsp_wrap ((gint64) value, bits, is_signed);
  return TRUE;
}

/* ---- Words ---------------------------------------------------------------------------------- */

guint rsp_call_place (RspCallKind kind) {
  switch (kind) {
  case RSP_CALL_LOAD:
  case RSP_CALL_TEST:
    return RSP_WORD_READ;
  case RSP_CALL_STORE:
  case RSP_CALL_FLAG_CLEAR:
  case RSP_CALL_INIT:
    return RSP_WORD_WRITE;
  case RSP_CALL_FENCE:
  case RSP_CALL_WAIT:
    return RSP_WORD_FENCE;
  case RSP_CALL_FETCH:
  case RSP_CALL_CAS:
  case RSP_CALL_FLAG_TEST_AND_SET:
  case RSP_CALL_SWAP:
  case RSP_CALL_COPY:
  case RSP_CALL_REDUCE:
  case RSP_CALL_FETCH_UNLESS:
  case RSP_CALL_UNLESS:
  case RSP_CALL_PHASE:
    break;
  }
  return RSP_WORD_RMW;
}

static guint word_number (const RspWords *words, const char *name) {
  guint i = 0;
  while (i < words->n && strcmp (words->names[i], name) != 0)
    i++;
  return i;
}

guint32 rsp_words_bit (const RspWords *words, const char *name) {
  guint number = word_number (words, name);
  return number < words->n ? 1u << number : 0;
}

guint32 rsp_words_say (RspWords *words, RspArena *arena, const char *name, guint places,
                       guint32 with, RspSpan span, RspDiagnostics *diagnostics) {
  guint number = word_number (words, name);
  if (number == RSP_MAX_WORDS) {
    rsp_error (diagnostics, span, NULL, "a test can say at most %d different words of a model",
               RSP_MAX_WORDS);
    return 0;
  }
  if (number == words->n) {
    words->names[words->n] = rsp_arena_strdup (arena, name);
    words->places[words->n++] = G_MAXUINT8;
  }
  /* A kernel's text is read once per work-item. */
  for (guint i = 0; i < words->n_uses; i++)
    if (words->uses[i].word == number && words->uses[i].span.begin == span.begin) {
      words->uses[i].places |= places;
      words->uses[i].with |= with;
      return 1u << number;
    }
  if ((words->n_uses & (words->n_uses - 1)) == 0) { /* it is full at powers of 2 */
    RspWordUse *uses = rsp_arena_new0 (arena, RspWordUse, 2 * words->n_uses + 1);
    if (words->n_uses)
      memcpy (uses, words->uses, sizeof *uses * words->n_uses);
    words->uses = uses;
  }
  words->uses[words->n_uses++] = (RspWordUse){ number, places, with, span, NULL, NULL };
  return 1u << number;
}

void rsp_words_doubt (RspWords *words, RspArena *arena, RspSpan span, const char *wrong,
                      const char *hint) {
  for (guint i = 0; i < words->n_uses; i++)
    if (words->uses[i].span.begin == span.begin) {
      words->uses[i].wrong = rsp_arena_strdup (arena, wrong);
      words->uses[i].hint = hint ? rsp_arena_strdup (arena, hint) : NULL;
    }
}

const char *rsp_words_level (const RspWords *words, guint level) {
  const char *scope = words->scopes[level];
  return scope ? scope + strlen (RSP_OWN_SCOPE) : NULL;
}

const char *rsp_words_scope (const RspWords *words, guint word) {
  for (guint level = 0; level < RSP_N_LEVELS; level++)
    if (g_strcmp0 (rsp_words_level (words, level), words->names[word]) == 0)
      return words->scopes[level];
  return NULL;
}

guint32 rsp_words_say_level (RspWords *words, RspArena *arena, const char *name, guint from,
                             guint to, RspSpan span, RspLevel *level, RspDiagnostics *diagnostics) {
  guint own = 0;
  while (own < RSP_N_LEVELS && g_strcmp0 (rsp_words_level (words, own), name) != 0)
    own++;
  if (own == RSP_N_LEVELS)
    for (own = from; own < to && (!rsp_levels[own].own || words->scopes[own]);)
      own++;
  if (own >= MIN (to, RSP_N_LEVELS) && (own == RSP_N_LEVELS || !words->scopes[own])) {
    gboolean has_room = FALSE;
    for (guint other = from; other < to; other++)
      has_room |= rsp_levels[other].own != 0;
    rsp_error (
        diagnostics, span, NULL,
        has_room ? "found `%s`, but there is room for only one level of a model between two others"
                 : "found `%s`, but there is no room for a level of a model there",
        name);
    return 0;
  }
  *level = (RspLevel) own;
  words->scopes[own] = rsp_arena_printf (arena, RSP_OWN_SCOPE "%s", name);
  return rsp_words_say (words, arena, name, rsp_levels[own].own, 0, span, diagnostics);
}

guint32 rsp_words_allowed (const RspWords *words, guint32 given, guint place, RspLevel level) {
  guint32 allowed = 0;
  place |= level < RSP_N_LEVELS ? rsp_levels[level].own : 0;
  for (guint i = 0; given >> i; i++)
    if ((given >> i & 1) && (words->places[i] & place))
      allowed |= 1u << i;
  return allowed;
}

void rsp_words_format (const RspWords *words, guint32 set, GString *out) {
  for (guint i = 0; set >> i; i++)
    if (set >> i & 1)
      g_string_append_printf (out, ",%s", words->names[i]);
}

/* ---- Hash ----------------------------------------------------------------------------------- */

/* The hash that herd prints for a test: MD5 of MD5(initial state) ‖ MD5(code) ‖ MD5(observed), the
 * raw digests joined. */

enum { MD5_SIZE = 16 };

/* Feeds the raw digest of a part to the whole. */
static void add_part (GChecksum *whole, const GString *part) {
  guint8 digest[MD5_SIZE];
  gsize size = sizeof digest;
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_MD5);
  g_checksum_update (checksum, (const guchar *) part->str, (gssize) part->len);
  g_checksum_get_digest (checksum, digest, &size);
  g_checksum_update (whole, digest, (gssize) size);
}

/* Registers by thread and name, then locations by name. */
static gint compare_initial (gconstpointer a, gconstpointer b) {
  const RspInitialText *x = *(const RspInitialText *const *) a;
  const RspInitialText *y = *(const RspInitialText *const *) b;
  gboolean x_register = g_ascii_isdigit (x->name[0]), y_register = g_ascii_isdigit (y->name[0]);
  if (x_register != y_register)
    return x_register ? -1 : 1;
  guint64 x_thread = x_register ? g_ascii_strtoull (x->name, NULL, 10) : 0;
  guint64 y_thread = y_register ? g_ascii_strtoull (y->name, NULL, 10) : 0;
  if (x_thread != y_thread)
    return x_thread < y_thread ? -1 : 1;
  return strcmp (x->name, y->name);
}

/* Appends an item of a list; no item is empty. */
static void append_listed (GString *list, const char *item) {
  if (list->len)
    g_string_append (list, "; ");
  g_string_append (list, item);
}

/* By name, and then by index as a number. */
static gint compare_elements (gconstpointer a, gconstpointer b) {
  const char *x = *(const char *const *) a, *y = *(const char *const *) b;
  gsize length = strcspn (x, "[");
  gint order = length == strcspn (y, "[") ? strncmp (x, y, length) : strcmp (x, y);
  guint64 i = g_ascii_strtoull (x + length + 1, NULL, 10);
  guint64 k = order == 0 ? g_ascii_strtoull (y + length + 1, NULL, 10) : 0;
  return order ? order : (i > k) - (i < k);
}

/* "2:r0; 2:r1; v; x; a[1]": what the condition and `locations` name; in C tests, elements of arrays
 * come last. */
static GString *observed_part (const RspProgram *program) {
  GString *part = g_string_new (NULL);
  gboolean is_c = program->language->herd_hash;
  g_autoptr (GPtrArray) elements = g_ptr_array_new ();
  const char *array = NULL; /* whose elements these are */
  for (guint i = 0; i < program->n_observables; i++) {
    const RspObservable *observable = &program->observables[i];
    if (is_c && !observable->array && strchr (observable->name, '[') && !program->filter_only[i])
      g_ptr_array_add (elements, (gpointer) observable->name);
    else if (!program->filter_only[i] && !(array && observable->array == array))
      append_listed (part, observable->array ? observable->array : observable->name);
    array = observable->array;
  }
  g_ptr_array_sort (elements, compare_elements);
  for (guint i = 0; i < elements->len; i++)
    append_listed (part, elements->pdata[i]);
  return part;
}

char *rsp_program_hash (const RspProgram *program) {
  if (program->hash)
    return g_strdup (program->hash);
  g_autoptr (GChecksum) whole = g_checksum_new (G_CHECKSUM_MD5);
  /* "x=0; y=0" */
  g_autoptr (GPtrArray) pairs = g_ptr_array_new ();
  for (guint i = 0; i < program->n_initial; i++)
    g_ptr_array_add (pairs, &program->initial[i]);
  g_ptr_array_sort (pairs, compare_initial);
  g_autoptr (GString) initial = g_string_new (NULL);
  for (guint i = 0; i < pairs->len; i++)
    append_listed (initial, ((const RspInitialText *) pairs->pdata[i])->text);
  g_autoptr (GString) code = g_string_sized_new (program->source->length + 1);
  for (guint i = 0; i < program->n_threads; i++) {
    const RspThread *thread = &program->threads[i];
    g_string_append (code, i ? "| " : " ");
    /* "static void P0(__global _Atomic int* x, int* y) {…}\n" in OpenCL tests, as the OpenCL mode
     * of 2015 has it; "P0(_Atomic int* x, int* y) {\n…\n}\n" in C tests, as herd7 has it. */
    gboolean is_c = program->language->herd_hash;
    if (!is_c)
      g_string_append (code, "static void ");
    g_string_append (code, thread->name);
    g_string_append_c (code, '(');
    for (guint k = 0; k < thread->n_parameters; k++) {
      g_string_append (code, k ? ", " : "");
      g_string_append (code, thread->parameters[k].normalised);
      g_string_append_c (code, ' ');
      g_string_append (code, thread->parameters[k].name);
    }
    g_string_append (code, is_c ? ") {\n" : ") {");
    g_string_append (code, thread->raw);
    g_string_append (code, is_c ? "\n}\n" : "}\n");
    g_string_append_c (code, ' ');
  }
  g_string_append (code, ";\n");
  g_string_replace (code, "\r\n", "\n", 0);
  g_autoptr (GString) observed = observed_part (program);
  add_part (whole, initial);
  add_part (whole, code);
  add_part (whole, observed);
  return g_strdup (g_checksum_get_string (whole));
}

/* An optional level that joins nothing counts as none: as the one around it. */
char *rsp_program_scope_hash (const RspProgram *program) {
  guint optional = program->language->optional_levels;
  g_autoptr (GString) tree = g_string_new (NULL);
  for (guint i = 0; i < program->n_threads; i++) {
    const RspThread *thread = &program->threads[i];
    g_string_append (tree, thread->name);
    for (guint level = 0; level < RSP_N_LEVELS; level++) {
      if (rsp_levels[level].own && !program->words.scopes[level])
        continue;
      g_string_append_c (tree, ' ');
      gboolean none = optional >> level & 1 && !rsp_program_joins (program, level);
      rsp_count_format (thread->place[level - none], tree);
    }
    g_string_append_c (tree, '\n');
  }
  return g_compute_checksum_for_string (G_CHECKSUM_MD5, tree->str, (gssize) tree->len);
}
