/* Objects in memory, initial values, and what is observed. */
#include "base/base.h"
#include "parser/litmus/litmus.h"
#include "parser/program.h"
#include "parser/resolve/internal.h"
#include "parser/resolve/resolve.h"

#include <string.h>

/* ---- Objects -------------------------------------------------------------------------------- */

/* The objects in memory, from the initial state and from parameters. */

enum {
  MOST_COMPARED = 1000, /* objects */
  TELLING = 4           /* letters: shorter names are always similar */
};

LitmusObject *litmus_find_object (const LitmusResolver *resolver, const char *name) {
  return g_hash_table_lookup (resolver->object_names, name);
}

static LitmusObject *get_object (LitmusResolver *resolver, const char *name, RspSpan span) {
  LitmusObject *object = litmus_find_object (resolver, name);
  if (object)
    return object;
  object = rsp_arena_new0 (resolver->arena, LitmusObject, 1);
  object->name = name;
  object->span = span;
  object->type = rsp_litmus_int_type ();
  object->type.space = RSP_SPACE_GLOBAL;
  object->n_elements = 1;
  object->index = resolver->objects->len;
  g_ptr_array_add (resolver->objects, object);
  g_hash_table_insert (resolver->object_names, (gpointer) name, object);
  return object;
}

/* ---- Types ---- */
RspType litmus_type_of (const CType *type) {
  guint pointers = 0;
  for (; type->kind == C_POINTER || type->kind == C_ARRAY; type = type->to)
    pointers++;
  return (RspType){ .bits = type->bits,
                    .pointers = (guint8) MIN (pointers, LITMUS_MAX_POINTERS),
                    .is_signed = type->is_signed,
                    .is_atomic = type->is_atomic,
                    .fine_grained = type->space_word && type->space_word->flag,
                    .space = type->space };
}

void litmus_check_type (LitmusResolver *resolver, const CType *type, RspSpan span) {
  if (type->kind == C_ARRAY)
    type = type->to;
  while (type->kind == C_POINTER)
    type = type->to;
  if (type->kind == C_ARRAY || type->kind == C_FUNCTION)
    litmus_error (resolver, span, NULL,
                  "this type is outside the part of C that tests are written in");
}

/* The stars and brackets of a declaration: those inside `_Atomic (…)` are none of them. */
static guint count_pointers (const CVariable *variable) {
  guint n = 0;
  for (const CType *type = variable->type; type->to; type = type->to)
    n++;
  return n - MIN (n, variable->specs->words.pointers);
}

static void merge_space (LitmusResolver *resolver, LitmusObject *object, const LitmusTypeWord *word,
                         RspSpan span) {
  if (!word)
    return;
  RspSpace space = (RspSpace) word->value;
  if (object->space_given && object->type.space != space)
    litmus_error (resolver, span, NULL,
                  "found `%s` in %s memory here, but another declaration puts it elsewhere",
                  object->name, word->word);
  object->type.space = space;
  object->type.fine_grained |= word->flag;
  object->space_given = TRUE;
}

/* The first initial value that is an address, or NULL. */
static const LitmusPlace *first_address (const LitmusObject *object) {
  for (guint i = 0; object->values && i < object->n_elements; i++)
    if (object->values[i] && object->values[i]->kind == LITMUS_ADDRESS)
      return object->values[i];
  return NULL;
}

/* Takes a declaration of the object into account. A location that holds an address is a pointer,
 * even where a thread declares the address's own type (litmus_resolve_initial warns). */
