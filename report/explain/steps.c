/* Shows the steps of a derivation that have a name, one per line, indented below what they explain.
 * Sets, brackets and steps that merely pass on an edge are left out (they are in the JSON). */
#include "report/explain/steps.h"
#include "model/language.h"
#include "report/explain/columns.h"

#include <string.h>

void put_coloured (const Writer *w, const char *colour, const char *text) {
  if (w->colour)
    g_string_append_printf (w->out, "%s%s" PLAIN, colour, text);
  else
    g_string_append (w->out, text);
}

const char *event_id (const Writer *w, guint event) { return w->view->events[event].id; }

static void indent (const Writer *w, guint depth) {
  for (guint i = 0; i < depth; i++)
    g_string_append (w->out, "  ");
}

/* ---- Which steps are shown ---- */

static gboolean is_leaf (const RspStep *step) {
  return step->as == RSP_TRACE_BASE || step->as == RSP_TRACE_CHOSEN || step->as == RSP_TRACE_VALUE;
}

/* rf^-1 and similar terms need no explanation. */
static gboolean is_turned_leaf (const RspStep *step) {
  return !step->named && step->as == RSP_TRACE_INVERSE && step->n_steps == 1
         && is_leaf (step->steps[0]);
}

/* An unnamed expression whose parts explain it. */
static gboolean passes_on (const RspStep *step) {
  return !step->named && step->n_steps > 0 && !is_turned_leaf (step);
}

/* Steps that only state that an event is in a set or equals itself. */
static gboolean is_silent (const RspStep *step) {
  if (step->is_set || step->as == RSP_TRACE_IDENTITY || step->as == RSP_TRACE_PRODUCT)
    return TRUE;
  if (step->absent || step->from != step->to || is_leaf (step))
    return FALSE;
  for (guint i = 0; i < step->n_steps; i++)
    if (step->steps[i]->absent || !is_silent (step->steps[i]))
      return FALSE;
  return TRUE;
}

/* Edges that relate any two events need no explanation. */
static gboolean is_trivial (const RspStep *step) {
  return step->absent && is_leaf (step) && strcmp (step->relation, "id") == 0
         && step->from != step->to;
}

/* Adds the steps that are shown for these: the steps themselves, or their parts. */
static void collect (const RspStep *const *steps, guint n, GPtrArray *shown) {
  for (guint i = 0; i < n; i++) {
    const RspStep *step = steps[i];
    if ((!step->absent && is_silent (step)) || is_trivial (step))
      continue;
    if (passes_on (step) && (!step->absent || step->as == RSP_TRACE_INVERSE))
      collect (step->steps, step->n_steps, shown);
    else
      g_ptr_array_add (shown, (gpointer) step);
  }
}

/* ---- Remarks ---- */

/* The meaning of a base name, from base_names.def; NULL for other names. */
static const char *meaning_of (const char *name) {
  static const char *const names[][2] = {
#define RSP_BASE_SET(id, name, meaning)      { name, meaning },
#define RSP_BASE_RELATION(id, name, meaning) { name, meaning },
#include "model/base_names.def"
  };
  const char *own = rsp_base_name (name);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i][0], own) == 0)
      return names[i][1];
  return NULL;
}

/* Why two events are not in program order. */
static const char *remark_on_po (const Writer *w, const RspStep *step) {
  const RspViewEvent *from = &w->view->events[step->from], *to = &w->view->events[step->to];
  const RspViewRelation *po = view_relation (w->view, "po");
  if (step->from == step->to)
    return "the same event";
  if (from->thread == RSP_VIEW_INITIAL || to->thread == RSP_VIEW_INITIAL)
    return "an initial write";
  if (from->thread != to->thread)
    return "different threads";
  return po && rsp_matrix_get (po->pairs, step->to, step->from) ? "it runs the other way"
                                                                : "unsequenced";
}

/* Does the name already express the meaning, as "memory_order_seq_cst" does "memory order
 * seq_cst"? */
static gboolean speaks_for_itself (const char *name, const char *meaning) {
  g_autofree char *words = g_strdelimit (g_strdup (name), "_", ' ');
  g_autofree char *same = g_strdelimit (g_strdup (meaning), "_", ' ');
  return g_str_has_suffix (words, same);
}

/* A short meaning of a base set or relation that an edge is not in; NULL if there is none. */
static char *remark_on (const Writer *w, const RspStep *step) {
  const char *meaning = is_leaf (step) ? meaning_of (step->relation) : NULL;
  if (!meaning || speaks_for_itself (step->relation, meaning))
    return NULL;
  if (strcmp (step->relation, "po") == 0)
    return g_strdup (remark_on_po (w, step));
  return g_strndup (meaning, strcspn (meaning, ":;"));
}

/* ---- One step ---- */

static void put_absent (const Writer *w, const RspStep *step, guint depth) {
  g_autofree char *remark = remark_on (w, step);
  indent (w, depth);
  if (step->is_set)
    g_string_append_printf (w->out, "%s not in ", event_id (w, step->from));
  else
    g_string_append_printf (w->out, "%s → %s not in ", event_id (w, step->from),
                            event_id (w, step->to));
  put_coloured (w, CYAN, step->relation);
  if (remark)
    g_string_append_printf (w->out, " (%s)", remark);
  g_string_append (w->out, step->n_steps ? ", because\n" : "\n");
  put_steps (w, step->steps, step->n_steps, depth + 1);
}

/* "a → d  ghb by gsw by ra_sw(G)": a step that only renames another one shares its line. */
static const RspStep *put_names (const Writer *w, const RspStep *step) {
  put_coloured (w, CYAN, step->relation);
  for (;;) {
    g_autoptr (GPtrArray) shown = g_ptr_array_new ();
    collect (step->steps, step->n_steps, shown);
    const RspStep *only = shown->len == 1 ? shown->pdata[0] : NULL;
    if (is_turned_leaf (step) || !only || only->absent || only->from != step->from
        || only->to != step->to)
      return step;
    g_string_append (w->out, " by ");
    put_coloured (w, CYAN, only->relation);
    step = only;
  }
}

static void put_step (const Writer *w, const RspStep *step, guint depth) {
  if (step->absent) {
    put_absent (w, step, depth);
    return;
  }
  indent (w, depth);
  if (step->is_set)
    g_string_append_printf (w->out, "%s in ", event_id (w, step->from));
  else
    g_string_append_printf (w->out, "%s → %s  ", event_id (w, step->from), event_id (w, step->to));
  step = put_names (w, step);
  g_string_append_c (w->out, '\n');
  if (!is_turned_leaf (step))
    put_steps (w, step->steps, step->n_steps, depth + 1);
}

void put_steps (const Writer *w, const RspStep *const *steps, guint n, guint depth) {
  g_autoptr (GPtrArray) shown = g_ptr_array_new ();
  collect (steps, n, shown);
  for (guint i = 0; i < shown->len; i++)
    put_step (w, shown->pdata[i], depth);
}

void steps_format (const RspExecutionView *view, const RspStep *const *steps, guint n,
                   GString *out) {
  Writer w = { .view = view, .out = out };
  put_steps (&w, steps, n, 0);
}
