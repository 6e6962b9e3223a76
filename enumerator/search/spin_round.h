/* May a waiting round be left out of a combination of paths? */
#pragma once

#include "enumerator/search/bounded/cases/cases.h"
#include "enumerator/search/spin.h"

/* A combination of paths, one of which has a waiting round. */
typedef struct Round {
  const RspSpin *spin;
  const RspPath **chosen; /* per thread */
  guint thread;           /* whose round is to go */
  guint *class, *numbers; /* of the threads and their paths, as for a search (search.h) */
  guint cases;            /* that may be tried; counted down */
} Round;

/* Is the model's verdict on each execution of the combination one on what is left of it without the
 * round (model/bounds/remove.h)? FALSE is not certain. */
gboolean round_may_go (Round *round);
