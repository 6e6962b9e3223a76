/* Arguments as -arg gives them: `n=4`, `x[8]=0`, `x=1,2,3`. */
#include "parser/kernel/program/arguments.h"
#include "parser/kernel/lower/fold.h"
#include "parser/kernel/lower/type.h"
#include "parser/kernel/lower/value.h"

#include "base/suggest.h"
#include "parser/arithmetic.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FORMS "`-arg n=4`, `-arg x[8]=0`, `-arg x=1,2,3`, `-arg x=zero` or `-arg n=any`"

void kernel_argument_clear (KernelArgument *argument) { g_strfreev (argument->values); }

/* The length of the name in "x[8]=0". */
static gsize name_length (const char *text) { return strcspn (text, "[="); }

/* The number of elements in "[8]=0", and what follows; NULL: there is none. */
static const char *read_size (const char *text, guint *n) {
  char *end;
  if (!g_ascii_isdigit (text[1]))
    return NULL;
  guint64 size = g_ascii_strtoull (text + 1, &end, 0);
  *n = (guint) MIN (size, G_MAXUINT);
  return *end == ']' && size > 0 ? end + 1 : NULL;
}

/* FALSE if the text is no argument of the form. */
static gboolean read_argument (const char *text, KernelArgument *argument) {
  const char *rest = text + name_length (text);
  *argument = (KernelArgument){ .given = TRUE, .n_elements = 1, .sized = rest[0] == '[' };
  if (argument->sized)
    rest = read_size (rest, &argument->n_elements);
  if (!rest || (*rest && *rest != '=') || strcmp (rest, "=") == 0)
    return FALSE;
  if (!*rest && !argument->sized)
    return FALSE;
  argument->values = g_strsplit (*rest ? rest + 1 : "zero", ",", -1);
  argument->n_values = g_strv_length (argument->values);
  if (!argument->sized && argument->n_values > 1)
    argument->n_elements = argument->n_values;
  argument->sized |= argument->n_values > 1;
  return TRUE;
}

void kernel_find_argument (KernelLowerer *l, const KernelVariable *parameter,
                           KernelArgument *argument) {
  const char *const *all = l->options->arguments;
  *argument = (KernelArgument){ .n_elements = 1 };
  for (guint i = 0; all && all[i]; i++) {
    gsize length = name_length (all[i]);
    if (strlen (parameter->name) != length || strncmp (all[i], parameter->name, length) != 0)
      continue;
    kernel_argument_clear (argument);
    read_argument (all[i], argument);
  }
}

/* One that begins with 0, like 0xff, may be the bits of a negative number. */
static void read_integer (const char *text, char **end, const KernelType *type, gint64 *value) {
  const gboolean negative = text[0] == '-', bitwise = text[0] == '0';
  if (!g_ascii_isdigit (text[negative]))
    return;
  const guint64 magnitude = g_ascii_strtoull (text + negative, end, 0);
  const RspWide number = negative ? -(RspWide) magnitude : (RspWide) magnitude;
  if (type->bits > 1 /* a bool is what is not 0 */
      && (number < rsp_type_low (type->bits, type->is_signed)
          || number > rsp_type_high (type->bits, type->is_signed && !bitwise)))
    errno = ERANGE;
  *value = rsp_kernel_wrap ((gint64) number, type);
}

/* Why the text is no number of the type; newly allocated. */
static char *expected_number (const KernelType *type) {
  if (type->kind != KERNEL_INTEGER || errno != ERANGE)
    return g_strdup ("a number");
  g_autofree char *name = rsp_kernel_type_name (type);
  return g_strdup_printf ("a number of type `%s`: %" G_GINT64_FORMAT " to %" G_GUINT64_FORMAT, name,
                          (gint64) rsp_type_low (type->bits, type->is_signed),
                          (guint64) rsp_type_high (type->bits, type->is_signed));
}

gboolean kernel_read_number (KernelLowerer *l, const KernelVariable *parameter, const char *text,
                             const KernelType *type, gint64 *value) {
  char *end = NULL;
  *value = 0;
  errno = 0;
  if (strcmp (text, "zero") == 0)
    return TRUE;
  if (strcmp (text, "any") == 0) {
    rsp_kernel_refuse (l, parameter->span, "give it numbers",
                       "`any` as the value of `%s`, which is not an integer", parameter->name);
    return FALSE;
  }
  if (type->kind == KERNEL_FLOAT) {
    double wide = g_ascii_strtod (text, &end);
    const KernelType wide_type = { .kind = KERNEL_FLOAT, .bits = 64 };
    memcpy (value, &wide, sizeof wide);
    RspExpr *number = rsp_kernel_constant (l, parameter->span, *value, &wide_type);
    *value = rsp_kernel_convert (l, number, &wide_type, type)->u.constant;
  } else
    read_integer (text, &end, type->kind == KERNEL_INTEGER ? type : &kernel_size, value);
  if (end != text && end && !*end && errno == 0)
    return TRUE;
  g_autofree char *expected = expected_number (type);
  kernel_error (l, parameter->span, FORMS, "found `%s` as the value of `%s`, expected %s", text,
                parameter->name, expected);
  return FALSE;
}

/* ---- Checks ---- */

/* The parameter that the argument is for; NULL, with an error: there is none. */
static const KernelVariable *find_parameter (KernelLowerer *l, const char *text) {
  const LitmusList parameters = l->entry->parameters;
  g_autofree char *name = g_strndup (text, name_length (text));
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint k = 0; k < parameters.n; k++) {
    const KernelVariable *parameter = parameters.items[k];
    if (g_strcmp0 (parameter->name, name) == 0)
      return parameter;
    g_ptr_array_add (names, (gpointer) (parameter->name ? parameter->name : ""));
  }
  g_ptr_array_add (names, NULL);
  g_autofree char *hint = rsp_did_you_mean (name, (const char *const *) names->pdata);
  kernel_error (l, l->entry->span, hint, "-arg %s: the kernel `%s` has no parameter `%s`", text,
                l->entry->name, name);
  return NULL;
}

static void check_argument (KernelLowerer *l, const char *text) {
  g_auto (KernelArgument) argument = { 0 };
  const KernelVariable *parameter = find_parameter (l, text);
  if (!parameter)
    return;
  gboolean good = read_argument (text, &argument),
           is_array = rsp_kernel_is_pointer (parameter->type);
  const KernelType *whole = is_array ? parameter->type->to : parameter->type;
  const guint64 each = rsp_kernel_cells (l, whole, parameter->span);
  if (!good && !text[name_length (text)])
    kernel_error (l, parameter->span, FORMS, "found `-arg %s`, expected a value after `%s=`", text,
                  text);
  else if (!good)
    kernel_error (l, parameter->span, FORMS, "found `-arg %s`, which cannot be read", text);
  else if (!is_array && text[name_length (text)] == '[')
    kernel_error (l, parameter->span, "-arg n=4", "-arg %s: the parameter `%s` is no pointer", text,
                  parameter->name);
  else if (argument.n_values > 1
           && argument.n_values > (is_array ? argument.n_elements * each : each))
    kernel_error (l, parameter->span, NULL, "-arg %s: `%s` does not have so many values", text,
                  parameter->name);
  else
    return;
  l->gave_up = TRUE;
}

void kernel_check_arguments (KernelLowerer *l) {
  const char *const *all = l->options->arguments;
  for (guint i = 0; all && all[i]; i++)
    check_argument (l, all[i]);
}
