/* What the folders of extra/ bring to the program. Each fills in one CliExtra, in its command.c,
 * and has one row in cli/extras.def; the command line, the library and the reports know nothing
 * else of them. */
#pragma once

#include "cli/internal.h"
#include "parser/kernel/kernel.h"
#include "parser/map/machine.h"

/* ---- Commands ------------------------------------------------------------------------------- */

/* Runs each test of a run in place of models. Any thread may call `run`. */
typedef struct CliMethod {
  gpointer (*open) (const CliOptions *options, RspDiagnostics *diagnostics); /* NULL: an error */
  void (*close) (gpointer opened);
  /* The columns of its records (const char *, newly allocated), also of tests that it is not for.
   */
  GPtrArray *(*labels) (gconstpointer opened, const CliJobs *jobs);
  gboolean (*is_for) (gconstpointer opened, const CliJobs *jobs, guint i,
                      const RspProgram *program);
  void (*run) (gconstpointer opened, const CliJobs *jobs, guint i, const RspProgram *program,
               const GPtrArray *columns, CliResult *result);
} CliMethod;

/* Something that the command line can ask for, in place of checking tests under models. */
typedef struct CliCommand {
  const char *option;                                   /* by which it is asked for: "kernel" */
  gboolean (*is_requested) (const CliOptions *options); /* NULL: if that option is set */
  gboolean is_early;                                    /* the other options are not checked */
  gboolean takes_progress;                              /* -progress means something with it */
  const CliSink *sink;                            /* the form of its log; NULL: the usual ones */
  gboolean (*has_made) (const RspRecord *record); /* for -merge; NULL: no record */

  /* One of these: an answer of its own; all tests of a run at once; one test at a time. They return
   * exit statuses. */
  int (*run) (CliOptions *options, RspDiagnostics *diagnostics);
  int (*run_tests) (const CliJobs *jobs, const GArray *share, CliReport *report,
                    CliCompared *compared, RspDiagnostics *diagnostics);
  const CliMethod *method;
} CliCommand;

/* ---- Tests of its own ----------------------------------------------------------------------- */

/* Tests in a language of their own, which no model can judge. */
typedef struct CliTests {
  const char *machine;        /* what runs them, as -machine and expected.tsv name it */
  const char *language;       /* "DSOM" */
  const char *meaning;        /* of the machine, for -help-mapping */
  const RspReading *readings; /* of the machine; the last has no name */
  /* FALSE, with an error, if there are options that do not apply to the machine. */
  gboolean (*check) (const CliOptions *options, RspDiagnostics *diagnostics);
  gboolean (*recognises) (const RspSource *source);
  /* The test's name, newly allocated; NULL if it cannot be read. */
  char *(*read) (RspSource *source, RspDiagnostics *diagnostics);
  /* "MACHINE -OPTION VALUE…", as cli_column_new; and the columns of the command line. */
  CliColumn *(*column) (const char *text, RspSpan at, RspDiagnostics *diagnostics);
  void (*add_columns) (const CliOptions *options, GPtrArray *columns, RspDiagnostics *diagnostics);
  /* FALSE: the options ask for other machines or models, so that such tests are left out. */
  gboolean (*may_run) (const CliOptions *options);
  void (*run) (const CliJobs *jobs, guint i, RspSource *source, CliResult *result);
} CliTests;

/* ---- Services ------------------------------------------------------------------------------- */

/* Mappings of the command line, and what runs the mapped programs: a machine, or a language with a
 * model. */
typedef struct CliMappings {
  const RspMapMachine *machine; /* NULL: a language */
  GPtrArray *maps;              /* of RspMap, one column each */
  GPtrArray *translations;      /* of RspTranslation, per mapping; NULL on a machine */
  GPtrArray *targets; /* of CliColumn, the target's model per mapping; NULL on a machine */
} CliMappings;

typedef struct CliMappingService {
  /* The option that asks for mappings, "machine" or "compile"; NULL if none does. */
  const char *(*option) (const CliOptions *options);
  guint (*count) (const CliOptions *options); /* of mappings that the options name */
  /* NULL after an error. wide_barriers: of the model that a machine is compared with. */
  CliMappings *(*open) (const CliOptions *options, gboolean wide_barriers,
                        RspDiagnostics *diagnostics);
  void (*close) (CliMappings *mappings);
} CliMappingService;

/* Kernels in a language of their own, whose files are told by their names. */
typedef struct CliKernels {
  gboolean (*recognises) (const char *path);
  /* options NULL: none are given. text, preprocessing: as those of RspKernelOptions. NULL after an
   * error. */
  RspKernelFront *(*open) (const CliOptions *options, const char *path, const char *text,
                           const char *const *preprocessing, RspDiagnostics *diagnostics);
  void (*close) (RspKernelFront *front);
  /* The grid that the file itself asks for, of this entry (NULL: its only one), as -grid has it;
   * newly allocated. */
  char *(*grid) (const RspKernelFront *front, const char *entry);
} CliKernels;

