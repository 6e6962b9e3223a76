#pragma once

#include "enumerator/search/bounded/searcher.h"

/* The values of the observables known at a node. */
typedef struct Observed {
  guint32 *value; /* per observable: its value's number, or RSP_UNSEEN */
  guint *open;    /* the observables that are not known, ascending */
  guint n_open;
} Observed;

#define RSP_UNSEEN G_MAXUINT32

/* Fills observed, whose value and open have room for all observables. */
void observe (Searcher *s, Observed *observed);

/* The value of observable i. FALSE while it is not known. */
gboolean observe_one (const Searcher *s, guint i, RspValue *value);
