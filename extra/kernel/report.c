/* How findings are printed: as text, JSON, SARIF, and as a table of several kernels. */
#include "extra/kernel/internal.h"
#include "report/report.h"

#include <string.h>

/* The inputs for which no -arg is given; NULL: all that are read have one. */
static const char *inputs_of (const Findings *findings) {
  if (!findings->zero_inputs)
    return NULL;
  return findings->given_inputs ? "other inputs: zero" : "inputs: all zero";
}

static const char behind_race[] = "what follows the race";

static gboolean is_answered (const KernelAnswer *answer) { return answer->findings.all != NULL; }

/* ---- As compilers print them ---------------------------------------------------------------- */

/* Is it the file that is checked, or the one it was compiled from under the same name? */
static gboolean is_own_file (const Findings *findings, const RspSource *file) {
  return !file || strcmp (file->name, findings->path) == 0;
}

/* Are all that have places in the file that is checked? */
static gboolean have_one_file (const Findings *findings) {
  gboolean same = TRUE;
  for (guint i = 0; i < findings->all->len; i++) {
    const Finding *own = finding (findings, i);
    same &= is_own_file (findings, own->file)
            && (!own->other_line || is_own_file (findings, own->other_file));
  }
  return same;
}

static void add_place (RspRecord *record, const char *flag, guint line) {
  if (line)
    rsp_record_add_event (record, &(RspRecordEvent){ .flag = flag, .line = line, .text = "" });
}

/* "saxpy races (lines 5, 7) under opencl", or, in other files, without lines; newly allocated. */
static char *sentence_of (const Findings *findings) {
  g_autoptr (RspRecord) record
      = rsp_record_new (findings->entry, findings->path, findings->model, "");
  record->status = RSP_STATUS_OK;
  record->is_kernel = TRUE;
  const gboolean one_file = have_one_file (findings);
  for (guint i = 0; i < findings->all->len; i++) {
    const Finding *own = finding (findings, i);
    if (!g_ptr_array_find_with_equal_func (record->flags, own->kind, g_str_equal, NULL))
      rsp_record_add_flag (record, own->kind);
    add_place (record, own->kind, one_file ? own->line : 0);
    add_place (record, own->kind, one_file ? own->other_line : 0);
  }
  return rsp_record_sentence (record);
}

/* "1,204"; NULL if they were not counted. */
static char *executions_in_words (const Findings *findings) {
  GString *text = g_string_new (findings->executions == RSP_COUNT_MAX ? ">3e38" : NULL);
  if (!findings->counted)
    return g_string_free (text, TRUE);
  if (!text->len)
    rsp_count_format (findings->executions, text);
  for (gsize n = text->len; n > 3 && text->str[0] != '>'; n -= 3)
    g_string_insert_c (text, (gssize) n - 3, ',');
  return g_string_free (text, FALSE);
}

