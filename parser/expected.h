/* What a grammar expects, in words: shared by the syntax errors of all languages. */
#pragma once

#include <glib.h>

/* Tokens for which a message has one phrase. It takes the place of all members if both keys are
 * expected (one, if the other is NULL), and at least so many members. */
typedef struct TokenGroup
{
  const char *keys[2];
  guint least;
  const char *phrase;
  const char *members[28]; /* as `signs` would be: without quotes */
} TokenGroup;

/* The names of tokens as the grammar has them: `'+'`, `if`, `a name`. */
typedef struct Expected
{
  const char *const *names;
  guint n;
} Expected;

gboolean expects (Expected expected, const char *name);
/* "an operator, `)` or a name": at most so many (0: all). Newly allocated. */
char *expected_format (Expected expected, const TokenGroup *groups, guint n_groups, guint most);
/* A keyword of which `found` may be a misspelling, as a hint; newly allocated, or NULL. */
char *expected_near (Expected expected, const char *found);
/* The token that was found: "`x`", "the end of the file". Newly allocated. */
char *found_format (const char *text, gboolean at_end);
