/* let and let rec.
 *
 * Recursive sets and relations become a recursive group of the DAG. That requires their kinds,
 * which are those of the bodies' values when the names are empty. A group whose bodies inspect the
 * names' values (match, if) cannot be staged in this way; it is iterated directly, which requires
 * known values. */
#include "model/stage/let.h"
#include "model/dag/fix.h"
#include "model/stage/env.h"
#include "model/stage/expr.h"
#include "model/stage/value.h"
#include "model/stage/trace.h"

/* ---- let rec ---- */

typedef enum Kind {
  KIND_OPEN, /* 0 so far */
  KIND_SET,
  KIND_RELATION,
  KIND_OTHER /* a set of values, … */
} Kind;

typedef struct Rec {
  const RspCatBinding *bindings;
  const StageEnv *outer;
  guint n; /* the names that are not functions */
  const RspCatBinding **names;
  const StageValue **values; /* their current values */
  Kind *kinds;
} Rec;

static gboolean is_function (const RspCatBinding *binding) {
  return binding->value->kind == RSP_CAT_FUN;
}

/* Binds all names: functions to closures over these same bindings, the others to their values. */
static const StageEnv *bind_names (Stage *stage, const Rec *rec) {
  const StageEnv *env = rec->outer;
  g_autoptr (GPtrArray) closures = g_ptr_array_new ();
  guint at = 0;
  for (const RspCatBinding *binding = rec->bindings; binding; binding = binding->next) {
    const StageValue *value;
    if (is_function (binding)) {
      StageValue *closure = rsp_arena_new0 (stage->arena, StageValue, 1);
      closure->kind = STAGE_CLOSURE;
      closure->u.closure.pattern = binding->value->pattern;
      closure->u.closure.body = binding->value->a;
      closure->u.closure.name = binding->pattern->name;
      g_ptr_array_add (closures, closure);
      value = closure;
    } else
      value = rec->values[at++];
    if (binding->pattern->name)
      env = stage_bind (stage, env, binding->pattern->name, value);
  }
  for (guint i = 0; i < closures->len; i++)
    ((StageValue *) closures->pdata[i])->u.closure.env = env;
  return env;
}

/* The bodies' values if the names have rec->values. */
static gboolean eval_bodies (Stage *stage, const Rec *rec, const StageValue **bodies) {
  const StageEnv *env = bind_names (stage, rec);
  for (guint i = 0; i < rec->n; i++)
    if (!(bodies[i] = stage_eval (stage, rec->names[i]->value, env)))
      return FALSE;
  return TRUE;
}

static Kind kind_of (const Stage *stage, const StageValue *value) {
  if (value->kind == STAGE_EMPTY)
    return KIND_OPEN;
  if (value->kind == STAGE_UNIVERSE || stage_is_relation (stage, value))
    return KIND_RELATION;
  return stage_is_set (stage, value) ? KIND_SET : KIND_OTHER;
}

/* Makes every name the empty value of its kind. */
static void empty_names (Stage *stage, const Rec *rec) {
  for (guint i = 0; i < rec->n; i++) {
    const StageValue *empty
        = rec->kinds[i] == KIND_SET        ? stage_node (stage, stage->dag->empty[TRUE])
          : rec->kinds[i] == KIND_RELATION ? stage_node (stage, stage->dag->empty[FALSE])
                                           : &stage_empty;
    rec->values[i] = stage_traced_round (stage, empty, rec->names[i]->pattern->name, NULL);
  }
}

/* Finds the kinds. One may determine another, so this repeats until nothing changes. */
static gboolean find_kinds (Stage *stage, const Rec *rec, const StageValue **bodies) {
  gboolean found = TRUE;
  while (found) {
    found = FALSE;
    empty_names (stage, rec);
    if (!eval_bodies (stage, rec, bodies))
      return FALSE;
    for (guint i = 0; i < rec->n; i++)
      if (rec->kinds[i] == KIND_OPEN && kind_of (stage, bodies[i]) != KIND_OPEN) {
        rec->kinds[i] = kind_of (stage, bodies[i]);
        found = TRUE;
      }
  }
  return TRUE;
}

static gboolean diverges (Stage *stage, const Rec *rec) {
  if (!rsp_dag_diverged (stage->dag) && stage_is_exhausted (stage))
    return FALSE;
  return stage_refuse (stage, rec->names[0]->span, "this recursive definition does not converge");
}

/* Iterates from empty values. *known: FALSE if some value depends on what the search decides. */
static gboolean iterate (Stage *stage, const Rec *rec, const StageValue **bodies, gboolean *known) {
  gsize n = stage->dag->n, rounds = n * n * rec->n + 2;
  *known = TRUE;
  empty_names (stage, rec);
  for (gsize round = 0; round < rounds; round++) {
    gboolean stable = TRUE;
    if (!eval_bodies (stage, rec, bodies))
      return FALSE;
    for (guint i = 0; i < rec->n; i++) {
      *known &= stage_is_known (stage, bodies[i]);
      stable &= stage_equal (stage, bodies[i], rec->values[i]) == RSP_HOLDS;
      rec->values[i]
          = stage_traced_round (stage, bodies[i], rec->names[i]->pattern->name, rec->values[i]);
    }
    if (stable || !*known)
      return TRUE;
  }
  return diverges (stage, rec);
}

