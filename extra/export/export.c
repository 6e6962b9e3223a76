/* -export: models, and what holds of all executions, as text for provers. */
#include "cli/extra.h"
#include "model/stage/stage.h"

#include <string.h>

/* A model that is staged with nothing known is a DAG over the base sets and relations; each form
 * has a pattern for each operator. What all executions have in common is a model too:
 * model/library/executions.cat. */

/* ---- Forms ---------------------------------------------------------------------------------- */

/* In patterns, $1, $2, … stand for texts. Expressions that are not names are in parentheses. */
typedef struct Form {
  const char *word;
  const char *begin, *end; /* of the text; $1: its title, $2: its name */
  const char *comment;
  const char *operators[RSP_N_NODE_OPS]; /* $1, $2: operands; CONSTANT: the identity; FIX: $1: the
                                          * variable, $2: the body; NULL: by rounds, see below */
  const char *empty[2], *all[2], *types[2];                        /* by is_set: constants, types */
  const char *is_empty, *is_not_empty;                             /* formulas about $1 */
  const char *both, *either, *not, *always;                        /* of formulas */
  const char *field, *first_field, *next_field, *last_field, *set; /* what is declared: $1 */
  const char *first_fact, *next_fact, *last_fact;                  /* $1: its number, $2: formula */
  const char *definition, *predicate; /* $1: name, $2: value or formula, $3: type */
  const char *rounds; /* a least fixpoint, $1, of $2 in the variable $4 of type $3, after rounds
                       * that begin with $5 */
  const char *run, *within; /* $1, $2: models */
  const char *reserved;     /* words that cannot be names, between blanks */
} Form;

enum { ALLOY, ISABELLE, N_FORMS }; /* in this order */

static const Form forms[N_FORMS] = {
  [ALLOY]
  = { .word = "alloy",
      .begin
      = "// $1\n// A least fixpoint has eight rounds; executions that need more are left out.\n\n",
      .end = "",
      .comment = "\n// $1\n",
      .operators = { [RSP_NODE_CONSTANT] = "(Event <: iden)",
                     [RSP_NODE_UNION] = "($1 + $2)",
                     [RSP_NODE_INTER] = "($1 & $2)",
                     [RSP_NODE_DIFF] = "($1 - $2)",
                     [RSP_NODE_SEQ] = "($1 . $2)",
                     [RSP_NODE_INVERSE] = "(~$1)",
                     [RSP_NODE_PLUS] = "(^$1)",
                     [RSP_NODE_PRODUCT] = "($1 -> $2)",
                     [RSP_NODE_IDENTITY] = "($1 <: iden)",
                     [RSP_NODE_DOMAIN] = "($1 . Event)" },
      .empty = { "(none -> none)", "none" },
      .all = { "(Event -> Event)", "Event" },
      .types = { "Event -> Event", "set Event" },
      .is_empty = "no $1",
      .is_not_empty = "some $1",
      .both = " and ",
      .either = " or ",
      .not = "(not $1)",
      .always = "(no none)",
      .first_field = "sig Event {\n  ",
      .next_field = ",\n  ",
      .field = "$1 : set Event",
      .last_field = "\n}\n",
      .set = "sig $1 in Event {}\n",
      .first_fact = "\nfact execution_$1 { $2 }\n",
      .next_fact = "fact execution_$1 { $2 }\n",
      .last_fact = "",
      .definition = "\nfun $1 : $3 {\n  $2\n}\n",
      .predicate = "\npred $1 {\n  $2\n}\n",
      .rounds = "\nfun $1_step [$4 : $3] : $3 {\n  $2\n}\n\nfun $1 : $3 {\n  "
                "$1_step[$1_step[$1_step[$1_step[$1_step[$1_step[$1_step[$1_step[$5]]]]]]]]\n}\n"
                "fact $1_is_complete { no ($1_step[$1] - $1) }\n",
      .run = "\nrun $1_consistent for 6\n",
      .within = "\nassert $1_within_$2 { $1_consistent implies $2_consistent }\n"
                "check $1_within_$2 for 6\n",
      .reserved
      = " Event Int String abstract after all always and as assert before but check count disj "
        "disjoint else enum eventually exactly exh exhaustive expect extends fact for fun "
        "historically iden iff implies in int let lone module no none not once one open or part "
        "partition pred private releases run seq set sig since some steps sum this triggered univ "
        "until var " },
  { .word = "isabelle",
    .begin = "(* $1 *)\n\ntheory $2\n  imports Main\nbegin\n\nlocale execution =\n",
    .end = "\nend\n\nend\n",
    .comment = "\n(* $1 *)\n",
    .operators = { [RSP_NODE_CONSTANT] = "Id",
                   [RSP_NODE_UNION] = "($1 \\<union> $2)",
                   [RSP_NODE_INTER] = "($1 \\<inter> $2)",
                   [RSP_NODE_DIFF] = "($1 - $2)",
                   [RSP_NODE_SEQ] = "($1 O $2)",
                   [RSP_NODE_INVERSE] = "(converse $1)",
                   [RSP_NODE_PLUS] = "(trancl $1)",
                   [RSP_NODE_PRODUCT] = "($1 \\<times> $2)",
                   [RSP_NODE_IDENTITY] = "(Id_on $1)",
                   [RSP_NODE_DOMAIN] = "(Domain $1)",
                   [RSP_NODE_FIX] = "(lfp (\\<lambda>$1. $2))" },
    .empty = { "{}", "{}" },
    .all = { "(UNIV \\<times> UNIV)", "UNIV" },
    .types = { "'e rel", "'e set" },
    .is_empty = "$1 = {}",
    .is_not_empty = "$1 \\<noteq> {}",
    .both = " \\<and> ",
    .either = " \\<or> ",
    .not = "(\\<not> $1)",
    .always = "True",
    .first_field = "  fixes ",
    .next_field = "\n    and ",
    .field = "\"$1\" :: \"'e rel\"",
    .last_field = "\n",
    .set = "    and \"$1\" :: \"'e set\"\n",
    .first_fact = "  assumes execution_$1: \"$2\"\n",
    .next_fact = "    and execution_$1: \"$2\"\n",
    .last_fact = "begin\n",
    .definition = "\ndefinition $1 :: \"$3\" where\n  \"$1 = $2\"\n",
    .predicate = "\ndefinition $1 :: bool where\n  \"$1 = ($2)\"\n",
    .run = "",
    .within = "\n(* To prove, or to refute by nitpick: *)\nlemma $1_within_$2:\n"
              "  \"$1_consistent \\<Longrightarrow> $2_consistent\"\n  oops\n",
    .reserved = " case choose div dvd else if in int let mod o O of respects then Id "
                "Id_on Int INF INT MAX MIN "
                "PROD SUM SUP UN Un UNIV ALL AND EX LEAST GREATEST NOT OR THE SOME "
                "XOR CONST PROP TYPE Domain "
                "True False lfp trancl converse " },
};

