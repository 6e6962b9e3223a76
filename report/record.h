#pragma once

#include <glib.h>

#include "enumerator/outcome.h"
#include "report/explanation.h"

/* ---- Soundness ------------------------------------------------------------------------------ */

/* The additional parts of a machine's record: how the machine was searched, and whether a model
 * allows all its states. */

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
  char *unsound; /* the states that are not allowed, each with a newline; NULL if there are none */
  char *trace;   /* the shortest trace to the first of them, one step per line; NULL unless
                  * requested */
  char *deadlock_trace;
  char *violated;       /* an invariant of the machine that fails in some state, such as "I3"; or
                         * NULL */
  char *violated_trace; /* the shortest trace to such a state; NULL unless requested */
  char *bill; /* see extra/machine/machine.h: "flushes 0 1.50 3\n…": least, mean, most; or NULL */
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

/* ---- Verdict -------------------------------------------------------------------------------- */

/* Why a search was stopped, newly allocated; NULL if it gave an answer. */
char *rsp_stop_reason (RspcheckStop stop, const RspCheckOptions *options);

/* "Never", "Sometimes", "Always", by RspcheckObservation; NULL ends them. */
extern const char *const rsp_observation_names[];

/* herd's kind of a test: "Allowed", "Forbidden", "Required". */
const char *rsp_quantifier_kind (RspQuantifier quantifier);

/* Does a condition with the quantifier hold if its proposition holds that often? */
gboolean rsp_quantifier_answer (RspQuantifier quantifier, RspcheckObservation observation);

/* The quantifier of a kind; FALSE if the word is not a kind. Accepts herd's short forms ("Allow")
 * and ignores case. */
gboolean rsp_quantifier_from_kind (const char *kind, RspQuantifier *quantifier);

/* ---- Record --------------------------------------------------------------------------------- */

/* Records: the result of one test under one model, as plain text and numbers. The log, comparisons,
 * JSON and all other reports are made from records, which come from a check or from a file. */

#include "report/explanation.h"
#include "report/record.h"
#include "report/record.h"

typedef struct RspRecordState {
  const char *text; /* as in the log: "0:r0=0; x=1;"; owned by the record */
  gboolean satisfies;
  gboolean undetermined; /* does that depend on undetermined values? Then it does not "satisfy" */
  guint length;          /* of the text; set by the record */
  RspCount executions, n_undefined;
} RspRecordState;

/* One of the events that show why a flag is raised, with its position in the test's text. */
typedef struct RspRecordEvent {
  const char *flag;   /* the record's */
  guint thread;       /* as in P0; RSP_NO_THREAD: an initial write */
  guint line, column; /* from 1; 0 if it is nowhere in the text */
  const char *text;   /* the record's */
} RspRecordEvent;

/* What is unknown in a record, because it was read from a log that does not show it: these fields
 * are then 0. Bits of RspRecord.unknown; a check's record has none. */
typedef enum RspUnknown {
  RSP_UNKNOWN_EXECUTIONS = 1,        /* states' executions */
  RSP_UNKNOWN_N_UNDEFINED = 2,       /* the record's n_undefined */
  RSP_UNKNOWN_SATISFIES = 4,         /* states' satisfies */
  RSP_UNKNOWN_UNDEFINED = 8,         /* do the flags raised mean undefined behaviour? */
  RSP_UNKNOWN_COUNTS = 16,           /* positive, negative */
  RSP_UNKNOWN_STATE_N_UNDEFINED = 32 /* states' n_undefined */
} RspUnknown;

/* A model's judgement of a device's runs. */
typedef enum RspJudged {
  RSP_JUDGED_AGREES,    /* all states seen are allowed */
  RSP_JUDGED_RACY,      /* the program is undefined: everything is allowed */
  RSP_JUDGED_VIOLATION, /* some state seen is not allowed, and the program is defined */
  RSP_JUDGED_BOUNDED,   /* some state seen is not allowed, but loops were truncated, so the model
                         * may allow it */
  RSP_JUDGED_NOT,       /* one of the two has no answer, or is missing */
  RSP_N_JUDGED
} RspJudged;

typedef struct RspJudgement {
  const char *model; /* the record's */
  RspJudged judged;
  GPtrArray *not_allowed; /* of const char *, the record's: states that were seen */
  GPtrArray *not_seen;    /* states that the model allows */
} RspJudgement;

