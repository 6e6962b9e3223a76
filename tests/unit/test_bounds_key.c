/* Keys of bounds: states with equal keys have the same completions, and what no axiom can tell
 * apart has one key. */
#include "model/bounds/bounds.h"
#include "model/stage/stage.h"

#include <check.h>

Suite *bounds_key_suite (void);

enum {
  N = 5,      /* events; co may relate any two */
  READS = 3,  /* with rf: the first of two reads; those before it are writes */
  N_OPEN = 4, /* undecided pairs of co of a state, at most */
  N_STATES = 48,
  N_SEEDS = 300,
  N_AXIOMS = 2
};

typedef struct Fixture {
  gboolean has_rf; /* is there one, or no read? */
  GRand *random;
  RspArena *arena;
  RspDag *dag;
  RspMatrix *rf, *co;
  RspStagedAxiom axioms[N_AXIOMS];
  RspStagedModel model;
  RspBounds *bounds;
} Fixture;

static void begin (Fixture *f, guint32 seed) {
  *f = (Fixture){ .random = g_rand_new_with_seed (seed), .arena = rsp_arena_new () };
  f->dag = rsp_dag_new (f->arena, N);
  f->rf = rsp_relation_new (f->arena, N);
  f->co = rsp_relation_new (f->arena, N);
  for (guint x = 0; x < N; x++)
    for (guint y = 0; y < N; y++)
      if (x != y)
        rsp_matrix_add (f->co, x, y);
}

/* From now on events read. */
static void add_reads (Fixture *f) {
  f->has_rf = TRUE;
  for (guint w = 0; w < READS; w++)
    for (guint r = READS; r < N; r++)
      rsp_matrix_add (f->rf, w, r);
}

static void make_bounds (Fixture *f, guint n_axioms) {
  for (guint i = 0; i < n_axioms; i++)
    f->axioms[i].root = rsp_axiom_root (f->dag, f->axioms[i].kind, f->axioms[i].node);
  f->model = (RspStagedModel){ .dag = f->dag, .n_axioms = n_axioms, .axioms = f->axioms };
  const RspMatrix *none = rsp_relation_new (f->arena, f->dag->n);
  f->bounds = rsp_bounds_new (&f->model, (RspExtent){ none, f->rf }, (RspExtent){ none, f->co },
                              f->arena);
}

static void end (Fixture *f) {
  rsp_bounds_free (f->bounds);
  rsp_dag_free (f->dag);
  rsp_arena_free (f->arena);
  g_rand_free (f->random);
}

/* ---- Random models ---- */

static guint below (Fixture *f, guint n) {
  return (guint) g_rand_int_range (f->random, 0, (gint32) n);
}

static RspNodeId random_node (Fixture *f, guint depth) {
  static const RspNodeOp binary[] = { RSP_NODE_UNION, RSP_NODE_INTER, RSP_NODE_DIFF, RSP_NODE_SEQ };
  guint op = depth ? below (f, 9) : 8;
  if (op < 4) {
    RspNodeId a = random_node (f, depth - 1), b = random_node (f, depth - 1);
    return rsp_dag_binary (f->dag, binary[op], a, b);
  }
  if (op < 7)
    return rsp_dag_unary (f->dag, op < 6 ? RSP_NODE_PLUS : RSP_NODE_INVERSE,
                          random_node (f, depth - 1));
  if (below (f, 3))
    return rsp_dag_base (f->dag, f->has_rf && below (f, 2) ? RSP_NODE_RF : RSP_NODE_CO, 0);
  RspMatrix *constant = rsp_relation_new (f->arena, N);
  for (guint i = 0; i < N; i++)
    rsp_matrix_add (constant, below (f, N), below (f, N));
  return rsp_dag_constant (f->dag, FALSE, constant);
}

/* What `irreflexive` says of it is about circles with a closure in them. */
static RspNodeId random_circles (Fixture *f) {
  RspNodeId closure = rsp_dag_unary (f->dag, RSP_NODE_PLUS, random_node (f, 2));
  RspNodeId other = random_node (f, 3);
  gboolean first = below (f, 2);
  return rsp_dag_binary (f->dag, RSP_NODE_SEQ, first ? closure : other, first ? other : closure);
}

static void make_random_axioms (Fixture *f) {
  for (guint i = 0; i < N_AXIOMS; i++)
    f->axioms[i]
        = (RspStagedAxiom){ .kind = i ? RSPCHECK_AXIOM_IRREFLEXIVE : RSPCHECK_AXIOM_ACYCLIC,
                            .role = RSPCHECK_ROLE_FLAG,
                            .negated = below (f, 4) == 0,
                            .node = i && below (f, 2) ? random_circles (f) : random_node (f, 4) };
  make_bounds (f, N_AXIOMS);
}

/* ---- States ---- */

typedef struct Pairs {
  guint n, x[N_OPEN], y[N_OPEN];
  guint excluded[N - READS]; /* per read: the write that it does not read from, of three; G_MAXUINT
                                if that is decided */
} Pairs;

static void set (Fixture *f, guint x, guint y, gboolean there) {
  (there ? rsp_bounds_decide : rsp_bounds_exclude) (f->bounds, RSP_LEAF_CO, x, y);
}

