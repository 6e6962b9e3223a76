/* Targets: their words, the layout of results, named barriers, compiling and running. */
#include "base/base.h"
#include "cli/gio.h"
#include "extra/hardware/hardware.h"
#include "extra/hardware/internal.h"
#include "parser/program.h"

#include <signal.h>
#include <string.h>

/* ---- Named barriers ------------------------------------------------------------------------- */

/* Threads meet if these agree: the barrier's number in the text, the resource, and how often the
 * thread came to it before. */
typedef struct Meeting {
  const char *id;
  gint64 name;
  guint count;
} Meeting;

static gint64 name_of (const RspBarrier *barrier) {
  return barrier->name ? barrier->name->u.constant : 0;
}

static Meeting meeting_of (const RspThread *thread, const RspStatement *statement) {
  Meeting meeting = { .id = statement->barrier->id, .name = name_of (statement->barrier) };
  for (const RspStatement *s = thread->body->first; s != statement; s = s->next)
    meeting.count += s->kind == RSP_STATEMENT_BARRIER && strcmp (s->barrier->id, meeting.id) == 0
                     && name_of (s->barrier) == meeting.name;
  return meeting;
}

static gboolean is_same (const Meeting *a, const Meeting *b) {
  return strcmp (a->id, b->id) == 0 && a->count == b->count && a->name == b->name;
}

/* The statement of a thread that comes to the meeting; NULL if it does not. */
static const RspStatement *find_meeting (const RspThread *thread, const Meeting *meeting) {
  for (const RspStatement *s = thread->body->first; s; s = s->next)
    if (s->kind == RSP_STATEMENT_BARRIER) {
      Meeting other = meeting_of (thread, s);
      if (is_same (&other, meeting))
        return s;
    }
  return NULL;
}

guint named_barrier_number (const RspProgram *program, const RspThread *thread,
                            const RspStatement *statement) {
  Meeting meeting = meeting_of (thread, statement);
  guint number = 1;
  for (const RspThread *t = program->threads; t <= thread; t++)
    for (const RspStatement *s = t->body->first; s; s = s->next) {
      if (s->kind != RSP_STATEMENT_BARRIER)
        continue;
      Meeting other = meeting_of (t, s);
      gboolean is_first = TRUE;
      if (is_same (&other, &meeting))
        return number;
      for (const RspThread *before = program->threads; before < t; before++)
        is_first &= !find_meeting (before, &other);
      number += is_first;
    }
  return number;
}

guint named_barrier_arrivals (const RspProgram *program, const RspThread *thread,
                              const RspStatement *statement) {
  Meeting meeting = meeting_of (thread, statement);
  guint n = 0;
  for (guint i = 0; i < program->n_threads; i++)
    n += rsp_threads_share (&program->threads[i], thread, RSP_LEVEL_WORK_GROUP)
         && find_meeting (&program->threads[i], &meeting);
  return n;
}

gboolean has_named_barriers (const RspThread *thread) {
  for (const RspStatement *s = thread->body->first; s; s = s->next)
    if (s->kind == RSP_STATEMENT_BARRIER)
      return TRUE;
  return FALSE;
}

/* ---- Target --------------------------------------------------------------------------------- */

const char *const rsp_target_names[RSP_N_TARGETS + 1] = { "cuda", "c11", "opencl", NULL };

#define ORDERS(prefix)                                                                             \
  [RSP_ORDER_RELAXED] = prefix "memory_order_relaxed",                                             \
  [RSP_ORDER_ACQUIRE] = prefix "memory_order_acquire",                                             \
  [RSP_ORDER_RELEASE] = prefix "memory_order_release",                                             \
  [RSP_ORDER_ACQ_REL] = prefix "memory_order_acq_rel",                                             \
  [RSP_ORDER_SEQ_CST] = prefix "memory_order_seq_cst"

static const TargetFile cuda_files[] = { { "suite.h", template_suite_h, NULL },
                                         { "parameters.h", template_parameters_h, NULL },
                                         { "cuda.h", template_cuda_h, NULL },
                                         { NULL, NULL, NULL } };

