/* Functions of a whole group of work-items: asynchronous copies, reductions, scans, broadcasts and
 * votes (OpenCL C 2.0, 6.13.10 and 6.13.15). */
#include "base/base.h"
#include "parser/kernel/internal.h"

#include <string.h>

/* Each is written in OpenCL C and inlined at its call. Work-items meet (`barrier (0)` orders no
 * access; that not all come is barrier divergence) and pass values through `memory`, which no text
 * can name, so that nothing else is ordered either. In the text, T is the type of the first
 * argument (of a copy: of what it points to), U the unsigned integer of its size; `me` is the
 * work-item's number in its group of n, and `k` how many such calls came before. */
#define COMMON ", atomic_ulong *memory, ulong k, uint me, uint n"

#define ANYHOW "memory_order_relaxed, memory_scope_work_group"

/* ---- Copies ---- */
/* A copy is made by one work-item, and two of the group may be the one: so it races with whatever
 * another one accesses before the event is waited for. The event is a number, which chooses the
 * two. Whoever copied says so when it waits, and the others acquire that. */
#define IS_COPIED_HERE                                                                             \
  "bool one = event % n == me, other = (event + 1) % n == me; "                                    \
  "if ((one || other) && (either ? one : other)) "

#define COPY                                                                                       \
  "ulong f (T *to, T *from, ulong count, ulong stride, ulong event" COMMON                         \
  ", bool either, bool scatters) { if (!event) event = k + 1; " IS_COPIED_HERE                     \
  "for (ulong i = 0; i < count; i++) "                                                             \
  "to[scatters ? i * stride : i] = from[scatters ? i : i * stride]; return event; }"

#define FENCE(order)                                                                               \
  "atomic_work_item_fence (CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, " order                     \
  ", memory_scope_work_group); "

#define WAIT                                                                                       \
  "void f (int count, event_t *events" COMMON ", bool either) { barrier (0); "                     \
  "for (int i = 0; i < count; i++) { ulong event = (ulong) events[i]; if (event) "                 \
  "{ " IS_COPIED_HERE                                                                              \
  "{ " FENCE ("memory_order_release") "atomic_store_explicit (memory + event, k + 1, " ANYHOW      \
                                      "); } else { "                                               \
                                      "__assume (atomic_load_explicit (memory + event, " ANYHOW    \
                                      ") == k + 1); " FENCE ("memory_order_acquire") "} } } }"

/* ---- Values ---- */
/* Each work-item writes its value in two halves, marked as written by an odd number, and then reads
 * those `i` that count, as v, into the result r. The words in capitals are filled in. */
static const char values_text[]
    = "RESULT f (T x, uint id" COMMON ") { ulong bits = as_U (x), at = 2 * k * n; "
      "atomic_store_explicit (memory + at + 2 * me, (bits & 0xffffffff) << 1 | 1, " ANYHOW "); "
      "if (sizeof (T) == 8) "
      "atomic_store_explicit (memory + at + 2 * me + 1, bits >> 32 << 1 | 1, " ANYHOW "); "
      "MEET (0); RESULT r = FIRST; for (uint i = 0; i < n; i++) if (COUNTS) { "
      "ulong low = atomic_load_explicit (memory + at + 2 * i, " ANYHOW "), high = 1; "
      "__assume (low & 1); "
      "if (sizeof (T) == 8) { high = atomic_load_explicit (memory + at + 2 * i + 1, " ANYHOW "); "
      "__assume (high & 1); } T v = as_T ((U) (low >> 1 | high >> 1 << 32)); "
      "r = NEXT; } return r; }";

/* next NULL: the operator that the name ends with. */
static const struct {
  const char *name, *counts, *result, *first, *next;
} values[]
    = { { "reduce_", "true", "T", "x", NULL },
        { "scan_inclusive_", "i <= me", "T", "x", NULL },
        { "scan_exclusive_", "i < me", "T", NULL, NULL },
        { "broadcast", "i == id", "T", "x", "v" },
        { "broadcast_first", "i == 0", "T", "x", "v" },
        { "shuffle", "i == id", "T", "x", "v" },
        { "shuffle_xor", "i == (me ^ id)", "T", "x", "v" },
        { "shuffle_up", "i + id == me", "T", "x", "v" },
        { "shuffle_down", "i == me + id", "T", "x", "v" },
        { "all", "true", "int", "1", "r && v" },
        { "any", "true", "int", "0", "r || v" },
        { "ballot", "i < 32", "uint4", "(uint4) 0", "r | (uint4) (v ? 1u << i : 0, 0, 0, 0)" } };

/* identity: of integers, and of floating-point numbers. */
static const struct {
  const char *name, *next, *identity, *real;
} operators[]
    = { { "add", "i ? r + v : v", "0", "0" },
        { "mul", "i ? r * v : v", "1", "1" },
        { "min", "i ? min (r, v) : v", "(T) -1 > 0 ? (T) -1 : (T) ((U) -1 >> 1)", "INFINITY" },
        { "max", "i ? max (r, v) : v", "(T) -1 > 0 ? 0 : ~(T) ((U) -1 >> 1)", "-INFINITY" },
        { "and", "i ? r & v : v", "-1", NULL },
        { "or", "i ? r | v : v", "0", NULL },
        { "xor", "i ? r ^ v : v", "0", NULL } };

