/* Parts of executions: a few accesses of paths to one location, and pairs of rf and co between
 * them. */
#pragma once

#include "base/hash.h"
#include "enumerator/paths/path.h"
#include "model/base.h"

enum {
  PART_EVENTS = 4, /* at most, without the initial write */
  PART_PAIRS = 3
};

/* An access of some path; thread RSP_NO_THREAD: the initial write. */
typedef struct Place {
  guint thread;
  const RspPath *path;
  guint event;
} Place;

typedef enum Order { RF, CO } Order;

typedef struct Part {
  guint location;
  Place events[PART_EVENTS + 1];
  guint n_events;
  struct {
    Order order;
    guint a, b; /* of events */
  } pairs[PART_PAIRS];
  guint n_pairs;
} Part;

gboolean place_is_initial (const Place *place);
gboolean place_writes (const Place *place);
gboolean places_are_same (const Place *a, const Place *b);
/* What distinguishes an event from others of its thread, as far as a model can see for an access to
 * a given location; and how two accesses of the same path are related. */
guint64 place_look (const Place *place);
guint64 places_ties (const Place *a, const Place *b);

void part_add (Part *part, Order order, const Place *a, const Place *b);
/* Equal for parts that look the same to every model. */
RspHash part_look (const Part *part);
/* The part as a model sees it; co has the initial write first. */
RspBase *part_base (const Part *part, const RspProgram *program, RspArena *arena);
