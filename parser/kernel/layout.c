/* The arguments of a kernel, and its objects in memory. */
#include "base/base.h"
#include "parser/kernel/internal.h"
#include "parser/kernel/kernel.h"
#include "parser/program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What -arg says about a parameter. */
typedef struct KernelArgument {
  gboolean given, sized, is_bare; /* bare: only a size */
  guint n_elements;
  char **values; /* NULL-terminated; "zero" for 0 */
  guint n_values;
  gboolean is_null;       /* of a pointer */
  const CVariable *alias; /* of a pointer: it points into this parameter's array, to this element */
  guint element;
} KernelArgument;

static void kernel_argument_clear (KernelArgument *argument);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KernelArgument, kernel_argument_clear)

static guint kernel_add_object (KernelLowerer *l, const char *name, const CType *type,
                                gboolean is_array, guint n, RspSpace space, gboolean open,
                                RspSpan span);
static KernelPlace kernel_memory_place (KernelLowerer *l, const CType *type, guint object,
                                        RspSpan span);

/* ---- Arguments ------------------------------------------------------------------------------ */

/* What -arg gives: `n=4`, `x[8]=0`, `x=1,2,3`, `x=@FILE`, `x=y+1`, `x=null`. */

enum { MAX_FILE = 1 << 20 /* bytes of a file of values */ };

#define FORMS                                                                                      \
  "`-arg n=4`, `-arg x[8]=0`, `-arg x=1,2,3`, `-arg x=zero`, `-arg x=@FILE`, `-arg n=1..16` or "   \
  "`-arg n=any`"

static void kernel_argument_clear (KernelArgument *argument) { g_strfreev (argument->values); }

/* The length of the name in "x[8]=0". */
static gsize name_length (const char *text) { return strcspn (text, "[="); }

/* Reads the number of elements in "[8]=0". Returns what follows; NULL: there is none. */
static const char *read_size (const char *text, guint *n) {
  char *end;
  if (!g_ascii_isdigit (text[1]))
    return NULL;
  guint64 size = g_ascii_strtoull (text + 1, &end, 0);
  *n = (guint) MIN (size, G_MAXUINT);
  return *end == ']' && size > 0 ? end + 1 : NULL;
}

/* The values of "1,2,3", or those in the file of "@FILE", between commas and blanks; NULL, with an
 * error: the file cannot be read. */
static char **read_values (const char *text, GError **error) {
  if (*text != '@')
    return g_strsplit_set (text, ",", -1);
  RspSource *file = rsp_source_read_within (text + 1, MAX_FILE, error);
  if (!file)
    return NULL;
  char **values = g_strsplit_set (file->text, ", \t\r\n", -1);
  guint n = 0;
  for (guint i = 0; values[i]; i++)
    if (*values[i])
      values[n++] = values[i];
    else
      g_free (values[i]);
  values[n] = NULL;
  rsp_source_unref (file);
  return values;
}

/* FALSE: the text is not an argument. */
static gboolean read_argument (const char *text, KernelArgument *argument, GError **error) {
  const char *rest = text + name_length (text);
  *argument = (KernelArgument){ .given = TRUE, .n_elements = 1, .sized = rest[0] == '[' };
  if (argument->sized)
    rest = read_size (rest, &argument->n_elements);
  if (!rest || (*rest && *rest != '=') || strcmp (rest, "=") == 0)
    return FALSE;
  if (!*rest && !argument->sized)
    return FALSE;
  argument->is_bare = !*rest;
  argument->values = read_values (*rest ? rest + 1 : "zero", error);
  argument->n_values = argument->values ? g_strv_length (argument->values) : 0;
  const gboolean open
      = argument->n_values > 1 && strcmp (argument->values[argument->n_values - 1], "...") == 0;
  argument->n_values -= open;
  if (!argument->n_values)
    return FALSE;
  if (!argument->sized && argument->n_values > 1)
    argument->n_elements = argument->n_values;
  argument->sized |= argument->n_values > 1 && !open;
  return TRUE;
}

/* The kernel's parameter of the name, in so many characters; NULL: it has none. */
static const CVariable *parameter_named (const KernelLowerer *l, const char *name, gsize length) {
  const LitmusList parameters = l->entry->parameters;
  for (guint i = 0; i < parameters.n; i++) {
    const CVariable *parameter = parameters.items[i];
    if (parameter->name && strlen (parameter->name) == length
        && strncmp (parameter->name, name, length) == 0)
      return parameter;
  }
  return NULL;
}

