#pragma once

#include "parser/columns/columns.h"
#include "extra/edits/edits.h"

/* ---- Finding -------------------------------------------------------------------------------- */

/* Finding the sites of a test. */

typedef struct Finding {
  const RspProgram *program;
  const RspModel *model;
  const char *text;
  SynthDirection direction;
  GPtrArray *sites;
  gboolean opencl;
  gboolean only_barriers; /* add barriers instead of fences, also before the first statement of a
                             block */
  const ColumnsAlphabet *columns; /* of a test in columns; else NULL */
  RspScope widest;                /* the widest useful scope */
} Finding;

/* A site at a place of the text, without levels. */
SynthSite *new_site (Finding *f, SynthEditKind kind, guint at, const char *what);
void free_site (gpointer site);

/* Adds the site if it has several levels; else frees it. */
void keep_site (Finding *f, SynthSite *site);

/* Adds a level, weakest first. Valid as long as the site. */
SynthLevel *add_level (SynthSite *site, guint value, const char *text);

/* Takes the text. See SynthPiece. */
void add_piece (SynthLevel *level, guint begin, guint end, guint rank, char *text);
