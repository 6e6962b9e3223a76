#include "cli/options/options.h"

#define FIELD(name) G_STRUCT_OFFSET (CliOptions, name)
#define SWITCH(name, group, field, help)                                                           \
  {                                                                                                \
    name, group, CLI_SWITCH, FIELD (field), NULL, help, NULL, 0, 0                                 \
  }
#define VALUE(name, group, kind, field, argument, help)                                            \
  {                                                                                                \
    name, group, kind, FIELD (field), argument, help, NULL, 0, 0                                   \
  }
#define NUMBER(name, group, field, argument, least, most, help)                                    \
  {                                                                                                \
    name, group, CLI_NUMBER, FIELD (field), argument, help, NULL, least, most                      \
  }
#define WORD(name, group, field, words, argument, help)                                            \
  {                                                                                                \
    name, group, CLI_WORD, FIELD (field), argument, help, words, 0, 0                              \
  }
#define LATER(name)                                                                                \
  {                                                                                                \
    name, CLI_OTHER, CLI_LATER, 0, NULL, NULL, NULL, 0, 0                                          \
  }

/* In the order of the enumerations in enumerator/search/check.h. */
static const char *const engines[] = { "bounded", "naive", NULL };
static const char *const through[] = { "none", "invalid", "all", NULL };
static const char *const speeds[] = { "false", "true", "fast", NULL };

G_STATIC_ASSERT (RSP_ENGINE_BOUNDED == 0 && RSP_ENGINE_NAIVE == 1);
G_STATIC_ASSERT (RSP_THROUGH_NONE == 0 && RSP_THROUGH_INVALID == 1 && RSP_THROUGH_ALL == 2);
G_STATIC_ASSERT (RSP_SPEED_FALSE == 0 && RSP_SPEED_TRUE == 1 && RSP_SPEED_FAST == 2);

const char *const cli_group_titles[CLI_N_GROUPS] = {
  [CLI_MODELS] = "Models", [CLI_MACHINES] = "Machines",
  [CLI_TESTS] = "Tests",   [CLI_SEARCH] = "Search",
  [CLI_PROGRAMS] = "Finding programs",
  [CLI_OUTPUT] = "Output", [CLI_OTHER] = "Other",
};

