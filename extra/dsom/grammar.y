/* Programs of commands: the grammar. Its actions only build the syntax of internal.h. */
%define api.pure full
%define api.prefix {rsp_dsom_yy}
%define api.token.prefix {DSOM_TOKEN_}
%define api.location.type {TokenRange}
%define parse.error custom
%define parse.lac full
%locations
%parse-param { DsomParser *parser }
%lex-param { DsomParser *parser }

%code requires {
#include "extra/dsom/internal.h"
}

%code {
#define YYLLOC_DEFAULT RANGE_OF_TEXT

static int yylex (RSP_DSOM_YYSTYPE *value, TokenRange *range, DsomParser *parser) {
  DsomToken token = { NULL };
  int kind = rsp_dsom_flex_lex (&token, range, parser->scan.flex);
  rsp_scan_token (&parser->scan, kind, *range);
  if (kind == DSOM_TOKEN_NUMBER)
    value->number = token.number;
  else
    value->text = token.text;
  return kind;
}

static void yyerror (TokenRange *range, DsomParser *parser, const char *message);
}

%union {
  const char *text;
  gint64 number;
  gboolean truth;
  DsomNumber *numbers;
  DsomPlace *places;
  DsomClause *clauses;
  DsomCommand *commands;
  RspDsomVariable *variables;
  RspDsomExpr *expr;
  RspDsomStatement *statements;
}

%token YYEOF 0 "the end of the file"
%token DSOM "DSOM" BUFFER "buffer" BYTE "byte" SHORT "short" INT "int" LONG "long"
%token DEVICES "devices" KERNEL "kernel" READS "reads" WRITES "writes" NONE "none"
%token FOR "for" IN "in" WHERE "where" IF "if" ELSE "else"
%token HOST "host" RUN "run" ON "on" WRITE "write" READ "read" REPEAT "repeat" BLOCKING "blocking"
%token DOTS ".." PARALLEL "||" LOGICAL_AND "&&"
%token SIGN "an operator of conditions"
%token EQ "==" NE "!=" LE "<=" GE ">="
%token <text> TEST "the test's name"
%token <text> STRING "a string"
%token <text> NAME "a name"
%token <number> NUMBER "a number"

%type <number> type bound
%type <numbers> number numbers initial register_initial pair pairs
%type <truth> direction blocking
%type <clauses> clauses clause access
%type <variables> variables variable iteration
%type <expr> constraints constraint expr index
%type <statements> statements statement
%type <commands> branches sequence command
%type <places> element read reads

%left PARALLEL
%left LOGICAL_AND
%left '|'
%left '^'
%left '&'
%left EQ NE
%left '<' '>' LE GE
%left '+' '-'
%left '*' '/' '%'
%precedence UNARY
%precedence THEN
%precedence ELSE

%%

file:
    DSOM TEST               { parser->name = $TEST; }
    doc declarations HOST '{' branches '}'[end]
                            { parser->host = $branches; parser->end = @end.end; YYACCEPT; }
  ;

doc:
    %empty
  | STRING                  { parser->doc = $STRING; }
  ;

/* ---- Declarations ---- */

declarations:
    %empty
  | declarations declaration
  ;

declaration:
    BUFFER type NAME '[' number ']' initial ';'
                            { dsom_buffer (parser, @NAME, $NAME, (guint) $type, $number, $initial); }
  | INT registers ';'
  | DEVICES number ';'      { dsom_devices (parser, @$, $number); }
  | KERNEL NAME '{' clauses statements '}'
                            { dsom_kernel (parser, @NAME, $NAME, $clauses, $statements); }
  ;

type:
    %empty                  { $$ = 1; }
  | BYTE                    { $$ = 1; }
  | SHORT                   { $$ = 2; }
  | INT                     { $$ = 4; }
  | LONG                    { $$ = 8; }
  ;

initial:
    %empty                  { $$ = NULL; }
  | '=' '{' numbers '}'     { $$ = $numbers; }
  ;

registers:
    register
  | registers ',' register
  ;

register:
    NAME register_initial   { dsom_register (parser, @NAME, $NAME, $register_initial); }
  ;

register_initial:
    %empty                  { $$ = NULL; }
  | '=' number              { $$ = $number; }
  ;

number:
    NUMBER                  { $$ = dsom_number (parser, @$, $NUMBER); }
  | '-' NUMBER              { $$ = dsom_number (parser, @$, -$NUMBER); }
  ;

numbers:
    number
  | numbers[all] ',' number[one] { $$ = dsom_add_number ($all, $one); }
  ;

