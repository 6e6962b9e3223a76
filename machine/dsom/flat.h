/* The reference: one flat buffer, on which each command is a single step, in every order that the
 * queues allow. */
#pragma once

#include "machine/dsom/plan/plan.h"
#include "machine/framework/search.h"

typedef struct DsomFlat DsomFlat;

DsomFlat *dsom_flat_new (const DsomPlan *plan);
void dsom_flat_free (DsomFlat *flat);
const RspSystem *dsom_flat_system (const DsomFlat *flat);

/* The memory and registers of a state; valid until the next call. */
void dsom_flat_decode (DsomFlat *flat, RspBytes state, const DsomByte **bytes,
                       const DsomValue **registers);

/* ---- After the search ---- */
/* Two unordered commands of which one reads what the other writes; FALSE if there are none. */
gboolean dsom_flat_race (const DsomFlat *flat, guint *one, guint *other);
/* Reports errors of the program: a kernel accesses bytes outside its ranges, leaves a buffer or
 * divides by zero. FALSE if there are any. */
gboolean dsom_flat_report (const DsomFlat *flat, RspDiagnostics *diagnostics);
