/* Records: an outcome as text and numbers, independent of program and model. */
#include "enumerator/search/evidence.h"
#include "enumerator/terms/terms.h"
#include "model/matrix.h"
#include "model/model.h"
#include "parser/program.h"
#include "report/explanation.h"
#include "report/internal.h"
#include "report/record.h"
#include "report/report.h"

#include <string.h>

/* ---- Explanation ---------------------------------------------------------------------------- */

RspExplanations *rsp_explanations_new (void) {
  RspArena *arena = rsp_arena_new ();
  RspExplanations *explanations = rsp_arena_new0 (arena, RspExplanations, 1);
  explanations->arena = arena;
  return explanations;
}

void rsp_explanations_free (RspExplanations *explanations) {
  if (explanations)
    rsp_arena_free (explanations->arena);
}

const char *rsp_answer_name (RspcheckAnswer answer) {
  static const char *const names[] = { "allowed", "forbidden", "unreachable", "unknown" };
  return names[answer];
}

/* ---- Verdict -------------------------------------------------------------------------------- */

static const struct {
  const char *name, *short_name;
} kinds[] = { [RSP_EXISTS] = { "Allowed", "Allow" },
              [RSP_NOT_EXISTS] = { "Forbidden", "Forbid" },
              [RSP_FORALL] = { "Required", "Require" } };

const char *rsp_quantifier_kind (RspQuantifier quantifier) { return kinds[quantifier].name; }

gboolean rsp_quantifier_answer (RspQuantifier quantifier, RspcheckObservation observation) {
  return quantifier == RSP_EXISTS       ? observation != RSPCHECK_NEVER
         : quantifier == RSP_NOT_EXISTS ? observation == RSPCHECK_NEVER
                                        : observation == RSPCHECK_ALWAYS;
}

gboolean rsp_quantifier_from_kind (const char *kind, RspQuantifier *quantifier) {
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_ascii_strcasecmp (kind, kinds[i].name) == 0
        || g_ascii_strcasecmp (kind, kinds[i].short_name) == 0) {
      *quantifier = i;
      return TRUE;
    }
  return FALSE;
}

const char *const rsp_observation_names[] = { "Never", "Sometimes", "Always", NULL };

char *rsp_stop_reason (RspcheckStop stop, const RspCheckOptions *options) {
  switch (stop) {
  case RSPCHECK_STOP_TIMEOUT:
    return g_strdup_printf ("Timeout after %g s", options->timeout);
  case RSPCHECK_STOP_EXECUTIONS:
    return g_strdup_printf ("Limit of %" G_GUINT64_FORMAT " executions reached",
                            options->max_executions);
  case RSPCHECK_STOP_MEMORY: {
    g_autofree char *limit
        = rsp_size_format (options->max_memory ? options->max_memory : RSP_DEFAULT_MEMORY);
    return g_strdup_printf ("Memory limit of %s reached", limit);
  }
  case RSPCHECK_STOP_ERROR:
    return g_strdup ("Error: not checked");
  case RSPCHECK_STOP_COMPLETE:
  case RSPCHECK_STOP_FOUND:
    break;
  }
  return NULL;
}

/* A hurried search counts one side only: the executions that satisfy the condition, or for forall
 * those that refute it. So it can report Never: for an exists it searched for all satisfying
 * executions and found none; for a forall a separate search looked for one. But it cannot report
 * Always: for an exists, seeing none of the other side means nothing, and the answer for a forall
 * must not look like that of a full search. */
static RspcheckObservation observe (const RspOutcome *outcome, const RspCheckOptions *options) {
  if (options->speedcheck == RSPCHECK_SPEED_EXACT) {
    if (!rsp_outcome_may_hold (outcome))
      return RSPCHECK_NEVER;
    return rsp_outcome_may_fail (outcome) ? RSPCHECK_SOMETIMES : RSPCHECK_ALWAYS;
  }
  return rsp_outcome_may_hold (outcome) || outcome->satisfiable ? RSPCHECK_SOMETIMES
                                                                : RSPCHECK_NEVER;
}

/* ---- Evidence ------------------------------------------------------------------------------- */

/* Evidence in records: the events that show why flags are raised. */

void rsp_record_add_event (RspRecord *record, const RspRecordEvent *event) {
  RspRecordEvent own = *event;
  own.flag = g_string_chunk_insert_const (record->texts, event->flag);
  g_autofree char *valid = g_utf8_make_valid (event->text, -1);
  own.text = g_string_chunk_insert (record->texts, valid);
  g_array_append_val (record->evidence, own);
}

void rsp_record_set_evidence (RspRecord *record, const GPtrArray *evidence) {
  for (guint i = 0; i < evidence->len; i++) {
    const RspEvidence *of_flag = evidence->pdata[i];
    for (guint k = 0; k < of_flag->events->len; k++) {
      const RspEvidenceEvent *event = &g_array_index (of_flag->events, RspEvidenceEvent, k);
      guint thread = event->initial ? RSP_NO_THREAD : event->thread;
      rsp_record_add_event (record, &(RspRecordEvent){ of_flag->flag, thread, event->line,
                                                       event->column, event->text });
    }
  }
}

void rsp_record_set_explanations (RspRecord *record, RspExplanations *explanations) {
  record->explanations = explanations;
}

void rsp_record_set_candidates (RspRecord *record, const RspCandidateViews *candidates) {
  record->candidates = candidates_to_json (candidates, record->explanations);
}

enum {
  MOST_TEXT = 72 /* characters of an event shown on a line */
};

