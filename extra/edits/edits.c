/* Edits of one test: versions that repair or relax it. */
#include "enumerator/query/query.h"
#include "enumerator/search/search.h"
#include "parser/litmus/litmus.h"
#include "api/api.h"
#include "extra/edits/internal.h"

#include <string.h>

/* ---- Finding -------------------------------------------------------------------------------- */

void free_site (gpointer data) {
  SynthSite *site = data;
  for (guint i = 0; i < site->n_levels; i++) {
    GArray *pieces = site->levels[i].pieces;
    for (guint k = 0; pieces && k < pieces->len; k++)
      g_free (g_array_index (pieces, SynthPiece, k).text);
    if (pieces)
      g_array_unref (pieces);
    g_free (site->levels[i].text);
  }
  g_free (site->what);
  g_free (site);
}

SynthSite *new_site (Finding *f, SynthEditKind kind, guint at, const char *what) {
  SynthSite *site = g_new0 (SynthSite, 1);
  site->kind = kind;
  site->what = g_strdup (what);
  rsp_source_position (f->program->source, at, &site->line, &site->column);
  return site;
}

SynthLevel *add_level (SynthSite *site, guint value, const char *text) {
  SynthLevel *level = &site->levels[site->n_levels++];
  level->value = value;
  level->text = g_strdup (text);
  return level;
}

void add_piece (SynthLevel *level, guint begin, guint end, guint rank, char *text) {
  SynthPiece piece = { begin, end, rank, text };
  if (!level->pieces)
    level->pieces = g_array_new (FALSE, FALSE, sizeof (SynthPiece));
  g_array_append_val (level->pieces, piece);
}

void keep_site (Finding *f, SynthSite *site) {
  if (site->n_levels > 1)
    g_ptr_array_add (f->sites, site);
  else
    free_site (site);
}

/* ---- Version -------------------------------------------------------------------------------- */

/* Versions of a test: their text, and how it differs. */

guint8 *rsp_synth_own_levels (const GPtrArray *sites) {
  guint8 *levels = g_new (guint8, sites->len + 1);
  for (guint i = 0; i < sites->len; i++)
    levels[i] = (guint8) ((const SynthSite *) sites->pdata[i])->own;
  return levels;
}

static int by_place (gconstpointer a, gconstpointer b) {
  const SynthPiece *x = a, *y = b;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  if (x->end != y->end) /* insertions, then what includes others */
    return x->end == x->begin || (y->end != y->begin && x->end > y->end) ? -1 : 1;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

GArray *rsp_synth_version_pieces (const GPtrArray *sites, const guint8 *levels) {
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (SynthPiece));
  for (guint i = 0; i < sites->len; i++) {
    const SynthSite *site = sites->pdata[i];
    const GArray *own = site->levels[levels[i]].pieces;
    if (levels[i] != site->own && own)
      g_array_append_vals (pieces, own->data, own->len);
  }
  g_array_sort (pieces, by_place);
  GArray *used = g_array_new (FALSE, FALSE, sizeof (SynthPiece));
  guint at = 0;
  for (guint i = 0; i < pieces->len; i++) {
    const SynthPiece *piece = &g_array_index (pieces, SynthPiece, i);
    /* The first of overlapping pieces wins: a fence may be removed whose order was weakened. */
    if (piece->begin < at)
      continue;
    /* Duplicates are inserted once: two accesses make one location atomic; an order and a scope
     * make one call explicit. */
    if (i && piece->begin == piece[-1].begin && piece->end == piece[-1].end
        && strcmp (piece->text, piece[-1].text) == 0)
      continue;
    /* The default order that a scope requires gives way to an order inserted into the same call. */
    if (strcmp (piece->text, ", memory_order_seq_cst") == 0 && i + 1 < pieces->len
        && piece[1].begin == piece->begin && g_str_has_prefix (piece[1].text, ", memory_order_"))
      continue;
    g_array_append_val (used, *piece);
    at = piece->end;
  }
  return used;
}

