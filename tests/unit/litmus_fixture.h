/* Programs from text, for unit tests. */
#pragma once

#include "parser/program.h"

#include <check.h>

typedef struct LitmusOutcome {
  RspProgram *program; /* NULL after an error */
  char *text;          /* the diagnostics as printed */
} LitmusOutcome;

/* Parses a text of the source "t". */
LitmusOutcome litmus_try (const char *format, ...) G_GNUC_PRINTF (1, 2);
void litmus_outcome_clear (LitmusOutcome *outcome);

/* The program; the running test fails if there is none. */
RspProgram *litmus_parse (const char *format, ...) G_GNUC_PRINTF (1, 2);
RspProgram *litmus_parse_file (const char *path);
