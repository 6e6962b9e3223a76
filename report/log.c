/* Records as logs. */
#include "report/internal.h"
#include "report/report.h"

#include <errno.h>
#include <string.h>

static char *log_value (const char *text, gsize length);

/* ---- State ---------------------------------------------------------------------------------- */

/* States of logs, in a uniform format. */

/* ---- Words ---- */
static void log_scan_blanks (RspLogScan *scan) {
  while (scan->at < scan->end && g_ascii_isspace (*scan->at))
    scan->at++;
}

/* Skips the token if it is next, after blanks. */
static gboolean log_scan_token (RspLogScan *scan, const char *token) {
  gsize length = strlen (token);
  log_scan_blanks (scan);
  if ((gsize) (scan->end - scan->at) < length || strncmp (scan->at, token, length) != 0)
    return FALSE;
  scan->at += length;
  return TRUE;
}

static const char *skip_name (const RspLogScan *scan, const char *at) {
  while (at < scan->end && *at && (g_ascii_isalnum (*at) || strchr ("_.$%'", *at) != NULL))
    at++;
  return at;
}

/* `1:r0` or `P1:r0`, as `1:r0`. NULL, with the scan unchanged, if no register is next. */
static char *scan_register (RspLogScan *scan) {
  const char *digits = scan->at + (scan->at < scan->end && *scan->at == 'P'), *at = digits;
  while (at < scan->end && g_ascii_isdigit (*at))
    at++;
  if (at == digits || at == scan->end || *at != ':')
    return NULL;
  while (digits + 1 < at && *digits == '0')
    digits++;
  RspLogScan rest = { at + 1, scan->end };
  log_scan_blanks (&rest);
  const char *end = skip_name (&rest, rest.at);
  if (end == rest.at)
    return NULL;
  char *name = g_strdup_printf ("%.*s%.*s", (int) (at + 1 - digits), digits, (int) (end - rest.at),
                                rest.at);
  scan->at = end;
  return name;
}

/* The `[1]` or `[0x1]` of an array's element, in decimal; "" if there is none. */
static char *scan_element (RspLogScan *scan) {
  RspLogScan rest = *scan;
  if (!log_scan_token (&rest, "["))
    return g_strdup ("");
  log_scan_blanks (&rest);
  const char *begin = rest.at;
  rest.at = skip_name (&rest, rest.at);
  if (begin == rest.at || !g_ascii_isdigit (*begin))
    return g_strdup ("");
  g_autofree char *index = log_value (begin, (gsize) (rest.at - begin));
  if (!log_scan_token (&rest, "]"))
    return g_strdup ("");
  *scan = rest;
  return g_strdup_printf ("[%s]", index);
}

/* `x`, `a[1]` */
static char *scan_location (RspLogScan *scan) {
  const char *begin = scan->at;
  if (begin == scan->end || g_ascii_isdigit (*begin) || skip_name (scan, begin) == begin)
    return NULL;
  scan->at = skip_name (scan, begin);
  gsize length = (gsize) (scan->at - begin);
  g_autofree char *element = scan_element (scan);
  return g_strdup_printf ("%.*s%s", (int) length, begin, element);
}

/* A register or a location: its name without surrounding brackets, newly allocated; NULL if there
 * is none. */
static char *log_scan_place (RspLogScan *scan) {
  RspLogScan rest = *scan;
  gboolean bracketed = log_scan_token (&rest, "[");
  if (!bracketed)
    log_scan_token (&rest, "*");
  log_scan_blanks (&rest);
  char *name = scan_register (&rest);
  if (!name)
    name = scan_location (&rest);
  if (name && bracketed && !log_scan_token (&rest, "]"))
    g_clear_pointer (&name, g_free);
  if (name)
    *scan = rest;
  return name;
}

/* A whole number in base 10 or, after 0x, 16, of 64 bits, signed or not. */
static gboolean read_number (const char *text, gint64 *number) {
  gboolean negative = *text == '-';
  const char *digits = text + negative;
  gboolean hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  char *end;
  digits += hexadecimal ? 2 : 0;
  if (!(hexadecimal ? g_ascii_isxdigit (*digits) : g_ascii_isdigit (*digits)))
    return FALSE;
  errno = 0;
  guint64 bits = g_ascii_strtoull (digits, &end, hexadecimal ? 16 : 10);
  *number = (gint64) (negative ? -bits : bits);
  return *end == '\0' && errno == 0;
}

/* The value in length bytes: numbers in decimal, others as they are, without blanks and the `&` of
 * a location; the address of a register keeps it: `&0:q`. */
static char *log_value (const char *text, gsize length) {
  char *value = g_strstrip (g_strndup (text, length));
  gint64 number;
  if (*value == '&' && value[1] && !g_ascii_isdigit (value[1]))
    memmove (value, value + 1, strlen (value));
  if (!read_number (value, &number))
    return value;
  g_free (value);
  return g_strdup_printf ("%" G_GINT64_FORMAT, number);
}

