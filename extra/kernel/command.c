/* -kernel: its options, and all kernels of a run. */
#include "api/api.h"
#include "extra/kernel/internal.h"
#include "report/report.h"

#include <string.h>

/* ---- Options ---- */
static void add_words (GPtrArray *words, const char *option, const GPtrArray *values) {
  for (guint i = 0; i < values->len; i++)
    if (strlen (option) == 2)
      g_ptr_array_add (words, g_strdup_printf ("%s%s", option, (const char *) values->pdata[i]));
    else {
      g_ptr_array_add (words, g_strdup (option));
      g_ptr_array_add (words, g_strdup (values->pdata[i]));
    }
}

/* May argument i have any value, or each of a range, unless it is given again? */
static gboolean is_any (const GPtrArray *all, guint i) {
  const char *own = all->pdata[i];
  const gsize length = strcspn (own, "[=");
  for (guint k = i + 1; k < all->len && all->pdata[k]; k++)
    if (strcspn (all->pdata[k], "[=") == length && strncmp (all->pdata[k], own, length) == 0)
      return FALSE;
  return g_str_has_suffix (own, "=any") || kernel_range_of (own, NULL, NULL);
}

/* Reads the text of a grid, and its offsets. FALSE after an error. */
static gboolean read_grid (const CliOptions *options, const char *text, RspKernelOptions *kernel,
                           RspDiagnostics *diagnostics) {
  const KernelOptions *own = kernel_own_options (options);
  if (!text)
    rsp_error (diagnostics, RSP_NOWHERE, "`-grid 2x2`: two work-groups of two work-items",
               "`-kernel` needs a grid");
  else if (!rsp_grid_parse (text, &kernel->grid))
    rsp_error (
        diagnostics, RSP_NOWHERE,
        "`-grid 2x2`, or `-grid 2x1x2`: work-groups, sub-groups of each, work-items of each; "
        "`-grid 2,2x4,4`: two dimensions",
        "-grid: found `%s`, expected two or three numbers with `x` between them", text);
  else if (own->offset && !rsp_grid_parse_offset (own->offset, &kernel->grid))
    rsp_error (diagnostics, RSP_NOWHERE, "`-offset 16`; `-offset 16,8`: of two dimensions",
               "-offset: found `%s`, expected numbers", own->offset);
  else if (cli_option_is_set (options, "placements")
           && (kernel->grid.dimensions > 1 || own->sarif || options->explain || options->tsv
               || cli_option_is_set (options, "repair")))
    rsp_error (diagnostics, RSP_NOWHERE, "`-grid 2x2`; `-json` prints it as JSON",
               "`-kernel` with `-placements` lists the divisions of a grid of one dimension: it "
               "cannot be combined with -sarif, -tsv, -explain or -repair");
  kernel->grid.devices = own->devices;
  kernel->grid.clusters = own->clusters;
  return rsp_diagnostics_count_errors (diagnostics) == 0;
}

