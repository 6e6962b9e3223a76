/* Tests whose threads are columns: what the grammar builds. The initial state, the question and
 * places in them are those of parser/litmus/syntax.h; everything lives in the program's arena. */
#pragma once

#include "lexer/columns.h"
#include "parser/litmus/build.h"

/* `y @ generic aliases x`, `y aliases x` */
typedef struct ColumnsAlias {
  RspSpan span, proxy_span, target_span;
  const char *name;
  const char *proxy; /* NULL: none given */
  const char *target;
} ColumnsAlias;

/* `ssw 0 1` */
typedef struct ColumnsPair {
  RspSpan span;
  const char *word;
  LitmusPlace *from, *to; /* numbers or names */
} ColumnsPair;

/* `P0@cta 0,gpu 0` */
typedef struct ColumnsHead {
  RspSpan span;
  const char *name;
  LitmusList positions; /* of LitmusPosition */
} ColumnsHead;

/* A cell: labels before an instruction, either of which may be missing. */
typedef struct ColumnsCell {
  RspSpan span;        /* of all of it */
  LitmusList labels;   /* of LitmusPlace (names) */
  const char *word;    /* "ld.acquire.gpu"; NULL: no instruction */
  RspSpan word_span;   /* of the word */
  LitmusList operands; /* of LitmusPlace: names, contents (`[x]`), addresses (`&x`), numbers */
} ColumnsCell;

/* A row of the table. */
typedef struct ColumnsRow {
  RspSpan span;
  LitmusList cells; /* of ColumnsCell */
} ColumnsRow;

typedef struct ColumnsParser {
  LitmusParser base; /* its test: the initial state and the question */
  gboolean strict;   /* what is doubtful is an error */
  const RspLanguage *language;
  const struct ColumnsAlphabet *alphabet; /* the language's instructions: see instruction.h */
  LitmusList aliases;                     /* of ColumnsAlias */
  LitmusList pairs;                       /* of ColumnsPair */
  LitmusList heads;                       /* of ColumnsHead */
  LitmusList rows;                        /* of ColumnsRow */
} ColumnsParser;

/* Reports what the specification calls ill-formed: a warning, or an error if the parser is strict.
 */
#define COLUMNS_DOUBT(parser, span, hint, ...)                                                     \
  rsp_report ((parser)->base.diagnostics, (parser)->strict ? RSP_ERROR : RSP_WARNING, (span),      \
              (hint), __VA_ARGS__)

/* Runs the grammar over parser->base.scan. Zero on success; otherwise an error was reported.
 * Generated from grammar.y. */
int rsp_columns_yyparse (ColumnsParser *parser);
