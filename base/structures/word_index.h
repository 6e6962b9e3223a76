/* Word index: finds words of a fixed list, such as the keywords of a language, and what belongs to
 * each. Lexers ask it about every word that they read. */
#pragma once

#include <glib.h>

typedef struct RspWordIndex RspWordIndex;

/* Empty, with room for so many words. It is never freed: lists of words are constant. */
RspWordIndex *rsp_word_index_new (gsize n);
/* The word is not copied. FALSE if it is there already. */
gboolean rsp_word_index_add (RspWordIndex *index, const char *word, gconstpointer value);
/* NULL if the word is not there. */
gconstpointer rsp_word_index_find (const RspWordIndex *index, const char *word);
