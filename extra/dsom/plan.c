/* Kernels of the machine dsom: configuration, bodies, and the ranges that they touch. */
#include "extra/dsom/dsom.h"
#include "parser/program.h"

#include <string.h>

/* ---- Config --------------------------------------------------------------------------------- */

enum { DEFAULT_THRESHOLD = 2, MOST_THRESHOLD = 250 };

static const char *const strategies[] = { "batch", "balance", "lazy", "adaptive", NULL };

#define READING(field) #field, RSP_READING_OF_ALL, G_STRUCT_OFFSET(RspDsomConfig, field)

const RspReading rsp_dsom_readings[] = {
  { READING (ranges),
    { "exact", "over", "whole" },
    "The runtime assumes that a kernel accesses the bytes of its ranges (exact), all bytes between "
    "the first and the last of them in each buffer (over), or these buffers as a whole." },
  { READING (fetch),
    { "indirect", "off", "on" },
    "Of the bytes that a kernel may write, its device fetches before the launch those of indirect "
    "references, which are compared afterwards (indirect), none (off), or all (on)." },
  { READING (updates),
    { "wait", "background" },
    "Commands after a kernel or a host's write wait for the transfers that the strategy makes at "
    "once (wait), or do not (background)." },
  { .name = NULL }
};

RspDsomConfig rsp_dsom_config_default (void) {
  return (RspDsomConfig){ .strategy = RSP_DSOM_LAZY, .threshold = DEFAULT_THRESHOLD };
}

gboolean rsp_dsom_config_set_strategy (RspDsomConfig *config, const char *text, char **message) {
  g_auto (GStrv) parts = g_strsplit (text, ":", 2);
  const char *word = parts[0] ? parts[0] : "";
  guint strategy = 0;
  while (strategies[strategy] && !g_str_equal (strategies[strategy], word))
    strategy++;
  if (!strategies[strategy]) {
    g_autofree char *list = g_strjoinv ("`, `", (char **) strategies);
    *message = g_strdup_printf ("no such strategy: `%s`; there are `%s`", word, list);
    return FALSE;
  }
  config->strategy = (RspDsomStrategy) strategy;
  if (!parts[1])
    return TRUE;
  guint64 threshold;
  if (config->strategy == RSP_DSOM_ADAPTIVE
      && g_ascii_string_to_unsigned (parts[1], 10, 0, MOST_THRESHOLD, &threshold, NULL)) {
    config->threshold = (guint) threshold;
    return TRUE;
  }
  *message = config->strategy == RSP_DSOM_ADAPTIVE
                 ? g_strdup_printf ("`%s` is not a number from 0 to %d", parts[1], MOST_THRESHOLD)
                 : g_strdup_printf ("only `adaptive` takes a number, as in `adaptive:2`");
  return FALSE;
}

char *rsp_dsom_config_strategy (const RspDsomConfig *config) {
  if (config->strategy == RSP_DSOM_ADAPTIVE)
    return g_strdup_printf ("adaptive:%u", config->threshold);
  return g_strdup (strategies[config->strategy]);
}

/* ---- Evaluate ------------------------------------------------------------------------------- */

typedef struct Run {
  DsomMemory *memory;
  gint64 variables[RSP_AFFINE_VARIABLES];
} Run;

/* ---- Elements ---- */
DsomValue dsom_element_load (const RspDsomBuffer *buffer, guint element, const DsomByte *bytes) {
  DsomValue value = { 0, FALSE };
  guint64 bits = 0;
  const DsomByte *first = bytes + buffer->first + (gsize) element * buffer->element;
  for (guint i = 0; i < buffer->element; i++) {
    value.garbage |= first[i] == DSOM_GARBAGE;
    bits |= (guint64) (first[i] & 0xff) << (8 * i);
  }
  guint unused = 64 - 8 * buffer->element;
  if (!value.garbage)
    value.value = buffer->element == 1 ? (gint64) bits : (gint64) (bits << unused) >> unused;
  return value;
}

