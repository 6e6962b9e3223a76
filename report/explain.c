/* Explanations as text and JSON. */
#include "base/json.h"
#include "model/matrix.h"
#include "model/model.h"
#include "report/explanation.h"
#include "report/internal.h"
#include "report/report.h"

#include <string.h>

/* The output of an explanation, and its colours. */
typedef struct Writer {
  const RspExecutionView *view;
  gboolean colour;
  GString *out;
} Writer;

#define BOLD  "\033[1m"
#define RED   "\033[1;31m"
#define GREEN "\033[1;32m"
#define CYAN  "\033[36m"
#define PLAIN "\033[0m"

static void put_steps (const Writer *w, const RspStep *const *steps, guint n, guint depth);

/* ---- Columns -------------------------------------------------------------------------------- */

static char *event_cell (const RspViewEvent *event, guint width) {
  return g_strdup_printf ("%s: %-*s  line %u", event->id, (int) width, event->text, event->line);
}

/* The longest text of a thread's events. */
static guint text_width (const RspExecutionView *view, guint thread) {
  guint width = 0;
  for (guint e = 0; e < view->n; e++)
    if (view->events[e].thread == thread)
      width = MAX (width, (guint) strlen (view->events[e].text));
  return width;
}

/* The k-th event of a thread, or NULL. */
static const RspViewEvent *event_of_thread (const RspExecutionView *view, guint thread, guint k) {
  for (guint e = 0; e < view->n; e++)
    if (view->events[e].thread == thread && k-- == 0)
      return &view->events[e];
  return NULL;
}

static void append_cell (GString *row, const char *text, guint width, gboolean last) {
  g_string_append (row, text);
  for (glong n = g_utf8_strlen (text, -1); !last && n < (glong) width; n++)
    g_string_append_c (row, ' ');
}

static guint column_width (const RspExecutionView *view, guint thread) {
  guint width = 4;
  const RspViewEvent *event;
  for (guint k = 0; (event = event_of_thread (view, thread, k)); k++) {
    g_autofree char *cell = event_cell (event, text_width (view, thread));
    width = MAX (width, (guint) g_utf8_strlen (cell, -1));
  }
  return width + 3;
}

static void append_row (GString *out, GString *row) {
  while (row->len && row->str[row->len - 1] == ' ')
    g_string_truncate (row, row->len - 1);
  g_string_append_printf (out, "  %s\n", row->str);
  g_string_truncate (row, 0);
}

static void format_columns (const RspExecutionView *view, GString *out) {
  g_autoptr (GString) row = g_string_new (NULL);
  gboolean any = TRUE;
  for (guint t = 0; t < view->n_threads; t++) {
    g_autofree char *head = g_strdup_printf ("P%u", view->threads[t].number);
    append_cell (row, head, column_width (view, t), t + 1 == view->n_threads);
  }
  append_row (out, row);
  for (guint k = 0; any; k++) {
    any = FALSE;
    for (guint t = 0; t < view->n_threads; t++) {
      const RspViewEvent *event = event_of_thread (view, t, k);
      g_autofree char *cell = event ? event_cell (event, text_width (view, t)) : g_strdup ("");
      append_cell (row, cell, column_width (view, t), t + 1 == view->n_threads);
      any |= event != NULL;
    }
    if (any)
      append_row (out, row);
  }
}

/* The relation of this name, or NULL. */
static const RspViewRelation *view_relation (const RspExecutionView *view, const char *name) {
  for (guint i = 0; i < view->n_relations; i++)
    if (strcmp (view->relations[i].name, name) == 0)
      return &view->relations[i];
  return NULL;
}

/* Is the pair a step of the relation, not several in one? */
static gboolean is_step (const RspMatrix *pairs, guint a, guint b) {
  for (all_bits (z, rsp_matrix_row (pairs, a), pairs->words))
    if (z != a && z != b && rsp_matrix_get (pairs, z, b))
      return FALSE;
  return TRUE;
}

