/* What the page begins with, as JSON: models, mappings and tests that are installed, and tests that
 * were given. */
#pragma once

#include "cli/options/options.h"
#include "base/json.h"

/* { installed: { "cat/M.cat": text }, tests: { path: text }, given: [path], models: [name],
 * options: text, write: boolean }. What cannot be read is in diagnostics. */
JsonNode *serve_texts (const CliOptions *options, RspDiagnostics *diagnostics);