void dsom_element_store (const RspDsomBuffer *buffer, guint element, DsomByte *bytes,
                         DsomValue value) {
  DsomByte *first = bytes + buffer->first + (gsize) element * buffer->element;
  for (guint i = 0; i < buffer->element; i++)
    first[i] = value.garbage ? DSOM_GARBAGE : (DsomByte) ((guint64) value.value >> (8 * i) & 0xff);
}

/* Records the access to the element's bytes. */
static void use_element (Run *run, const RspDsomExpr *expr, const RspDsomBuffer *buffer,
                         guint element, guint use) {
  DsomMemory *memory = run->memory;
  guint first = buffer->first + (gsize) element * buffer->element;
  for (guint byte = first; byte < first + buffer->element; byte++) {
    if (use == DSOM_READ && memory->byte_uses[byte] & DSOM_WRITTEN)
      continue;
    memory->byte_uses[byte] |= use;
    if (!memory->allowed || memory->undeclared || memory->allowed[byte] & use)
      continue;
    memory->undeclared = TRUE;
    memory->undeclared_use = use;
    memory->undeclared_at = expr->span;
  }
}

static void set_fault (Run *run, DsomFault fault, RspSpan where) {
  if (run->memory->fault != DSOM_FINE)
    return;
  run->memory->fault = fault;
  run->memory->where = where;
}

/* ---- Expressions ---- */
static DsomValue evaluate (Run *run, const RspDsomExpr *expr);

/* The number of an element in its buffer; FALSE after a fault. */
static gboolean find_element (Run *run, const RspDsomExpr *expr, guint *element) {
  const RspDsomBuffer *buffer = &run->memory->program->buffers[expr->index];
  DsomValue index = evaluate (run, expr->a);
  if (run->memory->fault != DSOM_FINE)
    return FALSE;
  *element = (guint) index.value;
  if (!index.garbage && index.value >= 0 && index.value < buffer->n)
    return TRUE;
  set_fault (run, index.garbage ? DSOM_WILD : DSOM_OUTSIDE, expr->span);
  return FALSE;
}

/* All values have 64 bits. The divisor is not 0. */
static gint64 apply_operator (RspOperator op, gint64 a, gint64 b) {
  gint64 result = 0;
  switch (op) {
  case RSP_OP_NEGATE:
  case RSP_OP_COMPLEMENT:
    return rsp_fold_unary (op, a, 64, TRUE);
  case RSP_OP_LOGICAL_NOT:
    return !a;
  default:
    rsp_fold_binary (op, a, b, 64, TRUE, &result);
    return result;
  }
}

static DsomValue evaluate (Run *run, const RspDsomExpr *expr) {
  DsomMemory *memory = run->memory;
  guint element;
  switch (expr->kind) {
  case RSP_DSOM_CONSTANT:
    return (DsomValue){ expr->constant, FALSE };
  case RSP_DSOM_REGISTER:
    if (!(memory->register_uses[expr->index] & DSOM_WRITTEN))
      memory->register_uses[expr->index] |= DSOM_READ;
    return memory->registers[expr->index];
  case RSP_DSOM_VARIABLE:
    return (DsomValue){ run->variables[expr->index], FALSE };
  case RSP_DSOM_ELEMENT: {
    const RspDsomBuffer *buffer = &memory->program->buffers[expr->index];
    if (!find_element (run, expr, &element))
      return (DsomValue){ 0, TRUE };
    use_element (run, expr, buffer, element, DSOM_READ);
    return dsom_element_load (buffer, element, memory->bytes);
  }
  default: {
    if (expr->op == RSP_OP_LOGICAL_AND || expr->op == RSP_OP_LOGICAL_OR) {
      /* && and ||: b is evaluated only if a does not decide the result. */
      gboolean is_and = expr->op == RSP_OP_LOGICAL_AND;
      DsomValue a = evaluate (run, expr->a);
      if (a.garbage)
        set_fault (run, DSOM_WILD, expr->a->span);
      if (a.garbage || (a.value == 0) == is_and)
        return (DsomValue){ !is_and, a.garbage };
      DsomValue b = evaluate (run, expr->b);
      return (DsomValue){ b.value != 0, b.garbage };
    }
    DsomValue a = evaluate (run, expr->a), b = { 0, FALSE };
    if (expr->b)
      b = evaluate (run, expr->b);
    gboolean divides = expr->op == RSP_OP_DIV || expr->op == RSP_OP_MOD;
    if (divides && (b.garbage || b.value == 0))
      set_fault (run, b.garbage ? DSOM_WILD : DSOM_DIVISION, expr->span);
    if (a.garbage || b.garbage || run->memory->fault != DSOM_FINE)
      return (DsomValue){ 0, TRUE };
    return (DsomValue){ apply_operator (expr->op, a.value, b.value), FALSE };
  }
  }
}

