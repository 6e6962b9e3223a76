/* Kernels with parameters of any value: which few values stand for all (-arg n=any). */
#include "api/api.h"
#include "api/internal.h"
#include "enumerator/paths/paths.h"
#include "enumerator/terms/terms.h"

#include <string.h>

/* ---- Any ------------------------------------------------------------------------------------ */

enum {
  MAX_TRIED = 256, /* combinations of values: as many as a char has */
  MAX_COUNTED = 1 << 20,
  FARTHER = 64, /* elements of arrays */
  N_NUMBERS = RSP_KERNEL_MAX_UNKNOWN * (RSP_KERNEL_MAX_DECIDING + 1),
  SEVERAL = G_MAXUINT
};

typedef struct Unknown {
  const char *name; /* of a parameter */
  gboolean decides; /* of a value of an array: may it decide a branch? */
  RspType type;
  const RspTerm *term;   /* NULL if nothing depends on it */
  GPtrArray *conditions; /* of RspTerm: those on this value alone */
  GArray *values;        /* of gint64: the representatives */
  guint leader; /* of the parameter's numbers that conditions link: the first's number + 1. Place i
                 * of their values belongs together. 0: it is on its own */
} Unknown;

typedef struct Any {
  const RspKernel *kernel;
  const RspCheckOptions *check;
  RspDiagnostics *diagnostics;
  Unknown *unknowns; /* by number: parameters, then values of arrays */
  guint n;           /* parameters */
  const char *const *names;
  guint sizes[RSP_KERNEL_MAX_UNKNOWN]; /* of arrays; 0: a scalar */
  gboolean grows[RSP_KERNEL_MAX_UNKNOWN];
  gboolean is_range[RSP_KERNEL_MAX_UNKNOWN]; /* a few numbers, not all? */
  guint groups[RSP_KERNEL_MAX_UNKNOWN]; /* of parameters whose values conditions link: the first */
  GPtrArray *links;                     /* of RspTerm: the conditions on several values */
  RspArena *arena;                      /* of terms and paths */
  GHashTable *required;      /* of RspTerm: conditions on values that hold in all executions */
  GHashTable *required_here; /* in those of one reading of the kernel */
  RspTerms *terms;
  GHashTable *writes;  /* location → GPtrArray of RspEvent: its plain writes */
  GHashTable *unequal; /* RspKernelOptions.unequal */
  gboolean copied;     /* is a value written to memory? */
  gboolean fails;      /* does a path fail? Then the kernel is also checked in a lenient reading */
  gboolean loop;       /* does a value determine how often a loop runs? */
  gboolean every;      /* all values of the type are tried */
  gboolean beyond;     /* do values lead to later elements of arrays than those that are known? */
  gboolean failed;
  guint blamed;    /* bits of the parameters whose values cannot be told apart */
  const char *why; /* why they cannot be told apart, and what to do */
  const char *hint;
  guint largest; /* parameter: that with the most values to try */
  guint64 count; /* of them, if there are too many combinations; else 0 */
} Any;

/* ---- Terms ---- */
/* The number of the unknown value on which the term depends, + 1; 0: on none; SEVERAL. */
static guint dependences (Any *any, const RspTerm *term) {
  if (!term->has_arguments)
    return 0;
  if (rsp_term_is_argument (term)) {
    any->unknowns[term->b->constant].term = term;
    return (guint) term->b->constant + 1;
  }
  const guint a = term->a ? dependences (any, term->a) : 0,
              b = term->b ? dependences (any, term->b) : 0;
  return !a ? b : !b || a == b ? a : SEVERAL;
}

static void refuse (Any *any, const char *hint, const char *what) {
  if (!any->failed) {
    any->why = what;
    any->hint = hint;
  }
  any->failed = TRUE;
}

static void blame (Any *any, const RspTerm *term) {
  if (!term || !term->has_arguments)
    return;
  if (rsp_term_is_argument (term))
    any->blamed |= 1u << term->b->constant % RSP_KERNEL_MAX_UNKNOWN;
  else {
    blame (any, term->a);
    blame (any, term->b);
  }
}

#define HINT                                                                                       \
  "`any` is for values that are only copied, or compared with known values: give a number"

