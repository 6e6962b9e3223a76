/* The functions of rspcheck.h: handles of results, and what they let callers see. */
#include "api/api.h"
#include "api/internal.h"
#include "model/model.h"
#include "model/warn/warn.h"
#include "parser/litmus/litmus.h"
#include "parser/program.h"
#include "report/report.h"
#include "rspcheck-execution.h"
#include "rspcheck-explanation.h"
#include "rspcheck-model.h"
#include "rspcheck-options.h"
#include "rspcheck-result.h"
#include "rspcheck-test.h"
#include "rspcheck.h"

#include <string.h>

typedef struct ApiHandle {
  gatomicrefcount references;
  RspcheckResult *result;
  gconstpointer value;
} ApiHandle;

/* NULL if value is NULL. */
static gpointer api_handle_new (const RspcheckResult *result, gconstpointer value);
static void api_handle_unref (gpointer handle);

/* The function name_ref of a type that counts its references. */
#define API_REF(Type, name)                                                                        \
  Type *name##_ref (Type *self) {                                                                  \
    g_return_val_if_fail (self != NULL, NULL);                                                     \
    g_atomic_ref_count_inc (&self->references);                                                    \
    return self;                                                                                   \
  }

/* The public type `Type`, a handle of `const Inner *`: its boxed type and the functions name_ref
 * and name_unref. */
#define API_HANDLE(Type, name, Inner)                                                              \
  struct Type {                                                                                    \
    gatomicrefcount references;                                                                    \
    RspcheckResult *result;                                                                        \
    const Inner *value;                                                                            \
  };                                                                                               \
  G_STATIC_ASSERT (sizeof (struct Type) == sizeof (ApiHandle));                                    \
  G_DEFINE_BOXED_TYPE (Type, name, name##_ref, name##_unref)                                       \
  API_REF (Type, name)                                                                             \
  void name##_unref (Type *self) {                                                                 \
    if (self)                                                                                      \
      api_handle_unref (self);                                                                     \
  }

/* Functions of such a type. FIELD: a field of the value; LIST: a copy of a list of strings;
 * PARTS: the number of parts, and part i as a handle of its own. */
#define API_FIELD(Type, name, what, Result, otherwise, expression)                                 \
  Result name##_##what (const Type *self) {                                                        \
    g_return_val_if_fail (self != NULL, otherwise);                                                \
    return expression;                                                                             \
  }
#define API_LIST(Type, name, what, field)                                                          \
  char **name##_##what (const Type *self) {                                                        \
    g_return_val_if_fail (self != NULL, NULL);                                                     \
    return api_copy_list (self->value->field);                                                     \
  }
#define API_PARTS_OF(Type, name, n_what, n, what, Part, result, part)                              \
  API_FIELD (Type, name, n_what, guint, 0, n)                                                      \
  Part *name##_##what (const Type *self, guint i) {                                                \
    g_return_val_if_fail (self != NULL && i < (n), NULL);                                          \
    return api_handle_new (result, part);                                                          \
  }
#define API_PARTS(Type, name, n_what, n, what, Part, part)                                         \
  API_PARTS_OF (Type, name, n_what, n, what, Part, self->result, part)

/* A copy of a NULL-terminated list, which may be NULL for an empty one. */
static char **api_copy_list (const char *const *list);

/* ---- Handle --------------------------------------------------------------------------------- */

/* Counted references to results, and to what they hold: explanations, executions, their parts. All
 * of these are alike: the value lives in the result's record, and the handle keeps the result. */

G_DEFINE_BOXED_TYPE (RspcheckResult, rspcheck_result, rspcheck_result_ref, rspcheck_result_unref)

API_REF (RspcheckResult, rspcheck_result)

void rspcheck_result_unref (RspcheckResult *result) {
  if (!result || !g_atomic_ref_count_dec (&result->references))
    return;
  g_array_unref (result->flag_events);
  g_ptr_array_unref (result->flags);
  rsp_record_free (result->record);
  g_free (result);
}

static gpointer api_handle_new (const RspcheckResult *result, gconstpointer value) {
  if (!value)
    return NULL;
  ApiHandle *handle = g_new (ApiHandle, 1);
  g_atomic_ref_count_init (&handle->references);
  handle->result = rspcheck_result_ref ((RspcheckResult *) result);
  handle->value = value;
  return handle;
}

static void api_handle_unref (gpointer handle) {
  ApiHandle *self = handle;
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  rspcheck_result_unref (self->result);
  g_free (self);
}

