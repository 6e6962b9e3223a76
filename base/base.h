#pragma once

#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "public/rspcheck-enums.h"

/* ---- Budget --------------------------------------------------------------------------------- */

/* The time and memory that the check of one test may use. Long computations (paths, staging,
 * recursive definitions, bounds, search, sorting of states) regularly check whether the budget is
 * exhausted, and then return silently: their partial result is useless, and the budget's owner
 * reports why. */

/* The default of -max-memory: how many bytes any one part of a check may hold. */
#define RSP_DEFAULT_MEMORY ((gsize) 512 << 20)

/* The deadline of a budget of so many seconds from now; 0, none, unless they are positive. */
gint64 rsp_deadline_in (double seconds);

/* "64 MiB", "100 KiB", "1000 bytes": newly allocated. */
char *rsp_size_format (gsize bytes);

/* Shared by all threads that work on the test. */
typedef struct RspBudget {
  gint64 deadline;        /* monotonic microseconds; 0: none */
  guint64 max_executions; /* 0: none */
  gsize max_memory;       /* bytes that may be held; 0: any number */
  gpointer held;          /* atomic; as a size: bytes in the arenas of the check */
  gint stop;              /* atomic; of RspcheckStop: COMPLETE while work may continue */
  gint gave_up;           /* atomic; it stopped because of a limit of steps that no user set */
} RspBudget;

static inline RspcheckStop rsp_budget_stop (RspBudget *budget) {
  return (RspcheckStop) g_atomic_int_get (&budget->stop);
}

/* Stops the work; the first reason counts. */
static inline void rsp_budget_end (RspBudget *budget, RspcheckStop why) {
  g_atomic_int_compare_and_exchange (&budget->stop, RSPCHECK_STOP_COMPLETE, (gint) why);
}

/* Stops a search that has taken as many steps as its caller allowed. */
static inline void rsp_budget_give_up (RspBudget *budget) {
  if (g_atomic_int_compare_and_exchange (&budget->stop, RSPCHECK_STOP_COMPLETE,
                                         RSPCHECK_STOP_EXECUTIONS))
    g_atomic_int_set (&budget->gave_up, TRUE);
}

/* Lets the work go on after that. FALSE if it stopped for another reason, or not at all. */
static inline gboolean rsp_budget_go_on (RspBudget *budget) {
  if (!g_atomic_int_compare_and_exchange (&budget->gave_up, TRUE, FALSE))
    return FALSE;
  g_atomic_int_set (&budget->stop, RSPCHECK_STOP_COMPLETE);
  return TRUE;
}

/* Lets work on another question go on after a search has found its answer. FALSE if none has. */
static inline gboolean rsp_budget_set_aside_found (RspBudget *budget) {
  return g_atomic_int_compare_and_exchange (&budget->stop, RSPCHECK_STOP_FOUND,
                                            RSPCHECK_STOP_COMPLETE);
}

/* Restores the answer after that, even if the other question reached a limit. An error stays. */
static inline void rsp_budget_restore_found (RspBudget *budget) {
  if (rsp_budget_stop (budget) != RSPCHECK_STOP_ERROR)
    g_atomic_int_set (&budget->stop, RSPCHECK_STOP_FOUND);
}

/* Records that `bytes` more are held (fewer, if negative). */
static inline void rsp_budget_charge (RspBudget *budget, gssize bytes) {
  g_atomic_pointer_add (&budget->held, bytes);
}

/* May `bytes` more be allocated? If not, the budget is exhausted. To be called before large
 * allocations, such as matrices of all events. */
static inline gboolean rsp_budget_affords (RspBudget *budget, gsize bytes) {
  if (!budget || !budget->max_memory)
    return TRUE;
  gsize held = GPOINTER_TO_SIZE (g_atomic_pointer_get (&budget->held));
  if (held <= budget->max_memory && bytes <= budget->max_memory - held)
    return TRUE;
  rsp_budget_end (budget, RSPCHECK_STOP_MEMORY);
  return FALSE;
}