/* ---- Conditions ---- */
static void note_condition (Any *any, const RspTerm *term) {
  const guint on = dependences (any, term);
  GPtrArray *conditions = on == SEVERAL ? any->links : any->unknowns[on ? on - 1 : 0].conditions;
  const gboolean both = term->kind == RSP_TERM_BINARY && term->a->is_boolean
                        && (term->b->is_boolean || term->b->kind == RSP_TERM_CONSTANT);
  if (on == SEVERAL && (both || (term->kind == RSP_TERM_CAST && term->a->is_boolean))) {
    note_condition (any, term->a);
    if (both)
      note_condition (any, term->b);
  } else if (on && !g_ptr_array_find (conditions, term, NULL))
    g_ptr_array_add (conditions, (gpointer) term);
}

/* ---- Paths ---- */
static RspUnknownNumber number_of (const Any *any, const Unknown *unknown) {
  return (RspUnknownNumber){ .term = unknown->term,
                             .bits = rsp_type_bits (&unknown->type),
                             .is_signed = rsp_type_is_signed (&unknown->type),
                             .conditions = unknown->conditions,
                             .required = any->required };
}

/* May the conditions of a path on unknown values hold together? TRUE if that is not known. */
static gboolean may_hold (Any *any, const RspPath *path) {
  for (guint i = 0; i < path->n_free; i++) {
    const guint on = dependences (any, path->free[i].term);
    if (!on || on == SEVERAL)
      continue;
    const Unknown *unknown = &any->unknowns[on - 1];
    const RspTerm *all = path->free[i].term;
    for (guint k = 0; k < path->n_free; k++)
      if (dependences (any, path->free[k].term) == on)
        all = rsp_term_binary (any->terms, RSP_OP_AND, all, path->free[k].term);
    g_autoptr (GPtrArray) conditions = g_ptr_array_new ();
    g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (gint64)),
                       bound = g_array_new (FALSE, FALSE, sizeof (RspBoundTerm));
    gboolean may = FALSE;
    g_ptr_array_add (conditions, (gpointer) all);
    RspUnknownNumber own = number_of (any, unknown);
    own.conditions = conditions;
    own.required = NULL;
    if (!rsp_classes_find (&own, values))
      continue;
    g_array_set_size (bound, 1);
    for (guint k = 0; k < values->len && !may; k++) {
      g_array_index (bound, RspBoundTerm, 0)
          = (RspBoundTerm){ .term = unknown->term,
                            .value.bits = g_array_index (values, gint64, k) };
      may = rsp_condition_truth (all, &(RspEvaluation){ .bound = bound }) != '0';
    }
    if (!may)
      return FALSE;
  }
  return TRUE;
}

static void note_path (Any *any, const RspPath *path) {
  gboolean matters = FALSE;
  any->fails |= path->end == RSP_PATH_FAILED;
  for (guint i = 0; i < path->n_free; i++) {
    matters |= dependences (any, path->free[i].term) != 0;
    note_condition (any, path->free[i].term);
  }
  for (guint i = 0; i < path->n_mixed; i++)
    if (any->copied || dependences (any, path->mixed[i])) {
      blame (any, path->mixed[i]);
      if (any->copied) /* any of them may be what is read */
        any->blamed = (1u << any->n) - 1;
      refuse (any, HINT, "a condition compares the value with what was read");
    }
  any->loop |= path->end == RSP_PATH_TRUNCATED && matters;
  any->beyond = any->beyond || (path->end_any && may_hold (any, path));
}

char *rsp_kernel_lines (guint line, guint other) {
  return g_strdup_printf ("%u %u", MIN (line, other), MAX (line, other));
}

static gboolean may_vary (const RspTerm *term) { return term->has_arguments || term->has_reads; }

/* Two values that depend on arguments may be equal only with those that stand for all others. */
static void compare_writes (Any *any, const RspEvent *a, const RspEvent *b) {
  guint line, other, column;
  if ((a->written == b->written && !a->written->has_reads)
      || !(may_vary (a->written) || may_vary (b->written)))
    return;
  rsp_source_position (a->span.source, a->span.begin, &line, &column);
  rsp_source_position (b->span.source, b->span.begin, &other, &column);
  g_hash_table_add (any->unequal, rsp_kernel_lines (line, other));
}

