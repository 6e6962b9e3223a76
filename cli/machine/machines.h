/* -machine: the machine of a run, its mappings and readings. -compile: mappings to other languages,
 * each with the model of its target. */
#pragma once

#include "cli/columns/column.h"
#include "cli/options/options.h"
#include "machine/check/explore.h"
#include "parser/translation.h"

typedef struct CliMachines {
  const RspMachine *machine; /* NULL: dsom, which is not a machine of caches and has no mappings, or
                              * -compile */
  GPtrArray *maps;           /* of RspMap, one column each */
  GPtrArray *translations;   /* -compile: of RspTranslation, per mapping; else NULL */
  GPtrArray *targets;        /* -compile: of CliColumn, the target's model per mapping; else NULL */
  RspReadings readings;
} CliMachines;

/* Are mappings what the run is about? */
gboolean cli_machines_are_requested (const CliOptions *options);
/* FALSE, with an error in diagnostics, if the options cannot be combined. */
gboolean cli_machines_check (const CliOptions *options, RspDiagnostics *diagnostics);

/* NULL after an error, which is reported in diagnostics. */
CliMachines *cli_machines_new (const CliOptions *options, RspDiagnostics *diagnostics);
void cli_machines_free (CliMachines *machines);

/* The heading of a mapping's column: "rsp -mapping revised", "ptx75 -compile asplos19". Newly
 * allocated. */
char *cli_machines_label (const CliMachines *machines, guint i);
/* The options of the machine for mapping i. */
RspExploreOptions cli_machines_run (const CliMachines *machines, guint i,
                                    const CliOptions *options);

/* -help-mapping: describes the language of mappings, and lists the machines and readings. Returns
 * the exit status. */
int cli_help_mapping (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliMachines, cli_machines_free)
