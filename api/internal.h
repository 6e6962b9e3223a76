#pragma once

#include "api/api.h"
#include "enumerator/terms/terms.h"
#include "rspcheck.h"

/* ---- Private -------------------------------------------------------------------------------- */

/* The public types that several files of this folder look into. */

struct RspcheckTest {
  gatomicrefcount references;
  RspProgram *program;
};

struct RspcheckModel {
  gatomicrefcount references;
  RspModel *model;
  GArray *axioms; /* of RspModelAxiom */
};

struct RspcheckResult {
  gatomicrefcount references;
  RspcheckStop stop;
  RspRecord *record;
  GPtrArray *flags;    /* the record's, and NULL */
  GArray *flag_events; /* of RspViewEvent: the record's evidence, in its order */
};

/* ---- Classes -------------------------------------------------------------------------------- */

/* Values that conditions cannot tell apart. */

/* '1' or '0', '?' if it is neither. */
char rsp_condition_truth (const RspTerm *condition, const RspEvaluation *evaluation);

typedef struct RspUnknownNumber {
  const RspTerm *term;
  guint8 bits;
  gboolean is_signed;
  const GPtrArray *conditions; /* of RspTerm: those on this number alone */
  GHashTable *required;        /* of RspTerm: what holds in all executions; NULL: nothing */
} RspUnknownNumber;

/* Adds to `values` (of gint64) the value nearest to 0 of each class: with two values of the type
 * that are in one class, all conditions on the number have the same truth, or none. Values that
 * required conditions exclude are in none; 0 is added if all are. FALSE if the classes are not
 * known: a condition calculates too much with the number, or there are too many. */
gboolean rsp_classes_find (const RspUnknownNumber *number, GArray *values);

/* Adds to `rows` (of gint64) rows of n values, one for each combination of truths that the
 * conditions on several of the numbers, and those on each alone, can have, unless required ones
 * exclude it; one of zeros if they exclude all. FALSE if that is not known: a condition does more
 * than compare sums of one number, the negation of another one and constants, or there are too
 * many. */
gboolean rsp_classes_find_rows (const GPtrArray *conditions, const RspUnknownNumber *numbers,
                                guint n, GArray *rows);
