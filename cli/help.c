/* -help, the man page, and completion for shells, from one table of options. */
#include "api/api.h"
#include "cli/extra.h"
#include "cli/internal.h"
#include "cli/options.h"
#include "generated/cli/version.h"

#include <string.h>

/* ---- Completion ----------------------------------------------------------------------------- */

/* ---- What may follow an option ---- */
typedef enum Value {
  NO_VALUE,
  WORDS,
  MODELS,
  MAPPINGS,
  FOLDERS,
  FILES,
  ANYTHING /* a number, a name of the model, … */
} Value;

/* By the name of the value in -help. */
static const struct {
  const char *argument;
  Value value;
} values[] = { { "F.cat", MODELS }, { "F.map", MAPPINGS }, { "DIR", FOLDERS },
               { "FILE", FILES },   { "F", FILES },        { "LOG", FILES } };

static Value value_of (const CliOption *option) {
  if (option->words || option->kind == CLI_BOOLEAN)
    return WORDS;
  if (option->kind == CLI_CONF)
    return FILES;
  for (guint i = 0; option->argument && i < G_N_ELEMENTS (values); i++)
    if (g_str_equal (option->argument, values[i].argument))
      return values[i].value;
  return option->argument ? ANYTHING : NO_VALUE;
}

gboolean cli_option_names_files (const CliOption *option) {
  Value value = value_of (option);
  return value == FOLDERS || value == FILES;
}

/* The first sentence of the help, without characters that are special to shells. */
static char *summary_of (const CliOption *option) {
  const char *end = strstr (option->help, ". ");
  g_autofree char *first
      = g_strndup (option->help, end ? (gsize) (end - option->help) : strlen (option->help));
  if (g_str_has_suffix (first, "."))
    first[strlen (first) - 1] = '\0';
  GString *summary = g_string_new (NULL);
  for (const char *c = first; *c; c++)
    if (*c == '\'')
      g_string_append (summary, "’");
    else if (!strchr ("`\"\\$[]", *c))
      g_string_append_c (summary, *c);
  return g_string_free (summary, FALSE);
}

static void each_option (void (*format) (const CliOption *, GString *), GString *out) {
  for (guint i = 0; i < cli_n_options (); i++)
    format (cli_option_at (i), out);
}

/* The words that the value may be, between two texts, or a shell's action for its kind. */
static void append_value (const CliOption *option, const char *before, const char *after,
                          const char *const *actions, GString *out) {
  static const char *const booleans[] = { "true", "false", NULL };
  const Value value = value_of (option);
  g_autofree char *words
      = value == WORDS ? g_strjoinv (" ", (char **) (option->words ? option->words : booleans))
                       : NULL;
  g_string_append_printf (out, "%s%s%s", words ? before : "", words ? words : actions[value],
                          words ? after : "");
}

/* ---- bash ---- */
static void bash_name (const CliOption *option, GString *out) {
  g_string_append_printf (out, " -%s", option->name);
}

static void bash_case (const CliOption *option, GString *out) {
  static const char *const actions[] = {
    [MODELS] = "_rspcheck_files cat; _rspcheck_models",
    [MAPPINGS] = "_rspcheck_files map",
    [FOLDERS] = "_rspcheck_folders",
    [FILES] = "_rspcheck_files",
    [ANYTHING] = ":",
  };
  if (value_of (option) == NO_VALUE)
    return;
  g_string_append_printf (out, "    %s) ", option->name);
  append_value (option, "_rspcheck_words '", "'", actions, out);
  g_string_append (out, "; return ;;\n");
}

