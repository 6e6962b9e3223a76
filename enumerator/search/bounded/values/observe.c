/* The values of registers and locations that make a final state, as far as a node knows them. */
#include "enumerator/search/bounded/values/observe.h"
#include "enumerator/search/bounded/share/numbers.h"
#include "enumerator/search/bounded/values/known.h"

/* The co-last write of a location, or G_MAXUINT while several may be. */
static guint last_write (const Searcher *s, guint location) {
  const RspMatrix *writes = s->writes[location];
  guint last = G_MAXUINT;
  for (all_bits (x, writes->bits, s->words)) {
    if (!may_be_last (s, writes, x))
      continue;
    if (last != G_MAXUINT)
      return G_MAXUINT;
    last = x;
  }
  return last;
}

gboolean observe_one (const Searcher *s, guint i, RspValue *value) {
  const RspPreExecution *pre = s->pre;
  const RspObservable *observable = &pre->program->observables[i];
  if (observable->is_register && s->known->thin_air) {
    *value = s->known->registers[i];
    return TRUE;
  }
  if (observable->is_register)
    return known_evaluate (s, observable->thread,
                           pre->paths[observable->thread]->finals[observable->reg], value);
  if (pre->initial[observable->location] == G_MAXUINT) {
    *value = (RspValue){ .bits = pre->program->locations[observable->location].initial };
    return TRUE;
  }
  guint last = last_write (s, observable->location);
  if (last == G_MAXUINT || !known_has_written (s, last))
    return FALSE;
  *value = known_written (s, last);
  return TRUE;
}

void observe (Searcher *s, Observed *observed) {
  const RspProgram *program = s->pre->program;
  observed->n_open = 0;
  for (guint i = 0; i < program->n_observables; i++) {
    RspValue value;
    if (observe_one (s, i, &value))
      observed->value[i] = rsp_number_of (s, value);
    else {
      observed->value[i] = RSP_UNSEEN;
      observed->open[observed->n_open++] = i;
    }
  }
}
