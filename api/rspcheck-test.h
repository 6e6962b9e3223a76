/* Tests: litmus files. Part of rspcheck.h. */
#ifndef RSPCHECK_TEST_H
#define RSPCHECK_TEST_H

#include <glib-object.h>

G_BEGIN_DECLS

#define RSPCHECK_TYPE_TEST (rspcheck_test_get_type ())

/**
 * RspcheckTest:
 *
 * A litmus test that was read.
 */
typedef struct RspcheckTest RspcheckTest;

GType rspcheck_test_get_type (void) G_GNUC_CONST;

/**
 * rspcheck_test_read:
 * @path: (type filename): a litmus file, or "-" for standard input
 * @strict: whether orders that C11 forbids for an operation (a release load), and what Vulkan's
 * specification calls ill-formed, are errors, not warnings
 * @messages: (nullable): receives messages
 *
 * Reads one litmus file.
 *
 * Returns: (transfer full) (nullable): the test, or %NULL after an error
 */
RspcheckTest *rspcheck_test_read (const char *path, gboolean strict, GString *messages);

/**
 * rspcheck_test_parse:
 * @name: the file's name in messages
 * @text: the text of a litmus file, which is copied
 * @length: of the text in bytes, or -1 for a NUL-terminated one
 * @strict: as for rspcheck_test_read()
 * @messages: (nullable): receives messages
 *
 * Reads a test from memory.
 *
 * Returns: (transfer full) (nullable): the test, or %NULL after an error
 */
RspcheckTest *rspcheck_test_parse (const char *name, const char *text, gssize length,
                                   gboolean strict, GString *messages);

/**
 * rspcheck_test_ref:
 * @test: a test
 *
 * Adds a reference.
 *
 * Returns: (transfer full): the same test
 */
RspcheckTest *rspcheck_test_ref (RspcheckTest *test);

/**
 * rspcheck_test_unref:
 * @test: (nullable) (transfer full): a test
 *
 * Gives a reference back.
 */
void rspcheck_test_unref (RspcheckTest *test);

/**
 * rspcheck_test_name:
 * @test: a test
 *
 * The name in the test's first line.
 *
 * Returns: (transfer none): the name
 */
const char *rspcheck_test_name (const RspcheckTest *test);

/**
 * rspcheck_test_is_c:
 * @test: a test
 *
 * Returns: %TRUE for a test that begins with `C`, %FALSE for `OpenCL`
 */
gboolean rspcheck_test_is_c (const RspcheckTest *test);

/**
 * rspcheck_test_condition:
 * @test: a test
 *
 * The question that the test asks: "exists (0:r0=1 /\ x=2)".
 *
 * Returns: (transfer full): the condition
 */
char *rspcheck_test_condition (const RspcheckTest *test);

/**
 * rspcheck_test_hash:
 * @test: a test
 *
 * herd's hash of the program and its initial state.
 *
 * Returns: (transfer full): a hexadecimal MD5
 */
char *rspcheck_test_hash (const RspcheckTest *test);

/**
 * rspcheck_test_scope_hash:
 * @test: a test
 *
 * A hash of the scope tree, which herd's leaves out.
 *
 * Returns: (transfer full): a hexadecimal MD5
 */
char *rspcheck_test_scope_hash (const RspcheckTest *test);

/* As this was called before tests were counted. */
#define rspcheck_test_free rspcheck_test_unref

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspcheckTest, rspcheck_test_unref)

G_END_DECLS

#endif
