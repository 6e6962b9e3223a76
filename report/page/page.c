/* The page of -html. */
#include "base/base.h"
#include "report/page/page.h"
#include "report/record.h"
#include "report/report.h"

#include <string.h>

/* Distinct texts in order of appearance. */
typedef struct Texts {
  GPtrArray *list;     /* of char *, owned */
  GHashTable *numbers; /* text → number */
} Texts;

/* A JSON string. Markup is escaped too: no text can end the element that the data is in. */
static void append_text (const char *text, GString *out);

/* Adds nothing for NULL. */
static void add_text (const char *name, const char *text, GString *out);

/* An element. */
static void add_number (guint number, GString *out);

/* ---- Members -------------------------------------------------------------------------------- */

/* JSON inside HTML. Each function adds the comma that precedes its own text. */

/* ---- Texts ---- */
static Texts texts_new (void) {
  return (Texts){ g_ptr_array_new_with_free_func (g_free),
                  g_hash_table_new (g_str_hash, g_str_equal) };
}

static void texts_clear (Texts *texts) {
  g_hash_table_unref (texts->numbers);
  g_ptr_array_unref (texts->list);
}

/* The text's number; a new text gets the next one. */
static guint texts_number (Texts *texts, const char *text) {
  gpointer number;
  if (g_hash_table_lookup_extended (texts->numbers, text, NULL, &number))
    return GPOINTER_TO_UINT (number);
  char *own = g_strdup (text);
  g_hash_table_insert (texts->numbers, own, GUINT_TO_POINTER (texts->list->len));
  g_ptr_array_add (texts->list, own);
  return texts->list->len - 1;
}

/* ---- Members ---- */
static void append_text (const char *text, GString *out) {
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_string_append_c (out, '"');
  for (const char *c = valid; *c; c++)
    if (*c == '\n')
      g_string_append (out, "\\n");
    else if (*c == '"' || *c == '\\')
      g_string_append_printf (out, "\\%c", *c);
    else if ((guchar) *c < 0x20 || strchr ("<>&", *c))
      g_string_append_printf (out, "\\u%04x", (guint) *c);
    else
      g_string_append_c (out, *c);
  g_string_append_c (out, '"');
}

/* The comma before an element or member. */
static void separate (GString *out) {
  char last = out->str[out->len - 1];
  if (last != '{' && last != '[' && last != ':')
    g_string_append_c (out, ',');
}

static void begin_member (const char *name, GString *out) {
  separate (out);
  g_string_append_printf (out, "\"%s\":", name);
}

/* A member that is an array or object, with its opening bracket; the caller closes it. */
static void page_begin (const char *name, char bracket, GString *out) {
  begin_member (name, out);
  g_string_append_c (out, bracket);
}

static void add_text (const char *name, const char *text, GString *out) {
  if (!text)
    return;
  begin_member (name, out);
  append_text (text, out);
}

/* Adds nothing for FALSE. */
static void add_true (const char *name, gboolean value, GString *out) {
  if (!value)
    return;
  begin_member (name, out);
  g_string_append (out, "true");
}

static void add_number (guint number, GString *out) {
  separate (out);
  g_string_append_printf (out, "%u", number);
}

/* A number, or a string if JavaScript's numbers are not exact; null if unknown. */
static void append_count (RspCount count, gboolean unknown, GString *out) {
  const char *quote = count >> 53 ? "\"" : "";
  separate (out);
  if (unknown) {
    g_string_append (out, "null");
    return;
  }
  g_string_append (out, quote);
  rsp_count_format (count, out);
  g_string_append (out, quote);
}

/* Adds nothing for 0. */
static void add_count (const char *name, RspCount count, gboolean unknown, GString *out) {
  if (!count && !unknown)
    return;
  begin_member (name, out);
  append_count (count, unknown, out);
}

static void add_titles (const char *name, const char *const *titles, guint n, GString *out) {
  page_begin (name, '[', out);
  for (guint i = 0; i < n; i++) {
    separate (out);
    append_text (titles[i], out);
  }
  g_string_append_c (out, ']');
}

/* ---- Page ----------------------------------------------------------------------------------- */

