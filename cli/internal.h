#pragma once

#include <glib.h>
#include <signal.h>

#include "base/base.h"
#include "base/json.h"
#include "cli/options.h"
#include "enumerator/execution.h"
#include "model/model.h"
#include "parser/program.h"
#include "parser/translation.h"
#include "report/record.h"
#include "report/report.h"

/* See cli/extra.h. */
typedef struct CliTests CliTests;
typedef struct CliMethod CliMethod;

/* ---- Lines ---------------------------------------------------------------------------------- */

/* Files of lines: the common form of @index, -conf, -names, -kinds and -conds files. */

/* A line without its comment and without blanks around it; never empty. */
typedef struct CliLine {
  char *text;
  RspSpan span;
} CliLine;

/* Reads a file's lines. `#` begins a comment at the start of a line or after a blank, but not
 * within double quotes. NULL after an error, reported in diagnostics at `at`. Free with
 * g_array_unref; spans are valid as long as the array. */
GArray *cli_lines_read (const char *path, RspSpan at, RspDiagnostics *diagnostics);

/* Splits a line at its first blank: terminates the first word there and returns the rest without
 * leading blanks; NULL if there is none. */
char *cli_line_split (CliLine *line);

/* ---- Status --------------------------------------------------------------------------------- */

/* The exit status of the process. */

enum {
  CLI_STATUS_OK = 0,
  CLI_STATUS_UNFINISHED = 1, /* something could not be read or completely checked */
  CLI_STATUS_USAGE = 2,
  CLI_STATUS_DIFFERENT = 3 /* under -expect: some result is not as expected */
};

/* ---- Stream --------------------------------------------------------------------------------- */

/* The two output streams, results and messages about them, and files of results. */

/* ---- The progress line ---- */
/* On a terminal, from half a second after its beginning on; what the functions below print takes
 * its place. One at a time. */

/* Appends what is known of the work. Called in another thread. */
typedef void (*CliDescribe) (gpointer data, GString *line);

/* describe: called a few times a second to renew the line; NULL: cli_progress_update renews it. */
void cli_progress_begin (const CliOptions *options, CliDescribe describe, gpointer data);
void cli_progress_update (const char *text);

/* Shows it again, if something has been printed. */
void cli_progress_renew (void);
double cli_progress_seconds (void); /* since its beginning */
void cli_progress_end (void);

/* "4.2 s", "3 min 20 s", "2 h 5 min" */
void cli_append_time (double seconds, GString *out);

/* ---- Output ---- */
/* Writes text to the file at once: 0, or an errno. */
int cli_write_to (FILE *file, const GString *text);

/* The same to standard output. FALSE, with a message on standard error, if it cannot be
 * written: the reader has closed it, or the disk is full. */
gboolean cli_write (const GString *text);

/* Replaces a file atomically: it is always the old one or the new one. A pipe or a device is
 * written to. FALSE after an error, which is reported on standard error. */
gboolean cli_write_file (const char *path, const GString *text);

/* Appends to a file. Failure is as above. */
gboolean cli_append_file (const char *path, const GString *text);

/* Is it a link, through which -confined does not write? */
gboolean cli_is_kept_out (const char *path);

/* Can the file probably be written? FALSE after an error, reported as above. */
gboolean cli_can_write_file (const char *path);

/* Reports on standard error that the file or directory cannot be written, because of errno_.
 * FALSE. */
gboolean cli_report_unwritten (const char *path, int errno_);

/* Makes a name, of a test or a model, one of a file: not hidden, and without blanks. The argument.
 */
char *cli_file_name (char *name);

/* The path of a file of results in the folder (NULL: the current one). Takes the name, which has
 * names of tests and models in it: whatever they are, the file is in that folder, and as
 * cli_file_name makes it; a hash shortens a name that is too long for a file. */
char *cli_path_in (const char *folder, char *name);

/* Makes the directory, and those above it, unless it is there or NULL. FALSE after an error,
 * reported as above. */
gboolean cli_make_folder (const char *path);

/* Prints what diagnostics hold to standard error and drops it; without warnings and notes if
 * only_errors. Coloured on a terminal unless NO_COLOR is set. Returns the number of errors. */
