/* Compares the naive and the bounded engine on random tests.
 *
 *   differential [-n TESTS] [-seed FIRST] [-accesses MAX] [-jobs N] [-models N] [-timeout S] [-kind
 * KIND]
 *                [-write FOLDER] MODEL.cat …
 *
 * One test of five is from alike.h and one from loops.h, which are checked under every third model;
 * the others are from generate.h. With -models N each is checked under N of the models, in turn:
 * more tests in the same time. With -timeout S tests that take the naive engine longer are skipped.
 * The naive engine, the bounded one, and the bounded one with one feature switched off in turn (all
 * of them, by the test's number) must agree on states, counts, flags and thin air; every few tests
 * also under -speedcheck true and on several threads (N on every test), and -speedcheck fast must
 * not contradict them. On tests of loops.h, -spin last must have the states and flags of -spin all.
 * -engine sat, where it does not refuse, and the search and the solver in turn must have the same
 * states and flags; with `-only sat`, only this is compared, with the bounded engine. Prints each
 * disagreement with the test's text. -kind loops (alike, ordinary) has tests of one kind only;
 * -kind wide those of generate.h with some 60, 120 or 250 fences before them, so that sets of
 * events take several words and the events that matter lie on both sides of a word's end; -kind
 * messages those of messages.h, on which -spin last alone is compared with -spin all. -words true
 * adds the words of tests/random/words.cat. -write writes tests into the folder. */
#include "enumerator/terms/terms.h"
#include "enumerator/search/evidence.h"
#include "enumerator/search/search.h"
#include "model/model.h"
#include "parser/litmus/litmus.h"
#include "tests/diagnostics_text.h"
#include "tests/random/alike.h"
#include "tests/random/asked.h"
#include "tests/random/first.h"
#include "tests/random/generate.h"
#include "tests/random/loops.h"
#include "tests/random/messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  ALIKE_EVERY = 5, /* one test of these is from alike.h, one from loops.h, others from generate.h */
  ALIKE_MODELS = 3,  /* those two are checked under one model of these */
  MODELS_EVERY = 40, /* with -models, so many tests are checked under the same ones */
  SPEED_EVERY = 4,   /* -speedcheck is compared on one of these, and on those of alike.h */
  JOBS_EVERY = 8,    /* … and several threads */
  ASKED_EVERY = 3    /* … and -speedcheck fast, and questions that the solver answers */
};

/* The states and flags alone: what -spin must not change; bad: also which states violate a
 * requirement. */
static char *describe_states (const RspOutcome *outcome, gboolean bad) {
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < outcome->n_states; i++) {
    for (guint j = 0; j < outcome->n_printed; j++) {
      rsp_outcome_format_value (outcome, &outcome->states[i], j, out);
      g_string_append_c (out, ' ');
    }
    g_string_append (out, bad && outcome->states[i].n_undefined ? "bad\n" : "\n");
  }
  for (guint i = 0; i < outcome->n_flags; i++)
    if (outcome->flags[i].raised && strcmp (outcome->flags[i].name, RSP_SPIN_FLAG) != 0)
      g_string_append_printf (out, "flag %s\n", outcome->flags[i].name);
  g_string_append_printf (out, "thin air %d\n", outcome->thin_air);
  return g_string_free (out, FALSE);
}

static void describe (const RspOutcome *outcome, GString *out) {
  for (guint i = 0; i < outcome->n_states; i++) {
    const RspStateCount *state = &outcome->states[i];
    for (guint j = 0; j < outcome->n_printed; j++) {
      g_string_append_printf (out, "%s=", outcome->program->observables[outcome->printed[j]].name);
      rsp_outcome_format_value (outcome, state, j, out);
      g_string_append (out, "; ");
    }
    rsp_count_format (state->executions, out);
    g_string_append (out, " bad ");
    rsp_count_format (state->n_undefined, out);
    g_string_append (out, state->satisfies ? " yes\n" : state->undetermined ? " open\n" : " no\n");
  }
  rsp_count_format (outcome->positive, out);
  g_string_append (out, " positive, undetermined ");
  rsp_count_format (outcome->undetermined, out);
  g_string_append (out, ", negative ");
  rsp_count_format (outcome->negative, out);
  for (guint i = 0; i < outcome->n_flags; i++)
    if (outcome->flags[i].raised)
      g_string_append_printf (out, "\nflag %s", outcome->flags[i].name);
  g_string_append_printf (out, "\nthin air %d, stop %d\n", outcome->thin_air, outcome->stop);
}

