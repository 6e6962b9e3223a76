/* Tests whose threads are columns: the grammar. Its actions only build the syntax of syntax.h. */
%define api.pure full
%define api.prefix {rsp_columns_yy}
%define api.token.prefix {COLUMNS_TOKEN_}
%define api.location.type {TokenRange}
%define parse.error custom
%define parse.lac full
%locations
%parse-param { ColumnsParser *parser }

%code requires {
#include "parser/columns/internal.h"
}

%code {
/* The limit protects the stack; no real test is nested as deeply. */
#define YYMAXDEPTH 4000

#define YYLLOC_DEFAULT RANGE_OF_PARTS

static int yylex (RSP_COLUMNS_YYSTYPE *value, TokenRange *range, ColumnsParser *parser) {
  LitmusParser *base = &parser->base;
  if (base->only_question && !base->begun) {
    base->begun = TRUE;
    range->begin = range->end = base->scan.offset;
    return COLUMNS_TOKEN_QUESTION;
  }
  LitmusToken token = { .name = NULL };
  int kind = rsp_columns_flex_lex (&token, range, base->scan.flex);
  if (kind == COLUMNS_TOKEN_NUMBER) {
    value->number = token.number;
    if (!columns_check_number (parser, *range, token.number))
      return TOKEN_ERROR;
  } else
    value->name = token.name;
  return kind;
}

static void yyerror (TokenRange *range, ColumnsParser *parser, const char *message);

#define BASE (&parser->base)
#define PLACE(range, kind, name, element)                                                          \
  rsp_litmus_place (BASE, (range), LITMUS_##kind, (name), (element))
#define PROP(range, kind, a, b) rsp_litmus_prop (BASE, (range), RSP_PROP_##kind, (a), (b))
#define NONE ((LitmusList){ NULL, 0 })
#define APPEND(list, item) rsp_litmus_append (BASE, (list), (item))
}

%lex-param { ColumnsParser *parser }

%union {
  const char *name;
  LitmusNumber number;
  RspOperator op;
  RspQuantifier quantifier;
  LitmusList list;
  LitmusPlace *place;
  LitmusPosition *position;
  ColumnsHead *head;
  ColumnsCell *cell;
  LitmusProp *prop;
  gint64 element;
}

%token YYEOF 0 "the end of the file"
%token QUESTION /* has no text: announces a condition on its own */
%token END_OF_LINE "the end of the line"
%token <name> LANGUAGE "`PTX NAME` or `VULKAN NAME`"
%token <name> TEST_NAME "the test's name" DOC "a doc string" WORD "a name"
%token <number> NUMBER "a number"
%token EXISTS "exists" FORALL "forall" NOT "not"
%token FILTER "filter" LOCATIONS "locations"
%token TRUE_WORD "true" FALSE_WORD "false"
%token AND "/\\" OR "\\/" IMPLIES "=>"
%token EQ "==" NE "!=" LE "<=" GE ">="

%left OR
%left AND
%right IMPLIES
%precedence PROP_NOT

%type <list> heads positions cells labels operands operand_list places values
%type <element> index
%type <head> head
%type <position> position
%type <cell> cell instruction
%type <place> place value operand condition_operand thread
%type <number> number
%type <prop> prop
%type <op> comparison
%type <quantifier> quantifier

%%

start:
    test
  | QUESTION question YYEOF
  ;

test:
    LANGUAGE TEST_NAME docs '{' inits '}'
      {
        parser->base.test->name = $TEST_NAME;
        parser->base.test->head = rsp_litmus_span (BASE, @TEST_NAME);
      }
    optional_semicolon pair_block heads ';'    { parser->heads = $heads; }
    rows sections optional_question YYEOF
  ;

docs:
    %empty
  | docs DOC                { if (!parser->base.test->doc) parser->base.test->doc = $DOC; }
  ;

/* ---- Initial state, aliases, ssw ---- */

inits:
    %empty
  | init
  | inits ';'
  | inits ';' init
  ;

init:
    place                   { columns_add_init (parser, @$, $place, NONE); }
  | place '=' value         { columns_add_init (parser, @$, $place, APPEND (NONE, $value)); }
  | place '=' '{' values '}' { columns_add_init (parser, @$, $place, $values)->braces = TRUE; }
  | WORD[name] WORD[aliases] WORD[target]
      { columns_add_alias (parser, @$, $name, NULL, @name, $aliases, @aliases, $target, @target); }
  | WORD[name] '@' WORD[proxy] WORD[aliases] WORD[target]
      { columns_add_alias (parser, @$, $name, $proxy, @proxy, $aliases, @aliases, $target, @target); }
  ;

values:
    value                   { $$ = APPEND (NONE, $1); }
  | values ',' value        { $$ = APPEND ($1, $3); }
  ;

value:
    number                  { $$ = rsp_litmus_number (BASE, @$, $1); }
  | WORD index              { $$ = PLACE (@$, ADDRESS, $1, $2); }
  | '&' WORD index          { $$ = PLACE (@$, ADDRESS, $2, $3); }
  ;

/* Of an array's element. */
index:
    %empty                  { $$ = LITMUS_NONE; }
  | '[' number ']'          { $$ = rsp_litmus_index (BASE, @number, $number); }
  ;

number:
    NUMBER
  | '-' NUMBER              { $$ = rsp_litmus_negate (BASE, @$, $2); }
  ;

pair_block:
    %empty
  | '{' pairs '}' optional_semicolon
  ;

pairs:
    %empty
  | pair
  | pairs ';'
  | pairs ';' pair
  ;

pair:
    WORD thread[from] thread[to] { columns_add_pair (parser, @$, $1, $from, $to); }
  ;

thread:
    NUMBER                  { $$ = rsp_litmus_number (BASE, @$, $1); }
  | WORD                    { $$ = PLACE (@$, NAME, $1, LITMUS_NONE); }
  ;

/* ---- The table ---- */

heads:
    head                    { $$ = APPEND (NONE, $1); }
  | heads '|' head          { $$ = APPEND ($1, $3); }
  ;

head:
    WORD                    { $$ = columns_head (parser, @$, $1, NONE); }
  | WORD '@' positions      { $$ = columns_head (parser, @WORD, $1, $3); }
  ;

positions:
    position                { $$ = APPEND (NONE, $1); }
  | positions ',' position  { $$ = APPEND ($1, $3); }
  ;

position:
    WORD NUMBER             { $$ = rsp_litmus_position (BASE, @$, $1, $2.value); }
  ;

rows:
    %empty
  | rows cells ';'          { columns_add_row (parser, @$, @2, $cells); }
  ;

cells:
    cell                    { $$ = APPEND (NONE, $1); }
  | cells '|' cell          { $$ = APPEND ($1, $3); }
  ;

cell:
    labels                  { $$ = columns_cell (parser, @$, NULL, @$, NONE); $$->labels = $1; }
  | labels instruction      { $$ = $2; $$->labels = $1; }
  ;

labels:
    %empty                  { $$ = NONE; }
  | labels WORD ':'
      {
        $$ = APPEND ($1, PLACE (@WORD, NAME, $WORD, LITMUS_NONE));
        if ($$.n == 1)
          @$.begin = @WORD.begin; /* no labels begin where the cell before this one ends */
      }
  ;

instruction:
    WORD operands           { $$ = columns_cell (parser, @$, $WORD, @WORD, $operands); }
  ;

operands:
    %empty                  { $$ = NONE; }
  | operand_list
  ;

operand_list:
    operand                 { $$ = APPEND (NONE, $1); }
  | operand_list ',' operand { $$ = APPEND ($1, $3); }
  ;

operand:
    WORD index              { $$ = PLACE (@$, NAME, $1, $2); }
  | '[' WORD index ']'      { $$ = PLACE (@$, CONTENT, $2, $3); }
  | '&' WORD index          { $$ = PLACE (@$, ADDRESS, $2, $3); }
  | number                  { $$ = rsp_litmus_number (BASE, @$, $1); }
  ;

/* ---- The question ---- */

sections:
    %empty
  | sections LOCATIONS '[' places ']' { rsp_litmus_set_locations (BASE, @LOCATIONS, $places); }
  | sections FILTER prop optional_semicolon { rsp_litmus_set_filter (BASE, @FILTER, $prop); }
  ;

places:
    %empty                  { $$ = NONE; }
  | place                   { $$ = APPEND (NONE, $1); }
  | places ';'
  | places ';' place        { $$ = APPEND ($1, $3); }
  | places ',' place        { $$ = APPEND ($1, $3); }
  ;

/* `x`, `x[1]`, `[x]`, `P0:r1`, `0:r1` */
place:
    WORD index              { $$ = PLACE (@$, NAME, $1, $2); }
  | '[' WORD index ']'      { $$ = PLACE (@$, CONTENT, $2, $3); }
  | NUMBER ':' WORD         { $$ = rsp_litmus_register (BASE, @$, $NUMBER.value, $WORD); }
  | WORD[of] ':' WORD[reg]  { $$ = rsp_litmus_named_register (BASE, @$, $of, @of, $reg); }
  ;

optional_question:
    question
  | %empty                  /* the condition stays NULL */
  ;

question:
    quantifier prop optional_semicolon
      {
        parser->base.test->quantifier = $quantifier;
        parser->base.test->condition = $prop;
      }
  ;

optional_semicolon:
    %empty
  | ';'
  ;

quantifier:
    EXISTS                  { $$ = RSP_EXISTS; }
  | '~' EXISTS              { $$ = RSP_NOT_EXISTS; }
  | NOT EXISTS              { $$ = RSP_NOT_EXISTS; }
  | FORALL                  { $$ = RSP_FORALL; }
  ;

prop:
    '(' ')'                 { $$ = PROP (@$, TRUE, NULL, NULL); }
  | TRUE_WORD               { $$ = PROP (@$, TRUE, NULL, NULL); }
  | FALSE_WORD              { $$ = PROP (@$, FALSE, NULL, NULL); }
  | '(' prop ')'            { $$ = $2; }
  | '~' prop %prec PROP_NOT { $$ = PROP (@$, NOT, $2, NULL); }
  | NOT prop %prec PROP_NOT { $$ = PROP (@$, NOT, $2, NULL); }
  | prop AND prop           { $$ = PROP (@$, AND, $1, $3); }
  | prop OR prop            { $$ = PROP (@$, OR, $1, $3); }
  | prop IMPLIES prop       { $$ = PROP (@$, IMPLIES, $1, $3); }
  | condition_operand comparison condition_operand { $$ = columns_atom (parser, @$, $2, $1, $3); }
  ;

comparison:
    '='                     { $$ = RSP_OP_EQ; }
  | EQ                      { $$ = RSP_OP_EQ; }
  | NE                      { $$ = RSP_OP_NE; }
  | '<'                     { $$ = RSP_OP_LT; }
  | '>'                     { $$ = RSP_OP_GT; }
  | LE                      { $$ = RSP_OP_LE; }
  | GE                      { $$ = RSP_OP_GE; }
  ;

condition_operand:
    place
  | '&' WORD index          { $$ = PLACE (@$, ADDRESS, $2, $3); }
  | number                  { $$ = rsp_litmus_number (BASE, @$, $1); }
  ;

%%

static void yyerror (TokenRange *range, ColumnsParser *parser, const char *message) {
  (void) message; /* only exhaustion comes here; syntax errors go to yyreport_syntax_error */
  rsp_error (parser->base.diagnostics, rsp_litmus_span (BASE, *range), NULL,
             "this is nested too deeply for a litmus test");
}

REPORT_SYNTAX_ERROR (ColumnsParser, YYSYMBOL_QUESTION, &columns_syntax, parser->base.scan,
                     parser->base.only_question ? "condition" : "file")