static void merge_type (LitmusResolver *resolver, LitmusObject *object, const CType *cell,
                        const CSpecs *specs, RspSpan span) {
  RspType before = object->type, type = litmus_type_of (cell);
  merge_space (resolver, object, cell->space_word ? cell->space_word : specs->words.space, span);
  object->atomic |= cell->is_atomic;
  if (object->typed && before.pointers == 1 && type.pointers == 0 && first_address (object))
    type.pointers = 1;
  if (!object->typed) {
    type.space = object->type.space;
    type.fine_grained = object->type.fine_grained;
    object->type = type;
    object->typed = TRUE;
  } else if (before.bits != type.bits || before.pointers != type.pointers) {
    g_autofree char *old_name = rsp_litmus_type_name (before), *name = rsp_litmus_type_name (type);
    litmus_error (resolver, span, NULL, "found `%s` with type `%s`, but it has type `%s` elsewhere",
                  object->name, name, old_name);
  }
  object->type.is_atomic |= type.is_atomic;
}

/* ---- Initial state ---- */
static void set_size (LitmusResolver *resolver, LitmusObject *object, guint n) {
  guint old = object->n_elements;
  LitmusPlace **values = rsp_arena_new0 (resolver->arena, LitmusPlace *, n);
  if (object->values)
    memcpy (values, object->values, MIN (old, n) * sizeof *values);
  object->values = values;
  object->n_elements = n;
}

/* `a[1]=3`: an element of a declared array, or of an array that is as large as its elements
 * require. */
static void declare_element (LitmusResolver *resolver, LitmusObject *object,
                             const LitmusInit *init) {
  gint64 element = init->place->element;
  if (element >= (object->sized ? object->n_elements : LITMUS_MAX_ELEMENTS)) {
    litmus_error (resolver, init->place->span, NULL, "`%s` has at most %u elements", object->name,
                  object->sized ? object->n_elements : LITMUS_MAX_ELEMENTS);
    return;
  }
  object->is_array = TRUE;
  if (!object->values || element >= object->n_elements)
    set_size (resolver, object, MAX (object->n_elements, (guint) element + 1));
  object->values[element] = init->values.n ? init->values.items[0] : NULL;
}

/* In `int a[4]`, 4 is a size; in `a[4]=1` it is the index of an element. */
static gboolean is_array_declaration (const LitmusInit *init) {
  return init->is_array || init->braces || (init->declared && init->place->element != LITMUS_NONE);
}

static void declare_location (LitmusResolver *resolver, LitmusInit *init) {
  LitmusObject *object = get_object (resolver, init->place->name, init->place->span);
  gboolean element = init->place->element != LITMUS_NONE && !is_array_declaration (init);
  if (object->in_initial && !(element && object->is_array))
    litmus_error (resolver, init->place->span, NULL, "found a second initial value of `%s`",
                  object->name);
  object->in_initial = TRUE;
  if (init->declared)
    merge_type (resolver, object, init->declared->type, init->declared->specs, init->span);
  if (is_array_declaration (init)) {
    if (init->place->element != LITMUS_NONE)
      init->size = init->place->element;
    if (init->place->element != 0 && init->place->element <= LITMUS_MAX_ELEMENTS) {
      gint64 size = init->size ? init->size : init->values.n;
      object->is_array = TRUE;
      object->sized = TRUE;
      if (size == 0)
        litmus_error (resolver, init->span, NULL,
                      "found an array without elements: `%s` needs a size", object->name);
      else if (init->values.n > size || size > LITMUS_MAX_ELEMENTS)
        litmus_error (resolver, init->span, NULL,
                      "found %u values, expected at most %" G_GINT64_FORMAT " for `%s`",
                      init->values.n, MIN (size, LITMUS_MAX_ELEMENTS), object->name);
      else {
        set_size (resolver, object, (guint) size);
        for (guint i = 0; i < init->values.n; i++)
          object->values[i] = init->values.items[i];
      }
    } else
      litmus_error (resolver, init->place->span, NULL, "an array may have 1 to %d elements",
                    LITMUS_MAX_ELEMENTS);
  } else if (element)
    declare_element (resolver, object, init);
  else {
    object->sized = TRUE;
    set_size (resolver, object, 1);
    object->values[0] = init->values.n ? init->values.items[0] : NULL;
  }
}

