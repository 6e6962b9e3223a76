#include "hardware/emit/text.h"

#include <string.h>

char *emit_type_text (const Emitter *e, const RspType *type) {
  GString *text = g_string_new (NULL);
  guint bits = type->bits > 1 ? type->bits : 8;
  gboolean is_signed = type->is_signed && type->bits > 1;
  const char *space = type->pointers ? e->target->spaces[type->space] : "";
  g_string_append_printf (text, "%s%s", space, *space ? " " : "");
  if (type->bits == 0)
    g_string_append (text, "void");
  else
    g_string_append_printf (text, "%sint%u_t", is_signed ? "" : "u", bits);
  for (guint i = 0; i < type->pointers; i++)
    g_string_append (text, i ? "*" : " *");
  return g_string_free (text, FALSE);
}

char *emit_plain_name (const char *name) {
  char *plain = g_strdup (name);
  for (char *at = plain; *at; at++)
    if (!g_ascii_isalnum (*at))
      *at = '_';
  return plain;
}

/* Octal escapes have three digits, so that what follows is not taken for one; a `?` could begin a
 * trigraph. */
void emit_string (const char *text, GString *out) {
  g_string_append_c (out, '"');
  for (const char *at = text; *at; at++)
    if (g_ascii_isprint (*at) && !strchr ("\"\\?", *at))
      g_string_append_c (out, *at);
    else
      g_string_append_printf (out, "\\%03o", (guint) (guchar) *at);
  g_string_append_c (out, '"');
}

char *emit_location_name (const Emitter *e, guint object) {
  const char *name = e->program->locations[object].name;
  g_autofree char *base = g_strndup (name, strcspn (name, "["));
  g_autofree char *plain = emit_plain_name (base);
  return g_strdup_printf ("x%u_%s", object, plain);
}

char *emit_register_name (const Emitter *e, guint reg) {
  g_autofree char *plain = emit_plain_name (e->thread->registers[reg].name);
  return g_strdup_printf ("r%u_%s", reg, plain);
}

char *emit_object (const Emitter *e, guint object) {
  const RspProgram *program = e->program;
  g_autofree char *type = emit_type_text (e, &program->locations[object].type);
  guint unit = layout_unit (program), before = layout_before (program, object);
  guint units = layout_units (program, object);
  if (layout_space (program, object) == RSP_SPACE_LOCAL)
    return g_strdup_printf ("LOCAL (%s, %u, %u, %u)", type, unit, before, units);
  return g_strdup_printf ("GLOBAL (%s, %u, %u, %u, %u)", type, unit, before, units, object);
}

static char *constant_text (const RspType *type, gint64 value) {
  if (type->bits == 64)
    return g_strdup_printf ("(%sint64_t) UINT64_C (0x%" G_GINT64_MODIFIER "x)",
                            type->is_signed ? "" : "u", value);
  if (type->is_signed || type->bits < 32)
    return value < 0 ? g_strdup_printf ("(%" G_GINT64_FORMAT " - 1)", value + 1)
                     : g_strdup_printf ("%" G_GINT64_FORMAT, value);
  return g_strdup_printf ("%uu", (guint) value);
}

char *emit_initial (const Emitter *e, const RspType *type, gint64 value) {
  gboolean is_address = rsp_is_address (value) && (type->pointers || e->program->language->tagged);
  if (!type->pointers && !is_address)
    return constant_text (type, value);
  g_autofree char *text = emit_type_text (e, type);
  if (!is_address)
    return g_strdup_printf ("(%s) 0", text);
  g_autofree char *object = emit_object (e, rsp_address_object (value));
  return g_strdup_printf ("(%s) (%s + %d)", text, object, rsp_address_element (value));
}

char *emit_result (const Emitter *e, const RspType *type, const char *value) {
  if (type->pointers)
    return g_strdup_printf ("test%u_address (c, %s)", e->number, value);
  if (e->program->language->tagged)
    return g_strdup_printf ("test%u_value (c, %s)", e->number, value);
  return g_strdup_printf ("(int64_t) %s", value);
}

char *emit_fill (const char *text, const Filling *fillings, guint n) {
  GString *out = g_string_new (NULL);
  for (const char *at = text; *at; at++) {
    const char *filled = NULL;
    for (guint i = 0; *at == '$' && i < n; i++)
      if (fillings[i].letter == at[1])
        filled = fillings[i].text;
    if (filled)
      g_string_append (out, filled);
    else
      g_string_append_c (out, *at);
    at += filled != NULL;
  }
  return g_string_free (out, FALSE);
}

void emit_line (Emitter *e, const char *format, ...) {
  va_list arguments;
  for (guint i = 0; i < e->indent; i++)
    g_string_append (e->out, "  ");
  va_start (arguments, format);
  g_string_append_vprintf (e->out, format, arguments);
  va_end (arguments);
  g_string_append_c (e->out, '\n');
}

void emit_end_early (Emitter *e) {
  emit_line (e, "  {");
  emit_line (e, "    TRUNCATED;");
  emit_line (e, "    goto end;");
  emit_line (e, "  }");
  e->ends_early = TRUE;
}
