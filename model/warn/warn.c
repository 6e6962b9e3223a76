/* Warnings about models. */
#include "model/model.h"
#include "model/warn/internal.h"
#include "model/warn/warn.h"

#include <string.h>

/* ---- Names ---------------------------------------------------------------------------------- */

const char *const rsp_model_warning_names[RSP_N_MODEL_WARNINGS + 1]
    = { [RSP_WARN_UNCHECKED] = "unchecked",
        [RSP_WARN_SAME_NAME] = "same-name",
        [RSP_WARN_UNUSED] = "unused",
        [RSP_WARN_EMPTY] = "empty",
        [RSP_WARN_PRECEDENCE] = "precedence" };

/* ---- Uses ----------------------------------------------------------------------------------- */

/* The text is walked in the order of evaluation, with the definitions in scope on a stack. */

static gboolean is_letter (char c) { return g_ascii_isalnum (c) || (c && strchr ("_.-'", c)); }

/* The first place of the name in a span. */
static RspSpan find_word (RspSpan span, const char *name) {
  gsize length = strlen (name);
  const char *text = span.source->text;
  for (guint i = span.begin; i + length <= span.end; i++)
    if (strncmp (text + i, name, length) == 0 && !is_letter (text[i + length])
        && (i == span.begin || !is_letter (text[i - 1])))
      return (RspSpan){ span.source, i, i + (guint) length };
  return span;
}

/* A name uses the innermost definition and, if that one is in a branch, also the next. */
static void mark (const RspUses *uses, const char *name) {
  RspDefinition *definition = g_hash_table_lookup (uses->innermost, name);
  for (; definition; definition = definition->outer) {
    definition->used |= !definition->hidden;
    if (!definition->maybe)
      return;
  }
}

static void use (RspUses *uses, const char *name, RspSpan span) {
  const RspUse found = { span, name, g_hash_table_lookup (uses->innermost, name) };
  g_array_append_val (uses->uses, found);
  mark (uses, name);
}

static RspDefinition *define (RspUses *uses, const char *name, RspSpan span) {
  RspDefinition *definition = rsp_arena_new0 (uses->arena, RspDefinition, 1);
  *definition = (RspDefinition){ .name = name, .span = span, .maybe = uses->branches > 0 };
  definition->outer = g_hash_table_lookup (uses->innermost, name);
  g_hash_table_insert (uses->innermost, (gpointer) name, definition);
  g_ptr_array_add (uses->scope, definition);
  g_ptr_array_add (uses->definitions, definition);
  return definition;
}

static void enter_scope (gpointer data, const RspCatStatement *statement) {
  const RspUses *uses = data;
  (void) statement;
  g_array_append_val (uses->scopes, uses->scope->len);
}

static void leave_scope (gpointer data, const RspCatStatement *statement) {
  RspUses *uses = data;
  guint length = g_array_index (uses->scopes, guint, uses->scopes->len - 1);
  (void) statement;
  g_array_set_size (uses->scopes, uses->scopes->len - 1);
  for (guint i = uses->scope->len; i-- > length;) {
    RspDefinition *definition = uses->scope->pdata[i];
    g_hash_table_insert (uses->innermost, (gpointer) definition->name, definition->outer);
  }
  g_ptr_array_set_size (uses->scope, (gint) length);
}

static void define_pattern (gpointer data, const RspCatPattern *pattern, gboolean is_global) {
  RspUses *uses = data;
  if (!pattern->is_tuple && pattern->name) {
    RspDefinition *definition = define (uses, pattern->name, pattern->span);
    definition->is_global = is_global;
    definition->pattern = pattern;
  }
  for (guint i = 0; i < pattern->n_items; i++)
    define_pattern (uses, pattern->items[i], is_global);
}

/* Sets whether the pattern's definitions, which are in scope, are hidden. */
static void hide (gpointer data, const RspCatPattern *pattern, gboolean hidden) {
  const RspUses *uses = data;
  for (guint i = uses->scope->len; i-- > 0 && !pattern->is_tuple;) {
    RspDefinition *definition = uses->scope->pdata[i];
    if (definition->pattern == pattern)
      definition->hidden = hidden;
  }
  for (guint i = 0; i < pattern->n_items; i++)
    hide (data, pattern->items[i], hidden);
}

static void define_clause (gpointer data, const RspCatClause *clause) {
  for (guint i = 0; clause->kind != RSP_CAT_CLAUSE_TAG && i < G_N_ELEMENTS (clause->names); i++)
    if (clause->names[i])
      define (data, clause->names[i], find_word (clause->span, clause->names[i]));
}