static void format_edges (const RspExecutionView *view, const char *name, GString *out) {
  const RspViewRelation *relation = view_relation (view, name);
  gboolean any = FALSE;
  for (guint a = 0; relation && a < view->n; a++)
    for (all_bits (b, rsp_matrix_row (relation->pairs, a), relation->pairs->words))
      if (is_step (relation->pairs, a, b)) {
        if (any)
          g_string_append (out, ", ");
        else
          g_string_append_printf (out, "  %s  ", name);
        g_string_append_printf (out, "%s → %s", view->events[a].id, view->events[b].id);
        any = TRUE;
      }
  g_string_append (out, any ? "\n" : "");
}

static void format_initial (const RspExecutionView *view, GString *out) {
  for (guint e = 0; e < view->n && view->events[e].thread == RSP_VIEW_INITIAL; e++)
    g_string_append_printf (out, "%s%s: %s", e ? "   " : "  ", view->events[e].id,
                            view->events[e].text);
  g_string_append (out, view->n && view->events[0].thread == RSP_VIEW_INITIAL ? "\n" : "");
}

void rsp_view_format (const RspExecutionView *view, GString *out) {
  format_initial (view, out);
  format_columns (view, out);
  format_edges (view, "rf", out);
  format_edges (view, "co", out);
}

/* ---- Steps ---------------------------------------------------------------------------------- */

/* Derivations as text. */

/* Shows the steps of a derivation that have a name, one per line, indented below what they explain.
 * Sets, brackets and steps that merely pass on an edge are left out (they are in the JSON). */

static void put_coloured (const Writer *w, const char *colour, const char *text) {
  if (w->colour)
    g_string_append_printf (w->out, "%s%s" PLAIN, colour, text);
  else
    g_string_append (w->out, text);
}

static const char *event_id (const Writer *w, guint event) { return w->view->events[event].id; }

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

/* The same for the writer's execution, starting at this depth. */
static void put_steps (const Writer *w, const RspStep *const *steps, guint n, guint depth) {
  g_autoptr (GPtrArray) shown = g_ptr_array_new ();
  collect (steps, n, shown);
  for (guint i = 0; i < shown->len; i++)
    put_step (w, shown->pdata[i], depth);
}

/* Appends steps of an execution, one per line, each indented by two more blanks than what it
 * explains; without colour. */
static void steps_format (const RspExecutionView *view, const RspStep *const *steps, guint n,
                          GString *out) {
  Writer w = { .view = view, .out = out };
  put_steps (&w, steps, n, 0);
}

/* ---- Text ----------------------------------------------------------------------------------- */

/* Explanations as text. */

static void put_names_of (const Writer *w, const char *const *names, const char *last) {
  for (guint i = 0; names[i]; i++) {
    g_string_append (w->out, i == 0 ? "" : names[i + 1] ? ", " : last);
    put_coloured (w, BOLD, names[i]);
  }
}

/* How a negated axiom fails: there is nothing to show. */
static const char *absence (const RspAxiomForm *form) {
  if (!form->reflexive)
    return "nothing is in it";
  return form->closed ? "there is no cycle" : "no event is related to itself";
}

static void put_violation (const Writer *w, const RspViolation *violation) {
  g_string_append (w->out, "  ");
  put_coloured (w, BOLD, violation->axiom);
  g_string_append_printf (w->out, " fails: %s%s %s (%s, line %u)", violation->negated ? "~" : "",
                          rsp_axiom_form (violation->kind)->word, violation->relation,
                          violation->file, violation->line);
  if (violation->negated)
    g_string_append_printf (w->out, ": %s", absence (rsp_axiom_form (violation->kind)));
  g_string_append_c (w->out, '\n');
  put_steps (w, violation->steps, violation->n_steps, 2);
}

static void put_blame (Writer *w, const RspBlame *blame) {
  w->view = blame->execution;
  g_string_append (w->out, "\n  ");
  if (blame->candidates == RSP_MANY_CANDIDATES)
    g_string_append (w->out, "One of many executions that fail only ");
  else if (blame->candidates == 1)
    g_string_append (w->out, "The one execution that fails only ");
  else
    g_string_append_printf (w->out, "One of %" G_GUINT64_FORMAT " executions that fail only ",
                            blame->candidates);
  put_names_of (w, (const char *const *) blame->axioms, " and ");
  g_string_append (w->out, ":\n");
  rsp_view_format (blame->execution, w->out);
  for (guint i = 0; i < blame->n_violations; i++)
    put_violation (w, &blame->violations[i]);
}

