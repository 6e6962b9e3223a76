/* Programs in canonical form: how many there are, symmetry, steps, codes. */
#include "extra/synth/shapes.h"
#include "parser/program.h"
#include "extra/synth/internal.h"
#include "extra/synth/synth.h"

#include <string.h>

/* The number of barriers before e in its thread. */
static guint barriers_before (const RspShape *shape, guint e) {
  guint n = 0;
  for (guint before = 0; before < e; before++)
    n += shape->events[before].thread == shape->events[e].thread
         && rsp_shape_is_barrier (&shape->events[before]);
  return n;
}

guint synth_labelled_event (const RspShape *shape, guint e) {
  if (!rsp_languages[shape->language].tagged || !rsp_shape_is_barrier (&shape->events[e]))
    return synth_operation (shape, e);
  guint first = 0, n = barriers_before (shape, e);
  while (!rsp_shape_is_barrier (&shape->events[first]) || barriers_before (shape, first) != n)
    first++;
  return first;
}

/* ---- Count ---------------------------------------------------------------------------------- */

/* Labellings that a symmetry maps to themselves: one label per cycle. */
static double count_fixed_labellings (const SynthSpace *space, const RspShape *shape,
                                      const guint8 *moves) {
  double n = 1;
  guint seen = 0;
  for (guint e = 0; e < shape->n_events; e++) {
    if (seen >> e & 1)
      continue;
    for (guint at = e; !(seen >> at & 1); at = moves[at])
      seen |= 1u << at;
    if (synth_labelled_event (shape, e) == e)
      n *= space->n_labels[synth_kind (&shape->events[e])];
  }
  return n;
}

double synth_shape_programs (const SynthSpace *space, const RspShape *shape,
                             const SynthSymmetry *symmetries, guint n_symmetries) {
  SynthSymmetry identity;
  for (guint e = 0; e < RSP_SHAPE_EVENTS; e++)
    identity.moves[e] = (guint8) e;
  double sum = count_fixed_labellings (space, shape, identity.moves);
  for (guint i = 0; i < n_symmetries; i++)
    sum += count_fixed_labellings (space, shape, symmetries[i].moves);
  return sum / (n_symmetries + 1);
}

/* ---- Symmetry ------------------------------------------------------------------------------- */

static guint length_of (const RspShape *shape, guint thread) {
  guint n = 0;
  for (guint e = 0; e < shape->n_events; e++)
    n += shape->events[e].thread == thread;
  return n;
}

/* The place of an event when the threads are in this order; NULL: in their own. */
static guint place_of (const RspShape *shape, const SynthOrder *order, guint event) {
  guint thread = shape->events[event].thread, place = 0;
  if (!order)
    return event;
  for (guint t = 0; order->thread[t] != thread; t++)
    place += length_of (shape, order->thread[t]);
  for (guint e = 0; e < event; e++)
    place += shape->events[e].thread == thread;
  return place;
}

void synth_order_moves (const RspShape *shape, const SynthOrder *order, SynthSymmetry *symmetry) {
  for (guint8 e = 0; e < shape->n_events; e++)
    symmetry->moves[place_of (shape, order, e)] = e;
}

/* An event without its dependencies as a number: kind, region or flags, and the location's new
 * name. The name also records the address by which the location is accessed first, the new address
 * 0. */
static guint event_code (const RspShape *shape, guint event, guint8 *names, guint8 *named) {
  const RspShapeEvent *own = &shape->events[event];
  if (!rsp_shape_is_access (own))
    return (guint) own->kind << 8 | own->flags;
  guint kind = own->half ? (guint) RSP_EVENT_RMW : (guint) own->kind;
  if (names[own->location] == 0xff)
    names[own->location] = (guint8) ((*named)++ << 1 | own->address);
  guint address = own->address ^ (names[own->location] & 1);
  return kind << 8 | (guint) (names[own->location] >> 1) << 2 | address << 1
         | shape->local[own->location];
}

int synth_compare_events (const RspShape *shape, const SynthOrder *order) {
  guint8 names[2][RSP_SHAPE_EVENTS], named[2] = { 0, 0 };
  SynthSymmetry symmetry;
  memset (names, 0xff, sizeof names);
  synth_order_moves (shape, order, &symmetry);
  for (guint e = 0; e < shape->n_events; e++) {
    guint a = event_code (shape, symmetry.moves[e], names[0], &named[0]);
    guint b = event_code (shape, e, names[1], &named[1]);
    if (a != b)
      return a < b ? -1 : 1;
  }
  return 0;
}

