/* The language of mappings: the grammar. Its actions only build the tree of tree.h. */
%define api.pure full
%define api.prefix {rsp_map_yy}
%define api.token.prefix {MAP_}
%define api.location.type {MapRange}
%define parse.error custom
%define parse.lac full
%locations
%parse-param { MapParser *parser }
%lex-param { MapParser *parser }

%code requires {
#include "parser/map/build.h"
#include "parser/map/errors.h"
#include "parser/map/load.h"
#include "parser/map/words.h"
}

%code {
#define YYLLOC_DEFAULT(current, rhs, n)                                                            \
  do                                                                                               \
    {                                                                                              \
      (current).begin = (n) ? YYRHSLOC (rhs, 1).begin : YYRHSLOC (rhs, 0).end;                     \
      (current).end = YYRHSLOC (rhs, n).end;                                                       \
    }                                                                                              \
  while (0)

#define TOKEN(name) G_STATIC_ASSERT ((int) MAP_TOKEN_##name == (int) MAP_##name);
#include "lexer/map_tokens.def"

static int
yylex (RSP_MAP_YYSTYPE *value, MapRange *range, MapParser *parser)
{
  MapToken token = { NULL };
  int kind = rsp_map_flex_lex (&token, range, parser->scan.flex);
  value->text = token.text;
  return kind;
}

static void yyerror (MapRange *range, MapParser *parser, const char *message);
}

%union {
  const char *text;
  guint bits;
  RspMapReach reach;
  RspMapKind kind;
  MapSelection selection;
}

%token YYEOF 0 "the end of the file"
%token MAPPING "mapping" INCLUDE "include" NOP "NOP" FLU "FLU" INV "INV" LOCK "LOCK" STEP "STEP"
%token <text> STRING "a string"
%token <text> NAME "a word"
%token <text> LEVEL "a level"
%token <text> ACCESS "an access (`LD`, `ST`, `RMW`)"

%type <selection> selector selectors
%type <reach> reach lock_reach
%type <bits> locks lock
%type <kind> move

%%

file:
    head rows
  ;

head:
    %empty
  | MAPPING STRING          { parser->map->name = $STRING; }
  ;

rows:
    %empty
  | rows row
  | rows INCLUDE STRING     { if (!map_include (parser, @STRING, $STRING)) YYABORT; }
  ;

row:
    NAME selectors ':'      { map_begin_row (parser, @NAME, $NAME, @selectors, $selectors, @3); }
    body                    { map_end_row (parser, @body); }
  ;

selectors:
    %empty                  { $$ = (MapSelection){ 0 }; }
  | selectors[all] selector[one] { $$ = map_select_also (parser, @one, $all, $one); }
  ;

selector:
    NAME                    { $$ = map_select (parser, @NAME, $NAME); }
  | selector[all] '|' NAME  { $$ = map_select_or (parser, @NAME, $all, map_select (parser, @NAME, $NAME)); }
  ;

body:
    NOP
  | instructions
  ;

instructions:
    instruction
  | instructions ';' instruction
  ;

instruction:
    ACCESS                  { map_access (parser, @ACCESS, $ACCESS, NULL, @ACCESS); }
  | ACCESS LEVEL            { map_access (parser, @ACCESS, $ACCESS, $LEVEL, @$); }
  | move LEVEL reach        { map_move (parser, @$, $move, $LEVEL, $reach); }
  | LOCK locks lock_reach '{' { map_lock (parser, @LOCK, $locks, $lock_reach); }
    instructions '}'        { map_unlock (parser, @LOCK, $locks, $lock_reach); }
  | STEP '{'                { map_begin_step (parser, @STEP); }
    instructions '}'        { map_end_step (parser); }
  ;

move:
    FLU                     { $$ = RSP_MAP_FLU; }
  | INV                     { $$ = RSP_MAP_INV; }
  ;

reach:
    NAME                    { $$ = map_reach (parser, @NAME, $NAME); }
  ;

lock_reach:
    %empty                  { $$ = RSP_MAP_DEVICE; }
  | reach
  ;

locks:
    lock
  | locks[all] ',' lock[one] { $$ = $all | $one; }
  ;

lock:
    NAME                    { $$ = map_lock_word (parser, @NAME, $NAME); }
  ;

%%

static void
yyerror (MapRange *range, MapParser *parser, const char *message)
{
  rsp_error (parser->diagnostics, rsp_map_scan_span (&parser->scan, *range), NULL, "%s", message);
}

static int
yyreport_syntax_error (const yypcontext_t *context, MapParser *parser)
{
  yysymbol_kind_t kinds[YYNTOKENS];
  const char *names[YYNTOKENS];
  int n = yypcontext_expected_tokens (context, kinds, YYNTOKENS);
  for (int i = 0; i < n; i++)
    names[i] = yysymbol_name (kinds[i]);
  map_syntax_error (parser, *yypcontext_location (context),
                    yypcontext_token (context) == YYSYMBOL_YYEOF, names, (guint) MAX (n, 0));
  return 0;
}
