#include "enumerator/search/screen/certain.h"
#include "model/axiom_kind.h"
#include "model/base.h"
#include "model/language.h"

#include <string.h>

/* ---- The text ---- */

static gboolean is_plain_statement (const RspCatStatement *statement);

static gboolean
is_plain_condition (const RspCatCondition *condition)
{
  switch (condition->kind)
    {
    case RSP_CAT_COND_VARIANT:
      return TRUE;
    case RSP_CAT_COND_NOT:
      return is_plain_condition (condition->c);
    case RSP_CAT_COND_AND:
    case RSP_CAT_COND_OR:
      return is_plain_condition (condition->c) && is_plain_condition (condition->d);
    default:
      return FALSE;
    }
}

/* Functions that apply others to each element of a set. (Only these, and statements that choose,
 * use sets of sets and of orders.) */
static gboolean
goes_over_elements (const char *name)
{
  return strcmp (name, "fold") == 0 || strcmp (name, "map") == 0;
}

/* An order that a model chooses by naming it. */
static gboolean
is_chosen (const char *name)
{
  return strcmp (name, "sync_fence") == 0;
}

static gboolean
is_plain (const RspCatExpr *expr)
{
  if (!expr)
    return TRUE;
  if (expr->kind == RSP_CAT_MATCH || expr->kind == RSP_CAT_TRY || expr->kind == RSP_CAT_ADD
      || (expr->kind == RSP_CAT_IF && !is_plain_condition (expr->condition))
      || (expr->kind == RSP_CAT_NAME
          && (goes_over_elements (expr->name) || is_chosen (expr->name))))
    return FALSE;
  for (guint i = 0; i < expr->n_items; i++)
    if (!is_plain (expr->items[i]))
      return FALSE;
  for (const RspCatBinding *binding = expr->bindings; binding; binding = binding->next)
    if (!is_plain (binding->value))
      return FALSE;
  return is_plain (expr->a) && is_plain (expr->b);
}

static gboolean
are_plain (const RspCatStatement *statement)
{
  for (; statement; statement = statement->next)
    if (!is_plain_statement (statement))
      return FALSE;
  return TRUE;
}

static gboolean
is_plain_statement (const RspCatStatement *statement)
{
  switch (statement->kind)
    {
    case RSP_CAT_STMT_FORALL:
    case RSP_CAT_STMT_WITH:
    case RSP_CAT_STMT_MATCH:
      return FALSE;
    case RSP_CAT_STMT_IF:
      if (!is_plain_condition (statement->condition))
        return FALSE;
      break;
    default:
      break;
    }
  for (const RspCatBinding *binding = statement->bindings; binding; binding = binding->next)
    if (!is_plain (binding->value))
      return FALSE;
  return is_plain (statement->expr) && are_plain (statement->included)
         && are_plain (statement->body) && are_plain (statement->otherwise);
}

gboolean
certain_may_ask (const RspModel *model)
{
  return !model->with_sc && are_plain (model->statements);
}

/* ---- Names of the base ---- */

typedef enum Sort
{
  UNKNOWN,
  CERTAIN, /* pairs of the part are pairs of the whole */
  EXACT    /* and no other pairs are */
} Sort;

/* All base sets and relations are exact, except the barriers that some work-item never reaches.
 * Pairs that the search decides are certain. */
static Sort
sort_of_derived (const char *id)
{
  static const char *const unknown[] = { "CO0", "FW", "S" }, *const exact[] = { "ATOM", "SM" };
  for (guint i = 0; i < G_N_ELEMENTS (unknown); i++)
    if (strcmp (id, unknown[i]) == 0)
      return UNKNOWN;
  for (guint i = 0; i < G_N_ELEMENTS (exact); i++)
    if (strcmp (id, exact[i]) == 0)
      return EXACT;
  return CERTAIN;
}

typedef struct BaseName
{
  const char *name;
  const char *derived; /* the id of a derived relation */
  gboolean unknown;
} BaseName;

