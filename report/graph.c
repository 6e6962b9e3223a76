/* Executions as pictures, in DOT or in TikZ. */
#include "parser/program.h"
#include "report/internal.h"
#include "report/report.h"

#include <string.h>

/* Colours of medium brightness, legible on light and dark backgrounds. */
#define GREY "#767676"

typedef struct Drawing {
  const RspExecutionView *view;
  const RspGraphOptions *options;
  GHashTable *bold; /* "relation\nfrom\nto" of the edges of steps; NULL: none are bold */
  GString *anchors; /* edges from the invisible nodes that keep the threads in order */
  guint n_anchors;
  GString *out;
} Drawing;

static const char *const base_colours[][2] = {
  { "po", GREY },
  { "rf", "#c9403a" },
  { "co", "#a8651e" },
  { "fr", "#8f5cc8" },
};

static const char *const more_colours[]
    = { "#2b7fb8", "#2e8b3d", "#c0428f", "#857400", "#4f6fd8", "#008a80" };

static const char *colour_of (const char *name) {
  for (guint i = 0; i < G_N_ELEMENTS (base_colours); i++)
    if (strcmp (name, base_colours[i][0]) == 0)
      return base_colours[i][1];
  return more_colours[g_str_hash (name) % G_N_ELEMENTS (more_colours)];
}

static void append_quoted (GString *out, const char *text) {
  g_string_append_c (out, '"');
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      g_string_append_c (out, '\\');
    g_string_append_c (out, *text);
  }
  g_string_append_c (out, '"');
}

/* ---- The steps to show ---- */
static char *edge_key (const char *relation, guint from, guint to) {
  return g_strdup_printf ("%s\n%u\n%u", relation, from, to);
}

const char *rsp_graph_edge (const RspStep *step) {
  static const char *const names[] = { "po", "rf", "co", "fr", "addr", "data", "ctrl", NULL };
  /* Internal and external parts of rf, co and fr are drawn as rf, co and fr. */
  static const char *const parts[][2]
      = { { "rfe", "rf" }, { "rfi", "rf" }, { "coe", "co" }, { "coi", "co" },
          { "fre", "fr" }, { "fri", "fr" }, { "pos", "po" }, { "po-loc", "po" } };
  const char *name = step->relation;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (strcmp (step->relation, parts[i][0]) == 0)
      name = parts[i][1];
  gboolean drawn = step->as == RSP_TRACE_CHOSEN
                   || (step->as == RSP_TRACE_BASE && g_strv_contains (names, name));
  return drawn && !step->absent && !step->is_set ? name : NULL;
}

static void collect_bold (Drawing *d, const RspStep *const *steps, guint n) {
  for (guint i = 0; i < n; i++) {
    const RspStep *step = steps[i];
    const char *edge = rsp_graph_edge (step);
    if (step->absent || step->is_set)
      continue;
    if (edge)
      g_hash_table_add (d->bold, edge_key (edge, step->from, step->to));
    collect_bold (d, step->steps, step->n_steps);
  }
}

/* A pair of events without an edge in the picture, such as a race, gets a bold line of its own. */
static const char pair_name[] = "";

static gboolean is_bold_event (const Drawing *d, guint event) {
  GHashTableIter iter;
  gpointer key;
  g_hash_table_iter_init (&iter, d->bold);
  while (g_hash_table_iter_next (&iter, &key, NULL)) {
    g_auto (GStrv) parts = g_strsplit (key, "\n", 3);
    if (g_ascii_strtoull (parts[1], NULL, 10) == event
        || g_ascii_strtoull (parts[2], NULL, 10) == event)
      return TRUE;
  }
  return FALSE;
}

/* ---- Nodes and boxes ---- */
/* An initial write is drawn if it has an edge other than its outgoing co. */
static gboolean is_drawn (const Drawing *d, guint event) {
  if (d->view->events[event].thread != RSP_VIEW_INITIAL)
    return TRUE;
  for (guint i = 0; i < d->view->n_relations; i++)
    if (strcmp (d->view->relations[i].name, "rf") == 0)
      for (guint e = 0; e < d->view->n; e++)
        if (rsp_matrix_get (d->view->relations[i].pairs, event, e))
          return TRUE;
  return d->bold && is_bold_event (d, event);
}

