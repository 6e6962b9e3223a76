/* Small programs before their labels, and the executions that they have under some labels. */
#include "enumerator/execution.h"
#include "extra/synth/grid.h"
#include "extra/synth/judge.h"
#include "extra/synth/shapes.h"

#include <string.h>

/* ---- Partial orders ------------------------------------------------------------------------- */

/* Do the rows (after) or columns (before) of these events stay within the set? */
static gboolean is_closed (Grid order, guint events, guint set, gboolean after) {
  for (guint other = 0; other < 8; other++)
    for (guint e = 0; e < 8; e++)
      if ((events >> e & 1) && !(set >> other & 1)
          && (order & (after ? grid_pair (e, other) : grid_pair (other, e))))
        return FALSE;
  return TRUE;
}

/* May an event be put after those of one set and before those of another? */
static gboolean fits (Grid order, guint before, guint after) {
  for (guint e = 0; e < 8; e++)
    if ((before >> e & 1) && (grid_row (order, e) & after) != after)
      return FALSE;
  return is_closed (order, before, before, FALSE) && is_closed (order, after, after, TRUE);
}

static Grid put (Grid order, guint event, guint before, guint after) {
  for (guint e = 0; e < 8; e++) {
    order |= before >> e & 1 ? grid_pair (e, event) : 0;
    order |= after >> e & 1 ? grid_pair (event, e) : 0;
  }
  return order;
}

/* Adds one event after another to the order of those placed. */
static void extend (GArray *all, Grid order, guint placed, guint left) {
  if (!left) {
    g_array_append_val (all, order);
    return;
  }
  guint event = (guint) __builtin_ctz (left);
  for (guint before = 0; before <= placed; before++)
    for (guint after = 0; !(before & ~placed) && after <= placed; after++)
      if (!(after & ~placed) && !(before & after) && fits (order, before, after))
        extend (all, put (order, event, before, after), placed | 1u << event, left & (left - 1));
}

/* All irreflexive partial orders of the events of a set, in a fixed order. Of Grid; free with
 * g_array_unref. There are 219 of four events, 4,231 of five. */
static GArray *shape_partial_orders (guint set) {
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Grid));
  extend (all, 0, 0, set);
  return all;
}

/* Does the order relate any two events of `related`, one way or the other? */
static gboolean shape_relates (Grid order, Grid related) {
  for (guint a = 0; a < 8; a++)
    for (guint b = 0; b < 8; b++)
      if ((related & grid_pair (a, b)) && !(order & (grid_pair (a, b) | grid_pair (b, a))))
        return FALSE;
  return TRUE;
}

/* ---- Combination ---------------------------------------------------------------------------- */

/* ---- What happens ---- */
static gboolean happens (guint set, guint event) { return set >> event & 1; }

/* Is the guard of the event true if exactly these events happen? Guards on events that do not
 * happen are false: their register holds 0, which no event writes. */
static gboolean is_possible (const RspShape *shape, guint set) {
  for (guint e = 0; e < shape->n_events; e++) {
    const RspShapeEvent *event = &shape->events[e];
    if (!event->guard && !happens (set, e))
      return FALSE;
    if (!event->guard || !happens (set, event->guard - 1u)) {
      if (event->guard && happens (set, e))
        return FALSE;
      continue;
    }
    if (happens (set, e) && !happens (set, event->guard_value))
      return FALSE;
    /* Events with the same guard happen together or not at all. */
    for (guint f = 0; f < e; f++)
      if (shape->events[f].guard == event->guard
          && shape->events[f].guard_value == event->guard_value
          && happens (set, f) != happens (set, e))
        return FALSE;
  }
  return TRUE;
}

/* ---- The remaining events ---- */
typedef struct Names {
  guint8 event[RSP_SHAPE_EVENTS],
      location[RSP_SHAPE_EVENTS]; /* the event of the combination, or 0xff */
} Names;