/* ---- Symbols ---- */
/* herd writes an undetermined value as a symbol, `S13`. So does rspcheck, followed by an offset if
 * there is one, `S1_2` or `S1_m2`; its older logs have `?1`, `?1+2` and `?1-2`. Sets the symbol's
 * number, followed by its offset ("" for none). FALSE if the value is not a symbol. */
static gboolean split_symbol (const char *value, guint64 *number, char **offset) {
  if ((*value != 'S' && *value != '?') || !g_ascii_isdigit (value[1]))
    return FALSE;
  char *rest;
  *number = g_ascii_strtoull (value + 1, &rest, 10);
  const char *digits = rest + (*rest != '\0');
  gboolean negative = *rest == '-' || (*rest == '_' && *digits == 'm');
  digits += *rest == '_' && negative;
  if (*rest && (!strchr ("_+-", *rest) || !g_ascii_isdigit (*digits)))
    return FALSE;
  if (digits[strspn (digits, "0123456789")] != '\0')
    return FALSE;
  *offset = *rest ? g_strdup_printf ("_%s%s", negative ? "m" : "", digits) : g_strdup ("");
  return TRUE;
}

/* The length of the symbol (an undetermined value) that a value begins with: `S1` of `S1_2`; 0
 * for other values. */
static gsize log_symbol_length (const char *value) {
  guint64 number;
  g_autofree char *offset = NULL;
  return split_symbol (value, &number, &offset) ? strlen (value) - strlen (offset) : 0;
}

/* Is some value undetermined? */
static gboolean log_state_has_symbols (const GArray *state) {
  for (guint i = 0; i < state->len; i++)
    if (log_symbol_length (g_array_index (state, RspLogBinding, i).value))
      return TRUE;
  return FALSE;
}

/* ---- States ---- */
static void clear_binding (gpointer data) {
  RspLogBinding *binding = data;
  g_free (binding->name);
  g_free (binding->value);
}

static void add_binding (GArray *state, char *name, char *value) {
  RspLogBinding binding = { name, value };
  g_array_append_val (state, binding);
}

/* The values of a whole array, `{1,2}`, are one binding per element. FALSE if text is not an
 * array. */
static gboolean add_elements (GArray *state, const char *name, const char *text, gsize length) {
  g_autofree char *list = g_strstrip (g_strndup (text, length));
  gsize end = strlen (list);
  if (end < 2 || list[0] != '{' || list[end - 1] != '}')
    return FALSE;
  list[end - 1] = '\0';
  g_auto (GStrv) values = g_strsplit_set (list + 1, ",;", -1);
  for (guint i = 0; values[i]; i++) {
    if (!*g_strstrip (values[i]))
      continue;
    add_binding (state, g_strdup_printf ("%s[%u]", name, i),
                 log_value (values[i], strlen (values[i])));
  }
  return TRUE;
}

/* `x=1;` */
static gboolean scan_binding (RspLogScan *scan, GArray *state) {
  g_autofree char *name = log_scan_place (scan);
  if (!name || !log_scan_token (scan, "="))
    return FALSE;
  log_scan_blanks (scan);
  const char *begin = scan->at;
  /* A value ends at a `;` outside braces, or with the line. */
  for (guint depth = 0; scan->at < scan->end && (depth || *scan->at != ';'); scan->at++)
    depth += *scan->at == '{' ? 1 : *scan->at == '}' && depth ? -1u : 0;
  gsize length = (gsize) (scan->at - begin);
  if (length == 0)
    return FALSE;
  log_scan_token (scan, ";");
  if (!add_elements (state, name, begin, length))
    add_binding (state, g_steal_pointer (&name), log_value (begin, length));
  return TRUE;
}

/* -1 for a location, which comes after every register. */
static gint64 thread_of (const char *name) {
  return g_ascii_isdigit (*name) ? g_ascii_strtoll (name, NULL, 10) : -1;
}

static int compare_names (const char *a, const char *b) {
  gint64 x = thread_of (a), y = thread_of (b);
  if ((x < 0) != (y < 0))
    return x < 0 ? 1 : -1;
  return x != y ? (x < y ? -1 : 1) : strcmp (a, b);
}

static gint compare_bindings (gconstpointer a, gconstpointer b) {
  return compare_names (((const RspLogBinding *) a)->name, ((const RspLogBinding *) b)->name);
}

GArray *rsp_log_state_parse (const char *text, gsize length) {
  RspLogScan scan = { text, text + length };
  GArray *state = g_array_new (FALSE, FALSE, sizeof (RspLogBinding));
  g_array_set_clear_func (state, clear_binding);
  for (log_scan_blanks (&scan); scan.at < scan.end; log_scan_blanks (&scan))
    if (!scan_binding (&scan, state)) {
      g_array_unref (state);
      return NULL;
    }
  g_array_sort (state, compare_bindings);
  /* Symbols are numbered anew, in order of appearance, so that states which differ only in these
   * numbers are equal. */
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (guint i = 0; i < state->len; i++) {
    RspLogBinding *binding = &g_array_index (state, RspLogBinding, i);
    guint64 number;
    g_autofree char *offset = NULL;
    if (!split_symbol (binding->value, &number, &offset))
      continue;
    guint place = 0;
    while (place < numbers->len && g_array_index (numbers, guint64, place) != number)
      place++;
    if (place == numbers->len)
      g_array_append_val (numbers, number);
    g_free (binding->value);
    binding->value = g_strdup_printf ("S%u%s", place + 1, offset);
  }
  return state;
}

