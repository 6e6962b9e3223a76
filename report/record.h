/* Records: what came out of one test under one model, as plain text and numbers. Comparisons, JSON
 * and the other reports are made from records, whether these come from a check or from a file. */
#ifndef RSP_RECORD_H
#define RSP_RECORD_H

#include "report/verdict.h"

typedef struct RspRecordState
{
  char *text; /* as the log's line: "0:r0=0; x=1;" */
  gboolean satisfies;
  char *executions, *bad; /* decimal numbers: counts may exceed 64 bits */
} RspRecordState;

typedef struct RspRecord
{
  guint index, total; /* of the test among all tests of the run, before any share was taken */
  char *test;         /* its name; its path when it cannot be read */
  char *path;
  char *model;        /* as columns are headed */
  char *model_digest; /* NULL when the model cannot be read */
  char *options;      /* what may change the result: "unroll=2 engine=bounded …" */
  char *version;      /* of the program that made the record */

  char *status; /* "ok", "timeout", "executions", "memory", "error" */
  char *reason; /* NULL when ok; "Timeout after 60 s" */
  char *kind;   /* what follows is there only if ok: "Allowed" */
  char *condition;
  char *observation; /* "Never", "Sometimes", "Always" */
  gboolean answer;   /* Ok, not No */
  gboolean loop, undefined;
  char *positive, *negative, *bad; /* executions whose proposition holds, does not hold; those of
                                      both that are undefined */
  GPtrArray *flags;                /* of char *, in the model's order; never NULL */
  GPtrArray *states;               /* of RspRecordState *, as the log orders them; never NULL */

  char *hash, *scope_hash; /* NULL when the test cannot be read */
  double seconds;
  guint64 paths, nodes, leaves;
} RspRecord;

/* An empty record; status "error" and a reason, until more is known. Strings are copied. */
RspRecord *rsp_record_new (const char *test, const char *path, const char *model,
                           const char *reason);
void rsp_record_free (RspRecord *record);

/* Takes over what an outcome says. options are those the check ran under. */
void rsp_record_set_outcome (RspRecord *record, const RspOutcome *outcome,
                             const RspCheckOptions *options);

gboolean rsp_record_is_ok (const RspRecord *record);
/* Flag names joined by commas, "-" for none; newly allocated. */
char *rsp_record_flags (const RspRecord *record);

/* "unroll=2 engine=bounded …": every option that may change a result. variants and skipped checks
 * are arrays of strings. Newly allocated. */
char *rsp_options_format (const RspCheckOptions *options, const GPtrArray *variants,
                          const GPtrArray *skipped);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspRecord, rsp_record_free)

#endif
