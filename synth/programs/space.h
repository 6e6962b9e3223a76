/* The space of programs that is searched: its bounds and its alphabet.
 *
 * A program is a shape (enumerator/shapes/shape.h) with a label per event. Labels are those of
 * `labels`, per kind of event, weakest first; scope trees have the levels that are switched on. */
#pragma once

#include "enumerator/shapes/label.h"
#include "model/model.h"

/* Operations, of one event or two. */
typedef enum SynthKind {
  SYNTH_LOAD,
  SYNTH_STORE,
  SYNTH_EXCHANGE,
  SYNTH_FENCE,
  SYNTH_BARRIER,
  SYNTH_KINDS
} SynthKind;

/* Dependencies between a load and a later event of its thread. */
typedef enum SynthDependency {
  SYNTH_ADDR = 1,
  SYNTH_DATA = 2,
  SYNTH_CTRL = 4 /* guards: the event happens only if the load read what one write writes */
} SynthDependency;

enum {
  SYNTH_MAX_THREADS = 5, /* the most that -threads takes */
  SYNTH_MAX_LABELS = 64  /* of one kind: a set of them is a word */
};

/* The attributes of a label, in the order in which the search decides them: scopes first, since
 * many programs race because of narrow scopes and are then left out. */
typedef enum SynthAttribute {
  SYNTH_SCOPE,
  SYNTH_REMOTE,
  SYNTH_ORDER,
  SYNTH_ATTRIBUTES
} SynthAttribute;

typedef struct SynthSpace {
  RspLanguageId language;           /* of the programs; OpenCL stands for C too */
  guint proxies;                    /* in PTX: bits 1 << RspLabel.remote */
  guint events, threads, locations; /* at most */
  guint addresses;                  /* virtual ones of a location: 2 with fences of aliases */
  gboolean opencl;                  /* scopes and scope trees; else C */
  guint kinds;                      /* bits 1 << SynthKind */
  guint orders;                     /* bits 1 << RspOrder, NA for plain accesses */
  guint scopes;                     /* bits 1 << RspScope */
  gboolean remote;
  gboolean trees, sub_groups; /* work-groups and devices; sub-groups too */
  gboolean regions;           /* local memory too */
  guint dependencies;         /* bits of SynthDependency */
  RspLabel labels[SYNTH_KINDS][SYNTH_MAX_LABELS];
  guint n_labels[SYNTH_KINDS];
} SynthSpace;

/* The caller's bounds; 0 or NULL if the models determine them. Lists are words separated by
 * commas. */
typedef struct SynthBounds {
  guint events, threads, locations;
  char *kinds, *orders, *scopes; /* "load,store", "rlx,acq", "wg,dev"; the caller's */
  char *dependencies;            /* "addr,data,ctrl", "none" */
  char *proxies;                 /* "generic,texture" */
  char *remote;                  /* "true", "false" */
  char *trees;                   /* "true", "false": threads on several work-groups, devices */
  gboolean regions;
} SynthBounds;

/* The language that has the names of all models; OpenCL, which stands for C too, if several have.
 */
RspLanguageId rsp_synth_language (RspModel *const *models, guint n_models);
/* FALSE after an error, reported in diagnostics. */
gboolean rsp_synth_space_init (SynthSpace *space, const SynthBounds *bounds,
                               RspModel *const *models, guint n_models,
                               const RspStageOptions *options, RspDiagnostics *diagnostics);
/* "at most 4 events, 3 threads, …; loads, stores, …". Newly allocated. */
char *rsp_synth_space_describe (const SynthSpace *space);

/* The value of an attribute of a label. */
guint rsp_synth_label_value (const RspLabel *label, SynthAttribute attribute);

/* The operation that the event is, or belongs to. */
static inline SynthKind synth_kind (const RspShapeEvent *event) {
  if (rsp_shape_is_barrier (event))
    return SYNTH_BARRIER;
  if (!rsp_shape_is_access (event))
    return SYNTH_FENCE;
  if (event->half || event->kind == RSP_EVENT_RMW)
    return SYNTH_EXCHANGE;
  return event->kind == RSP_EVENT_READ ? SYNTH_LOAD : SYNTH_STORE;
}

/* R, W, U (a read-modify-write), F or B. */
static inline char synth_letter (const RspShapeEvent *event) { return "RWUFB"[synth_kind (event)]; }

/* How many events an operation is. */
static inline guint synth_length (RspLanguageId language, SynthKind kind) {
  return (kind == SYNTH_EXCHANGE && rsp_languages[language].rmw == RSP_RMW_TWO_EVENTS)
                 || (kind == SYNTH_BARRIER && !rsp_languages[language].tagged)
             ? 2
             : 1;
}

/* The event whose label is chosen for event e: the second of an operation has that of the first. */
static inline guint synth_labelled_event (const RspShape *shape, guint e) {
  return rsp_shape_is_second (&shape->events[e]) ? e - 1 : e;
}
