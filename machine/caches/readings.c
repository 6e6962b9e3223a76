#include "machine/caches/readings.h"

#include "base/suggest.h"

#include <string.h>

#define UNWRAP(...) __VA_ARGS__
#define RSP_READING(field, name, words, meaning)                                                   \
  static const char *const field##_words[] = { UNWRAP words, NULL };
#include "machine/caches/readings.def"
#undef RSP_READING

const RspReading rsp_reading_table[] = {
#define RSP_READING(field, name, words, meaning)                                                   \
  { name, G_STRUCT_OFFSET (RspReadings, field), field##_words, meaning },
#include "machine/caches/readings.def"
#undef RSP_READING
  { NULL, 0, NULL, NULL }
};

/* The message for a word that is not one of `words`. */
static char *complain (const char *what, const char *word, const char *const *words) {
  g_autofree char *list = g_strjoinv ("`, `", (char **) words);
  g_autofree char *hint = rsp_did_you_mean (word, words);
  return g_strdup_printf ("%s `%s`: expected `%s`%s%s", what, word, list, hint ? "; " : "",
                          hint ? hint : "");
}

gboolean rsp_readings_set (RspReadings *readings, const char *text, char **message) {
  const char *equals = strchr (text, '=');
  g_autofree char *name = equals ? g_strndup (text, (gsize) (equals - text)) : g_strdup (text);
  const char *names[G_N_ELEMENTS (rsp_reading_table)] = { NULL };
  for (guint i = 0; rsp_reading_table[i].name; i++) {
    const RspReading *reading = &rsp_reading_table[i];
    names[i] = reading->name;
    if (strcmp (reading->name, name) != 0)
      continue;
    for (guint k = 0; equals && reading->words[k]; k++)
      if (strcmp (reading->words[k], equals + 1) == 0) {
        G_STRUCT_MEMBER (guint8, readings, reading->offset) = (guint8) k;
        return TRUE;
      }
    *message = complain (name, equals ? equals + 1 : "", reading->words);
    return FALSE;
  }
  *message = complain ("no such reading:", name, names);
  return FALSE;
}

char *rsp_readings_format (const RspReadings *readings) {
  GString *out = g_string_new (NULL);
  for (const RspReading *reading = rsp_reading_table; reading->name; reading++) {
    guint8 value = G_STRUCT_MEMBER (guint8, readings, reading->offset);
    if (value)
      g_string_append_printf (out, "%s%s=%s", out->len ? " " : "", reading->name,
                              reading->words[value]);
  }
  return g_string_free (out, FALSE);
}
