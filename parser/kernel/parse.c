/* From a kernel's file to its program, and its syntax errors. */
#include "base/base.h"
#include "parser/kernel/internal.h"
#include "parser/kernel/kernel.h"

#include <stdlib.h>
#include <string.h>

/* ---- Syntax errors -------------------------------------------------------------------------- */

/* Constructs that are not supported in kernels. */
static const SyntaxSlip slips[] = {
  { .found = "pipe", .hint = "write an array with an atomic counter", .construct = "a pipe" },
  { .found = "asm", .hint = "leave it out with `#if`", .construct = "assembly" },
  { .found = "__asm__", .hint = "leave it out with `#if`", .construct = "assembly" },
  { .found = "__asm", .hint = "leave it out with `#if`", .construct = "assembly" },
  { .found = "^", .hint = "write what it does as a kernel of its own", .construct = "a block" },
  { .found = "typeof", .hint = "write the type", .construct = "`typeof`" },
  { .found = "__typeof__", .hint = "write the type", .construct = "`typeof`" },
  { .found = "__typeof", .hint = "write the type", .construct = "`typeof`" },
  { .found = "_Generic",
    .hint = "write the expression that it selects",
    .construct = "`_Generic`" },
  { .found = "template", .hint = "write a function for each type", .construct = "C++" },
  { .found = "namespace", .hint = "write it in C", .construct = "C++" },
};

static gboolean is_name (const char *text) { return g_ascii_isalpha (text[0]) || text[0] == '_'; }

/* The hint for a word that should have been the name of a type. */
static char *unknown_type (gconstpointer parser, const SyntaxError *error) {
  const char *found = error->found,
             *unknown = found[0] == '*' || !is_name (found) ? error->word_before : found;
  (void) parser;
  if (error->at_end || !is_name (unknown) || rsp_kernel_is_type_word (unknown))
    return NULL;
  return g_strdup_printf ("is `%s` a type or macro that an `#include` or -D should define?",
                          unknown);
}

const SyntaxLanguage kernel_syntax = { .texts = "kernels",
                                       .slips = slips,
                                       .n_slips = G_N_ELEMENTS (slips),
                                       .most = 3,
                                       .all_or_nothing = TRUE,
                                       .guess_last = unknown_type };

/* ---- Files ---------------------------------------------------------------------------------- */

enum {
  MAX_LENGTH = 1 << 20 /* bytes of a kernel's file */
};

/* How far a text has been searched for comments of several lines. */
typedef struct Comments {
  const char *at, *open; /* open: the beginning of one that has not ended; NULL: none */
} Comments;

/* Is the beginning of a line in such a comment? Lines must be asked about in order. */
static gboolean is_in_comment (Comments *comments, const char *line) {
  const char *c = comments->at;
  for (; c < line; c++)
    if (comments->open && c[0] == '*' && c[1] == '/' && c > comments->open + 1)
      comments->open = NULL;
    else if (!comments->open && c[0] == '/' && c[1] == '*')
      comments->open = c;
    else if (!comments->open && c[0] == '/' && c[1] == '/')
      c += strcspn (c, "\n");
    else if (!comments->open && c[0] == '"')
      for (c++; *c && *c != '"' && *c != '\n'; c++)
        c += c[0] == '\\' && c[1];
  comments->at = c;
  return comments->open != NULL;
}

gboolean kernel_is_comment (const char *text, const char *at) {
  Comments comments = { .at = text };
  return is_in_comment (&comments, at) || comments.at > at;
}

/* `//@ assert x[0] == 1` at the beginning of a line. */
static gboolean parse_asserts (CUnit *unit, RspSource *source, RspArena *arena,
                               RspDiagnostics *diagnostics) {
  Comments comments = { .at = source->text };
  for (guint i = 0; i < source->n_lines; i++) {
    const char *line = source->text + source->lines[i];
    line += strspn (line, " \t");
    if (!g_str_has_prefix (line, KERNEL_ANNOTATION) || is_in_comment (&comments, line))
      continue;
    const char *asserted = rsp_kernel_assertion (line);
    if (!asserted) {
      /* Reports misspelt assertions; other tools have annotations of their own. */
      static const char *const words[] = { "assert", NULL };
      const char *begin = line + strlen (KERNEL_ANNOTATION);
      begin += strspn (begin, " \t");
      guint at = (guint) (line - source->text);
      g_autofree char *word = g_ascii_strdown (begin, (gssize) strcspn (begin, " \t\r\n(!"));
      RspSpan span = { source, at, (guint) (begin - source->text) + (guint) strlen (word) };
      if (g_str_has_prefix (begin, "&&") || g_str_has_prefix (begin, "||"))
        rsp_error (diagnostics, span, "an assertion goes on if its line ends with `\\`",
                   "expected `//@ assert`");
      else if (rsp_nearest (word, words))
        rsp_error (diagnostics, span, "did you mean `//@ assert`?", "`//@ %.*s` is not checked",
                   (int) strlen (word), begin);
      continue;
    }
    guint begin = (guint) (asserted - source->text);
    RspSpan span = { source, begin, begin + (guint) strcspn (source->text + begin, "\r\n") };
    CParser parser = { .base = { .arena = arena, .diagnostics = diagnostics }, .unit = unit };
    if (!c_parse (&parser, C_ASSERTION, span))
      return FALSE;
    unit->asserts = rsp_litmus_append (&parser.base, unit->asserts, parser.expression);
  }
  return TRUE;
}

