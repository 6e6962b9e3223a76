#include "enumerator/shapes/label.h"

#include "enumerator/event.h"

#include <string.h>

/* In the order of RspOrder and RspScope. */
static const int order_sets[] = {
  RSP_BASE_SET_NA,  RSP_BASE_SET_RLX,     RSP_BASE_SET_CON, RSP_BASE_SET_ACQ,
  RSP_BASE_SET_REL, RSP_BASE_SET_ACQ_REL, RSP_BASE_SET_SC,
};
static const int scope_sets[] = {
#define RSP_SCOPE(id, level, word, text, short_word, set, relation) RSP_BASE_SET_##id##_SCOPE,
#include "parser/scopes.def"
};
G_STATIC_ASSERT (G_N_ELEMENTS (order_sets) == RSP_ORDER_SEQ_CST + 1);

/* The sets of tags, per RspTag. */
static const int tag_sets[] = {
#define RSP_TAG(id, languages, text)             RSP_BASE_SET_##id##_TAG,
#define RSP_SHARED_TAG(id, languages, text, set) RSP_BASE_SET_##set,
#include "parser/languages.def"
};
G_STATIC_ASSERT (G_N_ELEMENTS (tag_sets) == RSP_N_TAGS);

static gboolean is_tag_of (const RspLanguage *language, RspBaseSet set) {
  for (guint tag = 0; tag < RSP_N_TAGS; tag++)
    if (tag_sets[tag] == (int) set)
      return rsp_language_has_tag (language, (RspTag) tag);
  return FALSE;
}

/* A barrier of one event is a fence too if it has an order. */
static gboolean has_ordered_barriers (const RspShape *shape) {
  for (guint e = 0; e < shape->n_events; e++)
    if (shape->events[e].kind == RSP_EVENT_BARRIER)
      return TRUE;
  return FALSE;
}

gboolean rsp_label_decides (const RspShape *shape, RspBaseSet set) {
  const RspLanguage *language = &rsp_languages[shape->language];
  if (language->tagged)
    return is_tag_of (language, set) || (set == RSP_BASE_SET_F && has_ordered_barriers (shape));
  for (guint i = 0; i < G_N_ELEMENTS (order_sets); i++)
    if ((int) set == order_sets[i])
      return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (scope_sets); i++)
    if ((int) set == scope_sets[i])
      return TRUE;
  return set == RSP_BASE_SET_REMOTE || set == RSP_BASE_SET_A || set == RSP_BASE_SET_ATOMICLOC
         || set == RSP_BASE_SET_NONATOMICLOC;
}

static guint order_of (const RspShapeEvent *event, const RspLabel *label) {
  return event->kind == RSP_EVENT_ENTRY  ? RSP_ORDER_RELEASE
         : event->kind == RSP_EVENT_EXIT ? RSP_ORDER_ACQUIRE
                                         : label->order;
}

static void count_tags (guint64 tags, guint *counts) {
  for (; tags; tags &= tags - 1)
    counts[tag_sets[__builtin_ctzll (tags)]]++;
}

/* Counts for each set how many of the event's labels put it there. */
static void count_labels (const RspShapeEvent *event, const RspLabel *labels, guint n,
                          guint *counts) {
  memset (counts, 0, sizeof counts[0] * RSP_N_BASE_SETS);
  for (guint i = 0; i < n; i++)
    if (labels[i].tags) {
      count_tags (rsp_shape_is_second (event) ? labels[i].write_tags : labels[i].tags, counts);
      counts[RSP_BASE_SET_F]
          += !rsp_shape_is_access (event) && rsp_event_is_fence_of (event->kind, labels[i].tags);
    } else {
      counts[order_sets[order_of (event, &labels[i])]]++;
      counts[scope_sets[labels[i].scope]]++;
      counts[RSP_BASE_SET_REMOTE] += labels[i].remote;
      counts[RSP_BASE_SET_A] += rsp_shape_is_access (event) && labels[i].order != RSP_ORDER_NA;
    }
}

static void set_event (RspLabelling *labelling, guint event, const guint *counts, guint n) {
  for (guint s = 0; s < RSP_N_BASE_SETS; s++)
    if (counts[s]) {
      labelling->hi[s] |= (guint8) (1u << event);
      if (counts[s] == n)
        labelling->lo[s] |= (guint8) (1u << event);
    }
}

static void set_locations (RspLabelling *labelling, const RspShape *shape) {
  for (guint location = 0; location < shape->n_locations; location++) {
    guint accesses = 1u << location;
    for (guint e = 0; e < shape->n_events; e++)
      if (rsp_shape_is_access (&shape->events[e]) && shape->events[e].location == location)
        accesses |= 1u << rsp_shape_event (shape, e);
    gboolean surely = (labelling->lo[RSP_BASE_SET_A] & accesses) != 0;
    gboolean maybe = (labelling->hi[RSP_BASE_SET_A] & accesses) != 0;
    labelling->lo[RSP_BASE_SET_ATOMICLOC] |= (guint8) (surely ? accesses : 0);
    labelling->hi[RSP_BASE_SET_ATOMICLOC] |= (guint8) (maybe ? accesses : 0);
    labelling->lo[RSP_BASE_SET_NONATOMICLOC] |= (guint8) (maybe ? 0 : accesses);
    labelling->hi[RSP_BASE_SET_NONATOMICLOC] |= (guint8) (surely ? 0 : accesses);
  }
}

void rsp_labelling_set (RspLabelling *labelling, const RspShape *shape,
                        const RspLabel *const *labels, const guint *n) {
  guint counts[RSP_N_BASE_SETS];
  memset (labelling, 0, sizeof *labelling);
  guint8 initial = (guint8) ((1u << shape->n_locations) - 1);
  labelling->lo[RSP_BASE_SET_NA] = labelling->hi[RSP_BASE_SET_NA] = initial;
  labelling->lo[RSP_BASE_SET_WORK_ITEM_SCOPE] = labelling->hi[RSP_BASE_SET_WORK_ITEM_SCOPE]
      = initial;
  labelling->exact = TRUE;
  for (guint e = 0; e < shape->n_events; e++) {
    count_labels (&shape->events[e], labels[e], n[e], counts);
    set_event (labelling, rsp_shape_event (shape, e), counts, n[e]);
    labelling->exact &= n[e] == 1;
  }
  set_locations (labelling, shape);
}

void rsp_labelling_restrict (RspLabelling *part, const RspLabelling *whole, const RspShape *shape,
                             const RspShapeCombination *combination) {
  *part = *whole;
  if (combination->whole)
    return;
  memset (part->lo, 0, sizeof part->lo);
  memset (part->hi, 0, sizeof part->hi);
  guint n = combination->shape.n_locations + combination->shape.n_events;
  for (guint e = 0; e < n; e++) {
    guint event = shape_combination_event (combination, shape, e);
    for (guint s = 0; s < RSP_N_BASE_SETS; s++) {
      part->lo[s] |= (guint8) ((whole->lo[s] >> event & 1) << e);
      part->hi[s] |= (guint8) ((whole->hi[s] >> event & 1) << e);
    }
  }
}
