/* Pictures inside the page. */
#include "report/page/page.h"

#include <gio/gio.h>
#include <json-glib/json-glib.h>
#include <string.h>

typedef struct Packing {
  const RspPageDrawing *drawing;
  JsonArray *svgs;
  GHashTable *known; /* DOT → number of its picture + 1: models share most executions */
} Packing;

/* ---- Drawing ---- */
static guint number_of (Packing *packing, const char *dot) {
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (packing->known, dot));
  if (number)
    return number - 1;
  g_autofree char *svg = packing->drawing->draw (packing->drawing->data, dot);
  number = json_array_get_length (packing->svgs);
  json_array_add_string_element (packing->svgs, svg ? svg : "");
  g_hash_table_insert (packing->known, g_strdup (dot), GUINT_TO_POINTER (number + 1));
  return number;
}

static void draw_list (Packing *packing, JsonObject *owner, const char *name) {
  JsonArray *pictures = json_object_get_array_member (owner, name);
  for (guint i = 0; pictures && i < json_array_get_length (pictures); i++) {
    JsonObject *picture = json_array_get_object_element (pictures, i);
    guint number = number_of (
        packing, json_object_get_string_member_with_default (picture, "dot", "digraph {}"));
    json_object_set_int_member (picture, "svg", number);
    json_object_remove_member (picture, "dot");
  }
}

static void draw_lists (Packing *packing, JsonObject *owner, const char *name) {
  JsonArray *parts = json_object_get_array_member (owner, name);
  for (guint i = 0; parts && i < json_array_get_length (parts); i++)
    draw_list (packing, json_array_get_object_element (parts, i), "pictures");
}

/* A record's candidates with their pictures drawn; null if it has none. */
static JsonNode *draw_cell (Packing *packing, const RspRecord *record) {
  JsonNode *node
      = record && record->candidates ? json_from_string (record->candidates, NULL) : NULL;
  if (!node || !JSON_NODE_HOLDS_OBJECT (node)) {
    g_clear_pointer (&node, json_node_unref);
    return json_node_init_null (json_node_alloc ());
  }
  JsonObject *cell = json_node_get_object (node);
  draw_lists (packing, cell, "groups");
  draw_lists (packing, cell, "answers");
  draw_list (packing, cell, "flags");
  return node;
}

/* ---- Packing ---- */
static char *pack (const char *text) {
  g_autoptr (GZlibCompressor) zlib = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, 9);
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();
  g_autoptr (GOutputStream) stream = g_converter_output_stream_new (memory, G_CONVERTER (zlib));
  if (!g_output_stream_write_all (stream, text, strlen (text), NULL, NULL, NULL)
      || !g_output_stream_close (stream, NULL, NULL))
    return NULL;
  return g_base64_encode (g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (memory)),
                          g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (memory)));
}

static gboolean has_candidates (const RspRecord *const *cells, guint n_models) {
  for (guint k = 0; k < n_models; k++)
    if (cells[k] && cells[k]->candidates)
      return TRUE;
  return FALSE;
}

char *rsp_page_pack_pictures (const RspRecord *const *cells, guint n_models,
                              const RspPageDrawing *drawing) {
  if (!drawing || !has_candidates (cells, n_models))
    return NULL;
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Packing packing = { drawing, json_array_new (), known };
  JsonArray *drawn = json_array_new ();
  for (guint k = 0; k < n_models; k++)
    json_array_add_element (drawn, draw_cell (&packing, cells[k]));
  g_autoptr (JsonObject) all = json_object_new ();
  json_object_set_array_member (all, "pictures", packing.svgs);
  json_object_set_array_member (all, "cells", drawn);
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), all);
  g_autofree char *text = json_to_string (node, FALSE);
  return pack (text);
}
