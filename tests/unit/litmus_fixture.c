#include "tests/unit/litmus_fixture.h"
#include "parser/litmus/litmus.h"
#include "tests/diagnostics_text.h"

#include <string.h>

/* Takes over the source. */
static LitmusOutcome try_source (RspSource *source) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  LitmusOutcome outcome = { .program = rsp_litmus_parse (source, FALSE, diagnostics) };
  ck_assert ((outcome.program == NULL) == (rsp_diagnostics_count_errors (diagnostics) > 0));
  outcome.text = diagnostics_text (diagnostics);
  rsp_source_unref (source);
  return outcome;
}

static LitmusOutcome try_text (const char *format, va_list arguments) {
  char *text = g_strdup_vprintf (format, arguments);
  return try_source (rsp_source_new ("t", text, strlen (text)));
}

LitmusOutcome litmus_try (const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  LitmusOutcome outcome = try_text (format, arguments);
  va_end (arguments);
  return outcome;
}

void litmus_outcome_clear (LitmusOutcome *outcome) {
  rsp_program_free (outcome->program);
  g_free (outcome->text);
  *outcome = (LitmusOutcome){ 0 };
}

static RspProgram *take_program (LitmusOutcome outcome) {
  ck_assert_msg (outcome.program != NULL, "%s", outcome.text);
  g_free (outcome.text);
  return outcome.program;
}

RspProgram *litmus_parse (const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  LitmusOutcome outcome = try_text (format, arguments);
  va_end (arguments);
  return take_program (outcome);
}

RspProgram *litmus_parse_file (const char *path) {
  RspSource *source = rsp_source_read (path, NULL);
  ck_assert_msg (source != NULL, "%s cannot be read", path);
  return take_program (try_source (source));
}
