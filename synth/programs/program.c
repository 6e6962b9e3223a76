#include "synth/programs/program.h"
#include "parser/scopes.h"

#include "synth/programs/alphabet.h"
#include "synth/programs/space.h"

#include <string.h>

/* ---- Codes: per event a group of digits, per thread its nodes ---- */

enum {
  HALVES = RSP_EVENT_BARRIER + 1 /* above the kinds: those of halves of a read-modify-write */
};

char *rsp_synth_program_code (const SynthProgram *program) {
  const RspShape *shape = &program->shape;
  GString *text = g_string_new (NULL);
  for (guint e = 0; e < shape->n_events; e++) {
    const RspShapeEvent *event = &shape->events[e];
    const RspLabel *label = &program->labels[e];
    guint where = rsp_shape_is_access (event) ? event->address : event->flags;
    g_string_append_printf (text, "%s%u%u%u%u%u%u%u%u%u%u%u", e ? "." : "", event->thread,
                            (guint) (event->half ? HALVES + event->kind : event->kind),
                            event->location, where, label->order, label->scope, label->remote,
                            event->addr, event->data, event->guard, event->guard_value);
  }
  for (guint t = 0; t < shape->n_threads; t++) {
    g_string_append_c (text, t ? '.' : '-');
    for (guint level = RSP_N_LEVELS; level-- > 0;)
      if (!rsp_level_follows ((RspLevel) level))
        g_string_append_printf (text, "%u", shape->places[t].node[level]);
  }
  g_string_append_c (text, '-');
  for (guint x = 0; x < shape->n_locations; x++)
    g_string_append_c (text, shape->local[x] ? 'l' : 'g');
  if (rsp_languages[shape->language].tagged)
    g_string_append_printf (text, "-%s", rsp_languages[shape->language].word);
  return g_string_free (text, FALSE);
}

/* Digits of one group, each below its limit. */
static gboolean read_digits (const char *text, const guint *limits, guint n, guint *digits) {
  if (strlen (text) != n)
    return FALSE;
  for (guint i = 0; i < n; i++) {
    if (!g_ascii_isdigit (text[i]) || (guint) (text[i] - '0') >= limits[i])
      return FALSE;
    digits[i] = (guint) (text[i] - '0');
  }
  return TRUE;
}

/* The label that the digits say. FALSE if the event has none such. */
static gboolean read_label (const SynthProgram *program, const RspShapeEvent *event,
                            const guint *digits, RspLabel *label) {
  RspLanguageId language = program->shape.language;
  *label = (RspLabel){ (guint8) digits[0], (guint8) digits[1], (guint8) digits[2], 0, 0 };
  if (!rsp_languages[language].tagged)
    return digits[2] <= 1;
  *label = synth_tagged_label (language, synth_kind (event), digits[0], digits[1], digits[2]);
  return label->tags != 0;
}

/* What is read as flags is an access's address. */
static void take_address (RspShapeEvent *event) {
  if (!rsp_shape_is_access (event))
    return;
  event->address = event->flags;
  event->flags = 0;
}

static gboolean read_events (const char *text, SynthProgram *program) {
  static const guint limits[] = { RSP_SHAPE_EVENTS,
                                  HALVES + RSP_EVENT_WRITE + 1,
                                  RSP_SHAPE_EVENTS,
                                  4,
                                  RSP_ORDER_SEQ_CST + 1,
                                  RSP_N_SCOPES,
                                  5, /* proxies */
                                  9,
                                  9,
                                  9,
                                  8 };
  g_auto (GStrv) groups = g_strsplit (text, ".", -1);
  guint n = g_strv_length (groups), d[G_N_ELEMENTS (limits)];
  if (n == 0 || n > RSP_SHAPE_EVENTS)
    return FALSE;
  program->shape.n_events = n;
  for (guint e = 0; e < n; e++) {
    if (!read_digits (groups[e], limits, G_N_ELEMENTS (limits), d))
      return FALSE;
    program->shape.events[e] = (RspShapeEvent){ .kind = (RspEventKind) (d[1] % HALVES),
                                                .thread = (guint8) d[0],
                                                .location = (guint8) d[2],
                                                .half = d[1] >= HALVES,
                                                .flags = (guint8) d[3],
                                                .addr = (guint8) d[7],
                                                .data = (guint8) d[8],
                                                .guard = (guint8) d[9],
                                                .guard_value = (guint8) d[10] };
    take_address (&program->shape.events[e]);
    if (!read_label (program, &program->shape.events[e], &d[4], &program->labels[e]))
      return FALSE;
  }
  return TRUE;
}

/* The digits of a thread's nodes, from inside out; a level that follows has none. */
static gboolean read_place (const char *text, guint8 *node) {
  guint limits[RSP_N_LEVELS], digits[RSP_N_LEVELS], n = 0;
  for (guint level = 0; level < RSP_N_LEVELS; level++)
    if (!rsp_level_follows ((RspLevel) level))
      limits[n++] = RSP_SHAPE_EVENTS;
  if (!read_digits (text, limits, n, digits))
    return FALSE;
  for (guint level = 0; level < RSP_N_LEVELS; level++)
    node[level] = rsp_level_follows ((RspLevel) level) ? node[level - 1] : (guint8) digits[--n];
  return TRUE;
}

static gboolean read_places (const char *text, RspShape *shape) {
  g_auto (GStrv) groups = g_strsplit (text, ".", -1);
  shape->n_threads = g_strv_length (groups);
  if (shape->n_threads == 0 || shape->n_threads > SYNTH_MAX_THREADS)
    return FALSE;
  for (guint t = 0; t < shape->n_threads; t++)
    if (!read_place (groups[t], shape->places[t].node))
      return FALSE;
  return TRUE;
}

