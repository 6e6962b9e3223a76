/* -machine, -compile, -cost: tests on machines, and mappings. */
#include "api/api.h"
#include "base/base.h"
#include "extra/machine/command.h"
#include "extra/machine/explore.h"
#include "parser/map/machine.h"
#include "parser/map/map.h"
#include "report/report.h"

#include <string.h>

#define SUFFIX ".machine"

/* A machine and its mappings; or the mappings of -compile, each with the model of its target. */
typedef struct Machines {
  CliMappings mappings;   /* without maps, no tests are run */
  RspLatencies latencies; /* of -latency */
  RspMachine *machine;    /* NULL: of -compile, or of a machine with tests of its own */
} Machines;

/* One test translated by one mapping of -compile. */
typedef struct Compile {
  const Machines *machines;
  guint mapping; /* index */
  const CliColumn *column;
  const RspModel *source, *target;
  gboolean verbose;
} Compile;

MachineOptions *rsp_machine_options (const CliOptions *options) {
  return cli_extra_options (options, &machine_extra);
}

/* The options of the machine for mapping i. */
static RspExploreOptions run_options (const Machines *machines, guint i,
                                      const CliOptions *options) {
  return (RspExploreOptions){ .machine = machines->machine,
                              .map = machines->mappings.maps->pdata[i],
                              .latencies = rsp_machine_options (options)->latency
                                               ? &machines->latencies
                                               : NULL,
                              .max_states = rsp_machine_options (options)->max_states,
                              .unroll = options->check.unroll,
                              .timeout = options->check.timeout,
                              .max_memory = options->check.max_memory };
}

/* ---- One test on a machine ------------------------------------------------------------------ */

/* The shortest trace, as of rsp_exploration_trace. */
static char *shortest_trace (const RspProgram *program, const RspExploreOptions *options,
                             const RspExploration *run, guint state) {
  g_autoptr (GString) trace = g_string_new (NULL);
  if (!rsp_exploration_trace (program, options, run, state, trace))
    return g_strdup ("(the search for the shortest trace met a limit)\n");
  return g_strdup (trace->str);
}

/* The bill over the executions that end in a state that the model allows; over all without a model.
 */
static char *find_bill (const RspRecord *record, const RspRecord *model, const RspProgram *program,
                        const RspExploreOptions *options, const RspExploration *run,
                        RspDiagnostics *diagnostics) {
  if (!rsp_record_is_ok (record))
    return NULL;
  g_autoptr (GString) bill = g_string_new (NULL);
  g_autofree gboolean *allowed = g_new0 (gboolean, record->states->len + 1);
  for (guint i = 0; i < record->states->len; i++)
    allowed[i] = !model || record->machine.verdict == RSP_VACUOUS
                 || rsp_soundness_allows (model, rsp_record_state (record, i)->text);
  if (rsp_exploration_cost (program, options, run, allowed, bill))
    return bill->len ? g_strdup (bill->str) : NULL;
  rsp_warning (diagnostics, RSP_NOWHERE,
               "-max-states N, -timeout S and -max-memory SIZE allow more",
               "test %s, mapping %s: no bill, since a limit ended its search", program->name,
               options->map->name);
  return NULL;
}

/* Runs the test under one mapping and fills record. It is judged by `model`, the record under the
 * source's model; both may be NULL. */
static void check_on_machine (const Machines *machines, guint i, const CliOptions *options,
                              const RspCheckOptions *check, const RspProgram *program,
                              const RspModel *source, const RspRecord *model, RspRecord *record,
                              RspDiagnostics *diagnostics) {
  gint64 start = g_get_monotonic_time ();
  RspExploreOptions how = run_options (machines, i, options);
  how.cas_writeback = check->cas_writeback;
  how.wide_barriers = source && source->wide_barriers;
  g_autoptr (RspExploration) run = rsp_exploration_new (program, &how, diagnostics);
  rsp_record_set_outcome (record, run->outcome, check);
  RspMachineReport *report = &record->machine;
  report->machine = g_strdup (how.machine->name);
  report->mapping = g_strdup (how.map->name);
  report->readings = rsp_readings_format (rsp_reading_table, &how.machine->readings);
  report->deadlock = run->deadlock;
  report->violated = g_strdup (run->violated);
  report->states = run->states;
  report->steps = run->steps;
  report->bytes = run->bytes;
  if (run->outcome->stop == RSPCHECK_STOP_EXECUTIONS) {
    g_free (record->reason);
    record->reason = how.max_states ? g_strdup_printf ("More than %" G_GUINT64_FORMAT " states",
                                                       how.max_states)
                                    : g_strdup ("Too many values of one location");
  }
  record->seconds = (double) (g_get_monotonic_time () - start) / 1e6;
  if (model)
    rsp_soundness_judge (record, model);
  if (rsp_machine_options (options)->cost)
    report->bill = find_bill (record, model, program, &how, run, diagnostics);
  if (options->verbose && report->verdict == RSP_UNSOUND) {
    g_auto (GStrv) unsound
        = g_strsplit (report->unsound, "\n", 2); /* states that are not allowed */
    guint state = 0;
    while (!g_str_equal (rsp_record_state (record, state)->text, unsound[0]))
      state++;
    report->trace = shortest_trace (program, &how, run, state);
  }
  if (options->verbose && report->deadlock)
    report->deadlock_trace = shortest_trace (program, &how, run, RSP_TRACE_DEADLOCK);
  if (options->verbose && report->violated)
    report->violated_trace = shortest_trace (program, &how, run, RSP_TRACE_VIOLATION);
}

