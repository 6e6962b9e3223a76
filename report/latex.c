/* Tests as LaTeX. */
#include "report/report.h"

#include "parser/litmus/litmus.h"

#include <string.h>

const char rsp_latex_head[] = "\\documentclass{article}\n"
                              "\\usepackage[margin=2cm]{geometry}\n"
                              "\\usepackage{longtable}\n"
                              "\\usepackage{tikz}\n"
                              "\\usetikzlibrary{fit}\n"
                              "\\newcommand\\fitted[1]{\\resizebox{\\ifdim\\width>\\linewidth"
                              "\\linewidth\\else\\width\\fi}{!}{#1}}\n"
                              "\\begin{document}\n";
const char rsp_latex_tail[] = "\\end{document}\n";

/* ---- Text ----------------------------------------------------------------------------------- */

void rsp_latex_escape (const char *text, GString *out) {
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  for (const char *at = valid; *at; at = g_utf8_next_char (at)) {
    gunichar c = g_utf8_get_char (at);
    if (c == '\\')
      g_string_append (out, "\\textbackslash{}");
    else if (c == '^' || c == '~')
      g_string_append_printf (out, "\\%c{}", (char) c);
    else if (c < 0x80 && strchr ("{}$&#_%", (int) c))
      g_string_append_printf (out, "\\%c", (char) c);
    else if (c == '<' || c == '>' || c == '|')
      g_string_append (out, c == '<'   ? "\\textless{}"
                            : c == '>' ? "\\textgreater{}"
                                       : "\\textbar{}");
    else if (c < 0x80 && strchr ("[]*\"'`-", (int) c)) /* `\\[` and ligatures */
      g_string_append_printf (out, "{%c}", (char) c);
    else if (c == 0x2260)
      g_string_append (out, "$\\neq$");
    else if (c < 0x80 || (c >= 0xC0 && c < 0x180 && g_unichar_isalpha (c)))
      g_string_append_unichar (out, c == '\t' ? ' ' : c);
    else
      g_string_append_c (out, '?');
  }
}

/* ---- Code ----------------------------------------------------------------------------------- */

static gsize indentation (const char *line) { return strspn (line, " \t"); }

static gboolean is_blank (const char *line) { return !line[strspn (line, " \t\r")]; }

/* Lines of code as a table of one column, without the blanks that all have in front, and without
 * empty lines around them. */
static void put_code (char **lines, GString *out) {
  gsize margin = G_MAXSIZE;
  guint end = g_strv_length (lines), begin = 0;
  while (begin < end && is_blank (lines[begin]))
    begin++;
  while (end > begin && is_blank (lines[end - 1]))
    end--;
  for (guint i = begin; i < end; i++)
    margin = is_blank (lines[i]) ? margin : MIN (margin, indentation (lines[i]));
  g_string_append (out, "\\begin{tabular}[t]{@{}l@{}}\n");
  for (guint i = begin; i < end; i++) {
    gsize blanks = is_blank (lines[i]) ? 0 : indentation (lines[i]) - margin;
    g_string_append (out, "\\ttfamily ");
    while (blanks--)
      g_string_append_c (out, '~');
    rsp_latex_escape (g_strchug (lines[i]), out);
    g_string_append (out, "\\\\\n");
  }
  g_string_append (out, "\\end{tabular}");
}

/* The lines of a thread's code. Newly allocated. */
static char **lines_of (const RspProgram *program, guint thread) {
  return g_strsplit (program->threads[thread].raw, program->language->tagged ? ";" : "\n", -1);
}

/* How many characters its longest line has. */
static gsize width_of (const RspProgram *program, guint thread) {
  g_auto (GStrv) lines = lines_of (program, thread);
  gsize width = 0;
  for (guint i = 0; lines[i]; i++)
    width = MAX (width, strlen (g_strstrip (lines[i])));
  return width;
}