clauses:
    %empty                  { $$ = NULL; }
  | clauses[all] clause[one] { $$ = dsom_add_clause ($all, $one); }
  ;

clause:
    direction access ';'    { $$ = $access; $$->is_write = $direction; $$->span = dsom_span (parser, @access); }
  ;

direction:
    READS                   { $$ = FALSE; }
  | WRITES                  { $$ = TRUE; }
  ;

access:
    NONE                    { $$ = dsom_clause (parser, @$, RSP_DSOM_RANGES, NULL); $$->is_none = TRUE; }
  | NAME pairs              { $$ = dsom_clause (parser, @$, RSP_DSOM_RANGES, $NAME); $$->numbers = $pairs; }
  | NAME '[' '*' ']'        { $$ = dsom_clause (parser, @$, RSP_DSOM_INDIRECT, $NAME); }
  | NAME '[' expr ']' iteration
                            { $$ = dsom_clause (parser, @$, RSP_DSOM_AFFINE, $NAME);
                              $$->index = $expr; $$->variables = $iteration; }
  | NAME '[' expr ']' iteration WHERE constraints
                            { $$ = dsom_clause (parser, @$, RSP_DSOM_AFFINE, $NAME);
                              $$->index = $expr; $$->variables = $iteration; $$->constraints = $constraints; }
  ;

pair:
    '(' number[offset] ',' number[size] ')' { $$ = dsom_add_number ($offset, $size); }
  ;

pairs:
    pair
  | pairs[all] ',' pair[one] { $$ = dsom_add_number ($all, $one); }
  ;

iteration:
    %empty                  { $$ = NULL; }
  | FOR variables           { $$ = $variables; }
  ;

variables:
    variable
  | variables[all] ',' variable[one] { $$ = dsom_add_variable ($all, $one); }
  ;

variable:
    NAME IN bound[low] DOTS bound[high] { $$ = dsom_variable (parser, @$, $NAME, $low, $high); }
  ;

bound:
    NUMBER
  | '-' NUMBER              { $$ = -$NUMBER; }
  ;

constraints:
    constraint
  | constraints[all] ',' constraint[one] { $$ = dsom_operation (parser, @$, RSP_OP_LOGICAL_AND, $all, $one); }
  ;

constraint:
    expr
  | expr[a] '=' expr[b]     { $$ = dsom_operation (parser, @$, RSP_OP_EQ, $a, $b); }
  ;

/* ---- Bodies ---- */

statements:
    %empty                  { $$ = NULL; }
  | statements[all] statement[one] { $$ = dsom_add_statement ($all, $one); }
  ;

statement:
    ';'                     { $$ = dsom_statement (parser, @$, RSP_DSOM_BLOCK, NULL, NULL); }
  | NAME index '=' expr ';' { $$ = dsom_assign (parser, @$, dsom_name (parser, (TokenRange){ @1.begin, @2.end }, $NAME, $index), $expr); }
  | '{' statements '}'      { $$ = dsom_statement (parser, @$, RSP_DSOM_BLOCK, NULL, $2); }
  | IF '(' expr ')' statement %prec THEN
                            { $$ = dsom_statement (parser, @$, RSP_DSOM_IF, $expr, $5); }
  | IF '(' expr ')' statement[then] ELSE statement[otherwise]
                            { $$ = dsom_statement (parser, @$, RSP_DSOM_IF, $expr, $then); $$->otherwise = $otherwise; }
  | FOR variables statement[body]
                            { $$ = dsom_statement (parser, @$, RSP_DSOM_FOR, NULL, $body); $$->variables = $variables; }
  ;

index:
    %empty                  { $$ = NULL; }
  | '[' expr ']'            { $$ = $expr; }
  ;

