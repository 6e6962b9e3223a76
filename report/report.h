#pragma once

#include <glib.h>

#include "base/base.h"
#include "enumerator/execution.h"
#include "enumerator/search/hang.h"
#include "model/model.h"
#include "parser/program.h"
#include "report/explanation.h"
#include "report/record.h"

/* ---- Columns -------------------------------------------------------------------------------- */

/* Executions as text. */

/* An execution as aligned columns, one per thread, with its reads-from and coherence below. */
void rsp_view_format (const RspExecutionView *view, GString *out);

/* ---- Text ----------------------------------------------------------------------------------- */

/* Explanations as text, for a terminal and for documents. */

/* Appends the explanations of the test, followed by an empty line; in colour with ANSI escapes if
 * `colour`. */
void rsp_explanations_format (const RspExplanations *explanations, gboolean colour, GString *out);

/* ---- Graph ---------------------------------------------------------------------------------- */

/* Pictures of executions, in DOT or in TikZ. */

/* What is drawn in addition to program order, reads-from, coherence and from-read. All arrays are
 * NULL-terminated arrays of strings; NULL is an empty one. */
typedef struct RspGraphOptions {
  const char *const *shown;      /* -doshow: names of relations */
  const char *const *hidden;     /* -unshow */
  const char *const *attributes; /* -edgeattr: "R,key,value"; DOT's alone */
  gboolean tikz;                 /* a tikzpicture, which needs the library `fit`; else DOT */
} RspGraphOptions;

/* Appends the execution, always the same text for the same execution: one column per thread
 * in the boxes of its scopes. title is the picture's label. The steps (NULL: none) are drawn bold,
 * and everything else grey. */
void rsp_graph_format (const RspExecutionView *view, const char *title, const RspStep *const *steps,
                       guint n_steps, const RspGraphOptions *options, GString *out);

/* The relation to which a step's edge belongs in pictures, such as "rf" for a step of rfe; NULL if
 * pictures do not have it. */
const char *rsp_graph_edge (const RspStep *step);

/* ---- Latex ---------------------------------------------------------------------------------- */

/* Tests as LaTeX prints them. A document begins with rsp_latex_head and ends with rsp_latex_tail.
 */

extern const char rsp_latex_head[], rsp_latex_tail[];

/* Appends the text with what LaTeX gives a meaning as it would print it; `?` for characters that a
 * plain LaTeX does not have. */
void rsp_latex_escape (const char *text, GString *out);

/* Appends the test of these records (of RspRecord, at least one): its threads side by side, its
 * question, and the answers in words. A text that is not a test of threads is printed line by line.
 */
void rsp_latex_format_test (const GPtrArray *records, GString *out);

/* ---- Json ----------------------------------------------------------------------------------- */

/* Records as JSON Lines, both ways. What is read back equals what was written, so that a report
 * made from a file equals the one made directly. docs/schema.json describes a line. */

enum {
  RSP_JSON_FORMAT = 2 /* value of the member `format`; readers refuse newer ones */
};

/* Appends one line. */
void rsp_json_format (const RspRecord *record, GString *out);

/* A record and its line, without a counted reference to the source. */
typedef struct RspJsonLine {
  RspRecord *record;
  RspSpan span;
} RspJsonLine;

/* Reads a file of records and appends them to lines (of RspJsonLine, which own the records). Wrong
 * lines are reported in diagnostics with their place and left out; an incomplete last line is left
 * out with a warning, and so are unknown members, with one warning each. FALSE after an error.
 * *whole, unless NULL, is the number of bytes up to the last complete line. */
gboolean rsp_json_read (RspSource *source, GArray *lines, gsize *whole,
                        RspDiagnostics *diagnostics);

/* ---- Condition ------------------------------------------------------------------------------ */

/* Conditions of logs in a uniform format: `not (1:r0=1)` is `~(1:r0=1)`. */

/* `exists (1:r0=1 /\ x=2)` */
typedef struct RspLogCondition RspLogCondition;

