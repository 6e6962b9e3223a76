#include "synth/edits/versions/follow.h"
#include "enumerator/event.h"
#include "synth/edits/version.h"

/* Edits change neither the order of instructions nor values, so that a path is known by the places
 * in the text. */
static gboolean is_same (const RspEvent *own, const RspEvent *version, const GArray *pieces) {
  return own->kind == version->kind && own->location == version->location
         && own->failed_rmw == version->failed_rmw && own->rmw_half == version->rmw_half
         && synth_pieces_place (pieces, own->span.begin) == version->span.begin;
}

gboolean synth_paths_agree (const RspPath *own, const RspPath *version, const GArray *pieces,
                            guint *map) {
  guint n = 0;
  if (own->end != RSP_PATH_COMPLETE || version->end != RSP_PATH_COMPLETE || version->n_waits)
    return FALSE;
  for (guint e = 0; e < version->n_events; e++) {
    const RspEvent *event = &version->events[e];
    gboolean is_own = n < own->n_events && is_same (&own->events[n], event, pieces);
    if (!is_own && event->kind != RSP_EVENT_FENCE)
      return FALSE;
    map[e] = is_own ? n++ : G_MAXUINT;
  }
  return n == own->n_events;
}

static gboolean look_alike (const RspPath *a, const RspPath *b) {
  if (a->n_events != b->n_events || !rsp_matrix_equal (a->po, b->po)
      || !rsp_matrix_equal (a->addr, b->addr) || !rsp_matrix_equal (a->data, b->data)
      || !rsp_matrix_equal (a->ctrl, b->ctrl))
    return FALSE;
  for (guint e = 0; e < a->n_events; e++)
    if (!rsp_event_is_alike (&a->events[e], &b->events[e]))
      return FALSE;
  return TRUE;
}

static const RspPath *find (const GPtrArray *paths, const RspPath *path, const GArray *pieces,
                            gboolean in_version) {
  const RspPath *found = NULL;
  for (guint i = 0; i < paths->len; i++) {
    const RspPath *other = paths->pdata[i], *version = in_version ? other : path;
    g_autofree guint *map = g_new (guint, version->n_events + 1);
    if (!synth_paths_agree (in_version ? path : other, version, pieces, map))
      continue;
    if (found && !look_alike (found, other))
      return NULL;
    found = other;
  }
  return found;
}

const RspPath *synth_find_in_version (const GPtrArray *paths, const RspPath *own,
                                      const GArray *pieces) {
  return find (paths, own, pieces, TRUE);
}

const RspPath *synth_find_in_test (const GPtrArray *paths, const RspPath *version,
                                   const GArray *pieces) {
  return find (paths, version, pieces, FALSE);
}
