/* How a test is run, as numbers with names: drawn from the seed, given by --stress, or searched for by
 * --tune. Before this file, PARAMETERS lists them: PARAMETER (name, choices). */
#ifndef PARAMETERS_H
#define PARAMETERS_H

#include "suite.h"

enum
{
#define PARAMETER(name, ...) P_##name,
  PARAMETERS
#undef PARAMETER
      N_PARAMETERS
};

typedef struct parameter
{
  const char *name;
  unsigned choices[8], n;
} parameter;

#define COUNT_OF(...) (sizeof ((const unsigned[]){ __VA_ARGS__ }) / sizeof (unsigned))
static const parameter parameter_table[N_PARAMETERS] = {
#define PARAMETER(name, ...) { #name, { __VA_ARGS__ }, COUNT_OF (__VA_ARGS__) },
  PARAMETERS
#undef PARAMETER
};

typedef struct parameters
{
  unsigned value[N_PARAMETERS];
} parameters;

static inline void
parameters_draw (parameters *p, uint64_t *random)
{
  for (unsigned i = 0; i < N_PARAMETERS; i++)
    p->value[i] = parameter_table[i].choices[random_below (random, parameter_table[i].n)];
}

/* The first choice of each: no stress. */
static inline void
parameters_plain (parameters *p)
{
  for (unsigned i = 0; i < N_PARAMETERS; i++)
    p->value[i] = parameter_table[i].choices[0];
}

/* Another choice for one or two of them. */
static inline void
parameters_mutate (parameters *p, uint64_t *random)
{
  for (unsigned k = 0; k < 1 + random_below (random, 2); k++)
    {
      unsigned i = random_below (random, N_PARAMETERS);
      p->value[i] = parameter_table[i].choices[random_below (random, parameter_table[i].n)];
    }
}

/* Those that a text such as "step=4,delay=0" names. Exits with status 2 if it names others. */
static inline void
parameters_set (parameters *p, const char *text)
{
  while (text && *text)
    {
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
      if (!known || (*end && *end != ','))
        {
          fprintf (stderr, "--stress: no such parameter or choice at `%s`\n", text);
          exit (2);
        }
      p->value[i] = (unsigned) value;
      text = *end ? end + 1 : end;
    }
}

static inline void
parameters_format (const parameters *p, char *out, size_t size)
{
  size_t n = strlen (out);
  for (unsigned i = 0; i < N_PARAMETERS && n < size; i++)
    n += (size_t) snprintf (out + n, size - n, "%s%s=%u", i ? "," : "", parameter_table[i].name,
                            p->value[i]);
}

/* ---- The search: how often a state satisfies the condition under given parameters ---- */

/* Runs for some seconds under p and adds to h. */
typedef void (*parameters_trial) (void *data, const parameters *p, double seconds, histogram *h);

static inline double
parameters_rate (parameters_trial run, void *data, const test *t, const parameters *p,
                 double seconds)
{
  static state_count states[MAX_STATES];
  histogram h;
  memset (&h, 0, sizeof h);
  h.of = t;
  h.states = states;
  run (data, p, seconds, &h);
  return h.runs ? (double) histogram_satisfying (&h) / (double) h.runs : 0;
}

/* Random search for half of the seconds, then hill climbing from the best. The rates without stress
 * and of the best, per million runs, are appended to `out`. */
static inline void
parameters_tune (parameters *best, parameters_trial run, void *data, const test *t, double seconds,
                 uint64_t *random, char *out, size_t size)
{
  enum
  {
    TRIALS = 96
  };
  double slice = seconds / (TRIALS + 8);
  parameters_plain (best);
  double before = parameters_rate (run, data, t, best, 4 * slice), most = before;
  for (unsigned i = 0; i < TRIALS; i++)
    {
      parameters p = *best;
      if (i < TRIALS / 2)
        parameters_draw (&p, random);
      else
        parameters_mutate (&p, random);
      double rate = parameters_rate (run, data, t, &p, slice);
      if (rate > most)
        {
          most = rate;
          *best = p;
        }
    }
  most = parameters_rate (run, data, t, best, 4 * slice);
  size_t n = strlen (out);
  snprintf (out + n, size - n, "(tuned: %.3f per million before, %.3f after) ", before * 1e6,
            most * 1e6);
}

#endif
