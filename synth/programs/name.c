/* Names in the manner of the diy tools (Alglave, Maranget, Sarkar, Sewell, "Litmus: running tests
 * against hardware", TACAS 2011). */
#include "synth/programs/name.h"

#include "parser/scopes.h"
#include "synth/programs/alphabet.h"

#include <string.h>

/* Accesses thread by thread, `|` between threads; fences are left to the labels. Threads come as in
 * the canonical form of a program without fences (shapes.h): that is the order of the labels in a
 * name. With the locations at most RSP_SHAPE_EVENTS events. Z6.U: Lahav et al., "Repairing
 * sequential consistency in C/C++11", PLDI 2017. */
static const struct {
  const char *name, *accesses;
} known[] = {
  { "MP", "RxRy|WyWx" },        { "SB", "WxRy|WyRx" },         { "LB", "RxWy|RyWx" },
  { "S", "RxWy|WyWx" },         { "R", "WxRy|WyWx" },          { "2+2W", "WxWy|WyWx" },
  { "CoWW", "WxWx" },           { "CoRW1", "RxWx" },           { "CoWR0", "WxRx" },
  { "CoRR", "RxRx|Wx" },        { "CoRW2", "RxWx|Wx" },        { "CoWR", "WxRx|Wx" },
  { "CoRR2", "RxRx|Wx|Wx" },    { "WRC", "RxRy|RyWx|Wy" },     { "RWC", "RxRy|WyRx|Wx" },
  { "WWC", "RxWy|RyWx|Wx" },    { "WRW+2W", "RxWy|WyWx|Wx" },  { "WRR+2W", "RxRy|WyWx|Wx" },
  { "Z6.U", "WxRy|WyWx|UxRx" }, { "IRIW", "RxRy|RyRx|Wx|Wy" },
};

/* ---- Accesses ---- */

/* The accesses of the threads in this order, locations named as they come. */
static char *write_accesses (const RspShape *shape, const guint *order) {
  GString *text = g_string_new (NULL);
  guint8 names[RSP_SHAPE_EVENTS];
  guint named = 0;
  memset (names, 0xff, sizeof names);
  for (guint t = 0; t < shape->n_threads; t++) {
    if (t)
      g_string_append_c (text, '|');
    for (guint e = 0; e < shape->n_events; e++) {
      const RspShapeEvent *event = &shape->events[e];
      if (event->thread != order[t] || !rsp_shape_is_access (event) || rsp_shape_is_second (event))
        continue;
      if (names[event->location] == 0xff)
        names[event->location] = (guint8) named++;
      g_string_append_c (text, synth_letter (event));
      g_string_append (text, synth_location_name (names[event->location]));
      if (shape->local[event->location])
        g_string_append_c (text, 'l');
    }
  }
  return g_string_free (text, FALSE);
}

/* The name of the accesses where some order of the threads gives a known test. */
static const char *find_known (const RspShape *shape, guint *order, guint thread) {
  if (thread == shape->n_threads) {
    g_autofree char *accesses = write_accesses (shape, order);
    for (guint i = 0; i < G_N_ELEMENTS (known); i++)
      if (g_str_equal (known[i].accesses, accesses))
        return known[i].name;
    return NULL;
  }
  for (guint t = 0; t < shape->n_threads; t++) {
    gboolean used = FALSE;
    for (guint i = 0; i < thread; i++)
      used |= order[i] == t;
    order[thread] = t;
    const char *name = used ? NULL : find_known (shape, order, thread + 1);
    if (name)
      return name;
  }
  return NULL;
}

/* ---- The tree ---- */

static gboolean all_together (const RspShape *shape, RspLevel level) {
  for (guint t = 1; t < shape->n_threads; t++)
    if (!rsp_shape_share (shape, t, 0, level))
      return FALSE;
  return TRUE;
}

static gboolean all_apart (const RspShape *shape, RspLevel level) {
  for (guint s = 0; s < shape->n_threads; s++)
    for (guint t = 0; t < s; t++)
      if (rsp_shape_share (shape, s, t, level))
        return FALSE;
  return TRUE;
}