static void format_event (const RspRecordEvent *event, GString *out) {
  if (event->thread == RSP_NO_THREAD)
    g_string_append (out, "the initial state");
  else
    g_string_append_printf (out, "P%u", event->thread);
  if (event->line)
    g_string_append_printf (out, " line %u", event->line);
  if (g_utf8_strlen (event->text, -1) > MOST_TEXT) {
    g_autofree char *begin = g_utf8_substring (event->text, 0, MOST_TEXT - 1);
    g_string_append_printf (out, " `%s…`", begin);
  } else if (*event->text)
    g_string_append_printf (out, " `%s`", event->text);
}

void rsp_record_format_evidence (const RspRecord *record, const char *flag, GString *out) {
  g_autoptr (GPtrArray) events = g_ptr_array_new ();
  for (guint i = 0; i < record->evidence->len; i++) {
    RspRecordEvent *event = &g_array_index (record->evidence, RspRecordEvent, i);
    if (g_str_equal (event->flag, flag))
      g_ptr_array_add (events, event);
  }
  static const char *const before[] = { "", " at ", " between ", " on the cycle " };
  g_string_append (out, before[MIN (events->len, G_N_ELEMENTS (before) - 1)]);
  for (guint i = 0; i < events->len; i++) {
    if (i)
      g_string_append (out, events->len == 2 ? " and " : ", ");
    format_event (events->pdata[i], out);
  }
}

/* ---- Suite ---------------------------------------------------------------------------------- */

const char *const rsp_total_titles[RSP_N_TOTALS]
    = { "Never", "Sometimes", "Always", "flagged", "Loop", "unfinished", "left out" };

/* ---- Building ---- */
static void clear_row (gpointer data) {
  RspSuiteRow *row = data;
  g_free (row->cells);
}

RspSuite *suite_new (const GPtrArray *records) {
  RspSuite *suite = g_new0 (RspSuite, 1);
  suite->models = g_ptr_array_new ();
  suite->rows = g_array_new (FALSE, TRUE, sizeof (RspSuiteRow));
  g_array_set_clear_func (suite->rows, clear_row);
  for (guint i = 0; i < records->len; i++) {
    const RspRecord *record = records->pdata[i];
    if (!g_ptr_array_find_with_equal_func (suite->models, record->model, g_str_equal, NULL))
      g_ptr_array_add (suite->models, record->model);
  }
  const RspRecord *last = NULL;
  for (guint i = 0; i < records->len; i++) {
    const RspRecord *record = records->pdata[i];
    guint column = 0;
    if (!last || last->index != record->index) {
      RspSuiteRow row = { g_new0 (const RspRecord *, suite->models->len), FALSE };
      g_array_append_val (suite->rows, row);
    }
    RspSuiteRow *row = &g_array_index (suite->rows, RspSuiteRow, suite->rows->len - 1);
    g_ptr_array_find_with_equal_func (suite->models, record->model, g_str_equal, &column);
    row->cells[column] = record;
    last = record;
  }
  for (guint r = 0; r < suite->rows->len; r++) {
    RspSuiteRow *row = &g_array_index (suite->rows, RspSuiteRow, r);
    for (guint k = 1; k < suite->models->len; k++)
      row->differs |= rsp_records_differ (suite_first (suite, row), row->cells[k]);
  }
  return suite;
}

void suite_free (RspSuite *suite) {
  if (!suite)
    return;
  g_ptr_array_unref (suite->models);
  g_array_unref (suite->rows);
  g_free (suite);
}

/* ---- Attempt ---- */
const RspSuiteRow *suite_row (const RspSuite *suite, guint i) {
  return &g_array_index (suite->rows, RspSuiteRow, i);
}

const RspRecord *suite_first (const RspSuite *suite, const RspSuiteRow *row) {
  const RspRecord *first = NULL;
  for (guint k = 0; k < suite->models->len; k++)
    if (row->cells[k] && (!first || rsp_record_is_left_out (first)))
      first = row->cells[k];
  g_assert (first); /* a record made the row */
  return first;
}

void count_record (const RspRecord *record, guint totals[RSP_N_TOTALS]) {
  if (!rsp_record_is_ok (record)) {
    totals[rsp_record_is_left_out (record) ? RSP_TOTAL_LEFT_OUT : RSP_TOTAL_UNFINISHED]++;
    return;
  }
  for (guint i = RSP_TOTAL_NEVER; i <= RSP_TOTAL_ALWAYS; i++)
    totals[i] += record->observation == i - RSP_TOTAL_NEVER;
  totals[RSP_TOTAL_FLAGGED] += rsp_record_is_flagged (record);
  totals[RSP_TOTAL_LOOP] += record->loop;
}

void suite_total (const RspSuite *suite, guint k, guint totals[RSP_N_TOTALS]) {
  for (guint i = 0; i < RSP_N_TOTALS; i++)
    totals[i] = 0;
  for (guint r = 0; r < suite->rows->len; r++) {
    const RspRecord *record = suite_row (suite, r)->cells[k];
    if (record)
      count_record (record, totals);
  }
}

guint suite_n_totals (const RspSuite *suite) {
  guint any = 0;
  for (guint k = 0; k < suite->models->len && !any; k++) {
    guint totals[RSP_N_TOTALS];
    suite_total (suite, k, totals);
    any = totals[RSP_TOTAL_LEFT_OUT];
  }
  return any ? RSP_N_TOTALS : RSP_TOTAL_LEFT_OUT;
}

