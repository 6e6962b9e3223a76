#include "cli/options/foreign.h"
#include "cli/options/options.h"
#include "base/suggest.h"
#include "cli/options/conf.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const RspSpan nowhere = { NULL, 0, 0 };

CliOptions *
cli_options_new (void)
{
  CliOptions *options = g_new0 (CliOptions, 1);
  GPtrArray **lists[]
      = { &options->inputs,          &options->conf_models, &options->models,
          &options->directories,     &options->variants,    &options->skipped_checks,
          &options->names,           &options->kinds,       &options->conditions,
          &options->compared,        &options->mappings,    &options->readings,
          &options->outcomes,        &options->drawn,       &options->hidden,
          &options->edge_attributes, &options->strategies };
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    *lists[i] = g_ptr_array_new_with_free_func (g_free);
  rsp_check_options_init (&options->check);
  options->most_shown = 5;
  options->format = CLI_FORMAT_NOT_GIVEN;
  options->log_undefined = TRUE;
  options->run = options->emit = RSP_N_TARGETS;
  options->seed = 1;
  options->init_writes = TRUE;
  options->max_states = 2000000;
  options->max_input = RSP_SOURCE_LARGE;
  options->jobs = 0; /* the machine's cores */
  return options;
}

void
cli_options_free (CliOptions *options)
{
  if (!options)
    return;
  GPtrArray *lists[]
      = { options->inputs,     options->conf_models,    options->models,   options->directories,
          options->variants,   options->skipped_checks, options->names,    options->kinds,
          options->conditions, options->compared,       options->mappings, options->readings,
          options->outcomes,   options->drawn,          options->hidden,   options->edge_attributes,
          options->strategies };
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    g_ptr_array_unref (lists[i]);
  g_free (options->command);
  g_free (options->machine);
  g_free (options->logs);
  g_free (options->html);
  g_free (options->sources);
  g_free (options->resume);
  g_free (options->costs);
  g_free (options->bounds.kinds);
  g_free (options->bounds.orders);
  g_free (options->bounds.scopes);
  g_free (options->bounds.remote);
  g_free (options->bounds.trees);
  g_free (options->bounds.dependencies);
  g_free (options);
}

const CliOption *
cli_option_find (const char *name)
{
  if (g_str_equal (name, "h"))
    name = "help";
  if (g_str_equal (name, "w"))
    name = "q";
  for (guint i = 0; i < cli_n_options; i++)
    if (g_str_equal (cli_option_table[i].name, name))
      return &cli_option_table[i];
  return NULL;
}

void
cli_option_unknown (const char *name, RspSpan at, RspDiagnostics *diagnostics)
{
  g_autofree const char **names = g_new0 (const char *, cli_n_options + 1);
  guint n = 0;
  for (guint i = 0; i < cli_n_options; i++)
    if (cli_option_table[i].kind != CLI_LATER)
      names[n++] = cli_option_table[i].name;
  const char *near = rsp_nearest (name, names);
  const char *dash = at.source ? "" : "-";
  const char *instead = cli_option_of_herd (name);
  if (instead)
    {
      rsp_report (diagnostics, at.source ? RSP_WARNING : RSP_ERROR, at, instead,
                  "`%s%s` is an option of herd that has no meaning here", dash, name);
      return;
    }
  g_autofree char *hint = near ? g_strdup_printf ("did you mean `%s%s`?", dash, near)
                               : g_strdup ("`rspcheck -help` lists the options");
  rsp_error (diagnostics, at, hint, "unknown option `%s%s`", dash, name);
}

/* ---- Values ---- */

/* Digits only, at most limit. */
static gboolean
read_natural (const char *text, guint64 limit, guint64 *number)
{
  return g_ascii_isdigit (*text) && g_ascii_string_to_unsigned (text, 10, 0, limit, number, NULL);
}

static gboolean
read_seconds (const char *text, double *seconds)
{
  char *end;
  errno = 0;
  if (!g_ascii_isdigit (*text) && *text != '.')
    return FALSE;
  *seconds = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && errno == 0 && isfinite (*seconds) && *seconds <= 1e9;
}