/* The last argument for the parameter. */
static void find_argument (KernelLowerer *l, const CVariable *parameter, KernelArgument *argument) {
  const char *const *all = l->options->arguments;
  *argument = (KernelArgument){ .n_elements = 1, .alias = parameter->same };
  if (parameter->same)
    return;
  for (guint i = 0; all && all[i]; i++) {
    gsize length = name_length (all[i]);
    if (strlen (parameter->name) != length || strncmp (all[i], parameter->name, length) != 0)
      continue;
    kernel_argument_clear (argument);
    read_argument (all[i], argument, NULL);
  }
  if (argument->n_values == 1 && rsp_kernel_is_pointer (parameter->type)) {
    /* A pointer may be null, or point into another parameter's array: "a", "a+4". */
    const char *text = argument->values[0];
    const gsize length = strcspn (text, "+");
    char *end = (char *) text + length;
    argument->is_null = strcmp (text, "null") == 0;
    argument->alias = parameter_named (l, text, length);
    if (argument->alias && *end == '+' && g_ascii_isdigit (end[1])) {
      const guint64 element = g_ascii_strtoull (end + 1, &end, 0);
      argument->element = (guint) MIN (element, RSP_KERNEL_MAX_CELLS);
    }
    if (argument->alias == parameter || *end || argument->sized)
      argument->alias = NULL;
  }
}

/* A number that begins with 0, like 0xff, may be the bits of a negative one. any_sign: any may, and
 * a negative number may be the bits of an unsigned one. */
static void read_integer (const char *text, char **end, const CType *type, gboolean any_sign,
                          gint64 *value) {
  const gboolean negative = text[0] == '-', bitwise = text[0] == '0' || any_sign;
  if (!g_ascii_isdigit (text[negative]))
    return;
  const guint64 magnitude = g_ascii_strtoull (text + negative, end, 0);
  const RspWide number = negative ? -(RspWide) magnitude : (RspWide) magnitude;
  if (type->bits > 1 /* a bool is what is not 0 */
      && (number < rsp_type_low (type->bits, type->is_signed || any_sign)
          || number > rsp_type_high (type->bits, type->is_signed && !bitwise)))
    errno = ERANGE;
  *value = rsp_kernel_wrap ((gint64) number, type);
}

char *rsp_kernel_read_number (const char *text, const CType *type, gboolean any_sign,
                              gint64 *value) {
  char *end = NULL;
  *value = 0;
  errno = 0;
  if (type->kind == C_FLOAT) {
    const double wide = g_ascii_strtod (text, &end);
    const RspNumberType from = { .bits = 64, .is_float = TRUE },
                        to = { .bits = type->bits, .is_float = TRUE };
    const gint64 convert = rsp_float_function ("convert", to, &from, 1);
    memcpy (value, &wide, sizeof wide);
    *value = convert ? rsp_float_calculate (convert, value) : 0;
  } else
    read_integer (text, &end, type, any_sign, value);
  if (end && end != text && !*end && errno == 0)
    return NULL;
  if (type->kind == C_FLOAT || errno != ERANGE)
    return g_strdup ("a number");
  g_autofree char *name = rsp_kernel_type_name (type);
  return g_strdup_printf ("a number of type `%s`: %" G_GINT64_FORMAT " to %" G_GUINT64_FORMAT, name,
                          (gint64) rsp_type_low (type->bits, type->is_signed),
                          (guint64) rsp_type_high (type->bits, type->is_signed));
}

/* One of the argument's values, for a cell of the type; FALSE, with an error: it is not a number.
 */
static gboolean kernel_read_number (KernelLowerer *l, const CVariable *parameter, const char *text,
                                    const CType *type, gint64 *value) {
  *value = 0;
  if (strcmp (text, "zero") == 0)
    return TRUE;
  g_autofree char *expected = rsp_kernel_read_number (
      text, type->kind == C_INTEGER || type->kind == C_FLOAT ? type : &kernel_size,
      l->options->front != NULL /* what compilers make of int is often unsigned */, value);
  if (expected)
    kernel_error (l, parameter->span, FORMS, "found `%s` as the value of `%s`, expected %s", text,
                  parameter->name, expected);
  return !expected;
}

/* ---- Checks ---- */
/* The parameter that the argument is for; NULL, with an error: there is none. */
static const CVariable *find_parameter (KernelLowerer *l, const char *text) {
  const LitmusList parameters = l->entry->parameters;
  const CVariable *found = parameter_named (l, text, name_length (text));
  if (found)
    return found;
  g_autofree char *name = g_strndup (text, name_length (text));
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint k = 0; k < parameters.n; k++) {
    const CVariable *parameter = parameters.items[k];
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
  const CVariable *parameter = find_parameter (l, text);
  if (!parameter)
    return;
  g_autoptr (GError) error = NULL;
  gboolean good = read_argument (text, &argument, &error),
           is_array = rsp_kernel_is_pointer (parameter->type);
  const CType *whole = is_array ? parameter->type->to : parameter->type;
  const guint64 each = rsp_kernel_cells (l, whole, parameter->span);
  if (error)
    kernel_error (l, parameter->span, NULL, "-arg %s: %s", text, error->message);
  else if (!good && !text[name_length (text)])
    kernel_error (l, parameter->span, FORMS, "found `-arg %s`, expected a value after `%s=`", text,
                  text);
  else if (!good)
    kernel_error (l, parameter->span, FORMS, "found `-arg %s`, which cannot be read", text);
  else if (!is_array && text[name_length (text)] == '[')
    kernel_error (l, parameter->span, "-arg n=4", "-arg %s: the parameter `%s` is not a pointer",
                  text, parameter->name);
  else if (argument.n_values > 1
           && argument.n_values > (is_array ? argument.n_elements * each : each))
    kernel_error (l, parameter->span, NULL, "-arg %s: `%s` has fewer values than that", text,
                  parameter->name);
  else if (parameter->same && (!argument.is_bare || argument.n_elements > 1))
    kernel_error (l, parameter->span, NULL, "-arg %s: `%s` already points into the memory of `%s`",
                  text, parameter->name, parameter->same->name);
  else
    return;
  l->gave_up = TRUE;
}