static void put_forbidden (Writer *w, const RspExplanation *explanation) {
  put_coloured (w, RED, "forbidden");
  if (!explanation->n_blames) {
    g_string_append (
        w->out, "; which axioms forbid it was not found in the steps that an explanation takes\n");
    return;
  }
  g_string_append (w->out, " by ");
  for (guint i = 0; i < explanation->n_blames; i++) {
    g_string_append (w->out, i ? "; also by " : "");
    put_names_of (w, (const char *const *) explanation->blames[i].axioms, " and ");
    const char *alone = explanation->blames[i].axioms[0] && !explanation->blames[i].axioms[1]
                            ? " alone"
                            : " together";
    g_string_append (w->out, alone);
  }
  g_string_append (w->out, explanation->more_blames ? "; there may be more\n" : "\n");
  for (guint i = 0; i < explanation->n_blames; i++)
    put_blame (w, &explanation->blames[i]);
}

static void put_reasons (const Writer *w, const RspExplanation *explanation) {
  g_string_append_c (w->out, '\n');
  for (guint i = 0; explanation->reasons[i]; i++)
    g_string_append_printf (w->out, "  %s\n", explanation->reasons[i]);
}

static void put_witness (Writer *w, const RspExplanation *explanation) {
  if (!explanation->witness)
    return;
  w->view = explanation->witness;
  rsp_view_format (explanation->witness, w->out);
  if (explanation->n_steps)
    g_string_append (w->out, "  What the model orders between its threads:\n");
  put_steps (w, explanation->steps, explanation->n_steps, 2);
}

static void put_explanation (Writer *w, const RspExplanation *explanation) {
  put_coloured (w, BOLD, "Explanation");
  g_string_append_printf (w->out, " %s: ", explanation->question);
  switch (explanation->answer) {
  case RSPCHECK_ANSWER_ALLOWED:
    put_coloured (w, GREEN, "allowed");
    if (*explanation->reasons)
      g_string_append_printf (w->out, "\n\n  An execution that may have this outcome. %s\n",
                              *explanation->reasons);
    else
      g_string_append (w->out, "\n\n  An execution with this outcome:\n");
    put_witness (w, explanation);
    break;
  case RSPCHECK_ANSWER_FORBIDDEN:
    put_forbidden (w, explanation);
    break;
  case RSPCHECK_ANSWER_UNREACHABLE:
  case RSPCHECK_ANSWER_UNKNOWN:
    put_coloured (w, RED, rsp_answer_name (explanation->answer));
    put_reasons (w, explanation);
  }
  g_string_append_c (w->out, '\n');
}

static void put_flag (Writer *w, const RspFlagReason *reason) {
  w->view = reason->execution;
  put_coloured (w, BOLD, "Flag");
  g_string_append_c (w->out, ' ');
  put_coloured (w, RED, reason->flag);
  if (reason->from != G_MAXUINT)
    g_string_append_printf (w->out, ": %s", event_id (w, reason->from));
  if (reason->from != G_MAXUINT && reason->to != reason->from)
    g_string_append_printf (w->out, " and %s", event_id (w, reason->to));
  g_string_append (w->out, "\n\n");
  rsp_view_format (reason->execution, w->out);
  put_steps (w, reason->steps, reason->n_steps, 1);
  put_steps (w, reason->absent, reason->n_absent, 1);
  g_string_append_c (w->out, '\n');
}

void rsp_explanations_format (const RspExplanations *explanations, gboolean colour, GString *out) {
  Writer w = { .colour = colour, .out = out };
  for (guint i = 0; i < explanations->n_outcomes; i++)
    put_explanation (&w, &explanations->outcomes[i]);
  for (guint i = 0; i < explanations->n_flags; i++)
    put_flag (&w, &explanations->flags[i]);
}

/* Describes an axiom, followed by the steps of its violation; without colour. */
static void violation_format (const RspExecutionView *view, const RspViolation *violation,
                              GString *out) {
  Writer w = { .view = view, .out = out };
  put_violation (&w, violation);
}

