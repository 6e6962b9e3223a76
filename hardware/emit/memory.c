/* An instance's memory: its initial contents, and what is read from it at the end. */
#include "hardware/emit/memory.h"
#include "hardware/emit/text.h"
#include "parser/format.h"

static char *cell_text (const Emitter *e, guint location) {
  guint object = e->program->locations[location].object;
  g_autofree char *address = emit_object (e, object);
  return g_strdup_printf ("%s[%u]", address, location - object);
}

/* Which work-group has the local object: that of the threads with such a parameter. */
static gboolean group_has (const RspProgram *program, guint group, guint object) {
  for (guint i = 0; i < program->n_threads; i++)
    for (guint k = 0; k < program->threads[i].n_parameters; k++)
      if (program->threads[i].parameters[k].object == object
          && layout_group (program, &program->threads[i]) == group)
        return TRUE;
  return FALSE;
}

static void emit_initial_cells (Emitter *e, RspSpace space, guint group) {
  for (guint i = 0; i < e->program->n_locations; i++) {
    const RspLocation *location = &e->program->locations[i];
    if (layout_space (e->program, location->object) != space
        || (space == RSP_SPACE_LOCAL && !group_has (e->program, group, location->object)))
      continue;
    g_autofree char *cell = cell_text (e, i);
    g_autofree char *value = emit_initial (e, &location->type, location->initial);
    emit_line (e, "%s = %s;", cell, value);
  }
}

static gboolean has_local_memory (const Emitter *e) {
  return layout_total (e->program, RSP_SPACE_LOCAL) > 0;
}

static void begin_group (Emitter *e, guint group) {
  emit_line (e, "  if (group == %u)", group);
  emit_line (e, "    {");
  e->indent = 3;
}

static void end_group (Emitter *e) {
  e->indent = 0;
  emit_line (e, "    }");
}

/* begin (group, c): initialises the group's local memory. */
static void emit_begin (Emitter *e) {
  emit_line (e, "CODE void\ntest%u_begin (unsigned group, CONTEXT c)\n{", e->number);
  for (guint g = 0; has_local_memory (e) && g < layout_n_groups (e->program); g++) {
    begin_group (e, g);
    emit_initial_cells (e, RSP_SPACE_LOCAL, g);
    end_group (e);
  }
  emit_line (e, "}\n");
}

static char *value_text (const Emitter *e, guint location) {
  g_autofree char *cell = cell_text (e, location);
  return emit_result (e, &e->program->locations[location].type, cell);
}

/* finish (group, c): reports the observables in local memory. */
static void emit_finish (Emitter *e) {
  const RspProgram *program = e->program;
  emit_line (e, "CODE void\ntest%u_finish (unsigned group, CONTEXT c)\n{", e->number);
  for (guint g = 0; has_local_memory (e) && g < layout_n_groups (program); g++) {
    begin_group (e, g);
    for (guint i = 0; i < program->n_observables; i++) {
      const RspObservable *o = &program->observables[i];
      if (o->is_register || layout_result (program, i) == G_MAXUINT
          || !group_has (program, g, program->locations[o->location].object))
        continue;
      g_autofree char *value = value_text (e, o->location);
      emit_line (e, "RESULT (%u) = %s;", layout_result (program, i), value);
    }
    end_group (e);
  }
  emit_line (e, "}\n");
}

/* state (c, state): collects all observables. */
static void emit_state (Emitter *e) {
  const RspProgram *program = e->program;
  emit_line (e, "CODE void\ntest%u_state (CONTEXT c, STATE state)\n{", e->number);
  e->indent = 1;
  for (guint i = 0; i < program->n_observables; i++) {
    guint result = layout_result (program, i);
    g_autofree char *value = result == G_MAXUINT ? value_text (e, program->observables[i].location)
                                                 : g_strdup_printf ("RESULT (%u)", result);
    emit_line (e, "state[%u] = %s;", i, value);
  }
  e->indent = 0;
  emit_line (e, "}\n");
}

static void emit_reset (Emitter *e) {
  emit_line (e, "CODE void\ntest%u_reset (CONTEXT c)\n{", e->number);
  e->indent = 1;
  emit_initial_cells (e, RSP_SPACE_GLOBAL, 0);
  e->indent = 0;
  emit_line (e, "}\n");
}

static gboolean observes_pointers (const RspProgram *program) {
  for (guint i = 0; i < program->n_observables; i++)
    if (rsp_observable_type (program, &program->observables[i])->pointers)
      return TRUE;
  return FALSE;
}

/* address (c, p): the number of the location at p, from 1; 0 for NULL, -1 for none. */
static void emit_numbering (Emitter *e) {
  const char *space = e->target->spaces[RSP_SPACE_GLOBAL];
  if (!observes_pointers (e->program))
    return;
  emit_line (e, "CODE int64_t\ntest%u_address (CONTEXT c, const %s void *p)\n{", e->number, space);
  for (guint i = 0; i < e->program->n_locations; i++) {
    if (layout_space (e->program, e->program->locations[i].object) == RSP_SPACE_LOCAL)
      continue;
    g_autofree char *cell = cell_text (e, i);
    emit_line (e, "  if (p == (const %s void *) &%s)\n    return %u;", space, cell, i + 1);
  }
  emit_line (e, "  return p ? -1 : 0;\n}\n");
}

/* value (c, v): v, or if it is the address of a location of the instance, what the model has for
 * it. For languages in which any value may be an address. */
static void emit_recognition (Emitter *e) {
  if (!e->program->language->tagged)
    return;
  emit_line (e, "CODE int64_t\ntest%u_value (CONTEXT c, int64_t v)\n{", e->number);
  for (guint i = 0; i < e->program->n_locations; i++) {
    g_autofree char *cell = cell_text (e, i);
    emit_line (e, "  if (v == (int64_t) &%s)\n    return INT64_C (0x%" G_GINT64_MODIFIER "x);",
               cell, rsp_address (i, 0));
  }
  emit_line (e, "  return v;\n}\n");
}

void emit_memory (Emitter *e) {
  emit_numbering (e);
  emit_recognition (e);
  emit_begin (e);
  emit_finish (e);
  emit_state (e);
  emit_reset (e);
}
