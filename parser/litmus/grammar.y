/* Litmus tests of all languages: the grammar. Its actions only build the syntax of litmus.h and, of
 * tests whose threads are columns, of columns.h. */
%define api.pure full
%define api.prefix {rsp_litmus_yy}
%define api.token.prefix {LITMUS_TOKEN_}
%define api.location.type {TokenRange}
%define parse.error custom
%define parse.lac full
%locations
%parse-param { LitmusParser *parser }

%code requires {
#include "parser/litmus/litmus.h"
#include "parser/litmus/internal.h"
#include "parser/columns/internal.h"
}

%code {
/* The limit protects the stack; no real test is nested as deeply. */
#define YYMAXDEPTH 4000

#define YYLLOC_DEFAULT RANGE_OF_PARTS

/* The operator of `+=` and its like. */
static RspOperator compound_operator (char character) {
  static const struct {
    char character;
    RspOperator op;
  } table[] = { { '+', RSP_OP_ADD }, { '-', RSP_OP_SUB }, { '*', RSP_OP_MUL }, { '/', RSP_OP_DIV },
                { '%', RSP_OP_MOD }, { '<', RSP_OP_SHL }, { '>', RSP_OP_SHR }, { '&', RSP_OP_AND },
                { '|', RSP_OP_OR },  { '^', RSP_OP_XOR } };
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (table[i].character == character)
      return table[i].op;
  g_assert_not_reached ();
}

static int
yylex (RSP_LITMUS_YYSTYPE *value, TokenRange *range, LitmusParser *parser)
{
  if (parser->only_question && !parser->begun)
    {
      parser->begun = TRUE;
      range->begin = range->end = parser->scan.offset;
      return parser->end_of_test ? LITMUS_TOKEN_END : LITMUS_TOKEN_QUESTION;
    }
  LitmusToken token = { .name = NULL };
  int kind = parser->columns ? rsp_columns_flex_lex (&token, range, parser->scan.flex)
                             : rsp_litmus_flex_lex (&token, range, parser->scan.flex);
  if (kind == LITMUS_TOKEN_NUMBER && parser->columns
      && parser->columns->language && !columns_check_number (parser, *range, token.number))
    return TOKEN_ERROR;
  if (kind == LITMUS_TOKEN_NUMBER)
    value->number = token.number;
  else if (kind == LITMUS_TOKEN_COMPOUND)
    value->op = compound_operator (token.operator);
  else if (kind == LITMUS_TOKEN_DIALECT)
    value->language = token.is_c ? RSP_LANGUAGE_C : RSP_LANGUAGE_OPENCL;
  else if (kind == LITMUS_TOKEN_TYPE)
    value->type_word = rsp_litmus_type_word (token.name);
  else
    value->name = token.name;
  return kind;
}

static void yyerror (TokenRange *range, LitmusParser *parser, const char *message);

#define NODE(range, kind, op, a, b, c)                                                             \
  litmus_node (parser, (range), RSP_EXPR_##kind, RSP_OP_##op, (a), (b), (c))
#define BINARY(range, op, a, b) NODE (range, BINARY, op, a, b, NULL)
#define UNARY(range, op, a) NODE (range, UNARY, op, a, NULL, NULL)
#define STATEMENT(range, kind, expr, body)                                                         \
  litmus_statement (parser, (range), RSP_STATEMENT_##kind, (expr), (body))
#define PLACE(range, kind, name, element)                                                          \
  rsp_litmus_place (parser, (range), LITMUS_##kind, (name), (element))
#define PROP(range, kind, a, b) rsp_litmus_prop (parser, (range), RSP_PROP_##kind, (a), (b))
#define NONE ((LitmusList){ NULL, 0 })
#define APPEND(list, item) rsp_litmus_append (parser, (list), (item))
}

%lex-param { LitmusParser *parser }

%union {
  RspLanguageId language;
  const char *name;
  LitmusNumber number;
  const LitmusTypeWord *type_word;
  RspOperator op;
  RspQuantifier quantifier;
  LitmusList list;
  LitmusSpecs *specs;
  LitmusStars stars;
  LitmusDeclarator *declarator;
  LitmusParameter *parameter;
  LitmusInit *init;
  LitmusPlace *place;
  LitmusPosition *position;
  LitmusThread *thread;
  LitmusTree *tree;
  LitmusProp *prop;
  ColumnsHead *head;
  ColumnsCell *cell;
  gint64 element;
  RspExpr *expr;
  RspStatement *statement;
}

%token YYEOF 0 "the end of the file"
%token QUESTION /* has no text: announces a condition on its own */
%token END      /* the same: the end of a test, which follows its threads */
%token END_OF_LINE "the end of the line"
%token <language> DIALECT "`OpenCL NAME` (or `C`, `PTX`, `VULKAN`, `DSOM`)"
%token COLUMNS "`PTX NAME` or `VULKAN NAME`"
%token <name> TEST_NAME "the test's name" DOC "a doc string" NAME "a name"
%token <number> NUMBER "a number"
%token <type_word> TYPE "a type"
%token ATOMIC "_Atomic"
%token IF "if" ELSE "else" WHILE "while" DO "do" FOR "for"
%token BREAK "break" CONTINUE "continue" RETURN "return" BARRIER "barrier"
%token WORK_GROUP_BARRIER "work_group_barrier"
%token NULL_POINTER "NULL" TRUE_WORD "true" FALSE_WORD "false"
%token EXISTS "exists" FORALL "forall" NOT "not"
%token FINAL "final" OBSERVED "observed" WITH "with" AND_WORD "and"
%token FILTER "filter" LOCATIONS "locations" SCOPE_TREE "scopeTree"
%token <name> KERNEL "kernel"
%token STATIC "static"
%token AND "/\\" OR "\\/" IMPLIES "=>"
%token EQ "==" NE "!=" LE "<=" GE ">=" SHL "<<" SHR ">>"
%token LOGICAL_AND "&&" LOGICAL_OR "||" INCREMENT "++" DECREMENT "--"
%token <op> COMPOUND "+="

%left OR
%left AND
%right IMPLIES
%precedence PROP_NOT

%right '=' COMPOUND
%right '?' ':'
%left LOGICAL_OR
%left LOGICAL_AND
%left '|'
%left '^'
%left '&'
%left EQ NE
%left '<' '>' LE GE
%left SHL SHR
%left '+' '-'
%left '*' '/' '%'
%precedence UNARY
%precedence '[' INCREMENT DECREMENT

%precedence THEN
%precedence ELSE

/* After a scope tree, a parenthesis opens one more. */
%precedence TREES
%precedence '('

%type <list> inits declarator_list positions position_list parameters
%type <list> parameter_list statements arguments argument_list trees places values
%type <list> declaration statement elements heads cells labels columns_operands columns_operand_list
%type <init> init init_target
%type <place> value constant place bare_place operand right_operand shown
%type <place> columns_operand pair_thread
%type <head> head
%type <cell> cell instruction
%type <element> index
%type <number> number
%type <specs> specs star_qualifiers
%type <stars> stars
%type <declarator> declarator
%type <parameter> parameter
%type <position> position
%type <thread> thread
%type <tree> tree
%type <name> level
%type <expr> expr comma optional_comma initialiser
%type <statement> block single barrier
%type <prop> prop atom observed state
%type <op> equation
%type <quantifier> quantifier

%%

start:
    test
  | QUESTION question optional_semicolon YYEOF
  | END sections question optional_semicolon YYEOF
  ;

test:
    DIALECT frame '{' inits '}'
      {
        parser->test->language = $DIALECT;
        parser->test->hash = parser->scan.hash;
        parser->test->initial = $inits;
      }
    threads sections optional_question YYEOF
  | COLUMNS frame '{' columns_inits '}' optional_semicolon pair_block heads ';'
      { parser->columns->heads = $heads; }
    rows sections optional_question YYEOF
  ;

frame:
    TEST_NAME
      {
        parser->test->name = $TEST_NAME;
        parser->test->head = rsp_litmus_span (parser, @TEST_NAME);
      }
    docs
  ;

docs:
    %empty
  | docs DOC                { if (!parser->test->doc) parser->test->doc = $DOC; }
  ;

optional_semicolon:
    %empty
  | ';'
  ;

/* ---- Initial state ---- */

inits:
    %empty                  { $$ = NONE; }
  | init                    { $$ = APPEND (NONE, $init); }
  | inits ';'
  | inits ';' init          { $$ = APPEND ($1, $init); }
  ;

init:
    init_target
  | init_target '=' value   { $$ = $1; $$->values = APPEND (NONE, $value); }
  | init_target '=' NAME '(' value ')'
      {
        $$ = $1;
        $$->values = APPEND (NONE, $value);
        rsp_litmus_check_initialiser (parser, @NAME, $NAME);
      }
  | init_target '=' '{' values '}' { $$ = $1; $$->values = $values; $$->braces = TRUE; }
  ;

init_target:
    place                   { $$ = rsp_litmus_init (parser, @$, NULL, (LitmusStars){ 0 }, $place); }
  | specs stars bare_place  { $$ = rsp_litmus_init (parser, @$, $specs, $stars, $bare_place); }
  | specs stars NAME '[' ']'
      {
        $$ = rsp_litmus_init (parser, @$, $specs, $stars, PLACE (@NAME, NAME, $NAME, LITMUS_NONE));
        $$->is_array = TRUE;
      }
  ;

/* `x`, `a[1]`, `[x]`, `[a[1]]`, `*x`, `0:r1`, `P0:r1` */
place:
    bare_place
  | '*' NAME                { $$ = PLACE (@$, CONTENT, $2, LITMUS_NONE); }
  ;

bare_place:
    NAME index              { $$ = PLACE (@$, NAME, $1, $2); }
  | '[' NAME index ']'      { $$ = PLACE (@$, CONTENT, $2, $3); }
  | NUMBER ':' NAME         { $$ = rsp_litmus_register (parser, @$, $NUMBER.value, $NAME); }
  | NAME[thread] ':' NAME[reg] { $$ = rsp_litmus_named_register (parser, @$, $thread, @thread, $reg); }
  ;

/* Of an array's element. */
index:
    %empty                  { $$ = LITMUS_NONE; }
  | '[' number ']'          { $$ = rsp_litmus_index (parser, @number, $number); }
  ;

number:
    NUMBER
  | '-' NUMBER              { $$ = rsp_litmus_negate (parser, @$, $2); }
  ;

values:
    %empty                  { $$ = NONE; }
  | value                   { $$ = APPEND (NONE, $1); }
  | values ','
  | values ',' value        { $$ = APPEND ($1, $3); }
  ;

value:
    constant
  | NAME index              { $$ = PLACE (@$, ADDRESS, $1, $2); }
  | '&' NAME index          { $$ = PLACE (@$, ADDRESS, $2, $3); }
  ;

constant:
    number                  { $$ = rsp_litmus_number (parser, @$, $1); }
  | TRUE_WORD               { $$ = rsp_litmus_small_number (parser, @$, 1); }
  | FALSE_WORD              { $$ = rsp_litmus_small_number (parser, @$, 0); }
  | NULL_POINTER            { $$ = rsp_litmus_small_number (parser, @$, 0); }
  ;

/* ---- Threads in columns ---- */

columns_inits:
    %empty
  | columns_init
  | columns_inits ';'
  | columns_inits ';' columns_init
  ;

columns_init:
    place                   { columns_add_init (parser, @$, $place, NONE); }
  | place '=' value         { columns_add_init (parser, @$, $place, APPEND (NONE, $value)); }
  | place '=' '{' elements '}' { columns_add_init (parser, @$, $place, $elements)->braces = TRUE; }
  | NAME[name] NAME[aliases] NAME[target]
      { columns_add_alias (parser, @$, $name, NULL, @name, $aliases, @aliases, $target, @target); }
  | NAME[name] '@' NAME[proxy] NAME[aliases] NAME[target]
      { columns_add_alias (parser, @$, $name, $proxy, @proxy, $aliases, @aliases, $target, @target); }
  ;

elements:
    value                   { $$ = APPEND (NONE, $1); }
  | elements ',' value      { $$ = APPEND ($1, $3); }
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
    NAME pair_thread[from] pair_thread[to] { columns_add_pair (parser, @$, $1, $from, $to); }
  ;

pair_thread:
    NUMBER                  { $$ = rsp_litmus_number (parser, @$, $1); }
  | NAME                    { $$ = PLACE (@$, NAME, $1, LITMUS_NONE); }
  ;

heads:
    head                    { $$ = APPEND (NONE, $1); }
  | heads '|' head          { $$ = APPEND ($1, $3); }
  ;

head:
    NAME positions          { $$ = columns_head (parser, @NAME, $NAME, $positions); }
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

instruction:
    NAME columns_operands   { $$ = columns_cell (parser, @$, $NAME, @NAME, $columns_operands); }
  ;

labels:
    %empty                  { $$ = NONE; }
  | labels NAME ':'
      {
        $$ = APPEND ($1, PLACE (@NAME, NAME, $NAME, LITMUS_NONE));
        if ($$.n == 1)
          @$.begin = @NAME.begin; /* no labels begin where the cell before this one ends */
      }
  ;

columns_operands:
    %empty                  { $$ = NONE; }
  | columns_operand_list
  ;

columns_operand_list:
    columns_operand         { $$ = APPEND (NONE, $1); }
  | columns_operand_list ',' columns_operand { $$ = APPEND ($1, $3); }
  ;

columns_operand:
    NAME index              { $$ = PLACE (@$, NAME, $1, $2); }
  | '[' NAME index ']'      { $$ = PLACE (@$, CONTENT, $2, $3); }
  | '&' NAME index          { $$ = PLACE (@$, ADDRESS, $2, $3); }
  | number                  { $$ = rsp_litmus_number (parser, @$, $1); }
  ;

/* ---- Types ---- */

specs:
    TYPE
      {
        $$ = rsp_litmus_specs_new (parser, @$);
        rsp_litmus_specs_add (parser, $$, $TYPE, @TYPE);
      }
  | ATOMIC                  { $$ = rsp_litmus_specs_new (parser, @$); rsp_litmus_specs_atomic ($$, @$); }
  | ATOMIC '(' specs stars ')'
      {
        $$ = $3;
        $$->pointers += $stars.n;
        rsp_litmus_specs_atomic ($$, @$);
      }
  | specs TYPE         { $$ = $1; rsp_litmus_specs_add (parser, $$, $TYPE, @TYPE); }
  | specs ATOMIC       { $$ = $1; rsp_litmus_specs_atomic ($$, @$); }
  | specs ATOMIC '(' specs stars ')'
      {
        $$ = $1;
        $4->pointers += $stars.n;
        rsp_litmus_specs_merge (parser, $$, $4, @$);
      }
  ;

stars:
    %empty                  { $$ = (LitmusStars){ 0 }; }
  | stars '*' star_qualifiers { $$ = rsp_litmus_star (parser, $1, $star_qualifiers, @3); }
  ;

star_qualifiers:
    %empty                  { $$ = NULL; }
  | specs
  ;

declarator:
    stars NAME              { $$ = rsp_litmus_declarator (parser, $stars, $NAME, @NAME); }
  | stars NAME '[' ']'
      {
        $$ = rsp_litmus_declarator (parser, $stars, $NAME, @NAME);
        $$->is_array = TRUE;
      }
  | stars NAME '[' number ']'
      {
        $$ = rsp_litmus_declarator (parser, $stars, $NAME, @NAME);
        $$->is_array = TRUE;
        $$->size = rsp_litmus_array_size (parser, @number, $number);
      }
  ;

/* ---- Threads ---- */

threads:
    thread                  { parser->test->threads = APPEND (NONE, $1); }
  | regions thread          { parser->test->threads = APPEND (NONE, $2); }
  | threads thread
      { parser->test->threads = APPEND (parser->test->threads, $2); }
  | threads regions
  ;

/* Bell's, in tests of herd: `regions: x: R, y: S`. */
regions:
    prefix NAME ':' region_list { rsp_litmus_regions (parser, @NAME, $NAME); }
  ;

region_list:
    NAME ':' region
  | region_list ',' NAME ':' region
  ;

region:
    NAME
  | TYPE                    /* "global" */
  ;

thread:
    prefix NAME positions '(' parameters ')' block
      {
        $$ = rsp_litmus_thread (parser, @NAME, $NAME, $positions, $parameters, $block, @block);
      }
  ;

prefix:
    %empty
  | prefix KERNEL
  | prefix STATIC
  | prefix TYPE             { rsp_litmus_check_void (parser, @TYPE, $TYPE); }
  ;

positions:
    %empty                  { $$ = NONE; }
  | '@' position_list       { $$ = $2; }
  ;

position_list:
    position                { $$ = APPEND (NONE, $1); }
  | position_list ',' position { $$ = APPEND ($1, $3); }
  ;

position:
    level NUMBER            { $$ = rsp_litmus_position (parser, @$, $level, $NUMBER.value); }
  ;

level:
    NAME
  | KERNEL
  ;

parameters:
    %empty                  { $$ = NONE; }
  | specs                   { $$ = NONE; rsp_litmus_check_no_parameters (parser, $specs); }
  | parameter_list
  ;

parameter_list:
    parameter               { $$ = APPEND (NONE, $1); }
  | parameter_list ',' parameter { $$ = APPEND ($1, $3); }
  ;

parameter:
    specs declarator        { $$ = rsp_litmus_parameter (parser, $specs, $declarator); }
  ;

/* ---- Statements ---- */

block:
    '{' statements '}'      { $$ = litmus_block (parser, @$, $statements); }
  ;

statements:
    %empty                  { $$ = NONE; }
  | statements statement    { $$ = rsp_litmus_concat (parser, $1, $2); }
  ;

/* A list, because `int a, b;` makes two declarations. */
statement:
    single                  { $$ = APPEND (NONE, $1); }
  | declaration
  ;

single:
    ';'                     { $$ = STATEMENT (@$, EMPTY, NULL, NULL); }
  | comma ';'               { $$ = STATEMENT (@comma, EXPRESSION, $comma, NULL); }
  | block
  | IF '(' comma ')' statement %prec THEN
      { $$ = STATEMENT (@$, IF, $comma, litmus_single (parser, @statement, $statement)); }
  | IF '(' comma ')' statement[then] ELSE statement[otherwise]
      {
        $$ = STATEMENT (@$, IF, $comma, litmus_single (parser, @then, $then));
        $$->otherwise = litmus_single (parser, @otherwise, $otherwise);
      }
  | WHILE '(' comma ')' statement
      { $$ = STATEMENT (@$, WHILE, $comma, litmus_single (parser, @statement, $statement)); }
  | DO statement WHILE '(' comma ')' ';'
      { $$ = STATEMENT (@$, DO, $comma, litmus_single (parser, @statement, $statement)); }
  | FOR '(' declaration optional_comma[test] ';' optional_comma[step] ')' statement[body]
      {
        $$ = STATEMENT (@$, FOR, $test, litmus_single (parser, @body, $body));
        $$->init = litmus_single (parser, @declaration, $declaration);
        $$->step = $step;
      }
  | FOR '(' optional_comma[first] ';' optional_comma[test] ';' optional_comma[step] ')'
    statement[body]
      {
        $$ = STATEMENT (@$, FOR, $test, litmus_single (parser, @body, $body));
        $$->init = $first ? STATEMENT (@first, EXPRESSION, $first, NULL) : NULL;
        $$->step = $step;
      }
  | BREAK ';'               { $$ = STATEMENT (@$, BREAK, NULL, NULL); }
  | CONTINUE ';'            { $$ = STATEMENT (@$, CONTINUE, NULL, NULL); }
  | RETURN optional_comma ';' { $$ = litmus_return (parser, @$, $optional_comma); }
  | barrier
  | NAME ':' barrier        { $$ = $barrier; $$->label = $NAME; }
  ;

barrier:
    BARRIER '(' arguments ')' ';' { $$ = litmus_barrier (parser, @$, "barrier", $arguments); }
  | WORK_GROUP_BARRIER '(' arguments ')' ';'
      { $$ = litmus_barrier (parser, @$, "work_group_barrier", $arguments); }
  ;

declaration:
    specs declarator_list ';' { $$ = litmus_declarations (parser, $specs, $2); }
  ;

declarator_list:
    declarator initialiser
      { $1->initialiser = $2; $$ = APPEND (NONE, $1); }
  | declarator_list ',' declarator initialiser
      { $3->initialiser = $4; $$ = APPEND ($1, $3); }
  ;

initialiser:
    %empty                  { $$ = NULL; }
  | '=' expr                { $$ = $expr; }
  ;

/* ---- Expressions ---- */

optional_comma:
    %empty                  { $$ = NULL; }
  | comma
  ;

comma:
    expr
  | comma ',' expr          { $$ = BINARY (@$, COMMA, $1, $3); }
  ;

arguments:
    %empty                  { $$ = NONE; }
  | argument_list
  ;

argument_list:
    expr                    { $$ = APPEND (NONE, $1); }
  | argument_list ',' expr  { $$ = APPEND ($1, $3); }
  ;

expr:
    NUMBER                  { $$ = litmus_constant (parser, @$, $1.value, rsp_litmus_number_type ($1)); }
  | TRUE_WORD               { $$ = litmus_constant (parser, @$, 1, rsp_litmus_int_type ()); }
  | FALSE_WORD              { $$ = litmus_constant (parser, @$, 0, rsp_litmus_int_type ()); }
  | NULL_POINTER            { $$ = litmus_constant (parser, @$, 0, rsp_litmus_null_type ()); }
  | NAME                    { $$ = litmus_name (parser, @$, $1); }
  | NAME '(' arguments ')'  { $$ = litmus_call (parser, @$, $1, $3); }
  | '(' comma ')'           { $$ = $2; $$->in_parentheses = TRUE; }
  | expr '[' comma ']'      { $$ = NODE (@$, INDEX, NONE, $1, $3, NULL); }
  | expr INCREMENT          { $$ = litmus_step (parser, @$, RSP_OP_ADD, TRUE, $1); }
  | expr DECREMENT          { $$ = litmus_step (parser, @$, RSP_OP_SUB, TRUE, $1); }
  | INCREMENT expr %prec UNARY { $$ = litmus_step (parser, @$, RSP_OP_ADD, FALSE, $2); }
  | DECREMENT expr %prec UNARY { $$ = litmus_step (parser, @$, RSP_OP_SUB, FALSE, $2); }
  | '*' expr %prec UNARY    { $$ = NODE (@$, DEREF, NONE, $2, NULL, NULL); }
  | '&' expr %prec UNARY    { $$ = NODE (@$, ADDRESS, NONE, $2, NULL, NULL); }
  | '+' expr %prec UNARY    { $$ = UNARY (@$, PLUS, $2); }
  | '-' expr %prec UNARY    { $$ = UNARY (@$, NEGATE, $2); }
  | '~' expr %prec UNARY    { $$ = UNARY (@$, COMPLEMENT, $2); }
  | '!' expr %prec UNARY    { $$ = UNARY (@$, LOGICAL_NOT, $2); }
  | '(' specs stars ')' expr %prec UNARY
      { $$ = litmus_cast (parser, @$, rsp_litmus_type ($specs, $stars.n), $5); }
  | expr '*' expr           { $$ = BINARY (@$, MUL, $1, $3); }
  | expr '/' expr           { $$ = BINARY (@$, DIV, $1, $3); }
  | expr '%' expr           { $$ = BINARY (@$, MOD, $1, $3); }
  | expr '+' expr           { $$ = BINARY (@$, ADD, $1, $3); }
  | expr '-' expr           { $$ = BINARY (@$, SUB, $1, $3); }
  | expr SHL expr           { $$ = BINARY (@$, SHL, $1, $3); }
  | expr SHR expr           { $$ = BINARY (@$, SHR, $1, $3); }
  | expr '<' expr           { $$ = BINARY (@$, LT, $1, $3); }
  | expr '>' expr           { $$ = BINARY (@$, GT, $1, $3); }
  | expr LE expr            { $$ = BINARY (@$, LE, $1, $3); }
  | expr GE expr            { $$ = BINARY (@$, GE, $1, $3); }
  | expr EQ expr            { $$ = BINARY (@$, EQ, $1, $3); }
  | expr NE expr            { $$ = BINARY (@$, NE, $1, $3); }
  | expr '&' expr           { $$ = BINARY (@$, AND, $1, $3); }
  | expr '^' expr           { $$ = BINARY (@$, XOR, $1, $3); }
  | expr '|' expr           { $$ = BINARY (@$, OR, $1, $3); }
  | expr LOGICAL_AND expr   { $$ = BINARY (@$, LOGICAL_AND, $1, $3); }
  | expr LOGICAL_OR expr    { $$ = BINARY (@$, LOGICAL_OR, $1, $3); }
  | expr '?' comma ':' expr { $$ = NODE (@$, CONDITIONAL, NONE, $1, $3, $5); }
  | expr '=' expr           { $$ = NODE (@$, ASSIGN, NONE, $1, $3, NULL); }
  | expr COMPOUND expr
      { $$ = litmus_node (parser, @$, RSP_EXPR_ASSIGN, $2, $1, $3, NULL); }
  ;

/* ---- Scope tree and question ---- */

sections:
    %empty
  | sections SCOPE_TREE trees %prec TREES { rsp_litmus_set_trees (parser, @SCOPE_TREE, $trees); }
  | sections LOCATIONS '[' places ']' { rsp_litmus_set_locations (parser, @LOCATIONS, $places); }
  | sections FILTER prop optional_semicolon { rsp_litmus_set_filter (parser, @FILTER, $prop); }
  ;

trees:
    tree                    { $$ = APPEND (NONE, $1); }
  | trees tree              { $$ = APPEND ($1, $2); }
  ;

tree:
    NAME                    { $$ = rsp_litmus_tree (parser, @$, $1, NULL); }
  | '(' level trees ')'     { $$ = rsp_litmus_tree (parser, @level, $level, &$trees); }
  ;

places:
    %empty                  { $$ = NONE; }
  | shown                   { $$ = APPEND (NONE, $1); }
  | places ';'
  | places ';' shown        { $$ = APPEND ($1, $3); }
  | places ',' shown        { $$ = APPEND ($1, $3); }
  ;

/* herd's types in `locations [x int; p *;]` change how it prints values. */
shown:
    place
  | place '*'
  | place specs stars
  | place NAME stars
  ;

optional_question:
    question with
  | question ';' with
  | %empty                  /* the condition stays NULL */
  ;

/* What other models answer, in tests of herd. */
with:
    %empty
  | WITH kinds
  | WITH kinds ';'
  ;

kinds:
    kind
  | kinds ';' kind
  ;

kind:
    NAME ':' quantifier
  ;

question:
    quantifier prop
      {
        parser->test->quantifier = $quantifier;
        parser->test->condition = $prop;
      }
  | '(' prop ')'
      {
        parser->test->quantifier = RSP_EXISTS;
        parser->test->condition = $prop;
      }
  | OBSERVED observed
      {
        parser->test->quantifier = RSP_EXISTS;
        parser->test->condition = $observed;
      }
  ;

/* States, each of which is a list of equations. */
observed:
    state
  | observed AND_WORD state { $$ = PROP (@$, OR, $1, $3); }
  ;

state:
    %empty                  { $$ = PROP (@$, TRUE, NULL, NULL); }
  | state atom ';'          { $$ = $1->kind == RSP_PROP_TRUE ? $2 : PROP (@$, AND, $1, $2); }
  ;

quantifier:
    EXISTS                  { $$ = RSP_EXISTS; }
  | '~' EXISTS              { $$ = RSP_NOT_EXISTS; }
  | NOT EXISTS              { $$ = RSP_NOT_EXISTS; }
  | FORALL                  { $$ = RSP_FORALL; }
  | FINAL                   { $$ = RSP_EXISTS; }
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
  | atom
  ;

atom:
    operand equation right_operand { $$ = rsp_litmus_atom (parser, @$, $2, $1, $3); }
  | operand equation '{' values '}' { $$ = rsp_litmus_array_prop (parser, @$, $2, $1, $4); }
  ;

equation:
    '='                     { $$ = RSP_OP_EQ; }
  | EQ                      { $$ = RSP_OP_EQ; }
  | NE                      { $$ = RSP_OP_NE; }
  | '<'                     { $$ = RSP_OP_LT; }
  | '>'                     { $$ = RSP_OP_GT; }
  | LE                      { $$ = RSP_OP_LE; }
  | GE                      { $$ = RSP_OP_GE; }
  ;

operand:
    place
  | '&' NAME index          { $$ = PLACE (@$, ADDRESS, $2, $3); }
  | number                  { $$ = rsp_litmus_number (parser, @$, $1); }
  ;

right_operand:
    place
  | constant
  | '&' NAME index          { $$ = PLACE (@$, ADDRESS, $2, $3); }
  ;

%%

static void yyerror (TokenRange *range, LitmusParser *parser, const char *message) {
  (void) message; /* only exhaustion comes here; syntax errors go to yyreport_syntax_error */
  litmus_too_deep (parser, *range);
}

REPORT_SYNTAX_ERROR (LitmusParser, YYSYMBOL_QUESTION, parser->columns ? &columns_syntax : &litmus_syntax, parser->scan,
                     parser->only_question && !parser->end_of_test ? "condition" : "file")
