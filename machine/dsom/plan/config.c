#include "machine/dsom/plan/config.h"

#include <string.h>

enum { DEFAULT_THRESHOLD = 2, MOST_THRESHOLD = 250 };

static const char *const strategies[] = { "batch", "balance", "lazy", "adaptive", NULL };

#define DSOM_READING(field, name, meaning, ...)                                                    \
  static const char *const field##_words[] = { __VA_ARGS__, NULL };
#include "machine/dsom/plan/config.def"

const RspDsomReading rsp_dsom_readings[] = {
#define DSOM_READING(field, name, meaning, ...)                                                    \
  { name, meaning, field##_words, G_STRUCT_OFFSET (RspDsomConfig, field) },
#include "machine/dsom/plan/config.def"
  { NULL, NULL, NULL, 0 }
};

RspDsomConfig rsp_dsom_config_default (void) {
  return (RspDsomConfig){ .strategy = RSP_DSOM_LAZY, .threshold = DEFAULT_THRESHOLD };
}

/* The index of a word in the list, or -1 with a message. */
static int find_word (const char *what, const char *word, const char *const *words,
                      char **message) {
  for (int i = 0; words[i]; i++)
    if (g_str_equal (word, words[i]))
      return i;
  g_autofree char *list = g_strjoinv ("`, `", (char **) words);
  *message = g_strdup_printf ("no such %s: `%s`; there are `%s`", what, word, list);
  return -1;
}

gboolean rsp_dsom_config_set_strategy (RspDsomConfig *config, const char *text, char **message) {
  g_auto (GStrv) parts = g_strsplit (text, ":", 2);
  int strategy = find_word ("strategy", parts[0] ? parts[0] : "", strategies, message);
  if (strategy < 0)
    return FALSE;
  config->strategy = (RspDsomStrategy) strategy;
  if (!parts[1])
    return TRUE;
  guint64 threshold;
  if (config->strategy == RSP_DSOM_ADAPTIVE
      && g_ascii_string_to_unsigned (parts[1], 10, 0, MOST_THRESHOLD, &threshold, NULL)) {
    config->threshold = (guint) threshold;
    return TRUE;
  }
  *message = config->strategy == RSP_DSOM_ADAPTIVE
                 ? g_strdup_printf ("`%s` is not a number from 0 to %d", parts[1], MOST_THRESHOLD)
                 : g_strdup_printf ("only `adaptive` takes a number, as in `adaptive:2`");
  return FALSE;
}

static guint *field_of (RspDsomConfig *config, const RspDsomReading *reading) {
  return (guint *) ((char *) config + reading->offset);
}

gboolean rsp_dsom_config_set_reading (RspDsomConfig *config, const char *text, char **message) {
  g_auto (GStrv) parts = g_strsplit (text, "=", 2);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (const RspDsomReading *reading = rsp_dsom_readings; reading->name; reading++) {
    g_ptr_array_add (names, (gpointer) reading->name);
    if (!parts[0] || !parts[1] || !g_str_equal (parts[0], reading->name))
      continue;
    int word = find_word (reading->name, parts[1], reading->words, message);
    if (word >= 0)
      *field_of (config, reading) = (guint) word;
    return word >= 0;
  }
  g_ptr_array_add (names, NULL);
  g_autofree char *list = g_strjoinv ("`, `", (char **) names->pdata);
  *message = g_strdup_printf ("the machine dsom has the readings `%s`, as in `ranges=over`", list);
  return FALSE;
}

char *rsp_dsom_config_strategy (const RspDsomConfig *config) {
  if (config->strategy == RSP_DSOM_ADAPTIVE)
    return g_strdup_printf ("adaptive:%u", config->threshold);
  return g_strdup (strategies[config->strategy]);
}

char *rsp_dsom_config_readings (const RspDsomConfig *config) {
  GString *text = g_string_new (NULL);
  for (const RspDsomReading *reading = rsp_dsom_readings; reading->name; reading++) {
    guint word = *field_of ((RspDsomConfig *) config, reading);
    if (word)
      g_string_append_printf (text, "%s%s=%s", text->len ? " " : "", reading->name,
                              reading->words[word]);
  }
  return g_string_free (text, FALSE);
}
