#pragma once

#include "parser/columns/resolve.h"

/* Of one test, what its instructions said first: about a barrier that several threads come to,
 * about a location. */
GHashTable *columns_first_words_new (void);
/* Doubts about a barrier and an access of the thread being resolved. */
void columns_check_barrier (ColumnsResolver *r, const ColumnsCell *cell, guint64 tags);
void columns_check_class (ColumnsResolver *r, const LitmusPlace *operand, guint location,
                          guint64 tags);
/* Warns about names that are most likely misspelt: locations that the initial state does not
 * declare and that are named once, or in one thread while there is a similar name; and those that
 * it declares, nothing uses, and resemble others. */
void columns_warn_of_names (ColumnsResolver *r);