char *rsp_synth_version_text (const RspProgram *program, const GPtrArray *sites,
                              const guint8 *levels) {
  const RspSource *source = program->source;
  g_autoptr (GArray) pieces = rsp_synth_version_pieces (sites, levels);
  GString *text = g_string_new (NULL);
  guint at = 0;
  for (guint i = 0; i < pieces->len; i++) {
    const SynthPiece *piece = &g_array_index (pieces, SynthPiece, i);
    g_string_append_len (text, source->text + at, piece->begin - at);
    g_string_append (text, piece->text);
    at = piece->end;
  }
  g_string_append_len (text, source->text + at, (gssize) source->length - at);
  return g_string_free (text, FALSE);
}

guint synth_pieces_place (const GArray *pieces, guint at) {
  guint place = at;
  for (guint i = 0; i < pieces->len; i++) {
    const SynthPiece *piece = &g_array_index (pieces, SynthPiece, i);
    if (piece->begin < at || piece->end == at)
      place += (guint) strlen (piece->text) - (piece->end - piece->begin);
  }
  return place;
}

char *rsp_synth_site_describe (const SynthSite *site, guint level) {
  if (site->kind == SYNTH_EDIT_FENCE && site->levels[site->own].value == 0) /* no fence so far */
    return g_strdup_printf ("line %u, column %u: insert %s", site->line, site->column,
                            site->levels[level].text);
  return g_strdup_printf ("line %u, column %u: %s: %s instead of %s", site->line, site->column,
                          site->what, site->levels[level].text, site->levels[site->own].text);
}

/* ---- Differences ---- */
enum { CONTEXT = 3 };

typedef struct Diff {
  char **a, **b;
  GString *lines; /* the edit script, one character per line: ' ', '-', '+' */
} Diff;

/* Appends the hunk whose first change is at this line of the script. Changes with up to 2 * CONTEXT
 * equal lines between them share a hunk. Returns the hunk's end. */
static guint append_hunk (const Diff *diff, guint change, GString *out) {
  guint from = change > CONTEXT ? change - CONTEXT : 0, last = change;
  guint i = 0, j = 0, old = 0, new = 0;
  for (guint s = change; s < diff->lines->len && s - last <= 2 * CONTEXT + 1; s++)
    if (diff->lines->str[s] != ' ')
      last = s;
  guint to = MIN (last + 1 + CONTEXT, (guint) diff->lines->len);
  for (guint s = 0; s < from; s++) {
    i += diff->lines->str[s] != '+';
    j += diff->lines->str[s] != '-';
  }
  for (guint s = from; s < to; s++) {
    old += diff->lines->str[s] != '+';
    new += diff->lines->str[s] != '-';
  }
  g_string_append_printf (out, "@@ -%u,%u +%u,%u @@\n", i + 1, old, j + 1, new);
  for (guint s = from; s < to; s++) {
    char step = diff->lines->str[s];
    g_string_append_printf (out, "%c%s\n", step, step == '+' ? diff->b[j] : diff->a[i]);
    i += step != '+';
    j += step != '-';
  }
  return to;
}

/* Without the empty line after the last line end. */
static char **split_lines (const char *text, guint *n) {
  char **lines = g_strsplit (text, "\n", -1);
  *n = g_strv_length (lines);
  if (*n && !lines[*n - 1][0])
    g_free (g_steal_pointer (&lines[--*n]));
  return lines;
}

char *rsp_synth_text_diff (const char *old_path, const char *new_path, const char *before,
                           const char *after) {
  if (strcmp (before, after) == 0)
    return g_strdup ("");
  GString *out = g_string_new (NULL);
  guint n, m, i = 0, j = 0;
  g_auto (GStrv) a = split_lines (before, &n);
  g_auto (GStrv) b = split_lines (after, &m);
  g_autoptr (GString) lines = g_string_new (NULL);
  Diff diff = { a, b, lines };
  /* [x * w + y]: the length of the longest common subsequence of a from x and b from y. */
  guint w = m + 1;
  g_autofree guint *common = g_new0 (guint, (gsize) (n + 1) * w);
  for (guint x = n; x-- > 0;)
    for (guint y = m; y-- > 0;)
      common[x * w + y] = strcmp (a[x], b[y]) == 0
                              ? common[(x + 1) * w + y + 1] + 1
                              : MAX (common[(x + 1) * w + y], common[x * w + y + 1]);
  while (i < n || j < m) {
    char step = i < n && j < m && strcmp (a[i], b[j]) == 0                              ? ' '
                : j == m || (i < n && common[(i + 1) * w + j] >= common[i * w + j + 1]) ? '-'
                                                                                        : '+';
    g_string_append_c (lines, step);
    i += step != '+';
    j += step != '-';
  }
  g_autofree char *old_name = rsp_visible_name (old_path), *new_name = rsp_visible_name (new_path);
  g_string_append_printf (out, "--- %s\n+++ %s\n", old_name, new_name);
  for (guint s = 0; s < lines->len; s++)
    if (lines->str[s] != ' ')
      s = append_hunk (&diff, s, out);
  return g_string_free (out, FALSE);
}

