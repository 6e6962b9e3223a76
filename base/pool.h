/* The threads of one check: tasks that any of them may take, the calling one too. */
#ifndef RSP_BASE_POOL_H
#define RSP_BASE_POOL_H

#include <glib.h>

/* Something for a thread of the check's to do: the first member of a larger structure, which run
 * frees. */
typedef struct RspTask RspTask;
struct RspTask
{
  void (*run) (RspTask *task);
};

typedef struct RspPool RspPool;

/* The caller and jobs - 1 others (at least one), as far as the system gives threads. */
RspPool *rsp_pool_new (guint jobs);
/* Any thread may push; the task is run by some thread, at the latest by rsp_pool_free. */
void rsp_pool_push (RspPool *pool, RspTask *task);
guint rsp_pool_waiting (RspPool *pool); /* tasks that have not begun */
/* Takes part until no task waits; others may still be at theirs. */
void rsp_pool_take_part (RspPool *pool);
/* Works on waiting tasks too, waits for those that have begun, and frees the pool. No more tasks
 * may be pushed. */
void rsp_pool_free (RspPool *pool);

#endif
