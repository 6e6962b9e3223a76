#include "enumerator/shapes/staged.h"
#include "model/stage/template/template.h"

enum {
  MOST_ASSUMED = 8, /* values, one after another */
  MOST_KEPT = 32    /* stagings of one model on one combination; each takes some 50 kB */
};

/* ---- One ---- */

static void make_codes (Staged *staged) {
  const RspStaging *staging = staged->staging;
  staged->codes = g_new0 (Code *, staging->n_models + 1);
  for (guint i = 0; i < staging->n_models; i++)
    staged->codes[i] = code_new (staging->models[i]);
}

/* What rf or co decide cannot be assumed. */
static StagedState want (Staged *staged) {
  if (!staged->staging->needed)
    return STAGED_STUCK;
  staged->needed = code_new (staged->staging->needed);
  if (code_is_dynamic (staged->needed, 0))
    return STAGED_STUCK;
  staged->after = g_ptr_array_new_with_free_func ((GDestroyNotify) staged_free);
  return STAGED_NEEDS_VALUE;
}

Staged *staged_new (const StagedModel *what) {
  Staged *staged = g_new0 (Staged, 1);
  staged->arena = rsp_arena_new ();
  staged->staging
      = rsp_model_stage (what->model, what->base, what->options, staged->arena, what->diagnostics);
  if (!staged->staging)
    staged->state = STAGED_FAILED;
  else if (staged->staging->needs_execution)
    staged->state = want (staged);
  else
    make_codes (staged);
  return staged;
}

void staged_free (Staged *staged) {
  if (!staged)
    return;
  for (guint i = 0; staged->codes && i < staged->staging->n_models; i++)
    code_free (staged->codes[i]);
  g_free (staged->codes);
  code_free (staged->needed);
  if (staged->after)
    g_ptr_array_unref (staged->after);
  rsp_staging_clear (staged->staging);
  rsp_arena_free (staged->arena);
  g_free (staged);
}

/* ---- The tree ---- */

static RspMatrix *matrix_of (RspArena *arena, guint n, gboolean is_set, Grid value) {
  RspMatrix *matrix = is_set ? rsp_set_new (arena, n) : rsp_relation_new (arena, n);
  if (is_set)
    matrix->bits[0] = value;
  else
    for (guint a = 0; a < n; a++)
      rsp_matrix_row (matrix, a)[0] = grid_row (value, a);
  return matrix;
}

/* The base assumes what leads to `from`, and after it the value. */
static Staged *staged_after (Staged *from, const StagedModel *what, RspMatrix **assumed,
                             Grid value) {
  RspBase *base = what->base;
  Staged *next = NULL;
  for (guint i = 0; i < from->after->len && !next; i++)
    if (((Staged *) from->after->pdata[i])->value == value)
      next = from->after->pdata[i];
  if (next) {
    assumed[base->n_assumed++] = next->matrix;
    return next;
  }
  const RspStagedModel *needed = from->staging->needed;
  gboolean is_set = rsp_dag_node (needed->dag, needed->axioms[0].node)->is_set;
  RspMatrix *matrix = matrix_of (from->arena, base->n, is_set, value);
  assumed[base->n_assumed++] = matrix;
  next = staged_new (what);
  next->value = value;
  next->matrix = matrix;
  g_ptr_array_add (from->after, next);
  return next;
}

Staged *staged_under (Staged *root, const StagedModel *what, const RspLabelling *labelling) {
  RspMatrix *assumed[MOST_ASSUMED];
  Staged *at = root;
  what->base->assumed = assumed;
  while (at && at->state == STAGED_NEEDS_VALUE) {
    Grid value;
    code_set_labels (at->needed, labelling);
    if (what->base->n_assumed == MOST_ASSUMED)
      at->state = STAGED_STUCK;
    else if (code_value (at->needed, 0, &value))
      at = staged_after (at, what, assumed, value);
    else
      at = NULL;
  }
  what->base->assumed = NULL;
  what->base->n_assumed = 0;
  return at;
}

static guint count (const Staged *staged) {
  guint n = 1;
  for (guint i = 0; staged->after && i < staged->after->len; i++)
    n += count (staged->after->pdata[i]);
  return n;
}

void staged_trim (Staged *root) {
  if (root->after && count (root) > MOST_KEPT)
    g_ptr_array_set_size (root->after, 0);
}
