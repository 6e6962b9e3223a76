/* Built-in functions of OpenCL C (builtins.def): work-item functions, and those that are calculated
 * or left uninterpreted. */
#include "base/base.h"
#include "parser/kernel/internal.h"
#include "parser/kernel/kernel.h"
#include "parser/litmus/litmus.h"

#include <stdlib.h>
#include <string.h>

/* ---- Hints for misspelt names --------------------------------------------------------------- */

/* All but the operations of 2.0; a `*` at the end stands for any rest. */
static const char *const functions[] = {
#define BUILTIN(name, kind, instead) name,
#include "parser/kernel/builtins.def"
#define OLD_CALL(name, kind, op, order, form) name,
#include "parser/litmus/words.def"
};

/* The names of all built-in functions. */
static GPtrArray *all_names (void) {
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  rsp_litmus_add_calls (names, FALSE);
  for (gsize i = 0; i < G_N_ELEMENTS (functions); i++)
    if (!g_str_has_suffix (functions[i], "*")) {
      g_ptr_array_add (names, g_strdup (functions[i]));
      if (g_str_has_prefix (functions[i], "atomic_"))
        g_ptr_array_add (names, g_strconcat ("atom_", functions[i] + 7, NULL));
    }
  return names;
}

char *rsp_kernel_function_hint (const KernelLowerer *l, const char *name) {
  g_autoptr (GPtrArray) names = all_names ();
  for (guint i = 0; i < l->unit->functions.n; i++) {
    const CFunction *function = l->unit->functions.items[i];
    g_ptr_array_add (names, g_strdup (function->name));
  }
  g_ptr_array_add (names, NULL);
  return rsp_did_you_mean_words (name, (const char *const *) names->pdata,
                                 rsp_litmus_other_operations);
}

/* Does a function's name begin with the same `begin` characters, and is the rest a misspelling of
 * its own? */
static gboolean kernel_is_misspelt (const char *name, gsize begin) {
  g_autoptr (GPtrArray) names = all_names ();
  g_autoptr (GPtrArray) rests = g_ptr_array_new ();
  for (guint i = 0; i < names->len; i++)
    if (strncmp (names->pdata[i], name, begin) == 0)
      g_ptr_array_add (rests, (char *) names->pdata[i] + begin);
  g_ptr_array_add (rests, NULL);
  return rsp_nearest (name + begin, (const char *const *) rests->pdata) != NULL;
}

/* ---- Work-item functions -------------------------------------------------------------------- */

/* Positions of work-items and sizes of the grid, which are constants. */

/* The answers to one question, for each dimension. */
typedef struct Answer {
  guint values[RSP_GRID_DIMENSIONS];
  gboolean has_dimension, own; /* does it take a dimension? do work-items differ in it? */
  gboolean small;              /* is it a uint? */
} Answer;

static void split (guint number, const guint *sizes, guint *positions) {
  for (guint d = 0; d < RSP_GRID_DIMENSIONS; d++) {
    positions[d] = number % sizes[d];
    number /= sizes[d];
  }
}

static gboolean find_answer (const KernelLowerer *l, const char *name, Answer *answer) {
  enum { ONE = RSP_GRID_DIMENSIONS };
  const RspGrid *grid = &l->options->grid;
  const guint *groups = grid->group_sizes, *items = grid->item_sizes;
  guint group[ONE], item[ONE], id[ONE], size[ONE], linear = 0;
  split (l->group, groups, group);
  split (l->item, items, item);
  for (guint d = ONE; d-- > 0;) {
    id[d] = group[d] * items[d] + item[d];
    size[d] = groups[d] * items[d];
    linear = linear * size[d] + id[d];
    id[d] += grid->offsets[d];
  }
  const guint sub_group = l->item / grid->items, sub_item = l->item % grid->items;
  const struct {
    const char *name;
    const guint *values;
    guint n;
    gboolean own, small;
  } answers[] = { { "get_global_id", id, ONE, TRUE, FALSE },
                  { "get_local_id", item, ONE, TRUE, FALSE },
                  { "get_group_id", group, ONE, TRUE, FALSE },
                  { "get_global_size", size, ONE, FALSE, FALSE },
                  { "get_local_size", items, ONE, FALSE, FALSE },
                  { "get_enqueued_local_size", items, ONE, FALSE, FALSE },
                  { "get_num_groups", groups, ONE, FALSE, FALSE },
                  { "get_global_offset", grid->offsets, ONE, FALSE, FALSE },
                  { "get_global_linear_id", &linear, 1, TRUE, FALSE },
                  { "get_local_linear_id", &l->item, 1, TRUE, FALSE },
                  { "get_work_dim", &grid->dimensions, 1, FALSE, TRUE },
                  { "get_sub_group_id", &sub_group, 1, TRUE, TRUE },
                  { "get_sub_group_local_id", &sub_item, 1, TRUE, TRUE },
                  { "get_sub_group_size", &grid->items, 1, FALSE, TRUE },
                  { "get_max_sub_group_size", &grid->items, 1, FALSE, TRUE },
                  { "get_num_sub_groups", &grid->sub_groups, 1, FALSE, TRUE },
                  { "get_enqueued_num_sub_groups", &grid->sub_groups, 1, FALSE, TRUE } };
  for (gsize i = 0; i < G_N_ELEMENTS (answers); i++)
    if (strcmp (name, answers[i].name) == 0) {
      *answer = (Answer){ .has_dimension = answers[i].n > 1,
                          .own = answers[i].own,
                          .small = answers[i].small };
      memcpy (answer->values, answers[i].values, answers[i].n * sizeof (guint));
      return TRUE;
    }
  return FALSE;
}

