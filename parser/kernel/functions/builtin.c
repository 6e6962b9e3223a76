/* OpenCL's built-in functions, by the table builtins.def. */
#include "parser/kernel/functions/atomic.h"
#include "parser/kernel/build.h"
#include "parser/kernel/kernel.h"
#include "parser/kernel/lower/expr.h"
#include "parser/kernel/lower/fold.h"
#include "parser/kernel/functions/identity.h"
#include "parser/kernel/functions/integer.h"
#include "parser/kernel/functions/suggest.h"
#include "parser/kernel/lower/place.h"
#include "parser/kernel/lower/statement.h"
#include "parser/kernel/lower/type.h"
#include "parser/kernel/lower/value.h"

#include <stdlib.h>
#include <string.h>

typedef enum BuiltinKind {
  ID,
  SAME,
  WHOLE,
  LANE,
  TRUTH,
  STORES,
  INT2,
  INTEGER,
  IGNORED,
  SKIPPED,
  ANY,
  SELECT,
  IMPLIES,
  ABOUT,
  SHUFFLED,
  ASSERT,
  ASSUME,
  STATIC,
  REFUSED
} BuiltinKind;

static const struct {
  const char *name;
  BuiltinKind kind;
  const char *instead;
} builtins[] = {
#define BUILTIN(name, kind, instead) { name, kind, instead },
#include "parser/kernel/functions/builtins.def"
};

enum { MAX_ARGUMENTS = 4 };

/* ---- Uninterpreted functions ---- */

typedef struct Arguments {
  KernelValue values[MAX_ARGUMENTS];
  guint n;
} Arguments;

static Arguments read_arguments (KernelLowerer *l, const KernelExpr *expr) {
  Arguments arguments = { .n = MIN (expr->args.n, MAX_ARGUMENTS) };
  for (guint i = 0; i < arguments.n; i++)
    arguments.values[i] = rsp_kernel_value (l, expr->args.items[i]);
  return arguments;
}

/* All cells of the arguments. */
static GPtrArray *all_cells (const Arguments *arguments) {
  GPtrArray *cells = g_ptr_array_new ();
  for (guint i = 0; i < arguments->n; i++)
    for (guint k = 0; k < arguments->values[i].n; k++)
      g_ptr_array_add (cells, arguments->values[i].cells[k]);
  return cells;
}

/* A lane of each argument; scalars are the same for all. */
static GPtrArray *lane_cells (const Arguments *arguments, guint lane) {
  GPtrArray *cells = g_ptr_array_new ();
  for (guint i = 0; i < arguments->n; i++)
    if (arguments->values[i].n)
      g_ptr_array_add (cells, arguments->values[i].cells[lane % arguments->values[i].n]);
  return cells;
}

/* Each cell of the result is a function of all arguments, or of one lane of each. */
static KernelValue applied (KernelLowerer *l, const KernelExpr *expr, const char *name,
                            const KernelType *type, const Arguments *arguments, gboolean by_lane) {
  if (!type)
    type = arguments->n ? arguments->values[0].type : &kernel_int;
  KernelValue result = rsp_kernel_dummy (l, expr->span, type);
  for (guint i = 0; i < result.n; i++) {
    g_autofree char *own = by_lane ? g_strdup (name) : g_strdup_printf ("%s %u", name, i);
    g_autoptr (GPtrArray) cells = by_lane ? lane_cells (arguments, i) : all_cells (arguments);
    if (!rsp_kernel_pads (l, type, i))
      result.cells[i] = rsp_kernel_apply (l, expr->span, own, rsp_kernel_leaf (l, type, i),
                                          (RspExpr *const *) cells->pdata, cells->len);
  }
  return rsp_kernel_held (l, result, expr->span);
}

static Arguments held_arguments (KernelLowerer *l, const KernelExpr *expr) {
  Arguments arguments = read_arguments (l, expr);
  for (guint i = 0; i < arguments.n; i++)
    arguments.values[i] = rsp_kernel_held (l, arguments.values[i], expr->span);
  return arguments;
}