/* ---- Statements ---- */
static void execute (Run *run, const RspDsomStatement *first);

static void run_loop (Run *run, const RspDsomStatement *statement, const RspDsomVariable *variable,
                      guint depth) {
  if (!variable) {
    execute (run, statement->body);
    return;
  }
  for (gint64 i = variable->low; i <= variable->high && run->memory->fault == DSOM_FINE; i++) {
    run->variables[depth] = i;
    run_loop (run, statement, variable->next, depth + 1);
  }
}

static void execute (Run *run, const RspDsomStatement *first) {
  for (const RspDsomStatement *s = first; s && run->memory->fault == DSOM_FINE; s = s->next)
    if (s->kind == RSP_DSOM_ASSIGN) {
      DsomMemory *memory = run->memory;
      const RspDsomExpr *target = s->target;
      DsomValue value = evaluate (run, s->value);
      guint element;
      if (memory->fault == DSOM_FINE) {
        if (target->kind == RSP_DSOM_REGISTER) {
          memory->register_uses[target->index] |= DSOM_WRITTEN;
          memory->registers[target->index] = value;
        } else if (find_element (run, target, &element)) {
          const RspDsomBuffer *buffer = &memory->program->buffers[target->index];
          use_element (run, target, buffer, element, DSOM_WRITTEN);
          dsom_element_store (buffer, element, memory->bytes, value);
        }
      }
    } else if (s->kind == RSP_DSOM_IF) {
      DsomValue condition = evaluate (run, s->value);
      if (condition.garbage)
        set_fault (run, DSOM_WILD, s->value->span);
      else
        execute (run, condition.value ? s->body : s->otherwise);
    } else if (s->kind == RSP_DSOM_FOR)
      run_loop (run, s, s->variables, s->depth);
    else
      execute (run, s->body);
}

void dsom_evaluate (const RspDsomKernel *kernel, DsomMemory *memory) {
  Run run = { .memory = memory };
  execute (&run, kernel->body);
}

/* ---- Ranges --------------------------------------------------------------------------------- */

enum { MOST_POINTS = 1 << 20 };

static int compare_ranges (gconstpointer a, gconstpointer b) {
  const RspDsomRange *x = a, *y = b;
  if (x->offset != y->offset)
    return x->offset < y->offset ? -1 : 1;
  return x->size < y->size ? -1 : x->size > y->size;
}

/* The number of points, or MOST_POINTS + 1. */
static gint64 count_points (const RspAffine *affine, guint n) {
  gint64 points = 1;
  for (guint i = 0; i < n; i++) {
    points *= MAX (affine->high[i] - affine->low[i] + 1, 0);
    points = MIN (points, (gint64) MOST_POINTS + 1);
  }
  return points;
}

/* Advances to the next point, the last variable first. FALSE after the last one. */
static gboolean next_point (const RspAffine *affine, guint n, gint64 *x) {
  for (guint i = n; i-- > 0; x[i] = affine->low[i])
    if (x[i]++ < affine->high[i])
      return TRUE;
  return FALSE;
}

