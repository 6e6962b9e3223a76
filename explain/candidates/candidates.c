#include "explain/candidates/candidates.h"

#include "explain/flags.h"
#include "explain/view.h"

#include <string.h>

enum {
  MAX_SEEN = 2000,  /* limit of candidates in each of two searches */
  MAX_STEPS = 8000, /* limit of each */
  MAX_KEPT = 100    /* limit of candidates to look at in total */
};

/* A group while it grows. */
typedef struct Group {
  RspCandidateGroup group;
  GPtrArray *kept; /* of RspExecution */
  guint chosen;    /* number of them to look at */
  guint state;     /* a number, in order of appearance */
} Group;

typedef struct Gathering {
  Explaining *explaining;
  guint most;
  gboolean accepted;  /* have the accepted ones been seen before? */
  guint n;            /* seen in this search */
  GPtrArray *groups;  /* of Group, in order of appearance */
  GHashTable *known;  /* "state\nfailed…" → Group */
  GHashTable *states; /* state → its number + 1 */
} Gathering;

/* ---- Groups ---- */

static void free_group (gpointer data) {
  Group *group = data;
  g_ptr_array_unref (group->kept);
  g_free (group);
}

/* "1:r0=1; x=2;", as in the log. */
static char *state_text (const RspExecution *execution, RspArena *scratch) {
  GString *text = g_string_new (NULL);
  for (const char **state = view_state (execution, scratch); *state; state += 2)
    g_string_append_printf (text, "%s%s=%s;", text->len ? " " : "", state[0], state[1]);
  return g_string_free (text, FALSE);
}

static Group *new_group (Gathering *gathering, const char *state, const RspExecution *execution) {
  RspArena *arena = gathering->explaining->arena;
  Group *group = g_new0 (Group, 1);
  guint n = g_strv_length ((char **) execution->failed);
  const char **failed = rsp_arena_new0 (arena, const char *, n + 1);
  state = rsp_arena_strdup (arena, state);
  for (guint i = 0; i < n; i++)
    failed[i] = rsp_arena_strdup (arena, execution->failed[i]);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (gathering->states, state));
  if (!number) {
    number = g_hash_table_size (gathering->states) + 1;
    g_hash_table_insert (gathering->states, (gpointer) state, GUINT_TO_POINTER (number));
  }
  group->group = (RspCandidateGroup){ .state = state, .failed = failed };
  group->state = number;
  group->kept = g_ptr_array_new ();
  g_ptr_array_add (gathering->groups, group);
  return group;
}

static Group *obtain_group (Gathering *gathering, const RspExecution *execution) {
  g_autofree char *state = state_text (execution, gathering->explaining->scratch);
  g_autofree char *failed = g_strjoinv ("\n", (char **) execution->failed);
  char *key = g_strdup_printf ("%s\n%s", state, failed);
  Group *group = g_hash_table_lookup (gathering->known, key);
  if (group) {
    g_free (key);
    return group;
  }
  group = new_group (gathering, state, execution);
  g_hash_table_insert (gathering->known, key, group);
  return group;
}

static gboolean add_execution (gpointer data, const RspExecution *execution) {
  Gathering *gathering = data;
  if (gathering->n++ == MAX_SEEN)
    return FALSE;
  if (gathering->accepted && !execution->failed[0])
    return TRUE;
  Group *group = obtain_group (gathering, execution);
  group->group.n++;
  if (group->kept->len < gathering->most)
    g_ptr_array_add (group->kept, rsp_execution_copy (execution, gathering->explaining->scratch));
  return TRUE;
}

/* First the candidates that the model accepts, which the search finds fast; then all. */
static gboolean gather (Gathering *gathering) {
  RspQuestion question = { .max_steps = MAX_STEPS };
  RspQuery *query = gathering->explaining->query;
  gboolean complete = rsp_query_each (query, &question, add_execution, gathering);
  gathering->accepted = TRUE;
  gathering->n = 0;
  question.any_others = TRUE;
  return rsp_query_each (query, &question, add_execution, gathering) && complete;
}

/* ---- Those to look at ---- */

static int compare_groups (gconstpointer x, gconstpointer y) {
  const Group *a = *(const Group *const *) x, *b = *(const Group *const *) y;
  guint m = g_strv_length ((char **) a->group.failed);
  guint n = g_strv_length ((char **) b->group.failed);
  if (a->state != b->state)
    return a->state < b->state ? -1 : 1;
  if (m != n)
    return m < n ? -1 : 1;
  for (guint i = 0; i < n; i++)
    if (strcmp (a->group.failed[i], b->group.failed[i]) != 0)
      return strcmp (a->group.failed[i], b->group.failed[i]);
  return 0;
}

static int compare_executions (gconstpointer x, gconstpointer y) {
  const RspExecution *a = *(const RspExecution *const *) x, *b = *(const RspExecution *const *) y;
  return a->n_derived < b->n_derived ? -1 : a->n_derived > b->n_derived;
}