/* Reads the options that all kernels of a run share. FALSE after an error. */
static gboolean read_options (const CliOptions *options, RspKernelOptions *kernel,
                              GPtrArray *preprocessing, RspDiagnostics *diagnostics) {
  const KernelOptions *own = kernel_own_options (options);
  const GPtrArray *all = own->arguments;
  if ((own->grid || !cli_kernels_of (own->kernel))
      && !read_grid (options, own->grid, kernel, diagnostics))
    return FALSE;
  if (cli_option_is_set (options, "repair") && own->sarif)
    rsp_error (diagnostics, RSP_NOWHERE, "`-json` prints both as JSON",
               "`-repair` prints patches, which `-sarif` has no place for");
  else if (!kernel_check_chosen (own->chosen, diagnostics))
    return FALSE;
  guint n_any = 0;
  for (guint i = 0; i < options->inputs->len; i++)
    if (g_str_has_suffix (options->inputs->pdata[i], ".litmus"))
      rsp_error (diagnostics, RSP_NOWHERE, NULL, "`-kernel` takes no tests, but `%s` is given",
                 (const char *) options->inputs->pdata[i]);
  for (guint i = 0; i < all->len; i++) {
    if (!is_any (all, i) || ++n_any > RSP_KERNEL_MAX_UNKNOWN + 1)
      continue;
    if (n_any > RSP_KERNEL_MAX_UNKNOWN)
      rsp_error (diagnostics, RSP_NOWHERE, "give numbers for some",
                 "-arg %s: only %u arguments may have any value", (char *) all->pdata[i],
                 RSP_KERNEL_MAX_UNKNOWN);
    else if (n_any == 1 && (options->explain || cli_option_is_set (options, "repair")))
      rsp_error (diagnostics, RSP_NOWHERE, "give it a value with which there is a finding",
                 "-arg %s: `-explain` and `-repair` are about one value", (char *) all->pdata[i]);
  }
  add_words (preprocessing, "-D", own->macros);
  add_words (preprocessing, "-I", options->directories);
  add_words (preprocessing, "-include", own->includes);
  g_ptr_array_add (preprocessing, NULL);
  kernel->preprocessing = (const char *const *) preprocessing->pdata;
  return rsp_diagnostics_count_errors (diagnostics) == 0;
}

/* ---- Several ---- */
/* All kernels of a run. */
typedef struct Batch {
  const CliOptions *options;
  RspDiagnostics *diagnostics;
  RspKernelOptions kernel; /* those that all kernels share */
  CliModels *models;
  GPtrArray *files;   /* of File */
  GPtrArray *answers; /* of KernelAnswer */
  gboolean named;     /* are there several answers? */
  GHashTable *seen;   /* texts of diagnostics */
  RspJson *notes;     /* for -sarif: what was printed on standard error */
  int status;
} Batch;

typedef struct File {
  char *path;
  const CliKernels *language; /* NULL: it is OpenCL C */
  RspKernelFile *text;        /* NULL: it is in another language, or could not be read */
  RspKernelFront *front;      /* in another language; NULL: it could not be read */
  char *grid;                 /* NULL: none is given */
  gboolean unknown_model;     /* is it the module's, which could not be read? */
  GPtrArray *kernels; /* of GStrv: the name of a kernel to check (NULL: any), and its parameters */
  GPtrArray *columns;
} File;

static void free_file (gpointer data) {
  File *file = data;
  if (file->front)
    file->language->close (file->front);
  g_clear_pointer (&file->text, rsp_kernel_close);
  g_clear_pointer (&file->kernels, g_ptr_array_unref);
  g_ptr_array_unref (file->columns);
  g_free (file->grid);
  g_free (file->path);
  g_free (file);
}

static void free_answer (gpointer data) {
  KernelAnswer *answer = data;
  kernel_clear_findings (&answer->findings);
  g_free (answer);
}

/* Is it the first of its text? Each model reports what is wrong with a kernel. */
static gboolean is_new (const RspDiagnostic *diagnostic, gpointer seen) {
  GString *text = g_string_new (NULL);
  rsp_diagnostic_format (diagnostic, FALSE, text);
  return g_hash_table_add (seen, g_string_free (text, FALSE));
}

static void print_diagnostics (Batch *batch) {
  rsp_diagnostics_filter (batch->diagnostics, is_new, batch->seen);
  for (guint i = 0; i < rsp_diagnostics_count (batch->diagnostics); i++)
    rsp_json_add (batch->notes, kernel_notification (rsp_diagnostics_get (batch->diagnostics, i)));
  cli_print_diagnostics (batch->diagnostics, batch->options->quiet);
}

/* Is it a test: does it begin with the name of a language of tests? */
static gboolean is_test (const char *path) {
  g_autoptr (RspSource) source
      = g_str_has_suffix (path, ".litmus") ? rsp_source_read (path, NULL) : NULL;
  gsize length = source ? strcspn (source->text, " \t\r\n") : 0;
  for (guint i = 0; i < RSP_N_LANGUAGES; i++)
    if (strlen (rsp_languages[i].word) == length
        && strncmp (rsp_languages[i].word, source->text, length) == 0)
      return TRUE;
  return FALSE;
}

