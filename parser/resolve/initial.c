/* Initial values, and the layout of objects as locations. */
#include "parser/resolve/initial.h"
#include "parser/format.h"
#include "parser/litmus/types.h"
#include "parser/resolve/objects.h"

#include <string.h>

gint64 litmus_convert (gint64 value, RspType type) {
  if (type.pointers || type.bits == 64 || type.bits == 0)
    return value;
  if (type.bits == 1)
    return value != 0;
  guint64 mask = ((guint64) 1 << type.bits) - 1;
  guint64 low = (guint64) value & mask;
  gboolean negative = type.is_signed && (low >> (type.bits - 1));
  return (gint64) (negative ? low | ~mask : low);
}

gboolean litmus_is_beyond (const LitmusPlace *place, RspType type) {
  return place->is_huge && !type.pointers && type.bits && type.bits < 64;
}

gboolean rsp_litmus_resolve_address (LitmusResolver *resolver, const LitmusPlace *place,
                                     gint64 *address, LitmusObject **target) {
  LitmusObject *object = litmus_find_object (resolver, place->name);
  if (!object) {
    g_autofree char *hint = litmus_object_hint (resolver, place->name);
    litmus_error (resolver, place->span, hint, "found `%s`, which is not a location of this test",
                  place->name);
    return FALSE;
  }
  gint64 element = MAX (place->element, 0);
  if (element >= object->n_elements) {
    litmus_error (resolver, place->span, NULL,
                  "found index %" G_GINT64_FORMAT ", expected less than %u: `%s` has no such "
                  "element",
                  element, object->n_elements, object->name);
    return FALSE;
  }
  *address = rsp_address (object->first, (gint32) element);
  *target = object;
  return TRUE;
}

void litmus_check_pointer_number (LitmusResolver *resolver, RspSpan span, gint64 number) {
  if (rsp_is_address (number))
    litmus_error (resolver, span, NULL,
                  "found the number %" G_GINT64_FORMAT " as a pointer, expected an address or 0",
                  number);
}

static RspType pointer_to (const LitmusObject *object) {
  RspType type = object->type;
  type.pointers++;
  type.is_atomic = object->type.pointers ? object->type.is_atomic : object->atomic;
  return type;
}

/* The value converted to the type, with a warning if it does not fit. */
static gint64 number_value (LitmusResolver *resolver, const LitmusPlace *place, RspType type) {
  gint64 value = litmus_convert (place->number, type);
  RspType other = type;
  other.is_signed = !type.is_signed;
  if (type.pointers && place->number != 0)
    litmus_error (resolver, place->span, NULL,
                  "found the number %" G_GINT64_FORMAT ", expected an address or 0", place->number);
  else if (litmus_is_beyond (place, type)
           || (value != place->number && litmus_convert (place->number, other) != place->number)) {
    g_autofree char *name = rsp_litmus_type_name (type);
    litmus_warning (resolver, place->span, NULL,
                    "the value does not fit in `%s`: it becomes %" G_GINT64_FORMAT, name, value);
  }
  return value;
}

/* ---- Layout ---- */

static LitmusObject *first_target (LitmusResolver *resolver, const LitmusObject *object) {
  for (guint i = 0; object->values && i < object->n_elements; i++)
    if (object->values[i] && object->values[i]->kind == LITMUS_ADDRESS)
      return litmus_find_object (resolver, object->values[i]->name);
  return NULL;
}

/* A location whose initial value is an address is a pointer, whatever the test declares. */
static void make_pointers (LitmusResolver *resolver) {
  for (guint i = 0; i < resolver->objects->len; i++) {
    LitmusObject *object = resolver->objects->pdata[i];
    const LitmusObject *target = first_target (resolver, object);
    if (!target || object->type.pointers)
      continue;
    RspSpace space = object->type.space;
    object->type = pointer_to (target);
    object->type.space = space;
    if (object->typed) {
      g_autofree char *name = rsp_litmus_type_name (object->type);
      litmus_warning (resolver, object->span, NULL,
                      "`%s` holds an address, so its type is taken to be `%s`", object->name, name);
    }
  }
}

