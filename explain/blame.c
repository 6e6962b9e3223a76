/* An outcome is allowed without the axioms S iff some candidate fails only axioms of S. So if all
 * candidates are known, the minimal sets are the minimal ones among the sets of failed axioms. If
 * there are too many, the sets are found one by one: they are the minimal correction sets of the
 * axioms, and each minimal hitting set of those found either shows a new one or proves that there
 * is no other (Liffiton, Sakallah, "Algorithms for computing minimal unsatisfiable subsets of
 * constraints", 2008, section 4; Reiter, "A theory of diagnosis from first principles", 1987). */
#include "explain/blame.h"
#include "base/names.h"
#include "model/names.h"

#include <string.h>

enum {
  MAX_SIZE = 3,            /* of sets that are given, unless all are larger */
  MAX_QUESTIONS = 300,     /* queries to find them */
  MAX_STEPS = 1000,        /* steps of the search for an answer to one */
  MAX_GROWING_STEPS = 500, /* the same while a core is grown */
  MAX_SURVEYED = 100       /* candidates from which one is chosen for a set */
};

typedef struct Search {
  Explaining *explaining;
  const RspProp *outcome;
  GPtrArray *sets;   /* of BlameSet: minimal sets found */
  GHashTable *tried; /* hitting sets that were tried, as text */
  guint questions;
  GPtrArray *hopeless; /* of const char **: required axioms under which a search was given up */
  gboolean given_up;   /* did a query have no answer, so that there may be other sets? */
} Search;

/* ---- Sets of names ---- */

static gboolean is_subset (const char *const *a, const char *const *b) {
  for (; *a; a++)
    if (!g_strv_contains (b, *a))
      return FALSE;
  return TRUE;
}

static gboolean is_hit (const char *const *set, const char *const *hitting) {
  for (; *set; set++)
    if (g_strv_contains (hitting, *set))
      return TRUE;
  return FALSE;
}

static const char **without (RspArena *arena, const char *const *names, const char *name) {
  guint n = g_strv_length ((char **) names), kept = 0;
  const char **rest = rsp_arena_new0 (arena, const char *, n + 1);
  for (; *names; names++)
    if (strcmp (*names, name) != 0)
      rest[kept++] = *names;
  return rest;
}

static const char **with (RspArena *arena, const char *const *names, const char *name) {
  guint n = g_strv_length ((char **) names);
  const char **more = rsp_arena_new0 (arena, const char *, n + 2);
  memcpy (more, names, n * sizeof *names);
  more[n] = name;
  return more;
}

/* ---- Few candidates: all sets of failed axioms are known ---- */

static gboolean is_minimal (const Survey *survey, const SurveyGroup *group) {
  for (guint i = 0; i < survey->groups->len; i++) {
    const SurveyGroup *other = survey->groups->pdata[i];
    if (other != group
        && is_subset ((const char *const *) other->failed, (const char *const *) group->failed))
      return FALSE;
  }
  return TRUE;
}

static BlameSet *new_set (const char **axioms, guint64 candidates, const RspExecution *execution) {
  BlameSet *set = g_new0 (BlameSet, 1);
  *set = (BlameSet){ axioms, g_strv_length ((char **) axioms), candidates, execution };
  return set;
}

static void take_minimal (const Survey *survey, GPtrArray *found) {
  for (guint i = 0; i < survey->groups->len; i++) {
    const SurveyGroup *group = survey->groups->pdata[i];
    if (is_minimal (survey, group))
      g_ptr_array_add (found, new_set (group->failed, group->n, group->least));
  }
}

/* ---- Many candidates: one set after the other ---- */

/* A candidate that passes all required axioms or, if not `any_others`, one that fails only dropped
 * ones. *given_up: the answer is not known. */
static const RspExecution *query (Search *search, RspQuestion question, gboolean *given_up) {
  question.outcome = search->outcome;
  const RspExecution *found = rsp_query_find (search->explaining->query, &question,
                                              search->explaining->scratch, given_up);
  *given_up |= ++search->questions > MAX_QUESTIONS;
  return found;
}

static const RspExecution *query_dropping (Search *search, const char **dropped,
                                           gboolean *given_up) {
  return query (search,
                (RspQuestion){ .dropped = (const char *const *) dropped, .max_steps = MAX_STEPS },
                given_up);
}

/* Is the search known to be given up under these axioms, or under more of them, which narrow it? */
static gboolean is_hopeless (const Search *search, const char **required) {
  for (guint i = 0; i < search->hopeless->len; i++)
    if (is_subset ((const char *const *) required, search->hopeless->pdata[i]))
      return TRUE;
  return FALSE;
}

