/* Explanations as text. Of a derivation those steps are shown that bear a name, one per line,
 * indented below what they explain; sets, brackets and what merely passes an edge on are left out
 * (they are in the JSON). */
#include "report/explain/text.h"
#include "model/axiom_kind.h"

#include <string.h>

typedef struct Writer
{
  const RspExecutionView *view;
  gboolean colour;
  GString *out;
} Writer;

/* ---- Colours ---- */

#define BOLD  "\033[1m"
#define RED   "\033[1;31m"
#define GREEN "\033[1;32m"
#define CYAN  "\033[36m"
#define PLAIN "\033[0m"

static void
put (const Writer *w, const char *colour, const char *text)
{
  if (w->colour)
    g_string_append_printf (w->out, "%s%s" PLAIN, colour, text);
  else
    g_string_append (w->out, text);
}

static void
indent (const Writer *w, guint depth)
{
  for (guint i = 0; i < depth; i++)
    g_string_append (w->out, "  ");
}

static const char *
id (const Writer *w, guint event)
{
  return w->view->events[event].id;
}

/* ---- Executions ---- */

static char *
event_cell (const RspViewEvent *event, guint width)
{
  return g_strdup_printf ("%s: %-*s  line %u", event->id, (int) width, event->text, event->line);
}

/* The longest text of a thread's events. */
static guint
text_width (const RspExecutionView *view, guint thread)
{
  guint width = 0;
  for (guint e = 0; e < view->n; e++)
    if (view->events[e].thread == thread)
      width = MAX (width, (guint) strlen (view->events[e].text));
  return width;
}

/* The k-th event of a thread, or NULL. */
static const RspViewEvent *
event_of_thread (const RspExecutionView *view, guint thread, guint k)
{
  for (guint e = 0; e < view->n; e++)
    if (view->events[e].thread == thread && k-- == 0)
      return &view->events[e];
  return NULL;
}

static void
append_cell (GString *row, const char *text, guint width, gboolean last)
{
  g_string_append (row, text);
  for (glong n = g_utf8_strlen (text, -1); !last && n < (glong) width; n++)
    g_string_append_c (row, ' ');
}

static guint
column_width (const RspExecutionView *view, guint thread)
{
  guint width = 4;
  const RspViewEvent *event;
  for (guint k = 0; (event = event_of_thread (view, thread, k)); k++)
    {
      g_autofree char *cell = event_cell (event, text_width (view, thread));
      width = MAX (width, (guint) g_utf8_strlen (cell, -1));
    }
  return width + 3;
}

static void
append_row (GString *out, GString *row)
{
  while (row->len && row->str[row->len - 1] == ' ')
    g_string_truncate (row, row->len - 1);
  g_string_append_printf (out, "  %s\n", row->str);
  g_string_truncate (row, 0);
}

static void
format_columns (const RspExecutionView *view, GString *out)
{
  g_autoptr (GString) row = g_string_new (NULL);
  gboolean any = TRUE;
  for (guint t = 0; t < view->n_threads; t++)
    {
      g_autofree char *head = g_strdup_printf ("P%u", view->threads[t].number);
      append_cell (row, head, column_width (view, t), t + 1 == view->n_threads);
    }
  append_row (out, row);
  for (guint k = 0; any; k++)
    {
      any = FALSE;
      for (guint t = 0; t < view->n_threads; t++)
        {
          const RspViewEvent *event = event_of_thread (view, t, k);
          g_autofree char *cell = event ? event_cell (event, text_width (view, t)) : g_strdup ("");
          append_cell (row, cell, column_width (view, t), t + 1 == view->n_threads);
          any |= event != NULL;
        }
      if (any)
        append_row (out, row);
    }
}

static const RspViewRelation *
find_relation (const RspExecutionView *view, const char *name)
{
  for (guint i = 0; i < view->n_relations; i++)
    if (strcmp (view->relations[i].name, name) == 0)
      return &view->relations[i];
  return NULL;
}

/* Is the pair a step of the relation, not several in one? */
static gboolean
is_step (const RspMatrix *pairs, guint a, guint b)
{
  for (all_bits (z, rsp_matrix_row (pairs, a), pairs->words))
    if (z != a && z != b && rsp_matrix_get (pairs, z, b))
      return FALSE;
  return TRUE;
}

