#include "api/run/any.h"

#include "enumerator/paths/path.h"

#include <stdlib.h>
#include <string.h>

enum
{
  MAX_TRIED = 256 /* values: all of a char */
};

typedef struct Any
{
  const RspKernel *kernel;
  const RspCheckOptions *check;
  RspDiagnostics *diagnostics;
  GArray *values; /* of gint64: the representatives */
  const char *name;
  guint8 bits; /* of the parameter's type */
  gboolean is_signed;
  gboolean copied; /* is the value written to memory? */
  gboolean fails;  /* does a path fail, so that the kernel is checked in a lenient reading too? */
  gboolean failed;
} Any;

/* ---- Terms ---- */

/* Is it the unknown value, as the executor has it: a function of 0? */
static gboolean
is_unknown (const RspTerm *term)
{
  return term->kind == RSP_TERM_BINARY && term->op == RSP_OP_APPLY
         && term->a->kind == RSP_TERM_CONSTANT
         && (guint64) term->a->constant == g_str_hash (RSP_KERNEL_UNKNOWN);
}

static gboolean
depends (const RspTerm *term)
{
  return term->is_free
         && (is_unknown (term) || (term->a && depends (term->a)) || (term->b && depends (term->b)));
}

/* Is it the value, converted to types that are not narrower? (The function has 64 bits.) */
static gboolean
is_value (const Any *any, const RspTerm *term)
{
  if (is_unknown (term))
    return any->bits == 64;
  if (term->kind != RSP_TERM_CAST)
    return FALSE;
  if (is_unknown (term->a) && any->bits < 64)
    return term->bits == any->bits;
  return term->bits >= term->a->bits && is_value (any, term->a);
}

static void
refuse (Any *any, RspSpan span, const char *what)
{
  if (!any->failed)
    rsp_error (
        any->diagnostics, span,
        "`any` is for a value that is only compared with constants, and copied: give a number",
        "-arg %s=any: %s", any->name, what);
  any->failed = TRUE;
}

/* ---- Values ---- */

static void
add_value (Any *any, gint64 value)
{
  value = rsp_wrap (value, any->bits, any->is_signed);
  for (guint i = 0; i < any->values->len; i++)
    if (g_array_index (any->values, gint64, i) == value)
      return;
  g_array_append_val (any->values, value);
}

/* The value is compared with a constant: on either side of that, the comparison is the same. */
static void
add_threshold (Any *any, gint64 constant)
{
  for (gint64 step = -1; step <= 1; step++)
    add_value (any, (gint64) ((guint64) constant + (guint64) step));
}

static gboolean note_condition (Any *any, const RspTerm *term);

static gboolean
note_comparison (Any *any, const RspTerm *a, const RspTerm *b)
{
  if (b->kind == RSP_TERM_CONSTANT && is_value (any, a))
    {
      add_threshold (any, b->constant);
      return TRUE;
    }
  return b->kind == RSP_TERM_CONSTANT && a->is_boolean && note_condition (any, a);
}

/* FALSE: it is about something else than comparisons of the value with constants. */
static gboolean
note_condition (Any *any, const RspTerm *term)
{
  if (!depends (term))
    return TRUE;
  if (is_value (any, term))
    {
      add_threshold (any, 0);
      return TRUE;
    }
  if (term->kind == RSP_TERM_CAST)
    return term->a->is_boolean && note_condition (any, term->a);
  if (term->kind != RSP_TERM_BINARY)
    return FALSE;
  if (rsp_operator_is_comparison (term->op))
    return note_comparison (any, term->a, term->b) || note_comparison (any, term->b, term->a);
  return (term->op == RSP_OP_AND || term->op == RSP_OP_OR) && term->a->is_boolean
         && term->b->is_boolean && note_condition (any, term->a) && note_condition (any, term->b);
}

/* ---- Paths ---- */