/* Stops the work if a part of it that the budget does not account for holds more than
 * max_memory. */
static inline void rsp_budget_limit_part (RspBudget *budget, gsize bytes) {
  if (budget && budget->max_memory && bytes > budget->max_memory)
    rsp_budget_end (budget, RSPCHECK_STOP_MEMORY);
}

/* Has a limit been reached? Checks the memory held and the clock, which takes some 30 ns. NULL is a
 * budget without limits. */
static inline gboolean rsp_budget_is_exhausted (RspBudget *budget) {
  if (!budget)
    return FALSE;
  if (rsp_budget_stop (budget) != RSPCHECK_STOP_COMPLETE || !rsp_budget_affords (budget, 0))
    return TRUE;
  if (!budget->deadline || g_get_monotonic_time () < budget->deadline)
    return FALSE;
  rsp_budget_end (budget, RSPCHECK_STOP_TIMEOUT);
  return TRUE;
}

/* ---- Arena ---------------------------------------------------------------------------------- */

/* Arena: memory with one owner, freed whole.
 *
 * Syntax trees, paths, events and staged models each live in the arena of the
 * program, model or check that owns them. Nothing in an arena is freed singly. */

typedef struct RspArena RspArena;

RspArena *rsp_arena_new (void);

/* An arena whose memory counts towards a check's budget until it is freed. The budget must outlive
 * it. */
RspArena *rsp_arena_new_within (RspBudget *budget);
void rsp_arena_free (RspArena *arena);

/* Zeroed memory, aligned for any type. Callers compare sizes that depend on input with the budget
 * first (rsp_budget_affords). */
gpointer rsp_arena_alloc (RspArena *arena, gsize size);
gpointer rsp_arena_alloc_n (RspArena *arena, gsize size, gsize count);

/* Memory with arbitrary content. */
gpointer rsp_arena_room (RspArena *arena, gsize size);
gpointer rsp_arena_copy (RspArena *arena, gconstpointer data, gsize size);
char *rsp_arena_strndup (RspArena *arena, const char *text, gsize length);
char *rsp_arena_strdup (RspArena *arena, const char *text);
char *rsp_arena_printf (RspArena *arena, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* The number of bytes that it holds. */
gsize rsp_arena_size (const RspArena *arena);

/* As rsp_budget_affords and rsp_budget_is_exhausted for its budget. An arena without a budget
 * affords everything. */
gboolean rsp_arena_affords (RspArena *arena, gsize size);
gboolean rsp_arena_is_exhausted (RspArena *arena);
#define rsp_arena_new0(arena, Type, count)                                                         \
  ((Type *) rsp_arena_alloc_n ((arena), sizeof (Type), (gsize) (count)))

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspArena, rsp_arena_free)

/* ---- Contract ------------------------------------------------------------------------------- */

/* Contracts: what a function requires of its callers. Builds with sanitizers and with DEBUG=1 check
 * contracts; others assume that they hold. (g_assert is for what the function itself has
 * established, and is checked in all builds.) */

#ifdef RSP_CHECK_CONTRACTS
#define RSP_CONTRACT(condition) g_assert (condition)
#else
#define RSP_CONTRACT(condition) ((void) (FALSE && (condition)))
#endif

/* ---- Count ---------------------------------------------------------------------------------- */

/* Exact counts of executions. 128 bits hold every count that enumeration can reach and most that
 * multiplication reaches; larger counts saturate. */

typedef unsigned __int128 RspCount;

/* The saturated count. */
#define RSP_COUNT_MAX (~(RspCount) 0)

/* Both saturate at RSP_COUNT_MAX. */
RspCount rsp_count_add (RspCount a, RspCount b);
RspCount rsp_count_multiply (RspCount a, RspCount b);

/* Appends the decimal digits to out, or "more than 3e38" for RSP_COUNT_MAX. */
void rsp_count_format (RspCount count, GString *out);

