#include "api/run/any.h"
#include "api/run/classes.h"

#include "enumerator/paths/path.h"

#include <string.h>

enum {
  MAX_TRIED = 256 /* combinations of values: as many as a char has */
};

typedef struct Unknown {
  const char *name;
  RspType type;
  const RspTerm *term;   /* NULL: nothing depends on it */
  GPtrArray *conditions; /* of RspTerm: those on it alone */
  GArray *values;        /* of gint64: the representatives */
} Unknown;

typedef struct Any {
  const RspKernel *kernel;
  const RspCheckOptions *check;
  RspDiagnostics *diagnostics;
  Unknown *unknowns;
  guint n;
  RspArena *arena; /* of terms and paths */
  RspTerms *terms;
  gboolean copied; /* is a value written to memory? */
  gboolean fails;  /* does a path fail, so that the kernel is checked in a lenient reading too? */
  gboolean loop;   /* does a loop run as often as a value says? */
  gboolean every;  /* all values of the type are tried */
  gboolean failed;
} Any;

/* ---- Terms ---- */

/* On which unknown values, as bits. */
static guint dependences (Any *any, const RspTerm *term) {
  if (!term->has_arguments)
    return 0;
  if (rsp_term_is_argument (term)) {
    any->unknowns[term->b->constant].term = term;
    return 1u << term->b->constant;
  }
  return (term->a ? dependences (any, term->a) : 0) | (term->b ? dependences (any, term->b) : 0);
}

static void refuse (Any *any, RspSpan span, const char *hint, const char *what) {
  if (!any->failed)
    rsp_error (any->diagnostics, span, hint, "-arg %s=any: %s", any->unknowns[0].name, what);
  any->failed = TRUE;
}

#define HINT "`any` is for a value that is compared with what is known, and copied: give a number"

/* ---- Conditions ---- */

static void add_condition (Unknown *unknown, const RspTerm *term) {
  if (!g_ptr_array_find (unknown->conditions, term, NULL))
    g_ptr_array_add (unknown->conditions, (gpointer) term);
}

/* FALSE: it depends on several values together. */
static gboolean note_condition (Any *any, const RspTerm *term) {
  guint on = dependences (any, term);
  if (on & (on - 1)) {
    gboolean both = term->kind == RSP_TERM_BINARY && term->a->is_boolean
                    && (term->b->is_boolean || term->b->kind == RSP_TERM_CONSTANT);
    return (both && note_condition (any, term->a) && note_condition (any, term->b))
           || (term->kind == RSP_TERM_CAST && term->a->is_boolean && note_condition (any, term->a));
  }
  if (on)
    add_condition (&any->unknowns[g_bit_nth_lsf (on, -1)], term);
  return TRUE;
}

/* ---- Paths ---- */

static void note_path (Any *any, const RspPath *path, RspSpan span) {
  gboolean matters = FALSE;
  any->fails |= path->end == RSP_PATH_FAILED;
  for (guint i = 0; i < path->n_free; i++) {
    matters |= dependences (any, path->free[i].term) != 0;
    if (!note_condition (any, path->free[i].term))
      refuse (any, span, "give a number to one of them",
              "a condition depends on two values that may be any");
  }
  for (guint i = 0; i < path->n_mixed; i++)
    if (any->copied || dependences (any, path->mixed[i]))
      refuse (any, span, HINT, "a condition compares what is read with the value");
  any->loop |= path->end == RSP_PATH_TRUNCATED && matters;
}

static void note_copies (Any *any, const RspPath *path, RspSpan span) {
  (void) span;
  for (guint i = 0; i < path->n_events; i++)
    any->copied |= path->events[i].written && dependences (any, path->events[i].written);
}

static void note_thread (Any *any, guint thread,
                         void (*note) (Any *any, const RspPath *path, RspSpan span)) {
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  any->failed |= !rsp_kernel_paths (any->kernel, thread, any->check, any->terms, any->arena, NULL,
                                    paths, any->diagnostics);
  for (guint i = 0; i < paths->len && !any->failed; i++)
    note (any, paths->pdata[i], any->kernel->program->threads[thread].span);
}

static void note_threads (Any *any) {
  guint n = any->kernel->program->n_threads;
  for (guint t = 0; t < n && !any->failed; t++)
    note_thread (any, t, note_copies);
  for (guint t = 0; t < n && !any->failed; t++)
    note_thread (any, t, note_path);
}

/* ---- Values ---- */

/* All values of the type, or as many as it takes to have each truth that conditions may have. */
static void find_values (Any *any, Unknown *unknown) {
  const guint8 bits = rsp_type_bits (&unknown->type);
  const gboolean is_signed = rsp_type_is_signed (&unknown->type);
  const gint64 zero = 0;
  if (any->every)
    for (gint64 i = 0; i < (gint64) 1 << bits; i++) {
      gint64 value = rsp_wrap (i, bits, is_signed);
      g_array_append_val (unknown->values, value);
    }
  else if (!unknown->term)
    g_array_append_val (unknown->values, zero);
  else if (!rsp_classes_find (unknown->conditions, unknown->term, bits, is_signed, unknown->values))
    refuse (any, RSP_NOWHERE, HINT,
            "conditions depend on too much that is calculated with the value");
}

