#ifndef RSP_PARSER_COLUMNS_CODE_H
#define RSP_PARSER_COLUMNS_CODE_H

#include "parser/columns/resolve.h"

/* The body of the thread with that index. */
RspStatement *columns_code (ColumnsResolver *r, guint thread);

#endif
