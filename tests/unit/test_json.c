/* Records as JSON and back: random records, and lines that are wrong; the values of JSON. */
#include "base/json.h"
#include "report/record.h"
#include "report/report.h"

#include <check.h>
#include <string.h>

Suite *json_suite (void);

/* ---- Random records ---- */

/* Any characters that a text can have: all ASCII control characters too. */
static char *random_text (GRand *random) {
  static const char *const others[] = { "é", "∃", "\"", "\\", "\n", "/\\", "\U0001f600", "\u2028" };
  GString *text = g_string_new (NULL);
  for (gint n = g_rand_int_range (random, 0, 20); n > 0; n--)
    if (g_rand_int_range (random, 0, 3))
      g_string_append_c (text, (char) g_rand_int_range (random, 1, 0x80));
    else
      g_string_append (text, others[g_rand_int_range (random, 0, G_N_ELEMENTS (others))]);
  return g_string_free (text, FALSE);
}

static void set_random (GRand *random, char **field, gboolean may_be_null) {
  g_free (*field);
  *field = may_be_null && g_rand_int_range (random, 0, 4) == 0 ? NULL : random_text (random);
}

static RspCount random_count (GRand *random) {
  static const RspCount special[] = { 0, 1, RSP_COUNT_MAX, RSP_COUNT_MAX - 1, G_MAXUINT64 };
  if (g_rand_boolean (random))
    return special[g_rand_int_range (random, 0, G_N_ELEMENTS (special))];
  return ((RspCount) g_rand_int (random) << 64) + g_rand_int (random);
}

static void set_statistics (GRand *random, RspStatistics *statistics) {
  guint64 *numbers[]
      = { &statistics->paths,          &statistics->combinations, &statistics->nodes,
          &statistics->pre_executions, &statistics->prunings,     &statistics->leaves,
          &statistics->memo_hits,      &statistics->forced };
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    *numbers[i] = (guint64) g_rand_int (random) << g_rand_int_range (random, 0, 31);
  statistics->seconds_paths = g_rand_double (random) * 1e-6;
  statistics->seconds_stage = g_rand_double (random);
  statistics->seconds_search = g_rand_double (random) * 1e6;
}

static void add_parts (GRand *random, RspRecord *record) {
  for (gint n = g_rand_int_range (random, 0, 4); n > 0; n--) {
    g_autofree char *text = random_text (random);
    g_autofree char *flag = g_strdup_printf ("%s%d", text, n);
    RspRecordState state = { .text = text,
                             .satisfies = g_rand_boolean (random),
                             .executions = random_count (random),
                             .n_undefined = random_count (random) };
    rsp_record_add_state (record, &state);
    rsp_record_add_flag (record, flag);
    guint thread = g_rand_boolean (random) ? RSP_NO_THREAD : g_rand_int (random) >> 1;
    rsp_record_add_event (record, &(RspRecordEvent){ flag, thread, 7, 3, text });
    rsp_record_add_event (record, &(RspRecordEvent){ flag, 0, 0, 0, flag });
    g_autofree char *name = g_strdup_printf ("%d %s", n, text);
    RspPruning pruning = { .name = name,
                           .n = g_rand_int (random),
                           .forced = (guint64) g_rand_int_range (random, 0, 3) };
    rsp_record_add_pruning (record, &pruning);
  }
}

static void count_states (RspRecord *record) {
  for (guint i = 0; i < record->states->len; i++) {
    const RspRecordState *state = rsp_record_state (record, i);
    RspCount *n = state->satisfies      ? &record->positive
                  : state->undetermined ? &record->undetermined
                                        : &record->negative;
    *n = rsp_count_add (*n, state->executions);
  }
}

