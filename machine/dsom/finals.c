#include "machine/dsom/finals.h"

static void
clear_final (gpointer data)
{
  g_free (((DsomFinal *) data)->values);
}

DsomFinals *
dsom_finals_new (const RspDsomProgram *program)
{
  DsomFinals *finals = g_new0 (DsomFinals, 1);
  finals->program = program;
  finals->list = g_array_new (FALSE, FALSE, sizeof (DsomFinal));
  g_array_set_clear_func (finals->list, clear_final);
  finals->keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  finals->texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return finals;
}

void
dsom_finals_free (DsomFinals *finals)
{
  if (!finals)
    return;
  g_array_unref (finals->list);
  g_hash_table_unref (finals->keys);
  g_hash_table_unref (finals->texts);
  g_free (finals);
}

void
dsom_finals_add (DsomFinals *finals, const DsomValue *values, guint32 number)
{
  const RspDsomProgram *program = finals->program;
  if (!g_hash_table_add (finals->texts, dsom_values_format (program, values, TRUE)))
    return;
  g_hash_table_add (finals->keys, dsom_values_format (program, values, FALSE));
  DsomFinal final = { g_memdup2 (values, (program->n_observables + 1) * sizeof *values), number };
  g_array_append_val (finals->list, final);
}

gboolean
dsom_finals_has (const DsomFinals *finals, const DsomValue *values)
{
  g_autofree char *key = dsom_values_format (finals->program, values, FALSE);
  return g_hash_table_contains (finals->keys, key);
}

/* Garbage comes after all values. */
static int
compare_finals (gconstpointer a, gconstpointer b, gpointer data)
{
  const DsomFinal *x = a, *y = b;
  const RspDsomProgram *program = data;
  for (guint i = 0; i < program->n_observables; i++)
    {
      const DsomValue *v = &x->values[i], *w = &y->values[i];
      if (!v->garbage != !w->garbage)
        return v->garbage ? 1 : -1;
      if (v->value != w->value)
        return v->value < w->value ? -1 : 1;
    }
  return 0;
}

void
dsom_finals_sort (DsomFinals *finals)
{
  g_array_sort_with_data (finals->list, compare_finals, (gpointer) finals->program);
}

/* ---- One state ---- */

char *
dsom_values_format (const RspDsomProgram *program, const DsomValue *values, gboolean moved)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < program->n_observables; i++)
    {
      const RspDsomObservable *observable = &program->observables[i];
      if (!moved && observable->kind == RSP_DSOM_OBSERVE_MOVED)
        continue;
      g_string_append_printf (text, "%s%s=", text->len ? " " : "", observable->name);
      if (values[i].garbage)
        g_string_append (text, "?;");
      else
        g_string_append_printf (text, "%" G_GINT64_FORMAT ";", values[i].value);
    }
  return g_string_free (text, FALSE);
}

static DsomValue
value_of (const RspDsomOperand *operand, const DsomValue *values)
{
  return operand->is_observable ? values[operand->observable]
                                : (DsomValue){ operand->constant, FALSE };
}

/* Garbage equals nothing, and is neither less nor greater. */
static gboolean
compare (const RspDsomProp *prop, const DsomValue *values)
{
  DsomValue a = value_of (&prop->left, values), b = value_of (&prop->right, values);
  if (a.garbage || b.garbage)
    return prop->op == RSP_OP_NE;
  switch (prop->op)
    {
    case RSP_OP_EQ:
      return a.value == b.value;
    case RSP_OP_NE:
      return a.value != b.value;
    case RSP_OP_LT:
      return a.value < b.value;
    case RSP_OP_LE:
      return a.value <= b.value;
    case RSP_OP_GT:
      return a.value > b.value;
    default:
      return a.value >= b.value;
    }
}

static gboolean
holds (const RspDsomProp *prop, const DsomValue *values)
{
  switch (prop->kind)
    {
    case RSP_PROP_TRUE:
    case RSP_PROP_FALSE:
      return prop->kind == RSP_PROP_TRUE;
    case RSP_PROP_ATOM:
      return compare (prop, values);
    case RSP_PROP_NOT:
      return !holds (prop->a, values);
    case RSP_PROP_AND:
      return holds (prop->a, values) && holds (prop->b, values);
    case RSP_PROP_OR:
      return holds (prop->a, values) || holds (prop->b, values);
    default:
      return !holds (prop->a, values) || holds (prop->b, values);
    }
}

gboolean
dsom_values_satisfy (const RspDsomProgram *program, const DsomValue *values)
{
  return holds (program->condition, values);
}
