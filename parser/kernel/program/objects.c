/* Objects in memory, and the parameters of the kernel. */
#include "parser/kernel/program/objects.h"
#include "parser/kernel/program/arguments.h"
#include "parser/kernel/program/globals.h"
#include "parser/kernel/lower/expr.h"
#include "parser/kernel/lower/place.h"
#include "parser/kernel/lower/statement.h"
#include "parser/kernel/lower/type.h"
#include "parser/kernel/lower/value.h"

#include <stdlib.h>
#include <string.h>

/* ---- Cells ---- */

/* The name of a cell of an object of the type: ".next", "[2].x". */
static void add_cell_name (KernelLowerer *l, GString *name, const KernelType *type, guint cell) {
  static const char lanes[] = "xyzw";
  while (!rsp_kernel_is_scalar (type))
    if (type->kind == KERNEL_STRUCT) {
      const KernelVariable *member = rsp_kernel_member_at (l, type->record, &cell);
      if (!member)
        return;
      if (member->name)
        g_string_append_printf (name, ".%s", member->name);
      type = member->type;
    } else {
      guint each = MAX (1, rsp_kernel_cells (l, type->to, RSP_NOWHERE)), index = cell / each;
      if (type->kind == KERNEL_VECTOR && type->lanes <= 4)
        g_string_append_printf (name, ".%c", lanes[index]);
      else
        g_string_append_printf (name, type->kind == KERNEL_VECTOR ? ".s%x" : "[%u]", index);
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

guint kernel_add_object (KernelLowerer *l, const char *name, const KernelType *type,
                         gboolean is_array, guint n, RspSpace space, gboolean open, RspSpan span) {
  guint first = l->locations->len, each = MAX (1, rsp_kernel_cells (l, type, span));
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
    const KernelType *leaf = rsp_kernel_leaf (l, type, i % each);
    if (is_array)
      g_string_append_printf (own, "[%u]", i / each);
    add_cell_name (l, own, type, i % each);
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

KernelPlace kernel_memory_place (KernelLowerer *l, const KernelType *type, guint object,
                                 RspSpan span) {
  return (KernelPlace){ .type = type, .address = location_expr (l, span, object) };
}

/* ---- Local memory ---- */

/* The group's object of the name, made when it is first met. */
static guint group_object (KernelLowerer *l, const char *name, const void *variable,
                           const KernelType *type, gboolean is_array, gboolean open, guint n,
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

KernelPlace rsp_kernel_local_object (KernelLowerer *l, const KernelVariable *variable) {
  guint n = MAX (1, rsp_kernel_cells (l, variable->type, variable->span));
  guint object
      = group_object (l, variable->name, variable, variable->type, FALSE, FALSE, n, variable->span);
  return kernel_memory_place (l, variable->type, object, variable->span);
}

/* ---- Parameters ---- */

static gboolean is_shared_pointer (const KernelType *type) {
  return rsp_kernel_is_pointer (type) && type->to->space != RSP_SPACE_PRIVATE;
}

/* The least number of elements that an assertion over final memory names. */
static guint named_elements (const KernelExpr *expr, const char *name) {
  guint most = 0;
  if (!expr)
    return 0;
  if (expr->kind == KERNEL_INDEX && expr->a->kind == KERNEL_NAME
      && strcmp (expr->a->name, name) == 0 && expr->b->kind == KERNEL_NUMBER
      && expr->b->number.value >= 0 && expr->b->number.value < RSP_KERNEL_MAX_CELLS)
    most = (guint) expr->b->number.value + 1;
  most = MAX (most, named_elements (expr->a, name));
  return MAX (most, named_elements (expr->b, name));
}

static void set_initial (KernelLowerer *l, const KernelVariable *parameter, guint object,
                         const KernelArgument *argument) {
  guint n = l->locations->len - object;
  for (guint i = 0; i < n && argument->n_values; i++) {
    const char *text
        = argument->values[argument->n_values == 1 ? 0 : MIN (i, argument->n_values - 1)];
    RspLocation *location = &g_array_index (l->locations, RspLocation, object + i);
    const KernelType leaf = { .kind = location->type.is_float ? KERNEL_FLOAT : KERNEL_INTEGER,
                              .bits = location->type.bits,
                              .is_signed = location->type.is_signed };
    if (!kernel_read_number (l, parameter, text, &leaf, &location->initial))
      return;
  }
}

static void lay_out_parameter (KernelLowerer *l, const KernelVariable *parameter) {
  g_auto (KernelArgument) argument = { 0 };
  guint n, each;
  if (!parameter->name || !is_shared_pointer (parameter->type))
    return;
  each = rsp_kernel_cells (l, parameter->type->to, parameter->span);
  if (!each)
    rsp_kernel_refuse (l, parameter->span, "give the object the type with which it is accessed",
                       "a pointer parameter to objects of no size");
  if (l->gave_up)
    return;
  kernel_find_argument (l, parameter, &argument);
  n = MAX (1, argument.n_elements);
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

gboolean kernel_parameter_object (KernelLowerer *l, const KernelVariable *parameter,
                                  KernelPlace *place) {
  gpointer known = g_hash_table_lookup (l->local, parameter->name);
  if (known)
    *place = kernel_memory_place (l, rsp_kernel_pointer_to (l, parameter->type->to),
                                  GPOINTER_TO_UINT (known) - 1, parameter->span);
  return known != NULL;
}

void kernel_lay_out_objects (KernelLowerer *l) {
  for (guint i = 0; i < l->entry->parameters.n && !l->gave_up; i++)
    lay_out_parameter (l, l->entry->parameters.items[i]);
  for (guint i = 0; i < l->unit->globals.n && !l->gave_up; i++) {
    const KernelVariable *variable = l->unit->globals.items[i];
    if (!variable->is_enumerator)
      kernel_lay_out_global (l, variable);
  }
}

/* Of the parameter with this number among those that have an unknown value. */
static KernelValue unknown_argument (KernelLowerer *l, const KernelVariable *parameter,
                                     guint number) {
  const KernelType *type = parameter->type;
  KernelValue value = rsp_kernel_dummy (l, parameter->span, type);
  if (type->kind != KERNEL_INTEGER)
    rsp_kernel_refuse (l, parameter->span, "give it a number",
                       "`any` as the value of `%s`, which is not an integer", parameter->name);
  l->kernel->unknown[number] = rsp_kernel_cell_type (type);
  value.cells[0] = rsp_kernel_unknown (l, parameter->span, number, type);
  return value;
}

static KernelValue scalar_argument (KernelLowerer *l, const KernelVariable *parameter) {
  const KernelType *type = parameter->type;
  g_auto (KernelArgument) argument = { 0 };
  gint64 number = 0;
  kernel_find_argument (l, parameter, &argument);
  if (type->kind == KERNEL_OPAQUE)
    return rsp_kernel_scalar (
        l, rsp_kernel_constant (l, parameter->span, g_str_hash (parameter->name), &kernel_size),
        type);
  if (!argument.given && l->options->lenient)
    return rsp_kernel_dummy (l, parameter->span, type);
  if (!argument.given) {
    g_autofree char *hint = g_strdup_printf ("-arg %s=4", parameter->name);
    if (!l->gave_up)
      kernel_error (l, parameter->span, hint,
                    "the kernel `%s` needs a value for its parameter `%s`", l->entry->name,
                    parameter->name);
    l->gave_up = TRUE;
    return rsp_kernel_dummy (l, parameter->span, type);
  }
  KernelValue value = rsp_kernel_dummy (l, parameter->span, type);
  for (guint i = 0; l->options->unknown && l->options->unknown[i]; i++)
    if (strcmp (l->options->unknown[i], parameter->name) == 0)
      return unknown_argument (l, parameter, i);
  for (guint i = 0; i < value.n; i++)
    if (kernel_read_number (l, parameter, argument.values[MIN (i, argument.n_values - 1)],
                            rsp_kernel_leaf (l, type, i), &number))
      value.cells[i]
          = rsp_kernel_constant (l, parameter->span, number, rsp_kernel_leaf (l, type, i));
  return value;
}

KernelValue rsp_kernel_argument (KernelLowerer *l, const KernelVariable *parameter) {
  KernelPlace place;
  if (!parameter->name)
    return rsp_kernel_no_value ();
  if (!rsp_kernel_is_pointer (parameter->type))
    return scalar_argument (l, parameter);
  const KernelType *type = rsp_kernel_pointer_to (l, parameter->type->to);
  if (kernel_parameter_object (l, parameter, &place))
    return rsp_kernel_scalar (l, place.address, type);
  if (is_shared_pointer (parameter->type)) {
    guint object = group_object (l, parameter->name, parameter, parameter->type->to, TRUE, TRUE, 1,
                                 parameter->span);
    return rsp_kernel_scalar (l, location_expr (l, parameter->span, object), type);
  }
  rsp_kernel_refuse (l, parameter->span, "write `__global`",
                     "the pointer parameter `%s` without an address space", parameter->name);
  return rsp_kernel_dummy (l, parameter->span, type);
}
