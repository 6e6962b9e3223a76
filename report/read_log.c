/* Logs as records. */
#include "report/internal.h"
#include "report/report.h"

#include <string.h>

typedef struct Reader {
  RspSource *source;
  const char *label;
  RspDiagnostics *diagnostics;
  RspBudget *budget; /* NULL: no limit */
  RspLogTake take;
  gpointer data;    /* take's */
  RspLogTest *test; /* NULL before the first */
  guint n_tests;
  guint line; /* that is being read, from 0 */
} Reader;

/* A line without blanks around it. */
typedef struct Line {
  const char *text; /* NUL-terminated */
  const char *rest; /* the text after the beginning that tells its form, without blanks */
  RspSpan span;
} Line;

/* ---- Numbers ---- */
/* A count, saturated; the largest one is printed as "more than 3e38". */
static gboolean scan_count (const char **at, RspCount *count) {
  static const char most[] = "more than 3e38";
  *at += strspn (*at, " \t");
  if (g_str_has_prefix (*at, most)) {
    *at += strlen (most);
    *count = RSP_COUNT_MAX;
    return TRUE;
  }
  if (!g_ascii_isdigit (**at))
    return FALSE;
  RspCount number = 0;
  gboolean too_large = FALSE;
  for (; g_ascii_isdigit (**at); (*at)++)
    too_large |= __builtin_mul_overflow (number, (RspCount) 10, &number)
                 || __builtin_add_overflow (number, (RspCount) (**at - '0'), &number);
  *count = too_large ? RSP_COUNT_MAX : number;
  return TRUE;
}

/* The first number in a text, or 0. */
static guint64 first_number (const char *text) {
  return g_ascii_strtoull (text + strcspn (text, "0123456789"), NULL, 10);
}

/* ---- Lines ---- */
/* Ends the current test before this line. */
static void end_test (Reader *reader) {
  RspLogTest *test = g_steal_pointer (&reader->test);
  if (!test)
    return;
  RspLogEntry *entry = test->entry;
  entry->end = reader->line;
  logged_test_end (test, reader->diagnostics);
  reader->n_tests++;
  reader->take (reader->data, entry);
}

/* The last word of the line is the kind; everything before it is the name. */
static void read_test (Reader *reader, const Line *line) {
  end_test (reader);
  g_autofree char *name = g_strdup (line->rest);
  const char *kind = NULL;
  char *blank = strrchr (name, ' ');
  RspQuantifier quantifier;
  if (blank && rsp_quantifier_from_kind (blank + 1, &quantifier)) {
    kind = rsp_quantifier_kind (quantifier);
    *blank = '\0';
    g_strchomp (name);
  }
  reader->test = logged_test_new (name, kind, line->span, reader->label);
  reader->test->entry->first = reader->line;
}

static void read_states (Reader *reader, const Line *line) {
  reader->test->in_states = TRUE;
  reader->test->states_line = line->span;
  reader->test->announced = first_number (line->rest);
}

static void read_answer (Reader *reader, const Line *line) {
  RspRecord *record = reader->test->record;
  record->loop |= g_str_has_prefix (line->text, "Loop");
  if (g_str_has_suffix (line->text, "Undef"))
    record->undefined = TRUE;
  else {
    reader->test->has_answer = TRUE;
    record->answer = g_str_has_suffix (line->text, "Ok");
  }
}

static void read_witnesses (Reader *reader, const Line *line) {
  RspLogTest *test = reader->test;
  static const char negative[] = "Negative:";
  const char *first = line->rest, *second = strstr (first, negative);
  if (!second || !scan_count (&first, &test->witnesses[0]))
    return;
  second += strlen (negative);
  test->has_witnesses = scan_count (&second, &test->witnesses[1]);
}

static void read_bad (Reader *reader, const Line *line) {
  const char *at = line->rest;
  reader->test->has_bad_count = scan_count (&at, &reader->test->record->n_undefined);
  reader->test->record->has_undefined |= reader->test->has_bad_count;
}

