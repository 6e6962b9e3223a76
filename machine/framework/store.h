/* The states met so far: a hash set of byte strings, each with a number and the state from which it
 * was first reached. Open addressing; the strings are stored one after another in chunks that never
 * move. */
#pragma once

#include "machine/framework/system.h"

#define RSP_NO_STATE G_MAXUINT32

typedef struct RspStore RspStore;

RspStore *rsp_store_new (void);
void rsp_store_free (RspStore *store);

/* The state's number, from 0 in the order of insertion. *is_new: was it added? */
guint32 rsp_store_add (RspStore *store, RspBytes state, guint32 parent, gboolean *is_new);
/* Valid until the store is freed. */
RspBytes rsp_store_get (const RspStore *store, guint32 number);
/* RSP_NO_STATE for the initial state. */
guint32 rsp_store_parent (const RspStore *store, guint32 number);
guint32 rsp_store_count (const RspStore *store);
/* The size of the store in bytes, including tables. */
gsize rsp_store_size (const RspStore *store);