static KernelValue uninterpreted (KernelLowerer *l, const KernelExpr *expr, const char *name,
                                  const KernelType *type) {
  Arguments arguments = held_arguments (l, expr);
  return applied (l, expr, name, type, &arguments, FALSE);
}

/* A function of the kind of `dot`, whose result is a scalar. */
static KernelValue lane_function (KernelLowerer *l, const KernelExpr *expr) {
  Arguments arguments = held_arguments (l, expr);
  const KernelType *type = arguments.n ? arguments.values[0].type : &kernel_int;
  return applied (l, expr, expr->a->name, type->kind == KERNEL_VECTOR ? type->to : type, &arguments,
                  FALSE);
}

/* Lane by lane. */
static KernelValue same_function (KernelLowerer *l, const KernelExpr *expr) {
  Arguments arguments = held_arguments (l, expr);
  return applied (l, expr, expr->a->name, NULL, &arguments, TRUE);
}

/* fract (x, &whole): a second result is stored. */
static KernelValue storing_function (KernelLowerer *l, const KernelExpr *expr) {
  Arguments arguments = held_arguments (l, expr);
  const KernelValue pointer
      = arguments.n ? arguments.values[--arguments.n] : rsp_kernel_no_value ();
  if (!arguments.n || pointer.type->kind != KERNEL_POINTER
      || !rsp_kernel_cells (l, pointer.type->to, expr->span)) {
    if (!l->gave_up)
      kernel_error (l, expr->span, NULL, "the last argument of `%s` is not a pointer",
                    expr->a->name);
    return rsp_kernel_dummy (l, expr->span, &kernel_int);
  }
  g_autofree char *name = g_strdup_printf ("%s stores", expr->a->name);
  KernelPlace place = { .type = pointer.type->to, .address = pointer.cells[0] };
  rsp_kernel_store (l, place, applied (l, expr, name, place.type, &arguments, TRUE), expr->span);
  return applied (l, expr, expr->a->name, NULL, &arguments, TRUE);
}

static KernelValue truth_function (KernelLowerer *l, const KernelExpr *expr) {
  Arguments arguments = held_arguments (l, expr);
  const KernelType *type = arguments.n ? arguments.values[0].type : &kernel_int;
  if (type->kind != KERNEL_VECTOR)
    return applied (l, expr, expr->a->name, &kernel_int, &arguments, TRUE);
  const KernelType *lane = type->to->bits == 64 ? &kernel_long : &kernel_int;
  return applied (l, expr, expr->a->name, rsp_kernel_vector_of (l, lane, type->lanes), &arguments,
                  TRUE);
}

/* ---- Functions that are calculated ---- */

static KernelValue shuffled (KernelLowerer *l, const KernelExpr *expr) {
  Arguments arguments = held_arguments (l, expr);
  gboolean vectors = arguments.n > 1;
  for (guint i = 0; i < arguments.n; i++)
    vectors = vectors && arguments.values[i].type->kind == KERNEL_VECTOR;
  if (vectors)
    return kernel_shuffle (l, expr->span, arguments.values, arguments.n);
  kernel_error (l, expr->span, NULL, "found an argument of `%s` that is not a vector",
                expr->a->name);
  return rsp_kernel_dummy (l, expr->span, &kernel_int);
}

/* select (a, b, c) is c ? b : a, but all of them are evaluated. */
static KernelValue selected (KernelLowerer *l, const KernelExpr *expr) {
  Arguments arguments = held_arguments (l, expr);
  KernelValue *v = arguments.values;
  if (arguments.n != 3 || v[2].n < (v[2].type->kind == KERNEL_VECTOR ? v[0].n : 1)) {
    if (!l->gave_up)
      kernel_error (l, expr->span, NULL, "expected `select (no, yes, condition)`");
    return rsp_kernel_dummy (l, expr->span, &kernel_int);
  }
  const KernelType *type = v[0].type->kind == KERNEL_INTEGER && v[1].type->kind == KERNEL_INTEGER
                               ? kernel_result_type (v[0].type, v[1].type)
                               : v[0].type;
  return rsp_kernel_choose (l, expr->span, v[2], rsp_kernel_to_type (l, v[1], type, expr->span),
                            rsp_kernel_to_type (l, v[0], type, expr->span));
}