static void read_undetermined (Reader *reader, const Line *line) {
  const char *at = line->rest;
  scan_count (&at, &reader->test->record->undetermined);
}

static void read_flag (Reader *reader, const Line *line) {
  RspRecord *record = reader->test->record;
  const char *rest = line->rest;
  if (g_str_equal (rest, "*undef*")) /* herd7's flag of an unnamed undefined_unless */
    record->undefined = TRUE;
  else if (*rest && !strstr (rest, ": ") /* -explain: "Flag data_race: a and d" */
           && !rsp_record_has_flag (record, rest))
    rsp_record_add_flag (record, rest);
}

static void read_condition (Reader *reader, const Line *line) {
  RspLogTest *test = reader->test;
  rsp_log_condition_free (test->condition);
  g_free (test->record->condition);
  test->condition = rsp_log_condition_parse (line->rest);
  test->record->condition
      = test->condition ? rsp_log_condition_format (test->condition) : g_strdup (line->rest);
}

/* `NAME Sometimes 1 2` is read from its end, since a name may be anything. */
static void read_observation (Reader *reader, const Line *line) {
  RspLogTest *test = reader->test;
  RspRecord *record = test->record;
  for (RspcheckObservation o = RSPCHECK_NEVER; o <= RSPCHECK_ALWAYS; o++) {
    g_autofree char *word = g_strdup_printf (" %s", rsp_observation_names[o]);
    const char *at = g_strrstr (line->rest, word);
    if (!at || (at[strlen (word)] && !g_ascii_isspace (at[strlen (word)])))
      continue;
    at += strlen (word);
    record->observation = o;
    test->has_observation = TRUE;
    if (scan_count (&at, &record->positive) && scan_count (&at, &record->negative)) {
      record->unknown &= ~(guint) RSP_UNKNOWN_COUNTS;
      return;
    }
    break;
  }
  rsp_warning (reader->diagnostics, line->span, NULL,
               "test %s: expected `Observation NAME Never|Sometimes|Always` and two counts",
               record->test);
}

static void read_time (Reader *reader, const Line *line) {
  const char *seconds = strrchr (line->rest, ' ');
  double number = seconds ? g_ascii_strtod (seconds, NULL) : 0;
  if (number >= 0 && number < 1e12)
    reader->test->record->seconds = number;
}

static void read_hash (Reader *reader, const Line *line) {
  const char *rest = line->rest;
  gsize length = strspn (rest, "0123456789abcdefABCDEF");
  if (length != 32 || rest[length]) {
    rsp_warning (reader->diagnostics, line->span, NULL, "test %s: expected 32 hexadecimal digits",
                 reader->test->record->test);
    return;
  }
  g_free (reader->test->record->hash);
  reader->test->record->hash = g_ascii_strdown (rest, -1);
  reader->test->entry->hash_span = line->span;
}

/* litmus7 shows how often each state was seen. */
static void read_histogram (Reader *reader, const Line *line) {
  read_states (reader, line);
  reader->test->record->is_device = TRUE;
}

static void read_rounds (Reader *reader, const Line *line) {
  reader->test->record->rounds = (guint) MIN (first_number (line->rest), 1000000);
}

