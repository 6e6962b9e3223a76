/* Keys: residual problems, for the memo.
 *
 * Two nodes of one search with equal keys have the same completions of what is open, leading to the
 * same results for the observables that are open. A key therefore has everything that those results
 * depend on:
 *
 *   - the open reads and their candidates; decided reads whose value is not known, and their
 * sources;
 *   - values of candidates that were not constant at the root
 *     (of values only those in demand: see demand.c);
 *   - the known values that open terms (what a write will write, path constraints, final registers)
 *     mention besides unknown ones;
 *   - the undecided part of co and of the chosen orders (elements whose place among all others is
 * decided do not matter: orders are transitive);
 *   - which observables are open; of an open location, which writes may be last, and their values;
 *   - whether the execution is known to break a requirement;
 *   - the filter and (-speedcheck) the condition, as far as known values leave them open;
 *   - what the open axioms can distinguish (model/bounds/bounds.h: see the argument at
 *   rsp_bounds_key).
 *
 * Everything else is the same in both: the pre-execution, the model, and the code that runs.
 *
 * Nodes of different combinations of paths share entries too (Searcher.naming). Keys then also
 * contain whatever else may differ: events by names that paths share (paths/reduce/names.c),
 * complete terms, values of all candidates, DAG nodes by labels (model/bounds/label.c); `family`
 * stands for what applies to a combination as a whole (the flags' numbers, whether one execution is
 * enough). A flag in an entry was raised where the entry was made; a flag that is missing because
 * it had been raised earlier was raised in the same check. */
#include "enumerator/search/bounded/share/key.h"
#include "enumerator/search/bounded/share/naming.h"
#include "enumerator/search/bounded/values/constraints.h"
#include "enumerator/search/bounded/values/demand.h"
#include "enumerator/search/bounded/values/known.h"
#include "enumerator/search/bounded/values/relevance.h"

#include <string.h>

enum {
  TAG_READ = 1,
  TAG_SOURCE,
  TAG_VALUE,
  TAG_KNOWN,
  TAG_UNKNOWN,
  TAG_TERM,
  TAG_CONSTRAINT,
  TAG_OBSERVABLE,
  TAG_LAST,
  TAG_ORDER,
  TAG_AXIOMS,
  TAG_RELEVANCE
};

struct Key {
  RspHash entry; /* the key so far; with names, its entry so far */
  RspHash sum;   /* with names: sum of the hashes of the entries so far */
  gboolean any;  /* with names: is the entry not empty? */
};

void key_open (Searcher *s) { s->key = rsp_arena_new0 (s->arena, Key, 1); }

/* ---- Parts of the key ---- */

static const RspHash BEGIN = RSP_HASH_BEGIN;

/* With names, a key is an unordered set of entries, since the order of threads is not that of their
 * names. */
static void end_entry (Searcher *s) {
  Key *key = s->key;
  if (!s->naming || !key->any)
    return;
  rsp_hash_add (&key->sum, key->entry);
  key->entry = BEGIN;
  key->any = FALSE;
}

static void put (Searcher *s, guint64 word) {
  rsp_hash_word (&s->key->entry, word);
  s->key->any = TRUE;
}

static void put_tag (Searcher *s, guint tag, guint what) { put (s, (guint64) tag << 48 | what); }

/* The number by which keys refer to an event. */
static guint name_of (const Searcher *s, guint event) {
  return s->naming ? s->naming->event[event] : event;
}

static void put_event (Searcher *s, guint tag, guint event) {
  put_tag (s, tag, name_of (s, event));
}

static void put_row (Searcher *s, const guint64 *row) {
  if (!s->naming) {
    for (guint w = 0; w < s->words; w++)
      put (s, row[w]);
    return;
  }
  guint64 by_name[s->naming->words];
  memset (by_name, 0, sizeof (guint64) * s->naming->words);
  for (all_bits (e, row, s->words))
    by_name[name_of (s, e) / 64] |= G_GUINT64_CONSTANT (1) << (name_of (s, e) % 64);
  for (guint w = 0; w < s->naming->words; w++)
    put (s, by_name[w]);
}

static void put_value (Searcher *s, guint tag, guint event, RspValue value) {
  put_event (s, tag, event);
  put (s, (guint64) value.bits);
  put (s, value.unknown);
  if (value.unknown)
    put (s, value.excluded);
}

/* A term as a function of the unknown reads that it mentions. Within one pre-execution, its
 * position identifies the term, and the known values of its reads are enough. */
static void put_term (Searcher *s, guint thread, const RspTerm *term) {
  if (!term)
    return;
  if (term->kind == RSP_TERM_READ) {
    guint event = rsp_pre_execution_event (s->pre, thread, term->event);
    if (known_has_value (s, event))
      put_value (s, TAG_KNOWN, event, known_value (s, event));
    else if (s->naming)
      put_event (s, TAG_UNKNOWN, event);
  }
  if (s->naming) {
    put_tag (s, TAG_TERM,
             (guint) term->kind << 24 | (guint) term->op << 16 | (guint) term->bits << 8
                 | (guint) term->is_signed);
    put (s, (guint64) term->constant);
  }
  put_term (s, thread, term->a);
  put_term (s, thread, term->b);
}

