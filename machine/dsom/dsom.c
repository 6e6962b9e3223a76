#include "machine/dsom/dsom.h"

#include "machine/dsom/state.h"
#include "machine/dsom/step.h"
#include "machine/dsom/describe.h"

static void start (gpointer data, GByteArray *state, RspBill *bill) {
  DsomMachine *m = data;
  DsomState *s = dsom_state_new (m);
  dsom_state_start (m, s);
  dsom_state_encode (m, s, state);
  dsom_state_free (m, s);
  if (bill)
    *bill = (RspBill){ { 0 } };
}

/* Transfers only add valid copies, until the end of a command or a write invalidates others. */
static guint64 progress (gpointer data, RspBytes state) {
  DsomMachine *m = data;
  DsomState *s = m->scratch[1];
  guint64 phases = 0, valid = 0;
  dsom_state_decode (m, state, s);
  for (guint c = 0; c < m->program->n_commands; c++)
    phases += s->phases[c];
  for (guint byte = 0; byte < m->program->n_bytes; byte++)
    valid += (guint64) __builtin_popcount (dsom_tag (m, s, byte));
  return phases * ((guint64) m->program->n_bytes * (m->program->n_devices + 1) + 1) + valid;
}

DsomMachine *dsom_machine_new (const DsomPlan *plan) {
  DsomMachine *m = g_new0 (DsomMachine, 1);
  m->plan = plan;
  m->program = plan->program;
  m->adaptive = plan->config.strategy == RSP_DSOM_ADAPTIVE;
  for (guint i = 0; i < m->program->n_observables; i++)
    m->counts_moved |= m->program->observables[i].kind == RSP_DSOM_OBSERVE_MOVED;
  m->bytes = g_new0 (DsomByte, m->program->n_bytes + 1);
  m->uses = g_new0 (guint8, m->program->n_bytes + m->program->n_registers + 1);
  for (guint i = 0; i < G_N_ELEMENTS (m->scratch); i++)
    m->scratch[i] = dsom_state_new (m);
  m->system = (RspSystem){ .data = m,
                           .start = start,
                           .expand = dsom_expand,
                           .describe = dsom_describe,
                           .progress = progress };
  return m;
}

void dsom_machine_free (DsomMachine *m) {
  if (!m)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (m->scratch); i++)
    dsom_state_free (m, m->scratch[i]);
  g_free (m->bytes);
  g_free (m->uses);
  g_free (m);
}

const RspSystem *dsom_machine_system (const DsomMachine *m) { return &m->system; }

const char *dsom_machine_first_violated (const DsomMachine *m) { return m->first_violated; }

/* ---- Observables of a state ---- */

/* The element as the host would read it: from its own copy, or from the device that owns it. */
static DsomValue observe_element (DsomMachine *m, const DsomState *s,
                                  const RspDsomObservable *observable) {
  const RspDsomBuffer *buffer = &m->program->buffers[observable->index];
  guint first = buffer->first + observable->element * buffer->element;
  for (guint byte = first; byte < first + buffer->element; byte++) {
    guint copy = (guint) __builtin_ctz (dsom_tag (m, s, byte) | 0x100u);
    m->bytes[byte] = copy <= m->program->n_devices ? s->copies[copy][byte] : DSOM_GARBAGE;
  }
  return dsom_element_load (buffer, observable->element, m->bytes);
}

void dsom_machine_observe (DsomMachine *m, RspBytes state, DsomValue *values) {
  DsomState *s = m->scratch[1];
  dsom_state_decode (m, state, s);
  for (guint i = 0; i < m->program->n_observables; i++) {
    const RspDsomObservable *observable = &m->program->observables[i];
    if (observable->kind == RSP_DSOM_OBSERVE_REGISTER)
      values[i] = s->registers[observable->index];
    else if (observable->kind == RSP_DSOM_OBSERVE_ELEMENT)
      values[i] = observe_element (m, s, observable);
    else
      values[i] = (DsomValue){ s->moved, FALSE };
  }
}