static char **api_copy_list (const char *const *list) {
  static const char *const none[] = { NULL };
  return g_strdupv ((char **) (list ? list : none));
}

/* Appends the diagnostics to messages, unless that is NULL. */
static void api_append_messages (RspDiagnostics *diagnostics, GString *messages) {
  for (guint i = 0; messages && i < rsp_diagnostics_count (diagnostics); i++)
    rsp_diagnostic_format (rsp_diagnostics_get (diagnostics, i), FALSE, messages);
}

/* ---- Rspcheck ------------------------------------------------------------------------------- */

const char *rspcheck_version (void) { return RSP_VERSION; }

/* ---- Rspcheck-execution --------------------------------------------------------------------- */

API_HANDLE (RspcheckEvent, rspcheck_event, RspViewEvent)

API_HANDLE (RspcheckRelation, rspcheck_relation, RspViewRelation)

API_HANDLE (RspcheckExecution, rspcheck_execution, RspExecutionView)

/* ---- Executions ---- */
API_PARTS (RspcheckExecution, rspcheck_execution, n_events, self->value->n, event, RspcheckEvent,
           &self->value->events[i])

API_PARTS (RspcheckExecution, rspcheck_execution, n_relations, self->value->n_relations, relation,
           RspcheckRelation, &self->value->relations[i])

API_LIST (RspcheckExecution, rspcheck_execution, failed, failed)

API_LIST (RspcheckExecution, rspcheck_execution, raised, raised)

/* The relations that a `show` names come last: a relation with its own name precedes them. */
RspcheckRelation *rspcheck_execution_find_relation (const RspcheckExecution *execution,
                                                    const char *name) {
  g_return_val_if_fail (execution != NULL && name != NULL, NULL);
  const RspExecutionView *view = execution->value;
  for (guint i = 0; i < view->n_relations; i++)
    if (g_str_equal (view->relations[i].name, name))
      return api_handle_new (execution->result, &view->relations[i]);
  return NULL;
}

/* Every second string of the state, which is name, value, name, value, … */
static char **half_of_state (const RspExecutionView *view, guint first) {
  GPtrArray *half = g_ptr_array_new ();
  for (guint i = 0; view->state && view->state[i]; i += 2)
    g_ptr_array_add (half, g_strdup (view->state[i + first]));
  g_ptr_array_add (half, NULL);
  return (char **) g_ptr_array_free (half, FALSE);
}

API_FIELD (RspcheckExecution, rspcheck_execution, state_names, char **, NULL,
           half_of_state (self->value, 0))

API_FIELD (RspcheckExecution, rspcheck_execution, state_values, char **, NULL,
           half_of_state (self->value, 1))

char *rspcheck_execution_text (const RspcheckExecution *execution) {
  g_return_val_if_fail (execution != NULL, NULL);
  GString *text = g_string_new (NULL);
  rsp_view_format (execution->value, text);
  return g_string_free (text, FALSE);
}

char *rspcheck_execution_dot (const RspcheckExecution *execution, const char *title) {
  static const RspGraphOptions none;
  g_return_val_if_fail (execution != NULL, NULL);
  GString *text = g_string_new (NULL);
  rsp_graph_format (execution->value, title ? title : "", NULL, 0, &none, text);
  return g_string_free (text, FALSE);
}

/* ---- Events ---- */
#define EVENT_TEXT(what)                                                                           \
  API_FIELD (RspcheckEvent, rspcheck_event, what, const char *, NULL, self->value->what)

EVENT_TEXT (id)

EVENT_TEXT (source)

EVENT_TEXT (text)

EVENT_TEXT (location)

EVENT_TEXT (read)

EVENT_TEXT (written)

API_FIELD (RspcheckEvent, rspcheck_event, thread, int, -1,
           self->value->thread == RSP_VIEW_INITIAL ? -1 : (int) self->value->thread)

API_FIELD (RspcheckEvent, rspcheck_event, line, guint, 0, self->value->line)

API_FIELD (RspcheckEvent, rspcheck_event, column, guint, 0, self->value->column)

API_LIST (RspcheckEvent, rspcheck_event, sets, sets)

/* ---- Relations ---- */
API_FIELD (RspcheckRelation, rspcheck_relation, name, const char *, NULL, self->value->name)

API_FIELD (RspcheckRelation, rspcheck_relation, is_set, gboolean, FALSE, self->value->is_set)

