/* Truth of what may still be open (Kleene's logic of three values). */
#pragma once

#include <glib.h>

typedef enum RspTruth { RSP_OPEN, RSP_HOLDS, RSP_FAILS } RspTruth;

static inline RspTruth rsp_truth (gboolean holds) { return holds ? RSP_HOLDS : RSP_FAILS; }

static inline RspTruth rsp_truth_not (RspTruth a) {
  return a == RSP_OPEN ? RSP_OPEN : rsp_truth (a == RSP_FAILS);
}

static inline RspTruth rsp_truth_and (RspTruth a, RspTruth b) {
  if (a == RSP_FAILS || b == RSP_FAILS)
    return RSP_FAILS;
  return a == RSP_OPEN ? a : b;
}

static inline RspTruth rsp_truth_or (RspTruth a, RspTruth b) {
  if (a == RSP_HOLDS || b == RSP_HOLDS)
    return RSP_HOLDS;
  return a == RSP_OPEN ? a : b;
}
