#pragma once

#include "cli/extra.h"

typedef struct EditOptions {
  int repair, relax, vary, placements;
  guint edits;  /* -edits; 0: the default */
  char *costs;  /* -edit-cost, or NULL */
  char *levels; /* -levels, or NULL */
} EditOptions;

/* -vary: each order, scope and form (remote or not) of each operation, one at a time, for each test
 * under each model; an exit status. */
int edits_vary (CliOptions *options, RspDiagnostics *diagnostics);

/* -placements: each test at all placements of its threads, under each model; an exit status.
 * levels: see rsp_placements_new. */
int edits_placements (CliOptions *options, RspDiagnostics *diagnostics, const char *levels);

/* The program's record under the column's model, perhaps with the events that show why flags are
 * raised. Diagnostics receive the check's messages. */
RspRecord *edits_answer (const RspProgram *program, const char *path, const RspModel *model,
                         const CliColumn *column, gboolean evidence, RspDiagnostics *diagnostics);

/* A test under a model, with versions or placements of it that are each answered for. */
typedef struct EditsTask EditsTask;

typedef gboolean (*EditsReport) (const EditsTask *task);

struct EditsTask {
  const CliOptions *options;
  RspDiagnostics *diagnostics;
  const RspProgram *program;
  const char *path;
  const RspModel *model;
  const CliColumn *column;
  const char *what; /* they are: "changes", for -watch */
  guint n;
  gboolean compares; /* the first is the test itself, without whose answer the others are useless */
  /* Any thread may call it. NULL: another version has the answer. */
  RspRecord *(*answer) (const EditsTask *task, guint i, RspDiagnostics *diagnostics);
  EditsReport text, tsv, json;
  RspRecord **records; /* while it is reported: per version, as `answer` returned them */
};

/* Sets what the task is about, answers for all and reports it. FALSE if an answer is missing or
 * could not be written. */
gboolean edits_answer_all (EditsTask *task, const RspProgram *program, const char *path,
                           const CliColumn *column, const RspModel *model);

/* Writes the object, which it takes, as one line. */
gboolean edits_write_json (RspJson *object);

/* Is it -diff of two tests, under one model? Else -diff compares models. */
gboolean edits_compares_tests (const CliOptions *options);

/* How the two programs differ, and how that changes the answer; an exit status. */
int edits_compare_tests (CliOptions *options, RspDiagnostics *diagnostics);
