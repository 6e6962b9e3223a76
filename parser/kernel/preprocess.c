/* The preprocessor's run on a kernel, and that of the compiler of GLSL. */
#include "parser/kernel/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The preprocessor is the system's `cpp` (or what CPP names), run only if the text needs it. Its
 * output, time and memory are limited: macros may expand without end, and an included file may
 * block. */

/* The name of an open file, without its number. */
#define OPEN_FILE "/proc/self/fd/"

enum { MAX_SECONDS = 10, MAX_WAIT = 30, MAX_MEMORY = 1 << 30, MAX_OUTPUT = 4 << 20 };

/* The number in such a name, or -1. */
static int descriptor_of (const char *name) {
  return g_str_has_prefix (name, OPEN_FILE) ? atoi (name + strlen (OPEN_FILE)) : -1;
}

/* Sets these limits in a process that has just been forked and has so many bytes. Its standard
 * input is a pipe from its parent: however the parent ends, the kernel then ends the process and
 * its group with SIGIO. */
static void limit_process (gsize present) {
  const struct rlimit seconds = { MAX_SECONDS, MAX_SECONDS }, none = { 0, 0 },
                      memory = { present + MAX_MEMORY, present + MAX_MEMORY };
  struct pollfd reader = { STDIN_FILENO, 0, 0 };
  setpgid (0, 0); /* a group of its own, with the compiler that it starts */
  signal (SIGIO, SIG_DFL);
  if (fcntl (STDIN_FILENO, F_SETOWN, -getpid ()) != 0 || fcntl (STDIN_FILENO, F_SETFL, O_ASYNC) != 0
      || poll (&reader, 1, 0) > 0)
    _exit (EXIT_FAILURE);
  setrlimit (RLIMIT_CPU, &seconds);
  setrlimit (RLIMIT_AS, &memory);
  setrlimit (RLIMIT_CORE, &none);
}

static void limit_tool (gpointer words) {
  for (char **word = words; *word; word++)
    if (descriptor_of (*word) >= 0)
      fcntl (descriptor_of (*word), F_SETFD, 0); /* it stays open */
  limit_process (0);
}

/* Reads what has come; FALSE at the end. */
static gboolean read_more (int file, GString *text) {
  char part[8192];
  gssize n = read (file, part, sizeof part);
  if (n > 0)
    g_string_append_len (text, part, n);
  return n > 0 || (n < 0 && errno == EINTR);
}

/* Reads both streams to their ends and closes them. FALSE: one is too long, or time is up. */
static gboolean read_streams (const int streams[2], GString *const texts[2]) {
  gint64 end = g_get_monotonic_time () + MAX_WAIT * G_TIME_SPAN_SECOND, left = 1;
  struct pollfd files[2] = { { streams[0], POLLIN, 0 }, { streams[1], POLLIN, 0 } };
  gboolean fits = TRUE;
  while (fits && left > 0 && (files[0].fd >= 0 || files[1].fd >= 0)) {
    left = MAX (0, end - g_get_monotonic_time ());
    int ready = poll (files, 2, (int) (left / 1000));
    for (guint i = 0; i < 2 && ready > 0; i++)
      if (files[i].revents && !read_more (files[i].fd, texts[i]))
        files[i].fd = -1; /* which poll leaves out */
    fits = texts[0]->len <= MAX_OUTPUT && texts[1]->len <= MAX_OUTPUT;
  }
  close (streams[0]);
  close (streams[1]);
  return fits && left > 0;
}

/* ---- Annotations ---- */
/* Replaces KERNEL_ANNOTATION, which the preprocessor would remove as a comment; as many characters.
 */
#define MARK "@@@"

G_STATIC_ASSERT (sizeof MARK == sizeof KERNEL_ANNOTATION);

const char *rsp_kernel_assertion (const char *text) {
  if (!g_str_has_prefix (text, KERNEL_ANNOTATION))
    return NULL;
  const char *word = text + strlen (KERNEL_ANNOTATION);
  word += strspn (word, " \t");
  const char *end = word + strlen ("assert");
  return g_str_has_prefix (word, "assert") && !g_ascii_isalnum (*end) && *end != '_' ? end : NULL;
}