/* ---- Text ----------------------------------------------------------------------------------- */

typedef struct Export {
  const Form *form;
  GString *sets, *relations, *out; /* declarations; all that follows them */
  GHashTable *taken;               /* names that something has */
  guint n_relations, n_facts;
  const char *missing; /* what has no form; NULL: everything has one */

  /* The model that is being written: */
  const RspModel *model;
  RspStagedModel *staged;
  RspLanguageId language;
  const char *prefix; /* of the names of its definitions */
  char **names;       /* per node: the name of its definition, or NULL */
  guint8 *empty;      /* per node: is it empty in all executions? */
  guint n_names;
} Export;

/* The pattern with these texts for $1 to $5. */
static void put (GString *out, const char *pattern, const char *const *texts) {
  for (const char *at = pattern; *at; at++)
    if (*at == '$')
      g_string_append (out, texts[*++at - '1']);
    else
      g_string_append_c (out, *at);
}

#define PUT(out, pattern, ...) put (out, pattern, (const char *const[]){ __VA_ARGS__ })

/* The text as a name: newly allocated. */
static char *as_name (const Export *x, const char *prefix, const char *text) {
  g_autofree char *name = g_strconcat (prefix, *prefix ? "_" : "", text, NULL);
  g_strcanon (name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS, '_');
  g_autofree char *word = g_strdup_printf (" %s ", name);
  gboolean fits = g_ascii_isalpha (*name) && !strstr (x->form->reserved, word);
  return g_strconcat (fits ? "" : "cat_", name, g_str_has_suffix (name, "_") ? "x" : NULL, NULL);
}

/* A name that nothing else has. */
static char *new_name (Export *x, const char *prefix, const char *text) {
  char *name = as_name (x, prefix, text);
  for (guint i = 2; g_hash_table_contains (x->taken, name); i++) {
    g_autofree char *numbered = g_strdup_printf ("%s_%u", text, i);
    g_free (name);
    name = as_name (x, prefix, numbered);
  }
  g_hash_table_add (x->taken, g_strdup (name));
  return name;
}

/* A base set, base relation or chosen order, which is declared at its first use. */
static void append_declared (Export *x, const char *prefix, const char *text, gboolean is_set,
                             GString *out) {
  const Form *form = x->form;
  g_autofree char *name = as_name (x, prefix, text);
  g_string_append (out, name);
  if (!g_hash_table_add (x->taken, g_strdup (name)))
    return;
  if (is_set) {
    PUT (x->sets, form->set, name);
    return;
  }
  g_string_append (x->relations, x->n_relations++ ? form->next_field : form->first_field);
  PUT (x->relations, form->field, name);
}

/* ---- Expressions ---------------------------------------------------------------------------- */

