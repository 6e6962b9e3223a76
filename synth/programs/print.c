/* Programs as litmus tests, in the layout of the shipped suites. */
#include "synth/programs/print.h"
#include "synth/programs/alphabet.h"
#include "synth/programs/name.h"
#include "synth/programs/print_columns.h"

#include "parser/litmus/words.h"
#include "parser/scopes.h"

/* ---- Heads ---- */

static gboolean mentions (const RspShape *shape, guint thread, guint location) {
  for (guint e = 0; e < shape->n_events; e++)
    if (shape->events[e].thread == thread && rsp_shape_is_access (&shape->events[e])
        && shape->events[e].location == location)
      return TRUE;
  return FALSE;
}

static void append_parameters (GString *text, const SynthProgram *program, guint thread,
                               gboolean opencl) {
  const char *separator = "";
  for (guint x = 0; x < program->shape.n_locations; x++)
    if (mentions (&program->shape, thread, x)) {
      const char *space = !opencl ? "" : program->shape.local[x] ? "local " : "global ";
      g_string_append_printf (text, "%s%s%s* %s", separator, space,
                              synth_location_is_atomic (program, x) ? "atomic_int" : "int",
                              synth_location_name (x));
      separator = ", ";
    }
}

/* ---- Statements ---- */

static void append_order (GString *text, const RspLabel *label, gboolean opencl) {
  g_string_append (text, rsp_order_name ((RspOrder) label->order));
  if (opencl)
    g_string_append_printf (text, ", %s", rsp_scope_name ((RspScope) label->scope));
  g_string_append (text, ");\n");
}

static const char *const memories[] = { "", "CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE",
                                        "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE" };

static void append_fence (GString *text, const RspShapeEvent *event, const RspLabel *label,
                          gboolean opencl) {
  if (opencl)
    g_string_append_printf (text, "atomic_work_item_fence%s(%s, ", label->remote ? "_remote" : "",
                            memories[event->flags]);
  else
    g_string_append (text, "atomic_thread_fence(");
  append_order (text, label, opencl);
}

static void append_barrier (GString *text, const RspShapeEvent *event, const RspLabel *label) {
  g_string_append_printf (text, "barrier(%s", memories[event->flags]);
  if (label->scope != RSP_SCOPE_WORK_GROUP)
    g_string_append_printf (text, ", %s", rsp_scope_name ((RspScope) label->scope));
  g_string_append (text, ");\n");
}

/* " + 0 * r1": a dependency that changes nothing. */
static char *format_dependency (const SynthProgram *program, guint8 load) {
  return load ? g_strdup_printf (" + 0 * r%u", synth_register_number (program, load - 1u))
              : g_strdup ("");
}

static void append_plain (GString *text, const RspShapeEvent *event, const char *x,
                          const char *value) {
  gboolean load = event->kind == RSP_EVENT_READ;
  g_string_append_printf (text, event->addr ? "*(%s)" : "*%s", x);
  g_string_append_printf (text, "%s%s;\n", load ? "" : " = ", load ? "" : value);
}

static void append_access (GString *text, const SynthProgram *program, guint e, gboolean opencl) {
  static const char *const calls[] = { "load", "store", "exchange" };
  const RspShapeEvent *event = &program->shape.events[e];
  const RspLabel *label = &program->labels[e];
  guint number = synth_write_value (program, rsp_shape_event (&program->shape, e));
  g_autofree char *addr = format_dependency (program, event->addr);
  g_autofree char *data = format_dependency (program, event->data);
  g_autofree char *x = g_strconcat (synth_location_name (event->location), addr, NULL);
  g_autofree char *value = g_strdup_printf ("%u%s", number, data);
  if (rsp_shape_is_read (event))
    g_string_append_printf (text, "%sr%u = ", event->guard ? "" : "int ",
                            synth_register_number (program, e));
  if (label->order == RSP_ORDER_NA) {
    append_plain (text, event, x, value);
    return;
  }
  g_string_append_printf (text, "atomic_%s_explicit%s(%s, ", calls[event->kind],
                          label->remote ? "_remote" : "", x);
  if (event->kind != RSP_EVENT_READ)
    g_string_append_printf (text, "%s, ", value);
  append_order (text, label, opencl);
}

static void append_event (GString *text, const SynthProgram *program, guint e, gboolean opencl) {
  const RspShapeEvent *event = &program->shape.events[e];
  const RspLabel *label = &program->labels[e];
  if (rsp_shape_is_second (event))
    return;
  g_string_append (text, event->guard ? "    " : "  ");
  if (event->kind == RSP_EVENT_FENCE)
    append_fence (text, event, label, opencl);
  else if (event->kind == RSP_EVENT_ENTRY)
    append_barrier (text, event, label);
  else
    append_access (text, program, e, opencl);
}

/* ---- Guards ---- */

static gboolean same_guard (const RspShape *shape, guint a, guint b) {
  const RspShapeEvent *x = &shape->events[a], *y = &shape->events[b];
  return x->thread == y->thread && x->guard == y->guard
         && (!x->guard || x->guard_value == y->guard_value);
}

/* The registers of what is guarded, events [begin, end), and the branch. */
static void begin_guard (GString *text, const SynthProgram *program, guint begin, guint end) {
  const RspShapeEvent *event = &program->shape.events[begin];
  for (guint e = begin; e < end; e++)
    if (rsp_shape_is_read (&program->shape.events[e]))
      g_string_append_printf (text, "  int r%u = 0;\n", synth_register_number (program, e));
  g_string_append_printf (
      text, "  if (r%u == %u) {\n", synth_register_number (program, event->guard - 1u),
      synth_write_value (program, rsp_shape_event (&program->shape, event->guard_value)));
}