enum {
  DEPENDENCY_CODES = 4 /* per event */
};

/* Dependencies as numbers, event by event; a load is its place + 1. */
static void dependency_code (const RspShape *shape, const SynthOrder *order, guint8 *code) {
  for (guint e = 0; e < shape->n_events; e++) {
    const RspShapeEvent *event = &shape->events[e];
    guint8 *own = &code[(gsize) DEPENDENCY_CODES * place_of (shape, order, e)];
    const guint8 loads[] = { event->addr, event->data, event->guard };
    for (guint i = 0; i < G_N_ELEMENTS (loads); i++)
      own[i] = loads[i] ? (guint8) (place_of (shape, order, loads[i] - 1u) + 1) : 0;
    own[3] = event->guard ? (guint8) place_of (shape, order, event->guard_value) : 0;
  }
}

int synth_compare_dependencies (const RspShape *shape, const SynthOrder *order) {
  guint8 own[DEPENDENCY_CODES * RSP_SHAPE_EVENTS], other[DEPENDENCY_CODES * RSP_SHAPE_EVENTS];
  dependency_code (shape, NULL, own);
  dependency_code (shape, order, other);
  return memcmp (other, own, (gsize) DEPENDENCY_CODES * shape->n_events);
}

/* The tree as numbers; nodes are named in the order of their first threads. */
static void tree_code (const RspShape *shape, const SynthOrder *order, guint8 *code) {
  guint8 names[RSP_N_LEVELS][RSP_SHAPE_EVENTS];
  guint named[RSP_N_LEVELS] = { 0 };
  memset (names, 0xff, sizeof names);
  for (guint t = 0; t < shape->n_threads; t++) {
    const guint8 *nodes = shape->places[order ? order->thread[t] : t].node;
    for (guint level = 0; level < RSP_N_LEVELS; level++) {
      if (names[level][nodes[level]] == 0xff)
        names[level][nodes[level]] = (guint8) named[level]++;
      code[RSP_N_LEVELS * t + level] = names[level][nodes[level]];
    }
  }
}

int synth_compare_trees (const RspShape *shape, const SynthOrder *order) {
  guint8 own[RSP_N_LEVELS * RSP_SHAPE_EVENTS], other[RSP_N_LEVELS * RSP_SHAPE_EVENTS];
  tree_code (shape, NULL, own);
  tree_code (shape, order, other);
  return memcmp (other, own, (gsize) RSP_N_LEVELS * shape->n_threads);
}

/* Adds all orders that begin like `order` up to `thread`; returns their new number. */
static guint add_orders (const RspShape *shape, SynthOrder *order, guint thread, SynthOrder *orders,
                         guint n) {
  if (thread == shape->n_threads) {
    gboolean same = TRUE;
    for (guint t = 0; t < thread; t++)
      same &= order->thread[t] == t;
    if (!same)
      orders[n++] = *order;
    return n;
  }
  for (guint8 t = 0; t < shape->n_threads; t++)
    if (length_of (shape, t) == length_of (shape, thread) && !memchr (order->thread, t, thread)) {
      order->thread[thread] = t;
      n = add_orders (shape, order, thread + 1, orders, n);
    }
  return n;
}

guint synth_orders_of_lengths (const RspShape *shape, SynthOrder *orders) {
  SynthOrder order = { { 0 } };
  return add_orders (shape, &order, 0, orders, 0);
}

gboolean synth_order_is_symmetry (const RspShape *shape, const SynthOrder *order) {
  return synth_compare_events (shape, order) == 0 && synth_compare_dependencies (shape, order) == 0
         && synth_compare_trees (shape, order) == 0;
}

/* The number of a write after event moves[e] has become event e. */
static guint8 move_write (const RspShape *shape, const SynthSymmetry *symmetry, guint write) {
  for (guint e = 0; e < shape->n_events; e++) {
    guint from = symmetry->moves[e];
    if (write >= shape->n_locations && write - shape->n_locations == from)
      return (guint8) rsp_shape_event (shape, e);
    if (write < shape->n_locations && rsp_shape_is_access (&shape->events[from])
        && shape->events[from].location == write)
      return shape->events[e].location;
  }
  return (guint8) write;
}

