/* -machine, -compile, -cost: tests on machines, and mappings. */
#include "api/api.h"
#include "base/base.h"
#include "cli/internal.h"
#include "extra/dsom/dsom.h"
#include "parser/map/map.h"
#include "report/report.h"

#include <string.h>

/* ---- Cell ----------------------------------------------------------------------------------- */

/* The shortest trace to a state; G_MAXUINT: to a deadlock. */
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

void cli_machine_check (const CliMachines *machines, guint i, const CliOptions *options,
                        const RspCheckOptions *check, const RspProgram *program,
                        const RspModel *source, const RspRecord *model, RspRecord *record,
                        RspDiagnostics *diagnostics) {
  gint64 start = g_get_monotonic_time ();
  RspExploreOptions run_options = cli_machines_run (machines, i, options);
  run_options.cas_writeback = check->cas_writeback;
  run_options.wide_barriers = source && source->wide_barriers;
  g_autoptr (RspExploration) run = rsp_exploration_new (program, &run_options, diagnostics);
  rsp_record_set_outcome (record, run->outcome, check);
  RspMachineReport *report = &record->machine;
  report->machine = g_strdup (run_options.machine->name);
  report->mapping = g_strdup (run_options.map->name);
  report->readings = rsp_readings_format (&run_options.readings);
  report->deadlock = run->deadlock;
  report->states = run->states;
  report->steps = run->steps;
  report->bytes = run->bytes;
  if (run->outcome->stop == RSPCHECK_STOP_EXECUTIONS) {
    g_free (record->reason);
    record->reason
        = run_options.max_states
              ? g_strdup_printf ("More than %" G_GUINT64_FORMAT " states", run_options.max_states)
              : g_strdup ("Too many values of one location");
  }
  record->seconds = (double) (g_get_monotonic_time () - start) / 1e6;
  if (model)
    rsp_soundness_judge (record, model);
  if (options->cost)
    report->bill = find_bill (record, model, program, &run_options, run, diagnostics);
  if (options->verbose && report->verdict == RSP_UNSOUND) {
    g_auto (GStrv) unsound
        = g_strsplit (report->unsound, "\n", 2); /* states that are not allowed */
    guint state = 0;
    while (!g_str_equal (rsp_record_state (record, state)->text, unsound[0] ? unsound[0] : ""))
      state++;
    report->trace = shortest_trace (program, &run_options, run, state);
  }
  if (options->verbose && report->deadlock)
    report->deadlock_trace = shortest_trace (program, &run_options, run, G_MAXUINT);
}

/* ---- Compile -------------------------------------------------------------------------------- */

/* Explains the outcome under the model. */
static void explain (const CliCompile *compile, const RspProgram *program, const RspModel *model,
                     const char *outcome, GString *out, RspDiagnostics *diagnostics) {
  const char *outcomes[] = { outcome, NULL };
  RspRunOptions run = { .check = compile->column->check, .explain = TRUE, .outcomes = outcomes };
  g_autoptr (RspRecord) record = rsp_record_new (program->name, "", "", NULL);
  rsp_run (program, model, &run, record, diagnostics);
  g_string_append_printf (out, "%s:\n", model->name);
  if (record->explanations)
    rsp_explanations_format (record->explanations, FALSE, out);
}