static KernelValue integers (KernelLowerer *l, const KernelExpr *expr) {
  Arguments arguments = held_arguments (l, expr);
  KernelValue value;
  if (kernel_integer_function (l, expr, arguments.values, arguments.n, &value))
    return value;
  return applied (l, expr, expr->a->name, NULL, &arguments, TRUE);
}

/* ---- Names with a type in them ---- */

/* vload4 (offset, p): p[4 * offset] and the next three. */
static gboolean vector_place (KernelLowerer *l, KernelValue offset, KernelValue pointer,
                              guint lanes, RspSpan span, KernelPlace *place) {
  if (pointer.type->kind != KERNEL_POINTER || !rsp_kernel_is_scalar (pointer.type->to)) {
    if (!l->gave_up)
      kernel_error (l, span, NULL, "found an argument that is not a pointer to a scalar");
    return FALSE;
  }
  KernelValue n
      = rsp_kernel_scalar (l, rsp_kernel_constant (l, span, lanes, &kernel_int), &kernel_int);
  KernelValue address = rsp_kernel_offset (
      l, span, pointer, rsp_kernel_binary (l, span, RSP_OP_MUL, offset, n), RSP_OP_ADD);
  *place = (KernelPlace){ .type = rsp_kernel_vector_of (l, pointer.type->to, lanes),
                          .address = address.cells[0] };
  return TRUE;
}

static gboolean vector_access (KernelLowerer *l, const KernelExpr *expr, KernelValue *value) {
  const char *name = expr->a->name;
  gboolean loads = g_str_has_prefix (name, "vload"), stores = g_str_has_prefix (name, "vstore");
  guint lanes = loads || stores ? (guint) atoi (name + (loads ? 5 : 6)) : 0;
  KernelPlace place;
  *value = rsp_kernel_no_value ();
  if (!lanes || lanes > 16 || expr->args.n != (loads ? 2u : 3u))
    return FALSE;
  Arguments arguments = read_arguments (l, expr);
  const KernelValue *v = arguments.values;
  if (!vector_place (l, v[stores], v[1 + stores], lanes, expr->span, &place))
    return TRUE;
  if (loads) {
    *value = rsp_kernel_load (l, rsp_kernel_reuse (l, place), expr->span);
    return TRUE;
  }
  rsp_kernel_store (l, place, rsp_kernel_to_type (l, v[0], place.type, expr->span), expr->span);
  return TRUE;
}

/* convert_int4_sat (v), as_uint (f) */
static gboolean conversion (KernelLowerer *l, const KernelExpr *expr, KernelValue *value) {
  const char *name = expr->a->name;
  gboolean converts = g_str_has_prefix (name, "convert_"),
           reinterprets = g_str_has_prefix (name, "as_");
  if ((!converts && !reinterprets) || expr->args.n != 1)
    return FALSE;
  g_auto (GStrv) words = g_strsplit (name + (converts ? 8 : 3), "_", 2);
  KernelParser parser = { .base = { .arena = l->arena, .diagnostics = l->diagnostics } };
  char *word = rsp_arena_strdup (l->arena, words[0]);
  if (!rsp_kernel_is_type_word (word))
    return FALSE;
  KernelSpecs *specs = kernel_specs (&parser, (TokenRange){ 0, 0 });
  kernel_add_word (&parser, specs, (TokenRange){ 0, 0 }, word);
  const KernelType *type = kernel_variable (&parser, specs, NULL, (TokenRange){ 0, 0 })->type;
  KernelValue from = rsp_kernel_value (l, expr->args.items[0]);
  if (converts && (!words[1] || kernel_is_integral (from.type))) {
    if (words[1] && g_str_has_prefix (words[1], "sat") && kernel_is_integral (type))
      from = kernel_saturate (l, expr->span, from, type);
    *value = rsp_kernel_to_type (l, from, type, expr->span);
  } else if (!reinterprets || !rsp_kernel_reinterpret (l, expr->span, from, type, value))
    *value = uninterpreted (l, expr, name, type);
  return TRUE;
}