/* As the record of a log, which lacks some members. */
static void forget (GRand *random, RspRecord *record) {
  guint unknown = record->unknown = (guint) g_rand_int_range (random, 0, 64);
  record->log = random_text (random);
  if (unknown & RSP_UNKNOWN_COUNTS)
    record->positive = record->negative = 0;
  if (unknown & RSP_UNKNOWN_N_UNDEFINED)
    record->n_undefined = 0;
  if (!rsp_record_is_ok (record))
    record->unknown &= ~(guint) RSP_UNKNOWN_UNDEFINED;
  else if (unknown & RSP_UNKNOWN_UNDEFINED)
    record->undefined = FALSE;
  for (guint i = 0; i < record->states->len; i++) {
    RspRecordState *state = &g_array_index (record->states, RspRecordState, i);
    state->satisfies &= !(unknown & RSP_UNKNOWN_SATISFIES);
    state->executions = unknown & RSP_UNKNOWN_EXECUTIONS ? 0 : state->executions;
    state->n_undefined = unknown & RSP_UNKNOWN_STATE_N_UNDEFINED ? 0 : state->n_undefined;
  }
}

static RspRecord *random_record (GRand *random) {
  static const char *const kinds[] = { "Allowed", "Forbidden", "Required" };
  RspRecord *record = rsp_record_new ("t", "p", "m", "r");
  char **texts[] = { &record->test,   &record->path, &record->model,    &record->version,
                     &record->reason, &record->hash, &record->condition };
  char **others[] = { &record->model_digest, &record->options, &record->scope_hash, &record->scopes,
                      &record->source };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    set_random (random, texts[i], FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    set_random (random, others[i], TRUE);
  record->total = (guint) g_rand_int_range (random, 1, G_MAXINT);
  record->index = (guint) g_rand_int_range (random, 0, (gint32) record->total);
  record->columns = (guint) g_rand_int_range (random, 1, 9);
  record->column = (guint) g_rand_int_range (random, 0, (gint32) record->columns);
  record->status = (RspStatus) g_rand_int_range (random, RSP_STATUS_OK, RSP_STATUS_LEFT_OUT + 1);
  record->language = g_strdup ("PTX");
  record->kind = g_strdup (kinds[g_rand_int_range (random, 0, 3)]);
  if (rsp_record_is_ok (record)) {
    g_clear_pointer (&record->reason, g_free);
    record->observation = (RspcheckObservation) g_rand_int_range (random, 0, 3);
    record->answer = g_rand_boolean (random);
    record->undefined = g_rand_boolean (random);
  }
  record->loop = g_rand_boolean (random);
  record->has_undefined = g_rand_boolean (random);
  record->n_undefined = random_count (random);
  if (record->n_undefined)
    record->undefined = FALSE;
  record->seconds = g_rand_double (random) * 100;
  set_statistics (random, &record->statistics);
  add_parts (random, record);
  count_states (record);
  if (record->states->len && g_rand_boolean (random))
    forget (random, record);
  return record;
}

/* ---- There and back ---- */

static void assert_equal_parts (const RspRecord *a, const RspRecord *b) {
  ck_assert_uint_eq (a->flags->len, b->flags->len);
  for (guint i = 0; i < a->flags->len; i++)
    ck_assert_str_eq (a->flags->pdata[i], b->flags->pdata[i]);
  ck_assert_uint_eq (a->evidence->len, b->evidence->len);
  for (guint i = 0; i < a->evidence->len; i++) {
    const RspRecordEvent *event = &g_array_index (a->evidence, RspRecordEvent, i),
                         *other = &g_array_index (b->evidence, RspRecordEvent, i);
    ck_assert_str_eq (event->flag, other->flag);
    ck_assert_str_eq (event->text, other->text);
    ck_assert_uint_eq (event->thread, other->thread);
    ck_assert_uint_eq (event->line, other->line);
    ck_assert_uint_eq (event->column, other->column);
  }
  ck_assert_uint_eq (a->prunings->len, b->prunings->len);
  for (guint i = 0; i < a->prunings->len; i++) {
    const RspPruning *pruning = &g_array_index (a->prunings, RspPruning, i),
                     *other = &g_array_index (b->prunings, RspPruning, i);
    ck_assert_str_eq (pruning->name, other->name);
    ck_assert_uint_eq (pruning->n, other->n);
    ck_assert_uint_eq (pruning->forced, other->forced);
  }
  ck_assert_uint_eq (a->states->len, b->states->len);
  for (guint i = 0; i < a->states->len; i++) {
    const RspRecordState *s = rsp_record_state (a, i), *t = rsp_record_state (b, i);
    ck_assert_str_eq (s->text, t->text);
    ck_assert_int_eq (s->satisfies, t->satisfies);
    ck_assert (s->executions == t->executions && s->n_undefined == t->n_undefined);
  }
}

static void assert_equal_records (const RspRecord *a, const RspRecord *b) {
  const char *const pairs[][2] = {
    { a->test, b->test },           { a->path, b->path },
    { a->model, b->model },         { a->model_digest, b->model_digest },
    { a->options, b->options },     { a->version, b->version },
    { a->reason, b->reason },       { a->kind, b->kind },
    { a->condition, b->condition }, { a->source, b->source },
    { a->hash, b->hash },           { a->log, b->log },
    { a->scopes, b->scopes },       { a->scope_hash, b->scope_hash },
  };
  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    ck_assert_pstr_eq (pairs[i][0], pairs[i][1]);
  ck_assert_uint_eq (a->index, b->index);
  ck_assert_uint_eq (a->total, b->total);
  ck_assert_uint_eq (a->column, b->column);
  ck_assert_uint_eq (a->columns, b->columns);
  ck_assert_int_eq (a->status, b->status);
  ck_assert_int_eq (a->observation, b->observation);
  ck_assert_int_eq (a->answer, b->answer);
  ck_assert_int_eq (a->loop, b->loop);
  ck_assert_int_eq (a->has_undefined, b->has_undefined);
  ck_assert_int_eq (a->undefined, b->undefined);
  ck_assert_uint_eq (a->unknown, b->unknown);
  ck_assert (a->positive == b->positive && a->negative == b->negative
             && a->n_undefined == b->n_undefined);
  ck_assert (a->seconds == b->seconds);
  ck_assert (memcmp (&a->statistics, &b->statistics, sizeof a->statistics) == 0);
  assert_equal_parts (a, b);
}

static void clear_line (gpointer line) { rsp_record_free (((RspJsonLine *) line)->record); }

static GArray *read_text (const char *text, RspDiagnostics *diagnostics, gboolean *good,
                          gsize *whole) {
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (RspJsonLine));
  g_array_set_clear_func (lines, clear_line);
  RspSource *source = rsp_source_new ("r.jsonl", g_strdup (text), strlen (text));
  *good = rsp_json_read (source, lines, whole, diagnostics);
  rsp_source_unref (source);
  return lines;
}

