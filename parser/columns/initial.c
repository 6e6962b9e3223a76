/* The initial state: locations, arrays, aliases, registers. */
#include "parser/columns/names.h"
#include "parser/resolve/initial.h"

#include "base/suggest.h"

#include <string.h>

/* ---- Aliases ---- */

static const RspTag proxies[] = { RSP_TAG_GEN, RSP_TAG_TEX, RSP_TAG_SUR, RSP_TAG_CON };
static const char *const proxy_words[] = { "generic", "texture", "surface", "constant", NULL };

static RspTag alias_proxy (ColumnsResolver *r, const ColumnsAlias *alias) {
  gboolean has_proxies = (rsp_tags[RSP_TAG_GEN].languages >> r->parser->language->id & 1) != 0;
  if (has_proxies != (alias->proxy != NULL))
    ERROR (r, alias->span, NULL,
           has_proxies ? "this alias has no proxy: `y @ generic aliases x`"
                       : "only aliases of PTX have a proxy: `y aliases x`");
  for (guint i = 0; alias->proxy && proxy_words[i]; i++)
    if (strcmp (alias->proxy, proxy_words[i]) == 0)
      return proxies[i];
  if (alias->proxy && has_proxies) {
    g_autofree char *hint = rsp_did_you_mean (alias->proxy, proxy_words);
    ERROR (r, alias->proxy_span, hint,
           "found `%s`, expected a proxy: `generic`, `texture`, `surface` or `constant`",
           alias->proxy);
  }
  return RSP_TAG_GEN;
}

/* Is the target of an alias an alias that comes later? */
static gboolean is_early (const ColumnsResolver *r, guint index) {
  const ColumnsAlias *const *aliases = (gpointer) r->parser->aliases.items;
  for (guint i = index + 1; i < r->parser->aliases.n; i++)
    if (strcmp (aliases[index]->target, aliases[i]->name) == 0)
      return TRUE;
  return FALSE;
}

static void declare_aliases (ColumnsResolver *r) {
  for (guint i = 0; i < r->parser->aliases.n; i++) {
    const ColumnsAlias *alias = r->parser->aliases.items[i];
    if (g_hash_table_contains (r->base.object_names, alias->name)) {
      ERROR (r, alias->span, NULL, "`%s` is declared twice", alias->name);
      continue;
    }
    if (is_early (r, i) && !g_hash_table_contains (r->base.object_names, alias->target)) {
      ERROR (r, alias->target_span, "an alias comes after what it is an alias of",
             "found `%s`, which is declared later", alias->target);
      return;
    }
    if (strcmp (alias->name, alias->target) == 0)
      ERROR (r, alias->target_span, NULL, "`%s` cannot be an alias of itself", alias->name);
    guint target = columns_location (r, alias->target, alias->target_span);
    const LitmusObject *object = g_hash_table_lookup (r->base.object_names, alias->target);
    guint first = object->is_array ? columns_array (r, alias->name, object->n_elements, alias->span)
                                   : columns_location (r, alias->name, alias->span);
    RspTag proxy = alias_proxy (r, alias);
    RspLocation *locations = (RspLocation *) r->locations->data;
    for (guint k = 0; k < object->n_elements; k++) {
      const RspLocation *of = &locations[target + k];
      locations[first + k].physical = of->physical;
      locations[first + k].proxy = proxy;
      if (proxy != RSP_TAG_GEN)
        locations[first + k].handle_of = of->handle_of ? of->handle_of : target + k + 1;
    }
  }
}

/* ---- Values ---- */

/* FALSE, with an error, for a register without its thread. */
static gboolean is_location (ColumnsResolver *r, const LitmusPlace *place) {
  if (!columns_is_register_name (place->name))
    return TRUE;
  ERROR (r, place->span, "the register of a thread is written `P0:r0`",
         "found the register `%s`, expected a location", place->name);
  return FALSE;
}

/* The value of an initialisation: a number or an address. */
static gint64 initial_value (ColumnsResolver *r, const LitmusPlace *value) {
  if (value->kind == LITMUS_NUMBER)
    return value->number;
  return is_location (r, value) ? columns_address (r, value) : 0;
}

/* Does the entry give a value to an element of an array, rather than to all of an object? */
static gboolean is_of_element (const LitmusInit *init) {
  return init->place->element != LITMUS_NONE && !init->braces;
}

static gboolean is_of_object (const LitmusInit *init, const char *name) {
  return init->place->kind != LITMUS_REGISTER && strcmp (init->place->name, name) == 0;
}

/* Does an entry before this one give the same location a value? */
static gboolean is_given (const ColumnsResolver *r, const LitmusInit *init) {
  const LitmusList initial = r->base.test->initial;
  for (guint i = 0; initial.items[i] != init; i++) {
    const LitmusInit *other = initial.items[i];
    if (is_of_object (other, init->place->name)
        && (!is_of_element (init) || !is_of_element (other)
            || init->place->element == other->place->element))
      return TRUE;
  }
  return FALSE;
}

