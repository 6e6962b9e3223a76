/* What logs say about states and conditions, brought to one form: the same state compares equal
 * whoever printed it. `[x]=0x3;` becomes `x=3;`, registers come first, by thread and name, and
 * `not (1:r0=1)` is `~(1:r0=1)`. */
#ifndef RSP_LOG_TEXT_H
#define RSP_LOG_TEXT_H

#include "parser/program.h"

/* A state: what is shown of it, in the log's order, as strings. */
typedef struct RspLogBinding
{
  char *name; /* "1:r0", "x", "a[1]" */
  char *value;
} RspLogBinding;

/* The state of a line of length bytes: a GArray of RspLogBinding; NULL when it is none. An empty
 * line is the state of which nothing is shown. Free with g_array_unref. */
GArray *rsp_log_state_parse (const char *text, gsize length);
/* "1:r0=1; x=3;"; newly allocated. */
char *rsp_log_state_format (const GArray *state);
/* The order of states in a log. */
int rsp_log_state_compare (const GArray *a, const GArray *b);

/* A condition: `exists (1:r0=1 /\ x=2)`. */
typedef struct RspLogCondition RspLogCondition;

/* NULL when text is none, or none that is understood. */
RspLogCondition *rsp_log_condition_parse (const char *text);
void rsp_log_condition_free (RspLogCondition *condition);
/* As rsp_program_format_condition has it; newly allocated. */
char *rsp_log_condition_format (const RspLogCondition *condition);
RspQuantifier rsp_log_condition_quantifier (const RspLogCondition *condition);
/* Whether the proposition holds in a state: 1, 0, or -1 when the state does not tell. */
int rsp_log_condition_holds (const RspLogCondition *condition, const GArray *state);

/* ---- For both ---- */

typedef struct RspLogScan
{
  const char *at, *end;
} RspLogScan;

void rsp_log_scan_blanks (RspLogScan *scan);
/* Goes past the token if it is next, after blanks. */
gboolean rsp_log_scan_token (RspLogScan *scan, const char *token);
/* A register or a location: its name without brackets around it, newly allocated; NULL when there
 * is none. */
char *rsp_log_scan_place (RspLogScan *scan);
/* The value in length bytes: numbers in decimal, others as they are, without `&` and blanks. */
char *rsp_log_value (const char *text, gsize length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspLogCondition, rsp_log_condition_free)

#endif
