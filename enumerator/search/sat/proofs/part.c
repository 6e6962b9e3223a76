#include "enumerator/search/sat/proofs/part.h"
#include "enumerator/event.h"

/* ---- Choices ---- */

static gboolean is_removable_write (const SatPart *part, guint event) {
  return rsp_set_has (part->removable, event)
         && rsp_event_is_write (part->whole->pre->events[event]);
}

/* to |= from, for pairs that end in x by way of at most one more removed read-modify-write than
 * `from` has. */
static void prolong (const SatPart *part, const Lit *from, Lit *to, guint x) {
  Circuit *circuit = part->whole->circuit;
  guint n = part->whole->pre->n;
  for (guint by = 0; by < n; by++) {
    Lit step = sat_choices_rf (part->whole_choices, by, x);
    if (step == LIT_FALSE || !is_removable_write (part, by))
      continue;
    step = circuit_and (circuit, step, lit_not (part->kept[by]));
    for (guint w = 0; w < n; w++)
      if (w != x && from[w * n + by] != LIT_FALSE)
        to[w * n + x]
            = circuit_or (circuit, to[w * n + x], circuit_and (circuit, from[w * n + by], step));
  }
}

/* n × n: what events read from, by way of removed read-modify-writes too. */
static Lit *find_sources (const SatPart *part) {
  guint n = part->whole->pre->n, n_removable = 0;
  gsize size = sizeof (Lit) * n * n;
  Lit *sources = rsp_arena_copy (part->whole->arena, part->whole_choices->rf, size);
  for (guint e = 0; e < n; e++)
    n_removable += is_removable_write (part, e);
  for (guint i = 0; i < n_removable && rsp_arena_affords (part->whole->arena, size); i++) {
    Lit *longer = rsp_arena_copy (part->whole->arena, part->whole_choices->rf, size);
    for (guint x = 0; x < n; x++)
      prolong (part, sources, longer, x);
    sources = longer;
  }
  return sources;
}

/* co and the model's orders are the same on what is left. */
static void find_choices (SatPart *part) {
  guint n = part->whole->pre->n;
  part->choices
      = rsp_arena_copy (part->whole->arena, part->whole_choices, sizeof *part->whole_choices);
  part->choices->fold = part->fold;
  part->choices->rf = find_sources (part);
  for (guint w = 0; w < n; w++)
    for (guint r = 0; r < n; r++) {
      Lit *rf = &part->choices->rf[w * n + r];
      if (*rf != LIT_FALSE)
        *rf = circuit_and_all (part->whole->circuit, (Lit[]){ *rf, part->kept[w], part->kept[r] },
                               3);
    }
}

SatPart *sat_part_new (const SatRelations *whole, const RspStagedModel *model, const Lit *kept) {
  SatPart *part = rsp_arena_new0 (whole->fold->arena, SatPart, 1);
  *part = (SatPart){ .whole = whole->fold, .whole_choices = whole->choices, .kept = kept };
  part->removable = rsp_set_new (whole->fold->arena, whole->n);
  for (guint e = 0; e < whole->n; e++)
    if (kept[e] != LIT_TRUE)
      rsp_set_add (part->removable, e);
  part->fold = sat_fold_part (whole->fold, kept);
  find_choices (part);
  part->relations = rsp_sat_relations_new (part->fold, part->choices, model);
  return part;
}

gboolean sat_part_may_concern (const SatPart *part, RspNodeId node, guint event) {
  const RspMatrix *may = part->relations->may[node];
  if (rsp_dag_node (part->relations->dag, node)->is_set)
    return rsp_set_has (may, event);
  for (guint other = 0; other < part->whole->pre->n; other++)
    if (rsp_matrix_get (may, event, other) || rsp_matrix_get (may, other, event))
      return TRUE;
  return FALSE;
}

/* ---- Does it end like the whole? ---- */

static Lit is_last (const SatChoices *choices, guint write) {
  Circuit *circuit = choices->fold->circuit;
  Lit last = choices->fold->exists[write];
  for (guint other = 0; other < choices->fold->pre->n; other++)
    last = circuit_and (circuit, last,
                        lit_not (sat_choices_ordered (choices, &choices->co, write, other)));
  return last;
}

/* Something that is left follows the write in coherence. */
static Lit is_followed (const SatPart *part, guint write) {
  Circuit *circuit = part->whole->circuit;
  Lit followed = LIT_FALSE;
  for (guint e = 0; e < part->whole->pre->n; e++)
    followed = circuit_or (circuit, followed,
                           circuit_and (circuit, part->fold->exists[e],
                                        sat_choices_ordered (part->whole_choices,
                                                             &part->whole_choices->co, write, e)));
  return followed;
}

/* A write that is removed is the last one, and its source, which is left, is not the last that is
 * left. */
static Lit ends_otherwise (const SatPart *part, const Lit *sources, guint removed) {
  Circuit *circuit = part->whole->circuit;
  guint n = part->whole->pre->n;
  Lit last = circuit_and (circuit, is_last (part->whole_choices, removed),
                          lit_not (part->kept[removed]));
  Lit left = LIT_FALSE, followed = LIT_FALSE;
  for (guint w = 0; w < n; w++) {
    Lit source = circuit_and (circuit, sources[w * n + removed], part->fold->exists[w]);
    left = circuit_or (circuit, left, source);
    if (source != LIT_FALSE)
      followed
          = circuit_or (circuit, followed, circuit_and (circuit, source, is_followed (part, w)));
  }
  return circuit_and (circuit, last, circuit_or (circuit, lit_not (left), followed));
}

static Lit has_no_source (const SatPart *part, guint read) {
  Circuit *circuit = part->whole->circuit;
  Lit without = part->fold->exists[read];
  for (guint w = 0; w < part->whole->pre->n; w++)
    without = circuit_and (circuit, without, lit_not (sat_choices_rf (part->choices, w, read)));
  return without;
}

Lit sat_part_is_cut (const SatPart *part) {
  const RspPreExecution *pre = part->whole->pre;
  Circuit *circuit = part->whole->circuit;
  const Lit *sources = NULL;
  Lit cut = LIT_FALSE;
  for (guint e = 0; e < pre->first[0]; e++)
    cut = circuit_or (
        circuit, cut,
        circuit_and (circuit, part->whole->exists[e], lit_not (part->fold->exists[e])));
  for (guint e = 0; e < pre->n; e++)
    if (is_removable_write (part, e)) {
      sources = sources ? sources : find_sources (part);
      cut = circuit_or (circuit, cut, ends_otherwise (part, sources, e));
    }
  for (guint i = 0; i < pre->n_reads && sources; i++)
    cut = circuit_or (circuit, cut, has_no_source (part, pre->reads[i]));
  return cut;
}