static void use_expr (gpointer data, const RspCatExpr *expr) {
  if (expr->kind == RSP_CAT_NAME)
    use (data, expr->name, expr->span);
}

static gboolean enter_branch (gpointer data, const RspCatStatement *statement, guint number) {
  (void) statement, (void) number;
  ((RspUses *) data)->branches++;
  return TRUE;
}

static void leave_branch (gpointer data) { ((RspUses *) data)->branches--; }

/* Names that a statement itself has. */
static gboolean use_statement (gpointer data, const RspCatStatement *statement) {
  RspUses *uses = data;
  uses->unread |= statement->kind == RSP_CAT_STMT_INCLUDE && !statement->included;
  switch (statement->kind) {
  case RSP_CAT_STMT_SHOW:
  case RSP_CAT_STMT_UNSHOW:
    for (guint i = 0; statement->names && statement->names[i]; i++)
      use (uses, statement->names[i], find_word (statement->span, statement->names[i]));
    break;
  case RSP_CAT_STMT_CALL:
    use (uses, statement->name, statement->name_span);
    break;
  case RSP_CAT_STMT_PROCEDURE:
  case RSP_CAT_STMT_ENUM:
    define (uses, statement->name, statement->name_span);
    break;
  default:
    break;
  }
  return TRUE;
}

RspUses *rsp_uses_find (const RspModel *model, const char *const *shown) {
  RspUses *uses = g_new0 (RspUses, 1);
  uses->arena = rsp_arena_new ();
  uses->definitions = g_ptr_array_new ();
  uses->uses = g_array_new (FALSE, FALSE, sizeof (RspUse));
  uses->scope = g_ptr_array_new ();
  uses->innermost = g_hash_table_new (g_str_hash, g_str_equal);
  uses->scopes = g_array_new (FALSE, FALSE, sizeof (guint));
  rsp_cat_visit (&(RspCatVisitor){ .statement = use_statement,
                                   .expr = use_expr,
                                   .enter_branch = enter_branch,
                                   .leave_branch = leave_branch,
                                   .enter_scope = enter_scope,
                                   .leave_scope = leave_scope,
                                   .define = define_pattern,
                                   .define_clause = define_clause,
                                   .recursion = hide },
                 uses, model->statements);
  for (guint i = 0; shown && shown[i]; i++)
    mark (uses, shown[i]);
  return uses;
}

void rsp_uses_free (RspUses *uses) {
  g_ptr_array_unref (uses->definitions);
  g_array_unref (uses->uses);
  g_ptr_array_unref (uses->scope);
  g_array_unref (uses->scopes);
  g_hash_table_unref (uses->innermost);
  rsp_arena_free (uses->arena);
  g_free (uses);
}

/* ---- Precedence ----------------------------------------------------------------------------- */

/* Warnings about `a ; [S] & r`: `&` binds tighter than `;`, so r is met with the identity on S
 * alone, where most likely the pairs of `a ; [S]` were meant. Parentheses around `[S] & r` say that
 * it is meant. */

typedef struct Walk {
  const RspModel *model;
  RspDiagnostics *diagnostics;
} Walk;

/* ---- The slip ---- */
static gboolean is_all_identity (const RspCatExpr *meet) {
  return meet->kind == RSP_CAT_INTER
             ? is_all_identity (meet->a) && is_all_identity (meet->b)
             : (meet->kind == RSP_CAT_IDENTITY
                || (meet->kind == RSP_CAT_NAME && strcmp (meet->name, "id") == 0));
}

static gboolean is_in_parentheses (RspSpan span) {
  const char *text = span.source->text;
  guint begin = span.begin, end = span.end;
  while (begin > 0 && g_ascii_isspace (text[begin - 1]))
    begin--;
  while (g_ascii_isspace (text[end]))
    end++;
  return begin > 0 && text[begin - 1] == '(' && text[end] == ')';
}