char *rsp_log_state_format (const GArray *state) {
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < state->len; i++) {
    const RspLogBinding *binding = &g_array_index (state, RspLogBinding, i);
    g_string_append_printf (text, "%s%s=%s;", i ? " " : "", binding->name, binding->value);
  }
  return g_string_free (text, FALSE);
}

/* The order of states in a log. */
static int log_state_compare (const GArray *a, const GArray *b) {
  for (guint i = 0; i < a->len && i < b->len; i++) {
    const RspLogBinding *x = &g_array_index (a, RspLogBinding, i);
    const RspLogBinding *y = &g_array_index (b, RspLogBinding, i);
    int order = compare_names (x->name, y->name);
    if (order)
      return order;
    gint64 m, n;
    gboolean is_m = read_number (x->value, &m), is_n = read_number (y->value, &n);
    if (is_m != is_n) /* numbers first */
      return is_m ? -1 : 1;
    order = is_m ? (m > n) - (m < n) : strcmp (x->value, y->value);
    if (order)
      return order;
  }
  return (a->len > b->len) - (a->len < b->len);
}

/* What the symbol of a binding would have to be for it to have the value; newly allocated. */
static char *symbol_for (const char *offset, const char *value) {
  gint64 number, by = 0;
  if (!read_number (value, &number))
    return g_strconcat (value, " ", offset, NULL);
  if (*offset)
    by = g_ascii_strtoll (offset + 1 + (offset[1] == 'm'), NULL, 10) * (offset[1] == 'm' ? -1 : 1);
  return g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) ((guint64) number - (guint64) by));
}

gboolean rsp_log_state_covers (const char *general, const char *state) {
  if (g_str_equal (general, state))
    return TRUE;
  g_autoptr (GArray) a = rsp_log_state_parse (general, strlen (general));
  g_autoptr (GArray) b = rsp_log_state_parse (state, strlen (state));
  g_autoptr (GHashTable) symbols = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  gboolean covers = a && b && a->len == b->len;
  for (guint i = 0; covers && i < a->len; i++) {
    const RspLogBinding *x = &g_array_index (a, RspLogBinding, i);
    const RspLogBinding *y = &g_array_index (b, RspLogBinding, i);
    guint64 number;
    g_autofree char *offset = NULL;
    covers = g_str_equal (x->name, y->name);
    if (!split_symbol (x->value, &number, &offset)) {
      covers &= g_str_equal (x->value, y->value);
      continue;
    }
    g_autofree char *own = symbol_for (offset, y->value);
    const char *earlier = g_hash_table_lookup (symbols, GSIZE_TO_POINTER (number));
    covers &= !earlier || g_str_equal (earlier, own);
    if (!earlier)
      g_hash_table_insert (symbols, GSIZE_TO_POINTER (number), g_steal_pointer (&own));
  }
  return covers;
}

/* ---- Condition ------------------------------------------------------------------------------ */

/* Conditions of logs. The test is not available, so types are unknown: a place has the value that a
 * state shows, as text. */

enum {
  DEEPEST = 200,      /* limit of a condition's nesting */
  LONGEST = 64 * 1024 /* limit of its length: a chain of operators is a tree as deep as it is
                       * long */
};

struct RspLogCondition {
  RspQuantifier quantifier;
  RspProp *prop; /* an atom has texts */
};

static void free_prop (RspProp *prop) {
  if (!prop)
    return;
  free_prop (prop->a);
  free_prop (prop->b);
  g_free ((char *) prop->left.text);
  g_free ((char *) prop->right.text);
  g_free (prop);
}

void rsp_log_condition_free (RspLogCondition *condition) {
  if (!condition)
    return;
  free_prop (condition->prop);
  g_free (condition);
}

/* ---- Reading ---- */
/* Takes a and b; NULL if one of the operands is missing. */
static RspProp *new_prop (RspPropKind kind, RspProp *a, RspProp *b) {
  if (!a || (!b && kind != RSP_PROP_NOT)) {
    free_prop (a);
    free_prop (b);
    return NULL;
  }
  RspProp *prop = g_new0 (RspProp, 1);
  *prop = (RspProp){ .kind = kind, .a = a, .b = b };
  return prop;
}

static RspProp *scan_disjunction (RspLogScan *scan, guint depth);

static gboolean scan_word (RspLogScan *scan, const char *word) {
  RspLogScan rest = *scan;
  if (!log_scan_token (&rest, word)
      || (rest.at < rest.end && (g_ascii_isalnum (*rest.at) || *rest.at == '_')))
    return FALSE;
  *scan = rest;
  return TRUE;
}

