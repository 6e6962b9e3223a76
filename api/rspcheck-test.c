#include "rspcheck-test.h"
#include "api/handle.h"
#include "parser/format.h"
#include "parser/hash.h"
#include "parser/litmus/parse.h"

#include <string.h>

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
