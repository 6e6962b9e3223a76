/* Values as small numbers, from 0 in order of appearance, so that states are rows of numbers. */
#pragma once

#include "enumerator/terms/term.h"

/* Many a table stays empty, so nothing is allocated before the first value, and few have more than
 * some values. */
typedef struct RspValueTable {
  RspArena *arena;   /* has the values; outlives the table */
  GHashTable *ids;   /* RspValue → its number + 1; NULL while there are few */
  RspValue **values; /* by number, in the arena */
  guint n, capacity;
} RspValueTable;

void rsp_value_table_clear (RspValueTable *table);
/* The number of a value, which is added if it is missing. */
guint32 rsp_value_table_number (RspValueTable *table, RspValue value);

static inline guint rsp_value_table_count (const RspValueTable *table) { return table->n; }

static inline RspValue *rsp_value_table_get (const RspValueTable *table, guint32 number) {
  return table->values[number];
}

/* From values to what a caller keeps about them. */
GHashTable *rsp_value_hash_table_new (void);
