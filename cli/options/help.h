/* The texts of `-help` and the man page, made from the table of options. */
#pragma once

#include "cli/options/options.h"

/* All append to out. */

/* "  TERM  TEXT": the text in words, from column indent to last. */
void cli_help_entry (const char *term, const char *text, gsize indent, gsize last, GString *out);

void cli_help_format (GString *out); /* what fits a screen: the usual commands, the topics */
void cli_help_format_topic (CliGroup group, GString *out);
void cli_help_format_all (GString *out);
void cli_help_format_json (GString *out); /* a list of { name, topic, argument, words, help } */
void cli_man_format (GString *out);       /* in man(7) macros */
/* Appends the version, the commit it was built from if that is known, and what is new in it. */
void cli_version_format (GString *out);
