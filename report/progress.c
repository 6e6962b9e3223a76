#include "report/progress.h"
#include "report/verdict.h"
#include "enumerator/event.h"
#include "enumerator/terms/value.h"

#include <string.h>

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

/* "P1 waits at line 7 for x, P2 waits at line 9 at a barrier" */
static void format_waits (const RspHangs *hangs, const RspHang *hang, GString *out) {
  const char *separator = "";
  for (guint t = 0; t < hangs->program.n_threads; t++)
    if (hang->threads[t].fate == RSP_FATE_UNENDING) {
      g_string_append_printf (out, "%sP%u", separator, t);
      format_wait (&hangs->program, &hang->threads[t], out);
      separator = ", ";
    }
}

/* unknown: why it is not known that it ends, or NULL. */
static void format_verdict (const RspHangs *hangs, const RspHang *hang, const char *model,
                            const char *unknown, GString *out) {
  g_string_append_printf (out, "%s %s",
                          hang->hangs ? "Hangs"
                          : unknown   ? "Unknown"
                                      : "Ends",
                          hangs->program.name);
  if (hangs->n > 1)
    g_string_append_printf (out, " under %s", model);
  if (hang->hangs) {
    g_string_append (out, ": ");
    format_waits (hangs, hang, out);
  } else if (unknown)
    g_string_append_printf (out, ": %s", unknown);
  else if (hangs->bounded)
    g_string_append (out, " (as far as loops are unrolled)");
  g_string_append_c (out, '\n');
}

/* ---- How ---- */

static void format_fates (const RspHangs *hangs, const RspHang *hang, GString *out) {
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
}

static void format_value (const RspHang *hang, const char *verb, guint location, RspValue value,
                          GString *out) {
  const RspProgram *program = hang->execution->pre->program;
  g_string_append_printf (out, ", %s %s=", verb, program->locations[location].name);
  rsp_value_format (program, &program->locations[location].type, value, out);
}

static void format_step (const RspHang *hang, guint event, GString *out) {
  const RspExecution *execution = hang->execution;
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
    format_step (hang, hang->schedule[i], out);
  }
}

/* The progress models under which it hangs in this way (NULL: in none). */
static void format_models (const RspHangs *hangs, const RspExecution *way, GString *out) {
  const char *separator = "";
  for (guint i = 0; i < hangs->n; i++)
    if (hangs->items[i].execution == way) {
      g_autofree char *model = rsp_progress_format (&hangs->items[i].progress);
      g_string_append_printf (out, "%s%s", separator, model);
      separator = ", ";
    }
}

static gboolean is_first_of_its_way (const RspHangs *hangs, guint i) {
  for (guint k = 0; k < i; k++)
    if (hangs->items[k].execution == hangs->items[i].execution)
      return FALSE;
  return TRUE;
}

static void format_hang (const RspHangs *hangs, const RspHang *hang, GString *out) {
  g_string_append_printf (out, "How %s hangs under ", hangs->program.name);
  format_models (hangs, hang->execution, out);
  g_string_append (out, ":\n");
  format_fates (hangs, hang, out);
  format_schedule (hang, out);
}

/* The weakest promises under which it ends. */
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
  for (guint i = 0; i < hangs->n; i++)
    if (hangs->items[i].hangs && is_first_of_its_way (hangs, i))
      format_hang (hangs, &hangs->items[i], out);
    else
      ends |= !hangs->items[i].hangs && !unknown;
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
    format_verdict (hangs, hang, model, unknown, verdicts);
    if (hang->hangs || unknown)
      rsp_record_add_flag (record, flag);
  }
  record->progress = g_string_free (verdicts, FALSE);
  record->schedule = explained ? rsp_hangs_explain (hangs) : NULL;
}
