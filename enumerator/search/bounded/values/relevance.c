/* Relevance: which completions pass the filter and, under -speedcheck, can answer the condition.
 *
 * Completions that the filter drops, or that cannot answer the question, are not searched. Which
 * completions below a node are relevant depends on the values known there; the memo's key holds
 * this dependence. */
#include "enumerator/search/bounded/values/relevance.h"
#include "enumerator/search/bounded/share/numbers.h"
#include "enumerator/values/final_state.h"
#include "parser/proposition.h"

static gboolean operand_value (Searcher *s, const Observed *observed, const RspOperand *operand,
                               RspValue *value) {
  if (!operand->is_observable) {
    *value = (RspValue){ .bits = operand->constant };
    return TRUE;
  }
  guint32 id = observed->value[operand->observable];
  if (id != RSP_UNSEEN)
    *value = *rsp_numbered_value (s, id);
  return id != RSP_UNSEEN;
}

typedef struct Node {
  Searcher *s;
  const Observed *observed;
} Node;

static RspTruth atom_truth (const RspProp *atom, gpointer data) {
  const Node *node = data;
  RspValue left, right;
  if (!operand_value (node->s, node->observed, &atom->left, &left)
      || !operand_value (node->s, node->observed, &atom->right, &right))
    return RSP_OPEN;
  return rsp_atom_truth (node->s->pre->program, atom, left, right);
}

static RspTruth known_truth (Searcher *s, const Observed *observed, const RspProp *prop) {
  return rsp_prop_truth (prop, atom_truth, &(Node){ s, observed });
}

/* The proposition that narrows the search in addition to the filter, or NULL; an execution is
 * irrelevant if its truth is *useless. */
static const RspProp *narrowing (const Searcher *s, RspTruth *useless) {
  const RspProgram *program = s->pre->program;
  *useless = program->quantifier == RSP_FORALL ? RSP_HOLDS : RSP_FAILS;
  return s->search->options->speedcheck == RSPCHECK_SPEED_EXACT ? NULL : program->condition;
}

gboolean is_relevant (Searcher *s, const Observed *observed) {
  RspTruth useless;
  const RspProp *filter = s->pre->program->filter, *condition = narrowing (s, &useless);
  if (s->search->exists_only)
    return TRUE;
  return (!filter || known_truth (s, observed, filter) != RSP_FAILS)
         && (!condition || known_truth (s, observed, condition) != useless);
}

gboolean rsp_bounded_ends_at_first (const Searcher *s) {
  return s->search->exists_only || s->search->options->speedcheck == RSPCHECK_SPEED_FAST;
}

/* ---- Rows of results ---- */

/* The values that a node knows, completed by a row of its results. */
static gboolean row_is_relevant (Searcher *s, const Observed *observed, const guint32 *row) {
  for (guint i = 0; i < observed->n_open; i++)
    observed->value[observed->open[i]] = row[i];
  gboolean relevant = is_relevant (s, observed);
  for (guint i = 0; i < observed->n_open; i++)
    observed->value[observed->open[i]] = RSP_UNSEEN;
  return relevant;
}

RspResults *keep_relevant (Searcher *s, const Observed *observed, RspResults *results) {
  const RspProgram *program = s->pre->program;
  if (!observed->n_open || s->search->exists_only
      || (!program->filter && s->search->options->speedcheck == RSPCHECK_SPEED_EXACT))
    return results;
  RspResults *kept = rsp_results_new (results->width);
  for (guint i = 0; i < results->n; i++) {
    const guint32 *row = results->values + (gsize) i * results->width;
    if (row_is_relevant (s, observed, row))
      rsp_results_add (kept, row, results->executions[i], rsp_results_n_undefined (results, i),
                       results->flags[i]);
  }
  rsp_results_unref (results);
  return kept;
}

/* ---- The key ---- */

static void put_operand (const Observed *observed, const RspOperand *operand, RspHash *key) {
  guint64 word = operand->is_observable ? observed->value[operand->observable] : 0;
  rsp_hash_word (key, word);
}

/* The residue of a proposition: its truth, or if that is open, the residues of its parts. */
static void put_residue (Searcher *s, const Observed *observed, const RspProp *prop, RspHash *key) {
  guint64 truth = known_truth (s, observed, prop);
  rsp_hash_word (key, truth);
  if (truth != RSP_OPEN)
    return;
  if (prop->kind == RSP_PROP_ATOM) {
    put_operand (observed, &prop->left, key);
    put_operand (observed, &prop->right, key);
    return;
  }
  put_residue (s, observed, prop->a, key);
  if (prop->kind != RSP_PROP_NOT)
    put_residue (s, observed, prop->b, key);
}

void rsp_bounded_put_relevance (Searcher *s, const Observed *observed, RspHash *key) {
  RspTruth useless;
  const RspProp *filter = s->pre->program->filter, *condition = narrowing (s, &useless);
  if (s->search->exists_only)
    return;
  if (filter)
    put_residue (s, observed, filter, key);
  if (condition)
    put_residue (s, observed, condition, key);
}
