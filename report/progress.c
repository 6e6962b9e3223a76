/* Hangs as text, and the table of progress models. */
#include "enumerator/execution.h"
#include "enumerator/terms/terms.h"
#include "report/internal.h"
#include "report/record.h"
#include "report/report.h"

#include <string.h>

/* ---- Progress ------------------------------------------------------------------------------- */

/* ---- Who waits ---- */
static void format_wait (const RspProgram *program, const RspHangThread *thread, GString *out) {
  g_string_append (out, thread->at_barrier || thread->n_locations ? " waits" : " loops");
  if (thread->span.source)
    g_string_append_printf (out, " at line %u", rsp_span_line (thread->span));
  if (thread->at_barrier)
    g_string_append (out, " at a barrier");
  for (guint i = 0; i < thread->n_locations; i++)
    g_string_append_printf (out, "%s %s", i ? " and" : " for",
                            program->locations[thread->locations[i]].name);
}

/* ---- How ---- */
static void format_value (const RspHang *hang, const char *verb, guint location, RspValue value,
                          GString *out) {
  const RspProgram *program = hang->execution->pre->program;
  g_string_append_printf (out, ", %s %s=", verb, program->locations[location].name);
  rsp_value_format (program, &program->locations[location].type, value, out);
}

static void format_schedule (const RspHang *hang, GString *out) {
  const RspPreExecution *pre = hang->execution->pre;
  const RspMatrix *repeated = pre->base->sets[RSP_BASE_SET_REPEATED];
  gboolean repeats = FALSE;
  for (guint i = 0; i < hang->n_schedule; i++) {
    gboolean begins = !repeats && rsp_set_has (repeated, hang->schedule[i]);
    if (begins || i == 0)
      g_string_append (out, !begins ? "  in this order:\n"
                            : i     ? "  and then for ever:\n"
                                    : "  for ever:\n");
    repeats |= begins;
    g_string_append (out, "    ");
    const RspExecution *execution = hang->execution;
    const guint event = hang->schedule[i];
    const RspEvent *e = execution->pre->events[event];
    g_string_append_printf (out, "P%u", e->thread);
    if (e->span.source)
      g_string_append_printf (out, " line %u", rsp_span_line (e->span));
    if (rsp_event_is_read (e))
      format_value (hang, "reads", e->location, execution->values[event], out);
    if (rsp_event_is_write (e))
      format_value (hang, "writes", e->location, execution->written[event], out);
    if (e->kind == RSP_EVENT_FENCE)
      g_string_append (out, ", a fence");
    if (e->kind == RSP_EVENT_ENTRY || e->kind == RSP_EVENT_BARRIER)
      g_string_append (out, ", reaches a barrier");
    if (e->kind == RSP_EVENT_EXIT)
      g_string_append (out, ", passes the barrier");
    g_string_append_c (out, '\n');
  }
}

/* The progress models under which it hangs in this way; NULL: under which it does not hang. */
static void format_models (const RspHangs *hangs, const RspExecution *way, GString *out) {
  const char *separator = "";
  for (guint i = 0; i < hangs->n; i++)
    if (hangs->items[i].execution == way) {
      g_autofree char *model = rsp_progress_format (&hangs->items[i].progress);
      g_string_append_printf (out, "%s%s", separator, model);
      separator = ", ";
    }
}

/* The weakest promises under which the test ends. */
static void format_enough (const RspHangs *hangs, GString *out) {
  for (guint i = 0; i < hangs->n; i++) {
    const RspProgress *progress = &hangs->items[i].progress;
    gboolean weakest = !hangs->items[i].hangs;
    for (guint k = 0; k < hangs->n; k++)
      weakest = weakest
                && (hangs->items[k].hangs
                    || !rsp_progress_is_stronger (progress, &hangs->items[k].progress));
    if (!weakest)
      continue;
    g_autofree char *model = rsp_progress_format (progress);
    g_string_append_printf (out, "  %s is enough", model);
    if (!strchr (model, '='))
      g_string_append_printf (out, ": it runs %s again and again",
                              rsp_promise_texts[progress->promise[RSP_LEVEL_THREAD]]);
    g_string_append_c (out, '\n');
  }
}