/* A side of `=` or `<`: a number, a symbol, or a place. */
static char *scan_operand (RspLogScan *scan) {
  RspLogScan rest = *scan;
  log_scan_token (&rest, "&");
  log_scan_blanks (&rest);
  const char *begin = rest.at;
  if (rest.at < rest.end && *rest.at == '-')
    rest.at++;
  while (rest.at < rest.end && g_ascii_isalnum (*rest.at))
    rest.at++;
  gboolean number = begin < rest.at && (*begin == '-' || g_ascii_isdigit (*begin))
                    && (rest.at == rest.end || *rest.at != ':');
  char *operand = number ? log_value (begin, (gsize) (rest.at - begin)) : NULL;
  if (!number) {
    rest.at = begin;
    operand = log_scan_place (&rest);
  }
  if (operand)
    *scan = rest;
  return operand;
}

static RspProp *scan_constant (RspPropKind kind) {
  RspProp *prop = g_new0 (RspProp, 1);
  prop->kind = kind;
  return prop;
}

static RspProp *scan_unary (RspLogScan *scan, guint depth) {
  if (depth > DEEPEST)
    return NULL;
  if (log_scan_token (scan, "~") || scan_word (scan, "not"))
    return new_prop (RSP_PROP_NOT, scan_unary (scan, depth + 1), NULL);
  if (scan_word (scan, "true"))
    return scan_constant (RSP_PROP_TRUE);
  if (scan_word (scan, "false"))
    return scan_constant (RSP_PROP_FALSE);
  if (!log_scan_token (scan, "(")) {
    g_autofree char *left = scan_operand (scan);
    gboolean unequal = left && log_scan_token (scan, "!=");
    gboolean less = left && !unequal && log_scan_token (scan, "<");
    if (!left || (!unequal && !less && !log_scan_token (scan, "==") && !log_scan_token (scan, "=")))
      return NULL;
    char *right = scan_operand (scan);
    if (!right)
      return NULL;
    RspProp *atom = g_new0 (RspProp, 1);
    *atom = (RspProp){ .kind = RSP_PROP_ATOM,
                       .op = less ? RSP_OP_LT : RSP_OP_EQ,
                       .left = { .text = g_steal_pointer (&left) },
                       .right = { .text = right } };
    return unequal ? new_prop (RSP_PROP_NOT, atom, NULL) : atom;
  }
  RspProp *prop = scan_disjunction (scan, depth + 1);
  if (prop && !log_scan_token (scan, ")"))
    g_clear_pointer (&prop, free_prop);
  return prop;
}

static RspProp *scan_implication (RspLogScan *scan, guint depth) {
  RspProp *prop = scan_unary (scan, depth);
  if (prop && log_scan_token (scan, "=>"))
    prop = new_prop (RSP_PROP_IMPLIES, prop,
                     depth < DEEPEST ? scan_implication (scan, depth + 1) : NULL);
  return prop;
}

static RspProp *scan_conjunction (RspLogScan *scan, guint depth) {
  RspProp *prop = scan_implication (scan, depth);
  while (prop && log_scan_token (scan, "/\\"))
    prop = new_prop (RSP_PROP_AND, prop, scan_implication (scan, depth));
  return prop;
}

static RspProp *scan_disjunction (RspLogScan *scan, guint depth) {
  RspProp *prop = scan_conjunction (scan, depth);
  while (prop && log_scan_token (scan, "\\/"))
    prop = new_prop (RSP_PROP_OR, prop, scan_conjunction (scan, depth));
  return prop;
}

RspLogCondition *rsp_log_condition_parse (const char *text) {
  RspLogScan scan = { text, text + strlen (text) };
  RspQuantifier quantifier = RSP_NOT_EXISTS;
  if (scan.end - scan.at > LONGEST)
    return NULL;
  if (scan_word (&scan, "forall"))
    quantifier = RSP_FORALL;
  else if (scan_word (&scan, "exists"))
    quantifier = RSP_EXISTS;
  else if (!(log_scan_token (&scan, "~") || scan_word (&scan, "not"))
           || !scan_word (&scan, "exists"))
    return NULL;
  RspProp *prop = scan_disjunction (&scan, 0);
  if (scan_word (&scan, "is")) { /* `validated`, `NOT validated`: litmus7 adds the result */
    scan_word (&scan, "NOT");
    scan_word (&scan, "validated");
  }
  log_scan_blanks (&scan);
  if (!prop || scan.at < scan.end) {
    free_prop (prop);
    return NULL;
  }
  RspLogCondition *condition = g_new (RspLogCondition, 1);
  *condition = (RspLogCondition){ quantifier, prop };
  return condition;
}

char *rsp_log_condition_format (const RspLogCondition *condition) {
  return rsp_condition_format (condition->quantifier, condition->prop, "~");
}

/* ---- Its truth ---- */
static const char *find_value (const GArray *state, const char *name) {
  for (guint i = 0; i < state->len; i++)
    if (g_str_equal (g_array_index (state, RspLogBinding, i).name, name))
      return g_array_index (state, RspLogBinding, i).value;
  return NULL;
}

