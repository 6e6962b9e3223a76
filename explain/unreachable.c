#include "explain/unreachable.h"
#include "parser/format.h"

#include <string.h>

enum {
  MAX_CANDIDATES = 500, /* combinations in which values are searched for */
  MAX_STEPS = 4000      /* of the search for them */
};

/* ---- Conjuncts ---- */

static void collect_conjuncts (const RspProp *prop, GPtrArray *conjuncts) {
  if (prop->kind == RSP_PROP_AND) {
    collect_conjuncts (prop->a, conjuncts);
    collect_conjuncts (prop->b, conjuncts);
  } else
    g_ptr_array_add (conjuncts, (gpointer) prop);
}

static const RspProp *conjunction (RspArena *arena, const GPtrArray *conjuncts) {
  RspProp *all = NULL;
  for (guint i = 0; i < conjuncts->len; i++) {
    RspProp *both = rsp_arena_new0 (arena, RspProp, 1);
    *both = (RspProp){ .kind = RSP_PROP_AND, .a = all, .b = conjuncts->pdata[i] };
    all = all ? both : conjuncts->pdata[i];
  }
  return all;
}

static gboolean is_reachable (Explaining *explaining, const RspProp *outcome) {
  RspQuestion question = { .outcome = outcome, .any_others = TRUE };
  return rsp_query_find (explaining->query, &question, explaining->scratch, NULL) != NULL;
}

/* Keeps only conjuncts that are all needed for the contradiction. */
static void shrink (Explaining *explaining, GPtrArray *conjuncts) {
  for (guint i = conjuncts->len; i-- > 0 && conjuncts->len > 1;) {
    gpointer conjunct = conjuncts->pdata[i];
    g_ptr_array_remove_index (conjuncts, i);
    if (is_reachable (explaining, conjunction (explaining->scratch, conjuncts)))
      g_ptr_array_insert (conjuncts, (gint) i, conjunct);
  }
}

/* ---- Values ---- */

typedef struct Values {
  const RspProgram *program;
  guint observable;
  GPtrArray *texts; /* of char *, each once, in order of appearance */
  guint n;
  gboolean complete;
} Values;

static gboolean note_value (gpointer data, const RspExecution *execution) {
  Values *values = data;
  g_autoptr (GString) text = g_string_new (NULL);
  const RspType *type
      = rsp_observable_type (values->program, &values->program->observables[values->observable]);
  rsp_value_format (values->program, type, execution->state[values->observable], text);
  if (!g_ptr_array_find_with_equal_func (values->texts, text->str, g_str_equal, NULL))
    g_ptr_array_add (values->texts, g_strdup (text->str));
  values->complete = ++values->n < MAX_CANDIDATES;
  return values->complete;
}

/* "1:r0 is 0 or 1 at the end of every execution". */
static void explain_values (Explaining *explaining, guint observable, GString *out) {
  const RspProgram *program = rsp_query_program (explaining->query);
  Values values = { .program = program,
                    .observable = observable,
                    .texts = g_ptr_array_new_with_free_func (g_free),
                    .complete = TRUE };
  RspQuestion question = { .any_others = TRUE };
  question.max_steps = MAX_STEPS;
  values.complete &= rsp_query_each (explaining->query, &question, note_value, &values);
  if (values.complete && values.texts->len) {
    g_string_append_printf (out, "; whatever the model says, %s ends up as ",
                            program->observables[observable].name);
    for (guint i = 0; i < values.texts->len; i++)
      g_string_append_printf (out, "%s%s",
                              i == 0                       ? ""
                              : i + 1 == values.texts->len ? " or "
                                                           : ", ",
                              (const char *) values.texts->pdata[i]);
  }
  g_ptr_array_unref (values.texts);
}

/* The location from which a register is read on the paths of some combination; NULL if it is
 * computed otherwise. */