void kernel_format_text (const Findings *findings, gboolean named, GString *out) {
  const guint n = findings->all->len;
  g_autofree char *path = rsp_visible_name (findings->path), *sentence = sentence_of (findings),
                  *count = executions_in_words (findings);
  if (n)
    g_string_append_printf (out, "%s: %s\n", path, sentence);
  for (guint i = 0; i < n; i++) {
    const Finding *own = finding (findings, i);
    g_autofree char *file = own->file ? rsp_visible_name (own->file->name) : g_strdup (path);
    g_string_append_printf (out, "%s:%u:%u: %s\n", file, own->line, own->column, own->message);
  }
  if (n)
    g_string_append_printf (out, "%s: %s%s%u finding%s", path, named ? findings->entry : "",
                            named ? ": " : "", n, n == 1 ? "" : "s");
  else
    g_string_append_printf (out, "%s: %s%s", path, named ? sentence : "no findings",
                            findings->sampled ? " with the numbers tried" : "");
  if (!n && findings->loop)
    g_string_append_printf (out, " within %u rounds of each loop", findings->unroll);
  g_string_append_printf (out, " (grid %s", findings->grid);
  if (count)
    g_string_append_printf (out, ", %s execution%s", count, findings->executions == 1 ? "" : "s");
  if (findings->pairs)
    g_string_append (out, ", two work-items at a time");
  if (inputs_of (findings))
    g_string_append_printf (out, ", %s", inputs_of (findings));
  if (findings->host_functions)
    g_string_append_printf (out, ", %s as on this machine", findings->host_functions);
  if (findings->is_cut)
    g_string_append_printf (out, ", not searched: %s", behind_race);
  if (findings->some_states)
    g_string_append (out, ", some of the states");
  if (findings->stop)
    g_string_append_printf (out, ", not finished: %s", findings->stop);
  if (findings->chosen)
    g_string_append_printf (out, ", -findings %s", findings->chosen);
  if (findings->n_benign)
    g_string_append_printf (out, ", %u benign race%s left out", findings->n_benign,
                            findings->n_benign == 1 ? "" : "s");
  g_string_append (out, ")\n");
  if (findings->record)
    rsp_log_format (findings->record, FALSE, out);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static RspJson *text_or_null (const char *text) { return text ? rsp_json_text (text) : NULL; }

static RspJson *finding_node (const Finding *own) {
  return rsp_json_object (
      "kind", rsp_json_text (own->kind), "message", rsp_json_text (own->message), "line",
      rsp_json_number (own->line), "column", rsp_json_number (own->column), "file",
      own->file ? rsp_json_text (own->file->name) : NULL, "other_file",
      own->other_file ? rsp_json_text (own->other_file->name) : NULL, "other_line",
      own->other_line ? rsp_json_number (own->other_line) : NULL, "other_column",
      own->other_line ? rsp_json_number (own->other_column) : NULL, "access",
      text_or_null (own->access), "other_access", text_or_null (own->other_access), "possible",
      own->possible ? rsp_json_boolean (TRUE) : NULL, "same_value",
      own->same_value ? rsp_json_boolean (TRUE) : NULL, NULL);
}

/* A record as an object; NULL: there is none. */
static RspJson *record_node (const RspRecord *record) {
  g_autoptr (GString) text = g_string_new (NULL);
  if (record)
    rsp_json_format (record, text);
  return record ? rsp_json_parse (text->str, text->len, NULL) : NULL;
}

static RspJson *findings_node (const Findings *findings) {
  RspJson *all = rsp_json_list ();
  for (guint i = 0; i < findings->all->len; i++)
    rsp_json_add (all, finding_node (finding (findings, i)));
  return rsp_json_object (
      "path", rsp_json_text (findings->path), "kernel", rsp_json_text (findings->entry), "grid",
      rsp_json_text (findings->grid), "executions",
      findings->counted ? rsp_json_count (findings->executions) : rsp_json_null (), "loop",
      rsp_json_boolean (findings->loop), "pairs", findings->pairs ? rsp_json_boolean (TRUE) : NULL,
      "sampled", findings->sampled ? rsp_json_boolean (TRUE) : NULL, "inputs",
      text_or_null (inputs_of (findings)), "chosen", text_or_null (findings->chosen),
      "not_searched", text_or_null (findings->is_cut ? behind_race : NULL), "not_finished",
      text_or_null (findings->stop), "some_states",
      findings->some_states ? rsp_json_boolean (TRUE) : NULL, "benign",
      findings->n_benign ? rsp_json_number (findings->n_benign) : NULL, "findings", all, "record",
      record_node (findings->record), NULL);
}

/* "findings", "none" or "error" */
static const char *verdict_of (const KernelAnswer *answer) {
  if (answer->status == CLI_STATUS_UNFINISHED)
    return "error";
  return answer->status == CLI_STATUS_OK ? "none" : "findings";
}

void kernel_format_json (const GPtrArray *answers, GString *out) {
  g_autoptr (RspJson) whole = NULL;
  RspJson *all = rsp_json_list ();
  for (guint i = 0; i < answers->len; i++) {
    const KernelAnswer *answer = answers->pdata[i];
    RspJson *own = is_answered (answer)
                       ? findings_node (&answer->findings)
                       : rsp_json_object ("path", rsp_json_text (answer->path), "kernel",
                                          rsp_json_text (answer->entry), NULL);
    rsp_json_add (all, own);
    if (answers->len == 1)
      continue;
    if (answer->model)
      rsp_json_set_text (own, "model", answer->model);
    rsp_json_set_text (own, "verdict", verdict_of (answer));
    rsp_json_set (own, "seconds", rsp_json_real (answer->seconds));
  }
  whole = answers->len == 1 ? rsp_json_ref (rsp_json_item (all, 0))
                            : rsp_json_object ("kernels", rsp_json_ref (all), NULL);
  rsp_json_unref (all);
  rsp_json_append_line (whole, out);
}

/* ---- SARIF ---------------------------------------------------------------------------------- */

/* The Static Analysis Results Interchange Format of OASIS, version 2.1.0, whose sections are named
 * below. Columns are characters. */

typedef struct Rule {
  const char *kind, *name, *brief, *full, *help;
} Rule;

static const Rule rules[] = {
  { "data_race", "DataRace", "Two work-items access the same memory without order.",
    "Two work-items access the same element without order, at least one of them writes, and the "
    "accesses are not both atomic in scopes that include each other. The kernel's behaviour is "
    "then undefined.",
    "Order the accesses, with a barrier in a work-group or with an atomic release that an acquire "
    "reads, or give each work-item elements of its own. `rspcheck -kernel K.cl -grid GxL -explain` "
    "shows an execution, `-repair` proposes patches." },
  { "barrier_divergence", "BarrierDivergence", "Not all work-items of a group come to a barrier.",
    "A barrier, or a function of a whole group, must be executed by all work-items of the group "
    "or by none of them.",
    "Move it out of the branch or loop that only some work-items execute." },
  { "out_of_bounds", "OutOfBounds", "An access is outside its array.",
    "An address is before the first element of an array or after the last one, or belongs to no "
    "array.",
    "Compare the index with the size of the array before the access." },
  { "uninitialised_read", "UninitialisedRead", "A read value is uninitialised.",
    "A variable or an element of local memory is read before anything is written to it.",
    "Give it a value on every path that leads to the read." },
  { "division_by_zero", "DivisionByZero", "A divisor is zero.",
    "The divisor of an integer division or remainder is zero.", "Test the divisor first." },
  { "undefined_operation", "UndefinedOperation", "An operation has no defined result.",
    "An operation has no defined result for its operands: a shift that is too far, or a call in a "
    "state that forbids it.",
    "Test the operands first." },
  { "assertion", "Assertion", "An assertion fails.",
    "In some execution, an assertion in the kernel's text, or about memory at the end, does not "
    "hold.",
    "`rspcheck -kernel K.cl -grid GxL -explain` shows the execution." },
  { "never_ends", "NeverEnds", "The kernel may run for ever.",
    "A work-item waits in a loop or at a barrier for what no other one will do.",
    "Find out who should end the wait; `-progress MODEL` asks what the scheduler has to promise." },
  { "hang", "Hang", "The kernel hangs under a progress model.",
    "If the scheduler promises only what the progress model says, a work-item may wait for ever.",
    "Let work-items wait only for those that the scheduler promises to run." },
};

typedef struct Sarif {
  RspJson *rules, *results;
  GPtrArray *kinds;   /* of rules, by index */
  GHashTable *prints; /* fingerprints: how many results have it */
} Sarif;

static RspJson *message_node (const char *text) {
  return rsp_json_object ("text", rsp_json_text (text), NULL);
}

static RspJson *list_of_one (RspJson *node) {
  RspJson *array = rsp_json_list ();
  rsp_json_add (array, node);
  return array;
}

/* ---- Rules (3.49) ---- */
/* The rule's number; other flags of models get new rules. */
static guint rule_of (Sarif *sarif, const char *kind) {
  guint i = 0;
  while (i < sarif->kinds->len && strcmp (sarif->kinds->pdata[i], kind) != 0)
    i++;
  if (i < sarif->kinds->len)
    return i;
  const Rule *known = NULL;
  for (gsize k = 0; k < G_N_ELEMENTS (rules); k++)
    known = strcmp (rules[k].kind, rsp_flag_is_race (kind) ? "data_race" : kind) == 0 ? &rules[k]
                                                                                      : known;
  g_autofree char *brief = g_strdup_printf ("The model raises the flag %s.", kind);
  g_ptr_array_add (sarif->kinds, (char *) kind);
  rsp_json_add (sarif->rules,
                rsp_json_object (
                    "id", rsp_json_text (kind), "name", rsp_json_text (known ? known->name : kind),
                    "shortDescription", message_node (known ? known->brief : brief),
                    "fullDescription", message_node (known ? known->full : brief), "help",
                    message_node (known ? known->help : "`-explain` shows an execution, and why."),
                    "defaultConfiguration",
                    rsp_json_object ("level", rsp_json_text ("error"), NULL), NULL));
  return i;
}

/* ---- Places (3.28) ---- */
char *kernel_line_of (const RspSource *source, guint line) {
  const char *begin = source ? source->text : "";
  for (guint i = 1; i < line && begin; i++) {
    begin = strchr (begin, '\n');
    begin = begin ? begin + 1 : NULL;
  }
  return g_strndup (begin ? begin : "", begin ? strcspn (begin, "\n") : 0);
}

/* The column in characters of one in bytes. */
static guint characters_to (const RspSource *source, guint line, guint column) {
  g_autofree char *text = kernel_line_of (source, line);
  const guint bytes = MIN (MAX (column, 1) - 1, (guint) strlen (text));
  if (!*text || !g_utf8_validate (text, bytes, NULL))
    return MAX (column, 1);
  return (guint) g_utf8_strlen (text, bytes) + 1;
}

static RspJson *artifact_node (const char *path) {
  g_autofree char *uri = g_path_is_absolute (path) ? g_filename_to_uri (path, NULL, NULL)
                                                   : g_uri_escape_string (path, "/", FALSE);
  return rsp_json_object ("uri", rsp_json_text (uri), NULL);
}

/* A place in the source with a message; entry: the kernel; NULL: none. */
static RspJson *location_node (const RspSource *source, const char *path, guint line, guint column,
                               const char *message, const char *entry) {
  RspJson *region
      = rsp_json_object ("startLine", rsp_json_number (MAX (line, 1)), "startColumn",
                         rsp_json_number (characters_to (source, MAX (line, 1), column)), NULL);
  RspJson *place
      = rsp_json_object ("artifactLocation", artifact_node (path), "region", region, NULL);
  return rsp_json_object ("physicalLocation", place, "logicalLocations",
                          entry
                              ? list_of_one (rsp_json_object ("name", rsp_json_text (entry), "kind",
                                                              rsp_json_text ("function"), NULL))
                              : NULL,
                          "message", message ? message_node (message) : NULL, NULL);
}

/* Of a finding; file: as Finding's. */
static RspJson *place_node (const Findings *findings, const RspSource *file, guint line,
                            guint column, const char *message, const char *entry) {
  return location_node (file ? file : findings->file, file ? file->name : findings->path, line,
                        column, message, entry);
}

/* ---- Results (3.27) ---- */
/* The work-items' steps, each up to its place (3.36, 3.37). NULL: none are known. */
static RspJson *flows_node (const Findings *findings, const Finding *own) {
  if (!own->steps)
    return NULL;
  RspJson *threads = rsp_json_list (), *steps = NULL;
  for (guint i = 0; i < own->steps->len; i++) {
    const FindingStep *step = &g_array_index (own->steps, FindingStep, i);
    const gboolean begins = i == 0 || step[-1].thread != step->thread,
                   ends = i + 1 == own->steps->len || step[1].thread != step->thread;
    if (begins) {
      g_autofree char *item = g_strndup (step->text, strcspn (step->text, ")") + 1);
      steps = rsp_json_list ();
      rsp_json_add (threads,
                    rsp_json_object ("id", rsp_json_text (item), "locations", steps, NULL));
    }
    rsp_json_add (steps,
                  rsp_json_object (
                      "location",
                      place_node (findings, step->file, step->line, step->column, step->text, NULL),
                      "importance", rsp_json_text (ends ? "essential" : "important"), NULL));
  }
  return list_of_one (
      rsp_json_object ("message", message_node (own->message), "threadFlows", threads, NULL));
}

/* The other side of a race, and what it does. */
static RspJson *related_node (const Findings *findings, const Finding *own) {
  if (!own->other_line)
    return NULL;
  const FindingStep *last
      = own->steps ? &g_array_index (own->steps, FindingStep, own->steps->len - 1) : NULL;
  RspJson *location = place_node (findings, own->other_file, own->other_line, own->other_column,
                                  last ? last->text : "the other access", NULL);
  rsp_json_set (location, "id", rsp_json_number (1));
  return list_of_one (location);
}

/* Text without blanks, appended. */
static void append_dense (const char *text, GString *out) {
  for (; *text; text++)
    if (!g_ascii_isspace (*text))
      g_string_append_c (out, *text);
  g_string_append_c (out, '\n');
}

/* A fingerprint of the kernel's name and the lines' texts, not of their places (3.27.17). */
static RspJson *prints_node (Sarif *sarif, const Findings *findings, const Finding *own) {
  g_autofree char *line = kernel_line_of (own->file ? own->file : findings->file, own->line),
                  *other = own->other_line ? kernel_line_of (
                               own->other_file ? own->other_file : findings->file, own->other_line)
                                           : g_strdup ("");
  const gboolean swapped = strcmp (line, other) > 0;
  g_autoptr (GString) text = g_string_new (own->kind);
  g_string_append_printf (text, "\n%s\n", findings->entry);
  append_dense (swapped ? other : line, text);
  append_dense (swapped ? line : other, text);
  char *print = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text->str, -1);
  print[32] = '\0';
  const guint n = GPOINTER_TO_UINT (g_hash_table_lookup (sarif->prints, print)) + 1;
  g_autofree char *numbered = g_strdup_printf ("%s:%u", print, n);
  g_hash_table_replace (sarif->prints, print, GUINT_TO_POINTER (n));
  return rsp_json_object ("rspcheck/v1", rsp_json_text (numbered), NULL);
}

