/* The cat language: the grammar of both dialects. Its actions only build the tree of cat.h.
 *
 * A `*` is either the product of two sets or, after an operand, reflexive-transitive closure. It is
 * a product if what follows begins an operand (a name, `_`, `0`, a tag, an opening bracket, `~`),
 * and a closure otherwise: `W*R` and `W * R` are products; `po*`, `po* | rf` and `(po)*;rf` are
 * closures. No statement begins like an operand except `~empty` and the like, which the scanner
 * distinguishes, so the last `*` of an expression is never taken for a product. `r^*` is always a
 * closure. */
%define api.pure full
%define api.prefix {rsp_cat_yy}
%define api.token.prefix {CAT_TOKEN_}
%define api.location.type {TokenRange}
%define parse.error custom
%define parse.lac full
%locations
%parse-param { CatParser *parser }
%lex-param { CatParser *parser }

%code requires {
#include "lexer/cat.h"
#include "parser/cat/cat.h"
}

%code {
#include <string.h>

/* The limit protects the stack; no real model is nested as deeply. */
#define YYMAXDEPTH 4000

#define YYLLOC_DEFAULT RANGE_OF_TEXT

static int yylex (RSP_CAT_YYSTYPE *value, TokenRange *range, CatParser *parser) {
  CatToken token = { NULL };
  int kind = rsp_cat_flex_lex (&token, range, parser->scan.flex);
  value->text = token.text;
  return kind;
}

static void yyerror (TokenRange *range, CatParser *parser, const char *message);

#define EXPR(range, kind, a, b) cat_expr (parser, (range), RSP_CAT_##kind, (a), (b))
#define WORD(range, kind, name) cat_word (parser, (range), RSP_CAT_##kind, (name))
#define COMPARE(range, kind, a, b) cat_compare (parser, (range), RSP_CAT_COND_##kind, (a), (b))
#define CONNECT(range, kind, c, d) cat_connect (parser, (range), RSP_CAT_COND_##kind, (c), (d))
#define CLAUSE(range, kind, a, b, c)                                                               \
  cat_clause (parser, (range), RSP_CAT_CLAUSE_##kind, (a), (b), (c))
#define STATEMENT(range, kind) cat_statement (parser, (range), RSP_CAT_STMT_##kind)
#define NONE ((CatList){ NULL, NULL, 0 })
#define APPEND(list, item) cat_append (parser, (list), (item))
#define LINK(list, item)                                                                           \
  do                                                                                               \
    {                                                                                              \
      (list).last->next = (item).first;                                                            \
      (list).last = (item).last;                                                                   \
    }                                                                                              \
  while (0)
#define SPAN(range) rsp_cat_scan_span (&parser->scan, (range))
}

%union {
  const char *text;
  gboolean flag;
  RspCatExpr *expr;
  RspCatPattern *pattern;
  RspCatCondition *condition;
  RspCatClause *clause;
  RspCatStatement *statement;
  RspcheckAxiomKind axiom;
  RspcheckAxiomRole role;
  CatList list;
  CatBindings bindings;
  CatClauses clauses;
  CatStatements statements;
}

%token YYEOF 0 "the end of the file"
%token <text> MODEL_NAME "a name of the model"
%token <text> OPTION "an option"
%token <text> NAME "a name"
%token <text> TAG "a tag"
%token <text> STRING "a string"
%token LET "let" REC "rec" AND "and" IN "in" FUN "fun" AS "as"
%token IF "if" THEN "then" ELSE "else" MATCH "match" WITH "with" TRY "try"
%token BEGIN "begin" END "end" VARIANT "variant" NOT "not" SUBSET "subset"
%token ACYCLIC "acyclic" IRREFLEXIVE "irreflexive" EMPTY "empty"
%token UNDEFINED_UNLESS "undefined_unless" FLAG "flag" ASSERT "assert"
%token WARN_UNLESS "warn_unless"
%token DEBUG "debug" SHOW "show" UNSHOW "unshow" INCLUDE "include" PROCEDURE "procedure" CALL "call" ENUM "enum"
%token FORALL "forall" DO "do" INSTRUCTIONS "instructions" WHEN "when"
%token <text> FROM "from"
%token ZERO "0" UNDERSCORE "_"
%token NEGATE "~ before an axiom" COMPLEMENT "~"
%token UNION "|" ADD "++" SEQUENCE ";" DIFFERENCE "\\" INTERSECTION "&"
%token STAR "*" CLOSURE "^*" PLUS "+" OPTIONAL "?" INVERSE "^-1" SQUARE "^2"
%token ALTERNATIVE "||" CONJUNCTION "&&" ARROW "->" UNEQUAL "!="

/* In a clause, `||` after an enum's tags continues the tags. */
%precedence TAGS
/* Conditions. They associate to the right, so that the parser's stack limits the depth of a
 * chain. */
%right ALTERNATIVE
%right CONJUNCTION
%precedence NOT
/* Expressions, loosest first. */
%left UNION
%right ADD
%left SEQUENCE
%left DIFFERENCE
%left INTERSECTION
%right STAR
%precedence PLUS CLOSURE OPTIONAL INVERSE SQUARE
%precedence COMPLEMENT

%type <expr> expression base application simple
%type <list> items items_or_none parameters names tags shown open_tuple tuple_patterns class
%type <pattern> pattern
%type <condition> condition condition_atom
%type <bindings> binding bindings
%type <clause> head_of_clause
%type <clauses> clause clauses statement_clause statement_clauses
%type <statement> simple_statement axiom call item
%type <statements> statement statements
%type <axiom> axiom_kind
%type <role> role
%type <flag> negation recursive
%type <text> name element member any_name label

%%

file:
    head statements         { parser->file->statements = $statements.first; }
  ;

head:
    %empty
  | head MODEL_NAME         {
      if (!parser->file->name) {
        parser->file->name = $2;
        parser->file->name_span = SPAN (@2);
      }
    }
  | head OPTION             { cat_add_option (parser, $2); }
  ;

statements:
    %empty                  { $$ = (CatStatements){ NULL, NULL }; }
  | statements statement    { $$ = cat_join ($1, $2); }
  ;

statement:
    simple_statement        { $$ = (CatStatements){ $1, $1 }; }
  | SHOW shown              { $$ = cat_show (parser, @$, $2); }
  | LET recursive bindings WHEN axiom in {
      RspCatStatement *let = STATEMENT (@$, LET);
      let->recursive = $recursive;
      let->bindings = $bindings.first;
      $$ = cat_join ((CatStatements){ let, let }, (CatStatements){ $axiom, $axiom });
    }
  ;

/* herd allows an `in` after a definition, without a meaning. */
in:
    %empty
  | IN
  ;

simple_statement:
    LET recursive bindings in {
      $$ = STATEMENT (@$, LET);
      $$->recursive = $recursive;
      $$->bindings = $bindings.first;
    }
  | axiom
  | DEBUG expression        {
      $$ = STATEMENT (@$, LET);
      $$->bindings = cat_binding (parser, @2, cat_pattern (parser, @1, NULL), NONE, @2, $2).first;
    }
  | UNSHOW names            {
      $$ = STATEMENT (@$, UNSHOW);
      $$->names = (const char **) cat_array (parser, $names);
    }
  | INCLUDE STRING          { $$ = STATEMENT (@$, INCLUDE); $$->path = $2; $$->name_span = SPAN (@2); }
  | PROCEDURE recursive name pattern '=' statements END {
      $$ = STATEMENT (@$, PROCEDURE);
      $$->recursive = $recursive;
      $$->name = $name;
      $$->name_span = SPAN (@name);
      $$->pattern = $pattern;
      $$->body = $statements.first;
    }
  | call
  | ENUM name '=' tags %prec TAGS {
      $$ = STATEMENT (@$, ENUM);
      $$->name = $name;
      $$->name_span = SPAN (@name);
      $$->names = (const char **) cat_array (parser, $tags);
    }
  | FORALL pattern IN expression DO statements END {
      $$ = STATEMENT (@$, FORALL);
      $$->pattern = $pattern;
      $$->expr = $expression;
      $$->body = $statements.first;
    }
  | WITH pattern FROM expression {
      $$ = STATEMENT (@$, WITH);
      $$->pattern = $pattern;
      $$->expr = $expression;
    }
  | IF condition then statements END {
      $$ = STATEMENT (@$, IF);
      $$->condition = $condition;
      $$->body = $statements.first;
    }
  | IF condition then statements[yes] ELSE statements[no] END {
      $$ = STATEMENT (@$, IF);
      $$->condition = $condition;
      $$->body = $yes.first;
      $$->otherwise = $no.first;
    }
  | MATCH expression WITH statement_clauses END {
      $$ = STATEMENT (@$, MATCH);
      $$->expr = $expression;
      $$->clauses = $4.first;
    }
  | INSTRUCTIONS name '[' class ']' {
      $$ = STATEMENT (@$, INSTRUCTIONS);
      $$->name = $name;
      $$->name_span = SPAN (@name);
      $$->names = (const char **) cat_array (parser, $class);
    }
  ;

then:
    %empty
  | THEN
  ;

axiom:
    role negation axiom_kind expression label {
      $$ = STATEMENT (@$, AXIOM);
      $$->role = $role;
      $$->negated = $negation;
      $$->axiom = $axiom_kind;
      $$->expr = $expression;
      $$->name = $label;
      $$->name_span = SPAN (@label);
    }
  ;

role:
    %empty                  { $$ = RSPCHECK_ROLE_AXIOM; }
  | UNDEFINED_UNLESS        { $$ = RSPCHECK_ROLE_UNDEFINED_UNLESS; }
  | FLAG                    { $$ = RSPCHECK_ROLE_FLAG; }
  | ASSERT                  { $$ = RSPCHECK_ROLE_ASSERT; }
  | WARN_UNLESS             { $$ = RSPCHECK_ROLE_WARN_UNLESS; }
  ;

negation:
    %empty                  { $$ = FALSE; }
  | NEGATE                  { $$ = TRUE; }
  ;

axiom_kind:
    ACYCLIC                 { $$ = RSPCHECK_AXIOM_ACYCLIC; }
  | IRREFLEXIVE             { $$ = RSPCHECK_AXIOM_IRREFLEXIVE; }
  | EMPTY                   { $$ = RSPCHECK_AXIOM_EMPTY; }
  ;

label:
    %empty                  { $$ = NULL; }
  | AS any_name             { $$ = $2; @$ = @2; }
  ;

any_name:
    name
  | STRING
  ;

call:
    CALL name simple label  {
      $$ = STATEMENT (@$, CALL);
      $$->name = $name;
      $$->name_span = SPAN (@name);
      $$->expr = $simple;
      $$->names = (const char **) cat_array (parser, $label ? APPEND (NONE, $label) : NONE);
    }
  ;

shown:
    item                    { $$ = APPEND (NONE, $1); }
  | shown ',' item          { $$ = APPEND ($1, $3); }
  ;

item:
    name                    { $$ = STATEMENT (@$, SHOW); $$->name = $1; $$->name_span = SPAN (@1); }
  | expression AS any_name  {
      $$ = STATEMENT (@$, SHOW);
      $$->expr = $1;
      $$->name = $3;
      $$->name_span = SPAN (@3);
    }
  ;

names:
    name                    { $$ = APPEND (NONE, $1); }
  | names ',' name          { $$ = APPEND ($1, $3); }
  ;

tags:
    alternative TAG         { $$ = APPEND (NONE, $2); }
  | tags ALTERNATIVE TAG    { $$ = APPEND ($1, $3); }
  ;

alternative:
    %empty
  | ALTERNATIVE
  ;

/* Bell: instructions R[{'once, 'acquire}]. */
class:
    name                    { $$ = APPEND (NONE, $1); }
  | TAG                     { $$ = APPEND (NONE, $1); }
  | '{' class '}'           { $$ = $2; }
  | class ',' name          { $$ = APPEND ($1, $3); }
  | class ',' TAG           { $$ = APPEND ($1, $3); }
  | class ',' '{' class '}' { $$ = cat_concatenate ($1, $4); }
  ;

/* ---- Bindings and patterns ---- */

recursive:
    %empty                  { $$ = FALSE; }
  | REC                     { $$ = TRUE; }
  ;

bindings:
    binding
  | bindings AND binding    { $$ = $1; LINK ($$, $3); }
  ;

binding:
    pattern '=' expression  { $$ = cat_binding (parser, @$, $1, NONE, @$, $3); }
  | open_tuple '=' items    {
      $$ = cat_binding (parser, @$, cat_tuple_pattern (parser, @1, $1), NONE, @$,
                        cat_items (parser, @3, RSP_CAT_TUPLE, $3));
    }
  | name parameters '=' expression {
      TokenRange function = { @2.begin, @4.end };
      $$ = cat_binding (parser, @$, cat_pattern (parser, @1, $1), $2, function, $4);
    }
  ;

parameters:
    pattern                 { $$ = APPEND (NONE, $1); }
  | parameters pattern      { $$ = APPEND ($1, $2); }
  ;

pattern:
    name                    { $$ = cat_pattern (parser, @$, $1); }
  | UNDERSCORE              { $$ = cat_pattern (parser, @$, NULL); }
  | '(' ')'                 { $$ = cat_tuple_pattern (parser, @$, NONE); }
  | '(' tuple_patterns ')'  { $$ = cat_tuple_pattern (parser, @$, $2); }
  ;

/* Without parentheses. */
open_tuple:
    pattern ',' pattern     { $$ = APPEND (APPEND (NONE, $1), $3); }
  | open_tuple ',' pattern  { $$ = APPEND ($1, $3); }
  ;

tuple_patterns:
    pattern                 { $$ = APPEND (NONE, $1); }
  | tuple_patterns ',' pattern { $$ = APPEND ($1, $3); }
  ;

name:
    NAME
  | FROM
  ;

/* ---- Expressions ---- */

expression:
    base
  | LET recursive bindings IN expression {
      $$ = cat_let (parser, @$, $recursive, $bindings.first, $5);
    }
  | FUN parameters ARROW expression { $$ = cat_fun (parser, @$, $2, $4); }
  | IF condition THEN expression ELSE expression { $$ = cat_if (parser, @$, $2, $4, $6); }
  | MATCH expression WITH clauses END { $$ = cat_match (parser, @$, $2, $4.first); }
  | TRY expression WITH expression { $$ = EXPR (@$, TRY, $2, $4); }
  | DEBUG expression        { $$ = $2; }
  ;

base:
    application
  | base UNION base         { $$ = EXPR (@$, UNION, $1, $3); }
  | base ADD base           { $$ = EXPR (@$, ADD, $1, $3); }
  | base SEQUENCE base      { $$ = EXPR (@$, SEQ, $1, $3); }
  | base DIFFERENCE base    { $$ = EXPR (@$, DIFF, $1, $3); }
  | base INTERSECTION base  { $$ = EXPR (@$, INTER, $1, $3); }
  | base STAR base          { $$ = EXPR (@$, PRODUCT, $1, $3); }
  | base STAR               { $$ = EXPR (@$, STAR, $1, NULL); }
  | base CLOSURE            { $$ = EXPR (@$, STAR, $1, NULL); }
  | base PLUS               { $$ = EXPR (@$, PLUS, $1, NULL); }
  | base OPTIONAL           { $$ = EXPR (@$, OPTION, $1, NULL); }
  | base INVERSE            { $$ = EXPR (@$, INVERSE, $1, NULL); }
  | base SQUARE             { $$ = EXPR (@$, SQUARE, $1, NULL); }
  | COMPLEMENT base         { $$ = EXPR (@$, COMPLEMENT, $2, NULL); }
  ;

application:
    simple
  | application simple      { $$ = EXPR (@$, APPLY, $1, $2); }
  ;

simple:
    name                    { $$ = WORD (@$, NAME, $1); }
  | TAG                     { $$ = WORD (@$, TAG, $1); }
  | ZERO                    { $$ = EXPR (@$, EMPTY, NULL, NULL); }
  | UNDERSCORE              { $$ = EXPR (@$, UNIVERSE, NULL, NULL); }
  | '[' expression ']'      { $$ = EXPR (@$, IDENTITY, $2, NULL); }
  | '{' items_or_none '}'   { $$ = cat_items (parser, @$, RSP_CAT_SET, $2); }
  | '(' items_or_none ')'   { $$ = cat_items (parser, @$, RSP_CAT_TUPLE, $2); }
  | BEGIN expression END    { $$ = $2; }
  ;

items_or_none:
    %empty                  { $$ = NONE; }
  | items
  ;

items:
    expression              { $$ = APPEND (NONE, $1); }
  | items ',' expression    { $$ = APPEND ($1, $3); }
  ;

/* ---- Clauses of match ---- */

clauses:
    alternative clause      { $$ = $2; }
  | clauses ALTERNATIVE clause { $$ = $1; LINK ($$, $3); }
  ;

clause:
    head_of_clause ARROW expression {
      $1->body = $3;
      $$ = (CatClauses){ $1, $1 };
    }
  ;

statement_clauses:
    alternative statement_clause { $$ = $2; }
  | statement_clauses ALTERNATIVE statement_clause { $$ = $1; LINK ($$, $3); }
  ;

statement_clause:
    head_of_clause ARROW statements {
      $1->statements = $3.first;
      $$ = (CatClauses){ $1, $1 };
    }
  ;

head_of_clause:
    TAG                     { $$ = CLAUSE (@$, TAG, $1, NULL, NULL); }
  | UNDERSCORE              { $$ = CLAUSE (@$, ANY, NULL, NULL, NULL); }
  | '{' '}'                 { $$ = CLAUSE (@$, EMPTY, NULL, NULL, NULL); }
  | ZERO                    { $$ = CLAUSE (@$, EMPTY, NULL, NULL, NULL); }
  | element ADD element     { $$ = CLAUSE (@$, CONS, $1, $3, NULL); }
  | element union member union element { $$ = CLAUSE (@$, SPLIT, $1, $3, $5); }
  | element union member ADD element { $$ = CLAUSE (@$, SPLIT, $1, $3, $5); }
  ;

element:
    name
  | UNDERSCORE              { $$ = NULL; }
  ;

member:
    element
  | '{' element '}'         { $$ = $2; }
  ;

/* The union sign of a pattern in three parts is `U` in herd's documents. */
union:
    UNION
  | NAME                    {
      if (strcmp ($1, "U") != 0) {
        rsp_error (parser->diagnostics, SPAN (@1), NULL, "found `%s`, expected `U` or `|`", $1);
        YYABORT;
      }
    }
  ;

/* ---- Conditions ---- */

condition:
    condition_atom
  | base '=' base           { $$ = COMPARE (@$, EQUAL, $1, $3); }
  | base UNEQUAL base       { $$ = COMPARE (@$, NEQUAL, $1, $3); }
  | base SUBSET base        { $$ = COMPARE (@$, SUBSET, $1, $3); }
  | base IN base            { $$ = COMPARE (@$, IN, $1, $3); }
  | NOT condition           { $$ = CONNECT (@$, NOT, $2, NULL); }
  | condition CONJUNCTION condition { $$ = CONNECT (@$, AND, $1, $3); }
  | condition ALTERNATIVE condition { $$ = CONNECT (@$, OR, $1, $3); }
  ;

condition_atom:
    STRING                  { $$ = cat_variant (parser, @$, $1); }
  | VARIANT STRING          { $$ = cat_variant (parser, @$, $2); }
  | '(' condition ')'       { $$ = $2; }
  | COMPLEMENT condition_atom { $$ = CONNECT (@$, NOT, $2, NULL); }
  ;

%%

static void yyerror (TokenRange *range, CatParser *parser, const char *message) {
  (void) message; /* only exhaustion comes here; syntax errors go to yyreport_syntax_error */
  rsp_cat_too_deep (parser, *range);
}

REPORT_SYNTAX_ERROR (CatParser, YYSYMBOL_YYEMPTY, &cat_syntax, parser->scan, "file")
