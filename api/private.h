/* The public types that several files of this folder look into. */
#pragma once

#include "api/run/run.h"
#include "rspcheck.h"

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

/* Are these options that were set up, with values in range? A critical message otherwise. */
gboolean api_options_are_valid (const RspcheckOptions *options);