static void format_bash (GString *out) {
  g_string_append (
      out,
      "# bash completion for rspcheck; written by `rspcheck -completion bash`.\n"
      "_rspcheck_words () { COMPREPLY+=($(compgen -W \"$1\" -- \"$cur\")); }\n"
      "_rspcheck_folders () { local IFS=$'\\n'; COMPREPLY+=($(compgen -d -S / -- \"$cur\")); "
      "compopt -o nospace 2>/dev/null; }\n"
      "# Files, of this suffix if one is given, and folders.\n"
      "_rspcheck_files () {\n  local IFS=$'\\n'\n"
      "  if [ -z \"$1\" ]; then COMPREPLY+=($(compgen -f -- \"$cur\")); return; fi\n"
      "  COMPREPLY+=($(compgen -f -X \"!*.$1\" -- \"$cur\"))\n"
      "  COMPREPLY+=($(compgen -d -S / -- \"$cur\"))\n}\n"
      "# The models that rspcheck finds by name.\n"
      "_rspcheck_models () {\n  local folder file\n"
      "  for folder in ${RSPCHECK_LIB//:/ } \"$(dirname \"$(command -v "
      "\"${COMP_WORDS[0]}\")\")\"/cat "
      "\"$(dirname \"$(command -v \"${COMP_WORDS[0]}\")\")\"/../share/rspcheck/cat; do\n"
      "    for file in \"$folder\"/*.cat; do\n"
      "      [ -e \"$file\" ] && _rspcheck_words \"${file##*/}\"\n"
      "    done\n  done\n}\n"
      "_rspcheck () {\n  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  COMPREPLY=()\n  [[ $prev == -* ]] || prev=\n  prev=${prev#-}\n  case ${prev#-} in\n");
  each_option (bash_case, out);
  g_string_append (out, "  esac\n  case $cur in\n    -*) _rspcheck_words '");
  each_option (bash_name, out);
  g_string_append (out, "' ;;\n    *) _rspcheck_files litmus ;;\n  esac\n}\n"
                        "complete -o filenames -F _rspcheck rspcheck\n");
}

/* ---- zsh ---- */
static void zsh_option (const CliOption *option, GString *out) {
  static const char *const actions[] = {
    [NO_VALUE] = "",
    [MODELS] = ":value:_rspcheck_models",
    [MAPPINGS] = ":value:_files -g \"*.map(-.)\"",
    [FOLDERS] = ":value:_files -/",
    [FILES] = ":value:_files",
    [ANYTHING] = ":value: ",
  };
  g_autofree char *summary = summary_of (option);
  g_autofree char *described = g_strdelimit (g_strdup (summary), ":", ';');
  g_string_append_printf (out, "  '*-%s[%s]", option->name, described);
  append_value (option, ":word:(", ")", actions, out);
  g_string_append (out, "' \\\n");
}

static void format_zsh (GString *out) {
  g_string_append (
      out, "#compdef rspcheck\n"
           "# zsh completion for rspcheck; written by `rspcheck -completion zsh`.\n"
           "_rspcheck_models () {\n  local folder=${$(whence -p rspcheck):h}\n"
           "  local -a models\n"
           "  models=(${folder}/cat/*.cat(N:t) ${folder}/../share/rspcheck/cat/*.cat(N:t))\n"
           "  compadd -a models\n  _files -g \"*.cat(-.)\"\n}\n"
           "_arguments \\\n");
  each_option (zsh_option, out);
  g_string_append (out, "  '*:test:_files -g \"*.litmus(-.)\"'\n");
}

/* ---- fish ---- */
static void fish_option (const CliOption *option, GString *out) {
  static const char *const actions[] = {
    [NO_VALUE] = "",
    [MODELS] = " -x -a '(__rspcheck_models; __fish_complete_suffix .cat)'",
    [MAPPINGS] = " -x -a '(__fish_complete_suffix .map)'",
    [FOLDERS] = " -x -a '(__fish_complete_directories)'",
    [FILES] = " -r -F",
    [ANYTHING] = " -x",
  };
  g_autofree char *summary = summary_of (option);
  g_string_append_printf (out, "complete -c rspcheck -o %s -d '%s'", option->name, summary);
  append_value (option, " -x -a '", "'", actions, out);
  g_string_append_c (out, '\n');
}

static void format_fish (GString *out) {
  g_string_append (out, "# fish completion for rspcheck; written by `rspcheck -completion fish`.\n"
                        "function __rspcheck_models\n"
                        "  set -l folder (dirname (command -s rspcheck))\n"
                        "  for file in $folder/cat/*.cat $folder/../share/rspcheck/cat/*.cat\n"
                        "    basename $file\n  end\nend\n"
                        "complete -c rspcheck -f -a '(__fish_complete_suffix .litmus)'\n");
  each_option (fish_option, out);
}

void cli_completion_format (CliShell shell, GString *out) {
  static void (*const formats[]) (GString *) = {
    [CLI_SHELL_BASH] = format_bash,
    [CLI_SHELL_ZSH] = format_zsh,
    [CLI_SHELL_FISH] = format_fish,
  };
  formats[shell](out);
}