/* The beginnings of lines. One-word forms match the whole line. */
static const struct Form {
  const char *begin;
  gboolean whole;
  void (*read) (Reader *, const Line *);
  gsize text;       /* offset of the record's text that the rest of the line is; or 0 */
  RspStatus status; /* of a test that the line ends without an answer; or RSP_STATUS_OK */
} forms[] = {
  { "Test ", FALSE, read_test, 0, RSP_STATUS_OK },
  { "States ", FALSE, read_states, 0, RSP_STATUS_OK },
  { "Histogram ", FALSE, read_histogram, 0, RSP_STATUS_OK },
  { "Ok", TRUE, read_answer, 0, RSP_STATUS_OK },
  { "No", TRUE, read_answer, 0, RSP_STATUS_OK },
  { "Undef", TRUE, read_answer, 0, RSP_STATUS_OK },
  { "Loop Ok", TRUE, read_answer, 0, RSP_STATUS_OK },
  { "Loop No", TRUE, read_answer, 0, RSP_STATUS_OK },
  { "Loop Undef", TRUE, read_answer, 0, RSP_STATUS_OK },
  { "Witnesses", TRUE, NULL, 0, RSP_STATUS_OK },
  { "Positive:", FALSE, read_witnesses, 0, RSP_STATUS_OK },
  { "Bad executions (", FALSE, read_bad, 0, RSP_STATUS_OK },
  { "Undetermined ", FALSE, read_undetermined, 0, RSP_STATUS_OK },
  { "Flag ", FALSE, read_flag, 0, RSP_STATUS_OK },
  { "Condition ", FALSE, read_condition, 0, RSP_STATUS_OK },
  { "Observation ", FALSE, read_observation, 0, RSP_STATUS_OK },
  { "Time ", FALSE, read_time, 0, RSP_STATUS_OK },
  { "Device ", FALSE, NULL, G_STRUCT_OFFSET (RspRecord, device), RSP_STATUS_OK },
  { "Compiler ", FALSE, NULL, G_STRUCT_OFFSET (RspRecord, compiler), RSP_STATUS_OK },
  { "Setup ", FALSE, NULL, G_STRUCT_OFFSET (RspRecord, setup), RSP_STATUS_OK },
  { "Rounds ", FALSE, read_rounds, 0, RSP_STATUS_OK },
  { "Hash=", FALSE, read_hash, 0, RSP_STATUS_OK },
  { "ScopeHash=", FALSE, NULL, G_STRUCT_OFFSET (RspRecord, scope_hash), RSP_STATUS_OK },
  { "Timeout", FALSE, NULL, 0, RSP_STATUS_TIMEOUT },
  { "Limit of ", FALSE, NULL, 0, RSP_STATUS_EXECUTIONS },
  { "Memory limit ", FALSE, NULL, 0, RSP_STATUS_MEMORY },
  { "Error: ", FALSE, NULL, 0, RSP_STATUS_ERROR },
};

static void set_text (char **field, const char *text) {
  g_free (*field);
  *field = g_strdup (text);
}

/* A line of the form that is not the first of a test. */
static void read_form (Reader *reader, const struct Form *form, const Line *line) {
  RspRecord *record = reader->test->record;
  if (form->read)
    form->read (reader, line);
  if (form->text)
    set_text (&G_STRUCT_MEMBER (char *, record, form->text), line->rest);
  if (form->status == RSP_STATUS_OK)
    return;
  reader->test->interrupted = TRUE;
  record->status = form->status;
  set_text (&record->reason, line->text);
}

/* `x=1;`, `12 *>x=1;`. FALSE if the line is not a state. */
static gboolean read_state (Reader *reader, const Line *line) {
  RspLogTest *test = reader->test;
  const char *at = line->text;
  RspCount executions = 0;
  gboolean counted = scan_count (&at, &executions);
  at += counted ? strspn (at, " \t") : 0;
  counted = counted && (*at == '*' || *at == ':') && at[1] == '>';
  at = counted ? at + 2 : line->text;
  GArray *bindings = rsp_log_state_parse (at, strlen (at));
  if (!bindings)
    return FALSE;
  logged_test_add_state (test, bindings, counted ? executions : 0);
  test->counted &= counted;
  return TRUE;
}

