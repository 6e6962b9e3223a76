/* Random tests in which work-items hand data on through flags: many of them have no race, and
 * models differ on many, as is not so of the tests of generate.h. */
#pragma once

#include <glib.h>

typedef struct RspHandover {
  guint max_threads;  /* 2 … 4 */
  gboolean seq_cst;   /* every atomic operation is seq_cst */
  gboolean remotes;   /* some operations are remote */
  gboolean one_scope; /* every scope is all_svm_devices */
} RspHandover;

/* The text of test number `seed`; the same for the same arguments. Its states show all there is.
 * Newly allocated. */
char *rsp_generate_handover (const RspHandover *handover, guint32 seed);