static void
note_path (Any *any, const RspPath *path, RspSpan span)
{
  gboolean matters = FALSE;
  any->fails |= path->end == RSP_PATH_FAILED;
  for (guint i = 0; i < path->n_free; i++)
    {
      matters |= depends (path->free[i].term);
      if (!note_condition (any, path->free[i].term))
        refuse (any, span, "a condition depends on what the kernel calculates with the value");
    }
  for (guint i = 0; i < path->n_mixed; i++)
    if (any->copied || depends (path->mixed[i]))
      refuse (any, span, "a condition compares what is read with the value");
  if (path->end == RSP_PATH_TRUNCATED && matters)
    refuse (any, path->end_span, "this loop may run as often as the value says");
}

static void
note_copies (Any *any, const RspPath *path, RspSpan span)
{
  (void) span;
  for (guint i = 0; i < path->n_events; i++)
    any->copied |= path->events[i].written && depends (path->events[i].written);
}

static void
note_thread (Any *any, guint thread, void (*note) (Any *any, const RspPath *path, RspSpan span))
{
  g_autoptr (RspArena) arena = rsp_arena_new ();
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  RspTerms *terms = rsp_terms_new (arena);
  any->failed |= !rsp_kernel_paths (any->kernel, thread, any->check, terms, arena, NULL, paths,
                                    any->diagnostics);
  for (guint i = 0; i < paths->len && !any->failed; i++)
    note (any, paths->pdata[i], any->kernel->program->threads[thread].span);
  rsp_terms_free (terms);
}

/* ---- The whole ---- */

/* The ends of the type, and of its negative numbers. */
static void
add_ends (Any *any)
{
  add_value (any, 0);
  add_value (any, -1);
  add_value (any, any->is_signed ? (gint64) (G_MAXUINT64 >> (65 - any->bits)) : 1);
  add_value (any, (gint64) (G_GUINT64_CONSTANT (1) << (any->bits - 1)));
}

static void
find_values (Any *any)
{
  guint n = any->kernel->program->n_threads;
  for (guint t = 0; t < n && !any->failed; t++)
    note_thread (any, t, note_copies);
  for (guint t = 0; t < n && !any->failed; t++)
    note_thread (any, t, note_path);
  add_ends (any);
  if (any->values->len > MAX_TRIED)
    refuse (any, any->kernel->program->threads[0].span, "it is compared with too many constants");
}

/* "n=4", newly allocated. */
static char *
argument_of (const Any *any, gint64 value)
{
  return any->is_signed ? g_strdup_printf ("%s=%" G_GINT64_FORMAT, any->name, value)
                        : g_strdup_printf ("%s=%" G_GUINT64_FORMAT, any->name, (guint64) value);
}

/* The type of the unknown parameter; FALSE after an error. */
static gboolean
find_type (Any *any, const char *path, const RspKernelOptions *options)
{
  g_autoptr (RspKernel) kernel = rsp_kernel_read (path, options, any->diagnostics);
  if (!kernel)
    return FALSE;
  any->bits = kernel->unknown.bits;
  any->is_signed = kernel->unknown.is_signed;
  return TRUE;
}

/* As many as it takes to compare it in each way in which the kernel does. */
static void
explore_values (Any *any, const char *path, RspKernelOptions *options)
{
  g_autoptr (GPtrArray) facts = rsp_kernel_facts_new ();
  g_autoptr (RspKernel) kernel
      = rsp_kernel_explore (path, options, facts, any->check, any->diagnostics);
  any->kernel = kernel;
  if (kernel)
    find_values (any);
  else
    refuse (any, RSP_NOWHERE, "the kernel cannot be explored without the value");
  if (!any->fails || any->failed || options->lenient)
    return;
  options->lenient = TRUE;
  explore_values (any, path, options);
  options->lenient = FALSE;
}

GPtrArray *
rsp_kernel_representatives (const char *path, RspKernelOptions *options,
                            const RspCheckOptions *check, RspDiagnostics *diagnostics)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (gint64));
  Any any
      = { .check = check, .diagnostics = diagnostics, .name = options->unknown, .values = values };
  if (!find_type (&any, path, options))
    return NULL;
  if (any.bits > 8)
    explore_values (&any, path, options);
  else
    for (gint64 i = 0; i < (gint64) 1 << any.bits; i++)
      add_value (&any, i);
  if (any.failed)
    return NULL;
  GPtrArray *arguments = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < values->len; i++)
    g_ptr_array_add (arguments, argument_of (&any, g_array_index (values, gint64, i)));
  return arguments;
}
