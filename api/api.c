/* The library's public surface over the parts that do the work. */
#include "api/run.h"
#include "model/load.h"
#include "parser/format.h"
#include "parser/hash.h"
#include "parser/litmus/parse.h"
#include "report/log/log.h"
#include "rspcheck.h"

#include <string.h>

struct RspcheckTest
{
  RspProgram *program;
};

struct RspcheckModel
{
  RspModel *model;
};

struct RspcheckResult
{
  RspcheckStop stop;
  RspRecord *record;
  GPtrArray *flags; /* the record's, and NULL */
};

static void
append_messages (RspDiagnostics *diagnostics, GString *messages)
{
  for (guint i = 0; messages && i < rsp_diagnostics_count (diagnostics); i++)
    rsp_diagnostic_format (rsp_diagnostics_get (diagnostics, i), FALSE, messages);
}

const char *
rspcheck_version (void)
{
  return RSP_VERSION;
}

/* ---- Tests ---- */

/* Takes the caller's reference to source. */
static RspcheckTest *
parse_test (RspSource *source, gboolean strict, GString *messages)
{
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspProgram *program = rsp_litmus_parse (source, strict, diagnostics);
  append_messages (diagnostics, messages);
  rsp_source_unref (source);
  if (!program)
    return NULL;
  RspcheckTest *test = g_new0 (RspcheckTest, 1);
  test->program = program;
  return test;
}

RspcheckTest *
rspcheck_test_read (const char *path, gboolean strict, GString *messages)
{
  g_autoptr (GError) error = NULL;
  RspSource *source = rsp_source_read (path, &error);
  if (source)
    return parse_test (source, strict, messages);
  if (messages)
    g_string_append_printf (messages, "error: %s\n", error->message);
  return NULL;
}

RspcheckTest *
rspcheck_test_parse (const char *name, const char *text, gssize length, gboolean strict,
                     GString *messages)
{
  gsize size = length < 0 ? strlen (text) : (gsize) length;
  if (memchr (text, '\0', size))
    {
      if (messages)
        g_string_append_printf (messages, "error: %s: is binary, not text\n", name);
      return NULL;
    }
  return parse_test (rsp_source_new (name, g_strndup (text, size), size), strict, messages);
}

void
rspcheck_test_free (RspcheckTest *test)
{
  if (!test)
    return;
  rsp_program_free (test->program);
  g_free (test);
}

const char *
rspcheck_test_name (const RspcheckTest *test)
{
  return test->program->name;
}

gboolean
rspcheck_test_is_c (const RspcheckTest *test)
{
  return test->program->dialect == RSP_DIALECT_C;
}

char *
rspcheck_test_condition (const RspcheckTest *test)
{
  return rsp_program_format_condition (test->program);
}

char *
rspcheck_test_hash (const RspcheckTest *test)
{
  return rsp_program_hash (test->program);
}

char *
rspcheck_test_scope_hash (const RspcheckTest *test)
{
  return rsp_program_scope_hash (test->program);
}

/* ---- Models ---- */

RspcheckModel *
rspcheck_model_load (const char *path, const char *const *directories, const char *const *variants,
                     GString *messages)
{
  static const char *const none[] = { NULL };
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspModel *model = rsp_model_load (path, directories ? directories : none,
                                    variants ? variants : none, diagnostics);
  append_messages (diagnostics, messages);
  if (!model)
    return NULL;
  RspcheckModel *loaded = g_new0 (RspcheckModel, 1);
  loaded->model = model;
  return loaded;
}

void
rspcheck_model_free (RspcheckModel *model)
{
  if (!model)
    return;
  rsp_model_free (model->model);
  g_free (model);
}

const char *
rspcheck_model_name (const RspcheckModel *model)
{
  return model->model->name;
}

const char *
rspcheck_model_path (const RspcheckModel *model)
{
  return model->model->path;
}

const char *
rspcheck_model_digest (const RspcheckModel *model)
{
  return model->model->digest;
}

