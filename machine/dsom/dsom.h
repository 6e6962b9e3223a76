/* The machine dsom: a distributed shared OpenCL memory (the DSOM paper, sections 4.2 and 4.3). The
 * buffers are in host memory, each device has a copy of its own, and a segment table records which
 * copies are valid. */
#pragma once

#include "machine/dsom/plan/plan.h"
#include "machine/framework/system.h"

typedef struct DsomMachine DsomMachine;

/* The plan must outlive it. */
DsomMachine *dsom_machine_new (const DsomPlan *plan);
void dsom_machine_free (DsomMachine *m);
/* Its graph is acyclic; nothing is reduced. */
const RspSystem *dsom_machine_system (const DsomMachine *m);

/* The values of the program's observables in the state. */
void dsom_machine_observe (DsomMachine *m, RspBytes state, DsomValue *values);
/* The invariant violated by the first expanded state that violates one; or NULL. */
const char *dsom_machine_first_violated (const DsomMachine *m);