/* The page's data is one JSON object, in report/page/data.js as the scripts know it:
 *
 *   { "version", "verdicts": [word], "sentences": [the answer in words], "flags": [name],
 *     "models": [{ "name", "digest", "options", "version", "log", "totals": [number] }],
 *     "totals": [title], "relations": [title],
 *     "pairs": [[a, b, number of tests in each relation …]], "same": [[a, b, all were compared]],
 *     "tests": [{ "name", "path", "kind", "condition", "hash", "scopeHash", "scopes", "source",
 *                 "differs", "relations": [of the pairs a < b], "states": [text],
 *                 "satisfying": [state], "packed": candidate executions, see page.h,
 *                 "cells": [per model: cell or null] }] }
 *
 *   cell: { "v": verdict, "w": sentence, "p", "n", "b": counts for, against, and undefined, "loop",
 * "any": states are not compared, "j": models' judgements of a device's runs, "Agrees/Racy", "m":
 * machine or null, "differs": from the first cell that there is, "reason", "f": [flag], "e":
 * [[flag, what shows it in words, its lines …]], "progress": text: does the test hang, and how,
 * "s": [state, executions, undefined, …] }
 *
 *   machine: { "name", "mapping", "readings", "by": model, "verdict": "sound", "deadlock",
 *              "states": of the search, "unsound": [state], "trace", "deadlockTrace": text,
 *              "violated": an invariant, "violatedTrace": text,
 *              "bill": [[item, least, mean, most]] }
 *
 * A model without an answer has only the states seen until it gave up. A count is null if a log
 * does not have it. Members that are 0, false or empty are left out. States, verdicts and flags are
 * numbers of entries in the lists above, so that each text is in the page once. */

typedef struct Page {
  const RspSuite *suite;
  const RspPageDrawing *drawing;
  Texts verdicts, sentences, flags;
  GString *out;
  GHashTable *titles; /* of the tests: see rsp_test_title */
} Page;

/* ---- Machines ---- */
static void add_machine (const RspRecord *record, Texts *states, GString *out) {
  const RspMachineReport *report = &record->machine;
  if (!report->machine)
    return;
  page_begin ("m", '{', out);
  add_text ("name", report->machine, out);
  add_text ("mapping", report->mapping, out);
  add_text ("readings", report->readings, out);
  add_text ("by", report->allowed_by, out);
  add_text ("verdict", rsp_soundness_names[report->verdict], out);
  add_true ("deadlock", report->deadlock, out);
  begin_member ("states", out);
  g_string_append_printf (out, "%" G_GUINT64_FORMAT, report->states);
  g_auto (GStrv) lines = g_strsplit (report->unsound ? report->unsound : "", "\n", -1);
  page_begin ("unsound", '[', out);
  for (guint i = 0; lines[i] && lines[i + 1]; i++)
    add_number (texts_number (states, lines[i]), out);
  g_string_append_c (out, ']');
  add_text ("trace", report->trace, out);
  add_text ("deadlockTrace", report->deadlock_trace, out);
  add_text ("violated", report->violated, out);
  add_text ("violatedTrace", report->violated_trace, out);
  g_auto (GStrv) bill = g_strsplit (report->bill ? report->bill : "", "\n", -1);
  page_begin ("bill", '[', out);
  for (guint i = 0; bill[i] && *bill[i]; i++) {
    g_auto (GStrv) words = g_strsplit (bill[i], " ", 4);
    separate (out);
    g_string_append_printf (out, "[\"%s\",%s,%s,%s]", words[0], words[1], words[2], words[3]);
  }
  g_string_append_c (out, ']');
  g_string_append_c (out, '}');
}

/* ---- Cells ---- */
static void add_flags (Page *page, const RspRecord *record) {
  if (!rsp_record_is_flagged (record))
    return;
  page_begin ("f", '[', page->out);
  for (guint i = 0; i < record->flags->len; i++)
    add_number (texts_number (&page->flags, record->flags->pdata[i]), page->out);
  if (record->flags->len == 0)
    add_number (texts_number (&page->flags, "undefined"), page->out);
  g_string_append_c (page->out, ']');
}

/* The events that show why a flag is raised. */
static void add_evidence_of (Page *page, const RspRecord *record, const char *flag) {
  g_autoptr (GString) words = g_string_new (NULL);
  rsp_record_format_evidence (record, flag, words);
  if (words->len == 0)
    return;
  separate (page->out);
  g_string_append_printf (page->out, "[%u,", texts_number (&page->flags, flag));
  append_text (words->str + 1, page->out); /* after the blank */
  for (guint i = 0; i < record->evidence->len; i++) {
    const RspRecordEvent *event = &g_array_index (record->evidence, RspRecordEvent, i);
    if (event->line && g_str_equal (event->flag, flag))
      add_number (event->line, page->out);
  }
  g_string_append_c (page->out, ']');
}

static void add_states (Page *page, const RspRecord *record, Texts *states) {
  if (record->states->len == 0)
    return;
  page_begin ("s", '[', page->out);
  for (guint i = 0; i < record->states->len; i++) {
    const RspRecordState *state = rsp_record_state (record, i);
    add_number (texts_number (states, state->text), page->out);
    append_count (state->executions, record->unknown & RSP_UNKNOWN_EXECUTIONS, page->out);
    append_count (state->n_undefined, record->unknown & RSP_UNKNOWN_STATE_N_UNDEFINED, page->out);
  }
  g_string_append_c (page->out, ']');
}

