/* Are there values, each in the set of its read, that meet all conditions of a path? A depth-first
 * search over the reads that conditions relate to each other; reads that may return anything, and
 * the conditions on them, are left out. Past a limit of steps the answer is yes. */
#include "enumerator/path_feasible.h"

typedef struct Search
{
  RspFeasibility *f;
  const RspPathFacts *facts;
  gboolean *known; /* per event */
  guint n_tries;
} Search;

/* Can the read's value be chosen from a list? */
static gboolean
is_listed (const RspReadFacts *read)
{
  return !read->set.any && !read->set.unknown;
}

/* Does a condition relate the read to others, all of them listed? */
static gboolean
is_related (const RspPathFacts *facts, guint read)
{
  for (guint i = 0; i < facts->n_conditions; i++)
    {
      const RspConditionFacts *condition = &facts->conditions[i];
      gboolean mentions = FALSE, listed = TRUE;
      for (guint j = 0; j < condition->n_reads; j++)
        {
          mentions |= condition->reads[j] == read;
          listed &= is_listed (&facts->reads[condition->reads[j]]);
        }
      if (condition->n_reads > 1 && mentions && listed)
        return TRUE;
    }
  return FALSE;
}

/* No condition is certainly failed by the values known. */
static gboolean
is_consistent (const Search *search, guint read)
{
  const RspPathFacts *facts = search->facts;
  for (guint i = 0; i < facts->n_conditions; i++)
    {
      const RspConditionFacts *condition = &facts->conditions[i];
      gboolean mentions = FALSE;
      for (guint j = 0; j < condition->n_reads; j++)
        mentions |= condition->reads[j] == read;
      RspValue value;
      if (!mentions || condition->n_reads < 2)
        continue;
      RspTermOutcome outcome = rsp_term_evaluate_outcome (condition->term, search->f->values,
                                                          search->known, FALSE, &value);
      if (outcome == RSP_TERM_UNDEFINED || (outcome == RSP_TERM_DETERMINED && !value.bits))
        return FALSE;
    }
  return TRUE;
}

static gboolean
assign (Search *search, guint read)
{
  const RspPathFacts *facts = search->facts;
  while (read < facts->n_reads && (!is_listed (&facts->reads[read]) || !is_related (facts, read)))
    read++;
  if (read == facts->n_reads || ++search->n_tries > RSP_MAX_TRIES)
    return TRUE;
  const RspReadFacts *this = &facts->reads[read];
  gboolean found = FALSE;
  search->known[this->event] = TRUE;
  for (guint i = 0; i < this->set.n && !found; i++)
    {
      search->f->values[this->event] = (RspValue){ .bits = this->set.values[i] };
      found = is_consistent (search, read) && assign (search, read + 1);
    }
  search->known[this->event] = FALSE;
  return found;
}

gboolean
rsp_feasibility_is_satisfiable (RspFeasibility *f, RspPathFacts *facts)
{
  for (guint i = 0; i < facts->n_reads; i++)
    {
      const RspValueSet *set = &facts->reads[i].set;
      if (!set->n && !set->any && !set->unknown)
        return FALSE;
    }
  Search search = { .f = f, .facts = facts, .known = f->known };
  return assign (&search, 0);
}