/* NULL for other texts, and for forms of conditions that are not supported. */
RspLogCondition *rsp_log_condition_parse (const char *text);
void rsp_log_condition_free (RspLogCondition *condition);

/* In the form of rsp_program_format_condition; newly allocated. */
char *rsp_log_condition_format (const RspLogCondition *condition);

/* The proposition's truth in a state; open if the state does not decide it. */
RspTruth rsp_log_condition_truth (const RspLogCondition *condition, const GArray *state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspLogCondition, rsp_log_condition_free)

/* ---- Log ------------------------------------------------------------------------------------ */

/* The log, in herd's format, so that herd's log readers can read it. */

/* Appends the log of one test, a blank line at its end:
 *
 *   Test NAME Allowed
 *   States 2
 *   0:r0=0; x=1;
 *   0:r0=1; x=1;
 *   Ok                                  `Loop Ok` where unrolling truncated a loop
 *   Witnesses
 *   Positive: 1 Negative: 1
 *   Bad executions (1 in total): 0      only if the model has an undefined_unless
 *   Flag data_race                      one for each flag that some execution raises
 *   Condition exists (0:r0=1)
 *   Observation NAME Sometimes 1 1
 *   Hash=…
 *   ScopeHash=…                         only if scope_hash
 *
 * and that of a device's runs is litmus7's:
 *
 *   Test NAME Allowed
 *   Histogram (2 states)
 *   13428 *>1:r0=1; 1:r1=0;            `*` where the condition holds
 *   794210:>1:r0=1; 1:r1=1;
 *   Ok
 *
 *   Witnesses
 *   Positive: 13428, Negative: 794210
 *   Condition exists (…) is validated
 *   Hash=…
 *   Observation NAME Sometimes 13428 794210
 *   Time NAME 0.20
 *   Device …, Compiler …, Rounds …, Setup …
 *   Model opencl: Violation             for each judgement, and each state under it
 *   NOT ALLOWED by opencl: 1:r0=1; 1:r1=0;  seen 13428 times
 *   allowed by opencl: 1:r0=1; 1:r1=1;  seen 794210 times
 *   allowed by opencl: 1:r0=0; 1:r1=0;  not seen
 *
 * A test that did not finish has only its first line and the reason (`Timeout after 60 s`). A test
 * or model that could not be read has no log. */
void rsp_log_format (const RspRecord *record, gboolean scope_hash, GString *out);

/* Takes what has been formatted so far, and empties it. */
typedef void (*RspLogPartTake) (GString *part, gpointer data);

/* The same for a log that may be long: parts are taken whenever they are long enough. What remains
 * in `out` is the caller's to take. */
void rsp_log_format_parts (const RspRecord *record, gboolean scope_hash, GString *out,
                           RspLogPartTake take, gpointer data);

/* ---- Read log ------------------------------------------------------------------------------- */

/* Reading logs of rspcheck, of all versions of herd, and of litmus7. */

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
 * the tests before it have been passed on. */
gboolean rsp_log_read_each (RspSource *source, const char *label, RspBudget *budget,
                            RspLogTake take, gpointer data, RspDiagnostics *diagnostics);

/* Reads the test of these lines again, without warnings. */
RspLogEntry *rsp_log_read_again (RspSource *source, guint first, guint end, const char *label);

/* ---- State ---------------------------------------------------------------------------------- */

/* States of logs in a uniform format: equal states compare equal, whichever tool printed them.
 * `[x]=0x3;` becomes `x=3;`, and registers come first, by thread and name. */

/* A part of a state, as strings. */
typedef struct RspLogBinding {
  char *name; /* "1:r0", "x", "a[1]" */
  char *value;
} RspLogBinding;

/* The state on a line of length bytes: a GArray of RspLogBinding; NULL if it is not a state. An
 * empty line is a state without bindings. Free with g_array_unref. */
GArray *rsp_log_state_parse (const char *text, gsize length);