static const char *const base_names[RSP_N_BASE_SETS + RSP_N_BASE_RELATIONS] = {
#define RSP_BASE_SET(id, name, meaning)      [RSP_BASE_SET_##id] = name,
#define RSP_BASE_RELATION(id, name, meaning) [RSP_N_BASE_SETS + RSP_BASE_RELATION_##id] = name,
#include "model/base_names.def"
  [RSP_BASE_SET_OBSERVED] = "observed",
  [RSP_BASE_SET_REPEATED] = "repeated",
};

/* Languages with tags have other names for some sets. */
static const char *const tag_names[RSP_N_BASE_SETS + RSP_N_BASE_RELATIONS] = {
#define RSP_TAG(id, languages, text)
#define RSP_SHARED_TAG(id, languages, text, set) [RSP_BASE_SET_##set] = #id,
#include "parser/languages.def"
};

/* By relation: the levels that models may declare. */
static const guint own_levels[RSP_N_BASE_SETS + RSP_N_BASE_RELATIONS] = {
#define RSP_OWN_LEVEL(id) [RSP_N_BASE_SETS + RSP_BASE_RELATION_##id] = RSP_LEVEL_##id,
#include "parser/scopes.def"
};

static RspNodeId base (const Export *x, guint index) {
  return rsp_dag_base (x->staged->dag, RSP_NODE_OPEN, index);
}

/* A base set or relation without a name, in terms of those that have one. */
static RspNodeId spelt_out (const Export *x, guint index) {
  RspDag *dag = x->staged->dag;
  RspNodeId initial = base (x, RSP_BASE_SET_I);
  gboolean at_end = index == RSP_N_BASE_SETS + RSP_BASE_RELATION_CO_FINAL;
  RspNodeId from = at_end ? base (x, RSP_BASE_SET_OBSERVED) : initial;
  RspNodeId to = at_end ? from : base (x, RSP_BASE_SET_W);
  if (index == RSP_BASE_SET_NA_FENCE)
    return rsp_languages[x->language].rmw == RSP_RMW_LONE_EVENT ? base (x, RSP_BASE_SET_F)
                                                                : dag->empty[TRUE];
  to = rsp_dag_diff (dag, to, initial);
  from = rsp_dag_product (dag, from, to);
  from = rsp_dag_inter (dag, from, base (x, RSP_N_BASE_SETS + RSP_BASE_RELATION_LOC));
  return rsp_dag_diff (dag, from, dag->identity);
}

static void append_node (Export *x, RspNodeId id, GString *out);

static char *variable_name (RspNodeId id) { return g_strdup_printf ("x%u", id); }

static gboolean is_empty (const Export *x, RspNodeId id) { return id < x->n_names && x->empty[id]; }

/* inside: is it in an expression, in a form that needs a definition for it? */
static void check_fix (Export *x, const RspFix *fix, gboolean inside) {
  if (fix->n > 1)
    x->missing = "definitions by `let rec … and …`";
  else if (!fix->monotone)
    x->missing = "a definition by `let rec` that is not monotone";
  else if (inside)
    x->missing = "a definition by `let rec` inside another";
}

/* Without empty operands, about which Alloy warns. */
static void append_operator (Export *x, RspNodeId id, GString *out) {
  const RspNode node = *rsp_dag_node (x->staged->dag, id);
  const gboolean binary = rsp_node_arity (node.op) == 2;
  if (is_empty (x, id)) {
    g_string_append (out, x->form->empty[node.is_set]);
    return;
  }
  if (binary && (is_empty (x, node.a) || is_empty (x, node.b))) {
    append_node (x, is_empty (x, node.a) ? node.b : node.a, out);
    return;
  }
  g_autoptr (GString) a = g_string_new (NULL);
  g_autoptr (GString) b = g_string_new (NULL);
  if (node.op == RSP_NODE_FIX) {
    const RspFix *fix = rsp_dag_group (x->staged->dag, node.index);
    g_autofree char *variable = variable_name (fix->variables[0]);
    check_fix (x, fix, !x->form->operators[RSP_NODE_FIX]);
    g_string_append (a, variable);
    if (!x->missing)
      append_node (x, fix->bodies[0], b);
  } else {
    append_node (x, node.a, a);
    if (binary)
      append_node (x, node.b, b);
  }
  if (!x->missing)
    PUT (out, x->form->operators[node.op], a->str, b->str);
}