/* The line with the word at its beginning, after blanks, replaced by another; NULL: it is not
 * there. */
static char *exchange_word (const char *line, const char *word, const char *other) {
  gsize blanks = strspn (line, " \t");
  if (!g_str_has_prefix (line + blanks, word))
    return NULL;
  return g_strdup_printf ("%.*s%s%s", (int) blanks, line, other, line + blanks + strlen (word));
}

/* Removes a `\` at the end of the line. FALSE: there is none. */
static gboolean take_continuation (char *line) {
  g_strchomp (line);
  gsize length = strlen (line);
  if (!length || line[length - 1] != '\\')
    return FALSE;
  line[length - 1] = ' ';
  return TRUE;
}

/* Joins a line with those that continue it, which become empty. */
static void join_lines (char **lines) {
  for (guint i = 1; lines[i] && take_continuation (lines[0]); i++) {
    g_autofree char *begun = lines[0], *rest = lines[i];
    g_autofree char *plain = exchange_word (rest, KERNEL_ANNOTATION, "   ");
    lines[0] = g_strconcat (begun, plain ? plain : rest, NULL);
    lines[i] = g_strdup ("");
  }
}

/* ---- Lines ---- */
typedef struct Layout {
  GString *out;
  guint line;       /* of the output */
  guint next;       /* the next line of the file */
  gboolean in_main; /* is that the file itself, not an included one? */
} Layout;

/* `# 12 "k.cl" 2`; n_lines: of the file, which has no line that `#line` puts behind its end. */
static gboolean read_marker (Layout *layout, const char *text, const char *name, guint n_lines) {
  char *end;
  if (text[0] != '#' || text[1] != ' ' || !g_ascii_isdigit (text[2]))
    return FALSE;
  guint line = (guint) g_ascii_strtoull (text + 2, &end, 10);
  const char *quote = strchr (end, '"'), *closing = quote ? strchr (quote + 1, '"') : NULL;
  layout->in_main = closing && (gsize) (closing - quote - 1) == strlen (name)
                    && strncmp (quote + 1, name, strlen (name)) == 0;
  if (layout->in_main && line <= n_lines)
    layout->next = line;
  return TRUE;
}

static char *lay_out_lines (const char *text, const char *name, guint n_lines) {
  Layout layout = { g_string_new (NULL), 1, 1, TRUE };
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i]; i++)
    if (!read_marker (&layout, lines[i], name, n_lines)) {
      g_autofree char *annotation = exchange_word (lines[i], MARK, KERNEL_ANNOTATION);
      const char *line = annotation ? annotation : lines[i];
      for (; layout.in_main && layout.line < layout.next; layout.line++)
        g_string_append_c (layout.out, '\n');
      if (line[0] == '#')
        ; /* a pragma */
      else if (layout.out->len && layout.out->str[layout.out->len - 1] != '\n')
        g_string_append_printf (layout.out, " %s", line);
      else
        g_string_append (layout.out, line);
      layout.next += layout.in_main;
    }
  g_string_append_c (layout.out, '\n');
  return g_string_free (layout.out, FALSE);
}

/* ---- Running ---- */
char **rsp_kernel_preprocessor (void) {
  char **words = NULL;
  const char *named = g_getenv ("CPP");
  if (!named || !g_shell_parse_argv (named, NULL, &words, NULL))
    words = g_strsplit ("cpp", " ", -1);
  return words;
}

/* What compilers of OpenCL C 2.0 define for the extensions that they have. */
#define EXTENSIONS                                                                                 \
  "-Dcl_khr_global_int32_base_atomics=1", "-Dcl_khr_global_int32_extended_atomics=1",              \
      "-Dcl_khr_local_int32_base_atomics=1", "-Dcl_khr_local_int32_extended_atomics=1",            \
      "-Dcl_khr_int64_base_atomics=1", "-Dcl_khr_int64_extended_atomics=1", "-Dcl_khr_fp64=1",     \
      "-Dcl_khr_fp16=1", "-Dcl_khr_byte_addressable_store=1", "-Dcl_khr_3d_image_writes=1",        \
      "-Dcl_khr_subgroups=1", "-Dcl_khr_depth_images=1", "-D__IMAGE_SUPPORT__=1",