static void
format_edges (const RspExecutionView *view, const char *name, GString *out)
{
  const RspViewRelation *relation = find_relation (view, name);
  gboolean any = FALSE;
  for (guint a = 0; relation && a < view->n; a++)
    for (all_bits (b, rsp_matrix_row (relation->pairs, a), relation->pairs->words))
      if (is_step (relation->pairs, a, b))
        {
          if (any)
            g_string_append (out, ", ");
          else
            g_string_append_printf (out, "  %s  ", name);
          g_string_append_printf (out, "%s → %s", view->events[a].id, view->events[b].id);
          any = TRUE;
        }
  g_string_append (out, any ? "\n" : "");
}

static void
format_initial (const RspExecutionView *view, GString *out)
{
  for (guint e = 0; e < view->n && view->events[e].thread == RSP_VIEW_INITIAL; e++)
    g_string_append_printf (out, "%s%s: %s", e ? "   " : "  ", view->events[e].id,
                            view->events[e].text);
  g_string_append (out, view->n && view->events[0].thread == RSP_VIEW_INITIAL ? "\n" : "");
}

void
rsp_view_format (const RspExecutionView *view, GString *out)
{
  format_initial (view, out);
  format_columns (view, out);
  format_edges (view, "rf", out);
  format_edges (view, "co", out);
}

/* ---- Steps ---- */

static gboolean
is_leaf (const RspStep *step)
{
  return step->as == RSP_TRACE_BASE || step->as == RSP_TRACE_CHOSEN || step->as == RSP_TRACE_VALUE;
}

/* rf^-1 and similar terms need no explanation. */
static gboolean
is_turned_leaf (const RspStep *step)
{
  return !step->named && step->as == RSP_TRACE_INVERSE && step->n_steps == 1
         && is_leaf (step->steps[0]);
}

/* An expression without a name whose parts say it all. */
static gboolean
passes_on (const RspStep *step)
{
  return !step->named && step->n_steps > 0 && !is_turned_leaf (step);
}

/* What says only that an event is in a set, or is itself. */
static gboolean
is_silent (const RspStep *step)
{
  if (step->is_set || step->as == RSP_TRACE_IDENTITY || step->as == RSP_TRACE_PRODUCT)
    return TRUE;
  if (step->absent || step->from != step->to || is_leaf (step))
    return FALSE;
  for (guint i = 0; i < step->n_steps; i++)
    if (step->steps[i]->absent || !is_silent (step->steps[i]))
      return FALSE;
  return TRUE;
}

/* That an edge is between two events needs no word. */
static gboolean
is_trivial (const RspStep *step)
{
  return step->absent && is_leaf (step) && strcmp (step->relation, "id") == 0
         && step->from != step->to;
}

/* Adds the steps that are shown for these: themselves, or what they are made of. */
static void
collect (const RspStep *const *steps, guint n, GPtrArray *shown)
{
  for (guint i = 0; i < n; i++)
    {
      const RspStep *step = steps[i];
      if ((!step->absent && is_silent (step)) || is_trivial (step))
        continue;
      if (passes_on (step) && (!step->absent || step->as == RSP_TRACE_INVERSE))
        collect (step->steps, step->n_steps, shown);
      else
        g_ptr_array_add (shown, (gpointer) step);
    }
}

static void put_steps (const Writer *w, const RspStep *const *steps, guint n, guint depth);

/* What a base name means, as base_names.def has it; NULL for other names. */
static const char *
meaning_of (const char *name)
{
  static const char *const names[][2] = {
#define RSP_BASE_SET(id, name, meaning)      { name, meaning },
#define RSP_BASE_RELATION(id, name, meaning) { name, meaning },
#define RSP_BASE_ALIAS(name, other)          { name, "=" other },
#include "model/base_names.def"
  };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i][0], name) == 0)
      return names[i][1][0] == '=' ? meaning_of (names[i][1] + 1) : names[i][1];
  return NULL;
}