/* The files: -kernel's, and the arguments'; folders stand for their files. */
static GPtrArray *find_files (Batch *batch) {
  GPtrArray *inputs = g_ptr_array_new ();
  char *first = kernel_own_options (batch->options)->kernel;
  const gboolean is_folder = g_file_test (first, G_FILE_TEST_IS_DIR);
  if (is_folder)
    g_ptr_array_add (inputs, first);
  g_ptr_array_extend (inputs, batch->options->inputs, NULL, NULL);
  GPtrArray *paths = cli_inputs_expand_to (inputs, ".cl", batch->diagnostics);
  if (!is_folder) { /* also if its name begins with `@`, as those of lists do */
    char *shipped = cli_inputs_shipped (first, ".cl", batch->diagnostics);
    g_ptr_array_insert (paths, 0, shipped ? shipped : g_strdup (first));
  }
  for (guint i = paths->len; i-- > 0;)
    if (is_test (paths->pdata[i])) {
      g_autofree char *hint = g_strdup_printf ("`rspcheck %s`", (const char *) paths->pdata[i]);
      rsp_error (batch->diagnostics, RSP_NOWHERE, hint, "%s: is a litmus test, not a kernel",
                 (const char *) paths->pdata[i]);
      g_free (g_ptr_array_steal_index (paths, i));
    }
  g_ptr_array_unref (inputs);
  return paths;
}

/* The file's kernels that -entry names, or all. */
static GPtrArray *select_kernels (const Batch *batch, const File *file, guint n_files) {
  const char *entry = kernel_own_options (batch->options)->entry;
  g_auto (GStrv) names = entry ? g_strsplit (entry, ",", -1) : NULL;
  GPtrArray *all = file->front  ? g_ptr_array_ref (file->front->entries)
                   : file->text ? rsp_kernel_entries (file->text)
                                : g_ptr_array_new (),
            *own = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  for (guint i = 0; i < all->len; i++) {
    char **kernel = all->pdata[i];
    if (!names || g_strv_contains ((const char *const *) names, kernel[0]))
      g_ptr_array_add (own, g_strdupv (kernel));
  }
  /* Files that cannot be read, and unknown names, are reported when they are checked. */
  for (guint k = 0; names && names[k] && n_files == 1; k++) {
    gboolean known = FALSE;
    for (guint i = 0; i < own->len; i++)
      known |= g_str_equal (((char **) own->pdata[i])[0], names[k]);
    if (!known)
      g_ptr_array_add (own, g_strdupv ((char *[]){ names[k], NULL })); /* which may be empty */
  }
  if (!all->len && !own->len)
    g_ptr_array_add (own, g_new0 (char *, 1));
  g_ptr_array_unref (all);
  return own;
}

/* May the kernel have a parameter of that name? */
static gboolean has_parameter (const File *file, const char *const *kernel, const char *argument) {
  g_autofree char *name = g_strndup (argument, strcspn (argument, "[="));
  return file->language || !kernel[0] || g_strv_contains (kernel + 1, name);
}

static gboolean is_parameter (const Batch *batch, const char *argument) {
  for (guint f = 0; f < batch->files->len; f++) {
    const File *file = batch->files->pdata[f];
    for (guint k = 0; k < file->kernels->len; k++)
      if (has_parameter (file, file->kernels->pdata[k], argument))
        return TRUE;
  }
  return FALSE;
}

/* The file's arguments and those of -arg for the kernel: with several kernels, those of parameters
 * that it has. Newly allocated, NULL-terminated. */
static GPtrArray *arguments_of (const Batch *batch, const File *file, const char *const *kernel) {
  GPtrArray *own = g_ptr_array_new_with_free_func (g_free);
  const GPtrArray *all = kernel_own_options (batch->options)->arguments;
  const GPtrArray *given = file->front ? file->front->arguments (file->front, kernel[0]) : NULL;
  for (guint i = 0; given && i < given->len; i++)
    g_ptr_array_add (own, g_strdup (given->pdata[i]));
  for (guint i = 0; i < all->len; i++)
    if (!batch->named || has_parameter (file, kernel, all->pdata[i]))
      g_ptr_array_add (own, g_strdup (all->pdata[i]));
  g_ptr_array_add (own, NULL);
  return own;
}

