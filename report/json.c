#include "report/json.h"

/* ---- Values ---- */

static void
append_string (const char *text, GString *out)
{
  if (!text)
    {
      g_string_append (out, "null");
      return;
    }
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_string_append_c (out, '"');
  for (const char *c = valid; *c; c++)
    if (*c == '"' || *c == '\\')
      g_string_append_printf (out, "\\%c", *c);
    else if ((guchar) *c < 0x20)
      g_string_append_printf (out, "\\u%04x", (guint) (guchar) *c);
    else
      g_string_append_c (out, *c);
  g_string_append_c (out, '"');
}

/* Begins a member: the comma between it and what is before, its name, and the colon. */
static void
begin_member (const char *name, GString *out)
{
  char last = out->str[out->len - 1];
  g_string_append_printf (out, "%s\"%s\":", last == '{' ? "" : ",", name);
}

static void
add_string (const char *name, const char *text, GString *out)
{
  begin_member (name, out);
  append_string (text, out);
}

static void
add_number (const char *name, guint64 number, GString *out)
{
  begin_member (name, out);
  g_string_append_printf (out, "%" G_GUINT64_FORMAT, number);
}

/* A count may have more digits than the numbers of most JSON readers: it is a string. */
static void
add_count (const char *name, RspCount count, GString *out)
{
  begin_member (name, out);
  g_string_append_c (out, '"');
  rsp_count_format (count, out);
  g_string_append_c (out, '"');
}

static void
add_boolean (const char *name, gboolean value, GString *out)
{
  begin_member (name, out);
  g_string_append (out, value ? "true" : "false");
}

/* Adds null for what the record does not say. */
static gboolean
is_unknown (const RspRecord *record, RspUnknown what, const char *name, GString *out)
{
  if (!(record->unknown & what))
    return FALSE;
  add_string (name, NULL, out);
  return TRUE;
}

static void
add_states (const RspRecord *record, GString *out)
{
  begin_member ("states", out);
  g_string_append_c (out, '[');
  for (guint i = 0; i < record->states->len; i++)
    {
      const RspRecordState *state = rsp_record_state (record, i);
      g_string_append (out, i ? ",{" : "{");
      add_string ("state", state->text, out);
      if (!is_unknown (record, RSP_UNKNOWN_SATISFIES, "satisfies", out))
        add_boolean ("satisfies", state->satisfies, out);
      if (!is_unknown (record, RSP_UNKNOWN_EXECUTIONS, "executions", out))
        add_count ("executions", state->executions, out);
      if (!is_unknown (record, RSP_UNKNOWN_STATE_BAD, "undefined", out))
        add_count ("undefined", state->bad, out);
      g_string_append_c (out, '}');
    }
  g_string_append_c (out, ']');
}

static void
add_flags (const GPtrArray *flags, GString *out)
{
  begin_member ("flags", out);
  g_string_append_c (out, '[');
  for (guint i = 0; i < flags->len; i++)
    {
      g_string_append (out, i ? "," : "");
      append_string (flags->pdata[i], out);
    }
  g_string_append_c (out, ']');
}

/* ---- Records ---- */

static void
add_answer (const RspRecord *record, GString *out)
{
  add_string ("observation", rsp_observation_name (record->observation), out);
  add_boolean ("ok", record->answer, out);
  add_boolean ("loop", record->loop, out);
  if (!is_unknown (record, RSP_UNKNOWN_UNDEFINED, "undefined", out))
    add_boolean ("undefined", rsp_record_is_undefined (record), out);
  if (!is_unknown (record, RSP_UNKNOWN_COUNTS, "positive", out))
    add_count ("positive", record->positive, out);
  if (!is_unknown (record, RSP_UNKNOWN_COUNTS, "negative", out))
    add_count ("negative", record->negative, out);
  if (!is_unknown (record, RSP_UNKNOWN_BAD, "bad", out))
    add_count ("bad", record->bad, out);
  add_flags (record->flags, out);
  add_states (record, out);
}

static void
add_statistics (const RspRecord *record, GString *out)
{
  begin_member ("statistics", out);
  g_string_append_c (out, '{');
  add_number ("paths", record->statistics.paths, out);
  add_number ("nodes", record->statistics.nodes, out);
  add_number ("leaves", record->statistics.leaves, out);
  g_string_append_c (out, '}');
}

void
rsp_json_format (const RspRecord *record, GString *out)
{
  char seconds[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (seconds, sizeof seconds, "%.6f", record->seconds);
  g_string_append_c (out, '{');
  add_number ("index", record->index, out);
  add_number ("total", record->total, out);
  add_string ("test", record->test, out);
  add_string ("path", record->path, out);
  add_string ("model", record->model, out);
  add_string ("model_digest", record->model_digest, out);
  add_string ("status", rsp_status_names[record->status], out);
  add_string ("reason", record->reason, out);
  add_string ("kind", record->kind, out);
  add_string ("condition", record->condition, out);
  if (rsp_record_is_ok (record))
    add_answer (record, out);
  add_string ("hash", record->hash, out);
  add_string ("scope_hash", record->scope_hash, out);
  add_string ("scopes", record->scopes, out);
  add_statistics (record, out);
  begin_member ("seconds", out);
  g_string_append (out, seconds);
  add_string ("options", record->options, out);
  add_string ("version", record->version, out);
  if (record->log)
    add_string ("log", record->log, out);
  g_string_append (out, "}\n");
}
