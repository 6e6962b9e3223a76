/* Values in final states: their order and their text. */
#include "enumerator/terms/value.h"
#include "parser/format.h"

#include "parser/program.h"

int rsp_value_compare (RspValue a, RspValue b) {
  if (a.unknown != b.unknown)
    return a.unknown < b.unknown ? -1 : 1;
  return (a.bits > b.bits) - (a.bits < b.bits);
}

void rsp_value_format (const RspProgram *program, const RspType *type, RspValue value,
                       GString *out) {
  if (!value.unknown) {
    rsp_program_format_value (program, type, value.bits, out);
    return;
  }
  /* A symbol in herd's style, of letters, digits and underscores: its log readers accept no
   * others. */
  g_string_append_printf (out, "S%u", value.unknown);
  if (value.bits)
    g_string_append_printf (out, "_%s%" G_GUINT64_FORMAT, value.bits < 0 ? "m" : "",
                            value.bits < 0 ? -(guint64) value.bits : (guint64) value.bits);
}
