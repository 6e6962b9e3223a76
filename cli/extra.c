/* The folders of extra/: their options among the command line's own, and what they are asked for.
 */
#include "cli/extra.h"
#include "parser/layout.h"

#include <string.h>

/* The rows whose folders are in the program, as the Makefile finds them. */
#ifndef CLI_EXTRAS
#define CLI_EXTRAS "generated/cli/extras.def"
#endif

const CliExtra *const cli_extras[] = {
#define EXTRA(folder, ...) &folder##_extra,
#include CLI_EXTRAS
#undef EXTRA
  NULL
};

#define all_extras(extra)                                                                          \
  const CliExtra *const *at = cli_extras, *extra = *at;                                            \
  extra;                                                                                           \
  extra = *++at

/* ---- Options -------------------------------------------------------------------------------- */

/* The place behind the option of that name, for the options of a topic that follow it. */
static guint place_after (const GPtrArray *options, guint first, const char *name) {
  if (!*name)
    return first;
  for (guint i = first; i < options->len; i++)
    if (g_str_equal (((const CliOption *) options->pdata[i])->name, name))
      return i + 1;
  return options->len;
}

/* Adds those of a topic, whose options begin at `first`. */
static void add_options (GPtrArray *options, guint first, CliGroup group, const CliOption *table,
                         guint n) {
  guint place = options->len;
  for (guint i = 0; i < n; i++)
    if (table[i].group != group)
      continue;
    else if (table[i].kind == CLI_AFTER)
      place = place_after (options, first, table[i].name);
    else
      g_ptr_array_insert (options, (gint) place++, (gpointer) &table[i]);
}

static const GPtrArray *all_options (void) {
  static GPtrArray *all;
  if (g_once_init_enter (&all)) {
    GPtrArray *options = g_ptr_array_new ();
    for (CliGroup group = 0; group < CLI_N_GROUPS; group++) {
      guint first = options->len;
      add_options (options, first, group, cli_option_table, cli_option_table_length);
      for (all_extras (extra))
        add_options (options, first, group, extra->options, extra->n_options);
    }
    g_once_init_leave (&all, options);
  }
  return all;
}

guint cli_n_options (void) { return all_options ()->len; }

const CliOption *cli_option_at (guint i) { return all_options ()->pdata[i]; }

gpointer cli_extra_options (const CliOptions *options, const CliExtra *extra) {
  guint i = 0;
  while (cli_extras[i] != extra)
    i++;
  return options->extra[i];
}

gpointer cli_option_field (const CliOptions *options, const CliOption *option) {
  for (guint i = 0; cli_extras[i]; i++)
    if (option >= cli_extras[i]->options
        && option < cli_extras[i]->options + cli_extras[i]->n_options)
      return G_STRUCT_MEMBER_P (options->extra[i], option->offset);
  return G_STRUCT_MEMBER_P (options, option->offset);
}

void cli_extra_options_new (CliOptions *options) {
  options->extra = g_new0 (gpointer, G_N_ELEMENTS (cli_extras));
  for (guint i = 0; cli_extras[i]; i++) {
    options->extra[i] = g_malloc0 (cli_extras[i]->size);
    if (cli_extras[i]->init)
      cli_extras[i]->init (options->extra[i]);
  }
}

void cli_extra_options_free (CliOptions *options) {
  for (guint i = 0; cli_extras[i]; i++)
    g_free (options->extra[i]);
  g_free (options->extra);
}

void cli_extra_finish (CliOptions *options) {
  for (all_extras (extra))
    if (extra->finish)
      extra->finish (options);
}

gboolean cli_extra_is_inside (const char *option) {
  for (all_extras (extra))
    if (extra->inside && g_strv_contains (extra->inside, option))
      return TRUE;
  return FALSE;
}

gboolean cli_extra_check (const CliOptions *options, RspDiagnostics *diagnostics) {
  for (all_extras (extra))
    if (extra->check && !extra->check (options, diagnostics))
      return FALSE;
  return TRUE;
}

gboolean cli_extra_check_tests (const CliOptions *options, RspDiagnostics *diagnostics) {
  for (all_extras (extra))
    if (extra->check_tests && !extra->check_tests (options, diagnostics))
      return FALSE;
  return TRUE;
}

