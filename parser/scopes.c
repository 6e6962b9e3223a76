/* The scope tree as text, in the notation of `scopeTree`. */
#include "parser/scopes.h"

/* Levels of a thread's place, from outside in. */
enum
{
  DEVICE,
  KERNEL,
  WORK_GROUP,
  SUB_GROUP,
  N_LEVELS
};

static const char *const words[N_LEVELS] = { "device", "kernel", "work_group", "sub_group" };

static guint
place (const RspThread *thread, guint level)
{
  const guint places[N_LEVELS]
      = { thread->device, thread->kernel, thread->work_group, thread->sub_group };
  return places[level];
}

/* Is the node of the thread's level one that the reader would fill in: the only kernel of its
 * device, or a sub-group of one thread? */
static gboolean
is_plain (const RspProgram *program, const RspThread *thread, guint level)
{
  if (level != KERNEL && level != SUB_GROUP)
    return FALSE;
  for (guint i = 0; i < program->n_threads; i++)
    {
      const RspThread *other = &program->threads[i];
      gboolean together = place (other, level) == place (thread, level);
      if (level == SUB_GROUP ? together && other != thread
                             : !together && other->device == thread->device)
        return FALSE;
    }
  return TRUE;
}

/* Appends the nodes of a level that lie in the same node as thread at the level outside it. A node
 * stands where its first thread does. */
static void
format_level (const RspProgram *program, const RspThread *around, guint level, GString *out)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < program->n_threads; i++)
    {
      const RspThread *thread = &program->threads[i];
      if (around && place (thread, level - 1) != place (around, level - 1))
        continue;
      if (level < N_LEVELS
          && !g_hash_table_add (seen, GUINT_TO_POINTER (place (thread, level) + 1)))
        continue;
      if (level == N_LEVELS)
        {
          g_string_append_printf (out, " %s", thread->name);
          continue;
        }
      gboolean plain = is_plain (program, thread, level);
      if (!plain)
        g_string_append_printf (out, "%s(%s", out->len ? " " : "", words[level]);
      format_level (program, thread, level + 1, out);
      if (!plain)
        g_string_append_c (out, ')');
    }
}

char *
rsp_program_format_scopes (const RspProgram *program)
{
  GString *text = g_string_new (NULL);
  format_level (program, NULL, DEVICE, text);
  return g_string_free (text, FALSE);
}
