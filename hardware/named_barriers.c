#include "hardware/named_barriers.h"
#include "parser/scopes.h"

#include <string.h>

/* What threads must have in common to meet: the barrier's number in the text, how often the thread
 * came to it before, and the resource. */
typedef struct Meeting {
  const char *id;
  guint count;
  gint64 name;
} Meeting;

static Meeting meeting_of (const RspThread *thread, const RspStatement *statement) {
  const RspExpr *name = statement->barrier->name;
  Meeting meeting = { .id = statement->barrier->id, .name = name ? name->u.constant : 0 };
  for (const RspStatement *s = thread->body->first; s != statement; s = s->next)
    meeting.count += s->kind == RSP_STATEMENT_BARRIER && strcmp (s->barrier->id, meeting.id) == 0;
  return meeting;
}

static gboolean is_same (const Meeting *a, const Meeting *b) {
  return strcmp (a->id, b->id) == 0 && a->count == b->count && a->name == b->name;
}

/* The statement of a thread that comes to the meeting; NULL if it does not. */
static const RspStatement *find_meeting (const RspThread *thread, const Meeting *meeting) {
  for (const RspStatement *s = thread->body->first; s; s = s->next)
    if (s->kind == RSP_STATEMENT_BARRIER) {
      Meeting other = meeting_of (thread, s);
      if (is_same (&other, meeting))
        return s;
    }
  return NULL;
}

guint named_barrier_number (const RspProgram *program, const RspThread *thread,
                            const RspStatement *statement) {
  Meeting meeting = meeting_of (thread, statement);
  guint number = 1;
  for (const RspThread *t = program->threads; t <= thread; t++)
    for (const RspStatement *s = t->body->first; s; s = s->next) {
      if (s->kind != RSP_STATEMENT_BARRIER)
        continue;
      Meeting other = meeting_of (t, s);
      gboolean is_first = TRUE;
      if (is_same (&other, &meeting))
        return number;
      for (const RspThread *before = program->threads; before < t; before++)
        is_first &= !find_meeting (before, &other);
      number += is_first;
    }
  return number;
}

guint named_barrier_arrivals (const RspProgram *program, const RspThread *thread,
                              const RspStatement *statement) {
  Meeting meeting = meeting_of (thread, statement);
  guint n = 0;
  for (guint i = 0; i < program->n_threads; i++)
    n += rsp_threads_share (&program->threads[i], thread, RSP_LEVEL_WORK_GROUP)
         && find_meeting (&program->threads[i], &meeting);
  return n;
}

gboolean has_named_barriers (const RspThread *thread) {
  for (const RspStatement *s = thread->body->first; s; s = s->next)
    if (s->kind == RSP_STATEMENT_BARRIER)
      return TRUE;
  return FALSE;
}