/* "n=4", newly allocated. */
static char *argument_of (const Unknown *unknown, gint64 value) {
  return rsp_type_is_signed (&unknown->type)
             ? g_strdup_printf ("%s=%" G_GINT64_FORMAT, unknown->name, value)
             : g_strdup_printf ("%s=%" G_GUINT64_FORMAT, unknown->name, (guint64) value);
}

static void add_arguments (const Unknown *unknown, GPtrArray *all) {
  GPtrArray *arguments = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < unknown->values->len; i++)
    g_ptr_array_add (arguments, argument_of (unknown, g_array_index (unknown->values, gint64, i)));
  g_ptr_array_add (all, arguments);
}

/* NULL after an error. */
static GPtrArray *list_arguments (Any *any) {
  guint64 n = 1;
  for (guint i = 0; i < any->n && !any->failed; i++) {
    find_values (any, &any->unknowns[i]);
    n *= any->unknowns[i].values->len;
    if (n > MAX_TRIED)
      refuse (any, RSP_NOWHERE, "give numbers to some",
              "there are too many combinations of values");
  }
  if (any->failed)
    return NULL;
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < any->n; i++)
    add_arguments (&any->unknowns[i], all);
  return all;
}

/* ---- The whole ---- */

/* The types of the unknown parameters; FALSE after an error. */
static gboolean find_types (Any *any, const char *path, const RspKernelOptions *options) {
  g_autoptr (RspKernel) kernel = rsp_kernel_read (path, options, any->diagnostics);
  if (!kernel)
    return FALSE;
  for (guint i = 0; i < any->n; i++)
    any->unknowns[i].type = kernel->unknown[i];
  return TRUE;
}

static void explore_values (Any *any, const char *path, RspKernelOptions *options) {
  g_autoptr (GPtrArray) facts = rsp_kernel_facts_new ();
  g_autoptr (RspKernel) kernel
      = rsp_kernel_explore (path, options, facts, any->check, any->diagnostics);
  any->kernel = kernel;
  if (kernel)
    note_threads (any);
  else
    refuse (any, RSP_NOWHERE, HINT, "the kernel cannot be explored without the value");
  if (!any->fails || any->failed || options->lenient)
    return;
  options->lenient = TRUE;
  explore_values (any, path, options);
  options->lenient = FALSE;
}

static void start (Any *any, const RspKernelOptions *options) {
  any->n = g_strv_length ((char **) options->unknown);
  any->arena = rsp_arena_new ();
  any->terms = rsp_terms_new (any->arena);
  any->unknowns = rsp_arena_new0 (any->arena, Unknown, any->n);
  for (guint i = 0; i < any->n; i++)
    any->unknowns[i] = (Unknown){ .name = options->unknown[i],
                                  .conditions = g_ptr_array_new (),
                                  .values = g_array_new (FALSE, FALSE, sizeof (gint64)) };
}

static void stop (Any *any) {
  for (guint i = 0; i < any->n; i++) {
    g_ptr_array_unref (any->unknowns[i].conditions);
    g_array_unref (any->unknowns[i].values);
  }
  rsp_terms_free (any->terms);
  rsp_arena_free (any->arena);
}

/* All values of a small type are tried where it is not known that fewer do. NULL after an error. */
static GPtrArray *find_small (Any *any, const char *path, RspKernelOptions *options) {
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  RspDiagnostics *diagnostics = any->diagnostics;
  GPtrArray *all = NULL;
  any->diagnostics = unheard;
  explore_values (any, path, options);
  if (!any->loop)
    all = list_arguments (any);
  any->diagnostics = diagnostics;
  if (all)
    return all;
  any->failed = any->loop = FALSE;
  any->every = TRUE;
  g_array_set_size (any->unknowns[0].values, 0);
  return list_arguments (any);
}

GPtrArray *rsp_kernel_representatives (const char *path, RspKernelOptions *options,
                                       const RspCheckOptions *check, gboolean *loop,
                                       RspDiagnostics *diagnostics) {
  Any any = { .check = check, .diagnostics = diagnostics };
  GPtrArray *all = NULL;
  start (&any, options);
  gboolean good = find_types (&any, path, options);
  if (good && any.n == 1 && rsp_type_bits (&any.unknowns[0].type) <= 8)
    all = find_small (&any, path, options);
  else if (good) {
    explore_values (&any, path, options);
    all = list_arguments (&any);
  }
  *loop = any.loop;
  stop (&any);
  return all;
}
