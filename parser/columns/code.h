#pragma once

#include "parser/columns/resolve.h"

/* The body of the thread with that index. */
RspStatement *columns_code (ColumnsResolver *r, guint thread);
