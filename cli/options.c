/* The command line, parsed by the table of options. */
#include "api/api.h"
#include "base/base.h"
#include "cli/extra.h"
#include "cli/internal.h"
#include "cli/options.h"

#include <errno.h>
#include <math.h>
#include <string.h>

typedef struct CliForeign {
  const char *name;
  gboolean takes_value;
  const char *why; /* a clause without a full stop; NULL: it is about drawings */
} CliForeign;

/* ---- Foreign -------------------------------------------------------------------------------- */

/* Options of herd that have no meaning here: they are ignored, with a line. */

/* Options that only herd has. Options of both programs are in option_table.c. */

/* About drawings: with a value, and viewers, which have none. */
static const char *const foreign_drawings[]
    = { "arrowsize",      "boxscale",   "brackets",    "classes",    "cycles",
        "dotcom",         "dotheader",  "dotmode",     "dsiy",       "edgefontsizedelta",
        "edgemerge",      "extrachars", "finalrfpos",  "fixedsize",  "fontname",
        "fontsize",       "graph",      "initpos",     "initrfpos",  "labelbox",
        "labelinit",      "margin",     "mathjax",     "mono",       "movelabel",
        "noid",           "oneinit",    "overlap",     "pad",        "penwidth",
        "ptscale",        "relabel",    "scale",       "sep",        "shift",
        "shortlegend",    "showevents", "showfinalrf", "showflag",   "showinitrf",
        "showinitwrites", "showkind",   "showlegend",  "shownote",   "showobserved",
        "showpo",         "showraw",    "showthread",  "siwidth",    "splines",
        "squished",       "symetric",   "texmacros",   "threadposy", "tikz",
        "view",           "withbox",    "xscale",      "yscale",     NULL };

static const char *const foreign_viewers[] = { "evince", "gv", "preview", "web", NULL };

static const CliForeign foreign_options[] = {
  { "bell", TRUE, "models of C and OpenCL tests need no Bell file" },
  { "macros", TRUE, "tests are read as they are, without macros" },
  { "c11", FALSE, "a test says whether it is in C" },
  { "candidates", TRUE, "`-json` and `-v` print counts" },
  { "exit", TRUE, "a faulty test does not stop the others" },
  { "switch", FALSE, "there is nothing to switch" },
  { "machsize", TRUE, "accesses have the sizes of their types" },
  { "endian", TRUE, "tests of C and OpenCL have no mixed sizes" },
  { "optace", TRUE, "the search needs no such promise of the model" },
  { "maxphantom", TRUE, "tests of C and OpenCL have no page tables" },
  { "dumpallfaults", TRUE, "tests of C and OpenCL have no faults" },
  { "statelessrc11", TRUE, "the search builds no executions that RC11 forbids" },
  { "archcheck", TRUE, "a model that includes the other one runs, whatever its architecture" },
  { "restrict", TRUE, "all tests are printed" },
  { "throughflag", TRUE, "`-through` keeps executions that the model forbids" },
  { "strictskip", TRUE, "`-skipcheck NAME` leaves out a check" },
  { "checkfilter", TRUE, "`filter` in a test always holds" },
  { "dumpes", TRUE, "`-json` prints what was found; `-v` shows the events of a flag" },
  { "libdir", FALSE, "`-I DIR` looks for models in DIR too" },
  { "set-libdir", TRUE, "`-I DIR` looks for models in DIR too" },
  { "debug", TRUE, "`-v` says what was done, `-v -v` more" },
  { "verbose", TRUE, "`-v` says what was done" },
  { "hexa", TRUE, "values print in decimal" },
  { "hexadecimal", TRUE, "values print in decimal" },
  { "outputdir", TRUE, "`-o DIR` writes a log per model into DIR" },
  { "suffix", TRUE, "`-o DIR` writes a log per model into DIR" },
  { "checkname", TRUE, "`-names FILE` runs the tests whose names are in it" },
  { "excl", TRUE, "`-names FILE` runs the tests whose names are in it" },
  { "oknames", TRUE, "`-names FILE` runs the tests whose names are in it" },
  { "nonames", TRUE, "`-names FILE` runs the tests whose names are in it" },
  { "rename", TRUE, "tests keep their names" },
};