char *rsp_hangs_explain (const RspHangs *hangs) {
  gboolean unknown = hangs->stop != RSPCHECK_STOP_COMPLETE;
  GString *out = g_string_new (NULL);
  gboolean ends = FALSE;
  for (guint i = 0; i < hangs->n; i++) {
    guint first = 0; /* to hang in this way */
    while (hangs->items[first].execution != hangs->items[i].execution)
      first++;
    if (hangs->items[i].hangs && first == i) {
      g_string_append_printf (out, "How %s hangs under ", hangs->program.name);
      format_models (hangs, hangs->items[i].execution, out);
      g_string_append (out, ":\n");
      const RspHang *hang = &hangs->items[i];
      static const char *const words[] = { [RSP_FATE_ENDED] = "ends",
                                           [RSP_FATE_STOPPED] = "is not run any more",
                                           [RSP_FATE_UNSTARTED] = "is never run" };
      for (guint t = 0; t < hangs->program.n_threads; t++) {
        g_string_append_printf (out, "  P%u", t);
        if (hang->threads[t].fate == RSP_FATE_UNENDING)
          format_wait (&hangs->program, &hang->threads[t], out);
        else
          g_string_append_printf (out, " %s", words[hang->threads[t].fate]);
        g_string_append_c (out, '\n');
      }
      format_schedule (hang, out);
    } else
      ends |= !hangs->items[i].hangs && !unknown;
  }
  if (out->len && ends) {
    g_string_append_printf (out, "%s ends under ", hangs->program.name);
    format_models (hangs, NULL, out);
    g_string_append_c (out, '\n');
    format_enough (hangs, out);
  }
  return g_string_free (out, !out->len);
}

void rsp_record_set_hangs (RspRecord *record, const RspHangs *hangs, const RspCheckOptions *options,
                           gboolean explained) {
  g_autofree char *unknown = rsp_stop_reason (hangs->stop, options);
  GString *verdicts = g_string_new (NULL);
  for (guint i = 0; i < hangs->n; i++) {
    const RspHang *hang = &hangs->items[i];
    g_autofree char *model = rsp_progress_format (&hang->progress);
    g_autofree char *flag = g_strdup_printf ("%s:%s", hang->hangs ? "hangs" : "unknown", model);
    /* unknown: why it is unknown whether the test ends, or NULL. */
    g_string_append_printf (verdicts, "%s %s",
                            hang->hangs ? "Hangs"
                            : unknown   ? "Unknown"
                                        : "Ends",
                            hangs->program.name);
    if (hangs->n > 1)
      g_string_append_printf (verdicts, " under %s", model);
    if (hang->hangs) {
      g_string_append (verdicts, ": ");
      /* "P1 waits at line 7 for x, P2 waits at line 9 at a barrier" */
      const char *separator = "";
      for (guint t = 0; t < hangs->program.n_threads; t++)
        if (hang->threads[t].fate == RSP_FATE_UNENDING) {
          g_string_append_printf (verdicts, "%sP%u", separator, t);
          format_wait (&hangs->program, &hang->threads[t], verdicts);
          separator = ", ";
        }
    } else if (unknown)
      g_string_append_printf (verdicts, ": %s", unknown);
    else if (hangs->bounded)
      g_string_append (verdicts, " (as far as loops are unrolled)");
    g_string_append_c (verdicts, '\n');
    if (hang->hangs || unknown)
      rsp_record_add_flag (record, flag);
  }
  record->progress = g_string_free (verdicts, FALSE);
  record->schedule = explained ? rsp_hangs_explain (hangs) : NULL;
}

/* ---- Progress table ------------------------------------------------------------------------- */

typedef struct Table {
  const RspProgress *models;
  guint n;
  GPtrArray *words; /* the models', owned */
  GArray *rows;     /* of Row */
  guint *hanging;   /* per model: tests that hang */
} Table;

/* A test, and the words of its line. */
typedef struct Row {
  char *test; /* its title */
  const char *const *cells;
} Row;

static const char progress_table_hangs[] = "hangs", ends[] = "ends", ends_bounded[] = "ends?",
                  unknown[] = "unknown";

/* ---- Rows ---- */
static void add_row (Table *table, const RspRecord *record, GHashTable *titles) {
  g_auto (GStrv) lines = g_strsplit (record->progress ? record->progress : "", "\n", -1);
  if (g_strv_length (lines) != table->n + 1)
    return;
  const char **cells = g_new (const char *, table->n);
  for (guint i = 0; i < table->n; i++) {
    cells[i] = g_str_has_prefix (lines[i], "Hangs ")   ? progress_table_hangs
               : !g_str_has_prefix (lines[i], "Ends ") ? unknown
               : g_str_has_suffix (lines[i], ")")      ? ends_bounded
                                                       : ends;
    table->hanging[i] += cells[i] == progress_table_hangs;
  }
  Row row = { rsp_test_title (titles, record->test, record->path), cells };
  g_array_append_val (table->rows, row);
}