/* ---- Help ----------------------------------------------------------------------------------- */

enum { TEXT_COLUMN = 26, LAST_COLUMN = 80 };

typedef struct Entry {
  const char *term, *text;
} Entry;

static const char purpose[] = "rspcheck computes the final states that a memory model allows for "
                              "small OpenCL and C programs "
                              "(litmus tests), and prints them in herd's format.";

/* Common tasks and their commands: -help. Each command can be run as it is where litmus/ is.
 * Folders of extra/ add theirs. */
static const Entry tasks[] = {
  { "What does a model allow?", "rspcheck -model opencl_rem.cat litmus/rsp/RSP_Test2.litmus" },
  { "Why, or why not? (-show prop draws it)",
    "rspcheck -explain -model opencl_rem.cat litmus/rsp/RSP_Test2.litmus" },
  { "How do models differ? (-html FILE: as a page for a browser)",
    "rspcheck -diff -model opencl.cat -model opencl_rem.cat litmus/rsp" },
};

static const Entry inputs[] = {
  { "TEST.litmus", "A litmus test." },
  { "DIR", "Every file below it that ends in .litmus, sorted." },
  { "@FILE",
    "An index: tests, directories and other indexes, one per line, relative to the file; `#` "
    "begins a comment." },
  { "-", "A litmus test from standard input." },
};

static const Entry statuses[] = {
  { "0", "Everything that was asked has its answer, whatever it says: No, Sometimes, a race." },
  { "1", "Something could not be read or was left unfinished (-timeout and other limits). The "
         "results of the others are printed nevertheless." },
  { "2", "The command line is wrong." },
  { "3", "What should hold does not. -expect: a result is not as expected. -machine, -compile: a "
         "test is unsound. -run: the device shows a state that is not allowed. -kernel: there are "
         "findings." },
  { "129, 130, 143",
    "Ended by SIGHUP, Ctrl-C or SIGTERM; -resume continues such a run. Searches of all programs "
    "(-distinguish, -minimal, …) then print what they have found and exit with 1, and "
    "-serve, which ends no other way, with 0." },
};

static const Entry variables[] = {
  { "RSPCHECK_LIB",
    "A directory of models, searched after the -I directories and the test's own directory." },
  { "NO_COLOR", "If set and not empty, messages on a terminal have no colours." },
};

static const char spelling[]
    = "Options may be written with one dash or two. Their values may follow as the next argument "
      "or "
      "after `=`. Options may appear anywhere; after `--` every argument is a test.";

/* ---- -help ---- */
/* Appends text in words, from column indent to last; the line is at column `at`. */
static void wrap (const char *text, gsize indent, gsize last, gsize at, GString *out) {
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  gboolean first = TRUE;
  for (guint i = 0; words[i]; i++, first = FALSE) {
    gsize length = (gsize) g_utf8_strlen (words[i], -1);
    if (at > indent && at + length + !first > last) {
      g_string_append_c (out, '\n');
      at = 0;
      first = TRUE;
    }
    gsize blanks = at < indent ? indent - at : !first;
    g_string_append_printf (out, "%*s%s", (int) blanks, "", words[i]);
    at += blanks + length;
  }
  g_string_append_c (out, '\n');
}

void cli_help_entry (const char *term, const char *text, gsize indent, gsize last, GString *out) {
  g_string_append_printf (out, "  %s", term);
  gsize at = 2 + strlen (term);
  if (at + 2 > indent) {
    g_string_append_c (out, '\n');
    at = 0;
  }
  wrap (text, indent, last, at, out);
}

static void help_entries (const char *title, const Entry *entries, guint n, GString *out) {
  g_string_append_printf (out, "\n%s:\n", title);
  for (guint i = 0; i < n; i++)
    cli_help_entry (entries[i].term, entries[i].text, TEXT_COLUMN, LAST_COLUMN, out);
}

static gboolean has_options (CliGroup group) {
  for (guint i = 0; i < cli_n_options (); i++)
    if (cli_option_at (i)->group == group)
      return TRUE;
  return FALSE;
}

