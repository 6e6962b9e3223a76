/* Shares: the part of all tests that this run checks. */
#pragma once

#include "cli/select/selection.h"

/* Leaves out of paths the tests whose names are not selected, so that the numbers of the others
 * depend on nothing but the command line. Unreadable tests stay, to be reported when they are
 * run. */
void cli_share_filter (GPtrArray *paths, const CliOptions *options, CliSelection *selection);

/* The K of the share K of N that test number index, from 0, belongs to. */
guint cli_share_of (guint index, guint of);

/* The numbers (guint) of the tests among n that are share K of N of -shard; all of them without
 * -shard. Shares are disjoint, together contain all tests, and differ in size by at most one. */
GArray *cli_share_take (CliShard shard, guint n);
