#pragma once

#include "base/base.h"
#include "base/json.h"
#include "cli/extra.h"
#include "enumerator/search/search.h"
#include "parser/kernel/kernel.h"
#include "report/record.h"

/* ---- Options -------------------------------------------------------------------------------- */

typedef struct KernelOptions {
  char *kernel, *grid, *offset, *entry;     /* of -kernel, -grid, -offset, -entry, or NULL */
  char *chosen;                             /* of -findings, or NULL */
  GPtrArray *arguments, *macros, *includes; /* of -arg, -D, -include */
  guint devices, clusters;
  int sarif, benign, pairs; /* pairs: KernelPairs */
} KernelOptions;

/* Are work-items checked two at a time? AUTO: those of large grids. */
typedef enum KernelPairs { KERNEL_PAIRS_AUTO, KERNEL_PAIRS_ALWAYS, KERNEL_PAIRS_NEVER } KernelPairs;
extern const char *const kernel_pairs_words[];

/* ---- Findings ------------------------------------------------------------------------------- */

/* What a work-item does on the way to a finding. */
typedef struct FindingStep {
  guint thread, line, column;
  RspSource *file; /* that these are of, as of a finding */
  char *text;      /* "work-item (0,1) reads x[0]" */
} FindingStep;

typedef struct Finding {
  char *kind; /* "data_race": a flag of the model, or "assertion", "out_of_bounds", … */
  char *message;
  guint line, column;
  guint other_line, other_column; /* of a second place; 0: none */
  RspSource *file, *other_file;   /* that these are of; NULL: the kernel's own */
  char *access, *other_access;    /* "atomic write", of a race; or NULL */
  gboolean possible;              /* does it depend on unknown values? */
  gboolean same_value;            /* is it a race of writes of the same value? */
  gboolean unplaced;              /* is it a flag without known events? */
  GArray *steps; /* of FindingStep, thread by thread, each up to its place; NULL: none are known */
} Finding;

/* What is wrong with a kernel under a model. */
typedef struct Findings {
  char *path, *entry; /* the file, and the kernel's name */
  char *model;        /* its label */
  RspSource *file;
  GPtrArray *all; /* of Finding, by line */
  const RspKernel *kernel;
  const RspKernelOptions *options;
  RspRecord *record; /* of a module's question about final memory; NULL: there is none, or arguments
                        have any value */
  char *grid;        /* "2x1x2" */
  gboolean counted;  /* are all executions known? */
  RspCount executions;
  gboolean zero_inputs, given_inputs; /* as RspKernel's */
  char *host_functions;               /* "cos, exp", or NULL */
  gboolean loop;                      /* did -unroll truncate a loop? */
  gboolean pairs;                     /* two work-items at a time? Nothing is counted then */
  gboolean sampled;                   /* are there values of `any` that were not tried? */
  gboolean unending;                  /* does no execution end? */
  gboolean is_cut;                    /* is what follows a race not searched? */
  gboolean some_states;               /* may the record lack states? */
  guint unroll;
  const char *chosen; /* of -findings, or NULL */
  const char *stop;   /* what ended the search early: "time"; NULL: nothing */
  guint n_benign;     /* races that -benign left out */
} Findings;

static inline const Finding *finding (const Findings *findings, guint i) {
  return findings->all->pdata[i];
}

/* ---- Pairs ---------------------------------------------------------------------------------- */

/* Checks the kernel two work-items at a time. NULL: that is not wanted, or others may matter; *why:
 * the read that decides what a work-item does, if that is the reason. *evidence: of RspEvidence,
 * owned, for each pair of lines. */
RspOutcome *kernel_check_pairs (const RspKernel *kernel, const RspModel *model,
                                const RspCheckOptions *check, KernelPairs when,
                                GPtrArray **evidence, RspSpan *why, RspDiagnostics *diagnostics);

/* ---- Report --------------------------------------------------------------------------------- */

/* How findings are written: for people, and for programs. */

/* One kernel of a run under one model. */
typedef struct KernelAnswer {
  const char *path, *entry; /* entry: NULL if it is not known */
  const char *model;        /* NULL: it depends on a module that could not be read */
  int status;               /* of the process, were it the only one */
  double seconds;
  Findings findings; /* all: NULL if none are known */
} KernelAnswer;

/* A sentence, one line per finding, and a line about how they were found. named: with the names of
 * kernel and model, as one of several? */
void kernel_format_text (const Findings *findings, gboolean named, GString *out);

/* The object of the only answer, or one with all of several. */
void kernel_format_json (const GPtrArray *answers, GString *out);

/* A SARIF log with a run per model. notes: see kernel_notification. */
void kernel_format_sarif (const GPtrArray *answers, RspJson *notes, int status, GString *out);

/* A line of the text, newly allocated; empty if there is none. */
char *kernel_line_of (const RspSource *source, guint line);

/* A diagnostic as a node of a SARIF log. */
RspJson *kernel_notification (const RspDiagnostic *diagnostic);

/* A row per kernel, a column per model. */
void kernel_format_table (const GPtrArray *answers, GString *out);

/* ---- One kernel under one model ------------------------------------------------------------- */

typedef struct KernelRun {
  const CliOptions *options;
  RspDiagnostics *diagnostics;
  const CliColumn *column;
  RspCheckOptions check;
  RspKernelOptions kernel;
  char *
      *any[RSP_KERNEL_MAX_UNKNOWN]; /* the arguments that may have any value, in kernel.arguments */
  guint n_any;
  const char *stop;     /* what ended the last check early, or NULL */
  const char *note;     /* their values in this check: "n=1, m=2" */
  gboolean executed;    /* is there an execution with some values? */
  gboolean endless;     /* does no execution end with some values? */
  gboolean large;       /* do arrays grow beyond the limit with some values? */
  gint64 start;         /* monotonic microseconds */
  const char *path;     /* the kernel's */
  const char *grid;     /* its text */
  gboolean named;       /* is it one of several kernels and models? */
  KernelAnswer *answer; /* the findings, with all values */
  GString *summary; /* of -placements, in place of a report: the findings in one line; else NULL */
} KernelRun;

/* What the progress line says of all kernels; accessed atomically. */
typedef struct KernelProgress {
  const char *path, *entry; /* of the kernel that is checked; NULL: none yet */
  gint kernel, n_kernels;   /* the number of the kernel, with one model */
  gint value, n_values;     /* of values of its arguments; 0: none has any value */
  gint searches;            /* searches so far, of all or of two work-items */
} KernelProgress;
extern KernelProgress kernel_progress;

/* The options of `-kernel`. */
KernelOptions *kernel_own_options (const CliOptions *options);

/* Is it a range of numbers, "n=1..16"? first, last: may be NULL. */
gboolean kernel_range_of (const char *argument, gint64 *first, gint64 *last);

/* Are all words of -findings (or NULL) kinds? If not, an error is reported. */
gboolean kernel_check_chosen (const char *list, RspDiagnostics *diagnostics);

/* Checks the kernel, with all values of arguments that may have any, and prints the findings unless
 * that comes at the end. Returns the process's status. */
int kernel_check (KernelRun *run, const RspModel *model);

/* -placements: the same for each division of the grid's work-items. */
int kernel_check_divisions (KernelRun *run, const RspModel *model);

void kernel_clear_findings (Findings *findings);