/* ---- One translated test -------------------------------------------------------------------- */

/* Explains the outcome under the model. */
static void explain (const Compile *compile, const RspProgram *program, const RspModel *model,
                     const char *outcome, GString *out, RspDiagnostics *diagnostics) {
  const char *outcomes[] = { outcome, NULL };
  RspRunOptions run = { .check = compile->column->check, .explain = TRUE, .outcomes = outcomes };
  g_autoptr (RspRecord) record = rsp_record_new (program->name, "", "", NULL);
  rsp_run (program, model, &run, record, diagnostics);
  g_string_append_printf (out, "%s:\n", model->name);
  if (record->explanations)
    rsp_explanations_format (record->explanations, FALSE, out);
}

/* Runs the translated test under the target's model and fills record, which `allowed`, the source's
 * record, judges. */
static void check_compiled (const Compile *compile, const RspProgram *program,
                            const RspRecord *allowed, RspRecord *record,
                            RspDiagnostics *diagnostics) {
  const RspMap *map = compile->machines->mappings.maps->pdata[compile->mapping];
  const CliColumn *target = compile->machines->mappings.targets->pdata[compile->mapping];
  record->machine.machine = g_strdup (target->label);
  record->machine.mapping = g_strdup (map->name);
  record->machine.readings = g_strdup ("");
  if (!(map->languages >> program->language->id & 1)) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "test %s: the mapping %s is not for %s tests",
               program->name, map->name, program->language->word);
    return;
  }
  if (program->n_ssw && map->target != program->language) { /* is in no instruction */
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "test %s: %s has nothing for `ssw`", program->name,
               map->target->word);
    return;
  }
  RspProgram translated = rsp_translation_apply (
      compile->machines->mappings.translations->pdata[compile->mapping], program);
  RspRunOptions run = { .check = target->check };
  rsp_run (&translated, compile->target, &run, record, diagnostics);
  /* If work-items come to barriers in different orders, OpenCL has no execution, and promises
   * nothing. */
  record->machine.no_execution = rsp_record_is_ok (allowed) && allowed->states->len == 0;
  rsp_soundness_judge (record, allowed);
  if (compile->verbose && record->machine.verdict == RSP_UNSOUND) {
    /* the target's execution, and why the source's model has none like it */
    g_autoptr (GString) trace = g_string_new (NULL);
    g_auto (GStrv) unsound = g_strsplit (record->machine.unsound, "\n", 2);
    explain (compile, &translated, compile->target, unsound[0], trace, diagnostics);
    explain (compile, program, compile->source, unsound[0], trace, diagnostics);
    record->machine.trace = g_strdup (trace->str);
  }
}

/* ---- Opening machines and mappings ---------------------------------------------------------- */

/* ---- Finding mappings ---- */
/* Adds a mapping of the run's kind, which is named at the place; cheapest: it may have empty rows.
 * FALSE after an error. */
static gboolean load_map (Machines *machines, const char *name, RspSpan at, const char *const *path,
                          gboolean cheapest, RspDiagnostics *diagnostics) {
  g_autofree char *file = rsp_find_file (name, NULL, path, ".map");
  if (!file) {
    g_autofree char *hint = rsp_near_file_hint (name, path, ".map");
    rsp_error (diagnostics, at, hint, "%s: no such mapping", name);
    return FALSE;
  }
  RspMap *map = rsp_map_load (file, path, diagnostics);
  if (!map)
    return FALSE;
  g_ptr_array_add (machines->mappings.maps, map);
  if (machines->mappings.translations && !map->target) {
    rsp_error (diagnostics, RSP_NOWHERE,
               "a mapping to another language begins with `source OpenCL target PTX`, or the like",
               "%s is a mapping to a machine: give it with -machine and -mapping", map->path);
    return FALSE;
  }
  if (!machines->mappings.translations && map->target) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s is a mapping to %s: give it with -compile",
               map->path, map->target->word);
    return FALSE;
  }
  for (const RspMapRow *row = map->rows; row && !cheapest; row = row->next)
    if (row->open) {
      rsp_error (diagnostics, row->span, NULL,
                 "this row has no instructions: -cheapest finds them");
      return FALSE;
    }
  return TRUE;
}