/* ---- Refute --------------------------------------------------------------------------------- */

enum {
  MOST_REASONS = 8, /* the most recently used are kept */
  MOST_STEPS = 128  /* of a search for known reasons, before the version is checked */
};

typedef struct Reason {
  char *flag;     /* raised; NULL: the reason is an outcome */
  RspProp *props; /* the outcome: the first of an array of propositions; NULL: the condition */
  guint part;     /* where it was found last */
} Reason;

static void free_reason (gpointer data) {
  Reason *reason = data;
  g_free (reason->flag);
  g_free (reason->props);
  g_free (reason);
}

static void add_reason (SynthReasons *reasons, const char *flag, RspProp *props) {
  Reason *reason = g_new0 (Reason, 1);
  reason->flag = g_strdup (flag);
  reason->props = props;
  g_ptr_array_insert (reasons, 0, reason);
  if (reasons->len > MOST_REASONS)
    g_ptr_array_set_size (reasons, MOST_REASONS);
}

/* Is the flag raised, and does it count? Those that make the version undefined count; with `all`,
 * every flag of the model. Orders and scopes cannot repair threads that wait forever. */
static gboolean flag_counts (const RspFlag *flag, gboolean all) {
  return flag->raised && (flag->undefined || (all && !g_str_equal (flag->name, RSP_SPIN_FLAG)));
}

/* Adds, once: an execution that raises the flag or, if it is NULL, satisfies the test's condition.
 */
static void add_flag_or_condition (SynthReasons *reasons, const char *flag) {
  for (guint i = 0; i < reasons->len; i++) {
    const Reason *reason = reasons->pdata[i];
    if (!reason->props && g_strcmp0 (reason->flag, flag) == 0)
      return;
  }
  add_reason (reasons, flag, NULL);
}

/* Does a known reason rule out this version? TRUE is certain. */
static gboolean refute (SynthTask *task, const RspProgram *program, const guint8 *levels,
                        guint max_steps) {
  SynthReasons *reasons = task->reasons;
  const RspExecution *found = NULL;
  if (reasons->len == 0 || program->filter)
    return FALSE;
  RspCheckOptions options = rsp_synth_task_options (task);
  RspQuery *query = rsp_query_new_consulting (program, task->model, &options);
  RspArena *arena = rsp_arena_new ();
  for (guint i = 0; i < reasons->len && !found; i++) {
    Reason *reason = reasons->pdata[i];
    const RspProp *outcome = reason->props ? reason->props : program->condition;
    RspQuestion question = { .raised = reason->flag,
                             .outcome = reason->flag ? NULL : outcome,
                             .max_steps = max_steps,
                             .first_part = reason->part };
    found = rsp_query_find (query, &question, arena, NULL);
    if (!found)
      continue;
    reason->part = rsp_query_last_part (query);
    g_ptr_array_insert (reasons, 0, g_ptr_array_steal_index (reasons, i));
    if (!task->own) /* witnesses are about versions that strengthen the test */
      synth_witnesses_add (task->witnesses, levels, found, reason->flag);
  }
  rsp_arena_free (arena);
  rsp_query_free (query);
  return found != NULL;
}

/* ---- Task ----------------------------------------------------------------------------------- */

static void free_version (gpointer data) {
  g_free (((SynthVersion *) data)->levels);
  g_free (data);
}