static void declare_register (LitmusResolver *resolver, const LitmusInit *init) {
  const LitmusPlace *place = init->place;
  if (place->thread < 0 || place->thread >= resolver->test->threads.n) {
    g_autofree char *hint = rsp_litmus_threads_hint (resolver);
    litmus_error (resolver, place->span, hint,
                  "found thread %" G_GINT64_FORMAT ", which this test does not have",
                  place->thread);
    return;
  }
  if (init->braces)
    litmus_error (resolver, init->span, NULL, "found several values, expected one for `%s`",
                  place->name);
  if (litmus_find_register_init (resolver, (guint) place->thread, place->name))
    litmus_error (resolver, place->span, NULL, "found a second initial value of `%s`", place->name);
  LitmusRegisterInit *entry = rsp_arena_new0 (resolver->arena, LitmusRegisterInit, 1);
  entry->thread = (guint) place->thread;
  entry->name = place->name;
  entry->init = init;
  entry->type = init->declared ? litmus_type_of (init->declared->type) : rsp_litmus_int_type ();
  entry->same = g_hash_table_lookup (resolver->inits_of, entry->name);
  g_hash_table_insert (resolver->inits_of, (gpointer) entry->name, entry);
  g_ptr_array_add (resolver->register_inits, entry);
}

/* ---- Parameters ---- */
static gint64 array_size (LitmusResolver *resolver, const CExpr *size) {
  gint64 n = size->kind == C_NUMBER ? size->number.value : 0;
  gboolean negative = size->kind == C_UNARY && size->op == RSP_OP_NEGATE;
  if (n >= 1 && n <= LITMUS_MAX_ELEMENTS)
    return n;
  if (size->kind == C_NUMBER || (negative && size->a->kind == C_NUMBER))
    litmus_error (resolver, size->span, NULL, "an array may have 1 to %d elements",
                  LITMUS_MAX_ELEMENTS);
  else
    litmus_error (resolver, size->span, NULL, "found an expression, expected a number");
  return 1;
}

/* TRUE if the names differ only in their numbers (`data1`, `data2`): neither is then a misspelling
 * of the other. */
static gboolean differ_in_digits (const char *a, const char *b) {
  for (;; a++, b++) {
    a += strcspn (a, "0123456789") == 0 ? strspn (a, "0123456789") : 0;
    b += strcspn (b, "0123456789") == 0 ? strspn (b, "0123456789") : 0;
    if (*a != *b)
      return FALSE;
    if (!*a)
      return TRUE;
  }
}

/* For a parameter without an initial value: a location of the initial state with a similar name,
 * which is probably a misspelling. If a thread has that location as a parameter, only long names
 * are compared. Nobody wrote a test of thousands by hand. */
static void warn_of_misspelling (LitmusResolver *resolver, const LitmusObject *object) {
  if (resolver->objects->len > MOST_COMPARED)
    return;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < resolver->objects->len; i++) {
    const LitmusObject *other = resolver->objects->pdata[i];
    gboolean telling = strlen (other->name) >= TELLING && strlen (object->name) >= TELLING
                       && !differ_in_digits (other->name, object->name);
    if (other->in_initial && (!other->passed || telling))
      g_ptr_array_add (names, (gpointer) other->name);
  }
  g_autofree char *hint = rsp_did_you_mean_in (object->name, names);
  if (hint)
    litmus_warning (resolver, object->span, hint,
                    "the parameter `%s` is not in the initial state: it starts at 0", object->name);
}

/* The object that a parameter points to: the one of its name, or the one that the initial state
 * names (`0:p=x`). */
static LitmusObject *parameter_object (LitmusResolver *resolver, guint thread, const char *name,
                                       RspSpan span) {
  LitmusRegisterInit *entry = litmus_find_register_init (resolver, thread, name);
  if (!entry)
    return get_object (resolver, name, span);
  const LitmusPlace *value = entry->init->values.n ? entry->init->values.items[0] : NULL;
  LitmusObject *object = NULL;
  entry->used = TRUE;
  if (value && value->kind == LITMUS_ADDRESS && value->element <= 0)
    object = litmus_find_object (resolver, value->name);
  if (!object)
    litmus_error (resolver, entry->init->span, NULL,
                  "found a value for the parameter `%s`, expected a location of the initial state",
                  name);
  return object ? object : get_object (resolver, name, span);
}