API_FIELD (RspcheckRelation, rspcheck_relation, is_defined, gboolean, FALSE,
           self->value->kind != RSP_VIEW_BASE)

gboolean rspcheck_relation_holds (const RspcheckRelation *relation, guint from, guint to) {
  g_return_val_if_fail (relation != NULL, FALSE);
  const RspMatrix *pairs = relation->value->pairs;
  g_return_val_if_fail (from < pairs->n && to < pairs->n, FALSE);
  return rsp_matrix_get (pairs, from, to);
}

guint *rspcheck_relation_pairs (const RspcheckRelation *relation, gsize *n) {
  g_return_val_if_fail (relation != NULL && n != NULL, NULL);
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < relation->value->pairs->n; i++)
    for (guint k = 0; k < relation->value->pairs->n; k++)
      if (rspcheck_relation_holds (relation, i, k))
        g_array_append_vals (pairs, (guint[]){ i, k }, 2);
  *n = pairs->len;
  return (guint *) g_array_free (pairs, FALSE);
}

/* ---- Rspcheck-explanation ------------------------------------------------------------------- */

API_HANDLE (RspcheckExplanation, rspcheck_explanation, RspExplanation)

API_HANDLE (RspcheckBlame, rspcheck_blame, RspBlame)

API_HANDLE (RspcheckViolation, rspcheck_violation, RspViolation)

API_HANDLE (RspcheckStep, rspcheck_step, RspStep)

API_HANDLE (RspcheckFlagReason, rspcheck_flag_reason, RspFlagReason)

/* ---- Explanations of an outcome ---- */
API_FIELD (RspcheckExplanation, rspcheck_explanation, question, const char *, NULL,
           self->value->question)

API_FIELD (RspcheckExplanation, rspcheck_explanation, answer, RspcheckAnswer,
           RSPCHECK_ANSWER_UNKNOWN, self->value->answer)

API_LIST (RspcheckExplanation, rspcheck_explanation, reasons, reasons)

API_FIELD (RspcheckExplanation, rspcheck_explanation, witness, RspcheckExecution *, NULL,
           api_handle_new (self->result, self->value->witness))

API_PARTS (RspcheckExplanation, rspcheck_explanation, n_steps, self->value->n_steps, step,
           RspcheckStep, self->value->steps[i])

API_PARTS (RspcheckExplanation, rspcheck_explanation, n_blames, self->value->n_blames, blame,
           RspcheckBlame, &self->value->blames[i])

API_FIELD (RspcheckExplanation, rspcheck_explanation, has_more, gboolean, FALSE,
           self->value->more_blames)

/* ---- Blame and violations ---- */
API_LIST (RspcheckBlame, rspcheck_blame, axioms, axioms)

API_FIELD (RspcheckBlame, rspcheck_blame, candidates, guint64, 0, self->value->candidates)

API_FIELD (RspcheckBlame, rspcheck_blame, execution, RspcheckExecution *, NULL,
           api_handle_new (self->result, self->value->execution))

API_PARTS (RspcheckBlame, rspcheck_blame, n_violations, self->value->n_violations, violation,
           RspcheckViolation, &self->value->violations[i])

API_FIELD (RspcheckViolation, rspcheck_violation, axiom, const char *, NULL, self->value->axiom)

API_FIELD (RspcheckViolation, rspcheck_violation, kind, RspcheckAxiomKind, RSPCHECK_AXIOM_ACYCLIC,
           self->value->kind)

API_FIELD (RspcheckViolation, rspcheck_violation, is_negated, gboolean, FALSE, self->value->negated)

API_FIELD (RspcheckViolation, rspcheck_violation, relation, const char *, NULL,
           self->value->relation)

API_FIELD (RspcheckViolation, rspcheck_violation, file, const char *, NULL, self->value->file)

API_FIELD (RspcheckViolation, rspcheck_violation, line, guint, 0, self->value->line)

API_PARTS (RspcheckViolation, rspcheck_violation, n_steps, self->value->n_steps, step, RspcheckStep,
           self->value->steps[i])

/* ---- Steps ---- */
API_FIELD (RspcheckStep, rspcheck_step, start, guint, 0, self->value->from)

API_FIELD (RspcheckStep, rspcheck_step, end, guint, 0, self->value->to)

API_FIELD (RspcheckStep, rspcheck_step, relation, const char *, NULL, self->value->relation)

API_FIELD (RspcheckStep, rspcheck_step, is_set, gboolean, FALSE, self->value->is_set)