expr:
    NUMBER                  { $$ = dsom_constant (parser, @$, $NUMBER); }
  | NAME index              { $$ = dsom_name (parser, @$, $NAME, $index); }
  | '(' expr ')'            { $$ = $2; }
  | '-' expr %prec UNARY    { $$ = dsom_operation (parser, @$, RSP_OP_NEGATE, $2, NULL); }
  | '!' expr %prec UNARY    { $$ = dsom_operation (parser, @$, RSP_OP_LOGICAL_NOT, $2, NULL); }
  | '~' expr %prec UNARY    { $$ = dsom_operation (parser, @$, RSP_OP_COMPLEMENT, $2, NULL); }
  | expr[a] '+' expr[b]     { $$ = dsom_operation (parser, @$, RSP_OP_ADD, $a, $b); }
  | expr[a] '-' expr[b]     { $$ = dsom_operation (parser, @$, RSP_OP_SUB, $a, $b); }
  | expr[a] '*' expr[b]     { $$ = dsom_operation (parser, @$, RSP_OP_MUL, $a, $b); }
  | expr[a] '/' expr[b]     { $$ = dsom_operation (parser, @$, RSP_OP_DIV, $a, $b); }
  | expr[a] '%' expr[b]     { $$ = dsom_operation (parser, @$, RSP_OP_MOD, $a, $b); }
  | expr[a] '&' expr[b]     { $$ = dsom_operation (parser, @$, RSP_OP_AND, $a, $b); }
  | expr[a] '|' expr[b]     { $$ = dsom_operation (parser, @$, RSP_OP_OR, $a, $b); }
  | expr[a] '^' expr[b]     { $$ = dsom_operation (parser, @$, RSP_OP_XOR, $a, $b); }
  | expr[a] EQ expr[b]      { $$ = dsom_operation (parser, @$, RSP_OP_EQ, $a, $b); }
  | expr[a] NE expr[b]      { $$ = dsom_operation (parser, @$, RSP_OP_NE, $a, $b); }
  | expr[a] '<' expr[b]     { $$ = dsom_operation (parser, @$, RSP_OP_LT, $a, $b); }
  | expr[a] '>' expr[b]     { $$ = dsom_operation (parser, @$, RSP_OP_GT, $a, $b); }
  | expr[a] LE expr[b]      { $$ = dsom_operation (parser, @$, RSP_OP_LE, $a, $b); }
  | expr[a] GE expr[b]      { $$ = dsom_operation (parser, @$, RSP_OP_GE, $a, $b); }
  | expr[a] LOGICAL_AND expr[b] { $$ = dsom_operation (parser, @$, RSP_OP_LOGICAL_AND, $a, $b); }
  | expr[a] PARALLEL expr[b] { $$ = dsom_operation (parser, @$, RSP_OP_LOGICAL_OR, $a, $b); }
  ;

/* ---- Commands ---- */

branches:
    sequence
  | branches[all] PARALLEL sequence[one]
                            { if ($all->kind != DSOM_COMMAND_PARALLEL)
                                { DsomCommand *first = $all;
                                  $all = dsom_command (parser, @all, DSOM_COMMAND_PARALLEL);
                                  $all->first = first; }
                              dsom_add_command ($all->first, $one);
                              $$ = $all; }
  ;

sequence:
    %empty                  { $$ = dsom_command (parser, @$, DSOM_COMMAND_SEQUENCE); }
  | sequence[all] command[one] { $all->first = dsom_add_command ($all->first, $one); $$ = $all; }
  ;

command:
    blocking RUN NAME ON number ';'
                            { $$ = dsom_command (parser, @$, DSOM_COMMAND_RUN); $$->blocking = $blocking;
                              $$->kernel = $NAME; $$->number = $number; $$->name_span = dsom_span (parser, @NAME); }
  | blocking WRITE element '=' numbers ';'
                            { $$ = dsom_command (parser, @$, DSOM_COMMAND_WRITE); $$->blocking = $blocking;
                              $$->places = $element; $$->numbers = $numbers; }
  | blocking READ reads ';' { $$ = dsom_command (parser, @$, DSOM_COMMAND_READ); $$->blocking = $blocking;
                              $$->places = $reads; }
  | '{' branches '}'        { $$ = $branches; }
  | REPEAT number '{' branches '}'
                            { $$ = dsom_command (parser, @$, DSOM_COMMAND_REPEAT); $$->number = $number;
                              $$->first = $branches; }
  | ';'                     { $$ = dsom_command (parser, @$, DSOM_COMMAND_SEQUENCE); }
  ;

blocking:
    %empty                  { $$ = FALSE; }
  | BLOCKING                { $$ = TRUE; }
  ;

reads:
    read
  | reads[all] ',' read[one] { $$ = dsom_add_place ($all, $one); }
  ;

read:
    NAME '=' element        { $$ = $element; $$->reg = $NAME; $$->reg_span = dsom_span (parser, @NAME);
                              g_ptr_array_add (parser->assigned, (gpointer) $NAME); }
  ;

element:
    NAME '[' NUMBER ']'     { $$ = dsom_element (parser, @$, $NAME, $NUMBER); }
  ;

%%

static void yyerror (TokenRange *range, DsomParser *parser, const char *message) {
  rsp_error (parser->diagnostics, dsom_span (parser, *range), NULL, "%s", message);
}

REPORT_SYNTAX_ERROR (DsomParser, YYSYMBOL_YYEMPTY, &dsom_syntax, parser->scan, "file")