START_TEST (what_is_read_back_is_what_was_written) {
  GRand *random = g_rand_new_with_seed ((guint32) _i);
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  RspRecord *records[20];
  gboolean good;
  for (guint i = 0; i < G_N_ELEMENTS (records); i++) {
    records[i] = random_record (random);
    rsp_json_format (records[i], text);
  }
  g_autoptr (GArray) lines = read_text (text->str, diagnostics, &good, NULL);
  ck_assert (good);
  ck_assert_uint_eq (rsp_diagnostics_count (diagnostics), 0);
  ck_assert_uint_eq (lines->len, G_N_ELEMENTS (records));
  g_autoptr (GString) again = g_string_new (NULL);
  for (guint i = 0; i < lines->len; i++) {
    const RspRecord *found = g_array_index (lines, RspJsonLine, i).record;
    assert_equal_records (records[i], found);
    rsp_json_format (found, again);
    rsp_record_free (records[i]);
  }
  ck_assert_str_eq (text->str, again->str);
  for (const char *c = text->str; *c; c++)
    if ((guchar) *c < 0x20 && *c != '\n') /* each ck_assert calls write */
      ck_abort_msg ("a control character, %d, in JSON", *c);
  g_rand_free (random);
}
END_TEST

/* ---- Wrong lines ---- */

