/* -version. */
#ifndef CLI_OPTIONS_VERSION_H
#define CLI_OPTIONS_VERSION_H

#include <glib.h>

/* Appends the version, the commit it was built from if that is known, and what is new in it. */
void cli_version_format (GString *out);

#endif
