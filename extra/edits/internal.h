#pragma once

#include "extra/edits/edits.h"

/* ---- Finding -------------------------------------------------------------------------------- */

/* Finding the sites of a test. Private to extra/edits/. */

typedef struct Finding {
  const RspProgram *program;
  const char *text;
  SynthDirection direction;
  GPtrArray *sites;
  gboolean opencl;
  gboolean only_barriers; /* barriers are added instead of fences, also before the first statement
                             of a block */
  RspScope widest;        /* that the tree has any use for */
} Finding;

/* A site at a place of the text, without levels. */
SynthSite *new_site (Finding *f, SynthEditKind kind, guint at, const char *what);
void free_site (gpointer site);

/* Adds it to the others if there is something to choose; else frees it. */
void keep_site (Finding *f, SynthSite *site);

/* The next level, weakest first. Valid until the site goes. */
SynthLevel *add_level (SynthSite *site, guint value, const char *text);

/* text: taken. See SynthPiece. */
void add_piece (SynthLevel *level, guint begin, guint end, guint rank, char *text);
