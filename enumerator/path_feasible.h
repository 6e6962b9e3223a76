/* What path_feasible.c and path_circle.c share: paths taken apart, and sets of values. */
#ifndef RSP_PATH_FEASIBLE_H
#define RSP_PATH_FEASIBLE_H

#include "enumerator/path.h"

enum
{
  RSP_MAX_VALUES = 64,        /* of a location or read; more are "any" */
  RSP_MAX_COMBINATIONS = 1024 /* of values of several reads that are tried */
};

typedef struct RspValueSet
{
  gboolean any;     /* any number */
  gboolean unknown; /* also undetermined values */
  guint n, room;
  gint64 *values;
} RspValueSet;

typedef struct RspReadFacts
{
  guint event, location;
  guint n_seen;     /* values of the location looked at so far */
  gboolean saw_any; /* the location's set was "any" when looked at */
  RspValueSet set;  /* those that meet the conditions on this read alone */
} RspReadFacts;

typedef struct RspWriteFacts
{
  guint location;
  const RspTerm *term;
  guint *reads; /* numbers in RspPathFacts.reads */
  guint n_reads;
  guint n_done; /* values of the one read, or combinations, evaluated so far */
  gboolean did_unknown;
} RspWriteFacts;

typedef struct RspConditionFacts
{
  const RspTerm *term;
  guint *reads;
  guint n_reads;
} RspConditionFacts;

typedef struct RspPathFacts
{
  const RspPath *path;
  RspReadFacts *reads;
  RspWriteFacts *writes;
  RspConditionFacts *conditions;
  guint n_reads, n_writes, n_conditions;
} RspPathFacts;

struct RspFeasibility
{
  const RspProgram *program;
  RspArena *arena;
  GPtrArray **facts;  /* per thread: of RspPathFacts, as in paths */
  GPtrArray **active; /* per thread: those that may be chosen */
  RspValueSet *sets;  /* per location */
  guint8 *circles;    /* per location: may hold an undetermined value of a circle */
  RspValue *values;   /* scratch: per event of a path */
  gboolean changed;
};

guint8 *rsp_feasibility_find_circles (const RspFeasibility *f);

#endif