void kernel_check_arguments (KernelLowerer *l) {
  for (guint i = 0; l->options->arguments && l->options->arguments[i]; i++)
    check_argument (l, l->options->arguments[i]);
  /* Reports all parameters that need a value and have none. */
  g_autoptr (GString) names = g_string_new (NULL), hint = g_string_new (NULL);
  const CVariable *first = NULL;
  guint n = 0;
  for (guint i = 0; i < l->entry->parameters.n && !l->options->lenient; i++) {
    const CVariable *parameter = l->entry->parameters.items[i];
    g_auto (KernelArgument) argument = { 0 };
    if (!parameter->name || rsp_kernel_is_pointer (parameter->type)
        || parameter->type->kind == C_OPAQUE || parameter->is_optional)
      continue;
    find_argument (l, parameter, &argument);
    if (argument.given)
      continue;
    first = n++ ? first : parameter;
    g_string_append_printf (names, "%s`%s`", n > 1 ? ", " : "", parameter->name);
    g_string_append_printf (hint, "%s-arg %s=any", n > 1 ? " " : "", parameter->name);
  }
  if (n)
    kernel_error (l, first->span, hint->str, "the kernel `%s` needs %s for its parameter%s %s",
                  l->entry->name, n == 1 ? "a value" : "values", n == 1 ? "" : "s", names->str);
}

/* ---- Variables of the file ------------------------------------------------------------------ */

/* ---- Strings ---- */
KernelPlace rsp_kernel_string (KernelLowerer *l, const CExpr *expr) {
  static const CType character = {
    .kind = C_INTEGER, .bits = 8, .is_signed = TRUE, .is_const = TRUE, .space = RSP_SPACE_CONSTANT
  };
  g_autoptr (GString) characters = rsp_litmus_characters (expr->name);
  const guint n = (guint) characters->len + 1;
  const CType *type = rsp_kernel_array_of (l->arena, &character, n);
  g_autofree char *key = g_strdup_printf ("\"%s", expr->name);
  guint object = GPOINTER_TO_UINT (g_hash_table_lookup (l->local, key));
  if (object)
    return kernel_memory_place (l, type, object - 1, expr->span);
  g_autofree char *own = g_strdup_printf ("string %u", l->locations->len);
  object = kernel_add_object (l, own, type, FALSE, n, RSP_SPACE_CONSTANT, FALSE, expr->span);
  for (guint i = 0; object + i < l->locations->len; i++)
    g_array_index (l->locations, RspLocation, object + i).initial
        = rsp_kernel_wrap ((guchar) characters->str[i], &character);
  g_hash_table_insert (l->local, g_steal_pointer (&key), GUINT_TO_POINTER (object + 1));
  return kernel_memory_place (l, type, object, expr->span);
}

/* ---- Initial values ---- */
gboolean kernel_fixed_address (const RspExpr *expr, guint *object, gint64 *cell) {
  gint64 a, b;
  switch (expr->kind) {
  case RSP_EXPR_LOCATION:
    *object = expr->u.object;
    *cell = 0;
    return TRUE;
  case RSP_EXPR_CONSTANT:
    *cell = expr->u.constant;
    return TRUE;
  case RSP_EXPR_CAST:
    return kernel_fixed_address (expr->u.node.a, object, cell);
  case RSP_EXPR_BINARY:
    if (!kernel_fixed_address (expr->u.node.a, object, &a)
        || !kernel_fixed_address (expr->u.node.b, object, &b))
      return FALSE;
    *cell = expr->u.node.op == RSP_OP_MUL ? a * b : a + b;
    return expr->u.node.op == RSP_OP_MUL || expr->u.node.op == RSP_OP_ADD;
  default:
    return FALSE;
  }
}

/* Is it the result of floating-point operations on constants? */
static gboolean is_calculated (const RspExpr *expr) {
  return expr->kind == RSP_EXPR_CAST
             ? is_calculated (expr->u.node.a)
             : expr->kind == RSP_EXPR_BINARY && expr->u.node.op == RSP_OP_APPLY;
}

/* What a statement of an initialiser assigns, if it is constant, else NULL. values: of the
 * registers from `first` on. */
static const RspExpr *constant_of (const RspStatement *statement, guint first,
                                   const GPtrArray *values) {
  const RspExpr *assign = statement->expr;
  if (statement->kind != RSP_STATEMENT_EXPRESSION || assign->kind != RSP_EXPR_ASSIGN
      || assign->u.node.a->kind != RSP_EXPR_REGISTER || assign->u.node.a->u.reg < first)
    return NULL;
  const RspExpr *value = assign->u.node.b;
  guint object;
  gint64 cell;
  if (value->kind == RSP_EXPR_REGISTER && value->u.reg >= first)
    return values->pdata[value->u.reg - first];
  return kernel_fixed_address (value, &object, &cell) || is_calculated (value) ? value : NULL;
}

