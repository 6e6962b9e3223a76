#include "cli/options/confined.h"
#include "api/directories.h"

#include <string.h>

/* Does a value name something in the current folder itself? */
static gboolean is_plain (const char *value) {
  return !value || (!strchr (value, '/') && *value != '.');
}

gboolean cli_option_is_allowed (const CliOptions *options, const CliOption *option,
                                const char *value, RspDiagnostics *diagnostics) {
  static const char *const outside[] = { "run", "emit", "include", "serve", NULL };
  gboolean is_inside = option ? !g_strv_contains (outside, option->name)
                                    && (is_plain (value) || !cli_option_names_files (option))
                              : is_plain (value);
  if (!options->confined || is_inside)
    return TRUE;
  rsp_error (diagnostics, RSP_NOWHERE, NULL, "`%s%s` is outside what -confined allows",
             option ? "-" : "", option ? option->name : value);
  return FALSE;
}

void cli_confine (void) {
  const char *const here[] = { ".", NULL };
  g_auto (GStrv) models = rsp_directories ("cat", here, NULL);
  g_auto (GStrv) mappings = rsp_directories ("machine", NULL, NULL);
  rsp_source_confine ((const char *const *) models);
  rsp_source_confine ((const char *const *) mappings);
}