/* "1:r0=1; x=3;"; newly allocated. */
char *rsp_log_state_format (const GArray *state);

/* Is the second state the first one for some numbers in the place of its symbols? */
gboolean rsp_log_state_covers (const char *general, const char *state);

/* ---- For states and conditions ---- */
typedef struct RspLogScan {
  const char *at, *end;
} RspLogScan;

/* ---- Model help ----------------------------------------------------------------------------- */

/* The description of a model: its name, axioms, flags, warnings, variants, and source. */

/* Appends the model's name and file; the names of its axioms that forbid executions (axioms), that
 * make a program undefined or raise a flag (flags), or that warn, each once, with the variants that
 * it depends on; every variant that it or an included file tests for; and the comment at the head
 * of its file. Headings are not indented; their contents are. */
void rsp_model_format_help (const RspModel *model, GString *out);

/* ---- Progress ------------------------------------------------------------------------------- */

/* Hangs in records: which progress models let the test hang, and how. */

/* Adds a flag `hangs:MODEL` for each progress model under which the test hangs, `unknown:MODEL` if
 * a limit (options: those of the search) came first, a line for each model ("Hangs NAME: P1 waits
 * at line 7 for x", "Ends NAME"; with the model's name if there are several), and, if explained,
 * how it hangs. */
void rsp_record_set_hangs (RspRecord *record, const RspHangs *hangs, const RspCheckOptions *options,
                           gboolean explained);

/* How it hangs: what becomes of each thread, an order of what happens, and which promises would be
 * enough. Newly allocated; NULL if it does not hang. */
char *rsp_hangs_explain (const RspHangs *hangs);

/* ---- Titles --------------------------------------------------------------------------------- */

/* Titles of tests, in tables and lists: their names, followed by the paths where several have one
 * name: "MP (b/MP.litmus)". */

/* The titles of the records (RspRecord), for rsp_test_title; records may be empty. */
GHashTable *rsp_test_titles (const GPtrArray *records);
void rsp_test_titles_add (GHashTable *titles, const char *test, const char *path);

/* Newly allocated. */
char *rsp_test_title (GHashTable *titles, const char *test, const char *path);

/* ---- Relate --------------------------------------------------------------------------------- */

/* The relation between two records of one test: those of two models, or of a device and a model. */

/* The relation between two models on a test. The first one … */
typedef enum RspSuiteRelation {
  RSP_WEAKER, /* allows more */
  RSP_STRONGER,
  RSP_INCOMPARABLE,
  RSP_EQUAL,
  RSP_UNDEFINED_IN_ONE,
  RSP_NOT_COMPARED, /* one has no complete answer, or only states that -speedcheck looked for */
  RSP_N_RELATIONS
} RspSuiteRelation;

extern const char *const rsp_relation_titles[RSP_N_RELATIONS];

/* Either may be NULL. They differ if their states, flags or observations do, or only one was
 * checked to the end. Ignored are counts alone, a test that is missing in one column (a log's) or
 * left out there, and
 * whatever else is said of a program that is undefined in both. A device's cell differs from a
 * model's by a state of a defined program that the model does not allow: a device need not show
 * everything that is allowed. */
gboolean rsp_records_differ (const RspRecord *a, const RspRecord *b);

/* RSP_NOT_COMPARED unless both have complete answers. A program that is undefined in both is
 * equal. */
RspSuiteRelation rsp_records_relate (const RspRecord *a, const RspRecord *b);

/* Does the program have undefined behaviour? If a log does not say whether its flags mean that,
 * they do if the other record has undefined behaviour and raises all of them. */
gboolean rsp_record_is_undefined_for (const RspRecord *record, const RspRecord *other);

/* Does the record have only the states that decide the condition, because of -speedcheck? */
gboolean rsp_record_is_hurried (const RspRecord *record);

/* Some flag is raised, or the log it comes from says that there is undefined behaviour. */
gboolean rsp_record_is_flagged (const RspRecord *record);
gboolean rsp_record_has_flag (const RspRecord *record, const char *name);

