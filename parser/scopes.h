/* Scopes and the scope tree: their words, the nodes that a scope covers, the tree as text. */
#pragma once

#include "parser/program.h"

/* The columns of RSP_LEVEL in parser/scopes.def. */
typedef struct RspScopeWords {
  const char *word, *text, *short_word; /* "work_group", "work-group", "wg" */
  RspLevel level;
} RspScopeWords;

typedef struct RspLevelWords {
  const char *word, *text, *short_word;
  gboolean shared_in_tree, shared_elsewhere; /* is a node that is left out shared, or apart? */
  gboolean if_needed;                        /* printed only if a reader would not fill it in */
} RspLevelWords;

extern const RspScopeWords rsp_scopes[RSP_N_SCOPES];
extern const RspLevelWords rsp_levels[RSP_N_LEVELS];

/* Does a level have one node per node of the level outside it, unless a tree shows otherwise? */
static inline gboolean rsp_level_follows (RspLevel level) {
  return rsp_levels[level].shared_in_tree && rsp_levels[level].shared_elsewhere;
}

/* Are two threads in one node of a level (not RSP_LEVEL_THREAD)? All are in that of
 * RSP_LEVEL_SYSTEM. */
static inline gboolean rsp_threads_share (const RspThread *a, const RspThread *b, RspLevel level) {
  return level == RSP_LEVEL_SYSTEM || a->place[level] == b->place[level];
}

/* The number of the node that a scope covers around a thread, unique among those of the scope. */
guint rsp_scope_node (const RspProgram *program, guint thread, RspScope scope);

/* What a reader calls a level in tests of the language: "work-group", "cta"; NULL: it has no such
 * level. */
const char *rsp_level_text (const RspLanguage *language, guint level);

/* The scope tree in the syntax of `scopeTree`: "(device (work_group P0) (work_group P1))", without
 * a device's only kernel and without sub-groups of one thread. Newly allocated. */
char *rsp_program_format_scopes (const RspProgram *program);