/* Why two events are not in program order. */
static const char *
remark_on_po (const Writer *w, const RspStep *step)
{
  const RspViewEvent *from = &w->view->events[step->from], *to = &w->view->events[step->to];
  const RspViewRelation *po = find_relation (w->view, "po");
  if (step->from == step->to)
    return "the same event";
  if (from->thread == RSP_VIEW_INITIAL || to->thread == RSP_VIEW_INITIAL)
    return "an initial write";
  if (from->thread != to->thread)
    return "different threads";
  return po && rsp_matrix_get (po->pairs, step->to, step->from) ? "it runs the other way"
                                                                : "unsequenced";
}

/* "memory_order_seq_cst" says by itself that it is "memory order seq_cst". */
static gboolean
speaks_for_itself (const char *name, const char *meaning)
{
  g_autofree char *words = g_strdelimit (g_strdup (name), "_", ' ');
  g_autofree char *same = g_strdelimit (g_strdup (meaning), "_", ' ');
  return g_str_has_suffix (words, same);
}

/* The meaning of a base set or relation that an edge is not in, without the fine print. NULL if
 * there is none. */
static char *
remark_on (const Writer *w, const RspStep *step)
{
  const char *meaning = is_leaf (step) ? meaning_of (step->relation) : NULL;
  if (!meaning || speaks_for_itself (step->relation, meaning))
    return NULL;
  if (strcmp (step->relation, "po") == 0)
    return g_strdup (remark_on_po (w, step));
  return g_strndup (meaning, strcspn (meaning, ":;"));
}

static void
put_absent (const Writer *w, const RspStep *step, guint depth)
{
  g_autofree char *remark = remark_on (w, step);
  indent (w, depth);
  if (step->is_set)
    g_string_append_printf (w->out, "%s not in ", id (w, step->from));
  else
    g_string_append_printf (w->out, "%s → %s not in ", id (w, step->from), id (w, step->to));
  put (w, CYAN, step->relation);
  if (remark)
    g_string_append_printf (w->out, " (%s)", remark);
  g_string_append (w->out, step->n_steps ? ", because\n" : "\n");
  put_steps (w, step->steps, step->n_steps, depth + 1);
}

/* "a → d  ghb by gsw by ra_sw(G)": a step that is another one by another name shares its line. */
static const RspStep *
put_names (const Writer *w, const RspStep *step)
{
  put (w, CYAN, step->relation);
  for (;;)
    {
      g_autoptr (GPtrArray) shown = g_ptr_array_new ();
      collect (step->steps, step->n_steps, shown);
      const RspStep *only = shown->len == 1 ? shown->pdata[0] : NULL;
      if (is_turned_leaf (step) || !only || only->absent || only->from != step->from
          || only->to != step->to)
        return step;
      g_string_append (w->out, " by ");
      put (w, CYAN, only->relation);
      step = only;
    }
}

static void
put_step (const Writer *w, const RspStep *step, guint depth)
{
  if (step->absent)
    {
      put_absent (w, step, depth);
      return;
    }
  indent (w, depth);
  if (step->is_set)
    g_string_append_printf (w->out, "%s in ", id (w, step->from));
  else
    g_string_append_printf (w->out, "%s → %s  ", id (w, step->from), id (w, step->to));
  step = put_names (w, step);
  g_string_append_c (w->out, '\n');
  if (!is_turned_leaf (step))
    put_steps (w, step->steps, step->n_steps, depth + 1);
}

static void
put_steps (const Writer *w, const RspStep *const *steps, guint n, guint depth)
{
  g_autoptr (GPtrArray) shown = g_ptr_array_new ();
  collect (steps, n, shown);
  for (guint i = 0; i < shown->len; i++)
    put_step (w, shown->pdata[i], depth);
}

/* ---- Explanations ---- */

static void
put_names_of (const Writer *w, const char *const *names, const char *last)
{
  for (guint i = 0; names[i]; i++)
    {
      g_string_append (w->out, i == 0 ? "" : names[i + 1] ? ", " : last);
      put (w, BOLD, names[i]);
    }
}