/* ---- Source --------------------------------------------------------------------------------- */

/* Source: the text of one input file, and spans of it. */

typedef struct RspSource {
  char *name; /* as the user gave it; "<stdin>" for standard input */
  char *text; /* NUL-terminated; may contain NULs (see length) */
  gsize length;
  guint *lines; /* byte offset of each line's start */
  guint n_lines;
  GArray *origins; /* of RspOrigin, sorted by begin; NULL unless a compiler wrote the text */
} RspSource;

/* The line of a file from which a compiler made bytes begin … end - 1 of a text. */
typedef struct RspOrigin {
  guint begin, end;
  RspSource *file; /* owned; has no text if that is not known */
  guint line, column;
} RspOrigin;

/* A span of a source: bytes begin … end - 1. source may be NULL: no position. */
typedef struct RspSpan {
  RspSource *source;
  guint begin, end;
} RspSpan;

#define RSP_NOWHERE ((RspSpan){ 0 })

/* Takes ownership of text. Sources are reference-counted: a tree or diagnostic keeps its source
 * alive. */
RspSource *rsp_source_new (const char *name, char *text, gsize length);
#define RSP_SOURCE_SMALL ((gsize) 64 << 20) /* limit in bytes of a test, model or list */
#define RSP_SOURCE_LARGE                                                                           \
  ((gsize) 1 << 30) /* limit of a log or of records, unless another one is given */
#define RSP_SOURCE_MOST ((gsize) G_MAXINT32) /* limit of any source: offsets have 32 bits */

/* Reads a file, or standard input for "-", of RSP_SOURCE_SMALL bytes at most. A directory, a
 * missing, a larger or a binary file (one with a NUL byte) sets error (domain G_FILE_ERROR) to one
 * message fit for users. */
RspSource *rsp_source_read (const char *path, GError **error);

/* With another limit. */
RspSource *rsp_source_read_within (const char *path, gsize max, GError **error);

/* From now on only files below these folders, and those of earlier calls, can be read; others are
 * errors. */
void rsp_source_confine (const char *const *folders);
gboolean rsp_source_is_confined (void);
gboolean rsp_source_is_allowed (const char *path); /* TRUE also if there is no such file */
RspSource *rsp_source_ref (RspSource *source);
void rsp_source_unref (RspSource *source);

/* Takes the origins of the text. */
void rsp_source_set_origins (RspSource *source, GArray *origins);

/* The file that the byte comes from, which belongs to the source; NULL: from the source itself. */
RspSource *rsp_source_origin (const RspSource *source, guint offset);

/* The offset at which line i (from 0) begins, behind UTF-8's byte order mark. */
guint rsp_source_line_begin (const RspSource *source, guint i);

/* Line and column of a byte offset, in the file that it comes from; both from 1; a column is a
 * byte, a tab is one column. */
void rsp_source_position (const RspSource *source, guint offset, guint *line, guint *column);

/* Line number (from 1) of the span's start; 0 without a source. */
guint rsp_span_line (RspSpan span);

/* Its text, newly allocated; NULL without a source. */
char *rsp_span_text (RspSpan span);

/* Appends its text, with one space for white space, and none at the beginning of out. */
void rsp_span_append (RspSpan span, GString *out);

/* From the start of one to the end of the other. */
RspSpan rsp_span_join (RspSpan first, RspSpan last);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspSource, rsp_source_unref)

/* ---- Diagnostic ----------------------------------------------------------------------------- */

/* Diagnostics: the errors, warnings and notes about the program's input.
 *
 * Printed in the manner of GCC and Clang:
 *
 *   FILE:LINE:COL: error: message
 *     source line
 *         ^~~~~
 *   FILE:LINE:COL: hint: did you mean `…`?                                                       */

typedef enum RspSeverity { RSP_NOTE, RSP_WARNING, RSP_ERROR } RspSeverity;

