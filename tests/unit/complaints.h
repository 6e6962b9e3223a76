/* The messages for wrong files: each FOLDER/NAME.SUFFIX against NAME.expected next to it, letter by
 * letter. RSP_PROMOTE=1 writes the expected files anew, to be reviewed. */
#pragma once

#include "base/diagnostic.h"

/* What reading a file prints, newly allocated. */
typedef char *(*Complain) (const char *path);

typedef struct Complaints {
  const char *folder, *suffix;
  Complain complain;
} Complaints;

/* How many files there are, each of which is one test: tcase_add_loop_test (…, 0, n). */
int complaints_count (const Complaints *complaints);

/* Fails the test at work, with a diff, unless file number i (by name) is complained of as expected.
 */
void complaints_check (const Complaints *complaints, int i);