/* Adds a range of that size for each point of the domain. */
static void enumerate_points (const RspAffine *affine, gint64 size, GArray *ranges) {
  gint64 x[RSP_AFFINE_VARIABLES];
  for (guint i = 0; i < affine->n; i++)
    x[i] = affine->low[i];
  do {
    RspDsomRange range = { rsp_linear_at (&affine->value, affine->n, x), size };
    if (rsp_affine_allows (affine, x))
      g_array_append_val (ranges, range);
  } while (next_point (affine, affine->n, x));
  /* Sorts the ranges and merges those that overlap or are adjacent. */
  guint n = 0;
  g_array_sort (ranges, compare_ranges);
  for (guint i = 0; i < ranges->len; i++) {
    RspDsomRange range = g_array_index (ranges, RspDsomRange, i);
    RspDsomRange *last = n ? &g_array_index (ranges, RspDsomRange, n - 1) : NULL;
    if (range.size <= 0)
      continue;
    if (last && range.offset <= last->offset + last->size)
      last->size = MAX (last->size, range.offset + range.size - last->offset);
    else
      g_array_index (ranges, RspDsomRange, n++) = range;
  }
  g_array_set_size (ranges, n);
}

/* The reference in bytes instead of elements. */
static RspAffine scale_to_bytes (const RspAffine *affine, guint element) {
  RspAffine bytes = *affine;
  bytes.value.constant *= element;
  for (guint i = 0; i < affine->n; i++)
    bytes.value.coefficients[i] *= element;
  return bytes;
}

gboolean rsp_ranges_naive (const RspAffine *affine, guint element, GArray *ranges) {
  gint64 points = count_points (affine, affine->n);
  g_array_set_size (ranges, 0);
  if (points > MOST_POINTS)
    return FALSE;
  RspAffine bytes = scale_to_bytes (affine, element);
  if (points)
    enumerate_points (&bytes, element, ranges);
  return TRUE;
}

/* ---- The fast algorithm ---- */
static void swap (gint64 *a, guint i, guint k) {
  gint64 old = a[i];
  a[i] = a[k];
  a[k] = old;
}

gboolean rsp_ranges_fast (const RspAffine *affine, guint element, GArray *ranges) {
  g_assert (affine->n_constraints == 0);
  RspAffine rest = scale_to_bytes (affine, element);
  gint64 size = element;
  guint absorbed = 0;
  g_array_set_size (ranges, 0);
  if (count_points (affine, affine->n) == 0)
    return TRUE;
  /* X := low + high - X, if the coefficient is negative. */
  for (guint i = 0; i < rest.n; i++) {
    gint64 *a = &rest.value.coefficients[i];
    if (*a >= 0)
      continue;
    rest.value.constant += *a * (rest.low[i] + rest.high[i]);
    *a = -*a;
  }
  /* Sorts variables by ascending coefficients. */
  for (guint i = 1; i < rest.n; i++)
    for (guint k = i; k > 0 && rest.value.coefficients[k] < rest.value.coefficients[k - 1]; k--) {
      swap (rest.value.coefficients, k, k - 1);
      swap (rest.low, k, k - 1);
      swap (rest.high, k, k - 1);
    }
  for (; absorbed < rest.n && rest.value.coefficients[absorbed] <= size; absorbed++) {
    gint64 a = rest.value.coefficients[absorbed];
    rest.value.constant += rest.low[absorbed] * a;
    size += (rest.high[absorbed] - rest.low[absorbed]) * a;
  }
  rest.n -= absorbed;
  for (guint i = 0; i < rest.n; i++) {
    rest.value.coefficients[i] = rest.value.coefficients[i + absorbed];
    rest.low[i] = rest.low[i + absorbed];
    rest.high[i] = rest.high[i + absorbed];
  }
  if (count_points (&rest, rest.n) > MOST_POINTS)
    return FALSE;
  enumerate_points (&rest, size, ranges);
  return TRUE;
}