/* How a negated check fails: nothing is there to be shown. */
static const char *
absence (RspcheckAxiomKind kind)
{
  switch (kind)
    {
    case RSPCHECK_AXIOM_ACYCLIC:
      return "there is no cycle";
    case RSPCHECK_AXIOM_IRREFLEXIVE:
      return "no event is related to itself";
    default:
      return "nothing is in it";
    }
}

static void
put_violation (const Writer *w, const RspViolation *violation)
{
  g_string_append (w->out, "  ");
  put (w, BOLD, violation->axiom);
  g_string_append_printf (w->out, " fails: %s%s %s (%s, line %u)", violation->negated ? "~" : "",
                          rsp_axiom_form (violation->kind)->word, violation->relation,
                          violation->file, violation->line);
  if (violation->negated)
    g_string_append_printf (w->out, ": %s", absence (violation->kind));
  g_string_append_c (w->out, '\n');
  put_steps (w, violation->steps, violation->n_steps, 2);
}

static void
put_blame (Writer *w, const RspBlame *blame)
{
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

static void
put_forbidden (Writer *w, const RspExplanation *explanation)
{
  put (w, RED, "forbidden");
  g_string_append (w->out, " by ");
  for (guint i = 0; i < explanation->n_blames; i++)
    {
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

static void
put_reasons (const Writer *w, const RspExplanation *explanation)
{
  g_string_append_c (w->out, '\n');
  for (guint i = 0; explanation->reasons[i]; i++)
    g_string_append_printf (w->out, "  %s\n", explanation->reasons[i]);
}

static void
put_witness (Writer *w, const RspExplanation *explanation)
{
  if (!explanation->witness)
    return;
  w->view = explanation->witness;
  rsp_view_format (explanation->witness, w->out);
  if (explanation->n_steps)
    g_string_append (w->out, "  What the model orders between its threads:\n");
  put_steps (w, explanation->steps, explanation->n_steps, 2);
}

static void
put_explanation (Writer *w, const RspExplanation *explanation)
{
  put (w, BOLD, "Explanation");
  g_string_append_printf (w->out, " %s: ", explanation->question);
  switch (explanation->answer)
    {
    case RSPCHECK_ANSWER_ALLOWED:
      put (w, GREEN, "allowed");
      g_string_append (w->out, "\n\n  An execution with this outcome:\n");
      put_witness (w, explanation);
      break;
    case RSPCHECK_ANSWER_FORBIDDEN:
      put_forbidden (w, explanation);
      break;
    case RSPCHECK_ANSWER_UNREACHABLE:
    case RSPCHECK_ANSWER_UNKNOWN:
      put (w, RED, rsp_answer_name (explanation->answer));
      put_reasons (w, explanation);
    }
  g_string_append_c (w->out, '\n');
}

static void
put_flag (Writer *w, const RspFlagReason *reason)
{
  w->view = reason->execution;
  put (w, BOLD, "Flag");
  g_string_append_c (w->out, ' ');
  put (w, RED, reason->flag);
  if (reason->from != G_MAXUINT)
    g_string_append_printf (w->out, ": %s", id (w, reason->from));
  if (reason->from != G_MAXUINT && reason->to != reason->from)
    g_string_append_printf (w->out, " and %s", id (w, reason->to));
  g_string_append (w->out, "\n\n");
  rsp_view_format (reason->execution, w->out);
  put_steps (w, reason->steps, reason->n_steps, 1);
  put_steps (w, reason->absent, reason->n_absent, 1);
  g_string_append_c (w->out, '\n');
}

void
rsp_explanations_format (const RspExplanations *explanations, gboolean colour, GString *out)
{
  Writer w = { .colour = colour, .out = out };
  for (guint i = 0; i < explanations->n_outcomes; i++)
    put_explanation (&w, &explanations->outcomes[i]);
  for (guint i = 0; i < explanations->n_flags; i++)
    put_flag (&w, &explanations->flags[i]);
}

void
rsp_steps_format (const RspExecutionView *view, const RspStep *const *steps, guint n, GString *out)
{
  Writer w = { .view = view, .out = out };
  put_steps (&w, steps, n, 0);
}

void
rsp_violation_format (const RspExecutionView *view, const RspViolation *violation, GString *out)
{
  Writer w = { .view = view, .out = out };
  put_violation (&w, violation);
}