static void append_body (GString *text, const SynthProgram *program, guint thread,
                         gboolean opencl) {
  const RspShape *shape = &program->shape;
  for (guint e = 0, end; e < shape->n_events; e = end) {
    for (end = e + 1; end < shape->n_events && same_guard (shape, e, end);)
      end++;
    if (shape->events[e].thread != thread)
      continue;
    if (shape->events[e].guard)
      begin_guard (text, program, e, end);
    for (guint i = e; i < end; i++)
      append_event (text, program, i, opencl);
    if (shape->events[e].guard)
      g_string_append (text, "  }\n");
  }
}

/* ---- Scope trees ---- */

/* As tests are printed: sub-groups of one thread are left out. */
static void append_tree (GString *text, const RspShape *shape) {
  RspThread threads[RSP_SHAPE_EVENTS];
  char names[RSP_SHAPE_EVENTS][8];
  for (guint t = 0; t < shape->n_threads; t++) {
    g_snprintf (names[t], sizeof names[t], "P%u", t);
    threads[t] = (RspThread){ .name = names[t] };
    for (guint level = 0; level < RSP_N_LEVELS; level++)
      threads[t].place[level] = shape->places[t].node[level];
  }
  RspProgram program = { .language = &rsp_languages[RSP_LANGUAGE_OPENCL],
                         .n_threads = shape->n_threads,
                         .threads = threads };
  g_autofree char *tree = rsp_program_format_scopes (&program);
  g_string_append_printf (text, "scopeTree %s\n", tree);
}

/* ---- The whole ---- */

char *rsp_synth_program_print (const SynthProgram *program, gboolean opencl, const char *comment,
                               const char *condition) {
  const RspShape *shape = &program->shape;
  if (rsp_languages[shape->language].tagged)
    return synth_columns_print (program, comment, condition);
  g_autofree char *name = rsp_synth_program_name (program, opencl);
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "%s %s\n\n", opencl ? "OpenCL" : "C", name);
  synth_append_comment (text, comment);
  g_string_append (text, "{\n");
  for (guint x = 0; x < shape->n_locations; x++)
    g_string_append_printf (text, "  [%s]=0;\n", synth_location_name (x));
  g_string_append (text, "}\n\n");
  for (guint t = 0; t < shape->n_threads; t++) {
    g_string_append_printf (text, "P%u (", t);
    append_parameters (text, program, t, opencl);
    g_string_append (text, ") {\n");
    append_body (text, program, t, opencl);
    g_string_append (text, "}\n\n");
  }
  if (opencl)
    append_tree (text, shape);
  g_string_append_printf (text, "exists (%s)\n", condition);
  return g_string_free (text, FALSE);
}

/* ---- The summary ---- */

/* "if r0=1: ", "[addr r0]": what the event depends on. */
static void append_guard (GString *text, const SynthProgram *program, guint e) {
  const RspShapeEvent *event = &program->shape.events[e];
  if (event->guard)
    g_string_append_printf (
        text, "if r%u=%u: ", synth_register_number (program, event->guard - 1u),
        synth_write_value (program, rsp_shape_event (&program->shape, event->guard_value)));
}

static void append_dependency (GString *text, const SynthProgram *program, const char *what,
                               guint8 load) {
  if (load)
    g_string_append_printf (text, "[%s r%u]", what, synth_register_number (program, load - 1u));
}

static void summarise_event (GString *text, const SynthProgram *program, guint e, gboolean opencl) {
  const RspShapeEvent *event = &program->shape.events[e];
  const RspLabel *label = &program->labels[e];
  SynthKind kind = synth_kind (event);
  gboolean barrier = kind == SYNTH_BARRIER && (!label->tags || label->order == RSP_ORDER_RELAXED);
  const SynthAlphabet *alphabet = synth_alphabet (program->shape.language);
  append_guard (text, program, e);
  g_string_append_printf (text, "%c(%s", synth_letter (event),
                          barrier ? alphabet->scopes[label->scope]
                                  : alphabet->orders[label->order]);
  if (label->tags && label->remote)
    g_string_append_printf (text, ",%s", alphabet->proxies[label->remote]);
  else if (opencl && !barrier && label->order != RSP_ORDER_NA)
    g_string_append_printf (text, ",%s%s", alphabet->scopes[label->scope],
                            label->remote ? ",remote" : "");
  g_string_append_c (text, ')');
  if (rsp_shape_is_access (event))
    g_string_append_printf (text, "%s%s", synth_location_name (event->location),
                            event->address ? "2" : "");
  append_dependency (text, program, "addr", event->addr);
  append_dependency (text, program, "data", event->data);
}

char *synth_program_summary (const SynthProgram *program, gboolean opencl) {
  GString *text = g_string_new (NULL);
  for (guint e = 0; e < program->shape.n_events; e++) {
    const RspShapeEvent *event = &program->shape.events[e];
    gboolean first = e == 0 || event->thread != event[-1].thread;
    if (rsp_shape_is_second (event))
      continue;
    g_string_append (text, e == 0 ? "" : first ? " || " : "; ");
    summarise_event (text, program, e, opencl);
  }
  return g_string_free (text, FALSE);
}