/* Annotations of verifiers that are macros, some with types as arguments. */
#define ANNOTATIONS                                                                                \
  "-D__is_pow2(x)=(((x) & ((x) - 1)) == 0)", "-D__mod_pow2(x, y)=(((y) - 1) & (x))",               \
      "-D__ite(b, x, y)=((b) ? (x) : (y))", "-D__add(x, y)=((x) + (y))",                           \
      "-D__implies(x, y)=(!(x) || (y))", "-D__non_temporal(e)=e", "-D__axiom(e)=__axiom (e);",     \
      "-D__no_read(p)=(!__read (p))", "-D__no_write(p)=(!__write (p))",                            \
      "-D__read_implies(p, e)=(!__read (p) || (e))",                                               \
      "-D__write_implies(p, e)=(!__write (p) || (e))", "-D__rspcheck_second(x, y, ...)=y",         \
      "-D__read_permission(...)=__read_permission (__rspcheck_second (__VA_ARGS__, __VA_ARGS__))", \
      "-D__rspcheck_function(f, r, ...)=r __uninterpreted_function_##f (__VA_ARGS__);",            \
      "-DDECLARE_UF_UNARY(f, a, r)=__rspcheck_function (f, r, a) "                                 \
      "r f (a x) { return __uninterpreted_function_##f (x); }",                                    \
      "-DDECLARE_UF_BINARY(f, a, b, r)=__rspcheck_function (f, r, a, b) "                          \
      "r f (a x, b y) { return __uninterpreted_function_##f (x, y); }",

/* The file's name in a form that no tool takes for an option, or for a file of options (`@F`). */
static char *plain_name (const char *file) {
  return g_path_is_absolute (file) ? g_strdup (file) : g_strconcat ("./", file, NULL);
}

static GPtrArray *command_line (char **program, const char *file, const char *folder,
                                const char *const *arguments) {
  static const char *const fixed[] = { EXTENSIONS "-x",
                                       "c",
                                       "-undef",
                                       "-w",
                                       "-fmax-errors=1",
                                       "-D__OPENCL_VERSION__=200",
                                       "-D__OPENCL_C_VERSION__=200",
                                       "-DCL_VERSION_1_0=100",
                                       "-DCL_VERSION_1_1=110",
                                       "-DCL_VERSION_1_2=120",
                                       "-DCL_VERSION_2_0=200",
                                       "-D__ENDIAN_LITTLE__=1",
                                       "-DATOMIC_VAR_INIT(x)=(x)",
                                       "-DATOMIC_FLAG_INIT=0",
                                       ANNOTATIONS "-D__RSPCHECK__=1",
                                       "-D__OPENCL__=1" };
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; program[i]; i++)
    g_ptr_array_add (words, g_strdup (program[i]));
  for (gsize i = 0; i < G_N_ELEMENTS (fixed); i++)
    g_ptr_array_add (words, g_strdup (fixed[i]));
  for (guint i = 0; arguments && arguments[i]; i++)
    g_ptr_array_add (words, arguments[i][0] == '@' ? plain_name (arguments[i]) /* of -include */
                                                   : g_strdup (arguments[i]));
  g_ptr_array_add (words, g_strdup ("-iquote"));
  g_ptr_array_add (words, plain_name (folder));
  g_ptr_array_add (words, g_strdup (file));
  g_ptr_array_add (words, NULL);
  return words;
}

/* A compiler, or part of one: what messages call it, which say that they need it, and how to have
 * it. */
typedef struct Tool {
  const char *name, *needed, *hint;
} Tool;

