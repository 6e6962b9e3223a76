/* Programs and their paths for unit tests, from litmus text; paths and relations as short
 * strings. */
#pragma once

#include "enumerator/paths/paths.h"
#include "enumerator/execution.h"

typedef struct PathsOf {
  RspProgram *program;
  RspArena *arena;
  RspTerms *terms;
  RspDiagnostics *diagnostics;
  GPtrArray **paths; /* per thread */
  RspPathOptions options;
  gboolean complete; /* rsp_paths_enumerate succeeded for every thread */
} PathsOf;

/* Parses the whole of a test. The test fails when the parser does. */
PathsOf *paths_of (const char *litmus, guint unroll);
/* One thread P0 with int locations x, y, z, an array a of 4, a pointer p to x and body `body`; the
 * condition observes `observed` ("0:r0=0 /\ x=1"). */
PathsOf *paths_of_body (const char *body, const char *observed);
PathsOf *paths_of_body_with (const char *body, const char *observed, guint unroll,
                             gboolean cas_writeback);
void paths_of_free (PathsOf *p);

const RspPath *path_number (const PathsOf *p, guint thread, guint path);

/* "Rx Wy=(r0 + 1) | r0 == 1": events, constraints; "truncated" or "failed: …" in front where it
 * ends so. In a buffer that the arena owns. */
const char *describe_path (const PathsOf *p, guint thread, guint path);
/* Every path of a thread, one per line. */
const char *describe_paths (const PathsOf *p, guint thread);
/* "01 02": the pairs of a relation. */
const char *describe_relation (const PathsOf *p, const RspMatrix *relation);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PathsOf, paths_of_free)

/* Are the chosen paths (chosen[thread], NULL where none is) feasible together? Leaves f as it
 * was. */
gboolean paths_fit (RspFeasibility *f, guint n_threads, const RspPath *const *chosen);

/* The pre-execution of one path per thread, by number ("02"); the rest of the threads take their
 * first. */
RspPreExecution *pre_of (PathsOf *p, const char *numbers);