static void declare_parameter (LitmusResolver *resolver, guint thread, const CVariable *syntax,
                               RspParameter *parameter) {
  guint pointers = count_pointers (syntax);
  litmus_check_type (resolver, syntax->type, syntax->span);
  parameter->name = syntax->name;
  parameter->span = syntax->span;
  parameter->normalised
      = rsp_litmus_type_spelling (resolver->arena, &syntax->specs->words, pointers,
                                  resolver->program->language->id == RSP_LANGUAGE_C);
  parameter->type = litmus_type_of (syntax->type);
  if (pointers) {
    const CType *type = syntax->type, *cell = type->to;
    LitmusObject *object = parameter_object (resolver, thread, syntax->name, parameter->span);
    if (cell->kind == C_VOID)
      litmus_error (resolver, parameter->span, NULL,
                    "found `void*`, expected a pointer to an integer type");
    merge_type (resolver, object, cell, syntax->specs, parameter->span);
    object->passed = TRUE;
    gint64 size = type->size ? array_size (resolver, type->size) : 0;
    if (size && !object->sized && !object->values) {
      object->is_array = object->sized = TRUE;
      set_size (resolver, object, (guint) size);
    }
    parameter->object = object->index;
  } else {
    /* A parameter passed by value is a register. Shared memory cannot be passed by value. */
    const LitmusSpecs *specs = &syntax->specs->words;
    gboolean shared = (specs->space && specs->space->value != RSP_SPACE_PRIVATE)
                      || (specs->qualifiers & LITMUS_ATOMIC)
                      || litmus_find_object (resolver, parameter->name);
    parameter->object = G_MAXUINT;
    if (!shared && parameter->type.bits)
      return;
    g_autofree char *hint = g_strdup_printf ("did you mean `* %s`?", parameter->name);
    litmus_error (resolver, parameter->span, hint,
                  "found `%s` passed by value, expected a pointer: locations are passed by address",
                  parameter->name);
  }
}

static void declare_parameters (LitmusResolver *resolver, guint index) {
  const LitmusThread *syntax = resolver->test->threads.items[index];
  RspThread *thread = &resolver->program->threads[index];
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  thread->n_parameters = syntax->parameters.n;
  thread->parameters = rsp_arena_new0 (resolver->arena, RspParameter, syntax->parameters.n);
  for (guint i = 0; i < syntax->parameters.n; i++) {
    RspParameter *parameter = &thread->parameters[i];
    declare_parameter (resolver, index, syntax->parameters.items[i], parameter);
    if (!g_hash_table_add (names, (gpointer) parameter->name))
      litmus_error (resolver, parameter->span, NULL, "found a second parameter `%s`",
                    parameter->name);
  }
}

void litmus_resolve_objects (LitmusResolver *resolver) {
  LitmusTest *test = resolver->test;
  for (guint i = 0; i < test->initial.n; i++) {
    LitmusInit *init = test->initial.items[i];
    if (init->place->kind == LITMUS_REGISTER)
      declare_register (resolver, init);
    else
      declare_location (resolver, init);
  }
  for (guint i = 0; i < test->threads.n; i++)
    declare_parameters (resolver, i);
  for (guint i = 0; i < resolver->objects->len; i++) {
    const LitmusObject *object = resolver->objects->pdata[i];
    if (!object->in_initial)
      warn_of_misspelling (resolver, object);
  }
}

/* ---- Initial -------------------------------------------------------------------------------- */

