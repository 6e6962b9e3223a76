/* The command line: one table of options, from which the parser, `-conf` files, `-help` and the man
 * page all follow. */
#pragma once

#include "enumerator/execution.h"
#include "enumerator/search/search.h"
#include "model/warn/warn.h"

/* Share `number` (from 1) of `of`; 0 of 0: no shares. */
typedef struct CliShard {
  guint number, of;
} CliShard;

/* In the order of the words of -format. */
typedef enum CliFormat {
  CLI_FORMAT_DOT,
  CLI_FORMAT_SVG,
  CLI_FORMAT_PDF,
  CLI_FORMAT_PNG,
  CLI_FORMAT_TEXT,
  CLI_FORMAT_TIKZ,
  CLI_FORMAT_NOT_GIVEN, /* DOT, if pictures are drawn for another reason */
  CLI_FORMAT_LAYOUT     /* no format is named: the files are laid out, nothing is drawn */
} CliFormat;

typedef struct CliOptions {
  GPtrArray
      *inputs; /* tests, directories, @index files, "-": as given; all lists hold owned strings */
  GPtrArray *models;      /* empty: the default for each test's language */
  GPtrArray *directories; /* -I */
  GPtrArray *variants;
  guint conf_depth;       /* of -conf files that are being read */
  GPtrArray *conf_models; /* those of -conf files, which are used if no -model is given */
  GPtrArray *skipped_checks;
  GPtrArray *names, *kinds, *conditions; /* files of -names, -kinds, -conds */
  GPtrArray *compared;                   /* logs of -compare */
  GArray *progress;                      /* of RspProgress: -progress */
  GPtrArray *outcomes;                   /* of -outcome */
  RspCheckOptions check;                 /* stage.skipped_checks is set by the run */
  gboolean log_undefined;
  char *omitted_flag; /* -badflag; or NULL */
  gboolean init_writes;
  guint most_shown;                            /* -nshow */
  guint show;                                  /* RspcheckShow */
  guint format;                                /* of pictures: CliFormat */
  int view;                                    /* -gv */
  GPtrArray *drawn, *hidden, *edge_attributes; /* -doshow, -unshow, -edgeattr */
  guint jobs;                                  /* -j; 0: the machine's cores */
  CliShard shard;
  gsize max_input;     /* bytes of a log or of records */
  char *resume;        /* file, or NULL */
  int merge;           /* the inputs are files of records */
  int expect, promote; /* compare with what is expected; rewrite that */
  int json, tsv, diff; /* forms of the report */
  char *logs;          /* directory of -o, or NULL */
  char *html, *latex;  /* files, or NULL */
  char *watch;         /* file, or NULL */
  int live;            /* the workbench in that page */
  int explain;
  int no_warning[RSP_N_MODEL_WARNINGS]; /* -Wno-… */
  guint everywhere;                     /* -placement: 1: all */
  int no_progress;
  int strict, quiet, verbose; /* switches hold how often they are given */
  int may_write;              /* -write */
  int confined;
  gsize most_memory; /* that -max-memory may give, once confined; 0: not confined */
  int version, help, help_all, help_model, man;
  guint topic;      /* of -help: CliGroup, or CLI_N_GROUPS */
  guint completion; /* CliShell */
  char *command;    /* the arguments, joined by blanks */
  gpointer *extra;  /* those of each folder of extra/: cli_extra_options */
} CliOptions;

CliOptions *cli_options_new (void);
void cli_options_free (CliOptions *options);

/* Reads the arguments after the program's name. FALSE after an error, reported in diagnostics. */
gboolean cli_options_parse (CliOptions *options, int n, char *const *arguments,
                            RspDiagnostics *diagnostics);

/* ---- The table ---- */
typedef enum CliOptionKind {
  CLI_SWITCH,   /* no value: int, counts */
  CLI_BOOLEAN,  /* true or false: gboolean */
  CLI_NUMBER,   /* guint from `least` to `most` */
  CLI_COUNT,    /* guint64 */
  CLI_SECONDS,  /* double */
  CLI_SIZE,     /* gsize; K, M, G may follow */
  CLI_SHARE,    /* K/N: CliShard */
  CLI_WORD,     /* one of `words`: an enumeration (guint) in their order */
  CLI_TEXT,     /* char *: the last one given counts; not empty */
  CLI_WRITTEN,  /* the same: a file or folder to write, which no test or model has the name of */
  CLI_LIST,     /* GPtrArray *: one more string */
  CLI_PROGRESS, /* progress models, added to a GArray of RspProgress */
  CLI_CONF,     /* a file of options, read at once */
  CLI_FORM,     /* -format: one of `words`, or nothing */
  CLI_TOPIC,    /* -help: one of `words`, or nothing */
  CLI_AFTER     /* not an option: those below it in its table follow the option of this name */
} CliOptionKind;

typedef enum CliGroup {
#define TOPIC(group, word, title, about, guide) CLI_##group,
#include "cli/topics.def"
#undef TOPIC
  CLI_N_GROUPS
} CliGroup;

/* A group of options: a topic of -help. */
typedef struct CliTopic {
  const char *word, *title, *about, *guide;
} CliTopic;

typedef struct CliOption {
  const char *name;
  CliGroup group;
  CliOptionKind kind;
  gsize offset;             /* of the field in CliOptions, or in a folder's own structure */
  const char *argument;     /* the value's name in -help; NULL for switches */
  const char *help;         /* a sentence or two, without a line break */
  const char *const *words; /* CLI_WORD, CLI_FORM, CLI_TOPIC: NULL-terminated */
  guint least, most;        /* CLI_NUMBER */
} CliOption;

/* The options of the command line itself. */
extern const CliOption cli_option_table[];
extern const guint cli_option_table_length;

/* All options, by topic, in the order of -help. */
guint cli_n_options (void);
const CliOption *cli_option_at (guint i);

extern const CliTopic cli_topics[CLI_N_GROUPS];

/* The option of that name (without dashes), or NULL. */
const CliOption *cli_option_find (const char *name);

/* Sets it. value is NULL for a switch. at is its place in a -conf file, or an empty span. FALSE
 * after an error, reported in diagnostics. */
gboolean cli_option_set (CliOptions *options, const CliOption *option, const char *value,
                         RspSpan at, RspDiagnostics *diagnostics);

/* Has it been given, with another value than its default? FALSE if there is no such option. */
gboolean cli_option_is_set (const CliOptions *options, const char *name);

/* Is it the name of a test, model, kernel or mapping, rather than that of what is written? */
gboolean cli_is_input_name (const char *path);

/* The value of a CLI_TEXT or CLI_WRITTEN option; NULL if there is none, or no such option. */
const char *cli_option_text (const CliOptions *options, const char *name);

/* The values of a folder's own options. */
typedef struct CliExtra CliExtra;
gpointer cli_extra_options (const CliOptions *options, const CliExtra *extra);

/* Is its value a file or folder? */
gboolean cli_option_names_files (const CliOption *option);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliOptions, cli_options_free)