static RspJson *result_node (Sarif *sarif, const Findings *findings, const Finding *own) {
  return rsp_json_object (
      "ruleId", rsp_json_text (own->kind), "ruleIndex",
      rsp_json_number (rule_of (sarif, own->kind)), "level",
      rsp_json_text (own->possible ? "warning" : "error"), "message", message_node (own->message),
      "locations",
      list_of_one (place_node (findings, own->file, own->line, own->column, NULL, findings->entry)),
      "relatedLocations", related_node (findings, own), "codeFlows", flows_node (findings, own),
      "partialFingerprints", prints_node (sarif, findings, own), "properties",
      own->same_value ? rsp_json_object ("same_value", rsp_json_boolean (TRUE), NULL) : NULL, NULL);
}

/* ---- The run (3.14) ---- */
RspJson *kernel_notification (const RspDiagnostic *diagnostic) {
  static const char *const levels[] = { "note", "warning", "error" };
  const RspSource *source = diagnostic->span.source;
  g_autofree char *text = diagnostic->hint
                              ? g_strdup_printf ("%s (%s)", diagnostic->message, diagnostic->hint)
                              : g_strdup (diagnostic->message);
  guint line = 0, column = 0;
  if (source) {
    rsp_source_position (source, diagnostic->span.begin, &line, &column);
    const RspSource *origin = rsp_source_origin (source, diagnostic->span.begin);
    source = origin ? origin : source;
  }
  return rsp_json_object (
      "level", rsp_json_text (levels[diagnostic->severity]), "message", message_node (text),
      "locations",
      source ? list_of_one (location_node (source, source->name, line, column, NULL, NULL)) : NULL,
      NULL);
}