static char *run (const RspProgram *program, const RspModel *model, const RspCheckOptions *options,
                  RspOutcome **kept) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspOutcome *outcome = rsp_check (program, model, options, diagnostics);
  GString *text = g_string_new (NULL);
  describe (outcome, text);
  *kept = outcome;
  return g_string_free (text, FALSE);
}

/* One test under one model. */
typedef struct Case {
  const RspProgram *program;
  const RspModel *model;
  const char *source;
  guint number;
  guint jobs; /* for every test; 0: for some */
  guint unroll;
  RspcheckSpin spin;
  double timeout; /* of the naive engine, in seconds; 0: none */
  guint *skipped; /* checks */
  guint *decided; /* checks that -engine sat does not refuse */
  gboolean sat_only;
} Case;

/* Does the bounded engine, with these options, find the same as the naive one? */
static gboolean agrees (const Case *test, const char *naive, const RspCheckOptions *options) {
  g_autoptr (RspOutcome) outcome = NULL;
  g_autofree char *bounded = run (test->program, test->model, options, &outcome);
  if (strcmp (naive, bounded) == 0)
    return TRUE;
  printf ("DISAGREE under %s (disabled %u, jobs %u, speedcheck %d)\n%s\nnaive:\n%s\nbounded:\n%s\n",
          test->model->path, options->disabled, options->jobs, options->speedcheck, test->source,
          naive, bounded);
  return FALSE;
}

/* Are the states and flags the same, unless -engine sat refuses the test? */
static gboolean states_agree (const Case *test, const RspOutcome *naive,
                              const RspCheckOptions *options) {
  g_autoptr (RspOutcome) outcome = NULL;
  gboolean is_sat = options->engine == RSPCHECK_ENGINE_SAT;
  g_free (run (test->program, test->model, options, &outcome));
  if (is_sat && outcome->stop == RSPCHECK_STOP_ERROR)
    return TRUE;
  *test->decided += is_sat;
  g_autofree char *expected = describe_states (naive, TRUE),
                  *found = describe_states (outcome, TRUE);
  if (strcmp (expected, found) == 0)
    return TRUE;
  printf ("DISAGREE under %s (speedcheck %d)\n%s\nnaive:\n%s\n%s:\n%s\n", test->model->path,
          options->speedcheck, test->source, expected, is_sat ? "sat" : "in turn", found);
  return FALSE;
}

static gboolean is_raised (const RspOutcome *outcome, const char *flag) {
  for (guint i = 0; i < outcome->n_flags; i++)
    if (outcome->flags[i].raised && strcmp (outcome->flags[i].name, flag) == 0)
      return TRUE;
  return FALSE;
}

/* Where states show nothing, executions need not be counted: are the flags those of a search of all
 * of them? (Models may look at which locations are observed.) */
static gboolean flags_agree (const Case *test, const RspOutcome *naive,
                             const RspCheckOptions *options) {
  RspProgram program = *test->program;
  RspProp any = { .kind = RSP_PROP_TRUE };
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  if (program.filter || options->speedcheck != RSPCHECK_SPEED_EXACT || naive->n_failures)
    return TRUE;
  program.n_observables = 0;
  program.condition = &any;
  RspCheckOptions counting = *options;
  counting.counts_optional = counting.solver_after = counting.solver_conflicts = 0;
  g_autoptr (RspOutcome) all = rsp_check (&program, test->model, &counting, diagnostics);
  g_autoptr (RspOutcome) outcome = rsp_check (&program, test->model, options, diagnostics);
  gboolean agree = (outcome->n_states > 0) == (all->n_states > 0);
  for (guint i = 0; i < all->n_flags; i++)
    agree &= all->flags[i].raised == is_raised (outcome, all->flags[i].name);
  if (!agree)
    printf ("DISAGREE under %s about flags without states\n%s\n", test->model->path, test->source);
  return agree;
}

