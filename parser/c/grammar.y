/* OpenCL C and C (C11, annex A, without what OpenCL leaves out), of kernels and of tests, and the frame
 * of a test, also of one whose threads are columns. The actions only build syntax. In kernels, a name
 * becomes a type's name here, by the typedefs so far. The scanner of a test does not know the words that
 * tests cannot use; resolution reports the other constructs. */
%define api.pure full
%define api.prefix {rsp_c_yy}
%define api.token.prefix {C_TOKEN_}
%define api.location.type {TokenRange}
%define parse.error custom
%define parse.lac full
%locations
%parse-param { CParser *parser }

%code requires {
#include "parser/c/c.h"
#include "parser/columns/internal.h"
}

%code {
#include "lexer/c.h"
#include "parser/kernel/kernel.h"

/* The limit protects the stack; no real test or kernel is nested as deeply. */
#define YYMAXDEPTH 4000

#define YYLLOC_DEFAULT RANGE_OF_TEXT

/* The operator of `+=` and its like. */
static RspOperator operator_of (char c) {
  static const char characters[] = "+-*/%&|^<>";
  static const RspOperator operators[]
      = { RSP_OP_ADD, RSP_OP_SUB, RSP_OP_MUL, RSP_OP_DIV, RSP_OP_MOD,
          RSP_OP_AND, RSP_OP_OR,  RSP_OP_XOR, RSP_OP_SHL, RSP_OP_SHR };
  return operators[strchr (characters, c) - characters];
}

/* The name of a type, unless the declaration has its type already (`T T;`, `typedef unsigned
 * uint32_t;`) or a declaration hides it. */
static int classify_name (const CParser *parser, const char *name) {
  if (!parser->after_type && g_hash_table_contains (parser->unit->typedefs, name))
    return c_is_hidden (parser, name) ? C_TOKEN_NAME : C_TOKEN_TYPE_NAME;
  if (rsp_kernel_is_type_word (name) && !(parser->after_type && c_is_whole_type (name)))
    return C_TOKEN_TYPE;
  return C_TOKEN_NAME;
}

/* While names are collected, macros are not expanded and headers may not be known: a word that
 * stands where a declaration may begin, before another one, is a qualifier or a type then. */
static gboolean begins_declaration (const CParser *parser, const char *name, guint end) {
  const char *text = parser->base.source->text + end, *next = text + strspn (text, " \t\r\n*"),
             *after = next + strspn (next, G_CSET_A_2_Z G_CSET_a_2_z "_0123456789");
  int previous = parser->previous;
  gboolean stars = memchr (text, '*', (gsize) (next - text)) != NULL;
  if (!parser->names || parser->after_type || after == next || g_ascii_isdigit (*next)
      || c_declares (parser, name))
    return FALSE;
  if (stars && !strchr (";=,)[", after[strspn (after, " \t\r\n")]))
    return FALSE;
  return previous == TOKEN_EOF || previous >= C_TOKEN_TYPE
         || strchr (parser->depth && stars ? ";{}" : ";{}(,)", previous);
}

/* After a type, `struct` or its tag, a member's `.` or a pointer's `*`, a name is never a type. */
static void follow_token (CParser *parser, int kind, const char *name) {
  gboolean is_tag = parser->before_tag;
  parser->before_tag
      = kind == C_TOKEN_STRUCT || kind == C_TOKEN_ENUM || kind == C_TOKEN_UNION;
  if (kind == C_TOKEN_TYPE)
    parser->after_type |= rsp_kernel_is_specifier (name);
  else if (kind != C_TOKEN_ATOMIC)
    parser->after_type = kind == C_TOKEN_TYPE_NAME || parser->before_tag
                         || (is_tag && kind == C_TOKEN_NAME) || kind == '.' || kind == '*'
                         || kind == C_TOKEN_ARROW || kind == C_TOKEN_GOTO;
  parser->previous = kind;
  if (kind == '{')
    parser->depth++;
  else if (kind == '}' || kind == ';')
    c_end_scopes (parser, parser->depth -= kind == '}' && parser->depth);
}

static int yylex (RSP_C_YYSTYPE *value, TokenRange *range, CParser *parser) {
  static const int starts[] = { [C_TEST] = C_TOKEN_TEST,
                                [C_QUESTION] = C_TOKEN_QUESTION,
                                [C_END] = C_TOKEN_END,
                                [C_UNIT] = C_TOKEN_UNIT,
                                [C_ASSERTION] = C_TOKEN_ASSERTION };
  LitmusToken token = { .name = NULL };
  if (!parser->base.begun) {
    parser->base.begun = TRUE;
    range->begin = range->end = parser->base.scan.offset;
    return starts[parser->start];
  }
  int kind = parser->base.columns ? rsp_columns_flex_lex (&token, range, parser->base.scan.flex)
                                  : rsp_c_flex_lex (&token, range, parser->base.scan.flex);
  if (kind == C_TOKEN_NUMBER && parser->base.columns
      && parser->base.columns->language && !columns_check_number (&parser->base, *range, token.number))
    return TOKEN_ERROR;
  if (kind == C_TOKEN_NUMBER || kind == C_TOKEN_FLOAT)
    value->number = token.number;
  else if (kind == C_TOKEN_COMPOUND)
    value->op = operator_of (token.operator);
  else if (kind == C_TOKEN_DIALECT)
    value->language = token.is_c ? RSP_LANGUAGE_C : RSP_LANGUAGE_OPENCL;
  else
    value->name = token.name;
  if (!c_is_kernel (parser))
    return kind;
  if (kind == C_TOKEN_NAME)
    kind = classify_name (parser, token.name);
  if (kind == C_TOKEN_NAME && begins_declaration (parser, token.name, range->end)) {
    kind = C_TOKEN_TYPE;
    value->name = token.name = g_hash_table_contains (parser->macros, token.name) ? "const" : "int";
  }
  follow_token (parser, kind, token.name);
  return kind;
}

static void yyerror (TokenRange *range, CParser *parser, const char *message);

#define BASE (&parser->base)
#define EXPR(range, kind, a, b) c_expr (parser, (range), C_##kind, RSP_OP_NONE, (a), (b))
#define BINARY(range, op, a, b) c_expr (parser, (range), C_BINARY, RSP_OP_##op, (a), (b))
#define UNARY(range, op, a) c_expr (parser, (range), C_UNARY, RSP_OP_##op, (a), NULL)
#define STEP(range, op, a) c_expr (parser, (range), C_STEP, RSP_OP_##op, (a), NULL)
#define NAMED(range, kind, a, b, name) c_named (EXPR (range, kind, a, b), (name))
#define STATEMENT(range, kind, expr, body) c_statement (parser, (range), C_##kind, (expr), (body))
#define PLACE(range, kind, name, element)                                                          \
  rsp_litmus_place (BASE, (range), LITMUS_##kind, (name), (element))
#define PROP(range, kind, a, b) rsp_litmus_prop (BASE, (range), RSP_PROP_##kind, (a), (b))
#define NONE ((LitmusList){ NULL, 0 })
#define APPEND(list, item) rsp_litmus_append (BASE, (list), (item))
}

%lex-param { CParser *parser }

%union {
  RspLanguageId language;
  const char *name;
  LitmusNumber number;
  RspOperator op;
  RspQuantifier quantifier;
  LitmusList list;
  gboolean flag;
  CSpecs *specs;
  CType *type;
  CDeclarator *declarator;
  CVariable *variable;
  CExpr *expr;
  CStatement *statement;
  LitmusInit *init;
  LitmusPlace *place;
  LitmusPosition *position;
  LitmusThread *thread;
  LitmusTree *tree;
  LitmusProp *prop;
  ColumnsHead *head;
  ColumnsCell *cell;
  gint64 element;
}

%token YYEOF 0 "the end of the file"
%token TEST QUESTION END UNIT ASSERTION /* have no text: announce what begins */
%token END_OF_LINE "the end of the line"
%token <language> DIALECT "`OpenCL NAME` (or `C`, `PTX`, `VULKAN`, `AMDGPU`, `DSOM`)"
%token COLUMNS "`PTX NAME`, `VULKAN NAME` or `AMDGPU NAME`"
%token <name> TEST_NAME "the test's name" DOC "a doc string" NAME "a name" TYPE_NAME "a type's name"
%token <number> NUMBER "a number" FLOAT "a real number"
%token <name> STRING "a string" TYPE "a type"
%token ATOMIC "_Atomic"
%token <name> KERNEL "kernel"
%token STORAGE "static" TYPEDEF "typedef" STRUCT "struct" UNION "union" ENUM "enum"
%token <name> SIZEOF "sizeof"
%token IF "if" ELSE "else" WHILE "while" DO "do" FOR "for" SWITCH "switch" CASE "case" DEFAULT "default"
%token BREAK "break" CONTINUE "continue" RETURN "return" GOTO "goto"
%token <name> NULL_POINTER "NULL" TRUE_WORD "true" FALSE_WORD "false"
%token EXISTS "exists" FORALL "forall" PLACEMENTS "placements" NOT "not"
%token FINAL "final" OBSERVED "observed" WITH "with" AND_WORD "and"
%token FILTER "filter" LOCATIONS "locations" SCOPE_TREE "scopeTree"
%token AND "/\\" OR "\\/" IMPLIES "=>"
%token <op> COMPOUND "an assignment"
%token INCREMENT "++" DECREMENT "--" ARROW "->" LOGICAL_AND "&&" LOGICAL_OR "||"
%token EQ "==" NE "!=" LE "<=" GE ">=" SHL "<<" SHR ">>" ELLIPSIS "..."
%token FOREIGN /* a word of C or of an extension that is not read */

%token '=' '?' ':' '[' '{' '}' ';' /* first in messages */
%left OR
%left AND
%right IMPLIES
%precedence PROP_NOT

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

/* After a scope tree, a parenthesis opens one more; after _Atomic, it holds a type. */
%precedence TREES
%precedence '('

%type <list> declarators parameters parameter_list members member arguments argument_list statements
%type <list> attributes attribute_list
%type <list> initials member_declarators strings
%type <list> inits positions position_list trees places values
%type <specs> specs new_specs spec_list qualifiers next
%type <type> record enumeration type
%type <declarator> declarator member_declarator direct pointers abstract direct_abstract stars
%type <variable> parameter initialised declared
%type <expr> primary postfix unary cast binary conditional assignment expr initial designated
%type <expr> designated_value optional_expr
%type <statement> statement inner block declaration open_declaration loop_begin
%type <name> tag string word level
%type <flag> record_word
%type <init> init init_target valued
%type <place> value constant place bare_place register seen_place operand right_operand shown
%type <list> elements heads cells labels columns_operands columns_operand_list
%type <place> columns_operand pair_thread
%type <head> head
%type <cell> cell instruction
%type <element> index
%type <number> number
%type <position> position
%type <thread> thread
%type <tree> tree
%type <prop> prop atom observed state
%type <op> equation
%type <quantifier> quantifier

%%

start:
    TEST test YYEOF
  | QUESTION question optional_semicolon YYEOF
  | END sections question optional_semicolon YYEOF
  | UNIT unit YYEOF
  | ASSERTION expr ';' YYEOF    { parser->expression = $expr; }
  | ASSERTION expr YYEOF        { parser->expression = $expr; }
  ;

unit:
    %empty
  | unit external
  | unit error                  { parser->in_function = FALSE; if (!parser->names) YYABORT; }
  ;

external:
    function
  | NAME '(' arguments ')' ';'  { c_add_axiom (parser, @$, $NAME, $arguments); }
  | declaration                 { c_add_globals (parser, $declaration->list); }
  | ';'
  ;

function:
    specs declarator            {
        c_add_globals (parser, c_take_enumerators (parser));
        c_begin_function (parser, $declarator);
      }
    block                       { c_add_function (parser, $specs, $declarator, $block, @$); }
  ;

/* ---- Declarations ---- */

declaration:
    open_declaration ';'        { $$ = $open_declaration; }
  | attributes open_declaration ';' { $$ = $open_declaration; $$->words = $attributes; }
  ;

open_declaration:
    specs                       {
        $$ = STATEMENT (@$, DECLARATION, NULL, NULL);
        $$->list = c_take_enumerators (parser);
      }
  | specs declarators           {
        $$ = STATEMENT (@$, DECLARATION, NULL, NULL);
        $$->list = rsp_litmus_concat (BASE, c_take_enumerators (parser), $declarators);
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
        $$ = c_variable (parser, $<specs>0, $declarator, @$);
        c_hide (parser, $$, 0);
      }
  | declarator '='              {
        $<variable>$ = c_variable (parser, $<specs>0, $declarator, @declarator);
        c_hide (parser, $<variable>$, 0);
      }
    initial                     { $$ = $<variable>3; $$->initial = $initial; }
  ;

specs:
    new_specs spec_list         { $$ = $spec_list; }
  ;

new_specs:
    %empty                      { $$ = c_specs (parser); }
  ;

/* $0 of a specifier: those before it. */
spec_list:
    spec                        { $$ = $<specs>0; $$->words.range = @$; }
  | spec_list spec              { $$ = $1; $$->words.range.end = @2.end; }
  ;

spec:
    TYPE                        { c_add_word (parser, $<specs>0, @$, $TYPE); }
  | TYPE_NAME                   {
        c_add_type (parser, $<specs>0, @$, g_hash_table_lookup (parser->unit->typedefs, $TYPE_NAME));
      }
  | record                      { c_add_type (parser, $<specs>0, @$, $record); }
  | enumeration                 { c_add_type (parser, $<specs>0, @$, $enumeration); }
  | ATOMIC %prec TREES          { $<specs>0->words.qualifiers |= LITMUS_ATOMIC; }
  | ATOMIC '(' specs ')'        { c_add_atomic (parser, $<specs>0, @$, $specs, NULL); }
  | ATOMIC '(' specs abstract ')' { c_add_atomic (parser, $<specs>0, @$, $specs, $abstract); }
  | STORAGE
  | KERNEL                      { $<specs>0->is_kernel = TRUE; }
  | TYPEDEF                     { $<specs>0->is_typedef = TRUE; }
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
    record_word tag             { $$ = c_struct (parser, @$, $tag, $record_word, NULL); }
  | record_word tag '{' members '}'  {
        c_note (parser, RSP_KERNEL_TAG, $tag, @tag);
        $$ = c_struct (parser, @$, $tag, $record_word, &$members);
        parser->after_type = TRUE;
      }
  | record_word '{' members '}' {
        $$ = c_struct (parser, @$, NULL, $record_word, &$members);
        parser->after_type = TRUE;
      }
  ;

members:
    %empty                      { $$ = NONE; }
  | members member              { $$ = rsp_litmus_concat (BASE, $1, $member); }
  | members error               { $$ = $1; if (!parser->names) YYABORT; }
  ;

member:
    specs member_declarators ';' { $$ = $member_declarators; }
  | specs ';'                   { $$ = c_members_of (parser, $specs, @$); }
  ;

member_declarator:
    declarator
  | declarator ':' conditional  {
        $$ = $declarator;
        c_unsupported (parser, @$, "a bit field", "write a member of its own, or shifts and masks");
      }
  ;

member_declarators:
    member_declarator           {
        $$ = APPEND (NONE, c_add_member (parser, $<specs>0, $1, @1));
      }
  | member_declarators ',' { parser->after_type = TRUE; } member_declarator  {
        $$ = APPEND ($1, c_add_member (parser, $<specs>0, $4, @4));
      }
  ;

enumeration:
    ENUM tag                    { $$ = c_enum (parser); }
  | ENUM tag '{' {
        c_note (parser, RSP_KERNEL_TAG, $tag, @tag);
        c_begin_enumeration (parser);
      }
    enumerators comma '}' {
        $$ = c_enum (parser);
        parser->after_type = TRUE;
      }
  | ENUM '{' { c_begin_enumeration (parser); } enumerators comma '}' {
        $$ = c_enum (parser);
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
    NAME                        { c_add_enumerator (parser, @1, $1, NULL); }
  | NAME '=' conditional        { c_add_enumerator (parser, @1, $1, $conditional); }
  ;

qualifiers:
    %empty                      { $$ = NULL; }
  | qualifiers TYPE             {
        $$ = $1 ? $1 : c_specs (parser);
        c_add_word (parser, $$, @2, $2);
      }
  | qualifiers ATOMIC           {
        $$ = $1 ? $1 : c_specs (parser);
        $$->words.qualifiers |= LITMUS_ATOMIC;
      }
  ;

pointers:
    '*' qualifiers              { $$ = c_pointer (parser, @$, NULL, $qualifiers); }
  | pointers '*' qualifiers     { $$ = c_pointer (parser, @$, $1, $3); }
  ;

declarator:
    direct
  | pointers direct             { $$ = c_point ($pointers, $direct); }
  ;

direct:
    NAME                        {
        $$ = c_declarator (parser, @$, C_VOID, NULL);
        $$->name = $NAME;
      }
  | '(' declarator ')'          { $$ = $declarator; }
  | direct '[' optional_expr ']' {
        $$ = c_declarator (parser, @$, C_ARRAY, $1);
        $$->size = $optional_expr;
      }
  | direct '(' parameters ')'   {
        $$ = c_declarator (parser, @$, C_FUNCTION, $1);
        $$->parameters = $parameters;
      }
  ;

abstract:
    pointers                    { $$ = c_point ($pointers, NULL); }
  | direct_abstract
  | pointers direct_abstract    { $$ = c_point ($pointers, $direct_abstract); }
  ;

direct_abstract:
    '(' abstract ')'            { $$ = $abstract; }
  | '[' optional_expr ']'       {
        $$ = c_declarator (parser, @$, C_ARRAY, NULL);
        $$->size = $optional_expr;
      }
  | direct_abstract '[' optional_expr ']' {
        $$ = c_declarator (parser, @$, C_ARRAY, $1);
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
    specs                       { $$ = c_variable (parser, $specs, NULL, @$); }
  | specs declarator            {
        $$ = c_variable (parser, $specs, $declarator, @declarator);
        c_hide (parser, $$, 1);
      }
  | specs abstract              { $$ = c_variable (parser, $specs, $abstract, @abstract); }
  ;

type:
    specs                       { $$ = c_variable (parser, $specs, NULL, @$)->type; }
  | specs abstract              { $$ = c_variable (parser, $specs, $abstract, @$)->type; }
  ;

/* ---- Initialisers ---- */

initial:
    assignment
  | '{' initials comma '}'      {
        $$ = c_with_args (parser, EXPR (@$, BRACES, NULL, NULL), $initials);
      }
  | '{' '}'                     { $$ = EXPR (@$, BRACES, NULL, NULL); }
  ;

initials:
    designated                  { $$ = APPEND (NONE, $1); }
  | initials ',' designated     { $$ = APPEND ($1, $3); }
  ;

designated:
    initial
  | '.' NAME designated_value   { $$ = NAMED (@$, DESIGNATED, NULL, $3, $NAME); }
  | '[' conditional ']' designated_value { $$ = EXPR (@$, DESIGNATED, $conditional, $designated_value); }
  ;

/* `= 1` or, of a part of it, `.x = 1`, `[2] = 1`. */
designated_value:
    '=' initial                 { $$ = $initial; }
  | '.' NAME designated_value   { $$ = NAMED (@$, DESIGNATED, NULL, $3, $NAME); }
  | '[' conditional ']' designated_value { $$ = EXPR (@$, DESIGNATED, $conditional, $4); }
  ;

/* ---- Expressions ---- */

primary:
    word                        { $$ = NAMED (@$, NAME, NULL, NULL, $word); }
  | NUMBER                      { $$ = EXPR (@$, NUMBER, NULL, NULL); $$->number = $NUMBER; }
  | FLOAT                       { $$ = EXPR (@$, REAL, NULL, NULL); $$->number = $FLOAT; }
  | string                      { $$ = NAMED (@$, STRING, NULL, NULL, $string); }
  | '(' expr ')'                { $$ = $expr; $$->in_parentheses = TRUE; }
  | '(' block ')'               {
        c_unsupported (parser, @$, "a statement expression", "write its statements first, and use their value");
        $$ = EXPR (@$, NUMBER, NULL, NULL);
      }
  ;

word:
    NAME
  | TRUE_WORD
  | FALSE_WORD
  | NULL_POINTER
  ;

string:
    strings                     { $$ = c_joined (parser, $strings); }
  ;

strings:
    STRING                      { $$ = APPEND (NONE, (gpointer) $1); }
  | strings STRING              { $$ = APPEND ($1, (gpointer) $2); }
  ;

postfix:
    primary
  | postfix '[' expr ']'        { $$ = EXPR (@$, INDEX, $1, $expr); }
  | postfix '(' arguments ')'   { $$ = c_with_args (parser, EXPR (@$, CALL, $1, NULL), $arguments); }
  | postfix '.' NAME            { $$ = NAMED (@$, MEMBER, $1, NULL, $NAME); }
  | postfix ARROW NAME          { $$ = NAMED (@$, MEMBER, EXPR (@1, DEREF, $1, NULL), NULL, $NAME); }
  | postfix INCREMENT           { $$ = STEP (@$, ADD, $1); $$->post = TRUE; }
  | postfix DECREMENT           { $$ = STEP (@$, SUB, $1); $$->post = TRUE; }
  | '(' type ')' '{' initials comma '}'  {
        CExpr *braces = c_with_args (parser, EXPR (@$, BRACES, NULL, NULL), $initials);
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
  | INCREMENT unary             { $$ = STEP (@$, ADD, $2); }
  | DECREMENT unary             { $$ = STEP (@$, SUB, $2); }
  | '&' cast                    { $$ = EXPR (@$, ADDRESS, $2, NULL); }
  | '*' cast                    { $$ = EXPR (@$, DEREF, $2, NULL); }
  | '+' cast                    { $$ = UNARY (@$, PLUS, $2); }
  | '-' cast                    { $$ = UNARY (@$, NEGATE, $2); }
  | '~' cast                    { $$ = UNARY (@$, COMPLEMENT, $2); }
  | '!' cast                    { $$ = UNARY (@$, LOGICAL_NOT, $2); }
  | SIZEOF unary                { $$ = NAMED (@$, SIZEOF, $2, NULL, $1); }
  | SIZEOF '(' type ')'         { $$ = NAMED (@$, SIZEOF, NULL, NULL, $1); $$->type = $type; }
  ;

cast:
    unary
  | '(' type ')' cast           { $$ = c_cast_expr (parser, @$, $type, $4); }
  ;

binary:
    cast
  | binary LOGICAL_OR binary    { $$ = BINARY (@$, LOGICAL_OR, $1, $3); }
  | binary LOGICAL_AND binary   { $$ = BINARY (@$, LOGICAL_AND, $1, $3); }
  | binary '|' binary           { $$ = BINARY (@$, OR, $1, $3); }
  | binary '^' binary           { $$ = BINARY (@$, XOR, $1, $3); }
  | binary '&' binary           { $$ = BINARY (@$, AND, $1, $3); }
  | binary EQ binary            { $$ = BINARY (@$, EQ, $1, $3); }
  | binary NE binary            { $$ = BINARY (@$, NE, $1, $3); }
  | binary '<' binary           { $$ = BINARY (@$, LT, $1, $3); }
  | binary '>' binary           { $$ = BINARY (@$, GT, $1, $3); }
  | binary LE binary            { $$ = BINARY (@$, LE, $1, $3); }
  | binary GE binary            { $$ = BINARY (@$, GE, $1, $3); }
  | binary SHL binary           { $$ = BINARY (@$, SHL, $1, $3); }
  | binary SHR binary           { $$ = BINARY (@$, SHR, $1, $3); }
  | binary '+' binary           { $$ = BINARY (@$, ADD, $1, $3); }
  | binary '-' binary           { $$ = BINARY (@$, SUB, $1, $3); }
  | binary '*' binary           { $$ = BINARY (@$, MUL, $1, $3); }
  | binary '/' binary           { $$ = BINARY (@$, DIV, $1, $3); }
  | binary '%' binary           { $$ = BINARY (@$, MOD, $1, $3); }
  ;

conditional:
    binary
  | binary '?' expr ':' conditional {
        $$ = c_with_third (parser, EXPR (@$, CONDITIONAL, $1, $3), $5);
      }
  | binary '?' ':' conditional  {
        $$ = c_with_third (parser, EXPR (@$, CONDITIONAL, $1, NULL), $4);
      }
  ;

assignment:
    conditional
  | conditional '=' assignment  { $$ = EXPR (@$, ASSIGN, $1, $3); }
  | conditional COMPOUND assignment { $$ = c_expr (parser, @$, C_ASSIGN, $2, $1, $3); }
  ;

expr:
    assignment
  | expr ',' assignment         { $$ = BINARY (@$, COMMA, $1, $3); }
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
        c_end_names (parser, @$);
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

/* `[[heavy, lazy]]`: words of a model. */
attributes:
    '[' '[' attribute_list ']' ']' { $$ = $attribute_list; }
  ;

attribute_list:
    NAME                        { $$ = APPEND (NONE, PLACE (@1, NAME, $1, LITMUS_NONE)); }
  | attribute_list ',' NAME     { $$ = APPEND ($1, PLACE (@3, NAME, $3, LITMUS_NONE)); }
  ;

/* The body of an `if` or a loop. */
inner:
    statement
  | declaration                 { $$ = c_inner_declaration (parser, @$, $declaration); }
  ;

statement:
    attributes statement        {
        $$ = $2;
        $$->words = rsp_litmus_concat (BASE, $attributes, $$->words);
      }
  | optional_expr ';'           {
        $$ = STATEMENT ($1 ? @1 : @$, EXPRESSION, $1, NULL);
        $$->end = @$.end;
      }
  | block
  | IF '(' expr ')' inner %prec THEN { $$ = STATEMENT (@$, IF, $expr, $inner); }
  | IF '(' expr ')' inner ELSE inner {
        $$ = STATEMENT (@$, IF, $expr, $5);
        $$->otherwise = $7;
      }
  | WHILE '(' expr ')' inner    { $$ = STATEMENT (@$, WHILE, $expr, $inner); }
  | DO inner WHILE '(' expr ')' ';' { $$ = STATEMENT (@$, DO, $expr, $inner); }
  | FOR '(' loop_begin optional_expr ';' optional_expr ')' inner {
        $$ = STATEMENT (@$, FOR, $4, $inner);
        $$->init = $loop_begin;
        $$->step = $6;
        c_end_names (parser, @$);
      }
  | SWITCH '(' expr ')' inner   { $$ = STATEMENT (@$, SWITCH, $expr, $inner); }
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
        if (!c_is_kernel (parser))
          c_unsupported (parser, @$, "`goto`", "write a loop with `break` or `continue`");
        $$ = STATEMENT (@$, GOTO, NAMED (@NAME, NAME, NULL, NULL, $NAME), NULL);
      }
  | NAME ':' statement          { $$ = $3; $$->label = $NAME; }
  ;

/* ==== The frame of a test ==== */

test:
    DIALECT frame '{' inits '}'
      {
        LitmusTest *test = parser->base.test;
        test->language = $DIALECT;
        test->hash = parser->base.scan.hash;
        test->initial = $inits;
      }
    threads sections optional_question
  | COLUMNS frame '{' columns_inits '}' optional_semicolon pair_block heads ';'
      { parser->base.columns->heads = $heads; }
    rows sections optional_question
  ;

frame:
    TEST_NAME
      {
        parser->base.test->name = $TEST_NAME;
        parser->base.test->head = rsp_litmus_span (BASE, @TEST_NAME);
      }
    docs
  ;

docs:
    %empty
  | docs DOC                { if (!parser->base.test->doc) parser->base.test->doc = $DOC; }
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
        rsp_litmus_check_initialiser (BASE, @NAME, $NAME);
      }
  | init_target '=' '{' values '}' { $$ = $1; $$->values = $values; $$->braces = TRUE; }
  ;

init_target:
    place                   { $$ = rsp_litmus_init (BASE, @$, NULL, $place); }
  | declared bare_place     { $$ = rsp_litmus_init (BASE, @$, $declared, $bare_place); }
  | declared NAME '[' ']'
      {
        $$ = rsp_litmus_init (BASE, @$, $declared, PLACE (@NAME, NAME, $NAME, LITMUS_NONE));
        $$->is_array = TRUE;
      }
  ;

declared:
    specs stars             { $$ = c_variable (parser, $specs, c_point ($stars, NULL), @$); }
  ;

/* `x`, `a[1]`, `[x]`, `[a[1]]`, `*x`, `0:r1`, `P0:r1` */
place:
    bare_place
  | '*' NAME                { $$ = PLACE (@$, CONTENT, $2, LITMUS_NONE); }
  ;

bare_place:
    NAME index              { $$ = PLACE (@$, NAME, $1, $2); }
  | '[' NAME index ']'      { $$ = PLACE (@$, CONTENT, $2, $3); }
  | register
  ;

register:
    NUMBER ':' NAME         { $$ = rsp_litmus_register (BASE, @$, $NUMBER.value, $NAME); }
  | NAME[thread] ':' NAME[reg] { $$ = rsp_litmus_named_register (BASE, @$, $thread, @thread, $reg); }
  ;

/* A question may also be about `0:a[1]`, an element of the array that P0 has as a parameter. */
seen_place:
    place
  | register '[' number ']'
      {
        $$ = $register;
        $$->span = rsp_litmus_span (BASE, @$);
        $$->element = rsp_litmus_index (BASE, @number, $number);
      }
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
    number                  { $$ = rsp_litmus_number (BASE, @$, $1); }
  | TRUE_WORD               { $$ = rsp_litmus_small_number (BASE, @$, 1); }
  | FALSE_WORD              { $$ = rsp_litmus_small_number (BASE, @$, 0); }
  | NULL_POINTER            { $$ = rsp_litmus_small_number (BASE, @$, 0); }
  ;

stars:
    %empty                  { $$ = NULL; }
  | pointers
  ;

/* ---- Threads in columns ---- */

columns_inits:
    %empty
  | columns_init
  | columns_inits ';'
  | columns_inits ';' columns_init
  ;

columns_init:
    place                   { columns_add_init (BASE, @$, $place, NONE); }
  | valued
  | valued '@' NAME[space] position
      { $valued->space = $space; $valued->owner = $position; }
  | NAME[name] '@' NAME[space] position
      {
        LitmusInit *init = columns_add_init (BASE, @$, PLACE (@name, NAME, $name, LITMUS_NONE), NONE);
        init->space = $space;
        init->owner = $position;
      }
  | NAME[name] NAME[aliases] NAME[target]
      { columns_add_alias (BASE, @$, $name, NULL, @name, $aliases, @aliases, $target, @target); }
  | NAME[name] '@' NAME[proxy] NAME[aliases] NAME[target]
      { columns_add_alias (BASE, @$, $name, $proxy, @proxy, $aliases, @aliases, $target, @target); }
  ;

valued:
    place '=' value         { $$ = columns_add_init (BASE, @$, $place, APPEND (NONE, $value)); }
  | place '=' '{' elements '}'
      { $$ = columns_add_init (BASE, @$, $place, $elements); $$->braces = TRUE; }
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
    NAME pair_thread[from] pair_thread[to] { columns_add_pair (BASE, @$, $1, $from, $to); }
  ;

pair_thread:
    NUMBER                  { $$ = rsp_litmus_number (BASE, @$, $1); }
  | NAME                    { $$ = PLACE (@$, NAME, $1, LITMUS_NONE); }
  ;

heads:
    head                    { $$ = APPEND (NONE, $1); }
  | heads '|' head          { $$ = APPEND ($1, $3); }
  ;

head:
    NAME positions          { $$ = columns_head (BASE, @NAME, $NAME, $positions); }
  ;

rows:
    %empty
  | rows cells ';'          { columns_add_row (BASE, @$, @2, $cells); }
  ;

cells:
    cell                    { $$ = APPEND (NONE, $1); }
  | cells '|' cell          { $$ = APPEND ($1, $3); }
  ;

cell:
    labels                  { $$ = columns_cell (BASE, @$, NULL, @$, NONE); $$->labels = $1; }
  | labels instruction      { $$ = $2; $$->labels = $1; }
  ;

instruction:
    NAME columns_operands   { $$ = columns_cell (BASE, @$, $NAME, @NAME, $columns_operands); }
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
  | number                  { $$ = rsp_litmus_number (BASE, @$, $1); }
  ;

/* ---- Threads ---- */

threads:
    thread                  { parser->base.test->threads = APPEND (NONE, $1); }
  | regions thread          { parser->base.test->threads = APPEND (NONE, $2); }
  | threads thread
      { parser->base.test->threads = APPEND (parser->base.test->threads, $2); }
  | threads regions
  ;

/* Bell's, in tests of herd: `regions: x: R, y: S`. */
regions:
    prefix NAME ':' region_list { rsp_litmus_regions (BASE, @NAME, $NAME); }
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
      { $$ = rsp_litmus_thread (BASE, @NAME, $NAME, $positions, $parameters, $block, @block); }
  ;

prefix:
    %empty
  | prefix KERNEL
  | prefix STORAGE
  | prefix TYPE             { rsp_litmus_check_void (BASE, @TYPE, $TYPE); }
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
    level NUMBER            { $$ = rsp_litmus_position (BASE, @$, $level, $NUMBER.value); }
  ;

level:
    NAME
  | KERNEL
  ;

/* ---- Scope tree and question ---- */

sections:
    %empty
  | sections SCOPE_TREE trees %prec TREES { rsp_litmus_set_trees (BASE, @SCOPE_TREE, $trees); }
  | sections SCOPE_TREE '*'
      {
        rsp_litmus_set_trees (BASE, @SCOPE_TREE, NONE);
        parser->base.test->all_placements = TRUE;
      }
  | sections LOCATIONS '[' places ']' { rsp_litmus_set_locations (BASE, @LOCATIONS, $places); }
  | sections FILTER prop optional_semicolon { rsp_litmus_set_filter (BASE, @FILTER, $prop); }
  ;

trees:
    tree                    { $$ = APPEND (NONE, $1); }
  | trees tree              { $$ = APPEND ($1, $2); }
  ;

tree:
    NAME                    { $$ = rsp_litmus_tree (BASE, @$, $1, NULL); }
  | '(' level trees ')'     { $$ = rsp_litmus_tree (BASE, @level, $level, &$trees); }
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
    seen_place
  | seen_place '*'
  | seen_place specs stars
  | seen_place NAME stars
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
        parser->base.test->quantifier = $quantifier;
        parser->base.test->condition = $prop;
      }
  | FORALL PLACEMENTS quantifier prop
      {
        parser->base.test->all_placements = TRUE;
        parser->base.test->quantifier = $quantifier;
        parser->base.test->condition = $prop;
      }
  | '(' prop ')'
      {
        parser->base.test->quantifier = RSP_EXISTS;
        parser->base.test->condition = $prop;
      }
  | OBSERVED observed
      {
        parser->base.test->quantifier = RSP_EXISTS;
        parser->base.test->condition = $observed;
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
    operand equation right_operand { $$ = rsp_litmus_atom (BASE, @$, $2, $1, $3); }
  | operand equation '{' values '}' { $$ = rsp_litmus_array_prop (BASE, @$, $2, $1, $4); }
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
    seen_place
  | '&' NAME index          { $$ = PLACE (@$, ADDRESS, $2, $3); }
  | number                  { $$ = rsp_litmus_number (BASE, @$, $1); }
  ;

right_operand:
    seen_place
  | constant
  | '&' NAME index          { $$ = PLACE (@$, ADDRESS, $2, $3); }
  ;

%%

static void yyerror (TokenRange *range, CParser *parser, const char *message) {
  (void) message; /* only exhaustion comes here; syntax errors go to yyreport_syntax_error */
  rsp_error (parser->base.diagnostics, rsp_litmus_span (BASE, *range), NULL,
             "this is nested too deeply for a %s", c_is_kernel (parser) ? "kernel" : "litmus test");
}

REPORT_SYNTAX_ERROR (CParser, YYSYMBOL_YYUNDEF, c_syntax (parser), parser->base.scan,
                     c_wholes[parser->start])