static void read_line (Reader *reader, Line *line) {
  const struct Form *form = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (forms) && !form; i++)
    if (forms[i].whole ? g_str_equal (line->text, forms[i].begin)
                       : g_str_has_prefix (line->text, forms[i].begin)) {
      form = &forms[i];
      line->rest = line->text + strlen (form->begin);
      line->rest += strspn (line->rest, " \t");
    }
  if (form && reader->test)
    reader->test->in_states = FALSE;
  if (form && form->read == read_test)
    read_test (reader, line);
  else if (form && reader->test)
    read_form (reader, form, line);
  if (form || !reader->test || !reader->test->in_states)
    return;
  if (!*line->text)
    reader->test->blank = TRUE;
  else if (!read_state (reader, line)) {
    /* Not a state: reported once per test, except warnings of other programs. */
    g_autofree char *lower = g_ascii_strdown (line->text, -1);
    if (strstr (lower, "warning") || reader->test->complained)
      return;
    reader->test->complained = TRUE;
    rsp_warning (reader->diagnostics, line->span, NULL,
                 "test %s: expected a state, `1:r0=0; x=1;`, or `Ok` or `No`",
                 reader->test->record->test);
  }
}

/* ---- The whole ---- */
void rsp_log_entry_free (RspLogEntry *entry) {
  rsp_record_free (entry->record);
  g_free (entry);
}

/* Line i, without blanks around it; its text is newly allocated. */
static Line get_line (const RspSource *source, guint i) {
  guint begin = rsp_source_line_begin (source, i);
  guint end = i + 1 < source->n_lines ? source->lines[i + 1] : (guint) source->length;
  while (begin < end && g_ascii_isspace (source->text[end - 1]))
    end--;
  while (begin < end && g_ascii_isspace (source->text[begin]))
    begin++;
  return (Line){ g_strndup (source->text + begin, end - begin),
                 NULL,
                 { (RspSource *) source, begin, end } };
}

/* The lines before `end`. FALSE if the budget is exhausted. */
static gboolean read_lines (Reader *reader, guint end) {
  g_autoptr (RspDiagnostics) ignored = rsp_diagnostics_new ();
  gboolean affordable = TRUE;
  for (; reader->line < end && affordable; reader->line++) {
    Line line = get_line (reader->source, reader->line);
    affordable = rsp_budget_affords (reader->budget, reader->test ? reader->test->size : 0);
    if (affordable)
      read_line (reader, &line);
    else {
      g_autofree char *limit = rsp_size_format (reader->budget->max_memory);
      rsp_error (reader->diagnostics, line.span, "-max-memory SIZE allows more",
                 "reading this log takes more than %s", limit);
    }
    g_free ((char *) line.text);
  }
  if (!affordable)
    reader->diagnostics = ignored; /* length of a test without its end */
  end_test (reader);
  return affordable;
}

gboolean rsp_log_read_each (RspSource *source, const char *label, RspBudget *budget,
                            RspLogTake take, gpointer data, RspDiagnostics *diagnostics) {
  Reader reader = { .source = source,
                    .label = label,
                    .diagnostics = diagnostics,
                    .budget = budget,
                    .take = take,
                    .data = data };
  RspSpan start = { source, 0, 0 };
  if (!read_lines (&reader, source->n_lines))
    return FALSE;
  if (reader.n_tests == 0)
    rsp_error (diagnostics, start, "a log has a line `Test NAME Allowed` for each test",
               "no test in this log");
  return TRUE;
}

static void add_entry (gpointer entries, RspLogEntry *entry) { g_ptr_array_add (entries, entry); }

GPtrArray *rsp_log_read (RspSource *source, const char *label, RspDiagnostics *diagnostics) {
  GPtrArray *entries = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_log_entry_free);
  rsp_log_read_each (source, label, NULL, add_entry, entries, diagnostics);
  return entries;
}

static void set_entry (gpointer entry, RspLogEntry *found) { *(RspLogEntry **) entry = found; }

RspLogEntry *rsp_log_read_again (RspSource *source, guint first, guint end, const char *label) {
  g_autoptr (RspDiagnostics) ignored = rsp_diagnostics_new ();
  RspLogEntry *entry = NULL;
  Reader reader = { .source = source,
                    .label = label,
                    .diagnostics = ignored,
                    .take = set_entry,
                    .data = &entry,
                    .line = first };
  read_lines (&reader, end);
  return entry;
}