static gboolean parse_unit (CUnit *unit, RspSource *text, RspArena *arena,
                            RspDiagnostics *diagnostics) {
  CParser parser = { .base = { .arena = arena, .diagnostics = diagnostics }, .unit = unit };
  return c_parse (&parser, C_UNIT, (RspSpan){ text, 0, (guint) text->length });
}

static void begin_unit (CUnit *unit) {
  *unit = (CUnit){ .typedefs = g_hash_table_new (g_str_hash, g_str_equal),
                   .hidden = g_hash_table_new (g_str_hash, g_str_equal),
                   .structs = g_hash_table_new (g_str_hash, g_str_equal) };
  /* Types of OpenCL C that are integers under another name. */
  static const char *const names[] = { "memory_order", "memory_scope", "cl_mem_fence_flags" };
  static const CType number
      = { .kind = C_INTEGER, .bits = 32, .is_signed = TRUE, .space = RSP_SPACE_PRIVATE };
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    g_hash_table_insert (unit->typedefs, (gpointer) names[i], (gpointer) &number);
}

static void end_unit (CUnit *unit) {
  g_hash_table_unref (unit->typedefs);
  g_hash_table_unref (unit->hidden);
  g_hash_table_unref (unit->structs);
}

static void read_program (RspKernel *kernel, const RspKernelOptions *options,
                          RspDiagnostics *diagnostics) {
  RspSource *text = kernel->program->source;
  RspArena *arena = kernel->program->arena;
  CUnit unit;
  for (gboolean whole = FALSE; !whole;) {
    g_autoptr (RspDiagnostics) own = rsp_diagnostics_new ();
    const guint bytes = kernel->unit;
    begin_unit (&unit);
    const CExpr *filter = NULL;
    if (options->front) {
      options->front->facts = options->facts;
      options->front->grid = &options->grid;
    }
    if (options->front
            ? options->front->declare (options->front, &unit, &filter, arena, own)
            : parse_unit (&unit, text, arena, own) && parse_asserts (&unit, text, arena, own))
      kernel_resolve (kernel, &unit, filter, options, own);
    end_unit (&unit);
    whole = kernel->unit == bytes;
    if (whole)
      rsp_diagnostics_move (diagnostics, own);
  }
}

/* NULL after an error. */
static RspKernel *read_kernel (const RspKernelFile *file, const RspKernelOptions *options,
                               RspDiagnostics *diagnostics) {
  RspSource *source = file->source;
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  RspArena *arena = rsp_arena_new ();
  RspKernel *kernel = rsp_arena_new0 (arena, RspKernel, 1);
  kernel->program = rsp_arena_new0 (arena, RspProgram, 1);
  kernel->program->arena = arena;
  kernel->program->source = rsp_source_ref (file->text);
  kernel->file = rsp_source_ref (source);
  kernel->host_functions = g_hash_table_new (g_str_hash, g_str_equal);
  kernel->built_in = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_source_unref);
  if (!options->front) {
    /* The preprocessor removes an assertion behind other text as a comment. */
    Comments comments = { .at = source->text };
    for (const char *at = source->text; (at = strstr (at, KERNEL_ANNOTATION)); at++) {
      const char *asserted = rsp_kernel_assertion (at), *line = at;
      while (line > source->text && (line[-1] == ' ' || line[-1] == '\t'))
        line--;
      gboolean alone = line == source->text || line[-1] == '\n';
      if (!asserted || alone || is_in_comment (&comments, at) || comments.at > at)
        continue;
      const RspSpan span
          = { source, (guint) (at - source->text), (guint) (asserted - source->text) };
      rsp_error (diagnostics, span, "write it on a line of its own",
                 "an assertion behind other text is not checked");
    }
  }
  read_program (kernel, options, diagnostics);
  if (rsp_diagnostics_count_errors (diagnostics) > errors)
    g_clear_pointer (&kernel, rsp_kernel_free);
  return kernel;
}

RspKernelFile *rsp_kernel_open (const char *path, const RspKernelOptions *options,
                                RspDiagnostics *diagnostics) {
  g_autoptr (GError) error = NULL;
  /* The preprocessor reads it too: pipes and devices end, or block, when they are read again. */
  if (!options->text && (g_str_equal (path, "-") || !rsp_source_ends (path))) {
    rsp_error (diagnostics, RSP_NOWHERE, "write the kernel to a file",
               "%s: is not a file: kernels are read several times", path);
    return NULL;
  }
  RspSource *source = options->text
                          ? rsp_source_new (path, g_strdup (options->text), strlen (options->text))
                          : rsp_source_read_within (path, MAX_LENGTH, &error);
  if (!source) {
    g_autofree char *hint = rsp_near_path_hint (path);
    rsp_error (diagnostics, RSP_NOWHERE, hint, "%s", error->message);
    return NULL;
  }
  RspSource *text
      = kernel_preprocess (source, options->text != NULL, options->preprocessing, diagnostics);
  if (!text) {
    rsp_source_unref (source);
    return NULL;
  }
  RspKernelFile *file = g_new (RspKernelFile, 1);
  *file = (RspKernelFile){ source, text };
  return file;
}