static int compare_texts (gconstpointer a, gconstpointer b) {
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* The flags' lines, those of a pair in either order; sorted. */
static char *describe_lines (const Case *test, const RspOutcome *naive, gboolean asks) {
  RspCheckOptions options;
  rsp_check_options_init (&options);
  options.unroll = test->unroll;
  options.spin = test->spin;
  options.asks_only = asks;
  RspcheckStop stop;
  g_autoptr (GPtrArray) all = rsp_evidence_find_every_line (test->model, &options, naive, &stop);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < all->len; i++) {
    const RspEvidence *evidence = all->pdata[i];
    const RspEvidenceEvent *first = &g_array_index (evidence->events, RspEvidenceEvent, 0),
                           *last = first + evidence->events->len - 1;
    g_ptr_array_add (lines,
                     g_strdup_printf ("%s %u-%u", evidence->flag, MIN (first->line, last->line),
                                      MAX (first->line, last->line)));
  }
  g_ptr_array_sort (lines, compare_texts);
  g_ptr_array_add (lines, NULL);
  return g_strjoinv ("\n", (char **) lines->pdata);
}

/* Does the solver find races on the same lines as a search of every combination? */
static gboolean lines_agree (const Case *test, const RspOutcome *naive) {
  if (test->program->filter || naive->n_failures)
    return TRUE;
  g_autofree char *listed = describe_lines (test, naive, FALSE),
                  *asked = describe_lines (test, naive, TRUE);
  if (strcmp (listed, asked) == 0)
    return TRUE;
  printf ("DISAGREE under %s about lines\n%s\nlisted:\n%s\nasked:\n%s\n", test->model->path,
          test->source, listed, asked);
  return FALSE;
}

/* By -engine sat, and by the search and the solver in turn, each for a little longer than the last
 * time. */
static gboolean sat_agrees (const Case *test, const RspOutcome *naive, RspCheckOptions options) {
  options.engine = RSPCHECK_ENGINE_SAT;
  if (test->number % ASKED_EVERY == 0
      && !(asked_agrees (test->program, test->model, options, naive)
           & first_agrees (test->model, options, naive)))
    return printf ("under %s\n%s\n", test->model->path, test->source) < 0;
  RspCheckOptions turns = options;
  turns.engine = RSPCHECK_ENGINE_BOUNDED;
  turns.counts_optional = turns.solver_after = turns.solver_conflicts = 1;
  return states_agree (test, naive, &options) && states_agree (test, naive, &turns)
         && flags_agree (test, naive, &turns)
         && (test->number % ASKED_EVERY != 1 || lines_agree (test, naive));
}

static gboolean compare_sat (const Case *test, RspcheckSpeed speed) {
  RspCheckOptions options;
  rsp_check_options_init (&options);
  options.speedcheck = speed;
  options.unroll = test->unroll;
  options.spin = test->spin;
  g_autoptr (RspOutcome) outcome = NULL;
  g_free (run (test->program, test->model, &options, &outcome));
  return sat_agrees (test, outcome, options);
}

static gboolean compare (const Case *test, RspcheckSpeed speed) {
  if (test->sat_only)
    return compare_sat (test, speed);
  /* Each feature meets each kind of test and each model, whatever their numbers have in common. */
  guint turn = (test->number + test->number / RSP_N_FEATURES) % RSP_N_FEATURES;
  const guint disabled[] = { 0, RSP_FEATURE_BRANCH, 1u << turn, RSP_FEATURE_ALL };
  RspCheckOptions options;
  rsp_check_options_init (&options);
  options.speedcheck = speed;
  options.unroll = test->unroll;
  options.spin = test->spin;
  options.engine = RSPCHECK_ENGINE_NAIVE;
  options.timeout = test->timeout;
  g_autoptr (RspOutcome) outcome = NULL;
  g_autofree char *naive = run (test->program, test->model, &options, &outcome);
  if (outcome->stop == RSPCHECK_STOP_TIMEOUT) {
    ++*test->skipped;
    return TRUE;
  }
  options.timeout = 0;
  options.engine = RSPCHECK_ENGINE_BOUNDED;
  options.screen_after = 1;
  gboolean agree = sat_agrees (test, outcome, options);
  for (guint i = 0; i < G_N_ELEMENTS (disabled); i++) {
    options.disabled = disabled[i];
    agree &= agrees (test, naive, &options);
  }
  if (test->jobs || test->number % JOBS_EVERY == 0) {
    options.disabled = 0;
    options.jobs = test->jobs ? test->jobs : 4;
    options.help_after = 1;
    agree &= agrees (test, naive, &options);
  }
  return agree;
}

/* -spin last is the limit of -unroll n: a round that waits can be left out of any execution, and an
 * execution without such rounds is one under -spin all too. */