API_FIELD (RspcheckStep, rspcheck_step, is_absent, gboolean, FALSE, self->value->absent)

API_FIELD (RspcheckStep, rspcheck_step, operator, const char *, NULL,
           rsp_trace_op_name (self->value->as))

API_PARTS (RspcheckStep, rspcheck_step, n_steps, self->value->n_steps, step, RspcheckStep,
           self->value->steps[i])

/* ---- Flags ---- */
API_FIELD (RspcheckFlagReason, rspcheck_flag_reason, flag, const char *, NULL, self->value->flag)

API_FIELD (RspcheckFlagReason, rspcheck_flag_reason, is_undefined, gboolean, FALSE,
           self->value->undefined)

API_FIELD (RspcheckFlagReason, rspcheck_flag_reason, execution, RspcheckExecution *, NULL,
           api_handle_new (self->result, self->value->execution))

API_PARTS (RspcheckFlagReason, rspcheck_flag_reason, n_steps, self->value->n_steps, step,
           RspcheckStep, self->value->steps[i])

API_PARTS (RspcheckFlagReason, rspcheck_flag_reason, n_absent, self->value->n_absent, absent,
           RspcheckStep, self->value->absent[i])

gboolean rspcheck_flag_reason_pair (const RspcheckFlagReason *reason, guint *from, guint *to) {
  g_return_val_if_fail (reason != NULL, FALSE);
  if (reason->value->from == G_MAXUINT)
    return FALSE;
  if (from)
    *from = reason->value->from;
  if (to)
    *to = reason->value->to;
  return TRUE;
}

/* ---- Rspcheck-model ------------------------------------------------------------------------- */

struct RspcheckAxiom {
  gatomicrefcount references;
  RspcheckModel *model;
  const RspModelAxiom *axiom; /* the model's */
};

G_DEFINE_BOXED_TYPE (RspcheckModel, rspcheck_model, rspcheck_model_ref, rspcheck_model_unref)

G_DEFINE_BOXED_TYPE (RspcheckAxiom, rspcheck_axiom, rspcheck_axiom_ref, rspcheck_axiom_unref)

/* ---- Finding and reading them ---- */
const char *rspcheck_model_directory (void) { return rsp_model_directory (); }

char **rspcheck_model_directories (const char *const *first, const char *test) {
  return rsp_directories ("cat", first, test);
}

RspcheckModel *rspcheck_model_load (const char *path, const char *const *directories,
                                    const char *const *variants, GString *messages) {
  static const char *const none[] = { NULL };
  g_return_val_if_fail (path != NULL, NULL);
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_auto (GStrv) usual = directories ? NULL : rsp_directories ("cat", NULL, NULL);
  RspModel *inner = rsp_model_load (path, directories ? directories : (const char *const *) usual,
                                    variants ? variants : none, diagnostics);
  api_append_messages (diagnostics, messages);
  if (!inner)
    return NULL;
  RspcheckModel *model = g_new0 (RspcheckModel, 1);
  g_atomic_ref_count_init (&model->references);
  model->model = inner;
  model->axioms = rsp_model_axioms (inner);
  return model;
}

API_REF (RspcheckModel, rspcheck_model)

void rspcheck_model_unref (RspcheckModel *model) {
  if (!model || !g_atomic_ref_count_dec (&model->references))
    return;
  g_array_unref (model->axioms);
  rsp_model_free (model->model);
  g_free (model);
}

/* ---- What they say ---- */
API_FIELD (RspcheckModel, rspcheck_model, name, const char *, NULL, self->model->name)

API_FIELD (RspcheckModel, rspcheck_model, path, const char *, NULL, self->model->path)

API_FIELD (RspcheckModel, rspcheck_model, digest, const char *, NULL, self->model->digest)

API_FIELD (RspcheckModel, rspcheck_model, n_axioms, guint, 0, self->axioms->len)

RspcheckAxiom *rspcheck_model_axiom (const RspcheckModel *model, guint i) {
  g_return_val_if_fail (model != NULL && i < model->axioms->len, NULL);
  RspcheckAxiom *axiom = g_new (RspcheckAxiom, 1);
  g_atomic_ref_count_init (&axiom->references);
  axiom->model = rspcheck_model_ref ((RspcheckModel *) model);
  axiom->axiom = &g_array_index (model->axioms, RspModelAxiom, i);
  return axiom;
}

