/* Records as JSON Lines, written and read. */
#include "base/json.h"
#include "report/internal.h"
#include "report/record.h"
#include "report/report.h"

#include <math.h>
#include <string.h>

/* ---- Members -------------------------------------------------------------------------------- */

typedef enum Kind {
  TEXT,       /* char *, a string */
  NESTED,     /* char *, JSON itself */
  EXPLAINED,  /* the same, or if it is NULL the record's explanations */
  LINES,      /* char *, an array of its lines, each of which ends with a newline */
  BILL,       /* char *, a machine's bill: see bill_node */
  PART,       /* const char * of the record's own, a string */
  WORD,       /* an enumeration, as one of words */
  NUMBER,     /* guint */
  LARGE,      /* guint64, below 2^63 */
  COUNT,      /* RspCount: see rsp_json_count */
  BOOLEAN,    /* gboolean */
  REAL,       /* double, not negative */
  OBJECT,     /* a structure with members of its own */
  FLAGS,      /* record->flags, each with its evidence */
  THREAD,     /* guint; null for RSP_NO_THREAD */
  STATES,     /* record->states */
  PRUNINGS,   /* record->prunings, an object of numbers */
  FORCED_BY,  /* likewise: the number of pairs forced, for those that forced any */
  SENTENCE,   /* follows from the rest: only written */
  FORMATS,    /* the number RSP_JSON_FORMAT, which no field holds */
  CHECKSUM,   /* of the line up to it, which it ends */
  JUDGEMENTS, /* record->judgements */
  DEVICE,     /* of a device's record: the device, and judgements */
  UNDEFINED   /* record->undefined, or whether n_undefined is positive */
} Kind;

typedef enum Need {
  ALWAYS,
  OR_NULL,      /* a text may be NULL */
  IF_SET,       /* a text that is left out if it is NULL */
  IF_ANY,       /* a count that is left out if it is 0, a boolean if it is false */
  IF_EXPLAINED, /* only of a record with explanations */
  IF_DEVICE,    /* only of a device's record */
  AT_END,       /* written by itself; lines of earlier versions and of other tools lack it */
  IF_OK         /* only if there is an answer */
} Need;

/* A member of an object, and the field of the structure that holds it. */
typedef struct Field {
  const char *name;
  Kind kind;
  Need need;
  gsize offset;
  const char *const *words;    /* WORD: NULL-terminated */
  const struct Field *members; /* OBJECT */
  guint unknown;               /* the RspUnknown bit that makes it null; 0: always known */
} Field;

/* The tables of members, in the order of the line; a field without a name ends each. Writer and
 * reader follow from them. */

#define FIELD(type, name, kind, need, field)                                                       \
  { name, kind, need, G_STRUCT_OFFSET (type, field), NULL, NULL, 0 }
#define STATISTIC(name, kind)           FIELD (RspStatistics, #name, kind, ALWAYS, name)
#define STATE(name, kind, field)        FIELD (RspRecordState, name, kind, ALWAYS, field)
#define EVENT(name, kind)               FIELD (RspRecordEvent, #name, kind, ALWAYS, name)
#define RECORD(name, kind, need, field) FIELD (RspRecord, name, kind, need, field)
#define WORDS(name, need, field, words)                                                            \
  { name, WORD, need, G_STRUCT_OFFSET (RspRecord, field), words, NULL, 0 }

