/* A kernel on its grid, as a program: one thread per work-item. */
#include "parser/kernel/kernel.h"
#include "parser/kernel/program/finals.h"
#include "parser/kernel/lower/fold.h"
#include "parser/kernel/lower/lower.h"
#include "parser/kernel/program/arguments.h"
#include "parser/kernel/program/objects.h"
#include "parser/kernel/program/resolve.h"
#include "parser/kernel/program/unwritten.h"
#include "parser/kernel/lower/statement.h"
#include "parser/kernel/lower/type.h"

#include <stdlib.h>
#include <string.h>

enum {
  MANY = 1 << 20 /* more work-items than can be checked: a size of a grid is read as no more */
};

/* "4", or "2,2,1" with up to so many dimensions: the product; 0: neither. */
static guint parse_sizes (const char **text, guint *sizes, guint *n) {
  guint64 product = 1;
  for (*n = 0; *n < RSP_GRID_DIMENSIONS; ++*text) {
    char *end = (char *) *text;
    guint64 size = g_ascii_isdigit (**text) ? g_ascii_strtoull (*text, &end, 10) : 0;
    if (!size)
      return 0;
    size = MIN (size, MANY);
    product = MIN (product * size, MANY);
    sizes[(*n)++] = (guint) size;
    *text = end;
    if (*end != ',')
      return (guint) product;
  }
  return 0;
}

gboolean rsp_grid_parse (const char *text, RspGrid *grid) {
  guint products[3] = { 0 }, sizes[3][RSP_GRID_DIMENSIONS], lengths[3] = { 0 }, n = 0;
  for (gboolean more = TRUE; more && n < 3; n++, text++) {
    for (guint d = 0; d < RSP_GRID_DIMENSIONS; d++)
      sizes[n][d] = 1;
    products[n] = parse_sizes (&text, sizes[n], &lengths[n]);
    more = *text == 'x';
    if (!products[n] || (*text && !more))
      return FALSE;
  }
  grid->groups = products[0];
  grid->sub_groups = n == 3 ? products[1] : 1;
  grid->items = products[n - 1];
  grid->dimensions = MAX (lengths[0], lengths[n - 1]);
  memcpy (grid->group_sizes, sizes[0], sizeof sizes[0]);
  memcpy (grid->item_sizes, sizes[n - 1], sizeof sizes[0]);
  grid->item_sizes[0] *= grid->sub_groups;
  return n >= 2 && !text[-1] && (n == 2 || (lengths[1] == 1 && lengths[2] == 1));
}

/* ---- The entry ---- */

static const KernelFunction *find_entry (KernelLowerer *l) {
  const LitmusList functions = l->unit->functions;
  const KernelFunction *found = NULL;
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = 0;
  for (guint i = 0; i < functions.n; i++) {
    const KernelFunction *function = functions.items[i];
    if (!function->is_kernel || !function->name)
      continue;
    g_string_append_printf (names, "%s`-entry %s`", n++ ? ", " : "", function->name);
    if (!l->options->entry || strcmp (l->options->entry, function->name) == 0)
      found = found && !l->options->entry ? found : function;
  }
  RspSpan span = { l->program->source, 0, 0 };
  if (n > 1 && !l->options->entry)
    kernel_error (l, span, names->str, "the file has %u kernels: which one?", n);
  else if (!found && n)
    kernel_error (l, span, names->str, "the file has no kernel `%s`", l->options->entry);
  else if (!found)
    kernel_error (l, span, "`__kernel void f (__global int *x) { … }`", "the file has no kernel");
  return n > 1 && !l->options->entry ? NULL : found;
}

/* ---- Threads ---- */

/* Work-items are numbered group by group; so are the nodes of each level. */
static void place_thread (const RspGrid *grid, guint number, RspThread *thread) {
  guint size = grid->sub_groups * grid->items, group = number / size;
  guint devices = MIN (MAX (grid->devices, 1), grid->groups);
  guint device = group * devices / grid->groups;
  thread->place[RSP_LEVEL_DEVICE] = device;
  thread->place[RSP_LEVEL_KERNEL] = device;
  thread->place[RSP_LEVEL_WORK_GROUP] = group;
  thread->place[RSP_LEVEL_SUB_GROUP] = number / grid->items;
}

static void lower_thread (KernelLowerer *l, guint number) {
  const RspGrid *grid = &l->options->grid;
  guint size = grid->sub_groups * grid->items;
  RspThread *thread = &l->program->threads[number];
  l->thread = number;
  l->group = number / size;
  l->item = number % size;
  l->n_frames = l->depth = l->n_statements = l->n_loops = l->n_leavable = 0;
  g_array_set_size (l->registers, 0);
  g_string_truncate (l->identity, 0);
  thread->name = rsp_arena_printf (l->arena, "P%u", number);
  thread->number = number;
  thread->span = l->entry->span;
  place_thread (grid, number, thread);
  thread->body = rsp_kernel_thread_body (l);
  thread->n_registers = l->registers->len;
  thread->registers
      = rsp_arena_copy (l->arena, l->registers->data, l->registers->len * sizeof (RspRegister));
  thread->raw = rsp_arena_printf (l->arena, "%s %s", l->entry->name, l->identity->str);
}