/* The folders of mappings and machines. */
static char **find_path (const CliOptions *options) {
  g_autoptr (GPtrArray) given = g_ptr_array_new (); /* a copy would own the strings too */
  g_ptr_array_extend (given, options->directories, NULL, NULL);
  g_ptr_array_add (given, NULL);
  return rsp_directories ("machine", (const char *const *) given->pdata, NULL);
}

/* names: empty for the machine's own mapping. */
static gboolean load_maps (Machines *machines, const GPtrArray *names, const CliOptions *options,
                           RspDiagnostics *diagnostics) {
  g_auto (GStrv) path = find_path (options);
  if (!names->len && !machines->machine->mapping) {
    rsp_error (diagnostics, RSP_NOWHERE, "its file may say `mapping \"F.map\"`",
               "machine %s has no mapping of its own: give one with -mapping",
               machines->machine->name);
    return FALSE;
  }
  guint n = MAX (names->len, 1);
  for (guint i = 0; i < n; i++)
    if (!load_map (machines, names->len ? names->pdata[i] : machines->machine->mapping,
                   names->len ? RSP_NOWHERE : machines->machine->mapping_span,
                   (const char *const *) path, cli_option_is_set (options, "cheapest"),
                   diagnostics))
      return FALSE;
  return TRUE;
}

/* ---- Latencies ---- */
/* FALSE after an error. */
static gboolean load_latencies (Machines *machines, const CliOptions *options,
                                RspDiagnostics *diagnostics) {
  const char *name = rsp_machine_options (options)->latency;
  if (!name)
    return TRUE;
  g_auto (GStrv) path = find_path (options);
  g_autofree char *file = rsp_find_file (name, NULL, (const char *const *) path, ".latency");
  if (!file) {
    g_autofree char *hint = rsp_near_file_hint (name, (const char *const *) path, ".latency");
    rsp_error (diagnostics, RSP_NOWHERE, hint, "%s: no such file of latencies", name);
    return FALSE;
  }
  g_autoptr (RspMap) map = rsp_latency_load (file, diagnostics);
  const char *words[RSP_BILL_CRITICAL + 2] = { [RSP_BILL_CRITICAL] = "accesses" };
  for (guint i = 0; i < RSP_BILL_CRITICAL; i++)
    words[i] = rsp_bill_words[i].name;
  gboolean good = map != NULL;
  for (const RspMapLatency *one = good ? map->latencies : NULL; one; one = one->next) {
    guint item = 0;
    while (words[item] && strcmp (words[item], one->item) != 0)
      item++;
    if (words[item]) {
      machines->latencies.cycles[item < RSP_BILL_CRITICAL ? item : RSP_N_BILL_ITEMS] = one->cycles;
      continue;
    }
    g_autofree char *list = g_strjoinv ("`, `", (char **) words);
    g_autofree char *hint = rsp_did_you_mean (one->item, words);
    rsp_error (diagnostics, one->span, hint, "found `%s`, expected `%s`", one->item, list);
    good = FALSE;
  }
  return good;
}

/* ---- The machine ---- */
/* The names of the machines in these folders, in alphabetical order, and after them those for tests
 * in languages of their own. */
static GPtrArray *list_machines (const char *const *path) {
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; path[i]; i++) {
    g_autoptr (GDir) folder = g_dir_open (path[i], 0, NULL);
    for (const char *file; folder && (file = g_dir_read_name (folder));) {
      gsize length = strlen (file) - (g_str_has_suffix (file, SUFFIX) ? strlen (SUFFIX) : 0);
      g_autofree char *name = g_strndup (file, length);
      if (file[length] && !g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
        g_ptr_array_add (names, g_steal_pointer (&name));
    }
  }
  g_ptr_array_sort (names, rsp_compare_names);
  for (guint i = 0; cli_extras[i]; i++)
    if (cli_extras[i]->tests)
      g_ptr_array_add (names, g_strdup (cli_extras[i]->tests->machine));
  g_ptr_array_add (names, NULL);
  return names;
}

static RspMachine *find_machine (const char *name, const CliOptions *options,
                                 RspDiagnostics *diagnostics) {
  g_auto (GStrv) path = find_path (options);
  const char *const *folders = (const char *const *) path;
  g_autofree char *file = rsp_find_file (name, NULL, folders, SUFFIX);
  if (file && !g_file_test (file, G_FILE_TEST_IS_DIR))
    return rsp_machine_load (file, folders, diagnostics);
  g_autoptr (GPtrArray) names = list_machines (folders);
  g_autofree char *list = g_strjoinv ("`, `", (char **) names->pdata);
  g_autofree char *hint = rsp_did_you_mean (name, (const char *const *) names->pdata);
  rsp_error (diagnostics, RSP_NOWHERE, hint, "no such machine: `%s`; there are `%s`", name, list);
  return NULL;
}