/* libcu++ has no sub-group scope: the block includes it. */
#define CUDA_SCOPE_WORK_ITEM "thread"

#define CUDA_SCOPE_SUB_GROUP  "block"
#define CUDA_SCOPE_WORK_GROUP "block"
#define CUDA_SCOPE_DEVICE     "device"
#define CUDA_SCOPE_ALL        "system"

static const Target cuda = {
  .operations = {
#define OPERATION(id, cuda, c11, opencl) cuda,
#include "extra/hardware/operations.def"
  },
  .orders = { ORDERS ("cuda::") },
  .scopes = {
#define RSP_SCOPE(id, level, word, text, short_word, set, relation)                                \
  "cuda::thread_scope_" CUDA_SCOPE_##id,
#include "parser/scopes.def"
  },
  .spaces = { "", "", "", "" },
  .nowhere = "NULL",
  .extension = "cu",
  .head = "#include \"cuda.h\"\n",
  .build = { "NVCC", "nvcc", "NVCCFLAGS", "-O3 -std=c++17 -arch=native", "", "",
             "install NVIDIA's CUDA toolkit, or set NVCC to its compiler" },
  .files = cuda_files,
  .least_bits = 8,
};

static const TargetFile c11_files[] = { { "suite.h", template_suite_h, NULL },
                                        { "parameters.h", template_parameters_h, NULL },
                                        { "c11.h", template_c11_h, NULL },
                                        { NULL, NULL, NULL } };

static const Target c11 = {
  .operations = {
#define OPERATION(id, cuda, c11, opencl) c11,
#include "extra/hardware/operations.def"
  },
  .orders = { ORDERS ("") },
  .scopes = {
#define RSP_SCOPE(id, level, word, text, short_word, set, relation) "",
#include "parser/scopes.def"
  },
  .spaces = { "", "", "", "" },
  .nowhere = "NULL",
  .extension = "c",
  .head = "#include \"c11.h\"\n",
  .build = { "CC", "cc", "CFLAGS", "-O2 -g", "-std=c11 -D_GNU_SOURCE -fwrapv -pthread", "",
             "install a C11 compiler, or set CC to one" },
  .files = c11_files,
  .least_bits = 8,
};

static const TargetFile opencl_files[]
    = { { "suite.h", template_suite_h, NULL },
        { "parameters.h", template_parameters_h, NULL },
        { "opencl.h", template_opencl_h, NULL },
        { "opencl_kernel.h", template_opencl_kernel_h, "opencl_kernel" },
        { NULL, NULL, NULL } };

static const Target opencl = {
  .operations = {
#define OPERATION(id, cuda, c11, opencl) opencl,
#include "extra/hardware/operations.def"
  },
  .orders = { ORDERS ("") },
  .scopes = {
#define RSP_SCOPE(id, level, word, text, short_word, set, relation) "memory_scope_" word,
#include "parser/scopes.def"
  },
  .spaces = { [RSP_SPACE_GLOBAL] = "global",
              [RSP_SPACE_LOCAL] = "local",
              [RSP_SPACE_CONSTANT] = "global",
              [RSP_SPACE_PRIVATE] = "private" },
  .nowhere = "0",
  .extension = "c",
  .head = "#include \"opencl.h\"\n",
  .build
  = { "CC", "cc", "CFLAGS", "-O2 -g", "-std=c11 -D_GNU_SOURCE -DCL_TARGET_OPENCL_VERSION=300",
      "-lOpenCL", "install a C11 compiler, or set CC to one" },
  .files = opencl_files,
  .least_bits = 32,
  .quoted = TRUE,
};

const Target *target_get (RspTarget target) {
  static const Target *const targets[RSP_N_TARGETS] = { &cuda, &c11, &opencl };
  return targets[target];
}

