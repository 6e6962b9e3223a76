#pragma once

#include "parser/kernel/lower/lower.h"

/* What a call such as get_global_size (0) returns in every work-item; FALSE: it is no such call. */
gboolean rsp_kernel_grid_size (KernelLowerer *l, const KernelExpr *call, gint64 *value);
/* The value of get_global_id (0) and the like. */
KernelValue kernel_identity (KernelLowerer *l, const KernelExpr *call);
