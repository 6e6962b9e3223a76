/* Programs of the search as tests, with names. */
#include "parser/litmus/litmus.h"
#include "parser/program.h"
#include "extra/synth/internal.h"
#include "extra/synth/synth.h"

#include <string.h>

/* ---- Print columns -------------------------------------------------------------------------- */

/* Programs as tests in columns. Memory has a name per proxy and virtual address. */

/* The model's word of an operation; "" for none. */
static const char *word_of (const SynthProgram *program, const RspLabel *label) {
  return label->word ? program->shape.words->names[label->word - 1] : "";
}

/* The length of the word's part that tells it from others: at least 3. */
static int brief_length (const SynthProgram *program, const RspLabel *label) {
  const char *own = word_of (program, label);
  gsize length = 3;
  for (guint i = 0; i < program->shape.words->n; i++)
    while (i + 1 != label->word && length < strlen (own)
           && strncmp (own, program->shape.words->names[i], length) == 0)
      length++;
  return (int) length;
}

/* "x", "x_texture"; for the second virtual address "x2", "x2_texture". */
static char *location_name (const SynthProgram *program, guint location, guint address,
                            guint proxy) {
  const char *proxy_word = proxy ? synth_alphabet (program->shape.language)->proxies[proxy] : "";
  return g_strconcat (synth_location_name (location), address ? "2" : "", proxy ? "_" : "",
                      proxy_word, NULL);
}

/* By this address and, unless proxy is 0, by this proxy? */
static gboolean is_accessed (const SynthProgram *program, guint location, guint address,
                             guint proxy) {
  const RspShape *shape = &program->shape;
  for (guint e = 0; e < shape->n_events; e++)
    if (rsp_shape_is_access (&shape->events[e]) && shape->events[e].location == location
        && shape->events[e].address == address && (!proxy || program->labels[e].form == proxy))
      return TRUE;
  return FALSE;
}

static void append_alias (GString *text, const char *name, const char *proxy, const char *target) {
  g_string_append_printf (text, " %s%s%s aliases %s;", name, *proxy ? " @ " : "", proxy, target);
}

static char *format_event (const SynthProgram *program, guint e) {
  const RspShapeEvent *event = &program->shape.events[e];
  const RspLabel *label = &program->labels[e];
  g_autofree char *plain = synth_instruction (program->shape.language, program->shape.words,
                                              synth_kind (event), label);
  g_autofree char *word
      = g_strconcat (plain, label->word ? "." : "", word_of (program, label), NULL);
  if (!rsp_shape_is_access (event))
    return rsp_shape_is_barrier (event) ? g_strconcat (word, " 0", NULL) : g_steal_pointer (&word);
  g_autofree char *x = location_name (program, event->location, event->address, label->form);
  GString *cell = g_string_new (word);
  if (rsp_shape_is_read (event))
    g_string_append_printf (cell, " r%u,", synth_register_number (program, e));
  g_string_append_printf (cell, " %s", x);
  if (rsp_shape_is_write (&event[event->half]))
    g_string_append_printf (
        cell, ", %u",
        synth_write_value (program, rsp_shape_event (&program->shape, e + event->half)));
  return g_string_free (cell, FALSE);
}

/* Levels that places may leave out are written if an instruction has their scope. */
static gboolean has_level (const SynthProgram *program, const RspLanguageLevel *level) {
  gboolean found = rsp_language_level_is_written (level);
  for (guint e = 0; rsp_language_level_is_optional (level) && e < program->shape.n_events; e++)
    found |= (program->labels[e].tags >> level->tag & 1) != 0;
  return level->language == program->shape.language && found;
}

/* The word for the level at a thread's place; NULL: places leave it out. */
static const char *place_word (const SynthProgram *program, guint level) {
  for (guint i = 0; i < RSP_N_LANGUAGE_LEVELS; i++)
    if (rsp_language_levels[i].level == level && has_level (program, &rsp_language_levels[i]))
      return rsp_language_levels[i].place;
  return rsp_words_level (program->shape.words, level);
}