/* A dimension that does not exist has position 0 and size 1. */
static guint value_for (const Answer *answer, const char *name, gint64 dimension) {
  if (dimension >= 0 && dimension < RSP_GRID_DIMENSIONS)
    return answer->values[dimension];
  return answer->own || strcmp (name, "get_global_offset") == 0 ? 0 : 1;
}

/* The dimension that the call names; FALSE: it is not constant. */
static gboolean find_dimension (KernelLowerer *l, const CExpr *call, const Answer *answer,
                                gint64 *dimension) {
  *dimension = 0;
  return !answer->has_dimension
         || (call->args.n == 1 && rsp_kernel_evaluate (l, call->args.items[0], dimension));
}

gboolean rsp_kernel_grid_size (KernelLowerer *l, const CExpr *call, gint64 *value) {
  Answer answer;
  gint64 dimension;
  if (call->a->kind != C_NAME || !find_answer (l, call->a->name, &answer) || answer.own
      || !find_dimension (l, call, &answer, &dimension))
    return FALSE;
  *value = value_for (&answer, call->a->name, dimension);
  return TRUE;
}

/* The answer for a dimension that is not constant. */
static RspExpr *choose_dimension (KernelLowerer *l, const CExpr *call, const Answer *answer,
                                  const CType *type) {
  RspSpan span = call->span;
  const CType *own;
  RspExpr *dimension = rsp_kernel_reusable (
      l, rsp_kernel_scalar_value (l, call->args.items[0], &own), &kernel_long);
  RspExpr *result
      = rsp_kernel_constant (l, span, value_for (answer, call->a->name, RSP_GRID_DIMENSIONS), type);
  for (guint d = 0; d < RSP_GRID_DIMENSIONS; d++) {
    RspExpr *is_this = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_EQ, &kernel_int, dimension,
                                        rsp_kernel_constant (l, span, d, &kernel_long));
    result = rsp_kernel_conditional (
        l, span, type, is_this, rsp_kernel_constant (l, span, answer->values[d], type), result);
  }
  return result;
}

/* The value of get_global_id (0) and the like. */
static KernelValue kernel_identity (KernelLowerer *l, const CExpr *call) {
  const char *name = call->a->name;
  gint64 dimension;
  Answer answer = { .own = FALSE };
  find_answer (l, name, &answer);
  if (l->in_sizeof) /* only its type is asked for */
    answer.own = FALSE;
  const CType *type = answer.small ? &kernel_uint : &kernel_size;
  if (call->args.n != (guint) answer.has_dimension) {
    kernel_error (l, call->span, NULL, "found %u arguments of `%s`, expected %d", call->args.n,
                  name, answer.has_dimension);
    return rsp_kernel_dummy (l, call->span, type);
  }
  if (answer.own && l->at_end)
    rsp_kernel_refuse (l, call->span,
                       "no work-item evaluates it: name elements (`x[0] == 1 && x[1] == 1`), or "
                       "write `assert (…)` in the kernel",
                       "`%s` in an assertion about memory at the end", name);
  else if (answer.own && (!l->frame || !l->frame->number))
    rsp_kernel_refuse (l, call->span, "assign it in the kernel",
                       "`%s` outside of functions, where no work-item evaluates it", name);
  gboolean constant = find_dimension (l, call, &answer, &dimension);
  for (guint d = 0; answer.own && d < RSP_GRID_DIMENSIONS; d++)
    if (!constant || dimension == d)
      g_string_append_printf (l->identity, "%s %u %u;", name, d, answer.values[d]);
  return rsp_kernel_scalar (
      l,
      constant ? rsp_kernel_constant (l, call->span, value_for (&answer, name, dimension), type)
               : choose_dimension (l, call, &answer, type),
      type);
}

/* ---- Built-in functions --------------------------------------------------------------------- */

typedef enum BuiltinKind {
  SAME,
  WHOLE,
  LANE,
  TRUTH,
  STORES,
  SIZES,
  INTEGER,
  FIRST,
  ANY,
  SELECT,
  SHUFFLED, /* the last one that calculates with its arguments */
  ID,
  IGNORED,
  SKIPPED,
  COPY,
  GROUP,
  HOLDS, /* is true wherever it is executed */
  ABOUT,
  SO_FAR, /* about accesses since the last barrier */
  ASSERT,
  LOOP,
  ASSUME,
  REQUIRES,
  ENSURES,
  RESULT,
  OFFSET,
  SUM,
  STATIC,
  REFUSED
} BuiltinKind;

static const struct {
  const char *name;
  BuiltinKind kind;
  const char *instead;
} builtins[] = {
#define BUILTIN(name, kind, instead) { name, kind, instead },
#include "parser/kernel/builtins.def"
};

enum { MAX_ARGUMENTS = 4 };

/* ---- Uninterpreted functions ---- */
typedef struct Arguments {
  KernelValue values[MAX_ARGUMENTS];
  guint n;
} Arguments;

