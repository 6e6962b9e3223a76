/* Conditions of logs. The test is not available, so types are unknown: a place has the value that a
 * state shows, as text. */
#include "report/log/condition.h"
#include "report/log/state.h"

#include <string.h>

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
  if (!rsp_log_scan_token (&rest, word)
      || (rest.at < rest.end && (g_ascii_isalnum (*rest.at) || *rest.at == '_')))
    return FALSE;
  *scan = rest;
  return TRUE;
}

/* A side of `=` or `<`: a number, a symbol, or a place. */
static char *scan_operand (RspLogScan *scan) {
  RspLogScan rest = *scan;
  rsp_log_scan_token (&rest, "&");
  rsp_log_scan_blanks (&rest);
  const char *begin = rest.at;
  if (rest.at < rest.end && *rest.at == '-')
    rest.at++;
  while (rest.at < rest.end && g_ascii_isalnum (*rest.at))
    rest.at++;
  gboolean number = begin < rest.at && (*begin == '-' || g_ascii_isdigit (*begin))
                    && (rest.at == rest.end || *rest.at != ':');
  char *operand = number ? rsp_log_value (begin, (gsize) (rest.at - begin)) : NULL;
  if (!number) {
    rest.at = begin;
    operand = rsp_log_scan_place (&rest);
  }
  if (operand)
    *scan = rest;
  return operand;
}

static RspProp *scan_atom (RspLogScan *scan) {
  g_autofree char *left = scan_operand (scan);
  gboolean unequal = left && rsp_log_scan_token (scan, "!=");
  gboolean less = left && !unequal && rsp_log_scan_token (scan, "<");
  if (!left
      || (!unequal && !less && !rsp_log_scan_token (scan, "==") && !rsp_log_scan_token (scan, "=")))
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

static RspProp *scan_constant (RspPropKind kind) {
  RspProp *prop = g_new0 (RspProp, 1);
  prop->kind = kind;
  return prop;
}

static RspProp *scan_unary (RspLogScan *scan, guint depth) {
  if (depth > DEEPEST)
    return NULL;
  if (rsp_log_scan_token (scan, "~") || scan_word (scan, "not"))
    return new_prop (RSP_PROP_NOT, scan_unary (scan, depth + 1), NULL);
  if (scan_word (scan, "true"))
    return scan_constant (RSP_PROP_TRUE);
  if (scan_word (scan, "false"))
    return scan_constant (RSP_PROP_FALSE);
  if (!rsp_log_scan_token (scan, "("))
    return scan_atom (scan);
  RspProp *prop = scan_disjunction (scan, depth + 1);
  if (prop && !rsp_log_scan_token (scan, ")"))
    g_clear_pointer (&prop, free_prop);
  return prop;
}

static RspProp *scan_implication (RspLogScan *scan, guint depth) {
  RspProp *prop = scan_unary (scan, depth);
  if (prop && rsp_log_scan_token (scan, "=>"))
    prop = new_prop (RSP_PROP_IMPLIES, prop,
                     depth < DEEPEST ? scan_implication (scan, depth + 1) : NULL);
  return prop;
}

static RspProp *scan_conjunction (RspLogScan *scan, guint depth) {
  RspProp *prop = scan_implication (scan, depth);
  while (prop && rsp_log_scan_token (scan, "/\\"))
    prop = new_prop (RSP_PROP_AND, prop, scan_implication (scan, depth));
  return prop;
}

static RspProp *scan_disjunction (RspLogScan *scan, guint depth) {
  RspProp *prop = scan_conjunction (scan, depth);
  while (prop && rsp_log_scan_token (scan, "\\/"))
    prop = new_prop (RSP_PROP_OR, prop, scan_conjunction (scan, depth));
  return prop;
}

static gboolean scan_quantifier (RspLogScan *scan, RspQuantifier *quantifier) {
  if (scan_word (scan, "forall"))
    *quantifier = RSP_FORALL;
  else if (scan_word (scan, "exists"))
    *quantifier = RSP_EXISTS;
  else if ((rsp_log_scan_token (scan, "~") || scan_word (scan, "not"))
           && scan_word (scan, "exists"))
    *quantifier = RSP_NOT_EXISTS;
  else
    return FALSE;
  return TRUE;
}

/* `is validated`, `is NOT validated`: litmus7 adds the result. */
static void scan_outcome (RspLogScan *scan) {
  if (!scan_word (scan, "is"))
    return;
  scan_word (scan, "NOT");
  scan_word (scan, "validated");
}

RspLogCondition *rsp_log_condition_parse (const char *text) {
  RspLogScan scan = { text, text + strlen (text) };
  RspQuantifier quantifier;
  if (scan.end - scan.at > LONGEST || !scan_quantifier (&scan, &quantifier))
    return NULL;
  RspProp *prop = scan_disjunction (&scan, 0);
  scan_outcome (&scan);
  rsp_log_scan_blanks (&scan);
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

RspQuantifier rsp_log_condition_quantifier (const RspLogCondition *condition) {
  return condition->quantifier;
}

/* ---- Its truth ---- */

static const char *find_value (const GArray *state, const char *name) {
  for (guint i = 0; i < state->len; i++)
    if (g_str_equal (g_array_index (state, RspLogBinding, i).name, name))
      return g_array_index (state, RspLogBinding, i).value;
  return NULL;
}

static gboolean is_number (const char *text) {
  return (*text == '-' || g_ascii_isdigit (*text)) && !strchr (text, ':');
}

/* A location on the right of `=` stands for its address or its value; only the test could tell
 * which. */
/* A symbol equals itself, and differs from itself with an offset; other symbols and numbers it may
 * equal. */
static RspTruth text_truth (const char *left, const char *right) {
  gsize n = rsp_log_symbol_length (left);
  gboolean same = g_str_equal (left, right);
  if (same || (!n && !rsp_log_symbol_length (right)))
    return rsp_truth (same);
  return n && n == rsp_log_symbol_length (right) && strncmp (left, right, n) == 0 ? RSP_FAILS
                                                                                  : RSP_OPEN;
}

static RspTruth equal_truth (const RspProp *atom, const GArray *state) {
  const char *left = find_value (state, atom->left.text), *right = atom->right.text;
  gboolean is_register = strchr (right, ':') != NULL;
  if (is_register)
    right = find_value (state, right);
  else if (find_value (state, right))
    return RSP_OPEN;
  return left && right ? text_truth (left, right) : RSP_OPEN;
}

/* Numbers only: addresses have no order that a log shows. */
static RspTruth less_truth (const RspProp *atom, const GArray *state) {
  const char *const texts[] = { atom->left.text, atom->right.text };
  gint64 numbers[2];
  for (guint i = 0; i < 2; i++) {
    const char *value = is_number (texts[i]) ? texts[i] : find_value (state, texts[i]);
    if (!value || !g_ascii_string_to_signed (value, 10, G_MININT64, G_MAXINT64, &numbers[i], NULL))
      return RSP_OPEN;
  }
  return rsp_truth (numbers[0] < numbers[1]);
}

static RspTruth atom_truth (const RspProp *atom, gpointer state) {
  return atom->op == RSP_OP_LT ? less_truth (atom, state) : equal_truth (atom, state);
}

RspTruth rsp_log_condition_truth (const RspLogCondition *condition, const GArray *state) {
  return rsp_prop_truth (condition->prop, atom_truth, (gpointer) state);
}
