/* Monotone: is stronger safer? Counterexamples are a program and a stronger one, with one operation
 * strengthened or a fence added, that allows an outcome that the weaker one forbids, or is
 * undefined although the weaker one is not. The size is that of the stronger program. */
#include "synth/questions/monotone.h"
#include "synth/questions/compare.h"
#include "synth/programs/steps.h"

#include <string.h>

/* All steps up in one attribute at one event, as pairs of labels. How many there are. */
static guint list_steps (const SynthSpace *space, SynthKind kind, SynthAttribute attribute,
                         RspLabel *weaker, RspLabel *stronger) {
  guint n = 0;
  for (guint choice = 0; choice < space->n_labels[kind]; choice++)
    for (guint k = 0; k < SYNTH_MAX_STEPS && n < SYNTH_MAX_LABELS; k++) {
      guint below = rsp_synth_step_down (space, kind, choice, attribute, k);
      if (below == SYNTH_NO_LABEL)
        continue;
      weaker[n] = space->labels[kind][below];
      stronger[n++] = space->labels[kind][choice];
    }
  return n;
}

static char *describe (const RspShape *shape, guint event, const char *what) {
  static const char *const kinds[] = { "load", "store", "read-modify-write", "fence", "barrier" };
  guint place = 1;
  for (guint e = 0; e < event; e++)
    place += shape->events[e].thread == shape->events[event].thread
             && !rsp_shape_is_second (&shape->events[e]);
  return g_strdup_printf ("%s P%u's operation %u, a %s", what, shape->events[event].thread, place,
                          kinds[synth_kind (&shape->events[event])]);
}

static gboolean strengthen (SynthWork *work, const RspShape *shape, guint event, SynthEdit *edit,
                            const SynthSymmetry *symmetries, guint n_symmetries) {
  static const char *const what[SYNTH_ATTRIBUTES]
      = { "wider scope for", "remote form for", "stronger order for" };
  RspLabel weaker[SYNTH_MAX_LABELS], stronger[SYNTH_MAX_LABELS];
  SynthKind kind = synth_kind (&shape->events[event]);
  for (guint a = 0; a < SYNTH_ATTRIBUTES; a++) {
    edit->event = event;
    edit->labels_before = weaker;
    edit->labels_after = stronger;
    edit->n_labels = list_steps (work->space, kind, (SynthAttribute) a, weaker, stronger);
    if (edit->n_labels == 0)
      continue;
    g_autofree char *text = describe (shape, event, what[a]);
    edit->text = text;
    if (!synth_compare (work, edit, symmetries, n_symmetries, 1u << event))
      return FALSE;
  }
  return TRUE;
}

/* The shape has the fence; before there was none. */
static gboolean add_fence (SynthWork *work, const RspShape *shape, guint event, SynthEdit *edit,
                           const SynthSymmetry *symmetries, guint n_symmetries) {
  SynthRemoval removal;
  g_autofree char *text = describe (shape, event, "fence added:");
  rsp_synth_remove_event (shape, event, &removal);
  if (removal.shape.n_events == 0)
    return TRUE;
  edit->after = &removal.shape;
  memcpy (edit->from, removal.event, sizeof edit->from);
  edit->backwards = TRUE;
  edit->text = text;
  return synth_compare (work, edit, symmetries, n_symmetries, 1u << event);
}

gboolean synth_monotone_steps (SynthWork *work, const RspShape *shape,
                               const SynthSymmetry *symmetries, guint n_symmetries,
                               guint kind_outcome, guint kind_undefined) {
  for (guint e = 0; e < shape->n_events; e++) {
    SynthEdit plain;
    if (rsp_shape_is_second (&shape->events[e])
        || !synth_is_least_set (shape, symmetries, n_symmetries, 1u << e))
      continue;
    synth_edit_init (&plain, shape, shape);
    plain.kind_outcome = kind_outcome;
    plain.kind_undefined = kind_undefined;
    SynthEdit edit = plain;
    if (!strengthen (work, shape, e, &edit, symmetries, n_symmetries)
        || (shape->events[e].kind == RSP_EVENT_FENCE
            && !add_fence (work, shape, e, &plain, symmetries, n_symmetries)))
      return FALSE;
  }
  return TRUE;
}

static gboolean search (SynthWork *work, const RspShape *shape, const SynthSymmetry *symmetries,
                        guint n_symmetries) {
  return synth_monotone_steps (work, shape, symmetries, n_symmetries, 1, 2);
}

const SynthQuestion rsp_synth_monotone
    = { "monotone",
        1,
        2,
        FALSE,
        FALSE,
        FALSE,
        { "the stronger program allows more", "the stronger program is undefined" },
        search };