/* The outermost level at which two threads are in different nodes; RSP_LEVEL_THREAD if they share
 * every node. */
static RspLevel first_apart (const RspShape *shape, guint a, guint b) {
  RspLevel level = 0;
  while (level < RSP_N_LEVELS && rsp_shape_share (shape, a, b, level))
    level++;
  return level;
}

/* The separator between threads that are in different nodes of a level. */
static const char *separator (RspLevel level) {
  switch (level) {
  case RSP_LEVEL_DEVICE:
  case RSP_LEVEL_KERNEL: /* one per device */
  case RSP_LEVEL_SYSTEM:
    return ",";
  case RSP_LEVEL_WORK_GROUP:
    return ".";
  case RSP_LEVEL_SUB_GROUP:
    return "_";
  case RSP_LEVEL_THREAD:
    return "";
  }
  g_assert_not_reached ();
}

/* Among the remaining threads, the one that shares most with the one before; the first of
 * several. As a place in `order`. */
static guint nearest (const RspShape *shape, const guint *order, guint done, guint last) {
  guint best = G_MAXUINT;
  for (guint t = 0; t < shape->n_threads; t++)
    if (!(done >> t & 1)
        && (best == G_MAXUINT
            || first_apart (shape, order[t], order[last])
                   > first_apart (shape, order[best], order[last])))
      best = t;
  return best;
}

/* Threads in the order of their nodes: together, `_` between sub-groups, `.` between work-groups,
 * `,` between devices. */
static void append_tree (GString *text, const RspShape *shape, const guint *order) {
  guint done = 0, last = 0;
  for (guint n = 0; n < shape->n_threads; n++) {
    guint next = nearest (shape, order, done, last);
    RspLevel apart = first_apart (shape, order[next], order[last]);
    g_string_append_printf (text, "%s%u", n ? separator (apart) : "", next);
    done |= 1u << next;
    last = next;
  }
}

/* The short name of the level at which the threads are together and inside which they are apart. */
static const char *together_name (RspLanguageId language, RspLevel level) {
  const char *widest = "sys";
  for (;; level--) {
    for (guint i = 0; i < RSP_N_LANGUAGE_LEVELS; i++)
      if (rsp_language_levels[i].language == language) {
        widest = rsp_language_levels[i].word;
        if (rsp_language_levels[i].level + 1 == level)
          return widest;
      }
    if (level == 0 || !rsp_level_follows (level - 1))
      break;
  }
  return level ? rsp_levels[level - 1].short_word : widest;
}

static void append_place (GString *text, const RspShape *shape, const guint *order) {
  RspLevel level = 0;
  while (level < RSP_N_LEVELS && all_together (shape, level))
    level++;
  g_string_append_c (text, '-');
  if (shape->n_threads == 1)
    g_string_append (text, "wi");
  else if (level < RSP_N_LEVELS && !all_apart (shape, level))
    append_tree (text, shape, order);
  else
    g_string_append (text, together_name (shape->language, level));
}

/* ---- Labels ---- */

/* ".data" when it is on the last load before the event, else with the load's register: ".data0". */
static void append_dependency (GString *text, const SynthProgram *program, guint event,
                               const char *what, guint8 load) {
  const RspShape *shape = &program->shape;
  guint last = event;
  if (!load)
    return;
  g_string_append_printf (text, ".%s", what);
  while (!rsp_shape_is_read (&shape->events[--last]))
    ;
  if (last != load - 1u)
    g_string_append_printf (text, "%u", synth_register_number (program, load - 1u));
}

/* ".ctrl", and the value if it is not 1: ".ctrl0=2". */
static void append_dependencies (GString *text, const SynthProgram *program, guint e) {
  const RspShapeEvent *event = &program->shape.events[e];
  append_dependency (text, program, e, "addr", event->addr);
  append_dependency (text, program, e, "data", event->data);
  append_dependency (text, program, e, "ctrl", event->guard);
  guint value = synth_write_value (program, rsp_shape_event (&program->shape, event->guard_value));
  if (event->guard && value != 1)
    g_string_append_printf (text, "=%u", value);
}