static void find_sources (RspShapeCombination *c, const RspShape *shape, guint set,
                          const Names *names) {
  const RspShape *left = &c->shape;
  for (guint e = 0; e < left->n_events; e++) {
    if (!rsp_shape_is_read (&left->events[e]))
      continue;
    c->sources[e] = (guint8) (1u << left->events[e].location);
    for (guint w = 0; w < left->n_events; w++)
      if (w != e && rsp_shape_is_write (&left->events[w])
          && left->events[w].location == left->events[e].location)
        c->sources[e] |= (guint8) (1u << rsp_shape_event (left, w));
  }
  for (guint f = 0; f < shape->n_events; f++) {
    guint8 load = rsp_shape_rename_load (names->event, shape->events[f].guard);
    guint8 value = names->event[shape->events[f].guard_value];
    if (!load || value == 0xff)
      continue;
    guint write = 1u << rsp_shape_event (left, value);
    c->sources[load - 1] &= (guint8) (happens (set, f) ? write : ~write);
  }
}

GArray *shape_combinations_new (const RspShape *shape) {
  GArray *all = g_array_new (FALSE, FALSE, sizeof (RspShapeCombination));
  for (guint set = 1u << shape->n_events; set-- > 0;)
    if (is_possible (shape, set)) {
      RspShapeCombination combination;
      RspShapeCombination *c = &combination;
      Names names;
      *c = (RspShapeCombination){ .shape = { .language = shape->language,
                                             .words = shape->words,
                                             .n_threads = shape->n_threads } };
      memcpy (c->shape.places, shape->places, sizeof shape->places);
      /* The locations that something accesses. */
      memset (names.location, 0xff, sizeof names.location);
      for (guint x = 0; x < shape->n_locations; x++)
        for (guint e = 0; e < shape->n_events; e++)
          if (happens (set, e) && rsp_shape_is_access (&shape->events[e])
              && shape->events[e].location == x && names.location[x] == 0xff) {
            c->shape.local[c->shape.n_locations] = shape->local[x];
            c->location[c->shape.n_locations] = (guint8) x;
            names.location[x] = (guint8) c->shape.n_locations++;
          }
      memset (names.event, 0xff, sizeof names.event);
      for (guint e = 0; e < shape->n_events; e++) {
        RspShapeEvent *to = &c->shape.events[c->shape.n_events];
        if (!happens (set, e))
          continue;
        *to = shape->events[e];
        to->guard = to->guard_value = 0;
        to->addr = rsp_shape_rename_load (names.event, to->addr);
        to->data = rsp_shape_rename_load (names.event, to->data);
        to->location = rsp_shape_is_access (to) ? names.location[to->location] : 0;
        c->event[c->shape.n_events] = (guint8) e;
        names.event[e] = (guint8) c->shape.n_events++;
      }
      /* A branch precedes the events it guards, whether or not they happen, and everything later.
       */
      for (guint e = 0; e < c->shape.n_events; e++)
        for (guint f = 0; f <= c->event[e]; f++) {
          guint8 load = rsp_shape_rename_load (names.event, shape->events[f].guard);
          if (load && shape->events[f].thread == c->shape.events[e].thread)
            c->ctrl[e] |= (guint8) (1u << (load - 1));
        }
      find_sources (c, shape, set, &names);
      c->whole = c->shape.n_events == shape->n_events;
      g_array_append_val (all, combination);
    }
  return all;
}

/* Converts the number of an event in the combination's pre-execution (initial writes first) to that
 * in the whole shape's. */
static guint shape_combination_event (const RspShapeCombination *combination, const RspShape *whole,
                                      guint event) {
  guint n = combination->shape.n_locations;
  return event < n ? combination->location[event]
                   : rsp_shape_event (whole, combination->event[event - n]);
}

