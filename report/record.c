#include "report/record.h"
#include "parser/format.h"
#include "parser/hash.h"
#include "parser/scopes.h"

#include "enumerator/terms/value.h"

#include <string.h>

enum {
  FEW_STATES = 64,
  MORE_TEXTS = 1 << 16 /* bytes allocated at a time for the texts of further states */
};

const char *const rsp_status_names[] = { "ok", "timeout", "executions", "memory", "error", NULL };

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

static void clear_machine (RspMachineReport *report) {
  char *texts[]
      = { report->machine,  report->mapping,       report->readings,       report->allowed_by,
          report->unsound,  report->trace,         report->deadlock_trace, report->bill,
          report->violated, report->violated_trace };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
}

void rsp_record_free (RspRecord *record) {
  if (!record)
    return;
  char *texts[] = { record->test,      record->path,        record->model,  record->model_digest,
                    record->options,   record->version,     record->reason, record->kind,
                    record->condition, record->source,      record->hash,   record->scope_hash,
                    record->scopes,    record->log,         record->device, record->compiler,
                    record->setup,     record->explanation, record->shard,  record->candidates,
                    record->progress,  record->schedule,    record->arrays };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
  clear_machine (&record->machine);
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

/* Most records are small, and many of them are kept; in a large one, each text would be an
 * allocation of its own. */
static GStringChunk *texts_of_states (RspRecord *record) {
  if (record->states->len < FEW_STATES)
    return record->texts;
  if (!record->more)
    record->more = g_string_chunk_new (MORE_TEXTS);
  return record->more;
}

static void append_state (RspRecord *record, const RspRecordState *state, gsize length) {
  RspRecordState own = *state;
  own.text = g_string_chunk_insert_len (texts_of_states (record), state->text, (gssize) length);
  own.length = (guint) length;
  g_array_append_val (record->states, own);
}

void rsp_record_add_state (RspRecord *record, const RspRecordState *state) {
  append_state (record, state, strlen (state->text));
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
  set_text (&record->source, g_strndup (source->text, source->length));
  set_text (&record->hash, rsp_program_hash (program));
  set_text (&record->scope_hash, rsp_program_scope_hash (program));
  if (program->language->scoped)
    set_text (&record->scopes, rsp_program_format_scopes (program));
}

static void copy_text (char **field, const char *valid) {
  g_free (*field);
  *field = g_strdup (valid);
}

void rsp_record_set_program_of (RspRecord *record, const RspRecord *other) {
  copy_text (&record->test, other->test);
  copy_text (&record->source, other->source);
  copy_text (&record->hash, other->hash);
  copy_text (&record->scope_hash, other->scope_hash);
  copy_text (&record->scopes, other->scopes);
}

void rsp_record_set_question (RspRecord *record, const RspProgram *program) {
  set_text (&record->kind, g_strdup (rsp_quantifier_kind (program->quantifier)));
  set_text (&record->condition, rsp_program_format_condition (program));
}

static RspStatus status_of (RspcheckStop stop) {
  switch (stop) {
  case RSPCHECK_STOP_COMPLETE:
  case RSPCHECK_STOP_FOUND:
    return RSP_STATUS_OK;
  case RSPCHECK_STOP_TIMEOUT:
    return RSP_STATUS_TIMEOUT;
  case RSPCHECK_STOP_EXECUTIONS:
    return RSP_STATUS_EXECUTIONS;
  case RSPCHECK_STOP_MEMORY:
    return RSP_STATUS_MEMORY;
  case RSPCHECK_STOP_ERROR:
    break;
  }
  return RSP_STATUS_ERROR;
}

/* A printed observable, in the text of states. */
typedef struct Place {
  const char *name;
  gsize length; /* of its name */
  const RspType *type;
  gsize end; /* of its value in the last state */
} Place;

/* The text of states, of which each is made from the one before. */
typedef struct Texts {
  const RspOutcome *outcome;
  GString *text;
  Place *places;
} Texts;

static void begin_texts (Texts *texts, const RspOutcome *outcome) {
  *texts = (Texts){ .outcome = outcome,
                    .text = g_string_new (NULL),
                    .places = g_new (Place, outcome->n_printed + 1) };
  for (guint k = 0; k < outcome->n_printed; k++) {
    const RspObservable *observable = &outcome->program->observables[outcome->printed[k]];
    texts->places[k] = (Place){ .name = observable->name,
                                .length = strlen (observable->name),
                                .type = rsp_observable_type (outcome->program, observable) };
  }
}

static void end_texts (Texts *texts) {
  g_string_free (texts->text, TRUE);
  g_free (texts->places);
}

/* The number of first values that a state shares with the one before. */
static guint common_values (const RspOutcome *outcome, const RspStateCount *state) {
  const guint32 *own = rsp_outcome_numbers (outcome, state);
  const guint32 *other = rsp_outcome_numbers (outcome, state - 1);
  guint k = 0;
  while (k < outcome->n_printed && own[k] == other[k])
    k++;
  return k;
}

/* "0:r0=0; x=1;". The text that a state shares with the one before stays, which is most of it,
 * since states are sorted. */
static void format_state (Texts *texts, const RspStateCount *state) {
  const RspOutcome *outcome = texts->outcome;
  gboolean is_first = state == outcome->states;
  guint first = is_first || state->reads ? 0 : common_values (outcome, state);
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
  if (state->reads && *state->reads)
    g_string_append_printf (texts->text, "%s%s", outcome->n_printed ? " " : "", state->reads);
}

static char *arrays_of (const RspOutcome *outcome) {
  GString *names = g_string_new (NULL);
  const char *last = NULL;
  for (guint k = 0; k < outcome->n_printed; k++) {
    const char *array = outcome->program->observables[outcome->printed[k]].array;
    if (array && array != last)
      g_string_append_printf (names, "%s%s", names->len ? " " : "", array);
    last = array;
  }
  return g_string_free (names, !names->len);
}

static void add_states (RspRecord *record, const RspOutcome *outcome) {
  set_text (&record->arrays, arrays_of (outcome));
  Texts texts;
  begin_texts (&texts, outcome);
  for (guint i = 0; i < outcome->n_states; i++) {
    const RspStateCount *state = &outcome->states[i];
    format_state (&texts, state);
    RspRecordState own = { .text = texts.text->str,
                           .satisfies = state->satisfies,
                           .undetermined = state->undetermined,
                           .executions = state->executions,
                           .n_undefined = state->n_undefined };
    append_state (record, &own, texts.text->len);
  }
  end_texts (&texts);
}

static void add_answer (RspRecord *record, const RspOutcome *outcome, const RspVerdict *verdict,
                        gboolean hurried) {
  if (verdict->finished) {
    record->observation = verdict->observation;
    record->answer = verdict->ok;
  }
  record->loop = verdict->loop;
  /* A hurried check that found nothing undefined does not prove that there is nothing. */
  record->has_undefined = outcome->has_undefined && (outcome->n_undefined || !hurried);
  record->positive = outcome->positive;
  record->negative = outcome->negative;
  record->undetermined = outcome->undetermined;
  record->n_undefined = outcome->n_undefined;
  g_autofree const char **flags = rsp_outcome_flags (outcome);
  for (guint i = 0; flags[i]; i++)
    rsp_record_add_flag (record, flags[i]);
  add_states (record, outcome);
}

void rsp_record_set_outcome (RspRecord *record, const RspOutcome *outcome,
                             const RspCheckOptions *options) {
  g_auto (RspVerdict) verdict = { 0 };
  rsp_verdict_init (&verdict, outcome, options);
  RspStatus status = status_of (outcome->stop);
  record->status = status == RSP_STATUS_OK && !verdict.finished ? RSP_STATUS_ERROR : status;
  rsp_record_set_question (record, outcome->program);
  set_text (&record->reason, g_strdup (verdict.reason));
  add_answer (record, outcome, &verdict, options->speedcheck != RSPCHECK_SPEED_EXACT);
  record->statistics = outcome->statistics;
  g_array_set_size (record->prunings, outcome->n_prunings);
  for (guint i = 0; i < outcome->n_prunings; i++)
    g_array_index (record->prunings, RspPruning, i) = own_pruning (record, &outcome->prunings[i]);
}

/* ---- Attempt ---- */

gboolean rsp_record_is_ok (const RspRecord *record) { return record->status == RSP_STATUS_OK; }

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