void rsp_synth_outcome_move (const RspShape *shape, const SynthSymmetry *symmetry,
                             const RspShapeOutcome *outcome, RspShapeOutcome *moved) {
  *moved = (RspShapeOutcome){ { 0 }, { 0 } };
  for (guint e = 0; e < shape->n_events; e++)
    if (rsp_shape_is_read (&shape->events[e]))
      moved->source[e] = move_write (shape, symmetry, outcome->source[symmetry->moves[e]]);
  for (guint x = 0; x < shape->n_locations; x++)
    moved->last[move_write (shape, symmetry, x)] = move_write (shape, symmetry, outcome->last[x]);
}

/* ---- Steps ---------------------------------------------------------------------------------- */

/* The orders below each, as bits. The lattice of C11: na < rlx < con < acq, rlx < rel, both < ar <
 * sc. */
static const guint orders_below[] = {
  [RSP_ORDER_NA] = 0,
  [RSP_ORDER_RELAXED] = 1u << RSP_ORDER_NA,
  [RSP_ORDER_CONSUME] = 1u << RSP_ORDER_NA | 1u << RSP_ORDER_RELAXED,
  [RSP_ORDER_ACQUIRE] = 1u << RSP_ORDER_NA | 1u << RSP_ORDER_RELAXED | 1u << RSP_ORDER_CONSUME,
  [RSP_ORDER_RELEASE] = 1u << RSP_ORDER_NA | 1u << RSP_ORDER_RELAXED | 1u << RSP_ORDER_CONSUME,
  [RSP_ORDER_ACQ_REL] = 1u << RSP_ORDER_NA | 1u << RSP_ORDER_RELAXED | 1u << RSP_ORDER_CONSUME
                        | 1u << RSP_ORDER_ACQUIRE | 1u << RSP_ORDER_RELEASE,
  [RSP_ORDER_SEQ_CST] = 1u << RSP_ORDER_NA | 1u << RSP_ORDER_RELAXED | 1u << RSP_ORDER_CONSUME
                        | 1u << RSP_ORDER_ACQUIRE | 1u << RSP_ORDER_RELEASE
                        | 1u << RSP_ORDER_ACQ_REL,
};

static gboolean is_weaker_order (guint a, guint b) { return orders_below[b] >> a & 1; }

gboolean rsp_synth_label_is_within (const RspLabel *a, const RspLabel *b) {
  return (a->order == b->order || is_weaker_order (a->order, b->order))
         && !rsp_scope_is_wider ((RspScope) a->scope, (RspScope) b->scope) && a->form == b->form
         && (a->word == b->word || !a->word);
}

guint rsp_synth_label_strength (const RspShape *shape, const RspLabel *label) {
  guint narrower = 0;
  for (guint i = 0; synth_scopes_by_width[i] != label->scope; i++)
    narrower += synth_scope_word (shape->language, shape->words, synth_scopes_by_width[i]) != NULL;
  return (guint) __builtin_popcount (orders_below[label->order]) + narrower + label->form
         + (label->word > 0);
}

static gboolean has_order (const SynthSpace *space, SynthKind kind, guint order) {
  for (guint i = 0; i < space->n_labels[kind]; i++)
    if (space->labels[kind][i].order == order)
      return TRUE;
  return FALSE;
}

/* The k-th of the kind's orders directly below this one, or G_MAXUINT. */
static guint find_order_below (const SynthSpace *space, SynthKind kind, guint order, guint k) {
  for (guint a = 0; a <= RSP_ORDER_SEQ_CST; a++) {
    gboolean next = has_order (space, kind, a) && is_weaker_order (a, order);
    for (guint b = 0; b <= RSP_ORDER_SEQ_CST && next; b++)
      next = !(has_order (space, kind, b) && is_weaker_order (a, b) && is_weaker_order (b, order));
    if (next && k-- == 0)
      return a;
  }
  return G_MAXUINT;
}

/* The widest scope of the space that is narrower than this one; RSP_N_ALL_SCOPES: none. */
static guint next_scope (const SynthSpace *space, guint scope) {
  guint next = RSP_N_ALL_SCOPES;
  for (guint i = 0; synth_scopes_by_width[i] != scope; i++)
    if (space->scopes >> synth_scopes_by_width[i] & 1)
      next = synth_scopes_by_width[i];
  return next;
}