/* One good line, without its newline. */
/* Without its checksum, so that tests can change it. */
static char *good_line (void) {
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (RspRecord) record = rsp_record_new ("t", "p", "m", "no answer");
  rsp_json_format (record, text);
  g_string_truncate (text, (gsize) (strstr (text->str, ",\"checksum\"") - text->str));
  g_string_append_c (text, '}');
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *replaced (const char *text, const char *old, const char *new) {
  g_auto (GStrv) parts = g_strsplit (text, old, 2);
  ck_assert_msg (parts[0] && parts[1], "no %s in %s", old, text);
  return g_strjoinv (new, parts);
}

typedef struct Wrong {
  const char *old, *new, *message;
} Wrong;

#define DIGITS "`bad` of a record: expected a number of at least 0, or a string of digits"

static const Wrong wrongs[] = {
  { "\"index\":0", "\"index\":1", "`index` of a record: expected a number below `total`" },
  { "\"index\":0", "\"index\":-1", "`index` of a record: expected a number of at least 0" },
  { "\"index\":0", "\"index\":99999999999",
    "`index` of a record: expected a number of at least 0" },
  { "\"index\":0", "\"index\":\"0\"", "`index` of a record: expected a number of at least 0" },
  { "\"index\":0,", "", "a record without `index`" },
  { "\"format\":2", "\"format\":3",
    "a record of format 3, made by a newer rspcheck: this one knows format 2" },
  { "\"test\":\"t\"", "\"test\":null", "`test` of a record: expected a string" },
  { "\"options\":null", "\"options\":1", "`options` of a record: expected a string or null" },
  { "\"loop\":false", "\"loop\":0", "`loop` of a record: expected true or false" },
  { "\"bad\":0", "\"bad\":\"\"", DIGITS },
  { "\"bad\":0", "\"bad\":\"12e3\"", DIGITS },
  { "\"bad\":0", "\"bad\":\"999999999999999999999999999999999999999\"", DIGITS },
  { "\"bad\":0", "\"bad\":-7", DIGITS },
  { "\"bad\":0", "\"bad\":0.5", DIGITS },
  { "\"status\":\"error\"", "\"status\":\"left_out\"",
    "`language` of a record: expected one for a test that is left out" },
  { "\"flags\":[]", "\"flags\":{}", "`flags` of a record: expected an array" },
  { "\"flags\":[]", "\"flags\":[null]",
    "`flags` of a record: expected objects with `name`, a string, and `events`, an array" },
  { "\"flags\":[]", "\"flags\":[{\"name\":\"a\",\"events\":[1]}]",
    "`flags` of a record: expected objects in `events`" },
  { "\"flags\":[]",
    "\"flags\":[{\"name\":\"a\",\"events\":[{\"thread\":-1,\"line\":1,\"column\":1,"
    "\"text\":\"\"}]}]",
    "`thread` of a record: expected a number of at least 0" },
  { "\"states\":[]", "\"states\":[1]", "`states` of a record: expected objects" },
  { "\"states\":[]", "\"states\":[{}]", "a record without `state`" },
  { "\"paths\":0", "\"paths\":1.5", "`paths` of a record: expected a number of at least 0" },
  { "\"status\":\"error\"", "\"status\":\"fine\"",
    "`status` of a record: expected one of `ok`, `timeout`, `executions`, `memory`, `error`, "
    "`left_out`" },
  { "\"status\":\"error\"", "\"status\":\"ok\"", "a record without `observation`" },
  { "\"reason\":\"no answer\"", "\"reason\":null",
    "`reason` of a record: expected one for a test without an answer" },
  { "\"kind\":null", "\"kind\":\"Alowed\"",
    "`kind` of a record: expected `Allowed`, `Forbidden` or `Required`" },
  { "\"kind\":null", "\"kind\":\"Allowed\"",
    "`condition` of a record: expected one for a test with a kind" },
  { "\"path\":", "\"path\" ",
    "this is not a line of `rspcheck -json`: it is not a JSON object from here on" },
  { "{\"format\":2", "[{\"format\":2",
    "this is not a line of `rspcheck -json`: it is not a JSON object from here on" },
  { "\"test\":\"t\"", "\"test\":\"\xff\"",
    "this is not a line of `rspcheck -json`: it is not a JSON object from here on" },
  { "\"test\":\"t\"", "\"test\":\"\\ud800\"", "half of a surrogate pair is not a character" },
  { "\"source\":null}", "\"source\":null} {}",
    "this should be on a line of its own: one record per line" },
};

/* The second of three lines is wrong: it is reported with its line, and the others count. */
START_TEST (a_wrong_line_is_left_out) {
  const Wrong *wrong = &wrongs[_i];
  g_autofree char *line = good_line ();
  g_autofree char *wrong_line = replaced (line, wrong->old, wrong->new);
  g_autofree char *text = g_strdup_printf ("%s\n%s\n\n%s", line, wrong_line, line);
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  gboolean good;
  g_autoptr (GArray) lines = read_text (text, diagnostics, &good, NULL);
  ck_assert (!good);
  ck_assert_uint_eq (lines->len, 2);
  ck_assert_uint_eq (rsp_diagnostics_count (diagnostics), 1);
  const RspDiagnostic *diagnostic = rsp_diagnostics_get (diagnostics, 0);
  ck_assert_int_eq (diagnostic->severity, RSP_ERROR);
  ck_assert_str_eq (diagnostic->message, wrong->message);
  ck_assert_uint_eq (rsp_span_line (diagnostic->span), 2);
  ck_assert_uint_eq (rsp_span_line (g_array_index (lines, RspJsonLine, 1).span), 4);
}
END_TEST

/* However short the last line is. */
START_TEST (a_torn_last_line_is_dropped) {
  g_autofree char *line = good_line ();
  for (gsize length = 1; length < strlen (line); length++) {
    g_autofree char *torn = g_strndup (line, length);
    g_autofree char *text = g_strdup_printf ("%s\n%s", line, torn);
    g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
    gboolean good;
    gsize whole;
    g_autoptr (GArray) lines = read_text (text, diagnostics, &good, &whole);
    ck_assert (good);
    ck_assert_uint_eq (lines->len, 1);
    ck_assert_uint_eq (whole, strlen (line) + 1);
    ck_assert_uint_eq (rsp_diagnostics_count (diagnostics), 1);
    const RspDiagnostic *diagnostic = rsp_diagnostics_get (diagnostics, 0);
    ck_assert_int_eq (diagnostic->severity, RSP_WARNING);
    ck_assert_uint_eq (rsp_span_line (diagnostic->span), 2);
  }
}
END_TEST

START_TEST (unknown_members_are_warned_about_once) {
  g_autofree char *line = good_line ();
  g_autofree char *more = replaced (line, "{\"format\":2", "{\"format\":2,\"colour\":\"red\"");
  g_autofree char *text = g_strdup_printf ("%s\n%s\n", more, more);
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  gboolean good;
  gsize whole;
  g_autoptr (GArray) lines = read_text (text, diagnostics, &good, &whole);
  ck_assert (good);
  ck_assert_uint_eq (lines->len, 2);
  ck_assert_uint_eq (whole, strlen (text));
  ck_assert_uint_eq (rsp_diagnostics_count (diagnostics), 1);
  const RspDiagnostic *diagnostic = rsp_diagnostics_get (diagnostics, 0);
  ck_assert_str_eq (diagnostic->message, "the unknown member `colour` is ignored");
}
END_TEST

/* However a line is damaged, reading it ends, and every line is either read or reported. */
START_TEST (damaged_lines_do_no_harm) {
  static const char *const parts[] = { "\"",
                                       "\\",
                                       "{",
                                       "}",
                                       "[",
                                       "]",
                                       ",",
                                       ":",
                                       "'",
                                       "/*",
                                       "//",
                                       "#",
                                       "\\u0000",
                                       "\\ud800",
                                       "\\udc00\\ud800",
                                       "\\u12",
                                       "1e999",
                                       "-0",
                                       "99999999999999999999",
                                       "0x1f",
                                       "null",
                                       "NaN",
                                       "true",
                                       "\n",
                                       "\xff",
                                       "@",
                                       "..",
                                       "1.5.2" };
  GRand *random = g_rand_new_with_seed ((guint32) _i);
  for (guint round = 0; round < 200; round++) {
    g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
    g_autoptr (GString) text = g_string_new (NULL);
    g_autoptr (RspRecord) record = random_record (random);
    rsp_json_format (record, text);
    for (gint n = g_rand_int_range (random, 1, 4); n > 0; n--) {
      gssize at = g_rand_int_range (random, 0, (gint32) text->len - 1);
      gssize most = (gssize) text->len - 1 - at, erased = g_rand_int_range (random, 0, 4);
      g_string_erase (text, at, MIN (erased, most));
      g_string_insert (text, at, parts[g_rand_int_range (random, 0, G_N_ELEMENTS (parts))]);
    }
    gboolean good;
    g_autoptr (GArray) lines = read_text (text->str, diagnostics, &good, NULL);
    ck_assert (lines->len > 0 || !good || rsp_diagnostics_count (diagnostics) > 0);
    ck_assert (good == (rsp_diagnostics_count_errors (diagnostics) == 0));
  }
  g_rand_free (random);
}
END_TEST

START_TEST (a_deep_line_is_refused) {
  static const char *const opening[] = { "[", "{\"a\":", "{\"a\":\"\\\"\",\"b\":[" };
  for (guint i = 0; i < G_N_ELEMENTS (opening); i++) {
    g_autoptr (GString) text = g_string_new (NULL);
    g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
    for (guint k = 0; k < 1000000; k++)
      g_string_append (text, opening[i]);
    g_string_append_c (text, '\n');
    gboolean good;
    g_autoptr (GArray) lines = read_text (text->str, diagnostics, &good, NULL);
    ck_assert (!good);
    ck_assert_uint_eq (lines->len, 0);
  }
}
END_TEST

/* ---- Values ---- */
/* What is read is written like this; or, if `written` is NULL, is wrong at this byte. */
typedef struct Read {
  const char *text, *written;
  RspJsonProblem problem;
  gsize at;
} Read;

static const Read reads[] = {
  { " { } ", "{}", 0, 0 },
  { "[ ]", "[]", 0, 0 },
  { "[{\"a\":[[],{}]},null , true,\tfalse\r\n]", "[{\"a\":[[],{}]},null,true,false]", 0, 0 },
  { "{\"b\":1,\"a\":2,\"b\":3}", "{\"b\":1,\"a\":2,\"b\":3}", 0, 0 },
  { "\"\"", "\"\"", 0, 0 },
  { "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\\"\\\\/\\b\\f\\n\\r\\t\"", 0, 0 },
  { "\"\\u0001\\u001F\\u007f\"", "\"\\u0001\\u001f\\u007f\"", 0, 0 },
  { "\"\\u00e9\\u20AC\"", "\"\u00e9\u20ac\"", 0, 0 },
  { "\"\\ud83d\\uDE00\\udbff\\udfff\"", "\"\U0001f600\\udbff\\udfff\"", 0, 0 },
  { "\"a\\u0000b\"", "\"a\ufffdb\"", 0, 0 },
  { "[0,-0,0.0,1e5,1E+05,-12.50e-7]", "[0,-0,0.0,1e5,1E+05,-12.50e-7]", 0, 0 },
  { "123456789012345678901234567890", "123456789012345678901234567890", 0, 0 },
  { "", NULL, RSP_JSON_SYNTAX, 0 },
  { "  ", NULL, RSP_JSON_SYNTAX, 2 },
  { "[1,]", NULL, RSP_JSON_SYNTAX, 3 },
  { "[1 2]", NULL, RSP_JSON_SYNTAX, 3 },
  { "[,1]", NULL, RSP_JSON_SYNTAX, 1 },
  { "[1", NULL, RSP_JSON_SYNTAX, 2 },
  { "[1}", NULL, RSP_JSON_SYNTAX, 2 },
  { "{\"a\":1,}", NULL, RSP_JSON_SYNTAX, 7 },
  { "{\"a\" 1}", NULL, RSP_JSON_SYNTAX, 5 },
  { "{\"a\":}", NULL, RSP_JSON_SYNTAX, 5 },
  { "{a:1}", NULL, RSP_JSON_SYNTAX, 1 },
  { "{1:1}", NULL, RSP_JSON_SYNTAX, 1 },
  { "'a'", NULL, RSP_JSON_SYNTAX, 0 },
  { "nul", NULL, RSP_JSON_SYNTAX, 0 },
  { "True", NULL, RSP_JSON_SYNTAX, 0 },
  { "NaN", NULL, RSP_JSON_SYNTAX, 0 },
  { "-", NULL, RSP_JSON_SYNTAX, 1 },
  { "+1", NULL, RSP_JSON_SYNTAX, 0 },
  { "1.", NULL, RSP_JSON_SYNTAX, 2 },
  { ".5", NULL, RSP_JSON_SYNTAX, 0 },
  { "1e", NULL, RSP_JSON_SYNTAX, 2 },
  { "1 // one", NULL, RSP_JSON_MORE, 2 },
  { "01", NULL, RSP_JSON_MORE, 1 },
  { "0x1", NULL, RSP_JSON_MORE, 1 },
  { "nulls", NULL, RSP_JSON_MORE, 4 },
  { "{}\n[]", NULL, RSP_JSON_MORE, 3 },
  { "\"a", NULL, RSP_JSON_SYNTAX, 2 },
  { "\"a\\\"", NULL, RSP_JSON_SYNTAX, 4 },
  { "\"a\nb\"", NULL, RSP_JSON_SYNTAX, 2 },
  { "\"\\x\"", NULL, RSP_JSON_SYNTAX, 1 },
  { "\"\\u12g4\"", NULL, RSP_JSON_SYNTAX, 1 },
  { "\"\\u123\"", NULL, RSP_JSON_SYNTAX, 1 },
  { "\"\\u12", NULL, RSP_JSON_SYNTAX, 1 },
  { "\"\\ud800\"", NULL, RSP_JSON_LONE, 1 },
  { "\"\\ud800\\n\"", NULL, RSP_JSON_LONE, 1 },
  { "\"\\ud800\\u0041\"", NULL, RSP_JSON_LONE, 1 },
  { "\"\\ud800\\ud800\"", NULL, RSP_JSON_LONE, 1 },
  { "\"..\\udc00\"", NULL, RSP_JSON_LONE, 3 },
  { "\"a\xff\"", NULL, RSP_JSON_SYNTAX, 2 },
  { "\"\xc3\"", NULL, RSP_JSON_SYNTAX, 1 },
  { "\"\xc0\x80\"", NULL, RSP_JSON_SYNTAX, 1 },
  { "\"\xed\xa0\x80\"", NULL, RSP_JSON_SYNTAX, 1 },
};

START_TEST (values_are_read) {
  const Read *read = &reads[_i];
  /* without an end, for the sanitizer */
  g_autofree char *text = g_memdup2 (read->text, strlen (read->text) + !*read->text);
  RspJsonError error;
  g_autoptr (RspJson) value = rsp_json_parse (text, strlen (read->text), &error);
  g_autofree char *written = value ? rsp_json_to_string (value) : NULL;
  ck_assert_pstr_eq (written, read->written);
  if (!value) {
    ck_assert_int_eq (error.problem, read->problem);
    ck_assert_uint_eq (error.at, read->at);
  }
}
END_TEST

static char *nested (guint depth) {
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < depth; i++)
    g_string_append (text, i % 2 ? "{\"\":" : "[");
  g_string_append_c (text, '1');
  for (guint i = depth; i-- > 0;)
    g_string_append_c (text, i % 2 ? '}' : ']');
  return g_string_free (text, FALSE);
}

