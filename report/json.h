/* JSON Lines: one object a record, as docs/schema.json says. */
#ifndef RSP_JSON_H
#define RSP_JSON_H

#include "report/record.h"

/* Appends one line. Bytes that are no UTF-8 are replaced. */
void rsp_json_format (const RspRecord *record, GString *out);

#endif