guint cli_print_diagnostics (RspDiagnostics *diagnostics, gboolean only_errors);

/* The warnings of many tests: each kind once, at the end, with its first place and how often it
 * occurs. */
typedef struct CliWarnings CliWarnings;

/* all: they stay where they are, and only what several models say of one place goes. */
CliWarnings *cli_warnings_new (gboolean all);
void cli_warnings_free (CliWarnings *warnings);

/* Takes the warnings about a test out of diagnostics. test: its number; tests come one by one. */
void cli_warnings_take (CliWarnings *warnings, guint test, RspDiagnostics *diagnostics);

/* Moves those that were taken to diagnostics. */
void cli_warnings_tell (CliWarnings *warnings, RspDiagnostics *diagnostics);

/* Is the stream (STDOUT_FILENO, STDERR_FILENO) a terminal that should show colours? */
gboolean cli_uses_colour (int stream);

/* ---- Column --------------------------------------------------------------------------------- */

/* Columns: a model, with options of its own, that tests are run under. */

typedef struct CliColumn {
  char *file;  /* the model, as given */
  char *label; /* the column's heading: "hrf_rsp", "hrf_rsp -variant subset" */
  /* Names, those of the command line first; they end with NULL, so that pdata is a list too. */
  GPtrArray *variants, *skipped;
  RspCheckOptions check;
  GArray *progress;      /* of RspProgress */
  char *described;       /* the options in words: see rsp_run_options_format */
  const CliTests *tests; /* no model: what runs tests in a language of their own; or NULL */
  gpointer own;          /* what the column means to it, as one block of memory */
} CliColumn;

/* From `MODEL` or `MODEL -OPTION VALUE…`, as `-model` takes it and expected.tsv names it, in
 * addition to the command line's options. The options are -variant, -skipcheck, -unroll, -progress
 * and -through, which are part of the label, and -engine and -timeout, which are not, because they
 * do not change results. The name of a machine for tests in a language of their own has other
 * options. NULL after an error, reported in diagnostics at `at`. */
CliColumn *cli_column_new (const CliOptions *options, const char *text, RspSpan at,
                           RspDiagnostics *diagnostics);
void cli_column_free (CliColumn *column);

/* ---- Those of a run ---- */
typedef struct CliColumns {
  GPtrArray *given;                        /* of CliColumn: one for each -model */
  GPtrArray *defaults[RSP_N_LANGUAGES][2]; /* one each; of tests with newer words, if it differs */
  GHashTable *own; /* CliTests → GPtrArray of CliColumn: for tests in languages of their own */
} CliColumns;

/* NULL after an error. Where several models have one file name, the labels are their paths. */
CliColumns *cli_columns_new (const CliOptions *options, RspDiagnostics *diagnostics);
void cli_columns_free (CliColumns *columns);

/* The columns under which a test is run unless expectations name others. */
const GPtrArray *cli_columns_for (const CliColumns *columns, RspLanguageId language,
                                  gboolean newer);

/* Is the label that of a default? */
gboolean cli_columns_default_to (const CliColumns *columns, const char *label);
const GPtrArray *cli_columns_of_tests (const CliColumns *columns, const CliTests *tests);

/* Is there a column of that label in the list? */
gboolean cli_columns_have (const GPtrArray *columns, const char *label);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliColumns, cli_columns_free)

/* ---- Left out ------------------------------------------------------------------------------- */

/* Tests in languages that a model or machine is not for, which a run of several tests leaves out.
 */
typedef struct CliLeftOut {
  const char *model;      /* as the column is headed; interned */
  const RspModel *loaded; /* NULL: a machine, or known from a record only */
  GPtrArray *languages;   /* of const char *, interned */
  guint n;
} CliLeftOut;

/* Each model's; free with g_array_unref. */
GArray *cli_left_out_new (void);
void cli_left_out_add (GArray *all, const char *model, const RspModel *loaded,
                       const char *language);

/* One warning for each model. If there were no other tests, or the model is for no language, errors
 * say why. */
void cli_left_out_report (const GArray *all, gboolean no_others, RspDiagnostics *diagnostics);