void suite_relate (const RspSuite *suite, guint a, guint b, guint found[RSP_N_RELATIONS]) {
  for (guint i = 0; i < RSP_N_RELATIONS; i++)
    found[i] = 0;
  for (guint r = 0; r < suite->rows->len; r++) {
    const RspSuiteRow *row = suite_row (suite, r);
    found[rsp_records_relate (row->cells[a], row->cells[b])]++;
  }
}

gboolean suite_has_states (const RspSuite *suite, const RspSuiteRow *row, guint k) {
  gboolean undefined = FALSE;
  for (guint i = 0; i < suite->models->len; i++)
    undefined |= row->cells[i] && rsp_record_is_undefined_for (row->cells[k], row->cells[i]);
  return !undefined && !rsp_record_is_hurried (row->cells[k]);
}

char *suite_judgements (const RspSuite *suite, const RspSuiteRow *row, const RspRecord *record) {
  GString *text = g_string_new (NULL);
  for (guint k = 0; record->is_device && k < suite->models->len; k++)
    if (row->cells[k] && !row->cells[k]->is_device)
      g_string_append_printf (text, "%s%s", text->len ? "/" : "",
                              rsp_judged_names[rsp_judge (record, row->cells[k])]);
  return g_string_free (text, FALSE);
}

gboolean is_indistinguishable (const guint found[RSP_N_RELATIONS], guint n_rows) {
  return found[RSP_EQUAL] && found[RSP_EQUAL] + found[RSP_NOT_COMPARED] == n_rows;
}

/* ---- Model help ----------------------------------------------------------------------------- */

/* Findings in order of appearance: lines without indentation or duplicates. */
typedef struct Found {
  GPtrArray *axioms, *flags, *warnings;
  GPtrArray *conditions; /* of char *: the `if`s around the current statement */
} Found;

/* ---- Axioms ---- */
/* Appends the variants that the `if`s around an axiom require. Other conditions do not depend on
 * how the model is run and are left out. */
static void describe_condition (const RspCatCondition *condition, GString *out) {
  switch (condition->kind) {
  case RSP_CAT_COND_VARIANT:
    g_string_append_printf (out, "-variant %s", condition->variant);
    return;
  case RSP_CAT_COND_NOT:
    g_string_append (out, "not (");
    describe_condition (condition->c, out);
    g_string_append_c (out, ')');
    return;
  case RSP_CAT_COND_AND:
  case RSP_CAT_COND_OR:
    describe_condition (condition->c, out);
    g_string_append (out, condition->kind == RSP_CAT_COND_AND ? " and " : " or ");
    describe_condition (condition->d, out);
    return;
  default:
    g_string_append (out, "a condition on the test");
    return;
  }
}

static void add_axiom (const RspCatStatement *axiom, Found *found) {
  GPtrArray *lists[] = {
    [RSPCHECK_ROLE_AXIOM] = found->axioms,         [RSPCHECK_ROLE_UNDEFINED_UNLESS] = found->flags,
    [RSPCHECK_ROLE_FLAG] = found->flags,           [RSPCHECK_ROLE_ASSERT] = found->axioms,
    [RSPCHECK_ROLE_WARN_UNLESS] = found->warnings,
  };
  GString *line = g_string_new (axiom->name ? axiom->name : "(unnamed)");
  if (axiom->role == RSPCHECK_ROLE_AXIOM)
    g_string_append_printf (line, ": %s%s", axiom->negated ? "not " : "",
                            rsp_axiom_form (axiom->axiom)->word);
  else if (axiom->role == RSPCHECK_ROLE_UNDEFINED_UNLESS)
    g_string_append (line, ": the program is undefined");
  else if (axiom->role == RSPCHECK_ROLE_ASSERT)
    g_string_append (line, ": asserted");
  for (guint i = 0; i < found->conditions->len; i++)
    g_string_append_printf (line, ", if %s", (char *) found->conditions->pdata[i]);
  char *text = g_string_free (line, FALSE);
  if (g_ptr_array_find_with_equal_func (lists[axiom->role], text, g_str_equal, NULL))
    g_free (text);
  else
    g_ptr_array_add (lists[axiom->role], text);
}

static void find_in_statements (const RspCatStatement *statement, Found *found) {
  for (; statement; statement = statement->next) {
    if (statement->kind == RSP_CAT_STMT_AXIOM)
      add_axiom (statement, found);
    find_in_statements (statement->included, found);
    if (statement->kind == RSP_CAT_STMT_IF) {
      g_autoptr (GString) condition = g_string_new (NULL);
      describe_condition (statement->condition, condition);
      g_ptr_array_add (found->conditions, g_strdup (condition->str));
      find_in_statements (statement->body, found);
      g_ptr_array_set_size (found->conditions, (gint) found->conditions->len - 1);
      g_ptr_array_add (found->conditions, g_strdup_printf ("not (%s)", condition->str));
      find_in_statements (statement->otherwise, found);
      g_ptr_array_set_size (found->conditions, (gint) found->conditions->len - 1);
      continue;
    }
    find_in_statements (statement->body, found);
    for (const RspCatClause *clause = statement->clauses; clause; clause = clause->next)
      find_in_statements (clause->statements, found);
  }
}

/* ---- The comment ---- */
/* The end of the comment that begins at text; comments nest. NULL if it does not end. */
static const char *comment_end (const char *text) {
  guint depth = 0;
  for (const char *p = text; *p; p++)
    if (g_str_has_prefix (p, "(*"))
      depth++, p++;
    else if (g_str_has_prefix (p, "*)") && --depth == 0)
      return p;
    else if (g_str_has_prefix (p, "*)"))
      p++;
  return NULL;
}

