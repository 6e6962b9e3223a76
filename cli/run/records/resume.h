/* Resuming: a file that receives the records of a run as they are made, so that an interrupted run
 * can be continued. */
#pragma once

#include "report/record.h"

typedef struct CliResume CliResume;

/* Reads the file, which is created if it does not exist, and opens it for appending. An incomplete
 * last line is removed. NULL after an error, with the file unchanged. */
CliResume *cli_resume_new (const char *path, RspDiagnostics *diagnostics);
void cli_resume_free (CliResume *resume);

/* Why a test is checked although the file has a record of it. */
typedef struct CliStale {
  const char *what; /* what has changed since; NULL if there is no record */
  RspSpan span;     /* the record's line; the file's source is counted by resume only */
} CliStale;

/* The file's record of the same check as `current`, whose part before the answer is filled in, with
 * the numbers of current; newly allocated. NULL if there is none; *stale then has the reason. Any
 * thread may call it. */
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