/* ---- Each ----------------------------------------------------------------------------------- */

/* Questions about given tests, each under each of its models. */

typedef struct CliQuestion {
  const char *option;      /* "vary" */
  gboolean tells_warnings; /* the answer has the warnings about a test */
  gboolean writes;         /* files in the folder of -o */
  const char *tsv_head;    /* the first line of -tsv; NULL: it has no such form */
  /* FALSE if there is no answer, or not all of it. */
  gboolean (*answer) (gpointer data, const RspProgram *program, const char *path,
                      const CliColumn *column, const RspModel *model);
  gpointer data;
} CliQuestion;

/* Asks it about the tests that the options name. Takes and empties diagnostics, before the first
 * test and after each. Returns the exit status. */
int cli_ask_each (const CliOptions *options, const CliQuestion *question,
                  RspDiagnostics *diagnostics);

/* ---- Models --------------------------------------------------------------------------------- */

/* Models: finding them and keeping them loaded. */

typedef struct CliModels CliModels;

/* A model as it was found for the tests of one directory. */
typedef struct CliModel {
  const RspModel *model; /* NULL if it cannot be read */
  RspDiagnostics *diagnostics;
} CliModel;

/* options must outlive it. */
CliModels *cli_models_new (const CliOptions *options);
void cli_models_free (CliModels *models);

/* The model of that column for a test, searched for as given, in -I directories, in the folder of
 * the test, in $RSPCHECK_LIB and among the models that came with the program. Owned by models. May
 * be called in several threads. */
CliModel *cli_models_get (CliModels *models, const CliColumn *column, const char *test);

/* The model as a promise to programs of a language: what it flags may be undefined behaviour there.
 */
CliModel *cli_models_get_for (CliModels *models, const CliColumn *column, const char *test,
                              RspLanguageId language);

/* Moves a model's diagnostics to `diagnostics`, unless the same were reported before. The order of
 * these calls, which are made in one thread, is the order of the output. */
void cli_models_report (CliModels *models, CliModel *model, RspDiagnostics *diagnostics);

/* Warns about names of -skipcheck and -variant that no model loaded so far knows, a column's own
 * included. */
void cli_models_report_unknown (const CliModels *models, RspDiagnostics *diagnostics);

/* `-help-model`: prints what each model of the options is (without any: the default one); returns
 * the process's status. Takes and empties diagnostics. */
int cli_help_models (CliOptions *options, RspDiagnostics *diagnostics);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliModels, cli_models_free)

/* ---- Claims --------------------------------------------------------------------------------- */

/* Claims: the observations that a test's comments expect.
 *
 *   (* Result: Never *)                          under every model
 *   // Result opencl: Sometimes                  under this one
 *
 * `Result` is at the beginning of a line or comment, after any `*`. */

typedef struct CliClaim {
  RspSpan span; /* of the word: Never, Sometimes or Always. Borrows the source */
  char *model;  /* as -model takes it; NULL: any */
  RspcheckObservation observation;
} CliClaim;

/* ---- Expect table --------------------------------------------------------------------------- */

/* expected.tsv: the expected results of the tests in its folder, one row per test and model.
 *
 *   # a comment
 *   model  test  observation  positive  negative  states  flags        (between tabs)
 *   hrf_rsp -variant subset  MP  Sometimes  1  3  -  data_race,thin_air
 *
 * A model is named as for -model, without `.cat`. `-` means: not compared; in the last column: no
 * flag. */

typedef struct CliRow {
  RspSpan span; /* of the line */
  CliColumn *column;
  char **cells; /* RSP_TSV_COLUMNS, as written, without blanks around them */
} CliRow;

typedef struct CliTable {
  char *path;
  RspSource *source;   /* NULL if there is no such file */
  GPtrArray *rows;     /* of CliRow */
  GHashTable *by_test; /* test -> GPtrArray of CliRow */
  GPtrArray *usual;    /* of CliColumn: those that every test of the table has; maybe none */
  gboolean sound;      /* was everything in it understood? */
} CliTable;