char **rspcheck_model_flags (const RspcheckModel *model) {
  g_return_val_if_fail (model != NULL, NULL);
  GPtrArray *flags = g_ptr_array_new ();
  for (guint i = 0; i < model->axioms->len; i++) {
    const char *flag = g_array_index (model->axioms, RspModelAxiom, i).flag;
    if (flag && !g_ptr_array_find_with_equal_func (flags, flag, g_str_equal, NULL))
      g_ptr_array_add (flags, g_strdup (flag));
  }
  g_ptr_array_add (flags, NULL);
  return (char **) g_ptr_array_free (flags, FALSE);
}

guint rspcheck_model_warn (const RspcheckModel *model, GString *messages) {
  g_return_val_if_fail (model != NULL, 0);
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  rsp_model_warn (model->model, 0, NULL, diagnostics);
  guint n = rsp_diagnostics_count (diagnostics);
  api_append_messages (diagnostics, messages);
  return n;
}

/* ---- Axioms ---- */
API_REF (RspcheckAxiom, rspcheck_axiom)

void rspcheck_axiom_unref (RspcheckAxiom *axiom) {
  if (!axiom || !g_atomic_ref_count_dec (&axiom->references))
    return;
  rspcheck_model_unref (axiom->model);
  g_free (axiom);
}

#define AXIOM_FIELD(what, Result, otherwise, field)                                                \
  API_FIELD (RspcheckAxiom, rspcheck_axiom, what, Result, otherwise, self->axiom->field)

AXIOM_FIELD (name, const char *, NULL, id)

AXIOM_FIELD (flag, const char *, NULL, flag)

AXIOM_FIELD (kind, RspcheckAxiomKind, RSPCHECK_AXIOM_ACYCLIC, kind)

AXIOM_FIELD (role, RspcheckAxiomRole, RSPCHECK_ROLE_AXIOM, role)

AXIOM_FIELD (is_negated, gboolean, FALSE, negated)

AXIOM_FIELD (expression, const char *, NULL, expression)

AXIOM_FIELD (file, const char *, NULL, file)

AXIOM_FIELD (line, guint, 0, line)

/* ---- Rspcheck-options ----------------------------------------------------------------------- */

#define MARK G_GUINT64_CONSTANT (0x7273706f7074f102) /* in options that were initialised */

G_DEFINE_BOXED_TYPE (RspcheckOptions, rspcheck_options, rspcheck_options_copy,
                     rspcheck_options_free)

void rspcheck_options_init (RspcheckOptions *options) {
  g_return_if_fail (options != NULL);
  RspCheckOptions inner;
  rsp_check_options_init (&inner);
  *options = (RspcheckOptions){
    .engine = inner.engine, .unroll = inner.unroll, .jobs = inner.jobs, .mark = MARK
  };
}

/* A critical message names the function that was called. */
#define is_set_up(options) ((options) != NULL && (options)->mark == MARK)

RspcheckOptions *rspcheck_options_new (void) {
  RspcheckOptions *options = g_new (RspcheckOptions, 1);
  rspcheck_options_init (options);
  return options;
}

RspcheckOptions *rspcheck_options_copy (const RspcheckOptions *options) {
  g_return_val_if_fail (is_set_up (options), NULL);
  RspcheckOptions *copy = g_memdup2 (options, sizeof *options);
  copy->owned = NULL;
  rspcheck_options_skip (copy, options->skipped_checks);
  return copy;
}

void rspcheck_options_free (RspcheckOptions *options) {
  if (!options)
    return;
  g_return_if_fail (is_set_up (options));
  g_strfreev (options->owned);
  g_free (options);
}

void rspcheck_options_skip (RspcheckOptions *options, const char *const *checks) {
  g_return_if_fail (is_set_up (options));
  char **copy = g_strdupv ((char **) checks);
  g_strfreev (options->owned);
  options->owned = copy;
  options->skipped_checks = (const char *const *) copy;
}

void rspcheck_options_clear (RspcheckOptions *options) {
  g_return_if_fail (is_set_up (options));
  g_strfreev (options->owned);
  rspcheck_options_init (options);
}