/* ---- To json -------------------------------------------------------------------------------- */

/* The execution whose events the steps refer to. */
typedef const RspExecutionView JsonView;

/* ---- Steps ---- */
static JsonArray *steps_array (JsonView *view, const RspStep *const *steps, guint n);

static JsonObject *step_object (JsonView *view, const RspStep *step) {
  JsonObject *object = json_object_new ();
  rsp_json_set_text (object, "from", view->events[step->from].id);
  rsp_json_set_text (object, "to", view->events[step->to].id);
  rsp_json_set_text (object, step->absent ? "not" : "relation", step->relation);
  if (!step->absent)
    rsp_json_set_text (object, "as", rsp_trace_op_name (step->as));
  if (step->absent || step->n_steps)
    json_object_set_array_member (object, step->absent ? "why" : "steps",
                                  steps_array (view, step->steps, step->n_steps));
  return object;
}

static JsonArray *steps_array (JsonView *view, const RspStep *const *steps, guint n) {
  JsonArray *array = json_array_new ();
  for (guint i = 0; i < n; i++)
    json_array_add_object_element (array, step_object (view, steps[i]));
  return array;
}

/* ---- Executions ---- */
static JsonObject *event_object (JsonView *view, const RspViewEvent *event) {
  JsonObject *object = json_object_new ();
  rsp_json_set_text (object, "id", event->id);
  if (event->thread == RSP_VIEW_INITIAL)
    json_object_set_null_member (object, "thread");
  else
    json_object_set_int_member (object, "thread", view->threads[event->thread].number);
  json_object_set_int_member (object, "line", event->line);
  json_object_set_int_member (object, "column", event->column);
  rsp_json_set_text (object, "text", event->text);
  rsp_json_set_text (object, "source", event->source);
  json_object_set_member (object, "sets", rsp_json_strv ((const char *const *) event->sets));
  rsp_json_set_text (object, "location", event->location);
  rsp_json_set_text (object, "read", event->read);
  rsp_json_set_text (object, "written", event->written);
  return object;
}

static JsonArray *pairs_array (JsonView *view, const RspMatrix *pairs) {
  JsonArray *array = json_array_new ();
  for (guint a = 0; a < view->n; a++)
    for (all_bits (b, rsp_matrix_row (pairs, a), pairs->words)) {
      JsonArray *pair = json_array_sized_new (2);
      json_array_add_string_element (pair, view->events[a].id);
      json_array_add_string_element (pair, view->events[b].id);
      json_array_add_array_element (array, pair);
    }
  return array;
}

/* All base relations, and those defined by the model that the explanation mentions. */
static JsonObject *to_json_relations_object (JsonView *view, RspViewKind kind) {
  JsonObject *object = json_object_new ();
  for (guint i = 0; i < view->n_relations; i++) {
    const RspViewRelation *relation = &view->relations[i];
    if (relation->kind == kind && (kind == RSP_VIEW_BASE || relation->mentioned))
      json_object_set_array_member (object, relation->name, pairs_array (view, relation->pairs));
  }
  return object;
}

static JsonObject *execution_object (JsonView *view) {
  JsonObject *object = json_object_new (), *state = json_object_new ();
  JsonArray *events = json_array_new ();
  for (guint e = 0; e < view->n; e++)
    json_array_add_object_element (events, event_object (view, &view->events[e]));
  for (const char **at = view->state; *at; at += 2)
    rsp_json_set_text (state, at[0], at[1]);
  json_object_set_array_member (object, "events", events);
  json_object_set_object_member (object, "base", to_json_relations_object (view, RSP_VIEW_BASE));
  json_object_set_object_member (object, "derived",
                                 to_json_relations_object (view, RSP_VIEW_DEFINED));
  json_object_set_object_member (object, "state", state);
  json_object_set_member (object, "failed", rsp_json_strv ((const char *const *) view->failed));
  json_object_set_member (object, "raised", rsp_json_strv ((const char *const *) view->raised));
  return object;
}

