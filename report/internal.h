#pragma once

#include "base/json.h"
#include "report/explanation.h"
#include "report/report.h"

/* ---- Candidates json ------------------------------------------------------------------------ */

/* Candidate executions as JSON: the member `candidates` of a record (docs/schema.json), from which
 * the page is made. */

/* An object with the candidates and with the executions of the explanations, each as a picture in
 * DOT with its explanation. Newly allocated text without line ends. */
char *candidates_to_json (const RspCandidateViews *candidates, const RspExplanations *explanations);

/* ---- To json -------------------------------------------------------------------------------- */

/* Explanations as JSON: the member `explanation` of a record (docs/schema.json). */

/* An array with one object per question; the first also has the reasons of the flags. The caller's.
 */
RspJson *rsp_explanations_to_json (const RspExplanations *explanations);

/* Is the pair a single step of the relation, not several in one? */
gboolean is_step (const RspMatrix *pairs, guint a, guint b);

/* ---- Grid ----------------------------------------------------------------------------------- */

/* Small tables of text, aligned. */

/* Each line is a title and one cell per column. */
typedef struct RspGrid {
  GPtrArray *lines; /* of GStrv */
  gsize *widths;
  guint n_columns; /* the title's included */
  gboolean latex;
} RspGrid;

RspGrid grid_new (guint n_columns);
void grid_clear (RspGrid *grid);

/* A line of n cells, words or numbers, after a title. Takes the title. */
void grid_add_words (RspGrid *grid, char *title, const char *const *words, guint n);

/* Appends an empty line and the grid. No line ends with blanks. */
void grid_format (const RspGrid *grid, GString *out);

/* ---- Test ----------------------------------------------------------------------------------- */

/* One test of a log while its lines are read, and its record afterwards. */

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
