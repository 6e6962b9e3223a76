/* The unit test suites, one line each: SUITE (name) stands for `Suite *name_suite (void)`. */
SUITE (source)
SUITE (log)
SUITE (term)
SUITE (matrix)
SUITE (dag)
SUITE (cat_parse)
SUITE (cat_errors)
SUITE (litmus)