/* ---- Calls ---- */
/* A group: the work-items that a call is for. */
typedef struct Group {
  const char *name; /* of its function, without what says whose it is */
  gboolean is_sub;
  guint me, n;
} Group;

/* FALSE: the function is not one of a group. */
static gboolean find_group (const KernelLowerer *l, const char *name, Group *group) {
  const RspGrid *grid = &l->options->grid;
  name += g_str_has_prefix (name, "intel_") ? 6 : 0;
  *group = (Group){ .name = name + strlen ("sub_group_"),
                    .is_sub = g_str_has_prefix (name, "sub_group_"),
                    .me = l->item,
                    .n = grid->sub_groups * grid->items };
  if (group->is_sub) {
    group->me %= grid->items;
    group->n = grid->items;
  } else
    group->name = name + strlen ("work_group_");
  return group->is_sub || g_str_has_prefix (name, "work_group_");
}

static KernelValue number (KernelLowerer *l, RspSpan span, gint64 value, const CType *type) {
  return rsp_kernel_scalar (l, rsp_kernel_constant (l, span, value, type), type);
}

/* Calls the function of the text with n arguments and those of COMMON, of which `rest` follow. */
static KernelValue call_text (KernelLowerer *l, const CExpr *expr, const Group *group,
                              const char *memory, const char *text, GArray *arguments,
                              const KernelValue *rest, guint n_rest) {
  static const CType cell = { .kind = C_INTEGER, .bits = 64, .is_atomic = TRUE };
  g_autoptr (GString) own = g_string_new (text);
  if (l->options->unmet)
    g_string_replace (own, "__assume", "(void)", 0);
  const CFunction *function = rsp_kernel_parse_function (l, own->str, &expr->span);
  guint *calls = &l->group_calls[group->is_sub];
  if (!*calls)
    *calls = 1 + rsp_kernel_add_registers (l, "", &kernel_size, FALSE, expr->span);
  g_string_append_printf (l->identity, "in group %u;", l->item);
  l->kernel->meets = TRUE;
  const KernelValue common[]
      = { kernel_group_memory (l, memory, &cell, group->is_sub, expr->span),
          rsp_kernel_scalar (l, rsp_kernel_register (l, expr->span, *calls - 1), &kernel_size),
          number (l, expr->span, group->me, &kernel_uint),
          number (l, expr->span, group->n, &kernel_uint) };
  g_array_append_vals (arguments, common, G_N_ELEMENTS (common));
  g_array_append_vals (arguments, rest, n_rest);
  KernelValue result = rsp_kernel_inline (l, expr, function, (const KernelValue *) arguments->data);
  rsp_kernel_emit_expr (l, rsp_kernel_node (l, expr->span, RSP_EXPR_STEP, RSP_OP_ADD, &kernel_size,
                                            rsp_kernel_register (l, expr->span, *calls - 1), NULL));
  return result;
}

/* The values of the call's arguments, in registers. */
static GArray *read_values (KernelLowerer *l, const CExpr *expr) {
  GArray *all = g_array_new (FALSE, FALSE, sizeof (KernelValue));
  for (guint i = 0; i < expr->args.n; i++) {
    KernelValue value = rsp_kernel_held (l, rsp_kernel_value (l, expr->args.items[i]), expr->span);
    g_array_append_val (all, value);
  }
  return all;
}

static KernelValue *argument (const GArray *all, guint i) {
  return &g_array_index (all, KernelValue, i);
}

static KernelValue wrong_arguments (KernelLowerer *l, const CExpr *expr, const char *expected) {
  if (!l->gave_up)
    kernel_error (l, expr->span, NULL, "expected `%s (%s)`", expr->a->name, expected);
  return rsp_kernel_dummy (l, expr->span, &kernel_int);
}

/* Work-items whose arguments differ do not meet: the arguments as one number. */
static void meet_alike (KernelLowerer *l, const CExpr *expr, const GArray *all) {
  KernelValue key = number (l, expr->span, 0, &kernel_size);
  for (guint i = 0; i < all->len; i++) {
    KernelValue own = rsp_kernel_to_type (l, *argument (all, i), &kernel_size, expr->span);
    key = rsp_kernel_binary (l, expr->span, RSP_OP_MUL, key,
                             number (l, expr->span, 1000003, &kernel_size));
    key = rsp_kernel_binary (l, expr->span, RSP_OP_ADD, key, own);
  }
  kernel_emit_barrier (l, expr->span, 0, RSP_SCOPE_WORK_GROUP, FALSE)->expr = key.cells[0];
}

