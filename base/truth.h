/* Truth of what may still be open (Kleene's logic of three values). */
#pragma once

#include <glib.h>

typedef enum RspTruth
{
  RSP_OPEN,
  RSP_HOLDS,
  RSP_FAILS
} RspTruth;

static inline RspTruth
rsp_truth (gboolean holds)
{
  return holds ? RSP_HOLDS : RSP_FAILS;
}

static inline RspTruth
rsp_truth_not (RspTruth a)
{
  return a == RSP_OPEN ? RSP_OPEN : rsp_truth (a == RSP_FAILS);
}
