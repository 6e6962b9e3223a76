/* A kernel becomes a program: arguments, the grid, objects in memory, assertions. */
#include "base/base.h"
#include "parser/kernel/internal.h"
#include "parser/kernel/kernel.h"
#include "parser/program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What -arg says about a parameter. */
typedef struct KernelArgument {
  gboolean given, sized;
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

/* Arguments as -arg gives them: `n=4`, `x[8]=0`, `x=1,2,3`, `x=@FILE`, `x=y+1`, `x=null`. */

enum { MAX_FILE = 1 << 20 /* bytes of a file of values */ };

#define FORMS                                                                                      \
  "`-arg n=4`, `-arg x[8]=0`, `-arg x=1,2,3`, `-arg x=zero`, `-arg x=@FILE`, `-arg n=1..16` or "   \
  "`-arg n=any`"

static void kernel_argument_clear (KernelArgument *argument) { g_strfreev (argument->values); }

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

/* The values of "1,2,3", or those in the file of "@FILE", between commas and blanks; NULL, with an
 * error: the file cannot be read. */
static char **read_values (const char *text, GError **error) {
  if (*text != '@')
    return g_strsplit (text, ",", -1);
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

/* FALSE if the text is no argument of the form. */
static gboolean read_argument (const char *text, KernelArgument *argument, GError **error) {
  const char *rest = text + name_length (text);
  *argument = (KernelArgument){ .given = TRUE, .n_elements = 1, .sized = rest[0] == '[' };
  if (argument->sized)
    rest = read_size (rest, &argument->n_elements);
  if (!rest || (*rest && *rest != '=') || strcmp (rest, "=") == 0)
    return FALSE;
  if (!*rest && !argument->sized)
    return FALSE;
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

/* A pointer may be null, or point into another parameter's array: "a", "a+4". */
static void find_alias (KernelLowerer *l, const CVariable *parameter, KernelArgument *argument) {
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

/* The last one of the parameter's name. */
static void kernel_find_argument (KernelLowerer *l, const CVariable *parameter,
                                  KernelArgument *argument) {
  const char *const *all = l->options->arguments;
  *argument = (KernelArgument){ .n_elements = 1 };
  for (guint i = 0; all && all[i]; i++) {
    gsize length = name_length (all[i]);
    if (strlen (parameter->name) != length || strncmp (all[i], parameter->name, length) != 0)
      continue;
    kernel_argument_clear (argument);
    read_argument (all[i], argument, NULL);
  }
  if (argument->n_values == 1 && rsp_kernel_is_pointer (parameter->type))
    find_alias (l, parameter, argument);
}

/* One that begins with 0, like 0xff, may be the bits of a negative number. */
static void read_integer (const char *text, char **end, const CType *type, gint64 *value) {
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
static char *expected_number (const CType *type) {
  if (type->kind != C_INTEGER || errno != ERANGE)
    return g_strdup ("a number");
  g_autofree char *name = rsp_kernel_type_name (type);
  return g_strdup_printf ("a number of type `%s`: %" G_GINT64_FORMAT " to %" G_GUINT64_FORMAT, name,
                          (gint64) rsp_type_low (type->bits, type->is_signed),
                          (guint64) rsp_type_high (type->bits, type->is_signed));
}

/* One of its values, for a cell of the type; FALSE, with an error, if the text is no number. */
static gboolean kernel_read_number (KernelLowerer *l, const CVariable *parameter, const char *text,
                                    const CType *type, gint64 *value) {
  char *end = NULL;
  *value = 0;
  errno = 0;
  if (strcmp (text, "zero") == 0)
    return TRUE;
  if (type->kind == C_FLOAT) {
    double wide = g_ascii_strtod (text, &end);
    const CType wide_type = { .kind = C_FLOAT, .bits = 64 };
    memcpy (value, &wide, sizeof wide);
    RspExpr *number = rsp_kernel_constant (l, parameter->span, *value, &wide_type);
    *value = rsp_kernel_convert (l, number, &wide_type, type)->u.constant;
  } else
    read_integer (text, &end, type->kind == C_INTEGER ? type : &kernel_size, value);
  if (end != text && end && !*end && errno == 0)
    return TRUE;
  g_autofree char *expected = expected_number (type);
  kernel_error (l, parameter->span, FORMS, "found `%s` as the value of `%s`, expected %s", text,
                parameter->name, expected);
  return FALSE;
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

/* ---- Unwritten ------------------------------------------------------------------------------ */

/* Which objects the text of the work-items writes nowhere: every use of their addresses is in the
 * address of a read. What is read there is known before any path is explored. */

/* What happens to an object. */
typedef enum Usage { IS_READ = 1, IS_WRITTEN = 2, ESCAPES = 4 } Usage;

typedef struct Scan {
  RspProgram *program;
  guint8 *used; /* per location that begins an object: bits of Usage */
} Scan;

static void scan_statements (Scan *scan, const RspStatement *statement);

static void scan_value (Scan *scan, const RspExpr *expr);

/* The address of an access: a pointer, and what is added to it. */
static void scan_address (Scan *scan, const RspExpr *expr, guint usage) {
  switch (expr->kind) {
  case RSP_EXPR_LOCATION:
    scan->used[expr->u.object] |= (guint8) usage;
    return;
  case RSP_EXPR_BINARY:
    if (expr->u.node.a->type.pointers)
      scan_address (scan, expr->u.node.a, usage);
    else
      scan_value (scan, expr->u.node.a);
    scan_value (scan, expr->u.node.b);
    return;
  case RSP_EXPR_CAST:
    scan_address (scan, expr->u.node.a, usage);
    return;
  case RSP_EXPR_CONDITIONAL:
    scan_value (scan, expr->u.node.a);
    scan_address (scan, expr->u.node.b, usage);
    scan_address (scan, expr->u.node.c, usage);
    return;
  default:
    scan_value (scan, expr);
    return;
  }
}

static void scan_call (Scan *scan, const RspCall *call) {
  if (call->plain) {
    scan_address (scan, call->object, call->value ? IS_WRITTEN : IS_READ);
    if (call->value)
      scan_value (scan, call->value);
    return;
  }
  const RspExpr *const operands[] = { call->object, call->value, call->expected };
  for (gsize i = 0; i < G_N_ELEMENTS (operands); i++)
    if (operands[i])
      scan_value (scan, operands[i]);
}

static void scan_operands (Scan *scan, const RspExpr *expr) {
  const RspExpr *const operands[] = { expr->u.node.a, expr->u.node.b, expr->u.node.c };
  for (gsize i = 0; i < G_N_ELEMENTS (operands); i++)
    if (operands[i])
      scan_value (scan, operands[i]);
}

static void scan_value (Scan *scan, const RspExpr *expr) {
  switch (expr->kind) {
  case RSP_EXPR_CONSTANT:
  case RSP_EXPR_REGISTER:
    return;
  case RSP_EXPR_LOCATION:
    scan->used[expr->u.object] |= ESCAPES;
    return;
  case RSP_EXPR_DEREF:
    scan_address (scan, expr->u.node.a, IS_READ);
    return;
  case RSP_EXPR_ASSIGN:
  case RSP_EXPR_STEP:
    if (expr->u.node.a->kind == RSP_EXPR_DEREF)
      scan_address (scan, expr->u.node.a->u.node.a,
                    expr->u.node.op == RSP_OP_NONE ? IS_WRITTEN : IS_READ | IS_WRITTEN);
    else
      scan_value (scan, expr->u.node.a);
    if (expr->u.node.b)
      scan_value (scan, expr->u.node.b);
    return;
  case RSP_EXPR_CALL:
    scan_call (scan, expr->u.call);
    return;
  case RSP_EXPR_BLOCK:
    scan_statements (scan, expr->u.block.body);
    scan_value (scan, expr->u.block.value);
    return;
  default:
    scan_operands (scan, expr);
    return;
  }
}

static void scan_statements (Scan *scan, const RspStatement *statement) {
  for (; statement; statement = statement->next) {
    if (statement->expr)
      scan_value (scan, statement->expr);
    if (statement->step)
      scan_value (scan, statement->step);
    scan_statements (scan, statement->init);
    scan_statements (scan, statement->body);
    scan_statements (scan, statement->otherwise);
    scan_statements (scan, statement->first);
  }
}

/* Which of the kernel's arrays are read, and have been given values? */
static void note_inputs (KernelLowerer *l, const guint8 *used) {
  for (guint i = 0; i < l->entry->parameters.n; i++) {
    const CVariable *parameter = l->entry->parameters.items[i];
    g_auto (KernelArgument) argument = { 0 };
    const guint object
        = parameter->name ? GPOINTER_TO_UINT (g_hash_table_lookup (l->local, parameter->name)) : 0;
    if (!object || !(used[object - 1] & (IS_READ | ESCAPES)))
      continue;
    kernel_find_argument (l, parameter, &argument);
    *(argument.given ? &l->kernel->given_inputs : &l->kernel->zero_inputs) = TRUE;
  }
}

/* Marks the locations that the program's text writes nowhere as fixed. */
static void mark_unwritten (KernelLowerer *l) {
  RspProgram *program = l->program;
  g_autofree guint8 *used = g_new0 (guint8, program->n_locations + 1);
  Scan scan = { program, used };
  for (guint i = 0; i < program->n_threads; i++)
    scan_statements (&scan, program->threads[i].body);
  for (guint i = 0; i < program->n_locations; i++)
    if (program->locations[i].type.pointers && rsp_is_address (program->locations[i].initial))
      used[rsp_address_object (program->locations[i].initial)] |= ESCAPES;
  for (guint i = 0; i < program->n_locations; i++) {
    RspLocation *location = &program->locations[i];
    location->fixed |= !(used[location->object] & (IS_WRITTEN | ESCAPES));
  }
  note_inputs (l, used);
}

/* ---- Globals -------------------------------------------------------------------------------- */

/* The file's variables, and strings. */

/* ---- Strings ---- */
KernelPlace rsp_kernel_string (KernelLowerer *l, const CExpr *expr) {
  static const CType character = {
    .kind = C_INTEGER, .bits = 8, .is_signed = TRUE, .is_const = TRUE, .space = RSP_SPACE_CONSTANT
  };
  const guint n = (guint) strlen (expr->name) + 1;
  const CType *type = rsp_kernel_array_of (l, &character, n);
  g_autofree char *key = g_strdup_printf ("\"%s", expr->name);
  guint object = GPOINTER_TO_UINT (g_hash_table_lookup (l->local, key));
  if (object)
    return kernel_memory_place (l, type, object - 1, expr->span);
  g_autofree char *own = g_strdup_printf ("string %u", l->locations->len);
  object = kernel_add_object (l, own, type, FALSE, n, RSP_SPACE_CONSTANT, FALSE, expr->span);
  for (guint i = 0; object + i < l->locations->len; i++)
    g_array_index (l->locations, RspLocation, object + i).initial
        = rsp_kernel_wrap ((guchar) expr->name[i], &character);
  g_hash_table_insert (l->local, g_steal_pointer (&key), GUINT_TO_POINTER (object + 1));
  return kernel_memory_place (l, type, object, expr->span);
}

/* The object and the cell in it that an expression of the program is the address of; or a number,
 * in *cell alone. FALSE: it is neither. */
/* ---- Initial values ---- */
static gboolean kernel_fixed_address (const RspExpr *expr, guint *object, gint64 *cell) {
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

/* What a statement of an initialiser assigns, as far as it is constant; registers that it uses have
 * their values. NULL: it is not constant. */
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
  location->initial = location->opaque      ? number
                      : object == G_MAXUINT ? rsp_wrap (cell, rsp_type_bits (&location->type),
                                                        rsp_type_is_signed (&location->type))
                                            : rsp_address (object, (gint32) cell);
}

/* The values of a variable's initialiser, which must be constant. What floating-point operations
 * give is not known. */
static void initialise_global (KernelLowerer *l, const CVariable *variable, const CType *type,
                               guint object) {
  KernelCode code;
  KernelCode *outer = rsp_kernel_begin (l, &code);
  guint first = rsp_kernel_add_variable (l, variable->name, type, FALSE, TRUE, variable->span);
  guint n = l->registers->len - first;
  rsp_kernel_initialise (l, rsp_kernel_registers (type, first), variable->initial);
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
    guint reg = 0;
    rsp_kernel_bind (l, variable->name, rsp_kernel_registers (type, reg), FALSE);
    return;
  }
  guint object = kernel_add_object (l, variable->name, type, FALSE,
                                    MAX (1, rsp_kernel_units (l, type, variable->span)), space,
                                    FALSE, variable->span);
  rsp_kernel_bind (l, variable->name, kernel_memory_place (l, type, object, variable->span), FALSE);
  if (variable->initial)
    initialise_global (l, variable, type, object);
}

/* ---- Objects -------------------------------------------------------------------------------- */

/* Objects in memory, and the parameters of the kernel. */

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
      if (member->name)
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

static const RspObjectFacts *find_facts (const KernelLowerer *l, const char *name) {
  for (guint i = 0; l->options->facts && i < l->options->facts->len; i++) {
    const RspObjectFacts *facts = l->options->facts->pdata[i];
    if (strcmp (facts->name, name) == 0)
      return facts;
  }
  return NULL;
}

/* A new object of n cells, of which those of its type repeat: the number of its first location.
 * open: it grows as executions need. */
static guint kernel_add_object (KernelLowerer *l, const char *name, const CType *type,
                                gboolean is_array, guint n, RspSpace space, gboolean open,
                                RspSpan span) {
  guint first = l->locations->len, each = MAX (1, rsp_kernel_units (l, type, span)), cell, part;
  const guint64 size = rsp_kernel_size_of (l, type, span), unit = l->kernel->unit;
  open = open || l->options->lenient;
  const RspObjectFacts *facts = find_facts (l, name);
  if (open && facts)
    n = MAX (n, (facts->n_elements + each - 1) / each * each);
  if (n > RSP_KERNEL_MAX_CELLS) {
    rsp_kernel_refuse (l, span, "`-arg` gives it a smaller size",
                       "an object of more than %d values", RSP_KERNEL_MAX_CELLS);
    n = 1;
  }
  if (first + n > KERNEL_MAX_LOCATIONS) {
    rsp_kernel_refuse (l, span, "try a smaller grid, or smaller arrays",
                       "more than %d values in memory", KERNEL_MAX_LOCATIONS);
    n = 1;
  }
  for (guint i = 0; i < n; i++) {
    g_autoptr (GString) own = g_string_new (name);
    const CType *leaf = kernel_unit_leaf (l, type, i % each, &cell, &part);
    if (is_array)
      g_string_append_printf (own, "[%u]", size < unit ? (guint) (i * unit / size) : i / each);
    add_cell_name (l, own, type, cell);
    if (part)
      g_string_append_printf (own, "+%u", part);
    RspLocation location = { .name = rsp_arena_strdup (l->arena, own->str),
                             .type = rsp_kernel_cell_type (leaf),
                             .atomic = leaf->is_atomic,
                             .is_kernel = TRUE,
                             .object = first,
                             .n_elements = n,
                             .grows = open,
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

KernelPlace rsp_kernel_local_object (KernelLowerer *l, const CVariable *variable) {
  guint n = MAX (1, rsp_kernel_units (l, variable->type, variable->span));
  guint object
      = group_object (l, variable->name, variable, variable->type, FALSE, FALSE, n, variable->span);
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

/* The least number of elements that an assertion over final memory names. */
static guint named_elements (const CExpr *expr, const char *name) {
  if (!expr)
    return 0;
  guint a = named_elements (expr->a, name), b = named_elements (expr->b, name), most = MAX (a, b);
  if (expr->kind == C_INDEX && expr->a->kind == C_NAME && strcmp (expr->a->name, name) == 0
      && expr->b->kind == C_NUMBER && expr->b->number.value >= 0
      && expr->b->number.value < RSP_KERNEL_MAX_CELLS)
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

/* Value number i of an array of any values: one that is looked for, or else nothing is known of
 * it. */
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
  guint n = l->locations->len - object;
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
    if (strcmp (text, "any") == 0) { /* bytes are not told apart */
      set_unknown (l, parameter, l->kernel->unit ? RSP_KERNEL_MAX_DECIDING : i, location);
      continue;
    }
    const CType *leaf
        = l->kernel->unit && rsp_kernel_size_of (l, type, parameter->span) >= l->kernel->unit
              ? rsp_kernel_leaf (l, type, cell)
              : &unit;
    if (!kernel_read_number (l, parameter, text, leaf, &location->initial))
      return;
    if (leaf != &unit)
      location->initial
          = rsp_kernel_wrap (location->initial >> (8 * part * l->kernel->unit), &unit);
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
  kernel_find_argument (l, parameter, &argument);
  if (argument.is_null || argument.alias)
    return;
  const guint64 size = rsp_kernel_size_of (l, parameter->type->to, parameter->span);
  n = MAX (1, argument.n_elements);
  if (size < l->kernel->unit)
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
}

/* Of one type, after qualifiers, and in one address space? */
static gboolean may_alias (const CVariable *a, const CVariable *b) {
  if (!is_shared_pointer (b->type) || a->type->to->space != b->type->to->space)
    return FALSE;
  g_autofree char *one = rsp_kernel_type_name (a->type->to),
                  *other = rsp_kernel_type_name (b->type->to);
  return strcmp (one, other) == 0;
}

/* What a pointer parameter points to in memory, from the start of an object; FALSE: it points to
 * none. */
static gboolean kernel_parameter_object (KernelLowerer *l, const CVariable *parameter,
                                         KernelPlace *place) {
  g_auto (KernelArgument) argument = { 0 };
  const CVariable *own = parameter;
  gint64 cells = 0;
  gpointer known = g_hash_table_lookup (l->local, own->name);
  for (guint i = 0; !known && i < l->entry->parameters.n; i++) {
    kernel_find_argument (l, own, &argument);
    if (!argument.alias)
      break;
    if (!may_alias (own, argument.alias)) {
      kernel_error (l, own->span, NULL, "-arg %s=%s: `%s` is not a pointer of the same type",
                    own->name, argument.values[0], argument.alias->name);
      break;
    }
    cells += (gint64) argument.element * rsp_kernel_cells (l, own->type->to, own->span);
    own = argument.alias;
    known = g_hash_table_lookup (l->local, own->name);
  }
  if (!known)
    return FALSE;
  *place = kernel_memory_place (l, rsp_kernel_pointer_to (l, parameter->type->to),
                                GPOINTER_TO_UINT (known) - 1, parameter->span);
  place->address = rsp_kernel_step (l, parameter->span, place->address, cells);
  return TRUE;
}

/* Lays out the objects of the entry's parameters and of the file's variables, and binds the latter.
 */
static void lay_out_objects (KernelLowerer *l) {
  for (guint i = 0; i < l->entry->parameters.n && !l->gave_up; i++)
    lay_out_parameter (l, l->entry->parameters.items[i]);
  for (guint i = 0; i < l->unit->globals.n && !l->gave_up; i++) {
    const CVariable *variable = l->unit->globals.items[i];
    if (!variable->is_enumerator)
      kernel_lay_out_global (l, variable);
  }
}

/* An integer that is looked for, or a value of which nothing is known. */
static KernelValue unknown_argument (KernelLowerer *l, const CVariable *parameter) {
  const CType *type = parameter->type;
  KernelValue value = rsp_kernel_dummy (l, parameter->span, type);
  guint number;
  if (type->kind == C_INTEGER && find_unknown (l, parameter, &number)) {
    l->kernel->unknown[number] = rsp_kernel_cell_type (type);
    value.cells[0] = rsp_kernel_unknown (l, parameter->span, RSP_FUNCTION_ARGUMENT, number, type);
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

gboolean kernel_has_any (const KernelLowerer *l) {
  const char *const *all = l->options->arguments;
  guint i = 0;
  while (all && all[i] && !strstr (all[i], "any"))
    i++;
  return all && all[i];
}

static KernelValue scalar_argument (KernelLowerer *l, const CVariable *parameter) {
  const CType *type = parameter->type;
  g_auto (KernelArgument) argument = { 0 };
  gint64 number = 0;
  kernel_find_argument (l, parameter, &argument);
  if (type->kind == C_OPAQUE)
    return rsp_kernel_scalar (
        l, rsp_kernel_constant (l, parameter->span, g_str_hash (parameter->name), &kernel_size),
        type);
  if (!argument.given)
    return rsp_kernel_dummy (l, parameter->span, type);
  KernelValue value = rsp_kernel_dummy (l, parameter->span, type);
  if (argument.n_values == 1
      && (strcmp (argument.values[0], "any") == 0
          || (l->options->unknown && strstr (argument.values[0], ".."))))
    return unknown_argument (l, parameter);
  for (guint i = 0; i < value.n; i++)
    if (kernel_read_number (l, parameter, argument.values[MIN (i, argument.n_values - 1)],
                            rsp_kernel_leaf (l, type, i), &number))
      value.cells[i]
          = rsp_kernel_constant (l, parameter->span, number, rsp_kernel_leaf (l, type, i));
  return value;
}

/* Reports all parameters that need a value and have none. */
static void check_missing (KernelLowerer *l) {
  g_autoptr (GString) names = g_string_new (NULL), hint = g_string_new (NULL);
  const CVariable *first = NULL;
  guint n = 0;
  for (guint i = 0; i < l->entry->parameters.n && !l->options->lenient; i++) {
    const CVariable *parameter = l->entry->parameters.items[i];
    g_auto (KernelArgument) argument = { 0 };
    if (!parameter->name || rsp_kernel_is_pointer (parameter->type)
        || parameter->type->kind == C_OPAQUE)
      continue;
    kernel_find_argument (l, parameter, &argument);
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
  kernel_find_argument (l, parameter, &argument);
  if (argument.is_null)
    return rsp_kernel_scalar (l, rsp_kernel_constant (l, parameter->span, 0, type), type);
  if (is_shared_pointer (parameter->type)) {
    guint object = group_object (l, parameter->name, parameter, parameter->type->to, TRUE, TRUE, 1,
                                 parameter->span);
    return rsp_kernel_scalar (l, location_expr (l, parameter->span, object), type);
  }
  rsp_kernel_refuse (l, parameter->span, "write `__global`",
                     "the pointer parameter `%s` without an address space", parameter->name);
  return rsp_kernel_dummy (l, parameter->span, type);
}

/* ---- Finals --------------------------------------------------------------------------------- */

/* The question of a kernel: its assertions. */

typedef struct Finals {
  KernelLowerer *l;
  GArray *observables; /* of RspObservable */
} Finals;

/* ---- Observables ---- */
static guint observe (Finals *f, RspObservable observable) {
  for (guint i = 0; i < f->observables->len; i++)
    if (strcmp (g_array_index (f->observables, RspObservable, i).name, observable.name) == 0)
      return i;
  g_array_append_val (f->observables, observable);
  return f->observables->len - 1;
}

static int compare_observables (gconstpointer x, gconstpointer y) {
  const RspObservable *a = x, *b = y;
  if (a->is_register != b->is_register)
    return a->is_register ? -1 : 1;
  if (a->is_register && a->thread != b->thread)
    return a->thread < b->thread ? -1 : 1;
  return strcmp (a->name, b->name);
}

/* ---- Propositions ---- */
static RspOperand number_operand (Finals *f, gint64 value) {
  return (RspOperand){ .constant = value,
                       .text = rsp_arena_printf (f->l->arena, "%" G_GINT64_FORMAT, value) };
}

static gboolean memory_operand (Finals *f, const CExpr *expr, RspOperand *operand) {
  KernelLowerer *l = f->l;
  KernelPlace place;
  guint object = G_MAXUINT;
  gint64 cell = 0;
  if (!rsp_kernel_place (l, expr, &place))
    return FALSE;
  if (rsp_kernel_is_scalar (place.type) && rsp_kernel_n_parts (l, place, 0) > 1)
    rsp_kernel_refuse (l, expr->span, "write `assert (…)` in the kernel",
                       "an assertion about a value of which the kernel accesses parts");
  if (place.in_registers || !rsp_kernel_is_scalar (place.type)
      || !kernel_fixed_address (place.address, &object, &cell) || object == G_MAXUINT) {
    kernel_error (l, expr->span, "`x[0]`, `s[1].next`",
                  "found an operand that is not a value in global memory");
    return FALSE;
  }
  const RspLocation *location = &l->program->locations[object];
  if (cell < 0 || cell >= location->n_elements) {
    kernel_error (l, expr->span, NULL, "the object has %u values", location->n_elements);
    return FALSE;
  }
  const char *name = location[cell].name;
  guint number = observe (f, (RspObservable){ .location = object + (guint) cell, .name = name });
  *operand = (RspOperand){ .is_observable = TRUE, .observable = number, .text = name };
  return TRUE;
}

static gboolean read_operand (Finals *f, const CExpr *expr, RspOperand *operand) {
  gint64 value;
  if (!rsp_kernel_evaluate (f->l, expr, &value) && !rsp_kernel_constant_value (f->l, expr, &value))
    return memory_operand (f, expr, operand);
  *operand = number_operand (f, value);
  return TRUE;
}

/* The bits of a constant as a floating-point number; only they are compared. */
static void convert_to_float (Finals *f, const CExpr *expr, const CType *real,
                              RspOperand *constant) {
  const KernelValue own = rsp_kernel_value (f->l, expr);
  const RspExpr *value = rsp_kernel_convert (f->l, own.cells[0], own.type, real);
  if (value->kind != RSP_EXPR_CONSTANT)
    rsp_kernel_refuse (f->l, expr->span, "write the value as a number",
                       "a floating-point operation in an assertion");
  else
    constant->constant = value->u.constant;
}

/* One side, at least, is a floating-point number. */
static void compare_floats (Finals *f, RspProp *prop, const CExpr *left, const CExpr *right,
                            const CType *a, const CType *b) {
  const gboolean a_varies = prop->left.is_observable, b_varies = prop->right.is_observable;
  if ((a_varies && a->kind != C_FLOAT) || (b_varies && b->kind != C_FLOAT))
    kernel_error (f->l,
                  a_varies && b_varies ? prop->span
                  : a_varies           ? right->span
                                       : left->span,
                  "write an integer",
                  "found a floating-point number that is compared with an integer in memory");
  else if (prop->op == RSP_OP_LT)
    rsp_kernel_refuse (f->l, prop->span, "compare with `==`",
                       "an order of floating-point numbers in an assertion");
  else if (!b_varies)
    convert_to_float (f, right, a, &prop->right);
  else if (!a_varies)
    convert_to_float (f, left, b, &prop->left);
  else if (a->bits != b->bits)
    rsp_kernel_refuse (f->l, prop->span, "compare each with a number",
                       "a comparison of floating-point numbers of different types in an assertion");
}

/* Both sides are compared as what C converts them to. */
static void convert_operands (Finals *f, RspProp *prop, const CExpr *left, const CExpr *right) {
  const CType *a = rsp_kernel_type_of (f->l, left), *b = rsp_kernel_type_of (f->l, right);
  if (rsp_kernel_is_pointer (a) || rsp_kernel_is_pointer (b))
    return;
  if (a->kind == C_FLOAT || b->kind == C_FLOAT)
    compare_floats (f, prop, left, right, a, b);
  else
    prop->compared = rsp_kernel_cell_type (rsp_kernel_common (a, b));
}

/* Propositions have =, != and < only. */
static RspProp *comparison (Finals *f, const CExpr *expr, RspOperator op, const CExpr *a,
                            const CExpr *b) {
  gboolean swapped = op == RSP_OP_GT || op == RSP_OP_LE,
           negated = op == RSP_OP_LE || op == RSP_OP_GE;
  const CExpr *left = swapped ? b : a, *right = swapped ? a : b;
  RspProp *prop = rsp_prop_new (f->l->arena, RSP_PROP_ATOM, expr->span, NULL, NULL);
  prop->op = op == RSP_OP_EQ || op == RSP_OP_NE ? op : RSP_OP_LT;
  if (!read_operand (f, left, &prop->left) || !read_operand (f, right, &prop->right))
    return prop;
  convert_operands (f, prop, left, right);
  return negated ? rsp_prop_new (f->l->arena, RSP_PROP_NOT, expr->span, prop, NULL) : prop;
}

static RspProp *proposition (Finals *f, const CExpr *expr) {
  static const CExpr zero = { .kind = C_NUMBER, .number = { .bits = 32, .is_signed = TRUE } };
  gint64 value;
  if (rsp_kernel_evaluate (f->l, expr, &value))
    return rsp_prop_new (f->l->arena, value ? RSP_PROP_TRUE : RSP_PROP_FALSE, expr->span, NULL,
                         NULL);
  if (expr->kind == C_UNARY && expr->op == RSP_OP_LOGICAL_NOT)
    return rsp_prop_new (f->l->arena, RSP_PROP_NOT, expr->span, proposition (f, expr->a), NULL);
  if (expr->kind == C_BINARY && (expr->op == RSP_OP_LOGICAL_AND || expr->op == RSP_OP_LOGICAL_OR))
    return rsp_prop_new (f->l->arena, expr->op == RSP_OP_LOGICAL_AND ? RSP_PROP_AND : RSP_PROP_OR,
                         expr->span, proposition (f, expr->a), proposition (f, expr->b));
  if (expr->kind == C_BINARY && expr->op >= RSP_OP_EQ && expr->op <= RSP_OP_GE)
    return comparison (f, expr, expr->op, expr->a, expr->b);
  return comparison (f, expr, RSP_OP_NE, expr, &zero);
}

/* ---- The whole ---- */
static RspProp *conjunction (Finals *f, RspProp *all, RspProp *prop) {
  return all->kind == RSP_PROP_TRUE
             ? prop
             : rsp_prop_new (f->l->arena, RSP_PROP_AND, prop->span, all, prop);
}

/* The assertion's register is 0 at the end. */
static RspProp *assert_holds (Finals *f, const RspKernelAssert *own) {
  const RspThread *thread = &f->l->program->threads[own->thread];
  RspProp *prop = rsp_prop_new (f->l->arena, RSP_PROP_ATOM, own->span, NULL, NULL);
  const char *name
      = rsp_arena_printf (f->l->arena, "%u:%s", own->thread, thread->registers[own->reg].name);
  guint number = observe (
      f,
      (RspObservable){ .is_register = TRUE, .thread = own->thread, .reg = own->reg, .name = name });
  prop->op = RSP_OP_EQ;
  prop->left = (RspOperand){ .is_observable = TRUE, .observable = number, .text = name };
  prop->right = number_operand (f, 0);
  return prop;
}

/* The program's question: no assertion has failed, and those over final memory hold. */
static void kernel_resolve_asserts (KernelLowerer *l, const CExpr *filter) {
  Finals f = { .l = l, .observables = g_array_new (FALSE, TRUE, sizeof (RspObservable)) };
  RspProp *all = rsp_prop_new (l->arena, RSP_PROP_TRUE, l->entry->span, NULL, NULL);
  const LitmusList asserts = l->unit->asserts;
  const KernelFrame frame = { .function = l->entry, .place = "" };
  KernelCode code;
  KernelCode *outer = rsp_kernel_begin (l, &code);
  l->frame = &frame;
  l->at_end = TRUE;
  for (guint i = 0; i < l->entry->parameters.n; i++) {
    KernelPlace place;
    const CVariable *parameter = l->entry->parameters.items[i];
    if (parameter->name && kernel_parameter_object (l, parameter, &place))
      rsp_kernel_bind (l, parameter->name,
                       (KernelPlace){ .type = place.type, .address = place.address }, TRUE);
  }
  for (guint i = 0; i < l->kernel->n_asserts; i++)
    all = conjunction (&f, all, assert_holds (&f, &l->kernel->asserts[i]));
  l->kernel->finals = rsp_arena_new0 (l->arena, RspProp *, asserts.n + 1);
  for (guint i = 0; i < asserts.n; i++) {
    RspProp *prop = proposition (&f, asserts.items[i]);
    l->kernel->finals[l->kernel->n_finals++] = prop;
    all = conjunction (&f, all, prop);
  }
  if (filter)
    l->program->filter = proposition (&f, filter);
  rsp_kernel_end (l, &code, outer, l->entry->span);
  l->frame = NULL;
  if (code.first)
    rsp_kernel_refuse (l, code.first->span, "compare elements with numbers",
                       "an operation with an effect in an assertion");
  l->program->quantifier = l->options->front ? l->options->front->quantifier : RSP_FORALL;
  l->program->condition = all;
  guint n = f.observables->len;
  RspProgram *program = l->program;
  g_autofree guint *numbers = g_new0 (guint, n + 1);
  RspObservable *sorted
      = rsp_arena_copy (l->arena, f.observables->data, n * sizeof (RspObservable));
  qsort (sorted, n, sizeof *sorted, compare_observables);
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < n; k++)
      if (strcmp (g_array_index (f.observables, RspObservable, i).name, sorted[k].name) == 0)
        numbers[i] = k;
  program->observables = sorted;
  program->n_observables = n;
  rsp_prop_renumber (program, all, numbers);
  rsp_prop_renumber (program, program->filter, numbers);
  program->filter_only = rsp_arena_new0 (l->arena, guint8, n + 1);
  g_array_unref (f.observables);
}

/* ---- Resolve -------------------------------------------------------------------------------- */

/* A kernel on its grid, as a program: one thread per work-item. */

enum {
  MANY = 1 << 20 /* more work-items than can be checked: a size of a grid is read as no more */
};

/* "4", or "2,2,1" with up to so many dimensions: the product; 0: neither. */
static guint parse_sizes (const char **text, guint *sizes, guint *n) {
  guint64 product = 1;
  for (*n = 0; *n < RSP_GRID_DIMENSIONS; ++*text) {
    char *end = (char *) *text;
    guint64 size = g_ascii_isdigit (**text) ? g_ascii_strtoull (*text, &end, 10) : 0;
    if (!size)
      return 0;
    size = MIN (size, MANY);
    product = MIN (product * size, MANY);
    sizes[(*n)++] = (guint) size;
    *text = end;
    if (*end != ',')
      return (guint) product;
  }
  return 0;
}

gboolean rsp_grid_parse (const char *text, RspGrid *grid) {
  guint products[3] = { 0 }, sizes[3][RSP_GRID_DIMENSIONS], lengths[3] = { 0 }, n = 0;
  for (gboolean more = TRUE; more && n < 3; n++, text++) {
    for (guint d = 0; d < RSP_GRID_DIMENSIONS; d++)
      sizes[n][d] = 1;
    products[n] = parse_sizes (&text, sizes[n], &lengths[n]);
    more = *text == 'x';
    if (!products[n] || (*text && !more))
      return FALSE;
  }
  grid->groups = products[0];
  grid->sub_groups = n == 3 ? products[1] : 1;
  grid->items = products[n - 1];
  grid->dimensions = MAX (lengths[0], lengths[n - 1]);
  memcpy (grid->group_sizes, sizes[0], sizeof sizes[0]);
  memcpy (grid->item_sizes, sizes[n - 1], sizeof sizes[0]);
  grid->item_sizes[0] *= grid->sub_groups;
  return n >= 2 && !text[-1] && (n == 2 || (lengths[1] == 1 && lengths[2] == 1));
}

gboolean rsp_grid_parse_offset (const char *text, RspGrid *grid) {
  for (guint d = 0; d < RSP_GRID_DIMENSIONS && g_ascii_isdigit (*text); d++) {
    char *end;
    const guint64 offset = g_ascii_strtoull (text, &end, 10);
    grid->offsets[d] = (guint) MIN (offset, G_MAXINT);
    if (*end != ',')
      return !*end;
    text = end + 1;
  }
  return FALSE;
}

/* ---- The entry ---- */
static const CFunction *find_entry (KernelLowerer *l) {
  const LitmusList functions = l->unit->functions;
  const CFunction *found = NULL;
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = 0;
  for (guint i = 0; i < functions.n; i++) {
    const CFunction *function = functions.items[i];
    if (!function->is_kernel || !function->name)
      continue;
    g_string_append_printf (names, "%s`-entry %s`", n++ ? ", " : "", function->name);
    if (!l->options->entry || strcmp (l->options->entry, function->name) == 0)
      found = found && !l->options->entry ? found : function;
  }
  RspSpan span = { l->program->source, 0, 0 };
  if (!found && n)
    kernel_error (l, span, names->str, "the file has no kernel `%s`", l->options->entry);
  else if (!found && l->options->front)
    kernel_error (l, span, NULL, "the module has no entry point");
  else if (!found) {
    const RspSource *file = l->kernel->file;
    const char *left_out = strstr (file->text, "kernel void");
    guint line, column;
    rsp_source_position (file, left_out ? (guint) (left_out - file->text) : 0, &line, &column);
    kernel_error (l, span,
                  left_out ? "-D can define what its `#if` asks for"
                           : "`__kernel void f (__global int *x) { … }`",
                  left_out ? "the file has no kernel after the preprocessor: it leaves out line %u"
                           : "the file has no kernel",
                  line);
  }
  return found;
}

/* ---- Threads ---- */
/* Work-items are numbered group by group; so are the nodes of each level. */
static void place_thread (const RspGrid *grid, guint number, RspThread *thread) {
  guint size = grid->sub_groups * grid->items, group = number / size;
  guint devices = MIN (MAX (grid->devices, 1), grid->groups);
  guint device = group * devices / grid->groups;
  thread->place[RSP_LEVEL_DEVICE] = device;
  thread->place[RSP_LEVEL_KERNEL] = device;
  thread->place[RSP_LEVEL_WORK_GROUP] = group;
  thread->place[RSP_LEVEL_SUB_GROUP] = number / grid->items;
}

static void lower_thread (KernelLowerer *l, guint number) {
  const RspGrid *grid = &l->options->grid;
  guint size = grid->sub_groups * grid->items;
  RspThread *thread = &l->program->threads[number];
  l->thread = number;
  l->group = number / size;
  l->item = number % size;
  l->n_frames = l->depth = l->n_statements = l->n_loops = l->n_leavable = 0;
  l->calls = l->group_calls[FALSE] = l->group_calls[TRUE] = 0;
  g_array_set_size (l->registers, 0);
  g_string_truncate (l->identity, 0);
  thread->name = rsp_arena_printf (l->arena, "P%u", number);
  thread->title = rsp_arena_printf (l->arena, "work-item (%u,%u)", l->group, l->item);
  thread->number = number;
  thread->span = l->entry->span;
  place_thread (grid, number, thread);
  thread->body = l->options->front ? l->options->front->body (l->options->front, l)
                                   : rsp_kernel_thread_body (l);
  thread->n_registers = l->registers->len;
  thread->registers
      = rsp_arena_copy (l->arena, l->registers->data, l->registers->len * sizeof (RspRegister));
  thread->raw = rsp_arena_printf (l->arena, "%s %s", l->entry->name, l->identity->str);
}

static gboolean check_grid (KernelLowerer *l) {
  const RspGrid *grid = &l->options->grid;
  guint64 n = (guint64) grid->groups * grid->sub_groups * grid->items;
  if (n > KERNEL_MAX_THREADS)
    kernel_error (l, l->entry->span, "races and barriers mostly show with 2 work-groups of 2",
                  "the grid has more than %d work-items, which are too many to check",
                  KERNEL_MAX_THREADS);
  l->program->n_threads = (guint) MIN (n, KERNEL_MAX_THREADS);
  return n <= KERNEL_MAX_THREADS;
}

/* The sizes that an attribute of the kernel, which stands before its name or behind its parameters,
 * demands of work-groups; FALSE: it demands none. */
static gboolean required_sizes (KernelLowerer *l, gint64 *sizes) {
  static const char word[] = "reqd_work_group_size";
  const char *text = l->program->source->text, *name = text + l->entry->span.begin, *from = name;
  while (from > text && !strchr (";}", from[-1]))
    from--;
  const char *at = g_strstr_len (from, (gssize) (strchr (name, '{') - from), word),
             *begin = at ? strchr (at, '(') : NULL, *end = begin;
  for (guint depth = 0; end && *end; end++) {
    depth += *end == '(';
    if (*end == ')' && !--depth)
      break;
  }
  if (!end || !*end)
    return FALSE;
  const RspSpan span = { l->program->source, (guint) (begin + 1 - text), (guint) (end - text) };
  CParser parser
      = { .base = { .arena = l->arena, .diagnostics = l->diagnostics }, .unit = l->unit };
  if (!c_parse (&parser, C_ASSERTION, span))
    return FALSE;
  const CExpr *list = parser.expression;
  for (guint d = RSP_GRID_DIMENSIONS; d-- > 0; list = list->a) {
    const gboolean more = list->kind == C_BINARY && list->op == RSP_OP_COMMA;
    if (more != (d > 0) || !rsp_kernel_evaluate (l, more ? list->b : list, &sizes[d]))
      return FALSE;
  }
  return TRUE;
}

/* A kernel may demand a size of its work-groups (OpenCL C 2.0, 6.7.2). */
static void check_group (KernelLowerer *l) {
  const guint *own = l->options->grid.item_sizes;
  gint64 sizes[RSP_GRID_DIMENSIONS];
  if (l->options->lenient || l->options->front || !required_sizes (l, sizes)
      || (sizes[0] == own[0] && sizes[1] == own[1] && sizes[2] == own[2]))
    return;
  g_autoptr (GString) all = g_string_new (NULL);
  for (guint d = 0; d < l->options->grid.dimensions || (d < RSP_GRID_DIMENSIONS && sizes[d] > 1);
       d++)
    g_string_append_printf (all, "%s%" G_GINT64_FORMAT, d ? "," : "", sizes[d]);
  g_autofree char *hint = g_strdup_printf ("-grid 1x%s", all->str);
  kernel_error (l, l->entry->span, hint,
                "the kernel `%s` has reqd_work_group_size: its work-groups must be of size %s",
                l->entry->name, all->str);
}

static void lower_threads (KernelLowerer *l) {
  RspProgram *program = l->program;
  program->threads = rsp_arena_new0 (l->arena, RspThread, program->n_threads);
  guint n_globals = l->bindings->len, errors = rsp_diagnostics_count_errors (l->diagnostics);
  for (guint i = 0; i < program->n_threads && !l->resized
                    && rsp_diagnostics_count_errors (l->diagnostics) == errors;
       i++) {
    lower_thread (l, i);
    g_array_set_size (l->bindings, n_globals);
  }
}

/* ---- The whole ---- */
static void keep_tables (KernelLowerer *l) {
  RspKernel *kernel = l->kernel;
  RspProgram *program = l->program;
  program->n_locations = l->locations->len;
  program->locations
      = rsp_arena_copy (l->arena, l->locations->data, l->locations->len * sizeof (RspLocation));
  kernel->n_asserts = l->asserts->len;
  kernel->asserts
      = rsp_arena_copy (l->arena, l->asserts->data, l->asserts->len * sizeof (RspKernelAssert));
}

void kernel_resolve (RspKernel *kernel, CUnit *unit, const CExpr *filter,
                     const RspKernelOptions *options, RspDiagnostics *diagnostics) {
  KernelLowerer l = { .kernel = kernel,
                      .program = kernel->program,
                      .unit = unit,
                      .arena = kernel->program->arena,
                      .diagnostics = diagnostics,
                      .options = options };
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  l.locations = g_array_new (FALSE, TRUE, sizeof (RspLocation));
  l.asserts = g_array_new (FALSE, TRUE, sizeof (RspKernelAssert));
  l.bindings = g_array_new (FALSE, TRUE, sizeof (KernelBinding));
  l.registers = g_array_new (FALSE, TRUE, sizeof (RspRegister));
  l.local = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  l.built_in = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  l.identity = g_string_new (NULL);
  l.program->language = options->front ? options->front->language : &rsp_kernel_language;
  l.entry = find_entry (&l);
  if (l.entry && check_grid (&l)) {
    l.program->name = l.entry->name;
    /* Sizes of types may depend on enumerators. */
    for (guint i = 0; i < unit->globals.n; i++) {
      const CVariable *variable = unit->globals.items[i];
      if (variable->is_enumerator)
        rsp_kernel_bind_enumerator (&l, variable);
    }
    /* What the file's axioms say about the grid, and its assertions about constants. */
    for (guint i = 0; i < unit->axioms.n; i++) {
      const CExpr *axiom = unit->axioms.items[i];
      gint64 value;
      if (strcmp (axiom->name, "_Static_assert") == 0)
        rsp_kernel_static_assert (&l, axiom->a, axiom->span);
      else if (rsp_kernel_evaluate (&l, axiom->a, &value) && !value)
        rsp_warning (l.diagnostics, axiom->a->span, NULL, "this axiom does not hold on the grid");
    }
    for (guint i = 0; options->arguments && options->arguments[i]; i++)
      check_argument (&l, options->arguments[i]);
    check_missing (&l);
    check_group (&l);
    lay_out_objects (&l);
  }
  if (rsp_diagnostics_count_errors (diagnostics) == errors)
    lower_threads (&l);
  if (rsp_diagnostics_count_errors (diagnostics) == errors && !l.resized) {
    keep_tables (&l);
    mark_unwritten (&l);
    kernel_resolve_asserts (&l, filter);
  }
  g_array_unref (l.locations);
  g_array_unref (l.asserts);
  g_array_unref (l.bindings);
  g_array_unref (l.registers);
  g_hash_table_unref (l.local);
  g_hash_table_unref (l.built_in);
  g_string_free (l.identity, TRUE);
}
