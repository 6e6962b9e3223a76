/* Macros for the rows of a table of options. A table defines OPTIONS, the structure that has the
 * fields, before it includes this. */
#pragma once

#include "cli/options.h"

#define FIELD(name) G_STRUCT_OFFSET (OPTIONS, name)
#define SWITCH(name, group, field, help)                                                           \
  { name, group, CLI_SWITCH, FIELD (field), NULL, help, NULL, 0, 0 }
#define VALUE(name, group, kind, field, argument, help)                                            \
  { name, group, kind, FIELD (field), argument, help, NULL, 0, 0 }
#define NUMBER(name, group, field, argument, least, most, help)                                    \
  { name, group, CLI_NUMBER, FIELD (field), argument, help, NULL, least, most }
#define WORD(name, group, field, words, argument, help)                                            \
  { name, group, CLI_WORD, FIELD (field), argument, help, words, 0, 0 }
/* The rows below follow the option of that name in -help; "": they are the topic's first. */
#define AFTER(name, group)                                                                         \
  { name, group, CLI_AFTER, 0, NULL, NULL, NULL, 0, 0 }