/* See their definitions. tests/fuzz/ reads such files too. */
GArray *cli_claims_read (RspSource *source, RspDiagnostics *diagnostics);
CliTable *cli_table_read (const char *path, const CliOptions *options, RspDiagnostics *diagnostics);
void cli_table_free (CliTable *table);

/* ---- Selection ------------------------------------------------------------------------------ */

/* Selection: which tests to run (-names), and questions that replace their own (-conds, -kinds). */

typedef struct CliSelection CliSelection;

typedef struct CliKind {
  RspQuantifier quantifier;
  RspSpan span; /* of the word */
  gint met;     /* set by any thread */
} CliKind;

/* Reads the files that options name. NULL after an error, reported in diagnostics. */
CliSelection *cli_selection_new (const CliOptions *options, RspDiagnostics *diagnostics);
void cli_selection_free (CliSelection *selection);

/* Is the test to be run? Records that it has been met. */
gboolean cli_selection_includes (CliSelection *selection, const char *name);

/* The place of the replacement condition for the test of that name; without a source if there is
 * none. Valid while the selection lives. */
RspSpan cli_selection_question (const CliSelection *selection, const char *name);

/* Overrides the quantifier, if one of -kinds' files does. Under -expect, kinds are the expected
 * results and override nothing. */
void cli_selection_set_kind (const CliSelection *selection, RspProgram *program);

/* The kind of the test of that name in the files of -kinds; NULL if there is none. */
const CliKind *cli_selection_kind (const CliSelection *selection, const char *name);

/* Warns about names of -names that no test has, and reports the number of unused kinds. */
void cli_selection_report_missing (const CliSelection *selection, RspDiagnostics *diagnostics);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliSelection, cli_selection_free)

/* ---- Expectations --------------------------------------------------------------------------- */

/* Expectations: the expected results, and so the models under which -expect runs each test. */

typedef struct CliExpectations CliExpectations;

/* The expectations for the tests of one folder. */
typedef struct CliFolder {
  CliTable *table;
  gboolean complete; /* are all tests of the folder run? */
} CliFolder;

/* Reads expected.tsv in the folder of each of the paths; errors are reported in diagnostics.
 * Everything given must outlive it. */
CliExpectations *cli_expectations_new (const CliOptions *options, const CliColumns *columns,
                                       CliSelection *selection, const GPtrArray *paths,
                                       RspDiagnostics *diagnostics);
void cli_expectations_free (CliExpectations *expectations);

/* The relevant properties of a test. */
typedef struct CliTest {
  const char *name;
  RspSource *source;
  const GPtrArray
      *defaults; /* of CliColumn: what it is run under unless expectations name other columns */
} CliTest;

/* The columns under which the test is run: each -model; else those that its expectations name; else
 * those of all other tests of its folder; else the default. A list of CliColumn, which the caller
 * unrefs. Any thread may call it. */
GPtrArray *cli_expectations_columns (CliExpectations *expectations, const char *path,
                                     const CliTest *test, RspDiagnostics *diagnostics);

/* ---- Resume --------------------------------------------------------------------------------- */

/* Resuming: a file that receives the records of a run as they are made, so that an interrupted run
 * can be continued. */

typedef struct CliResume CliResume;

/* Reads the file, which is created if it does not exist, and opens it for appending. An incomplete
 * last line is removed. NULL after an error, with the file unchanged. */
CliResume *cli_resume_new (const char *path, RspDiagnostics *diagnostics);
void cli_resume_free (CliResume *resume);

/* Why a test is checked again although the file has a record of it. */
typedef struct CliStale {
  const char *what; /* what has changed since; NULL if there is no record */
  RspSpan span;     /* the record's line; the file's source is counted by resume only */
} CliStale;

/* The file's record of the same check as `current` (whose part before the answer is filled in),
 * newly allocated, with the numbers of current. NULL, with the reason in *stale, if there is none.
 * Any thread may call it. */
RspRecord *cli_resume_find (CliResume *resume, const RspRecord *current, CliStale *stale);

/* Adds a record to the file at once, unless it is an error with which the file already ends. Any
 * thread may call it. */
void cli_resume_add (CliResume *resume, const RspRecord *record);

