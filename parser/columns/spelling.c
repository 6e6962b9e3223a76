#include "parser/columns/spelling.h"

char *rsp_columns_spell (const ColumnsAlphabet *alphabet, RspSpelling spelling) {
  GString *text = g_string_new (alphabet->forms[spelling.form].word);
  for (const ColumnsSuffix *suffix = alphabet->suffixes; suffix->word; suffix++)
    if (spelling.suffixes & rsp_columns_suffix_bit (alphabet, suffix))
      g_string_append_printf (text, ".%s", suffix->word);
  return g_string_free (text, FALSE);
}

guint64 rsp_columns_kind_bits (const ColumnsAlphabet *alphabet, ColumnsKind kind) {
  guint64 bits = 0;
  for (const ColumnsSuffix *suffix = alphabet->suffixes; suffix->word; suffix++)
    if (suffix->kind == kind)
      bits |= rsp_columns_suffix_bit (alphabet, suffix);
  return bits;
}

guint rsp_columns_values (const ColumnsAlphabet *alphabet, guint64 suffixes, ColumnsKind kind) {
  guint values = 0;
  for (const ColumnsSuffix *suffix = alphabet->suffixes; suffix->word; suffix++)
    if (suffix->kind == kind && suffixes & rsp_columns_suffix_bit (alphabet, suffix))
      values |= 1u << suffix->value;
  return values;
}