static const RspExecution *query_requiring (Search *search, const char **required, guint steps,
                                            gboolean *given_up) {
  RspQuestion question
      = { .required = (const char *const *) required, .any_others = TRUE, .max_steps = steps };
  *given_up = is_hopeless (search, required);
  if (*given_up)
    return NULL;
  const RspExecution *found = query (search, question, given_up);
  if (*given_up)
    g_ptr_array_add (search->hopeless, required);
  return found;
}

/* The first that is in neither set; NULL if there is none. */
static const char *first_outside (const char *const *names, const char **a, const char **b) {
  while (*names
         && (g_strv_contains ((const char *const *) a, *names)
             || g_strv_contains ((const char *const *) b, *names)))
    names++;
  return *names;
}

/* Drops axioms from those that an execution fails as long as the rest suffices. One that cannot be
 * dropped can never be. Where that is not known of one, others are tried first: the fewer there
 * are, the easier is the search. NULL if it is not known of one in the end. */
static BlameSet *shrink (Search *search, const RspExecution *execution) {
  RspArena *arena = search->explaining->scratch;
  const char **none = rsp_arena_new0 (arena, const char *, 1);
  const char **needed = none, **unknown = none, *name;
  while (search->questions <= MAX_QUESTIONS
         && (name = first_outside ((const char *const *) execution->failed, needed, unknown))) {
    gboolean given_up = FALSE;
    const char **less = without (arena, (const char *const *) execution->failed, name);
    const RspExecution *found = query_dropping (search, less, &given_up);
    if (found) {
      execution = found;
      unknown = none;
    } else if (given_up)
      unknown = with (arena, (const char *const *) unknown, name);
    else
      needed = with (arena, (const char *const *) needed, name);
  }
  gboolean given_up = unknown[0] || search->questions > MAX_QUESTIONS;
  search->given_up |= given_up;
  return given_up ? NULL : new_set (execution->failed, RSP_MANY_CANDIDATES, execution);
}

static const BlameSet *unhit (const Search *search, const char *const *hitting) {
  for (guint i = 0; i < search->sets->len; i++) {
    const BlameSet *set = search->sets->pdata[i];
    if (!is_hit ((const char *const *) set->axioms, hitting))
      return set;
  }
  return NULL;
}

static gboolean is_new (Search *search, const char *const *hitting) {
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (; *hitting; hitting++)
    g_ptr_array_add (names, (gpointer) *hitting);
  g_ptr_array_sort (names, rsp_compare_names);
  g_ptr_array_add (names, NULL);
  return g_hash_table_add (search->tried, g_strjoinv ("\n", (char **) names->pdata));
}

/* Finds every minimal set that is disjoint from `hitting`; so, starting with the empty set, all. */
static void find_unhit_sets (Search *search, const char **hitting) {
  if (search->given_up || !is_new (search, (const char *const *) hitting))
    return;
  const BlameSet *set = unhit (search, (const char *const *) hitting);
  if (!set) {
    gboolean given_up = FALSE;
    const RspExecution *found = query_requiring (search, hitting, MAX_STEPS, &given_up);
    search->given_up |= given_up;
    BlameSet *next = found ? shrink (search, found) : NULL;
    if (!next)
      return;
    g_ptr_array_add (search->sets, next);
    set = next;
  }
  for (guint i = 0; set->axioms[i]; i++)
    find_unhit_sets (
        search, with (search->explaining->scratch, (const char *const *) hitting, set->axioms[i]));
}

/* The number of groups that fail the axiom but none of the core. */
static guint count_unhit (const Survey *survey, const char *const *core, const char *id) {
  guint n = 0;
  for (guint i = 0; i < survey->groups->len; i++) {
    const char *const *failed
        = (const char *const *) ((const SurveyGroup *) survey->groups->pdata[i])->failed;
    n += g_strv_contains (failed, id) && !is_hit (failed, core);
  }
  return n;
}

/* The axiom that most of these groups fail; NULL if there are none. */
static const char *most_failed (const Survey *survey, const char *const *core) {
  const char *best = NULL;
  guint most = 0;
  for (guint i = 0; i < survey->groups->len; i++) {
    const char **failed = ((const SurveyGroup *) survey->groups->pdata[i])->failed;
    for (; *failed; failed++)
      if (count_unhit (survey, core, *failed) > most) {
        most = count_unhit (survey, core, *failed);
        best = *failed;
      }
  }
  return best;
}

static const char **with_all_failed (const Survey *survey, const char **core, RspArena *arena) {
  for (guint i = 0; i < survey->groups->len; i++) {
    const char **failed = ((const SurveyGroup *) survey->groups->pdata[i])->failed;
    for (; *failed; failed++)
      if (!g_strv_contains ((const char *const *) core, *failed))
        core = with (arena, (const char *const *) core, *failed);
  }
  return core;
}

