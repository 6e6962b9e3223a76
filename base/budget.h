/* The time and memory that the check of one test may use. Long computations (paths, staging,
 * recursive definitions, bounds, search, sorting of states) regularly check whether the budget is
 * exhausted, and then return silently: their partial result is useless, and the budget's owner
 * reports why. */
#pragma once

#include "public/rspcheck-enums.h"

/* The default of -max-memory: how many bytes any one part of a check may hold. */
#define RSP_DEFAULT_MEMORY ((gsize) 512 << 20)

/* The deadline of a budget of so many seconds from now; 0, none, unless they are positive. */
gint64 rsp_deadline_in (double seconds);

/* "64 MiB", "100 KiB", "1000 bytes": newly allocated. */
char *rsp_size_format (gsize bytes);

/* Shared by all threads that work on the test. */
typedef struct RspBudget {
  gint64 deadline;        /* monotonic microseconds; 0: none */
  guint64 max_executions; /* 0: none */
  gsize max_memory;       /* bytes that may be held; 0: any number */
  gpointer held;          /* atomic; as a size: bytes in the arenas of the check */
  gint stop;              /* atomic; of RspcheckStop: COMPLETE while work may continue */
  gint gave_up;           /* atomic; it stopped because of a limit of steps that no user set */
} RspBudget;

static inline RspcheckStop rsp_budget_stop (RspBudget *budget) {
  return (RspcheckStop) g_atomic_int_get (&budget->stop);
}

/* Stops the work; of several reasons the first is kept. */
static inline void rsp_budget_end (RspBudget *budget, RspcheckStop why) {
  g_atomic_int_compare_and_exchange (&budget->stop, RSPCHECK_STOP_COMPLETE, (gint) why);
}

/* Stops a search that has taken as many steps as its caller allowed. */
static inline void rsp_budget_give_up (RspBudget *budget) {
  if (g_atomic_int_compare_and_exchange (&budget->stop, RSPCHECK_STOP_COMPLETE,
                                         RSPCHECK_STOP_EXECUTIONS))
    g_atomic_int_set (&budget->gave_up, TRUE);
}

/* Lets the work go on after that. FALSE if it stopped for another reason, or not at all. */
static inline gboolean rsp_budget_go_on (RspBudget *budget) {
  if (!g_atomic_int_compare_and_exchange (&budget->gave_up, TRUE, FALSE))
    return FALSE;
  g_atomic_int_set (&budget->stop, RSPCHECK_STOP_COMPLETE);
  return TRUE;
}

/* Lets work on another question go on after a search has found its answer. FALSE if none has. */
static inline gboolean rsp_budget_set_aside_found (RspBudget *budget) {
  return g_atomic_int_compare_and_exchange (&budget->stop, RSPCHECK_STOP_FOUND,
                                            RSPCHECK_STOP_COMPLETE);
}

/* After that: the answer stands, unless there was an error, even if the other question has reached
 * a limit. */
static inline void rsp_budget_restore_found (RspBudget *budget) {
  if (rsp_budget_stop (budget) != RSPCHECK_STOP_ERROR)
    g_atomic_int_set (&budget->stop, RSPCHECK_STOP_FOUND);
}

/* Records that `bytes` more are held (fewer, if negative). */
static inline void rsp_budget_charge (RspBudget *budget, gssize bytes) {
  g_atomic_pointer_add (&budget->held, bytes);
}

/* May `bytes` more be allocated? If not, the budget is exhausted. To be called before large
 * allocations, such as matrices of all events. */
static inline gboolean rsp_budget_affords (RspBudget *budget, gsize bytes) {
  if (!budget || !budget->max_memory)
    return TRUE;
  gsize held = GPOINTER_TO_SIZE (g_atomic_pointer_get (&budget->held));
  if (held <= budget->max_memory && bytes <= budget->max_memory - held)
    return TRUE;
  rsp_budget_end (budget, RSPCHECK_STOP_MEMORY);
  return FALSE;
}

/* Stops the work if a part of it that the budget does not account for holds more than
 * max_memory. */
static inline void rsp_budget_limit_part (RspBudget *budget, gsize bytes) {
  if (budget && budget->max_memory && bytes > budget->max_memory)
    rsp_budget_end (budget, RSPCHECK_STOP_MEMORY);
}

/* Has a limit been reached? Checks the memory held and the clock, which takes some 30 ns. NULL is a
 * budget without limits. */
static inline gboolean rsp_budget_is_exhausted (RspBudget *budget) {
  if (!budget)
    return FALSE;
  if (rsp_budget_stop (budget) != RSPCHECK_STOP_COMPLETE || !rsp_budget_affords (budget, 0))
    return TRUE;
  if (!budget->deadline || g_get_monotonic_time () < budget->deadline)
    return FALSE;
  rsp_budget_end (budget, RSPCHECK_STOP_TIMEOUT);
  return TRUE;
}
