/* The search of a space for a question's answer: sizes in turn, shapes in parallel. */
#pragma once

#include "base/budget.h"
#include "synth/questions/question.h"

enum {
  SYNTH_BLOCK = 64 /* shapes that are searched, shared out and kept together */
};

/* Statistics of one size. */
typedef struct SynthSize {
  guint events;
  double programs; /* canonical ones */
  guint found;     /* findings */
  guint kinds;     /* of theirs, and of programs in other shares if the search needs to know */
} SynthSize;

typedef struct SynthSearch {
  const SynthQuestion *question;
  const SynthSpace *space;
  RspModel *const *models;
  guint n_models;
  const RspStageOptions *stage;
  const SynthTarget *target; /* as in SynthWork */
  RspDiagnostics *diagnostics;
  gboolean all;        /* continue to the largest size although all kinds were found */
  guint jobs;          /* threads; at least 1 */
  guint share, shares; /* share (from 0) of shares; 0 of 1: everything */
  const char *kept;    /* file of finished blocks (-resume), or NULL */
  const char *key;     /* key of the file's lines: question, models, space */
  gint *stop;          /* set by others to end the search */
  RspBudget budget;    /* its memory is that of findings; afterwards, the limit that was reached */
  /* Called from time to time, by one thread at a time; may be NULL. */
  void (*progress) (gpointer data, guint events, double done, double seconds);
  gpointer data;
  /* Out. */
  GPtrArray *found;  /* of SynthFinding, owned: in order of size, shape, labels */
  GArray *sizes;     /* of SynthSize, those that were begun */
  gboolean complete; /* has every relevant size been searched completely? */
} SynthSearch;

/* FALSE after an error, reported in diagnostics. */
gboolean rsp_synth_search_run (SynthSearch *search);
void rsp_synth_search_clear (SynthSearch *search);