static void append_unnamed (Export *x, RspNodeId id, GString *out) {
  const RspNode node = *rsp_dag_node (x->staged->dag, id);
  g_autofree char *variable = NULL;
  switch (node.op) {
  case RSP_NODE_CONSTANT: {
    const RspDag *dag = x->staged->dag;
    gboolean is_set = node.is_set;
    if (id != dag->empty[is_set] && id != dag->universe[is_set] && id != dag->identity)
      x->missing = "a constant set or relation";
    g_string_append (out, id == dag->empty[is_set] ? x->form->empty[is_set]
                          : id == dag->identity    ? x->form->operators[RSP_NODE_CONSTANT]
                                                   : x->form->all[is_set]);
    return;
  }
  case RSP_NODE_RF:
    append_declared (x, "", "rf", FALSE, out);
    return;
  case RSP_NODE_CO:
    append_declared (x, "", "co", FALSE, out);
    return;
  case RSP_NODE_ORDER:
    append_declared (x, x->prefix, x->staged->orders[node.index].name, FALSE, out);
    return;
  case RSP_NODE_OPEN: {
    guint index = node.index;
    gboolean is_set = node.is_set;
    guint number = index - RSP_BASE_SET_WORD_0;
    const RspModelWord *word = own_levels[index]
                                   ? rsp_model_word_of_level (x->model, own_levels[index])
                               : is_set && number < x->model->words->len
                                   ? &g_array_index (x->model->words, RspModelWord, number)
                                   : NULL;
    if (index == RSP_N_BASE_SETS + RSP_BASE_RELATION_ID)
      append_node (x, x->staged->dag->identity, out);
    else if (rsp_languages[x->language].tagged && tag_names[index])
      append_declared (x, "", tag_names[index], is_set, out);
    else if (base_names[index])
      append_declared (x, "", base_names[index], is_set, out);
    else if (word)
      append_declared (x, "", is_set && word->scope ? word->scope : word->name, is_set, out);
    else
      append_node (x, spelt_out (x, index), out);
    return;
  }
  case RSP_NODE_VARIABLE:
    variable = variable_name (id);
    g_string_append (out, variable);
    return;
  default:
    append_operator (x, id, out);
  }
}

static void append_node (Export *x, RspNodeId id, GString *out) {
  if (id < x->n_names && x->names[id])
    g_string_append (out, x->names[id]);
  else
    append_unnamed (x, id, out);
}

/* ---- Definitions ---------------------------------------------------------------------------- */

/* Names what the model names, and what is used several times. needed: by axioms. */
static void name_nodes (Export *x, const guint8 *needed) {
  const RspDag *dag = x->staged->dag;
  g_autofree guint *uses = g_new0 (guint, x->n_names);
  for (RspNodeId id = 0; id < x->n_names; id++) {
    const RspNode *node = rsp_dag_node (dag, id);
    guint arity = needed[id] ? rsp_node_arity (node->op) : 0;
    if (arity >= 1)
      uses[node->a]++;
    if (arity == 2)
      uses[node->b]++;
  }
  for (guint i = 0; i < x->staged->n_names; i++) {
    RspNodeId id = x->staged->names[i].node;
    const RspNode *node = rsp_dag_node (dag, id);
    if (needed[id] && !node->group && !x->names[id]
        && (node->op == RSP_NODE_FIX || !rsp_node_is_leaf (node->op)))
      x->names[id] = new_name (x, x->prefix, x->staged->names[i].name);
  }
  for (RspNodeId id = 0; id < x->n_names; id++) {
    const RspNode *node = rsp_dag_node (dag, id);
    gboolean shared = uses[id] > 1
                      && !(rsp_node_is_leaf (node->op)
                               ? node->op != RSP_NODE_FIX
                               : rsp_node_arity (node->op) == 1
                                     && rsp_node_is_base (rsp_dag_node (dag, node->a)->op));
    if (needed[id] && !node->group && !x->names[id] && (shared || node->op == RSP_NODE_FIX))
      x->names[id] = new_name (x, x->prefix, "part");
  }
}

static void find_empty (Export *x) {
  const RspDag *dag = x->staged->dag;
  for (RspNodeId id = 0; id < x->n_names; id++) {
    const RspNode *node = rsp_dag_node (dag, id);
    const gboolean *other = rsp_node_forms[node->op].other_if_empty;
    guint arity = rsp_node_arity (node->op);
    gboolean a = arity && x->empty[node->a], b = arity == 2 && x->empty[node->b];
    x->empty[id]
        = arity ? (a && b) || (a && !other[0]) || (b && !other[1]) : id == dag->empty[node->is_set];
  }
}

static void define_node (Export *x, RspNodeId id) {
  const Form *form = x->form;
  const RspNode node = *rsp_dag_node (x->staged->dag, id);
  g_autoptr (GString) value = g_string_new (NULL);
  if (node.op == RSP_NODE_FIX && !form->operators[RSP_NODE_FIX]) {
    const RspFix *fix = rsp_dag_group (x->staged->dag, node.index);
    g_autofree char *variable = variable_name (fix->variables[0]);
    check_fix (x, fix, FALSE);
    append_node (x, fix->bodies[0], value);
    PUT (x->out, form->rounds, x->names[id], value->str, form->types[node.is_set], variable,
         form->empty[node.is_set]);
    return;
  }
  append_unnamed (x, id, value);
  PUT (x->out, form->definition, x->names[id], value->str, form->types[node.is_set]);
}

/* ---- Axioms --------------------------------------------------------------------------------- */