/* FALSE, with an error, if there are too many locations. */
static gboolean lay_out (LitmusResolver *resolver) {
  guint64 n = 0;
  for (guint i = 0; i < resolver->objects->len; i++) {
    LitmusObject *object = resolver->objects->pdata[i];
    object->first = (guint) n;
    n += object->n_elements;
    if (n > LITMUS_MAX_LOCATIONS) {
      litmus_error (resolver, object->span, NULL, "a test may have at most %d locations",
                    LITMUS_MAX_LOCATIONS);
      return FALSE;
    }
    if (!object->type.pointers)
      object->type.is_atomic = object->atomic;
  }
  resolver->program->n_locations = (guint) n;
  resolver->program->locations = rsp_arena_new0 (resolver->arena, RspLocation, n);
  return TRUE;
}

static gint64 cell_value (LitmusResolver *resolver, const LitmusPlace *place, RspType type) {
  gint64 value = 0;
  LitmusObject *target;
  if (place && place->kind == LITMUS_ADDRESS)
    rsp_litmus_resolve_address (resolver, place, &value, &target);
  else if (place)
    value = number_value (resolver, place, type);
  return value;
}

static void fill_locations (LitmusResolver *resolver, const LitmusObject *object) {
  for (guint i = 0; i < object->n_elements; i++) {
    RspLocation *location = &resolver->program->locations[object->first + i];
    const LitmusPlace *value = object->values ? object->values[i] : NULL;
    location->name = object->is_array
                         ? rsp_arena_printf (resolver->arena, "%s[%u]", object->name, i)
                         : object->name;
    location->type = object->type;
    location->atomic = object->atomic;
    location->object = object->first;
    location->physical = object->first + i;
    location->n_elements = object->n_elements;
    location->initial = cell_value (resolver, value, object->type);
    location->span = object->span;
  }
}

static void place_parameters (LitmusResolver *resolver) {
  for (guint i = 0; i < resolver->program->n_threads; i++) {
    RspThread *thread = &resolver->program->threads[i];
    for (guint k = 0; k < thread->n_parameters; k++)
      if (thread->parameters[k].object != G_MAXUINT) {
        const LitmusObject *object = resolver->objects->pdata[thread->parameters[k].object];
        thread->parameters[k].object = object->first;
      }
  }
}

/* ---- Registers ---- */

LitmusRegisterInit *litmus_find_register_init (const LitmusResolver *resolver, guint thread,
                                               const char *name) {
  for (guint i = 0; i < resolver->register_inits->len; i++) {
    LitmusRegisterInit *entry = resolver->register_inits->pdata[i];
    if (entry->thread == thread && strcmp (entry->name, name) == 0)
      return entry;
  }
  return NULL;
}

static void resolve_register_value (LitmusResolver *resolver, LitmusRegisterInit *entry) {
  const LitmusInit *init = entry->init;
  const LitmusPlace *value = init->values.n ? init->values.items[0] : NULL;
  LitmusObject *target;
  if (!value || entry->used)
    return;
  if (value->kind != LITMUS_ADDRESS) {
    if (!init->specs
        && (value->is_huge || litmus_convert (value->number, entry->type) != value->number))
      entry->type.bits = 64;
    entry->value = number_value (resolver, value, entry->type);
  } else if (rsp_litmus_resolve_address (resolver, value, &entry->value, &target)
             && !entry->type.pointers)
    entry->type = pointer_to (target);
}

/* ---- The text, for the hash ---- */

static void append_value (const LitmusPlace *value, GString *text) {
  if (value->kind != LITMUS_ADDRESS)
    rsp_number_format (value->number, text);
  else if (value->element == LITMUS_NONE)
    g_string_append (text, value->name);
  else
    g_string_append_printf (text, "%s[%" G_GINT64_FORMAT "]", value->name, value->element);
}