/* ---- Options ---- */
/* The tests that only this machine runs; NULL: it is a machine of caches, or unknown. */
static const CliTests *find_own (const MachineOptions *own) {
  return own->machine ? cli_tests_on (own->machine, strlen (own->machine)) : NULL;
}

/* Options that do not apply to a machine: reports that compare models, and questions about
 * executions and programs. */
static const char *find_conflict (const CliOptions *options) {
  static const char *const others[]
      = { "expect",   "diff",     "compare", "resume", "merge",       "speedcheck", "explain",
          "outcome",  "show",     "run",     "emit",   "distinguish", "cheapest",   "minimal",
          "monotone", "rewrites", "repair",  "relax",  "vary" };
  gboolean has_own = find_own (rsp_machine_options (options)) != NULL;
  gboolean distinguish = cli_option_is_set (options, "distinguish");
  for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
    gboolean programs
        = g_str_equal (others[i], "distinguish") || g_str_equal (others[i], "cheapest");
    gboolean allowed
        = programs ? !has_own : g_str_equal (others[i], "resume") && (has_own || distinguish);
    if (!allowed && cli_option_is_set (options, others[i]))
      return others[i];
  }
  return NULL;
}

/* The option that asks for mappings; NULL if none does. */
static const char *mapping_option (const CliOptions *options) {
  const MachineOptions *own = rsp_machine_options (options);
  if (own->machine)
    return "machine";
  return own->compiled->len ? "compile" : NULL;
}

static gboolean is_requested (const CliOptions *options) {
  return mapping_option (options) != NULL;
}

static gboolean check (const CliOptions *options, RspDiagnostics *diagnostics) {
  const MachineOptions *own = rsp_machine_options (options);
  const char *mode = mapping_option (options);
  const struct {
    const char *option;
    gboolean given;
  } of_machines[] = { { "mapping", own->mappings->len > 0 },
                      { "reading", own->readings->len > 0 },
                      { "cost", own->cost },
                      { "latency", own->latency != NULL } };
  const char *lonely = NULL; /* an option without effect */
  for (guint i = 0; i < G_N_ELEMENTS (of_machines) && !own->machine && !lonely; i++)
    lonely = of_machines[i].given ? of_machines[i].option : NULL;
  const char *conflict = mode ? find_conflict (options) : NULL;
  if (lonely)
    rsp_error (diagnostics, RSP_NOWHERE, "for instance `-machine rsp`", "`-%s` needs `-machine M`",
               lonely);
  else if (own->latency && !own->cost)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "`-latency` needs `-cost`");
  else if (own->target && !own->compiled->len)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "`-target` needs `-compile F.map`");
  else if (own->machine && own->compiled->len)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "`-machine` cannot be combined with `-compile`");
  else if (conflict)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "`-%s` cannot be combined with `-%s`", mode,
               conflict);
  else if (mode && options->models->len > 1)
    rsp_error (diagnostics, RSP_NOWHERE, NULL,
               "`-%s` is compared with one model: give one `-model`", mode);
  else
    return TRUE;
  return FALSE;
}

static void machines_close (gpointer opened) {
  Machines *machines = opened;
  if (!machines)
    return;
  g_clear_pointer (&machines->mappings.translations, g_ptr_array_unref);
  g_clear_pointer (&machines->mappings.targets, g_ptr_array_unref);
  g_ptr_array_unref (machines->mappings.maps);
  rsp_machine_free (machines->machine);
  g_free (machines);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Machines, machines_close)

/* Loads the mappings of -compile and the models of their targets. FALSE after an error. */
static gboolean add_targets (Machines *machines, const CliOptions *options,
                             RspDiagnostics *diagnostics) {
  const MachineOptions *own = rsp_machine_options (options);
  gboolean cheapest = cli_option_is_set (options, "cheapest");
  CliMappings *mappings = &machines->mappings;
  mappings->translations = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_translation_free);
  mappings->targets = g_ptr_array_new_with_free_func ((GDestroyNotify) cli_column_free);
  if (!load_maps (machines, own->compiled, options, diagnostics))
    return FALSE;
  for (guint i = 0; i < mappings->maps->len; i++) {
    const RspMap *map = mappings->maps->pdata[i];
    RspTranslation *translation = cheapest ? NULL : rsp_translation_new (map, diagnostics);
    CliColumn *target = cli_column_new (
        options, own->target ? own->target : map->target->default_model, RSP_NOWHERE, diagnostics);
    g_ptr_array_add (mappings->translations, translation);
    g_ptr_array_add (mappings->targets, target);
    if (!(translation || cheapest) || !target)
      return FALSE;
  }
  return TRUE;
}