/* read_imagef (…): images are read only. */
static gboolean image_read (KernelLowerer *l, const KernelExpr *expr, KernelValue *value) {
  static const char *const names[] = { "read_imagef", "read_imagei", "read_imageui" };
  static const KernelType lanes[] = { { .kind = KERNEL_FLOAT, .bits = 32 },
                                      { .kind = KERNEL_INTEGER, .bits = 32, .is_signed = TRUE },
                                      { .kind = KERNEL_INTEGER, .bits = 32 } };
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (expr->a->name, names[i]) == 0) {
      *value = uninterpreted (l, expr, names[i], rsp_kernel_vector_of (l, &lanes[i], 4));
      return TRUE;
    }
  return FALSE;
}

/* vload_half (offset, p), vstore_half4_rte (value, offset, p) */
static gboolean half_access (KernelLowerer *l, const KernelExpr *expr, KernelValue *value) {
  static const KernelType real = { .kind = KERNEL_FLOAT, .bits = 32 };
  gboolean loads = g_str_has_prefix (expr->a->name, "vload_half");
  if ((!loads && !g_str_has_prefix (expr->a->name, "vstore_half"))
      || expr->args.n != (loads ? 2u : 3u))
    return FALSE;
  guint lanes = (guint) atoi (expr->a->name + strlen (loads ? "vload_half" : "vstore_half"));
  Arguments arguments = read_arguments (l, expr);
  const KernelValue *v = arguments.values + !loads;
  KernelPlace place;
  *value = rsp_kernel_no_value ();
  if (!vector_place (l, v[0], v[1], CLAMP (lanes, 1, 16), expr->span, &place))
    return TRUE;
  if (!lanes)
    place.type = v[1].type->to;
  if (loads)
    *value = rsp_kernel_to_type (l, rsp_kernel_load (l, rsp_kernel_reuse (l, place), expr->span),
                                 lanes ? rsp_kernel_vector_of (l, &real, place.type->lanes) : &real,
                                 expr->span);
  else
    rsp_kernel_store (l, place, rsp_kernel_to_type (l, arguments.values[0], place.type, expr->span),
                      expr->span);
  return TRUE;
}

static KernelValue implication (KernelLowerer *l, const KernelExpr *expr) {
  const KernelType *type;
  RspExpr *a = rsp_kernel_scalar_value (l, expr->args.items[0], &type);
  a = rsp_kernel_node (l, expr->span, RSP_EXPR_UNARY, RSP_OP_LOGICAL_NOT, &kernel_int, a, NULL);
  RspExpr *b = rsp_kernel_condition (l, expr->args.items[1]);
  return rsp_kernel_scalar (
      l, rsp_kernel_node (l, expr->span, RSP_EXPR_BINARY, RSP_OP_LOGICAL_OR, &kernel_int, a, b),
      &kernel_int);
}

/* ---- Annotations ---- */

/* Is it the row's name, or one that begins as a row `begin*`, unless it is another name misspelt?
 */
static gboolean has_name (gsize row, const char *name) {
  gsize begin = strlen (builtins[row].name) - 1;
  if (builtins[row].name[begin] != '*')
    return strcmp (name, builtins[row].name) == 0;
  return strncmp (name, builtins[row].name, begin) == 0 && !kernel_is_misspelt (name, begin);
}