typedef struct RspDiagnostic {
  RspSeverity severity;
  RspSpan span; /* span.source is a counted reference, or NULL */
  char *message;
  char *hint;       /* NULL if there is none */
  const char *kind; /* interned: equal for messages that differ in names and numbers only */
} RspDiagnostic;

typedef struct RspDiagnostics RspDiagnostics;

RspDiagnostics *rsp_diagnostics_new (void);
void rsp_diagnostics_free (RspDiagnostics *diagnostics);

/* hint may be NULL; it is copied. format, which is the kind, has no final full stop or newline. */
void rsp_report (RspDiagnostics *diagnostics, RspSeverity severity, RspSpan span, const char *hint,
                 const char *format, ...) G_GNUC_PRINTF (5, 6);
#define rsp_error(diagnostics, span, hint, ...)                                                    \
  rsp_report ((diagnostics), RSP_ERROR, (span), (hint), __VA_ARGS__)
#define rsp_warning(diagnostics, span, hint, ...)                                                  \
  rsp_report ((diagnostics), RSP_WARNING, (span), (hint), __VA_ARGS__)
#define rsp_note(diagnostics, span, ...)                                                           \
  rsp_report ((diagnostics), RSP_NOTE, (span), NULL, __VA_ARGS__)
guint rsp_diagnostics_count (const RspDiagnostics *diagnostics);
guint rsp_diagnostics_count_errors (const RspDiagnostics *diagnostics);
const RspDiagnostic *rsp_diagnostics_get (const RspDiagnostics *diagnostics, guint index);

/* Drops all entries after the first count. */
void rsp_diagnostics_truncate (RspDiagnostics *diagnostics, guint count);

/* The kind of the last entry, if it is not the format. */
void rsp_diagnostics_set_kind (RspDiagnostics *diagnostics, const char *kind);

/* Drops all entries of a severity. */
void rsp_diagnostics_drop (RspDiagnostics *diagnostics, RspSeverity severity);

/* Drops the entries for which keep returns FALSE. */
typedef gboolean (*RspDiagnosticKeep) (const RspDiagnostic *diagnostic, gpointer data);

void rsp_diagnostics_filter (RspDiagnostics *diagnostics, RspDiagnosticKeep keep, gpointer data);

/* Moves all entries to the end of `to`, except warnings that it already holds: same text, same
 * place in a file of the same name. */
void rsp_diagnostics_move (RspDiagnostics *to, RspDiagnostics *from);

/* A name of a file, test or model as terminals and tables show it: `\xNN` for each byte that is not
 * part of a printable character. Newly allocated. */
char *rsp_visible_name (const char *name);

/* Appends what is printed of one entry. */
void rsp_diagnostic_format (const RspDiagnostic *diagnostic, gboolean colour, GString *out);

/* FALSE for pipes and devices, which are read only if the command line names them. */
gboolean rsp_source_ends (const char *path);

/* Reads a source, see rsp_source_read. NULL after an error, which is reported at `at`: in a file,
 * unless the path is named on the command line. */
RspSource *rsp_source_load (const char *path, RspSpan at, RspDiagnostics *diagnostics);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspDiagnostics, rsp_diagnostics_free)

/* ---- Hash ----------------------------------------------------------------------------------- */

/* Hash: 128 bits over words, for keys of which only the hashes are compared. */

typedef struct RspHash {
  guint64 a, b;
} RspHash;

/* The hash of no words. */
#define RSP_HASH_BEGIN                                                                             \
  { G_GUINT64_CONSTANT (0x9e3779b97f4a7c15), G_GUINT64_CONSTANT (0xd1b54a32d192ed03) }

