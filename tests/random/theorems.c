/* Theorems of the papers about the HRF models, and properties of all models like them, on random
 * programs.
 *
 *   theorems [-n PROGRAMS] [-seed FIRST] [-only WORD]
 *
 * Prints for each theorem on how many programs it held, how many of these gave it something to say
 * (its premise held), and every counterexample. The statements are in the table at the end. */
#include "enumerator/terms/terms.h"
#include "enumerator/search/search.h"
#include "model/model.h"
#include "parser/litmus/litmus.h"
#include "tests/diagnostics_text.h"
#include "tests/random/generate.h"
#include "tests/random/handover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Models and what they say ---- */

typedef enum Model {
  HRF0,
  DIRECT,
  INDIRECT,
  DIRECT_RELAXED,
  INDIRECT_RELAXED,
  RSP,
  RSP_ALL,
  SC,
  DRF,
  OPENCL_REM,
  IR_SUBSET,
  RSP_SUBSET,
  N_MODELS
} Model;

static const struct {
  const char *path, *variant;
} model_files[N_MODELS] = {
  [HRF0] = { "hrf0", NULL },
  [DIRECT] = { "hrf_direct", NULL },
  [INDIRECT] = { "hrf_indirect", NULL },
  [DIRECT_RELAXED] = { "hrf_direct_relaxed", NULL },
  [INDIRECT_RELAXED] = { "hrf_indirect_relaxed", NULL },
  [RSP] = { "hrf_rsp", NULL },
  [RSP_ALL] = { "hrf_rsp_all", NULL },
  [SC] = { "sc", NULL },
  [DRF] = { "drf", NULL },
  [OPENCL_REM] = { "opencl_rem", NULL },
  [IR_SUBSET] = { "hrf_indirect_relaxed", "subset" },
  [RSP_SUBSET] = { "hrf_rsp", "subset" },
};

static RspModel *models[N_MODELS];
static RspDiagnostics *diagnostics;

/* What a model says about a program. */
typedef struct Verdict {
  gboolean racy;
  GHashTable *outcomes; /* final states, as text: programs show all registers and locations */
} Verdict;

static void verdict_clear (Verdict *verdict) {
  g_clear_pointer (&verdict->outcomes, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Verdict, verdict_clear)

static void add_outcome (Verdict *verdict, const RspOutcome *outcome, const RspStateCount *state) {
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < outcome->n_printed; i++) {
    g_string_append (text, "; ");
    rsp_outcome_format_value (outcome, state, i, text);
  }
  g_hash_table_add (verdict->outcomes, g_string_free (text, FALSE));
}

static Verdict ask (Model model, const char *text) {
  Verdict verdict = { FALSE, g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) };
  RspSource *source = rsp_source_new ("random", g_strdup (text), strlen (text));
  g_autoptr (RspProgram) program = rsp_litmus_parse (source, FALSE, diagnostics);
  rsp_source_unref (source);
  RspCheckOptions options;
  rsp_check_options_init (&options);
  g_autoptr (RspOutcome) outcome = rsp_check (program, models[model], &options, diagnostics);
  if (outcome->stop != RSPCHECK_STOP_COMPLETE) {
    g_printerr ("%s%s", diagnostics_text (diagnostics), text);
    exit (1);
  }
  for (guint i = 0; i < outcome->n_flags; i++)
    verdict.racy |= outcome->flags[i].raised && outcome->flags[i].undefined
                    && strcmp (outcome->flags[i].name, "data_race") == 0;
  for (guint i = 0; i < outcome->n_states; i++)
    add_outcome (&verdict, outcome, &outcome->states[i]);
  return verdict;
}

static gboolean is_racy (Model model, const char *text) {
  g_auto (Verdict) verdict = ask (model, text);
  return verdict.racy;
}

static gboolean same_outcomes (const Verdict *a, const Verdict *b) {
  GHashTableIter iter;
  gpointer key;
  g_hash_table_iter_init (&iter, a->outcomes);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (!g_hash_table_contains (b->outcomes, key))
      return FALSE;
  return g_hash_table_size (a->outcomes) == g_hash_table_size (b->outcomes);
}

/* ---- Programs ---- */

typedef struct Shape {
  gboolean seq_cst, remotes, one_scope;
} Shape;