static gboolean compare_limit (const Case *test) {
  RspCheckOptions options;
  rsp_check_options_init (&options);
  options.unroll = test->unroll + 1;
  g_autoptr (RspOutcome) all = NULL, last = NULL;
  g_free (run (test->program, test->model, &options, &all));
  options.spin = RSPCHECK_SPIN_LAST;
  options.spin_cases = test->number % 2; /* one in two asks the solver at once */
  g_free (run (test->program, test->model, &options, &last));
  g_autofree char *unrolled = describe_states (all, FALSE), *kept = describe_states (last, FALSE);
  if (strcmp (unrolled, kept) == 0)
    return TRUE;
  printf ("-spin last is no limit under %s:\n%s\nall:\n%s\nlast:\n%s\n", test->model->path,
          test->source, unrolled, kept);
  return FALSE;
}

/* Writes test number `number` into a file of the folder. */
static gboolean write_test (const char *folder, guint number, const char *text) {
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_strdup_printf ("random%u.litmus", number);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  if (g_file_set_contents (path, text, -1, &error))
    return TRUE;
  fprintf (stderr, "%s\n", error->message);
  return FALSE;
}

/* Where the text of a test is from. */
typedef enum Kind { ORDINARY, ALIKE, LOOPS, MESSAGES, WIDE, MIXED } Kind;

static Kind kind_named (const char *name) {
  static const struct {
    const char *name;
    Kind kind;
  } kinds[]
      = { { "alike", ALIKE }, { "loops", LOOPS }, { "messages", MESSAGES }, { "wide", WIDE } };
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (name, kinds[i].name) == 0)
      return kinds[i].kind;
  return ORDINARY;
}

/* With padding before it. */
static char *generate_wide (const RspGenerator *generator, guint number) {
  static const guint paddings[] = { 56, 120, 248 };
  RspGenerator wide = *generator;
  wide.padding = paddings[number % G_N_ELEMENTS (paddings)] + number / G_N_ELEMENTS (paddings) % 8;
  return rsp_generate (&wide, number);
}

static char *generate (const RspGenerator *generator, Kind kind, guint number, guint unroll) {
  switch (kind) {
  case ALIKE:
    return rsp_generate_alike (number);
  case LOOPS:
    return rsp_generate_loops (number, unroll);
  case MESSAGES:
    return rsp_generate_messages (number);
  case WIDE:
    return generate_wide (generator, number);
  default:
    return rsp_generate (generator, number);
  }
}

static gboolean compare_case (Case *test, Kind kind) {
  if (kind == MESSAGES)
    return compare_limit (test);
  gboolean agree = compare (test, RSPCHECK_SPEED_EXACT);
  if (kind != ORDINARY || test->number % SPEED_EVERY == 0)
    agree &= compare (test, RSPCHECK_SPEED_TRUE);
  if (kind != LOOPS)
    return agree;
  agree &= compare_limit (test);
  test->spin = RSPCHECK_SPIN_LAST;
  agree &= compare (test, RSPCHECK_SPEED_EXACT);
  return agree;
}

/* ---- The command line ---- */

typedef struct Settings {
  guint n, seed, jobs;
  guint n_models;     /* under so many models is a test checked, in turn; 0: all that it is for */
  const char *folder; /* to write tests into; or NULL */
  Kind only;
  RspGenerator generator;
  GPtrArray *models;
  RspDiagnostics *diagnostics; /* of models */
  double timeout;              /* see Case */
  gboolean sat_only;
  guint passed, failed, skipped, decided;
} Settings;

/* FALSE if `name` is not an option with a value. */
static gboolean take_option (Settings *settings, const char *name, const char *value) {
  if (!value)
    return FALSE;
  if (strcmp (name, "-n") == 0)
    settings->n = (guint) atoi (value);
  else if (strcmp (name, "-seed") == 0)
    settings->seed = (guint) atoi (value);
  else if (strcmp (name, "-jobs") == 0)
    settings->jobs = (guint) atoi (value);
  else if (strcmp (name, "-models") == 0)
    settings->n_models = (guint) atoi (value);
  else if (strcmp (name, "-timeout") == 0)
    settings->timeout = g_ascii_strtod (value, NULL);
  else if (strcmp (name, "-accesses") == 0)
    settings->generator.max_accesses = (guint) atoi (value);
  else if (strcmp (name, "-only") == 0)
    settings->sat_only = strcmp (value, "sat") == 0;
  else if (strcmp (name, "-kind") == 0)
    settings->only = kind_named (value);
  else if (strcmp (name, "-words") == 0)
    settings->generator.words = strcmp (value, "true") == 0;
  else if (strcmp (name, "-write") == 0)
    settings->folder = value;
  else
    return FALSE;
  return TRUE;
}

