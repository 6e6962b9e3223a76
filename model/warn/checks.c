/* Warnings about a model's axioms: none at all, or two with the same name. */
#include "model/names.h"
#include "model/warn/private.h"

#include <string.h>

/* A branch of an if or match that contains an axiom. */
typedef struct Branch {
  const RspCatStatement *statement;
  guint number;
} Branch;

typedef struct Named {
  const char *name;
  RspcheckAxiomRole role;
  RspSpan span;
  GArray *branches; /* of Branch, outermost first; owned */
} Named;

typedef struct Checks {
  GArray *named;    /* of Named */
  GArray *branches; /* of Branch: the surrounding ones */
  gboolean any;     /* has there been an axiom, or a call of a procedure, which may have one? */
  gboolean unread;  /* has an include not been read? It may have axioms */
  GArray *unnamed;  /* of RspSpan: flags without a name, of their own or of a call */
} Checks;

static void collect (Checks *checks, const RspCatStatement *statement, gboolean in_procedure);

static void clear_named (gpointer data) { g_array_unref (((Named *) data)->branches); }

static void collect_branch (Checks *checks, const RspCatStatement *around, guint number,
                            const RspCatStatement *body, gboolean in_procedure) {
  Branch branch = { around, number };
  g_array_append_val (checks->branches, branch);
  collect (checks, body, in_procedure);
  g_array_set_size (checks->branches, checks->branches->len - 1);
}

static void collect_inside (Checks *checks, const RspCatStatement *statement,
                            gboolean in_procedure) {
  guint number = 2;
  if (statement->kind == RSP_CAT_STMT_IF) {
    collect_branch (checks, statement, 0, statement->body, in_procedure);
    collect_branch (checks, statement, 1, statement->otherwise, in_procedure);
  } else
    collect (checks, statement->body, in_procedure || statement->kind == RSP_CAT_STMT_PROCEDURE);
  for (const RspCatClause *clause = statement->clauses; clause; clause = clause->next)
    collect_branch (checks, statement, number++, clause->statements, in_procedure);
  collect (checks, statement->included, in_procedure);
}

static void add_named (Checks *checks, const RspCatStatement *statement) {
  Named named = { .name = statement->name, .role = statement->role, .span = statement->span };
  named.branches = g_array_copy (checks->branches);
  g_array_append_val (checks->named, named);
}

static void collect (Checks *checks, const RspCatStatement *statement, gboolean in_procedure) {
  for (; statement; statement = statement->next) {
    gboolean check
        = statement->kind == RSP_CAT_STMT_AXIOM && statement->role != RSPCHECK_ROLE_WARN_UNLESS;
    checks->any |= statement->kind == RSP_CAT_STMT_CALL || (check && !in_procedure);
    checks->unread |= statement->kind == RSP_CAT_STMT_INCLUDE && !statement->included;
    if (check && statement->name)
      add_named (checks, statement);
    else if (check && !in_procedure && statement->role == RSPCHECK_ROLE_FLAG)
      g_array_append_val (checks->unnamed, statement->span);
    collect_inside (checks, statement, in_procedure);
  }
}

/* Are they in two branches of one statement, so that no execution has both? */
static gboolean exclude_each_other (const Named *a, const Named *b) {
  guint n = MIN (a->branches->len, b->branches->len);
  for (guint i = 0; i < n; i++) {
    const Branch *x = &g_array_index (a->branches, Branch, i),
                 *y = &g_array_index (b->branches, Branch, i);
    if (x->statement != y->statement)
      return FALSE;
    if (x->number != y->number)
      return TRUE;
  }
  return FALSE;
}

/* Several flags with the same name are one flag with several reasons. A file that is included twice
 * has its axioms twice. */
static gboolean clash (const Named *a, const Named *b) {
  gboolean flags = a->role == b->role && a->role != RSPCHECK_ROLE_AXIOM;
  gboolean same
      = a->span.begin == b->span.begin && strcmp (a->span.source->name, b->span.source->name) == 0;
  return strcmp (a->name, b->name) == 0 && !flags && !same && !exclude_each_other (a, b);
}

static void warn_of_names (const GArray *named, RspDiagnostics *diagnostics) {
  for (guint i = 0; i < named->len; i++)
    for (guint j = 0; j < i; j++) {
      const Named *a = &g_array_index (named, Named, j), *b = &g_array_index (named, Named, i);
      if (!clash (a, b))
        continue;
      g_autofree char *place = rsp_model_place (a->span);
      g_autofree char *hint
          = g_strdup_printf ("the other is on %s; -skipcheck and -v treat the two as one", place);
      rsp_warning (diagnostics, b->span, hint, "a second axiom has the name `%s` [-W%s]", b->name,
                   rsp_model_warning_names[RSP_WARN_SAME_NAME]);
      break;
    }
}

gboolean warn_of_checks (const RspModel *model, guint off, RspDiagnostics *diagnostics) {
  Checks checks = { .named = g_array_new (FALSE, FALSE, sizeof (Named)),
                    .branches = g_array_new (FALSE, FALSE, sizeof (Branch)),
                    .unnamed = g_array_new (FALSE, FALSE, sizeof (RspSpan)) };
  g_array_set_clear_func (checks.named, clear_named);
  collect (&checks, model->statements, FALSE);
  gboolean any = checks.any || checks.unread;
  if (!any && !(off & 1u << RSP_WARN_UNCHECKED))
    rsp_warning (diagnostics, ((RspSpan){ model->sources->pdata[0], 0, 0 }),
                 "an axiom begins with `acyclic`, `irreflexive` or `empty`",
                 "this model has no axiom: it allows every execution [-W%s]",
                 rsp_model_warning_names[RSP_WARN_UNCHECKED]);
  for (guint i = 0; i < checks.unnamed->len && !(off & 1u << RSP_WARN_UNCHECKED); i++)
    rsp_warning (diagnostics, g_array_index (checks.unnamed, RspSpan, i), "name it: `as race`",
                 "nothing shows this flag, since it has no name [-W%s]",
                 rsp_model_warning_names[RSP_WARN_UNCHECKED]);
  if (!(off & 1u << RSP_WARN_SAME_NAME))
    warn_of_names (checks.named, diagnostics);
  g_array_unref (checks.named);
  g_array_unref (checks.branches);
  g_array_unref (checks.unnamed);
  return any;
}