static gboolean is_open (const Pairs *open, guint x, guint y) {
  for (guint i = 0; i < open->n; i++)
    if (open->x[i] == x && open->y[i] == y)
      return TRUE;
  return FALSE;
}

static void choose_open (Fixture *f, Pairs *open) {
  guint n = f->has_rf ? N_OPEN - 2 : N_OPEN;
  for (guint i = 0; i < N - READS; i++)
    open->excluded[i] = f->has_rf && below (f, 3) ? below (f, READS) : G_MAXUINT;
  open->n = 0;
  while (open->n < n) {
    guint x = below (f, N), y = below (f, N);
    if (x == y || is_open (open, x, y))
      continue;
    open->x[open->n] = x;
    open->y[open->n++] = y;
  }
}

/* Decides what a read reads from. */
static void read_from (Fixture *f, guint read, guint write) {
  for (guint w = 0; w < READS; w++)
    if (w != write && rsp_row_has (rsp_bounds_hi (f->bounds, RSP_LEAF_RF, w), read))
      rsp_bounds_exclude (f->bounds, RSP_LEAF_RF, w, read);
  rsp_bounds_decide (f->bounds, RSP_LEAF_RF, write, read);
}

/* Chooses for each open read one of its two candidates by a bit. */
static void choose_sources (Fixture *f, const Pairs *open, guint bits) {
  for (guint i = 0; i < N - READS; i++)
    if (open->excluded[i] != G_MAXUINT)
      read_from (f, READS + i, (open->excluded[i] + 1 + (bits >> i & 1)) % READS);
}

/* The truth of both axioms in each completion, two bits for each. */
static guint64 truths (Fixture *f, const Pairs *open) {
  guint64 all = 0;
  guint n_bits = open->n + (f->has_rf ? N - READS : 0);
  for (guint chosen = 0; chosen < 1u << n_bits; chosen++) {
    rsp_bounds_push (f->bounds);
    for (guint i = 0; i < open->n; i++)
      set (f, open->x[i], open->y[i], chosen >> i & 1);
    if (f->has_rf)
      choose_sources (f, open, chosen >> open->n);
    ck_assert (rsp_bounds_update (f->bounds));
    for (guint i = 0; i < N_AXIOMS; i++) {
      ck_assert (rsp_bounds_axiom (f->bounds, i) != RSP_OPEN);
      all = all << 1 | (rsp_bounds_axiom (f->bounds, i) == RSP_HOLDS);
    }
    rsp_bounds_pop (f->bounds);
  }
  return all;
}

typedef struct State {
  RspHash key;
  RspTruth axioms[N_AXIOMS];
  guint64 truths;
} State;

static void visit_random_state (Fixture *f, const Pairs *open, guint one_in, State *state) {
  rsp_bounds_push (f->bounds);
  for (guint x = 0; x < N; x++)
    for (guint y = 0; y < N; y++)
      if (x != y && !is_open (open, x, y))
        set (f, x, y, below (f, one_in) == 0);
  for (guint i = 0; f->has_rf && i < N - READS; i++)
    if (open->excluded[i] == G_MAXUINT)
      read_from (f, READS + i, below (f, READS));
    else
      rsp_bounds_exclude (f->bounds, RSP_LEAF_RF, open->excluded[i], READS + i);
  ck_assert (rsp_bounds_update (f->bounds));
  state->key = rsp_bounds_key (f->bounds);
  for (guint i = 0; i < N_AXIOMS; i++)
    state->axioms[i] = rsp_bounds_axiom (f->bounds, i);
  state->truths = truths (f, open);
  rsp_bounds_pop (f->bounds);
}

/* Settled axioms are not in the key. */
static gboolean have_same_settled_axioms (const State *a, const State *b) {
  for (guint i = 0; i < N_AXIOMS; i++)
    if (a->axioms[i] != b->axioms[i])
      return FALSE;
  return TRUE;
}

/* Returns the number of pairs of states that have one key. */
static guint compare_random_states (guint32 seed, gboolean has_rf) {
  Fixture f;
  Pairs open;
  State states[N_STATES];
  guint n = 0;
  begin (&f, seed);
  if (has_rf)
    add_reads (&f);
  make_random_axioms (&f);
  choose_open (&f, &open);
  for (guint i = 0; i < N_STATES; i++) {
    visit_random_state (&f, &open, 2 + seed % 4, &states[i]);
    for (guint j = 0; j < i; j++)
      if (rsp_hash_equal (&states[i].key, &states[j].key)
          && have_same_settled_axioms (&states[i], &states[j])) {
        ck_assert_msg (states[i].truths == states[j].truths, "seed %u, states %u and %u", seed, j,
                       i);
        n++;
      }
  }
  end (&f);
  return n;
}

START_TEST (test_equal_keys_mean_equal_completions) {
  guint n = 0;
  for (guint32 seed = 0; seed < N_SEEDS; seed++)
    n += compare_random_states (seed, FALSE);
  ck_assert_uint_ge (n, 1000);
}
END_TEST

