#include "report/model_help.h"
#include "model/axiom_kind.h"
#include "model/names.h"

#include <string.h>

/* Findings in order of appearance: lines without indentation or duplicates. */
typedef struct Found {
  GPtrArray *axioms, *flags, *warnings;
  GPtrArray *conditions; /* of char *: the `if`s around the current statement */
} Found;

static void add_once (GPtrArray *list, char *line) {
  if (g_ptr_array_find_with_equal_func (list, line, g_str_equal, NULL))
    g_free (line);
  else
    g_ptr_array_add (list, line);
}

/* ---- Axioms ---- */

/* Appends the requirements of the `if`s around an axiom. Conditions on anything but variants do not
 * depend on how the model is run and are left out. */
static void describe_condition (const RspCatCondition *condition, GString *out) {
  switch (condition->kind) {
  case RSP_CAT_COND_VARIANT:
    g_string_append_printf (out, "-variant %s", condition->variant);
    return;
  case RSP_CAT_COND_NOT:
    g_string_append (out, "not (");
    describe_condition (condition->c, out);
    g_string_append_c (out, ')');
    return;
  case RSP_CAT_COND_AND:
  case RSP_CAT_COND_OR:
    describe_condition (condition->c, out);
    g_string_append (out, condition->kind == RSP_CAT_COND_AND ? " and " : " or ");
    describe_condition (condition->d, out);
    return;
  default:
    g_string_append (out, "a condition on the test");
    return;
  }
}

static void add_axiom (const RspCatStatement *axiom, Found *found) {
  GPtrArray *lists[] = {
    [RSPCHECK_ROLE_AXIOM] = found->axioms,         [RSPCHECK_ROLE_UNDEFINED_UNLESS] = found->flags,
    [RSPCHECK_ROLE_FLAG] = found->flags,           [RSPCHECK_ROLE_ASSERT] = found->axioms,
    [RSPCHECK_ROLE_WARN_UNLESS] = found->warnings,
  };
  GString *line = g_string_new (axiom->name ? axiom->name : "(unnamed)");
  if (axiom->role == RSPCHECK_ROLE_AXIOM)
    g_string_append_printf (line, ": %s%s", axiom->negated ? "not " : "",
                            rsp_axiom_form (axiom->axiom)->word);
  else if (axiom->role == RSPCHECK_ROLE_UNDEFINED_UNLESS)
    g_string_append (line, ": the program is undefined");
  else if (axiom->role == RSPCHECK_ROLE_ASSERT)
    g_string_append (line, ": asserted");
  for (guint i = 0; i < found->conditions->len; i++)
    g_string_append_printf (line, ", if %s", (char *) found->conditions->pdata[i]);
  add_once (lists[axiom->role], g_string_free (line, FALSE));
}

static void find_in_statements (const RspCatStatement *statement, Found *found);

static void find_in_if (const RspCatStatement *statement, Found *found) {
  g_autoptr (GString) condition = g_string_new (NULL);
  describe_condition (statement->condition, condition);
  g_ptr_array_add (found->conditions, g_strdup (condition->str));
  find_in_statements (statement->body, found);
  g_ptr_array_set_size (found->conditions, (gint) found->conditions->len - 1);
  g_ptr_array_add (found->conditions, g_strdup_printf ("not (%s)", condition->str));
  find_in_statements (statement->otherwise, found);
  g_ptr_array_set_size (found->conditions, (gint) found->conditions->len - 1);
}

static void find_in_statements (const RspCatStatement *statement, Found *found) {
  for (; statement; statement = statement->next) {
    if (statement->kind == RSP_CAT_STMT_AXIOM)
      add_axiom (statement, found);
    find_in_statements (statement->included, found);
    if (statement->kind == RSP_CAT_STMT_IF) {
      find_in_if (statement, found);
      continue;
    }
    find_in_statements (statement->body, found);
    for (const RspCatClause *clause = statement->clauses; clause; clause = clause->next)
      find_in_statements (clause->statements, found);
  }
}

/* ---- The comment ---- */

/* The end of the comment that begins at text; comments nest. NULL if it does not end. */
static const char *comment_end (const char *text) {
  guint depth = 0;
  for (const char *p = text; *p; p++)
    if (g_str_has_prefix (p, "(*"))
      depth++, p++;
    else if (g_str_has_prefix (p, "*)") && --depth == 0)
      return p;
    else if (g_str_has_prefix (p, "*)"))
      p++;
  return NULL;
}

/* The lines of the first comment of a file, without their common indentation. */
static void append_comment (const RspSource *source, GString *out) {
  const char *begin = strstr (source->text, "(*");
  const char *end = begin ? comment_end (begin) : NULL;
  if (!end)
    return;
  g_autofree char *comment = g_strndup (begin + 2, (gsize) (end - begin - 2));
  g_auto (GStrv) lines = g_strsplit (comment, "\n", -1);
  for (char **line = lines; *line; line++) {
    g_strstrip (*line);
    g_string_append_printf (out, "%s%s\n", **line ? "  " : "", *line);
  }
}

static void append_list (const char *title, const GPtrArray *lines, GString *out) {
  if (lines->len)
    g_string_append_printf (out, "%s\n", title);
  for (guint i = 0; i < lines->len; i++)
    g_string_append_printf (out, "  %s\n", (char *) lines->pdata[i]);
}

void rsp_model_format_help (const RspModel *model, GString *out) {
  g_autoptr (GPtrArray) axioms = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) flags = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) variants = g_ptr_array_new ();
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GPtrArray) conditions = g_ptr_array_new_with_free_func (g_free);
  Found found = { axioms, flags, warnings, conditions };
  find_in_statements (model->statements, &found);
  rsp_model_collect_names (model, names, variants);
  g_string_append_printf (out, "Model %s\nFile %s\n", model->name, model->path);
  append_list ("Axioms", axioms, out);
  append_list ("Flags", flags, out);
  append_list ("Warnings", warnings, out);
  append_list ("Variants", variants, out);
  g_string_append (out, "Description\n");
  if (model->sources->len)
    append_comment (model->sources->pdata[0], out);
}
