/* rspcheck: which final states does a memory model allow for a small OpenCL or C program?
 *
 * This header includes the whole public surface of librspcheck. It needs GLib and GObject (of
 * GObject its boxed types alone); `pkg-config --cflags --libs rspcheck` names them, and with
 * --static what the static library is linked with besides.
 *
 *   GString *messages = g_string_new (NULL);
 *   RspcheckTest *test = rspcheck_test_read ("MP.litmus", FALSE, messages);
 *   RspcheckModel *model = rspcheck_model_load ("opencl_rem.cat", NULL, NULL, messages);
 *   if (test && model)
 *     {
 *       RspcheckResult *result = rspcheck_check (test, model, NULL, messages);
 *       char *log = rspcheck_result_log (result, FALSE);
 *       fputs (log, stdout);
 *       g_free (log);
 *       rspcheck_result_unref (result);
 *     }
 *   fputs (messages->str, stderr);
 *
 * Messages. A function that takes `messages` appends to it what it has to say about its input
 * (errors, warnings, hints), each with file, line and column, the source line and a caret, ended by
 * a newline. NULL drops them. A function that fails has said why.
 *
 * Memory. All types but RspcheckOptions are opaque and counted: …_ref adds a reference and …_unref
 * gives one back. A function whose comment says `transfer full` gives the caller a reference (or a
 * string for g_free, an array of strings for g_strfreev); `transfer none` means that the object it
 * was asked of owns what is returned. What is taken from a result (an explanation, an execution, an
 * event, …) keeps what it needs alive; results need neither their test nor their model any longer.
 *
 * Mistakes of the caller. NULL where the comment does not say `nullable`, an index out of range,
 * and options that were never initialised give a critical message (g_return_if_fail) and NULL, 0 or
 * FALSE.
 *
 * Threads. There is no global state, and counting is atomic. A test, a model and a result do not
 * change, so that several threads may use one at a time. */
#ifndef RSPCHECK_H
#define RSPCHECK_H

#include <rspcheck-enums.h>
#include <rspcheck-execution.h>
#include <rspcheck-explanation.h>
#include <rspcheck-model.h>
#include <rspcheck-options.h>
#include <rspcheck-result.h>
#include <rspcheck-test.h>

G_BEGIN_DECLS

/**
 * rspcheck_version:
 *
 * The version of the library, not of this header: "0.1.0".
 *
 * Returns: (transfer none): the version
 */
const char *rspcheck_version (void);

G_END_DECLS

#endif
