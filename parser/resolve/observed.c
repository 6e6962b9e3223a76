#include "parser/resolve/observed.h"
#include "parser/resolve/initial.h"
#include "parser/resolve/objects.h"

#include "base/suggest.h"

#include <string.h>

enum {
  MAX_LISTED = 12 /* limit of registers in a hint */
};

static guint observe (Question *q, RspObservable observable) {
  Seen *seen = g_hash_table_lookup (q->by_name, observable.name);
  if (!seen) {
    seen = rsp_arena_new0 (q->resolver->arena, Seen, 1);
    seen->observable = observable;
    seen->id = q->seen->len;
    g_ptr_array_add (q->seen, seen);
    g_hash_table_insert (q->by_name, (gpointer) observable.name, seen);
  }
  seen->printed |= q->printed;
  return seen->id;
}

static guint observe_location (Question *q, guint location) {
  return observe (
      q, (RspObservable){ .location = location, .name = q->program->locations[location].name });
}

void question_observe_array (Question *q, const LitmusObject *array) {
  for (guint k = 0; k < array->n_elements; k++) {
    guint id = observe_location (q, array->first + k);
    if (q->printed)
      ((Seen *) q->seen->pdata[id])->observable.array = array->name;
  }
}

static guint find_register (const RspThread *thread, const char *name) {
  for (guint i = 0; i < thread->n_registers; i++)
    if (strcmp (thread->registers[i].name, name) == 0)
      return i;
  return G_MAXUINT;
}

/* "P1 has the registers `r0`, `r1`", newly allocated. */
static char *list_registers (const RspThread *thread) {
  if (!thread->n_registers)
    return g_strdup_printf ("%s has no registers", thread->name);
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "%s has the register%s ", thread->name,
                          thread->n_registers > 1 ? "s" : "");
  for (guint i = 0; i < MIN (thread->n_registers, MAX_LISTED); i++)
    g_string_append_printf (text, "%s`%s`", i ? ", " : "", thread->registers[i].name);
  g_string_append (text, thread->n_registers > MAX_LISTED ? ", …" : "");
  return g_string_free (text, FALSE);
}

static char *register_hint (const RspThread *thread, const char *name) {
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < thread->n_registers; i++)
    g_ptr_array_add (names, (gpointer) thread->registers[i].name);
  g_ptr_array_add (names, NULL);
  g_autofree char *nearest = rsp_did_you_mean (name, (const char *const *) names->pdata);
  g_autofree char *all = list_registers (thread);
  if (thread->n_registers == 1 && nearest)
    return g_steal_pointer (&nearest);
  return nearest ? g_strdup_printf ("%s %s", nearest, all) : g_steal_pointer (&all);
}

static gboolean observe_register (Question *q, const LitmusPlace *place, guint *id) {
  const RspProgram *program = q->program;
  if (place->thread < 0 || place->thread >= program->n_threads) {
    g_autofree char *hint = rsp_litmus_threads_hint (q->resolver);
    litmus_error (q->resolver, place->span, hint,
                  "found thread %" G_GINT64_FORMAT ", which this test does not have",
                  place->thread);
    return FALSE;
  }
  guint index = (guint) place->thread;
  const RspThread *thread = &program->threads[index];
  guint reg = find_register (thread, place->name);
  if (reg == G_MAXUINT) {
    g_autofree char *hint = register_hint (thread, place->name);
    litmus_error (q->resolver, place->span, hint, "found `%s`, which is not a register of %s",
                  place->name, thread->name);
    return FALSE;
  }
  const char *name = rsp_arena_printf (q->resolver->arena, "%u:%s", thread->number, place->name);
  *id = observe (q,
                 (RspObservable){ .is_register = TRUE, .thread = index, .reg = reg, .name = name });
  return TRUE;
}

gboolean question_report_bare_register (Question *q, const LitmusPlace *place) {
  for (guint i = 0; i < q->program->n_threads; i++)
    if (!litmus_find_object (q->resolver, place->name)
        && find_register (&q->program->threads[i], place->name) != G_MAXUINT) {
      g_autofree char *hint = g_strdup_printf ("did you mean `%u:%s`?", i, place->name);
      litmus_error (q->resolver, place->span, hint,
                    "found `%s`, which is not a location of this test", place->name);
      return TRUE;
    }
  return FALSE;
}

/* The location that `x`, `[x]` or `a[1]` names; FALSE with an error. */
static gboolean find_location (Question *q, const LitmusPlace *place, guint *location) {
  gint64 address;
  LitmusObject *object;
  if (question_report_bare_register (q, place)
      || !rsp_litmus_resolve_address (q->resolver, place, &address, &object))
    return FALSE;
  if (object->n_elements > 1 && place->element == LITMUS_NONE) {
    litmus_error (q->resolver, place->span, NULL,
                  "found the array `%s`, expected one of its elements, such as `%s[0]`",
                  place->name, place->name);
    return FALSE;
  }
  *location = rsp_address_object (address) + (guint) rsp_address_element (address);
  *location = q->program->locations[*location].physical;
  return TRUE;
}

static const LitmusObject *object_at (const LitmusResolver *resolver, guint location) {
  for (guint i = 0; i < resolver->objects->len; i++) {
    const LitmusObject *object = resolver->objects->pdata[i];
    if (object->first == location)
      return object;
  }
  return NULL;
}

/* The location that the thread's parameter of that name points to; NULL: it has no such parameter.
 */
static const LitmusObject *parameter_target (const Question *q, guint index, const char *name) {
  const RspThread *thread = &q->program->threads[index];
  for (guint i = 0; i < thread->n_parameters; i++)
    if (thread->parameters[i].object != G_MAXUINT && g_str_equal (thread->parameters[i].name, name))
      return object_at (q->resolver, thread->parameters[i].object);
  return NULL;
}

const LitmusPlace *question_follow_parameter (const Question *q, const LitmusPlace *place) {
  if (place->kind != LITMUS_REGISTER || place->thread < 0 || place->thread >= q->program->n_threads)
    return place;
  guint index = (guint) place->thread;
  const RspThread *thread = &q->program->threads[index];
  const LitmusObject *object = parameter_target (q, index, place->name);
  if (!object || find_register (thread, place->name) != G_MAXUINT)
    return place;
  litmus_warning (q->resolver, place->span, NULL,
                  "`%u:%s` names a parameter of %s: it is taken as the location `%s`",
                  thread->number, place->name, thread->name, object->name);
  LitmusPlace *location = rsp_arena_new0 (q->resolver->arena, LitmusPlace, 1);
  *location = *place;
  location->kind = LITMUS_CONTENT;
  location->name = object->name;
  return location;
}

gboolean question_observe_place (Question *q, const LitmusPlace *place, guint *id) {
  guint location;
  place = question_follow_parameter (q, place);
  if (place->kind == LITMUS_REGISTER)
    return observe_register (q, place, id);
  if (!find_location (q, place, &location))
    return FALSE;
  *id = observe_location (q, location);
  return TRUE;
}
