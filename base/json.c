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
