#include "report/explain/columns.h"

#include <string.h>

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

const RspViewRelation *view_relation (const RspExecutionView *view, const char *name) {
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
