/* -machine: the machine of a run, its mappings and readings. */
#ifndef RSP_CLI_MACHINE_MACHINES_H
#define RSP_CLI_MACHINE_MACHINES_H

#include "cli/options/options.h"
#include "machine/check/explore.h"

typedef struct CliMachines
{
  const RspMachine *machine; /* NULL: dsom, which is not a machine of caches and has no mappings */
  GPtrArray *maps;           /* of RspMap, one column each */
  RspReadings readings;
} CliMachines;

/* FALSE, with an error in diagnostics, if the options cannot be combined. */
gboolean cli_machines_check (const CliOptions *options, RspDiagnostics *diagnostics);

/* NULL after an error, which is reported in diagnostics. */
CliMachines *cli_machines_new (const CliOptions *options, RspDiagnostics *diagnostics);
void cli_machines_free (CliMachines *machines);

/* The heading of a mapping's column: "rsp -mapping revised". Newly allocated. */
char *cli_machines_label (const CliMachines *machines, guint i);
/* The options of the machine for mapping i. */
RspExploreOptions cli_machines_run (const CliMachines *machines, guint i,
                                    const CliOptions *options);

/* -help-mapping: describes the language of mappings, and lists the machines and readings. Returns
 * the exit status. */
int cli_help_mapping (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliMachines, cli_machines_free)

#endif
