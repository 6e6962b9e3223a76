/* How to check a program: engine, limits, what counts. Independent of models. */
#pragma once

#include "public/rspcheck-enums.h"

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

/* What checks of one program have in common: see prepare/path_cache.h. */
typedef struct RspPathCache RspPathCache;

typedef struct RspCheckOptions {
  RspcheckEngine engine;
  RspcheckSpeed speedcheck;
  RspcheckThrough through;
  guint unroll; /* rounds per loop; 2 by default */
  RspcheckCasWriteback cas_writeback;
  gboolean no_thin_air; /* leave out executions whose values justify each other in a cycle */
  RspcheckSpin spin;
  /* Only this counts: does an execution violate a requirement, or a path fail, and if not, can the
   * condition's proposition hold? Not with speedcheck. */
  gboolean verdict;
  gboolean outcome_reads; /* do states also show what every read returned? */
  double timeout;         /* seconds; 0: none */
  guint64 max_executions; /* 0: no limit */
  gsize max_memory;       /* bytes for the search's memo and states; 0: RSP_DEFAULT_MEMORY */
  guint jobs;             /* threads inside this one check; 1 by default */
  guint screen_after; /* number of combinations without an execution after which screening starts;
                       * 0: the default */
  guint spin_cases;   /* in which waiting rounds are compared before the solver is asked; 0: the
                         default */
  /* Do executions that -unroll truncates count with the rounds that they have, and with spin last
   * those that never end with a first round of what repeats, unless a barrier may keep work-items
   * from having come so far? What races there does in the execution; states say nothing of memory,
   * and never_ends is not looked for. */
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
  GString *journal; /* journal of the bounded engine (see search/bounded/report/journal.h), which
                     * then uses one thread; else NULL */
  RspPathCache *path_cache; /* of the program, if it is checked several times; or NULL */
  guint disabled;           /* bits of RspFeature switched off, for differential tests */
} RspCheckOptions;

/* The words of the enumerations on the command line and in records, NULL-terminated. */
extern const char *const rsp_engine_names[];
extern const char *const rsp_through_names[];
extern const char *const rsp_speed_names[];
extern const char *const rsp_spin_names[];
extern const char *const rsp_show_names[];

void rsp_check_options_init (RspCheckOptions *options);
/* Does a failing compare-exchange write what it found, if it does so by default in the language? */
gboolean rsp_cas_writes_back (RspcheckCasWriteback choice, gboolean by_default);
/* The options for continuing with the same test after `spent` seconds of its time. */
RspCheckOptions rsp_check_options_rest (const RspCheckOptions *options, double spent);