static void note_writes (Any *any, const RspPath *path) {
  for (guint i = 0; i < path->n_events; i++) {
    const RspEvent *event = &path->events[i];
    if (event->kind != RSP_EVENT_WRITE || event->is_atomic || !event->written
        || !event->span.source)
      continue;
    GPtrArray *others = g_hash_table_lookup (any->writes, GUINT_TO_POINTER (event->location));
    gboolean known = FALSE;
    if (!others)
      g_hash_table_insert (any->writes, GUINT_TO_POINTER (event->location),
                           others = g_ptr_array_new ());
    for (guint k = 0; k < others->len && !known; k++) {
      const RspEvent *other = others->pdata[k];
      known = other->written == event->written && other->span.begin == event->span.begin
              && other->span.source == event->span.source;
    }
    if (!known)
      g_ptr_array_add (others, (gpointer) event);
    for (guint k = 0; k < others->len && !known; k++)
      compare_writes (any, event, others->pdata[k]);
  }
}

/* What is written to an array of any values must not depend on them: then what is read there is
 * what was there in the beginning, or is known. */
static void note_copies (Any *any, const RspPath *path) {
  note_writes (any, path);
  for (guint i = 0; i < path->n_events; i++) {
    const RspEvent *event = &path->events[i];
    const gboolean depends = event->written && dependences (any, event->written);
    any->copied |= depends;
    if (depends && any->kernel->program->locations[event->location].argument)
      refuse (any, HINT, "values written to the array depend on those read from it");
  }
}

/* Adds to a set the conditions on unknown values that all paths of a thread have. */
static void add_required (Any *any, const GPtrArray *paths, GHashTable *required) {
  const RspPath *first = paths->len ? paths->pdata[0] : NULL;
  for (guint i = 0; first && i < first->n_free; i++) {
    const RspTerm *term = first->free[i].term;
    gboolean common = dependences (any, term) != 0;
    for (guint k = 1; k < paths->len && common; k++) {
      const RspPath *path = paths->pdata[k];
      guint place = 0;
      while (place < path->n_free && path->free[place].term != term)
        place++;
      common = place < path->n_free;
    }
    if (common)
      g_hash_table_add (required, (gpointer) term);
  }
}

static void note_thread (Any *any, guint thread, void (*note) (Any *any, const RspPath *path)) {
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  any->failed |= !rsp_kernel_paths (any->kernel, thread, any->check, any->terms, any->arena, NULL,
                                    paths, any->diagnostics);
  if (note == note_path && !any->failed)
    add_required (any, paths, any->required_here);
  for (guint i = 0; i < paths->len && !any->failed; i++)
    note (any, paths->pdata[i]);
}

/* ---- Values ---- */
/* Is the number a scalar parameter, or a value of an array that may be any? */
static gboolean is_used (const Any *any, guint number) {
  const guint parameter = number % RSP_KERNEL_MAX_UNKNOWN, size = any->sizes[parameter];
  return parameter < any->n && number / RSP_KERNEL_MAX_UNKNOWN <= size
         && !(size && number < RSP_KERNEL_MAX_UNKNOWN);
}

/* One that is not linked, or the first of those that are. */
static gboolean is_leading (const Any *any, guint number) {
  const guint leader = any->unknowns[number].leader;
  return is_used (any, number) && (!leader || leader == number + 1);
}

/* "n=4", "x[2]=0,5" or, if it grows, "x=0,5,...", with the chosen values, newly allocated; NULL for
 * an array whose elements need no distinction. */
static char *text_of (const Any *any, guint parameter, const guint *chosen) {
  const guint size = MIN (any->sizes[parameter], RSP_KERNEL_MAX_DECIDING);
  GString *text = g_string_new (any->names[parameter]);
  if (!size && !any->unknowns[parameter].type.bits)
    return g_string_free (text, TRUE);
  if (size && !any->grows[parameter])
    g_string_append_printf (text, "[%u]", any->sizes[parameter]);
  for (guint i = 0; i < MAX (size, 1); i++) {
    const guint number = parameter + (size ? i + 1 : 0) * RSP_KERNEL_MAX_UNKNOWN;
    const Unknown *own = &any->unknowns[number];
    const gint64 value
        = g_array_index (own->values, gint64, chosen[own->leader ? own->leader - 1 : number]);
    g_string_append_c (text, i ? ',' : '=');
    if (size && !own->decides)
      g_string_append (text, "any");
    else
      g_string_append_printf (
          text, rsp_type_is_signed (&own->type) ? "%" G_GINT64_FORMAT : "%" G_GUINT64_FORMAT,
          value);
  }
  return g_string_free (g_string_append (text, size && any->grows[parameter] ? ",..." : ""), FALSE);
}