/* FALSE, with an error in diagnostics, if some record could not be written. */
gboolean cli_resume_check (CliResume *resume, RspDiagnostics *diagnostics);

/* Adds a note about a stale record; about options, versions and models once each. In one thread. */
void cli_resume_report (CliResume *resume, const CliStale *stale, const RspRecord *record,
                        RspDiagnostics *diagnostics);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliResume, cli_resume_free)

/* ---- Job ------------------------------------------------------------------------------------ */

/* Jobs: the work units of workers, one test under all its models. */

/* Shared by all jobs of a run. Nothing in it changes while they run, except parts with locks of
 * their own. */
typedef struct CliJobs {
  const CliOptions *options;
  CliModels *models;
  CliSelection *selection;
  const GPtrArray *paths; /* of all tests */
  CliColumns *columns;
  CliResume *resume;             /* of -resume; else NULL */
  CliExpectations *expectations; /* NULL without -expect */
  const CliMethod *method;       /* what runs each test in place of models; or NULL */
  gpointer opened;               /* by it */
} CliJobs;

/* One model's part. */
typedef struct CliCell {
  CliModel *model;  /* not owned; NULL if the test cannot be read */
  CliModel *target; /* not owned; another model that the answer depends on; or NULL */
  RspDiagnostics *diagnostics;
  RspRecord *record; /* never NULL, until it is taken */
  CliStale stale;    /* the record of -resume that this one replaces */
} CliCell;

typedef struct CliResult {
  RspDiagnostics *diagnostics; /* while the test was read */
  gboolean selected;           /* FALSE: not among -names */
  CliCell *cells;              /* one per model; none for a test that is not selected */
  guint n_cells;
} CliResult;

/* Reads the test of that path, with the selection's question for it. NULL, with result->diagnostics
 * and result->selected set, if it cannot be read or is not selected. */
RspProgram *cli_job_read (const CliJobs *jobs, const char *path, CliResult *result);

/* Checks the program, test number i of paths, under the models of columns (CliColumn). */
void cli_job_check (const CliJobs *jobs, guint i, const RspProgram *program,
                    const GPtrArray *columns, CliResult *result);
void cli_result_free (CliResult *result);

/* ---- Private part: for methods, and tests of their own (cli/extra.h) ---- */
/* The columns of test number i: those of expectations, or else the defaults. For the caller to
 * unref. */
GPtrArray *cli_job_columns (const CliJobs *jobs, guint i, const char *test, RspSource *source,
                            const GPtrArray *defaults, CliResult *result);

/* Makes n empty cells. */
void cli_result_begin (CliResult *result, guint n);

/* The record of column k so far: an error, until there is an outcome. */
RspRecord *cli_job_record (const CliJobs *jobs, guint i, guint k, const char *test,
                           const GPtrArray *columns, const char *reason);

/* Fills the cell from an earlier run (-resume), if its record is for the same question. FALSE if
 * there is none, or something has changed since. */
gboolean cli_job_take_over (const CliJobs *jobs, CliCell *cell);

/* ---- Compared ------------------------------------------------------------------------------- */

/* Logs that live models are compared with, or with each other: each is a column. */

typedef struct CliCompared CliCompared;

/* Reads the logs. Unreadable ones are reported in diagnostics and left out, as are tests that are
 * not selected. columns: of live models; no log's column has the same heading. */
CliCompared *cli_compared_new (const CliOptions *options, const CliColumns *columns,
                               CliSelection *selection, RspDiagnostics *diagnostics);
void cli_compared_free (CliCompared *compared);

/* May the row of this record be compared? Logs identify tests by name, so if there are logs, a
 * second test with the same name is skipped with a warning. */
gboolean cli_compared_admits (CliCompared *compared, const RspRecord *live,
                              RspDiagnostics *diagnostics);

/* The records of the logs for the test of a record, in their order: an array of RspRecord, which it
 * owns. Warns if a log has a different text, condition or list of locations. Each record is
 * returned once. */
GPtrArray *cli_compared_with (CliCompared *compared, const RspRecord *live,
                              RspDiagnostics *diagnostics);

/* Warns about tests of the logs that were never returned. */
void cli_compared_report_left (const CliCompared *compared, RspDiagnostics *diagnostics);