static void put_node (const Drawing *d, guint event, const char *indent) {
  const RspViewEvent *e = &d->view->events[event];
  g_autofree char *text = g_strdup_printf ("%s: %s", e->id, e->text);
  gboolean bold = d->bold && is_bold_event (d, event);
  if (d->options->tikz) {
    g_string_append_printf (d->out, "%s\\node[%s] (%s) {", indent,
                            bold ? "draw=red, thick" : "draw=gray", e->id);
    rsp_latex_escape (text, d->out);
    g_string_append (d->out, "};\n");
    return;
  }
  g_string_append_printf (d->out, "%s%s [label=", indent, e->id);
  append_quoted (d->out, text);
  if (e->line && e->thread != RSP_VIEW_INITIAL) {
    g_string_truncate (d->out, d->out->len - 1);
    g_string_append_printf (d->out, "\\nline %u\"", e->line);
  }
  if (bold)
    g_string_append (d->out, ", penwidth=2, color=\"#c9403a\"");
  g_string_append (d->out, "];\n");
}

static void put_thread (Drawing *d, guint thread, guint depth) {
  g_autofree char *indent = g_strnfill ((gsize) 2 * depth, ' ');
  g_string_append_printf (d->out, "%ssubgraph cluster_P%u {\n%s  label=\"P%u\"; peripheries=0;\n",
                          indent, d->view->threads[thread].number, indent,
                          d->view->threads[thread].number);
  g_autofree char *inner = g_strnfill ((gsize) 2 * depth + 2, ' ');
  for (guint e = 0; e < d->view->n; e++)
    if (d->view->events[e].thread == thread) {
      put_node (d, e, inner);
      if (thread != RSP_VIEW_INITIAL && (e == 0 || d->view->events[e - 1].thread != thread))
        g_string_append_printf (d->anchors, "  top%u -> %s [style=invis, weight=50];\n",
                                d->n_anchors++, d->view->events[e].id);
    }
  g_string_append_printf (d->out, "%s}\n", indent);
}

/* Are two threads in one node of the level? */
static gboolean are_together (const RspExecutionView *view, guint s, guint t, guint level) {
  return level == RSP_LEVEL_THREAD ? s == t
                                   : view->threads[s].place[level] == view->threads[t].place[level];
}

/* Is the thread the first in its node of the level? */
static gboolean is_first (const RspExecutionView *view, guint thread, guint level) {
  for (guint s = 0; s < thread; s++)
    if (are_together (view, s, thread, level))
      return FALSE;
  return TRUE;
}

/* A box around the threads of a level's node, in TikZ; height: of the boxes, one in the other. */
static void put_frame (const Drawing *d, guint first, guint level, guint height) {
  g_string_append (d->out, "  \\node[draw=gray, dashed, fit=");
  for (guint t = first; t < d->view->n_threads; t++)
    if (are_together (d->view, first, t, level)) {
      g_string_append_printf (d->out, "(P%u)", d->view->threads[t].number);
      for (guint e = 0; e < d->view->n; e++)
        if (d->view->events[e].thread == t)
          g_string_append_printf (d->out, "(%s)", d->view->events[e].id);
    }
  g_string_append_printf (d->out,
                          ", inner xsep=%umm, inner ysep=%umm, label={[anchor=north west, "
                          "font=\\scriptsize]north west:%s}] {};\n",
                          2 * height, 4 * height, d->view->levels[level]);
}

/* The node of a level whose first thread this is, with everything in it. Returns how many boxes it
 * is high. */
static guint put_level (Drawing *d, guint first, guint level, guint depth) {
  g_autofree char *indent = g_strnfill ((gsize) 2 * depth, ' ');
  if (level == RSP_LEVEL_THREAD) {
    if (!d->options->tikz)
      put_thread (d, first, depth);
    return 0;
  }
  /* Kernels and sub-groups are drawn if one has several threads, but not all of those around it. */
  guint inside = 0, around = 0;
  for (guint t = 0; t < d->view->n_threads; t++) {
    inside += are_together (d->view, t, first, level);
    around += level == 0 || are_together (d->view, t, first, level - 1);
  }
  gboolean box
      = d->view->levels[level] && (!rsp_levels[level].if_needed || (inside > 1 && inside < around));
  gboolean dot = box && !d->options->tikz;
  guint height = 0;
  if (dot)
    g_string_append_printf (d->out, "%ssubgraph cluster_%s_%u {\n%s  label=\"%s\";\n", indent,
                            rsp_levels[level].own ? d->view->levels[level]
                                                  : rsp_levels[level].short_word,
                            d->view->threads[first].number, indent, d->view->levels[level]);
  for (guint t = first; t < d->view->n_threads; t++)
    if (are_together (d->view, first, t, level) && is_first (d->view, t, level + 1)) {
      guint inner = put_level (d, t, level + 1, depth + box);
      height = MAX (height, inner);
    }
  if (dot)
    g_string_append_printf (d->out, "%s}\n", indent);
  else if (box)
    put_frame (d, first, level, height + 1);
  return height + box;
}