/* The next combination of values of the parameters in a group. */
static gboolean choose_next (const Any *any, guint group, guint *chosen) {
  for (guint i = 0; i < N_NUMBERS; i++) {
    if (!is_leading (any, i) || any->groups[i % RSP_KERNEL_MAX_UNKNOWN] != group)
      continue;
    if (++chosen[i] < any->unknowns[i].values->len)
      return TRUE;
    chosen[i] = 0;
  }
  return FALSE;
}

static void add_group (const Any *any, guint group, GPtrArray *all) {
  g_autofree guint *chosen = g_new0 (guint, N_NUMBERS);
  do
    for (guint i = group; i < any->n; i++)
      if (any->groups[i] == group)
        g_ptr_array_add (all->pdata[i], text_of (any, i, chosen));
  while (choose_next (any, group, chosen));
}

static void mark_numbers (const RspTerm *term, gboolean *marked) {
  if (term && term->has_arguments && rsp_term_is_argument (term))
    marked[term->b->constant] = TRUE;
  else if (term && term->has_arguments) {
    mark_numbers (term->a, marked);
    mark_numbers (term->b, marked);
  }
}

static gboolean has_marked (const RspTerm *term, const gboolean *marked) {
  if (!term || !term->has_arguments)
    return FALSE;
  return rsp_term_is_argument (term) ? marked[term->b->constant]
                                     : has_marked (term->a, marked) || has_marked (term->b, marked);
}

/* The values of numbers that conditions link. */
static void find_rows (Any *any, GArray *numbers, const GPtrArray *conditions) {
  g_autofree RspUnknownNumber *unknowns = g_new0 (RspUnknownNumber, numbers->len);
  g_autoptr (GArray) rows = g_array_new (FALSE, TRUE, sizeof (gint64));
  gboolean ranges = FALSE;
  for (guint i = 0; i < numbers->len; i++) {
    unknowns[i] = number_of (any, &any->unknowns[g_array_index (numbers, guint, i)]);
    ranges |= any->is_range[g_array_index (numbers, guint, i) % RSP_KERNEL_MAX_UNKNOWN];
  }
  if (ranges || !rsp_classes_find_rows (conditions, unknowns, numbers->len, rows)) {
    for (guint i = 0; i < conditions->len; i++)
      blame (any, conditions->pdata[i]);
    refuse (any, "give a number to one of them",
            "a condition depends on two values that may be any");
    return;
  }
  for (guint i = 0; i < rows->len; i++)
    g_array_append_val (any->unknowns[g_array_index (numbers, guint, i % numbers->len)].values,
                        g_array_index (rows, gint64, i));
  for (guint i = 0; i < numbers->len; i++) {
    const guint first = g_array_index (numbers, guint, 0), own = g_array_index (numbers, guint, i),
                group = any->groups[own % RSP_KERNEL_MAX_UNKNOWN],
                joined = any->groups[first % RSP_KERNEL_MAX_UNKNOWN];
    any->unknowns[own].leader = first + 1;
    for (guint k = 0; k < any->n; k++)
      if (any->groups[k] == group || any->groups[k] == joined)
        any->groups[k] = MIN (group, joined);
  }
}

static void link_values (Any *any) {
  g_autoptr (GPtrArray) left = g_ptr_array_copy (any->links, NULL, NULL);
  for (guint i = 0; i < N_NUMBERS; i++)
    any->unknowns[i].leader = 0;
  for (guint i = 0; i < RSP_KERNEL_MAX_UNKNOWN; i++)
    any->groups[i] = i;
  while (left->len && !any->failed && !any->every) {
    g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint));
    g_autoptr (GPtrArray) conditions = g_ptr_array_new ();
    gboolean marked[N_NUMBERS] = { FALSE };
    for (guint i = 0; i < left->len;) {
      if (conditions->len && !has_marked (left->pdata[i], marked)) {
        i++;
        continue;
      }
      mark_numbers (left->pdata[i], marked);
      g_ptr_array_add (conditions, g_ptr_array_remove_index (left, i));
      i = 0;
    }
    for (guint i = 0; i < N_NUMBERS; i++)
      if (marked[i])
        g_array_append_val (numbers, i);
    find_rows (any, numbers, conditions);
  }
}