/* FALSE if herd does not have such an option. */
static gboolean find_foreign (const char *name, CliForeign *found) {
  *found = (CliForeign){ name, g_strv_contains (foreign_drawings, name), NULL };
  if (found->takes_value || g_strv_contains (foreign_viewers, name))
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (foreign_options); i++)
    if (g_str_equal (foreign_options[i].name, name)) {
      *found = foreign_options[i];
      return TRUE;
    }
  return FALSE;
}

/* Reports the option with a line; those about drawings are only added to `drawings`. */
static void cli_foreign_ignore (const CliForeign *option, RspSpan at, GString *drawings,
                                RspDiagnostics *diagnostics) {
  const char *dash = at.source ? "" : "-";
  if (option->why)
    rsp_warning (diagnostics, RSP_NOWHERE, NULL, "`%s%s` of herd is ignored: %s", dash,
                 option->name, option->why);
  else
    g_string_append_printf (drawings, "%s`%s%s`", drawings->len ? ", " : "", dash, option->name);
}

/* One line for all that were added. */
static void cli_foreign_report (const GString *drawings, RspDiagnostics *diagnostics) {
  if (drawings->len)
    rsp_warning (
        diagnostics, RSP_NOWHERE, NULL,
        "of herd's drawings, ignored: %s (`-show prop -o DIR -format svg` writes pictures)",
        drawings->str);
}

/* ---- Options -------------------------------------------------------------------------------- */

CliOptions *cli_options_new (void) {
  CliOptions *options = g_new0 (CliOptions, 1);
  options->inputs = g_ptr_array_new_with_free_func (g_free);
  options->conf_models = g_ptr_array_new_with_free_func (g_free);
  cli_extra_options_new (options);
  for (guint i = 0; i < cli_n_options (); i++)
    if (cli_option_at (i)->kind == CLI_LIST)
      *(GPtrArray **) cli_option_field (options, cli_option_at (i))
          = g_ptr_array_new_with_free_func (g_free);
  options->progress = g_array_new (FALSE, FALSE, sizeof (RspProgress));
  rsp_check_options_init (&options->check);
  options->most_shown = 5;
  options->format = CLI_FORMAT_NOT_GIVEN;
  options->log_undefined = TRUE;
  options->init_writes = TRUE;
  options->max_input = RSP_SOURCE_LARGE;
  options->jobs = 0; /* the machine's cores */
  options->topic = CLI_N_GROUPS;
  return options;
}

void cli_options_free (CliOptions *options) {
  if (!options)
    return;
  for (guint i = 0; i < cli_n_options (); i++)
    if (cli_option_at (i)->kind == CLI_LIST)
      g_ptr_array_unref (*(GPtrArray **) cli_option_field (options, cli_option_at (i)));
    else if (cli_option_at (i)->kind == CLI_TEXT || cli_option_at (i)->kind == CLI_WRITTEN)
      g_free (*(char **) cli_option_field (options, cli_option_at (i)));
  cli_extra_options_free (options);
  g_ptr_array_unref (options->inputs);
  g_ptr_array_unref (options->conf_models);
  g_array_unref (options->progress);
  g_free (options->command);
  g_free (options);
}

const CliOption *cli_option_find (const char *name) {
  if (g_str_equal (name, "h"))
    name = "help";
  if (g_str_equal (name, "w"))
    name = "q";
  if (g_str_equal (name, "cat")) /* the rest are herd's other names */
    name = "model";
  if (g_str_equal (name, "skipchecks"))
    name = "skipcheck";
  if (g_str_equal (name, "showone"))
    name = "nshow";
  for (guint i = 0; i < cli_n_options (); i++)
    if (g_str_equal (cli_option_at (i)->name, name))
      return cli_option_at (i);
  return NULL;
}