/* The lines of the first comment of a file, without their common indentation. */
static void append_comment (const RspSource *source, GString *out) {
  const char *begin = strstr (source->text, "(*");
  const char *end = begin ? comment_end (begin) : NULL;
  if (!end)
    return;
  g_autofree char *comment = g_strndup (begin + 2, (gsize) (end - begin - 2));
  g_auto (GStrv) lines = g_strsplit (comment, "\n", -1);
  for (char **line = lines; *line; line++) {
    g_strstrip (*line);
    g_string_append_printf (out, "%s%s\n", **line ? "  " : "", *line);
  }
}

static void append_list (const char *title, const GPtrArray *lines, GString *out) {
  if (lines->len)
    g_string_append_printf (out, "%s\n", title);
  for (guint i = 0; i < lines->len; i++)
    g_string_append_printf (out, "  %s\n", (char *) lines->pdata[i]);
}

void rsp_model_format_help (const RspModel *model, GString *out) {
  g_autoptr (GPtrArray) axioms = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) flags = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) variants = g_ptr_array_new ();
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GPtrArray) conditions = g_ptr_array_new_with_free_func (g_free);
  Found found = { axioms, flags, warnings, conditions };
  find_in_statements (model->statements, &found);
  rsp_model_collect_names (model, names, variants);
  g_string_append_printf (out, "Model %s\nFile %s\n", model->name, model->path);
  append_list ("Axioms", axioms, out);
  append_list ("Flags", flags, out);
  append_list ("Warnings", warnings, out);
  append_list ("Variants", variants, out);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < model->words->len; i++) {
    const RspModelWord *word = &g_array_index (model->words, RspModelWord, i);
    g_autofree char *places = rsp_word_places_format (word->places);
    if (word->own)
      g_ptr_array_add (words, g_strdup_printf ("%s (%s): of %s", word->name, word->kind, places));
  }
  append_list ("Words", words, out);
  g_string_append (out, "Description\n");
  if (model->sources->len)
    append_comment (model->sources->pdata[0], out);
}

/* ---- Record --------------------------------------------------------------------------------- */

enum {
  FEW_STATES = 64,
  MORE_TEXTS = 1 << 16 /* bytes allocated at a time for the texts of further states */
};

const char *const rsp_status_names[]
    = { "ok", "timeout", "executions", "memory", "error", "left_out", NULL };

static char *valid_text (const char *text) { return text ? g_utf8_make_valid (text, -1) : NULL; }

static void clear_judgement (gpointer data) {
  RspJudgement *judgement = data;
  g_ptr_array_unref (judgement->not_allowed);
  g_ptr_array_unref (judgement->not_seen);
}

RspRecord *rsp_record_new (const char *test, const char *path, const char *model,
                           const char *reason) {
  RspRecord *record = g_new0 (RspRecord, 1);
  record->test = valid_text (test);
  record->path = valid_text (path);
  record->model = valid_text (model);
  record->status = RSP_STATUS_ERROR;
  record->total = record->columns = 1;
  record->reason = valid_text (reason);
  record->version = g_strdup (RSP_VERSION);
  record->flags = g_ptr_array_new ();
  record->prunings = g_array_new (FALSE, FALSE, sizeof (RspPruning));
  record->shown = g_ptr_array_new ();
  record->evidence = g_array_new (FALSE, FALSE, sizeof (RspRecordEvent));
  record->states = g_array_new (FALSE, FALSE, sizeof (RspRecordState));
  record->judgements = g_array_new (FALSE, FALSE, sizeof (RspJudgement));
  g_array_set_clear_func (record->judgements, clear_judgement);
  record->texts = g_string_chunk_new (64);
  return record;
}

void rsp_record_free (RspRecord *record) {
  if (!record)
    return;
  char *texts[] = { record->test,      record->path,        record->model,  record->model_digest,
                    record->options,   record->version,     record->reason, record->kind,
                    record->condition, record->source,      record->hash,   record->scope_hash,
                    record->scopes,    record->log,         record->device, record->compiler,
                    record->setup,     record->explanation, record->shard,  record->candidates,
                    record->progress,  record->schedule,    record->arrays, record->language,
                    record->placements };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
  const RspMachineReport *machine = &record->machine;
  char *of_machine[]
      = { machine->machine,  machine->mapping,       machine->readings,       machine->allowed_by,
          machine->unsound,  machine->trace,         machine->deadlock_trace, machine->bill,
          machine->violated, machine->violated_trace };
  for (guint i = 0; i < G_N_ELEMENTS (of_machine); i++)
    g_free (of_machine[i]);
  g_ptr_array_unref (record->flags);
  g_array_unref (record->prunings);
  g_array_unref (record->evidence);
  g_array_unref (record->states);
  g_array_unref (record->judgements);
  rsp_explanations_free (record->explanations);
  g_ptr_array_unref (record->shown);
  if (record->shown_arena)
    rsp_arena_free (record->shown_arena);
  g_string_chunk_free (record->texts);
  if (record->more)
    g_string_chunk_free (record->more);
  g_free (record);
}

/* ---- Filling ---- */
/* Takes text. */
static void set_text (char **field, char *text) {
  g_free (*field);
  *field = text;
  if (!text || g_utf8_validate (text, -1, NULL))
    return;
  *field = valid_text (text);
  g_free (text);
}

