/* herd writes an undetermined value as a symbol, `S13`. So does rspcheck, followed by an offset if
 * there is one, `S1_2` or `S1_m2`; its older logs have `?1`, `?1+2` and `?1-2`. */
#include "report/log/symbol.h"
#include "report/log/text.h"

#include <string.h>

/* The symbol's number, followed by its offset ("" for none). FALSE if the value is not a symbol. */
static gboolean
split_symbol (const char *value, guint64 *number, char **offset)
{
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

/* The index of the number in the list, from 1; it is added if it is missing. */
static guint
place_of (GArray *numbers, guint64 number)
{
  for (guint i = 0; i < numbers->len; i++)
    if (g_array_index (numbers, guint64, i) == number)
      return i + 1;
  g_array_append_val (numbers, number);
  return numbers->len;
}

void
log_number_symbols (GArray *state)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (guint i = 0; i < state->len; i++)
    {
      RspLogBinding *binding = &g_array_index (state, RspLogBinding, i);
      guint64 number;
      g_autofree char *offset = NULL;
      if (!split_symbol (binding->value, &number, &offset))
        continue;
      g_free (binding->value);
      binding->value = g_strdup_printf ("S%u%s", place_of (numbers, number), offset);
    }
}

gboolean
log_has_symbols (const GArray *state)
{
  guint64 number;
  for (guint i = 0; i < state->len; i++)
    {
      g_autofree char *offset = NULL;
      if (split_symbol (g_array_index (state, RspLogBinding, i).value, &number, &offset))
        return TRUE;
    }
  return FALSE;
}