static void help_group (CliGroup group, GString *out) {
  g_string_append_printf (out, "\n%s:\n", cli_topics[group].title);
  for (guint i = 0; i < cli_n_options (); i++) {
    const CliOption *option = cli_option_at (i);
    if (option->group != group)
      continue;
    g_autofree char *term = option->argument
                                ? g_strdup_printf ("-%s %s", option->name, option->argument)
                                : g_strdup_printf ("-%s", option->name);
    cli_help_entry (term, option->help, TEXT_COLUMN, LAST_COLUMN, out);
  }
}

static void help_head (GString *out) {
  g_string_append (out, "Usage: rspcheck [OPTION]... TEST...\n\n");
  wrap (purpose, 0, LAST_COLUMN, 0, out);
}

static void help_inputs (GString *out) {
  help_entries ("A TEST is", inputs, G_N_ELEMENTS (inputs), out);
}

/* Sections that belong to no option. */
static void help_rest (GString *out) {
  g_string_append_c (out, '\n');
  wrap (spelling, 0, LAST_COLUMN, 0, out);
  help_entries ("Exit status", statuses, G_N_ELEMENTS (statuses), out);
  help_entries ("Environment", variables, G_N_ELEMENTS (variables), out);
}

/* Names of guides as installed, in HTML: docs/synth.md becomes synth.html, docs/schema.json
 * schema.json. Newly allocated. */
static char *installed_names (const char *text) {
  g_auto (GStrv) parts = g_strsplit (text, "docs/", -1);
  for (char **part = parts; *part && *++part;) {
    gsize name = strspn (*part, "abcdefghijklmnopqrstuvwxyz-");
    if (!g_str_has_prefix (*part + name, ".md"))
      continue;
    char *page = g_strdup_printf ("%.*s.html%s", (int) name, *part, *part + name + 3);
    g_free (*part);
    *part = page;
  }
  return g_strjoinv (NULL, parts);
}

/* A guide's path, "docs/synth.md" in a checkout; where it is installed, the page. Newly allocated.
 */
static char *guide_path (const char *guide) {
  g_auto (GStrv) sources = rsp_directories ("docs", NULL, NULL);
  g_auto (GStrv) pages = rsp_directories ("../doc/rspcheck", NULL, NULL);
  g_autofree char *name = installed_names (guide);
  for (guint i = 0; pages[i] && !sources[0]; i++) {
    g_autofree char *page = g_build_filename (pages[i], name, NULL);
    char *whole = g_canonicalize_filename (page, NULL);
    if (g_file_test (whole, G_FILE_TEST_EXISTS))
      return whole;
    g_free (whole);
  }
  return g_strdup (guide);
}

void cli_help_format (GString *out) {
  help_head (out);
  g_string_append_c (out, '\n');
  for (guint i = 0; i < G_N_ELEMENTS (tasks); i++)
    g_string_append_printf (out, "%s\n  %s\n", tasks[i].term, tasks[i].text);
  for (guint i = 0; cli_extras[i]; i++)
    if (cli_extras[i]->task)
      g_string_append_printf (out, "%s\n  %s\n", cli_extras[i]->task, cli_extras[i]->example);
  g_string_append (out, "\nThe options, by topic: rspcheck -help TOPIC, or -help-all\n");
  for (CliGroup group = 0; group < CLI_N_GROUPS; group++)
    if (has_options (group))
      g_string_append_printf (out, "  %-10s%s\n", cli_topics[group].word, cli_topics[group].about);
  g_autofree char *first = guide_path ("docs/tutorial.md"), *folder = g_path_get_dirname (first);
  g_string_append_printf (out, "\nThe guides are in %s/: begin with %s.\n", folder, first);
}

void cli_help_format_topic (CliGroup group, GString *out) {
  g_string_append (out, "Usage: rspcheck [OPTION]... TEST...\n");
  if (group == CLI_TESTS)
    help_inputs (out);
  help_group (group, out);
  if (group == CLI_OTHER)
    help_rest (out);
  g_autofree char *guide = guide_path (cli_topics[group].guide);
  g_string_append_printf (out, "\nThe guide: %s. Other topics: rspcheck -help\n", guide);
}

void cli_help_format_all (GString *out) {
  help_head (out);
  help_inputs (out);
  for (CliGroup group = 0; group < CLI_N_GROUPS; group++)
    if (has_options (group))
      help_group (group, out);
  help_rest (out);
}