/* Adds one word: two lanes of multiply-and-fold mixing. */
static inline void rsp_hash_word (RspHash *hash, guint64 word) {
  unsigned __int128 x
      = (unsigned __int128) (hash->a ^ word) * G_GUINT64_CONSTANT (0xa0761d6478bd642f);
  unsigned __int128 y
      = (unsigned __int128) (hash->b + word) * G_GUINT64_CONSTANT (0xe7037ed1a0b428db);
  hash->a = ((guint64) (x >> 64) ^ (guint64) x) + 1;
  hash->b = (guint64) (y >> 64) + (guint64) y + (word << 1 | word >> 63);
}

static inline RspHash rsp_hash_words (const guint64 *words, guint n) {
  RspHash hash = RSP_HASH_BEGIN;
  for (guint i = 0; i < n; i++)
    rsp_hash_word (&hash, words[i]);
  return hash;
}

/* For hash tables of them. */
static inline guint rsp_hash_key (gconstpointer key) {
  const RspHash *hash = key;
  return (guint) (hash->a ^ hash->a >> 32);
}

static inline gboolean rsp_hash_equal (gconstpointer x, gconstpointer y) {
  const RspHash *a = x, *b = y;
  return a->a == b->a && a->b == b->b;
}

/* Adds one to a sum: the hash of a set of entries, in whatever order they come. */
static inline void rsp_hash_add (RspHash *sum, RspHash entry) {
  sum->a += entry.a;
  sum->b += entry.b;
}

/* ---- Names ---------------------------------------------------------------------------------- */

/* Arrays of names. */

