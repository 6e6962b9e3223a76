#include "enumerator/shapes/probe.h"

#include <string.h>

/* Two threads with every kind of event on two locations. */
static const RspShapeEvent example[] = {
  { RSP_EVENT_WRITE, 0, 0, 0 },
  { RSP_EVENT_FENCE, 0, 0, RSP_FENCE_GLOBAL },
  { RSP_EVENT_RMW, 0, 1, 0 },
  { RSP_EVENT_READ, 1, 1, 0 },
  { RSP_EVENT_FENCE, 1, 0, RSP_FENCE_GLOBAL },
  { RSP_EVENT_READ, 1, 0, 0 },
};

/* One work-group; one device; neither. */
static const RspShapePlace trees[][2] = {
  { { 0, 0, 0 }, { 1, 0, 0 } },
  { { 0, 0, 0 }, { 1, 1, 0 } },
  { { 0, 0, 0 }, { 1, 1, 1 } },
};

static RspStaging *
stage_example (const RspModel *model, guint tree, const RspStageOptions *options, RspArena *arena,
               RspDiagnostics *diagnostics)
{
  RspShape shape = { .n_threads = 2, .n_locations = 2, .n_events = G_N_ELEMENTS (example) };
  memcpy (shape.events, example, sizeof example);
  memcpy (shape.places, trees[tree], sizeof trees[tree]);
  RspBase *base = rsp_shape_pre_execution (&shape, arena)->base;
  for (guint s = 0; s < RSP_N_BASE_SETS; s++)
    base->open[s]
        = rsp_label_decides ((RspBaseSet) s) || s == RSP_BASE_SET_RMW || s == RSP_BASE_SET_F;
  return rsp_model_stage (model, base, options, arena, diagnostics);
}

/* ---- What the axioms of a staging depend on ---- */

static void
note_sets (const RspDag *dag, RspNodeId id, guint8 *done, RspSeen *seen)
{
  const RspNode *node = rsp_dag_node (dag, id);
  if (done[id])
    return;
  done[id] = TRUE;
  if (node->op == RSP_NODE_OPEN)
    seen->sets[node->index] = TRUE;
  if (rsp_node_arity (node->op) == 2)
    note_sets (dag, node->b, done, seen);
  if (rsp_node_arity (node->op) >= 1)
    note_sets (dag, node->a, done, seen);
  if (node->op != RSP_NODE_FIX)
    return;
  const RspFix *fix = &g_array_index (dag->groups, RspFix, node->index);
  for (guint i = 0; i < fix->n; i++)
    note_sets (dag, fix->bodies[i], done, seen);
}

static void
note_staging (const RspStaging *staging, RspSeen *seen)
{
  for (guint m = 0; m < staging->n_models; m++)
    {
      const RspStagedModel *model = staging->models[m];
      guint8 *done = g_new0 (guint8, model->dag->nodes->len);
      for (guint i = 0; i < model->n_axioms; i++)
        if (model->axioms[i].role == RSPCHECK_ROLE_AXIOM
            || model->axioms[i].role == RSPCHECK_ROLE_UNDEFINED_UNLESS)
          note_sets (model->dag, model->axioms[i].node, done, seen);
      g_free (done);
    }
}

/* ---- Do two trees make a difference? ---- */

typedef struct Pairing
{
  const RspDag *a, *b;
  RspNodeId *partner; /* per node of a that was looked at: the node of b, + 1 */
} Pairing;

static gboolean same_nodes (Pairing *pairing, RspNodeId a, RspNodeId b);

static gboolean
same_bodies (Pairing *pairing, guint a, guint b)
{
  const RspFix *x = &g_array_index (pairing->a->groups, RspFix, a);
  const RspFix *y = &g_array_index (pairing->b->groups, RspFix, b);
  if (x->n != y->n)
    return FALSE;
  for (guint i = 0; i < x->n; i++)
    if (!same_nodes (pairing, x->bodies[i], y->bodies[i]))
      return FALSE;
  return TRUE;
}

/* Do two nodes stand for the same expression over the same constants? */
static gboolean
same_nodes (Pairing *pairing, RspNodeId a, RspNodeId b)
{
  const RspNode *x = rsp_dag_node (pairing->a, a), *y = rsp_dag_node (pairing->b, b);
  if (pairing->partner[a])
    return pairing->partner[a] == b + 1;
  pairing->partner[a] = b + 1;
  if (x->op != y->op)
    return FALSE;
  if (x->op == RSP_NODE_CONSTANT)
    return rsp_matrix_equal (x->constant, y->constant);
  if (x->op == RSP_NODE_FIX)
    return same_bodies (pairing, x->index, y->index);
  guint n = rsp_node_arity (x->op);
  return x->index == y->index && (n < 1 || same_nodes (pairing, x->a, y->a))
         && (n < 2 || same_nodes (pairing, x->b, y->b));
}

static gboolean
same_model (const RspStagedModel *a, const RspStagedModel *b)
{
  Pairing pairing = { a->dag, b->dag, g_new0 (RspNodeId, a->dag->nodes->len) };
  gboolean same = a->n_axioms == b->n_axioms;
  for (guint i = 0; same && i < a->n_axioms; i++)
    same = same_nodes (&pairing, a->axioms[i].node, b->axioms[i].node);
  g_free (pairing.partner);
  return same;
}

static gboolean
same_staging (const RspStaging *a, const RspStaging *b)
{
  if (a->n_models != b->n_models)
    return FALSE;
  for (guint m = 0; m < a->n_models; m++)
    if (!same_model (a->models[m], b->models[m]))
      return FALSE;
  return TRUE;
}

static void
see_everything (RspSeen *seen)
{
  for (guint s = 0; s < RSP_N_BASE_SETS; s++)
    seen->sets[s]
        = rsp_label_decides ((RspBaseSet) s) || s == RSP_BASE_SET_RMW || s == RSP_BASE_SET_F;
  seen->tree = TRUE;
}

gboolean
rsp_probe (const RspModel *model, const RspStageOptions *options, RspSeen *seen,
           RspDiagnostics *diagnostics)
{
  RspArena *arena = rsp_arena_new ();
  RspStaging *stagings[G_N_ELEMENTS (trees)] = { NULL };
  gboolean good = TRUE, known = !model->with_sc;
  memset (seen, 0, sizeof *seen);
  for (guint i = 0; i < G_N_ELEMENTS (trees) && good && known; i++)
    {
      stagings[i] = stage_example (model, i, options, arena, diagnostics);
      good = stagings[i] != NULL;
      known = good && !stagings[i]->needs_execution;
    }
  if (good && known)
    {
      note_staging (stagings[0], seen);
      note_staging (stagings[2], seen);
      seen->tree
          = !same_staging (stagings[0], stagings[1]) || !same_staging (stagings[1], stagings[2]);
    }
  else
    see_everything (seen);
  for (guint i = 0; i < G_N_ELEMENTS (trees); i++)
    rsp_staging_clear (stagings[i]);
  rsp_arena_free (arena);
  return good;
}