/* Without live tests: the number of tests in all logs, by name, and the records of one of them. */
guint cli_compared_n_tests (const CliCompared *compared);
GPtrArray *cli_compared_row (CliCompared *compared, guint i, RspDiagnostics *diagnostics);

/* ---- Report --------------------------------------------------------------------------------- */

/* The report, which receives a run's records. It has one or more sinks, chosen by the options: a
 * form on standard output (log, comparison, tab-separated table, JSON Lines), and files. */

typedef struct CliReport CliReport;

/* Does the report show explanations or executions other than as JSON? Files of -resume and -merge
 * have only that. */
gboolean cli_report_needs_executions (const CliOptions *options, guint n_models);

/* NULL, with an error in diagnostics, if the options request forms that exclude each other.
 * Several models make the report a comparison. expectations are NULL without -expect. Both must
 * outlive the report. It is about the tests of these paths, or about records (of -merge; or NULL),
 * whatever there is. */
CliReport *cli_report_new (const CliOptions *options, guint n_models, CliExpectations *expectations,
                           const GPtrArray *paths, const GPtrArray *records,
                           RspDiagnostics *diagnostics);
void cli_report_free (CliReport *report);

/* Before the first record, for each record in the order of tests and models, and after the last
 * one. cli_report_take takes the record. FALSE if something cannot be written. */
gboolean cli_report_begin (CliReport *report);
gboolean cli_report_take (CliReport *report, RspRecord *record);
gboolean cli_report_end (CliReport *report);

/* After the end: was some result not as expected? */
gboolean cli_report_differs (const CliReport *report);

/* Was a test unsound on the machine, or did it violate an invariant? */
gboolean cli_report_is_unsound (const CliReport *report);

/* ---- Private part: for sinks ---- */
/* One form. Functions may be NULL if there is nothing to do, and return FALSE if they cannot
 * write. */
typedef struct CliSink {
  const CliOptions *options;
  CliExpectations *expectations; /* NULL without -expect */
  GHashTable *titles;            /* of rows and pictures: see rsp_test_title */
  gboolean (*begin) (struct CliSink *sink);
  gboolean (*take) (struct CliSink *sink, const RspRecord *record);
  /* records: those of one test, once all of them were taken, of RspRecord */
  void (*take_row) (struct CliSink *sink, const GPtrArray *records);
  /* records: all of the run, in order, if the sink keeps them; else none */
  gboolean (*end) (struct CliSink *sink, const GPtrArray *records);
  GDestroyNotify free_data; /* of data */
  gboolean keeps_records;
  gpointer data;    /* of the sink; NULL before it begins */
  gboolean differs; /* is some result not as expected? */
} CliSink;

/* Prints a record's log to standard output. */
gboolean cli_sink_take_log (CliSink *sink, const RspRecord *record);

/* ---- Expect --------------------------------------------------------------------------------- */

/* The comparison of a run with its expected results: the report under -expect. */

typedef struct CliComparison CliComparison;

/* expectations must outlive it. */
CliComparison *cli_comparison_new (CliExpectations *expectations);
void cli_comparison_free (CliComparison *comparison);

/* Compares a result. */
void cli_comparison_take (CliComparison *comparison, const RspRecord *record);

/* After the last test: finds rows whose test is gone. */
void cli_comparison_end (CliComparison *comparison);

/* Appends the differences as a diff, then what did not finish. */
void cli_comparison_format (CliComparison *comparison, gboolean colour, GString *out);

/* If there are no expectations yet, a note describes how to write them. */
void cli_comparison_note_promote (const CliComparison *comparison, RspDiagnostics *diagnostics);

/* Rewrites the expectations. FALSE if some could not be rewritten, which is reported in
 * diagnostics. */
gboolean cli_comparison_promote (CliComparison *comparison, RspDiagnostics *diagnostics);

/* Appends the last line: "12 passed, 3 failed", or "12 passed, 3 promoted". */
void cli_comparison_format_counts (const CliComparison *comparison, gboolean promoted,
                                   GString *out);

/* Is some result not as expected? Unfinished tests do not count. */
gboolean cli_comparison_differs (const CliComparison *comparison);

