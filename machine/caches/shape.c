#include "machine/caches/shape.h"
#include "parser/scopes.h"

#include <string.h>

#define CACHE                  LEVEL_CACHE
#define BUFFER                 LEVEL_BUFFER
#define LEVEL(name, per, kind) { name, RSP_SCOPE_##per, kind },
#define LEVELS(...)                                                                                \
  { __VA_ARGS__ }

const RspMachine rsp_machine_table[] = {
#define RSP_MACHINE(name, mapping, levels, readings, meaning)                                      \
  { name, mapping, levels, readings, meaning },
#include "machine/caches/machines.def"
#undef RSP_MACHINE
  { 0 }
};

const RspMachine *rsp_machine_find (const char *name) {
  for (const RspMachine *machine = rsp_machine_table; machine->name; machine++)
    if (strcmp (machine->name, name) == 0)
      return machine;
  return NULL;
}

void rsp_machine_readings (const RspMachine *machine, RspReadings *readings) {
  *readings = (RspReadings){ 0 };
  g_auto (GStrv) words = g_strsplit (machine->readings, " ", -1);
  for (guint i = 0; words[i]; i++) {
    g_autofree char *message = NULL;
    gboolean ok = !*words[i] || rsp_readings_set (readings, words[i], &message);
    g_assert (ok);
  }
}

/* ---- The caches for a test ---- */

/* "L1(P0,P1)" */
static char *name_node (const RspProgram *program, const Level *level, guint instance) {
  GString *name = g_string_new (level->name);
  char before = '(';
  for (guint t = 0; t < program->n_threads; t++)
    if (rsp_scope_node (program, t, level->per) == instance) {
      g_string_append_printf (name, "%c%s", before, program->threads[t].name);
      before = ',';
    }
  g_string_append_c (name, ')');
  return g_string_free (name, FALSE);
}

static guint find_node (Shape *shape, guint thread, guint level) {
  const Level *kind = &shape->machine->levels[level];
  guint instance = rsp_scope_node (shape->program, thread, kind->per);
  for (guint i = 0; i < shape->nodes->len; i++)
    if (shape_node (shape, i)->level == level && shape_node (shape, i)->instance == instance)
      return i;
  Node node = { .level = level,
                .first = thread,
                .instance = instance,
                .parent = shape_own (shape, thread, level + 1),
                .device = shape->program->threads[thread].place[RSP_LEVEL_DEVICE],
                .name = name_node (shape->program, kind, instance) };
  g_array_append_val (shape->nodes, node);
  return shape->nodes->len - 1;
}

static guint count_instances (const Shape *shape, guint level) {
  RspScope per = shape->machine->levels[level].per;
  guint n = 0;
  for (guint t = 0; t < shape->program->n_threads; t++) {
    guint instance = rsp_scope_node (shape->program, t, per), first = 0;
    while (rsp_scope_node (shape->program, first, per) != instance)
      first++;
    n += first == t;
  }
  return n;
}

void shape_init (Shape *shape, const RspMachine *machine, const RspProgram *program, guint least) {
  *shape = (Shape){ .machine = machine, .program = program };
  while (shape->kept < MOST_LEVELS && machine->levels[shape->kept].name)
    shape->kept++;
  guint n_levels = shape->kept;
  shape->nodes = g_array_new (FALSE, FALSE, sizeof (Node));
  Node memory = { .level = n_levels, .device = G_MAXUINT, .name = g_strdup ("MEM") };
  g_array_append_val (shape->nodes, memory);
  while (shape->kept > least && count_instances (shape, shape->kept - 1) == 1
         && machine->levels[shape->kept - 1].per >= RSP_SCOPE_DEVICE)
    shape->kept--;
  shape->own = g_new0 (guint, (gsize) program->n_threads * MOST_LEVELS);
  for (guint level = shape->kept; level-- > 0;)
    for (guint t = 0; t < program->n_threads; t++)
      shape->own[t * MOST_LEVELS + level] = find_node (shape, t, level);
}

void shape_clear (Shape *shape) {
  for (guint i = 0; i < shape->nodes->len; i++)
    g_free (shape_node (shape, i)->name);
  g_array_unref (shape->nodes);
  g_free (shape->own);
}

gboolean shape_is_below (const Shape *shape, guint node, guint above) {
  while (node != above && node != MEMORY)
    node = shape_node (shape, node)->parent;
  return node == above;
}

gboolean shape_is_inner (const Shape *shape, guint node) {
  return node != MEMORY
         && shape->machine->levels[shape_node (shape, node)->level].per <= RSP_SCOPE_WORK_GROUP;
}

gboolean shape_is_buffer (const Shape *shape, guint node) {
  return node != MEMORY
         && shape->machine->levels[shape_node (shape, node)->level].kind == LEVEL_BUFFER;
}
