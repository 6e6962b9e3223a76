#include "cli/options/completion.h"
#include "cli/options/options.h"

#include <string.h>

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

static const char *const booleans[] = { "true", "false", NULL };

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

static char *words_of (const CliOption *option) {
  return g_strjoinv (" ", (char **) (option->words ? option->words : booleans));
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
  for (guint i = 0; i < cli_n_options; i++)
    format (&cli_option_table[i], out);
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
  Value value = value_of (option);
  if (value == NO_VALUE)
    return;
  g_string_append_printf (out, "    %s) ", option->name);
  if (value == WORDS) {
    g_autofree char *words = words_of (option);
    g_string_append_printf (out, "_rspcheck_words '%s'", words);
  } else
    g_string_append (out, actions[value]);
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
    [MODELS] = "_rspcheck_models",
    [MAPPINGS] = "_files -g \"*.map(-.)\"",
    [FOLDERS] = "_files -/",
    [FILES] = "_files",
    [ANYTHING] = " ",
  };
  g_autofree char *summary = summary_of (option);
  g_autofree char *described = g_strdelimit (g_strdup (summary), ":", ';');
  Value value = value_of (option);
  g_string_append_printf (out, "  '*-%s[%s]", option->name, described);
  if (value == WORDS) {
    g_autofree char *words = words_of (option);
    g_string_append_printf (out, ":word:(%s)", words);
  } else if (value != NO_VALUE)
    g_string_append_printf (out, ":value:%s", actions[value]);
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
  Value value = value_of (option);
  g_string_append_printf (out, "complete -c rspcheck -o %s -d '%s'", option->name, summary);
  if (value == WORDS) {
    g_autofree char *words = words_of (option);
    g_string_append_printf (out, " -x -a '%s'", words);
  } else
    g_string_append (out, actions[value]);
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
