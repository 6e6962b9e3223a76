/* Executions as plain data: events, relations, states. */
#include "enumerator/search/search.h"
#include "explain/internal.h"
#include "parser/program.h"

#include <string.h>

typedef struct Viewing {
  const RspExecution *execution;
  const RspPreExecution *pre;
  const RspProgram *program;
  RspArena *arena;
} Viewing;

/* ---- Events ---- */
const char *view_event_id (const RspPreExecution *pre, guint event, RspArena *arena) {
  guint initial = pre->program->n_threads ? pre->first[0] : pre->n;
  if (event < initial)
    return rsp_arena_printf (arena, "i%u", event);
  /* a, b, …, z, aa, ab, … */
  char text[16];
  guint at = sizeof text - 1;
  text[at] = '\0';
  for (guint number = event - initial + 1; number; number = (number - 1) / 26)
    text[--at] = (char) ('a' + (number - 1) % 26);
  return rsp_arena_strdup (arena, text + at);
}

static const char *const short_orders[]
    = { [RSP_ORDER_NA] = "na",       [RSP_ORDER_RELAXED] = "rlx", [RSP_ORDER_CONSUME] = "con",
        [RSP_ORDER_ACQUIRE] = "acq", [RSP_ORDER_RELEASE] = "rel", [RSP_ORDER_ACQ_REL] = "acq_rel",
        [RSP_ORDER_SEQ_CST] = "sc" };

static const char *const kind_names[]
    = { [RSP_EVENT_READ] = "R",         [RSP_EVENT_WRITE] = "W",     [RSP_EVENT_RMW] = "RMW",
        [RSP_EVENT_FENCE] = "F",        [RSP_EVENT_ENTRY] = "Entry", [RSP_EVENT_EXIT] = "Exit",
        [RSP_EVENT_BARRIER] = "Barrier" };

/* "(ACQ,GPU,GEN)"; also whether the event passes a barrier at which others meet, and the alias that
 * an access uses. */
static void append_tags (const Viewing *v, const RspEvent *event, GString *text) {
  const char *joint = "(";
  for (guint tag = 0; tag < RSP_N_TAGS; tag++)
    if (tag != RSP_TAG_USED && (event->tags >> tag & 1)) {
      g_string_append_printf (text, "%s%s", joint, rsp_tags[tag].name);
      joint = ",";
    }
  guint32 words = rsp_event_words (v->program, event);
  g_autoptr (GString) names = g_string_new (NULL);
  rsp_words_format (&v->program->words, words, names);
  if (words) {
    g_string_append_printf (text, "%s%s", joint, names->str + 1);
    joint = ",";
  }
  if (event->barrier_passes) {
    g_string_append_printf (text, "%spasses", joint);
    joint = ",";
  }
  if (event->location != RSP_NO_LOCATION && event->virtual_location != event->location) {
    g_string_append_printf (text, "%sas %s", joint,
                            v->program->locations[event->virtual_location].name);
    joint = ",";
  }
  g_string_append (text, *joint == '(' ? "" : ")");
}

static void append_attributes (const Viewing *v, const RspEvent *event, GString *text) {
  if (event->thread == RSP_NO_THREAD) {
    g_string_append (text, "(init)");
    return;
  }
  if (v->program->language->tagged) {
    append_tags (v, event, text);
    return;
  }
  g_string_append_printf (text, "(%s", short_orders[event->order]);
  const char *scope = rsp_scopes[event->scope].short_word; /* empty: a word says it */
  if (v->program->language->scoped && event->order != RSP_ORDER_NA && *scope)
    g_string_append_printf (text, ",%s", scope);
  rsp_words_format (&v->program->words, rsp_event_words (v->program, event), text);
  if (event->location == RSP_NO_LOCATION && v->program->language->scoped)
    g_string_append_printf (text, ",%s%s", event->flags & RSP_FENCE_GLOBAL ? "G" : "",
                            event->flags & RSP_FENCE_LOCAL ? "L" : "");
  g_string_append_c (text, ')');
}

static const char *value_text (const Viewing *v, const RspEvent *event, RspValue value) {
  g_autoptr (GString) text = g_string_new (NULL);
  rsp_value_format (v->program, &v->program->locations[event->location].type, value, text);
  return rsp_arena_strdup (v->arena, text->str);
}