void rsp_kernel_close (RspKernelFile *file) {
  rsp_source_unref (file->source);
  rsp_source_unref (file->text);
  g_free (file);
}

RspKernel *rsp_kernel_read (const char *path, const RspKernelOptions *options,
                            RspDiagnostics *diagnostics) {
  RspKernelFile front = { 0 };
  g_autoptr (RspKernelFile) opened = NULL;
  const RspKernelFile *file = options->text ? NULL : options->file;
  if (options->front) {
    front.source = front.text = options->front->source;
    file = &front;
  } else if (!file)
    file = opened = rsp_kernel_open (path, options, diagnostics);
  return file ? read_kernel (file, options, diagnostics) : NULL;
}

/* ---- Checking ---- */
/* The kernels, as far as the text can be read: of each a GStrv of its name and its parameters'
 * names; owned. strict: none if the text has an error. */
static GPtrArray *entries_of (RspSource *text, gboolean strict) {
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  GPtrArray *kernels = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  RspArena *arena = rsp_arena_new ();
  CUnit unit;
  begin_unit (&unit);
  const gboolean good = parse_unit (&unit, text, arena, unread);
  for (guint i = 0; i < unit.functions.n && (good || !strict); i++) {
    const CFunction *function = unit.functions.items[i];
    gboolean known = FALSE; /* a header may define it as well */
    for (guint k = 0; k < kernels->len && function->name; k++)
      known |= g_str_equal (((char **) kernels->pdata[k])[0], function->name);
    if (!function->is_kernel || !function->name || known)
      continue;
    char **names = g_new0 (char *, function->parameters.n + 2);
    guint n = 0;
    names[n++] = g_strdup (function->name);
    for (guint k = 0; k < function->parameters.n; k++) {
      const CVariable *parameter = function->parameters.items[k];
      if (parameter->name)
        names[n++] = g_strdup (parameter->name);
    }
    g_ptr_array_add (kernels, names);
  }
  end_unit (&unit);
  rsp_arena_free (arena);
  return kernels;
}

GPtrArray *rsp_kernel_entries (const RspKernelFile *file) { return entries_of (file->text, TRUE); }

void rsp_kernel_check (const char *path, const char *text, RspDiagnostics *diagnostics) {
  const RspKernelOptions all = { .text = text };
  g_autoptr (RspKernelFile) file = rsp_kernel_open (path, &all, diagnostics);
  g_autoptr (GPtrArray) entries = file ? entries_of (file->text, FALSE) : NULL;
  for (guint i = 0;
       entries && i < MAX (1, entries->len) && rsp_diagnostics_count_errors (diagnostics) == 0;
       i++) {
    RspKernelOptions options
        = { .lenient = TRUE, .entry = entries->len ? ((char **) entries->pdata[i])[0] : NULL };
    rsp_grid_parse ("1x2", &options.grid);
    rsp_kernel_free (read_kernel (file, &options, diagnostics));
  }
  rsp_diagnostics_drop (diagnostics, RSP_WARNING); /* they are about the grid */
}

/* ---- Names ---- */
static int compare_names (gconstpointer a, gconstpointer b) {
  guint x = ((const RspKernelName *) a)->begin, y = ((const RspKernelName *) b)->begin;
  return (x > y) - (x < y);
}

GArray *rsp_kernel_names (RspSource *text, GHashTable *types, GHashTable *macros, RspArena *arena) {
  static const CType number
      = { .kind = C_INTEGER, .bits = 32, .is_signed = TRUE, .space = RSP_SPACE_PRIVATE };
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  CUnit unit;
  begin_unit (&unit);
  GHashTableIter iter;
  gpointer name;
  g_hash_table_iter_init (&iter, types);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_hash_table_insert (unit.typedefs, name, (gpointer) &number);
  CParser parser = { .base = { .arena = arena, .diagnostics = unread },
                     .unit = &unit,
                     .names = g_array_new (FALSE, FALSE, sizeof (RspKernelName)),
                     .macros = macros };
  c_parse (&parser, C_UNIT, (RspSpan){ text, 0, (guint) text->length });
  end_unit (&unit);
  g_array_sort (parser.names, compare_names);
  return parser.names;
}

void rsp_kernel_free (RspKernel *kernel) {
  if (!kernel)
    return;
  rsp_source_unref (kernel->file);
  g_ptr_array_unref (kernel->built_in);
  g_hash_table_unref (kernel->host_functions);
  rsp_program_free (kernel->program); /* its arena holds the kernel */
}
