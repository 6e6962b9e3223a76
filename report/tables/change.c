#include "report/tables/change.h"
#include "report/tables/relate.h"
#include "report/verdict.h"

#include <string.h>

static GPtrArray *flags_only_in (const RspRecord *a, const RspRecord *b) {
  GPtrArray *flags = g_ptr_array_new ();
  for (guint i = 0; i < a->flags->len; i++)
    if (!rsp_record_has_flag (b, a->flags->pdata[i]))
      g_ptr_array_add (flags, a->flags->pdata[i]);
  return flags;
}

void rsp_change_init (RspChange *change, const RspRecord *before, const RspRecord *after) {
  gboolean known = rsp_record_is_ok (before) && rsp_record_is_ok (after);
  *change = (RspChange){ .before = before,
                         .after = after,
                         .gained = known ? rsp_records_only_in (after, before) : g_ptr_array_new (),
                         .lost = known ? rsp_records_only_in (before, after) : g_ptr_array_new (),
                         .flags_gained = known ? flags_only_in (after, before) : g_ptr_array_new (),
                         .flags_lost = known ? flags_only_in (before, after) : g_ptr_array_new () };
}

void rsp_change_clear (RspChange *change) {
  g_ptr_array_unref (change->gained);
  g_ptr_array_unref (change->lost);
  g_ptr_array_unref (change->flags_gained);
  g_ptr_array_unref (change->flags_lost);
}

const char *rsp_change_observation (const RspRecord *record) {
  return rsp_record_is_ok (record) ? rsp_observation_names[record->observation] : record->reason;
}

static gboolean same_verdict (const RspChange *change) {
  return strcmp (rsp_change_observation (change->before), rsp_change_observation (change->after))
         == 0;
}

gboolean rsp_change_is_known (const RspChange *change) {
  return rsp_record_is_ok (change->before) && rsp_record_is_ok (change->after);
}

gboolean rsp_change_compares_states (const RspChange *change) {
  return rsp_records_compare_states (change->before, change->after);
}

gboolean rsp_change_is_none (const RspChange *change) {
  return rsp_change_is_known (change)
         && rsp_records_relate (change->before, change->after) == RSP_EQUAL
         && (same_verdict (change) || !rsp_change_compares_states (change))
         && !change->flags_gained->len && !change->flags_lost->len;
}

char *rsp_change_format_verdict (const RspChange *change) {
  const char *before = rsp_change_observation (change->before);
  return same_verdict (change)
             ? g_strdup (before)
             : g_strdup_printf ("%s -> %s", before, rsp_change_observation (change->after));
}

static void append_flags (const GPtrArray *flags, char sign, GString *out) {
  for (guint i = 0; i < flags->len; i++)
    g_string_append_printf (out, "%s%c%s", out->len ? " " : "", sign,
                            (const char *) flags->pdata[i]);
}

char *rsp_change_format_flags (const RspChange *change) {
  GString *out = g_string_new (NULL);
  append_flags (change->flags_gained, '+', out);
  append_flags (change->flags_lost, '-', out);
  return g_string_free (out, FALSE);
}

void rsp_change_format_states (const RspChange *change, guint indent, GString *out) {
  for (guint i = 0; i < change->gained->len; i++)
    g_string_append_printf (out, "%*s+ %s\n", (int) indent, "",
                            (const char *) change->gained->pdata[i]);
  for (guint i = 0; i < change->lost->len; i++)
    g_string_append_printf (out, "%*s- %s\n", (int) indent, "",
                            (const char *) change->lost->pdata[i]);
}