KernelProgress kernel_progress;

/* "kernel 3/14, lock-tas.cl, count: value 5/256, search 2, 4.5 s" */
static void describe (gpointer data, GString *line) {
  KernelProgress *own = data;
  const char *path = g_atomic_pointer_get (&own->path), *entry = g_atomic_pointer_get (&own->entry);
  const gint n = g_atomic_int_get (&own->n_kernels), n_values = g_atomic_int_get (&own->n_values);
  if (n > 1)
    g_string_append_printf (line, "kernel %d/%d, ", g_atomic_int_get (&own->kernel), n);
  g_autofree char *name = path ? g_path_get_basename (path) : NULL;
  if (name)
    g_string_append_printf (line, "%s%s%s: ", name, entry ? ", " : "", entry ? entry : "");
  if (n_values)
    g_string_append_printf (line, "value %d/%d, ", g_atomic_int_get (&own->value), n_values);
  if (g_atomic_int_get (&own->searches))
    g_string_append_printf (line, "search %d, ", g_atomic_int_get (&own->searches));
  cli_append_time (cli_progress_seconds (), line);
}

static void check_kernel (Batch *batch, const File *file, const char *const *kernel,
                          const CliColumn *column) {
  KernelAnswer *answer = g_new0 (KernelAnswer, 1);
  KernelRun run = { .options = batch->options,
                    .diagnostics = batch->diagnostics,
                    .column = column,
                    .check = column->check,
                    .kernel = batch->kernel,
                    .path = file->path,
                    .grid = file->grid,
                    .named = batch->named,
                    .answer = answer,
                    .start = g_get_monotonic_time () };
  g_atomic_pointer_set (&kernel_progress.path, file->path);
  g_atomic_pointer_set (&kernel_progress.entry, kernel[0]);
  g_atomic_int_inc (&kernel_progress.kernel);
  g_atomic_int_set (&kernel_progress.value, 0);
  g_atomic_int_set (&kernel_progress.n_values, 0);
  g_atomic_int_set (&kernel_progress.searches, 0);
  g_autoptr (GPtrArray) arguments = arguments_of (batch, file, kernel);
  *answer = (KernelAnswer){ .path = file->path,
                            .entry = kernel[0],
                            .model = file->unknown_model ? NULL : column->label };
  for (guint i = 0; arguments->pdata[i]; i++)
    if (is_any (arguments, i))
      run.any[run.n_any++] = (char **) &arguments->pdata[i];
  run.kernel.front = file->front;
  run.kernel.file = file->text;
  run.kernel.entry = kernel[0];
  run.kernel.arguments = (const char *const *) arguments->pdata;
  run.check.skipped_checks = (const char *const *) column->skipped->pdata;
  run.check.cas_writeback = RSPCHECK_CAS_WRITEBACK_ALWAYS;
  run.check.counts_optional = run.check.engine != RSPCHECK_ENGINE_NAIVE;
  run.check.speedcheck = RSPCHECK_SPEED_EXACT; /* any execution may have a finding */
  run.check.jobs = MAX (1, batch->options->jobs);
  CliModel *found = cli_models_get (batch->models, column, file->path);
  cli_models_report (batch->models, found, batch->diagnostics);
  if (found->model && !rsp_model_has_undefined (found->model, TRUE))
    rsp_warning (batch->diagnostics, RSP_NOWHERE, NULL,
                 "model %s: has neither `undefined_unless` nor `flag`: it knows no data race, and "
                 "none is looked for",
                 column->label);
  if (found->model && kernel_own_options (batch->options)->clusters
      && !rsp_model_word_of_level (found->model, RSP_LEVEL_IN_KERNEL))
    rsp_warning (batch->diagnostics, RSP_NOWHERE, NULL,
                 "-clusters: model %s has no level between devices and work-groups", column->label);
  if (!found->model || (!file->text && !file->front)
      || !read_grid (batch->options, file->grid, &run.kernel, batch->diagnostics))
    answer->status = CLI_STATUS_UNFINISHED;
  else if (cli_option_is_set (batch->options, "placements"))
    answer->status = kernel_check_divisions (&run, found->model);
  else
    answer->status = kernel_check (&run, found->model);
  answer->seconds = (double) (g_get_monotonic_time () - run.start) / 1e6;
  static const guint8 ranks[]
      = { [CLI_STATUS_DIFFERENT] = 1, [CLI_STATUS_UNFINISHED] = 2, [CLI_STATUS_USAGE] = 3 };
  batch->status = ranks[batch->status] > ranks[answer->status] ? batch->status : answer->status;
  g_ptr_array_add (batch->answers, answer);
  print_diagnostics (batch);
}