/* A column per thread: its place, then its events. */
static void append_table (GString *text, const SynthProgram *program) {
  GPtrArray *columns[RSP_SHAPE_EVENTS];
  int widths[RSP_SHAPE_EVENTS] = { 0 };
  guint n = program->shape.n_threads, rows = 0;
  for (guint t = 0; t < n; t++) {
    GString *place = g_string_new (NULL);
    g_string_append_printf (place, "P%u@", t);
    const char *separator = "";
    for (guint level = RSP_N_LEVELS; level-- > 0;) {
      const char *word = place_word (program, level);
      if (!word)
        continue;
      g_string_append_printf (place, "%s%s %u", separator, word,
                              program->shape.places[t].node[level]);
      separator = ", ";
    }
    columns[t] = g_ptr_array_new_with_free_func (g_free);
    g_ptr_array_add (columns[t], g_string_free (place, FALSE));
    for (guint e = 0; e < program->shape.n_events; e++)
      if (program->shape.events[e].thread == t && !rsp_shape_is_second (&program->shape.events[e]))
        g_ptr_array_add (columns[t], format_event (program, e));
    rows = MAX (rows, columns[t]->len);
    for (guint i = 0; i < columns[t]->len; i++)
      widths[t] = MAX (widths[t], (int) strlen (columns[t]->pdata[i]));
  }
  for (guint row = 0; row < rows; row++) {
    for (guint t = 0; t < n; t++)
      g_string_append_printf (text, "%s%-*s", t ? " | " : " ", widths[t],
                              row < columns[t]->len ? (char *) columns[t]->pdata[row] : "");
    g_string_append (text, " ;\n");
  }
  for (guint t = 0; t < n; t++)
    g_ptr_array_unref (columns[t]);
}

/* Appends the comment, unless it is NULL, and an empty line. */
static void append_comment (GString *text, const char *comment) {
  if (!comment)
    return;
  g_auto (GStrv) lines = g_strsplit (comment, "\n", -1);
  guint n = g_strv_length (lines);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s%s\n", i ? "   " : "(* ", lines[i], i + 1 < n ? "" : " *)");
  g_string_append_c (text, '\n');
}

static char *print_columns (const SynthProgram *program, const char *comment,
                            const char *condition) {
  const SynthAlphabet *alphabet = synth_alphabet (program->shape.language);
  g_autofree char *name = rsp_synth_program_name (program, TRUE);
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "%s %s\n", rsp_languages[program->shape.language].word, name);
  append_comment (text, comment);
  g_string_append (text, "{");
  for (guint x = 0; x < program->shape.n_locations; x++) {
    g_string_append_printf (text, " %s=0;", synth_location_name (x));
    for (guint address = 0; address < 2; address++) {
      g_autofree char *own = location_name (program, x, address, 0);
      if (address && is_accessed (program, x, address, 0))
        append_alias (text, own, alphabet->proxies[0], synth_location_name (x));
      for (guint proxy = 1; alphabet->proxies[proxy]; proxy++)
        if (is_accessed (program, x, address, proxy)) {
          g_autofree char *alias = location_name (program, x, address, proxy);
          append_alias (text, alias, alphabet->proxies[proxy], own);
        }
    }
  }
  g_string_append (text, " }\n");
  append_table (text, program);
  g_string_append_printf (text, "exists (%s)\n", condition);
  return g_string_free (text, FALSE);
}

/* ---- Print ---------------------------------------------------------------------------------- */

/* Programs as litmus tests, in the layout of the shipped suites. */

static void append_order (GString *text, const SynthProgram *program, const RspLabel *label,
                          gboolean opencl) {
  g_string_append (text, rsp_order_name ((RspOrder) label->order));
  if (opencl)
    g_string_append_printf (text, ", %s",
                            rsp_scope_name (program->shape.words, (RspScope) label->scope));
  g_string_append (text, ");\n");
}

static const char *const memories[] = { "", "CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE",
                                        "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE" };

