/* Initialisers: braces, designators, braces that are left out, strings, and what is not given
 * (C11, 6.7.9). */
#include "parser/kernel/lower/expr.h"
#include "parser/kernel/lower/fold.h"
#include "parser/kernel/lower/place.h"
#include "parser/kernel/lower/type.h"
#include "parser/kernel/lower/value.h"

#include <string.h>

typedef struct Filler {
  KernelLowerer *l;
  KernelPlace whole;
  gboolean *given; /* per cell; NULL: nothing is filled, only counted */
} Filler;

/* The items of braces that come next. */
typedef struct Items {
  const KernelExpr *braces;
  guint next;
  const KernelExpr *rest; /* of the next one, in a part that it has named; NULL: it is whole */
} Items;

static KernelPlace part_of (const Filler *f, const KernelType *type, guint cell, RspSpan span) {
  KernelPlace place = f->whole;
  place.type = type;
  place.base += cell;
  if (!place.in_registers)
    place.address = kernel_step (f->l, span, place.address, cell);
  return place;
}

static void store_value (Filler *f, const KernelType *type, guint cell, KernelValue value,
                         RspSpan span) {
  value = rsp_kernel_to_type (f->l, value, type, span);
  for (guint i = 0; i < value.n; i++)
    f->given[cell + i] = TRUE;
  rsp_kernel_store (f->l, part_of (f, type, cell, span), value, span);
}

/* ---- Parts ---- */

/* Is it the member of the name, or one without a name that has such a member? */
static gboolean has_name (Filler *f, const KernelVariable *member, const char *name) {
  guint first;
  return member->name ? strcmp (member->name, name) == 0
                      : member->type->kind == KERNEL_STRUCT
                            && kernel_member (f->l, member->type->record, name, &first);
}

/* The member that a designator names, or in which it is, or that comes at `index`. */
static const KernelType *find_member (Filler *f, const KernelStruct *record, const KernelExpr *item,
                                      guint *index, guint *cell) {
  const LitmusList members = record->members;
  const char *name = item->kind == KERNEL_DESIGNATED ? item->name : NULL;
  if (name)
    *index = 0;
  while (name && *index < members.n && !has_name (f, members.items[*index], name))
    ++*index;
  if (*index >= (record->is_union && !name ? MIN (1, members.n) : members.n))
    return NULL;
  for (guint i = 0; i < *index && !record->is_union; i++)
    *cell += rsp_kernel_cells (f->l, ((const KernelVariable *) members.items[i])->type, item->span);
  return ((const KernelVariable *) members.items[*index])->type;
}

/* The part of an aggregate that comes at `index`, or that a designator names. */
static const KernelType *find_part (Filler *f, const KernelType *type, const KernelExpr *item,
                                    guint *index, guint *cell) {
  gint64 number;
  if (type->kind == KERNEL_STRUCT)
    return find_member (f, type->record, item, index, cell);
  if (rsp_kernel_is_scalar (type))
    return NULL;
  if (item->kind == KERNEL_DESIGNATED && item->a)
    *index = rsp_kernel_evaluate (f->l, item->a, &number) && number >= 0 && number < G_MAXINT
                 ? (guint) number
                 : G_MAXINT;
  gboolean open = type->kind == KERNEL_ARRAY && !type->size && !f->given;
  if (!open && *index >= kernel_n_elements (f->l, type, item->span))
    return NULL;
  *cell += *index * rsp_kernel_cells (f->l, type->to, item->span);
  return type->to;
}

/* ---- Values ---- */

static gboolean is_characters (const KernelType *type) {
  return type->kind == KERNEL_ARRAY && type->to->kind == KERNEL_INTEGER && type->to->bits == 8;
}

/* Does the item initialise the whole part, rather than its first element? */
static gboolean takes_whole (Filler *f, const KernelType *part, const KernelExpr *item) {
  if (rsp_kernel_is_scalar (part) || item->kind == KERNEL_BRACES)
    return TRUE;
  if (part->kind == KERNEL_ARRAY)
    return item->kind == KERNEL_STRING && is_characters (part);
  return rsp_kernel_type_of (f->l, item)->kind == part->kind;
}

static void fill (Filler *f, const KernelType *type, guint cell, const KernelExpr *initial);

/* What an item gives the part number `index` of the aggregate: a value, or a designator of
 * something in that part. */