/* Reports an unknown option. */
static void report_unknown (const char *name, RspSpan at, RspDiagnostics *diagnostics) {
  g_autofree const char **names = g_new0 (const char *, cli_n_options () + 1);
  for (guint i = 0; i < cli_n_options (); i++)
    names[i] = cli_option_at (i)->name;
  const char *near = rsp_nearest (name, names);
  const char *dash = at.source ? "" : "-";
  g_autofree char *hint = near ? g_strdup_printf ("did you mean `%s%s`?", dash, near)
                               : g_strdup ("`rspcheck -help-all` lists the options");
  rsp_error (diagnostics, at, hint, "unknown option `%s%s`", dash, name);
}

/* ---- Values ---- */
/* Digits only, at most limit. */
static gboolean read_natural (const char *text, guint64 limit, guint64 *number) {
  return g_ascii_isdigit (*text) && g_ascii_string_to_unsigned (text, 10, 0, limit, number, NULL);
}

static gboolean read_seconds (const char *text, double *seconds) {
  char *end;
  errno = 0;
  if (!g_ascii_isdigit (*text) && *text != '.')
    return FALSE;
  *seconds = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && errno == 0 && isfinite (*seconds) && *seconds <= 1e9;
}

/* A number of bytes; K, M, G are powers of 1024. */
static gboolean read_size (const char *text, gsize *bytes) {
  static const char suffixes[] = "KMG";
  gsize length = strlen (text);
  guint shift = 0;
  g_autofree char *digits = g_strdup (text);
  const char *suffix = length ? strchr (suffixes, g_ascii_toupper (text[length - 1])) : NULL;
  if (suffix && *suffix) {
    shift = 10 * (guint) (suffix - suffixes + 1);
    digits[length - 1] = '\0';
  }
  guint64 number;
  if (!read_natural (digits, G_MAXSIZE >> shift, &number))
    return FALSE;
  *bytes = (gsize) number << shift;
  return TRUE;
}

/* "K/N", 1 <= K <= N. */
static gboolean read_share (const char *text, CliShard *share) {
  g_auto (GStrv) parts = g_strsplit (text, "/", 3);
  guint64 number, of;
  if (g_strv_length (parts) != 2 || !read_natural (parts[1], 1000000, &of)
      || !read_natural (parts[0], of, &number) || number == 0)
    return FALSE;
  *share = (CliShard){ (guint) number, (guint) of };
  return TRUE;
}

/* Index of text in words, or -1. */
static int find_word (const char *text, const char *const *words) {
  for (int i = 0; words[i]; i++)
    if (g_str_equal (text, words[i]))
      return i;
  return -1;
}

static const char *const booleans[] = { "false", "true", NULL };

/* Newly allocated: for a word that is not a topic, where to look. */
static char *topic_hint (const char *word, const char *const *topics) {
  const CliOption *option = cli_option_find (word);
  if (option)
    return g_strdup_printf ("`rspcheck -help %s` describes `-%s`", topics[option->group],
                            option->name);
  char *hint = rsp_did_you_mean (word, topics);
  g_autofree char *list = g_strjoinv (", ", (char **) topics);
  return hint ? hint : g_strdup_printf ("the topics are %s; `-help-all` prints all", list);
}

