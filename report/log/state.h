/* States of logs in a uniform format: equal states compare equal, whichever tool printed them.
 * `[x]=0x3;` becomes `x=3;`, and registers come first, by thread and name. */
#pragma once

#include <glib.h>

/* A part of a state, as strings. */
typedef struct RspLogBinding {
  char *name; /* "1:r0", "x", "a[1]" */
  char *value;
} RspLogBinding;

/* The state on a line of length bytes: a GArray of RspLogBinding; NULL if it is not a state. An
 * empty line is a state without bindings. Free with g_array_unref. */
GArray *rsp_log_state_parse (const char *text, gsize length);
/* "1:r0=1; x=3;"; newly allocated. */
char *rsp_log_state_format (const GArray *state);
/* The order of states in a log. */
int rsp_log_state_compare (const GArray *a, const GArray *b);
/* The length of the symbol that a value of a state begins with, an undetermined value: `S1` of
 * `S1_2`. 0: it is another value. */
gsize rsp_log_symbol_length (const char *value);
/* Is some value undetermined? Their numbers mean nothing outside their state. */
gboolean rsp_log_state_has_symbols (const GArray *state);

/* ---- For states and conditions ---- */

typedef struct RspLogScan {
  const char *at, *end;
} RspLogScan;

void rsp_log_scan_blanks (RspLogScan *scan);
/* Skips the token if it is next, after blanks. */
gboolean rsp_log_scan_token (RspLogScan *scan, const char *token);
/* A register or a location: its name without surrounding brackets, newly allocated; NULL if there
 * is none. */
char *rsp_log_scan_place (RspLogScan *scan);
/* The value in length bytes: numbers in decimal, others as they are, without blanks and the `&` of
 * a location; the address of a register keeps it: `&0:q`. */
char *rsp_log_value (const char *text, gsize length);