/* " + 0 * r1": a false dependency. */
static char *format_dependency (const SynthProgram *program, guint8 load) {
  return load ? g_strdup_printf (" + 0 * r%u", synth_register_number (program, load - 1u))
              : g_strdup ("");
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
    g_string_append_printf (text, event->addr ? "*(%s)" : "*%s", x);
    if (event->kind != RSP_EVENT_READ)
      g_string_append_printf (text, " = %s", value);
    g_string_append (text, ";\n");
    return;
  }
  g_string_append_printf (text, "atomic_%s_explicit%s%s(%s, ", calls[event->kind],
                          label->word ? "_" : "", word_of (program, label), x);
  if (event->kind != RSP_EVENT_READ)
    g_string_append_printf (text, "%s, ", value);
  append_order (text, program, label, opencl);
}

static void append_statement (GString *text, const SynthProgram *program, guint e,
                              gboolean opencl) {
  const RspShape *shape = &program->shape;
  const RspShapeEvent *event = &shape->events[e];
  const RspLabel *label = &program->labels[e];
  if (rsp_shape_is_second (event))
    return;
  g_string_append (text, event->guard ? "    " : "  ");
  if (event->kind == RSP_EVENT_FENCE) {
    if (opencl)
      g_string_append_printf (text, "atomic_work_item_fence%s%s(%s, ", label->word ? "_" : "",
                              word_of (program, label), memories[event->flags]);
    else
      g_string_append (text, "atomic_thread_fence(");
    append_order (text, program, label, opencl);
  } else if (event->kind == RSP_EVENT_ENTRY) {
    g_string_append_printf (text, "barrier(%s", memories[event->flags]);
    if (label->scope != RSP_SCOPE_WORK_GROUP)
      g_string_append_printf (text, ", %s", rsp_scope_name (shape->words, (RspScope) label->scope));
    g_string_append (text, ");\n");
  } else
    append_access (text, program, e, opencl);
}

/* Registers that are read under a guard are declared before it. */
static void append_body (GString *text, const SynthProgram *program, guint thread,
                         gboolean opencl) {
  const RspShape *shape = &program->shape;
  for (guint e = 0, end; e < shape->n_events; e = end) {
    const RspShapeEvent *event = &shape->events[e], *next = event + 1;
    end = e + 1; /* of the events under the same guard */
    while (end < shape->n_events && next->thread == event->thread && next->guard == event->guard
           && (!next->guard || next->guard_value == event->guard_value)) {
      end++;
      next++;
    }
    if (event->thread != thread)
      continue;
    for (guint i = e; event->guard && i < end; i++)
      if (rsp_shape_is_read (&shape->events[i]))
        g_string_append_printf (text, "  int r%u = 0;\n", synth_register_number (program, i));
    if (event->guard)
      g_string_append_printf (
          text, "  if (r%u == %u) {\n", synth_register_number (program, event->guard - 1u),
          synth_write_value (program, rsp_shape_event (shape, event->guard_value)));
    for (guint i = e; i < end; i++)
      append_statement (text, program, i, opencl);
    if (event->guard)
      g_string_append (text, "  }\n");
  }
}

/* As in printed tests, sub-groups of one thread are left out. */
static void append_scope_tree (GString *text, const RspShape *shape) {
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
  memcpy (program.words.scopes, shape->words->scopes, sizeof program.words.scopes);
  g_autofree char *tree = rsp_program_format_scopes (&program);
  g_string_append_printf (text, "scopeTree %s\n", tree);
}

char *rsp_synth_program_print (const SynthProgram *program, gboolean opencl, const char *comment,
                               const char *condition) {
  const RspShape *shape = &program->shape;
  if (rsp_languages[shape->language].tagged)
    return print_columns (program, comment, condition);
  g_autofree char *name = rsp_synth_program_name (program, opencl);
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "%s %s\n\n", opencl ? "OpenCL" : "C", name);
  append_comment (text, comment);
  g_string_append (text, "{\n");
  for (guint x = 0; x < shape->n_locations; x++)
    g_string_append_printf (text, "  [%s]=0;\n", synth_location_name (x));
  g_string_append (text, "}\n\n");
  for (guint t = 0; t < shape->n_threads; t++) {
    g_string_append_printf (text, "P%u (", t);
    const char *comma = "";
    for (guint x = 0; x < shape->n_locations; x++) {
      const char *space = !opencl ? "" : shape->local[x] ? "local " : "global ";
      gboolean accessed = FALSE; /* by the thread */
      for (guint e = 0; e < shape->n_events; e++)
        accessed |= shape->events[e].thread == t && rsp_shape_is_access (&shape->events[e])
                    && shape->events[e].location == x;
      if (!accessed)
        continue;
      g_string_append_printf (text, "%s%s%s* %s", comma, space,
                              synth_location_is_atomic (program, x) ? "atomic_int" : "int",
                              synth_location_name (x));
      comma = ", ";
    }
    g_string_append (text, ") {\n");
    append_body (text, program, t, opencl);
    g_string_append (text, "}\n\n");
  }
  if (opencl)
    append_scope_tree (text, shape);
  g_string_append_printf (text, "exists (%s)\n", condition);
  return g_string_free (text, FALSE);
}