static void append_axiom (Export *x, RspcheckAxiomKind kind, gboolean negated, RspNodeId node,
                          GString *out) {
  RspDag *dag = x->staged->dag;
  RspNodeId root = rsp_axiom_root (dag, kind, node);
  if (kind != RSPCHECK_AXIOM_EMPTY)
    root = rsp_dag_inter (dag, root, dag->identity);
  g_autoptr (GString) value = g_string_new (NULL);
  append_node (x, root, value);
  PUT (out, negated ? x->form->is_not_empty : x->form->is_empty, value->str);
}

static void add_fact (Export *x, RspcheckAxiomKind kind, RspNodeId node) {
  g_autoptr (GString) formula = g_string_new (NULL);
  g_autofree char *number = g_strdup_printf ("%u", ++x->n_facts);
  append_axiom (x, kind, FALSE, node, formula);
  PUT (x->out, x->n_facts == 1 ? x->form->first_fact : x->form->next_fact, number, formula->str);
}

static void append_one_more (GString *list, const char *between, const char *formula) {
  g_string_append_printf (list, "%s%s", list->len ? between : "", formula);
}

static void define_predicate (Export *x, const char *name, const GString *formula,
                              const char *if_empty) {
  g_autofree char *whole = as_name (x, x->prefix, name);
  PUT (x->out, x->form->predicate, whole, formula->len ? formula->str : if_empty);
}

/* A predicate for each axiom; then those of the model's verdicts. */
static void define_verdicts (Export *x) {
  const Form *form = x->form;
  const RspStagedModel *staged = x->staged;
  g_autoptr (GString) consistent = g_string_new (NULL);
  g_autoptr (GString) undefined = g_string_new (NULL);
  g_autofree GString **raised = g_new0 (GString *, staged->n_flags + 1);
  for (guint i = 0; i < staged->n_axioms; i++) {
    const RspStagedAxiom *axiom = &staged->axioms[i];
    if (axiom->role == RSPCHECK_ROLE_ASSERT || axiom->role == RSPCHECK_ROLE_WARN_UNLESS)
      continue;
    g_autofree char *text = g_strconcat ("axiom_", axiom->id ? axiom->id : "order", NULL);
    g_autofree char *name = new_name (x, x->prefix, text);
    g_autoptr (GString) formula = g_string_new (NULL), fails = g_string_new (NULL);
    append_axiom (x, axiom->kind, axiom->negated, axiom->node, formula);
    PUT (x->out, form->predicate, name, formula->str);
    PUT (fails, form->not, name);
    if (axiom->role == RSPCHECK_ROLE_AXIOM) {
      append_one_more (consistent, form->both, name);
      continue;
    }
    gboolean is_flag = axiom->role == RSPCHECK_ROLE_FLAG;
    if (!raised[axiom->flag])
      raised[axiom->flag] = g_string_new (NULL);
    append_one_more (raised[axiom->flag], form->either, is_flag ? name : fails->str);
    if (!is_flag)
      append_one_more (undefined, form->either, fails->str);
  }
  g_autoptr (GString) nothing = g_string_new (NULL);
  PUT (nothing, form->not, form->always);
  define_predicate (x, "consistent", consistent, form->always);
  define_predicate (x, "undefined", undefined, nothing->str);
  for (guint i = 0; i < staged->n_flags; i++)
    if (raised[i]) {
      g_autofree char *name = g_strconcat ("raises_", staged->flags[i], NULL);
      define_predicate (x, name, raised[i], "");
      g_string_free (raised[i], TRUE);
    }
}

/* ---- The text ------------------------------------------------------------------------------- */

/* A model as it is exported. */
typedef struct Exported {
  const RspModel *model;
  const RspStagedModel *staged;
  char *prefix;
} Exported;

static void turn_to (Export *x, const Exported *exported) {
  x->model = exported->model;
  x->staged = (RspStagedModel *) exported->staged;
  x->prefix = exported->prefix;
  x->names = NULL;
  x->n_names = 0;
}

/* Levels of the models are equivalences like the language's, in the order of the scope tree; each
 * access and fence has one scope, of the language's or of theirs. */
