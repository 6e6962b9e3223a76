#include "enumerator/paths/call/translated.h"
#include "enumerator/paths/state.h"

const RspSequence *translated_find (RspExecutor *x, RspMapped mapped, RspSpan span) {
  const RspTranslation *translation = x->program->translation;
  if (!translation)
    return NULL;
  if (!x->program->written_in->scoped && mapped.order != RSP_ORDER_NA)
    mapped.scope = RSP_SCOPE_ALL;
  const RspSequence *sequence = rsp_translation_find (translation, &mapped);
  if (sequence)
    return sequence;
  g_autofree char *what = rsp_mapped_describe (translation, &mapped);
  executor_give_up (x, span, "the mapping has no row for %s", what);
  return NULL;
}

void translated_set (RspEvent *event, const RspTranslated *instruction, guint64 tags) {
  event->tags = tags;
  event->reach = instruction->reach;
  event->order = RSP_ORDER_NA;
  event->scope = RSP_SCOPE_WORK_ITEM;
  event->flags = 0;
  event->remote = FALSE;
}

static void append_fences (RspExecutor *x, RspState *state, const RspSequence *sequence,
                           guint begin, guint end, RspSpan span) {
  for (guint i = begin; i < end; i++) {
    const RspTranslated *instruction = &sequence->instructions[i];
    RspEvent event = { .kind = RSP_EVENT_FENCE,
                       .location = RSP_NO_LOCATION,
                       .virtual_location = RSP_NO_LOCATION,
                       .span = span };
    translated_set (&event, instruction, instruction->tags);
    guint number = state_emit (x, state, &event, NULL, NULL);
    state->before = event_set_with (x, state->before, number);
  }
}

void translated_before (RspExecutor *x, RspState *state, const RspSequence *sequence,
                        RspSpan span) {
  if (sequence)
    append_fences (x, state, sequence, 0, sequence->main, span);
}

void translated_after (RspExecutor *x, RspState *state, const RspSequence *sequence, RspSpan span) {
  if (sequence)
    append_fences (x, state, sequence, sequence->main + 1, sequence->n, span);
}