/* The operators of `FETCH` rows in the list of calls are operations of the same name. */
static const struct {
  RspOperator op;
  Operation operation;
} fetches[] = {
#define FETCH_ROW(op)    { RSP_OP_##op, OPERATION_##op },
#define ROW_OF_FETCH(op) FETCH_ROW (op)
#define ROW_OF_LOAD(op)
#define ROW_OF_REDUCE(op) /* as FETCH */
#define ROW_OF_UNLESS(op) /* refused */
#define ROW_OF_FETCH_UNLESS(op)
#define ROW_OF_STORE(op)
#define ROW_OF_INIT(op)
#define ROW_OF_CAS(op)
#define ROW_OF_FENCE(op)
#define ROW_OF_FLAG_TEST_AND_SET(op)
#define ROW_OF_FLAG_CLEAR(op)
#define CALL(name, short_name, kind, op, weak, plain, explicit) ROW_OF_##kind (op)
#include "parser/litmus/words.def"
};

Operation target_fetch (RspOperator op) {
  guint i = 0;
  while (i < G_N_ELEMENTS (fetches) - 1 && fetches[i].op != op)
    i++;
  g_assert (fetches[i].op == op);
  return fetches[i].operation;
}

RspOrder target_order (Operation operation, RspOrder order) {
  if (order == RSP_ORDER_CONSUME)
    order = RSP_ORDER_ACQUIRE;
  if (operation == OPERATION_LOAD && order == RSP_ORDER_ACQ_REL)
    return RSP_ORDER_ACQUIRE;
  if (operation == OPERATION_LOAD && order == RSP_ORDER_RELEASE)
    return RSP_ORDER_RELAXED;
  if (operation == OPERATION_STORE && order == RSP_ORDER_ACQ_REL)
    return RSP_ORDER_RELEASE;
  if (operation == OPERATION_STORE && order == RSP_ORDER_ACQUIRE)
    return RSP_ORDER_RELAXED;
  return order;
}

/* ---- Layout --------------------------------------------------------------------------------- */

static guint bytes_of (const RspType *type) { return type->pointers ? 8 : MAX (type->bits / 8, 1); }

static gboolean has_wide_copies (const RspProgram *program) {
  for (guint i = 0; i < program->n_threads && program->language->tagged; i++)
    for (const RspStatement *s = program->threads[i].body->first; s; s = s->next) {
      const RspCall *call = rsp_statement_call (s);
      if (call && call->kind == RSP_CALL_COPY
          && (call->tags & RSP_TAG_BIT (ASYNC) || strstr (call->name, ".cg.")))
        return TRUE;
    }
  return FALSE;
}

guint layout_unit (const RspProgram *program) {
  guint most = has_wide_copies (program) ? COPIED_BYTES : 4;
  for (guint i = 0; i < program->n_locations; i++)
    most = MAX (most, bytes_of (&program->locations[i].type));
  return most;
}

guint layout_units (const RspProgram *program, guint object) {
  const RspLocation *location = &program->locations[object];
  guint unit = layout_unit (program);
  return (bytes_of (&location->type) * location->n_elements + unit - 1) / unit;
}

RspSpace layout_space (const RspProgram *program, guint object) {
  return program->locations[object].type.space == RSP_SPACE_LOCAL ? RSP_SPACE_LOCAL
                                                                  : RSP_SPACE_GLOBAL;
}

static guint units_below (const RspProgram *program, guint end, RspSpace space) {
  guint units = 0;
  for (guint i = 0; i < end; i++)
    if (program->locations[i].object == i && layout_space (program, i) == space)
      units += layout_units (program, i);
  return units;
}

guint layout_before (const RspProgram *program, guint object) {
  return units_below (program, object, layout_space (program, object));
}

guint layout_total (const RspProgram *program, RspSpace space) {
  return units_below (program, program->n_locations, space);
}

/* ---- Results ---- */
/* Do threads report the observable, in a word of the result? Others are read from memory. */
static gboolean is_reported (const RspProgram *program, const RspObservable *observable) {
  return observable->is_register
         || layout_space (program, program->locations[observable->location].object)
                == RSP_SPACE_LOCAL;
}