static void add_scope_tree (Export *x) {
  static const guint relations[] = {
#define RSP_LEVEL(id, relation, word, text, short_word, in_tree, elsewhere, printed)               \
  [RSP_LEVEL_##id] = RSP_BASE_RELATION_##relation,
#define RSP_OWN_LEVEL(id) [RSP_LEVEL_##id] = RSP_BASE_RELATION_##id,
#include "parser/scopes.def"
    [RSP_N_LEVELS] = RSP_BASE_RELATION_WI,
  };
  static const guint scopes[] = {
#define RSP_SCOPE(id, level, word, text, short_word, set, relation) RSP_BASE_SET_##id##_SCOPE,
#include "parser/scopes.def"
  };
  RspDag *dag = x->staged->dag;
  RspNodeId initial = rsp_dag_identity_on (dag, base (x, RSP_BASE_SET_I));
  for (guint level = 1, outer = 0; level <= RSP_N_LEVELS; outer = level++) {
    while (level < RSP_N_LEVELS && rsp_levels[level].own
           && !rsp_model_word_of_level (x->model, level))
      level++;
    const gboolean is_own = level < RSP_N_LEVELS && rsp_levels[level].own;
    RspNodeId r = base (x, RSP_N_BASE_SETS + relations[level]);
    if (is_own || rsp_levels[outer].own)
      add_fact (x, RSPCHECK_AXIOM_EMPTY,
                rsp_dag_diff (dag, r, base (x, RSP_N_BASE_SETS + relations[outer])));
    if (!is_own)
      continue;
    RspNodeId once = rsp_dag_diff (dag, rsp_dag_seq (dag, initial, r), dag->identity);
    add_fact (x, RSPCHECK_AXIOM_EMPTY, rsp_dag_diff (dag, rsp_dag_inverse (dag, r), r));
    add_fact (x, RSPCHECK_AXIOM_EMPTY, rsp_dag_diff (dag, rsp_dag_seq (dag, r, r), r));
    add_fact (x, RSPCHECK_AXIOM_EMPTY, once);
  }
  if (rsp_languages[x->language].tagged)
    return;
  RspNodeId all = base (x, scopes[0]);
  for (guint i = 1; i < G_N_ELEMENTS (scopes); i++)
    all = rsp_dag_union (dag, all, base (x, scopes[i]));
  for (guint i = 0; i < x->model->words->len; i++)
    if (rsp_model_level (x->model, i) < RSP_N_LEVELS) {
      RspNodeId scope = base (x, RSP_BASE_SET_WORD_0 + i);
      add_fact (x, RSPCHECK_AXIOM_EMPTY, rsp_dag_inter (dag, scope, all));
      all = rsp_dag_union (dag, all, scope);
    }
  RspNodeId events = rsp_dag_union (dag, base (x, RSP_BASE_SET_M), base (x, RSP_BASE_SET_F));
  add_fact (x, RSPCHECK_AXIOM_EMPTY, rsp_dag_diff (dag, events, all));
}

/* The part of the text that all models share: FALSE after an error. */
static gboolean write_executions (Export *x, Exported *models, guint n, RspArena *arena,
                                  RspDiagnostics *diagnostics) {
  /* The facts about all executions of the language are a model of their own. */
  static const char text[] = "include \"executions.cat\"\n";
  const RspLanguage *of = &rsp_languages[x->language];
  const char *variants[]
      = { of->partial_co ? "partial-co" : "total-co", of->tagged ? "tags" : "scopes", NULL };
  g_autofree char *path = rsp_model_resolve ("executions of a language");
  g_autoptr (GHashTable) texts = g_hash_table_new (g_str_hash, g_str_equal);
  RspSource *source = rsp_source_new (path, g_strdup (text), strlen (text));
  g_hash_table_insert (texts, path, source);
  g_autoptr (RspModel) executions = rsp_model_load_with (path, NULL, texts, variants, diagnostics);
  rsp_source_unref (source);
  Exported all = { .model = executions, .prefix = "" };
  if (!executions)
    return FALSE;
  all.staged
      = rsp_model_stage_open (executions, &rsp_languages[x->language], NULL, arena, diagnostics);
  if (!all.staged)
    return FALSE;
  turn_to (x, &all);
  for (guint i = 0; i < all.staged->n_axioms; i++)
    add_fact (x, all.staged->axioms[i].kind, all.staged->axioms[i].node);
  rsp_dag_free (all.staged->dag);
  turn_to (x, &models[0]);
  add_scope_tree (x);
  for (guint i = 0; i < n; i++) {
    turn_to (x, &models[i]);
    for (guint k = 0; k < x->staged->n_orders; k++) {
      /* An order that the model chooses is strict, and total on its set unless it is partial. */
      RspDag *dag = x->staged->dag;
      const RspStagedOrder *chosen = &x->staged->orders[k];
      RspNodeId order = rsp_dag_base (dag, RSP_NODE_ORDER, k);
      RspNodeId set = chosen->kind == RSP_CHOSEN_WITH ? chosen->of : base (x, RSP_BASE_SET_SC);
      if (chosen->kind == RSP_CHOSEN_SYNC_FENCE)
        set = rsp_dag_inter (dag, set, base (x, RSP_BASE_SET_F));
      RspNodeId pairs = rsp_dag_product (dag, set, set);
      RspNodeId either = rsp_dag_union (dag, order, rsp_dag_inverse (dag, order));
      RspNodeId apart = rsp_dag_diff (dag, pairs, dag->identity);
      if (chosen->kind == RSP_CHOSEN_SYNC_FENCE)
        apart = rsp_dag_inter (dag, apart, base (x, RSP_N_BASE_SETS + RSP_BASE_RELATION_SR));
      add_fact (x, RSPCHECK_AXIOM_IRREFLEXIVE, order);
      add_fact (x, RSPCHECK_AXIOM_EMPTY, rsp_dag_diff (dag, order, pairs));
      add_fact (x, RSPCHECK_AXIOM_EMPTY,
                rsp_dag_diff (dag, rsp_dag_seq (dag, order, order), order));
      add_fact (x, RSPCHECK_AXIOM_EMPTY, rsp_dag_diff (dag, apart, either));
    }
  }
  g_string_append (x->out, x->form->last_fact);
  return TRUE;
}

/* The question about one model, or about two: does one allow no more than the other? */
static void write_questions (Export *x, const Exported *models, guint n) {
  for (guint i = 0; n == 1 && i < n; i++)
    PUT (x->out, x->form->run, models[i].prefix);
  for (guint i = 0; n == 2 && i < n; i++) {
    const Exported *other = &models[1 - i];
    if (other->staged->n_orders) /* allowed means: for one of the orders */
      PUT (x->out, x->form->comment, "The other model chooses an order, which a statement fixes.");
    PUT (x->out, x->form->within, models[i].prefix, other->prefix);
  }
}

/* A file's name up to the first dot: newly allocated. */
static char *first_of_name (const char *path) {
  char *name = g_path_get_basename (path);
  name[strcspn (name, ".")] = '\0';
  return name;
}

/* The models as text, named `name`; NULL after an error. */
static GString *export_models (const Form *form, Exported *models, guint n, const char *name,
                               RspLanguageId language, RspArena *arena,
                               RspDiagnostics *diagnostics) {
  g_autoptr (GString) sets = g_string_new (NULL), relations = g_string_new (NULL),
                      out = g_string_new (NULL);
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Export x = { .form = form,
               .sets = sets,
               .relations = relations,
               .out = out,
               .taken = taken,
               .language = language };
  for (guint i = 0; i < n; i++) {
    g_autofree char *base_name = first_of_name (models[i].model->path);
    models[i].prefix = new_name (&x, "", base_name);
  }
  g_hash_table_remove_all (taken); /* a prefix alone is not a name, since a word may have it */
  if (!write_executions (&x, models, n, arena, diagnostics))
    return NULL;
  for (guint i = 0; i < n && !x.missing; i++) {
    const Exported *exported = &models[i];
    turn_to (&x, exported);
    g_autofree char *title = g_strdup (exported->model->name);
    PUT (x.out, x.form->comment, g_strdelimit (title, "*\r\n", ' ')); /* nothing ends a comment */
    RspDag *dag = x.staged->dag;
    x.n_names = dag->nodes->len;
    x.names = g_new0 (char *, x.n_names + 1);
    x.empty = g_new0 (guint8, x.n_names + 1);
    g_autofree guint8 *needed = g_new0 (guint8, x.n_names);
    for (guint k = 0; k < x.staged->n_axioms; k++)
      needed[x.staged->axioms[k].node] = TRUE;
    rsp_dag_mark_below (dag, needed);
    name_nodes (&x, needed);
    find_empty (&x);
    for (RspNodeId id = 0; id < x.n_names; id++)
      if (x.names[id])
        define_node (&x, id);
    define_verdicts (&x);
    for (RspNodeId id = 0; id < x.n_names; id++)
      g_free (x.names[id]);
    g_free (x.names);
    g_free (x.empty);
  }
  if (x.missing) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s cannot be exported to %s: it has %s",
               x.model->path, form->word, x.missing);
    return NULL;
  }
  write_questions (&x, models, n);
  g_string_append (out, form->end);
  GString *text = g_string_new (NULL);
  PUT (text, form->begin, "Exported by rspcheck -export", name ? name : models[0].prefix);
  g_string_append_printf (text, "%s%s%s%s", relations->str, form->last_field, sets->str, out->str);
  return text;
}