/* The events in rows, in TikZ: initial writes, then the threads as columns. */
static void put_matrix (const Drawing *d) {
  const RspExecutionView *view = d->view;
  guint n = 0;
  for (guint e = 0; e < view->n && view->events[e].thread == RSP_VIEW_INITIAL; e++)
    if (is_drawn (d, e)) {
      g_string_append (d->out, n++ ? "    \\&\n" : "");
      put_node (d, e, "    ");
    }
  g_string_append (d->out, n ? "    \\\\[8mm]\n" : "");
  for (guint t = 0; t < view->n_threads; t++)
    g_string_append_printf (d->out, "    %s\\node (P%u) {P%u};\n", t ? "\\& " : "",
                            view->threads[t].number, view->threads[t].number);
  gboolean more = view->n_threads > 0;
  for (guint row = 0; more; row++) {
    g_string_append (d->out, "    \\\\\n");
    more = FALSE;
    for (guint t = 0; t < view->n_threads; t++) {
      guint e = 0, at = 0;
      while (e < view->n && (view->events[e].thread != t || at++ < row))
        e++;
      g_string_append (d->out, t ? "    \\&\n" : "");
      if (e < view->n)
        put_node (d, e, "    ");
      more |= e + 1 < view->n && view->events[e + 1].thread == t;
    }
  }
  g_string_append (d->out, "    \\\\\n  };\n");
}

static void put_nodes (Drawing *d) {
  const RspExecutionView *view = d->view;
  if (d->options->tikz)
    put_matrix (d);
  for (guint e = 0; e < view->n && view->events[e].thread == RSP_VIEW_INITIAL; e++)
    if (!d->options->tikz && is_drawn (d, e))
      put_node (d, e, "  ");
  for (guint t = 0; t < view->n_threads; t++)
    if (is_first (view, t, view->scoped ? 0 : RSP_LEVEL_THREAD))
      put_level (d, t, view->scoped ? 0 : RSP_LEVEL_THREAD, 1);
  if (d->n_anchors) {
    /* Above the threads comes a row of invisible nodes, one for each, that keep their boxes in
     * order; and above that the initial writes. */
    g_string_append (d->out, "  { rank=same; node [style=invis, shape=point, width=0];");
    for (guint i = 0; i < d->n_anchors; i++)
      g_string_append_printf (d->out, "%stop%u", i ? " -> " : " ", i);
    g_string_append (d->out, d->n_anchors > 1 ? " [style=invis]; }\n" : "; }\n");
    g_string_append (d->out, d->anchors->str);
    for (guint e = 0; e < view->n && view->events[e].thread == RSP_VIEW_INITIAL; e++)
      for (guint i = 0; is_drawn (d, e) && i < d->n_anchors; i++)
        g_string_append_printf (d->out, "  %s -> top%u [style=invis, weight=0];\n",
                                view->events[e].id, i);
  }
}

/* ---- Edges ---- */
/* A label next to the edge (xlabel), since Graphviz 2.42 frees labels of edges within a rank
 * twice. */
static void put_edge (const Drawing *d, const RspViewRelation *relation, guint a, guint b) {
  const char *name = relation->name;
  g_autofree char *key = edge_key (name, a, b);
  gboolean bold = d->bold && g_hash_table_contains (d->bold, key);
  gboolean po = strcmp (name, "po") == 0;
  const char *colour = d->bold && !bold ? GREY : bold && po ? "#c9403a" : colour_of (name);
  if (d->options->tikz) {
    /* In TikZ: the relations between two events bend differently, those of one column more. */
    guint angle = 8 + 9 * (guint) ((relation - d->view->relations) % 4);
    if (d->view->events[a].thread == d->view->events[b].thread)
      angle += 20;
    guint rgb = (guint) g_ascii_strtoull (colour + 1, NULL, 16); /* of "#rrggbb" */
    g_string_append_printf (
        d->out, "  \\draw[->, color={rgb,255:red,%u;green,%u;blue,%u}%s] (%s) to[bend left=%u] ",
        rgb >> 16, rgb >> 8 & 255, rgb & 255, bold ? ", very thick" : "", d->view->events[a].id,
        po ? 0 : angle);
    g_string_append (d->out, "node[auto, inner sep=1pt, font=\\scriptsize] {");
    rsp_latex_escape (po ? "" : relation->name, d->out);
    g_string_append_printf (d->out, "} (%s);\n", d->view->events[b].id);
    return;
  }
  g_string_append_printf (d->out, "  %s -> %s [xlabel=", d->view->events[a].id,
                          d->view->events[b].id);
  append_quoted (d->out, po ? "" : name);
  g_string_append_printf (d->out, ", color=\"%s\", fontcolor=\"%s\"", colour, colour);
  if (bold)
    g_string_append (d->out, ", penwidth=3");
  g_string_append (d->out, po ? ", weight=100" : ", constraint=false");
  for (const char *const *at = d->options->attributes; at && *at; at++) {
    g_auto (GStrv) parts = g_strsplit (*at, ",", 3);
    if (g_strv_length (parts) != 3 || strcmp (parts[0], name) != 0)
      continue;
    g_string_append_printf (d->out, ", %s=", parts[1]);
    append_quoted (d->out, parts[2]);
  }
  g_string_append (d->out, "];\n");
}