/* Are these options that were set up, with values in range? A critical message otherwise. */
static gboolean api_options_are_valid (const RspcheckOptions *options) {
  g_return_val_if_fail (is_set_up (options), FALSE);
  g_return_val_if_fail ((guint) options->engine <= RSPCHECK_ENGINE_AUTO, FALSE);
  g_return_val_if_fail ((guint) options->through <= RSPCHECK_THROUGH_ALL, FALSE);
  g_return_val_if_fail ((guint) options->speed <= RSPCHECK_SPEED_FAST, FALSE);
  g_return_val_if_fail ((guint) options->cas_writeback <= RSPCHECK_CAS_WRITEBACK_NEVER, FALSE);
  g_return_val_if_fail ((guint) options->spin <= RSPCHECK_SPIN_LAST, FALSE);
  g_return_val_if_fail (options->timeout >= 0, FALSE);
  g_return_val_if_fail (options->jobs > 0, FALSE);
  return TRUE;
}

/* ---- Rspcheck-result ------------------------------------------------------------------------ */

/* ---- Checking ---- */
static void translate_options (const RspcheckOptions *options, RspRunOptions *run) {
  rsp_check_options_init (&run->check);
  run->check.attribute = TRUE; /* for rspcheck_result_json */
  if (!options)
    return;
  run->evidence = options->evidence;
  run->check.engine = options->engine;
  run->check.through = options->through;
  run->check.speedcheck = options->speed;
  run->check.unroll = options->unroll;
  run->check.cas_writeback = options->cas_writeback;
  run->check.no_thin_air = options->no_thin_air;
  run->check.spin = options->spin;
  run->check.outcome_reads = options->outcome_reads;
  run->check.timeout = options->timeout;
  run->check.max_executions = options->max_executions;
  run->check.max_memory = options->max_memory;
  run->check.jobs = options->jobs;
  run->check.skipped_checks = options->skipped_checks;
}

/* The record's evidence as events. */
static GArray *flag_events (const RspRecord *record) {
  GArray *events = g_array_new (FALSE, FALSE, sizeof (RspViewEvent));
  for (guint i = 0; i < record->evidence->len; i++) {
    const RspRecordEvent *event = &g_array_index (record->evidence, RspRecordEvent, i);
    RspViewEvent view
        = { .thread = event->thread == RSP_NO_THREAD ? RSP_VIEW_INITIAL : event->thread,
            .line = event->line,
            .column = event->column,
            .source = event->text };
    g_array_append_val (events, view);
  }
  return events;
}

static RspcheckResult *run (const RspcheckTest *test, const RspcheckModel *model,
                            const RspcheckOptions *options, RspRunOptions *run, GString *messages) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspcheckResult *result = g_new0 (RspcheckResult, 1);
  g_atomic_ref_count_init (&result->references);
  translate_options (options, run);
  result->record
      = rsp_run_begin (test->program, test->program->source->name, model->model->name, NULL);
  result->record->model_digest = g_strdup (model->model->digest);
  result->record->options
      = rsp_run_options_format (run, (const char *const *) model->model->variants);
  result->stop = rsp_run (test->program, model->model, run, result->record, diagnostics);
  result->flags = g_ptr_array_copy (result->record->flags, NULL, NULL);
  g_ptr_array_add (result->flags, NULL);
  result->flag_events = flag_events (result->record);
  api_append_messages (diagnostics, messages);
  return result;
}

RspcheckResult *rspcheck_check (const RspcheckTest *test, const RspcheckModel *model,
                                const RspcheckOptions *options, GString *messages) {
  g_return_val_if_fail (test != NULL && model != NULL, NULL);
  if (options && !api_options_are_valid (options))
    return NULL;
  return run (test, model, options, &(RspRunOptions){ 0 }, messages);
}

RspcheckResult *rspcheck_explain (const RspcheckTest *test, const RspcheckModel *model,
                                  const RspcheckOptions *options, const char *const *outcomes,
                                  GString *messages) {
  g_return_val_if_fail (test != NULL && model != NULL, NULL);
  if (options && !api_options_are_valid (options))
    return NULL;
  RspRunOptions explaining = { .explain = TRUE, .outcomes = outcomes };
  return run (test, model, options, &explaining, messages);
}

RspcheckResult *rspcheck_show (const RspcheckTest *test, const RspcheckModel *model,
                               const RspcheckOptions *options, RspcheckShow show, guint most,
                               GString *messages) {
  g_return_val_if_fail (test != NULL && model != NULL, NULL);
  g_return_val_if_fail ((guint) show <= RSPCHECK_SHOW_FLAG, NULL);
  if (options && !api_options_are_valid (options))
    return NULL;
  RspRunOptions showing = { .show = show, .most_shown = most };
  return run (test, model, options, &showing, messages);
}

