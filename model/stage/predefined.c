/* Predefined names and functions of cat. */
#include "model/stage/internal.h"
#include "model/stage/stage.h"
#include "parser/language.h"

#include <string.h>

/* ---- Tags ----------------------------------------------------------------------------------- */

/* What precedes a scope's word in its set's name. */

static RspNodeId names_base_relation (Stage *stage, RspBaseRelation id);

/* Events whose threads share a node of the level; all for the outermost. */
static RspNodeId sharing (Stage *stage, guint level) {
  static const int relations[] = {
#define RSP_LEVEL(id, relation, word, text, short_word, in_tree, elsewhere, printed)               \
  [RSP_LEVEL_##id] = RSP_BASE_RELATION_##relation,
#define RSP_OWN_LEVEL(id) [RSP_LEVEL_##id] = RSP_BASE_RELATION_##id,
#include "parser/scopes.def"
  };
  if (level < RSP_N_LEVELS)
    return names_base_relation (stage, relations[level]);
  return stage->dag->universe[FALSE];
}

static RspNodeId base_set (Stage *stage, RspBaseSet id);

/* What the events with the scope of the level reach, too. */
static RspNodeId add_scope (Stage *stage, RspNodeId reach, RspNodeId events, guint level) {
  RspNodeId scoped = rsp_dag_identity_on (stage->dag, events);
  return rsp_dag_union (stage->dag, reach,
                        rsp_dag_seq (stage->dag, scoped, sharing (stage, level)));
}

/* sr: each event's scope includes the other's thread. */
static RspNodeId scopes_include (Stage *stage) {
  RspNodeId reach = stage->dag->empty[FALSE];
  for (guint i = 0; i < RSP_N_LANGUAGE_LEVELS; i++)
    if (rsp_language_levels[i].language == stage->base->language->id) {
      const char *tag = rsp_tags[rsp_language_levels[i].tag].name;
      reach = add_scope (stage, reach, rsp_stage_predefined (stage, tag)->u.node,
                         rsp_language_levels[i].level);
    }
  for (guint word = 0, level; word < stage->model->words->len; word++)
    if ((level = rsp_model_level (stage->model, word)) < RSP_N_LEVELS)
      reach = add_scope (stage, reach, base_set (stage, (RspBaseSet) (RSP_BASE_SET_WORD_0 + word)),
                         level);
  return rsp_dag_inter (stage->dag, reach, rsp_dag_inverse (stage->dag, reach));
}

/* ---- Functions ------------------------------------------------------------------------------ */

/* The predefined functions, including those of herd7's stdlib.cat and cross.cat, after the
 * descriptions in Alglave, Cousot, Maranget (2016) and docs/cat.md. */

#define MAX_ARGUMENTS 3

struct StageFunction {
  const char *name;
  const char *signature; /* see base_names.def */
  const StageValue *(*call) (Stage *stage, RspSpan span, StageItems arguments);
};

/* ---- Functions of sets and relations ---- */
static const StageValue *call_domain (Stage *stage, RspSpan span, StageItems arguments) {
  RspNodeId r;
  if (!stage_to_relation (stage, arguments[0], span, &r))
    return NULL;
  const StageValue *domain = stage_node (stage, rsp_dag_domain (stage->dag, r));
  return stage_traced (stage, domain, RSP_TRACE_DOMAIN, arguments[0], NULL);
}

static const StageValue *call_range (Stage *stage, RspSpan span, StageItems arguments) {
  RspNodeId r;
  if (!stage_to_relation (stage, arguments[0], span, &r))
    return NULL;
  const StageValue *range
      = stage_node (stage, rsp_dag_domain (stage->dag, rsp_dag_inverse (stage->dag, r)));
  return stage_traced (stage, range, RSP_TRACE_RANGE, arguments[0], NULL);
}

static const StageValue *call_noid (Stage *stage, RspSpan span, StageItems arguments) {
  const StageValue *id = rsp_stage_predefined (stage, "id");
  return stage_binary (stage, span, RSP_CAT_DIFF, arguments[0],
                       stage_traced_base (stage, id, "id"));
}

static const StageValue *call_toid (Stage *stage, RspSpan span, StageItems arguments) {
  return stage_unary (stage, span, RSP_CAT_IDENTITY, arguments[0]);
}

static const StageValue *base_value (Stage *stage, const char *name) {
  return stage_traced_base (stage, rsp_stage_predefined (stage, name), name);
}

/* first ; [s] ; po */
static const StageValue *through_fence (Stage *stage, RspSpan span, const StageValue *first,
                                        const StageValue *fences) {
  const StageValue *at = stage_unary (stage, span, RSP_CAT_IDENTITY, fences);
  const StageValue *before = at ? stage_binary (stage, span, RSP_CAT_SEQ, first, at) : NULL;
  return before ? stage_binary (stage, span, RSP_CAT_SEQ, before, base_value (stage, "po")) : NULL;
}

static const StageValue *call_fencerel (Stage *stage, RspSpan span, StageItems arguments) {
  return through_fence (stage, span, base_value (stage, "po"), arguments[0]);
}

static const StageValue *call_ctrlcfence (Stage *stage, RspSpan span, StageItems arguments) {
  return through_fence (stage, span, base_value (stage, "ctrl"), arguments[0]);
}

static const StageValue *call_ctrlcfence_of (Stage *stage, RspSpan span, StageItems arguments) {
  return through_fence (stage, span, arguments[0], arguments[1]);
}

static const StageValue *call_imply (Stage *stage, RspSpan span, StageItems arguments) {
  const StageValue *not = stage_unary (stage, span, RSP_CAT_COMPLEMENT, arguments[0]);
  return not ? stage_binary (stage, span, RSP_CAT_UNION, not, arguments[1]) : NULL;
}

static const StageValue *without_detour (Stage *stage, RspSpan span, const StageValue *r,
                                         const StageValue *there, const StageValue *on) {
  const StageValue *detour = stage_binary (stage, span, RSP_CAT_SEQ, there, on);
  return detour ? stage_binary (stage, span, RSP_CAT_DIFF, r, detour) : NULL;
}

static const StageValue *call_nodetour (Stage *stage, RspSpan span, StageItems arguments) {
  return without_detour (stage, span, arguments[0], arguments[1], arguments[2]);
}

static const StageValue *call_singlestep (Stage *stage, RspSpan span, StageItems arguments) {
  return without_detour (stage, span, arguments[0], arguments[0], arguments[0]);
}

/* ---- Classes ---- */
static gboolean is_equivalence (const RspMatrix *r) {
  for (guint a = 0; a < r->n; a++)
    for (all_bits (b, rsp_matrix_row (r, a), r->words))
      for (guint word = 0; word < r->words; word++)
        if (rsp_matrix_row (r, a)[word] != rsp_matrix_row (r, b)[word])
          return FALSE; /* related events must have the same successors, including themselves */
  for (guint a = 0; a < r->n; a++)
    for (all_bits (b, rsp_matrix_row (r, a), r->words))
      if (!rsp_matrix_get (r, b, a))
        return FALSE;
  return TRUE;
}

/* What each event is related to that is itself and is in no class before, restricted to `set`: the
 * classes of an equivalence. */
static const StageValue *classes_within (Stage *stage, const RspMatrix *equivalence,
                                         const RspMatrix *set) {
  g_autoptr (GPtrArray) classes = g_ptr_array_new ();
  RspMatrix *rest = rsp_matrix_copy (stage->arena, set);
  for (all_bits (e, set->bits, set->words)) {
    if (!rsp_set_has (rest, e) || !rsp_matrix_get (equivalence, e, e))
      continue;
    RspMatrix *class = rsp_set_new (stage->arena, stage->dag->n);
    for (guint word = 0; word < set->words; word++)
      class->bits[word] = rsp_matrix_row (equivalence, e)[word] & set->bits[word];
    rsp_matrix_difference (rest, rest, class);
    RspNodeId node = rsp_dag_constant (stage->dag, TRUE, class);
    g_ptr_array_add (classes, (gpointer) stage_node (stage, node));
  }
  return stage_set_of (stage, (StageItems) classes->pdata, classes->len);
}

static const StageValue *call_classes (Stage *stage, RspSpan span, StageItems arguments) {
  RspNodeId node;
  if (!stage_to_relation (stage, arguments[0], span, &node))
    return NULL;
  const RspMatrix *relation = stage_constant (stage, node, span);
  if (!relation)
    return NULL;
  /* Of any relation, as in herd7: an event that has successors, with what it reaches. */
  RspMatrix *reach = rsp_matrix_copy (stage->arena, relation);
  RspMatrix *domain = rsp_set_new (stage->arena, reach->n);
  rsp_relation_close (reach);
  rsp_relation_domain (domain, reach);
  for (all_bits (e, domain->bits, domain->words))
    rsp_matrix_add (reach, e, e);
  const RspNode *all = rsp_dag_node (stage->dag, stage->dag->universe[TRUE]);
  return classes_within (stage, reach, all->constant);
}

/* Events without a location are in no class. */
static const StageValue *call_partition (Stage *stage, RspSpan span, StageItems arguments) {
  RspNodeId set, loc = rsp_stage_predefined (stage, "loc")->u.node;
  if (!stage_to_set (stage, arguments[0], span, &set))
    return NULL;
  const RspMatrix *events = stage_constant (stage, set, span);
  return events ? classes_within (stage, rsp_dag_node (stage->dag, loc)->constant, events) : NULL;
}

/* herd7 has relations on classes; here such a relation holds all pairs of the classes' events. */
static const StageValue *call_lift (Stage *stage, RspSpan span, StageItems arguments) {
  RspNodeId r, same = stage->dag->empty[FALSE], class;
  RspMatrix *all = rsp_set_new (stage->arena, stage->dag->n);
  StageItems classes;
  guint n;
  if (!stage_to_relation (stage, arguments[1], span, &r)
      || !stage_elements (stage, arguments[0], span, &classes, &n))
    return NULL;
  for (guint i = 0; i < n; i++) {
    const RspMatrix *events = stage_to_set (stage, classes[i], span, &class)
                                  ? stage_constant (stage, class, span)
                                  : NULL;
    if (!events)
      return NULL;
    RspMatrix *common = rsp_matrix_copy (stage->arena, events);
    rsp_matrix_intersect (common, common, all);
    if (!rsp_matrix_is_empty (common))
      return stage_fail (stage, span, "`lift` needs classes that have no event in common");
    rsp_matrix_union (all, all, events);
    same = rsp_dag_union (stage->dag, same, rsp_dag_product (stage->dag, class, class));
  }
  r = rsp_dag_seq (stage->dag, rsp_dag_seq (stage->dag, same, r), same);
  return stage_node (stage, r);
}

static const StageValue *call_delift (Stage *stage, RspSpan span, StageItems arguments) {
  (void) stage, (void) span;
  return arguments[0];
}

static const StageValue *call_deliftinter (Stage *stage, RspSpan span, StageItems arguments) {
  return stage_binary (stage, span, RSP_CAT_INTER, arguments[0], arguments[1]);
}

static const StageValue *call_inter_transitive (Stage *stage, RspSpan span, StageItems arguments) {
  const StageValue *paths = stage_unary (stage, span, RSP_CAT_PLUS, arguments[0]);
  return paths ? stage_binary (stage, span, RSP_CAT_INTER, paths, arguments[1]) : NULL;
}

/* Has every t-successor of a an e-partner among the t-successors of b? */
static gboolean simulates (const RspMatrix *t, const RspMatrix *e, guint a, guint b) {
  for (all_bits (next, rsp_matrix_row (t, a), t->words)) {
    gboolean found = FALSE;
    for (guint word = 0; word < t->words && !found; word++)
      found = (rsp_matrix_row (e, next)[word] & rsp_matrix_row (t, b)[word]) != 0;
    if (!found)
      return FALSE;
  }
  return TRUE;
}

/* Removes the pairs that do not simulate each other until none is left. */
static const StageValue *call_bisimulation (Stage *stage, RspSpan span, StageItems arguments) {
  RspNodeId nodes[2];
  const RspMatrix *values[2];
  for (guint i = 0; i < 2; i++)
    if (!stage_to_relation (stage, arguments[i], span, &nodes[i])
        || !(values[i] = stage_constant (stage, nodes[i], span)))
      return NULL;
  if (!is_equivalence (values[1]))
    return stage_fail (stage, span, "`bisimulation` needs an equivalence as its second argument");
  RspMatrix *e = rsp_matrix_copy (stage->arena, values[1]);
  for (gboolean changed = TRUE; changed;) {
    changed = FALSE;
    const RspMatrix *before = rsp_matrix_copy (stage->arena, e);
    for (guint a = 0; a < e->n; a++)
      for (all_bits (b, rsp_matrix_row (before, a), e->words))
        if (!simulates (values[0], before, a, b) || !simulates (values[0], before, b, a)) {
          rsp_matrix_remove (e, a, b);
          changed = TRUE;
        }
  }
  return stage_node (stage, rsp_dag_constant (stage->dag, FALSE, e));
}

/* Models do not see values, so only the empty relation has an answer. */
static const StageValue *call_different_values (Stage *stage, RspSpan span, StageItems arguments) {
  RspNodeId r;
  if (!stage_to_relation (stage, arguments[0], span, &r))
    return NULL;
  const RspMatrix *pairs = stage_constant (stage, r, span);
  if (!pairs)
    return NULL;
  return rsp_matrix_is_empty (pairs)
             ? arguments[0]
             : stage_fail (stage, span, "`different-values` of events: models do not see values");
}

static const StageValue *call_fail (Stage *stage, RspSpan span, StageItems arguments) {
  (void) arguments;
  return stage_fail (stage, span, "the model calls `fail` for this test");
}

/* ---- Functions of sets of values ---- */
static const StageValue *call_fold (Stage *stage, RspSpan span, StageItems arguments) {
  StageItems items;
  guint n;
  const StageValue *result = arguments[2];
  if (!stage_elements (stage, arguments[1], span, &items, &n))
    return NULL;
  for (guint i = 0; i < n && result; i++) {
    const StageValue *both[] = { items[i], result };
    result = stage_apply (stage, span, arguments[0], stage_list (stage, STAGE_TUPLE, both, 2));
  }
  return result;
}

static const StageValue *call_map (Stage *stage, RspSpan span, StageItems arguments) {
  StageItems items;
  guint n;
  if (!stage_elements (stage, arguments[1], span, &items, &n))
    return NULL;
  const StageValue **images = rsp_arena_new0 (stage->arena, const StageValue *, n);
  for (guint i = 0; i < n; i++)
    if (!(images[i] = stage_apply (stage, span, arguments[0], items[i])))
      return NULL;
  return stage_set_of (stage, images, n);
}

RspNodeId rsp_stage_order_within (Stage *stage, RspNodeId relation, RspNodeId set) {
  RspNodeId pairs = rsp_dag_product (stage->dag, set, set);
  RspNodeId beyond = rsp_dag_diff (stage->dag, relation, pairs);
  if (beyond != stage->dag->empty[FALSE])
    relation = rsp_dag_plus (stage->dag, relation);
  return rsp_dag_inter (stage->dag, relation, pairs);
}

static const StageValue *call_linearisations (Stage *stage, RspSpan span, StageItems arguments) {
  RspNodeId set, relation;
  if (!stage_to_set (stage, arguments[0], span, &set)
      || !stage_to_relation (stage, arguments[1], span, &relation))
    return NULL;
  StageValue *value = stage_value (stage, STAGE_ORDERS);
  value->u.orders.set = set;
  value->u.orders.relation = rsp_stage_order_within (stage, relation, set);
  return value;
}

static const StageValue *call_cross (Stage *stage, RspSpan span, StageItems arguments) {
  StageItems items;
  guint n;
  if (!stage_elements (stage, arguments[0], span, &items, &n))
    return NULL;
  return stage_list (stage, STAGE_CROSS, items, n);
}

static const StageValue *call_co_locs (Stage *stage, RspSpan span, StageItems arguments) {
  StageItems items;
  guint n;
  if (!stage_elements (stage, arguments[1], span, &items, &n))
    return NULL;
  const StageValue **orders = rsp_arena_new0 (stage->arena, const StageValue *, n);
  for (guint i = 0; i < n; i++) {
    const StageValue *both[] = { items[i], arguments[0] };
    if (!(orders[i] = call_linearisations (stage, span, both)))
      return NULL;
  }
  return stage_set_of (stage, orders, n);
}

static const StageValue *call_generate_orders (Stage *stage, RspSpan span, StageItems arguments) {
  const StageValue *both[] = { arguments[1], call_partition (stage, span, arguments) };
  const StageValue *orders = both[1] ? call_co_locs (stage, span, both) : NULL;
  return orders ? call_cross (stage, span, &orders) : NULL;
}

static const StageValue *call_generate_cos (Stage *stage, RspSpan span, StageItems arguments) {
  const StageValue *both[] = { rsp_stage_predefined (stage, "W"), arguments[0] };
  return call_generate_orders (stage, span, both);
}

/* ---- Tags ---- */
/* The meaning of the tags of bell files. */
static const struct {
  const char *tag, *events, *scope;
} tags[] = {
#define TAG(tag, events, scope) { tag, events, scope },
#include "model/tags.def"
};

/* Any other tag denotes the base set of its name, with a capital letter as in herd7 or as it is, or
 * the empty set. */
static const StageValue *call_tag2events (Stage *stage, RspSpan span, StageItems arguments) {
  if (arguments[0]->kind != STAGE_TAG)
    return stage_fail (stage, span, "`tag2events` needs a tag");
  const char *tag = arguments[0]->u.tag;
  for (guint i = 0; i < G_N_ELEMENTS (tags); i++)
    if (tags[i].events && strcmp (tags[i].tag, tag) == 0)
      return rsp_stage_predefined (stage, tags[i].events);
  g_autofree char *capital = g_strdup (tag), *scope = g_strconcat (RSP_OWN_SCOPE, tag, NULL);
  capital[0] = g_ascii_toupper (tag[0]);
  const StageValue *named = rsp_stage_predefined (stage, capital);
  if (!named || !stage_is_set (stage, named))
    named = rsp_stage_predefined (stage, tag);
  if (!named || !stage_is_set (stage, named))
    named = rsp_stage_predefined (stage, scope);
  return named && stage_is_set (stage, named) ? named : stage_node (stage, stage->dag->empty[TRUE]);
}

static const StageValue *call_loc2events (Stage *stage, RspSpan span, StageItems arguments) {
  const char **places = stage->base->places;
  if (arguments[0]->kind != STAGE_TAG)
    return stage_fail (stage, span, "`loc2events` needs a tag");
  if (stage->base->generic)
    return stage_await_execution (stage, span);
  RspMatrix *events = rsp_set_new (stage->arena, stage->dag->n);
  for (all_bits (e, stage->base->sets[RSP_BASE_SET_M]->bits, events->words)) {
    if (!places || !places[e] || !*places[e])
      return stage_fail (stage, span, "`loc2events` is for tests: here locations have no names");
    if (strcmp (places[e], arguments[0]->u.tag) == 0)
      rsp_set_add (events, e);
  }
  return stage_node (stage, rsp_dag_constant (stage->dag, TRUE, events));
}

static const StageValue *call_tag2scope (Stage *stage, RspSpan span, StageItems arguments) {
  if (arguments[0]->kind != STAGE_TAG)
    return stage_fail (stage, span, "`tag2scope` needs a tag");
  const char *tag = arguments[0]->u.tag;
  for (guint i = 0; i < G_N_ELEMENTS (tags); i++)
    if (tags[i].scope && strcmp (tags[i].tag, tag) == 0)
      return rsp_stage_predefined (stage, tags[i].scope);
  if (rsp_model_level (stage->model, rsp_model_word (stage->model, tag)) < RSP_N_LEVELS)
    return rsp_stage_predefined (stage, tag);
  return stage_fail (stage, span, "the scope tree has no level '%s", tag);
}

/* ---- Calling ---- */
static const StageValue *call_classes_loc (Stage *stage, RspSpan span, StageItems arguments) {
  return call_partition (stage, span, arguments);
}

static const StageFunction functions[] = {
#define RSP_BASE_FUNCTION(id, name, signature, meaning) { name, signature, call_##id },
#include "model/base_names.def"
};

static guint count_parameters (const StageFunction *function) {
  return (guint) strcspn (function->signature, ">");
}

/* The predefined function of a name that takes n arguments (0: any number), or NULL. */
static const StageFunction *find_function (const char *name, guint n) {
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    if (strcmp (functions[i].name, name) == 0 && (!n || count_parameters (&functions[i]) == n))
      return &functions[i];
  return NULL;
}

const StageValue *stage_call_builtin (Stage *stage, RspSpan span, const StageValue *function,
                                      const StageValue *argument) {
  const StageFunction *called = function->u.builtin.function;
  guint n = function->u.builtin.n, given = argument->kind == STAGE_TUPLE ? argument->u.list.n : 1;
  if (n == 0) { /* of several functions of the name, the one for as many arguments */
    const StageFunction *exact = find_function (called->name, given);
    called = exact ? exact : called;
  }
  /* One more argument or, given a tuple that still fits, several. */
  const StageValue *all[MAX_ARGUMENTS];
  guint arity = count_parameters (called);
  for (guint i = 0; i < n; i++)
    all[i] = function->u.builtin.arguments[i];
  if (argument->kind == STAGE_TUPLE && arity > 1 && n + argument->u.list.n <= arity)
    for (guint i = 0; i < argument->u.list.n; i++)
      all[n++] = argument->u.list.items[i];
  else
    all[n++] = argument;
  if (n == arity)
    return called->call (stage, span, all);
  StageValue *value = rsp_arena_copy (stage->arena, function, sizeof *function);
  value->u.builtin.function = called;
  value->u.builtin.arguments = rsp_arena_copy (stage->arena, all, n * sizeof all[0]);
  value->u.builtin.n = n;
  return value;
}

/* ---- Names ---------------------------------------------------------------------------------- */

/* The names of base_names.def: base sets and relations as constants, and names derived from rf, co
 * and S as expressions over them. */

typedef enum NameKind {
  NAME_SET,
  NAME_RELATION,
  NAME_DERIVED,
  NAME_LITERAL,
  NAME_FOREIGN,
  NAME_FUNCTION
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
} Name;

static const Name names[] = {
#define RSP_BASE_SET(id, name, meaning)                 { name, NAME_SET, RSP_BASE_SET_##id },
#define RSP_BASE_RELATION(id, name, meaning)            { name, NAME_RELATION, RSP_BASE_RELATION_##id },
#define RSP_BASE_DERIVED(id, kind, name, meaning)       { name, NAME_DERIVED, DERIVED_##id },
#define RSP_BASE_LITERAL(id, name, meaning)             { name, NAME_LITERAL, LITERAL_##id },
#define RSP_BASE_FUNCTION(id, name, signature, meaning) { name, NAME_FUNCTION, 0 },
#define RSP_BASE_FOREIGN(name)                          { name, NAME_FOREIGN, 0 },
#include "model/base_names.def"
};

/* ---- Base sets and relations ---- */
static RspNodeId base_set (Stage *stage, RspBaseSet id) {
  if (stage->base->open[id] || stage->base->generic)
    return rsp_dag_base (stage->dag, RSP_NODE_OPEN, id);
  RspMatrix *set = stage->base->sets[id];
  return set ? rsp_dag_constant (stage->dag, TRUE, set) : stage->dag->empty[TRUE];
}

static RspNodeId names_base_relation (Stage *stage, RspBaseRelation id) {
  if (stage->base->generic)
    return rsp_dag_base (stage->dag, RSP_NODE_OPEN, RSP_N_BASE_SETS + id);
  RspMatrix *relation = stage->base->relations[id];
  const RspLanguage *language = stage->base->language;
  /* With tags, `sr` is an expression over the sets of events. */
  if (!relation && language && language->tagged)
    return id == RSP_BASE_RELATION_SR ? scopes_include (stage) : stage->dag->empty[FALSE];
  return relation ? rsp_dag_constant (stage->dag, FALSE, relation) : stage->dag->empty[FALSE];
}

RspNodeId stage_decided (RspDag *dag, RspNodeOp op, const RspMatrix *given) {
  if (given)
    return rsp_dag_constant (dag, FALSE, rsp_matrix_copy (dag->arena, given));
  return rsp_dag_base (dag, op, 0);
}

static RspNodeId rf (Stage *stage) {
  return stage_decided (stage->dag, RSP_NODE_RF, stage->base->rf);
}

RspNodeId rsp_stage_coherence (Stage *stage) {
  return stage_decided (stage->dag, RSP_NODE_CO, stage->base->co);
}

static RspNodeId fr (Stage *stage) {
  RspNodeId inverse = rsp_dag_inverse (stage->dag, rf (stage));
  RspNodeId all = rsp_dag_seq (stage->dag, inverse, rsp_stage_coherence (stage));
  return rsp_dag_diff (stage->dag, all, stage->dag->identity);
}

static RspNodeId within (Stage *stage, RspNodeId node, RspBaseRelation relation) {
  return rsp_dag_inter (stage->dag, names_base_relation (stage, relation), node);
}

/* The writes to observed locations that no other write follows in co. Using them does not demand
 * the order of the earlier ones. */
static RspNodeId final_writes (Stage *stage) {
  if (stage->finals)
    return rsp_dag_constant (stage->dag, TRUE, rsp_matrix_copy (stage->arena, stage->finals));
  stage->names_finals = TRUE;
  RspNodeId followed = rsp_dag_domain (stage->dag, rsp_stage_coherence (stage));
  return rsp_dag_diff (stage->dag, base_set (stage, RSP_BASE_SET_OBSERVED), followed);
}

/* What is known of coherence before a model orders any writes. Where coherence is partial, several
 * writes may be final, and are not ordered. */
static RspNodeId co0 (Stage *stage) {
  RspDag *dag = stage->dag;
  RspNodeId finals = final_writes (stage);
  RspNodeId others = rsp_dag_diff (dag, dag->universe[TRUE], finals);
  RspNodeId to_final = rsp_dag_product (dag, others, finals);
  return rsp_dag_union (dag, names_base_relation (stage, RSP_BASE_RELATION_CO_INITIAL),
                        within (stage, to_final, RSP_BASE_RELATION_CO_FINAL));
}

static RspNodeId derived (Stage *stage, Derived id) {
  RspDag *dag = stage->dag;
  switch (id) {
  case DERIVED_RF:
    return rf (stage);
  case DERIVED_RFE:
    return within (stage, rf (stage), RSP_BASE_RELATION_EXT);
  case DERIVED_RFI:
    return within (stage, rf (stage), RSP_BASE_RELATION_INT);
  case DERIVED_CO:
    return rsp_stage_coherence (stage);
  case DERIVED_COE:
    return within (stage, rsp_stage_coherence (stage), RSP_BASE_RELATION_EXT);
  case DERIVED_COI:
    return within (stage, rsp_stage_coherence (stage), RSP_BASE_RELATION_INT);
  case DERIVED_FR:
    return fr (stage);
  case DERIVED_FRE:
    return within (stage, fr (stage), RSP_BASE_RELATION_EXT);
  case DERIVED_FRI:
    return within (stage, fr (stage), RSP_BASE_RELATION_INT);
  case DERIVED_RF_INVERSE:
    return rsp_dag_inverse (dag, rf (stage));
  case DERIVED_CO0:
    return co0 (stage);
  case DERIVED_FW:
    return final_writes (stage);
  case DERIVED_SYNC_FENCE:
    return rsp_stage_sync_fence (stage);
  case DERIVED_NA:
    return rsp_dag_union (dag, base_set (stage, RSP_BASE_SET_NA),
                          base_set (stage, RSP_BASE_SET_NA_FENCE));
  case DERIVED_SAME_INSTANCE:
    return rsp_dag_identity_on (
        dag, rsp_dag_diff (dag, dag->universe[TRUE], base_set (stage, RSP_BASE_SET_I)));
  case DERIVED_AMO:
    return rsp_dag_diff (dag, names_base_relation (stage, RSP_BASE_RELATION_ATOM),
                         rsp_dag_identity_on (dag, base_set (stage, RSP_BASE_SET_X)));
  case DERIVED_SM:
    return rsp_dag_identity_on (dag, base_set (stage, RSP_BASE_SET_M));
  case DERIVED_S: /* the first chosen order */
    return rsp_stage_chosen_order (stage, 0);
  }
  g_assert_not_reached ();
}

static const StageValue *value_of (Stage *stage, const Name *name, gboolean is_alias) {
  switch (name->kind) {
  case NAME_SET: {
    /* `rmw` is a set, and the same as `amo` in a model that uses it as a relation; `RMW` is a set
     * in all models. */
    if (name->id == RSP_BASE_SET_RMW && stage->model->rmw_is_relation && !is_alias)
      return stage_node (stage, derived (stage, DERIVED_AMO));
    return stage_node (stage, base_set (stage, name->id));
  }
  case NAME_RELATION:
    return stage_node (stage, names_base_relation (stage, name->id));
  case NAME_DERIVED:
    return name->id == DERIVED_S && !stage->model->with_sc
               ? NULL
               : stage_node (stage, derived (stage, (Derived) name->id));
  case NAME_LITERAL:
    return name->id == LITERAL_UNIVERSE ? &stage_universe : &stage_empty;
  case NAME_FOREIGN:
    return &stage_empty;
  case NAME_FUNCTION: {
    StageValue *value = stage_value (stage, STAGE_BUILTIN);
    value->u.builtin.function = find_function (name->name, 0);
    return value;
  }
  }
  g_assert_not_reached ();
}

const StageValue *rsp_stage_predefined (Stage *stage, const char *name) {
  const char *own = rsp_base_name (name);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (names[i].name[0] == own[0] && strcmp (names[i].name, own) == 0)
      return value_of (stage, &names[i], own != name);
  const gboolean is_scope = g_str_has_prefix (name, RSP_OWN_SCOPE);
  guint word = rsp_model_word (stage->model, is_scope ? name + strlen (RSP_OWN_SCOPE) : name);
  const guint level = rsp_model_level (stage->model, word);
  if (word == stage->model->words->len || (is_scope && level == RSP_N_LEVELS))
    return NULL;
  return stage_node (stage, is_scope || level == RSP_N_LEVELS
                                ? base_set (stage, (RspBaseSet) (RSP_BASE_SET_WORD_0 + word))
                                : sharing (stage, level));
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

const StageValue *stage_filter (Stage *stage, RspSpan span, const char *name,
                                const StageValue *argument) {
  RspNodeId relation, mask, from = 0, to = 0;
  if (!stage_to_relation (stage, argument, span, &relation))
    return NULL;
  if (letter_set (stage, name[0], &from) && letter_set (stage, name[1], &to))
    mask = rsp_dag_product (stage->dag, from, to);
  else
    mask = names_base_relation (stage,
                                name[0] == 'e' ? RSP_BASE_RELATION_EXT : RSP_BASE_RELATION_INT);
  const StageValue *kept = stage_node (stage, rsp_dag_inter (stage->dag, mask, relation));
  const char *text = /* "R*W", "ext", … */
      strlen (name) == 2 ? rsp_arena_printf (stage->arena, "%c*%c", name[0], name[1]) : name;
  return stage_traced (stage, kept, RSP_TRACE_INTERSECTION, argument,
                       stage_traced_base (stage, stage_node (stage, mask), text));
}