/* ---- The pre-execution ---- */
static RspPath *path_of (const RspShapeCombination *c, guint thread, gboolean wide_barriers,
                         RspArena *arena) {
  guint first = 0;
  RspPath *path = rsp_arena_new0 (arena, RspPath, 1);
  path->events = rsp_arena_new0 (arena, RspEvent, RSP_SHAPE_EVENTS);
  while (first < c->shape.n_events && c->shape.events[first].thread != thread)
    first++;
  for (guint e = first; e < c->shape.n_events && c->shape.events[e].thread == thread; e++) {
    /* Each location has a second virtual address, which is numbered after all locations. */
    gboolean barrier = rsp_shape_is_barrier (&c->shape.events[e]);
    guint count = 0;
    for (guint i = 0; i < path->n_events; i++)
      count += path->events[i].kind == c->shape.events[e].kind;
    path->events[path->n_events++]
        = (RspEvent){ .kind = c->shape.events[e].kind,
                      .thread = c->shape.events[e].thread,
                      .location = rsp_shape_is_access (&c->shape.events[e])
                                      ? c->shape.events[e].location
                                      : RSP_NO_LOCATION,
                      .virtual_location = c->shape.events[e].location
                                          + c->shape.events[e].address * c->shape.n_locations,
                      .order = RSP_ORDER_NA,
                      .flags = c->shape.events[e].flags,
                      .rmw_half = c->shape.events[e].half,
                      .barrier = barrier ? "" : NULL,
                      .meeting = wide_barriers && c->shape.events[e].kind != RSP_EVENT_BARRIER
                                     ? RSP_LEVEL_SYSTEM
                                     : RSP_LEVEL_WORK_GROUP,
                      .barrier_count = barrier ? count : 0 };
  }
  path->po = rsp_relation_new (arena, path->n_events);
  path->addr = rsp_relation_new (arena, path->n_events);
  path->data = rsp_relation_new (arena, path->n_events);
  path->ctrl = rsp_relation_new (arena, path->n_events);
  for (guint b = 0; b < path->n_events; b++) {
    for (guint a = 0; a < b; a++)
      rsp_matrix_add (path->po, a, b);
    /* Add the dependencies of event e of the combination, which is event `to` of the path. */
    guint e = first + b;
    const RspShapeEvent *event = &c->shape.events[e];
    if (event->addr)
      rsp_matrix_add (path->addr, event->addr - 1u - first, b);
    if (event->data)
      rsp_matrix_add (path->data, event->data - 1u - first, b);
    for (guint load = first; load < e; load++)
      if (c->ctrl[e] >> load & 1)
        rsp_matrix_add (path->ctrl, load - first, b);
  }
  return path;
}

RspPreExecution *shape_combination_pre_execution (const RspShapeCombination *combination,
                                                  gboolean wide_barriers, RspArena *arena) {
  const RspShape *shape = &combination->shape;
  const RspPath *paths[RSP_SHAPE_EVENTS];
  for (guint t = 0; t < shape->n_threads; t++)
    paths[t] = path_of (combination, t, wide_barriers, arena);
  RspProgram *program = rsp_arena_new0 (arena, RspProgram, 1);
  program->language = &rsp_languages[shape->language];
  program->n_threads = shape->n_threads;
  program->threads = rsp_arena_new0 (arena, RspThread, shape->n_threads);
  for (guint t = 0; t < shape->n_threads; t++) {
    program->threads[t] = (RspThread){ .name = "", .number = t };
    for (guint level = 0; level < RSP_N_LEVELS; level++)
      if (rsp_language_writes (program->language, level)
          || program->language->optional_levels >> level & 1 || rsp_levels[level].own)
        program->threads[t].place[level] = shape->places[t].node[level];
  }
  program->n_locations = shape->n_locations;
  program->locations = rsp_arena_new0 (arena, RspLocation, 2 * (gsize) shape->n_locations + 1);
  for (guint i = 0; i < 2 * shape->n_locations; i++) { /* then each one's second address */
    guint x = i % shape->n_locations;
    program->locations[i]
        = (RspLocation){ .name = "",
                         .type = { .bits = 32,
                                   .space = shape->local[x] ? RSP_SPACE_LOCAL : RSP_SPACE_GLOBAL },
                         .object = x,
                         .physical = x,
                         .n_elements = 1 };
  }
  /* Outcomes have the final value of every location. */
  program->n_observables = program->n_locations;
  program->observables = rsp_arena_new0 (arena, RspObservable, program->n_locations + 1);
  for (guint i = 0; i < program->n_locations; i++)
    program->observables[i].location = i;
  RspPreExecution *pre = rsp_pre_execution_new (program, paths, arena);
  /* Follows from tags, which are unknown: an expression over their sets. */
  pre->base->relations[RSP_BASE_RELATION_SR] = NULL;
  return pre;
}

