/* The additional parts of a machine's record: how the machine was searched, and whether a model
 * allows all its states. */
#pragma once

#include <glib.h>

typedef struct RspRecord RspRecord;

typedef enum RspSoundness {
  RSP_UNJUDGED, /* there was no model, or it gave no answer */
  RSP_SOUND,    /* every state is allowed */
  RSP_UNSOUND,  /* some state is not */
  RSP_VACUOUS,  /* the program is undefined under the model, or has no execution: everything is
                 * allowed */
  RSP_BOUNDED,  /* every state found is allowed, but the search was limited */
  RSP_N_SOUNDNESS
} RspSoundness;

/* Part of a RspRecord. Texts are owned. */
typedef struct RspMachineReport {
  char *machine; /* NULL: the record is not a machine's */
  char *mapping;
  char *readings;   /* "NAME=VALUE …": those that differ from the defaults of rsp; may be empty */
  char *allowed_by; /* the model, or NULL */
  RspSoundness verdict;
  gboolean no_execution; /* VACUOUS: the model has none, which says nothing (set before judging) */
  gboolean deadlock;
  guint64 states, steps, bytes; /* of the search */
  char *unsound; /* the states that are not allowed, one per line; NULL if there are none */
  char *trace;   /* the shortest trace to the first of them, one step per line; NULL unless
                  * requested */
  char *deadlock_trace;
  char *violated;       /* an invariant of the machine that fails in some state, such as "I3"; or
                         * NULL */
  char *violated_trace; /* the shortest trace to such a state; NULL unless requested */
  char *bill; /* see machine/framework/bill.h: "flushes 0 1.50 3\n…": least, mean, most; or NULL */
} RspMachineReport;

/* Does the model's record have this state? */
gboolean rsp_soundness_allows (const RspRecord *model, const char *state);
/* Compares the record's states with those that a model's record of the same test allows, and sets
 * verdict, allowed_by and unsound. */
void rsp_soundness_judge (RspRecord *record, const RspRecord *model);
/* Appends "Sound NAME", "Unsound NAME: 0:r0=1; is not allowed", …, and "Deadlock NAME"; nothing for
 * a record that was not judged and has no deadlock. */
void rsp_soundness_format (const RspRecord *record, GString *out);

/* "sound", …: NULL-terminated. */
extern const char *const rsp_soundness_names[];
