/* Building the tree of a mapping: functions for the grammar's actions. Private to this front
 * end. */
#pragma once

#include "lexer/map.h"
#include "parser/map/tree.h"

/* The selectors of a row; 0 for those that are missing. */
typedef struct MapSelection {
  guint orders, scopes, remotes;
  guint64 suffixes; /* of a source language with tags: bits as in RspSpelling */
  guint kinds;      /* of the suffixes, bits */
} MapSelection;

typedef struct MapParser {
  TokenScan scan;
  RspMap *map;
  RspDiagnostics *diagnostics;
  const char *const *directories;
  GHashTable *texts;    /* path → RspSource; or NULL */
  RspMapRow **last;     /* where the next row is linked */
  RspMapRow *row;       /* the one being built */
  GArray *instructions; /* of RspMapInstruction: the row's */
  gboolean locked, in_step;
  guint step_begin; /* of in_step: number of its first instruction */
  guint depth;      /* of includes */
} MapParser;

MapSelection map_selector (MapParser *parser, TokenRange range, const char *word);
/* a | b: of one kind. */
MapSelection map_select_or (MapParser *parser, TokenRange range, MapSelection a, MapSelection b);
/* a b: of different kinds. */
MapSelection map_select_also (MapParser *parser, TokenRange range, MapSelection a, MapSelection b);
void map_begin_row (MapParser *parser, TokenRange range, const char *operation,
                    TokenRange selectors, MapSelection selection);
void map_end_row (MapParser *parser, TokenRange body);
/* `cost 10 : fence.sc.$S` */
void map_begin_cost (MapParser *parser);
void map_end_cost (MapParser *parser, TokenRange range, const char *number, TokenRange body);

/* ---- Languages ---- */
void map_source (MapParser *parser, TokenRange range, const char *word);
void map_target (MapParser *parser, TokenRange range, const char *word);

/* ---- Instructions ---- */
/* word is "LD", "RMW_L2", …; level is NULL if no word follows. */
void map_access (MapParser *parser, TokenRange range, const char *word, const char *level,
                 TokenRange whole);
void map_move (MapParser *parser, TokenRange range, RspMapKind kind, const char *level,
               RspMapReach reach);
void map_wait (MapParser *parser, TokenRange range, TokenRange word_range, const char *word);
void map_lock (MapParser *parser, TokenRange range, guint locks, RspMapReach reach);
void map_unlock (MapParser *parser, TokenRange range, guint locks, RspMapReach reach);
/* `?` */
void map_open (MapParser *parser);
void map_words (MapParser *parser, TokenRange range, const char *words);
void map_begin_step (MapParser *parser, TokenRange range);
void map_end_step (MapParser *parser);

/* ---- words.c ---- */