/* ---- Man page ---- */
/* Text for a man page: backslashes and dashes escaped, code between backquotes set bold. */
static void man_text (const char *text, GString *out) {
  gboolean bold = FALSE;
  g_autofree char *installed = installed_names (text);
  for (const char *c = installed; *c; c++)
    if (*c == '`') {
      bold = !bold;
      g_string_append (out, bold ? "\\fB" : "\\fR");
    } else if (*c == '-' || *c == '\\')
      g_string_append_printf (out, "\\%s", *c == '-' ? "-" : "e");
    else
      g_string_append_c (out, *c);
  g_string_append_c (out, '\n');
}

static void man_entry (const char *term, const char *argument, const char *text, GString *out) {
  g_string_append (out, ".TP\n\\fB");
  g_autoptr (GString) line = g_string_new (NULL);
  man_text (term, line);
  g_string_append_len (out, line->str, (gssize) line->len - 1);
  g_string_append (out, "\\fR");
  if (argument)
    g_string_append_printf (out, " \\fI%s\\fR", argument);
  g_string_append_c (out, '\n');
  man_text (text, out);
}

static void man_entries (const char *title, const Entry *entries, guint n, GString *out) {
  g_string_append_printf (out, ".SH %s\n", title);
  for (guint i = 0; i < n; i++)
    man_entry (entries[i].term, NULL, entries[i].text, out);
}

void cli_man_format (GString *out) {
  g_string_append (out, ".\\\" Written by `make docs` from cli/option_table.c and cli/help.c.\n"
                        ".TH RSPCHECK 1 \"\" \"rspcheck " RSP_VERSION "\" \"User commands\"\n"
                        ".SH NAME\nrspcheck \\- check litmus tests against memory models\n"
                        ".SH SYNOPSIS\n.B rspcheck\n[\\fIoption\\fR]... \\fItest\\fR...\n"
                        ".SH DESCRIPTION\n");
  man_text (purpose, out);
  man_entries ("TESTS", inputs, G_N_ELEMENTS (inputs), out);
  g_string_append (out, ".SH OPTIONS\n");
  man_text (spelling, out);
  for (CliGroup group = 0; group < CLI_N_GROUPS; group++)
    if (has_options (group)) {
      g_string_append_printf (out, ".SS %s\n", cli_topics[group].title);
      for (guint i = 0; i < cli_n_options (); i++) {
        const CliOption *option = cli_option_at (i);
        if (option->group != group)
          continue;
        g_autofree char *term = g_strdup_printf ("-%s", option->name);
        man_entry (term, option->argument, option->help, out);
      }
    }
  man_entries ("EXIT STATUS", statuses, G_N_ELEMENTS (statuses), out);
  man_entries ("ENVIRONMENT", variables, G_N_ELEMENTS (variables), out);
  g_string_append (
      out, ".SH FILES\nA model is looked for as given, then in the \\-I directories, "
           "next to the test, in $RSPCHECK_LIB, and among the models that come with "
           "rspcheck.\n.PP\n\\fBexpected.tsv\\fR next to tests has their expected "
           "results, one row per test and model, with cells separated by tabs: model, test, "
           "observation, positive, negative, states, flags. A \\fB\\-\\fR means any number, "
           "or no flag. Options may follow the model: \\fBhrf_rsp \\-variant "
           "subset\\fR.\n"
           ".SH EXAMPLE\n.nf\nrspcheck \\-model opencl.cat \\-timeout 60 "
           "litmus/rsp\n.fi\n"
           ".SH SEE ALSO\n\\fBrspcheck\\-litmus\\fR(5), the language of tests; "
           "\\fBrspcheck\\-cat\\fR(5), the language of models. The folder of documentation "
           "(share/doc/rspcheck below the prefix) has the guides, which begin at index.html and "
           "tutorial.html, the schemas of \\-json, and suites of tests as examples.\n");
}

/* ---- -version ---- */
void cli_version_format (GString *out) {
  g_string_append_printf (out, "rspcheck " RSP_VERSION "%s%s\n", *RSP_COMMIT ? ", commit " : "",
                          RSP_COMMIT);
}

void cli_news_format (GString *out) {
  cli_version_format (out);
  g_string_append (out, RSP_NEWS);
}