/* The groups first … end - 1, all with the same state, take turns in giving a candidate. */
static void choose_of_state (GPtrArray *groups, guint first, guint end, guint most, guint *left) {
  gboolean any = TRUE;
  for (guint chosen = 0; any && chosen < most;) {
    any = FALSE;
    for (guint i = first; i < end && chosen < most && *left; i++) {
      Group *group = groups->pdata[i];
      if (group->chosen == group->kept->len)
        continue;
      group->chosen++;
      chosen++;
      --*left;
      any = TRUE;
    }
  }
}

static void choose (GPtrArray *groups, guint most) {
  guint left = MAX_KEPT;
  for (guint first = 0, end; first < groups->len; first = end) {
    for (end = first + 1; end < groups->len; end++)
      if (((Group *) groups->pdata[end])->state != ((Group *) groups->pdata[first])->state)
        break;
    choose_of_state (groups, first, end, most, &left);
  }
}

/* ---- Why ---- */

static const char **axiom_names (const RspTrace *trace, RspArena *arena) {
  const char **names = rsp_arena_new0 (arena, const char *, trace->n_axioms + 1);
  guint n = 0;
  for (guint i = 0; i < trace->n_axioms; i++)
    if (trace->axioms[i].role == RSPCHECK_ROLE_AXIOM
        && !g_strv_contains (names, trace->axioms[i].id))
      names[n++] = rsp_arena_strdup (arena, trace->axioms[i].id);
  return names;
}

static void add_violations (Scene *scene, Explaining *explaining, RspCandidateView *candidate) {
  const RspTrace *trace = scene->trace;
  RspViolation *violations = rsp_arena_new0 (explaining->arena, RspViolation, trace->n_axioms);
  for (guint i = 0; i < trace->n_axioms; i++)
    if (trace->axioms[i].role == RSPCHECK_ROLE_AXIOM && !trace->axioms[i].holds)
      violations[candidate->n_violations++]
          = scene_violation (scene, explaining, &trace->axioms[i]);
  candidate->violations = violations;
}

static void add_flags (Scene *scene, Explaining *explaining, RspCandidateView *candidate) {
  const char **raised = scene->execution->raised;
  guint n = g_strv_length ((char **) raised);
  RspFlagReason *flags = rsp_arena_new0 (explaining->arena, RspFlagReason, n);
  for (guint i = 0; i < n; i++)
    if (reason_of_flag (scene, explaining, raised[i], &flags[candidate->n_flags]))
      candidate->n_flags++;
  candidate->flags = flags;
}

/* FALSE if the budget is exhausted. */
static gboolean look_at (Explaining *explaining, RspCandidateViews *all,
                         const RspExecution *execution, RspCandidateView *candidate) {
  Scene scene;
  if (!scene_open (&scene, explaining, execution))
    return FALSE;
  if (!all->axioms)
    all->axioms = axiom_names (scene.trace, explaining->arena);
  add_violations (&scene, explaining, candidate);
  add_flags (&scene, explaining, candidate);
  candidate->execution = scene_close (&scene, explaining);
  return TRUE;
}

static void look_at_group (Explaining *explaining, RspCandidateViews *all, const Group *group,
                           RspCandidateGroup *out) {
  RspCandidateView *candidates
      = rsp_arena_new0 (explaining->arena, RspCandidateView, group->chosen);
  *out = group->group;
  g_ptr_array_sort (group->kept, compare_executions);
  for (guint i = 0; i < group->chosen; i++)
    if (look_at (explaining, all, group->kept->pdata[i], &candidates[out->n_candidates]))
      out->n_candidates++;
  out->candidates = candidates;
}

/* ---- The whole ---- */

static RspCandidateViews *find (Explaining *explaining, guint most) {
  RspArena *arena = explaining->arena;
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func (free_group);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) states = g_hash_table_new (g_str_hash, g_str_equal);
  Gathering gathering = { explaining, most, FALSE, 0, groups, known, states };
  RspCandidateViews *all = rsp_arena_new0 (arena, RspCandidateViews, 1);
  all->complete = gather (&gathering);
  g_ptr_array_sort (groups, compare_groups);
  choose (groups, most);
  all->groups = rsp_arena_new0 (arena, RspCandidateGroup, groups->len);
  for (guint i = 0; i < groups->len; i++)
    look_at_group (explaining, all, groups->pdata[i], &all->groups[all->n_groups++]);
  return all->axioms ? all : NULL;
}

RspCandidateViews *rsp_candidates_find (const RspProgram *program, const RspModel *model,
                                        const RspCheckOptions *options, guint most, RspArena *arena,
                                        RspDiagnostics *diagnostics) {
  Explaining explaining = explaining_open (rsp_query_new (program, model, options), model, options,
                                           arena, diagnostics);
  RspCandidateViews *all = most ? find (&explaining, most) : NULL;
  explaining_close (&explaining);
  return all;
}