/* The files that were checked (3.14.15). */
static RspJson *artifacts_node (const GPtrArray *answers) {
  RspJson *all = rsp_json_list ();
  const char *last = NULL;
  for (guint i = 0; i < answers->len; i++) {
    const KernelAnswer *answer = answers->pdata[i];
    if (g_strcmp0 (answer->path, last) != 0)
      rsp_json_add (all, rsp_json_object ("location", artifact_node (answer->path), NULL));
    last = answer->path;
  }
  return all;
}

static RspJson *run_node (const GPtrArray *answers, const char *model, RspJson *notes, int status) {
  Sarif sarif = { .rules = rsp_json_list (),
                  .results = rsp_json_list (),
                  .kinds = g_ptr_array_new (),
                  .prints = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) };
  for (gsize i = 0; i < G_N_ELEMENTS (rules); i++)
    rule_of (&sarif, rules[i].kind);
  for (guint i = 0; i < answers->len; i++) {
    const KernelAnswer *answer = answers->pdata[i];
    for (guint k = 0; is_answered (answer) && strcmp (answer->model, model) == 0
                      && k < answer->findings.all->len;
         k++)
      rsp_json_add (sarif.results,
                    result_node (&sarif, &answer->findings, finding (&answer->findings, k)));
  }
  g_ptr_array_unref (sarif.kinds);
  g_hash_table_unref (sarif.prints);
  const gboolean successful = status == CLI_STATUS_OK || status == CLI_STATUS_DIFFERENT;
  RspJson *driver = rsp_json_object ("name", rsp_json_text ("rspcheck"), "version",
                                     rsp_json_text (RSP_VERSION), "rules", sarif.rules, NULL);
  RspJson *invocation = rsp_json_object ("executionSuccessful", rsp_json_boolean (successful),
                                         "exitCode", rsp_json_number (status),
                                         "toolExecutionNotifications", rsp_json_ref (notes), NULL);
  g_autofree char *id = *model ? g_strdup_printf ("rspcheck/%s/", model) : NULL;
  return rsp_json_object ("tool", rsp_json_object ("driver", driver, NULL), "automationDetails",
                          id ? rsp_json_object ("id", rsp_json_text (id), NULL) : NULL,
                          "columnKind", rsp_json_text ("unicodeCodePoints"), "invocations",
                          list_of_one (invocation), "artifacts", artifacts_node (answers),
                          "results", sarif.results, NULL);
}