/* Compares two names in an array: for g_ptr_array_sort and qsort. */
static inline int rsp_compare_names (gconstpointer a, gconstpointer b) {
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* ---- Pool ----------------------------------------------------------------------------------- */

/* The threads of one check. Any of them, including the calling one, may take a task. */

/* A piece of work for one thread: the first member of a larger structure, which run frees. */
typedef struct RspTask RspTask;

struct RspTask {
  void (*run) (RspTask *task);
};

typedef struct RspPool RspPool;

/* A pool of the caller and up to jobs - 1 other threads (at least one), if the system provides
 * them. */
RspPool *rsp_pool_new (guint jobs);

/* Any thread may push. Some thread runs the task, in rsp_pool_free at the latest. */
void rsp_pool_push (RspPool *pool, RspTask *task);
guint rsp_pool_waiting (RspPool *pool); /* tasks that have not begun */

/* Works on tasks until none is waiting; other threads may still be working on theirs. */
void rsp_pool_take_part (RspPool *pool);

/* Works on the waiting tasks, waits for those that have begun, and frees the pool. No tasks may be
 * pushed after that. */
void rsp_pool_free (RspPool *pool);

/* ---- Bindings ------------------------------------------------------------------------------- */

/* Bindings: a persistent map from names to values, for environments that share their outer part.
 *
 *
 * Bindings never change: adding one gives new bindings, which share everything with the old ones
 * except the path to the new one. Adding takes time and memory, and looking up time, logarithmic in
 * the number of names. */

/* NULL: nothing is bound. */
typedef struct RspBindings RspBindings;

/* The unique pointer for all equal names, from a table (of strings) that starts empty. *number,
 * unless number is NULL, becomes the name's number: 0, 1, … in the order of first use. The name is
 * copied to the arena; if arena is NULL, the name must outlive the table. */
const char *rsp_symbol (GHashTable *symbols, RspArena *arena, const char *name, guint *number);

/* The bindings, except that the symbol of this number is bound to value; allocated in the arena. */
const RspBindings *rsp_bindings_add (RspArena *arena, const RspBindings *bindings, guint number,
                                     gconstpointer value);

/* NULL if unbound. */
gconstpointer rsp_bindings_look_up (const RspBindings *bindings, guint number);

/* ---- Components ----------------------------------------------------------------------------- */

/* Strongly connected components of a directed graph (R. Tarjan, Depth-first search and linear graph
 * algorithms, SIAM J. Comput. 1, 1972), in time linear in its edges. */

typedef struct RspEdge {
  guint from, to;
} RspEdge;

/* Numbers the component of each of n nodes; sources of edges have lower numbers than their targets.
 * Returns the number of components. edges is a GArray of RspEdge; it is sorted. */
guint rsp_components_find (guint n, GArray *edges, guint *component);

/* ---- Word index ----------------------------------------------------------------------------- */

/* Word index: finds words of a fixed list, such as the keywords of a language, and what belongs to
 * each. Lexers ask it about every word that they read. */

typedef struct RspWordIndex RspWordIndex;

/* Empty, with room for so many words. It is never freed: lists of words are constant. */
RspWordIndex *rsp_word_index_new (gsize n);

/* The word is not copied. FALSE if it is there already. */
gboolean rsp_word_index_add (RspWordIndex *index, const char *word, gconstpointer value);

/* NULL if the word is not there. */
gconstpointer rsp_word_index_find (const RspWordIndex *index, const char *word);

/* ---- Suggest -------------------------------------------------------------------------------- */

/* Finding files by name; suggestions: the name that a misspelt one probably means. */

/* The candidate nearest to word by edit distance (transpositions count as one), or NULL if none is
 * near enough (a third of the word's length, at least one). candidates is NULL-terminated. */
const char *rsp_nearest (const char *word, const char *const *candidates);

/* "did you mean `…`?", newly allocated, or NULL. */
char *rsp_did_you_mean (const char *word, const char *const *candidates);

/* The same for candidates in an array, which this ends with NULL. */
char *rsp_did_you_mean_in (const char *word, GPtrArray *candidates);

/* The same for names whose words are joined by `_`, so that no operation is offered for another:
 * only the words that the names do not share are compared, and a word of any candidate or of
 * `known` (NULL-terminated) is not taken for a misspelt one. */
char *rsp_did_you_mean_words (const char *word, const char *const *candidates,
                              const char *const *known);

/* The path of a file that exists: tries the name as given (below folder, unless that is NULL), then
 * below each of the folders (NULL-terminated, or NULL), each time also with the suffix added. NULL
 * if there is none. Newly allocated. */
char *rsp_find_file (const char *name, const char *folder, const char *const *folders,
                     const char *suffix);

/* The name without the suffix, if it has it. Newly allocated. */
char *rsp_name_stem (const char *name, const char *suffix);

/* "did you mean `…`?" with the file in these folders (NULL-terminated, or NULL; unreadable ones are
 * skipped) that ends in suffix, such as ".cat", and whose name is nearest to `name`, with or
 * without suffix; NULL if none is near enough. Newly allocated. */
char *rsp_near_file_hint (const char *name, const char *const *folders, const char *suffix);

/* The path, of something that exists, whose components are nearest to those of a path that does
 * not; among files, those that end like it, or else in suffix, come first. NULL if none is near
 * enough, or files are confined. Newly allocated. */
char *rsp_near_path (const char *path, const char *suffix);

/* "did you mean `…`?" of a path that does not exist; NULL if it does, or none is near. */
char *rsp_near_path_hint (const char *path);

/* ---- Truth ---------------------------------------------------------------------------------- */

/* Truth of what may still be open (Kleene's logic of three values). */

typedef enum RspTruth { RSP_OPEN, RSP_HOLDS, RSP_FAILS } RspTruth;

static inline RspTruth rsp_truth (gboolean holds) { return holds ? RSP_HOLDS : RSP_FAILS; }

static inline RspTruth rsp_truth_not (RspTruth a) {
  return a == RSP_OPEN ? RSP_OPEN : rsp_truth (a == RSP_FAILS);
}

static inline RspTruth rsp_truth_and (RspTruth a, RspTruth b) {
  if (a == RSP_FAILS || b == RSP_FAILS)
    return RSP_FAILS;
  return a == RSP_OPEN ? a : b;
}

static inline RspTruth rsp_truth_or (RspTruth a, RspTruth b) {
  if (a == RSP_HOLDS || b == RSP_HOLDS)
    return RSP_HOLDS;
  return a == RSP_OPEN ? a : b;
}
