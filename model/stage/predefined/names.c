/* The names of base_names.def: base sets and relations as constants, and names derived from rf, co
 * and S as expressions over them. */
#include "model/stage/predefined/names.h"
#include "model/stage/predefined/functions.h"
#include "model/stage/predefined/tags.h"
#include "model/stage/choices/choice.h"
#include "model/stage/trace.h"
#include "model/stage/value.h"

#include <string.h>

typedef enum NameKind {
  NAME_SET,
  NAME_RELATION,
  NAME_DERIVED,
  NAME_LITERAL,
  NAME_FOREIGN,
  NAME_FUNCTION,
  NAME_ALIAS
} NameKind;

typedef enum Derived {
#define RSP_BASE_DERIVED(id, kind, name, meaning) DERIVED_##id,
#include "model/base_names.def"
} Derived;

typedef enum Literal {
#define RSP_BASE_LITERAL(id, name, meaning) LITERAL_##id,
#include "model/base_names.def"
} Literal;

typedef struct Name {
  const char *name;
  NameKind kind;
  guint id;
  const char *other; /* NAME_ALIAS */
} Name;

static const Name names[] = {
#define RSP_BASE_SET(id, name, meaning)                 { name, NAME_SET, RSP_BASE_SET_##id, NULL },
#define RSP_BASE_RELATION(id, name, meaning)            { name, NAME_RELATION, RSP_BASE_RELATION_##id, NULL },
#define RSP_BASE_DERIVED(id, kind, name, meaning)       { name, NAME_DERIVED, DERIVED_##id, NULL },
#define RSP_BASE_LITERAL(id, name, meaning)             { name, NAME_LITERAL, LITERAL_##id, NULL },
#define RSP_BASE_FUNCTION(id, name, signature, meaning) { name, NAME_FUNCTION, 0, NULL },
#define RSP_BASE_FOREIGN(name)                          { name, NAME_FOREIGN, 0, NULL },
#define RSP_BASE_ALIAS(name, other)                     { name, NAME_ALIAS, 0, other },
#include "model/base_names.def"
};

/* ---- Base sets and relations ---- */

static RspNodeId base_set (Stage *stage, RspBaseSet id) {
  if (stage->base->open[id] || stage->base->generic)
    return rsp_dag_base (stage->dag, RSP_NODE_OPEN, id);
  RspMatrix *set = stage->base->sets[id];
  return set ? rsp_dag_constant (stage->dag, TRUE, set) : stage->dag->empty[TRUE];
}

static RspNodeId base_relation (Stage *stage, RspBaseRelation id) {
  if (stage->base->generic)
    return rsp_dag_base (stage->dag, RSP_NODE_OPEN, RSP_N_BASE_SETS + id);
  RspMatrix *relation = stage->base->relations[id];
  const RspLanguage *language = stage->base->language;
  if (!relation && language && language->tagged)
    return stage_relation_of_tags (stage, id);
  return relation ? rsp_dag_constant (stage->dag, FALSE, relation) : stage->dag->empty[FALSE];
}

/* A relation that the search decides, or the given one. */
static RspNodeId decided (Stage *stage, RspNodeOp op, const RspMatrix *given) {
  if (given)
    return rsp_dag_constant (stage->dag, FALSE, rsp_matrix_copy (stage->arena, given));
  return rsp_dag_base (stage->dag, op, 0);
}

static RspNodeId rf (Stage *stage) { return decided (stage, RSP_NODE_RF, stage->base->rf); }

RspNodeId rsp_stage_coherence (Stage *stage) {
  return decided (stage, RSP_NODE_CO, stage->base->co);
}

static RspNodeId fr (Stage *stage) {
  RspNodeId inverse = rsp_dag_unary (stage->dag, RSP_NODE_INVERSE, rf (stage));
  RspNodeId all = rsp_dag_binary (stage->dag, RSP_NODE_SEQ, inverse, rsp_stage_coherence (stage));
  return rsp_dag_binary (stage->dag, RSP_NODE_DIFF, all, stage->dag->identity);
}

static RspNodeId within (Stage *stage, RspNodeId node, RspBaseRelation relation) {
  return rsp_dag_binary (stage->dag, RSP_NODE_INTER, base_relation (stage, relation), node);
}

/* The writes to observed locations that no other write follows in co. Using them does not demand
 * the order of the earlier ones. */
