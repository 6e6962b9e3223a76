/* Pre-executions: the numbering of events, and what each read may read from. */
#include "enumerator/pre_execution.h"
#include "base/contract.h"
#include "enumerator/barriers.h"
#include "enumerator/base_relations.h"
#include "enumerator/base_sets.h"
#include "enumerator/event.h"
#include "parser/scopes.h"

/* ---- Events ---- */

static const RspEvent *initial_write (const RspPreExecution *pre, guint location) {
  const RspLocation *where = &pre->program->locations[location];
  RspEvent *event = rsp_arena_new0 (pre->arena, RspEvent, 1);
  RspTerm *value = rsp_arena_new0 (pre->arena, RspTerm, 1);
  guint8 bits = rsp_type_bits (&where->type);
  gboolean is_signed = rsp_type_is_signed (&where->type);
  RSP_CONTRACT (where->initial == rsp_wrap (where->initial, bits, is_signed));
  *value = (RspTerm){ .kind = RSP_TERM_CONSTANT,
                      .bits = bits,
                      .is_signed = is_signed,
                      .constant = where->initial,
                      .size = 1 };
  *event = (RspEvent){ .kind = RSP_EVENT_WRITE,
                       .thread = RSP_NO_THREAD,
                       .location = location,
                       .virtual_location = location,
                       .reach = RSP_LEVEL_THREAD,
                       .order = RSP_ORDER_NA,
                       .scope = RSP_SCOPE_WORK_ITEM,
                       .written = value,
                       .span = where->span };
  return event;
}

/* In C, a variable has an initial write although nothing accesses it, as in herd7: models may order
 * these writes. Of an array, which may be large, only the elements that are accessed have one. */
static gboolean is_always_written (const RspProgram *program, const RspLocation *location) {
  return program->language->declared_initial && location->n_elements == 1;
}

static void number_initial_writes (RspPreExecution *pre, GPtrArray *events) {
  const RspProgram *program = pre->program;
  g_autofree guint8 *written = g_new0 (guint8, program->n_locations + 1);
  for (guint i = 0; i < program->n_locations; i++)
    written[i] = is_always_written (program, &program->locations[i]);
  for (guint t = 0; t < program->n_threads; t++)
    for (guint i = 0; i < pre->paths[t]->n_events; i++)
      if (pre->paths[t]->events[i].location != RSP_NO_LOCATION)
        written[pre->paths[t]->events[i].location] = TRUE;
  pre->initial = rsp_arena_new0 (pre->arena, guint, program->n_locations + 1);
  for (guint i = 0; i < program->n_locations; i++) {
    pre->initial[i] = written[i] ? events->len : G_MAXUINT;
    if (written[i])
      g_ptr_array_add (events, (gpointer) initial_write (pre, i));
  }
}

static void number_events (RspPreExecution *pre) {
  guint n_threads = pre->program->n_threads;
  g_autoptr (GPtrArray) events = g_ptr_array_new ();
  number_initial_writes (pre, events);
  pre->first = rsp_arena_new0 (pre->arena, guint, n_threads + 1);
  for (guint t = 0; t < n_threads; t++) {
    pre->first[t] = events->len;
    for (guint i = 0; i < pre->paths[t]->n_events; i++)
      g_ptr_array_add (events, &pre->paths[t]->events[i]);
  }
  pre->first[n_threads] = events->len;
  pre->n = events->len;
  pre->events = rsp_arena_copy (pre->arena, events->pdata, sizeof (gpointer) * events->len);
}

/* ---- Reads ---- */

/* No operation reads what it writes itself. */
static gboolean is_same_operation (const RspPreExecution *pre, guint read, guint write) {
  const RspEvent *r = pre->events[read], *w = pre->events[write];
  return read == write || (w->no_source && w->no_source == r->read && w->thread == r->thread);
}

static void find_candidates (RspPreExecution *pre) {
  pre->reads = rsp_arena_new0 (pre->arena, guint, pre->n + 1);
  pre->candidates = rsp_relation_new (pre->arena, pre->n);
  for (guint r = 0; r < pre->n && !rsp_arena_is_exhausted (pre->arena); r++) {
    if (!rsp_event_is_read (pre->events[r]))
      continue;
    pre->reads[pre->n_reads++] = r;
    for (guint w = 0; w < pre->n; w++)
      if (rsp_event_is_write (pre->events[w]) && !is_same_operation (pre, r, w)
          && pre->events[w]->location == pre->events[r]->location)
        rsp_matrix_add (pre->candidates, r, w);
  }
}

static RspExtent extent_of_rf (const RspPreExecution *pre) {
  RspMatrix *least = rsp_relation_new (pre->arena, pre->n),
            *most = rsp_relation_new (pre->arena, pre->n);
  rsp_relation_inverse (most, pre->candidates);
  for (guint i = 0; i < pre->n_reads; i++) {
    const guint64 *row = rsp_matrix_row (pre->candidates, pre->reads[i]);
    guint write = rsp_next_bit (row, most->words, 0);
    if (write != G_MAXUINT && rsp_next_bit (row, most->words, write + 1) == G_MAXUINT)
      rsp_matrix_add (least, write, pre->reads[i]);
  }
  return (RspExtent){ least, most };
}

static RspExtent extent_of_co (const RspPreExecution *pre) {
  RspMatrix *least = rsp_relation_new (pre->arena, pre->n),
            *most = rsp_relation_new (pre->arena, pre->n);
  const RspMatrix *writes = pre->base->sets[RSP_BASE_SET_W];
  for (all_bits (x, writes->bits, writes->words))
    for (all_bits (y, writes->bits, writes->words))
      if (x != y && !rsp_event_is_initial (pre->events[y])
          && pre->events[x]->location == pre->events[y]->location) {
        rsp_matrix_add (most, x, y);
        if (rsp_event_is_initial (pre->events[x]))
          rsp_matrix_add (least, x, y);
      }
  return (RspExtent){ least, most };
}

enum {
  OWN_RELATIONS = 5 /* candidates, and what rf and co have at least and at most */
};

/* Bytes of all sets and relations of n events. */
static gsize size_of_relations (guint n) {
  gsize row = rsp_words_for (n) * sizeof (guint64);
  return (RSP_N_BASE_SETS + (gsize) n * (RSP_N_BASE_RELATIONS + OWN_RELATIONS)) * row;
}

RspPreExecution *rsp_pre_execution_new (const RspProgram *program, const RspPath *const *paths,
                                        RspArena *arena) {
  RspPreExecution *pre = rsp_arena_new0 (arena, RspPreExecution, 1);
  pre->program = program;
  pre->arena = arena;
  pre->paths = rsp_arena_copy (arena, paths, sizeof (RspPath *) * program->n_threads);
  number_events (pre);
  if (!rsp_arena_affords (arena, size_of_relations (pre->n)))
    return NULL;
  pre->base = rsp_arena_new0 (arena, RspBase, 1);
  pre->base->n = pre->n;
  pre->base->language = program->language;
  pre->base->blocked = barriers_block (pre);
  if (program->language->partial_co)
    pre->related_writes = rsp_relation_new (arena, pre->n);
  build_base_sets (pre);
  build_base_relations (pre);
  find_candidates (pre);
  pre->rf = extent_of_rf (pre);
  pre->co = extent_of_co (pre);
  return rsp_arena_is_exhausted (arena) ? NULL : pre;
}