static void append_state (RspRecord *record, const RspRecordState *state, gsize length) {
  RspRecordState own = *state;
  /* In a large record, each text of its own would be an allocation too many; most records are
   * small, and many are kept. */
  gboolean large = record->states->len >= FEW_STATES;
  if (large && !record->more)
    record->more = g_string_chunk_new (MORE_TEXTS);
  own.text = g_string_chunk_insert_len (large ? record->more : record->texts, state->text,
                                        (gssize) length);
  own.length = (guint) length;
  g_array_append_val (record->states, own);
}

void rsp_record_add_state (RspRecord *record, const RspRecordState *state) {
  append_state (record, state, strlen (state->text));
}

/* In the order of the log: by the first value that differs, numbers as numbers. */
static int compare_states (gconstpointer a, gconstpointer b) {
  const char *x = ((const RspRecordState *) a)->text, *y = ((const RspRecordState *) b)->text;
  gsize same = 0, value = 0;
  for (; x[same] && x[same] == y[same]; same++)
    if (x[same] == '=')
      value = same + 1;
  char *end_x, *end_y;
  gint64 of_x = g_ascii_strtoll (x + value, &end_x, 10),
         of_y = g_ascii_strtoll (y + value, &end_y, 10);
  return *end_x == ';' && *end_y == ';' ? (of_x > of_y) - (of_x < of_y)
                                        : strcmp (x + value, y + value);
}

void rsp_record_join_states (RspRecord *record, const RspRecord *other) {
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < record->states->len; i++)
    g_hash_table_insert (known, (gpointer) rsp_record_state (record, i)->text,
                         GUINT_TO_POINTER (i + 1));
  for (guint i = 0; i < other->states->len; i++) {
    const RspRecordState *state = rsp_record_state (other, i);
    guint at = GPOINTER_TO_UINT (g_hash_table_lookup (known, state->text));
    if (!at) {
      rsp_record_add_state (record, state);
      continue;
    }
    RspRecordState *own = &g_array_index (record->states, RspRecordState, at - 1);
    own->executions += state->executions;
    own->n_undefined += state->n_undefined;
  }
  g_array_sort (record->states, compare_states);
}

static RspPruning own_pruning (RspRecord *record, const RspPruning *pruning) {
  RspPruning own = *pruning;
  own.name = g_string_chunk_insert (record->texts, pruning->name);
  return own;
}

void rsp_record_add_pruning (RspRecord *record, const RspPruning *pruning) {
  for (guint i = 0; i < record->prunings->len; i++) {
    RspPruning *same = &g_array_index (record->prunings, RspPruning, i);
    if (!g_str_equal (same->name, pruning->name))
      continue;
    same->n += pruning->n;
    same->forced += pruning->forced;
    return;
  }
  RspPruning own = own_pruning (record, pruning);
  g_array_append_val (record->prunings, own);
}

void rsp_record_set_shard (RspRecord *record, guint number, guint of) {
  g_free (record->shard);
  record->shard = of ? g_strdup_printf ("%u/%u", number, of) : NULL;
}

static GPtrArray *own_texts (RspRecord *record, const GPtrArray *texts) {
  GPtrArray *own = g_ptr_array_new ();
  for (guint i = 0; i < texts->len; i++)
    g_ptr_array_add (own, g_string_chunk_insert (record->texts, texts->pdata[i]));
  return own;
}

void rsp_record_add_judgement (RspRecord *record, const RspJudgement *judgement) {
  RspJudgement own = { .model = g_string_chunk_insert (record->texts, judgement->model),
                       .judged = judgement->judged,
                       .not_allowed = own_texts (record, judgement->not_allowed),
                       .not_seen = own_texts (record, judgement->not_seen) };
  g_array_append_val (record->judgements, own);
}

void rsp_record_add_flag (RspRecord *record, const char *name) {
  g_ptr_array_add (record->flags, g_string_chunk_insert (record->texts, name));
}

void rsp_record_set_program (RspRecord *record, const RspProgram *program) {
  const RspSource *source = program->source;
  set_text (&record->test, g_strdup (program->name));
  set_text (&record->language, g_strdup (program->language->word));
  set_text (&record->source, g_strndup (source->text, source->length));
  set_text (&record->hash, rsp_program_hash (program));
  set_text (&record->scope_hash, rsp_program_scope_hash (program));
  if (program->language->scoped)
    set_text (&record->scopes, rsp_program_format_scopes (program));
}

void rsp_record_leave_out (RspRecord *record, const char *language, const RspSource *source) {
  record->status = RSP_STATUS_LEFT_OUT;
  set_text (&record->language, g_strdup (language));
  set_text (&record->source, g_strndup (source->text, source->length));
  set_text (&record->reason, g_strdup_printf ("%s is not for %s tests", record->model, language));
}

void rsp_record_set_program_of (RspRecord *record, const RspRecord *other) {
  set_text (&record->test, g_strdup (other->test));
  set_text (&record->language, g_strdup (other->language));
  set_text (&record->source, g_strdup (other->source));
  set_text (&record->hash, g_strdup (other->hash));
  set_text (&record->scope_hash, g_strdup (other->scope_hash));
  set_text (&record->scopes, g_strdup (other->scopes));
}

void rsp_record_set_question (RspRecord *record, const RspProgram *program) {
  set_text (&record->kind, g_strdup (rsp_quantifier_kind (program->quantifier)));
  set_text (&record->condition, rsp_program_format_condition (program));
}

/* A printed observable, in the text of states. */
typedef struct Place {
  const char *name;
  gsize length; /* of its name */
  const RspType *type;
  gsize end; /* of its value in the last state */
} Place;

/* The text of the states, each made from the one before. */
typedef struct Texts {
  const RspOutcome *outcome;
  GString *text;
  Place *places;
} Texts;