/* ---- The answer ---- */
#define RESULT_FIELD(what, Result, otherwise, expression)                                          \
  API_FIELD (RspcheckResult, rspcheck_result, what, Result, otherwise, expression)

RESULT_FIELD (stop, RspcheckStop, RSPCHECK_STOP_ERROR, self->stop)

RESULT_FIELD (reason, const char *, NULL, self->record->reason)

RESULT_FIELD (ok, gboolean, FALSE, self->record->answer)

RESULT_FIELD (observation, RspcheckObservation, RSPCHECK_NEVER, self->record->observation)

RESULT_FIELD (is_bounded, gboolean, FALSE, self->record->loop)

RESULT_FIELD (is_undefined, gboolean, FALSE, rsp_record_is_undefined (self->record))

RESULT_FIELD (seconds, double, 0, self->record->seconds)

static guint64 clamp_count (RspCount count) {
  return count > G_MAXUINT64 ? G_MAXUINT64 : (guint64) count;
}

void rspcheck_result_counts (const RspcheckResult *result, guint64 *positive, guint64 *negative,
                             guint64 *undefined) {
  g_return_if_fail (result != NULL);
  if (positive)
    *positive = clamp_count (result->record->positive);
  if (negative)
    *negative = clamp_count (result->record->negative);
  if (undefined)
    *undefined = clamp_count (result->record->n_undefined);
}

RESULT_FIELD (n_undetermined, guint64, 0, clamp_count (self->record->undetermined))

/* ---- Flags ---- */
RESULT_FIELD (flags, const char *const *, NULL, (const char *const *) self->flags->pdata)

/* Event number i of the flag; NULL beyond the last one. *n, unless n is NULL, receives the
 * number of events. */
static const RspViewEvent *find_flag_event (const RspcheckResult *result, const char *flag, guint i,
                                            guint *n) {
  const RspViewEvent *found = NULL;
  guint seen = 0;
  for (guint k = 0; k < result->flag_events->len; k++)
    if (g_str_equal (g_array_index (result->record->evidence, RspRecordEvent, k).flag, flag)
        && seen++ == i)
      found = &g_array_index (result->flag_events, RspViewEvent, k);
  *n = seen;
  return found;
}

guint rspcheck_result_n_flag_events (const RspcheckResult *result, const char *flag) {
  guint n;
  g_return_val_if_fail (result != NULL && flag != NULL, 0);
  find_flag_event (result, flag, 0, &n);
  return n;
}

RspcheckEvent *rspcheck_result_flag_event (const RspcheckResult *result, const char *flag,
                                           guint i) {
  guint n;
  g_return_val_if_fail (result != NULL && flag != NULL, NULL);
  const RspViewEvent *event = find_flag_event (result, flag, i, &n);
  g_return_val_if_fail (i < n, NULL);
  return api_handle_new (result, event);
}

/* ---- Final states ---- */
RESULT_FIELD (n_states, guint, 0, self->record->states->len)

#define STATE_FIELD(what, Result, otherwise, expression)                                           \
  Result rspcheck_result_state##what (const RspcheckResult *self, guint i) {                       \
    g_return_val_if_fail (self != NULL && i < self->record->states->len, otherwise);               \
    const RspRecordState *state = rsp_record_state (self->record, i);                              \
    return expression;                                                                             \
  }

static char **state_part (const RspRecordState *state, gsize offset) {
  GPtrArray *parts = g_ptr_array_new ();
  g_autoptr (GArray) bindings = rsp_log_state_parse (state->text, strlen (state->text));
  for (guint i = 0; bindings && i < bindings->len; i++) {
    gpointer binding = &g_array_index (bindings, RspLogBinding, i);
    g_ptr_array_add (parts, g_strdup (G_STRUCT_MEMBER (char *, binding, offset)));
  }
  g_ptr_array_add (parts, NULL);
  return (char **) g_ptr_array_free (parts, FALSE);
}

STATE_FIELD (, char *, NULL, g_strdup (state->text))

STATE_FIELD (_names, char **, NULL, state_part (state, G_STRUCT_OFFSET (RspLogBinding, name)))

STATE_FIELD (_values, char **, NULL, state_part (state, G_STRUCT_OFFSET (RspLogBinding, value)))

STATE_FIELD (_satisfies, gboolean, FALSE, state->satisfies)

STATE_FIELD (_is_undetermined, gboolean, FALSE, state->undetermined)