typedef enum RspStatus {
  RSP_STATUS_OK, /* there is an answer */
  RSP_STATUS_TIMEOUT,
  RSP_STATUS_EXECUTIONS,
  RSP_STATUS_MEMORY,
  RSP_STATUS_ERROR,
  RSP_STATUS_LEFT_OUT /* the model or machine is not for tests of this language */
} RspStatus;

struct RspRecord {
  guint index, total;    /* index of the test among all tests of the run, over all shares */
  guint column, columns; /* index of the model among the models of the run */
  char *test;            /* its name, or its path if it cannot be read */
  char *path;
  char *model;        /* as columns are headed */
  char *model_digest; /* NULL if the model cannot be read */
  char *options;      /* what may change the result: "unroll=2 engine=bounded …" */
  char *version; /* of the program that made the record; NULL, like options, if a log does not show
                  * it */
  char *log;     /* the log it was read from; NULL for a check's record */
  guint unknown; /* RspUnknown bits */
  /* For runs on a device: the device, the compiler, the parameters of the run; NULL if no log shows
   * them. States are those that were seen, and their executions count how often. */
  gboolean is_device;
  char *device, *compiler, *setup;
  guint rounds;       /* most rounds of each loop; 0 for any number */
  GArray *judgements; /* of RspJudgement: judgements by models of the same row: see rsp_judge. Never
                       * NULL */

  gboolean is_kernel; /* it has no question; flags are kinds of findings (extra/kernel/) */
  RspStatus status;
  char *reason;    /* NULL if ok; "Timeout after 60 s" */
  char *kind;      /* "Allowed"; NULL if the test or the model cannot be read */
  char *condition; /* NULL like kind */
  /* The answer if ok, otherwise what was seen until the check ended. Counts are those of the
   * proposition, never swapped. */
  RspcheckObservation observation; /* Never until there is an answer */
  gboolean answer;                 /* is it Ok, not No? FALSE until there is an answer */
  gboolean loop;
  gboolean has_undefined; /* does the model have an undefined_unless, which makes n_undefined
                             meaningful? */
  gboolean undefined;     /* does a log show that some execution is undefined, perhaps without a
                           * count? */
  RspCount positive, negative, n_undefined;
  RspCount undetermined; /* executions in neither, whose truth depends on undetermined values */
  char *progress; /* lines "Ends NAME", "Hangs NAME: …", one per progress model; NULL if none was
                     asked */
  char *schedule; /* lines: how it hangs; NULL unless asked */
  GPtrArray *flags; /* of const char *, the record's, in the model's order; never NULL */
  GArray *evidence; /* of RspRecordEvent, grouped by flag; never NULL. Only if a report needs them:
                     * see enumerator/search/evidence.h */
  char *arrays;     /* names of those that states show whole, separated by blanks; or NULL */
  GArray *states;   /* of RspRecordState, as the log orders them; never NULL */

  RspExplanations *explanations; /* owned; NULL unless requested */
  GPtrArray *shown;      /* of const RspExecutionView *: executions to draw, in order; never NULL */
  RspArena *shown_arena; /* theirs; NULL if there are none */
  char *explanation;     /* of a record that was read: its explanations as JSON; else NULL */
  char *candidates;      /* candidate executions for the page, as JSON; NULL if there are none */

  char *language; /* the test's: "PTX"; NULL if it cannot be read, or only its log was */
  char *source;   /* the test's text, followed by its hashes; NULL if the test cannot be read */
  char *hash, *scope_hash;
  char *placements; /* of a question about all placements, at which its answer is Ok; else NULL */
  char *scopes;     /* the scope tree, "(device (work_group P0 P1))"; NULL for C tests */
  char *shard;      /* "2/3": the share of the run to which it belongs; NULL: the whole run */
  double seconds;
  RspStatistics statistics;
  GArray *prunings;         /* of RspPruning, the most effective first; never NULL */
  RspMachineReport machine; /* of a machine's record */
  GStringChunk *texts;      /* owns the strings of states, flags and prunings */
  GStringChunk *more;       /* owns the strings of further states; NULL if there are few */
};

/* An empty record with status error and a reason, until more is known. Strings are copied; here and
 * below, bytes that are not UTF-8 are replaced, so that JSON preserves the strings. */