START_TEST (test_equal_keys_with_reads_mean_equal_completions) {
  guint n = 0;
  for (guint32 seed = 0; seed < N_SEEDS; seed++)
    n += compare_random_states (seed, TRUE);
  ck_assert_uint_ge (n, 1000);
}
END_TEST

/* ---- What makes no difference to circles ---- */

static RspNodeId constant_of (Fixture *f, const char *pairs) {
  RspMatrix *constant = rsp_relation_new (f->arena, N);
  for (const char *p = pairs; *p; p += p[2] ? 3 : 2)
    rsp_matrix_add (constant, (guint) (p[0] - '0'), (guint) (p[1] - '0'));
  return rsp_dag_constant (f->dag, FALSE, constant);
}

/* acyclic co; or irreflexive co+ ; (others | (co & some)). */
static void forbid_circles (Fixture *f, const char *others, const char *some) {
  RspNodeId co = rsp_dag_base (f->dag, RSP_NODE_CO, 0),
            closure = rsp_dag_unary (f->dag, RSP_NODE_PLUS, co);
  f->axioms[0]
      = (RspStagedAxiom){ .kind = RSPCHECK_AXIOM_ACYCLIC, .role = RSPCHECK_ROLE_AXIOM, .node = co };
  if (!others)
    return;
  RspNodeId open = rsp_dag_binary (f->dag, RSP_NODE_INTER, co, constant_of (f, some));
  RspNodeId other = rsp_dag_binary (f->dag, RSP_NODE_UNION, open, constant_of (f, others));
  f->axioms[0].kind = RSPCHECK_AXIOM_IRREFLEXIVE;
  f->axioms[0].node = rsp_dag_binary (f->dag, RSP_NODE_SEQ, closure, other);
}

/* The key of a state: "01 ?30" has 0 → 1, and 3 → 0 undecided; all other pairs are excluded. */
static RspHash key_of (const char *text, const char *others, const char *some) {
  Fixture f;
  begin (&f, 0);
  forbid_circles (&f, others, some);
  make_bounds (&f, 1);
  gboolean is_given[N][N] = { { FALSE } };
  for (const char *p = text; *p; p += p[2] ? 3 : 2) {
    gboolean undecided = *p == '?';
    p += undecided;
    is_given[p[0] - '0'][p[1] - '0'] = TRUE;
    if (!undecided)
      set (&f, (guint) (p[0] - '0'), (guint) (p[1] - '0'), TRUE);
  }
  for (guint x = 0; x < N; x++)
    for (guint y = 0; y < N; y++)
      if (x != y && !is_given[x][y])
        set (&f, x, y, FALSE);
  ck_assert (rsp_bounds_update (f.bounds));
  ck_assert_int_eq (rsp_bounds_axiom (f.bounds, 0), RSP_OPEN);
  RspHash key = rsp_bounds_key (f.bounds);
  end (&f);
  return key;
}

static gboolean have_one_key (const char *a, const char *b) {
  RspHash x = key_of (a, NULL, NULL), y = key_of (b, NULL, NULL);
  return rsp_hash_equal (&x, &y);
}

START_TEST (test_circles) {
  ck_assert (!have_one_key ("03 ?30", "03 ?30 ?31 10"));
  ck_assert (!have_one_key ("03 ?30 ?32 ?23", "01 ?30 ?32 ?23"));
  /* What lies on a way. */
  ck_assert (have_one_key ("03 ?30", "01 13 ?30"));
  /* A step that a known way makes superfluous. */
  ck_assert (have_one_key ("03 ?30", "01 13 ?03 ?30"));
  /* A detour: from 0 to 2, from which the only step leads where 0 leads anyway. */
  ck_assert (have_one_key ("03 ?30 ?32 ?23", "02 03 ?30 ?32 ?23"));
}
END_TEST

static gboolean have_one_key_with (const char *others, const char *some, const char *a,
                                   const char *b) {
  RspHash x = key_of (a, others, some), y = key_of (b, others, some);
  return rsp_hash_equal (&x, &y);
}

START_TEST (test_circles_with_another_relation) {
  ck_assert (!have_one_key_with ("30 41", "", "01 12 ?23 ?24", "02 ?23 ?24"));
  ck_assert (!have_one_key_with ("31", "30", "01 12 ?23 ?30", "02 ?23 ?30"));
  /* The circle of 1 and 3: that of 0 and 3 is there as well. */
  ck_assert (have_one_key_with ("30 31", "", "01 12 ?23", "02 ?23"));
  /* From 4 to 3, where only circles of 0 end. */
  ck_assert (have_one_key_with ("30 24", "", "?03 ?42 43", "?03 ?42"));
}
END_TEST

Suite *bounds_key_suite (void) {
  Suite *suite = suite_create ("bounds-key");
  TCase *keys = tcase_create ("keys");
  tcase_set_timeout (keys, 600);
  tcase_add_test (keys, test_equal_keys_mean_equal_completions);
  tcase_add_test (keys, test_equal_keys_with_reads_mean_equal_completions);
  tcase_add_test (keys, test_circles);
  tcase_add_test (keys, test_circles_with_another_relation);
  suite_add_tcase (suite, keys);
  return suite;
}