/* NULL after an error. */
static GPtrArray *list_arguments (Any *any) {
  guint64 n = 1, counts[RSP_KERNEL_MAX_UNKNOWN];
  if (any->failed)
    return NULL;
  for (guint i = 0; i < RSP_KERNEL_MAX_UNKNOWN; i++)
    counts[i] = 1;
  link_values (any);
  for (guint i = 0; i < N_NUMBERS && !any->failed; i++) {
    const guint parameter = i % RSP_KERNEL_MAX_UNKNOWN;
    if (!is_used (any, i))
      continue;
    /* All values of the type, or one per combination of truths that the conditions can have. */
    Unknown *unknown = &any->unknowns[i];
    const guint8 bits = rsp_type_bits (&unknown->type);
    const gboolean is_signed = rsp_type_is_signed (&unknown->type);
    const RspUnknownNumber number = number_of (any, unknown);
    const gint64 zero = 0;
    if (any->every)
      for (gint64 k = 0; k < (gint64) 1 << bits; k++) {
        gint64 value = rsp_wrap (k, bits, is_signed);
        g_array_append_val (unknown->values, value);
      }
    else if (!unknown->term)
      g_array_append_val (unknown->values, zero);
    else if (!unknown->leader && !rsp_classes_find (&number, unknown->values)) {
      blame (any, unknown->term);
      refuse (any, HINT, "conditions depend on too many calculations with the value");
    }
    if (is_leading (any, i))
      counts[parameter] = MIN (counts[parameter] * any->unknowns[i].values->len, MAX_COUNTED);
  }
  for (guint i = 0; i < any->n; i++) {
    n = MIN (n * counts[i], MAX_COUNTED);
    if (counts[i] > counts[any->largest])
      any->largest = i;
  }
  any->count = n > MAX_TRIED ? counts[any->largest] : 0;
  any->failed |= any->count > 0;
  if (any->failed)
    return NULL;
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < any->n; i++)
    g_ptr_array_add (all, g_ptr_array_new_with_free_func (g_free));
  for (guint i = 0; i < any->n; i++)
    if (any->groups[i] == i)
      add_group (any, i, all);
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

/* What a question asks about must not depend on the values. */
static void note_question (Any *any) {
  const RspProgram *program = any->kernel->program;
  for (guint i = 0; any->copied && i < program->n_observables; i++) {
    const RspObservable *own = &program->observables[i];
    if (!own->is_register && program->locations[own->location].opaque)
      refuse (any, HINT, "the assertion depends on the value");
  }
}

/* The kernel's values of arrays that may be any. */
static void begin_to_note (Any *any, const RspKernel *kernel, gboolean lenient) {
  any->kernel = kernel;
  for (guint i = 0; i < kernel->program->n_locations; i++) {
    const RspLocation *own = &kernel->program->locations[i];
    const guint number = own->argument - 1, parameter = number % RSP_KERNEL_MAX_UNKNOWN;
    if (!own->argument)
      continue;
    any->unknowns[number].type = own->type;
    any->unknowns[number].decides = TRUE;
    if (lenient) /* there, all arrays grow */
      continue;
    any->sizes[parameter] = own->n_elements;
    any->grows[parameter] = own->grows;
  }
}

/* Fails if the kernel tells apart more values than are tried. Else nothing is noted. */
static void limit_values (Any *any, const RspKernel *kernel, gboolean lenient) {
  const Any before = *any;
  const guint n_links = any->links->len;
  guint noted[N_NUMBERS];
  for (guint i = 0; i < N_NUMBERS; i++)
    noted[i] = any->unknowns[i].conditions->len;
  begin_to_note (any, kernel, lenient);
  for (guint t = 0; t < kernel->program->n_threads && !any->failed; t++)
    note_thread (any, t, note_path);
  g_autoptr (GPtrArray) all = list_arguments (any);
  if (!all)
    return;
  *any = before;
  g_ptr_array_set_size (any->links, (gint) n_links);
  for (guint i = 0; i < N_NUMBERS; i++) {
    g_ptr_array_set_size (any->unknowns[i].conditions, (gint) noted[i]);
    g_array_set_size (any->unknowns[i].values, 0);
  }
}

/* Arrays whose index may have any value (`x[n]`, `x[2 * n]`) would grow until a limit is exceeded.
 * So they get few elements first, then more than half of which are more than the values tried. */
