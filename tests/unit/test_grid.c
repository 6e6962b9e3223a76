/* Grids as -grid takes them. */
#include "parser/kernel/kernel.h"

#include <check.h>

Suite *grid_suite (void);

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

Suite *grid_suite (void) {
  Suite *suite = suite_create ("grid");
  TCase *tcase = tcase_create ("grid");
  tcase_add_test (tcase, grids);
  suite_add_tcase (suite, tcase);
  return suite;
}