static RspNodeId final_writes (Stage *stage) {
  if (stage->finals)
    return rsp_dag_constant (stage->dag, TRUE, rsp_matrix_copy (stage->arena, stage->finals));
  stage->names_finals = TRUE;
  RspNodeId followed = rsp_dag_unary (stage->dag, RSP_NODE_DOMAIN, rsp_stage_coherence (stage));
  return rsp_dag_binary (stage->dag, RSP_NODE_DIFF, base_set (stage, RSP_BASE_SET_OBSERVED),
                         followed);
}

/* What is known of coherence before a model orders any writes. Where coherence is partial, several
 * writes may be final, and are not ordered. */
static RspNodeId co0 (Stage *stage) {
  RspDag *dag = stage->dag;
  RspNodeId finals = final_writes (stage);
  RspNodeId others = rsp_dag_binary (dag, RSP_NODE_DIFF, dag->universe[TRUE], finals);
  RspNodeId to_final = rsp_dag_binary (dag, RSP_NODE_PRODUCT, others, finals);
  return rsp_dag_binary (dag, RSP_NODE_UNION, base_relation (stage, RSP_BASE_RELATION_CO_INITIAL),
                         within (stage, to_final, RSP_BASE_RELATION_CO_FINAL));
}

static const StageValue *identity_on (Stage *stage, RspBaseSet set) {
  return stage_node (stage, rsp_dag_unary (stage->dag, RSP_NODE_IDENTITY, base_set (stage, set)));
}

static RspNodeId amo (Stage *stage) {
  RspNodeId lone = rsp_dag_unary (stage->dag, RSP_NODE_IDENTITY, base_set (stage, RSP_BASE_SET_X));
  return rsp_dag_binary (stage->dag, RSP_NODE_DIFF, base_relation (stage, RSP_BASE_RELATION_ATOM),
                         lone);
}

static RspNodeId same_instance (Stage *stage) {
  RspNodeId of_threads = rsp_dag_binary (stage->dag, RSP_NODE_DIFF, stage->dag->universe[TRUE],
                                         base_set (stage, RSP_BASE_SET_I));
  return rsp_dag_unary (stage->dag, RSP_NODE_IDENTITY, of_threads);
}

static const StageValue *derived (Stage *stage, Derived id) {
  switch (id) {
  case DERIVED_RF:
    return stage_node (stage, rf (stage));
  case DERIVED_RFE:
    return stage_node (stage, within (stage, rf (stage), RSP_BASE_RELATION_EXT));
  case DERIVED_RFI:
    return stage_node (stage, within (stage, rf (stage), RSP_BASE_RELATION_INT));
  case DERIVED_CO:
    return stage_node (stage, rsp_stage_coherence (stage));
  case DERIVED_COE:
    return stage_node (stage, within (stage, rsp_stage_coherence (stage), RSP_BASE_RELATION_EXT));
  case DERIVED_COI:
    return stage_node (stage, within (stage, rsp_stage_coherence (stage), RSP_BASE_RELATION_INT));
  case DERIVED_FR:
    return stage_node (stage, fr (stage));
  case DERIVED_FRE:
    return stage_node (stage, within (stage, fr (stage), RSP_BASE_RELATION_EXT));
  case DERIVED_FRI:
    return stage_node (stage, within (stage, fr (stage), RSP_BASE_RELATION_INT));
  case DERIVED_RF_INVERSE:
    return stage_node (stage, rsp_dag_unary (stage->dag, RSP_NODE_INVERSE, rf (stage)));
  case DERIVED_CO0:
    return stage_node (stage, co0 (stage));
  case DERIVED_FW:
    return stage_node (stage, final_writes (stage));
  case DERIVED_SYNC_FENCE:
    return stage_node (stage, rsp_stage_sync_fence (stage));
  case DERIVED_NA:
    return stage_node (stage, rsp_dag_binary (stage->dag, RSP_NODE_UNION,
                                              base_set (stage, RSP_BASE_SET_NA),
                                              base_set (stage, RSP_BASE_SET_NA_FENCE)));
  case DERIVED_SAME_INSTANCE:
    return stage_node (stage, same_instance (stage));
  case DERIVED_AMO:
    return stage_node (stage, amo (stage));
  case DERIVED_SM:
    return identity_on (stage, RSP_BASE_SET_M);
  case DERIVED_S: /* the first chosen order */
    return stage->model->with_sc ? stage_node (stage, rsp_stage_chosen_order (stage, 0)) : NULL;
  }
  g_assert_not_reached ();
}

