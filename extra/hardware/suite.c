/* Whole programs: the question of a test, and the suite around it. */
#include "extra/hardware/hardware.h"
#include "extra/hardware/internal.h"
#include "parser/program.h"

#include <errno.h>
#include <glib/gstdio.h>

/* ---- Question ------------------------------------------------------------------------------- */

/* The question on the host: observables, proposition, filter. */

/* An address as in states: the location's number, or what the model has for it. */
static gint64 constant_of (const RspProgram *program, gint64 value) {
  if (!rsp_is_address (value) || program->language->tagged)
    return value;
  guint object = rsp_address_object (value);
  gint64 location = (gint64) object + rsp_address_element (value);
  return object < program->n_locations && location >= 0 ? location + 1 : -1;
}

/* One side of an atom. */
static char *operand_text (const Emitter *e, const RspOperand *operand, const RspOperand *other) {
  const RspProgram *program = e->program;
  if (operand->is_observable)
    return g_strdup_printf ("state[%u]", operand->observable);
  gboolean pointer
      = other->is_observable
        && rsp_observable_type (program, &program->observables[other->observable])->pointers;
  return g_strdup_printf ("(int64_t) UINT64_C (0x%" G_GINT64_MODIFIER "x)",
                          pointer ? constant_of (program, operand->constant) : operand->constant);
}

static void emit_prop (const Emitter *e, const RspProp *prop) {
  static const char *const joints[] = { [RSP_PROP_AND] = " && ", [RSP_PROP_OR] = " || " };
  g_string_append_c (e->out, '(');
  switch (prop->kind) {
  case RSP_PROP_TRUE:
  case RSP_PROP_FALSE:
    g_string_append (e->out, prop->kind == RSP_PROP_TRUE ? "1" : "0");
    break;
  case RSP_PROP_ATOM: {
    g_autofree char *left = operand_text (e, &prop->left, &prop->right);
    g_autofree char *right = operand_text (e, &prop->right, &prop->left);
    g_string_append_printf (e->out, "%s %s %s", left,
                            prop->op == RSP_OP_NE   ? "!="
                            : prop->op == RSP_OP_LT ? "<"
                                                    : "==",
                            right);
    break;
  }
  case RSP_PROP_NOT:
    g_string_append_c (e->out, '!');
    emit_prop (e, prop->a);
    break;
  case RSP_PROP_IMPLIES:
    g_string_append_c (e->out, '!');
    emit_prop (e, prop->a);
    g_string_append (e->out, " || ");
    emit_prop (e, prop->b);
    break;
  default:
    emit_prop (e, prop->a);
    g_string_append (e->out, joints[prop->kind]);
    emit_prop (e, prop->b);
  }
  g_string_append_c (e->out, ')');
}

static void emit_predicate (Emitter *e, const char *name, const RspProp *prop) {
  emit_line (e, "static int\ntest%u_%s (const int64_t *state)\n{", e->number, name);
  g_string_append (e->out, "  (void) state;\n  return ");
  if (prop)
    emit_prop (e, prop);
  else
    g_string_append_c (e->out, '1');
  emit_line (e, ";\n}\n");
}

static const char *kind_text (const RspProgram *program, const RspObservable *observable) {
  const RspType *type = rsp_observable_type (program, observable);
  if (program->language->tagged)
    return "VALUE_EITHER";
  if (type->pointers)
    return "VALUE_ADDRESS";
  return type->is_signed || type->bits < 64 ? "VALUE_SIGNED" : "VALUE_UNSIGNED";
}

static void emit_element (Emitter *e, const char *text) {
  g_string_append (e->out, "  ");
  emit_string (text, e->out);
  g_string_append (e->out, ",\n");
}

/* ---- The test ---- */
static void emit_numbers (Emitter *e, guint (*number) (const RspProgram *, guint)) {
  g_string_append (e->out, "  { ");
  for (guint g = 0; g < layout_n_groups (e->program); g++)
    g_string_append_printf (e->out, "%s%u", g ? ", " : "", number (e->program, g));
  g_string_append (e->out, " },\n");
}