static RspKernel *explore_few (Any *any, const char *path, RspKernelOptions *options) {
  g_autoptr (GPtrArray) facts = rsp_kernel_facts_new ();
  RspKernel *kernel = NULL;
  const guint steps[] = { MAX_TRIED / 8, 2 * MAX_TRIED + 2, 0 };
  for (guint i = 0; !kernel && !any->failed; i++) {
    options->most = steps[i];
    kernel = rsp_kernel_explore (path, options, facts, any->check, any->diagnostics);
    if (!kernel)
      break;
    if (kernel->stunted) {
      limit_values (any, kernel, options->lenient);
      g_clear_pointer (&kernel, rsp_kernel_free);
    }
  }
  options->most = 0;
  return kernel;
}

/* What one reading of the kernel requires, and in the second one not less. */
static void note_required (Any *any, gboolean second) {
  GHashTableIter iter;
  gpointer term;
  g_hash_table_iter_init (&iter, second ? any->required : any->required_here);
  while (g_hash_table_iter_next (&iter, &term, NULL))
    if (!second)
      g_hash_table_add (any->required, term);
    else if (!g_hash_table_contains (any->required_here, term))
      g_hash_table_iter_remove (&iter);
}

static void explore_values (Any *any, const char *path, RspKernelOptions *options) {
  g_autoptr (RspKernel) kernel = explore_few (any, path, options);
  if (kernel) {
    guint n = kernel->program->n_threads;
    begin_to_note (any, kernel, options->lenient);
    g_hash_table_remove_all (any->writes);
    for (guint t = 0; t < n && !any->failed; t++)
      note_thread (any, t, note_copies);
    note_question (any);
    g_hash_table_remove_all (any->required_here);
    for (guint t = 0; t < n && !any->failed; t++)
      note_thread (any, t, note_path);
    note_required (any, options->lenient);
  } else
    refuse (any, HINT, "the kernel cannot be explored without the value");
  if (!any->fails || any->failed || options->lenient)
    return;
  options->lenient = TRUE;
  explore_values (any, path, options);
  options->lenient = FALSE;
}

/* All values of a small type, if fewer are not known to suffice. NULL after an error. */
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

/* NULL if the values of some cannot be told apart. */
static GPtrArray *representatives (Any *any, const char *path, RspKernelOptions *options) {
  GPtrArray *all = NULL;
  any->n = g_strv_length ((char **) any->names);
  any->arena = rsp_arena_new ();
  any->terms = rsp_terms_new (any->arena);
  any->unknowns = rsp_arena_new0 (any->arena, Unknown, N_NUMBERS);
  any->unequal = options->unequal;
  any->links = g_ptr_array_new ();
  any->required = g_hash_table_new (NULL, NULL);
  any->required_here = g_hash_table_new (NULL, NULL);
  any->writes = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < N_NUMBERS; i++)
    any->unknowns[i] = (Unknown){ .name = i < any->n ? any->names[i] : NULL,
                                  .type = { .bits = 32 },
                                  .conditions = g_ptr_array_new (),
                                  .values = g_array_new (FALSE, FALSE, sizeof (gint64)) };
  gboolean good = find_types (any, path, options);
  if (good && any->n == 1 && any->unknowns[0].type.bits && any->unknowns[0].type.bits <= 8)
    all = find_small (any, path, options);
  else if (good) {
    explore_values (any, path, options);
    all = list_arguments (any);
  }
  for (guint i = 0; i < N_NUMBERS; i++) {
    g_ptr_array_unref (any->unknowns[i].conditions);
    g_array_unref (any->unknowns[i].values);
  }
  g_ptr_array_unref (any->links);
  g_hash_table_unref (any->required);
  g_hash_table_unref (any->required_here);
  g_hash_table_unref (any->writes);
  rsp_terms_free (any->terms);
  rsp_arena_free (any->arena);
  return all;
}

/* Is the argument given as `any`, not as a few numbers? */
static gboolean is_any (const RspKernelOptions *options, const char *name) {
  const gsize length = strlen (name);
  for (guint i = 0; options->arguments[i]; i++)
    if (strncmp (options->arguments[i], name, length) == 0
        && strchr ("[=", options->arguments[i][length])
        && g_str_has_suffix (options->arguments[i], "=any"))
      return TRUE;
  return FALSE;
}

/* Removes from `tried` the parameters whose values cannot be told apart: nothing is known of them
 * then. FALSE if it is not known which these are. */
