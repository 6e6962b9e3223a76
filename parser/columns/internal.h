#pragma once

#include "parser/columns/columns.h"
#include "parser/errors.h"
#include "parser/resolve/resolve.h"

/* ---- Build ---------------------------------------------------------------------------------- */

/* Values are addresses by their bits, not by a type. FALSE, with an error, if the number is in the
 * range of addresses. */
gboolean columns_check_number (LitmusParser *parser, TokenRange range, LitmusNumber number);

/* values: none for 0 */
LitmusInit *columns_add_init (LitmusParser *parser, TokenRange range, LitmusPlace *place,
                              LitmusList values);

/* proxy: NULL if none is given; aliases: the word between the two names. */
void columns_add_alias (LitmusParser *parser, TokenRange range, const char *name, const char *proxy,
                        TokenRange proxy_range, const char *aliases, TokenRange aliases_range,
                        const char *target, TokenRange target_range);
void columns_add_pair (LitmusParser *parser, TokenRange range, const char *word, LitmusPlace *from,
                       LitmusPlace *to);
ColumnsHead *columns_head (LitmusParser *parser, TokenRange range, const char *name,
                           LitmusList positions);
ColumnsCell *columns_cell (LitmusParser *parser, TokenRange range, const char *word,
                           TokenRange word_range, LitmusList operands);
void columns_add_row (LitmusParser *parser, TokenRange range, TokenRange cells_range,
                      LitmusList cells);

/* ---- Resolve -------------------------------------------------------------------------------- */

typedef struct ColumnsResolver {
  LitmusResolver base; /* program, objects, diagnostics */
  const ColumnsTest *columns;
  GArray *locations;       /* of RspLocation, an object each */
  gboolean has_errors;     /* before the question */
  GHashTable *first_words; /* what instructions said first, with which others must agree */
  GHashTable *met;         /* how often threads came to barriers */
  GHashTable *owners;      /* of local memory: location + 1 → LitmusPosition of its work-group */
  GHashTable *uses;        /* of mbarriers: location + 1 → the first LitmusPlace that uses it */
  GHashTable *initialised; /* the same, of what initialises it; 0: something through a register */

  /* The thread being resolved. */
  guint thread;
  GArray *registers;  /* of RspRegister */
  GHashTable *labels; /* name → the statement that it stands before */
  GPtrArray *jumps;   /* of ColumnsJump */
  GString *raw;       /* its instructions as text, for the hash */
} ColumnsResolver;

/* A jump whose label may come later. */
typedef struct ColumnsJump {
  RspStatement *statement;
  const LitmusPlace *label;
} ColumnsJump;

#define ERROR(r, span, hint, ...) rsp_error ((r)->base.diagnostics, (span), (hint), __VA_ARGS__)

/* Values are 64 bits. */
static inline RspType columns_value_type (void) {
  return (RspType){ .bits = 64, .is_signed = TRUE, .space = RSP_SPACE_GLOBAL };
}

/* The body of the thread with that index. */
RspStatement *columns_code (ColumnsResolver *r, guint thread);

/* ---- Doubts --------------------------------------------------------------------------------- */

/* An error if the location is local memory of another work-group than that of the thread being
 * resolved. */
void columns_check_owner (ColumnsResolver *r, const LitmusPlace *operand, guint location);

/* Doubts about a barrier and an access of the thread being resolved. */
void columns_check_barrier (ColumnsResolver *r, const ColumnsCell *cell, guint64 tags);
/* An error if the location is an mbarrier elsewhere and not here, or the other way round. */
void columns_check_mbarrier (ColumnsResolver *r, const LitmusPlace *operand, guint location,
                             gboolean is_mbarrier);
void columns_check_class (ColumnsResolver *r, const LitmusPlace *operand, guint location,
                          guint64 tags);

/* ---- Names ---------------------------------------------------------------------------------- */

/* Index of the location of that name, or of an array's first element; it is new if this is the
 * first mention. */
guint columns_location (ColumnsResolver *r, const char *name, RspSpan span);

/* The same, of a location or an array of n elements that has not been mentioned. */
guint columns_add_object (ColumnsResolver *r, const char *name, guint n, gboolean is_array,
                          RspSpan span);

/* The same, of the element that a place names; an error if there is none. */
gint64 columns_address (ColumnsResolver *r, const LitmusPlace *place);

/* Index of the register of the current thread, which is new if this is the first mention; nothing
 * sets it yet. */
guint columns_register (ColumnsResolver *r, const char *name, RspSpan span);

/* The same, or G_MAXUINT if it has not been mentioned. */
guint columns_find_register (const ColumnsResolver *r, const char *name);

/* Is the name, in the current thread's code, a register? */
gboolean columns_is_register (const ColumnsResolver *r, const char *name);

/* Is it one of `r0`, `r1`, …, which are registers everywhere? */
gboolean columns_is_register_name (const char *name);
