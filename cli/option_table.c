/* Every option, with its group and help. */
#include "base/json.h"
#include "cli/internal.h"
#include "cli/options.h"

#define OPTIONS CliOptions
#include "cli/option_rows.h"

/* ---- Option table --------------------------------------------------------------------------- */

static const char *const formats[] = { "dot", "svg", "pdf", "png", "text", "tikz", NULL };

/* In the order of CliShell. */
static const char *const shells[] = { "none", "bash", "zsh", "fish", NULL };

/* In the order of CliGroup. */
static const char *const topics[] = {
#define TOPIC(group, word, title, about, guide) word,
#include "cli/topics.def"
#undef TOPIC
  NULL
};

const CliTopic cli_topics[CLI_N_GROUPS] = {
#define TOPIC(group, word, title, about, guide) { word, title, about, guide },
#include "cli/topics.def"
#undef TOPIC
};

static const char *const placement_words[] = { "given", "all", NULL };

const CliOption cli_option_table[] = {
  VALUE ("model", CLI_MODELS, CLI_LIST, models, "F.cat",
         "Check under this model. With several models, the output is a comparison: one row per "
         "test, one column per model. A model's own options may follow in the same argument: "
         "`-model \"M.cat -variant V\"`. Default: opencl_rem.cat for OpenCL tests, rc11.cat for C "
         "tests."),
  VALUE ("I", CLI_MODELS, CLI_LIST, directories, "DIR",
         "Also look for models, and for files that kernels include, in DIR. May be repeated."),
  VALUE (
      "variant", CLI_MODELS, CLI_LIST, variants, "V",
      "Switch on a variant, which a model tests with `if \"V\"`. `cas-writeback` makes a "
      "failing compare-exchange write the value that it found to *expected; "
      "`no-cas-writeback` leaves *expected as it is; `no-thin-air` drops executions whose values "
      "stay undetermined. Default: C tests write *expected, OpenCL tests do "
      "not. In PTX, Vulkan and AMDGPU tests, `all-threads` makes a barrier without a quorum wait "
      "for all "
      "threads of its group that have not ended, and with `phases` only as many threads as the "
      "quorum says meet at a barrier, and the next ones begin another phase. May be repeated."),
  VALUE ("skipcheck", CLI_MODELS, CLI_LIST, skipped_checks, "NAME",
         "Leave out the model's axiom of this name. An unnamed axiom is identified by its place: "
         "\"line 7 of my.cat\". May be repeated."),
  SWITCH ("Wno-unused", CLI_MODELS, no_warning[RSP_WARN_UNUSED],
          "Do not warn about definitions in the model's own file that nothing uses. A name that "
          "begins with `_` is never reported."),
  SWITCH ("Wno-empty", CLI_MODELS, no_warning[RSP_WARN_EMPTY],
          "Do not warn about definitions in the model's own file that are empty whatever the test, "
          "such as `A & na`."),
  SWITCH ("Wno-precedence", CLI_MODELS, no_warning[RSP_WARN_PRECEDENCE],
          "Do not warn about `a ; [S] & r`, which means `a ; ([S] & r)`."),
  SWITCH ("Wno-same-name", CLI_MODELS, no_warning[RSP_WARN_SAME_NAME],
          "Do not warn about two axioms with the same name."),
  SWITCH ("Wno-unchecked", CLI_MODELS, no_warning[RSP_WARN_UNCHECKED],
          "Do not warn about a model without any axiom, and flags without a name."),
  WORD ("through", CLI_MODELS, check.through, rsp_through_names, "none|invalid|all",
        "Also count executions that the model forbids: those that fail a named axiom (invalid), "
        "or all of them."),
  VALUE ("initwrites", CLI_MODELS, CLI_BOOLEAN, init_writes, "BOOL",
         "Accepted for compatibility with herd; initial writes are always events."),
  SWITCH ("help-model", CLI_MODELS, help_model,
          "Describe each -model: its axioms, flags, warnings, variants and source."),

  VALUE ("names", CLI_TESTS, CLI_LIST, names, "F",
         "Run only the tests named in this file, one name per line. May be repeated."),
  VALUE ("kinds", CLI_TESTS, CLI_LIST, kinds, "F",
         "Override the kinds of tests: lines `NAME Allowed`, `NAME Forbidden` or `NAME Required`, "
         "or their short forms. Under -expect, these are the expected results. May be repeated."),
  VALUE ("conds", CLI_TESTS, CLI_LIST, conditions, "F",
         "Override the conditions of tests: lines `NAME: exists (0:r0=1)` or `NAME \"exists "
         "(0:r0=1)\"`. May be "
         "repeated."),
  SWITCH ("strict", CLI_TESTS, strict,
          "Treat memory orders that C11 forbids for an operation, and what Vulkan's specification "
          "calls ill-formed, as errors, not as warnings."),

  WORD ("placement", CLI_PROGRAMS, everywhere, placement_words, "given|all",
        "With -repair, edits are to help in the test's own scope tree, or in all trees of its "
        "threads; with -distinguish and -minimal, what is found is to be so in all of them. "
        "Default: given."),

  NUMBER (
      "unroll", CLI_SEARCH, check.unroll, "N", 0, 1000,
      "Unroll each loop N times. Executions that need more rounds are left out, and the verdict "
      "line then begins with `Loop`. Default: 2."),
  WORD (
      "spin", CLI_SEARCH, check.spin, rsp_spin_names, "all|last",
      "Rounds to keep of a loop that only waits: all that -unroll gives, or the last one, so that "
      "the answer covers all executions, where the model allows it. A wait that may last forever "
      "then raises the flag never_ends. Default: all."),
  VALUE ("progress", CLI_SEARCH, CLI_PROGRESS, progress, "P",
         "Also ask whether the test hangs if the scheduler promises only this: fair, hsa, obe, "
         "hsa_obe, lobe or unfair, for threads (docs/progress.md), or one per level: "
         "\"wg=obe,wi=fair\"; all asks for all six. May be repeated."),
  WORD ("engine", CLI_SEARCH, check.engine, rsp_engine_names, "bounded|naive|sat|auto",
        "Evaluate the model during the search (bounded), only on complete executions (naive: slow "
        "and "
        "simple), or ask a SAT solver for states and flags (sat), where counting takes too long: "
        "each "
        "state then counts as one execution. auto is sat under -speedcheck if threads have many "
        "paths "
        "and the solver can decide the test, else bounded. Default: bounded."),
  WORD ("speedcheck", CLI_SEARCH, check.speedcheck, rsp_speed_names, "false|true|fast",
        "Look only for executions that decide the condition; with fast, stop at the first one. "
        "Undefined behaviour of other executions goes unnoticed. -kernel ignores it: any execution "
        "may have a finding."),
  VALUE ("timeout", CLI_SEARCH, CLI_SECONDS, check.timeout, "S",
         "Give up on a test after S seconds. Default: 0, no limit."),
  VALUE ("max-executions", CLI_SEARCH, CLI_COUNT, check.max_executions, "N",
         "Give up on a test after N executions. Default: 0, no limit."),
  VALUE ("max-memory", CLI_SEARCH, CLI_SIZE, check.max_memory, "SIZE",
         "Give up on a test, a search for programs, or logs of -compare, that need more memory: a "
         "number of bytes, or one with K, M or G. "
         "Default: 512M."),
  VALUE (
      "max-input", CLI_SEARCH, CLI_SIZE, max_input, "SIZE",
      "Refuse a log of -compare or a file of -merge that is larger. Default: 1G. Tests, models and "
      "lists may have 64M."),
  NUMBER ("j", CLI_SEARCH, jobs, "N", 1, 4096,
          "Check up to N tests at a time; with fewer than N tests left, use several threads on "
          "each. Results and messages come in the order of the tests, whatever N is. Default: "
          "the number of cores."),
  VALUE ("resume", CLI_SEARCH, CLI_WRITTEN, resume, "FILE",
         "Save each result in FILE as soon as it is known, and reuse the results that FILE already "
         "has: the same command continues an interrupted run. A result is reused if test, "
         "condition, model, options and version are the same."),
  VALUE ("shard", CLI_SEARCH, CLI_SHARE, shard, "K/N",
         "Check only share K of N of the tests, to spread a suite over N machines."),

  SWITCH (
      "explain", CLI_OUTPUT, explain,
      "Explain each answer after the test's log, or as `explanation` with -json: a witness of an "
      "outcome that is allowed; the axioms that forbid it, with the cycle in an execution that "
      "fails "
      "only those; why a flag is raised."),
  VALUE ("outcome", CLI_OUTPUT, CLI_LIST, outcomes, "STATE",
         "Explain this outcome instead of the condition: a line of the log's states (\"1:r0=1; "
         "x=2;\") "
         "or a proposition (\"1:r0=1 /\\\\ ~(x=2)\"). Implies -explain. May be repeated."),
  VALUE (
      "badexecs", CLI_OUTPUT, CLI_BOOLEAN, log_undefined, "BOOL",
      "If false, omit the logs of tests in which the flag of -badflag is raised. Default: true."),
  VALUE ("badflag", CLI_OUTPUT, CLI_TEXT, omitted_flag, "FLAG",
         "The flag, such as data_race, that -badexecs false is about."),
  VALUE ("outcomereads", CLI_OUTPUT, CLI_BOOLEAN, check.outcome_reads, "BOOL",
         "Also show, in each state, all registers that receive what is read."),
  WORD ("show", CLI_OUTPUT, show, rsp_show_names, "none|all|prop|neg|wit|cond|flag",
        "Draw executions: all that the model allows, those in which the condition's proposition "
        "holds (prop) or fails (neg), those that decide the question (wit), those that agree with "
        "the condition (cond), or those that raise a flag. Default: none."),
  NUMBER ("nshow", CLI_OUTPUT, most_shown, "N", 0, G_MAXINT,
          "Draw at most N executions per test; in the page of -html -explain, N per final state. "
          "Default: 5."),
  { "format", CLI_OUTPUT, CLI_FORM, FIELD (format), "[dot|svg|pdf|png|text|tikz]",
    "The form of pictures: of the executions that -show selects, and of those of -explain. "
    "With -o each "
    "is a file, DIR/TEST.K.dot; otherwise dot, text and tikz (for LaTeX) go to standard output. "
    "Default: dot. "
    "Without a form, as in `-format M.cat`, check nothing and print the models, tests and mappings "
    "given with their blanks laid out; with -write rewrite these files.",
    formats, 0, 0 },
  SWITCH (
      "gv", CLI_OUTPUT, view,
      "Write pictures to the current folder if there is no -o, and print the names of the files. "
      "No viewer is opened."),
  VALUE ("doshow", CLI_OUTPUT, CLI_LIST, drawn, "R,S",
         "Also draw these relations of the model. May be repeated."),
  VALUE ("unshow", CLI_OUTPUT, CLI_LIST, hidden, "R,S",
         "Do not draw these relations. May be repeated."),
  VALUE ("edgeattr", CLI_OUTPUT, CLI_LIST, edge_attributes, "R,KEY,VALUE",
         "Draw the edges of a relation with this attribute of Graphviz. May be repeated."),
  SWITCH (
      "json", CLI_OUTPUT, json,
      "Print JSON Lines instead: one record per test and model, as docs/schema.json describes."),
  SWITCH ("tsv", CLI_OUTPUT, tsv,
          "Print a tab-separated table instead, with the columns of expected.tsv."),
  SWITCH ("diff", CLI_OUTPUT, diff,
          "Compare models and show only the tests on which they differ: the states that one "
          "allows and another forbids, and the flags that one raises and another does not, with "
          "the events that show why (the two accesses of a race). With two tests and one model: "
          "how the programs differ, and what that does to states, verdict and flags."),
  SWITCH ("merge", CLI_OUTPUT, merge,
          "Check nothing; combine the records in these files, written by -json, into the report "
          "that a single run would have printed. Missing or contradictory records are errors."),
  VALUE ("compare", CLI_OUTPUT, CLI_LIST, compared, "LOG",
         "Add a column from a log of rspcheck, herd or litmus7, or one from each log in a folder. "
         "May be repeated; further arguments that end in `.log` are logs too. Without tests, "
         "only logs are compared."),
  VALUE ("o", CLI_OUTPUT, CLI_WRITTEN, logs, "DIR",
         "Also write the logs to this directory, one per model: DIR/MODEL.log. The directory is "
         "created if necessary. An interrupted run leaves the logs of the tests that it finished."),
  VALUE ("html", CLI_OUTPUT, CLI_WRITTEN, html, "FILE",
         "Also write a self-contained page for a browser: all models and tests with their sources, "
         "states and differences, to search and to filter. With -explain also candidate executions "
         "of each state, allowed or not, with the axioms that they fail and why."),
  VALUE (
      "latex", CLI_OUTPUT, CLI_WRITTEN, latex, "FILE",
      "Also write a document for LaTeX: each test with its threads side by side, its question and "
      "answers, the pictures that -show and -explain select, and the tables of the models."),
  SWITCH (
      "live", CLI_OUTPUT, live,
      "Put the workbench (docs/live.md) into the page of -html, which grows by 2 MB: each test can "
      "be edited there, under the same models. Needs the page that `make workbench` makes."),
  SWITCH ("expect", CLI_OUTPUT, expect,
          "Compare the results with the expected ones: expected.tsv next to each test, a comment "
          "`(* Result: Never *)` in it, and the files of -kinds. Differences are printed as a "
          "diff. Without -model, each test is checked under the models that its expectations "
          "name."),
  SWITCH ("promote", CLI_OUTPUT, promote,
          "Like -expect, and then rewrite those files so that the results found are the expected "
          "ones."),
  SWITCH ("q", CLI_OUTPUT, quiet, "Print only errors to standard error, no warnings; also -w."),
  SWITCH ("no-progress", CLI_OUTPUT, no_progress,
          "Do not show how far a run has come: done/all, rate and time left, on a terminal's last "
          "line."),
  SWITCH ("v", CLI_OUTPUT, verbose,
          "Add ScopeHash= to the log. To standard error, print version, command line, models, "
          "statistics, how often each axiom pruned a branch of the search and how many pairs it "
          "forced, and the events that show why flags are raised. If given twice, also a journal "
          "of the "
          "search: the decision of each node, the pairs that axioms force, and why "
          "branches end; a check then uses one thread."),

  SWITCH ("write", CLI_LIVE, may_write,
          "Let the page of -serve save tests and models below the current folder; under -format "
          "without a form, rewrite the files."),
  SWITCH (
      "confined", CLI_LIVE, confined,
      "Read only files of the current folder and installed models, write only into that folder, "
      "take no more memory than -max-memory before it gives, and run no other programs but a "
      "kernel's preprocessor, from this option on and for good: how -serve runs its checks "
      "(SECURITY.md)."),
  VALUE ("watch", CLI_LIVE, CLI_WRITTEN, watch, "FILE",
         "Append intermediate results to FILE, as lines of JSON: the data of the page of -html as "
         "soon as one of several models has answered about a test; with \"partial\", the states "
         "that a check has found so far; and how far a search for programs or changes is. The "
         "workbench shows long checks with it."),

  VALUE ("conf", CLI_OTHER, CLI_CONF, models, "F.cfg",
         "Read options from a file with lines `option value`, without dashes; `#` begins a "
         "comment. Models on the command line replace those of the file."),
  SWITCH ("version", CLI_OTHER, version, "Print the version; with -v also what is new in it."),
  { "help", CLI_OTHER, CLI_TOPIC, FIELD (topic), "[TOPIC]",
    "Print the usual commands and the topics, or the options of a topic: models, machines, tests, "
    "search, programs, kernels, devices, output, live, other; also -h.",
    topics, 0, 0 },
  SWITCH ("help-all", CLI_OTHER, help_all, "Print all options; with -json as JSON."),
  WORD ("completion", CLI_OTHER, completion, shells, "bash|zsh|fish",
        "Print a script that completes the command line in this shell: "
        "`source <(rspcheck -completion bash)`."),
  { "man", CLI_OTHER, CLI_SWITCH, FIELD (man), NULL, "Print the man page's source.", NULL, 0, 0 },
};

const guint cli_option_table_length = G_N_ELEMENTS (cli_option_table);

/* ---- Table json ----------------------------------------------------------------------------- */

/* The table of options for programs, as the workbench's page. */

void cli_help_format_json (GString *out) {
  g_autoptr (RspJson) all = rsp_json_list ();
  for (guint i = 0; i < cli_n_options (); i++) {
    const CliOption *option = cli_option_at (i);
    rsp_json_add (all,
                  rsp_json_object ("name", rsp_json_text (option->name), "topic",
                                   rsp_json_text (cli_topics[option->group].word), "argument",
                                   option->argument ? rsp_json_text (option->argument) : NULL,
                                   "words", option->words ? rsp_json_strv (option->words) : NULL,
                                   "help", rsp_json_text (option->help), NULL));
  }
  rsp_json_append_line (all, out);
}