static void add_cell (Page *page, const RspSuiteRow *row, guint k, Texts *states) {
  const RspRecord *record = row->cells[k];
  GString *out = page->out;
  separate (out);
  if (!record) {
    g_string_append (out, "null");
    return;
  }
  g_string_append_c (out, '{');
  begin_member ("v", out);
  g_string_append_printf (out, "%u", texts_number (&page->verdicts, rsp_tsv_verdict_word (record)));
  g_autofree char *sentence = rsp_record_sentence (record);
  begin_member ("w", out);
  g_string_append_printf (out, "%u", texts_number (&page->sentences, sentence));
  add_true ("differs", rsp_records_differ (suite_first (page->suite, row), record), out);
  add_text ("reason", record->reason, out);
  if (record->is_device) {
    g_autofree char *judged = suite_judgements (page->suite, row, record);
    add_text ("j", judged, out);
  }
  if (rsp_record_is_ok (record)) {
    gboolean uncounted = record->unknown & RSP_UNKNOWN_COUNTS;
    add_count ("p", record->positive, uncounted, out);
    add_count ("n", record->negative, uncounted, out);
    if (record->undetermined)
      add_count ("u", record->undetermined, FALSE, out);
    add_count ("b", record->n_undefined, record->unknown & RSP_UNKNOWN_N_UNDEFINED, out);
    add_true ("loop", record->loop, out);
    add_true ("any", !suite_has_states (page->suite, row, k), out);
    add_flags (page, record);
    if (record->evidence->len)
      page_begin ("e", '[', out);
    for (guint i = 0; record->evidence->len && i < record->flags->len; i++)
      add_evidence_of (page, record, record->flags->pdata[i]);
    g_string_append (out, record->evidence->len ? "]" : "");
  }
  g_autofree char *text
      = record->progress
            ? g_strconcat (record->progress, record->schedule ? record->schedule : "", NULL)
            : NULL;
  add_text ("progress", text, page->out);
  add_states (page, record, states);
  add_machine (record, states, out);
  g_string_append_c (out, '}');
}

/* ---- Tests ---- */
/* Numbers of the states for which the proposition holds, according to any of the records. */
static void add_satisfying (const RspSuiteRow *row, guint n_models, Texts *states, GString *out) {
  g_autofree gboolean *holds = g_new0 (gboolean, states->list->len);
  for (guint k = 0; k < n_models; k++)
    for (guint i = 0; row->cells[k] && i < row->cells[k]->states->len; i++) {
      const RspRecordState *state = rsp_record_state (row->cells[k], i);
      gpointer number;
      if (state->satisfies
          && g_hash_table_lookup_extended (states->numbers, state->text, NULL, &number))
        holds[GPOINTER_TO_UINT (number)] = TRUE;
    }
  page_begin ("satisfying", '[', out);
  for (guint i = 0; i < states->list->len; i++)
    if (holds[i])
      add_number (i, out);
  g_string_append_c (out, ']');
}

static void add_test (Page *page, const RspSuiteRow *row) {
  guint n = page->suite->models->len;
  /* The record that describes the test: the first, or the first one with the source. */
  const RspRecord *record = NULL;
  for (guint k = 0; k < n; k++)
    if (row->cells[k] && (!record || (!record->source && row->cells[k]->source)))
      record = row->cells[k];
  GString *out = page->out;
  Texts states = texts_new ();
  g_string_append (out, out->str[out->len - 1] == '[' ? "\n{" : ",\n{");
  g_autofree char *title = rsp_test_title (page->titles, record->test, record->path);
  add_text ("name", title, out);
  add_text ("path", record->path, out);
  add_text ("kind", record->kind, out);
  add_text ("condition", record->condition, out);
  add_text ("hash", record->hash, out);
  add_text ("scopeHash", record->scope_hash, out);
  add_text ("scopes", record->scopes, out);
  add_text ("source", record->source, out);
  add_true ("differs", row->differs, out);
  page_begin ("relations", '[', out);
  for (guint a = 0; a < n; a++)
    for (guint b = a + 1; b < n; b++)
      add_number (rsp_records_relate (row->cells[a], row->cells[b]), out);
  g_string_append_c (out, ']');
  page_begin ("cells", '[', out);
  for (guint k = 0; k < n; k++)
    add_cell (page, row, k, &states);
  g_string_append_c (out, ']');
  add_titles ("states", (const char *const *) states.list->pdata, states.list->len, out);
  add_satisfying (row, n, &states, out);
  g_autofree char *packed
      = rsp_page_pack_pictures ((const RspRecord *const *) row->cells, n, page->drawing);
  add_text ("packed", packed, out);
  g_string_append_c (out, '}');
  texts_clear (&states);
}