char *synth_program_summary (const SynthProgram *program, gboolean opencl) {
  const SynthAlphabet *alphabet = synth_alphabet (program->shape.language);
  GString *text = g_string_new (NULL);
  for (guint e = 0; e < program->shape.n_events; e++) {
    const RspShapeEvent *event = &program->shape.events[e];
    const RspLabel *label = &program->labels[e];
    gboolean first = e == 0 || event->thread != event[-1].thread;
    gboolean barrier
        = rsp_shape_is_barrier (event) && (!label->tags || label->order == RSP_ORDER_RELAXED);
    if (rsp_shape_is_second (event))
      continue;
    g_string_append (text, e == 0 ? "" : first ? " || " : "; ");
    if (event->guard)
      g_string_append_printf (
          text, "if r%u=%u: ", synth_register_number (program, event->guard - 1u),
          synth_write_value (program, rsp_shape_event (&program->shape, event->guard_value)));
    const char *scope
        = synth_scope_word (program->shape.language, program->shape.words, label->scope);
    g_string_append_printf (text, "%c(%s", synth_letter (event),
                            barrier ? scope : alphabet->orders[label->order]);
    if (label->form)
      g_string_append_printf (text, ",%s", alphabet->proxies[label->form]);
    else if (opencl && !barrier && label->order != RSP_ORDER_NA)
      g_string_append_printf (text, ",%s", scope);
    g_string_append_printf (text, "%s%s)", label->word ? "," : "", word_of (program, label));
    if (rsp_shape_is_access (event))
      g_string_append_printf (text, "%s%s", synth_location_name (event->location),
                              event->address ? "2" : "");
    if (event->addr)
      g_string_append_printf (text, "[addr r%u]",
                              synth_register_number (program, event->addr - 1u));
    if (event->data)
      g_string_append_printf (text, "[data r%u]",
                              synth_register_number (program, event->data - 1u));
  }
  return g_string_free (text, FALSE);
}

/* ---- Twins ---- */
/* The least text of all orders of the threads that begin like this one. */
static void find_least (char *const *threads, guint *order, guint at, guint n, char **least) {
  g_autoptr (GString) text = g_string_new (NULL);
  if (at == n) {
    /* Appends the threads in this order, with locations named in the order of appearance. */
    static const char used[] = "xyzwvuts"; /* synth_location_name */
    char names[sizeof used] = "";
    for (guint t = 0; t < n; t++) {
      g_string_append (text, t ? " || " : "");
      for (const char *c = threads[order[t]]; *c; c++) {
        const char *location = c > threads[order[t]] && c[-1] == ')' ? strchr (used, *c) : NULL;
        char *name = location ? strchr (names, *location) : NULL;
        if (location && !name)
          *(name = names + strlen (names)) = *location;
        g_string_append_c (text, location ? used[name - names] : *c);
      }
    }
  }
  if (at == n && (!*least || strcmp (text->str, *least) < 0)) {
    g_free (*least);
    *least = g_strdup (text->str);
  }
  for (guint i = at; i < n; i++) {
    guint first = order[at];
    order[at] = order[i];
    order[i] = first;
    find_least (threads, order, at + 1, n, least);
    order[i] = order[at];
    order[at] = first;
  }
}

