#include "report/tables/relate.h"

#include <errno.h>
#include <string.h>

const char *const rsp_relation_titles[RSP_N_RELATIONS]
    = { "weaker", "stronger", "incomparable", "equal", "undefined in one only", "not compared" };

const char *const rsp_judged_names[]
    = { "Agrees", "Racy", "Violation", "Bounded", "NotJudged", NULL };

gboolean rsp_record_has_flag (const RspRecord *record, const char *name) {
  return g_ptr_array_find_with_equal_func (record->flags, name, g_str_equal, NULL);
}

gboolean rsp_record_is_flagged (const RspRecord *record) {
  return record->flags->len > 0 || rsp_record_is_undefined (record);
}

gboolean rsp_records_are_compared (const RspRecord *a, const RspRecord *b) {
  return a && b && rsp_record_is_ok (a) && rsp_record_is_ok (b);
}

gboolean rsp_record_is_undefined_for (const RspRecord *record, const RspRecord *other) {
  if (!(record->unknown & RSP_UNKNOWN_UNDEFINED))
    return rsp_record_is_undefined (record);
  if (!rsp_record_is_undefined (other) || !other->flags->len)
    return FALSE;
  for (guint i = 0; i < other->flags->len; i++)
    if (!rsp_record_has_flag (record, other->flags->pdata[i]))
      return FALSE;
  return TRUE;
}

gboolean rsp_record_is_hurried (const RspRecord *record) {
  return record->options && strstr (record->options, "speedcheck=")
         && !strstr (record->options, "speedcheck=false");
}

gboolean rsp_records_compare_states (const RspRecord *a, const RspRecord *b) {
  return !rsp_record_is_undefined_for (a, b) && !rsp_record_is_undefined_for (b, a)
         && !rsp_record_is_hurried (a) && !rsp_record_is_hurried (b);
}

static const char *state_text (const RspRecord *record, guint i) {
  return rsp_record_state (record, i)->text;
}

/* Appends the number whose digits text begins with: as 64 bits with a sign, if it fits into 64 bits
 * and has none. Returns what follows. */
static const char *append_signed (const char *text, GString *out) {
  char *end;
  errno = 0;
  guint64 bits = g_ascii_strtoull (text, &end, 10);
  if (errno == 0 && bits > G_MAXINT64 && (out->len == 0 || out->str[out->len - 1] != '-'))
    g_string_append_printf (out, "%" G_GINT64_FORMAT, (gint64) bits);
  else
    g_string_append_len (out, text, end - text);
  return end;
}

/* The state's text with 64-bit values as signed numbers, since simulators print the same bits with
 * a sign, without one, or in hexadecimal. */
static char *state_key (const RspRecord *record, guint i) {
  GString *out = g_string_new (NULL);
  for (const char *at = state_text (record, i); *at;)
    if (g_ascii_isdigit (*at))
      at = append_signed (at, out);
    else
      g_string_append_c (out, *at++);
  return g_string_free (out, FALSE);
}

/* A log may have different states, but two logs that agree have them in the same order. */
static gboolean same_states (const RspRecord *a, const RspRecord *b) {
  if (a->states->len != b->states->len)
    return FALSE;
  for (guint i = 0; i < a->states->len; i++)
    if (!g_str_equal (state_text (a, i), state_text (b, i)))
      return FALSE;
  return TRUE;
}

GPtrArray *rsp_records_only_in (const RspRecord *a, const RspRecord *b) {
  GPtrArray *found = g_ptr_array_new ();
  if (same_states (a, b) || !rsp_records_compare_states (a, b))
    return found;
  g_autoptr (GHashTable) theirs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < b->states->len; i++)
    g_hash_table_add (theirs, state_key (b, i));
  for (guint i = 0; i < a->states->len; i++) {
    g_autofree char *key = state_key (a, i);
    if (!g_hash_table_contains (theirs, key))
      g_ptr_array_add (found, (gpointer) state_text (a, i));
  }
  return found;
}