/* Threads side by side; the first of them under what is true at the beginning. */
static void put_row (const RspProgram *program, guint first, guint end, GString *out) {
  g_autofree char *columns = g_strnfill (end - first, '|');
  g_auto (GStrv) each = g_strsplit (columns, "|", -1);
  g_autofree char *form = g_strjoinv ("l|", each);
  g_string_append_printf (out, "\\fitted{\\begin{tabular}{|%s}\n", form);
  if (!first) {
    g_string_append_printf (out, "\\multicolumn{%u}{c}{\\ttfamily ", end);
    for (guint i = 0; i < program->n_initial; i++) {
      g_string_append (out, i ? "; " : "");
      rsp_latex_escape (program->initial[i].text, out);
    }
    g_string_append (out, "}\\\\\n");
  }
  g_string_append (out, "\\hline\n");
  for (guint t = first; t < end; t++) {
    g_string_append (out, t > first ? " & " : "");
    rsp_latex_escape (program->threads[t].name, out);
  }
  g_string_append (out, "\\\\\n\\hline\n");
  for (guint t = first; t < end; t++) {
    g_auto (GStrv) lines = lines_of (program, t);
    g_string_append (out, t > first ? " &\n" : "");
    put_code (lines, out);
  }
  g_string_append (out, "\\\\\n\\hline\n\\end{tabular}}\n\n\\smallskip\\noindent\n");
}

enum { ROW_WIDTH = 120 }; /* characters that are legible side by side */

/* The threads, in as many rows as it takes to read them. */
static void put_threads (const RspProgram *program, GString *out) {
  for (guint first = 0, end; first < program->n_threads; first = end) {
    gsize width = width_of (program, first);
    for (end = first + 1; end < program->n_threads; end++)
      if ((width += width_of (program, end)) > ROW_WIDTH)
        break;
    put_row (program, first, end, out);
  }
}

void rsp_latex_format_test (const GPtrArray *records, GString *out) {
  const RspRecord *const *all = (const RspRecord *const *) records->pdata;
  g_autoptr (RspDiagnostics) known = rsp_diagnostics_new ();
  g_autofree char *sentences = rsp_records_sentences (all, records->len);
  g_string_append (out, "\n\\subsection*{");
  rsp_latex_escape (all[0]->test, out);
  g_string_append (out, "}\n\\noindent\n");
  if (all[0]->source) {
    g_autoptr (RspSource) source
        = rsp_source_new (all[0]->path, g_strdup (all[0]->source), strlen (all[0]->source));
    g_autoptr (RspProgram) program = rsp_litmus_parse (source, FALSE, known);
    g_auto (GStrv) lines = g_strsplit (all[0]->source, "\n", -1);
    if (program)
      put_threads (program, out);
    else {
      g_string_append (out, "\\fitted{");
      put_code (lines, out);
      g_string_append (out, "}\n\n\\smallskip\\noindent\n");
    }
  }
  if (all[0]->scopes) {
    g_string_append (out, "\\texttt{");
    rsp_latex_escape (all[0]->scopes, out);
    g_string_append (out, "}\n\n");
  }
  if (all[0]->condition) {
    g_string_append (out, "\\noindent\\texttt{");
    /* `/\` and `\/` as a paper prints them. */
    g_auto (GStrv) conjuncts = g_strsplit (all[0]->condition, "/\\", -1);
    for (guint i = 0; conjuncts[i]; i++) {
      g_auto (GStrv) disjuncts = g_strsplit (conjuncts[i], "\\/", -1);
      for (guint k = 0; disjuncts[k]; k++) {
        g_string_append (out, k ? "$\\vee$" : i ? "$\\wedge$" : "");
        rsp_latex_escape (disjuncts[k], out);
      }
    }
    g_string_append (out, "}\n\n");
  }
  g_string_append (out, "\\noindent ");
  rsp_latex_escape (sentences, out);
  g_string_append (out, "\n");
}
