/* What a model's nodes have in an execution, and in its part (part.h): lemmas, proved from the
 * operands up. */
#pragma once

#include "enumerator/search/sat/proofs/part.h"
#include "model/dag/part.h"

/* Of every pair (or event) of which both events are left (and, of the second kind, not aside): */
typedef enum SatLemma {
  LEMMA_WITHIN = RSP_PART_WITHIN, /* if the part has it, the whole does */
  LEMMA_COVERS = RSP_PART_COVERS  /* if the whole has it, the part does */
} SatLemma;

typedef struct SatLemmas SatLemmas;

SatLemmas *sat_lemmas_new (const SatPart *part, SatRelations *whole);

/* The same with all that is known, and with events aside (a set, which they keep). That a read
 * which acquires nothing no longer follows what a removed one has acquired then matters only where
 * something is said of that read. */
SatLemmas *sat_lemmas_without (const SatLemmas *from, const RspMatrix *aside);

/* Does it follow from how the node is made, or from what has been asked? */
gboolean sat_lemmas_know (const SatLemmas *lemmas, RspNodeId node, SatLemma lemma);

/* Does it follow from how the node is made, by what the solver is sure of? pairs: if it does not,
 * it is asked about the node's pairs themselves, which may take long. */
gboolean sat_lemmas_hold (SatLemmas *lemmas, RspNodeId node, SatLemma lemma, gboolean pairs);
