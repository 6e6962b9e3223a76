/* The question of a program of commands, resolved. */
#pragma once

#include "parser/dsom/names.h"

/* Fills the program's observables, quantifier and condition. */
void dsom_resolve_question (DsomResolver *resolver);
