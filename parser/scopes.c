#include "parser/scopes.h"

const RspScopeWords rsp_scopes[RSP_N_SCOPES] = {
#define RSP_SCOPE(id, level, word, text, short_word, set, relation)                                \
  [RSP_SCOPE_##id] = { word, text, short_word, RSP_LEVEL_##level },
#include "parser/scopes.def"
};

enum { APART, SHARED };

enum { ALWAYS, IF_NEEDED };

const RspLevelWords rsp_levels[RSP_N_LEVELS] = {
#define RSP_LEVEL(id, relation, word, text, short_word, in_tree, elsewhere, printed)               \
  [RSP_LEVEL_##id] = { word, text, short_word, in_tree, elsewhere, printed },
#include "parser/scopes.def"
};

guint rsp_scope_node (const RspProgram *program, guint thread, RspScope scope) {
  RspLevel level = rsp_scopes[scope].level;
  if (level == RSP_LEVEL_THREAD)
    return thread;
  return level == RSP_LEVEL_SYSTEM ? 0 : program->threads[thread].place[level];
}

/* ---- The tree as text ---- */

/* The word for a level in the test's language; NULL: the language has no such level. */
static const char *level_word (const RspLanguage *language, guint level) {
  for (guint i = 0; language->tagged && i < RSP_N_LANGUAGE_LEVELS; i++)
    if (rsp_language_levels[i].language == language->id && rsp_language_levels[i].level == level)
      return rsp_language_levels[i].word;
  return language->tagged ? NULL : rsp_levels[level].word;
}

const char *rsp_level_text (const RspLanguage *language, guint level) {
  return language->tagged ? level_word (language, level) : rsp_levels[level].text;
}

/* Would a reader fill in the thread's node of a level? Yes for a shared one that is the only one in
 * the node around it, and for one around a single thread. */
static gboolean is_filled_in (const RspProgram *program, const RspThread *thread, guint level) {
  if (program->language->tagged || !rsp_levels[level].if_needed)
    return !level_word (program->language, level);
  for (guint i = 0; i < program->n_threads; i++) {
    const RspThread *other = &program->threads[i];
    gboolean together = other->place[level] == thread->place[level];
    if (rsp_levels[level].shared_in_tree
            ? !together && other->place[level - 1] == thread->place[level - 1]
            : together && other != thread)
      return FALSE;
  }
  return TRUE;
}

/* Is the thread the first one of its node of the level, in its node of the level outside? */
static gboolean is_first (const RspProgram *program, const RspThread *thread, guint level) {
  const RspThread *other = program->threads;
  while (other->place[level] != thread->place[level]
         || (level && other->place[level - 1] != thread->place[level - 1]))
    other++;
  return other == thread;
}

/* Appends the nodes of a level that lie in the same node as `around` at the level outside it. A
 * node is placed by its first thread. */
static void format_level (const RspProgram *program, const RspThread *around, guint level,
                          GString *out) {
  for (guint i = 0; i < program->n_threads; i++) {
    const RspThread *thread = &program->threads[i];
    if (around && thread->place[level - 1] != around->place[level - 1])
      continue;
    if (level == RSP_LEVEL_THREAD) {
      g_string_append_c (out, ' ');
      g_string_append (out, thread->name);
      continue;
    }
    if (!is_first (program, thread, level))
      continue;
    gboolean filled_in = is_filled_in (program, thread, level);
    if (!filled_in)
      g_string_append_printf (out, "%s(%s", out->len ? " " : "",
                              level_word (program->language, level));
    format_level (program, thread, level + 1, out);
    if (!filled_in)
      g_string_append_c (out, ')');
  }
}

char *rsp_program_format_scopes (const RspProgram *program) {
  GString *text = g_string_new (NULL);
  format_level (program, NULL, 0, text);
  return g_string_free (text, FALSE);
}