/* ---- Judgements: the states seen on a device, compared with those that a model allows ---- */
/* seen is a device's record and allowed a model's, of the same test. */
RspJudged rsp_judge (const RspRecord *seen, const RspRecord *allowed);

/* Judges, and stores the judgement in seen. */
void rsp_judge_record (RspRecord *seen, const RspRecord *allowed);

/* The record's first violation among its judgements, or else its judgement; RSP_JUDGED_NOT if it
 * has none. */
gboolean rsp_record_is_violation (const RspRecord *record);

/* "Agrees", "Racy", "Violation", "Bounded", "NotJudged"; NULL ends them. */
extern const char *const rsp_judged_names[];

/* ---- Suite ---------------------------------------------------------------------------------- */

/* A suite as a table: one row per test, one column per model, and how the models relate. All
 * reports that compare models (table, page) take their numbers from here. */

/* One test: one record per column, NULL where there is none. */
typedef struct RspSuiteRow {
  const RspRecord **cells;
  gboolean differs; /* does some cell differ from the first existing one? */
} RspSuiteRow;

typedef struct RspSuite {
  GPtrArray *models; /* labels of the columns, in order of appearance; the records' */
  GArray *rows;      /* of RspSuiteRow */
} RspSuite;

/* The numbers of a model's tests by verdict. */
typedef enum RspTotal {
  RSP_TOTAL_NEVER,
  RSP_TOTAL_SOMETIMES,
  RSP_TOTAL_ALWAYS,
  RSP_TOTAL_FLAGGED,
  RSP_TOTAL_LOOP,
  RSP_TOTAL_UNFINISHED,
  RSP_TOTAL_LEFT_OUT,
  RSP_N_TOTALS
} RspTotal;

extern const char *const rsp_total_titles[RSP_N_TOTALS];

/* records: of RspRecord, grouped by test. They must outlive the suite. */
RspSuite *suite_new (const GPtrArray *records);
void suite_free (RspSuite *suite);
const RspSuiteRow *suite_row (const RspSuite *suite, guint i);

/* The first record of the row that is not left out, or else the first. */
const RspRecord *suite_first (const RspSuite *suite, const RspSuiteRow *row);

/* Adds a record to the totals of its column. */
void count_record (const RspRecord *record, guint totals[RSP_N_TOTALS]);

/* Column k's totals. */
void suite_total (const RspSuite *suite, guint k, guint totals[RSP_N_TOTALS]);

/* The number of totals that are shown: the last one only if a test is left out. */
guint suite_n_totals (const RspSuite *suite);

/* The numbers of tests on which column a relates to column b in each way. */
void suite_relate (const RspSuite *suite, guint a, guint b, guint found[RSP_N_RELATIONS]);

/* Can the states of column k's cell, which has an answer, be compared with those of other
 * columns? See records_compare_states. */
gboolean suite_has_states (const RspSuite *suite, const RspSuiteRow *row, guint k);

/* Do these numbers show that none of the tests distinguishes the two models? */
gboolean is_indistinguishable (const guint found[RSP_N_RELATIONS], guint n_rows);

/* The judgement of each model in the row of a device's runs, "Agrees" or "Racy/Agrees"; "" for a
 * model's record. Newly allocated. */
char *suite_judgements (const RspSuite *suite, const RspSuiteRow *row, const RspRecord *record);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspSuite, suite_free)

/* ---- Change --------------------------------------------------------------------------------- */

/* Changes: how a test's answer changes when the test is changed. */

/* From one record to another. The lists are of const char * owned by the records, and empty if one
 * of the two has no answer, those of states also if it has undefined behaviour. */
typedef struct RspChange {
  const RspRecord *before, *after;
  GPtrArray *gained, *lost;             /* states */
  GPtrArray *flags_gained, *flags_lost; /* flags */
} RspChange;

