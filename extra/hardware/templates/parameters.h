/* How a test is run: named numbers, drawn from the seed, given by --stress, or found by --tune; and
 * its runs. PARAMETERS, defined before this file, lists them: PARAMETER (name, choices). */
#ifndef PARAMETERS_H
#define PARAMETERS_H

#include "suite.h"

enum {
#define PARAMETER(name, ...) P_##name,
  PARAMETERS
#undef PARAMETER
      N_PARAMETERS
};

typedef struct parameter {
  const char *name;
  unsigned choices[8], n;
} parameter;

#define COUNT_OF(...) (sizeof ((const unsigned[]){ __VA_ARGS__ }) / sizeof (unsigned))
static const parameter parameter_table[N_PARAMETERS] = {
#define PARAMETER(name, ...) { #name, { __VA_ARGS__ }, COUNT_OF (__VA_ARGS__) },
  PARAMETERS
#undef PARAMETER
};

typedef struct parameters {
  unsigned value[N_PARAMETERS];
} parameters;

static inline void parameters_draw (parameters *p, uint64_t *random) {
  for (unsigned i = 0; i < N_PARAMETERS; i++)
    p->value[i] = parameter_table[i].choices[random_below (random, parameter_table[i].n)];
}

/* The first choice of each: no stress. */
static inline void parameters_plain (parameters *p) {
  for (unsigned i = 0; i < N_PARAMETERS; i++)
    p->value[i] = parameter_table[i].choices[0];
}

/* Changes one or two of them. */
static inline void parameters_mutate (parameters *p, uint64_t *random) {
  for (unsigned k = 0; k < 1 + random_below (random, 2); k++) {
    unsigned i = random_below (random, N_PARAMETERS);
    p->value[i] = parameter_table[i].choices[random_below (random, parameter_table[i].n)];
  }
}

/* Sets those that a text such as "step=4,delay=0" names. Exits with status 2 if it names others. */
static inline void parameters_set (parameters *p, const char *text) {
  while (text && *text) {
    size_t length = strcspn (text, "=");
    unsigned i = 0;
    while (i < N_PARAMETERS
           && (strlen (parameter_table[i].name) != length
               || strncmp (parameter_table[i].name, text, length) != 0))
      i++;
    char *end = (char *) text + length;
    unsigned long value = *end == '=' ? strtoul (end + 1, &end, 10) : 0;
    int known = 0;
    for (unsigned k = 0; i < N_PARAMETERS && k < parameter_table[i].n; k++)
      known |= parameter_table[i].choices[k] == value;
    if (!known || (*end && *end != ',')) {
      fprintf (stderr, "--stress: no such parameter or choice at `%s`\n", text);
      exit (2);
    }
    p->value[i] = (unsigned) value;
    text = *end ? end + 1 : end;
  }
}

static inline void parameters_format (const parameters *p, char *out, size_t size) {
  size_t n = strlen (out);
  for (unsigned i = 0; i < N_PARAMETERS && n < size; i++)
    n += (size_t) snprintf (out + n, size - n, "%s%s=%u", i ? "," : "", parameter_table[i].name,
                            p->value[i]);
}

/* ---- A test's runs ---- */

/* The first member of what a target keeps of a test. */
typedef struct runner runner;
struct runner {
  const test *t;
  const settings *s;
  const char *drawn_for; /* what parameters are drawn anew for: "launch" */
  uint64_t random;
  /* Runs instances under p, fewer than `most` if it can, and adds them to h. */
  void (*run) (runner *r, const parameters *p, uint64_t most, histogram *h);
  /* Adds the states that it has left on the device. */
  void (*take_states) (runner *r, histogram *h);
};

/* The number of states in a million that satisfy the condition. */
static inline double runner_rate (runner *r, const parameters *p, double seconds) {
  static state_count states[MAX_STATES];
  double start = now ();
  histogram h;
  memset (&h, 0, sizeof h);
  h.of = r->t;
  h.states = states;
  do
    r->run (r, p, UINT64_MAX, &h);
  while (now () - start < seconds);
  r->take_states (r, &h);
  return h.runs ? 1e6 * (double) histogram_satisfying (&h) / (double) h.runs : 0;
}

/* Random search for half of the seconds, then hill climbing from the best. The rates without stress
 * and of the best, per million runs, are written to `out`. */
static inline void runner_tune (runner *r, parameters *best, char *out, size_t size) {
  enum { TRIALS = 96 };
  double slice = r->s->tune / (TRIALS + 8);
  parameters_plain (best);
  double before = runner_rate (r, best, 4 * slice), most = before;
  for (unsigned i = 0; i < TRIALS; i++) {
    parameters p = *best;
    if (i < TRIALS / 2)
      parameters_draw (&p, &r->random);
    else
      parameters_mutate (&p, &r->random);
    double rate = runner_rate (r, &p, slice);
    if (rate > most) {
      most = rate;
      *best = p;
    }
  }
  snprintf (out, size, "(tuned: %.3f per million before, %.3f after) ", before,
            runner_rate (r, best, 4 * slice));
}

static inline void runner_show (runner *r, const histogram *h, double seconds) {
  fprintf (stderr, "\r\033[K%s: %.1f million runs, %.2f million a second, %u states", r->t->name,
           (double) h->runs / 1e6, (double) h->runs / 1e6 / seconds, h->n_states);
}

/* fixed: the parameters; NULL: drawn anew each time. */
static inline void runner_run_all (runner *r, const parameters *fixed, histogram *h) {
  const settings *s = r->s;
  double start = now (), shown = start;
  while ((!s->runs || h->runs < s->runs) && (s->seconds <= 0 || now () - start < s->seconds)) {
    parameters p;
    parameters_draw (&p, &r->random);
    if (fixed)
      p = *fixed;
    parameters_set (&p, s->stress);
    r->run (r, &p, s->runs ? s->runs - h->runs : UINT64_MAX, h);
    if (s->progress && now () - shown > 0.5) {
      shown = now ();
      r->take_states (r, h);
      runner_show (r, h, shown - start);
    }
  }
  h->seconds = now () - start;
  r->take_states (r, h);
}

/* Runs the test as the settings say; r's first members are set. `out` receives text for the log. */
static inline void runner_go (runner *r, histogram *h, char *out, size_t size) {
  const settings *s = r->s;
  parameters best;
  r->random = random_start (s->seed, r->t->name);
  if (s->tune > 0) {
    runner_tune (r, &best, out, size);
    parameters_format (&best, out, size);
  } else
    snprintf (out, size, "%s%sdrawn from the seed for every %s", s->stress ? s->stress : "",
              s->stress ? ", the others " : "", r->drawn_for);
  runner_run_all (r, s->tune > 0 ? &best : NULL, h);
}

#endif
