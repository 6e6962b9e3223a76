#include "hardware/layout.h"
#include "parser/scopes.h"

static guint bytes_of (const RspType *type) { return type->pointers ? 8 : MAX (type->bits / 8, 1); }

guint layout_unit (const RspProgram *program) {
  guint most = 4;
  for (guint i = 0; i < program->n_locations; i++)
    most = MAX (most, bytes_of (&program->locations[i].type));
  return most;
}

guint layout_units (const RspProgram *program, guint object) {
  const RspLocation *location = &program->locations[object];
  guint unit = layout_unit (program);
  return (bytes_of (&location->type) * location->n_elements + unit - 1) / unit;
}

RspSpace layout_space (const RspProgram *program, guint object) {
  return program->locations[object].type.space == RSP_SPACE_LOCAL ? RSP_SPACE_LOCAL
                                                                  : RSP_SPACE_GLOBAL;
}

static guint units_below (const RspProgram *program, guint end, RspSpace space) {
  guint units = 0;
  for (guint i = 0; i < end; i++)
    if (program->locations[i].object == i && layout_space (program, i) == space)
      units += layout_units (program, i);
  return units;
}

guint layout_before (const RspProgram *program, guint object) {
  return units_below (program, object, layout_space (program, object));
}

guint layout_total (const RspProgram *program, RspSpace space) {
  return units_below (program, program->n_locations, space);
}

/* ---- Results ---- */

static gboolean is_reported (const RspProgram *program, const RspObservable *observable) {
  return observable->is_register
         || layout_space (program, program->locations[observable->location].object)
                == RSP_SPACE_LOCAL;
}

static guint reported_below (const RspProgram *program, guint end) {
  guint n = 0;
  for (guint i = 0; i < end; i++)
    n += is_reported (program, &program->observables[i]);
  return n;
}

guint layout_result (const RspProgram *program, guint observable) {
  return is_reported (program, &program->observables[observable])
             ? reported_below (program, observable)
             : G_MAXUINT;
}

guint layout_n_results (const RspProgram *program) {
  return reported_below (program, program->n_observables);
}

/* ---- Groups ---- */

static gboolean is_before (const RspThread *a, const RspThread *b) {
  return !rsp_threads_share (a, b, RSP_LEVEL_DEVICE)
             ? a->place[RSP_LEVEL_DEVICE] < b->place[RSP_LEVEL_DEVICE]
             : a->place[RSP_LEVEL_WORK_GROUP] < b->place[RSP_LEVEL_WORK_GROUP];
}

/* Is the thread the first of its work-group? */
static gboolean is_first (const RspProgram *program, const RspThread *thread) {
  return layout_member (program, thread) == 0;
}

guint layout_member (const RspProgram *program, const RspThread *thread) {
  guint member = 0;
  for (const RspThread *t = program->threads; t < thread; t++)
    member += rsp_threads_share (t, thread, RSP_LEVEL_WORK_GROUP);
  return member;
}

guint layout_n_groups (const RspProgram *program) {
  guint n = 0;
  for (guint i = 0; i < program->n_threads; i++)
    n += is_first (program, &program->threads[i]);
  return n;
}

guint layout_group (const RspProgram *program, const RspThread *thread) {
  guint group = 0;
  for (guint i = 0; i < program->n_threads; i++) {
    const RspThread *other = &program->threads[i];
    group += is_first (program, other) && is_before (other, thread);
  }
  return group;
}

static guint device_of (const RspProgram *program, const RspThread *thread) {
  guint device = 0;
  for (guint i = 0; i < program->n_threads; i++) {
    gboolean seen = program->threads[i].place[RSP_LEVEL_DEVICE] >= thread->place[RSP_LEVEL_DEVICE];
    for (guint k = 0; k < i; k++)
      seen |= rsp_threads_share (&program->threads[k], &program->threads[i], RSP_LEVEL_DEVICE);
    device += !seen;
  }
  return device;
}

guint layout_device (const RspProgram *program, guint group) {
  for (guint i = 0; i < program->n_threads; i++)
    if (layout_group (program, &program->threads[i]) == group)
      return device_of (program, &program->threads[i]);
  return 0;
}

guint layout_n_devices (const RspProgram *program) {
  return layout_device (program, layout_n_groups (program) - 1) + 1;
}