KernelValue kernel_copy (KernelLowerer *l, const CExpr *expr) {
  const gboolean strided = strstr (expr->a->name, "strided") != NULL,
                 waits = strcmp (expr->a->name, "wait_group_events") == 0;
  static const CType event = { .kind = C_OPAQUE, .name = "event_t" };
  Group group;
  find_group (l, "work_group_", &group);
  g_autoptr (GArray) all = read_values (l, expr);
  RspExpr *either = rsp_kernel_unknown (l, expr->span, RSP_FUNCTION_CHOICE, l->group, &kernel_bool);
  KernelValue rest[]
      = { rsp_kernel_scalar (l, either, &kernel_bool), number (l, expr->span, 0, &kernel_bool) };
  if (waits)
    return all->len == 2 && argument (all, 1)->type->kind == C_POINTER
               ? call_text (l, expr, &group, "copies", WAIT, all, rest, 1)
               : wrong_arguments (l, expr, "number, events");
  if (all->len != 4u + strided || argument (all, 0)->type->kind != C_POINTER
      || argument (all, 1)->type->kind != C_POINTER)
    return wrong_arguments (
        l, expr, strided ? "to, from, number, stride, event" : "to, from, number, event");
  if (!strided) {
    const KernelValue one = number (l, expr->span, 1, &kernel_size);
    g_array_insert_val (all, 3, one);
  }
  const CType *type = argument (all, 0)->type->to;
  rest[1] = number (l, expr->span, type->space != RSP_SPACE_LOCAL, &kernel_bool);
  *argument (all, 4) = rsp_kernel_to_type (l, *argument (all, 4), &kernel_size, expr->span);
  meet_alike (l, expr, all);
  g_autofree char *name = rsp_kernel_type_name (type);
  g_autofree char *text = g_strconcat ("typedef ", name, " T; " COPY, NULL);
  return rsp_kernel_to_type (l, call_text (l, expr, &group, "copies", text, all, rest, 2), &event,
                             expr->span);
}

/* The text of a function of values; NULL: there is none of the name. */
static char *text_of (const Group *group, const CType *type) {
  const CType bits = { .kind = C_INTEGER, .bits = type->bits };
  g_autofree char *t = rsp_kernel_type_name (type), *u = rsp_kernel_type_name (&bits),
                  *as_t = g_strconcat ("as_", t, NULL), *as_u = g_strconcat ("as_", u, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    for (gsize k = 0; k < (values[i].next ? 1 : G_N_ELEMENTS (operators)); k++) {
      g_autofree char *name
          = g_strconcat (values[i].name, values[i].next ? "" : operators[k].name, NULL);
      if (strcmp (name, group->name) != 0)
        continue;
      const char *identity = type->kind == C_FLOAT ? operators[k].real : operators[k].identity;
      const char *const words[][2]
          = { { "RESULT", values[i].result },
              { "FIRST", values[i].first ? values[i].first
                         : identity      ? identity
                                         : "0" },
              { "COUNTS", values[i].counts },
              { "NEXT", values[i].next ? values[i].next : operators[k].next },
              { "MEET", group->is_sub ? "sub_group_barrier" : "barrier" },
              { "as_T", as_t },
              { "as_U", as_u } };
      GString *text = g_string_new (NULL);
      g_string_printf (text, "typedef %s T; typedef %s U; %s", t, u, values_text);
      for (gsize w = 0; w < G_N_ELEMENTS (words); w++)
        g_string_replace (text, words[w][0], words[w][1], 0);
      return g_string_free (text, FALSE);
    }
  return NULL;
}

/* The number of a work-item by its position, of as many dimensions as are given. */
static KernelValue linear_id (KernelLowerer *l, const CExpr *expr, const GArray *all) {
  KernelValue id = number (l, expr->span, 0, &kernel_uint);
  for (guint d = MIN (all->len - 1, RSP_GRID_DIMENSIONS); d > 0; d--) {
    const guint size = all->len > 2 ? l->options->grid.item_sizes[d - 1] : 1;
    id = rsp_kernel_binary (l, expr->span, RSP_OP_MUL, id,
                            number (l, expr->span, size, &kernel_uint));
    id = rsp_kernel_binary (l, expr->span, RSP_OP_ADD, id, *argument (all, d));
  }
  return id;
}

gboolean kernel_group_values (KernelLowerer *l, const CExpr *expr, KernelValue *value) {
  Group group;
  if (!find_group (l, expr->a->name, &group) || !expr->args.n)
    return FALSE;
  g_autoptr (GArray) all = read_values (l, expr);
  KernelValue x = *argument (all, 0), id = linear_id (l, expr, all);
  const CType *type = rsp_kernel_promoted (x.type);
  g_autofree char *text = rsp_kernel_is_scalar (type) ? text_of (&group, type) : NULL;
  if (!text)
    return FALSE;
  g_array_set_size (all, 0);
  x = rsp_kernel_to_type (l, x, type, expr->span);
  g_array_append_val (all, x);
  g_array_append_val (all, id);
  *value = call_text (l, expr, &group, "values", text, all, NULL, 0);
  return TRUE;
}