/* number: of the location */
static void set_value (RspLocation *location, const RspExpr *value, guint number) {
  guint object = G_MAXUINT;
  gint64 cell = 0;
  location->opaque = !kernel_fixed_address (value, &object, &cell);
  if (location->opaque)
    location->initial = number;
  else if (object == G_MAXUINT)
    location->initial
        = rsp_wrap (cell, rsp_type_bits (&location->type), rsp_type_is_signed (&location->type));
  else
    location->initial = rsp_address (object, (gint32) cell);
}

/* Sets the values of a variable's initialiser, which must be constant. Results of floating-point
 * operations are unknown. */
static void initialise_global (KernelLowerer *l, const CVariable *variable, const CType *type,
                               guint object) {
  KernelCode code;
  KernelCode *outer = rsp_kernel_begin (l, &code);
  g_autoptr (GPtrArray) ensures = g_ptr_array_new ();
  const KernelFrame frame = { .function = l->entry, .place = "", .ensures = ensures };
  l->frame = &frame; /* as calls need one before they are refused */
  guint first = rsp_kernel_add_variable (l, variable->name, type, FALSE, TRUE, variable->span);
  guint n = l->registers->len - first;
  rsp_kernel_initialise (l, rsp_kernel_registers (type, first), variable->initial);
  l->frame = NULL;
  rsp_kernel_end (l, &code, outer, variable->span);
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  g_ptr_array_set_size (values, (gint) (l->registers->len - first));
  for (const RspStatement *s = code.first; s; s = s->next) {
    const RspExpr *value = constant_of (s, first, values);
    if (!value) {
      rsp_kernel_refuse (l, s->span, "write the value as a number",
                         "an initial value that is not a constant");
      return;
    }
    guint cell = s->expr->u.node.a->u.reg - first;
    values->pdata[cell] = (gpointer) value;
    if (cell >= n || object + cell >= l->locations->len)
      continue;
    set_value (&g_array_index (l->locations, RspLocation, object + cell), value, object + cell);
  }
}

/* Lays out the object of a variable of the file, and binds its name. */
static void kernel_lay_out_global (KernelLowerer *l, const CVariable *variable) {
  RspSpace space
      = variable->type->space == RSP_SPACE_PRIVATE ? RSP_SPACE_GLOBAL : variable->type->space;
  const CType *type = rsp_kernel_completed (l, variable);
  if (space == RSP_SPACE_LOCAL)
    rsp_kernel_refuse (l, variable->span, "declare it in the kernel",
                       "a variable in local memory outside of functions");
  if (type->kind == C_OPAQUE) {
    RspExpr *number
        = rsp_kernel_constant (l, variable->span, g_str_hash (variable->name), &kernel_size);
    rsp_kernel_bind (l, variable->name, (KernelPlace){ .type = type, .address = number }, TRUE);
    return;
  }
  guint object = kernel_add_object (l, variable->name, type, FALSE,
                                    MAX (1, rsp_kernel_units (l, type, variable->span)), space,
                                    FALSE, variable->span);
  rsp_kernel_bind (l, variable->name, kernel_memory_place (l, type, object, variable->span), FALSE);
  if (variable->initial)
    initialise_global (l, variable, type, object);
}

/* ---- Objects in memory ---------------------------------------------------------------------- */

/* ---- Cells ---- */
/* The name of a cell of an object of the type: ".next", "[2].x". */
static void add_cell_name (KernelLowerer *l, GString *name, const CType *type, guint cell) {
  static const char lanes[] = "xyzw";
  while (!rsp_kernel_is_scalar (type) && type->kind != C_VOID)
    if (type->kind == C_STRUCT && type->record->mixed) {
      g_string_append_printf (name, "+%u", cell);
      return;
    } else if (type->kind == C_STRUCT) {
      const CVariable *member = rsp_kernel_member_at (l, type->record, &cell);
      if (!member)
        return;
      if (member->name && *member->name)
        g_string_append_printf (name, ".%s", member->name);
      type = member->type;
    } else {
      guint each = MAX (1, rsp_kernel_cells (l, type->to, RSP_NOWHERE)), index = cell / each;
      if (type->kind == C_VECTOR && type->lanes <= 4)
        g_string_append_printf (name, ".%c", lanes[index]);
      else
        g_string_append_printf (name, type->kind == C_VECTOR ? ".s%x" : "[%u]", index);
      cell %= each;
      type = type->to;
    }
}

/* The name of the i-th location of an object, and the type of what is there. */
static char *location_name (KernelLowerer *l, const char *name, const CType *type,
                            gboolean is_array, guint i, const CType **leaf, RspSpan span) {
  const guint each = MAX (1, rsp_kernel_units (l, type, span));
  const guint64 size = rsp_kernel_size_of (l, type, span), unit = l->kernel->unit;
  guint cell, part;
  g_autoptr (GString) own = g_string_new (name);
  *leaf = kernel_unit_leaf (l, type, i % each, &cell, &part);
  if (is_array)
    g_string_append_printf (own, "[%u]",
                            size && size < unit ? (guint) (i * unit / size) : i / each);
  add_cell_name (l, own, type, cell);
  if (part)
    g_string_append_printf (own, "+%u", part);
  return rsp_arena_strdup (l->arena, own->str);
}

