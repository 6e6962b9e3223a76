/* Live pages (-live): the workbench in the page of -html. */
#pragma once

#include "cli/options/options.h"

/* The workbench's page in a file, as `make workbench` leaves or `make install` puts it; NULL if
 * there is none. Newly allocated. */
char *cli_live_find (void);

/* JSON without markup: { page: the workbench, texts: models that are not installed, by name }.
 * Newly allocated; NULL, with a message on standard error, if the workbench cannot be read. */
char *cli_live_format (const CliOptions *options);