/* Looks for a core: axioms that no candidate satisfies together. Every set of blame has one of
 * them, so queries need not consider others. The core starts small and grows by an axiom that fails
 * where these are satisfied; if that does not narrow the search enough, by all axioms that some
 * group fails. */
static void grow_core (Search *search, const Survey *survey) {
  RspArena *arena = search->explaining->scratch;
  const char **core = rsp_arena_new0 (arena, const char *, 1), *next;
  gboolean all = FALSE, given_up = FALSE;
  while ((next = most_failed (survey, (const char *const *) core)))
    core = with (arena, (const char *const *) core, next);
  for (;;) {
    const RspExecution *found = query_requiring (search, core, MAX_GROWING_STEPS, &given_up);
    if (found && found->failed[0])
      core = with (arena, (const char *const *) core, found->failed[0]);
    else if (given_up && !all)
      core = with_all_failed (survey, core, arena);
    else
      return;
    all |= given_up;
  }
}

/* Single axioms first: with all others required, these searches are the easiest. */
static void find_single (Search *search) {
  g_autoptr (GPtrArray) ids = g_ptr_array_new (), variants = g_ptr_array_new ();
  rsp_model_collect_names (search->explaining->model, ids, variants);
  for (guint i = 0; i < ids->len; i++) {
    const char **only
        = with (search->explaining->scratch, (const char *const[]){ NULL }, ids->pdata[i]);
    gboolean given_up = FALSE;
    const RspExecution *found = query_dropping (search, only, &given_up);
    search->given_up |= given_up;
    if (found)
      g_ptr_array_add (search->sets, new_set (only, RSP_MANY_CANDIDATES, found));
  }
}

/* For a minimal set: counts the candidates that fail exactly these axioms, and chooses the one with
 * the fewest derived edges. If the search gives up before the first, the execution that showed the
 * set stays. */
static void survey_set (Search *search, BlameSet *set) {
  RspQuestion question = { .outcome = search->outcome, .failing = set->axioms };
  Survey *survey = survey_new (search->explaining, &question, MAX_SURVEYED);
  const SurveyGroup *group = survey->groups->len ? survey->groups->pdata[0] : NULL;
  if (group)
    set->execution = group->least;
  if (group && survey->complete)
    set->candidates = survey->seen;
  survey_free (survey);
}

static gboolean find_sets (Explaining *explaining, const RspProp *outcome, const Survey *survey,
                           GPtrArray *found) {
  Search search = { .explaining = explaining,
                    .outcome = outcome,
                    .sets = found,
                    .hopeless = g_ptr_array_new (),
                    .tried = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) };
  grow_core (&search, survey);
  find_single (&search);
  gboolean given_up = search.given_up;
  search.given_up = FALSE;
  find_unhit_sets (&search, rsp_arena_new0 (explaining->scratch, const char *, 1));
  for (guint i = 0; i < found->len; i++)
    survey_set (&search, found->pdata[i]);
  g_hash_table_unref (search.tried);
  g_ptr_array_unref (search.hopeless);
  return !given_up && !search.given_up;
}

/* ---- The whole ---- */

static int compare_sets (gconstpointer x, gconstpointer y) {
  const BlameSet *a = *(const BlameSet *const *) x, *b = *(const BlameSet *const *) y;
  if (a->n != b->n)
    return a->n < b->n ? -1 : 1;
  for (guint i = 0; i < a->n; i++)
    if (strcmp (a->axioms[i], b->axioms[i]) != 0)
      return strcmp (a->axioms[i], b->axioms[i]);
  return 0;
}

/* Sets larger than the limit are left out, unless all are larger. */
static gboolean drop_large (GPtrArray *found) {
  guint most = found->len ? MAX (((BlameSet *) found->pdata[0])->n, MAX_SIZE) : 0;
  gboolean dropped = FALSE;
  for (guint i = found->len; i-- > 0;)
    if (((BlameSet *) found->pdata[i])->n > most) {
      g_ptr_array_remove_index (found, i);
      dropped = TRUE;
    }
  return dropped;
}

GPtrArray *blame_find (Explaining *explaining, const RspProp *outcome, const Survey *survey,
                       gboolean *more) {
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);
  *more = FALSE;
  if (survey->complete)
    take_minimal (survey, found);
  else
    *more = !find_sets (explaining, outcome, survey, found);
  g_ptr_array_sort (found, compare_sets);
  *more |= drop_large (found);
  return found;
}
