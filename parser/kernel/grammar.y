/* OpenCL C: the grammar (C11, annex A, without what OpenCL leaves out). Its actions only build the syntax
 * of syntax.h. The scanner's names become type names here, by the typedefs so far. */
%define api.pure full
%define api.prefix {rsp_kernel_yy}
%define api.token.prefix {KERNEL_TOKEN_}
%define api.location.type {TokenRange}
%define parse.error custom
%define parse.lac full
%locations
%parse-param { KernelParser *parser }

%code requires {
#include "parser/kernel/internal.h"
}

%code {
#include "lexer/kernel.h"
#include "parser/kernel/kernel.h"

/* The limit protects the stack; no real kernel is nested as deeply. */
#define YYMAXDEPTH 4000

#define YYLLOC_DEFAULT RANGE_OF_PARTS

/* The name of a type, unless the declaration has its type already (`T T;`, `typedef unsigned
 * uint32_t;`) or a declaration hides it. */
static int classify_name (const KernelParser *parser, const char *name) {
  if (!parser->after_type && g_hash_table_contains (parser->unit->typedefs, name))
    return kernel_is_hidden (parser, name) ? KERNEL_TOKEN_NAME : KERNEL_TOKEN_TYPE_NAME;
  if (rsp_kernel_is_type_word (name) && !(parser->after_type && kernel_is_whole_type (name)))
    return KERNEL_TOKEN_TYPE;
  return KERNEL_TOKEN_NAME;
}

/* While names are collected, macros are not expanded and headers may not be known: a word that
 * stands where a declaration may begin, before another one, is a qualifier or a type then. */
static gboolean
begins_declaration (const KernelParser *parser, const char *name, guint end)
{
  const char *text = parser->base.source->text + end, *next = text + strspn (text, " \t\r\n*"),
             *after = next + strspn (next, G_CSET_A_2_Z G_CSET_a_2_z "_0123456789");
  int previous = parser->previous;
  gboolean stars = memchr (text, '*', (gsize) (next - text)) != NULL;
  if (!parser->names || parser->after_type || after == next || g_ascii_isdigit (*next)
      || kernel_declares (parser, name))
    return FALSE;
  if (stars && !strchr (";=,)[", after[strspn (after, " \t\r\n")]))
    return FALSE;
  return previous == TOKEN_EOF || previous >= KERNEL_TOKEN_TYPE
         || strchr (parser->depth && stars ? ";{}" : ";{}(,)", previous);
}

/* After a type, `struct` or its tag, a member's `.` or a pointer's `*`, a name is never a type. */
static void
follow_token (KernelParser *parser, int kind, const char *name)
{
  gboolean is_tag = parser->before_tag;
  parser->before_tag
      = kind == KERNEL_TOKEN_STRUCT || kind == KERNEL_TOKEN_ENUM || kind == KERNEL_TOKEN_UNION;
  if (kind == KERNEL_TOKEN_TYPE)
    parser->after_type |= rsp_kernel_is_specifier (name);
  else
    parser->after_type = kind == KERNEL_TOKEN_TYPE_NAME || parser->before_tag
                         || (is_tag && kind == KERNEL_TOKEN_NAME) || kind == '.' || kind == '*'
                         || kind == KERNEL_TOKEN_ARROW || kind == KERNEL_TOKEN_GOTO;
  parser->previous = kind;
  if (kind == '{')
    parser->depth++;
  else if (kind == '}' || kind == ';')
    kernel_end_scopes (parser, parser->depth -= kind == '}' && parser->depth);
}

static int
yylex (RSP_KERNEL_YYSTYPE *value, TokenRange *range, KernelParser *parser)
{
  LitmusToken token = { .name = NULL };
  if (parser->only_expression && !parser->begun)
    {
      parser->begun = TRUE;
      range->begin = range->end = parser->base.scan.offset;
      return KERNEL_TOKEN_ASSERTION;
    }
  int kind = rsp_kernel_flex_lex (&token, range, parser->base.scan.flex);
  if (kind == KERNEL_TOKEN_NUMBER || kind == KERNEL_TOKEN_FLOAT)
    value->number = token.number;
  else if (kind == KERNEL_TOKEN_COMPOUND)
    value->character = token.operator;
  else
    value->name = token.name;
  if (kind == KERNEL_TOKEN_NAME)
    kind = classify_name (parser, token.name);
  if (kind == KERNEL_TOKEN_NAME && begins_declaration (parser, token.name, range->end))
    {
      kind = KERNEL_TOKEN_TYPE;
      value->name = token.name = g_hash_table_contains (parser->macros, token.name) ? "const" : "int";
    }
  follow_token (parser, kind, token.name);
  return kind;
}

static void yyerror (TokenRange *range, KernelParser *parser, const char *message);

#define EXPR(range, kind, a, b) kernel_expr (parser, (range), KERNEL_##kind, RSP_OP_NONE, (a), (b))
#define OPERATE(range, op, a, b)                                                                   \
  kernel_expr (parser, (range), KERNEL_BINARY, RSP_OP_##op, (a), (b))
#define STATEMENT(range, kind, expr, body)                                                         \
  kernel_statement (parser, (range), KERNEL_##kind, (expr), (body))
#define NONE ((LitmusList){ NULL, 0 })
#define APPEND(list, item) rsp_litmus_append (&parser->base, (list), (item))

static RspOperator
operator_of (char c)
{
  static const char characters[] = "+-*/%&|^<>";
  static const RspOperator operators[]
      = { RSP_OP_ADD, RSP_OP_SUB, RSP_OP_MUL, RSP_OP_DIV, RSP_OP_MOD,
          RSP_OP_AND, RSP_OP_OR,  RSP_OP_XOR, RSP_OP_SHL, RSP_OP_SHR };
  return operators[strchr (characters, c) - characters];
}
}

%lex-param { KernelParser *parser }

%union {
  const char *name;
  LitmusNumber number;
  char character;
  LitmusList list;
  KernelSpecs *specs;
  KernelType *type;
  KernelDeclarator *declarator;
  KernelVariable *variable;
  KernelExpr *expr;
  KernelStatement *statement;
  gboolean flag;
}

%token YYEOF 0 "the end of the file"
%token <name> NAME "a name" TYPE_NAME "a type"
%token <number> NUMBER "a number" FLOAT "a real number"
%token <name> STRING "a string" TYPE "a type word"
%token KERNEL "kernel" STORAGE "static" TYPEDEF "typedef"
%token STRUCT "struct" UNION "union" ENUM "enum" 
%token <name> SIZEOF "sizeof"
%token IF "if" ELSE "else" WHILE "while" DO "do" FOR "for" SWITCH "switch" CASE "case" DEFAULT "default"
%token BREAK "break" CONTINUE "continue" RETURN "return" GOTO "goto"
%token <character> COMPOUND "an assignment"
%token INCREMENT "++" DECREMENT "--" ARROW "->" LOGICAL_AND "&&" LOGICAL_OR "||"
%token EQ "==" NE "!=" LE "<=" GE ">=" SHL "<<" SHR ">>" ELLIPSIS "..."
%token FOREIGN /* a word of C or of an extension that is not read */
%token ASSERTION /* has no text: announces an assertion on its own */

%precedence THEN
%precedence ELSE
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

%type <list> declarators parameters parameter_list members member arguments argument_list statements
%type <list> initials member_declarators strings
%type <specs> specs spec_list qualifiers next
%type <type> record enumeration type
%type <declarator> declarator member_declarator direct pointers abstract direct_abstract
%type <variable> parameter initialised
%type <expr> primary postfix unary cast binary conditional assignment expr initial designated
%type <expr> designated_value optional_expr
%type <statement> statement block declaration open_declaration loop_begin
%type <name> tag member_name string
%type <flag> record_word

%%

start:
    unit YYEOF
  | ASSERTION expr ';' YYEOF            { parser->expression = $expr; }
  | ASSERTION expr YYEOF                { parser->expression = $expr; }
  ;

unit:
    %empty
  | unit external
  | unit error                  { parser->in_function = FALSE; if (!parser->names) YYABORT; }
  ;

external:
    function
  | NAME '(' arguments ')' ';'  { kernel_add_axiom (parser, @$, $NAME, $arguments); }
  | declaration                 { kernel_add_globals (parser, $declaration->list); }
  | ';'
  ;

function:
    specs declarator            {
        kernel_add_globals (parser, kernel_take_enumerators (parser));
        kernel_begin_function (parser, $declarator);
      }
    block                       { kernel_add_function (parser, $specs, $declarator, $block, @$); }
  ;

/* ---- Declarations ---- */

declaration:
    open_declaration ';'        { $$ = $open_declaration; }
  ;

open_declaration:
    specs                       {
        $$ = STATEMENT (@$, DECLARATION, NULL, NULL);
        $$->list = kernel_take_enumerators (parser);
      }
  | specs declarators           {
        $$ = STATEMENT (@$, DECLARATION, NULL, NULL);
        $$->list = rsp_litmus_concat (&parser->base, kernel_take_enumerators (parser), $declarators);
      }
  ;

/* $0 is what comes before: the declaration's specifiers. Its initialisers and sizes of arrays may contain others. */
declarators:
    initialised                 { $$ = APPEND (NONE, $initialised); }
  | declarators next initialised { $$ = APPEND ($1, $initialised); (void) $next; }
  ;

next:
    ','                         { $$ = $<specs>-1; parser->after_type = TRUE; }
  ;

initialised:
    declarator                  {
        $$ = kernel_variable (parser, $<specs>0, $declarator, @$);
        kernel_hide (parser, $$, 0);
      }
  | declarator '='              {
        $<variable>$ = kernel_variable (parser, $<specs>0, $declarator, @declarator);
        kernel_hide (parser, $<variable>$, 0);
      }
    initial                     { $$ = $<variable>3; $$->initial = $initial; }
  ;

specs:
    spec_list                   { $$ = $1; }
  ;

spec_list:
    TYPE                        { $$ = kernel_specs (parser, @$); kernel_add_word (parser, $$, @1, $1); }
  | TYPE_NAME                   {
        $$ = kernel_specs (parser, @$);
        kernel_add_type (parser, $$, @1, g_hash_table_lookup (parser->unit->typedefs, $1));
      }
  | record                      { $$ = kernel_specs (parser, @$); kernel_add_type (parser, $$, @1, $1); }
  | enumeration                 { $$ = kernel_specs (parser, @$); kernel_add_type (parser, $$, @1, $1); }
  | STORAGE                     { $$ = kernel_specs (parser, @$); }
  | KERNEL                      { $$ = kernel_specs (parser, @$); $$->is_kernel = TRUE; }
  | TYPEDEF                     { $$ = kernel_specs (parser, @$); $$->is_typedef = TRUE; }
  | spec_list TYPE              { $$ = $1; kernel_add_word (parser, $$, @2, $2); }
  | spec_list TYPE_NAME         {
        $$ = $1;
        kernel_add_type (parser, $$, @2, g_hash_table_lookup (parser->unit->typedefs, $2));
      }
  | spec_list record            { $$ = $1; kernel_add_type (parser, $$, @2, $2); }
  | spec_list enumeration       { $$ = $1; kernel_add_type (parser, $$, @2, $2); }
  | spec_list STORAGE           { $$ = $1; }
  | spec_list KERNEL            { $$ = $1; $$->is_kernel = TRUE; }
  | spec_list TYPEDEF           { $$ = $1; $$->is_typedef = TRUE; }
  ;

record_word:
    STRUCT                      { $$ = FALSE; }
  | UNION                       { $$ = TRUE; }
  ;

tag:
    NAME
  | TYPE_NAME
  ;

record:
    record_word tag             { $$ = kernel_struct (parser, @$, $tag, $record_word, NULL); }
  | record_word tag '{' members '}'  {
        kernel_note (parser, RSP_KERNEL_TAG, $tag, @tag);
        $$ = kernel_struct (parser, @$, $tag, $record_word, &$members);
        parser->after_type = TRUE;
      }
  | record_word '{' members '}' {
        $$ = kernel_struct (parser, @$, NULL, $record_word, &$members);
        parser->after_type = TRUE;
      }
  ;

members:
    %empty                      { $$ = NONE; }
  | members member              { $$ = rsp_litmus_concat (&parser->base, $1, $member); }
  | members error               { $$ = $1; if (!parser->names) YYABORT; }
  ;

member:
    specs member_declarators ';' { $$ = $member_declarators; }
  | specs ';'                   { $$ = kernel_members_of (parser, $specs, @$); }
  ;

member_declarator:
    declarator
  | declarator ':' conditional  {
        $$ = $declarator;
        kernel_unsupported (parser, @$, "a bit field", "write a member of its own, or shifts and masks");
      }
  ;

member_declarators:
    member_declarator           {
        $$ = APPEND (NONE, kernel_add_member (parser, $<specs>0, $1, @1));
      }
  | member_declarators ',' { parser->after_type = TRUE; } member_declarator  {
        $$ = APPEND ($1, kernel_add_member (parser, $<specs>0, $4, @4));
      }
  ;

enumeration:
    ENUM tag                    { $$ = kernel_enum (parser); }
  | ENUM tag '{' {
        kernel_note (parser, RSP_KERNEL_TAG, $tag, @tag);
        kernel_begin_enumeration (parser);
      }
    enumerators comma '}' {
        $$ = kernel_enum (parser);
        parser->after_type = TRUE;
      }
  | ENUM '{' { kernel_begin_enumeration (parser); } enumerators comma '}' {
        $$ = kernel_enum (parser);
        parser->after_type = TRUE;
      }
  ;

comma:
    %empty
  | ','
  ;

enumerators:
    enumerator
  | enumerators ',' enumerator
  ;

enumerator:
    NAME                        { kernel_add_enumerator (parser, @1, $1, NULL); }
  | NAME '=' conditional        { kernel_add_enumerator (parser, @1, $1, $conditional); }
  ;

qualifiers:
    %empty                      { $$ = NULL; }
  | qualifiers TYPE             {
        $$ = $1 ? $1 : kernel_specs (parser, @2);
        kernel_add_word (parser, $$, @2, $2);
      }
  ;

pointers:
    '*' qualifiers              {
        $$ = kernel_declarator (parser, @$, KERNEL_POINTER, NULL);
        $$->qualifiers = $qualifiers;
      }
  | pointers '*' qualifiers     {
        $$ = kernel_declarator (parser, @$, KERNEL_POINTER, $1);
        $$->qualifiers = $qualifiers;
      }
  ;

declarator:
    direct
  | pointers direct             { $$ = kernel_point ($pointers, $direct); }
  ;

direct:
    NAME                        {
        $$ = kernel_declarator (parser, @$, KERNEL_VOID, NULL);
        $$->name = $NAME;
      }
  | '(' declarator ')'          { $$ = $declarator; }
  | direct '[' optional_expr ']' {
        $$ = kernel_declarator (parser, @$, KERNEL_ARRAY, $1);
        $$->size = $optional_expr;
      }
  | direct '(' parameters ')'   {
        $$ = kernel_declarator (parser, @$, KERNEL_FUNCTION, $1);
        $$->parameters = $parameters;
      }
  ;

abstract:
    pointers                    { $$ = kernel_point ($pointers, NULL); }
  | direct_abstract
  | pointers direct_abstract    { $$ = kernel_point ($pointers, $direct_abstract); }
  ;

direct_abstract:
    '(' abstract ')'            { $$ = $abstract; }
  | '[' optional_expr ']'       {
        $$ = kernel_declarator (parser, @$, KERNEL_ARRAY, NULL);
        $$->size = $optional_expr;
      }
  | direct_abstract '[' optional_expr ']' {
        $$ = kernel_declarator (parser, @$, KERNEL_ARRAY, $1);
        $$->size = $optional_expr;
      }
  ;

parameters:
    %empty                      { $$ = NONE; }
  | parameter_list
  | parameter_list ',' ELLIPSIS { $$ = $1; }
  ;

parameter_list:
    parameter                   { $$ = APPEND (NONE, $parameter); }
  | parameter_list ',' parameter { $$ = APPEND ($1, $parameter); }
  ;

parameter:
    specs                       { $$ = kernel_variable (parser, $specs, NULL, @$); }
  | specs declarator            {
        $$ = kernel_variable (parser, $specs, $declarator, @declarator);
        kernel_hide (parser, $$, 1);
      }
  | specs abstract              { $$ = kernel_variable (parser, $specs, $abstract, @abstract); }
  ;

type:
    specs                       { $$ = kernel_variable (parser, $specs, NULL, @$)->type; }
  | specs abstract              { $$ = kernel_variable (parser, $specs, $abstract, @$)->type; }
  ;

/* ---- Initialisers ---- */

initial:
    assignment
  | '{' initials comma '}'      {
        $$ = EXPR (@$, BRACES, NULL, NULL);
        $$->args = $initials;
      }
  | '{' '}'                     { $$ = EXPR (@$, BRACES, NULL, NULL); }
  ;

initials:
    designated                  { $$ = APPEND (NONE, $1); }
  | initials ',' designated     { $$ = APPEND ($1, $3); }
  ;

designated:
    initial
  | '.' member_name designated_value {
        $$ = EXPR (@$, DESIGNATED, NULL, $designated_value);
        $$->name = $member_name;
      }
  | '[' conditional ']' designated_value { $$ = EXPR (@$, DESIGNATED, $conditional, $designated_value); }
  ;

/* `= 1` or, of a part of it, `.x = 1`, `[2] = 1`. */
designated_value:
    '=' initial                 { $$ = $initial; }
  | '.' member_name designated_value {
        $$ = EXPR (@$, DESIGNATED, NULL, $3);
        $$->name = $member_name;
      }
  | '[' conditional ']' designated_value { $$ = EXPR (@$, DESIGNATED, $conditional, $4); }
  ;

/* ---- Expressions ---- */

member_name:
    NAME
  ;

primary:
    NAME                        { $$ = EXPR (@$, NAME, NULL, NULL); $$->name = $NAME; }
  | NUMBER                      { $$ = EXPR (@$, NUMBER, NULL, NULL); $$->number = $NUMBER; }
  | FLOAT                       { $$ = EXPR (@$, REAL, NULL, NULL); $$->number = $FLOAT; }
  | string                      {
        $$ = EXPR (@$, STRING, NULL, NULL);
        $$->name = $string;
      }
  | '(' expr ')'                { $$ = $expr; $$->in_parentheses = TRUE; }
  | '(' block ')'               {
        kernel_unsupported (parser, @$, "a statement expression", "write its statements first, and use their value");
        $$ = EXPR (@$, NUMBER, NULL, NULL);
      }
  ;

string:
    strings                     { $$ = kernel_joined (parser, $strings); }
  ;

strings:
    STRING                      { $$ = APPEND (NONE, (gpointer) $1); }
  | strings STRING              { $$ = APPEND ($1, (gpointer) $2); }
  ;

postfix:
    primary
  | postfix '[' expr ']'        { $$ = EXPR (@$, INDEX, $1, $expr); }
  | postfix '(' arguments ')'   { $$ = EXPR (@$, CALL, $1, NULL); $$->args = $arguments; }
  | postfix '.' member_name     { $$ = EXPR (@$, MEMBER, $1, NULL); $$->name = $member_name; }
  | postfix ARROW member_name   {
        $$ = EXPR (@$, MEMBER, EXPR (@1, DEREF, $1, NULL), NULL);
        $$->name = $member_name;
      }
  | postfix INCREMENT           {
        $$ = kernel_expr (parser, @$, KERNEL_STEP, RSP_OP_ADD, $1, NULL);
        $$->post = TRUE;
      }
  | postfix DECREMENT           {
        $$ = kernel_expr (parser, @$, KERNEL_STEP, RSP_OP_SUB, $1, NULL);
        $$->post = TRUE;
      }
  | '(' type ')' '{' initials comma '}'  {
        KernelExpr *braces = EXPR (@$, BRACES, NULL, NULL);
        braces->args = $initials;
        $$ = EXPR (@$, COMPOUND, NULL, braces);
        $$->type = $type;
      }
  ;

arguments:
    %empty                      { $$ = NONE; }
  | argument_list
  ;

argument_list:
    assignment                  { $$ = APPEND (NONE, $1); }
  | argument_list ',' assignment { $$ = APPEND ($1, $3); }
  ;

unary:
    postfix
  | INCREMENT unary             { $$ = kernel_expr (parser, @$, KERNEL_STEP, RSP_OP_ADD, $2, NULL); }
  | DECREMENT unary             { $$ = kernel_expr (parser, @$, KERNEL_STEP, RSP_OP_SUB, $2, NULL); }
  | '&' cast                    { $$ = EXPR (@$, ADDRESS, $2, NULL); }
  | '*' cast                    { $$ = EXPR (@$, DEREF, $2, NULL); }
  | '+' cast                    { $$ = kernel_expr (parser, @$, KERNEL_UNARY, RSP_OP_PLUS, $2, NULL); }
  | '-' cast                    { $$ = kernel_expr (parser, @$, KERNEL_UNARY, RSP_OP_NEGATE, $2, NULL); }
  | '~' cast                    {
        $$ = kernel_expr (parser, @$, KERNEL_UNARY, RSP_OP_COMPLEMENT, $2, NULL);
      }
  | '!' cast                    {
        $$ = kernel_expr (parser, @$, KERNEL_UNARY, RSP_OP_LOGICAL_NOT, $2, NULL);
      }
  | SIZEOF unary                { $$ = EXPR (@$, SIZEOF, $2, NULL); $$->name = $1; }
  | SIZEOF '(' type ')'         {
        $$ = EXPR (@$, SIZEOF, NULL, NULL);
        $$->name = $1;
        $$->type = $type;
      }
  ;

cast:
    unary
  | '(' type ')' cast           { $$ = kernel_cast_expr (parser, @$, $type, $4); }
  ;

binary:
    cast
  | binary LOGICAL_OR binary    { $$ = OPERATE (@$, LOGICAL_OR, $1, $3); }
  | binary LOGICAL_AND binary   { $$ = OPERATE (@$, LOGICAL_AND, $1, $3); }
  | binary '|' binary           { $$ = OPERATE (@$, OR, $1, $3); }
  | binary '^' binary           { $$ = OPERATE (@$, XOR, $1, $3); }
  | binary '&' binary           { $$ = OPERATE (@$, AND, $1, $3); }
  | binary EQ binary            { $$ = OPERATE (@$, EQ, $1, $3); }
  | binary NE binary            { $$ = OPERATE (@$, NE, $1, $3); }
  | binary '<' binary           { $$ = OPERATE (@$, LT, $1, $3); }
  | binary '>' binary           { $$ = OPERATE (@$, GT, $1, $3); }
  | binary LE binary            { $$ = OPERATE (@$, LE, $1, $3); }
  | binary GE binary            { $$ = OPERATE (@$, GE, $1, $3); }
  | binary SHL binary           { $$ = OPERATE (@$, SHL, $1, $3); }
  | binary SHR binary           { $$ = OPERATE (@$, SHR, $1, $3); }
  | binary '+' binary           { $$ = OPERATE (@$, ADD, $1, $3); }
  | binary '-' binary           { $$ = OPERATE (@$, SUB, $1, $3); }
  | binary '*' binary           { $$ = OPERATE (@$, MUL, $1, $3); }
  | binary '/' binary           { $$ = OPERATE (@$, DIV, $1, $3); }
  | binary '%' binary           { $$ = OPERATE (@$, MOD, $1, $3); }
  ;

conditional:
    binary
  | binary '?' expr ':' conditional {
        $$ = EXPR (@$, CONDITIONAL, $1, $3);
        $$->c = $5;
      }
  | binary '?' ':' conditional  {
        $$ = EXPR (@$, CONDITIONAL, $1, NULL);
        $$->c = $4;
      }
  ;

assignment:
    conditional
  | unary '=' assignment        { $$ = EXPR (@$, ASSIGN, $1, $3); }
  | unary COMPOUND assignment   {
        $$ = kernel_expr (parser, @$, KERNEL_ASSIGN, operator_of ($2), $1, $3);
      }
  ;

expr:
    assignment
  | expr ',' assignment         { $$ = OPERATE (@$, COMMA, $1, $3); }
  ;

optional_expr:
    %empty                      { $$ = NULL; }
  | expr
  ;

/* ---- Statements ---- */

block:
    '{' statements '}'          {
        $$ = STATEMENT (@$, BLOCK, NULL, NULL);
        $$->list = $statements;
        kernel_end_names (parser, @$);
      }
  ;

statements:
    %empty                      { $$ = NONE; }
  | statements statement        { $$ = APPEND ($1, $statement); }
  | statements declaration      { $$ = APPEND ($1, $declaration); }
  | statements error            { $$ = $1; if (!parser->names) YYABORT; }
  ;

loop_begin:
    optional_expr ';'           { $$ = STATEMENT (@$, EXPRESSION, $1, NULL); }
  | declaration
  ;

statement:
    optional_expr ';'           { $$ = STATEMENT (@1, EXPRESSION, $1, NULL); }
  | block
  | IF '(' expr ')' statement %prec THEN  { $$ = STATEMENT (@$, IF, $expr, $5); }
  | IF '(' expr ')' statement ELSE statement {
        $$ = STATEMENT (@$, IF, $expr, $5);
        $$->otherwise = $7;
      }
  | WHILE '(' expr ')' statement { $$ = STATEMENT (@$, WHILE, $expr, $5); }
  | DO statement WHILE '(' expr ')' ';' { $$ = STATEMENT (@$, DO, $expr, $2); }
  | FOR '(' loop_begin optional_expr ';' optional_expr ')' statement {
        $$ = STATEMENT (@$, FOR, $4, $8);
        $$->init = $loop_begin;
        $$->step = $6;
        kernel_end_names (parser, @$);
      }
  | SWITCH '(' expr ')' statement { $$ = STATEMENT (@$, SWITCH, $expr, $5); }
  | CASE conditional ':'        { $$ = STATEMENT (@$, CASE, $conditional, NULL); }
  | CASE conditional[first] ELLIPSIS conditional[last] ':' {
        $$ = STATEMENT (@$, CASE, $first, NULL);
        $$->step = $last;
      }
  | DEFAULT ':'                 { $$ = STATEMENT (@$, CASE, NULL, NULL); }
  | BREAK ';'                   { $$ = STATEMENT (@$, BREAK, NULL, NULL); }
  | CONTINUE ';'                { $$ = STATEMENT (@$, CONTINUE, NULL, NULL); }
  | RETURN optional_expr ';'    { $$ = STATEMENT (@$, RETURN, $optional_expr, NULL); }
  | GOTO NAME ';'               {
        kernel_unsupported (parser, @$, "`goto`", "write a loop with `break` or `continue`");
        $$ = STATEMENT (@$, EXPRESSION, NULL, NULL);
      }
  | NAME ':' statement          { $$ = $3; }
  ;

%%

static void yyerror (TokenRange *range, KernelParser *parser, const char *message) {
  (void) message; /* only exhaustion comes here; syntax errors go to yyreport_syntax_error */
  rsp_error (parser->base.diagnostics, rsp_litmus_span (&parser->base, *range), NULL,
             "this is nested too deeply for a kernel");
}

REPORT_SYNTAX_ERROR (KernelParser, YYSYMBOL_ASSERTION, &kernel_syntax, parser->base.scan,
                     parser->only_expression ? "assertion" : "file")
