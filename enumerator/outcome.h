#pragma once

#include "base/base.h"
#include "enumerator/terms/terms.h"
#include "parser/program.h"
#include "public/rspcheck-enums.h"

/* ---- Options -------------------------------------------------------------------------------- */

/* How to check a program: engine, limits, what counts. Independent of models. */

/* Features that can be switched off (RspCheckOptions.disabled), as bits: all combinations must give
 * the same results. */
enum {
#define RSP_FEATURE(id, meaning) RSP_FEATURE_NUMBER_##id,
#include "enumerator/features.def"
  RSP_N_FEATURES
};

typedef enum RspFeature {
#define RSP_FEATURE(id, meaning) RSP_FEATURE_##id = 1 << RSP_FEATURE_NUMBER_##id,
#include "enumerator/features.def"
  RSP_FEATURE_ALL = (1 << RSP_N_FEATURES) - 1
} RspFeature;

/* With spin last, is it proved that rounds that only wait may be left out? */
typedef enum RspRounds { RSP_ROUNDS_UNKNOWN, RSP_ROUNDS_LEFT_OUT, RSP_ROUNDS_KEPT } RspRounds;

typedef struct RspCheckOptions {
  RspcheckEngine engine;
  RspcheckSpeed speedcheck;
  RspcheckThrough through;
  guint unroll;        /* rounds per loop; 2 by default */
  gboolean unroll_all; /* also of loops that count, and of those whose rounds take one way */
  RspcheckCasWriteback cas_writeback;
  gboolean no_thin_air; /* leave out executions whose values justify each other in a cycle */
  RspcheckSpin spin;
  RspRounds rounds; /* of spin last: what an earlier check of the program found about it */
  /* Only this counts: does an execution violate a requirement, or a path fail, and if not, can the
   * condition's proposition hold? Not with speedcheck. */
  gboolean verdict;
  gboolean outcome_reads; /* do states also show the registers that receive what is read? */
  double timeout;         /* seconds; 0: none */
  guint64 max_executions; /* 0: no limit */
  gsize max_memory;       /* bytes for the search's memo and states; 0: RSP_DEFAULT_MEMORY */
  guint jobs;             /* threads inside this one check; 1 by default */
  guint screen_after; /* number of combinations without an execution after which screening starts;
                       * 0: the default */
  guint spin_cases;   /* in which waiting rounds are compared before the solver is asked; 0: the
                         default */
  /* Do executions that do not end count with what they do until then? Those that -unroll truncates
   * have all its rounds; with spin last, those that never end have the first round of what repeats,
   * unless a barrier may keep work-items from coming so far. A race in such a beginning is one of
   * the execution; states show no memory, and never_ends is not looked for. */
  gboolean prefixes;
  gboolean asks_only;       /* queries that may ask the solver ask nothing else */
  gboolean counts_optional; /* may the solver answer, without counts, where counting takes long? */
  guint solver_after; /* steps of a search, also for hangs, before it is asked (or by engine auto);
                         0: the default */
  guint solver_conflicts; /* of a question, after which the search goes on for a while; 0: the
                             default */
  guint help_after;       /* nodes of a search before other threads join it; 0: the default */
  gboolean attribute;     /* count what each axiom prunes and forces, which takes extra time */
  const char *const *skipped_checks; /* ids of the model's axioms to skip, NULL-terminated; or
                                      * NULL */
  GString *journal; /* journal of the bounded engine (enumerator/bounded/internal.h), which
                     * then uses one thread; else NULL */
  guint disabled;   /* bits of RspFeature switched off, for differential tests */
} RspCheckOptions;

/* The words of the enumerations on the command line and in records, NULL-terminated. */
extern const char *const rsp_engine_names[];

extern const char *const rsp_through_names[];

extern const char *const rsp_speed_names[];

extern const char *const rsp_spin_names[];

extern const char *const rsp_show_names[];

void rsp_check_options_init (RspCheckOptions *options);

/* TRUE if a failing compare-exchange writes the value it found, in languages where it does so by
 * default. */
gboolean rsp_cas_writes_back (RspcheckCasWriteback choice, gboolean by_default);

/* The options for continuing with the same test after `spent` seconds of its time. */
RspCheckOptions rsp_check_options_rest (const RspCheckOptions *options, double spent);

/* ---- Outcome -------------------------------------------------------------------------------- */

/* The result of checking a program: final states with their executions, flags, statistics. */

#include "base/base.h"
#include "base/base.h"
#include "base/base.h"
#include "enumerator/terms/terms.h"
#include "parser/program.h"

typedef struct RspStateCount {
  RspCount executions;
  RspCount n_undefined;  /* those of them that violate an undefined_unless */
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
  gboolean guessed; /* does the path depend on values that are not known? */
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
  RspRounds rounds;
  gboolean uncounted;   /* does each state stand for all its executions? */
  gboolean some_states; /* are there more of them, perhaps? Both answers to the question, if there
                         * are both, are among them */
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