guint rsp_synth_step_down (const SynthSpace *space, SynthKind kind, guint choice,
                           SynthAttribute attribute, guint k) {
  RspLabel label = space->labels[kind][choice];
  if (label.order == RSP_ORDER_NA || (k && attribute != SYNTH_ORDER))
    return SYNTH_NO_LABEL;
  if (attribute == SYNTH_ORDER) {
    guint order = find_order_below (space, kind, label.order, k);
    if (order == G_MAXUINT)
      return SYNTH_NO_LABEL;
    label.order = (guint8) order;
    if (order == RSP_ORDER_NA)
      label = (RspLabel){ RSP_ORDER_NA, RSP_SCOPE_WORK_ITEM, 0, 0, 0, 0 };
  } else if (attribute == SYNTH_WORD) {
    if (!label.word)
      return SYNTH_NO_LABEL;
    label.word = 0;
  } else {
    guint narrower = next_scope (space, label.scope);
    if (narrower == RSP_N_ALL_SCOPES)
      return SYNTH_NO_LABEL;
    label.scope = (guint8) narrower;
  }
  for (guint i = 0; i < space->n_labels[kind]; i++)
    if (rsp_label_equal (&space->labels[kind][i], &label))
      return i;
  return SYNTH_NO_LABEL;
}

/* ---- Removing events and dependencies ---- */
void rsp_synth_rename_dependencies (RspShape *shape, const guint8 *names) {
  for (guint e = 0; e < shape->n_events; e++) {
    RspShapeEvent *event = &shape->events[e];
    event->addr = rsp_shape_rename_load (names, event->addr);
    event->data = rsp_shape_rename_load (names, event->data);
    guint8 value = names[event->guard_value];
    event->guard = value == 0xff ? 0 : rsp_shape_rename_load (names, event->guard);
    event->guard_value = event->guard ? value : 0;
  }
}

/* The shape with only the events of the set and the locations that they access. */
static void keep_events (const RspShape *shape, guint set, SynthRemoval *removal) {
  guint8 locations[RSP_SHAPE_EVENTS], events[RSP_SHAPE_EVENTS]; /* their new names */
  RspShape *left = &removal->shape;
  *removal = (SynthRemoval){ .shape = *shape };
  left->n_locations = left->n_events = 0;
  memset (locations, 0xff, sizeof locations);
  memset (events, 0xff, sizeof events);
  for (guint x = 0; x < shape->n_locations; x++)
    for (guint e = 0; e < shape->n_events; e++)
      if ((set >> e & 1) && rsp_shape_is_access (&shape->events[e])
          && shape->events[e].location == x && locations[x] == 0xff) {
        left->local[left->n_locations] = shape->local[x];
        removal->location[left->n_locations] = (guint8) x;
        locations[x] = (guint8) left->n_locations++;
      }
  for (guint e = 0; e < shape->n_events; e++)
    if (set >> e & 1) {
      RspShapeEvent *to = &left->events[left->n_events];
      removal->event[left->n_events] = (guint8) e;
      events[e] = (guint8) left->n_events++;
      *to = shape->events[e];
      if (rsp_shape_is_access (to))
        to->location = locations[to->location];
    }
  rsp_synth_rename_dependencies (left, events);
}

void rsp_synth_remove_event (const RspShape *shape, guint event, SynthRemoval *removal) {
  guint left = 0;
  for (guint e = 0; e < shape->n_events; e++)
    left |= synth_operation (shape, e) == event ? 0 : 1u << e;
  keep_events (shape, left, removal);
}

gboolean rsp_synth_drop_dependency (const RspShape *shape, guint event, SynthDependency which,
                                    SynthRemoval *removal) {
  const RspShapeEvent *own = &shape->events[event];
  guint has = which == SYNTH_ADDR ? own->addr : which == SYNTH_DATA ? own->data : own->guard;
  if (!has || rsp_shape_is_second (own))
    return FALSE;
  keep_events (shape, (1u << shape->n_events) - 1, removal);
  for (guint e = event; e < shape->n_events && synth_operation (shape, e) == event; e++) {
    RspShapeEvent *to = &removal->shape.events[e];
    to->addr = which == SYNTH_ADDR ? 0 : to->addr;
    to->data = which == SYNTH_DATA ? 0 : to->data;
    to->guard = which == SYNTH_CTRL ? 0 : to->guard;
    to->guard_value = which == SYNTH_CTRL ? 0 : to->guard_value;
  }
  return TRUE;
}

guint rsp_synth_removal_write (const SynthRemoval *removal, const RspShape *whole, guint write) {
  guint n = removal->shape.n_locations;
  return write < n ? removal->location[write] : whole->n_locations + removal->event[write - n];
}

/* ---- Program -------------------------------------------------------------------------------- */

/* ---- Codes: a group of digits per event, the nodes per thread ---- */
enum {
  HALVES = RSP_EVENT_BARRIER + 1 /* is added to the kind of a half of a read-modify-write */
};