static const Row *get_row (const Table *table, guint i) {
  return &g_array_index (table->rows, Row, i);
}

static gboolean is_end (const char *cell) { return cell == ends || cell == ends_bounded; }

/* The models under which the test ends, but under no weaker one: "obe, hsa". */
static char *format_weakest (const Table *table, const Row *row) {
  g_autoptr (GPtrArray) weakest = g_ptr_array_new ();
  for (guint i = 0; i < table->n; i++) {
    gboolean least = is_end (row->cells[i]);
    for (guint k = 0; k < table->n; k++)
      least = least
              && !(is_end (row->cells[k])
                   && rsp_progress_is_stronger (&table->models[i], &table->models[k]));
    if (least)
      g_ptr_array_add (weakest, table->words->pdata[i]);
  }
  g_ptr_array_add (weakest, NULL);
  return weakest->len > 1 ? g_strjoinv (", ", (char **) weakest->pdata) : g_strdup ("none");
}

/* ---- The lattice ---- */
static gboolean is_next_weaker (const Table *table, guint strong, guint weak) {
  const RspProgress *m = table->models;
  if (!rsp_progress_is_stronger (&m[strong], &m[weak]))
    return FALSE;
  for (guint i = 0; i < table->n; i++)
    if (rsp_progress_is_stronger (&m[strong], &m[i]) && rsp_progress_is_stronger (&m[i], &m[weak]))
      return FALSE;
  return TRUE;
}

static void format_lattice (const Table *table, GString *out) {
  RspGrid grid = grid_new (2);
  const char *heading = "tests that end under the first, and hang under the second";
  grid_add_words (&grid, g_strdup ("Promises"), &heading, 1);
  for (guint a = 0; a < table->n; a++)
    for (guint b = 0; b < table->n; b++)
      if (is_next_weaker (table, a, b)) { /* "3, such as MP" */
        const char *first = NULL;
        guint n = 0;
        for (guint r = 0; r < table->rows->len; r++) {
          const Row *row = get_row (table, r);
          if (!is_end (row->cells[a]) || row->cells[b] != progress_table_hangs)
            continue;
          first = first ? first : row->test;
          n++;
        }
        g_autofree char *separating
            = n ? g_strdup_printf ("%u, such as %s", n, first) : g_strdup ("0");
        const char *cell = separating;
        grid_add_words (&grid,
                        g_strdup_printf ("%s > %s", (char *) table->words->pdata[a],
                                         (char *) table->words->pdata[b]),
                        &cell, 1);
      }
  if (grid.lines->len > 1)
    grid_format (&grid, out);
  grid_clear (&grid);
}

/* ---- The whole ---- */
static void clear_row (gpointer data) {
  g_free (((Row *) data)->test);
  g_free ((gpointer) ((Row *) data)->cells);
}

void rsp_progress_table_format (const GPtrArray *records, const RspProgress *models, guint n,
                                GString *out) {
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (Row));
  g_autofree guint *hanging = g_new0 (guint, n + 1);
  g_autoptr (GHashTable) titles = rsp_test_titles (records);
  Table table = { models, n, words, rows, hanging };
  g_array_set_clear_func (rows, clear_row);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (words, rsp_progress_format (&models[i]));
  for (guint i = 0; i < records->len; i++)
    add_row (&table, records->pdata[i], titles);
  if (!rows->len)
    return;
  RspGrid grid = grid_new (table.n + 2);
  g_autofree const char **cells = g_new (const char *, table.n + 1);
  memcpy (cells, table.words->pdata, sizeof *cells * table.n);
  cells[table.n] = "enough";
  grid_add_words (&grid, g_strdup ("Progress"), cells, table.n + 1);
  for (guint r = 0; r < table.rows->len; r++) {
    const Row *row = get_row (&table, r);
    g_autofree char *weakest = format_weakest (&table, row);
    memcpy (cells, row->cells, sizeof *cells * table.n);
    cells[table.n] = weakest;
    grid_add_words (&grid, g_strdup (row->test), cells, table.n + 1);
  }
  g_autoptr (GPtrArray) totals = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < table.n; i++)
    g_ptr_array_add (totals, g_strdup_printf ("%u", table.hanging[i]));
  memcpy (cells, totals->pdata, sizeof *cells * table.n);
  cells[table.n] = "";
  grid_add_words (&grid, g_strdup_printf ("of %u hang", table.rows->len), cells, table.n + 1);
  grid_format (&grid, out);
  grid_clear (&grid);
  format_lattice (&table, out);
  g_string_erase (out, 0, 1); /* the line before the first table */
}
