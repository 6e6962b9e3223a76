#include "model/warn/warn.h"

const char *const rsp_model_warning_names[RSP_N_MODEL_WARNINGS + 1]
    = { [RSP_WARN_UNCHECKED] = "unchecked",
        [RSP_WARN_SAME_NAME] = "same-name",
        [RSP_WARN_UNUSED] = "unused",
        [RSP_WARN_EMPTY] = "empty",
        [RSP_WARN_PRECEDENCE] = "precedence" };
