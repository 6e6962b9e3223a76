/* A suite's files: some tests each, main, the target's headers and a Makefile. */
#include "hardware/emit/suite.h"
#include "hardware/emit/memory.h"
#include "hardware/emit/question.h"
#include "hardware/emit/text.h"
#include "hardware/emit/thread.h"

#include <errno.h>
#include <glib/gstdio.h>

enum { TESTS_OF_A_FILE = 16 };

/* The device's code as a string of the host's, for targets that compile it when they run. */
static void quote_code (const char *name, const char *code, GString *out) {
  g_auto (GStrv) lines = g_strsplit (code, "\n", -1);
  g_string_append_printf (out, "static const char %s[] =\n", name);
  for (guint i = 0; lines[i]; i++) {
    g_autofree char *line = g_strconcat (lines[i], "\n", NULL);
    g_string_append (out, "  ");
    emit_string (line, out);
    g_string_append_c (out, '\n');
  }
  g_string_append (out, ";\n\n");
}

static void emit_device_code (Emitter *e) {
  g_autoptr (GString) code = g_string_new (NULL);
  GString *out = e->out;
  e->out = code;
  emit_memory (e);
  emit_threads (e);
  e->out = out;
  if (!e->target->quoted) {
    g_string_append (out, code->str);
    return;
  }
  g_autofree char *name = g_strdup_printf ("test%u_source", e->number);
  g_string_append_printf (code, "TEST_KERNELS (test%u, %u)", e->number, e->program->n_observables);
  quote_code (name, code->str, out);
}

/* Appends the source of one test. It defines `test<number>`, and nothing else has that prefix. note
 * is for the log, or "". */
static void emit_test (const RspProgram *program, const RspEmitOptions *options, guint number,
                       const char *note, GString *out) {
  Emitter e = { .program = program,
                .options = options,
                .target = target_get (options->target),
                .number = number,
                .out = out };
  g_autofree char *name = emit_plain_name (program->name);
  emit_line (&e, "/* ---- Test %u: %s ---- */\n", number, name);
  emit_device_code (&e);
  emit_question (&e);
  emit_table (&e, note);
}

/* ---- Files ---- */

static gboolean write_file (const char *folder, const char *name, const char *text,
                            GError **error) {
  g_autofree char *path = g_build_filename (folder, name, NULL);
  return g_file_set_contents (path, text, -1, error);
}

static gboolean write_header (const TargetFile *file, const char *folder, GError **error) {
  g_autoptr (GString) quoted = g_string_new (NULL);
  if (file->string)
    quote_code (file->string, file->text, quoted);
  return write_file (folder, file->name, file->string ? quoted->str : file->text, error);
}

static void begin_file (const RspEmitOptions *options, GString *out) {
  g_string_append_printf (out, "/* Written by rspcheck -emit %s: docs/hardware.md */\n",
                          rsp_target_names[options->target]);
}

/* Tests from `first` on, as many as go into one file. */
static gboolean write_tests (const GPtrArray *programs, const GPtrArray *notes,
                             const RspEmitOptions *options, guint first, const char *folder,
                             GError **error) {
  const Target *target = target_get (options->target);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *name
      = g_strdup_printf ("tests-%03u.%s", first / TESTS_OF_A_FILE, target->extension);
  begin_file (options, text);
  g_string_append (text, target->head);
  for (guint i = first; i < MIN (programs->len, first + TESTS_OF_A_FILE); i++) {
    g_string_append_c (text, '\n');
    emit_test (programs->pdata[i], options, i, notes->pdata[i], text);
  }
  return write_file (folder, name, text->str, error);
}

static gboolean write_main (guint n, const RspEmitOptions *options, const char *folder,
                            GError **error) {
  const Target *target = target_get (options->target);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *name = g_strconcat ("main.", target->extension, NULL);
  begin_file (options, text);
  g_string_append_printf (text, "#define SUITE_MAIN\n%s\nBEGIN_LINKAGE\n", target->head);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "extern const test test%u;\n", i);
  g_string_append (text, "\nconst test *const suite_tests[] = {\n");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "  &test%u,\n", i);
  g_string_append_printf (text,
                          "  NULL\n};\nconst unsigned suite_n_tests = %u, suite_rounds = %u;\n"
                          "END_LINKAGE\n",
                          n, options->unroll);
  return write_file (folder, name, text->str, error);
}

/* The same commands as rsp_hardware_build runs. */
static gboolean write_makefile (const RspEmitOptions *options, const char *folder, GError **error) {
  const Target *target = target_get (options->target);
  const Build *build = &target->build;
  const char *x = target->extension;
  g_autoptr (GString) text = g_string_new (NULL);
  g_string_append_printf (text,
                          "# Written by rspcheck -emit %s. `make` builds ./suite, `make run` runs "
                          "it: RUN=\"--seconds 1 --seed 2\".\n",
                          rsp_target_names[options->target]);
  g_string_append_printf (text, "ifeq ($(origin %s),default)\n%s = %s\nendif\n%s ?= %s\n%s ?= %s\n",
                          build->variable, build->variable, build->compiler, build->variable,
                          build->compiler, build->flags_variable, build->flags);
  g_string_append_printf (text, "OBJECTS := $(patsubst %%.%s,%%.o,$(wildcard *.%s))\n\n", x, x);
  g_string_append_printf (text, "suite: $(OBJECTS)\n\t$(%s) %s $(%s) -o $@ $^ %s\n\n",
                          build->variable, build->always, build->flags_variable, build->libraries);
  g_string_append_printf (text, "%%.o: %%.%s $(wildcard *.h)\n\t$(%s) %s $(%s) -c -o $@ $<\n\n", x,
                          build->variable, build->always, build->flags_variable);
  g_string_append (text, "run: suite\n\t./suite $(RUN)\n\nclean:\n\trm -f suite $(OBJECTS)\n\n"
                         ".PHONY: run clean\n");
  return write_file (folder, "Makefile", text->str, error);
}

static gboolean make_folder (const char *folder, GError **error) {
  if (g_mkdir_with_parents (folder, 0777) == 0)
    return TRUE;
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", folder,
               g_strerror (errno));
  return FALSE;
}

gboolean rsp_hardware_emit_suite (const GPtrArray *programs, const GPtrArray *notes,
                                  const RspEmitOptions *options, const char *folder,
                                  GError **error) {
  const Target *target = target_get (options->target);
  if (!make_folder (folder, error) || !write_makefile (options, folder, error)
      || !write_main (programs->len, options, folder, error))
    return FALSE;
  for (const TargetFile *file = target->files; file->name; file++)
    if (!write_header (file, folder, error))
      return FALSE;
  for (guint i = 0; i < programs->len; i += TESTS_OF_A_FILE)
    if (!write_tests (programs, notes, options, i, folder, error))
      return FALSE;
  return TRUE;
}