START_TEST (values_are_nested_up_to_a_limit) {
  g_autofree char *most = nested (512), *more = nested (513);
  RspJsonError error;
  g_autoptr (RspJson) value = rsp_json_parse (most, strlen (most), &error);
  ck_assert (value);
  g_autofree char *written = rsp_json_to_string (value);
  ck_assert_str_eq (written, most);
  ck_assert (!rsp_json_parse (more, strlen (more), &error));
  ck_assert_int_eq (error.problem, RSP_JSON_TOO_DEEP);
  ck_assert_int_eq (more[error.at], '[');
}
END_TEST

static gint64 integer_of (const char *text) {
  g_autoptr (RspJson) value = rsp_json_parse (text, strlen (text), NULL);
  return rsp_json_as_integer (value, -1);
}

static double real_of (const char *text) {
  g_autoptr (RspJson) value = rsp_json_parse (text, strlen (text), NULL);
  return rsp_json_as_real (value, -1);
}

START_TEST (numbers_are_exact) {
  ck_assert (integer_of ("9223372036854775807") == G_MAXINT64);
  ck_assert (integer_of ("-9223372036854775808") == G_MININT64);
  ck_assert (integer_of ("9223372036854775808") == -1);
  ck_assert (integer_of ("-9223372036854775809") == -1);
  ck_assert (integer_of ("-0") == 0);
  ck_assert (integer_of ("1.0") == -1 && integer_of ("1e2") == -1 && integer_of ("\"1\"") == -1);
  ck_assert (real_of ("9007199254740993") == 9007199254740992.0);
  ck_assert (real_of ("5e-324") > 0 && real_of ("1e999") > G_MAXDOUBLE);
  ck_assert (real_of ("0.1") == 0.1 && real_of ("null") == -1);
  const double reals[] = { 0, 1, -2.5, 0.1, 1e20, 1e-7, 1.7976931348623157e308, 5e-324 };
  for (guint i = 0; i < G_N_ELEMENTS (reals); i++) {
    g_autoptr (RspJson) value = rsp_json_real (reals[i]);
    g_autofree char *text = rsp_json_to_string (value);
    ck_assert (real_of (text) == reals[i]);
    ck_assert_msg (integer_of (text) == -1, "%s looks like an integer", text);
  }
}
END_TEST

