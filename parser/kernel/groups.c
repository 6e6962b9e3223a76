/* Functions of a whole group of work-items: asynchronous copies, reductions, scans, broadcasts and
 * votes (OpenCL C 2.0, 6.13.10 and 6.13.15). */
#include "base/base.h"
#include "parser/kernel/internal.h"

#include <string.h>

/* Each is written in OpenCL C and inlined at its call. Work-items meet (`barrier (0)` orders no
 * access; if not all come, that is barrier divergence) and pass values through `memory`, which no
 * text can name, so that nothing else is ordered either. In the text, T is the type of the first
 * argument (of a copy: of what it points to), U the unsigned integer of its size; `me` is the
 * work-item's number in its group of n, and `k` how many such calls came before. */
#define COMMON ", atomic_ulong *memory, ulong k, uint me, uint n"

#define ANYHOW "memory_order_relaxed, memory_scope_work_group"

/* ---- Copies ---- */
/* One work-item makes a copy, and either of two may be the one, so that it races with what any
 * other accesses before the wait for the event. The event is a number, which chooses the two. The
 * copy is made at some stop (`KernelStop`) between its call and the wait, or at the end of the
 * kernel. Whoever made it releases when it waits, and the others acquire. */
#define IS_COPIED_HERE                                                                             \
  "bool one = event % n == me, other = (event + 1) % n == me; "                                    \
  "if ((one || other) && (either ? one : other)) "

#define COPY "ulong f (ulong event" COMMON ") { return event ? event : k + 1; }"

/* At a stop: the event of a copy that is still under way. n events are waited for. */
#define GO                                                                                         \
  "ulong f (T *to, T *from, ulong count, ulong stride, ulong event, uint me, uint n, bool either"  \
  ", bool scatters, bool goes, int waits, event_t *events) { bool waited = false; "                \
  "for (int i = 0; event && i < waits; i++) waited |= (ulong) events[i] == event; "                \
  "if (!event || (!waited && !goes)) return event; " IS_COPIED_HERE                                \
  "for (ulong i = 0; i < count; i++) "                                                             \
  "to[scatters ? i * stride : i] = from[scatters ? i : i * stride]; return 0; }"

#define FENCE(order)                                                                               \
  "atomic_work_item_fence (CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, " order                     \
  ", memory_scope_work_group); "

/* One number for all that wait for the same events, in any order; reading an event without a value
 * is a finding. */
#define HAVE_VALUES                                                                                \
  "ulong f (int count, event_t *events) { ulong all = 0; for (int i = 0; i < count; i++) "         \
  "{ ulong event = (ulong) events[i]; all += event * event * event; } return all; }"

#define WAIT                                                                                       \
  "void f (int count, event_t *events" COMMON ", bool either) { "                                  \
  "for (int i = 0; i < count; i++) { ulong event = (ulong) events[i]; if (event) "                 \
  "{ " IS_COPIED_HERE                                                                              \
  "{ " FENCE ("memory_order_release") "atomic_store_explicit (memory + event, k + 1, " ANYHOW      \
                                      "); } else { "                                               \
                                      "__assume (atomic_load_explicit (memory + event, " ANYHOW    \
                                      ") == k + 1); " FENCE ("memory_order_acquire") "} } } }"

/* ---- Values ---- */
/* Each work-item writes its value in two halves, each as an odd number, which marks it as written,
 * and then reads the values v of those `i` that count into the result r. Either all come, or the
 * values of those that do not are 0 or ABSENT, without a branch. Words in capitals are filled in;
 * `none` is any value. */
static const char values_text[]
    = "RESULT f (T x, uint id" COMMON ", T none) { ulong bits = as_U (x), at = 2 * k * n; "
      "atomic_store_explicit (memory + at + 2 * me, (bits & 0xffffffff) << 1 | 1, " ANYHOW "); "
      "if (sizeof (T) == 8) "
      "atomic_store_explicit (memory + at + 2 * me + 1, bits >> 32 << 1 | 1, " ANYHOW "); "
      "MEET (0); RESULT r = FIRST; uint some = 0; for (uint i = 0; i < n; i++) if (COUNTS) { "
      "ulong low = atomic_load_explicit (memory + at + 2 * i, " ANYHOW "), high = 1; "
      "if (sizeof (T) == 8) high = atomic_load_explicit (memory + at + 2 * i + 1, " ANYHOW "); "
      "U own = (U) (low >> 1 | high >> 1 << 32); CHECK "
      "T v = as_T (own); r = NEXT; some |= low & 1; } return r; }";