static gboolean leave_out (const Any *any, const RspKernel *kernel, const RspKernelOptions *options,
                           GPtrArray *tried, RspDiagnostics *diagnostics) {
  const char *const *names = options->unknown;
  gboolean arrays = FALSE;
  if (any->count) {
    rsp_warning (diagnostics, RSP_NOWHERE, "give numbers to some",
                 "-arg %s=any: %s%u values matter, too many to try with those of other arguments: "
                 "findings for some values are `possible`",
                 any->names[any->largest], any->count == MAX_COUNTED ? "more than " : "",
                 (guint) any->count);
    return g_ptr_array_remove (tried, (gpointer) any->names[any->largest]);
  }
  for (guint i = 0; names[i]; i++) /* of arrays, silently */
    arrays |= !kernel->unknown[i].bits && g_ptr_array_remove (tried, (gpointer) names[i]);
  for (guint i = 0; !arrays && any->names[i]; i++) {
    if (!(any->blamed & 1u << i))
      continue;
    if (is_any (options, any->names[i]))
      rsp_warning (diagnostics, RSP_NOWHERE, any->hint,
                   "-arg %s=any: %s: findings for some values are `possible`", any->names[i],
                   any->why);
    g_ptr_array_remove (tried, (gpointer) any->names[i]);
  }
  return arrays || any->blamed;
}

/* Arrays to try, at most so many: their elements are all alike, all different, and equal in pairs.
 * x[8]: of 8 elements. */
static void add_arrays (GPtrArray *all, const char *name, guint ways,
                        const RspKernelOptions *options) {
  enum { MOST = 64, MANY = 4 /* more than one per work-item */ };
  guint declared = 0;
  for (guint i = 0; options->arguments[i]; i++)
    if (g_str_has_prefix (options->arguments[i], name)
        && options->arguments[i][strlen (name)] == '[')
      declared = (guint) g_ascii_strtoull (options->arguments[i] + strlen (name) + 1, NULL, 0);
  const guint n
      = declared
            ? MIN (declared, MOST)
            : MIN (MANY * options->grid.items * options->grid.sub_groups * options->grid.groups,
                   MOST);
  for (guint way = 0; way < MIN (ways, 4); way++) {
    GString *text = g_string_new (name);
    if (declared)
      g_string_append_printf (text, "[%u]", declared);
    for (guint i = 0; i < n; i++) {
      const guint values[] = { 0, i, n - 1 - i, i / 2 };
      g_string_append_printf (text, "%c%u", i ? ',' : '=', values[way]);
    }
    g_ptr_array_add (all, g_string_free (g_string_append (text, declared ? "" : ",..."), FALSE));
  }
}

/* Can the kernel be explored with arrays of which nothing is known, and with 1 for integers? */
static gboolean can_be_unknown (const char *path, const RspKernel *kernel,
                                const RspKernelOptions *options, const RspCheckOptions *check) {
  g_autoptr (GPtrArray) arguments = g_ptr_array_new_with_free_func (g_free),
                        facts = rsp_kernel_facts_new ();
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  RspKernelOptions own = *options;
  for (guint i = 0; options->arguments[i]; i++) {
    const char *text = options->arguments[i];
    g_autofree char *name = g_strndup (text, strcspn (text, "[="));
    guint k = 0;
    while (options->unknown[k] && strcmp (options->unknown[k], name) != 0)
      k++;
    g_ptr_array_add (arguments, options->unknown[k] && kernel->unknown[k].bits
                                    ? g_strconcat (name, "=1", NULL)
                                    : g_strdup (text));
  }
  g_ptr_array_add (arguments, NULL);
  own.arguments = (const char *const *) arguments->pdata;
  own.unknown = NULL;
  g_autoptr (RspKernel) explored = rsp_kernel_explore (path, &own, facts, check, unheard);
  return explored != NULL;
}

/* Small numbers for each integer, and arrays, where addresses depend on what cannot be told apart:
 * fewer if there are more of them. */
