/* The form of a run on a machine: each test's log and verdict, and the totals. */
#include "cli/sinks/report.h"
#include "cli/sinks/stream.h"
#include "report/log/log.h"

typedef struct Totals
{
  guint verdicts[RSP_N_SOUNDNESS];
  guint deadlocks;
} Totals;

static gboolean
begin (CliSink *sink)
{
  sink->data = g_new0 (Totals, 1);
  return TRUE;
}

/* Each line of the text, with two blanks before it. */
static void
append_indented (const char *title, const char *text, GString *out)
{
  if (!text)
    return;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_string_append_printf (out, "%s\n", title);
  for (guint i = 0; lines[i]; i++)
    if (*lines[i])
      g_string_append_printf (out, "  %s\n", lines[i]);
}

static gboolean
take (CliSink *sink, const RspRecord *record)
{
  Totals *totals = sink->data;
  const RspMachineReport *report = &record->machine;
  g_autoptr (GString) text = g_string_new (NULL);
  rsp_log_format (record, sink->options->verbose > 0, text);
  gsize length = text->len;
  rsp_soundness_format (record, text);
  append_indented ("Trace", report->trace, text);
  append_indented ("Deadlock trace", report->deadlock_trace, text);
  if (text->len > length)
    g_string_append_c (text, '\n');
  totals->verdicts[report->verdict]++;
  totals->deadlocks += report->deadlock;
  sink->differs |= report->verdict == RSP_UNSOUND;
  return cli_write (text);
}

static gboolean
end (CliSink *sink, const GPtrArray *records)
{
  const Totals *totals = sink->data;
  if (totals->verdicts[RSP_UNJUDGED] == records->len)
    return TRUE;
  g_autoptr (GString) text = g_string_new (NULL);
  g_string_append_printf (text, "Sound: %u Unsound: %u Vacuous: %u Bounded: %u Deadlock: %u\n",
                          totals->verdicts[RSP_SOUND], totals->verdicts[RSP_UNSOUND],
                          totals->verdicts[RSP_VACUOUS], totals->verdicts[RSP_BOUNDED],
                          totals->deadlocks);
  return cli_write (text);
}

static void
clear (CliSink *sink)
{
  g_free (sink->data);
}

const CliSink cli_sink_machine = { .begin = begin, .take = take, .end = end, .clear = clear };