/* Those of the object whose first location has this name; or NULL. */
static const RspObjectFacts *find_facts (const KernelLowerer *l, const char *name) {
  for (guint i = 0; l->options->facts && i < l->options->facts->len; i++) {
    const RspObjectFacts *facts = l->options->facts->pdata[i];
    if (strcmp (facts->name, name) == 0)
      return facts;
  }
  return NULL;
}

/* Adds an object of n cells of the repeated type. Returns its first location. open: it grows as
 * executions need, as does one that is too large to be laid out as a whole. */
static guint kernel_add_object (KernelLowerer *l, const char *name, const CType *type,
                                gboolean is_array, guint n, RspSpace space, gboolean open,
                                RspSpan span) {
  const guint first = l->locations->len, each = MAX (1, rsp_kernel_units (l, type, span));
  const guint declared = n > RSP_KERNEL_MAX_GROWN ? n : 0;
  const CType *leaf;
  open = open || declared || l->options->lenient;
  const RspObjectFacts *facts
      = find_facts (l, location_name (l, name, type, is_array, 0, &leaf, span));
  if (declared)
    n = facts ? facts->n_elements : 1;
  else if (open && facts)
    n = MAX (n, (facts->n_elements + each - 1) / each * each);
  if (first + n > KERNEL_MAX_LOCATIONS) {
    rsp_kernel_refuse (l, span, "try a smaller grid, or smaller arrays",
                       "more than %d values in memory", KERNEL_MAX_LOCATIONS);
    n = 1;
  }
  for (guint i = 0; i < n; i++) {
    char *own = location_name (l, name, type, is_array, i, &leaf, span);
    RspLocation location = { .name = own,
                             .type = rsp_kernel_cell_type (leaf),
                             .atomic = leaf->is_atomic,
                             .is_kernel = TRUE,
                             .object = first,
                             .n_elements = n,
                             .grows = open,
                             .declared = declared,
                             .span = span,
                             .physical = l->locations->len };
    location.type.space = space;
    location.fixed = (type->is_const || space == RSP_SPACE_CONSTANT) && !leaf->is_atomic;
    g_array_append_val (l->locations, location);
  }
  return first;
}

static RspExpr *location_expr (KernelLowerer *l, RspSpan span, guint object) {
  RspExpr *expr = rsp_kernel_constant (l, span, 0, &kernel_size);
  expr->kind = RSP_EXPR_LOCATION;
  expr->u.object = object;
  expr->type.pointers = 1;
  expr->name = g_array_index (l->locations, RspLocation, object).name;
  return expr;
}

static KernelPlace kernel_memory_place (KernelLowerer *l, const CType *type, guint object,
                                        RspSpan span) {
  return (KernelPlace){ .type = type, .address = location_expr (l, span, object) };
}

/* ---- Local memory ---- */
/* The group's object of the name, made when it is first met. */
static guint group_object (KernelLowerer *l, const char *name, const void *variable,
                           const CType *type, gboolean is_array, gboolean open, guint n,
                           RspSpan span) {
  g_autofree char *key = g_strdup_printf ("%p %u", variable, l->group);
  gpointer known = g_hash_table_lookup (l->local, key);
  g_string_append_printf (l->identity, "local %u;", l->group);
  if (known)
    return GPOINTER_TO_UINT (known) - 1;
  g_autofree char *own = g_strdup_printf ("%s@%u", name, l->group);
  guint object = kernel_add_object (l, l->options->grid.groups > 1 ? own : name, type, is_array, n,
                                    RSP_SPACE_LOCAL, open, span);
  for (guint i = object; i < l->locations->len; i++)
    g_array_index (l->locations, RspLocation, i).unset = !l->options->lenient;
  g_hash_table_insert (l->local, g_steal_pointer (&key), GUINT_TO_POINTER (object + 1));
  return object;
}

/* The bytes of the smallest scalar in the type. */
static guint least_size (KernelLowerer *l, const CType *type) {
  guint least = 8;
  if (type->kind == C_ARRAY || type->kind == C_VECTOR)
    return least_size (l, type->to);
  if (type->kind != C_STRUCT)
    return (guint) rsp_kernel_size_of (l, type, RSP_NOWHERE);
  for (guint i = 0; i < type->record->members.n; i++)
    least = MIN (least, least_size (l, ((const CVariable *) type->record->members.items[i])->type));
  return least;
}

static const CType *innermost (const CType *type) { return type->to ? innermost (type->to) : type; }

/* Both types are used for one memory: if they differ, it is laid out in units that fit both. */
static void share (KernelLowerer *l, const CType *a, const CType *b) {
  g_autofree char *one = rsp_kernel_type_name (a), *other = rsp_kernel_type_name (b);
  if (rsp_kernel_cells (l, a, RSP_NOWHERE) && rsp_kernel_cells (l, b, RSP_NOWHERE)
      && (strcmp (one, other) != 0 || innermost (a)->record != innermost (b)->record))
    rsp_kernel_want_unit (l, MIN (least_size (l, a), least_size (l, b)));
}