static void report_value (const CliOption *option, const char *value, RspSpan at,
                          RspDiagnostics *diagnostics) {
  const char *dash = at.source ? "" : "-";
  const char *const *words = option->words ? option->words : booleans;
  g_autofree char *hint = NULL;
  g_autofree char *expected = NULL;
  switch (option->kind) {
  case CLI_NUMBER:
    expected = g_strdup_printf ("a number from %u to %u", option->least, option->most);
    break;
  case CLI_COUNT:
    expected = g_strdup ("a number");
    break;
  case CLI_SECONDS:
    expected = g_strdup ("a number of seconds");
    break;
  case CLI_SIZE:
    expected = g_strdup ("a number of bytes, or one with K, M or G");
    break;
  case CLI_SHARE:
    expected = g_strdup ("K/N, share K from 1 to N");
    break;
  case CLI_LIST:
  case CLI_CONF:
  case CLI_TEXT:
    expected = g_strdup_printf ("%s", option->argument);
    break;
  case CLI_WRITTEN:
    expected = g_strdup_printf ("%s%s", option->argument,
                                *value ? " to write, not the name of a test, model or kernel" : "");
    hint = *value && *dash
               ? g_strdup_printf ("`%s%s %s %s`", dash, option->name, option->argument, value)
               : NULL;
    break;
  case CLI_PROGRESS:
    expected = g_strdup ("a progress model, or LEVEL=MODEL,…");
    hint = rsp_progress_hint ();
    break;
  case CLI_TOPIC:
    expected = g_strdup ("a topic");
    hint = topic_hint (value, option->words);
    break;
  default: {
    g_autofree char *list = g_strjoinv ("`, `", (char **) words);
    expected = g_strdup_printf ("one of `%s`", list);
    hint = rsp_did_you_mean (value, words);
  }
  }
  rsp_error (diagnostics, at, hint, "`%s%s`: expected %s, found `%s`", dash, option->name, expected,
             value);
}

static gboolean store_progress (GArray **models, const char *text) {
  RspProgress progress;
  if (g_str_equal (text, "all"))
    rsp_progress_append_all (*models);
  else if (rsp_progress_parse (text, &progress))
    rsp_progress_append (*models, &progress);
  else
    return FALSE;
  return TRUE;
}

gboolean cli_is_input_name (const char *path) {
  static const char *const endings[]
      = { ".litmus", ".cat", ".cl", ".comp", ".spvasm", ".spv", ".map", ".machine" };
  gboolean is_input = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    is_input |= g_str_has_suffix (path, endings[i]);
  return is_input;
}

static gboolean store_value (CliOptions *options, const CliOption *option, const char *value) {
  gpointer field = cli_option_field (options, option);
  guint64 number;
  int word;
  switch (option->kind) {
  case CLI_SWITCH:
    word = value ? find_word (value, booleans) : 1;
    if (word >= 0)
      *(int *) field = word ? *(int *) field + 1 : 0;
    return word >= 0;
  case CLI_BOOLEAN:
    word = find_word (value, booleans);
    if (word >= 0)
      *(gboolean *) field = word;
    return word >= 0;
  case CLI_WORD:
    word = find_word (value, option->words);
    if (word >= 0)
      *(guint *) field = (guint) word;
    return word >= 0;
  case CLI_NUMBER:
    if (!read_natural (value, option->most, &number) || number < option->least)
      return FALSE;
    *(guint *) field = (guint) number;
    return TRUE;
  case CLI_COUNT:
    return read_natural (value, G_MAXUINT64, field);
  case CLI_SECONDS:
    return read_seconds (value, field);
  case CLI_SIZE:
    return read_size (value, field);
  case CLI_TEXT:
  case CLI_WRITTEN:
    if (!*value || (option->kind == CLI_WRITTEN && cli_is_input_name (value)))
      return FALSE;
    g_free (*(char **) field);
    *(char **) field = g_strdup (value);
    return TRUE;
  case CLI_SHARE:
    return read_share (value, field);
  case CLI_PROGRESS:
    return store_progress (field, value);
  case CLI_FORM:
    word = value ? find_word (value, option->words) : CLI_FORMAT_LAYOUT;
    if (word >= 0)
      options->format = (guint) word;
    return word >= 0;
  case CLI_TOPIC: {
    /* -help TOPIC, or -help alone. */
    int topic = value ? find_word (value, option->words) : CLI_N_GROUPS;
    options->help++;
    options->topic = (guint) topic;
    return topic >= 0;
  }
  default:
    if (!*value)
      return FALSE;
    g_ptr_array_add (*(GPtrArray **) field, g_strdup (value));
    return TRUE;
  }
}

/* ---- -conf files ---- */
enum { MAX_CONF_DEPTH = 16 };