gboolean rsp_ranges_of (const RspAffine *affine, guint element, GArray *ranges) {
  return affine->n_constraints ? rsp_ranges_naive (affine, element, ranges)
                               : rsp_ranges_fast (affine, element, ranges);
}

/* ---- Plan ----------------------------------------------------------------------------------- */

guint dsom_buffer_of (const RspDsomProgram *program, guint byte) {
  guint buffer = program->n_buffers - 1;
  while (program->buffers[buffer].first > byte)
    buffer--;
  return buffer;
}

static guint size_of (const RspDsomBuffer *buffer) { return buffer->n * buffer->element; }

/* ---- Ranges ---- */
static void mark_range (const RspDsomBuffer *buffer, const RspDsomRange *range, guint bits,
                        guint8 *bytes) {
  gint64 begin = MAX (range->offset, 0);
  gint64 end = MIN (range->offset + range->size, (gint64) size_of (buffer));
  for (gint64 i = begin; i < end; i++)
    bytes[buffer->first + i] |= bits;
}

/* FALSE after an error: a declared reference touches an element that the buffer lacks. */
static gboolean mark_access (const RspDsomProgram *program, const RspDsomAccess *access,
                             guint8 *bytes, RspDiagnostics *diagnostics) {
  const RspDsomBuffer *buffer = &program->buffers[access->buffer];
  guint bits = access->is_write ? DSOM_IN_WRITES : DSOM_IN_READS;
  RspDsomRange whole = { 0, size_of (buffer) };
  if (access->kind == RSP_DSOM_AFFINE) {
    g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (RspDsomRange));
    if (!rsp_ranges_of (&access->affine, buffer->element, ranges)) {
      rsp_error (diagnostics, access->span, NULL, "this reference takes too many values");
      return FALSE;
    }
    for (guint i = 0; i < ranges->len; i++) {
      const RspDsomRange *range = &g_array_index (ranges, RspDsomRange, i);
      gint64 end = range->offset + range->size;
      /* A derived reference may be guarded by a condition. */
      if (!access->derived && (range->offset < 0 || end > (gint64) size_of (buffer))) {
        gint64 byte = range->offset < 0 ? range->offset : end - 1;
        rsp_error (diagnostics, access->span, NULL,
                   "this reaches element %" G_GINT64_FORMAT " of `%s`, which has %u",
                   byte < 0 ? (byte + 1) / buffer->element - 1 : byte / buffer->element,
                   buffer->name, buffer->n);
        return FALSE;
      }
      mark_range (buffer, range, bits, bytes);
    }
    return TRUE;
  }
  if (access->kind == RSP_DSOM_INDIRECT)
    mark_range (buffer, &whole, access->is_write ? DSOM_IN_INDIRECT : bits, bytes);
  for (guint i = 0; i < access->n_ranges; i++)
    mark_range (buffer, &access->ranges[i], bits, bytes);
  return TRUE;
}

/* ranges=over: marks everything between the first and the last byte; whole: the whole buffer. */
static void widen_range (const RspDsomBuffer *buffer, guint ranges, guint bit, guint8 *bytes) {
  guint begin = buffer->first, end = begin + size_of (buffer);
  while (begin < end && !(bytes[begin] & bit))
    begin++;
  if (begin == end)
    return;
  while (!(bytes[end - 1] & bit))
    end--;
  if (ranges == DSOM_RANGES_WHOLE) {
    begin = buffer->first;
    end = begin + size_of (buffer);
  }
  for (guint i = begin; i < end; i++)
    bytes[i] |= bit;
}