KernelPlace rsp_kernel_local_object (KernelLowerer *l, const CVariable *variable) {
  const CVariable *own = variable;
  for (; own->same; own = own->same)
    share (l, variable->type, own->same->type);
  const guint n = MAX (1, rsp_kernel_units (l, own->type, own->span)),
              object = group_object (l, own->name, own, own->type, FALSE, FALSE, n, own->span);
  return kernel_memory_place (l, variable->type, object, variable->span);
}

/* A pointer to memory that grows, made when it is first asked for. */
static KernelValue named_memory (KernelLowerer *l, const char *name, const CType *cell,
                                 RspSpace space, RspSpan span) {
  gpointer known = g_hash_table_lookup (l->local, name);
  guint object = known ? GPOINTER_TO_UINT (known) - 1
                       : kernel_add_object (l, name, cell, TRUE, 1, space, TRUE, span);
  g_hash_table_insert (l->local, g_strdup (name), GUINT_TO_POINTER (object + 1));
  return rsp_kernel_scalar (l, location_expr (l, span, object), rsp_kernel_pointer_to (l, cell));
}

KernelValue kernel_group_memory (KernelLowerer *l, const char *name, const CType *cell,
                                 gboolean is_sub_group, RspSpan span) {
  const guint number = is_sub_group ? l->thread / l->options->grid.items : l->group;
  g_autofree char *own
      = g_strdup_printf ("%s of %s-group %u", name, is_sub_group ? "sub" : "work", number);
  g_string_append_printf (l->identity, "%s;", own);
  return named_memory (l, own, cell, RSP_SPACE_LOCAL, span);
}

gboolean kernel_image_memory (KernelLowerer *l, const RspExpr *image, RspSpan span,
                              KernelValue *pointer) {
  for (guint i = 0; i < l->entry->parameters.n && image->kind == RSP_EXPR_CONSTANT; i++) {
    const CVariable *parameter = l->entry->parameters.items[i];
    if (parameter->name && parameter->type->kind == C_OPAQUE
        && image->u.constant == (gint64) g_str_hash (parameter->name)) {
      *pointer = named_memory (l, parameter->name, &kernel_size, RSP_SPACE_GLOBAL, span);
      return TRUE;
    }
  }
  return FALSE;
}

/* ---- Parameters ---- */
static gboolean is_shared_pointer (const CType *type) {
  return rsp_kernel_is_pointer (type) && type->to->space != RSP_SPACE_PRIVATE;
}

/* How many elements an array must have for an assertion about final memory. */
static guint named_elements (const CExpr *expr, const char *name) {
  if (!expr)
    return 0;
  guint a = named_elements (expr->a, name), b = named_elements (expr->b, name), most = MAX (a, b);
  if (expr->kind == C_INDEX && expr->a->kind == C_NAME && strcmp (expr->a->name, name) == 0
      && expr->b->kind == C_NUMBER && expr->b->number.value >= 0
      && expr->b->number.value < RSP_KERNEL_MAX_GROWN)
    most = MAX (most, (guint) expr->b->number.value + 1);
  return most;
}

/* The number of the parameter among those with unknown values; FALSE: it is none. */
static gboolean find_unknown (const KernelLowerer *l, const CVariable *parameter, guint *number) {
  for (*number = 0; l->options->unknown && l->options->unknown[*number]; ++*number)
    if (strcmp (l->options->unknown[*number], parameter->name) == 0)
      return TRUE;
  return FALSE;
}

/* Element i of an array with any values: representatives are searched for its value, or nothing is
 * known of it. */
static void set_unknown (KernelLowerer *l, const CVariable *parameter, guint i,
                         RspLocation *location) {
  guint number;
  location->opaque = location->any = TRUE;
  location->initial = location->physical;
  if (location->type.is_float || i >= RSP_KERNEL_MAX_DECIDING
      || !find_unknown (l, parameter, &number))
    return;
  location->opaque = FALSE;
  location->argument = number + (i + 1) * RSP_KERNEL_MAX_UNKNOWN + 1;
}

static void set_initial (KernelLowerer *l, const CVariable *parameter, guint object,
                         const KernelArgument *argument) {
  const guint n = g_array_index (l->locations, RspLocation, object).n_elements;
  for (guint i = 0; i < n && argument->n_values; i++) {
    const CType *type = parameter->type->to;
    const guint each = MAX (1, rsp_kernel_units (l, type, parameter->span));
    guint cell, part;
    kernel_unit_leaf (l, type, i % each, &cell, &part);
    const guint number = i / each * rsp_kernel_cells (l, type, parameter->span) + cell;
    const char *text
        = argument->values[argument->n_values == 1 ? 0 : MIN (number, argument->n_values - 1)];
    RspLocation *location = &g_array_index (l->locations, RspLocation, object + i);
    const CType unit = { .kind = location->type.is_float ? C_FLOAT : C_INTEGER,
                         .bits = location->type.bits,
                         .is_signed = location->type.is_signed };
    if (strcmp (text, "any") == 0) { /* parts have no values of their own to look for */
      set_unknown (l, parameter, l->kernel->unit ? RSP_KERNEL_MAX_DECIDING : i, location);
      continue;
    }
    /* Where units are greater than elements, nothing accesses these. */
    if (rsp_kernel_size_of (l, type, parameter->span) < l->kernel->unit)
      return;
    const CType *leaf = l->kernel->unit ? rsp_kernel_leaf (l, type, cell) : &unit;
    if (!kernel_read_number (l, parameter, text, leaf, &location->initial))
      return;
    if (leaf != &unit)
      location->initial
          = part * l->kernel->unit < 8 /* or a gap before the next element */
                ? rsp_kernel_wrap (location->initial >> (8 * part * l->kernel->unit), &unit)
                : 0;
  }
}

