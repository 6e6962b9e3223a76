/* The objects in memory, from the initial state and from parameters. */
#include "parser/resolve/objects.h"
#include "parser/litmus/types.h"
#include "parser/resolve/initial.h"

#include "base/suggest.h"

#include <string.h>

enum {
  TELLING = 4 /* letters: shorter names are always similar */
};

LitmusObject *litmus_find_object (const LitmusResolver *resolver, const char *name) {
  return g_hash_table_lookup (resolver->object_names, name);
}

char *litmus_object_hint (const LitmusResolver *resolver, const char *name) {
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < resolver->objects->len; i++)
    g_ptr_array_add (names, (gpointer) ((LitmusObject *) resolver->objects->pdata[i])->name);
  g_ptr_array_add (names, NULL);
  return rsp_did_you_mean (name, (const char *const *) names->pdata);
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

/* The type of the cell that a declaration with these stars declares (for an initial value, all of
 * them; for a parameter, all but the last). *atomic: is the cell itself atomic? */
static RspType cell_type (const LitmusSpecs *specs, LitmusStars stars, gboolean parameter,
                          const LitmusTypeWord **space, gboolean *atomic) {
  guint pointers = stars.n - (parameter && stars.n ? 1 : 0);
  RspType type = rsp_litmus_type (specs, pointers);
  guint own = parameter ? stars.before : stars.last;
  *atomic = pointers ? (own & LITMUS_ATOMIC) != 0 : type.is_atomic;
  if (specs->pointers) /* `_Atomic (int *)`: the pointer is atomic, not what it points to */
    type.is_atomic = FALSE;
  *space = pointers ? (parameter ? stars.before_space : stars.last_space) : NULL;
  if (!*space)
    *space = specs->space;
  return type;
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

static gboolean holds_address (const LitmusObject *object) {
  for (guint i = 0; object->values && i < object->n_elements; i++)
    if (object->values[i] && object->values[i]->kind == LITMUS_ADDRESS)
      return TRUE;
  return FALSE;
}

/* Takes a declaration of the object into account. A location that holds an address is a pointer,
 * even where a thread declares the address's own type (litmus_resolve_initial warns). */
static void merge_type (LitmusResolver *resolver, LitmusObject *object, RspType type,
                        const LitmusTypeWord *space, gboolean atomic, RspSpan span) {
  RspType before = object->type;
  merge_space (resolver, object, space, span);
  object->atomic |= atomic;
  if (object->typed && before.pointers == 1 && type.pointers == 0 && holds_address (object))
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
  object->type.is_volatile |= type.is_volatile;
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

static void declare_array (LitmusResolver *resolver, LitmusObject *object, const LitmusInit *init) {
  gint64 size = init->size ? init->size : init->values.n;
  object->is_array = TRUE;
  object->sized = TRUE;
  if (size == 0)
    litmus_error (resolver, init->span, NULL, "found an array without elements: `%s` needs a size",
                  object->name);
  else if (init->values.n > size || size > LITMUS_MAX_ELEMENTS)
    litmus_error (resolver, init->span, NULL,
                  "found %u values, expected at most %" G_GINT64_FORMAT " for `%s`", init->values.n,
                  MIN (size, LITMUS_MAX_ELEMENTS), object->name);
  else {
    set_size (resolver, object, (guint) size);
    for (guint i = 0; i < init->values.n; i++)
      object->values[i] = init->values.items[i];
  }
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
  return init->is_array || init->braces || (init->specs && init->place->element != LITMUS_NONE);
}

static void declare_location (LitmusResolver *resolver, LitmusInit *init) {
  LitmusObject *object = get_object (resolver, init->place->name, init->place->span);
  gboolean element = init->place->element != LITMUS_NONE && !is_array_declaration (init);
  if (object->in_initial && !(element && object->is_array))
    litmus_error (resolver, init->place->span, NULL, "found a second initial value of `%s`",
                  object->name);
  object->in_initial = TRUE;
  if (init->specs) {
    const LitmusTypeWord *space;
    gboolean atomic;
    RspType type = cell_type (init->specs, init->stars, FALSE, &space, &atomic);
    merge_type (resolver, object, type, space, atomic, init->span);
  }
  if (is_array_declaration (init)) {
    if (init->place->element != LITMUS_NONE)
      init->size = init->place->element;
    if (init->place->element != 0 && init->place->element <= LITMUS_MAX_ELEMENTS)
      declare_array (resolver, object, init);
    else
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
  entry->type = init->specs ? rsp_litmus_type (init->specs, init->stars.n) : rsp_litmus_int_type ();
  g_ptr_array_add (resolver->register_inits, entry);
}

/* ---- Parameters ---- */

/* Do the names differ only in their numbers, as `data1` and `data2`, and so are not misspelt? */
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
 * are compared. */
static void warn_of_misspelling (LitmusResolver *resolver, const LitmusObject *object) {
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < resolver->objects->len; i++) {
    const LitmusObject *other = resolver->objects->pdata[i];
    gboolean telling = strlen (other->name) >= TELLING && strlen (object->name) >= TELLING
                       && !differ_in_digits (other->name, object->name);
    if (other->in_initial && (!other->passed || telling))
      g_ptr_array_add (names, (gpointer) other->name);
  }
  g_ptr_array_add (names, NULL);
  g_autofree char *hint = rsp_did_you_mean (object->name, (const char *const *) names->pdata);
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

static void pass_object (LitmusResolver *resolver, guint thread, const LitmusParameter *syntax,
                         RspParameter *parameter) {
  const LitmusDeclarator *decl = syntax->declarator;
  LitmusStars stars = decl->stars;
  if (decl->is_array)
    stars
        = (LitmusStars){ .n = stars.n + 1, .before = stars.last, .before_space = stars.last_space };
  const LitmusTypeWord *space;
  gboolean atomic;
  RspType type = cell_type (syntax->specs, stars, TRUE, &space, &atomic);
  LitmusObject *object = parameter_object (resolver, thread, decl->name, parameter->span);
  if (type.bits == 0 && type.pointers == 0)
    litmus_error (resolver, parameter->span, NULL,
                  "found `void*`, expected a pointer to an integer type");
  merge_type (resolver, object, type, space, atomic, parameter->span);
  object->passed = TRUE;
  if (decl->size && !object->sized && !object->values) {
    object->is_array = object->sized = TRUE;
    set_size (resolver, object, (guint) decl->size);
  }
  parameter->object = object->index;
}

/* A parameter passed by value is a register. Shared memory cannot be passed by value. */
static void pass_value (LitmusResolver *resolver, const LitmusParameter *syntax,
                        RspParameter *parameter) {
  const LitmusSpecs *specs = syntax->specs;
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

static void declare_parameter (LitmusResolver *resolver, guint thread,
                               const LitmusParameter *syntax, RspParameter *parameter) {
  const LitmusDeclarator *decl = syntax->declarator;
  guint pointers = decl->stars.n + (decl->is_array ? 1 : 0);
  parameter->name = decl->name;
  parameter->span = (RspSpan){ resolver->program->source, decl->range.begin, decl->range.end };
  parameter->normalised = rsp_litmus_type_spelling (
      resolver->arena, syntax->specs, pointers, resolver->program->language->id == RSP_LANGUAGE_C);
  parameter->type = rsp_litmus_type (syntax->specs, pointers);
  if (pointers)
    pass_object (resolver, thread, syntax, parameter);
  else
    pass_value (resolver, syntax, parameter);
}

static void declare_parameters (LitmusResolver *resolver, guint index) {
  const LitmusThread *syntax = resolver->test->threads.items[index];
  RspThread *thread = &resolver->program->threads[index];
  thread->n_parameters = syntax->parameters.n;
  thread->parameters = rsp_arena_new0 (resolver->arena, RspParameter, syntax->parameters.n);
  for (guint i = 0; i < syntax->parameters.n; i++) {
    RspParameter *parameter = &thread->parameters[i];
    declare_parameter (resolver, index, syntax->parameters.items[i], parameter);
    for (guint k = 0; k < i; k++)
      if (strcmp (thread->parameters[k].name, parameter->name) == 0)
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