/* Initial values, and the layout of objects as locations. */

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
    g_autoptr (GPtrArray) names = g_ptr_array_new ();
    for (guint i = 0; i < resolver->objects->len; i++)
      g_ptr_array_add (names, (gpointer) ((LitmusObject *) resolver->objects->pdata[i])->name);
    g_autofree char *hint = rsp_did_you_mean_in (place->name, names);
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
    location->initial = 0;
    LitmusObject *target;
    if (value && value->kind == LITMUS_ADDRESS)
      rsp_litmus_resolve_address (resolver, value, &location->initial, &target);
    else if (value)
      location->initial = number_value (resolver, value, object->type);
    location->span = object->span;
  }
}

/* ---- Registers ---- */
LitmusRegisterInit *litmus_find_register_init (const LitmusResolver *resolver, guint thread,
                                               const char *name) {
  LitmusRegisterInit *entry = g_hash_table_lookup (resolver->inits_of, name);
  while (entry && entry->thread != thread)
    entry = entry->same;
  return entry;
}

static void resolve_register_value (LitmusResolver *resolver, LitmusRegisterInit *entry) {
  const LitmusInit *init = entry->init;
  const LitmusPlace *value = init->values.n ? init->values.items[0] : NULL;
  LitmusObject *target;
  if (!value || entry->used)
    return;
  if (value->kind != LITMUS_ADDRESS) {
    if (!init->declared
        && (value->is_huge || litmus_convert (value->number, entry->type) != value->number))
      entry->type.bits = 64;
    entry->value = number_value (resolver, value, entry->type);
  } else if (rsp_litmus_resolve_address (resolver, value, &entry->value, &target)
             && !entry->type.pointers)
    entry->type = pointer_to (target);
}

/* ---- The text, for the hash ---- */
static const char *value_text (RspArena *arena, const LitmusInit *init) {
  if (!init->braces && init->values.n == 0)
    return "0";
  g_autoptr (GString) text = g_string_new (init->braces ? "{" : "");
  for (guint i = 0; i < init->values.n; i++) {
    if (i)
      g_string_append_c (text, ',');
    const LitmusPlace *value = init->values.items[i];
    if (value->kind != LITMUS_ADDRESS)
      rsp_number_format (value->number, text);
    else if (value->element == LITMUS_NONE)
      g_string_append (text, value->name);
    else
      g_string_append_printf (text, "%s[%" G_GINT64_FORMAT "]", value->name, value->element);
  }
  if (init->braces)
    g_string_append_c (text, '}');
  return rsp_arena_strdup (arena, text->str);
}

/* As herd7 has it in C tests: numbers as written, and with what is declared: "x=0x10", "*p=y", "int
 * x=1", "int *p=y", "_Atomic int x=1", "int a[2]". */
static const char *c_text (RspArena *arena, const LitmusInit *init, const char *name,
                           const char *value) {
  const LitmusPlace *first = init->values.n ? init->values.items[0] : NULL;
  g_autoptr (GString) number = g_string_new (NULL);
  if (first && first->kind != LITMUS_ADDRESS) {
    /* The number as written, without blanks. */
    for (guint i = first->span.begin; i < first->span.end; i++)
      if (!g_ascii_isspace (first->span.source->text[i]))
        g_string_append_c (number, first->span.source->text[i]);
    value = number->str;
  }
  if (!init->declared)
    return rsp_arena_printf (
        arena, "%s%s=%s", init->span.source->text[init->span.begin] == '*' ? "*" : "", name, value);
  const LitmusSpecs *specs = &init->declared->specs->words;
  /* The type's name as written, if it is one word. */
  gboolean one = specs->base && !specs->sign && !specs->size;
  const char *type = one ? specs->base->word : specs->spelling ? specs->spelling : "int";
  gboolean keyword = (specs->qualifiers & LITMUS_ATOMIC)
                     && !(specs->base && specs->base->kind == LITMUS_TYPE_ATOMIC);
  if (init->is_array || init->braces || init->place->element != LITMUS_NONE)
    return rsp_arena_printf (arena, "%s %s[%" G_GINT64_FORMAT "]", type, name,
                             init->size ? init->size : init->values.n);
  return rsp_arena_printf (arena, "%s%s %s%s=%s", keyword ? "_Atomic " : "", type,
                           count_pointers (init->declared) ? "*" : "", name, value);
}

