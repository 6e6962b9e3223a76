#include "enumerator/search/evidence/places.h"

RspEvidenceEvent evidence_place (const RspPreExecution *pre, guint number) {
  const RspEvent *event = pre->events[number];
  RspEvidenceEvent own = { .initial = event->thread == RSP_NO_THREAD };
  if (!own.initial)
    own.thread = pre->program->threads[event->thread].number;
  if (event->span.source)
    rsp_source_position (event->span.source, event->span.begin, &own.line, &own.column);
  return own;
}

static gboolean same_line (const RspEvidenceEvent *a, const RspEvidenceEvent *b) {
  return a->initial == b->initial && a->line == b->line;
}

/* Removes the pairs, in either order, or elements on the lines of the evidence. */
static void remove_lines (const GArray *evidence, const GArray *places, gboolean is_set,
                          RspMatrix *mask) {
  const RspEvidenceEvent *first = &g_array_index (evidence, RspEvidenceEvent, 0),
                         *last = &g_array_index (evidence, RspEvidenceEvent, evidence->len - 1);
  for (guint a = 0; a < places->len; a++) {
    const RspEvidenceEvent *one = &g_array_index (places, RspEvidenceEvent, a);
    gboolean is_first = same_line (one, first), is_last = same_line (one, last);
    if (is_set && is_first)
      rsp_matrix_remove (mask, 0, a);
    for (guint b = 0; b < places->len && !is_set && (is_first || is_last); b++) {
      const RspEvidenceEvent *other = &g_array_index (places, RspEvidenceEvent, b);
      if ((is_first && same_line (other, last)) || (is_last && same_line (other, first)))
        rsp_matrix_remove (mask, a, b);
    }
  }
}

RspMatrix *evidence_elsewhere (const GPtrArray *all, const char *flag, const RspPreExecution *pre,
                               gboolean is_set, RspArena *arena) {
  RspMatrix *mask = is_set ? rsp_set_new (arena, pre->n) : rsp_relation_new (arena, pre->n);
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (RspEvidenceEvent));
  rsp_matrix_fill (mask);
  for (guint e = 0; e < pre->n; e++) {
    RspEvidenceEvent place = evidence_place (pre, e);
    g_array_append_val (places, place);
  }
  for (guint i = 0; i < all->len; i++) {
    const RspEvidence *evidence = all->pdata[i];
    if (evidence->events && evidence->events->len && g_str_equal (evidence->flag, flag))
      remove_lines (evidence->events, places, is_set, mask);
  }
  return mask;
}