void rsp_synth_task_clear (SynthTask *task) {
  g_clear_pointer (&task->sites, g_ptr_array_unref);
  g_clear_pointer (&task->found, g_ptr_array_unref);
  g_clear_pointer (&task->reasons, g_ptr_array_unref);
  g_clear_pointer (&task->witnesses, synth_witnesses_free);
}

/* An edit costs the number of levels between the test's level and its own; one of a fence costs one
 * step, whatever its order. */
static void add_version (SynthTask *task, const guint8 *levels) {
  SynthVersion *version = g_new0 (SynthVersion, 1);
  if (!task->found)
    task->found = g_ptr_array_new_with_free_func (free_version);
  version->levels = g_memdup2 (levels, task->sites->len + 1);
  for (guint i = 0; i < task->sites->len; i++) {
    const SynthSite *site = task->sites->pdata[i];
    guint low = MIN (site->own, levels[i]), high = MAX (site->own, levels[i]), steps = 0;
    for (guint level = low + 1; level <= high; level++)
      steps += synth_level_within (site, low, level) && synth_level_within (site, level, high);
    if (site->kind == SYNTH_EDIT_FENCE)
      steps = low != high;
    version->cost += task->costs[site->kind] * steps;
  }
  g_ptr_array_add (task->found, version);
}

/* Versions of equal cost are sorted by the places of their changes. */
static int by_cost (gconstpointer a, gconstpointer b, gpointer data) {
  const SynthVersion *x = *(SynthVersion *const *) a, *y = *(SynthVersion *const *) b;
  const SynthTask *task = data;
  if (x->cost != y->cost)
    return x->cost < y->cost ? -1 : 1;
  return memcmp (x->levels, y->levels, task->sites->len);
}

/* Sorts by cost, ascending or descending. */
static void sort_versions (SynthTask *task, gboolean cheapest) {
  if (!task->found)
    task->found = g_ptr_array_new_with_free_func (free_version);
  g_ptr_array_sort_with_data (task->found, by_cost, task);
  for (guint i = 0; !cheapest && i < task->found->len / 2; i++) {
    gpointer *a = &task->found->pdata[i];
    gpointer *b = &task->found->pdata[task->found->len - 1 - i];
    gpointer swapped = *a;
    *a = *b;
    *b = swapped;
  }
}

/* ---- Checking a version ---- */
static void format_state (const RspOutcome *outcome, guint state, GString *text) {
  for (guint k = 0; k < outcome->n_printed; k++) {
    rsp_outcome_format_value (outcome, &outcome->states[state], k, text);
    g_string_append_c (text, ' ');
  }
  g_string_append_c (text, '\n');
}

/* A state that `own` does not have, or n_states. */
static guint find_new_state (const SynthAnswer *own, const RspOutcome *outcome) {
  g_auto (GStrv) lines = g_strsplit (own->states, "\n", -1);
  g_autoptr (GString) text = g_string_new (NULL);
  guint i = 0;
  for (; i < outcome->n_states; i++) {
    g_string_truncate (text, 0);
    format_state (outcome, i, text);
    g_string_truncate (text, text->len - 1);
    if (!g_strv_contains ((const char *const *) lines, text->str))
      break;
  }
  return i;
}

/* Remembers what rules this version out, for later ones. */
static void learn_reasons (SynthTask *task, const RspOutcome *outcome) {
  const SynthAnswer *own = task->own;
  for (guint i = 0; !(own && own->undefined) && i < outcome->n_flags; i++)
    if (flag_counts (&outcome->flags[i], task->all_flags))
      add_flag_or_condition (task->reasons, outcome->flags[i].name);
  if (!own && task->forbid && rsp_outcome_may_hold (outcome))
    add_flag_or_condition (task->reasons, NULL);
  guint state = own ? find_new_state (own, outcome) : outcome->n_states;
  if (state < outcome->n_states) {
    /* Adds: an execution that ends in this state. The proposition gives each printed observable its
     * value: n conjunctions, followed by their n atoms. */
    const RspStateCount *shown = &outcome->states[state];
    guint n = outcome->n_printed;
    for (guint k = 0; k < n; k++)
      if (rsp_outcome_value (outcome, shown, k).unknown)
        return;
    RspProp *props = g_new0 (RspProp, 2 * n + 1);
    for (guint k = 0; k < n; k++) {
      RspProp *atom = &props[n + k];
      props[k] = (RspProp){ .kind = RSP_PROP_AND, .a = atom, .b = &props[k + 1] };
      atom->kind = RSP_PROP_ATOM;
      atom->op = RSP_OP_EQ;
      atom->left = (RspOperand){ .is_observable = TRUE, .observable = outcome->printed[k] };
      atom->right = (RspOperand){ .constant = rsp_outcome_value (outcome, shown, k).bits };
    }
    if (n)
      props[n - 1].b = props[n - 1].a;
    else
      props[0].kind = RSP_PROP_TRUE;
    add_reason (task->reasons, NULL, props);
  }
}