static gboolean check_grid (KernelLowerer *l) {
  const RspGrid *grid = &l->options->grid;
  guint64 n = (guint64) grid->groups * grid->sub_groups * grid->items;
  if (n > KERNEL_MAX_THREADS)
    kernel_error (l, l->entry->span, "races and barriers mostly show with 2 work-groups of 2",
                  "the grid has more than %d work-items, which are too many to check",
                  KERNEL_MAX_THREADS);
  l->program->n_threads = (guint) MIN (n, KERNEL_MAX_THREADS);
  return n <= KERNEL_MAX_THREADS;
}

static void lower_threads (KernelLowerer *l) {
  RspProgram *program = l->program;
  program->threads = rsp_arena_new0 (l->arena, RspThread, program->n_threads);
  guint n_globals = l->bindings->len, errors = rsp_diagnostics_count_errors (l->diagnostics);
  for (guint i = 0;
       i < program->n_threads && rsp_diagnostics_count_errors (l->diagnostics) == errors; i++) {
    lower_thread (l, i);
    g_array_set_size (l->bindings, n_globals);
  }
}

/* ---- The whole ---- */

static void start (KernelLowerer *l) {
  l->locations = g_array_new (FALSE, TRUE, sizeof (RspLocation));
  l->asserts = g_array_new (FALSE, TRUE, sizeof (RspKernelAssert));
  l->bindings = g_array_new (FALSE, TRUE, sizeof (KernelBinding));
  l->registers = g_array_new (FALSE, TRUE, sizeof (RspRegister));
  l->local = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  l->built_in = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  l->identity = g_string_new (NULL);
}

static void stop (KernelLowerer *l) {
  g_array_unref (l->locations);
  g_array_unref (l->asserts);
  g_array_unref (l->bindings);
  g_array_unref (l->registers);
  g_hash_table_unref (l->local);
  g_hash_table_unref (l->built_in);
  g_string_free (l->identity, TRUE);
}

static void keep_tables (KernelLowerer *l) {
  RspKernel *kernel = l->kernel;
  RspProgram *program = l->program;
  program->n_locations = l->locations->len;
  program->locations
      = rsp_arena_copy (l->arena, l->locations->data, l->locations->len * sizeof (RspLocation));
  kernel->n_asserts = l->asserts->len;
  kernel->asserts
      = rsp_arena_copy (l->arena, l->asserts->data, l->asserts->len * sizeof (RspKernelAssert));
}

/* Sizes of types may depend on them. */
static void bind_enumerators (KernelLowerer *l) {
  for (guint i = 0; i < l->unit->globals.n; i++) {
    const KernelVariable *variable = l->unit->globals.items[i];
    if (variable->is_enumerator)
      rsp_kernel_bind_enumerator (l, variable);
  }
}

/* What the file's axioms say about the grid, and its assertions about constants. */
static void check_axioms (KernelLowerer *l) {
  const LitmusList axioms = l->unit->axioms;
  for (guint i = 0; i < axioms.n; i++) {
    const KernelExpr *axiom = axioms.items[i];
    gint64 value;
    if (strcmp (axiom->name, "_Static_assert") == 0)
      rsp_kernel_static_assert (l, axiom->a, axiom->span);
    else if (rsp_kernel_evaluate (l, axiom->a, &value) && !value)
      rsp_warning (l->diagnostics, axiom->a->span, NULL, "this axiom does not hold on the grid");
  }
}

void kernel_resolve (RspKernel *kernel, KernelUnit *unit, const RspKernelOptions *options,
                     RspDiagnostics *diagnostics) {
  KernelLowerer l = { .kernel = kernel,
                      .program = kernel->program,
                      .unit = unit,
                      .arena = kernel->program->arena,
                      .diagnostics = diagnostics,
                      .options = options };
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  start (&l);
  l.program->language = &rsp_languages[RSP_LANGUAGE_OPENCL];
  l.program->counts_loops = TRUE;
  l.entry = find_entry (&l);
  if (l.entry && check_grid (&l)) {
    l.program->name = l.entry->name;
    bind_enumerators (&l);
    check_axioms (&l);
    kernel_check_arguments (&l);
    kernel_lay_out_objects (&l);
  }
  if (rsp_diagnostics_count_errors (diagnostics) == errors)
    lower_threads (&l);
  if (rsp_diagnostics_count_errors (diagnostics) == errors) {
    keep_tables (&l);
    kernel_mark_unwritten (l.program);
    kernel_resolve_asserts (&l);
  }
  stop (&l);
}
