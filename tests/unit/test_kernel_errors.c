/* The messages for wrong kernels: tests/errors/kernels/, and damaged ones. */
#include "parser/kernel/kernel.h"
#include "tests/diagnostics_text.h"
#include "tests/unit/complaints.h"

#include <check.h>
#include <string.h>

Suite *kernel_errors_suite (void);

static const RspKernelOptions options = { .grid = { 2, 1, 2, 1, { 2, 1, 1 }, { 2, 1, 1 }, 1 } };

static char *complain (const char *path) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspKernel) kernel = rsp_kernel_read (path, &options, diagnostics);
  ck_assert_msg (!kernel, "%s passes", path);
  return diagnostics_text (diagnostics);
}

static const Complaints wrong_files = { "tests/errors/kernels", ".cl", complain };

START_TEST (wrong_kernels_are_explained) { complaints_check (&wrong_files, _i); }
END_TEST

START_TEST (grids) {
  static const char *const wrong[]
      = { "",        "2",    "x",    "2x",  "x2",   "0x2",       "2x0",
          "2x2x2x2", "2x-2", "2 x2", "2y2", "2,x2", "1,1,1,1x2", "2x2x2,2" };
  RspGrid grid = { .devices = 1 };
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    ck_assert_msg (!rsp_grid_parse (wrong[i], &grid), "%s passes", wrong[i]);
  ck_assert (rsp_grid_parse ("3x4", &grid));
  ck_assert_uint_eq (grid.groups, 3);
  ck_assert_uint_eq (grid.sub_groups, 1);
  ck_assert_uint_eq (grid.items, 4);
  ck_assert (rsp_grid_parse ("2x3x5", &grid));
  ck_assert_uint_eq (grid.sub_groups, 3);
  ck_assert_uint_eq (grid.items, 5);
  ck_assert_uint_eq (grid.item_sizes[0], 15);
  ck_assert (rsp_grid_parse ("2,3x4", &grid));
  ck_assert_uint_eq (grid.groups, 6);
  ck_assert_uint_eq (grid.group_sizes[1], 3);
  ck_assert_uint_eq (grid.item_sizes[1], 1);
  ck_assert_uint_eq (grid.dimensions, 2);
}
END_TEST

Suite *kernel_errors_suite (void) {
  Suite *suite = suite_create ("kernel_errors");
  TCase *tcase = tcase_create ("kernel_errors");
  tcase_add_loop_test (tcase, wrong_kernels_are_explained, 0, complaints_count (&wrong_files));
  tcase_add_test (tcase, grids);
  suite_add_tcase (suite, tcase);
  return suite;
}