static const char *read_location (Explaining *explaining, const RspObservable *observable) {
  for (guint i = 0; observable->is_register && i < rsp_query_n_parts (explaining->query); i++) {
    const RspQueryPart *part = rsp_query_part (explaining->query, i);
    const RspTerm *term
        = part ? part->pre->paths[observable->thread]->finals[observable->reg] : NULL;
    if (!term || term->kind != RSP_TERM_READ)
      continue;
    const RspEvent *event = &part->pre->paths[observable->thread]->events[term->event];
    return part->pre->program->locations[event->location].name;
  }
  return NULL;
}

/* ---- Sentences ---- */

static const RspOperand *observed (const RspProp *prop, const RspOperand **other) {
  gboolean left = prop->left.is_observable;
  *other = left ? &prop->right : &prop->left;
  return left ? &prop->left : prop->right.is_observable ? &prop->right : NULL;
}

static void explain_atom (Explaining *explaining, const RspProp *prop, GString *out) {
  const RspProgram *program = rsp_query_program (explaining->query);
  const RspOperand *other, *one = observed (prop, &other);
  if (!one || other->is_observable) {
    g_string_append (out, "no execution of the program makes this true");
    return;
  }
  const RspObservable *observable = &program->observables[one->observable];
  const char *location = read_location (explaining, observable);
  if (prop->op != RSP_OP_EQ)
    g_string_append_printf (out, "%s is %s in every execution", observable->name, other->text);
  else if (location)
    g_string_append_printf (out, "%s cannot be %s: no write of %s to %s can be read on any path",
                            observable->name, other->text, other->text, location);
  else
    g_string_append_printf (out, "%s cannot be %s", observable->name, other->text);
  if (prop->op == RSP_OP_EQ)
    explain_values (explaining, one->observable, out);
}

static const char *explain_conjunct (Explaining *explaining, const RspProp *prop) {
  g_autoptr (GString) text = g_string_new (NULL);
  if (prop->kind == RSP_PROP_ATOM)
    explain_atom (explaining, prop, text);
  else
    g_string_append (text, "no execution of the program makes this true: ");
  if (prop->kind != RSP_PROP_ATOM)
    rsp_prop_format (prop, text);
  return rsp_arena_strdup (explaining->arena, text->str);
}

static const char *explain_contradiction (Explaining *explaining, const GPtrArray *conjuncts) {
  g_autoptr (GString) text = g_string_new ("each of these can happen, but never together: ");
  for (guint i = 0; i < conjuncts->len; i++) {
    g_string_append (text, i ? ", " : "");
    rsp_prop_format (conjuncts->pdata[i], text);
  }
  return rsp_arena_strdup (explaining->arena, text->str);
}

/* Do threads wait at barriers for ever on all paths? */
static gboolean all_wait (Explaining *explaining) {
  guint n = rsp_query_n_parts (explaining->query);
  for (guint i = 0; i < n; i++) {
    const RspQueryPart *part = rsp_query_part (explaining->query, i);
    if (!part || !part->pre->base->blocked)
      return FALSE;
  }
  return n > 0;
}

const char **unreachable_reasons (Explaining *explaining, const RspProp *outcome) {
  g_autoptr (GPtrArray) conjuncts = g_ptr_array_new (), reasons = g_ptr_array_new ();
  if (all_wait (explaining))
    g_ptr_array_add (reasons,
                     (gpointer) "no execution ends: on all paths, threads wait at barriers "
                                "for ever");
  else
    collect_conjuncts (outcome, conjuncts);
  for (guint i = 0; i < conjuncts->len; i++)
    if (!is_reachable (explaining, conjuncts->pdata[i]))
      g_ptr_array_add (reasons, (gpointer) explain_conjunct (explaining, conjuncts->pdata[i]));
  if (!reasons->len) {
    shrink (explaining, conjuncts);
    g_ptr_array_add (reasons, (gpointer) explain_contradiction (explaining, conjuncts));
  }
  g_ptr_array_add (reasons, NULL);
  return rsp_arena_copy (explaining->arena, reasons->pdata, reasons->len * sizeof (gpointer));
}