static guint reported_below (const RspProgram *program, guint end) {
  guint n = 0;
  for (guint i = 0; i < end; i++)
    n += is_reported (program, &program->observables[i]);
  return n;
}

guint layout_result (const RspProgram *program, guint observable) {
  return is_reported (program, &program->observables[observable])
             ? reported_below (program, observable)
             : G_MAXUINT;
}

guint layout_n_results (const RspProgram *program) {
  return reported_below (program, program->n_observables);
}

/* ---- Groups ---- */
/* Is the thread the first of its work-group? */
static gboolean is_first (const RspProgram *program, const RspThread *thread) {
  return layout_member (program, thread) == 0;
}

guint layout_member (const RspProgram *program, const RspThread *thread) {
  guint member = 0;
  for (const RspThread *t = program->threads; t < thread; t++)
    member += rsp_threads_share (t, thread, RSP_LEVEL_WORK_GROUP);
  return member;
}

guint layout_n_groups (const RspProgram *program) {
  guint n = 0;
  for (guint i = 0; i < program->n_threads; i++)
    n += is_first (program, &program->threads[i]);
  return n;
}

guint layout_group (const RspProgram *program, const RspThread *thread) {
  guint group = 0;
  for (guint i = 0; i < program->n_threads; i++) {
    const RspThread *other = &program->threads[i];
    RspLevel level = RSP_LEVEL_DEVICE; /* the outermost that they do not share */
    while (level < RSP_LEVEL_WORK_GROUP && rsp_threads_share (other, thread, level))
      level++;
    group += is_first (program, other) && other->place[level] < thread->place[level];
  }
  return group;
}

guint layout_device (const RspProgram *program, guint group) {
  const RspThread *thread = program->threads, *end = thread + program->n_threads;
  while (thread < end && layout_group (program, thread) != group)
    thread++;
  guint device = 0; /* of the thread, among the test's devices */
  for (const RspThread *t = program->threads; thread < end && t < end; t++) {
    gboolean seen = t->place[RSP_LEVEL_DEVICE] >= thread->place[RSP_LEVEL_DEVICE];
    for (const RspThread *u = program->threads; u < t; u++)
      seen |= rsp_threads_share (u, t, RSP_LEVEL_DEVICE);
    device += !seen;
  }
  return device;
}

guint layout_n_devices (const RspProgram *program) {
  return layout_device (program, layout_n_groups (program) - 1) + 1;
}

/* ---- Clusters ---- */
static const RspThread *first_of_group (const RspProgram *program, guint group) {
  const RspThread *thread = program->threads;
  while (layout_group (program, thread) != group)
    thread++;
  return thread;
}

static gboolean share_cluster (const RspProgram *program, guint a, guint b) {
  return a == b
         || (program->language->tagged
             && rsp_threads_share (first_of_group (program, a), first_of_group (program, b),
                                   RSP_LEVEL_KERNEL));
}

guint layout_cluster (const RspProgram *program) {
  guint most = 1;
  for (guint a = 0; a < layout_n_groups (program); a++) {
    guint n = 0;
    for (guint b = 0; b < layout_n_groups (program); b++)
      n += share_cluster (program, a, b);
    most = MAX (most, n);
  }
  return most;
}

/* Groups of a cluster come one after the other. */
guint layout_slot (const RspProgram *program, guint group) {
  guint size = layout_cluster (program), cluster = 0, place = 0;
  for (guint g = 0; g < group; g++) {
    gboolean same = share_cluster (program, g, group);
    place += same;
    cluster += !same && layout_device (program, g) == layout_device (program, group)
               && !share_cluster (program, g, g + 1);
  }
  return cluster * size + place;
}

/* ---- Run ------------------------------------------------------------------------------------ */

/* ---- Commands ---- */
/* Adds the words of an environment variable, or else of `otherwise`, split as a shell does; no
 * shell runs. */