void cli_compile_check (const CliCompile *compile, const RspProgram *program,
                        const RspRecord *allowed, RspRecord *record, RspDiagnostics *diagnostics) {
  const RspMap *map = compile->machines->maps->pdata[compile->mapping];
  const CliColumn *target = compile->machines->targets->pdata[compile->mapping];
  record->machine.machine = g_strdup (target->label);
  record->machine.mapping = g_strdup (map->name);
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
  RspProgram translated
      = rsp_translation_apply (compile->machines->translations->pdata[compile->mapping], program);
  RspRunOptions run = { .check = target->check };
  rsp_run (&translated, compile->target, &run, record, diagnostics);
  /* Barriers in another order for each work-item: OpenCL has no execution, and promises nothing. */
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

/* ---- Machines ------------------------------------------------------------------------------- */

/* ---- Finding mappings ---- */
/* Adds a mapping of the run's kind; with empty rows only if -cheapest fills them. FALSE after an
 * error. */
static gboolean load_map (CliMachines *machines, const char *name, const char *const *path,
                          gboolean cheapest, RspDiagnostics *diagnostics) {
  g_autofree char *file = rsp_find_file (name, NULL, path, ".map");
  if (!file) {
    g_autofree char *near = rsp_near_file (name, path, ".map");
    g_autofree char *hint = near ? g_strdup_printf ("did you mean `%s`?", near) : NULL;
    rsp_error (diagnostics, RSP_NOWHERE, hint, "%s: no such mapping", name);
    return FALSE;
  }
  RspMap *map = rsp_map_load (file, path, diagnostics);
  if (!map)
    return FALSE;
  g_ptr_array_add (machines->maps, map);
  if (machines->translations && !map->target) {
    rsp_error (diagnostics, RSP_NOWHERE,
               "a mapping to another language begins with `source OpenCL target PTX`, or the like",
               "%s is a mapping to a machine: give it with -machine and -mapping", map->path);
    return FALSE;
  }
  if (!machines->translations && map->target) {
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

/* names: empty for the machine's own mapping. */
static gboolean load_maps (CliMachines *machines, const GPtrArray *names, const CliOptions *options,
                           RspDiagnostics *diagnostics) {
  g_autoptr (GPtrArray) given = g_ptr_array_new (); /* a copy would own the strings too */
  g_ptr_array_extend (given, options->directories, NULL, NULL);
  g_ptr_array_add (given, NULL);
  g_auto (GStrv) path = rsp_directories ("machine", (const char *const *) given->pdata, NULL);
  guint n = MAX (names->len, 1);
  for (guint i = 0; i < n; i++)
    if (!load_map (machines, names->len ? names->pdata[i] : machines->machine->mapping,
                   (const char *const *) path, options->cheapest, diagnostics))
      return FALSE;
  return TRUE;
}

/* ---- The machine ---- */
static const RspMachine *find_machine (const char *name, RspDiagnostics *diagnostics) {
  const RspMachine *machine = rsp_machine_find (name);
  if (machine)
    return machine;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (const RspMachine *other = rsp_machine_table; other->name; other++)
    g_ptr_array_add (names, (gpointer) other->name);
  g_ptr_array_add (names, (gpointer) "dsom");
  g_ptr_array_add (names, NULL);
  g_autofree char *list = g_strjoinv ("`, `", (char **) names->pdata);
  g_autofree char *hint = rsp_did_you_mean (name, (const char *const *) names->pdata);
  rsp_error (diagnostics, RSP_NOWHERE, hint, "no such machine: `%s`; there are `%s`", name, list);
  return NULL;
}

/* ---- Options ---- */
/* Options that do not apply to a machine: reports that compare models, and questions about
 * executions and programs. */
static const char *find_conflict (const CliOptions *options) {
  gboolean is_dsom = options->machine && g_str_equal (options->machine, "dsom");
  const struct {
    const char *name;
    gboolean given;
  } others[] = { { "expect", options->expect || options->promote },
                 { "diff", options->diff },
                 { "compare", options->compared->len > 0 },
                 { "resume", options->resume && !is_dsom && !options->distinguish },
                 { "merge", options->merge },
                 { "speedcheck", options->check.speedcheck != RSPCHECK_SPEED_EXACT },
                 { "explain", options->explain },
                 { "outcome", options->outcomes->len > 0 },
                 { "show", options->show != 0 },
                 { "run", options->run != RSP_N_TARGETS },
                 { "emit", options->emit != RSP_N_TARGETS },
                 { "distinguish", options->distinguish && is_dsom },
                 { "cheapest", options->cheapest && is_dsom },
                 { "minimal", options->minimal },
                 { "monotone", options->monotone },
                 { "rewrites", options->rewrites },
                 { "repair", options->repair },
                 { "relax", options->relax },
                 { "vary", options->vary } };
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (others[i].given)
      return others[i].name;
  return NULL;
}

gboolean cli_machines_are_requested (const CliOptions *options) {
  return options->machine || options->compiled->len;
}

gboolean cli_machines_check (const CliOptions *options, RspDiagnostics *diagnostics) {
  const char *mode = options->machine ? "machine" : "compile";
  const char *without = options->machine         ? NULL /* options that need a machine */
                        : options->mappings->len ? "mapping"
                        : options->readings->len ? "reading"
                        : options->cost          ? "cost"
                                                 : NULL;
  const char *conflict = cli_machines_are_requested (options) ? find_conflict (options) : NULL;
  if (without)
    rsp_error (diagnostics, RSP_NOWHERE, "for instance `-machine rsp`", "`-%s` needs `-machine M`",
               without);
  else if (options->target && !options->compiled->len)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "`-target` needs `-compile F.map`");
  else if (options->cheapest && !cli_machines_are_requested (options))
    rsp_error (diagnostics, RSP_NOWHERE, NULL,
               "`-cheapest` needs `-compile F.map` or `-machine M`");
  else if (options->cheapest && (options->distinguish || options->resume || options->shard.of > 1))
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "`-cheapest` cannot be combined with `-%s`",
               options->distinguish ? "distinguish"
               : options->resume    ? "resume"
                                    : "shard");
  else if (options->machine && options->compiled->len)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "`-machine` cannot be combined with `-compile`");
  else if (options->strategies->len && !g_str_equal (options->machine, "dsom"))
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "`-strategy` needs `-machine dsom`");
  else if (conflict)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "`-%s` cannot be combined with `-%s`", mode,
               conflict);
  else if (cli_machines_are_requested (options) && options->models->len > 1)
    rsp_error (diagnostics, RSP_NOWHERE, NULL,
               "`-%s` is compared with one model: give one `-model`", mode);
  else
    return TRUE;
  return FALSE;
}

