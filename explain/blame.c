/* Why there is no execution with an outcome: the axioms to blame, and candidates to look at. */
#include "base/base.h"
#include "explain/explain.h"
#include "explain/internal.h"
#include "model/model.h"
#include "parser/program.h"

#include <string.h>

/* ---- Survey --------------------------------------------------------------------------------- */

enum {
  SURVEY_MAX_STEPS = 4000 /* of the search: some candidates are hard to find */
};

static SurveyGroup *survey_obtain_group (Survey *survey, const RspExecution *execution) {
  for (guint i = 0; i < survey->groups->len; i++) {
    SurveyGroup *group = survey->groups->pdata[i];
    if (g_strv_equal ((const char *const *) group->failed, (const char *const *) execution->failed))
      return group;
  }
  SurveyGroup *group = g_new0 (SurveyGroup, 1);
  g_ptr_array_add (survey->groups, group);
  return group;
}

static gboolean survey_add_execution (gpointer data, const RspExecution *execution) {
  Survey *survey = data;
  if (survey->seen++ == survey->limit)
    return FALSE;
  SurveyGroup *group = survey_obtain_group (survey, execution);
  if (!group->least || execution->n_derived < group->least->n_derived) {
    group->least = rsp_execution_copy (execution, survey->arena);
    group->failed = group->least->failed;
  }
  group->n++;
  return TRUE;
}

Survey *survey_new (Explaining *explaining, const RspQuestion *question, guint64 limit) {
  Survey *survey = g_new0 (Survey, 1);
  survey->groups = g_ptr_array_new_with_free_func (g_free);
  survey->limit = limit;
  survey->arena = explaining->scratch;
  RspQuestion bounded = *question;
  bounded.max_steps = SURVEY_MAX_STEPS;
  survey->complete = rsp_query_each (explaining->query, &bounded, survey_add_execution, survey);
  return survey;
}

void survey_free (Survey *survey) {
  g_ptr_array_unref (survey->groups);
  g_free (survey);
}

/* ---- Show ----------------------------------------------------------------------------------- */

typedef struct Showing {
  Explaining *explaining;
  RspcheckShow show;
  guint most;
  GPtrArray *views;
} Showing;

static gboolean show_execution (gpointer data, const RspExecution *execution) {
  Showing *showing = data;
  Scene scene;
  if (showing->show == RSPCHECK_SHOW_FLAG && !execution->raised[0])
    return TRUE;
  const RspExecution *own = rsp_execution_copy (execution, showing->explaining->scratch);
  if (!scene_open (&scene, showing->explaining, own))
    return FALSE;
  g_ptr_array_add (showing->views, (gpointer) scene_close (&scene, showing->explaining));
  return showing->views->len < showing->most;
}

static gboolean is_negated (RspcheckShow show, RspQuantifier quantifier) {
  return show == RSPCHECK_SHOW_NEG || (show == RSPCHECK_SHOW_WIT && quantifier == RSP_FORALL)
         || (show == RSPCHECK_SHOW_COND && quantifier == RSP_NOT_EXISTS);
}

void rsp_show (const RspProgram *program, const RspModel *model, const RspCheckOptions *options,
               RspcheckShow show, guint most, RspArena *arena, GPtrArray *views,
               RspDiagnostics *diagnostics) {
  if (show == RSPCHECK_SHOW_NONE || most == 0)
    return;
  Explaining explaining = explaining_open (rsp_query_new (program, model, options), model, options,
                                           arena, diagnostics);
  Showing showing = { .explaining = &explaining, .show = show, .most = most, .views = views };
  RspProp negation = { .kind = RSP_PROP_NOT, .a = program->condition };
  RspQuestion question
      = { .outcome = is_negated (show, program->quantifier) ? &negation : program->condition };
  if (show == RSPCHECK_SHOW_ALL || show == RSPCHECK_SHOW_FLAG)
    question.outcome = NULL;
  rsp_query_each (explaining.query, &question, show_execution, &showing);
  explaining_close (&explaining);
}

/* ---- Candidates ----------------------------------------------------------------------------- */

