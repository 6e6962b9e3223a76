/* Layout changes blanks and nothing else: line breaks and comments stay where they are. The
 * scanners split texts into tokens. */
#pragma once

#include "base/base.h"

#include "base/base.h"

/* The text of a model, a test or a mapping (by the suffix of its name) laid out; any other text
 * unchanged. A text that is laid out stays as it is. Newly allocated; NULL after an error, reported
 * in diagnostics: a character that begins no token. */
char *rsp_layout (RspSource *source, RspDiagnostics *diagnostics);