RspCheckOptions rsp_synth_task_options (const SynthTask *task) {
  RspCheckOptions options = *task->check;
  if (task->deadline)
    options.timeout = MAX (1e-6 * (double) (task->deadline - g_get_monotonic_time ()), 1e-3);
  return options;
}

/* If the check rules the version out, its execution is then searched for, as a witness against
 * other versions. */
static void check_program (SynthTask *task, const RspProgram *program, const guint8 *levels,
                           SynthAnswer *answer) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  if (refute (task, program, levels, MOST_STEPS))
    return;
  RspCheckOptions options = rsp_synth_task_options (task);
  options.speedcheck = RSPCHECK_SPEED_EXACT; /* its verdicts need only some executions */
  options.verdict = !task->own;
  g_autoptr (RspOutcome) outcome = rsp_check (program, task->model, &options, diagnostics);
  GString *states = g_string_new (NULL);
  for (guint i = 0; i < outcome->n_states; i++)
    format_state (outcome, i, states);
  answer->states = g_string_free (states, FALSE);
  answer->good = outcome->stop == RSPCHECK_STOP_COMPLETE && !outcome->failure;
  answer->reachable = rsp_outcome_may_hold (outcome);
  for (guint i = 0; i < outcome->n_flags; i++) {
    answer->flagged |= flag_counts (&outcome->flags[i], TRUE);
    answer->undefined |= flag_counts (&outcome->flags[i], task->all_flags);
  }
  if (outcome->stop != RSPCHECK_STOP_COMPLETE) {
    task->complete = FALSE;
    return;
  }
  learn_reasons (task, outcome);
  if (!task->own && (answer->undefined || (task->forbid && answer->reachable)))
    refute (task, program, levels, 0);
}

static gboolean is_repaired (const SynthTask *task, const SynthAnswer *answer) {
  return answer->good && !answer->undefined && !(task->forbid && answer->reachable);
}

gboolean rsp_synth_holds_everywhere (const SynthTask *task, const RspProgram *version, guint *n) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspCheckOptions options = rsp_synth_task_options (task);
  options.speedcheck = RSPCHECK_SPEED_EXACT;
  options.verdict = TRUE;
  g_autoptr (RspPlacements) placements
      = rsp_placements_new (version, task->model, &options, task->levels, task->named, diagnostics);
  gboolean holds = placements != NULL;
  *n = holds ? placements->n_first : 0;
  for (guint i = 0; holds && i < placements->all->len; i++) {
    const RspPlacement *placement = &g_array_index (placements->all, RspPlacement, i);
    if (placement->first != i || placement->same != i)
      continue;
    g_autoptr (RspOutcome) outcome
        = rsp_check (placement->program, task->model, &options, diagnostics);
    holds = outcome->stop == RSPCHECK_STOP_COMPLETE && !outcome->failure
            && !(task->forbid && rsp_outcome_may_hold (outcome));
    for (guint k = 0; k < outcome->n_flags; k++)
      holds &= !flag_counts (&outcome->flags[k], task->all_flags);
  }
  return holds;
}

/* Checks a version. A version that is refuted or cannot be parsed is not good, and its answer says
 * nothing else. FALSE if the work must end: the time is up, or stop is set. */