/* A value may be in double quotes, as in herd's files. */
static char *unquote (char *value) {
  gsize length = value ? strlen (value) : 0;
  if (length < 2 || value[0] != '"' || value[length - 1] != '"')
    return value;
  value[length - 1] = '\0';
  return value + 1;
}

/* The option by one of its names: `-skipchecks a,b` is a list, `-showone true` a number. */
static gboolean set_named (CliOptions *options, const CliOption *option, const char *name,
                           const char *value, RspSpan at, RspDiagnostics *diagnostics) {
  if (value && g_str_equal (name, "showone"))
    return g_str_equal (value, "false") || cli_option_set (options, option, "1", at, diagnostics);
  g_auto (GStrv) values
      = value && g_str_equal (name, "skipchecks") ? g_strsplit (value, ",", 0) : NULL;
  if (!values)
    return cli_option_set (options, option, value, at, diagnostics);
  for (guint i = 0; values[i]; i++)
    if (!cli_option_set (options, option, values[i], at, diagnostics))
      return FALSE;
  return TRUE;
}

/* Where the -conf file is that `at` names: beside the file of that line if not here. */
static char *conf_path (const char *name, RspSpan at) {
  g_autofree char *folder = at.source ? g_path_get_dirname (at.source->name) : NULL;
  return !folder || g_str_equal (folder, ".") || g_path_is_absolute (name)
                 || g_file_test (name, G_FILE_TEST_EXISTS)
             ? g_strdup (name)
             : g_build_filename (folder, name, NULL);
}

/* Reads a -conf file, in which each line sets an option; `at`: the line of another one that names
 * it. FALSE after an error, reported in diagnostics. */
static gboolean read_conf (CliOptions *options, const char *path, RspSpan at,
                           RspDiagnostics *diagnostics) {
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  guint n_models = options->models->len;
  if (options->conf_depth >= MAX_CONF_DEPTH) {
    rsp_error (diagnostics, at, NULL, "the configuration file `%s` is read within itself", path);
    return FALSE;
  }
  options->conf_depth++;
  g_autoptr (GString) drawings = g_string_new (NULL);
  g_autoptr (GArray) lines = cli_lines_read (path, at, diagnostics);
  for (guint i = 0; lines && i < lines->len; i++) {
    CliLine *line = &g_array_index (lines, CliLine, i);
    char *value = unquote (cli_line_split (line));
    const CliOption *option = cli_option_find (line->text);
    CliForeign foreign;
    if (option)
      set_named (options, option, line->text, value, line->span, diagnostics);
    else if (find_foreign (line->text, &foreign))
      cli_foreign_ignore (&foreign, line->span, drawings, diagnostics);
    else
      report_unknown (line->text, line->span, diagnostics);
  }
  options->conf_depth--;
  cli_foreign_report (drawings, diagnostics);
  /* Models of a file are kept separately, since those of the command line replace them. */
  for (guint i = n_models; i < options->models->len; i++)
    g_ptr_array_add (options->conf_models, g_strdup (options->models->pdata[i]));
  g_ptr_array_set_size (options->models, (int) n_models);
  return rsp_diagnostics_count_errors (diagnostics) == errors;
}

gboolean cli_option_set (CliOptions *options, const CliOption *option, const char *value,
                         RspSpan at, RspDiagnostics *diagnostics) {
  const char *dash = at.source ? "" : "-";
  gboolean needs_none
      = option->kind == CLI_SWITCH || option->kind == CLI_FORM || option->kind == CLI_TOPIC;
  if (!value && !needs_none) {
    rsp_error (diagnostics, at, NULL, "`%s%s` needs a value: `%s%s %s`", dash, option->name, dash,
               option->name, option->argument);
    return FALSE;
  }
  gboolean reads = option->kind == CLI_CONF && *value;
  g_autofree char *path = reads ? conf_path (value, at) : NULL;
  if (!cli_confined_allows (options, option, reads ? path : value, diagnostics))
    return FALSE;
  if (reads)
    return read_conf (options, path, at, diagnostics);
  if (store_value (options, option, value))
    return cli_confined_affords (options, option, diagnostics);
  report_value (option, value, at, diagnostics);
  return FALSE;
}

