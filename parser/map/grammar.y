/* The language of mappings, and of machines: the grammar. Its actions only build the trees of map.h and machine.h. */
%define api.pure full
%define api.prefix {rsp_map_yy}
%define api.token.prefix {MAP_TOKEN_}
%define api.location.type {TokenRange}
%define parse.error custom
%define parse.lac full
%locations
%parse-param { MapParser *parser }
%lex-param { MapParser *parser }

%code requires {
#include "parser/map/internal.h"
#include "parser/map/machine.h"
#include "parser/map/map.h"
}

%code {
#define YYLLOC_DEFAULT RANGE_OF_PARTS

static int yylex (RSP_MAP_YYSTYPE *value, TokenRange *range, MapParser *parser) {
  MapToken token = { NULL };
  int kind = rsp_map_flex_lex (&token, range, parser->scan.flex);
  rsp_scan_token (&parser->scan, kind, *range);
  value->text = token.text;
  return kind;
}

static void yyerror (TokenRange *range, MapParser *parser, const char *message);
}

%union {
  const char *text;
  guint bits;
  RspMapReach reach;
  RspMapKind kind;
  MapSelection selection;
  const RspLineSet *set;
  RspInvariant *invariant;
}

%token YYEOF 0 "the end of the file"
%token MAPPING "mapping" INCLUDE "include" SOURCE "source" TARGET "target" COST "cost" NOP "NOP" FLU "FLU" INV "INV" CLEAN "CLEAN" WAIT "WAIT" LOCK "LOCK" STEP "STEP" STALL "STALL" OWN "OWN" FORWARD "FORWARD" WHEN "when" OF "of" THROUGH "through"
%token LATENCY "latency" MACHINE "machine" TITLE "title" GUARD "lock" READING "reading" UNIT "unit" INVARIANT "invariant" AT "at" PER "per" IN "in"
%token <text> CACHE "cache"
%token <text> LINES "`x` or `mine`"
%token <text> STRING "a string"
%token <text> NUMBER "a number"
%token <text> NAME "a word"
%token <text> LEVEL "a level"
%token <text> ACCESS "an access (`LD`, `ST`, `RMW`)"
%token <text> WORDS "an instruction of the target"

%type <text> language
%type <selection> selector selectors
%type <reach> reach lock_reach
%type <bits> locks lock lines_moved when stalls
%type <kind> move unit
%type <set> set lines
%type <invariant> formula

%%

file:
    head languages rows
  | MACHINE STRING          { machine_begin (parser, @STRING, $STRING); }
    statements
  | LATENCY STRING          { parser->map->is_latency = TRUE; parser->map->name = $STRING; }
    latencies
  ;

latencies:
    %empty
  | latencies NAME ':' NUMBER { map_latency (parser, @NAME, $NAME, @NUMBER, $NUMBER); }
  ;

head:
    %empty
  | MAPPING STRING          { parser->map->name = $STRING; }
  ;

languages:
    %empty
  | SOURCE sources TARGET language { map_target (parser, @language, $language); }
  ;

sources:
    language                { map_source (parser, @language, $language); }
  | sources '|' language    { map_source (parser, @language, $language); }
  ;

language:
    NAME
  | LEVEL                   /* "PTX" */
  ;

rows:
    %empty
  | rows row
  | rows COST NUMBER ':'    { map_begin_cost (parser); }
    instructions            { map_end_cost (parser, @NUMBER, $NUMBER, @instructions); }
  | rows INCLUDE STRING     { if (!map_include (parser, @STRING, $STRING)) YYABORT; }
  ;

row:
    NAME selectors ':'      { map_begin_row (parser, @NAME, $NAME, @selectors, $selectors); }
    body                    { map_end_row (parser, @body); }
  ;

selectors:
    %empty                  { $$ = (MapSelection){ 0 }; }
  | selectors[all] selector[one] { $$ = map_select_also (parser, @one, $all, $one); }
  ;

selector:
    NAME                    { $$ = map_selector (parser, @NAME, $NAME); }
  | selector[all] '|' NAME  { $$ = map_select_or (parser, @NAME, $all, map_selector (parser, @NAME, $NAME)); }
  ;

body:
    NOP
  | '?'                     { map_open (parser); }
  | instructions
  ;

instructions:
    instruction
  | instructions ';' instruction
  ;

instruction:
    WORDS                   { map_words (parser, @WORDS, $WORDS); }
  | NAME                    { map_words (parser, @NAME, $NAME); }
  | ACCESS                  { map_access (parser, @ACCESS, $ACCESS, NULL, @ACCESS); }
  | ACCESS LEVEL            { map_access (parser, @ACCESS, $ACCESS, $LEVEL, @$); }
  | ACCESS LEVEL THROUGH    { map_access (parser, @ACCESS, $ACCESS, $LEVEL, @$); map_through (parser, @THROUGH); }
  | move LEVEL reach lines_moved when { map_move (parser, @$, $move, $LEVEL, $reach, $lines_moved, $when); }
  | OWN LINES               { map_directory (parser, @$, RSP_MAP_OWNED, @LINES, $LINES); }
  | FORWARD NAME            { map_directory (parser, @$, RSP_MAP_FORWARD, @NAME, $NAME); }
  | WAIT NAME               { map_wait (parser, @$, @NAME, $NAME); }
  | LOCK locks lock_reach '{' { map_lock (parser, @LOCK, $locks, $lock_reach); }
    instructions '}'        { map_unlock (parser, @LOCK, $locks, $lock_reach); }
  | STALL stalls OF NAME lock_reach '{' { map_stall (parser, @STALL, $stalls, @NAME, $NAME, $lock_reach); }
    instructions '}'        { map_unstall (parser, @STALL); }
  | STEP '{'                { map_begin_step (parser, @STEP); }
    instructions '}'        { map_end_step (parser); }
  ;

