/* The sites of a kernel. They are found in what comes out of the preprocessor, line by line as in
 * the kernel's own text, and once for each work-item. */
#include "synth/edits/finding.h"

#include <string.h>

static guint begin_of_line (const RspSource *source, guint line) {
  return line < source->n_lines ? source->lines[line] : (guint) source->length;
}

/* After blanks and comments of one line, which the preprocessor turns into blanks. */
static const char *skip_blanks (const char *at, const char *end) {
  while (at < end && *at != '\n' && (g_ascii_isspace (*at) || g_str_has_prefix (at, "/*"))) {
    const char *closing = *at == '/' ? strstr (at, "*/") : NULL;
    at = closing ? closing + 2 : at + 1;
  }
  return at;
}

/* Where in the kernel's text a byte of the preprocessor's output is: after the same characters of
 * the line but for blanks. FALSE: the line differs before it. */
static gboolean find_in_file (const RspSource *output, const RspSource *file, guint *offset) {
  guint line, column;
  rsp_source_position (output, *offset, &line, &column);
  const char *a = output->text + begin_of_line (output, line - 1), *end = output->text + *offset;
  const char *b = file->text + begin_of_line (file, line - 1),
             *last = file->text + begin_of_line (file, line);
  for (;; a++, b++) {
    a = skip_blanks (a, end);
    b = skip_blanks (b, last);
    if (a == end)
      break;
    if (b >= last || *a != *b)
      return FALSE;
  }
  *offset = (guint) (b - file->text);
  return TRUE;
}

/* Moves a piece's ends; what it replaces must be the same in both texts. */
static gboolean move_piece (const RspKernel *kernel, SynthPiece *piece) {
  const RspSource *output = kernel->program->source, *file = kernel->file;
  guint length = piece->end - piece->begin, begin = piece->begin;
  if (!find_in_file (output, file, &begin) || begin + length > file->length
      || strncmp (output->text + piece->begin, file->text + begin, length) != 0)
    return FALSE;
  piece->begin = begin;
  piece->end = begin + length;
  return TRUE;
}

static gboolean move_site (const RspKernel *kernel, SynthSite *site) {
  for (guint i = 0; i < site->n_levels; i++) {
    GArray *pieces = site->levels[i].pieces;
    for (guint k = 0; pieces && k < pieces->len; k++)
      if (!move_piece (kernel, &g_array_index (pieces, SynthPiece, k)))
        return FALSE;
  }
  return TRUE;
}

static int by_place (gconstpointer a, gconstpointer b) {
  const SynthSite *x = *(SynthSite *const *) a, *y = *(SynthSite *const *) b;
  if (x->line != y->line)
    return x->line < y->line ? -1 : 1;
  if (x->column != y->column)
    return x->column < y->column ? -1 : 1;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  return strcmp (x->what, y->what);
}

GPtrArray *rsp_synth_kernel_sites_find (const RspKernel *kernel) {
  GPtrArray *sites = rsp_synth_sites_find (kernel->program, SYNTH_STRONGER);
  g_ptr_array_sort (sites, by_place);
  for (guint i = sites->len; i-- > 0;) {
    gboolean again = i && by_place (&sites->pdata[i], &sites->pdata[i - 1]) == 0;
    if (again || !move_site (kernel, sites->pdata[i]))
      g_ptr_array_remove_index (sites, i);
  }
  return sites;
}