static GPtrArray *samples (const char *path, const RspKernel *kernel,
                           const RspKernelOptions *options, const RspCheckOptions *check,
                           gboolean *sampled, RspDiagnostics *diagnostics) {
  static const guint sizes[RSP_KERNEL_MAX_UNKNOWN + 1] = { 0, 9, 6, 4, 3, 2, 2, 2, 2 };
  const char *const *names = options->unknown;
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  guint n = 0;
  for (guint i = 0; names[i]; i++)
    n += kernel->unknown[i].bits > 0;
  const gboolean arrays = !can_be_unknown (path, kernel, options, check);
  *sampled = n > 0 || arrays;
  for (guint i = 0; names[i]; i++) {
    GPtrArray *own = g_ptr_array_new_with_free_func (g_free);
    g_ptr_array_add (all, own);
    if (!kernel->unknown[i].bits && arrays)
      add_arrays (own, names[i], sizes[g_strv_length ((char **) names)], options);
    else if (!kernel->unknown[i].bits)
      g_ptr_array_add (own, NULL);
    for (guint value = 0; kernel->unknown[i].bits && value < sizes[n]; value++)
      g_ptr_array_add (own, g_strdup_printf ("%s=%u", names[i], value));
    if (!is_any (options, names[i]) || !own->pdata[0])
      continue;
    if (kernel->unknown[i].bits)
      rsp_warning (diagnostics, RSP_NOWHERE, "`-arg n=1..16` tries others",
                   "-arg %s=any: the way in which addresses depend on it is too complex: only 0 to "
                   "%u are tried",
                   names[i], sizes[n] - 1);
    else
      rsp_warning (diagnostics, RSP_NOWHERE, "`-arg x=1,2,...` gives others",
                   "-arg %s=any: the way in which addresses depend on its elements is too complex: "
                   "only %u arrays are tried",
                   names[i], own->len);
  }
  return all;
}

/* With larger arrays, if these are as large as the values need; else FALSE, and nothing changes. */
static gboolean try_farther (Any *any, const char *path, RspKernelOptions *options,
                             GPtrArray **some) {
  Any own = { .check = any->check, .diagnostics = any->diagnostics, .names = any->names };
  memcpy (own.is_range, any->is_range, sizeof own.is_range);
  options->guessed = FARTHER;
  GPtrArray *all = representatives (&own, path, options);
  options->guessed = 0;
  if (!all || own.beyond) {
    g_clear_pointer (&all, g_ptr_array_unref);
    return FALSE;
  }
  g_ptr_array_unref (*some);
  *some = all;
  *any = own;
  return TRUE;
}

GPtrArray *rsp_kernel_representatives (const char *path, RspKernelOptions *options,
                                       const RspCheckOptions *check, gboolean *loop,
                                       gboolean *sampled, guint *groups,
                                       RspDiagnostics *diagnostics) {
  const char *const *names = options->unknown;
  guint places[RSP_KERNEL_MAX_UNKNOWN];
  g_autoptr (RspKernel) kernel = rsp_kernel_read (path, options, diagnostics);
  g_autoptr (GPtrArray) tried = g_ptr_array_new (), some = NULL;
  g_autoptr (RspDiagnostics) doubts = rsp_diagnostics_new ();
  *sampled = FALSE;
  if (!kernel)
    return NULL;
  for (guint i = 0; names[i]; i++)
    g_ptr_array_add (tried, (gpointer) names[groups[i] = i]);
  while (!some) {
    g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
    g_autofree const char **own = g_new0 (const char *, tried->len + 1);
    memcpy (own, tried->pdata, tried->len * sizeof *own);
    Any any = { .check = check, .diagnostics = unheard, .names = own };
    for (guint i = 0; i < tried->len; i++)
      any.is_range[i] = !is_any (options, own[i]);
    options->unknown = own;
    g_hash_table_remove_all (options->unequal);
    some = representatives (&any, path, options);
    if (some && any.beyond) /* elements after these are one class */
      *sampled = !try_farther (&any, path, options, &some);
    options->unknown = names;
    *loop = any.loop;
    memcpy (places, any.groups, sizeof places);
    if (!some && !leave_out (&any, kernel, options, tried, doubts)) {
      g_hash_table_remove_all (options->unequal);
      return samples (path, kernel, options, check, sampled, diagnostics);
    }
  }
  if (*sampled)
    rsp_warning (diagnostics, RSP_NOWHERE, "`-arg x[8]=0` gives an array its size",
                 "`any` leads to ever later elements of an array without a size: not all such "
                 "values are tried");
  rsp_diagnostics_move (diagnostics, doubts);
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; names[i]; i++) {
    guint place;
    GPtrArray *own = g_ptr_array_find (tried, names[i], &place)
                         ? g_ptr_array_ref (some->pdata[place])
                         : g_ptr_array_new_with_free_func (g_free);
    if (!own->len)
      g_ptr_array_add (own, NULL); /* as it is given */
    else
      while (strcmp (names[groups[i]], tried->pdata[places[place]]) != 0)
        groups[i]--;
    g_ptr_array_add (all, own);
  }
  return all;
}