/* A level that follows another has no digit. */
static gboolean has_digit (guint level) { return !rsp_level_follows ((RspLevel) level); }

static const char digit_words[] = "0123456789abcdefg";

G_STATIC_ASSERT (sizeof digit_words - 1 == RSP_MAX_WORDS + 1);

char *rsp_synth_program_code (const SynthProgram *program) {
  const RspShape *shape = &program->shape;
  GString *text = g_string_new (NULL);
  for (guint e = 0; e < shape->n_events; e++) {
    const RspShapeEvent *event = &shape->events[e];
    const RspLabel *label = &program->labels[e];
    guint where = rsp_shape_is_access (event) ? event->address : event->flags;
    g_string_append_printf (text, "%s%u%u%u%u%u%u%u%u%u%u%u%c", e ? "." : "", event->thread,
                            (guint) (event->half ? HALVES + event->kind : event->kind),
                            event->location, where, label->order, label->scope, label->form,
                            event->addr, event->data, event->guard, event->guard_value,
                            digit_words[label->word]);
  }
  for (guint t = 0; t < shape->n_threads; t++) {
    g_string_append_c (text, t ? '.' : '-');
    for (guint level = RSP_N_LEVELS; level-- > 0;)
      if (has_digit (level))
        g_string_append_printf (text, "%u", shape->places[t].node[level]);
  }
  g_string_append_c (text, '-');
  for (guint x = 0; x < shape->n_locations; x++)
    g_string_append_c (text, shape->local[x] ? 'l' : 'g');
  if (rsp_languages[shape->language].tagged)
    g_string_append_printf (text, "-%s", rsp_languages[shape->language].word);
  return g_string_free (text, FALSE);
}

/* Reads a group of digits, each below its limit. */
static gboolean read_digits (const char *text, const guint *limits, guint n, guint *digits) {
  if (strlen (text) != n)
    return FALSE;
  for (guint i = 0; i < n; i++) {
    const char *digit = strchr (digit_words, text[i]);
    if (!digit || (guint) (digit - digit_words) >= limits[i])
      return FALSE;
    digits[i] = (guint) (digit - digit_words);
  }
  return TRUE;
}

static gboolean read_events (const char *text, const SynthSpace *space, SynthProgram *program) {
  static const guint limits[] = { RSP_SHAPE_EVENTS,
                                  HALVES + RSP_EVENT_WRITE + 1,
                                  RSP_SHAPE_EVENTS,
                                  4,
                                  RSP_ORDER_SEQ_CST + 1,
                                  RSP_N_ALL_SCOPES,
                                  9, /* proxies */
                                  9,
                                  9,
                                  9,
                                  8,
                                  RSP_MAX_WORDS + 1 };
  RspLanguageId language = program->shape.language;
  g_auto (GStrv) groups = g_strsplit (text, ".", -1);
  guint n = g_strv_length (groups), d[G_N_ELEMENTS (limits)];
  if (n == 0 || n > RSP_SHAPE_EVENTS)
    return FALSE;
  program->shape.n_events = n;
  for (guint e = 0; e < n; e++) {
    RspShapeEvent *event = &program->shape.events[e];
    RspLabel *label = &program->labels[e];
    if (!read_digits (groups[e], limits, G_N_ELEMENTS (limits), d))
      return FALSE;
    *event = (RspShapeEvent){ .kind = (RspEventKind) (d[1] % HALVES),
                              .thread = (guint8) d[0],
                              .location = (guint8) d[2],
                              .half = d[1] >= HALVES,
                              .flags = (guint8) d[3],
                              .addr = (guint8) d[7],
                              .data = (guint8) d[8],
                              .guard = (guint8) d[9],
                              .guard_value = (guint8) d[10] };
    if (rsp_shape_is_access (event)) { /* has an address in place of flags */
      event->address = event->flags;
      event->flags = 0;
    }
    *label = (RspLabel){ (guint8) d[4], (guint8) d[5], (guint8) d[6], 0, 0, 0 };
    if (rsp_languages[language].tagged)
      *label = synth_tagged_label (language, &space->words, synth_kind (event), d[4], d[5], d[6]);
    label->word = (guint8) d[11];
    if ((rsp_languages[language].tagged && !label->tags)
        || (label->word && !(space->spoken >> (label->word - 1) & 1))
        || (d[5] >= RSP_N_SCOPES && !synth_scope_word (language, &space->words, d[5])))
      return FALSE;
  }
  return TRUE;
}

