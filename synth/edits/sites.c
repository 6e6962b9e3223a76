/* Sites: the places of a test where something can be strengthened or weakened. */
#include "synth/edits/sites.h"
#include "synth/edits/columns.h"
#include "synth/edits/finding.h"

#include "parser/litmus/words.h"

#include <string.h>

/* ---- Calls ---- */

/* Which argument has the order; the scope follows (for a CAS after the failure order). */
static guint order_argument (const RspCall *call) {
  switch (call->kind) {
  case RSP_CALL_LOAD:
  case RSP_CALL_FLAG_TEST_AND_SET:
  case RSP_CALL_FLAG_CLEAR:
    return 1;
  case RSP_CALL_CAS:
    return 3;
  case RSP_CALL_FENCE:
    return 0;
  case RSP_CALL_STORE:
  case RSP_CALL_FETCH:
  case RSP_CALL_REDUCE:
  case RSP_CALL_SWAP:
  case RSP_CALL_INIT:
    break;
  }
  return 2;
}

static guint order_place (const Finding *f, const RspCall *call) {
  return order_argument (call) + (call->kind == RSP_CALL_FENCE && f->opencl);
}

static const guint8 loads[] = { RSP_ORDER_RELAXED, RSP_ORDER_ACQUIRE, RSP_ORDER_SEQ_CST };

/* Orders that C11 allows for the call, weakest first. */
static const guint8 *orders_of (const RspCall *call, guint *n) {
  static const guint8 stores[] = { RSP_ORDER_RELAXED, RSP_ORDER_RELEASE, RSP_ORDER_SEQ_CST };
  static const guint8 both[] = { RSP_ORDER_RELAXED, RSP_ORDER_ACQUIRE, RSP_ORDER_RELEASE,
                                 RSP_ORDER_ACQ_REL, RSP_ORDER_SEQ_CST };
  switch (call->kind) {
  case RSP_CALL_LOAD:
    *n = G_N_ELEMENTS (loads);
    return loads;
  case RSP_CALL_STORE:
  case RSP_CALL_REDUCE:
  case RSP_CALL_FLAG_CLEAR:
    *n = G_N_ELEMENTS (stores);
    return stores;
  case RSP_CALL_FETCH:
  case RSP_CALL_SWAP:
  case RSP_CALL_CAS:
  case RSP_CALL_FENCE:
  case RSP_CALL_FLAG_TEST_AND_SET:
  case RSP_CALL_INIT:
    break;
  }
  *n = G_N_ELEMENTS (both);
  return both;
}

static gboolean order_within (guint a, guint b) {
  if (a == b || a <= RSP_ORDER_RELAXED || b == RSP_ORDER_SEQ_CST)
    return a <= b;
  return b == RSP_ORDER_ACQ_REL && a < b;
}

gboolean synth_level_within (const SynthSite *site, guint a, guint b) {
  guint x = site->levels[a].value, y = site->levels[b].value;
  if (site->sets)
    return !(x & ~y);
  gboolean orders = site->kind == SYNTH_EDIT_ORDER || site->kind == SYNTH_EDIT_FENCE;
  return orders ? order_within (x, y) : x <= y;
}

/* Replaces an argument by a word, or appends it together with the arguments that must precede
 * it. */
static void put_argument (const Finding *f, SynthLevel *level, const RspExpr *expr, guint place,
                          const char *word) {
  const RspCall *call = expr->u.call;
  guint order = order_place (f, call);
  if (place < call->n_arguments) {
    RspSpan span = call->arguments[place]->span;
    add_piece (level, span.begin, span.end, 0, g_strdup (word));
    return;
  }
  guint end = expr->span.end - 1; /* the parenthesis */
  if (call->n_arguments <= order) {
    guint name = expr->span.begin + (guint) strlen (call->name);
    const char *remote = call->remote ? "_remote" : "";
    add_piece (level, name - (guint) strlen (remote), name - (guint) strlen (remote), 0,
               g_strdup ("_explicit"));
    if (place != order)
      add_piece (level, end, end, 0, g_strdup (", memory_order_seq_cst"));
  }
  add_piece (level, end, end, 1, g_strconcat (", ", word, NULL));
}

static gboolean may_take_order (const Finding *f, guint own, guint order) {
  return f->direction == SYNTH_ANY
         || (f->direction == SYNTH_STRONGER ? order_within (own, order)
                                            : order_within (order, own));
}

static gboolean may_take_scope (const Finding *f, guint own, guint scope) {
  return f->direction == SYNTH_ANY
         || (f->direction == SYNTH_STRONGER ? scope > own && scope <= f->widest : scope < own);
}