static void take_model (Settings *settings, const char *path) {
  const char *const directories[] = { "cat", NULL };
  RspModel *model = rsp_model_load (path, directories, NULL, settings->diagnostics);
  if (model)
    g_ptr_array_add (settings->models, model);
  else
    settings->failed++;
}

/* ---- Each test ---- */

static Kind kind_of (const Settings *settings, guint number) {
  if (settings->only != MIXED)
    return settings->only;
  return settings->folder ? ORDINARY : (Kind[ALIKE_EVERY]){ ALIKE, LOOPS }[number % ALIKE_EVERY];
}

static guint unroll_of (Kind kind, guint number) {
  return kind == LOOPS ? 1 + number / ALIKE_EVERY % 2 : kind == MESSAGES ? 1 : 2;
}

/* Is model j one of those under which test i is checked? */
static gboolean is_for_model (const Settings *settings, Kind kind, guint i, guint j) {
  guint n = settings->models->len;
  if (settings->n_models)
    return (j + n - i / MODELS_EVERY * settings->n_models % n) % n < settings->n_models;
  gboolean on_some = kind != ORDINARY && kind != MESSAGES && n > 1;
  return !on_some || (i / ALIKE_EVERY + j) % ALIKE_MODELS == 0;
}

/* Test i, under the models that it is for. */
static gboolean compare_models (Settings *settings, const RspProgram *program, const char *text,
                                Kind kind, guint i) {
  gboolean agree = TRUE;
  for (guint j = 0; j < settings->models->len; j++) {
    if (!is_for_model (settings, kind, i, j))
      continue;
    Case test = { .program = program,
                  .model = settings->models->pdata[j],
                  .source = text,
                  .number = settings->seed + i,
                  .jobs = settings->jobs,
                  .unroll = unroll_of (kind, settings->seed + i),
                  .spin = RSPCHECK_SPIN_ALL,
                  .timeout = settings->timeout,
                  .skipped = &settings->skipped,
                  .decided = &settings->decided,
                  .sat_only = settings->sat_only };
    agree &= compare_case (&test, kind);
  }
  return agree;
}

/* FALSE if the test cannot be written or read: the next ones could not be either. */
static gboolean take_test (Settings *settings, guint i) {
  guint number = settings->seed + i;
  Kind kind = kind_of (settings, number);
  g_autofree char *text = generate (&settings->generator, kind, number, unroll_of (kind, number));
  if (settings->folder)
    return write_test (settings->folder, number, text);
  RspSource *source = rsp_source_new ("random", g_strdup (text), strlen (text));
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspProgram) program = rsp_litmus_parse (source, FALSE, diagnostics);
  rsp_source_unref (source);
  if (!program) {
    printf ("UNREADABLE\n%s\n%s", text, diagnostics_text (diagnostics));
    return FALSE;
  }
  gboolean agree = compare_models (settings, program, text, kind, i);
  settings->passed += agree;
  settings->failed += !agree;
  return TRUE;
}

int main (int argc, char **argv) {
  g_autoptr (GPtrArray) models = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_model_free);
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  Settings settings = { .n = 2000,
                        .seed = 1,
                        .only = MIXED,
                        .generator = { .max_threads = 4, .max_accesses = 7 },
                        .models = models,
                        .diagnostics = diagnostics };
  for (int i = 1; i < argc; i++)
    if (take_option (&settings, argv[i], argv[i + 1]))
      i++;
    else
      take_model (&settings, argv[i]);
  g_autofree char *said = diagnostics_text (diagnostics);
  fputs (said, stderr);
  if (!models->len && !settings.folder) {
    fprintf (stderr, "differential: no model to check the tests under\n");
    return 1;
  }
  guint i = 0;
  while (i < settings.n && take_test (&settings, i))
    i++;
  settings.failed += i < settings.n;
  if (settings.folder)
    return settings.failed > 0;
  if (settings.skipped)
    printf ("%u checks skipped: the naive engine took longer than %g s\n", settings.skipped,
            settings.timeout);
  if (settings.decided)
    printf ("%u checks by -engine sat too\n", settings.decided);
  printf ("%u passed, %u failed\n", settings.passed, settings.failed);
  return settings.failed > 0;
}