static guint count_members (const RspProgram *program, guint group) {
  guint n = 0;
  for (guint i = 0; i < program->n_threads; i++)
    n += layout_group (program, &program->threads[i]) == group;
  return n;
}

/* The log has the quantifier and the proposition apart. */
static void emit_table (Emitter *e, const char *note) {
  static const char *const questions[] = { [RSP_EXISTS] = "QUESTION_EXISTS",
                                           [RSP_NOT_EXISTS] = "QUESTION_NOT_EXISTS",
                                           [RSP_FORALL] = "QUESTION_FORALL" };
  const RspProgram *program = e->program;
  g_autofree char *condition = rsp_program_format_condition (program);
  g_autofree char *hash = rsp_program_hash (program);
  g_autofree char *scope_hash = rsp_program_scope_hash (program);
  const char *const texts[] = { program->name, condition, hash, scope_hash, note };
  guint n = e->number;
  /* Each thread gets a warp of its own if barriers have names: a warp comes to a barrier as a whole
   * (PTX ISA, "barrier"), but only some threads of the work-group meet there. */
  gboolean apart = FALSE;
  for (guint i = 0; i < program->n_threads && program->language->tagged; i++)
    apart |= has_named_barriers (&program->threads[i]);
  emit_line (e, "TEST_CODE (test%u, %u);\n", n, program->n_observables);
  emit_line (e, "LINKAGE const test test%u = {", n);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    emit_element (e, texts[i]);
  emit_line (e, "  %s, %u, test%u_observables,", questions[program->quantifier],
             program->n_observables, n);
  emit_line (e, "  test%u_locations, %u, test%u_satisfies, test%u_keeps,", n, program->n_locations,
             n, n);
  emit_line (e, "  %u, %u, %u, %u,", layout_unit (program),
             layout_total (program, RSP_SPACE_GLOBAL), layout_total (program, RSP_SPACE_LOCAL),
             layout_n_results (program));
  emit_line (e, "  %u, %u, %u,", layout_n_groups (program), layout_n_devices (program),
             program->n_threads);
  emit_numbers (e, count_members);
  emit_numbers (e, layout_device);
  emit_line (e, "  %u,", layout_cluster (program));
  emit_numbers (e, layout_slot);
  emit_line (e, "  %d, &test%u_code\n};", apart, n);
}

/* ---- Suite ---------------------------------------------------------------------------------- */

/* A suite's files: some tests each, main, the target's headers and a Makefile. */

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

/* Appends the source of one test. All its names begin with `test<number>`. note: for the log, or
 * "".
 */
static void emit_test (const RspProgram *program, const RspEmitOptions *options, guint number,
                       const char *note, GString *out) {
  Emitter e = { .program = program,
                .options = options,
                .target = target_get (options->target),
                .number = number,
                .out = out };
  g_autofree char *name = emit_plain_name (program->name);
  g_autofree char *string = g_strdup_printf ("test%u_source", number);
  g_autoptr (GString) code = g_string_new (NULL); /* of the device */
  emit_line (&e, "/* ---- Test %u: %s ---- */\n", number, name);
  e.out = code;
  emit_memory (&e);
  emit_threads (&e);
  e.out = out;
  if (e.target->quoted) {
    g_string_append_printf (code, "TEST_KERNELS (test%u, %u)", number, program->n_observables);
    quote_code (string, code->str, out);
  } else
    g_string_append (out, code->str);
  emit_predicate (&e, "satisfies", program->condition);
  emit_predicate (&e, "keeps", program->filter);
  emit_line (&e, "static const observable test%u_observables[] = {", e.number);
  for (guint i = 0; i < program->n_observables; i++) {
    const RspObservable *o = &program->observables[i];
    g_string_append (e.out, "  { ");
    emit_string (o->name, e.out);
    emit_line (&e, ", %s, %d },", kind_text (program, o),
               !(program->filter_only && program->filter_only[i]));
  }
  emit_line (&e, "  { \"\", VALUE_SIGNED, 0 }\n};\n");
  emit_line (&e, "static const char *const test%u_locations[] = {", e.number);
  for (guint i = 0; i < program->n_locations; i++)
    emit_element (&e, program->locations[i].name);
  emit_line (&e, "  \"\"\n};\n");
  emit_table (&e, note);
}

