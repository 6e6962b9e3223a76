#include "explain/explanation.h"

RspExplanations *rsp_explanations_new (void) {
  RspArena *arena = rsp_arena_new ();
  RspExplanations *explanations = rsp_arena_new0 (arena, RspExplanations, 1);
  explanations->arena = arena;
  return explanations;
}

void rsp_explanations_free (RspExplanations *explanations) {
  if (explanations)
    rsp_arena_free (explanations->arena);
}

const char *rsp_answer_name (RspcheckAnswer answer) {
  static const char *const names[] = { "allowed", "forbidden", "unreachable", "unknown" };
  return names[answer];
}