/* One in three without a plan, the others handing data on. */
static char *program (const Shape *shape, guint32 seed) {
  const RspGenerator any = { .max_threads = 3,
                             .max_accesses = 6,
                             .programs_only_seq_cst = shape->seq_cst,
                             .no_fences = TRUE,
                             .outcomes = TRUE,
                             .one_scope = shape->one_scope };
  const RspHandover handover = { .max_threads = 4,
                                 .seq_cst = shape->seq_cst,
                                 .remotes = shape->remotes,
                                 .one_scope = shape->one_scope };
  return seed % 3 == 0 ? rsp_generate (&any, seed) : rsp_generate_handover (&handover, seed);
}

static guint count (const char *text, const char *word) {
  guint n = 0;
  for (const char *p = text; (p = strstr (p, word)); p += strlen (word))
    n++;
  return n;
}

/* The text with all operations on one location at least at the scope of the device: a location that
 * has some below it, if there is one. */
static char *enlarged (const char *text, guint32 seed) {
  static const char *const locations[] = { "f0", "f1", "f2", "x", "y" };
  g_autofree char *larger = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (locations); i++) {
    g_autofree char *pattern
        = g_strdup_printf ("(\\(%s, [^;]*)memory_scope_(work_item|sub_group|work_group)",
                           locations[(seed / 3 + i) % G_N_ELEMENTS (locations)]);
    g_autoptr (GRegex) regex = g_regex_new (pattern, 0, 0, NULL);
    g_free (larger);
    larger = g_regex_replace (regex, text, -1, 0, "\\1memory_scope_device", 0, NULL);
    if (strcmp (larger, text) != 0)
      break;
  }
  return g_steal_pointer (&larger);
}

/* The text with the scope of one operation enlarged to the device's. */
static char *enlarged_once (const char *text, guint32 seed) {
  static const char small[] = "memory_scope_work_group";
  guint n = count (text, small);
  const char *p = text;
  for (guint i = n ? seed / 3 % n : 0; (p = strstr (p, small)) && i > 0; i--)
    p += strlen (small);
  return p ? g_strdup_printf ("%.*smemory_scope_device%s", (int) (p - text), text,
                              p + strlen (small))
           : g_strdup (text);
}

/* ---- Theorems ---- */

typedef enum Result {
  VACUOUS, /* the premise does not hold */
  HOLDS,
  FAILS
} Result;

/* A premise and what follows from it. */
static Result implies (gboolean premise, gboolean conclusion) {
  return !premise ? VACUOUS : conclusion ? HOLDS : FAILS;
}

typedef struct Theorem {
  const char *statement;
  Result (*holds) (const struct Theorem *theorem, const char *text, guint32 seed);
  Shape shape;
  Model a, b;
  gboolean is_count; /* not a theorem: how often it holds is of interest */
} Theorem;

/* a and b give the same verdict, and the same outcomes if there is no race. */
static Result judge_alike (const Theorem *theorem, const char *text, G_GNUC_UNUSED guint32 seed) {
  g_auto (Verdict) a = ask (theorem->a, text), b = ask (theorem->b, text);
  return implies (!a.racy || !b.racy, a.racy == b.racy && same_outcomes (&a, &b));
}

/* Race-free under a: race-free under b. */
static Result race_free_implies (const Theorem *theorem, const char *text,
                                 G_GNUC_UNUSED guint32 seed) {
  return implies (!is_racy (theorem->a, text), !is_racy (theorem->b, text));
}

/* Race-free under a: the outcomes are those of b. */
static Result outcomes_are (const Theorem *theorem, const char *text, G_GNUC_UNUSED guint32 seed) {
  g_auto (Verdict) a = ask (theorem->a, text);
  if (a.racy)
    return VACUOUS;
  g_auto (Verdict) b = ask (theorem->b, text);
  return implies (TRUE, same_outcomes (&a, &b));
}

static Result enlarging_keeps (const Theorem *theorem, const char *text, guint32 seed) {
  g_autofree char *larger = enlarged (text, seed);
  return implies (strcmp (text, larger) != 0 && !is_racy (theorem->a, text),
                  !is_racy (theorem->a, larger));
}

static Result enlarging_once_keeps (const Theorem *theorem, const char *text, guint32 seed) {
  g_autofree char *larger = enlarged_once (text, seed);
  return implies (strcmp (text, larger) != 0 && !is_racy (theorem->a, text),
                  !is_racy (theorem->a, larger));
}

/* Does a location have more than two atomic operations? */
static gboolean has_third_operation (const char *text) {
  static const char *const arguments[] = { " (f0, ", " (f1, ", " (f2, ", " (x, ", " (y, " };
  for (guint i = 0; i < G_N_ELEMENTS (arguments); i++)
    if (count (text, arguments[i]) > 2)
      return TRUE;
  return FALSE;
}