/* Numbers only: addresses have no order that a log shows. */
static RspTruth less_truth (const RspProp *atom, const GArray *state) {
  const char *const texts[] = { atom->left.text, atom->right.text };
  gint64 numbers[2];
  for (guint i = 0; i < 2; i++) {
    const char *text = texts[i];
    gboolean is_number = (*text == '-' || g_ascii_isdigit (*text)) && !strchr (text, ':');
    const char *value = is_number ? text : find_value (state, text);
    if (!value || !g_ascii_string_to_signed (value, 10, G_MININT64, G_MAXINT64, &numbers[i], NULL))
      return RSP_OPEN;
  }
  return rsp_truth (numbers[0] < numbers[1]);
}

static RspTruth atom_truth (const RspProp *atom, gpointer state) {
  if (atom->op == RSP_OP_LT)
    return less_truth (atom, state);
  /* A location on the right of `=` stands for its address or its value; only the test could tell
   * which. */
  const char *left = find_value (state, atom->left.text), *right = atom->right.text;
  const char *value = find_value (state, right);
  if (strchr (right, ':')) /* a register */
    right = value;
  else if (value)
    return RSP_OPEN;
  if (!left || !right)
    return RSP_OPEN;
  /* A symbol equals itself, differs from itself with an offset, and may equal any other symbol or
   * number. */
  gsize n = log_symbol_length (left), n_right = log_symbol_length (right);
  gboolean same = g_str_equal (left, right);
  if (same || (!n && !n_right))
    return rsp_truth (same);
  return n && n == n_right && strncmp (left, right, n) == 0 ? RSP_FAILS : RSP_OPEN;
}

RspTruth rsp_log_condition_truth (const RspLogCondition *condition, const GArray *state) {
  return rsp_prop_truth (condition->prop, atom_truth, (gpointer) state);
}

/* ---- Test ----------------------------------------------------------------------------------- */

enum {
  STATE_SIZE = 320, /* bytes of a state when read and then in the record, without its bindings */
  BINDING_SIZE = 96 /* bytes of a binding's name and value, likewise */
};

static void free_state (gpointer data) {
  RspLogState *state = data;
  g_array_unref (state->bindings);
  g_free (state);
}

RspLogTest *logged_test_new (const char *name, const char *kind, RspSpan line, const char *label) {
  const char *path = line.source->name;
  RspLogTest *test = g_new0 (RspLogTest, 1);
  test->entry = g_new0 (RspLogEntry, 1);
  test->record = rsp_record_new (name, path, label, "the log has no answer");
  g_clear_pointer (&test->record->version, g_free);
  test->record->kind = g_strdup (kind);
  test->record->log = g_strdup (path);
  test->record->unknown = RSP_UNKNOWN_COUNTS;
  test->entry->record = test->record;
  test->entry->span = line;
  test->counted = TRUE;
  test->states = g_ptr_array_new_with_free_func (free_state);
  return test;
}

void logged_test_add_state (RspLogTest *test, GArray *bindings, RspCount executions) {
  RspLogState *state = g_new (RspLogState, 1);
  *state = (RspLogState){ bindings, executions };
  g_ptr_array_add (test->states, state);
  test->size += STATE_SIZE + bindings->len * (sizeof (RspLogBinding) + BINDING_SIZE);
}

static gint compare_states (gconstpointer a, gconstpointer b) {
  return log_state_compare ((*(RspLogState *const *) a)->bindings,
                            (*(RspLogState *const *) b)->bindings);
}

/* A state without bindings is an empty line, but an empty line may also be just layout. */
static void check_states (RspLogTest *test, RspDiagnostics *diagnostics) {
  if (!test->states_line.source)
    return;
  if (test->states->len == 0 && test->announced == 1 && test->blank) {
    RspLogState *empty = g_new0 (RspLogState, 1);
    empty->bindings = rsp_log_state_parse ("", 0);
    test->counted = FALSE;
    g_ptr_array_add (test->states, empty);
  }
  if (test->states->len != test->announced)
    rsp_warning (diagnostics, test->states_line, NULL,
                 "test %s: %" G_GUINT64_FORMAT " states announced, %u found", test->record->test,
                 test->announced, test->states->len);
}

/* The condition's truth in a state. */
static RspTruth satisfies (const RspLogTest *test, const RspLogState *state) {
  const RspRecord *record = test->record;
  gboolean counts = !(record->unknown & RSP_UNKNOWN_COUNTS) && !record->undetermined;
  if (counts && record->positive == 0)
    return RSP_FAILS;
  if (counts && record->negative == 0)
    return RSP_HOLDS;
  return test->condition ? rsp_log_condition_truth (test->condition, state->bindings) : RSP_OPEN;
}

static gboolean expected_answer (const RspRecord *record) {
  RspQuantifier quantifier = RSP_EXISTS;
  if (record->kind)
    rsp_quantifier_from_kind (record->kind, &quantifier);
  return rsp_quantifier_answer (quantifier, record->observation);
}

/* Other programs show undetermined values without a flag, and count them as different from every
 * number. */
