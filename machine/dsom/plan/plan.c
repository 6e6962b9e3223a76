#include "machine/dsom/plan/plan.h"

guint dsom_buffer_of (const RspDsomProgram *program, guint byte) {
  guint buffer = program->n_buffers - 1;
  while (program->buffers[buffer].first > byte)
    buffer--;
  return buffer;
}

static guint size_of (const RspDsomBuffer *buffer) { return buffer->n * buffer->element; }

/* ---- Ranges ---- */

static void mark (const RspDsomBuffer *buffer, const RspDsomRange *range, guint bits,
                  guint8 *bytes) {
  gint64 begin = MAX (range->offset, 0);
  gint64 end = MIN (range->offset + range->size, (gint64) size_of (buffer));
  for (gint64 i = begin; i < end; i++)
    bytes[buffer->first + i] |= bits;
}

/* Reports an element that a declared reference touches but the buffer lacks. A derived reference
 * may be guarded by a condition. */
static gboolean check_range (const RspDsomBuffer *buffer, const RspDsomAccess *access,
                             const RspDsomRange *range, RspDiagnostics *diagnostics) {
  gint64 end = range->offset + range->size;
  if (access->derived || (range->offset >= 0 && end <= (gint64) size_of (buffer)))
    return TRUE;
  gint64 byte = range->offset < 0 ? range->offset : end - 1;
  rsp_error (diagnostics, access->span, NULL,
             "this reaches element %" G_GINT64_FORMAT " of `%s`, which has %u",
             byte < 0 ? (byte + 1) / buffer->element - 1 : byte / buffer->element, buffer->name,
             buffer->n);
  return FALSE;
}

static gboolean mark_affine (const RspDsomBuffer *buffer, const RspDsomAccess *access, guint bits,
                             guint8 *bytes, RspDiagnostics *diagnostics) {
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (RspDsomRange));
  if (!rsp_ranges_of (&access->affine, buffer->element, ranges)) {
    rsp_error (diagnostics, access->span, NULL, "this reference takes too many values");
    return FALSE;
  }
  for (guint i = 0; i < ranges->len; i++) {
    const RspDsomRange *range = &g_array_index (ranges, RspDsomRange, i);
    if (!check_range (buffer, access, range, diagnostics))
      return FALSE;
    mark (buffer, range, bits, bytes);
  }
  return TRUE;
}

static gboolean mark_access (const RspDsomProgram *program, const RspDsomAccess *access,
                             guint8 *bytes, RspDiagnostics *diagnostics) {
  const RspDsomBuffer *buffer = &program->buffers[access->buffer];
  guint bits = access->is_write ? DSOM_IN_WRITES : DSOM_IN_READS;
  RspDsomRange whole = { 0, size_of (buffer) };
  if (access->kind == RSP_DSOM_AFFINE)
    return mark_affine (buffer, access, bits, bytes, diagnostics);
  if (access->kind == RSP_DSOM_INDIRECT)
    mark (buffer, &whole, access->is_write ? DSOM_IN_INDIRECT : bits, bytes);
  for (guint i = 0; i < access->n_ranges; i++)
    mark (buffer, &access->ranges[i], bits, bytes);
  return TRUE;
}

/* ranges=over and whole: everything between the first and the last byte, or the whole buffer. */
static void widen (const RspDsomBuffer *buffer, guint ranges, guint bit, guint8 *bytes) {
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
    widen (&program->buffers[b], plan->config.ranges, DSOM_IN_READS, bytes);
    widen (&program->buffers[b], plan->config.ranges, DSOM_IN_WRITES, bytes);
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

/* The key of an earlier command that runs the same kernel on the same device. */
static guint find_key (const DsomPlan *plan, guint command, guint buffer) {
  const RspDsomCommand *own = dsom_command_at (plan, command);
  for (guint c = 0; c < command; c++) {
    const RspDsomCommand *other = dsom_command_at (plan, c);
    if (other->kind == RSP_DSOM_RUN && other->kernel == own->kernel && other->device == own->device)
      return plan->keys[c][buffer];
  }
  return G_MAXUINT;
}

static void plan_keys (DsomPlan *plan) {
  const RspDsomProgram *program = plan->program;
  g_autoptr (GArray) buffers = g_array_new (FALSE, FALSE, sizeof (guint));
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
}

DsomPlan *dsom_plan_new (const RspDsomProgram *program, const RspDsomConfig *config,
                         RspDiagnostics *diagnostics) {
  g_autoptr (DsomPlan) plan = g_new0 (DsomPlan, 1);
  plan->program = program;
  plan->config = *config;
  plan->ranges = g_new0 (guint8 *, program->n_kernels + 1);
  plan->exact = g_new0 (guint8 *, program->n_kernels + 1);
  for (guint k = 0; k < program->n_kernels; k++)
    if (!plan_kernel (plan, k, diagnostics))
      return NULL;
  plan_keys (plan);
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