char **
rspcheck_model_directories (const char *const *first, const char *test)
{
  return rsp_model_directories (first, test);
}

/* ---- Checks ---- */

void
rspcheck_options_init (RspcheckOptions *options)
{
  RspCheckOptions inner;
  rsp_check_options_init (&inner);
  *options = (RspcheckOptions){ .engine = inner.engine, .unroll = inner.unroll };
}

static void
translate_options (const RspcheckOptions *options, RspCheckOptions *inner)
{
  rsp_check_options_init (inner);
  if (!options)
    return;
  inner->engine = options->engine;
  inner->through = options->through;
  inner->speedcheck = options->speed;
  inner->unroll = options->unroll;
  inner->cas_writeback = options->cas_writeback;
  inner->spin = options->spin;
  inner->outcome_reads = options->outcome_reads;
  inner->timeout = options->timeout;
  inner->max_executions = options->max_executions;
  inner->max_memory = options->max_memory;
  inner->skipped_checks = options->skipped_checks;
}

RspcheckResult *
rspcheck_check (const RspcheckTest *test, const RspcheckModel *model,
                const RspcheckOptions *options, GString *messages)
{
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspcheckResult *result = g_new0 (RspcheckResult, 1);
  RspRunOptions inner = { 0 };
  translate_options (options, &inner.check);
  result->record = rsp_run_begin (test->program, "", model->model->name, NULL);
  result->stop = rsp_run (test->program, model->model, &inner, result->record, diagnostics);
  result->flags = g_ptr_array_copy (result->record->flags, NULL, NULL);
  g_ptr_array_add (result->flags, NULL);
  append_messages (diagnostics, messages);
  return result;
}

void
rspcheck_result_free (RspcheckResult *result)
{
  if (!result)
    return;
  g_ptr_array_unref (result->flags);
  rsp_record_free (result->record);
  g_free (result);
}

RspcheckStop
rspcheck_result_stop (const RspcheckResult *result)
{
  return result->stop;
}

gboolean
rspcheck_result_ok (const RspcheckResult *result)
{
  return result->record->answer;
}

RspcheckObservation
rspcheck_result_observation (const RspcheckResult *result)
{
  return result->record->observation;
}

gboolean
rspcheck_result_is_bounded (const RspcheckResult *result)
{
  return result->record->loop;
}

gboolean
rspcheck_result_is_undefined (const RspcheckResult *result)
{
  return rsp_record_is_undefined (result->record);
}

static guint64
clamp_count (RspCount count)
{
  return count > G_MAXUINT64 ? G_MAXUINT64 : (guint64) count;
}

void
rspcheck_result_counts (const RspcheckResult *result, guint64 *positive, guint64 *negative,
                        guint64 *undefined)
{
  if (positive)
    *positive = clamp_count (result->record->positive);
  if (negative)
    *negative = clamp_count (result->record->negative);
  if (undefined)
    *undefined = clamp_count (result->record->n_undefined);
}

const char *const *
rspcheck_result_flags (const RspcheckResult *result)
{
  return (const char *const *) result->flags->pdata;
}

guint
rspcheck_result_n_states (const RspcheckResult *result)
{
  return result->record->states->len;
}

char *
rspcheck_result_state (const RspcheckResult *result, guint i)
{
  return g_strdup (rsp_record_state (result->record, i)->text);
}

gboolean
rspcheck_result_state_satisfies (const RspcheckResult *result, guint i)
{
  return rsp_record_state (result->record, i)->satisfies;
}

guint64
rspcheck_result_state_executions (const RspcheckResult *result, guint i)
{
  return clamp_count (rsp_record_state (result->record, i)->executions);
}

char *
rspcheck_result_log (const RspcheckResult *result, gboolean scope_hash)
{
  GString *log = g_string_new (NULL);
  rsp_log_format (result->record, scope_hash, log);
  return g_string_free (log, FALSE);
}
