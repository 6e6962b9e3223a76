/* How findings are written: for people, and for programs. */
#include "cli/kernel/findings.h"

#include "base/json.h"

#include <string.h>

static const CliFinding *finding (const CliFindings *findings, guint i) {
  return findings->all->pdata[i];
}

/* ---- For people ---- */

void cli_findings_format (const CliFindings *findings, GString *out) {
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
  g_string_append_printf (out, " (grid %s", findings->grid);
  if (findings->executions)
    g_string_append_printf (out, ", %s execution%s", findings->executions,
                            strcmp (findings->executions, "1") == 0 ? "" : "s");
  g_string_append (out, ")\n");
}

/* ---- JSON ---- */

static JsonNode *finding_node (const CliFinding *own) {
  JsonObject *object = json_object_new ();
  rsp_json_set_text (object, "kind", own->kind);
  rsp_json_set_text (object, "message", own->message);
  json_object_set_int_member (object, "line", own->line);
  json_object_set_int_member (object, "column", own->column);
  if (own->other_line) {
    json_object_set_int_member (object, "other_line", own->other_line);
    json_object_set_int_member (object, "other_column", own->other_column);
  }
  return rsp_json_members (object);
}

void cli_findings_json (const CliFindings *findings, GString *out) {
  JsonObject *object = json_object_new ();
  JsonArray *all = json_array_new ();
  for (guint i = 0; i < findings->all->len; i++)
    rsp_json_add (all, finding_node (finding (findings, i)));
  rsp_json_set_text (object, "path", findings->path);
  rsp_json_set_text (object, "kernel", findings->entry);
  rsp_json_set_text (object, "grid", findings->grid);
  rsp_json_set_text (object, "executions", findings->executions);
  json_object_set_boolean_member (object, "loop", findings->loop);
  json_object_set_array_member (object, "findings", all);
  rsp_json_append_object (object, out);
}

/* ---- SARIF ---- */

static JsonNode *list_of_one (JsonNode *node) {
  JsonArray *array = json_array_new ();
  rsp_json_add (array, node);
  return rsp_json_list (array);
}

static JsonNode *locations_node (const char *path, guint line, guint column) {
  JsonNode *artifact = rsp_json_object ("uri", rsp_json_text (path), NULL);
  JsonNode *region = rsp_json_object ("startLine", rsp_json_number (MAX (line, 1)), "startColumn",
                                      rsp_json_number (MAX (column, 1)), NULL);
  JsonNode *place = rsp_json_object ("artifactLocation", artifact, "region", region, NULL);
  return list_of_one (rsp_json_object ("physicalLocation", place, NULL));
}

static JsonNode *result_node (const CliFindings *findings, const CliFinding *own) {
  JsonObject *object = json_object_new ();
  rsp_json_set_text (object, "ruleId", own->kind);
  rsp_json_set_text (object, "level", "error");
  json_object_set_member (object, "message",
                          rsp_json_object ("text", rsp_json_text (own->message), NULL));
  json_object_set_member (object, "locations",
                          locations_node (findings->path, own->line, own->column));
  if (own->other_line)
    json_object_set_member (object, "relatedLocations",
                            locations_node (findings->path, own->other_line, own->other_column));
  return rsp_json_members (object);
}

void cli_findings_sarif (const CliFindings *findings, GString *out) {
  JsonNode *driver = rsp_json_object ("name", rsp_json_text ("rspcheck"), "version",
                                      rsp_json_text (RSP_VERSION), NULL);
  JsonArray *results = json_array_new ();
  for (guint i = 0; i < findings->all->len; i++)
    rsp_json_add (results, result_node (findings, finding (findings, i)));
  JsonNode *run = rsp_json_object ("tool", rsp_json_object ("driver", driver, NULL), "results",
                                   rsp_json_list (results), NULL);
  JsonObject *object = json_object_new ();
  rsp_json_set_text (object, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  rsp_json_set_text (object, "version", "2.1.0");
  json_object_set_member (object, "runs", list_of_one (run));
  rsp_json_append_object (object, out);
}
