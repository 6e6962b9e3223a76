/* Reading logs of rspcheck, of all versions of herd, and of litmus7. */
#pragma once

#include "report/record.h"

/* A test of a log. */
typedef struct RspLogEntry {
  RspRecord *record;
  RspSpan span;      /* its first line */
  RspSpan hash_span; /* its hash; has no source if there is none */
  guint first, end;  /* lines of the source, from 0: its first one, and the next test's */
} RspLogEntry;

void rsp_log_entry_free (RspLogEntry *entry);

/* The tests of a log, in its order: an array of RspLogEntry, never NULL. Their model is label. A
 * test is
 *
 *   Test NAME Allowed            Allowed, Forbidden, Required; may be missing
 *   States N                     or `Histogram (N states)`
 *   1:r0=0; [x]=0x1;             in any order; `123 *>1:r0=0;` with a count
 *   Ok                           Ok, No, Undef, `Loop Ok`, …
 *   Positive: 1 Negative: 2
 *   Bad executions (0 in total):
 *   Flag NAME
 *   Condition exists (…)
 *   Observation NAME Sometimes 1 2
 *   Time NAME 0.02
 *   Hash=…
 *
 * in about this order. Other lines are ignored. Missing or unintelligible lines give a warning, and
 * the record shows which of its numbers are unknown. Spans are valid as long as source. */
GPtrArray *rsp_log_read (RspSource *source, const char *label, RspDiagnostics *diagnostics);

/* Receives a test of a log. */
typedef void (*RspLogTake) (gpointer data, RspLogEntry *entry);
/* Passes on each test as soon as it is read. FALSE, with an error, if a test exceeds the budget;
 * some tests have then not been passed on. */
gboolean rsp_log_read_each (RspSource *source, const char *label, RspBudget *budget,
                            RspLogTake take, gpointer data, RspDiagnostics *diagnostics);
/* Reads the test of these lines again, without warnings. */
RspLogEntry *rsp_log_read_again (RspSource *source, guint first, guint end, const char *label);
