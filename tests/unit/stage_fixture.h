/* A small pre-execution and one of its executions, on which the tests of staging run programs.
 *
 * The tests run in two sizes: as it is, and with events added that are in no set and no relation,
 * so that rows take two words.
 *
 * The pre-execution: initial writes of x and y; P0: Wx, Wy (release); P1: Ry (acquire), Rx; P2: RMW
 * y (seq_cst, remote), fence (seq_cst), Wx. P0 and P1 are in one work-group, P2 in another. */
#pragma once

#include "model/model.h"

enum { IX, IY, WX, WY, RY, RX, UY, FE, VX, N_EVENTS };

typedef struct StageFixture {
  RspArena *arena;
  RspBase base;
  RspMatrix *rf, *co;
  RspDiagnostics *diagnostics;
  RspSource *source;
  RspModel model;
  RspStaging *staging;
} StageFixture;

extern StageFixture stage_fixture;

/* Checked fixtures: the pre-execution as it is, and with events more. */
void stage_set_up (void);
void stage_set_up_wide (void);
void stage_tear_down (void);

/* Parses and stages; stage_fixture.staging is NULL after an error. given: with rf and co. The
 * variant "on" is on, axioms named "skipped" are skipped, and `rmw` is a relation where the text
 * says rmw_relation. */
void stage_program (const char *text, gboolean given);
/* Drops the program and its diagnostics. */
void stage_clear_program (void);
/* All diagnostics, printed; in the fixture's arena. */
char *stage_messages (void);
/* The staged model, of which there must be just one. */
const RspStagedModel *stage_only_model (void);
/* The first axiom of that name, or NULL. */
const RspStagedAxiom *stage_axiom_named (const RspStagedModel *model, const char *name);
/* The value of an axiom's node on the fixture's execution; orders are taken in order of events. */
RspMatrix *stage_value_of (const RspStagedModel *model, const RspStagedAxiom *axiom);
