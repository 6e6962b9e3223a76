/* Tables: what the open rows of a mapping may become, by cost (-cheapest). */
#pragma once

#include "machine/check/explore.h"

typedef struct SynthTables SynthTables;

/* A row becomes one access or barrier with at most one fence before and one after it, a row of
 * fences one fence or nothing, all from the mapping's instructions with costs. On a machine there
 * are at most two of what accesses nothing on either side of an access, and three in a row of
 * fences. NULL after an error: no row is open, or nothing fits one. map and machine (NULL: the
 * mapping is to a language) must outlive the result. */
SynthTables *rsp_synth_tables_new (const RspMap *map, const RspExploreOptions *machine,
                                   RspDiagnostics *diagnostics);
void rsp_synth_tables_free (SynthTables *tables);

/* How many there are. */
double rsp_synth_tables_count (const SynthTables *tables);
/* Goes to the next one, of the least cost first; FALSE after the last. */
gboolean rsp_synth_tables_next (SynthTables *tables);
guint64 rsp_synth_tables_cost (const SynthTables *tables);
/* The mapping with its rows filled, until the next one. */
const RspMap *rsp_synth_tables_map (const SynthTables *tables);

/* Calls visit for each row that was open: "load sc", "fence.sc.$S; ld.acquire.$S". */
typedef void (*SynthRowVisit) (gpointer user, const char *head, const char *instructions);
void rsp_synth_tables_each_row (const SynthTables *tables, SynthRowVisit visit, gpointer user);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SynthTables, rsp_synth_tables_free)