#define ALL_COME "__assume (low & 1); __assume (high & 1);"

#define OR_ABSENT "{ U mask = -(U) (low & 1); own = (own & mask) | (as_U ((T) (ABSENT)) & ~mask); }"

/* next NULL: the operator that the name ends with. absent NULL: 0. partly: in place of next where
 * not all come; NULL: the same. */
static const struct {
  const char *name, *counts, *result, *first, *next, *absent, *partly;
} values[]
    = { { "reduce_", "true", "T", "x", NULL, NULL, NULL },
        { "scan_inclusive_", "i <= me", "T", "x", NULL, NULL, NULL },
        { "scan_exclusive_", "i < me", "T", NULL, NULL, NULL, NULL },
        { "clustered_reduce_", "(i ^ me) < id" /* a power of two */, "T", NULL, NULL, NULL, NULL },
        { "broadcast", "i == id", "T", "none", "v", NULL, "low & 1 ? v : none" },
        { "broadcast_first", "true", "T", "(T) 0", "i ? r : v", NULL,
          "as_T (as_U (r) | (as_U (v) & ((U) some - 1)))" },
        { "elect", "true", "int", "0", "r | (i == 0 && me == 0)", NULL,
          "r | (int) (low & (1 - some) & (i == me))" },
        { "quad_broadcast", "i == (me & ~3u) + id", "T", "none", "v", NULL, "low & 1 ? v : none" },
        { "quad_swap", "i == (me ^ (id + 1))", "T", "none", "v", NULL, "low & 1 ? v : none" },
        { "shuffle", "i == id", "T", "none", "v", NULL, "low & 1 ? v : none" },
        { "shuffle_xor", "i == (me ^ id)", "T", "none", "v", NULL, "low & 1 ? v : none" },
        { "shuffle_up", "i + id == me", "T", "none", "v", NULL, "low & 1 ? v : none" },
        { "shuffle_down", "i == me + id", "T", "none", "v", NULL, "low & 1 ? v : none" },
        { "rotate", "i == (me + id) % n", "T", "none", "v", NULL, "low & 1 ? v : none" },
        { "all", "true", "int", "1", "r & (v != 0)", "1", NULL },
        { "any", "true", "int", "0", "r | (v != 0)", NULL, NULL },
        { "all_equal", "true", "int", "1", "r & (v == x)", "x", NULL },
        { "ballot", "i < 32", "uint4", "(uint4) 0", "r | (uint4) ((uint) (v != 0) << i, 0, 0, 0)",
          NULL, NULL } };

/* identity: of integers, and of floating-point numbers. */
static const struct {
  const char *name, *next, *identity, *real;
} operators[] = { { "add", "r + v", "0", "0" },
                  { "mul", "r * v", "1", "1" },
                  { "min", "min (r, v)", "(T) -1 > 0 ? (T) -1 : (T) ((U) -1 >> 1)", "INFINITY" },
                  { "max", "max (r, v)", "(T) -1 > 0 ? 0 : ~(T) ((U) -1 >> 1)", "-INFINITY" },
                  { "and", "r & v", "-1", NULL },
                  { "or", "r | v", "0", NULL },
                  { "xor", "r ^ v", "0", NULL } };

