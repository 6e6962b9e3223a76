/* The result of checking a program: final states with their executions, flags, statistics. */
#pragma once

#include "base/arena.h"
#include "base/budget.h"
#include "base/count.h"
#include "enumerator/terms/value.h"
#include "parser/program.h"

typedef struct RspStateCount {
  RspCount executions;
  RspCount n_undefined;  /* those of them that violate an undefined_unless */
  const char *reads;     /* -outcomereads: printed text of the reads' values, else NULL */
  guint row;             /* its values: see rsp_outcome_value */
  gboolean satisfies;    /* does the condition's proposition hold? */
  gboolean undetermined; /* does that depend on undetermined values? Then it does not "satisfy" */
} RspStateCount;

typedef struct RspFlag {
  const char *name;
  gboolean undefined; /* from undefined_unless or requires: the program is undefined */
  gboolean raised;
  /* never_ends: where a thread runs for ever; others: none */
  RspSpan span;
  guint thread;
  gboolean at_barrier; /* it waits there, or else is in a loop */
} RspFlag;

typedef struct RspStatistics {
#define COUNT(name)    guint64 name;
#define INTERNAL(name) guint64 name;
#define SECONDS(name)  double name;
#include "enumerator/statistics.def"
} RspStatistics;

/* How often one of the model's axioms, or another reason, pruned a branch of the search, and how
 * many pairs of rf, co and chosen orders it forced (a pair that two axioms force counts for
 * both). */
typedef struct RspPruning {
  const char *name; /* the axiom's name, else "line N of FILE"; "(values)", "(forced pairs)" */
  guint64 n;
  guint64 forced;
} RspPruning;

/* Where a program fails on some execution: an access outside every object, a division by zero. */
typedef struct RspFailure {
  RspSpan span;
  const char *message;
  gint64 address; /* as RspPath.end_address */
  guint thread;
} RspFailure;

typedef struct RspOutcome {
  const RspProgram *program;
  RspcheckStop stop;
  guint *printed; /* indices of the program's observables that states show */
  guint n_printed;
  RspStateCount *states; /* distinct, in the order of the log: see rsp_value_compare */
  guint n_states;
  /* Per row, `width` numbers of values, the first of printed observables, in the program's order;
   * owned. */
  guint32 *numbers;
  guint width;
  RspValue *values;            /* by number */
  RspCount positive, negative; /* executions whose proposition holds or does not hold (not
                                * swapped) */
  /* Executions in which that depends on undetermined values: in neither of these. */
  RspCount undetermined;
  RspCount n_undefined;
  gboolean uncounted; /* does each state stand for all its executions? */
  /* -speedcheck of a forall: does some execution satisfy it? positive and negative do not show
   * that, because only refutations are searched for. */
  gboolean satisfiable;
  RspFlag *flags; /* all flags of the model, in order of appearance */
  guint n_flags;
  gboolean has_undefined; /* does the model have an undefined_unless? */
  gboolean thin_air;
  gboolean barriers;   /* no execution was found, and some path comes to one */
  gboolean loop;       /* did unrolling truncate a loop? Diagnostics name it */
  const char *failure; /* how some execution fails ("division by zero"), of several the first in the
                        * text; NULL if none does. Diagnostics have the places */
  RspFailure *failures; /* of different places */
  guint n_failures;
  RspStatistics statistics;
  RspPruning *prunings; /* of all plain axioms of the model, the most effective first; none unless
                         * RspCheckOptions.attribute */
  guint n_prunings;
  RspArena *arena; /* owns all of the above except the program and the numbers */
} RspOutcome;

void rsp_outcome_free (RspOutcome *outcome);

/* The numbers of a state's values, one for every printed observable: equal if the values are. */
static inline const guint32 *rsp_outcome_numbers (const RspOutcome *outcome,
                                                  const RspStateCount *state) {
  return outcome->numbers + (gsize) state->row * outcome->width;
}

/* The value that a state shows of the k-th printed observable. */
static inline RspValue rsp_outcome_value (const RspOutcome *outcome, const RspStateCount *state,
                                          guint k) {
  return outcome->values[rsp_outcome_numbers (outcome, state)[k]];
}

/* Is there an execution in which the condition's proposition holds (fails), or may hold (fail),
 * depending on undetermined values? */
static inline gboolean rsp_outcome_may_hold (const RspOutcome *outcome) {
  return outcome->positive || outcome->undetermined;
}

static inline gboolean rsp_outcome_may_fail (const RspOutcome *outcome) {
  return outcome->negative || outcome->undetermined;
}

/* Appends the value of the i-th printed observable. */
void rsp_outcome_format_value (const RspOutcome *outcome, const RspStateCount *state, guint i,
                               GString *out);

/* Adds the counts and times of one to the other. */
void rsp_statistics_add (RspStatistics *to, const RspStatistics *from);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspOutcome, rsp_outcome_free)