static void lay_out_parameter (KernelLowerer *l, const CVariable *parameter) {
  g_auto (KernelArgument) argument = { 0 };
  guint n, each;
  if (!parameter->name || !is_shared_pointer (parameter->type))
    return;
  if (parameter->type->to->kind == C_VOID)
    rsp_kernel_want_unit (l, 8);
  each = MAX (1, rsp_kernel_units (l, parameter->type->to, parameter->span));
  if (l->gave_up)
    return;
  find_argument (l, parameter, &argument);
  if (argument.is_null || argument.alias)
    return;
  const guint64 size = rsp_kernel_size_of (l, parameter->type->to, parameter->span);
  n = MAX (1, argument.n_elements);
  if (size && size < l->kernel->unit)
    n = (guint) ((n * size + l->kernel->unit - 1) / l->kernel->unit);
  if (n > RSP_KERNEL_MAX_CELLS / each) {
    rsp_kernel_refuse (l, parameter->span, NULL, "an array of %u elements (at most %u)", n,
                       RSP_KERNEL_MAX_CELLS / each);
    return;
  }
  if (parameter->type->to->space == RSP_SPACE_LOCAL) {
    for (l->group = 0; l->group < l->options->grid.groups; l->group++)
      group_object (l, parameter->name, parameter, parameter->type->to, TRUE, !argument.sized,
                    n * each, parameter->span);
    l->group = 0;
    return;
  }
  for (guint i = 0; i < l->unit->asserts.n && !argument.sized; i++)
    n = MAX (n, named_elements (l->unit->asserts.items[i], parameter->name));
  guint object = kernel_add_object (l, parameter->name, parameter->type->to, TRUE, n * each,
                                    parameter->type->to->space, !argument.sized, parameter->span);
  g_hash_table_insert (l->local, g_strdup (parameter->name), GUINT_TO_POINTER (object + 1));
  set_initial (l, parameter, object, &argument);
  const gboolean is_any = l->kernel->has_question && (!argument.given || argument.is_bare);
  for (guint i = object; is_any && i < l->locations->len; i++)
    g_array_index (l->locations, RspLocation, i).open = TRUE;
}

/* The parameter whose object a pointer points into, by way of others that -arg names; *cells: how
 * far behind its start. After an error, one on the way. */
static const CVariable *holder_of (KernelLowerer *l, const CVariable *parameter, gint64 *cells) {
  const CVariable *own = parameter;
  *cells = 0;
  for (guint i = 0; i < l->entry->parameters.n; i++) {
    g_auto (KernelArgument) argument = { 0 };
    if (!g_hash_table_contains (l->local, own->name))
      find_argument (l, own, &argument);
    if (!argument.alias)
      return own;
    if (!is_shared_pointer (argument.alias->type)
        || own->type->to->space != argument.alias->type->to->space) {
      kernel_error (l, own->span, NULL, "-arg %s=%s: `%s` is not a pointer into the same memory",
                    own->name, argument.values[0], argument.alias->name);
      return own;
    }
    own = argument.alias;
    share (l, parameter->type->to, own->type->to);
    *cells += (gint64) argument.element * rsp_kernel_units (l, own->type->to, own->span);
  }
  kernel_error (l, parameter->span, NULL, "-arg: `%s` points into its own memory", parameter->name);
  return own;
}

gboolean kernel_parameter_object (KernelLowerer *l, const CVariable *parameter,
                                  KernelPlace *place) {
  gint64 cells;
  const gpointer known = g_hash_table_lookup (l->local, holder_of (l, parameter, &cells)->name);
  if (!known)
    return FALSE;
  *place = kernel_memory_place (l, rsp_kernel_pointer_to (l, parameter->type->to),
                                GPOINTER_TO_UINT (known) - 1, parameter->span);
  place->address = rsp_kernel_step (l, parameter->span, place->address, cells);
  return TRUE;
}

void rsp_kernel_set_local (KernelLowerer *l, const CVariable *variable, KernelPlace place,
                           const char *values) {
  CVariable own = *variable;
  g_auto (KernelArgument) argument = { .values = g_strsplit_set (values, ",", -1) };
  argument.n_values = g_strv_length (argument.values);
  own.type = (CType *) rsp_kernel_pointer_to (l, place.type);
  const RspLocation *first = &g_array_index (l->locations, RspLocation, place.address->u.object);
  set_initial (l, &own, place.address->u.object, &argument);
  for (guint i = 0; i < first->n_elements; i++)
    ((RspLocation *) first)[i].unset = FALSE;
}

