/* The table of options for programs, as the workbench's page. */
#include "cli/options/help.h"
#include "cli/options/options.h"
#include "base/json.h"

static JsonNode *words_of (const CliOption *option) {
  JsonArray *words = json_array_new ();
  for (guint i = 0; option->words[i]; i++)
    rsp_json_add (words, rsp_json_text (option->words[i]));
  return rsp_json_list (words);
}

void cli_help_format_json (GString *out) {
  JsonArray *all = json_array_new ();
  for (guint i = 0; i < cli_n_options; i++) {
    const CliOption *option = &cli_option_table[i];
    rsp_json_add (all, rsp_json_object ("name", rsp_json_text (option->name), "topic",
                                        rsp_json_text (cli_topics[option->group].word), "argument",
                                        option->argument ? rsp_json_text (option->argument) : NULL,
                                        "words", option->words ? words_of (option) : NULL, "help",
                                        rsp_json_text (option->help), NULL));
  }
  g_autoptr (JsonNode) list = rsp_json_list (all);
  rsp_json_append_line (list, out);
}
