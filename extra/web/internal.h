#pragma once

#include <glib.h>

/* A value: as text, or with the values in it. None is freed: a run is over soon. */
typedef struct Value {
  char bracket;     /* '{', '[', or 0 for a text */
  char *text;       /* as it is written */
  GPtrArray *names; /* of an object's members */
  GPtrArray *items; /* of Value */
} Value;

/* The address of a function of JSON-GLib; NULL if the program here has none of that name. */
gpointer web_json_find (const char *symbol);