/* ---- Arguments ---- */
/* An argument that names an option, `-name` or `--name`, maybe with `=value`. Sets *name (newly
 * allocated) and *value (in argument, or NULL). */
static gboolean split_option (const char *argument, char **name, const char **value) {
  if (argument[0] != '-' || argument[1] == '\0')
    return FALSE;
  const char *start = argument + (argument[1] == '-' ? 2 : 1);
  const char *equals = strchr (start, '=');
  *name = equals ? g_strndup (start, (gsize) (equals - start)) : g_strdup (start);
  *value = equals ? equals + 1 : NULL;
  return TRUE;
}

/* The argument after an option that needs a value, unless it is itself an option's name; after one
 * that may do without, unless it looks like an option, or like a file where those are no values. */
static const char *following_value (const CliOption *option, const char *next) {
  g_autofree char *name = NULL;
  const char *value;
  if (option->kind == CLI_TOPIC && next && *next == '-')
    return NULL;
  if (option->kind == CLI_FORM && next && strpbrk (next, "-./"))
    return NULL;
  if (next && split_option (next, &name, &value) && cli_option_find (name))
    return NULL;
  return next;
}

/* Reads the option at arguments[*i] and its value; *i is then the last argument read. */
static gboolean parse_option (CliOptions *options, int n, char *const *arguments, int *i,
                              GString *drawings, RspDiagnostics *diagnostics) {
  g_autofree char *name = NULL;
  const char *value;
  split_option (arguments[*i], &name, &value);
  const CliOption *option = cli_option_find (name);
  CliForeign foreign;
  if (!option && find_foreign (name, &foreign)) {
    *i += foreign.takes_value && !value;
    cli_foreign_ignore (&foreign, RSP_NOWHERE, drawings, diagnostics);
    return TRUE;
  }
  if (!option) {
    report_unknown (name, RSP_NOWHERE, diagnostics);
    return FALSE;
  }
  if (!value && option->kind != CLI_SWITCH) {
    value = following_value (option, *i + 1 < n ? arguments[*i + 1] : NULL);
    *i += value != NULL;
  }
  return set_named (options, option, name, value, RSP_NOWHERE, diagnostics);
}

static gboolean parse_all (CliOptions *options, int n, char *const *arguments,
                           RspDiagnostics *diagnostics) {
  gboolean only_inputs = FALSE;
  g_autoptr (GString) drawings = g_string_new (NULL);
  for (int i = 0; i < n; i++) {
    if (!only_inputs && g_str_equal (arguments[i], "--"))
      only_inputs = TRUE;
    else if (!only_inputs && arguments[i][0] == '-' && arguments[i][1] != '\0') {
      if (!parse_option (options, n, arguments, &i, drawings, diagnostics))
        return FALSE;
    } else if (!*arguments[i]) {
      rsp_error (diagnostics, RSP_NOWHERE, NULL, "a test's name is empty");
      return FALSE;
    } else if (cli_confined_allows (options, NULL, arguments[i], diagnostics)) {
      /* `-compare A.log B.log`: after -compare, arguments that look like logs are logs. */
      gboolean is_log = options->compared->len && g_str_has_suffix (arguments[i], ".log");
      g_ptr_array_add (is_log ? options->compared : options->inputs, g_strdup (arguments[i]));
    } else
      return FALSE;
  }
  cli_foreign_report (drawings, diagnostics);
  return TRUE;
}

gboolean cli_options_parse (CliOptions *options, int n, char *const *arguments,
                            RspDiagnostics *diagnostics) {
  options->command = g_strjoinv (" ", (char **) arguments);
  if (!parse_all (options, n, arguments, diagnostics))
    return FALSE;
  if (options->models->len == 0)
    g_ptr_array_extend_and_steal (options->models, g_ptr_array_ref (options->conf_models));
  options->expect += options->promote;
  cli_extra_finish (options);
  return TRUE;
}
