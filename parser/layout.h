/* Layout: blanks are changed and nothing else; line breaks and comments stay where they are. What a
 * text is made of, the scanners say. */
#pragma once

#include "base/base.h"

#include "base/base.h"

/* The text of a model, a test or a mapping (by the suffix of its name), laid out; that of another
 * one as it is. The layout of what is laid out is the same. Newly allocated; NULL after an error,
 * reported in diagnostics: something that is no token. */
char *rsp_layout (RspSource *source, RspDiagnostics *diagnostics);