/* A number of bytes; K, M, G are powers of 1024. */
static gboolean
read_size (const char *text, gsize *bytes)
{
  static const char suffixes[] = "KMG";
  gsize length = strlen (text);
  guint shift = 0;
  g_autofree char *digits = g_strdup (text);
  const char *suffix = length ? strchr (suffixes, g_ascii_toupper (text[length - 1])) : NULL;
  if (suffix && *suffix)
    {
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
static gboolean
read_share (const char *text, CliShard *share)
{
  g_auto (GStrv) parts = g_strsplit (text, "/", 3);
  guint64 number, of;
  if (g_strv_length (parts) != 2 || !read_natural (parts[1], 1000000, &of)
      || !read_natural (parts[0], of, &number) || number == 0)
    return FALSE;
  *share = (CliShard){ (guint) number, (guint) of };
  return TRUE;
}

/* Index of text in words, or -1. */
static int
find_word (const char *text, const char *const *words)
{
  for (int i = 0; words[i]; i++)
    if (g_str_equal (text, words[i]))
      return i;
  return -1;
}

static const char *const booleans[] = { "false", "true", NULL };

static void
report_value (const CliOption *option, const char *value, RspSpan at, RspDiagnostics *diagnostics)
{
  const char *dash = at.source ? "" : "-";
  const char *const *words = option->kind == CLI_WORD ? option->words : booleans;
  g_autofree char *hint = NULL;
  g_autofree char *expected = NULL;
  switch (option->kind)
    {
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
    default:
      {
        g_autofree char *list = g_strjoinv ("`, `", (char **) words);
        expected = g_strdup_printf ("one of `%s`", list);
        hint = rsp_did_you_mean (value, words);
      }
    }
  rsp_error (diagnostics, at, hint, "`%s%s`: expected %s, found `%s`", dash, option->name, expected,
             value);
}

static gboolean
store_value (CliOptions *options, const CliOption *option, const char *value)
{
  gpointer field = G_STRUCT_MEMBER_P (options, option->offset);
  guint64 number;
  int word;
  switch (option->kind)
    {
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
      if (!*value)
        return FALSE;
      g_free (*(char **) field);
      *(char **) field = g_strdup (value);
      return TRUE;
    case CLI_SHARE:
      return read_share (value, field);
    default:
      if (!*value)
        return FALSE;
      g_ptr_array_add (*(GPtrArray **) field, g_strdup (value));
      return TRUE;
    }
}

gboolean
cli_option_set (CliOptions *options, const CliOption *option, const char *value, RspSpan at,
                RspDiagnostics *diagnostics)
{
  const char *dash = at.source ? "" : "-";
  if (option->kind == CLI_LATER)
    {
      rsp_error (diagnostics, at, NULL, "`%s%s` is not in this version of rspcheck yet", dash,
                 option->name);
      return FALSE;
    }
  if (!value && option->kind != CLI_SWITCH)
    {
      rsp_error (diagnostics, at, NULL, "`%s%s` needs a value: `%s%s %s`", dash, option->name, dash,
                 option->name, option->argument);
      return FALSE;
    }
  if (option->kind == CLI_CONF && !at.source && *value)
    return cli_conf_read (options, value, diagnostics);
  if (option->kind == CLI_CONF && at.source)
    {
      rsp_error (diagnostics, at, NULL, "`%s` cannot be used in a configuration file",
                 option->name);
      return FALSE;
    }
  if (store_value (options, option, value))
    return TRUE;
  report_value (option, value, at, diagnostics);
  return FALSE;
}

/* ---- Arguments ---- */

/* An argument that names an option, `-name` or `--name`, maybe with `=value`. Sets *name (newly
 * allocated) and *value (in argument, or NULL). */
static gboolean
split_option (const char *argument, char **name, const char **value)
{
  if (argument[0] != '-' || argument[1] == '\0')
    return FALSE;
  const char *start = argument + (argument[1] == '-' ? 2 : 1);
  const char *equals = strchr (start, '=');
  *name = equals ? g_strndup (start, (gsize) (equals - start)) : g_strdup (start);
  *value = equals ? equals + 1 : NULL;
  return TRUE;
}

/* The argument after an option that needs a value, unless it is itself an option's name. */
static const char *
following_value (const char *next)
{
  g_autofree char *name = NULL;
  const char *value;
  if (next && split_option (next, &name, &value) && cli_option_find (name))
    return NULL;
  return next;
}

/* Reads the option at arguments[*i] and its value; *i is then the last argument read. */
static gboolean
parse_option (CliOptions *options, int n, char *const *arguments, int *i,
              RspDiagnostics *diagnostics)
{
  g_autofree char *name = NULL;
  const char *value;
  split_option (arguments[*i], &name, &value);
  const CliOption *option = cli_option_find (name);
  if (!option)
    {
      cli_option_unknown (name, nowhere, diagnostics);
      return FALSE;
    }
  if (!value && option->kind != CLI_SWITCH && option->kind != CLI_LATER)
    {
      value = following_value (*i + 1 < n ? arguments[*i + 1] : NULL);
      *i += value != NULL;
    }
  return cli_option_set (options, option, value, nowhere, diagnostics);
}

/* `-compare A.log B.log`: after -compare, arguments that look like logs are logs. */
static void
add_input (CliOptions *options, const char *argument)
{
  gboolean is_log = options->compared->len && g_str_has_suffix (argument, ".log");
  g_ptr_array_add (is_log ? options->compared : options->inputs, g_strdup (argument));
}

static gboolean
parse_all (CliOptions *options, int n, char *const *arguments, RspDiagnostics *diagnostics)
{
  gboolean only_inputs = FALSE;
  for (int i = 0; i < n; i++)
    {
      if (!only_inputs && g_str_equal (arguments[i], "--"))
        only_inputs = TRUE;
      else if (!only_inputs && arguments[i][0] == '-' && arguments[i][1] != '\0')
        {
          if (!parse_option (options, n, arguments, &i, diagnostics))
            return FALSE;
        }
      else if (!*arguments[i])
        {
          rsp_error (diagnostics, nowhere, NULL, "a test's name is empty");
          return FALSE;
        }
      else
        add_input (options, arguments[i]);
    }
  return TRUE;
}

gboolean
cli_options_parse (CliOptions *options, int n, char *const *arguments, RspDiagnostics *diagnostics)
{
  options->command = g_strjoinv (" ", (char **) arguments);
  if (!parse_all (options, n, arguments, diagnostics))
    return FALSE;
  if (options->models->len == 0)
    g_ptr_array_extend_and_steal (options->models, g_ptr_array_ref (options->conf_models));
  options->expect += options->promote;
  if (options->strategies->len && !options->machine)
    options->machine = g_strdup ("dsom");
  return TRUE;
}