static gboolean bodies_to_nodes (Stage *stage, const Rec *rec, const StageValue **bodies,
                                 RspNodeId *nodes) {
  for (guint i = 0; i < rec->n; i++) {
    RspSpan span = rec->names[i]->value->span;
    if (!(rec->kinds[i] == KIND_SET ? stage_to_set : stage_to_relation) (stage, bodies[i], span,
                                                                         &nodes[i]))
      return FALSE;
  }
  return TRUE;
}

/* Makes a recursive group of the DAG. */
static gboolean close_group (Stage *stage, const Rec *rec, const StageValue **bodies) {
  g_autofree gboolean *is_set = g_new (gboolean, rec->n);
  g_autofree RspNodeId *nodes = g_new (RspNodeId, rec->n);
  g_autofree RspNodeId *fixes = g_new (RspNodeId, rec->n);
  for (guint i = 0; i < rec->n; i++)
    is_set[i] = rec->kinds[i] == KIND_SET;
  guint group = rsp_dag_fix_begin (stage->dag, rec->n, is_set, nodes);
  g_array_index (stage->dag->groups, RspFix, group).span = rec->names[0]->span;
  for (guint i = 0; i < rec->n; i++)
    rec->values[i] = stage_node (stage, nodes[i]);
  if (!eval_bodies (stage, rec, bodies) || !bodies_to_nodes (stage, rec, bodies, nodes))
    return FALSE;
  if (!rsp_dag_fix_end (stage->dag, group, nodes, fixes))
    return diverges (stage, rec);
  for (guint i = 0; i < rec->n; i++)
    rec->values[i] = stage_node (stage, fixes[i]);
  return TRUE;
}

static gboolean has_other_kind (const Rec *rec) {
  for (guint i = 0; i < rec->n; i++)
    if (rec->kinds[i] == KIND_OTHER)
      return TRUE;
  return FALSE;
}

/* Finds the names' values. If a complete execution is given, everything is known except what
 * depends on chosen orders, so iteration comes first; otherwise it is the fallback for bodies that
 * inspect values. */
static gboolean solve (Stage *stage, const Rec *rec, const StageValue **bodies) {
  gboolean known;
  if (!find_kinds (stage, rec, bodies))
    return FALSE;
  if (stage->base->generic && has_other_kind (rec))
    return stage_postpone (stage, rec->names[0]->span);
  if (stage->base->rf || has_other_kind (rec)) {
    if (!iterate (stage, rec, bodies, &known))
      return FALSE;
    if (known)
      return TRUE;
    if (has_other_kind (rec))
      return stage_postpone (stage, rec->names[0]->span);
  }
  if (close_group (stage, rec, bodies))
    return TRUE;
  if (stage->status != STAGE_NEEDS_EXECUTION)
    return FALSE;
  stage->status = STAGE_OK;
  if (!iterate (stage, rec, bodies, &known))
    return FALSE;
  return known || stage_postpone (stage, rec->names[0]->span);
}

static guint count (const RspCatBinding *binding) {
  guint n = 0;
  for (; binding; binding = binding->next)
    n++;
  return n;
}

static gboolean let_rec (Stage *stage, const RspCatBinding *bindings, const StageEnv **env) {
  guint n = count (bindings);
  Rec rec = { .bindings = bindings, .outer = *env };
  rec.names = rsp_arena_new0 (stage->arena, const RspCatBinding *, n);
  rec.values = rsp_arena_new0 (stage->arena, const StageValue *, n);
  rec.kinds = rsp_arena_new0 (stage->arena, Kind, n);
  for (const RspCatBinding *binding = bindings; binding; binding = binding->next) {
    if (binding->pattern->is_tuple)
      return stage_refuse (stage, binding->pattern->span,
                           "a recursive definition must define a name");
    if (!is_function (binding))
      rec.names[rec.n++] = binding;
  }
  const StageValue **bodies = rsp_arena_new0 (stage->arena, const StageValue *, n);
  if (rec.n && !solve (stage, &rec, bodies))
    return FALSE;
  *env = bind_names (stage, &rec);
  return TRUE;
}

/* ---- let ---- */

/* A value that cannot be evaluated yet may never be needed, so unknown values are not a failure. */
static gboolean bind_unknown (Stage *stage, const RspCatBinding *binding, gboolean all,
                              const StageEnv **env) {
  if (stage->status != STAGE_NEEDS_EXECUTION)
    return FALSE;
  stage->status = STAGE_OK;
  for (; binding; binding = all ? binding->next : NULL)
    stage_bind_unknown (stage, env, binding->pattern);
  return TRUE;
}

static gboolean let_plain (Stage *stage, const RspCatBinding *bindings, const StageEnv **env) {
  const StageEnv *outer = *env;
  for (const RspCatBinding *binding = bindings; binding; binding = binding->next) {
    const StageValue *value = stage_eval (stage, binding->value, outer);
    if (value ? !stage_bind_pattern (stage, env, binding->pattern, value)
              : !bind_unknown (stage, binding, FALSE, env))
      return FALSE;
  }
  return TRUE;
}

gboolean stage_let (Stage *stage, const RspCatBinding *bindings, gboolean recursive,
                    const StageEnv **env) {
  const StageEnv *outer = *env;
  if (recursive ? !let_rec (stage, bindings, env) && !bind_unknown (stage, bindings, TRUE, env)
                : !let_plain (stage, bindings, env))
    return FALSE;
  stage_trace_names (stage, *env, outer);
  return TRUE;
}
