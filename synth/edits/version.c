/* Versions of a test: their text, and how it differs. */
#include "synth/edits/version.h"

#include <string.h>

guint8 *rsp_synth_own_levels (const GPtrArray *sites) {
  guint8 *levels = g_new (guint8, sites->len + 1);
  for (guint i = 0; i < sites->len; i++)
    levels[i] = (guint8) ((const SynthSite *) sites->pdata[i])->own;
  return levels;
}

/* ---- Text ---- */

static int by_place (gconstpointer a, gconstpointer b) {
  const SynthPiece *x = a, *y = b;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  if (x->end != y->end)
    return x->end < y->end ? -1 : 1;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Duplicate pieces (two accesses make one location atomic; an order and a scope make one call
 * explicit) are inserted once. */
static gboolean is_again (const SynthPiece *a, const SynthPiece *b) {
  return a->begin == b->begin && a->end == b->end && strcmp (a->text, b->text) == 0;
}

/* Of the edited levels, by place. */
static GArray *collect (const GPtrArray *sites, const guint8 *levels) {
  GArray *pieces = g_array_new (FALSE, FALSE, sizeof (SynthPiece));
  for (guint i = 0; i < sites->len; i++) {
    const SynthSite *site = sites->pdata[i];
    const GArray *own = site->levels[levels[i]].pieces;
    if (levels[i] != site->own && own)
      g_array_append_vals (pieces, own->data, own->len);
  }
  g_array_sort (pieces, by_place);
  return pieces;
}

/* If pieces overlap, the first one is used: a fence may be removed whose order was weakened. An
 * order inserted into a call without one replaces the default order that a scope requires. */
static gboolean is_default_order (const SynthPiece *piece, const SynthPiece *next) {
  return strcmp (piece->text, ", memory_order_seq_cst") == 0 && next && next->begin == piece->begin
         && g_str_has_prefix (next->text, ", memory_order_");
}

GArray *rsp_synth_version_pieces (const GPtrArray *sites, const guint8 *levels) {
  g_autoptr (GArray) pieces = collect (sites, levels);
  GArray *used = g_array_new (FALSE, FALSE, sizeof (SynthPiece));
  guint at = 0;
  for (guint i = 0; i < pieces->len; i++) {
    const SynthPiece *piece = &g_array_index (pieces, SynthPiece, i);
    const SynthPiece *next
        = i + 1 < pieces->len ? &g_array_index (pieces, SynthPiece, i + 1) : NULL;
    if (piece->begin < at || (i && is_again (piece, piece - 1)) || is_default_order (piece, next))
      continue;
    g_array_append_val (used, *piece);
    at = piece->end;
  }
  return used;
}

char *rsp_synth_version_text (const RspProgram *program, const GPtrArray *sites,
                              const guint8 *levels) {
  const RspSource *source = program->source;
  g_autoptr (GArray) pieces = rsp_synth_version_pieces (sites, levels);
  GString *text = g_string_new (NULL);
  guint at = 0;
  for (guint i = 0; i < pieces->len; i++) {
    const SynthPiece *piece = &g_array_index (pieces, SynthPiece, i);
    g_string_append_len (text, source->text + at, piece->begin - at);
    g_string_append (text, piece->text);
    at = piece->end;
  }
  g_string_append_len (text, source->text + at, (gssize) source->length - at);
  return g_string_free (text, FALSE);
}

guint synth_pieces_place (const GArray *pieces, guint at) {
  guint place = at;
  for (guint i = 0; i < pieces->len; i++) {
    const SynthPiece *piece = &g_array_index (pieces, SynthPiece, i);
    if (piece->begin < at || piece->end == at)
      place += (guint) strlen (piece->text) - (piece->end - piece->begin);
  }
  return place;
}

char *rsp_synth_site_describe (const SynthSite *site, guint level) {
  if (site->kind == SYNTH_EDIT_FENCE && site->levels[site->own].value == 0) /* there is none */
    return g_strdup_printf ("line %u, column %u: insert %s", site->line, site->column,
                            site->levels[level].text);
  return g_strdup_printf ("line %u, column %u: %s: %s instead of %s", site->line, site->column,
                          site->what, site->levels[level].text, site->levels[site->own].text);
}

/* ---- Differences ---- */

enum { CONTEXT = 3 };

typedef struct Diff {
  char **a, **b;
  guint n, m;
  guint *common;  /* [i * (m + 1) + j]: length of what a from i and b from j have in common */
  GString *lines; /* one character a line of the script: ' ', '-', '+' */
} Diff;

static void align (Diff *diff) {
  guint w = diff->m + 1, i = 0, j = 0;
  diff->common = g_new0 (guint, (gsize) (diff->n + 1) * w);
  for (guint x = diff->n; x-- > 0;)
    for (guint y = diff->m; y-- > 0;)
      diff->common[x * w + y]
          = strcmp (diff->a[x], diff->b[y]) == 0
                ? diff->common[(x + 1) * w + y + 1] + 1
                : MAX (diff->common[(x + 1) * w + y], diff->common[x * w + y + 1]);
  while (i < diff->n || j < diff->m) {
    char step
        = i < diff->n && j < diff->m && strcmp (diff->a[i], diff->b[j]) == 0 ? ' '
          : j == diff->m
                  || (i < diff->n && diff->common[(i + 1) * w + j] >= diff->common[i * w + j + 1])
              ? '-'
              : '+';
    g_string_append_c (diff->lines, step);
    i += step != '+';
    j += step != '-';
  }
}

/* The end of the hunk that begins with the change at step `from`: CONTEXT equal lines after its
 * last change. Changes with no more than twice as many between them are of one hunk. */
static guint end_of_hunk (const GString *lines, guint from) {
  guint last = from;
  for (guint s = from; s < lines->len && s - last <= 2 * CONTEXT + 1; s++)
    if (lines->str[s] != ' ')
      last = s;
  return MIN (last + 1 + CONTEXT, (guint) lines->len);
}

static void append_hunk (const Diff *diff, guint from, guint to, GString *out) {
  guint i = 0, j = 0, old = 0, new = 0;
  for (guint s = 0; s < from; s++) {
    i += diff->lines->str[s] != '+';
    j += diff->lines->str[s] != '-';
  }
  for (guint s = from; s < to; s++) {
    old += diff->lines->str[s] != '+';
    new += diff->lines->str[s] != '-';
  }
  g_string_append_printf (out, "@@ -%u,%u +%u,%u @@\n", i + 1, old, j + 1, new);
  for (guint s = from; s < to; s++) {
    char step = diff->lines->str[s];
    g_string_append_printf (out, "%c%s\n", step, step == '+' ? diff->b[j] : diff->a[i]);
    i += step != '+';
    j += step != '-';
  }
}

/* Lines without the empty one after the last line end. */
static char **split_lines (const char *text, guint *n) {
  char **lines = g_strsplit (text, "\n", -1);
  *n = g_strv_length (lines);
  if (*n && !lines[*n - 1][0])
    g_free (g_steal_pointer (&lines[--*n]));
  return lines;
}

char *rsp_synth_text_diff (const char *old_path, const char *new_path, const char *before,
                           const char *after) {
  if (strcmp (before, after) == 0)
    return g_strdup ("");
  Diff diff = { .lines = g_string_new (NULL) };
  GString *out = g_string_new (NULL);
  diff.a = split_lines (before, &diff.n);
  diff.b = split_lines (after, &diff.m);
  align (&diff);
  g_string_append_printf (out, "--- %s\n+++ %s\n", old_path, new_path);
  for (guint s = 0; s < diff.lines->len; s++)
    if (diff.lines->str[s] != ' ') {
      guint from = s > CONTEXT ? s - CONTEXT : 0, to = end_of_hunk (diff.lines, s);
      append_hunk (&diff, from, to, out);
      s = to;
    }
  g_strfreev (diff.a);
  g_strfreev (diff.b);
  g_free (diff.common);
  g_string_free (diff.lines, TRUE);
  return g_string_free (out, FALSE);
}