/* "0:r0=0; x=1;". Keeps the part that the state shares with the one before: most of it, since
 * states are sorted. */
static void format_state (Texts *texts, const RspStateCount *state) {
  const RspOutcome *outcome = texts->outcome;
  guint first = 0;
  if (state != outcome->states) {
    const guint32 *own = rsp_outcome_numbers (outcome, state);
    const guint32 *other = rsp_outcome_numbers (outcome, state - 1);
    while (first < outcome->n_printed && own[first] == other[first])
      first++;
  }
  g_string_truncate (texts->text, first ? texts->places[first - 1].end : 0);
  for (guint k = first; k < outcome->n_printed; k++) {
    Place *place = &texts->places[k];
    if (k)
      g_string_append_c (texts->text, ' ');
    g_string_append_len (texts->text, place->name, (gssize) place->length);
    g_string_append_c (texts->text, '=');
    rsp_value_format (outcome->program, place->type, rsp_outcome_value (outcome, state, k),
                      texts->text);
    g_string_append_c (texts->text, ';');
    place->end = texts->text->len;
  }
}

static void add_states (RspRecord *record, const RspOutcome *outcome) {
  g_autoptr (GString) text = g_string_new (NULL), arrays = g_string_new (NULL);
  g_autofree Place *places = g_new (Place, outcome->n_printed + 1);
  const char *last = NULL;
  for (guint k = 0; k < outcome->n_printed; k++) {
    const RspObservable *observable = &outcome->program->observables[outcome->printed[k]];
    places[k] = (Place){ .name = observable->name,
                         .length = strlen (observable->name),
                         .type = rsp_observable_type (outcome->program, observable) };
    if (observable->array && observable->array != last)
      g_string_append_printf (arrays, "%s%s", arrays->len ? " " : "", observable->array);
    last = observable->array;
  }
  set_text (&record->arrays, arrays->len ? g_strdup (arrays->str) : NULL);
  Texts texts = { outcome, text, places };
  for (guint i = 0; i < outcome->n_states; i++) {
    const RspStateCount *state = &outcome->states[i];
    format_state (&texts, state);
    RspRecordState own = { .text = text->str,
                           .satisfies = state->satisfies,
                           .undetermined = state->undetermined,
                           .executions = state->executions,
                           .n_undefined = state->n_undefined };
    append_state (record, &own, text->len);
  }
}

void rsp_record_set_outcome (RspRecord *record, const RspOutcome *outcome,
                             const RspCheckOptions *options) {
  static const RspStatus statuses[] = { [RSPCHECK_STOP_COMPLETE] = RSP_STATUS_OK,
                                        [RSPCHECK_STOP_FOUND] = RSP_STATUS_OK,
                                        [RSPCHECK_STOP_TIMEOUT] = RSP_STATUS_TIMEOUT,
                                        [RSPCHECK_STOP_EXECUTIONS] = RSP_STATUS_EXECUTIONS,
                                        [RSPCHECK_STOP_MEMORY] = RSP_STATUS_MEMORY,
                                        [RSPCHECK_STOP_ERROR] = RSP_STATUS_ERROR };
  gboolean hurried = options->speedcheck != RSPCHECK_SPEED_EXACT;
  RspQuantifier quantifier = outcome->program->quantifier;
  char *reason = rsp_stop_reason (outcome->stop, options);
  record->status = statuses[outcome->stop];
  /* A program that fails on some execution, by dividing by zero or the like, has no answer, even if
   * its other executions have final states. */
  if (!reason && outcome->failure) {
    reason = g_strdup_printf ("Error: %s on some execution", outcome->failure);
    record->status = record->status == RSP_STATUS_OK ? RSP_STATUS_ERROR : record->status;
  }
  rsp_record_set_question (record, outcome->program);
  set_text (&record->reason, reason);
  /* exists: some execution; ~exists: none; forall: all, even if there are none. Where the answer
   * depends on undetermined values, an execution may satisfy and may refute the proposition. */
  if (!reason) {
    record->observation = observe (outcome, options);
    record->answer = quantifier == RSP_EXISTS       ? rsp_outcome_may_hold (outcome)
                     : quantifier == RSP_NOT_EXISTS ? !rsp_outcome_may_hold (outcome)
                                                    : !rsp_outcome_may_fail (outcome);
  }
  record->loop = outcome->loop;
  /* If a hurried check found nothing undefined, there may still be something. */
  record->has_undefined = outcome->has_undefined && (outcome->n_undefined || !hurried);
  record->positive = outcome->positive;
  record->negative = outcome->negative;
  record->undetermined = outcome->undetermined;
  record->n_undefined = outcome->n_undefined;
  /* In the model's order, each once. */
  for (guint i = 0; i < outcome->n_flags; i++)
    if (outcome->flags[i].raised && !rsp_record_has_flag (record, outcome->flags[i].name))
      rsp_record_add_flag (record, outcome->flags[i].name);
  if (outcome->thin_air && !rsp_record_has_flag (record, "thin_air"))
    rsp_record_add_flag (record, "thin_air");
  add_states (record, outcome);
  record->statistics = outcome->statistics;
  g_array_set_size (record->prunings, outcome->n_prunings);
  for (guint i = 0; i < outcome->n_prunings; i++)
    g_array_index (record->prunings, RspPruning, i) = own_pruning (record, &outcome->prunings[i]);
}

/* ---- Attempt ---- */
gboolean rsp_record_is_ok (const RspRecord *record) { return record->status == RSP_STATUS_OK; }

