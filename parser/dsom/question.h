/* The question of a program of commands, resolved. */
#ifndef RSP_PARSER_DSOM_QUESTION_H
#define RSP_PARSER_DSOM_QUESTION_H

#include "parser/dsom/resolve.h"

/* Fills the program's observables, quantifier and condition. */
void dsom_resolve_question (DsomResolver *resolver);

#endif
