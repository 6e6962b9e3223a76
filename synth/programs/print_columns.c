/* Programs as tests in columns. */
#include "synth/programs/print_columns.h"
#include "synth/programs/alphabet.h"
#include "synth/programs/name.h"

#include <string.h>

/* ---- Memory: a name per proxy ---- */

/* "x", "x_texture"; by the second virtual address "x2", "x2_texture" */
static char *location_name (const SynthProgram *program, guint location, guint address,
                            guint proxy) {
  const char *proxy_word = proxy ? synth_alphabet (program->shape.language)->proxies[proxy] : "";
  return g_strconcat (synth_location_name (location), address ? "2" : "", proxy ? "_" : "",
                      proxy_word, NULL);
}

/* By this address, and if proxy is not 0, by this proxy? */
static gboolean is_accessed (const SynthProgram *program, guint location, guint address,
                             guint proxy) {
  const RspShape *shape = &program->shape;
  for (guint e = 0; e < shape->n_events; e++)
    if (rsp_shape_is_access (&shape->events[e]) && shape->events[e].location == location
        && shape->events[e].address == address && (!proxy || program->labels[e].remote == proxy))
      return TRUE;
  return FALSE;
}

static void append_alias (GString *text, const char *name, const char *proxy, const char *target) {
  g_string_append_printf (text, " %s%s%s aliases %s;", name, *proxy ? " @ " : "", proxy, target);
}

static void append_memory (GString *text, const SynthProgram *program) {
  const SynthAlphabet *alphabet = synth_alphabet (program->shape.language);
  g_string_append (text, "{");
  for (guint x = 0; x < program->shape.n_locations; x++) {
    g_string_append_printf (text, " %s=0;", synth_location_name (x));
    for (guint address = 0; address < 2; address++) {
      g_autofree char *own = location_name (program, x, address, 0);
      if (address && is_accessed (program, x, address, 0))
        append_alias (text, own, alphabet->proxies[0], synth_location_name (x));
      for (guint proxy = 1; alphabet->proxies[proxy]; proxy++)
        if (is_accessed (program, x, address, proxy)) {
          g_autofree char *name = location_name (program, x, address, proxy);
          append_alias (text, name, alphabet->proxies[proxy], own);
        }
    }
  }
  g_string_append (text, " }\n");
}

/* ---- The table ---- */

static char *format_place (const RspShape *shape, guint thread) {
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "P%u@", thread);
  const char *separator = "";
  for (guint i = 0; i < RSP_N_LANGUAGE_LEVELS; i++) {
    const RspLanguageLevel *level = &rsp_language_levels[i];
    if (level->language != shape->language || !rsp_language_level_is_written (level))
      continue;
    g_string_append_printf (text, "%s%s %u", separator, level->word,
                            shape->places[thread].node[level->level]);
    separator = ", ";
  }
  return g_string_free (text, FALSE);
}

static char *format_event (const SynthProgram *program, guint e) {
  const RspShapeEvent *event = &program->shape.events[e];
  const RspLabel *label = &program->labels[e];
  g_autofree char *word = synth_instruction (program->shape.language, synth_kind (event), label);
  if (!rsp_shape_is_access (event))
    return rsp_shape_is_barrier (event) ? g_strconcat (word, " 0", NULL) : g_steal_pointer (&word);
  g_autofree char *x = location_name (program, event->location, event->address, label->remote);
  GString *cell = g_string_new (word);
  if (rsp_shape_is_read (event))
    g_string_append_printf (cell, " r%u,", synth_register_number (program, e));
  g_string_append_printf (cell, " %s", x);
  if (rsp_shape_is_write (&event[event->half]))
    g_string_append_printf (
        cell, ", %u",
        synth_write_value (program, rsp_shape_event (&program->shape, e + event->half)));
  return g_string_free (cell, FALSE);
}

/* The cells of a thread: its place, then its events. */
static GPtrArray *format_column (const SynthProgram *program, guint thread) {
  GPtrArray *cells = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (cells, format_place (&program->shape, thread));
  for (guint e = 0; e < program->shape.n_events; e++)
    if (program->shape.events[e].thread == thread
        && !rsp_shape_is_second (&program->shape.events[e]))
      g_ptr_array_add (cells, format_event (program, e));
  return cells;
}

static guint width_of (const GPtrArray *cells) {
  guint width = 0;
  for (guint i = 0; i < cells->len; i++)
    width = MAX (width, (guint) strlen (cells->pdata[i]));
  return width;
}

static void append_table (GString *text, const SynthProgram *program) {
  GPtrArray *columns[RSP_SHAPE_EVENTS];
  guint n = program->shape.n_threads, rows = 0;
  for (guint t = 0; t < n; t++) {
    columns[t] = format_column (program, t);
    rows = MAX (rows, columns[t]->len);
  }
  for (guint row = 0; row < rows; row++) {
    for (guint t = 0; t < n; t++)
      g_string_append_printf (text, "%s%-*s", t ? " | " : " ", (int) width_of (columns[t]),
                              row < columns[t]->len ? (char *) columns[t]->pdata[row] : "");
    g_string_append (text, " ;\n");
  }
  for (guint t = 0; t < n; t++)
    g_ptr_array_unref (columns[t]);
}

/* ---- The whole ---- */

void synth_append_comment (GString *text, const char *comment) {
  if (!comment)
    return;
  g_auto (GStrv) lines = g_strsplit (comment, "\n", -1);
  guint n = g_strv_length (lines);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s%s\n", i ? "   " : "(* ", lines[i], i + 1 < n ? "" : " *)");
  g_string_append_c (text, '\n');
}

char *synth_columns_print (const SynthProgram *program, const char *comment,
                           const char *condition) {
  g_autofree char *name = rsp_synth_program_name (program, TRUE);
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "%s %s\n", rsp_languages[program->shape.language].word, name);
  synth_append_comment (text, comment);
  append_memory (text, program);
  append_table (text, program);
  g_string_append_printf (text, "exists (%s)\n", condition);
  return g_string_free (text, FALSE);
}
