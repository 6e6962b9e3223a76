/* Questions about given tests: each test under each of its models. */
#pragma once

#include "cli/columns/column.h"
#include "model/model.h"
#include "parser/program.h"

typedef struct CliQuestion {
  const char *option;      /* "vary" */
  gboolean tells_warnings; /* the answer has the warnings about a test */
  /* Before the first test. FALSE ends the run. */
  gboolean (*begin) (gpointer data);
  /* FALSE if there is no answer, or not all of it. */
  gboolean (*answer) (gpointer data, const RspProgram *program, const char *path,
                      const CliColumn *column, const RspModel *model);
  gpointer data;
} CliQuestion;

/* Asks it about the tests that the options name. Takes and empties diagnostics, before the first
 * test and after each. Returns the exit status. */
int cli_ask_each (const CliOptions *options, const CliQuestion *question,
                  RspDiagnostics *diagnostics);