void kernel_lay_out_objects (KernelLowerer *l) {
  for (guint i = 0; i < l->entry->parameters.n && !l->gave_up; i++)
    lay_out_parameter (l, l->entry->parameters.items[i]);
  for (guint i = 0; i < l->unit->globals.n && !l->gave_up; i++) {
    const CVariable *variable = l->unit->globals.items[i];
    if (!variable->is_enumerator)
      kernel_lay_out_global (l, variable);
  }
}

gboolean kernel_has_any (const KernelLowerer *l) {
  const char *const *all = l->options->arguments;
  guint i = 0;
  while (all && all[i] && !strstr (all[i], "any"))
    i++;
  return all && all[i];
}

/* The variable's value: the last of the numbers stands for all that follow. */
static KernelValue listed (KernelLowerer *l, const CVariable *variable, char *const *numbers,
                           guint n) {
  KernelValue value = rsp_kernel_dummy (l, variable->span, variable->type);
  for (guint i = 0; i < value.n; i++) {
    const CType *leaf = rsp_kernel_leaf (l, variable->type, i);
    gint64 number;
    if (kernel_read_number (l, variable, numbers[MIN (i, n - 1)], leaf, &number))
      value.cells[i] = rsp_kernel_constant (l, variable->span, number, leaf);
  }
  return value;
}

KernelValue rsp_kernel_listed (KernelLowerer *l, const CVariable *variable, const char *values) {
  g_auto (GStrv) numbers = g_strsplit_set (values, ",", -1);
  return listed (l, variable, numbers, g_strv_length (numbers));
}

static KernelValue scalar_argument (KernelLowerer *l, const CVariable *parameter) {
  const CType *type = parameter->type;
  g_auto (KernelArgument) argument = { 0 };
  find_argument (l, parameter, &argument);
  if (type->kind == C_OPAQUE)
    return rsp_kernel_scalar (
        l, rsp_kernel_constant (l, parameter->span, g_str_hash (parameter->name), &kernel_size),
        type);
  if (!argument.given)
    return rsp_kernel_dummy (l, parameter->span, type);
  KernelValue value = rsp_kernel_dummy (l, parameter->span, type);
  if (argument.n_values == 1
      && (strcmp (argument.values[0], "any") == 0
          || (l->options->unknown && strstr (argument.values[0], "..")))) {
    /* An integer for which representatives are searched, or a value of which nothing is known. */
    guint unknown;
    if (type->kind == C_INTEGER && find_unknown (l, parameter, &unknown)) {
      l->kernel->unknown[unknown] = rsp_kernel_cell_type (type);
      value.cells[0] = rsp_kernel_unknown (
          l, parameter->span, RSP_FUNCTION_ARGUMENT,
          rsp_kernel_constant (l, parameter->span, unknown, &kernel_int), type);
      return value;
    }
    g_autofree char *name = g_strdup_printf ("any %s", parameter->name);
    for (guint i = 0; i < value.n; i++) {
      RspExpr *cell = rsp_kernel_constant (l, parameter->span, i, &kernel_int);
      value.cells[i]
          = rsp_kernel_apply (l, parameter->span, name, rsp_kernel_leaf (l, type, i), &cell, 1);
    }
    return rsp_kernel_held (l, value, parameter->span);
  }
  return listed (l, parameter, argument.values, argument.n_values);
}

gboolean rsp_kernel_is_given (KernelLowerer *l, const CVariable *parameter) {
  g_auto (KernelArgument) argument = { 0 };
  find_argument (l, parameter, &argument);
  return argument.given;
}

KernelValue rsp_kernel_argument (KernelLowerer *l, const CVariable *parameter) {
  KernelPlace place;
  if (!parameter->name)
    return rsp_kernel_no_value ();
  if (!rsp_kernel_is_pointer (parameter->type))
    return scalar_argument (l, parameter);
  const CType *type = rsp_kernel_pointer_to (l, parameter->type->to);
  if (kernel_parameter_object (l, parameter, &place))
    return rsp_kernel_scalar (l, place.address, type);
  g_auto (KernelArgument) argument = { 0 };
  find_argument (l, parameter, &argument);
  if (argument.is_null)
    return rsp_kernel_number (l, parameter->span, 0, type);
  if (is_shared_pointer (parameter->type)) { /* in local memory: each group has its own */
    gint64 cells;
    const CVariable *own = holder_of (l, parameter, &cells);
    const guint object
        = group_object (l, own->name, own, own->type->to, TRUE, TRUE, 1, parameter->span);
    RspExpr *start = location_expr (l, parameter->span, object);
    return rsp_kernel_scalar (l, rsp_kernel_step (l, parameter->span, start, cells), type);
  }
  rsp_kernel_refuse (l, parameter->span, "write `__global`",
                     "the pointer parameter `%s` without an address space", parameter->name);
  return rsp_kernel_dummy (l, parameter->span, type);
}
