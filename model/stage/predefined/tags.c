#include "model/stage/predefined/tags.h"
#include "model/stage/predefined/names.h"
#include "model/stage/value.h"

#include "parser/language.h"

/* Levels of the scope tree, as in RspLanguageLevel. */
enum {
#define RSP_LEVEL(id, relation, word, text, short_word, in_tree, elsewhere, printed) LEVEL_##id,
#include "parser/scopes.def"
  N_LEVELS
};

static RspNodeId predefined (Stage *stage, const char *name) {
  return rsp_stage_predefined (stage, name)->u.node;
}

static RspNodeId from_set (Stage *stage, const char *name, RspNodeId relation) {
  RspNodeId set = rsp_dag_unary (stage->dag, RSP_NODE_IDENTITY, predefined (stage, name));
  return stage_binary_node (stage, RSP_NODE_SEQ, set, relation);
}

/* Events whose threads share a node of the level; all for the outermost. */
static RspNodeId sharing (Stage *stage, guint level) {
  static const int relations[] = {
#define RSP_LEVEL(id, relation, word, text, short_word, in_tree, elsewhere, printed)               \
  [LEVEL_##id] = RSP_BASE_RELATION_##relation,
#include "parser/scopes.def"
  };
  if (level < N_LEVELS)
    return rsp_dag_constant (stage->dag, FALSE, stage->base->relations[relations[level]]);
  return stage->dag->universe[FALSE];
}

/* sr: each event's scope includes the other's thread. */
static RspNodeId scopes_include (Stage *stage) {
  RspNodeId reach = stage->dag->empty[FALSE];
  for (guint i = 0; i < RSP_N_LANGUAGE_LEVELS; i++)
    if (rsp_language_levels[i].language == stage->base->language->id)
      reach = stage_binary_node (stage, RSP_NODE_UNION, reach,
                                 from_set (stage, rsp_tags[rsp_language_levels[i].tag].name,
                                           sharing (stage, rsp_language_levels[i].level)));
  return stage_binary_node (stage, RSP_NODE_INTER, reach,
                            rsp_dag_unary (stage->dag, RSP_NODE_INVERSE, reach));
}

RspNodeId stage_relation_of_tags (Stage *stage, RspBaseRelation id) {
  return id == RSP_BASE_RELATION_SR ? scopes_include (stage) : stage->dag->empty[FALSE];
}