static void flag_thin_air (RspLogTest *test) {
  gboolean found = FALSE, open = FALSE, flagged = rsp_record_has_flag (test->record, "thin_air");
  for (guint i = 0; i < test->states->len; i++) {
    const RspLogState *state = test->states->pdata[i];
    gboolean here = log_state_has_symbols (state->bindings);
    found |= here;
    open |= here && test->condition
            && rsp_log_condition_truth (test->condition, state->bindings) == RSP_OPEN;
  }
  if (!found || flagged || rsp_record_has_flag (test->record, "undef"))
    return;
  rsp_record_add_flag (test->record, "thin_air");
  if (!open)
    return;
  test->record->observation = RSPCHECK_SOMETIMES;
  test->record->unknown |= RSP_UNKNOWN_COUNTS;
  test->record->answer = expected_answer (test->record);
}

/* Sorts states and removes duplicates. A misunderstood condition (types are not known here) can be
 * detected: some state must satisfy it if executions do. */
static void add_states (RspLogTest *test) {
  RspRecord *record = test->record;
  gboolean seen[2] = { FALSE, FALSE };
  flag_thin_air (test);
  g_ptr_array_sort (test->states, compare_states);
  for (guint i = 0; i < test->states->len; i++) {
    RspLogState *state = test->states->pdata[i];
    const RspLogState *next = i + 1 < test->states->len ? test->states->pdata[i + 1] : NULL;
    if (next && log_state_compare (state->bindings, next->bindings) == 0)
      ((RspLogState *) next)->executions += state->executions;
    else {
      g_autofree char *text = rsp_log_state_format (state->bindings);
      RspTruth truth = satisfies (test, state);
      gboolean holds = truth == RSP_HOLDS, undetermined = FALSE;
      if (truth == RSP_OPEN && record->undetermined && log_state_has_symbols (state->bindings))
        undetermined = TRUE;
      else if (truth == RSP_OPEN)
        record->unknown |= RSP_UNKNOWN_SATISFIES;
      else
        seen[holds] = TRUE;
      rsp_record_add_state (record, &(RspRecordState){ .text = text,
                                                       .satisfies = holds,
                                                       .undetermined = undetermined,
                                                       .executions = state->executions });
    }
  }
  if (seen[1] != (record->positive > 0) || seen[0] != (record->negative > 0))
    record->unknown |= RSP_UNKNOWN_SATISFIES;
  if (!test->counted || test->states->len == 0)
    record->unknown |= RSP_UNKNOWN_EXECUTIONS;
  for (guint i = 0; i < record->states->len; i++) {
    RspRecordState *state = &g_array_index (record->states, RspRecordState, i);
    state->executions = record->unknown & RSP_UNKNOWN_EXECUTIONS ? 0 : state->executions;
    state->satisfies &= !(record->unknown & RSP_UNKNOWN_SATISFIES);
    state->undetermined &= !(record->unknown & RSP_UNKNOWN_SATISFIES);
  }
}

/* Without an Observation line, the counts of the witnesses determine it. With one they are its own,
 * in either order: programs differ in what is positive of `~exists`. */
static void observe_witnesses (RspLogTest *test, RspDiagnostics *diagnostics) {
  RspRecord *record = test->record;
  const RspCount *own = test->witnesses, p = record->positive, n = record->negative;
  if (test->has_witnesses && test->has_observation && !(record->unknown & RSP_UNKNOWN_COUNTS)
      && !(own[0] == p && own[1] == n) && !(own[0] == n && own[1] == p))
    rsp_warning (diagnostics, test->entry->span, NULL,
                 "test %s: its witnesses contradict its Observation line, which counts here",
                 record->test);
  if (test->has_observation || !test->has_witnesses)
    return;
  rsp_warning (diagnostics, test->entry->span, NULL,
               "test %s has no Observation line here: its witnesses are counted instead",
               record->test);
  gboolean swapped = g_strcmp0 (record->kind, rsp_quantifier_kind (RSP_NOT_EXISTS)) == 0;
  record->positive = test->witnesses[swapped];
  record->negative = test->witnesses[!swapped];
  record->observation = !record->positive && !record->undetermined   ? RSPCHECK_NEVER
                        : !record->negative && !record->undetermined ? RSPCHECK_ALWAYS
                                                                     : RSPCHECK_SOMETIMES;
  record->unknown &= ~(guint) RSP_UNKNOWN_COUNTS;
  test->has_observation = TRUE;
}

void logged_test_end (RspLogTest *test, RspDiagnostics *diagnostics) {
  if (!test)
    return;
  RspRecord *record = test->record;
  if (!record->kind && test->condition)
    record->kind = g_strdup (rsp_quantifier_kind (test->condition->quantifier));
  observe_witnesses (test, diagnostics);
  if (test->has_observation && !test->interrupted) {
    check_states (test, diagnostics);
    g_clear_pointer (&record->reason, g_free);
    record->status = RSP_STATUS_OK;
    record->answer = test->has_answer ? record->answer : expected_answer (record);
    /* Older logs have flags and bad executions, newer ones flags and `Undef`, or flags alone, which
     * may then come from `flag` or from `undefined_unless`. */
    if (!test->has_bad_count && (record->undefined || record->flags->len))
      record->unknown |= RSP_UNKNOWN_N_UNDEFINED;
    if (!test->has_bad_count && !record->undefined && record->flags->len)
      record->unknown |= RSP_UNKNOWN_UNDEFINED;
    if (record->n_undefined || record->undefined || record->flags->len)
      record->unknown |= RSP_UNKNOWN_STATE_N_UNDEFINED;
    add_states (test);
  } else if (!test->interrupted)
    rsp_warning (diagnostics, test->entry->span, NULL,
                 "test %s has no answer in this log: no Observation line", record->test);
  g_ptr_array_unref (test->states);
  rsp_log_condition_free (test->condition);
  g_free (test);
}