/* ---- Values, by name ---- */
/* Are the values of the option the same? */
static gboolean is_same_value (const CliOption *option, gconstpointer a, gconstpointer b) {
  switch (option->kind) {
  case CLI_TEXT:
  case CLI_WRITTEN:
    return g_strcmp0 (*(char *const *) a, *(char *const *) b) == 0;
  case CLI_LIST:
    return (*(GPtrArray *const *) a)->len == (*(GPtrArray *const *) b)->len;
  case CLI_PROGRESS:
    return (*(GArray *const *) a)->len == (*(GArray *const *) b)->len;
  case CLI_COUNT:
  case CLI_SECONDS:
  case CLI_SIZE:
  case CLI_SHARE:
    return memcmp (a, b, sizeof (guint64)) == 0;
  default:
    return memcmp (a, b, sizeof (guint)) == 0;
  }
}

static gpointer make_defaults (G_GNUC_UNUSED gpointer data) { return cli_options_new (); }

gboolean cli_option_is_set (const CliOptions *options, const char *name) {
  static GOnce once = G_ONCE_INIT; /* one for as long as the program runs */
  const CliOption *option = cli_option_find (name);
  const CliOptions *defaults = g_once (&once, make_defaults, NULL);
  return option
         && !is_same_value (option, cli_option_field (options, option),
                            cli_option_field (defaults, option));
}

const char *cli_option_text (const CliOptions *options, const char *name) {
  const CliOption *option = cli_option_find (name);
  return option ? *(char *const *) cli_option_field (options, option) : NULL;
}

/* ---- Effects -------------------------------------------------------------------------------- */

typedef enum EffectKind { NEEDED, IGNORED, EXCLUDED } EffectKind;

typedef struct Effect {
  EffectKind kind;
  const char *subjects, *others, *unless;
} Effect;

static const Effect effects[] = {
#define NEEDS(options, others)             { NEEDED, options, others, "" },
#define IGNORES(subjects, options, unless) { IGNORED, subjects, options, unless },
#define ONLY(subjects, options)            { EXCLUDED, subjects, options, "" },
#include "cli/effects.def"
};

static gboolean is_set (const CliOptions *options, const char *name) {
  const CliCommand *command;
  if (g_str_equal (name, "MODELS"))
    return options->models->len > 1 && !cli_requested (options, CLI_COMMAND_CHECKED);
  if (g_str_equal (name, "LAYOUT") || g_str_equal (name, "format"))
    return cli_option_is_set (options, "format")
           && (options->format == CLI_FORMAT_LAYOUT) == g_str_equal (name, "LAYOUT");
  if (g_str_equal (name, "TESTS"))
    return (command = cli_requested (options, CLI_COMMAND_ANSWERS)) != NULL
           && g_str_equal (command->option, "diff");
  return cli_option_is_set (options, name);
}

/* Those of the names whose options are set, in an array that g_strfreev frees. */
static char **options_set (const CliOptions *options, const char *names) {
  g_auto (GStrv) all = g_strsplit (names, " ", -1);
  g_autoptr (GStrvBuilder) set = g_strv_builder_new ();
  for (guint i = 0; all[i]; i++)
    if (is_set (options, all[i]))
      g_strv_builder_add (set, all[i]);
  return g_strv_builder_end (set);
}

/* All options that are set but for those of the names and of those that matter always. */
static char **options_set_but (const CliOptions *options, const char *subject, const char *names) {
  g_auto (GStrv) but = g_strsplit (names, " ", -1);
  const char *const always[] = { subject, "confined", "conf", "q", "v", "no-progress", NULL };
  g_autoptr (GStrvBuilder) set = g_strv_builder_new ();
  for (guint i = 0; i < cli_n_options (); i++) {
    const char *name = cli_option_at (i)->name;
    if (is_set (options, name) && !g_strv_contains ((const char *const *) but, name)
        && !g_strv_contains (always, name))
      g_strv_builder_add (set, name);
  }
  return g_strv_builder_end (set);
}

static char *in_words (const char *name) {
  return g_str_equal (name, "MODELS")   ? g_strdup ("several models")
         : g_str_equal (name, "LAYOUT") ? g_strdup ("`-format` without a form")
         : g_str_equal (name, "TESTS")  ? g_strdup ("`-diff` of two tests")
                                        : g_strdup_printf ("`-%s`", name);
}

/* "`-a`, `-b` and `-c`", without one that is itself the subject. */
static char *list_options (char **names, const char *but, const char *last) {
  GString *list = g_string_new (NULL);
  for (guint i = 0; names[i]; i++)
    if (!but || !g_str_equal (names[i], but)) {
      g_autofree char *words = in_words (names[i]);
      g_string_append_printf (list, "%s%s", !list->len ? "" : names[i + 1] ? ", " : last, words);
    }
  return g_string_free (list, FALSE);
}

