/* What was expected where a syntax error is, and filters that contradict themselves. */
#include "base/base.h"
#include "parser/errors.h"
#include "parser/program.h"

#include <string.h>

/* ---- Expected ------------------------------------------------------------------------------- */

gboolean expects (Expected expected, const char *name) {
  for (guint i = 0; i < expected.n; i++)
    if (strcmp (expected.names[i], name) == 0)
      return TRUE;
  return FALSE;
}

/* `'+'` as `+`, other names as they are; newly allocated. */
static char *without_quotes (const char *name) {
  gboolean quoted = name[0] == '\'' && name[1] && name[2] == '\'';
  return quoted ? g_strndup (name + 1, 1) : g_strdup (name);
}

static gboolean has (GPtrArray *names, const char *name) {
  return !name || g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL);
}

static void take_group (GPtrArray *names, const TokenGroup *group, GPtrArray *phrases) {
  guint n = 0, at;
  for (guint i = 0; i < G_N_ELEMENTS (group->members) && group->members[i]; i++)
    n += has (names, group->members[i]);
  if (n < group->least || !has (names, group->keys[0]) || !has (names, group->keys[1]))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (group->members) && group->members[i]; i++)
    if (g_ptr_array_find_with_equal_func (names, group->members[i], g_str_equal, &at))
      g_ptr_array_remove_index (names, at);
  g_ptr_array_add (phrases, g_strdup (group->phrase));
}

/* Signs and words between backquotes, kinds of tokens and phrases as they are. */
static void append_name (const char *name, GString *out) {
  gboolean phrase = strchr (name, ' ') || (name[0] == '`' && name[1]);
  g_string_append_printf (out, phrase ? "%s" : "`%s`", name);
}

char *expected_format (Expected expected, const TokenGroup *groups, guint n_groups, guint most) {
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *phrases = g_ptr_array_new ();
  for (guint i = 0; i < expected.n; i++)
    g_ptr_array_add (names, without_quotes (expected.names[i]));
  for (guint i = 0; i < n_groups; i++)
    take_group (names, &groups[i], phrases);
  g_ptr_array_extend_and_steal (names, phrases);
  GString *out = g_string_new (NULL);
  guint n = most ? MIN (names->len, most) : names->len;
  for (guint i = 0; i < n; i++) {
    g_string_append (out, i == 0 ? "" : i + 1 == n ? " or " : ", ");
    append_name (names->pdata[i], out);
  }
  return g_string_free (out, FALSE);
}

char *expected_near (Expected expected, const char *found) {
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  for (guint i = 0; i < expected.n; i++)
    if (g_ascii_isalpha (expected.names[i][0]) && !strchr (expected.names[i], ' '))
      g_ptr_array_add (words, (gpointer) expected.names[i]);
  g_ptr_array_add (words, NULL);
  return rsp_did_you_mean (found, (const char *const *) words->pdata);
}

char *found_format (const char *text, gboolean at_end) {
  return at_end ? g_strdup ("the end of the file") : g_strdup_printf ("`%s`", text);
}

/* ---- Contradiction -------------------------------------------------------------------------- */

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

gboolean prop_is_contradiction (const RspProgram *program, const RspProp *prop) {
  g_autoptr (GArray) named = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autofree Value *values = g_new0 (Value, program->n_observables + 1);
  add_named (prop, named);
  Search search = { .program = program, .prop = prop, .named = named, .values = values };
  return !can_hold (&search);
}
