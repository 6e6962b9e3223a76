/* Models for unit tests. */
#pragma once

#include "model/model.h"

/* A shipped model by its file's name, or a model of this text, which begins with a quoted name. The
 * running test fails if it cannot be loaded. */
RspModel *model_load (const char *model, RspDiagnostics *diagnostics);
