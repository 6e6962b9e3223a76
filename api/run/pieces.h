/* Pieces of a type's numbers, in which conditions on an unknown one are periodic. */
#pragma once

#include "enumerator/terms/term.h"

enum { PIECE_MAX_PERIOD = 1 << 16 };

typedef struct Piece {
  const RspTerm *unknown;
  RspWide low, high; /* its numbers */
  gboolean failed;   /* does a condition calculate too much? */
  gboolean divided;  /* must it be divided, */
  RspWide from, to;  /* around these numbers? */
} Piece;

/* The period of the truth of all conditions (of RspTerm), unless the piece fails or must be
 * divided. */
guint64 piece_period (Piece *piece, const GPtrArray *conditions);