/* The digits of each thread's nodes, innermost first. */
static gboolean read_places (const char *text, RspShape *shape) {
  guint limits[RSP_N_LEVELS], digits[RSP_N_LEVELS], n = 0;
  g_auto (GStrv) groups = g_strsplit (text, ".", -1);
  shape->n_threads = g_strv_length (groups);
  if (shape->n_threads == 0 || shape->n_threads > SYNTH_MAX_THREADS)
    return FALSE;
  for (guint level = 0; level < RSP_N_LEVELS; level++)
    if (has_digit (level))
      limits[n++] = RSP_SHAPE_EVENTS;
  for (guint t = 0; t < shape->n_threads; t++) {
    guint8 *node = shape->places[t].node;
    guint left = n;
    if (!read_digits (groups[t], limits, n, digits))
      return FALSE;
    for (guint level = 0; level < RSP_N_LEVELS; level++)
      node[level] = has_digit (level) ? (guint8) digits[--left] : level ? node[level - 1] : 0;
  }
  return TRUE;
}

/* Is 1 + load, or 0, a dependency that event e may have? */
static gboolean is_dependency (const RspShape *shape, guint e, guint dependency) {
  return dependency == 0
         || (dependency <= e && rsp_shape_is_read (&shape->events[dependency - 1])
             && shape->events[dependency - 1].thread == shape->events[e].thread);
}

/* Are this event and the next the two of an operation? */
static gboolean is_first_of_two (const RspShape *shape, guint e) {
  const RspShapeEvent *first = &shape->events[e], *second = first + 1;
  return e + 1 < shape->n_events && first->thread == second->thread
         && first->location == second->location && first->address == second->address
         && (first->half ? first->kind == RSP_EVENT_READ && second->half
                         : first->kind == RSP_EVENT_ENTRY)
         && rsp_shape_is_second (second);
}

/* Are its parts in range, and has its operation as many events as the language requires? */
static gboolean is_valid_event (const RspShape *shape, guint e) {
  const RspShapeEvent *event = &shape->events[e];
  gboolean is_whole
      = !event->half && event->kind != RSP_EVENT_ENTRY && event->kind != RSP_EVENT_EXIT;
  if (synth_length (shape->language, synth_kind (event)) == 2)
    is_whole = synth_operation (shape, e) == e ? is_first_of_two (shape, e)
                                               : e > 0 && is_first_of_two (shape, e - 1);
  return is_whole && event->thread < shape->n_threads
         && (!rsp_shape_is_access (event) || event->location < shape->n_locations)
         && event->address <= rsp_languages[shape->language].tagged
         && is_dependency (shape, e, event->addr) && is_dependency (shape, e, event->data)
         && is_dependency (shape, e, event->guard) && event->guard_value < shape->n_events;
}

gboolean rsp_synth_program_decode (const char *code, const SynthSpace *space,
                                   SynthProgram *program) {
  memset (program, 0, sizeof *program);
  RspShape *shape = &program->shape;
  g_auto (GStrv) parts = g_strsplit (code, "-", -1);
  guint n_parts = g_strv_length (parts), language = 0;
  if (n_parts < 3 || n_parts > 4)
    return FALSE;
  while (
      parts[3] && language < RSP_N_LANGUAGES
      && !(rsp_languages[language].tagged && strcmp (rsp_languages[language].word, parts[3]) == 0))
    language++;
  if (language == RSP_N_LANGUAGES)
    return FALSE;
  shape->language = (RspLanguageId) language;
  shape->words = &space->words;
  if (!read_events (parts[0], space, program) || !read_places (parts[1], shape)
      || strlen (parts[2]) > RSP_SHAPE_EVENTS)
    return FALSE;
  shape->n_locations = (guint) strlen (parts[2]);
  for (guint x = 0; x < shape->n_locations; x++)
    shape->local[x] = parts[2][x] == 'l';
  for (guint e = 0; e < shape->n_events; e++)
    if (!is_valid_event (shape, e))
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
  for (guint x = 0; x < shape->n_locations; x++) {
    guint writes = 0;
    for (guint e = 0; e < shape->n_events; e++)
      writes += rsp_shape_is_write (&shape->events[e]) && shape->events[e].location == x;
    if (writes > 1)
      g_string_append_printf (text, "%s%s=%u", text->len ? " /\\ " : "", synth_location_name (x),
                              synth_write_value (program, outcome->last[x]));
  }
  return g_string_free (text, FALSE);
}