char *synth_program_twins (const SynthProgram *program) {
  SynthProgram bare = *program;
  guint order[RSP_SHAPE_EVENTS] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  char *least = NULL;
  for (guint e = 0; e < bare.shape.n_events; e++)
    bare.labels[e].scope = RSP_SCOPE_WORK_ITEM;
  g_autofree char *summary = synth_program_summary (&bare, TRUE);
  g_strdelimit (summary, "U", 'W');
  g_auto (GStrv) words = g_strsplit (summary, ",wi", -1);
  g_autofree char *plain = g_strjoinv ("", words);
  g_auto (GStrv) threads = g_strsplit (plain, " || ", -1);
  find_least (threads, order, 0, g_strv_length (threads), &least);
  return least;
}

/* ---- Name ----------------------------------------------------------------------------------- */

/* Names in the manner of the diy tools (Alglave, Maranget, Sarkar, Sewell, "Litmus: running tests
 * against hardware", TACAS 2011). */

/* Accesses thread by thread, `|` between threads; the labels show the fences. Threads are in the
 * order of the canonical form without fences (see Shapes in synth.h), which is also the order of
 * labels in names. Z6.U: Lahav et al., "Repairing sequential consistency in C/C++11", PLDI 2017. */
static const struct {
  const char *name, *accesses;
} known[] = {
  { "MP", "RxRy|WyWx" },        { "SB", "WxRy|WyRx" },         { "LB", "RxWy|RyWx" },
  { "S", "RxWy|WyWx" },         { "R", "WxRy|WyWx" },          { "2+2W", "WxWy|WyWx" },
  { "CoWW", "WxWx" },           { "CoRW1", "RxWx" },           { "CoWR0", "WxRx" },
  { "CoRR", "RxRx|Wx" },        { "CoRW2", "RxWx|Wx" },        { "CoWR", "WxRx|Wx" },
  { "CoRR2", "RxRx|Wx|Wx" },    { "WRC", "RxRy|RyWx|Wy" },     { "RWC", "RxRy|WyRx|Wx" },
  { "WWC", "RxWy|RyWx|Wx" },    { "WRW+2W", "RxWy|WyWx|Wx" },  { "WRR+2W", "RxRy|WyWx|Wx" },
  { "Z6.U", "WxRy|WyWx|UxRx" }, { "IRIW", "RxRy|RyRx|Wx|Wy" },
};

/* The accesses of the threads in this order; locations are named in the order of appearance. */
static char *format_accesses (const RspShape *shape, const guint *order) {
  GString *text = g_string_new (NULL);
  guint8 names[RSP_SHAPE_EVENTS];
  guint named = 0;
  memset (names, 0xff, sizeof names);
  for (guint t = 0; t < shape->n_threads; t++) {
    if (t)
      g_string_append_c (text, '|');
    for (guint e = 0; e < shape->n_events; e++) {
      const RspShapeEvent *event = &shape->events[e];
      if (event->thread != order[t] || !rsp_shape_is_access (event) || rsp_shape_is_second (event))
        continue;
      if (names[event->location] == 0xff)
        names[event->location] = (guint8) named++;
      g_string_append_c (text, synth_letter (event));
      g_string_append (text, synth_location_name (names[event->location]));
      if (shape->local[event->location])
        g_string_append_c (text, 'l');
    }
  }
  return g_string_free (text, FALSE);
}

/* The name of a known test that some order of the threads gives, or NULL. */
static const char *find_known_test (const RspShape *shape, guint *order, guint thread) {
  if (thread == shape->n_threads) {
    g_autofree char *accesses = format_accesses (shape, order);
    for (guint i = 0; i < G_N_ELEMENTS (known); i++)
      if (g_str_equal (known[i].accesses, accesses))
        return known[i].name;
    return NULL;
  }
  for (guint t = 0; t < shape->n_threads; t++) {
    gboolean used = FALSE;
    for (guint i = 0; i < thread; i++)
      used |= order[i] == t;
    order[thread] = t;
    const char *name = used ? NULL : find_known_test (shape, order, thread + 1);
    if (name)
      return name;
  }
  return NULL;
}

