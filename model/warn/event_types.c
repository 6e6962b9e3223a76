/* The kinds of events in tests (docs/litmus.md) that models can distinguish:
 *
 *   initial writes   plain
 *   plain accesses   reads and writes; reads of what atomic functions access too, in kernels
 *   atomic accesses  reads, writes, read-modify-writes, and the reads of a compare-exchange that
 *                    failed; of any order (C11 forbids some, which is only a warning) and scope,
 *                    remote or not; and reductions
 *   fences           of any order and scope, on global memory, local, both or neither
 *   barrier halves   the first a release, the second an acquire */
#include "model/warn/event_types.h"

#define SET(id) (G_GUINT64_CONSTANT (1) << RSP_BASE_SET_##id)

G_STATIC_ASSERT (RSP_N_BASE_SETS <= 64);

static const RspEventType kinds[]
    = { SET (R), SET (W), SET (R) | SET (W) | SET (RMW), SET (R) | SET (W) | SET (RMW) | SET (X),
        SET (R) | SET (FAILED_RMW) };
static const RspEventType orders[]
    = { SET (RLX), SET (CON), SET (ACQ), SET (REL), SET (ACQ_REL), SET (SC) };
static const RspEventType scopes[] = {
#define RSP_SCOPE(id, level, word, text, short_word, set, relation) SET (id##_SCOPE),
#include "parser/scopes.def"
};
static const RspEventType spaces[] = { 0, SET (G), SET (L), SET (G) | SET (FGA) };
static const RspEventType locations[] = { SET (ATOMICLOC), SET (NONATOMICLOC) };
static const RspEventType fence_memory[] = { 0, SET (G), SET (L), SET (G) | SET (L) };
static const RspEventType maybe_remote[] = { 0, SET (REMOTE) };

/* Adds an access for every kind of location. */
static void add_accesses (GArray *types, RspEventType access) {
  for (gsize i = 0; i < G_N_ELEMENTS (spaces); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (locations); j++) {
      RspEventType type = access | SET (M) | spaces[i] | locations[j];
      g_array_append_val (types, type);
    }
}

static void add_fences (GArray *types, RspEventType fence) {
  for (gsize i = 0; i < G_N_ELEMENTS (fence_memory); i++) {
    RspEventType type = fence | SET (F) | fence_memory[i];
    g_array_append_val (types, type);
  }
}

/* Adds events whose order is given in the test, remote or not. */
static void add_ordered (GArray *types, RspEventType scope) {
  for (gsize i = 0; i < G_N_ELEMENTS (orders); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (maybe_remote); j++) {
      RspEventType own = scope | orders[i] | maybe_remote[j];
      for (gsize k = 0; k < G_N_ELEMENTS (kinds); k++)
        add_accesses (types, own | kinds[k] | SET (A));
      add_fences (types, own);
    }
}

/* Reductions are in C tests, whose operations have device scope. */
static void add_reductions (GArray *types) {
  for (gsize i = 0; i < G_N_ELEMENTS (orders); i++)
    add_accesses (types, orders[i] | SET (DEVICE_SCOPE) | SET (R) | SET (W) | SET (RMW) | SET (X)
                             | SET (NO_RESULT) | SET (A));
}

static void add_barriers (GArray *types, RspEventType scope) {
  add_fences (types, scope | SET (ENTRY_FENCE) | SET (REL));
  add_fences (types, scope | SET (ENTRY_FENCE) | SET (REL) | SET (DIVERGENT_FENCE));
  add_fences (types, scope | SET (EXIT_FENCE) | SET (ACQ));
}

GArray *event_types (void) {
  GArray *types = g_array_new (FALSE, FALSE, sizeof (RspEventType));
  RspEventType plain = SET (NA) | SET (WORK_ITEM_SCOPE);
  add_accesses (types, plain | SET (R));
  add_accesses (types, plain | SET (R) | SET (ORDINARY_READ));
  add_accesses (types, plain | SET (W));
  add_reductions (types);
  add_accesses (types, plain | SET (W) | SET (I));
  for (gsize i = 0; i < G_N_ELEMENTS (scopes); i++) {
    add_ordered (types, scopes[i]);
    add_barriers (types, scopes[i]);
  }
  return types;
}