/* A new Machines; NULL after an error. */
static gpointer open_all (const CliOptions *options, RspDiagnostics *diagnostics) {
  const MachineOptions *own = rsp_machine_options (options);
  const CliTests *tests = find_own (own);
  g_autoptr (Machines) machines = g_new0 (Machines, 1);
  machines->mappings.maps = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_map_free);
  if (own->compiled->len)
    return add_targets (machines, options, diagnostics) ? g_steal_pointer (&machines) : NULL;
  if (tests)
    return tests->check (options, diagnostics) ? g_steal_pointer (&machines) : NULL;
  machines->machine = find_machine (own->machine, options, diagnostics);
  if (!machines->machine)
    return NULL;
  gboolean good = TRUE;
  for (guint i = 0; i < own->readings->len; i++) {
    g_autofree char *message = NULL;
    if (rsp_machine_read (machines->machine, own->readings->pdata[i], &message))
      continue;
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "`-reading %s`: %s",
               (char *) own->readings->pdata[i], message);
    good = FALSE;
  }
  if (!good || !load_maps (machines, own->mappings, options, diagnostics)
      || !load_latencies (machines, options, diagnostics))
    return NULL;
  return g_steal_pointer (&machines);
}

/* The heading of a mapping's column: "rsp -mapping revised", "ptx75 -compile asplos19". Newly
 * allocated. */
static char *label_of (const Machines *machines, guint i) {
  const RspMap *map = machines->mappings.maps->pdata[i];
  if (!machines->mappings.targets)
    return g_strdup_printf ("%s -mapping %s", machines->machine->name, map->name);
  const CliColumn *target = machines->mappings.targets->pdata[i];
  return g_strdup_printf ("%s -compile %s", target->label, map->name);
}

/* ---- -help-mapping ---- */
enum { TEXT_COLUMN = 19, LAST_COLUMN = 96 };

static void append_readings (const RspReading *table, GString *out) {
  for (const RspReading *reading = table; reading->name; reading++) {
    g_autofree char *words = g_strjoinv ("|", (char **) reading->words);
    g_autofree char *text = g_strdup_printf ("%s. %s", words, reading->meaning);
    cli_help_entry (reading->name, text, TEXT_COLUMN, LAST_COLUMN, out);
  }
}

static int help_mapping (CliOptions *options, RspDiagnostics *diagnostics) {
  g_autoptr (GString) text = g_string_new (NULL);
  g_auto (GStrv) path = find_path (options);
  g_autoptr (GPtrArray) names = list_machines ((const char *const *) path);
  rsp_map_help (text);
  g_string_append (text, "\nMachines, each with its default mapping\n");
  for (guint i = 0; names->pdata[i]; i++) {
    if (cli_tests_on (names->pdata[i], strlen (names->pdata[i])))
      continue;
    g_autoptr (RspMachine) machine = find_machine (names->pdata[i], options, diagnostics);
    if (machine) {
      g_autofree char *meaning
          = g_strdup_printf ("%s (%s)", machine->title ? machine->title : "",
                             machine->mapping ? machine->mapping : "no mapping of its own");
      cli_help_entry (names->pdata[i], meaning, TEXT_COLUMN, LAST_COLUMN, text);
    }
  }
  for (guint i = 0; cli_extras[i]; i++)
    if (cli_extras[i]->tests)
      cli_help_entry (cli_extras[i]->tests->machine, cli_extras[i]->tests->meaning, TEXT_COLUMN,
                      LAST_COLUMN, text);
  g_string_append (text, "\nReadings (-reading NAME=VALUE); the first value is the default\n");
  append_readings (rsp_reading_table, text);
  for (guint i = 0; cli_extras[i]; i++)
    if (cli_extras[i]->tests) {
      g_string_append_printf (text,
                              "\nReadings of the machine %s; the first value is the default\n",
                              cli_extras[i]->tests->machine);
      append_readings (cli_extras[i]->tests->readings, text);
    }
  return cli_write (text) ? CLI_STATUS_OK : CLI_STATUS_UNFINISHED;
}

/* ---- Run ------------------------------------------------------------------------------------ */

/* The model's record of the test, made once for all mappings; NULL without -model on a machine, or
 * if the model cannot be read. */
static RspRecord *search_model (const CliJobs *jobs, guint i, const RspProgram *program,
                                const CliColumn *column, CliCell *cell) {
  if (!jobs->options->models->len && rsp_machine_options (jobs->options)->machine)
    return NULL;
  cell->model
      = cli_models_get_for (jobs->models, column, jobs->paths->pdata[i], program->language->id);
  if (!cell->model->model)
    return NULL;
  RspRecord *record = rsp_record_new (program->name, jobs->paths->pdata[i], column->label, NULL);
  RspRunOptions run = { .check = column->check };
  rsp_run (program, cell->model->model, &run, record, cell->diagnostics);
  return record;
}