/* Searches for the fewest edits of a kernel's text after which there are no findings, and prints
 * them as patches. FALSE if the search did not finish, or after an error. */
typedef gboolean (*CliKernelRepair) (const CliOptions *options, const char *path,
                                     const RspKernel *kernel, const RspKernelOptions *how,
                                     const RspModel *model, const RspCheckOptions *check,
                                     const char *label, RspDiagnostics *diagnostics);

/* The smallest sets of edits of a test's text after which the model raises no flag, cheapest first:
 * a list of {edits, source}, what they are and the text with them. Those found within the options'
 * time. */
typedef RspJson *(*CliTestRepair) (const RspProgram *program, const RspModel *model,
                                   const RspCheckOptions *check, RspDiagnostics *diagnostics);

/* ---- The row -------------------------------------------------------------------------------- */

struct CliExtra {
  /* A common task and its command, for -help; NULL: the folder has none. */
  const char *task, *example;

  /* Options, whose offsets are those in a structure of the folder's own; see cli/option_rows.h. */
  const CliOption *options;
  guint n_options;
  gsize size;                           /* of that structure */
  void (*init) (gpointer own);          /* sets defaults; NULL: all are 0 */
  const char *const *inside;            /* options that -confined allows; or NULL */
  void (*finish) (CliOptions *options); /* after the last argument; or NULL */
  const CliCommand *commands;           /* ended by one without an option; or NULL */
  const CliTests *tests;                /* or NULL */
  const CliMappingService *mappings;    /* or NULL */
  CliKernelRepair repair_kernel;        /* or NULL */
  const CliKernels *kernels;            /* or NULL */
  CliTestRepair repair_test;            /* or NULL */
  /* FALSE, with an error, if options cannot be combined: before anything is done, and before the
   * tests of a run are read. NULL: they always can. */
  gboolean (*check) (const CliOptions *options, RspDiagnostics *diagnostics);
  gboolean (*check_tests) (const CliOptions *options, RspDiagnostics *diagnostics);
};

#define EXTRA(folder, ...) extern const CliExtra folder##_extra;
#include "cli/extras.def"
#undef EXTRA

/* Those of the folders that are there, in the order of cli/extras.def; ended by NULL. */
extern const CliExtra *const cli_extras[];

typedef enum CliCommandKind {
  CLI_COMMAND_EARLY = 1,
  CLI_COMMAND_ANSWERS = 2,
  CLI_COMMAND_RUNS_TESTS = 4,
  CLI_COMMAND_RUNS_A_TEST = 8,
  CLI_COMMAND_CHECKED = CLI_COMMAND_ANSWERS | CLI_COMMAND_RUNS_TESTS | CLI_COMMAND_RUNS_A_TEST
} CliCommandKind;

/* Warns about options that have no effect beside the others (cli/effects.def). */
void cli_warn_of_no_effect (const CliOptions *options, RspDiagnostics *diagnostics);

/* The command that has made some of the records; NULL: they are those of checks. */
const CliCommand *cli_command_of (const GPtrArray *records);

/* The first command of these kinds (CliCommandKind) that is requested; NULL if none is. And the
 * same besides those of these names, ended by NULL. */
const CliCommand *cli_requested (const CliOptions *options, guint kinds);
const CliCommand *cli_requested_besides (const CliOptions *options, guint kinds,
                                         const char *const *names);

/* The folder's tests that the source is one of, or whose machine has that name and length; or NULL.
 */
const CliTests *cli_tests_of (const RspSource *source);
const CliTests *cli_tests_on (const char *machine, gsize length);

/* NULL if no folder offers it. */
const CliMappingService *cli_mapping_service (void);
CliKernelRepair cli_kernel_repair (void);

/* The kernels that the file is one of; NULL: it is OpenCL C. */
const CliKernels *cli_kernels_of (const char *path);
CliTestRepair cli_test_repair (void);

/* The file's text laid out (rsp_layout); that of a test in a language of its own as it is. */
char *cli_lay_out (RspSource *source, RspDiagnostics *diagnostics);

/* ---- Private part: for cli/ ----------------------------------------------------------------- */

/* The options of all folders: begins with their defaults; frees them, but for texts and lists. */
void cli_extra_options_new (CliOptions *options);
void cli_extra_options_free (CliOptions *options);

/* The field of the option's value. */
gpointer cli_option_field (const CliOptions *options, const CliOption *option);

/* Call the functions of these names of each folder's row. */
void cli_extra_finish (CliOptions *options);
gboolean cli_extra_check (const CliOptions *options, RspDiagnostics *diagnostics);
gboolean cli_extra_check_tests (const CliOptions *options, RspDiagnostics *diagnostics);
gboolean cli_extra_is_inside (const char *option);
