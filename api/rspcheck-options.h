/* How to check a test. Part of rspcheck.h. */
#ifndef RSPCHECK_OPTIONS_H
#define RSPCHECK_OPTIONS_H

#include <glib-object.h>
#include <rspcheck-enums.h>

G_BEGIN_DECLS

#define RSPCHECK_TYPE_OPTIONS (rspcheck_options_get_type ())

/**
 * RspcheckOptions:
 * @engine: how executions are searched
 * @through: which executions count although the model forbids them
 * @speed: when the search ends
 * @unroll: how many rounds of each loop are followed; 2 by default
 * @cas_writeback: whether a failing compare-exchange writes what it found
 * @spin: which rounds are kept of a loop that only waits
 * @outcome_reads: whether states also show the registers that receive what is read
 * @timeout: limit of time in seconds; 0 for none
 * @max_executions: limit of executions; 0 for none
 * @max_memory: limit of what the search remembers in bytes; 0 for 512 MiB
 * @skipped_checks: (array zero-terminated=1) (nullable): names of the model's axioms to leave out;
 * read while a test is checked and not after. Set it, or call rspcheck_options_skip().
 * @jobs: how many threads work on a check; 1 by default
 * @evidence: whether to look for the events that show why flags are raised, which takes searches of
 * its own, in what is left of the time limit: see rspcheck_result_flag_event()
 * @no_thin_air: whether executions with values out of thin air are left out
 *
 * Begin with rspcheck_options_init() on a structure of your own, or with rspcheck_options_new(): a
 * structure that neither has set up is refused.
 */
typedef struct RspcheckOptions {
  RspcheckEngine engine;
  RspcheckThrough through;
  RspcheckSpeed speed;
  guint unroll;
  RspcheckCasWriteback cas_writeback;
  RspcheckSpin spin;
  gboolean outcome_reads;
  double timeout;
  guint64 max_executions;
  gsize max_memory;
  const char *const *skipped_checks;
  guint jobs;
  gboolean evidence;
  gboolean no_thin_air;

  /*< private >*/
  guint64 mark; /* of options that were set up */
  char **owned; /* skipped_checks, where rspcheck_options_skip has set it */
  gpointer reserved[7];
} RspcheckOptions;

GType rspcheck_options_get_type (void) G_GNUC_CONST;

/**
 * rspcheck_options_init:
 * @options: (out caller-allocates): a structure of any content
 *
 * Sets every field to its default.
 */
void rspcheck_options_init (RspcheckOptions *options);

/**
 * rspcheck_options_new: (constructor)
 *
 * Allocates options with their defaults.
 *
 * Returns: (transfer full): options for rspcheck_options_free()
 */
RspcheckOptions *rspcheck_options_new (void);

/**
 * rspcheck_options_copy:
 * @options: options
 *
 * Copies options, with the names of skipped axioms.
 *
 * Returns: (transfer full) (nullable): options for rspcheck_options_free()
 */
RspcheckOptions *rspcheck_options_copy (const RspcheckOptions *options);

/**
 * rspcheck_options_free:
 * @options: (nullable) (transfer full): what rspcheck_options_new() or rspcheck_options_copy() gave
 *
 * Frees options.
 */
void rspcheck_options_free (RspcheckOptions *options);

/**
 * rspcheck_options_skip:
 * @options: options
 * @checks: (nullable) (array zero-terminated=1): names as rspcheck_axiom_name() has them, which are
 *   copied; %NULL for none
 *
 * Sets the axioms of the model that are left out. Options in a structure of your own must then be
 * ended by rspcheck_options_clear().
 */
void rspcheck_options_skip (RspcheckOptions *options, const char *const *checks);

/**
 * rspcheck_options_clear:
 * @options: options
 *
 * Frees what the options own and sets them to their defaults. For options in a structure of your
 * own.
 */
void rspcheck_options_clear (RspcheckOptions *options);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspcheckOptions, rspcheck_options_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RspcheckOptions, rspcheck_options_clear)

G_END_DECLS

#endif