static void look_at_operand (const Walk *walk, const RspCatExpr *sequence, const RspCatExpr *meet,
                             gboolean before) {
  if (meet->kind != RSP_CAT_INTER || is_in_parentheses (meet->span))
    return;
  /* The operand of the intersection that is nearest to the `;`. */
  const RspCatExpr *identity = before ? meet->b : meet;
  while (!before && identity->kind == RSP_CAT_INTER)
    identity = identity->a;
  if (identity->kind == RSP_CAT_IDENTITY && !is_all_identity (meet)) {
    RspSource *source = meet->span.source;
    guint begin = before ? meet->span.begin : sequence->span.begin,
          end = before ? sequence->span.end : meet->span.end,
          split = before ? identity->span.begin : identity->span.end;
    g_autofree char *here = model_text_of (meet->span);
    g_autofree char *left = model_text_of ((RspSpan){ source, begin, split });
    g_autofree char *right = model_text_of ((RspSpan){ source, split, end });
    g_autofree char *hint = g_strdup_printf (
        before
            ? "`;` binds looser than `&`; the other reading is `%s (%s)`, and parentheses around "
              "`%s` keep this one"
            : "`;` binds looser than `&`; the other reading is `(%s) %s`, and parentheses around "
              "`%s` keep this one",
        left, right, here);
    rsp_warning (walk->diagnostics, meet->span, hint,
                 "`%s` relates events to themselves only [-W%s]", here,
                 rsp_model_warning_names[RSP_WARN_PRECEDENCE]);
  }
}

static void look_at_expr (gpointer data, const RspCatExpr *expr) {
  if (expr->kind != RSP_CAT_SEQ)
    return;
  look_at_operand (data, expr, expr->a, TRUE);
  look_at_operand (data, expr, expr->b, FALSE);
}

static gboolean is_own (gpointer data, const RspCatStatement *statement) {
  return warn_is_own (((const Walk *) data)->model, statement->span);
}

/* ---- Checks --------------------------------------------------------------------------------- */

/* Warnings about a model's axioms: none at all, or two with the same name. */

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
  guint procedures; /* number of surrounding procedures */
  gboolean any;     /* has there been an axiom, or a call of a procedure, which may have one? */
  gboolean unread;  /* has an include not been read? It may have axioms */
  GArray *unnamed;  /* of RspSpan: flags without a name */
} Checks;

static void clear_named (gpointer data) { g_array_unref (((Named *) data)->branches); }

static gboolean collect_branch (gpointer data, const RspCatStatement *statement, guint number) {
  Branch branch = { statement, number };
  g_array_append_val (((const Checks *) data)->branches, branch);
  return TRUE;
}

static void end_branch (gpointer data) {
  GArray *branches = ((const Checks *) data)->branches;
  g_array_set_size (branches, branches->len - 1);
}

static void enter_procedure (gpointer data, const RspCatStatement *statement) {
  if (statement && statement->kind == RSP_CAT_STMT_PROCEDURE)
    ((Checks *) data)->procedures++;
}

static void leave_procedure (gpointer data, const RspCatStatement *statement) {
  if (statement && statement->kind == RSP_CAT_STMT_PROCEDURE)
    ((Checks *) data)->procedures--;
}