/* The models of the answers, in their order; one without a name if none is known. */
static GPtrArray *models_of (const GPtrArray *answers) {
  GPtrArray *models = g_ptr_array_new ();
  for (guint i = 0; i < answers->len; i++) {
    const char *model = ((const KernelAnswer *) answers->pdata[i])->model;
    if (model && !g_ptr_array_find_with_equal_func (models, model, g_str_equal, NULL))
      g_ptr_array_add (models, (char *) model);
  }
  if (!models->len)
    g_ptr_array_add (models, "");
  return models;
}

void kernel_format_sarif (const GPtrArray *answers, RspJson *notes, int status, GString *out) {
  g_autoptr (GPtrArray) models = models_of (answers);
  RspJson *runs = rsp_json_list ();
  for (guint i = 0; i < models->len; i++)
    rsp_json_add (runs, run_node (answers, models->pdata[i], notes, status));
  g_autoptr (RspJson) object
      = rsp_json_object ("$schema", rsp_json_text ("https://json.schemastore.org/sarif-2.1.0.json"),
                         "version", rsp_json_text ("2.1.0"), "runs", runs, NULL);
  rsp_json_append_line (object, out);
}

/* ---- Table ---------------------------------------------------------------------------------- */

/* "data race 2, assertion 1", "none", or "error"; newly allocated. */
static char *verdict_in_words (const KernelAnswer *answer) {
  if (answer->status != CLI_STATUS_DIFFERENT)
    return g_strdup (verdict_of (answer));
  g_autoptr (GPtrArray) kinds = g_ptr_array_new ();
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < answer->findings.all->len; i++) {
    const char *kind = finding (&answer->findings, i)->kind;
    guint n = 0;
    if (g_ptr_array_find_with_equal_func (kinds, kind, g_str_equal, NULL))
      continue;
    g_ptr_array_add (kinds, (char *) kind);
    for (guint k = i; k < answer->findings.all->len; k++)
      n += strcmp (finding (&answer->findings, k)->kind, kind) == 0;
    g_autofree char *words = g_strdelimit (g_strdup (kind), "_-", ' ');
    g_string_append_printf (text, "%s%s %u", text->len ? ", " : "", words, n);
  }
  return g_string_free (text, FALSE);
}