/* Of the orders those that the direction allows, and the call's own, at that place of its
 * arguments. */
static void add_orders (const Finding *f, SynthSite *site, const RspExpr *expr, guint own,
                        const guint8 *orders, guint n, guint place) {
  for (guint i = 0; i < n; i++) {
    gboolean is_own = orders[i] == own;
    if (!is_own && !may_take_order (f, own, orders[i]))
      continue;
    SynthLevel *level = add_level (site, orders[i], rsp_order_name ((RspOrder) orders[i]));
    if (is_own)
      site->own = site->n_levels - 1;
    else
      put_argument (f, level, expr, place, level->text);
  }
}

/* An order of another kind (a release load) is none of the list. */
static gboolean has_own_order (const SynthSite *site, guint own) {
  return site->n_levels && !site->levels[site->own].pieces && site->levels[site->own].value == own;
}

/* A CAS without explicit orders has two to add: leave it. */
static void find_order (Finding *f, const RspExpr *expr) {
  const RspCall *call = expr->u.call;
  guint n, place = order_place (f, call);
  const guint8 *orders = orders_of (call, &n);
  gboolean no_relaxed = call->kind == RSP_CALL_FENCE && call->order != RSP_ORDER_RELAXED;
  SynthSite *site = new_site (f, SYNTH_EDIT_ORDER, expr->span.begin, call->name);
  add_orders (f, site, expr, call->order, orders + no_relaxed, n - no_relaxed, place);
  if (!has_own_order (site, call->order)
      || (call->n_arguments <= place && call->kind == RSP_CALL_CAS))
    free_site (site);
  else
    keep_site (f, site);
}

/* The order of the load that a failing CAS is: no stronger than that of one that succeeds (C11,
 * 7.17.7.4). */
static void find_failure_order (Finding *f, const RspExpr *expr) {
  const RspCall *call = expr->u.call;
  guint place = order_place (f, call) + 1, n = 0;
  if (call->kind != RSP_CALL_CAS || call->n_arguments <= place)
    return;
  while (n < G_N_ELEMENTS (loads) && order_within (loads[n], call->order))
    n++;
  SynthSite *site
      = new_site (f, SYNTH_EDIT_ORDER, call->arguments[place]->span.begin, "order on failure");
  add_orders (f, site, expr, call->failure, loads, n, place);
  if (has_own_order (site, call->failure))
    keep_site (f, site);
  else
    free_site (site);
}

static void find_scope (Finding *f, const RspExpr *expr) {
  const RspCall *call = expr->u.call;
  guint place = order_place (f, call) + 1 + (call->kind == RSP_CALL_CAS);
  SynthSite *site = new_site (f, SYNTH_EDIT_SCOPE, expr->span.begin, call->name);
  for (guint scope = RSP_SCOPE_WORK_ITEM; scope < RSP_N_SCOPES; scope++) {
    gboolean own = scope == call->scope;
    if (!own && !may_take_scope (f, call->scope, scope))
      continue;
    SynthLevel *level = add_level (site, scope, rsp_scope_name ((RspScope) scope));
    if (own)
      site->own = site->n_levels - 1;
    else
      put_argument (f, level, expr, place, level->text);
  }
  if (call->kind == RSP_CALL_CAS && call->n_arguments < place)
    free_site (site);
  else
    keep_site (f, site);
}

static void find_remote (Finding *f, const RspExpr *expr) {
  const RspCall *call = expr->u.call;
  SynthSite *site = new_site (f, SYNTH_EDIT_REMOTE, expr->span.begin, call->name);
  guint end = expr->span.begin + (guint) strlen (call->name);
  SynthLevel *plain = add_level (site, 0, "without _remote");
  if (call->remote && f->direction != SYNTH_STRONGER && g_str_has_suffix (call->name, "_remote"))
    add_piece (plain, end - 7, end, 2, g_strdup (""));
  site->own = call->remote;
  if (f->direction == SYNTH_ANY || call->remote != (f->direction == SYNTH_STRONGER)) {
    SynthLevel *remote = add_level (site, 1, "with _remote");
    if (!call->remote)
      add_piece (remote, end, end, 2, g_strdup ("_remote"));
  }
  keep_site (f, site);
}

/* ---- Fences that are there ---- */