/* ---- Models ---- */
static void add_models (const RspSuite *suite, GString *out) {
  page_begin ("models", '[', out);
  for (guint k = 0; k < suite->models->len; k++) {
    /* The first record of the model, or the first one with a digest. */
    const RspRecord *record = NULL;
    for (guint r = 0; r < suite->rows->len && !(record && record->model_digest); r++) {
      const RspRecord *own = suite_row (suite, r)->cells[k];
      if (own && (!record || own->model_digest))
        record = own;
    }
    guint totals[RSP_N_TOTALS];
    suite_total (suite, k, totals);
    separate (out);
    g_string_append_c (out, '{');
    add_text ("name", suite->models->pdata[k], out);
    add_text ("digest", record->model_digest, out);
    add_text ("options", record->options, out);
    add_text ("version", record->version, out);
    add_text ("log", record->log, out);
    page_begin ("totals", '[', out);
    for (guint i = 0; i < suite_n_totals (suite); i++)
      add_number (totals[i], out);
    g_string_append (out, "]}");
  }
  g_string_append_c (out, ']');
}

static void add_data (const GPtrArray *records, const RspPageDrawing *drawing, GString *out) {
  g_autoptr (RspSuite) suite = suite_new (records);
  g_autoptr (GHashTable) titles = rsp_test_titles (records);
  Page page = { suite, drawing, texts_new (), texts_new (), texts_new (), out, titles };
  Texts *const lists[] = { &page.verdicts, &page.sentences, &page.flags };
  static const char *const names[] = { "verdicts", "sentences", "flags" };
  g_string_append_c (out, '{');
  add_text ("version", RSP_VERSION, out);
  add_titles ("totals", rsp_total_titles, suite_n_totals (suite), out);
  add_titles ("relations", rsp_relation_titles, RSP_N_RELATIONS, out);
  add_models (suite, out);
  g_autoptr (GString) same = g_string_new ("[");
  guint n = suite->models->len;
  page_begin ("pairs", '[', out);
  for (guint a = 0; a < n; a++)
    for (guint b = a + 1; b < n; b++) {
      guint found[RSP_N_RELATIONS];
      suite_relate (suite, a, b, found);
      separate (out);
      g_string_append_printf (out, "[%u,%u", a, b);
      for (guint i = 0; i < RSP_N_RELATIONS; i++)
        add_number (found[i], out);
      g_string_append_c (out, ']');
      if (is_indistinguishable (found, suite->rows->len)) {
        separate (same);
        g_string_append_printf (same, "[%u,%u,%u]", a, b, found[RSP_NOT_COMPARED] == 0);
      }
    }
  g_string_append_c (out, ']');
  begin_member ("same", out);
  g_string_append_printf (out, "%s]", same->str);
  page_begin ("tests", '[', out);
  for (guint r = 0; r < suite->rows->len; r++)
    add_test (&page, suite_row (suite, r));
  g_string_append_c (out, ']');
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++) {
    add_titles (names[i], (const char *const *) lists[i]->list->pdata, lists[i]->list->len, out);
    texts_clear (lists[i]);
  }
  g_string_append (out, "}");
}

/* Appends the template up to a marker; what follows it. */
static const char *append_until (const char *template, const char *marker, GString *out) {
  const char *found = strstr (template, marker);
  g_assert (found);
  g_string_append_len (out, template, found - template);
  return found + strlen (marker);
}

void rsp_page_format_data (const GPtrArray *records, GString *out) {
  g_autoptr (GString) data = g_string_new (NULL);
  add_data (records, NULL, data);
  g_string_append_printf (out, "%s\n", g_strdelimit (data->str, "\n", ' '));
}

void rsp_page_format (const GPtrArray *records, const RspPageDrawing *drawing, GString *out) {
  const char *live = drawing ? drawing->live : NULL;
  const char *rest = append_until (rsp_page_template, "@POLICY@", out);
  g_string_append (out, live ? " 'wasm-unsafe-eval' blob:; worker-src blob:" : "");
  rest = append_until (rest, "@LIVE@\n", out);
  if (live)
    g_string_append_printf (out, "<script type=\"application/json\" id=\"live\">%s</script>\n",
                            live);
  rest = append_until (rest, "@DATA@", out);
  add_data (records, drawing, out);
  g_string_append (out, rest);
}