void rsp_change_init (RspChange *change, const RspRecord *before, const RspRecord *after);
void rsp_change_clear (RspChange *change);

/* Do both records have an answer? */
gboolean rsp_change_is_known (const RspChange *change);

/* Are the two compared by their states? See records_compare_states. */
gboolean rsp_change_compares_states (const RspChange *change);

/* No change: both have an answer, the same flags, and the same observation and states, or
 * undefined behaviour. */
gboolean rsp_change_is_none (const RspChange *change);

/* "Never"; "undefined", where what happens is no verdict; or the reason for a missing answer. */
const char *rsp_change_observation (const RspRecord *record);

/* "Never -> undefined", or "Never" if it is the same. Newly allocated. */
char *rsp_change_format_verdict (const RspChange *change);

/* "+data_race -divergence", or "" if they are the same. Newly allocated. */
char *rsp_change_format_flags (const RspChange *change);

/* Appends a line for each state gained or lost, "+ 1:r0=1;", indented by this many blanks. */
void rsp_change_format_states (const RspChange *change, guint indent, GString *out);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RspChange, rsp_change_clear)

/* ---- Rows ----------------------------------------------------------------------------------- */

/* Appends rows (GStrv, each with as many cells as the first) in aligned columns, after an empty
 * line. */
void rsp_rows_format (const GPtrArray *rows, GString *out);

/* ---- Compare -------------------------------------------------------------------------------- */

/* Comparisons: one row per test, one column per model, and where models differ. */

typedef struct RspTableStyle {
  gboolean colour;    /* ANSI colours for cells that differ from the row's first */
  gboolean only_diff; /* only rows that differ, each with the disagreements */
  gboolean latex;     /* tables of LaTeX */
} RspTableStyle;

/* A comparison, test by test. It keeps only a line per test. */
typedef struct RspComparison RspComparison;

RspComparison *rsp_comparison_new (const RspTableStyle *style);
void rsp_comparison_free (RspComparison *comparison);

/* A row: the records (RspRecord) of a test, at least one, each of a different model. */
void rsp_comparison_add (RspComparison *comparison, const GPtrArray *records);

/* Appends the table, the answer in words if there is one test, totals, and how every two models
 * relate:
 *
 *     Test  own        opencl_rem
 *     MP    Never 0/3  Never 0/3
 *   * Race  Never 0/2  Never 0/2 data_race
 *
 * Models differ on a test if they allow different states, raise different flags, give different
 * observations, or only one of them was checked to the end. Differences in counts alone are
 * ignored, and so are tests that are missing in a column (of a log). */
void rsp_comparison_format (const RspComparison *comparison, GString *out);

/* Cells of that table, newly allocated; see rsp_tsv_format. n_cells is RSP_TSV_COLUMNS, and NULL
 * ends the array: free with g_strfreev. */
enum { RSP_TSV_COLUMNS = 7 };

extern const char *const rsp_tsv_columns[RSP_TSV_COLUMNS];

/* ---- Progress table ------------------------------------------------------------------------- */

/* A suite under several progress models. */

/* Appends a table of what becomes of each test under each of the models ("ends", "hangs", "ends?"
 * as far as loops were unrolled, "unknown") and of the weakest promises under which it ends; and
 * for each model and the next weaker ones, the tests that end only under the stronger one. records:
 * of RspRecord; those without an answer are left out. */
void rsp_progress_table_format (const GPtrArray *records, const RspProgress *models, guint n,
                                GString *out);

/* ---- Tsv ------------------------------------------------------------------------------------ */

/* The columns of expected.tsv: model, test, observation, positive, negative, states, flags. */
void rsp_tsv_format_header (GString *out);
void rsp_tsv_format (const RspRecord *record, const char *title, GString *out);
char **rsp_tsv_cells (const RspRecord *record);

/* "Never", "Sometimes", "Always"; "Timeout" or similar for a test that did not finish. */
const char *rsp_tsv_verdict_word (const RspRecord *record);
