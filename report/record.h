/* Records: what came out of one test under one model, as plain text and numbers. The log,
 * comparisons, JSON and every other report are made from records, whether these come from a check
 * or from a file. */
#ifndef RSP_REPORT_RECORD_H
#define RSP_REPORT_RECORD_H

#include "explain/explanation.h"
#include "report/soundness.h"
#include "report/verdict.h"

typedef struct RspRecordState
{
  const char *text; /* as the log's line: "0:r0=0; x=1;"; the record's */
  gboolean satisfies;
  RspCount executions, n_undefined;
} RspRecordState;

/* One of the events that show why a flag is raised, where the test's text has it. */
typedef struct RspRecordEvent
{
  const char *flag;   /* the record's */
  guint thread;       /* as in P0; RSP_NO_THREAD: an initial write */
  guint line, column; /* from 1; 0 when it is nowhere in the text */
  const char *text;   /* the record's */
} RspRecordEvent;

/* What a record does not say, because it was read from a log that does not: the fields named are
 * then 0. Bits of RspRecord.unknown; a check's record has none. */
typedef enum RspUnknown
{
  RSP_UNKNOWN_EXECUTIONS = 1,        /* states' executions */
  RSP_UNKNOWN_N_UNDEFINED = 2,       /* the record's n_undefined */
  RSP_UNKNOWN_SATISFIES = 4,         /* states' satisfies */
  RSP_UNKNOWN_UNDEFINED = 8,         /* whether the flags raised mean undefined behaviour */
  RSP_UNKNOWN_COUNTS = 16,           /* positive, negative */
  RSP_UNKNOWN_STATE_N_UNDEFINED = 32 /* states' n_undefined */
} RspUnknown;

/* What a model says of a device's runs. */
typedef enum RspJudged
{
  RSP_JUDGED_AGREES,    /* every state that was seen is allowed */
  RSP_JUDGED_RACY,      /* the program is undefined: anything goes */
  RSP_JUDGED_VIOLATION, /* seen and not allowed, of a defined program */
  RSP_JUDGED_BOUNDED,   /* seen and not allowed, but loops were truncated: the model may allow it */
  RSP_JUDGED_NOT,       /* one of the two has no answer, or is missing */
  RSP_N_JUDGED
} RspJudged;

typedef struct RspJudgement
{
  const char *model; /* the record's */
  RspJudged judged;
  GPtrArray *not_allowed; /* of const char *, the record's: states that were seen */
  GPtrArray *not_seen;    /* states that the model allows */
} RspJudgement;

typedef enum RspStatus
{
  RSP_STATUS_OK, /* there is an answer */
  RSP_STATUS_TIMEOUT,
  RSP_STATUS_EXECUTIONS,
  RSP_STATUS_MEMORY,
  RSP_STATUS_ERROR
} RspStatus;

struct RspRecord
{
  guint index, total;    /* of the test among all tests of the run, before any share was taken */
  guint column, columns; /* of the model among the models of the run */
  char *test;            /* its name; its path when it cannot be read */
  char *path;
  char *model;        /* as columns are headed */
  char *model_digest; /* NULL when the model cannot be read */
  char *options;      /* what may change the result: "unroll=2 engine=bounded …" */
  char *version; /* of the program that made the record; NULL like options if a log does not say */
  char *log;     /* the log it was read from; NULL for a check's record */
  guint unknown; /* RspUnknown bits */
  /* Of runs on a device: what it is, what made the program, how it was run; NULL when no log says.
     States are those that were seen, and their executions how often. */
  gboolean is_device;
  char *device, *compiler, *setup;
  guint rounds; /* most rounds of each loop; 0 for any number */
  GArray
      *judgements; /* of RspJudgement: what models of the same row say; see judge.h. Never NULL */