enum {
  MAX_SEEN = 2000,             /* limit of candidates in each of two searches */
  CANDIDATES_MAX_STEPS = 8000, /* limit of each */
  MAX_KEPT = 100               /* limit of candidates to look at in total */
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

static Group *candidates_obtain_group (Gathering *gathering, const RspExecution *execution) {
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

static gboolean candidates_add_execution (gpointer data, const RspExecution *execution) {
  Gathering *gathering = data;
  if (gathering->n++ == MAX_SEEN)
    return FALSE;
  if (gathering->accepted && !execution->failed[0])
    return TRUE;
  Group *group = candidates_obtain_group (gathering, execution);
  group->group.n++;
  if (group->kept->len < gathering->most)
    g_ptr_array_add (group->kept, rsp_execution_copy (execution, gathering->explaining->scratch));
  return TRUE;
}

/* First the candidates that the model accepts, which the search finds fast; then all. */
static gboolean gather (Gathering *gathering) {
  RspQuestion question = { .max_steps = CANDIDATES_MAX_STEPS };
  RspQuery *query = gathering->explaining->query;
  gboolean complete = rsp_query_each (query, &question, candidates_add_execution, gathering);
  gathering->accepted = TRUE;
  gathering->n = 0;
  question.any_others = TRUE;
  return rsp_query_each (query, &question, candidates_add_execution, gathering) && complete;
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

/* ---- Unreachable ---------------------------------------------------------------------------- */

enum {
  MAX_CANDIDATES = 500,        /* combinations in which values are searched for */
  UNREACHABLE_MAX_STEPS = 4000 /* of the search for them */
};

/* ---- Conjuncts ---- */
static void collect_conjuncts (const RspProp *prop, GPtrArray *conjuncts) {
  if (prop->kind == RSP_PROP_AND) {
    collect_conjuncts (prop->a, conjuncts);
    collect_conjuncts (prop->b, conjuncts);
  } else
    g_ptr_array_add (conjuncts, (gpointer) prop);
}

static const RspProp *conjunction (RspArena *arena, const GPtrArray *conjuncts) {
  RspProp *all = NULL;
  for (guint i = 0; i < conjuncts->len; i++) {
    RspProp *both = rsp_arena_new0 (arena, RspProp, 1);
    *both = (RspProp){ .kind = RSP_PROP_AND, .a = all, .b = conjuncts->pdata[i] };
    all = all ? both : conjuncts->pdata[i];
  }
  return all;
}

static gboolean is_reachable (Explaining *explaining, const RspProp *outcome) {
  RspQuestion question = { .outcome = outcome, .any_others = TRUE };
  return rsp_query_find (explaining->query, &question, explaining->scratch, NULL) != NULL;
}

/* Keeps only conjuncts that are all needed for the contradiction. */
static void unreachable_shrink (Explaining *explaining, GPtrArray *conjuncts) {
  for (guint i = conjuncts->len; i-- > 0 && conjuncts->len > 1;) {
    gpointer conjunct = conjuncts->pdata[i];
    g_ptr_array_remove_index (conjuncts, i);
    if (is_reachable (explaining, conjunction (explaining->scratch, conjuncts)))
      g_ptr_array_insert (conjuncts, (gint) i, conjunct);
  }
}

/* ---- Values ---- */
typedef struct Values {
  const RspProgram *program;
  guint observable;
  GPtrArray *texts; /* of char *, each once, in order of appearance */
  guint n;
  gboolean complete;
} Values;

static gboolean note_value (gpointer data, const RspExecution *execution) {
  Values *values = data;
  g_autoptr (GString) text = g_string_new (NULL);
  const RspType *type
      = rsp_observable_type (values->program, &values->program->observables[values->observable]);
  rsp_value_format (values->program, type, execution->state[values->observable], text);
  if (!g_ptr_array_find_with_equal_func (values->texts, text->str, g_str_equal, NULL))
    g_ptr_array_add (values->texts, g_strdup (text->str));
  values->complete = ++values->n < MAX_CANDIDATES;
  return values->complete;
}

/* "1:r0 is 0 or 1 at the end of every execution". */
static void explain_values (Explaining *explaining, guint observable, GString *out) {
  const RspProgram *program = rsp_query_program (explaining->query);
  Values values = { .program = program,
                    .observable = observable,
                    .texts = g_ptr_array_new_with_free_func (g_free),
                    .complete = TRUE };
  RspQuestion question = { .any_others = TRUE };
  question.max_steps = UNREACHABLE_MAX_STEPS;
  values.complete &= rsp_query_each (explaining->query, &question, note_value, &values);
  if (values.complete && values.texts->len) {
    g_string_append_printf (out, "; whatever the model says, %s ends up as ",
                            program->observables[observable].name);
    for (guint i = 0; i < values.texts->len; i++)
      g_string_append_printf (out, "%s%s",
                              i == 0                       ? ""
                              : i + 1 == values.texts->len ? " or "
                                                           : ", ",
                              (const char *) values.texts->pdata[i]);
  }
  g_ptr_array_unref (values.texts);
}

/* The location from which a register is read on the paths of some combination; NULL if it is
 * computed otherwise. */
static const char *read_location (Explaining *explaining, const RspObservable *observable) {
  for (guint i = 0; observable->is_register && i < rsp_query_n_parts (explaining->query); i++) {
    const RspQueryPart *part = rsp_query_part (explaining->query, i);
    const RspTerm *term
        = part ? part->pre->paths[observable->thread]->finals[observable->reg] : NULL;
    if (!term || term->kind != RSP_TERM_READ)
      continue;
    const RspEvent *event = &part->pre->paths[observable->thread]->events[term->event];
    return part->pre->program->locations[event->location].name;
  }
  return NULL;
}

/* ---- Sentences ---- */
static const RspOperand *observed (const RspProp *prop, const RspOperand **other) {
  gboolean left = prop->left.is_observable;
  *other = left ? &prop->right : &prop->left;
  return left ? &prop->left : prop->right.is_observable ? &prop->right : NULL;
}

static void explain_atom (Explaining *explaining, const RspProp *prop, GString *out) {
  const RspProgram *program = rsp_query_program (explaining->query);
  const RspOperand *other, *one = observed (prop, &other);
  if (!one || other->is_observable) {
    g_string_append (out, "no execution of the program makes this true");
    return;
  }
  const RspObservable *observable = &program->observables[one->observable];
  const char *location = read_location (explaining, observable);
  if (prop->op != RSP_OP_EQ)
    g_string_append_printf (out, "%s is %s in every execution", observable->name, other->text);
  else if (location)
    g_string_append_printf (out, "%s cannot be %s: no write of %s to %s can be read on any path",
                            observable->name, other->text, other->text, location);
  else
    g_string_append_printf (out, "%s cannot be %s", observable->name, other->text);
  if (prop->op == RSP_OP_EQ)
    explain_values (explaining, one->observable, out);
}

static const char *explain_conjunct (Explaining *explaining, const RspProp *prop) {
  g_autoptr (GString) text = g_string_new (NULL);
  if (prop->kind == RSP_PROP_ATOM)
    explain_atom (explaining, prop, text);
  else
    g_string_append (text, "no execution of the program makes this true: ");
  if (prop->kind != RSP_PROP_ATOM)
    rsp_prop_format (prop, text);
  return rsp_arena_strdup (explaining->arena, text->str);
}

static const char *explain_contradiction (Explaining *explaining, const GPtrArray *conjuncts) {
  g_autoptr (GString) text = g_string_new ("each of these can happen, but never together: ");
  for (guint i = 0; i < conjuncts->len; i++) {
    g_string_append (text, i ? ", " : "");
    rsp_prop_format (conjuncts->pdata[i], text);
  }
  return rsp_arena_strdup (explaining->arena, text->str);
}

/* Do threads wait at barriers for ever on all paths? */
static gboolean all_wait (Explaining *explaining) {
  guint n = rsp_query_n_parts (explaining->query);
  for (guint i = 0; i < n; i++) {
    const RspQueryPart *part = rsp_query_part (explaining->query, i);
    if (!part || !part->pre->base->blocked)
      return FALSE;
  }
  return n > 0;
}

const char **unreachable_reasons (Explaining *explaining, const RspProp *outcome) {
  g_autoptr (GPtrArray) conjuncts = g_ptr_array_new (), reasons = g_ptr_array_new ();
  if (all_wait (explaining))
    g_ptr_array_add (reasons,
                     (gpointer) "no execution ends: on all paths, threads wait at barriers "
                                "for ever");
  else
    collect_conjuncts (outcome, conjuncts);
  for (guint i = 0; i < conjuncts->len; i++)
    if (!is_reachable (explaining, conjuncts->pdata[i]))
      g_ptr_array_add (reasons, (gpointer) explain_conjunct (explaining, conjuncts->pdata[i]));
  if (!reasons->len) {
    unreachable_shrink (explaining, conjuncts);
    g_ptr_array_add (reasons, (gpointer) explain_contradiction (explaining, conjuncts));
  }
  g_ptr_array_add (reasons, NULL);
  return rsp_arena_copy (explaining->arena, reasons->pdata, reasons->len * sizeof (gpointer));
}

/* ---- Blame ---------------------------------------------------------------------------------- */

/* An outcome is allowed without the axioms S iff some candidate fails only axioms of S. So if all
 * candidates are known, the minimal sets are the minimal ones among the sets of failed axioms. If
 * there are too many, the sets are found one by one: they are the minimal correction sets of the
 * axioms, and each minimal hitting set of those found either shows a new one or proves that there
 * is no other (Liffiton, Sakallah, "Algorithms for computing minimal unsatisfiable subsets of
 * constraints", 2008, section 4; Reiter, "A theory of diagnosis from first principles", 1987). */

enum {
  MAX_SIZE = 3,            /* of sets that are given, unless all are larger */
  MAX_QUESTIONS = 300,     /* queries to find them */
  BLAME_MAX_STEPS = 1000,  /* steps of the search for an answer to one */
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
  return query (
      search,
      (RspQuestion){ .dropped = (const char *const *) dropped, .max_steps = BLAME_MAX_STEPS },
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
static BlameSet *blame_shrink (Search *search, const RspExecution *execution) {
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
    const RspExecution *found = query_requiring (search, hitting, BLAME_MAX_STEPS, &given_up);
    search->given_up |= given_up;
    BlameSet *next = found ? blame_shrink (search, found) : NULL;
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