/* The first error of the tool, at its place: "k.cl:3:10: fatal error: x.h: No such file …", "ERROR:
 * k.comp:3: 'y' : undeclared identifier". */
static void report_failure (const Tool *tool, const RspSource *source, const char *file,
                            const char *errors, RspDiagnostics *diagnostics) {
  RspSpan span = { (RspSource *) source, 0, 0 };
  const char *own = g_str_has_prefix (errors, "ERROR: ") ? errors + strlen ("ERROR: ") : errors,
             *message = strstr (own, "error: ");
  if (g_str_has_prefix (own, file) && own[strlen (file)] == ':') {
    char *end;
    const guint64 line = g_ascii_strtoull (own + strlen (file) + 1, &end, 10);
    own = *end == ':' ? end + 1 : end;
    if (line && line <= source->n_lines)
      span.begin = span.end = source->lines[line - 1];
  }
  own = message ? message + strlen ("error: ") : own;
  g_autofree char *text = g_strstrip (g_strndup (own, strcspn (own, "\n")));
  rsp_error (diagnostics, span, NULL, "%s failed: %s", tool->name, text);
}

/* Reads what the process prints to two streams (-1: none), closes them and its input, and waits for
 * its end. Returns waitpid's status; 0 without a process. */
static int await_process (GPid process, int input, const int streams[2], GString *text,
                          GString *errors) {
  int status = 0;
  const gboolean ended = read_streams (streams, (GString *const[2]){ text, errors });
  if (!ended) /* -confined may not send signals */
    close (input);
  while (process > 0 && waitpid (process, &status, 0) < 0 && errno == EINTR)
    ;
  if (ended)
    close (input);
  return status;
}

gboolean rsp_kernel_run_apart (void (*run) (gpointer data, int out), gpointer data, GString *text,
                               int *status) {
  int input[2], output[2] = { -1, -1 };
  gsize pages = 0;
  if (pipe2 (output, O_CLOEXEC) != 0 || pipe2 (input, O_CLOEXEC) != 0) {
    const int error = errno;
    close (output[0]);
    close (output[1]);
    errno = error;
    return FALSE;
  }
  const pid_t process = fork ();
  if (process == 0) { /* so that its end does not affect others */
    FILE *sizes = fopen ("/proc/self/statm", "r");
    if (!sizes || fscanf (sizes, "%zu", &pages) != 1)
      pages = 0;
    close (input[1]);
    signal (SIGINT, SIG_DFL);
    signal (SIGTERM, SIG_DFL);
    dup2 (input[0], STDIN_FILENO);
    dup2 (open ("/dev/null", O_WRONLY), STDERR_FILENO);
    limit_process (pages * (gsize) sysconf (_SC_PAGESIZE));
  }
  if (process <= 0)
    run (data, output[1]);
  if (process == 0)
    _exit (0);
  close (input[0]);
  close (output[1]);
  *status = await_process (process, input[1], (int[]){ output[0], -1 }, text, text);
  return TRUE;
}

/* Runs a tool on the file with the source's text, with limited time, memory and output; words: its
 * command line, NULL-terminated. Appends what it prints; FALSE after an error. */
static gboolean run_tool (const Tool *tool, const RspSource *source, const char *file, char **words,
                          GString *text, RspDiagnostics *diagnostics) {
  const RspSpan span = { (RspSource *) source, 0, 0 };
  g_autoptr (GString) errors = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  GPid child;
  int input = -1, streams[2];
  if (!g_spawn_async_with_pipes (NULL, words, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD,
                                 limit_tool, words, &child, &input, &streams[0], &streams[1],
                                 &error)) {
    rsp_error (diagnostics, span, tool->hint, "%s `%s`: %s", tool->needed, words[0],
               error->message);
    return FALSE;
  }
  const int status = await_process (child, input, streams, text, errors);
  const gboolean good = WIFEXITED (status) && WEXITSTATUS (status) == 0;
  const char *printed = errors->len ? errors->str : text->str;
  if (text->len > MAX_OUTPUT)
    rsp_error (diagnostics, span, NULL, "the file has more than %d MiB after %s", MAX_OUTPUT >> 20,
               tool->name);
  else if (WIFSIGNALED (status) || (!good && !*printed))
    rsp_error (diagnostics, span, "do its macros expand, or does it include files, without end?",
               "%s took more than %d seconds or %d MiB", tool->name, MAX_SECONDS, MAX_MEMORY >> 20);
  else if (!good)
    report_failure (tool, source, file, printed, diagnostics);
  return good && text->len <= MAX_OUTPUT;
}