static gboolean plan_kernel (DsomPlan *plan, guint k, RspDiagnostics *diagnostics) {
  const RspDsomProgram *program = plan->program;
  guint8 *bytes = plan->ranges[k] = g_new0 (guint8, program->n_bytes + 1);
  plan->exact[k] = g_new0 (guint8, program->n_bytes + 1);
  for (const RspDsomAccess *access = program->kernels[k].accesses; access; access = access->next)
    if (!mark_access (program, access, bytes, diagnostics))
      return FALSE;
  for (guint i = 0; i < program->n_bytes; i++)
    plan->exact[k][i] = (guint8) ((bytes[i] & (DSOM_READ | DSOM_WRITTEN))
                                  | (bytes[i] & DSOM_IN_INDIRECT ? DSOM_WRITTEN : 0));
  for (guint b = 0; b < program->n_buffers && plan->config.ranges != DSOM_RANGES_EXACT; b++) {
    widen_range (&program->buffers[b], plan->config.ranges, DSOM_IN_READS, bytes);
    widen_range (&program->buffers[b], plan->config.ranges, DSOM_IN_WRITES, bytes);
  }
  return TRUE;
}

/* ---- Keys of the adaptive strategy ---- */
static gboolean writes_buffer (const DsomPlan *plan, guint kernel, guint buffer) {
  const RspDsomBuffer *b = &plan->program->buffers[buffer];
  for (guint i = b->first; i < b->first + size_of (b); i++)
    if (plan->ranges[kernel][i] & (DSOM_IN_WRITES | DSOM_IN_INDIRECT))
      return TRUE;
  return FALSE;
}

/* The key of an earlier command that runs the same kernel on the same device, or G_MAXUINT. */
static guint find_key (const DsomPlan *plan, guint command, guint buffer) {
  const RspDsomCommand *own = dsom_command_at (plan, command);
  for (guint c = 0; c < command; c++) {
    const RspDsomCommand *other = dsom_command_at (plan, c);
    if (other->kind == RSP_DSOM_RUN && other->kernel == own->kernel && other->device == own->device)
      return plan->keys[c][buffer];
  }
  return G_MAXUINT;
}

DsomPlan *dsom_plan_new (const RspDsomProgram *program, const RspDsomConfig *config,
                         RspDiagnostics *diagnostics) {
  g_autoptr (DsomPlan) plan = g_new0 (DsomPlan, 1);
  g_autoptr (GArray) buffers = g_array_new (FALSE, FALSE, sizeof (guint)); /* per key */
  plan->program = program;
  plan->config = *config;
  plan->ranges = g_new0 (guint8 *, program->n_kernels + 1);
  plan->exact = g_new0 (guint8 *, program->n_kernels + 1);
  for (guint k = 0; k < program->n_kernels; k++)
    if (!plan_kernel (plan, k, diagnostics))
      return NULL;
  plan->keys = g_new0 (guint *, program->n_commands + 1);
  for (guint c = 0; c < program->n_commands; c++) {
    const RspDsomCommand *command = dsom_command_at (plan, c);
    plan->keys[c] = g_new (guint, program->n_buffers + 1);
    for (guint b = 0; b < program->n_buffers; b++) {
      plan->keys[c][b] = G_MAXUINT;
      if (command->kind != RSP_DSOM_RUN || !writes_buffer (plan, command->kernel, b))
        continue;
      plan->keys[c][b] = find_key (plan, c, b);
      if (plan->keys[c][b] != G_MAXUINT)
        continue;
      plan->keys[c][b] = buffers->len;
      g_array_append_val (buffers, b);
    }
  }
  plan->n_keys = buffers->len;
  plan->key_buffers = g_memdup2 (buffers->data, buffers->len * sizeof (guint));
  return g_steal_pointer (&plan);
}

void dsom_plan_free (DsomPlan *plan) {
  if (!plan)
    return;
  for (guint k = 0; k < plan->program->n_kernels; k++) {
    g_free (plan->ranges[k]);
    g_free (plan->exact[k]);
  }
  for (guint c = 0; c < plan->program->n_commands; c++)
    g_free (plan->keys ? plan->keys[c] : NULL);
  g_free (plan->ranges);
  g_free (plan->exact);
  g_free (plan->keys);
  g_free (plan->key_buffers);
  g_free (plan);
}