RspRecord *rsp_record_new (const char *test, const char *path, const char *model,
                           const char *reason);
void rsp_record_free (RspRecord *record);

/* Copies the properties of the test: its name, text, hashes. */
void rsp_record_set_program (RspRecord *record, const RspProgram *program);

/* Ends the record of a test that is left out. */
void rsp_record_leave_out (RspRecord *record, const char *language, const RspSource *source);

/* Copies the same from another record of the program. */
void rsp_record_set_program_of (RspRecord *record, const RspRecord *other);

/* Copies the test's question: kind and condition. */
void rsp_record_set_question (RspRecord *record, const RspProgram *program);

/* Sets the share to which the record belongs; the whole run if `of` is 0. */
void rsp_record_set_shard (RspRecord *record, guint number, guint of);

/* Copies an outcome and the question. options are those of the check. */
void rsp_record_set_outcome (RspRecord *record, const RspOutcome *outcome,
                             const RspCheckOptions *options);

/* Add parts of a record that is read from a file. Texts and names are copied, including those of
 * the state. */
void rsp_record_add_state (RspRecord *record, const RspRecordState *state);

/* Adds the numbers to those of the same name. */
void rsp_record_add_pruning (RspRecord *record, const RspPruning *pruning);
void rsp_record_add_judgement (RspRecord *record, const RspJudgement *judgement);
void rsp_record_add_flag (RspRecord *record, const char *name);

/* Adds the states of another record of the test, with their numbers of executions. */
void rsp_record_join_states (RspRecord *record, const RspRecord *other);
gboolean rsp_record_is_ok (const RspRecord *record);
gboolean rsp_record_is_left_out (const RspRecord *record);

/* Does some execution, and so the whole program, have undefined behaviour? FALSE if unknown. */
gboolean rsp_record_is_undefined (const RspRecord *record);

/* Does the name of a flag say that there is a data race: data_race, unsequenced_race, Vulkan's
 * racy, herd's Dr? */
gboolean rsp_flag_is_race (const char *flag);

/* Executions for and against the question, as in the log's `Witnesses`: swapped for ~exists. */
void rsp_record_witnesses (const RspRecord *record, RspCount *positive, RspCount *negative);

/* "ok", "timeout", "executions", "memory", "error", "left_out". */
extern const char *const rsp_status_names[];

/* Its approximate size in bytes. */
gsize rsp_record_size (const RspRecord *record);
const RspRecordState *rsp_record_state (const RspRecord *record, guint i);

/* "unroll=2 engine=bounded …": every option that may change a result. variants are those of
 * the model, NULL-terminated. Newly allocated. */
char *rsp_options_format (const RspCheckOptions *options, const char *const *variants);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspRecord, rsp_record_free)

/* ---- Sentence ------------------------------------------------------------------------------- */

/* The answer in words, with which every report for people begins: "no, it never ends with r0=1 and
 * r1≠53", "yes, it can end with r0=1, and the program races (lines 13, 23)". Lines are known if the
 * record has evidence. Of a kernel: "saxpy races (lines 5, 7) under opencl". Newly allocated. */
char *rsp_record_sentence (const RspRecord *record);

/* Those of several models about one test: "opencl_rem: no, it never ends with r0=1. opencl: yes."
 * Newly allocated. */
char *rsp_records_sentences (const RspRecord *const *records, guint n);

/* ---- Evidence ------------------------------------------------------------------------------- */

/* Evidence: the events that show why a flag is raised, and explanations, in a record. */

void rsp_record_add_event (RspRecord *record, const RspRecordEvent *event);

/* Takes over evidence, of RspEvidence. */
void rsp_record_set_evidence (RspRecord *record, const GPtrArray *evidence);

/* Takes over explanations. */
void rsp_record_set_explanations (RspRecord *record, RspExplanations *explanations);

/* After that: candidates, as text. */
void rsp_record_set_candidates (RspRecord *record, const RspCandidateViews *candidates);

/* Appends the events that show why the flag is raised, after a blank: " between P0 line 5 `*x = 1`
 * and P1 line 9 `r0 = *x`", " at …" for one event, " on the cycle …, …, …" for more; nothing if the
 * record has no evidence. */
void rsp_record_format_evidence (const RspRecord *record, const char *flag, GString *out);