void rsp_litmus_keep_initial (LitmusResolver *resolver, guint more) {
  const LitmusTest *test = resolver->test;
  RspProgram *program = resolver->program;
  program->n_initial = test->initial.n;
  program->initial = rsp_arena_new0 (resolver->arena, RspInitialText, test->initial.n + more);
  for (guint i = 0; i < test->initial.n; i++) {
    const LitmusInit *init = test->initial.items[i];
    const LitmusPlace *place = init->place;
    const char *name = place->name;
    if (place->kind == LITMUS_REGISTER)
      name = rsp_arena_printf (resolver->arena, "%" G_GINT64_FORMAT ":%s", place->thread,
                               place->name);
    else if (place->element != LITMUS_NONE && !init->braces && !init->declared)
      name = rsp_arena_printf (resolver->arena, "%s[%" G_GINT64_FORMAT "]", place->name,
                               place->element);
    const char *value = value_text (resolver->arena, init);
    program->initial[i].name = name;
    program->initial[i].text = program->language->id == RSP_LANGUAGE_C
                                   ? c_text (resolver->arena, init, name, value)
                                   : rsp_arena_printf (resolver->arena, "%s=%s", name, value);
  }
}

void litmus_resolve_initial (LitmusResolver *resolver) {
  /* A location whose initial value is an address is a pointer, whatever the test declares. */
  for (guint i = 0; i < resolver->objects->len; i++) {
    LitmusObject *object = resolver->objects->pdata[i];
    const LitmusPlace *address = first_address (object);
    const LitmusObject *target = address ? litmus_find_object (resolver, address->name) : NULL;
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
  rsp_litmus_keep_initial (resolver, 0);
  if (!lay_out (resolver))
    return;
  for (guint i = 0; i < resolver->objects->len; i++)
    fill_locations (resolver, resolver->objects->pdata[i]);
  for (guint i = 0; i < resolver->register_inits->len; i++)
    resolve_register_value (resolver, resolver->register_inits->pdata[i]);
  for (guint i = 0; i < resolver->program->n_threads; i++) {
    RspThread *thread = &resolver->program->threads[i];
    for (guint k = 0; k < thread->n_parameters; k++)
      if (thread->parameters[k].object != G_MAXUINT) {
        const LitmusObject *object = resolver->objects->pdata[thread->parameters[k].object];
        thread->parameters[k].object = object->first;
      }
  }
}

/* ---- Observed ------------------------------------------------------------------------------- */

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
  g_autofree char *nearest = rsp_did_you_mean_in (name, names);
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
  if (place->element != LITMUS_NONE) {
    litmus_error (q->resolver, place->span, NULL, "`%u:%s` is a register, which has no elements",
                  thread->number, place->name);
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

const LitmusPlace *question_follow_parameter (const Question *q, const LitmusPlace *place) {
  if (place->kind != LITMUS_REGISTER || place->thread < 0 || place->thread >= q->program->n_threads)
    return place;
  guint index = (guint) place->thread;
  const RspThread *thread = &q->program->threads[index];
  /* The location that the thread's parameter of that name points to. */
  const LitmusObject *object = NULL;
  const GPtrArray *objects = q->resolver->objects;
  for (guint i = 0; i < thread->n_parameters; i++)
    for (guint k = 0; k < objects->len && g_str_equal (thread->parameters[i].name, place->name);
         k++)
      if (((const LitmusObject *) objects->pdata[k])->first == thread->parameters[i].object)
        object = objects->pdata[k];
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
  /* The location that `x`, `[x]` or `a[1]` names; FALSE with an error. */
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
  location = rsp_address_object (address) + (guint) rsp_address_element (address);
  location = q->program->locations[location].physical;
  *id = observe_location (q, location);
  return TRUE;
}
