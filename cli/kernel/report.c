/* How findings are written: for people, and for programs. */
#include "cli/kernel/findings.h"

#include "base/json.h"

#include <string.h>

static const CliFinding *
finding (const CliFindings *findings, guint i)
{
  return findings->all->pdata[i];
}

/* ---- For people ---- */

void
cli_findings_format (const CliFindings *findings, GString *out)
{
  guint n = findings->all->len;
  g_autofree char *rounds
      = findings->loop ? g_strdup_printf (" within %u rounds of each loop", findings->unroll)
                       : g_strdup ("");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (out, "%s:%u:%u: %s\n", findings->path, finding (findings, i)->line,
                            finding (findings, i)->column, finding (findings, i)->message);
  if (n)
    g_string_append_printf (out, "%s: %u finding%s", findings->path, n, n == 1 ? "" : "s");
  else
    g_string_append_printf (out, "%s: no findings%s", findings->path, rounds);
  g_string_append_printf (out, " (grid %s, %s execution%s)\n", findings->grid, findings->executions,
                          strcmp (findings->executions, "1") == 0 ? "" : "s");
}

/* ---- JSON ---- */

static void
add_number (JsonBuilder *builder, const char *name, guint value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static void
add_finding (JsonBuilder *builder, const CliFinding *own)
{
  json_builder_begin_object (builder);
  rsp_json_add_text (builder, "kind", own->kind);
  rsp_json_add_text (builder, "message", own->message);
  add_number (builder, "line", own->line);
  add_number (builder, "column", own->column);
  if (own->other_line)
    {
      add_number (builder, "other_line", own->other_line);
      add_number (builder, "other_column", own->other_column);
    }
  json_builder_end_object (builder);
}

static void
finish (JsonBuilder *builder, GString *out)
{
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  rsp_json_append_line (root, out);
}

void
cli_findings_json (const CliFindings *findings, GString *out)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  json_builder_begin_object (builder);
  rsp_json_add_text (builder, "path", findings->path);
  rsp_json_add_text (builder, "kernel", findings->kernel->program->name);
  rsp_json_add_text (builder, "grid", findings->grid);
  rsp_json_add_text (builder, "executions", findings->executions);
  json_builder_set_member_name (builder, "loop");
  json_builder_add_boolean_value (builder, findings->loop);
  json_builder_set_member_name (builder, "findings");
  json_builder_begin_array (builder);
  for (guint i = 0; i < findings->all->len; i++)
    add_finding (builder, finding (findings, i));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  finish (builder, out);
}

/* ---- SARIF ---- */

static void
begin (JsonBuilder *builder, const char *name)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_object (builder);
}

static void
add_location (JsonBuilder *builder, const char *path, guint line, guint column)
{
  json_builder_begin_object (builder);
  begin (builder, "physicalLocation");
  begin (builder, "artifactLocation");
  rsp_json_add_text (builder, "uri", path);
  json_builder_end_object (builder);
  begin (builder, "region");
  add_number (builder, "startLine", MAX (line, 1));
  add_number (builder, "startColumn", MAX (column, 1));
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
}

static void
add_locations (JsonBuilder *builder, const char *name, const char *path, guint line, guint column)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  add_location (builder, path, line, column);
  json_builder_end_array (builder);
}

static void
add_result (JsonBuilder *builder, const CliFindings *findings, const CliFinding *own)
{
  json_builder_begin_object (builder);
  rsp_json_add_text (builder, "ruleId", own->kind);
  rsp_json_add_text (builder, "level", "error");
  begin (builder, "message");
  rsp_json_add_text (builder, "text", own->message);
  json_builder_end_object (builder);
  add_locations (builder, "locations", findings->path, own->line, own->column);
  if (own->other_line)
    add_locations (builder, "relatedLocations", findings->path, own->other_line, own->other_column);
  json_builder_end_object (builder);
}

static void
add_tool (JsonBuilder *builder)
{
  begin (builder, "tool");
  begin (builder, "driver");
  rsp_json_add_text (builder, "name", "rspcheck");
  rsp_json_add_text (builder, "version", RSP_VERSION);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
}

void
cli_findings_sarif (const CliFindings *findings, GString *out)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  json_builder_begin_object (builder);
  rsp_json_add_text (builder, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  rsp_json_add_text (builder, "version", "2.1.0");
  json_builder_set_member_name (builder, "runs");
  json_builder_begin_array (builder);
  json_builder_begin_object (builder);
  add_tool (builder);
  json_builder_set_member_name (builder, "results");
  json_builder_begin_array (builder);
  for (guint i = 0; i < findings->all->len; i++)
    add_result (builder, findings, finding (findings, i));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  finish (builder, out);
}