/* Opens the file, and chooses its kernels and columns. */
static File *open_file (Batch *batch, CliColumns *columns, const char *path, guint n_files) {
  const KernelOptions *own = kernel_own_options (batch->options);
  File *file = g_new0 (File, 1);
  file->path = g_strdup (path);
  file->language = cli_kernels_of (path);
  file->grid = g_strdup (own->grid);
  if (strcmp (path, "-") != 0 && !g_file_test (path, G_FILE_TEST_EXISTS)) {
    g_autofree char *hint = cli_inputs_hint (path, ".cl");
    rsp_error (batch->diagnostics, RSP_NOWHERE, hint, "%s: no such file", path);
  } else if (file->language)
    file->front = file->language->open (batch->options, path, NULL, batch->kernel.preprocessing,
                                        batch->diagnostics);
  else
    file->text = rsp_kernel_open (path, &batch->kernel, batch->diagnostics);
  if (file->front && cli_option_is_set (batch->options, "repair"))
    rsp_error (batch->diagnostics, RSP_NOWHERE, NULL, "`-repair` edits kernels of OpenCL C only");
  if (file->front && !file->grid)
    file->grid = file->language->grid (file->front, own->entry);
  file->kernels = select_kernels (batch, file, n_files);
  file->unknown_model = file->language && !file->front && !columns->given->len;
  if (columns->given->len || !file->front)
    file->columns
        = g_ptr_array_ref ((GPtrArray *) cli_columns_for (columns, RSP_LANGUAGE_OPENCL, FALSE));
  else {
    file->columns = g_ptr_array_new_with_free_func ((GDestroyNotify) cli_column_free);
    g_ptr_array_add (file->columns, cli_column_new (batch->options, file->front->default_model,
                                                    RSP_NOWHERE, batch->diagnostics));
  }
  return file;
}

/* Checks all kernels; each has as many answers as there are models. */
static void check_kernels (Batch *batch, CliColumns *columns) {
  g_autoptr (GPtrArray) paths = find_files (batch);
  guint n = 0;
  gboolean found = FALSE;
  for (guint f = 0; f < paths->len; f++) {
    File *file = open_file (batch, columns, paths->pdata[f], paths->len);
    g_ptr_array_add (batch->files, file);
    n += file->kernels->len * file->columns->len;
    found |= file->kernels->len > 0;
  }
  batch->status
      = rsp_diagnostics_count_errors (batch->diagnostics) ? CLI_STATUS_UNFINISHED : CLI_STATUS_OK;
  if (!found && paths->len) {
    rsp_error (batch->diagnostics, RSP_NOWHERE, NULL, "no file has a kernel `%s`",
               kernel_own_options (batch->options)->entry);
    batch->status = CLI_STATUS_UNFINISHED;
  }
  batch->named = n > 1;
  const GPtrArray *arguments = kernel_own_options (batch->options)->arguments;
  for (guint i = 0; batch->named && i < arguments->len; i++)
    if (!is_parameter (batch, arguments->pdata[i])) {
      rsp_error (batch->diagnostics, RSP_NOWHERE, NULL, "-arg %s: no kernel has this parameter",
                 (const char *) arguments->pdata[i]);
      batch->status = CLI_STATUS_UNFINISHED;
    }
  print_diagnostics (batch);
  kernel_progress = (KernelProgress){ .n_kernels = (gint) n };
  cli_progress_begin (batch->options, describe, &kernel_progress);
  for (guint f = 0; f < batch->files->len; f++) {
    const File *file = batch->files->pdata[f];
    for (guint k = 0; k < file->kernels->len; k++)
      for (guint m = 0; m < file->columns->len; m++)
        check_kernel (batch, file, file->kernels->pdata[k], file->columns->pdata[m]);
  }
  cli_progress_end ();
}