/* ---- The command ---------------------------------------------------------------------------- */

typedef struct ExportOptions {
  guint form; /* N_FORMS: none is asked for */
} ExportOptions;

static guint form_of (const CliOptions *options) {
  return ((const ExportOptions *) cli_extra_options (options, &export_extra))->form;
}

/* Stages the models of the columns. FALSE after an error. */
static gboolean stage_models (const CliColumns *columns, CliModels *models, Exported *exported,
                              RspLanguageId *language, RspArena *arena,
                              RspDiagnostics *diagnostics) {
  guint n = columns->given->len, languages = ~0u;
  RspModel *all[2];
  for (guint i = 0; i < n; i++) {
    CliModel *found = cli_models_get (models, columns->given->pdata[i], "");
    cli_models_report (models, found, diagnostics);
    if (!found->model)
      return FALSE;
    all[i] = (RspModel *) (exported[i].model = found->model); /* its words are widened */
    languages &= rsp_model_languages (found->model);
  }
  *language = 0;
  while (*language < RSP_N_LANGUAGES && !(languages >> *language & 1))
    ++*language;
  if (*language == RSP_N_LANGUAGES) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "no language has tests for both models");
    return FALSE;
  }
  if (!rsp_models_share_words (all, n, diagnostics))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    const CliColumn *column = columns->given->pdata[i];
    RspStageOptions how = { .keep_names = TRUE,
                            .open_orders = TRUE,
                            .skipped_checks = (const char *const *) column->skipped->pdata };
    exported[i].staged = rsp_model_stage_open (exported[i].model, &rsp_languages[*language], &how,
                                               arena, diagnostics);
    if (!exported[i].staged) {
      rsp_error (diagnostics, RSP_NOWHERE,
                 "`match`, `forall`, `fold`, `classes`, and `with` of anything but "
                 "`linearisations` look into the events of a test",
                 "%s cannot be exported: it is not one formula for all tests",
                 exported[i].model->path);
      return FALSE;
    }
  }
  return TRUE;
}