STATE_FIELD (_executions, guint64, 0, clamp_count (state->executions))

STATE_FIELD (_undefined, guint64, 0, clamp_count (state->n_undefined))

/* ---- Explanations and executions ---- */
#define N_EXPLAINED(what) (self->record->explanations ? self->record->explanations->n_##what : 0)

API_PARTS_OF (RspcheckResult, rspcheck_result, n_explanations, N_EXPLAINED (outcomes), explanation,
              RspcheckExplanation, self, &self->record->explanations->outcomes[i])

API_PARTS_OF (RspcheckResult, rspcheck_result, n_flag_reasons, N_EXPLAINED (flags), flag_reason,
              RspcheckFlagReason, self, &self->record->explanations->flags[i])

API_PARTS_OF (RspcheckResult, rspcheck_result, n_executions, self->record->shown->len, execution,
              RspcheckExecution, self, self->record->shown->pdata[i])

/* ---- As text ---- */
char *rspcheck_result_log (const RspcheckResult *result, gboolean scope_hash) {
  g_return_val_if_fail (result != NULL, NULL);
  GString *log = g_string_new (NULL);
  rsp_log_format (result->record, scope_hash, log);
  return g_string_free (log, FALSE);
}

char *rspcheck_result_json (const RspcheckResult *result) {
  g_return_val_if_fail (result != NULL, NULL);
  GString *line = g_string_new (NULL);
  rsp_json_format (result->record, line);
  return g_strchomp (g_string_free (line, FALSE));
}

char *rspcheck_result_explanation_text (const RspcheckResult *result) {
  g_return_val_if_fail (result != NULL, NULL);
  GString *text = g_string_new (NULL);
  if (result->record->explanations)
    rsp_explanations_format (result->record->explanations, FALSE, text);
  return g_string_free (text, FALSE);
}

/* ---- Rspcheck-test -------------------------------------------------------------------------- */

G_DEFINE_BOXED_TYPE (RspcheckTest, rspcheck_test, rspcheck_test_ref, rspcheck_test_unref)

/* ---- Reading ---- */
/* Takes the caller's reference to source. */
static RspcheckTest *parse (RspSource *source, gboolean strict, GString *messages) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspProgram *program = rsp_litmus_parse (source, strict, diagnostics);
  api_append_messages (diagnostics, messages);
  rsp_source_unref (source);
  if (!program)
    return NULL;
  RspcheckTest *test = g_new0 (RspcheckTest, 1);
  g_atomic_ref_count_init (&test->references);
  test->program = program;
  return test;
}

RspcheckTest *rspcheck_test_read (const char *path, gboolean strict, GString *messages) {
  g_return_val_if_fail (path != NULL, NULL);
  g_autoptr (GError) error = NULL;
  RspSource *source = rsp_source_read (path, &error);
  if (source)
    return parse (source, strict, messages);
  if (messages)
    g_string_append_printf (messages, "error: %s\n", error->message);
  return NULL;
}

RspcheckTest *rspcheck_test_parse (const char *name, const char *text, gssize length,
                                   gboolean strict, GString *messages) {
  g_return_val_if_fail (name != NULL && text != NULL && length >= -1, NULL);
  gsize size = length < 0 ? strlen (text) : (gsize) length;
  if (memchr (text, '\0', size)) {
    if (messages)
      g_string_append_printf (messages, "error: %s: is a binary file, not text\n", name);
    return NULL;
  }
  return parse (rsp_source_new (name, g_strndup (text, size), size), strict, messages);
}

/* ---- References ---- */
API_REF (RspcheckTest, rspcheck_test)

void rspcheck_test_unref (RspcheckTest *test) {
  if (!test || !g_atomic_ref_count_dec (&test->references))
    return;
  rsp_program_free (test->program);
  g_free (test);
}

/* ---- What they say ---- */
API_FIELD (RspcheckTest, rspcheck_test, name, const char *, NULL, self->program->name)

API_FIELD (RspcheckTest, rspcheck_test, is_c, gboolean, FALSE,
           self->program->language->id == RSP_LANGUAGE_C)

API_FIELD (RspcheckTest, rspcheck_test, condition, char *, NULL,
           rsp_program_format_condition (self->program))

API_FIELD (RspcheckTest, rspcheck_test, hash, char *, NULL, rsp_program_hash (self->program))

API_FIELD (RspcheckTest, rspcheck_test, scope_hash, char *, NULL,
           rsp_program_scope_hash (self->program))
