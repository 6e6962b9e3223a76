#include "rspcheck-options.h"
#include "api/private.h"

#define MARK G_GUINT64_CONSTANT (0x7273706f7074f102) /* in options that were set up */

G_DEFINE_BOXED_TYPE (RspcheckOptions, rspcheck_options, rspcheck_options_copy,
                     rspcheck_options_free)

void rspcheck_options_init (RspcheckOptions *options) {
  g_return_if_fail (options != NULL);
  RspCheckOptions inner;
  rsp_check_options_init (&inner);
  *options = (RspcheckOptions){
    .engine = inner.engine, .unroll = inner.unroll, .jobs = inner.jobs, .mark = MARK
  };
}

/* A critical message names the function that was called. */
#define is_set_up(options) ((options) != NULL && (options)->mark == MARK)

RspcheckOptions *rspcheck_options_new (void) {
  RspcheckOptions *options = g_new (RspcheckOptions, 1);
  rspcheck_options_init (options);
  return options;
}

RspcheckOptions *rspcheck_options_copy (const RspcheckOptions *options) {
  g_return_val_if_fail (is_set_up (options), NULL);
  RspcheckOptions *copy = g_memdup2 (options, sizeof *options);
  copy->owned = NULL;
  rspcheck_options_skip (copy, options->skipped_checks);
  return copy;
}

void rspcheck_options_free (RspcheckOptions *options) {
  if (!options)
    return;
  g_return_if_fail (is_set_up (options));
  g_strfreev (options->owned);
  g_free (options);
}

void rspcheck_options_skip (RspcheckOptions *options, const char *const *checks) {
  g_return_if_fail (is_set_up (options));
  char **copy = g_strdupv ((char **) checks);
  g_strfreev (options->owned);
  options->owned = copy;
  options->skipped_checks = (const char *const *) copy;
}

void rspcheck_options_clear (RspcheckOptions *options) {
  g_return_if_fail (is_set_up (options));
  g_strfreev (options->owned);
  rspcheck_options_init (options);
}

gboolean api_options_are_valid (const RspcheckOptions *options) {
  g_return_val_if_fail (is_set_up (options), FALSE);
  g_return_val_if_fail ((guint) options->engine <= RSPCHECK_ENGINE_AUTO, FALSE);
  g_return_val_if_fail ((guint) options->through <= RSPCHECK_THROUGH_ALL, FALSE);
  g_return_val_if_fail ((guint) options->speed <= RSPCHECK_SPEED_FAST, FALSE);
  g_return_val_if_fail ((guint) options->cas_writeback <= RSPCHECK_CAS_WRITEBACK_NEVER, FALSE);
  g_return_val_if_fail ((guint) options->spin <= RSPCHECK_SPIN_LAST, FALSE);
  g_return_val_if_fail (options->timeout >= 0, FALSE);
  g_return_val_if_fail (options->jobs > 0, FALSE);
  return TRUE;
}
