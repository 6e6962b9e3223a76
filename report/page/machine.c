#include "report/page/machine.h"

static void
add_unsound (const char *unsound, Texts *states, GString *out)
{
  g_auto (GStrv) lines = g_strsplit (unsound ? unsound : "", "\n", -1);
  page_begin ("unsound", '[', out);
  for (guint i = 0; lines[i]; i++)
    add_number (texts_number (states, lines[i]), out);
  g_string_append_c (out, ']');
}

static void
add_bill (const char *bill, GString *out)
{
  g_auto (GStrv) lines = g_strsplit (bill ? bill : "", "\n", -1);
  page_begin ("bill", '[', out);
  for (guint i = 0; lines[i] && *lines[i]; i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i], " ", 4);
      separate (out);
      g_string_append_printf (out, "[\"%s\",%s,%s,%s]", words[0], words[1], words[2], words[3]);
    }
  g_string_append_c (out, ']');
}

void
add_machine (const RspRecord *record, Texts *states, GString *out)
{
  const RspMachineReport *report = &record->machine;
  if (!report->machine)
    return;
  page_begin ("m", '{', out);
  add_text ("name", report->machine, out);
  add_text ("mapping", report->mapping, out);
  add_text ("readings", report->readings, out);
  add_text ("by", report->allowed_by, out);
  add_text ("verdict", rsp_soundness_names[report->verdict], out);
  add_true ("deadlock", report->deadlock, out);
  begin_member ("states", out);
  g_string_append_printf (out, "%" G_GUINT64_FORMAT, report->states);
  add_unsound (report->unsound, states, out);
  add_text ("trace", report->trace, out);
  add_text ("deadlockTrace", report->deadlock_trace, out);
  add_bill (report->bill, out);
  g_string_append_c (out, '}');
}