/* Is 1 + load, or 0, a dependency that event e may have? */
static gboolean is_dependency (const RspShape *shape, guint e, guint dependency) {
  return dependency == 0
         || (dependency <= e && rsp_shape_is_read (&shape->events[dependency - 1])
             && shape->events[dependency - 1].thread == shape->events[e].thread);
}

/* Are this event and the next one those of an operation? */
static gboolean begins_two (const RspShape *shape, guint e) {
  const RspShapeEvent *first = &shape->events[e], *second = first + 1;
  return e + 1 < shape->n_events && first->thread == second->thread
         && first->location == second->location && first->address == second->address
         && (first->half ? first->kind == RSP_EVENT_READ && second->half
                         : first->kind == RSP_EVENT_ENTRY)
         && rsp_shape_is_second (second);
}

/* Has the operation that the event belongs to as many events as in the language? */
static gboolean is_whole (const RspShape *shape, guint e) {
  const RspShapeEvent *event = &shape->events[e];
  if (synth_length (shape->language, synth_kind (event)) == 2)
    return synth_labelled_event (shape, e) == e ? begins_two (shape, e)
                                                : e > 0 && begins_two (shape, e - 1);
  return !event->half && event->kind != RSP_EVENT_ENTRY && event->kind != RSP_EVENT_EXIT;
}

static gboolean is_event (const RspShape *shape, guint e) {
  const RspShapeEvent *event = &shape->events[e];
  return event->thread < shape->n_threads
         && (!rsp_shape_is_access (event) || event->location < shape->n_locations)
         && event->address <= rsp_languages[shape->language].tagged
         && is_dependency (shape, e, event->addr) && is_dependency (shape, e, event->data)
         && is_dependency (shape, e, event->guard) && event->guard_value < shape->n_events
         && is_whole (shape, e);
}

/* word: of a language with tags; NULL: OpenCL. */
static gboolean read_language (const char *word, RspShape *shape) {
  guint language = 0;
  while (word && language < RSP_N_LANGUAGES
         && !(rsp_languages[language].tagged && strcmp (rsp_languages[language].word, word) == 0))
    language++;
  shape->language = (RspLanguageId) language;
  return language < RSP_N_LANGUAGES;
}

gboolean rsp_synth_program_decode (const char *code, SynthProgram *program) {
  memset (program, 0, sizeof *program);
  RspShape *shape = &program->shape;
  g_auto (GStrv) parts = g_strsplit (code, "-", -1);
  guint n_parts = g_strv_length (parts);
  if (n_parts < 3 || n_parts > 4 || !read_language (parts[3], shape)
      || !read_events (parts[0], program) || !read_places (parts[1], shape)
      || strlen (parts[2]) > RSP_SHAPE_EVENTS)
    return FALSE;
  shape->n_locations = (guint) strlen (parts[2]);
  for (guint x = 0; x < shape->n_locations; x++)
    shape->local[x] = parts[2][x] == 'l';
  for (guint e = 0; e < shape->n_events; e++)
    if (!is_event (shape, e))
      return FALSE;
  return shape->n_events + shape->n_locations <= RSP_SHAPE_EVENTS;
}

/* ---- Registers and values ---- */

guint synth_register_number (const SynthProgram *program, guint event) {
  const RspShapeEvent *events = program->shape.events;
  guint n = 0;
  for (guint e = 0; e < event; e++)
    n += events[e].thread == events[event].thread && rsp_shape_is_read (&events[e]);
  return n;
}

const char *synth_location_name (guint location) {
  static const char *const names[RSP_SHAPE_EVENTS] = { "x", "y", "z", "w", "v", "u", "t", "s" };
  return names[location];
}

/* write: numbered with the initial writes first. */
guint synth_write_value (const SynthProgram *program, guint write) {
  const RspShape *shape = &program->shape;
  guint value = 0;
  if (write < shape->n_locations)
    return 0;
  guint event = write - shape->n_locations;
  for (guint e = 0; e <= event; e++)
    value += rsp_shape_is_write (&shape->events[e])
             && shape->events[e].location == shape->events[event].location;
  return value;
}

static guint count_writes (const RspShape *shape, guint location) {
  guint n = 0;
  for (guint e = 0; e < shape->n_events; e++)
    n += rsp_shape_is_write (&shape->events[e]) && shape->events[e].location == location;
  return n;
}

gboolean synth_location_is_atomic (const SynthProgram *program, guint location) {
  const RspShape *shape = &program->shape;
  for (guint e = 0; e < shape->n_events; e++)
    if (rsp_shape_is_access (&shape->events[e]) && shape->events[e].location == location
        && program->labels[e].order != RSP_ORDER_NA)
      return TRUE;
  return FALSE;
}

char *rsp_synth_outcome_format (const SynthProgram *program, const RspShapeOutcome *outcome) {
  const RspShape *shape = &program->shape;
  GString *text = g_string_new (NULL);
  for (guint e = 0; e < shape->n_events; e++)
    if (rsp_shape_is_read (&shape->events[e]))
      g_string_append_printf (text, "%s%u:r%u=%u", text->len ? " /\\ " : "",
                              shape->events[e].thread, synth_register_number (program, e),
                              synth_write_value (program, outcome->source[e]));
  for (guint x = 0; x < shape->n_locations; x++)
    if (count_writes (shape, x) > 1)
      g_string_append_printf (text, "%s%s=%u", text->len ? " /\\ " : "", synth_location_name (x),
                              synth_write_value (program, outcome->last[x]));
  return g_string_free (text, FALSE);
}