/* ---- Label ---------------------------------------------------------------------------------- */

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

/* The scope of a level of the models is a word. */
static guint scope_set (const RspShape *shape, guint scope) {
  if (scope < RSP_N_SCOPES)
    return (guint) scope_sets[scope];
  guint word = 0, places = rsp_levels[rsp_scopes[scope].level].own;
  while (!(shape->words->places[word] & places))
    word++;
  return RSP_BASE_SET_WORD_0 + word;
}

gboolean rsp_label_decides (const RspShape *shape, RspBaseSet set) {
  const RspLanguage *language = &rsp_languages[shape->language];
  if (set >= RSP_BASE_SET_WORD_0 && set < RSP_BASE_SET_WORD_0 + RSP_MAX_WORDS)
    return TRUE;
  if (language->tagged)
    return is_tag_of (language, set) || (set == RSP_BASE_SET_F && has_ordered_barriers (shape));
  for (guint i = 0; i < G_N_ELEMENTS (order_sets); i++)
    if ((int) set == order_sets[i])
      return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (scope_sets); i++)
    if ((int) set == scope_sets[i])
      return TRUE;
  return set == RSP_BASE_SET_A || set == RSP_BASE_SET_ATOMICLOC || set == RSP_BASE_SET_NONATOMICLOC;
}

void rsp_labels_scopes (const RspShape *shape, const RspLabel *labels, guint n,
                        gboolean scopes[static RSP_N_BASE_SETS]) {
  gboolean is_scope[RSP_N_BASE_SETS] = { FALSE }, has[RSP_N_BASE_SETS] = { FALSE };
  for (guint i = 0; i < G_N_ELEMENTS (scope_sets); i++)
    is_scope[scope_sets[i]] = scope_sets[i] != RSP_BASE_SET_WORK_ITEM_SCOPE;
  for (guint i = 0; i < RSP_N_LANGUAGE_LEVELS; i++)
    if (rsp_language_levels[i].language == shape->language)
      is_scope[tag_sets[rsp_language_levels[i].tag]] = TRUE;
  for (guint i = 0; i < shape->words->n; i++)
    is_scope[RSP_BASE_SET_WORD_0 + i] = !(shape->words->places[i] & RSP_WORD_ANYWHERE);
  for (guint i = 0; i < n; i++) {
    for (guint64 tags = labels[i].tags | labels[i].write_tags; tags; tags &= tags - 1)
      has[tag_sets[__builtin_ctzll (tags)]] = TRUE;
    if (!labels[i].tags || rsp_scope_is_own (shape->words, labels[i].scope))
      has[scope_set (shape, labels[i].scope)] = TRUE;
  }
  for (guint s = 0; s < RSP_N_BASE_SETS; s++)
    scopes[s] = !is_scope[s] || has[s];
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
    /* Count for each set how many of the event's labels put it there. */
    memset (counts, 0, sizeof counts[0] * RSP_N_BASE_SETS);
    for (guint i = 0; i < n[e]; i++) {
      if (labels[e][i].word)
        counts[RSP_BASE_SET_WORD_0 + labels[e][i].word - 1]++;
      if (labels[e][i].tags) {
        guint64 tags
            = rsp_shape_is_second (&shape->events[e]) ? labels[e][i].write_tags : labels[e][i].tags;
        for (; tags; tags &= tags - 1)
          counts[tag_sets[__builtin_ctzll (tags)]]++;
        if (rsp_scope_is_own (shape->words, labels[e][i].scope))
          counts[scope_set (shape, labels[e][i].scope)]++;
        counts[RSP_BASE_SET_F]
            += !rsp_shape_is_access (&shape->events[e])
               && rsp_event_is_fence_of (shape->events[e].kind, labels[e][i].tags);
      } else {
        counts[order_sets[(shape->events[e].kind == RSP_EVENT_ENTRY  ? RSP_ORDER_RELEASE
                           : shape->events[e].kind == RSP_EVENT_EXIT ? RSP_ORDER_ACQUIRE
                                                                     : labels[e][i].order)]]++;
        counts[scope_set (shape, labels[e][i].scope)]++;
        counts[RSP_BASE_SET_A]
            += rsp_shape_is_access (&shape->events[e]) && labels[e][i].order != RSP_ORDER_NA;
      }
    }
    guint event = rsp_shape_event (shape, e);
    for (guint s = 0; s < RSP_N_BASE_SETS; s++)
      if (counts[s]) {
        labelling->hi[s] |= (guint8) (1u << event);
        if (counts[s] == n[e])
          labelling->lo[s] |= (guint8) (1u << event);
      }
    labelling->exact &= n[e] == 1;
  }
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