static char *with_operations (const char *text, const char *remote) {
  g_autoptr (GString) local = g_string_new (text);
  g_string_replace (local, "_explicit_remote (", "_explicit (", 0);
  g_string_replace (local, "_explicit (", remote, 0);
  return g_strdup (local->str);
}

/* Making all operations remote changes nothing if promotion already relates all pairs. */
static Result remote_is_nothing (const Theorem *theorem, const char *text,
                                 G_GNUC_UNUSED guint32 seed) {
  if (has_third_operation (text))
    return VACUOUS;
  g_autofree char *remote = with_operations (text, "_explicit_remote (");
  g_autofree char *local = with_operations (text, "_explicit (");
  g_auto (Verdict) a = ask (theorem->a, remote), b = ask (theorem->b, local);
  return implies (TRUE, a.racy == b.racy && same_outcomes (&a, &b));
}

/* Making all operations remote introduces no race. */
static Result remote_makes_no_race (const Theorem *theorem, const char *text,
                                    G_GNUC_UNUSED guint32 seed) {
  g_autofree char *remote = with_operations (text, "_explicit_remote (");
  g_autofree char *local = with_operations (text, "_explicit (");
  return implies (!is_racy (theorem->b, local), !is_racy (theorem->a, remote));
}

/* Making all operations remote leaves the verdict unchanged. */
static Result remote_judges_alike (const Theorem *theorem, const char *text,
                                   G_GNUC_UNUSED guint32 seed) {
  g_autofree char *remote = with_operations (text, "_explicit_remote (");
  g_autofree char *local = with_operations (text, "_explicit (");
  return implies (TRUE, is_racy (theorem->a, remote) == is_racy (theorem->b, local));
}

/* clang-format off */
static const Theorem theorems[] = {
  { "one scope, seq_cst: HRF0 is DRF-SC",
    judge_alike, { .one_scope = TRUE, .seq_cst = TRUE }, HRF0, DRF, FALSE },
  { "one scope: HRF0 is DRF-SC",
    judge_alike, { .one_scope = TRUE }, HRF0, DRF, TRUE },
  { "race-free in HRF-direct: race-free in HRF-indirect",
    race_free_implies, { 0 }, DIRECT, INDIRECT, FALSE },
  { "seq_cst, race-free in HRF-indirect: race-free in HRF-indirect-relaxed",
    race_free_implies, { .seq_cst = TRUE }, INDIRECT, INDIRECT_RELAXED, FALSE },
  { "race-free in HRF-direct-relaxed: race-free in HRF-indirect-relaxed",
    race_free_implies, { 0 }, DIRECT_RELAXED, INDIRECT_RELAXED, FALSE },
  { "race-free in HRF-indirect-relaxed: race-free with promotion",
    race_free_implies, { .remotes = TRUE }, INDIRECT_RELAXED, RSP, FALSE },
  { "race-free with promotion: race-free with promotion of all",
    race_free_implies, { .remotes = TRUE }, RSP, RSP_ALL, FALSE },
  { "race-free under mutual inclusion: race-free under subset inclusion",
    race_free_implies, { 0 }, INDIRECT_RELAXED, IR_SUBSET, FALSE },
  { "a larger scope on both ends makes no race in HRF-indirect",
    enlarging_keeps, { 0 }, INDIRECT, 0, FALSE },
  { "a larger scope on both ends makes no race in HRF-direct-relaxed",
    enlarging_keeps, { 0 }, DIRECT_RELAXED, 0, FALSE },
  { "a larger scope on both ends makes no race in HRF-indirect-relaxed",
    enlarging_keeps, { 0 }, INDIRECT_RELAXED, 0, FALSE },
  { "a larger scope on one end makes no race in HRF-indirect-relaxed",
    enlarging_once_keeps, { 0 }, INDIRECT_RELAXED, 0, FALSE },
  { "a larger scope on both ends makes no race with promotion",
    enlarging_keeps, { .remotes = TRUE }, RSP, 0, FALSE },
  { "a larger scope on both ends makes no race with promotion of all",
    enlarging_keeps, { .remotes = TRUE }, RSP_ALL, 0, FALSE },
  { "seq_cst, race-free: SC outcomes in HRF-direct-relaxed",
    outcomes_are, { .seq_cst = TRUE }, DIRECT_RELAXED, SC, FALSE },
  { "seq_cst, race-free: SC outcomes in HRF-indirect-relaxed",
    outcomes_are, { .seq_cst = TRUE }, INDIRECT_RELAXED, SC, FALSE },
  { "seq_cst, race-free: SC outcomes with promotion",
    outcomes_are, { .seq_cst = TRUE, .remotes = TRUE }, RSP, SC, FALSE },
  { "seq_cst, race-free: SC outcomes with promotion of all",
    outcomes_are, { .seq_cst = TRUE, .remotes = TRUE }, RSP_ALL, SC, FALSE },
  { "all remote under subset inclusion, two operations a location: as none remote",
    remote_is_nothing, { 0 }, RSP_SUBSET, IR_SUBSET, FALSE },
  { "all remote under subset inclusion: no new race",
    remote_makes_no_race, { 0 }, RSP_SUBSET, IR_SUBSET, FALSE },
  { "all remote under mutual inclusion: no new race",
    remote_makes_no_race, { 0 }, RSP, INDIRECT_RELAXED, FALSE },
  { "all remote under subset inclusion: judged as none remote",
    remote_judges_alike, { 0 }, RSP_SUBSET, IR_SUBSET, TRUE },
  { "a larger scope on both ends makes no race in HRF0",
    enlarging_keeps, { 0 }, HRF0, 0, TRUE },
  { "a larger scope on both ends makes no race in HRF-direct",
    enlarging_keeps, { 0 }, DIRECT, 0, TRUE },
  { "race-free in opencl_rem: race-free in hrf_rsp_all",
    race_free_implies, { .remotes = TRUE }, OPENCL_REM, RSP_ALL, TRUE },
  { "race-free in hrf_rsp_all: race-free in opencl_rem",
    race_free_implies, { .remotes = TRUE }, RSP_ALL, OPENCL_REM, TRUE },
};
/* clang-format on */