static void find_fence (Finding *f, const RspStatement *statement) {
  const RspExpr *expr = statement->expr;
  if (f->direction != SYNTH_WEAKER || statement->kind != RSP_STATEMENT_EXPRESSION || !expr
      || expr->kind != RSP_EXPR_CALL || expr->u.call->kind != RSP_CALL_FENCE)
    return;
  SynthSite *site = new_site (f, SYNTH_EDIT_FENCE, expr->span.begin, expr->u.call->name);
  SynthLevel *none = add_level (site, 0, "no fence");
  add_piece (none, expr->span.begin, expr->span.end, 0, g_strdup (""));
  none->removes = ~0u;
  add_level (site, expr->u.call->order, "the fence");
  site->own = 1;
  keep_site (f, site);
}

/* ---- Gaps, where a fence can be ---- */

/* Only gaps between two statements: a fence before the first of a thread, or after the last, orders
 * nothing. A barrier before the first statement of a loop does. */
static void find_gap (Finding *f, guint at) {
  static const guint8 orders[]
      = { RSP_ORDER_ACQUIRE, RSP_ORDER_RELEASE, RSP_ORDER_ACQ_REL, RSP_ORDER_SEQ_CST };
  guint line = at;
  while (line && f->text[line - 1] != '\n')
    line--;
  g_autofree char *indent = g_strndup (f->text + line, strspn (f->text + line, " \t"));
  SynthSite *site = new_site (f, SYNTH_EDIT_FENCE, at, "here");
  add_level (site, 0, f->kernel ? "no barrier" : "no fence");
  if (f->kernel)
    add_piece (
        add_level (site, 1, "a barrier"), at, at, 0,
        g_strconcat ("barrier (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n", indent, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (orders) && !f->kernel; i++) {
    const char *order = rsp_order_name ((RspOrder) orders[i]);
    g_autofree char *scope
        = f->opencl ? g_strconcat (", ", rsp_scope_name (f->widest), NULL) : g_strdup ("");
    char *fence
        = g_strdup_printf (f->opencl ? "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, %s%s);\n%s"
                                     : "atomic_thread_fence(%s%s);\n%s",
                           order, scope, indent);
    g_autofree char *text = g_strconcat ("a fence of ", order, NULL);
    add_piece (add_level (site, orders[i], text), at, at, 0, fence);
  }
  keep_site (f, site);
}

/* The start of a statement in the text. A declaration's span begins at its name, so the words
 * before it are included. G_MAXUINT if there is more than words before it: a declarator after a
 * comma, a comment. */
static guint begin_of_statement (const Finding *f, const RspStatement *statement) {
  guint begin = statement->span.begin;
  guint at = begin;
  while (at && !strchr (";{}", f->text[at - 1])) {
    char c = f->text[--at];
    if (!g_ascii_isalnum (c) && !g_ascii_isspace (c) && c != '_' && c != '*')
      return G_MAXUINT;
    if (!g_ascii_isspace (c))
      begin = at;
  }
  return begin;
}

/* ---- Plain accesses ---- */

/* The word for the type in the parameter before its name, in the text; FALSE if it does not have an
 * atomic form. */
static gboolean find_type_word (const Finding *f, const RspParameter *parameter, guint *begin) {
  static const char *const words[] = { "int", "uint", "long", "ulong" };
  guint at = parameter->span.begin;
  while (at && f->text[at - 1] != '(' && f->text[at - 1] != ',')
    at--;
  for (; at < parameter->span.begin; at++)
    for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
      gsize n = strlen (words[i]);
      gboolean starts = at == 0 || !(g_ascii_isalnum (f->text[at - 1]) || f->text[at - 1] == '_');
      if (starts && strncmp (f->text + at, words[i], n) == 0 && !g_ascii_isalnum (f->text[at + n])
          && f->text[at + n] != '_') {
        *begin = at;
        return TRUE;
      }
    }
  return FALSE;
}

/* Declares the location atomic in all threads. FALSE where that cannot be done. */
static gboolean declare_atomic (const Finding *f, guint object, SynthLevel *level) {
  gboolean done = FALSE;
  if (f->program->locations[object].atomic)
    return TRUE;
  for (guint t = 0; t < f->program->n_threads; t++)
    for (guint i = 0; i < f->program->threads[t].n_parameters; i++) {
      const RspParameter *parameter = &f->program->threads[t].parameters[i];
      guint begin;
      if (parameter->object != object)
        continue;
      if (!find_type_word (f, parameter, &begin))
        return FALSE;
      add_piece (level, begin, begin, 3, g_strdup ("atomic_"));
      done = TRUE;
    }
  return done;
}