const CliOption cli_option_table[] = {
  VALUE ("model", CLI_MODELS, CLI_LIST, models, "F.cat",
         "Check under this model. With several, the output is a comparison: a row a test, a "
         "column a model. Options of its own may follow in the same argument: `-model \"M.cat "
         "-variant V\"`. Without: opencl_rem.cat for OpenCL tests and rc11.cat for C tests."),
  VALUE ("I", CLI_MODELS, CLI_LIST, directories, "DIR",
         "Look for models in DIR too. May be repeated."),
  VALUE ("variant", CLI_MODELS, CLI_LIST, variants, "V",
         "Switch on a variant: what a model asks for with `if \"V\"`. `cas-writeback` makes a "
         "failing compare-exchange write what it found to *expected, `no-cas-writeback` leaves "
         "*expected as it is. Default: C tests write it, OpenCL tests do not. May be repeated."),
  VALUE ("skipcheck", CLI_MODELS, CLI_LIST, skipped_checks, "NAME",
         "Leave out the model's check of that name; one without a name is called \"line 7 of "
         "my.cat\". "
         "May be repeated."),
  WORD ("through", CLI_MODELS, check.through, through, "none|invalid|all",
        "Keep executions that the model forbids: those that fail a named check (invalid), or all."),
  VALUE ("initwrites", CLI_MODELS, CLI_BOOLEAN, init_writes, "BOOL",
         "Accepted for herd's sake: initial writes are always events."),

  VALUE ("machine", CLI_MACHINES, CLI_TEXT, machine, "M",
         "Run the tests on this machine: sc, rsp, hrf0, hrf0-split or relaxed. With -model, each "
         "test's verdict follows: whether the model allows all the machine's states. The exit "
         "status is 3 if it does not."),
  VALUE ("mapping", CLI_MACHINES, CLI_LIST, mappings, "F.map",
         "Which instructions of the machine each operation becomes. Looked for as models are. May "
         "be repeated. Default: the machine's own, see -help-mapping."),
  VALUE ("reading", CLI_MACHINES, CLI_LIST, readings, "NAME=VALUE",
         "How the machine takes a step that its sources leave open, see -help-mapping. May be "
         "repeated."),
  VALUE ("max-states", CLI_MACHINES, CLI_COUNT, max_states, "N",
         "Give up on a test after N states of the machine; 0 for never. Default: 2000000."),

  VALUE ("names", CLI_TESTS, CLI_LIST, names, "F",
         "Run only tests whose name is in this file, one a line. May be repeated."),
  VALUE ("kinds", CLI_TESTS, CLI_LIST, kinds, "F",
         "Override kinds: lines `NAME Allowed`, `Forbidden` or `Required`, or their short forms. "
         "Under -expect these are what is expected. May be repeated."),
  VALUE ("conds", CLI_TESTS, CLI_LIST, conditions, "F",
         "Override conditions: lines `NAME: exists (0:r0=1)` or `NAME \"exists (0:r0=1)\"`. May be "
         "repeated."),
  SWITCH ("strict", CLI_TESTS, strict,
          "Memory orders that C11 forbids for an operation are errors, not warnings."),

  NUMBER ("unroll", CLI_SEARCH, check.unroll, "N", 0, 1000,
          "Rounds of each loop, 2 without. Executions that need more are dropped, and the verdict "
          "then begins with `Loop`."),
  WORD ("engine", CLI_SEARCH, check.engine, engines, "bounded|naive",
        "Ask the model during the search, or only about complete executions (slow and simple)."),
  WORD ("speedcheck", CLI_SEARCH, check.speedcheck, speeds, "false|true|fast",
        "Look only for executions that decide the condition; with fast, stop at the first. "
        "Undefined behaviour of others is then not seen."),
  VALUE ("timeout", CLI_SEARCH, CLI_SECONDS, check.timeout, "S",
         "Give up on a test after S seconds; 0 for never."),
  VALUE ("max-executions", CLI_SEARCH, CLI_COUNT, check.max_executions, "N",
         "Give up on a test after N executions; 0 for never."),
  VALUE ("max-memory", CLI_SEARCH, CLI_SIZE, check.max_memory, "SIZE",
         "Give up on a test that needs more: bytes, or with K, M or G. 512M without."),
  NUMBER ("j", CLI_SEARCH, jobs, "N", 1, 4096,
          "Work on up to N tests at a time; on fewer than N, with several threads on each. The "
          "machine's cores without. Results and messages come in the order of the tests, "
          "whatever N."),
  VALUE ("resume", CLI_SEARCH, CLI_TEXT, resume, "FILE",
         "Keep each result in FILE as soon as it is there, and take those over that FILE has "
         "already: an interrupted run goes on with the same command. A result counts if test, "
         "question, model, options and version are the same."),
  VALUE ("shard", CLI_SEARCH, CLI_SHARE, shard, "K/N",
         "Only share K of N of the tests, for N machines. See docs/distributed.md."),

  SWITCH ("distinguish", CLI_PROGRAMS, distinguish,
          "Find the smallest programs of which two models say different things: an outcome that "
          "one allows and the other forbids, or that one calls undefined and the other does not. "
          "See docs/synth.md for this and the other questions."),
  SWITCH ("all", CLI_PROGRAMS, all_sizes,
          "Find programs of all sizes up to -events, not only the smallest of each kind."),
  NUMBER ("events", CLI_PROGRAMS, bounds.events, "N", 1, 7,
          "Programs of at most N events: loads, stores, read-modify-writes, fences. Default: 4. "
          "With the locations, at most 8."),
  NUMBER ("threads", CLI_PROGRAMS, bounds.threads, "N", 1, 5,
          "Programs of at most N threads. Default: 3."),
  NUMBER ("locations", CLI_PROGRAMS, bounds.locations, "N", 1, 4,
          "Programs of at most N locations. Default: 2."),
  VALUE ("event-kinds", CLI_PROGRAMS, CLI_TEXT, bounds.kinds, "LIST",
         "Kinds of event: load, store, rmw, fence, with commas. Default here and below: what the "
         "models can tell apart."),
  VALUE ("orders", CLI_PROGRAMS, CLI_TEXT, bounds.orders, "LIST",
         "Memory orders: na (plain accesses), rlx, con, acq, rel, ar, sc."),
  VALUE ("scopes", CLI_PROGRAMS, CLI_TEXT, bounds.scopes, "LIST",
         "Scopes: wi, sg, wg, dev, all. Default: wg, dev and all, of those that the models can "
         "tell apart."),
  VALUE ("remote", CLI_PROGRAMS, CLI_TEXT, bounds.remote, "BOOL",
         "With operations of the _remote form."),
  VALUE ("trees", CLI_PROGRAMS, CLI_TEXT, bounds.trees, "BOOL",
         "In all scope trees; else each thread is a work-group of one device."),
  SWITCH ("regions", CLI_PROGRAMS, bounds.regions, "With locations in local memory. Default: off."),

  VALUE ("badexecs", CLI_OUTPUT, CLI_BOOLEAN, bad_executions, "BOOL",
         "Give no log of tests with undefined behaviour if false. True without."),
  VALUE ("outcomereads", CLI_OUTPUT, CLI_BOOLEAN, check.outcome_reads, "BOOL",
         "Show in each state what every read returned."),
  NUMBER ("nshow", CLI_OUTPUT, shown, "N", 0, G_MAXINT,
          "Has no effect: it bounds the number of graphs of a test, and this version draws none."),
  SWITCH ("json", CLI_OUTPUT, json,
          "Print JSON Lines instead, one record a test and model: see docs/schema.json."),
  SWITCH ("tsv", CLI_OUTPUT, tsv,
          "Print a table with tabs instead, in the columns of expected.tsv."),
  SWITCH ("diff", CLI_OUTPUT, diff,
          "Compare models; show only tests on which they differ, with the states that one allows "
          "and another forbids, and the flags that one raises and another does not, with the "
          "events that show why: the two accesses of a race."),
  SWITCH ("merge", CLI_OUTPUT, merge,
          "Check nothing: the arguments are files of -json, and the report is that of one run "
          "which made their records, whatever their order. What is missing or does not agree is "
          "an error."),
  VALUE ("compare", CLI_OUTPUT, CLI_LIST, compared, "LOG",
         "Compare with a log, of rspcheck, herd or litmus7: one more column; of a folder, with "
         "each log in it. May be repeated; further arguments after it that end in `.log` are "
         "logs too. Without tests, only logs are compared."),
  VALUE ("o", CLI_OUTPUT, CLI_TEXT, logs, "DIR",
         "Also write logs to this directory, which is made if need be: one a model, MODEL.log. "
         "What is finished when the run is interrupted is there."),
  VALUE ("html", CLI_OUTPUT, CLI_TEXT, html, "FILE",
         "Also write a page for a browser to FILE: all models and tests, with sources, states and "
         "differences, to search and to filter. It needs nothing but itself."),
  SWITCH ("expect", CLI_OUTPUT, expect,
          "Compare with what is expected instead of reporting: with expected.tsv beside each "
          "test, `(* Result: Never *)` in it, and the files of -kinds. Differences are printed "
          "as a diff. Without -model: under the models that the expectations name."),
  SWITCH ("promote", CLI_OUTPUT, promote,
          "Like -expect, and then take what was found as what is expected: rewrite those files."),
  SWITCH ("q", CLI_OUTPUT, quiet, "Only errors on standard error, no warnings."),
  SWITCH ("v", CLI_OUTPUT, verbose,
          "Add ScopeHash= to the log; on standard error tell version, command line, model, "
          "statistics, how often each check cut, and the events that show why flags are raised."),

  VALUE ("conf", CLI_OTHER, CLI_CONF, models, "F.cfg",
         "Read options from a file: lines `option value`, without dashes; `#` begins a comment. "
         "Models on the command line replace those of such files."),
  SWITCH ("version", CLI_OTHER, version, "Print the version."),
  SWITCH ("help", CLI_OTHER, help, "Print this text."),
  SWITCH ("help-model", CLI_OTHER, help_model,
          "Print what each -model is: its axioms, flags, warnings, variants, and source."),
  SWITCH ("help-mapping", CLI_OTHER, help_mapping,
          "Print the language of mappings, the machines and their readings."),
  { "man", CLI_OTHER, CLI_SWITCH, FIELD (man), NULL, "Print the man page's source.", NULL, 0, 0 },

  LATER ("show"),
};

const guint cli_n_options = G_N_ELEMENTS (cli_option_table);
