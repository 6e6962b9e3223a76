/* One test of a log, as its lines are read, and what its record says when they are. */
#ifndef RSP_REPORT_LOG_TEST_H
#define RSP_REPORT_LOG_TEST_H

#include "report/log/text.h"
#include "report/log/read_log.h"

typedef struct RspLogState
{
  GArray *bindings; /* see rsp_log_state_parse; owned */
  RspCount executions;
} RspLogState;

/* The test that is being read. */
typedef struct RspLogTest
{
  RspLogEntry *entry;
  RspRecord *record;   /* the entry's */
  gboolean in_states;  /* the lines are states, until one is something else */
  RspSpan states_line; /* without a source: there was none */
  guint64 announced;   /* states */
  gboolean blank;      /* among the states was an empty line */
  gboolean complained; /* of a line that is not a state */
  gboolean counted;    /* every state has a count so far */
  GPtrArray *states;   /* of RspLogState */
  gsize size;          /* about how many bytes they take */
  RspLogCondition *condition;
  gboolean has_answer, has_observation, has_witnesses, has_bad_count, interrupted;
  RspCount witnesses[2]; /* positive, negative, as printed */
} RspLogTest;

/* A test that begins in a line. Its entry, which is the caller's, has a record without an
 * answer. */
RspLogTest *rsp_log_test_new (const char *name, const char *kind, RspSpan line, const char *label);
/* Takes the bindings. */
void rsp_log_test_add_state (RspLogTest *test, GArray *bindings, RspCount executions);
/* Its last line was read: completes the record and frees the test. NULL is none. */
void rsp_log_test_end (RspLogTest *test, RspDiagnostics *diagnostics);

#endif