gboolean rsp_record_is_left_out (const RspRecord *record) {
  return record->status == RSP_STATUS_LEFT_OUT;
}

gboolean rsp_record_is_undefined (const RspRecord *record) {
  return record->n_undefined > 0 || record->undefined;
}

void rsp_record_witnesses (const RspRecord *record, RspCount *positive, RspCount *negative) {
  RspQuantifier quantifier;
  gboolean swapped = record->kind && rsp_quantifier_from_kind (record->kind, &quantifier)
                     && quantifier == RSP_NOT_EXISTS;
  *positive = swapped ? record->negative : record->positive;
  *negative = swapped ? record->positive : record->negative;
}

gsize rsp_record_size (const RspRecord *record) {
  gsize bytes = sizeof *record + 1024 + (record->source ? strlen (record->source) : 0);
  for (guint i = 0; i < record->states->len; i++)
    bytes += sizeof (RspRecordState) + rsp_record_state (record, i)->length + 1;
  return bytes;
}

const RspRecordState *rsp_record_state (const RspRecord *record, guint i) {
  return &g_array_index (record->states, RspRecordState, i);
}

/* ---- Sentence ------------------------------------------------------------------------------- */

enum {
  MOST_WORDS = 90 /* characters of a condition that sentences repeat */
};

/* The names of a condition, each of a register after its thread: "2:r0", "x". */
static const char names_pattern[] = "(?:(\\d+):)?\\b([A-Za-z_]\\w*)";

/* Appends the name without its thread, unless another register or location has it too. */
static gboolean drop_thread (const GMatchInfo *match, GString *out, gpointer meanings) {
  g_autofree char *whole = g_match_info_fetch (match, 0), *name = g_match_info_fetch (match, 2);
  g_string_append (out, g_hash_table_lookup (meanings, name) ? name : whole);
  return FALSE;
}

/* " with r0=1 and r1≠53" of "exists (2:r0=1 /\ not (2:r1=53))"; newly allocated. NULL if it is
 * long.
 */
static char *condition_in_words (const char *condition) {
  static const struct {
    const char *pattern, *words;
  } changes[] = { { "^[^(]*\\((.*)\\)\\s*$", "\\1" },
                  { "(?:\\bnot |~)\\(([^()=<>]+)=([^()=]+)\\)", "\\1≠\\2" },
                  { "\\s*/\\\\\\s*", " and " },
                  { "\\s*\\\\/\\s*", " or " },
                  { "\\s*=>\\s*", " implies " },
                  { "~\\(", "not (" },
                  { "^true$", "" } };
  g_autofree char *text = g_utf8_make_valid (condition, -1); /* as GRegex needs */
  for (gsize i = 0; i < G_N_ELEMENTS (changes); i++) {
    g_autoptr (GRegex) regex = g_regex_new (changes[i].pattern, 0, 0, NULL);
    char *next = g_regex_replace (regex, text, -1, 0, changes[i].words, 0, NULL);
    g_free (text);
    text = next;
  }
  g_autoptr (GHashTable) meanings = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GRegex) names = g_regex_new (names_pattern, 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  for (g_regex_match (names, text, 0, &match); g_match_info_matches (match);
       g_match_info_next (match, NULL)) {
    char *whole = g_match_info_fetch (match, 0), *name = g_match_info_fetch (match, 2);
    const char *other = NULL;
    gboolean known = g_hash_table_lookup_extended (meanings, name, NULL, (gpointer *) &other);
    if (known && g_strcmp0 (other, whole) != 0) /* NULL: several */
      g_clear_pointer (&whole, g_free);
    g_hash_table_replace (meanings, name, whole);
  }
  char *words = g_regex_replace_eval (names, text, -1, 0, 0, drop_thread, meanings, NULL);
  gboolean is_long = g_utf8_strlen (words, -1) > MOST_WORDS;
  char *with = is_long ? NULL : g_strconcat (*words ? " with " : "", words, NULL);
  g_free (words);
  return with;
}

gboolean rsp_flag_is_race (const char *flag) {
  return g_regex_match_simple ("(^|[_-])(race|Race)s?$|Races?$|^racy$|^[Dd]r$", flag, 0, 0);
}

/* ", and the program races (lines 13, 23) and raises divergence": what stands before the first
 * verb is given. FALSE: there are none. */
static gboolean append_flags (const RspRecord *record, const char *before, GString *out) {
  static const struct {
    const char *word, *verb;
    gboolean shown; /* is the rest of the flag shown? */
  } verbs[] = { { "data_race", "races", FALSE },
                { "never_ends", "may wait for ever", FALSE },
                { "hangs:", "hangs under ", TRUE },
                { "unknown:", "may hang under ", TRUE },
                { "hang", "hangs", FALSE },
                { "assertion", "fails an assertion", FALSE },
                { "barrier_divergence", "diverges at a barrier", FALSE },
                { "out_of_bounds", "accesses what is outside its arrays", FALSE },
                { "uninitialised_read", "reads what has no value", FALSE },
                { "division_by_zero", "divides by zero", FALSE },
                { "", "raises ", TRUE } };
  const char *last = NULL;
  for (guint i = 0; i < record->flags->len; i++) {
    const char *flag = record->flags->pdata[i];
    guint v = !rsp_flag_is_race (flag);
    while (v && !g_str_has_prefix (flag, verbs[v].word))
      v++;
    if (!verbs[v].shown && last == verbs[v].verb)
      continue;
    g_string_append (out, last ? " and " : before);
    g_string_append_printf (out, "%s%s", verbs[v].verb,
                            verbs[v].shown ? flag + strlen (verbs[v].word) : "");
    /* " (lines 13, 23)": where a flag's evidence is. */
    g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (guint));
    for (guint e = 0; e < record->evidence->len; e++) {
      const RspRecordEvent *event = &g_array_index (record->evidence, RspRecordEvent, e);
      guint at = 0;
      while (at < lines->len && g_array_index (lines, guint, at) < event->line)
        at++;
      if (event->line && g_str_equal (event->flag, flag)
          && (at == lines->len || g_array_index (lines, guint, at) != event->line))
        g_array_insert_val (lines, at, event->line);
    }
    for (guint k = 0; k < lines->len; k++)
      g_string_append_printf (out, "%s%u",
                              k                ? ", "
                              : lines->len > 1 ? " (lines "
                                               : " (line ",
                              g_array_index (lines, guint, k));
    g_string_append (out, lines->len ? ")" : "");
    last = verbs[v].verb;
  }
  return last != NULL;
}

