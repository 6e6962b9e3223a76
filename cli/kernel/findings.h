/* Findings of a kernel's check: what is wrong, and where. */
#pragma once

#include "api/run/kernel.h"
#include "enumerator/search/progress/hang.h"

typedef struct CliFinding {
  char *kind; /* "data_race": a flag of the model, or "assertion", "out_of_bounds", … */
  char *message;
  guint line, column;
  guint other_line, other_column; /* of a second place; 0: none */
} CliFinding;

typedef struct CliFindings {
  const char *path;
  GPtrArray *all; /* of CliFinding, by line */
  const RspKernel *kernel;
  char *entry; /* its name */
  const RspKernelOptions *options;
  char *grid;        /* "2x1x2" */
  char *executions;  /* "1,204" */
  gboolean loop;     /* did -unroll truncate a loop? */
  gboolean unending; /* so that no execution ends? */
  guint unroll;
} CliFindings;

/* Everything that the outcome says. Flags are those of `flags`, the outcome itself or that of a
 * lenient reading (parser/kernel/kernel.h); evidence is for them. hangs: of -progress, or NULL. */
void cli_findings_collect (CliFindings *findings, const RspOutcome *outcome,
                           const RspOutcome *flags, const GPtrArray *evidence,
                           const RspHangs *hangs);
/* Adds assertions in the text that fail, where a kernel is read so that they are failures. */
void cli_findings_add_asserted (CliFindings *findings, const RspOutcome *outcome);
/* Moves to the first what it does not have yet, with a note such as "n=4" (or NULL) at the end of
 * the messages; clears the second. */
void cli_findings_merge (CliFindings *findings, CliFindings *others, const char *note);
void cli_findings_clear (CliFindings *findings);
/* As compilers print them; as one line of JSON; as SARIF 2.1.0. */
void cli_findings_format (const CliFindings *findings, GString *out);
void cli_findings_json (const CliFindings *findings, GString *out);
void cli_findings_sarif (const CliFindings *findings, GString *out);
