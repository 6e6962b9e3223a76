#include "enumerator/options.h"

enum
{
  DEFAULT_UNROLL = 2
};

const char *const rsp_engine_names[]
    = { [RSPCHECK_ENGINE_BOUNDED] = "bounded", [RSPCHECK_ENGINE_NAIVE] = "naive", NULL };
const char *const rsp_through_names[] = { [RSPCHECK_THROUGH_NONE] = "none",
                                          [RSPCHECK_THROUGH_INVALID] = "invalid",
                                          [RSPCHECK_THROUGH_ALL] = "all",
                                          NULL };
const char *const rsp_speed_names[] = { [RSPCHECK_SPEED_EXACT] = "false",
                                        [RSPCHECK_SPEED_TRUE] = "true",
                                        [RSPCHECK_SPEED_FAST] = "fast",
                                        NULL };
const char *const rsp_spin_names[]
    = { [RSPCHECK_SPIN_ALL] = "all", [RSPCHECK_SPIN_LAST] = "last", NULL };
const char *const rsp_show_names[] = { [RSPCHECK_SHOW_NONE] = "none", [RSPCHECK_SHOW_ALL] = "all",
                                       [RSPCHECK_SHOW_PROP] = "prop", [RSPCHECK_SHOW_NEG] = "neg",
                                       [RSPCHECK_SHOW_WIT] = "wit",   [RSPCHECK_SHOW_COND] = "cond",
                                       [RSPCHECK_SHOW_FLAG] = "flag", NULL };

void
rsp_check_options_init (RspCheckOptions *options)
{
  *options = (RspCheckOptions){ .unroll = DEFAULT_UNROLL, .jobs = 1 };
}

RspCheckOptions
rsp_check_options_rest (const RspCheckOptions *options, double spent)
{
  RspCheckOptions rest = *options;
  if (rest.timeout > 0)
    rest.timeout = MAX (rest.timeout - spent, 1e-6); /* 0 would be no limit */
  return rest;
}
