/* Which models are shown to demand coherence of a program's accesses, and which combinations that
 * leaves out. */
#include "enumerator/search/internal.h"
#include "enumerator/search/search.h"
#include "model/model.h"
#include "parser/litmus/litmus.h"
#include "tests/diagnostics_text.h"
#include "tests/unit/litmus_fixture.h"
#include "tests/unit/paths_of.h"

#include <glib/gstdio.h>
#include <string.h>

Suite *screen_suite (void);

static RspModel *model_of (const char *text) {
  static const char *const directories[] = { "cat", NULL }, *const none[] = { NULL };
  g_autoptr (RspDiagnostics) said = rsp_diagnostics_new ();
  g_autofree char *folder = g_dir_make_tmp ("screen-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "m.cat", NULL);
  ck_assert (g_file_set_contents (path, text, -1, NULL));
  RspModel *model = rsp_model_load (path, directories, none, said);
  g_remove (path);
  g_rmdir (folder);
  g_autofree char *text_said = diagnostics_text (said);
  ck_assert_msg (model != NULL, "%s", text_said);
  return model;
}

/* ---- Proofs ---- */

#define PROGRAM(body)                                                                              \
  "OpenCL T\n{ [x]=0; }\n"                                                                         \
  "P0 (global atomic_int* x) {\n" body "}\nP1 (global atomic_int* x) {\n" body "}\n"               \
  "scopeTree (device (work_group P0) (work_group P1))\nexists (x=0)\n"

#define RELAXED ", memory_order_relaxed, memory_scope_device);\n"
#define LOADS   "int r = atomic_load_explicit (x" RELAXED "int s = atomic_load_explicit (x" RELAXED
#define STORES  "atomic_store_explicit (x, 1" RELAXED "atomic_store_explicit (x, 2" RELAXED
#define RMW     "atomic_fetch_add_explicit (x, 1" RELAXED

/* Shapes of coherence, one forbidden at a time. */
#define WW   "irreflexive po ; co\n"
#define WR   "irreflexive po ; rf^-1 ; co\n"
#define RW   "irreflexive po ; (rf | (co ; rf))\n"
#define RR   "irreflexive po ; rf^-1 ; co ; rf\n"
#define RMWS "irreflexive (fr ; co) | (co ; rf)\n"

static const struct {
  const char *body, *model;
  gboolean coherent;
} proofs[] = {
  { LOADS STORES RMW, "\"M\"\nacyclic po | rf | co | fr\n", TRUE },
  { LOADS STORES RMW, "\"M\"\n" WW WR RW RR RMWS, TRUE },
  { LOADS STORES, "\"M\"\n" WW WR RW RR, TRUE },
  { STORES, "\"M\"\n" WW, TRUE },
  { RMW, "\"M\"\n" RMWS, TRUE },
  /* Each shape is needed. */
  { STORES, "\"M\"\n" WR RW RR RMWS, FALSE },
  { STORES LOADS, "\"M\"\n" WW RW RR RMWS, FALSE },
  { LOADS STORES, "\"M\"\n" WW WR RR RMWS, FALSE },
  { LOADS STORES, "\"M\"\n" WW WR "irreflexive po ; rf\n" RR, FALSE },
  { LOADS STORES, "\"M\"\n" WW WR "irreflexive po ; co ; rf\n" RR, FALSE },
  { LOADS STORES, "\"M\"\n" WW WR RW RMWS, FALSE },
  { STORES RMW, "\"M\"\n" WW WR RW RR, FALSE },
  { STORES RMW, "\"M\"\n" WW WR RW RR "irreflexive fr ; co\n", FALSE },
  { STORES RMW, "\"M\"\n" WW WR RW RR "irreflexive co ; rf\n", FALSE },
  /* Only of some events, or from some writes. */
  { LOADS STORES, "\"M\"\nlet w = po & (A * A)\nacyclic w | rf | co | fr\n", TRUE },
  { LOADS STORES, "\"M\"\nlet w = po & (REL * A)\nacyclic w | rf | co | fr\n", FALSE },
  { LOADS STORES, "\"M\"\nacyclic po | rfe | co | fr\n", FALSE },
  { LOADS STORES, "\"M\"\nacyclic po | (rf ; [R]) | ((co \\ loc) | (co & loc)) | fr\n", TRUE },
  /* What other events change proves nothing. */
  { STORES, "\"M\"\nirreflexive (po \\ (po ; po)) ; co\n", FALSE },
  { STORES, "\"M\"\nirreflexive (po \\ rf) ; co\n", FALSE },
  { STORES, "\"M\"\nirreflexive (po \\ (F * F)) ; co\n", TRUE },
  { STORES, "\"M\"\nirreflexive (po \\ fencerel (F)) ; co\n", FALSE },
  { STORES, "\"M\"\nirreflexive (po & ~(rf ; rf^-1)) ; co\n", FALSE },
  { STORES, "\"M\"\nlet f = if 0 = F then po else 0\nirreflexive f ; co\n", FALSE },
  { STORES, "\"M\"\nlet f = match F with || {} -> po || e ++ es -> 0 end\nirreflexive f ; co\n",
    FALSE },
  /* Definitions, functions, recursion. */
  { STORES, "\"M\"\nlet f (a, b) = a ; b\nlet c = f (po, co)\nirreflexive c as coherence\n", TRUE },
  { STORES, "\"M\"\nlet rec r = po | (r ; r)\nirreflexive r ; co\n", TRUE },
  /* What is not a plain check forbids nothing. */
  { STORES, "\"M\"\nundefined_unless irreflexive po ; co\nacyclic po\n", FALSE },
  { STORES, "\"M\"\nflag ~irreflexive po ; co\nacyclic po\n", FALSE },
  { STORES, "\"M\"\n~empty (po ; co) & id\n", FALSE },
  /* Shipped ones. */
  { LOADS STORES RMW, "\"M\"\ninclude \"opencl_rem.cat\"\n", TRUE },
  { LOADS STORES RMW, "\"M\"\ninclude \"sc.cat\"\n", TRUE },
  { LOADS STORES RMW, "\"M\"\ninclude \"rc11.cat\"\n", TRUE },
};

START_TEST (coherence_is_proved_where_it_is_demanded) {
  g_autofree char *text = g_strdup_printf (PROGRAM ("%s"), proofs[_i].body, proofs[_i].body);
  g_autoptr (PathsOf) p = paths_of (text, 2);
  g_autoptr (RspModel) model = model_of (proofs[_i].model);
  RspStageOptions options = { 0 };
  RspBudget budget = { 0 };
  Proof *proof = proof_new (p->program, model, &options, p->paths, &budget);
  ck_assert_msg (proof_of_coherence (proof, 0) == proofs[_i].coherent, "%s\n%s", proofs[_i].body,
                 proofs[_i].model);
  proof_free (proof);
}
END_TEST

static const struct {
  const char *body, *model;
  gboolean follows;
} updates[] = {
  { STORES RMW, "\"M\"\n" RMWS, TRUE },
  { STORES RMW, "\"M\"\nirreflexive fr ; co\n", FALSE },
  { STORES RMW, "\"M\"\nirreflexive co ; rf\n", FALSE },
  { STORES RMW, "\"M\"\n" WW WR RW RR, FALSE },
  { RMW RMW, "\"M\"\nlet between = fr ; co\nirreflexive between\nacyclic rf | co\n", TRUE },
  { RMW RMW, "\"M\"\nirreflexive fr ; [W \\ RMW] ; co\nacyclic rf | co\n", FALSE },
  { RMW RMW, "\"M\"\nflag ~irreflexive fr ; co\nacyclic rf | co\n", FALSE },
  { LOADS STORES RMW, "\"M\"\ninclude \"opencl.cat\"\n", TRUE },
  { LOADS STORES RMW, "\"M\"\ninclude \"rc11.cat\"\n", TRUE },
};

/* A proof that failed leaves nothing behind that the next one would take for proved. */
START_TEST (updates_follow_what_they_read_where_it_is_demanded) {
  g_autofree char *text = g_strdup_printf (PROGRAM ("%s"), updates[_i].body, updates[_i].body);
  g_autoptr (PathsOf) p = paths_of (text, 2);
  g_autoptr (RspModel) model = model_of (updates[_i].model);
  RspStageOptions options = { 0 };
  RspBudget budget = { 0 };
  Proof *proof = proof_new (p->program, model, &options, p->paths, &budget);
  gboolean coherent = proof_of_coherence (proof, 0);
  for (guint again = 0; again < 2; again++)
    ck_assert_msg (proof_of_adjacency (proof, 0) == updates[_i].follows, "%s\n%s", updates[_i].body,
                   updates[_i].model);
  ck_assert_int_eq (proof_of_coherence (proof, 0), coherent);
  ck_assert (updates[_i].follows || !coherent);
  proof_free (proof);
}
END_TEST

/* ---- Interleavings ---- */

#define LOAD(r, x)  "int " r " = atomic_load_explicit (" x RELAXED
#define STORE(x, v) "atomic_store_explicit (" x ", " v RELAXED
#define TWO_LOADS   LOAD ("r", "x") LOAD ("s", "x")
#define TWO_STORES  STORE ("x", "1") STORE ("x", "2")

/* Of two threads; the first path of each is taken. */
static const struct {
  const char *one, *other;
  gboolean found;
} orders[] = {
  { TWO_LOADS "if (r == 1 && s == 2) *y = 1;", TWO_STORES, TRUE },
  { TWO_LOADS "if (r == 0 && s == 2) *y = 1;", TWO_STORES, TRUE },
  { TWO_LOADS "if (r == 2 && s == 1) *y = 1;", TWO_STORES, FALSE },
  { TWO_LOADS "if (r == 1 && s == 0) *y = 1;", TWO_STORES, FALSE },
  /* What a read returns matters to another: it must be able to wait, and the state to remember it.
   */
  { TWO_LOADS "if (r + s == 3) *y = 1;", TWO_STORES, TRUE },
  { TWO_LOADS "if (r + s == 4) *y = 1;", TWO_STORES, TRUE },
  { TWO_LOADS "if (r - s == 1) *y = 1;", TWO_STORES, FALSE },
  { LOAD ("r", "x") STORE ("x", "r + 3") LOAD ("s", "x") "if (s == 4) *y = 1;", TWO_STORES, TRUE },
  { LOAD ("r", "x") STORE ("x", "r + 3") LOAD ("s", "x") "if (s == 6) *y = 1;", TWO_STORES, FALSE },
  /* One's own writes, and read-modify-writes. */
  { STORE ("x", "3") LOAD ("r", "x") "if (r == 0) *y = 1;", TWO_STORES, FALSE },
  { "int r = atomic_fetch_add_explicit (x, 1" RELAXED "if (r == 0) *y = 1;",
    "int r = atomic_fetch_add_explicit (x, 1" RELAXED "if (r == 0) *y = 1;", FALSE },
  { "int r = atomic_fetch_add_explicit (x, 1" RELAXED "if (r == 0) *y = 1;",
    "int r = atomic_fetch_add_explicit (x, 1" RELAXED "if (r == 1) *y = 1;", TRUE },
  /* After the same accesses in another order, the last value is another one. */
  { STORE ("x", "3"), STORE ("x", "1") TWO_LOADS "if (r + s == 6) *y = 1;", TRUE },
  { STORE ("x", "1") TWO_LOADS "if (r + s == 6) *y = 1;", STORE ("x", "3"), TRUE },
  /* Another location's values may be any. */
  { LOAD ("r", "x") "if (r == 7) *y = 1;", "int s = *y; " STORE ("x", "s"), TRUE },
  { LOAD ("r", "x") "if (r == 7) *y = 1;", "int s = *y; " STORE ("x", "s * 0"), FALSE },
};

START_TEST (an_order_is_found_where_there_is_one) {
  g_autofree char *text = g_strdup_printf (
      "OpenCL T\n{ [x]=0; [y]=0; }\nP0 (global atomic_int* x, global int* y) {\n%s}\n"
      "P1 (global atomic_int* x, global int* y) {\n%s}\n"
      "scopeTree (device (work_group P0) (work_group P1))\nexists (x=0)\n",
      orders[_i].one, orders[_i].other);
  g_autoptr (PathsOf) p = paths_of (text, 2);
  Projection projections[2];
  const Projection *threads[] = { &projections[0], &projections[1] };
  guint x = strcmp (p->program->locations[0].name, "x") == 0 ? 0 : 1;
  for (guint t = 0; t < 2; t++)
    projection_init (&projections[t], path_number (p, t, 0), x, p->arena);
  Interleaver *interleaver = interleaver_new (2, 8, p->arena);
  for (guint again = 0; again < 2; again++)
    ck_assert_msg (interleaver_finds (interleaver, threads, (RspValue){ 0 }) == orders[_i].found,
                   "%s", text);
  interleaver_free (interleaver);
}
END_TEST

Suite *screen_suite (void) {
  Suite *suite = suite_create ("screen");
  TCase *cases = tcase_create ("screen");
  tcase_add_loop_test (cases, coherence_is_proved_where_it_is_demanded, 0, G_N_ELEMENTS (proofs));
  tcase_add_loop_test (cases, updates_follow_what_they_read_where_it_is_demanded, 0,
                       G_N_ELEMENTS (updates));
  tcase_add_loop_test (cases, an_order_is_found_where_there_is_one, 0, G_N_ELEMENTS (orders));
  suite_add_tcase (suite, cases);
  return suite;
}