static gboolean check_version (SynthTask *task, const guint8 *levels, SynthAnswer *answer) {
  *answer = (SynthAnswer){ 0 };
  if ((task->stop && g_atomic_int_get (task->stop))
      || (task->deadline && g_get_monotonic_time () > task->deadline)) {
    task->complete = FALSE;
    return FALSE;
  }
  task->checks++;
  if (task->witnesses && synth_witnesses_refute (task->witnesses, levels)) {
    task->ruled_out++;
    return TRUE;
  }
  g_autofree char *text = rsp_synth_version_text (task->program, task->sites, levels);
  if (task->check_text) {
    task->check_text (task, text, answer);
    return TRUE;
  }
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspSource *source = rsp_source_new (task->program->source->name, g_strdup (text), strlen (text));
  g_autoptr (RspProgram) program = rsp_litmus_parse (source, FALSE, diagnostics);
  rsp_source_unref (source);
  if (!task->reasons) {
    task->reasons = g_ptr_array_new_with_free_func (free_reason);
    task->witnesses = synth_witnesses_new (task->program, task->sites, task->model, task->check);
  }
  if (program)
    check_program (task, program, levels, answer);
  if (program && task->everywhere && task->named && is_repaired (task, answer)) {
    guint n;
    answer->undefined = !rsp_synth_holds_everywhere (task, program, &n);
  }
  return TRUE;
}

/* A removed fence has no order, scope or form left to edit, a weak access no scope. */
static gboolean is_gone (const SynthTask *task, const guint8 *levels, guint site) {
  const SynthSite *own = task->sites->pdata[site];
  for (guint i = 0; i < site; i++) {
    const SynthSite *other = task->sites->pdata[i];
    if (other->line == own->line && other->column == own->column
        && other->levels[levels[i]].removes >> own->kind & 1)
      return TRUE;
  }
  return FALSE;
}

/* Is no level of version a stronger than that of b? */
static gboolean is_within (const SynthTask *task, const guint8 *a, const guint8 *b) {
  for (guint i = 0; i < task->sites->len; i++)
    if (!synth_level_within (task->sites->pdata[i], a[i], b[i]) && !is_gone (task, a, i))
      return FALSE;
  return TRUE;
}

/* ---- Relax ---------------------------------------------------------------------------------- */

/* Relax: what a test uses but does not need.
 *
 * The search assumes that if a set of weakenings changes nothing, neither does any subset (which
 * holds for monotone models: see -monotone). So a version changes nothing if a weaker one does not,
 * and changes something if a stronger one does. The search looks for an undecided version. If it
 * changes nothing, it is weakened until it is maximal; if it changes something, it is strengthened
 * until it is minimal. That decides more versions, until all are decided. (Gunopulos and others,
 * "Discovering all most specific sentences", 2003; Liffiton and others, "Fast, flexible MUS
 * enumeration", 2016.) */

typedef struct Relax {
  SynthTask *task;
  SynthAnswer own;
  gboolean ended; /* the time is up */
  /* Of levels (guint8 *): maximal versions that change nothing; versions that change something,
   * among them all minimal ones. */
  GPtrArray *good, *different;
} Relax;

static gboolean is_known_to_differ (const Relax *relax, const guint8 *levels) {
  for (guint i = 0; i < relax->different->len; i++)
    if (is_within (relax->task, levels, relax->different->pdata[i]))
      return TRUE;
  return FALSE;
}

static void keep_version (const Relax *relax, GPtrArray *list, const guint8 *levels) {
  g_ptr_array_add (list, g_memdup2 (levels, relax->task->sites->len + 1));
}

/* Does the version have the states of the test, and is it defined if the test is? FALSE with
 * relax->ended set if the work must end. */
static gboolean is_as_good (Relax *relax, const guint8 *levels) {
  SynthAnswer answer;
  if (relax->ended || is_known_to_differ (relax, levels))
    return FALSE;
  if (!check_version (relax->task, levels, &answer)) {
    relax->ended = TRUE;
    return FALSE;
  }
  gboolean good = answer.good && answer.undefined == relax->own.undefined
                  && g_strcmp0 (answer.states, relax->own.states) == 0;
  g_free (answer.states);
  if (!good)
    keep_version (relax, relax->different, levels);
  return good;
}

static gboolean is_weaker (const SynthSite *site, guint a, guint b) {
  return a != b && synth_level_within (site, a, b);
}