static const char **sets_of (const Viewing *v, guint event) {
  static const struct {
    RspBaseSet set;
    const char *name; /* NULL: that of a word */
  } named[] = {
#define RSP_BASE_SET(id, name, meaning) { RSP_BASE_SET_##id, name },
#define RSP_BASE_WORD(number)           { RSP_BASE_SET_WORD_##number, NULL },
#include "model/base_names.def"
  };
  g_autoptr (GPtrArray) sets = g_ptr_array_new ();
  for (guint i = 0; i < G_N_ELEMENTS (named); i++) {
    const RspWords *words = &v->program->words;
    const char *name = named[i].name;
    if (!rsp_set_has (v->pre->base->sets[named[i].set], event))
      continue;
    for (guint k = 0; !name; k++)
      if (words->bound[k] == named[i].set - RSP_BASE_SET_WORD_0 + 1u) {
        name = rsp_words_scope (words, k);
        name = rsp_arena_strdup (v->arena, name ? name : words->names[k]);
      }
    g_ptr_array_add (sets, (gpointer) name);
  }
  g_ptr_array_add (sets, NULL);
  return rsp_arena_copy (v->arena, sets->pdata, sets->len * sizeof (gpointer));
}

static RspViewEvent view_event (const Viewing *v, guint e) {
  const RspEvent *event = v->pre->events[e];
  RspViewEvent out = { .thread = event->thread, .sets = sets_of (v, e) };
  out.id = view_event_id (v->pre, e, v->arena);
  if (event->span.source)
    rsp_source_position (event->span.source, event->span.begin, &out.line, &out.column);
  g_autoptr (GString) source = g_string_new (NULL);
  rsp_span_append (event->span, source);
  g_autofree char *valid = g_utf8_make_valid (source->str, -1);
  out.source = rsp_arena_strdup (v->arena, g_strchomp (valid));
  if (event->location != RSP_NO_LOCATION)
    out.location = rsp_arena_strdup (v->arena, v->program->locations[event->location].name);
  if (event->read)
    out.read = value_text (v, event, v->execution->values[e]);
  if (event->written)
    out.written = value_text (v, event, v->execution->written[e]);
  g_autoptr (GString) text = g_string_new (kind_names[event->kind]);
  append_attributes (v, event, text);
  if (out.location)
    g_string_append_printf (text, "%s=", out.location);
  if (out.read)
    g_string_append (text, out.read);
  if (out.read && out.written)
    g_string_append (text, "->");
  if (out.written)
    g_string_append (text, out.written);
  out.text = rsp_arena_strdup (v->arena, text->str);
  return out;
}

const char **view_state (const RspExecution *execution, RspArena *arena) {
  const RspProgram *program = execution->pre->program;
  const char **state = rsp_arena_new0 (arena, const char *, 2 * program->n_observables + 1);
  for (guint i = 0; i < program->n_observables; i++) {
    g_autoptr (GString) text = g_string_new (NULL);
    const RspType *type = rsp_observable_type (program, &program->observables[i]);
    rsp_value_format (program, type, execution->state[i], text);
    state[(gsize) 2 * i] = rsp_arena_strdup (arena, program->observables[i].name);
    state[(gsize) 2 * i + 1] = rsp_arena_strdup (arena, text->str);
  }
  return state;
}

/* ---- Relations ---- */
typedef struct Relations {
  const Viewing *v;
  const RspTrace *trace;
  GHashTable *mentioned;
  GArray *all;       /* of RspViewRelation */
  GHashTable *bases; /* names of the base terms found */
  GHashTable *seen;  /* terms */
} Relations;

static void add_relation (Relations *r, const RspTraceTerm *term, RspViewKind kind,
                          gboolean mentioned) {
  RspViewRelation relation = { .name = rsp_arena_strdup (r->v->arena, term->name),
                               .kind = kind,
                               .is_set = term->is_set,
                               .mentioned = mentioned };
  for (guint i = 0; i < r->trace->n_hidden; i++)
    relation.hidden |= strcmp (r->trace->hidden[i], term->name) == 0;
  RspMatrix *pairs = rsp_relation_new (r->v->arena, r->v->pre->n);
  (term->is_set ? rsp_relation_identity : rsp_matrix_assign) (pairs, term->value);
  relation.pairs = pairs;
  g_array_append_val (r->all, relation);
}

static gboolean is_leaf (const RspTraceTerm *term) {
  return term->op == RSP_TRACE_BASE || term->op == RSP_TRACE_CHOSEN;
}

/* Adds the base relations that a term is made of. */
static void find_bases (Relations *r, const RspTraceTerm *term) {
  if (!g_hash_table_add (r->seen, (gpointer) term))
    return;
  if (is_leaf (term) && term->name && g_hash_table_add (r->bases, (gpointer) term->name))
    add_relation (r, term, RSP_VIEW_BASE, FALSE);
  for (guint i = 0; i < rsp_trace_op_arity (term->op); i++)
    find_bases (r, term->operands[i]);
  if (term->before)
    find_bases (r, term->before);
}

static void add_base (Relations *r, const char *name, const RspMatrix *value) {
  RspTraceTerm term = { .op = RSP_TRACE_BASE, .name = name, .value = value };
  if (g_hash_table_add (r->bases, (gpointer) name))
    add_relation (r, &term, RSP_VIEW_BASE, FALSE);
}

