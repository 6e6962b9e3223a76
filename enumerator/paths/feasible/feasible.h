/* Shared by the files behind RspFeasibility: paths taken apart, and sets of values. */
#pragma once

#include "enumerator/paths/path.h"

enum {
  RSP_MAX_VALUES = 128,        /* values of a location or read; a larger set becomes "any" */
  RSP_MAX_COMBINATIONS = 4096, /* combinations of values of several reads that are tried */
  RSP_MAX_TRIES = 4096         /* steps of the search for values that satisfy a path */
};

typedef struct RspValueSet {
  gboolean any;     /* any number */
  gboolean unknown; /* also undetermined values */
  guint n, room;
  gint64 *values;
  guint n_visible; /* of a location: number of values from earlier rounds, which reads see */
} RspValueSet;

typedef struct RspConditionFacts {
  const RspTerm *term;
  guint *reads;
  guint n_reads;
} RspConditionFacts;

typedef struct RspReadFacts {
  guint event, location;
  guint n_seen;                      /* number of the location's values examined so far */
  gboolean saw_any;                  /* was the location's set "any" when examined? */
  RspValueSet set;                   /* values that satisfy the conditions on this read alone */
  const RspConditionFacts **related; /* conditions on this read and others */
  guint n_related;
} RspReadFacts;

typedef struct RspWriteFacts {
  guint location;
  const RspTerm *term;
  guint *reads; /* numbers in RspPathFacts.reads */
  guint n_reads;
  gboolean recursive; /* is some read in the component of the location? */
  guint n_done;       /* values of the one read, or combinations, evaluated so far */
  gboolean did_unknown;
} RspWriteFacts;

typedef struct RspPathFacts {
  const RspPath *path;
  RspReadFacts *reads;
  RspWriteFacts *writes; /* by component of the location */
  RspConditionFacts *conditions;
  guint n_reads, n_writes, n_conditions;
  guint *related;    /* reads that conditions relate to others, group by group */
  guint *group_ends; /* per group: one past its last in `related` */
  guint n_groups;
  guint thread;
  guint next_write; /* first of the current component */
} RspPathFacts;

struct RspFeasibility {
  const RspProgram *program;
  RspArena *arena;
  GPtrArray **facts;  /* per thread: of RspPathFacts, as in paths */
  GPtrArray **active; /* per thread: the paths that may be chosen */
  RspValueSet *sets;  /* per location */
  guint *component;   /* per location: locations whose values depend on each other have one number,
                         and values only depend on components of the same or a lower number */
  guint n_components;
  GPtrArray **writers; /* per component: of active RspPathFacts with writes to it, by thread; while
                          values are sought */
  guint **locations;   /* per component: its locations */
  guint *n_locations;
  /* Of GPtrArray **: the active paths before each choice; NULL: it changed nothing. */
  GPtrArray *choices;
  guint8 *circles;  /* per location: may hold an undetermined value of a circle */
  RspValue *values; /* scratch: per event of a path */
  gboolean *known;  /* the same; all FALSE if not in use */
  gboolean changed;
  RspBudget *budget; /* NULL: no limits */
  gboolean feasible; /* with nothing chosen */
};

/* Is the budget exhausted? Results are incomplete then. */
static inline gboolean feasibility_is_exhausted (const RspFeasibility *f) {
  rsp_budget_limit_part (f->budget, rsp_arena_size (f->arena));
  return rsp_budget_is_exhausted (f->budget);
}

/* Removes from each thread's paths (paths[thread]: of RspPath) those whose constraints no values
 * satisfy, given everything that any remaining path of any thread may write to each location (and
 * its initial value); a fixpoint over finite value sets, widened to "anything" past a limit. If the
 * budget (NULL: no limits) is exhausted, the remaining paths are kept. */
void rsp_paths_prune (const RspProgram *program, GPtrArray **paths, RspBudget *budget);

RspFeasibility *rsp_feasibility_new (const RspProgram *program, GPtrArray *const *paths,
                                     RspBudget *budget);
/* The same for the paths that the analysis was made for. TRUE if some were removed; the analysis no
 * longer applies to the rest. */
gboolean rsp_feasibility_prune (const RspFeasibility *feasibility, GPtrArray **paths);
void rsp_feasibility_free (RspFeasibility *feasibility);
/* From now on, it has this budget. It was never exhausted so far, so the analysis is complete. */
void rsp_feasibility_set_budget (RspFeasibility *feasibility, RspBudget *budget);
/* Chooses a path of a thread in addition to earlier choices. Can there be values for all of them
 * together with some path of each other thread? FALSE is certain, TRUE is not. Either way
 * rsp_feasibility_retract undoes the last choice. */
gboolean rsp_feasibility_choose (RspFeasibility *feasibility, guint thread, const RspPath *path);
void rsp_feasibility_retract (RspFeasibility *feasibility);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspFeasibility, rsp_feasibility_free)