/* The same for the events of a combination, whose locations are declared as in the whole shape. */
static void labelling_restrict (RspLabelling *part, const RspLabelling *whole,
                                const RspShape *shape, const RspShapeCombination *combination) {
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

/* ---- Part ----------------------------------------------------------------------------------- */

enum {
  MOST_OPEN = 4, /* limit of events ordered while labels are open: 24 orders */
  FEW_ORDERS = 4 /* chosen orders without an allocation per candidate; models of C choose fewer */
};

/* ---- Staging ---- */
static void open_labels (Part *part, gboolean open) {
  RspBase *base = part->pre->base;
  for (guint s = 0; s < RSP_N_BASE_SETS; s++)
    base->open[s] = open && rsp_label_decides (&part->combination.shape, (RspBaseSet) s);
  base->assumes = open;
  base->rf = base->co = NULL;
}

static void use (Part *part, const Staged *staged) {
  gboolean ready = staged && staged->state == STAGED_READY;
  part->failed |= staged && staged->state == STAGED_FAILED;
  part->staging = ready ? staged->staging : NULL;
  part->codes = ready ? staged->codes : NULL;
}

/* For the present labels or execution. FALSE if the model needs to know more, or failed. */
static gboolean stage (Part *part) {
  staged_free (part->own);
  part->own = staged_new (&part->what);
  use (part, part->own);
  return part->staging != NULL;
}

Part *part_new (const RspModel *model, const RspShapeCombination *combination,
                const RspStageOptions *options, RspDiagnostics *diagnostics) {
  Part *part = g_new0 (Part, 1);
  part->arena = rsp_arena_new ();
  part->combination = *combination;
  part->pre
      = shape_combination_pre_execution (&part->combination, model->wide_barriers, part->arena);
  part->what = (StagedModel){ model, options, diagnostics, part->pre->base };
  open_labels (part, TRUE);
  part->open = staged_new (&part->what);
  use (part, part->open);
  return part;
}

void part_free (Part *part) {
  staged_free (part->own);
  staged_free (part->open);
  rsp_arena_free (part->arena);
  g_free (part);
}

/* For models that need all labels, or rf and co too. */
static void stage_labels (Part *part) {
  part->level = LEVEL_LABELS;
  use (part, NULL);
  if (!part->labelling.exact || part->failed)
    return;
  open_labels (part, FALSE);
  for (guint s = 0; s < RSP_N_BASE_SETS; s++)
    if (rsp_label_decides (&part->combination.shape, (RspBaseSet) s))
      part->pre->base->sets[s]->bits[0] = part->labelling.lo[s];
  if (!stage (part))
    part->level = LEVEL_EXECUTION;
}

void part_set_labels (Part *part, const RspShape *shape, const RspLabelling *whole) {
  labelling_restrict (&part->labelling, whole, shape, &part->combination);
  part->level = LEVEL_SHAPE;
  open_labels (part, TRUE);
  staged_trim (part->open);
  const Staged *found = staged_under (part->open, &part->what, &part->labelling);
  use (part, found);
  if (found && found->state == STAGED_STUCK)
    stage_labels (part);
  for (guint i = 0; part->codes && i < part->staging->n_models; i++)
    code_set_labels (part->codes[i], &part->labelling);
}

/* ---- Alternatives: a staged model, with a choice of each of its orders ---- */
typedef struct Alternatives {
  Part *part;
  const RspCandidate *candidate;
  guint model;
  Grid *orders;
  PartVisit visit;
  gpointer data;
} Alternatives;

/* S is an order of what labels make seq_cst. Where not all labels are known it orders all that may
 * be: every order of fewer events is the restriction of one of these, and the model sees only that.
 */
static guint ordered_events (const Part *part, const RspStagedOrder *order, guint number) {
  guint set = (guint) order->set->bits[0];
  if (number == 0 && part->what.model->with_sc && part->level == LEVEL_SHAPE)
    set &= part->labelling.hi[RSP_BASE_SET_SC];
  return set;
}

static void order_events (Alternatives *a, guint order, guint left, guint placed);

static void choose_orders (Alternatives *a, guint order) {
  const RspStagedModel *staged = a->part->staging->models[a->model];
  if (order == staged->n_orders) {
    code_set_execution (a->part->codes[a->model], a->candidate->rf, a->candidate->co, a->orders);
    a->visit (a->part, a->model, a->data);
    return;
  }
  a->orders[order] = 0;
  if (staged->orders[order].kind == RSP_CHOSEN_SYNC_FENCE) {
    /* Every partial order that relates what it must. While labels are open all fences are in it,
     * and an axiom says what it must relate. */
    const RspStagedOrder *chosen = &a->part->staging->models[a->model]->orders[order];
    Grid related = 0;
    for (guint e = 0; e < chosen->related->n; e++)
      related |= rsp_matrix_row (chosen->related, e)[0] << (8 * e);
    g_autoptr (GArray) all = shape_partial_orders ((guint) chosen->set->bits[0]);
    for (guint i = 0; i < all->len; i++)
      if (shape_relates (g_array_index (all, Grid, i), related)) {
        a->orders[order] = g_array_index (all, Grid, i);
        choose_orders (a, order + 1);
      }
  } else
    order_events (a, order, ordered_events (a->part, &staged->orders[order], order), 0);
}

static void order_events (Alternatives *a, guint order, guint left, guint placed) {
  if (!left) {
    choose_orders (a, order + 1);
    return;
  }
  Grid before = a->orders[order];
  for (guint e = 0; e < RSP_SHAPE_EVENTS; e++)
    if (left >> e & 1) {
      a->orders[order] = before | (grid_rows (placed) & (GRID_COLUMN << e));
      order_events (a, order, left & ~(1u << e), placed | 1u << e);
    }
  a->orders[order] = before;
}

/* Are there too many alternatives to try while labels are open? Known labels leave fewer. */
static gboolean has_many_orders (const Part *part) {
  for (guint m = 0; m < part->staging->n_models; m++) {
    const RspStagedModel *staged = part->staging->models[m];
    guint events = 0;
    for (guint i = 0; i < staged->n_orders; i++)
      events += (guint) __builtin_popcount (ordered_events (part, &staged->orders[i], i));
    if (events > MOST_OPEN)
      return TRUE;
  }
  return FALSE;
}

gboolean part_visit (Part *part, const RspCandidate *candidate, PartVisit visit, gpointer data) {
  if (part->level == LEVEL_EXECUTION) {
    RspBase *base = part->pre->base;
    if (!base->rf) {
      base->rf = rsp_relation_new (part->arena, base->n);
      base->co = rsp_relation_new (part->arena, base->n);
    }
    for (guint a = 0; a < base->n; a++) {
      rsp_matrix_row (base->rf, a)[0] = grid_row (candidate->rf, a);
      rsp_matrix_row (base->co, a)[0] = grid_row (candidate->co, a);
    }
    if (!stage (part)) {
      part->failed = TRUE;
      return FALSE;
    }
  }
  if (!part->staging || (!part->labelling.exact && has_many_orders (part)))
    return FALSE;
  Grid few[FEW_ORDERS];
  guint most = 0;
  for (guint i = 0; i < part->staging->n_models; i++)
    most = MAX (most, part->staging->models[i]->n_orders);
  g_autofree Grid *many = most > FEW_ORDERS ? g_new (Grid, most) : NULL;
  Alternatives a = {
    .part = part, .candidate = candidate, .orders = many ? many : few, .visit = visit, .data = data
  };
  for (a.model = 0; a.model < part->staging->n_models; a.model++)
    choose_orders (&a, 0);
  return TRUE;
}

/* ---- Candidates ----------------------------------------------------------------------------- */

typedef struct Listing {
  const RspShape *whole;
  const RspShapeCombination *combination; /* the current combination */
  const RspShape *shape;                  /* the events that happen in it */
  guint index;                            /* its number */
  GArray *candidates, *outcomes;          /* of RspCandidate, RspShapeOutcome */
  RspShapeOutcome outcome;                /* so far */
  guint64 rf, co;
  guint first; /* index in outcomes of the first one for the current rf */
} Listing;

static guint8 whole_event (const Listing *listing, guint event) {
  return (guint8) shape_combination_event (listing->combination, listing->whole, event);
}

static guint find_outcome (Listing *listing) {
  for (guint i = listing->first; i < listing->outcomes->len; i++)
    if (memcmp (&g_array_index (listing->outcomes, RspShapeOutcome, i), &listing->outcome,
                sizeof listing->outcome)
        == 0)
      return i;
  g_array_append_val (listing->outcomes, listing->outcome);
  return listing->outcomes->len - 1;
}

static void order_writes (Listing *listing, guint location, guint8 *left, guint n, guint placed);

static void order_location (Listing *listing, guint location) {
  guint8 left[RSP_SHAPE_EVENTS];
  if (location == listing->shape->n_locations) {
    RspCandidate candidate = { listing->rf, listing->co, find_outcome (listing), listing->index };
    g_array_append_val (listing->candidates, candidate);
    return;
  }
  /* The writes of a location, initial write first. */
  guint n = 0;
  left[n++] = (guint8) location;
  for (guint e = 0; e < listing->shape->n_events; e++)
    if (rsp_shape_is_write (&listing->shape->events[e])
        && listing->shape->events[e].location == location)
      left[n++] = (guint8) rsp_shape_event (listing->shape, e);
  if (rsp_languages[listing->shape->language].partial_co) {
    /* Each partial order of the location's writes, after its initial write, with each last write.
     */
    guint set = 0;
    guint64 before = listing->co;
    guint8 *last = &listing->outcome.last[listing->combination->location[location]], was = *last;
    for (guint i = 1; i < n; i++)
      set |= 1u << left[i];
    g_autoptr (GArray) orders = shape_partial_orders (set);
    for (guint k = 0; k < orders->len; k++) {
      Grid order = g_array_index (orders, Grid, k);
      listing->co = before | order | ((Grid) set << (8 * left[0]));
      for (guint i = n > 1; i < n; i++)
        if (!grid_row (order, left[i])) {
          *last = whole_event (listing, left[i]);
          order_location (listing, location + 1);
        }
    }
    listing->co = before;
    *last = was;
    return;
  }
  listing->outcome.last[listing->combination->location[location]] = whole_event (listing, left[0]);
  order_writes (listing, location, left + 1, n - 1, 1u << left[0]);
}

/* Places the n remaining writes after those placed (a set), in every possible way. */
static void order_writes (Listing *listing, guint location, guint8 *left, guint n, guint placed) {
  if (n == 0) {
    order_location (listing, location + 1);
    return;
  }
  guint64 before = listing->co;
  guint8 *last = &listing->outcome.last[listing->combination->location[location]], was = *last;
  for (guint i = 0; i < n; i++) {
    guint8 rest[RSP_SHAPE_EVENTS], next = left[i];
    for (guint k = 0, j = 0; k < n; k++)
      if (k != i)
        rest[j++] = left[k];
    listing->co |= grid_rows (placed) & (GRID_COLUMN << next);
    *last = whole_event (listing, next);
    order_writes (listing, location, rest, n - 1, placed | 1u << next);
    listing->co = before;
  }
  *last = was;
}

static void choose_source (Listing *listing, guint event) {
  const RspShape *shape = listing->shape;
  while (event < shape->n_events && !rsp_shape_is_read (&shape->events[event]))
    event++;
  if (event == shape->n_events) {
    listing->first = listing->outcomes->len;
    order_location (listing, 0);
    return;
  }
  guint64 before = listing->rf;
  guint8 *source = &listing->outcome.source[listing->combination->event[event]], was = *source;
  for (guint left = listing->combination->sources[event]; left; left &= left - 1) {
    guint write = (guint) __builtin_ctz (left);
    *source = whole_event (listing, write);
    listing->rf = before | grid_pair (write, rsp_shape_event (shape, event));
    choose_source (listing, event + 1);
  }
  *source = was;
  listing->rf = before;
}

/* Groups the candidates of one reads-from by outcome. */
static int by_outcome (gconstpointer a, gconstpointer b) {
  const RspCandidate *x = a, *y = b;
  if (x->outcome != y->outcome)
    return x->outcome < y->outcome ? -1 : 1;
  return x->co < y->co ? -1 : x->co > y->co;
}

RspCandidates *rsp_candidates_new (const RspShape *shape) {
  g_autoptr (GArray) combinations = shape_combinations_new (shape);
  Listing listing = { .whole = shape,
                      .candidates = g_array_new (FALSE, FALSE, sizeof (RspCandidate)),
                      .outcomes = g_array_new (FALSE, FALSE, sizeof (RspShapeOutcome)) };
  for (; listing.index < combinations->len; listing.index++) {
    listing.combination = &g_array_index (combinations, RspShapeCombination, listing.index);
    /* Events that do not happen read initial values and leave them in place. */
    const RspShape *whole = listing.whole;
    listing.shape = &listing.combination->shape;
    listing.rf = listing.co = 0;
    memset (&listing.outcome, 0, sizeof listing.outcome);
    for (guint e = 0; e < whole->n_events; e++)
      if (rsp_shape_is_read (&whole->events[e]))
        listing.outcome.source[e] = whole->events[e].location;
    for (guint8 x = 0; x < whole->n_locations; x++)
      listing.outcome.last[x] = x;
    choose_source (&listing, 0);
  }
  g_array_sort (listing.candidates, by_outcome);
  RspCandidates *candidates = g_new (RspCandidates, 1);
  candidates->n = listing.candidates->len;
  candidates->n_outcomes = listing.outcomes->len;
  candidates->list = (RspCandidate *) (gpointer) g_array_free (listing.candidates, FALSE);
  candidates->outcomes = (RspShapeOutcome *) (gpointer) g_array_free (listing.outcomes, FALSE);
  return candidates;
}

void rsp_candidates_free (RspCandidates *candidates) {
  if (!candidates)
    return;
  g_free (candidates->list);
  g_free (candidates->outcomes);
  g_free (candidates);
}
