#include "synth/programs/program.h"

#include "synth/programs/space.h"

#include <string.h>

static gboolean
is_read (const RspShapeEvent *event)
{
  return event->kind == RSP_EVENT_READ || event->kind == RSP_EVENT_RMW;
}

static gboolean
is_write (const RspShapeEvent *event)
{
  return event->kind == RSP_EVENT_WRITE || event->kind == RSP_EVENT_RMW;
}

/* ---- Codes: per event a group of digits, per thread its nodes ---- */

char *
synth_program_code (const SynthProgram *program)
{
  const RspShape *shape = &program->shape;
  GString *text = g_string_new (NULL);
  for (guint e = 0; e < shape->n_events; e++)
    {
      const RspShapeEvent *event = &shape->events[e];
      const RspLabel *label = &program->labels[e];
      g_string_append_printf (text, "%s%u%u%u%u%u%u%u", e ? "." : "", event->thread,
                              (guint) event->kind, event->location, event->flags, label->order,
                              label->scope, label->remote);
    }
  for (guint t = 0; t < shape->n_threads; t++)
    g_string_append_printf (text, "%s%u%u%u", t ? "." : "-", shape->places[t].sub_group,
                            shape->places[t].work_group, shape->places[t].device);
  g_string_append_c (text, '-');
  for (guint x = 0; x < shape->n_locations; x++)
    g_string_append_c (text, shape->local[x] ? 'l' : 'g');
  return g_string_free (text, FALSE);
}

/* Digits of one group, each below its limit. */
static gboolean
read_digits (const char *text, const guint *limits, guint n, guint *digits)
{
  if (strlen (text) != n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      if (!g_ascii_isdigit (text[i]) || (guint) (text[i] - '0') >= limits[i])
        return FALSE;
      digits[i] = (guint) (text[i] - '0');
    }
  return TRUE;
}

static gboolean
read_events (const char *text, SynthProgram *program)
{
  static const guint limits[] = {
    RSP_SHAPE_EVENTS, SYNTH_KINDS, RSP_SHAPE_EVENTS, 4, RSP_ORDER_SEQ_CST + 1, RSP_SCOPE_ALL + 1, 2
  };
  g_auto (GStrv) groups = g_strsplit (text, ".", -1);
  guint n = g_strv_length (groups), d[G_N_ELEMENTS (limits)];
  if (n == 0 || n > RSP_SHAPE_EVENTS)
    return FALSE;
  program->shape.n_events = n;
  for (guint e = 0; e < n; e++)
    {
      if (!read_digits (groups[e], limits, G_N_ELEMENTS (limits), d))
        return FALSE;
      program->shape.events[e]
          = (RspShapeEvent){ (RspEventKind) d[1], (guint8) d[0], (guint8) d[2], (guint8) d[3] };
      program->labels[e] = (RspLabel){ (guint8) d[4], (guint8) d[5], (guint8) d[6] };
    }
  return TRUE;
}

static gboolean
read_places (const char *text, RspShape *shape)
{
  static const guint limits[] = { RSP_SHAPE_EVENTS, RSP_SHAPE_EVENTS, RSP_SHAPE_EVENTS };
  g_auto (GStrv) groups = g_strsplit (text, ".", -1);
  guint d[3];
  shape->n_threads = g_strv_length (groups);
  if (shape->n_threads == 0 || shape->n_threads > RSP_SHAPE_EVENTS)
    return FALSE;
  for (guint t = 0; t < shape->n_threads; t++)
    {
      if (!read_digits (groups[t], limits, 3, d))
        return FALSE;
      shape->places[t] = (RspShapePlace){ (guint8) d[0], (guint8) d[1], (guint8) d[2] };
    }
  return TRUE;
}

gboolean
synth_program_decode (const char *code, SynthProgram *program)
{
  memset (program, 0, sizeof *program);
  RspShape *shape = &program->shape;
  g_auto (GStrv) parts = g_strsplit (code, "-", -1);
  if (g_strv_length (parts) != 3 || !read_events (parts[0], program)
      || !read_places (parts[1], shape) || strlen (parts[2]) > RSP_SHAPE_EVENTS)
    return FALSE;
  shape->n_locations = (guint) strlen (parts[2]);
  for (guint x = 0; x < shape->n_locations; x++)
    shape->local[x] = parts[2][x] == 'l';
  for (guint e = 0; e < shape->n_events; e++)
    if (shape->events[e].thread >= shape->n_threads
        || (shape->events[e].kind != RSP_EVENT_FENCE
            && shape->events[e].location >= shape->n_locations))
      return FALSE;
  return shape->n_events + shape->n_locations <= RSP_SHAPE_EVENTS;
}

/* ---- Registers and values ---- */

guint
synth_register_number (const SynthProgram *program, guint event)
{
  const RspShapeEvent *events = program->shape.events;
  guint n = 0;
  for (guint e = 0; e < event; e++)
    n += events[e].thread == events[event].thread && is_read (&events[e]);
  return n;
}

const char *
synth_location_name (guint location)
{
  static const char *const names[RSP_SHAPE_EVENTS] = { "x", "y", "z", "w", "v", "u", "t", "s" };
  return names[location];
}

/* write: numbered with the initial writes first. */
guint
synth_write_value (const SynthProgram *program, guint write)
{
  const RspShape *shape = &program->shape;
  guint value = 0;
  if (write < shape->n_locations)
    return 0;
  guint event = write - shape->n_locations;
  for (guint e = 0; e <= event; e++)
    value += is_write (&shape->events[e])
             && shape->events[e].location == shape->events[event].location;
  return value;
}

static guint
count_writes (const RspShape *shape, guint location)
{
  guint n = 0;
  for (guint e = 0; e < shape->n_events; e++)
    n += is_write (&shape->events[e]) && shape->events[e].location == location;
  return n;
}

gboolean
synth_location_is_atomic (const SynthProgram *program, guint location)
{
  const RspShape *shape = &program->shape;
  for (guint e = 0; e < shape->n_events; e++)
    if (shape->events[e].kind != RSP_EVENT_FENCE && shape->events[e].location == location
        && program->labels[e].order != RSP_ORDER_NA)
      return TRUE;
  return FALSE;
}

char *
synth_outcome_format (const SynthProgram *program, const RspShapeOutcome *outcome)
{
  const RspShape *shape = &program->shape;
  GString *text = g_string_new (NULL);
  for (guint e = 0; e < shape->n_events; e++)
    if (is_read (&shape->events[e]))
      g_string_append_printf (text, "%s%u:r%u=%u", text->len ? " /\\ " : "",
                              shape->events[e].thread, synth_register_number (program, e),
                              synth_write_value (program, outcome->source[e]));
  for (guint x = 0; x < shape->n_locations; x++)
    if (count_writes (shape, x) > 1)
      g_string_append_printf (text, "%s%s=%u", text->len ? " /\\ " : "", synth_location_name (x),
                              synth_write_value (program, outcome->last[x]));
  return g_string_free (text, FALSE);
}