/* The steps of a shown relation, and all edges that are drawn bold. */
static void put_relation (const Drawing *d, const RspViewRelation *relation) {
  static const char *const usual[] = { "po", "rf", "co", "fr", NULL };
  const RspGraphOptions *options = d->options;
  gboolean shown = !relation->hidden && !relation->is_set
                   && !(options->hidden && g_strv_contains (options->hidden, relation->name))
                   && (relation->kind == RSP_VIEW_SHOWN || g_strv_contains (usual, relation->name)
                       || (options->shown && g_strv_contains (options->shown, relation->name)));
  for (guint a = 0; a < d->view->n; a++)
    for (all_bits (b, rsp_matrix_row (relation->pairs, a), relation->pairs->words)) {
      g_autofree char *key = edge_key (relation->name, a, b);
      gboolean bold = d->bold && g_hash_table_contains (d->bold, key);
      gboolean drawn = shown && a != b && is_step (relation->pairs, a, b);
      if ((bold || drawn) && is_drawn (d, a) && is_drawn (d, b))
        put_edge (d, relation, a, b);
    }
}

/* The pairs of steps that have no edge, such as a race. */
static void put_pairs (const Drawing *d) {
  for (guint a = 0; a < d->view->n; a++)
    for (guint b = 0; b < d->view->n; b++) {
      g_autofree char *key = edge_key (pair_name, a, b);
      if (a != b && g_hash_table_contains (d->bold, key) && is_drawn (d, a) && is_drawn (d, b))
        g_string_append_printf (
            d->out,
            d->options->tikz ? "  \\draw[red, very thick, dashed] (%s) to[bend left=10] (%s);\n"
                             : "  %s -> %s [dir=none, style=dashed, "
                               "color=\"#c9403a\", penwidth=3, "
                               "constraint=false];\n",
            d->view->events[a].id, d->view->events[b].id);
    }
}

static const char dot_style[]
    = ";\n  labelloc=t; bgcolor=transparent; fontname=\"sans-serif\"; fontcolor=\"" GREY
      "\"; color=\"" GREY "\"; nodesep=0.6; ranksep=0.5; splines=true;\n"
      "  node [shape=box, style=rounded, fontname=\"sans-serif\", fontsize=12, color=\"" GREY
      "\", fontcolor=\"" GREY "\"];\n"
      "  edge [fontname=\"sans-serif\", fontsize=11, arrowsize=0.7];\n";

void rsp_graph_format (const RspExecutionView *view, const char *title, const RspStep *const *steps,
                       guint n_steps, const RspGraphOptions *options, GString *out) {
  g_autoptr (GHashTable) bold = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GString) anchors = g_string_new (NULL);
  Drawing d = {
    .view = view, .options = options, .bold = n_steps ? bold : NULL, .anchors = anchors, .out = out
  };
  for (guint i = 0; i < n_steps; i++) {
    guint before = g_hash_table_size (bold);
    collect_bold (&d, &steps[i], 1);
    if (!steps[i]->absent && g_hash_table_size (bold) == before)
      g_hash_table_add (bold, edge_key (pair_name, steps[i]->from, steps[i]->to));
  }
  if (options->tikz)
    g_string_append (out,
                     "\\begin{tikzpicture}[>=stealth, font=\\small]\n"
                     "  \\matrix[ampersand replacement=\\&, row sep=9mm, column sep=12mm] {\n");
  else {
    g_string_append (out, "digraph execution {\n  label=");
    append_quoted (out, title);
    g_string_append (out, dot_style);
  }
  put_nodes (&d);
  for (guint i = 0; i < view->n_relations; i++) {
    guint first = 0; /* of the name: one that the model both defines and shows is drawn once */
    while (strcmp (view->relations[first].name, view->relations[i].name) != 0)
      first++;
    if (first == i)
      put_relation (&d, &view->relations[i]);
  }
  if (d.bold)
    put_pairs (&d);
  if (options->tikz) {
    g_string_append (out, "  \\node[above] at (current bounding box.north) {");
    rsp_latex_escape (title, out);
    g_string_append (out, "};\n\\end{tikzpicture}\n");
  } else
    g_string_append (out, "}\n");
}