static const StageValue *literal (Literal id) {
  switch (id) {
  case LITERAL_EMPTY:
    return &stage_empty;
  case LITERAL_UNIVERSE:
    return &stage_universe;
  }
  g_assert_not_reached ();
}

/* `rmw` is a set, and the same as `amo` in a model that uses it as a relation; `RMW` is a set in
 * all models. */
static const StageValue *set_value (Stage *stage, const Name *name, gboolean is_alias) {
  if (name->id == RSP_BASE_SET_RMW && stage->model->rmw_is_relation && !is_alias)
    return derived (stage, DERIVED_AMO);
  return stage_node (stage, base_set (stage, name->id));
}

static const StageValue *function_value (Stage *stage, const char *name) {
  StageValue *value = rsp_arena_new0 (stage->arena, StageValue, 1);
  value->kind = STAGE_BUILTIN;
  value->u.builtin.function = stage_function (name);
  return value->u.builtin.function ? value : NULL;
}

static const StageValue *find (Stage *stage, const char *name, gboolean is_alias);

static const StageValue *value_of (Stage *stage, const Name *name, gboolean is_alias) {
  switch (name->kind) {
  case NAME_SET:
    return set_value (stage, name, is_alias);
  case NAME_RELATION:
    return stage_node (stage, base_relation (stage, name->id));
  case NAME_DERIVED:
    return derived (stage, (Derived) name->id);
  case NAME_LITERAL:
    return literal ((Literal) name->id);
  case NAME_FOREIGN:
    return &stage_empty;
  case NAME_FUNCTION:
    return function_value (stage, name->name);
  case NAME_ALIAS:
    return find (stage, name->other, TRUE);
  }
  g_assert_not_reached ();
}

static const StageValue *find (Stage *stage, const char *name, gboolean is_alias) {
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (names[i].name[0] == name[0] && strcmp (names[i].name, name) == 0)
      return value_of (stage, &names[i], is_alias);
  return NULL;
}

const StageValue *rsp_stage_predefined (Stage *stage, const char *name) {
  return find (stage, name, FALSE);
}

/* ---- Filters ---- */

/* The set of a filter's letter; FALSE if it is not one. */
static gboolean letter_set (Stage *stage, char letter, RspNodeId *set) {
  static const struct {
    char letter;
    RspBaseSet set;
  } letters[] = { { 'R', RSP_BASE_SET_R }, { 'W', RSP_BASE_SET_W },  { 'M', RSP_BASE_SET_M },
                  { 'F', RSP_BASE_SET_F }, { 'P', RSP_BASE_SET_NA }, { 'A', RSP_BASE_SET_A } };
  for (guint i = 0; i < G_N_ELEMENTS (letters); i++)
    if (letters[i].letter == letter) {
      if (stage)
        *set = base_set (stage, letters[i].set);
      return TRUE;
    }
  return FALSE;
}

gboolean stage_is_filter (const char *name) {
  if (strcmp (name, "ext") == 0 || strcmp (name, "int") == 0)
    return TRUE;
  return strlen (name) == 2 && letter_set (NULL, name[0], NULL) && letter_set (NULL, name[1], NULL);
}

/* The filter's relation, named "R*W", "ext", …. */
static const StageValue *mask_value (Stage *stage, const char *name, RspNodeId mask) {
  const char *text
      = strlen (name) == 2 ? rsp_arena_printf (stage->arena, "%c*%c", name[0], name[1]) : name;
  return stage_traced_base (stage, stage_node (stage, mask), text);
}

const StageValue *stage_filter (Stage *stage, RspSpan span, const char *name,
                                const StageValue *argument) {
  RspNodeId relation, mask, from = 0, to = 0;
  if (!stage_to_relation (stage, argument, span, &relation))
    return NULL;
  if (letter_set (stage, name[0], &from) && letter_set (stage, name[1], &to))
    mask = rsp_dag_binary (stage->dag, RSP_NODE_PRODUCT, from, to);
  else
    mask = base_relation (stage, name[0] == 'e' ? RSP_BASE_RELATION_EXT : RSP_BASE_RELATION_INT);
  const StageValue *kept
      = stage_node (stage, rsp_dag_binary (stage->dag, RSP_NODE_INTER, mask, relation));
  return stage_traced (stage, kept, RSP_TRACE_INTERSECTION, argument,
                       mask_value (stage, name, mask));
}