static gboolean add_words (GPtrArray *words, const char *variable, const char *otherwise,
                           GError **error) {
  const char *text = variable ? g_getenv (variable) : NULL;
  g_auto (GStrv) found = NULL;
  text = text && *text ? text : otherwise;
  if (!*text)
    return TRUE;
  if (!g_shell_parse_argv (text, NULL, &found, error)) {
    g_prefix_error (error, "%s: ", variable);
    return FALSE;
  }
  for (guint i = 0; found[i]; i++)
    g_ptr_array_add (words, g_strdup (found[i]));
  return TRUE;
}

/* Compiler and flags; NULL after an error. */
static GPtrArray *compiler_words (const Build *build, GError **error) {
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  if (!add_words (words, build->variable, build->compiler, error)
      || !add_words (words, NULL, build->always, error)
      || !add_words (words, build->flags_variable, build->flags, error))
    return NULL;
  return g_steal_pointer (&words);
}

/* A compiler starts others: all of them are in one group, so that they end together. */
static void lead_group (G_GNUC_UNUSED gpointer data) { setpgid (0, 0); }

static GSubprocess *start_process (const char *folder, GPtrArray *words, GSubprocessFlags flags,
                                   GError **error) {
  g_autoptr (GSubprocessLauncher) launcher = cli_gio.subprocess_launcher_new (flags);
  cli_gio.subprocess_launcher_set_cwd (launcher, folder);
  cli_gio.subprocess_launcher_set_child_setup (launcher, lead_group, NULL, NULL);
  g_ptr_array_add (words, NULL);
  return cli_gio.subprocess_launcher_spawnv (launcher, (const char *const *) words->pdata, error);
}

/* Ends a process in a way that leaves no files. */
static void stop_process (GSubprocess *process) {
  const char *leader = cli_gio.subprocess_get_identifier (process); /* NULL: it has ended */
  if (leader)
    kill (-(pid_t) strtol (leader, NULL, 10), SIGTERM); /* not SIGKILL: they have files to remove */
  cli_gio.subprocess_wait (process, NULL, NULL);
}

/* The first line that reports an error, or else the first line. */
static char *find_error_line (const char *text) {
  g_auto (GStrv) lines = g_strsplit (text ? text : "", "\n", -1);
  for (guint i = 0; lines[i]; i++)
    if (strstr (lines[i], "error") || strstr (lines[i], "undefined reference"))
      return g_strdup (lines[i]);
  return g_strdup (lines[0] ? lines[0] : "");
}

/* ---- Compiling ---- */
static GSubprocess *start_compiler (const Build *build, const char *folder, GPtrArray *words,
                                    GError **error) {
  g_autofree char *name = g_strdup (words->pdata[0]);
  GSubprocess *process = start_process (
      folder, words, G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE, error);
  if (!process) {
    g_clear_error (error);
    g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT, "cannot run the compiler `%s`: %s",
                 name, build->missing);
  }
  return process;
}

static gboolean await_compiler (GSubprocess *process, const char *what, GCancellable *cancellable,
                                GError **error) {
  g_autofree char *errors = NULL;
  if (!cli_gio.subprocess_communicate_utf8 (process, NULL, cancellable, NULL, &errors, error))
    return FALSE;
  if (cli_gio.subprocess_get_successful (process))
    return TRUE;
  g_autofree char *line = find_error_line (errors);
  g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
               "the compiler failed on %s: %s (`-sources DIR` keeps the sources)", what, line);
  return FALSE;
}

static GSubprocess *compile_file (const Target *target, const char *folder, const char *file,
                                  GError **error) {
  g_autoptr (GPtrArray) words = compiler_words (&target->build, error);
  if (!words)
    return NULL;
  gsize stem = strlen (file) - strlen (target->extension);
  const char *const rest[] = { "-c", "-o", NULL, file };
  for (guint i = 0; i < G_N_ELEMENTS (rest); i++)
    g_ptr_array_add (words,
                     rest[i] ? g_strdup (rest[i]) : g_strdup_printf ("%.*so", (int) stem, file));
  return start_compiler (&target->build, folder, words, error);
}

