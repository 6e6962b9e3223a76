/* Finding files by name; suggestions: the name that a misspelt one probably means. */
#pragma once

#include <glib.h>

/* The candidate nearest to word by edit distance (transpositions count as one), or NULL if none is
 * near enough (a third of the word's length, at least one). candidates is NULL-terminated. */
const char *rsp_nearest (const char *word, const char *const *candidates);
/* "did you mean `…`?", newly allocated, or NULL. */
char *rsp_did_you_mean (const char *word, const char *const *candidates);

/* The same for names whose words are joined by `_`, so that no operation is offered for another:
 * only the words that the names do not share are compared, and a word of any candidate or of
 * `known` (NULL-terminated) is not taken for a misspelt one. */
char *rsp_did_you_mean_words (const char *word, const char *const *candidates,
                              const char *const *known);

/* The path of a file that exists: tries the name as given (below folder, unless that is NULL), then
 * below each of the folders (NULL-terminated, or NULL), each time also with the suffix added. NULL
 * if there is none. Newly allocated. */
char *rsp_find_file (const char *name, const char *folder, const char *const *folders,
                     const char *suffix);
/* Among the files in these folders (NULL-terminated; unreadable ones are skipped) that end in
 * suffix, such as ".cat", the one whose name is nearest to `name`, with or without suffix; of
 * equally near ones the first by name. NULL if none is near enough. Newly allocated. */
char *rsp_near_file (const char *name, const char *const *folders, const char *suffix);
