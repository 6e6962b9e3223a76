#pragma once

#include "parser/map/build.h"
#include "parser/map/tree.h"

/* ---- Rows ---- */
MapSelection map_select (MapParser *parser, TokenRange range, const char *word);
RspMapReach map_reach (MapParser *parser, TokenRange range, const char *word);
guint map_lock_word (MapParser *parser, TokenRange range, const char *word);
/* What a counter of WAIT counts. */
guint map_counter (MapParser *parser, TokenRange range, const char *word);
/* Unknown words are reported; FALSE then. */
gboolean map_operation_word (MapParser *parser, TokenRange range, const char *word,
                             RspMapOperation *operation);
const char *map_operation_name (RspMapOperation operation);
/* Reports a word that is not one of `words`. */
void map_unknown_word (MapParser *parser, TokenRange range, const char *what, const char *word,
                       const char *const *words);
/* "remote store at device scope", for messages. Newly allocated. */
char *rsp_map_describe (RspMapOperation operation, RspOrder order, RspScope scope, gboolean remote);
/* The beginning of a row for such an operation: "store rel dev remote". Newly allocated. */
char *rsp_map_format_head (RspMapOperation operation, RspOrder order, RspScope scope,
                           gboolean remote);
/* Appends the words of the language, for -help-mapping. */
void rsp_map_help (GString *out);