static const BaseName base_names[] = {
#define RSP_BASE_SET(id, name, meaning)                                                            \
  { name, NULL, RSP_BASE_SET_##id == RSP_BASE_SET_DIVERGENT_FENCE },
#define RSP_BASE_RELATION(id, name, meaning)      { name, NULL, FALSE },
#define RSP_BASE_DERIVED(id, kind, name, meaning) { name, #id, FALSE },
#include "model/base_names.def"
};

static Sort
sort_of_name (const char *name)
{
  const char *own = rsp_base_name (name);
  if (strcmp (name, "_") == 0 || (strlen (name) == 3 && name[1] == '*'))
    return EXACT; /* all events; the pairs of a filter such as WW */
  for (guint i = 0; i < G_N_ELEMENTS (base_names); i++)
    if (strcmp (own, base_names[i].name) == 0)
      return base_names[i].unknown   ? UNKNOWN
             : base_names[i].derived ? sort_of_derived (base_names[i].derived)
                                     : EXACT;
  return UNKNOWN;
}

/* ---- Terms ---- */

/* What is certain about a term: `bits`; if exact, that is all of it. */
typedef struct Certain
{
  gboolean exact;
  RspMatrix *bits;
} Certain;

typedef struct Walk
{
  RspArena *arena;
  guint depth;
  GHashTable *done; /* RspTraceTerm → Certain */
} Walk;

enum
{
  MAX_DEPTH = 1000 /* limit of the depth of terms: nothing is certain about deeper ones */
};

static const Certain *certain_of (Walk *walk, const RspTraceTerm *term);

static void
apply_to_relations (RspTraceOp op, RspMatrix *out, const RspMatrix *a, const RspMatrix *b)
{
  switch (op)
    {
    case RSP_TRACE_SEQUENCE:
      rsp_relation_compose (out, a, b);
      break;
    case RSP_TRACE_INVERSE:
      rsp_relation_inverse (out, a);
      break;
    case RSP_TRACE_PRODUCT:
      rsp_relation_product (out, a, b);
      break;
    case RSP_TRACE_IDENTITY:
      rsp_relation_identity (out, a);
      break;
    case RSP_TRACE_DOMAIN:
      rsp_relation_domain (out, a);
      break;
    case RSP_TRACE_RANGE:
      rsp_relation_range (out, a);
      break;
    case RSP_TRACE_CLOSURE:
    case RSP_TRACE_STAR:
    case RSP_TRACE_OPTION:
      rsp_matrix_assign (out, a);
      if (op != RSP_TRACE_OPTION)
        rsp_relation_close (out);
      for (guint e = 0; op != RSP_TRACE_CLOSURE && e < out->n; e++)
        rsp_matrix_add (out, e, e);
      break;
    default:
      break;
    }
}

/* Is a sequence of exact relations exact? Only if one of them is an identity, so that no event
 * comes between. */
static gboolean
steps_over_nothing (const RspTraceTerm *term)
{
  while (term->op == RSP_TRACE_ALIAS)
    term = term->operands[0];
  return term->op == RSP_TRACE_IDENTITY;
}

static gboolean
keeps_exact (const RspTraceTerm *term)
{
  switch (term->op)
    {
    case RSP_TRACE_ALIAS:
    case RSP_TRACE_UNION:
    case RSP_TRACE_INTERSECTION:
    case RSP_TRACE_DIFFERENCE:
    case RSP_TRACE_COMPLEMENT:
    case RSP_TRACE_INVERSE:
    case RSP_TRACE_OPTION:
    case RSP_TRACE_PRODUCT:
    case RSP_TRACE_IDENTITY:
      return TRUE;
    case RSP_TRACE_SEQUENCE:
      return steps_over_nothing (term->operands[0]) || steps_over_nothing (term->operands[1]);
    default:
      return FALSE;
    }
}

static void
apply (const RspTraceTerm *term, const Certain *a, const Certain *b, Certain *out)
{
  switch (term->op)
    {
    case RSP_TRACE_ALIAS:
      rsp_matrix_assign (out->bits, a->bits);
      break;
    case RSP_TRACE_UNION:
      rsp_matrix_union (out->bits, a->bits, b->bits);
      break;
    case RSP_TRACE_INTERSECTION:
      rsp_matrix_intersect (out->bits, a->bits, b->bits);
      break;
    case RSP_TRACE_DIFFERENCE:
      if (b->exact)
        rsp_matrix_difference (out->bits, a->bits, b->bits);
      break;
    case RSP_TRACE_COMPLEMENT:
      if (a->exact)
        rsp_matrix_assign (out->bits, term->value);
      break;
    default:
      apply_to_relations (term->op, out->bits, a->bits, b ? b->bits : NULL);
    }
  out->exact = a->exact && (!b || b->exact) && keeps_exact (term);
}

/* Do the operands have the kinds that the operator takes? */
static gboolean
fits (const RspTraceTerm *term)
{
  guint arity = rsp_trace_op_arity (term->op);
  gboolean takes_sets = term->op == RSP_TRACE_PRODUCT || term->op == RSP_TRACE_IDENTITY;
  gboolean takes_relations = term->op == RSP_TRACE_DOMAIN || term->op == RSP_TRACE_RANGE;
  for (guint i = 0; i < arity; i++)
    if (!term->operands[i]
        || term->operands[i]->is_set != (takes_sets || (!takes_relations && term->is_set)))
      return FALSE;
  return arity > 0;
}

static void
find_certain (Walk *walk, const RspTraceTerm *term, Certain *out)
{
  if (term->op == RSP_TRACE_BASE && term->name)
    {
      Sort sort = sort_of_name (term->name);
      out->exact = sort == EXACT;
      if (sort != UNKNOWN)
        rsp_matrix_assign (out->bits, term->value);
    }
  else if (fits (term) && walk->depth < MAX_DEPTH)
    {
      gboolean two = rsp_trace_op_arity (term->op) == 2;
      walk->depth++;
      const Certain *a = certain_of (walk, term->operands[0]);
      const Certain *b = two ? certain_of (walk, term->operands[1]) : NULL;
      walk->depth--;
      apply (term, a, b, out);
    }
}

static const Certain *
certain_of (Walk *walk, const RspTraceTerm *term)
{
  Certain *known = g_hash_table_lookup (walk->done, term);
  if (known)
    return known;
  Certain *out = rsp_arena_new0 (walk->arena, Certain, 1);
  out->bits = term->is_set ? rsp_set_new (walk->arena, term->value->n)
                           : rsp_relation_new (walk->arena, term->value->n);
  find_certain (walk, term, out);
  g_assert (rsp_matrix_subset (out->bits, term->value));
  g_hash_table_insert (walk->done, (gpointer) term, out);
  return out;
}

/* ---- Axioms ---- */

gboolean
certain_failure (const RspTrace *trace, RspArena *arena)
{
  Walk walk = { .arena = arena, .done = g_hash_table_new (NULL, NULL) };
  gboolean failed = FALSE;
  for (guint i = 0; i < trace->n_axioms && !failed; i++)
    {
      const RspTracedAxiom *axiom = &trace->axioms[i];
      if (axiom->role == RSPCHECK_ROLE_AXIOM && !axiom->negated && !axiom->holds)
        failed = !rsp_axiom_form_holds (rsp_axiom_form (axiom->kind),
                                        certain_of (&walk, axiom->term)->bits);
    }
  g_hash_table_unref (walk.done);
  return failed;
}