/* Does each pair of threads share a node of the level (together), or none (not together)? */
static gboolean all_pairs (const RspShape *shape, RspLevel level, gboolean together) {
  for (guint s = 0; s < shape->n_threads; s++)
    for (guint t = 0; t < s; t++)
      if (rsp_shape_share (shape, s, t, level) != together)
        return FALSE;
  return TRUE;
}

/* The outermost level at which two threads are in different nodes; RSP_LEVEL_THREAD if they share
 * every node. */
static RspLevel first_apart (const RspShape *shape, guint a, guint b) {
  RspLevel level = 0;
  while (level < RSP_N_LEVELS && rsp_shape_share (shape, a, b, level))
    level++;
  return level;
}

/* The separator between threads in different nodes of a level. */
static const char *separator_word (RspLevel level) {
  switch (level) {
  case RSP_LEVEL_DEVICE:
  case RSP_LEVEL_KERNEL: /* one per device */
  case RSP_LEVEL_SYSTEM:
    return ",";
  case RSP_LEVEL_IN_KERNEL: /* one per work-group, sub-group, thread */
  case RSP_LEVEL_WORK_GROUP:
    return ".";
  case RSP_LEVEL_IN_WORK_GROUP:
  case RSP_LEVEL_SUB_GROUP:
    return "_";
  case RSP_LEVEL_IN_SUB_GROUP:
  case RSP_LEVEL_THREAD:
    return "";
  }
  g_assert_not_reached ();
}

/* The short name of the level at which the threads are together and inside which they are apart. */
static const char *together_word (const SynthProgram *program, RspLevel level) {
  const char *widest = "sys";
  for (;; level--) {
    for (guint i = 0; i < RSP_N_LANGUAGE_LEVELS; i++)
      if (rsp_language_levels[i].language == program->shape.language
          && (!rsp_language_level_is_optional (&rsp_language_levels[i])
              || has_level (program, &rsp_language_levels[i]))) {
        widest = rsp_language_levels[i].word;
        if (rsp_language_levels[i].level + 1 == level)
          return widest;
      }
    if (level == 0 || !rsp_level_follows (level - 1))
      break;
  }
  return !level                      ? widest
         : rsp_levels[level - 1].own ? rsp_words_level (program->shape.words, level - 1)
                                     : rsp_levels[level - 1].short_word;
}

/* A word if all threads are alike; else the threads in the order of their nodes, with separators
 * between nodes. */
static void append_places (GString *text, const SynthProgram *program, const guint *order) {
  const RspShape *shape = &program->shape;
  RspLevel level = 0;
  while (level < RSP_N_LEVELS && all_pairs (shape, level, TRUE))
    level++;
  g_string_append_c (text, '-');
  if (shape->n_threads == 1) {
    g_string_append (text, "wi");
    return;
  }
  if (level == RSP_N_LEVELS || all_pairs (shape, level, FALSE)) {
    g_string_append (text, together_word (program, level));
    return;
  }
  guint done = 0, last = 0;
  for (guint n = 0; n < shape->n_threads; n++) {
    guint next = G_MAXUINT; /* the first of the remaining threads that share most with the last */
    for (guint t = 0; t < shape->n_threads; t++)
      if (!(done >> t & 1)
          && (next == G_MAXUINT
              || first_apart (shape, order[t], order[last])
                     > first_apart (shape, order[next], order[last])))
        next = t;
    RspLevel apart = first_apart (shape, order[next], order[last]);
    g_string_append_printf (text, "%s%u", n ? separator_word (apart) : "", next);
    done |= 1u << next;
    last = next;
  }
}

/* ".data" for a dependency on the last load before the event; else with its register: ".data0". */
static void append_dependency (GString *text, const SynthProgram *program, guint event,
                               const char *what, guint8 load) {
  const RspShape *shape = &program->shape;
  guint last = event;
  if (!load)
    return;
  g_string_append_printf (text, ".%s", what);
  while (!rsp_shape_is_read (&shape->events[--last]))
    ;
  if (last != load - 1u)
    g_string_append_printf (text, "%u", synth_register_number (program, load - 1u));
}

typedef enum Style {
  STYLE_C,
  STYLE_OPENCL, /* with scopes */
  STYLE_SHAPE   /* letters of the events instead of labels */
} Style;