/* ---- Calls ---- */
/* The group of work-items that a call is for. */
typedef struct Group {
  const char *name; /* of its function, without `work_group_` or `sub_group_` */
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

/* Calls the function of the text with the arguments, those of COMMON, and `rest`. */
static KernelValue call_text (KernelLowerer *l, const CExpr *expr, const Group *group,
                              const char *memory, const char *text, GArray *arguments,
                              const KernelValue *rest, guint n_rest) {
  static const CType cell = { .kind = C_INTEGER, .bits = 64, .is_atomic = TRUE };
  g_autoptr (GString) own = g_string_new (text);
  if (l->options->unmet)
    g_string_replace (own, "__assume", "(void)", 0);
  const CFunction *function = rsp_kernel_parse_function (l, own->str, &expr->span);
  guint *calls = &l->group_calls[group->is_sub];
  g_autofree char *own_memory = l->site ? g_strdup_printf ("%s at %s", memory, l->site) : NULL;
  if (!*calls && !l->site)
    *calls = 1 + rsp_kernel_add_registers (l, "", &kernel_size, FALSE, expr->span);
  g_string_append_printf (l->identity, "in group %u;", l->item);
  l->kernel->meets = TRUE;
  const KernelValue common[] = {
    kernel_group_memory (l, own_memory ? own_memory : memory, &cell, group->is_sub, expr->span),
    rsp_kernel_scalar (l, l->site ? l->round : rsp_kernel_register (l, expr->span, *calls - 1),
                       &kernel_size),
    rsp_kernel_number (l, expr->span, group->me, &kernel_uint),
    rsp_kernel_number (l, expr->span, group->n, &kernel_uint)
  };
  g_array_append_vals (arguments, common, G_N_ELEMENTS (common));
  g_array_append_vals (arguments, rest, n_rest);
  KernelValue result = rsp_kernel_inline (l, expr, function, (const KernelValue *) arguments->data);
  if (!l->site)
    rsp_kernel_emit_expr (l,
                          rsp_kernel_node (l, expr->span, RSP_EXPR_STEP, RSP_OP_ADD, &kernel_size,
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

/* A barrier at which only work-items with the same arguments meet: as one number, they are its
 * name. */
static void meet_alike (KernelLowerer *l, const CExpr *expr, const GArray *all) {
  KernelValue key = rsp_kernel_number (l, expr->span, 0, &kernel_size);
  for (guint i = 0; i < all->len; i++) {
    KernelValue own = rsp_kernel_to_type (l, *argument (all, i), &kernel_size, expr->span);
    key = rsp_kernel_binary (l, expr->span, RSP_OP_MUL, key,
                             rsp_kernel_number (l, expr->span, 1000003, &kernel_size));
    key = rsp_kernel_binary (l, expr->span, RSP_OP_ADD, key, own);
  }
  kernel_emit_barrier (l, expr->span, 0, RSP_SCOPE_WORK_GROUP, FALSE)->expr = key.cells[0];
}

/* ---- Copies under way ---- */
enum { EVENT = 4, MAX_UNDER_WAY = 4 /* of the copies that one call in the text begins */ };

/* A copy that a call in the text began last, or in an earlier round. */
typedef struct KernelCopy {
  const CExpr *call;
  const CFunction *go;
  KernelValue arguments[EVENT + 1]; /* to, from, count, stride; event: 0 if none is under way */
  gboolean scatters;
} KernelCopy;

/* Where copies may be made: at a barrier any, at a wait any and always those that it is for, and
 * where one is begun again the oldest of its call. The code is added when all copies of the text
 * are known. */
typedef struct KernelStop {
  RspStatement *code;
  KernelValue n, events; /* that are waited for */
  guint only;            /* number of a copy, + 1; 0: all */
} KernelStop;

static void stop_at (KernelLowerer *l, RspSpan span, const KernelValue *waited, guint only) {
  KernelStop *stop = rsp_arena_new0 (l->arena, KernelStop, 1);
  const CType *events = rsp_kernel_pointer_to (l, &kernel_size);
  *stop = (KernelStop){ .code = rsp_kernel_emit (l, RSP_STATEMENT_BLOCK, span),
                        .n = waited ? waited[0] : rsp_kernel_number (l, span, 0, &kernel_int),
                        .events = waited ? waited[1] : rsp_kernel_number (l, span, 0, events),
                        .only = only };
  g_ptr_array_add (l->stops, stop);
}

void rsp_kernel_stop (KernelLowerer *l, RspSpan span) { stop_at (l, span, NULL, 0); }

/* A register, which is 0 at the beginning. */
static KernelValue own_register (KernelLowerer *l, const CType *type, RspSpan span) {
  const guint reg = rsp_kernel_add_registers (l, "", type, FALSE, span);
  return rsp_kernel_scalar (l, rsp_kernel_register (l, span, reg), type);
}

static void assign (KernelLowerer *l, RspSpan span, KernelValue to, KernelValue value) {
  rsp_kernel_emit_expr (l, rsp_kernel_node (l, span, RSP_EXPR_ASSIGN, RSP_OP_NONE, to.type,
                                            to.cells[0], value.cells[0]));
}

static KernelValue either (KernelLowerer *l, RspSpan span) {
  RspExpr *group = rsp_kernel_constant (l, span, l->group, &kernel_size);
  return rsp_kernel_scalar (
      l, rsp_kernel_unknown (l, span, RSP_FUNCTION_CHOICE, group, &kernel_bool), &kernel_bool);
}

/* Makes the copy if it is under way and waited for, or goes. */
static void go (KernelLowerer *l, const KernelCopy *copy, KernelValue goes,
                const KernelStop *stop) {
  const RspSpan span = copy->call->span;
  KernelValue all[12];
  Group group;
  find_group (l, "work_group_", &group);
  const KernelValue rest[] = { rsp_kernel_number (l, span, group.me, &kernel_uint),
                               rsp_kernel_number (l, span, group.n, &kernel_uint),
                               either (l, span),
                               rsp_kernel_number (l, span, copy->scatters, &kernel_bool),
                               goes,
                               stop->n,
                               stop->events };
  memcpy (all, copy->arguments, sizeof copy->arguments);
  memcpy (all + G_N_ELEMENTS (copy->arguments), rest, sizeof rest);
  const KernelValue event = rsp_kernel_inline (l, copy->call, copy->go, all);
  assign (l, span, copy->arguments[EVENT], event);
}

/* The group chooses anew at each stop whether all copies are made. The numbers of the choices
 * follow those of `either`. */
static KernelValue choose (KernelLowerer *l, RspSpan span, KernelValue last) {
  const KernelValue n = rsp_kernel_number (l, span, l->options->grid.groups, &kernel_size);
  assign (l, span, last, rsp_kernel_binary (l, span, RSP_OP_ADD, last, n));
  const KernelValue own = rsp_kernel_binary (l, span, RSP_OP_ADD, last,
                                             rsp_kernel_number (l, span, l->group, &kernel_size));
  return rsp_kernel_scalar (
      l, rsp_kernel_unknown (l, span, RSP_FUNCTION_CHOICE, own.cells[0], &kernel_bool),
      &kernel_bool);
}

RspStatement *kernel_make_copies (KernelLowerer *l, RspStatement *body) {
  const KernelFrame frame = { .function = l->entry, .place = "" };
  const RspSpan span = l->entry->span;
  KernelCode code, *outer;
  if (!l->copies->len || l->gave_up)
    return body;
  l->frame = &frame;
  KernelCode end;
  KernelCode *outermost = rsp_kernel_begin (l, &end);
  if (body->kind != RSP_STATEMENT_CODE)
    rsp_kernel_emit (l, RSP_STATEMENT_FRAME, span)->body = body;
  stop_at (l, span, NULL, 0);
  const KernelValue last = own_register (l, &kernel_size, span);
  for (guint i = 0; i < l->stops->len; i++) {
    const KernelStop *stop = l->stops->pdata[i];
    const gboolean must = stop->only || i + 1 == l->stops->len;
    outer = rsp_kernel_begin (l, &code);
    const KernelValue goes
        = must ? rsp_kernel_number (l, span, 1, &kernel_bool) : choose (l, span, last);
    for (guint c = 0; c < l->copies->len; c++)
      if (!stop->only || stop->only == c + 1)
        go (l, l->copies->pdata[c], goes, stop);
    stop->code->first = rsp_kernel_end (l, &code, outer, span)->first;
  }
  l->frame = NULL;
  RspStatement *whole = rsp_kernel_end (l, &end, outermost, span), *last_own = body->first;
  if (body->kind != RSP_STATEMENT_CODE)
    return whole;
  while (last_own->next) /* code is left at its end */
    last_own = last_own->next;
  last_own->next = whole;
  whole->index = last_own->index + 1;
  return body;
}

/* ---- Calls of copies ---- */
static KernelValue wait (KernelLowerer *l, const CExpr *expr, const Group *group) {
  g_autoptr (GArray) all = read_values (l, expr);
  const KernelValue rest[] = { either (l, expr->span) };
  if (all->len != 2 || argument (all, 1)->type->kind != C_POINTER)
    return wrong_arguments (l, expr, "number, events");
  g_autoptr (GArray) key = g_array_new (FALSE, TRUE, sizeof (KernelValue));
  const KernelValue events = rsp_kernel_inline (
      l, expr, rsp_kernel_parse_function (l, HAVE_VALUES, &expr->span), argument (all, 0));
  g_array_append_val (key, events);
  stop_at (l, expr->span, argument (all, 0), 0);
  meet_alike (l, expr, key);
  return call_text (l, expr, group, "copies", WAIT, all, rest, 1);
}

/* If a call is executed again, its copies move on by one; the oldest is made then at the latest. */
static void shift (KernelLowerer *l, KernelCopy *const *copies) {
  const RspSpan span = copies[0]->call->span;
  for (guint c = MAX_UNDER_WAY - 1; c > 0; c--)
    for (guint i = 0; i < G_N_ELEMENTS (copies[c]->arguments); i++) {
      const KernelValue last = copies[c - 1]->arguments[i], own = copies[c]->arguments[i];
      if (own.cells[0]->kind == RSP_EXPR_REGISTER)
        assign (l, span, own, last);
    }
}

/* The copies that a call may have under way; arguments as read_values returns them. */
static KernelCopy **add_copies (KernelLowerer *l, const CExpr *expr, const GArray *arguments) {
  const CType *type = argument (arguments, 0)->type->to;
  g_autofree char *name = rsp_kernel_type_name (type);
  g_autofree char *text = g_strconcat ("typedef ", name, " T; " GO, NULL);
  KernelCopy **copies = rsp_arena_new0 (l->arena, KernelCopy *, MAX_UNDER_WAY);
  for (guint c = 0; c < MAX_UNDER_WAY; c++) {
    KernelCopy *copy = copies[c] = rsp_arena_new0 (l->arena, KernelCopy, 1);
    copy->call = expr;
    copy->go = rsp_kernel_parse_function (l, text, &expr->span);
    copy->scatters = type->space != RSP_SPACE_LOCAL;
    for (guint i = 0; i < G_N_ELEMENTS (copy->arguments); i++) {
      KernelValue own = *argument (arguments, i);
      if (i == EVENT || (c && own.cells[0]->kind != RSP_EXPR_CONSTANT))
        own = own_register (l, i == EVENT ? &kernel_size : own.type, expr->span);
      copy->arguments[i] = own;
    }
    g_ptr_array_add (l->copies, copy);
  }
  return copies;
}

KernelValue kernel_copy (KernelLowerer *l, const CExpr *expr) {
  static const CType event = { .kind = C_OPAQUE, .name = "event_t" };
  const gboolean strided = strstr (expr->a->name, "strided") != NULL;
  const RspSpan span = expr->span;
  Group group;
  KernelCode code;
  find_group (l, "work_group_", &group);
  if (strcmp (expr->a->name, "wait_group_events") == 0)
    return wait (l, expr, &group);
  stop_at (l, span, NULL, l->copies->len + MAX_UNDER_WAY);
  RspStatement *before = rsp_kernel_emit (l, RSP_STATEMENT_BLOCK, span);
  g_autoptr (GArray) all = read_values (l, expr);
  if (all->len != 4u + strided || argument (all, 0)->type->kind != C_POINTER
      || argument (all, 1)->type->kind != C_POINTER)
    return wrong_arguments (
        l, expr, strided ? "to, from, number, stride, event" : "to, from, number, event");
  if (!strided) {
    const KernelValue one = rsp_kernel_number (l, span, 1, &kernel_size);
    g_array_insert_val (all, EVENT - 1, one);
  }
  *argument (all, EVENT) = rsp_kernel_to_type (l, *argument (all, EVENT), &kernel_size, span);
  meet_alike (l, expr, all);
  KernelCopy **copies = add_copies (l, expr, all);
  KernelCode *outer = rsp_kernel_begin (l, &code);
  shift (l, copies);
  before->first = rsp_kernel_end (l, &code, outer, span)->first;
  g_array_remove_range (all, 0, EVENT);
  const KernelValue begun = call_text (l, expr, &group, "copies", COPY, all, NULL, 0);
  assign (l, span, copies[0]->arguments[EVENT], begun);
  return rsp_kernel_to_type (l, begun, &event, span);
}

/* The text of a function of values; NULL: there is none of that name. */
static char *text_of (const KernelLowerer *l, const Group *group, const CType *type) {
  const CType bits = { .kind = C_INTEGER, .bits = type->bits };
  g_autofree char *t = rsp_kernel_type_name (type), *u = rsp_kernel_type_name (&bits),
                  *as_t = g_strconcat ("as_", t, NULL), *as_u = g_strconcat ("as_", u, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    for (gsize k = 0; k < (values[i].next ? 1 : G_N_ELEMENTS (operators)); k++) {
      g_autofree char *name
          = g_strconcat (values[i].name, values[i].next ? "" : operators[k].name, NULL);
      if (strcmp (name, group->name) != 0)
        continue;
      const char *identity = type->kind == C_FLOAT ? operators[k].real : operators[k].identity,
                 *zero = identity ? identity : "0",
                 *absent = values[i].next ? values[i].absent : zero;
      g_autofree char *of_all = g_strconcat ("i ? ", operators[k].next, " : v", NULL);
      const gboolean masks = absent && strcmp (absent, "0") != 0;
      const char *const words[][2]
          = { { "CHECK", !l->site ? ALL_COME
                         : masks  ? OR_ABSENT
                                  : "" },
              { "ABSENT", absent ? absent : "" },
              { "RESULT", values[i].result },
              { "FIRST", values[i].first && (values[i].next || !l->site) ? values[i].first : zero },
              { "COUNTS", values[i].counts },
              { "NEXT", l->site && values[i].partly ? values[i].partly
                        : values[i].next            ? values[i].next
                        : l->site                   ? operators[k].next
                                                    : of_all },
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

/* The number of a work-item by its position, of as many dimensions as are given: as arguments from
 * the second one on, or as a vector. */
static KernelValue linear_id (KernelLowerer *l, const CExpr *expr, const GArray *all) {
  KernelValue id = rsp_kernel_number (l, expr->span, 0, &kernel_uint);
  const KernelValue *first = all->len > 1 ? argument (all, 1) : &id;
  const guint lanes = first->type->kind == C_VECTOR ? first->type->lanes : 0,
              n = lanes ? lanes : all->len - 1;
  for (guint d = MIN (n, RSP_GRID_DIMENSIONS); d > 0; d--) {
    const guint size = n > 1 ? l->options->grid.item_sizes[d - 1] : 1;
    const KernelValue own
        = lanes ? rsp_kernel_scalar (l, first->cells[d - 1], first->type->to) : *argument (all, d);
    id = rsp_kernel_binary (l, expr->span, RSP_OP_MUL, id,
                            rsp_kernel_number (l, expr->span, size, &kernel_uint));
    id = rsp_kernel_binary (l, expr->span, RSP_OP_ADD, id, own);
  }
  return id;
}

/* An unknown value of the type. */
static KernelValue no_value (KernelLowerer *l, const CExpr *expr, const CType *type) {
  RspExpr *own[] = { rsp_kernel_constant (l, expr->span, expr->span.begin, &kernel_uint),
                     rsp_kernel_constant (l, expr->span, l->thread, &kernel_uint) };
  RspExpr *none = rsp_kernel_apply (l, expr->span, "no work-item", type, own, 2);
  return rsp_kernel_held (l, rsp_kernel_scalar (l, none, type), expr->span);
}

/* ---- Ballots ---- */
/* Functions of the bits of a ballot, which need no other work-item: of those `i` that count into
 * the result r, which is `none` at first if there may be no such bit; `some`: was there one? */
static const struct {
  const char *name, *first, *counts, *next;
} ballots[] = { { "inverse_ballot", "0", "i == me", "bit" },
                { "ballot_bit_extract", "0", "i == index", "bit" },
                { "ballot_bit_count", "0", "true", "r + bit" },
                { "ballot_inclusive_scan", "0", "i <= me", "r + bit" },
                { "ballot_exclusive_scan", "0", "i < me", "r + bit" },
                { "ballot_find_lsb", "none", "true", "bit && !some ? i : r" },
                { "ballot_find_msb", "none", "true", "bit ? i : r" } };

static gboolean ask_ballot (KernelLowerer *l, const CExpr *expr, const Group *group,
                            const GArray *all, KernelValue *value) {
  gsize i = 0;
  while (i < G_N_ELEMENTS (ballots) && strcmp (ballots[i].name, group->name) != 0)
    i++;
  if (i == G_N_ELEMENTS (ballots) || argument (all, 0)->type->kind != C_VECTOR
      || argument (all, 0)->type->lanes != 4)
    return FALSE;
  g_autofree char *text = g_strdup_printf (
      "uint f (uint4 v, uint index, uint me, uint n, uint none) { uint r = %s, some = 0; "
      "for (uint i = 0; i < n; i++) { "
      "uint bit = ((i < 32 ? v.x : i < 64 ? v.y : i < 96 ? v.z : v.w) >> (i & 31)) & 1; "
      "if (%s) r = %s; some |= bit; } return r; }",
      ballots[i].first, ballots[i].counts, ballots[i].next);
  const KernelValue none = no_value (l, expr, &kernel_uint),
                    operands[]
                    = { *argument (all, 0), all->len > 1 ? *argument (all, 1) : none,
                        rsp_kernel_number (l, expr->span, group->me, &kernel_uint),
                        rsp_kernel_number (l, expr->span, group->n, &kernel_uint), none };
  g_string_append_printf (l->identity, "in group %u;", l->item);
  *value = rsp_kernel_inline (l, expr, rsp_kernel_parse_function (l, text, &expr->span), operands);
  return TRUE;
}

/* A function of one value x, which may be a lane. FALSE: there is none for it. */
static gboolean group_value (KernelLowerer *l, const CExpr *expr, const Group *group, KernelValue x,
                             guint lane, KernelValue id, KernelValue *value) {
  const CType *type = rsp_kernel_promoted (x.type);
  g_autofree char *text = rsp_kernel_is_scalar (type) ? text_of (l, group, type) : NULL,
                  *memory = g_strdup_printf (lane && l->site ? "values %u" : "values", lane);
  if (!text)
    return FALSE;
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (KernelValue));
  x = rsp_kernel_to_type (l, x, type, expr->span);
  g_array_append_val (all, x);
  g_array_append_val (all, id);
  const KernelValue none = no_value (l, expr, type);
  *value = call_text (l, expr, group, memory, text, all, &none, 1);
  return TRUE;
}

gboolean kernel_group_values (KernelLowerer *l, const CExpr *expr, KernelValue *value) {
  Group group;
  if (!find_group (l, expr->a->name, &group) || !expr->args.n)
    return FALSE;
  g_autoptr (GArray) all = read_values (l, expr);
  if (ask_ballot (l, expr, &group, all, value))
    return TRUE;
  const KernelValue x = *argument (all, 0), id = linear_id (l, expr, all);
  const gboolean is_vector = x.type->kind == C_VECTOR,
                 is_one = strcmp (group.name, "all_equal") == 0;
  KernelValue lanes = rsp_kernel_dummy (l, expr->span, is_vector ? x.type : &kernel_int), own;
  for (guint i = 0; i < (is_vector ? x.type->lanes : 1); i++) {
    const KernelValue lane = is_vector ? rsp_kernel_scalar (l, x.cells[i], x.type->to) : x;
    if (!group_value (l, expr, &group, lane, i, id, &own) || (is_vector && !is_one && own.n != 1))
      return FALSE;
    *value = is_one && i ? rsp_kernel_binary (l, expr->span, RSP_OP_AND, *value, own) : own;
    if (is_vector && !is_one)
      lanes.cells[i] = rsp_kernel_to_type (l, own, x.type->to, expr->span).cells[0];
  }
  if (is_vector && !is_one)
    *value = lanes;
  return TRUE;
}