  RspStatus status;
  char *reason;    /* NULL when ok; "Timeout after 60 s" */
  char *kind;      /* "Allowed"; NULL when the test or the model cannot be read */
  char *condition; /* NULL like kind */
  /* What follows is the answer if ok, else what was seen until the check ended. Counts are those of
   * the proposition, never swapped. */
  RspcheckObservation observation; /* Never until there is an answer */
  gboolean answer;                 /* Ok, not No; FALSE until there is an answer */
  gboolean loop;
  gboolean has_undefined; /* the model has undefined_unless: n_undefined counts */
  gboolean undefined;     /* a log says that some execution is, maybe without a count */
  RspCount positive, negative, n_undefined;
  GPtrArray *flags; /* of const char *, the record's, in the model's order; never NULL */
  GArray *evidence; /* of RspRecordEvent, those of a flag one after another; never NULL. Only where
                       a report wants them: see enumerator/search/evidence.h for what they are */
  GArray *states;   /* of RspRecordState, as the log orders them; never NULL */

  RspExplanations *explanations; /* owned; NULL unless requested */
  GPtrArray *shown;      /* of const RspExecutionView *: executions to draw, in order; never NULL */
  RspArena *shown_arena; /* theirs; NULL when there are none */
  char *explanation;     /* of a record that was read: its explanations as JSON; else NULL */
  char *candidates;      /* candidate executions for the page, as JSON; NULL where there are none */

  char *source; /* the test's text, and below its hashes; NULL when the test cannot be read */
  char *hash, *scope_hash;
  char *scopes; /* the scope tree, "(device (work_group P0 P1))"; NULL for C tests */
  char *shard;  /* "2/3": the share of a run of many tests that it is of; NULL: of the whole */
  double seconds;
  RspStatistics statistics;
  GArray *prunings;         /* of RspPruning, those that did most first; never NULL */
  RspMachineReport machine; /* of a machine's record; see report/soundness.h */
  GStringChunk *texts;      /* owns those of states, flags and prunings */
};

/* An empty record; status error and a reason, until more is known. Strings are copied; what is not
 * UTF-8 in them, here and below, is replaced, so that they pass through JSON unharmed. */
RspRecord *rsp_record_new (const char *test, const char *path, const char *model,
                           const char *reason);
void rsp_record_free (RspRecord *record);

/* Takes over what the test itself says: its name, text, hashes. */
void rsp_record_set_program (RspRecord *record, const RspProgram *program);
/* The same as another record of the program has it. */
void rsp_record_set_program_of (RspRecord *record, const RspRecord *other);
/* Takes over the test's question: kind and condition. */
void rsp_record_set_question (RspRecord *record, const RspProgram *program);
/* The share that the record is of; of the whole run when `of` is 0. */
void rsp_record_set_shard (RspRecord *record, guint number, guint of);
/* Takes over what an outcome says, and the question. options are those the check ran under. */
void rsp_record_set_outcome (RspRecord *record, const RspOutcome *outcome,
                             const RspCheckOptions *options);
/* Add what a record read from a file says; text and name are copied, state's included. */
void rsp_record_add_state (RspRecord *record, const RspRecordState *state);
/* The numbers are added to those of the same name. */
void rsp_record_add_pruning (RspRecord *record, const RspPruning *pruning);
void rsp_record_add_judgement (RspRecord *record, const RspJudgement *judgement);
void rsp_record_add_flag (RspRecord *record, const char *name);

gboolean rsp_record_is_ok (const RspRecord *record);
/* Some execution has undefined behaviour, and so the whole program has; FALSE where that is
 * unknown. */
gboolean rsp_record_is_undefined (const RspRecord *record);
/* Executions for and against the question, as the log's `Witnesses` has them: swapped for
 * ~exists. */
void rsp_record_witnesses (const RspRecord *record, RspCount *positive, RspCount *negative);
/* "ok", "timeout", "executions", "memory", "error". */
extern const char *const rsp_status_names[];
/* About how many bytes it takes. */
gsize rsp_record_size (const RspRecord *record);
const RspRecordState *rsp_record_state (const RspRecord *record, guint i);

/* "unroll=2 engine=bounded …": every option that may change a result. variants are those of
 * the model, NULL-terminated. Newly allocated. */
char *rsp_options_format (const RspCheckOptions *options, const char *const *variants);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspRecord, rsp_record_free)

#endif
