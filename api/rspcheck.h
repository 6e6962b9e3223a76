/* rspcheck: which final states does a memory model allow for a small OpenCL or C program?
 *
 * This is the whole public surface of librspcheck.a. It uses GLib 2; a static library needs JSON-GLib
 * to link, too, as `pkg-config --static` says:
 *
 *   GString *messages = g_string_new (NULL);
 *   RspcheckTest *test = rspcheck_test_read ("MP.litmus", FALSE, messages);
 *   RspcheckModel *model = rspcheck_model_load ("opencl_rem.cat", directories, NULL, messages);
 *   if (test && model)
 *     {
 *       RspcheckResult *result = rspcheck_check (test, model, NULL, messages);
 *       char *log = rspcheck_result_log (result, FALSE);
 *       fputs (log, stdout);
 *       g_free (log);
 *       rspcheck_result_free (result);
 *     }
 *   fputs (messages->str, stderr);
 *
 * Messages. A function that takes `messages` appends to it what it has to say about its input
 * (errors, warnings, hints), each with file, line and column, the source line and a caret, ended by
 * a newline. NULL drops them. A function that fails has said why.
 *
 * Memory. What a function returns is the caller's unless its comment says who owns it. The …_free
 * functions accept NULL.
 *
 * Threads. There is no global state. A test and a model may be used by several checks at a time, in
 * several threads, and must outlive the results made from them. */
#ifndef RSPCHECK_H
#define RSPCHECK_H

#include <rspcheck-enums.h>

G_BEGIN_DECLS

/* "0.1.0": of the library, not of this header. */
const char *rspcheck_version (void);

/* ---- Tests: litmus files ----------------------------------------------------------------------
 */

typedef struct RspcheckTest RspcheckTest;

/* Reads one litmus file, or standard input for "-". strict: orders that C11 forbids for an
 * operation (a release load) are errors, not warnings. NULL after an error. */
RspcheckTest *rspcheck_test_read (const char *path, gboolean strict, GString *messages);

/* The same from text; name stands for the file in messages. length is in bytes, -1 for a
 * NUL-terminated text, which is copied. */
RspcheckTest *rspcheck_test_parse (const char *name, const char *text, gssize length,
                                   gboolean strict, GString *messages);
void rspcheck_test_free (RspcheckTest *test);

/* The name in the test's first line. Owned by the test. */
const char *rspcheck_test_name (const RspcheckTest *test);
/* TRUE for a test that begins with `C`, FALSE for `OpenCL`. */
gboolean rspcheck_test_is_c (const RspcheckTest *test);
/* The question: "exists (0:r0=1 /\ x=2)". */
char *rspcheck_test_condition (const RspcheckTest *test);
/* herd's hash of program and initial state (hexadecimal MD5), and one of the scope tree, which
 * herd's leaves out. */
char *rspcheck_test_hash (const RspcheckTest *test);
char *rspcheck_test_scope_hash (const RspcheckTest *test);

/* ---- Models: cat files ------------------------------------------------------------------------
 */

typedef struct RspcheckModel RspcheckModel;

/* Reads a model with all it includes and checks its types. The file is looked for as given and then
 * in the directories; both arrays are NULL-terminated, and NULL stands for an empty one. variants
 * are the names that `if "name"` in the model asks for. NULL after an error. */
RspcheckModel *rspcheck_model_load (const char *path, const char *const *directories,
                                    const char *const *variants, GString *messages);
void rspcheck_model_free (RspcheckModel *model);

/* Where the command line looks for models, in order: `first` (NULL-terminated, may be NULL), the
 * folder of the test (a path, or NULL), $RSPCHECK_LIB (folders separated by colons), cat/ beside the
 * program, and the installed folder. For rspcheck_model_load; free with g_strfreev. */
char **rspcheck_model_directories (const char *const *first, const char *test);

/* The model's own name, else its file's; the file that was found; and the hexadecimal SHA-256 of
 * all texts read. Owned by the model. */
const char *rspcheck_model_name (const RspcheckModel *model);
const char *rspcheck_model_path (const RspcheckModel *model);
const char *rspcheck_model_digest (const RspcheckModel *model);

/* ---- Checks -----------------------------------------------------------------------------------
 */

typedef struct RspcheckOptions
{
  RspcheckEngine engine;
  RspcheckThrough through;
  RspcheckSpeed speed;
  guint unroll; /* rounds of each loop; 2 */
  RspcheckCasWriteback cas_writeback;
  RspcheckSpin spin;
  gboolean outcome_reads;            /* states also show what every read returned */
  double timeout;                    /* seconds; 0 for none */
  guint64 max_executions;            /* 0 for no limit */
  gsize max_memory;                  /* bytes, for what the search remembers; 0 for 512 MiB */
  const char *const *skipped_checks; /* names of the model's checks to leave out, NULL-terminated;
                                        NULL for none. Must live as long as the results. */
} RspcheckOptions;

/* Sets every field to its default. Always begin with this: later versions may have more fields. */
void rspcheck_options_init (RspcheckOptions *options);

typedef struct RspcheckResult RspcheckResult;

/* Checks the test under the model; options may be NULL for the defaults. Never returns NULL: a
 * check that a limit or an error stopped says so in rspcheck_result_stop. */
RspcheckResult *rspcheck_check (const RspcheckTest *test, const RspcheckModel *model,
                                const RspcheckOptions *options, GString *messages);
void rspcheck_result_free (RspcheckResult *result);

RspcheckStop rspcheck_result_stop (const RspcheckResult *result);

/* Is the question answered with yes: `exists` by some execution, `~exists` by none, `forall` by
 * all? */
gboolean rspcheck_result_ok (const RspcheckResult *result);
RspcheckObservation rspcheck_result_observation (const RspcheckResult *result);
/* A loop needs more rounds than were unrolled: the answer is about the executions that do not. */
gboolean rspcheck_result_is_bounded (const RspcheckResult *result);
/* Some execution has undefined behaviour (a data race), and so the whole program has. */
gboolean rspcheck_result_is_undefined (const RspcheckResult *result);

/* Executions whose proposition holds, executions whose proposition does not, and those among both
 * that are undefined. Exact up to G_MAXUINT64, which stands for itself and all above. Each pointer
 * may be NULL. */
void rspcheck_result_counts (const RspcheckResult *result, guint64 *positive, guint64 *negative,
                             guint64 *undefined);

/* Names of the model's flags that some execution raises ("data_race"), in the model's order, then
 * "thin_air" if values were found that justify each other in a circle. NULL-terminated, owned by
 * the result. */
const char *const *rspcheck_result_flags (const RspcheckResult *result);

/* Distinct final states, sorted; state i (below n_states) as the log prints it: "0:r0=1; x=2;". */
guint rspcheck_result_n_states (const RspcheckResult *result);
char *rspcheck_result_state (const RspcheckResult *result, guint i);
/* Does state i satisfy the proposition, and by how many executions (at most G_MAXUINT64)? */
gboolean rspcheck_result_state_satisfies (const RspcheckResult *result, guint i);
guint64 rspcheck_result_state_executions (const RspcheckResult *result, guint i);

/* The whole log in herd's format, with a blank line at its end; with a line `ScopeHash=` if
 * scope_hash. */
char *rspcheck_result_log (const RspcheckResult *result, gboolean scope_hash);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspcheckTest, rspcheck_test_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspcheckModel, rspcheck_model_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspcheckResult, rspcheck_result_free)

G_END_DECLS

#endif
