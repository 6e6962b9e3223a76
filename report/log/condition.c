/* Conditions of logs. The test is not available, so types are unknown: a place has the value that a
 * state shows, as text. */
#include "report/log/condition.h"
#include "report/log/state.h"

#include <string.h>

enum
{
  DEEPEST = 200,      /* limit of a condition's nesting */
  LONGEST = 64 * 1024 /* limit of its length: a chain of operators is a tree as deep as it is
                       * long */
};

typedef struct Prop
{
  RspPropKind kind;
  struct Prop *a, *b;
  char *left, *right; /* an atom's */
} Prop;

struct RspLogCondition
{
  RspQuantifier quantifier;
  Prop *prop;
};

static void
free_prop (Prop *prop)
{
  if (!prop)
    return;
  free_prop (prop->a);
  free_prop (prop->b);
  g_free (prop->left);
  g_free (prop->right);
  g_free (prop);
}

void
rsp_log_condition_free (RspLogCondition *condition)
{
  if (!condition)
    return;
  free_prop (condition->prop);
  g_free (condition);
}

/* ---- Reading ---- */

/* Takes a and b; NULL if one of the operands is missing. */
static Prop *
new_prop (RspPropKind kind, Prop *a, Prop *b)
{
  if (!a || (!b && kind != RSP_PROP_NOT))
    {
      free_prop (a);
      free_prop (b);
      return NULL;
    }
  Prop *prop = g_new0 (Prop, 1);
  *prop = (Prop){ .kind = kind, .a = a, .b = b };
  return prop;
}

static Prop *scan_implication (RspLogScan *scan, guint depth);

static gboolean
scan_word (RspLogScan *scan, const char *word)
{
  RspLogScan rest = *scan;
  if (!rsp_log_scan_token (&rest, word)
      || (rest.at < rest.end && (g_ascii_isalnum (*rest.at) || *rest.at == '_')))
    return FALSE;
  *scan = rest;
  return TRUE;
}

/* The right side of `=`: a number, a symbol, or a place. */
static char *
scan_right (RspLogScan *scan)
{
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
  char *right = number ? rsp_log_value (begin, (gsize) (rest.at - begin)) : NULL;
  if (!number)
    {
      rest.at = begin;
      right = rsp_log_scan_place (&rest);
    }
  if (right)
    *scan = rest;
  return right;
}

static Prop *
scan_atom (RspLogScan *scan)
{
  g_autofree char *left = rsp_log_scan_place (scan);
  gboolean unequal = left && rsp_log_scan_token (scan, "!=");
  if (!left || (!unequal && !rsp_log_scan_token (scan, "==") && !rsp_log_scan_token (scan, "=")))
    return NULL;
  char *right = scan_right (scan);
  if (!right)
    return NULL;
  Prop *atom = g_new0 (Prop, 1);
  *atom = (Prop){ .kind = RSP_PROP_ATOM, .left = g_steal_pointer (&left), .right = right };
  return unequal ? new_prop (RSP_PROP_NOT, atom, NULL) : atom;
}

static Prop *
scan_constant (RspPropKind kind)
{
  Prop *prop = g_new0 (Prop, 1);
  prop->kind = kind;
  return prop;
}

static Prop *
scan_unary (RspLogScan *scan, guint depth)
{
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
  Prop *prop = scan_implication (scan, depth + 1);
  if (prop && !rsp_log_scan_token (scan, ")"))
    g_clear_pointer (&prop, free_prop);
  return prop;
}

static Prop *
scan_conjunction (RspLogScan *scan, guint depth)
{
  Prop *prop = scan_unary (scan, depth);
  while (prop && rsp_log_scan_token (scan, "/\\"))
    prop = new_prop (RSP_PROP_AND, prop, scan_unary (scan, depth));
  return prop;
}

static Prop *
scan_disjunction (RspLogScan *scan, guint depth)
{
  Prop *prop = scan_conjunction (scan, depth);
  while (prop && rsp_log_scan_token (scan, "\\/"))
    prop = new_prop (RSP_PROP_OR, prop, scan_conjunction (scan, depth));
  return prop;
}

static Prop *
scan_implication (RspLogScan *scan, guint depth)
{
  Prop *prop = scan_disjunction (scan, depth);
  if (prop && rsp_log_scan_token (scan, "=>"))
    prop = new_prop (RSP_PROP_IMPLIES, prop,
                     depth < DEEPEST ? scan_implication (scan, depth + 1) : NULL);
  return prop;
}