static void run_mapping (const Machines *machines, const CliJobs *jobs, guint i, guint k,
                         const CliColumn *column, const RspProgram *program, const CliModel *source,
                         const RspRecord *model, CliCell *cell) {
  RspProgram bound = *program;
  if (source && source->model) {
    if (!rsp_words_check_map (machines->mappings.maps->pdata[k], source->model, cell->diagnostics))
      return;
    rsp_words_bind (&bound, source->model, NULL); /* errors are the source's */
  }
  if (!machines->mappings.translations) {
    check_on_machine (machines, k, jobs->options, &column->check, &bound,
                      source ? source->model : NULL, model, cell->record, cell->diagnostics);
    return;
  }
  cell->target
      = cli_models_get (jobs->models, machines->mappings.targets->pdata[k], jobs->paths->pdata[i]);
  const Compile compile = { .machines = machines,
                            .mapping = k,
                            .column = column,
                            .source = source->model,
                            .target = cell->target->model,
                            .verbose = jobs->options->verbose > 0 };
  if (compile.source && compile.target)
    check_compiled (&compile, &bound, model, cell->record, cell->diagnostics);
}

/* A machine with tests of its own has columns of its own. */
static GPtrArray *labels (gconstpointer opened, const CliJobs *jobs) {
  const Machines *machines = opened;
  const CliTests *tests = find_own (rsp_machine_options (jobs->options));
  const GPtrArray *own = tests ? cli_columns_of_tests (jobs->columns, tests) : NULL;
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; own && i < own->len; i++)
    g_ptr_array_add (found, g_strdup (((const CliColumn *) own->pdata[i])->label));
  for (guint i = 0; i < machines->mappings.maps->len; i++)
    g_ptr_array_add (found, label_of (machines, i));
  return found;
}

/* Machines run OpenCL and C tests; mappings translate the tests that their source's model is for.
 */
static gboolean is_for (gconstpointer opened, const CliJobs *jobs, guint i,
                        const RspProgram *program) {
  const Machines *machines = opened;
  if (!machines->mappings.translations)
    return machines->mappings.maps->len && !program->language->tagged;
  const GPtrArray *columns = cli_columns_for (jobs->columns, program->language->id, program->newer);
  const CliModel *source = cli_models_get_for (jobs->models, columns->pdata[0],
                                               jobs->paths->pdata[i], program->language->id);
  return !source->model || rsp_model_is_for (source->model, program->language);
}

static void run (gconstpointer opened, const CliJobs *jobs, guint i, const RspProgram *program,
                 const GPtrArray *columns, CliResult *result) {
  const Machines *machines = opened;
  const CliColumn *column = columns->pdata[0];
  const char *reason = rsp_machine_options (jobs->options)->machine ? "the machine cannot run it"
                                                                    : "it cannot be translated";
  cli_result_begin (result, machines->mappings.maps->len);
  g_autoptr (RspRecord) model = NULL;
  for (guint k = 0; k < result->n_cells; k++) {
    CliCell *cell = &result->cells[k];
    cell->diagnostics = rsp_diagnostics_new ();
    if (k == 0 && !program->all_placements)
      model = search_model (jobs, i, program, column, cell);
    cell->record = cli_job_record (jobs, i, 0, program->name, columns, reason);
    RspRecord *record = cell->record;
    g_free (record->model);
    record->model = label_of (machines, k);
    record->column = k;
    record->columns = result->n_cells;
    rsp_record_set_program (record, program);
    if (program->all_placements)
      rsp_error (cell->diagnostics, program->threads[0].span, "give it one scope tree",
                 "test %s: its question is about all placements, which only models answer",
                 program->name);
    else
      run_mapping (machines, jobs, i, k, column, program, result->cells[0].model, model, cell);
  }
}

static const CliMethod method = { open_all, machines_close, labels, is_for, run };

/* ---- The log -------------------------------------------------------------------------------- */

typedef struct Totals {
  guint verdicts[RSP_N_SOUNDNESS];
  guint deadlocks;
} Totals;

static gboolean begin_log (CliSink *sink) {
  sink->data = g_new0 (Totals, 1);
  return TRUE;
}

/* Appends the text with its lines indented, unless it is NULL. */
static void append_indented (const char *title, const char *text, GString *out) {
  if (!text)
    return;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_string_append_printf (out, "%s\n", title);
  for (guint i = 0; lines[i]; i++)
    if (*lines[i])
      g_string_append_printf (out, "  %s\n", lines[i]);
}

static gboolean take_log (CliSink *sink, const RspRecord *record) {
  Totals *totals = sink->data;
  const RspMachineReport *report = &record->machine;
  g_autoptr (GString) text = g_string_new (NULL);
  rsp_log_format (record, sink->options->verbose > 0, text);
  gsize length = text->len;
  rsp_soundness_format (record, text);
  append_indented ("Trace", report->trace, text);
  append_indented ("Deadlock trace", report->deadlock_trace, text);
  append_indented ("Invariant trace", report->violated_trace, text);
  if (text->len > length)
    g_string_append_c (text, '\n');
  totals->verdicts[report->verdict]++;
  totals->deadlocks += report->deadlock;
  return cli_write (text);
}