START_TEST (members_are_found_and_changed) {
  const char *text = "{\"a\":{\"b\":[1,\"x\"]},\"c\":true,\"c\":null}";
  g_autoptr (RspJson) value = rsp_json_parse (text, strlen (text), NULL);
  RspJson *list = rsp_json_as_list (rsp_json_get (value, "a", "b", NULL));
  ck_assert_uint_eq (rsp_json_length (list), 2);
  ck_assert_str_eq (rsp_json_as_text (rsp_json_item (list, 1)), "x");
  ck_assert (rsp_json_is_null (rsp_json_get (value, "c", NULL)));
  ck_assert (!rsp_json_get (value, "a", "b", "c", NULL) && !rsp_json_get (NULL, "a", NULL));
  ck_assert (!rsp_json_is_null (NULL) && !rsp_json_as_text (list) && !rsp_json_length (NULL));
  rsp_json_set (value, "c", NULL);
  rsp_json_set (value, "a", rsp_json_ref (list));
  rsp_json_set_text (value, "d", "\xff\xc3\xa9\x80");
  rsp_json_set_text (value, "e", "\x7f\xc2\x9b\xe2\x80\xae\xf3\xa0\x81\x81");
  g_autofree char *written = rsp_json_to_string (value);
  ck_assert_str_eq (written, "{\"a\":[1,\"x\"],\"c\":true,\"d\":\"\\ufffd\u00e9\\ufffd\","
                             "\"e\":\"\\u007f\\u009b\\u202e\\udb40\\udc41\"}");
  g_autoptr (RspJson) again = rsp_json_parse (written, strlen (written), NULL);
  ck_assert_str_eq (rsp_json_as_text (rsp_json_get (again, "e", NULL)),
                    rsp_json_as_text (rsp_json_get (value, "e", NULL)));
}
END_TEST

Suite *json_suite (void) {
  Suite *suite = suite_create ("json");
  TCase *tests = tcase_create ("json");
  tcase_add_loop_test (tests, what_is_read_back_is_what_was_written, 0, 50);
  tcase_add_loop_test (tests, a_wrong_line_is_left_out, 0, (int) G_N_ELEMENTS (wrongs));
  tcase_add_test (tests, a_torn_last_line_is_dropped);
  tcase_add_test (tests, unknown_members_are_warned_about_once);
  tcase_add_loop_test (tests, damaged_lines_do_no_harm, 0, 10);
  tcase_add_test (tests, a_deep_line_is_refused);
  tcase_add_loop_test (tests, values_are_read, 0, (int) G_N_ELEMENTS (reads));
  tcase_add_test (tests, values_are_nested_up_to_a_limit);
  tcase_add_test (tests, numbers_are_exact);
  tcase_add_test (tests, members_are_found_and_changed);
  suite_add_tcase (suite, tests);
  return suite;
}
