/* Are there values, each in the set of its read, that satisfy all conditions of a path? Reads that
 * no condition relates, directly or through others, are independent: each group of related reads is
 * searched on its own, depth first, so that a group without a solution is not tried for every
 * solution of the groups before it. Reads that may return anything, and the conditions on them, are
 * left out. Beyond a limit of steps the answer is yes. */
#include "enumerator/paths/feasible/satisfy.h"
#include "enumerator/terms/evaluate.h"

typedef struct Search {
  RspFeasibility *f;
  const RspPathFacts *facts;
  gboolean *known;    /* per event */
  const guint *reads; /* of the group */
  guint n;
  guint n_tries;
} Search;

/* ---- Groups of reads: they depend on the path alone and are found once ---- */

/* Moves every read of the group `from` to the group `to`. */
static void unite (guint *group, guint n, guint from, guint to) {
  for (guint i = 0; i < n && from != to; i++)
    if (group[i] == from)
      group[i] = to;
}

/* Registers conditions on two or more reads with each read that they mention. */
static void list_conditions (const RspFeasibility *f, RspPathFacts *facts) {
  for (guint i = 0; i < facts->n_conditions; i++)
    for (guint j = 0; facts->conditions[i].n_reads > 1 && j < facts->conditions[i].n_reads; j++)
      facts->reads[facts->conditions[i].reads[j]].n_related++;
  for (guint i = 0; i < facts->n_reads; i++) {
    RspReadFacts *read = &facts->reads[i];
    read->related = rsp_arena_new0 (f->arena, const RspConditionFacts *, read->n_related + 1);
    read->n_related = 0;
  }
  for (guint i = 0; i < facts->n_conditions; i++)
    for (guint j = 0; facts->conditions[i].n_reads > 1 && j < facts->conditions[i].n_reads; j++) {
      RspReadFacts *read = &facts->reads[facts->conditions[i].reads[j]];
      read->related[read->n_related++] = &facts->conditions[i];
    }
}

void feasibility_relate_reads (const RspFeasibility *f, RspPathFacts *facts) {
  guint n = facts->n_reads;
  list_conditions (f, facts);
  guint *group = rsp_arena_new0 (f->arena, guint, n + 1);
  for (guint i = 0; i < n; i++)
    group[i] = i;
  for (guint i = 0; i < facts->n_conditions; i++)
    for (guint j = 1; j < facts->conditions[i].n_reads; j++)
      unite (group, n, group[facts->conditions[i].reads[j]], group[facts->conditions[i].reads[0]]);
  facts->related = rsp_arena_new0 (f->arena, guint, n + 1);
  facts->group_ends = rsp_arena_new0 (f->arena, guint, n + 1);
  guint n_listed = 0;
  for (guint number = 0; number < n; number++) {
    guint before = n_listed;
    for (guint i = 0; i < n; i++)
      if (group[i] == number && facts->reads[i].n_related)
        facts->related[n_listed++] = i;
    if (n_listed > before)
      facts->group_ends[facts->n_groups++] = n_listed;
  }
}

/* ---- The search in one group ---- */

/* Can the read's value be chosen from a list? */
static gboolean is_listed (const RspReadFacts *read) {
  return !read->set.any && !read->set.unknown;
}

/* FALSE if the known values make a condition fail. */
static gboolean is_consistent (const Search *search, const RspReadFacts *read) {
  for (guint i = 0; i < read->n_related; i++) {
    RspValue value;
    RspEvaluation evaluation = { .reads = search->f->values, .known = search->known };
    RspTermOutcome outcome
        = rsp_term_evaluate_outcome (read->related[i]->term, &evaluation, &value);
    if (outcome == RSP_TERM_UNDEFINED || (outcome == RSP_TERM_DETERMINED && !value.bits))
      return FALSE;
  }
  return TRUE;
}

static gboolean assign (Search *search, guint number) {
  const RspReadFacts *reads = search->facts->reads;
  while (number < search->n && !is_listed (&reads[search->reads[number]]))
    number++;
  if (number == search->n || ++search->n_tries > RSP_MAX_TRIES)
    return TRUE;
  const RspReadFacts *this = &reads[search->reads[number]];
  gboolean found = FALSE;
  search->known[this->event] = TRUE;
  for (guint i = 0; i < this->set.n && !found; i++) {
    search->f->values[this->event] = (RspValue){ .bits = this->set.values[i] };
    found = is_consistent (search, this) && assign (search, number + 1);
  }
  search->known[this->event] = FALSE;
  return found;
}

gboolean feasibility_is_satisfiable (RspFeasibility *f, RspPathFacts *facts) {
  for (guint i = 0; i < facts->n_reads; i++) {
    const RspValueSet *set = &facts->reads[i].set;
    if (!set->n && !set->any && !set->unknown)
      return FALSE;
  }
  Search search = { .f = f, .facts = facts, .known = f->known };
  for (guint i = 0, begin = 0; i < facts->n_groups; begin = facts->group_ends[i++]) {
    search.reads = facts->related + begin;
    search.n = facts->group_ends[i] - begin;
    search.n_tries = 0;
    if (!assign (&search, 0))
      return FALSE;
  }
  return TRUE;
}