static const KernelExpr *value_of (const KernelType *type, guint index, const KernelExpr *item) {
  if (item->kind != KERNEL_DESIGNATED)
    return item;
  gboolean is_in_unnamed
      = item->name && !((const KernelVariable *) type->record->members.items[index])->name;
  return is_in_unnamed ? item : item->b;
}

/* Fills an aggregate with the next items; in braces of its own, with all of them. Returns how many
 * parts it must have for that. */
static guint fill_parts (Filler *f, const KernelType *type, guint cell, Items *items,
                         gboolean own) {
  const LitmusList all = items->braces->args;
  guint most = 0;
  for (guint index = 0; items->next < all.n; index++) {
    const KernelExpr *item = items->rest ? items->rest : all.items[items->next];
    guint at = cell;
    if (!own && !items->rest && item->kind == KERNEL_DESIGNATED)
      break;
    const KernelType *part = find_part (f, type, item, &index, &at);
    if (!part && !own && !items->rest)
      break;
    if (!part) {
      if (f->given && !f->l->gave_up)
        kernel_error (f->l, item->span, NULL,
                      "found an initialiser for which there is no member or element");
      items->next = all.n;
      break;
    }
    most = MAX (most, index + 1);
    const KernelExpr *value = value_of (type, index, item);
    items->rest = NULL;
    if (value->kind == KERNEL_DESIGNATED || !takes_whole (f, part, value)) {
      items->rest = value;
      fill_parts (f, part, at, items, FALSE);
      continue;
    }
    if (f->given)
      fill (f, part, at, value);
    items->next++;
  }
  items->rest = NULL;
  return most;
}

static void fill_string (Filler *f, const KernelType *type, guint cell, const KernelExpr *string) {
  guint n = kernel_n_elements (f->l, type, string->span), length = (guint) strlen (string->name);
  for (guint i = 0; i < n; i++) {
    gint64 character = i < length ? (gchar) string->name[i] : 0;
    store_value (f, type->to, cell + i,
                 rsp_kernel_scalar (
                     f->l, rsp_kernel_constant (f->l, string->span, character, type->to), type->to),
                 string->span);
  }
}

static void fill (Filler *f, const KernelType *type, guint cell, const KernelExpr *initial) {
  KernelLowerer *l = f->l;
  if (initial->kind == KERNEL_BRACES && !rsp_kernel_is_scalar (type)) {
    Items items = { .braces = initial };
    fill_parts (f, type, cell, &items, TRUE);
    return;
  }
  if (initial->kind == KERNEL_BRACES && initial->args.n)
    initial = initial->args.items[0];
  if (initial->kind == KERNEL_STRING && is_characters (type))
    fill_string (f, type, cell, initial);
  else if (type->kind == KERNEL_ARRAY)
    rsp_kernel_refuse (l, initial->span, "write its elements in braces",
                       "an array that is initialised with one value");
  else
    store_value (f, type, cell, rsp_kernel_value (l, initial), initial->span);
}

/* ---- The whole ---- */

/* The elements that an initialiser gives an array without a size. */
static guint n_given (KernelLowerer *l, const KernelType *type, const KernelExpr *initial) {
  Filler counter = { .l = l };
  Items items = { .braces = initial };
  return initial->kind == KERNEL_STRING ? (guint) strlen (initial->name) + 1
                                        : fill_parts (&counter, type, 0, &items, TRUE);
}

const KernelType *rsp_kernel_completed (KernelLowerer *l, const KernelVariable *variable) {
  const KernelType *type = variable->type;
  const KernelExpr *initial = variable->initial;
  if (type->kind != KERNEL_ARRAY || type->size || !initial
      || (initial->kind != KERNEL_BRACES && initial->kind != KERNEL_STRING))
    return type;
  return rsp_kernel_array_of (l, type->to, n_given (l, type, initial));
}

void rsp_kernel_initialise (KernelLowerer *l, KernelPlace place, const KernelExpr *initial) {
  guint n = rsp_kernel_cells (l, place.type, initial->span);
  g_autofree gboolean *given = g_new0 (gboolean, n + 1);
  Filler f = { .l = l, .whole = place, .given = given };
  fill (&f, place.type, 0, initial);
  for (guint i = 0; i < n && initial->kind == KERNEL_BRACES; i++)
    if (!given[i]) {
      const KernelType *leaf = rsp_kernel_leaf (l, place.type, i);
      rsp_kernel_store (l, part_of (&f, leaf, i, initial->span),
                        rsp_kernel_dummy (l, initial->span, leaf), initial->span);
    }
}