static void put_reads (Searcher *s) {
  guint64 read_from[s->words]; /* what open reads may read */
  for (guint w = 0; w < s->words; w++)
    read_from[w] = 0;
  for (guint i = 0; i < s->pre->n_reads; i++) {
    guint read = s->pre->reads[i];
    const guint64 *candidates = rsp_bounded_candidates (s, read);
    gboolean open = rsp_row_has_several (candidates, s->words);
    if (!open && (known_has_value (s, read) || !demand_has_read (s, read)))
      continue;
    put_event (s, open ? TAG_READ : TAG_SOURCE, read);
    put_row (s, candidates);
    end_entry (s);
    for (guint w = 0; w < s->words && demand_has_read (s, read); w++)
      read_from[w] |= candidates[w];
  }
  for (all_bits (write, read_from, s->words))
    if (known_has_written (s, write) && (s->naming || !s->known->is_constant[write])) {
      put_value (s, TAG_VALUE, write, known_written (s, write));
      end_entry (s);
    }
}

static void put_terms (Searcher *s) {
  for (guint event = 0; event < s->n; event++) {
    const RspEvent *write = s->pre->events[event];
    if (!write->written || known_has_written (s, event) || !demand_has_written (s, event))
      continue;
    put_event (s, TAG_VALUE, event);
    put_term (s, write->thread, write->written);
    end_entry (s);
  }
  for (guint i = 0; i < s->constraints->n; i++) {
    const Constraint *constraint = &s->constraints->all[i];
    if (!rsp_constraint_is_open (s, constraint))
      continue;
    put_tag (s, TAG_CONSTRAINT, s->naming ? 0 : i);
    put_term (s, constraint->thread, constraint->term);
    end_entry (s);
  }
}

/* The elements that belong to an undecided pair; FALSE if there are none. */
static gboolean find_undecided (const Searcher *s, guint leaf, const RspMatrix *elements,
                                guint64 *open) {
  gboolean any = FALSE;
  for (guint w = 0; w < s->words; w++)
    open[w] = 0;
  for (all_bits (x, elements->bits, s->words)) {
    const guint64 *lo = rsp_bounds_lo (s->bounds, leaf, x),
                  *hi = rsp_bounds_hi (s->bounds, leaf, x);
    guint64 some = 0;
    for (guint w = 0; w < s->words; w++) {
      guint64 after = hi[w] & ~lo[w] & elements->bits[w];
      open[w] |= after; /* of a partial order, perhaps only these: not before x */
      some |= after;
    }
    if (some)
      open[x / 64] |= G_GUINT64_CONSTANT (1) << (x % 64);
    any |= some != 0;
  }
  return any;
}

/* The undecided part of a leaf's order on some elements. Of a partial order, an undecided pair is
 * not known from what is decided: both bounds matter. */
static void put_order (Searcher *s, guint leaf, const RspMatrix *elements) {
  guint64 open[s->words], row[s->words];
  if (!find_undecided (s, leaf, elements, open))
    return;
  if (!s->naming) {
    put_tag (s, TAG_ORDER, leaf);
    put_row (s, open);
  }
  for (all_bits (x, open, s->words)) {
    if (s->naming) {
      put_tag (s, TAG_ORDER, leaf);
      put (s, name_of (s, x));
    }
    for (guint w = 0; w < s->words; w++)
      row[w] = rsp_bounds_lo (s->bounds, leaf, x)[w] & open[w];
    put_row (s, row);
    for (guint w = 0; s->related[leaf] && w < s->words; w++)
      row[w] = rsp_bounds_hi (s->bounds, leaf, x)[w] & open[w];
    if (s->related[leaf])
      put_row (s, row);
    end_entry (s);
  }
}

static void put_last_writes (Searcher *s, guint location) {
  const RspMatrix *writes = s->writes[location];
  put_tag (s, TAG_LAST, location);
  end_entry (s);
  for (all_bits (x, writes->bits, s->words)) {
    if (!may_be_last (s, writes, x))
      continue;
    put_event (s, TAG_LAST, x);
    if (known_has_written (s, x))
      put_value (s, TAG_VALUE, x, known_written (s, x));
    end_entry (s);
  }
}

static void put_observables (Searcher *s, const Observed *observed) {
  const RspProgram *program = s->pre->program;
  for (guint i = 0; i < observed->n_open; i++) {
    const RspObservable *observable = &program->observables[observed->open[i]];
    put_tag (s, TAG_OBSERVABLE, naming_observable (s, observed->open[i]));
    if (observable->is_register)
      put_term (s, observable->thread, s->pre->paths[observable->thread]->finals[observable->reg]);
    else
      put_last_writes (s, observable->location);
    end_entry (s);
  }
}

RspHash key_of_node (Searcher *s, const Observed *observed, gboolean undefined) {
  Key *key = s->key;
  if (s->naming) {
    naming_choose (s);
    key->sum = (RspHash){ .a = s->naming->family, .b = 0 };
  }
  key->entry = BEGIN;
  key->any = FALSE;
  rsp_demand_find (s, observed);
  put_reads (s);
  put_terms (s);
  for (guint i = 0; i < s->pre->program->n_locations; i++)
    put_order (s, RSP_LEAF_CO, s->writes[i]);
  for (guint i = 0; i < s->model->n_orders; i++)
    put_order (s, RSP_LEAF_ORDER + i, s->model->orders[i].set);
  put_observables (s, observed);
  put_tag (s, TAG_RELEVANCE, 0);
  rsp_bounded_put_relevance (s, observed, &key->entry);
  put_tag (s, TAG_AXIOMS, (undefined ? 1 : 0) + (demand_is_whole (s) ? 2 : 0));
  end_entry (s);
  RspHash axioms = rsp_bounds_key (s->bounds);
  put (s, axioms.a);
  put (s, axioms.b);
  end_entry (s);
  return s->naming ? key->sum : key->entry;
}
