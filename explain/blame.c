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

static gboolean count_execution (gpointer data, const RspExecution *execution) {
  Survey *survey = data;
  SurveyGroup *group = NULL;
  if (survey->seen++ == survey->limit)
    return FALSE;
  for (guint i = 0; i < survey->groups->len && !group; i++) {
    SurveyGroup *known = survey->groups->pdata[i];
    if (g_strv_equal ((const char *const *) known->failed, (const char *const *) execution->failed))
      group = known;
  }
  if (!group) {
    group = g_new0 (SurveyGroup, 1);
    g_ptr_array_add (survey->groups, group);
  }
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
  survey->complete = rsp_query_each (explaining->query, &bounded, count_execution, survey);
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

void rsp_show (const RspProgram *program, const RspModel *model, const RspCheckOptions *options,
               RspcheckShow show, guint most, RspArena *arena, GPtrArray *views,
               RspDiagnostics *diagnostics) {
  if (show == RSPCHECK_SHOW_NONE || most == 0)
    return;
  Explaining explaining = explaining_open (rsp_query_new (program, model, options), model, options,
                                           arena, diagnostics);
  Showing showing = { .explaining = &explaining, .show = show, .most = most, .views = views };
  RspProp negation = { .kind = RSP_PROP_NOT, .a = program->condition };
  gboolean any = show == RSPCHECK_SHOW_ALL || show == RSPCHECK_SHOW_FLAG;
  gboolean negated = show == RSPCHECK_SHOW_NEG
                     || (show == RSPCHECK_SHOW_WIT && program->quantifier == RSP_FORALL)
                     || (show == RSPCHECK_SHOW_COND && program->quantifier == RSP_NOT_EXISTS);
  RspQuestion question = { .outcome = any ? NULL : negated ? &negation : program->condition };
  rsp_query_each (explaining.query, &question, show_execution, &showing);
  explaining_warn (&explaining, "not all executions are shown");
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
  gboolean accepted;  /* were the accepted candidates gathered before? */
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

static Group *group_of (Gathering *gathering, const RspExecution *execution) {
  /* "1:r0=1; x=2;", as in the log. */
  GString *text = g_string_new (NULL);
  for (const char **state = view_state (execution, gathering->explaining->scratch); *state;
       state += 2)
    g_string_append_printf (text, "%s%s=%s;", text->len ? " " : "", state[0], state[1]);
  g_autofree char *state = g_string_free (text, FALSE);
  g_autofree char *failed = g_strjoinv ("\n", (char **) execution->failed);
  char *key = g_strdup_printf ("%s\n%s", state, failed);
  Group *group = g_hash_table_lookup (gathering->known, key);
  if (group) {
    g_free (key);
    return group;
  }
  RspArena *arena = gathering->explaining->arena;
  group = g_new0 (Group, 1);
  const char *own = rsp_arena_strdup (arena, state);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (gathering->states, own));
  if (!number) {
    number = g_hash_table_size (gathering->states) + 1;
    g_hash_table_insert (gathering->states, (gpointer) own, GUINT_TO_POINTER (number));
  }
  group->group
      = (RspCandidateGroup){ .state = own, .failed = rsp_names_copy (execution->failed, arena) };
  group->state = number;
  group->kept = g_ptr_array_new ();
  g_ptr_array_add (gathering->groups, group);
  g_hash_table_insert (gathering->known, key, group);
  return group;
}

static gboolean gather_candidate (gpointer data, const RspExecution *execution) {
  Gathering *gathering = data;
  if (gathering->n++ == MAX_SEEN)
    return FALSE;
  if (gathering->accepted && !execution->failed[0])
    return TRUE;
  Group *group = group_of (gathering, execution);
  group->group.n++;
  if (group->kept->len < gathering->most)
    g_ptr_array_add (group->kept, rsp_execution_copy (execution, gathering->explaining->scratch));
  return TRUE;
}

/* ---- Which are shown ---- */
/* By number, then by text. */
static int compare_names (const char *const *a, const char *const *b) {
  guint m = g_strv_length ((char **) a), n = g_strv_length ((char **) b);
  int order = m < n ? -1 : m > n;
  for (guint i = 0; i < n && !order; i++)
    order = strcmp (a[i], b[i]);
  return order;
}

static int compare_groups (gconstpointer x, gconstpointer y) {
  const Group *a = *(const Group *const *) x, *b = *(const Group *const *) y;
  if (a->state != b->state)
    return a->state < b->state ? -1 : 1;
  return compare_names (a->group.failed, b->group.failed);
}

static int compare_executions (gconstpointer x, gconstpointer y) {
  const RspExecution *a = *(const RspExecution *const *) x, *b = *(const RspExecution *const *) y;
  return a->n_derived < b->n_derived ? -1 : a->n_derived > b->n_derived;
}

/* ---- Why ---- */
/* Draws a candidate, with the axioms that it fails and the flags that it raises. FALSE if the
 * budget is exhausted. */
static gboolean look_at (Explaining *explaining, RspCandidateViews *all,
                         const RspExecution *execution, RspCandidateView *candidate) {
  Scene scene;
  if (!scene_open (&scene, explaining, execution))
    return FALSE;
  const RspTrace *trace = scene.trace;
  if (!all->axioms) {
    const char **names = rsp_arena_new0 (explaining->arena, const char *, trace->n_axioms + 1);
    for (guint i = 0, n = 0; i < trace->n_axioms; i++)
      if (trace->axioms[i].role == RSPCHECK_ROLE_AXIOM
          && !g_strv_contains (names, trace->axioms[i].id))
        names[n++] = rsp_arena_strdup (explaining->arena, trace->axioms[i].id);
    all->axioms = names;
  }
  RspViolation *violations = rsp_arena_new0 (explaining->arena, RspViolation, trace->n_axioms);
  for (guint i = 0; i < trace->n_axioms; i++)
    if (trace->axioms[i].role == RSPCHECK_ROLE_AXIOM && !trace->axioms[i].holds)
      violations[candidate->n_violations++]
          = scene_violation (&scene, explaining, &trace->axioms[i]);
  guint n_raised = g_strv_length ((char **) execution->raised);
  RspFlagReason *flags = rsp_arena_new0 (explaining->arena, RspFlagReason, n_raised);
  for (guint i = 0; i < n_raised; i++)
    if (reason_of_flag (&scene, explaining, execution->raised[i], &flags[candidate->n_flags]))
      candidate->n_flags++;
  candidate->violations = violations;
  candidate->flags = flags;
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
static RspCandidateViews *find_candidates (Explaining *explaining, guint most) {
  RspArena *arena = explaining->arena;
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func (free_group);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) states = g_hash_table_new (g_str_hash, g_str_equal);
  Gathering gathering = { explaining, most, FALSE, 0, groups, known, states };
  RspCandidateViews *all = rsp_arena_new0 (arena, RspCandidateViews, 1);
  /* First the candidates that the model accepts, which the search finds fast; then all. */
  RspQuestion question = { .max_steps = CANDIDATES_MAX_STEPS };
  all->complete = rsp_query_each (explaining->query, &question, gather_candidate, &gathering);
  gathering.accepted = TRUE;
  gathering.n = 0;
  question.any_others = TRUE;
  all->complete &= rsp_query_each (explaining->query, &question, gather_candidate, &gathering);
  g_ptr_array_sort (groups, compare_groups);
  guint left = MAX_KEPT;
  for (guint first = 0, end; first < groups->len; first = end) {
    for (end = first + 1; end < groups->len; end++)
      if (((Group *) groups->pdata[end])->state != ((Group *) groups->pdata[first])->state)
        break;
    /* Chooses up to `most` candidates from the groups first … end - 1, which have the same state:
     * one from each group in turn. */
    gboolean any = TRUE;
    for (guint chosen = 0; any && chosen < most;) {
      any = FALSE;
      for (guint i = first; i < end && chosen < most && left; i++) {
        Group *group = groups->pdata[i];
        if (group->chosen == group->kept->len)
          continue;
        group->chosen++;
        chosen++;
        --left;
        any = TRUE;
      }
    }
  }
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
  RspCandidateViews *all = most ? find_candidates (&explaining, most) : NULL;
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

/* The location from which the register is read in some combination of paths; NULL if the register
 * is computed otherwise. */
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
static void explain_atom (Explaining *explaining, const RspProp *prop, GString *out) {
  const RspProgram *program = rsp_query_program (explaining->query);
  const RspOperand *one = prop->left.is_observable ? &prop->left : &prop->right,
                   *other = one == &prop->left ? &prop->right : &prop->left;
  if (!one->is_observable || other->is_observable) {
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
    if (!is_reachable (explaining, conjuncts->pdata[i])) {
      const RspProp *prop = conjuncts->pdata[i];
      g_autoptr (GString) text = g_string_new (NULL);
      if (prop->kind == RSP_PROP_ATOM)
        explain_atom (explaining, prop, text);
      else {
        g_string_append (text, "no execution of the program makes this true: ");
        rsp_prop_format (prop, text);
      }
      g_ptr_array_add (reasons, rsp_arena_strdup (explaining->arena, text->str));
    }
  if (!reasons->len) { /* the contradiction between as few conjuncts as possible */
    for (guint i = conjuncts->len; i-- > 0 && conjuncts->len > 1;) {
      gpointer conjunct = conjuncts->pdata[i];
      g_ptr_array_remove_index (conjuncts, i);
      if (is_reachable (explaining, conjunction (explaining->scratch, conjuncts)))
        g_ptr_array_insert (conjuncts, (gint) i, conjunct);
    }
    g_autoptr (GString) text = g_string_new ("each of these can happen, but never together: ");
    for (guint i = 0; i < conjuncts->len; i++) {
      g_string_append (text, i ? ", " : "");
      rsp_prop_format (conjuncts->pdata[i], text);
    }
    g_ptr_array_add (reasons, rsp_arena_strdup (explaining->arena, text->str));
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
  MAX_SIZE = 3,            /* of the sets found, unless all are larger */
  MAX_QUESTIONS = 300,     /* queries to find them */
  BLAME_MAX_STEPS = 1000,  /* steps of the search for one answer */
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
  gboolean given_up;   /* was a query left without an answer, so that there may be other sets? */
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

static const char **with (RspArena *arena, const char *const *names, const char *name) {
  guint n = g_strv_length ((char **) names);
  const char **more = rsp_arena_new0 (arena, const char *, n + 2);
  memcpy (more, names, n * sizeof *names);
  more[n] = name;
  return more;
}

static BlameSet *new_set (const char **axioms, guint64 candidates, const RspExecution *execution) {
  BlameSet *set = g_new0 (BlameSet, 1);
  *set = (BlameSet){ axioms, g_strv_length ((char **) axioms), candidates, execution };
  return set;
}

/* ---- Queries ---- */
/* A candidate that passes all required axioms or, unless `any_others`, one that fails only dropped
 * ones. *given_up: the answer is unknown. */
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

static const RspExecution *query_requiring (Search *search, const char **required, guint steps,
                                            gboolean *given_up) {
  RspQuestion question
      = { .required = (const char *const *) required, .any_others = TRUE, .max_steps = steps };
  /* Has the search been given up under these axioms, or under more of them, which narrow it? */
  for (guint i = 0; i < search->hopeless->len; i++)
    if (is_subset ((const char *const *) required, search->hopeless->pdata[i])) {
      *given_up = TRUE;
      return NULL;
    }
  *given_up = FALSE;
  const RspExecution *found = query (search, question, given_up);
  if (*given_up)
    g_ptr_array_add (search->hopeless, required);
  return found;
}

/* The first name that is in neither set; NULL if there is none. */
static const char *first_outside (const char *const *names, const char **a, const char **b) {
  while (*names
         && (g_strv_contains ((const char *const *) a, *names)
             || g_strv_contains ((const char *const *) b, *names)))
    names++;
  return *names;
}

/* Drops axioms from those that an execution fails as long as the rest suffices. An axiom that is
 * needed once stays needed. Where the search gives up on one, others are tried first: the fewer
 * there are, the easier the search. NULL if it gives up on one in the end. */
static BlameSet *shrink_to_minimal (Search *search, const RspExecution *execution) {
  RspArena *arena = search->explaining->scratch;
  const char **none = rsp_arena_new0 (arena, const char *, 1);
  const char **needed = none, **unknown = none, *name;
  while (search->questions <= MAX_QUESTIONS
         && (name = first_outside ((const char *const *) execution->failed, needed, unknown))) {
    gboolean given_up = FALSE;
    guint n = g_strv_length ((char **) execution->failed), kept = 0;
    const char **less = rsp_arena_new0 (arena, const char *, n + 1);
    for (guint i = 0; i < n; i++)
      if (strcmp (execution->failed[i], name) != 0)
        less[kept++] = execution->failed[i];
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
  const BlameSet *set = NULL; /* a known set that is disjoint from `hitting` */
  for (guint i = 0; i < search->sets->len && !set; i++) {
    const BlameSet *known = search->sets->pdata[i];
    if (!is_hit ((const char *const *) known->axioms, (const char *const *) hitting))
      set = known;
  }
  if (!set) {
    gboolean given_up = FALSE;
    const RspExecution *found = query_requiring (search, hitting, BLAME_MAX_STEPS, &given_up);
    search->given_up |= given_up;
    BlameSet *next = found ? shrink_to_minimal (search, found) : NULL;
    if (!next)
      return;
    g_ptr_array_add (search->sets, next);
    set = next;
  }
  for (guint i = 0; set->axioms[i]; i++)
    find_unhit_sets (
        search, with (search->explaining->scratch, (const char *const *) hitting, set->axioms[i]));
}

/* The axiom that most of those groups fail that fail none of the core; NULL if there are none. */
static const char *most_failed (const Survey *survey, const char *const *core) {
  const char *best = NULL;
  guint most = 0;
  for (guint i = 0; i < survey->groups->len; i++) {
    const char **failed = ((const SurveyGroup *) survey->groups->pdata[i])->failed;
    for (; *failed; failed++) {
      guint n = 0;
      for (guint k = 0; k < survey->groups->len; k++) {
        const char *const *others
            = (const char *const *) ((const SurveyGroup *) survey->groups->pdata[k])->failed;
        n += g_strv_contains (others, *failed) && !is_hit (others, core);
      }
      best = n > most ? *failed : best;
      most = MAX (most, n);
    }
  }
  return best;
}

/* Looks for a core: axioms that no candidate satisfies together. Every set of blame has one of
 * them, so queries need not consider others. The core starts small and grows by an axiom that fails
 * where the core is satisfied; if that does not narrow the search enough, by all axioms that some
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
    else if (given_up && !all) {
      for (guint i = 0; i < survey->groups->len; i++)
        for (const char **failed = ((const SurveyGroup *) survey->groups->pdata[i])->failed;
             *failed; failed++)
          if (!g_strv_contains ((const char *const *) core, *failed))
            core = with (arena, (const char *const *) core, *failed);
    } else
      return;
    all |= given_up;
  }
}

static gboolean find_sets (Explaining *explaining, const RspProp *outcome, const Survey *survey,
                           GPtrArray *found) {
  Search search = { .explaining = explaining,
                    .outcome = outcome,
                    .sets = found,
                    .hopeless = g_ptr_array_new (),
                    .tried = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) };
  grow_core (&search, survey);
  /* Single axioms first: with all others required, these searches are the easiest. */
  g_autoptr (GPtrArray) ids = g_ptr_array_new (), variants = g_ptr_array_new ();
  rsp_model_collect_names (search.explaining->model, ids, variants);
  for (guint i = 0; i < ids->len; i++) {
    const char **only
        = with (search.explaining->scratch, (const char *const[]){ NULL }, ids->pdata[i]);
    gboolean given_up = FALSE;
    const RspExecution *shown = query_dropping (&search, only, &given_up);
    search.given_up |= given_up;
    if (shown)
      g_ptr_array_add (found, new_set (only, RSP_MANY_CANDIDATES, shown));
  }
  gboolean given_up = search.given_up;
  search.given_up = FALSE;
  find_unhit_sets (&search, rsp_arena_new0 (explaining->scratch, const char *, 1));
  /* For each minimal set: the number of candidates that fail exactly these axioms, and the one with
   * the fewest derived edges. If the search gives up before the first, the execution that showed
   * the set stays. */
  for (guint i = 0; i < found->len; i++) {
    BlameSet *set = found->pdata[i];
    RspQuestion question = { .outcome = outcome, .failing = set->axioms };
    Survey *own = survey_new (explaining, &question, MAX_SURVEYED);
    const SurveyGroup *group = own->groups->len ? own->groups->pdata[0] : NULL;
    if (group)
      set->execution = group->least;
    if (group && own->complete)
      set->candidates = own->seen;
    survey_free (own);
  }
  g_hash_table_unref (search.tried);
  g_ptr_array_unref (search.hopeless);
  return !given_up && !search.given_up;
}

/* ---- The whole ---- */
static int compare_sets (gconstpointer x, gconstpointer y) {
  const BlameSet *a = *(const BlameSet *const *) x, *b = *(const BlameSet *const *) y;
  return compare_names ((const char *const *) a->axioms, (const char *const *) b->axioms);
}

GPtrArray *blame_find (Explaining *explaining, const RspProp *outcome, const Survey *survey,
                       gboolean *more) {
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);
  *more = FALSE;
  if (survey->complete) { /* all sets of failed axioms are known */
    for (guint i = 0; i < survey->groups->len; i++) {
      const SurveyGroup *group = survey->groups->pdata[i];
      gboolean minimal = TRUE;
      for (guint k = 0; k < survey->groups->len; k++) {
        const SurveyGroup *other = survey->groups->pdata[k];
        minimal &= other == group
                   || !is_subset ((const char *const *) other->failed,
                                  (const char *const *) group->failed);
      }
      if (minimal)
        g_ptr_array_add (found, new_set (group->failed, group->n, group->least));
    }
  } else
    *more = !find_sets (explaining, outcome, survey, found);
  g_ptr_array_sort (found, compare_sets);
  /* Sets larger than the limit are left out, unless all are larger. */
  guint most = found->len ? MAX (((BlameSet *) found->pdata[0])->n, MAX_SIZE) : 0;
  for (guint i = found->len; i-- > 0;)
    if (((BlameSet *) found->pdata[i])->n > most) {
      g_ptr_array_remove_index (found, i);
      *more = TRUE;
    }
  return found;
}