/* Prints what covers all kernels. */
static void print_whole (Batch *batch) {
  g_autoptr (GString) out = g_string_new (NULL);
  const GPtrArray *answers = batch->answers;
  if (cli_option_is_set (batch->options, "placements")) /* each kernel has its own */
    return;
  if (kernel_own_options (batch->options)->sarif)
    kernel_format_sarif (answers, batch->notes, batch->status, out);
  else if (batch->options->json && batch->named)
    kernel_format_json (answers, out);
  else if (!batch->options->json && answers->len > 1)
    kernel_format_table (answers, out);
  if (!cli_write (out))
    batch->status = CLI_STATUS_UNFINISHED;
}

static int run_kernel (CliOptions *options, RspDiagnostics *diagnostics) {
  Batch batch = { .options = options,
                  .diagnostics = diagnostics,
                  .status = CLI_STATUS_USAGE,
                  .seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                  .notes = rsp_json_list () };
  g_autoptr (GPtrArray) preprocessing = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (CliModels) models = cli_models_new (options);
  g_autoptr (CliColumns) columns = cli_columns_new (options, diagnostics);
  batch.models = models;
  batch.answers = g_ptr_array_new_with_free_func (free_answer);
  batch.files = g_ptr_array_new_with_free_func (free_file);
  if (columns && read_options (options, &batch.kernel, preprocessing, diagnostics))
    check_kernels (&batch, columns);
  print_diagnostics (&batch);
  print_whole (&batch);
  g_ptr_array_unref (batch.answers);
  g_ptr_array_unref (batch.files);
  g_hash_table_unref (batch.seen);
  rsp_json_unref (batch.notes);
  return batch.status;
}

/* ---- The row -------------------------------------------------------------------------------- */

static gboolean is_requested (const CliOptions *options) {
  return kernel_own_options (options)->kernel != NULL;
}

/* -repair edits the kernel that has findings. */
static gboolean check_options (const CliOptions *options, RspDiagnostics *diagnostics) {
  static const char *const fits[] = { "kernel", "repair", "placements", NULL };
  /* These ask for executions of tests, or compare logs of tests. */
  static const char *const others[]
      = { "html",  "latex", "format",  "gv",      "show",    "doshow",    "unshow", "edgeattr",
          "diff",  "merge", "compare", "expect",  "promote", "resume",    "shard",  "names",
          "kinds", "conds", "outcome", "badflag", "live",    "placement", NULL };
  if (!is_requested (options))
    return TRUE;
  const char *found = NULL;
  if (cli_option_is_set (options, "tsv") && !cli_option_is_set (options, "placements"))
    found = "tsv";
  else if (cli_option_is_set (options, "o") && !cli_option_is_set (options, "repair"))
    found = "o";
  for (guint i = 0; others[i] && !found; i++)
    found = cli_option_is_set (options, others[i]) ? others[i] : NULL;
  if (found)
    rsp_error (diagnostics, RSP_NOWHERE,
               "`-explain` shows executions, `-json` and `-sarif` print findings",
               "`-%s` is about tests: it cannot be combined with `-kernel`", found);
  if (found)
    return FALSE;
  if (!cli_requested_besides (options, CLI_COMMAND_CHECKED, fits))
    return TRUE;
  rsp_error (diagnostics, RSP_NOWHERE, NULL,
             "`-kernel` asks what is wrong with a kernel: it cannot be combined with questions "
             "about mappings, devices, edits or all programs");
  return FALSE;
}