/* The elements of an array: `x[2] = {0, 5}` says how many; `x[1] = 5` requires that there are as
 * many. */
static gint64 count_elements (const ColumnsResolver *r, const LitmusInit *init) {
  const LitmusList initial = r->base.test->initial;
  gint64 n = 0;
  if (init->braces)
    return init->place->element == LITMUS_NONE ? init->values.n : init->place->element;
  for (guint i = 0; i < initial.n; i++)
    if (is_of_object (initial.items[i], init->place->name))
      n = MAX (n, ((const LitmusInit *) initial.items[i])->place->element + 1);
  return n;
}

static void declare_array (ColumnsResolver *r, const LitmusInit *init) {
  gint64 n = count_elements (r, init);
  if (n < 1 || n > LITMUS_MAX_ELEMENTS)
    ERROR (r, init->place->span, NULL, "an array may have 1 to %d elements", LITMUS_MAX_ELEMENTS);
  else if (init->values.n > n)
    ERROR (r, init->span, NULL, "found %u values, expected at most %" G_GINT64_FORMAT " for `%s`",
           init->values.n, n, init->place->name);
  else if (r->locations->len + n > LITMUS_MAX_LOCATIONS)
    ERROR (r, init->place->span, NULL, "a test may have at most %d locations",
           LITMUS_MAX_LOCATIONS);
  else if (!g_hash_table_contains (r->base.object_names, init->place->name))
    columns_array (r, init->place->name, (guint) n, init->span);
}

static void declare_location (ColumnsResolver *r, const LitmusInit *init) {
  if (!is_location (r, init->place))
    return;
  if (is_given (r, init))
    ERROR (r, init->span, NULL, "`%s` is initialised twice", init->place->name);
  else if (init->braces || is_of_element (init))
    declare_array (r, init);
  else
    columns_location (r, init->place->name, init->span);
}

static void initialise_location (ColumnsResolver *r, const LitmusInit *init) {
  guint first = columns_location (r, init->place->name, init->span);
  if (is_of_element (init))
    first += (guint) init->place->element;
  for (guint i = 0; i < init->values.n && first + i < r->locations->len; i++) {
    gint64 value = initial_value (r, init->values.items[i]);
    g_array_index (r->locations, RspLocation, first + i).initial = value;
  }
}

/* Locations are declared before any is initialised, so that they are numbered in the order of the
 * text. */
static void each_location (ColumnsResolver *r,
                           void (*visit) (ColumnsResolver *r, const LitmusInit *init)) {
  const LitmusList initial = r->base.test->initial;
  for (guint i = 0; i < initial.n; i++)
    if (((const LitmusInit *) initial.items[i])->place->kind != LITMUS_REGISTER)
      visit (r, initial.items[i]);
}

void columns_initialise_registers (ColumnsResolver *r, guint thread) {
  const LitmusList initial = r->base.test->initial;
  for (guint i = 0; i < initial.n; i++) {
    const LitmusInit *init = initial.items[i];
    if (init->place->kind != LITMUS_REGISTER || init->place->thread != thread)
      continue;
    if (columns_find_register (r, init->place->name) != G_MAXUINT)
      ERROR (r, init->span, NULL, "the register `%s` of P%u is initialised twice",
             init->place->name, thread);
    if (init->braces)
      ERROR (r, init->span, NULL, "found several values, expected one for `%s`", init->place->name);
    guint reg = columns_register (r, init->place->name, init->span);
    g_array_index (r->registers, RspRegister, reg).initialised = TRUE;
    if (init->values.n)
      g_array_index (r->registers, RspRegister, reg).initial
          = initial_value (r, init->values.items[0]);
  }
}

static void check_register_threads (ColumnsResolver *r) {
  const LitmusList initial = r->base.test->initial;
  for (guint i = 0; i < initial.n; i++) {
    const LitmusInit *init = initial.items[i];
    if (init->place->kind != LITMUS_REGISTER
        || (init->place->thread >= 0 && init->place->thread < r->base.program->n_threads))
      continue;
    g_autofree char *hint = rsp_litmus_threads_hint (&r->base);
    ERROR (r, init->span, hint, "found thread %" G_GINT64_FORMAT ", which this test does not have",
           init->place->thread);
  }
}

/* ---- The text, for the hash ---- */

static void keep_initial (ColumnsResolver *r) {
  RspProgram *program = r->base.program;
  const LitmusList aliases = r->parser->aliases;
  rsp_litmus_keep_initial (&r->base, aliases.n);
  for (guint i = 0; i < aliases.n; i++) {
    const ColumnsAlias *alias = aliases.items[i];
    program->initial[program->n_initial++]
        = (RspInitialText){ alias->name,
                            rsp_arena_printf (r->base.arena, "%s=@%s %s", alias->name,
                                              alias->proxy ? alias->proxy : "", alias->target) };
  }
}

void columns_initialise_memory (ColumnsResolver *r) {
  each_location (r, declare_location);
  declare_aliases (r);
  check_register_threads (r);
  each_location (r, initialise_location);
  keep_initial (r);
}
