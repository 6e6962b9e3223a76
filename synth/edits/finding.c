#include "synth/edits/finding.h"

void free_site (gpointer data) {
  SynthSite *site = data;
  for (guint i = 0; i < site->n_levels; i++) {
    GArray *pieces = site->levels[i].pieces;
    for (guint k = 0; pieces && k < pieces->len; k++)
      g_free (g_array_index (pieces, SynthPiece, k).text);
    if (pieces)
      g_array_unref (pieces);
    g_free (site->levels[i].text);
  }
  g_free (site->what);
  g_free (site);
}

SynthSite *new_site (Finding *f, SynthEditKind kind, guint at, const char *what) {
  SynthSite *site = g_new0 (SynthSite, 1);
  site->kind = kind;
  site->what = g_strdup (what);
  rsp_source_position (f->program->source, at, &site->line, &site->column);
  return site;
}

SynthLevel *add_level (SynthSite *site, guint value, const char *text) {
  SynthLevel *level = &site->levels[site->n_levels++];
  level->value = value;
  level->text = g_strdup (text);
  return level;
}

void add_piece (SynthLevel *level, guint begin, guint end, guint rank, char *text) {
  SynthPiece piece = { begin, end, rank, text };
  if (!level->pieces)
    level->pieces = g_array_new (FALSE, FALSE, sizeof (SynthPiece));
  g_array_append_val (level->pieces, piece);
}

void keep_site (Finding *f, SynthSite *site) {
  if (site->n_levels > 1)
    g_ptr_array_add (f->sites, site);
  else
    free_site (site);
}