static const char *value_text (RspArena *arena, const LitmusInit *init) {
  if (!init->braces && init->values.n == 0)
    return "0";
  g_autoptr (GString) text = g_string_new (init->braces ? "{" : "");
  for (guint i = 0; i < init->values.n; i++) {
    if (i)
      g_string_append_c (text, ',');
    append_value (init->values.items[i], text);
  }
  if (init->braces)
    g_string_append_c (text, '}');
  return rsp_arena_strdup (arena, text->str);
}

/* The number as written, without blanks. */
static void append_number (const LitmusPlace *number, GString *text) {
  for (guint i = number->span.begin; i < number->span.end; i++)
    if (!g_ascii_isspace (number->span.source->text[i]))
      g_string_append_c (text, number->span.source->text[i]);
}

/* The type's name as written, if it is one word. */
static const char *type_word (const LitmusSpecs *specs) {
  gboolean one = specs->base && !specs->sign && !specs->size;
  return one ? specs->base->word : specs->spelling ? specs->spelling : "int";
}

/* As herd7 has it in C tests: numbers as written, and with what is declared: "x=0x10", "*p=y", "int
 * x=1", "int *p=y", "_Atomic int x=1", "int a[2]". */
static const char *c_text (RspArena *arena, const LitmusInit *init, const char *name,
                           const char *value) {
  const LitmusPlace *first = init->values.n ? init->values.items[0] : NULL;
  g_autoptr (GString) number = g_string_new (NULL);
  if (first && first->kind != LITMUS_ADDRESS) {
    append_number (first, number);
    value = number->str;
  }
  if (!init->specs)
    return rsp_arena_printf (
        arena, "%s%s=%s", init->span.source->text[init->span.begin] == '*' ? "*" : "", name, value);
  const char *type = type_word (init->specs);
  gboolean keyword = (init->specs->qualifiers & LITMUS_ATOMIC)
                     && !(init->specs->base && init->specs->base->kind == LITMUS_TYPE_ATOMIC);
  if (init->is_array || init->braces || init->place->element != LITMUS_NONE)
    return rsp_arena_printf (arena, "%s %s[%" G_GINT64_FORMAT "]", type, name,
                             init->size ? init->size : init->values.n);
  return rsp_arena_printf (arena, "%s%s %s%s=%s", keyword ? "_Atomic " : "", type,
                           init->stars.n ? "*" : "", name, value);
}

static const char *place_text (RspArena *arena, const LitmusInit *init) {
  const LitmusPlace *place = init->place;
  if (place->kind == LITMUS_REGISTER)
    return rsp_arena_printf (arena, "%" G_GINT64_FORMAT ":%s", place->thread, place->name);
  if (place->element == LITMUS_NONE || init->braces || init->specs)
    return place->name;
  return rsp_arena_printf (arena, "%s[%" G_GINT64_FORMAT "]", place->name, place->element);
}

void rsp_litmus_keep_initial (LitmusResolver *resolver, guint more) {
  const LitmusTest *test = resolver->test;
  RspProgram *program = resolver->program;
  program->n_initial = test->initial.n;
  program->initial = rsp_arena_new0 (resolver->arena, RspInitialText, test->initial.n + more);
  for (guint i = 0; i < test->initial.n; i++) {
    const LitmusInit *init = test->initial.items[i];
    const char *name = place_text (resolver->arena, init);
    const char *value = value_text (resolver->arena, init);
    program->initial[i].name = name;
    program->initial[i].text = program->language->id == RSP_LANGUAGE_C
                                   ? c_text (resolver->arena, init, name, value)
                                   : rsp_arena_printf (resolver->arena, "%s=%s", name, value);
  }
}

void litmus_resolve_initial (LitmusResolver *resolver) {
  make_pointers (resolver);
  rsp_litmus_keep_initial (resolver, 0);
  if (!lay_out (resolver))
    return;
  for (guint i = 0; i < resolver->objects->len; i++)
    fill_locations (resolver, resolver->objects->pdata[i]);
  for (guint i = 0; i < resolver->register_inits->len; i++)
    resolve_register_value (resolver, resolver->register_inits->pdata[i]);
  place_parameters (resolver);
}