/* ---- Log ------------------------------------------------------------------------------------ */

enum {
  LISTED_BAD_EXECUTIONS = 20,
  PART = 1 << 16 /* bytes */
};

static void format_count (const char *before, RspCount count, GString *out) {
  g_string_append (out, before);
  rsp_count_format (count, out);
}

/* Executions are numbered from 0, state by state as printed, the undefined ones of a state
 * first. */
static void format_bad_executions (const RspRecord *record, GString *out) {
  format_count ("Bad executions (", record->n_undefined, out);
  g_string_append (out, " in total):");
  RspCount first = 0;
  guint listed = 0;
  for (guint i = 0; i < record->states->len && listed < LISTED_BAD_EXECUTIONS; i++) {
    const RspRecordState *state = rsp_record_state (record, i);
    for (RspCount k = 0; k < state->n_undefined && listed < LISTED_BAD_EXECUTIONS; k++, listed++)
      format_count (" ", first + k, out);
    first += state->executions;
  }
  g_string_append_c (out, '\n');
}

static void format_progress (const RspRecord *record, GString *out) {
  g_string_append (out, record->progress ? record->progress : "");
  g_string_append (out, record->schedule ? record->schedule : "");
}

/* The elements of an array that a state shows whole, in a row. */
typedef struct Cells {
  const char *array; /* with its length; NULL: none yet */
  gsize length;
  GPtrArray *values; /* by their index */
} Cells;

/* "v={1,2}; " */
static void end_cells (Cells *cells, GString *out) {
  if (!cells->array)
    return;
  g_string_append_printf (out, "%.*s={", (int) cells->length, cells->array);
  for (guint i = 0; i < cells->values->len; i++)
    g_string_append_printf (out, "%s%s", i ? "," : "", (const char *) cells->values->pdata[i]);
  g_string_append (out, "}; ");
  g_ptr_array_set_size (cells->values, 0);
  cells->array = NULL;
}

/* Takes `v[1]=2`, if it is of one of the arrays. */
static gboolean take_cell (Cells *cells, const char *const *arrays, const char *binding,
                           GString *out) {
  const char *bracket = strchr (binding, '['), *value = strchr (binding, '=');
  if (!bracket || !value || bracket > value)
    return FALSE;
  gsize length = (gsize) (bracket - binding);
  g_autofree char *name = g_strndup (binding, length);
  if (!g_strv_contains (arrays, name))
    return FALSE;
  if (!cells->array || cells->length != length || strncmp (cells->array, binding, length) != 0)
    end_cells (cells, out);
  cells->array = binding;
  cells->length = length;
  guint index = (guint) g_ascii_strtoull (bracket + 1, NULL, 10);
  g_ptr_array_set_size (cells->values, (gint) MAX (cells->values->len, index + 1));
  cells->values->pdata[index] = (gpointer) (value + 1);
  return TRUE;
}

/* The state's text, with arrays that the question names as herd prints them. */
static void format_state (const RspRecord *record, const RspRecordState *state, GString *out) {
  if (!record->arrays) {
    g_string_append_len (out, state->text, state->length);
    return;
  }
  g_auto (GStrv) arrays = g_strsplit (record->arrays, " ", 0);
  g_auto (GStrv) bindings = g_strsplit (state->text, "; ", 0);
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  Cells cells = { .values = values };
  for (guint i = 0; bindings[i]; i++) {
    g_strdelimit (bindings[i], ";", '\0');
    if (take_cell (&cells, (const char *const *) arrays, bindings[i], out))
      continue;
    end_cells (&cells, out);
    g_string_append_printf (out, "%s; ", bindings[i]);
  }
  end_cells (&cells, out);
  g_string_truncate (out, out->len - 1);
}

/* ---- Devices ---- */
static void format_judgement (const RspRecord *record, const RspJudgement *judgement,
                              GString *out) {
  const char *model = judgement->model;
  g_string_append_printf (out, "Model %s: %s\n", model, rsp_judged_names[judgement->judged]);
  for (guint i = 0; i < record->states->len && judgement->judged != RSP_JUDGED_NOT; i++) {
    const RspRecordState *state = rsp_record_state (record, i);
    gboolean unsound = g_ptr_array_find_with_equal_func ((GPtrArray *) judgement->not_allowed,
                                                         state->text, g_str_equal, NULL);
    const char *word = unsound ? "NOT ALLOWED" : "allowed";
    g_string_append_printf (out, "%s by %s: %s  seen", word, model, state->text);
    format_count (" ", state->executions, out);
    g_string_append (out, " times\n");
  }
  for (guint i = 0; i < judgement->not_seen->len; i++)
    g_string_append_printf (out, "allowed by %s: %s  not seen\n", model,
                            (const char *) judgement->not_seen->pdata[i]);
}

