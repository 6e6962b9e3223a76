/* Edits of a test's text: what strengthens or weakens one operation, found in its syntax tree.
 *
 * A site is a place where there is something to change: an order, a scope or the form of an atomic
 * operation or fence, a plain access, a gap between two statements, a fence. Its levels are numbered,
 * weakest first, and say what text they take; one of them is how the test is. A version of the test is
 * a level per site. */
#ifndef RSP_SYNTH_EDITS_EDIT_H
#define RSP_SYNTH_EDITS_EDIT_H

#include "parser/program.h"

typedef enum SynthEditKind
{
  SYNTH_EDIT_ORDER,
  SYNTH_EDIT_SCOPE,
  SYNTH_EDIT_REMOTE,
  SYNTH_EDIT_ATOMIC,
  SYNTH_EDIT_FENCE,
  SYNTH_EDIT_KINDS
} SynthEditKind;

enum
{
  SYNTH_LEVELS = 8
};

/* A piece of text to be put in place of begin … end - 1. Pieces at one place are put in the order of
 * their rank. */
typedef struct SynthPiece
{
  guint begin, end, rank;
  char *text;
} SynthPiece;

typedef struct SynthLevel
{
  guint value;    /* an order, a scope, 0 or 1, or for a fence 0 (none) or an order */
  GArray *pieces; /* of SynthPiece; NULL for the level that the test has */
  char *text;     /* "memory_order_release" */
} SynthLevel;

typedef struct SynthSite
{
  SynthEditKind kind;
  guint line, column; /* from 1 */
  char *what;         /* "atomic_store_explicit", "*x" */
  SynthLevel levels[SYNTH_LEVELS];
  guint n_levels;
  guint own; /* the level of the test as it is */
} SynthSite;

#endif