#define OPTIONS KernelOptions
#include "cli/option_rows.h"

static const CliOption options_table[] = {
  VALUE (
      "kernel", CLI_KERNELS, CLI_TEXT, kernel, "K.cl",
      "Check a kernel (OpenCL C, SPIR-V, GLSL) on the grid of -grid: data races, barrier "
      "divergence, accesses outside arrays, reads of uninitialised values, failed assertions. One "
      "line per finding, as compilers print them; with -json an object. The exit status is 3 if "
      "there are findings. Further files and folders (`-kernel a.cl b.cl src`) are checked too, "
      "with a table at the end."),
  VALUE ("grid", CLI_KERNELS, CLI_TEXT, grid, "GxL",
         "The kernel's work-items: G work-groups of L work-items, or with GxSxL of S sub-groups of "
         "L work-items. `2,2x4,4`, or `2x2/4x4`, has two dimensions."),
  VALUE ("offset", CLI_KERNELS, CLI_TEXT, offset, "N",
         "What is added to the work-items' global ids (`16,8`: of two dimensions). Default: 0."),
  WORD ("pairs", CLI_KERNELS, pairs, kernel_pairs_words, "auto|always|never",
        "Check two work-items at a time: on large grids (auto), or on all, where what each does "
        "does not depend on what others write, and nothing is asserted about memory at the end."),
  NUMBER ("devices", CLI_KERNELS, devices, "N", 1, 64,
          "Divide the work-groups among this number of devices. Default: 1."),
  NUMBER ("clusters", CLI_KERNELS, clusters, "N", 1, 64,
          "Divide the work-groups of each device among this number of nodes of the level that the "
          "model declares between devices and work-groups. Default: each is a node of its own."),
  VALUE ("entry", CLI_KERNELS, CLI_TEXT, entry, "F",
         "The kernel to check, or several (`f,g`). Default: all of the files."),
  VALUE (
      "arg", CLI_KERNELS, CLI_LIST, arguments, "P=V",
      "An argument of the kernel: `n=4`, `x[8]=0` (an array of 8 elements), `x=1,2,3`, `x=zero`, "
      "`x=@FILE`, `y=x+2` (into another array), `p=null`, `n=1..16`, `x=any`, "
      "`n=any` (each value of its type; what is found names one). Default: each pointer is an "
      "array of its own, all zero, as large as its accesses need. May "
      "be repeated."),
  VALUE ("D", CLI_KERNELS, CLI_LIST, macros, "NAME=V",
         "Define a macro for the kernel's preprocessor. May be repeated."),
  VALUE ("include", CLI_KERNELS, CLI_LIST, includes, "FILE",
         "Include this file before the kernel. May be repeated."),
  VALUE ("findings", CLI_KERNELS, CLI_TEXT, chosen, "KINDS",
         "Report only these kinds of findings, with commas between them: race, divergence, bounds, "
         "uninitialised, division, undefined, assertion, hang, all. `-race`: all others."),
  SWITCH ("benign", CLI_KERNELS, benign,
          "Leave out data races in which two plain writes write the same value, whatever is read. "
          "The last line says how many."),
  SWITCH ("sarif", CLI_KERNELS, sarif,
          "Print the findings as one log of SARIF 2.1.0, which editors and code-review sites show; "
          "also after errors, which are in it."),
};

static const CliCommand commands[] = {
  { .option = "kernel", .is_requested = is_requested, .takes_progress = TRUE, .run = run_kernel },
  { .option = NULL }
};

const CliExtra kernel_extra
    = { .options = options_table,
        .n_options = G_N_ELEMENTS (options_table),
        .size = sizeof (KernelOptions),
        .inside
        = (const char *const[]){ "kernel", "grid", "devices", "clusters", "entry", "arg", "offset",
                                 "pairs", "D", "sarif", "findings", "benign", NULL },
        .check = check_options,
        .commands = commands };