void cli_warn_of_no_effect (const CliOptions *options, RspDiagnostics *diagnostics) {
  g_autoptr (GHashTable) all_idle = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (effects); i++) {
    const Effect *own = &effects[i];
    const char *without = own->kind == NEEDED ? own->others : own->unless;
    g_auto (GStrv) subjects = options_set (options, own->subjects);
    g_auto (GStrv) met = options_set (options, without);
    if (!subjects[0] || met[0])
      continue;
    const char *subject = own->kind == NEEDED ? NULL : subjects[0];
    if (subject && g_hash_table_contains (all_idle, subject))
      continue;
    g_auto (GStrv) idle = own->kind == NEEDED     ? g_strdupv (subjects)
                          : own->kind == EXCLUDED ? options_set_but (options, subject, own->others)
                                                  : options_set (options, own->others);
    g_auto (GStrv) needed = g_strsplit (without, " ", -1);
    g_autofree char *named = list_options (idle, subject, " and "),
                    *question = subject ? in_words (subject) : g_strdup (""),
                    *missing = list_options (needed, NULL, " or ");
    for (guint k = 0; idle[k]; k++)
      if (!subject || !g_str_equal (idle[k], subject))
        g_hash_table_add (all_idle, g_strdup (idle[k]));
    if (*named)
      rsp_warning (diagnostics, RSP_NOWHERE, NULL, "%s: no effect%s%s%s%s%s", named,
                   subject ? " with " : "", question, subject && needed[0] ? " and" : "",
                   needed[0] ? " without " : "", missing);
  }
}

/* ---- Commands ------------------------------------------------------------------------------- */

const CliCommand *cli_requested_besides (const CliOptions *options, guint kinds,
                                         const char *const *names) {
  for (all_extras (extra))
    for (const CliCommand *command = extra->commands; command && command->option; command++)
      if (kinds
              & (command->is_early    ? CLI_COMMAND_EARLY
                 : command->run       ? CLI_COMMAND_ANSWERS
                 : command->run_tests ? CLI_COMMAND_RUNS_TESTS
                                      : CLI_COMMAND_RUNS_A_TEST)
          && !(names && g_strv_contains (names, command->option))
          && (command->is_requested ? command->is_requested (options)
                                    : cli_option_is_set (options, command->option)))
        return command;
  return NULL;
}

const CliCommand *cli_requested (const CliOptions *options, guint kinds) {
  return cli_requested_besides (options, kinds, NULL);
}

const CliCommand *cli_command_of (const GPtrArray *records) {
  for (all_extras (extra))
    for (const CliCommand *command = extra->commands; command && command->option; command++)
      for (guint i = 0; command->has_made && i < records->len; i++)
        if (command->has_made (records->pdata[i]))
          return command;
  return NULL;
}

/* ---- Tests of their own --------------------------------------------------------------------- */

const CliTests *cli_tests_of (const RspSource *source) {
  for (all_extras (extra))
    if (extra->tests && extra->tests->recognises (source))
      return extra->tests;
  return NULL;
}

const CliTests *cli_tests_on (const char *machine, gsize length) {
  for (all_extras (extra))
    if (extra->tests && strlen (extra->tests->machine) == length
        && strncmp (extra->tests->machine, machine, length) == 0)
      return extra->tests;
  return NULL;
}

char *cli_lay_out (RspSource *source, RspDiagnostics *diagnostics) {
  if (g_str_has_suffix (source->name, ".litmus") && cli_tests_of (source))
    return g_strdup (source->text);
  return rsp_layout (source, diagnostics);
}

/* ---- Services ------------------------------------------------------------------------------- */

/* The first folder's, or NULL. */
#define SERVICE(Type, name, member)                                                                \
  Type name (void) {                                                                               \
    for (all_extras (extra))                                                                       \
      if (extra->member)                                                                           \
        return extra->member;                                                                      \
    return NULL;                                                                                   \
  }

SERVICE (const CliMappingService *, cli_mapping_service, mappings)

SERVICE (CliKernelRepair, cli_kernel_repair, repair_kernel)

SERVICE (CliTestRepair, cli_test_repair, repair_test)

const CliKernels *cli_kernels_of (const char *path) {
  for (all_extras (extra))
    if (extra->kernels && extra->kernels->recognises (path))
      return extra->kernels;
  return NULL;
}
