/* The threads of one check. Any of them, including the calling one, may take a task. */
#pragma once

#include <glib.h>

/* A piece of work for one thread: the first member of a larger structure, which run frees. */
typedef struct RspTask RspTask;
struct RspTask {
  void (*run) (RspTask *task);
};

typedef struct RspPool RspPool;

/* A pool of the caller and up to jobs - 1 other threads (at least one), if the system provides
 * them. */
RspPool *rsp_pool_new (guint jobs);
/* Any thread may push. Some thread runs the task, in rsp_pool_free at the latest. */
void rsp_pool_push (RspPool *pool, RspTask *task);
guint rsp_pool_waiting (RspPool *pool); /* tasks that have not begun */
/* Works on tasks until none is waiting; other threads may still be working on theirs. */
void rsp_pool_take_part (RspPool *pool);
/* Works on the waiting tasks, waits for those that have begun, and frees the pool. No tasks may be
 * pushed after that. */
void rsp_pool_free (RspPool *pool);
