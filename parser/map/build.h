/* Building the tree of a mapping: what the grammar's actions call. Private to this front end. */
#ifndef RSP_PARSER_MAP_BUILD_H
#define RSP_PARSER_MAP_BUILD_H

#include "lexer/map.h"
#include "parser/map/tree.h"

/* What the selectors of a row say: 0 where nothing was said. */
typedef struct MapSelection
{
  guint orders, scopes, remotes;
} MapSelection;

typedef struct MapParser
{
  MapScan scan;
  RspMap *map;
  RspDiagnostics *diagnostics;
  const char *const *directories;
  RspMapRow **last;     /* where the next row goes */
  RspMapRow *row;       /* the one being built */
  GArray *instructions; /* of RspMapInstruction: its */
  MapRange colon;
  gboolean locked, in_step;
  guint step_begin; /* of in_step: number of its first instruction */
  guint depth;      /* of includes */
} MapParser;

/* ---- Rows ---- */
MapSelection map_select (MapParser *parser, MapRange range, const char *word);
/* a | b: of one kind. */
MapSelection map_select_or (MapParser *parser, MapRange range, MapSelection a, MapSelection b);
/* a b: of different kinds. */
MapSelection map_select_also (MapParser *parser, MapRange range, MapSelection a, MapSelection b);
void map_begin_row (MapParser *parser, MapRange range, const char *operation, MapRange selectors,
                    MapSelection selection, MapRange colon);
void map_end_row (MapParser *parser, MapRange body);
void map_include (MapParser *parser, MapRange range, const char *path);

/* ---- Instructions ---- */
/* word is "LD", "RMW_L2", …; level NULL where no word follows. */
void map_access (MapParser *parser, MapRange range, const char *word, const char *level,
                 MapRange whole);
void map_move (MapParser *parser, MapRange range, RspMapKind kind, const char *level,
               RspMapReach reach);
void map_lock (MapParser *parser, MapRange range, guint locks, RspMapReach reach);
void map_unlock (MapParser *parser, MapRange range, guint locks, RspMapReach reach);
void map_begin_step (MapParser *parser, MapRange range);
void map_end_step (MapParser *parser);
RspMapReach map_reach (MapParser *parser, MapRange range, const char *word);
guint map_lock_word (MapParser *parser, MapRange range, const char *word);

/* ---- words.c ---- */
/* FALSE when there is no such word, which is reported. */
gboolean map_operation_word (MapParser *parser, MapRange range, const char *word,
                             RspMapOperation *operation);
/* Reports a word that stands for none of `words`. */
void map_bad_word (MapParser *parser, MapRange range, const char *what, const char *word,
                   const char *const *words);

/* Parses source into map, at *last; FALSE after an error. */
gboolean map_parse (RspSource *source, RspMap *map, RspMapRow ***last,
                    const char *const *directories, guint depth, RspDiagnostics *diagnostics);
void map_syntax_error (MapParser *parser, MapRange range, gboolean at_end,
                       const char *const *expected, guint n_expected);

#endif