typedef enum Style {
  STYLE_C,
  STYLE_OPENCL, /* with scopes */
  STYLE_SHAPE   /* no labels: letters of the events instead */
} Style;

/* A barrier's word is "b", its order if it has a choice of them, and its scope where that is not
 * the work-group's. */
static void append_label (GString *text, RspLanguageId language, const RspShapeEvent *what,
                          const RspLabel *label, gboolean opencl) {
  const SynthAlphabet *alphabet = synth_alphabet (language);
  SynthKind kind = synth_kind (what);
  gboolean barrier = kind == SYNTH_BARRIER;
  if (kind == SYNTH_FENCE)
    g_string_append (text, "f.");
  g_string_append (text, barrier ? "b" : alphabet->orders[label->order]);
  if (barrier && label->tags && label->order != RSP_ORDER_RELAXED)
    g_string_append_printf (text, ".%s", alphabet->orders[label->order]);
  if (barrier ? label->scope != RSP_SCOPE_WORK_GROUP : opencl && label->order != RSP_ORDER_NA)
    g_string_append_printf (text, "%s%s", label->tags && label->remote ? "" : ".",
                            alphabet->scopes[label->scope]);
  if (label->tags && label->remote)
    g_string_append_printf (text, ".%s", alphabet->proxies[label->remote]);
  else if (label->remote)
    g_string_append (text, ".rem");
}

static char *event_word (const SynthProgram *program, guint event, Style style) {
  const RspShapeEvent *what = &program->shape.events[event];
  GString *text = g_string_new (NULL);
  if (style == STYLE_SHAPE)
    g_string_append_c (text, synth_letter (what));
  else
    append_label (text, program->shape.language, what, &program->labels[event],
                  style == STYLE_OPENCL);
  if (rsp_shape_is_access (what) && what->address)
    g_string_append (text, ".alias");
  if (!rsp_shape_is_access (what) && what->flags != RSP_FENCE_GLOBAL)
    g_string_append (text, what->flags == RSP_FENCE_LOCAL ? ".local" : ".both");
  append_dependencies (text, program, event);
  return g_string_free (text, FALSE);
}

static void append_labels (GString *text, const SynthProgram *program, guint thread, Style style) {
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  gboolean same = TRUE;
  for (guint e = 0; e < program->shape.n_events; e++)
    if (program->shape.events[e].thread == thread
        && !rsp_shape_is_second (&program->shape.events[e])) {
      same &= rsp_shape_is_access (&program->shape.events[e]);
      g_ptr_array_add (words, event_word (program, e, style));
    }
  for (guint i = 1; i < words->len; i++)
    same &= g_str_equal (words->pdata[i], words->pdata[0]);
  if (same)
    g_ptr_array_set_size (words, 1);
  for (guint i = 0; i < words->len; i++)
    g_string_append_printf (text, "%s%s", i ? "-" : "+", (char *) words->pdata[i]);
}

static char *format_name (const SynthProgram *program, gboolean opencl, Style style) {
  const RspShape *shape = &program->shape;
  guint order[RSP_SHAPE_EVENTS] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  g_autofree char *accesses = write_accesses (shape, order);
  const char *name = find_known (shape, order, 0);
  for (guint t = 0; t < shape->n_threads && !name; t++)
    order[t] = t;
  GString *text = g_string_new (name ? name : g_strdelimit (accesses, "|", '.'));
  if (opencl)
    append_place (text, shape, order);
  for (guint t = 0; t < shape->n_threads; t++)
    append_labels (text, program, order[t], style);
  return g_string_free (text, FALSE);
}

char *rsp_synth_program_name (const SynthProgram *program, gboolean opencl) {
  return format_name (program, opencl, opencl ? STYLE_OPENCL : STYLE_C);
}

char *rsp_synth_shape_name (const RspShape *shape, gboolean opencl) {
  SynthProgram program = { .shape = *shape };
  return format_name (&program, opencl, STYLE_SHAPE);
}