/* Preprocesses the file that has the source's text. */
static RspSource *run_preprocessor (const RspSource *source, const char *name,
                                    const char *const *arguments, RspDiagnostics *diagnostics) {
  static const Tool tool = { "the preprocessor", "kernels need the preprocessor",
                             "install a C compiler, or set CPP to the name of a preprocessor" };
  g_autofree char *file = plain_name (name), *folder = g_path_get_dirname (source->name);
  g_auto (GStrv) program = rsp_kernel_preprocessor ();
  g_autoptr (GPtrArray) words = command_line (program, file, folder, arguments);
  g_autoptr (GString) text = g_string_new (NULL);
  if (!run_tool (&tool, source, file, (char **) words->pdata, text, diagnostics))
    return NULL;
  char *laid_out = lay_out_lines (text->str, file, source->n_lines);
  return rsp_source_new (source->name, laid_out, strlen (laid_out));
}

/* ---- When it is needed ---- */
static gboolean has_any (const RspSource *source, const char *const *words) {
  for (guint i = 0; words[i]; i++)
    if (strstr (source->text, words[i]))
      return TRUE;
  return FALSE;
}

/* Would it change anything? */
static gboolean is_needed (const RspSource *source, const char *const *arguments) {
  static const char *const words[] = { "#",
                                       "%:",
                                       "??",
                                       "\\",
                                       "CL_VERSION_",
                                       "ATOMIC_VAR_INIT",
                                       "ATOMIC_FLAG_INIT",
                                       "cl_khr_",
                                       "__IMAGE_SUPPORT__",
                                       "__is_pow2",
                                       "__mod_pow2",
                                       "__ite",
                                       "_implies",
                                       "__no_",
                                       "__non_t",
                                       "__axiom",
                                       "__add",
                                       "__read_permission",
                                       "DECLARE_UF_",
                                       "__OPENCL",
                                       "__ENDIAN_",
                                       "__RSPCHECK",
                                       "_Pragma",
                                       "__LINE__",
                                       "__FILE",
                                       "__BASE_FILE",
                                       "__COUNTER",
                                       "__DATE",
                                       "__TIME",
                                       "__INCLUDE_LEVEL",
                                       "__STDC",
                                       "__VA_",
                                       "__has_",
                                       NULL };
  return (arguments && arguments[0]) || has_any (source, words);
}

/* Might a tool read files for this text, against -confined? Then an error is reported. A directive
 * that reads files has one of these words, if lines are not continued. */
static gboolean reads_forbidden (const RspSource *source, RspDiagnostics *diagnostics) {
  static const char *const words[]
      = { "include", "import", "embed", "dependency", "_Pragma", "\\", "??", NULL };
  const gboolean is_forbidden = rsp_source_is_confined () && has_any (source, words);
  if (is_forbidden)
    rsp_error (diagnostics, RSP_NOWHERE, NULL,
               "%s: -confined allows no `#include` and no continued lines in a kernel",
               source->name);
  return is_forbidden;
}

/* Opens a file with the text that is in no folder, for a tool. Returns its name, newly allocated;
 * NULL after an error. */
static char *open_copy (const char *text, RspDiagnostics *diagnostics) {
  g_autofree char *file = NULL;
  g_autoptr (GError) error = NULL;
  const gsize length = strlen (text);
  const int opened = g_file_open_tmp ("rspcheck-XXXXXX.cl", &file, &error);
  errno = 0;
  if (opened >= 0) /* nothing is left, however this process ends */
    unlink (file);
  if (opened >= 0 && write (opened, text, length) == (gssize) length)
    return g_strdup_printf (OPEN_FILE "%d", opened);
  rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s",
             error ? error->message : g_strerror (errno ? errno : ENOSPC));
  if (opened >= 0)
    close (opened);
  return NULL;
}