static Arguments read_arguments (KernelLowerer *l, const CExpr *expr) {
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
static KernelValue applied (KernelLowerer *l, const CExpr *expr, const char *name,
                            const CType *type, const Arguments *arguments, gboolean by_lane) {
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

static Arguments held_arguments (KernelLowerer *l, const CExpr *expr) {
  Arguments arguments = read_arguments (l, expr);
  for (guint i = 0; i < arguments.n; i++)
    arguments.values[i] = rsp_kernel_held (l, arguments.values[i], expr->span);
  return arguments;
}

KernelValue kernel_uninterpreted (KernelLowerer *l, const CExpr *expr, const char *name,
                                  const CType *type) {
  Arguments arguments = held_arguments (l, expr);
  l->is_open = TRUE;
  return applied (l, expr, name, type, &arguments, FALSE);
}

/* dot, length, distance: sums of products of lanes, or their roots. */
static KernelValue lane_function (KernelLowerer *l, const CExpr *expr) {
  const char *name = expr->a->name;
  const gboolean dot = strcmp (name, "dot") == 0, one = g_str_has_suffix (name, "length");
  Arguments arguments = held_arguments (l, expr);
  const KernelValue *v = arguments.values;
  if (arguments.n != (one ? 1 : 2) || (!one && v[0].n != v[1].n) || !v[0].n) {
    if (!l->gave_up)
      kernel_error (l, expr->span, NULL, "found arguments of `%s` that do not fit together", name);
    return rsp_kernel_dummy (l, expr->span, &kernel_int);
  }
  const CType *type = v[0].type->kind == C_VECTOR ? v[0].type->to : v[0].type;
  KernelValue sum = rsp_kernel_dummy (l, expr->span, type);
  for (guint i = 0; i < v[0].n; i++) {
    KernelValue a = rsp_kernel_scalar (l, v[0].cells[i], type);
    KernelValue b = one ? a : rsp_kernel_scalar (l, v[1].cells[i], type);
    if (rsp_kernel_pads (l, v[0].type, i))
      continue;
    if (!one && !dot)
      a = b = rsp_kernel_held (l, rsp_kernel_binary (l, expr->span, RSP_OP_SUB, a, b), expr->span);
    sum = rsp_kernel_binary (l, expr->span, RSP_OP_ADD, sum,
                             rsp_kernel_binary (l, expr->span, RSP_OP_MUL, a, b));
  }
  if (!dot)
    sum.cells[0] = rsp_kernel_apply (l, expr->span, "sqrt", type, sum.cells, 1);
  return rsp_kernel_held (l, sum, expr->span);
}

/* Lane by lane. */
static KernelValue same_function (KernelLowerer *l, const CExpr *expr) {
  Arguments arguments = held_arguments (l, expr);
  return applied (l, expr, expr->a->name, NULL, &arguments, TRUE);
}

/* fract (x, &whole): a second result is stored. */
static KernelValue storing_function (KernelLowerer *l, const CExpr *expr) {
  Arguments arguments = held_arguments (l, expr);
  const KernelValue pointer
      = arguments.n ? arguments.values[--arguments.n] : rsp_kernel_no_value ();
  if (!arguments.n || pointer.type->kind != C_POINTER
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

static KernelValue image_sizes (KernelLowerer *l, const CExpr *expr) {
  Arguments arguments = held_arguments (l, expr);
  gboolean solid = arguments.n && arguments.values[0].type->kind == C_OPAQUE
                   && g_str_has_prefix (arguments.values[0].type->name, "image3d");
  return applied (l, expr, expr->a->name, rsp_kernel_vector_of (l, &kernel_int, solid ? 4 : 2),
                  &arguments, FALSE);
}

static KernelValue truth_function (KernelLowerer *l, const CExpr *expr) {
  Arguments arguments = held_arguments (l, expr);
  const CType *type = arguments.n ? arguments.values[0].type : &kernel_int;
  if (type->kind != C_VECTOR)
    return applied (l, expr, expr->a->name, &kernel_int, &arguments, TRUE);
  const CType *lane = type->to->bits == 64 ? &kernel_long : &kernel_int;
  KernelValue result = applied (l, expr, expr->a->name, rsp_kernel_vector_of (l, lane, type->lanes),
                                &arguments, TRUE);
  const gboolean is_truth = strcmp (expr->a->name, "ilogb") != 0; /* -1, in a vector (6.13.6) */
  for (guint i = 0; is_truth && i < result.n; i++)
    result.cells[i] = rsp_kernel_node (l, expr->span, RSP_EXPR_UNARY, RSP_OP_NEGATE, lane,
                                       result.cells[i], NULL);
  return result;
}

/* ---- Functions that are calculated ---- */
static KernelValue shuffled (KernelLowerer *l, const CExpr *expr) {
  Arguments arguments = held_arguments (l, expr);
  gboolean vectors = arguments.n > 1;
  for (guint i = 0; i < arguments.n; i++)
    vectors = vectors && arguments.values[i].type->kind == C_VECTOR;
  if (vectors)
    return kernel_shuffle (l, expr->span, arguments.values, arguments.n);
  kernel_error (l, expr->span, NULL, "found an argument of `%s` that is not a vector",
                expr->a->name);
  return rsp_kernel_dummy (l, expr->span, &kernel_int);
}

/* select (a, b, c) is c ? b : a, but all of them are evaluated. */
static KernelValue selected (KernelLowerer *l, const CExpr *expr) {
  Arguments arguments = held_arguments (l, expr);
  KernelValue *v = arguments.values;
  if (arguments.n != 3 || v[2].n < (v[2].type->kind == C_VECTOR ? v[0].n : 1)) {
    if (!l->gave_up)
      kernel_error (l, expr->span, NULL, "expected `select (no, yes, condition)`");
    return rsp_kernel_dummy (l, expr->span, &kernel_int);
  }
  const CType *type = v[0].type->kind == C_INTEGER && v[1].type->kind == C_INTEGER
                          ? kernel_result_type (v[0].type, v[1].type)
                          : v[0].type;
  return rsp_kernel_choose (l, expr->span, v[2], rsp_kernel_to_type (l, v[1], type, expr->span),
                            rsp_kernel_to_type (l, v[0], type, expr->span));
}

static KernelValue integers (KernelLowerer *l, const CExpr *expr) {
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
  if (pointer.type->kind != C_POINTER || !rsp_kernel_is_scalar (pointer.type->to)) {
    if (!l->gave_up)
      kernel_error (l, span, NULL, "found an argument that is not a pointer to a scalar");
    return FALSE;
  }
  const KernelValue n = rsp_kernel_number (l, span, lanes, &kernel_int);
  KernelValue address = rsp_kernel_offset (
      l, span, pointer, rsp_kernel_binary (l, span, RSP_OP_MUL, offset, n), RSP_OP_ADD);
  *place = (KernelPlace){ .type = rsp_kernel_vector_of (l, pointer.type->to, lanes),
                          .address = address.cells[0] };
  return TRUE;
}

static gboolean vector_access (KernelLowerer *l, const CExpr *expr, KernelValue *value) {
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

KernelValue rsp_kernel_rounded (KernelLowerer *l, RspSpan span, KernelValue value,
                                const char *suffix) {
  static const char *const ways[][2] = { { "rte", "rint" }, { "rtp", "ceil" }, { "rtn", "floor" } };
  const CType *type = value.type->kind == C_VECTOR ? value.type->to : value.type;
  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++)
    for (guint k = 0; g_str_has_suffix (suffix, ways[i][0]) && k < value.n; k++)
      value.cells[k] = rsp_kernel_apply (l, span, ways[i][1], type, &value.cells[k], 1);
  return value;
}

/* convert_int4_sat (v), as_uint (f) */
static gboolean conversion (KernelLowerer *l, const CExpr *expr, KernelValue *value) {
  const char *name = expr->a->name;
  gboolean converts = g_str_has_prefix (name, "convert_"),
           reinterprets = g_str_has_prefix (name, "as_");
  if ((!converts && !reinterprets) || expr->args.n != 1)
    return FALSE;
  g_auto (GStrv) words = g_strsplit (name + (converts ? 8 : 3), "_", 2);
  CParser parser
      = { .base = { .arena = l->arena, .diagnostics = l->diagnostics }, .start = C_UNIT };
  char *word = rsp_arena_strdup (l->arena, words[0]);
  if (!rsp_kernel_is_type_word (word))
    return FALSE;
  CSpecs *specs = c_specs (&parser);
  c_add_word (&parser, specs, (TokenRange){ 0, 0 }, word);
  const CType *type = c_variable (&parser, specs, NULL, (TokenRange){ 0, 0 })->type;
  KernelValue from = rsp_kernel_value (l, expr->args.items[0]);
  /* Only integers have all directions of rounding. */
  if (converts && (!words[1] || kernel_is_integral (type) || g_str_has_suffix (words[1], "rte"))) {
    if (words[1] && kernel_is_integral (type) && !kernel_is_integral (from.type))
      from = rsp_kernel_rounded (l, expr->span, from, words[1]);
    else if (words[1] && g_str_has_prefix (words[1], "sat") && kernel_is_integral (type))
      from = rsp_kernel_saturate (l, expr->span, from, type);
    *value = rsp_kernel_to_type (l, from, type, expr->span);
  } else if (!reinterprets || !rsp_kernel_reinterpret (l, expr->span, from, type, value))
    *value = kernel_uninterpreted (l, expr, name, type);
  return TRUE;
}

/* ---- Images ---- */
/* What an image holds is not known, but accesses to its pixels race like those to elements of an
 * array. Its elements are the pixels with coordinates below these; others are ignored. */
static const guint image_sizes_of[][RSP_GRID_DIMENSIONS]
    = { { 4096, 1, 1 }, { 64, 64, 1 }, { 16, 16, 16 } };

/* Accesses the pixel with a function of this text, whose `at` is its number, `m` the image. */
static gboolean access_pixel (KernelLowerer *l, const CExpr *expr, const Arguments *arguments,
                              const char *text, RspExpr *written, KernelValue *value) {
  const KernelValue *v = arguments->values;
  KernelValue all[5];
  const CType *type = arguments->n > 1 ? v[1].type : &kernel_void;
  if (!kernel_is_integral (type) || !v[0].n
      || !kernel_image_memory (l, v[0].cells[0], expr->span, &all[0]))
    return FALSE;
  const guint lanes = type->kind == C_VECTOR ? MIN (type->lanes, 3) : 1,
              *n = image_sizes_of[lanes - 1];
  for (guint d = 0; d < 3; d++)
    all[1 + d] = d < lanes ? rsp_kernel_scalar (l, v[1].cells[d], rsp_kernel_leaf (l, type, d))
                           : rsp_kernel_number (l, expr->span, 0, &kernel_int);
  all[4] = rsp_kernel_scalar (l, written, &kernel_size);
  g_autofree char *whole = g_strdup_printf ("ulong f (global ulong *m, uint x, uint y, uint z, "
                                            "ulong v) { ulong at = x + %uul * (y + %uul * z); "
                                            "if (x < %u && y < %u && z < %u) %s return 0; }",
                                            n[0], n[1], n[0], n[1], n[2], text);
  *value = rsp_kernel_inline (l, expr, rsp_kernel_parse_function (l, whole, &expr->span), all);
  return TRUE;
}

static void image_write (KernelLowerer *l, const CExpr *expr) {
  Arguments arguments = held_arguments (l, expr);
  const KernelValue *v = &arguments.values[arguments.n - 1];
  KernelValue value = rsp_kernel_no_value ();
  if (arguments.n > 2)
    access_pixel (l, expr, &arguments, "m[at] = v;",
                  rsp_kernel_apply (l, expr->span, "pixel", &kernel_size, v->cells, v->n), &value);
}

/* read_imagef (…), write_imagef (…) */
static gboolean image_access (KernelLowerer *l, const CExpr *expr, KernelValue *value) {
  static const char *const names[] = { "read_imagef", "read_imagei", "read_imageui" };
  static const CType lanes[] = { { .kind = C_FLOAT, .bits = 32 },
                                 { .kind = C_INTEGER, .bits = 32, .is_signed = TRUE },
                                 { .kind = C_INTEGER, .bits = 32 } };
  *value = rsp_kernel_no_value ();
  if (g_str_has_prefix (expr->a->name, "write_image")) {
    image_write (l, expr);
    return TRUE;
  }
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (expr->a->name, names[i]) == 0) {
      Arguments arguments = held_arguments (l, expr);
      if (arguments.n == 2
          && access_pixel (l, expr, &arguments, "return m[at];",
                           rsp_kernel_constant (l, expr->span, 0, &kernel_size),
                           &arguments.values[2]))
        arguments.n++;
      *value
          = applied (l, expr, names[i], rsp_kernel_vector_of (l, &lanes[i], 4), &arguments, FALSE);
      return TRUE;
    }
  return FALSE;
}

/* The value as one of halves, in the direction that the function's name ends with; without one, to
 * the nearest. */
static KernelValue as_half (KernelLowerer *l, RspSpan span, KernelValue value, const char *name,
                            const CType *type) {
  static const char *const steps[][2] = { { "_rtz", "-(a < 0 ? w < a : w > a)" },
                                          { "_rtp", "w < a ? (b < 0 ? -1 : 1) : 0" },
                                          { "_rtn", "w > a ? (b < 0 ? 1 : -1) : 0" } };
  gsize i = 0;
  while (i < G_N_ELEMENTS (steps) && !g_str_has_suffix (name, steps[i][0]))
    i++;
  if (i == G_N_ELEMENTS (steps))
    return rsp_kernel_to_type (l, value, type, span);
  g_autofree char *text
      = g_strdup_printf ("half f (T a) { half h = a; T w = h; short b = as_short (h); "
                         "return as_half ((short) (b + (%s))); }",
                         steps[i][1]);
  KernelValue result = rsp_kernel_dummy (l, span, type);
  for (guint k = 0; k < MIN (result.n, value.n); k++) {
    const KernelValue own
        = rsp_kernel_scalar (l, value.cells[k], rsp_kernel_leaf (l, value.type, k));
    if (!rsp_kernel_pads (l, value.type, k))
      result.cells[k] = rsp_kernel_inline_text (l, span, text, &own).cells[0];
  }
  return result;
}

/* vload_half (offset, p), vstore_half4_rte (value, offset, p). Those with an `a`, vloada_half3, are
 * of aligned vectors, which are 4 halves apart if they have 3. */
static gboolean half_access (KernelLowerer *l, const CExpr *expr, KernelValue *value) {
  static const CType real = { .kind = C_FLOAT, .bits = 32 };
  static const char *const words[] = { "vload_half", "vloada_half", "vstore_half", "vstorea_half" };
  guint row = 0;
  while (row < G_N_ELEMENTS (words) && !g_str_has_prefix (expr->a->name, words[row]))
    row++;
  const gboolean loads = row < 2, aligned = row % 2;
  if (row == G_N_ELEMENTS (words) || expr->args.n != (loads ? 2u : 3u))
    return FALSE;
  const guint lanes = (guint) MIN (atoi (expr->a->name + strlen (words[row])), 16);
  Arguments arguments = read_arguments (l, expr);
  const KernelValue *v = arguments.values + !loads;
  KernelPlace place;
  *value = rsp_kernel_no_value ();
  if (!vector_place (l, v[0], v[1], aligned && lanes == 3 ? 4 : MAX (lanes, 1), expr->span, &place))
    return TRUE;
  place.type = lanes ? rsp_kernel_vector_of (l, v[1].type->to, lanes) : v[1].type->to;
  if (loads)
    *value
        = rsp_kernel_to_type (l, rsp_kernel_load (l, rsp_kernel_reuse (l, place), expr->span),
                              lanes ? rsp_kernel_vector_of (l, &real, lanes) : &real, expr->span);
  else
    rsp_kernel_store (l, place,
                      as_half (l, expr->span, arguments.values[0], expr->a->name, place.type),
                      expr->span);
  return TRUE;
}

static KernelValue ignored (KernelLowerer *l, const CExpr *expr) {
  for (guint i = 0; i < expr->args.n; i++)
    if (((const CExpr *) expr->args.items[i])->kind != C_STRING)
      rsp_kernel_effect (l, expr->args.items[i]);
  return rsp_kernel_dummy (l, expr->span, &kernel_int);
}

/* ---- Annotations ---- */
/* Is it the row's name, or for a row `begin*` one that begins so, unless that is another name
 * misspelt? */
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

/* Does it ask about another work-item or a caller, as only annotations can? */
static gboolean is_about (const CExpr *expr, const char *unused) {
  (void) unused;
  return expr->kind == C_NAME && kind_of (expr->name) == ABOUT
         && !g_str_has_prefix (expr->name, "__old_");
}

static gboolean is_so_far (const CExpr *expr, const char *unused) {
  (void) unused;
  return expr->kind == C_NAME && kind_of (expr->name) == SO_FAR;
}

static gboolean is_old (const CExpr *expr, const char *unused) {
  (void) unused;
  return expr->kind == C_CALL && expr->a->kind == C_NAME
         && g_str_has_prefix (expr->a->name, "__old_");
}

/* Warns once that such annotations are not checked. */
static void leave_out (KernelLowerer *l, const CExpr *expr, const char *word) {
  if (g_hash_table_add (l->built_in, g_strdup ("annotations")))
    rsp_warning (l->diagnostics, expr->span, NULL,
                 "annotations that only proofs can use are not checked, such as `%s`", word);
}

static void annotation (KernelLowerer *l, const CExpr *expr, BuiltinKind kind) {
  const CExpr *first = expr->args.n ? expr->args.items[0] : NULL,
              *about = c_find (first, is_about, NULL);
  if (!about && kind == ASSUME) /* which a proof may assume of the access that it chooses */
    about = c_find (first, is_so_far, NULL);
  const CExpr *old = about ? NULL : c_find (first, is_old, NULL);
  if (old && !g_hash_table_contains (l->old, old)) /* it is not about the end of a function */
    about = old->a;
  if (kind == LOOP && !l->at_head)
    kernel_error (l, expr->span,
                  "write it into the loop's condition: `while (__invariant (e), i < n)`",
                  "`%s` belongs at the head of a loop", expr->a->name);
  if (kind == STATIC)
    rsp_kernel_static_assert (l, first ? first : expr, expr->span);
  else if (about)
    leave_out (l, expr, about->name);
  else if (first) {
    l->in_annotation
        = g_str_has_prefix (expr->a->name, "__"); /* C's assert is a part of the code */
    rsp_kernel_annotate (l, expr, kind != ASSUME && (kind != REQUIRES || l->frame->caller));
    l->in_annotation = FALSE;
  }
}

/* In the code itself, what only a proof could know has any value. */
static KernelValue of_proof (KernelLowerer *l, const CExpr *expr) {
  static const CType function = { .kind = C_FUNCTION, .to = (CType *) &kernel_size };
  const CVariable own = { .name = expr->a->name, .type = (CType *) &function };
  if (g_hash_table_insert (l->built_in, g_strdup (own.name), NULL))
    rsp_warning (l->diagnostics, expr->span, NULL,
                 "`%s` may have any value here: only a proof could tell which", own.name);
  return kernel_unknown_call (l, expr, &own);
}

/* Keeps the values of `__old_int (e)` and the like for the end of the function. */
static void hold_old (KernelLowerer *l, const CExpr *expr) {
  if (!expr)
    return;
  if (is_old (expr, NULL) && expr->args.n == 1) {
    const KernelValue value
        = rsp_kernel_held (l, rsp_kernel_value (l, expr->args.items[0]), expr->span);
    g_hash_table_insert (l->old, (gpointer) expr, rsp_arena_copy (l->arena, &value, sizeof value));
    return;
  }
  for (guint i = 0; i < expr->args.n; i++)
    hold_old (l, expr->args.items[i]);
  hold_old (l, expr->a);
  hold_old (l, expr->b);
  hold_old (l, expr->c);
}

static KernelValue old_value (KernelLowerer *l, const CExpr *expr) {
  const KernelValue *value = g_hash_table_lookup (l->old, expr);
  return value ? *value : of_proof (l, expr);
}

/* `__array_snapshot (to, from)`: from now on, `to` is what this work-item finds in the array.
 * FALSE: that is not known. */
static gboolean snapshot (KernelLowerer *l, const CExpr *expr) {
  const CExpr *to = expr->args.n == 2 ? expr->args.items[0] : NULL;
  KernelPlace from;
  if (!to || to->kind != C_NAME || !kernel_denotes_object (l, expr->args.items[1])
      || !rsp_kernel_place (l, expr->args.items[1], &from) || from.type->kind != C_ARRAY)
    return FALSE;
  l->in_annotation = TRUE;
  from = rsp_kernel_reuse (l, from);
  CType *type = rsp_arena_copy (l->arena, from.type, sizeof *type);
  type->space = RSP_SPACE_PRIVATE;
  const guint first = rsp_kernel_add_variable (l, to->name, type, FALSE, TRUE, expr->span);
  for (guint i = 0; i < rsp_kernel_cells (l, type, expr->span); i++)
    rsp_kernel_emit_expr (l, kernel_assignment (l, expr->span, type, rsp_kernel_leaf (l, type, i),
                                                rsp_kernel_register (l, expr->span, first + i),
                                                kernel_cell (l, from, i, expr->span)));
  rsp_kernel_bind (l, to->name, rsp_kernel_registers (type, first), FALSE);
  l->in_annotation = FALSE;
  return TRUE;
}

/* Keeps `__ensures` for the end of the function; others are for proofs, but for snapshots. */
static void note (KernelLowerer *l, const CExpr *expr, gboolean ensures) {
  if (!ensures) {
    if (!g_str_has_prefix (expr->a->name, "__array_snapshot") || !snapshot (l, expr))
      leave_out (l, expr, expr->a->name);
    return;
  }
  g_ptr_array_add (l->frame->ensures, (gpointer) expr);
  l->in_annotation = TRUE;
  if (!c_find (expr, is_about, NULL))
    hold_old (l, expr);
  l->in_annotation = FALSE;
}

void kernel_check_ensures (KernelLowerer *l) {
  for (guint i = 0; i < l->frame->ensures->len && !l->gave_up; i++)
    annotation (l, l->frame->ensures->pdata[i], ASSERT);
}

static KernelValue result (KernelLowerer *l, const CExpr *expr) {
  const CType *type = l->frame ? l->frame->function->result : &kernel_void;
  if (type->kind != C_VOID)
    return rsp_kernel_load (l, rsp_kernel_registers (type, l->frame->result), expr->span);
  rsp_kernel_refuse (l, expr->span, NULL, "a call to `%s` where nothing is returned",
                     expr->a->name);
  return rsp_kernel_dummy (l, expr->span, &kernel_int);
}

/* The lower half of an address as an integer. */
static KernelValue lower_half (KernelLowerer *l, KernelValue pointer, RspSpan span) {
  return rsp_kernel_to_type (l, rsp_kernel_cast_value (l, span, pointer, &kernel_size),
                             &kernel_uint, span);
}

static KernelValue offset (KernelLowerer *l, const CExpr *expr) {
  return expr->args.n ? lower_half (l, rsp_kernel_value (l, expr->args.items[0]), expr->span)
                      : rsp_kernel_dummy (l, expr->span, &kernel_uint);
}

/* `__add_noovfl_int (x, y)`, `__add_noovfl_unsigned_int (x, y)`, …: the sum. Executions in which it
 * overflows are left out. */
static KernelValue sum (KernelLowerer *l, const CExpr *expr) {
  g_autofree char *type
      = g_strdelimit (g_strdup (expr->a->name + strlen ("__add_noovfl_")), "_", ' ');
  static const char *const types[]
      = { "char",           "short",        "int",           "long", "unsigned char",
          "unsigned short", "unsigned int", "unsigned long", NULL };
  const Arguments arguments = held_arguments (l, expr);
  if (!g_strv_contains (types, type) || arguments.n != 2 || expr->args.n != 2) {
    rsp_kernel_refuse (l, expr->span, "write `__add_noovfl_int (x, y)`", "a call to `%s`",
                       expr->a->name);
    return rsp_kernel_dummy (l, expr->span, &kernel_int);
  }
  g_autofree char *text
      = g_strconcat ("typedef ", type,
                     " T; T f (T x, T y) { T r = (T) (x + y); __assume (add_sat (x, y) == r); "
                     "return r; }",
                     NULL);
  return rsp_kernel_inline (l, expr, rsp_kernel_parse_function (l, text, &expr->span),
                            arguments.values);
}

/* ---- Accesses so far ---- */
/* Annotations about them are checked for the last access to the array, which is one of those meant.
 */

static RspExpr *address_of (KernelLowerer *l, RspExpr *pointer, RspSpan span) {
  return rsp_kernel_node (l, span, RSP_EXPR_CAST, RSP_OP_NONE, &kernel_size, pointer, NULL);
}

/* Is the address in the array? The upper half of an address is that of its array. */
static KernelValue is_in (KernelLowerer *l, RspExpr *address, const KernelLog *log, RspSpan span) {
  RspExpr *from = rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_SUB, &kernel_size, address,
                                   address_of (l, log->array, span)),
          *size = rsp_kernel_constant (l, span, G_GINT64_CONSTANT (1) << 32, &kernel_size);
  return rsp_kernel_scalar (
      l, rsp_kernel_node (l, span, RSP_EXPR_BINARY, RSP_OP_LT, &kernel_int, from, size),
      &kernel_int);
}

static KernelPlace last_access (const KernelLog *log, gboolean writes) {
  return rsp_kernel_registers (&kernel_size, log->last[writes]);
}

static void forget (KernelLowerer *l, const KernelLog *log, RspSpan span) {
  for (guint writes = 0; writes < 2; writes++)
    rsp_kernel_store (l, last_access (log, writes), rsp_kernel_dummy (l, span, &kernel_size), span);
}

void kernel_log_begins (KernelLowerer *l, KernelPlace place, RspSpan span) {
  if (!l->logs)
    return;
  KernelLog log = { .array = place.address };
  log.fence = place.type->space == RSP_SPACE_LOCAL ? RSP_FENCE_LOCAL : RSP_FENCE_GLOBAL;
  for (guint writes = 0; writes < 2; writes++)
    log.last[writes] = rsp_kernel_add_registers (l, "", &kernel_size, FALSE, span);
  g_array_append_val (l->logs, log);
  forget (l, &log, span);
}

KernelPlace kernel_logged (KernelLowerer *l, KernelPlace place, gboolean writes, RspSpan span) {
  if (!l->logs || place.in_registers || l->in_annotation)
    return place;
  place = rsp_kernel_reuse (l, place);
  const KernelValue address
      = rsp_kernel_scalar (l, address_of (l, place.address, span), &kernel_size);
  for (guint i = 0; i < l->logs->len; i++) {
    const KernelLog *log = &g_array_index (l->logs, KernelLog, i);
    const KernelPlace last = last_access (log, writes);
    rsp_kernel_store (l, last,
                      rsp_kernel_choose (l, span, is_in (l, address.cells[0], log, span), address,
                                         rsp_kernel_load (l, last, span)),
                      span);
  }
  return place;
}

void kernel_log_ends (KernelLowerer *l, guint flags, RspSpan span) {
  for (guint i = 0; l->logs && i < l->logs->len; i++)
    if (g_array_index (l->logs, KernelLog, i).fence & flags)
      forget (l, &g_array_index (l->logs, KernelLog, i), span);
}

/* `__read (p)`, `__write_offset (p)`, …: was there an access to p's array, and where? If not,
 * anywhere. */
static KernelValue so_far (KernelLowerer *l, const CExpr *expr) {
  const gboolean writes = g_str_has_prefix (expr->a->name, "__write");
  if (!l->in_annotation || expr->args.n != 1)
    return of_proof (l, expr);
  const RspSpan span = expr->span;
  const KernelValue pointer = rsp_kernel_held (l, rsp_kernel_value (l, expr->args.items[0]), span);
  KernelValue last = rsp_kernel_dummy (l, span, &kernel_size);
  for (guint i = 0; i < l->logs->len && pointer.type->kind == C_POINTER; i++) {
    const KernelLog *log = &g_array_index (l->logs, KernelLog, i);
    const KernelValue own = is_in (l, address_of (l, pointer.cells[0], span), log, span);
    last = rsp_kernel_choose (l, span, own, rsp_kernel_load (l, last_access (log, writes), span),
                              last);
  }
  if (!strstr (expr->a->name, "_offset"))
    return rsp_kernel_to_type (l, last, &kernel_bool, span);
  static const CType function = { .kind = C_FUNCTION, .to = (CType *) &kernel_uint };
  const CVariable any = { .name = expr->a->name, .type = (CType *) &function };
  g_hash_table_insert (l->built_in, g_strdup (any.name), NULL);
  const KernelValue anywhere = kernel_unknown_call (l, expr, &any);
  const KernelValue at = rsp_kernel_scalar (l, last.cells[0], pointer.type);
  return rsp_kernel_choose (l, span, rsp_kernel_to_type (l, last, &kernel_bool, span),
                            lower_half (l, at, span), anywhere);
}

/* ---- All ---- */
/* The value of the kinds that depend on nothing but the call. */
static KernelValue (*const values_of[]) (KernelLowerer *, const CExpr *)
    = { [SAME] = same_function,   [LANE] = lane_function,
        [TRUTH] = truth_function, [STORES] = storing_function,
        [SIZES] = image_sizes,    [INTEGER] = integers,
        [SELECT] = selected,      [SHUFFLED] = shuffled,
        [ID] = kernel_identity,   [IGNORED] = ignored,
        [COPY] = kernel_copy,     [SO_FAR] = so_far,
        [ABOUT] = old_value,      [RESULT] = result,
        [OFFSET] = offset,        [SUM] = sum,
        [REFUSED] = NULL };

static KernelValue of_kind (KernelLowerer *l, const CExpr *expr, BuiltinKind kind,
                            const char *instead) {
  KernelValue value;
  if (kind <= SHUFFLED && !expr->args.n) {
    kernel_error (l, expr->span, NULL, "found no argument of `%s`", expr->a->name);
    return rsp_kernel_dummy (l, expr->span, &kernel_int);
  }
  if (values_of[kind])
    return values_of[kind](l, expr);
  switch (kind) {
  case WHOLE:
    return kernel_uninterpreted (l, expr, expr->a->name, NULL);
  case FIRST:
    return held_arguments (l, expr).values[0];
  case ANY:
    return kernel_any (l, expr, held_arguments (l, expr).values[0]);
  case SKIPPED:
  case ENSURES:
    note (l, expr, kind == ENSURES);
    break;
  case HOLDS:
    return rsp_kernel_number (l, expr->span, 1, &kernel_int);
  case LOOP:
  case ASSERT:
  case ASSUME:
  case REQUIRES:
  case STATIC:
    annotation (l, expr, kind);
    break;
  default:
    if (kind == GROUP && kernel_group_values (l, expr, &value))
      return value;
    rsp_kernel_refuse (l, expr->span, instead, "a call to `%s`", expr->a->name);
    return rsp_kernel_dummy (l, expr->span, &kernel_int);
  }
  return rsp_kernel_no_value ();
}

gboolean rsp_kernel_builtin (KernelLowerer *l, const CExpr *expr, KernelValue *value) {
  if (kernel_atomic (l, expr, value))
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (builtins); i++)
    if (has_name (i, expr->a->name)) {
      *value = of_kind (l, expr, builtins[i].kind, builtins[i].instead);
      return TRUE;
    }
  return vector_access (l, expr, value) || half_access (l, expr, value)
         || conversion (l, expr, value) || image_access (l, expr, value);
}

gboolean rsp_kernel_call (KernelLowerer *l, RspSpan span, const char *name,
                          const KernelValue *operands, guint n, KernelValue *value) {
  LitmusParser parser = { .arena = l->arena };
  CExpr *function = rsp_arena_new0 (l->arena, CExpr, 1),
        *call = rsp_arena_new0 (l->arena, CExpr, 1);
  const guint bindings = l->bindings->len;
  *function = (CExpr){ .kind = C_NAME, .span = span, .name = name };
  *call = (CExpr){ .kind = C_CALL, .span = span, .a = function };
  for (guint i = 0; i < n; i++) {
    CExpr *own = rsp_arena_new0 (l->arena, CExpr, 1);
    *own = (CExpr){ .kind = C_NAME,
                    .span = span,
                    .name = rsp_arena_printf (l->arena, "operand %u", i) };
    call->args = rsp_litmus_append (&parser, call->args, own);
    const CType *type = operands[i].type;
    KernelPlace place = { .type = type, .address = operands[i].n ? operands[i].cells[0] : NULL };
    const gboolean by_value
        = type->kind == C_POINTER
          || (operands[i].n == 1 && operands[i].cells[0]->kind == RSP_EXPR_CONSTANT);
    if (!by_value)
      place = rsp_kernel_stored (l, operands[i], span);
    rsp_kernel_bind (l, own->name, place, by_value);
  }
  const gboolean found = rsp_kernel_builtin (l, call, value);
  g_array_set_size (l->bindings, bindings);
  return found;
}