/* ---- Layout --------------------------------------------------------------------------------- */

/* -format without a form: lays the files out; prints them, or rewrites them under -write. Returns
 * the exit status. */
int cli_layout_run (const CliOptions *options, RspDiagnostics *diagnostics);

/* ---- Completion ----------------------------------------------------------------------------- */

/* Completion of the command line in shells, from the option table. */

/* In the order of the words of -completion. */
typedef enum CliShell { CLI_SHELL_NONE, CLI_SHELL_BASH, CLI_SHELL_ZSH, CLI_SHELL_FISH } CliShell;

/* Appends the script for the shell, which must not be CLI_SHELL_NONE. */
void cli_completion_format (CliShell shell, GString *out);

/* ---- Confined ------------------------------------------------------------------------------- */

/* -confined: checks whose tests, models and options come from elsewhere, as those of -serve do. */

/* From now on only files in the current folder or installed ones can be read, and only those in the
 * current folder written, by this process and its children. FALSE, with an error, if the system
 * cannot see to that. */
gboolean cli_confine (const CliOptions *options, RspDiagnostics *diagnostics);

/* May the option have this value, or, if it is NULL, may this be an argument? Anything, before
 * -confined. FALSE, with an error, for what reaches out of the current folder. */
gboolean cli_confined_allows (const CliOptions *options, const CliOption *option, const char *value,
                              RspDiagnostics *diagnostics);

/* After an option: FALSE, with an error, if -max-memory is now more than it was before -confined.
 */
gboolean cli_confined_affords (CliOptions *options, const CliOption *option,
                               RspDiagnostics *diagnostics);

/* ---- Help ----------------------------------------------------------------------------------- */

/* The texts of `-help` and the man page, made from the table of options. */

/* All append to out. */
/* "  TERM  TEXT": the text in words, from column indent to last. */
void cli_help_entry (const char *term, const char *text, gsize indent, gsize last, GString *out);
void cli_help_format (GString *out); /* what fits a screen: the usual commands, the topics */
void cli_help_format_topic (CliGroup group, GString *out);
void cli_help_format_all (GString *out);
void cli_help_format_json (GString *out); /* a list of { name, topic, argument, words, help } */
void cli_man_format (GString *out);       /* in man(7) macros */

/* Appends the version with the commit it was built from, if that is known; and also what is new. */
void cli_version_format (GString *out);
void cli_news_format (GString *out);

/* ---- Missing -------------------------------------------------------------------------------- */

/* The parts of a run that are missing in its saved records. */

/* Errors for tests without a record, with their shares if the records are of shares, and for tests
 * without a record under one of the models. records: of RspRecord, in the order of tests. TRUE if a
 * test is missing. */
gboolean cli_missing_report (const GPtrArray *records, RspDiagnostics *diagnostics);

/* ---- Merge ---------------------------------------------------------------------------------- */

/* Merging: the records of several runs' files as those of one run. */

/* Reads the files of -merge. All records (RspRecord, which the array owns), in the order of tests
 * and models, whatever the order of the files. Every disagreement of models, options or versions is
 * reported as an error, and so are tests and models that are missing. NULL if the files cannot
 * come from one run: they differ in the number of tests, or about a test or its result. */
GPtrArray *cli_merge_read (const CliOptions *options, RspDiagnostics *diagnostics);

/* The largest number of models that a test was run under, or 0. */
guint cli_merge_count_models (const GPtrArray *records);

/* ---- Run ------------------------------------------------------------------------------------ */

/* A run: every test under every model, and a report of them. */

/* Runs the tests as the options demand, and returns the exit status. Takes and empties
 * diagnostics. */
int cli_run (CliOptions *options, RspDiagnostics *diagnostics);

/* ---- Signals -------------------------------------------------------------------------------- */

/* Signals that end a run: they are held back while it lasts, so that it ends in good order. */
enum { CLI_N_ENDING = 3 };
extern const int cli_ending_signals[CLI_N_ENDING];

typedef struct CliSignals {
  sigset_t held, before;
} CliSignals;

/* Does the process ignore the signal, as under nohup? */
gboolean cli_signal_is_ignored (int signal);

