/* The form of a run on a machine: each test's log and verdict, and the totals. */
#include "cli/sinks/report.h"
#include "cli/base/stream.h"
#include "report/log/log.h"

typedef struct Totals {
  guint verdicts[RSP_N_SOUNDNESS];
  guint deadlocks;
} Totals;

static gboolean begin (CliSink *sink) {
  sink->data = g_new0 (Totals, 1);
  return TRUE;
}

/* Each line of the text, with two blanks before it. */
static void append_indented (const char *title, const char *text, GString *out) {
  if (!text)
    return;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_string_append_printf (out, "%s\n", title);
  for (guint i = 0; lines[i]; i++)
    if (*lines[i])
      g_string_append_printf (out, "  %s\n", lines[i]);
}

static gboolean take (CliSink *sink, const RspRecord *record) {
  Totals *totals = sink->data;
  const RspMachineReport *report = &record->machine;
  g_autoptr (GString) text = g_string_new (NULL);
  rsp_log_format (record, sink->options->verbose > 0, text);
  gsize length = text->len;
  rsp_soundness_format (record, text);
  append_indented ("Trace", report->trace, text);
  append_indented ("Deadlock trace", report->deadlock_trace, text);
  append_indented ("Invariant trace", report->violated_trace, text);
  if (text->len > length)
    g_string_append_c (text, '\n');
  totals->verdicts[report->verdict]++;
  totals->deadlocks += report->deadlock;
  return cli_write (text);
}

/* ---- Bills ---- */

/* The bill's lines, each split into name, least, mean and most. */
static GPtrArray *split_bill (const char *bill) {
  GPtrArray *lines = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  g_auto (GStrv) split = g_strsplit (bill ? bill : "", "\n", -1);
  for (guint i = 0; split[i] && *split[i]; i++)
    g_ptr_array_add (lines, g_strsplit (split[i], " ", 4));
  return lines;
}

static gboolean is_nothing (char **line) { return g_str_equal (line[3], "0"); }

/* The bills of one test, side by side: one row per item with a cost. */
static void append_bills (const GPtrArray *records, guint first, guint n, GString *out) {
  g_autoptr (GPtrArray) bills = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  guint n_items = 0;
  for (guint k = 0; k < n; k++) {
    GPtrArray *bill = split_bill (((RspRecord *) records->pdata[first + k])->machine.bill);
    n_items = MAX (n_items, bill->len);
    g_ptr_array_add (bills, bill);
  }
  g_string_append_printf (out, "%-24s", ((RspRecord *) records->pdata[first])->test);
  for (guint k = 0; k < n; k++)
    g_string_append_printf (out, " %20s",
                            ((RspRecord *) records->pdata[first + k])->machine.mapping);
  g_string_append (out, n_items ? "\n" : "\n  no bill\n");
  for (guint item = 0; item < n_items; item++) {
    g_autoptr (GString) row = g_string_new (NULL);
    const char *name = NULL;
    gboolean any = FALSE;
    for (guint k = 0; k < n; k++) {
      GPtrArray *bill = bills->pdata[k];
      char **line = item < bill->len ? bill->pdata[item] : NULL;
      g_autofree char *cell
          = line ? g_strdup_printf ("%s %s %s", line[1], line[2], line[3]) : g_strdup ("-");
      g_string_append_printf (row, " %20s", cell);
      name = line ? line[0] : name;
      any |= line && !is_nothing (line);
    }
    if (any)
      g_string_append_printf (out, "  %-22s%s\n", name, row->str);
  }
}

static gboolean write_bills (const GPtrArray *records) {
  g_autoptr (GString) text = g_string_new ("Bill: least, mean and most\n");
  for (guint i = 0; i < records->len;) {
    const RspRecord *record = records->pdata[i];
    guint n = MIN (record->columns, records->len - i);
    append_bills (records, i, n, text);
    i += n;
  }
  return cli_write (text);
}

static gboolean end (CliSink *sink, const GPtrArray *records) {
  const Totals *totals = sink->data;
  if (sink->options->cost && !write_bills (records))
    return FALSE;
  if (totals->verdicts[RSP_UNJUDGED] == records->len)
    return TRUE;
  g_autoptr (GString) text = g_string_new (NULL);
  g_string_append_printf (text, "Sound: %u Unsound: %u Vacuous: %u Bounded: %u Deadlock: %u\n",
                          totals->verdicts[RSP_SOUND], totals->verdicts[RSP_UNSOUND],
                          totals->verdicts[RSP_VACUOUS], totals->verdicts[RSP_BOUNDED],
                          totals->deadlocks);
  return cli_write (text);
}

static void clear (CliSink *sink) { g_free (sink->data); }

const CliSink cli_sink_machine
    = { .begin = begin, .take = take, .end = end, .clear = clear, .keeps_records = TRUE };
