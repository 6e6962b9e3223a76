/* What every target's program shares: what a test is, the command line, random numbers, and the log
 * in litmus7's form. Included once with SUITE_MAIN defined. C11 and C++17. */
#ifndef SUITE_H
#define SUITE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  MAX_GROUPS = 16,  /* work-groups of a test */
  MAX_STATE = 32,   /* observables of a test */
  MAX_STATES = 4096 /* distinct states of a test */
};

typedef enum value_kind {
  VALUE_SIGNED,
  VALUE_UNSIGNED,
  VALUE_ADDRESS, /* 0: NULL; k + 1: location k of the test; else none of them */
  VALUE_EITHER   /* 2^62 + 2^32 k: the address of location k; else a number */
} value_kind;

typedef struct observable {
  const char *name;
  value_kind kind;
  int printed; /* 0: only the filter names it */
} observable;

typedef enum question { QUESTION_EXISTS, QUESTION_NOT_EXISTS, QUESTION_FORALL } question;

typedef struct test_code test_code; /* the target's own: how to run it */

typedef struct test {
  const char *name, *condition, *hash, *scope_hash, *note;
  question kind;
  unsigned n_state;
  const observable *observables;
  const char *const *locations; /* names, for addresses */
  unsigned n_locations;
  int (*satisfies) (const int64_t *state);
  int (*keeps) (const int64_t *state); /* the filter */
  unsigned unit;                       /* bytes of a unit of memory */
  unsigned global_units, local_units;  /* of one instance */
  unsigned n_results;                  /* words that one instance reports */
  unsigned n_groups, n_devices, n_threads;
  unsigned char group_members[MAX_GROUPS];
  unsigned char group_device[MAX_GROUPS]; /* ascending */
  unsigned cluster;                       /* work-groups of a cluster, at most */
  unsigned char group_slot[MAX_GROUPS];   /* on its device: cluster × its number + place in it */
  int apart; /* the threads of a work-group are in warps of their own */
  const test_code *code;
} test;

/* The suite's tests, from the file that rspcheck writes. */
extern const test *const suite_tests[];
extern const unsigned suite_n_tests, suite_rounds; /* of loops, at most */

typedef struct settings {
  uint64_t runs;  /* instances of each test; 0: as many as the seconds allow */
  double seconds; /* for each test; 0: as long as the runs take */
  uint64_t seed;
  double tune;        /* seconds for the search; 0: none */
  const char *stress; /* parameters by name, "step=4,delay=0"; NULL: drawn */
  const char *only;   /* a test's name, or NULL */
  unsigned from;      /* the first test to run, by number */
  int progress;       /* on standard error */
} settings;

/* ---- Random numbers: SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
   generators, OOPSLA 2014) ---- */