/* ---- Files ---- */
static gboolean write_file (const char *folder, const char *name, const char *text,
                            GError **error) {
  g_autofree char *path = g_build_filename (folder, name, NULL);
  return g_file_set_contents (path, text, -1, error);
}

static void begin_file (const RspEmitOptions *options, GString *out) {
  g_string_append_printf (out, "/* Written by rspcheck -emit %s: docs/hardware.md */\n",
                          rsp_target_names[options->target]);
}

static char *tests_name (const Target *target, guint first) {
  return g_strdup_printf ("tests-%03u.%s", first / TESTS_OF_A_FILE, target->extension);
}

GPtrArray *suite_sources (const Target *target, guint n_programs) {
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *suffix = g_strconcat (".", target->extension, NULL);
  g_ptr_array_add (names, g_strconcat ("main", suffix, NULL));
  for (const TargetFile *file = target->files; file->name; file++)
    if (g_str_has_suffix (file->name, suffix))
      g_ptr_array_add (names, g_strdup (file->name));
  for (guint i = 0; i < n_programs; i += TESTS_OF_A_FILE)
    g_ptr_array_add (names, tests_name (target, i));
  return names;
}

/* Writes the tests from `first` on that belong in one file. */
static gboolean write_tests (const GPtrArray *programs, const GPtrArray *notes,
                             const RspEmitOptions *options, guint first, const char *folder,
                             GError **error) {
  const Target *target = target_get (options->target);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *name = tests_name (target, first);
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

/* It has the commands that rsp_hardware_build runs. */
static gboolean write_makefile (guint n, const RspEmitOptions *options, const char *folder,
                                GError **error) {
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
  g_autoptr (GPtrArray) sources = suite_sources (target, n);
  g_string_append (text, "OBJECTS :=");
  for (guint i = 0; i < sources->len; i++)
    g_string_append_printf (text, " %.*so", (int) (strlen (sources->pdata[i]) - strlen (x)),
                            (char *) sources->pdata[i]);
  g_string_append (text, "\n\n");
  g_string_append_printf (text, "suite: $(OBJECTS)\n\t$(%s) %s $(%s) -o $@ $^ %s\n\n",
                          build->variable, build->always, build->flags_variable, build->libraries);
  g_string_append_printf (text, "%%.o: %%.%s $(wildcard *.h)\n\t$(%s) %s $(%s) -c -o $@ $<\n\n", x,
                          build->variable, build->always, build->flags_variable);
  g_string_append (text, "run: suite\n\t./suite $(RUN)\n\nclean:\n\trm -f suite $(OBJECTS)\n\n"
                         ".PHONY: run clean\n");
  return write_file (folder, "Makefile", text->str, error);
}

gboolean rsp_hardware_emit_suite (const GPtrArray *programs, const GPtrArray *notes,
                                  const RspEmitOptions *options, const char *folder,
                                  GError **error) {
  const Target *target = target_get (options->target);
  if (g_mkdir_with_parents (folder, 0777) != 0) {
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", folder,
                 g_strerror (errno));
    return FALSE;
  }
  if (!write_makefile (programs->len, options, folder, error)
      || !write_main (programs->len, options, folder, error))
    return FALSE;
  for (const TargetFile *file = target->files; file->name; file++) {
    g_autoptr (GString) quoted = g_string_new (NULL);
    if (file->string)
      quote_code (file->string, file->text, quoted);
    if (!write_file (folder, file->name, file->string ? quoted->str : file->text, error))
      return FALSE;
  }
  for (guint i = 0; i < programs->len; i += TESTS_OF_A_FILE)
    if (!write_tests (programs, notes, options, i, folder, error))
      return FALSE;
  return TRUE;
}