/* words: the condition's; NULL: a sentence before had it. */
static void append_answer (const RspRecord *record, const char *words, GString *out) {
  static const char *const verbs[2][3]
      = { { "it never ends", "it can end", "it always ends" },
          { "it was never seen to end", "it was seen to end", "it was only seen to end" } };
  RspQuantifier quantifier = RSP_EXISTS;
  if (record->kind)
    rsp_quantifier_from_kind (record->kind, &quantifier);
  gboolean forall = quantifier == RSP_FORALL, counted = !(record->unknown & RSP_UNKNOWN_COUNTS);
  gboolean yes = forall ? record->answer : record->observation != RSPCHECK_NEVER;
  const char *verb
      = verbs[record->is_device][forall && yes ? RSPCHECK_ALWAYS : record->observation];
  if (counted && !rsp_record_is_hurried (record) && !record->states->len)
    g_string_append (out, "no execution ends");
  else if (forall && !yes && record->observation != RSPCHECK_NEVER)
    g_string_append_printf (out, "no%s%s", words ? ", it does not always end" : "",
                            words ? words : "");
  else if (words)
    g_string_append_printf (out, "%s, %s%s", yes ? "yes" : "no", verb, words);
  else
    g_string_append (out, !yes                                                ? "no"
                          : !forall && record->observation == RSPCHECK_ALWAYS ? "yes, always"
                                                                              : "yes");
  if (record->loop)
    g_string_append (out, ", as far as loops were unrolled");
  const gboolean flagged
      = append_flags (record, yes ? ", and the program " : ", but the program ", out);
  if (rsp_record_is_undefined (record) && !yes)
    g_string_append_printf (out, "%s undefined: anything may happen",
                            flagged ? " and is" : ", but the program is");
  const RspMachineReport *machine = &record->machine;
  if (machine->verdict != RSP_UNJUDGED)
    g_string_append_printf (out, "; %s under %s", rsp_soundness_names[machine->verdict],
                            machine->allowed_by);
}

static void append_sentence (const RspRecord *record, gboolean repeats, GString *out) {
  if (rsp_record_is_left_out (record))
    g_string_append (out, "left out");
  else if (!rsp_record_is_ok (record))
    g_string_append_printf (out, "no answer (%s)", record->reason);
  else if (record->is_kernel) {
    g_string_append (out, record->test);
    if (!append_flags (record, " ", out))
      g_string_append (out, " has no findings");
    g_string_append_printf (out, " under %s", record->model);
  } else {
    g_autofree char *words = record->condition ? condition_in_words (record->condition) : NULL;
    append_answer (record, repeats ? NULL : words ? words : " as the condition asks", out);
  }
}

char *rsp_record_sentence (const RspRecord *record) {
  GString *out = g_string_new (NULL);
  append_sentence (record, FALSE, out);
  return g_string_free (out, FALSE);
}

char *rsp_records_sentences (const RspRecord *const *records, guint n) {
  GString *out = g_string_new (NULL);
  const char *question = NULL;
  for (guint i = 0; i < n; i++) {
    g_string_append_printf (out, "%s%s: ", i ? ". " : "", records[i]->model);
    append_sentence (records[i], g_strcmp0 (question, records[i]->condition) == 0 && question, out);
    question = rsp_record_is_ok (records[i]) ? records[i]->condition : question;
  }
  g_string_append_c (out, '.');
  return g_string_free (out, FALSE);
}

/* ---- Options ---- */
static void append_words (GString *text, const char *what, const char *const *words) {
  for (guint i = 0; words && words[i]; i++)
    g_string_append_printf (text, " %s=%s", what, words[i]);
}

char *rsp_options_format (const RspCheckOptions *options, const char *const *variants) {
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "unroll=%u engine=%s through=%s speedcheck=%s outcomereads=%s",
                          options->unroll, rsp_engine_names[options->engine],
                          rsp_through_names[options->through], rsp_speed_names[options->speedcheck],
                          options->outcome_reads ? "true" : "false");
  if (options->spin == RSPCHECK_SPIN_LAST)
    g_string_append (text, " spin=last");
  if (options->timeout > 0)
    g_string_append_printf (text, " timeout=%g", options->timeout);
  if (options->max_executions)
    g_string_append_printf (text, " max-executions=%" G_GUINT64_FORMAT, options->max_executions);
  if (options->max_memory)
    g_string_append_printf (text, " max-memory=%" G_GSIZE_FORMAT, options->max_memory);
  append_words (text, "variant", variants);
  append_words (text, "skipcheck", options->skipped_checks);
  return g_string_free (text, FALSE);
}
