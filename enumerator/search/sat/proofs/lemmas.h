/* What a model's nodes have in an execution, and in its part (part.h): lemmas, proved from the operands up. */
#pragma once

#include "enumerator/search/sat/proofs/part.h"

/* Of every pair (or event) of which both events are left: */
typedef enum SatLemma
{
  LEMMA_WITHIN = 1, /* if the part has it, the whole does */
  LEMMA_COVERS = 2  /* if the whole has it, the part does */
} SatLemma;

typedef struct SatLemmas SatLemmas;

SatLemmas *sat_lemmas_new (const SatPart *part, SatRelations *whole);

/* Does it follow from how the node is made, or from what has been asked? */
gboolean sat_lemmas_know (const SatLemmas *lemmas, RspNodeId node, SatLemma lemma);

/* Does it follow from how the node is made; or else, is the solver sure of it? */
gboolean sat_lemmas_hold (SatLemmas *lemmas, RspNodeId node, SatLemma lemma);
