#include "enumerator/search/bounded/report/journal.h"
#include "enumerator/search/bounded/report/account.h"
#include "enumerator/event.h"
#include "enumerator/search/bounded/report/prunings.h"

enum {
  MOST_BYTES = 4 << 20 /* limit of a journal */
};

static void line (Searcher *s, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Writes one line; the last one states that the journal is full. */
static void line (Searcher *s, const char *format, ...) {
  if (s->journal->len > MOST_BYTES)
    return;
  va_list arguments;
  va_start (arguments, format);
  g_string_append_printf (s->journal, "[%u] ", s->depth);
  g_string_append_vprintf (s->journal, format, arguments);
  g_string_append_c (s->journal, '\n');
  va_end (arguments);
  if (s->journal->len > MOST_BYTES)
    g_string_append (s->journal, "the journal ends here: it is full\n");
}

/* ---- Events ---- */

static const char *kind_letter (const RspEvent *event) {
  if (!rsp_event_is_access (event))
    return "F";
  return event->kind == RSP_EVENT_RMW ? "RMW" : rsp_event_is_read (event) ? "R" : "W";
}

/* The event's text in the test, with each sequence of blanks replaced by one; newly allocated. */
static char *source_text (const RspEvent *event) {
  GString *text = g_string_new (NULL);
  for (guint i = event->span.begin; event->span.source && i < event->span.end; i++) {
    char c = event->span.source->text[i];
    if (!g_ascii_isspace (c))
      g_string_append_c (text, c);
    else if (text->len && text->str[text->len - 1] != ' ')
      g_string_append_c (text, ' ');
  }
  return g_string_free (text, FALSE);
}

/* "e3: P1 R x, line 9: `r0 = *x`", or "e0: W x, initial". */
static void describe_event (Searcher *s, guint e) {
  const RspProgram *program = s->pre->program;
  const RspEvent *event = s->pre->events[e];
  const char *at = rsp_event_is_access (event) ? program->locations[event->location].name : "";
  if (rsp_event_is_initial (event)) {
    line (s, "e%u: W %s, initial", e, at);
    return;
  }
  g_autofree char *text = source_text (event);
  line (s, "e%u: %s %s%s%s, line %u: `%s`", e, program->threads[event->thread].name,
        kind_letter (event), *at ? " " : "", at,
        event->span.source ? rsp_span_line (event->span) : 0, text);
}

void journal_begin (Searcher *s, guint n_events) {
  GString *paths = g_string_new (NULL);
  for (guint t = 0; t < s->pre->program->n_threads; t++)
    g_string_append_printf (paths, "%s%s path %u", t ? ", " : "", s->pre->program->threads[t].name,
                            s->search->numbers ? s->search->numbers[t] : 0);
  line (s, "combination: %s", paths->str);
  g_string_free (paths, TRUE);
  for (guint e = 0; e < n_events; e++)
    describe_event (s, e);
}

/* ---- Decisions ---- */

/* "rf", "co", or the place of a chosen order among the model's. */
static const char *leaf_name (guint leaf, char *number, gsize size) {
  if (leaf == RSP_LEAF_RF)
    return "rf";
  if (leaf == RSP_LEAF_CO)
    return "co";
  g_snprintf (number, size, "order %u", leaf - RSP_LEAF_ORDER + 1);
  return number;
}

/* "e1 e2 e5" for a set without one of its events; newly allocated. */
static char *others (const Searcher *s, const guint64 *set, guint but) {
  GString *text = g_string_new (NULL);
  for (all_bits (e, set, s->words))
    if (e != but)
      g_string_append_printf (text, " e%u", e);
  return g_string_free (text, FALSE);
}

void journal_decision (Searcher *s, const Choice *choice, guint alternative) {
  char number[32];
  gboolean next = choice->kind == CHOICE_NEXT;
  gboolean pair = choice->kind == CHOICE_PAIR;
  g_autofree char *rest
      = others (s, next ? choice->rest : choice->set, pair ? choice->read : alternative);
  if (next)
    line (s, "decide %s: e%u is before%s", leaf_name (choice->leaf, number, sizeof number),
          alternative, rest);
  else if (pair)
    line (s, "decide %s: e%u is%s before%s", leaf_name (choice->leaf, number, sizeof number),
          choice->read, alternative == choice->read ? "" : " not", rest);
  else if (choice->kind == CHOICE_SPLIT && alternative == choice->read)
    line (s, "decide rf: e%u does not read from%s", choice->read, rest);
  else if (choice->kind == CHOICE_SPLIT)
    line (s, "decide rf: e%u reads from e%u", choice->read, alternative);
  else
    line (s, "decide rf: e%u reads from e%u, not from%s", choice->read, alternative, rest);
}

/* ---- What follows ---- */

void journal_forced (Searcher *s, guint axiom, const GArray *pairs) {
  g_autofree char *label = rsp_axiom_label (&s->model->axioms[axiom]);
  for (guint i = 0; i < pairs->len; i++) {
    const RspForced *pair = &g_array_index (pairs, RspForced, i);
    char number[32];
    line (s, "%s (e%u, e%u) is forced %s by %s", leaf_name (pair->leaf, number, sizeof number),
          pair->a, pair->b, pair->required ? "true" : "false", label);
  }
}

void journal_pruned (Searcher *s, guint why) {
  guint n = s->model->n_axioms;
  g_autofree char *label = why < n ? rsp_axiom_label (&s->model->axioms[why]) : NULL;
  line (s, "pruned by %s",
        label                         ? label
        : why == n + PRUNED_BY_VALUES ? RSP_PRUNED_BY_VALUES
                                      : RSP_PRUNED_BY_FORCED);
}

void journal_results (Searcher *s, gboolean known, const RspResults *results) {
  line (s, "%s: %u result%s", known ? "found in the memo" : "leaf", results->n,
        results->n == 1 ? "" : "s");
}