/* ---- Bills ---- */
static gboolean write_bills (const GPtrArray *records) {
  g_autoptr (GString) text = g_string_new ("Bill: least, mean and most\n");
  g_autoptr (GHashTable) titles = rsp_test_titles (records);
  for (guint i = 0; i < records->len;) {
    const RspRecord *record = records->pdata[i];
    guint n = 1; /* of its records: -merge may miss some */
    while (i + n < records->len && ((RspRecord *) records->pdata[i + n])->index == record->index)
      n++;
    g_autoptr (GPtrArray) bills
        = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
    guint n_items = 0;
    for (guint k = 0; k < n; k++) {
      const char *text_of_bill = ((const RspRecord *) records->pdata[i + k])->machine.bill;
      GPtrArray *bill = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
      g_auto (GStrv) lines = g_strsplit (text_of_bill ? text_of_bill : "", "\n", -1);
      for (guint l = 0; lines[l] && *lines[l]; l++) /* name, least, mean and most */
        g_ptr_array_add (bill, g_strsplit (lines[l], " ", 4));
      n_items = MAX (n_items, bill->len);
      g_ptr_array_add (bills, bill);
    }
    const RspRecord *test = records->pdata[i];
    g_autofree char *title = rsp_test_title (titles, test->test, test->path);
    g_string_append_printf (text, "%-24s", title);
    for (guint k = 0; k < n; k++) {
      const char *mapping = ((RspRecord *) records->pdata[i + k])->machine.mapping;
      g_string_append_printf (text, " %20s", mapping ? mapping : "-"); /* an unreadable test */
    }
    g_string_append (text, n_items ? "\n" : "\n  no bill\n");
    for (guint item = 0; item < n_items; item++) {
      g_autoptr (GString) row = g_string_new (NULL);
      const char *name = NULL;
      gboolean any = FALSE;
      for (guint k = 0; k < n; k++) {
        GPtrArray *bill = bills->pdata[k];
        char **line = item < bill->len ? bill->pdata[item] : NULL;
        g_autofree char *cell
            = line ? g_strdup_printf ("%s %s %s", line[1], line[2], line[3]) : g_strdup ("-");
        g_string_append_printf (row, " %20s", cell);
        name = line ? line[0] : name;
        any |= line && !g_str_equal (line[3], "0");
      }
      if (any)
        g_string_append_printf (text, "  %-22s%s\n", name, row->str);
    }
    i += n;
  }
  return cli_write (text);
}

static gboolean end_log (CliSink *sink, const GPtrArray *records) {
  const Totals *totals = sink->data;
  gboolean has_bills = rsp_machine_options (sink->options)->cost;
  for (guint i = 0; i < records->len; i++)
    has_bills |= ((const RspRecord *) records->pdata[i])->machine.bill != NULL;
  if (has_bills && !write_bills (records))
    return FALSE;
  if (totals->verdicts[RSP_UNJUDGED] == records->len)
    return TRUE;
  g_autoptr (GString) text = g_string_new (NULL);
  g_string_append_printf (text, "Sound: %u Unsound: %u Vacuous: %u Bounded: %u Deadlock: %u\n",
                          totals->verdicts[RSP_SOUND], totals->verdicts[RSP_UNSOUND],
                          totals->verdicts[RSP_VACUOUS], totals->verdicts[RSP_BOUNDED],
                          totals->deadlocks);
  return cli_write (text);
}

static const CliSink sink = {
  .begin = begin_log, .take = take_log, .end = end_log, .free_data = g_free, .keeps_records = TRUE
};

/* ---- Mappings for other folders ------------------------------------------------------------- */

/* A machine with its options, for programs of any kind. */
typedef struct Runner {
  RspMapMachine base;
  RspExploreOptions options;
} Runner;

static RspOutcome *run_on (const RspMapMachine *machine, const RspMap *map,
                           const RspProgram *program, gboolean full, RspDiagnostics *diagnostics) {
  RspExploreOptions options = ((const Runner *) machine)->options;
  RspMachine own = *options.machine;
  options.map = map;
  options.machine = &own;
  if (full)
    own.readings.reduction = REDUCTION_OFF;
  g_autoptr (RspExploration) run = rsp_exploration_new (program, &options, diagnostics);
  return g_steal_pointer (&run->outcome);
}

static gboolean takes (const RspMapMachine *machine, const RspMap *map,
                       RspDiagnostics *diagnostics) {
  const RspExploreOptions *options = &((const Runner *) machine)->options;
  return rsp_machine_takes (options->machine, map, diagnostics);
}

static guint count_mappings (const CliOptions *options) {
  const MachineOptions *own = rsp_machine_options (options);
  return own->machine ? own->mappings->len : own->compiled->len;
}

