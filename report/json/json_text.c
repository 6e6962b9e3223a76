/* Errors in a line that JSON-GLib does not report. */
#include "report/json/json_text.h"

enum
{
  DEEPEST = 512 /* levels of arrays and objects: an explanation has many */
};

/* A quote after a backslash does not end a string. */
gboolean
json_is_deep (RspSpan line)
{
  gboolean in_string = FALSE;
  guint depth = 0;
  for (guint i = line.begin; i < line.end && depth <= DEEPEST; i++)
    {
      char c = line.source->text[i];
      if (c == '\\')
        i += in_string;
      else if (c == '"')
        in_string = !in_string;
      else if (!in_string && (c == '[' || c == '{'))
        depth++;
      else if (!in_string && (c == ']' || c == '}'))
        depth -= depth > 0;
    }
  return depth > DEEPEST;
}

/* The value of the escape `\uXXXX` at i, or 0. */
static guint
escape_at (RspSpan line, guint i)
{
  const char *text = line.source->text;
  guint value = 0;
  if (i + 6 > line.end || text[i] != '\\' || text[i + 1] != 'u')
    return 0;
  for (guint digit = i + 2; digit < i + 6; digit++)
    {
      if (!g_ascii_isxdigit (text[digit]))
        return 0;
      value = value * 16 + (guint) g_ascii_xdigit_value (text[digit]);
    }
  return value;
}

guint
json_lone_surrogate (RspSpan line)
{
  for (guint i = line.begin; i < line.end; i++)
    {
      if (line.source->text[i] != '\\')
        continue;
      guint value = escape_at (line, i), next = escape_at (line, i + 6);
      if (value >= 0xdc00 && value < 0xe000)
        return i;
      if (value < 0xd800 || value >= 0xdc00)
        i++;
      else if (next < 0xdc00 || next >= 0xe000)
        return i;
      else
        i += 11;
    }
  return line.end;
}

guint
json_second_object (RspSpan line)
{
  gboolean in_string = FALSE;
  guint depth = 0, i = line.begin;
  for (; i < line.end; i++)
    {
      char c = line.source->text[i];
      if (c == '\\')
        i += in_string;
      else if (c == '"')
        in_string = !in_string;
      else if (!in_string && c == '{')
        depth++;
      else if (!in_string && c == '}' && --depth == 0)
        break;
    }
  for (i++; i < line.end && g_ascii_isspace (line.source->text[i]);)
    i++;
  return MIN (i, line.end);
}