/* A field that the record of a log may not know. */
#define MAYBE(type, name, kind, need, field, bit)                                                  \
  { name, kind, need, G_STRUCT_OFFSET (type, field), NULL, NULL, RSP_UNKNOWN_##bit }

#define KEPT_NOWHERE(name, kind, need)                                                             \
  { name, kind, need, 0, NULL, NULL, 0 }
#define END                                                                                        \
  { NULL, 0, 0, 0, NULL, NULL, 0 }
#define MACHINE(name, kind, need, field) FIELD (RspMachineReport, name, kind, need, field)

static const Field machine_fields[] = {
  MACHINE ("name", TEXT, ALWAYS, machine),
  MACHINE ("mapping", TEXT, ALWAYS, mapping),
  MACHINE ("readings", TEXT, ALWAYS, readings),
  MACHINE ("model", TEXT, IF_SET, allowed_by),
  { "verdict", WORD, ALWAYS, G_STRUCT_OFFSET (RspMachineReport, verdict), rsp_soundness_names, NULL,
    0 },
  MACHINE ("deadlock", BOOLEAN, ALWAYS, deadlock),
  MACHINE ("states", LARGE, ALWAYS, states),
  MACHINE ("steps", LARGE, ALWAYS, steps),
  MACHINE ("bytes", LARGE, ALWAYS, bytes),
  MACHINE ("unsound", LINES, IF_SET, unsound),
  MACHINE ("trace", LINES, IF_SET, trace),
  MACHINE ("deadlock_trace", LINES, IF_SET, deadlock_trace),
  MACHINE ("violated", TEXT, IF_SET, violated),
  MACHINE ("violated_trace", LINES, IF_SET, violated_trace),
  MACHINE ("bill", BILL, IF_SET, bill),
  END,
};

static const Field statistics_fields[] = {
#define COUNT(name)            STATISTIC (name, LARGE),
#define COUNT_AS(name, member) FIELD (RspStatistics, member, LARGE, ALWAYS, name),
#define SECONDS(name)          STATISTIC (name, REAL),
#include "enumerator/statistics.def"
  END,
};

static const Field state_fields[] = {
  STATE ("state", PART, text),
  MAYBE (RspRecordState, "satisfies", BOOLEAN, ALWAYS, satisfies, SATISFIES),
  FIELD (RspRecordState, "undetermined", BOOLEAN, IF_ANY, undetermined),
  MAYBE (RspRecordState, "executions", COUNT, ALWAYS, executions, EXECUTIONS),
  MAYBE (RspRecordState, "undefined", COUNT, ALWAYS, n_undefined, STATE_N_UNDEFINED),
  END,
};

static const Field event_fields[] = {
  EVENT (thread, THREAD), EVENT (line, NUMBER), EVENT (column, NUMBER), EVENT (text, PART), END,
};

static const Field device_fields[] = {
  RECORD ("name", TEXT, OR_NULL, device),          RECORD ("compiler", TEXT, OR_NULL, compiler),
  RECORD ("setup", TEXT, OR_NULL, setup),          RECORD ("rounds", NUMBER, ALWAYS, rounds),
  KEPT_NOWHERE ("judgements", JUDGEMENTS, ALWAYS), END,
};

static const Field record_fields[] = {
  KEPT_NOWHERE ("format", FORMATS, ALWAYS),
  RECORD ("index", NUMBER, ALWAYS, index),
  RECORD ("total", NUMBER, ALWAYS, total),
  RECORD ("column", NUMBER, ALWAYS, column),
  RECORD ("columns", NUMBER, ALWAYS, columns),
  RECORD ("shard", TEXT, IF_SET, shard),
  RECORD ("test", TEXT, ALWAYS, test),
  RECORD ("path", TEXT, ALWAYS, path),
  RECORD ("model", TEXT, ALWAYS, model),
  RECORD ("model_digest", TEXT, OR_NULL, model_digest),
  WORDS ("status", ALWAYS, status, rsp_status_names),
  RECORD ("reason", TEXT, OR_NULL, reason),
  RECORD ("sentence", SENTENCE, IF_SET, test),
  RECORD ("kind", TEXT, OR_NULL, kind),
  RECORD ("condition", TEXT, OR_NULL, condition),
  WORDS ("observation", IF_OK, observation, rsp_observation_names),
  RECORD ("ok", BOOLEAN, IF_OK, answer),
  RECORD ("loop", BOOLEAN, ALWAYS, loop),
  RECORD ("has_undefined", BOOLEAN, ALWAYS, has_undefined),
  MAYBE (RspRecord, "positive", COUNT, ALWAYS, positive, COUNTS),
  MAYBE (RspRecord, "negative", COUNT, ALWAYS, negative, COUNTS),
  RECORD ("undetermined", COUNT, IF_ANY, undetermined),
  MAYBE (RspRecord, "bad", COUNT, ALWAYS, n_undefined, N_UNDEFINED),
  MAYBE (RspRecord, "undefined", UNDEFINED, IF_OK, undefined, UNDEFINED),
  RECORD ("flags", FLAGS, ALWAYS, flags),
  RECORD ("progress", LINES, IF_SET, progress),
  RECORD ("schedule", LINES, IF_SET, schedule),
  RECORD ("arrays", TEXT, IF_SET, arrays),
  RECORD ("states", STATES, ALWAYS, states),
  RECORD ("language", TEXT, IF_SET, language),
  RECORD ("hash", TEXT, OR_NULL, hash),
  RECORD ("scope_hash", TEXT, OR_NULL, scope_hash),
  RECORD ("scopes", TEXT, OR_NULL, scopes),
  RECORD ("placements", TEXT, IF_SET, placements),
  { "statistics", OBJECT, ALWAYS, G_STRUCT_OFFSET (RspRecord, statistics), NULL, statistics_fields,
    0 },
  RECORD ("cuts", PRUNINGS, IF_SET, prunings),
  RECORD ("forced_by", FORCED_BY, IF_SET, prunings),
  { "machine", OBJECT, IF_SET, G_STRUCT_OFFSET (RspRecord, machine), NULL, machine_fields, 0 },
  RECORD ("seconds", REAL, ALWAYS, seconds),
  RECORD ("options", TEXT, OR_NULL, options),
  RECORD ("version", TEXT, OR_NULL, version),
  RECORD ("source", TEXT, OR_NULL, source),
  RECORD ("explanation", EXPLAINED, IF_EXPLAINED, explanation),
  RECORD ("candidates", NESTED, IF_SET, candidates),
  RECORD ("log", TEXT, IF_SET, log),
  KEPT_NOWHERE ("device", DEVICE, IF_DEVICE),
  KEPT_NOWHERE ("checksum", CHECKSUM, AT_END),
  END,
};

/* ---- Writing -------------------------------------------------------------------------------- */

static RspJson *integer_node (guint64 number) {
  return rsp_json_number ((gint64) MIN (number, G_MAXINT64));
}

/* The lines of a text, as strings. */
static RspJson *lines_node (const char *lines) {
  RspJson *list = rsp_json_list ();
  g_auto (GStrv) split = g_strsplit (lines, "\n", -1);
  for (guint i = 0; split[i] && split[i + 1]; i++)
    rsp_json_add (list, rsp_json_text (split[i]));
  return list;
}

/* A bill ("flushes 0 1.50 3\n…") as {"flushes": {"least": 0, "mean": 1.5, "most": 3}, …}. */
static RspJson *bill_node (const char *bill) {
  RspJson *items = rsp_json_empty ();
  g_auto (GStrv) lines = g_strsplit (bill, "\n", -1);
  for (guint i = 0; lines[i]; i++) {
    g_auto (GStrv) words = g_strsplit (lines[i], " ", -1);
    if (g_strv_length (words) == 4)
      rsp_json_set (items, words[0],
                    rsp_json_object ("least",
                                     rsp_json_number (g_ascii_strtoll (words[1], NULL, 10)), "mean",
                                     rsp_json_real (g_ascii_strtod (words[2], NULL)), "most",
                                     rsp_json_number (g_ascii_strtoll (words[3], NULL, 10)), NULL));
  }
  return items;
}

static RspJson *prunings_node (const GArray *prunings, gboolean forced) {
  RspJson *object = rsp_json_empty ();
  for (guint i = 0; i < prunings->len; i++) {
    const RspPruning *pruning = &g_array_index (prunings, RspPruning, i);
    guint64 n = forced ? pruning->forced : pruning->n;
    if (!forced || n)
      rsp_json_set (object, pruning->name, integer_node (n));
  }
  return object;
}

static RspJson *judgements_node (const RspRecord *record) {
  RspJson *list = rsp_json_list ();
  for (guint i = 0; i < record->judgements->len; i++) {
    const RspJudgement *judgement = &g_array_index (record->judgements, RspJudgement, i);
    rsp_json_add (list, rsp_json_object ("model", rsp_json_text (judgement->model), "judgement",
                                         rsp_json_text (rsp_judged_names[judgement->judged]),
                                         "not_allowed", rsp_json_texts (judgement->not_allowed),
                                         "not_seen", rsp_json_texts (judgement->not_seen), NULL));
  }
  return list;
}

static RspJson *object_node (gconstpointer structure, const Field *field, const RspRecord *record);

static RspJson *flags_node (const RspRecord *record) {
  RspJson *list = rsp_json_list ();
  for (guint i = 0; i < record->flags->len; i++) {
    const char *flag = record->flags->pdata[i];
    RspJson *events = rsp_json_list ();
    for (guint k = 0; k < record->evidence->len; k++) {
      const RspRecordEvent *event = &g_array_index (record->evidence, RspRecordEvent, k);
      if (g_str_equal (event->flag, flag))
        rsp_json_add (events, object_node (event, event_fields, record));
    }
    rsp_json_add (list, rsp_json_object ("name", rsp_json_text (flag), "events", events, NULL));
  }
  return list;
}

static RspJson *field_node (gconstpointer structure, const Field *field, const RspRecord *record) {
  gconstpointer at = (const char *) structure + field->offset;
  if (record->unknown & field->unknown)
    return rsp_json_null ();
  switch (field->kind) {
  case NESTED:
  case STATES:
    break; /* see append_member */
  case EXPLAINED:
    return rsp_explanations_to_json (record->explanations);
  case LINES:
    return lines_node (*(const char *const *) at);
  case BILL:
    return bill_node (*(const char *const *) at);
  case TEXT:
  case PART:
    return rsp_json_text (*(const char *const *) at);
  case WORD:
    return rsp_json_text (field->words[*(const guint *) at]);
  case NUMBER:
    return integer_node (*(const guint *) at);
  case LARGE:
    return integer_node (*(const guint64 *) at);
  case COUNT:
    return rsp_json_count (*(const RspCount *) at);
  case BOOLEAN:
    return rsp_json_boolean (*(const gboolean *) at);
  case REAL:
    return rsp_json_real (*(const double *) at);
  case OBJECT:
    return object_node (at, field->members, record);
  case FLAGS:
    return flags_node (record);
  case THREAD:
    return *(const guint *) at == RSP_NO_THREAD ? rsp_json_null ()
                                                : integer_node (*(const guint *) at);
  case PRUNINGS:
    return prunings_node (record->prunings, FALSE);
  case FORCED_BY:
    return prunings_node (record->prunings, TRUE);
  case JUDGEMENTS:
    return judgements_node (record);
  case DEVICE:
    return object_node (record, device_fields, record);
  case SENTENCE: {
    g_autofree char *sentence = rsp_record_sentence (record);
    return rsp_json_text (sentence);
  }
  case FORMATS:
    return integer_node (RSP_JSON_FORMAT);
  case CHECKSUM: /* is not written as a member */
    break;
  case UNDEFINED:
    return rsp_json_boolean (rsp_record_is_undefined (record));
  }
  g_assert_not_reached ();
}

static gboolean is_written (gconstpointer structure, const Field *field, const RspRecord *record) {
  const char *at = (const char *) structure + field->offset;
  switch (field->need) {
  case ALWAYS:
  case OR_NULL:
    return TRUE;
  case IF_SET:
    return *(const char *const *) at != NULL;
  case IF_ANY:
    return field->kind == COUNT ? *(const RspCount *) at != 0 : *(const gboolean *) at;
  case IF_EXPLAINED:
    return record->explanation || record->explanations;
  case IF_DEVICE:
    return record->is_device;
  case IF_OK:
    return rsp_record_is_ok (record);
  case AT_END:
    return FALSE;
  }
  g_assert_not_reached ();
}

static RspJson *object_node (gconstpointer structure, const Field *field, const RspRecord *record) {
  RspJson *object = rsp_json_empty ();
  for (; field->name; field++)
    if (is_written (structure, field, record))
      rsp_json_set (object, field->name, field_node (structure, field, record));
  return object;
}

/* ---- States: there may be very many, so they are written without nodes ---- */
static void append_states (const RspRecord *record, GString *out) {
  g_string_append_c (out, '[');
  for (guint i = 0; i < record->states->len; i++) {
    const RspRecordState *state = rsp_record_state (record, i);
    g_string_append (out, i ? ",{" : "{");
    for (const Field *field = state_fields; field->name; field++) {
      if (!is_written (state, field, record))
        continue;
      g_string_append (out, field == state_fields ? "\"" : ",\"");
      g_string_append (out, field->name);
      g_string_append (out, "\":");
      gconstpointer at = (const char *) state + field->offset;
      if (record->unknown & field->unknown)
        g_string_append (out, "null");
      else if (field->kind == PART)
        rsp_json_append_text (state->text, state->length, out);
      else if (field->kind == BOOLEAN)
        g_string_append (out, *(const gboolean *) at ? "true" : "false");
      else {
        g_assert (field->kind == COUNT);
        RspCount count = *(const RspCount *) at;
        g_string_append (out, count > RSP_JSON_MOST ? "\"" : "");
        rsp_count_format (count, out);
        g_string_append (out, count > RSP_JSON_MOST ? "\"" : "");
      }
    }
    g_string_append_c (out, '}');
  }
  g_string_append_c (out, ']');
}

/* ---- The line ---- */
/* The end of a line: the checksum of the text before it. Newly allocated. */
static char *line_end (const char *text, gsize length) {
  RspHash hash = RSP_HASH_BEGIN;
  for (gsize i = 0; i < length; i += 8) {
    guint64 word = 0;
    memcpy (&word, text + i, MIN (8, length - i));
    rsp_hash_word (&hash, GUINT64_FROM_LE (word));
  }
  rsp_hash_word (&hash, length);
  return g_strdup_printf (",\"checksum\":\"%016" G_GINT64_MODIFIER "x\"}", hash.a);
}

void rsp_json_format (const RspRecord *record, GString *out) {
  gsize begin = out->len;
  g_string_append_c (out, '{');
  for (const Field *field = record_fields; field->name; field++) {
    if (!is_written (record, field, record))
      continue;
    if (field != record_fields)
      g_string_append_c (out, ',');
    const char *json = field->kind == NESTED      ? record->candidates
                       : field->kind == EXPLAINED ? record->explanation
                                                  : NULL;
    g_string_append_printf (out, "\"%s\":", field->name);
    if (json)
      g_string_append (out, json);
    else if (field->kind == STATES)
      append_states (record, out);
    else {
      g_autoptr (RspJson) value = field_node (record, field, record);
      rsp_json_append (value, out);
    }
  }
  g_autofree char *end = line_end (out->str + begin, out->len - begin);
  g_string_append_printf (out, "%s\n", end);
}

/* ---- Reading -------------------------------------------------------------------------------- */

enum {
  MOST_WRONG = 8 /* wrong lines of a file that are reported one by one */
};

typedef struct RecordReader {
  RspSource *source;
  RspSpan line; /* the one being read */
  RspRecord *record;
  gboolean is_json;    /* is the line JSON? */
  GHashTable *unknown; /* names of members that have been reported */
  RspDiagnostics *diagnostics;
} RecordReader;

static gboolean read_members (RecordReader *reader, const Field *fields, RspJson *object,
                              gpointer structure);

/* The member of that name in the line, or the line's first character if there is none. In JSON a
 * quote inside a string follows a backslash, so `"name":` is not found in texts. */
static RspSpan member_span (const RecordReader *reader, const char *name) {
  g_autofree char *key = g_strdup_printf ("\"%s\":", name);
  const char *text = reader->source->text;
  gssize length = (gssize) reader->line.end - reader->line.begin;
  const char *found = g_strstr_len (text + reader->line.begin, length, key);
  if (!found)
    return (RspSpan){ reader->source, reader->line.begin, reader->line.begin + 1 };
  guint begin = (guint) (found - text);
  return (RspSpan){ reader->source, begin, begin + (guint) strlen (key) - 1 };
}

static gboolean expected (RecordReader *reader, const Field *field, const char *what) {
  rsp_error (reader->diagnostics, member_span (reader, field->name), NULL,
             "`%s` of a record: expected %s", field->name, what);
  return FALSE;
}

/* ---- Values ---- */
static gboolean read_text (RecordReader *reader, const Field *field, RspJson *node, gpointer at) {
  const char *text = rsp_json_as_text (node);
  if (!text && !(rsp_json_is_null (node) && field->need == OR_NULL))
    return expected (reader, field, field->need == OR_NULL ? "a string or null" : "a string");
  if (field->kind == PART)
    *(const char **) at = text; /* the node's, until the state is added */
  else {
    g_free (*(char **) at);
    *(char **) at = g_strdup (text);
  }
  return TRUE;
}

/* Takes the text; NULL means that something else was expected. */
static gboolean take_text (RecordReader *reader, const Field *field, char *text, const char *what,
                           char **at) {
  g_free (*at);
  *at = text;
  return text || expected (reader, field, what);
}

/* Newly allocated; NULL if the node is not a list of strings. */
static char *lines_text (RspJson *node) {
  g_autoptr (GString) lines = g_string_new (NULL);
  for (guint i = 0; i < rsp_json_length (node); i++) {
    const char *line = rsp_json_as_text (rsp_json_item (node, i));
    if (!line)
      return NULL;
    g_string_append_printf (lines, "%s\n", line);
  }
  return rsp_json_as_list (node) ? g_strdup (lines->str) : NULL;
}

/* Newly allocated; NULL if the node is not a bill. */
static char *bill_text (RspJson *node) {
  g_autoptr (GString) bill = g_string_new (NULL);
  for (guint i = 0; i < rsp_json_length (rsp_json_as_object (node)); i++) {
    RspJson *item = rsp_json_item (node, i);
    double least = rsp_json_as_real (rsp_json_get (item, "least", NULL), -1),
           mean = rsp_json_as_real (rsp_json_get (item, "mean", NULL), -1),
           most = rsp_json_as_real (rsp_json_get (item, "most", NULL), -1);
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    if (least < 0 || mean < least || most < mean)
      return NULL;
    g_string_append_printf (bill, "%s %.0f %s %.0f\n", rsp_json_name (node, i), least,
                            g_ascii_formatd (text, sizeof text, "%.2f", mean), most);
  }
  return rsp_json_as_object (node) ? g_strdup (bill->str) : NULL;
}

static gboolean read_word (RecordReader *reader, const Field *field, RspJson *node, guint *word) {
  const char *text = rsp_json_as_text (node);
  for (guint i = 0; field->words[i]; i++)
    if (g_strcmp0 (text, field->words[i]) == 0) {
      *word = i;
      return TRUE;
    }
  g_autofree char *list = g_strjoinv ("`, `", (char **) field->words);
  g_autofree char *what = g_strdup_printf ("one of `%s`", list);
  return expected (reader, field, what);
}

static gboolean read_integer (RecordReader *reader, const Field *field, RspJson *node, guint64 most,
                              guint64 *number) {
  gint64 value = rsp_json_as_integer (node, -1);
  if (value < 0 || (guint64) value > most)
    return expected (reader, field, "a number of at least 0");
  *number = (guint64) value;
  return TRUE;
}

static gboolean read_number (RecordReader *reader, const Field *field, RspJson *node,
                             guint *number) {
  guint64 value;
  if (!read_integer (reader, field, node, G_MAXUINT, &value))
    return FALSE;
  *number = (guint) value;
  return TRUE;
}

static gboolean read_count (RecordReader *reader, const Field *field, RspJson *node,
                            RspCount *count) {
  g_autoptr (GString) most = g_string_new (NULL);
  rsp_count_format (RSP_COUNT_MAX, most);
  const char *text = rsp_json_as_text (node);
  gint64 number = rsp_json_as_integer (node, -1);
  RspCount value = 0;
  gboolean good = text && *text;
  if (number >= 0) {
    *count = (RspCount) number;
    return TRUE;
  }
  if (g_strcmp0 (text, most->str) == 0) {
    *count = RSP_COUNT_MAX;
    return TRUE;
  }
  for (; good && *text; text++) {
    RspCount digit = (RspCount) (*text - '0');
    good = g_ascii_isdigit (*text) && value <= (RSP_COUNT_MAX - digit) / 10;
    value = value * 10 + digit;
  }
  *count = value;
  return good || expected (reader, field, "a number of at least 0, or a string of digits");
}

static gboolean read_boolean (RecordReader *reader, const Field *field, RspJson *node,
                              gboolean *value) {
  *value = rsp_json_is_true (node);
  return rsp_json_is_boolean (node) || expected (reader, field, "true or false");
}

static gboolean read_format (RecordReader *reader, const Field *field, RspJson *node) {
  guint64 format;
  if (!read_integer (reader, field, node, G_MAXINT64, &format))
    return FALSE;
  if (format <= RSP_JSON_FORMAT)
    return TRUE;
  rsp_error (reader->diagnostics, member_span (reader, field->name), NULL,
             "a record of format %" G_GUINT64_FORMAT ", made by a newer rspcheck: this one knows "
             "format %d",
             format, RSP_JSON_FORMAT);
  return FALSE;
}

static gboolean read_checksum (RecordReader *reader) {
  const char *text = reader->source->text;
  gsize whole = reader->line.end - reader->line.begin;
  g_autofree char *none = line_end (text, 0);
  gsize length = whole - MIN (whole, strlen (none));
  g_autofree char *end = line_end (text + reader->line.begin, length);
  if (strncmp (text + reader->line.begin + length, end, strlen (end)) == 0)
    return TRUE;
  rsp_error (reader->diagnostics, member_span (reader, "checksum"),
             "if it was on purpose, leave the member `checksum` out",
             "this record has been changed since rspcheck wrote it");
  return FALSE;
}

/* ---- Lists and objects ---- */
/* what: what is expected ("objects") */
static gboolean read_object (RecordReader *reader, const Field *field, const char *what,
                             const Field *members, RspJson *node, gpointer at) {
  if (!rsp_json_as_object (node))
    return expected (reader, field, what);
  return read_members (reader, members, node, at);
}

static gboolean read_each (RecordReader *reader, const Field *field, RspJson *node,
                           gboolean (*read) (RecordReader *reader, const Field *field,
                                             RspJson *element)) {
  if (!rsp_json_as_list (node))
    return expected (reader, field, "an array");
  for (guint i = 0; i < rsp_json_length (node); i++)
    if (!read (reader, field, rsp_json_item (node, i)))
      return FALSE;
  return TRUE;
}

/* {"name": …, "events": […]} */
static gboolean read_flag (RecordReader *reader, const Field *field, RspJson *node) {
  const char *name = rsp_json_as_text (rsp_json_get (node, "name", NULL));
  RspJson *events = rsp_json_as_list (rsp_json_get (node, "events", NULL));
  if (!name || !events)
    return expected (reader, field, "objects with `name`, a string, and `events`, an array");
  rsp_record_add_flag (reader->record, name);
  for (guint i = 0; i < rsp_json_length (events); i++) {
    RspRecordEvent event = { .flag = name };
    if (!read_object (reader, field, "objects in `events`", event_fields, rsp_json_item (events, i),
                      &event))
      return FALSE;
    rsp_record_add_event (reader->record, &event);
  }
  return TRUE;
}

static gboolean read_prunings (RecordReader *reader, const Field *field, RspJson *node) {
  if (!rsp_json_as_object (node))
    return expected (reader, field, "an object");
  for (guint i = 0; i < rsp_json_length (node); i++) {
    RspPruning pruning = { .name = rsp_json_name (node, i) };
    if (!read_integer (reader, field, rsp_json_item (node, i), G_MAXINT64,
                       field->kind == FORCED_BY ? &pruning.forced : &pruning.n))
      return FALSE;
    rsp_record_add_pruning (reader->record, &pruning);
  }
  return TRUE;
}

static gboolean read_state (RecordReader *reader, const Field *field, RspJson *node) {
  RspRecordState state = { 0 };
  if (!read_object (reader, field, "objects", state_fields, node, &state))
    return FALSE;
  rsp_record_add_state (reader->record, &state);
  return TRUE;
}

/* The strings of a list. */
static GPtrArray *read_texts (RspJson *node) {
  GPtrArray *texts = g_ptr_array_new ();
  for (guint i = 0; i < rsp_json_length (rsp_json_as_list (node)); i++) {
    const char *text = rsp_json_as_text (rsp_json_item (node, i));
    if (text)
      g_ptr_array_add (texts, (gpointer) text);
  }
  return texts;
}

/* {"model": …, "judgement": …, "not_allowed": […], "not_seen": […]} */
static gboolean read_judgement (RecordReader *reader, const Field *field, RspJson *node) {
  const char *model = rsp_json_as_text (rsp_json_get (node, "model", NULL));
  RspJson *word = rsp_json_get (node, "judgement", NULL);
  const Field words = { .name = field->name, .words = rsp_judged_names };
  guint judged = 0;
  if (!model || !word)
    return expected (reader, field, "objects with `model`, a string, and `judgement`");
  if (!read_word (reader, &words, word, &judged))
    return FALSE;
  g_autoptr (GPtrArray) not_allowed = read_texts (rsp_json_get (node, "not_allowed", NULL));
  g_autoptr (GPtrArray) not_seen = read_texts (rsp_json_get (node, "not_seen", NULL));
  rsp_record_add_judgement (reader->record, &(RspJudgement){ .model = model,
                                                             .judged = judged,
                                                             .not_allowed = not_allowed,
                                                             .not_seen = not_seen });
  return TRUE;
}

static gboolean read_member (RecordReader *reader, const Field *field, RspJson *node, gpointer at) {
  if (field->unknown && rsp_json_is_null (node)) {
    reader->record->unknown |= field->unknown;
    return TRUE;
  }
  switch (field->kind) {
  case NESTED:
  case EXPLAINED:
    return take_text (reader, field, rsp_json_to_string (node), NULL, at);
  case LINES:
    return take_text (reader, field, lines_text (node), "an array of strings", at);
  case BILL:
    return take_text (reader, field, bill_text (node), "objects of `least`, `mean` and `most`", at);
  case TEXT:
  case PART:
    return read_text (reader, field, node, at);
  case WORD:
    return read_word (reader, field, node, at);
  case NUMBER:
    return read_number (reader, field, node, at);
  case LARGE:
    return read_integer (reader, field, node, G_MAXINT64, at);
  case COUNT:
    return read_count (reader, field, node, at);
  case BOOLEAN:
    return read_boolean (reader, field, node, at);
  case REAL:
    *(double *) at = rsp_json_as_real (node, -1);
    return (isfinite (*(double *) at) && *(double *) at >= 0)
           || expected (reader, field, "a number of at least 0");
  case OBJECT:
    return read_object (reader, field, "an object", field->members, node, at);
  case FLAGS:
    return read_each (reader, field, node, read_flag);
  case THREAD:
    *(guint *) at = RSP_NO_THREAD;
    return rsp_json_is_null (node) || read_number (reader, field, node, at);
  case STATES:
    return read_each (reader, field, node, read_state);
  case PRUNINGS:
  case FORCED_BY:
    return read_prunings (reader, field, node);
  case JUDGEMENTS:
    return read_each (reader, field, node, read_judgement);
  case DEVICE:
    reader->record->is_device = TRUE;
    return read_object (reader, field, "an object", device_fields, node, reader->record);
  case SENTENCE:
    return TRUE;
  case FORMATS:
    return read_format (reader, field, node);
  case CHECKSUM:
    return read_checksum (reader);
  case UNDEFINED: /* ignored if the count, which was read before, already implies it */
    if (!read_boolean (reader, field, node, at))
      return FALSE;
    *(gboolean *) at &= reader->record->n_undefined == 0;
    return TRUE;
  }
  g_assert_not_reached ();
}

/* Fills the structure from the members of an object: the status before the members that depend on
 * it. FALSE after an error, which is reported in diagnostics. */
static gboolean read_members (RecordReader *reader, const Field *fields, RspJson *object,
                              gpointer structure) {
  for (const Field *field = fields; field->name; field++) {
    RspJson *node = rsp_json_get (object, field->name, NULL);
    gboolean required = field->need == ALWAYS || field->need == OR_NULL;
    if (field->need == IF_OK ? !rsp_record_is_ok (reader->record) : !required && !node)
      continue;
    if (!node) {
      rsp_error (reader->diagnostics, member_span (reader, ""), NULL, "a record without `%s`",
                 field->name);
      return FALSE;
    }
    if (!read_member (reader, field, node, G_STRUCT_MEMBER_P (structure, field->offset)))
      return FALSE;
  }
  for (guint i = 0; i < rsp_json_length (object); i++) {
    const char *name = rsp_json_name (object, i);
    const Field *field = fields;
    while (field->name && !g_str_equal (field->name, name))
      field++;
    if (!field->name && g_hash_table_add (reader->unknown, g_strdup (name)))
      rsp_warning (reader->diagnostics, member_span (reader, name), NULL,
                   "the unknown member `%s` is ignored", name);
  }
  return TRUE;
}

/* ---- Lines ---- */
/* Are the numbers of the states' executions, by how they answer the condition, those of the record?
 * What is known of an undetermined value but not shown may decide it in some of an undetermined
 * state's executions. */
static gboolean counts_agree (const RspRecord *record) {
  RspCount positive = 0, negative = 0, all = 0;
  for (guint i = 0; i < record->states->len; i++) {
    const RspRecordState *state = rsp_record_state (record, i);
    if (!state->undetermined) {
      RspCount *sum = state->satisfies ? &positive : &negative;
      *sum = rsp_count_add (*sum, state->executions);
    }
    all = rsp_count_add (all, state->executions);
  }
  RspCount counted = rsp_count_add (record->positive, record->negative);
  return positive <= record->positive && negative <= record->negative
         && all == rsp_count_add (counted, record->undetermined);
}

/* Conditions on every record. */
static gboolean is_sound (RecordReader *reader) {
  const RspRecord *record = reader->record;
  RspQuantifier quantifier;
  const char *wrong = NULL, *why = NULL;
  if (record->index >= record->total)
    wrong = "index", why = "expected a number below `total`";
  else if (record->column >= record->columns)
    wrong = "column", why = "expected a number below `columns`";
  else if (record->kind && !rsp_quantifier_from_kind (record->kind, &quantifier))
    wrong = "kind", why = "expected `Allowed`, `Forbidden` or `Required`";
  else if (!record->log && record->kind && !record->condition)
    wrong = "condition", why = "expected one for a test with a kind";
  else if (!record->log && rsp_record_is_ok (record) && !record->kind)
    wrong = "kind", why = "expected one for a test with an answer";
  else if (!record->log && rsp_record_is_ok (record) && !record->hash)
    wrong = "hash", why = "expected one for a test with an answer";
  else if (rsp_record_is_left_out (record) && !record->language)
    wrong = "language", why = "expected one for a test that is left out";
  else if (!rsp_record_is_ok (record) && !record->reason)
    wrong = "reason", why = "expected one for a test without an answer";
  else if (!record->log && rsp_record_is_ok (record) && !record->unknown && !counts_agree (record))
    wrong = "states", why = "the executions do not add up to `positive` and `negative`";
  if (wrong)
    rsp_error (reader->diagnostics, member_span (reader, wrong), NULL, "`%s` of a record: %s",
               wrong, why);
  return wrong == NULL;
}

/* NULL after an error. */
static RspRecord *read_line (RecordReader *reader) {
  static const char *const problems[] = {
    [RSP_JSON_SYNTAX]
    = "this is not a line of `rspcheck -json`: it is not a JSON object from here on",
    [RSP_JSON_TOO_DEEP] = "arrays and objects are nested too deeply",
    [RSP_JSON_LONE] = "half of a surrogate pair is not a character",
    [RSP_JSON_MORE] = "this should be on a line of its own: one record per line",
  };
  guint begin = reader->line.begin;
  RspJsonError error;
  g_autoptr (RspJson) root
      = rsp_json_parse (reader->source->text + begin, reader->line.end - begin, &error);
  reader->is_json = root || error.problem != RSP_JSON_SYNTAX;
  if (!root) {
    guint at = MIN (begin + (guint) error.at, reader->line.end - 1);
    RspSpan place = { reader->source, at, at + (error.problem == RSP_JSON_LONE ? 6 : 1) };
    rsp_error (reader->diagnostics, place, NULL, "%s", problems[error.problem]);
    return NULL;
  }
  if (!rsp_json_as_object (root)) {
    rsp_error (reader->diagnostics, ((RspSpan){ reader->source, begin, begin + 1 }), NULL,
               "this is not a line of `rspcheck -json`: it is not a JSON object");
    return NULL;
  }
  reader->record = rsp_record_new (NULL, NULL, NULL, NULL);
  if (!read_members (reader, record_fields, root, reader->record) || !is_sound (reader))
    g_clear_pointer (&reader->record, rsp_record_free);
  return g_steal_pointer (&reader->record);
}

/* Is this the last line of an interrupted run, without its end? Lines of other files are not
 * mistaken for one. */
static gboolean drop_torn (RecordReader *reader, guint n_diagnostics) {
  static const char begin[] = "{\"format\":";
  gsize length = reader->line.end - reader->line.begin;
  if (reader->is_json || reader->line.end < reader->source->length
      || strncmp (reader->source->text + reader->line.begin, begin, MIN (length, strlen (begin))))
    return FALSE;
  rsp_diagnostics_truncate (reader->diagnostics, n_diagnostics);
  rsp_warning (reader->diagnostics,
               ((RspSpan){ reader->source, reader->line.begin, reader->line.begin + 1 }), NULL,
               "the last line is incomplete and is left out");
  return TRUE;
}

gboolean rsp_json_read (RspSource *source, GArray *lines, gsize *whole,
                        RspDiagnostics *diagnostics) {
  RecordReader reader = { .source = source, .diagnostics = diagnostics };
  guint n_wrong = 0;
  gsize end = source->length;
  reader.unknown = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < source->n_lines; i++) {
    guint n_diagnostics = rsp_diagnostics_count (diagnostics);
    /* Without its end; empty after the last newline of a file. */
    gboolean last = i + 1 >= source->n_lines;
    guint begin = rsp_source_line_begin (source, i),
          limit = last ? (guint) source->length : source->lines[i + 1];
    while (limit > begin && (source->text[limit - 1] == '\n' || source->text[limit - 1] == '\r'))
      limit--;
    reader.line = (RspSpan){ source, begin, limit };
    while (begin < limit && g_ascii_isspace (source->text[begin]))
      begin++;
    if (begin == limit)
      continue;
    RspJsonLine line = { read_line (&reader), reader.line };
    if (line.record)
      g_array_append_val (lines, line);
    else if (drop_torn (&reader, n_diagnostics))
      end = reader.line.begin;
    else if (++n_wrong > MOST_WRONG)
      rsp_diagnostics_truncate (diagnostics, n_diagnostics);
  }
  g_hash_table_unref (reader.unknown);
  if (n_wrong > MOST_WRONG)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s: %u more lines are wrong", source->name,
               n_wrong - MOST_WRONG);
  if (whole)
    *whole = end;
  return n_wrong == 0;
}