static BuiltinKind kind_of (const char *name) {
  for (gsize i = 0; i < G_N_ELEMENTS (builtins); i++)
    if (has_name (i, name))
      return builtins[i].kind;
  return REFUSED;
}

/* Does an annotation speak of the accesses so far, or of another work-item? */
static const KernelExpr *find_about (const KernelExpr *expr) {
  const KernelExpr *found = NULL;
  if (!expr)
    return NULL;
  if (expr->kind == KERNEL_CALL && expr->a->kind == KERNEL_NAME && kind_of (expr->a->name) == ABOUT)
    return expr;
  for (guint i = 0; i < expr->args.n && !found; i++)
    found = find_about (expr->args.items[i]);
  found = found ? found : find_about (expr->a);
  found = found ? found : find_about (expr->b);
  return found ? found : find_about (expr->c);
}

static void annotate (KernelLowerer *l, const KernelExpr *expr, gboolean asserts) {
  const KernelExpr *about = find_about (expr->args.items[0]);
  if (!about)
    rsp_kernel_annotate (l, expr, asserts);
  else if (l->thread == 0)
    rsp_warning (l->diagnostics, expr->span, NULL, "`%s` is not checked: it depends on `%s`",
                 expr->a->name, about->a->name);
}

/* ---- All ---- */

static KernelValue of_kind (KernelLowerer *l, const KernelExpr *expr, BuiltinKind kind,
                            const char *instead) {
  switch (kind) {
  case ID:
    return kernel_identity (l, expr);
  case SAME:
    return same_function (l, expr);
  case WHOLE:
    return uninterpreted (l, expr, expr->a->name, NULL);
  case LANE:
    return lane_function (l, expr);
  case TRUTH:
    return truth_function (l, expr);
  case STORES:
    return storing_function (l, expr);
  case INT2:
    return uninterpreted (l, expr, expr->a->name, rsp_kernel_vector_of (l, &kernel_int, 2));
  case INTEGER:
    return integers (l, expr);
  case SELECT:
    return selected (l, expr);
  case ANY:
    return kernel_any (l, expr, held_arguments (l, expr).values[0]);
  case IGNORED:
    for (guint i = 0; i < expr->args.n; i++)
      if (((const KernelExpr *) expr->args.items[i])->kind != KERNEL_STRING)
        rsp_kernel_effect (l, expr->args.items[i]);
    return rsp_kernel_dummy (l, expr->span, &kernel_int);
  case SKIPPED:
    break;
  case IMPLIES:
    return expr->args.n == 2 ? implication (l, expr)
                             : rsp_kernel_dummy (l, expr->span, &kernel_int);
  case SHUFFLED:
    return shuffled (l, expr);
  case ASSERT:
  case ASSUME:
    if (expr->args.n == 1)
      annotate (l, expr, kind == ASSERT);
    break;
  case STATIC:
    if (expr->args.n)
      rsp_kernel_static_assert (l, expr->args.items[0], expr->span);
    break;
  case ABOUT:
    rsp_kernel_refuse (l, expr->span, "write it in an annotation", "a call to `%s`", expr->a->name);
    return rsp_kernel_dummy (l, expr->span, &kernel_int);
  case REFUSED:
    rsp_kernel_refuse (l, expr->span, instead, "a call to `%s`", expr->a->name);
    return rsp_kernel_dummy (l, expr->span, &kernel_int);
  }
  return rsp_kernel_no_value ();
}

gboolean rsp_kernel_builtin (KernelLowerer *l, const KernelExpr *expr, KernelValue *value) {
  if (kernel_atomic (l, expr, value))
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (builtins); i++)
    if (has_name (i, expr->a->name)) {
      *value = of_kind (l, expr, builtins[i].kind, builtins[i].instead);
      return TRUE;
    }
  return vector_access (l, expr, value) || half_access (l, expr, value)
         || conversion (l, expr, value) || image_read (l, expr, value);
}
