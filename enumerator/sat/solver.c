/* The only file that knows CaDiCaL. */
#include "enumerator/sat/sat.h"

#ifdef RSP_HAVE_CADICAL
#include <ccadical.h>
#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

enum {
  LOOK_EVERY = 20000, /* microseconds between looks at the memory in use */
  LOOK_RARELY = 10    /* plus this many times what a look takes */
};

struct SatSolver {
  CCaDiCaL *cadical;
  RspBudget *budget;
  int n_variables;
  gsize before;            /* bytes in use when it was made */
  gint64 next_look;        /* monotonic microseconds */
  guint looks, most_looks; /* how often the solver has asked whether it must end; at most that
                              often, 0: no limit */
#ifdef RSP_CHECK_CONTRACTS
  GArray *clauses, *assumed; /* of int: literals; each clause ends with 0 */
#endif
};

static gsize bytes_in_use (void) {
  static gsize looked = 0;
  if (g_once_init_enter (&looked)) { /* two threads must not make the first call at once */
    (void) mallinfo2 ();
    g_once_init_leave (&looked, 1);
  }
  struct mallinfo2 info = mallinfo2 ();
  return info.uordblks + info.hblkhd;
}

/* Bytes of the process's memory, an upper bound of those in use; G_MAXSIZE if unknown. */
static gsize bytes_resident (void) {
  g_autofree char *text = NULL;
  gsize pages;
  if (!g_file_get_contents ("/proc/self/statm", &text, NULL, NULL)
      || sscanf (text, "%*u %" G_GSIZE_FORMAT, &pages) != 1)
    return G_MAXSIZE;
  return pages * (gsize) sysconf (_SC_PAGESIZE);
}

/* ---- Checks of builds with contracts ---- */
#ifdef RSP_CHECK_CONTRACTS

/* Checks every derived clause and every answer. CaDiCaL's own check of failed assumptions
 * (checkfailed) prints to standard output, so check_failed replaces it. */
static void begin_checks (SatSolver *solver) {
  ccadical_set_option (solver->cadical, "check", 1);
  ccadical_set_option (solver->cadical, "checkfailed", 0);
  solver->clauses = g_array_new (FALSE, FALSE, sizeof (int));
  solver->assumed = g_array_new (FALSE, FALSE, sizeof (int));
}

static void end_checks (SatSolver *solver) {
  g_array_unref (solver->clauses);
  g_array_unref (solver->assumed);
}

static void note_literal (GArray *literals, int literal) { g_array_append_val (literals, literal); }

static void forget_assumptions (SatSolver *solver) { g_array_set_size (solver->assumed, 0); }

/* Writes the clauses, and the failed assumptions as clauses, into the folder $RSP_PROOFS, for
 * tests/proofs.py. */
static void write_problem (const SatSolver *solver) {
  static gint n = 0;
  const char *folder = g_getenv ("RSP_PROOFS");
  if (!folder)
    return;
  guint n_clauses = 0;
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < solver->clauses->len; i++) {
    int literal = g_array_index (solver->clauses, int, i);
    g_string_append_printf (text, literal ? "%d " : "%d\n", literal);
    n_clauses += literal == 0;
  }
  for (guint i = 0; i < solver->assumed->len; i++)
    if (ccadical_failed (solver->cadical, g_array_index (solver->assumed, int, i))) {
      g_string_append_printf (text, "%d 0\n", g_array_index (solver->assumed, int, i));
      n_clauses++;
    }
  g_autofree char *head = g_strdup_printf ("p cnf %d %u\n", solver->n_variables, n_clauses);
  g_string_prepend (text, head);
  g_autofree char *path = g_strdup_printf ("%s/%d.cnf", folder, g_atomic_int_add (&n, 1));
  g_assert (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
}

/* The clauses have no solution with the failed assumptions as clauses. */
static void check_failed (SatSolver *solver) {
  write_problem (solver);
  CCaDiCaL *other = ccadical_init ();
  ccadical_set_option (other, "quiet", 1);
  ccadical_set_option (other, "check", 1);
  for (guint i = 0; i < solver->clauses->len; i++)
    ccadical_add (other, g_array_index (solver->clauses, int, i));
  for (guint i = 0; i < solver->assumed->len; i++) {
    int literal = g_array_index (solver->assumed, int, i);
    if (!ccadical_failed (solver->cadical, literal))
      continue;
    ccadical_add (other, literal);
    ccadical_add (other, 0);
  }
  g_assert (ccadical_solve (other) == 20);
  ccadical_release (other);
}

