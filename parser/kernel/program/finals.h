#ifndef RSP_PARSER_KERNEL_FINALS_H
#define RSP_PARSER_KERNEL_FINALS_H

#include "parser/kernel/lower/lower.h"

/* The program's question: no assertion has failed, and those over final memory hold. */
void kernel_resolve_asserts (KernelLowerer *l);

#endif
