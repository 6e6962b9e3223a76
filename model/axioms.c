#include "model/axioms.h"
#include "model/condition.h"
#include "model/names.h"

/* The expression's text, with each sequence of blanks replaced by one. */
static char *text_of (RspSpan span) {
  GString *text = g_string_new (NULL);
  for (guint i = span.begin; i < span.end; i++)
    if (!g_ascii_isspace (span.source->text[i]))
      g_string_append_c (text, span.source->text[i]);
    else if (text->len && text->str[text->len - 1] != ' ')
      g_string_append_c (text, ' ');
  return g_strchomp (g_string_free (text, FALSE));
}

/* The flag that the axiom raises, or NULL. */
static const char *flag_of (const RspCatStatement *statement) {
  if (statement->role == RSPCHECK_ROLE_UNDEFINED_UNLESS)
    return statement->name ? statement->name : RSP_UNNAMED_UNDEFINED;
  if (statement->role == RSPCHECK_ROLE_FLAG)
    return statement->name;
  return NULL;
}

static void add (GArray *axioms, const RspCatStatement *statement) {
  RspModelAxiom axiom = {
    .id = statement->name ? g_strdup (statement->name) : rsp_model_place (statement->span),
    .flag = flag_of (statement),
    .kind = statement->axiom,
    .role = statement->role,
    .negated = statement->negated,
    .expression = text_of (statement->expr->span),
    .file = g_strdup (statement->span.source->name),
    .line = rsp_span_line (statement->span),
  };
  g_array_append_val (axioms, axiom);
}

static void collect (const RspModel *model, const RspCatStatement *statement, GArray *axioms) {
  for (; statement; statement = statement->next) {
    RspTruth truth = statement->kind == RSP_CAT_STMT_IF
                         ? model_condition (model, statement->condition, NULL, NULL)
                         : RSP_OPEN;
    if (statement->kind == RSP_CAT_STMT_AXIOM)
      add (axioms, statement);
    collect (model, statement->included, axioms);
    if (truth != RSP_FAILS)
      collect (model, statement->body, axioms);
    if (truth != RSP_HOLDS)
      collect (model, statement->otherwise, axioms);
    for (const RspCatClause *clause = statement->clauses; clause; clause = clause->next)
      collect (model, clause->statements, axioms);
  }
}

static void clear (gpointer data) {
  RspModelAxiom *axiom = data;
  g_free (axiom->id);
  g_free (axiom->expression);
  g_free (axiom->file);
}

GArray *rsp_model_axioms (const RspModel *model) {
  GArray *axioms = g_array_new (FALSE, FALSE, sizeof (RspModelAxiom));
  g_array_set_clear_func (axioms, clear);
  collect (model, model->statements, axioms);
  return axioms;
}

static void take_flags_as_undefined (RspCatStatement *statement) {
  for (; statement; statement = statement->next) {
    if (statement->kind == RSP_CAT_STMT_AXIOM && statement->role == RSPCHECK_ROLE_FLAG) {
      statement->role = RSPCHECK_ROLE_UNDEFINED_UNLESS;
      statement->negated = !statement->negated; /* a flag is raised by what passes the axiom */
    }
    take_flags_as_undefined (statement->included);
    take_flags_as_undefined (statement->body);
    take_flags_as_undefined (statement->otherwise);
    for (RspCatClause *clause = statement->clauses; clause; clause = clause->next)
      take_flags_as_undefined (clause->statements);
  }
}

void rsp_model_take_flags_as_undefined (RspModel *model) {
  take_flags_as_undefined (model->statements);
}