/* Weakens as long as nothing changes. */
static void weaken (Relax *relax, guint8 *levels) {
  for (guint i = 0; i < relax->task->sites->len; i++) {
    const SynthSite *site = relax->task->sites->pdata[i];
    guint8 before = levels[i];
    for (guint8 level = 0; level < site->n_levels && levels[i] == before; level++) {
      if (!is_weaker (site, level, before) || is_gone (relax->task, levels, i))
        continue;
      levels[i] = level;
      if (!is_as_good (relax, levels))
        levels[i] = before;
    }
  }
}

/* Strengthens as long as something changes: sets each site in turn to the test's level. */
static void strengthen (Relax *relax, guint8 *levels) {
  for (guint i = 0; i < relax->task->sites->len; i++) {
    guint8 before = levels[i],
           own = (guint8) ((const SynthSite *) relax->task->sites->pdata[i])->own;
    if (before == own)
      continue;
    levels[i] = own;
    if (is_as_good (relax, levels) || relax->ended)
      levels[i] = before;
  }
}

/* Weakens levels until no maximal version from `from` on is as weak; FALSE if every choice is known
 * to change something. Stronger levels come first: they are least often known to change anything.
 */
static gboolean find_undecided (const Relax *relax, guint8 *levels, guint from) {
  const SynthTask *task = relax->task;
  while (from < relax->good->len && !is_within (task, relax->good->pdata[from], levels))
    from++;
  if (is_known_to_differ (relax, levels))
    return FALSE;
  if (from == relax->good->len)
    return TRUE;
  const guint8 *good = relax->good->pdata[from];
  for (guint i = 0; i < task->sites->len; i++) {
    const SynthSite *site = task->sites->pdata[i];
    guint8 before = levels[i];
    if (is_gone (task, levels, i) || is_gone (task, good, i))
      continue;
    for (guint8 level = (guint8) site->n_levels; level-- > 0;) {
      levels[i] = level;
      if (is_weaker (site, level, before) && !synth_level_within (site, good[i], level)
          && find_undecided (relax, levels, from + 1))
        return TRUE;
    }
    levels[i] = before;
  }
  return FALSE;
}

/* Properties of removed operations do not count. */
static void reset_removed (const SynthTask *task, guint8 *levels) {
  for (guint i = 0; i < task->sites->len; i++)
    if (is_gone (task, levels, i))
      levels[i] = (guint8) ((const SynthSite *) task->sites->pdata[i])->own;
}

/* The first undecided version is the test itself, which is as good as itself. */
static void find_maximal_versions (Relax *relax) {
  SynthTask *task = relax->task;
  guint8 *own = rsp_synth_own_levels (task->sites), *levels = rsp_synth_own_levels (task->sites);
  gsize n = task->sites->len;
  while (!relax->ended && find_undecided (relax, levels, 0)) {
    reset_removed (task, levels);
    if (relax->good->len && !is_as_good (relax, levels)) {
      strengthen (relax, levels);
      keep_version (relax, relax->different, levels);
    } else {
      weaken (relax, levels);
      reset_removed (task, levels);
      keep_version (relax, relax->good, levels);
    }
    memcpy (levels, own, n);
  }
  for (guint i = 0; i < relax->good->len; i++)
    if (memcmp (relax->good->pdata[i], own, n) != 0)
      add_version (task, relax->good->pdata[i]);
  g_free (levels);
  g_free (own);
}

gboolean rsp_synth_relax (SynthTask *task, RspDiagnostics *diagnostics) {
  Relax relax = { .task = task,
                  .good = g_ptr_array_new_with_free_func (g_free),
                  .different = g_ptr_array_new_with_free_func (g_free) };
  task->sites = rsp_synth_sites_find (task->program, task->model, SYNTH_WEAKER);
  task->complete = TRUE;
  task->own = &relax.own;
  guint8 *levels = rsp_synth_own_levels (task->sites);
  gboolean going_on = check_version (task, levels, &relax.own);
  if (going_on && !relax.own.good) {
    rsp_error (diagnostics, task->program->threads[0].span, NULL,
               "test %s: the unmodified test cannot be checked", task->program->name);
    task->complete = going_on = FALSE;
  }
  task->all_flags = !relax.own.flagged; /* if the test raises no flag, nor may a weaker version */
  if (going_on)
    find_maximal_versions (&relax);
  g_free (levels);
  g_free (relax.own.states);
  g_ptr_array_unref (relax.good);
  g_ptr_array_unref (relax.different);
  task->own = NULL;
  sort_versions (task, FALSE);
  return task->complete;
}