/* The cells of a kernel's answers, one per model, or NULL where it was not checked under one; all
 * NULL: the titles. */
static char **row_of (const GPtrArray *models, const KernelAnswer *const *own) {
  GStrvBuilder *cells = g_strv_builder_new ();
  const KernelAnswer *first = NULL;
  double seconds = 0;
  for (guint k = 0; k < models->len && !first; k++)
    first = own[k];
  g_autofree char *path = first ? rsp_visible_name (first->path) : g_strdup ("File");
  g_strv_builder_add (cells, path);
  g_strv_builder_add (cells, !first ? "Kernel" : first->entry ? first->entry : "");
  for (guint k = 0; k < models->len; k++) {
    g_autofree char *count = own[k]  ? executions_in_words (&own[k]->findings)
                             : first ? NULL
                                     : g_strdup ("Executions");
    g_autofree char *words
        = own[k] ? verdict_in_words (own[k]) : g_strdup (first ? "-" : models->pdata[k]);
    seconds += own[k] && (k == 0 || own[k] != own[k - 1]) ? own[k]->seconds : 0;
    g_strv_builder_add (cells, words);
    g_strv_builder_add (cells, count ? count : "");
  }
  g_autofree char *time = first ? g_strdup_printf ("%.2f s", seconds) : g_strdup ("Time");
  g_strv_builder_add (cells, time);
  char **row = g_strv_builder_end (cells);
  g_strv_builder_unref (cells);
  return row;
}

/* The answers of a kernel are next to each other. */
void kernel_format_table (const GPtrArray *answers, GString *out) {
  g_autoptr (GPtrArray) models = models_of (answers);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  g_autofree const KernelAnswer **own = g_new0 (const KernelAnswer *, models->len);
  g_ptr_array_add (rows, row_of (models, own));
  for (guint i = 0; i < answers->len;) {
    const KernelAnswer *first = answers->pdata[i];
    for (; i < answers->len; i++) {
      const KernelAnswer *answer = answers->pdata[i];
      guint model = 0, end = models->len; /* an error without a model is one under all */
      if (answer->model
          && g_ptr_array_find_with_equal_func (models, answer->model, g_str_equal, &model))
        end = model + 1;
      if (own[model] || strcmp (answer->path, first->path) != 0
          || g_strcmp0 (answer->entry, first->entry) != 0)
        break;
      for (; model < end; model++)
        own[model] = answer;
    }
    g_ptr_array_add (rows, row_of (models, own));
    memset (own, 0, models->len * sizeof *own);
  }
  rsp_rows_format (rows, out);
}