static void close_copy (char *file) {
  if (descriptor_of (file) >= 0)
    close (descriptor_of (file));
}

RspSource *kernel_preprocess (const RspSource *source, gboolean changed,
                              const char *const *arguments, RspDiagnostics *diagnostics) {
  g_autofree char *name = g_path_get_basename (source->name);
  if (!is_needed (source, arguments))
    return rsp_source_new (source->name, g_strndup (source->text, source->length), source->length);
  if (reads_forbidden (source, diagnostics))
    return NULL;
  /* The text with marks; NULL: it has no annotations. */
  gboolean any = FALSE;
  g_auto (GStrv) lines = g_strsplit (source->text, "\n", -1);
  for (guint i = 0; lines[i]; i++) {
    char *marked = exchange_word (lines[i], KERNEL_ANNOTATION, MARK);
    if (!marked)
      continue;
    any = TRUE;
    g_free (lines[i]);
    lines[i] = marked;
    join_lines (lines + i);
  }
  g_autofree char *marked = any ? g_strjoinv ("\n", lines) : NULL;
  if (!changed && !marked && *name != '@') /* GCC hands `-dumpbase @F` to its compiler */
    return run_preprocessor (source, source->name, arguments, diagnostics);
  g_autofree char *file = open_copy (marked ? marked : source->text, diagnostics);
  RspSource *result = file ? run_preprocessor (source, file, arguments, diagnostics) : NULL;
  if (file)
    close_copy (file);
  return result;
}

/* ---- GLSL ---- */
/* Compiles the file with the shader's text; include: an option if that is a copy, or NULL. */
static gboolean run_compiler (const RspSource *shader, const char *file, const char *include,
                              const char *const *arguments, GString *module,
                              RspDiagnostics *diagnostics) {
  static const char *const fixed[] = {
    "glslangValidator", "--quiet", "-V", "--target-env", "vulkan1.2", "-g", "-S", "comp", "-o",
    "/dev/stdout"
  };
  static const Tool tool
      = { "glslangValidator", "GLSL needs the compiler",
          "install it (Debian: glslang-tools), or compile the shader to SPIR-V elsewhere" };
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  for (gsize i = 0; i < G_N_ELEMENTS (fixed); i++)
    g_ptr_array_add (words, (gpointer) fixed[i]);
  for (guint i = 0; arguments && arguments[i]; i++) {
    if (strcmp (arguments[i], "-include") == 0) {
      rsp_error (diagnostics, RSP_NOWHERE, "`#include` in the shader, and -I",
                 "-include %s: glslangValidator has no such option", arguments[i + 1]);
      return FALSE;
    }
    g_ptr_array_add (words, (gpointer) arguments[i]);
  }
  if (include)
    g_ptr_array_add (words, (gpointer) include);
  g_ptr_array_add (words, (gpointer) file);
  g_ptr_array_add (words, NULL);
  return run_tool (&tool, shader, file, (char **) words->pdata, module, diagnostics);
}

char *rsp_kernel_compile (const char *path, const char *text, const char *const *arguments,
                          GString *module, RspDiagnostics *diagnostics) {
  g_autoptr (RspSource) shader = text ? rsp_source_new (path, g_strdup (text), strlen (text))
                                      : rsp_source_load (path, RSP_NOWHERE, diagnostics);
  if (!shader || reads_forbidden (shader, diagnostics))
    return NULL;
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *include = text ? g_strconcat ("-I", folder, NULL) : NULL;
  g_autofree char *file = text ? open_copy (text, diagnostics) : plain_name (path);
  const gboolean good
      = file && run_compiler (shader, file, include, arguments, module, diagnostics);
  if (file && text)
    close_copy (file);
  return good ? g_steal_pointer (&file) : NULL;
}