/* Holds them back, unless they are ignored, in this thread and those it makes from now on. */
void cli_signals_hold (CliSignals *signals);

/* The signal that arrived meanwhile, or 0. */
int cli_signals_arrived (const CliSignals *signals);
void cli_signals_release (const CliSignals *signals);

/* One of them that is held in this process, or 0. */
int cli_signal_held (void);

/* Ends the process as that signal does by itself, so that a shell sees why. */
void cli_signals_die (int signal) G_GNUC_NORETURN;

/* ---- Watch ---------------------------------------------------------------------------------- */

/* -watch: what is known while a test is being checked or programs are being searched. Lines of
 * JSON, appended to a file. */

struct CliResult;

/* How far a search is: { "searched": words }, which need no escapes. */
void cli_watch_search (const char *path, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* ---- Inputs --------------------------------------------------------------------------------- */

/* Inputs: from the arguments of the command line to the tests to run. */

/* The folder of the tests that come with the program: of a checkout, or installed beside the
 * documentation. Newly allocated; NULL if there is none. */
char *cli_shipped_tests (void);

/* Expands tests, directories, names of tests that come with the program and @index files to paths
 * of tests, in order ("-" stays). Arguments that cannot be expanded are reported in diagnostics and
 * left out. The array owns its strings. */
GPtrArray *cli_inputs_expand (const GPtrArray *inputs, RspDiagnostics *diagnostics);

/* The same of files with another suffix (".cl") in directories. */
GPtrArray *cli_inputs_expand_to (const GPtrArray *inputs, const char *suffix,
                                 RspDiagnostics *diagnostics);

/* The test of a path. NULL after an error, which is in diagnostics. strict: see rsp_litmus_parse.
 */
RspProgram *cli_inputs_read (const char *path, gboolean strict, RspDiagnostics *diagnostics);

/* "did you mean …?" of the tests, or the kernels with another suffix, in the folder of a path that
 * does not exist, or of those that come with the program; NULL if none is near. Newly allocated. */
char *cli_inputs_hint (const char *path, const char *suffix);

/* A name without a folder that is no file may be that of a test, or a kernel, that comes with the
 * program, with or without its suffix: its path, newly allocated, and a note that says so. NULL if
 * it is not. */
char *cli_inputs_shipped (const char *name, const char *suffix, RspDiagnostics *diagnostics);

/* ---- Share ---------------------------------------------------------------------------------- */

/* Shares: the part of all tests that this run checks. */

/* Leaves out of paths the tests whose names are not selected, so that the numbers of the others
 * depend on nothing but the command line. Unreadable tests stay, to be reported when they are
 * run. If none stays, that is an error. */
void cli_share_filter (GPtrArray *paths, const CliOptions *options, CliSelection *selection,
                       RspDiagnostics *diagnostics);

/* The titles of tests whose files have the same name, before they are run: see rsp_test_title. Of
 * tests in other files, the second one of a name becomes known when it is run. */
GHashTable *cli_share_titles (const GPtrArray *paths, const CliOptions *options);

/* The K of the share K of N that test number index, from 0, belongs to. */
guint cli_share_of (guint index, guint of);

/* The numbers (guint) of the tests among n that are share K of N of -shard; all of them without
 * -shard. Shares are disjoint, together contain all tests, and differ in size by at most one. */
GArray *cli_share_take (CliShard shard, guint n);

/* ---- Render --------------------------------------------------------------------------------- */

/* Graphviz as a library, used only by the program, so that librspcheck.a needs GLib alone. */

typedef struct CliRenderer CliRenderer;

/* Graphviz can be used by one thread at a time and keeps its plug-ins loaded: one renderer serves
 * many pictures. Graphviz itself is loaded with the first one. */
CliRenderer *cli_renderer_new (void);
void cli_renderer_free (CliRenderer *renderer);

/* The picture of a graph (DOT) in a format of Graphviz ("svg", "pdf", "png"), as bytes; NULL if
 * Graphviz cannot be loaded or fails. */
GBytes *cli_render (CliRenderer *renderer, const char *dot, const char *format, GError **error);
