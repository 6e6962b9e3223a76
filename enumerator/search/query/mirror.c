#include "enumerator/search/query/mirror.h"
#include "base/names.h"
#include "enumerator/search/symmetry.h"

#include <string.h>

/* ---- Propositions with two threads exchanged ---- */

typedef struct Swap
{
  const RspProgram *program;
  guint a, b; /* threads */
} Swap;

static void
put_operand (const Swap *swap, const RspOperand *operand, GString *text)
{
  if (!operand->is_observable)
    {
      g_string_append_printf (text, "%" G_GINT64_FORMAT, operand->constant);
      return;
    }
  const RspObservable *o = &swap->program->observables[operand->observable];
  guint thread = o->thread == swap->a ? swap->b : o->thread == swap->b ? swap->a : o->thread;
  if (o->is_register)
    g_string_append_printf (text, "r%u.%u", thread, o->reg);
  else
    g_string_append_printf (text, "l%u", o->location);
}

static void
put_atom (const Swap *swap, const RspProp *atom, GString *text)
{
  put_operand (swap, &atom->left, text);
  g_string_append (text, atom->op == RSP_OP_EQ ? "=" : atom->op == RSP_OP_LT ? "<" : "!");
  put_operand (swap, &atom->right, text);
}

static void put_prop (const Swap *swap, const RspProp *prop, GString *text);

/* The operands of nested `and`s, or `or`s, as texts. */
static void
collect_operands (const Swap *swap, const RspProp *prop, RspPropKind kind, GPtrArray *texts)
{
  if (prop->kind == kind)
    {
      collect_operands (swap, prop->a, kind, texts);
      collect_operands (swap, prop->b, kind, texts);
      return;
    }
  GString *text = g_string_new (NULL);
  put_prop (swap, prop, text);
  g_ptr_array_add (texts, g_string_free (text, FALSE));
}

static void
put_operands (const Swap *swap, const RspProp *prop, GString *text)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  collect_operands (swap, prop, prop->kind, texts);
  g_ptr_array_sort (texts, rsp_compare_names);
  for (guint i = 0; i < texts->len; i++)
    g_string_append_printf (text, " %s", (const char *) texts->pdata[i]);
}

/* The same for propositions that differ only in the order of operands of `and` and `or`. */
static void
put_prop (const Swap *swap, const RspProp *prop, GString *text)
{
  g_string_append_printf (text, "(%d", prop->kind);
  if (prop->kind == RSP_PROP_ATOM)
    put_atom (swap, prop, text);
  else if (prop->kind == RSP_PROP_AND || prop->kind == RSP_PROP_OR)
    put_operands (swap, prop, text);
  else
    {
      if (prop->a)
        put_prop (swap, prop->a, text);
      if (prop->b)
        put_prop (swap, prop->b, text);
    }
  g_string_append_c (text, ')');
}

static gboolean
is_kept (const RspProgram *program, const RspProp *prop, guint a, guint b)
{
  g_autoptr (GString) own = g_string_new (NULL), swapped = g_string_new (NULL);
  if (!prop)
    return TRUE;
  put_prop (&(Swap){ program, a, a }, prop, own);
  put_prop (&(Swap){ program, a, b }, prop, swapped);
  return g_string_equal (own, swapped);
}

/* ---- Images ---- */

/* Keeps in a class the threads that the outcome and the filter do not distinguish from its first
 * thread. */
static gboolean
find_classes (const RspProgram *program, const RspProp *outcome, guint *class)
{
  gboolean any = FALSE;
  if (!symmetry_find (program, class))
    return FALSE;
  for (guint t = 0; t < program->n_threads; t++)
    {
      if (!is_kept (program, outcome, t, class[t])
          || !is_kept (program, program->filter, t, class[t]))
        class[t] = t;
      any |= class[t] != t;
    }
  return any;
}

/* The numbers of paths, ascending within each class. */
static char *
sorted_numbers (const guint *class, const guint *numbers, guint n)
{
  g_autofree guint *sorted = g_memdup2 (numbers, sizeof (guint) * n);
  for (guint t = 0; t < n; t++)
    for (guint u = t + 1; u < n; u++)
      if (class[u] == class[t] && sorted[u] < sorted[t])
        {
          guint other = sorted[t];
          sorted[t] = sorted[u];
          sorted[u] = other;
        }
  GString *text = g_string_new (NULL);
  for (guint t = 0; t < n; t++)
    g_string_append_printf (text, "%u ", sorted[t]);
  return g_string_free (text, FALSE);
}

static void
find_images (const RspProgram *program, const guint *class, const RspCombinations *combinations,
             guint *image)
{
  g_autoptr (GHashTable) first = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < combinations_n (combinations); i++)
    {
      const guint *numbers = combinations_numbers (combinations, i);
      char *key = sorted_numbers (class, numbers, program->n_threads);
      gpointer known;
      if (g_hash_table_lookup_extended (first, key, NULL, &known))
        {
          image[i] = GPOINTER_TO_UINT (known);
          g_free (key);
        }
      else
        g_hash_table_insert (first, key, GUINT_TO_POINTER (i));
    }
}

void
mirrors_open (Mirrors *mirrors, const RspCombinations *combinations)
{
  guint n = combinations_n (combinations);
  mirrors->image = g_new (guint, n + 1);
  mirrors->n_images = g_new (guint, n + 1);
  for (guint i = 0; i < n; i++)
    {
      mirrors->image[i] = i;
      mirrors->n_images[i] = 1;
    }
}

void
mirrors_close (Mirrors *mirrors)
{
  g_free (mirrors->image);
  g_free (mirrors->n_images);
}

void
mirrors_find (Mirrors *mirrors, const RspProgram *program, const RspProp *outcome,
              const RspCombinations *combinations)
{
  guint n = combinations_n (combinations);
  g_autofree guint *class = g_new0 (guint, program->n_threads + 1);
  for (guint i = 0; i < n; i++)
    {
      mirrors->image[i] = i;
      mirrors->n_images[i] = 0;
    }
  if (n > 1 && find_classes (program, outcome, class))
    find_images (program, class, combinations, mirrors->image);
  for (guint i = 0; i < n; i++)
    mirrors->n_images[mirrors->image[i]]++;
}