/* Of -compile: the mappings with the models of their targets. FALSE after an error. */
static gboolean add_targets (CliMachines *machines, const CliOptions *options,
                             RspDiagnostics *diagnostics) {
  machines->translations = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_translation_free);
  machines->targets = g_ptr_array_new_with_free_func ((GDestroyNotify) cli_column_free);
  if (!load_maps (machines, options->compiled, options, diagnostics))
    return FALSE;
  for (guint i = 0; i < machines->maps->len; i++) {
    const RspMap *map = machines->maps->pdata[i];
    RspTranslation *translation = options->cheapest ? NULL : rsp_translation_new (map, diagnostics);
    CliColumn *target
        = cli_column_new (options, options->target ? options->target : map->target->default_model,
                          RSP_NOWHERE, diagnostics);
    g_ptr_array_add (machines->translations, translation);
    g_ptr_array_add (machines->targets, target);
    if (!(translation || options->cheapest) || !target)
      return FALSE;
  }
  return TRUE;
}

CliMachines *cli_machines_new (const CliOptions *options, RspDiagnostics *diagnostics) {
  g_autoptr (CliMachines) machines = g_new0 (CliMachines, 1);
  machines->maps = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_map_free);
  if (options->compiled->len)
    return add_targets (machines, options, diagnostics) ? g_steal_pointer (&machines) : NULL;
  if (g_str_equal (options->machine, "dsom")) {
    if (options->mappings->len || options->models->len) {
      rsp_error (
          diagnostics, RSP_NOWHERE, "-strategy",
          "the machine dsom has no mappings, and is compared with the flat buffer, not with a "
          "model");
      return NULL;
    }
    return g_steal_pointer (&machines);
  }
  machines->machine = find_machine (options->machine, diagnostics);
  if (!machines->machine)
    return NULL;
  gboolean good = TRUE;
  rsp_machine_readings (machines->machine, &machines->readings);
  for (guint i = 0; i < options->readings->len; i++) {
    g_autofree char *message = NULL;
    if (rsp_readings_set (&machines->readings, options->readings->pdata[i], &message))
      continue;
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "`-reading %s`: %s",
               (char *) options->readings->pdata[i], message);
    good = FALSE;
  }
  if (!good || !load_maps (machines, options->mappings, options, diagnostics))
    return NULL;
  return g_steal_pointer (&machines);
}

void cli_machines_free (CliMachines *machines) {
  if (!machines)
    return;
  g_clear_pointer (&machines->translations, g_ptr_array_unref);
  g_clear_pointer (&machines->targets, g_ptr_array_unref);
  g_ptr_array_unref (machines->maps);
  g_free (machines);
}

char *cli_machines_label (const CliMachines *machines, guint i) {
  const RspMap *map = machines->maps->pdata[i];
  if (!machines->targets)
    return g_strdup_printf ("%s -mapping %s", machines->machine->name, map->name);
  const CliColumn *target = machines->targets->pdata[i];
  return g_strdup_printf ("%s -compile %s", target->label, map->name);
}

RspExploreOptions cli_machines_run (const CliMachines *machines, guint i,
                                    const CliOptions *options) {
  return (RspExploreOptions){ .machine = machines->machine,
                              .map = machines->maps->pdata[i],
                              .readings = machines->readings,
                              .max_states = options->max_states,
                              .unroll = options->check.unroll,
                              .timeout = options->check.timeout,
                              .max_memory = options->check.max_memory };
}

/* ---- -help-mapping ---- */
enum { TEXT_COLUMN = 19, LAST_COLUMN = 96 };

static void append_reading (const char *name, const char *const *values, const char *meaning,
                            GString *out) {
  g_autofree char *words = g_strjoinv ("|", (char **) values);
  g_autofree char *text = g_strdup_printf ("%s. %s", words, meaning);
  cli_help_entry (name, text, TEXT_COLUMN, LAST_COLUMN, out);
}

int cli_help_mapping (void) {
  g_autoptr (GString) text = g_string_new (NULL);
  rsp_map_help (text);
  g_string_append (text, "\nMachines, each with its default mapping\n");
  for (const RspMachine *machine = rsp_machine_table; machine->name; machine++) {
    g_autofree char *meaning = g_strdup_printf ("%s (%s)", machine->meaning, machine->mapping);
    cli_help_entry (machine->name, meaning, TEXT_COLUMN, LAST_COLUMN, text);
  }
  cli_help_entry (
      "dsom",
      "A distributed shared OpenCL memory, for programs of commands (head DSOM). It has "
      "update strategies instead of mappings: -strategy.",
      TEXT_COLUMN, LAST_COLUMN, text);
  g_string_append (text,
                   "\nReadings (-reading NAME=VALUE); the first value is the default on rsp\n");
  for (const RspReading *reading = rsp_reading_table; reading->name; reading++)
    append_reading (reading->name, reading->words, reading->meaning, text);
  g_string_append (text, "\nReadings of the machine dsom; the first value is the default\n");
  for (const RspDsomReading *reading = rsp_dsom_readings; reading->name; reading++)
    append_reading (reading->name, reading->words, reading->meaning, text);
  return cli_write (text) ? CLI_STATUS_OK : CLI_STATUS_UNFINISHED;
}
