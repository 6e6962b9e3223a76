/* Random litmus tests, small enough for the naive engine. */
#pragma once

#include <glib.h>

typedef struct RspGenerator {
  guint max_threads;              /* 2 … 4 */
  guint max_accesses;             /* over all threads */
  gboolean programs_only_seq_cst; /* every atomic operation seq_cst (for theorems) */
  gboolean no_fences;             /* nor barriers, nor local memory: what the HRF papers have */
  gboolean one_scope;             /* every scope is all_svm_devices */
  gboolean outcomes;              /* states show all there is; every execution counts */
  gboolean words;                 /* also the words and levels of tests/random/words.cat */
  guint padding;                  /* so many fences without effect begin the first thread */
} RspGenerator;

/* The text of test number `seed`; the same for the same arguments. Newly allocated. */
char *rsp_generate (const RspGenerator *generator, guint32 seed);