/* The word of an event in a name: "acq.wg.addr", "f.sc.dev", "b". */
static char *event_word (const SynthProgram *program, guint event, Style style) {
  const RspShapeEvent *what = &program->shape.events[event];
  guint value = synth_write_value (program, rsp_shape_event (&program->shape, what->guard_value));
  GString *text = g_string_new (NULL);
  if (style == STYLE_SHAPE)
    g_string_append_c (text, synth_letter (what));
  else {
    /* A barrier is "b", its order if it has a choice of them, and its scope if that is not the
     * work-group. */
    const SynthAlphabet *alphabet = synth_alphabet (program->shape.language);
    const RspLabel *label = &program->labels[event];
    gboolean barrier = rsp_shape_is_barrier (what);
    if (synth_kind (what) == SYNTH_FENCE)
      g_string_append (text, "f.");
    g_string_append (text, barrier ? "b" : alphabet->orders[label->order]);
    if (barrier && label->tags && label->order != RSP_ORDER_RELAXED)
      g_string_append_printf (text, ".%s", alphabet->orders[label->order]);
    if (barrier ? label->scope != RSP_SCOPE_WORK_GROUP
                : style == STYLE_OPENCL && label->order != RSP_ORDER_NA)
      g_string_append_printf (
          text, "%s%s", label->form ? "" : ".",
          synth_scope_word (program->shape.language, program->shape.words, label->scope));
    if (label->form)
      g_string_append_printf (text, ".%s", alphabet->proxies[label->form]);
    if (label->word)
      g_string_append_printf (text, ".%.*s", brief_length (program, label),
                              word_of (program, label));
  }
  if (rsp_shape_is_access (what) && what->address)
    g_string_append (text, ".alias");
  if (!rsp_shape_is_access (what) && what->flags != RSP_FENCE_GLOBAL)
    g_string_append (text, what->flags == RSP_FENCE_LOCAL ? ".local" : ".both");
  append_dependency (text, program, event, "addr", what->addr);
  append_dependency (text, program, event, "data", what->data);
  append_dependency (text, program, event, "ctrl", what->guard);
  if (what->guard && value != 1) /* ".ctrl0=2" */
    g_string_append_printf (text, "=%u", value);
  return g_string_free (text, FALSE);
}

static char *format_name (const SynthProgram *program, gboolean opencl, Style style) {
  const RspShape *shape = &program->shape;
  guint order[RSP_SHAPE_EVENTS] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  g_autofree char *accesses = format_accesses (shape, order);
  const char *name = find_known_test (shape, order, 0);
  for (guint t = 0; t < shape->n_threads && !name; t++)
    order[t] = t;
  GString *text = g_string_new (name ? name : g_strdelimit (accesses, "|", '.'));
  if (opencl)
    append_places (text, program, order);
  for (guint t = 0; t < shape->n_threads; t++) {
    /* The words of the thread's events, or only the first if all are equal accesses. */
    g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
    gboolean same = TRUE;
    for (guint e = 0; e < program->shape.n_events; e++)
      if (program->shape.events[e].thread == order[t]
          && !rsp_shape_is_second (&program->shape.events[e])) {
        same &= rsp_shape_is_access (&program->shape.events[e]);
        g_ptr_array_add (words, event_word (program, e, style));
      }
    for (guint i = 1; i < words->len; i++)
      same &= g_str_equal (words->pdata[i], words->pdata[0]);
    if (same)
      g_ptr_array_set_size (words, 1);
    for (guint i = 0; i < words->len; i++)
      g_string_append_printf (text, "%s%s", i ? "-" : "+", (char *) words->pdata[i]);
  }
  return g_string_free (text, FALSE);
}

char *rsp_synth_program_name (const SynthProgram *program, gboolean opencl) {
  return format_name (program, opencl, opencl ? STYLE_OPENCL : STYLE_C);
}

char *rsp_synth_shape_name (const RspShape *shape, gboolean opencl) {
  SynthProgram program = { .shape = *shape };
  return format_name (&program, opencl, STYLE_SHAPE);
}