#else
#define begin_checks(solver)            ((void) 0)
#define end_checks(solver)              ((void) 0)
#define check_failed(solver)            ((void) 0)
#define forget_assumptions(solver)      ((void) 0)
#define note_literal(literals, literal) ((void) 0)
#endif

/* ---- The solver ---- */
static int must_end (void *data) {
  SatSolver *solver = data;
  gint64 now = g_get_monotonic_time ();
  solver->looks++;
  if (now >= solver->next_look) {
    /* Measuring the memory in use is slow if much is in use. */
    gsize most = solver->budget->max_memory;
    if (most && bytes_resident () > most) {
      gsize bytes = bytes_in_use ();
      rsp_budget_limit_part (solver->budget, bytes - MIN (bytes, solver->before));
    }
    gint64 took = g_get_monotonic_time () - now;
    solver->next_look = now + LOOK_EVERY + LOOK_RARELY * took;
  }
  return rsp_budget_is_exhausted (solver->budget)
         || (solver->most_looks && solver->looks > solver->most_looks);
}

SatSolver *sat_solver_new (RspBudget *budget) {
  SatSolver *solver = g_new0 (SatSolver, 1);
  solver->before = bytes_in_use ();
  solver->cadical = ccadical_init ();
  solver->budget = budget;
  ccadical_set_option (solver->cadical, "quiet", 1);
  begin_checks (solver);
  ccadical_set_terminate (solver->cadical, solver, must_end);
  return solver;
}

void sat_solver_free (SatSolver *solver) {
  if (!solver)
    return;
  ccadical_release (solver->cadical);
  end_checks (solver);
  g_free (solver);
}

int sat_solver_variable (SatSolver *solver) { return ++solver->n_variables; }

void sat_solver_add (SatSolver *solver, int literal) {
  ccadical_add (solver->cadical, literal);
  note_literal (solver->clauses, literal);
}

void sat_solver_assume (SatSolver *solver, int literal) {
  ccadical_assume (solver->cadical, literal);
  note_literal (solver->assumed, literal);
}

void sat_solver_limit (SatSolver *solver, int n) {
  ccadical_limit (solver->cadical, "conflicts", n);
}

void sat_solver_allow (SatSolver *solver, guint n) { solver->most_looks = solver->looks + n; }

SatAnswer sat_solver_solve (SatSolver *solver) {
  if (must_end (solver))
    return SAT_UNKNOWN;
  int answer = ccadical_solve (solver->cadical);
  if (answer == 20)
    check_failed (solver);
  forget_assumptions (solver);
  if (answer == 10)
    return SAT_YES;
  return answer == 20 ? SAT_NO : SAT_UNKNOWN;
}

gboolean sat_solver_value (SatSolver *solver, int literal) {
  return ccadical_val (solver->cadical, literal) == literal;
}

#else

SatSolver *sat_solver_new (RspBudget *budget) {
  (void) budget;
  return NULL;
}

void sat_solver_free (SatSolver *solver) { (void) solver; }

int sat_solver_variable (SatSolver *solver) {
  (void) solver;
  g_assert_not_reached ();
}

void sat_solver_add (SatSolver *solver, int literal) {
  (void) solver, (void) literal;
  g_assert_not_reached ();
}

void sat_solver_assume (SatSolver *solver, int literal) { sat_solver_add (solver, literal); }

void sat_solver_allow (SatSolver *solver, guint n) { sat_solver_add (solver, (int) n); }

void sat_solver_limit (SatSolver *solver, int n) { sat_solver_add (solver, n); }

SatAnswer sat_solver_solve (SatSolver *solver) {
  (void) solver;
  g_assert_not_reached ();
}

gboolean sat_solver_value (SatSolver *solver, int literal) {
  (void) solver, (void) literal;
  g_assert_not_reached ();
}

#endif