lines_moved:
    %empty                  { $$ = 0; }
  | LINES                   { $$ = map_lines ($LINES); }
  ;

when:
    %empty                  { $$ = 0; }
  | WHEN NAME               { $$ = map_when (parser, @NAME, $NAME); }
  ;

stalls:
    NAME                    { $$ = map_stalled (parser, @NAME, $NAME); }
  | stalls[all] '|' NAME    { $$ = $all | map_stalled (parser, @NAME, $NAME); }
  ;

/* ---- Machines ---- */

statements:
    %empty
  | statements statement
  ;

statement:
    TITLE STRING            { machine_title (parser, $STRING); }
  | MAPPING STRING          { machine_mapping (parser, @STRING, $STRING); }
  | INCLUDE STRING          { if (!map_include (parser, @STRING, $STRING)) YYABORT; }
  | CACHE LEVEL PER NAME    { machine_begin_cache (parser, @LEVEL, $CACHE, $LEVEL, @NAME, $NAME); }
    about
  | GUARD guards            { machine_begin_readings (parser, RSP_READING_OF_LOCKS); }
    about
  | READING                 { machine_begin_readings (parser, RSP_READING_OF_ALL); }
    readings
  | UNIT ':' units
  | INVARIANT STRING ':' formula { machine_invariant (parser, @STRING, $STRING, $formula); }
  ;

about:
    %empty
  | ':' readings
  ;

readings:
    reading
  | readings ',' reading
  ;

reading:
    NAME                    { machine_reading (parser, @NAME, $NAME, NULL); }
  | NAME[name] NAME[value]  { machine_reading (parser, @$, $name, $value); }
  ;

guards:
    guard
  | guards ',' guard
  ;

guard:
    NAME AT LEVEL           { machine_lock_line (parser, @NAME, $NAME, $LEVEL); }
  | NAME[what] PER NAME[scope] { machine_lock_rmw (parser, @what, $what, @scope, $scope); }
  ;

units:
    unit                    { machine_unit (parser, $unit); }
  | units ',' unit          { machine_unit (parser, $unit); }
  ;

unit:
    ACCESS                  { $$ = map_access_kind ($ACCESS); }
  | move
  | WAIT                    { $$ = RSP_MAP_WAIT; }
  | LOCK                    { $$ = RSP_MAP_LOCK; }
  | STALL                   { $$ = RSP_MAP_STALL; }
  | OWN                     { $$ = RSP_MAP_OWNED; }
  | FORWARD                 { $$ = RSP_MAP_FORWARD; }
  ;

formula:
    NAME set                { $$ = machine_counts (parser, @NAME, $NAME, $set); }
  | NAME set PER NAME[scope] {
        $$ = machine_counts (parser, @1, $1, $set);
        machine_per (parser, $$, @scope, $scope);
      }
  | set[one] IN set[other]  { $$ = machine_subset (parser, @$, $one, $other); }
  ;

set:
    lines
  | set[a] '&' lines[b]     { $$ = machine_join (parser, @b, RSP_SET_AND, $a, $b); }
  | set[a] '|' lines[b]     { $$ = machine_join (parser, @b, RSP_SET_OR, $a, $b); }
  | set[a] '-' lines[b]     { $$ = machine_join (parser, @b, RSP_SET_MINUS, $a, $b); }
  ;

lines:
    NAME LEVEL              { $$ = machine_set (parser, @$, $NAME, $LEVEL); }
  | NAME[what] NAME[lock]   { $$ = machine_set (parser, @$, $what, $lock); }
  | '(' set ')'             { $$ = $set; }
  ;

/* ---- Words ---- */

move:
    FLU                     { $$ = RSP_MAP_FLU; }
  | INV                     { $$ = RSP_MAP_INV; }
  | CLEAN                    { $$ = RSP_MAP_CLEAN; }
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
  | LINES                   { $$ = map_lock_word (parser, @LINES, $LINES); }
  ;

%%

static void yyerror (TokenRange *range, MapParser *parser, const char *message) {
  rsp_error (parser->diagnostics, rsp_scan_span (&parser->scan, *range), NULL, "%s", message);
}

REPORT_SYNTAX_ERROR (MapParser, YYSYMBOL_YYEMPTY, &map_syntax[parser->map->machine || parser->map->is_latency ? 2 : parser->map->target != NULL],
                     parser->scan, "file")
