/* All paths of a program as one: which path each thread takes is a literal, and an access that
 * several paths of a thread make is one event (paths/reduce/names.h), which exists if the thread
 * takes one of them. */
#pragma once

#include "enumerator/pre_execution.h"
#include "enumerator/search/sat/circuit.h"

typedef struct SatThread {
  guint n_paths;
  const RspPath *const *paths;
  Lit *taken;     /* per path; exactly one holds */
  guint **events; /* per path: for each of its events, that of the fold (of the thread) */
  guint **places; /* per path: for each event of the fold, its number on the path, or G_MAXUINT */
  guint n_events;
} SatThread;

typedef struct SatFold {
  const RspProgram *program;
  RspArena *arena;
  Circuit *circuit;
  SatThread *threads;
  RspPreExecution *pre;             /* of the folded paths; sets and relations say what may be */
  Lit *exists;                      /* per event of pre */
  const Lit *kept;                  /* of a part, per event: what is left; NULL: all */
  RspMatrix *together;              /* pairs that some execution may have both of; reflexive */
  guint fewest_events, most_events; /* bounds of the number of events of an execution */
  const char *refusal;              /* why the program cannot be encoded; NULL: it can */
} SatFold;

/* paths[t]: of RspPath, not empty. NULL if the budget is exhausted. */
SatFold *sat_fold_new (const RspProgram *program, GPtrArray *const *paths, RspTerms *terms,
                       Circuit *circuit, RspArena *arena);

/* What is left of an execution if only the events that are kept remain; initial writes, if
 * something that remains accesses their locations. */
SatFold *sat_fold_part (const SatFold *fold, const Lit *kept);

/* Holds if a thread takes one of these paths (a set of numbers). */
Lit sat_fold_takes (const SatFold *fold, guint thread, const RspMatrix *paths);
/* The pair is in a base relation of the execution. */
Lit sat_fold_base_pair (const SatFold *fold, RspBaseRelation relation, guint a, guint b);
/* The event is in a base set of the execution. */
Lit sat_fold_base_member (const SatFold *fold, RspBaseSet set, guint event);
/* Both events exist. */
Lit sat_fold_both (const SatFold *fold, guint a, guint b);
/* The number of an event on a path of its thread, or G_MAXUINT. */
guint sat_fold_place (const SatFold *fold, guint event, guint path);
/* The event that a path's event number is. */
guint sat_fold_event (const SatFold *fold, guint thread, guint path, guint number);