/* ---- Explanations ---- */
static JsonObject *to_json_violation_object (JsonView *view, const RspViolation *violation) {
  JsonObject *object = json_object_new ();
  rsp_json_set_text (object, "check", violation->axiom);
  rsp_json_set_text (object, "test", rsp_axiom_form (violation->kind)->word);
  json_object_set_boolean_member (object, "negated", violation->negated);
  rsp_json_set_text (object, "file", violation->file);
  json_object_set_int_member (object, "line", violation->line);
  rsp_json_set_text (object, "relation", violation->relation);
  json_object_set_array_member (object, "steps",
                                steps_array (view, violation->steps, violation->n_steps));
  return object;
}

static JsonObject *blame_object (const RspBlame *blame) {
  JsonObject *object = json_object_new ();
  JsonArray *violations = json_array_new ();
  g_autofree char *candidates = g_strdup_printf ("%" G_GUINT64_FORMAT, blame->candidates);
  for (guint i = 0; i < blame->n_violations; i++)
    json_array_add_object_element (
        violations, to_json_violation_object (blame->execution, &blame->violations[i]));
  json_object_set_member (object, "checks", rsp_json_strv ((const char *const *) blame->axioms));
  rsp_json_set_text (object, "candidates",
                     blame->candidates == RSP_MANY_CANDIDATES ? NULL : candidates);
  json_object_set_object_member (object, "execution", execution_object (blame->execution));
  json_object_set_array_member (object, "violations", violations);
  return object;
}

static JsonObject *to_json_flag_object (const RspFlagReason *reason) {
  JsonView *view = reason->execution;
  JsonObject *object = json_object_new ();
  JsonArray *events = json_array_new ();
  if (reason->from != G_MAXUINT)
    json_array_add_string_element (events, view->events[reason->from].id);
  if (reason->from != G_MAXUINT && reason->to != reason->from)
    json_array_add_string_element (events, view->events[reason->to].id);
  rsp_json_set_text (object, "flag", reason->flag);
  json_object_set_boolean_member (object, "undefined", reason->undefined);
  json_object_set_array_member (object, "events", events);
  json_object_set_object_member (object, "execution", execution_object (view));
  json_object_set_array_member (object, "steps",
                                steps_array (view, reason->steps, reason->n_steps));
  json_object_set_array_member (object, "absent",
                                steps_array (view, reason->absent, reason->n_absent));
  return object;
}

static JsonObject *explanation_object (const RspExplanation *explanation, JsonArray *flags) {
  JsonObject *object = json_object_new ();
  JsonArray *blames = json_array_new ();
  for (guint i = 0; i < explanation->n_blames; i++)
    json_array_add_object_element (blames, blame_object (&explanation->blames[i]));
  rsp_json_set_text (object, "question", explanation->question);
  rsp_json_set_text (object, "answer", rsp_answer_name (explanation->answer));
  json_object_set_member (object, "reasons",
                          rsp_json_strv ((const char *const *) explanation->reasons));
  if (explanation->witness)
    json_object_set_object_member (object, "witness", execution_object (explanation->witness));
  else
    json_object_set_null_member (object, "witness");
  json_object_set_array_member (
      object, "steps",
      steps_array (explanation->witness, explanation->steps, explanation->n_steps));
  json_object_set_array_member (object, "blame", blames);
  json_object_set_boolean_member (object, "more", explanation->more_blames);
  json_object_set_array_member (object, "flags", flags);
  return object;
}

JsonNode *rsp_explanations_to_json (const RspExplanations *explanations) {
  JsonArray *all = json_array_new ();
  for (guint i = 0; i < explanations->n_outcomes; i++) {
    JsonArray *flags = json_array_new ();
    for (guint k = 0; i == 0 && k < explanations->n_flags; k++)
      json_array_add_object_element (flags, to_json_flag_object (&explanations->flags[k]));
    json_array_add_object_element (all, explanation_object (&explanations->outcomes[i], flags));
  }
  return rsp_json_list (all);
}

/* ---- Candidates json ------------------------------------------------------------------------ */

typedef const RspExecutionView CandidatesView;