/* Without a deadline: the caller has one for all programs. */
static CliMappings *open_mappings (const CliOptions *options, gboolean wide_barriers,
                                   RspDiagnostics *diagnostics) {
  Machines *machines = open_all (options, diagnostics);
  if (!machines || !machines->machine)
    return (CliMappings *) machines;
  Runner *runner = g_new0 (Runner, 1);
  runner->options = run_options (machines, 0, options);
  runner->options.timeout = 0;
  runner->options.wide_barriers = wide_barriers;
  runner->base = (RspMapMachine){ .name = machines->machine->name,
                                  .readings = rsp_readings_format (rsp_reading_table,
                                                                   &machines->machine->readings),
                                  .run = run_on,
                                  .takes = takes };
  machines->mappings.machine = &runner->base;
  return &machines->mappings;
}

static void close_mappings (CliMappings *mappings) {
  if (mappings && mappings->machine) {
    g_free (mappings->machine->readings);
    g_free ((gpointer) mappings->machine);
  }
  machines_close (mappings);
}

static const CliMappingService service
    = { mapping_option, count_mappings, open_mappings, close_mappings };

/* ---- The row -------------------------------------------------------------------------------- */

#define OPTIONS MachineOptions
#include "cli/option_rows.h"

/* The names of the machines that come with the program: init fills them in. */
enum { MOST_MACHINES = 32 };
static const char *machine_words[MOST_MACHINES + 1];

static void init (gpointer own) {
  ((MachineOptions *) own)->max_states = 2000000;
  if (machine_words[0])
    return;
  g_auto (GStrv) path = rsp_directories ("machine", NULL, NULL);
  g_autoptr (GPtrArray) names = list_machines ((const char *const *) path);
  for (guint i = 0; i < MOST_MACHINES && names->pdata[i]; i++)
    machine_words[i] = g_intern_string (names->pdata[i]);
}

static const CliOption options_table[] = {
  { "machine", CLI_MACHINES, CLI_TEXT, FIELD (machine), "M",
    "Run the tests on this machine: one that comes with the program, see -help-mapping; or a "
    "file, which is searched for like models (docs/machines.md); or dsom for programs of commands "
    "(docs/dsom.md). With -model, each test's log is followed by a verdict: does the model allow "
    "all of the machine's states? The exit status is 3 if it does not.",
    machine_words, 0, 0 },
  VALUE ("mapping", CLI_MACHINES, CLI_LIST, mappings, "F.map",
         "The mapping of operations to instructions of the machine. Searched for like models. May "
         "be repeated. Default: the machine's own, see -help-mapping."),
  VALUE ("reading", CLI_MACHINES, CLI_LIST, readings, "NAME=VALUE",
         "Choose one reading of a step that the machine's sources leave open, see -help-mapping. "
         "May be "
         "repeated."),
  SWITCH ("cost", CLI_MACHINES, cost,
          "Also print what each test costs on the machine under each mapping (flushes, "
          "invalidations, …): "
          "least, mean and most over all interleavings that end in a state that the model allows."),
  VALUE ("latency", CLI_MACHINES, CLI_TEXT, latency, "FILE",
         "What the items of -cost take, in cycles (docs/machines.md); the bill then ends with the "
         "critical path: the cycles of the work-item that takes longest."),
  VALUE ("max-states", CLI_MACHINES, CLI_COUNT, max_states, "N",
         "Give up on a test after N states of the machine; 0: no limit. Default: 2000000."),
  VALUE (
      "compile", CLI_MACHINES, CLI_LIST, compiled, "F.map",
      "Translate the tests by this mapping to another language (docs/compile.md), and say for each "
      "whether its -model allows all that the target's model allows for the translation. With -v "
      "also an execution of the target that is not allowed, and why the source has none like it. "
      "The exit status is 3 if some test is unsound. May be repeated."),
  VALUE ("target", CLI_MACHINES, CLI_TEXT, target, "MODEL",
         "The target's model under -compile, with options of its own like -model. Default: that of "
         "the mapping's target language."),
  SWITCH ("help-mapping", CLI_MACHINES, help_mapping,
          "Print the language of mappings, the machines and their readings."),
};

static gboolean has_made (const RspRecord *record) { return record->machine.machine != NULL; }

static const CliCommand commands[]
    = { { .option = "help-mapping", .is_early = TRUE, .run = help_mapping },
        { .option = "machine",
          .is_requested = is_requested,
          .sink = &sink,
          .has_made = has_made,
          .method = &method },
        { .option = NULL } };

const CliExtra machine_extra
    = { .task = "Is a mapping to a machine sound? (-run c11: what does this processor do?)",
        .example = "rspcheck -machine rsp -mapping original.map -model opencl_rem.cat litmus/rsp",
        .options = options_table,
        .n_options = G_N_ELEMENTS (options_table),
        .size = sizeof (MachineOptions),
        .inside = (const char *const[]){ "machine", "mapping", "reading", "cost", "latency",
                                         "max-states", "compile", "target", "help-mapping", NULL },
        .init = init,
        .check = check,
        .commands = commands,
        .mappings = &service };
