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

/* The relation of this name, or NULL. */
static const RspViewRelation *view_relation (const RspExecutionView *view, const char *name) {
  for (guint i = 0; i < view->n_relations; i++)
    if (strcmp (view->relations[i].name, name) == 0)
      return &view->relations[i];
  return NULL;
}

gboolean is_step (const RspMatrix *pairs, guint a, guint b) {
  for (all_bits (z, rsp_matrix_row (pairs, a), pairs->words))
    if (z != a && z != b && rsp_matrix_get (pairs, z, b) && !rsp_matrix_get (pairs, z, z))
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

void rsp_view_format (const RspExecutionView *view, GString *out) {
  for (guint e = 0; e < view->n && view->events[e].thread == RSP_VIEW_INITIAL; e++)
    g_string_append_printf (out, "%s%s: %s", e ? "   " : "  ", view->events[e].id,
                            view->events[e].text);
  g_string_append (out, view->n && view->events[0].thread == RSP_VIEW_INITIAL ? "\n" : "");
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
  format_edges (view, "rf", out);
  format_edges (view, "co", out);
}

/* ---- Steps ---------------------------------------------------------------------------------- */

/* Derivations as text. */

/* Shows the steps of a derivation that have a name, one per line, indented below the step that
 * they explain. Sets, brackets and steps that merely pass on an edge are left out (the JSON has
 * them). */

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

/* Collects the steps to show: the steps themselves, or their parts. */
static void collect (const RspStep *const *steps, guint n, GPtrArray *shown) {
  for (guint i = 0; i < n; i++) {
    const RspStep *step = steps[i];
    gboolean trivial = step->absent && is_leaf (step) && strcmp (step->relation, "id") == 0
                       && step->from != step->to;
    if (trivial || (!step->absent && is_silent (step)))
      continue;
    /* Unnamed expressions are explained by their parts. */
    if (!step->named && step->n_steps > 0 && !is_turned_leaf (step)
        && (!step->absent || step->as == RSP_TRACE_INVERSE))
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

/* A short meaning of a base set or relation that an edge is not in; NULL if there is none. */
static char *remark_on (const Writer *w, const RspStep *step) {
  const char *meaning = is_leaf (step) ? meaning_of (step->relation) : NULL;
  if (step->is_set && is_leaf (step) && !rsp_base_defines (step->relation)) /* a word */
    return g_strdup_printf ("operations of the _%s form", step->relation);
  if (!meaning)
    return NULL;
  /* "memory_order_seq_cst" already says "memory order seq_cst". */
  g_autofree char *words = g_strdelimit (g_strdup (step->relation), "_", ' ');
  g_autofree char *same = g_strdelimit (g_strdup (meaning), "_", ' ');
  if (g_str_has_suffix (words, same))
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

/* Appends the shown steps of the writer's execution, one per line, from this depth on. */
static void put_steps (const Writer *w, const RspStep *const *steps, guint n, guint depth) {
  g_autoptr (GPtrArray) shown = g_ptr_array_new ();
  collect (steps, n, shown);
  for (guint i = 0; i < shown->len; i++) {
    const RspStep *step = shown->pdata[i];
    if (step->absent) {
      put_absent (w, step, depth);
      continue;
    }
    indent (w, depth);
    if (step->is_set)
      g_string_append_printf (w->out, "%s in ", event_id (w, step->from));
    else
      g_string_append_printf (w->out, "%s → %s  ", event_id (w, step->from),
                              event_id (w, step->to));
    step = put_names (w, step);
    g_string_append_c (w->out, '\n');
    if (!is_turned_leaf (step))
      put_steps (w, step->steps, step->n_steps, depth + 1);
  }
}

/* ---- Text ----------------------------------------------------------------------------------- */

/* Explanations as text. */

static void put_names_of (const Writer *w, const char *const *names) {
  for (guint i = 0; names[i]; i++) {
    g_string_append (w->out, i == 0 ? "" : names[i + 1] ? ", " : " and ");
    put_coloured (w, BOLD, names[i]);
  }
}

static void put_violation (const Writer *w, const RspViolation *violation) {
  const RspAxiomForm *form = rsp_axiom_form (violation->kind);
  g_string_append (w->out, "  ");
  put_coloured (w, BOLD, violation->axiom);
  g_string_append_printf (w->out, " fails: %s%s %s (%s, line %u)", violation->negated ? "~" : "",
                          form->word, violation->relation, violation->file, violation->line);
  if (violation->negated)
    g_string_append (w->out, !form->reflexive ? ": nothing is in it"
                             : form->closed   ? ": there is no cycle"
                                              : ": no event is related to itself");
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
  put_names_of (w, (const char *const *) blame->axioms);
  g_string_append (w->out, ":\n");
  rsp_view_format (blame->execution, w->out);
  for (guint i = 0; i < blame->n_violations; i++)
    put_violation (w, &blame->violations[i]);
}

static void put_forbidden (Writer *w, const RspExplanation *explanation) {
  put_coloured (w, RED, "forbidden");
  if (!explanation->n_blames) {
    g_string_append (
        w->out, "; the axioms that forbid it were not found within the limits of an explanation\n");
    return;
  }
  g_string_append (w->out, " by ");
  for (guint i = 0; i < explanation->n_blames; i++) {
    g_string_append (w->out, i ? "; also by " : "");
    put_names_of (w, (const char *const *) explanation->blames[i].axioms);
    const char *alone = explanation->blames[i].axioms[0] && !explanation->blames[i].axioms[1]
                            ? " alone"
                            : " together";
    g_string_append (w->out, alone);
  }
  g_string_append (w->out, explanation->more_blames ? "; there may be more\n" : "\n");
  for (guint i = 0; i < explanation->n_blames; i++)
    put_blame (w, &explanation->blames[i]);
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
    if (!explanation->witness)
      break;
    w->view = explanation->witness;
    rsp_view_format (explanation->witness, w->out);
    if (explanation->n_steps)
      g_string_append (w->out, "  What the model orders between its threads:\n");
    put_steps (w, explanation->steps, explanation->n_steps, 2);
    break;
  case RSPCHECK_ANSWER_FORBIDDEN:
    put_forbidden (w, explanation);
    break;
  case RSPCHECK_ANSWER_UNREACHABLE:
  case RSPCHECK_ANSWER_UNKNOWN:
    put_coloured (w, RED, rsp_answer_name (explanation->answer));
    g_string_append_c (w->out, '\n');
    for (guint i = 0; explanation->reasons[i]; i++)
      g_string_append_printf (w->out, "  %s\n", explanation->reasons[i]);
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

/* ---- Explanations as JSON ------------------------------------------------------------------- */

static RspJson *steps_list (const RspExecutionView *view, const RspStep *const *steps, guint n) {
  RspJson *list = rsp_json_list ();
  for (guint i = 0; i < n; i++) {
    const RspStep *step = steps[i];
    RspJson *parts
        = step->absent || step->n_steps ? steps_list (view, step->steps, step->n_steps) : NULL;
    rsp_json_add (list, rsp_json_object (
                            "from", rsp_json_text (view->events[step->from].id), "to",
                            rsp_json_text (view->events[step->to].id),
                            step->absent ? "not" : "relation", rsp_json_text (step->relation), "as",
                            step->absent ? NULL : rsp_json_text (rsp_trace_op_name (step->as)),
                            step->absent ? "why" : "steps", parts, NULL));
  }
  return list;
}

/* [[from, to], …] or, if it is flat, [from, to, …]. */
static RspJson *pairs_list (const RspExecutionView *view, const RspMatrix *relation,
                            gboolean flat) {
  RspJson *list = rsp_json_list ();
  for (guint a = 0; a < view->n; a++)
    for (all_bits (b, rsp_matrix_row (relation, a), relation->words)) {
      RspJson *pair = flat ? list : rsp_json_list ();
      rsp_json_add (pair, rsp_json_text (view->events[a].id));
      rsp_json_add (pair, rsp_json_text (view->events[b].id));
      if (!flat)
        rsp_json_add (list, pair);
    }
  return list;
}

/* { name: [[from, to], …] }: all base relations, or those defined by the model that the explanation
 * mentions. */
static RspJson *relations_of_kind (const RspExecutionView *view, RspViewKind kind) {
  RspJson *object = rsp_json_empty ();
  for (guint i = 0; i < view->n_relations; i++) {
    const RspViewRelation *relation = &view->relations[i];
    if (relation->kind != kind || (kind != RSP_VIEW_BASE && !relation->mentioned))
      continue;
    rsp_json_set (object, relation->name, pairs_list (view, relation->pairs, FALSE));
  }
  return object;
}

static RspJson *execution_object (const RspExecutionView *view) {
  RspJson *events = rsp_json_list (), *state = rsp_json_empty ();
  for (guint e = 0; e < view->n; e++) {
    const RspViewEvent *event = &view->events[e];
    RspJson *thread = event->thread == RSP_VIEW_INITIAL
                          ? rsp_json_null ()
                          : rsp_json_number (view->threads[event->thread].number);
    rsp_json_add (events,
                  rsp_json_object (
                      "id", rsp_json_text (event->id), "thread", thread, "line",
                      rsp_json_number (event->line), "column", rsp_json_number (event->column),
                      "text", rsp_json_text (event->text), "source", rsp_json_text (event->source),
                      "sets", rsp_json_strv ((const char *const *) event->sets), "location",
                      rsp_json_text (event->location), "read", rsp_json_text (event->read),
                      "written", rsp_json_text (event->written), NULL));
  }
  for (const char **at = view->state; *at; at += 2)
    rsp_json_set_text (state, at[0], at[1]);
  return rsp_json_object ("events", events, "base", relations_of_kind (view, RSP_VIEW_BASE),
                          "derived", relations_of_kind (view, RSP_VIEW_DEFINED), "state", state,
                          "failed", rsp_json_strv ((const char *const *) view->failed), "raised",
                          rsp_json_strv ((const char *const *) view->raised), NULL);
}

static RspJson *blame_object (const RspBlame *blame) {
  const RspExecutionView *view = blame->execution;
  RspJson *violations = rsp_json_list ();
  for (guint i = 0; i < blame->n_violations; i++) {
    const RspViolation *violation = &blame->violations[i];
    rsp_json_add (violations,
                  rsp_json_object ("check", rsp_json_text (violation->axiom), "test",
                                   rsp_json_text (rsp_axiom_form (violation->kind)->word),
                                   "negated", rsp_json_boolean (violation->negated), "file",
                                   rsp_json_text (violation->file), "line",
                                   rsp_json_number (violation->line), "relation",
                                   rsp_json_text (violation->relation), "steps",
                                   steps_list (view, violation->steps, violation->n_steps), NULL));
  }
  return rsp_json_object (
      "checks", rsp_json_strv ((const char *const *) blame->axioms), "candidates",
      blame->candidates == RSP_MANY_CANDIDATES ? rsp_json_null ()
                                               : rsp_json_count (blame->candidates),
      "execution", execution_object (view), "violations", violations, NULL);
}

static RspJson *flag_object (const RspFlagReason *reason) {
  const RspExecutionView *view = reason->execution;
  RspJson *events = rsp_json_list ();
  if (reason->from != G_MAXUINT)
    rsp_json_add (events, rsp_json_text (view->events[reason->from].id));
  if (reason->from != G_MAXUINT && reason->to != reason->from)
    rsp_json_add (events, rsp_json_text (view->events[reason->to].id));
  return rsp_json_object ("flag", rsp_json_text (reason->flag), "undefined",
                          rsp_json_boolean (reason->undefined), "events", events, "execution",
                          execution_object (view), "steps",
                          steps_list (view, reason->steps, reason->n_steps), "absent",
                          steps_list (view, reason->absent, reason->n_absent), NULL);
}

static RspJson *explanation_object (const RspExplanation *explanation, RspJson *flags) {
  const RspExecutionView *witness = explanation->witness;
  RspJson *blames = rsp_json_list ();
  for (guint i = 0; i < explanation->n_blames; i++)
    rsp_json_add (blames, blame_object (&explanation->blames[i]));
  return rsp_json_object ("question", rsp_json_text (explanation->question), "answer",
                          rsp_json_text (rsp_answer_name (explanation->answer)), "reasons",
                          rsp_json_strv ((const char *const *) explanation->reasons), "witness",
                          witness ? execution_object (witness) : rsp_json_null (), "steps",
                          steps_list (witness, explanation->steps, explanation->n_steps), "blame",
                          blames, "more", rsp_json_boolean (explanation->more_blames), "flags",
                          flags, NULL);
}

RspJson *rsp_explanations_to_json (const RspExplanations *explanations) {
  RspJson *all = rsp_json_list ();
  for (guint i = 0; i < explanations->n_outcomes; i++) {
    RspJson *flags = rsp_json_list ();
    for (guint k = 0; i == 0 && k < explanations->n_flags; k++)
      rsp_json_add (flags, flag_object (&explanations->flags[k]));
    rsp_json_add (all, explanation_object (&explanations->outcomes[i], flags));
  }
  return all;
}

/* ---- Candidates as JSON --------------------------------------------------------------------- */

/* Adds "rf", "a", "b", …: the edges of the picture to which the steps reduce. */
static void add_edges (const RspExecutionView *view, const RspStep *const *steps, guint n,
                       RspJson *edges) {
  for (guint i = 0; i < n; i++) {
    const char *edge = rsp_graph_edge (steps[i]);
    if (steps[i]->absent)
      continue;
    if (edge) {
      rsp_json_add (edges, rsp_json_text (edge));
      rsp_json_add (edges, rsp_json_text (view->events[steps[i]->from].id));
      rsp_json_add (edges, rsp_json_text (view->events[steps[i]->to].id));
    }
    add_edges (view, steps[i]->steps, steps[i]->n_steps, edges);
  }
}

static RspJson *flag_reason (const RspExecutionView *view, const RspFlagReason *flag) {
  g_autoptr (GString) text = g_string_new (NULL);
  const Writer w = { .view = view, .out = text };
  RspJson *edges = rsp_json_list (), *events = rsp_json_list ();
  put_steps (&w, flag->steps, flag->n_steps, 0);
  put_steps (&w, flag->absent, flag->n_absent, 0);
  add_edges (view, flag->steps, flag->n_steps, edges);
  if (flag->from != G_MAXUINT) {
    rsp_json_add (events, rsp_json_text (view->events[flag->from].id));
    rsp_json_add (events, rsp_json_text (view->events[flag->to].id));
  }
  return rsp_json_object ("flag", rsp_json_text (flag->flag), "text", rsp_json_text (text->str),
                          "edges", edges, "events", events, NULL);
}

/* { name: [from, to, from, to, …] } of the model's relations that are not empty. */
static RspJson *relations_of_interest (const RspExecutionView *view) {
  static const char *const bases[] = { "addr", "data", "ctrl", "rmw", NULL };
  RspJson *object = rsp_json_empty ();
  for (guint i = 0; i < view->n_relations; i++) {
    const RspViewRelation *relation = &view->relations[i];
    gboolean of_interest
        = !relation->is_set && !relation->hidden
          && (relation->kind != RSP_VIEW_BASE || g_strv_contains (bases, relation->name));
    if (of_interest && !rsp_matrix_is_empty (relation->pairs))
      rsp_json_set (object, relation->name, pairs_list (view, relation->pairs, TRUE));
  }
  return object;
}

/* An execution, and the reasons against it. */
static RspJson *picture_object (const RspCandidateView *candidate) {
  const RspExecutionView *view = candidate->execution;
  RspGraphOptions options = { .hidden = NULL };
  g_autoptr (GString) dot = g_string_new (NULL);
  RspJson *reasons = rsp_json_list ();
  rsp_graph_format (view, "", NULL, 0, &options, dot);
  for (guint i = 0; i < candidate->n_violations; i++) {
    const RspViolation *violation = &candidate->violations[i];
    g_autoptr (GString) text = g_string_new (NULL);
    RspJson *edges = rsp_json_list ();
    put_violation (&(Writer){ .view = view, .out = text }, violation);
    add_edges (view, violation->steps, violation->n_steps, edges);
    rsp_json_add (reasons, rsp_json_object ("axiom", rsp_json_text (violation->axiom), "text",
                                            rsp_json_text (text->str), "edges", edges, NULL));
  }
  for (guint i = 0; i < candidate->n_flags; i++)
    rsp_json_add (reasons, flag_reason (view, &candidate->flags[i]));
  return rsp_json_object ("failed", rsp_json_strv ((const char *const *) view->failed), "raised",
                          rsp_json_strv ((const char *const *) view->raised), "dot",
                          rsp_json_text (dot->str), "relations", relations_of_interest (view),
                          "reasons", reasons, NULL);
}

/* The witness, with what the model orders between its threads. */
static RspJson *witness_object (const RspExplanation *explanation) {
  const RspExecutionView *view = explanation->witness;
  RspJson *picture = picture_object (&(RspCandidateView){ .execution = view });
  if (!explanation->n_steps)
    return picture;
  g_autoptr (GString) text = g_string_new (NULL);
  put_steps (&(Writer){ .view = view, .out = text }, explanation->steps, explanation->n_steps, 0);
  rsp_json_add (
      rsp_json_get (picture, "reasons", NULL),
      rsp_json_object ("text", rsp_json_text (text->str), "edges", rsp_json_list (), NULL));
  return picture;
}

static RspJson *answer_object (const RspExplanation *explanation) {
  RspJson *pictures = rsp_json_list ();
  if (explanation->witness)
    rsp_json_add (pictures, witness_object (explanation));
  for (guint i = 0; i < explanation->n_blames; i++) {
    const RspBlame *blame = &explanation->blames[i];
    rsp_json_add (pictures, picture_object (&(RspCandidateView){
                                .execution = blame->execution,
                                .violations = blame->violations,
                                .n_violations = blame->n_violations,
                            }));
  }
  return rsp_json_object ("question", rsp_json_text (explanation->question), "answer",
                          rsp_json_text (rsp_answer_name (explanation->answer)), "reasons",
                          rsp_json_strv ((const char *const *) explanation->reasons), "more",
                          rsp_json_boolean (explanation->more_blames), "pictures", pictures, NULL);
}

char *candidates_to_json (const RspCandidateViews *candidates,
                          const RspExplanations *explanations) {
  RspJson *groups = rsp_json_list (), *answers = rsp_json_list (), *flags = rsp_json_list ();
  for (guint i = 0; i < candidates->n_groups; i++) {
    const RspCandidateGroup *group = &candidates->groups[i];
    RspJson *pictures = rsp_json_list ();
    for (guint k = 0; k < group->n_candidates; k++)
      rsp_json_add (pictures, picture_object (&group->candidates[k]));
    rsp_json_add (groups, rsp_json_object ("state", rsp_json_text (group->state), "failed",
                                           rsp_json_strv ((const char *const *) group->failed),
                                           "candidates", rsp_json_number ((gint64) group->n),
                                           "pictures", pictures, NULL));
  }
  for (guint i = 0; explanations && i < explanations->n_outcomes; i++)
    rsp_json_add (answers, answer_object (&explanations->outcomes[i]));
  for (guint i = 0; explanations && i < explanations->n_flags; i++) {
    const RspFlagReason *flag = &explanations->flags[i];
    rsp_json_add (flags, picture_object (&(RspCandidateView){
                             .execution = flag->execution, .flags = flag, .n_flags = 1 }));
  }
  g_autoptr (RspJson) all
      = rsp_json_object ("axioms", rsp_json_strv ((const char *const *) candidates->axioms),
                         "complete", rsp_json_boolean (candidates->complete), "groups", groups,
                         "answers", answers, "flags", flags, NULL);
  return rsp_json_to_string (all);
}