/* ---- Reasons ---- */
/* ["rf", "a", "b", …]: the edges of the picture to which the steps reduce. */
static void add_edges (CandidatesView *view, const RspStep *const *steps, guint n,
                       JsonArray *edges) {
  for (guint i = 0; i < n; i++) {
    const char *edge = rsp_graph_edge (steps[i]);
    if (steps[i]->absent)
      continue;
    if (edge) {
      json_array_add_string_element (edges, edge);
      json_array_add_string_element (edges, view->events[steps[i]->from].id);
      json_array_add_string_element (edges, view->events[steps[i]->to].id);
    }
    add_edges (view, steps[i]->steps, steps[i]->n_steps, edges);
  }
}

static JsonObject *reason_object (const char *name, gboolean is_flag, const GString *text) {
  JsonObject *object = json_object_new ();
  if (name)
    json_object_set_string_member (object, is_flag ? "flag" : "axiom", name);
  json_object_set_string_member (object, "text", text->str);
  return object;
}

static JsonObject *candidates_json_violation_object (CandidatesView *view,
                                                     const RspViolation *violation) {
  g_autoptr (GString) text = g_string_new (NULL);
  JsonArray *edges = json_array_new ();
  violation_format (view, violation, text);
  add_edges (view, violation->steps, violation->n_steps, edges);
  JsonObject *object = reason_object (violation->axiom, FALSE, text);
  json_object_set_array_member (object, "edges", edges);
  return object;
}

static JsonObject *candidates_json_flag_object (CandidatesView *view, const RspFlagReason *flag) {
  g_autoptr (GString) text = g_string_new (NULL);
  JsonArray *edges = json_array_new (), *events = json_array_new ();
  steps_format (view, flag->steps, flag->n_steps, text);
  steps_format (view, flag->absent, flag->n_absent, text);
  add_edges (view, flag->steps, flag->n_steps, edges);
  if (flag->from != G_MAXUINT) {
    json_array_add_string_element (events, view->events[flag->from].id);
    json_array_add_string_element (events, view->events[flag->to].id);
  }
  JsonObject *object = reason_object (flag->flag, TRUE, text);
  json_object_set_array_member (object, "edges", edges);
  json_object_set_array_member (object, "events", events);
  return object;
}

/* ---- Pictures ---- */
static gboolean is_of_interest (const RspViewRelation *relation) {
  static const char *const bases[] = { "addr", "data", "ctrl", "rmw", NULL };
  return !relation->is_set && !relation->hidden
         && (relation->kind != RSP_VIEW_BASE || g_strv_contains (bases, relation->name));
}

/* { name: [from, to, from, to, …] } of the model's relations that are not empty. */
static JsonObject *candidates_json_relations_object (CandidatesView *view) {
  JsonObject *object = json_object_new ();
  for (guint i = 0; i < view->n_relations; i++) {
    const RspViewRelation *relation = &view->relations[i];
    if (!is_of_interest (relation) || rsp_matrix_count (relation->pairs) == 0)
      continue;
    JsonArray *pairs = json_array_new ();
    for (guint a = 0; a < view->n; a++)
      for (all_bits (b, rsp_matrix_row (relation->pairs, a), relation->pairs->words)) {
        json_array_add_string_element (pairs, view->events[a].id);
        json_array_add_string_element (pairs, view->events[b].id);
      }
    json_object_set_array_member (object, relation->name, pairs);
  }
  return object;
}

static JsonObject *picture_object (const RspCandidateView *candidate) {
  CandidatesView *view = candidate->execution;
  RspGraphOptions options = { .hidden = NULL };
  g_autoptr (GString) dot = g_string_new (NULL);
  JsonObject *object = json_object_new ();
  JsonArray *reasons = json_array_new ();
  rsp_graph_format (view, "", NULL, 0, &options, dot);
  for (guint i = 0; i < candidate->n_violations; i++)
    json_array_add_object_element (
        reasons, candidates_json_violation_object (view, &candidate->violations[i]));
  for (guint i = 0; i < candidate->n_flags; i++)
    json_array_add_object_element (reasons,
                                   candidates_json_flag_object (view, &candidate->flags[i]));
  json_object_set_member (object, "failed", rsp_json_strv ((const char *const *) view->failed));
  json_object_set_member (object, "raised", rsp_json_strv ((const char *const *) view->raised));
  json_object_set_string_member (object, "dot", dot->str);
  json_object_set_object_member (object, "relations", candidates_json_relations_object (view));
  json_object_set_array_member (object, "reasons", reasons);
  return object;
}

