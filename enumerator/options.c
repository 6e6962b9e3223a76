#include "enumerator/options.h"

enum { DEFAULT_UNROLL = 2 };

/* Words by value, ending with NULL. -Wswitch reports a value that has no word. */
#define WORD(value, word) [RSPCHECK_##value] = word,
#define CASE(value, word) case RSPCHECK_##value:
#define WORDS(type, names, LIST)                                                                   \
  const char *const names[] = { LIST (WORD) NULL };                                                \
  G_GNUC_UNUSED static void names##_are_complete (type value) {                                    \
    switch (value) { LIST (CASE) break; }                                                          \
  }

#define ENGINES(X)                                                                                 \
  X (ENGINE_BOUNDED, "bounded")                                                                    \
  X (ENGINE_NAIVE, "naive") X (ENGINE_SAT, "sat") X (ENGINE_AUTO, "auto")
#define THROUGHS(X) X (THROUGH_NONE, "none") X (THROUGH_INVALID, "invalid") X (THROUGH_ALL, "all")
#define SPEEDS(X)   X (SPEED_EXACT, "false") X (SPEED_TRUE, "true") X (SPEED_FAST, "fast")
#define SPINS(X)    X (SPIN_ALL, "all") X (SPIN_LAST, "last")
#define SHOWS(X)                                                                                   \
  X (SHOW_NONE, "none")                                                                            \
  X (SHOW_ALL, "all")                                                                              \
  X (SHOW_PROP, "prop")                                                                            \
  X (SHOW_NEG, "neg") X (SHOW_WIT, "wit") X (SHOW_COND, "cond") X (SHOW_FLAG, "flag")

WORDS (RspcheckEngine, rsp_engine_names, ENGINES)
WORDS (RspcheckThrough, rsp_through_names, THROUGHS)
WORDS (RspcheckSpeed, rsp_speed_names, SPEEDS)
WORDS (RspcheckSpin, rsp_spin_names, SPINS)
WORDS (RspcheckShow, rsp_show_names, SHOWS)

void rsp_check_options_init (RspCheckOptions *options) {
  *options = (RspCheckOptions){ .unroll = DEFAULT_UNROLL, .jobs = 1 };
}

gboolean rsp_cas_writes_back (RspcheckCasWriteback choice, gboolean by_default) {
  return choice == RSPCHECK_CAS_WRITEBACK_DEFAULT ? by_default
                                                  : choice == RSPCHECK_CAS_WRITEBACK_ALWAYS;
}

RspCheckOptions rsp_check_options_rest (const RspCheckOptions *options, double spent) {
  RspCheckOptions rest = *options;
  if (rest.timeout > 0)
    rest.timeout = MAX (rest.timeout - spent, 1e-6); /* 0 would mean no limit */
  return rest;
}