/* Inputs that are models count as such; what remains is the file to be written. FALSE after an
 * error. */
static gboolean take_inputs (CliOptions *options, const char **file, RspDiagnostics *diagnostics) {
  *file = NULL;
  for (guint i = 0; i < options->inputs->len; i++) {
    char *input = options->inputs->pdata[i];
    if (g_str_has_suffix (input, ".cat"))
      g_ptr_array_add (options->models, g_strdup (input));
    else if (*file || cli_is_input_name (input)) {
      rsp_error (diagnostics, RSP_NOWHERE, NULL,
                 "`-export` is about models, and writes one file: it takes no `%s`", input);
      return FALSE;
    } else
      *file = input;
  }
  return TRUE;
}

/* Can the file be a theory's, of that name? */
static gboolean is_theory (const char *file, const char *name) {
  g_autofree char *ending = g_strconcat (name, ".thy", NULL);
  return g_ascii_isalpha (*name)
         && !name[strspn (name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_")]
         && (g_str_has_suffix (file, ending) || !strchr (file, '.'));
}

static GString *export_columns (CliOptions *options, const char *file,
                                RspDiagnostics *diagnostics) {
  g_autoptr (CliModels) models = cli_models_new (options);
  g_autoptr (CliColumns) columns = cli_columns_new (options, diagnostics);
  if (!columns)
    return NULL;
  guint n = columns->given->len;
  if (n < 1 || n > 2) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL,
               "`-export` needs one or two models, each with -model");
    return NULL;
  }
  Exported exported[2] = { 0 };
  RspLanguageId language;
  g_autoptr (RspArena) arena = rsp_arena_new ();
  g_autofree char *name = file ? first_of_name (file) : NULL;
  if (file && !is_theory (file, name) && form_of (options) == ISABELLE) {
    rsp_error (diagnostics, RSP_NOWHERE, "a letter, then letters, digits and `_`, as in `Rem.thy`",
               "a theory has the name of its file, and `%s` is not one", file);
    return NULL;
  }
  GString *text = stage_models (columns, models, exported, &language, arena, diagnostics)
                      ? export_models (&forms[form_of (options)], exported, n, name, language,
                                       arena, diagnostics)
                      : NULL;
  for (guint i = 0; i < n; i++) {
    if (exported[i].staged)
      rsp_dag_free (exported[i].staged->dag);
    g_free (exported[i].prefix);
  }
  return text;
}

static int run (CliOptions *options, RspDiagnostics *diagnostics) {
  const char *file;
  g_autoptr (GString) text = take_inputs (options, &file, diagnostics)
                                 ? export_columns (options, file, diagnostics)
                                 : NULL;
  cli_print_diagnostics (diagnostics, options->quiet);
  if (!text)
    return CLI_STATUS_USAGE;
  return (file ? cli_write_file (file, text) : cli_write (text)) ? CLI_STATUS_OK
                                                                 : CLI_STATUS_UNFINISHED;
}

#define OPTIONS ExportOptions
#include "cli/option_rows.h"

static const char *const form_words[N_FORMS + 1] = { "alloy", "isabelle" };

static const CliOption options_table[] = {
  WORD ("export", CLI_MODELS, form, form_words, "alloy|isabelle",
        "Print the model of -model, with what holds of all executions, as text for Alloy 6 or "
        "Isabelle/HOL; with two models, also the question whether each allows no more than the "
        "other. `rspcheck -export alloy -model M FILE` writes FILE (docs/export.md)."),
};

static void init (gpointer own) { ((ExportOptions *) own)->form = N_FORMS; }

static const CliCommand commands[] = { { .option = "export", .run = run }, { .option = NULL } };

const CliExtra export_extra = { .options = options_table,
                                .n_options = G_N_ELEMENTS (options_table),
                                .size = sizeof (ExportOptions),
                                .init = init,
                                .commands = commands };