static inline uint64_t random_next (uint64_t *state) {
  uint64_t z = (*state += UINT64_C (0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* A number below n > 0. */
static inline unsigned random_below (uint64_t *state, unsigned n) {
  return (unsigned) (random_next (state) % n);
}

/* Each test has its own, whatever runs before it. */
static inline uint64_t random_start (uint64_t seed, const char *name) {
  uint64_t state = seed;
  for (; *name; name++)
    state = random_next (&state) ^ (unsigned char) *name;
  return state;
}

static inline double now (void) {
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* ---- Histograms ---- */

typedef struct state_count {
  int64_t values[MAX_STATE];
  uint64_t count;
} state_count;

typedef struct histogram {
  const test *of;
  state_count *states;
  unsigned n_states;
  uint64_t runs;      /* instances, those below included */
  uint64_t truncated; /* that left a loop early: in no state */
  uint64_t overflow;  /* in states beyond MAX_STATES */
  double seconds;
} histogram;

static inline uint64_t state_hash (const int64_t *state, unsigned n) {
  uint64_t hash = 0;
  for (unsigned i = 0; i < n; i++) {
    hash += (uint64_t) state[i];
    hash = random_next (&hash);
  }
  return hash;
}

static inline void histogram_add (histogram *h, const int64_t *state, uint64_t count) {
  for (unsigned i = 0; i < h->n_states; i++)
    if (!memcmp (h->states[i].values, state, h->of->n_state * sizeof *state)) {
      h->states[i].count += count;
      return;
    }
  if (h->n_states == MAX_STATES) {
    h->overflow += count;
    return;
  }
  memcpy (h->states[h->n_states].values, state, h->of->n_state * sizeof *state);
  h->states[h->n_states++].count = count;
}

static inline uint64_t histogram_satisfying (const histogram *h) {
  uint64_t n = 0;
  for (unsigned i = 0; i < h->n_states; i++)
    if (h->of->keeps (h->states[i].values) && h->of->satisfies (h->states[i].values))
      n += h->states[i].count;
  return n;
}

/* ---- What a target defines ---- */

/* Prepares and describes the device. Exits with status 2 and a one-line message if there is
 * none. */
void target_begin (void);
/* Why a test cannot run here; NULL if it can. */
const char *target_refuses (const test *t);
/* Runs the test. parameters, of `size` bytes, receives those that were used, for the log. */
void target_run (const test *t, const settings *s, histogram *h, char *parameters, size_t size);

#ifdef __cplusplus
}
#endif

#ifdef SUITE_MAIN

/* For the log, from target_begin: "NVIDIA H100 80GB HBM3 (sm_90), driver 13.0". */
static char target_device[512], target_compiler[256];

/* ---- The log ---- */

static void print_value (FILE *out, const test *t, const observable *o, int64_t value) {
  uint64_t object = (uint64_t) (value >> 32) - (UINT64_C (1) << 30);
  if (o->kind == VALUE_UNSIGNED)
    fprintf (out, "%llu", (unsigned long long) value);
  else if (o->kind == VALUE_EITHER && object < t->n_locations)
    fprintf (out, "%s", t->locations[object]);
  else if (o->kind != VALUE_ADDRESS || value == 0)
    fprintf (out, "%lld", (long long) value);
  else if (value > 0 && (uint64_t) value <= t->n_locations)
    fprintf (out, "%s", t->locations[value - 1]);
  else
    fprintf (out, "?");
}

static int compare_states (const void *a, const void *b) {
  const state_count *x = (const state_count *) a, *y = (const state_count *) b;
  for (unsigned i = 0; i < MAX_STATE; i++)
    if (x->values[i] != y->values[i])
      return x->values[i] < y->values[i] ? -1 : 1;
  return 0;
}

/* Drops states that the filter rejects, and merges those that differ only in unprinted values. */
static void histogram_finish (histogram *h) {
  const test *t = h->of;
  unsigned n = h->n_states;
  state_count *states = (state_count *) malloc ((n + 1) * sizeof *states);
  memcpy (states, h->states, n * sizeof *states);
  h->n_states = 0;
  for (unsigned i = 0; i < n; i++)
    if (t->keeps (states[i].values)) {
      for (unsigned k = 0; k < t->n_state; k++)
        if (!t->observables[k].printed)
          states[i].values[k] = 0;
      histogram_add (h, states[i].values, states[i].count);
    }
  free (states);
  qsort (h->states, h->n_states, sizeof *h->states, compare_states);
}

static void print_states (FILE *out, const histogram *h) {
  const test *t = h->of;
  fprintf (out, "Histogram (%u states)\n", h->n_states);
  for (unsigned i = 0; i < h->n_states; i++) {
    const state_count *state = &h->states[i];
    char count[32];
    snprintf (count, sizeof count, "%llu", (unsigned long long) state->count);
    fprintf (out, "%-6s%s>", count, t->satisfies (state->values) ? "*" : ":");
    const char *between = "";
    for (unsigned k = 0; k < t->n_state; k++)
      if (t->observables[k].printed) {
        fprintf (out, "%s%s=", between, t->observables[k].name);
        print_value (out, t, &t->observables[k], state->values[k]);
        fprintf (out, ";");
        between = " ";
      }
    fprintf (out, "\n");
  }
}

static void print_answer (FILE *out, const histogram *h) {
  static const char *const observations[] = { "Never", "Sometimes", "Always" };
  const test *t = h->of;
  uint64_t positive = 0, all = 0;
  for (unsigned i = 0; i < h->n_states; i++) {
    all += h->states[i].count;
    positive += t->satisfies (h->states[i].values) ? h->states[i].count : 0;
  }
  uint64_t negative = all - positive;
  int ok = t->kind == QUESTION_EXISTS   ? positive > 0
           : t->kind == QUESTION_FORALL ? negative == 0
                                        : positive == 0;
  int swapped = t->kind == QUESTION_NOT_EXISTS;
  fprintf (out, "%s\n\nWitnesses\nPositive: %llu, Negative: %llu\n", ok ? "Ok" : "No",
           (unsigned long long) (swapped ? negative : positive),
           (unsigned long long) (swapped ? positive : negative));
  fprintf (out, "Condition %s is %svalidated\nHash=%s\nScopeHash=%s\n", t->condition,
           ok ? "" : "NOT ", t->hash, t->scope_hash);
  fprintf (out, "Observation %s %s %llu %llu\nTime %s %.2f\n", t->name,
           observations[positive == 0   ? 0
                        : negative == 0 ? 2
                                        : 1],
           (unsigned long long) positive, (unsigned long long) negative, t->name, h->seconds);
}

static const char *kind_name (question kind) {
  static const char *const names[] = { "Allowed", "Forbidden", "Required" };
  return names[kind];
}

static void print_log (FILE *out, histogram *h, const settings *s, const char *parameters) {
  const test *t = h->of;
  histogram_finish (h);
  fprintf (out, "Test %s %s\n", t->name, kind_name (t->kind));
  print_states (out, h);
  print_answer (out, h);
  fprintf (out, "Device %s\nCompiler %s\n", target_device, target_compiler);
  fprintf (out, "Rounds %u at most\nSetup %llu runs in %.3f s, %.1f million a second, seed %llu, ",
           suite_rounds, (unsigned long long) h->runs, h->seconds,
           (double) h->runs / h->seconds / 1e6, (unsigned long long) s->seed);
  fprintf (out, "parameters %s%s%s\n", parameters, *t->note ? "; " : "", t->note);
  if (h->truncated)
    fprintf (out, "Cut %llu runs, which needed more rounds of a loop\n",
             (unsigned long long) h->truncated);
  if (h->overflow)
    fprintf (out, "Overflow %llu runs, in states beyond the first %u\n",
             (unsigned long long) h->overflow, (unsigned) MAX_STATES);
  fprintf (out, "\n");
  fflush (out);
}

/* ---- Tests that the device ends ---- */

static const test *const *suite_at; /* the test that runs; NULL: none yet */
static char **suite_words; /* of the command line; room for two behind the program's name */

/* The call has failed. A device that ends a test, as it may where the test's behaviour is
 * undefined, does nothing more for this process: says so, and leaves the tests that follow to a new
 * one. */
static inline void suite_give_up (const char *call, const char *error) {
  char number[16];
  char **words = suite_words;
  if (suite_at) {
    printf ("Refused %s: the device ended it: %s: %s\n\n", (*suite_at)->name, call, error);
    fflush (stdout);
    snprintf (number, sizeof number, "%u", (unsigned) (suite_at - suite_tests) + 1);
    words[1] = (char *) "--from";
    words[2] = number;
    execv ("/proc/self/exe", words);
  }
  fprintf (stderr, "%s: %s\n", call, error);
  exit (2);
}

static void run_test (const test *t, const settings *s) {
  char parameters[1024] = "";
  const char *refused = target_refuses (t);
  if (refused) {
    printf ("Refused %s: %s\n\n", t->name, refused);
    fflush (stdout);
    return;
  }
  histogram h;
  memset (&h, 0, sizeof h);
  h.of = t;
  h.states = (state_count *) calloc (MAX_STATES, sizeof *h.states);
  target_run (t, s, &h, parameters, sizeof parameters);
  if (s->progress)
    fprintf (stderr, "\r\033[K");
  print_log (stdout, &h, s, parameters);
  free (h.states);
}

/* ---- The command line ---- */

static int read_setting (settings *s, const char *name, const char *value) {
  char *end = NULL;
  if (!strcmp (name, "--runs"))
    s->runs = strtoull (value, &end, 10);
  else if (!strcmp (name, "--seed"))
    s->seed = strtoull (value, &end, 10);
  else if (!strcmp (name, "--seconds"))
    s->seconds = strtod (value, &end);
  else if (!strcmp (name, "--tune"))
    s->tune = strtod (value, &end);
  else if (!strcmp (name, "--stress"))
    s->stress = value;
  else if (!strcmp (name, "--only"))
    s->only = value;
  else if (!strcmp (name, "--from")) /* by a number, for suite_give_up */
    s->from = (unsigned) strtoul (value, &end, 10);
  else
    return 0;
  return !end || (end != value && !*end);
}

int main (int argc, char **argv) {
  settings s;
  memset (&s, 0, sizeof s);
  s.seed = 1;
  s.progress = isatty (2);
  for (int i = 1; i < argc; i += 2)
    if (i + 1 == argc || !read_setting (&s, argv[i], argv[i + 1])) {
      fprintf (stderr,
               "usage: %s [--runs N] [--seconds S] [--seed K] [--only TEST] "
               "[--stress NAME=N,…] [--tune S]\n",
               argv[0]);
      return 2;
    }
  if (!s.runs && s.seconds <= 0)
    s.runs = 1000000;
  int others = argc > 1 && !strcmp (argv[1], "--from") ? 3 : 1;
  suite_words = (char **) calloc ((size_t) argc + 3, sizeof *suite_words);
  suite_words[0] = argv[0];
  memcpy (suite_words + 3, argv + others, (size_t) (argc - others) * sizeof *argv);
  target_begin ();
  for (unsigned i = s.from; i < suite_n_tests; i++)
    if (!s.only || !strcmp (s.only, suite_tests[i]->name)) {
      suite_at = &suite_tests[i];
      run_test (suite_tests[i], &s);
    }
  free (suite_words);
  return 0;
}

#endif
#endif
