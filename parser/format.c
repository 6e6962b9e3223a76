/* Values and conditions as the log prints them. */
#include "parser/format.h"

/* Registers whose addresses are taken are objects numbered after all locations, thread by
 * thread. */
static void format_register (const RspProgram *program, guint object, GString *out) {
  guint reg = object - program->n_locations;
  for (guint i = 0; i < program->n_threads; i++) {
    const RspThread *thread = &program->threads[i];
    if (reg < thread->n_registers) {
      g_string_append_printf (out, "&%u:%s", thread->number, thread->registers[reg].name);
      return;
    }
    reg -= thread->n_registers;
  }
  g_string_append (out, "&?");
}

/* There are many states, and most values are short: this takes a tenth of printf's time. */
static void append_decimal (guint64 magnitude, gboolean negative, GString *out) {
  char digits[21];
  guint at = sizeof digits;
  do
    digits[--at] = (char) ('0' + magnitude % 10);
  while (magnitude /= 10);
  if (negative)
    digits[--at] = '-';
  for (; at < sizeof digits; at++)
    g_string_append_c (out, digits[at]);
}

void rsp_number_format (gint64 number, GString *out) {
  append_decimal (number < 0 ? -(guint64) number : (guint64) number, number < 0, out);
}

static void format_address (const RspProgram *program, gint64 value, GString *out) {
  guint object = rsp_address_object (value);
  gint32 element = rsp_address_element (value);
  if (object >= program->n_locations) {
    format_register (program, object, out);
    if (element)
      g_string_append_printf (out, "%+d", element);
  } else if (element >= 0 && (guint) element < program->locations[object].n_elements)
    g_string_append (out, program->locations[object + (guint) element].name);
  else
    g_string_append_printf (out, "%s%+d", program->locations[object].name, element);
}

void rsp_program_format_value (const RspProgram *program, const RspType *type, gint64 value,
                               GString *out) {
  gboolean is_unsigned = type->bits == 64 && !type->is_signed && !type->pointers;
  if (rsp_is_address (value) && (type->pointers || program->language->tagged))
    format_address (program, value, out);
  else if (is_unsigned)
    append_decimal ((guint64) value, FALSE, out);
  else
    rsp_number_format (value, out);
}

const RspType *rsp_observable_type (const RspProgram *program, const RspObservable *observable) {
  if (observable->is_register)
    return &program->threads[observable->thread].registers[observable->reg].type;
  return &program->locations[observable->location].type;
}

char *rsp_program_format_condition (const RspProgram *program) {
  return rsp_condition_format (program->quantifier, program->condition, "not ");
}
