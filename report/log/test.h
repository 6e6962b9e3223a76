/* One test of a log while its lines are read, and its record afterwards. */
#pragma once

#include "report/log/condition.h"
#include "report/log/read_log.h"

typedef struct RspLogState {
  GArray *bindings; /* see rsp_log_state_parse; owned */
  RspCount executions;
} RspLogState;

/* The test being read. */
typedef struct RspLogTest {
  RspLogEntry *entry;
  RspRecord *record;   /* the entry's */
  gboolean in_states;  /* are the lines states? Until one is not */
  RspSpan states_line; /* has no source if there was none */
  guint64 announced;   /* states */
  gboolean blank;      /* was there an empty line among the states? */
  gboolean complained; /* of a line that is not a state */
  gboolean counted;    /* has every state had a count so far? */
  GPtrArray *states;   /* of RspLogState */
  gsize size;          /* their approximate size in bytes */
  RspLogCondition *condition;
  gboolean has_answer, has_observation, has_witnesses, has_bad_count, interrupted;
  RspCount witnesses[2]; /* positive, negative, as printed */
} RspLogTest;

/* A test that begins on this line. Its entry, which the caller owns, has a record without an
 * answer. */
RspLogTest *logged_test_new (const char *name, const char *kind, RspSpan line, const char *label);
/* Takes the bindings. */
void logged_test_add_state (RspLogTest *test, GArray *bindings, RspCount executions);
/* Call after its last line: completes the record and frees the test. NULL is ignored. */
void logged_test_end (RspLogTest *test, RspDiagnostics *diagnostics);
