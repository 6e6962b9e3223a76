/* JSON inside HTML. Each function adds the comma that it needs before its own text. */
#pragma once

#include "base/count.h"

/* Distinct texts in order of appearance. */
typedef struct Texts {
  GPtrArray *list;     /* of char *, owned */
  GHashTable *numbers; /* text → number */
} Texts;

Texts texts_new (void);
void texts_clear (Texts *texts);
/* The text's number; a new text gets the next one. */
guint texts_number (Texts *texts, const char *text);

/* A JSON string. Markup is escaped too: no text can end the element that the data is in. */
void append_text (const char *text, GString *out);
/* The comma between an element or member and what is before it. */
void separate (GString *out);
void begin_member (const char *name, GString *out);
/* A member that is an array or object, with its opening bracket; the caller closes it. */
void page_begin (const char *name, char bracket, GString *out);
/* Adds nothing for NULL. */
void add_text (const char *name, const char *text, GString *out);
/* Adds nothing for FALSE. */
void add_true (const char *name, gboolean value, GString *out);
/* An element. */
void add_number (guint number, GString *out);
/* A number, or a string if JavaScript's numbers are not exact; null if unknown. */
void append_count (RspCount count, gboolean unknown, GString *out);
/* Adds nothing for 0. */
void add_count (const char *name, RspCount count, gboolean unknown, GString *out);
void add_titles (const char *name, const char *const *titles, guint n, GString *out);