static gboolean collect (gpointer data, const RspCatStatement *statement) {
  Checks *checks = data;
  gboolean in_procedure = checks->procedures > 0;
  gboolean check
      = statement->kind == RSP_CAT_STMT_AXIOM && statement->role != RSPCHECK_ROLE_WARN_UNLESS;
  checks->any |= statement->kind == RSP_CAT_STMT_CALL || (check && !in_procedure);
  checks->unread |= statement->kind == RSP_CAT_STMT_INCLUDE && !statement->included;
  if (check && statement->name) {
    Named named = { .name = statement->name, .role = statement->role, .span = statement->span };
    named.branches = g_array_copy (checks->branches);
    g_array_append_val (checks->named, named);
  } else if (check && statement->role == RSPCHECK_ROLE_FLAG)
    g_array_append_val (checks->unnamed, statement->span);
  return TRUE;
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

/* FALSE if the model has no axioms. */
static gboolean warn_of_checks (const RspModel *model, guint off, RspDiagnostics *diagnostics) {
  Checks checks = { .named = g_array_new (FALSE, FALSE, sizeof (Named)),
                    .branches = g_array_new (FALSE, FALSE, sizeof (Branch)),
                    .unnamed = g_array_new (FALSE, FALSE, sizeof (RspSpan)) };
  g_array_set_clear_func (checks.named, clear_named);
  rsp_cat_visit (&(RspCatVisitor){ .statement = collect,
                                   .enter_branch = collect_branch,
                                   .leave_branch = end_branch,
                                   .enter_scope = enter_procedure,
                                   .leave_scope = leave_procedure },
                 &checks, model->statements);
  gboolean any = checks.any || checks.unread;
  const gboolean warns = !any && !(off & 1u << RSP_WARN_UNCHECKED);
  g_autofree char *whole = warns ? rsp_model_whole_hint (model) : NULL;
  if (warns)
    rsp_warning (diagnostics, ((RspSpan){ model->sources->pdata[0], 0, 0 }),
                 whole ? whole : "an axiom begins with `acyclic`, `irreflexive` or `empty`",
                 "this model has no axiom: it allows every execution [-W%s]",
                 rsp_model_warning_names[RSP_WARN_UNCHECKED]);
  for (guint i = 0; i < checks.unnamed->len && !(off & 1u << RSP_WARN_UNCHECKED); i++)
    rsp_warning (diagnostics, g_array_index (checks.unnamed, RspSpan, i), "name it: `as race`",
                 "nothing shows this flag, since it has no name [-W%s]",
                 rsp_model_warning_names[RSP_WARN_UNCHECKED]);
  if (!(off & 1u << RSP_WARN_SAME_NAME)) {
    g_autoptr (GHashTable) by_name
        = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_ptr_array_unref);
    for (guint i = 0; i < checks.named->len; i++) {
      const Named *b = &g_array_index (checks.named, Named, i);
      GPtrArray *earlier = g_hash_table_lookup (by_name, b->name);
      if (!earlier)
        g_hash_table_insert (by_name, (gpointer) b->name, earlier = g_ptr_array_new ());
      for (guint j = 0; j < earlier->len; j++) {
        const Named *a = earlier->pdata[j];
        /* Several flags with the same name are one flag with several reasons. A file that is
         * included twice has its axioms twice. */
        gboolean flags = a->role == b->role && a->role != RSPCHECK_ROLE_AXIOM;
        gboolean same = a->span.begin == b->span.begin
                        && strcmp (a->span.source->name, b->span.source->name) == 0;
        if (flags || same || exclude_each_other (a, b))
          continue;
        g_autofree char *place = rsp_model_place (a->span);
        g_autofree char *hint
            = g_strdup_printf ("the other is on %s; -skipcheck and -v treat the two as one", place);
        rsp_warning (diagnostics, b->span, hint, "a second axiom has the name `%s` [-W%s]", b->name,
                     rsp_model_warning_names[RSP_WARN_SAME_NAME]);
        break;
      }
      g_ptr_array_add (earlier, (gpointer) b);
    }
  }
  g_array_unref (checks.named);
  g_array_unref (checks.branches);
  g_array_unref (checks.unnamed);
  return any;
}

/* Is the name one of herd's two functions that say where the model's levels are? */
static gboolean places_levels (const RspModel *model, const char *name) {
  gboolean any = FALSE;
  for (guint i = 0; i < model->words->len; i++)
    any |= rsp_model_level (model, i) < RSP_N_LEVELS;
  return any && (strcmp (name, "narrower") == 0 || strcmp (name, "wider") == 0);
}

/* ---- Warn ----------------------------------------------------------------------------------- */

void rsp_model_warn (const RspModel *model, guint off, const char *const *shown,
                     RspDiagnostics *diagnostics) {
  /* A model without axioms uses nothing: it is meant to be included. */
  gboolean checks = warn_of_checks (model, off, diagnostics);
  if (checks && !(off & 1u << RSP_WARN_UNUSED)) {
    /* Warnings about definitions in the model's own file that nothing uses. There are none if an
     * include was not read, because it may use anything. */
    g_autoptr (RspUses) uses = rsp_uses_find (model, shown);
    for (guint i = 0; i < uses->definitions->len && !uses->unread; i++) {
      const RspDefinition *definition = uses->definitions->pdata[i];
      const char *name = definition->name;
      if (definition->is_global && !definition->used && *name != '_'
          && warn_is_own (model, definition->span) && !places_levels (model, name))
        rsp_warning (diagnostics, definition->span, NULL, "nothing uses `%s` [-W%s]", name,
                     rsp_model_warning_names[RSP_WARN_UNUSED]);
    }
  }
  if (!(off & 1u << RSP_WARN_PRECEDENCE)) {
    Walk walk = { model, diagnostics };
    rsp_cat_visit (&(RspCatVisitor){ .statement = is_own, .expr = look_at_expr }, &walk,
                   model->statements);
  }
  if (!(off & 1u << RSP_WARN_EMPTY))
    warn_of_empty (model, diagnostics);
}
