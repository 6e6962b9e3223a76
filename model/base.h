/* Base: what a model sees of one pre-execution and, when it judges complete executions, of one
 * candidate execution. Filled by the enumerator; the model sees nothing else of a test. */
#pragma once

#include "model/matrix.h"
#include "parser/language.h"

typedef enum RspBaseSet {
#define RSP_BASE_SET(id, name, meaning) RSP_BASE_SET_##id,
#define RSP_BASE_NAMELESS_SET(id)       RSP_BASE_SET_##id,
#include "model/base_names.def"
  RSP_N_BASE_SETS
} RspBaseSet;

typedef enum RspBaseRelation {
#define RSP_BASE_RELATION(id, name, meaning) RSP_BASE_RELATION_##id,
#define RSP_BASE_NAMELESS_RELATION(id)       RSP_BASE_RELATION_##id,
#include "model/base_names.def"
  RSP_N_BASE_RELATIONS
} RspBaseRelation;

/* What a relation contains at least and at most. */
typedef struct RspExtent {
  const RspMatrix *least, *most;
} RspExtent;

typedef struct RspBase {
  guint n;                     /* events */
  const RspLanguage *language; /* of the test; NULL: names of all languages may be used */
  gboolean blocked;            /* a barrier is never complete: there is no execution */
  RspMatrix *sets[RSP_N_BASE_SETS];
  RspMatrix *relations[RSP_N_BASE_RELATIONS];
  /* TRUE for sets that are not known yet although the rest is: they are leaves of the DAG. This
   * lets a model be staged once for many programs that differ in these sets
   * (enumerator/shapes/). */
  gboolean open[RSP_N_BASE_SETS];
  /* With open sets: what the model looks into may be assumed, before it first chooses among known
   * values (`with`). assumed: the values, in the order in which it looks; when they do not suffice,
   * staging ends and says what is to be assumed next (RspStaging.wanted). */
  gboolean assumes;
  RspMatrix *const *assumed;
  guint n_assumed;
  /* Nothing is known, not even n (except that it is at least 2): all sets and relations are leaves
   * of the DAG (model/stage/template/template.h). */
  gboolean generic;
  /* NULL while the search has not decided them. If given, the model is evaluated on them
   * directly. */
  RspMatrix *rf, *co;
  /* If rf and co are given: the orders that the model chooses, if they are known too, else NULL. */
  RspMatrix *const *orders;
  guint n_orders;
} RspBase;