/* `*x` of a parameter x: the only form of plain access that is changed. */
static gboolean is_plain (const Finding *f, const RspExpr *expr) {
  if (expr->kind != RSP_EXPR_DEREF || expr->u.node.a->kind != RSP_EXPR_LOCATION)
    return FALSE;
  const RspLocation *location = &f->program->locations[expr->u.node.a->u.object];
  return location->n_elements == 1 && location->type.pointers == 0;
}

/* value: what is stored; NULL for a load. */
static void find_plain (Finding *f, const RspExpr *whole, const RspExpr *access,
                        const RspExpr *value) {
  const RspExpr *x = access->u.node.a;
  if (f->direction != SYNTH_STRONGER)
    return;
  SynthSite *site = new_site (f, SYNTH_EDIT_ATOMIC, whole->span.begin, x->name);
  add_level (site, 0, "plain");
  SynthLevel *level = add_level (site, 1, "a relaxed atomic operation");
  g_autofree char *scope
      = f->opencl ? g_strconcat (", ", rsp_scope_name (f->widest), NULL) : g_strdup ("");
  char *head
      = g_strdup_printf (value ? "atomic_store_explicit(%s, " : "atomic_load_explicit(%s", x->name);
  char *tail = g_strdup_printf (", memory_order_relaxed%s)", scope);
  guint end = value ? value->span.begin : whole->span.end;
  add_piece (level, whole->span.begin, end, 0, head);
  add_piece (level, whole->span.end, whole->span.end, 0, tail);
  if (declare_atomic (f, x->u.object, level))
    keep_site (f, site);
  else
    free_site (site);
}

/* ---- The walk ---- */

static void walk_call (Finding *f, const RspExpr *expr) {
  const RspCall *call = expr->u.call;
  if (call->kind == RSP_CALL_INIT)
    return;
  find_order (f, expr);
  find_failure_order (f, expr);
  if (!f->opencl)
    return;
  find_scope (f, expr);
  find_remote (f, expr);
}

static void walk_statement (Finding *f, const RspStatement *statement);

static void walk_expr (Finding *f, const RspExpr *expr) {
  if (!expr)
    return;
  switch (expr->kind) {
  case RSP_EXPR_CALL:
    walk_expr (f, expr->u.call->value);
    walk_call (f, expr);
    return;
  case RSP_EXPR_CONSTANT:
  case RSP_EXPR_LOCATION:
  case RSP_EXPR_REGISTER:
  case RSP_EXPR_ADDRESS:
    return;
  case RSP_EXPR_BLOCK:
    walk_statement (f, expr->u.block.body);
    walk_expr (f, expr->u.block.value);
    return;
  case RSP_EXPR_ASSIGN:
    walk_expr (f, expr->u.node.b);
    if (expr->u.node.op == RSP_OP_NONE && is_plain (f, expr->u.node.a))
      find_plain (f, expr, expr->u.node.a, expr->u.node.b);
    return;
  case RSP_EXPR_DEREF:
    if (is_plain (f, expr))
      find_plain (f, expr, expr, NULL);
    return;
  default:
    walk_expr (f, expr->u.node.a);
    walk_expr (f, expr->u.node.b);
    walk_expr (f, expr->u.node.c);
  }
}

static void walk_statement (Finding *f, const RspStatement *statement) {
  if (!statement)
    return;
  find_fence (f, statement);
  walk_statement (f, statement->init);
  walk_expr (f, statement->expr);
  walk_expr (f, statement->step);
  for (const RspStatement *s = statement->first; s; s = s->next) {
    guint begin = begin_of_statement (f, s);
    if (f->direction == SYNTH_STRONGER && (f->kernel || s != statement->first)
        && begin != G_MAXUINT)
      find_gap (f, begin);
    walk_statement (f, s);
  }
  walk_statement (f, statement->body);
  walk_statement (f, statement->otherwise);
}

GPtrArray *rsp_synth_sites_find (const RspProgram *program, SynthDirection direction) {
  Finding f = { .program = program,
                .text = program->source->text,
                .direction = direction,
                .sites = g_ptr_array_new_with_free_func (free_site),
                .opencl = program->language->id == RSP_LANGUAGE_OPENCL,
                .kernel = program->counts_loops,
                .widest = RSP_SCOPE_DEVICE };
  for (guint t = 1; t < program->n_threads; t++)
    if (program->threads[t].place[RSP_LEVEL_DEVICE] != program->threads[0].place[RSP_LEVEL_DEVICE])
      f.widest = RSP_SCOPE_ALL;
  if (program->language->tagged)
    find_in_columns (&f);
  for (guint t = 0; t < program->n_threads && !program->language->tagged; t++)
    walk_statement (&f, program->threads[t].body);
  return f.sites;
}
