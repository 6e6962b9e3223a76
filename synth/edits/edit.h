/* Edits of a test's text that strengthen or weaken one operation, found in its syntax tree.
 *
 * A site is something that can be changed: an order, a scope or the form of an atomic operation or
 * fence, a plain access, a gap between two statements, a fence. Its levels are numbered, weakest
 * first, each with its text; one of them is that of the test. A version of the test is one level
 * per site. */
#pragma once

#include "parser/program.h"

typedef enum SynthEditKind {
  SYNTH_EDIT_ORDER,
  SYNTH_EDIT_SCOPE,
  SYNTH_EDIT_REMOTE,
  SYNTH_EDIT_ATOMIC,
  SYNTH_EDIT_FENCE,
  SYNTH_EDIT_SEMANTICS,
  SYNTH_EDIT_KINDS
} SynthEditKind;

enum { SYNTH_LEVELS = 8 };

/* A text that replaces bytes begin … end - 1. Texts at the same place are inserted in the order of
 * their rank. */
typedef struct SynthPiece {
  guint begin, end, rank;
  char *text;
} SynthPiece;

typedef struct SynthLevel {
  guint value;    /* an order, a scope, 0 or 1, or for a fence 0 (none) or an order; or a set */
  guint removes;  /* kinds of edits, 1 << kind, of which the operation then has nothing to edit */
  GArray *pieces; /* of SynthPiece; NULL for the level that the test has */
  char *text;     /* "memory_order_release" */
} SynthLevel;

typedef struct SynthSite {
  SynthEditKind kind;
  guint line, column; /* from 1 */
  char *what;         /* "atomic_store_explicit", "*x" */
  SynthLevel levels[SYNTH_LEVELS];
  guint n_levels;
  guint own;     /* the level in the test */
  gboolean sets; /* values are sets: a level is no stronger than those that include it */
} SynthSite;