static JsonObject *group_object (const RspCandidateGroup *group) {
  JsonObject *object = json_object_new ();
  JsonArray *pictures = json_array_new ();
  for (guint i = 0; i < group->n_candidates; i++)
    json_array_add_object_element (pictures, picture_object (&group->candidates[i]));
  json_object_set_string_member (object, "state", group->state);
  json_object_set_member (object, "failed", rsp_json_strv ((const char *const *) group->failed));
  json_object_set_int_member (object, "candidates", (gint64) group->n);
  json_object_set_array_member (object, "pictures", pictures);
  return object;
}

/* ---- The explanations' own executions ---- */
static void add_picture (JsonArray *pictures, RspCandidateView candidate) {
  json_array_add_object_element (pictures, picture_object (&candidate));
}

/* With the orders of the model in it. */
static void add_witness (JsonArray *pictures, const RspExplanation *explanation) {
  RspCandidateView candidate = { .execution = explanation->witness };
  JsonObject *picture = picture_object (&candidate);
  g_autoptr (GString) text = g_string_new (NULL);
  steps_format (explanation->witness, explanation->steps, explanation->n_steps, text);
  JsonObject *orders = reason_object (NULL, FALSE, text);
  json_object_set_array_member (orders, "edges", json_array_new ());
  if (explanation->n_steps)
    json_array_add_object_element (json_object_get_array_member (picture, "reasons"),
                                   json_object_ref (orders));
  json_object_unref (orders);
  json_array_add_object_element (pictures, picture);
}

static JsonObject *answer_object (const RspExplanation *explanation) {
  JsonObject *object = json_object_new ();
  JsonArray *pictures = json_array_new ();
  if (explanation->witness)
    add_witness (pictures, explanation);
  for (guint i = 0; i < explanation->n_blames; i++) {
    const RspBlame *blame = &explanation->blames[i];
    add_picture (pictures, (RspCandidateView){ .execution = blame->execution,
                                               .violations = blame->violations,
                                               .n_violations = blame->n_violations });
  }
  json_object_set_string_member (object, "question", explanation->question);
  json_object_set_string_member (object, "answer", rsp_answer_name (explanation->answer));
  json_object_set_member (object, "reasons",
                          rsp_json_strv ((const char *const *) explanation->reasons));
  json_object_set_boolean_member (object, "more", explanation->more_blames);
  json_object_set_array_member (object, "pictures", pictures);
  return object;
}

static void add_explained (const RspExplanations *explanations, JsonArray *answers,
                           JsonArray *flags) {
  for (guint i = 0; i < explanations->n_outcomes; i++)
    json_array_add_object_element (answers, answer_object (&explanations->outcomes[i]));
  for (guint i = 0; i < explanations->n_flags; i++)
    add_picture (flags, (RspCandidateView){ .execution = explanations->flags[i].execution,
                                            .flags = &explanations->flags[i],
                                            .n_flags = 1 });
}

char *candidates_to_json (const RspCandidateViews *candidates,
                          const RspExplanations *explanations) {
  JsonObject *object = json_object_new ();
  JsonArray *groups = json_array_new (), *answers = json_array_new (), *flags = json_array_new ();
  for (guint i = 0; i < candidates->n_groups; i++)
    json_array_add_object_element (groups, group_object (&candidates->groups[i]));
  if (explanations)
    add_explained (explanations, answers, flags);
  json_object_set_member (object, "axioms",
                          rsp_json_strv ((const char *const *) candidates->axioms));
  json_object_set_boolean_member (object, "complete", candidates->complete);
  json_object_set_array_member (object, "groups", groups);
  json_object_set_array_member (object, "answers", answers);
  json_object_set_array_member (object, "flags", flags);
  g_autoptr (JsonNode) node = rsp_json_members (object);
  return json_to_string (node, FALSE);
}