static gboolean
scan_quantifier (RspLogScan *scan, RspQuantifier *quantifier)
{
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
static void
scan_outcome (RspLogScan *scan)
{
  if (!scan_word (scan, "is"))
    return;
  scan_word (scan, "NOT");
  scan_word (scan, "validated");
}

RspLogCondition *
rsp_log_condition_parse (const char *text)
{
  RspLogScan scan = { text, text + strlen (text) };
  RspQuantifier quantifier;
  if (scan.end - scan.at > LONGEST || !scan_quantifier (&scan, &quantifier))
    return NULL;
  Prop *prop = scan_implication (&scan, 0);
  scan_outcome (&scan);
  rsp_log_scan_blanks (&scan);
  if (!prop || scan.at < scan.end)
    {
      free_prop (prop);
      return NULL;
    }
  RspLogCondition *condition = g_new (RspLogCondition, 1);
  *condition = (RspLogCondition){ quantifier, prop };
  return condition;
}

/* ---- Printing, as parser/format.c does ---- */

static void format_prop (const Prop *prop, guint least, GString *out);

static void
format_binary (const Prop *prop, guint left, guint right, GString *out)
{
  static const char *const ops[]
      = { [RSP_PROP_AND] = " /\\ ", [RSP_PROP_OR] = " \\/ ", [RSP_PROP_IMPLIES] = " => " };
  format_prop (prop->a, left, out);
  g_string_append (out, ops[prop->kind]);
  format_prop (prop->b, right, out);
}

static guint
strength (const Prop *prop)
{
  return prop->kind == RSP_PROP_IMPLIES ? 0
         : prop->kind == RSP_PROP_OR    ? 1
         : prop->kind == RSP_PROP_AND   ? 2
                                        : 3;
}

static void
format_prop (const Prop *prop, guint least, GString *out)
{
  guint binds = strength (prop);
  if (binds < least)
    g_string_append_c (out, '(');
  if (prop->kind == RSP_PROP_TRUE || prop->kind == RSP_PROP_FALSE)
    g_string_append (out, prop->kind == RSP_PROP_TRUE ? "true" : "false");
  else if (prop->kind == RSP_PROP_ATOM)
    g_string_append_printf (out, "%s=%s", prop->left, prop->right);
  else if (prop->kind == RSP_PROP_NOT)
    {
      g_string_append (out, "~(");
      format_prop (prop->a, 0, out);
      g_string_append_c (out, ')');
    }
  else
    format_binary (prop, binds ? binds : 1, binds, out);
  if (binds < least)
    g_string_append_c (out, ')');
}

char *
rsp_log_condition_format (const RspLogCondition *condition)
{
  static const char *const words[] = { "exists", "~exists", "forall" };
  GString *out = g_string_new (words[condition->quantifier]);
  g_string_append (out, " (");
  format_prop (condition->prop, 0, out);
  g_string_append_c (out, ')');
  return g_string_free (out, FALSE);
}

RspQuantifier
rsp_log_condition_quantifier (const RspLogCondition *condition)
{
  return condition->quantifier;
}

/* ---- Attempt ---- */

enum
{
  UNKNOWN = -1
};

static const char *
find_value (const GArray *state, const char *name)
{
  for (guint i = 0; i < state->len; i++)
    if (g_str_equal (g_array_index (state, RspLogBinding, i).name, name))
      return g_array_index (state, RspLogBinding, i).value;
  return NULL;
}

/* A location on the right stands for its address or its value; only the test could tell which. */
static int
atom_holds (const Prop *atom, const GArray *state)
{
  const char *left = find_value (state, atom->left), *right = atom->right;
  gboolean is_register = strchr (right, ':') != NULL;
  if (is_register)
    right = find_value (state, right);
  else if (find_value (state, right))
    return UNKNOWN;
  return left && right ? g_str_equal (left, right) : UNKNOWN;
}

static int
either (int a, int b)
{
  if (a == 1 || b == 1)
    return 1;
  return a == 0 && b == 0 ? 0 : UNKNOWN;
}

static int
negated (int a)
{
  return a == UNKNOWN ? UNKNOWN : !a;
}

static int
holds (const Prop *prop, const GArray *state)
{
  switch (prop->kind)
    {
    case RSP_PROP_TRUE:
      return 1;
    case RSP_PROP_FALSE:
      return 0;
    case RSP_PROP_NOT:
      return negated (holds (prop->a, state));
    case RSP_PROP_AND:
      return negated (either (negated (holds (prop->a, state)), negated (holds (prop->b, state))));
    case RSP_PROP_OR:
      return either (holds (prop->a, state), holds (prop->b, state));
    case RSP_PROP_IMPLIES:
      return either (negated (holds (prop->a, state)), holds (prop->b, state));
    default:
      return atom_holds (prop, state);
    }
}

int
rsp_log_condition_holds (const RspLogCondition *condition, const GArray *state)
{
  return holds (condition->prop, state);
}
