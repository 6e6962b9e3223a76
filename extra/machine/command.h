/* The options of -machine and -compile, which the machine dsom shares. */
#pragma once

#include "cli/extra.h"

typedef struct MachineOptions {
  char *machine;                  /* of -machine, or NULL */
  GPtrArray *mappings, *readings; /* of -mapping and -reading */
  GPtrArray *compiled;            /* mappings of -compile */
  char *target;                   /* of -target, or NULL */
  int cost;
  char *latency;      /* of -latency, or NULL */
  guint64 max_states; /* of a machine's search */
  int help_mapping;
} MachineOptions;

MachineOptions *rsp_machine_options (const CliOptions *options);