/* Does a allow a state that b forbids? */
static gboolean allows_more (const RspRecord *a, const RspRecord *b) {
  if (same_states (a, b))
    return FALSE;
  g_autoptr (GPtrArray) states = rsp_records_only_in (a, b);
  return states->len > 0;
}

static gboolean raises_more (const RspRecord *a, const RspRecord *b) {
  for (guint i = 0; i < a->flags->len; i++)
    if (!rsp_record_has_flag (b, a->flags->pdata[i]))
      return TRUE;
  return FALSE;
}

RspSuiteRelation rsp_records_relate (const RspRecord *a, const RspRecord *b) {
  if (!rsp_records_are_compared (a, b) || rsp_record_is_hurried (a) || rsp_record_is_hurried (b))
    return RSP_NOT_COMPARED;
  gboolean undefined = rsp_record_is_undefined_for (a, b),
           other = rsp_record_is_undefined_for (b, a);
  if (undefined != other)
    return (a->unknown | b->unknown) & RSP_UNKNOWN_UNDEFINED ? RSP_NOT_COMPARED
                                                             : RSP_UNDEFINED_IN_ONE;
  if (undefined)
    return RSP_EQUAL;
  gboolean more = allows_more (a, b), less = allows_more (b, a);
  return more ? (less ? RSP_INCOMPARABLE : RSP_WEAKER) : less ? RSP_STRONGER : RSP_EQUAL;
}

/* ---- A device and a model ---- */

/* If unrolling truncated the model's loops, a state that the model lacks may be that of an
 * execution with more rounds, unless the device also dropped those. */
static gboolean same_rounds (const RspRecord *seen, const RspRecord *allowed) {
  g_autofree char *option = g_strdup_printf ("unroll=%u ", seen->rounds);
  return seen->rounds && allowed->options && g_str_has_prefix (allowed->options, option);
}

RspJudged rsp_judge (const RspRecord *seen, const RspRecord *allowed) {
  if (!rsp_records_are_compared (seen, allowed))
    return RSP_JUDGED_NOT;
  if (rsp_record_is_undefined (allowed))
    return RSP_JUDGED_RACY;
  g_autoptr (GPtrArray) extra = rsp_records_only_in (seen, allowed);
  if (!extra->len)
    return RSP_JUDGED_AGREES;
  return allowed->loop && !same_rounds (seen, allowed) ? RSP_JUDGED_BOUNDED : RSP_JUDGED_VIOLATION;
}

void rsp_judge_record (RspRecord *seen, const RspRecord *allowed) {
  g_autoptr (GPtrArray) not_allowed = rsp_records_are_compared (seen, allowed)
                                          ? rsp_records_only_in (seen, allowed)
                                          : g_ptr_array_new ();
  g_autoptr (GPtrArray) not_seen = rsp_records_are_compared (seen, allowed)
                                       ? rsp_records_only_in (allowed, seen)
                                       : g_ptr_array_new ();
  RspJudgement judgement = { .model = allowed->model,
                             .judged = rsp_judge (seen, allowed),
                             .not_allowed = not_allowed,
                             .not_seen = not_seen };
  rsp_record_add_judgement (seen, &judgement);
}

gboolean rsp_record_is_violation (const RspRecord *record) {
  for (guint i = 0; i < record->judgements->len; i++)
    if (g_array_index (record->judgements, RspJudgement, i).judged == RSP_JUDGED_VIOLATION)
      return TRUE;
  return FALSE;
}

/* ---- All ---- */

gboolean rsp_records_differ (const RspRecord *a, const RspRecord *b) {
  if (!a || !b)
    return FALSE;
  if (a->status != b->status)
    return TRUE;
  if (!rsp_record_is_ok (a))
    return FALSE;
  if (a->is_device != b->is_device)
    return rsp_judge (a->is_device ? a : b, a->is_device ? b : a) == RSP_JUDGED_VIOLATION;
  if (rsp_record_is_hurried (a) || rsp_record_is_hurried (b))
    return a->observation != b->observation;
  return rsp_records_relate (a, b) != RSP_EQUAL || raises_more (a, b) || raises_more (b, a)
         || (rsp_records_compare_states (a, b)
             && (a->observation != b->observation || a->loop != b->loop));
}
