/* Pictures inside the page. */
#include "base/json.h"
#include "report/page/page.h"

#include <string.h>
#include <zlib.h>

typedef struct Packing {
  const RspPageDrawing *drawing;
  RspJson *svgs;
  GHashTable *known; /* DOT → number of its picture + 1: models share most executions */
} Packing;

/* ---- Drawing ---- */
static guint number_of (Packing *packing, const char *dot) {
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (packing->known, dot));
  if (number)
    return number - 1;
  g_autofree char *svg = packing->drawing->draw (packing->drawing->data, dot);
  number = rsp_json_length (packing->svgs);
  rsp_json_add (packing->svgs, rsp_json_text (svg ? svg : ""));
  g_hash_table_insert (packing->known, g_strdup (dot), GUINT_TO_POINTER (number + 1));
  return number;
}

static void draw_list (Packing *packing, RspJson *pictures) {
  for (guint i = 0; i < rsp_json_length (rsp_json_as_list (pictures)); i++) {
    RspJson *picture = rsp_json_as_object (rsp_json_item (pictures, i));
    const char *dot = rsp_json_as_text (rsp_json_get (picture, "dot", NULL));
    if (!picture)
      continue;
    rsp_json_set (picture, "svg", rsp_json_number (number_of (packing, dot ? dot : "digraph {}")));
    rsp_json_set (picture, "dot", NULL);
  }
}

/* A record's candidates with their pictures drawn; null if it has none. */
static RspJson *draw_cell (Packing *packing, const RspRecord *record) {
  static const char *const members[] = { "groups", "answers" };
  const char *text = record ? record->candidates : NULL;
  g_autoptr (RspJson) cell = text ? rsp_json_parse (text, strlen (text), NULL) : NULL;
  if (!rsp_json_as_object (cell))
    return rsp_json_null ();
  for (guint k = 0; k < G_N_ELEMENTS (members); k++) {
    RspJson *parts = rsp_json_as_list (rsp_json_get (cell, members[k], NULL));
    for (guint i = 0; i < rsp_json_length (parts); i++)
      draw_list (packing, rsp_json_get (rsp_json_item (parts, i), "pictures", NULL));
  }
  draw_list (packing, rsp_json_get (cell, "flags", NULL));
  return g_steal_pointer (&cell);
}

/* ---- Packing ---- */
char *rsp_page_pack_pictures (const RspRecord *const *cells, guint n_models,
                              const RspPageDrawing *drawing) {
  gboolean any = FALSE;
  for (guint k = 0; k < n_models; k++)
    any |= cells[k] && cells[k]->candidates;
  if (!drawing || !any)
    return NULL;
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Packing packing = { drawing, rsp_json_list (), known };
  RspJson *drawn = rsp_json_list ();
  for (guint k = 0; k < n_models; k++)
    rsp_json_add (drawn, draw_cell (&packing, cells[k]));
  g_autoptr (RspJson) all = rsp_json_object ("pictures", packing.svgs, "cells", drawn, NULL);
  g_autofree char *text = rsp_json_to_string (all);
  uLongf length = compressBound (strlen (text));
  g_autofree guchar *packed = g_malloc (length);
  compress2 (packed, &length, (const guchar *) text, strlen (text), Z_BEST_COMPRESSION);
  return g_base64_encode (packed, length);
}
