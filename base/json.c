#include "base/json.h"

void
rsp_json_add_text (JsonBuilder *builder, const char *name, const char *text)
{
  json_builder_set_member_name (builder, name);
  if (text)
    json_builder_add_string_value (builder, text);
  else
    json_builder_add_null_value (builder);
}

/* JSON-GLib does not escape one control character in strings (0x1f), although JSON requires it. */
static void
escape_last_control (GString *out, gsize from)
{
  for (gsize i = from; i < out->len; i++)
    if (out->str[i] == '\x1f')
      {
        g_string_erase (out, (gssize) i, 1);
        g_string_insert (out, (gssize) i, "\\u001f");
      }
}

void
rsp_json_append_line (JsonNode *node, GString *out)
{
  gsize from = out->len;
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  json_generator_set_root (generator, node);
  json_generator_to_gstring (generator, out);
  escape_last_control (out, from);
  g_string_append_c (out, '\n');
}