/* ---- Running them ---- */

/* Returns how many programs refuted it. */
static guint try_theorem (const Theorem *theorem, guint n, guint32 seed) {
  guint counts[3] = { 0, 0, 0 };
  for (guint i = 0; i < n; i++) {
    g_autofree char *text = program (&theorem->shape, seed + i);
    Result result = theorem->holds (theorem, text, seed + i);
    if (result == FAILS && counts[FAILS] == 0 && !theorem->is_count)
      printf ("COUNTEREXAMPLE: %s\n%s", theorem->statement, text);
    counts[result]++;
  }
  printf ("%s: so on %u, not so on %u, no premise on %u%s\n", theorem->statement, counts[HOLDS],
          counts[FAILS], counts[VACUOUS], theorem->is_count ? " (counted, not required)" : "");
  /* A theorem about nothing tests nothing. */
  return counts[FAILS] + (counts[HOLDS] == 0);
}

static gboolean load_models (void) {
  static const char *const directories[] = { "cat", "tests/random", NULL };
  for (guint i = 0; i < N_MODELS; i++) {
    const char *const variants[] = { model_files[i].variant, NULL };
    models[i] = rsp_model_load (model_files[i].path, directories, variants, diagnostics);
    if (!models[i]) {
      g_printerr ("%s", diagnostics_text (diagnostics));
      return FALSE;
    }
  }
  return TRUE;
}

int main (int argc, char **argv) {
  guint n = 100, passed = 0, failed = 0;
  guint32 seed = 1;
  const char *only = NULL;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (strcmp (argv[i], "-n") == 0)
      n = (guint) atoi (argv[i + 1]);
    else if (strcmp (argv[i], "-seed") == 0)
      seed = (guint32) atoi (argv[i + 1]);
    else if (strcmp (argv[i], "-only") == 0)
      only = argv[i + 1];
  }
  setvbuf (stdout, NULL, _IOLBF, 0);
  diagnostics = rsp_diagnostics_new ();
  if (!load_models ())
    return 1;
  for (guint i = 0; i < G_N_ELEMENTS (theorems); i++)
    if (!only || strstr (theorems[i].statement, only)) {
      guint refuted = try_theorem (&theorems[i], n, seed);
      passed += !theorems[i].is_count && refuted == 0;
      failed += !theorems[i].is_count && refuted != 0;
    }
  for (guint i = 0; i < N_MODELS; i++)
    rsp_model_free (models[i]);
  rsp_diagnostics_free (diagnostics);
  printf ("theorems: %u passed, %u failed\n", passed, failed);
  return failed != 0;
}
