/* A machine's record on the page; page.c describes the member. */
#ifndef RSP_REPORT_PAGE_MACHINE_H
#define RSP_REPORT_PAGE_MACHINE_H

#include "report/page/members.h"
#include "report/record.h"

/* Adds the member "m", unless the record is not a machine's. */
void add_machine (const RspRecord *record, Texts *states, GString *out);

#endif