static void format_device (const RspRecord *record, GString *out) {
  g_string_append_printf (out, "Test %s %s\n", record->test, record->kind);
  if (rsp_record_is_ok (record)) {
    g_string_append_printf (out, "Histogram (%u states)\n", record->states->len);
    for (guint i = 0; i < record->states->len; i++) {
      const RspRecordState *state = rsp_record_state (record, i);
      g_autoptr (GString) count = g_string_new (NULL);
      rsp_count_format (state->executions, count);
      g_string_append_printf (out, "%-6s%c>", count->str, state->satisfies ? '*' : ':');
      format_state (record, state, out);
      g_string_append_c (out, '\n');
    }
    RspCount positive, negative;
    rsp_record_witnesses (record, &positive, &negative);
    g_string_append_printf (out, "%s\n\nWitnesses", record->answer ? "Ok" : "No");
    format_count ("\nPositive: ", positive, out);
    format_count (", Negative: ", negative, out);
    g_string_append_printf (out, "\nCondition %s is %svalidated\nHash=%s\n", record->condition,
                            record->answer ? "" : "NOT ", record->hash);
    if (record->scope_hash)
      g_string_append_printf (out, "ScopeHash=%s\n", record->scope_hash);
    g_string_append_printf (out, "Observation %s %s", record->test,
                            rsp_observation_names[record->observation]);
    format_count (" ", record->positive, out);
    format_count (" ", record->negative, out);
    g_string_append_printf (out, "\nTime %s %.2f\n", record->test, record->seconds);
    const char *const lines[][2] = { { "Device", record->device },
                                     { "Compiler", record->compiler },
                                     { "Setup", record->setup } };
    for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
      if (lines[i][1])
        g_string_append_printf (out, "%s %s\n", lines[i][0], lines[i][1]);
    if (record->rounds)
      g_string_append_printf (out, "Rounds %u at most\n", record->rounds);
    for (guint i = 0; i < record->judgements->len; i++)
      format_judgement (record, &g_array_index (record->judgements, RspJudgement, i), out);
  } else
    g_string_append_printf (out, "Error: %s\n", record->reason);
  g_string_append_c (out, '\n');
}

/* ---- All ---- */
void rsp_log_format_parts (const RspRecord *record, gboolean scope_hash, GString *out,
                           RspLogPartTake take, gpointer data) {
  if (!record->kind)
    return;
  if (record->is_device) {
    format_device (record, out);
    return;
  }
  g_string_append_printf (out, "Test %s %s\n", record->test, record->kind);
  if (rsp_record_is_ok (record)) {
    g_string_append_printf (out, "States %u\n", record->states->len);
    for (guint i = 0; i < record->states->len; i++) {
      const RspRecordState *state = rsp_record_state (record, i);
      format_state (record, state, out);
      g_string_append_c (out, '\n');
      if (take && out->len >= PART)
        take (out, data);
    }
    g_string_append_printf (out, "%s%s\n", record->loop ? "Loop " : "",
                            record->answer ? "Ok" : "No");
    RspCount positive, negative;
    rsp_record_witnesses (record, &positive, &negative);
    format_count ("Witnesses\nPositive: ", positive, out);
    format_count (" Negative: ", negative, out);
    g_string_append_c (out, '\n');
    if (record->has_undefined)
      format_bad_executions (record, out);
    if (record->undetermined) {
      gboolean thin_air = rsp_record_has_flag (record, "thin_air");
      gboolean undefined = !thin_air || rsp_record_has_flag (record, "undef");
      format_count ("Undetermined ", record->undetermined, out);
      g_string_append (out, !undefined  ? " (thin air)\n"
                            : !thin_air ? " (undefined values)\n"
                                        : " (thin air, undefined values)\n");
    }
    for (guint i = 0; i < record->flags->len; i++)
      g_string_append_printf (out, "Flag %s\n", (const char *) record->flags->pdata[i]);
    if (record->placements)
      g_string_append_printf (out, "Placements %s\n", record->placements);
    format_progress (record, out);
    g_string_append_printf (out, "Condition %s\nObservation %s %s", record->condition, record->test,
                            rsp_observation_names[record->observation]);
    format_count (" ", record->positive, out);
    format_count (" ", record->negative, out);
    g_string_append_c (out, '\n');
    g_string_append_printf (out, "Hash=%s\n", record->hash);
    if (scope_hash && record->scope_hash)
      g_string_append_printf (out, "ScopeHash=%s\n", record->scope_hash);
  } else {
    g_string_append_printf (out, "%s\n", record->reason);
    format_progress (record, out);
  }
  g_string_append_c (out, '\n');
}

void rsp_log_format (const RspRecord *record, gboolean scope_hash, GString *out) {
  rsp_log_format_parts (record, scope_hash, out, NULL, NULL);
}