/* The term that steps denote by the name; NULL if there is none, or several. */
static const RspTraceTerm *mentioned_term (const Relations *r, const char *name) {
  const RspTraceTerm *term = r->mentioned ? g_hash_table_lookup (r->mentioned, name) : NULL;
  return term && is_leaf (term) && g_hash_table_contains (r->bases, name) ? NULL : term;
}

/* The terms that have names at the end of the model: a name that is defined twice denotes the last
 * definition. */
static void add_defined (Relations *r) {
  g_autoptr (GHashTable) defined = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < r->trace->n_names; i++) {
    const RspTraceTerm *term = r->trace->names[i];
    const RspTraceTerm *mentioned = mentioned_term (r, term->name);
    gboolean hides = !mentioned && g_hash_table_contains (r->bases, term->name);
    for (guint k = i + 1; k < r->trace->n_names; k++)
      hides |= strcmp (term->name, r->trace->names[k]->name) == 0;
    if (hides)
      continue;
    g_hash_table_add (defined, (gpointer) term->name);
    add_relation (r, mentioned ? mentioned : term, RSP_VIEW_DEFINED, mentioned != NULL);
  }
  if (!r->mentioned)
    return;
  g_autoptr (GList) names
      = g_list_sort (g_hash_table_get_keys (r->mentioned), (GCompareFunc) strcmp);
  for (GList *name = names; name; name = name->next)
    if (!g_hash_table_contains (defined, name->data) && mentioned_term (r, name->data))
      add_relation (r, mentioned_term (r, name->data), RSP_VIEW_DEFINED, TRUE);
}

RspExecutionView *view_new (const RspExecution *execution, const RspTrace *trace,
                            GHashTable *mentioned, RspArena *arena) {
  RspExecutionView *view = rsp_arena_new0 (arena, RspExecutionView, 1);
  Viewing v = { execution, execution->pre, execution->pre->program, arena };
  RspViewEvent *events = rsp_arena_new0 (arena, RspViewEvent, v.pre->n + 1);
  for (guint e = 0; e < v.pre->n; e++)
    events[e] = view_event (&v, e);
  view->events = events;
  view->n = v.pre->n;
  guint n_threads = v.program->n_threads;
  RspViewThread *threads = rsp_arena_new0 (arena, RspViewThread, n_threads + 1);
  for (guint t = 0; t < n_threads; t++) {
    const RspThread *thread = &v.program->threads[t];
    threads[t].number = thread->number;
    memcpy (threads[t].place, thread->place, sizeof thread->place);
  }
  view->threads = threads;
  view->n_threads = n_threads;
  view->scoped = v.program->language->scoped;
  for (guint level = 0; level < RSP_N_LEVELS; level++) {
    const char *text = rsp_level_text (v.program, level);
    view->levels[level] = text ? rsp_arena_strdup (arena, text) : NULL;
  }
  view->state = view_state (execution, arena);
  view->failed = rsp_names_copy (execution->failed, arena);
  view->raised = rsp_names_copy (execution->raised, arena);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (RspViewRelation));
  g_autoptr (GHashTable) bases = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  Relations r = { &v, trace, mentioned, all, bases, seen };
  /* po, rf, co and fr, whether or not the model uses them; of co and fr only what the execution
   * chooses. */
  const RspPreExecution *pre = execution->pre;
  RspMatrix *co = rsp_matrix_copy (arena, execution->co);
  RspMatrix *fr = rsp_relation_new (arena, pre->n);
  RspMatrix *inverse = rsp_relation_new (arena, pre->n);
  if (trace->unseen_co)
    rsp_matrix_difference (co, co, trace->unseen_co);
  rsp_relation_inverse (inverse, execution->rf);
  rsp_relation_compose (fr, inverse, co);
  rsp_matrix_difference (fr, fr, pre->base->relations[RSP_BASE_RELATION_ID]);
  add_base (&r, "po", pre->base->relations[RSP_BASE_RELATION_PO]);
  add_base (&r, "rf", execution->rf);
  add_base (&r, "co", co);
  add_base (&r, "fr", fr);
  for (guint i = 0; i < trace->n_axioms; i++)
    find_bases (&r, trace->axioms[i].term);
  for (guint i = 0; i < trace->n_names; i++)
    find_bases (&r, trace->names[i]);
  add_defined (&r);
  for (guint i = 0; i < trace->n_shown; i++)
    add_relation (&r, trace->shown[i], RSP_VIEW_SHOWN, FALSE);
  view->relations = rsp_arena_copy (arena, all->data, all->len * sizeof (RspViewRelation));
  view->n_relations = all->len;
  return view;
}