/* ---- Repair --------------------------------------------------------------------------------- */

/* Repair: the smallest sets of strengthenings that make a test defined or, if it is, free of flags.
 * (Compare Chakraborty, Krishna, Pavlogiannis, Tuppe, "GPUMC: a stateless model checker for GPU
 * weak memory concurrency", CAV 2025, which repairs one race at a time.) */

/* Is a version among those found, apart from `except`, that makes at most these edits? */
static gboolean is_covered (const SynthTask *task, const guint8 *levels, guint except) {
  for (guint i = 0; task->found && i < task->found->len; i++)
    if (i != except
        && is_within (task, ((const SynthVersion *) task->found->pdata[i])->levels, levels))
      return TRUE;
  return FALSE;
}

/* Tries all ways to make `left` more edits at sites from `from` on. FALSE if the work must end. */
static gboolean try_edits (SynthTask *task, guint8 *levels, guint from, guint left) {
  if (is_covered (task, levels, G_MAXUINT))
    return TRUE;
  if (left == 0) {
    SynthAnswer answer;
    if (!check_version (task, levels, &answer))
      return FALSE;
    if (is_repaired (task, &answer))
      add_version (task, levels);
    g_free (answer.states);
    return TRUE;
  }
  for (guint i = from; i < task->sites->len; i++) {
    const SynthSite *site = task->sites->pdata[i];
    for (guint level = 0; level < site->n_levels; level++) {
      levels[i] = (guint8) level;
      if (level != site->own && !try_edits (task, levels, i + 1, left - 1))
        return FALSE;
    }
    levels[i] = (guint8) site->own;
  }
  return TRUE;
}

gboolean rsp_synth_repair (SynthTask *task, RspDiagnostics *diagnostics) {
  SynthAnswer answer;
  if (!task->sites) {
    const RspProgram *widest = task->program;
    g_autoptr (RspPlacements) placements = NULL;
    if (task->everywhere) {
      placements = rsp_placements_new (task->program, task->model, task->check, task->levels, 0,
                                       diagnostics);
      if (!placements)
        return FALSE;
      /* Where threads are furthest apart, the widest scopes are of use. */
      const RspPlacement *all = (const RspPlacement *) (gpointer) placements->all->data;
      widest = all[all[placements->all->len - 1].first].program;
      task->named = placements->levels;
    } else if (!rsp_placements_levels (task->program, task->model, task->check, task->levels,
                                       &task->named, diagnostics))
      return FALSE;
    task->sites = rsp_synth_sites_find (widest, task->model, SYNTH_STRONGER);
  }
  task->complete = TRUE;
  guint8 *levels = rsp_synth_own_levels (task->sites);
  gboolean going_on = check_version (task, levels, &answer);
  if (going_on && !answer.undefined && answer.flagged && !task->forbid)
    task->all_flags = answer.undefined = TRUE; /* repair the flags of a defined test */
  task->already = going_on && is_repaired (task, &answer);
  if (going_on && !answer.good) {
    rsp_error (diagnostics, task->program->threads[0].span, NULL,
               "test %s: the unmodified test cannot be checked", task->program->name);
    going_on = task->complete = FALSE;
  }
  g_free (answer.states);
  for (guint n = 1; n <= task->most && going_on && !task->already; n++) {
    going_on = try_edits (task, levels, 0, n);
    if (task->found && !task->all)
      break;
  }
  g_free (levels);
  /* Levels are sorted by strength, so a version is found before those it covers, unless they differ
   * at several sites. */
  for (guint i = 0; task->found && i < task->found->len;)
    if (is_covered (task, ((const SynthVersion *) task->found->pdata[i])->levels, i))
      g_ptr_array_remove_index (task->found, i);
    else
      i++;
  sort_versions (task, TRUE);
  return task->complete;
}
