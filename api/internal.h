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

/* Adds to `values` (of gint64) the value nearest to 0 of each class: with two values of the type
 * that are in one class, all conditions (of RspTerm) on the unknown have the same truth, or none.
 * FALSE if that is not known: a condition calculates too much with it, or there are too many
 * classes. */
gboolean rsp_classes_find (const GPtrArray *conditions, const RspTerm *unknown, guint8 bits,
                           gboolean is_signed, GArray *values);
