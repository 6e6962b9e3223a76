#include "cli/run/missing.h"
#include "cli/select/share.h"

#include <stdio.h>

enum {
  NAMED_MISSING = 8,   /* limit of missing tests, or shares, that are named */
  MOST_LISTED = 100000 /* limit of missing tests that are examined, in case a file claims
                        * billions */
};

/* Things of one kind that are missing. */
typedef struct Missing {
  guint n;
  GString *named;
} Missing;

static void miss (Missing *missing, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void miss (Missing *missing, const char *format, ...) {
  if (missing->n++ >= NAMED_MISSING) {
    if (missing->n == NAMED_MISSING + 1)
      g_string_append (missing->named, ", …");
    return;
  }
  va_list arguments;
  va_start (arguments, format);
  g_string_append (missing->named, missing->n > 1 ? ", " : "");
  g_string_append_vprintf (missing->named, format, arguments);
  va_end (arguments);
}

static const RspRecord *record_at (const GPtrArray *records, guint at) {
  return records->pdata[at];
}

/* The tests that are missing. */
typedef struct Tests {
  guint64 n;
  GArray *numbers; /* of guint, from 0: the first of them */
} Tests;

/* ---- Shares ---- */

/* The N of the shares K/N of the records; 0 if there is none. */
static guint shares_of (const GPtrArray *records) {
  guint of = 0;
  for (guint i = 0; i < records->len; i++) {
    guint number, own;
    const char *shard = record_at (records, i)->shard;
    if (!shard || sscanf (shard, "%u/%u", &number, &own) != 2)
      continue;
    if (!own || (of && own != of))
      return 0;
    of = own;
  }
  return of;
}

static int compare_numbers (gconstpointer a, gconstpointer b) {
  guint x = *(const guint *) a, y = *(const guint *) b;
  return (x > y) - (x < y);
}

/* "2/3, 3/3": the shares of N that the missing tests belong to. Newly allocated. */
static char *name_shares (const Tests *tests, guint of) {
  Missing shares = { 0, g_string_new (NULL) };
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; of && i < tests->numbers->len; i++) {
    guint share = cli_share_of (g_array_index (tests->numbers, guint, i), of);
    g_array_append_val (numbers, share);
  }
  g_array_sort (numbers, compare_numbers);
  for (guint i = 0; i < numbers->len; i++)
    if (i == 0 || g_array_index (numbers, guint, i) != g_array_index (numbers, guint, i - 1))
      miss (&shares, "%u/%u", g_array_index (numbers, guint, i), of);
  return g_string_free (shares.named, FALSE);
}

/* ---- All ---- */

/* "5 tests of share 2/3 are missing: number 1 of 14, …" */
static void report_tests (const Tests *tests, const GPtrArray *records,
                          RspDiagnostics *diagnostics) {
  guint of = shares_of (records);
  g_autofree char *shares = name_shares (tests, of);
  g_autofree char *hint
      = of ? g_strdup_printf (
            "run `-shard %s`, or continue it with `-resume FILE` if it was interrupted", shares)
           : g_strdup ("continue the interrupted run with `-resume FILE`");
  Missing missing = { 0, g_string_new (NULL) };
  for (guint i = 0; i < tests->numbers->len; i++)
    miss (&missing, "number %u of %u", g_array_index (tests->numbers, guint, i) + 1,
          record_at (records, 0)->total);
  rsp_error (diagnostics, RSP_NOWHERE, hint, "%" G_GUINT64_FORMAT " test%s%s%s %s missing: %s",
             tests->n, tests->n == 1 ? "" : "s", of ? " of share " : "", shares,
             tests->n == 1 ? "is" : "are", missing.named->str);
  g_string_free (missing.named, TRUE);
}

static void add_range (Tests *tests, guint begin, guint end) {
  for (guint index = begin; index < end && tests->numbers->len < MOST_LISTED; index++)
    g_array_append_val (tests->numbers, index);
  tests->n += end > begin ? end - begin : 0;
}

/* Of the test at *at, which moves on to the next: are there records of all models? */
static void count_models (const GPtrArray *records, guint *at, Missing *models) {
  const RspRecord *record = record_at (records, *at);
  guint index = record->index, n = 0, columns = 0;
  for (; *at < records->len && record_at (records, *at)->index == index; ++*at) {
    record = record_at (records, *at);
    n += !record->log;
    columns = record->log ? columns : MAX (columns, record->columns);
  }
  if (n < columns)
    miss (models, "%s (%u of %u)", record->test, n, columns);
}

static void report_models (const Missing *models, RspDiagnostics *diagnostics) {
  if (models->n)
    rsp_error (diagnostics, RSP_NOWHERE, "continue the interrupted run with `-resume FILE`",
               "%u %s not checked under all models: %s", models->n,
               models->n == 1 ? "test was" : "tests were", models->named->str);
}

gboolean cli_missing_report (const GPtrArray *records, RspDiagnostics *diagnostics) {
  Tests tests = { 0, g_array_new (FALSE, FALSE, sizeof (guint)) };
  Missing models = { 0, g_string_new (NULL) };
  guint next = 0;
  for (guint at = 0; at < records->len;) {
    guint index = record_at (records, at)->index;
    add_range (&tests, next, index);
    next = index + 1;
    count_models (records, &at, &models);
  }
  if (records->len)
    add_range (&tests, next, record_at (records, 0)->total);
  if (tests.n)
    report_tests (&tests, records, diagnostics);
  report_models (&models, diagnostics);
  g_string_free (models.named, TRUE);
  g_array_unref (tests.numbers);
  return tests.n > 0;
}