/* Runs up to `jobs` compilers at a time and waits for the oldest. */
static gboolean compile_all (const Target *target, const char *folder, const GPtrArray *files,
                             guint jobs, GCancellable *cancellable, GError **error) {
  g_autoptr (GPtrArray) running = g_ptr_array_new_with_free_func (g_object_unref);
  gboolean good = TRUE;
  for (guint i = 0, done = 0; good && done < files->len;)
    if (i < files->len && i - done < MAX (jobs, 1)) {
      GSubprocess *process = compile_file (target, folder, files->pdata[i++], error);
      good = process != NULL;
      if (process)
        g_ptr_array_add (running, process);
    } else {
      good = await_compiler (running->pdata[done], files->pdata[done], cancellable, error);
      done++;
    }
  for (guint i = 0; !good && i < running->len; i++)
    stop_process (running->pdata[i]);
  return good;
}

gboolean rsp_hardware_build (RspTarget target, guint n_programs, const char *folder, guint jobs,
                             GCancellable *cancellable, GError **error) {
  const Target *t = target_get (target);
  g_autoptr (GPtrArray) files = suite_sources (t, n_programs);
  if (!compile_all (t, folder, files, jobs, cancellable, error))
    return FALSE;
  g_autoptr (GPtrArray) words = compiler_words (&t->build, error);
  if (!words)
    return FALSE;
  g_ptr_array_add (words, g_strdup ("-o"));
  g_ptr_array_add (words, g_strdup ("suite"));
  for (guint i = 0; i < files->len; i++) {
    const char *file = files->pdata[i];
    gsize stem = strlen (file) - strlen (t->extension);
    g_ptr_array_add (words, g_strdup_printf ("%.*so", (int) stem, file));
  }
  if (!add_words (words, NULL, t->build.libraries, error))
    return FALSE;
  g_autoptr (GSubprocess) process = start_compiler (&t->build, folder, words, error);
  if (process && await_compiler (process, "the program (linking)", cancellable, error))
    return TRUE;
  if (process)
    stop_process (process);
  return FALSE;
}

/* ---- Running ---- */
char *rsp_hardware_run (const char *folder, const RspDeviceRun *how, GCancellable *cancellable,
                        GError **error) {
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  char seconds[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *absolute = g_canonicalize_filename (folder, NULL);
  g_ptr_array_add (words, g_build_filename (absolute, "suite", NULL));
  g_ptr_array_add (words, g_strdup ("--runs"));
  g_ptr_array_add (words, g_strdup_printf ("%" G_GUINT64_FORMAT, how->runs));
  g_ptr_array_add (words, g_strdup ("--seconds"));
  g_ptr_array_add (words, g_strdup (g_ascii_dtostr (seconds, sizeof seconds, how->seconds)));
  g_ptr_array_add (words, g_strdup ("--seed"));
  g_ptr_array_add (words, g_strdup_printf ("%" G_GUINT64_FORMAT, how->seed));
  GSubprocessFlags flags = G_SUBPROCESS_FLAGS_STDOUT_PIPE;
  if (!how->progress)
    flags |= G_SUBPROCESS_FLAGS_STDERR_PIPE;
  g_autoptr (GSubprocess) process = start_process (folder, words, flags, error);
  g_autofree char *log = NULL, *errors = NULL;
  if (process
      && !cli_gio.subprocess_communicate_utf8 (process, NULL, cancellable, &log, &errors, error))
    stop_process (process);
  else if (process && cli_gio.subprocess_get_if_signaled (process))
    g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
                 "the tests' program was ended by signal %d (%s)",
                 cli_gio.subprocess_get_term_sig (process),
                 g_strsignal (cli_gio.subprocess_get_term_sig (process)));
  else if (process && !cli_gio.subprocess_get_successful (process)) {
    g_autofree char *line = find_error_line (errors);
    g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED, "%s",
                 *line ? line : "the tests' program failed");
  }
  return log ? g_steal_pointer (&log) : g_strdup ("");
}
